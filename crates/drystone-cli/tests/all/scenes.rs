//! Every scene of the project, of the command and of its documentation is one that Drystone reads and runs.

use crate::common::{answer, command, drystone, files_below, read, root, summary, write_scene};
use crate::words;
use drystone_scene::Scene;
use std::path::{Path, PathBuf};

/// Checks a scene and runs its first steps; gives the exit code.
fn check_and_run(scene: &Path, home: &Path, steps: &str) -> i32 {
    let report = drystone(&words!["check", scene, "--json"]).ends_with(0).json();
    assert!(report["warnings"].as_array().is_some_and(Vec::is_empty), "{}: {report}", scene.display());
    assert_eq!(report["overlap_count"], 0, "{}: {report}", scene.display());
    let folder = home.join(scene.file_stem().unwrap());
    let told =
        answer(command(&words!["run", scene, "-o", &folder]).args(["--steps", steps, "--force", "--json"]));
    assert!([0, 3].contains(&told.code), "{}: {}{}", scene.display(), told.out, told.err);
    assert_eq!(told.json(), summary(&folder));
    assert_eq!(told.code == 3, told.json()["steps_not_converged"] != 0);
    told.code
}

/// Whether a scene may end without convergence: it has no solution, or asks for more digits than there are.
fn may_not_converge(scene: &Path) -> bool {
    let tolerance = Scene::from_file(scene).unwrap().solver.tolerance;
    let jammed = ["two-disks", "three-disks-confined"];
    let name = scene.file_stem().unwrap_or_default();
    tolerance < 1e-13 || jammed.iter().any(|jammed| name == *jammed)
}

#[test]
fn scenes_of_the_project_check_and_run() {
    let home = tempfile::tempdir().unwrap();
    let scenes = files_below(&root().join("scenes"), ".toml");
    assert!(scenes.len() >= 18, "{scenes:?}");
    for scene in &scenes {
        let code = check_and_run(scene, home.path(), "20");
        assert!(code == 0 || may_not_converge(scene), "{} did not converge", scene.display());
    }
}

/// An arch from a file of COMPAS, thirteen voussoirs between the radii 1.85 and 2.15 m, 0.5 m deep: it
/// comes to rest where it was drawn, and its two supports bear what the other eleven weigh. How much each
/// of them bears is not unique: half of it to some per mille.
#[test]
fn an_assembly_of_compas_stands_on_its_supports() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("arch");
    let scene = root().join("scenes/samples/assembly.toml");
    let told = drystone(&words!["run", &scene, "-o", &folder, "--json"]).ends_with(0).json();
    assert_eq!((told["outcome"].as_str(), told["bodies"].as_u64()), (Some("equilibrium"), Some(13)));
    let section = (2.15f64.powi(2) - 1.85f64.powi(2)) / 2.0 * (std::f64::consts::PI / 13.0).sin();
    let weight = 11.0 * section * 0.5 * 2400.0 * 9.81;
    let force = |support: &str| {
        let measure = format!("reaction.force_z:body={support}");
        let told = drystone(&words!["measure", &folder, &measure, "--frame", "-1", "--json"]);
        told.ends_with(0).json()["measures"][0]["rows"][0]["values"][0].as_f64().unwrap()
    };
    let forces = ["stone 0", "stone 12"].map(force);
    assert!(((forces[0] + forces[1]) / -weight - 1.0).abs() < 1e-6, "{forces:?} for {weight} N");
    assert!(forces.iter().all(|force| (force / -weight - 0.5).abs() < 0.01), "{forces:?} for {weight} N");
}

/// Among many patches that slide some are never even: a packing is not solved again for them over and over.
#[test]
fn patches_that_stay_uneven_are_left() {
    let home = tempfile::tempdir().unwrap();
    let text = read(&root().join("scenes/gallery/triaxial.toml"));
    let iterations = |rounds: u32| {
        let solver = format!("solver = {{ tolerance = 1e-3, even_rounds = {rounds} }}");
        let changes = [
            ("solver = { tolerance = 1e-3, criterion = \"mean\" }", solver.as_str()),
            ("smallest = 0.0483, largest = 0.0659", "smallest = 0.11, largest = 0.15"),
            ("duration = 0.14", "duration = 0.2"),
        ];
        let text = changes.iter().fold(text.clone(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        let scene = write_scene(home.path(), "scene.toml", &text);
        let folder = home.path().join("run");
        drystone(&words!["run", &scene, "-o", &folder, "--steps", "100", "--force"]).ends_with(0);
        summary(&folder)["iterations_total"].as_u64().unwrap()
    };
    let [few, many] = [5, 200].map(iterations);
    assert!(many * 2 < few * 3, "{few} sweeps with at most 5 rounds, {many} with 200");
}

#[test]
fn templates_check_and_run() {
    let home = tempfile::tempdir().unwrap();
    let list = drystone(&["list", "--json"]).ends_with(0).json();
    for template in list["templates"].as_array().unwrap() {
        let name = template["name"].as_str().unwrap();
        drystone(&words!["new", name, home.path()]).ends_with(0);
        let scene = home.path().join(format!("{name}.toml"));
        assert_eq!(check_and_run(&scene, home.path(), "10"), 0, "{name} did not converge");
    }
}

/// The fenced blocks of a page that are whole scenes, with their lines.
fn scenes_in(page: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut block: Option<(usize, String)> = None;
    for (number, line) in page.lines().enumerate() {
        match &mut block {
            None if line.trim_start().starts_with("```toml") => block = Some((number + 1, String::new())),
            None => {}
            Some(_) if line.trim_start().starts_with("```") => found.extend(block.take()),
            Some((_, text)) => *text += &format!("{line}\n"),
        }
    }
    found.retain(|(_, text)| {
        let has = |part: &str| text.lines().any(|line| line.trim_start().starts_with(part));
        text.trim_start().starts_with("dimension") || has("[[body]]") && (has("[time]") || has("time"))
    });
    found
}

fn pages() -> Vec<PathBuf> {
    let mut pages = files_below(&root().join("docs/src"), ".md");
    pages.extend(
        ["README.md", "ARCHITECTURE.md"]
            .map(|name| root().join(name))
            .into_iter()
            .filter(|page| page.exists()),
    );
    pages
}

#[test]
fn scenes_of_the_documentation_parse_and_build() {
    let sample = "x\n```toml\ndimension = 2\n```\n```toml\n[time]\n[[body]]\n```\n```toml\n[[body]]\n```\n```sh\na\n```\n";
    assert_eq!(scenes_in(sample).iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 5]);
    for page in pages() {
        for (line, text) in scenes_in(&read(&page)) {
            let place = format!("{}:{line}", page.display());
            let scene = Scene::parse(&text, &place).unwrap_or_else(|error| panic!("{place}: {error}"));
            scene.build().unwrap_or_else(|error| panic!("{place}: {error}"));
        }
    }
}
