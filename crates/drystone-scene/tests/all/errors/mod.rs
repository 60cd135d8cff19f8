//! Every kind of mistake is refused at its own line, in words that name it.

mod deformable;
mod geometry;
mod keys;
mod loading;
mod measures;
mod names;
mod numbers;
mod ties;

use drystone_scene::Scene;
use drystone_scene::spec::{BodySpec, LawSpec, SceneSpec, ShapeSpec};

/// A scene in which every table appears; line numbers below count in it.
const PLANE: &str = r#"dimension = 2
gravity = [0.0, -9.81]
[time]
step = 1e-3
duration = 2.0
theta = 0.5
[solver]
method = "nlgs"
tolerance = 1e-8
max_iterations = 1000
relaxation = 1.0
order = "cyclic"
seed = 0
[detection]
alert = 0.1
[output]
interval = 0.02
[equilibrium]
speed = 1e-4
steps = 20
[materials.stone]
density = 2600
[shapes.brick]
box.size = [0.2, 0.1]
[shapes.wedge]
polygon.vertices = [[0, 0], [1, 0], [0, 1]]
[[body]]
name = "floor"
group = "ground"
shape.line = {}
fixed = true
[[body]]
name = "block"
group = "stones"
material = "stone"
shape = "brick"
position = [0.0, 0.05]
velocity = [0, 0]
[[body]]
name = "ball"
group = "stones"
mass = 3.0
inertia = 0.1
shape.disk.radius = 0.1
position = [1.0, 0.1]
angle = 0.1
drive = { x = 0.1 }
load = { y = 1.0 }
[[law]]
between = ["stones", "stones"]
inelastic.friction = 0.5
[[law]]
between = ["stones", "ground"]
restitution = { normal = 0.5, friction = 0.3 }
[[probe]]
name = "top"
body = "block"
quantities = ["position", "angle"]
"#;

const SPACE: &str = r#"dimension = 3
[time]
step = 1e-3
duration = 2.0
[shapes.skew]
polyhedron.vertices = [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]]
[shapes.ball]
sphere.radius = 0.2
[[body]]
name = "skew"
density = 1000
shape = "skew"
rotation = { axis = [0, 0, 1], angle = 0.1 }
[[body]]
name = "ball"
density = 1000
shape = "ball"
position = [5, 0, 0]
drive = { spin_x = 1.0 }
orientation_wxyz = [1, 0, 0, 0]
gyroscopic = "implicit"
spin = [0, 0, 1]
[[law]]
between = ["default", "*"]
inelastic.friction = 0.3
"#;

/// Replaces `old` by `new` in `scene`: the scene must be refused at `line`, with a message that has all the
/// `words`.
fn refused(scene: &str, old: &str, new: &str, line: usize, words: &[&str]) {
    assert_eq!(scene.matches(old).count(), 1, "{old:?} must occur once");
    let text = scene.replace(old, new);
    let error = match Scene::parse(&text, "scene.toml") {
        Ok(_) => panic!("{new:?} was accepted"),
        Err(error) => error,
    };
    assert_eq!(error.line, Some(line), "{new:?}: {error}");
    for word in words {
        assert!(error.message.contains(word), "{new:?}: {word:?} is not in: {error}");
    }
    assert!(error.to_string().starts_with(&format!("scene.toml:{line}:")), "{error}");
}

#[test]
fn the_scenes_are_right_before_they_are_spoiled() {
    for text in [PLANE, SPACE] {
        if let Err(error) = Scene::parse(text, "scene.toml").and_then(|scene| scene.build()) {
            panic!("{error}");
        }
    }
}

#[test]
fn an_error_shows_line_and_caret() {
    let text = PLANE.replace("shape.disk.radius", "shape.disk.raduis");
    let error = Scene::parse(&text, "scene.toml").map(|_| ()).unwrap_err();
    let expected = "scene.toml:44:12: unknown key \"raduis\" in shape.disk of body \"ball\"; allowed: radius. Did you \
                    mean \"radius\"?\n   |\n44 | shape.disk.raduis = 0.1\n   |            ^^^^^^";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_missing_law_names_groups_bodies_and_the_lines_to_add() {
    let words = &[
        "no law between group \"ground\" (body \"floor\") and group \"stones\" (body \"block\")",
        "[[law]]\nbetween = [\"ground\", \"stones\"]\ninelastic.friction = 0.5",
    ];
    let law = "[[law]]\nbetween = [\"stones\", \"ground\"]\nrestitution = { normal = 0.5, friction = 0.3 }\n";
    refused(PLANE, law, "", 27, words);
    let law = "[[law]]\nbetween = [\"stones\", \"stones\"]\ninelastic.friction = 0.5\n";
    refused(PLANE, law, "", 32, &["no law between the bodies of group \"stones\" (such as \"block\")"]);
    // the fixed floor needs no law with itself; two wildcards that disagree need a referee
    let law = "[\"stones\", \"stones\"]\ninelastic.friction = 0.5";
    let wild = "[\"*\", \"ground\"]\ninelastic.friction = 0.5\n[[law]]\nbetween = [\"*\", \"stones\"]\ninelastic.friction = 0.1";
    let text = PLANE.replace(law, wild);
    assert!(Scene::parse(&text, "x").is_ok());
    let text = text.replace("[\"stones\", \"ground\"]", "[\"*\", \"*\"]");
    let error = Scene::parse(&text, "x").map(|_| ()).unwrap_err();
    assert!(error.message.contains("two laws with \"*\""), "{error}");
}

#[test]
fn the_first_of_several_problems_is_reported() {
    let text =
        PLANE.replace("theta = 0.5", "theta = 7").replace("mass = 3.0", "mass = -1").replace("2600", "-1");
    let error = Scene::parse(&text, "scene.toml").map(|_| ()).unwrap_err();
    assert_eq!(error.line, Some(6), "{error}");
}

#[test]
fn a_generated_scene_is_located_in_the_file_it_would_be() {
    let mut spec = SceneSpec::new(2, 1e-3, 1.0);
    spec.bodies
        .push(BodySpec { density: Some(f64::NAN), ..BodySpec::new("a", ShapeSpec::Disk { radius: 1.0 }) });
    spec.laws.push(LawSpec::inelastic("*", "*", 0.3));
    let error = Scene::from_spec(spec.clone()).map(|_| ()).unwrap_err();
    assert!(error.line.is_some_and(|line| line > 1), "{error}");
    assert!(error.to_string().contains("density = nan"), "{error}");
    spec.bodies[0].density = Some(3.0);
    spec.solver.seed = u64::MAX;
    let error = Scene::from_spec(spec.clone()).map(|_| ()).unwrap_err();
    assert!(error.message.contains("seed"), "{error}");
    spec.solver.seed = 1;
    assert!(Scene::from_spec(spec).is_ok());
}

#[test]
fn a_changed_scene_is_checked_again() {
    let mut scene = Scene::parse(PLANE, "scene.toml").unwrap();
    scene.time.step = -1.0;
    let error = scene.build().map(|_| ()).unwrap_err();
    assert_eq!(error.line, Some(4), "{error}");
}

#[test]
fn hostile_files_are_refused_in_peace() {
    for depth in [50, 100, 100_000] {
        let texts = [
            format!("x = {}", "[".repeat(depth)),
            format!("x = {}", "{ a = ".repeat(depth)),
            format!("{}a = 1", "a.".repeat(depth)),
            format!("[{}a]", "a.".repeat(depth)),
            format!("body = [{{ shape = {}1{} }}]", "{ disk = ".repeat(depth), "}".repeat(depth)),
            "[[body]]\n".repeat(depth),
            format!("title = \"{}\"", "x".repeat(depth * 10)),
            "\u{0}\u{1b}[2J\u{feff}".repeat(depth),
        ];
        for text in texts {
            let error = Scene::parse(&text, "hostile.toml").map(|_| ()).unwrap_err();
            assert!(error.line.is_some());
            assert!(error.to_string().len() < 1000);
            assert!(!error.to_string().contains('\u{1b}'));
        }
    }
}

#[test]
fn unreadable_files_say_so() {
    let error = Scene::from_file("no-such-scene.toml").map(|_| ()).unwrap_err();
    assert!(error.to_string().starts_with("no-such-scene.toml: the scene cannot be read"), "{error}");
    assert_eq!(error.line, None);
}

#[test]
fn a_group_for_every_body_is_too_many() {
    let mut spec = SceneSpec::new(2, 1e-3, 1.0);
    for index in 0..30_000 {
        let body = BodySpec::new(format!("body {index}"), ShapeSpec::Disk { radius: 1.0 });
        spec.bodies.push(BodySpec { density: Some(1.0), group: format!("group {index}"), ..body });
    }
    spec.laws.push(LawSpec::inelastic("*", "*", 0.3));
    let error = Scene::from_spec(spec).map(|_| ()).unwrap_err();
    assert!(error.message.contains("more than 1000 groups"), "{error}");
}
