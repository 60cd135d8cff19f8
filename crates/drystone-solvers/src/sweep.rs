//! The Gauss–Seidel sweep that several solvers share, in lanes where the problem allows it. Decides nothing:
//! when to stop is theirs.

mod body_states;
mod coulomb;
mod group;
mod judge;
mod laned;
pub(crate) mod lanes;
mod rows;
mod scalar;
#[cfg(test)]
mod tests;
mod tile;
mod tiles;
mod visit;

use crate::{AutoParams, Order, Params, Report};
use drystone_problem::{Delassus, Measure, Problem, Product, Residual, Vector};
use laned::Backend;
use lanes::Instructions;
use scalar::Scalar;
use visit::PassOptions;

/// A problem made ready for sweeping, and the impulses as the sweeps go.
pub(crate) struct Sweep<'a, const D: usize, W: Delassus<D>> {
    problem: &'a Problem<D, W>,
    relaxation: f64,
    way: Way<'a, D, W>,
    product: Product<'a, D, W>,
    velocities: Vec<Vector<D>>,
}

/// How the contacts are visited.
enum Way<'a, const D: usize, W: Delassus<D>> {
    /// One after the other.
    Scalar(Scalar<'a, D, W>),
    /// Eight at a time.
    Lanes(Box<dyn Backend<D>>),
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passed {
    /// Whether any impulse changed.
    pub moved: bool,
    /// Square of the length of the change, weighed contact by contact; only with momentum.
    pub length: f64,
    /// Minus the product of the change with the way from the last iterate; only with momentum.
    pub uphill: f64,
    /// Contacts visited.
    pub updates: u64,
}

impl Passed {
    /// Counts a contact of some compliance whose impulse changed by `delta`, which ended `way` from the last
    /// iterate; returns whether it changed.
    fn visited<const D: usize>(&mut self, compliance: f64, delta: &Vector<D>, way: &Vector<D>) -> bool {
        self.updates += 1;
        let moved = delta.iter().any(|&change| change != 0.0);
        if moved {
            self.moved = true;
            self.length += compliance * delta.norm_squared();
            self.uphill -= compliance * delta.dot(way);
        }
        moved
    }

    /// Adds what another part of the sweep did.
    fn add(&mut self, other: &Self) {
        self.moved |= other.moved;
        self.length += other.length;
        self.uphill += other.uphill;
        self.updates += other.updates;
    }
}

impl<'a, const D: usize, W: Delassus<D>> Sweep<'a, D, W> {
    /// Makes the problem ready, at the impulses `r`.
    pub fn new(problem: &'a Problem<D, W>, r: &[Vector<D>], params: &Params, stream: u64) -> Self {
        Self::with(problem, r, params, stream, Some(Instructions::best()))
    }

    /// The same with instructions of one's choice; without any one contact comes after the other.
    pub fn with(
        problem: &'a Problem<D, W>,
        r: &[Vector<D>],
        params: &Params,
        stream: u64,
        instructions: Option<Instructions>,
    ) -> Self {
        // colours leave no choice of the order
        let lanes = match (instructions, params.order) {
            (Some(instructions), Order::Cyclic) => laned::build(problem, r, instructions),
            _ => None,
        };
        Self {
            problem,
            relaxation: params.relaxation,
            way: match lanes {
                Some(lanes) => Way::Lanes(lanes),
                None => Way::Scalar(Scalar::new(problem, r, params.order, stream)),
            },
            product: Product::new(&problem.w),
            velocities: vec![Vector::zeros(); problem.contacts()],
        }
    }

    /// One pass, each contact solved exactly with the others held. Unless told to visit `all`, contacts that
    /// stay open may be left out.
    pub fn pass(&mut self, all: bool) -> Passed {
        self.go(PassOptions { momentum: false, beta: 0.0, relaxation: self.relaxation }, all)
    }

    /// A pass that starts from impulses extrapolated by `beta` times the way from the last ones.
    pub fn pass_ahead(&mut self, beta: f64, all: bool) -> Passed {
        self.go(PassOptions { momentum: true, beta, relaxation: self.relaxation }, all)
    }

    fn go(&mut self, manner: PassOptions, all: bool) -> Passed {
        match &mut self.way {
            Way::Scalar(scalar) => scalar.pass(manner),
            Way::Lanes(lanes) => lanes.pass(manner, all),
        }
    }

    /// What one pass is taken to cost \[ns\], the same on every machine, since decisions hang on it.
    pub fn nanoseconds(&self, params: &AutoParams) -> f64 {
        let visit = match &self.way {
            Way::Scalar(_) => params.scalar_visit_ns * (D * D) as f64,
            Way::Lanes(_) => params.lane_visit_ns * D as f64,
        };
        visit * self.problem.contacts() as f64
    }

    /// Takes over impulses found by other means.
    pub fn put(&mut self, r: &[Vector<D>]) {
        match &mut self.way {
            Way::Scalar(scalar) => scalar.put(r),
            Way::Lanes(lanes) => lanes.put(r),
        }
    }

    /// Copies the impulses to `r`.
    pub fn take(&self, r: &mut [Vector<D>]) {
        match &self.way {
            Way::Scalar(scalar) => r.copy_from_slice(scalar.impulses()),
            Way::Lanes(lanes) => lanes.take(r),
        }
    }

    /// Copies the impulses to `r` and judges them; the carry is made anew on the way.
    pub fn judge(&mut self, r: &mut [Vector<D>], params: &Params, report: &mut Report) {
        match &mut self.way {
            Way::Scalar(scalar) => {
                scalar.refresh();
                r.copy_from_slice(scalar.impulses());
            }
            Way::Lanes(lanes) => {
                let relative = lanes.judge();
                lanes.take(r);
                let own = params.measure == Measure::Relative;
                if own && relative.is_finite() && relative > params.tolerance {
                    report.judged(&Residual { relative, worst: None }, params.tolerance);
                    return;
                }
            }
        }
        self.certify(r, params, report);
    }

    /// Judges any impulses by the one residual, from scratch.
    pub fn certify(&mut self, r: &[Vector<D>], params: &Params, report: &mut Report) {
        let free = &self.problem.u_free;
        for ((u, free), row) in self.velocities.iter_mut().zip(free).zip(self.product.rows(r)) {
            *u = free + row;
        }
        report.judged(&params.measure.judge(self.problem, &self.velocities, r), params.tolerance);
    }

    /// Bytes that one sweep reads and writes where it runs in lanes.
    pub fn bytes(&self) -> Option<usize> {
        match &self.way {
            Way::Scalar(_) => None,
            Way::Lanes(lanes) => Some(lanes.bytes()),
        }
    }
}

/// Most sweeps between two looks: where sweeps run in circles some iterates are better than others.
const RAREST: u32 = 30;

/// When to look at the residual, which costs about as much as a sweep: after 1, 2, 3, … sweeps and then more
/// rarely.
pub(crate) struct CheckSchedule {
    next: u32,
}

impl CheckSchedule {
    pub fn new() -> Self {
        Self { next: 1 }
    }

    /// Whether to look after so many sweeps.
    pub fn due(&mut self, iterations: u32) -> bool {
        let due = iterations >= self.next;
        if due {
            self.next = iterations + 1 + (iterations / 10).min(RAREST);
        }
        due
    }
}
