//! The sweep one contact after the other, over any operator and any set, in any order: for small problems,
//! assembled ones and scrambled orders.

use crate::backend::{Backend, PassOptions, Passed};
use crate::visit_order::VisitOrder;
use drystone_local::LocalBlock;
use drystone_problem::{AutoParams, Delassus, Order, Problem, Product, Residual, Scale, Vector};
use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;

/// A problem made ready for sweeping: local blocks inverted once, the product with the operator, the order.
pub(crate) struct Scalar<'a, const D: usize, W: Delassus<D>> {
    problem: &'a Problem<D, W>,
    locals: Vec<LocalBlock<D>>,
    visits: Visits,
    product: Product<'a, D, W>,
    r: Vec<Vector<D>>,
    /// The impulses before the last sweep, and those it started from.
    last: Vec<Vector<D>>,
    from: Vec<Vector<D>>,
    weights: Vec<f64>,
}

impl<'a, const D: usize, W: Delassus<D>> Scalar<'a, D, W> {
    /// Makes the problem ready, at the impulses `r`.
    pub fn new(problem: &'a Problem<D, W>, r: &[Vector<D>], order: Order, stream: u64) -> Self {
        let contacts = problem.contacts();
        let weight = |alpha: usize| Scale::new(&problem.w.block(alpha), &problem.sets[alpha]).compliance;
        Self {
            problem,
            locals: (0..contacts).map(|alpha| LocalBlock::new(&problem.w.block(alpha))).collect(),
            visits: Visits::new(contacts, order, stream),
            product: Product::at(&problem.w, r),
            r: r.to_vec(),
            last: r.to_vec(),
            from: r.to_vec(),
            weights: (0..contacts).map(weight).collect(),
        }
    }

    /// Extrapolates in place, back into the sets, and remembers where it started from.
    fn extrapolate(&mut self, beta: f64) {
        for alpha in 0..self.r.len() {
            let here = self.r[alpha];
            if beta > 0.0 {
                let ahead = here + (here - self.last[alpha]) * beta;
                let there = self.problem.sets[alpha].project(&ahead);
                self.product.change(alpha, &(there - here));
                self.r[alpha] = there;
            }
            self.last[alpha] = here;
            self.from[alpha] = self.r[alpha];
        }
    }

    /// Square of the length of the last sweep's change, and how much it points against the way from the last
    /// iterate.
    fn changes(&self) -> (f64, f64) {
        let (mut length, mut uphill) = (0.0, 0.0);
        for alpha in 0..self.r.len() {
            let swept = self.r[alpha] - self.from[alpha];
            length += self.weights[alpha] * swept.norm_squared();
            uphill -= self.weights[alpha] * swept.dot(&(self.r[alpha] - self.last[alpha]));
        }
        (length, uphill)
    }
}

impl<const D: usize, W: Delassus<D>> Backend<D> for Scalar<'_, D, W> {
    /// One pass over all contacts, each solved exactly with the others held.
    fn pass(&mut self, manner: PassOptions, _all: bool) -> Passed {
        if manner.momentum {
            self.extrapolate(manner.beta);
        }
        let problem = self.problem;
        let mut moved = false;
        let visits = self.visits.next();
        let order = VisitOrder::new(visits.len(), manner.drawn);
        for place in 0..visits.len() {
            let alpha = visits[order.at(place)] as usize;
            let set = &problem.sets[alpha];
            let u = problem.u_free[alpha] + self.product.row(alpha, &self.r);
            let here = self.r[alpha];
            let delta = self.locals[alpha].answer(&u, &here, set, manner.relaxation) - here;
            if delta.iter().any(|&change| change != 0.0) {
                moved = true;
                self.r[alpha] += delta;
                self.product.change(alpha, &delta);
            }
        }
        let (length, uphill) = if manner.momentum { self.changes() } else { (0.0, 0.0) };
        Passed { moved, length, uphill, updates: self.r.len() as u64 }
    }

    fn put(&mut self, r: &[Vector<D>]) {
        self.r.copy_from_slice(r);
        self.last.copy_from_slice(r);
        self.product.renew(&self.r);
    }

    fn take(&mut self, r: &mut [Vector<D>]) {
        r.copy_from_slice(&self.r);
    }

    /// Makes the carry anew, so that the rounding of thousands of changes does not pile up (Moreau, Jean
    /// 1996, §4); the residual comes from scratch.
    fn judge(&mut self) -> Option<Residual> {
        self.product.renew(&self.r);
        None
    }

    fn visit_ns(&self, params: &AutoParams) -> f64 {
        params.scalar_visit_ns * (D * D) as f64
    }
}

/// The orders in which the sweeps go.
struct Visits {
    order: Vec<u32>,
    shuffle: Option<Pcg64>,
}

impl Visits {
    fn new(contacts: usize, order: Order, stream: u64) -> Self {
        let forward = 0..contacts as u32;
        match order {
            Order::Cyclic | Order::Identity => Self { order: forward.collect(), shuffle: None },
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
