//! Along which directions shear is alike: the angle of shear bands in samples too small for one lasting band.
//! Looks at fields of shear alone, as [`local_shear`](crate::local_shear) gives them.

use crate::LocalShear;
use drystone_math::portable;

/// Bins of the direction: a degree each, from the x axis to the y axis.
const BINS: usize = 90;
/// Over how many degrees directions are smoothed.
const SMOOTH: f64 = 4.0;

/// Correlation of shear between places, by the direction from one to the other (as of plastic events in
/// Maloney and Robbins 2009, and of sheared grains in Le Bouil, Amon, McNamara and Crassous 2014).
///
/// `C(θ) = ⟨δγ(x) δγ(x + r)⟩/⟨δγ²⟩` over all pairs of places that are between two distances apart, where `δγ`
/// is the deviation from the shear about, a mean with weights `exp(−½ d²/from²)` of the distance `d`: a part
/// of the sample that moves while another is at rest, as wide as the sample, is no band. Along a band the
/// shear is alike, across it is not, so that `C` is largest in the direction of bands. A mean over pairs
/// favours no direction, whatever the outline of the sample, and fields of many moments and samples may be
/// added up. Directions that mirror each other about the axes count as one: the two conjugate bands of a
/// compression along an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct ShearDirections {
    from: f64,
    to: f64,
    products: [f64; BINS],
    pairs: [f64; BINS],
}

impl ShearDirections {
    /// Over pairs between these distances \[m\]: the nearer beyond twice the reach of the neighbourhoods, so
    /// that two places share no neighbour, the farther not beyond the sample.
    pub fn between(from: f64, to: f64) -> Self {
        Self { from, to, products: [0.0; BINS], pairs: [0.0; BINS] }
    }

    /// Adds a field; each counts the same, however much it sheared. One that is the same everywhere adds
    /// nothing.
    pub fn add(&mut self, field: &[LocalShear]) {
        let deviations = self.deviations(field);
        let count = field.len() as f64;
        let variance = deviations.iter().map(|x| x * x).sum::<f64>() / count;
        let square = field.iter().map(|local| local.shear * local.shear).sum::<f64>() / count;
        // what rounding leaves is no deviation
        if !(variance > 1e-24 * square && variance.is_finite()) {
            return;
        }
        for (index, a) in field.iter().enumerate() {
            for (before, b) in field[..index].iter().enumerate() {
                let apart = a.place - b.place;
                if (self.from..self.to).contains(&apart.norm()) {
                    let degrees = portable::atan2(apart[1].abs(), apart[0].abs()).to_degrees();
                    let bin = (degrees as usize).min(BINS - 1);
                    self.products[bin] += deviations[index] * deviations[before] / variance;
                    self.pairs[bin] += 1.0;
                }
            }
        }
    }

    /// Deviations from the shear about, without their mean.
    fn deviations(&self, field: &[LocalShear]) -> Vec<f64> {
        let about = |here: &LocalShear| {
            let (mut sum, mut weights) = (0.0, 0.0);
            for local in field {
                let far = (local.place - here.place).norm() / self.from;
                let weight = portable::exp(-0.5 * far.powi(2));
                sum += weight * local.shear;
                weights += weight;
            }
            sum / weights
        };
        let mut deviations: Vec<f64> = field.iter().map(|local| local.shear - about(local)).collect();
        let mean = deviations.iter().sum::<f64>() / field.len() as f64;
        deviations.iter_mut().for_each(|deviation| *deviation -= mean);
        deviations
    }

    /// Adds all that another has gathered over the same distances.
    pub fn join(&mut self, other: &Self) {
        for bin in 0..BINS {
            self.products[bin] += other.products[bin];
            self.pairs[bin] += other.pairs[bin];
        }
    }

    /// Direction from the x axis \[rad\], and the correlation along it, every half degree; none where there
    /// is no pair.
    pub fn curve(&self) -> Vec<[f64; 2]> {
        let at = |step: usize| {
            let degrees = 0.5 * step as f64;
            let (mut products, mut pairs) = (0.0, 0.0);
            for bin in 0..BINS {
                let centre = bin as f64 + 0.5;
                // mirrored at both axes
                for image in [centre, -centre, 180.0 - centre] {
                    let weight = portable::exp(-0.5 * ((image - degrees) / SMOOTH).powi(2));
                    products += weight * self.products[bin];
                    pairs += weight * self.pairs[bin];
                }
            }
            [degrees.to_radians(), products / pairs]
        };
        (0..=2 * BINS).map(at).filter(|point| point[1].is_finite()).collect()
    }

    /// The direction of the largest correlation \[rad\], from 0 to π/2.
    pub fn angle(&self) -> Option<f64> {
        self.curve().into_iter().max_by(|a, b| a[1].total_cmp(&b[1])).map(|point| point[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone::Vector;

    /// Noise on a sample of 10 by 20 places, 0.2 m apart; with a band at an angle through a point, where
    /// asked.
    fn field(seed: u64, band: Option<(f64, f64)>) -> Vec<LocalShear> {
        // splitmix64 (Steele, Lea and Flood 2014), from -1/2 to 1/2
        let shake = |k: u64| {
            let mut z = (k + 1000 * seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ z >> 31) as f64 / u64::MAX as f64 - 0.5
        };
        let local = |k: u64| {
            let (i, j) = ((k % 10) as f64, (k / 10) as f64);
            let place = Vector::<2>::new(0.2 * (i + 0.5 * shake(k)), 0.2 * (j + 0.5 * shake(k + 777)));
            let shear = band.map_or(0.0, |(angle, height)| {
                let across = (place[1] - height) * angle.cos() - (place[0] - 0.95) * angle.sin();
                (-2.0 * (across / 0.3).powi(2)).exp()
            });
            LocalShear { place, shear: 0.02 + 0.01 * shear + 0.01 * shake(k + 333) }
        };
        (0..200).map(local).collect()
    }

    #[test]
    fn weak_bands_that_come_and_go_add_up_to_their_angle() {
        for degrees in [35.0f64, 42.0, 48.0, 55.0] {
            let mut all = ShearDirections::between(1.0, 2.0);
            for k in 0..24_u64 {
                // anywhere, and now this way, now that
                let angle = if k % 2 == 0 { degrees } else { -degrees }.to_radians();
                let mut one = ShearDirections::between(1.0, 2.0);
                one.add(&field(k, Some((angle, 0.6 + 0.12 * k as f64))));
                all.join(&one);
            }
            let found = all.angle().unwrap().to_degrees();
            assert!((found - degrees).abs() < 2.0, "{found} instead of {degrees}");
        }
    }

    #[test]
    fn the_outline_of_the_sample_makes_no_direction() {
        let mut all = ShearDirections::between(1.0, 2.0);
        for seed in 0..24 {
            all.add(&field(seed, None));
        }
        let curve = all.curve();
        assert!(curve.iter().all(|point| point[1].abs() < 0.04), "{curve:?}");
    }

    #[test]
    fn nothing_is_found_in_nothing() {
        let mut none = ShearDirections::between(1.0, 2.0);
        none.add(&[]);
        none.add(&[LocalShear { place: Vector::zeros(), shear: 0.1 }; 5]);
        assert_eq!(none.angle(), None);
    }
}
