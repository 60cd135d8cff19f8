//! Balls against balls, capsules and polytopes: one contact at most, whose feature is 0 wherever it moves.

use drystone_math::{Pose, Vector};

use crate::narrow::half_space::{last_axis, up};
use crate::narrow::segment;
use drystone_geometry::Polytope;

/// Distance of the centres less the radii.
pub(crate) fn ball<const D: usize>(
    (a_radius, a): (f64, &Pose<D>),
    (b_radius, b): (f64, &Pose<D>),
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    balls((a_radius, &a.position), (b_radius, &b.position), alert, emit);
}

/// The same for balls given by their centres.
#[inline]
pub(crate) fn balls<const D: usize>(
    (a_radius, a): (f64, &Vector<D>),
    (b_radius, b): (f64, &Vector<D>),
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    // most pairs of the broad phase end here, without a square root
    if !are_near((a_radius, a), (b_radius, b), alert) {
        return;
    }
    let between = a - b;
    let square = between.norm_squared();
    let distance = square.sqrt();
    // coincident centres have no direction: any fixed one will do
    let normal = if distance > 0.0 { between / distance } else { last_axis() };
    let gap = distance - a_radius - b_radius;
    emit(0, b + normal * (b_radius + 0.5 * gap), normal, gap);
}

/// Whether the gap of two balls is at most `alert`.
#[inline]
pub(crate) fn are_near<const D: usize>(
    (a_radius, a): (f64, &Vector<D>),
    (b_radius, b): (f64, &Vector<D>),
    alert: f64,
) -> bool {
    let reach = a_radius + b_radius + alert;
    ((a - b).norm_squared() <= reach * reach) & (reach >= 0.0)
}

/// Distance of the centre from a segment along the last axis, less the radii.
pub(crate) fn segment<const D: usize>(
    (a_radius, a): (f64, &Pose<D>),
    (half_length, b_radius, b): (f64, f64, &Pose<D>),
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    let along = up(b);
    let t = along.dot(&(a.position - b.position)).clamp(-half_length, half_length);
    ball((a_radius, a), (b_radius, &Pose::at(b.position + along * t)), alert, emit);
}

/// Distance of the centre from the nearest point of the polytope, or from the nearest face if it is inside.
pub(crate) fn polytope<const D: usize>(
    (radius, pose): (f64, &Pose<D>),
    (form, grown, place): (&Polytope<D>, f64, &Pose<D>),
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    let rotation = place.rotation();
    let centre = rotation.transpose() * (pose.position - place.position);
    if let Some((normal, distance)) = outward(form, &centre, radius + grown + alert) {
        let normal = rotation * normal;
        let gap = distance - radius - grown;
        emit(0, pose.position - normal * (radius + 0.5 * gap), normal, gap);
    }
}

/// Direction from the nearest point of the surface out to `point`, and the distance, negative inside; nothing
/// when it exceeds `reach`.
fn outward<const D: usize>(form: &Polytope<D>, point: &Vector<D>, reach: f64) -> Option<(Vector<D>, f64)> {
    let mut nearest = None;
    let mut height = f64::NEG_INFINITY;
    for face in form.faces() {
        let above = face.normal.dot(&(point - form.corner(face, 0)));
        // no point of the polytope is nearer than the plane of any face
        if above > reach {
            return None;
        }
        if above > height {
            (nearest, height) = (Some(face), above);
        }
    }
    let face = nearest?;
    let over_face = |(k, side): (usize, &Vector<D>)| side.dot(&(point - form.corner(face, k))) <= 0.0;
    if height <= 0.0 || face.sides.iter().enumerate().all(over_face) {
        return Some((face.normal, height));
    }
    let closest = closest_on_rim(form, point);
    let between = point - closest;
    let distance = between.norm();
    // closer than rounding allows to tell, the direction is that of the face
    let normal = if distance > 1e-12 * form.size() { between / distance } else { face.normal };
    (distance <= reach).then_some((normal, distance))
}

/// Nearest point of the edges of a polyhedron, of the sides of a polygon.
fn closest_on_rim<const D: usize>(form: &Polytope<D>, point: &Vector<D>) -> Vector<D> {
    let mut closest = form.vertices()[0];
    let mut least = f64::INFINITY;
    for index in 0..form.segment_count() {
        let [from, to] = form.segment(index).map(|vertex| form.vertices()[vertex as usize]);
        let candidate = from + (to - from) * segment::parameter(point, &from, &to);
        let square = (point - candidate).norm_squared();
        if square < least {
            (closest, least) = (candidate, square);
        }
    }
    closest
}
