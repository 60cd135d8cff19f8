//! Samples in periodic cells, sheared between two rough walls. They settle nothing: the upper wall presses
//! them together.

use super::commented::{Commented, rounded};
use drystone_math::Vector;
use drystone_samples::{Grain, grid_of_grains, radii};
use drystone_scene::SceneSpec;
use drystone_scene::spec::{
    BodySpec, CellSpec, Drive, LawSpec, Load, Material, PartSpec, ShapeRef, ShapeSpec,
};

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

/// What the samples of both dimensions share: `count` grains and two walls of a period, the upper one driven
/// by `drive` under `load`.
struct Sample<const D: usize> {
    columns: usize,
    layers: usize,
    word: &'static str,
    mass: f64,
    drive: Drive,
    load: Load,
}

impl<const D: usize> Sample<D> {
    fn period(&self) -> f64 {
        self.columns as f64 * PLACE
    }

    /// Grains of a layer.
    fn layer(&self) -> usize {
        self.columns.pow(D as u32 - 1)
    }

    fn ball(radius: f64) -> ShapeSpec {
        if D == 2 { ShapeSpec::Disk { radius } } else { ShapeSpec::Sphere { radius } }
    }

    /// One period of a layer of balls.
    fn wall(&self) -> ShapeSpec {
        let part = |k: usize| {
            let place = |k: usize| rounded((k as f64 + 0.5) * PLACE - 0.5 * self.period(), 4);
            let level = [k % self.columns, k / self.columns];
            let mut position: Vec<f64> = level.into_iter().take(D - 1).map(place).collect();
            position.push(0.0);
            PartSpec {
                shape: Self::ball(WALL_RADIUS).into(),
                position: Some(position),
                ..PartSpec::default()
            }
        };
        ShapeSpec::Cluster { shapes: (0..self.layer()).map(part).collect() }
    }

    fn scene(self) -> SceneSpec {
        let (period, count) = (self.period(), self.layer() * self.layers);
        let mut spec = SceneSpec::new(D, 4e-3, 4.0);
        spec.title = format!("{count} {}s sheared in a periodic cell", self.word);
        spec.gravity = Some(vec![0.0; D]);
        spec.solver.tolerance = 1e-3;
        let y = (D == 3).then_some(period);
        spec.cell = Some(CellSpec { x: Some(period), y, ..CellSpec::default() });
        spec.materials.insert("stone".into(), Material::of_density(2600.0));
        spec.laws = vec![LawSpec::inelastic("*", "*", 0.5)];
        spec.shapes.insert("wall".into(), self.wall());
        let wall = |name: &str, height: f64| {
            let mut position = vec![0.5 * period; D - 1];
            position.push(height);
            let shape = ShapeRef::Named("wall".into());
            BodySpec { group: "walls".into(), position: Some(position), ..BodySpec::new(name, shape) }
        };
        let lower = BodySpec { fixed: true, ..wall("lower wall", 0.0) };
        let (drive, load) = (Some(self.drive), Some(self.load));
        let upper = BodySpec { mass: Some(self.mass), drive, load, ..wall("upper wall", top(self.layers)) };
        spec.bodies = vec![lower, upper];
        let grains = grains::<D>(count, self.columns);
        spec.bodies.extend(grains.iter().enumerate().map(|(index, grain)| BodySpec {
            group: "grains".into(),
            material: Some("stone".into()),
            position: Some(grain.position.iter().map(|&x| rounded(x, 6)).collect()),
            ..BodySpec::new(
                format!("{} {}", self.word, index + 1),
                Self::ball(rounded(grain.radius - 1e-5, 6)),
            )
        }));
        spec
    }
}

fn commented(head: String, spec: SceneSpec, others: [(&'static str, &str); 5]) -> Commented {
    let notes = [
        ("time.step", "s"),
        ("time.duration", "s"),
        ("solver.tolerance", "of the typical impulse, at the worst contact"),
        ("cell.x", "m"),
        ("cell.y", "m"),
        ("output.interval", "s"),
    ];
    let notes = notes.into_iter().chain(others).map(|(place, note)| (place, note.to_owned())).collect();
    Commented { head, spec, notes }
}

/// 2,000 disks between rough walls, the upper one driven along x under a pressure.
pub fn shear() -> Commented {
    let columns = 40;
    let load = Load { y: Some(-PRESSURE * columns as f64 * PLACE), ..Load::default() };
    let drive = Drive { x: Some(0.1), spin: Some(0.0), ..Drive::default() };
    let sample = Sample::<2> { columns, layers: 50, word: "disk", mass: 50.0, drive, load };
    let count = sample.layer() * sample.layers;
    let mut spec = sample.scene();
    spec.output.interval = Some(0.1);
    spec.output.surfaces = Some(false);
    let head = format!(
        "{count} disks in a cell that repeats along x, sheared between two rough walls: the upper one moves along x and is\n\
         pressed down. There is no gravity. `drystone stress` tells the stress of the sample."
    );
    let pressure = format!("N per metre of depth: {PRESSURE} Pa");
    let others = [
        ("materials.stone.density", "kg/m3, per metre of depth"),
        ("shapes.wall", "one period of a row of disks"),
        ("body.1.mass", "kg per metre of depth"),
        ("body.1.drive", "m/s, rad/s"),
        ("body.1.load", pressure.as_str()),
    ];
    commented(head, spec, others)
}

/// Spheres between rough walls in a cell that repeats along x and y.
pub fn spheres() -> Commented {
    let columns = 8;
    let period = columns as f64 * PLACE;
    let load = Load { z: Some(rounded(-PRESSURE * period * period, 6)), ..Load::default() };
    let zero = Some(0.0);
    let drive =
        Drive { x: Some(0.05), y: zero, spin_x: zero, spin_y: zero, spin_z: zero, ..Drive::default() };
    let sample = Sample::<3> { columns, layers: 8, word: "sphere", mass: 0.1, drive, load };
    let count = sample.layer() * sample.layers;
    let mut spec = sample.scene();
    spec.output.interval = Some(0.04);
    let head = format!(
        "{count} spheres in a cell that repeats along x and y, sheared between two rough walls: the upper one moves along x and\n\
         is pressed down. There is no gravity. `drystone stress` tells the stress of the sample."
    );
    let pressure = format!("N: {PRESSURE} Pa");
    let others = [
        ("materials.stone.density", "kg/m3"),
        ("shapes.wall", "one period of a layer of spheres"),
        ("body.1.mass", "kg"),
        ("body.1.drive", "m/s, rad/s"),
        ("body.1.load", pressure.as_str()),
    ];
    commented(head, spec, others)
}
