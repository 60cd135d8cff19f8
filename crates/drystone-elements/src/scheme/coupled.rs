//! A body whose forces are not linear in a step with contacts, in the world frame: Newton's method outside,
//! contacts inside. Solves no contact: their impulses come from outside, iteration by iteration.

use super::newton::{ROUNDING, norm};
use super::theta::check_step;
use super::{KeptMatrix, MatrixPlace, NewtonParams, NonlinearStep, SolidLedger, SolidState, Supports, dot};
use crate::error::SolidError;
use crate::model::{Evaluation, SolidModel};
use drystone_sparse::SymmetricBlocks;
use std::sync::Arc;

/// A body, its matrix, and where Newton's method is in the step.
///
/// With the iterate `v_k` and `R(v) = M (v₀ − v) − h (f(u_θ(v)) + C v_θ) + h F` the contacts are told
/// `v_free = v_k + A⁻¹ R(v_k)` and the compliance `A⁻¹`; their impulses p then give
/// `v_{k+1} = v_free + A⁻¹ p`, which satisfies their laws whatever A is. It is the end of the step once
/// `R(v_{k+1}) + p` vanishes. A is kept from step to step as long as that residual falls (Jean 1999).
#[derive(Clone, Debug)]
pub struct CoupledBody<const D: usize> {
    model: Arc<SolidModel<D>>,
    supports: Supports,
    h: f64,
    theta: f64,
    params: NewtonParams,
    kept: KeptMatrix<D>,
    /// Of this step: loads and drives, and the iterate.
    load: Vec<f64>,
    drive: Vec<f64>,
    at: Option<Iterate>,
    /// Residual of the last iteration, relative.
    last: f64,
    iterations: usize,
    /// Whether the matrix was made in this iteration.
    is_fresh: bool,
    ended: Option<CoupledEnd>,
}

/// Velocities, and what the body answers there.
#[derive(Clone, Debug)]
struct Iterate {
    v: Vec<f64>,
    mean: Vec<f64>,
    middle: Vec<f64>,
    answer: Evaluation,
    damped: Option<Vec<f64>>,
    /// `R(v)`.
    residual: Vec<f64>,
}

/// What impulses of contacts made of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    /// The step has its end.
    Converged,
    /// Another free velocity, the same matrix.
    Moved,
    /// Another free velocity, and another matrix: columns of its inverse are to be made anew.
    Refactored,
}

/// The end of a step.
#[derive(Clone, Debug)]
pub struct CoupledEnd {
    /// Where the body is.
    pub state: SolidState,
    /// Free energy there \[J\].
    pub stored: f64,
    /// Where the energy of the step went.
    pub ledger: SolidLedger,
    /// Iterations it took.
    pub iterations: usize,
    /// Impulses of the supports on degrees of freedom \[N s\].
    pub reaction: Vec<f64>,
}

impl<const D: usize> CoupledBody<D> {
    /// A body with what is held of it, for a step \[s\] and a θ.
    pub fn new(
        model: &Arc<SolidModel<D>>,
        supports: Supports,
        h: f64,
        theta: f64,
        params: NewtonParams,
    ) -> Result<Self, SolidError> {
        check_step(h, theta)?;
        supports.check(model.dofs())?;
        Ok(Self {
            kept: KeptMatrix::new(model),
            model: Arc::clone(model),
            supports,
            h,
            theta,
            params,
            load: Vec::new(),
            drive: Vec::new(),
            at: None,
            last: f64::INFINITY,
            iterations: 0,
            is_fresh: false,
            ended: None,
        })
    }

    /// Mass matrix \[kg\].
    pub fn mass(&self) -> &SymmetricBlocks<D> {
        self.kept.mass()
    }

    /// Time step \[s\].
    pub fn step(&self) -> f64 {
        self.h
    }

    /// What is held.
    pub fn supports(&self) -> &Supports {
        &self.supports
    }

    /// Where the matrix was made; none before the first step.
    pub fn matrix_place(&self) -> Option<&Arc<MatrixPlace>> {
        self.kept.made_at()
    }

    /// Makes the matrix that was made at a place, or forgets the one there is.
    pub fn set_matrix_place(&mut self, place: Option<&Arc<MatrixPlace>>) -> Result<(), SolidError> {
        match place {
            Some(place) => self.make(Arc::clone(place)),
            None => {
                self.kept.forget();
                Ok(())
            }
        }
    }

    fn make(&mut self, place: Arc<MatrixPlace>) -> Result<(), SolidError> {
        let (h, theta, params) = (self.h, self.theta, self.params);
        let step = NonlinearStep { supports: &self.supports, h, theta, temperature: None, params };
        self.kept.make(&self.model, &step, place)
    }

    /// Free energy of a state \[J\].
    pub fn stored(&self, state: &SolidState) -> Result<f64, SolidError> {
        Ok(self.model.evaluate(&state.displacement, None, &state.history, None)?.stored)
    }

    /// Kinetic energy of a state \[J\].
    pub fn kinetic_energy(&self, state: &SolidState) -> f64 {
        0.5 * dot(&state.velocity, &self.mass().times(&state.velocity))
    }

    /// `A⁻¹ p` for one or several impulses, one after the other, in place.
    pub fn answer(&self, impulses: &mut [f64]) {
        self.kept.answer(&self.supports, impulses);
    }

    /// Begins a step under loads \[N\] and drives \[m/s\], each a number for every degree of freedom or none
    /// at all; gives the free velocity and whether the matrix is another one.
    pub fn begin(
        &mut self,
        state: &SolidState,
        load: &[f64],
        drive: &[f64],
    ) -> Result<(Vec<f64>, bool), SolidError> {
        self.load.clear();
        self.load.extend_from_slice(load);
        self.drive.clear();
        self.drive.extend_from_slice(drive);
        (self.last, self.iterations, self.ended) = (f64::INFINITY, 0, None);
        let mut v = state.velocity.clone();
        for (dof, v) in v.iter_mut().enumerate().filter(|(dof, _)| self.supports.held()[*dof]) {
            *v = drive.get(dof).copied().unwrap_or(0.0);
        }
        let at = self.look(state, v)?;
        let is_new = self.kept.made_at().is_none();
        if is_new {
            self.make_at(state, &at)?;
        }
        self.is_fresh = is_new;
        let free = self.free_from(&at);
        self.at = Some(at);
        Ok((free, is_new))
    }

    /// What the body answers at velocities.
    fn look(&self, state: &SolidState, v: Vec<f64>) -> Result<Iterate, SolidError> {
        let (h, theta, v0) = (self.h, self.theta, &state.velocity);
        let mean: Vec<f64> = v.iter().zip(v0).map(|(new, old)| theta * new + (1.0 - theta) * old).collect();
        let middle: Vec<f64> =
            state.displacement.iter().zip(&mean).map(|(u, mean)| u + theta * h * mean).collect();
        let answer = self.model.evaluate(&middle, None, &state.history, None)?;
        let change: Vec<f64> = v0.iter().zip(&v).map(|(old, new)| old - new).collect();
        let mut residual = self.mass().times(&change);
        let damped = self.kept.damping().map(|damping| damping.times(&mean));
        for (dof, residual) in residual.iter_mut().enumerate() {
            let viscous = damped.as_ref().map_or(0.0, |force| force[dof]);
            let load = self.load.get(dof).copied().unwrap_or(0.0);
            *residual += h * (load - answer.force[dof] - viscous);
        }
        Ok(Iterate { v, mean, middle, answer, damped, residual })
    }

    fn make_at(&mut self, state: &SolidState, at: &Iterate) -> Result<(), SolidError> {
        let place = MatrixPlace { displacement: at.middle.clone(), history: state.history.clone() };
        self.make(Arc::new(place))
    }

    /// `v_free = v + A⁻¹ R(v)`.
    fn free_from(&self, at: &Iterate) -> Vec<f64> {
        let mut change = at.residual.clone();
        self.answer(&mut change);
        at.v.iter().zip(&change).map(|(v, change)| v + change).collect()
    }

    /// Takes the impulses \[N s\] that contacts found on the degrees of freedom with the last free velocity,
    /// which becomes the next one unless the step has its end.
    pub fn correct(
        &mut self,
        state: &SolidState,
        free: &mut Vec<f64>,
        impulse: &[f64],
    ) -> Result<Correction, SolidError> {
        // impulses of contacts with other bodies may have changed since
        self.ended = None;
        let mut v = impulse.to_vec();
        self.answer(&mut v);
        v.iter_mut().zip(&*free).for_each(|(v, free)| *v += free);
        self.iterations += 1;
        let at = match self.look(state, v.clone()) {
            Ok(at) => at,
            Err(error) => return self.step_back(state, &v, free, error),
        };
        let (off, relative) = self.judge(state, &at, impulse);
        if !relative.is_finite() {
            return Err(self.not_converged(relative));
        }
        if relative <= self.params.tolerance || off <= self.h * ROUNDING * self.kept.size_of_parts(&at.middle)
        {
            self.ended = Some(self.end(state, at, impulse)?);
            return Ok(Correction::Converged);
        }
        if self.iterations >= self.params.most_iterations {
            return Err(self.not_converged(relative));
        }
        let is_slow = relative > self.params.contraction * self.last;
        self.last = relative;
        if is_slow {
            return self.again_from(state, at, free);
        }
        self.is_fresh = false;
        *free = self.free_from(&at);
        self.at = Some(at);
        Ok(Correction::Moved)
    }

    /// Goes on where an iterate does not exist: with a matrix made at the last one, or, where it was, from
    /// part of the way.
    fn step_back(
        &mut self,
        state: &SolidState,
        tried: &[f64],
        free: &mut Vec<f64>,
        error: SolidError,
    ) -> Result<Correction, SolidError> {
        let Some(before) = self.at.take().filter(|_| self.iterations < self.params.most_iterations) else {
            return Err(error);
        };
        if !self.is_fresh {
            return self.again_from(state, before, free);
        }
        let mut share = 1.0;
        for _ in 0..self.params.most_halvings {
            share *= 0.5;
            let v = before.v.iter().zip(tried).map(|(from, to)| from + share * (to - from)).collect();
            if let Ok(at) = self.look(state, v) {
                self.last = f64::INFINITY;
                return self.again_from(state, at, free);
            }
        }
        Err(error)
    }

    /// Goes on from an iterate with a matrix made there.
    fn again_from(
        &mut self,
        state: &SolidState,
        at: Iterate,
        free: &mut Vec<f64>,
    ) -> Result<Correction, SolidError> {
        self.make_at(state, &at)?;
        self.is_fresh = true;
        *free = self.free_from(&at);
        self.at = Some(at);
        Ok(Correction::Refactored)
    }

    /// How far an iterate is from the end of the step, and relative to the momenta it is made of.
    fn judge(&self, state: &SolidState, at: &Iterate, impulse: &[f64]) -> (f64, f64) {
        let mut off: Vec<f64> = at.residual.iter().zip(impulse).map(|(r, p)| r + p).collect();
        self.supports.clear(&mut off);
        let load = |dof: usize| self.load.get(dof).copied().unwrap_or(0.0);
        let outer: Vec<f64> = impulse.iter().enumerate().map(|(dof, p)| p + self.h * load(dof)).collect();
        let size = norm(&self.mass().times(&at.v))
            + norm(&self.mass().times(&state.velocity))
            + self.h * norm(&at.answer.force)
            + norm(&outer);
        let off = norm(&off);
        (off, if size > 0.0 { off / size } else { 0.0 })
    }

    fn not_converged(&self, residual: f64) -> SolidError {
        SolidError::NotConverged { iterations: self.iterations, residual, allowed: self.params.tolerance }
    }

    fn end(&self, state: &SolidState, at: Iterate, impulse: &[f64]) -> Result<CoupledEnd, SolidError> {
        let h = self.h;
        let end = SolidState {
            displacement: state.displacement.iter().zip(&at.mean).map(|(u, mean)| u + h * mean).collect(),
            velocity: at.v,
            history: at.answer.history,
        };
        let stored = self.stored(&end)?;
        let kinetic = self.kinetic_energy(&end) - self.kinetic_energy(state);
        let strain = stored - self.stored(state)?;
        let viscous = at.damped.as_ref().map_or(0.0, |force| h * dot(force, &at.mean));
        let loads = h * dot(&self.load, &at.mean);
        let impulses = dot(impulse, &at.mean);
        // what is missing at supports, they give
        let missing: Vec<f64> = at.residual.iter().zip(impulse).map(|(r, p)| r + p).collect();
        let reaction: Vec<f64> = self.supports.only(&missing).iter().map(|p| -p).collect();
        let supports = dot(&reaction, &at.mean);
        let plastic = at.answer.dissipated;
        let scheme = loads + impulses + supports - kinetic - strain - viscous - plastic;
        let ledger = SolidLedger { kinetic, strain, loads, impulses, supports, viscous, plastic, scheme };
        Ok(CoupledEnd { state: end, stored, ledger, iterations: self.iterations, reaction })
    }

    /// The end of the step, once it has one.
    pub fn take_end(&mut self) -> Option<CoupledEnd> {
        self.ended.take()
    }
}
