//! Scenes made from a few numbers, as the texts of their files. Runs none of them.

use super::Dice;
use std::fmt::Write;

/// Disks of random sizes fall into a box: 1 ms a step, an output every `every` steps, a probe on the first
/// disk. The tolerance is wide, because bits are judged here and time is short.
pub fn box_of_disks(columns: usize, rows: usize, steps: usize, every: usize) -> String {
    let pitch = 0.1;
    let width = pitch * columns as f64;
    let mut text = format!(
        "dimension = 2\ntime = {{ step = 1e-3, duration = {:?} }}\noutput.interval = {:?}\n\
         solver.tolerance = 1e-3\n\
         [[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.4\n\
         [[probe]]\nname = \"first\"\nbody = \"disk 0\"\nquantities = [\"position\", \"angle\", \"force\"]\n\
         [[body]]\nname = \"floor\"\nshape.line = {{}}\nfixed = true\n\
         [[body]]\nname = \"left\"\nshape.line = {{}}\nangle_degrees = -90\nfixed = true\n\
         [[body]]\nname = \"right\"\nshape.line = {{}}\nangle_degrees = 90\nposition = [{width:?}, 0.0]\nfixed = true\n",
        steps as f64 * 1e-3,
        every as f64 * 1e-3,
    );
    let mut dice = Dice(11);
    for disk in 0..columns * rows {
        let radius = pitch * (0.3 + 0.17 * dice.unit());
        let x = pitch * ((disk % columns) as f64 + 0.5) + 0.05 * pitch * (dice.unit() - 0.5);
        let y = pitch * ((disk / columns) as f64 + 0.5);
        let _ = writeln!(
            text,
            "[[body]]\nname = \"disk {disk}\"\nshape.disk.radius = {radius:?}\ndensity = 2600\nposition = [{x:?}, {y:?}]"
        );
    }
    text
}

/// Boxes and spheres by turns fall on a plane, `side` × `side` in a layer.
pub fn pile_in_space(side: usize, layers: usize, steps: usize) -> String {
    let mut text = format!(
        "dimension = 3\ntime = {{ step = 2e-3, duration = {:?} }}\nsolver.tolerance = 1e-6\n\
         [[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.5\n\
         [[body]]\nname = \"floor\"\nshape.plane = {{}}\nfixed = true\n",
        steps as f64 * 2e-3,
    );
    let mut dice = Dice(5);
    for layer in 0..layers {
        for place in 0..side * side {
            let jitter = |dice: &mut Dice| 0.02 * (dice.unit() - 0.5);
            let x = 0.3 * (place % side) as f64 + jitter(&mut dice);
            let y = 0.3 * (place / side) as f64 + jitter(&mut dice);
            let z = 0.13 + 0.26 * layer as f64;
            let shape = if (place + layer) % 2 == 0 {
                format!(
                    "shape.box.size = [0.24, 0.2, 0.16]\nrotation = {{ axis = [{:?}, {:?}, 1.0], angle = 0.4 }}",
                    dice.unit() - 0.5,
                    dice.unit() - 0.5
                )
            } else {
                "shape.sphere.radius = 0.11".to_owned()
            };
            let _ = writeln!(
                text,
                "[[body]]\nname = \"body {layer}-{place}\"\ndensity = 2000\nposition = [{x:?}, {y:?}, {z:?}]\n{shape}"
            );
        }
    }
    text
}

/// Boxes of side `length` one on the other; `density(level)` counts levels from 0.
pub fn tower(
    dimension: usize,
    levels: usize,
    length: f64,
    step: f64,
    density: impl Fn(usize) -> f64,
) -> String {
    let (ground, up): (_, fn(f64) -> String) = match dimension {
        2 => ("line", |height| format!("[0.0, {height:?}]")),
        _ => ("plane", |height| format!("[0.0, 0.0, {height:?}]")),
    };
    let mut text = format!(
        "dimension = {dimension}\ntime = {{ step = {step:?}, duration = {:?} }}\n\
         [[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.6\n\
         [[body]]\nname = \"ground\"\nshape.{ground} = {{}}\nfixed = true\n",
        step * 1e4,
    );
    let size = vec![format!("{length:?}"); dimension].join(", ");
    for level in 0..levels {
        let _ = writeln!(
            text,
            "[[body]]\nname = \"level {level}\"\nshape.box.size = [{size}]\ndensity = {:?}\nposition = {}",
            density(level),
            up(length * (level as f64 + 0.5)),
        );
    }
    text
}
