//! The contact normal of two convex solids of which one at least is round. It takes segments, cylinders and polyhedra;
//! two polyhedra have their own file, `convex`.
//!
//! The separation along a unit direction `n` is `f(n) = min n·x over B − max n·x over A`; its largest value is the
//! distance of bodies apart, and less the depth of bodies that overlap. Where bodies are apart the maximum is unique,
//! and the direction between the closest points attains it. Where they overlap, a maximum belongs to a face or cap of one
//! body, or to an edge, side or rim of each: `f` is then smooth along an arc or over the sphere, and is climbed. Both
//! kinds of candidates are judged by the same `f`, so that the normal does not jump as bodies come to touch.

use drystone_math::Vector;

use crate::search::{largest_on_circle, largest_on_sphere, root};
use crate::segment;
use crate::solid::{Form, Solid, clamp_to_cylinder};

/// The best direction so far.
pub(crate) struct Axis<'a> {
    a: &'a Solid<'a>,
    b: &'a Solid<'a>,
    /// Beyond this the bodies are too far apart to matter \[m\].
    reach: f64,
    /// Separations closer than this are equal, and the earlier candidate stays.
    preference: f64,
    pub normal: Vector<3>,
    pub separation: f64,
}

/// The unit direction from `a` to `b` of largest separation, and that separation; none when it exceeds `reach`.
pub(crate) fn best(a: &Solid, b: &Solid, reach: f64, tolerance: f64) -> Option<(Vector<3>, f64)> {
    let preference = 100.0 * tolerance;
    let mut axis = Axis { a, b, reach, preference, normal: Vector::<3>::z(), separation: f64::NEG_INFINITY };
    let found = match (&a.form, &b.form) {
        (Form::Cylinder { .. }, Form::Cylinder { .. }) => axis.two_cylinders(),
        (_, Form::Polyhedron(form)) => axis.with_polyhedron(form),
        (Form::Cylinder { .. }, _) => axis.cylinder_and_segment(false),
        (_, Form::Cylinder { .. }) => axis.cylinder_and_segment(true),
        _ => axis.two_segments(),
    };
    found.map(|()| (axis.normal, axis.separation))
}

impl Axis<'_> {
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
        self.preference *= 1e-6;
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
    fn with_polyhedron(&mut self, form: &crate::Polytope<3>) -> Option<()> {
        self.try_direction(self.b.centre - self.a.centre)?;
        self.separation = f64::NEG_INFINITY;
        for face in &form.faces {
            self.try_direction(-(self.b.rotation * face.normal))?;
        }
        let axis = self.a.axis();
        if let Form::Cylinder { .. } = self.a.form {
            self.try_both(axis)?;
        }
        let apart = self.separation > 0.0;
        self.refine();
        for edge in &form.edges {
            let ends = edge.vertices.map(|vertex| self.b.place(&form.vertices[vertex as usize]));
            // no point of the edge can be nearer along the best direction so far
            let ahead = ends.iter().map(|end| self.normal.dot(end)).fold(f64::INFINITY, f64::min);
            if ahead - self.a.top(&self.normal) > self.reach.max(self.separation) {
                continue;
            }
            match self.a.form {
                Form::Cylinder { radius, half_height } => {
                    self.edge_of_cylinder(self.a, &ends, radius, half_height, apart, 1.0)?;
                }
                _ => {
                    let [p, q] = self.a.ends();
                    let (t, u, _) = segment::closest([&p, &q], [&ends[0], &ends[1]]);
                    self.try_direction(ends[0] + (ends[1] - ends[0]) * u - p - (q - p) * t)?;
                    if !apart {
                        self.try_both(axis.cross(&(ends[1] - ends[0])))?;
                    }
                }
            }
        }
        Some(())
    }

    fn cylinder_and_segment(&mut self, exchanged: bool) -> Option<()> {
        let (cylinder, other, sign) = if exchanged { (self.b, self.a, -1.0) } else { (self.a, self.b, 1.0) };
        let Form::Cylinder { radius, half_height } = cylinder.form else { return None };
        self.try_both(cylinder.axis())?;
        self.refine();
        self.edge_of_cylinder(cylinder, &other.ends(), radius, half_height, false, sign)
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
        let nearest = nearest_on_segment(&p, &q, radius, half_height);
        let between = nearest - clamp_to_cylinder(&nearest, radius, half_height);
        if between.norm() > 1e-12 * (radius + half_height) {
            return self.try_direction(turn * between * sign);
        }
        if apart {
            return Some(());
        }
        // the segment goes through the cylinder: out past the side, or over the rim
        for end in [&p, &q, &nearest] {
            self.try_direction(turn * Vector::<3>::new(end[0], end[1], 0.0) * sign)?;
        }
        let along = (q - p).try_normalize(0.0)?;
        self.try_both(turn * along.cross(&Vector::<3>::z()))?;
        let over = |n: &Vector<3>| n.dot(&p) - half_height * n[2].abs() - radius * n[0].hypot(n[1]);
        for n in largest_on_circle(&along, &over) {
            self.try_direction(turn * n * sign)?;
        }
        Some(())
    }

    fn two_cylinders(&mut self) -> Option<()> {
        let (a, b) = (self.a.axis(), self.b.axis());
        self.try_both(a)?;
        self.try_both(b)?;
        // side by side
        let between = self.b.centre - self.a.centre;
        let product = a.cross(&b);
        if product.norm() < 1e-9 {
            self.try_direction(between - a * a.dot(&between))?;
        } else {
            self.try_both(product)?;
        }
        self.refine();
        let ([p, q], [r, s]) = (self.a.ends(), self.b.ends());
        let (t, u, _) = segment::closest([&p, &q], [&r, &s]);
        self.try_direction(r + (s - r) * u - p - (q - p) * t)?;
        // the side of one on the rim of the other, then rim on rim
        let (one, two) = (*self.a, *self.b);
        let f = |n: &Vector<3>| -two.top(&-n) - one.top(n);
        for axis in [a, b] {
            for n in largest_on_circle(&axis, &f) {
                self.try_direction(n)?;
            }
        }
        let start = self.normal;
        for n in largest_on_sphere(&[start, between], &f) {
            self.try_direction(n)?;
        }
        Some(())
    }
}

/// The point of a segment nearest to a solid cylinder about z. The distance is convex along the segment: its slope is
/// zero there, or it is an end.
fn nearest_on_segment(p: &Vector<3>, q: &Vector<3>, radius: f64, half_height: f64) -> Vector<3> {
    let along = q - p;
    let slope = |t: f64| {
        let point = p + along * t;
        (point - clamp_to_cylinder(&point, radius, half_height)).dot(&along)
    };
    let (first, last) = (slope(0.0), slope(1.0));
    if first >= 0.0 {
        return if first == 0.0 && last == 0.0 { p + along * 0.5 } else { *p };
    }
    if last <= 0.0 {
        return *q;
    }
    p + along * root(&slope, (0.0, first), (1.0, last))
}
