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
            "shape.cluster.shapes = [{ shape.disk.radius = 0.1 }]",
            11,
            "allowed shapes: disk, box",
        ),
        ("material = \"rubber\"\nshape", "density = 1.0\nshape", 9, "contradicts deform"),
        ("size = 0.1\nhold", "size = 0.1\nelement = \"H8\"\nhold", 13, "does not exist in 2D"),
        ("shape.box", "fixed = true\nshape.box", 10, "contradicts deform"),
        ("duration = 1.0", "duration = 1.0, drift = \"projection\"", 11, "not projected"),
        ("hold = [{ group = \"left\" }]", "load = [{ group = \"top\" }]", 13, "loads nothing"),
        ("density = 1000", "density = 1000\nretardation = -1", 5, "from 0 to 1000000"),
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
        (
            "[[law]]",
            "[[outlet]]\nname = \"pit\"\naxis = \"y\"\nbelow = -1\n[[law]]",
            14,
            "no body is removed where one of them is",
        ),
        (
            "[[law]]",
            "[[stage]]\nname = \"a\"\nduration = 1\nremove = [\"soft\"]\n[[law]]",
            17,
            "no body is removed where one of them is",
        ),
    ];
    for (from, to, line, words) in cases {
        let text = SOFT.replacen(from, to, 1);
        assert_ne!(&text, SOFT, "{from}");
        let error = Scene::parse(&text, "soft.toml").err().unwrap_or_else(|| panic!("accepted: {to}"));
        assert!(error.to_string().contains(words), "{to}: {error}");
        assert_eq!(error.line, Some(*line), "{to}: {error}");
    }
}

const AXIS: &str = r#"dimension = 2
gravity = [0.0, -9.81]
time = { step = 1e-3, duration = 1.0 }
materials.rubber = { density = 1000, young = 1e6, poisson = 0.3 }
[[body]]
name = "plane"
shape.line = {}
fixed = true
[[body]]
name = "soft"
material = "rubber"
shape.box.size = [0.4, 0.2]
position = [0.2, 0.1]
velocity = [0.0, -1.0]
[body.deform]
size = 0.1
plane = "axisymmetric"
load = [{ group = "top", force = [0.0, -1.0] }]
[[law]]
between = ["*", "*"]
inelastic.friction = 0.5
"#;

#[test]
fn what_cannot_go_around_an_axis_or_be_without_inertia_is_refused_at_its_line() {
    let drystone::AnySimulation::Plane(simulation) =
        Scene::parse(AXIS, "axis.toml").unwrap().build().unwrap()
    else {
        panic!()
    };
    let mass = 1000.0 * std::f64::consts::PI * 0.4 * 0.4 * 0.2;
    assert!((simulation.bodies().mass[1][1] / mass - 1.0).abs() < 1e-12);
    let drop = "velocity = [0.0, -1.0]\n";
    let held = AXIS.replacen(drop, "", 1).replacen("plane = ", "hold = [{ group = \"top\" }]\nplane = ", 1);
    let ball = "[[body]]\nname = \"ball\"\nmass = 1\nshape.disk.radius = 0.1\nposition = [0.0, 1.0]\n";
    let plate = ball.replacen("mass = 1", "density = 1\ndrive = { x = 0, spin = 0 }", 1);
    let soft = "[[body]]\nname = \"soft\"";
    let cases: &[(&str, &str, usize, &str)] = &[
        ("position = [0.2, 0.1]", "position = [0.1, 0.1]", 15, "negative radius"),
        ("velocity = [0.0, -1.0]", "velocity = [0.1, -1.0]", 14, "away from the axis"),
        ("velocity = [0.0, -1.0]", "spin = 1.0", 14, "moves along y"),
        ("velocity = [0.0, -1.0]", "load = { y = 1.0 }", 14, "take deform.load"),
        ("force = [0.0, -1.0]", "force = [1.0, 0.0]", 18, "give pressure"),
        ("gravity = [0.0, -9.81]", "gravity = [1.0, 0.0]", 2, "along y"),
        (soft, &format!("{ball}{soft}"), 9, "beside a body of revolution, \"soft\""),
        (soft, &format!("{plate}{soft}"), 9, "give mass"),
        ("plane = \"axi", "quasi_static = true\nplane = \"axi", 17, "move as a whole"),
        ("1e6, poisson", "1e6, law = \"neo-hookean\", poisson", 0, ""),
        ("plane = \"axi", "quasi_static = 1\nplane = \"axi", 17, "true or false"),
        (
            "[[law]]",
            "[[tie]]\nname = \"pin\"\nbodies = [\"plane\", \"soft\"]\nkind = \"pin\"\nat = [0.0, 0.0]\n[[law]]",
            19,
            "goes around an axis",
        ),
    ];
    for (from, to, line, words) in cases {
        let text = AXIS.replacen(from, to, 1);
        assert_ne!(&text, AXIS, "{from}");
        let parsed = Scene::parse(&text, "axis.toml");
        if *line == 0 {
            parsed.unwrap().build().unwrap();
            continue;
        }
        let error = parsed.err().unwrap_or_else(|| panic!("accepted: {to}"));
        assert!(error.to_string().contains(words), "{to}: {error}");
        assert_eq!(error.line, Some(*line), "{to}: {error}");
    }
    let held = held.replacen("plane = ", "quasi_static = true\nplane = ", 1);
    Scene::parse(&held, "held.toml").unwrap().build().unwrap();
    let rubber = AXIS.replacen("plane = ", "quasi_static = true\nplane = ", 1).replacen(
        "1e6, poisson",
        "1e6, law = \"neo-hookean\", poisson",
        1,
    );
    let error = Scene::parse(&rubber, "rubber.toml").err().unwrap();
    assert!(error.to_string().contains("needs hold") && error.line == Some(17), "{error}");
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

/// What is held of a body that has no rigid motion are points within its mesh.
#[test]
fn ties_hold_nothing_but_points_of_a_mesh_that_is_held() {
    let tied = |kind: &str, at: &str| {
        let tie = format!(
            "[[tie]]\nname = \"grip\"\nbodies = [\"soft\", \"ground\"]\nkind = \"{kind}\"\nat = {at}\n"
        );
        Scene::parse(&format!("{SOFT}{tie}"), "soft.toml")
    };
    tied("pin", "[0.1, 0.0]").unwrap().build().unwrap();
    for (kind, at, words) in [
        ("fixed", "[0.1, 0.0]", "more than a point of \"soft\""),
        ("pin", "[0.1, 0.06]", "outside of the mesh of \"soft\""),
    ] {
        let error = tied(kind, at).err().unwrap_or_else(|| panic!("accepted: {kind} {at}"));
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.line == Some(17) && !error.to_string().contains("tie tie"), "{error}");
    }
}

/// How grains deform is refused where it is written.
#[test]
fn what_grains_cannot_is_refused_at_its_line() {
    let sample = "[[sample]]\nname = \"disk\"\nmaterial = \"rubber\"\n\
                  grains.region.box = { low = [1.0, 0.0], high = [1.4, 0.4] }\ngrains.sizes.mono.radius = 0.05\n\
                  grains.packing.growth = {}\ngrains.solid_fraction = 0.4\ngrains.deform.size = 0.02\n";
    let scene = format!("{SOFT}{sample}");
    Scene::parse(&scene, "grains.toml").unwrap();
    for (size, words) in
        [("-1", "grains.deform.size of sample \"disk\" must be"), ("1e-7", "at most 1000000 are allowed")]
    {
        let error = Scene::parse(&scene.replacen("size = 0.02", &format!("size = {size}"), 1), "grains.toml");
        let error = error.err().unwrap_or_else(|| panic!("accepted: {size}"));
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.line, Some(24), "{error}");
    }
}
