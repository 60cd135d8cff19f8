//! What only geometry can tell: shapes that are none, axes that are not principal.

use super::{PLANE, SPACE, refused};

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

#[test]
fn bodies_that_a_periodic_cell_cannot_hold() {
    let cell = |x: f64| format!("[cell]\nx = {x}\n[output]");
    refused(PLANE, "[output]", &cell(0.2), 34, &["\"block\"", "0.2236", "every 0.2 m", "smaller"]);
    let tilted = "shape.line = {}\nangle_degrees = 10";
    let text = PLANE.replacen("shape.line = {}", tilted, 1);
    refused(&text, "[output]", &cell(20.0), 29, &["\"floor\"", "not level"]);
    let long = PLANE.replacen("shape.line = {}", "shape.box.size = [3.1, 0.1]\nposition = [0, -9]", 1);
    refused(&long, "[output]", &cell(3.0), 29, &["\"floor\"", "3.1 m long", "one period"]);
}
