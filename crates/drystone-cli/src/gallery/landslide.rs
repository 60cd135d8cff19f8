//! The landslide of Dal Pont and Dimnet (2008, §5.1): random polygons settle behind a gate, the gate opens,
//! they run out. Leaves the run to the command.

use drystone_samples::regular_polygons;
use std::fmt::Write;

/// Slope of the bed behind the foot \[degrees\].
const SLOPE: f64 = 20.0;
/// Polygons along the bed and in all.
const COLUMNS: usize = 20;
const COUNT: usize = 300;
/// Radius of the circle around a polygon \[m\].
const RADIUS: f64 = 0.25;
/// Width of the cell it starts in \[m\].
const CELL: f64 = 2.08 * RADIUS;
/// When the gate leaves the bed \[s\], and how fast it is \[m/s\].
const OPENS: f64 = 2.0;
const SPEED: f64 = 5.0;

/// The scene file.
pub fn scene() -> String {
    let width = COLUMNS as f64 * CELL;
    let slope = SLOPE.to_radians().tan();
    // the gate reaches this far into the ground and leaves it when it opens; driven bodies do not meet
    let below = OPENS * SPEED;
    let height = below + 12.0;
    let mut text = format!(
        r#"# {COUNT} regular polygons with three to eight sides settle on a bed of {SLOPE} degrees behind a gate. After {OPENS} s
# the gate, driven upwards all the time, leaves the bed, and they slide down and come to rest on the flat.
# After S. Dal Pont, E. Dimnet (2008), section 5.1, with the parameters of its table 1.

title = "A-CD²: a landslide of {COUNT} polygons"
dimension = 2

[time]
step = 1e-4                       # s
duration = 10.0                   # s
strategy = "acd2"

[solver]
tolerance = 1e-5                  # of the typical impulse, at the worst contact

[output]
interval = 0.05                   # s

[materials.rock]
density = 2500                    # kg/m3, per metre of depth

[[law]]
between = ["*", "*"]
percussion = {{ normal = 78.0, tangential = 78.0 }}   # kg, per metre of depth

# the gate does not drag along what leans against it
[[law]]
between = ["gate", "*"]
percussion.normal = 78.0

[[body]]
name = "flat"
group = "ground"
shape.line = {{}}
fixed = true

[[body]]
name = "bed"
group = "ground"
shape.line = {{}}
angle_degrees = -{SLOPE}
fixed = true

[[body]]
name = "back wall"
group = "ground"
shape.line = {{}}
position = [-{width}, 0.0]
angle_degrees = -90
fixed = true

[[body]]
name = "gate"
group = "gate"
shape.box.size = [0.2, {height}]
position = [0.1, {:?}]
drive = {{ x = 0.0, y = {SPEED}, spin = 0.0 }}

"#,
        0.5 * height - below,
    );
    for (index, polygon) in regular_polygons(&[RADIUS; COUNT], 3, 8, 12).iter().enumerate() {
        let (column, row) = ((index % COLUMNS) as f64, (index / COLUMNS) as f64);
        let x = (column + 0.5) * CELL - width;
        // every column begins above the bed below its upper end
        let y = slope * (0.5 * CELL - x) + (row + 0.6) * CELL;
        let corners: Vec<String> = polygon.iter().map(|c| format!("[{:.5}, {:.5}]", c[0], c[1])).collect();
        let _ = writeln!(
            text,
            "[[body]]\nname = \"polygon {}\"\ngroup = \"polygons\"\nmaterial = \"rock\"\n\
             shape.polygon.vertices = [{}]\nposition = [{x:.5}, {y:.5}]\n",
            index + 1,
            corners.join(", "),
        );
    }
    text
}
