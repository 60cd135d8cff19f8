//! The box of a placed shape. It knows no contact: boxes only tell which shapes may be near each other.

use drystone_math::{Pose, Vector};

use crate::Shape;
use crate::cells::Extent;

/// The box of a shape grown by a margin. A half-space has none: it is kept out of the cells by a box that is not finite.
pub(crate) fn extent<const D: usize>(shape: &Shape<D>, pose: &Pose<D>, margin: f64) -> Extent<D> {
    match shape {
        Shape::Ball { radius } => about(pose, Vector::repeat(radius + margin)),
        Shape::Point => about(pose, Vector::repeat(margin)),
        Shape::HalfSpace => Extent { low: Vector::repeat(f64::NAN), high: Vector::repeat(f64::NAN) },
        Shape::Polytope(form) => around(form.vertices(), pose, margin),
        Shape::Rounded { core, radius } => around(core.vertices(), pose, radius + margin),
        Shape::Surface(surface) => {
            // the box of the box: a million vertices are not turned at every step
            let own = surface.tree.extent();
            let (middle, half) = ((own.low + own.high) * 0.5, (own.high - own.low) * 0.5);
            let rotation = pose.rotation();
            let turned = rotation.abs() * half + Vector::repeat(margin);
            about(&Pose::at(pose.position + rotation * middle), turned)
        }
        Shape::Capsule { half_length, radius } => {
            let axis = pose.rotation().column(D - 1).abs();
            about(pose, axis * *half_length + Vector::repeat(radius + margin))
        }
        Shape::Hollow { radius, .. } if D == 2 => about(pose, Vector::repeat(radius + margin)),
        Shape::Cylinder { radius, half_height } | Shape::Hollow { radius, half_height } => {
            let axis = pose.rotation().column(D - 1).abs();
            let disk = axis.map(|cosine| radius * (1.0 - cosine * cosine).max(0.0).sqrt());
            about(pose, axis * *half_height + disk + Vector::repeat(margin))
        }
    }
}

fn about<const D: usize>(pose: &Pose<D>, half: Vector<D>) -> Extent<D> {
    let half = half + rounding(pose);
    Extent { low: pose.position - half, high: pose.position + half }
}

/// What world coordinates lose far from the origin, where it may be more than a margin.
fn rounding<const D: usize>(pose: &Pose<D>) -> Vector<D> {
    Vector::repeat(4.0 * f64::EPSILON * pose.position.amax())
}

fn around<const D: usize>(vertices: &[Vector<D>], pose: &Pose<D>, margin: f64) -> Extent<D> {
    let rotation = pose.rotation();
    let mut low = Vector::<D>::repeat(f64::INFINITY);
    let mut high = Vector::<D>::repeat(f64::NEG_INFINITY);
    for vertex in vertices {
        let turned = rotation * vertex;
        low = low.inf(&turned);
        high = high.sup(&turned);
    }
    let margin = Vector::<D>::repeat(margin) + rounding(pose);
    Extent { low: pose.position + low - margin, high: pose.position + high + margin }
}
