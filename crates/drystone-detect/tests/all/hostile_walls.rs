//! Every convex body on a half-space and in a tube, needles, coins and rods too, touching, level, leaning and
//! leaving, of any size, anywhere, against brute force in twice the digits. Gaps must be right to 1e-12 of
//! the larger of the two.

use crate::common::double::*;
use crate::common::oracle::turned;
use crate::common::support::Solid;
use crate::common::widest::golden;
use crate::common::*;
use drystone_detect::ContactPoint;
use drystone_geometry::{Polytope, Shape};
use drystone_math::{Orientation, Pose, Vector};
use rand::RngExt;
use rand_pcg::Pcg64;

const DIGITS: f64 = 1e-12;

fn least(touches: &[ContactPoint<3>]) -> Option<f64> {
    touches.iter().map(|touch| touch.gap).min_by(f64::total_cmp)
}

/// Level, upright, a little aslant or anyhow in the axes of a wall.
fn attitude(rng: &mut Pcg64) -> Orientation {
    let quarter = Orientation::from_euler_angles(std::f64::consts::FRAC_PI_2, 0.0, 0.0);
    let spin = Orientation::from_euler_angles(0.0, 0.0, rng.random_range(-3.0..3.0));
    let lean = Orientation::from_euler_angles(10f64.powf(rng.random_range(-13.0..-1.0)), 0.0, 0.0);
    match rng.random_range(0..6) {
        0 => spin,
        1 => spin * quarter,
        2 => spin * lean,
        3 => spin * quarter * lean,
        _ => orientation::<3>(rng),
    }
}

fn gap(rng: &mut Pcg64, size: f64, alert: f64) -> f64 {
    match rng.random_range(0..5) {
        0 => 0.0,
        1 => rng.random_range(-1.0..1.0) * 1e-9 * size,
        2 => rng.random_range(-1.0..1.0) * 1e-13 * size,
        _ => rng.random_range(-1.0..1.0) * alert,
    }
}

/// The number, the unit normal and both surfaces at half the gap either way.
fn check(
    touch: &ContactPoint<3>,
    body: &Solid,
    wall: impl Fn(&Triple) -> f64,
    origin: &Vector<3>,
    digits: f64,
) {
    let normal = normal(touch);
    assert!(touch.gap.is_finite() && touch.point.iter().all(|x| x.is_finite()), "{touch:?}");
    assert!((normal.norm() - 1.0).abs() < 1e-14, "{touch:?}");
    let place = |half: f64| {
        let place = touch.point - origin + normal * (half * touch.gap);
        triple(place.iter().copied())
    };
    let (off, past) = (body.off(&place(0.5)), wall(&place(-0.5)));
    // round bodies touch with every end: of those that are not the lowest the foremost point may be inside
    assert!(off <= digits && (off >= -digits || body.radius > 0.0), "{off:e} off the body: {touch:?}");
    assert!(past.abs() <= digits, "{past:e} off the wall: {touch:?}");
}

#[test]
fn every_body_knows_its_height_above_a_plane() {
    let rng = &mut random(1);
    let mut exact = [0, 0];
    for round in 0..3000 {
        let scale = 10f64.powf(rng.random_range(-6.0..6.0));
        let shape = scaled_shape(&any_solid(rng), scale);
        let far = [0.0, 1e6, 1e6][round % 3];
        let floor = Pose { position: vector::<3>(rng) * far, orientation: orientation::<3>(rng) };
        let mut place = Pose { orientation: floor.orientation * attitude(rng), ..floor };
        let origin = floor.position;
        let up = turned(&floor.orientation, &Vector::<3>::z());
        let down = up.map(|x| -x);
        let body = Solid::new(&shape, &place, &origin);
        let alert = 0.05 * body.size;
        let height = body.top(&down).high + gap(rng, body.size, alert);
        let aside = floor.rotation() * Vector::<3>::new(rng.random_range(-9.0..9.0), 1.0, 0.0) * scale;
        place.position += floor.rotation().column(2) * height + aside;
        let body = Solid::new(&shape, &place, &origin);
        let gap = -body.top(&down).high;
        let touches = touch((&shape, place), (&Shape::HalfSpace, floor), alert);
        let digits = DIGITS * body.size + 4.0 * f64::EPSILON * aside.norm();
        match least(&touches) {
            None => assert!(gap > alert - digits, "{gap:e} was missed: {shape:?} {place:?}"),
            Some(found) => {
                exact[usize::from((found - gap).abs() <= digits)] += 1;
                assert!(
                    (found - gap).abs() <= digits,
                    "{found:e} for {gap:e}: {shape:?} {place:?} {floor:?}"
                );
            }
        }
        let rounding = 8.0 * f64::EPSILON * (place.position.norm() + origin.norm());
        for touch in &touches {
            check(touch, &body, |p| dot(p, &up).high, &origin, 10.0 * digits + rounding);
        }
    }
    assert!(exact[1] > 2000, "{exact:?}");
}

/// Distance of a point from the axis z.
fn across(p: &Triple) -> Double {
    (p[0] * p[0] + p[1] * p[1]).sqrt()
}

/// What a tube of a radius and half a height is to a point of a body grown by nothing: how far it is from the
/// wall, or from the rim if it is beyond the ends and grown.
fn room(p: &Triple, (radius, half): (f64, f64), grown: bool) -> Option<Double> {
    let past = p[2].max(-p[2]) - half.into();
    let gap = Double::from(radius) - across(p);
    // on the end itself, rounding decides
    if past.high <= 1e-25 * half {
        Some(gap)
    } else if grown && gap > Double::ZERO {
        Some((gap * gap + past * past).sqrt())
    } else {
        None
    }
}

/// The least value of a function of a number from 0 to 1, if it has any: looked for in many places, then by
/// golden sections.
fn smallest(f: impl Fn(Double) -> Option<Double>) -> Option<Double> {
    let count = 180;
    let at = |k: usize| Double::from(k as f64) / (count as f64).into();
    let values: Vec<_> = (0..=count).map(|k| f(at(k))).collect();
    let worse = Double::from(1e300);
    let value = |k: usize| values[k].unwrap_or(worse);
    let mut best = values.iter().flatten().copied().fold(worse, Double::min);
    for k in 0..=count {
        let (low, high) = (k.saturating_sub(1), (k + 1).min(count));
        if values[k].is_none() || value(low) < value(k) || value(high) < value(k) {
            continue;
        }
        let place = golden(at(low), at(high), 110, |t| -f(t).unwrap_or(worse));
        best = best.min(f(place).unwrap_or(worse));
    }
    (best < worse).then_some(best)
}

/// Where a segment passes the two ends of a tube.
fn passing([p, q]: &[Triple; 2], half: f64) -> Vec<Triple> {
    let mut found = Vec::new();
    for z in [-half, half].map(Double::from) {
        let (below, above) = (p[2] - z, q[2] - z);
        if (below < Double::ZERO) != (above < Double::ZERO) {
            let mut place = plus(p, &times(&minus(q, p), below / (below - above)));
            place[2] = z;
            found.push(place);
        }
    }
    found
}

/// The room of segments grown by a radius.
fn room_of_segments(segments: &[[Triple; 2]], radius: f64, tube: (f64, f64)) -> Option<Double> {
    let grown = radius > 0.0;
    let mut best: Option<Double> = None;
    let mut add = |value: Option<Double>| {
        if let Some(value) = value {
            best = Some(best.map_or(value, |best| best.min(value)));
        }
    };
    for ends in segments {
        ends.iter().for_each(|end| add(room(end, tube, grown)));
        passing(ends, tube.1).iter().for_each(|place| add(room(place, tube, false)));
        if grown {
            let at = |t: Double| plus(&ends[0], &times(&minus(&ends[1], &ends[0]), t));
            add(smallest(|t| room(&at(t), tube, true)));
        }
    }
    best.map(|best| best - radius.into())
}

/// The room of a cylinder: its rims between the ends, and its sections there.
fn room_of_cylinder(
    middle: &Triple,
    axes: &[Triple; 3],
    (r, h): (f64, f64),
    tube: (f64, f64),
) -> Option<Double> {
    // a circle by the tangent of a quarter of the angle, in four quarters: numbers of many digits have no
    // sine
    let arm = |quarter: usize, t: Double| {
        let (one, two) = (Double::from(1.0), Double::from(2.0));
        let s = (one + t * t) / r.into();
        let (c, s) = ((one - t * t) / s, two * t / s);
        let (x, y) = [(c, s), (-s, c), (-c, -s), (s, -c)][quarter];
        plus(&times(&axes[0], x), &times(&axes[1], y))
    };
    let mut best: Option<Double> = None;
    let mut add = |value: Option<Double>| {
        if let Some(value) = value {
            best = Some(best.map_or(value, |best| best.min(value)));
        }
    };
    for quarter in 0..4 {
        for z in [-h, h] {
            let centre = plus(middle, &times(&axes[2], z.into()));
            add(smallest(|t| room(&plus(&centre, &arm(quarter, t)), tube, false)));
        }
        for end in [-tube.1, tube.1].map(Double::from) {
            // the lines along the side from one cap to the other, where they pass the end
            let section = |t: Double| {
                let start = plus(middle, &arm(quarter, t));
                let [low, high] = [-h, h].map(|z| plus(&start, &times(&axes[2], z.into())));
                let (below, above) = (low[2] - end, high[2] - end);
                ((below < Double::ZERO) != (above < Double::ZERO)).then(|| {
                    let mut place = plus(&low, &times(&minus(&high, &low), below / (below - above)));
                    place[2] = end;
                    Double::from(tube.0) - across(&place)
                })
            };
            add(smallest(section));
        }
    }
    // the same sections from cap to cap: those of a coin are short
    let up = minus(&triple([0.0, 0.0, 1.0]), &times(&axes[2], axes[2][2]));
    let steep = norm(&up);
    if steep.high > 1e-6 {
        let level = times(&cross(&axes[2], &up), Double::from(1.0) / steep);
        for (end, side) in [(-tube.1, -r), (-tube.1, r), (tube.1, -r), (tube.1, r)] {
            let section = |t: Double| {
                let centre = plus(middle, &times(&axes[2], (t + t - Double::from(1.0)) * h.into()));
                let rise = (Double::from(end) - centre[2]) / steep / r.into();
                let left = Double::from(1.0) - rise * rise;
                (left > Double::ZERO).then(|| {
                    let arm = times(&up, rise * r.into() / steep);
                    let place = plus(&plus(&centre, &arm), &times(&level, left.sqrt() * side.into()));
                    Double::from(tube.0) - across(&place)
                })
            };
            add(smallest(section));
        }
    }
    best
}

/// Room of any body in a tube about z at the origin.
fn room_of(shape: &Shape<3>, pose: &Pose<3>, tube: (f64, f64)) -> Option<f64> {
    let at = |v: Vector<3>| plus(&triple(pose.position.iter().copied()), &turned(&pose.orientation, &v));
    let polytope = |form: &Polytope<3>, radius: f64| {
        let edges = form.edges().iter().map(|edge| edge.vertices.map(|k| at(form.vertices()[k as usize])));
        room_of_segments(&edges.collect::<Vec<_>>(), radius, tube)
    };
    let room = match shape {
        Shape::Ball { radius } => room_of_segments(&[[at(Vector::zeros()); 2]], *radius, tube),
        Shape::Capsule { half_length, radius } => {
            let ends = [-*half_length, *half_length].map(|z| at(Vector::<3>::new(0.0, 0.0, z)));
            room_of_segments(&[ends], *radius, tube)
        }
        Shape::Polytope(form) => polytope(form, 0.0),
        Shape::Rounded { core, radius } => polytope(core, *radius),
        Shape::Cylinder { radius, half_height } => {
            let axes = [Vector::<3>::x(), Vector::<3>::y(), Vector::<3>::z()];
            let axes = axes.map(|axis| turned(&pose.orientation, &axis));
            room_of_cylinder(&at(Vector::zeros()), &axes, (*radius, *half_height), tube)
        }
        _ => None,
    };
    room.map(|room| room.high)
}

#[test]
fn every_body_knows_its_room_in_a_tube() {
    let rng = &mut random(2);
    let (mut met, mut leaving) = (0, 0);
    for round in 0..200 {
        let scale = 10f64.powf(rng.random_range(-6.0..6.0));
        let shape = scaled_shape(&if round % 2 == 0 { cylinder(rng) } else { any_solid(rng) }, scale);
        let far = [0.0, 1e6, 1e6][round % 3];
        // axes that keep their digits: the wall turns by nothing
        let wall = Pose::at(vector::<3>(rng) * far);
        let tube = (scale * rng.random_range(1.0..3.0), scale * rng.random_range(0.3..2.0));
        let mut place = Pose { orientation: attitude(rng), ..wall };
        let high = tube.1 * [0.0, 0.5, 1.0, 1.1][round % 4];
        let way = rng.random_range(-3.0..3.0f64);
        let out = Vector::<3>::new(way.cos(), way.sin(), 0.0);
        let inner = |place: &Pose<3>| Pose {
            position: place.position - wall.position,
            orientation: place.orientation,
        };
        place.position += Vector::<3>::z() * high;
        let alert = 0.1 * scale;
        // out until the gap is what it should be
        let wanted = gap(rng, scale, alert);
        for _ in 0..30 {
            let Some(room) = room_of(&shape, &inner(&place), tube) else { break };
            place.position += out * (room - wanted);
        }
        let exact = room_of(&shape, &inner(&place), tube);
        // beyond the ends there is no wall: what is out over the rim is not inside
        let body = Solid::new(&shape, &place, &wall.position);
        let is_out = |p: &Triple| p[2].high.abs() > tube.1 && across(p).high >= tube.0;
        if body.core.corners.iter().any(is_out) {
            continue;
        }
        let hollow = Shape::hollow_cylinder(tube.0, 2.0 * tube.1).unwrap();
        let touches = touch((&shape, place), (&hollow, wall), alert);
        let digits = DIGITS * tube.0.max(tube.1).max(body.size);
        match (least(&touches), exact) {
            (None, Some(exact)) => {
                assert!(
                    exact > alert - digits || exact < -0.5 * tube.0,
                    "{exact:e} missed: {shape:?} {place:?} {tube:?}"
                );
            }
            (Some(found), Some(exact)) => {
                met += 1;
                leaving += usize::from(round % 4 > 1);
                assert!(
                    (found - exact).abs() <= digits,
                    "{found:e} for {exact:e}: {shape:?} {place:?} {tube:?} {wall:?}"
                );
            }
            (Some(found), None) => panic!("{found:e} for nothing: {shape:?} {place:?} {tube:?}"),
            (None, None) => {}
        }
        let rounding = 8.0 * f64::EPSILON * (place.position.norm() + wall.position.norm());
        let surface = |p: &Triple| (across(p) - tube.0.into()).high;
        for touch in &touches {
            check(touch, &body, surface, &wall.position, 10.0 * digits + rounding);
        }
    }
    assert!(met > 100 && leaving > 40, "{met} {leaving}");
}
