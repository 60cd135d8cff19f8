//! `drystone bench solvers`.

use super::cases::BenchCase;
use super::profile;
use super::table::BenchTable;
use crate::attempt::{AttemptTask, parse_method, parse_positive};
use crate::failure::{DONE, Failure, say};
use crate::progress::Count;
use drystone_solvers::Method;
use serde_json::json;
use std::path::PathBuf;

/// Run all solvers on all problems of a folder, in one run and on one machine.
///
/// Each starts from zero impulses and ends by the error that Siconos reports. Prints a table in Markdown for
/// each tolerance; with `-o` also writes it with a performance profile (SVG) into a folder.
#[derive(clap::Args)]
pub struct Arguments {
    /// A folder of saved problems (FCLIB); without it, problems made from our own scenes.
    folder: Option<PathBuf>,
    /// A solver to run, may be given more than once; all unless told otherwise.
    #[arg(long, value_name = "NAME", value_parser = parse_method)]
    solver: Vec<Method>,
    /// An error to reach, may be given more than once; 1e-4 and 1e-8 unless told otherwise.
    #[arg(long, value_name = "T", value_parser = parse_positive)]
    tol: Vec<f64>,
    /// Most seconds for one solve.
    #[arg(long, value_name = "S", default_value = "10", value_parser = parse_positive)]
    max_seconds: f64,
    /// Leave out problems with fewer contacts.
    #[arg(long, value_name = "N", default_value = "0")]
    min_contacts: usize,
    /// Threads to use.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write tables and profiles into this folder.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let mut cases = match &arguments.folder {
        Some(folder) if !folder.is_dir() => {
            let message = format!("{}: no such folder; name one with saved problems", folder.display());
            return Err(Failure::bad_input(message));
        }
        Some(folder) => BenchCase::saved(folder)?,
        None => BenchCase::made()?,
    };
    cases.retain(|case| case.contacts >= arguments.min_contacts);
    if cases.is_empty() {
        let message = format!("no problem has {} contacts or more", arguments.min_contacts);
        return Err(Failure::bad_input(message));
    }
    if let Some(folder) = &arguments.output {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::bad_input(format!("{}: {error}; name a folder", folder.display())))?;
    }
    let methods = if arguments.solver.is_empty() { Method::ALL.to_vec() } else { arguments.solver.clone() };
    let tolerances = if arguments.tol.is_empty() { vec![1e-4, 1e-8] } else { arguments.tol.clone() };
    let threads = usize::from(arguments.threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::other)?;
    let tables = pool.install(|| measure(arguments, &cases, &methods, &tolerances));
    tell(arguments, &tables)
}

fn measure<'a>(
    arguments: &Arguments,
    cases: &'a [BenchCase],
    methods: &'a [Method],
    tolerances: &[f64],
) -> Vec<BenchTable<'a>> {
    let total = cases.len() * methods.len() * tolerances.len();
    let mut count = Count::new(arguments.quiet, total as u64, "solves");
    let table = |&tolerance: &f64| {
        let mut rows = Vec::new();
        for case in cases {
            let run = |&method: &Method| {
                count.advance(&format!("{} by {} to {tolerance:e}", case.name, method.name()));
                case.run(&AttemptTask { method, tolerance, seconds: Some(arguments.max_seconds) })
            };
            rows.push(methods.iter().map(run).collect());
        }
        BenchTable { tolerance, methods, cases, rows }
    };
    let tables = tolerances.iter().map(table).collect();
    count.finish();
    tables
}

fn tell(arguments: &Arguments, tables: &[BenchTable]) -> Result<u8, Failure> {
    if let Some(folder) = &arguments.output {
        for table in tables {
            let name = |what: &str, end: &str| folder.join(format!("{what}-{:e}.{end}", table.tolerance));
            let path = name("table", "md");
            std::fs::write(&path, table.markdown())
                .map_err(|error| Failure::other(format!("{}: {error}", path.display())))?;
            let title = format!("{} problems to {:e}", table.cases.len(), table.tolerance);
            drystone_view::plot(&profile::plot(&title, &table.times()), &name("profile", "svg"))?;
        }
    }
    if arguments.json {
        say(json!({
            "threads": arguments.threads,
            "max_seconds": arguments.max_seconds,
            "version": env!("CARGO_PKG_VERSION"),
            "tables": tables.iter().map(BenchTable::json).collect::<Vec<_>>(),
        }));
    } else {
        tables.iter().for_each(|table| say(table.markdown()));
    }
    Ok(DONE)
}
