//! Coins, rods and drums, touching, parallel, crossed, coincident and buried, of any size, anywhere, with
//! each other and with every other convex body, against the largest separation over all directions in twice
//! the digits.
//!
//! As in `hostile`, a gap must be right to 1e-12 of the larger body, at a million metres, too.

use crate::common::double::*;
use crate::common::support::{Solid, separation_along};
use crate::common::widest::widest_separation;
use crate::common::*;
use drystone_detect::ContactPoint;
use drystone_geometry::Shape;
use drystone_math::{Orientation, Pose, Vector};
use rand::RngExt;
use rand_pcg::Pcg64;

/// Right to this, relative to the larger body.
const DIGITS: f64 = 1e-12;
/// Caps, faces and sides side by side are taken rather than rims if they are nearly as good: so much,
/// relative to the smaller body, and so much to the larger.
const TIE: [f64; 2] = [2e-8, 2e-12];
/// Points, relative to the smaller body: of normals whose separations differ by rounding only the first is
/// taken, and such normals differ by the root of that.
const POINT: f64 = 3e-8;

/// The contact of grown bodies is that of their cores moved out, also where a face or side within 0.02 rad of
/// the normal stands in for its deepest point: all points but that one are off by so much of the radius, 1 -
/// cos 0.02.
const STAND_IN: f64 = 2e-4;

/// Where the second body may be: near along a chosen way, so that foremost points face each other or are
/// shifted; in the same place; deep inside.
fn arranged(rng: &mut Pcg64, a: (&Shape<3>, &Pose<3>), b: &Shape<3>, alert: f64) -> Pose<3> {
    let origin = a.1.position;
    let (size, small) = {
        let sizes = [a.0, b].map(|shape| Solid::new(shape, a.1, &origin).size);
        (sizes[0].max(sizes[1]), sizes[0].min(sizes[1]))
    };
    let gap = match rng.random_range(0..5) {
        0 => 0.0,
        1 => rng.random_range(-1.0..1.0) * 1e-9 * size,
        2 => rng.random_range(-1.0..1.0) * 1e-13 * size,
        _ => rng.random_range(-0.5..1.0) * alert,
    };
    let quarter = Orientation::from_euler_angles(std::f64::consts::FRAC_PI_2, 0.0, 0.0);
    let spin = Orientation::from_euler_angles(0.0, 0.0, rng.random_range(-3.0..3.0));
    let lean = Orientation::from_euler_angles(10f64.powf(rng.random_range(-11.0..-1.0)), 0.0, 0.0);
    let orientation = match rng.random_range(0..7) {
        0 => a.1.orientation,
        1 => a.1.orientation * spin,
        2 => a.1.orientation * spin * quarter,
        3 => a.1.orientation * spin * lean,
        4 => a.1.orientation * spin * quarter * lean,
        _ => crate::common::orientation::<3>(rng),
    };
    let mut place = Pose { orientation, ..*a.1 };
    let kind = rng.random_range(0..12);
    match kind {
        0 => return *a.1,
        1 | 2 => {
            place.position += vector::<3>(rng) * ([0.3, 0.5][kind - 1] * size);
            return place;
        }
        _ => {}
    }
    let axis = |pose: &Pose<3>| pose.rotation().column(2).into_owned();
    let mut way = match rng.random_range(0..6) {
        0 => axis(a.1),
        1 => axis(&place),
        2 => axis(a.1).cross(&axis(&place)),
        3 => axis(a.1).cross(&vector::<3>(rng)),
        4 => axis(&place).cross(&vector::<3>(rng)),
        _ => vector::<3>(rng),
    };
    if way.norm() < 1e-6 {
        way = vector::<3>(rng);
    }
    let way = way.normalize();
    let n = triple(way.iter().copied());
    let foremost = |shape: &Shape<3>, pose: &Pose<3>, n: &Triple| {
        let point = Solid::new(shape, pose, &origin).foremost(n);
        Vector::<3>::from_fn(|k, _| point[k].high)
    };
    let (x, y) = (foremost(a.0, a.1, &n), foremost(b, &place, &n.map(|x| -x)));
    let aside = match kind {
        3..7 => Vector::<3>::zeros(),
        7 => {
            // middles over each other
            let off = x - y;
            way * way.dot(&off) - off
        }
        8 => vector::<3>(rng) * (0.4 * small),
        _ => vector::<3>(rng) * (0.4 * size),
    };
    place.position += x - y + way * gap + aside - way * way.dot(&aside);
    place
}

/// Holds the contacts of a pair against the oracle.
fn judge(a: (&Shape<3>, Pose<3>), b: (&Shape<3>, Pose<3>), alert: f64, tally: &mut Tally) {
    let touches = touch(a, b, alert);
    let origin = a.1.position;
    let (one, two) = (Solid::new(a.0, &a.1, &origin), Solid::new(b.0, &b.1, &origin));
    let (small, large) = (one.size.min(two.size), one.size.max(two.size));
    let (digits, tie) = (DIGITS * large, TIE[0] * small + TIE[1] * large);
    let way = touches.first().map(|touch| triple((-normal(touch)).iter().copied()));
    let exact = widest_separation(&one, &two, way.as_ref()).high;
    tally.pairs += 1;
    let Some(way) = way else {
        assert!(exact > alert - tie, "{exact:e} was missed: {a:?} {b:?}");
        return;
    };
    tally.touching += 1;
    tally.apart += usize::from(exact > 0.0);
    let least = touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
    let off = (least - exact).abs();
    tally.exact += usize::from(off <= digits);
    assert!(off <= tie, "gap {least:e} for {exact:e}, off {:e} of the smaller: {a:?} {b:?}", off / small);
    for touch in &touches {
        let stand_in = if touch.gap > least + digits { STAND_IN * (one.radius + two.radius) } else { 0.0 };
        check(touch, &origin, [&one, &two], 10.0 * digits + POINT * small + stand_in);
    }
    // no two points are nearer along the normal than the bodies, and the nearest are found
    let along = separation_along(&one, &two, &way).high;
    assert!(least >= along - digits && least <= along + tie, "{least:e} {along:e}: {a:?} {b:?}");
}

/// Everything is a number, the normal a unit, and half the gap either way leads to the surfaces.
fn check(touch: &ContactPoint<3>, origin: &Vector<3>, bodies: [&Solid; 2], digits: f64) {
    let normal = normal(touch);
    assert!(touch.gap.is_finite() && touch.point.iter().all(|x| x.is_finite()), "{touch:?}");
    assert!((normal.norm() - 1.0).abs() < 1e-14, "{touch:?}");
    // world coordinates of the point have no more digits than its place
    let rounding = 4.0 * f64::EPSILON * (touch.point.norm() + origin.norm());
    for (body, half) in bodies.into_iter().zip([0.5, -0.5]) {
        let place = touch.point - origin + normal * (half * touch.gap);
        let off = body.off(&triple(place.iter().copied()));
        assert!(off.abs() <= digits + rounding, "{off:e} off the surface: {touch:?}");
    }
}

fn judge_all(seed: u64, rounds: usize, first: fn(&mut Pcg64) -> Shape<3>, other: fn(&mut Pcg64) -> Shape<3>) {
    let rng = &mut random(seed);
    let mut tally = Tally::default();
    for round in 0..rounds {
        let scale = 10f64.powf(rng.random_range(-6.0..6.0));
        let ratio = if round % 2 == 0 { 1.0 } else { 10f64.powf(rng.random_range(-3.0..3.0)) };
        let one = scaled_shape(&first(rng), scale);
        let two = scaled_shape(&other(rng), scale * ratio);
        let far = [0.0, 1e6, 1e6][round % 3];
        let mut at = Pose { position: vector::<3>(rng) * far, orientation: orientation::<3>(rng) };
        if round % 7 == 0 {
            at.orientation = Orientation::identity();
        }
        let sizes = [&one, &two].map(|shape| Solid::new(shape, &at, &at.position).size);
        let alert = 0.05 * sizes[0].min(sizes[1]);
        let place = arranged(rng, (&one, &at), &two, alert);
        if round % 4 < 2 {
            judge((&one, at), (&two, place), alert, &mut tally);
        } else {
            judge((&two, place), (&one, at), alert, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.touching * 2 > rounds && tally.apart > 0, "{tally:?}");
    assert!(tally.exact * 100 > tally.touching * 99, "{tally:?}");
}

#[test]
fn cylinders_know_their_gap_from_cylinders() {
    judge_all(1, 600, cylinder, cylinder);
}

#[test]
fn cylinders_know_their_gap_from_polyhedra() {
    judge_all(2, 200, cylinder, |rng| solid(rng).into());
}

#[test]
fn cylinders_know_their_gap_from_capsules() {
    judge_all(3, 400, cylinder, |rng| {
        Shape::capsule(rng.random_range(0.2..1.0), 10f64.powf(rng.random_range(-4.0..-0.5))).unwrap()
    });
}

#[test]
fn cylinders_know_their_gap_from_balls() {
    judge_all(4, 600, cylinder, |rng| Shape::ball(rng.random_range(0.1..0.5)).unwrap());
}

#[test]
fn cylinders_know_their_gap_from_rounded_polyhedra() {
    judge_all(5, 150, cylinder, rounded);
}

#[test]
fn rounded_polyhedra_know_their_gap_from_capsules() {
    judge_all(6, 200, rounded, |rng| {
        Shape::capsule(rng.random_range(0.2..1.0), 10f64.powf(rng.random_range(-4.0..-0.5))).unwrap()
    });
}

fn rounded(rng: &mut Pcg64) -> Shape<3> {
    Shape::rounded(solid(rng), 10f64.powf(rng.random_range(-4.0..-0.5))).unwrap()
}
