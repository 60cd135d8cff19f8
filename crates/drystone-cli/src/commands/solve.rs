//! `drystone solve`.

use crate::attempt::{Attempt, AttemptTask, Figures, attempt, parse_method, parse_positive};
use crate::failure::{BAD_INPUT, DONE, Failure, NOT_CONVERGED, plain, say};
use drystone_io::{Saved, SavedProblem};
use drystone_problem::{Blocks, Problem};
use drystone_solvers::Method;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Solve saved contact problems (FCLIB files).
///
/// Each is solved from zero impulses until the error that Siconos reports is within the tolerance and the
/// residual of Drystone, given beside it, within a hundred times that, at most 3e-4. Where it is not, the
/// outcome says why and what `diagnose` has to say. A file that cannot be read does not keep the others from
/// being solved.
#[derive(clap::Args)]
pub struct Arguments {
    /// The files; a folder stands for all problems in it.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Which solver.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = parse_method)]
    solver: Method,
    /// The error of Siconos to reach.
    #[arg(long, value_name = "T", default_value = "1e-8", value_parser = parse_positive)]
    tol: f64,
    /// Most seconds for a problem; unlimited unless told otherwise.
    #[arg(long, value_name = "S", value_parser = parse_positive)]
    max_seconds: Option<f64>,
    /// Threads to use; all cores unless told otherwise.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print one JSON object for each file, a line each.
    #[arg(long)]
    json: bool,
    /// Write a copy of each file with its solution into this folder.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let files = find_all(&arguments.files)?;
    if let Some(folder) = &arguments.output {
        check_output(folder, &files)?;
    }
    let threads = arguments.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::other)?;
    pool.install(|| solve_all(arguments, &files))
}

fn solve_all(arguments: &Arguments, files: &[PathBuf]) -> Result<u8, Failure> {
    let wide = files.iter().map(|file| file_name(file).chars().count()).max().unwrap_or(0).max(4);
    if !arguments.json {
        let error = "Siconos error";
        say(format_args!(
            "{:<wide$}  contacts  dim  iterations    seconds  residual  {error}  outcome",
            "file"
        ));
    }
    let (mut solved, mut bad) = (0, 0);
    for file in files {
        match solve_one(arguments, file) {
            Ok((saved, figures)) => {
                solved += usize::from(figures.converged);
                tell(arguments, file, &saved, &figures, wide);
            }
            Err(failure) if failure.code == BAD_INPUT => {
                bad += 1;
                eprintln!("error: {}", plain(&failure.message));
                if arguments.json {
                    say(unread(arguments, file, &failure.message));
                }
            }
            Err(failure) => return Err(failure),
        }
    }
    if !arguments.json {
        say(format_args!(
            "{solved} of {} solved to {:e} by {}",
            files.len(),
            arguments.tol,
            arguments.solver.name()
        ));
    }
    Ok(match (bad, solved) {
        (1.., _) => BAD_INPUT,
        (0, solved) if solved < files.len() => NOT_CONVERGED,
        _ => DONE,
    })
}

fn solve_one(arguments: &Arguments, file: &Path) -> Result<(Saved, Figures), Failure> {
    fn go<const D: usize>(
        saved: &Saved,
        problem: &Problem<D, Blocks<D>>,
        arguments: &Arguments,
        file: &Path,
    ) -> Result<Figures, Failure> {
        let task = AttemptTask {
            method: arguments.solver,
            tolerance: arguments.tol,
            seconds: arguments.max_seconds,
        };
        let Attempt { r, figures } = attempt(problem, |r| saved.siconos_error(problem, r), &task);
        if let Some(folder) = &arguments.output {
            saved.write_solved(folder.join(file_name(file)), problem, &r)?;
        }
        Ok(figures)
    }
    let saved = Saved::read(file)?;
    let figures = match &saved.problem {
        SavedProblem::Plane(problem) => go(&saved, problem, arguments, file),
        SavedProblem::Space(problem) => go(&saved, problem, arguments, file),
        SavedProblem::Rolling(problem) => go(&saved, problem, arguments, file),
    }?;
    Ok((saved, figures))
}

fn tell(arguments: &Arguments, file: &Path, saved: &Saved, figures: &Figures, wide: usize) {
    if arguments.json {
        let mut object = json!({
            "file": file.display().to_string(),
            "contacts": saved.contacts(),
            "dimension": saved.dimension(),
            "solver": arguments.solver.name(),
        });
        if let (Some(object), Value::Object(more)) = (object.as_object_mut(), figures.json()) {
            object.extend(more);
        }
        return say(object);
    }
    let (name, contacts, dimension) = (file_name(file), saved.contacts(), saved.dimension());
    let Figures { iterations, seconds, residual, siconos_error, reason, .. } = figures;
    let verdict = figures.verdict.map_or_else(String::new, |verdict| format!("; {}", verdict.words()));
    say(format_args!(
        "{name:<wide$}  {contacts:>8}  {dimension:>3}  {iterations:>10}  {seconds:>9.4}  {residual:>8.1e}  \
         {siconos_error:>13.1e}  {reason}{verdict}"
    ));
}

/// The object of a file that could not be read.
fn unread(arguments: &Arguments, file: &Path, reason: &str) -> Value {
    json!({
        "file": file.display().to_string(), "contacts": null, "dimension": null,
        "solver": arguments.solver.name(), "route": null, "iterations": null, "seconds": null, "residual": null,
        "siconos_error": null, "converged": false, "reason": reason, "verdict": null,
    })
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files named, those in folders included, in order.
pub fn find_all(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            let before = files.len();
            collect(path, &mut files)
                .map_err(|error| Failure::other(format!("{}: {error}", path.display())))?;
            if files.len() == before {
                let message = format!("{}: holds no file that ends in .hdf5 or .h5", path.display());
                return Err(Failure::bad_input(message));
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// All problems in a folder and the folders in it, by name.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "hdf5" || end == "h5") {
            files.push(path);
        }
    }
    Ok(())
}

/// Makes the folder for the solutions; no solution may overwrite a problem or another solution.
fn check_output(folder: &Path, files: &[PathBuf]) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::bad_input(format!("{}: {error}; name a folder", folder.display())))?;
    let mut names = std::collections::BTreeMap::new();
    for file in files {
        let name = file_name(file);
        let (here, there) = (std::fs::canonicalize(file), std::fs::canonicalize(folder.join(&name)));
        if here.is_ok() && here.ok() == there.ok() {
            let message =
                format!("{}: would be overwritten by its solution; name another folder", file.display());
            return Err(Failure::bad_input(message));
        }
        if let Some(other) = names.insert(name, file) {
            let message = format!(
                "{} and {} have the same name; solve them into folders of their own",
                other.display(),
                file.display()
            );
            return Err(Failure::bad_input(message));
        }
    }
    Ok(())
}
