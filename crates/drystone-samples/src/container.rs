//! Where a sample goes: boxes, disks and balls, cylinders and drums, the space between walls, or the inside
//! of anything whose distances are known. Places no grain.

use crate::SampleError;
use crate::rock::{ConvexCell, CutPlane};
use drystone_math::Vector;
use std::f64::consts::PI;

/// A region that holds grains. The last axis points up.
pub trait Container<const D: usize> {
    /// Lowest and highest corner of a box around it \[m\].
    fn bounds(&self) -> [Vector<D>; 2];

    /// Tells every wall near the point: its distance \[m\], negative outside, and its unit normal inwards.
    fn walls(&self, point: &Vector<D>, wall: &mut dyn FnMut(f64, Vector<D>));

    /// Volume, in the plane area.
    fn volume(&self) -> f64;

    /// Distance to the nearest wall \[m\], negative outside.
    fn depth(&self, point: &Vector<D>) -> f64 {
        let mut least = f64::INFINITY;
        self.walls(point, &mut |distance, _| least = least.min(distance));
        least
    }
}

/// Rectangle or box with its sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid<const D: usize> {
    /// Lowest corner \[m\].
    pub low: Vector<D>,
    /// Highest corner \[m\].
    pub high: Vector<D>,
}

impl<const D: usize> Container<D> for Cuboid<D> {
    fn bounds(&self) -> [Vector<D>; 2] {
        [self.low, self.high]
    }

    fn walls(&self, point: &Vector<D>, wall: &mut dyn FnMut(f64, Vector<D>)) {
        for axis in 0..D {
            let mut normal = Vector::zeros();
            normal[axis] = 1.0;
            wall(point[axis] - self.low[axis], normal);
            wall(self.high[axis] - point[axis], -normal);
        }
    }

    fn volume(&self) -> f64 {
        (self.high - self.low).product()
    }
}

/// Inside of a circle or a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundContainer<const D: usize> {
    /// Centre \[m\].
    pub centre: Vector<D>,
    /// Radius \[m\].
    pub radius: f64,
}

impl<const D: usize> Container<D> for RoundContainer<D> {
    fn bounds(&self) -> [Vector<D>; 2] {
        let reach = Vector::repeat(self.radius);
        [self.centre - reach, self.centre + reach]
    }

    fn walls(&self, point: &Vector<D>, wall: &mut dyn FnMut(f64, Vector<D>)) {
        let arm = self.centre - point;
        let distance = arm.norm();
        if distance > 0.0 {
            wall(self.radius - distance, arm / distance);
        } else {
            wall(self.radius, up());
        }
    }

    fn volume(&self) -> f64 {
        crate::ball_volume::<D>(self.radius)
    }
}

/// Inside of a closed circular cylinder: upright along z, a drum along x or y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tube {
    /// Middle of the axis \[m\].
    pub centre: Vector<3>,
    /// Axis: 0, 1 or 2.
    pub axis: usize,
    /// Radius \[m\].
    pub radius: f64,
    /// Length \[m\].
    pub length: f64,
}

impl Container<3> for Tube {
    fn bounds(&self) -> [Vector<3>; 2] {
        let reach =
            Vector::<3>::from_fn(|axis, _| if axis == self.axis { 0.5 * self.length } else { self.radius });
        [self.centre - reach, self.centre + reach]
    }

    fn walls(&self, point: &Vector<3>, wall: &mut dyn FnMut(f64, Vector<3>)) {
        let mut arm = self.centre - point;
        let along = -arm[self.axis];
        arm[self.axis] = 0.0;
        let distance = arm.norm();
        if distance > 0.0 {
            wall(self.radius - distance, arm / distance);
        } else {
            let mut any = Vector::zeros();
            any[(self.axis + 1) % 3] = 1.0;
            wall(self.radius, any);
        }
        let mut normal = Vector::zeros();
        normal[self.axis] = 1.0;
        wall(0.5 * self.length + along, normal);
        wall(0.5 * self.length - along, -normal);
    }

    fn volume(&self) -> f64 {
        PI * self.radius * self.radius * self.length
    }
}

/// The space between flat walls.
#[derive(Clone, Debug, PartialEq)]
pub struct BetweenWalls<const D: usize> {
    walls: Vec<CutPlane<D>>,
    cell: ConvexCell<D>,
}

impl<const D: usize> BetweenWalls<D> {
    /// What lies within a box and on the inner side of every wall, given by a point on it \[m\] and a normal
    /// inwards of any length.
    pub fn new(bounds: Cuboid<D>, walls: &[(Vector<D>, Vector<D>)]) -> Result<Self, SampleError> {
        let mut cell = Some(ConvexCell::cuboid(&bounds.low, &bounds.high));
        let mut planes = Vec::new();
        for (point, inward) in walls {
            let length = inward.norm();
            SampleError::positive("normal", length)?;
            let outward = -inward / length;
            let plane = CutPlane { normal: outward, offset: outward.dot(point) };
            cell = cell.and_then(|cell| cell.cut(&plane)[0].take());
            planes.push(plane);
        }
        for axis in 0..D {
            let mut normal = Vector::zeros();
            normal[axis] = 1.0;
            planes.push(CutPlane { normal, offset: bounds.high[axis] });
            planes.push(CutPlane { normal: -normal, offset: -bounds.low[axis] });
        }
        match cell {
            Some(cell) => Ok(Self { walls: planes, cell }),
            None => Err(SampleError::RegionTooSmall { radius: 0.0, room: 0.0 }),
        }
    }
}

impl<const D: usize> Container<D> for BetweenWalls<D> {
    fn bounds(&self) -> [Vector<D>; 2] {
        self.cell.bounds()
    }

    fn walls(&self, point: &Vector<D>, wall: &mut dyn FnMut(f64, Vector<D>)) {
        for plane in &self.walls {
            wall(plane.offset - plane.normal.dot(point), -plane.normal);
        }
    }

    fn volume(&self) -> f64 {
        self.cell.volume()
    }
}

/// The inside of anything that can tell how deep a point lies in it, a closed mesh for one.
pub struct Inside<const D: usize, F> {
    bounds: Cuboid<D>,
    depth: F,
    volume: f64,
}

/// Points along each axis of the grid that measures the volume of a region known by its depths alone.
const GRID: usize = 48;

impl<const D: usize, F: Fn(&Vector<D>) -> f64> Inside<D, F> {
    /// The region of all points with a positive depth \[m\], a signed distance to the surface, within a box
    /// around it. Its volume is measured on a grid.
    pub fn new(bounds: Cuboid<D>, depth: F) -> Self {
        let size = bounds.high - bounds.low;
        let total = GRID.pow(D as u32);
        let inside = (0..total).filter(|&index| {
            let mut rest = index;
            let point = Vector::from_fn(|axis, _| {
                let along = (rest % GRID) as f64 + 0.5;
                rest /= GRID;
                bounds.low[axis] + size[axis] * along / GRID as f64
            });
            depth(&point) > 0.0
        });
        let volume = size.product() * inside.count() as f64 / total as f64;
        Self { bounds, depth, volume }
    }

    /// The same region with its volume known.
    pub fn with_volume(mut self, volume: f64) -> Self {
        self.volume = volume;
        self
    }
}

impl<const D: usize, F: Fn(&Vector<D>) -> f64> Container<D> for Inside<D, F> {
    fn bounds(&self) -> [Vector<D>; 2] {
        self.bounds.bounds()
    }

    fn walls(&self, point: &Vector<D>, wall: &mut dyn FnMut(f64, Vector<D>)) {
        // the normal is the way on which the depth grows
        let shift = 1e-6 * (self.bounds.high - self.bounds.low).norm();
        let slope: Vector<D> = Vector::from_fn(|axis, _| {
            let mut arm = Vector::zeros();
            arm[axis] = shift;
            (self.depth)(&(point + arm)) - (self.depth)(&(point - arm))
        });
        wall((self.depth)(point), slope.try_normalize(0.0).unwrap_or_else(up));
    }

    fn volume(&self) -> f64 {
        self.volume
    }

    fn depth(&self, point: &Vector<D>) -> f64 {
        (self.depth)(point)
    }
}

fn up<const D: usize>() -> Vector<D> {
    let mut up = Vector::zeros();
    up[D - 1] = 1.0;
    up
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    /// Depths against the distance to the nearest of many points outside, volumes against random points.
    fn check<const D: usize>(container: &dyn Container<D>) {
        let mut random = Random::new(3);
        let [low, high] = container.bounds();
        let mut inside = 0;
        for _ in 0..20_000 {
            let point = Vector::from_fn(|axis, _| random.between(low[axis], high[axis]));
            let depth = container.depth(&point);
            inside += usize::from(depth > 0.0);
            container.walls(&point, &mut |distance, normal| {
                assert!((normal.norm() - 1.0).abs() < 1e-9);
                // one step inwards is that much deeper, unless another wall is near
                let step = 1e-4;
                let mut again = f64::NAN;
                container.walls(&(point + normal * step), &mut |other, turned| {
                    if (turned - normal).norm() < 0.1 && (other - distance - step).abs() < 1e-6 {
                        again = other;
                    }
                });
                assert!(distance > -1.0 && (again.is_finite() || distance > 0.3), "{point} {distance}");
            });
        }
        let volume = (high - low).product() * inside as f64 / 20_000.0;
        assert!((volume / container.volume() - 1.0).abs() < 0.04, "{volume} {}", container.volume());
    }

    #[test]
    fn walls_are_at_their_distances_and_volumes_right() {
        check::<2>(&Cuboid { low: Vector::<2>::zeros(), high: Vector::<2>::new(2.0, 1.0) });
        check::<3>(&Cuboid { low: Vector::<3>::zeros(), high: Vector::<3>::new(2.0, 1.0, 0.5) });
        check::<2>(&RoundContainer { centre: Vector::<2>::new(1.0, 1.0), radius: 0.7 });
        check::<3>(&Tube { centre: Vector::<3>::new(1.0, 0.0, 0.0), axis: 1, radius: 0.6, length: 1.0 });
        let bounds = Cuboid { low: Vector::<2>::zeros(), high: Vector::<2>::new(1.0, 1.0) };
        let slope = (Vector::<2>::new(1.0, 0.0), Vector::<2>::new(-1.0, -1.0));
        let wedge = BetweenWalls::new(bounds, &[slope]).unwrap();
        assert!((wedge.volume() - 0.5).abs() < 1e-12);
        check::<2>(&wedge);
        let ball = |point: &Vector<3>| 0.5 - point.norm();
        let bounds = Cuboid { low: Vector::<3>::repeat(-0.5), high: Vector::<3>::repeat(0.5) };
        check::<3>(&Inside::new(bounds, ball));
        assert!(BetweenWalls::new(bounds, &[(Vector::<3>::repeat(2.0), Vector::<3>::repeat(1.0))]).is_err());
    }
}
