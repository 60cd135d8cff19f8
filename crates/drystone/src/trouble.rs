//! What a step that did not converge says of itself. Holds the answer of the solver's diagnosis in terms of
//! bodies.

use crate::Simulation;
use drystone_diagnose::glance;
use drystone_math::Vector;
use drystone_problem::{Condensed, Problem};
use drystone_solvers::{Params, Remedy, Verdict, remedies};
use drystone_state::BodyId;

/// Contacts and ties named.
pub const PAIRS: usize = 3;

/// Who a row of the problem belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Link {
    /// A contact of two bodies.
    Bodies([BodyId; 2]),
    /// A tie, by its index.
    Tie(u32),
}

impl<const D: usize> Simulation<D> {
    /// The names of a contact's two bodies, or what a tie is and its name.
    pub fn names(&self, link: Link) -> String {
        let name = |BodyId(body): BodyId| self.bodies.name.get(body as usize).map_or("", String::as_str);
        match link {
            Link::Bodies([a, b]) => format!("\"{}\" and \"{}\"", name(a), name(b)),
            Link::Tie(tie) => match self.ties.list().get(tie as usize) {
                Some(tie) => format!("the two sides of {} \"{}\"", tie.word(), tie.name),
                None => String::new(),
            },
        }
    }
}

/// Why a step did not converge, from a diagnosis with bounded work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trouble {
    /// Slow, ill-conditioned, inconsistent or bad input.
    pub verdict: Verdict,
    /// Whether all contacts were looked at.
    pub whole: bool,
    /// The contacts and ties to look at, worst first: those of the network of impulses that works against the
    /// motion, or of the largest errors.
    pub worst: [Option<Link>; PAIRS],
    /// All friction times less than this would let go of the network that works against the motion; `None`
    /// where there is none or it was not sought.
    pub friction: Option<f64>,
}

impl Trouble {
    /// What may be changed, the most promising first; `params` are those the step was solved with.
    pub fn remedies(&self, params: &Params) -> Vec<Remedy> {
        remedies(self.verdict, self.friction, params)
    }
}

/// Looks into a step that did not converge; `owner` gives whom a row of the problem belongs to.
pub(crate) fn trouble<const D: usize>(
    problem: &Problem<D, Condensed<D>>,
    r: &[Vector<D>],
    converged: bool,
    owner: &dyn Fn(usize) -> Link,
) -> Option<Trouble> {
    if converged {
        return None;
    }
    let diagnosis = glance(problem, r, converged);
    let mut worst = [None; PAIRS];
    let mut named = 0;
    for contact in diagnosis.contacts() {
        let pair = Some(owner(contact));
        if named < PAIRS && !worst.contains(&pair) {
            worst[named] = pair;
            named += 1;
        }
    }
    let verdict = diagnosis.verdict?;
    Some(Trouble { verdict, whole: diagnosis.whole, worst, friction: diagnosis.solvable_below })
}
