//! Time of a detection, per contactor and per contact, on one thread and on all. It judges nothing.

use drystone_math::{Orientation, Pose, Vector};
use drystone_shapes::{Contactor, Detector, Polytope, Shape};
use std::time::Instant;

/// A number in [-1, 1) from an index, the same at every run.
fn noise(index: usize) -> f64 {
    let mixed = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ mixed >> 29) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn measure<const D: usize>(name: &str, shapes: Vec<Shape<D>>, poses: Vec<Pose<D>>, margin: f64) {
    // `cargo bench -- disks` measures those alone
    if std::env::args().skip(1).any(|word| !word.starts_with('-') && !name.contains(&word)) {
        return;
    }
    let contactors: Vec<_> = shapes
        .into_iter()
        .zip(0..)
        .map(|(shape, body)| Contactor { body, shape, local: Pose::identity() })
        .collect();
    let margins = vec![margin; contactors.len()];
    let mut times = Vec::new();
    let mut contacts = 0;
    for threads in [1, 0] {
        let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else {
            continue;
        };
        let best = pool.install(|| {
            let mut detector = Detector::new();
            let mut touches = Vec::new();
            let mut best = f64::INFINITY;
            for _ in 0..10 {
                let start = Instant::now();
                detector.find(&contactors, &poses, &margins, &|_, _| true, &mut touches);
                best = best.min(start.elapsed().as_secs_f64());
            }
            contacts = touches.len();
            best
        });
        times.push(best);
    }
    println!(
        "{name:32} {:7} contactors {contacts:8} contacts: {:8.2} ms on one thread, {:4.0} ns per contact, {:4.2} times faster on all",
        contactors.len(),
        times[0] * 1e3,
        times[0] * 1e9 / contacts as f64,
        times[0] / times[1],
    );
}

/// Places on a lattice of `side` per axis, one unit apart.
fn lattice<const D: usize>(side: usize, jitter: f64) -> impl Iterator<Item = Vector<D>> {
    (0..side.pow(D as u32)).map(move |k| {
        Vector::from_fn(|axis, _| (k / side.pow(axis as u32) % side) as f64 + jitter * noise(3 * k + axis))
    })
}

fn turned(k: usize) -> Orientation {
    Orientation::from_euler_angles(3.0 * noise(3 * k), 3.0 * noise(3 * k + 1), 3.0 * noise(3 * k + 2))
}

fn main() {
    // order of the grains unlike their places, as after a long flow
    let shuffled = |count: usize| {
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&k| noise(k + 77).to_bits());
        order
    };
    let disks: Vec<Vector<2>> = lattice::<2>(316, 0.05).collect();
    let poses: Vec<_> = disks.iter().map(|&place| Pose::at(place)).collect();
    let ball = |k: usize| Shape::<2>::Ball { radius: 0.5 + 0.05 * noise(k) };
    measure("disks in rows", (0..poses.len()).map(ball).collect(), poses.clone(), 0.05);
    let poses = shuffled(poses.len()).into_iter().map(|k| poses[k]).collect::<Vec<_>>();
    measure("disks in disorder", (0..poses.len()).map(ball).collect(), poses, 0.05);

    let poses: Vec<_> = lattice::<3>(46, 0.05).map(Pose::at).collect();
    let ball = |k: usize| Shape::<3>::Ball { radius: 0.5 + 0.05 * noise(k) };
    measure("spheres", (0..poses.len()).map(ball).collect(), poses, 0.05);

    // few large grains, many small ones
    let poses: Vec<_> = lattice::<3>(46, 0.3).map(|place| Pose::at(place * 0.05)).collect();
    let radius = |k: usize| 0.02 * (0.5 + 0.5 * noise(k + 5)).max(1e-8).powf(-0.4);
    let wide = |k: usize| Shape::<3>::Ball { radius: radius(k) };
    measure("grains of many sizes", (0..poses.len()).map(wide).collect(), poses, 1e-3);

    let Ok(cube) = Polytope::cuboid([1.0; 3]) else {
        return;
    };
    let cube = Shape::from(cube);
    let poses: Vec<_> = lattice::<3>(20, 0.0).map(Pose::at).collect();
    measure("cubes stacked exactly", vec![cube.clone(); poses.len()], poses, 0.01);
    let poses: Vec<_> = lattice::<3>(20, 0.1)
        .enumerate()
        .map(|(k, place)| Pose { position: place * 1.1, orientation: turned(k) })
        .collect();
    measure("cubes in disorder", vec![cube; poses.len()], poses, 0.02);

    let Ok(square) = Polytope::rectangle([1.0; 2]) else {
        return;
    };
    let poses: Vec<_> = lattice::<2>(140, 0.01).map(Pose::at).collect();
    measure("squares stacked", vec![Shape::from(square); poses.len()], poses, 0.02);
}
