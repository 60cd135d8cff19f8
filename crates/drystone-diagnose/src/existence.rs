//! Does the step have a solution? A certificate from the self-balanced impulses, by a cone program. Says
//! nothing of uniqueness, and does not solve the step.
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
//! Up to 240 unknowns the kernel is computed by singular values and networks are exact to rounding. Beyond,
//! the equations of balance are constraints of a sparse program, meant for some thousand contacts.

mod balance;
mod program;
mod space;
mod threshold;

pub(crate) use threshold::solvable_among;
pub use threshold::{critical_friction, solvable_friction};

use balance::Balance;
use drystone_problem::{Delassus, Problem, Vector};
use program::Networks;
use space::{POLISH, Space, polished};

/// Whether a solution of the step is guaranteed.
#[derive(Clone, Debug, PartialEq)]
pub enum Existence<const D: usize> {
    /// No self-balanced network of impulses works against the motion: a solution exists.
    Exists,
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
    /// The singular values of W did not converge.
    #[error("the kernel of the Delassus operator could not be computed")]
    Kernel,
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

/// Networks less deep than this inside their cones fill a set on which the interior point may give up.
const THIN: f64 = 1e-5;

/// Power against the motion below this, relative to the largest velocity, may be feigned by the margin.
const FEIGNED: f64 = 1e2 * MARGIN;

/// Contacts with a smaller share of the strongest impulse are tried without, the bolder attempt first. What
/// is smaller than the last share comes from the margin.
const DUST: [f64; 2] = [1e-4, 3e-6];

/// Rounds of projections in search of a network.
const ROUNDS: usize = 20;

/// Numbers of the equations looked at in that search: a fraction of a second.
const WORK: usize = 100_000_000;

/// Whether the step is guaranteed a solution.
#[doc(alias = "Painlevé")]
#[doc(alias = "jamming")]
#[doc(alias = "self-stress")]
pub fn existence<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
) -> Result<Existence<D>, ExistenceError> {
    let balance = Balance::new(problem, None, true)?;
    Ok(match Finding::new(&balance, 1.0)?.against {
        Some(x) => inconsistent(problem, balance.network(&x)),
        None => Existence::Exists,
    })
}

/// Some self-balanced network of impulses inside the cones, the one deepest inside, with largest component 1;
/// `None` where `Ker H ∩ L = {0}`, and every prescribed velocity has a solution.
pub fn kernel_network<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
) -> Result<Option<Vec<Vector<D>>>, ExistenceError> {
    let balance = Balance::new(problem, None, true)?;
    let Some(space) = Space::new(&balance)? else { return Ok(None) };
    let deepest = Networks { balance: &balance, space: &space, factor: 1.0, weights: None }.deepest()?;
    Ok(deepest.and_then(|(violation, x)| (violation <= MARGIN).then(|| balance.network(&x))))
}

/// The networks of a problem and what they do, both in one go.
pub(crate) struct Networked<const D: usize> {
    /// A network inside the cones, the deepest, with largest component 1.
    pub present: Option<Vec<Vector<D>>>,
    /// A network that works against the motion, and its power.
    pub against: Option<(Vec<Vector<D>>, f64)>,
}

/// The networks among some contacts, or all. What is found among some is a network of all.
pub(crate) fn networks<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    contacts: Option<&[usize]>,
) -> Result<Networked<D>, ExistenceError> {
    let balance = Balance::new(problem, contacts, true)?;
    let finding = Finding::new(&balance, 1.0)?;
    let present = finding.present.map(|x| balance.network(&x));
    let against = finding.against.map(|x| {
        let network = balance.network(&x);
        let power = power(problem, &network);
        (network, power)
    });
    Ok(Networked { present, against })
}

/// A network near the impulses of a solver that runs away, if it works against the motion: projections in
/// turn on the kernel and on the cones (von Neumann 1950), starting from the impulses. Finds large networks
/// at little cost; where it finds none there may still be one.
pub(crate) fn along<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &[Vector<D>],
) -> Result<Option<(Vec<Vector<D>>, f64)>, ExistenceError> {
    let balance = Balance::new(problem, None, true)?;
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
            let network = balance.network(&x);
            let power = power(problem, &network);
            return Ok(against.then_some((network, power)));
        }
        balance.project(&mut x);
    }
    Ok(None)
}

fn inconsistent<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    network: Vec<Vector<D>>,
) -> Existence<D> {
    let power = power(problem, &network);
    Existence::Inconsistent { network, power }
}

fn power<const D: usize, W>(problem: &Problem<D, W>, network: &[Vector<D>]) -> f64 {
    network.iter().zip(&problem.u_free).map(|(r, u)| r.dot(u)).sum()
}

/// Networks in scaled impulses.
struct Finding {
    /// The network deepest inside the cones, if any.
    present: Option<Vec<f64>>,
    /// One that works against the motion, if any.
    against: Option<Vec<f64>>,
}

impl Finding {
    fn new<const D: usize>(balance: &Balance<D>, factor: f64) -> Result<Self, ExistenceError> {
        let mut finding = Self { present: None, against: contradiction(balance) };
        let Some(space) = Space::new(balance)? else { return Ok(finding) };
        let networks = Networks { balance, space: &space, factor, weights: None };
        let Some((violation, deepest)) = networks.deepest()? else { return Ok(finding) };
        if violation > MARGIN {
            return Ok(finding);
        }
        if finding.against.is_none() {
            finding.against = hardest(&networks, violation, &deepest)?;
        }
        finding.present = Some(deepest);
        Ok(finding)
    }
}

/// Of all networks, the one that works hardest against the motion, if it does beyond doubt.
fn hardest<const D: usize>(
    networks: &Networks<D>,
    violation: f64,
    deepest: &[f64],
) -> Result<Option<Vec<f64>>, ExistenceError> {
    let balance = networks.balance;
    if balance.velocity.iter().all(|&v| v == 0.0) {
        return Ok(None);
    }
    let margin = if violation < -1e2 * MARGIN { 0.0 } else { violation.max(0.0) + MARGIN };
    let Some((x, doubt)) = networks.hardest(margin)? else { return Ok(None) };
    let x = drawn_inside(networks, x, violation, deepest);
    // however it was found
    if balance.violation(&x, networks.factor) <= 2.0 * MARGIN
        && let Some(x) = beyond_doubt(networks, x)
    {
        return Ok(Some(x));
    }
    match doubt {
        // at the threshold of friction the networks are one ray, too thin for an interior point: that ray
        // will do
        Some(_) if violation > -THIN => Ok(beyond_doubt(networks, deepest.to_vec())),
        Some(error) => Err(error),
        None => Ok(None),
    }
}

/// The network `x`, if it works against the motion beyond doubt, without the dust of the interior point:
/// sought again among the contacts that take part for certain. Dust may leave its cones within the margin and
/// feign a little power.
fn beyond_doubt<const D: usize>(networks: &Networks<D>, x: Vec<f64>) -> Option<Vec<f64>> {
    let balance = networks.balance;
    if balance.power(&x) >= 0.0 {
        return None;
    }
    for share in DUST {
        let part = balance.support(&x, share);
        if part.len() == balance.cones.len() {
            break;
        }
        let few = balance.part(&part);
        if let Ok(Finding { against: Some(x), .. }) = Finding::new(&few, networks.factor) {
            return Some(balance.lifted(&few, &x));
        }
    }
    // dust may be needed for balance, but the power must not come from it
    let strong = balance.only_strong(&x, DUST[DUST.len() - 1]);
    let (power, all) = (balance.power(&strong), balance.power(&x));
    let moving = strong.iter().zip(&balance.velocity).filter(|(x, _)| **x != 0.0);
    let fastest = moving.fold(0.0, |fastest: f64, (_, v)| fastest.max(v.abs()));
    let certain =
        power < -FEIGNED * fastest * balance.normal_sum(&x).abs() && power < -10.0 * (all - power).abs();
    certain.then_some(x)
}

/// A network drawn towards the deepest one until it is inside its cones, where there is an inside.
fn drawn_inside<const D: usize>(
    networks: &Networks<D>,
    x: Vec<f64>,
    violation: f64,
    deepest: &[f64],
) -> Vec<f64> {
    let outside = networks.balance.violation(&x, networks.factor);
    if outside <= 0.0 || violation >= 0.0 {
        return x;
    }
    let share = (1.5 * outside / (outside - violation)).min(1.0);
    x.iter().zip(deepest).map(|(x, deep)| (1.0 - share) * x + share * deep).collect()
}

/// A network of bilateral links alone that works against the motion: links that ask for different things.
fn contradiction<const D: usize>(balance: &Balance<D>) -> Option<Vec<f64>> {
    let mut free = vec![true; balance.unknowns()];
    for cone in &balance.cones {
        let held = cone.normal.into_iter().chain(cone.disks.iter().flat_map(|(rows, _)| rows.clone()));
        held.for_each(|unknown| free[unknown] = false);
    }
    if !free.contains(&true) {
        return None;
    }
    let links = balance.only(&free);
    let opposed: Vec<f64> = links.velocity.iter().map(|v| -v).collect();
    let x = polished(&links, &opposed, POLISH);
    (links.power(&x) < -FEIGNED.sqrt() * links.noise(&x) && links.imbalance(&x) < MARGIN).then_some(x)
}
