//! What to do with a step that has no solution: nothing, or friction that grows no more at the contacts that
//! jam. Finds no reason; that is the diagnosis.

use crate::Simulation;
use crate::diagnosis::look_into;
use drystone_contact::Assembly;
use drystone_math::Vector;
use drystone_problem::{Condensed, Delassus, Problem, Set};
use drystone_solvers::{Report, SweepMemory, Verdict, solve_spans};

/// How a step that has no solution is dealt with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "lowercase"),
    schemars(description = "What to do with a step that has no solution.")
)]
pub enum Inconsistent {
    /// It is reported, and the run goes on with what the solver has.
    #[default]
    Report,
    /// The contacts that jam take the friction of Coulomb and Orowan in this step, with the mean normal force
    /// as their threshold (Alart, Renouf 2018, §5), and it is solved again. Needs the feature `diagnose`.
    #[cfg(feature = "diagnose")]
    Orowan,
    /// It is reported, and the run ends: a simulation does as with `Report`, whoever drives it stops there.
    Stop,
}

/// Most rounds of letting contacts go: those of one network may hide another, and the last round takes all
/// contacts.
const ROUNDS: usize = 4;

impl<const D: usize> Simulation<D> {
    /// Solves a step that has no solution once more, with the jammed contacts let go; gives the last report,
    /// with the work of all, and how many there were, none where the step has a solution after all. `guess`
    /// are the impulses to start from, `r` those of the failed solve. The moments of a contact that is let go
    /// keep the thresholds of the failed solve.
    pub(crate) fn let_go(
        &self,
        assembly: &mut Assembly<D>,
        guess: &[Vector<D>],
        r: &mut [Vector<D>],
        mut report: Report,
    ) -> (Report, u32) {
        let mean = if self.mean_normal > 0.0 { self.mean_normal } else { asked(&assembly.problem) };
        let (mut spent, mut updates) = (report.iterations, report.updates);
        let (mut jammed, mut memory) = (0, SweepMemory::default());
        let params = &self.settings.solver;
        for round in 1..=ROUNDS {
            let problem = &mut assembly.problem;
            let jams = |verdict| verdict == Some(Verdict::Inconsistent);
            let found = look_into(problem, r, report.converged).filter(|found| jams(found.verdict));
            let Some(found) = found.filter(|_| !report.converged) else { break };
            let mut contacts = found.contacts;
            if round == ROUNDS {
                contacts = (0..problem.contacts()).collect();
            }
            let before = jammed;
            for contact in contacts {
                if let Set::Coulomb { mu } = problem.sets[contact] {
                    problem.sets[contact] = Set::Orowan { mu, cap: mu * mean };
                    jammed += 1;
                }
            }
            if jammed == before && round < ROUNDS {
                continue;
            }
            for (r, (guess, set)) in r.iter_mut().zip(guess.iter().zip(&problem.sets)) {
                *r = set.project(guess);
            }
            report = solve_spans(problem, &assembly.spans, r, params, self.clock(), &mut memory);
            spent += report.iterations;
            updates += report.updates;
        }
        (report.iterations, report.updates) = (spent, updates);
        (report, jammed)
    }
}

/// Mean normal impulse of what contacts ask for one by one \[N s\].
fn asked<const D: usize>(problem: &Problem<D, Condensed<D>>) -> f64 {
    let asked = |alpha: usize| -problem.u_free[alpha][0] / problem.w.block(alpha)[(0, 0)];
    let pushing = (0..problem.contacts()).map(asked).filter(|&r| r > 0.0 && r.is_finite());
    let (sum, count) = pushing.fold((0.0, 0.0), |(sum, count), r| (sum + r, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}
