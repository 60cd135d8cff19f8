//! Equilibrium without inertia: displacements under loads and displaced supports, in steps, by Newton's
//! method.

use super::newton::ROUNDING;
use super::{SolidState, Supports, dot};
use crate::error::{SolidError, require_length};
use crate::model::SolidModel;
use drystone_sparse::{MultifrontalLdl, SymmetricBlocks};

/// What a body bears.
#[derive(Clone, Copy, Debug, Default)]
pub struct StaticLoad<'a> {
    /// Force on each degree of freedom \[N\]; `None`: nothing.
    pub load: Option<&'a [f64]>,
    /// Displacement of what is held \[m\], a number for each degree of freedom; `None`: zero.
    pub displaced: Option<&'a [f64]>,
    /// Temperatures of the nodes above the reference \[K\].
    pub temperature: Option<&'a [f64]>,
}

/// How equilibrium is sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaticParams {
    /// Steps in which loads and displacements grow from those at the start. Default 1.
    pub steps: usize,
    /// Largest residual relative to the forces. Default 1e-9.
    pub tolerance: f64,
    /// Most iterations of a step. Default 30.
    pub most_iterations: usize,
}

impl Default for StaticParams {
    fn default() -> Self {
        Self { steps: 1, tolerance: 1e-9, most_iterations: 30 }
    }
}

/// A body in equilibrium.
#[derive(Clone, Debug)]
pub struct StaticSolution {
    /// Displacements, at rest, with the internal variables.
    pub state: SolidState,
    /// Forces of the supports on the body \[N\], a number for each degree of freedom, zero where it is free.
    pub reactions: Vec<f64>,
    /// Iterations of all steps.
    pub iterations: usize,
}

/// Displacements in equilibrium with a load, from a body at `start`; loads grow from nothing, displacements
/// of supports from where they are.
pub fn equilibrium<const D: usize>(
    model: &SolidModel<D>,
    supports: &Supports,
    load: &StaticLoad<'_>,
    start: &SolidState,
    params: &StaticParams,
) -> Result<StaticSolution, SolidError> {
    supports.check(model.dofs())?;
    require_length("the list of displacements", start.displacement.len(), model.dofs())?;
    for list in [load.load, load.displaced].into_iter().flatten() {
        require_length("the list of loads", list.len(), model.dofs())?;
    }
    let mut factor = MultifrontalLdl::<D>::new(model.pattern(), &model.places());
    let mut stiffness = SymmetricBlocks::zeros(model.pattern());
    let mut state = start.clone();
    state.velocity.fill(0.0);
    let (from, count) = (start.displacement.clone(), state.displacement.len());
    let mut solution = StaticSolution { state, reactions: vec![0.0; count], iterations: 0 };
    let steps = params.steps.max(1);
    for step in 1..=steps {
        let share = step as f64 / steps as f64;
        let force = |dof: usize| share * load.load.map_or(0.0, |load| load[dof]);
        let target = |dof: usize| {
            let end = load.displaced.map_or(0.0, |displaced| displaced[dof]);
            from[dof] + share * (end - from[dof])
        };
        let temperature: Option<Vec<f64>> =
            load.temperature.map(|temperature| temperature.iter().map(|t| share * t).collect());
        let mut u = solution.state.displacement.clone();
        let mut converged = None;
        for iteration in 0..=params.most_iterations {
            let history = &solution.state.history;
            let answer = model.evaluate(&u, temperature.as_deref(), history, Some(&mut stiffness))?;
            let mut residual: Vec<f64> = (0..count).map(|dof| force(dof) - answer.force[dof]).collect();
            let reactions = supports.only(&residual.iter().map(|x| -x).collect::<Vec<_>>());
            supports.clear(&mut residual);
            let size = dot(&answer.force, &answer.force).sqrt()
                + (0..count).fold(0.0, |sum, dof| sum + force(dof).powi(2)).sqrt();
            let off = dot(&residual, &residual).sqrt();
            let relative = if size > 0.0 { off / size } else { 0.0 };
            // forces that cancel leave the rounding of what they are made of
            let parts = stiffness.diagonal().iter().zip(&u).fold(0.0, |sum, (k, u)| sum + (k * u).powi(2));
            let rounding = ROUNDING * parts.sqrt();
            // supports are where they should be from the second iteration on
            let moved = supports.only(&(0..count).map(|dof| target(dof) - u[dof]).collect::<Vec<_>>());
            let in_place = moved.iter().all(|x| *x == 0.0);
            if in_place && (relative <= params.tolerance || off <= rounding) {
                converged = Some((answer.history, reactions));
                break;
            }
            if iteration == params.most_iterations || !relative.is_finite() {
                let (iterations, allowed) = (solution.iterations, params.tolerance);
                return Err(SolidError::NotConverged { iterations, residual: relative, allowed });
            }
            if !in_place {
                residual.iter_mut().zip(stiffness.times(&moved)).for_each(|(x, f)| *x -= f);
                supports.clear(&mut residual);
            }
            stiffness.hold(supports.held());
            factor.factor(&stiffness)?;
            factor.solve(&mut residual);
            for dof in 0..count {
                u[dof] = if supports.held()[dof] { target(dof) } else { u[dof] + residual[dof] };
            }
            solution.iterations += 1;
        }
        if let Some((history, reactions)) = converged {
            solution.state.displacement = u;
            solution.state.history = history;
            solution.reactions = reactions;
        }
    }
    Ok(solution)
}
