//! Barrel vaults and cross vaults (two barrels of one profile that meet in groins). Walls and piers below are
//! left to others.

use super::{Arch, Stone};
use crate::{ConvexCell, SampleError};
use drystone_math::Vector;

/// A barrel: an arch made long, joints of neighbouring rows shifted by half a stone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarrelVault {
    /// Its cross-section, in x and z.
    pub arch: Arch,
    /// Length along y \[m\].
    pub length: f64,
    /// Number of stones along it.
    pub stones: usize,
}

impl BarrelVault {
    /// Its stones, row after row from the right springing.
    pub fn stones(&self) -> Result<Vec<Stone<3>>, SampleError> {
        SampleError::positive("length", self.length)?;
        SampleError::within("stones", self.stones as f64, [1.0, 1e5], "it must be from 1 to 100000")?;
        let half = |k: usize| self.length * k as f64 / (2 * self.stones) as f64;
        let mut stones = Vec::new();
        for (row, voussoir) in self.arch.stones()?.iter().enumerate() {
            let mut joints: Vec<usize> = (0..=self.stones).map(|k| 2 * k).collect();
            if row % 2 == 1 {
                joints = std::iter::once(0).chain((0..self.stones).map(|k| 2 * k + 1)).collect();
                joints.push(2 * self.stones);
            }
            for pair in joints.windows(2) {
                stones.push(super::extruded(voussoir, half(pair[0]), half(pair[1])));
            }
        }
        Ok(stones)
    }
}

/// Two barrels of one profile at right angles over a square, the ceiling wherever the higher of the two is.
/// It stands on its four corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossVault {
    /// Profile of both barrels, with an odd number of voussoirs; not pointed.
    pub arch: Arch,
    /// How far the barrels reach beyond the extrados at their springings \[m\].
    pub margin: f64,
    /// Length of a stone along the barrels \[m\].
    pub stone_length: f64,
}

impl CrossVault {
    /// Its stones: four arms of courses and the boss in the middle.
    pub fn stones(&self) -> Result<Vec<Stone<3>>, SampleError> {
        self.arch.check()?;
        SampleError::positive("margin", self.margin)?;
        SampleError::positive("stone_length", self.stone_length)?;
        if self.arch.is_pointed() || self.arch.voussoirs.is_multiple_of(2) {
            let text = "a cross vault needs an arch that is not pointed, with an odd number of voussoirs";
            return Err(SampleError::Masonry(text.to_owned()));
        }
        let rows = self.arch.voussoirs / 2;
        let edge = self.arch.joint(0)[1][0] + self.margin;
        let mut stones = Vec::new();
        for arm in 0..4 {
            for row in 0..rows {
                let (low, high) = (self.arch.joint(row), self.arch.joint(row + 1));
                for side in [1.0, -1.0] {
                    self.course(&mut stones, arm, row, [low, high], side, edge);
                }
            }
            // the course at the crown, over both sides
            let right = self.arch.joint(rows);
            let left = right.map(|point| Vector::<2>::new(-point[0], point[1]));
            self.course(&mut stones, arm, rows, [right, left], 1.0, edge);
        }
        let square = |corner: Vector<2>| {
            let (x, z) = (corner[0], corner[1]);
            [[x, x], [-x, x], [-x, -x], [x, -x]].map(|[x, y]| Vector::<3>::new(x, y, z))
        };
        let [inner, outer] = self.arch.joint(rows);
        stones.push(Stone::new(ConvexCell::loft(&square(inner), &square(outer)), "boss"));
        Ok(stones)
    }

    /// One course of an arm, from the groin to the edge, cut into stones.
    fn course(
        &self,
        stones: &mut Vec<Stone<3>>,
        arm: usize,
        row: usize,
        [low, high]: [[Vector<2>; 2]; 2],
        side: f64,
        edge: f64,
    ) {
        let profile = [low[0], low[1], high[1], high[0]];
        let place = |corner: &Vector<2>, along: f64| {
            let across = side * corner[0];
            let [x, y] = match arm {
                0 => [across, along],
                1 => [across, -along],
                2 => [along, across],
                _ => [-along, across],
            };
            Vector::<3>::new(x, y, corner[1])
        };
        let section = |along: f64| profile.map(|corner| place(&corner, along));
        let groin = profile.map(|corner| place(&corner, corner[0].abs()));
        // joints from the edge inwards, shifted by half a stone from row to row
        let widest = profile.iter().map(|corner| corner[0].abs()).fold(0.0, f64::max);
        let mut outer = section(edge);
        let mut along = edge - self.stone_length * if row % 2 == 1 { 0.5 } else { 1.0 };
        while along > widest + 0.25 * self.stone_length {
            let inner = section(along);
            stones.push(Stone::new(ConvexCell::loft(&outer, &inner), "web"));
            outer = inner;
            along -= self.stone_length;
        }
        stones.push(Stone::new(ConvexCell::loft(&outer, &groin), "groin"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::masonry::tests::check;

    #[test]
    fn a_barrel_fills_its_length() {
        let arch = Arch { span: 3.0, rise: 1.0, thickness: 0.3, voussoirs: 9 };
        let area: f64 = arch.stones().unwrap().iter().map(|stone| stone.cell.volume()).sum();
        let stones = BarrelVault { arch, length: 2.0, stones: 4 }.stones().unwrap();
        check(&stones, area * 2.0);
        assert_eq!(stones.len(), 5 * 4 + 4 * 5);
    }

    #[test]
    fn a_cross_vault_is_closed() {
        let arch = Arch { span: 4.0, rise: 2.0, thickness: 0.3, voussoirs: 11 };
        let vault = CrossVault { arch, margin: 0.3, stone_length: 0.5 };
        let stones = vault.stones().unwrap();
        // seen from above it covers its square, seen from a side it is the arch: the volume by slices across
        let total: f64 = stones.iter().map(|stone| stone.cell.volume()).sum();
        check(&stones, total);
        let area: f64 = arch.stones().unwrap().iter().map(|stone| stone.cell.volume()).sum();
        // two barrels less what they would share; each slice at distance y has the part of the ring nearer to
        // the middle
        let edge = 2.3 + 0.3;
        let slices = 4000;
        let mut expected = 0.0;
        for k in 0..slices {
            let y = edge * (k as f64 + 0.5) / slices as f64;
            let mut slice = 0.0;
            for stone in arch.stones().unwrap() {
                let right = crate::CutPlane { normal: Vector::<2>::new(1.0, 0.0), offset: y };
                let left = crate::CutPlane { normal: Vector::<2>::new(-1.0, 0.0), offset: y };
                let part = stone.cell.cut(&right)[0].take().and_then(|cell| cell.cut(&left)[0].take());
                slice += part.map_or(0.0, |cell| cell.volume());
            }
            // both arms along y, then both along x
            expected += 4.0 * slice * edge / slices as f64;
        }
        assert!((total / expected - 1.0).abs() < 1e-4, "{total} {expected}");
        assert!(total < 4.0 * area * edge);
    }

    #[test]
    fn what_is_no_vault_is_refused() {
        let arch = Arch { span: 4.0, rise: 2.0, thickness: 0.3, voussoirs: 10 };
        assert!(CrossVault { arch, margin: 0.3, stone_length: 0.5 }.stones().is_err());
        assert!(BarrelVault { arch, length: 0.0, stones: 4 }.stones().is_err());
    }
}
