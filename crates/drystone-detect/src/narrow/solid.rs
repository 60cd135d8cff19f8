//! Segments, cylinders and polyhedra as convex solids in space: how far they reach along a direction and
//! which feature is foremost there. It compares no two of them: see `axes` and `region`.

use drystone_math::{Matrix, Vector, portable};

use crate::narrow::feature;
use crate::narrow::region::{LEVEL, Region};
use drystone_geometry::Polytope;

/// Sine of the angle, 0.02 rad, within which a cap, a face or a side counts as square to the contact normal:
/// its whole extent makes contact points, each with its own gap.
pub(crate) const SQUARE: f64 = 0.02;
/// Points at fixed angles on the rim of a cylinder that stand for the circle between them.
pub(crate) const RIM_POINTS: u32 = 8;

/// The form of a convex solid; round ones are about z.
#[derive(Clone, Copy)]
pub(crate) enum SolidForm<'a> {
    Segment { half_length: f64 },
    Cylinder { radius: f64, half_height: f64 },
    Polyhedron(&'a Polytope<3>),
}

/// A form and its place.
#[derive(Clone, Copy)]
pub(crate) struct Solid<'a> {
    pub form: SolidForm<'a>,
    pub rotation: Matrix<3, 3>,
    pub centre: Vector<3>,
}

impl Solid<'_> {
    /// The axis of a round solid.
    pub fn axis(&self) -> Vector<3> {
        self.rotation.column(2).into_owned()
    }

    /// Largest extent, for tolerances \[m\].
    pub fn size(&self) -> f64 {
        match self.form {
            SolidForm::Segment { half_length } => 2.0 * half_length,
            SolidForm::Cylinder { radius, half_height } => 2.0 * radius.max(half_height),
            SolidForm::Polyhedron(form) => form.size(),
        }
    }

    /// Largest height along a unit direction.
    pub fn top(&self, n: &Vector<3>) -> f64 {
        let height = n.dot(&self.centre);
        match self.form {
            SolidForm::Segment { half_length } => height + half_length * n.dot(&self.axis()).abs(),
            SolidForm::Cylinder { radius, half_height } => {
                height + half_height * n.dot(&self.axis()).abs() + radius * self.across(n).1
            }
            SolidForm::Polyhedron(form) => {
                let local = self.rotation.transpose() * n;
                height
                    + form.vertices().iter().map(|vertex| local.dot(vertex)).fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    /// A foremost point along a unit direction: on the rim of a cylinder, but where the direction is that of
    /// its axis.
    pub fn foremost(&self, n: &Vector<3>) -> Vector<3> {
        match self.form {
            SolidForm::Segment { .. } => self.ends()[usize::from(n.dot(&self.axis()) > 0.0)],
            SolidForm::Cylinder { .. } => self.on_rim(usize::from(n.dot(&self.axis()) > 0.0), n),
            SolidForm::Polyhedron(form) => {
                let local = self.rotation.transpose() * n;
                let heights = form.vertices().iter().map(|vertex| (local.dot(vertex), vertex));
                let best = heights.fold((f64::NEG_INFINITY, &form.vertices()[0]), |best, one| {
                    if one.0 > best.0 { one } else { best }
                });
                self.place(best.1)
            }
        }
    }

    /// The foremost point of a cap of a cylinder, or of an end of a segment.
    pub fn on_rim(&self, cap: usize, n: &Vector<3>) -> Vector<3> {
        let end = self.ends()[cap];
        let SolidForm::Cylinder { radius, .. } = self.form else { return end };
        let (across, slope) = self.across(n);
        if slope > 0.0 { end + across * (radius / slope) } else { end }
    }

    /// The unit way along which the foremost point moves as a direction turns, and by how much a radian
    /// \[m\]; nothing but for cylinders.
    pub fn bend(&self, n: &Vector<3>) -> (Vector<3>, f64) {
        let SolidForm::Cylinder { radius, .. } = self.form else { return (Vector::zeros(), 0.0) };
        let (across, slope) = self.across(n);
        if slope > 0.0 {
            (self.axis().cross(&across) / slope, radius / slope)
        } else {
            (Vector::zeros(), 0.0)
        }
    }

    /// The part of a direction across the axis, and its length.
    fn across(&self, n: &Vector<3>) -> (Vector<3>, f64) {
        let axis = self.axis();
        let across = n - axis * n.dot(&axis);
        // once more: what is left of a small difference may lean
        let across = across - axis * across.dot(&axis);
        (across, across.norm())
    }

    /// World place of a local point.
    pub fn place(&self, local: &Vector<3>) -> Vector<3> {
        self.centre + self.rotation * local
    }

    /// The two ends of a segment or of the axis of a cylinder.
    pub fn ends(&self) -> [Vector<3>; 2] {
        let half = match self.form {
            SolidForm::Segment { half_length } => half_length,
            SolidForm::Cylinder { half_height, .. } => half_height,
            SolidForm::Polyhedron(_) => 0.0,
        };
        [-half, half].map(|z| self.centre + self.axis() * z)
    }

    /// Makes `region` the feature foremost along a unit direction, seen along it. `side` is that of the body
    /// in names.
    pub fn look(&self, n: &Vector<3>, side: u64, region: &mut Region) {
        match self.form {
            SolidForm::Segment { .. } => {
                let lean = n.dot(&self.axis());
                let ends = self.ends();
                if lean.abs() < SQUARE {
                    region.polygon([(ends[0], 0), (ends[1], 1)], n, side, None);
                } else {
                    let end = usize::from(lean > 0.0);
                    region.polygon([(ends[end], end as u32)], n, side, None);
                }
            }
            SolidForm::Cylinder { radius, half_height } => {
                self.look_at_cylinder((radius, half_height), n, side, region);
            }
            SolidForm::Polyhedron(form) => self.look_at_polyhedron(form, n, side, region),
        }
    }

    fn look_at_cylinder(
        &self,
        (radius, half_height): (f64, f64),
        n: &Vector<3>,
        side: u64,
        region: &mut Region,
    ) {
        let axis = self.axis();
        let lean = n.dot(&axis);
        let (across, slope) = self.across(n);
        let cap = if lean >= 0.0 { 1 } else { 0 };
        let centre = self.centre + axis * half_height.copysign(lean);
        // where the rim is foremost
        let front = if slope > LEVEL { across * (radius / slope) } else { Vector::zeros() };
        if slope < SQUARE {
            let point = |k: u32| {
                let (sine, cosine) =
                    portable::sin_cos(f64::from(k) * std::f64::consts::TAU / f64::from(RIM_POINTS));
                let arm = self.rotation * Vector::<3>::new(radius * cosine, radius * sine, 0.0);
                (centre + arm, feature::rim(cap, k))
            };
            let lowest = (slope > LEVEL).then_some((centre + front, feature::rim(cap, RIM_POINTS)));
            let rim = (0..RIM_POINTS).map(point).chain(lowest);
            return region.disk((centre, radius), axis * 1f64.copysign(lean), rim, n, side);
        }
        let foremost = [0, 1].map(|cap| (self.ends()[cap] + front, feature::rim(cap as u32, RIM_POINTS)));
        if lean.abs() < SQUARE {
            region.polygon(foremost, n, side, None);
        } else {
            region.polygon([foremost[cap as usize]], n, side, None);
        }
    }

    fn look_at_polyhedron(&self, form: &Polytope<3>, n: &Vector<3>, side: u64, region: &mut Region) {
        let local = self.rotation.transpose() * n;
        let (mut face, mut cosine) = (0, f64::NEG_INFINITY);
        for (index, one) in form.faces().iter().enumerate() {
            let along = one.normal.dot(&local);
            if along > cosine {
                (face, cosine) = (index, along);
            }
        }
        let place = |vertex: u32| (self.place(&form.vertices()[vertex as usize]), vertex);
        if cosine >= (1.0 - SQUARE * SQUARE).sqrt() {
            let face = &form.faces()[face];
            let corners = face.vertices.iter().map(|&vertex| place(vertex));
            return region.polygon(corners, n, side, Some(self.rotation * face.normal));
        }
        let heights = form.vertices().iter().map(|vertex| local.dot(vertex));
        let foremost = heights
            .enumerate()
            .fold((0, f64::NEG_INFINITY), |best, one| if one.1 > best.1 { one } else { best });
        let vertex = foremost.0 as u32;
        // of the edges at the foremost vertex, the one most nearly square to the direction
        let lean = |edge: &&drystone_geometry::Edge| {
            let [p, q] = edge.vertices.map(|vertex| form.vertices()[vertex as usize]);
            (q - p).normalize().dot(&local).abs()
        };
        let edges = form.edges().iter().filter(|edge| edge.vertices.contains(&vertex));
        match edges.min_by(|a, b| lean(a).total_cmp(&lean(b))).filter(|edge| lean(edge) < SQUARE) {
            Some(edge) => region.polygon(edge.vertices.map(place), n, side, None),
            None => region.polygon([place(vertex)], n, side, None),
        }
    }
}

/// The way to a point from the nearest one of a solid cylinder about z; nothing if it is inside. Its parts
/// along and across the axis are each from one difference: it does not lean however short it is.
pub(crate) fn past_cylinder(point: &Vector<3>, radius: f64, half_height: f64) -> Vector<3> {
    let across = portable::hypot(point[0], point[1]);
    let past_side = if across > radius { (across - radius) / across } else { 0.0 };
    let past_cap = (point[2].abs() - half_height).max(0.0).copysign(point[2]);
    Vector::<3>::new(point[0] * past_side, point[1] * past_side, past_cap)
}
