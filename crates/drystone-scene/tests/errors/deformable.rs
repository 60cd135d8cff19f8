//! Deformable bodies that cannot be.

use drystone_scene::Scene;

const SOFT: &str = r#"dimension = 2
time = { step = 1e-3, duration = 1.0 }
[materials.rubber]
density = 1000
young = 1e6
poisson = 0.3
[[body]]
name = "soft"
material = "rubber"
shape.box.size = [0.4, 0.1]
[body.deform]
size = 0.1
hold = [{ group = "left" }]
[[law]]
between = ["*", "*"]
inelastic.friction = 0.5
"#;

#[test]
fn what_cannot_deform_is_refused_at_its_line() {
    Scene::parse(SOFT, "soft.toml").unwrap().build().unwrap();
    let cases: &[(&str, &str, usize, &str)] = &[
        ("poisson = 0.3", "poisson = 0.5", 6, "greater than -1 and less than 0.5, found 0.5"),
        ("young = 1e6", "young = -1.0", 5, "materials.rubber.young must be greater than 0"),
        ("young = 1e6\n", "", 10, "needs young and poisson in materials.rubber"),
        ("size = 0.1\nhold", "size = 0\nhold", 12, "greater than 0"),
        ("size = 0.1\nhold", "size = 1e-5\nhold", 12, "at most 1000000 are allowed"),
        ("group = \"left\"", "group = \"lift\"", 13, "\"left\""),
        ("{ group = \"left\" }", "{ group = \"left\", axes = [\"z\"] }", 13, "names no axis"),
        (
            "hold = [{ group = \"left\" }]",
            "hold = [{ group = \"left\" }, { group = \"right\" }, { group = \"top\" }, { group = \"bottom\" }]",
            13,
            "leaves no node free",
        ),
        (
            "shape.box.size = [0.4, 0.1]",
            "shape.capsule = { length = 1, radius = 1 }",
            11,
            "allowed shapes: disk, box",
        ),
        ("material = \"rubber\"\nshape", "density = 1.0\nshape", 9, "contradicts deform"),
        ("size = 0.1\nhold", "size = 0.1\nelement = \"H8\"\nhold", 13, "does not exist in 2D"),
        ("shape.box", "fixed = true\nshape.box", 10, "contradicts deform"),
        ("duration = 1.0", "duration = 1.0, drift = \"projection\"", 11, "not projected"),
        ("hold = [{ group = \"left\" }]", "load = [{ group = \"top\" }]", 13, "loads nothing"),
        ("density = 1000", "density = 1000\nretardation = -1", 5, "0 or greater"),
        ("young = 1e6", "law = \"neo-hookean\"", 3, "needs young, as law = \"neo-hookean\" does"),
        (
            "density = 1000",
            "density = 1000\nlaw = \"neo-hookean\"\nretardation = 1",
            6,
            "means nothing with law",
        ),
        ("density = 1000", "density = 1000\nlaw = \"plastic\"", 3, "needs yield_stress"),
        (
            "young = 1e6\npoisson = 0.3",
            "law = \"mooney-rivlin\"\nc10 = 0\nc01 = 0\nbulk = 1e6",
            6,
            "one of the two",
        ),
        ("density = 1000", "density = 1000\nlaw = \"rubber\"", 5, "neo-hookean"),
        ("density = 1000", "density = 1000\nyield_stress = 1e5", 5, "means nothing with law = \"elastic\""),
        ("inelastic.friction", "restitution.normal = 0.5\nrestitution.friction", 14, "gives restitution"),
        (
            "[[law]]",
            "[[probe]]\nname = \"a\"\nbody = \"soft\"\ngroup = \"lift\"\nquantities = [\"reaction\"]\n[[law]]",
            17,
            "\"left\"",
        ),
        (
            "[[law]]",
            "[[probe]]\nname = \"a\"\nbody = \"soft\"\ngroup = \"left\"\n[[law]]",
            14,
            "of whole bodies",
        ),
        (
            "[[law]]",
            "[[probe]]\nname = \"a\"\nbody = \"soft\"\nquantities = [\"reaction\"]\n[[law]]",
            17,
            "give group or near",
        ),
        (
            "[[law]]",
            "[[probe]]\nname = \"a\"\nbody = \"soft\"\nnear = [0.0]\nquantities = [\"position\"]\n[[law]]",
            17,
            "2",
        ),
        (
            "[[law]]",
            "[[probe]]\nname = \"a\"\nbody = \"soft\"\nnear = [0.0, 0.0]\ngroup = \"left\"\nquantities = [\"position\"]\n[[law]]",
            17,
            "contradicts group",
        ),
        ("[materials", "solver.newton_halvings = 21\n[materials", 3, "at most 20, found 21"),
    ];
    for (from, to, line, words) in cases {
        let text = SOFT.replacen(from, to, 1);
        assert_ne!(&text, SOFT, "{from}");
        let error = Scene::parse(&text, "soft.toml").err().unwrap_or_else(|| panic!("accepted: {to}"));
        assert!(error.to_string().contains(words), "{to}: {error}");
        assert_eq!(error.line, Some(*line), "{to}: {error}");
    }
}

/// Two quadrangles beside each other, with groups, as Abaqus writes them, in millimetres.
const STRIP: &str = "*NODE
1, 0, 0
2, 100, 0
3, 200, 0
4, 0, 100
5, 100, 100
6, 200, 100
*ELEMENT, TYPE=CPE4, ELSET=ALL
1, 1, 2, 5, 4
2, 2, 3, 6, 5
*NSET, NSET=LEFT
1, 4
*SURFACE, NAME=TOP
1, S3
2, S3
";

const MESHED: &str = r#"dimension = 2
gravity = [0.0, 0.0]
time = { step = 1e-3, duration = 1.0 }
materials.rubber = { density = 1000, young = 1e6, poisson = 0.3 }
[[body]]
name = "soft"
material = "rubber"
shape.elements = { file = "strip.inp", unit = "mm" }
deform = { hold = [{ group = "LEFT" }], load = [{ group = "TOP", pressure = 1e3 }] }
[[law]]
between = ["*", "*"]
inelastic.friction = 0.5
"#;

#[test]
fn elements_come_from_files_and_their_faults_are_told_at_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let read = |scene: &str, strip: &str| {
        std::fs::write(folder.path().join("strip.inp"), strip).unwrap();
        std::fs::write(folder.path().join("scene.toml"), scene).unwrap();
        Scene::from_file(folder.path().join("scene.toml"))
    };
    let scene = read(MESHED, STRIP).unwrap();
    let drystone::AnySimulation::Plane(mut simulation) = scene.build().unwrap() else { panic!() };
    assert!((simulation.bodies().mass[0][0] - 1000.0 * 0.2 * 0.1).abs() < 1e-12);
    simulation.step();
    let state = simulation.solids().state(0).unwrap();
    let pushed: f64 = state.velocity.iter().skip(1).step_by(2).sum();
    assert!(pushed < 0.0, "{:?}", state.velocity);
    // what was read stands alone
    let written = scene.to_toml();
    std::fs::remove_file(folder.path().join("strip.inp")).unwrap();
    let again = Scene::parse(&written, "again.toml").unwrap();
    let drystone::AnySimulation::Plane(mut alone) = again.build().unwrap() else { panic!() };
    alone.step();
    assert_eq!(alone.state_hash(), simulation.state_hash());
    let cases: &[(&str, &str, &str, usize, &str)] = &[
        ("", "1, 1, 2, 5, 4", "1, 4, 5, 2, 1", 9, "inverted"),
        ("", "1, 1, 2, 5, 4", "1, 1, 5, 2, 4", 9, "tangled"),
        ("", "5, 100, 100", "5, 100, 0", 9, "degenerate"),
        ("", "6, 200, 100", "6, 200, 100\n7, 5, 5", 9, "belongs to no element"),
        ("", "TYPE=CPE4", "TYPE=S9R5", 8, "strip.inp"),
        ("unit = \"mm\"", "unit = \"km\"", "", 9, "unit"),
        (", unit = \"mm\"", "", "", 8, "have no unit"),
        ("strip.inp", "strip.stl", "", 8, ".msh, .vtu, .inp"),
        ("\"LEFT\"", "\"LIFT\"", "", 9, "\"LEFT\""),
        ("{ hold", "{ size = 0.1, hold", "", 9, "contradicts a shape of elements"),
        (
            "deform = { hold = [{ group = \"LEFT\" }], load = [{ group = \"TOP\", pressure = 1e3 }] }\n",
            "",
            "",
            8,
            "add deform",
        ),
        ("poisson = 0.3", "poisson = 0.5", "", 4, "less than 0.5"),
        ("young = 1e6", "young = -1e6", "", 4, "greater than 0"),
        ("group = \"LEFT\"", "group = \"ALL\"", "", 9, "leaves no node free"),
    ];
    for (from, to, strip, line, words) in cases {
        // without a place in the scene the file is changed
        let (scene, file) = match from.is_empty() {
            true => (MESHED.to_owned(), STRIP.replacen(to, strip, 1)),
            false => (MESHED.replacen(from, to, 1), STRIP.to_owned()),
        };
        assert!(scene != MESHED || file != STRIP, "{from} {to}");
        let error = read(&scene, &file).err().unwrap_or_else(|| panic!("accepted: {from} {to}"));
        assert!(error.to_string().contains(words), "{from} {to}: {error}");
        assert_eq!(error.line, Some(*line), "{from} {to}: {error}");
    }
}
