//! Convex bodies by their support, in twice the digits: the hull of corners, on some of them a disk, all
//! grown by a radius. Slow, and knows no code of ours; the search for the largest separation of two of them
//! is in `widest`.

use super::double::{self, Double, Triple};
use super::oracle::{Body, turned};
use drystone_geometry::Shape;
use drystone_math::{Pose, Vector};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// What doubles and those of twice the digits have in common.
pub trait Number:
    Copy
    + PartialOrd
    + From<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Directions shorter than this are rounding.
    const NONE: f64;
    fn root(self) -> Self;
}

impl Number for f64 {
    const NONE: f64 = 1e-14;
    fn root(self) -> Self {
        self.max(0.0).sqrt()
    }
}

impl Number for Double {
    const NONE: f64 = 1e-27;
    fn root(self) -> Self {
        self.sqrt()
    }
}

pub type Three<N> = [N; 3];

pub fn dot<N: Number>(a: &Three<N>, b: &Three<N>) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross<N: Number>(a: &Three<N>, b: &Three<N>) -> Three<N> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `a + t b`.
pub fn along<N: Number>(a: &Three<N>, b: &Three<N>, t: N) -> Three<N> {
    std::array::from_fn(|k| a[k] + b[k] * t)
}

pub fn unit<N: Number>(a: &Three<N>) -> Three<N> {
    let length = dot(a, a).root();
    a.map(|x| x / length)
}

pub fn rough(a: &Triple) -> Three<f64> {
    a.map(|x| x.high)
}

pub fn fine(a: &Three<f64>) -> Triple {
    a.map(Double::from)
}

/// Two unit vectors square to a unit vector and to each other.
pub fn square_to<N: Number>(n: &Three<N>) -> [Three<N>; 2] {
    let zero = N::from(0.0);
    let least = (0..3).min_by(|&i, &j| (n[i] * n[i]).partial_cmp(&(n[j] * n[j])).unwrap()).unwrap();
    let mut other = [zero; 3];
    other[least] = N::from(1.0);
    let u = unit(&cross(n, &other));
    [u, cross(n, &u)]
}

/// The hull of corners and of a disk about each of them.
#[derive(Clone)]
pub struct Core<N> {
    pub corners: Vec<Three<N>>,
    /// Unit axis and radius.
    pub disk: Option<(Three<N>, N)>,
}

impl<N: Number> Core<N> {
    /// The foremost point along a direction.
    fn foremost(&self, n: &Three<N>) -> Three<N> {
        let mut best = (dot(n, &self.corners[0]), self.corners[0]);
        for corner in &self.corners[1..] {
            let height = dot(n, corner);
            if height > best.0 {
                best = (height, *corner);
            }
        }
        let Some((axis, radius)) = &self.disk else { return best.1 };
        let across = along(n, axis, -dot(n, axis));
        // what rounding left along the axis
        let across = along(&across, axis, -dot(&across, axis));
        let length = dot(&across, &across).root();
        if length > N::from(N::NONE) { along(&best.1, &across, *radius / length) } else { best.1 }
    }

    /// The curvature of the height of the foremost point: so much along a unit direction.
    fn bend(&self, n: &Three<N>) -> Option<(Three<N>, N)> {
        let (axis, radius) = self.disk.as_ref()?;
        let way = cross(axis, n);
        let length = dot(&way, &way).root();
        (length > N::from(N::NONE)).then(|| (way.map(|x| x / length), *radius / length))
    }
}

/// Two cores.
pub struct Couple<N> {
    pub a: Core<N>,
    pub b: Core<N>,
}

impl<N: Number> Couple<N> {
    /// From the foremost point of the first to that of the second, which looks back.
    fn between(&self, n: &Three<N>) -> Three<N> {
        let back = n.map(|x| -x);
        along(&self.b.foremost(&back), &self.a.foremost(n), N::from(-1.0))
    }

    pub fn separation(&self, n: &Three<N>) -> N {
        dot(n, &self.between(n))
    }

    /// A step of Newton's method on the sphere towards the largest separation; `more` is taken off the
    /// curvature.
    pub fn step(&self, n: &Three<N>, more: N) -> Three<N> {
        let between = self.between(n);
        let value = dot(n, &between);
        let [u, v] = square_to(n);
        let slope = [dot(&u, &between), dot(&v, &between)];
        // the sphere bends by the value itself
        let mut h = [-value - more, N::from(0.0), -value - more];
        for (way, curvature) in [self.a.bend(n), self.b.bend(n)].into_iter().flatten() {
            let (x, y) = (dot(&u, &way), dot(&v, &way));
            h = [h[0] - curvature * x * x, h[1] - curvature * x * y, h[2] - curvature * y * y];
        }
        let determinant = h[0] * h[2] - h[1] * h[1];
        if determinant == N::from(0.0) {
            return *n;
        }
        let x = (h[1] * slope[1] - h[2] * slope[0]) / determinant;
        let y = (h[1] * slope[0] - h[0] * slope[1]) / determinant;
        unit(&along(&along(n, &u, x), &v, y))
    }
}

/// A convex body in many digits about some origin.
pub struct Solid {
    pub core: Core<Double>,
    /// Half the height of a cylinder.
    half: f64,
    /// Directions of edges and sides, normals of faces.
    pub edges: Vec<Triple>,
    pub faces: Vec<Triple>,
    body: Option<Body>,
    /// What it is grown by.
    pub radius: f64,
    /// Largest extent.
    pub size: f64,
}

impl Solid {
    pub fn new(shape: &Shape<3>, pose: &Pose<3>, origin: &Vector<3>) -> Self {
        let shift = double::minus(
            &double::triple(pose.position.iter().copied()),
            &double::triple(origin.iter().copied()),
        );
        let place = |z: f64| double::plus(&shift, &turned(&pose.orientation, &Vector::<3>::new(0.0, 0.0, z)));
        let axis = unit(&turned(&pose.orientation, &Vector::<3>::z()));
        let none = |corners: Vec<Triple>, radius: f64, size: f64| Self {
            core: Core { corners, disk: None },
            half: 0.0,
            edges: Vec::new(),
            faces: Vec::new(),
            body: None,
            radius,
            size,
        };
        match shape {
            Shape::Point => none(vec![shift], 0.0, 0.0),
            Shape::Ball { radius } => none(vec![shift], *radius, 2.0 * radius),
            Shape::Capsule { half_length: half, radius } => {
                let ends = vec![place(-half), place(*half)];
                Self { edges: vec![axis], ..none(ends, *radius, 2.0 * (half + radius)) }
            }
            Shape::Cylinder { radius, half_height } => Self {
                core: Core {
                    corners: vec![place(-half_height), place(*half_height)],
                    disk: Some((axis, Double::from(*radius))),
                },
                half: *half_height,
                edges: vec![axis],
                ..none(Vec::new(), 0.0, 2.0 * radius.max(*half_height))
            },
            Shape::Polytope(form) | Shape::Rounded { core: form, .. } => {
                let radius = if let Shape::Rounded { radius, .. } = shape { *radius } else { 0.0 };
                let body = Body::new(form, pose, origin);
                Self {
                    edges: body.edges.iter().map(|edge| unit(&body.along(edge))).collect(),
                    faces: body.faces.iter().map(|face| face.0).collect(),
                    ..none(body.corners.clone(), radius, body.size + 2.0 * radius)
                }
                .with(body)
            }
            _ => panic!("no convex body: {shape:?}"),
        }
    }

    /// The foremost point of the core along a direction.
    pub fn foremost(&self, n: &Triple) -> Triple {
        self.core.foremost(n)
    }

    fn with(self, body: Body) -> Self {
        Self { body: Some(body), ..self }
    }

    /// Largest height along a unit direction.
    pub fn top(&self, n: &Triple) -> Double {
        dot(n, &self.core.foremost(n)) + self.radius.into()
    }

    pub fn plain(&self) -> Core<f64> {
        Core {
            corners: self.core.corners.iter().map(rough).collect(),
            disk: self.core.disk.map(|(axis, radius)| (rough(&axis), radius.high)),
        }
    }

    /// How far a point is off the surface.
    pub fn off(&self, point: &Triple) -> f64 {
        if let Some((axis, radius)) = &self.core.disk {
            let half = Double::from(0.5);
            let middle = double::times(&double::plus(&self.core.corners[0], &self.core.corners[1]), half);
            let arm = double::minus(point, &middle);
            let height = dot(&arm, axis);
            let across = double::norm(&along(&arm, axis, -height));
            let past_cap = height.max(-height) - self.half.into();
            return past_cap.max(across - *radius).high;
        }
        let from_core = match &self.body {
            Some(body) if self.radius == 0.0 => return body.height(point),
            Some(body) => body.distance(point),
            None if self.core.corners.len() == 1 => {
                double::norm(&double::minus(point, &self.core.corners[0]))
            }
            None => {
                let ends = [self.core.corners[0], self.core.corners[self.core.corners.len() - 1]];
                super::oracle::between([*point, *point], ends)
            }
        };
        (from_core - self.radius.into()).high
    }
}

/// Separation along a unit direction from the first body to the second.
pub fn separation_along(a: &Solid, b: &Solid, n: &Triple) -> Double {
    let back = n.map(|x| -x);
    -b.top(&back) - a.top(n)
}
