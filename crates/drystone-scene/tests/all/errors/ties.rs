//! Ties that make no sense.

use super::refused;

/// Line numbers below count in it.
const TIED: &str = r#"dimension = 2
time = { step = 1e-3, duration = 1.0 }
[[body]]
name = "a"
mass = 1.0
shape.disk.radius = 0.1
[[body]]
name = "b"
mass = 1.0
shape.disk.radius = 0.1
position = [1.0, 0.0]
[[body]]
name = "wall"
shape.box.size = [0.1, 0.1]
position = [2.0, 0.0]
fixed = true
[[law]]
between = ["*", "*"]
inelastic.friction = 0.5
[[tie]]
name = "pin"
kind = "pin"
bodies = ["a", "ground"]
at = [0.0, 0.0]
[[tie]]
name = "wire"
kind = "wire"
bodies = ["a", "b"]
length = 1.5
strength = 10.0
[[tie]]
name = "slot"
kind = "cylindrical"
bodies = ["a", "b"]
at = [0.0, 0.0]
axis = [1.0, 0.0]
[[tie]]
name = "spring"
kind = "spring"
bodies = ["b", "wall"]
stiffness = 10.0
[[tie]]
name = "gears"
kind = "coupled"
bodies = ["a", "b"]
coefficients = [[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]]
"#;

#[test]
fn ties() {
    let cases: &[(&str, &str, usize, &[&str])] = &[
        ("bodies = [\"a\", \"ground\"]", "bodies = [\"a\", \"gruond\"]", 23, &["no body", "\"ground\"?"]),
        ("bodies = [\"a\", \"ground\"]", "bodies = [\"a\", \"a\"]", 23, &["same body twice"]),
        ("bodies = [\"a\", \"ground\"]", "bodies = [\"a\"]", 23, &["two bodies"]),
        ("bodies = [\"a\", \"ground\"]", "bodies = [\"wall\", \"ground\"]", 23, &["no force can move"]),
        ("kind = \"pin\"", "kind = \"spherical\"", 22, &["2D", "\"pin\""]),
        ("kind = \"pin\"", "kind = \"pni\"", 22, &["pin"]),
        ("kind = \"pin\"\n", "", 20, &["kind"]),
        ("at = [0.0, 0.0]\n[[tie]]\nname = \"wire\"", "[[tie]]\nname = \"wire\"", 20, &["needs at"]),
        (
            "at = [0.0, 0.0]\n[[tie]]\nname = \"wire\"",
            "at = [0.0]\n[[tie]]\nname = \"wire\"",
            24,
            &["2 numbers"],
        ),
        ("name = \"wire\"", "name = \"pin\"", 26, &["taken by tie number 1"]),
        ("length = 1.5", "length = 0.9", 29, &["less than the distance of the ends, 1 m"]),
        ("kind = \"wire\"", "kind = \"rod\"", 29, &["must be the distance of the ends, 1 m"]),
        ("length = 1.5", "axis = [1, 0]", 29, &["does not belong to a tie of kind \"wire\""]),
        ("length = 1.5", "damping = 1.0", 29, &["needs a stiffness"]),
        ("strength = 10.0", "strength = 0.0", 30, &["greater than 0"]),
        ("axis = [1.0, 0.0]", "axis = [0.0, 0.0]", 36, &["must not be zero"]),
        ("axis = [1.0, 0.0]\n", "", 31, &["needs axis"]),
        ("stiffness = 10.0\n", "", 37, &["stiffness, damping or both"]),
        ("stiffness = 10.0", "stiffness = -1.0", 41, &["0 or greater"]),
        ("bodies = [\"b\", \"wall\"]", "bodies = [\"b\", \"ground\"]", 37, &["end on the ground", "ends ="]),
        ("[0.0, 0.0, 2.0]]", "[0.0, 0.0]]", 46, &["3 numbers"]),
        ("[[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]]", "[[0, 0, 0], [0, 0, 0]]", 46, &["must not all be zero"]),
        ("[[0.0, 0.0, 1.0], ", "[", 46, &["two lists"]),
    ];
    for (old, new, line, words) in cases {
        refused(TIED, old, new, *line, words);
    }
}

/// The pin of [`TIED`] with more keys behind its place.
fn pinned(more: &str) -> String {
    format!("at = [0.0, 0.0]\n{more}\n[[tie]]\nname = \"wire\"")
}

#[test]
fn friction_stops_and_further_joints() {
    let pin = "at = [0.0, 0.0]\n[[tie]]\nname = \"wire\"";
    let cases: &[(&str, usize, &[&str])] = &[
        ("friction = 0.3", 20, &["\"pin\"", "needs radius"]),
        ("friction = -0.3\nradius = 0.1", 25, &["0 or greater"]),
        ("friction_force = 1.0", 25, &["does not belong to a tie of kind \"pin\""]),
        ("pitch = 1.0", 25, &["does not belong to a tie of kind \"pin\""]),
        ("limits = [-1.0]", 25, &["2 numbers"]),
        ("limits = [0.5, 1.0]", 25, &["the joint begins at 0"]),
        ("restitution = 0.5", 25, &["needs limits"]),
        ("limits = [-1.0, 1.0]\nrestitution = 1.5", 26, &["1"]),
        ("axes = [[1, 0, 0], [0, 1, 0]]", 25, &["does not belong to a tie of kind \"pin\""]),
    ];
    for (more, line, words) in cases {
        refused(TIED, pin, &pinned(more), *line, words);
    }
    refused(TIED, "kind = \"pin\"", "kind = \"universal\"", 22, &["2D"]);
    refused(TIED, "kind = \"pin\"", "kind = \"rack\"", 24, &["apart from the axis"]);
    let full = include_str!("../../full-ties.toml");
    let line = |text: &str| full.lines().position(|line| line == text).map_or(0, |line| line + 1);
    let axes = "axes = [[0.0, 0.0, 1.0], [0.0, 2.0, 0.0]]";
    refused(full, axes, "axes = [[0, 0, 1], [0, 2, 1]]", line(axes), &["right angles"]);
    refused(full, axes, "axes = [[0, 0, 1], [0, 0, 0]]", line(axes), &["must not be zero"]);
    refused(full, axes, "axes = [[0, 0, 1]]", line(axes), &["two lists"]);
    let more = |text: &str| format!("{axes}\n{text}");
    let next = line(axes) + 1;
    refused(full, axes, &more("limits = [-4.0, 0.1]"), next, &["between −π and π"]);
    refused(full, axes, &more("second_limits = [-0.1, 0.1]"), next, &["needs limits"]);
    refused(full, axes, &more("friction = 0.1"), line(axes) - 4, &["needs radius"]);
    let (ball, table) = ("collide = true", line("kind = \"spherical\"") - 1);
    refused(full, ball, "limits = [0.0, 0.5]", table, &["needs axis"]);
    refused(full, ball, "axis = [0, 0, 1]", line(ball), &["does not belong"]);
    refused(full, ball, "axis = [0, 0, 1]\nlimits = [-0.5, 0.5]", line(ball) + 1, &["an angle below π"]);
    refused(full, ball, "second_limits = [0.0, 0.5]", line(ball), &["does not belong"]);
    refused(full, "pitch = -0.05", "pitch = 0.0", line("pitch = -0.05"), &["must not be zero"]);
}
