//! Contacts of polytopes against what convexity proves.
//!
//! For bodies apart, the separation along any direction is at most the distance, and the distance is at most
//! that of any two of their points: a normal and two points that agree prove each other right. For bodies
//! that overlap, the depth is the least over all separating axes, here all of them, unpruned.

use crate::common::*;
use crate::proof::{Tally, axes, prove, prove_random};
use drystone_detect::ContactPoint;
use drystone_geometry::{Polytope, Shape};
use drystone_math::{Pose, Vector};
use rand::RngExt;
use rand_pcg::Pcg64;

#[test]
fn polygons_touch_where_convexity_says() {
    for (seed, size, offset) in [(1, 1.0, 0.0), (2, 1e-6, 0.0), (3, 1e6, 0.0), (4, 1.0, 1e6)] {
        prove_random::<2>(seed, size, offset, polygon);
    }
}

#[test]
fn polyhedra_touch_where_convexity_says() {
    for (seed, size, offset) in [(5, 1.0, 0.0), (6, 1e-6, 0.0), (7, 1e6, 0.0), (8, 1.0, 1e6)] {
        prove_random::<3>(seed, size, offset, polyhedron);
    }
}

/// Masonry is all coincidences: parallel faces, edges on edges, corners on corners.
#[test]
fn aligned_blocks_touch_where_convexity_says() {
    let rng = &mut random(13);
    let mut tally = Tally { pairs: 0, apart: 0, stand_ins: 0, patches: 0 };
    let quarter = std::f64::consts::FRAC_PI_2;
    let mut corners = 0;
    for round in 0..6000 {
        // exact, with rounding noise, and slightly out of true
        let noise = [0.0, 1e-13, 1e-10, 1e-8, 1e-6, 1e-4][round % 6];
        let block = |rng: &mut Pcg64| match rng.random_range(0..3) {
            0 => prism(6, 0.5, 1.0),
            _ => Polytope::cuboid([0; 3].map(|_| [0.5, 1.0, 2.0][rng.random_range(0..3)])).unwrap(),
        };
        let (a, b) = (block(rng), block(rng));
        let place = |rng: &mut Pcg64| {
            let turns =
                [0; 3].map(|_| quarter * rng.random_range(0..4) as f64 + noise * rng.random_range(-1.0..1.0));
            let spot = Vector::<3>::from_fn(|_, _| 0.25 * rng.random_range(-3..4) as f64);
            let orientation = drystone_math::Orientation::from_euler_angles(turns[0], turns[1], turns[2]);
            Pose { position: spot + vector::<3>(rng) * noise, orientation }
        };
        let (pose_a, pose_b) = (place(rng), place(rng));
        let touches = touch((&a.clone().into(), pose_a), (&b.clone().into(), pose_b), 10.0);
        if touches.is_empty() {
            // blocks that share an edge or a corner only: two faces of different directions have them apart
            corners += 1;
            let (at_a, at_b) = (placed(&a, &pose_a, &Vector::zeros()), placed(&b, &pose_b, &Vector::zeros()));
            let apart: Vec<_> = axes((&a, &pose_a), (&b, &pose_b))
                .into_iter()
                .filter(|axis| separation(&at_a, &at_b, axis) > -3e-7)
                .collect();
            assert!(apart.iter().any(|one| one.dot(&apart[0]) < 0.95), "{apart:?}");
            continue;
        }
        prove((&a, &pose_a), (&b, &pose_b), &touches, 3e-7, &mut tally);
    }
    assert!(corners > 50 && corners < 1500, "{corners}");
    println!(
        "{} pairs, {} apart, {} patches, {} stand-ins",
        tally.pairs, tally.apart, tally.patches, tally.stand_ins
    );
    assert!(tally.apart > 500 && tally.patches > 3000);
}

#[test]
fn contacts_turn_with_the_world() {
    let rng = &mut random(9);
    for _ in 0..500 {
        let shapes: [Shape<3>; 2] = [polyhedron(rng, 1.0).into(), polyhedron(rng, 1.0).into()];
        let poses = [pose::<3>(rng, 0.6), pose::<3>(rng, 0.6)];
        let world = pose::<3>(rng, 10.0);
        let before = touch((&shapes[0], poses[0]), (&shapes[1], poses[1]), 0.3);
        let after =
            touch((&shapes[0], world.compose(&poses[0])), (&shapes[1], world.compose(&poses[1])), 0.3);
        assert_eq!(before.len(), after.len());
        for (one, two) in before.iter().zip(&after) {
            assert_eq!(one.feature, two.feature);
            assert!((one.gap - two.gap).abs() < 1e-12);
            assert!((world.to_world(&one.point) - two.point).norm() < 1e-10);
            assert!((world.rotation() * normal(one) - normal(two)).norm() < 1e-9);
        }
    }
}

fn cubes(shift: Vector<3>, turn: f64) -> Vec<ContactPoint<3>> {
    let cube: Shape<3> = Polytope::cuboid([1.0; 3]).unwrap().into();
    let mut above = Pose::at(Vector::<3>::new(0.0, 0.0, 1.0) + shift);
    above.orientation = drystone_math::Orientation::from_euler_angles(0.0, 0.0, turn);
    touch((&cube, Pose::identity()), (&cube, above), 0.02)
}

#[test]
fn stacked_cubes_touch_at_four_lasting_points() {
    let names = |touches: &[ContactPoint<3>]| touches.iter().map(|touch| touch.feature).collect::<Vec<_>>();
    let aligned = cubes(Vector::zeros(), 0.0);
    assert_eq!(aligned.len(), 4);
    for touch in &aligned {
        assert_eq!(touch.gap, 0.0);
        assert_eq!(normal(touch), Vector::<3>::new(0.0, 0.0, -1.0));
        assert_eq!(touch.point.map(f64::abs), Vector::<3>::repeat(0.5));
    }
    // noise far below the size of the bodies changes no name
    let rng = &mut random(10);
    for _ in 0..200 {
        let noisy = cubes(vector::<3>(rng) * 1e-11, rng.random_range(-1e-11..1e-11));
        assert_eq!(names(&noisy), names(&aligned));
    }
    // sliding along x: always four, and the names stay the same once the vertices have parted
    let slid = cubes(Vector::<3>::new(1e-5, 0.0, 0.0), 0.0);
    assert_eq!(slid.len(), 4);
    for k in 1..40 {
        let more = cubes(Vector::<3>::new(0.01 * k as f64, 0.0, -0.001), 0.0);
        assert_eq!(names(&more), names(&slid));
        assert!(more.iter().all(|touch| (touch.gap + 0.001).abs() < 1e-12));
    }
    // a quarter turn is aligned again, a small turn makes eight corners
    assert_eq!(cubes(Vector::zeros(), std::f64::consts::FRAC_PI_2).len(), 4);
    assert_eq!(cubes(Vector::zeros(), 0.1).len(), 8);
}

#[test]
fn a_small_block_keeps_its_corners_while_it_slides_and_turns() {
    let (small, large) =
        (Polytope::cuboid([1.0, 2.0, 0.5]).unwrap(), Polytope::cuboid([10.0, 10.0, 1.0]).unwrap());
    let (small, large): (Shape<3>, Shape<3>) = (small.into(), large.into());
    let rng = &mut random(11);
    for swap in [false, true] {
        for _ in 0..500 {
            let mut place = Pose::at(vector::<3>(rng).component_mul(&Vector::<3>::new(3.0, 3.0, 1e-3)));
            place.position[2] += 0.75;
            let tilt = 1e-4;
            place.orientation = drystone_math::Orientation::from_euler_angles(
                rng.random_range(-tilt..tilt),
                rng.random_range(-tilt..tilt),
                rng.random_range(-3.0..3.0),
            );
            let pair = [(&small, place), (&large, Pose::identity())];
            let [first, second] = if swap { [pair[1], pair[0]] } else { pair };
            let touches = touch(first, second, 0.02);
            let names: Vec<_> = touches.iter().map(|touch| touch.feature & !(1 << 62)).collect();
            assert_eq!(names, [0, 1, 2, 3], "the corners below");
            assert!(touches.iter().all(|touch| touch.feature >> 62 == u64::from(swap)));
        }
    }
}

fn turned(roll: f64, pitch: f64, yaw: f64, place: [f64; 3]) -> Pose<3> {
    let orientation = drystone_math::Orientation::from_euler_angles(roll, pitch, yaw);
    Pose { position: place.into(), orientation }
}

#[test]
fn a_cube_touches_by_face_edge_or_corner() {
    use std::f64::consts::{FRAC_PI_4, SQRT_2};
    let (cube, slab): (Shape<3>, Shape<3>) =
        (Polytope::cuboid([1.0; 3]).unwrap().into(), Polytope::cuboid([4.0, 4.0, 1.0]).unwrap().into());
    let corner = (1.0 / 3.0f64.sqrt()).acos();
    for gap in [-1e-3, 0.0, 1e-3, 1e-2] {
        // lying on a face, standing on an edge, balanced on a corner
        let rest = |half_height: f64| 0.5 + half_height + gap;
        for (pose, count) in [
            (turned(0.0, 0.0, 0.3, [0.1, 0.2, rest(0.5)]), 4),
            (turned(FRAC_PI_4, 0.0, 0.0, [0.1, 0.2, rest(0.5 * SQRT_2)]), 2),
            (turned(FRAC_PI_4, corner - std::f64::consts::FRAC_PI_2, 0.0, [0.1, 0.2, 0.0]), 1),
        ] {
            let mut pose = pose;
            if count == 1 {
                let form = Polytope::cuboid([1.0; 3]).unwrap();
                let low = placed(&form, &pose, &Vector::zeros()).iter().map(|v| v[2]).fold(0.0, f64::min);
                pose.position[2] = 0.5 - low + gap;
            }
            let touches = touch((&cube, pose), (&slab, Pose::identity()), 0.02);
            assert_eq!(touches.len(), count, "{touches:?}");
            assert!(touches.iter().all(|touch| (touch.gap - gap).abs() < 1e-12));
            assert!(touches.iter().all(|touch| (normal(touch) - Vector::<3>::z()).norm() < 1e-9));
            assert!(touches.iter().all(|touch| touch.feature >> 62 == 0), "vertices of the cube");
        }
        // two cubes edge over edge, at a right angle
        let below = turned(FRAC_PI_4, 0.0, 0.0, [0.0; 3]);
        let above = turned(0.0, FRAC_PI_4, 0.0, [0.1, 0.2, SQRT_2 + gap]);
        let touches = touch((&cube, above), (&cube, below), 0.02);
        assert_eq!(touches.len(), 1);
        assert_eq!(touches[0].feature >> 62, 3);
        assert!((touches[0].gap - gap).abs() < 1e-12);
        assert!(
            (touches[0].point - Vector::<3>::new(0.1, 0.0, 0.5 * SQRT_2 + 0.5 * gap)).norm()
                < 1e-12 + gap.abs()
        );
    }
}

/// Ridges over each other, parallel or within 0.02 rad, meet along a line: the setting of LMGC90's test of
/// two polyhedra edge over parallel edge. One point would let the upper one turn about it, which mirror
/// symmetry forbids.
#[test]
fn parallel_ridges_touch_at_both_ends_of_their_overlap() {
    use std::f64::consts::{FRAC_PI_4, SQRT_2};
    let block = |length: f64| -> Shape<3> { Polytope::cuboid([length, 1.0, 1.0]).unwrap().into() };
    let below = turned(FRAC_PI_4, 0.0, 0.0, [0.0; 3]);
    for (length, shift, span) in
        [(1.0, 0.0, [-0.5, 0.5]), (1.0, 0.3, [-0.2, 0.5]), (0.4, 0.1, [-0.1, 0.3]), (3.0, 0.2, [-0.5, 0.5])]
    {
        for (gap, yaw, pitch) in [
            (1e-2, 0.0, 0.0),
            (1e-6, 0.0, 0.0),
            (1e-3, 1e-9, 0.0),
            (1e-3, 1e-4, 0.0),
            (1e-3, 0.015, 0.0),
            (1e-3, 0.0, 1e-4),
        ] {
            let lift = SQRT_2 + gap;
            let above = Pose {
                position: Vector::<3>::new(shift, 0.0, lift),
                orientation: turned(0.0, pitch, yaw, [0.0; 3]).orientation * below.orientation,
            };
            for exchanged in [false, true] {
                let (one, two) = ((&block(length), above), (&block(1.0), below));
                let touches = if exchanged { touch(two, one, 0.02) } else { touch(one, two, 0.02) };
                assert_eq!(touches.len(), 2, "{length} {shift} {gap} {yaw} {pitch}: {touches:?}");
                let mut ends = [touches[0].point[0], touches[1].point[0]];
                ends.sort_by(f64::total_cmp);
                let lean = pitch + yaw * yaw * length.max(1.0) + 1e-9;
                assert!((ends[0] - span[0]).abs() < lean && (ends[1] - span[1]).abs() < lean, "{ends:?}");
                let up = Vector::<3>::z() * if exchanged { -1.0 } else { 1.0 };
                assert!(touches.iter().all(|touch| (normal(touch) - up).norm() < 2.0 * pitch + 1e-6));
                // along the ridge the gap grows as the tilt says
                for touch in &touches {
                    let expected = gap - pitch * (touch.point[0] - shift);
                    assert!((touch.gap - expected).abs() < 1e-6, "{touch:?}");
                    assert!(touch.feature >> 62 < 2, "ends are vertices");
                }
            }
        }
        // farther out of parallel they cross at one point
        let across = turned(FRAC_PI_4, 0.0, 0.0, [0.0; 3]);
        let above = Pose {
            position: Vector::<3>::new(0.0, 0.0, SQRT_2 + 1e-3),
            orientation: turned(0.0, 0.0, 0.2, [0.0; 3]).orientation * across.orientation,
        };
        assert_eq!(touch((&block(length), above), (&block(1.0), below), 0.02).len(), 1);
    }
}

/// Ridges, and in the plane corners, pressed into each other straight on: nothing tells one side from the
/// other.
#[test]
fn opposed_ridges_and_corners_push_straight() {
    use std::f64::consts::{FRAC_PI_4, SQRT_2};
    let cube: Shape<3> = Polytope::cuboid([1.0; 3]).unwrap().into();
    let below = turned(FRAC_PI_4, 0.0, 0.0, [0.0; 3]);
    let square: Shape<2> = Polytope::rectangle([1.0; 2]).unwrap().into();
    let diagonal = |y: f64| Pose {
        position: Vector::<2>::new(0.0, y),
        orientation: drystone_math::Orientation::from_euler_angles(0.0, 0.0, FRAC_PI_4),
    };
    for depth in [1e-6, 1e-4, 5e-3] {
        let above = Pose { position: Vector::<3>::new(0.25, 0.0, SQRT_2 - depth), ..below };
        let touches = touch((&cube, above), (&cube, below), 0.02);
        assert_eq!(touches.len(), 2, "{touches:?}");
        for touch in &touches {
            assert!((normal(touch) - Vector::<3>::z()).norm() < 1e-12 && (touch.gap + depth).abs() < 1e-12);
            assert!((touch.point[2] - 0.5 * (SQRT_2 - depth)).abs() < 1e-12 && touch.point[1].abs() < 1e-12);
        }
        let touches = touch((&square, diagonal(SQRT_2 - depth)), (&square, diagonal(0.0)), 0.02);
        assert_eq!(touches.len(), 1, "{touches:?}");
        assert!((normal(&touches[0]) - Vector::<2>::y()).norm() < 1e-12);
        assert!((touches[0].gap + depth).abs() < 1e-12);
        // a little to one side, the nearer face has them
        let beside = Pose { position: Vector::<3>::new(0.25, 0.5 * depth, SQRT_2 - depth), ..below };
        let touches = touch((&cube, beside), (&cube, below), 0.02);
        assert!(touches.iter().all(|touch| normal(touch)[2] < 0.8), "{touches:?}");
    }
}

#[test]
fn boxes_apart_across_a_corner_or_an_edge_know_their_distance() {
    let cube: Shape<3> = Polytope::cuboid([1.0; 3]).unwrap().into();
    let square: Shape<2> = Polytope::rectangle([1.0; 2]).unwrap().into();
    for gap in [1e-8, 1e-5, 1e-2] {
        let (corner, edge) = (Vector::<3>::repeat(gap), Vector::<3>::new(gap, 0.0, gap));
        let contact =
            touch((&cube, Pose::at(Vector::<3>::repeat(1.0) + corner)), (&cube, Pose::identity()), 0.1);
        assert_eq!(contact.len(), 1);
        assert!((contact[0].gap / corner.norm() - 1.0).abs() < 1e-6);
        assert!((normal(&contact[0]) - corner.normalize()).norm() < 1e-6);
        let along =
            touch((&cube, Pose::at(Vector::<3>::new(1.0, 0.3, 1.0) + edge)), (&cube, Pose::identity()), 0.1);
        assert_eq!(along.len(), 2);
        for end in &along {
            assert!((end.gap / edge.norm() - 1.0).abs() < 1e-6);
            assert!((normal(end) - edge.normalize()).norm() < 1e-6);
        }
        let plane = Vector::<2>::new(gap, 2.0 * gap);
        let contact =
            touch((&square, Pose::at(Vector::<2>::repeat(1.0) + plane)), (&square, Pose::identity()), 0.1);
        assert_eq!(contact.len(), 1);
        assert!((contact[0].gap / plane.norm() - 1.0).abs() < 1e-6);
        assert!((normal(&contact[0]) - plane.normalize()).norm() < 1e-6);
    }
}

/// A block that slides off its neighbour's edge, or falls past it, must not be held there.
#[test]
fn blocks_that_share_an_edge_or_a_corner_do_not_touch() {
    let cube: Shape<3> = Polytope::cuboid([1.0; 3]).unwrap().into();
    let contacts =
        |place: [f64; 3]| touch((&cube, Pose::at(place.into())), (&cube, Pose::identity()), 0.02).len();
    for (place, expected) in [
        ([1.0, 0.0, 0.0], 4),
        ([1.0, 0.5, 0.0], 4),
        ([1.0, 0.0, 1.0], 0),
        ([1.0, 0.5, 1.0], 0),
        ([1.0, -1.0, 1.0], 0),
        ([0.999, 0.0, 1.0], 4),
        ([1.0, 0.0, 0.999], 4),
    ] {
        assert_eq!(contacts(place), expected, "{place:?}");
    }
}

#[test]
fn a_wall_of_bricks_has_two_points_per_joint() {
    let brick: Shape<2> = Polytope::rectangle([2.0, 1.0]).unwrap().into();
    let at = |x: f64, y: f64| Pose::at(Vector::<2>::new(x, y));
    for (place, expected) in
        [(at(0.0, 1.0), 2), (at(1.0, 1.0), 2), (at(2.0, 0.0), 2), (at(0.7, -1.0), 2), (at(2.0, 1.0), 0)]
    {
        let touches = touch((&brick, at(0.0, 0.0)), (&brick, place), 0.02);
        assert_eq!(touches.len(), expected);
        assert!(touches.iter().all(|touch| touch.gap.abs() < 1e-15));
        // names hold under noise, whichever brick is the reference
        for k in 0..100 {
            let noise = |rate: f64| 1e-12 * (k as f64 * rate).sin();
            let mut moved = at(place.position[0] + noise(1.3), place.position[1] + noise(2.7));
            moved.orientation = drystone_math::Orientation::from_euler_angles(0.0, 0.0, noise(3.1));
            let again = touch((&brick, at(0.0, 0.0)), (&brick, moved), 0.02);
            let names =
                |touches: &[ContactPoint<2>]| touches.iter().map(|touch| touch.feature).collect::<Vec<_>>();
            assert_eq!(names(&again), names(&touches));
        }
    }
}

/// Area of the convex hull of points in a plane, from their angles about the middle.
fn area(points: &[Vector<2>]) -> f64 {
    let middle = points.iter().sum::<Vector<2>>() / points.len().max(1) as f64;
    let mut arms: Vec<Vector<2>> = points.iter().map(|point| point - middle).collect();
    arms.sort_by(|a, b| a[1].atan2(a[0]).total_cmp(&b[1].atan2(b[0])));
    (0..arms.len()).map(|k| arms[k].perp(&arms[(k + 1) % arms.len()])).sum::<f64>() * 0.5
}

/// Corners of the intersection of two convex polygons: vertices inside the other, crossings of sides.
fn intersection(a: &[Vector<2>], b: &[Vector<2>]) -> Vec<Vector<2>> {
    let side = |polygon: &[Vector<2>], k: usize| (polygon[k], polygon[(k + 1) % polygon.len()]);
    let inside = |polygon: &[Vector<2>], point: &Vector<2>| {
        (0..polygon.len()).all(|k| {
            let (p, q) = side(polygon, k);
            (q - p).perp(&(point - p)) >= 0.0
        })
    };
    let mut corners: Vec<Vector<2>> = a.iter().filter(|point| inside(b, point)).copied().collect();
    corners.extend(b.iter().filter(|point| inside(a, point)));
    for i in 0..a.len() {
        for j in 0..b.len() {
            let ((p, q), (r, s)) = (side(a, i), side(b, j));
            let slope = (q - p).perp(&(s - r));
            let t = (r - p).perp(&(s - r)) / slope;
            let u = (r - p).perp(&(q - p)) / slope;
            if (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u) {
                corners.push(p + (q - p) * t);
            }
        }
    }
    corners
}

#[test]
fn prisms_keep_the_whole_patch() {
    let rng = &mut random(12);
    for (sides, other) in [(6, 6), (8, 8), (12, 12), (6, 12), (3, 8)] {
        for _ in 0..200 {
            let (below, above) = (prism(sides, 1.0, 1.0), prism(other, rng.random_range(0.5..1.5), 1.0));
            let mut place =
                Pose::at(Vector::<3>::new(rng.random_range(-0.4..0.4), rng.random_range(-0.4..0.4), 1.001));
            place.orientation =
                drystone_math::Orientation::from_euler_angles(0.0, 0.0, rng.random_range(-3.0..3.0));
            let base = |form: &Polytope<3>, pose: &Pose<3>| -> Vec<Vector<2>> {
                let half = form.vertices().len() / 2;
                form.vertices()[..half].iter().map(|vertex| pose.to_world(vertex).xy()).collect()
            };
            let exact = area(&intersection(&base(&below, &Pose::identity()), &base(&above, &place)));
            let touches = touch((&below.into(), Pose::identity()), (&above.into(), place), 0.01);
            let points: Vec<Vector<2>> = touches.iter().map(|touch| touch.point.xy()).collect();
            assert!(
                (area(&points) - exact).abs() < 1e-9,
                "{sides} on {other}: {} not {exact}",
                area(&points)
            );
            assert!(touches.iter().all(|touch| (touch.gap - 1e-3).abs() < 1e-12));
        }
    }
}
