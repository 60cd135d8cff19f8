//! Domes: rings of stones between two spheres, closed by a keystone or open at the top.

use super::Stone;
use crate::{ConvexCell, SampleError};
use drystone_math::{Vector, portable};
use std::f64::consts::{FRAC_PI_2, TAU};

/// How the stones of a dome lie on each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beds {
    /// On cones about the centre: rings press like an arch. Joints of all rings lie in the same planes
    /// through the axis, since flat stones cannot be shifted on a cone.
    #[default]
    Radial,
    /// Level, as in a corbelled dome: joints shifted by half a stone from ring to ring.
    Level,
}

/// A hemispherical dome about the z axis, its springing at height 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dome {
    /// Inner radius \[m\].
    pub radius: f64,
    /// Thickness \[m\].
    pub thickness: f64,
    /// Number of rings.
    pub rings: usize,
    /// Number of stones of a ring.
    pub stones: usize,
    /// Half of the angle of the opening at the top, seen from the centre \[rad\]; 0: closed by a keystone.
    pub oculus: f64,
    /// Beds.
    pub beds: Beds,
}

impl Dome {
    fn check(&self) -> Result<(), SampleError> {
        SampleError::positive("radius", self.radius)?;
        SampleError::positive("thickness", self.thickness)?;
        SampleError::within("rings", self.rings as f64, [1.0, 1e4], "it must be from 1 to 10000")?;
        SampleError::within("stones", self.stones as f64, [3.0, 1e4], "it must be from 3 to 10000")?;
        SampleError::within("oculus", self.oculus, [0.0, 1.5], "it must be from 0 to 1.5 rad (86°)")?;
        if self.beds == Beds::Level {
            // the inner edge of the last bed must lie inside of its outer edge with room to stand on
            let (sine, cosine) = portable::sin_cos(self.oculus);
            let outer = self.radius + self.thickness;
            let height = self.radius * cosine;
            let room = (outer * outer - height * height).sqrt() - self.radius * sine;
            if self.oculus < 0.2 || room > 2.0 * self.thickness {
                let text = "a dome with level beds cannot close: give an oculus of more than 0.2 rad, and wider for a thin dome";
                return Err(SampleError::Masonry(text.to_owned()));
            }
        }
        Ok(())
    }

    /// Inner and outer end of a bed in the half-plane of radius and height.
    fn bed(&self, ring: usize) -> [[f64; 2]; 2] {
        let outer = self.radius + self.thickness;
        // the keystone is as wide as half a ring at either side
        let top = match self.oculus > 0.0 {
            true => FRAC_PI_2 - self.oculus,
            false => FRAC_PI_2 * self.rings as f64 / (self.rings as f64 + 0.5),
        };
        let latitude = top * ring as f64 / self.rings as f64;
        let (sine, cosine) = if ring == 0 { (0.0, 1.0) } else { portable::sin_cos(latitude) };
        let height = self.radius * sine;
        match self.beds {
            Beds::Radial => [self.radius, outer].map(|radius| [radius * cosine, radius * sine]),
            Beds::Level => {
                [[self.radius * cosine, height], [(outer * outer - height * height).sqrt(), height]]
            }
        }
    }

    fn corner(&self, [radius, height]: [f64; 2], halves: usize) -> Vector<3> {
        // every whole turn and quarter has one set of bits
        let halves = halves % (2 * self.stones);
        let (sine, cosine) = portable::sin_cos(TAU * halves as f64 / (2 * self.stones) as f64);
        Vector::<3>::new(radius * cosine, radius * sine, height)
    }

    /// Its stones, ring after ring from below.
    pub fn stones(&self) -> Result<Vec<Stone<3>>, SampleError> {
        self.check()?;
        let mut stones = Vec::new();
        for ring in 0..self.rings {
            let (low, high) = (self.bed(ring), self.bed(ring + 1));
            let profile = [low[0], low[1], high[1], high[0]];
            let shift = usize::from(self.beds == Beds::Level && ring % 2 == 1);
            for stone in 0..self.stones {
                let section = |k: usize| profile.map(|point| self.corner(point, 2 * k + shift));
                let cell = ConvexCell::loft(&section(stone), &section(stone + 1));
                stones.push(Stone::new(cell, "stone"));
            }
        }
        if self.oculus == 0.0 {
            let [inner, outer] = self.bed(self.rings);
            let round = |point: [f64; 2]| -> Vec<Vector<3>> {
                (0..self.stones).map(|k| self.corner(point, 2 * k)).collect()
            };
            stones.push(Stone::new(ConvexCell::loft(&round(inner), &round(outer)), "keystone"));
        }
        Ok(stones)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::masonry::tests::check;

    #[test]
    fn domes_fill_their_shell() {
        for (oculus, beds) in [(0.0, Beds::Radial), (0.3, Beds::Radial), (0.6, Beds::Level)] {
            let dome = Dome { radius: 3.0, thickness: 0.4, rings: 6, stones: 16, oculus, beds };
            let stones = dome.stones().unwrap();
            let total: f64 = stones.iter().map(|stone| stone.cell.volume()).sum();
            check(&stones, total);
            assert_eq!(stones.len(), 6 * 16 + usize::from(oculus == 0.0));
            // a fine one comes to the volume between the spheres
            if beds == Beds::Radial {
                let fine = Dome { rings: 40, stones: 60, ..dome }.stones().unwrap();
                let volume: f64 = fine.iter().map(|stone| stone.cell.volume()).sum();
                let shell = TAU / 3.0 * (3.4f64.powi(3) - 27.0) * oculus.cos();
                assert!((volume / shell - 1.0).abs() < 5e-3, "{volume} {shell}");
            }
        }
        let dome = Dome { radius: 3.0, thickness: 0.4, rings: 6, stones: 16, oculus: 0.1, beds: Beds::Level };
        assert!(dome.stones().is_err() && Dome { stones: 2, oculus: 0.0, ..dome }.stones().is_err());
    }
}
