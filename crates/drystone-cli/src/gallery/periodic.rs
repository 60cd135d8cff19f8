//! Samples in periodic cells, sheared between two rough walls. They settle nothing: the upper wall presses
//! them together.

use drystone_math::Vector;
use drystone_samples::{Grain, grid_of_grains, radii};
use std::fmt::Write;

/// Radii of the grains and of those of the walls \[m\].
const RADII: [f64; 2] = [0.004, 0.005];
const WALL_RADIUS: f64 = 0.0045;
/// Place for one grain \[m\].
const PLACE: f64 = 2.0 * RADII[1];
/// Pressure on the upper wall \[Pa\].
const PRESSURE: f64 = 1000.0;

/// The grains of a sample, so many along each level axis, above a wall at height 0.
fn grains<const D: usize>(count: usize, columns: usize) -> Vec<Grain<D>> {
    let mut corner = Vector::<D>::zeros();
    corner[D - 1] = WALL_RADIUS + 1e-4;
    grid_of_grains(&radii(count, RADII[0], RADII[1], 11), columns, corner, 12)
}

/// Height of a wall above as many layers of grains \[m\].
fn top(layers: usize) -> f64 {
    2.0 * (WALL_RADIUS + 1e-4) + layers as f64 * PLACE
}

fn grain_lines(text: &mut String, what: &str, position: &str, index: usize, radius: f64) {
    let _ = writeln!(
        text,
        "[[body]]\nname = \"{what} {}\"\ngroup = \"grains\"\nmaterial = \"stone\"\n\
         shape.{what}.radius = {:.6}\nposition = {position}\n",
        index + 1,
        radius - 1e-5,
    );
}

/// 2,000 disks between rough walls, the upper one driven along x under a pressure.
pub fn shear() -> String {
    let (columns, layers) = (40, 50);
    let count = columns * layers;
    let period = columns as f64 * PLACE;
    let part = |k: usize| {
        let x = (k as f64 + 0.5) * PLACE - 0.5 * period;
        format!("    {{ shape.disk.radius = {WALL_RADIUS}, position = [{x:.4}, 0] }},\n")
    };
    let parts: String = (0..columns).map(part).collect();
    let mut text = format!(
        r#"# {count} disks in a cell that repeats along x, sheared between two rough walls: the upper one moves along x and is
# pressed down. There is no gravity. `drystone stress` tells the stress of the sample.

title = "{count} disks sheared in a periodic cell"
dimension = 2
gravity = [0, 0]

[time]
step = 4e-3                       # s
duration = 4.0                    # s

[solver]
tolerance = 1e-3                  # of the typical impulse, at the worst contact

[cell]
x = {period}                           # m

[output]
interval = 0.1                    # s
surfaces = false

[materials.stone]
density = 2600                    # kg/m3, per metre of depth

[[law]]
between = ["*", "*"]
inelastic.friction = 0.5

# one period of a row of disks
[shapes.wall]
cluster.shapes = [
{parts}]

[[body]]
name = "lower wall"
group = "walls"
shape = "wall"
position = [{middle}, 0]
fixed = true

[[body]]
name = "upper wall"
group = "walls"
shape = "wall"
mass = 50                         # kg per metre of depth
position = [{middle}, {top}]
drive = {{ x = 0.1, spin = 0 }}     # m/s, rad/s
load = {{ y = {load} }}               # N per metre of depth: {PRESSURE} Pa

"#,
        middle = 0.5 * period,
        top = top(layers),
        load = -PRESSURE * period,
    );
    for (index, grain) in grains::<2>(count, columns).iter().enumerate() {
        let [x, y]: [f64; 2] = grain.position.into();
        grain_lines(&mut text, "disk", &format!("[{x:.6}, {y:.6}]"), index, grain.radius);
    }
    text
}

/// Spheres between rough walls in a cell that repeats along x and y.
pub fn spheres() -> String {
    let (columns, layers) = (8, 8);
    let count = columns * columns * layers;
    let period = columns as f64 * PLACE;
    let part = |k: usize| {
        let [x, y] = [k % columns, k / columns].map(|k| (k as f64 + 0.5) * PLACE - 0.5 * period);
        format!("    {{ shape.sphere.radius = {WALL_RADIUS}, position = [{x:.4}, {y:.4}, 0] }},\n")
    };
    let parts: String = (0..columns * columns).map(part).collect();
    let mut text = format!(
        r#"# {count} spheres in a cell that repeats along x and y, sheared between two rough walls: the upper one moves along x and
# is pressed down. There is no gravity. `drystone stress` tells the stress of the sample.

title = "{count} spheres sheared in a periodic cell"
dimension = 3
gravity = [0, 0, 0]

[time]
step = 4e-3                       # s
duration = 4.0                    # s

[solver]
tolerance = 1e-3                  # of the typical impulse, at the worst contact

[cell]
x = {period}                          # m
y = {period}                          # m

[output]
interval = 0.04                   # s

[materials.stone]
density = 2600                    # kg/m3

[[law]]
between = ["*", "*"]
inelastic.friction = 0.5

# one period of a layer of spheres
[shapes.wall]
cluster.shapes = [
{parts}]

[[body]]
name = "lower wall"
group = "walls"
shape = "wall"
position = [{middle}, {middle}, 0]
fixed = true

[[body]]
name = "upper wall"
group = "walls"
shape = "wall"
mass = 0.1                        # kg
position = [{middle}, {middle}, {top}]
drive = {{ x = 0.05, y = 0, spin_x = 0, spin_y = 0, spin_z = 0 }}
load = {{ z = {load:.6} }}              # N: {PRESSURE} Pa

"#,
        middle = 0.5 * period,
        top = top(layers),
        load = -PRESSURE * period * period,
    );
    for (index, grain) in grains::<3>(count, columns).iter().enumerate() {
        let [x, y, z]: [f64; 3] = grain.position.into();
        grain_lines(&mut text, "sphere", &format!("[{x:.6}, {y:.6}, {z:.6}]"), index, grain.radius);
    }
    text
}
