//! Damaged scene files are refused with their place or run; nothing panics. Takes the real files and changes
//! bytes, so that broken encodings and half files come up too.

use crate::common::{Dice, answer, command, files_below, root};
use crate::words;
use drystone_scene::Scene;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// One change of some bytes.
fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    const SCRAPS: [&[u8]; 14] = [
        b"nan",
        b"-inf",
        b"1e308",
        b"-1",
        b"0",
        b"\xff\xfe",
        b"[[body]]",
        b"\"",
        b"]",
        b"{",
        b"\0",
        b"true",
        b"1e-300",
        "\u{202e}é".as_bytes(),
    ];
    let at = dice.roll(bytes.len());
    match dice.roll(6) {
        0 => bytes.truncate(at),
        1 => bytes[at] = dice.roll(256) as u8,
        2 => bytes[at] ^= 1 << dice.roll(8),
        3 => {
            let to = (at + 1 + dice.roll(30)).min(bytes.len());
            bytes.drain(at..to);
        }
        4 => {
            let to = (at + 1 + dice.roll(200)).min(bytes.len());
            let piece = bytes[at..to].to_vec();
            let place = dice.roll(bytes.len());
            bytes.splice(place..place, piece);
        }
        _ => {
            // a number in place of a number, or anything anywhere
            let scrap = SCRAPS[dice.roll(SCRAPS.len())];
            let digits =
                bytes[at..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
            bytes.splice(at..at + digits, scrap.iter().copied());
        }
    }
    if bytes.is_empty() {
        bytes.push(b'\n');
    }
}

/// The real scene files, and those in which every key appears.
fn originals() -> Vec<Vec<u8>> {
    let mut files = files_below(&root().join("scenes"), ".toml");
    files.extend(files_below(&root().join("crates/drystone-scene/tests"), ".toml"));
    assert!(files.len() > 15);
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// Writes `count` damaged files one after the other to `path`, and hands each over.
fn for_each_damaged(path: &Path, seed: u64, count: usize, mut look: impl FnMut(&[u8])) {
    let originals = originals();
    // what scenes refer to lies beside them
    for beside in files_below(&root().join("scenes"), ".asc") {
        std::fs::copy(&beside, path.with_file_name(beside.file_name().unwrap())).unwrap();
    }
    let mut dice = Dice(seed);
    for round in 0..count {
        let mut bytes = originals[round % originals.len()].clone();
        for _ in 0..1 + dice.roll(3) {
            damage(&mut bytes, &mut dice);
        }
        std::fs::write(path, &bytes).unwrap();
        look(&bytes);
    }
}

#[test]
fn damaged_files_are_refused_with_their_place_or_built() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("damaged.toml");
    let (mut refused, mut built) = (0, 0);
    for_each_damaged(&path, 17, 1500, |bytes| {
        let text = || String::from_utf8_lossy(bytes).into_owned();
        let outcome =
            catch_unwind(AssertUnwindSafe(|| Scene::from_file(&path).and_then(|scene| scene.build())));
        match outcome.unwrap_or_else(|_| panic!("a panic on:\n{}", text())) {
            Ok(_) => built += 1,
            Err(error) => {
                refused += 1;
                let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
                assert!(error.line.is_some_and(|line| (1..=lines).contains(&line)), "{error}\n{}", text());
                assert!(error.to_string().contains("damaged.toml:"), "{error}");
            }
        }
    });
    assert!(refused > 300 && built > 50, "{refused} refused, {built} built: the test proves little");
}

#[test]
fn the_command_survives_damaged_files() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("damaged.toml");
    let folder = home.path().join("run");
    let mut codes = std::collections::BTreeMap::new();
    for_each_damaged(&path, 71, 30, |bytes| {
        let verdict = Scene::from_file(&path).and_then(|scene| scene.build());
        for verb in ["check", "run"] {
            let mut command = command(&words![verb, &path]);
            if verb == "run" {
                command.args(words!["-o", &folder, "--force", "--steps", "2", "--quiet"]);
            }
            let told = answer(&mut command);
            *codes.entry((verb, told.code)).or_insert(0) += 1;
            let text = String::from_utf8_lossy(bytes);
            match &verdict {
                Err(_) => {
                    assert_eq!(told.code, 2, "{}\n{text}", told.err);
                    assert!(told.err.contains("damaged.toml:"), "{}", told.err);
                    assert!(!folder.join("summary.json").exists() || verb == "check");
                }
                // a number may be absurd and still allowed: the run may fail, but it must say so
                Ok(_) => assert!(matches!(told.code, 0 | 1 | 3), "{}: {}\n{text}", told.code, told.err),
            }
        }
        let _ = std::fs::remove_dir_all(&folder);
    });
    assert!(codes.contains_key(&("run", 2)) && codes.contains_key(&("run", 0)), "{codes:?}");
}
