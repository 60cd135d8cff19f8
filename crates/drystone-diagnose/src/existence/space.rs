//! The unknowns of a cone program over self-balanced impulses: coordinates in a basis of the kernel where
//! that is small, the impulses themselves with the equations of balance as constraints where it is not. Knows
//! no cone.

use super::ExistenceError;
use super::balance::Balance;
use drystone_math::nalgebra::DMatrix;

/// Up to so many unknowns the kernel is computed by singular values, exact to rounding. The cost grows with
/// the cube.
const DENSE: usize = 240;

/// Singular values below this, relative to the largest, are zero: rounding in the rows of H leaves 1e-16 to
/// 1e-13, and the softest mode of a thousand grains is far above.
const KERNEL: f64 = 1e-11;

/// Steps of conjugate gradients that bring an almost balanced network to balance.
pub(super) const POLISH: usize = 500;

/// Where networks are sought.
pub(super) enum Space {
    /// `x = Z y`, with an orthonormal basis Z of the kernel.
    Basis(DMatrix<f64>),
    /// `x` itself.
    Whole,
}

impl Space {
    /// The space of a problem; `None` where its kernel holds nothing.
    pub fn new<const D: usize>(balance: &Balance<D>) -> Result<Option<Self>, ExistenceError> {
        let unknowns = balance.unknowns();
        if unknowns == 0 {
            return Ok(None);
        }
        if unknowns > DENSE {
            return Ok(Some(Self::Whole));
        }
        // at least as many rows as columns, so that the singular vectors fill the space
        let mut equations = DMatrix::zeros(balance.equations.len().max(unknowns), unknowns);
        for (row, entries) in balance.equations.iter().enumerate() {
            for &(column, value) in entries {
                equations[(row, column)] = value;
            }
        }
        let decomposition =
            equations.try_svd(false, true, f64::EPSILON, 10_000).ok_or(ExistenceError::Kernel)?;
        let right = decomposition.v_t.ok_or(ExistenceError::Kernel)?;
        let values = &decomposition.singular_values;
        let null: Vec<usize> = (0..values.len()).filter(|&k| values[k] <= KERNEL * values.max()).collect();
        let basis = DMatrix::from_fn(unknowns, null.len(), |row, column| right[(null[column], row)]);
        Ok((!null.is_empty()).then_some(Self::Basis(basis)))
    }

    /// Number of coordinates.
    pub fn dimension<const D: usize>(&self, balance: &Balance<D>) -> usize {
        match self {
            Self::Basis(basis) => basis.ncols(),
            Self::Whole => balance.unknowns(),
        }
    }

    /// An unknown as a row on the coordinates.
    pub fn row(&self, unknown: usize) -> Vec<(usize, f64)> {
        match self {
            Self::Basis(basis) => basis.row(unknown).iter().copied().enumerate().collect(),
            Self::Whole => vec![(unknown, 1.0)],
        }
    }

    /// Constraints that keep the coordinates in the kernel.
    pub fn constraints<'a, const D: usize>(&self, balance: &'a Balance<D>) -> &'a [Vec<(usize, f64)>] {
        match self {
            Self::Basis(_) => &[],
            Self::Whole => &balance.equations,
        }
    }

    /// The impulses of coordinates, in balance to rounding.
    pub fn impulses<const D: usize>(&self, balance: &Balance<D>, y: &[f64]) -> Vec<f64> {
        match self {
            Self::Basis(basis) => {
                (0..basis.nrows()).map(|row| basis.row(row).iter().zip(y).map(|(z, y)| z * y).sum()).collect()
            }
            Self::Whole => polished(balance, y, POLISH),
        }
    }
}

/// The point of the kernel nearest to `x`: the residual of `min ‖x − Bᵀλ‖`, by conjugate gradients (Björck
/// 1996, CGLS).
pub(super) fn polished<const D: usize>(balance: &Balance<D>, x: &[f64], steps: usize) -> Vec<f64> {
    let times = |x: &[f64]| -> Vec<f64> {
        balance.equations.iter().map(|row| row.iter().map(|&(k, b)| b * x[k]).sum()).collect()
    };
    let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    let mut x = x.to_vec();
    let mut gradient = times(&x);
    let mut direction = gradient.clone();
    let mut now = square(&gradient);
    let rounding = f64::EPSILON * f64::EPSILON * square(&x);
    for _ in 0..steps {
        if now <= rounding {
            break;
        }
        balance.effort.count(2.0 * balance.entries() as f64);
        let mut step = vec![0.0; x.len()];
        for (row, lambda) in balance.equations.iter().zip(&direction) {
            row.iter().for_each(|&(k, b)| step[k] += b * lambda);
        }
        let length = now / square(&step);
        if !length.is_finite() {
            break;
        }
        x.iter_mut().zip(&step).for_each(|(x, step)| *x -= length * step);
        gradient = times(&x);
        let next = square(&gradient);
        direction.iter_mut().zip(&gradient).for_each(|(d, g)| *d = g + next / now * *d);
        now = next;
    }
    x
}
