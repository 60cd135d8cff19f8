//! The cheap diagnosis of one step of a run: bounded work whatever the number of contacts. Proves networks it
//! finds, not that there are none, unless the problem is small.

use super::{Diagnosis, errors};
use crate::existence::{self, Networked};
use drystone_problem::{Delassus, Problem, Vector};
use drystone_solvers::Verdict;

/// Unknowns of the cone program: a few milliseconds.
const UNKNOWNS: usize = 120;

/// Contacts of a network whose friction is looked into.
const MOST_IN_NETWORK: usize = 16;

/// The cheap diagnosis.
pub(super) fn glance<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &[Vector<D>],
    converged: bool,
) -> Diagnosis<D> {
    let mut diagnosis = Diagnosis::start(problem, r);
    if diagnosis.verdict.is_some() {
        return diagnosis;
    }
    let contacts = (problem.contacts() * D > UNKNOWNS).then(|| suspects(problem, r, UNKNOWNS / D));
    diagnosis.whole = contacts.is_none();
    let mut found = match existence::networks(problem, contacts.as_deref()) {
        Ok(found) => found,
        Err(error) => return diagnosis.undecided(error, converged),
    };
    if !diagnosis.whole && found.against.is_none() {
        found = Networked { against: existence::along(problem, r).unwrap_or(None), ..found };
    }
    diagnosis.judge(problem, &found, converged);
    if let (Some(network), Some(Verdict::Inconsistent)) = (&diagnosis.network, diagnosis.verdict) {
        let part: Vec<usize> = network.impulses.iter().map(|&(contact, _)| contact).collect();
        if part.len() <= MOST_IN_NETWORK {
            diagnosis.solvable_below = existence::solvable_among(problem, &part).unwrap_or(None);
        }
    }
    diagnosis
}

/// The contacts that carry most or miss most, by increasing index.
fn suspects<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &[Vector<D>],
    count: usize,
) -> Vec<usize> {
    let weight = |contact: usize| problem.w.block(contact).trace().max(0.0).sqrt() * r[contact].norm();
    let carried: Vec<f64> = (0..problem.contacts()).map(weight).collect();
    let missed = errors(problem, r);
    let largest = |x: &[f64]| x.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let (most, worst) = (largest(&carried), largest(&missed));
    let score = |contact: usize| (carried[contact] / most).max(missed[contact] / worst);
    let mut order: Vec<usize> = (0..problem.contacts()).collect();
    order.sort_by(|&a, &b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
    order.truncate(count);
    order.sort_unstable();
    order
}
