//! Pieces of one solid touch others as the whole does: no contact with a cut.

use crate::common::*;
use drystone_detect::{ContactPoint, Detector};
use drystone_geometry::{Contactor, Polytope, Shape, decompose};
use drystone_math::{Orientation, Pose, Vector};
use rand::RngExt;
use rand_pcg::Pcg64;

/// Contacts of a shape (the first) with all pieces of a body.
fn with_pieces<const D: usize>(
    shape: (&Shape<D>, Pose<D>),
    pieces: &[Polytope<D>],
    place: Pose<D>,
    alert: f64,
) -> Vec<ContactPoint<D>> {
    let local = Pose::identity();
    let mut contactors = vec![Contactor { body: 0, shape: shape.0.clone(), local }];
    let piece = |piece: &Polytope<D>| Contactor { body: 1, shape: piece.clone().into(), local };
    contactors.extend(pieces.iter().map(piece));
    let mut poses = vec![shape.1];
    poses.resize(contactors.len(), place);
    let mut touches = Vec::new();
    let margins = vec![0.5 * alert; contactors.len()];
    Detector::new().find(&contactors, &poses, &margins, &|_, _| true, &mut touches);
    touches
}

/// A slab cut upright along lines at random into boxes.
fn cut_slab(rng: &mut Pcg64, size: [f64; 3]) -> Vec<Polytope<3>> {
    let lines = |rng: &mut Pcg64, side: f64| {
        let count = rng.random_range(1..5);
        let inner = (1..count).map(|k| (f64::from(k) + rng.random_range(-0.4..0.4)) / f64::from(count) - 0.5);
        let lines: Vec<f64> = [-0.5].into_iter().chain(inner).chain([0.5]).map(|x| x * side).collect();
        lines
    };
    let (x, y) = (lines(rng, size[0]), lines(rng, size[1]));
    let mut pieces = Vec::new();
    for i in 1..x.len() {
        for j in 1..y.len() {
            let form = Polytope::cuboid([x[i] - x[i - 1], y[j] - y[j - 1], size[2]]).unwrap();
            let middle = Vector::<3>::new(0.5 * (x[i] + x[i - 1]), 0.5 * (y[j] + y[j - 1]), 0.0);
            pieces.push(form.transformed(&Pose::at(middle)));
        }
    }
    Polytope::joined(pieces)
}

/// Area of the hull of the points, seen from above.
fn area(touches: &[ContactPoint<3>]) -> f64 {
    let points: Vec<Vector<2>> = touches.iter().map(|touch| touch.point.xy()).collect();
    area_and_centroid(&points).0
}

#[test]
fn a_box_on_a_cut_slab_stands_as_on_a_whole_one() {
    let rng = &mut random(1);
    let whole: Shape<3> = Polytope::cuboid([4.0, 4.0, 1.0]).unwrap().into();
    for round in 0..300 {
        let pieces = cut_slab(rng, [4.0, 4.0, 1.0]);
        let size = [rng.random_range(0.2..2.0), rng.random_range(0.2..2.0), 0.4];
        let cube: Shape<3> = Polytope::cuboid(size).unwrap().into();
        let gap = [1e-3, 0.0, -1e-9, -1e-4, -1e-3][round % 5];
        let place = Pose {
            position: Vector::<3>::new(rng.random_range(-2.0..2.0), rng.random_range(-2.0..2.0), 0.7 + gap),
            orientation: Orientation::from_euler_angles(0.0, 0.0, rng.random_range(-3.0..3.0)),
        };
        let ground = if round % 2 == 0 { Pose::identity() } else { pose::<3>(rng, 3.0) };
        let place = ground.compose(&place);
        let one = touch((&cube, place), (&whole, ground), 0.02);
        let many = with_pieces((&cube, place), &pieces, ground, 0.02);
        let up = ground.rotation() * Vector::<3>::z();
        for contact in &many {
            assert!((normal(contact) - up).norm() < 1e-12, "{gap} {contact:?}");
            assert!((contact.gap - gap).abs() < 1e-12);
        }
        let level = |touches: &[ContactPoint<3>]| -> Vec<ContactPoint<3>> {
            let turned =
                |touch: &ContactPoint<3>| ContactPoint { point: ground.to_local(&touch.point), ..*touch };
            touches.iter().map(turned).collect()
        };
        let (area_one, area_many) = (area(&level(&one)), area(&level(&many)));
        assert!((area_one - area_many).abs() < 1e-9, "{gap}: {area_one} {area_many}");
    }
}

#[test]
fn every_solid_touches_a_cut_slab_where_it_touches_a_whole_one() {
    let rng = &mut random(2);
    let form = Polytope::cuboid([3.0, 3.0, 1.0]).unwrap();
    let whole: Shape<3> = form.into();
    let mut met = 0;
    for _ in 0..300 {
        let pieces = cut_slab(rng, [3.0, 3.0, 1.0]);
        let shapes: [Shape<3>; 5] = [
            Shape::ball(0.3).unwrap(),
            Shape::capsule(0.5, 0.2).unwrap(),
            Shape::rounded(polyhedron(rng, 0.4), 0.1).unwrap(),
            polyhedron(rng, 0.5).into(),
            Shape::cylinder(0.3, 0.4).unwrap(),
        ];
        for shape in shapes {
            let mut place = pose::<3>(rng, 1.0);
            place.position[2] = 1.5;
            let high = touch((&shape, place), (&whole, Pose::identity()), 4.0);
            let lowest = high.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
            let sunk = rng.random_range(-1e-4..1e-3);
            place.position[2] += sunk - lowest;
            let one = touch((&shape, place), (&whole, Pose::identity()), 0.01);
            let many = with_pieces((&shape, place), &pieces, Pose::identity(), 0.01);
            let deepest =
                |touches: &[ContactPoint<3>]| touches.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
            assert!((deepest(&one) - sunk).abs() < 1e-9 && (deepest(&many) - sunk).abs() < 1e-9, "{shape:?}");
            for contact in &many {
                assert!(normal(contact)[2] > 0.999, "{shape:?} is stopped by a cut: {contact:?}");
                met += 1;
            }
        }
    }
    assert!(met > 1500);
}

fn star(tips: usize, inner: f64) -> Vec<Vector<2>> {
    let corner = |k: usize| {
        let angle = std::f64::consts::PI * k as f64 / tips as f64;
        Vector::<2>::new(angle.sin(), angle.cos()) * if k.is_multiple_of(2) { 1.0 } else { inner }
    };
    (0..2 * tips).map(corner).collect()
}

/// A bridge with a straight top and a few legs.
fn bridge(rng: &mut Pcg64) -> Vec<Vector<2>> {
    let legs = rng.random_range(2..5);
    let mut corners = vec![[1.0, 0.5], [-1.0, 0.5]];
    for leg in 0..legs {
        let [from, to] =
            [0.0, rng.random_range(0.3..0.6)].map(|x| 2.0 * (f64::from(leg) + x) / f64::from(legs) - 1.0);
        if leg > 0 {
            corners.push([from, 0.2]);
        }
        let to = if leg + 1 == legs { 1.0 } else { to };
        corners.extend([[from, -0.5], [to, -0.5]]);
        if leg + 1 < legs {
            corners.push([to, 0.2]);
        }
    }
    corners.into_iter().map(Vector::<2>::from).collect()
}

/// Sine of the angle between a direction and the normal of the side on which a point lies; zero near a
/// corner.
fn lean(polygon: &[Vector<2>], p: &Vector<2>, way: &Vector<2>) -> f64 {
    let sides = (0..polygon.len()).map(|k| (polygon[k], polygon[(k + 1) % polygon.len()]));
    let mut on = sides.filter(|(a, b)| {
        let along = (b - a).normalize();
        let (s, height) = ((p - a).dot(&along), (p - a).perp(&along));
        height.abs() < 1e-9 && s > 1e-6 && s < (b - a).norm() - 1e-6
    });
    on.next().map_or(0.0, |(a, b)| (b - a).normalize().dot(way).abs())
}

/// Whether a point is inside a polygon: by the sides a ray to the right crosses.
fn is_inside(polygon: &[Vector<2>], p: &Vector<2>) -> bool {
    let crossed = |k: usize| {
        let (a, b) = (polygon[k], polygon[(k + 1) % polygon.len()]);
        (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1])
    };
    (0..polygon.len()).filter(|&k| crossed(k)).count() % 2 == 1
}

fn distance(polygon: &[Vector<2>], p: &Vector<2>) -> f64 {
    let side = |k: usize| {
        let (a, b) = (polygon[k], polygon[(k + 1) % polygon.len()]);
        let t = ((p - a).dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
        (p - a - (b - a) * t).norm()
    };
    (0..polygon.len()).map(side).fold(f64::INFINITY, f64::min)
}

/// Every contact of a shape with a star or a bridge is on its outline and square to it, and the way out leads
/// out.
#[test]
fn polygons_that_are_cut_push_with_their_outline_only() {
    let rng = &mut random(3);
    let mut met = [0; 3];
    for _ in 0..3000 {
        let star = star(rng.random_range(4..8), rng.random_range(0.3..0.6));
        let outline = if rng.random_bool(0.5) { star } else { bridge(rng) };
        let pieces = decompose(&outline).unwrap();
        let kind = rng.random_range(0..3);
        let shape: Shape<2> = match kind {
            0 => Shape::ball(0.2).unwrap(),
            1 => polygon(rng, 0.3).into(),
            _ => Shape::capsule(0.3, 0.1).unwrap(),
        };
        // down on it from afar until something touches
        let mut place = pose::<2>(rng, 0.0);
        let way = vector::<2>(rng).normalize();
        place.position = way * 2.0 + Vector::<2>::new(-way[1], way[0]) * rng.random_range(-0.5..0.5);
        let sunk = rng.random_range(1e-7..1e-4);
        for _ in 0..200 {
            let touches = with_pieces((&shape, place), &pieces, Pose::identity(), 4.0);
            let Some(least) = touches.iter().map(|t| t.gap).min_by(f64::total_cmp) else { break };
            if least < -0.9 * sunk {
                break;
            }
            place.position -= way * (least + sunk);
        }
        let touches = with_pieces((&shape, place), &pieces, Pose::identity(), 0.1);
        let exact = distance(&outline, &place.position) - 0.2;
        if kind == 0 && exact < 0.09 {
            let least = touches.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
            assert!((least - exact).abs() < 1e-9, "{least} for {exact}");
        }
        for contact in touches {
            let foot = contact.point - normal(&contact) * (0.5 * contact.gap);
            met[kind] += usize::from(contact.gap < 1e-3);
            assert!(distance(&outline, &foot) < 1e-9, "off the outline: {contact:?}");
            assert!(!is_inside(&outline, &(foot + normal(&contact) * 1e-6)), "inwards: {contact:?}");
            // the far end of a side that leans over another is no contact yet
            let lean =
                if kind == 0 || contact.gap < 0.0 { lean(&outline, &foot, &normal(&contact)) } else { 0.0 };
            assert!(lean < 0.05, "askew: {contact:?}");
            assert!(contact.gap > -2e-3, "{contact:?}");
        }
    }
    assert!(met.iter().all(|&count| count > 500), "{met:?}");
}

/// A staircase of two pieces: what lies on the lower step beside the riser keeps its corners there.
#[test]
fn a_box_in_the_corner_of_a_step_keeps_all_its_corners() {
    let lower = Polytope::cuboid([2.0, 1.0, 1.0]).unwrap();
    let upper =
        Polytope::cuboid([1.0, 1.0, 1.0]).unwrap().transformed(&Pose::at(Vector::<3>::new(-0.5, 0.0, 1.0)));
    let pieces = Polytope::joined(vec![lower, upper]);
    let cube: Shape<3> = Polytope::cuboid([0.5; 3]).unwrap().into();
    for (into_wall, into_floor) in [(0.0, 0.0), (1e-6, 1e-6), (1e-4, 1e-6), (-1e-6, 1e-5)] {
        let place = Pose::at(Vector::<3>::new(0.25 - into_wall, 0.0, 0.75 - into_floor));
        let touches = with_pieces((&cube, place), &pieces, Pose::identity(), 0.01);
        let on = |way: Vector<3>| touches.iter().filter(|t| (normal(t) - way).norm() < 1e-9).count();
        assert_eq!((on(Vector::<3>::z()), on(Vector::<3>::x())), (4, 4), "{touches:#?}");
        assert_eq!(touches.len(), 8);
    }
    // against the flush wall on the other side, across the cut
    for height in [1e-7, 1e-3, 0.2] {
        let place = Pose::at(Vector::<3>::new(-1.25 + 1e-5, 0.0, 0.75 - height));
        let touches = with_pieces((&cube, place), &pieces, Pose::identity(), 0.01);
        assert!(
            touches.iter().all(|t| (normal(t) + Vector::<3>::x()).norm() < 1e-9),
            "{height}: {touches:#?}"
        );
        assert!(touches.len() >= 4);
    }
}

/// A slab cut upright and level so that some pieces are thinner than 1e-4 of the others.
fn thinly_cut_slab(rng: &mut Pcg64, size: [f64; 3]) -> Vec<Polytope<3>> {
    let thin = 1e-4;
    let lines = |rng: &mut Pcg64, side: f64| {
        let mut lines = vec![-0.5 * side, 0.5 * side];
        for _ in 0..rng.random_range(0..3) {
            let line = rng.random_range(-0.4..0.4) * side;
            lines.push(line);
            lines.push(line + thin * side * rng.random_range(0.3..1.0));
        }
        // and along the border
        if rng.random_bool(0.5) {
            lines.push((0.5 - thin) * side);
        }
        lines.sort_by(f64::total_cmp);
        lines
    };
    let [x, y, z] = size.map(|side| lines(rng, side));
    let mut pieces = Vec::new();
    for i in 1..x.len() {
        for j in 1..y.len() {
            for k in 1..z.len() {
                let form = Polytope::cuboid([x[i] - x[i - 1], y[j] - y[j - 1], z[k] - z[k - 1]]).unwrap();
                let middle = [x[i] + x[i - 1], y[j] + y[j - 1], z[k] + z[k - 1]].map(|sum| 0.5 * sum);
                pieces.push(form.transformed(&Pose::at(middle.into())));
            }
        }
    }
    Polytope::joined(pieces)
}

#[test]
fn pieces_as_thin_as_leaves_push_with_their_outside_only() {
    let rng = &mut random(5);
    let side = 3.0;
    let whole: Shape<3> = Polytope::cuboid([side, side, 1.0]).unwrap().into();
    let mut met = [0; 5];
    for round in 0..60 {
        let pieces = thinly_cut_slab(rng, [side, side, 1.0]);
        let shapes: [Shape<3>; 5] = [
            Shape::ball(0.3).unwrap(),
            Shape::capsule(0.5, 0.2).unwrap(),
            Shape::cylinder(0.3, 0.4).unwrap(),
            Polytope::cuboid([0.4, 0.5, 0.6]).unwrap().into(),
            Shape::rounded(Polytope::cuboid([0.3, 0.4, 0.5]).unwrap(), 0.1).unwrap(),
        ];
        for (kind, shape) in shapes.iter().enumerate() {
            // level every other time; less sunk than a leaf is thick
            let mut place = if round % 2 == 0 { Pose::identity() } else { pose::<3>(rng, 0.0) };
            place.position = vector::<3>(rng) * 0.6;
            place.position[2] = 1.5;
            let high = touch((shape, place), (&whole, Pose::identity()), 4.0);
            let lowest = high.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
            let gap = [1e-3, 1e-9, -1e-9, -5e-6][round % 4];
            place.position[2] += gap - lowest;
            let touches = with_pieces((shape, place), &pieces, Pose::identity(), 0.01);
            let least = touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
            // past a cut by less than a tenth of its depth, a body is left to the piece before the cut
            let slack = 1e-9 + if round % 2 == 0 { 0.0 } else { 0.1 * f64::max(-gap, 0.0) };
            assert!((least - gap).abs() < slack, "{least:e} for {gap:e}: {shape:?} {place:?}");
            for contact in &touches {
                let foot = contact.point - normal(contact) * (0.5 * contact.gap);
                assert!(normal(contact)[2] > 0.999, "{shape:?} is stopped by a cut: {contact:?}");
                assert!((foot[2] - 0.5).abs() < 1e-9, "not on the outside: {contact:?}");
                met[kind] += 1;
            }
        }
    }
    assert!(met.iter().all(|&count| count >= 60), "{met:?}");
}

/// A leaf on a slab covers a strip of it: what is beside the leaf rests on the slab, what is over it on the
/// leaf.
#[test]
fn a_leaf_on_a_slab_covers_what_is_below_it() {
    let thin = 1e-4;
    let slab = Polytope::cuboid([2.0, 2.0, 1.0]).unwrap();
    let leaf = |width: f64, middle: f64| {
        let form = Polytope::cuboid([width, 2.0, thin]).unwrap();
        form.transformed(&Pose::at(Vector::<3>::new(middle, 0.0, 0.5 + 0.5 * thin)))
    };
    for (width, middle) in
        [(thin, 1.0 - 0.5 * thin), (thin, 0.0), (0.5, 0.0), (0.5, -0.75), (thin, -1.0 + 0.5 * thin)]
    {
        let pieces = Polytope::joined(vec![slab.clone(), leaf(width, middle)]);
        let ball = Shape::ball(1e-5).unwrap();
        // far from the leaf, on it, and beside it
        for (x, height) in [(middle, 0.5 + thin), (middle + 0.6, 0.5), (middle - 0.6, 0.5)] {
            if x.abs() > 1.0 {
                continue;
            }
            for gap in [1e-6, -1e-7] {
                let place = Pose::at(Vector::<3>::new(x, 0.3, height + 1e-5 + gap));
                let touches = with_pieces((&ball, place), &pieces, Pose::identity(), 1e-5);
                assert_eq!(touches.len(), 1, "{x} {gap}: {touches:?}");
                assert!((touches[0].gap - gap).abs() < 1e-12 && normal(&touches[0])[2] > 1.0 - 1e-9);
            }
        }
        // the top of the slab below the leaf is no face of the solid: a block set on the leaf stands on its
        // top alone
        let block: Shape<3> = Polytope::cuboid([0.3, 0.3, 0.2]).unwrap().into();
        let place = Pose::at(Vector::<3>::new(middle, 0.0, 0.6 + thin - 1e-7));
        let touches = with_pieces((&block, place), &pieces, Pose::identity(), 1e-5);
        assert!(!touches.is_empty());
        for contact in &touches {
            let foot = contact.point - normal(contact) * (0.5 * contact.gap);
            assert!((foot[2] - 0.5 - thin).abs() < 1e-9 && normal(contact)[2] > 1.0 - 1e-9, "{contact:?}");
        }
    }
}
