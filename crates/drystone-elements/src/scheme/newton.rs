//! A step of a body whose forces are not linear, by Newton's method in the world frame: the old matrix is
//! kept while it serves, the step is halved where nothing helps.

use super::theta::{ImpulsesOnBody, check_step};
use super::{SolidLedger, SolidState, Supports, dot};
use crate::error::{SolidError, require_length};
use crate::law::PointHistory;
use crate::model::SolidModel;
use drystone_sparse::{MultifrontalLdl, SymmetricBlocks};
use std::sync::Arc;

/// When Newton's method is content, and when it gives up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonParams {
    /// Largest residual relative to the momenta and impulses it is made of. Default 1e-8.
    pub tolerance: f64,
    /// Most iterations of a step. Default 40.
    pub most_iterations: usize,
    /// A new matrix is made when the residual falls to no less than this part of the last. Default ½.
    pub contraction: f64,
    /// How often a step may be halved, and, in a step with contacts, the change of velocity that collapses an
    /// element. Default 6.
    pub most_halvings: u32,
}

impl Default for NewtonParams {
    fn default() -> Self {
        Self { tolerance: 1e-8, most_iterations: 40, contraction: 0.5, most_halvings: 6 }
    }
}

/// What a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NewtonReport {
    /// Iterations, over all parts of the step.
    pub iterations: usize,
    /// Matrices factored.
    pub factorisations: usize,
    /// Parts the step was cut into, 1 where it was not.
    pub parts: usize,
    /// The last residual, relative.
    pub residual: f64,
    /// Where the energy went.
    pub ledger: SolidLedger,
}

/// The matrix `A = M + θhC + θ²h²K(u)` that is kept from step to step, with what never changes.
#[derive(Clone, Debug)]
pub struct KeptMatrix<const D: usize> {
    mass: SymmetricBlocks<D>,
    damping: Option<SymmetricBlocks<D>>,
    stiffness: SymmetricBlocks<D>,
    factor: MultifrontalLdl<D>,
    /// Step and θ of the factors; none before the first.
    made_for: Option<[f64; 2]>,
    /// Where the body was when they were made, as far as [`Self::make`] made them.
    made_at: Option<Arc<MatrixPlace>>,
}

/// Where a body was when its matrix was made: with it a run that was stopped makes the same matrix again.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixPlace {
    /// Displacement of each degree of freedom \[m\].
    pub displacement: Vec<f64>,
    /// Internal variables at the beginning of that step.
    pub history: Vec<PointHistory>,
}

/// A step to be made.
#[derive(Clone, Copy, Debug)]
pub struct NonlinearStep<'a> {
    /// What is held or driven.
    pub supports: &'a Supports,
    /// Time step \[s\].
    pub h: f64,
    /// θ of the scheme.
    pub theta: f64,
    /// Temperatures of the nodes above the reference \[K\].
    pub temperature: Option<&'a [f64]>,
    /// When to stop.
    pub params: NewtonParams,
}

impl<const D: usize> KeptMatrix<D> {
    /// Nothing factored yet.
    pub fn new(model: &SolidModel<D>) -> Self {
        Self {
            mass: model.mass_matrix(),
            damping: model.damping(),
            stiffness: SymmetricBlocks::zeros(model.pattern()),
            factor: MultifrontalLdl::new(model.pattern(), &model.places()),
            made_for: None,
            made_at: None,
        }
    }

    /// Mass matrix \[kg\].
    pub fn mass(&self) -> &SymmetricBlocks<D> {
        &self.mass
    }

    /// Matrix of viscosity \[kg/s\], where the material has some.
    pub fn damping(&self) -> Option<&SymmetricBlocks<D>> {
        self.damping.as_ref()
    }

    /// Size of the forces that displacements would make one by one \[N\]: what their rounding is part of.
    pub(super) fn size_of_parts(&self, displacement: &[f64]) -> f64 {
        let diagonal = self.stiffness.diagonal();
        diagonal.iter().zip(displacement).fold(0.0, |sum, (k, u)| sum + (k * u).powi(2)).sqrt()
    }

    /// Where the factors were made; none before the first.
    pub fn made_at(&self) -> Option<&Arc<MatrixPlace>> {
        self.made_at.as_ref()
    }

    /// Makes the factors anew for a body at a place.
    pub fn make(
        &mut self,
        model: &SolidModel<D>,
        step: &NonlinearStep<'_>,
        place: Arc<MatrixPlace>,
    ) -> Result<(), SolidError> {
        self.forget();
        let MatrixPlace { displacement, history } = &*place;
        model.evaluate(displacement, step.temperature, history, Some(&mut self.stiffness))?;
        self.refactor(step)?;
        self.made_at = Some(place);
        Ok(())
    }

    /// Forgets the factors.
    pub fn forget(&mut self) {
        (self.made_for, self.made_at) = (None, None);
    }

    /// `A⁻¹ p` for one or several impulses, one after the other, in place; what is held does not move.
    pub fn answer(&self, supports: &Supports, impulses: &mut [f64]) {
        let size = self.mass.size();
        impulses.chunks_exact_mut(size).for_each(|impulse| supports.clear(impulse));
        self.factor.solve(impulses);
    }

    fn refactor(&mut self, step: &NonlinearStep<'_>) -> Result<(), SolidError> {
        let mut matrix = self.mass.clone();
        if let Some(damping) = &self.damping {
            matrix.add_scaled(step.theta * step.h, damping);
        }
        matrix.add_scaled((step.theta * step.h).powi(2), &self.stiffness);
        matrix.hold(step.supports.held());
        self.factor.factor(&matrix)?;
        self.made_for = Some([step.h, step.theta]);
        self.made_at = None;
        Ok(())
    }
}

/// Residuals below this part of stiffness times displacement are rounding.
pub(super) const ROUNDING: f64 = 1e-13;

/// One step of the θ-scheme, internal forces at `u_θ`; internal variables are kept only once it has
/// converged, and belong to `u_θ`.
///
/// Where it does not converge, or an element collapses on the way, the step is made as two halves, and so on;
/// impulses are given in equal parts. The state is untouched by a step that fails.
pub fn advance_nonlinear<const D: usize>(
    model: &SolidModel<D>,
    kept: &mut KeptMatrix<D>,
    state: &mut SolidState,
    step: &NonlinearStep<'_>,
    on_body: &ImpulsesOnBody<'_>,
) -> Result<NewtonReport, SolidError> {
    check_step(step.h, step.theta)?;
    step.supports.check(model.dofs())?;
    require_length("the list of velocities", state.velocity.len(), model.dofs())?;
    require_length("the list of displacements", state.displacement.len(), model.dofs())?;
    for list in [on_body.load, on_body.impulse, on_body.drive].into_iter().flatten() {
        require_length("the list of loads, impulses or drives", list.len(), model.dofs())?;
    }
    let mut failure = None;
    for halvings in 0..=step.params.most_halvings {
        let parts = 1usize << halvings;
        let part = NonlinearStep { h: step.h / parts as f64, ..*step };
        let share: Option<Vec<f64>> = on_body.impulse.map(|p| p.iter().map(|p| p / parts as f64).collect());
        let on_body = ImpulsesOnBody { impulse: share.as_deref(), ..*on_body };
        let mut trial = state.clone();
        let mut report = NewtonReport { parts, ..NewtonReport::default() };
        let done = (0..parts).try_for_each(|_| once(model, kept, &mut trial, &part, &on_body, &mut report));
        match done {
            Ok(()) => {
                *state = trial;
                return Ok(report);
            }
            Err(error @ (SolidError::Singular { .. } | SolidError::Length { .. })) if halvings > 0 => {
                return Err(error);
            }
            Err(error) => failure = Some(error),
        }
    }
    Err(failure.unwrap_or(SolidError::NothingFree))
}

fn once<const D: usize>(
    model: &SolidModel<D>,
    kept: &mut KeptMatrix<D>,
    state: &mut SolidState,
    step: &NonlinearStep<'_>,
    on_body: &ImpulsesOnBody<'_>,
    report: &mut NewtonReport,
) -> Result<(), SolidError> {
    let (h, theta) = (step.h, step.theta);
    let (u, v0) = (state.displacement.clone(), state.velocity.clone());
    let mut v = v0.clone();
    for dof in (0..v.len()).filter(|&dof| step.supports.held()[dof]) {
        v[dof] = on_body.drive.map_or(0.0, |drive| drive[dof]);
    }
    let mut fresh = kept.made_for == Some([h, theta]);
    let mut last = f64::INFINITY;
    for iteration in 0..=step.params.most_iterations {
        let mean: Vec<f64> = v.iter().zip(&v0).map(|(new, old)| theta * new + (1.0 - theta) * old).collect();
        let middle: Vec<f64> = u.iter().zip(&mean).map(|(u, mean)| u + theta * h * mean).collect();
        let wants_matrix = !fresh;
        let stiffness = wants_matrix.then_some(&mut kept.stiffness);
        let answer = model.evaluate(&middle, step.temperature, &state.history, stiffness)?;
        let change: Vec<f64> = v0.iter().zip(&v).map(|(old, new)| old - new).collect();
        let inertia = kept.mass.times(&change);
        let damped = kept.damping.as_ref().map(|damping| damping.times(&mean));
        let outer = |dof: usize| {
            h * on_body.load.map_or(0.0, |load| load[dof]) + on_body.impulse.map_or(0.0, |p| p[dof])
        };
        let mut residual: Vec<f64> = (0..v.len())
            .map(|dof| {
                let viscous = damped.as_ref().map_or(0.0, |force| force[dof]);
                inertia[dof] - h * (answer.force[dof] + viscous) + outer(dof)
            })
            .collect();
        let reaction = step.supports.only(&residual);
        step.supports.clear(&mut residual);
        let outer_size = (0..v.len()).fold(0.0, |sum, dof| sum + outer(dof).powi(2)).sqrt();
        let size =
            norm(&kept.mass.times(&v)) + norm(&kept.mass.times(&v0)) + h * norm(&answer.force) + outer_size;
        let off = norm(&residual);
        let relative = if size > 0.0 { off / size } else { 0.0 };
        // far from where it was made, a body has internal forces with the rounding of its displacement
        let rounding = h * ROUNDING * kept.size_of_parts(&middle);
        report.residual = relative;
        if !relative.is_finite() {
            break;
        }
        if relative <= step.params.tolerance || off <= rounding {
            let ended = Ended { v, mean, damped, reaction, dissipated: answer.dissipated };
            account(model, kept, state, step, on_body, &ended, &mut report.ledger)?;
            state.displacement = u.iter().zip(&ended.mean).map(|(u, mean)| u + h * mean).collect();
            state.velocity = ended.v;
            state.history = answer.history;
            return Ok(());
        }
        if iteration == step.params.most_iterations {
            break;
        }
        // a matrix that does not help any more is made anew where the body is now
        if wants_matrix {
            kept.refactor(step)?;
            report.factorisations += 1;
            fresh = true;
        } else if relative > step.params.contraction * last {
            fresh = false;
            last = f64::INFINITY;
            continue;
        }
        last = relative;
        kept.factor.solve(&mut residual);
        v.iter_mut().zip(&residual).for_each(|(v, change)| *v += change);
        report.iterations += 1;
    }
    kept.made_for = None;
    Err(SolidError::NotConverged {
        iterations: report.iterations,
        residual: report.residual,
        allowed: step.params.tolerance,
    })
}

/// Where a step ended.
struct Ended {
    v: Vec<f64>,
    mean: Vec<f64>,
    damped: Option<Vec<f64>>,
    reaction: Vec<f64>,
    dissipated: f64,
}

fn account<const D: usize>(
    model: &SolidModel<D>,
    kept: &KeptMatrix<D>,
    state: &SolidState,
    step: &NonlinearStep<'_>,
    on_body: &ImpulsesOnBody<'_>,
    ended: &Ended,
    ledger: &mut SolidLedger,
) -> Result<(), SolidError> {
    let h = step.h;
    let energy = |v: &[f64]| 0.5 * dot(v, &kept.mass.times(v));
    let end: Vec<f64> = state.displacement.iter().zip(&ended.mean).map(|(u, mean)| u + h * mean).collect();
    let stored = |u: &[f64]| model.evaluate(u, step.temperature, &state.history, None).map(|all| all.stored);
    let strain = stored(&end)? - stored(&state.displacement)?;
    let kinetic = energy(&ended.v) - energy(&state.velocity);
    let viscous = ended.damped.as_ref().map_or(0.0, |force| h * dot(force, &ended.mean));
    let loads = on_body.load.map_or(0.0, |load| h * dot(load, &ended.mean));
    let impulses = on_body.impulse.map_or(0.0, |p| dot(p, &ended.mean));
    // the residual is what is missing: supports give it
    let supports = -dot(&ended.reaction, &ended.mean);
    let brought = loads + impulses + supports;
    ledger.add(&SolidLedger {
        kinetic,
        strain,
        loads,
        impulses,
        supports,
        viscous,
        plastic: ended.dissipated,
        scheme: brought - kinetic - strain - viscous - ended.dissipated,
    });
    Ok(())
}

pub(super) fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}
