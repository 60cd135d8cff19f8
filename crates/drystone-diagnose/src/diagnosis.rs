//! Why a solve did not converge: slow, ill-conditioned, inconsistent or bad input, with the contacts to look
//! at. Knows no body by name, and mends nothing.
//!
//! The two regimes beyond plain slowness are those of Alart and Renouf (2018, §3): self-balanced impulses
//! inside the cones that the motion does not reach make the step ill-conditioned; where the motion works on
//! them, they grow without bound and the step may have no solution.

mod glance;

use crate::effort::Effort;
use crate::existence::{self, ExistenceError, Networked, Questioned};
use drystone_problem::{Delassus, Problem, Scale, Set, Vector};
use drystone_solvers::{Params, Remedy, Verdict, remedies};
use std::rc::Rc;

/// Self-balanced impulses that work against the motion, or, where none do, some others.
#[derive(Clone, Debug, PartialEq)]
pub struct Network<const D: usize> {
    /// Contact and impulse, strongest first, largest component 1.
    pub impulses: Vec<(usize, Vector<D>)>,
    /// The work of these impulses on the free velocities \[m/s times the unit of the impulses\]: negative
    /// where they work against the motion.
    pub power: f64,
}

/// What makes no sense at a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A block, a velocity or a coefficient that is not finite.
    NotFinite,
    /// A negative coefficient of friction.
    Friction,
    /// A diagonal block that is not that of a mechanical system: pushing makes it come nearer.
    Block,
}

/// Why a solve did not converge, and what to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis<const D: usize> {
    /// What is the matter; `None` where the solve converged and no impulses balance each other, or where
    /// [`Self::undecided`] says that the latter is not known. A solve that
    /// converged although a network works against the motion is ill-conditioned: these forces have a
    /// solution, others do not.
    pub verdict: Option<Verdict>,
    /// Whether all contacts were looked at and the verdict is certain. A network found is certain either way.
    pub whole: bool,
    /// The contacts with the largest errors and their share of the largest, at most [`WORST`].
    pub worst: Vec<(usize, f64)>,
    /// Contacts with numbers that make no sense.
    pub flaws: Vec<(usize, Flaw)>,
    /// The network, if there is one.
    pub network: Option<Network<D>>,
    /// Relative velocities that bodies can have and that are in the duals of all cones, where these are the
    /// proof that a solution exists (see [`Existence::Exists`](existence::Existence::Exists)).
    pub velocities: Option<Vec<Vector<D>>>,
    /// The common factor on all friction from which networks exist; 0 where they need none, `None` where
    /// there are none with any friction, or where it was not sought.
    pub networks_from: Option<f64>,
    /// The common factor on all friction below which the step is sure to have a solution (below which the
    /// network lets go, where not the whole was looked at); `None` where it has one with any friction, or
    /// where it was not sought.
    pub solvable_below: Option<f64>,
    /// What kept the test from an answer.
    pub undecided: Option<ExistenceError>,
}

/// Contacts named as the worst.
pub const WORST: usize = 5;

/// Contacts with a smaller share of a network are not named: the interior point leaves dust everywhere.
const DUST: f64 = 1e-7;

/// A thorough diagnosis, with the thresholds of friction: the work of a few dozen cone programs over all
/// contacts, bounded by [`EFFORT`](crate::EFFORT). `r` are the impulses a solver ended with, `converged`
/// whether it was content with them.
pub fn diagnose<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &[Vector<D>],
    converged: bool,
) -> Diagnosis<D> {
    diagnose_within(problem, r, converged, Effort::default())
}

/// The same with as much work as it may take, and told how far it is. What was proved with it is said, and
/// what was not is [undecided](Diagnosis::undecided).
pub fn diagnose_within<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &[Vector<D>],
    converged: bool,
    effort: Effort,
) -> Diagnosis<D> {
    let effort = &Rc::new(effort);
    let mut diagnosis = Diagnosis::start(problem, r);
    if diagnosis.verdict.is_some() {
        return diagnosis;
    }
    let asked = Questioned::new(problem, None, effort)
        .and_then(|asked| Ok((existence::networks_of(problem, &asked)?, asked)));
    let (found, asked) = match asked {
        Ok(both) => both,
        Err(error) => return diagnosis.undecided(error, converged),
    };
    diagnosis.judge(problem, &found, converged);
    if found.doubt.is_some() {
        diagnosis.undecided = found.doubt;
        return diagnosis;
    }
    effort.ask("friction from which on there are networks");
    let from = asked.appearance();
    effort.ask("friction below which a solution exists");
    match from.and_then(|from| Ok((from, asked.solvable(|| Ok(from))?))) {
        Ok((from, below)) => (diagnosis.networks_from, diagnosis.solvable_below) = (from, below),
        Err(error) => diagnosis.undecided = Some(error),
    }
    diagnosis
}

/// A cheap diagnosis with bounded work, for a step in a run: exact for a few dozen contacts, beyond them a
/// search among the contacts that carry most or miss most, and along the impulses themselves. The same bits
/// on any machine that computes the same impulses.
pub fn glance<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &[Vector<D>],
    converged: bool,
) -> Diagnosis<D> {
    glance::glance(problem, r, converged)
}

impl<const D: usize> Diagnosis<D> {
    /// The worst contacts and the flaws; nothing is decided yet, unless there are some.
    fn start<W: Delassus<D>>(problem: &Problem<D, W>, r: &[Vector<D>]) -> Self {
        let flaws = flaws(problem);
        Self {
            verdict: (!flaws.is_empty()).then_some(Verdict::BadInput),
            whole: true,
            worst: worst(&errors(problem, r)),
            flaws,
            network: None,
            velocities: None,
            networks_from: None,
            solvable_below: None,
            undecided: None,
        }
    }

    /// Takes over what was found.
    fn judge<W>(&mut self, problem: &Problem<D, W>, found: &Networked<D>, converged: bool) {
        self.verdict = match (&found.against, &found.present, converged) {
            (Some(_), _, false) => Some(Verdict::Inconsistent),
            // what was not looked at may work against the motion
            (None, _, false) if !self.whole => Some(Verdict::Undecided),
            (Some(_), _, true) | (None, Some(_), _) => Some(Verdict::IllConditioned),
            (None, None, false) => Some(Verdict::Slow),
            (None, None, true) => None,
        };
        self.velocities = found.velocities.clone().filter(|_| self.whole);
        let network = found.against.as_ref().map(|(network, _)| network).or(found.present.as_ref());
        self.network = network.map(|network| Network::new(problem, network));
    }

    fn undecided(mut self, error: ExistenceError, converged: bool) -> Self {
        self.whole = false;
        self.verdict = (!converged).then_some(Verdict::Undecided);
        self.undecided = Some(error);
        self
    }

    /// What may be changed, the most promising first.
    pub fn remedies(&self, params: &Params) -> Vec<Remedy> {
        self.verdict.map_or_else(Vec::new, |verdict| remedies(verdict, self.solvable_below, params))
    }

    /// The contacts to look at: those of a network that works against the motion, else those with the largest
    /// errors.
    pub fn contacts(&self) -> Vec<usize> {
        match (&self.network, self.verdict) {
            (Some(network), Some(Verdict::Inconsistent)) => {
                network.impulses.iter().map(|&(contact, _)| contact).collect()
            }
            (_, Some(Verdict::BadInput)) => self.flaws.iter().map(|&(contact, _)| contact).collect(),
            _ => self.worst.iter().map(|&(contact, _)| contact).collect(),
        }
    }
}

impl<const D: usize> Network<D> {
    fn new<W>(problem: &Problem<D, W>, network: &[Vector<D>]) -> Self {
        let power = network.iter().zip(&problem.u_free).map(|(r, u)| r.dot(u)).sum();
        let strong = network.iter().copied().enumerate().filter(|(_, r)| r.amax() > DUST);
        let mut impulses: Vec<(usize, Vector<D>)> = strong.collect();
        // rounding must not decide the order of equals
        impulses.sort_by_key(|(contact, r)| ((-1e6 * r.norm()).round() as i64, *contact));
        Self { impulses, power }
    }
}

/// The error of every contact, as the residual weighs them.
fn errors<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>, r: &[Vector<D>]) -> Vec<f64> {
    let u = problem.velocities(r);
    let error = |contact: usize| {
        let set = &problem.sets[contact];
        let scale = Scale::new(&problem.w.block(contact), set);
        let error = scale.compliance.sqrt() * scale.natural_map(set, &u[contact], &r[contact]).norm();
        if error.is_nan() { f64::INFINITY } else { error }
    };
    (0..problem.contacts()).map(error).collect()
}

/// The contacts with the largest errors.
fn worst(errors: &[f64]) -> Vec<(usize, f64)> {
    let largest = errors.iter().copied().fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..errors.len()).filter(|&contact| errors[contact] > 0.0).collect();
    order.sort_by(|&a, &b| errors[b].total_cmp(&errors[a]).then(a.cmp(&b)));
    order.truncate(WORST);
    let share = |contact: usize| if errors[contact] < largest { errors[contact] / largest } else { 1.0 };
    order.into_iter().map(|contact| (contact, share(contact))).collect()
}

/// Contacts with numbers that make no sense.
fn flaws<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>) -> Vec<(usize, Flaw)> {
    let flaw = |contact: usize| {
        let block = problem.w.block(contact);
        let coefficients = coefficients(&problem.sets[contact]);
        let finite = block.iter().chain(problem.u_free[contact].iter()).all(|x| x.is_finite());
        if !finite || coefficients.iter().any(|x| x.is_nan()) {
            return Some((contact, Flaw::NotFinite));
        }
        if coefficients.iter().any(|&x| x < 0.0) {
            return Some((contact, Flaw::Friction));
        }
        // rounding of a body that cannot give way in some direction
        let rounding = 1e-9 * block.amax();
        (0..D).any(|i| block[(i, i)] < -rounding).then_some((contact, Flaw::Block))
    };
    (0..problem.contacts()).filter_map(flaw).collect()
}

/// The coefficients of a set.
fn coefficients(set: &Set) -> Vec<f64> {
    match *set {
        Set::Coulomb { mu } => vec![mu],
        Set::Orowan { mu, cap } => vec![mu, cap],
        Set::Tresca { cap } => vec![cap],
        Set::Bilateral { .. } => Vec::new(),
        Set::Rolling { mu, rolling, twisting, .. } => [mu, rolling].into_iter().chain(twisting).collect(),
        Set::Bearing { base, factor, .. } => vec![base, factor],
    }
}
