//! Two surfaces apart know their distance, whichever features are nearest: brute force over all of them.

use crate::common::*;
use drystone_detect::ContactPoint;
use drystone_geometry::{Shape, Surface};
use drystone_math::{Pose, Vector};
use rand::RngExt;
use rand_pcg::Pcg64;

/// A closed surface around the origin with spikes and dents: a cube, each square cut in four, its points
/// moved in and out.
fn burr(rng: &mut Pcg64, rough: f64) -> Surface<3> {
    let mut points: Vec<[i32; 3]> = Vec::new();
    let mut number = |point: [i32; 3]| {
        points.iter().position(|&known| known == point).unwrap_or_else(|| {
            points.push(point);
            points.len() - 1
        }) as u32
    };
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for side in [-1, 1] {
            for (i, j) in [(-1, -1), (-1, 0), (0, -1), (0, 0)] {
                let at = |u: i32, v: i32| {
                    let mut point = [0; 3];
                    (point[axis], point[(axis + 1) % 3], point[(axis + 2) % 3]) = (side, u, v);
                    point
                };
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)].map(&mut number);
                let halves = [[a, b, c], [a, c, d]];
                triangles.extend(halves.map(|[a, b, c]| if side > 0 { [a, b, c] } else { [a, c, b] }));
            }
        }
    }
    let place = |point: &[i32; 3]| {
        Vector::<3>::from(point.map(f64::from)).normalize() * (1.0 + rough * rng.random_range(-1.0..1.0))
    };
    let vertices = points.iter().map(place).collect();
    Surface::triangles(vertices, triangles).unwrap()
}

fn star(rng: &mut Pcg64, rough: f64) -> Surface<2> {
    let corners = (0..12).map(|k| {
        let angle = std::f64::consts::TAU * k as f64 / 12.0;
        Vector::<2>::new(angle.cos(), angle.sin()) * (1.0 + rough * rng.random_range(-1.0..1.0))
    });
    Surface::outline(corners.collect()).unwrap()
}

/// World places of the vertices of each piece.
fn pieces<const D: usize>(surface: &Surface<D>, pose: &Pose<D>) -> Vec<Vec<Vector<D>>> {
    let place = |vertex: u32| pose.to_world(&surface.vertices()[vertex as usize]);
    surface.pieces().map(|piece| piece.map(place).to_vec()).collect()
}

fn between_segments<const D: usize>(p: [Vector<D>; 2], q: [Vector<D>; 2]) -> f64 {
    let at = |ends: [Vector<D>; 2], t: f64| ends[0] + (ends[1] - ends[0]) * t;
    let foot = |point: Vector<D>, ends: [Vector<D>; 2]| {
        let along = ends[1] - ends[0];
        (point - at(ends, ((point - ends[0]).dot(&along) / along.norm_squared()).clamp(0.0, 1.0))).norm()
    };
    let mut least =
        [foot(p[0], q), foot(p[1], q), foot(q[0], p), foot(q[1], p)].into_iter().fold(f64::MAX, f64::min);
    let (d, e, r) = (p[1] - p[0], q[1] - q[0], p[0] - q[0]);
    let (dd, ee, de) = (d.norm_squared(), e.norm_squared(), d.dot(&e));
    let slope = dd * ee - de * de;
    if slope > 1e-12 * dd * ee {
        let (s, t) = ((de * e.dot(&r) - ee * d.dot(&r)) / slope, (dd * e.dot(&r) - de * d.dot(&r)) / slope);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            least = least.min((at(p, s) - at(q, t)).norm());
        }
    }
    least
}

/// Distance of a point from the inside of a triangle seen square to it; none beside it.
fn above_triangle<const D: usize>(p: &Vector<D>, t: &[Vector<D>]) -> Option<f64> {
    let (u, v, w) = (t[1] - t[0], t[2] - t[0], p - t[0]);
    let (uu, vv, uv) = (u.norm_squared(), v.norm_squared(), u.dot(&v));
    let slope = uu * vv - uv * uv;
    let (a, b) = ((vv * u.dot(&w) - uv * v.dot(&w)) / slope, (uu * v.dot(&w) - uv * u.dot(&w)) / slope);
    (a >= 0.0 && b >= 0.0 && a + b <= 1.0).then(|| (w - u * a - v * b).norm())
}

/// Distance of two pieces apart from each other: every side with every side, every corner over every
/// triangle.
fn distance<const D: usize>(one: &[Vector<D>], two: &[Vector<D>]) -> f64 {
    let sides = |piece: &[Vector<D>]| -> Vec<[Vector<D>; 2]> {
        (0..if D == 2 { 1 } else { 3 }).map(|k| [piece[k], piece[(k + 1) % D]]).collect()
    };
    let mut least = f64::MAX;
    for p in sides(one) {
        least = sides(two).into_iter().map(|q| between_segments(p, q)).fold(least, f64::min);
    }
    if D == 3 {
        least = one.iter().filter_map(|p| above_triangle(p, two)).fold(least, f64::min);
        least = two.iter().filter_map(|p| above_triangle(p, one)).fold(least, f64::min);
    }
    least
}

/// Brings one surface near the other along a random direction, parted by a plane.
fn brought_near<const D: usize>(
    rng: &mut Pcg64,
    one: &[Vec<Vector<D>>],
    two: &Surface<D>,
    gap: f64,
) -> Pose<D> {
    let mut place = pose::<D>(rng, 0.0);
    let way = vector::<D>(rng).normalize();
    let top = one.iter().flatten().map(|vertex| vertex.dot(&way)).fold(f64::MIN, f64::max);
    let low = pieces(two, &place).iter().flatten().map(|vertex| vertex.dot(&way)).fold(f64::MAX, f64::min);
    let tip = |points: &[Vec<Vector<D>>], sign: f64| {
        let best =
            points.iter().flatten().max_by(|a, b| (sign * a.dot(&way)).total_cmp(&(sign * b.dot(&way))));
        *best.unwrap()
    };
    place.position = way * (top - low + gap);
    if rng.random_bool(0.5) {
        // tip over tip
        let aside = tip(one, 1.0) - tip(&pieces(two, &place), -1.0);
        place.position += aside - way * (aside.dot(&way));
    } else {
        let aside = vector::<D>(rng) * 0.5;
        place.position += aside - way * aside.dot(&way);
    }
    place
}

fn least<const D: usize>(touches: &[ContactPoint<D>]) -> f64 {
    touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min)
}

fn surfaces_know<const D: usize>(make: impl Fn(&mut Pcg64, f64) -> Surface<D>, seed: u64, rounds: usize) {
    let rng = &mut random(seed);
    let (mut near, mut corners) = (0, 0);
    for _ in 0..rounds {
        let rough = rng.random_range(0.0..0.5);
        let (one, two) = (make(rng, rough), make(rng, rough));
        let at = pose::<D>(rng, 1.0);
        let gap = rng.random_range(1e-4..0.05);
        let still = pieces(&one, &at);
        let place = brought_near(rng, &still, &two, gap);
        let moved = pieces(&two, &place);
        let pairs = still.iter().flat_map(|one| moved.iter().map(move |two| distance(one, two)));
        let exact = pairs.fold(f64::MAX, f64::min);
        let (one, two): (Shape<D>, Shape<D>) = (one.into(), two.into());
        let touches = touch((&one, at), (&two, place), 0.1);
        if exact > 0.099 {
            continue;
        }
        near += 1;
        assert!((least(&touches) - exact).abs() < 1e-12, "{} for {exact}", least(&touches));
        let back = touch((&two, place), (&one, at), 0.1);
        assert!((least(&back) - exact).abs() < 1e-12);
        // the nearest points of two corners are corners
        let nearest = touches.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap();
        let foot = nearest.point + normal(nearest) * (0.5 * nearest.gap);
        let head = nearest.point - normal(nearest) * (0.5 * nearest.gap);
        let at_corner = |pieces: &[Vec<Vector<D>>], point: &Vector<D>| {
            pieces.iter().flatten().any(|vertex| (vertex - point).norm() < 1e-9)
        };
        corners += usize::from(at_corner(&still, &foot) && at_corner(&moved, &head));
        let mut names: Vec<u64> = touches.iter().map(|touch| touch.feature).collect();
        names.dedup();
        assert_eq!(names.len(), touches.len(), "one name for two contacts");
    }
    assert!(near * 2 > rounds && corners * 10 > rounds, "{near} near, {corners} by their corners");
}

#[test]
fn burrs_apart_know_their_distance() {
    surfaces_know(burr, 1, 300);
}

#[test]
fn stars_apart_know_their_distance() {
    surfaces_know(star, 2, 2000);
}

/// Two tips head on must stop each other: at no time on the way may the contact be lost before they overlap.
#[test]
fn tips_that_meet_head_on_are_seen_at_every_distance() {
    let square = |side: f64| -> Shape<2> {
        let corners = [[0.0, -side], [side, 0.0], [0.0, side], [-side, 0.0]];
        Surface::outline(corners.map(Vector::<2>::from).to_vec()).unwrap().into()
    };
    let (one, two) = (square(1.0), square(0.5));
    for exponent in -8..-1 {
        for aside in [0.0, 1e-9, 1e-4] {
            let gap = 10f64.powi(exponent);
            let place = Pose::at(Vector::<2>::new(aside, 1.5 + gap));
            let touches = touch((&two, place), (&one, Pose::identity()), 0.1);
            // flanks lean by 45°: farther aside than up, a tip is over one of them
            let exact = if aside > gap { (gap + aside) / 2f64.sqrt() } else { gap.hypot(aside) };
            assert!((least(&touches) - exact).abs() < 1e-14, "{gap} {aside}: {touches:?}");
        }
    }
}
