//! A run that was stopped and resumed ends with the same bits and the same files as one never stopped.

mod common;

use common::{PLANE, SPACE, resume, scene, start, state_hash};
use drystone_io::{Frame, IoError, RunFolder, RunWriter};
use std::fs;
use std::path::{Path, PathBuf};

fn frames(folder: &Path) -> Vec<Frame> {
    let run = RunFolder::open(folder).unwrap();
    (0..run.times().len()).map(|index| run.frame(index).unwrap()).collect()
}

fn tables(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder.join("probes")).unwrap();
    let read = |path: PathBuf| (path.file_name().unwrap().into(), fs::read_to_string(path).unwrap());
    let mut tables: Vec<_> = entries.map(|entry| read(entry.unwrap().path())).collect();
    tables.sort();
    tables
}

fn checkpoints(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> =
        fs::read_dir(folder.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Stops a run after `stop` steps, lets `harm` do its worst, resumes to 150 and compares with a run never stopped.
fn check(text: &str, stop: u64, harm: impl Fn(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let scene = scene(text);
    let (_, expected, expected_totals) = start(&whole, &scene, 150, false).unwrap();
    drop(start(&broken, &scene, stop, false).unwrap());
    harm(&broken);
    let (writer, simulation, totals) = resume(&broken, 150).unwrap();
    assert_eq!(state_hash(&simulation), state_hash(&expected));
    assert_eq!(totals, expected_totals);
    assert_eq!(writer.frames(), 16);
    assert_eq!(tables(&broken), tables(&whole));
    assert_eq!(frames(&broken), frames(&whole));
}

#[test]
fn stopped_at_an_output_or_between_two() {
    for text in [PLANE, SPACE] {
        for stop in [0, 7, 70, 75, 149] {
            check(text, stop, |_| {});
        }
    }
}

#[test]
fn killed_in_the_middle_of_a_checkpoint() {
    check(PLANE, 70, |folder| {
        let newest = checkpoints(folder).pop().unwrap();
        fs::rename(&newest, folder.join("checkpoints/writing.tmp")).unwrap();
    });
}

#[test]
fn damaged_newest_checkpoint_gives_way_to_the_one_before() {
    let cut = |folder: &Path| {
        let newest = checkpoints(folder).pop().unwrap();
        let bytes = fs::read(&newest).unwrap();
        fs::write(&newest, &bytes[..bytes.len() / 2]).unwrap();
    };
    check(PLANE, 73, cut);
    for place in [0, 30, 600, 2500] {
        check(SPACE, 73, |folder| {
            let newest = checkpoints(folder).pop().unwrap();
            let mut bytes = fs::read(&newest).unwrap();
            bytes[place] ^= 0x10;
            fs::write(&newest, bytes).unwrap();
        });
    }
}

#[test]
fn damaged_history_is_taken_from_its_spare_copy() {
    check(PLANE, 73, |folder| {
        fs::write(folder.join("bodies.vtkhdf"), "lost in a power cut").unwrap();
    });
}

#[test]
fn resumed_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let scene = scene(PLANE);
    drop(start(&whole, &scene, 150, false).unwrap());
    drop(start(&broken, &scene, 42, false).unwrap());
    drop(resume(&broken, 58).unwrap());
    drop(resume(&broken, 150).unwrap());
    assert_eq!(frames(&broken), frames(&whole));
    assert_eq!(tables(&broken), tables(&whole));
    assert_eq!(checkpoints(&broken).len(), 2);
}

#[test]
fn nothing_to_resume_from_is_said() {
    let folder = tempfile::tempdir().unwrap();
    drop(start(folder.path(), &scene(PLANE), 20, false).unwrap());
    for path in checkpoints(folder.path()) {
        fs::remove_file(path).unwrap();
    }
    let error = RunWriter::reopen(folder.path()).map(drop).unwrap_err();
    assert!(matches!(error, IoError::NoCheckpoint(_)) && error.is_bad_input(), "{error}");
}
