//! Projected Jacobi with mass splitting: all contacts at once, each solved exactly with its share of the
//! bodies (Tonge, Benevolenski, Voroshilov 2012). Slow and simple; refuses nothing but leaves problems with
//! broken numbers alone.

use crate::iteration::Iteration;
use crate::power::{self, MARGIN};
use crate::{LocalBlock, Params};
use drystone_problem::{Delassus, Matrix, Problem, Product, Set, Vector};

/// The blocks grow by this factor when an operator that is not symmetric makes the steps grow.
const STIFFER: f64 = 1.5;
/// How often they may: eleven times as stiff, beyond which nothing would move.
const MOST_STIFFER: u32 = 6;
/// Steps that grow so often in a row are no accident.
const MOST_RISES: u32 = 5;

/// All contacts at once, over and over.
///
/// Every body is cut into as many equal pieces as it has contacts, and every contact gets one. The compliance
/// of a contact is then that of the pieces, `B_α`, with `W ⪯ diag B`: solving all contacts at once with `B_α`
/// in the place of `W_αα` never overshoots, and putting the pieces together again averages what they have
/// learnt.
pub(crate) struct Jacobi<'a, const D: usize, W> {
    problem: &'a Problem<D, W>,
    relaxation: f64,
    /// `B_α`, and made ready to be solved.
    blocks: Vec<Matrix<D, D>>,
    locals: Vec<LocalBlock<D>>,
    x: Vec<Vector<D>>,
    /// Square of the last step, and how often it has grown in a row.
    moved: f64,
    rises: u32,
    /// How often the blocks have grown.
    stiffer: u32,
}

impl<'a, const D: usize, W: Delassus<D>> Jacobi<'a, D, W> {
    /// Starts at the impulses `r`.
    pub fn new(problem: &'a Problem<D, W>, r: &[Vector<D>], params: &Params) -> Self {
        let mut blocks = problem.w.split();
        tighten(problem, &mut blocks);
        Self {
            problem,
            relaxation: params.relaxation,
            locals: blocks.iter().map(LocalBlock::new).collect(),
            blocks,
            x: r.to_vec(),
            moved: f64::INFINITY,
            rises: 0,
            stiffer: 0,
        }
    }

    /// Solves every contact with the others as they were; the square of the step, weighted by the
    /// compliances.
    fn answer(&mut self) -> f64 {
        let u = self.problem.velocities(&self.x);
        let mut square = 0.0;
        for (alpha, x) in self.x.iter_mut().enumerate() {
            let (set, local) = (&self.problem.sets[alpha], &self.locals[alpha]);
            let there = local.answer(&u[alpha], x, set, self.relaxation);
            square += local.w().trace() * (there - *x).norm_squared();
            *x = there;
        }
        square
    }

    /// Makes the blocks stiffer where the steps go on growing.
    fn learn(&mut self, square: f64) {
        self.rises = if square > self.moved { self.rises + 1 } else { 0 };
        self.moved = square;
        if self.rises >= MOST_RISES && self.stiffer < MOST_STIFFER {
            self.stiffer += 1;
            self.blocks.iter_mut().for_each(|block| *block *= STIFFER);
            self.locals = self.blocks.iter().map(LocalBlock::new).collect();
            (self.moved, self.rises) = (f64::INFINITY, 0);
        }
    }
}

impl<const D: usize, W: Delassus<D>> Iteration<D> for Jacobi<'_, D, W> {
    fn step(&mut self) -> bool {
        let square = self.answer();
        self.learn(square);
        square > 0.0 && square.is_finite()
    }

    fn impulses(&self, r: &mut [Vector<D>]) {
        r.copy_from_slice(&self.x);
    }
}

/// Shrinks the blocks as far as `W ⪯ diag B` allows, by the largest eigenvalue of `B⁻¹W`: pieces need not be
/// as small as their number says.
fn tighten<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>, blocks: &mut [Matrix<D, D>]) {
    let inverse = |block: &Matrix<D, D>| {
        let scale = block.trace().max(f64::MIN_POSITIVE);
        let regular = block + Matrix::identity() * (1e-9 * scale);
        LocalBlock::new(&regular)
    };
    let locals: Vec<LocalBlock<D>> = blocks.iter().map(inverse).collect();
    let hold = Set::Bilateral { rows: D };
    let mut operator = Product::new(&problem.w);
    let product = |v: &[Vector<D>], wv: &mut [Vector<D>]| {
        wv.iter_mut().zip(operator.rows(v)).for_each(|(wv, row)| *wv = row);
    };
    let square = |alpha: usize, v: &Vector<D>| v.dot(&(blocks[alpha] * v));
    let undo = |alpha: usize, wv: &Vector<D>| locals[alpha].solve(&-wv, &hold);
    let largest = power::largest(blocks.len(), product, square, undo);
    if largest > 0.0 && largest < 1.0 {
        blocks.iter_mut().for_each(|block| *block *= (largest * MARGIN).min(1.0));
    }
}
