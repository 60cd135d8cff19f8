//! A run that is asked to stop keeps what it has and goes on later, to the same bits as one never stopped.

#![cfg(unix)]

use crate::common::made::box_of_disks;
use crate::common::{drystone, frames, read, same_run, spawn, summary, wait_for_steps, write_scene};
use crate::words;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

const STEPS: usize = 600;

/// Asks a run under way to stop.
type Ask = fn(&Child, &Path);

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

fn by_file(_: &Child, folder: &Path) {
    std::fs::write(folder.join("stop"), "").unwrap();
}

fn by_interrupt(child: &Child, _: &Path) {
    signal(child, "-INT");
}

fn by_termination(child: &Child, _: &Path) {
    signal(child, "-TERM");
}

#[test]
fn a_stopped_run_goes_on_to_the_same_end() {
    let home = tempfile::tempdir().unwrap();
    // an output every 7 steps: the moment of stopping seldom falls on one
    let scene = write_scene(home.path(), "disks.toml", &box_of_disks(8, 8, STEPS, 7));
    let whole = home.path().join("whole");
    drystone(&words!["run", &scene, "-o", &whole, "--quiet"]).ends_with(0);
    let ways: [(&str, Ask); 3] =
        [("file", by_file), ("interrupt", by_interrupt), ("termination", by_termination)];
    for (way, ask) in ways {
        let folder: PathBuf = home.path().join(way);
        let mut child = spawn(&words!["run", &scene, "-o", &folder]);
        assert!(wait_for_steps(&mut child, &folder, 40), "{way}: ended by itself");
        // two cannot write one run
        drystone(&words!["resume", &folder]).ends_with(2);
        drystone(&words!["run", &scene, "-o", &folder, "--force"]).ends_with(2);
        ask(&child, &folder);
        assert_eq!(child.wait().unwrap().code(), Some(4), "{way}");
        let stopped = summary(&folder);
        assert_eq!(stopped["outcome"], "stopped");
        let steps = stopped["steps"].as_u64().unwrap();
        assert!((40..STEPS as u64).contains(&steps), "{way}: stopped at {steps}");
        assert_eq!(frames(&folder).last().unwrap().step, steps, "{way}: the state at the stop is not shown");
        assert!(!folder.join("stop").exists());
        let resumed = drystone(&words!["resume", &folder, "--json"]).ends_with(0).json();
        assert_eq!(resumed["steps"], STEPS);
        same_run(&folder, &whole);
    }
}

#[test]
fn a_run_stopped_before_the_scene_ends_can_be_stretched() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "disks.toml", &box_of_disks(4, 3, 60, 7));
    let (whole, pieces) = (home.path().join("whole"), home.path().join("pieces"));
    drystone(&words!["run", &scene, "-o", &whole, "--quiet"]).ends_with(0);
    drystone(&words!["run", &scene, "-o", &pieces, "--quiet", "--steps", "13"]).ends_with(0);
    for until in ["21", "40", "40", "60"] {
        drystone(&words!["resume", &pieces, "--quiet", "--steps", until]).ends_with(0);
    }
    same_run(&pieces, &whole);
}

/// Replaces a part of the scene of a run folder.
#[track_caller]
fn edit(folder: &Path, from: &str, to: &str) {
    let path = folder.join("scene.toml");
    let text = read(&path);
    assert!(text.contains(from), "{from:?} is not in\n{text}");
    std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_changed_scene_is_refused_by_name_and_the_run_stays_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "disks.toml", &box_of_disks(3, 2, 40, 7));
    let (whole, folder) = (home.path().join("whole"), home.path().join("run"));
    drystone(&words!["run", &scene, "-o", &whole, "--quiet"]).ends_with(0);
    drystone(&words!["run", &scene, "-o", &folder, "--quiet", "--steps", "13"]).ends_with(0);
    let original = read(&folder.join("scene.toml"));
    let changes = [
        ("step = 0.001", "step = 0.002", "time.step"),
        ("theta = 0.5", "theta = 0.6", "time.theta"),
        ("-9.81", "-1.62", "gravity"),
        ("friction = 0.4", "friction = 0.5", "law 1 (inelastic)"),
        ("density = 2600.0", "density = 2601.0", "body 4 \"disk 0\" (density)"),
        ("alert = 0.1", "alert = 0.2", "detection.alert"),
        ("quantities = [\"position\", ", "quantities = [", "probe 1 \"first\" (quantities)"),
        ("contacts = true", "contacts = false", "output.contacts"),
        ("name = \"left\"", "name = \"west\"", "body 2 \"west\" (name)"),
    ];
    for (from, to, named) in changes {
        edit(&folder, from, to);
        let refused = drystone(&words!["resume", &folder]).ends_with(2);
        assert!(
            refused.err.contains("has changed") && refused.err.contains(named),
            "{named}: {}",
            refused.err
        );
        // also where there would be nothing to do
        drystone(&words!["resume", &folder, "--steps", "13"]).ends_with(2);
        assert!(folder.join("summary.json").exists(), "a refused resume took the summary away");
        std::fs::write(folder.join("scene.toml"), &original).unwrap();
    }
    // a body too many or too few
    let last = original.rfind("[[body]]").unwrap();
    let less = original[..last].to_owned() + &original[original.rfind("[[law]]").unwrap()..];
    std::fs::write(folder.join("scene.toml"), less).unwrap();
    let refused = drystone(&words!["resume", &folder]).ends_with(2);
    assert!(refused.err.contains("1 entry left out"), "{}", refused.err);
    std::fs::write(folder.join("scene.toml"), &original).unwrap();
    drystone(&words!["resume", &folder, "--quiet"]).ends_with(0);
    same_run(&folder, &whole);
}

#[test]
fn a_run_goes_on_with_another_length_and_other_outputs() {
    let home = tempfile::tempdir().unwrap();
    let longer = write_scene(home.path(), "longer.toml", &box_of_disks(3, 2, 60, 7));
    let scene = write_scene(home.path(), "disks.toml", &box_of_disks(3, 2, 40, 7));
    let (whole, folder) = (home.path().join("whole"), home.path().join("run"));
    drystone(&words!["run", &longer, "-o", &whole, "--quiet"]).ends_with(0);
    drystone(&words!["run", &scene, "-o", &folder, "--quiet"]).ends_with(0);
    // a run that has reached its end goes on once its scene is longer
    edit(&folder, "duration = 0.04", "duration = 0.06");
    let resumed = drystone(&words!["resume", &folder]).ends_with(0);
    assert!(resumed.err.contains("time.duration"), "{}", resumed.err);
    same_run(&folder, &whole);
    edit(&folder, "interval = 0.007", "interval = 0.01");
    edit(&folder, "tolerance = 0.001", "tolerance = 0.0001");
    let resumed = drystone(&words!["resume", &folder, "--steps", "80"]).ends_with(0);
    assert!(resumed.err.contains("output.interval, solver.tolerance"), "{}", resumed.err);
    assert_eq!(frames(&folder).last().unwrap().step, 80);
    // what it went on with is what it is compared with from then on
    let resumed = drystone(&words!["resume", &folder, "--steps", "90"]).ends_with(0);
    assert!(!resumed.err.contains("changed"), "{}", resumed.err);
}

/// Disks in a box that settle, are let out through a gate and pushed, in stages; a wall presses them.
fn staged(stages: &str) -> String {
    let disks: String = (0..6)
        .map(|k| {
            let (x, y) = (f64::from(k % 3) * 0.25 - 0.25, 0.62 + 0.22 * f64::from(k / 3));
            format!("[[body]]\nname = \"disk {k}\"\nshape.disk.radius = 0.1\ndensity = 1000\nposition = [{x}, {y}]\n")
        })
        .collect();
    format!(
        r#"dimension = 2
time = {{ step = 1e-3, duration = 0.4 }}
output.interval = 0.007
[[body]]
name = "floor"
group = "ground"
shape.line = {{}}
fixed = true
[[body]]
name = "gate"
group = "ground"
shape.box.size = [2, 0.1]
fixed = true
position = [0, 0.45]
{disks}[[law]]
between = ["*", "*"]
inelastic.friction = 0.4
[[probe]]
name = "first"
body = "disk 0"
[[drive]]
on = "floor"
x = "0.3*sin(20*t)"
{stages}"#
    )
}

const SETTLE: &str = "[[stage]]\nname = \"settle\"\nduration = 0.1\ngravity = { x = \"0.5*t\" }\n";
const OPEN: &str = "[[stage]]\nname = \"open\"\nduration = 0.15\nremove = [\"gate\"]\n\
    friction = [{ between = [\"*\", \"*\"], value = \"0.4 - t\" }]\nload = [{ on = \"disk 5\", x = \"20*sin(9*t)\" }]\n\
    [[stage]]\nname = \"hold\"\nduration = 0.05\nfix = [\"disk 0\"]\n";

#[test]
fn a_staged_run_goes_on_to_the_same_end_from_any_step() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "staged.toml", &staged(&format!("{SETTLE}{OPEN}")));
    let (whole, pieces) = (home.path().join("whole"), home.path().join("pieces"));
    let ended = drystone(&words!["run", &scene, "-o", &whole, "--json"]).ends_with(0).json();
    // the run ends with its last stage
    assert_eq!(ended["steps"], 300);
    assert_eq!(ended["stages"]["begun"], serde_json::json!(["settle", "open", "hold"]));
    assert_eq!(ended["stages"]["finished"], true);
    drystone(&words!["run", &scene, "-o", &pieces, "--quiet", "--steps", "40"]).ends_with(0);
    for until in ["100", "101", "180", "251", "400"] {
        drystone(&words!["resume", &pieces, "--quiet", "--steps", until]).ends_with(0);
    }
    same_run(&pieces, &whole);
    // nothing is left to do
    let frames_before = frames(&whole).len();
    assert_eq!(drystone(&words!["resume", &whole, "--json"]).ends_with(0).json()["steps"], 300);
    assert_eq!(frames(&whole).len(), frames_before);
}

#[test]
fn a_run_from_the_end_of_another_is_the_rest_of_one_long_run() {
    let home = tempfile::tempdir().unwrap();
    let run = |name: &str, text: &str, code: i32| {
        let scene = write_scene(home.path(), &format!("{name}.toml"), text);
        drystone(&words!["run", &scene, "-o", &home.path().join(name), "--json"]).ends_with(code)
    };
    let whole = run("whole", &staged(&format!("{SETTLE}{OPEN}")), 0).json();
    let sample = run("sample", &staged(SETTLE), 0).json();
    assert_eq!(sample["steps"], 100);
    let test = |from: &str| {
        format!(
            "dimension = 2\nfrom = \"{from}\"\ntime = {{ step = 1e-3, duration = 0.4 }}\noutput.interval = 0.007\n{OPEN}"
        )
    };
    let rest = run("rest", &test("sample@end"), 0).json();
    assert_eq!((&rest["steps"], &rest["state_hash"]), (&200.into(), &whole["state_hash"]));
    assert_eq!(rest["energy"], whole["energy"]);
    assert_eq!(rest["time"], whole["time"]);
    // from a time of the long run, and in pieces
    let again = run("again", &test("whole@0.1"), 0).json();
    assert_eq!(again["state_hash"], whole["state_hash"]);
    let scene = home.path().join("rest.toml");
    let pieces = home.path().join("pieces");
    drystone(&words!["run", &scene, "-o", &pieces, "--quiet", "--steps", "60"]).ends_with(0);
    std::fs::remove_dir_all(home.path().join("sample")).unwrap();
    drystone(&words!["resume", &pieces, "--quiet"]).ends_with(0);
    assert_eq!(summary(&pieces)["state_hash"], whole["state_hash"]);
    // what is not there
    let gone = run("gone", &test("sample@end"), 2);
    assert!(gone.err.contains("gone.toml:2:") && gone.err.contains("cannot be read"), "{}", gone.err);
    let late = run("late", &test("whole@7"), 2);
    assert!(late.err.contains("no step 7000"), "{}", late.err);
    let other = run("other", &(test("whole@end") + "[[law]]\nbetween = [\"*\", \"*\"]\n"), 2);
    assert!(other.err.contains("put the change into a [[stage]]"), "{}", other.err);
}

/// A disk between a floor and a lid that is driven down has no motion that both allow: sweeps never end.
const SQUEEZED: &str = "dimension = 2\ntime = { step = 1e-3, duration = 0.01 }\noutput.interval = 0.01\n\
    solver = { method = \"nlgs\", max_iterations = 4000000000 }\n\
    [[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.4\n\
    [[body]]\nname = \"floor\"\nshape.line = {}\nfixed = true\n\
    [[body]]\nname = \"lid\"\nshape.line = {}\nangle_degrees = 180\nposition = [0.0, 0.2]\n\
    drive = { x = 0.0, y = -1.0, spin = 0.0 }\n\
    [[body]]\nname = \"disk\"\nshape.disk.radius = 0.1\ndensity = 2600\nposition = [0.0, 0.1]\n";

#[test]
fn a_run_stops_inside_a_step_and_forgets_that_step() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "squeezed.toml", SQUEEZED);
    for (way, ask) in [("file", by_file as Ask), ("termination", by_termination)] {
        let folder = home.path().join(way);
        let mut child = spawn(&words!["run", &scene, "-o", &folder]);
        while !folder.join("probes/steps.csv").exists() {
            assert!(child.try_wait().unwrap().is_none(), "{way}: ended by itself");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        // the first step is under way by then, and would be for years
        std::thread::sleep(std::time::Duration::from_millis(500));
        ask(&child, &folder);
        assert_eq!(child.wait().unwrap().code(), Some(4), "{way}");
        let stopped = summary(&folder);
        assert_eq!((&stopped["outcome"], &stopped["steps"]), (&"stopped".into(), &0.into()), "{way}");
        edit(&folder, "4000000000", "20");
        let resumed = drystone(&words!["resume", &folder, "--json"]).ends_with(3).json();
        assert_eq!(resumed["steps"], 10, "{way}");
    }
}

#[test]
fn before_its_first_step_nothing_is_in_equilibrium() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "disks.toml", &box_of_disks(2, 2, 200, 100));
    let word = |steps: &str| {
        let folder = home.path().join(steps);
        drystone(&words!["run", &scene, "-o", &folder, "--quiet", "--steps", steps]).ends_with(0);
        summary(&folder)["answer"]["word"].as_str().unwrap().to_owned()
    };
    // built at rest above the floor: as slow as can be, and about to fall
    assert_eq!([word("0"), word("5")], ["moving", "moving"]);
}

/// A signal to a sweep stops the run that it has under way, which the next call goes on with.
#[test]
fn a_sweep_that_is_ended_stops_its_run_and_goes_on_later() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "disks.toml", &box_of_disks(8, 8, STEPS, 7));
    let sweep = home.path().join("sweep");
    let words = words!["sweep", &scene, "--set", "solver.tolerance=1e-4", "-o", &sweep, "--quiet"];
    let folder = sweep.join("run-000");
    let mut child = spawn(&words);
    assert!(wait_for_steps(&mut child, &folder, 40), "ended by itself");
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(4));
    let stopped = summary(&folder);
    assert_eq!(stopped["outcome"], "stopped");
    assert!(stopped["steps"].as_u64().unwrap() < STEPS as u64, "{stopped}");
    assert!(!folder.join("stop").exists());
    drystone(&words).ends_with(0);
    assert_eq!(summary(&folder)["steps"], STEPS);
}
