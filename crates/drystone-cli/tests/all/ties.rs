//! Ties in their scenes: books that balance, runs that resume, files and pictures that show them. What ties
//! do is judged by `drystone validate` and by the tests of `drystone`.

use crate::common::stepping::{hash, on_threads, step, steps};
use crate::common::{drystone, files_below, frames, read, root, summary, write_scene};
use crate::words;
use drystone::{AnySimulation, Energy};
use drystone_scene::Scene;
use std::path::PathBuf;

fn scenes() -> Vec<PathBuf> {
    let scenes = files_below(&root().join("scenes/ties"), ".toml");
    assert!(scenes.len() >= 8, "{scenes:?}");
    scenes
}

fn energy(simulation: &AnySimulation) -> Energy {
    match simulation {
        AnySimulation::Plane(simulation) => simulation.energy(),
        AnySimulation::Space(simulation) => simulation.energy(),
    }
}

#[test]
fn the_books_balance() {
    for path in scenes() {
        let scene = Scene::from_file(&path).unwrap();
        let mut simulation = scene.build().unwrap();
        for _ in 0..scene.steps().min(300) {
            let report = step(&mut simulation);
            assert!(report.converged, "{}: {report:?}", path.display());
            let energy = energy(&simulation);
            assert!(energy.balance_error < 1e-8, "{}, step {}: {energy:?}", path.display(), report.step);
        }
    }
}

#[test]
fn ties_give_the_same_bits_on_any_number_of_threads() {
    for path in scenes() {
        let after = |threads: usize| {
            on_threads(threads, || {
                let mut simulation = Scene::from_file(&path).unwrap().build().unwrap();
                steps(&mut simulation, 16);
                hash(&simulation)
            })
        };
        assert_eq!(after(1), after(4), "{}", path.display());
    }
}

#[test]
fn a_resumed_run_has_the_bits_of_one_never_stopped() {
    let home = tempfile::tempdir().unwrap();
    for scene in scenes() {
        let (whole, pieces) = (home.path().join("whole"), home.path().join("pieces"));
        let run = |folder: &PathBuf, count: &str| {
            drystone(&words!["run", &scene, "-o", folder, "--quiet", "--force", "--steps", count])
                .ends_with(0);
        };
        run(&whole, "100");
        run(&pieces, "57");
        drystone(&words!["resume", &pieces, "--quiet", "--steps", "100"]).ends_with(0);
        for key in ["state_hash", "energy", "iterations_total", "ties_broken"] {
            assert_eq!(summary(&whole)[key], summary(&pieces)[key], "{}: {key}", scene.display());
        }
        let table = "probes/steps.csv";
        assert!(read(&whole.join(table)) == read(&pieces.join(table)), "{}", scene.display());
        let last = [&whole, &pieces].map(|folder| frames(folder).pop().unwrap().ties);
        assert!(!last[0].is_empty() && last[0] == last[1], "{}", scene.display());
    }
}

#[test]
fn a_run_says_which_ties_broke_and_shows_the_others() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    let scene = root().join("scenes/ties/brittle-wire.toml");
    drystone(&words!["run", &scene, "-o", &folder, "--quiet"]).ends_with(0);
    assert_eq!(summary(&folder)["ties"], 3);
    assert_eq!(summary(&folder)["ties_broken"], serde_json::json!(["weak"]));
    let told = drystone(&words!["info", &folder]).ends_with(0).out;
    assert!(told.contains("3, of them 1 broken"), "{told}");
    let last = frames(&folder).pop().unwrap();
    assert_eq!(last.ties.iter().map(|tie| tie.broken).collect::<Vec<_>>(), [false, true, false]);
    let rigid = &last.ties[2];
    assert!((rigid.tension - 10.0).abs() < 1e-6 && (rigid.force[2] - 10.0).abs() < 1e-6, "{rigid:?}");
    let picture = home.path().join("picture.svg");
    drystone(&words!["render", &folder, "-o", &picture]).ends_with(0);
    let text = read(&picture);
    assert!(text.contains("class=\"ties\""), "no ties drawn");
}

#[test]
fn a_jammed_tie_is_named() {
    // two rods of which the second asks for what the first forbids, moved apart by a driven body
    let text = "dimension = 2\ngravity = [0.0, 0.0]\ntime = { step = 1e-3, duration = 0.01 }\n\
        [[body]]\nname = \"a\"\nmass = 1.0\nshape.disk.radius = 0.1\n\
        [[body]]\nname = \"pulled\"\nshape.disk.radius = 0.1\nposition = [1.0, 0.0]\ndrive = { x = 1.0, y = 0.0, spin = 0.0 }\n\
        [[law]]\nbetween = [\"*\", \"*\"]\nnone = {}\n\
        [[tie]]\nname = \"held\"\nkind = \"pin\"\nbodies = [\"a\", \"ground\"]\nat = [0.0, 0.0]\n\
        [[tie]]\nname = \"pulling\"\nkind = \"rod\"\nbodies = [\"a\", \"pulled\"]\n";
    let home = tempfile::tempdir().unwrap();
    let (scene, folder) = (write_scene(home.path(), "jam.toml", text), home.path().join("run"));
    let told = drystone(&words!["run", &scene, "-o", &folder]);
    assert_eq!(told.code, 3, "{}{}", told.out, told.err);
    assert!(told.err.contains("pin \"held\"") || told.err.contains("rod \"pulling\""), "{}", told.err);
}
