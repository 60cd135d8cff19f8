//! Times of detection on standard packings, for benches. It judges nothing and prints nothing.

use drystone_math::{Orientation, Pose, Vector};
use std::time::Instant;

use crate::{Contactor, Detector, Polytope, Shape, ShapeError, pairs};

/// The time of one detection beside that of a plain loop over the same candidate pairs, on the current thread pool.
#[derive(Clone, Debug, PartialEq)]
pub struct DetectionFigure {
    /// What was packed.
    pub name: &'static str,
    /// How many contactors.
    pub contactors: usize,
    /// How many pairs the rough detection left.
    pub pairs: usize,
    /// How many contacts there are.
    pub contacts: usize,
    /// Time of a whole detection, the best of several \[s\].
    pub seconds: f64,
    /// Time of the fine detection of all pairs one after the other on one thread \[s\].
    pub plain_seconds: f64,
}

/// Measures dense packings: `per_size` disks, as many spheres, a tenth as many polyhedra of 12 vertices and cubes, and
/// spheres of sizes from 1 to 100.
pub fn detection_figures(per_size: usize) -> Result<Vec<DetectionFigure>, ShapeError> {
    let side = |count: usize, dimension: f64| (count as f64).powf(1.0 / dimension).round().max(2.0) as usize;
    let (plane, space, few) = (side(per_size, 2.0), side(per_size, 3.0), side(per_size / 10, 3.0));
    let disks = lattice::<2>(plane, 0.05).map(|(_, place)| Pose::at(place));
    let spheres = lattice::<3>(space, 0.05).map(|(_, place)| Pose::at(place));
    let turned = |(k, place): (usize, Vector<3>)| Pose { position: place, orientation: turn(k) };
    let solid = Shape::from(Polytope::hull(icosahedron(0.56))?);
    let cube = Shape::from(Polytope::cuboid([1.0; 3])?);
    // many small, few large: a hundredth of the radius where there are a million times as many
    let wide = |k: usize| Shape::Ball { radius: 0.3 * (0.5 + 0.5 * noise(k + 5)).max(1e-6).powf(-0.33) };
    Ok(vec![
        measure("disks", &|k| Shape::<2>::Ball { radius: 0.5 + 0.05 * noise(k) }, disks.collect()),
        measure("spheres", &|k| Shape::<3>::Ball { radius: 0.5 + 0.05 * noise(k) }, spheres.collect()),
        measure("spheres of many sizes", &wide, lattice::<3>(space, 0.3).map(|(_, p)| Pose::at(p)).collect()),
        measure("polyhedra of 12 vertices", &|_| solid.clone(), lattice::<3>(few, 0.1).map(turned).collect()),
        measure(
            "cubes stacked",
            &|_| cube.clone(),
            lattice::<3>(few, 0.0).map(|(_, p)| Pose::at(p)).collect(),
        ),
    ])
}

fn measure<const D: usize>(
    name: &'static str,
    shape: &dyn Fn(usize) -> Shape<D>,
    poses: Vec<Pose<D>>,
) -> DetectionFigure {
    let contactors: Vec<_> = (0..poses.len())
        .map(|k| Contactor { body: k as u32, shape: shape(k), local: Pose::identity() })
        .collect();
    let margins = vec![0.01; poses.len()];
    let mut detector = Detector::new();
    let mut touches = Vec::new();
    let best = |run: &mut dyn FnMut()| {
        let times = (0..6).map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        });
        times.fold(f64::INFINITY, f64::min)
    };
    let seconds = best(&mut || detector.find(&contactors, &poses, &margins, &|_, _| true, &mut touches));
    let pairs = detector.candidate_pairs();
    let mut contacts = 0;
    let plain_seconds = best(&mut || {
        contacts = 0;
        for &[a, b] in pairs {
            let [one, two] = [a, b].map(|k| (&contactors[k as usize].shape, &poses[k as usize]));
            pairs::touch(one, two, 0.02, &mut |_, _, _, _| contacts += 1);
        }
    });
    DetectionFigure { name, contactors: poses.len(), pairs: pairs.len(), contacts, seconds, plain_seconds }
}

/// A number in [-1, 1) from an index, the same at every run.
fn noise(index: usize) -> f64 {
    let mixed = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ mixed >> 29) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Places on a lattice of `side` per axis, one unit apart.
fn lattice<const D: usize>(side: usize, jitter: f64) -> impl Iterator<Item = (usize, Vector<D>)> {
    (0..side.pow(D as u32)).map(move |k| {
        let place = |axis: usize| (k / side.pow(axis as u32) % side) as f64 + jitter * noise(3 * k + axis);
        (k, Vector::from_fn(|axis, _| place(axis)))
    })
}

fn turn(k: usize) -> Orientation {
    Orientation::from_euler_angles(3.0 * noise(3 * k), 3.0 * noise(3 * k + 1), 3.0 * noise(3 * k + 2))
}

fn icosahedron(radius: f64) -> Vec<Vector<3>> {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let corner = |k: usize| {
        let (axis, short, long) =
            (k % 3, if (k / 3).is_multiple_of(2) { 1.0 } else { -1.0 }, if k < 6 { golden } else { -golden });
        let mut place = Vector::<3>::zeros();
        place[(axis + 1) % 3] = short;
        place[(axis + 2) % 3] = long;
        place.normalize() * radius
    };
    (0..12).map(corner).collect()
}
