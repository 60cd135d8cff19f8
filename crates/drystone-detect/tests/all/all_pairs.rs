//! Every pair of solid shapes against what convexity proves.
//!
//! The separation of two bodies along any direction is at most their signed distance. For bodies apart, two
//! points, one of each body, that are no farther apart than the separation along the normal prove both right.
//! For bodies that overlap, no direction separates them better than the normal: thousands are tried. The
//! oracle knows support functions only.

use crate::common::*;
use drystone_detect::{ContactPoint, PLACES, Passing, breadth};
use drystone_geometry::{Polytope, Shape};
use drystone_math::{Pose, Vector};
use rand::RngExt;
use rand_pcg::Pcg64;

/// Largest height of a placed shape along a unit direction, relative to an origin.
fn top<const D: usize>(shape: &Shape<D>, pose: &Pose<D>, origin: &Vector<D>, m: &Vector<D>) -> f64 {
    let local = pose.rotation().transpose() * m;
    let far = |form: &Polytope<D>| form.vertices().iter().map(|v| local.dot(v)).fold(f64::MIN, f64::max);
    let own = match shape {
        Shape::Ball { radius } => *radius,
        Shape::Point => 0.0,
        Shape::Capsule { half_length, radius } => half_length * local[D - 1].abs() + radius,
        Shape::Polytope(form) => far(form),
        Shape::Rounded { core, radius } => far(core) + radius,
        Shape::Cylinder { radius, half_height } => {
            half_height * local[2].abs() + radius * local[0].hypot(local[1])
        }
        _ => unreachable!(),
    };
    m.dot(&(pose.position - origin)) + own
}

type Body<'a, const D: usize> = (&'a Shape<D>, &'a Pose<D>);

/// Separation along a unit direction from `b` to `a`.
fn apart_along<const D: usize>(a: Body<D>, b: Body<D>, m: &Vector<D>) -> f64 {
    let origin = a.1.position;
    -top(a.0, a.1, &origin, &-m) - top(b.0, b.1, &origin, m)
}

fn directions<const D: usize>(rng: &mut Pcg64, count: usize) -> Vec<Vector<D>> {
    (0..count).map(|_| vector::<D>(rng).normalize()).filter(|m| m.norm() > 0.5).collect()
}

/// The best of many directions, climbed from the best few.
fn best_direction<const D: usize>(rng: &mut Pcg64, a: Body<D>, b: Body<D>) -> f64 {
    let mut tried: Vec<(f64, Vector<D>)> =
        directions(rng, 300).into_iter().map(|m| (apart_along(a, b, &m), m)).collect();
    tried.sort_by(|one, two| two.0.total_cmp(&one.0));
    let mut best = f64::MIN;
    for (mut value, mut m) in tried.into_iter().take(6) {
        let mut step = 0.2;
        while step > 1e-7 {
            let other = (m + vector::<D>(rng) * step).normalize();
            let at = apart_along(a, b, &other);
            if at > value {
                (value, m) = (at, other);
                step *= 1.5;
            } else {
                step *= 0.985;
            }
        }
        best = best.max(value);
    }
    best
}

#[derive(Default)]
struct Tally {
    apart: usize,
    overlapping: usize,
    inexact: usize,
    several: usize,
}

fn prove<const D: usize>(
    rng: &mut Pcg64,
    a: Body<D>,
    b: Body<D>,
    touches: &[ContactPoint<D>],
    digits: f64,
    tally: &mut Tally,
) {
    assert!(!touches.is_empty(), "{a:?} {b:?}");
    let least = touches.iter().min_by(|one, two| one.gap.total_cmp(&two.gap)).unwrap();
    let n = normal(least);
    let origin = a.1.position;
    let flat = |shape: &Shape<D>| matches!(shape, Shape::Polytope(_) | Shape::Rounded { .. });
    // the ends of two nearly parallel edges are on one of them, and beside the other by their angle at most
    let beside = match touches {
        [one, two] if D == 3 && flat(a.0) && flat(b.0) => 0.03 * (one.point - two.point).norm(),
        _ => 0.0,
    };
    for touch in touches {
        let n = normal(touch);
        assert!(
            touch.gap.is_finite() && touch.normal.iter().chain(touch.point.iter()).all(|x| x.is_finite())
        );
        assert!((n.norm() - 1.0).abs() < 1e-12);
        // the two points belong to the bodies
        let [on_a, on_b] = [0.5, -0.5].map(|half| touch.point - origin + n * (half * touch.gap));
        let slack = digits + 5e-4 * touch.gap.abs() + beside;
        for m in directions::<D>(rng, 40).into_iter().chain([n, -n]) {
            assert!(m.dot(&on_a) <= top(a.0, a.1, &origin, &m) + slack, "{touch:?}\n{a:?}\n{b:?}");
            assert!(m.dot(&on_b) <= top(b.0, b.1, &origin, &m) + slack, "{touch:?}\n{a:?}\n{b:?}");
        }
    }
    let along = apart_along(a, b, &n);
    let exact = if least.gap > 0.0 { along } else { best_direction(rng, a, b).max(along) };
    if least.gap > 0.0 {
        tally.apart += 1
    } else {
        tally.overlapping += 1
    }
    tally.several += usize::from(touches.len() > 1);
    if (least.gap - exact).abs() > digits {
        // a face may stand in for an edge in nearly the same direction
        tally.inexact += 1;
        let exact = best_direction(rng, a, b).max(exact);
        assert!(
            (least.gap - exact).abs() <= 4e-4 * exact.abs() + digits,
            "{} {exact}\n{least:?}\n{a:?}\n{b:?}",
            least.gap
        );
    }
}

fn solid_in_space(rng: &mut Pcg64, size: f64, kind: usize) -> Shape<3> {
    let length = |rng: &mut Pcg64| size * rng.random_range(0.2..1.0);
    match kind {
        0 => Shape::ball(length(rng)).unwrap(),
        1 => Shape::capsule(length(rng), length(rng)).unwrap(),
        2 => Shape::rounded(polyhedron(rng, size), 0.3 * length(rng)).unwrap(),
        3 => polyhedron(rng, size).into(),
        4 => Shape::cylinder(length(rng), length(rng)).unwrap(),
        _ => Shape::Point,
    }
}

fn solid_in_the_plane(rng: &mut Pcg64, size: f64, kind: usize) -> Shape<2> {
    let length = |rng: &mut Pcg64| size * rng.random_range(0.2..1.0);
    match kind {
        0 => Shape::ball(length(rng)).unwrap(),
        1 => Shape::capsule(length(rng), length(rng)).unwrap(),
        2 => Shape::rounded(polygon(rng, size), 0.3 * length(rng)).unwrap(),
        3 => polygon(rng, size).into(),
        4 => Shape::rounded_rectangle([2.0 * size, 0.4 * size], 0.2 * size).unwrap(),
        _ => Shape::Point,
    }
}

fn prove_all<const D: usize>(
    seed: u64,
    size: f64,
    offset: f64,
    solid: fn(&mut Pcg64, f64, usize) -> Shape<D>,
) {
    let rng = &mut random(seed);
    let digits = 1e-9 * size + 1e-15 * offset * 1e3;
    for one in 0..6 {
        for two in 0..6 {
            let mut tally = Tally::default();
            for _ in 0..60 {
                let shapes = [solid(rng, size, one), solid(rng, size, two)];
                let mut poses = [pose::<D>(rng, 0.0), pose::<D>(rng, 0.0)];
                poses[0].position = Vector::repeat(offset);
                // from well apart to a third inside
                let m = vector::<D>(rng).normalize();
                let reach = [0, 1].map(|k| {
                    let sign = if k == 0 { -1.0 } else { 1.0 };
                    top(&shapes[k], &poses[k], &poses[k].position.clone(), &(m * sign))
                });
                let reach = reach[0] + reach[1];
                let shift = rng.random_range(-0.3..0.2) * if one == 5 && two == 5 { -1.0 } else { 1.0 };
                poses[1].position = poses[0].position - m * (reach + shift * size.min(reach + size * 0.1));
                let alert = 10.0 * size;
                let touches = touch((&shapes[0], poses[0]), (&shapes[1], poses[1]), alert);
                let (a, b) = ((&shapes[0], &poses[0]), (&shapes[1], &poses[1]));
                prove(rng, a, b, &touches, digits, &mut tally);
                // exchanged: the same gap, the opposite normal
                let again = touch((&shapes[1], poses[1]), (&shapes[0], poses[0]), alert);
                let gap =
                    |touches: &[ContactPoint<D>]| touches.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
                assert!((gap(&touches) - gap(&again)).abs() < digits, "{} {}", gap(&touches), gap(&again));
                // a small alert changes nothing but what is left out
                let near = touch((&shapes[0], poses[0]), (&shapes[1], poses[1]), 0.02 * size);
                let expected: Vec<_> = touches.iter().filter(|t| t.gap <= 0.02 * size).collect();
                assert_eq!(near.len(), expected.len());
                for (one, two) in near.iter().zip(expected) {
                    assert_eq!(one.feature, two.feature);
                    assert!((one.gap - two.gap).abs() < digits && (normal(one) - normal(two)).norm() < 1e-6);
                }
            }
            println!(
                "{one}-{two}: {} apart, {} overlapping, {} several, {} inexact",
                tally.apart, tally.overlapping, tally.several, tally.inexact
            );
            assert!(tally.inexact <= 6, "{one} {two} {}", tally.inexact);
        }
    }
}

#[test]
fn every_pair_of_solids_in_space_touches_where_convexity_says() {
    prove_all::<3>(1, 1.0, 0.0, solid_in_space);
}

#[test]
fn every_pair_of_solids_in_the_plane_touches_where_convexity_says() {
    prove_all::<2>(2, 1.0, 0.0, solid_in_the_plane);
}

#[test]
fn tiny_huge_and_far_solids_touch_alike() {
    for (seed, size, offset) in [(3, 1e-6, 0.0), (4, 1e6, 0.0), (5, 1.0, 1e6)] {
        prove_all::<2>(seed, size, offset, solid_in_the_plane);
        prove_all::<3>(seed, size, offset, solid_in_space);
    }
}

fn turned(roll: f64, pitch: f64, yaw: f64, place: [f64; 3]) -> Pose<3> {
    let orientation = drystone_math::Orientation::from_euler_angles(roll, pitch, yaw);
    Pose { position: place.into(), orientation }
}

/// The settings of tests that LMGC90 (PRPRx) and MuJoCo ship for two blocks; the numbers are counted.
#[test]
fn placements_of_two_blocks_give_their_points() {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_8, SQRT_2};
    let cube: Shape<3> = Polytope::cuboid([1.0; 3]).unwrap().into();
    let corner = (1.0 / 3.0f64.sqrt()).acos() - FRAC_PI_2;
    let on_edge = turned(FRAC_PI_4, 0.0, 0.0, [0.0; 3]);
    let gap = 1e-3;
    let lifted = |pose: Pose<3>, z: f64| Pose { position: Vector::<3>::new(0.1, 0.2, z + gap), ..pose };
    let on_corner = turned(FRAC_PI_4, corner, 0.0, [0.0; 3]);
    let flat = Pose::identity();
    for (what, above, below, points) in [
        ("face on face", turned(0.0, 0.0, 0.0, [0.0, 0.0, 1.0 + gap]), flat, 4),
        ("shifted", lifted(flat, 1.0), flat, 4),
        ("turned by 45 degrees", turned(0.0, 0.0, FRAC_PI_4, [0.0, 0.0, 1.0 + gap]), flat, 8),
        ("edge over face", lifted(on_edge, 0.5 + 0.5 * SQRT_2), flat, 2),
        ("corner over face", lifted(on_corner, 0.5 + 0.5 * 3.0f64.sqrt()), flat, 1),
        ("crossed edges", lifted(turned(0.0, FRAC_PI_4, 0.0, [0.0; 3]), SQRT_2), on_edge, 1),
        ("parallel edges", Pose { position: [0.1, 0.0, SQRT_2 + gap].into(), ..on_edge }, on_edge, 2),
    ] {
        let touches = touch((&cube, above), (&cube, below), 0.02);
        assert_eq!(touches.len(), points, "{what}: {touches:?}");
        assert!(touches.iter().all(|touch| (touch.gap - gap).abs() < 1e-12), "{what}");
        if points == 8 {
            // corners of the regular octagon about the common circle of radius 1/2
            let radius = |touch: &ContactPoint<3>| touch.point[0].hypot(touch.point[1]);
            assert!(touches.iter().all(|touch| (radius(touch) * FRAC_PI_8.cos() - 0.5).abs() < 1e-12));
        }
    }
}

/// The settings of Box2D's tests of distances: a square and an edge, two segments; both grown by a radius
/// here.
#[test]
fn known_distances_in_the_plane() {
    let square: Shape<2> = Polytope::rectangle([2.0; 2]).unwrap().into();
    let rod = |length: f64| Shape::<2>::capsule(length, 0.25).unwrap();
    let at = |x: f64, angle: f64| Pose {
        position: Vector::<2>::new(x, 0.0),
        orientation: drystone_math::Orientation::from_euler_angles(0.0, 0.0, angle),
    };
    let touches = touch((&square, at(0.0, 0.0)), (&rod(2.0), at(2.0, 0.0)), 2.0);
    assert!(!touches.is_empty() && touches.iter().all(|touch| (touch.gap - 0.75).abs() < 1e-14));
    let lying = at(1.5, std::f64::consts::FRAC_PI_2);
    let touches = touch((&rod(2.0), at(-1.0, 0.0)), (&rod(1.0), lying), 2.0);
    assert_eq!(touches.len(), 1);
    assert!((touches[0].gap - 1.5).abs() < 1e-14 && (normal(&touches[0]) + Vector::<2>::x()).norm() < 1e-14);
}

/// The settings of LMGC90's test of two cylinders (CDCDx): radius 0.3, length 1.
#[test]
fn placements_of_two_cylinders_give_their_gaps() {
    use std::f64::consts::FRAC_PI_2;
    let cylinder = Shape::<3>::cylinder(0.3, 1.0).unwrap();
    let standing = |place: [f64; 3]| Pose::at(place.into());
    for gap in [1e-2, 1e-3, -1e-3] {
        for (what, other, points, up) in [
            ("side by side", standing([0.6 + gap, 0.0, 0.2]), 2, Vector::<3>::x()),
            ("crossed", turned(FRAC_PI_2, 0.0, 0.0, [0.6 + gap, 0.1, 0.0]), 1, Vector::<3>::x()),
            ("in line", standing([0.0, 0.0, 1.0 + gap]), 8, Vector::<3>::z()),
            ("cap on side", turned(0.0, FRAC_PI_2, 0.0, [0.1, 0.0, 0.8 + gap]), 2, Vector::<3>::z()),
        ] {
            let touches = touch((&cylinder, other), (&cylinder, standing([0.0; 3])), 0.05);
            assert_eq!(touches.len(), points, "{what}: {touches:?}");
            for touch in &touches {
                assert!((touch.gap - gap).abs() < 1e-12 && (normal(touch) - up).norm() < 1e-9, "{what}");
            }
        }
    }
}

/// Places on a straight way, at its beginning, its middle and its end.
fn places<const D: usize>(start: Pose<D>, way: &Vector<D>) -> [Pose<D>; PLACES] {
    let last = (PLACES - 1) as f64;
    std::array::from_fn(|place| Pose { position: start.position + way * (place as f64 / last), ..start })
}

/// Deepest overlap at many places on the way of the first body.
fn deepest<const D: usize>(a: (&Shape<D>, Pose<D>), b: (&Shape<D>, Pose<D>), way: &Vector<D>) -> f64 {
    let gaps = (0..=60).flat_map(|k| {
        let pose = Pose { position: a.1.position + way * (f64::from(k) / 60.0), ..a.1 };
        touch((a.0, pose), b, 0.0).into_iter().map(|touch| touch.gap)
    });
    -gaps.fold(0.0, f64::min)
}

/// Bodies apart of which one is on its way: a plane that is said to stay between them must do so. In the
/// plane the planes tried are all there are, so that bodies said to meet do.
fn check_passing<const D: usize>(rng: &mut Pcg64, solid: impl Fn(&mut Pcg64) -> Shape<D>) -> [usize; 2] {
    let mut counts = [0; 2];
    for _ in 0..150 {
        let (one, two) = (solid(rng), solid(rng));
        let (at, there) = (pose::<D>(rng, 2.0), pose::<D>(rng, 0.1));
        let Some(first) = touch((&one, at), (&two, there), 10.0).into_iter().next() else { continue };
        if first.gap < 0.1 {
            continue;
        }
        let way = (vector::<D>(rng) * 2.0 - at.position) * 2.0;
        let on_the_way = [places(at, &way), places(there, &Vector::zeros())];
        let passing = Passing::new([&one, &two], on_the_way, 0.0).expect("solids");
        let depth = passing.depth(&first.normal, &way, 0.0);
        let found = deepest((&one, at), (&two, there), &way);
        assert!(found <= depth.max(0.0) + 1e-9, "{one:?} {two:?}: {found} deep, at most {depth}");
        assert!(D == 3 || depth < 0.15 || found > 0.0, "{one:?} {two:?}: {depth} deep, never met");
        counts[usize::from(depth > 0.0)] += 1;
    }
    counts
}

#[test]
fn a_plane_between_bodies_on_their_way_keeps_them_apart() {
    let rng = &mut random(12);
    for [pass, meet] in [
        check_passing::<2>(rng, |rng| polygon(rng, 0.5).into()),
        check_passing::<3>(rng, |rng| polyhedron(rng, 0.5).into()),
        check_passing::<3>(rng, any_solid),
    ] {
        assert!(pass > 10 && meet > 10, "{pass} passed, {meet} met");
    }
}

/// Blocks on each other that rock, slide and sink a little: at a patch ten times as broad as they go, and
/// broader yet where little is foretold, no plane shows them to pass at a point that is foretold to sink in,
/// whichever corner goes first. Where they go farther, some do pass.
#[test]
fn nothing_passes_at_a_broad_patch() {
    let rng = &mut random(14);
    let (mut held, mut passed) = (0, 0);
    for _ in 0..1000 {
        let sides: [[f64; 3]; 2] =
            std::array::from_fn(|_| std::array::from_fn(|_| rng.random_range(0.2..1.0)));
        let [one, two] = sides.map(|sides| Shape::from(Polytope::cuboid(sides).unwrap()));
        let sinks = 10f64.powf(rng.random_range(-7.0..-3.0)) * rng.random_range(-1.0..1.0);
        let lies = Vector::<3>::new(
            rng.random_range(-0.5..0.5) * sides[1][0],
            rng.random_range(-0.5..0.5) * sides[1][1],
            0.5 * (sides[0][2] + sides[1][2]) - sinks,
        );
        let at = turned(0.0, 0.0, rng.random_range(0.0..3.0), lies.into());
        let touches = touch((&one, at), (&two, turned(0.0, 0.0, 0.0, [0.0; 3])), 1e-3);
        let size = 10f64.powf(rng.random_range(-6.0..0.0));
        let (way, spin) = (vector::<3>(rng) * size, vector::<3>(rng) * size);
        let reach = way.norm() + spin.norm() * Vector::from(sides[0]).norm();
        let apart = touches.iter().map(|touch| touch.gap.abs()).fold(0.0, f64::max);
        let broad = |foretold: f64| 10.0 * (reach + apart) * f64::max(1.0, reach / foretold);
        for touch in &touches {
            let goes = way + spin.cross(&(touch.point - at.position));
            let foretold = -goes.dot(&touch.normal) - touch.gap.max(0.0);
            if foretold <= 0.0 {
                continue;
            }
            let here = |pose: Pose<3>| Pose { position: pose.position - touch.point, ..pose };
            let moved = std::array::from_fn(|place| {
                let share = place as f64 / (PLACES - 1) as f64;
                let turn = drystone_math::Orientation::from_scaled_axis(spin * share);
                here(Pose { position: at.position + way * share, orientation: turn * at.orientation })
            });
            let still = [here(turned(0.0, 0.0, 0.0, [0.0; 3])); PLACES];
            let passing = Passing::new([&one, &two], [moved, still], 0.0).expect("solids");
            let depth = passing.depth(&touch.normal, &goes, 0.0);
            if breadth(&touches) > broad(foretold) {
                assert!(depth > 0.9 * foretold, "{depth} deep, {foretold} foretold");
                held += 1;
            } else {
                passed += usize::from(depth <= 0.9 * foretold);
            }
        }
    }
    assert!(held > 100 && passed > 10, "{held} held, {passed} passed");
}
