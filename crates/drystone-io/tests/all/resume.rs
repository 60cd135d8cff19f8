//! A run that was stopped and resumed ends with the same bits and the same files as one never stopped.

use crate::common::{PLANE, SPACE, TIED, makes, program, resume, scene, start, state_hash};
use drystone::AnySimulation;
use drystone::prelude::Body;
use drystone_io::{Frame, IoError, RunFolder, RunSink, RunWriter};
use rust_hdf5::H5File;
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
    for part in [0.0, 0.02, 0.5, 0.99] {
        check(SPACE, 73, |folder| {
            let newest = checkpoints(folder).pop().unwrap();
            let mut bytes = fs::read(&newest).unwrap();
            let place = (part * bytes.len() as f64) as usize;
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
}

#[test]
fn newcomers_of_any_make_are_in_checkpoints_and_histories() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let scene = scene(TIED);
    let run = |path: &Path, until: f64| {
        let mut sim = scene.build().unwrap();
        let mut sink = RunSink::create(path, &scene, &sim, false).unwrap();
        makes(&mut sim);
        sim.run_into(until, 0.01, &mut sink).unwrap();
        sim
    };
    let expected = run(&whole, 0.12);
    // between two frames: the checkpoint is of that step, its frame is not counted
    drop(run(&broken, 0.055));
    assert_eq!(frames(&broken).len(), 7);
    let (mut sink, mut resumed) = RunSink::resume(&broken).unwrap();
    assert_eq!(resumed.steps_done(), 55);
    makes(&mut resumed);
    resumed.run_into(0.12, 0.01, &mut sink).unwrap();
    assert_eq!(resumed.state_hash(), expected.state_hash());
    assert_eq!(resumed.contacts(), expected.contacts());
    assert_eq!(frames(&broken), frames(&whole));
    let ties: Vec<Vec<u32>> =
        frames(&whole).iter().map(|frame| frame.ties.iter().map(|tie| tie.tie).collect()).collect();
    assert_eq!((&ties[4], &ties[5]), (&vec![0, 1], &vec![1]));
    // surfaces: each frame has corners and triangles of its own
    let column = |path: &Path, name: &str| -> Vec<i64> {
        let file = H5File::open(path.join("surfaces.vtkhdf")).unwrap();
        file.dataset(&format!("VTKHDF/{name}")).unwrap().read_raw().unwrap()
    };
    for name in ["Polygons/Connectivity", "Polygons/NumberOfCells", "Lines/Connectivity", "NumberOfPoints"] {
        assert_eq!(column(&broken, name), column(&whole, name), "{name}");
    }
    let (cells, points) = (column(&whole, "Polygons/NumberOfCells"), column(&whole, "NumberOfPoints"));
    // three disks of 32 corners, and the line of the floor
    assert_eq!((cells[0], points[0]), (3 * 30, 3 * 32 + 2));
    assert!(cells[1] > cells[0] && cells[3] > cells[2] && cells[5] == cells[4] - 30, "{cells:?}");
    let connectivity = column(&whole, "Polygons/Connectivity");
    let mut corners = connectivity.iter();
    for (&cells, &points) in cells.iter().zip(&points) {
        assert!(corners.by_ref().take(3 * cells as usize).all(|&corner| (0..points).contains(&corner)));
    }
    assert_eq!(corners.next(), None);
}

#[test]
fn checkpoints_of_another_version_are_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    drop(start(folder.path(), &scene(PLANE), 20, false).unwrap());
    for path in checkpoints(folder.path()) {
        fs::remove_file(path).unwrap();
    }
    let mut old = b"drystone checkpoint v5\n\0".to_vec();
    old.resize(2048, 7);
    fs::write(folder.path().join("checkpoints/step-000000000020.h5"), old).unwrap();
    let error = RunWriter::reopen(folder.path()).map(drop).unwrap_err();
    assert!(matches!(error, IoError::OtherVersion { .. }) && error.is_bad_input(), "{error}");
    let words = error.to_string();
    assert!(words.contains("format 5") && words.contains("step-000000000020.h5"), "{words}");
}

/// Every file of a folder with its bytes.
fn contents(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            found.push((path, bytes));
        }
    }
    found.sort();
    found
}

/// What damages a folder.
type Spoil = fn(&Path);

#[test]
fn a_refused_resume_changes_nothing() {
    let spoil: [(&str, Spoil); 3] = [
        ("a table cut short", |folder| fs::write(folder.join("probes/steps.csv"), "step\n").unwrap()),
        ("no history", |folder| fs::remove_file(folder.join("contacts.vtkhdf")).unwrap()),
        ("no good checkpoint", |folder| {
            checkpoints(folder).iter().for_each(|path| fs::write(path, "nothing").unwrap());
        }),
    ];
    for (what, spoil) in spoil {
        let folder = tempfile::tempdir().unwrap();
        drop(start(folder.path(), &scene(PLANE), 40, false).unwrap());
        fs::write(folder.path().join("summary.json"), "{}").unwrap();
        let _ = fs::remove_dir_all(folder.path().join("spare"));
        spoil(folder.path());
        let before = contents(folder.path());
        let error = RunWriter::reopen(folder.path()).map(drop).unwrap_err();
        assert!(error.is_bad_input(), "{what}: {error}");
        assert!(contents(folder.path()) == before, "{what}: something was changed");
        assert!(!folder.path().join("spare").exists(), "{what}");
    }
}

#[test]
fn damaged_surfaces_are_made_anew_from_the_bodies() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let scene = scene(PLANE);
    drop(start(&whole, &scene, 100, false).unwrap());
    drop(start(&broken, &scene, 60, false).unwrap());
    let path = broken.join("surfaces.vtkhdf");
    fs::write(&path, "lost").unwrap();
    let _ = fs::remove_dir_all(broken.join("spare"));
    drop(resume(&broken, 100).unwrap());
    assert_eq!(fs::read(broken.join("surfaces.vtkhdf.damaged")).unwrap(), b"lost");
    let numbers = |folder: &Path, name: &str| -> Vec<f32> {
        let file = H5File::open(folder.join("surfaces.vtkhdf")).unwrap();
        file.dataset(&format!("VTKHDF/{name}")).unwrap().read_raw().unwrap()
    };
    for name in ["Points", "PointData/velocity"] {
        let (ours, theirs) = (numbers(&broken, name), numbers(&whole, name));
        assert!(ours.len() == theirs.len() && ours.iter().any(|&x| x != 0.0), "{name}");
        assert!(ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() < 1e-6), "{name}");
    }
    assert_eq!(frames(&broken), frames(&whole));
}

#[test]
fn force_deletes_only_what_a_run_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    drop(start(&run, &scene(PLANE), 20, false).unwrap());
    let notes = ["notes.txt", "probes/notes.txt", "checkpoints/notes.txt"].map(|name| run.join(name));
    notes.iter().for_each(|path| fs::write(path, "mine").unwrap());
    drop(start(&run, &scene(PLANE), 10, true).unwrap());
    assert!(notes.iter().all(|path| fs::read(path).unwrap() == b"mine"));
    assert!(checkpoints(&run).iter().all(|path| !path.to_string_lossy().contains("000000000020")));
}

#[cfg(unix)]
#[test]
fn a_lock_that_is_a_link_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    drop(start(&run, &scene(PLANE), 20, false).unwrap());
    let precious = folder.path().join("precious");
    fs::write(&precious, "mine").unwrap();
    fs::remove_file(run.join("run.lock")).unwrap();
    std::os::unix::fs::symlink(&precious, run.join("run.lock")).unwrap();
    let error = RunWriter::reopen(&run).map(drop).unwrap_err();
    assert!(error.is_bad_input() && error.to_string().contains("link"), "{error}");
    assert!(start(&run, &scene(PLANE), 10, true).is_err());
    assert_eq!(fs::read(&precious).unwrap(), b"mine");
}

#[path = "../../../../fuzz/src/folders.rs"]
mod targets;

/// Bytes with a few changes.
fn spoiled(bytes: &[u8], state: &mut u64) -> Vec<u8> {
    let mut roll = |sides: usize| {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 33) as usize % sides.max(1)
    };
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + roll(4) {
        let at = roll(bytes.len());
        match roll(4) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][roll(5)],
            2 => bytes[at] ^= 1 << roll(8),
            _ => drop(bytes.drain(at..(at + 1 + roll(8)).min(bytes.len()))),
        }
        bytes.push(0);
    }
    bytes
}

#[test]
fn spoiled_checkpoints_are_refused_or_read() {
    let folder = tempfile::tempdir().unwrap();
    drop(start(folder.path(), &scene(SPACE), 20, false).unwrap());
    let whole = fs::read(checkpoints(folder.path()).pop().unwrap()).unwrap();
    // name, version and checksum come first
    let rest = &whole[whole.iter().position(|&byte| byte == 0).unwrap() + 9..];
    assert!(targets::checkpoint(rest));
    let (mut state, mut refused) = (5, 0);
    for _ in 0..3000 {
        refused += usize::from(!targets::checkpoint(&spoiled(rest, &mut state)));
    }
    assert!(refused > 300, "{refused}");
}

#[test]
fn spoiled_problems_are_refused_or_read() {
    use drystone_problem::{Blocks, Problem, Set};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("problem.hdf5");
    let rows =
        drystone_math::BlockRows::from_triplets(1, vec![(0, 0, drystone_math::Matrix::<3, 3>::identity())]);
    let u_free = vec![drystone_math::Vector::<3>::new(-1.0, 0.0, 0.0)];
    let problem = Problem { w: Blocks::new(rows), u_free, sets: vec![Set::Coulomb { mu: 0.5 }] };
    let info = drystone_io::Info::new("one contact", "made by a test");
    drystone_io::write_problem(&file, &problem, &info, None, None).unwrap();
    let whole = fs::read(&file).unwrap();
    assert!(targets::problem(&whole, &file));
    let (mut state, mut refused) = (7, 0);
    for _ in 0..400 {
        refused += usize::from(!targets::problem(&spoiled(&whole, &mut state), &file));
    }
    assert!(refused > 40, "{refused}");
}
