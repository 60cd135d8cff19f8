//! A run that is asked to stop keeps what it has and goes on later, to the same bits as one never stopped.

#![cfg(unix)]

mod common;

use common::made::box_of_disks;
use common::{drystone, frames, same_run, spawn, summary, wait_for_steps, write_scene};
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
