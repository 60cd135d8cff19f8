//! Area and moments of what figures of the plane cover together, each place once. Its figures are convex
//! polygons, segments and points grown by a radius.

use super::moments::Moments;
use super::quadrature::Rule;
use drystone::{Pose, Shape, Vector, decompose};

/// A convex core, counter-clockwise, grown by a radius.
pub(super) struct Figure {
    points: Vec<Vector<2>>,
    radius: f64,
}

impl Figure {
    pub(super) fn disk(centre: Vector<2>, radius: f64) -> Self {
        Self { points: vec![centre], radius }
    }

    /// The sides of the core moved out by the radius; a segment has two.
    fn sides(&self) -> impl Iterator<Item = [Vector<2>; 2]> {
        let count = if self.points.len() == 1 { 0 } else { self.points.len() };
        (0..count).map(move |k| {
            let (from, to) = (self.points[k], self.points[(k + 1) % count]);
            let along = (to - from).normalize();
            let out = Vector::<2>::new(along[1], -along[0]) * self.radius;
            [from + out, to + out]
        })
    }

    /// What the figure covers of the line at `x`.
    fn interval(&self, x: f64) -> Option<[f64; 2]> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in &self.points {
            let away = x - point[0];
            if away.abs() <= self.radius {
                let half = ((self.radius - away) * (self.radius + away)).sqrt();
                (low, high) = (low.min(point[1] - half), high.max(point[1] + half));
            }
        }
        for [from, to] in self.sides() {
            if (from[0] - x) * (to[0] - x) <= 0.0 && from[0] != to[0] {
                let y = from[1] + (to[1] - from[1]) * ((x - from[0]) / (to[0] - from[0]));
                (low, high) = (low.min(y), high.max(y));
            }
        }
        (low < high).then_some([low, high])
    }

    /// Where its border changes its form.
    fn breaks(&self, breaks: &mut Vec<f64>) {
        breaks.extend(self.points.iter().flat_map(|point| [point[0] - self.radius, point[0] + self.radius]));
        breaks.extend(self.sides().flatten().map(|end| end[0]));
    }

    /// Where its border crosses that of another; more places do no harm.
    fn crossings(&self, other: &Self, breaks: &mut Vec<f64>) {
        for a in &self.points {
            for b in &other.points {
                circles((a, self.radius), (b, other.radius), breaks);
            }
        }
        for (one, two) in [(self, other), (other, self)] {
            for side in one.sides() {
                two.points.iter().for_each(|centre| line_and_circle(side, (centre, two.radius), breaks));
            }
        }
        for [p, q] in self.sides() {
            for [r, s] in other.sides() {
                let (u, v) = (q - p, s - r);
                let share = (r - p).perp(&v) / u.perp(&v);
                if (0.0..=1.0).contains(&share) {
                    breaks.push(p[0] + share * u[0]);
                }
            }
        }
    }
}

fn circles((a, ra): (&Vector<2>, f64), (b, rb): (&Vector<2>, f64), breaks: &mut Vec<f64>) {
    let apart = b - a;
    let distance = apart.norm();
    let along = 0.5 * (distance + (ra - rb) * (ra + rb) / distance);
    let across = (ra - along) * (ra + along);
    if across >= 0.0 {
        let (middle, side) = (a[0] + apart[0] * (along / distance), across.sqrt() * apart[1] / distance);
        breaks.extend([middle - side, middle + side]);
    }
}

fn line_and_circle([p, q]: [Vector<2>; 2], (centre, radius): (&Vector<2>, f64), breaks: &mut Vec<f64>) {
    let along = (q - p).normalize();
    let arm = centre - p;
    let height = along.perp(&arm);
    let half = (radius - height) * (radius + height);
    if half >= 0.0 {
        let foot = along.dot(&arm);
        breaks.extend([-1.0, 1.0].map(|sign| p[0] + along[0] * (foot + sign * half.sqrt())));
    }
}

/// The figures of a shape; empty for walls and points.
pub(super) fn figures(shape: &Shape<2>, pose: &Pose<2>) -> Vec<Figure> {
    let figure = |points: Vec<Vector<2>>, radius| Figure {
        points: points.iter().map(|point| pose.to_world(point)).collect(),
        radius,
    };
    match shape {
        Shape::Ball { radius } => vec![figure(vec![Vector::zeros()], *radius)],
        Shape::Capsule { half_length, radius } => {
            vec![figure(
                vec![Vector::<2>::new(0.0, -half_length), Vector::<2>::new(0.0, *half_length)],
                *radius,
            )]
        }
        Shape::Polytope(polytope) => vec![figure(polytope.vertices().to_vec(), 0.0)],
        Shape::Rounded { core, radius } => vec![figure(core.vertices().to_vec(), *radius)],
        Shape::Surface(surface) if surface.is_closed() => {
            let pieces = decompose(surface.vertices()).unwrap_or_default();
            pieces.iter().map(|piece| figure(piece.vertices().to_vec(), 0.0)).collect()
        }
        _ => Vec::new(),
    }
}

/// Moments of all that the figures cover.
pub(super) fn union(figures: &[Figure], rule: &Rule) -> Moments<2> {
    let mut breaks = Vec::new();
    for (index, figure) in figures.iter().enumerate() {
        figure.breaks(&mut breaks);
        figures[index + 1..].iter().for_each(|other| figure.crossings(other, &mut breaks));
    }
    let mut all = Moments::none();
    let mut covered: Vec<[f64; 2]> = Vec::new();
    rule.for_each(&mut breaks, |x, weight| {
        covered.clear();
        covered.extend(figures.iter().filter_map(|figure| figure.interval(x)));
        covered.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut reached = f64::NEG_INFINITY;
        for &[low, high] in &covered {
            let low = low.max(reached);
            if low < high {
                all.add(&strip(x, low, high, weight));
                reached = high;
            }
        }
    });
    all
}

/// A strip of this width at `x` from `low` to `high`.
fn strip(x: f64, low: f64, high: f64, width: f64) -> Moments<2> {
    let length = width * (high - low);
    let up = 0.5 * (low + high) * length;
    let squares = length * (low * low + low * high + high * high) / 3.0;
    Moments {
        volume: length,
        first: Vector::<2>::new(x * length, up),
        second: drystone::Matrix::<2, 2>::new(x * x * length, x * up, x * up, squares),
    }
}
