//! What the tests of the command share: starting it, reading its answers, the files of the project. Judges
//! nothing.

pub mod calls;
pub mod made;
pub mod masonry;
pub mod sources;
pub mod stepping;

use drystone_io::{Frame, RunFolder};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How a command ended and what it said.
#[derive(Debug)]
pub struct Answer {
    /// Exit code; -1 if a signal ended it.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Answer {
    /// The JSON object on the last line of standard output.
    pub fn json(&self) -> Value {
        let last = self.out.lines().last().unwrap_or("");
        serde_json::from_str(last).unwrap_or_else(|error| panic!("{error} in the last line of {self:?}"))
    }

    /// Checks the exit code.
    #[track_caller]
    pub fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        self
    }
}

/// The command, with arguments.
pub fn command<A: AsRef<OsStr>>(arguments: &[A]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_drystone"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the command to its end.
pub fn drystone<A: AsRef<OsStr>>(arguments: &[A]) -> Answer {
    answer(&mut command(arguments))
}

/// Runs a prepared command to its end.
pub fn answer(command: &mut Command) -> Answer {
    let output = command.output().unwrap();
    Answer {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Starts the command and leaves it alone, its words thrown away.
pub fn spawn<A: AsRef<OsStr>>(arguments: &[A]) -> Child {
    command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Arguments of different types as the strings they are.
#[macro_export]
macro_rules! words {
    ($($word:expr),* $(,)?) => { [$(std::ffi::OsString::from($word)),*] };
}

/// Waits until the table of all steps of a run has `steps` lines, or the process has ended. Gives whether it
/// has them.
pub fn wait_for_steps(child: &mut Child, folder: &Path, steps: usize) -> bool {
    loop {
        let ended = child.try_wait().unwrap().is_some();
        if steps_written(folder) >= steps {
            return true;
        }
        if ended {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Lines of the table of all steps, without its header.
pub fn steps_written(folder: &Path) -> usize {
    let text = std::fs::read(folder.join("probes/steps.csv")).unwrap_or_default();
    text.iter().filter(|&&byte| byte == b'\n').count().saturating_sub(1)
}

/// Writes a scene file and gives its path.
pub fn write_scene(home: &Path, name: &str, text: &str) -> PathBuf {
    let path = home.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Every frame of a run folder.
pub fn frames(folder: &Path) -> Vec<Frame> {
    let run = RunFolder::open(folder).unwrap_or_else(|error| panic!("{error}"));
    (0..run.times().len()).map(|index| run.frame(index).unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// Two folders tell the same story to the bit.
#[track_caller]
pub fn same_run(one: &Path, other: &Path) {
    assert_eq!(summary(one)["state_hash"], summary(other)["state_hash"]);
    for key in ["contacts_mean", "iterations_total", "residual_max", "penetration_max", "energy"] {
        assert_eq!(summary(one)[key], summary(other)[key], "{key}");
    }
    for table in ["probes/steps.csv", "probes/first.csv"] {
        assert!(read(&one.join(table)) == read(&other.join(table)), "{table} differs");
    }
    assert!(frames(one) == frames(other), "frames differ");
}

/// The summary a run left in its folder.
pub fn summary(folder: &Path) -> Value {
    serde_json::from_str(&read(&folder.join("summary.json"))).unwrap()
}

/// A text file.
#[track_caller]
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// What cargo says of the packages of the workspace.
pub fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// All files below a folder whose names end so, in order; none if the folder is not there.
pub fn files_below(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path, end));
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A small generator (SplitMix64), so that every run of a test draws the same numbers.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % sides.max(1) as u64) as usize
    }

    /// A number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        self.roll(1 << 24) as f64 / (1 << 24) as f64
    }
}
