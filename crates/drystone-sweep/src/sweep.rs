//! The sweep as solvers see it: a back end, chosen by the problem, and the one residual. Decides nothing:
//! when to stop is theirs.

use crate::backend::{Backend, PassOptions, Passed};
use crate::choice;
use crate::lanes::Instructions;
use crate::scalar::Scalar;
use drystone_problem::{
    AutoParams, Delassus, Measure, Order, Params, Problem, Product, Report, Residual, Vector,
};

/// A problem made ready for sweeping, and the impulses as the sweeps go.
pub struct Sweep<'a, const D: usize, W: Delassus<D>> {
    problem: &'a Problem<D, W>,
    relaxation: f64,
    backend: Box<dyn Backend<D> + 'a>,
    product: Product<'a, D, W>,
    velocities: Vec<Vector<D>>,
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
            (Some(instructions), Order::Cyclic) => choice::lanes(problem, r, instructions),
            _ => None,
        };
        let backend = match lanes {
            Some(lanes) => lanes,
            None => Box::new(Scalar::new(problem, r, params.order, stream)),
        };
        Self::over(problem, params, backend)
    }

    /// Sweeps by a back end of one's choice, made for this problem and at its impulses.
    pub fn over(problem: &'a Problem<D, W>, params: &Params, backend: Box<dyn Backend<D> + 'a>) -> Self {
        Self {
            problem,
            relaxation: params.relaxation,
            backend,
            product: Product::new(&problem.w),
            velocities: vec![Vector::zeros(); problem.contacts()],
        }
    }

    /// One pass, each contact solved exactly with the others held. Unless told to visit `all`, contacts that
    /// stay open may be left out.
    pub fn pass(&mut self, all: bool) -> Passed {
        self.backend.pass(PassOptions { momentum: false, beta: 0.0, relaxation: self.relaxation }, all)
    }

    /// A pass that starts from impulses extrapolated by `beta` times the way from the last ones.
    pub fn pass_ahead(&mut self, beta: f64, all: bool) -> Passed {
        self.backend.pass(PassOptions { momentum: true, beta, relaxation: self.relaxation }, all)
    }

    /// What one pass is taken to cost \[ns\], the same on every machine, since decisions hang on it.
    pub fn nanoseconds(&self, params: &AutoParams) -> f64 {
        self.backend.visit_ns(params) * self.problem.contacts() as f64
    }

    /// Takes over impulses found by other means.
    pub fn put(&mut self, r: &[Vector<D>]) {
        self.backend.put(r);
    }

    /// Copies the impulses to `r`.
    pub fn take(&self, r: &mut [Vector<D>]) {
        self.backend.take(r);
    }

    /// Copies the impulses to `r` and judges them; what the back end keeps beside them is made anew on the
    /// way.
    pub fn judge(&mut self, r: &mut [Vector<D>], params: &Params, report: &mut Report) {
        let own = self.backend.judge();
        self.backend.take(r);
        if let Some(relative) = own.filter(|_| params.measure == Measure::Relative)
            && relative.is_finite()
            && relative > params.tolerance
        {
            report.judged(&Residual { relative, ..Residual::default() }, params.tolerance);
            return;
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

    /// Bytes that one sweep reads and writes, where its back end knows: lanes do.
    pub fn bytes(&self) -> Option<usize> {
        self.backend.bytes()
    }
}
