//! The biaxial test of Dal Pont and Dimnet (2008, §5.2): disks between two plates, pressed on their sides by a membrane
//! of forces. Leaves the run to the command and the angle of the band to the measures.

use drystone_samples::{packed_disks, radii};
use std::fmt::Write;

/// How many disks.
const COUNT: usize = 200;
/// Mean radius \[m\], and how far radii go from it.
const RADIUS: f64 = 0.1;
const SPREAD: f64 = 0.2;
/// Pressure on the sides \[Pa\].
const PRESSURE: f64 = 1e4;
/// Pistons of a side: the membrane gives way from disk to disk.
const PISTONS: usize = 20;
/// Speed of the upper plate \[m/s\].
const SPEED: f64 = 0.04;

/// The scene file.
pub fn scene() -> String {
    let sizes = radii(COUNT, (1.0 - SPREAD) * RADIUS, (1.0 + SPREAD) * RADIUS, 21);
    let (grains, [width, height]) = packed_disks(&sizes, 2.0, 22);
    let mut text = heading(width, height);
    pistons(&mut text, width, height);
    for (index, grain) in grains.iter().enumerate() {
        let [x, y]: [f64; 2] = grain.position.into();
        let _ = writeln!(
            text,
            "[[body]]\nname = \"disk {}\"\ngroup = \"disks\"\nmaterial = \"rock\"\nshape.disk.radius = {:.5}\n\
             position = [{x:.5}, {y:.5}]\n",
            index + 1,
            grain.radius - 1e-5,
        );
    }
    text
}

/// Everything but the pistons and the disks.
fn heading(width: f64, height: f64) -> String {
    format!(
        r#"# {COUNT} disks with a friction of 0.1 between two plates. Their sides are pressed by a membrane: small pistons that move along x
# only, each with the force of the pressure on it. The upper plate comes down, and the sample fails along a shear band.
# After S. Dal Pont, E. Dimnet (2008), section 5.2, with the parameters of its table 2.

title = "A-CD²: biaxial test of {COUNT} disks"
dimension = 2
gravity = [0.0, 0.0]

[time]
step = 1e-3                       # s
duration = 5.0                    # s
strategy = "acd2"

[solver]
tolerance = 1e-5                  # of the typical impulse, at the worst contact

[output]
interval = 0.1                    # s

[materials.rock]
density = 2500                    # kg/m3, per metre of depth

[[law]]
between = ["*", "*"]
percussion.friction = 0.1

[[law]]
between = ["membrane", "*"]
percussion.friction = 0.0

[[probe]]
name = "upper plate"
body = "upper plate"

[[body]]
name = "lower plate"
group = "plates"
shape.box.size = [{plate:.5}, 1.0]
position = [{middle:.5}, -0.5]
fixed = true

[[body]]
name = "upper plate"
group = "plates"
shape.box.size = [{plate:.5}, 1.0]
position = [{middle:.5}, {top:.5}]
drive = {{ x = 0.0, y = -{SPEED}, spin = 0.0 }}

"#,
        plate = width - RADIUS,
        middle = 0.5 * width,
        top = height + 0.5,
    )
}

/// The two columns of pistons.
fn pistons(text: &mut String, width: f64, height: f64) {
    let share = height / PISTONS as f64;
    for (name, x, sign) in [("left", -0.15, ""), ("right", width + 0.15, "-")] {
        for k in 0..PISTONS {
            let _ = writeln!(
                text,
                "[[body]]\nname = \"{name} {}\"\ngroup = \"membrane\"\nmaterial = \"rock\"\n\
                 shape.box.size = [0.3, {:.5}]\nposition = [{x:.5}, {:.5}]\n\
                 drive = {{ y = 0.0, spin = 0.0 }}\nload.x = {sign}{:.3}\n",
                k + 1,
                share - 0.01 * RADIUS,
                (k as f64 + 0.5) * share,
                PRESSURE * share,
            );
        }
    }
}
