//! Samples of the biaxial test: polygons strewn at random, pressed together between four walls, then at rest
//! under a membrane. Leaves the test itself to the scene it writes.

use super::Failure;
use drystone::{AnySimulation, Simulation, Vector};
use drystone_math::portable;
use drystone_samples::{packed_disks, radii, regular_polygons};
use drystone_scene::Scene;
use std::fmt::Write;

/// How many grains, and how much higher than wide.
const COUNT: usize = 200;
const ASPECT: f64 = 2.0;
/// Mean radius of the circles about the grains \[m\], and how far radii go from it.
const RADIUS: f64 = 0.1;
const SPREAD: f64 = 0.2;
/// Sides of the grains, least and most.
const SIDES: [usize; 2] = [4, 8];
/// Pressure of walls and membrane \[Pa\].
pub const PRESSURE: f64 = 1e4;
/// Friction of the test.
pub const FRICTION: f64 = 0.1;
/// Strain in a second.
pub const RATE: f64 = 0.01;
/// What the grains about fill once they are pressed together.
const FILL: f64 = 0.85;
/// Steps of 2 ms between walls, and under the membrane.
const PRESSED: usize = 2000;
const RESTED: usize = 1000;
/// By how much grains of the scene are smaller, so that rounded numbers do not overlap.
const SMALLER: f64 = 1.0 - 5e-5;

/// One polygon.
pub struct Grain {
    /// Corners about its centre, unturned \[m\].
    corners: Vec<Vector<2>>,
    position: Vector<2>,
    angle: f64,
    /// Force of the membrane along x \[N\].
    load: f64,
}

/// Grains at rest between two plates under a membrane.
pub struct Sample {
    grains: Vec<Grain>,
    /// Across the outermost centres and a diameter \[m\].
    pub width: f64,
    /// From plate to plate \[m\].
    pub height: f64,
}

impl Sample {
    /// A sample; the same seed gives the same.
    pub fn new(seed: u64) -> Result<Self, Failure> {
        let mut sample = loose(seed);
        let area: f64 = sample.grains.iter().map(|grain| area(&grain.corners)).sum();
        let width = (area / (FILL * ASPECT)).sqrt();
        let height = ASPECT * width;
        let pressed = format!("load.y = {}\ndrive = {{ x = 0.0, spin = 0.0 }}\n", -PRESSURE * width);
        sample.settle(
            &(sample.laws("inelastic", 0.0) + &sample.plates(&pressed) + &sample.walls(height)),
            PRESSED,
        )?;
        sample.wrap();
        let pressed = format!("load.y = {}\ndrive = {{ x = 0.0, spin = 0.0 }}\n", -PRESSURE * sample.width);
        sample.settle(&(sample.laws("inelastic", FRICTION) + &sample.plates(&pressed)), RESTED)?;
        sample.wrap();
        Ok(sample)
    }

    /// The scene of the test.
    pub fn scene(&self) -> String {
        // free along x: a band may cross the sample, and its upper part move aside
        let pushed = format!("drive = {{ y = {:.6}, spin = 0.0 }}\n", -RATE * self.height);
        HEADING.to_owned()
            + &self.laws("percussion", FRICTION)
            + &self.plates(&pushed)
            + &self.grains(SMALLER)
    }

    fn laws(&self, law: &str, friction: f64) -> String {
        format!(
            "[materials.rock]\ndensity = 2500                    # kg/m3, per metre of depth\n\n\
             [[law]]\nbetween = [\"*\", \"*\"]\n{law}.friction = {friction}\n\n\
             [[law]]\nbetween = [\"plates\", \"plates\"]\nnone = {{}}\n\n"
        )
    }

    fn plates(&self, how: &str) -> String {
        let mut text = String::new();
        for (name, y, how) in [("lower", -0.5, "fixed = true\n"), ("upper", self.height + 0.5, how)] {
            let _ = writeln!(
                text,
                "[[body]]\nname = \"{name} plate\"\ngroup = \"plates\"\nmaterial = \"rock\"\n\
                 shape.box.size = [{:.2}, 1.0]\nposition = [{:.4}, {y:.7}]\n{how}",
                2.0 * self.width,
                0.5 * self.width,
            );
        }
        text
    }

    /// Walls that press from both sides; `height` is what the sample will have about.
    fn walls(&self, height: f64) -> String {
        let mut text = String::new();
        for (name, x, sign) in [("left", -0.5, 1.0), ("right", self.width + 0.5, -1.0)] {
            let _ = writeln!(
                text,
                "[[body]]\nname = \"{name} wall\"\ngroup = \"plates\"\nmaterial = \"rock\"\n\
                 shape.box.size = [1.0, {}]\nposition = [{x}, {}]\n\
                 drive = {{ y = 0.0, spin = 0.0 }}\nload.x = {}\n",
                2.0 * self.height,
                0.5 * self.height,
                sign * PRESSURE * height,
            );
        }
        text
    }

    fn grains(&self, scale: f64) -> String {
        let mut text = String::new();
        for (index, grain) in self.grains.iter().enumerate() {
            let corners: Vec<String> = grain.corners.iter().map(|c| pair(&(c * scale))).collect();
            let _ = writeln!(
                text,
                "[[body]]\nname = \"grain {}\"\ngroup = \"grains\"\nmaterial = \"rock\"\n\
                 shape.polygon.vertices = [{}]\nposition = {}\nangle = {:.7}",
                index + 1,
                corners.join(", "),
                pair(&grain.position),
                grain.angle,
            );
            if grain.load != 0.0 {
                let _ = writeln!(text, "load.x = {:.2}", grain.load);
            }
            text.push('\n');
        }
        text
    }

    /// Lets the grains come to rest among what else there is.
    fn settle(&mut self, others: &str, steps: usize) -> Result<(), Failure> {
        let heading = "title = \"a sample comes to rest\"\ndimension = 2\ngravity = [0.0, 0.0]\n\
                       time = { step = 2e-3, duration = 1.0, drift = \"two_steps\" }\nsolver.tolerance = 1e-4\n\n";
        let mut simulation = simulation(&(heading.to_owned() + others + &self.grains(1.0)))?;
        for _ in 0..steps {
            simulation.step();
        }
        let bodies = simulation.bodies();
        for (body, name) in bodies.name.iter().enumerate() {
            let pose = &bodies.pose[body];
            if let Some(number) = name.strip_prefix("grain ") {
                let grain = &mut self.grains[number.parse::<usize>()? - 1];
                let along = pose.rotation() * Vector::<2>::new(1.0, 0.0);
                (grain.position, grain.angle) = (pose.position, portable::atan2(along[1], along[0]));
            } else if name == "upper plate" {
                self.height = pose.position[1] - 0.5;
            }
        }
        Ok(())
    }

    /// Wraps the membrane round the sides: its pressure acts on what is seen of every grain from the left and
    /// from the right.
    fn wrap(&mut self) {
        let low = self.grains.iter().map(|grain| grain.position[0]).fold(f64::INFINITY, f64::min);
        let high = self.grains.iter().map(|grain| grain.position[0]).fold(f64::NEG_INFINITY, f64::max);
        self.width = high - low + 2.0 * RADIUS;
        for grain in &mut self.grains {
            grain.position[0] -= low - RADIUS;
            grain.load = 0.0;
        }
        const STRIPS: usize = 4000;
        let strip = self.height / STRIPS as f64;
        for k in 0..STRIPS {
            let y = (k as f64 + 0.5) * strip;
            for sign in [-1.0, 1.0] {
                let outmost = |grain: &Grain| grain.outmost(y, sign);
                let seen = (0..self.grains.len())
                    .filter_map(|grain| Some((grain, outmost(&self.grains[grain])?)))
                    .max_by(|a, b| a.1.total_cmp(&b.1));
                if let Some((grain, _)) = seen {
                    self.grains[grain].load -= sign * PRESSURE * strip;
                }
            }
        }
    }
}

impl Grain {
    /// How far it reaches to a side at a height, to the right for `sign = 1`.
    fn outmost(&self, y: f64, sign: f64) -> Option<f64> {
        let (sin, cos) = portable::sin_cos(self.angle);
        let corner = |k: usize| {
            let c = self.corners[k % self.corners.len()];
            self.position + Vector::<2>::new(cos * c[0] - sin * c[1], sin * c[0] + cos * c[1])
        };
        let cross = |k: usize| {
            let (a, b) = (corner(k), corner(k + 1));
            let part = (y - a[1]) / (b[1] - a[1]);
            (0.0..=1.0).contains(&part).then(|| sign * (a[0] + part * (b[0] - a[0])))
        };
        (0..self.corners.len()).filter_map(cross).max_by(f64::total_cmp)
    }
}

/// Polygons in circles that lie close together at random, so that no row or layer is left to slide along.
fn loose(seed: u64) -> Sample {
    let sizes = radii(COUNT, (1.0 - SPREAD) * RADIUS, (1.0 + SPREAD) * RADIUS, 3 * seed);
    let polygons = regular_polygons(&sizes, SIDES[0], SIDES[1], 3 * seed + 1);
    let (places, [width, height]) = packed_disks(&sizes, ASPECT, 3 * seed + 2);
    let grain = |(corners, place): (Vec<Vector<2>>, drystone_samples::Grain<2>)| Grain {
        corners,
        position: place.position,
        angle: 0.0,
        load: 0.0,
    };
    Sample { grains: polygons.into_iter().zip(places).map(grain).collect(), width, height }
}

/// The simulation of a scene.
pub fn simulation(scene: &str) -> Result<Simulation<2>, Failure> {
    match Scene::parse(scene, "biaxial")?.build()? {
        AnySimulation::Plane(simulation) => Ok(simulation),
        AnySimulation::Space(_) => Err("a biaxial test is of the plane".into()),
    }
}

fn area(corners: &[Vector<2>]) -> f64 {
    (0..corners.len()).map(|k| 0.5 * corners[k].perp(&corners[(k + 1) % corners.len()])).sum()
}

fn pair(place: &Vector<2>) -> String {
    format!("[{:.7}, {:.7}]", place[0], place[1])
}

const HEADING: &str = r#"# 200 polygons with a friction of 0.1 between two plates, wrapped in a membrane: its pressure of 10 kPa acts as a force on
# every grain that is seen from the side. The upper plate comes down, free to move aside, and the grains shear along bands.
# After S. Dal Pont, E. Dimnet (2008), section 5.2. Made by `cargo run --release --example biaxial -- scene 4 FILE`.

title = "A-CD²: biaxial test of 200 polygons"
dimension = 2
gravity = [0.0, 0.0]

[time]
step = 2e-3                       # s
duration = 8.0                    # s
strategy = "acd2"

[solver]
tolerance = 1e-4                  # of the typical impulse, at the worst contact

[output]
interval = 0.5                    # s

[[probe]]
name = "upper plate"
body = "upper plate"

"#;
