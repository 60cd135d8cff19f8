//! The Gauss–Seidel sweep that several solvers share. Decides nothing: when to stop is theirs.

use crate::{LocalBlock, Order, Params, Report};
use drystone_problem::{Delassus, Problem, Vector, residual};
use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;

/// A problem made ready for sweeping: local blocks inverted once, the carry of the operator, the order.
pub(crate) struct Sweep<'a, const D: usize, W: Delassus<D>> {
    problem: &'a Problem<D, W>,
    locals: Vec<LocalBlock<D>>,
    route: Route,
    relaxation: f64,
    carry: W::Carry,
    /// The carry of no impulse at all, kept so that the carry can be made anew without allocating.
    rest: W::Carry,
    velocities: Vec<Vector<D>>,
}

impl<'a, const D: usize, W: Delassus<D>> Sweep<'a, D, W> {
    /// Makes the problem ready, at the impulses `r`.
    pub fn new(problem: &'a Problem<D, W>, r: &[Vector<D>], params: &Params, stream: u64) -> Self {
        let contacts = problem.contacts();
        let velocities = vec![Vector::zeros(); contacts];
        Self {
            problem,
            locals: (0..contacts).map(|alpha| LocalBlock::new(&problem.w.block(alpha))).collect(),
            route: Route::new(contacts, params.order, stream),
            relaxation: params.relaxation,
            carry: problem.w.carry(r),
            rest: problem.w.carry(&velocities),
            velocities,
        }
    }

    /// One pass over all contacts, each solved exactly with the others held. Returns whether any impulse changed.
    pub fn pass(&mut self, r: &mut [Vector<D>]) -> bool {
        let problem = self.problem;
        let mut moved = false;
        for &alpha in self.route.next() {
            let alpha = alpha as usize;
            let set = &problem.sets[alpha];
            let local = &self.locals[alpha];
            // velocity the contact would have without its own impulse
            let q = problem.u_free[alpha] + problem.w.row(alpha, r, &self.carry) - local.w() * r[alpha];
            let mut delta = local.solve(&q, set) - r[alpha];
            if self.relaxation != 1.0 {
                delta = set.project(&(r[alpha] + delta * self.relaxation)) - r[alpha];
            }
            if delta.iter().any(|&change| change != 0.0) {
                moved = true;
                r[alpha] += delta;
                problem.w.change(alpha, &delta, &mut self.carry);
            }
        }
        moved
    }

    /// Tells the sweep that `r_α` was changed by `delta` from outside.
    pub fn change(&mut self, alpha: usize, delta: &Vector<D>) {
        self.problem.w.change(alpha, delta, &mut self.carry);
    }

    /// Judges `r` by the one residual. The carry is made anew, so that the rounding of thousands of changes does not
    /// pile up (Moreau, Jean 1996, §4).
    pub fn judge(&mut self, r: &[Vector<D>], params: &Params, report: &mut Report) {
        self.carry.clone_from(&self.rest);
        for (alpha, r) in r.iter().enumerate() {
            self.problem.w.change(alpha, r, &mut self.carry);
        }
        for (alpha, u) in self.velocities.iter_mut().enumerate() {
            *u = self.problem.u_free[alpha] + self.problem.w.row(alpha, r, &self.carry);
        }
        let residual = residual(self.problem, &self.velocities, r);
        report.residual = residual.relative;
        report.worst = residual.worst;
        report.converged = residual.relative <= params.tolerance;
    }
}

/// The orders in which the sweeps go.
struct Route {
    order: Vec<u32>,
    shuffle: Option<Pcg64>,
}

impl Route {
    fn new(contacts: usize, order: Order, stream: u64) -> Self {
        let forward = 0..contacts as u32;
        match order {
            Order::Cyclic => Self { order: forward.collect(), shuffle: None },
            Order::Reversed => Self { order: forward.rev().collect(), shuffle: None },
            Order::Random { seed } => {
                let generator = Pcg64::seed_from_u64(seed ^ stream.wrapping_mul(0x9E37_79B9_7F4A_7C15));
                Self { order: forward.collect(), shuffle: Some(generator) }
            }
        }
    }

    fn next(&mut self) -> &[u32] {
        if let Some(generator) = &mut self.shuffle {
            self.order.shuffle(generator);
        }
        &self.order
    }
}

/// When to look at the residual, which costs about as much as a sweep: after 1, 2, 3, … sweeps and ever more
/// rarely, at most a tenth too late.
pub(crate) struct Looks {
    next: u32,
}

impl Looks {
    pub fn new() -> Self {
        Self { next: 1 }
    }

    /// Whether to look after so many sweeps.
    pub fn due(&mut self, iterations: u32) -> bool {
        let due = iterations >= self.next;
        if due {
            self.next = iterations + 1 + iterations / 10;
        }
        due
    }
}
