//! The sweep as solvers see it: a back end, chosen by the problem, and the one residual. Decides nothing:
//! when to stop is theirs.

use crate::backend::{Backend, PassOptions, Passed};
use crate::choice;
use crate::lanes::Instructions;
use crate::scalar::Scalar;
use crate::sweep_memory::SweepMemory;
use drystone_problem::{
    AutoParams, Delassus, Order, Params, Problem, Product, Report, Vector, asked_impulse,
};

/// A problem made ready for sweeping, and the impulses as the sweeps go.
pub struct Sweep<'a, const D: usize, W: Delassus<D>> {
    problem: &'a Problem<D, W>,
    relaxation: f64,
    backend: Box<dyn Backend<D> + 'a>,
    product: Product<'a, D, W>,
    velocities: Vec<Vector<D>>,
    /// What the contacts ask for.
    asked: f64,
    /// Whether an iterate within the tolerance was found to be so from scratch.
    certified: bool,
    /// Whether the last iterate was judged from scratch.
    fresh: bool,
}

impl<'a, const D: usize, W: Delassus<D>> Sweep<'a, D, W> {
    /// Makes the problem ready, at the impulses `r`.
    pub fn new(problem: &'a Problem<D, W>, r: &[Vector<D>], params: &Params, stream: u64) -> Self {
        Self::with(problem, r, params, stream, Some(Instructions::best()))
    }

    /// The same in the memory of the sweeps over another problem, given what [the contacts ask
    /// for](asked_impulse); [`Self::leave`] gives the memory back.
    pub fn within(
        problem: &'a Problem<D, W>,
        r: &[Vector<D>],
        params: &Params,
        stream: u64,
        asked: f64,
        memory: &mut SweepMemory,
    ) -> Self {
        Self::chosen(problem, r, (params, stream), Some(Instructions::best()), asked, memory)
    }

    /// The same with instructions of one's choice; without any one contact comes after the other.
    pub fn with(
        problem: &'a Problem<D, W>,
        r: &[Vector<D>],
        params: &Params,
        stream: u64,
        instructions: Option<Instructions>,
    ) -> Self {
        let asked = asked_impulse(problem);
        Self::chosen(problem, r, (params, stream), instructions, asked, &mut SweepMemory::default())
    }

    fn chosen(
        problem: &'a Problem<D, W>,
        r: &[Vector<D>],
        (params, stream): (&Params, u64),
        instructions: Option<Instructions>,
        asked: f64,
        memory: &mut SweepMemory,
    ) -> Self {
        // colours leave no choice of the order
        let lanes = match (instructions, params.order) {
            (Some(instructions), Order::Cyclic) => choice::lanes(problem, r, asked, instructions, memory),
            _ => None,
        };
        let backend = match lanes {
            Some(lanes) => lanes,
            None => Box::new(Scalar::new(problem, r, params.order, stream)),
        };
        Self::made_of(problem, params, backend, asked)
    }

    /// Leaves its memory to the sweeps over the next problem.
    pub fn leave(self, memory: &mut SweepMemory) {
        memory.put(self.backend.into_any());
    }

    /// Sweeps by a back end of one's choice, made for this problem and at its impulses.
    pub fn over(problem: &'a Problem<D, W>, params: &Params, backend: Box<dyn Backend<D> + 'a>) -> Self {
        Self::made_of(problem, params, backend, asked_impulse(problem))
    }

    fn made_of(
        problem: &'a Problem<D, W>,
        params: &Params,
        backend: Box<dyn Backend<D> + 'a>,
        asked: f64,
    ) -> Self {
        Self {
            problem,
            relaxation: params.relaxation,
            backend,
            product: Product::new(&problem.w),
            velocities: vec![Vector::zeros(); problem.contacts()],
            asked,
            certified: false,
            fresh: false,
        }
    }

    /// One pass, each contact solved exactly with the others held. Unless told to visit `all`, contacts that
    /// stay open may be left out.
    pub fn pass(&mut self, all: bool) -> Passed {
        self.pass_in_order(None, 1.0, all)
    }

    /// The same in an order drawn by a number, as far as the back end has a choice, and relaxed by a factor
    /// beside that asked for.
    pub fn pass_shuffled(&mut self, number: u32, factor: f64, all: bool) -> Passed {
        self.pass_in_order(Some(number), factor, all)
    }

    fn pass_in_order(&mut self, drawn: Option<u32>, factor: f64, all: bool) -> Passed {
        let relaxation = factor * self.relaxation;
        let options = PassOptions { momentum: false, beta: 0.0, project: false, relaxation, drawn };
        self.fresh = false;
        self.backend.pass(options, all)
    }

    /// A pass that starts from impulses extrapolated by `beta` times the way from the last ones, brought back
    /// into their sets where `project` says so and the back end can.
    pub fn pass_ahead(&mut self, beta: f64, project: bool, all: bool) -> Passed {
        let relaxation = self.relaxation;
        let options = PassOptions { momentum: true, beta, project, relaxation, drawn: None };
        self.fresh = false;
        self.backend.pass(options, all)
    }

    /// Whether extrapolated impulses can be brought back into their sets.
    pub fn can_project(&self) -> bool {
        self.backend.can_project()
    }

    /// What one pass is taken to cost \[ns\], the same on every machine, since decisions hang on it.
    pub fn nanoseconds(&self, params: &AutoParams) -> f64 {
        self.backend.visit_ns(params) * self.problem.contacts() as f64
    }

    /// Takes over impulses found by other means.
    pub fn put(&mut self, r: &[Vector<D>]) {
        self.backend.put(r);
        self.fresh = false;
    }

    /// Multiplies the impulses of every contact by a factor of its own, and the way that momentum follows
    /// with them, where the back end can; whether it did.
    pub fn scale(&mut self, factors: &[f64]) -> bool {
        self.fresh = false;
        self.backend.scale(factors)
    }

    /// Copies the impulses to `r`.
    pub fn take(&mut self, r: &mut [Vector<D>]) {
        self.backend.take(r);
    }

    /// Copies the impulses to `r` and judges them. The back end is believed, but for the first time that it
    /// finds an iterate within the tolerance: who stops there or later certifies.
    pub fn judge(&mut self, r: &mut [Vector<D>], params: &Params, report: &mut Report) {
        // the error of Siconos is not the back end's to tell
        let own = if params.measure.is_of_saved() { None } else { self.backend.judge() };
        self.backend.take(r);
        if let Some(own) = own.map(|own| params.measure.of(own))
            && own.relative.is_finite()
            && (own.relative > params.tolerance || (self.certified && own.gap.is_some()))
        {
            report.judged(&own, params.tolerance);
            return;
        }
        self.certify(r, params, report);
        self.certified |= report.converged;
    }

    /// Judges any impulses by the one residual, from scratch.
    pub fn certify(&mut self, r: &[Vector<D>], params: &Params, report: &mut Report) {
        self.problem.velocities_into(r, self.product.carry(r), &mut self.velocities);
        let judged = params.measure.judge_beside(self.problem, &self.velocities, r, self.asked);
        report.judged(&judged, params.tolerance);
        self.fresh = true;
    }

    /// Whether nothing was swept since impulses were last judged from scratch.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Bytes that one sweep reads and writes, where its back end knows: lanes do.
    pub fn bytes(&self) -> Option<usize> {
        self.backend.bytes()
    }
}
