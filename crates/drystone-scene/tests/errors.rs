//! Every kind of mistake is refused at its own line, in words that name it.

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

/// Replaces `old` by `new` in `scene`: the scene must be refused at `line`, with a message that has all the `words`.
fn refused(scene: &str, old: &str, new: &str, line: usize, words: &[&str]) {
    assert_eq!(scene.matches(old).count(), 1, "{old:?} must occur once");
    let text = scene.replace(old, new);
    let error = match Scene::parse(&text, "scene.toml") {
        Ok(_) => panic!("{new:?} was accepted"),
        Err(error) => error,
    };
    assert_eq!(error.line, Some(line), "{new:?}: {error}");
    for word in words {
        assert!(
            error.message.contains(word),
            "{new:?}: {word:?} is not in: {error}"
        );
    }
    assert!(
        error.to_string().starts_with(&format!("scene.toml:{line}:")),
        "{error}"
    );
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
fn keys_and_types() {
    let cases: &[(&str, &str, usize, &[&str])] = &[
        (
            "dimension = 2\n",
            "dimention = 2\n",
            1,
            &["unknown key \"dimention\"", "Did you mean \"dimension\"?"],
        ),
        ("dimension = 2\n", "\n", 1, &["missing key \"dimension\""]),
        ("step = 1e-3\n", "", 3, &["missing key \"step\" in time"]),
        (
            "step = 1e-3\n",
            "step = \"fast\"\n",
            4,
            &["time.step must be a number, found the string \"fast\""],
        ),
        ("step = 1e-3\n", "step = 1e400\n", 4, &["finite", "1e400"]),
        ("step = 1e-3\n", "step = nan\n", 4, &["finite", "nan"]),
        ("[time]\n", "[time]\nstep = 1\n", 5, &["duplicate key"]),
        ("theta = 0.5\n", "theta = \n", 6, &[]),
        (
            "method = \"nlgs\"",
            "method = \"nlsg\"",
            8,
            &["\"nlsg\"", "allowed: nlgs, accelerated", "Did you mean \"nlgs\"?"],
        ),
        ("method = \"nlgs\"", "method = { nlgs = 1 }", 8, &["a string"]),
        (
            "max_iterations = 1000",
            "max_iterations = 1.5",
            10,
            &["whole number", "1.5"],
        ),
        (
            "max_iterations = 1000",
            "max_iterations = 5000000000",
            10,
            &["4294967295"],
        ),
        ("seed = 0", "seed = -1", 13, &["not negative", "-1"]),
        (
            "[shapes.brick]\nbox.size",
            "[shapes.brick]\nbox.sise",
            24,
            &["unknown key \"sise\" in shapes.brick.box"],
        ),
        (
            "[shapes.brick]\nbox.size",
            "[shapes.brick]\nbax.size",
            24,
            &["unknown key \"bax\"", "Did you mean \"box\"?"],
        ),
        (
            "box.size = [0.2, 0.1]",
            "box.size = [0.2, \"0.1\"]",
            24,
            &["shapes.brick.box.size[1] must be a number"],
        ),
        (
            "box.size = [0.2, 0.1]",
            "box = [0.2, 0.1]",
            24,
            &["must be a table, found an array"],
        ),
        (
            "box.size = [0.2, 0.1]\n",
            "box.size = [0.2, 0.1]\ndisk.radius = 1\n",
            25,
            &["one key", "\"box\" and \"disk\""],
        ),
        (
            "shape.line = {}",
            "shape.line.normal = [0, 1]",
            30,
            &["unknown key \"normal\"", "no key is allowed"],
        ),
        ("shape.line = {}", "shape = {}", 30, &["exactly one key"]),
        (
            "shape.line = {}",
            "shape = 3",
            30,
            &["the name of a shape or a table", "found 3"],
        ),
        ("fixed = true", "fixed = \"yes\"", 31, &["true or false"]),
        (
            "group = \"stones\"\nmaterial",
            "grup = \"stones\"\nmaterial",
            34,
            &["\"grup\" in body \"block\""],
        ),
        (
            "drive = { x = 0.1 }",
            "drive = { spn = 0.1 }",
            47,
            &["\"spn\" in drive of body", "Did you mean \"spin\"?"],
        ),
        (
            "inertia = 0.1",
            "inertia = [1, true]",
            43,
            &["inertia[1]", "a number"],
        ),
        (
            "inelastic.friction = 0.5",
            "inelastic.fricton = 0.5",
            51,
            &["\"fricton\"", "the law between \"stones\""],
        ),
        (
            "inelastic.friction = 0.5",
            "elastic.friction = 0.5",
            51,
            &["unknown key \"elastic\"", "inelastic"],
        ),
        (
            "restitution = { normal = 0.5,",
            "restitution = { ",
            54,
            &["missing key \"normal\""],
        ),
        (
            "quantities = [\"position\", \"angle\"]",
            "quantities = [\"speed\"]",
            58,
            &["quantities[0] of probe \"top\""],
        ),
    ];
    for (old, new, line, words) in cases {
        refused(PLANE, old, new, *line, words);
    }
}

#[test]
fn numbers_out_of_range() {
    let cases: &[(&str, &str, usize, &[&str])] = &[
        (
            "dimension = 2\n",
            "dimension = 4\n",
            1,
            &["must be 2 or 3, found 4"],
        ),
        (
            "gravity = [0.0, -9.81]",
            "gravity = [0, 0, -9.81]",
            2,
            &["gravity must have 2 numbers, found 3"],
        ),
        (
            "step = 1e-3",
            "step = 0",
            4,
            &["time.step must be greater than 0, found 0"],
        ),
        ("step = 1e-3", "step = -1", 4, &["greater than 0"]),
        ("duration = 2.0", "duration = -2.0", 5, &["greater than 0"]),
        ("duration = 2.0", "duration = 1e20", 5, &["steps", "1e12"]),
        ("duration = 2.0", "duration = 1e-5", 5, &["at least one step"]),
        ("theta = 0.5", "theta = 0.3", 6, &["from 0.5 to 1, found 0.3"]),
        (
            "tolerance = 1e-8",
            "tolerance = 0.0",
            9,
            &["greater than 0 and less than 1"],
        ),
        ("max_iterations = 1000", "max_iterations = 0", 10, &["at least 1"]),
        ("relaxation = 1.0", "relaxation = 2.0", 11, &["less than 2"]),
        ("alert = 0.1", "alert = -0.1", 15, &["from 0 to 10"]),
        (
            "interval = 0.02",
            "interval = 1e-4",
            17,
            &["at least one step of 0.001 s"],
        ),
        ("speed = 1e-4", "speed = 0", 19, &["greater than 0"]),
        ("steps = 20", "steps = 0", 20, &["at least 1"]),
        (
            "density = 2600",
            "density = 0",
            22,
            &["materials.stone.density must be greater than 0"],
        ),
        ("density = 2600", "density = 1e200", 22, &["from 1e-30 to 1e30"]),
        (
            "box.size = [0.2, 0.1]",
            "box.size = [0.2, -0.1]",
            24,
            &["box.size[1] must be greater than 0, found -0.1"],
        ),
        (
            "box.size = [0.2, 0.1]",
            "box.size = [0.2]",
            24,
            &["2 numbers, found 1"],
        ),
        (
            "position = [0.0, 0.05]",
            "position = [0.0, 0.05, 0]",
            37,
            &["position of body \"block\"", "2 numbers"],
        ),
        (
            "velocity = [0, 0]",
            "velocity = [0, 1e31]",
            38,
            &["velocity[1]", "at most 1e30"],
        ),
        (
            "mass = 3.0",
            "mass = -3.0",
            42,
            &["mass of body \"ball\" must be greater than 0"],
        ),
        ("inertia = 0.1", "inertia = 0", 43, &["greater than 0"]),
        (
            "shape.disk.radius = 0.1",
            "shape.disk.radius = -1",
            44,
            &["shape.disk.radius of body \"ball\""],
        ),
        (
            "inelastic.friction = 0.5",
            "inelastic.friction = -0.5",
            51,
            &["0 or greater, found -0.5"],
        ),
        ("normal = 0.5", "normal = 1.5", 54, &["from 0 to 1, found 1.5"]),
    ];
    for (old, new, line, words) in cases {
        refused(PLANE, old, new, *line, words);
    }
}

#[test]
fn names_and_contradictions() {
    let cases: &[(&str, &str, usize, &[&str])] = &[
        (
            "material = \"stone\"",
            "material = \"stoen\"",
            35,
            &["no material", "Did you mean \"stone\"?"],
        ),
        (
            "material = \"stone\"\n",
            "",
            32,
            &["body \"block\" is free to move but has no mass"],
        ),
        (
            "material = \"stone\"",
            "material = \"stone\"\ndensity = 3",
            36,
            &["density of body", "contradicts material"],
        ),
        (
            "shape = \"brick\"",
            "shape = \"brik\"",
            36,
            &["no shape", "brick, wedge", "Did you mean \"brick\"?"],
        ),
        (
            "name = \"block\"",
            "name = \"floor\"",
            33,
            &["taken by body number 1"],
        ),
        ("name = \"block\"", "name = \"\"", 33, &["name"]),
        (
            "name = \"ball\"\ngroup = \"stones\"",
            "name = \"ball\"\ngroup = \"*\"",
            41,
            &["any group"],
        ),
        ("fixed = true\n", "", 30, &["fills half of space", "fixed = true"]),
        (
            "fixed = true\n",
            "drive = { x = 1, y = 1 }\n",
            30,
            &["fills half of space"],
        ),
        (
            "fixed = true",
            "fixed = true\ndrive.x = 1",
            32,
            &["contradicts fixed"],
        ),
        (
            "fixed = true",
            "fixed = true\nvelocity = [1, 0]",
            31,
            &["contradicts velocity"],
        ),
        (
            "mass = 3.0",
            "density = 3.0",
            43,
            &["inertia of body \"ball\" needs mass"],
        ),
        ("inertia = 0.1", "inertia = [1, 1, 1]", 43, &["one number in 2D"]),
        (
            "angle = 0.1",
            "angle = 0.1\nangle_degrees = 3",
            47,
            &["contradicts angle"],
        ),
        (
            "angle = 0.1",
            "rotation = { axis = [0, 0, 1], angle = 1 }",
            46,
            &["is for 3D", "angle"],
        ),
        ("angle = 0.1", "gyroscopic = \"implicit\"", 46, &["omitted"]),
        (
            "drive = { x = 0.1 }",
            "drive = { z = 0.1 }",
            47,
            &["does not exist in 2D", "x, y, spin"],
        ),
        (
            "drive = { x = 0.1 }",
            "drive = { x = 0.1 }\nvelocity = [1, 0]",
            47,
            &["starts at 1"],
        ),
        (
            "load = { y = 1.0 }",
            "load = { moment_x = 1.0 }",
            48,
            &["does not exist in 2D", "x, y, moment"],
        ),
        (
            "shape.disk.radius = 0.1",
            "shape.sphere.radius = 1",
            44,
            &["no shape of dimension 2", "disk, line, polygon, box"],
        ),
        (
            "[\"stones\", \"stones\"]",
            "[\"stones\", \"stoens\"]",
            50,
            &["no body is in group \"stoens\"", "Did you mean"],
        ),
        ("[\"stones\", \"stones\"]", "[\"stones\"]", 50, &["two groups"]),
        (
            "[\"stones\", \"ground\"]",
            "[\"stones\", \"stones\"]",
            53,
            &["repeats law number 1"],
        ),
        (
            "inelastic.friction = 0.5\n",
            "",
            49,
            &["names no law", "inelastic, restitution"],
        ),
        (
            "body = \"block\"",
            "body = \"blok\"",
            57,
            &["no body", "Did you mean \"block\"?"],
        ),
        ("name = \"top\"", "name = \"../top\"", 56, &["names a file"]),
        ("\"angle\"]", "\"orientation\"]", 58, &["use \"angle\""]),
        ("\"angle\"]", "\"position\"]", 58, &["repeats"]),
    ];
    for (old, new, line, words) in cases {
        refused(PLANE, old, new, *line, words);
    }
    let sphere = (
        "sphere.radius = 0.2",
        "disk.radius = 0.2",
        8,
        &["no shape of dimension 3", "sphere, plane, box"][..],
    );
    let cases: &[(&str, &str, usize, &[&str])] = &[
        sphere,
        ("axis = [0, 0, 1]", "axis = [0, 0, 0]", 13, &["no direction"]),
        (", angle = 0.1", "", 13, &["needs angle"]),
        (
            "rotation = {",
            "orientation_wxyz = [1, 0, 0, 0]\nrotation = {",
            13,
            &["contradicts rotation"],
        ),
        ("[1, 0, 0, 0]", "[1, 1, 0, 0]", 20, &["unit quaternion"]),
        (
            "spin_x = 1.0",
            "spin = 1.0",
            19,
            &["does not exist in 3D", "spin_x"],
        ),
        ("spin = [0, 0, 1]", "spin = 1", 22, &["array of 3 numbers"]),
        (
            "orientation_wxyz = [1, 0, 0, 0]",
            "angle = 1",
            20,
            &["is for 2D", "rotation"],
        ),
    ];
    for (old, new, line, words) in cases {
        refused(SPACE, old, new, *line, words);
    }
}

#[test]
fn shapes_that_are_none() {
    let cases: &[(&str, &str, usize, &[&str])] = &[
        (
            "[0, 0], [1, 0], [0, 1]",
            "\n[0, 0], \n[2, 0], \n[0.5, 0.5], \n[0, 2]",
            29,
            &["not convex"],
        ),
        ("[0, 0], [1, 0], [0, 1]", "[0, 0], [1, 0]", 26, &["at least 3"]),
        (
            "[0, 0], [1, 0], [0, 1]",
            "[0, 0], [1, 0], [2, 0]",
            26,
            &["shapes.wedge.polygon"],
        ),
    ];
    for (old, new, line, words) in cases {
        refused(PLANE, old, new, *line, words);
    }
    let open = "[0, 0, 3]]\npolyhedron.faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2]]";
    refused(SPACE, "[0, 0, 3]]", open, 7, &["open", "shapes.skew.polyhedron"]);
    refused(SPACE, "[0, 0, 3]]", "[0, 0, 3], [0.1, 0.1, 0.1]]", 6, &["inside"]);
    refused(SPACE, "[0, 0, 3]]", "[1, 2, 0]]", 6, &["flat"]);
}

#[test]
fn partial_spin_about_axes_that_are_not_principal() {
    let drive = "rotation = { axis = [0, 0, 1], angle = 0.1 }";
    let line = format!("{drive}\ndrive = {{ spin_x = 1.0 }}");
    refused(
        SPACE,
        drive,
        &line,
        14,
        &["drive of body \"skew\"", "not principal"],
    );
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
    refused(
        PLANE,
        law,
        "",
        32,
        &["no law between the bodies of group \"stones\" (such as \"block\")"],
    );
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
    let text = PLANE
        .replace("theta = 0.5", "theta = 7")
        .replace("mass = 3.0", "mass = -1")
        .replace("2600", "-1");
    let error = Scene::parse(&text, "scene.toml").map(|_| ()).unwrap_err();
    assert_eq!(error.line, Some(6), "{error}");
}

#[test]
fn a_generated_scene_is_located_in_the_file_it_would_be() {
    let mut spec = SceneSpec::new(2, 1e-3, 1.0);
    spec.bodies.push(BodySpec {
        density: Some(f64::NAN),
        ..BodySpec::new("a", ShapeSpec::Disk { radius: 1.0 })
    });
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
            format!(
                "body = [{{ shape = {}1{} }}]",
                "{ disk = ".repeat(depth),
                "}".repeat(depth)
            ),
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
    assert!(
        error
            .to_string()
            .starts_with("no-such-scene.toml: the scene cannot be read"),
        "{error}"
    );
    assert_eq!(error.line, None);
}
