//! What a sweep asks of whatever carries it out. Holds no back end: `scalar.rs` goes contact by contact,
//! `laned.rs` and `rows.rs` in lanes, and others can be written outside, for a GPU for instance.

use drystone_problem::{AutoParams, Residual, Vector};
use std::any::Any;

/// How a sweep goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassOptions {
    /// Extrapolate first, and sum up the changes.
    pub momentum: bool,
    /// Weight of the extrapolation; read with momentum only.
    pub beta: f64,
    /// The extrapolated impulses are brought back into their sets before the sweep; read with momentum only.
    /// Costs half a sweep more; momentum that is seldom dropped runs away without it.
    pub project: bool,
    /// Each local answer is taken over by this factor, in (0, 2).
    pub relaxation: f64,
    /// Where there is a number, pieces come in an order drawn by it, as far as the back end can; read without
    /// momentum only.
    pub drawn: Option<u32>,
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Passed {
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
    pub fn visited<const D: usize>(&mut self, compliance: f64, delta: &Vector<D>, way: &Vector<D>) -> bool {
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
    pub fn add(&mut self, other: &Self) {
        self.moved |= other.moved;
        self.length += other.length;
        self.uphill += other.uphill;
        self.updates += other.updates;
    }
}

/// Carries out the sweeps over one problem and holds its impulses meanwhile, wherever that is: registers and
/// caches, the memory of a GPU, other machines.
///
/// A back end is made for one problem, whose operator, free velocities and sets it lays out as it likes, and
/// is handed to [`Sweep::over`](crate::Sweep::over). What it must keep to:
///
/// - After [`Self::pass`] every contact has been visited once, those left out apart: its velocity at the
///   impulses of that moment, `u = W_α r + u_free`, is answered by the impulse that its set asks for with all
///   others held ([`LocalBlock::answer`](drystone_local::LocalBlock::answer)). In which order, and which
///   contacts are visited at a time, is its own affair; contacts visited at once must not share a body that
///   moves.
/// - The same calls give the same bits, on any number of threads and on any machine: orders and sums are
///   fixed when it is made. A run is repeatable and can be resumed only if they are.
/// - Nothing is allocated after it was made.
///
/// It does not need to be right about convergence: what it says of its own residual is used to go on only,
/// and no solve ends without the residual recomputed from the impulses alone.
#[doc(alias = "GPU")]
pub trait Backend<const D: usize>: Send {
    /// One sweep. With momentum it starts from `r + beta (r − r_last)`, `r_last` the impulses with which the
    /// sweep before started its own extrapolation, brought back into the sets where the options say so, and
    /// sums up the changes. With `all` no contact is left out; without, contacts that stayed open for a while
    /// may be.
    fn pass(&mut self, options: PassOptions, all: bool) -> Passed;

    /// Takes over impulses \[N s\], one for each contact; forgets those before and with them the way that
    /// momentum would follow.
    fn put(&mut self, r: &[Vector<D>]);

    /// Copies the impulses \[N s\] to `r`, one for each contact.
    fn take(&mut self, r: &mut [Vector<D>]);

    /// The residual of the impulses, where it is cheaper here than from scratch; `None` has it
    /// computed from scratch. Rounding that piles up over many sweeps is cleared on the way, now and then:
    /// whatever is kept beside the impulses is made anew from them.
    fn judge(&mut self) -> Option<Residual>;

    /// Multiplies the impulses of every contact, and those that momentum goes on from, by a factor of its
    /// own; whether it did.
    fn scale(&mut self, _factors: &[f64]) -> bool {
        false
    }

    /// What one visit to a contact is taken to cost \[ns\]: a fixed figure for a machine of reference, never
    /// measured, since decisions hang on it.
    fn visit_ns(&self, params: &AutoParams) -> f64;

    /// Whether it brings extrapolated impulses back into their sets where it is told so.
    fn can_project(&self) -> bool {
        false
    }

    /// The back end for whoever makes the next one of its kind, with its memory; `None` where it leaves
    /// nothing.
    fn into_any(self: Box<Self>) -> Option<Box<dyn Any + Send + Sync>> {
        None
    }

    /// Bytes that one sweep without momentum reads and writes, where that is known.
    fn bytes(&self) -> Option<usize> {
        None
    }
}
