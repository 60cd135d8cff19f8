//! Names that lead nowhere, and keys that contradict each other.

use super::{PLANE, SPACE, refused};

#[test]
fn names_and_contradictions() {
    let cases: &[(&str, &str, usize, &[&str])] = &[
        ("[materials.stone]", "[standing]\nbodies = [\"blcok\"]\n[materials.stone]", 22, &["\"block\"?"]),
        ("[materials.stone]", "[standing]\nbodies = []\n[materials.stone]", 22, &["a body or a group"]),
        ("[materials.stone]", "[standing]\ndisplacement = 0\n[materials.stone]", 22, &["greater than 0"]),
        ("material = \"stone\"", "material = \"stoen\"", 35, &["no material", "Did you mean \"stone\"?"]),
        ("material = \"stone\"\n", "", 32, &["body \"block\" is free to move but has no mass"]),
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
        ("name = \"block\"", "name = \"floor\"", 33, &["taken by body number 1"]),
        ("name = \"block\"", "name = \"\"", 33, &["name"]),
        ("name = \"ball\"\ngroup = \"stones\"", "name = \"ball\"\ngroup = \"*\"", 41, &["any group"]),
        ("fixed = true\n", "", 30, &["fills half of space", "fixed = true"]),
        ("fixed = true\n", "drive = { x = 1, y = 1 }\n", 30, &["fills half of space"]),
        ("fixed = true", "fixed = true\ndrive.x = 1", 32, &["contradicts fixed"]),
        ("fixed = true", "fixed = true\nvelocity = [1, 0]", 31, &["contradicts velocity"]),
        ("mass = 3.0", "density = 3.0", 43, &["inertia of body \"ball\" needs mass"]),
        ("inertia = 0.1", "inertia = [1, 1, 1]", 43, &["one number in 2D"]),
        ("angle = 0.1", "angle = 0.1\nangle_degrees = 3", 47, &["contradicts angle"]),
        ("angle = 0.1", "rotation = { axis = [0, 0, 1], angle = 1 }", 46, &["is for 3D", "angle"]),
        ("angle = 0.1", "gyroscopic = \"implicit\"", 46, &["omitted"]),
        ("drive = { x = 0.1 }", "drive = { z = 0.1 }", 47, &["does not exist in 2D", "x, y, spin"]),
        ("drive = { x = 0.1 }", "drive = { x = 0.1 }\nvelocity = [1, 0]", 47, &["starts at 1"]),
        ("load = { y = 1.0 }", "load = { moment_x = 1.0 }", 48, &["does not exist in 2D", "x, y, moment"]),
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
        ("[\"stones\", \"ground\"]", "[\"stones\", \"stones\"]", 53, &["repeats law number 1"]),
        ("inelastic.friction = 0.5\n", "", 49, &["names no law", "inelastic, restitution"]),
        ("body = \"block\"", "body = \"blok\"", 57, &["no body", "Did you mean \"block\"?"]),
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
        ("rotation = {", "orientation_wxyz = [1, 0, 0, 0]\nrotation = {", 13, &["contradicts rotation"]),
        ("[1, 0, 0, 0]", "[1, 1, 0, 0]", 20, &["unit quaternion"]),
        ("spin_x = 1.0", "spin = 1.0", 19, &["does not exist in 3D", "spin_x"]),
        ("spin = [0, 0, 1]", "spin = 1", 22, &["array of 3 numbers"]),
        ("orientation_wxyz = [1, 0, 0, 0]", "angle = 1", 20, &["is for 2D", "rotation"]),
    ];
    for (old, new, line, words) in cases {
        refused(SPACE, old, new, *line, words);
    }
}

#[test]
fn probes_watch_one_thing_that_is_there_and_what_it_has() {
    let probe = "body = \"block\"\nquantities = [\"position\", \"angle\"]";
    let cases: &[(&str, usize, &[&str])] = &[
        ("body = \"blok\"", 57, &["names no body: \"blok\"", "\"block\""]),
        ("group = \"stone\"", 57, &["names no group: \"stone\"", "\"stones\""]),
        ("tie = \"wire\"", 57, &["names no tie: \"wire\""]),
        ("quantities = [\"mass\"]", 55, &["must say what it watches"]),
        ("body = \"block\"\ntie = \"wire\"", 55, &["several things to watch"]),
        ("body = \"block\"\nquantities = [\"tension\"]", 58, &["is not of a whole body"]),
        ("group = \"stones\"\nquantities = [\"spin\"]", 58, &["is not of a group"]),
        ("group = \"stones\"\nquantities = [\"mass\", \"mass\"]", 58, &["repeats an earlier"]),
    ];
    for (new, line, words) in cases {
        refused(PLANE, probe, new, *line, words);
    }
}
