//! Rock cut by sets of joints: planes of nearly one orientation at nearly one spacing. Joints are flat and
//! without width.

use super::{ConvexCell, CutPlane};
use crate::{Random, SampleError};
use drystone_math::{Vector, portable};
use std::f64::consts::{FRAC_PI_2, TAU};

/// A set of joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSet {
    /// Angle of the joints below the horizontal \[rad\]: from 0 to π/2 in space; in the plane from −π/2 to
    /// π/2, falling towards +x where it is positive.
    pub dip: f64,
    /// In space, the direction in which they fall, clockwise from +y seen from above \[rad\].
    pub dip_direction: f64,
    /// Distance between neighbours along their normal \[m\].
    pub spacing: f64,
    /// Standard deviation of the spacing relative to it \[-\].
    pub spacing_scatter: f64,
    /// Standard deviation of the angle between a joint and the mean of the set \[rad\].
    pub orientation_scatter: f64,
    /// Distance of the first joint from the lowest point of the region along the normal \[m\].
    pub first: f64,
    /// Share of the blocks in its way that a joint cuts, from 0 to 1 \[-\].
    pub persistence: f64,
}

impl JointSet {
    /// A set of parallel joints at one spacing, the first half a spacing inside the region.
    pub fn new(dip: f64, dip_direction: f64, spacing: f64) -> Self {
        Self {
            dip,
            dip_direction,
            spacing,
            spacing_scatter: 0.0,
            orientation_scatter: 0.0,
            first: 0.5 * spacing,
            persistence: 1.0,
        }
    }

    fn check(&self) -> Result<(), SampleError> {
        SampleError::positive("spacing", self.spacing)?;
        let within = SampleError::within;
        within("dip", self.dip, [-FRAC_PI_2, FRAC_PI_2], "it must be from -90° to 90°")?;
        within("dip_direction", self.dip_direction, [-TAU, TAU], "it must be from -360° to 360°")?;
        within("spacing_scatter", self.spacing_scatter, [0.0, 1.0], "it must be from 0 to 1")?;
        within(
            "orientation_scatter",
            self.orientation_scatter,
            [0.0, FRAC_PI_2],
            "it must be from 0° to 90°",
        )?;
        within("first", self.first, [-f64::MAX, f64::MAX], "it must be a number")?;
        within("persistence", self.persistence, [0.0, 1.0], "it must be from 0 to 1")
    }

    /// Upward unit normal of the mean joint.
    pub fn normal<const D: usize>(&self) -> Vector<D> {
        let (sine, cosine) = portable::sin_cos(self.dip);
        let (east, north) = match D {
            2 => (1.0, 0.0),
            _ => portable::sin_cos(self.dip_direction),
        };
        Vector::from_fn(|axis, _| match axis {
            0 => sine * east,
            _ if axis + 1 == D => cosine,
            _ => sine * north,
        })
    }

    /// All joints of the set that may meet the region.
    fn planes<const D: usize>(&self, cells: &[ConvexCell<D>], random: &mut Random) -> Vec<CutPlane<D>> {
        let mean: Vector<D> = self.normal();
        let along = |corner: &Vector<D>| mean.dot(corner);
        let all = || cells.iter().flat_map(|cell| cell.loops().iter().flatten());
        let low = all().map(along).fold(f64::MAX, f64::min);
        let high = all().map(along).fold(f64::MIN, f64::max);
        let centre = all().sum::<Vector<D>>() / all().count().max(1) as f64;
        let mut planes = Vec::new();
        let mut distance = low + self.first;
        while distance < high {
            let point = centre + mean * (distance - along(&centre));
            let mut normal = mean;
            if self.orientation_scatter > 0.0 {
                let tilt = self.orientation_scatter * random.normal();
                let side: Vector<D> = random.direction();
                let across = (side - mean * side.dot(&mean)).try_normalize(1e-9).unwrap_or(side);
                let (sine, cosine) = portable::sin_cos(tilt);
                normal = (mean * cosine + across * sine).normalize();
            }
            planes.push(CutPlane { normal, offset: normal.dot(&point) });
            let scatter =
                if self.spacing_scatter > 0.0 { self.spacing_scatter * random.normal() } else { 0.0 };
            // neighbours stay in their order
            distance += self.spacing * (1.0 + scatter).max(0.1);
        }
        planes
    }
}

/// Most blocks, so that a slip in the spacing does not fill the memory.
const MOST: usize = 20_000_000;

/// Cuts all cells by all joints, set after set. A joint that would leave a piece thinner than `thinnest`
/// \[m\] does not cut that cell.
pub fn cut_rock<const D: usize>(
    cells: Vec<ConvexCell<D>>,
    sets: &[JointSet],
    thinnest: f64,
    seed: u64,
) -> Result<Vec<ConvexCell<D>>, SampleError> {
    let mut random = Random::new(seed);
    let mut cells = cells;
    for set in sets {
        set.check()?;
        let [low, high] = cells
            .iter()
            .map(ConvexCell::bounds)
            .fold([Vector::<D>::repeat(f64::MAX), Vector::repeat(f64::MIN)], |[low, high], [a, b]| {
                [low.inf(&a), high.sup(&b)]
            });
        if (high - low).norm() / set.spacing > 1e5 {
            let allowed = "it gives more than a hundred thousand joints";
            return Err(SampleError::Number { name: "spacing", found: set.spacing, allowed });
        }
        for plane in set.planes(&cells, &mut random) {
            let mut next = Vec::with_capacity(cells.len() + 16);
            for cell in cells {
                let [below, above] = cell.reach(&plane);
                let least = below.min(above);
                let asked = least > 0.0 && least >= thinnest;
                if !asked || (set.persistence < 1.0 && random.unit() >= set.persistence) {
                    next.push(cell);
                    continue;
                }
                next.extend(cell.cut(&plane).into_iter().flatten());
            }
            cells = next;
            if cells.len() > MOST {
                let allowed = "it gives more than twenty million blocks";
                return Err(SampleError::Number { name: "spacing", found: set.spacing, allowed });
            }
        }
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_4;

    fn region<const D: usize>(size: f64) -> Vec<ConvexCell<D>> {
        vec![ConvexCell::cuboid(&Vector::zeros(), &Vector::repeat(size))]
    }

    #[test]
    fn three_square_sets_make_cubes() {
        let sets = [(0.0, 0.0), (FRAC_PI_2, 0.0), (FRAC_PI_2, FRAC_PI_2)]
            .map(|(dip, direction)| JointSet { first: 1.0, ..JointSet::new(dip, direction, 1.0) });
        let blocks = cut_rock(region::<3>(4.0), &sets, 0.0, 1).unwrap();
        assert_eq!(blocks.len(), 64);
        assert!(blocks.iter().all(|block| (block.volume() - 1.0).abs() < 1e-12));
    }

    #[test]
    fn normals_follow_the_geologist() {
        // dipping by 45° to the east: the plane falls towards +x
        let normal: Vector<3> = JointSet::new(FRAC_PI_4, FRAC_PI_2, 1.0).normal();
        let half = 0.5f64.sqrt();
        assert!((normal - Vector::<3>::new(half, 0.0, half)).norm() < 1e-15);
        let normal: Vector<2> = JointSet::new(FRAC_PI_4, 0.0, 1.0).normal();
        assert!((normal - Vector::<2>::new(half, half)).norm() < 1e-15);
    }

    fn scattered<const D: usize>(size: f64, spacing: f64) {
        let set = |dip, direction| JointSet {
            spacing_scatter: 0.3,
            orientation_scatter: 0.1,
            ..JointSet::new(dip, direction, spacing)
        };
        let sets = [set(0.4, 0.3), set(-1.0, 1.2), set(1.2, 2.9)];
        let blocks = cut_rock(region::<D>(size), &sets, 0.02 * spacing, 1).unwrap();
        assert_eq!(blocks, cut_rock(region::<D>(size), &sets, 0.02 * spacing, 1).unwrap());
        assert!(blocks.len() > 60, "{}", blocks.len());
        let volume: f64 = blocks.iter().map(ConvexCell::volume).sum();
        assert!((volume / size.powi(D as i32) - 1.0).abs() < 1e-11);
        let mean = |p: f64| {
            let sets = sets.map(|set| JointSet { persistence: p, ..set });
            cut_rock(region::<D>(size), &sets, 0.0, 1).unwrap().len()
        };
        assert!(mean(0.6) < mean(1.0));
    }

    #[test]
    fn scattered_joints_still_fill_the_region() {
        scattered::<2>(10.0, 1.0);
        scattered::<3>(5.0, 1.0);
    }

    #[test]
    fn what_is_no_set_is_refused() {
        for set in [
            JointSet::new(0.0, 0.0, 0.0),
            JointSet::new(2.0, 0.0, 1.0),
            JointSet::new(0.0, 0.0, 1e-7),
            JointSet { persistence: 1.5, ..JointSet::new(0.0, 0.0, 1.0) },
        ] {
            assert!(cut_rock(region::<3>(1.0), &[set], 0.0, 1).is_err(), "{set:?}");
        }
    }
}
