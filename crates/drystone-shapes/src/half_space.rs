//! Polytopes on half-spaces. It holds no other pair.

use drystone_math::{Pose, Vector};

use crate::{Polytope, feature};

/// Every vertex near enough is a contact.
pub(crate) fn polytope<const D: usize>(
    (form, pose): (&Polytope<D>, &Pose<D>),
    floor: &Pose<D>,
    alert: f64,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    let normal = up(floor);
    let rotation = pose.rotation();
    let height = normal.dot(&(pose.position - floor.position));
    let direction = rotation.transpose() * normal;
    for (index, vertex) in form.vertices.iter().enumerate() {
        let gap = height + direction.dot(vertex);
        if gap <= alert {
            let point = pose.position + rotation * vertex - normal * (0.5 * gap);
            emit(feature::vertex(0, index as u32), point, normal, gap);
        }
    }
}

/// Outward normal of a half-space: the last of its axes.
pub(crate) fn up<const D: usize>(floor: &Pose<D>) -> Vector<D> {
    floor.rotation().column(D - 1).into_owned()
}
