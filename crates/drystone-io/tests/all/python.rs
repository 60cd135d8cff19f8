//! h5py, VTK and PyVista open what we write. Needs a Python with these, named by `DRYSTONE_PYTHON`;
//! `scripts/test` installs and names one. Without that name there is nothing to ask, and the test says so.

use crate::common::{PLANE, SOFT, SPACE, TIED, makes, resume, scene, start};
use drystone_io::{RunSink, Saved, SavedProblem};
use drystone_math::Vector;
use drystone_problem::{Blocks, Problem};
use rust_hdf5::H5File;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

fn check(python: &OsStr, arguments: &[&Path]) -> bool {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/python/check_run.py");
    Command::new(python).arg(script).args(arguments).status().unwrap().success()
}

#[test]
fn others_read_our_files() {
    let Some(python) = std::env::var_os("DRYSTONE_PYTHON") else {
        eprintln!("DRYSTONE_PYTHON names no Python: nothing read");
        return;
    };
    let check = |arguments: &[&Path]| check(&python, arguments);
    for text in [PLANE, SPACE, SOFT] {
        let home = tempfile::tempdir().unwrap();
        let (whole, resumed) = (home.path().join("whole"), home.path().join("resumed"));
        let (writer, ..) = start(&whole, &scene(text), 200, false).unwrap();
        // while the run goes on, and after its end
        assert!(check(&[&whole]));
        writer.finish(&serde_json::json!({})).unwrap();
        assert!(check(&[&whole]));

        drop(start(&resumed, &scene(text), 77, false).unwrap());
        assert!(check(&[&resumed]));
        drop(resume(&resumed, 200).unwrap());
        assert!(check(&[&resumed, Path::new("--same-as"), &whole]));

        // and the check can fail
        assert!(!check(&[&home.path().join("nowhere")]));
        std::fs::write(whole.join("contacts.vtkhdf"), "nothing").unwrap();
        assert!(!check(&[&whole]));
    }
    // bodies, surfaces and ties that come and go
    let home = tempfile::tempdir().unwrap();
    let (whole, resumed) = (home.path().join("whole"), home.path().join("resumed"));
    let scene = scene(TIED);
    for (path, until) in [(&whole, 0.12), (&resumed, 0.055)] {
        let mut sim = scene.build().unwrap();
        let mut sink = RunSink::create(path, &scene, &sim, false).unwrap();
        makes(&mut sim);
        sim.run_into(until, 0.01, &mut sink).unwrap();
        assert!(check(&[path]));
    }
    let (mut sink, mut sim) = RunSink::resume(&resumed).unwrap();
    makes(&mut sim);
    sim.run_into(0.12, 0.01, &mut sink).unwrap();
    assert!(check(&[&resumed, Path::new("--same-as"), &whole]));
}

/// `u` under the impulses that stand in the file, compared with what Python says.
fn check_velocities<const D: usize>(saved: &Saved, problem: &Problem<D, Blocks<D>>, file: &H5File) {
    let column = |name: &str| -> Vec<Vector<D>> {
        let flat: Vec<f64> = file.dataset(name).unwrap().read_raw().unwrap();
        flat.chunks(D).map(Vector::from_column_slice).collect()
    };
    let r = column("expected/r");
    for (found, expected) in problem.velocities(&r).iter().zip(column("expected/u")) {
        assert!((found - expected).norm() < 1e-11, "{found} {expected}");
    }
    if let Some(found) = saved.velocities(&r) {
        let expected: Vec<f64> = file.dataset("expected/v").unwrap().read_raw().unwrap();
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-11));
    }
}

#[test]
fn others_and_we_read_each_others_problems() {
    let Some(python) = std::env::var_os("DRYSTONE_PYTHON") else {
        eprintln!("DRYSTONE_PYTHON names no Python: nothing read");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/python/check_problem.py");
    let ask = |word: &str, path: &Path| {
        Command::new(&python).arg(&script).arg(word).arg(path).status().unwrap().success()
    };
    let home = tempfile::tempdir().unwrap();
    assert!(ask("make", home.path()));
    let mut read = 0;
    for entry in std::fs::read_dir(home.path()).unwrap() {
        let path = entry.unwrap().path();
        let saved = Saved::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let file = H5File::open(&path).unwrap();
        let solved = path.with_extension("solved");
        match &saved.problem {
            SavedProblem::Plane(problem) => {
                check_velocities(&saved, problem, &file);
                saved.write_solved(&solved, problem, &vec![Vector::repeat(0.7); problem.contacts()]).unwrap();
            }
            SavedProblem::Space(problem) => {
                check_velocities(&saved, problem, &file);
                saved.write_solved(&solved, problem, &vec![Vector::repeat(0.7); problem.contacts()]).unwrap();
            }
            SavedProblem::Rolling(_) => panic!("nothing rolls here"),
        }
        assert!(ask("check", &solved), "{}", solved.display());
        read += 1;
    }
    assert_eq!(read, 12);
    // and the check can fail
    assert!(!ask("check", &home.path().join("local-2-rows.hdf5")));
}
