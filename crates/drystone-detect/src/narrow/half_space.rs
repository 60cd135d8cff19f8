//! Everything that can lie on a half-space. Walls do not: they hold no other pair.

use drystone_math::{Pose, Vector, portable};

use crate::narrow::feature;
use crate::narrow::region::LEVEL;
use crate::narrow::solid::RIM_POINTS;
use drystone_geometry::Shape;

/// Tilt of a cylinder's cap, as a sine, beyond which only the lowest point of its rim can touch.
const UPRIGHT: f64 = 0.1;

/// Contacts of a body with a half-space.
pub(crate) fn touch<const D: usize>(
    body: (&Shape<D>, &Pose<D>),
    floor: &Pose<D>,
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    above(body, &up(floor), &floor.position, alert, emit);
}

/// Every point of a body that is lowest in some direction and near enough is a contact: vertices, ends,
/// points of rims.
pub(crate) fn above<const D: usize>(
    (shape, pose): (&Shape<D>, &Pose<D>),
    normal: &Vector<D>,
    origin: &Vector<D>,
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    let rotation = pose.rotation();
    let height = normal.dot(&(pose.position - origin));
    let direction = rotation.transpose() * normal;
    let mut vertex = |index: u32, local: &Vector<D>, radius: f64| {
        let gap = height + direction.dot(local) - radius;
        if gap <= alert {
            let point = pose.position + rotation * local - normal * (radius + 0.5 * gap);
            emit(feature::vertex(0, index), point, *normal, gap);
        }
    };
    match shape {
        Shape::Ball { radius } => vertex(0, &Vector::zeros(), *radius),
        Shape::Point => vertex(0, &Vector::zeros(), 0.0),
        Shape::Capsule { half_length, radius } => {
            let end = last_axis() * *half_length;
            vertex(0, &-end, *radius);
            vertex(1, &end, *radius);
        }
        Shape::Polytope(form) => {
            (0..).zip(form.vertices()).for_each(|(index, local)| vertex(index, local, 0.0));
        }
        Shape::Rounded { core, radius } => {
            (0..).zip(core.vertices()).for_each(|(index, local)| vertex(index, local, *radius));
        }
        Shape::Cylinder { radius, half_height } => {
            rims(&direction, *radius, *half_height, &mut |index, local| vertex(index, local, 0.0));
        }
        Shape::Surface(surface) if surface.is_closed() => {
            for corner in surface.corners() {
                vertex(corner.vertex, &surface.vertices()[corner.vertex as usize], 0.0);
            }
        }
        Shape::HalfSpace | Shape::Hollow { .. } | Shape::Surface(_) | Shape::Skin(_) => {}
    }
}

/// The points of the rims of a cylinder about the last axis that can be lowest against `direction`: the
/// lowest of each rim, and of a cap that is nearly level the points that stand for its circle.
pub(crate) fn rims<const D: usize>(
    direction: &Vector<D>,
    radius: f64,
    half_height: f64,
    visit: &mut impl FnMut(u32, &Vector<D>),
) {
    let mut across = *direction;
    across[D - 1] = 0.0;
    let slope = across.norm();
    for (cap, z) in [(0, -half_height), (1, half_height)] {
        let centre = last_axis() * z;
        if slope > LEVEL {
            visit(feature::rim(cap, RIM_POINTS), &(centre - across * (radius / slope)));
        }
        // the cap that looks away from the plane has its points above the whole cylinder
        if slope < UPRIGHT && z * direction[D - 1] < 0.0 {
            for k in 0..RIM_POINTS {
                let (sine, cosine) =
                    portable::sin_cos(f64::from(k) * std::f64::consts::TAU / f64::from(RIM_POINTS));
                let arm = [radius * cosine, radius * sine];
                visit(
                    feature::rim(cap, k),
                    &Vector::from_fn(|row, _| if row + 1 < D { arm[row % 2] } else { z }),
                );
            }
        }
    }
}

/// Outward normal of a half-space: the last of its axes.
pub(crate) fn up<const D: usize>(floor: &Pose<D>) -> Vector<D> {
    floor.rotation().column(D - 1).into_owned()
}

/// The last axis itself.
pub(crate) fn last_axis<const D: usize>() -> Vector<D> {
    Vector::from_fn(|row, _| if row == D - 1 { 1.0 } else { 0.0 })
}
