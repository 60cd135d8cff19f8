//! Everything that can lie in a hollow disk or a hollow cylinder. The outside of a hollow shape touches nothing.

use drystone_math::{Pose, Vector};

use crate::half_space::last_axis;
use crate::search::largest_on_circle;
use crate::{Polytope, Shape, feature};

/// A hollow shape about the last axis and one body in it, in the axes of the hollow.
struct Inside<'a, const D: usize, F: FnMut(u64, Vector<D>, Vector<D>, f64)> {
    radius: f64,
    half_height: f64,
    wall: &'a Pose<D>,
    alert: f64,
    emit: F,
}

/// The distance from the axis is convex: over a body it is largest at vertices, ends and rims, and where its edges leave
/// the tube.
pub(crate) fn touch<const D: usize>(
    (shape, pose): (&Shape<D>, &Pose<D>),
    (radius, half_height, wall): (f64, f64, &Pose<D>),
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    let turned = wall.rotation().transpose();
    let rotation = turned * pose.rotation();
    let place = turned * (pose.position - wall.position);
    let at = |local: &Vector<D>| place + rotation * local;
    let mut inside = Inside { radius, half_height, wall, alert, emit };
    match shape {
        Shape::Ball { radius } => inside.ball(0, &place, *radius),
        Shape::Point => inside.ball(0, &place, 0.0),
        Shape::Capsule { half_length, radius } => {
            let end = last_axis() * *half_length;
            let ends = [at(&-end), at(&end)];
            inside.ball(0, &ends[0], *radius);
            inside.ball(1, &ends[1], *radius);
            inside.leaving(0, ends, *radius);
        }
        Shape::Polytope(form) => inside.polytope(form, 0.0, &at),
        Shape::Rounded { core, radius } => inside.polytope(core, *radius, &at),
        Shape::Cylinder { radius, half_height } => inside.cylinder(*radius, *half_height, &place, &rotation),
        Shape::Surface(surface) if surface.is_closed() => {
            for corner in &surface.corners {
                inside.point(
                    feature::vertex(0, corner.vertex),
                    &at(&surface.vertices[corner.vertex as usize]),
                    0.0,
                );
            }
        }
        Shape::HalfSpace | Shape::Hollow { .. } | Shape::Surface(_) => {}
    }
}

impl<const D: usize, F: FnMut(u64, Vector<D>, Vector<D>, f64)> Inside<'_, D, F> {
    /// What is left of a vector square to the axis; all of it in the plane.
    fn across(&self, place: &Vector<D>) -> Vector<D> {
        let mut across = *place;
        if D == 3 {
            across[D - 1] = 0.0;
        }
        across
    }

    fn is_between_ends(&self, place: &Vector<D>) -> bool {
        D == 2 || place[D - 1].abs() <= self.half_height
    }

    fn report(&mut self, name: u64, place: &Vector<D>, outward: &Vector<D>, radius: f64, gap: f64) {
        // what is out by half the radius was never inside
        if gap <= self.alert && gap >= -0.5 * self.radius {
            let point = self.wall.to_world(&(place + outward * (radius + 0.5 * gap)));
            (self.emit)(name, point, -(self.wall.rotation() * outward), gap);
        }
    }

    /// A point grown by a radius.
    fn point(&mut self, name: u64, place: &Vector<D>, radius: f64) {
        if !self.is_between_ends(place) {
            return;
        }
        let across = self.across(place);
        let distance = across.norm();
        // on the axis all ways out are as good
        let outward = if distance > 0.0 {
            across / distance
        } else {
            Vector::from_fn(|row, _| if row == 0 { 1.0 } else { 0.0 })
        };
        self.report(name, place, &outward, radius, self.radius - distance - radius);
    }

    /// A ball: beyond the ends of the tube it can still touch the rim.
    fn ball(&mut self, index: u32, place: &Vector<D>, radius: f64) {
        let name = feature::vertex(0, index);
        if self.is_between_ends(place) {
            return self.point(name, place, radius);
        }
        let across = self.across(place);
        let distance = across.norm();
        if distance == 0.0 || distance >= self.radius {
            return;
        }
        let rim = across * (self.radius / distance) + last_axis() * self.half_height.copysign(place[D - 1]);
        let between = rim - place;
        let length = between.norm();
        self.report(name, place, &(between / length), radius, length - radius);
    }

    /// Where a segment leaves the tube through one of its ends.
    fn leaving(&mut self, edge: u32, [p, q]: [Vector<D>; 2], radius: f64) {
        if D == 2 {
            return;
        }
        for (end, z) in [(0, -self.half_height), (1, self.half_height)] {
            let (below, above) = (p[D - 1] - z, q[D - 1] - z);
            if (below < 0.0) != (above < 0.0) {
                let mut place = p + (q - p) * (below / (below - above));
                place[D - 1] = z;
                self.point(feature::crossing(edge, end), &place, radius);
            }
        }
    }

    fn polytope(&mut self, form: &Polytope<D>, radius: f64, at: &impl Fn(&Vector<D>) -> Vector<D>) {
        for (index, vertex) in (0..).zip(form.vertices()) {
            self.point(feature::vertex(0, index), &at(vertex), radius);
        }
        for (index, edge) in (0..).zip(form.edges()) {
            self.leaving(index, edge.vertices.map(|vertex| at(&form.vertices()[vertex as usize])), radius);
        }
    }

    /// The points of the two rims farthest from the axis of the tube, and where the sides there leave it.
    fn cylinder(
        &mut self,
        radius: f64,
        half_height: f64,
        place: &Vector<D>,
        rotation: &drystone_math::Matrix<D, D>,
    ) {
        let three = |v: &Vector<D>| Vector::<3>::from_fn(|row, _| if row < D { v[row] } else { 0.0 });
        let own = rotation.column(D - 1).into_owned();
        let axis = three(&own);
        for (cap, z) in [(0, -half_height), (1, half_height)] {
            let centre = place + own * z;
            let far = |n: &Vector<3>| (three(&centre) + n * radius).xy().norm_squared();
            for (rank, n) in (0..).zip(largest_on_circle(&axis, &far)) {
                let arm = Vector::<D>::from_fn(|row, _| n[row]) * radius;
                self.point(feature::vertex(0, feature::rim(cap, rank)), &(centre + arm), 0.0);
                let opposite = centre + arm - own * (2.0 * z);
                self.leaving(feature::rim(cap, rank), [centre + arm, opposite], 0.0);
            }
        }
    }
}
