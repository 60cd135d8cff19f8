//! A run that was stopped and resumed ends with the same bits and the same files as one never stopped.

mod common;

use common::{PLANE, SPACE, resume, scene, start, state_hash};
use drystone::AnySimulation;
use drystone::prelude::{Axis, Body, ChangeError};
use drystone_io::{Frame, IoError, RunFolder, RunSink, RunWriter, Totals};
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

/// Stops a run after `stop` steps, lets `harm` do its worst, resumes to 150 and compares with a run never
/// stopped.
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

/// A program that changes a run: every fifth step a disk and a triangle come, every tenth one of the bodies
/// goes; a slot counts the steps and pushes a body.
fn program(sim: &mut AnySimulation) {
    let slot = sim.slot(0.0).unwrap();
    sim.load("a", Axis::X, slot).unwrap();
    sim.before_step(move |s| -> Result<(), ChangeError> {
        s.set_slot(slot, s.slot_value(slot)? + 1.0)?;
        let (step, x) = (s.steps_done(), 0.01 * (s.steps_done() % 40) as f64);
        if step % 5 == 0 {
            s.add(Body::disk(0.03).density(1000.0).at([x, 0.6]).velocity([0.0, -3.0]))?;
            let triangle = Body::polygon(&[[0.0, 0.0], [0.07, 0.0], [0.02, 0.06]]).density(800.0);
            s.add(triangle.at([x - 0.5, 0.3]).angle(0.1 * step as f64).velocity([0.0, -2.0]))?;
        }
        if step % 10 == 9 {
            let oldest = s.bodies()[if step == 49 { 3 } else { s.bodies().len() / 2 }];
            s.remove(&[oldest])?;
        }
        Ok(())
    });
}

#[test]
fn bodies_that_come_and_go_are_in_frames_and_checkpoints() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let scene = scene(PLANE);
    let run = |path: &Path, until: f64| {
        let mut sim = scene.build().unwrap();
        let mut sink = RunSink::create(path, &scene, &sim, false).unwrap();
        program(&mut sim);
        sim.run_into(until, 0.01, &mut sink).unwrap();
        sim
    };
    let expected = run(&whole, 0.15);
    drop(run(&broken, 0.07));
    let (mut sink, mut resumed) = RunSink::resume(&broken).unwrap();
    assert_eq!(resumed.steps_done(), 70);
    program(&mut resumed);
    resumed.run_into(0.15, 0.01, &mut sink).unwrap();
    assert_eq!(resumed.state_hash(), expected.state_hash());
    assert_eq!(resumed.bodies(), expected.bodies());
    assert_eq!(resumed.contacts(), expected.contacts());
    assert_eq!(frames(&broken), frames(&whole));
    let counts: Vec<usize> = frames(&whole).iter().map(|frame| frame.bodies.len()).collect();
    assert_eq!(counts[..3], [4, 7, 10]);
    assert_eq!(*counts.last().unwrap(), expected.bodies().len());
    // the probe of a body that is gone ends, with the heading and the start before the steps
    let lines = |path: &Path, name: &str| -> usize {
        tables(path)
            .iter()
            .filter(|(file, _)| file.starts_with(name))
            .map(|(_, text)| text.lines().count())
            .sum()
    };
    for path in [&broken, &whole] {
        assert_eq!(lines(path, "steps.csv"), 151);
        assert_eq!(lines(path, "a.csv"), 152);
    }
    let short = |path: &Path| tables(path).iter().filter(|(_, text)| text.lines().count() == 51).count();
    assert_eq!((short(&broken), short(&whole)), (1, 1));
}

#[test]
fn histories_of_the_same_bodies_take_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(PLANE);
    let mut sim = scene.build().unwrap();
    let AnySimulation::Plane(plane) = &sim else { panic!("in the plane") };
    let mut writer = RunWriter::create(folder.path().join("run"), &scene, plane, false).unwrap();
    writer.write_frame(plane).unwrap();
    sim.add(Body::disk(0.03).density(1000.0).at([0.0, 0.6])).unwrap();
    let AnySimulation::Plane(plane) = &sim else { panic!("in the plane") };
    let error = writer.write_frame(plane).unwrap_err();
    assert!(matches!(error, IoError::OtherBodies { .. }), "{error}");
    // a checkpoint holds what it can, and refuses the rest
    writer.checkpoint(&plane.snapshot(), &Totals::default()).unwrap();
    let bent = Body::any_polygon(&[[0.0, 0.0], [0.2, 0.0], [0.2, 0.1], [0.1, 0.1], [0.1, 0.2], [0.0, 0.2]]);
    sim.add(bent.density(1000.0).at([1.0, 0.6])).unwrap();
    let AnySimulation::Plane(plane) = &sim else { panic!("in the plane") };
    let error = writer.checkpoint(&plane.snapshot(), &Totals::default()).unwrap_err();
    assert!(error.to_string().contains("cut into pieces"), "{error}");
}
