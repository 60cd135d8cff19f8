//! The cells against every pair, and the speed of neither.

use crate::common::*;
use drystone_bench::detection::Packed;
use drystone_detect::{ContactPoint, Detector};
use drystone_geometry::{Contactor, Polytope, Shape, Surface};
use drystone_math::{Orientation, Pose, Vector};
use rand::RngExt;
use rand_pcg::Pcg64;

struct Scene<const D: usize> {
    contactors: Vec<Contactor<D>>,
    poses: Vec<Pose<D>>,
    margins: Vec<f64>,
}

/// Mixed shapes with sizes from 1 to 1000 and a few half-spaces, two contactors on some bodies.
fn scene<const D: usize>(
    rng: &mut Pcg64,
    count: usize,
    form: &dyn Fn(&mut Pcg64, f64) -> Polytope<D>,
) -> Scene<D> {
    let mut scene = Scene { contactors: Vec::new(), poses: Vec::new(), margins: Vec::new() };
    for index in 0..count {
        let size = 10f64.powf(rng.random_range(-3.0..0.0));
        let shape = match rng.random_range(0..20) {
            0 if index < 200 => Shape::HalfSpace,
            1..8 => form(rng, size).into(),
            _ => Shape::ball(size).unwrap(),
        };
        // small ones near the middle, so that all sizes meet
        let spread = if rng.random_bool(0.5) { 5.0 } else { 20.0 * size };
        scene.contactors.push(Contactor { body: (index * 3 / 4) as u32, shape, local: Pose::identity() });
        scene.poses.push(pose(rng, spread));
        scene.margins.push(0.1 * size);
    }
    scene
}

fn find<const D: usize>(scene: &Scene<D>, detector: &mut Detector<D>) -> Vec<ContactPoint<D>> {
    let mut touches = Vec::new();
    let meet = |a: u32, b: u32| !(a + b).is_multiple_of(7);
    detector.find(&scene.contactors, &scene.poses, &scene.margins, &meet, &mut touches);
    touches
}

/// Every pair on its own, in a detector of two contactors.
fn brute_force<const D: usize>(scene: &Scene<D>) -> Vec<ContactPoint<D>> {
    let mut all = Vec::new();
    let mut detector = Detector::new();
    let mut touches = Vec::new();
    for a in 0..scene.contactors.len() {
        for b in a + 1..scene.contactors.len() {
            let bodies = [a, b].map(|index| scene.contactors[index].body);
            if bodies[0] == bodies[1] || (bodies[0] + bodies[1]).is_multiple_of(7) {
                continue;
            }
            let two = [a, b].map(|index| scene.contactors[index].clone());
            let poses = [scene.poses[a], scene.poses[b]];
            let margins = [scene.margins[a], scene.margins[b]];
            detector.find(&two, &poses, &margins, &|_, _| true, &mut touches);
            for touch in &mut touches {
                touch.contactors = touch.contactors.map(|index| [a, b][index as usize] as u32);
            }
            all.extend_from_slice(&touches);
        }
    }
    all.sort_by_key(|touch| (touch.contactors, touch.feature));
    all
}

fn check<const D: usize>(seed: u64, count: usize, form: &dyn Fn(&mut Pcg64, f64) -> Polytope<D>) {
    let rng = &mut random(seed);
    let mut detector = Detector::new();
    for _ in 0..3 {
        let scene = scene(rng, count, form);
        let touches = find(&scene, &mut detector);
        assert!(touches.len() > 500, "{} touches", touches.len());
        assert_eq!(touches, brute_force(&scene));
        let names: Vec<_> = touches.iter().map(|touch| (touch.contactors, touch.feature)).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "names are unique and sorted");
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let again = pool.install(|| find(&scene, &mut Detector::new()));
            assert_eq!(again, touches, "{threads} threads");
        }
    }
}

#[test]
fn cells_find_what_brute_force_finds_in_the_plane() {
    check::<2>(1, 500, &polygon);
}

#[test]
fn cells_find_what_brute_force_finds_in_space() {
    check::<3>(2, 700, &polyhedron);
}

#[test]
fn a_dense_lattice_far_from_the_origin_keeps_its_contacts() {
    let mut scene = Scene { contactors: Vec::new(), poses: Vec::new(), margins: Vec::new() };
    let corner = Vector::<3>::new(-1e6, 1e6, 1e6);
    for k in 0..1000 {
        let place = Vector::<3>::new((k % 10) as f64, (k / 10 % 10) as f64, (k / 100) as f64);
        scene.contactors.push(Contactor {
            body: k,
            shape: Shape::ball(0.5).unwrap(),
            local: Pose::identity(),
        });
        scene.poses.push(Pose::at(corner + place));
        scene.margins.push(1e-3);
    }
    let mut touches = Vec::new();
    Detector::new().find(&scene.contactors, &scene.poses, &scene.margins, &|_, _| true, &mut touches);
    assert_eq!(touches.len(), 3 * 9 * 100);
}

#[test]
fn what_is_not_finite_or_has_no_size_is_no_trouble() {
    let ball = |radius| Shape::<2>::Ball { radius };
    let shapes = [
        ball(1.0),
        ball(0.0),
        ball(f64::NAN),
        ball(1.0),
        Shape::HalfSpace,
        Shape::HalfSpace,
        ball(f64::INFINITY),
    ];
    let contactors: Vec<_> = shapes
        .into_iter()
        .zip(0..)
        .map(|(shape, body)| Contactor { body, shape, local: Pose::identity() })
        .collect();
    let mut poses = vec![Pose::<2>::identity(); contactors.len()];
    poses[3].position[0] = f64::NAN;
    let mut touches = Vec::new();
    Detector::new().find(&contactors, &poses, &[0.0; 7], &|_, _| true, &mut touches);
    assert!(touches.iter().all(|touch| touch.gap.is_finite() && touch.normal.iter().all(|x| x.is_finite())));
    assert!(touches.iter().any(|touch| touch.contactors == [0, 1]));
    Detector::<2>::new().find(&[], &[], &[], &|_, _| true, &mut touches);
    assert!(touches.is_empty());
}

/// Kept pairs give the very contacts that pairs looked for at every step give.
#[test]
fn a_skin_misses_nothing_while_bodies_move() {
    let rng = &mut random(9);
    let mut scene = scene::<3>(rng, 400, &polyhedron);
    let speeds: Vec<f64> =
        scene.contactors.iter().map(|one| 2e-3 * one.shape.bounding_radius().min(1.0)).collect();
    let mut lazy = Detector::with_skin(0.04);
    let (mut looked, mut seen) = (0, 0);
    for _ in 0..60 {
        for k in 0..scene.poses.len() {
            // half-spaces stay: any turn of theirs moves points without end
            if matches!(scene.contactors[k].shape, Shape::HalfSpace) {
                continue;
            }
            scene.poses[k].position += vector::<3>(rng) * speeds[k];
            let turn = drystone_math::Orientation::from_scaled_axis(vector::<3>(rng) * 2e-3);
            scene.poses[k].orientation = turn * scene.poses[k].orientation;
            scene.margins[k] *= rng.random_range(0.999..1.001);
        }
        let touches = find(&scene, &mut lazy);
        looked += usize::from(lazy.has_looked());
        seen += touches.len();
        assert_eq!(touches, find(&scene, &mut Detector::new()));
    }
    assert!(looked > 1 && looked < 40 && seen > 10_000, "{looked} {seen}");
}

/// All shapes at once: solids, walls and surfaces.
#[test]
fn cells_find_what_brute_force_finds_among_all_shapes() {
    let rng = &mut random(10);
    let mut scene = Scene { contactors: Vec::new(), poses: Vec::new(), margins: Vec::new() };
    for index in 0..250 {
        let size = 10f64.powf(rng.random_range(-2.0..0.0));
        let shape: Shape<3> = match index % 10 {
            0 => Shape::capsule(size, 0.4 * size).unwrap(),
            1 => Shape::cylinder(size, size).unwrap(),
            2 => Shape::rounded(polyhedron(rng, size), 0.2 * size).unwrap(),
            3 => polyhedron(rng, size).into(),
            4 => Shape::Point,
            5 if index < 30 => Shape::hollow_cylinder(3.0, 4.0).unwrap(),
            6 if index < 60 => {
                let heights: Vec<f64> = (0..64).map(|_| rng.random_range(-0.3..0.3)).collect();
                Surface::height_field([-2.0; 2], 0.6, 8, &heights).unwrap().into()
            }
            7 if index < 20 => Shape::HalfSpace,
            _ => Shape::ball(size).unwrap(),
        };
        scene.contactors.push(Contactor { body: index as u32, shape, local: Pose::identity() });
        scene.poses.push(pose(rng, 1.5));
        scene.margins.push(0.1 * size);
    }
    let touches = find(&scene, &mut Detector::new());
    assert!(touches.len() > 500, "{}", touches.len());
    assert_eq!(touches, brute_force(&scene));
    let names: Vec<_> = touches.iter().map(|touch| (touch.contactors, touch.feature)).collect();
    assert!(names.is_sorted_by(|a, b| a < b), "names are unique and sorted");
    assert!(touches.iter().all(|touch| touch.gap.is_finite() && touch.normal.iter().all(|x| x.is_finite())));
}

/// Bodies sway so that pairs part, by other faces each time, and meet again; then the shapes are exchanged
/// for some with fewer faces. A detector that has seen all of it finds what a new one finds, to the bit.
#[test]
fn what_a_detector_remembers_changes_no_contact() {
    let packed = Packed::polyhedra(300).unwrap();
    let other: Shape<3> = Polytope::cuboid([0.9, 0.8, 0.7]).unwrap().into();
    let mut contactors = packed.contactors.clone();
    let mut detector = Detector::new();
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    let mut counts = Vec::new();
    for turn in 0..12 {
        if turn == 8 {
            contactors.iter_mut().step_by(2).for_each(|one| one.shape = other.clone());
        }
        let mut poses = packed.frames[turn % packed.frames.len()].clone();
        for (k, pose) in poses.iter_mut().enumerate() {
            let sway = 0.06 * (1.7 * turn as f64 + k as f64).sin();
            pose.position += Vector::<3>::new(sway, -0.7 * sway, 0.4 * sway);
            pose.orientation = Orientation::from_euler_angles(sway, 2.0 * sway, 0.0) * pose.orientation;
        }
        detector.find(&contactors, &poses, &packed.margins, &|_, _| true, &mut found);
        Detector::new().find(&contactors, &poses, &packed.margins, &|_, _| true, &mut expected);
        assert_eq!(found, expected);
        counts.push(found.len());
    }
    counts.sort_unstable();
    counts.dedup();
    assert!(counts[0] > 100 && counts.len() > 6);
}
