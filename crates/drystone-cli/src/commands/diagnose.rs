//! `drystone diagnose`.

mod iterates;
mod samples;
mod spread;
mod words;

use crate::attempt::parse_positive;
use crate::failure::{DONE, Failure, say};
use drystone::{AnySimulation, Delassus, Matrix, Problem, Simulation, Vector};
use drystone_diagnose::{EFFORT, Effort, diagnose_within};
use drystone_io::{RunFolder, Saved, SavedProblem};
use drystone_problem::residual;
use drystone_solvers::{Params, Report, solve};
use drystone_view::Picture;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};

/// Tell whether a step has a solution, and why a solver did not find it.
///
/// Looks for impulses that balance each other inside the friction cones and work against the motion: where
/// there are none, a solution exists. Names them where there are, and the friction below which they let go.
#[derive(clap::Args)]
pub struct Arguments {
    /// A saved problem (FCLIB), or a run folder: RUN@STEP for one of its steps; the last one that did not
    /// converge unless told otherwise, or the last.
    #[arg(value_name = "FILE|RUN[@STEP]")]
    source: String,
    /// Tell between which bounds the forces are open: the least and the largest over all admissible solutions
    /// at the velocities found.
    #[arg(long, group = "looks", group = "written")]
    spread: bool,
    /// What to bound: BODY for its joints and the force on it, A,B for the joint of two bodies, #K for
    /// contact K. All joints unless told otherwise; may be given more than once.
    #[arg(long, value_name = "WHAT", requires = "spread")]
    of: Vec<String>,
    /// Solve the step this many times, in random orders from random starts, and show how far the solves
    /// differ.
    #[arg(long, value_name = "K", group = "looks", group = "written", value_parser = clap::value_parser!(u32).range(2..=10_000))]
    samples: Option<u32>,
    /// Seed of the random orders and starts.
    #[arg(long, default_value_t = 1, requires = "samples")]
    seed: u64,
    /// Write the forces and their bounds, or the samples, as a table, .csv.
    #[arg(short, long, value_name = "FILE", requires = "written")]
    output: Option<PathBuf>,
    /// Sweep so many times from nothing and tell how far the sweeps run along impulses that balance each
    /// other.
    #[arg(long, value_name = "K", group = "looks", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    iterates: Option<u32>,
    /// Draw the bounds as bars on the joints, the samples, or the iterates of every contact, .svg or .png.
    #[arg(long, value_name = "FILE", requires = "looks")]
    picture: Option<PathBuf>,
    /// Most work of the search for proofs, in billions of multiplications: about a second each. What is not
    /// proved with it is told as undecided. A saved problem is solved first, with as much work.
    #[arg(long, value_name = "N", default_value_t = EFFORT / BILLION, value_parser = parse_positive)]
    work: f64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The unit of work on the command line.
const BILLION: f64 = 1e9;

/// A problem with everything that is known about it.
struct DiagnosedCase<'a, const D: usize, W> {
    /// What it was made from.
    source: String,
    /// Step and time of a run.
    step: Option<(u64, f64)>,
    problem: &'a Problem<D, W>,
    /// What the solver was told, and what it did.
    params: Params,
    iterations: u32,
    residual: f64,
    converged: bool,
    r: Vec<Vector<D>>,
    /// Names of the two bodies of each contact; empty where nobody knows them.
    bodies: Vec<[String; 2]>,
    /// What turns impulses into forces \[s\]; 1 where nobody knows, and impulses are shown.
    h: Option<f64>,
    /// Point and frame of each contact, and the bodies as they stand; none where nobody knows them.
    places: Vec<(Vector<D>, Matrix<D, D>)>,
    picture: Option<Picture>,
}

impl<const D: usize, W: Delassus<D>> DiagnosedCase<'_, D, W> {
    /// A solution in the variables of the sets; what the simulation keeps are the impulses of the laws.
    fn solution(&self) -> Vec<Vector<D>> {
        let mut r = self.r.clone();
        if residual(self.problem, &self.problem.velocities(&r), &r).relative > 10.0 * self.params.tolerance {
            solve(self.problem, &mut r, &self.params, self.step.map_or(0, |(step, _)| step - 1));
        }
        r
    }
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let (path, step) = split(&arguments.source)?;
    if path.is_file() {
        return match Saved::read(&path)?.problem {
            SavedProblem::Plane(problem) => of_file(arguments, &path, step, &problem),
            SavedProblem::Space(problem) => of_file(arguments, &path, step, &problem),
            SavedProblem::Rolling(problem) => of_file(arguments, &path, step, &problem),
        };
    }
    let run = RunFolder::open(&path)?;
    let step = match step {
        Some(step) => step,
        None => match run.last_unconverged()? {
            Some(step) => step,
            None => run.steps_done()?,
        },
    };
    if step == 0 {
        return Err(Failure::bad_input(format!(
            "{}: no step was done yet; steps count from 1",
            path.display()
        )));
    }
    // too late a step is refused before anything is computed
    let done = run.steps_done()?;
    if step > done {
        return Err(Failure::from(drystone_io::IoError::NoStep { path, step, steps: done }));
    }
    let source = path.display().to_string();
    match run.replay(step - 1)? {
        AnySimulation::Plane(simulation) => of_run(arguments, source, simulation),
        AnySimulation::Space(simulation) => of_run(arguments, source, simulation),
    }
}

/// Folder and step of the argument. A folder whose name holds an @ is taken for what it is.
fn split(source: &str) -> Result<(PathBuf, Option<u64>), Failure> {
    match source.rsplit_once('@') {
        Some((path, step)) if !Path::new(source).exists() => match step.parse() {
            Ok(step) => Ok((path.into(), Some(step))),
            Err(_) => Err(Failure::bad_input(format!(
                "{source}: \"{step}\" is no step; allowed is RUN@STEP with a whole number from 1"
            ))),
        },
        _ => Ok((source.into(), None)),
    }
}

/// Diagnoses a saved problem, solved from nothing with the default parameters.
fn of_file<const D: usize, W: Delassus<D>>(
    arguments: &Arguments,
    path: &Path,
    step: Option<u64>,
    problem: &Problem<D, W>,
) -> Result<u8, Failure> {
    if let Some(step) = step {
        let path = path.display();
        return Err(Failure::bad_input(format!("{path} is a file with one problem, it has no step {step}")));
    }
    let mut params = Params::default();
    params.work = Some(sweeps_within::<D>(arguments.work * BILLION, problem.contacts(), &params));
    let mut r = vec![Vector::zeros(); problem.contacts()];
    let report = solve(problem, &mut r, &params, 0);
    let Report { iterations, residual, converged, .. } = report;
    let source = path.display().to_string();
    let case = DiagnosedCase {
        source,
        step: None,
        problem,
        params,
        iterations,
        residual,
        converged,
        r,
        bodies: Vec::new(),
        h: None,
        places: Vec::new(),
        picture: None,
    };
    tell(arguments, &case)
}

/// Sweeps over so many contacts that take about as long as so many multiplications.
fn sweeps_within<const D: usize>(multiplications: f64, contacts: usize, params: &Params) -> u32 {
    let visit = params.auto.scalar_visit_ns / params.auto.multiplication_ns * (D * D) as f64;
    (multiplications / (visit * contacts.max(1) as f64)).ceil() as u32
}

/// Diagnoses the next step of a simulation.
fn of_run<const D: usize>(
    arguments: &Arguments,
    source: String,
    mut simulation: Simulation<D>,
) -> Result<u8, Failure> {
    let problem = simulation.problem();
    let told = simulation.step();
    let names = &simulation.bodies().name;
    let name = |body: u32| names.get(body as usize).map_or_else(|| "ground".to_owned(), String::clone);
    let params = simulation.settings().solver.clone();
    let mut r: Vec<_> = simulation.interactions().iter().map(|contact| contact.r).collect();
    if r.len() < problem.contacts() {
        // the rows behind those of the contacts, of branches and ties, are found by solving once more
        r.resize(problem.contacts(), Vector::zeros());
        solve(&problem, &mut r, &params, told.step - 1);
    }
    let case = DiagnosedCase {
        source,
        step: Some((told.step, told.time)),
        problem: &problem,
        params,
        iterations: told.iterations,
        residual: told.residual,
        converged: told.converged,
        r,
        bodies: problem.w.pairs().map(|row| row.bodies.map(name)).collect(),
        h: Some(simulation.settings().step),
        places: simulation.interactions().iter().map(|contact| (contact.point, contact.frame)).collect(),
        picture: Some(drystone_view::still(&simulation, "", &simulation.bodies().pose, &[], false)),
    };
    tell(arguments, &case)
}

/// A bar of the work done in percent, on a terminal.
fn effort_bar() -> ProgressBar {
    let bar = ProgressBar::new(100);
    if let Ok(style) = ProgressStyle::with_template("{bar:16} {pos} % of the work allowed  {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

/// Diagnoses a case and tells of it.
fn tell<const D: usize, W: Delassus<D>>(
    arguments: &Arguments,
    case: &DiagnosedCase<D, W>,
) -> Result<u8, Failure> {
    let bar = effort_bar();
    let shown = bar.clone();
    let effort = Effort::within(arguments.work * BILLION).watched(move |asked, share| {
        shown.set_message(asked);
        shown.set_position((100.0 * share) as u64);
    });
    let diagnosis = diagnose_within(case.problem, &case.r, case.converged, effort);
    bar.finish_and_clear();
    let spread = match arguments.spread {
        true => Some(spread::bound(case, &arguments.of)?),
        false => None,
    };
    let samples = match arguments.samples {
        Some(count) => Some(samples::measure(case, count as usize, arguments.seed)?),
        None => None,
    };
    let iterates = match arguments.iterates {
        Some(count) => Some(iterates::trace_of(case, count as usize)?),
        None => None,
    };
    if let (Some(iterates), Some(path)) = (&iterates, &arguments.picture) {
        drystone_view::plot(&iterates::picture(case, iterates), path)?;
    }
    if let (Some(samples), Some(path)) = (&samples, &arguments.output) {
        samples::write(case, samples, path)?;
    }
    if let (Some(samples), Some(path)) = (&samples, &arguments.picture) {
        drystone_view::plot(&samples::picture(case, samples), path)?;
    }
    if let (Some(spread), Some(path)) = (&spread, &arguments.output) {
        spread::write(case, spread, path)?;
    }
    if let (Some(spread), Some(path)) = (&spread, &arguments.picture) {
        spread::draw(case, spread, path)?;
    }
    if arguments.json {
        let mut object = words::object(case, &diagnosis);
        if let Some(spread) = &spread {
            object["spread"] = spread::object(case, spread);
        }
        if let Some(samples) = &samples {
            object["samples"] = samples::object(case, samples);
        }
        if let Some(iterates) = &iterates {
            object["iterates"] = iterates::object(iterates);
        }
        say(object);
        return Ok(DONE);
    }
    say(words::words(case, &diagnosis));
    if let Some(spread) = &spread {
        say(spread::words(case, spread));
    }
    if let Some(samples) = &samples {
        say(samples::words(case, samples));
    }
    if let Some(iterates) = &iterates {
        say(iterates::words(iterates));
    }
    for path in [&arguments.output, &arguments.picture].into_iter().flatten() {
        say(format_args!("{:<14}{}", "wrote", path.display()));
    }
    Ok(DONE)
}
