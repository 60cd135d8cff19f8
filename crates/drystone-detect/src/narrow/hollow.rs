//! Everything that can lie in a hollow disk or a hollow cylinder. The outside of a hollow shape touches
//! nothing.

use drystone_math::{Pose, Vector};

use crate::narrow::feature;
use crate::narrow::half_space::last_axis;
use crate::narrow::search::{largest_on_circle, root};
use drystone_geometry::{Polytope, Shape};

/// A hollow shape about the last axis and one body in it, in the axes of the hollow.
struct Inside<'a, const D: usize, F: FnMut(u64, Vector<D>, Vector<D>, f64)> {
    radius: f64,
    half_height: f64,
    wall: &'a Pose<D>,
    alert: f64,
    emit: F,
}

/// The distance from the axis is convex: over a body it is largest at vertices, ends and rims, and where its
/// edges leave the tube.
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
            inside.leaving(0, &ends, *radius);
        }
        Shape::Polytope(form) => inside.polytope(form, 0.0, &at),
        Shape::Rounded { core, radius } => inside.polytope(core, *radius, &at),
        Shape::Cylinder { radius, half_height } => inside.cylinder(*radius, *half_height, &place, &rotation),
        Shape::Surface(surface) if surface.is_closed() => {
            for corner in surface.corners() {
                inside.point(
                    feature::vertex(0, corner.vertex),
                    &at(&surface.vertices()[corner.vertex as usize]),
                    0.0,
                );
            }
        }
        Shape::HalfSpace | Shape::Hollow { .. } | Shape::Surface(_) | Shape::Skin(_) => {}
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
        // a sharp corner beyond the end touches nothing
        if radius > 0.0 {
            self.on_rim(name, place, radius);
        }
    }

    /// A point beyond the end of the tube, grown by a radius, against the rim.
    fn on_rim(&mut self, name: u64, place: &Vector<D>, radius: f64) {
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

    /// Where a segment grown by a radius leaves the tube through one of its ends, or passes its rim beyond.
    fn leaving(&mut self, edge: u32, ends: &[Vector<D>; 2], radius: f64) {
        if D == 2 {
            return;
        }
        for (end, z) in [(0, -self.half_height), (1, self.half_height)] {
            let [below, above] = ends.map(|place| place[D - 1] - z);
            let name = feature::crossing(edge, end);
            if (below < 0.0) == (above < 0.0) {
                if below * z > 0.0 && radius > 0.0 {
                    self.past_rim(&ends[0], &ends[1], z).inspect(|past| self.on_rim(name, past, radius));
                }
                continue;
            }
            let mut place = ends[0] + (ends[1] - ends[0]) * (below / (below - above));
            place[D - 1] = z;
            let out = ends[usize::from(above * z > 0.0)];
            let is_inside = radius > 0.0 && self.across(&place).norm() < self.radius;
            match self.past_rim(&place, &out, z).filter(|_| is_inside) {
                Some(past) => self.on_rim(name, &past, radius),
                None => self.point(name, &place, radius),
            }
        }
    }

    /// The point nearest to the rim at the height `z` of a segment that is all beyond it, if that is neither
    /// of its ends.
    fn past_rim(&self, from: &Vector<D>, to: &Vector<D>, z: f64) -> Option<Vector<D>> {
        let along = to - from;
        // half the slope of the square of the distance
        let slope = |t: f64| {
            let place = from + along * t;
            let across = self.across(&place);
            let distance = across.norm();
            let outward = if distance > 0.0 { across.dot(&along) / distance } else { 0.0 };
            (place[D - 1] - z) * along[D - 1] - (self.radius - distance) * outward
        };
        let (first, last) = (slope(0.0), slope(1.0));
        let nearest = (first < 0.0 && last > 0.0).then(|| root(&slope, (0.0, first), (1.0, last)));
        nearest.map(|t| from + along * t)
    }

    fn polytope(&mut self, form: &Polytope<D>, radius: f64, at: &impl Fn(&Vector<D>) -> Vector<D>) {
        for (index, vertex) in (0..).zip(form.vertices()) {
            self.ball(index, &at(vertex), radius);
        }
        for (index, edge) in (0..).zip(form.edges()) {
            let ends = edge.vertices.map(|vertex| at(&form.vertices()[vertex as usize]));
            self.leaving(index, &ends, radius);
        }
    }

    /// The points of the two rims farthest from the axis of the tube, and those of the sections where the
    /// tube ends.
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
        let arm = |n: &Vector<3>| Vector::<D>::from_fn(|row, _| n[row]) * radius;
        for (cap, z) in [(0, -half_height), (1, half_height)] {
            let centre = place + own * z;
            let far = |n: &Vector<3>| self.across(&(centre + arm(n))).norm_squared();
            for (rank, n) in (0..).zip(largest_on_circle(&axis, &far)) {
                self.point(feature::vertex(0, feature::rim(cap, rank)), &(centre + arm(&n)), 0.0);
            }
        }
        for (end, z) in [(0, -self.half_height), (1, self.half_height)] {
            // where the line along the side through the rim at `n` meets the plane of the end
            let meet = |n: &Vector<3>| {
                let start = place + arm(n);
                let along = (z - start[D - 1]) / own[D - 1];
                (start + own * along, along)
            };
            if own[D - 1].abs() > 1e-9 {
                let far = |n: &Vector<3>| self.across(&meet(n).0).norm_squared();
                for (rank, n) in (0..).zip(largest_on_circle(&axis, &far)) {
                    let (mut section, along) = meet(&n);
                    section[D - 1] = z;
                    if along.abs() <= half_height {
                        self.point(feature::crossing(feature::rim(2, rank), end), &section, 0.0);
                    }
                }
            }
            for (cap, height) in [(0, -half_height), (1, half_height)] {
                for (rank, mut section) in (0..).zip(self.rim_at(&(place + own * height), &own, radius, z)) {
                    section[D - 1] = z;
                    self.point(feature::crossing(feature::rim(cap, rank), end), &section, 0.0);
                }
            }
        }
    }

    /// Where a circle about a unit axis passes a height.
    fn rim_at(
        &self,
        centre: &Vector<D>,
        axis: &Vector<D>,
        radius: f64,
        z: f64,
    ) -> impl Iterator<Item = Vector<D>> + use<D, F> {
        // the way up in the plane of the circle, and the level one square to it
        let level = Vector::<D>::from_fn(|row, _| [-axis[1], axis[0], 0.0][row]).try_normalize(1e-12);
        let up = last_axis() - axis * axis[D - 1];
        let steep = up.norm();
        let rise = (z - centre[D - 1]) / steep;
        let half = ((radius - rise) * (radius + rise)).max(0.0).sqrt();
        let ends = level.filter(|_| rise.abs() <= radius);
        let middle = centre + up * (rise / steep);
        ends.into_iter().flat_map(move |level| [middle - level * half, middle + level * half])
    }
}
