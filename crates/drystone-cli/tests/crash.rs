//! Killed at any moment, a run loses no output, stays readable, and goes on to the same bits.

mod common;

use common::made::box_of_disks;
use common::{Dice, drystone, frames, same_run, spawn, steps_written, wait_for_steps, write_scene};
use std::path::Path;
use std::process::Child;
use std::time::Duration;

const STEPS: usize = 1500;
const KILLS: usize = 20;

/// Starts the run, or goes on with it if there is something to go on with.
fn go_on(scene: &Path, folder: &Path) -> Child {
    let checkpoints = std::fs::read_dir(folder.join("checkpoints"));
    if checkpoints.is_ok_and(|entries| entries.count() > 0) {
        spawn(&words!["resume", folder, "--quiet"])
    } else {
        spawn(&words!["run", scene, "-o", folder, "--quiet", "--force"])
    }
}

#[test]
fn killed_twenty_times_a_run_ends_like_one_never_killed() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "disks.toml", &box_of_disks(10, 10, STEPS, 3));
    let (whole, broken) = (home.path().join("whole"), home.path().join("broken"));
    drystone(&words!["run", &scene, "-o", &whole, "--quiet"]).ends_with(0);
    let expected = frames(&whole);
    assert_eq!(expected.len(), STEPS / 3 + 1);

    let mut dice = Dice(2024);
    let mut most = 0;
    let mut landed = 0;
    for kill in 0..KILLS {
        let mut child = go_on(&scene, &broken);
        if kill % 4 != 3 {
            // somewhere in the steps; the share leaves steps for the kills to come
            let goal = steps_written(&broken) + 1 + dice.roll(2 * STEPS / (3 * KILLS));
            wait_for_steps(&mut child, &broken, goal);
        }
        // every fourth one right after its start, while it still opens its files
        std::thread::sleep(Duration::from_micros(dice.roll(30_000) as u64));
        child.kill().unwrap();
        landed += usize::from(child.wait().unwrap().code().is_none());
        if !broken.join("scene.toml").exists() {
            continue;
        }
        let held = frames(&broken);
        // a resume drops the frame its checkpoint does not cover, and writes it again: at most one may be on
        // its way
        assert!(held.len() + 1 >= most, "kill {kill}: {} frames, {most} before", held.len());
        assert!(held == expected[..held.len()], "kill {kill}: a frame differs from that of the whole run");
        most = most.max(held.len());
    }
    assert!(landed > KILLS / 2, "only {landed} kills came before the end: the test proves little");
    assert!(most < expected.len(), "the run ended before the kills");

    drystone(&words!["resume", &broken, "--quiet"]).ends_with(0);
    same_run(&broken, &whole);
    // resuming a run that has ended changes nothing
    drystone(&words!["resume", &broken, "--quiet"]).ends_with(0);
    same_run(&broken, &whole);
}
