//! Numbers out of their range, and vectors of the wrong length.

use super::{PLANE, SPACE, refused};

#[test]
fn numbers_out_of_range() {
    let cases: &[(&str, &str, usize, &[&str])] = &[
        ("dimension = 2\n", "dimension = 4\n", 1, &["must be 2 or 3, found 4"]),
        ("gravity = [0.0, -9.81]", "gravity = [0, 0, -9.81]", 2, &["gravity must have 2 numbers, found 3"]),
        ("step = 1e-3", "step = 0", 4, &["time.step must be greater than 0, found 0"]),
        ("step = 1e-3", "step = -1", 4, &["greater than 0"]),
        ("duration = 2.0", "duration = -2.0", 5, &["greater than 0"]),
        ("duration = 2.0", "duration = 1e20", 5, &["steps", "1e12"]),
        ("duration = 2.0", "duration = 1e-5", 5, &["at least one step"]),
        ("theta = 0.5", "theta = 0.3", 6, &["from 0.5 to 1, found 0.3"]),
        ("tolerance = 1e-8", "tolerance = 0.0", 9, &["greater than 0 and less than 1"]),
        ("max_iterations = 1000", "max_iterations = 0", 10, &["at least 1"]),
        ("relaxation = 1.0", "relaxation = 2.0", 11, &["less than 2"]),
        (
            "[detection]",
            "[solver.auto]\nrental_share = 0\n[detection]",
            15,
            &["solver.auto.rental_share must be greater than 0 and at most 1, found 0"],
        ),
        (
            "[detection]",
            "[solver.auto]\nlast_call = 0\n[detection]",
            15,
            &["solver.auto.last_call", "at least 1"],
        ),
        ("[detection]", "[solver.auto]\nlanes_ns = 7\n[detection]", 15, &["lanes_ns"]),
        ("alert = 0.1", "alert = -0.1", 15, &["from 0 to 10"]),
        ("alert = 0.1", "grazing = 0.1", 15, &["detection.grazing", "from 0 to 0.01, found 0.1"]),
        ("alert = 0.1", "skin = 11", 15, &["detection.skin", "from 0 to 10, found 11"]),
        ("alert = 0.1", "skin = 0.2\n[cell]\nx = 9", 15, &["detection.skin", "0 in a periodic cell"]),
        ("[output]", "[cell]\nx = 0\n[output]", 17, &["cell.x must be greater than 0, found 0"]),
        ("[output]", "[cell]\nx = 9\ny = 9\n[output]", 18, &["cell.y", "vertical in 2D"]),
        ("[output]", "[cell]\n[output]", 16, &["cell", "give the period x"]),
        ("[output]", "[cell]\nx = 9\norigin = [0]\n[output]", 18, &["cell.origin", "2 numbers"]),
        ("interval = 0.02", "interval = 1e-4", 17, &["at least one step of 0.001 s"]),
        ("speed = 1e-4", "speed = 0", 19, &["greater than 0"]),
        ("steps = 20", "steps = 0", 20, &["at least 1"]),
        ("density = 2600", "density = 0", 22, &["materials.stone.density must be greater than 0"]),
        ("density = 2600", "density = 1e200", 22, &["from 1e-30 to 1e30"]),
        (
            "box.size = [0.2, 0.1]",
            "box.size = [0.2, -0.1]",
            24,
            &["box.size[1] must be greater than 0, found -0.1"],
        ),
        ("box.size = [0.2, 0.1]", "box.size = [0.2]", 24, &["2 numbers, found 1"]),
        (
            "position = [0.0, 0.05]",
            "position = [0.0, 0.05, 0]",
            37,
            &["position of body \"block\"", "2 numbers"],
        ),
        ("velocity = [0, 0]", "velocity = [0, 1e31]", 38, &["velocity[1]", "at most 1e30"]),
        ("mass = 3.0", "mass = -3.0", 42, &["mass of body \"ball\" must be greater than 0"]),
        ("inertia = 0.1", "inertia = 0", 43, &["greater than 0"]),
        ("shape.disk.radius = 0.1", "shape.disk.radius = -1", 44, &["shape.disk.radius of body \"ball\""]),
        ("inelastic.friction = 0.5", "inelastic.friction = -0.5", 51, &["0 or greater, found -0.5"]),
        ("normal = 0.5", "normal = 1.5", 54, &["from 0 to 1, found 1.5"]),
    ];
    for (old, new, line, words) in cases {
        refused(PLANE, old, new, *line, words);
    }
}

#[test]
fn tensors_that_are_none() {
    let cases: &[(&str, &[&str])] = &[
        ("0.1", &["array of 3 numbers or of 3 rows in 3D"]),
        ("[1, 1]", &["must have 3 numbers, found 2"]),
        ("[[1, 0, 0], [0, 1, 0]]", &["must have 3 rows, found 2"]),
        ("[[1, 0, 0], [0, 1], [0, 0, 1]]", &["inertia[1]", "3 numbers, found 2"]),
        ("[[1, 0, 0], 2, [0, 0, 1]]", &["mixes numbers and rows"]),
        ("[[1, 0, 0], [0, 1, 0], [0, true, 1]]", &["inertia[2][1]", "a number"]),
        ("[[1, 0, 0], [0, nan, 0], [0, 0, 1]]", &["inertia[1][1]", "finite"]),
        ("[[1, 0, 0], [0, 0, 0], [0, 0, 1]]", &["inertia[1][1]", "greater than 0, found 0"]),
        ("[[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]", &["inertia[1][0]", "symmetric, found 0.1 and 0.2"]),
        ("[[1, 1, 0], [1, 1, 0], [0, 0, 1]]", &["principal moments greater than 0"]),
        ("[[1e-30, 1e30, 0], [1e30, 1e-30, 0], [0, 0, 1]]", &["principal moments greater than 0"]),
    ];
    for (given, words) in cases {
        let new = format!("shape = \"skew\"\nmass = 1\ninertia = {given}");
        refused(&SPACE.replacen("density = 1000\n", "", 1), "shape = \"skew\"", &new, 13, words);
    }
}
