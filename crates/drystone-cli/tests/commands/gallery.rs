//! The cases of the gallery give the figures they are known for.

use crate::common::{answer, command, drystone, read, root};
use crate::words;
use serde_json::Value;

/// Runs the quick scene of a case and compares the figures of its last frame.
fn shows(name: &str) {
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
}
