//! The stress of samples that are known, and what its asymmetry is.

use drystone::*;
use drystone_measure::stress;

struct Sample {
    bodies: Bodies<2>,
    contactors: Vec<Contactor<2>>,
    settings: Settings<2>,
}

impl Sample {
    fn new(period: f64, gravity: [f64; 2]) -> Self {
        let mut settings = Settings::new(Vector::from(gravity), 1e-3);
        settings.solver.tolerance = 1e-12;
        settings.cell = Some(Cell::new(Vector::zeros(), [Some(period), None]).expect("a cell"));
        Self { bodies: Bodies::new(), contactors: Vec::new(), settings }
    }

    /// A body that is free, or whose velocity is prescribed where `driven` says so.
    fn add(&mut self, shape: Shape<2>, place: [f64; 2], velocity: [f64; 3], driven: [Option<f64>; 3]) {
        let mass = shape.mass_properties().map_or([1.0; 2], |of| [of.volume, of.inertia[(2, 2)]]);
        let id = self.bodies.push(Body {
            name: format!("body {}", self.bodies.len()),
            group: GroupId(0),
            pose: Pose::at(Vector::from(place)),
            velocity: Vector::from(velocity).into(),
            mass: Vector::<3>::new(mass[0], mass[0], mass[1]).into(),
            driven: driven.into(),
            load: PerDof::zeros(),
            gyroscopic: Gyroscopic::Omitted,
            radius: shape.bounding_radius(),
        });
        self.contactors.push(Contactor { body: id.0, shape, local: Pose::identity() });
    }

    fn build(self, friction: f64) -> Simulation<2> {
        let mut laws = Laws::new(1);
        laws.set(GroupId(0), GroupId(0), Box::new(Inelastic { friction })).unwrap();
        Simulation::new(self.settings, self.bodies, self.contactors, laws).expect("a sound scene")
    }
}

fn noise(index: usize) -> f64 {
    2.0 * (index as f64 * 0.754_877_666).fract() - 1.0
}

/// A row of disks that fills the period exactly is pushed by gravity on a floor: every column of the sample
/// carries the weight above its middle, and the row does not press along x.
#[test]
fn a_column_in_a_cell_carries_half_its_weight_on_average() {
    let (radius, rows) = (0.05, 20);
    let mut sample = Sample::new(0.2, [0.0, -10.0]);
    sample.add(Shape::HalfSpace, [0.0; 2], [0.0; 3], [Some(0.0); 3]);
    for k in 0..rows {
        let place = [0.19, radius * (2 * k + 1) as f64];
        sample.add(Shape::ball(radius).unwrap(), place, [0.0; 3], [None; 3]);
    }
    let mut s = sample.build(0.5);
    for _ in 0..5 {
        s.step();
    }
    let found = stress(&s).unwrap();
    let height = 2.0 * radius * rows as f64;
    assert!((found.volume - 0.2 * height).abs() < 1e-9);
    let weight = 10.0 * s.bodies().mass[1][0] * rows as f64;
    // forces are k weights of a disk at k = 1..rows branches, the lowest one half as long
    let sum: f64 = (1..=rows).map(|k| k as f64 * if k == rows { radius } else { 2.0 * radius }).sum();
    let exact = weight / rows as f64 * sum / found.volume;
    assert!((found.contacts[(1, 1)] - exact).abs() < 1e-6 * exact, "{} {exact}", found.contacts);
    assert!(found.contacts[(0, 0)].abs() < 1e-6 * exact && found.asymmetry() < 1e-9);
    assert!(found.kinetic.norm() < 1e-9 * exact);
}

/// In any motion, `V (σ_xy − σ_yx)` is what the contacts give to the spins; and the sums do not know where
/// the seam is.
#[test]
fn the_stress_lacks_symmetry_by_the_change_of_spin() {
    let build = |shift: f64| {
        let mut sample = Sample::new(1.0, [0.0, -10.0]);
        sample.add(Shape::HalfSpace, [0.0; 2], [0.0; 3], [Some(1.0), Some(0.0), Some(0.0)]);
        for k in 0..48 {
            let place = [(k % 6) as f64 / 6.0 + 0.01 * noise(k) + shift, 0.08 + 0.14 * (k / 6) as f64];
            let shape = match k % 3 {
                0 => Polytope::<2>::rectangle([0.1, 0.07]).unwrap().into(),
                _ => Shape::ball(0.05 + 0.02 * noise(k)).unwrap(),
            };
            sample.add(shape, place, [noise(3 * k), noise(3 * k + 1), 5.0 * noise(3 * k + 2)], [None; 3]);
        }
        sample.build(0.5)
    };
    let mut runs = [build(0.0), build(0.5)];
    let (mut seen, mut largest) = (0, 0.0f64);
    for _ in 0..150 {
        let before: Vec<f64> = runs[0].bodies().velocity.iter().map(|v| v[2]).collect();
        runs.iter_mut().for_each(|run| {
            run.step();
        });
        let [found, other] = runs.each_ref().map(|run| stress(run).unwrap());
        let bodies = runs[0].bodies();
        let spun: f64 =
            (1..bodies.len()).map(|k| bodies.mass[k][2] * (bodies.velocity[k][2] - before[k])).sum();
        let moment = found.volume * (found.contacts[(0, 1)] - found.contacts[(1, 0)]);
        let size = found.volume * found.contacts.norm();
        assert!((moment - spun / 1e-3).abs() <= 1e-10 * size.max(1.0), "{moment} {}", spun / 1e-3);
        assert!((found.contacts - other.contacts).norm() <= 1e-6 * (found.contacts.norm() + 1.0));
        largest = largest.max(found.asymmetry());
        seen += usize::from(size > 0.0);
    }
    assert!(seen > 30 && largest > 1e-3, "{seen} {largest}");
}

/// A sample pressed together between two rough walls and come to rest: symmetric, and between the pressures
/// at its top and its bottom. Gravity brings those to rest that no chain of forces holds.
#[test]
fn the_stress_of_a_sample_at_rest_is_symmetric() {
    let (columns, period, pressure) = (6, 0.6, 10.0);
    let mut sample = Sample::new(period, [0.0, -10.0]);
    sample.settings.solver.tolerance = 1e-7;
    let wall = |sample: &mut Sample, height: f64, driven: [Option<f64>; 3]| {
        let id = sample.bodies.len() as u32;
        sample.add(Shape::ball(0.045).unwrap(), [0.0, height], [0.0; 3], driven);
        for k in 1..columns {
            let local = Pose::at(Vector::<2>::new(0.1 * k as f64, 0.0));
            sample.contactors.push(Contactor { body: id, shape: Shape::ball(0.045).unwrap(), local });
        }
    };
    wall(&mut sample, 0.0, [Some(0.0); 3]);
    wall(&mut sample, 0.6, [Some(0.0), None, Some(0.0)]);
    // the wall has no weight of its own
    sample.bodies.load[1][1] = 10.0 * 0.5 - pressure * period;
    sample.bodies.mass[1] = PerDof::repeat(0.5);
    sample.bodies.inverse_mass[1][1] = 1.0 / 0.5;
    for k in 0..5 * columns {
        let place = [0.1 * (k % columns) as f64 + 0.003 * noise(k), 0.1 * (k / columns) as f64 + 0.1];
        sample.add(Shape::ball(0.043 + 0.003 * noise(7 * k)).unwrap(), place, [0.0; 3], [None; 3]);
    }
    let mut s = sample.build(0.3);
    // one step alone may be the blow that stops everything
    let (mut speed, mut rested) = (f64::INFINITY, 0);
    for _ in 0..2000 {
        speed = s.step().speed;
        rested = if speed < 1e-7 { rested + 1 } else { 0 };
        if rested > 20 {
            break;
        }
    }
    let found = stress(&s).unwrap();
    assert!(found.asymmetry() < 1e-6, "{:e} at {speed:e} m/s", found.asymmetry());
    let weight: f64 = 10.0 * s.bodies().mass.iter().skip(2).map(|mass| mass[0]).sum::<f64>();
    let within = 0.9 * pressure..pressure + weight / period;
    assert!(within.contains(&found.contacts[(1, 1)]), "{} {within:?}", found.contacts);
    assert!(found.kinetic.norm() < 1e-6 * found.contacts.norm());
}
