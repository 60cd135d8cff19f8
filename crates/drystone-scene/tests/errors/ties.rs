//! Ties that make no sense.

use crate::refused;

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
