//! `solve` reads, solves and writes saved problems as it says, and a run saves its problems without being
//! disturbed.

use crate::common::{answer, command, drystone, root, summary, write_scene};
use crate::words;
use drystone_io::{Info, Saved, SavedProblem, write_problem};
use drystone_math::{BlockRows, Matrix, Vector};
use drystone_problem::{Blocks, Problem, Set, residual};
use serde_json::Value;
use std::path::{Path, PathBuf};

const KEYS: [&str; 12] = [
    "file",
    "contacts",
    "dimension",
    "solver",
    "route",
    "iterations",
    "seconds",
    "residual",
    "siconos_error",
    "converged",
    "reason",
    "verdict",
];

/// A chain of contacts, each coupled to the next.
fn chain(path: &Path, contacts: u32, mu: f64) {
    let mut triplets = Vec::new();
    for row in 0..contacts {
        triplets.push((row, row, Matrix::<3, 3>::identity() * 2.0));
        if row > 0 {
            triplets.push((row, row - 1, Matrix::identity() * -0.7));
            triplets.push((row - 1, row, Matrix::identity() * -0.7));
        }
    }
    let u_free = (0..contacts).map(|k| Vector::<3>::new(-1.0, 0.3 * f64::from(k % 3), 0.2)).collect();
    let sets = vec![Set::Coulomb { mu }; contacts as usize];
    let problem =
        Problem { w: Blocks::new(BlockRows::from_triplets(contacts as usize, triplets)), u_free, sets };
    write_problem(path, &problem, &Info::new("chain", "made by a test"), None, None).unwrap();
}

fn objects(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn problems_are_solved_and_told_as_objects_or_as_a_table() {
    let home = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = (0..3).map(|k| home.path().join(format!("{k}.hdf5"))).collect();
    files.iter().zip([1, 5, 40]).for_each(|(file, contacts)| chain(file, contacts, 0.4));
    let told =
        drystone(&words!["solve", &files[0], &files[1], &files[2], "--json", "--threads", "1"]).ends_with(0);
    let told = objects(&told.out);
    assert_eq!(told.len(), 3);
    for (object, contacts) in told.iter().zip([1, 5, 40]) {
        assert_eq!(object.as_object().unwrap().len(), KEYS.len());
        assert!(KEYS.iter().all(|key| object[key].is_null() == (*key == "verdict")), "{object}");
        assert_eq!(object["contacts"], contacts);
        assert_eq!((&object["dimension"], &object["solver"]), (&3.into(), &"auto".into()));
        assert_eq!(object["converged"], true);
        assert!(object["siconos_error"].as_f64().unwrap() <= 1e-8);
    }
    // a folder stands for its files
    let words = drystone(&words!["solve", home.path(), "--solver", "nlgs", "--tol", "1e-4"]).ends_with(0).out;
    assert_eq!(words.lines().count(), 5, "{words}");
    assert!(words.contains("3 of 3 solved to 1e-4 by nlgs"), "{words}");
}

#[test]
fn every_solver_is_there_and_a_misspelt_one_is_recognised() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("chain.hdf5");
    chain(&file, 6, 0.4);
    for method in drystone_solvers::Method::ALL {
        let told = drystone(&words!["solve", &file, "--solver", method.name(), "--json"]).ends_with(0).json();
        assert_eq!(told["solver"], method.name());
    }
    let refused = drystone(&words!["solve", &file, "--solver", "proximall"]).ends_with(2);
    assert!(refused.err.contains("did you mean \"proximal\""), "{}", refused.err);
    for wrong in [["--tol", "0"], ["--tol", "nan"], ["--max-seconds", "-1"], ["--threads", "0"]] {
        drystone(&words!["solve", &file, wrong[0], wrong[1]]).ends_with(2);
    }
}

#[test]
fn a_copy_with_the_solution_is_written_and_nothing_is_overwritten() {
    let home = tempfile::tempdir().unwrap();
    let (file, out) = (home.path().join("chain.hdf5"), home.path().join("solved"));
    chain(&file, 20, 0.4);
    let before = std::fs::read(&file).unwrap();
    drystone(&words!["solve", &file, "-o", &out]).ends_with(0);
    assert_eq!(std::fs::read(&file).unwrap(), before);
    // the answer in the copy holds by the residual, recomputed here
    let copy = rust_hdf5::H5File::open(out.join("chain.hdf5")).unwrap();
    let column = |name: &str| -> Vec<Vector<3>> {
        let flat: Vec<f64> = copy.dataset(name).unwrap().read_raw().unwrap();
        flat.chunks(3).map(Vector::from_column_slice).collect()
    };
    let saved = Saved::read(out.join("chain.hdf5")).unwrap();
    let SavedProblem::Space(problem) = &saved.problem else { panic!("not in space") };
    assert!(residual(problem, &column("solution/u"), &column("solution/r")).relative < 1e-7);
    assert!(column("solution/r").iter().any(|r| r[0] > 0.1));
    // onto itself, and two of one name
    drystone(&words!["solve", &file, "-o", home.path()]).ends_with(2);
    let other = home.path().join("other");
    std::fs::create_dir(&other).unwrap();
    chain(&other.join("chain.hdf5"), 2, 0.1);
    let refused = drystone(&words!["solve", &file, other.join("chain.hdf5"), "-o", &out]).ends_with(2);
    assert!(refused.err.contains("same name"), "{}", refused.err);
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn a_bad_file_is_told_and_the_others_are_solved() {
    let home = tempfile::tempdir().unwrap();
    let (good, bad) = (home.path().join("b.hdf5"), home.path().join("a.hdf5"));
    chain(&good, 3, 0.4);
    std::fs::write(&bad, "no numbers").unwrap();
    let told = drystone(&words!["solve", &bad, &good, "--json"]).ends_with(2);
    assert!(told.err.contains("a.hdf5") && told.err.contains("fclib_local"), "{}", told.err);
    let told = objects(&told.out);
    assert_eq!((&told[0]["converged"], &told[1]["converged"]), (&false.into(), &true.into()));
    assert!(KEYS.iter().all(|key| told[0].get(key).is_some()));
    drystone(&words!["solve", home.path().join("nowhere.hdf5")]).ends_with(2);
    std::fs::create_dir(home.path().join("empty")).unwrap();
    drystone(&words!["solve", home.path().join("empty")]).ends_with(2);
}

#[test]
fn out_of_time_is_told_and_ends_with_three() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("chain.hdf5");
    chain(&file, 400, 0.4);
    let asked =
        words!["solve", &file, "--solver", "nlgs", "--tol", "1e-300", "--max-seconds", "0.05", "--json"];
    let told = drystone(&asked).ends_with(3).json();
    assert_eq!(told["converged"], false);
    assert!(told["residual"].as_f64().unwrap() < 1.0);
    assert!(told["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
}

/// The names and bytes of the problems of a run.
fn problems(run: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(run.join("problems")).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|end| end == "hdf5"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    found.sort();
    found
}

#[test]
fn a_run_saves_its_problems_undisturbed_and_goes_on_after_a_stop() {
    let home = tempfile::tempdir().unwrap();
    let scene = root().join("scenes/stack.toml");
    let folder = |name: &str| home.path().join(name);
    let run = |name: &str, more: &[&str]| {
        let mut command = command(&words!["run", &scene, "-o", folder(name), "-q"]);
        answer(command.args(more)).ends_with(0)
    };
    run("plain", &["--steps", "30"]);
    run("whole", &["--steps", "30", "--dump-problems", "10"]);
    assert_eq!(summary(&folder("plain"))["state_hash"], summary(&folder("whole"))["state_hash"]);
    assert!(!folder("plain").join("problems").exists());
    let whole = problems(&folder("whole"));
    let names: Vec<&str> = whole.iter().map(|problem| problem.0.as_str()).collect();
    assert_eq!(names, ["step-000010.hdf5", "step-000020.hdf5", "step-000030.hdf5"]);
    let saved = Saved::read(folder("whole").join("problems/step-000020.hdf5")).unwrap();
    assert!(saved.contacts() > 30 && saved.dimension() == 3);
    assert!(saved.info().description().starts_with("step 20, time "), "{:?}", saved.info());

    run("halved", &["--steps", "15", "--dump-problems", "10"]);
    assert_eq!(problems(&folder("halved")).len(), 1);
    drystone(&words!["resume", folder("halved"), "--steps", "30", "-q"]).ends_with(0);
    assert_eq!(problems(&folder("halved")), whole);
    drystone(&words!["solve", folder("whole").join("problems")]).ends_with(0);
    // overwriting by force drops the old ones
    run("whole", &["--steps", "5", "--force"]);
    assert!(!folder("whole").join("problems").exists());
    let wrong = write_scene(home.path(), "scene.toml", "");
    drystone(&words!["run", &wrong, "--dump-problems", "0"]).ends_with(2);
}

#[test]
fn a_bench_of_solvers_gives_tables_and_profiles() {
    let home = tempfile::tempdir().unwrap();
    let (folder, out) = (home.path().join("problems"), home.path().join("out"));
    std::fs::create_dir_all(folder.join("more")).unwrap();
    chain(&folder.join("a.hdf5"), 5, 0.4);
    chain(&folder.join("more/b.hdf5"), 30, 0.2);
    std::fs::write(folder.join("c.hdf5"), "no numbers").unwrap();
    let asked = words!["bench", "solvers", &folder, "--max-seconds", "5", "-o", &out, "-q", "--json"];
    let told = drystone(&asked).ends_with(0);
    assert!(told.err.contains("c.hdf5"), "{}", told.err);
    let json = told.json();
    let solvers = drystone_solvers::Method::ALL.len();
    for (table, tolerance) in json["tables"].as_array().unwrap().iter().zip([1e-4, 1e-8]) {
        assert_eq!(table["tolerance"], tolerance);
        let runs = table["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 2 * solvers);
        assert!(runs.iter().all(|run| run["siconos_error"].as_f64().unwrap() <= tolerance), "{table}");
        let fastest: u64 = table["solvers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|solver| solver["fastest"].as_u64().unwrap())
            .sum();
        assert!(fastest >= 2 && table["solvers"][0]["solved"] == 2, "{table}");
    }
    for name in ["1e-4", "1e-8"] {
        let svg = std::fs::read_to_string(out.join(format!("profile-{name}.svg"))).unwrap();
        assert!(svg.contains("accelerated") && svg.contains("</svg>"));
        let table = std::fs::read_to_string(out.join(format!("table-{name}.md"))).unwrap();
        assert!(table.contains("| more/b | 30 |"), "{table}");
    }
    let one = words![
        "bench",
        "solvers",
        &folder,
        "--solver",
        "nlgs",
        "--tol",
        "1e-3",
        "--min-contacts",
        "10",
        "-q"
    ];
    let one = drystone(&one).ends_with(0).out;
    assert!(one.contains("| **solved, of 1** | | 1 |"), "{one}");
    drystone(&words!["bench", "solvers", home.path().join("nowhere")]).ends_with(2);
    drystone(&words!["bench", "solvers", &folder, "--min-contacts", "1000"]).ends_with(2);
}

#[test]
fn a_bench_of_the_sweep_measures_something() {
    let sizes = ["--contacts", "500,20000", "--threads", "1"];
    let asked =
        words!["bench", "sweep", "--seconds", "0.05", sizes[0], sizes[1], sizes[2], sizes[3], "--json"];
    let told = drystone(&asked).ends_with(0).json();
    let sweeps = told["sweeps"].as_array().unwrap();
    assert_eq!((&sweeps[0]["place"], &sweeps[1]["place"]), (&"cache".into(), &"memory".into()));
    for sweep in sweeps {
        assert!(sweep["updates_per_second"].as_f64().unwrap() > 0.0, "{sweep}");
        assert!(sweep["ceiling_updates_per_second"].as_f64().unwrap() > 0.0, "{sweep}");
    }
}

#[test]
fn a_bench_of_detection_measures_every_packing() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let asked =
        words!["bench", "detection", "--bodies", "200,600", "--repeats", "1", "-q", "-o", &out, "--json"];
    let told = drystone(&asked).ends_with(0).json();
    let packings = told["packings"].as_array().unwrap();
    let named = |name: &str| packings.iter().filter(|packing| packing["packing"] == name).count();
    assert_eq!((named("disks"), named("spheres"), named("polyhedra of 12 vertices")), (2, 2, 2));
    for packing in packings {
        assert!(packing["contacts"].as_u64().unwrap() > 0, "{packing}");
        assert_eq!(packing["runs"].as_array().unwrap().len(), 2);
        assert!(packing["runs"][0]["seconds"].as_f64().unwrap() > 0.0, "{packing}");
        assert_eq!(packing["parry_seconds"].is_null(), told["parry"] == false);
    }
    let table = std::fs::read_to_string(out.join("detection-table.md")).unwrap();
    assert_eq!(table.lines().count(), 2 + packings.len(), "{table}");
    assert!(std::fs::read_to_string(out.join("detection.svg")).unwrap().contains("</svg>"));
    drystone(&words!["bench", "detection", "--bodies", "0"]).ends_with(2);
}

#[test]
fn a_bench_of_a_packing_needs_fewer_sweeps_with_acceleration() {
    let told = drystone(&words!["bench", "packing", "--balls", "500", "--json"]).ends_with(0).json();
    let solves = told["solves"].as_array().unwrap();
    let sweeps = |k: usize| solves[k]["iterations"].as_u64().unwrap();
    assert!(solves.iter().all(|solve| solve["converged"] == true), "{told}");
    assert!(2 * sweeps(1) < sweeps(0), "{told}");
    assert!(told["contacts"].as_u64().unwrap() > 1000, "{told}");
}

/// Writes contacts with the given blocks of W as a file.
fn saved(path: &Path, triplets: Vec<(u32, u32, Matrix<3, 3>)>, u_free: Vec<Vector<3>>, mu: f64) {
    let rows = BlockRows::from_triplets(u_free.len(), triplets);
    let sets = vec![Set::Coulomb { mu }; u_free.len()];
    let problem = Problem { w: Blocks::new(rows), u_free, sets };
    write_problem(path, &problem, &Info::new("hard", "made by a test"), None, None).unwrap();
}

#[test]
fn converged_means_solved() {
    let home = tempfile::tempdir().unwrap();
    // a ball between two walls that close: there is no solution, and impulses grow without bound
    let squeeze = home.path().join("squeeze.hdf5");
    let block = |n: f64| Matrix::<3, 3>::from_diagonal(&Vector::<3>::new(n, 1.0, 1.0));
    let walls = vec![(0, 0, block(1.0)), (0, 1, block(-1.0)), (1, 0, block(-1.0)), (1, 1, block(1.0))];
    saved(&squeeze, walls, vec![Vector::<3>::new(-1.0, 0.0, 0.0); 2], 0.0);
    for tolerance in ["1e-4", "1e-8"] {
        let told = drystone(&words!["solve", &squeeze, "--tol", tolerance, "--json"]).ends_with(3).json();
        assert_eq!((&told["converged"], &told["verdict"]), (&false.into(), &"inconsistent".into()), "{told}");
        assert_eq!(told["reason"], "impulses run away", "{told}");
    }
    let words = drystone(&words!["solve", &squeeze]).ends_with(3).out;
    assert!(words.contains("impulses run away; inconsistent"), "{words}");
    // a feasible problem in units in which its impulses are large: solved, and not after one sweep
    let scaled = home.path().join("scaled.hdf5");
    let unit = 1e-9;
    let chain = (0..6_u32).flat_map(|k| {
        let own = Matrix::<3, 3>::identity() * (2.0 * unit);
        let to = Matrix::<3, 3>::identity() * (-0.9 * unit);
        let next = (k + 1) % 6;
        [(k, k, own), (k, next, to), (next, k, to)]
    });
    let u_free = (0..6).map(|k| Vector::<3>::new(-1.0 - 0.2 * f64::from(k), 0.4, -0.1 * f64::from(k)));
    saved(&scaled, chain.collect(), u_free.collect(), 0.4);
    let told = drystone(&words!["solve", &scaled, "--tol", "1e-4", "--json"]).ends_with(0).json();
    assert!(told["residual"].as_f64().unwrap() <= 3e-4 && told["iterations"].as_u64().unwrap() > 1, "{told}");
    // a limit of time that is not reached changes nothing
    let asked = words!["solve", &scaled, "--max-seconds", "60", "--json"];
    let (limited, free) = (drystone(&asked).json(), drystone(&words!["solve", &scaled, "--json"]).json());
    for key in ["residual", "siconos_error", "iterations", "route"] {
        assert_eq!(limited[key], free[key], "{key}");
    }
}
