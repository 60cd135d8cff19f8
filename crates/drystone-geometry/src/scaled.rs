//! Shapes that are larger or smaller by a factor, with the features they had. Judges no factor.

use crate::{Contactor, Polytope, Shape, Surface, polytope::measure, surface_build};
use drystone_math::Pose;
use std::sync::Arc;

impl<const D: usize> Shape<D> {
    /// The same shape, all lengths times a factor, about the origin of its axes; none for shapes without a
    /// size of their own (half-spaces, points) and boundaries of deformable bodies.
    pub fn scaled(&self, factor: f64) -> Option<Self> {
        Some(match self {
            Shape::Ball { radius } => Shape::Ball { radius: radius * factor },
            Shape::Polytope(polytope) => Shape::Polytope(Arc::new(polytope.scaled(factor))),
            Shape::Capsule { half_length, radius } => {
                Shape::Capsule { half_length: half_length * factor, radius: radius * factor }
            }
            Shape::Rounded { core, radius } => {
                Shape::Rounded { core: Arc::new(core.scaled(factor)), radius: radius * factor }
            }
            Shape::Cylinder { radius, half_height } => {
                Shape::Cylinder { radius: radius * factor, half_height: half_height * factor }
            }
            Shape::Hollow { radius, half_height } => {
                Shape::Hollow { radius: radius * factor, half_height: half_height * factor }
            }
            Shape::Surface(surface) => Shape::Surface(Arc::new(surface.scaled(factor))),
            Shape::HalfSpace | Shape::Point | Shape::Skin(_) => return None,
        })
    }
}

impl<const D: usize> Contactor<D> {
    /// The same contactor, all lengths times a factor, about the origin of the body's frame; none where its
    /// shape cannot be scaled.
    pub fn scaled(&self, factor: f64) -> Option<Self> {
        let local = Pose { position: self.local.position * factor, ..self.local };
        Some(Self { body: self.body, shape: self.shape.scaled(factor)?, local })
    }
}

impl<const D: usize> Polytope<D> {
    /// The same shape, all lengths times a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let vertices = self.vertices.iter().map(|vertex| vertex * factor).collect();
        let mut scaled = Self::assemble(vertices, self.faces.clone(), self.edges.clone());
        scaled.neighbours = self.neighbours.clone();
        for other in &mut scaled.neighbours {
            other.vertices.iter_mut().for_each(|vertex| *vertex *= factor);
            other.planes.iter_mut().for_each(|(_, height)| *height *= factor);
            other.solid *= factor;
        }
        scaled
    }
}

impl<const D: usize> Surface<D> {
    /// The same surface, all lengths times a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let vertices: Vec<_> = self.vertices.iter().map(|vertex| vertex * factor).collect();
        let (bounding_radius, size) = measure(&vertices);
        let tree = surface_build::tree(&vertices, &self.pieces);
        Self { vertices, bounding_radius, size, tree, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::Vector;

    /// Volume and inertia of a scaled shape are those of the shape times powers of the factor.
    #[test]
    fn volume_and_inertia_follow_the_factor() {
        let corners = [[0.0, 0.0], [2.0, 0.1], [1.7, 1.1], [0.3, 0.9]].map(Vector::<2>::from);
        let shapes = [
            Shape::<2>::ball(0.3).unwrap(),
            Polytope::polygon(corners.to_vec()).unwrap().into(),
            Shape::capsule(0.4, 0.1).unwrap(),
        ];
        for shape in shapes {
            let (before, after) =
                (shape.mass_properties().unwrap(), shape.scaled(1.5).unwrap().mass_properties().unwrap());
            assert!((after.volume - 2.25 * before.volume).abs() < 1e-12 * after.volume);
            assert!((after.centroid - before.centroid * 1.5).norm() < 1e-12);
            assert!(
                (shape.scaled(1.5).unwrap().bounding_radius() - 1.5 * shape.bounding_radius()).abs() < 1e-12
            );
        }
        assert!(Shape::<2>::HalfSpace.scaled(2.0).is_none());
    }
}
