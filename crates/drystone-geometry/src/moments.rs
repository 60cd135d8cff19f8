//! Moments of region after region, summed about the origin. It knows no shape: what is summed is `mass`'s
//! matter.

use drystone_math::{Matrix, Vector};

use crate::MassProperties;

/// `∫ 1`, `∫ x` and `∫ x xᵀ` over a region.
#[derive(Clone, Copy)]
pub struct Moments<const D: usize> {
    pub volume: f64,
    pub first: Vector<D>,
    pub second: Matrix<D, D>,
}

impl<const D: usize> Moments<D> {
    pub fn none() -> Self {
        Self { volume: 0.0, first: Vector::zeros(), second: Matrix::zeros() }
    }

    /// A simplex from the origin to the columns of `corners`. Over a simplex with corners `0, p_1 … p_D` of
    /// volume `V`: `∫x = V Σp / (D+1)` and `∫x xᵀ = V (Σp Σpᵀ + Σ p pᵀ) / ((D+1)(D+2))`.
    pub fn add_cone(&mut self, corners: &Matrix<D, D>) {
        let degree = D as f64;
        let part = determinant(corners) / if D == 2 { 2.0 } else { 6.0 };
        let sum = corners.column_sum();
        self.volume += part;
        self.first += sum * (part / (degree + 1.0));
        self.second += (sum * sum.transpose() + corners * corners.transpose())
            * (part / ((degree + 1.0) * (degree + 2.0)));
    }

    /// A region whose moments are known about `place`.
    pub fn add_at(&mut self, place: &Vector<D>, part: &Self) {
        let cross = place * part.first.transpose();
        self.volume += part.volume;
        self.first += part.first + place * part.volume;
        self.second += part.second + cross + cross.transpose() + place * place.transpose() * part.volume;
    }

    /// Volume, centroid and inertia about the centroid, of moments taken about `origin`.
    pub fn properties(&self, origin: &Vector<D>) -> MassProperties<D> {
        let offset = self.first / self.volume;
        let second = self.second - offset * offset.transpose() * self.volume;
        let mut inertia = Matrix::<3, 3>::zeros();
        let trace = second.trace();
        if D == 2 {
            inertia[(2, 2)] = trace;
        } else {
            inertia = Matrix::from_fn(|i, j| if i == j { trace } else { 0.0 } - second[(i, j)]);
        }
        MassProperties { volume: self.volume, centroid: origin + offset, inertia }
    }
}

/// Determinant without pivoting for any `D` up to 3, since the library asks for bounds that `D` does not
/// carry.
fn determinant<const D: usize>(matrix: &Matrix<D, D>) -> f64 {
    let m = |i: usize, j: usize| matrix[(i, j)];
    if D == 2 {
        return m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
    }
    m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) - m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0))
        + m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0))
}
