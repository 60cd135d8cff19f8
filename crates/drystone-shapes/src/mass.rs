//! Volume, centroid and inertia of shapes at unit density. Half-spaces have none; masses belong to other crates.

use drystone_math::{Matrix, Vector};

use crate::{Polytope, Shape};

/// What a shape weighs at unit density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties<const D: usize> {
    /// Volume \[m³\], area \[m²\] in the plane.
    pub volume: f64,
    /// Centroid, in the axes of the shape \[m\].
    pub centroid: Vector<D>,
    /// Inertia about the centroid in the axes of the shape \[m⁵\]; in the plane only `(2, 2)` is filled \[m⁴\].
    pub inertia: Matrix<3, 3>,
}

impl<const D: usize> Shape<D> {
    /// Volume, centroid and inertia; none for a half-space.
    pub fn mass_properties(&self) -> Option<MassProperties<D>> {
        match self {
            Shape::Ball { radius } => Some(ball(*radius)),
            Shape::HalfSpace => None,
            Shape::Polytope(polytope) => Some(polytope.mass_properties()),
        }
    }
}

fn ball<const D: usize>(radius: f64) -> MassProperties<D> {
    use std::f64::consts::PI;
    let mut inertia = Matrix::<3, 3>::zeros();
    let volume = if D == 2 { PI * radius.powi(2) } else { 4.0 / 3.0 * PI * radius.powi(3) };
    if D == 2 {
        inertia[(2, 2)] = 0.5 * volume * radius * radius;
    } else {
        inertia.fill_diagonal(0.4 * volume * radius * radius);
    }
    MassProperties { volume, centroid: Vector::zeros(), inertia }
}

impl<const D: usize> Polytope<D> {
    /// Volume, centroid and inertia, exact up to rounding.
    ///
    /// The shape is cut into simplices from the mean of its vertices, so that nothing is lost far from the origin.
    /// Over a simplex with corners `0, p_1 … p_D` of volume `V`: `∫x = V Σp / (D+1)` and
    /// `∫x xᵀ = V (Σp Σpᵀ + Σ p pᵀ) / ((D+1)(D+2))`.
    pub fn mass_properties(&self) -> MassProperties<D> {
        let middle = self.vertices.iter().sum::<Vector<D>>() / self.vertices.len() as f64;
        let degree = D as f64;
        let mut volume = 0.0;
        let mut first = Vector::<D>::zeros();
        let mut second = Matrix::<D, D>::zeros();
        self.for_each_simplex(&middle, |corners| {
            let part = corners.determinant_by_expansion() / if D == 2 { 2.0 } else { 6.0 };
            let sum = corners.column_sum();
            volume += part;
            first += sum * (part / (degree + 1.0));
            second += (sum * sum.transpose() + corners * corners.transpose())
                * (part / ((degree + 1.0) * (degree + 2.0)));
        });
        let offset = first / volume;
        second -= offset * offset.transpose() * volume;
        let mut inertia = Matrix::<3, 3>::zeros();
        let trace = second.trace();
        if D == 2 {
            inertia[(2, 2)] = trace;
        } else {
            inertia = Matrix::from_fn(|i, j| if i == j { trace } else { 0.0 } - second[(i, j)]);
        }
        MassProperties { volume, centroid: middle + offset, inertia }
    }

    /// Calls `visit` with the corners, one per column, of simplices from `apex` to a fan of each face.
    fn for_each_simplex(&self, apex: &Vector<D>, mut visit: impl FnMut(&Matrix<D, D>)) {
        for face in &self.faces {
            for k in 1..face.vertices.len() + 2 - D {
                let ranks = [0, k, k + 1];
                let corners = Matrix::from_fn(|row, column| (self.corner(face, ranks[column]) - apex)[row]);
                visit(&corners);
            }
        }
    }
}

/// Determinant without pivoting for any `D` up to 3, since the library asks for bounds that `D` does not carry.
trait Determinant {
    fn determinant_by_expansion(&self) -> f64;
}

impl<const D: usize> Determinant for Matrix<D, D> {
    fn determinant_by_expansion(&self) -> f64 {
        let m = |i: usize, j: usize| self[(i, j)];
        if D == 2 {
            return m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
        }
        m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) - m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0))
            + m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0))
    }
}
