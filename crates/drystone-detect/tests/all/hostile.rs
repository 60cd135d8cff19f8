//! Needles, plates, touching, parallel, coincident and buried bodies of any size, anywhere, against brute
//! force over all features in twice the digits.
//!
//! Poses are doubles and taken as they are. Only the difference of two positions enters a gap, and it is
//! exact for neighbours however far from the origin; so a gap must be right to 1e-12 of the larger body, at a
//! million metres, too. Points are told in world coordinates and can be no better than these.

use crate::common::double::*;
use crate::common::oracle::*;
use crate::common::*;
use drystone_detect::ContactPoint;
use drystone_geometry::{Polytope, Shape};
use drystone_math::{Orientation, Pose, Vector};
use rand::RngExt;
use rand_pcg::Pcg64;

/// Right to this, relative to the larger body.
const DIGITS: f64 = 1e-12;
/// Faces are taken rather than edges, and the first body rather than the second, if they are nearly as good:
/// so much, relative to the smaller body, and so much more of the gap where a face within 0.02 rad stands in
/// for corners and edges.
const TIE: f64 = 3e-7;
const STAND_IN: f64 = 4e-4;
/// Points of a patch closer than this to each other or to a corner, relative to the smaller body, are one.
const POINT: f64 = 4e-9;

/// Holds the contacts of a pair against the oracle.
fn judge<const D: usize>(
    a: (&Polytope<D>, Pose<D>),
    b: (&Polytope<D>, Pose<D>),
    alert: f64,
    tally: &mut Tally,
) {
    let touches = touch((&a.0.clone().into(), a.1), (&b.0.clone().into(), b.1), alert);
    let origin = a.1.position;
    let (one, two) = (Body::new(a.0, &a.1, &origin), Body::new(b.0, &b.1, &origin));
    let (small, large) = (one.size.min(two.size), one.size.max(two.size));
    let (digits, tie) = (DIGITS * large, TIE * small + 1e-12 * large);
    let depth = widest(&one, &two);
    let exact = if depth > Double::ZERO { distance(&one, &two) } else { depth }.high;
    tally.pairs += 1;
    if touches.is_empty() {
        // bodies that share an edge or a corner and nothing else do not touch
        assert!(
            exact > alert - STAND_IN * alert - tie || exact.abs() <= tie,
            "{exact:e} was missed: {a:?} {b:?}"
        );
        return;
    }
    tally.touching += 1;
    tally.apart += usize::from(exact > 0.0);
    let least = touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
    let off = (least - exact).abs();
    tally.exact += usize::from(off <= digits);
    assert!(off <= tie + STAND_IN * exact.abs(), "gap {least:e} for {exact:e}, off {off:e}: {a:?} {b:?}");
    for touch in &touches {
        check(touch, &origin, [&one, &two], 10.0 * digits + POINT * small, beside(&touches));
    }
    // no two points are nearer along the normal than the bodies; where bodies overlap a little, the deepest
    // are found
    let way = triple(normal(&touches[0]).iter().copied());
    let along = separation_along(&one, &two, &way).high;
    assert!(least >= along - digits, "{least:e} {along:e}: {a:?} {b:?}");
    if exact <= 0.0 && exact > -1e-6 * small {
        assert!(least <= along + tie, "{least:e} {along:e}: {a:?} {b:?}");
    }
}

/// How far from one of the surfaces a contact may be: the ends of two nearly parallel edges are on one of
/// them, and beside the other by their angle at most.
fn beside<const D: usize>(touches: &[ContactPoint<D>]) -> f64 {
    match touches {
        [one, two] if D == 3 && [one, two].iter().all(|touch| touch.feature >> 62 < 2) => {
            0.03 * (one.point - two.point).norm()
        }
        _ => 0.0,
    }
}

/// Everything is a number, the normal a unit, and half the gap either way leads to the surfaces: to one of
/// them, but for `beside` to the other.
fn check<const D: usize>(
    touch: &ContactPoint<D>,
    origin: &Vector<D>,
    bodies: [&Body; 2],
    digits: f64,
    beside: f64,
) {
    assert!(touch.gap.is_finite() && touch.point.iter().chain(touch.normal.iter()).all(|x| x.is_finite()));
    let normal = normal(touch);
    assert!((normal.norm() - 1.0).abs() < 1e-14);
    // world coordinates of the point have no more digits than its place
    let rounding = 4.0 * f64::EPSILON * (touch.point.norm() + origin.norm());
    let mut off = [0.5, -0.5].into_iter().zip(bodies).map(|(half, body)| {
        let place = touch.point - origin + normal * (half * touch.gap);
        body.height(&triple(place.iter().copied())).abs()
    });
    let off = [off.next().unwrap(), off.next().unwrap()];
    let most = digits + rounding;
    let sound = off[0].min(off[1]) <= most && off[0].max(off[1]) <= most + beside;
    assert!(sound, "{off:?} off the surfaces: {touch:?}");
}

fn flat(rng: &mut Pcg64) -> Polytope<2> {
    match rng.random_range(0..4) {
        0 => Polytope::rectangle([1.0, 1e-4]).unwrap(),
        1 => Polytope::rectangle([1.0, rng.random_range(0.1..1.0)]).unwrap(),
        2 => Polytope::polygon([[0.5, 0.0], [-0.5, 1e-4], [-0.5, -1e-4]].map(Vector::<2>::from).to_vec())
            .unwrap(),
        _ => polygon(rng, 0.5),
    }
}

fn scaled<const D: usize>(
    form: &Polytope<D>,
    by: f64,
    make: fn(Vec<Vector<D>>, &Polytope<D>) -> Polytope<D>,
) -> Polytope<D> {
    make(form.vertices().iter().map(|vertex| vertex * by).collect(), form)
}

/// Where the second body may be: near along a random way, face to face, in the same place, deep inside.
fn arranged<const D: usize>(
    rng: &mut Pcg64,
    a: (&Polytope<D>, &Pose<D>),
    b: &Polytope<D>,
    alert: f64,
) -> Pose<D> {
    let size = a.0.size().max(b.size());
    let gap = match rng.random_range(0..5) {
        0 => 0.0,
        1 => rng.random_range(-1.0..1.0) * 1e-9 * size,
        2 => rng.random_range(-1.0..1.0) * 1e-13 * size,
        _ => rng.random_range(-0.5..1.0) * alert,
    };
    let mut place = Pose { orientation: orientation::<D>(rng), ..*a.1 };
    let mut way = vector::<D>(rng).normalize();
    let kind = rng.random_range(0..6);
    match kind {
        0 => return *a.1,
        1 => {
            place.position += vector::<D>(rng) * (0.3 * a.0.size());
            return place;
        }
        // the same axes, or those of one face on one of the other
        2 | 3 => place.orientation = a.1.orientation,
        _ => {}
    }
    if kind != 5 {
        let face = rng.random_range(0..a.0.faces().len());
        way = a.1.rotation() * a.0.faces()[face].normal;
    }
    let origin = a.1.position;
    let heights = |form: &Polytope<D>, pose: &Pose<D>, sign: f64| {
        let placed = placed(form, pose, &origin);
        placed.iter().map(|vertex| sign * vertex.dot(&way)).fold(f64::MIN, f64::max)
    };
    let apart = heights(a.0, a.1, 1.0) + heights(b, &place, -1.0) + gap;
    let aside = vector::<D>(rng) * if kind == 3 { 0.0 } else { 0.4 * a.0.size() };
    place.position += way * apart + aside - way * aside.dot(&way);
    place
}

fn judge_all<const D: usize>(
    seed: u64,
    rounds: usize,
    form: fn(&mut Pcg64) -> Polytope<D>,
    make: fn(Vec<Vector<D>>, &Polytope<D>) -> Polytope<D>,
) {
    let rng = &mut random(seed);
    let mut tally = Tally::default();
    for round in 0..rounds {
        let scale = 10f64.powf(rng.random_range(-6.0..6.0));
        let ratio = if round % 2 == 0 { 1.0 } else { 10f64.powf(rng.random_range(-3.0..3.0)) };
        let (one, two) = (form(rng), form(rng));
        let one = scaled(&one, scale, make);
        let two = if round % 5 == 0 { one.clone() } else { scaled(&two, scale * ratio, make) };
        let far = [0.0, 1e6, 1e6][round % 3];
        let mut at = Pose { position: vector::<D>(rng) * far, orientation: orientation::<D>(rng) };
        if round % 7 == 0 {
            at.orientation = Orientation::identity();
        }
        let alert = 0.05 * one.size().min(two.size());
        let place = arranged(rng, (&one, &at), &two, alert);
        judge((&one, at), (&two, place), alert, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.touching * 2 > rounds && tally.apart * 8 > rounds, "{tally:?}");
    assert!(tally.exact * 10 > tally.touching * 9, "{tally:?}");
}

#[test]
fn polyhedra_of_any_form_size_and_place_know_their_gap() {
    judge_all::<3>(1, 3000, solid, |vertices, form| {
        let faces = form.faces().iter().map(|face| face.vertices.iter().map(|&k| k as usize).collect());
        Polytope::polyhedron(vertices, faces.collect()).unwrap()
    });
}

#[test]
fn polygons_of_any_form_size_and_place_know_their_gap() {
    judge_all::<2>(2, 8000, flat, |vertices, _| Polytope::polygon(vertices).unwrap());
}

/// The distance of a point from a polytope by brute force, less if inside.
fn point_distance<const D: usize>(form: &Polytope<D>, pose: &Pose<D>, point: &Vector<D>) -> f64 {
    Body::new(form, pose, point).distance(&[Double::ZERO; 3]).high
}

#[test]
fn balls_know_their_distance_from_needles_and_plates() {
    let rng = &mut random(3);
    for round in 0..3000 {
        let scale = 10f64.powf(rng.random_range(-6.0..6.0));
        let faces = |form: &Polytope<3>| -> Vec<Vec<usize>> {
            form.faces().iter().map(|face| face.vertices.iter().map(|&k| k as usize).collect()).collect()
        };
        let unit = solid(rng);
        let form =
            Polytope::polyhedron(unit.vertices().iter().map(|v| v * scale).collect(), faces(&unit)).unwrap();
        let far = [0.0, 1e6, 1e6][round % 3];
        let at = Pose { position: vector::<3>(rng) * far, orientation: orientation::<3>(rng) };
        let radius = scale * 10f64.powf(rng.random_range(-5.0..0.0));
        let centre = at.position + vector::<3>(rng) * (0.6 * scale);
        let exact = point_distance(&form, &at, &centre) - radius;
        let alert = 0.1 * scale;
        let touches = touch((&Shape::ball(radius).unwrap(), Pose::at(centre)), (&form.into(), at), alert);
        match touches.as_slice() {
            [] => assert!(exact > alert * (1.0 - 1e-9), "{exact:e} was missed"),
            [one] => assert!((one.gap - exact).abs() <= DIGITS * scale, "{:e} for {exact:e}", one.gap),
            many => panic!("{many:?}"),
        }
    }
}

/// Cores grown by a radius are as far apart as the cores, less the radii.
#[test]
fn rounded_polyhedra_know_their_gap_from_each_other() {
    let rng = &mut random(5);
    let (mut touching, mut right) = (0, 0);
    for round in 0..1500 {
        let scale = 10f64.powf(rng.random_range(-6.0..6.0));
        let ratio = if round % 2 == 0 { 1.0 } else { 10f64.powf(rng.random_range(-3.0..3.0)) };
        let cores = [scale, scale * ratio].map(|by| scaled_solid(&solid(rng), by));
        let (small, large) = (cores[0].size().min(cores[1].size()), cores[0].size().max(cores[1].size()));
        let radii = [0, 1].map(|_| small * 10f64.powf(rng.random_range(-4.0..-0.5)));
        let far = [0.0, 1e6, 1e6][round % 3];
        let at = Pose { position: vector::<3>(rng) * far, orientation: orientation::<3>(rng) };
        let alert = 0.05 * small;
        // cores that overlap, touch or are apart by about their radii
        let place = arranged(rng, (&cores[0], &at), &cores[1], alert + radii[0] + radii[1]);
        let bodies = [(&cores[0], at), (&cores[1], place)];
        let [one, two] = bodies.map(|(core, pose)| Body::new(core, &pose, &at.position));
        let depth = widest(&one, &two);
        let between = if depth > Double::ZERO { distance(&one, &two) } else { depth };
        let exact = (between - radii[0].into() - radii[1].into()).high;
        let shapes = [0, 1].map(|k| Shape::rounded(cores[k].clone(), radii[k]).unwrap());
        let touches = touch((&shapes[0], at), (&shapes[1], place), alert);
        let tie = TIE * small + DIGITS * large;
        let Some(least) = touches.iter().map(|touch| touch.gap).min_by(f64::total_cmp) else {
            let core = between.high;
            assert!(
                exact > alert - STAND_IN * core - tie || core.abs() <= tie,
                "{exact:e} was missed: {bodies:?} {radii:?}"
            );
            continue;
        };
        touching += 1;
        let off = (least - exact).abs();
        right += usize::from(off <= DIGITS * large);
        assert!(
            off <= tie + STAND_IN * between.high.abs(),
            "{least:e} for {exact:e}, off {off:e}: {bodies:?} {radii:?}"
        );
        for touch in &touches {
            assert!((normal(touch).norm() - 1.0).abs() < 1e-14 && touch.point.iter().all(|x| x.is_finite()));
        }
    }
    assert!(touching > 700 && right * 10 > touching * 9, "{touching} {right}");
}

/// A segment along z in many digits: two corners, one edge, no face.
fn segment(half: f64, pose: &Pose<3>, origin: &Vector<3>) -> Body {
    let shift = minus(&triple(pose.position.iter().copied()), &triple(origin.iter().copied()));
    let end = |z: f64| plus(&shift, &turned(&pose.orientation, &Vector::<3>::new(0.0, 0.0, z)));
    let corners = vec![end(-half), end(half)];
    Body { corners, edges: vec![[0, 1]], faces: Vec::new(), size: 2.0 * half, is_flat: false }
}

#[test]
fn capsules_know_their_distance_from_needles_and_plates() {
    let rng = &mut random(4);
    let (mut touching, mut deep, mut right) = (0, 0, 0);
    for round in 0..3000 {
        let scale = 10f64.powf(rng.random_range(-6.0..6.0));
        let unit = solid(rng);
        let faces = unit.faces().iter().map(|face| face.vertices.iter().map(|&k| k as usize).collect());
        let vertices = unit.vertices().iter().map(|vertex| vertex * scale).collect();
        let form = Polytope::polyhedron(vertices, faces.collect()).unwrap();
        let far = [0.0, 1e6, 1e6][round % 3];
        let at = Pose { position: vector::<3>(rng) * far, orientation: orientation::<3>(rng) };
        let mut place = Pose { position: at.position + vector::<3>(rng) * (0.6 * scale), ..at };
        // along an axis of the body, or askew
        if round % 4 != 0 {
            place.orientation = orientation::<3>(rng);
        }
        let (half, radius) = (0.3 * scale, scale * 10f64.powf(rng.random_range(-4.0..-1.0)));
        let origin = at.position;
        let (one, two) = (segment(half, &place, &origin), Body::new(&form, &at, &origin));
        let depth = widest(&one, &two);
        let exact = if depth > Double::ZERO { distance(&one, &two) } else { depth }.high - radius;
        let alert = 0.1 * scale;
        let capsule = Shape::capsule(2.0 * half, radius).unwrap();
        let touches = touch((&capsule, place), (&form.into(), at), alert);
        let least = touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
        if touches.is_empty() {
            assert!(exact > alert * (1.0 - 1e-6), "{exact:e} was missed");
            continue;
        }
        touching += 1;
        deep += usize::from(exact < -radius);
        // flat parts within 0.02 rad are taken for level, and nearly equal ways out for equal
        let off = (least - exact).abs();
        right += usize::from(off <= DIGITS * scale);
        assert!(off <= TIE * scale, "{least:e} for {exact:e}, off {:e} of the size", off / scale);
        assert!(
            touches.iter().all(|touch| touch.gap.is_finite() && touch.point.iter().all(|x| x.is_finite()))
        );
    }
    assert!(touching > 700 && deep > 100 && right * 10 > touching * 9, "{touching} {deep} {right}");
}

/// A needle passes a stone at a distance; the plane of a face of the stone, far inside, once stood for the
/// nearest one.
#[test]
fn a_needle_beside_a_stone_is_not_inside_it() {
    let needle: Shape<3> = prism(4, 2.0784711429, 41569.42).into();
    let stone = [
        [124.493, -28.387, 70.179],
        [87.965, 4.167, -95.468],
        [-90.392, -131.939, -19.511],
        [99.677, -80.348, 69.874],
        [25.148, 110.388, -81.446],
        [120.187, -1.358, -76.389],
        [153.145, -13.135, 36.572],
        [-102.442, 98.515, 54.922],
        [150.682, 21.115, 39.626],
        [18.483, -39.864, -109.399],
        [125.355, -85.447, -40.458],
    ];
    let stone: Shape<3> = Polytope::hull(stone.map(Vector::<3>::from).to_vec()).unwrap().into();
    let place = Pose::at(Vector::<3>::new(104.729, -104.729, 0.0));
    let touches = touch((&needle, Pose::identity()), (&stone, place), 12.5);
    assert!(touches.len() == 1 && (touches[0].gap - 4.7258).abs() < 1e-3, "{touches:?}");
}
