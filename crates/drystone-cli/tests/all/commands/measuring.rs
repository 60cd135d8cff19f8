//! Measures of runs while they go on and afterwards, and sweeps.

use crate::common::{Answer, answer, command, drystone, read, write_scene};
use crate::words;
use std::path::Path;

/// Two disks on each other between walls, twenty steps.
const PILE: &str = r#"
dimension = 2
gravity = [0.0, -10.0]
time = { step = 1e-3, duration = 2e-2 }
output.interval = 5e-3
body = [
    { name = "ground", group = "wall", shape.line = {}, fixed = true },
    { name = "low", group = "sand", shape.disk.radius = 0.1, mass = 1.0, inertia = 0.01, position = [0.0, 0.1] },
    { name = "high", group = "sand", shape.disk.radius = 0.1, mass = 2.0, inertia = 0.01, position = [0.0, 0.3] },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.5 }]
measure = [
    { name = "stress", group = "sand" },
    { name = "reaction", file = "ground force", body = "ground", every = 2e-3 },
    { name = "joints", every = 1e-2 },
]
"#;

fn run(scene: &Path, folder: &Path, more: &[&str]) -> Answer {
    answer(command(&words!["run", scene, "-o", folder]).args(more))
}

fn column(table: &str, name: &str) -> Vec<f64> {
    let mut lines = table.lines();
    let place = lines
        .next()
        .unwrap()
        .split(',')
        .position(|column| column == name)
        .unwrap_or_else(|| panic!("{name}: {table}"));
    lines.map(|line| line.split(',').nth(place).unwrap().parse().unwrap()).collect()
}

#[test]
fn what_a_scene_measures_is_what_the_command_measures_later() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "pile.toml", PILE);
    let folder = home.path().join("run");
    run(&scene, &folder, &["--quiet"]).ends_with(0);
    let stress = read(&folder.join("measures/stress.csv"));
    assert!(
        stress.starts_with(
            "step,time [s],xx [Pa],xy [Pa],yx [Pa],yy [Pa],p [Pa],q [Pa],ratio [-],volume [m2]\n"
        )
    );
    assert_eq!(column(&stress, "step"), [0.0, 5.0, 10.0, 15.0, 20.0]);
    let yy = column(&stress, "yy [Pa]");
    // 30 N over 0.1 m and 20 N over 0.2 m, in 0.2 by 0.4 m
    assert!((yy[4] - 7.0 / 0.08).abs() < 1e-3, "{yy:?}");
    let ground = read(&folder.join("measures/ground force.csv"));
    assert_eq!(column(&ground, "step").len(), 11);
    assert!((column(&ground, "force_y [N]")[10] + 30.0).abs() < 1e-6);
    let joints = read(&folder.join("measures/joints.csv"));
    assert!(joints.lines().last().unwrap().starts_with("20,0.02,low,high,"), "{joints}");
    // the same of the frames of the folder, to rounding
    let later = drystone(&words!["measure", &folder, "stress:group=sand", "mass", "energy.friction"])
        .ends_with(0)
        .out;
    let again = column(&later, "stress.yy [Pa]");
    assert!(yy.iter().zip(&again).all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs()), "{yy:?} {again:?}");
    assert_eq!(column(&later, "mass.mass [kg/m]"), [3.0; 5]);
    assert_eq!(column(&later, "energy.friction [J]").len(), 5);
    let table = drystone(&words!["measure", &folder, "joints"]).ends_with(0).out;
    assert_eq!(table.lines().count(), 3, "{table}");
    let json =
        drystone(&words!["measure", &folder, "reaction.force_y:body=ground", "--json"]).ends_with(0).json();
    let reaction = &json["measures"][0];
    assert!((reaction["over_time"]["force_y"]["last"].as_f64().unwrap() + 30.0).abs() < 1e-6, "{json}");
    assert_eq!(reaction["rows"].as_array().unwrap().len(), 5);
    let one = drystone(&words!["measure", &folder, "mass", "--frame", "-1"]).ends_with(0).out;
    assert_eq!(column(&one, "step"), [20.0]);
}

#[test]
fn bodies_of_a_source_have_the_same_names_while_the_run_goes_on_and_later() {
    let home = tempfile::tempdir().unwrap();
    // balls in a pipe that is closed below: each lies on the one before
    let text = r#"
dimension = 2
time = { step = 2e-3, duration = 0.8 }
output.interval = 0.8
body = [{ name = "ground", shape.line = {}, fixed = true }]
source = [
    { name = "ball", group = "grains", density = 1000, radius = [0.1, 0.1], lower = [0.0, 0.2], upper = [0.0, 0.2], rate = 1, count = 1 },
    { name = "late", group = "grains", density = 1000, radius = [0.1, 0.1], lower = [0.0, 0.4], upper = [0.0, 0.4], rate = 1, count = 1, start = 0.3 },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.5 }]
measure = [{ name = "joints", every = 0.8 }]
"#;
    let scene = write_scene(home.path(), "pipe.toml", text);
    let folder = home.path().join("run");
    run(&scene, &folder, &["--quiet"]).ends_with(0);
    let live = cells(&read(&folder.join("measures/joints.csv")), "other");
    let later = cells(&drystone(&words!["measure", &folder, "joints"]).ends_with(0).out, "other");
    assert_eq!(live, ["ball 1", "late 1"]);
    assert_eq!(live, later);
    // and by that name it is found: it weighs what lies on the ball below
    let found =
        drystone(&words!["measure", &folder, "reaction:body=late 1", "--frame", "-1"]).ends_with(0).out;
    let weight = 10.0 * std::f64::consts::PI * 9.81;
    assert!((column(&found, "reaction.force_y [N]")[0] - weight).abs() < 1e-3 * weight, "{found}");
}

#[test]
fn measures_go_on_after_a_stop() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "pile.toml", PILE);
    let (whole, parts) = (home.path().join("whole"), home.path().join("parts"));
    run(&scene, &whole, &["--quiet"]).ends_with(0);
    run(&scene, &parts, &["--quiet", "--steps", "7"]).ends_with(0);
    drystone(&words!["resume", &parts, "--quiet"]).ends_with(0);
    for name in ["stress", "ground force", "joints"] {
        let table = |folder: &Path| read(&folder.join(format!("measures/{name}.csv")));
        assert_eq!(table(&whole), table(&parts), "{name}");
    }
}

#[test]
fn wrong_measures_are_refused_with_the_code_of_bad_input() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "pile.toml", PILE);
    let folder = home.path().join("run");
    run(&scene, &folder, &["--quiet", "--steps", "1"]).ends_with(0);
    let refused = |measure: &str| drystone(&words!["measure", &folder, measure]).ends_with(2).err;
    assert!(refused("stres").contains("Did you mean \"stress\"?"));
    assert!(refused("stress:bins=3").contains("takes no \"bins\""));
    assert!(refused("stress.zz").contains("has no column \"zz\""));
    assert!(refused("stress:group=gravel").contains("no group \"gravel\"; there are: wall, sand"));
    assert!(refused("stress:box=0,0").contains("4 finite numbers"));
    assert!(drystone(&words!["measure", &folder]).ends_with(2).err.contains("--list"));
    assert!(
        drystone(&words!["measure", &folder, "mass", "--frame", "9"]).ends_with(2).err.contains("no frame 9")
    );
    drystone(&words!["measure", home.path(), "mass"]).ends_with(2);
    let bare = PILE.replace("output.interval = 5e-3", "output = { interval = 5e-3, contacts = false }");
    let scene = write_scene(home.path(), "bare.toml", &bare);
    let other = home.path().join("bare");
    run(&scene, &other, &["--quiet", "--steps", "1"]).ends_with(0);
    drystone(&words!["measure", &other, "mass"]).ends_with(0);
    let told = drystone(&words!["measure", &other, "stress"]).ends_with(2).err;
    assert!(told.contains("output.contacts = false"), "{told}");
    let list = drystone(&["measure", "--list"]).ends_with(0).out;
    let json = drystone(&["measure", "--list", "--json"]).ends_with(0).json();
    let all = json["measures"].as_array().unwrap();
    assert!(all.len() >= 28 && all.iter().all(|one| list.contains(one["name"].as_str().unwrap())));
    // and the page of the book has them all
    let page = read(&crate::common::root().join("docs/src/reference/measures.md"));
    for one in all {
        let name = one["name"].as_str().unwrap();
        let line = page.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let line = line.unwrap_or_else(|| panic!("{name} is not in the book"));
        for key in one["keys"].as_array().unwrap() {
            assert!(line.contains(&format!("`{}`", key.as_str().unwrap())), "{key} of {name}");
        }
    }
}

/// The cells of a column of a sweep's table.
fn cells(table: &str, name: &str) -> Vec<String> {
    let mut lines = table.lines();
    let place = lines
        .next()
        .unwrap()
        .split(',')
        .position(|column| column == name)
        .unwrap_or_else(|| panic!("{name}: {table}"));
    lines.map(|line| line.split(',').nth(place).unwrap().to_owned()).collect()
}

#[test]
fn a_sweep_has_a_line_for_each_combination_and_goes_on_where_it_stopped() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "pile.toml", PILE);
    let sweep = |more: &[&str]| {
        let set = ["--set", "body.high.mass=1.0,2.0,-1.0", "--set", "time.step=1e-3,2e-3"];
        let mut command = command(&words!["sweep", &scene]);
        answer(command.args(set).args(["--quiet", "--threads", "1"]).args(more).current_dir(home.path()))
    };
    // first one of them alone, as a task of a cluster does
    sweep(&["--only", "3"]).ends_with(0);
    let folder = home.path().join("sweeps/pile");
    let begun = std::fs::metadata(folder.join("run-003/summary.json")).unwrap().modified().unwrap();
    let told =
        sweep(&["--jobs", "2", "--json", "--measure", "reaction.force_y:body=ground"]).ends_with(0).json();
    assert_eq!([&told["runs"], &told["done"], &told["failed"]].map(|n| n.as_u64().unwrap()), [6, 4, 2]);
    let table = read(&folder.join("sweep.csv"));
    assert_eq!(cells(&table, "state"), ["done", "done", "done", "done", "failed", "failed"]);
    assert_eq!(cells(&table, "body.high.mass"), ["1.0", "1.0", "2.0", "2.0", "-1.0", "-1.0"]);
    assert_eq!(cells(&table, "steps"), ["20", "10", "20", "10", "", ""]);
    let force: f64 = cells(&table, "reaction.force_y [N]")[2].parse().unwrap();
    assert!((force + 30.0).abs() < 1e-6);
    let written: f64 = cells(&table, "ground force.force_y [N]")[0].parse().unwrap();
    assert!((written + 20.0).abs() < 1e-6);
    assert!(table.lines().last().unwrap().contains("mass"), "{table}");
    // nothing is done twice
    let again = std::fs::metadata(folder.join("run-003/summary.json")).unwrap().modified().unwrap();
    assert_eq!(begun, again);
    assert_eq!(sweep(&["--json"]).ends_with(0).json()["done"], 4);
    let other = answer(command(&words!["sweep", &scene, "--set", "time.step=1e-3"]).current_dir(home.path()));
    assert!(other.ends_with(2).err.contains("other values"));
}

#[test]
fn sweeps_that_cannot_be_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "pile.toml", PILE);
    let refused = |set: &str, more: &[&str]| {
        let mut command = command(&words!["sweep", &scene, "--set", set]);
        let told = answer(command.args(more).current_dir(home.path())).ends_with(2);
        assert!(!home.path().join("sweeps").exists());
        told.err
    };
    assert!(refused("law.7.inelastic.friction=0.1", &[]).contains("no entry \"7\""));
    assert!(refused("time.step", &[]).contains("KEY=V1,V2"));
    assert!(refused("time.step=1..2", &[]).contains("--sample"));
    let told = refused("time.stp=1e-3,2e-3", &[]);
    assert!(told.contains("with time.stp = 1e-3") && told.contains("unknown key"), "{told}");
    assert!(refused("time.step=1e-3", &["--measure", "joints"]).contains("is a table"));
    assert!(refused("time.step=1e-3", &["--measure", "stres"]).contains("no measure \"stres\""));
    // a job array instead of runs
    let mut command =
        command(&words!["sweep", &scene, "--set", "time.step=1e-3..2e-3", "--sample", "4", "--slurm"]);
    answer(command.current_dir(home.path())).ends_with(0);
    let script = read(&home.path().join("sweeps/pile/sweep.sbatch"));
    assert!(script.contains("#SBATCH --array=0-3%1") && script.contains("--sample 4 --seed 0"), "{script}");
}
