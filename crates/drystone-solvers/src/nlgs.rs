//! Nonlinear Gauss–Seidel (Jean 1999; Dubois, Acary, Jean 2018, §3.1.7): contact after contact is solved exactly
//! with the others held, over and over.

use crate::{LocalBlock, Order, Params, Report};
use drystone_problem::{Delassus, Problem, Vector, residual};
use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;

/// Solves from the guess in `r`. Works on pairs of rigid bodies and on assembled blocks alike.
///
/// The residual costs about as much as a sweep, so it is looked at after 0, 1, 2, … sweeps and ever more rarely, at
/// most a tenth too late. A guess that is good enough is still swept once: warm-started errors then fade from step
/// to step instead of piling up below the tolerance.
pub fn solve<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
    stream: u64,
) -> Report {
    let contacts = problem.contacts();
    let mut report = Report { iterations: 0, updates: 0, residual: 0.0, converged: true, worst: None };
    if contacts == 0 {
        return report;
    }
    let locals: Vec<LocalBlock<D>> = (0..contacts).map(|alpha| LocalBlock::new(&problem.w.block(alpha))).collect();
    let mut route = Route::new(contacts, params.order, stream);
    let mut carry = problem.w.carry(r);
    let mut next_look = 1;
    loop {
        let moved = sweep(problem, &locals, route.next(), params.relaxation, r, &mut carry);
        report.iterations += 1;
        report.updates += contacts as u64;
        let last = report.iterations >= params.max_iterations || !moved;
        if report.iterations < next_look && !last {
            continue;
        }
        next_look = report.iterations + 1 + report.iterations / 10;
        // the carry is made anew at each look: rounding of thousands of changes does not pile up
        carry = problem.w.carry(r);
        judge(problem, r, &carry, &mut report);
        report.converged = report.residual <= params.tolerance;
        if !report.residual.is_finite() {
            r.fill(Vector::zeros());
            return report;
        }
        if report.converged || last {
            return report;
        }
    }
}

/// One pass over all contacts. Returns whether any impulse changed at all.
fn sweep<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    locals: &[LocalBlock<D>],
    order: &[u32],
    relaxation: f64,
    r: &mut [Vector<D>],
    carry: &mut W::Carry,
) -> bool {
    let mut moved = false;
    for &alpha in order {
        let alpha = alpha as usize;
        let set = &problem.sets[alpha];
        // velocity the contact would have without its own impulse
        let q = problem.u_free[alpha] + problem.w.row(alpha, r, carry) - problem.w.block(alpha) * r[alpha];
        let mut delta = locals[alpha].solve(&q, set) - r[alpha];
        if relaxation != 1.0 {
            delta = set.project(&(r[alpha] + delta * relaxation)) - r[alpha];
        }
        if delta.iter().any(|&change| change != 0.0) {
            moved = true;
            r[alpha] += delta;
            problem.w.change(alpha, &delta, carry);
        }
    }
    moved
}

/// Writes the residual of `r` into the report.
fn judge<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &[Vector<D>],
    carry: &W::Carry,
    report: &mut Report,
) {
    let u: Vec<Vector<D>> =
        (0..problem.contacts()).map(|alpha| problem.u_free[alpha] + problem.w.row(alpha, r, carry)).collect();
    let residual = residual(problem, &u, r);
    report.residual = residual.relative;
    report.worst = residual.worst;
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
