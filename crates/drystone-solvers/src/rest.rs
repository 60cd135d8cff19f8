//! Equilibrium of a part of a problem: impulses inside their sets that hold every body of it, found by a cone
//! program. Decides nothing: which part is at rest, and what becomes of the answer, is the caller's.
//!
//! Coulomb's law is not associated, so that a step from rest may have a solution with motion beside one
//! without: the second is found here, whatever a solver comes to.

mod interior;
mod polish;
mod program;

use drystone_problem::{Condensed, Monitor, Problem, Vector};
use interior::Answer;
use polish::polished;
use program::Program;

/// Tolerance of the programs; what they leave is mended afterwards.
const TOLERANCE: f64 = 1e-11;

/// Borders crossed by less than this, in units of the largest load, count as kept: the caller judges the
/// impulses by the one residual in any case.
const MARGIN: f64 = 1e-9;

/// A part of a problem that is to stand still.
#[derive(Clone, Copy)]
pub struct Part<'a, const D: usize> {
    /// The whole problem.
    pub problem: &'a Problem<D, Condensed<D>>,
    /// Generalised velocities of the bodies of the problem without any impulse in the variables of the sets
    /// \[m/s, rad/s\].
    pub free: &'a [f64],
    /// The bodies of the part, in increasing order, rigid ones: spins come behind the `D` velocities. Of each
    /// every component that can move is to be held.
    pub bodies: &'a [usize],
    /// The rows whose velocity vanishes while the part stands still, in increasing order: no others carry an
    /// impulse.
    pub rows: &'a [usize],
    /// Rows whose threshold is not that of their set but a factor \[m or none\] times the normal impulse of
    /// another row of the part: row, other row, factor, by increasing rows.
    pub followed: &'a [(usize, usize, f64)],
    /// Who may interrupt the program, which is then left undecided.
    pub monitor: &'a Monitor,
}

/// Whether a part of a problem can stand still.
#[derive(Clone, Debug, PartialEq)]
pub enum Equilibrium<const D: usize> {
    /// It can, with these impulses of its rows \[N s\], in their order.
    Found(Vec<Vector<D>>),
    /// No admissible impulses hold it.
    None,
    /// The program came to no end.
    Undecided,
}

/// Looks for the equilibrium with the least sum of squares of all impulses, moments divided by the
/// longest arm,
///
/// `min ½ Σ ‖r_α‖²` with `Hᵀ r = −M v_free` on the bodies of the part and `r_α` admissible in its set,
///
/// which is unique, and so the same however contacts are numbered: equally stiff springs would choose it.
/// That any such impulses prove that the part can stand, exact Coulomb or not, is the static theorem of limit
/// analysis (Livesley 1978 for rigid blocks); that moving may be possible all the same, Moreau 2006 shows.
pub fn equilibrium<const D: usize>(part: &Part<D>) -> Equilibrium<D> {
    let Some(program) = Program::new(part) else { return Equilibrium::Undecided };
    if program.right.iter().all(|&b| b == 0.0) {
        return Equilibrium::Found(vec![Vector::zeros(); part.rows.len()]);
    }
    if program.unknowns.is_empty() {
        return Equilibrium::None;
    }
    let found = |x: Vec<f64>| Equilibrium::Found(program.impulses(part, &polished(&program, x)));
    match program.solve(TOLERANCE, part.monitor) {
        Answer::Point(x) => return found(x),
        Answer::Infeasible => return Equilibrium::None,
        Answer::Unknown => {}
    }
    // too near the limit of equilibrium to tell its sides apart like that
    match program.violation(TOLERANCE, part.monitor) {
        Some((violation, _)) if violation > MARGIN => Equilibrium::None,
        Some((_, x)) => found(x),
        None => Equilibrium::Undecided,
    }
}
