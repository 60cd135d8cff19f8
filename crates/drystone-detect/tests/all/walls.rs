//! Drums on planes and on each other, and what lies in hollow shapes, against closed forms.

use crate::common::*;
use drystone_detect::ContactPoint;
use drystone_geometry::{Polytope, Shape};
use drystone_math::{Orientation, Pose, Vector};
use rand::RngExt;

fn turned(roll: f64, pitch: f64, yaw: f64, place: [f64; 3]) -> Pose<3> {
    Pose { position: place.into(), orientation: Orientation::from_euler_angles(roll, pitch, yaw) }
}

/// Area of the convex hull of points, from their angles about the middle.
fn area(points: &[Vector<2>]) -> f64 {
    let middle = points.iter().sum::<Vector<2>>() / points.len().max(1) as f64;
    let mut arms: Vec<Vector<2>> = points.iter().map(|point| point - middle).collect();
    arms.sort_by(|a, b| a[1].atan2(a[0]).total_cmp(&b[1].atan2(b[0])));
    (0..arms.len()).map(|k| arms[k].perp(&arms[(k + 1) % arms.len()])).sum::<f64>() * 0.5
}

#[test]
fn a_drum_on_a_plane_stands_lies_or_leans() {
    let drum = Shape::cylinder(0.5, 1.0).unwrap();
    let floor = (&Shape::HalfSpace, Pose::identity());
    for gap in [-1e-4, 0.0, 1e-4] {
        let stands = touch((&drum, turned(0.0, 0.0, 0.7, [0.3, 0.2, 0.5 + gap])), floor, 0.01);
        assert_eq!(stands.len(), 8);
        assert!(stands.iter().all(|t| (t.gap - gap).abs() < 1e-14));
        let lies =
            touch((&drum, turned(std::f64::consts::FRAC_PI_2, 0.0, 0.7, [0.3, 0.2, 0.5 + gap])), floor, 0.01);
        assert_eq!(lies.len(), 2);
        assert!(lies.iter().all(|t| (t.gap - gap).abs() < 1e-14));
        for tilt in [1e-8f64, 1e-5, 1e-2, 0.3, 1.0] {
            let low = 0.5 * tilt.cos() + 0.5 * tilt.sin();
            let leans = touch((&drum, turned(0.0, tilt, 0.0, [0.0, 0.0, low + gap])), floor, 0.01);
            let least = leans.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
            assert!((least - gap).abs() < 1e-14, "{tilt} {least}");
        }
    }
}

#[test]
fn drums_stacked_touch_all_over_their_common_patch() {
    let rng = &mut random(1);
    let drum = Shape::cylinder(0.5, 0.4).unwrap();
    let coaxial = touch((&drum, turned(0.0, 0.0, 1.0, [0.0, 0.0, 0.4])), (&drum, Pose::identity()), 0.01);
    assert_eq!(coaxial.len(), 8);
    for round in 0..300 {
        let wide = Shape::cylinder([0.5, 0.3, 0.7][round % 3], 0.4).unwrap();
        let shift = [0.0, 1e-12, 1e-7, 1e-3, 0.1, 0.3][round / 3 % 6];
        let tilt = [0.0, 1e-12, 1e-9, 1e-6, 1e-4][round / 18 % 5];
        let angle: f64 = rng.random_range(-3.0..3.0);
        let place =
            turned(tilt, -tilt, rng.random_range(-3.0..3.0), [shift * angle.cos(), shift * angle.sin(), 0.4]);
        for swap in [false, true] {
            let pair = [(&wide, place), (&drum, Pose::identity())];
            let touches = if swap { touch(pair[1], pair[0], 0.01) } else { touch(pair[0], pair[1], 0.01) };
            assert!((6..=12).contains(&touches.len()), "{} {shift} {tilt} {}", touches.len(), round % 3);
            // on the rim of one and within the other
            for t in &touches {
                let own = place.to_local(&t.point);
                let (below, above) =
                    (0.5 - t.point.xy().norm(), [0.5, 0.3, 0.7][round % 3] - own.xy().norm());
                assert!(below.min(above).abs() < 1e-6, "{below} {above}");
                assert!(t.gap.abs() < 2e-4 && normal(t)[2].abs() > 0.999);
            }
            // eight points of a circle span nine tenths of it
            let (r, s) = ([0.5f64, 0.3, 0.7][round % 3], 0.5f64);
            let exact = lens(r, s, shift);
            let spanned = area(&touches.iter().map(|t| t.point.xy()).collect::<Vec<_>>());
            assert!(spanned > 0.85 * exact && spanned < exact * (1.0 + 1e-5), "{spanned} {exact}");
            let mut names: Vec<_> = touches.iter().map(|t| t.feature).collect();
            names.dedup();
            assert_eq!(names.len(), touches.len());
        }
    }
}

/// Area common to two disks.
fn lens(r: f64, s: f64, d: f64) -> f64 {
    use std::f64::consts::PI;
    if d <= (r - s).abs() {
        return PI * r.min(s).powi(2);
    }
    let x = (d * d + r * r - s * s) / (2.0 * d);
    let y = d - x;
    let part = |r: f64, x: f64| r * r * (x / r).acos() - x * (r * r - x * x).sqrt();
    part(r, x) + part(s, y)
}

#[test]
fn drums_side_by_side_crossed_and_on_blocks() {
    let drum = Shape::cylinder(0.5, 1.0).unwrap();
    let quarter = std::f64::consts::FRAC_PI_2;
    for gap in [-1e-3, 0.0, 1e-3] {
        let beside =
            touch((&drum, turned(0.0, 0.0, 1.0, [1.0 + gap, 0.0, 0.3])), (&drum, Pose::identity()), 0.01);
        assert_eq!(beside.len(), 2);
        assert!(beside.iter().all(|t| (t.gap - gap).abs() < 1e-12 && (normal(t)[0] - 1.0).abs() < 1e-12));
        let crossed =
            touch((&drum, turned(quarter, 0.0, 0.0, [1.0 + gap, 0.1, 0.2])), (&drum, Pose::identity()), 0.01);
        assert_eq!(crossed.len(), 1);
        assert!((crossed[0].gap - gap).abs() < 1e-12);
        assert!((crossed[0].point - Vector::<3>::new(0.5 + 0.5 * gap, 0.0, 0.2)).norm() < 1e-9);
        // one lies across the cap of the other
        let across =
            touch((&drum, turned(quarter, 0.0, 0.0, [0.2, 0.0, 1.0 + gap])), (&drum, Pose::identity()), 0.01);
        assert_eq!(across.len(), 2, "{across:?}");
        let half = (0.25f64 - 0.04).sqrt();
        assert!(across.iter().all(|t| (t.gap - gap).abs() < 1e-12 && (t.point[1].abs() - half).abs() < 1e-9));
        let block: Shape<3> = Polytope::cuboid([0.6, 0.6, 1.0]).unwrap().into();
        let standing =
            touch((&drum, turned(0.0, 0.0, 0.2, [0.0, 0.0, 1.0 + gap])), (&block, Pose::identity()), 0.01);
        // a square of side 0.6 inside a circle of radius 0.5: its corners
        assert_eq!(standing.len(), 4, "{standing:?}");
        assert!(standing.iter().all(|t| (t.gap - gap).abs() < 1e-12));
        let lying = touch(
            (&drum, turned(quarter, 0.0, 0.0, [0.1, 0.0, 1.0 + gap])),
            (&block, Pose::identity()),
            0.01,
        );
        assert_eq!(lying.len(), 2);
        assert!(lying.iter().all(|t| (t.gap - gap).abs() < 1e-12 && (t.point[1].abs() - 0.3).abs() < 1e-9));
    }
}

fn least<const D: usize>(touches: &[ContactPoint<D>]) -> f64 {
    touches.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min)
}

#[test]
fn what_lies_in_a_drum_touches_it_from_within() {
    let rng = &mut random(2);
    let drum = Shape::hollow_disk(2.0).unwrap();
    for _ in 0..300 {
        let place = pose::<2>(rng, 3.0);
        let direction = vector::<2>(rng).normalize();
        let gap = rng.random_range(-0.01..0.01);
        let ball = Shape::ball(0.4).unwrap();
        let at = Pose::at(place.position + direction * (1.6 - gap));
        for swap in [false, true] {
            let touches = if swap {
                touch((&drum, place), (&ball, at), 0.02)
            } else {
                touch((&ball, at), (&drum, place), 0.02)
            };
            assert_eq!(touches.len(), 1);
            assert!((touches[0].gap - gap).abs() < 1e-14);
            let inward = if swap { direction } else { -direction };
            assert!((normal(&touches[0]) - inward).norm() < 1e-13);
            assert!((touches[0].point - place.position - direction * (2.0 - 0.5 * gap)).norm() < 1e-13);
        }
        // every other shape: no point of its skin is farther out than the contacts say
        let shapes: [Shape<2>; 3] = [
            polygon(rng, 0.5).into(),
            Shape::capsule(0.6, 0.2).unwrap(),
            Shape::rounded(polygon(rng, 0.4), 0.1).unwrap(),
        ];
        for shape in shapes {
            let at = Pose { position: place.position + direction * 1.2, ..pose::<2>(rng, 0.0) };
            let skin = shape.skin(2000);
            let far =
                skin.points.iter().map(|p| (at.to_world(p) - place.position).norm()).fold(0.0, f64::max);
            let touches = touch((&shape, at), (&drum, place), 3.0);
            assert!((least(&touches) - (2.0 - far)).abs() < 1e-5, "{} {}", least(&touches), 2.0 - far);
        }
    }
}

#[test]
fn what_lies_in_a_tube_touches_it_from_within() {
    let rng = &mut random(3);
    let tube = Shape::hollow_cylinder(2.0, 6.0).unwrap();
    for _ in 0..200 {
        let place = pose::<3>(rng, 3.0);
        let shapes: [Shape<3>; 5] = [
            Shape::ball(0.5).unwrap(),
            polyhedron(rng, 0.5).into(),
            Shape::capsule(0.6, 0.2).unwrap(),
            Shape::rounded(Polytope::cuboid([0.6; 3]).unwrap(), 0.1).unwrap(),
            Shape::cylinder(0.3, 0.7).unwrap(),
        ];
        for (kind, shape) in shapes.iter().enumerate() {
            let inner = Pose { position: Vector::<3>::new(0.9, 0.6, 0.5), ..pose::<3>(rng, 0.0) };
            let skin = shape.skin(400);
            let far = skin.points.iter().map(|p| inner.to_world(p).xy().norm()).fold(0.0, f64::max);
            let touches = touch((shape, place.compose(&inner)), (&tube, place), 3.0);
            let slack = if kind == 3 { 0.05 } else { 1e-3 };
            assert!(
                (least(&touches) - (2.0 - far)).abs() < slack,
                "{kind} {} {}",
                least(&touches),
                2.0 - far
            );
            for t in &touches {
                let on_wall = place.to_local(&(t.point - normal(t) * (0.5 * t.gap)));
                assert!((on_wall.xy().norm() - 2.0).abs() < 1e-9);
            }
        }
        // beyond the ends nothing is touched but the rim, by balls
        let above = place.compose(&Pose::at(Vector::<3>::new(0.5, 0.0, 8.0)));
        assert!(touch((&shapes[1], above), (&tube, place), 0.01).is_empty());
        // a long bar that sticks out touches where it leaves
        let bar: Shape<3> = Polytope::cuboid([0.1, 0.1, 8.0]).unwrap().into();
        let tilted = place.compose(&turned(0.0, 0.3, 0.0, [1.0, 0.0, 2.0]));
        let touches = touch((&bar, tilted), (&tube, place), 3.0);
        assert!(touches.iter().any(|t| (place.to_local(&t.point)[2] - 3.0).abs() < 1e-9));
    }
    let upright = Shape::cylinder(0.5, 1.0).unwrap();
    let touches =
        touch((&upright, turned(0.0, 0.0, 0.3, [1.499, 0.0, 0.0])), (&tube, Pose::identity()), 0.01);
    assert!(touches.len() >= 2 && touches.iter().all(|t| (t.gap - 1e-3).abs() < 1e-9), "{touches:?}");
}
