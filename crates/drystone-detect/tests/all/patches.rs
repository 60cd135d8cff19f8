//! Patches between faces against closed forms, and what is left of them when they are reduced.

use crate::common::*;
use drystone_detect::{ContactPoint, reduce_patches};
use drystone_geometry::Polytope;
use drystone_math::{Orientation, Pose, Vector};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::f64::consts::{PI, TAU};

fn flat(touches: &[ContactPoint<3>]) -> Vec<Vector<2>> {
    touches.iter().map(|touch| touch.point.xy()).collect()
}

/// A prism over a regular polygon with this radius of the circle inside.
fn round_prism(sides: usize, inner: f64) -> Polytope<3> {
    prism(sides, inner / (PI / sides as f64).cos(), 1.0)
}

fn turned(angle: f64, place: [f64; 3]) -> Pose<3> {
    Pose { position: place.into(), orientation: Orientation::from_euler_angles(0.0, 0.0, angle) }
}

/// Sides that all touch one circle enclose the area `ρ² Σ tan(Δ/2)`, with the angles Δ between neighbouring
/// normals.
fn around_circle(inner: f64, first: (usize, f64), second: (usize, f64)) -> f64 {
    let normals = |(sides, angle): (usize, f64)| {
        (0..sides).map(move |k| (angle + TAU * (k as f64 + 0.5) / sides as f64).rem_euclid(TAU))
    };
    let mut all: Vec<f64> = normals(first).chain(normals(second)).collect();
    all.sort_by(f64::total_cmp);
    let gap = |k: usize| (all[(k + 1) % all.len()] - all[k]).rem_euclid(TAU);
    inner * inner * (0..all.len()).map(|k| (0.5 * gap(k)).tan()).sum::<f64>()
}

#[test]
fn octagons_and_dodecagons_keep_the_area_at_any_angle() {
    let rng = &mut random(1);
    for (sides, other) in [(8, 8), (12, 12), (8, 12), (12, 8)] {
        let special = (0..24).map(|k| TAU * k as f64 / 24.0);
        let mut angles: Vec<f64> = special.collect();
        // so little turned that rounding and tolerances meet
        angles.extend((3..16).map(|k| 10f64.powi(-k)));
        angles.extend((0..300).map(|_| rng.random_range(-PI..PI)));
        for angle in angles {
            let own = rng.random_range(-PI..PI) * f64::from(u8::from(rng.random_bool(0.5)));
            let inner = 0.5;
            let below = (&round_prism(sides, inner).into(), turned(own, [0.0; 3]));
            let above = (&round_prism(other, inner).into(), turned(own + angle, [0.0, 0.0, 1.0 + 1e-4]));
            let touches = touch(below, above, 0.01);
            let exact = around_circle(inner, (sides, own), (other, own + angle));
            let (area, _) = area_and_centroid(&flat(&touches));
            assert!((area - exact).abs() < 1e-9, "{sides} and {other} at {angle}: {area} for {exact}");
            assert!(touches.iter().all(|touch| (touch.gap - 1e-4).abs() < 1e-12));
        }
    }
}

fn length(points: &[Vector<2>]) -> f64 {
    let pairs = points.iter().flat_map(|a| points.iter().map(move |b| (a - b).norm()));
    pairs.fold(0.0, f64::max)
}

/// How far points reach along a direction.
fn breadth(points: &[Vector<2>], way: &Vector<2>) -> f64 {
    let heights = || points.iter().map(|point| point.dot(way));
    heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min)
}

fn random_patch(rng: &mut Pcg64) -> (Vec<ContactPoint<3>>, impl Fn(f64) -> Vec<ContactPoint<3>> + use<>) {
    let (below, above) = (prism(rng.random_range(5..13), 1.0, 1.0), prism(rng.random_range(5..13), 0.9, 1.0));
    let angle = rng.random_range(-3.0..3.0);
    let [x, y] = [0; 2].map(|_| rng.random_range(-0.5..0.5));
    let at = move |noise: f64| {
        let place = turned(angle + noise, [x + noise, y - noise, 1.0]);
        touch((&below.clone().into(), Pose::identity()), (&above.clone().into(), place), 0.01)
    };
    (at(0.0), at)
}

#[test]
fn reduced_patches_keep_length_breadth_centroid_and_names() {
    let rng = &mut random(2);
    let mut reduced = 0;
    for round in 0..400 {
        let (whole, again) = random_patch(rng);
        let most = 4 + round % 5;
        let mut few = whole.clone();
        reduce_patches(&mut few, most);
        assert_eq!(few.len(), whole.len().min(most), "{most} of {}", whole.len());
        assert!(few.iter().all(|touch| whole.contains(touch)), "a point was moved or made");
        reduced += usize::from(few.len() < whole.len());
        let (all, kept) = (flat(&whole), flat(&few));
        assert!((length(&all) - length(&kept)).abs() < 2e-6);
        // across a longest chord: a regular patch has several
        let pairs = kept.iter().flat_map(|a| kept.iter().map(move |b| b - a));
        let mut chords = pairs.filter(|chord| chord.norm() > length(&all) - 2e-6);
        assert!(chords.any(|chord| {
            let across = Vector::<2>::new(-chord[1], chord[0]).normalize();
            (breadth(&all, &across) - breadth(&kept, &across)).abs() < 2e-6
        }));
        let ((area, centroid), (left, _)) = (area_and_centroid(&all), area_and_centroid(&kept));
        assert!(left >= 0.5 * area, "{left} of {area}");
        let corners = hull(&kept);
        for k in 0..corners.len() {
            let side = turn(&corners[k], &corners[(k + 1) % corners.len()], &centroid);
            assert!(side > 0.0, "an even pressure cannot be passed on: {side}");
        }
        // noise exchanges no points
        let names =
            |touches: &[ContactPoint<3>]| touches.iter().map(|touch| touch.feature).collect::<Vec<_>>();
        for noise in [1e-12, -1e-10] {
            let mut noisy = again(noise);
            reduce_patches(&mut noisy, most);
            assert_eq!(names(&noisy), names(&few));
        }
    }
    assert!(reduced > 200, "{reduced}");
}

#[test]
fn four_points_of_a_regular_patch_are_a_square_whatever_rounding_says() {
    // an octagon on its like: all diagonals are equally long, and the lowest names win
    let octagon = prism(8, 0.5, 1.0);
    let mut seen = Vec::new();
    for k in 0..50 {
        let noise = 1e-13 * (k as f64 * 1.7).sin();
        let place = turned(noise, [noise, -noise, 1.0]);
        let mut touches =
            touch((&octagon.clone().into(), Pose::identity()), (&octagon.clone().into(), place), 0.01);
        reduce_patches(&mut touches, 4);
        let (area, _) = area_and_centroid(&flat(&touches));
        assert!((area - 0.5).abs() < 1e-9, "{area}");
        let names: Vec<u64> = touches.iter().map(|touch| touch.feature).collect();
        assert!(seen.is_empty() || seen == names);
        seen = names;
    }
}

#[test]
fn the_deepest_corner_stays_and_what_is_not_flat_is_left_alone() {
    let dodecagon = prism(12, 0.5, 1.0);
    for k in 0..60 {
        let way = TAU * k as f64 / 60.0;
        let tilt = |by: f64| {
            let axis = Vector::<3>::new(way.cos(), way.sin(), 0.0) * by;
            Pose { position: Vector::<3>::new(0.0, 0.0, 1.0), orientation: Orientation::new(axis) }
        };
        let gaps = |by: f64, most: usize| {
            let mut touches = touch(
                (&dodecagon.clone().into(), Pose::identity()),
                (&dodecagon.clone().into(), tilt(by)),
                0.1,
            );
            let whole = touches.len();
            reduce_patches(&mut touches, most);
            (touches.iter().map(|touch| touch.gap).fold(f64::MAX, f64::min), touches.len(), whole)
        };
        let (least, few, whole) = gaps(1e-3, 4);
        assert!(least - gaps(1e-3, 100).0 < 1e-6 && few <= 5 && whole > 5, "{least} {few} {whole}");
        let (_, few, whole) = gaps(0.05, 4);
        assert_eq!(few, whole, "a body that stands on an edge has no patch");
    }
}
