//! Conjugate projected gradient (Renouf, Alart 2005): conjugate directions on the faces of the admissible
//! impulses, the thresholds of friction held for a while. Needs products with the operator alone. Refuses
//! problems with numbers that are not finite.

mod held;

use crate::iteration::Iteration;
use crate::nondimensional::Nondimensional;
use crate::stride::Stride;
use drystone_problem::{Delassus, Problem, Vector};
use held::Held;

/// The thresholds are taken anew once the error with those held is this small beside the change they would
/// make.
const SETTLED: f64 = 0.3;
/// Iterations after which they are taken anew in any case.
const MOST_HELD: u32 = 200;
/// A step must gain this share of what a straight line promises.
const ENOUGH: f64 = 1e-3;
/// By how much a plain step lets the next one be longer.
const LONGER: f64 = 1.1;

/// The descent; an iteration is one step, of one to three products with the operator.
///
/// With the thresholds of friction held, the impulses minimise an energy over half-lines and disks. A
/// conjugate step that leaves the set is projected back; if the energy falls it is kept, and with it of the
/// direction what the new faces allow, else a plain projected step is made, which always gains. The
/// thresholds follow the normal impulses.
pub(crate) struct Cpg<'a, const D: usize, W: Delassus<D>> {
    nondimensional: Nondimensional<'a, D, W>,
    held: Vec<Held>,
    x: Vec<Vector<D>>,
    /// `−(Ŵ x + q)`, where the energy falls fastest.
    downhill: Vec<Vector<D>>,
    direction: Vec<Vector<D>>,
    /// `Ŵ` times the direction.
    bent: Vec<Vector<D>>,
    /// A step on trial.
    trial: Vec<Vector<D>>,
    trial_downhill: Vec<Vector<D>>,
    /// Length of a plain step.
    stride: Stride,
    /// Iterations since the thresholds were taken.
    age: u32,
}

impl<'a, const D: usize, W: Delassus<D>> Cpg<'a, D, W> {
    /// Starts at the impulses `r`; `None` where the problem is refused.
    pub fn new(problem: &'a Problem<D, W>, r: &[Vector<D>]) -> Option<Self> {
        let nondimensional = Nondimensional::new(problem)?;
        let x = nondimensional.scale(r);
        let zero = vec![Vector::zeros(); x.len()];
        let mut descent = Self {
            held: nondimensional.sets.iter().zip(&x).map(|(set, x)| Held::new(set, x)).collect(),
            nondimensional,
            x,
            downhill: zero.clone(),
            direction: zero.clone(),
            bent: zero.clone(),
            trial: zero.clone(),
            trial_downhill: zero,
            stride: Stride::new(LONGER),
            age: 0,
        };
        descent.trial.copy_from_slice(&descent.x);
        descent.weigh_trial();
        descent.take_trial();
        descent.start_afresh();
        Some(descent)
    }

    /// One step with the thresholds held; whether it went anywhere.
    fn descend(&mut self) -> bool {
        self.age += 1;
        let mut slope = dot(&self.direction, &self.downhill);
        if slope.is_nan() || slope <= 0.0 {
            self.start_afresh();
            slope = dot(&self.direction, &self.downhill);
        }
        if slope.is_nan() || slope <= 0.0 {
            return self.plain();
        }
        self.nondimensional.times(&self.direction, &mut self.bent);
        let curvature = dot(&self.direction, &self.bent);
        // along impulses that balance each other nothing bends, and no step is the right one
        if curvature.is_nan() || curvature <= f64::EPSILON * slope {
            return self.plain();
        }
        if !self.conjugate(slope / curvature) {
            return self.plain();
        }
        // conjugate to the last direction as far as the faces allow it
        let mut turn = 0.0;
        for k in 0..self.x.len() {
            turn -= self.held[k].face(&self.x[k], &self.downhill[k]).dot(&self.bent[k]);
        }
        turn /= curvature;
        for k in 0..self.x.len() {
            let along = self.held[k].face(&self.x[k], &self.downhill[k]);
            self.direction[k] = along + self.held[k].face(&self.x[k], &self.direction[k]) * turn;
        }
        true
    }

    /// Goes so far along the direction and back into the set; whether that was a gain.
    fn conjugate(&mut self, length: f64) -> bool {
        let mut met = false;
        for k in 0..self.x.len() {
            let ahead = self.x[k] + self.direction[k] * length;
            self.trial[k] = self.held[k].project(&ahead);
            met |= self.trial[k] != ahead;
        }
        if !met {
            self.x.copy_from_slice(&self.trial);
            for k in 0..self.x.len() {
                self.downhill[k] -= self.bent[k] * length;
            }
            return true;
        }
        self.weigh_trial();
        let (gained, promised) = self.gain();
        let good = gained > ENOUGH * promised && promised > 0.0;
        if good {
            self.take_trial();
        }
        good
    }

    /// A plain projected step, as long as the curvature allows; whether it went anywhere.
    fn plain(&mut self) -> bool {
        let square = loop {
            let mut square = 0.0;
            for k in 0..self.x.len() {
                self.trial[k] = self.held[k].project(&(self.x[k] + self.downhill[k] * self.stride.length));
                square += (self.trial[k] - self.x[k]).norm_squared();
            }
            self.weigh_trial();
            let curvature: f64 = (0..self.x.len())
                .map(|k| (self.trial[k] - self.x[k]).dot(&(self.downhill[k] - self.trial_downhill[k])))
                .sum();
            if !self.stride.try_again(square, curvature) {
                break square;
            }
        };
        self.take_trial();
        self.start_afresh();
        square > 0.0 && square.is_finite()
    }

    /// Takes the thresholds anew once the impulses have settled with the old ones; whether any changed.
    fn renew(&mut self, stuck: bool) -> bool {
        let (mut error, mut change) = (0.0, 0.0);
        for k in 0..self.x.len() {
            error += (self.held[k].project(&(self.x[k] + self.downhill[k])) - self.x[k]).norm_squared();
            let new = Held::new(&self.nondimensional.sets[k], &self.x[k]);
            change += self.held[k].change(&new, &self.x[k]);
        }
        let settled = error <= SETTLED * SETTLED * change;
        if !(settled || stuck || self.age >= MOST_HELD) || change == 0.0 {
            return false;
        }
        for k in 0..self.x.len() {
            self.held[k] = Held::new(&self.nondimensional.sets[k], &self.x[k]);
            self.trial[k] = self.held[k].project(&self.x[k]);
        }
        self.weigh_trial();
        self.take_trial();
        self.start_afresh();
        self.age = 0;
        true
    }

    /// Forgets the direction: downhill along the faces.
    fn start_afresh(&mut self) {
        for k in 0..self.x.len() {
            self.direction[k] = self.held[k].face(&self.x[k], &self.downhill[k]);
        }
    }

    /// Where it goes downhill from the trial.
    fn weigh_trial(&mut self) {
        self.nondimensional.times(&self.trial, &mut self.trial_downhill);
        for (downhill, q) in self.trial_downhill.iter_mut().zip(&self.nondimensional.q) {
            *downhill = -(*downhill + q);
        }
    }

    /// What the energy falls by from here to the trial, and what the slope here promises.
    fn gain(&self) -> (f64, f64) {
        let (mut gained, mut promised) = (0.0, 0.0);
        for k in 0..self.x.len() {
            let step = self.trial[k] - self.x[k];
            promised += step.dot(&self.downhill[k]);
            gained += 0.5 * step.dot(&(self.downhill[k] + self.trial_downhill[k]));
        }
        (gained, promised)
    }

    fn take_trial(&mut self) {
        std::mem::swap(&mut self.x, &mut self.trial);
        std::mem::swap(&mut self.downhill, &mut self.trial_downhill);
    }
}

impl<const D: usize, W: Delassus<D>> Iteration<D> for Cpg<'_, D, W> {
    fn step(&mut self) -> bool {
        let moved = self.descend();
        let renewed = self.renew(!moved);
        moved || renewed
    }

    fn impulses(&self, r: &mut [Vector<D>]) {
        self.nondimensional.impulses(&self.x, r);
    }
}

fn dot<const D: usize>(a: &[Vector<D>], b: &[Vector<D>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}
