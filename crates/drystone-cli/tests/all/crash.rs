//! Killed at any moment, a run loses no output, stays readable, and goes on to the same bits.

use crate::common::made::box_of_disks;
use crate::common::{
    Dice, answer, command, drystone, frames, same_run, spawn, steps_written, wait_for_steps, write_scene,
};
use crate::words;
use drystone_io::Frame;
use std::path::Path;
use std::process::Child;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
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

/// Twenty kills, or with `DRYSTONE_SLOW` a thousand in fifty runs.
#[test]
fn killed_twenty_times_a_run_ends_like_one_never_killed() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "disks.toml", &box_of_disks(10, 10, STEPS, 3));
    let whole = home.path().join("whole");
    drystone(&words!["run", &scene, "-o", &whole, "--quiet"]).ends_with(0);
    let expected = frames(&whole);
    assert_eq!(expected.len(), STEPS / 3 + 1);
    let rounds = if std::env::var_os("DRYSTONE_SLOW").is_some() { 50 } else { 1 };
    let next = AtomicU64::new(0);
    // as many runs side by side as there are cores, each with dice of its own
    let one_after_the_other = || {
        loop {
            let round = next.fetch_add(1, Relaxed);
            if round >= rounds {
                return;
            }
            let broken = home.path().join(format!("broken {round}"));
            let mut dice = Dice(2024 + round);
            killed_again_and_again(&scene, &whole, &broken, &expected, &mut dice);
            std::fs::remove_dir_all(&broken).unwrap();
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(one_after_the_other))));
}

fn killed_again_and_again(scene: &Path, whole: &Path, broken: &Path, expected: &[Frame], dice: &mut Dice) {
    let mut most = 0;
    let mut landed = 0;
    for kill in 0..KILLS {
        let mut child = go_on(scene, broken);
        if kill % 4 != 3 {
            // somewhere in the steps; the share leaves steps for the kills to come
            let goal = steps_written(broken) + 1 + dice.roll(2 * STEPS / (3 * KILLS));
            wait_for_steps(&mut child, broken, goal);
        }
        // every fourth one right after its start, while it still opens its files
        std::thread::sleep(Duration::from_micros(dice.roll(30_000) as u64));
        child.kill().unwrap();
        landed += usize::from(child.wait().unwrap().code().is_none());
        if !broken.join("scene.toml").exists() {
            continue;
        }
        let held = frames(broken);
        // a resume drops the frame its checkpoint does not cover, and writes it again: at most one may be on
        // its way
        assert!(held.len() + 1 >= most, "kill {kill}: {} frames, {most} before", held.len());
        assert!(held == expected[..held.len()], "kill {kill}: a frame differs from that of the whole run");
        most = most.max(held.len());
    }
    assert!(landed > KILLS / 2, "only {landed} kills came before the end: the test proves little");
    assert!(most < expected.len(), "the run ended before the kills");

    drystone(&words!["resume", broken, "--quiet"]).ends_with(0);
    same_run(broken, whole);
    // resuming a run that has ended changes nothing
    drystone(&words!["resume", broken, "--quiet"]).ends_with(0);
    same_run(broken, whole);
}

#[cfg(unix)]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for asked in [words!["list"], words!["schema"], words!["--help"], words!["--version"]] {
        let told = answer(command(&asked).stdout(full()));
        // `output` takes standard output back unless it is told where it goes
        let status = command(&asked).stdout(full()).stderr(std::process::Stdio::piped()).spawn().unwrap();
        let ended = status.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(1), "{told:?}");
        assert!(String::from_utf8_lossy(&ended.stderr).contains("standard output"));
    }
}

#[cfg(unix)]
#[test]
fn pipes_in_a_run_folder_keep_nobody_waiting() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "scene.toml", &box_of_disks(3, 3, 5, 5));
    let run = home.path().join("run");
    drystone(&words!["run", scene, "-o", &run, "--quiet"]).ends_with(0);
    let refused = |pipe: &Path, asked: &[std::ffi::OsString]| {
        let _ = std::fs::remove_file(pipe);
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
        let told = drystone(asked).ends_with(2);
        assert!(told.err.contains("not a regular file"), "{}: {}", pipe.display(), told.err);
    };
    let pipe = home.path().join("pipe.hdf5");
    refused(&pipe, &words!["solve", &pipe]);
    refused(&run.join("summary.json"), &words!["info", &run]);
}

#[test]
fn names_from_strangers_reach_no_terminal_as_commands() {
    let home = tempfile::tempdir().unwrap();
    let told = drystone(&words!["run", home.path().join("\u{1b}[2Jno scene.toml")]).ends_with(2);
    assert!(told.err.contains("no scene.toml") && !told.err.contains('\u{1b}'), "{:?}", told.err);
}
