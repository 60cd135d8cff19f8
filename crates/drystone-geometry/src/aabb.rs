//! The box and the ball that hold a placed shape. They know no contact: they only tell which shapes may be
//! near each other.

use drystone_math::{Pose, Vector};

use crate::{Polytope, Shape};

/// An axis-aligned box \[m\].
#[derive(Clone, Copy, Debug)]
#[doc(alias = "AABB")]
pub struct Aabb<const D: usize> {
    /// Least coordinates.
    pub low: Vector<D>,
    /// Largest coordinates.
    pub high: Vector<D>,
}

impl<const D: usize> Aabb<D> {
    /// Whether two boxes have a point in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        // all axes at once: a branch per axis would be guessed wrong half of the time
        (0..D).fold(true, |all, axis| {
            all & (self.low[axis] <= other.high[axis]) & (other.low[axis] <= self.high[axis])
        })
    }

    /// Largest side of a box that is finite.
    pub fn largest(&self) -> f64 {
        (0..D).fold(0.0, |most, axis| max_or_first(most, self.high[axis] - self.low[axis]))
    }

    /// Whether the box has a place and a size that rows can hold.
    pub fn is_finite(&self) -> bool {
        (0..D).fold(true, |all, axis| all & (self.low[axis].abs() < 1e300) & (self.high[axis].abs() < 1e300))
    }

    /// The middle of the box.
    pub fn middle(&self) -> Vector<D> {
        (self.low + self.high) * 0.5
    }
}

/// A box and the radius of a ball about its middle, both around the same shape \[m\].
#[derive(Clone, Copy, Debug)]
pub struct Bounds<const D: usize> {
    /// The box.
    pub aabb: Aabb<D>,
    /// The radius of the ball.
    pub radius: f64,
}

/// The bounds of a shape grown by a margin. A half-space has none: it is kept out of the rows by a box that
/// is not finite.
#[inline]
pub fn bounds<const D: usize>(shape: &Shape<D>, pose: &Pose<D>, margin: f64) -> Bounds<D> {
    // most shapes are balls, and nothing is simpler
    if let Shape::Ball { radius } = shape {
        let reach = radius + margin;
        return certain(about(pose, Vector::repeat(reach)), reach);
    }
    if let Shape::Skin(skin) = shape
        && skin.is_round()
    {
        // its vertices are not turned at every step
        let reach = skin.bounding_radius() * (1.0 + 1e-9) + margin;
        return certain(about(pose, Vector::repeat(reach)), reach);
    }
    let aabb = aabb(shape, pose, margin);
    let middle = aabb.middle();
    let radius = match shape {
        Shape::Polytope(form) => farthest(form.vertices(), pose, &middle) + margin,
        Shape::Rounded { core, radius } => farthest(core.vertices(), pose, &middle) + radius + margin,
        Shape::Skin(skin) => farthest(skin.vertices(), pose, &middle) + margin,
        Shape::Surface(_) | Shape::HalfSpace => 0.5 * (aabb.high - aabb.low).norm(),
        _ => shape.bounding_radius() + margin,
    };
    certain(aabb, radius)
}

/// A box and a ball with more than rounding can take away from the ball, here and in the distance of two
/// middles.
#[inline]
fn certain<const D: usize>(aabb: Aabb<D>, radius: f64) -> Bounds<D> {
    let far = farthest_axis(&aabb.middle()) * (16.0 * f64::EPSILON);
    Bounds { aabb, radius: radius * (1.0 + 1e-9) + far }
}

/// The box of a shape grown by a margin.
pub fn aabb<const D: usize>(shape: &Shape<D>, pose: &Pose<D>, margin: f64) -> Aabb<D> {
    match shape {
        Shape::Ball { radius } => about(pose, Vector::repeat(radius + margin)),
        Shape::Point => about(pose, Vector::repeat(margin)),
        Shape::HalfSpace => Aabb { low: Vector::repeat(f64::NAN), high: Vector::repeat(f64::NAN) },
        Shape::Polytope(form) => around(form, pose, margin),
        Shape::Rounded { core, radius } => around(core, pose, radius + margin),
        Shape::Surface(surface) => {
            // the box of the box: a million vertices are not turned at every step
            let own = surface.tree.aabb();
            let (middle, half) = ((own.low + own.high) * 0.5, (own.high - own.low) * 0.5);
            let rotation = pose.rotation();
            let turned = rotation.abs() * half + Vector::repeat(margin);
            about(&Pose::at(pose.position + rotation * middle), turned)
        }
        Shape::Skin(skin) => {
            let rotation = pose.rotation();
            let none = (Vector::<D>::repeat(f64::INFINITY), Vector::<D>::repeat(f64::NEG_INFINITY));
            let (low, high) = skin.vertices().iter().fold(none, |(low, high), vertex| {
                let at: Vector<D> = rotation * vertex;
                (low.inf(&at), high.sup(&at))
            });
            let margin = Vector::<D>::repeat(margin) + rounding(pose);
            Aabb { low: pose.position + low - margin, high: pose.position + high + margin }
        }
        Shape::Capsule { half_length, radius } => {
            let axis = pose.rotation().column(D - 1).abs();
            about(pose, axis * *half_length + Vector::repeat(radius + margin))
        }
        Shape::Hollow { radius, .. } if D == 2 => about(pose, Vector::repeat(radius + margin)),
        Shape::Cylinder { radius, half_height } | Shape::Hollow { radius, half_height } => {
            let axis = pose.rotation().column(D - 1).abs();
            let disk = axis.map(|cosine| radius * (1.0 - cosine * cosine).max(0.0).sqrt());
            about(pose, axis * *half_height + disk + Vector::repeat(margin))
        }
    }
}

#[inline]
fn about<const D: usize>(pose: &Pose<D>, half: Vector<D>) -> Aabb<D> {
    let half = half + rounding(pose);
    Aabb { low: pose.position - half, high: pose.position + half }
}

/// What world coordinates lose far from the origin, where it may be more than a margin.
fn rounding<const D: usize>(pose: &Pose<D>) -> Vector<D> {
    Vector::repeat(4.0 * f64::EPSILON * farthest_axis(&pose.position))
}

/// Largest coordinate, whatever its sign.
fn farthest_axis<const D: usize>(place: &Vector<D>) -> f64 {
    (0..D).fold(0.0, |most, axis| max_or_first(most, place[axis].abs()))
}

/// The larger of two numbers, the first if one is NaN: `f64::max` would take twice as long to tell.
#[inline(always)]
pub fn max_or_first(one: f64, two: f64) -> f64 {
    if two > one { two } else { one }
}

fn around<const D: usize>(form: &Polytope<D>, pose: &Pose<D>, margin: f64) -> Aabb<D> {
    let rotation = pose.rotation();
    let rows: [Vector<D>; D] = std::array::from_fn(|axis| rotation.row(axis).transpose());
    let low = Vector::from(form.corners.least_of_all(&rows));
    let high = -Vector::from(form.corners.least_of_all(&rows.map(|row| -row)));
    let margin = Vector::<D>::repeat(margin) + rounding(pose);
    Aabb { low: pose.position + low - margin, high: pose.position + high + margin }
}

/// Largest distance of placed vertices from a point.
fn farthest<const D: usize>(vertices: &[Vector<D>], pose: &Pose<D>, point: &Vector<D>) -> f64 {
    let local = pose.to_local(point);
    vertices.iter().map(|vertex| (vertex - local).norm_squared()).fold(0.0, f64::max).sqrt()
}
