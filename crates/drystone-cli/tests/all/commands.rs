//! Every command does what its help says, ends with the documented code and destroys nothing.

mod films;
mod gallery;
mod looking;
mod measuring;
mod terminal;

use crate::common::{Answer, answer, command, drystone, frames, read, root, summary, write_scene};
use crate::words;
use serde_json::Value;
use std::path::Path;

/// A disk on the ground, ten steps.
const SMALL: &str = r#"
dimension = 2
time = { step = 1e-3, duration = 1e-2 }
body = [
    { name = "ground", shape.line = {}, fixed = true },
    { name = "disk", shape.disk.radius = 0.1, density = 1000, position = [0.0, 0.1] },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.5 }]
"#;

fn run(scene: &Path, folder: &Path, more: &[&str]) -> Answer {
    let mut command = command(&words!["run", scene, "-o", folder]);
    answer(command.args(more))
}

#[test]
fn new_writes_a_scene_and_never_overwrites_one() {
    let home = tempfile::tempdir().unwrap();
    let inside = |arguments: &[&str]| answer(command(arguments).current_dir(home.path()));
    inside(&["new"]).ends_with(0);
    let path = home.path().join("falling-disks.toml");
    assert!(read(&path).contains("[[body]]"));
    std::fs::write(&path, "mine").unwrap();
    let refused = inside(&["new"]).ends_with(2);
    assert!(refused.err.contains("falling-disks.toml"), "{}", refused.err);
    assert_eq!(read(&path), "mine");
    inside(&["new", "stack", "sub/folder"]).ends_with(0);
    assert!(home.path().join("sub/folder/stack.toml").exists());
    let unknown = inside(&["new", "stak"]).ends_with(2);
    assert!(unknown.err.contains("stak") && unknown.err.contains("\"stack\""), "{}", unknown.err);
}

#[test]
fn list_names_what_new_can_write() {
    let json = drystone(&["list", "--json"]).ends_with(0).json();
    let words = drystone(&["list"]).ends_with(0).out;
    let templates = json["templates"].as_array().unwrap();
    assert!(
        json["gallery"].as_array().unwrap().iter().all(|one| words.contains(one["name"].as_str().unwrap()))
    );
    let home = tempfile::tempdir().unwrap();
    for template in templates {
        let name = template["name"].as_str().unwrap();
        assert!(words.contains(name) && template["about"].as_str().is_some_and(|about| !about.is_empty()));
        drystone(&words!["new", name, home.path()]).ends_with(0);
        let scene = drystone_scene::Scene::from_file(home.path().join(format!("{name}.toml"))).unwrap();
        assert_eq!(template["dimension"], scene.dimension);
    }
}

#[test]
fn check_reports_and_writes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let overlapping = SMALL.replace("[0.0, 0.1]", "[0.0, 0.08]");
    let scene = write_scene(home.path(), "scene.toml", &overlapping);
    let report = drystone(&words!["check", &scene, "--json"]).ends_with(0).json();
    assert_eq!(report["bodies"], 2);
    assert_eq!(report["steps"], 10);
    assert_eq!(report["overlap_count"], 1);
    assert!((report["overlaps"][0]["depth"].as_f64().unwrap() - 0.02).abs() < 1e-12);
    let words = drystone(&words!["check", &scene]).ends_with(0).out;
    assert!(words.contains("overlap") && words.contains("warning"), "{words}");
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1);
}

#[test]
fn a_run_ends_with_its_summary_as_json() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "scene.toml", SMALL);
    let folder = home.path().join("run");
    let told = run(&scene, &folder, &["--json", "--threads", "1"]).ends_with(0);
    let json = told.json();
    assert_eq!(told.out.lines().count(), 1, "only the object may go to standard output");
    assert_eq!(json, summary(&folder));
    let keys = "outcome steps time bodies contacts_mean contacts_max iterations_total updates_per_second \
                residual_max steps_not_converged penetration_max energy seconds state_hash threads version";
    for key in keys.split_whitespace() {
        assert!(!json[key].is_null(), "{key} is missing in {json}");
    }
    for key in
        ["kinetic", "potential", "dissipated_friction", "dissipated_shocks", "work_loads", "balance_error"]
    {
        assert!(json["energy"][key].is_number(), "energy.{key} is missing in {json}");
    }
    for key in ["total", "detection", "assembly", "solver", "output"] {
        assert!(
            json["seconds"][key].as_f64().is_some_and(|seconds| seconds >= 0.0),
            "seconds.{key} in {json}"
        );
    }
    if cfg!(target_os = "linux") {
        assert!(json["seconds"]["cpu"].as_f64().is_some_and(|seconds| seconds >= 0.0), "{json}");
    }
    assert_eq!(json["outcome"], "completed");
    assert_eq!(json["steps"], 10);
    assert!((json["time"].as_f64().unwrap() - 1e-2).abs() < 1e-12);
    assert_eq!(json["bodies"], 2);
    assert_eq!(json["contacts_max"], 1);
    assert_eq!(json["threads"], 1);
    assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(json["state_hash"].as_str().map(str::len), Some(16));
}

#[test]
fn a_run_goes_where_it_is_told_and_as_far() {
    let home = tempfile::tempdir().unwrap();
    write_scene(home.path(), "scene.toml", SMALL);
    let inside = |arguments: &[&str]| answer(command(arguments).current_dir(home.path()));
    // without -o: runs/NAME
    let words = inside(&["run", "scene.toml"]).ends_with(0).out;
    assert!(words.contains("completed") && words.contains("runs/scene"), "{words}");
    assert_eq!(summary(&home.path().join("runs/scene"))["steps"], 10);
    let quiet = inside(&["run", "scene.toml", "-o", "a", "--steps", "3", "--quiet"]).ends_with(0);
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    assert_eq!(summary(&home.path().join("a"))["steps"], 3);
    inside(&["run", "scene.toml", "-o", "b", "--until", "0.004"]).ends_with(0);
    assert_eq!(summary(&home.path().join("b"))["steps"], 4);
    inside(&["resume", "b"]).ends_with(0);
    assert_eq!(
        summary(&home.path().join("b"))["state_hash"],
        summary(&home.path().join("runs/scene"))["state_hash"]
    );
    for wrong in ["-1", "0", "nan", "inf", "soon"] {
        inside(&["run", "scene.toml", "-o", "c", "--until", wrong]).ends_with(2);
    }
    inside(&["run", "scene.toml", "-o", "c", "--threads", "0"]).ends_with(2);
    assert!(!home.path().join("c").exists());
}

#[test]
fn a_run_overwrites_nothing_unless_forced() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "scene.toml", SMALL);
    let folder = home.path().join("run");
    run(&scene, &folder, &[]).ends_with(0);
    let before = frames(&folder);
    let refused = run(&scene, &folder, &["--steps", "2"]).ends_with(2);
    assert!(refused.err.contains("resume") && refused.err.contains("force"), "{}", refused.err);
    assert_eq!(frames(&folder), before);
    run(&scene, &folder, &["--steps", "2", "--force"]).ends_with(0);
    assert_eq!(summary(&folder)["steps"], 2);
    // a folder that holds anything else is safe from --force too
    let precious = home.path().join("precious");
    std::fs::create_dir(&precious).unwrap();
    std::fs::write(precious.join("thesis.txt"), "years").unwrap();
    run(&scene, &precious, &["--force"]).ends_with(2);
    assert_eq!(std::fs::read_dir(&precious).unwrap().count(), 1);
    assert_eq!(read(&precious.join("thesis.txt")), "years");
}

#[test]
fn info_tells_what_was_run() {
    let home = tempfile::tempdir().unwrap();
    let scene = write_scene(home.path(), "scene.toml", SMALL);
    let folder = home.path().join("run");
    run(&scene, &folder, &[]).ends_with(0);
    let json = drystone(&words!["info", &folder, "--json"]).ends_with(0).json();
    assert_eq!(json["state"], "ended");
    assert_eq!(json["bodies"], 2);
    assert_eq!(json["frames"], frames(&folder).len());
    assert_eq!(json["summary"], summary(&folder));
    let words = drystone(&words!["info", &folder]).ends_with(0).out;
    assert!(words.contains("2 bodies in 2 dimensions") && words.contains("completed"), "{words}");
    std::fs::remove_file(folder.join("summary.json")).unwrap();
    let words = drystone(&words!["info", &folder]).ends_with(0).out;
    assert!(words.contains("drystone resume"), "{words}");
    let missing = drystone(&words!["info", home.path().join("nowhere")]).ends_with(2);
    assert!(missing.err.contains("nowhere"), "{}", missing.err);
    drystone(&words!["info", home.path()]).ends_with(2);
}

#[test]
fn render_draws_pictures() {
    let home = tempfile::tempdir().unwrap();
    for (name, scene) in [("plane", "scenes/falling-disk.toml"), ("space", "scenes/stack.toml")] {
        let folder = home.path().join(name);
        run(&root().join(scene), &folder, &["--steps", "20"]).ends_with(0);
        let picture = |end: &str| home.path().join(format!("{name}.{end}"));
        for (end, more) in [("png", ["--show", "all"]), ("svg", ["--colour", "speed"])] {
            answer(command(&words!["render", &folder, "-o", picture(end)]).args(more)).ends_with(0);
        }
        assert!(std::fs::read(picture("png")).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
        assert!(read(&picture("svg")).trim_end().ends_with("</svg>"));
        answer(
            command(&words!["render", &folder, "-o", picture("png")]).args(["--time", "0", "--width", "300"]),
        )
        .ends_with(0);
        // what cannot be drawn is bad input, what cannot be written is not
        drystone(&words!["render", &folder, "-o", picture("docx")]).ends_with(2);
        answer(command(&words!["render", &folder, "-o", picture("png")]).args(["--width", "0"])).ends_with(2);
        drystone(&words!["render", &folder, "-o", home.path().join("no/such/folder/a.png")]).ends_with(1);
    }
    drystone(&words!["render", home.path().join("nowhere"), "-o", home.path().join("a.png")]).ends_with(2);
}

#[test]
fn schema_is_json_and_knows_every_table() {
    let schema: Value = serde_json::from_str(&drystone(&["schema"]).ends_with(0).out).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    for key in ["dimension", "time", "solver", "output", "materials", "shapes", "body", "law", "probe"] {
        assert!(properties[key]["description"].is_string(), "{key}");
    }
}

#[test]
fn validate_runs_the_cases_that_are_named() {
    let words = drystone(&["validate", "fall", "incline"]).ends_with(0).out;
    assert!(
        words.lines().any(|line| line.starts_with("fall")) && words.contains("within tolerance"),
        "{words}"
    );
    assert!(!words.contains("zeno"));
    let markdown = drystone(&["validate", "fall", "--markdown"]).ends_with(0).out;
    assert!(markdown.lines().all(|line| line.starts_with('|') && line.ends_with('|')), "{markdown}");
    let unknown = drystone(&["validate", "fal"]).ends_with(2);
    assert!(unknown.err.contains("fal") && unknown.err.contains("fall"), "{}", unknown.err);
}

#[test]
fn demo_runs_and_draws() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("demo");
    for steps in [10, 12] {
        // an older demo is overwritten
        let mut command = command(&words!["demo", "-o", &folder]);
        let json = answer(command.args(["--steps", &steps.to_string(), "--json"])).ends_with(0).json();
        assert_eq!(json["steps"], steps);
        assert_eq!(json, summary(&folder));
        assert!(std::fs::read(folder.join("picture.png")).unwrap().starts_with(b"\x89PNG"));
    }
}

#[test]
fn usage_errors_are_bad_input_and_help_is_not() {
    drystone::<&str>(&[]).ends_with(2);
    drystone(&["fly"]).ends_with(2);
    drystone(&["run"]).ends_with(2);
    assert!(drystone(&["--help"]).ends_with(0).out.contains("Exit codes"));
    assert!(drystone(&["--version"]).ends_with(0).out.contains(env!("CARGO_PKG_VERSION")));
    let commands = ["new", "list", "check", "run", "resume", "info", "render", "validate", "demo", "schema"];
    for name in commands {
        assert!(!drystone(&[name, "--help"]).ends_with(0).out.is_empty());
    }
}

#[test]
fn wrong_scenes_are_refused_with_their_place() {
    let home = tempfile::tempdir().unwrap();
    let refuse = |text: &str, expected: &[&str]| {
        let scene = write_scene(home.path(), "wrong.toml", text);
        for verb in ["check", "run"] {
            let mut command = command(&words![verb, &scene]);
            let refused = answer(command.current_dir(home.path())).ends_with(2);
            assert_eq!(refused.out, "");
            for part in expected {
                assert!(refused.err.contains(part), "{part} is not in: {}", refused.err);
            }
        }
        assert!(!home.path().join("runs").exists(), "a refused scene leaves no run");
    };
    // a misspelt key, on its line, with the right one
    refuse(&SMALL.replace("density", "densty"), &["wrong.toml:6:", "densty", "density"]);
    refuse(&SMALL.replace("inelastic", "inelastc"), &["wrong.toml:8:", "inelastc", "inelastic"]);
    // nonsense
    refuse(&SMALL.replace("step = 1e-3", "step = -1e-3"), &["wrong.toml:3:", "-0.001"]);
    refuse(&SMALL.replace("friction = 0.5", "friction = nan"), &["wrong.toml:8:", "friction"]);
    refuse(&SMALL.replace("radius = 0.1", "radius = \"big\""), &["wrong.toml:6:", "radius"]);
    refuse("dimension = 2\n= 3", &["wrong.toml:2:"]);
    // nothing there
    let missing = home.path().join("missing.toml");
    for verb in ["check", "run"] {
        let refused = drystone(&words![verb, &missing]).ends_with(2);
        assert!(refused.err.contains("missing.toml"), "{}", refused.err);
    }
    let refused = drystone(&words!["resume", home.path().join("no-run")]).ends_with(2);
    assert!(refused.err.contains("no-run"), "{}", refused.err);
}

#[test]
fn a_run_that_cannot_converge_says_so_and_is_whole() {
    let home = tempfile::tempdir().unwrap();
    // above a friction of 1 the disk in its corner has no solution (Alart, Renouf 2018)
    let corner = read(&root().join("scenes/validation/corner.toml"));
    let text = corner
        .replace("friction = 0.8", "friction = 1.1")
        .replace("max_iterations = 1000", "max_iterations = 50");
    assert!(text.contains("1.1") && text.contains("= 50"), "the scene is not the one this test knows");
    let scene = write_scene(home.path(), "corner.toml", &text);
    let folder = home.path().join("run");
    let told = run(&scene, &folder, &["--json"]).ends_with(3);
    assert!(told.err.contains("warning: step 1 "), "{}", told.err);
    let json = told.json();
    assert_eq!(json, summary(&folder));
    assert_eq!(json["outcome"], "completed");
    assert_eq!(json["steps"], 20);
    assert!(json["steps_not_converged"].as_u64().unwrap() > 0);
    assert!(json["residual_max"].as_f64().unwrap() > json["tolerance"].as_f64().unwrap());
    let held = frames(&folder);
    assert_eq!(held.last().unwrap().step, 20);
    assert!(
        held.iter()
            .all(|frame| { frame.bodies.iter().all(|body| body.position.iter().all(|x| x.is_finite())) })
    );
    drystone(&words!["info", &folder]).ends_with(0);
    drystone(&words!["render", &folder, "-o", home.path().join("a.png")]).ends_with(0);
    // the same goes for a run that goes on
    drystone(&words!["resume", &folder, "--steps", "25"]).ends_with(3);
}

#[test]
fn a_run_that_comes_to_rest_ends_early() {
    let home = tempfile::tempdir().unwrap();
    let text = SMALL.replace("dimension = 2", "dimension = 2\nequilibrium = { speed = 1e-6, steps = 5 }");
    let scene = write_scene(home.path(), "scene.toml", &text);
    let json = run(&scene, &home.path().join("run"), &["--json"]).ends_with(0).json();
    assert_eq!(json["outcome"], "equilibrium");
    assert_eq!(json["steps"], 5);
}

/// An arch of 21 stones with the friction `mu`, as the book has it.
fn arch(home: &Path, mu: &str) -> std::path::PathBuf {
    let text = read(&root().join("scenes/arch.toml"));
    assert!(text.contains("inelastic.friction = 0.7"));
    write_scene(
        home,
        "arch.toml",
        &text.replace("inelastic.friction = 0.7", &format!("inelastic.friction = {mu}")),
    )
}

#[test]
fn an_arch_that_stands_and_one_that_fell_end_with_different_words() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("run");
    let stands = run(&arch(home.path(), "0.7"), &folder, &["--json"]).ends_with(0).json();
    assert_eq!(stands["outcome"], "equilibrium");
    assert_eq!(stands["structure"]["verdict"], "standing");
    assert_eq!(
        (&stands["structure"]["bodies"], &stands["structure"]["bodies_moved"]),
        (&21.into(), &0.into())
    );
    assert_eq!(
        (&stands["structure"]["pairs_start"], &stands["structure"]["pairs_lost"]),
        (&22.into(), &0.into())
    );
    assert!(stands["structure"]["displacement_max"].as_f64().unwrap() < 1e-3, "{stands}");
    let words = drystone(&words!["info", &folder]).ends_with(0).out;
    assert!(words.contains("standing: 0 of 21 bodies"), "{words}");

    // limit analysis: no equilibrium below 0.31
    let fell = run(&arch(home.path(), "0.25"), &folder, &["--json", "--force"]).json();
    assert_ne!(fell["outcome"], "equilibrium", "{fell}");
    assert_eq!(fell["structure"]["verdict"], "fallen");
    assert!(fell["structure"]["bodies_moved"].as_u64().unwrap() > 10, "{fell}");
    assert!(fell["structure"]["pairs_lost"].as_u64().unwrap() > 0, "{fell}");

    // only the springer stones are asked for, and they stay where they are until a metre is a fall
    let text = read(&home.path().join("arch.toml"));
    let asked = "[standing]\nbodies = [\"stone 11\"]\ndisplacement = 100.0\n[time]";
    let scene = write_scene(home.path(), "asked.toml", &text.replace("[time]", asked));
    let json = run(&scene, &folder, &["--json", "--force", "--steps", "20"]).json();
    assert_eq!(
        (&json["structure"]["verdict"], &json["structure"]["bodies"]),
        (&"standing".into(), &1.into())
    );
}

/// A plate goes through a block of a law that gives way: the element and the time are told, what was written
/// stays.
#[test]
fn a_collapsing_body_ends_the_run_as_failed() {
    let home = tempfile::tempdir().unwrap();
    let text = r#"
dimension = 2
time = { step = 1e-3, duration = 0.1 }
output = { interval = 2e-3 }
materials.jelly = { density = 1000, law = "saint-venant", young = 1e6, poisson = 0.3 }
body = [
    { name = "floor", shape.line = {}, fixed = true },
    { name = "block", material = "jelly", shape.box.size = [0.2, 0.1], position = [0.0, 0.05], deform.size = 0.05 },
    { name = "plate", shape.box.size = [0.6, 0.1], position = [0.0, 0.15], drive = { y = -3.0, x = 0.0, spin = 0.0 } },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.0 }]
"#;
    let (scene, folder) = (write_scene(home.path(), "crush.toml", text), home.path().join("run"));
    let told = run(&scene, &folder, &[]).ends_with(1).err;
    assert!(told.contains("\"block\"") && told.contains("found no end of the step from 0.0"), "{told}");
    assert!(told.contains("element") || told.contains("no equilibrium"), "{told}");
    assert_eq!(told.matches("take a ").count(), 1, "advice once: {told}");
    let summary = summary(&folder);
    assert_eq!(summary["outcome"], "failed");
    let steps = summary["steps"].as_u64().unwrap();
    assert!((3..40).contains(&steps), "{steps}");
    assert!(frames(&folder).len() as u64 >= steps / 2, "{steps}");
}
