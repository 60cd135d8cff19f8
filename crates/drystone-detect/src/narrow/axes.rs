//! The contact normal of two convex solids of which one at least is round. It takes segments, cylinders and
//! polyhedra; two polyhedra have their own file, `convex`.
//!
//! The separation along a unit direction `n` is `f(n) = min n·x over B − max n·x over A`; its largest value
//! is the distance of bodies apart, and less the depth of bodies that overlap. Where bodies are apart the
//! maximum is unique, and the direction between the closest points attains it. Where they overlap, a maximum
//! belongs to a face or cap of one body, or to an edge, side or rim of each: `f` is then smooth along an arc
//! or over the sphere, and is climbed. Both kinds of candidates are judged by the same `f`, so that the
//! normal does not jump as bodies come to touch.

use drystone_math::Vector;

use crate::narrow::search::{Look, largest_on_sphere, peaks_on_circle, root};
use crate::narrow::segment;
use crate::narrow::solid::{Solid, SolidForm, past_cylinder};

/// The best direction so far.
pub(crate) struct AxisSearch<'a> {
    a: &'a Solid<'a>,
    b: &'a Solid<'a>,
    /// Beyond this the bodies are too far apart to matter \[m\].
    reach: f64,
    /// Separations closer than this are equal, and the earlier candidate stays.
    preference: f64,
    pub normal: Vector<3>,
    pub separation: f64,
}

/// The unit direction from `a` to `b` of largest separation, and that separation; none when it exceeds
/// `reach`.
pub(crate) fn best(a: &Solid, b: &Solid, reach: f64, tolerance: f64) -> Option<(Vector<3>, f64)> {
    let preference = 100.0 * tolerance;
    let mut axis =
        AxisSearch { a, b, reach, preference, normal: Vector::<3>::z(), separation: f64::NEG_INFINITY };
    let found = match (&a.form, &b.form) {
        (SolidForm::Cylinder { .. }, SolidForm::Cylinder { .. }) => axis.two_cylinders(),
        (_, SolidForm::Polyhedron(form)) => axis.with_polyhedron(form),
        (SolidForm::Cylinder { .. }, _) => axis.cylinder_and_segment(false),
        (_, SolidForm::Cylinder { .. }) => axis.cylinder_and_segment(true),
        _ => axis.two_segments(),
    };
    found.map(|()| (axis.normal, axis.separation))
}

impl AxisSearch<'_> {
    fn f(&self, n: &Vector<3>) -> f64 {
        -self.b.top(&-n) - self.a.top(n)
    }

    /// Judges a direction of any length; none if the bodies are too far apart along it.
    fn try_direction(&mut self, direction: Vector<3>) -> Option<()> {
        let length = direction.norm();
        // shorter than rounding allows to tell, a direction means nothing
        if length.is_nan() || length <= 1e-3 * f64::EPSILON * (self.a.size() + self.b.size()) {
            return Some(());
        }
        let normal = direction / length;
        let separation = self.f(&normal);
        if separation > self.reach {
            return None;
        }
        if separation > self.separation + self.preference {
            (self.normal, self.separation) = (normal, separation);
        }
        Some(())
    }

    fn try_both(&mut self, direction: Vector<3>) -> Option<()> {
        self.try_direction(direction)?;
        self.try_direction(-direction)
    }

    /// Whatever comes now is exact where what came before may only be near.
    fn refine(&mut self) {
        self.preference = 1e-5 * self.preference + f64::EPSILON * (self.a.size() + self.b.size());
    }

    /// From the foremost point of the first body to that of the second, which looks back.
    fn between(&self, n: &Vector<3>) -> Vector<3> {
        self.b.foremost(&-n) - self.a.foremost(n)
    }

    /// The best directions among those square to an edge or a side; `peak` is the axis of the cylinder that
    /// it meets.
    fn try_around(&mut self, axis: &Vector<3>, peak: &Vector<3>) -> Option<()> {
        for n in peaks_on_circle(axis, peak, &|n| self.between(n)) {
            self.try_direction(n)?;
        }
        Some(())
    }

    /// The best direction near one for two disks, the caps of two cylinders: without the creases that their
    /// sides make.
    fn try_rims(&mut self, caps: [usize; 2], start: &Vector<3>) -> Option<()> {
        let look = |n: &Vector<3>| Look {
            slope: self.b.on_rim(caps[1], &-n) - self.a.on_rim(caps[0], n),
            bends: [self.a.bend(n), self.b.bend(n)],
        };
        let n = largest_on_sphere(start, &look);
        self.try_direction(n)
    }

    /// A direction square to two unit axes, both ways; none if they are parallel.
    fn try_square(&mut self, one: &Vector<3>, two: &Vector<3>) -> Option<()> {
        let Some(n) = one.cross(two).try_normalize(1e-12) else { return Some(()) };
        // once more: a small product need not be square
        let n = n - one * one.dot(&n);
        self.try_both(n - two * two.dot(&n))
    }

    fn two_segments(&mut self) -> Option<()> {
        let ([p, q], [r, s]) = (self.a.ends(), self.b.ends());
        let (t, u, _) = segment::closest([&p, &q], [&r, &s]);
        self.try_direction(r + (s - r) * u - p - (q - p) * t)?;
        self.refine();
        self.try_both(self.a.axis().cross(&self.b.axis()))?;
        self.try_direction(self.b.centre - self.a.centre)
    }

    /// A segment or a cylinder against a polyhedron.
    fn with_polyhedron(&mut self, form: &drystone_geometry::Polytope<3>) -> Option<()> {
        self.try_direction(self.b.centre - self.a.centre)?;
        self.separation = f64::NEG_INFINITY;
        for face in form.faces() {
            self.try_direction(-(self.b.rotation * face.normal))?;
        }
        let axis = self.a.axis();
        if let SolidForm::Cylinder { .. } = self.a.form {
            self.try_both(axis)?;
        }
        let apart = self.separation > 0.0;
        self.refine();
        for edge in form.edges() {
            let ends = edge.vertices.map(|vertex| self.b.place(&form.vertices()[vertex as usize]));
            // of bodies apart, no point of the edge can be nearer along the best direction so far
            let ahead = ends.iter().map(|end| self.normal.dot(end)).fold(f64::INFINITY, f64::min);
            if apart && ahead - self.a.top(&self.normal) > self.reach.max(self.separation) {
                continue;
            }
            match self.a.form {
                SolidForm::Cylinder { radius, half_height } => {
                    self.edge_of_cylinder(self.a, &ends, radius, half_height, apart, 1.0)?;
                }
                _ => {
                    self.edge_of_segment(&ends, apart)?;
                }
            }
        }
        Some(())
    }

    /// Directions from a segment to an edge: square to each whose end is not the nearest point.
    fn edge_of_segment(&mut self, ends: &[Vector<3>; 2], apart: bool) -> Option<()> {
        let [p, q] = self.a.ends();
        let axis = self.a.axis();
        let (t, u, square) = segment::closest([&p, &q], [&ends[0], &ends[1]]);
        let Some(along) = (ends[1] - ends[0]).try_normalize(0.0) else { return Some(()) };
        let inner = |t: f64| t > 0.0 && t < 1.0;
        let mut between = ends[0] + (ends[1] - ends[0]) * u - p - (q - p) * t;
        if inner(t) {
            between -= axis * axis.dot(&between);
        }
        if inner(u) {
            between -= along * along.dot(&between);
        }
        self.try_direction(between)?;
        let size = self.a.size() + self.b.size();
        if !apart || (inner(t) && inner(u)) || square < 1e-12 * size * size {
            self.try_square(&axis, &along)?;
        }
        Some(())
    }

    fn cylinder_and_segment(&mut self, exchanged: bool) -> Option<()> {
        let (cylinder, other, sign) = if exchanged { (self.b, self.a, -1.0) } else { (self.a, self.b, 1.0) };
        let SolidForm::Cylinder { radius, half_height } = cylinder.form else { return None };
        self.try_both(cylinder.axis())?;
        self.refine();
        // the segment is the whole of its body: where it is apart, the bodies are
        self.edge_of_cylinder(cylinder, &other.ends(), radius, half_height, true, sign)
    }

    /// Directions from a cylinder to a segment; times `sign`, if the cylinder is the second body.
    fn edge_of_cylinder(
        &mut self,
        cylinder: &Solid,
        ends: &[Vector<3>; 2],
        radius: f64,
        half_height: f64,
        apart: bool,
        sign: f64,
    ) -> Option<()> {
        let turn = cylinder.rotation;
        let [p, q] = ends.map(|end| turn.transpose() * (end - cylinder.centre));
        let out = |point: &Vector<3>| turn * past_cylinder(point, radius, half_height) * sign;
        let (t, nearest) = nearest_on_segment(&p, &q, radius, half_height);
        let between = out(&nearest);
        let is_end = t <= 0.0 || t >= 1.0;
        let size = radius + half_height + (q - p).norm();
        let distance = between.norm();
        if is_end && distance > 1e-12 * size {
            // exact: along the axis, square to it or off the rim
            self.try_direction(between)?;
        }
        let Some(along) = (ends[1] - ends[0]).try_normalize(0.0) else { return Some(()) };
        let axis = cylinder.axis();
        if apart && distance > 1e-6 * size {
            if is_end {
                return Some(());
            }
            // square to the edge, and then to the side or off the rim
            self.try_square(&axis, &along)?;
            if axis.cross(&along).norm() >= 1e-6 {
                return self.try_along(&along, &between);
            }
        }
        // bodies that touch or overlap: out past the side, or over the rim
        for end in [&p, &q] {
            self.try_direction(turn * Vector::<3>::new(end[0], end[1], 0.0) * sign)?;
            self.try_direction(out(end))?;
        }
        self.try_square(&axis, &along)?;
        // the edge alone: the rest of its body can only come nearer
        let over = |n: &Vector<3>| ends[0] - cylinder.foremost(n);
        for n in peaks_on_circle(&along, &axis, &over) {
            self.try_direction(n * sign)?;
        }
        Some(())
    }

    /// The best direction square to an edge, near one.
    fn try_along(&mut self, edge: &Vector<3>, near: &Vector<3>) -> Option<()> {
        let square = |n: Vector<3>| (n - edge * edge.dot(&n)).try_normalize(0.0);
        let Some(mut n) = square(*near) else { return Some(()) };
        self.try_direction(n)?;
        let aside = |n: &Vector<3>| edge.cross(n);
        for _ in 0..8 {
            let between = self.between(&n);
            let way = aside(&n);
            let bends = [self.a.bend(&n), self.b.bend(&n)];
            let curvature: f64 = bends.iter().map(|(bend, by)| by * bend.dot(&way).powi(2)).sum();
            let total = n.dot(&between) + curvature;
            let slope = way.dot(&between);
            let Some(next) = square(n + way * (slope / total)) else { break };
            // no nearer than before: rounding
            if total <= 0.0 || aside(&next).dot(&self.between(&next)).abs() >= slope.abs() {
                break;
            }
            n = next;
        }
        self.try_direction(n)
    }

    fn two_cylinders(&mut self) -> Option<()> {
        let (a, b) = (self.a.axis(), self.b.axis());
        self.try_both(a)?;
        self.try_both(b)?;
        // side by side
        let between = self.b.centre - self.a.centre;
        if a.cross(&b).norm() < 1e-9 {
            let across = between - a * a.dot(&between);
            self.try_direction(across - a * a.dot(&across))?;
        } else {
            self.try_square(&a, &b)?;
        }
        self.refine();
        // the side of one on the rim of the other, then rim on rim
        self.try_around(&a, &b)?;
        self.try_around(&b, &a)?;
        let pairs = [[0, 0], [0, 1], [1, 0], [1, 1]];
        for caps in pairs {
            self.try_rims(caps, &(self.b.ends()[caps[1]] - self.a.ends()[caps[0]]))?;
            self.try_rims(caps, &{ self.normal })?;
        }
        if self.separation > 0.0 {
            return Some(());
        }
        // bodies that overlap have several good directions: out of either cap, and between
        let outward = |axis: &Vector<3>, cap: usize| if cap == 0 { -axis } else { *axis };
        for caps in pairs {
            let (one, two) = (outward(&a, caps[0]), -outward(&b, caps[1]));
            let across = self.b.ends()[caps[1]] - self.a.ends()[caps[0]];
            let aside = across.try_normalize(0.0).unwrap_or_else(Vector::zeros) * 0.3;
            for start in [one + aside, two + aside, one + two] {
                self.try_rims(caps, &start)?;
            }
        }
        Some(())
    }
}

/// The point of a segment nearest to a solid cylinder about z. The distance is convex along the segment: its
/// slope is zero there, or it is an end. Where it is, from 0 to 1, and its place.
fn nearest_on_segment(p: &Vector<3>, q: &Vector<3>, radius: f64, half_height: f64) -> (f64, Vector<3>) {
    let along = q - p;
    let at = |t: f64| p + along * t;
    let slope = |t: f64| past_cylinder(&at(t), radius, half_height).dot(&along);
    let (first, last) = (slope(0.0), slope(1.0));
    let t = match (first >= 0.0, last <= 0.0) {
        (true, true) => 0.5,
        (true, false) => 0.0,
        (false, true) => 1.0,
        (false, false) => root(&slope, (0.0, first), (1.0, last)),
    };
    (t, at(t))
}
