//! The floating frame: a free body's motion parted into a rigid one and a small deformation, exactly.

use super::{ThetaOperator, dot};
use crate::error::SolidError;
use crate::model::{Kinematics, SolidModel};
use drystone_math::{Vector, rigid_dofs};
use drystone_sparse::{SymmetricBlocks, dots_with_each, subtract_each};

/// Rigid motions G of a body about its centre of mass, their inertia `J = GᵀMG`, and the projection
/// `P = I − G J⁻¹ GᵀM` on what deforms.
///
/// Since `K G = 0` (and `C G = 0` for damping proportional to K), exactly
///
/// `A⁻¹ = G J⁻¹ Gᵀ + P A⁻¹ Pᵀ`
///
/// the first term being the rigid body that contacts know already, the second a compliance beside it
/// (Dubois, Acary, Jean 2018, §3; Shabana 1989).
///
/// Left out: the Coriolis force `2 Ω × v_D` and the centrifugal stretch, of the size `ρ Ω² R² / E`.
#[derive(Clone, Debug)]
pub struct FloatingFrame<const D: usize> {
    /// Columns of G.
    modes: Vec<Vec<f64>>,
    /// Columns of `M G`.
    mass_modes: Vec<Vec<f64>>,
    /// `J⁻¹`, row after row.
    inverse_inertia: Vec<f64>,
    inertia: Vec<f64>,
    centre: Vector<D>,
}

impl<const D: usize> FloatingFrame<D> {
    /// The frame of a body with this mass matrix, its axes those of the mesh.
    pub fn new(model: &SolidModel<D>, mass: &SymmetricBlocks<D>) -> Result<Self, SolidError> {
        if model.kinematics() == Kinematics::Axisymmetric {
            let why =
                "an axisymmetric body cannot turn, so that it has no floating frame; take the world frame";
            return Err(SolidError::Unsupported(why));
        }
        let nodes = model.mesh().nodes();
        let translation = |axis: usize| -> Vec<f64> {
            (0..model.dofs()).map(|dof| if dof % D == axis { 1.0 } else { 0.0 }).collect()
        };
        let along = translation(0);
        let m_along = mass.times(&along);
        let whole = dot(&along, &m_along);
        let moment = nodes.iter().enumerate().fold(Vector::zeros(), |sum, (k, x)| sum + x * m_along[k * D]);
        let centre: Vector<D> = moment / whole;
        let mut modes: Vec<Vec<f64>> = (0..D).map(translation).collect();
        for turn in 0..rigid_dofs(D) - D {
            modes.push(nodes.iter().flat_map(|x| turning::<D>(turn, &(x - centre))).collect());
        }
        let mass_modes: Vec<Vec<f64>> = modes.iter().map(|mode| mass.times(mode)).collect();
        let inertia: Vec<f64> =
            modes.iter().flat_map(|one| mass_modes.iter().map(|other| dot(one, other))).collect();
        let inverse_inertia = inverse(&inertia, modes.len());
        Ok(Self { modes, mass_modes, inverse_inertia, inertia, centre })
    }

    /// Centre of mass in the coordinates of the mesh \[m\].
    pub fn centre(&self) -> &Vector<D> {
        &self.centre
    }

    /// `J = GᵀMG`, row after row: mass \[kg\], then moments of inertia \[kg m²\] about the axes of the mesh.
    pub fn inertia(&self) -> &[f64] {
        &self.inertia
    }

    /// `J⁻¹`, row after row \[1/kg, 1/(kg m²)\].
    pub fn inverse_inertia(&self) -> &[f64] {
        &self.inverse_inertia
    }

    /// Rigid part of velocities, `L v = J⁻¹ GᵀM v`: translation, then turns.
    pub fn rigid_velocity(&self, v: &[f64]) -> Vec<f64> {
        self.over_inertia(&parts(&self.mass_modes, v.as_chunks::<1>().0)).into_flattened()
    }

    /// Change of the rigid velocity by impulses, `J⁻¹ Gᵀ p`.
    pub fn rigid_answer(&self, impulse: &[f64]) -> Vec<f64> {
        self.over_inertia(&parts(&self.modes, impulse.as_chunks::<1>().0)).into_flattened()
    }

    /// Resultant force and moment of impulses, `Gᵀ p`.
    pub fn resultant(&self, impulse: &[f64]) -> Vec<f64> {
        parts(&self.modes, impulse.as_chunks::<1>().0).into_flattened()
    }

    /// Velocities of the nodes in a rigid motion, `G V`.
    pub fn rigid_field(&self, rigid: &[f64]) -> Vec<f64> {
        let of = |dof: usize| self.modes.iter().zip(rigid).fold(0.0, |sum, (mode, v)| sum + v * mode[dof]);
        (0..self.modes[0].len()).map(of).collect()
    }

    /// `P v`: what deforms. Also what keeps rounding from drifting into a rigid motion, once a step.
    pub fn remove_rigid(&self, v: &mut [f64]) {
        self.remove_rigid_abreast(v.as_chunks_mut::<1>().0);
    }

    /// The same of bodies side by side.
    pub fn remove_rigid_abreast<const W: usize>(&self, v: &mut [[f64; W]]) {
        let rigid = self.over_inertia(&parts(&self.mass_modes, v));
        subtract_each(v, &slices(&self.modes), &rigid);
    }

    /// `Pᵀ p`: impulses less those that move the body as a whole.
    pub fn remove_resultant(&self, impulse: &mut [f64]) {
        self.remove_resultant_abreast(impulse.as_chunks_mut::<1>().0);
    }

    /// The same of bodies side by side.
    pub fn remove_resultant_abreast<const W: usize>(&self, impulse: &mut [[f64; W]]) {
        let rigid = self.over_inertia(&parts(&self.modes, impulse));
        subtract_each(impulse, &slices(&self.mass_modes), &rigid);
    }

    /// `P A⁻¹ Pᵀ p` of one or several impulses, one after the other, in place: how the body deforms.
    pub fn deforming_answer(&self, operator: &ThetaOperator<D>, impulses: &mut [f64]) {
        let size = self.modes[0].len();
        impulses.chunks_exact_mut(size).for_each(|impulse| self.remove_resultant(impulse));
        operator.answer(impulses);
        impulses.chunks_exact_mut(size).for_each(|answer| self.remove_rigid(answer));
    }

    fn over_inertia<const W: usize>(&self, x: &[[f64; W]]) -> Vec<[f64; W]> {
        let rows: Vec<&[f64]> = self.inverse_inertia.chunks_exact(x.len()).collect();
        dots_with_each(&rows, x)
    }
}

/// Products of vectors side by side with each mode.
fn parts<const W: usize>(modes: &[Vec<f64>], x: &[[f64; W]]) -> Vec<[f64; W]> {
    dots_with_each(&slices(modes), x)
}

fn slices(modes: &[Vec<f64>]) -> Vec<&[f64]> {
    modes.iter().map(Vec::as_slice).collect()
}

/// Velocity of a point at `x` from the centre in a turn of 1 rad/s: about z in the plane, about each axis in
/// space.
fn turning<const D: usize>(turn: usize, x: &Vector<D>) -> [f64; D] {
    let mut velocity = [0.0; D];
    if D == 2 {
        (velocity[0], velocity[1]) = (-x[1], x[0]);
    } else {
        let (p, q) = ((turn + 1) % 3, (turn + 2) % 3);
        (velocity[p], velocity[q]) = (-x[q], x[p]);
    }
    velocity
}

/// Inverse of a small positive matrix, row after row (Gauss and Jordan without pivots).
fn inverse(of: &[f64], size: usize) -> Vec<f64> {
    let mut a = of.to_vec();
    let mut out = vec![0.0; size * size];
    (0..size).for_each(|k| out[k * size + k] = 1.0);
    for k in 0..size {
        let pivot = a[k * size + k];
        for j in 0..size {
            a[k * size + j] /= pivot;
            out[k * size + j] /= pivot;
        }
        for i in (0..size).filter(|&i| i != k) {
            let factor = a[i * size + k];
            for j in 0..size {
                a[i * size + j] -= factor * a[k * size + j];
                out[i * size + j] -= factor * out[k * size + j];
            }
        }
    }
    out
}
