//! Unknown keys, wrong types, and text that is no TOML.

use super::{PLANE, refused};

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
        (
            "theta = 0.5\n",
            "gravity = [0, 0]\n",
            6,
            &["unknown key \"gravity\" in time", "above the first [table]"],
        ),
        ("theta = 0.5\n", "solver.seed = 1\n", 6, &["unknown key \"solver\" in time", "[solver]"]),
        ("step = 1e-3\n", "", 3, &["missing key \"step\" in time"]),
        ("step = 1e-3\n", "step = \"fast\"\n", 4, &["time.step must be a number, found the string \"fast\""]),
        ("step = 1e-3\n", "step = 1e400\n", 4, &["finite", "1e400"]),
        ("step = 1e-3\n", "step = nan\n", 4, &["finite", "nan"]),
        ("[time]\n", "[time]\nstep = 1\n", 5, &["duplicate key"]),
        ("theta = 0.5\n", "theta = \n", 6, &[]),
        (
            "method = \"nlgs\"",
            "method = \"nlsg\"",
            8,
            &[
                "\"nlsg\"",
                "allowed: nlgs, accelerated, anderson, proximal, interior, jacobi, cpg, apgd, admm, uzawa, auto",
                "Did you mean \"nlgs\"?",
            ],
        ),
        ("method = \"nlgs\"", "method = { nlgs = 1 }", 8, &["a string"]),
        ("max_iterations = 1000", "max_iterations = 1.5", 10, &["whole number", "1.5"]),
        ("max_iterations = 1000", "max_iterations = 5000000000", 10, &["4294967295"]),
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
        ("box.size = [0.2, 0.1]", "box = [0.2, 0.1]", 24, &["must be a table, found an array"]),
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
        ("shape.line = {}", "shape = 3", 30, &["the name of a shape or a table", "found 3"]),
        ("fixed = true", "fixed = \"yes\"", 31, &["true or false"]),
        ("group = \"stones\"\nmaterial", "grup = \"stones\"\nmaterial", 34, &["\"grup\" in body \"block\""]),
        (
            "drive = { x = 0.1 }",
            "drive = { spn = 0.1 }",
            47,
            &["\"spn\" in drive of body", "Did you mean \"spin\"?"],
        ),
        ("inertia = 0.1", "inertia = [1, true]", 43, &["inertia[1]", "a number"]),
        (
            "inelastic.friction = 0.5",
            "inelastic.fricton = 0.5",
            51,
            &["\"fricton\"", "the law between \"stones\""],
        ),
        ("inelastic.friction = 0.5", "elastic.friction = 0.5", 51, &["unknown key \"elastic\"", "inelastic"]),
        ("restitution = { normal = 0.5,", "restitution = { ", 54, &["missing key \"normal\""]),
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
