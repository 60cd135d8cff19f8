//! Killed at any moment, a run folder stays readable, loses no output, and goes on to the same end.
//!
//! The process that is killed is this test program itself, started again to run only `writer_process`.

use crate::common::{PLANE, resume, scene, start, state_hash};
use drystone_io::{Frame, RunFolder};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const FOLDER: &str = "DRYSTONE_IO_TEST_FOLDER";
const STEPS: u64 = 4_000;
const KILLS: u32 = 20;

/// Starts or resumes the run named by the environment and brings it to its end; a part of the test below,
/// which starts it as a process of its own, and nothing by itself.
#[test]
fn writer_process() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let folder = Path::new(&folder);
    let stopped_before_first_checkpoint =
        || std::fs::read_dir(folder.join("checkpoints")).is_ok_and(|mut entries| entries.next().is_none());
    let done = if !folder.join("scene.toml").exists() || stopped_before_first_checkpoint() {
        start(folder, &scene(PLANE), STEPS, true)
    } else {
        resume(folder, STEPS)
    };
    let (writer, simulation, _) = done.unwrap();
    writer.finish(&serde_json::json!({ "hash": format!("{:x}", state_hash(&simulation)) })).unwrap();
}

fn frames(folder: &Path) -> Vec<Frame> {
    match RunFolder::open(folder) {
        Ok(run) => (0..run.times().len()).map(|index| run.frame(index).unwrap()).collect(),
        Err(error) => panic!("unreadable after a kill: {error}"),
    }
}

fn spawn(folder: &Path) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::writer_process"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn killed_at_random_moments() {
    let home = tempfile::tempdir().unwrap();
    let (whole, broken) = (home.path().join("whole"), home.path().join("broken"));
    assert!(spawn(&whole).wait().unwrap().success());
    let expected = frames(&whole);
    assert_eq!(expected.len() as u64, STEPS / 10 + 1);

    let mut seed = 88172645463325252u64;
    let mut known = 0;
    let mut landed = 0;
    for _ in 0..KILLS {
        // xorshift: moments spread over the life of a process that writes some frames
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let mut child = spawn(&broken);
        std::thread::sleep(Duration::from_micros(20_000 + seed % 150_000));
        child.kill().unwrap();
        landed += u32::from(!child.wait().unwrap().success());
        if !broken.join("scene.toml").exists() {
            continue;
        }
        let held = frames(&broken);
        // a resume drops what its checkpoint does not cover: at most one frame, and it is written again
        assert!(held.len() + 1 >= known, "{} frames after a kill, {known} before", held.len());
        assert_eq!(held, expected[..held.len()]);
        known = known.max(held.len());
    }
    assert!(landed > 0, "no process was killed before its end: the test proves nothing");
    assert!(spawn(&broken).wait().unwrap().success());
    assert_eq!(frames(&broken), expected);
    for table in ["steps.csv", "a.csv", "turning c.csv"] {
        let read = |folder: &Path| std::fs::read(folder.join("probes").join(table)).unwrap();
        assert!(read(&broken) == read(&whole), "{table} differs");
    }
    let end = |folder: &Path| RunFolder::open(folder).unwrap().summary().unwrap();
    assert_eq!(end(&broken), end(&whole));
    if let Ok(keep) = std::env::var("DRYSTONE_IO_TEST_KEEP") {
        std::fs::rename(&broken, Path::new(&keep).join("broken")).unwrap();
        std::fs::rename(&whole, Path::new(&keep).join("whole")).unwrap();
    }
}
