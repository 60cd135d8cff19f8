//! Arches of voussoirs: semicircular, segmental and pointed, joints at right angles to the intrados.

use super::Stone;
use crate::{ConvexCell, SampleError};
use drystone_math::{Vector, portable};
use std::f64::consts::PI;

/// An arch in the plane, its springings at height 0, its middle at x = 0.
///
/// Semicircular where the rise is half of the span, segmental (one centre, below the springings) where it is
/// less, pointed (two centres, on the line of the springings) where it is more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arch {
    /// Clear span of the intrados \[m\].
    pub span: f64,
    /// Height of the intrados above the springings \[m\].
    pub rise: f64,
    /// Thickness, across the ring \[m\].
    pub thickness: f64,
    /// Number of voussoirs; even in a pointed arch, which has a joint at its top.
    pub voussoirs: usize,
}

impl Arch {
    /// A semicircular arch by its mean radius \[m\] and its thickness over it \[-\].
    pub fn semicircular(mean_radius: f64, thickness_ratio: f64, voussoirs: usize) -> Self {
        let thickness = thickness_ratio * mean_radius;
        let radius = mean_radius - 0.5 * thickness;
        Self { span: 2.0 * radius, rise: radius, thickness, voussoirs }
    }

    /// Radius of the intrados and where its centre is: x of the centre of the right half, y of both.
    fn circle(&self) -> (f64, [f64; 2]) {
        let (half, rise) = (0.5 * self.span, self.rise);
        let chord = half * half + rise * rise;
        if rise > half {
            let radius = chord / (2.0 * half);
            (radius, [half - radius, 0.0])
        } else {
            let radius = chord / (2.0 * rise);
            (radius, [0.0, rise - radius])
        }
    }

    /// Whether it has two centres.
    pub fn is_pointed(&self) -> bool {
        self.rise > 0.5 * self.span
    }

    /// Mean radius \[m\]: half of the thickness outside of the intrados.
    pub fn mean_radius(&self) -> f64 {
        self.circle().0 + 0.5 * self.thickness
    }

    /// Refuses what is no arch.
    pub fn check(&self) -> Result<(), SampleError> {
        SampleError::positive("span", self.span)?;
        SampleError::positive("rise", self.rise)?;
        SampleError::positive("thickness", self.thickness)?;
        let count = self.voussoirs as f64;
        SampleError::within("voussoirs", count, [2.0, 1e6], "it must be from 2 to a million")?;
        if self.is_pointed() && self.voussoirs % 2 == 1 {
            let text = "a pointed arch has a joint at its top: its number of voussoirs must be even";
            return Err(SampleError::Masonry(text.to_owned()));
        }
        if self.is_pointed() && self.rise > 20.0 * self.span {
            return Err(SampleError::Masonry("the rise must be at most 20 spans".to_owned()));
        }
        Ok(())
    }

    /// Ends of a joint on the intrados and on the extrados, counted from the right springing.
    pub(super) fn joint(&self, k: usize) -> [Vector<2>; 2] {
        let n = self.voussoirs;
        // the left half is the right one seen in a mirror
        if 2 * k > n {
            return self.joint(n - k).map(|point| Vector::<2>::new(-point[0], point[1]));
        }
        let (radius, [centre_x, centre_y]) = self.circle();
        let outer = radius + self.thickness;
        if 2 * k == n {
            let top = |radius: f64| {
                let y = centre_y + (radius * radius - centre_x * centre_x).sqrt();
                Vector::<2>::new(0.0, y)
            };
            return [top(radius), top(outer)];
        }
        let springing = portable::atan2(-centre_y, 0.5 * self.span - centre_x);
        // to the top of the mean line
        let mean = 0.5 * (radius + outer);
        let top = match self.is_pointed() {
            true => portable::atan2((mean * mean - centre_x * centre_x).sqrt(), -centre_x),
            false => 0.5 * PI,
        };
        let angle = springing + (top - springing) * k as f64 / (0.5 * n as f64);
        let (sine, cosine) = portable::sin_cos(angle);
        [radius, outer].map(|radius| {
            // springings of a full half circle or a pointed arch lie exactly on the ground
            if k == 0 && centre_y == 0.0 {
                return Vector::<2>::new(centre_x + radius, 0.0);
            }
            Vector::<2>::new(centre_x + radius * cosine, centre_y + radius * sine)
        })
    }

    /// Its voussoirs, from the right springing to the left one.
    pub fn stones(&self) -> Result<Vec<Stone<2>>, SampleError> {
        self.check()?;
        let voussoir = |k: usize| {
            let ([inner, outer], [inner_next, outer_next]) = (self.joint(k), self.joint(k + 1));
            Stone::new(ConvexCell::polygon(vec![inner, outer, outer_next, inner_next]), "voussoir")
        };
        Ok((0..self.voussoirs).map(voussoir).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::masonry::tests::check;

    /// Area of the quadrilaterals between joints.
    fn area(stones: &[Stone<2>]) -> f64 {
        stones.iter().map(|stone| stone.cell.volume()).sum()
    }

    #[test]
    fn arches_of_all_kinds_fill_their_ring() {
        for (span, rise, count) in [(4.0, 2.0, 27), (4.0, 1.0, 13), (4.0, 3.5, 24), (4.0, 2.0, 10)] {
            let arch = Arch { span, rise, thickness: 0.4, voussoirs: count };
            let stones = arch.stones().unwrap();
            check(&stones, area(&stones));
            // fine voussoirs come to the area of the ring
            let fine = Arch { voussoirs: 400, ..arch }.stones().unwrap();
            let middle = &fine[200].cell;
            assert!(middle.bounds()[0][1] <= rise + 1e-9 && middle.bounds()[1][1] > rise + 0.39);
            if rise == 2.0 {
                assert!((area(&fine) - 0.5 * PI * (2.4f64.powi(2) - 4.0)).abs() < 1e-3);
            }
            let low = fine[0].cell.bounds()[0];
            assert!((fine[0].cell.corners()[0][0] - 0.5 * span).abs() < 1e-12 || low[0] < 0.5 * span);
        }
    }

    #[test]
    fn a_semicircular_arch_has_its_ratio_and_stands_on_the_ground() {
        let arch = Arch::semicircular(10.0, 0.11, 27);
        assert!((arch.mean_radius() - 10.0).abs() < 1e-12 && (arch.thickness - 1.1).abs() < 1e-12);
        let stones = arch.stones().unwrap();
        for (stone, x) in [(&stones[0], 9.45), (&stones[26], -9.45)] {
            let on_ground: Vec<_> =
                stone.cell.corners().into_iter().filter(|corner| corner[1] == 0.0).collect();
            assert_eq!(on_ground.len(), 2);
            assert!(on_ground.iter().any(|corner| (corner[0] - x).abs() < 1e-12));
        }
    }

    #[test]
    fn what_is_no_arch_is_refused() {
        let arch = Arch { span: 2.0, rise: 1.0, thickness: 0.2, voussoirs: 9 };
        for wrong in [
            Arch { span: 0.0, ..arch },
            Arch { rise: -1.0, ..arch },
            Arch { thickness: f64::NAN, ..arch },
            Arch { voussoirs: 1, ..arch },
            Arch { rise: 1.5, ..arch },
        ] {
            assert!(wrong.stones().is_err(), "{wrong:?}");
        }
    }
}
