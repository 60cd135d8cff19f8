//! Accelerated projected gradient with De Saxcé's shift (Mazhar, Heyn, Negrut, Tasora 2015). Needs products with the
//! operator alone: no block is inverted, nothing factored. Refuses problems with numbers that are not finite.

use crate::iteration::Iteration;
use crate::unitless::Unitless;
use drystone_problem::{Delassus, Problem, Vector};

/// Every accepted step lets the next one be longer by this factor; a step too long is found out by the next test.
const LONGER: f64 = 1.0 / 0.9;
/// Halvings of a step in one iteration: from a compliance of one to that of a thousand contacts on one body.
const MOST_HALVINGS: u32 = 30;

/// The descent; an iteration is one product with the operator, or more where a step was too long.
///
/// From the extrapolated point `y` the law answers with a step of length `t`, `x = P(y − t û(y))`, where `û` is shifted
/// anew at every step: the fixed points are then those of the exact law, not of its convex cousin, which the method as
/// published solves. The step is halved while `Δ·ŴΔ > ‖Δ‖²/t` for `Δ = x − y`, that is while it is longer than the
/// curvature allows, and the momentum dropped when it points uphill (O'Donoghue, Candès 2015) or when the steps grow.
pub(crate) struct Apgd<'a, const D: usize, W: Delassus<D>> {
    unitless: Unitless<'a, D, W>,
    /// The iterate and its `Ŵ x`.
    x: Vec<Vector<D>>,
    wx: Vec<Vector<D>>,
    /// Those before.
    last: Vec<Vector<D>>,
    w_last: Vec<Vector<D>>,
    /// The extrapolated point.
    y: Vec<Vector<D>>,
    wy: Vec<Vector<D>>,
    theta: f64,
    length: f64,
    /// Square of the last step, and how often it has grown in a row.
    moved: f64,
    rises: u32,
}

impl<'a, const D: usize, W: Delassus<D>> Apgd<'a, D, W> {
    /// Starts at the impulses `r`; `None` where the problem is refused.
    pub fn new(problem: &'a Problem<D, W>, r: &[Vector<D>]) -> Option<Self> {
        let mut unitless = Unitless::new(problem)?;
        let x = unitless.scale(r);
        let mut wx = x.clone();
        unitless.times(&x, &mut wx);
        Some(Self {
            last: x.clone(),
            w_last: wx.clone(),
            y: x.clone(),
            wy: wx.clone(),
            x,
            wx,
            unitless,
            theta: 1.0,
            length: 1.0,
            moved: f64::INFINITY,
            rises: 0,
        })
    }

    /// `y = x + β (x − x_last)`, and so for `Ŵ y`.
    fn extrapolate(&mut self) {
        let next = 0.5 * (1.0 + (1.0 + 4.0 * self.theta * self.theta).sqrt());
        let beta = (self.theta - 1.0) / next;
        self.theta = next;
        for k in 0..self.x.len() {
            self.y[k] = self.x[k] + (self.x[k] - self.last[k]) * beta;
            self.wy[k] = self.wx[k] + (self.wx[k] - self.w_last[k]) * beta;
        }
    }

    /// The answer of the law at `y`, into `x`; the square of the step.
    fn answer(&mut self) -> f64 {
        let mut square = 0.0;
        for k in 0..self.x.len() {
            let velocity = self.wy[k] + self.unitless.q[k];
            self.x[k] = self.unitless.sets[k].answer(self.length, &velocity, &self.y[k]);
            square += (self.x[k] - self.y[k]).norm_squared();
        }
        square
    }

    /// Drops the momentum where it does harm.
    fn learn(&mut self, square: f64) {
        let uphill: f64 =
            (0..self.x.len()).map(|k| (self.y[k] - self.x[k]).dot(&(self.x[k] - self.last[k]))).sum();
        self.rises = if square > self.moved { self.rises + 1 } else { 0 };
        if uphill > 0.0 || self.rises >= 4 || square > 4.0 * self.moved {
            self.theta = 1.0;
            self.rises = 0;
        }
        self.moved = square;
    }
}

impl<const D: usize, W: Delassus<D>> Iteration<D> for Apgd<'_, D, W> {
    fn step(&mut self) -> bool {
        self.extrapolate();
        std::mem::swap(&mut self.x, &mut self.last);
        std::mem::swap(&mut self.wx, &mut self.w_last);
        let mut square = 0.0;
        for halving in 0..=MOST_HALVINGS {
            square = self.answer();
            self.unitless.times(&self.x, &mut self.wx);
            let curvature: f64 =
                (0..self.x.len()).map(|k| (self.x[k] - self.y[k]).dot(&(self.wx[k] - self.wy[k]))).sum();
            let long = curvature * self.length > square;
            if !long || halving == MOST_HALVINGS {
                break;
            }
            // where the curvature is known to be much larger, go there at once
            self.length = (0.5 * self.length).max(0.9 * square / curvature).min(0.9 * self.length);
        }
        self.length *= LONGER;
        self.learn(square);
        square > 0.0 && square.is_finite()
    }

    fn impulses(&self, r: &mut [Vector<D>]) {
        self.unitless.impulses(&self.x, r);
    }
}
