//! What only geometry can tell: shapes that are none, axes that are not principal.

use crate::{PLANE, SPACE, refused};

#[test]
fn shapes_that_are_none() {
    let cases: &[(&str, &str, usize, &[&str])] = &[
        ("[0, 0], [1, 0], [0, 1]", "\n[0, 0], \n[2, 0], \n[0.5, 0.5], \n[0, 2]", 29, &["not convex"]),
        ("[0, 0], [1, 0], [0, 1]", "[0, 0], [1, 0]", 26, &["at least 3"]),
        ("[0, 0], [1, 0], [0, 1]", "[0, 0], [1, 0], [2, 0]", 26, &["shapes.wedge.polygon"]),
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
    refused(SPACE, drive, &line, 14, &["drive of body \"skew\"", "not principal"]);
}
