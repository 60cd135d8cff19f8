//! Samples in scene files: every kind becomes bodies that fit, the same ones for the same seed, and what
//! cannot be is refused with its line.

use drystone_scene::{Scene, check};

fn scene(dimension: usize, sample: &str) -> String {
    format!(
        "dimension = {dimension}\ntime = {{ step = 1e-3, duration = 0.1 }}\n[[sample]]\nname = \"one\"\ndensity = 2000\n\
         {sample}\n[[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.5\n"
    )
}

const BOX: &str = "grains.region.box = { low = [0, 0], high = [2, 1] }\n";
const CUBE: &str = "grains.region.box = { low = [0, 0, 0], high = [1, 1, 1] }\n";

fn plane(rest: &str) -> String {
    scene(2, &format!("{BOX}{rest}"))
}

fn space(rest: &str) -> String {
    scene(3, &format!("{CUBE}{rest}"))
}

/// Bodies of a scene; none of them overlap by more than rounding.
fn bodies(text: &str) -> usize {
    let scene = Scene::parse(text, "sample.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let report = check(&scene).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.overlap_count, 0, "{report}\n{text}");
    assert_eq!(Scene::parse(text, "again.toml").unwrap(), scene);
    let written = scene.to_toml();
    assert!(!written.contains("[[sample]]"));
    assert_eq!(Scene::parse(&written, "written.toml").unwrap(), scene);
    scene.bodies.len()
}

#[test]
fn every_packing_and_form_becomes_bodies() {
    let two = "grains.sizes.two = { small = 0.03, large = 0.05, share_of_large = 0.5 }\n";
    for form in [
        "",
        "grains.form.ball = {}",
        "grains.form.regular_polygon.sides = 5",
        "grains.form.random_polygon = { fewest = 4, most = 7, irregularity = 1 }",
        "grains.form.star = { points = 5 }",
        "grains.form.flake = { arms = 3 }",
        "grains.form.clump = { balls = 3 }",
    ] {
        let packing = "grains.packing.deposit = {}\ngrains.count = 30\n";
        assert_eq!(bodies(&plane(&format!("{two}{packing}{form}"))), 30);
    }
    let sizes = "grains.sizes.uniform = { smallest = 0.05, largest = 0.08, by = \"volume\" }\n";
    let packing = "grains.packing.random.gap = 0.001\n";
    for form in ["", "grains.form.polyhedron.faces = 8"] {
        let fraction = "grains.solid_fraction = 0.1\n";
        assert!(bodies(&space(&format!("{sizes}{packing}{fraction}{form}"))) > 30);
    }
    let clumps = "grains.count = 4\ngrains.form.clump = { balls = 4 }\n";
    assert_eq!(bodies(&space(&format!("{sizes}{packing}{clumps}"))), 4);
    let growth = "grains.packing.growth = {}\ngrains.solid_fraction = 0.7\n";
    assert!(bodies(&plane(&format!("{two}{growth}"))) > 100);
    let lattice = "grains.sizes.mono.radius = 0.1\ngrains.packing.lattice.kind = ";
    assert_eq!(bodies(&plane(&format!("{lattice}\"square\""))), 50);
    assert_eq!(bodies(&space(&format!("{lattice}\"cubic\""))), 125);
    let few = format!("{lattice}\"face_centred\"\ngrains.count = 20");
    assert_eq!(bodies(&space(&few)), 20);
}

#[test]
fn every_region_and_distribution_is_filled() {
    let grains = "grains.sizes.beta = { smallest = 0.04, largest = 0.08, a = 2, b = 3 }\ngrains.packing.deposit = {}\n";
    for (dimension, region) in [
        (2, "disk = { centre = [1, 1], radius = 0.5 }"),
        (2, "walls = { low = [0, 0], high = [1, 1], walls = [{ point = [1, 0], normal = [-1, 1] }] }"),
        (3, "sphere = { centre = [1, 1, 1], radius = 0.4 }"),
        (3, "cylinder = { centre = [1, 1, 1], radius = 0.3, height = 0.5 }"),
        (3, "drum = { centre = [1, 1, 1], radius = 0.3, length = 0.5 }"),
    ] {
        assert!(bodies(&scene(dimension, &format!("grains.region.{region}\n{grains}"))) > 8);
    }
    for sizes in [
        "log_normal = { median = 0.05, deviation = 0.3, smallest = 0.03, largest = 0.08 }",
        "sieve.points = [[0.06, 0], [0.1, 0.5], [0.16, 1]]",
    ] {
        let text = format!("grains.sizes.{sizes}\ngrains.packing.deposit = {{ tries = 2 }}\n");
        assert!(bodies(&plane(&text)) > 100);
    }
    let rough = "rough = { from = [0, 0], to = [2, 1], sizes.mono.radius = 0.05, scatter = 0.3 }";
    assert_eq!(bodies(&scene(2, rough)), 1);
    let rough = "rough = { from = [0, 0, 1], to = [1, 1, 1], sizes.mono.radius = 0.1 }";
    assert_eq!(bodies(&scene(3, rough)), 1);
}

#[test]
fn masonry_and_rock_become_stones() {
    let wall = "masonry.wall = { length = 2, courses = 4, stone_length = 0.5, course_height = 0.2, thickness = 0.5, bond = ";
    for (bond, stones) in [("stack", 16), ("running", 18), ("flemish", 36), ("english", 34)] {
        assert_eq!(bodies(&scene(3, &format!("{wall}\"{bond}\" }}"))), stones, "{bond}");
    }
    let arch = "masonry.arch = { span = 4, thickness_ratio = 0.15, voussoirs = 11";
    assert_eq!(bodies(&scene(2, &format!("{arch} }}"))), 11);
    assert_eq!(bodies(&scene(3, &format!("{arch}, depth = 1 }}"))), 11);
    for (dimension, text, stones) in [
        (2, "two_leaves = { courses = 6, thickness = 0.6, course_height = 0.2, bond_courses = 3 }", 10),
        (2, "battered = { height = 2, base = 0.8, top = 0.4, courses = 5 }", 10),
        (
            3,
            "barrel_vault = { span = 3, thickness = 0.3, voussoirs = 7, length = 2, stones = 3 }",
            4 * 3 + 3 * 4,
        ),
        (3, "dome = { radius = 2, thickness = 0.3, rings = 3, stones = 8 }", 25),
        (3, "column = { radius = 0.4, height = 3, drums = 5, capital = { height = 0.4, width = 1 } }", 7),
        (3, "column = { radius = 0.4, height = 3, drums = 5, sides = 12 }", 5),
    ] {
        assert_eq!(bodies(&scene(dimension, &format!("masonry.{text}"))), stones, "{text}");
    }
    let joints = "joints = [{ dip = 20, spacing = 0.5 }, { dip = 80, dip_direction = 90, spacing = 0.6 }]";
    assert!(bodies(&scene(3, &format!("rock = {{ low = [0, 0, 0], high = [2, 2, 2], {joints} }}"))) > 12);
    assert_eq!(bodies(&scene(2, "rock = { low = [0, 0], high = [2, 2], cells = 40, rounds = 1 }")), 40);
}

#[test]
fn names_groups_and_places_are_those_of_the_sample() {
    let text = plane("grains.sizes.mono.radius = 0.1\ngrains.packing.lattice.kind = \"hexagonal\"\n");
    let text = text
        .replace("density = 2000\n", "density = 2000\nposition = [5, 6]\nvelocity = [1, 0]\ngroup = \"g\"\n");
    let scene = Scene::parse(&text, "sample.toml").unwrap();
    let body = &scene.bodies[1];
    assert_eq!((body.name.as_str(), body.group.as_str()), ("one 2", "g"));
    assert_eq!(body.velocity.as_deref(), Some(&[1.0, 0.0][..]));
    assert!(body.position.as_ref().unwrap()[0] > 5.0 && body.position.as_ref().unwrap()[1] > 6.0);
    let other = |seed: u64| {
        let rest = "grains.sizes.mono.radius = 0.05\ngrains.packing.random = {}\ngrains.count = 20\n";
        Scene::parse(&plane(&format!("seed = {seed}\n{rest}")), "sample.toml").unwrap()
    };
    assert!(other(1) != other(2) && other(1) == other(1));
}

#[test]
fn files_make_bodies() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let path = folder.path().join("scene.toml");
    let read = |dimension: usize, sample: &str| {
        std::fs::write(&path, scene(dimension, sample)).unwrap();
        Scene::from_file(&path)
    };
    write("grains.csv", "# two grains\nx, y, radius, name, vx\n0, 1, 10, first, 0\n50, 1, 20,, 100\n");
    let scene = read(2, "table = { file = \"grains.csv\", unit = \"cm\" }").unwrap();
    assert_eq!(scene.body_names().collect::<Vec<_>>(), ["first", "one 2"]);
    assert_eq!(scene.bodies[1].position.as_deref(), Some(&[0.5, 0.01][..]));
    assert_eq!(scene.bodies[1].velocity.as_deref(), Some(&[1.0, 0.0][..]));
    for (table, word) in [
        ("x,y,radius\n0,1\n", "line 2"),
        ("x,y,radius\n0,1,oops\n", "column \"radius\""),
        ("x,radius\n0,1\n", "\"y\""),
        ("x,y,raduis\n0,1,2\n", "Did you mean \"radius\"?"),
        ("", "no heading"),
    ] {
        write("grains.csv", table);
        let error = read(2, "table = { file = \"grains.csv\" }").unwrap_err();
        assert!(error.line == Some(6) && error.message.contains(word), "{error}");
    }
    std::fs::create_dir(folder.path().join("stones")).unwrap();
    let tetrahedron = |x: f64| {
        format!("v {x} 0 0\nv {} 0 0\nv {x} 1 0\nv {x} 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", x + 1.0)
    };
    write("stones/b.obj", &tetrahedron(2.0));
    write("stones/a.obj", &tetrahedron(0.0));
    write("stones/notes.txt", "nothing");
    let scene = read(3, "meshes = { folder = \"stones\", unit = \"m\" }").unwrap();
    assert_eq!(scene.body_names().collect::<Vec<_>>(), ["one a.obj", "one b.obj"]);
    let error = read(3, "meshes = { folder = \"nowhere\", unit = \"m\" }").unwrap_err();
    assert!(error.message.contains("cannot be read"), "{error}");
    let grains = "grains.sizes.mono.radius = 0.05\ngrains.packing.growth = {}\ngrains.solid_fraction = 0.3\n\
                  grains.form.meshes.files = [\"stones/a.obj\"]\n";
    let inside = format!("grains.region.mesh = {{ file = \"stones/a.obj\", unit = \"m\" }}\n{grains}");
    let scene = read(3, &inside).unwrap();
    assert!(scene.bodies.len() > 50);
    // every grain lies in the tetrahedron with its whole sphere
    for body in &scene.bodies {
        let p = body.position.as_ref().unwrap();
        let slanted = (1.0 - p[0] - p[1] - p[2]) / 3f64.sqrt();
        assert!(p.iter().copied().fold(slanted, f64::min) > 0.05 - 1e-6, "{p:?}");
    }
}

/// The blocks of an assembly are bodies where the file has them, called after their nodes; its supports are
/// held, and a misspelt or spoiled file is told at its key.
#[test]
fn an_assembly_of_compas_is_a_sample() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    let read = |dimension: usize, sample: &str| {
        std::fs::write(&path, scene(dimension, sample)).unwrap();
        Scene::from_file(&path)
    };
    let arch = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/samples/arch.json");
    let text = std::fs::read_to_string(arch).unwrap();
    std::fs::write(folder.path().join("arch.json"), &text).unwrap();
    let read_arch =
        |unit: &str| read(3, &format!("assembly = {{ file = \"arch.json\", unit = \"{unit}\" }}"));
    let built = read_arch("m").unwrap();
    let names: Vec<&str> = built.body_names().collect();
    assert_eq!((names.len(), names[0], names[12]), (13, "one 0", "one 12"));
    let held: Vec<bool> = built.bodies.iter().map(|body| body.fixed).collect();
    assert_eq!(held.iter().filter(|held| **held).count(), 2);
    assert!(held[0] && held[12]);
    let report = check(&built).unwrap();
    assert_eq!(report.overlap_count, 0, "{report}");
    assert_ne!(read_arch("cm").unwrap().bodies, built.bodies);
    assert!(read(2, "assembly = { file = \"arch.json\", unit = \"m\" }").unwrap_err().message.contains("3D"));
    for (file, content, word) in [
        ("arch.json", text.replace("\"block\"", "\"bloc\""), "no block"),
        ("arch.json", "{}".to_owned(), "is allowed"),
    ] {
        std::fs::write(folder.path().join(file), content).unwrap();
        let error = read_arch("m").unwrap_err();
        assert!(error.line == Some(6) && error.message.contains(word), "{error}");
    }
    let error = read(3, "assembly = { file = \"nothing.json\", unit = \"m\" }").unwrap_err();
    assert!(error.line == Some(6) && error.message.contains("cannot be read"), "{error}");
}

#[test]
fn what_cannot_be_is_refused_with_its_line() {
    let mono = "grains.sizes.mono.radius = 0.05\n";
    let cases = [
        (
            plane(&format!("{mono}grains.packing.random.tries = 100\ngrains.solid_fraction = 0.7")),
            8,
            "the region is full",
        ),
        (
            plane(&format!("{mono}grains.packing.growth = {{}}\ngrains.solid_fraction = 0.99")),
            8,
            "do not fit: none above 0.93 does",
        ),
        (
            plane("grains.sizes.mono.radius = 0.6\ngrains.packing.deposit = {}\n"),
            8,
            "the region is too small",
        ),
        (plane("grains.sizes.mono.radius = -1\ngrains.packing.deposit = {}\n"), 7, "must be greater than 0"),
        (plane(&format!("{mono}grains.packing.growth = {{}}\n")), 8, "give count or solid_fraction"),
        (plane("grains.sizes.mono.radius = 1e-9\ngrains.packing.deposit = {}\n"), 8, "could fit"),
        (
            plane(&format!("{mono}grains.packing.deposit = {{}}\ngrains.form.polyhedron.faces = 8")),
            9,
            "for space",
        ),
        (plane(&format!("{mono}grains.packing.lattice.kind = \"cubic\"")), 8, "for space"),
        (
            scene(
                2,
                "grains.region.sphere = { centre = [0, 0, 0], radius = 1 }\ngrains.sizes.mono.radius = 1\ngrains.packing.deposit = {}",
            ),
            6,
            "for 3D",
        ),
        (
            scene(
                3,
                "masonry.wall = { length = 2, courses = 4, stone_length = 0.5, course_height = 0.2, bond = \"dutch\" }",
            ),
            6,
            "flemish",
        ),
        (
            scene(3, "masonry.wall = { length = 2, courses = 4, stone_length = 0.5, course_height = 0.2 }"),
            6,
            "needs thickness in 3D",
        ),
        (scene(2, "masonry.dome = { radius = 2, thickness = 0.3, rings = 3, stones = 8 }"), 6, "for 3D"),
        (scene(2, "rock = { low = [0, 0], high = [1, 1] }"), 6, "joints or cells"),
        (
            scene(2, "rock = { low = [0, 0], high = [1, 1], joints = [{ dip = 0, spacing = 0 }] }"),
            6,
            "greater than 0",
        ),
        (scene(2, "seed = 1"), 3, "give one of grains"),
        (scene(2, "table.file = \"nowhere.csv\""), 6, "cannot be read"),
        (
            scene(2, "material = \"m\"\nmasonry.arch = { span = 1, thickness = 0.1, voussoirs = 5 }"),
            3,
            "names no material",
        ),
    ];
    for (text, line, word) in cases {
        let error = Scene::parse(&text, "sample.toml").unwrap_err();
        let shown = error.to_string();
        assert!(shown.contains(word), "{shown}");
        assert_eq!(error.line, Some(line), "{shown}\n{text}");
    }
}

/// A million bodies from a short scene; seconds in a release build.
#[test]
fn a_million_grains_from_a_short_scene() {
    if std::env::var_os("DRYSTONE_SLOW").is_none() {
        return;
    }
    let text = "dimension = 3\ntime = { step = 1e-3, duration = 0.1 }\nlaw = [{ between = [\"*\", \"*\"], \
                inelastic.friction = 0.5 }]\n[[sample]]\nname = \"grain\"\ndensity = 2600\n\
                grains.region.box = { low = [0, 0, 0], high = [1, 1, 1] }\n\
                grains.sizes.uniform = { smallest = 0.003, largest = 0.005 }\n\
                grains.packing.lattice.kind = \"cubic\"\n";
    let scene = Scene::parse(text, "million.toml").unwrap();
    assert_eq!(scene.bodies.len(), 1_000_000);
}
