//! Does the step have a solution? A proof either way: self-balanced impulses that work against the motion, or
//! a motion that lets all contacts go. Says nothing of uniqueness, and does not solve the step.
//!
//! The step has a solution for every force if `v* ∈ (Ker H ∩ L)*`: no self-balanced distribution of impulses
//! inside the Coulomb cones `L` works against the prescribed velocities `v*` (Klarbring, Pang 1998; Acary,
//! Cadoux, Lemaréchal, Malick 2011; Alart, Renouf 2018, eq. 15). The condition is sufficient; where it fails
//! existence is no longer guaranteed and depends on the forces (reversed gravity may pull the grains apart).
//! For other sets than Coulomb's, `L` is the cone of directions in which impulses can grow without bound:
//! friction with a cap cannot.
//!
//! Everything is read from the waist. With `W = H M⁻¹ Hᵀ` and `M` positive definite, `Ker H = Ker W`, and on
//! it `r·u_free = r·v*`, since the two differ by the image of `Hᵀ`.
//!
//! Nothing is said without a proof that was checked from the equations: [`Existence::Exists`] holds
//! velocities that bodies can have and that are in all dual cones, [`Existence::Inconsistent`] the network.
//! Where neither is found, or not with the work allowed ([`Effort`](crate::Effort)), an error says so.

mod alternative;
mod balance;
mod factor;
mod program;
mod space;
mod threshold;

pub(crate) use threshold::{Questioned, solvable_among};
pub use threshold::{critical_friction, solvable_friction};

use crate::effort::Effort;
use alternative::{Alternative, Contest};
use balance::Balance;
use drystone_problem::{Delassus, Problem, Vector};
use space::{POLISH, polished};
use std::rc::Rc;

/// Whether a solution of the step is guaranteed.
#[derive(Clone, Debug, PartialEq)]
pub enum Existence<const D: usize> {
    /// No self-balanced network of impulses works against the motion: a solution exists.
    Exists {
        /// The proof: relative velocities `u_free + W v` for some `v`, every one in the dual of its cone,
        /// `u_N ≥ μ ‖u_T‖`, up to 1e-9 of the largest \[m/s\]. Components in which no impulse can grow are 0.
        velocities: Vec<Vector<D>>,
    },
    /// A network does: a solution is not guaranteed. The condition is sufficient for existence, not
    /// necessary.
    Inconsistent {
        /// The self-balanced impulses, in `Ker H ∩ L`, with largest component 1.
        network: Vec<Vector<D>>,
        /// `network · v*`, negative \[m/s times the unit of the network\].
        power: f64,
    },
}

/// Why existence could not be decided.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExistenceError {
    /// The problem holds a number that is not finite.
    #[error("contact {contact} has a block, velocity or friction that is not a finite number")]
    NotFinite {
        /// The contact.
        contact: usize,
    },
    /// The operator is not that of a mechanical system, for which the condition holds.
    #[error("the Delassus operator is not symmetric, and nothing is proved for such")]
    NotSymmetric,
    /// The singular values of W did not converge.
    #[error("the kernel of the Delassus operator could not be computed")]
    Kernel,
    /// The work allowed was done before there was a proof of anything.
    #[error("the work allowed is done: no proof was found with it")]
    OutOfWork,
    /// The cone program did not converge.
    #[error("the cone program ended with {status}")]
    Program {
        /// What the interior point said.
        status: String,
    },
}

/// A network may leave its cones by this much, relative to the sum of its normal impulses: above the accuracy
/// at which an interior point still counts as almost solved.
const MARGIN: f64 = 1e-9;

/// Power against the motion counts beyond this, and velocities may leave their dual cones by this, relative
/// to the largest velocity and to the sum of the impulses.
const CLEAR: f64 = 1e-9;

/// How far impulses may be from balance, and outside of their cones, relative to their sum: some hundred
/// times what rounding leaves.
const NOT_IN_BALANCE: f64 = 1e-12;

/// Power against the motion below this, relative to the largest velocity, may be feigned by the margin.
const FEIGNED: f64 = 1e2 * MARGIN;

/// Contacts with a smaller share of the strongest impulse are left out where a network is made exact.
const DUST: f64 = 1e-6;

/// Most unknowns of a network that is made exact.
const SMALL: usize = 240;

/// Rounds of projections in search of a network.
const ROUNDS: usize = 20;

/// Numbers of the equations looked at in that search: a fraction of a second.
const WORK: usize = 100_000_000;

/// Whether the step is guaranteed a solution, looked for with no more work than
/// [`EFFORT`](crate::EFFORT).
#[doc(alias = "Painlevé")]
#[doc(alias = "jamming")]
#[doc(alias = "self-stress")]
pub fn existence<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
) -> Result<Existence<D>, ExistenceError> {
    let balance = Balance::new(problem, None, true, &Rc::default())?;
    Ok(match Contest::new(&balance, 1.0).decide()? {
        Alternative::Against(x) => {
            let network = balance.network(&x);
            let power = power(problem, &network);
            Existence::Inconsistent { network, power }
        }
        Alternative::LetsGo(u) => Existence::Exists { velocities: balance.velocities(&u) },
    })
}

/// Some self-balanced network of impulses inside the cones, with largest component 1; `None` where
/// `Ker H ∩ L = {0}`, and every prescribed velocity has a solution.
pub fn kernel_network<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
) -> Result<Option<Vec<Vector<D>>>, ExistenceError> {
    let balance = Balance::new(problem, None, true, &Rc::default())?;
    Ok(Contest::new(&balance, 1.0).network_present()?.map(|x| balance.network(&x)))
}

/// The networks of a problem and what they do, both in one go.
pub(crate) struct Networked<const D: usize> {
    /// A network inside the cones, with largest component 1.
    pub present: Option<Vec<Vector<D>>>,
    /// A network that works against the motion, and its power.
    pub against: Option<(Vec<Vector<D>>, f64)>,
    /// Velocities that prove that there is none.
    pub velocities: Option<Vec<Vector<D>>>,
    /// Why it is not known whether there are others that do not.
    pub doubt: Option<ExistenceError>,
}

/// The networks among some contacts, or all. What is found among some is a network of all.
pub(crate) fn networks<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    contacts: Option<&[usize]>,
) -> Result<Networked<D>, ExistenceError> {
    networks_in(problem, &Balance::new(problem, contacts, true, &unlimited())?)
}

/// The same of all contacts of a problem whose thresholds are asked for as well.
pub(crate) fn networks_of<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    questioned: &Questioned<D>,
) -> Result<Networked<D>, ExistenceError> {
    networks_in(problem, &questioned.rough)
}

fn networks_in<const D: usize, W>(
    problem: &Problem<D, W>,
    balance: &Balance<D>,
) -> Result<Networked<D>, ExistenceError> {
    balance.effort.ask("networks against the motion");
    let mut found = Networked { present: None, against: None, velocities: None, doubt: None };
    match Contest::new(balance, 1.0).decide()? {
        Alternative::Against(x) => {
            let network = balance.network(&x);
            let power = power(problem, &network);
            found.against = Some((network, power));
            return Ok(found);
        }
        Alternative::LetsGo(u) => found.velocities = Some(balance.velocities(&u)),
    }
    balance.effort.ask("networks");
    match Contest::new(balance, 1.0).network_present() {
        Ok(present) => found.present = present.map(|x| balance.network(&x)),
        Err(error) => found.doubt = Some(error),
    }
    Ok(found)
}

/// For looks whose size is bounded already.
fn unlimited() -> Rc<Effort> {
    Rc::new(Effort::within(f64::INFINITY))
}

/// A network near the impulses of a solver that runs away, if it works against the motion: projections in
/// turn on the kernel and on the cones (von Neumann 1950), starting from the impulses. Finds large networks
/// at little cost; where it finds none there may still be one.
pub(crate) fn along<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &[Vector<D>],
) -> Result<Option<(Vec<Vector<D>>, f64)>, ExistenceError> {
    let balance = Balance::new(problem, None, true, &unlimited())?;
    let mut x = balance.scaled(r);
    let steps = (WORK / (2 * ROUNDS * balance.entries().max(1))).clamp(5, POLISH);
    for _ in 0..ROUNDS {
        x = polished(&balance, &x, steps);
        let sum = balance.normal_sum(&x);
        if sum <= 0.0 || !sum.is_finite() {
            return Ok(None);
        }
        x.iter_mut().for_each(|x| *x /= sum);
        if balance.violation(&x, 1.0) <= MARGIN && balance.imbalance(&x) <= MARGIN {
            let against = balance.power(&x) < -FEIGNED * balance.noise(&x);
            let x = if against { exact(&balance, &x).unwrap_or(x) } else { x };
            let network = balance.network(&x);
            let power = power(problem, &network);
            return Ok(against.then_some((network, power)));
        }
        balance.project(&mut x);
    }
    Ok(None)
}

/// The network that works against the motion among the contacts of one that is in balance within the margin,
/// where these are few enough for a proof.
fn exact<const D: usize>(balance: &Balance<D>, x: &[f64]) -> Option<Vec<f64>> {
    let few = balance.part(&balance.support(x, DUST));
    match (few.unknowns() <= SMALL).then(|| Contest::new(&few, 1.0).decide())? {
        Ok(Alternative::Against(part)) => Some(balance.lifted(&few, &part)),
        _ => None,
    }
}

fn power<const D: usize, W>(problem: &Problem<D, W>, network: &[Vector<D>]) -> f64 {
    network.iter().zip(&problem.u_free).map(|(r, u)| r.dot(u)).sum()
}
