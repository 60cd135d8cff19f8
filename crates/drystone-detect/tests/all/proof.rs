//! The proof that contacts of two polytopes are right, from convexity alone: separating axes, distances,
//! names. It knows nothing of how they were found.

use crate::common::*;
use drystone_detect::ContactPoint;
use drystone_geometry::{Face, Polytope, Shape};
use drystone_math::{Pose, Vector};
use rand::RngExt;
use rand_pcg::Pcg64;

/// Unit normals of the faces in world axes.
pub fn normals<const D: usize>(form: &Polytope<D>, pose: &Pose<D>) -> Vec<Vector<D>> {
    form.faces().iter().map(|face: &Face<D>| pose.rotation() * face.normal).collect()
}

/// Height of a point above the surface: negative inside, zero on it.
pub fn height<const D: usize>(
    form: &Polytope<D>,
    pose: &Pose<D>,
    origin: &Vector<D>,
    point: &Vector<D>,
) -> f64 {
    let vertices = placed(form, pose, origin);
    let above = form.faces().iter().zip(normals(form, pose));
    above
        .map(|(face, normal)| normal.dot(&(point - vertices[face.vertices[0] as usize])))
        .fold(f64::MIN, f64::max)
}

/// Directions, from `b` to `a`, along which overlapping bodies can be parted.
pub fn axes<const D: usize>(a: (&Polytope<D>, &Pose<D>), b: (&Polytope<D>, &Pose<D>)) -> Vec<Vector<D>> {
    let mut axes: Vec<Vector<D>> = normals(a.0, a.1).into_iter().map(|normal| -normal).collect();
    axes.extend(normals(b.0, b.1));
    let zero = Vector::zeros();
    let (at_a, at_b) = (placed(a.0, a.1, &zero), placed(b.0, b.1, &zero));
    for one in a.0.edges() {
        for two in b.0.edges() {
            let [p, q] = one.vertices.map(|vertex| at_a[vertex as usize]);
            let [r, s] = two.vertices.map(|vertex| at_b[vertex as usize]);
            let (d, e) = ((q - p).normalize(), (s - r).normalize());
            let product = Vector::<D>::from_fn(|i, _| {
                let (j, k) = ((i + 1) % D, (i + 2) % D);
                d[j] * e[k] - d[k] * e[j]
            });
            if product.norm() > 1e-8 {
                axes.push(product.normalize());
                axes.push(-product.normalize());
            }
        }
    }
    axes
}

pub struct Tally {
    pub pairs: usize,
    pub apart: usize,
    pub stand_ins: usize,
    pub patches: usize,
}

/// Proves the contacts of one pair; `digits` is the length that counts as zero.
pub fn prove<const D: usize>(
    a: (&Polytope<D>, &Pose<D>),
    b: (&Polytope<D>, &Pose<D>),
    touches: &[ContactPoint<D>],
    digits: f64,
    tally: &mut Tally,
) {
    let origin = a.1.position;
    let (at_a, at_b) = (placed(a.0, a.1, &origin), placed(b.0, b.1, &origin));
    assert!(!touches.is_empty());
    let least = touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
    // the ends of two nearly parallel edges are on one of them, and beside the other by their angle at most
    let aside = match touches {
        [one, two] if D == 3 && [one, two].iter().all(|touch| touch.feature >> 62 < 2) => {
            0.03 * (one.point - two.point).norm()
        }
        _ => 0.0,
    };
    for touch in touches {
        let normal = normal(touch);
        assert!((normal.norm() - 1.0).abs() < 1e-12);
        let [on_a, on_b] = [0.5, -0.5].map(|half| touch.point - origin + normal * (half * touch.gap));
        let off = [height(a.0, a.1, &origin, &on_a).abs(), height(b.0, b.1, &origin, &on_b).abs()];
        assert!(off[0].min(off[1]) < digits && off[0].max(off[1]) < digits + aside, "{touch:?}");
        check_name(touch, &origin, [(a.0, &at_a), (b.0, &at_b)], digits);
    }
    let along = separation(&at_a, &at_b, &normal(&touches[0]));
    let best = if least > 0.0 {
        tally.apart += 1;
        along
    } else {
        axes(a, b).iter().map(|axis| separation(&at_a, &at_b, axis)).fold(f64::MIN, f64::max)
    };
    tally.pairs += 1;
    tally.patches += usize::from(touches.len() > 1);
    if (least - best).abs() > digits {
        // a face stands in for edges or vertices in nearly the same direction: the gap along its normal is
        // longer by the cosine, at most
        tally.stand_ins += 1;
        let exact = if least > 0.0 { distance((a.0, &at_a), (b.0, &at_b)) } else { best };
        assert!((least - exact).abs() <= 4e-4 * exact.abs() + digits, "gap {least} not {exact} {touches:#?}");
    }
}

/// The named vertices and edges are where the contact is: seen along the normal, they meet at the point.
pub fn check_name<const D: usize>(
    touch: &ContactPoint<D>,
    origin: &Vector<D>,
    bodies: [(&Polytope<D>, &[Vector<D>]); 2],
    digits: f64,
) {
    let (normal, point) = (normal(touch), touch.point - origin);
    let across = |p: &Vector<D>| (p - point) - normal * normal.dot(&(p - point));
    let (kind, name) = (touch.feature >> 62, touch.feature & !(3 << 62));
    if kind < 2 {
        let vertex = bodies[kind as usize].1[name as usize];
        assert!(across(&vertex).norm() < digits, "{touch:?} is not at the vertex");
        return;
    }
    let edges = [name >> 31, name & ((1 << 31) - 1)];
    for (edge, (form, vertices)) in edges.into_iter().zip(bodies) {
        let [p, q] = form.edges()[edge as usize].vertices.map(|vertex| across(&vertices[vertex as usize]));
        let t = (-p.dot(&(q - p)) / (q - p).norm_squared()).clamp(0.0, 1.0);
        assert!((p + (q - p) * t).norm() < digits, "{touch:?} is not on the edge");
    }
}

/// Distance of bodies that are apart: the least over every vertex with every face, every segment with every
/// segment.
pub fn distance<const D: usize>(a: (&Polytope<D>, &[Vector<D>]), b: (&Polytope<D>, &[Vector<D>])) -> f64 {
    let mut least = f64::INFINITY;
    for ((form, vertices), (_, points)) in [(a, b), (b, a)] {
        let plane = |face: &Face<D>| {
            // the normal again from the vertices, with the sign that leaves them all below
            let [p, q] = [0, 1].map(|k| vertices[face.vertices[k] as usize]);
            let r = vertices[face.vertices[face.vertices.len() - 1] as usize];
            let (d, e) = (q - p, r - p);
            (
                p,
                Vector::<D>::from_fn(|i, _| {
                    d[(i + 1) % D] * e[(i + 2) % D] - d[(i + 2) % D] * e[(i + 1) % D]
                })
                .normalize(),
            )
        };
        let planes: Vec<_> = form.faces().iter().map(plane).collect();
        for point in points {
            for (origin, normal) in &planes {
                let above = normal.dot(&(point - origin));
                let foot = point - normal * above;
                if above > 0.0 && planes.iter().all(|(p, n)| n.dot(&(foot - p)) <= 1e-12 * form.size()) {
                    least = least.min(above);
                }
            }
        }
    }
    for one in a.0.edges() {
        for two in b.0.edges() {
            let [p, q] = one.vertices.map(|vertex| a.1[vertex as usize]);
            let [r, s] = two.vertices.map(|vertex| b.1[vertex as usize]);
            // the distance is convex in the parameter on the first segment: golden thirds
            let at = |t: f64| {
                let point = p + (q - p) * t;
                let u = ((point - r).dot(&(s - r)) / (s - r).norm_squared()).clamp(0.0, 1.0);
                (point - r - (s - r) * u).norm()
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..80 {
                let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if at(left) < at(right) { high = right } else { low = left }
            }
            least = least.min(at(low)).min(at(0.0)).min(at(1.0));
        }
    }
    least
}

pub fn prove_random<const D: usize>(
    seed: u64,
    size: f64,
    offset: f64,
    form: fn(&mut Pcg64, f64) -> Polytope<D>,
) {
    let rng = &mut random(seed);
    let mut tally = Tally { pairs: 0, apart: 0, stand_ins: 0, patches: 0 };
    let digits = 3e-7 * size + 1e-9 * offset;
    for _ in 0..1500 {
        let ratio = 10f64.powf(rng.random_range(-1.0..1.0));
        let (a, b) = (form(rng, size), form(rng, size * ratio));
        let mut pose_a = pose::<D>(rng, 0.0);
        let mut pose_b = pose::<D>(rng, 0.0);
        pose_a.position += Vector::repeat(offset);
        // from deep inside to well apart
        let reach = rng.random_range(0.5..1.2) * (a.bounding_radius() + b.bounding_radius());
        pose_b.position = pose_a.position + vector::<D>(rng).normalize() * reach;
        let shapes: [Shape<D>; 2] = [a.clone().into(), b.clone().into()];
        let alert = 10.0 * size * (1.0 + ratio);
        let touches = touch((&shapes[0], pose_a), (&shapes[1], pose_b), alert);
        prove((&a, &pose_a), (&b, &pose_b), &touches, digits, &mut tally);
        // with the bodies exchanged: the same gap, the opposite normal
        let exchanged = touch((&shapes[1], pose_b), (&shapes[0], pose_a), alert);
        assert_eq!(touches.len(), exchanged.len());
        let deepest =
            |touches: &[ContactPoint<D>]| touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
        assert!((deepest(&touches) - deepest(&exchanged)).abs() < digits);
        assert!(normal(&touches[0]).dot(&normal(&exchanged[0])) < -0.999);
        // a small alert keeps the near contacts and changes none
        let near = touch((&shapes[0], pose_a), (&shapes[1], pose_b), 0.05 * size);
        let expected: Vec<_> = touches.iter().filter(|touch| touch.gap <= 0.05 * size).copied().collect();
        assert_eq!(near, expected);
    }
    println!(
        "{} pairs, {} apart, {} patches, {} stand-ins",
        tally.pairs, tally.apart, tally.patches, tally.stand_ins
    );
    assert!(tally.apart > 300 && tally.apart < 1300);
    // rare, or the proof above would prove little
    assert!(tally.stand_ins < 60, "{}", tally.stand_ins);
}
