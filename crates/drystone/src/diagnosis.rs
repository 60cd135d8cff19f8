//! The diagnosis of a step that did not converge, where it is built in (the feature `diagnose`). Finds
//! nothing itself.

use drystone_math::Vector;
use drystone_problem::{Condensed, Problem};
use drystone_solvers::Verdict;

/// What a look of bounded work found.
pub(crate) struct Finding {
    pub verdict: Option<Verdict>,
    /// Whether all contacts were looked at.
    pub whole: bool,
    /// The rows of the problem to look at, worst first.
    pub contacts: Vec<usize>,
    /// All friction times less than this would let go of the network that works against the motion.
    pub friction: Option<f64>,
}

/// Looks into a step; `None` where nobody can.
#[cfg(feature = "diagnose")]
pub(crate) fn look_into<const D: usize>(
    problem: &Problem<D, Condensed<D>>,
    r: &[Vector<D>],
    converged: bool,
) -> Option<Finding> {
    let diagnosis = drystone_diagnose::glance(problem, r, converged);
    let contacts = diagnosis.contacts();
    let (verdict, whole, friction) = (diagnosis.verdict, diagnosis.whole, diagnosis.solvable_below);
    Some(Finding { verdict, whole, contacts, friction })
}

/// Looks into a step; `None` where nobody can.
#[cfg(not(feature = "diagnose"))]
pub(crate) fn look_into<const D: usize>(
    _: &Problem<D, Condensed<D>>,
    _: &[Vector<D>],
    _: bool,
) -> Option<Finding> {
    None
}
