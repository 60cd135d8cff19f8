//! How thick a shape is along a direction. Places nothing and finds no contact.

use crate::Shape;
use drystone_math::Vector;

impl<const D: usize> Shape<D> {
    /// Distance \[m\] between the two planes across `direction`, a unit vector in the shape's axes, that hold
    /// the shape between them. Infinite for walls that are solid all the way behind their face, 0 for points
    /// and for surfaces, which are nothing but their face.
    pub fn thickness(&self, direction: &Vector<D>) -> f64 {
        // capsules and cylinders lie along the last axis
        let along = direction[D - 1].abs().min(1.0);
        match self {
            Shape::Ball { radius } => 2.0 * radius,
            Shape::Point | Shape::Surface(_) => 0.0,
            Shape::HalfSpace | Shape::Hollow { .. } => f64::INFINITY,
            Shape::Polytope(form) => across(form.vertices(), direction),
            Shape::Rounded { core, radius } => across(core.vertices(), direction) + 2.0 * radius,
            Shape::Skin(skin) => across(skin.vertices(), direction),
            Shape::Capsule { half_length, radius } => 2.0 * (half_length * along + radius),
            Shape::Cylinder { radius, half_height } => {
                2.0 * (half_height * along + radius * (1.0 - along * along).sqrt())
            }
        }
    }
}

fn across<const D: usize>(vertices: &[Vector<D>], direction: &Vector<D>) -> f64 {
    let heights = vertices.iter().map(|vertex| vertex.dot(direction));
    let (low, high) = heights
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| (low.min(height), high.max(height)));
    (high - low).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Polytope;

    #[test]
    fn shapes_are_as_thick_as_they_look() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-14, "{found}");
        let slant = Vector::<3>::new(0.0, 0.6, 0.8);
        near(Shape::<3>::ball(0.1).unwrap().thickness(&slant), 0.2);
        near(Shape::<3>::capsule(2.0, 0.1).unwrap().thickness(&slant), 2.0 * 0.8 + 0.2);
        near(Shape::<3>::cylinder(0.5, 2.0).unwrap().thickness(&slant), 2.0 * 0.8 + 2.0 * 0.5 * 0.6);
        let wall: Shape<2> = Polytope::<2>::rectangle([0.02, 1.0]).unwrap().into();
        near(wall.thickness(&Vector::<2>::new(-1.0, 0.0)), 0.02);
        near(wall.thickness(&Vector::<2>::new(0.6, 0.8)), 0.02 * 0.6 + 0.8);
        assert_eq!(Shape::<2>::Point.thickness(&Vector::<2>::new(1.0, 0.0)), 0.0);
        assert_eq!(Shape::<2>::HalfSpace.thickness(&Vector::<2>::new(0.0, 1.0)), f64::INFINITY);
    }
}
