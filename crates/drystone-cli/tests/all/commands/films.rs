//! Films: their frames, their size, their times, and what happens where no encoder is at hand.

use crate::common::made::box_of_disks;
use crate::common::{Answer, answer, command, drystone, write_scene};
use crate::words;
use std::path::{Path, PathBuf};

fn film(run: &Path, output: &Path, more: &[&str]) -> Answer {
    answer(command(&words!["render", run, "--film", output]).args(more))
}

fn disks(home: &Path) -> PathBuf {
    let scene = write_scene(home, "scene.toml", &box_of_disks(5, 4, 60, 10));
    let folder = home.join("box");
    drystone(&words!["run", scene, "-o", &folder, "--quiet"]).ends_with(0);
    folder
}

/// Width, height and number of frames of a GIF, by its blocks; whether it repeats.
fn blocks(bytes: &[u8]) -> (usize, usize, usize, bool) {
    assert!(bytes.starts_with(b"GIF89a"));
    let number = |at: usize| usize::from(bytes[at]) | usize::from(bytes[at + 1]) << 8;
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let (mut at, mut frames, mut repeats) = (13 + table(bytes[10]), 0, false);
    let pass = |mut at: usize| {
        while bytes[at] != 0 {
            at += usize::from(bytes[at]) + 1;
        }
        at + 1
    };
    loop {
        match bytes[at] {
            0x21 => {
                repeats |= bytes[at..].starts_with(b"\x21\xff\x0bNETSCAPE2.0");
                at = pass(at + 2);
            }
            0x2c => {
                let [left, top, wide, high] = [1, 3, 5, 7].map(|k| number(at + k));
                assert!(left + wide <= number(6) && top + high <= number(8), "a frame leaves the sheet");
                frames += 1;
                at = pass(at + 10 + table(bytes[at + 9]) + 1);
            }
            0x3b => return (number(6), number(8), frames, repeats),
            other => panic!("block {other:x}"),
        }
    }
}

#[test]
fn a_film_has_the_frames_of_the_run_on_one_sheet() {
    let home = tempfile::tempdir().unwrap();
    let run = disks(home.path());
    let gif = home.path().join("box.gif");
    let told = film(&run, &gif, &["--width", "301"]).ends_with(0).out;
    let (width, height, frames, repeats) = blocks(&std::fs::read(&gif).unwrap());
    assert_eq!((width, frames, repeats), (302, 7, true), "{told}");
    assert!(
        height % 2 == 0 && told.contains(&format!("(7 of 7 frames, {width} x {height} pixels)")),
        "{told}"
    );
    film(&run, &gif, &["--width", "200", "--frames", "3", "--from", "0.01", "--show", "all"]).ends_with(0);
    assert_eq!(blocks(&std::fs::read(&gif).unwrap()).2, 3);
    // the same bytes every time
    let bytes = std::fs::read(&gif).unwrap();
    film(&run, &gif, &["--width", "200", "--frames", "3", "--from", "0.01", "--show", "all"]).ends_with(0);
    assert!(bytes == std::fs::read(&gif).unwrap());
    // in space as well
    let stack = home.path().join("stack");
    let scene = crate::common::root().join("scenes/stack.toml");
    drystone(&words!["run", scene, "-o", &stack, "--quiet", "--steps", "20"]).ends_with(0);
    film(&stack, &gif, &["--width", "200"]).ends_with(0);
    assert!(blocks(&std::fs::read(&gif).unwrap()).2 > 1);
    // a picture without a name has that of the folder
    let told =
        answer(command(&words!["render", &run, "--width", "200"]).current_dir(home.path())).ends_with(0).out;
    assert!(told.contains("box.png") && home.path().join("box.png").is_file());
}

#[test]
fn films_that_cannot_be_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let run = disks(home.path());
    let gif = home.path().join("box.gif");
    let refuse = |output: &Path, more: &[&str], expected: &str| {
        let refused = film(&run, output, more).ends_with(2).err;
        assert!(refused.contains(expected), "{refused}");
        assert!(!output.exists());
    };
    refuse(&home.path().join("box.avi"), &[], ".gif, .mp4 or .webm");
    refuse(&gif, &["--from", "7"], "go from 0 to 0.06 s");
    refuse(&gif, &["--fps", "0"], "--fps 0");
    refuse(&gif, &["--frames", "0"], "--frames 0");
    refuse(&gif, &["--width", "9000"], "pixels");
    refuse(&gif, &["--to", "nan"], "finite");
    film(&run, &home.path().join("no/such/box.gif"), &["--width", "200"]).ends_with(1);
    // without an encoder
    let mut command = command(&words!["render", &run, "--film", home.path().join("box.mp4")]);
    let refused = answer(command.env("PATH", home.path())).ends_with(2).err;
    assert!(refused.contains("need ffmpeg") && refused.contains(".gif"), "{refused}");
}

/// A stand-in for ffmpeg tells what it was given: the size, the rate, and as many bytes as that makes.
#[cfg(unix)]
#[test]
fn an_encoder_gets_every_pixel() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let run = disks(home.path());
    let stand_in = home.path().join("ffmpeg");
    let script = "#!/bin/sh\nfor last; do :; done\necho \"$@\" > \"$last\"\nwc -c >> \"$last\"\n";
    std::fs::write(&stand_in, script).unwrap();
    std::fs::set_permissions(&stand_in, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", home.path().display());
    for (end, codec) in [("mp4", "libx264"), ("webm", "libvpx-vp9")] {
        let output = home.path().join(format!("box.{end}"));
        let mut command =
            command(&words!["render", &run, "--film", &output, "--width", "201", "--fps", "12.5"]);
        let told = answer(command.env("PATH", &path)).ends_with(0).out;
        let text = std::fs::read_to_string(&output).unwrap();
        let (arguments, bytes) = text.split_once('\n').unwrap();
        let size = arguments.split(" -s ").nth(1).unwrap().split(' ').next().unwrap();
        let (width, height) = size.split_once('x').unwrap();
        let [width, height]: [u64; 2] = [width, height].map(|side| side.parse().unwrap());
        assert!(width == 202 && height % 2 == 0 && told.contains("7 of 7 frames"), "{told}");
        assert!(arguments.contains(codec) && arguments.contains("-r 12.5 "), "{arguments}");
        assert_eq!(bytes.trim().parse::<u64>().unwrap(), 7 * 4 * width * height);
    }
    // one that fails is told of
    std::fs::write(&stand_in, "#!/bin/sh\ncat > /dev/null\nexit 3\n").unwrap();
    let mut command =
        command(&words!["render", &run, "--film", home.path().join("bad.mp4"), "--width", "200"]);
    assert!(answer(command.env("PATH", &path)).ends_with(1).err.contains("ffmpeg ended with"));
}
