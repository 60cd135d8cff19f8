//! The bits of whole runs, as they were when these lines were written: on any number of threads, with the
//! widest instructions of the machine and with plain ones. A change of a hash is a change of results: the
//! commit says why.

use crate::common::{answer, command, root};
use crate::words;
use std::process::Command;

/// A scene, how many steps of it, and the hash of the state that they lead to.
const GOLDEN: [(&str, u32, &str); 18] = [
    ("arch.toml", 100, "d74280453fd435f6"),
    ("prisms.toml", 100, "0942fb0470c8c4f7"),
    ("column.toml", 60, "fd746dee3b4d7592"),
    ("stars.toml", 350, "e7da1e9e82181a86"),
    ("flakes.toml", 200, "5d88921b0938df3b"),
    ("drum.toml", 300, "b6defbc2105920fb"),
    ("cobbles.toml", 300, "35f10997fe0d27eb"),
    ("biaxial.toml", 20, "d263ec4e922db86a"),
    ("terrain.toml", 300, "e376a9731b5f15bb"),
    ("falling-disks.toml", 400, "db081208033db057"),
    ("ties/four-bar.toml", 200, "2405ef52bc234f6c"),
    ("ties/top.toml", 200, "f077c29ffc1454a7"),
    ("ties/catenary.toml", 200, "df2d40eb2e31be5f"),
    ("laws/cantilever.toml", 100, "434a240f7dbbbb0e"),
    ("laws/rolling.toml", 300, "a4dd9f3ff85d2a3f"),
    ("laws/pull-off.toml", 200, "b271a89a3cfe7ecf"),
    ("validation/wall.toml", 60, "ca15a24c61641e33"),
    ("validation/euler-disk.toml", 100, "3510fc9100414ae6"),
];

/// On what a run is made.
#[derive(Clone, Copy, Debug)]
enum Machine {
    This,
    /// With plain instructions only.
    Plain,
    /// This processor, emulated.
    Emulated(&'static str),
}

/// The hash that the command gives.
fn hash_of(scene: &str, steps: u32, threads: u32, machine: Machine) -> String {
    let home = tempfile::tempdir().unwrap();
    let (scene, folder) = (root().join("scenes").join(scene), home.path().join("run"));
    let counts = [steps, threads].map(|count| count.to_string());
    let arguments =
        words!["run", &scene, "-o", &folder, "--json", "--steps", &counts[0], "--threads", &counts[1]];
    let mut run = command(&arguments);
    match machine {
        Machine::This => {}
        Machine::Plain => {
            run.env("DRYSTONE_INSTRUCTIONS", "plain");
        }
        Machine::Emulated(processor) => {
            run = Command::new("qemu-x86_64");
            run.args(["-cpu", processor, env!("CARGO_BIN_EXE_drystone")]).args(&arguments);
        }
    }
    let summary = answer(&mut run).json();
    assert_eq!(summary["steps"], steps, "{}", scene.display());
    summary["state_hash"].as_str().unwrap().to_owned()
}

#[track_caller]
fn all_are_golden(threads: u32, machine: Machine) {
    let found =
        GOLDEN.map(|(scene, steps, expected)| (scene, hash_of(scene, steps, threads, machine), expected));
    let wrong = found.iter().filter(|(_, found, expected)| found != expected);
    let wrong: Vec<String> = wrong.map(|(scene, found, _)| format!("{scene}: {found}")).collect();
    assert!(wrong.is_empty(), "{threads} threads, {machine:?}:\n{}", wrong.join("\n"));
}

#[test]
fn runs_give_the_bits_they_gave() {
    all_are_golden(1, Machine::This);
    all_are_golden(2, Machine::Plain);
    all_are_golden(8, Machine::This);
}

/// Old processors have other instructions, and the system's library chooses other functions for them. Needs
/// `qemu-user` of Debian and minutes.
#[test]
fn old_processors_give_the_same_bits() {
    if std::env::var_os("DRYSTONE_SLOW").is_some() && cfg!(target_arch = "x86_64") {
        all_are_golden(1, Machine::Emulated("Westmere"));
        all_are_golden(1, Machine::Emulated("Haswell"));
    }
}
