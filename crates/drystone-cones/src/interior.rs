//! The iteration: steps of a predictor and a corrector (Mehrotra 1992) along the central path of the
//! homogeneous embedding. Leaves linear algebra and cones to others.
//!
//! With `τ, κ ≥ 0` the embedding asks for
//!
//! `P x + Aᵀz + q τ = 0`, `A x + s = b τ`, `κ + xᵀP x/τ + q·x + b·z = 0`, `s ∈ K`, `z ∈ K*`, `s·z = 0 = τ κ`:
//!
//! with `τ > 0`, `x/τ` solves the programme; with `κ > 0`, `z` or `x` proves that nothing does.

use crate::answer::{ConeAnswer, ConeParams, ConePoint};
use crate::check::{self, residuals, steepness};
use crate::cones::Cones;
use crate::kkt::Kkt;
use crate::program::{ConeProgram, ProgramError};
use crate::scaled::{Scaled, largest};
use crate::state::State;

/// Share of the way to the border that a step goes.
const SHARE: f64 = 0.99;

/// Steps shorter than this lead nowhere.
const SHORT: f64 = 1e-7;

/// So many iterations without anything better end the search.
const PATIENCE: usize = 15;

/// How the steps came to an end.
enum End {
    Within,
    Proof(Box<ConeAnswer>),
    Stuck,
}

/// The errors of the embedding at a point, and what the point is worth.
#[derive(Clone, Copy, Default)]
struct Worth {
    /// Largest relative residual of the programme.
    error: f64,
    /// `|b·z| / ‖Aᵀz‖` where `b·z < 0`.
    infeasible: f64,
    /// `|q·x| / max(‖A x + s‖, ‖P x‖)` where `q·x < 0`.
    unbounded: f64,
}

/// A programme analysed once, to be solved for one or several costs and right sides.
pub struct ConeSolver {
    program: ConeProgram,
    params: ConeParams,
    scaled: Scaled,
    cones: Cones,
    kkt: Kkt,
    state: State,
    best: State,
    predictor: State,
    step: State,
    /// Errors of the first two rows of the embedding, side by side, and of the third.
    error: Vec<f64>,
    error_tau: f64,
    /// Solution for the right side `(−q, b)`.
    constant: Vec<f64>,
    /// `P x / τ`.
    slope: Vec<f64>,
    right: Vec<f64>,
    solution: Vec<f64>,
    /// `Wᵀ(λ \ d)`.
    shift: Vec<f64>,
    work: Vec<f64>,
    iterations: usize,
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

impl ConeSolver {
    /// Analyses a programme: pattern, order of elimination, units.
    pub fn new(program: ConeProgram, params: ConeParams) -> Result<Self, ProgramError> {
        program.checked()?;
        let (n, m) = (program.unknowns(), program.rows());
        let scaled = Scaled::new(&program);
        let cones = Cones::new(program.blocks());
        let kkt = Kkt::new(&scaled, &cones);
        Ok(Self {
            program,
            params,
            scaled,
            cones,
            kkt,
            state: State::new(n, m),
            best: State::new(n, m),
            predictor: State::new(n, m),
            step: State::new(n, m),
            error: vec![0.0; n + m],
            error_tau: 0.0,
            constant: vec![0.0; n + m],
            slope: vec![0.0; n],
            right: vec![0.0; n + m],
            solution: vec![0.0; n + m],
            shift: vec![0.0; m],
            work: vec![0.0; m],
            iterations: 0,
        })
    }

    /// Takes another cost, by unknowns; shorter ones leave the rest without cost.
    pub fn set_cost(&mut self, cost: &[f64]) -> Result<(), ProgramError> {
        let mut all = vec![0.0; self.program.unknowns()];
        all.iter_mut().zip(cost).for_each(|(to, from)| *to = *from);
        self.program.cost = all;
        self.program.checked()?;
        self.scaled.load(&self.program.cost, &self.program.right);
        Ok(())
    }

    /// The programme.
    pub fn program(&self) -> &ConeProgram {
        &self.program
    }

    /// Iterations of the last solve.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// Multiplications of one iteration, in its factors: most of what it costs.
    pub fn multiplications(&self) -> f64 {
        self.kkt.multiplications()
    }

    /// Solves the programme.
    pub fn solve(&mut self) -> ConeAnswer {
        self.solve_until(&|| false)
    }

    /// Solves the programme unless it is told to stop, which is asked at every iteration.
    pub fn solve_until(&mut self, stop: &dyn Fn() -> bool) -> ConeAnswer {
        self.iterations = 0;
        let levels = self.kkt.levels();
        self.kkt.regularise(levels[0]);
        self.begin();
        let mut best = f64::INFINITY;
        for &added in levels {
            self.kkt.regularise(added);
            match self.iterate(&mut best, stop) {
                End::Within => break,
                End::Proof(answer) => return *answer,
                End::Stuck if best <= self.params.enough || stop() => break,
                // once more from the best point so far
                End::Stuck => self.state.copy(&self.best),
            }
        }
        self.end()
    }

    /// Steps until the point is within the tolerance, proves something, or gets no better.
    fn iterate(&mut self, best: &mut f64, stop: &dyn Fn() -> bool) -> End {
        let mut since = 0;
        loop {
            let worth = self.judge();
            if worth.error < *best {
                since = if worth.error < 0.9 * *best { 0 } else { since + 1 };
                *best = worth.error;
                self.best.copy(&self.state);
            } else {
                since += 1;
            }
            if worth.error <= self.params.tolerance {
                return End::Within;
            }
            if worth.infeasible.max(worth.unbounded) >= self.params.reach
                && let Some(answer) = self.proof()
            {
                return End::Proof(Box::new(answer));
            }
            // a proof that there is no solution may need some time
            let leaning = self.state.tau < 1e-2 * self.state.kappa;
            let patient = since < if leaning { 4 * PATIENCE } else { PATIENCE };
            let ended = stop() || self.iterations >= self.params.iterations;
            if !patient || ended || !self.advance() {
                return self.proof().map_or(End::Stuck, |answer| End::Proof(Box::new(answer)));
            }
            self.iterations += 1;
        }
    }

    /// The point that is kept, in the units of the caller.
    fn end(&self) -> ConeAnswer {
        let (state, over) = (&self.best, self.best.tau);
        let x: Vec<f64> = self.scaled.unknowns(&state.x, over).collect();
        let z: Vec<f64> = self.scaled.multipliers(&state.z, over).collect();
        let s: Vec<f64> = self.scaled.slacks(&state.s, over).collect();
        let residuals = residuals(&self.program, &self.scaled, &x, &z, &s);
        let point = ConePoint { x, z, s, residuals };
        match residuals.worst() <= self.params.enough {
            true => ConeAnswer::Solved(point),
            false => ConeAnswer::Stalled(point),
        }
    }

    /// The proof that the point is, if it is one.
    fn proof(&self) -> Option<ConeAnswer> {
        let reach = self.params.reach;
        let scaled = &self.scaled;
        let state = &self.state;
        if !state.finite() {
            return None;
        }
        let work = -dot(&scaled.right, &state.z);
        if work > 0.0 {
            let mut z: Vec<f64> = scaled.multipliers(&state.z, 1.0).collect();
            let size = -dot(&self.program.right, &z);
            z.iter_mut().for_each(|z| *z /= size);
            if let Some(found) = check::reach(&self.program, scaled, &z).filter(|found| *found >= reach) {
                return Some(ConeAnswer::Infeasible { z, reach: found });
            }
        }
        let work = -dot(&scaled.cost, &state.x);
        if work > 0.0 {
            let mut x: Vec<f64> = scaled.unknowns(&state.x, 1.0).collect();
            let mut s: Vec<f64> = scaled.slacks(&state.s, 1.0).collect();
            let size = -dot(&self.program.cost, &x);
            x.iter_mut().chain(&mut s).for_each(|x| *x /= size);
            if let Some(steep) = steepness(&self.program, scaled, &x, &s).filter(|steep| *steep >= reach) {
                return Some(ConeAnswer::Unbounded { x, s, steep });
            }
        }
        None
    }

    /// The first point: least squares for `x` and `s`, and for `z`, moved into the cones (Vandenberghe 2010).
    fn begin(&mut self) {
        let n = self.program.unknowns();
        self.cones.unit_scaling();
        self.kkt.factor(&self.cones);
        let (scaled, cones) = (&self.scaled, &self.cones);
        let linear = scaled.squares.value.is_empty();
        self.right[..n]
            .iter_mut()
            .zip(&scaled.cost)
            .for_each(|(right, q)| *right = if linear { 0.0 } else { -q });
        self.right[n..].copy_from_slice(&scaled.right);
        self.kkt.solve(scaled, cones, &self.right, &mut self.solution);
        self.state.x.copy_from_slice(&self.solution[..n]);
        self.state.s.iter_mut().zip(&self.solution[n..]).for_each(|(s, z)| *s = -z);
        cones.clear_equations(&mut self.state.s);
        if linear {
            self.right[..n].iter_mut().zip(&scaled.cost).for_each(|(right, q)| *right = -q);
            self.right[n..].fill(0.0);
            self.kkt.solve(scaled, cones, &self.right, &mut self.solution);
        }
        self.state.z.copy_from_slice(&self.solution[n..]);
        for side in [&mut self.state.s, &mut self.state.z] {
            let depth = cones.depth(side);
            if depth.is_nan() {
                side.fill(0.0);
                cones.add_unit(1.0, side);
            } else if depth < 1e-2 {
                cones.add_unit(1.0 - depth, side);
            }
        }
        (self.state.tau, self.state.kappa) = (1.0, 1.0);
    }

    /// Computes the errors of the embedding at the point, and what it is worth.
    fn judge(&mut self) -> Worth {
        let n = self.program.unknowns();
        let (scaled, state) = (&self.scaled, &mut self.state);
        // powers of two keep the digits
        while state.tau.max(state.kappa) > 2.0 {
            state.times(0.5);
        }
        while state.tau.max(state.kappa) < 0.5 && state.tau.max(state.kappa) > 0.0 {
            state.times(2.0);
        }
        let state = &self.state;
        let over = 1.0 / state.tau;
        self.slope.fill(0.0);
        scaled.squares.add_symmetric(over, &state.x, &mut self.slope);
        let (first, second) = self.error.split_at_mut(n);
        first.fill(0.0);
        scaled.matrix.add_transposed(1.0, &state.z, first);
        let forces = largest(first);
        first.iter_mut().zip(&self.slope).for_each(|(error, slope)| *error += slope * state.tau);
        let squares = largest(&self.slope) * state.tau;
        first.iter_mut().zip(&scaled.cost).for_each(|(error, q)| *error += q * state.tau);
        second.copy_from_slice(&state.s);
        scaled.matrix.add_times(1.0, &state.x, second);
        let rows = largest(second);
        second.iter_mut().zip(&scaled.right).for_each(|(error, b)| *error -= b * state.tau);
        let square = dot(&self.slope, &state.x);
        let (cost, work) = (dot(&scaled.cost, &state.x), dot(&scaled.right, &state.z));
        self.error_tau = state.kappa + square + cost + work;
        let primal = largest(second) * over / (largest(&state.s).max(largest(&state.x)) * over).max(1.0);
        let dual = largest(first) * over / (largest(&state.z).max(squares) * over).max(1.0);
        let values = [(0.5 * square + cost) * over, (-0.5 * square - work) * over];
        let gap = (values[0] - values[1]).abs() / values[0].abs().min(values[1].abs()).max(1.0);
        let error = primal.max(dual).max(gap);
        Worth {
            error: if error.is_nan() { f64::INFINITY } else { error },
            infeasible: if work < 0.0 { -work / forces } else { 0.0 },
            unbounded: if cost < 0.0 { -cost / rows.max(squares) } else { 0.0 },
        }
    }

    /// One step; `false` where there is none to take.
    fn advance(&mut self) -> bool {
        let n = self.program.unknowns();
        if !self.cones.scale(&self.state.s, &self.state.z) {
            return false;
        }
        self.kkt.factor(&self.cones);
        self.right[..n].iter_mut().zip(&self.scaled.cost).for_each(|(right, q)| *right = -q);
        self.right[n..].copy_from_slice(&self.scaled.right);
        self.kkt.solve(&self.scaled, &self.cones, &self.right, &mut self.constant);
        let mu = (dot(&self.state.s, &self.state.z) + self.state.tau * self.state.kappa)
            / (self.cones.degree + 1) as f64;
        // the predictor: straight for the end
        self.shift.copy_from_slice(&self.state.s);
        let kappa = self.state.tau * self.state.kappa;
        self.direction(1.0, kappa);
        self.predictor.copy(&self.step);
        let length = self.length(1.0);
        let centred = (1.0 - length).powi(3);
        // the corrector: with what the predictor leaves out
        let kappa = kappa + self.predictor.tau * self.predictor.kappa - centred * mu;
        self.correct(centred * mu);
        self.direction(1.0 - centred, kappa);
        let length = (SHARE * self.length(1.0 / SHARE)).min(1.0);
        if !(self.step.finite() && length > SHORT) {
            return false;
        }
        self.state.advance(length, &self.step);
        self.cones.lift(&mut self.state.s);
        self.cones.lift(&mut self.state.z);
        self.state.finite() && self.state.tau > 0.0 && self.state.kappa > 0.0
    }

    /// `Wᵀ(λ \ (λ∘λ + (W⁻ᵀΔs)∘(WΔz) − σμ e))` of the predictor.
    fn correct(&mut self, centred: f64) {
        let (cones, predictor) = (&self.cones, &mut self.predictor);
        cones.divide(&mut predictor.s);
        cones.times(&mut predictor.z);
        cones.product(&predictor.s, &predictor.z, &mut self.shift);
        cones.product(&cones.lambda, &cones.lambda, &mut self.work);
        self.shift.iter_mut().zip(&self.work).for_each(|(shift, square)| *shift += square);
        cones.add_unit(-centred, &mut self.shift);
        cones.divide_by_lambda(&mut self.shift);
        cones.times(&mut self.shift);
    }

    /// The step that takes away a share of the errors, with `shift` and `kappa` for the complementarity.
    fn direction(&mut self, share: f64, kappa: f64) {
        let n = self.program.unknowns();
        let (scaled, cones, state) = (&self.scaled, &self.cones, &self.state);
        self.right.iter_mut().zip(&self.error).for_each(|(right, error)| *right = -share * error);
        self.right[n..].iter_mut().zip(&self.shift).for_each(|(right, shift)| *right += shift);
        self.kkt.solve(scaled, cones, &self.right, &mut self.solution);
        let (x1, z1) = self.solution.split_at(n);
        let (x2, z2) = self.constant.split_at(n);
        // from the solution as it is: only so is the step consistent with what regularisation left in it
        let square = dot(&self.slope, &state.x) / state.tau - 2.0 * dot(&self.slope, x2);
        let constant = dot(&scaled.cost, x2) + dot(&scaled.right, z2);
        let least = state.kappa / state.tau;
        let denominator = (least + square - constant).max(least);
        let along = 2.0 * dot(&self.slope, x1) + dot(&scaled.cost, x1) + dot(&scaled.right, z1);
        let tau = (share * self.error_tau - kappa / state.tau + along) / denominator;
        let sum = |to: &mut [f64], a: &[f64], b: &[f64]| {
            to.iter_mut().zip(a).zip(b).for_each(|((to, a), b)| *to = a + tau * b);
        };
        sum(&mut self.step.x, x1, x2);
        sum(&mut self.step.z, z1, z2);
        self.step.s.iter_mut().zip(&self.shift).for_each(|(s, shift)| *s = -shift);
        cones.add_square(-1.0, &self.step.z, &mut self.step.s);
        cones.clear_equations(&mut self.step.s);
        self.step.tau = tau;
        self.step.kappa = (-kappa - state.kappa * tau) / state.tau;
    }

    /// The length of the step up to the border, at most `most`.
    fn length(&self, most: f64) -> f64 {
        let (state, step) = (&self.state, &self.step);
        let mut length = self.cones.step(&state.s, &step.s, most);
        length = self.cones.step(&state.z, &step.z, length);
        if step.tau < 0.0 {
            length = length.min(-state.tau / step.tau);
        }
        if step.kappa < 0.0 {
            length = length.min(-state.kappa / step.kappa);
        }
        length
    }
}
