//! Balls against closed forms, and polytopes on planes.

use crate::common::*;
use drystone_detect::ContactPoint;
use drystone_geometry::{Polytope, Shape};
use drystone_math::{Pose, Vector};
use rand::RngExt;

fn only<const D: usize>(touches: Vec<ContactPoint<D>>) -> ContactPoint<D> {
    assert_eq!(touches.len(), 1);
    touches[0]
}

fn balls<const D: usize>(seed: u64) {
    let rng = &mut random(seed);
    for size in [1e-6, 1.0, 1e6] {
        for _ in 0..300 {
            let (ra, rb) = (size * rng.random_range(0.1..1.0), size * rng.random_range(0.1..1.0));
            let gap = size * rng.random_range(-0.1..0.1);
            let direction = vector::<D>(rng).normalize();
            let at_b = pose::<D>(rng, size);
            let at_a = Pose { position: at_b.position + direction * (ra + rb + gap), ..pose::<D>(rng, size) };
            let [a, b] = [ra, rb].map(|radius| Shape::ball(radius).unwrap());
            let contact = only(touch((&a, at_a), (&b, at_b), 0.11 * size));
            assert!((contact.gap - gap).abs() < 1e-14 * size);
            assert!((normal(&contact) - direction).norm() < 1e-14);
            assert!((contact.point - at_b.position - direction * (rb + 0.5 * gap)).norm() < 1e-14 * size);
            assert_eq!(touch((&a, at_a), (&b, at_b), gap - 1e-9 * size).len(), 0);
            // on a plane: the normal is its last axis
            let up = at_b.rotation().column(D - 1).into_owned();
            let rests = Pose { position: at_b.position + up * (ra + gap), ..at_a };
            let contact = only(touch((&Shape::HalfSpace, at_b), (&a, rests), 0.11 * size));
            assert_eq!(contact.contactors, [1, 0], "the half-space is the antagonist");
            assert!((contact.gap - gap).abs() < 1e-14 * size);
            assert!((normal(&contact) - up).norm() < 1e-15);
            assert!((contact.point - at_b.position - up * (0.5 * gap)).norm() < 1e-14 * size);
        }
    }
    // concentric: some direction, and no NaN
    let ball = Shape::<D>::ball(2.0).unwrap();
    let contact = only(touch((&ball, Pose::identity()), (&ball, Pose::identity()), 0.0));
    assert_eq!(contact.gap, -4.0);
    assert_eq!(normal(&contact).norm(), 1.0);
    assert!(contact.normal.iter().all(|x| x.is_finite()));
}

#[test]
fn disks_and_spheres_touch_at_the_distance_less_the_radii() {
    balls::<2>(1);
    balls::<3>(2);
}

/// A ball against a box: the nearest point of a box is the clamped one.
fn ball_on_box<const D: usize>(seed: u64, form: Polytope<D>, half: Vector<D>) {
    let rng = &mut random(seed);
    let form: Shape<D> = form.into();
    for _ in 0..2000 {
        let place = pose::<D>(rng, 5.0);
        let local = vector::<D>(rng).component_mul(&half) * 1.8;
        let ball = Shape::ball(0.3).unwrap();
        let centre = Pose::at(place.to_world(&local));
        let nearest = local.zip_map(&half, |x, h| x.clamp(-h, h));
        let (expected_gap, direction) = if nearest != local {
            ((local - nearest).norm() - 0.3, Some((local - nearest).normalize()))
        } else {
            let depth = (0..D).map(|axis| local[axis].abs() - half[axis]).fold(f64::MIN, f64::max);
            (depth - 0.3, None)
        };
        let contact = only(touch((&ball, centre), (&form, place), 10.0));
        let contact_exchanged = only(touch((&form, place), (&ball, centre), 10.0));
        assert!((contact.gap - expected_gap).abs() < 1e-13);
        if let Some(direction) = direction {
            assert!((normal(&contact) - place.rotation() * direction).norm() < 1e-12);
            let on_box = contact.point - normal(&contact) * (0.5 * contact.gap);
            assert!((place.to_local(&on_box) - nearest).norm() < 1e-13);
        }
        assert_eq!(normal(&contact), -normal(&contact_exchanged));
        assert_eq!((contact.gap, contact.point), (contact_exchanged.gap, contact_exchanged.point));
        assert_eq!(touch((&ball, centre), (&form, place), expected_gap - 1e-9).len(), 0);
    }
}

#[test]
fn balls_touch_boxes_at_the_clamped_point() {
    ball_on_box(3, Polytope::rectangle([2.0, 1.0]).unwrap(), Vector::<2>::new(1.0, 0.5));
    ball_on_box(4, Polytope::cuboid([2.0, 1.0, 0.6]).unwrap(), Vector::<3>::new(1.0, 0.5, 0.3));
}

#[test]
fn a_ball_centred_on_a_vertex_or_an_edge_has_a_normal() {
    let cube: Shape<3> = Polytope::cuboid([2.0; 3]).unwrap().into();
    let ball = Shape::ball(0.1).unwrap();
    for place in [[1.0, 1.0, 1.0], [1.0, 1.0, 0.3], [1.0, 0.2, 0.3], [0.0, 0.0, 0.0]] {
        let contact = only(touch((&ball, Pose::at(place.into())), (&cube, Pose::identity()), 0.0));
        assert!((normal(&contact).norm() - 1.0).abs() < 1e-15);
        assert!(contact.gap <= -0.1);
    }
}

#[test]
fn the_vertices_near_a_plane_are_its_contacts() {
    let rng = &mut random(5);
    for _ in 0..300 {
        let form = polyhedron(rng, 1.0);
        let (place, floor) = (pose::<3>(rng, 1.0), pose::<3>(rng, 0.5));
        let touches = touch((&form.clone().into(), place), (&Shape::HalfSpace, floor), 0.1);
        let heights: Vec<(u64, f64)> = (0u64..)
            .zip(form.vertices())
            .map(|(index, vertex)| (index, floor.to_local(&place.to_world(vertex))[2]))
            .filter(|(_, height)| *height <= 0.1)
            .collect();
        assert_eq!(touches.len(), heights.len());
        for (touch, (index, height)) in touches.iter().zip(heights) {
            assert_eq!(touch.feature, index);
            assert!((touch.gap - height).abs() < 1e-13);
            assert!((floor.to_local(&touch.point)[2] - 0.5 * height).abs() < 1e-13);
        }
    }
    assert_eq!(
        touch((&Shape::<2>::HalfSpace, Pose::identity()), (&Shape::HalfSpace, Pose::identity()), 1.0).len(),
        0
    );
}
