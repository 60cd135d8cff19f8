//! `drystone diagnose`: regimes with a known answer are told apart, runs say why steps did not converge, and
//! what makes no sense is refused.

use crate::common::{Dice, answer, command, drystone, read, root, summary, write_scene};
use crate::words;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Runs a validation scene with other friction, if any; gives the folder.
fn run(home: &Path, name: &str, friction: Option<(&str, &str)>, code: i32) -> PathBuf {
    let text = read(&root().join(format!("scenes/validation/{name}.toml")));
    let text = friction.map_or(text.clone(), |(from, to)| text.replace(from, to));
    let scene = write_scene(home, &format!("{name}.toml"), &text);
    let folder = home.join(name);
    answer(command(&words!["run", &scene, "-o", &folder]).args(["--force", "--quiet"])).ends_with(code);
    folder
}

fn diagnosis(source: impl AsRef<std::ffi::OsStr>) -> Value {
    drystone(&words!["diagnose", source.as_ref(), "--json"]).ends_with(0).json()
}

fn close(value: &Value, expected: f64, tolerance: f64) {
    let found = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    assert!((found - expected).abs() <= tolerance * expected.abs(), "{found} instead of {expected}");
}

#[test]
fn a_jammed_corner_is_named_with_its_friction() {
    let home = tempfile::tempdir().unwrap();
    let folder = run(home.path(), "corner", Some(("friction = 0.8", "friction = 1.1")), 3);
    let first = diagnosis(format!("{}@1", folder.display()));
    assert_eq!(
        (first["verdict"].as_str(), first["converged"].as_bool()),
        (Some("inconsistent"), Some(false))
    );
    // the wall has moved by 5e-5 m at the middle of the first step
    close(&first["solvable_below_factor"], 1.0 / 1.1, 1e-4);
    let network = first["network"]["contacts"].as_array().unwrap();
    let mut bodies: Vec<&str> = network
        .iter()
        .flat_map(|contact| contact["bodies"].as_array().unwrap())
        .filter_map(Value::as_str)
        .collect();
    bodies.sort_unstable();
    assert_eq!(bodies, ["disk", "disk", "floor", "wall"]);
    for contact in network {
        for (component, expected) in [(0, 1.0), (1, 1.0)] {
            let found = contact["impulse"][component].as_f64().unwrap();
            assert!((found.abs() - expected).abs() < 1e-4, "{network:?}");
        }
    }
    assert!(first["network"]["power"].as_f64().unwrap() < 0.0);
    // the last step that did not converge unless told otherwise
    assert_eq!(diagnosis(folder.as_os_str())["step"], 20);
    let words = drystone(&words!["diagnose", &folder]).ends_with(0).out;
    assert!(words.contains("inconsistent") && words.contains("\"disk\" and \"wall\""), "{words}");
}

#[test]
fn a_saved_problem_has_the_diagnosis_of_its_step() {
    let home = tempfile::tempdir().unwrap();
    let scene = root().join("scenes/validation/three-disks-confined.toml");
    let folder = home.path().join("run");
    let more = ["--quiet", "--steps", "2", "--dump-problems", "1"];
    answer(command(&words!["run", &scene, "-o", &folder]).args(more)).ends_with(3);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder.join("problems")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "hdf5"));
    let (of_step, of_file) = (diagnosis(format!("{}@1", folder.display())), diagnosis(files[0].as_os_str()));
    assert_eq!(of_file["verdict"], "inconsistent");
    for key in ["verdict", "contacts", "dimension"] {
        assert_eq!(of_step[key], of_file[key], "{key}");
    }
    // from W instead of H: small numbers are squared
    close(&of_file["solvable_below_factor"], of_step["solvable_below_factor"].as_f64().unwrap(), 1e-8);
    assert!(of_file["network"]["contacts"][0]["bodies"].is_null());
    let told = drystone(&words!["diagnose", format!("{}@3", files[0].display())]).ends_with(2);
    assert!(told.err.contains("no step 3"), "{}", told.err);
}

#[test]
fn slack_and_confined_disks_are_told_apart() {
    let home = tempfile::tempdir().unwrap();
    let slack = diagnosis(format!("{}@1", run(home.path(), "three-disks-slack", None, 0).display()));
    assert_eq!(slack["verdict"], "ill-conditioned");
    close(&slack["networks_from_factor"], 30_f64.to_radians().tan() / 0.7, 1e-10);
    assert!(slack["solvable_below_factor"].as_f64().unwrap() > 1.1);
    let confined = diagnosis(format!("{}@1", run(home.path(), "three-disks-confined", None, 3).display()));
    assert_eq!(confined["verdict"], "inconsistent");
    close(&confined["solvable_below_factor"], (3.0 - 8_f64.sqrt()) / 0.3, 1e-5);
}

#[test]
fn a_run_says_why_steps_did_not_converge() {
    let home = tempfile::tempdir().unwrap();
    let folder = run(home.path(), "two-disks", None, 3);
    let told = summary(&folder);
    let reasons = told["not_converged"].as_array().unwrap();
    assert_eq!(reasons.len(), 1);
    assert_eq!(reasons[0]["verdict"], "inconsistent");
    assert_eq!(reasons[0]["steps"], told["steps_not_converged"]);
    close(&reasons[0]["friction_factor"], 15_f64.to_radians().tan() / 0.28, 1e-3);
    let pairs = reasons[0]["worst"].as_array().unwrap();
    assert!(
        pairs.iter().flat_map(|pair| pair.as_array().unwrap()).any(|name| name == "right wall"),
        "{pairs:?}"
    );
    assert!(reasons[0]["advice"][0].as_str().unwrap().starts_with("multiply all friction by less than 0.95"));
    let words = drystone(&words!["info", &folder]).ends_with(0).out;
    assert!(words.contains("inconsistent") && words.contains("to try: multiply all friction"), "{words}");
    let table = read(&folder.join("probes/steps.csv"));
    let column = table.lines().next().unwrap().split(',').position(|name| name == "verdict").unwrap();
    assert!(table.lines().skip(1).all(|line| line.split(',').nth(column) == Some("3")), "{table}");
    // a run in two parts tells the same
    let scene = home.path().join("two-disks.toml");
    let parts = home.path().join("parts");
    answer(command(&words!["run", &scene, "-o", &parts]).args(["--steps", "4", "--quiet"])).ends_with(3);
    answer(command(&words!["resume", &parts, "--quiet"]).args(["--steps", "10"])).ends_with(3);
    assert_eq!(summary(&parts)["not_converged"], told["not_converged"]);
    // too few iterations is another matter, and the warning says so
    let slow = read(&scene)
        .replace("0.28", "0.2")
        .replace("time =", "solver = { max_iterations = 1, tolerance = 1e-12 }\ntime =");
    let slow = write_scene(home.path(), "slow.toml", &slow);
    let answer = answer(&mut command(&words!["run", &slow, "-o", home.path().join("slow")])).ends_with(3);
    assert!(answer.err.contains(": slow, worst between"), "{}", answer.err);
    assert!(answer.out.contains("allow more than 1 iterations"), "{}", answer.out);
}

#[test]
fn forces_of_a_wedged_disk_are_open_between_closed_bounds() {
    // A disk in a groove of 45 degrees: both contacts push alike, 2 N + 2 T = √2 W with |T| ≤ μ N, so that
    // N is anything from W/√2/(1 + μ) to W/√2/(1 − μ).
    let home = tempfile::tempdir().unwrap();
    let mu = 0.4;
    let text = format!(
        "dimension = 2\ntime = {{ step = 1e-3, duration = 0.003 }}\nsolver.tolerance = 1e-12\n\
         law = [{{ between = [\"*\", \"*\"], inelastic.friction = {mu} }}]\n\
         body = [\n{{ name = \"left\", shape.line = {{}}, angle_degrees = -45, fixed = true }},\n\
         {{ name = \"right\", shape.line = {{}}, angle_degrees = 45, fixed = true }},\n\
         {{ name = \"disk\", shape.disk.radius = 0.5, mass = 2.0, position = [0.0, {:?}] }},\n]\n",
        0.5 * 2_f64.sqrt()
    );
    let scene = write_scene(home.path(), "groove.toml", &text);
    let folder = home.path().join("groove");
    answer(command(&words!["run", &scene, "-o", &folder]).args(["--quiet"])).ends_with(0);
    let told = drystone(&words!["diagnose", &folder, "--spread", "--json"]).ends_with(0).json();
    let spread = &told["spread"];
    assert_eq!((spread["proved_unique"].as_bool(), spread["undecided"].as_u64()), (Some(false), Some(0)));
    let half = 2.0 * 9.81 / 2_f64.sqrt();
    for joint in spread["bounds"].as_array().unwrap() {
        let normal = &joint["quantities"][0];
        close(&normal["least"], half / (1.0 + mu), 1e-6);
        close(&normal["largest"], half / (1.0 - mu), 1e-6);
    }
    // the force on the disk itself is not open: it is its weight
    let of = ["--spread", "--of", "disk", "--json"];
    let told = answer(command(&words!["diagnose", &folder]).args(of)).ends_with(0).json();
    let support = told["spread"]["bounds"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(support["kind"], "support");
    close(&support["quantities"][1]["least"], 2.0 * 9.81, 1e-6);
    close(&support["quantities"][1]["largest"], 2.0 * 9.81, 1e-6);
}

#[test]
fn forces_are_called_unique_only_with_a_proof() {
    let home = tempfile::tempdir().unwrap();
    let text = "dimension = 2\ntime = { step = 1e-3, duration = 0.003 }\n\
        law = [{ between = [\"*\", \"*\"], inelastic.friction = 0.5 }]\n\
        body = [\n{ name = \"floor\", shape.line = {}, fixed = true },\n\
        { name = \"block\", shape.box.size = [0.4, 0.2], mass = 3.0, position = [0.0, 0.1] },\n]\n";
    let scene = write_scene(home.path(), "block.toml", text);
    let folder = home.path().join("block");
    answer(command(&words!["run", &scene, "-o", &folder]).args(["--quiet"])).ends_with(0);
    let (table, picture) = (home.path().join("spread.csv"), home.path().join("spread.svg"));
    let more = words!["diagnose", &folder, "--spread", "-o", &table, "--picture", &picture];
    let told = drystone(&more).ends_with(0).out;
    assert!(told.contains("proved: the forces below are the same"), "{told}");
    assert_eq!(read(&table).lines().count(), 4, "normal force, shear and eccentricity of one joint");
    assert!(read(&picture).contains("least and largest"));
    // friction at the two ends of its base may pull against each other, but not the sum of them
    let more = ["--spread", "--of", "#0", "--json"];
    let told = answer(command(&words!["diagnose", &folder]).args(more)).ends_with(0).json();
    close(&told["spread"]["bounds"][0]["quantities"][0]["least"], 1.5 * 9.81, 1e-6);
    for (what, message) in [("#7", "is no contact"), ("nobody", "no contact of \"nobody\"")] {
        let told =
            answer(command(&words!["diagnose", &folder, "--spread"]).args(["--of", what])).ends_with(2);
        assert!(told.err.contains(message), "{}", told.err);
    }
}

#[test]
fn solves_of_a_wedged_disk_differ() {
    let home = tempfile::tempdir().unwrap();
    let folder = run(home.path(), "three-disks-slack", None, 0);
    let (table, picture) = (home.path().join("spread.csv"), home.path().join("spread.svg"));
    let more = words!["diagnose", &folder, "--samples", "12", "-o", &table, "--picture", &picture];
    let told = drystone(&more).ends_with(0).out;
    assert!(told.contains("they differ by up to"), "{told}");
    let spread =
        answer(command(&words!["diagnose", &folder, "--json"]).args(["--samples", "12"])).ends_with(0).json();
    let spread = &spread["samples"];
    assert_eq!((spread["solves"].as_u64(), spread["converged"].as_u64()), (Some(12), Some(12)));
    assert!(spread["relative"].as_f64().unwrap() > 0.01);
    let contacts = spread["contacts"].as_array().unwrap();
    assert_eq!(read(&table).lines().count(), 1 + contacts.len());
    assert!(read(&table).lines().nth(1).unwrap().contains("\"wedged\""));
    assert!(read(&picture).starts_with("<svg"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let folder = run(home.path(), "three-disks-slack", None, 0);
    let refused = |source: String, part: &str| {
        let told = drystone(&words!["diagnose", source]).ends_with(2);
        assert!(told.err.contains(part), "{}", told.err);
    };
    let place = folder.display();
    refused(format!("{place}@11"), "no step 11");
    refused(format!("{place}@0"), "count from 1");
    refused(format!("{place}@last"), "no step");
    refused(format!("{place}@-1"), "no step");
    refused(home.path().join("nothing").display().to_string(), "no such run folder");
    refused(home.path().display().to_string(), "not a run folder");
    refused(home.path().join("three-disks-slack.toml").display().to_string(), "three-disks-slack.toml");
    for more in [["--samples", "1"], ["--seed", "3"], ["--samples", "x"]] {
        answer(command(&words!["diagnose", &folder]).args(more)).ends_with(2);
    }
}

#[test]
fn a_damaged_table_or_file_ends_without_a_panic() {
    let home = tempfile::tempdir().unwrap();
    let folder = run(home.path(), "three-disks-slack", None, 0);
    let table = folder.join("probes/steps.csv");
    let whole = std::fs::read(&table).unwrap();
    let mut dice = Dice(5);
    for _ in 0..40 {
        let mut bytes = whole.clone();
        for _ in 0..1 + dice.roll(3) {
            let at = dice.roll(bytes.len());
            match dice.roll(3) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes[at] = dice.roll(256) as u8,
                _ => drop(bytes.drain(at..(at + 1 + dice.roll(40)).min(bytes.len()))),
            }
            bytes.push(b'\n');
        }
        std::fs::write(&table, &bytes).unwrap();
        let told = drystone(&words!["diagnose", &folder]);
        assert!(matches!(told.code, 0..=2), "{}: {}", told.code, told.err);
        assert!(!told.err.contains("panicked"), "{}", told.err);
    }
    let file = home.path().join("problem.hdf5");
    std::fs::write(&file, b"\x89HDF\r\n\x1a\nand then nothing").unwrap();
    let told = drystone(&words!["diagnose", &file]);
    assert_eq!(told.code, 2, "{}", told.err);
}

#[test]
fn sweeps_without_a_solution_run_along_the_kernel_of_h() {
    let home = tempfile::tempdir().unwrap();
    let cases = [
        ("corner", Some(("friction = 0.8", "friction = 1.1"))),
        ("two-disks", None),
        ("three-disks-confined", None),
    ];
    for (name, friction) in cases {
        let source = format!("{}@1", run(home.path(), name, friction, 3).display());
        let picture = home.path().join(format!("{name}.svg"));
        let told = answer(
            command(&words!["diagnose", &source, "--iterates", "400", "--picture", &picture]).arg("--json"),
        );
        let iterates = &told.ends_with(0).json()["iterates"];
        let angles: Vec<f64> =
            iterates["angles"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        assert_eq!((angles.len(), &iterates["sweeps"]), (400, &Value::from(400)), "{name}");
        assert!(iterates["kernel_dimension"].as_u64().unwrap() >= 1, "{name}");
        assert!(angles[0] > 0.05 && angles[399] < 1e-3, "{name}: {} to {}", angles[0], angles[399]);
        assert!(read(&picture).contains("Ker H"), "{name}");
    }
}
