//! Volume, centroid and inertia of shapes at unit density. Walls and points have none; masses belong to other
//! crates.

use drystone_math::{Matrix, Vector};

use crate::moments::Moments;
use crate::{Polytope, Shape, Surface, mass_rounded};

/// What a shape weighs at unit density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties<const D: usize> {
    /// Volume \[m³\], area \[m²\] in the plane.
    pub volume: f64,
    /// Centroid, in the axes of the shape \[m\].
    pub centroid: Vector<D>,
    /// Inertia about the centroid in the axes of the shape \[m⁵\]; in the plane only `(2, 2)` is filled
    /// \[m⁴\].
    pub inertia: Matrix<3, 3>,
}

impl<const D: usize> Shape<D> {
    /// Volume, centroid and inertia, exact up to rounding; none for a point, a half-space, a hollow shape or
    /// an open surface, nor
    /// for a skin, whose body has its mass in its elements.
    pub fn mass_properties(&self) -> Option<MassProperties<D>> {
        match self {
            Shape::Ball { radius } => Some(round(*radius, 0.0)),
            Shape::Capsule { half_length, radius } => Some(round(*radius, 2.0 * half_length)),
            Shape::Polytope(polytope) => Some(polytope.mass_properties()),
            Shape::Rounded { core, radius } => Some(mass_rounded::properties(core, *radius)),
            Shape::Cylinder { radius, half_height } => Some(cylinder(*radius, *half_height)),
            Shape::Surface(surface) => surface.mass_properties(),
            Shape::Point | Shape::HalfSpace | Shape::Hollow { .. } | Shape::Skin(_) => None,
        }
    }
}

/// A ball or a capsule whose core has this length along the last axis.
fn round<const D: usize>(r: f64, length: f64) -> MassProperties<D> {
    use std::f64::consts::PI;
    let mut inertia = Matrix::<3, 3>::zeros();
    let half = 0.5 * length;
    let volume = if D == 2 {
        let (middle, caps) = (2.0 * r * length, PI * r * r);
        inertia[(2, 2)] = middle * (length * length + 4.0 * r * r) / 12.0
            + caps * (0.5 * r * r + half * half)
            + 4.0 / 3.0 * length * r.powi(3);
        middle + caps
    } else {
        let (middle, caps) = (PI * r * r * length, 4.0 / 3.0 * PI * r.powi(3));
        let across = middle * (0.25 * r * r + length * length / 12.0)
            + caps * (0.4 * r * r + half * half + 0.375 * length * r);
        let along = middle * 0.5 * r * r + caps * 0.4 * r * r;
        inertia.set_diagonal(&[across, across, along].into());
        middle + caps
    };
    MassProperties { volume, centroid: Vector::zeros(), inertia }
}

fn cylinder<const D: usize>(radius: f64, half_height: f64) -> MassProperties<D> {
    let volume = std::f64::consts::TAU * radius * radius * half_height;
    let across = volume * (0.25 * radius * radius + half_height * half_height / 3.0);
    let mut inertia = Matrix::<3, 3>::zeros();
    inertia.set_diagonal(&[across, across, 0.5 * volume * radius * radius].into());
    MassProperties { volume, centroid: Vector::zeros(), inertia }
}

impl<const D: usize> Polytope<D> {
    /// Volume, centroid and inertia, exact up to rounding.
    pub fn mass_properties(&self) -> MassProperties<D> {
        let middle = self.middle();
        self.moments(&middle).properties(&middle)
    }

    /// Mean of the vertices.
    pub fn middle(&self) -> Vector<D> {
        self.vertices.iter().sum::<Vector<D>>() / self.vertices.len() as f64
    }

    /// Moments about `apex`: cones from it to a fan of each face, so that nothing is lost far from the
    /// origin.
    pub fn moments(&self, apex: &Vector<D>) -> Moments<D> {
        let mut moments = Moments::none();
        for face in &self.faces {
            for k in 1..face.vertices.len() + 2 - D {
                let ranks = [0, k, k + 1];
                moments
                    .add_cone(&Matrix::from_fn(|row, column| (self.corner(face, ranks[column]) - apex)[row]));
            }
        }
        moments
    }
}

impl<const D: usize> Surface<D> {
    /// Volume, centroid and inertia of what a closed surface encloses; none for an open one.
    pub fn mass_properties(&self) -> Option<MassProperties<D>> {
        if !self.is_closed() {
            return None;
        }
        let middle = self.vertices.iter().sum::<Vector<D>>() / self.vertices.len() as f64;
        let mut moments = Moments::none();
        for piece in &self.pieces {
            moments.add_cone(&Matrix::from_fn(|row, column| (self.corner(piece, column) - middle)[row]));
        }
        Some(moments.properties(&middle))
    }
}
