//! The cases of the gallery give the figures they are known for.

use crate::common::{answer, command, drystone, read, root};
use crate::words;
use serde_json::Value;

/// Cases that take longer than a few seconds without optimisation: run with `DRYSTONE_SLOW`.
const SLOW: [&str; 2] = ["collapse-pentagons", "collapse-stars"];

/// Cases whose contacts nobody can tell beforehand: what lies apart at first, or ends before its time.
const UNFORESEEN: [&str; 0] = [];

/// Bytes of all files of a folder.
fn size(folder: &std::path::Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let one = |entry: std::fs::DirEntry| match entry.file_type().unwrap().is_dir() {
        true => size(&entry.path()),
        false => entry.metadata().unwrap().len(),
    };
    entries.map(one).sum()
}

/// Runs the quick scene of a case and compares the figures of its last frame.
fn shows(name: &str) {
    if SLOW.contains(&name) && std::env::var_os("DRYSTONE_SLOW").is_none() {
        return;
    }
    let all: Vec<Value> = serde_json::from_str(&read(&root().join("scenes/gallery/gallery.json"))).unwrap();
    let case = all.iter().find(|case| case["name"] == name).unwrap_or_else(|| panic!("no case {name}"));
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    let scene = root().join(case["quick"].as_str().unwrap());
    let code = case["ends"].as_i64().unwrap_or(0) as i32;
    answer(command(&words!["run", scene, "-o", &folder, "--quiet"]).args(["--threads", "1"])).ends_with(code);
    let scene = root().join(case["quick"].as_str().unwrap());
    let forecast =
        drystone(&words!["check", scene, "--json"]).ends_with(0).json()["output_bytes"].as_f64().unwrap();
    let ratio = forecast / size(&folder) as f64;
    assert!(
        UNFORESEEN.contains(&name) || (1.0 / 1.5..1.5).contains(&ratio),
        "{name}: forecast {ratio} of the disk"
    );
    for expected in case["expected"].as_array().unwrap() {
        let measure = expected["measure"].as_str().unwrap();
        let told =
            drystone(&words!["measure", &folder, measure, "--frame", "-1", "--json"]).ends_with(0).json();
        let found = told["measures"][0]["rows"][0]["values"][0].as_f64();
        let found = found.unwrap_or_else(|| panic!("{measure} of {name}: {told}"));
        let [value, tolerance] = ["value", "tolerance"].map(|key| expected[key].as_f64().unwrap());
        assert!(
            (found - value).abs() <= tolerance,
            "{name}: {measure} is {found} instead of {value} ± {tolerance}"
        );
    }
}

macro_rules! cases {
    ($($test:ident: $name:literal,)*) => {
        $(#[test]
        fn $test() {
            shows($name);
        })*

        #[test]
        fn every_case_is_run() {
            let known = [$($name),*];
            let list = drystone(&["list", "--json"]).ends_with(0).json();
            for case in list["gallery"].as_array().unwrap() {
                assert!(known.iter().any(|name| case["name"] == *name), "{case}");
            }
        }
    };
}

cases! {
    disks_collapse: "collapse-disks",
    pentagons_collapse: "collapse-pentagons",
    stars_collapse: "collapse-stars",
    flakes_collapse: "collapse-flakes",
    bond_stones_hold_a_retaining_wall: "retaining-wall",
    without_them_it_falls: "retaining-unbonded",
    walls_of_a_silo_carry_grains: "janssen",
    grains_run_out_of_a_silo: "hopper",
    a_drum_carries_grains_up: "drum",
    dominoes_fall_to_the_last: "dominoes",
    a_ball_breaks_a_wall: "breach",
    a_dome_stands: "dome",
    stress_is_force_over_length: "loaded-box",
    spheres_are_packed_at_random: "close-packing",
    a_sandbox_is_pushed: "sandbox",
    the_thrust_stays_in_the_arch: "thrust",
    a_gate_lets_a_slope_go: "landslide",
    a_sample_in_a_membrane_shears_along_a_band: "biaxial-membrane",
    a_disk_stays_in_a_corner: "corner",
    two_disks_jam: "two-disks",
    slack_disks_do_not_jam: "slack",
    confined_disks_jam: "confined",
    a_threshold_frees_confined_disks: "confined-orowan",
    drums_are_shaken: "drums",
    a_source_makes_a_pile: "pile",
    disks_between_walls_dilate_as_they_are_shortened: "biaxial-disks",
    an_arena_stands: "arena",
    jointed_rock_stands: "rock-slope",
    an_arch_bears_a_moving_load: "moving-load",
    blocks_stay_on_a_shaking_table: "shaking-table",
    a_block_slides_by_newmarks_formula: "newmark",
    a_tower_of_planks_stands: "tower",
    polyhedra_are_compressed_in_three_axes: "triaxial",
    grains_are_sheared_at_a_pressure: "shear-cell",
    stress_rises_with_the_strain_of_deformable_disks: "soft-biaxial",
    a_disk_presses_as_hertz_says: "hertz",
    a_bar_leaves_a_wall_after_a_wave: "bar-impact",
    a_wall_sinks_into_soil: "soft-wall",
    a_deformable_arch_follows_its_support: "soft-arch",
    a_bar_of_copper_is_left_short: "taylor",
    rubber_holds_a_pin: "press-fit",
    a_ring_rolls_over_steps: "ring",
}

/// The book's list, which a script writes, is of these cases.
#[test]
fn the_book_lists_every_case() {
    let all: Vec<Value> = serde_json::from_str(&read(&root().join("scenes/gallery/gallery.json"))).unwrap();
    let book = read(&root().join("docs/src/gallery-cases.md"));
    let mut lines = book.lines().skip(2);
    for case in &all {
        for (rank, expected) in case["expected"].as_array().unwrap().iter().enumerate() {
            let line = lines.next().unwrap_or_default();
            let [name, measure, why] =
                [&case["name"], &expected["measure"], &expected["why"]].map(|of| of.as_str().unwrap());
            let says = line.contains(measure) && line.contains(why);
            assert!(
                says && (rank > 0 || line.contains(name)),
                "{name}: {line}; gallery_figures.py --table-only"
            );
        }
    }
    assert_eq!(lines.next(), None);
}

/// What `check` says of the memory of polyhedra that are pressed together is what a run takes, to a factor
/// of 1.5.
#[test]
fn the_memory_of_polyhedra_is_foreseen() {
    let home = tempfile::tempdir().unwrap();
    let text = read(&root().join("scenes/gallery/triaxial.toml"));
    let scene = home.path().join("stones.toml");
    std::fs::write(
        &scene,
        text.replace("smallest = 0.0483, largest = 0.0659", "smallest = 0.07, largest = 0.09"),
    )
    .unwrap();
    let told = drystone(&words!["check", &scene, "--json"]).ends_with(0).json();
    let folder = home.path().join("run");
    answer(command(&words!["run", &scene, "-o", &folder, "--quiet"]).args([
        "--threads",
        "1",
        "--steps",
        "25",
    ]))
    .ends_with(0);
    // where the system does not tell there is nothing to compare
    let Some(took) = crate::common::summary(&folder)["memory_peak"].as_f64() else { return };
    let ratio = told["memory_bytes"].as_f64().unwrap() / took;
    assert!((1.0 / 1.5..1.5).contains(&ratio), "forecast {ratio} of the memory, {took} bytes");
}

/// Alart and Renouf 2018, figure 15: with a threshold at the mean force the plain Gauss–Seidel method takes
/// far fewer iterations than with Coulomb's friction, and than with a hundred times that threshold, which few
/// contacts of so small a box reach.
#[test]
fn a_threshold_of_friction_saves_iterations_in_the_sandbox() {
    let home = tempfile::tempdir().unwrap();
    let text = read(&root().join("scenes/gallery/sandbox.toml"));
    let iterations = |name: &str, law: &str| {
        let scene = home.path().join(format!("{name}.toml"));
        std::fs::write(&scene, text.replace("inelastic.friction = 0.7", law)).unwrap();
        let folder = home.path().join(name);
        answer(command(&words!["run", scene, "-o", &folder, "--quiet"]).args(["--threads", "1"]))
            .ends_with(0);
        let steps = read(&folder.join("probes/steps.csv"));
        let counts =
            steps.lines().skip(1).map(|line| line.split(',').nth(4).unwrap().parse::<f64>().unwrap());
        counts.clone().sum::<f64>() / counts.count() as f64
    };
    let coulomb = iterations("coulomb", "inelastic.friction = 0.7");
    // the mean force is 3 kN
    let high = iterations("high", "orowan = { friction = 0.7, threshold = 3e5 }");
    let low = iterations("low", "orowan = { friction = 0.7, threshold = 3e3 }");
    assert!(low < 0.6 * coulomb.min(high), "{coulomb} {high} {low}");
}
