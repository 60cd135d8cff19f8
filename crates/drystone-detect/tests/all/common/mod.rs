//! Scenes and slow oracles shared by the tests.

pub mod double;
pub mod oracle;
pub mod support;
pub mod widest;

use drystone_detect::{ContactPoint, Detector};
use drystone_geometry::{Contactor, Polytope, Shape};
use drystone_math::{Orientation, Pose, Vector, nalgebra::Vector3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

pub fn random(seed: u64) -> Pcg64 {
    Pcg64::seed_from_u64(seed)
}

pub fn vector<const D: usize>(rng: &mut Pcg64) -> Vector<D> {
    Vector::from_fn(|_, _| rng.random_range(-1.0..1.0))
}

/// Any rotation in space, about z in the plane.
pub fn orientation<const D: usize>(rng: &mut Pcg64) -> Orientation {
    if D == 2 {
        return Orientation::from_axis_angle(&Vector3::z_axis(), rng.random_range(-4.0..4.0));
    }
    Orientation::from_euler_angles(
        rng.random_range(-3.0..3.0),
        rng.random_range(-3.0..3.0),
        rng.random_range(-3.0..3.0),
    )
}

pub fn pose<const D: usize>(rng: &mut Pcg64, spread: f64) -> Pose<D> {
    Pose { position: vector::<D>(rng) * spread, orientation: orientation::<D>(rng) }
}

/// A convex polygon with `count` corners near a circle.
pub fn polygon(rng: &mut Pcg64, size: f64) -> Polytope<2> {
    let count = rng.random_range(3..9);
    let turn = std::f64::consts::TAU / count as f64;
    let corners = (0..count).map(|k| {
        let angle = turn * (k as f64 + rng.random_range(-0.3..0.3));
        Vector::<2>::new(angle.cos() * size * 0.7, angle.sin() * size)
    });
    Polytope::polygon(corners.collect()).unwrap()
}

/// A prism over a regular polygon, its axis along z.
pub fn prism(sides: usize, radius: f64, height: f64) -> Polytope<3> {
    let ring = |k: usize, z: f64| {
        let angle = std::f64::consts::TAU * k as f64 / sides as f64;
        Vector::<3>::new(radius * angle.cos(), radius * angle.sin(), z)
    };
    let vertices =
        (0..sides).map(|k| ring(k, -0.5 * height)).chain((0..sides).map(|k| ring(k, 0.5 * height)));
    let mut faces: Vec<Vec<usize>> =
        (0..sides).map(|k| vec![k, (k + 1) % sides, sides + (k + 1) % sides, sides + k]).collect();
    faces.push((0..sides).rev().collect());
    faces.push((sides..2 * sides).collect());
    Polytope::polyhedron(vertices.collect(), faces).unwrap()
}

/// A random polyhedron: box, prism, or hull of points on an ellipsoid.
pub fn polyhedron(rng: &mut Pcg64, size: f64) -> Polytope<3> {
    match rng.random_range(0..3) {
        0 => Polytope::cuboid([0; 3].map(|_| size * rng.random_range(0.3..1.5))).unwrap(),
        1 => prism(rng.random_range(3..9), size * 0.6, size * rng.random_range(0.4..1.5)),
        _ => {
            let count = rng.random_range(4..16);
            let points = (0..count)
                .map(|_| vector::<3>(rng).normalize().component_mul(&Vector3::new(size, size, 0.7 * size)));
            let points: Vec<_> = points.collect();
            Polytope::hull(points).unwrap_or_else(|_| Polytope::cuboid([size; 3]).unwrap())
        }
    }
}

/// How pairs fared: how many there were, touched, had their gap to the last digits, and were apart.
#[derive(Default, Debug)]
pub struct Tally {
    pub pairs: usize,
    pub touching: usize,
    pub exact: usize,
    pub apart: usize,
}

/// Boxes, needles, plates, wedges and others of size 1.
pub fn solid(rng: &mut Pcg64) -> Polytope<3> {
    let thin = 1e-4;
    match rng.random_range(0..7) {
        0 => Polytope::cuboid([1.0, thin, thin]).unwrap(),
        1 => Polytope::cuboid([1.0, 1.0, thin]).unwrap(),
        2 => Polytope::cuboid([1.0, rng.random_range(0.1..1.0), rng.random_range(0.1..1.0)]).unwrap(),
        3 => prism(rng.random_range(3..8), 0.5, thin),
        4 => prism(rng.random_range(3..6), 0.5 * thin, 1.0),
        // a needle that ends in points, a blade
        5 => {
            let tips =
                [[0.5, 0.0, 0.0], [-0.5, 0.0, 0.0], [0.0, thin, 0.0], [0.0, -thin, thin], [0.0, 0.0, -thin]];
            Polytope::hull(tips.map(Vector::<3>::from).to_vec()).unwrap()
        }
        _ => polyhedron(rng, 0.5),
    }
}

/// The same polyhedron, larger or smaller.
pub fn scaled_solid(form: &Polytope<3>, by: f64) -> Polytope<3> {
    let faces = form.faces().iter().map(|face| face.vertices.iter().map(|&k| k as usize).collect());
    Polytope::polyhedron(form.vertices().iter().map(|vertex| vertex * by).collect(), faces.collect()).unwrap()
}

/// A drum, a coin or a rod of size 1.
pub fn cylinder(rng: &mut Pcg64) -> Shape<3> {
    let thin = 1e-4;
    let (radius, height) = match rng.random_range(0..4) {
        0 => (0.5, thin),
        1 => (0.5 * thin, 1.0),
        2 => (0.5, rng.random_range(0.1..1.0)),
        _ => (rng.random_range(0.05..0.5), 1.0),
    };
    Shape::cylinder(radius, height).unwrap()
}

/// A capsule, a polyhedron rounded or not, a ball or a cylinder of size about 1.
pub fn any_solid(rng: &mut Pcg64) -> Shape<3> {
    let radius = 10f64.powf(rng.random_range(-4.0..-0.5));
    match rng.random_range(0..5) {
        0 => Shape::ball(rng.random_range(0.1..0.5)).unwrap(),
        1 => Shape::capsule(rng.random_range(0.2..1.0), radius).unwrap(),
        2 => Shape::rounded(solid(rng), radius).unwrap(),
        3 => solid(rng).into(),
        _ => cylinder(rng),
    }
}

/// The same convex shape, larger or smaller.
pub fn scaled_shape(shape: &Shape<3>, by: f64) -> Shape<3> {
    match shape {
        Shape::Ball { radius } => Shape::ball(radius * by),
        Shape::Capsule { half_length, radius } => Shape::capsule(2.0 * half_length * by, radius * by),
        Shape::Cylinder { radius, half_height } => Shape::cylinder(radius * by, 2.0 * half_height * by),
        Shape::Polytope(form) => Ok(scaled_solid(form, by).into()),
        Shape::Rounded { core, radius } => Shape::rounded(scaled_solid(core, by), radius * by),
        other => Ok(other.clone()),
    }
    .unwrap()
}

/// The contacts of two shapes.
pub fn touch<const D: usize>(
    a: (&Shape<D>, Pose<D>),
    b: (&Shape<D>, Pose<D>),
    alert: f64,
) -> Vec<ContactPoint<D>> {
    let contactors = [a.0, b.0].map(|shape| shape.clone());
    let mut body = 0;
    let contactors = contactors.map(|shape| {
        body += 1;
        Contactor { body, shape, local: Pose::identity() }
    });
    let mut touches = Vec::new();
    Detector::new().find(&contactors, &[a.1, b.1], &[0.5 * alert; 2], &|_, _| true, &mut touches);
    touches
}

pub fn normal<const D: usize>(touch: &ContactPoint<D>) -> Vector<D> {
    touch.normal
}

/// World vertices of a polytope relative to a point, to keep digits far from the origin.
pub fn placed<const D: usize>(form: &Polytope<D>, pose: &Pose<D>, origin: &Vector<D>) -> Vec<Vector<D>> {
    let rotation = pose.rotation();
    form.vertices().iter().map(|vertex| pose.position - origin + rotation * vertex).collect()
}

/// Distance between the two bodies along a unit direction: from `b` to `a`.
pub fn separation<const D: usize>(a: &[Vector<D>], b: &[Vector<D>], direction: &Vector<D>) -> f64 {
    let low = a.iter().map(|vertex| direction.dot(vertex)).fold(f64::INFINITY, f64::min);
    let high = b.iter().map(|vertex| direction.dot(vertex)).fold(f64::NEG_INFINITY, f64::max);
    low - high
}

/// Twice the signed area of the triangle from a to b to c.
pub fn turn(a: &Vector<2>, b: &Vector<2>, c: &Vector<2>) -> f64 {
    (b - a).perp(&(c - a))
}

/// Corners of the convex hull, counter-clockwise (Andrew 1979).
pub fn hull(points: &[Vector<2>]) -> Vec<Vector<2>> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let chain = |points: &mut dyn Iterator<Item = &Vector<2>>| {
        let mut chain: Vec<Vector<2>> = Vec::new();
        for point in points {
            while chain.len() > 1 && turn(&chain[chain.len() - 2], &chain[chain.len() - 1], point) <= 0.0 {
                chain.pop();
            }
            chain.push(*point);
        }
        chain.pop();
        chain
    };
    let mut corners = chain(&mut sorted.iter());
    corners.extend(chain(&mut sorted.iter().rev()));
    corners
}

/// Area and centroid of the hull of points.
pub fn area_and_centroid(points: &[Vector<2>]) -> (f64, Vector<2>) {
    let corners = hull(points);
    let origin = corners[0];
    let (mut area, mut moment) = (0.0, Vector::<2>::zeros());
    for k in 1..corners.len() - 1 {
        let doubled = turn(&origin, &corners[k], &corners[k + 1]);
        area += 0.5 * doubled;
        moment += (corners[k] - origin + corners[k + 1] - origin) * (doubled / 6.0);
    }
    (area, origin + moment / area)
}
