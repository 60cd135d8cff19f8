//! Nesterov's extrapolation with restart, on top of the Gauss–Seidel sweep.

use crate::sweep::{Looks, Sweep};
use crate::{Params, Report};
use drystone_problem::{Delassus, Problem, Vector};

/// Solves from the guess in `r`, keeping the best iterate seen.
///
/// Each sweep starts from the extrapolated point `y = P(r + β(r − r_last))` with Nesterov's weights β (Nesterov 1983).
/// The momentum is dropped when it points uphill (O'Donoghue, Candès 2015) or when the length of the sweep's change
/// grows: without the second test the exact, non-associated Coulomb law makes it diverge on some packings.
pub fn solve<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
    stream: u64,
) -> Report {
    let mut report = Report::start();
    let contacts = problem.contacts();
    if contacts == 0 {
        return report;
    }
    let weights: Vec<f64> = (0..contacts)
        .map(|alpha| problem.w.block(alpha).trace().max(0.0))
        .collect();
    let mut sweep = Sweep::new(problem, r, params, stream);
    let mut looks = Looks::new();
    let mut momentum = Momentum::new();
    let mut last_r = r.to_vec();
    let mut from = r.to_vec();
    let mut best = Best {
        residual: f64::INFINITY,
        r: r.to_vec(),
    };
    loop {
        // extrapolate in place, telling the sweep of it, and remember where it started from
        let beta = momentum.beta();
        for alpha in 0..contacts {
            let here = r[alpha];
            if beta > 0.0 {
                let there = problem.sets[alpha].project(&(here + (here - last_r[alpha]) * beta));
                sweep.change(alpha, &(there - here));
                r[alpha] = there;
            }
            last_r[alpha] = here;
            from[alpha] = r[alpha];
        }
        let moved = sweep.pass(r);
        report.iterations += 1;
        report.updates += contacts as u64;
        momentum.learn(&weights, &from, r, &last_r);
        let last = report.iterations >= params.max_iterations || !moved;
        if !looks.due(report.iterations) && !last {
            continue;
        }
        sweep.judge(r, params, &mut report);
        best.offer(r, &report);
        if report.converged || last || !report.residual.is_finite() {
            return best.give_back(problem, r, sweep, params, report);
        }
    }
}

/// Nesterov's weights and the two tests that reset them.
struct Momentum {
    theta: f64,
    length: f64,
    rises: u32,
}

impl Momentum {
    fn new() -> Self {
        Self {
            theta: 1.0,
            length: f64::INFINITY,
            rises: 0,
        }
    }

    /// Weight of the next extrapolation.
    fn beta(&mut self) -> f64 {
        let next = 0.5 * (1.0 + (1.0 + 4.0 * self.theta * self.theta).sqrt());
        let beta = (self.theta - 1.0) / next;
        self.theta = next;
        beta
    }

    /// Looks at a sweep that went from `from` to `r`, after the iterate `last`.
    fn learn<const D: usize>(
        &mut self,
        weights: &[f64],
        from: &[Vector<D>],
        r: &[Vector<D>],
        last: &[Vector<D>],
    ) {
        let mut length = 0.0;
        let mut uphill = 0.0;
        for alpha in 0..r.len() {
            let swept = r[alpha] - from[alpha];
            length += weights[alpha] * swept.norm_squared();
            uphill -= weights[alpha] * swept.dot(&(r[alpha] - last[alpha]));
        }
        self.rises = if length > self.length { self.rises + 1 } else { 0 };
        // squares: a factor 4 here is a factor 2 in length
        if uphill > 0.0 || self.rises >= 3 || length > 4.0 * self.length {
            self.theta = 1.0;
            self.rises = 0;
        }
        self.length = length;
    }
}

/// The best iterate seen.
struct Best<const D: usize> {
    residual: f64,
    r: Vec<Vector<D>>,
}

impl<const D: usize> Best<D> {
    fn offer(&mut self, r: &[Vector<D>], report: &Report) {
        if report.residual < self.residual {
            self.residual = report.residual;
            self.r.copy_from_slice(r);
        }
    }

    /// Hands the best iterate back with a report that speaks of it, or rest if nothing finite was ever seen.
    fn give_back<W: Delassus<D>>(
        self,
        problem: &Problem<D, W>,
        r: &mut [Vector<D>],
        mut sweep: Sweep<D, W>,
        params: &Params,
        mut report: Report,
    ) -> Report {
        if report.converged {
            return report;
        }
        debug_assert_eq!(problem.contacts(), r.len());
        match self.residual.is_finite() {
            true => r.copy_from_slice(&self.r),
            false => r.fill(Vector::zeros()),
        }
        sweep.judge(r, params, &mut report);
        report
    }
}
