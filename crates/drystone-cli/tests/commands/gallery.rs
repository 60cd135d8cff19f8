//! The cases of the gallery give the figures they are known for.

use crate::common::{answer, command, drystone, read, root};
use crate::words;
use serde_json::Value;

/// Cases that take longer than a few seconds without optimisation: run with `DRYSTONE_SLOW`.
const SLOW: [&str; 2] = ["collapse-pentagons", "collapse-stars"];

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
    answer(command(&words!["run", scene, "-o", &folder, "--quiet"]).args(["--threads", "1"])).ends_with(0);
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
    walls_of_a_silo_carry_grains: "janssen",
    grains_run_out_of_a_silo: "hopper",
    a_drum_carries_grains_up: "drum",
    dominoes_fall_to_the_last: "dominoes",
    a_ball_breaks_a_wall: "breach",
    a_dome_stands: "dome",
    stress_is_force_over_length: "loaded-box",
    a_sandbox_is_pushed: "sandbox",
    the_thrust_stays_in_the_arch: "thrust",
    a_gate_lets_a_slope_go: "landslide",
    a_disk_stays_in_a_corner: "corner",
    drums_are_shaken: "drums",
    a_source_makes_a_pile: "pile",
    an_arena_stands: "arena",
    jointed_rock_stands: "rock-slope",
    an_arch_bears_a_moving_load: "moving-load",
    blocks_stay_on_a_shaking_table: "shaking-table",
    a_block_slides_by_newmarks_formula: "newmark",
    a_tower_of_planks_stands: "tower",
}
