//! Reports, overviews and what the terminal shows: completions, manual pages, colours, the progress bar.

use crate::common::made::box_of_disks;
use crate::common::{
    answer, command, drystone, read, spawn, steps_written, summary, wait_for_steps, write_scene,
};
use crate::words;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A run of a few disks in a box.
fn disks(home: &Path, name: &str, title: &str, steps: usize) -> PathBuf {
    let text = format!("title = {title:?}\n") + &box_of_disks(6, 5, steps, 20);
    let scene = write_scene(home, "scene.toml", &text);
    let folder = home.join(name);
    drystone(&words!["run", scene, "-o", &folder, "--quiet"]).ends_with(0);
    folder
}

#[test]
fn a_report_holds_everything_and_loads_nothing() {
    let home = tempfile::tempdir().unwrap();
    let run = disks(home.path(), "run", "Disks <script>alert(1)</script>", 200);
    let path = home.path().join("report.html");
    drystone(&words!["report", &run, "-o", &path]).ends_with(0);
    let text = read(&path);
    let told = summary(&run);
    assert!(text.starts_with("<!doctype html>") && text.trim_end().ends_with("</html>"));
    // what a stranger called the scene is text, and nothing comes from elsewhere or runs
    assert!(text.contains("Disks &lt;script&gt;") && !text.contains("<script"));
    let outside = text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "");
    assert!(!outside.contains("http") && text.contains("default-src 'none'"));
    for heading in [
        "Outcome and gauges",
        "Pictures",
        "Energy audit",
        "Convergence",
        "Contacts of the last frame",
        "Probes and measures",
        "Scene",
    ] {
        assert!(text.contains(&format!(">{heading}</h2>")), "{heading}");
    }
    let friction = told["energy"]["dissipated_friction"].as_f64().unwrap();
    let audit = text.split("dissipated by friction</td><td class=\"n\">").nth(1).unwrap();
    let shown: f64 = audit.split('<').next().unwrap().parse().unwrap();
    assert!((shown - friction).abs() < 1e-4 * friction, "{shown} {friction}");
    assert!(text.contains(told["state_hash"].as_str().unwrap()));
    assert_eq!(text.matches("data:image/png;base64,iVBORw0KGgo").count(), 2, "two pictures");
    assert!(text.matches("<svg").count() >= 7, "{}", text.matches("<svg").count());
    // the contact that bears most stands first in its table
    let contacts =
        drystone(&words!["measure", &run, "forces.largest", "--frame", "-1", "--json"]).ends_with(0).json();
    let largest = contacts["measures"][0]["over_time"]["largest"]["last"].as_f64().unwrap();
    let table = text.split("bear most").nth(1).unwrap();
    let first = table.split("<td class=\"n\">").nth(1).unwrap().split('<').next().unwrap();
    assert!((first.parse::<f64>().unwrap() - largest).abs() < 1e-3 * largest, "{first} {largest}");
    // a run without an end has a report, too
    std::fs::remove_file(run.join("summary.json")).unwrap();
    drystone(&words!["report", &run, "-o", &path]).ends_with(0);
    assert!(read(&path).contains("interrupted"));
    drystone(&words!["report", home.path().join("nowhere"), "-o", &path]).ends_with(2);
    drystone(&words!["report", &run, "-o", home.path().join("no/such/report.html")]).ends_with(1);
}

#[test]
fn runs_shows_all_runs_of_a_folder() {
    let home = tempfile::tempdir().unwrap();
    let runs = home.path().join("runs");
    std::fs::create_dir(&runs).unwrap();
    disks(home.path(), "runs/whole", "", 40);
    let cut = disks(home.path(), "runs/sweep/cut", "", 40);
    std::fs::remove_file(cut.join("summary.json")).unwrap();
    let odd = disks(home.path(), "runs/odd", "", 20);
    std::fs::write(odd.join("scene.toml"), "nonsense").unwrap();
    std::fs::create_dir_all(runs.join("notes")).unwrap();
    let list = answer(command(&["runs", "--json"]).current_dir(home.path())).ends_with(0).json();
    let named =
        |name: &str| list["runs"].as_array().unwrap().iter().find(|run| run["name"] == name).unwrap().clone();
    assert_eq!(list["runs"].as_array().unwrap().len(), 3);
    let whole = named("whole");
    let told = summary(&runs.join("whole"));
    assert_eq!((&whole["outcome"], &whole["answer"]), (&told["outcome"], &told["answer"]["word"]));
    assert_eq!((&whole["time"], &whole["bodies"]), (&told["time"], &told["bodies"]));
    assert_eq!((&whole["residual"], &whole["seconds"]), (&told["residual_max"], &told["seconds"]["total"]));
    let interrupted = named("sweep/cut");
    assert_eq!((&interrupted["outcome"], &interrupted["time"]), (&"interrupted".into(), &0.04.into()));
    assert_eq!(interrupted["contacts"], whole["contacts"]);
    let damaged = named("odd");
    assert!(damaged["outcome"] == "damaged" && damaged["reason"].as_str().unwrap().contains("scene.toml"));
    let words = drystone(&words!["runs", &runs]).ends_with(0).out;
    let line = words.lines().find(|line| line.starts_with("whole")).unwrap();
    assert!(words.starts_with("run ") && line.contains("completed") && line.contains("0.04"), "{words}");
    // one of them alone, and none
    assert_eq!(
        drystone(&words!["runs", &cut, "--json"]).ends_with(0).json()["runs"].as_array().unwrap().len(),
        1
    );
    assert!(drystone(&words!["runs", runs.join("notes")]).ends_with(0).err.contains("no run folder"));
    drystone(&words!["runs", home.path().join("nowhere")]).ends_with(2);
}

#[test]
fn shells_and_man_know_every_command() {
    let help = drystone(&["--help"]).ends_with(0).out;
    let listed = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let commands: Vec<&str> =
        listed.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let commands: Vec<&str> =
        commands.into_iter().filter(|name| !name.is_empty() && *name != "help").collect();
    assert!(commands.len() > 20 && commands.contains(&"plot"), "{commands:?}");
    for shell in ["bash", "zsh", "fish"] {
        let text = drystone(&["completions", shell]).ends_with(0).out;
        assert!(commands.iter().all(|name| text.contains(name)), "{shell}");
        assert!(text.contains("histogram"), "{shell}");
    }
    drystone(&["completions", "cmd"]).ends_with(2);
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("man/man1");
    drystone(&words!["man", &folder]).ends_with(0);
    for name in &commands {
        let page = read(&folder.join(format!("drystone-{name}.1")));
        assert!(page.contains(".SH NAME") && page.contains(".SH OPTIONS"), "{name}");
    }
    assert!(drystone(&["man"]).ends_with(0).out.contains("Exit codes"));
    std::fs::write(home.path().join("file"), "").unwrap();
    drystone(&words!["man", home.path().join("file/man1")]).ends_with(1);
}

/// Bash takes its completions: the word that begins so is offered.
#[test]
fn bash_completes_a_command() {
    let home = tempfile::tempdir().unwrap();
    let script = home.path().join("drystone.bash");
    std::fs::write(&script, drystone(&["completions", "bash"]).ends_with(0).out).unwrap();
    let line = format!(
        "source '{}'; COMP_WORDS=(drystone rend); COMP_CWORD=1; _drystone drystone rend drystone; echo \"${{COMPREPLY[@]}}\"",
        script.display()
    );
    let Ok(output) = Command::new("bash").args(["--norc", "-c", &line]).output() else {
        eprintln!("no bash here: nothing was completed");
        return;
    };
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "render", "{output:?}");
}

#[test]
fn errors_have_the_colours_of_clap_where_they_are_wanted() {
    let ask = |words: &[&str], variables: &[(&str, &str)]| {
        let mut command = command(words);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
        answer(&mut command).ends_with(2).err
    };
    let forced = [("CLICOLOR_FORCE", "1")];
    let refused = [("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")];
    let (ours, claps): (&[&str], &[&str]) = (&["info", "nowhere"], &["fly"]);
    let mark = |text: &str| text.split("error:").next().unwrap().to_owned();
    assert_eq!(mark(&ask(ours, &forced)), mark(&ask(claps, &forced)));
    assert!(ask(ours, &forced).starts_with('\u{1b}'));
    for plain in [ask(ours, &[]), ask(ours, &refused), ask(claps, &refused)] {
        assert!(plain.starts_with("error: ") && !plain.contains('\u{1b}'), "{plain:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_run_that_was_stopped_says_how_to_go_on() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "scene.toml", &box_of_disks(6, 5, 1_000_000, 1000));
    let folder = home.path().join("my run");
    let told = home.path().join("told");
    let mut command = command(&words!["run", scene, "-o", &folder]);
    let mut child = command
        .stdout(std::process::Stdio::null())
        .stderr(std::fs::File::create(&told).unwrap())
        .spawn()
        .unwrap();
    assert!(wait_for_steps(&mut child, &folder, 20));
    std::fs::write(folder.join("stop"), "").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(4));
    let line = format!("go on with: drystone resume '{}'\n", folder.display());
    assert!(read(&told).ends_with(&line), "{}", read(&told));
    // and what it says works; a file "stop" from before it began would be taken away
    let done = steps_written(&folder);
    let mut child = spawn(&words!["resume", &folder]);
    assert!(wait_for_steps(&mut child, &folder, done + 20));
    std::fs::write(folder.join("stop"), "").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(4));
}

/// The bar of a run on a terminal of 80 columns, by `script`, which makes one.
#[cfg(target_os = "linux")]
#[test]
fn the_progress_bar_keeps_to_its_line_and_goes_away() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "scene.toml", &box_of_disks(8, 8, 600, 1000));
    let program = env!("CARGO_BIN_EXE_drystone");
    let folder = home.path().join("run");
    let line = format!(
        "stty cols 80 rows 24; '{program}' run '{}' -o '{}' --threads 1",
        scene.display(),
        folder.display()
    );
    let Ok(output) = Command::new("script").args(["-qec", &line, "/dev/null"]).output() else {
        eprintln!("no script(1) here: nothing was shown");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let plain = without_commands(&text);
    let bars: Vec<&str> = plain.split(['\r', '\n']).filter(|line| line.contains("/600")).collect();
    assert!(!bars.is_empty() && bars.iter().any(|line| line.contains("residual")), "{plain}");
    for bar in &bars {
        assert!(bar.trim_end().chars().count() <= 80, "{} columns: {bar}", bar.chars().count());
    }
    // after the last bar its line is erased, and the summary follows
    let last = text.rfind("/600").unwrap();
    let after = &text[last..];
    let erased = after.find("\u{1b}[2K").unwrap_or_else(|| panic!("{after:?}"));
    assert!(erased < after.find("outcome").unwrap(), "{after:?}");
}

/// A text without the commands to the terminal that begin with escape.
#[cfg(target_os = "linux")]
fn without_commands(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\u{1b}' {
            out.push(letter);
        } else if letters.next() == Some('[') {
            letters.by_ref().find(char::is_ascii_alphabetic);
        }
    }
    out
}
