//! Plane stress: the strain across the plane is sought that leaves no stress there, whatever the law.

use super::{FiniteLaw, FiniteResponse, LawFailure, PointHistory, SmallLaw, SmallResponse};
use crate::tensor::{Tensor, Voigt};

/// Iterations before a point gives up; linear laws take one, plastic ones a few.
const MOST_ITERATIONS: usize = 60;

/// Largest stress across the plane, relative to the others.
const TOLERANCE: f64 = 1e-13;

const FAILED: LawFailure = LawFailure::NoState("no thickness leaves the plane free of stress");

/// The answer with σ_zz = 0, its tangent condensed, and the strain ε_zz that belongs to it.
pub(crate) fn small_plane_stress(
    law: &dyn SmallLaw,
    strain: &Voigt,
    temperature: f64,
    old: &PointHistory,
) -> Result<(SmallResponse, f64), LawFailure> {
    let mut full = *strain;
    full[2] = 0.0;
    let mut last = f64::INFINITY;
    for _ in 0..MOST_ITERATIONS {
        let mut answer = law.respond(&full, temperature, old)?;
        let stiff = answer.tangent[2][2];
        let size = answer.stress.iter().fold(0.0f64, |size, s| size.max(s.abs()))
            + stiff * full.iter().fold(0.0f64, |size, e| size.max(e.abs()));
        let off = answer.stress[2].abs();
        // rounding may leave it a little above; then it does not fall any more
        if off <= TOLERANCE * size || off <= 1e-9 * size && off >= last {
            let row = answer.tangent[2];
            for i in 0..6 {
                let factor = answer.tangent[i][2] / stiff;
                (0..6).for_each(|j| answer.tangent[i][j] -= factor * row[j]);
            }
            (0..6).for_each(|i| (answer.tangent[i][2], answer.tangent[2][i]) = (0.0, 0.0));
            answer.stress[2] = 0.0;
            return Ok((answer, full[2]));
        }
        last = off;
        full[2] -= answer.stress[2] / stiff;
    }
    Err(FAILED)
}

/// The answer with P_zz = 0, its tangent condensed, and the stretch F_zz that belongs to it.
pub(crate) fn finite_plane_stress(
    law: &dyn FiniteLaw,
    gradient: &Tensor,
    temperature: f64,
    old: &PointHistory,
) -> Result<(FiniteResponse, f64), LawFailure> {
    let mut full = *gradient;
    full[2][2] = 1.0;
    let mut last = f64::INFINITY;
    for _ in 0..MOST_ITERATIONS {
        let mut answer = law.respond(&full, temperature, old)?;
        let stiff = answer.tangent[8][8];
        let size = answer.piola.iter().flatten().fold(0.0f64, |size, s| size.max(s.abs()));
        let strain = (0..9)
            .fold(0.0f64, |most, k| most.max((full[k / 3][k % 3] - f64::from(u8::from(k % 4 == 0))).abs()));
        let (size, off) = (size + stiff.abs() * strain, answer.piola[2][2].abs());
        if off <= TOLERANCE * size || off <= 1e-9 * size && off >= last {
            let row = answer.tangent[8];
            for i in 0..9 {
                let factor = answer.tangent[i][8] / stiff;
                (0..9).for_each(|j| answer.tangent[i][j] -= factor * row[j]);
            }
            (0..9).for_each(|i| (answer.tangent[i][8], answer.tangent[8][i]) = (0.0, 0.0));
            answer.piola[2][2] = 0.0;
            return Ok((answer, full[2][2]));
        }
        last = off;
        // a stretch stays positive
        let next = full[2][2] - answer.piola[2][2] / stiff;
        full[2][2] = if next > 0.2 * full[2][2] { next } else { 0.2 * full[2][2] };
    }
    Err(FAILED)
}
