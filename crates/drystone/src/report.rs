//! What a step tells of itself, and the clock that it is timed by. Decides nothing.

use crate::trouble::{Link, Trouble};
use crate::{Dissipation, Projection, Rested};
use drystone_problem::WorkGap;
use drystone_solvers::{Report, Route};
use std::time::Instant;

/// Wall-clock seconds spent in the parts of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seconds {
    /// Free motion, placing contactors, broad phase and narrow phase.
    pub detection: f64,
    /// Building the condensed problem, and taking its solution back.
    pub assembly: f64,
    /// Solving it.
    pub solver: f64,
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 1.
    pub step: u64,
    /// Time at its end \[s\].
    pub time: f64,
    /// Contacts in the problem.
    pub contacts: usize,
    /// Of them with an impulse.
    pub active: usize,
    /// Whether near pairs were looked for; with a [skin](crate::Settings::skin) they may be those of an
    /// earlier step.
    pub looked: bool,
    /// Sweeps of the solver.
    pub iterations: u32,
    /// Contacts visited in all sweeps.
    pub updates: u64,
    /// Iterations of Newton's method around the contacts, the most of any body; 0 where all are linear.
    pub newton: u32,
    /// Parts in which the step was made: 1, or a power of two where a deformable body found no end of it as a
    /// whole. Figures are then those of all parts together, of contacts those of the last.
    pub parts: u32,
    /// Residual reached: that of the worst contact.
    pub residual: f64,
    /// The root of its mean square over the contacts.
    pub mean_residual: f64,
    /// How far the forces are from being in balance.
    pub gap: Option<WorkGap>,
    /// Whether it is within the tolerance.
    pub converged: bool,
    /// Whether it is not since its [work](crate::AutoParams::work_limit) was spent: the best iterate was
    /// taken.
    pub is_limited: bool,
    /// Whether the step was interrupted, or a deformable body found no end of it
    /// ([`take_failure`](crate::Simulation::take_failure) says which): nothing has changed, and nothing but
    /// the figures of the solver here has a meaning.
    pub is_abandoned: bool,
    /// The contact or tie with the largest share of the residual.
    pub worst: Option<Link>,
    /// Why it is not, where it is not.
    pub trouble: Option<Trouble>,
    /// Contacts that jammed and were let go, where the settings ask for it.
    pub jammed: u32,
    /// Ties that broke.
    pub broken: u32,
    /// Islands at rest that the solver set in motion, and what became of them.
    pub rest: Rested,
    /// What the contacts dissipated, and whether any of them gave work.
    pub dissipation: Dissipation,
    /// The way the solver went.
    pub route: Route,
    /// Deepest overlap \[m\]: at the middle configuration, or at the end of the step where positions are
    /// projected.
    pub penetration: f64,
    /// What the projection of positions did, where the settings ask for it.
    pub projection: Option<Projection>,
    /// Fastest point of any body that is not driven \[m/s\], spin counted at the bounding radius.
    pub speed: f64,
    /// Where the time went.
    pub seconds: Seconds,
}

impl StepReport {
    /// The report of a step that was interrupted after `steps` others, at this time \[s\].
    pub(crate) fn abandoned(steps: u64, time: f64, solved: &Report, seconds: Seconds) -> Self {
        Self {
            step: steps,
            time,
            contacts: 0,
            active: 0,
            looked: false,
            iterations: solved.iterations,
            updates: solved.updates,
            newton: 0,
            parts: 1,
            residual: solved.residual,
            mean_residual: solved.mean,
            gap: solved.gap,
            converged: false,
            is_limited: false,
            is_abandoned: true,
            worst: None,
            trouble: None,
            jammed: 0,
            broken: 0,
            rest: Rested::default(),
            dissipation: Dissipation::default(),
            route: solved.route,
            penetration: 0.0,
            projection: None,
            speed: 0.0,
            seconds,
        }
    }

    /// The report of a step up to a part of it, which comes next.
    pub(crate) fn with_part(&self, part: &Self) -> Self {
        // what was abandoned was tried, and has judged nothing
        let fell_short = |report: &Self| !report.is_abandoned && !report.converged;
        Self {
            looked: self.looked || part.looked,
            iterations: self.iterations + part.iterations,
            updates: self.updates + part.updates,
            newton: self.newton.max(part.newton),
            residual: if self.is_abandoned { part.residual } else { self.residual.max(part.residual) },
            converged: !fell_short(self) && !fell_short(part),
            is_limited: self.is_limited || part.is_limited,
            is_abandoned: self.is_abandoned && part.is_abandoned,
            trouble: part.trouble.or(self.trouble),
            jammed: self.jammed + part.jammed,
            broken: self.broken + part.broken,
            rest: self.rest.with(&part.rest),
            dissipation: self.dissipation.with(&part.dissipation),
            penetration: self.penetration.max(part.penetration),
            seconds: self.seconds.with(&part.seconds),
            ..*part
        }
    }
}

impl Seconds {
    fn with(&self, more: &Self) -> Self {
        Self {
            detection: self.detection + more.detection,
            assembly: self.assembly + more.assembly,
            solver: self.solver + more.solver,
        }
    }
}

/// The parts of a step that are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepStage {
    Detection,
    Assembly,
    Solver,
}

/// Where the time of a step goes.
pub(crate) struct Timers {
    part: StepStage,
    since: Instant,
    seconds: Seconds,
}

impl Timers {
    /// Begins with a part.
    pub fn start(part: StepStage) -> Self {
        Self { part, since: Instant::now(), seconds: Seconds::default() }
    }

    /// Goes on with another part.
    pub fn enter(&mut self, part: StepStage) {
        let now = Instant::now();
        let spent = match self.part {
            StepStage::Detection => &mut self.seconds.detection,
            StepStage::Assembly => &mut self.seconds.assembly,
            StepStage::Solver => &mut self.seconds.solver,
        };
        *spent += now.duration_since(self.since).as_secs_f64();
        (self.part, self.since) = (part, now);
    }

    /// The end.
    pub fn stop(mut self) -> Seconds {
        self.enter(self.part);
        self.seconds
    }
}
