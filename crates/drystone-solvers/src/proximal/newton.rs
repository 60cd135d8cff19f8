//! Semismooth Newton on the exact Coulomb law in Alart and Curnier's form, in scaled variables. Knows no proximal
//! point but its data: a compliance on the diagonal and a centre.

use super::lu::Lu;
use super::scaled::Scaled;
use drystone_math::nalgebra::{DMatrix, DVector};

/// Steps after which Newton gives up.
const MOST_STEPS: u32 = 30;
/// Halvings of a step after which Newton gives up.
const MOST_HALVINGS: u32 = 8;
/// The step need only beat the worst of so many residuals: the pieces of the map meet at kinks.
const MEMORY: usize = 4;

/// What a contact does at the iterate.
#[derive(Clone, Copy, PartialEq)]
enum Status {
    /// No impulse.
    Open,
    /// No velocity.
    Stick,
    /// Sliding along `direction` with `turning = slope·g/‖τ‖`, the share of a change of `τ` that only turns it.
    Slip { direction: [f64; 2], turning: f64 },
}

/// The problem `y = (W + I/α) x + q − centre/α`.
pub(super) struct Newton<'a, const D: usize> {
    scaled: &'a Scaled<D>,
    /// `1/α`.
    compliance: f64,
    centre: DVector<f64>,
    status: Vec<Status>,
    phi: DVector<f64>,
}

/// How Newton ended.
pub(super) struct Outcome {
    /// Factorisations done.
    pub steps: u32,
    /// Whether the residual asked for was reached.
    pub converged: bool,
}

impl<'a, const D: usize> Newton<'a, D> {
    /// The proximal problem around `centre`; `compliance = 0` is the problem itself.
    pub fn new(scaled: &'a Scaled<D>, compliance: f64, centre: &DVector<f64>) -> Self {
        Self {
            scaled,
            compliance,
            centre: centre.clone(),
            status: vec![Status::Open; scaled.slope.len()],
            phi: DVector::zeros(centre.len()),
        }
    }

    /// Length of the natural map in Alart and Curnier's form at `x`.
    pub fn residual(&mut self, x: &DVector<f64>) -> f64 {
        let y = self.velocities(x);
        self.look(x, &y)
    }

    /// Improves `x` until the residual is at most `tolerance`, in at most `budget` steps.
    pub fn solve(&mut self, x: &mut DVector<f64>, tolerance: f64, budget: u32) -> Outcome {
        let mut history = Vec::with_capacity(MOST_STEPS as usize);
        let mut steps = 0;
        loop {
            let y = self.velocities(x);
            let length = self.look(x, &y);
            let converged = length <= tolerance;
            if converged || !length.is_finite() || steps >= budget.min(MOST_STEPS) {
                return Outcome { steps, converged };
            }
            history.push(length);
            let recent = &history[history.len().saturating_sub(MEMORY)..];
            let bar = recent.iter().copied().fold(0.0, f64::max);
            let step = self.step(x);
            steps += 1;
            if !self.line_search(x, &y, &step, bar) {
                return Outcome {
                    steps,
                    converged: false,
                };
            }
        }
    }

    fn velocities(&self, x: &DVector<f64>) -> DVector<f64> {
        let mut y = &self.scaled.w * x + &self.scaled.q;
        y.axpy(self.compliance, &(x - &self.centre), 1.0);
        y
    }

    /// Fills in the map and the status of every contact; returns the length of the map.
    fn look(&mut self, x: &DVector<f64>, y: &DVector<f64>) -> f64 {
        for contact in 0..self.status.len() {
            let rows = self.scaled.rows(contact);
            let slope = self.scaled.slope[contact];
            let (normal, tangents) = (rows.start, rows.start + 1..rows.end);
            let g = x[normal] - y[normal];
            if g <= 0.0 {
                self.status[contact] = Status::Open;
                rows.for_each(|row| self.phi[row] = x[row]);
                continue;
            }
            self.phi[normal] = y[normal];
            let mut direction = [0.0; 2];
            for (tau, row) in direction.iter_mut().zip(tangents.clone()) {
                *tau = x[row] - y[row];
            }
            let length = direction[0].hypot(direction[1]);
            if length <= slope * g {
                self.status[contact] = Status::Stick;
                tangents.for_each(|row| self.phi[row] = y[row]);
            } else {
                direction = direction.map(|tau| tau / length);
                for (along, row) in direction.iter().zip(tangents) {
                    self.phi[row] = x[row] - slope * g * along;
                }
                let turning = slope * g / length;
                self.status[contact] = Status::Slip { direction, turning };
            }
        }
        self.phi.norm()
    }

    /// Derivative of the map at one contact along `(dx, dy)`, given by their components there.
    fn derivative(&self, contact: usize, dx: [f64; 3], dy: [f64; 3]) -> [f64; 3] {
        match self.status[contact] {
            Status::Open => dx,
            Status::Stick => dy,
            Status::Slip { direction, turning } => {
                let dg = self.scaled.slope[contact] * (dx[0] - dy[0]);
                // of the change of τ, what lies across the direction of sliding
                let along: f64 = (0..2).map(|t| direction[t] * (dx[t + 1] - dy[t + 1])).sum();
                let tangent = |t: usize| {
                    let across = dx[t + 1] - dy[t + 1] - along * direction[t];
                    dx[t + 1] - dg * direction[t] - turning * across
                };
                [dy[0], tangent(0), tangent(1)]
            }
        }
    }

    /// Components of a long vector at one contact.
    fn local(&self, contact: usize, of: impl Fn(usize) -> f64) -> [f64; 3] {
        let mut local = [0.0; 3];
        for (component, row) in self.scaled.rows(contact).enumerate() {
            local[component] = of(row);
        }
        local
    }

    /// Newton's step. Open contacts drop their impulse, whatever the others do, and leave the system.
    fn step(&self, x: &DVector<f64>) -> DVector<f64> {
        let scaled = self.scaled;
        let mut step = DVector::zeros(x.len());
        let mut closed = Vec::new();
        let mut place = Vec::new();
        let mut kept = Vec::new();
        for (contact, status) in self.status.iter().enumerate() {
            if *status == Status::Open {
                scaled.rows(contact).for_each(|row| step[row] = -x[row]);
            } else {
                closed.push(contact);
                place.push(kept.len());
                kept.extend(scaled.rows(contact));
            }
        }
        let dropped = &scaled.w * &step;
        let mut jacobian = DMatrix::zeros(kept.len(), kept.len());
        let mut right = DVector::zeros(kept.len());
        for (&contact, &place) in closed.iter().zip(&place) {
            let rows = scaled.rows(contact);
            let by_dropped = self.derivative(contact, [0.0; 3], self.local(contact, |row| dropped[row]));
            for (component, row) in rows.clone().enumerate() {
                right[place + component] = -self.phi[row] - by_dropped[component];
            }
        }
        for (place_of_column, &column) in kept.iter().enumerate() {
            let by_column = scaled.w.column(column);
            let mut target = jacobian.column_mut(place_of_column);
            for (&contact, &place) in closed.iter().zip(&place) {
                let dx = self.local(contact, |row| if row == column { 1.0 } else { 0.0 });
                let own = dx.map(|dx| dx * self.compliance);
                let dy = self.local(contact, |row| by_column[row]);
                let entry = self.derivative(contact, dx, std::array::from_fn(|k| dy[k] + own[k]));
                for component in 0..scaled.rows(contact).len() {
                    target[place + component] = entry[component];
                }
            }
        }
        Lu::new(jacobian).solve(&mut right);
        for (value, row) in right.iter().zip(kept) {
            step[row] = *value;
        }
        step
    }

    /// Moves `x` along the step until the residual falls below the bar; `false` where it does not.
    fn line_search(&mut self, x: &mut DVector<f64>, y: &DVector<f64>, step: &DVector<f64>, bar: f64) -> bool {
        let mut change = &self.scaled.w * step;
        change.axpy(self.compliance, step, 1.0);
        let mut length = 1.0;
        for _ in 0..=MOST_HALVINGS {
            let there = &*x + step * length;
            let residual = self.look(&there, &(y + &change * length));
            if residual < (1.0 - 1e-3 * length) * bar {
                *x = there;
                return true;
            }
            length *= 0.5;
        }
        false
    }
}
