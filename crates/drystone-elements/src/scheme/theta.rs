//! The θ-scheme of a linear body: one matrix, factored once for a step and a θ.

use super::abreast::{ActionsAbreast, StatesAbreast};
use super::{SolidInertia, SolidLedger, SolidState, Supports};
use crate::error::{SolidError, require};
use crate::model::SolidModel;
use drystone_sparse::{
    MultifrontalLdl, SymmetricBlocks, change_abreast as change, dots_abreast as dots,
    of_both_abreast as of_both,
};

/// The operator `A = M + θ h C + θ² h² K` of a linear body (Jean 1999; Dubois, Acary, Jean 2018, §3.1.5).
///
/// With `u⁺ = u + h (θ v⁺ + (1 − θ) v)` and forces taken at `u_θ = u + θ (u⁺ − u)`:
///
/// `v_free = v + A⁻¹ [ −h K (u + θ h v) − h C v + h F ]`, `v⁺ = v_free + A⁻¹ p`
///
/// for the impulses p of contacts. Degrees of freedom that are held leave A.
///
/// Without inertia M is left out of A and θ is one: `h K (u + h v⁺) + h C v⁺ = h F + p`, the balance of
/// forces at the end of the step, whatever the velocity was.
#[derive(Clone, Debug)]
pub struct ThetaOperator<const D: usize> {
    h: f64,
    theta: f64,
    inertia: SolidInertia,
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
        Self::with_inertia(model, supports, h, theta, SolidInertia::Full)
    }

    /// The same of a body with or without inertia; one without needs supports that leave no rigid motion.
    pub fn with_inertia(
        model: &SolidModel<D>,
        supports: Supports,
        h: f64,
        theta: f64,
        inertia: SolidInertia,
    ) -> Result<Self, SolidError> {
        if !model.is_linear() {
            let why = "this material is not linear; its body is solved by Newton's method in the world frame";
            return Err(SolidError::Unsupported(why));
        }
        supports.check(model.dofs())?;
        if inertia == SolidInertia::None {
            supports.check_rigid(model)?;
        }
        let mut operator = Self {
            h,
            theta,
            inertia,
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
        (self.h, self.theta) = (h, self.inertia.theta(theta));
        let theta = self.theta;
        self.matrix = self.inertia.of(&self.mass);
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

    /// Whether the body has inertia.
    pub fn inertia(&self) -> SolidInertia {
        self.inertia
    }

    /// Mass matrix \[kg\], also of a body whose inertia is left out.
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

    /// The same for bodies side by side.
    fn answer_abreast<const W: usize>(&self, impulses: &mut [[f64; W]]) {
        self.supports.clear_abreast(impulses);
        self.factor.solve_abreast(impulses);
    }

    /// The velocity at the end of the step without contacts.
    pub fn free_velocity(&self, state: &SolidState, on_body: &ImpulsesOnBody<'_>) -> Vec<f64> {
        self.free_velocities(&StatesAbreast::from(state), &on_body.into()).into_flattened()
    }

    /// The same of bodies side by side.
    pub fn free_velocities<const W: usize>(
        &self,
        states: &StatesAbreast<W>,
        actions: &ActionsAbreast<W>,
    ) -> Vec<[f64; W]> {
        let (h, theta) = (self.h, self.theta);
        let (u, v) = (&states.displacement, &states.velocity);
        let ahead = of_both(u, v, |u, v| u + theta * h * v);
        let mut jump = self.stiffness.times_abreast(&ahead);
        for f in &mut jump {
            for k in 0..W {
                f[k] *= -h;
            }
        }
        if let Some(damping) = &self.damping {
            change(&mut jump, &damping.times_abreast(v), |x, f| x - h * f);
        }
        if let Some(load) = &actions.load {
            change(&mut jump, load, |x, f| x + h * f);
        }
        // what is driven changes its velocity by a known amount
        let driven = self.supports.any().then(|| {
            let still = vec![[0.0; W]; v.len()];
            let target = actions.drive.as_ref().unwrap_or(&still);
            self.supports.only_abreast(&of_both(target, v, |target, v| target - v))
        });
        if let Some(driven) = &driven {
            change(&mut jump, &self.matrix.times_abreast(driven), |x, f| x - f);
        }
        self.answer_abreast(&mut jump);
        match &driven {
            Some(driven) => {
                change(&mut jump, v, |x, v| v + x);
                change(&mut jump, driven, |x, driven| x + driven);
            }
            // a zero has the sign that nothing driven would give it
            None => change(&mut jump, v, |x, v| v + x + 0.0),
        }
        jump
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
        let mut states = StatesAbreast::from(&*state);
        let (ledgers, reaction) =
            self.advance_abreast(&mut states, free.as_chunks::<1>().0.to_vec(), &on_body.into());
        state.velocity = states.velocity.into_flattened();
        state.displacement = states.displacement.into_flattened();
        (ledgers[0], reaction.into_flattened())
    }

    /// The same of bodies side by side.
    pub fn advance_abreast<const W: usize>(
        &self,
        states: &mut StatesAbreast<W>,
        free: Vec<[f64; W]>,
        actions: &ActionsAbreast<W>,
    ) -> ([SolidLedger; W], Vec<[f64; W]>) {
        let (end, mean) = self.end(states, free, actions);
        let accounts = self.ledgers(states, &end, &mean, actions);
        *states = end;
        accounts
    }

    /// The state at the end of a step, and its velocities at θ.
    fn end<const W: usize>(
        &self,
        states: &StatesAbreast<W>,
        free: Vec<[f64; W]>,
        actions: &ActionsAbreast<W>,
    ) -> (StatesAbreast<W>, Vec<[f64; W]>) {
        let mut velocity = free;
        if let Some(impulse) = &actions.impulse {
            let mut answer = impulse.clone();
            self.answer_abreast(&mut answer);
            change(&mut velocity, &answer, |v, change| v + change);
        }
        let (h, theta) = (self.h, self.theta);
        let mean = of_both(&velocity, &states.velocity, |new, old| theta * new + (1.0 - theta) * old);
        let displacement = of_both(&states.displacement, &mean, |u, v| u + h * v);
        (StatesAbreast { displacement, velocity }, mean)
    }

    /// A whole step of bodies of which nothing is held, `settle` being done to the state at its end: the
    /// energies at its beginning are replaced by those at its end, and the ledger follows from them without
    /// further products, `Δvᵀ M Δv = v⁺ᵀ M v⁺ − 2 vᵀ M v⁺ + vᵀ M v`.
    pub fn advance_unheld<const W: usize>(
        &self,
        states: &mut StatesAbreast<W>,
        energies: &mut [[f64; W]; 2],
        free: Vec<[f64; W]>,
        actions: &ActionsAbreast<W>,
        settle: impl FnOnce(&mut StatesAbreast<W>),
    ) -> [SolidLedger; W] {
        let (mut end, mean) = self.end(states, free, actions);
        settle(&mut end);
        let (m_v, k_u) = self.forces_of(&end);
        let after = half_dots(&end, &m_v, &k_u);
        let [across_v, across_u] = half_dots(states, &m_v, &k_u);
        let before = std::mem::replace(energies, after);
        let work = |force: Option<&Vec<[f64; W]>>| force.map_or([0.0; W], |force| dots(force, &mean));
        let (loads, impulses) = (work(actions.load.as_ref()), work(actions.impulse.as_ref()));
        let viscous = work(self.damping.as_ref().map(|damping| damping.times_abreast(&mean)).as_ref());
        *states = end;
        std::array::from_fn(|k| {
            let jump =
                |energy: usize, across: f64| 2.0 * (after[energy][k] - 2.0 * across + before[energy][k]);
            SolidLedger {
                kinetic: after[0][k] - before[0][k],
                strain: after[1][k] - before[1][k],
                loads: self.h * loads[k],
                impulses: impulses[k],
                viscous: self.h * viscous[k],
                scheme: (self.theta - 0.5) * (jump(0, across_v[k]) + jump(1, across_u[k])),
                ..SolidLedger::default()
            }
        })
    }

    /// Momenta `M v` and forces `K u`.
    fn forces_of<const W: usize>(&self, states: &StatesAbreast<W>) -> (Vec<[f64; W]>, Vec<[f64; W]>) {
        let momenta = self.inertia.times_abreast(&self.mass, &states.velocity);
        (momenta, self.stiffness.times_abreast(&states.displacement))
    }

    /// Where the energy of a step went, and the impulses of supports.
    fn ledgers<const W: usize>(
        &self,
        begin: &StatesAbreast<W>,
        end: &StatesAbreast<W>,
        mean: &[[f64; W]],
        actions: &ActionsAbreast<W>,
    ) -> ([SolidLedger; W], Vec<[f64; W]>) {
        let (h, theta) = (self.h, self.theta);
        let dv = of_both(&end.velocity, &begin.velocity, |a, b| a - b);
        let du = of_both(&end.displacement, &begin.displacement, |a, b| a - b);
        let (m_dv, k_du) = (self.inertia.times_abreast(&self.mass, &dv), self.stiffness.times_abreast(&du));
        let damped = self.damping.as_ref().map(|damping| damping.times_abreast(mean));
        let work = |force: Option<&Vec<[f64; W]>>| force.map_or([0.0; W], |force| dots(force, mean));
        // both matrices are symmetric: vᵀ M Δv is (M v)ᵀ Δv
        let (dv_m_v, dv_m_dv) = (dots(&begin.velocity, &m_dv), dots(&dv, &m_dv));
        let (du_k_u, du_k_du) = (dots(&begin.displacement, &k_du), dots(&du, &k_du));
        let (loads, impulses) = (work(actions.load.as_ref()), work(actions.impulse.as_ref()));
        let viscous = work(damped.as_ref());
        let mut ledgers: [SolidLedger; W] = std::array::from_fn(|k| SolidLedger {
            kinetic: dv_m_v[k] + 0.5 * dv_m_dv[k],
            strain: du_k_u[k] + 0.5 * du_k_du[k],
            loads: h * loads[k],
            impulses: impulses[k],
            viscous: h * viscous[k],
            scheme: (theta - 0.5) * (dv_m_dv[k] + du_k_du[k]),
            ..SolidLedger::default()
        });
        if !self.supports.any() {
            return (ledgers, Vec::new());
        }
        let k_u = self.stiffness.times_abreast(&begin.displacement);
        let forces = of_both(&k_u, &k_du, |k_u, k_du| k_u + theta * k_du);
        let mut reaction = of_both(&m_dv, &forces, |m_dv, force| m_dv + h * force);
        if let Some(damped) = &damped {
            change(&mut reaction, damped, |x, f| x + h * f);
        }
        if let Some(load) = &actions.load {
            change(&mut reaction, load, |x, f| x - h * f);
        }
        if let Some(impulse) = &actions.impulse {
            change(&mut reaction, impulse, |x, p| x - p);
        }
        let reaction = self.supports.only_abreast(&reaction);
        let supports = dots(&reaction, mean);
        ledgers.iter_mut().zip(supports).for_each(|(ledger, work)| ledger.supports = work);
        (ledgers, reaction)
    }

    /// Kinetic and strain energies of bodies side by side \[J\].
    pub fn energies<const W: usize>(&self, states: &StatesAbreast<W>) -> [[f64; W]; 2] {
        let (m_v, k_u) = self.forces_of(states);
        half_dots(states, &m_v, &k_u)
    }

    /// Kinetic energy \[J\].
    pub fn kinetic_energy(&self, state: &SolidState) -> f64 {
        self.energies(&StatesAbreast::from(state))[0][0]
    }

    /// Strain energy \[J\].
    pub fn strain_energy(&self, state: &SolidState) -> f64 {
        self.energies(&StatesAbreast::from(state))[1][0]
    }
}

/// Half of the products of velocities with momenta, and of displacements with forces.
fn half_dots<const W: usize>(states: &StatesAbreast<W>, m_v: &[[f64; W]], k_u: &[[f64; W]]) -> [[f64; W]; 2] {
    [dots(&states.velocity, m_v), dots(&states.displacement, k_u)].map(|twice| twice.map(|twice| 0.5 * twice))
}

impl From<&SolidState> for StatesAbreast<1> {
    fn from(state: &SolidState) -> Self {
        let alone = |x: &[f64]| x.as_chunks::<1>().0.to_vec();
        Self { displacement: alone(&state.displacement), velocity: alone(&state.velocity) }
    }
}

impl From<&ImpulsesOnBody<'_>> for ActionsAbreast<1> {
    fn from(on_body: &ImpulsesOnBody<'_>) -> Self {
        let alone = |x: &[f64]| x.as_chunks::<1>().0.to_vec();
        Self {
            load: on_body.load.map(alone),
            impulse: on_body.impulse.map(alone),
            drive: on_body.drive.map(alone),
        }
    }
}
