//! Sums over the steps of a run, for its summary; they survive a resume. Judges nothing.

use drystone::{BodyId, Dissipation, Link, PAIRS, Projection, Rested, Seconds, StepReport, Trouble, Verdict};
use serde::{Deserialize, Serialize};

/// Steps that did not converge for one reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unconverged {
    /// How many.
    pub steps: u64,
    /// The last of them.
    pub last: u64,
    /// Contacts and ties to look at in the last of them, worst first.
    pub worst: [Option<Link>; PAIRS],
    /// All friction times less than this would have let go of the last one's network of impulses.
    pub friction: Option<f64>,
}

impl Unconverged {
    fn add(&mut self, step: u64, trouble: &Trouble) {
        self.steps += 1;
        self.last = step;
        self.worst = trouble.worst;
        self.friction = trouble.friction;
    }
}

/// What the projection of positions did in all steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Projected {
    /// Problems solved.
    pub rounds: u64,
    /// Problems of the step that took most.
    pub rounds_max: u64,
    /// Deepest overlap before \[m\].
    pub before_max: f64,
    /// Steps in which an overlap was left, there being no room.
    pub steps_stuck: u64,
    /// The bodies, or the tie, of the last of them.
    pub stuck: Option<Link>,
}

impl Projected {
    fn add(&mut self, done: &Projection) {
        self.rounds += u64::from(done.rounds);
        self.rounds_max = self.rounds_max.max(u64::from(done.rounds));
        self.before_max = self.before_max.max(done.before);
        if done.stuck.is_some() {
            self.steps_stuck += 1;
            self.stuck = done.stuck;
        }
    }
}

/// What the steps came to against the Clausius–Duhem inequality.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClausiusDuhem {
    /// Contacts that gave work beyond the tolerance, over all steps.
    pub violations: u64,
    /// The last step with one.
    pub last: u64,
    /// The bodies of its worst contact.
    pub worst: Option<[u32; 2]>,
    /// Least dissipation of any contact in any step \[J\], where it was negative.
    pub least: f64,
    /// The work that these contacts gave \[J\].
    pub given: f64,
    /// What all contacts dissipated \[J\], the work given taken off.
    pub dissipated: f64,
}

impl ClausiusDuhem {
    /// The work given, relative to what the other contacts dissipated; 0 where none was given.
    pub fn share(&self) -> f64 {
        let spent = self.dissipated + self.given;
        if self.given > 0.0 { self.given / spent.max(f64::MIN_POSITIVE) } else { 0.0 }
    }

    fn add(&mut self, step: u64, found: &Dissipation) {
        self.least = self.least.min(found.least);
        self.given += found.given;
        self.dissipated += found.total;
        if found.violations > 0 {
            self.violations += u64::from(found.violations);
            self.last = step;
            self.worst = found.worst.map(|pair| pair.map(|BodyId(body)| body));
        }
    }
}

/// Islands at rest that the solver set in motion, over the steps of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Islands {
    /// Those that could stay and did.
    pub held: u64,
    /// Those that could stay and moved all the same.
    pub passed_over: u64,
    /// Those that were not looked at, or left undecided.
    pub unchecked: u64,
    /// The last step in which one was passed over, 0 where none was.
    pub last_passed_over: u64,
}

impl Islands {
    fn add(&mut self, step: u64, rest: &Rested) {
        self.held += u64::from(rest.held);
        self.passed_over += u64::from(rest.passed_over);
        self.unchecked += u64::from(rest.unchecked);
        if rest.passed_over > 0 {
            self.last_passed_over = step;
        }
    }
}

/// Sums and extremes over the steps of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Steps added.
    pub steps: u64,
    /// Sweeps of the solver.
    pub iterations: u64,
    /// Contacts visited in all sweeps.
    pub updates: u64,
    /// Contacts, summed over the steps.
    pub contacts_sum: u64,
    /// Contacts of the fullest step.
    pub contacts_max: u64,
    /// Steps whose residual stayed above the tolerance.
    pub steps_not_converged: u64,
    /// Of these, steps whose work was spent.
    pub steps_limited: u64,
    /// Steps that did not converge by reason, in the order of [`Verdict::ALL`].
    pub unconverged: [Unconverged; Verdict::ALL.len()],
    /// Contacts that jammed and were let go, over all steps.
    pub jammed: u64,
    /// Ties that broke.
    pub broken: u64,
    /// Work that contacts gave.
    pub clausius_duhem: ClausiusDuhem,
    /// Islands at rest that the solver set in motion.
    pub islands: Islands,
    /// Steps in a row, up to the last, that were at rest: for the caller's criterion of equilibrium.
    pub steps_at_rest: u64,
    /// Largest residual.
    pub residual_max: f64,
    /// Sizes of the work gaps of the steps, summed up \[-\].
    pub gap_sum: f64,
    /// The largest of them.
    pub gap_max: f64,
    /// Deepest overlap \[m\].
    pub penetration_max: f64,
    /// What the projection of positions did.
    pub projected: Projected,
    /// Wall-clock time of detection \[s\].
    pub seconds_detection: f64,
    /// Wall-clock time of assembly \[s\].
    pub seconds_assembly: f64,
    /// Wall-clock time of the solver \[s\].
    pub seconds_solver: f64,
    /// Wall-clock time of all the rest and output \[s\], if the caller adds it.
    pub seconds_other: f64,
}

impl Totals {
    /// Adds a step. `steps_at_rest` and `seconds_other` belong to the caller.
    pub fn add(&mut self, report: &StepReport) {
        let Seconds { detection, assembly, solver } = report.seconds;
        self.steps += 1;
        self.iterations += u64::from(report.iterations);
        self.updates += report.updates;
        self.contacts_sum += report.contacts as u64;
        self.contacts_max = self.contacts_max.max(report.contacts as u64);
        self.steps_not_converged += u64::from(!report.converged);
        self.steps_limited += u64::from(report.is_limited);
        if let Some(trouble) = &report.trouble {
            self.unconverged[trouble.verdict as usize].add(report.step, trouble);
        }
        self.jammed += u64::from(report.jammed);
        self.broken += u64::from(report.broken);
        self.clausius_duhem.add(report.step, &report.dissipation);
        self.islands.add(report.step, &report.rest);
        self.residual_max = self.residual_max.max(report.residual);
        let gap = report.gap.map_or(0.0, |gap| gap.signed.abs());
        self.gap_sum += gap;
        self.gap_max = self.gap_max.max(gap);
        self.penetration_max = self.penetration_max.max(report.penetration);
        if let Some(done) = &report.projection {
            self.projected.add(done);
        }
        self.seconds_detection += detection;
        self.seconds_assembly += assembly;
        self.seconds_solver += solver;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_survive_in_a_checkpoint() {
        let projected =
            Projected { rounds: 9, before_max: 1e-3, stuck: Some(Link::Tie(5)), ..Projected::default() };
        let mut totals = Totals { steps: 7, residual_max: 0.25, projected, ..Totals::default() };
        totals.unconverged[2] = Unconverged {
            steps: 3,
            last: 5,
            worst: [Some(Link::Bodies([BodyId(0), BodyId(4)])), Some(Link::Tie(3)), None],
            friction: Some(0.9),
        };
        totals.clausius_duhem = ClausiusDuhem {
            violations: 2,
            last: 6,
            worst: Some([3, 1]),
            least: -0.5,
            given: 0.75,
            dissipated: 2.25,
        };
        assert_eq!(totals.clausius_duhem.share(), 0.25);
        totals.islands = Islands { held: 4, passed_over: 1, unchecked: 2, last_passed_over: 6 };
        let bytes = postcard::to_stdvec(&totals).unwrap();
        assert_eq!(postcard::from_bytes::<Totals>(&bytes).unwrap(), totals);
        assert!(postcard::from_bytes::<Totals>(&bytes[..bytes.len() - 1]).is_err());
    }
}
