//! What laws keep at contacts survives: a resume, any number of threads, the files of a run and saved
//! problems.

use crate::common::stepping::{hash, on_threads, steps};
use crate::common::{drystone, files_below, read, root, summary};
use crate::words;
use drystone::{AnySimulation, Vector};
use drystone_io::{Info, Saved, SavedProblem, write_problem};
use drystone_scene::Scene;
use std::path::PathBuf;

/// Enough for bonds to be damaged in the scenes that damage them.
const STEPS: usize = 16;

fn scenes() -> Vec<PathBuf> {
    files_below(&root().join("scenes/laws"), ".toml")
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
        run(&whole, &STEPS.to_string());
        run(&pieces, "11");
        drystone(&words!["resume", &pieces, "--quiet", "--steps", STEPS.to_string()]).ends_with(0);
        for key in ["state_hash", "energy", "iterations_total"] {
            assert_eq!(summary(&whole)[key], summary(&pieces)[key], "{}: {key}", scene.display());
        }
        let table = "probes/steps.csv";
        assert!(read(&whole.join(table)) == read(&pieces.join(table)), "{}", scene.display());
        // the variables of the laws are columns of the contacts
        let name = scene.file_stem().unwrap().to_string_lossy().into_owned();
        let column = match name.as_str() {
            "pull-off" | "hanging-wall" => "damage",
            "mohr-coulomb" => "bond_area",
            "capillary" => "bridge",
            _ => continue,
        };
        let bytes = std::fs::read(whole.join("contacts.vtkhdf")).unwrap();
        assert!(bytes.windows(column.len()).any(|part| part == column.as_bytes()), "{name}: no {column}");
    }
}

#[test]
fn laws_give_the_same_bits_on_any_number_of_threads() {
    for path in scenes() {
        let after = |threads: usize| {
            on_threads(threads, || {
                let mut simulation = Scene::from_file(&path).unwrap().build().unwrap();
                steps(&mut simulation, STEPS);
                hash(&simulation)
            })
        };
        assert_eq!(after(1), after(4), "{}", path.display());
    }
}

#[test]
fn a_saved_problem_of_bonds_gives_the_true_forces_back() {
    let path = root().join("scenes/laws/mohr-coulomb.toml");
    let mut scene = Scene::from_file(&path).unwrap();
    if let Some(law) = &mut scene.laws[0].mohr_coulomb {
        // a cone with its tip shifted and no more: what the format has words for
        law.tangential_stress = law.friction * law.normal_stress;
    }
    let AnySimulation::Space(mut simulation) = scene.build().unwrap() else { panic!("not of space") };
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("problem.hdf5");
    write_problem(&file, &simulation.problem(), &Info::new("bonds", ""), None, None).unwrap();
    let SavedProblem::Space(problem) = Saved::read(&file).unwrap().problem else { panic!("not of space") };
    let mut r = vec![Vector::<3>::zeros(); problem.contacts()];
    let params = drystone_solvers::Params { tolerance: 1e-10, ..Default::default() };
    assert!(drystone_solvers::solve(&problem, &mut r, &params, 0).converged);
    simulation.step();
    let hanging = simulation.bodies().name.iter().position(|name| name == "hanging light").unwrap();
    let (h, mut saved, mut shown) = (simulation.settings().step, 0.0, 0.0);
    for (contact, r) in simulation.interactions().iter().zip(&r) {
        if contact.bodies.iter().any(|body| body.0 as usize == hanging) {
            // the bond adds 1 kPa over the share of the point to the impulse of the set
            saved += r[0] - h * 1e3 * contact.internal[1];
            shown += contact.r[0];
        }
    }
    // the weight of 3 kg pulls
    assert!((shown + 30.0 * h).abs() < 1e-9 && (saved - shown).abs() < 1e-9, "{saved} {shown}");
}
