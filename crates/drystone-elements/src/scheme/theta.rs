//! The θ-scheme of a linear body: one matrix, factored once for a step and a θ.

use super::{SolidLedger, SolidState, Supports, dot};
use crate::error::{SolidError, require};
use crate::model::SolidModel;
use drystone_sparse::{MultifrontalLdl, SymmetricBlocks};

/// The operator `A = M + θ h C + θ² h² K` of a linear body (Jean 1999; Dubois, Acary, Jean 2018, §3.1.5).
///
/// With `u⁺ = u + h (θ v⁺ + (1 − θ) v)` and forces taken at `u_θ = u + θ (u⁺ − u)`:
///
/// `v_free = v + A⁻¹ [ −h K (u + θ h v) − h C v + h F ]`, `v⁺ = v_free + A⁻¹ p`
///
/// for the impulses p of contacts. Degrees of freedom that are held leave A.
#[derive(Clone, Debug)]
pub struct ThetaOperator<const D: usize> {
    h: f64,
    theta: f64,
    mass: SymmetricBlocks<D>,
    damping: Option<SymmetricBlocks<D>>,
    stiffness: SymmetricBlocks<D>,
    supports: Supports,
    /// A, nothing held.
    matrix: SymmetricBlocks<D>,
    factor: MultifrontalLdl<D>,
}

/// Impulses on a body in a step, and what drives its supports.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImpulsesOnBody<'a> {
    /// Force of loads on each degree of freedom \[N\]; `None`: nothing.
    pub load: Option<&'a [f64]>,
    /// Impulse of contacts on each degree of freedom \[N s\]; `None`: nothing.
    pub impulse: Option<&'a [f64]>,
    /// Velocities at the end of the step of what is held \[m/s\], a number for each degree of freedom of
    /// which those held count; `None`: at rest.
    pub drive: Option<&'a [f64]>,
}

/// Checks the numbers of a step.
pub(super) fn check_step(h: f64, theta: f64) -> Result<(), SolidError> {
    require(h > 0.0, "the time step", h, "it must be above 0 s")?;
    require(theta > 0.0 && theta <= 1.0, "θ", theta, "it must be above 0 and at most 1; ½ conserves energy")?;
    Ok(())
}

impl<const D: usize> ThetaOperator<D> {
    /// Assembles and factors the operator of a linear body.
    pub fn new(model: &SolidModel<D>, supports: Supports, h: f64, theta: f64) -> Result<Self, SolidError> {
        if !model.is_linear() {
            let why = "this material is not linear; its body is solved by Newton's method in the world frame";
            return Err(SolidError::Unsupported(why));
        }
        supports.check(model.dofs())?;
        let mut operator = Self {
            h,
            theta,
            mass: model.mass_matrix(),
            damping: model.damping(),
            stiffness: model.stiffness()?,
            supports,
            matrix: SymmetricBlocks::zeros(model.pattern()),
            factor: MultifrontalLdl::new(model.pattern(), &model.places()),
        };
        operator.set_step(h, theta)?;
        Ok(operator)
    }

    /// Another step or θ: the pattern stays, the factors are new.
    pub fn set_step(&mut self, h: f64, theta: f64) -> Result<(), SolidError> {
        check_step(h, theta)?;
        (self.h, self.theta) = (h, theta);
        self.matrix = self.mass.clone();
        if let Some(damping) = &self.damping {
            self.matrix.add_scaled(theta * h, damping);
        }
        self.matrix.add_scaled((theta * h).powi(2), &self.stiffness);
        let mut free = self.matrix.clone();
        free.hold(self.supports.held());
        Ok(self.factor.factor(&free)?)
    }

    /// A itself, nothing held.
    pub fn matrix(&self) -> &SymmetricBlocks<D> {
        &self.matrix
    }

    /// Time step \[s\].
    pub fn step(&self) -> f64 {
        self.h
    }

    /// θ of the scheme.
    pub fn theta(&self) -> f64 {
        self.theta
    }

    /// Mass matrix \[kg\].
    pub fn mass(&self) -> &SymmetricBlocks<D> {
        &self.mass
    }

    /// Stiffness matrix \[N/m\].
    pub fn stiffness(&self) -> &SymmetricBlocks<D> {
        &self.stiffness
    }

    /// What is held.
    pub fn supports(&self) -> &Supports {
        &self.supports
    }

    /// `A⁻¹ p` for one or several impulses, one after the other, in place; what is held does not move.
    pub fn answer(&self, impulses: &mut [f64]) {
        let size = self.mass.size();
        impulses.chunks_exact_mut(size).for_each(|impulse| self.supports.clear(impulse));
        self.factor.solve(impulses);
    }

    /// The velocity at the end of the step without contacts.
    pub fn free_velocity(&self, state: &SolidState, on_body: &ImpulsesOnBody<'_>) -> Vec<f64> {
        let (h, theta) = (self.h, self.theta);
        let (u, v) = (&state.displacement, &state.velocity);
        let ahead: Vec<f64> = u.iter().zip(v).map(|(u, v)| u + theta * h * v).collect();
        let mut change: Vec<f64> = self.stiffness.times(&ahead).iter().map(|f| -h * f).collect();
        if let Some(damping) = &self.damping {
            change.iter_mut().zip(damping.times(v)).for_each(|(x, f)| *x -= h * f);
        }
        if let Some(load) = on_body.load {
            change.iter_mut().zip(load).for_each(|(x, f)| *x += h * f);
        }
        // what is driven changes its velocity by a known amount
        let mut driven = vec![0.0; v.len()];
        if self.supports.any() {
            let target = |dof: usize| on_body.drive.and_then(|drive| drive.get(dof)).copied().unwrap_or(0.0);
            driven = self.supports.only(&(0..v.len()).map(|dof| target(dof) - v[dof]).collect::<Vec<_>>());
            let pulled = self.matrix.times(&driven);
            change.iter_mut().zip(pulled).for_each(|(x, f)| *x -= f);
        }
        self.answer(&mut change);
        (0..v.len()).map(|dof| v[dof] + change[dof] + driven[dof]).collect()
    }

    /// A whole step: the velocity with its impulses, the displacement, and where the energy went.
    pub fn advance(&self, state: &mut SolidState, on_body: &ImpulsesOnBody<'_>) -> SolidLedger {
        let free = self.free_velocity(state, on_body);
        self.advance_from(state, free, on_body)
    }

    /// The same where the free velocity of the same loads and drives is known.
    pub fn advance_from(
        &self,
        state: &mut SolidState,
        free: Vec<f64>,
        on_body: &ImpulsesOnBody<'_>,
    ) -> SolidLedger {
        self.advance_with_reaction(state, free, on_body).0
    }

    /// The same, with the impulses that supports gave \[N s\]: a number for each degree of freedom, none at
    /// all where nothing is held.
    pub fn advance_with_reaction(
        &self,
        state: &mut SolidState,
        free: Vec<f64>,
        on_body: &ImpulsesOnBody<'_>,
    ) -> (SolidLedger, Vec<f64>) {
        let mut velocity = free;
        if let Some(impulse) = on_body.impulse {
            let mut change = impulse.to_vec();
            self.answer(&mut change);
            velocity.iter_mut().zip(&change).for_each(|(v, change)| *v += change);
        }
        let (h, theta) = (self.h, self.theta);
        let mean: Vec<f64> = velocity
            .iter()
            .zip(&state.velocity)
            .map(|(new, old)| theta * new + (1.0 - theta) * old)
            .collect();
        let displacement: Vec<f64> = state.displacement.iter().zip(&mean).map(|(u, v)| u + h * v).collect();
        let accounts = self.ledger(state, &velocity, &displacement, &mean, on_body);
        state.velocity = velocity;
        state.displacement = displacement;
        accounts
    }

    fn ledger(
        &self,
        state: &SolidState,
        velocity: &[f64],
        displacement: &[f64],
        mean: &[f64],
        on_body: &ImpulsesOnBody<'_>,
    ) -> (SolidLedger, Vec<f64>) {
        let (h, theta) = (self.h, self.theta);
        let difference = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
        let dv = difference(velocity, &state.velocity);
        let du = difference(displacement, &state.displacement);
        let (m_dv, k_du) = (self.mass.times(&dv), self.stiffness.times(&du));
        let k_u = self.stiffness.times(&state.displacement);
        let m_v = self.mass.times(&state.velocity);
        let damped = self.damping.as_ref().map(|damping| damping.times(mean));
        let mut ledger = SolidLedger {
            kinetic: dot(&dv, &m_v) + 0.5 * dot(&dv, &m_dv),
            strain: dot(&du, &k_u) + 0.5 * dot(&du, &k_du),
            loads: on_body.load.map_or(0.0, |load| h * dot(load, mean)),
            impulses: on_body.impulse.map_or(0.0, |impulse| dot(impulse, mean)),
            viscous: damped.as_ref().map_or(0.0, |force| h * dot(force, mean)),
            scheme: (theta - 0.5) * (dot(&dv, &m_dv) + dot(&du, &k_du)),
            ..SolidLedger::default()
        };
        let mut reaction = Vec::new();
        if self.supports.any() {
            reaction = (0..dv.len()).map(|dof| m_dv[dof] + h * (k_u[dof] + theta * k_du[dof])).collect();
            if let Some(damped) = &damped {
                reaction.iter_mut().zip(damped).for_each(|(x, f)| *x += h * f);
            }
            if let Some(load) = on_body.load {
                reaction.iter_mut().zip(load).for_each(|(x, f)| *x -= h * f);
            }
            if let Some(impulse) = on_body.impulse {
                reaction.iter_mut().zip(impulse).for_each(|(x, p)| *x -= p);
            }
            reaction = self.supports.only(&reaction);
            ledger.supports = dot(&reaction, mean);
        }
        (ledger, reaction)
    }

    /// Kinetic energy \[J\].
    pub fn kinetic_energy(&self, state: &SolidState) -> f64 {
        0.5 * dot(&state.velocity, &self.mass.times(&state.velocity))
    }

    /// Strain energy \[J\].
    pub fn strain_energy(&self, state: &SolidState) -> f64 {
        0.5 * dot(&state.displacement, &self.stiffness.times(&state.displacement))
    }
}
