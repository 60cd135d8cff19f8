//! Sums over the steps of a run, for its summary; they survive a resume. Judges nothing.

use drystone::{BodyId, Dissipation, Link, PAIRS, Projection, Rested, Seconds, StepReport, Trouble, Verdict};
use serde::Serialize;

/// Stands for the first body where a word speaks of a tie.
const TIE: u32 = u32::MAX;

/// Steps that did not converge for one reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Unconverged {
    /// How many.
    pub steps: u64,
    /// The last of them.
    pub last: u64,
    /// Contacts and ties to look at in the last of them, worst first.
    #[serde(skip)]
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

    /// Words of one reason.
    const WORDS: usize = 3 + PAIRS;

    fn to_words(self) -> [u64; Self::WORDS] {
        let mut words = [u64::MAX; Self::WORDS];
        words[0] = self.steps;
        words[1] = self.last;
        words[2] = self.friction.map_or(u64::MAX, f64::to_bits);
        for (word, pair) in words[3..].iter_mut().zip(self.worst) {
            *word = pair_to_word(pair.map(pair_of));
        }
        words
    }

    fn from_words(words: &[u64]) -> Self {
        let some = |word: u64| (word != u64::MAX).then_some(word);
        let mut worst = [None; PAIRS];
        for (pair, &word) in worst.iter_mut().zip(&words[3..]) {
            *pair = pair_from_word(word).map(link_of);
        }
        Self { steps: words[0], last: words[1], worst, friction: some(words[2]).map(f64::from_bits) }
    }
}

/// What the projection of positions did in all steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
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
    #[serde(skip)]
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

    const WORDS: usize = 5;

    fn to_words(self) -> [u64; Self::WORDS] {
        let Self { rounds, rounds_max, before_max, steps_stuck, stuck } = self;
        [rounds, rounds_max, before_max.to_bits(), steps_stuck, pair_to_word(stuck.map(pair_of))]
    }

    fn from_words([rounds, rounds_max, before_max, steps_stuck, stuck]: [u64; Self::WORDS]) -> Self {
        let (before_max, stuck) = (f64::from_bits(before_max), pair_from_word(stuck).map(link_of));
        Self { rounds, rounds_max, before_max, steps_stuck, stuck }
    }
}

/// Two bodies as one word.
fn pair_to_word(pair: Option<[u32; 2]>) -> u64 {
    pair.map_or(u64::MAX, |[a, b]| u64::from(a) << 32 | u64::from(b))
}

/// What `pair_to_word` was given.
fn pair_from_word(word: u64) -> Option<[u32; 2]> {
    (word != u64::MAX).then_some([(word >> 32) as u32, word as u32])
}

/// A contact or tie as a pair of numbers.
fn pair_of(link: Link) -> [u32; 2] {
    match link {
        Link::Bodies([BodyId(a), BodyId(b)]) => [a, b],
        Link::Tie(tie) => [TIE, tie],
    }
}

/// The contact or tie of a pair of numbers.
fn link_of(pair: [u32; 2]) -> Link {
    match pair {
        [TIE, tie] => Link::Tie(tie),
        pair => Link::Bodies(pair.map(BodyId)),
    }
}

/// What the steps came to against the Clausius–Duhem inequality.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
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
    /// Words of it.
    const WORDS: usize = 6;

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

    fn to_words(self) -> [u64; Self::WORDS] {
        let [least, given, dissipated] = [self.least, self.given, self.dissipated].map(f64::to_bits);
        [self.violations, self.last, pair_to_word(self.worst), least, given, dissipated]
    }

    fn from_words([violations, last, worst, least, given, dissipated]: [u64; Self::WORDS]) -> Self {
        let [least, given, dissipated] = [least, given, dissipated].map(f64::from_bits);
        Self { violations, last, worst: pair_from_word(worst), least, given, dissipated }
    }
}

/// Islands at rest that the solver set in motion, over the steps of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
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
    const WORDS: usize = 4;

    fn add(&mut self, step: u64, rest: &Rested) {
        self.held += u64::from(rest.held);
        self.passed_over += u64::from(rest.passed_over);
        self.unchecked += u64::from(rest.unchecked);
        if rest.passed_over > 0 {
            self.last_passed_over = step;
        }
    }

    fn to_words(self) -> [u64; Self::WORDS] {
        [self.held, self.passed_over, self.unchecked, self.last_passed_over]
    }

    fn from_words([held, passed_over, unchecked, last_passed_over]: [u64; Self::WORDS]) -> Self {
        Self { held, passed_over, unchecked, last_passed_over }
    }
}

/// Sums and extremes over the steps of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
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
    /// The same by reason, in the order of [`Verdict::ALL`].
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
        if let Some(trouble) = &report.trouble {
            self.unconverged[trouble.verdict as usize].add(report.step, trouble);
        }
        self.jammed += u64::from(report.jammed);
        self.broken += u64::from(report.broken);
        self.clausius_duhem.add(report.step, &report.dissipation);
        self.islands.add(report.step, &report.rest);
        self.residual_max = self.residual_max.max(report.residual);
        self.penetration_max = self.penetration_max.max(report.penetration);
        if let Some(done) = &report.projection {
            self.projected.add(done);
        }
        self.seconds_detection += detection;
        self.seconds_assembly += assembly;
        self.seconds_solver += solver;
    }

    /// All fields as words, numbers by their bits.
    pub(crate) fn to_words(self) -> Vec<u64> {
        let Self {
            steps,
            iterations,
            updates,
            contacts_sum,
            contacts_max,
            steps_not_converged,
            unconverged,
            jammed,
            broken,
            clausius_duhem,
            islands,
            steps_at_rest,
            residual_max,
            penetration_max,
            projected,
            seconds_detection,
            seconds_assembly,
            seconds_solver,
            seconds_other,
        } = self;
        let counts = [
            steps,
            iterations,
            updates,
            contacts_sum,
            contacts_max,
            steps_not_converged,
            jammed,
            broken,
            steps_at_rest,
        ];
        let numbers = [
            residual_max,
            penetration_max,
            seconds_detection,
            seconds_assembly,
            seconds_solver,
            seconds_other,
        ];
        let reasons = unconverged.into_iter().flat_map(Unconverged::to_words);
        counts
            .into_iter()
            .chain(numbers.map(f64::to_bits))
            .chain(projected.to_words())
            .chain(clausius_duhem.to_words())
            .chain(islands.to_words())
            .chain(reasons)
            .collect()
    }

    /// What `to_words` gave.
    pub(crate) fn from_words(words: &[u64]) -> Option<Self> {
        let (counts, numbers) = words.split_at_checked(9)?;
        let (numbers, rest) = numbers.split_at_checked(6)?;
        let (projected, rest) = rest.split_first_chunk()?;
        let (given, rest) = rest.split_first_chunk()?;
        let (islands, reasons) = rest.split_first_chunk()?;
        let mut unconverged = [Unconverged::default(); Verdict::ALL.len()];
        if reasons.len() != unconverged.len() * Unconverged::WORDS {
            return None;
        }
        for (reason, words) in unconverged.iter_mut().zip(reasons.chunks_exact(Unconverged::WORDS)) {
            *reason = Unconverged::from_words(words);
        }
        let &[
            steps,
            iterations,
            updates,
            contacts_sum,
            contacts_max,
            steps_not_converged,
            jammed,
            broken,
            steps_at_rest,
        ] = counts
        else {
            return None;
        };
        let &[residual_max, penetration_max, detection, assembly, solver, other] = numbers else {
            return None;
        };
        Some(Self {
            steps,
            iterations,
            updates,
            contacts_sum,
            contacts_max,
            steps_not_converged,
            unconverged,
            jammed,
            broken,
            clausius_duhem: ClausiusDuhem::from_words(*given),
            islands: Islands::from_words(*islands),
            steps_at_rest,
            residual_max: f64::from_bits(residual_max),
            penetration_max: f64::from_bits(penetration_max),
            projected: Projected::from_words(*projected),
            seconds_detection: f64::from_bits(detection),
            seconds_assembly: f64::from_bits(assembly),
            seconds_solver: f64::from_bits(solver),
            seconds_other: f64::from_bits(other),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_survive_as_words() {
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
        assert_eq!(Totals::from_words(&totals.to_words()), Some(totals));
        assert_eq!(Totals::from_words(&totals.to_words()[1..]), None);
    }
}
