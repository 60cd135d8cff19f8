//! The problems a bench of solvers runs on: saved ones, or a few made from our own scenes.

use crate::attempt::{AttemptTask, Figures, attempt};
use crate::commands::solve::find_all;
use crate::failure::Failure;
use crate::gallery;
use drystone::{AnySimulation, Condensed, Problem};
use drystone_bench::problems::lattice;
use drystone_io::{Saved, SavedProblem};
use drystone_problem::siconos_error;
use drystone_scene::Scene;
use std::path::Path;

/// Solves shorter than this are repeated \[s\].
const SHORT: f64 = 0.02;

/// So often; the fastest counts, since others on the machine only ever slow one down.
const REPEATS: usize = 5;

/// One problem.
pub struct BenchCase {
    /// Its name, unique in a bench.
    pub name: String,
    /// Number of contacts.
    pub contacts: usize,
    /// Components at a contact.
    pub dimension: usize,
    numbers: Numbers,
}

enum Numbers {
    Saved(Box<Saved>),
    Plane(Problem<2, Condensed<2>>),
    Space(Problem<3, Condensed<3>>),
}

impl BenchCase {
    /// The problems of a folder and the folders in it; those that cannot be read are told and left out.
    pub fn saved(folder: &Path) -> Result<Vec<Self>, Failure> {
        let mut cases = Vec::new();
        for file in find_all(&[folder.to_owned()])? {
            match Saved::read(&file) {
                Ok(saved) => {
                    let name = file.strip_prefix(folder).unwrap_or(&file).with_extension("");
                    let (contacts, dimension) = (saved.contacts(), saved.dimension());
                    let numbers = Numbers::Saved(Box::new(saved));
                    cases.push(Self { name: name.display().to_string(), contacts, dimension, numbers });
                }
                Err(error) if error.is_bad_input() => eprintln!("warning: {error}; left out"),
                Err(error) => return Err(error.into()),
            }
        }
        match cases.is_empty() {
            true => {
                Err(Failure::bad_input(format!("{}: holds no problem that can be read", folder.display())))
            }
            false => Ok(cases),
        }
    }

    /// Problems of our own: steps of the scenes that come with the command, and lattices of balls.
    pub fn made() -> Result<Vec<Self>, Failure> {
        const STEPS: [(&str, u64); 6] = [
            ("arch", 2),
            ("stack", 20),
            ("falling-disks", 400),
            ("falling-disks", 800),
            ("collapse", 200),
            ("collapse", 500),
        ];
        let mut cases = Vec::new();
        for (name, step) in STEPS {
            let scene = Scene::parse(&gallery::find(name)?.text(), &format!("{name}.toml"))?;
            let numbers = match scene.build()? {
                AnySimulation::Plane(mut simulation) => {
                    (1..step).for_each(|_| {
                        let _ = simulation.step();
                    });
                    Numbers::Plane(simulation.problem())
                }
                AnySimulation::Space(mut simulation) => {
                    (1..step).for_each(|_| {
                        let _ = simulation.step();
                    });
                    Numbers::Space(simulation.problem())
                }
            };
            cases.push(Self::of(format!("{name}-{step}"), numbers));
        }
        for contacts in [300, 3000] {
            cases.push(Self::of(format!("lattice-{contacts}"), Numbers::Space(lattice(contacts, 1))));
        }
        cases.retain(|case| case.contacts > 0);
        Ok(cases)
    }

    fn of(name: String, numbers: Numbers) -> Self {
        let (contacts, dimension) = match &numbers {
            Numbers::Saved(saved) => (saved.contacts(), saved.dimension()),
            Numbers::Plane(problem) => (problem.contacts(), 2),
            Numbers::Space(problem) => (problem.contacts(), 3),
        };
        Self { name, contacts, dimension, numbers }
    }

    /// One solver on this problem; short solves are repeated and the fastest is told.
    pub fn run(&self, task: &AttemptTask) -> Figures {
        let mut best = self.once(task);
        for _ in 1..REPEATS {
            if !(best.converged && best.seconds < SHORT) {
                break;
            }
            let again = self.once(task);
            if again.seconds < best.seconds {
                best = again;
            }
        }
        best
    }

    fn once(&self, task: &AttemptTask) -> Figures {
        match &self.numbers {
            Numbers::Plane(problem) => {
                attempt(problem, |r| siconos_error(problem, &problem.velocities(r), r), task).figures
            }
            Numbers::Space(problem) => {
                attempt(problem, |r| siconos_error(problem, &problem.velocities(r), r), task).figures
            }
            Numbers::Saved(saved) => match &saved.problem {
                SavedProblem::Plane(problem) => {
                    attempt(problem, |r| saved.siconos_error(problem, r), task).figures
                }
                SavedProblem::Space(problem) => {
                    attempt(problem, |r| saved.siconos_error(problem, r), task).figures
                }
                SavedProblem::Rolling(problem) => {
                    attempt(problem, |r| saved.siconos_error(problem, r), task).figures
                }
            },
        }
    }
}
