//! Accelerated projected gradient with De Saxcé's shift (Mazhar, Heyn, Negrut, Tasora 2015). Needs products
//! with the operator alone: no block is inverted, nothing factored. Refuses problems with numbers that are
//! not finite.

use crate::iteration::Iteration;
use crate::momentum::{Momentum, Patience};
use crate::nondimensional::Nondimensional;
use crate::stride::Stride;
use drystone_problem::{Delassus, Problem, Vector};

/// By how much an accepted step lets the next one be longer.
const LONGER: f64 = 1.0 / 0.9;
/// When the momentum is dropped because the steps grow.
const PATIENCE: Patience = Patience { rises: 4, jump: 4.0, kept: 0.0 };

/// The descent; an iteration is one product with the operator, or more where a step was too long.
///
/// From the extrapolated point `y` the law answers with a step of length `t`, `x = P(y − t û(y))`, where `û`
/// is shifted anew at every step: the fixed points are then those of the exact law, not of its convex cousin,
/// which the method as published solves. The step is halved while `Δ·ŴΔ > ‖Δ‖²/t` for `Δ = x − y`, that is
/// while it is longer than the curvature allows, and the momentum dropped when it points uphill (O'Donoghue,
/// Candès 2015) or when the steps grow.
pub(crate) struct Apgd<'a, const D: usize, W: Delassus<D>> {
    nondimensional: Nondimensional<'a, D, W>,
    /// The iterate and its `Ŵ x`.
    x: Vec<Vector<D>>,
    wx: Vec<Vector<D>>,
    /// Those before.
    last: Vec<Vector<D>>,
    w_last: Vec<Vector<D>>,
    /// The extrapolated point.
    y: Vec<Vector<D>>,
    wy: Vec<Vector<D>>,
    momentum: Momentum,
    stride: Stride,
}

impl<'a, const D: usize, W: Delassus<D>> Apgd<'a, D, W> {
    /// Starts at the impulses `r`; `None` where the problem is refused.
    pub fn new(problem: &'a Problem<D, W>, r: &[Vector<D>]) -> Option<Self> {
        let mut nondimensional = Nondimensional::new(problem)?;
        let x = nondimensional.scale(r);
        let mut wx = x.clone();
        nondimensional.times(&x, &mut wx);
        Some(Self {
            last: x.clone(),
            w_last: wx.clone(),
            y: x.clone(),
            wy: wx.clone(),
            x,
            wx,
            nondimensional,
            momentum: Momentum::new(PATIENCE),
            stride: Stride::new(LONGER),
        })
    }

    /// `y = x + β (x − x_last)`, and so for `Ŵ y`.
    fn extrapolate(&mut self) {
        let beta = self.momentum.beta();
        for k in 0..self.x.len() {
            self.y[k] = self.x[k] + (self.x[k] - self.last[k]) * beta;
            self.wy[k] = self.wx[k] + (self.wx[k] - self.w_last[k]) * beta;
        }
    }

    /// The answer of the law at `y`, into `x`; the square of the step.
    fn answer(&mut self) -> f64 {
        let mut square = 0.0;
        for k in 0..self.x.len() {
            let velocity = self.wy[k] + self.nondimensional.q[k];
            self.x[k] = self.nondimensional.sets[k].answer(self.stride.length, &velocity, &self.y[k]);
            square += (self.x[k] - self.y[k]).norm_squared();
        }
        square
    }

    /// `Δ·ŴΔ` of the step `Δ = x − y`.
    fn curvature(&self) -> f64 {
        (0..self.x.len()).map(|k| (self.x[k] - self.y[k]).dot(&(self.wx[k] - self.wy[k]))).sum()
    }

    /// How much the step points against the way from the last iterate.
    fn uphill(&self) -> f64 {
        (0..self.x.len()).map(|k| (self.y[k] - self.x[k]).dot(&(self.x[k] - self.last[k]))).sum()
    }
}

impl<const D: usize, W: Delassus<D>> Iteration<D> for Apgd<'_, D, W> {
    fn step(&mut self) -> bool {
        self.extrapolate();
        std::mem::swap(&mut self.x, &mut self.last);
        std::mem::swap(&mut self.wx, &mut self.w_last);
        let square = loop {
            let square = self.answer();
            self.nondimensional.times(&self.x, &mut self.wx);
            if !self.stride.try_again(square, self.curvature()) {
                break square;
            }
        };
        self.momentum.learn(square, self.uphill(), false);
        square > 0.0 && square.is_finite()
    }

    fn impulses(&self, r: &mut [Vector<D>]) {
        self.nondimensional.impulses(&self.x, r);
    }
}
