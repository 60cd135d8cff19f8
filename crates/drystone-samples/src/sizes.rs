//! Sizes of grains: the usual distributions, drawn one by one. Puts grains nowhere.

mod sieve;

pub use sieve::SieveCurve;

use crate::{Random, SampleError};
use drystone_math::portable;

/// What a share of a distribution counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CountBy {
    /// Grains.
    #[default]
    Number,
    /// Their volume (area in the plane), as a sieve curve does.
    Volume,
}

/// Distribution of the radii of grains \[m\].
#[derive(Clone, Debug, PartialEq)]
pub enum GrainSizes {
    /// All alike.
    Mono {
        /// Radius \[m\].
        radius: f64,
    },
    /// Between two radii, every radius alike by number, or every one with the same volume in all.
    Uniform {
        /// Smallest radius \[m\].
        smallest: f64,
        /// Largest radius \[m\].
        largest: f64,
        /// What is even.
        by: CountBy,
    },
    /// Two radii.
    Two {
        /// The smaller radius \[m\].
        small: f64,
        /// The larger radius \[m\].
        large: f64,
        /// Share of the larger ones, from 0 to 1 \[-\].
        share_of_large: f64,
        /// What the share counts.
        by: CountBy,
    },
    /// Beta distribution by number, stretched to an interval (Voivret, Radjaï et al. 2007 describe granular
    /// size distributions so).
    Beta {
        /// Smallest radius \[m\].
        smallest: f64,
        /// Largest radius \[m\].
        largest: f64,
        /// Parameter that draws radii away from the smallest \[-\].
        a: f64,
        /// Parameter that draws radii away from the largest \[-\].
        b: f64,
    },
    /// Log-normal by number, cut off at both ends.
    LogNormal {
        /// Median of the radii before cutting \[m\].
        median: f64,
        /// Standard deviation of the logarithm of the radius \[-\].
        deviation: f64,
        /// Smallest radius \[m\].
        smallest: f64,
        /// Largest radius \[m\].
        largest: f64,
    },
    /// A curve of what passes through sieves.
    Sieve(SieveCurve),
}

/// Fewest draws that must lie between the limits of a log-normal distribution, of a hundred.
const LEAST_KEPT: f64 = 0.01;

impl GrainSizes {
    /// Refuses numbers that make no distribution.
    pub fn check(&self) -> Result<(), SampleError> {
        let positive = SampleError::positive;
        let ordered = |low: f64, high: f64| {
            positive("smallest", low)?;
            let allowed = "it must be finite and not below the smallest radius";
            SampleError::within("largest", high, [low, f64::MAX], allowed)
        };
        match *self {
            Self::Mono { radius } => positive("radius", radius),
            Self::Uniform { smallest, largest, .. } => ordered(smallest, largest),
            Self::Two { small, large, share_of_large, .. } => {
                positive("small", small)?;
                positive("large", large)?;
                SampleError::within("share_of_large", share_of_large, [0.0, 1.0], "it must be from 0 to 1")
            }
            Self::Beta { smallest, largest, a, b } => {
                ordered(smallest, largest)?;
                let allowed = "it must be from 0.01 to 1e6";
                SampleError::within("a", a, [0.01, 1e6], allowed)?;
                SampleError::within("b", b, [0.01, 1e6], allowed)
            }
            Self::LogNormal { median, deviation, smallest, largest } => {
                positive("median", median)?;
                ordered(smallest, largest)?;
                SampleError::within("deviation", deviation, [0.0, 10.0], "it must be from 0 to 10")?;
                // a share of the draws must lie between the limits, or drawing would have no end
                let mut random = Random::new(0);
                let log = |radius: f64| portable::ln(radius / median);
                let (low, high) = (log(smallest), log(largest));
                let kept =
                    (0..1000).filter(|_| (low..=high).contains(&(deviation * random.normal()))).count();
                match kept as f64 >= 1000.0 * LEAST_KEPT {
                    true => Ok(()),
                    false => Err(SampleError::Number {
                        name: "median",
                        found: median,
                        allowed: "hardly any draw lies between smallest and largest",
                    }),
                }
            }
            Self::Sieve(_) => Ok(()),
        }
    }

    /// Largest radius that can be drawn \[m\].
    pub fn largest(&self) -> f64 {
        match *self {
            Self::Mono { radius } => radius,
            Self::Uniform { largest, .. } | Self::Beta { largest, .. } | Self::LogNormal { largest, .. } => {
                largest
            }
            Self::Two { small, large, .. } => small.max(large),
            Self::Sieve(ref curve) => curve.largest(),
        }
    }

    /// Smallest radius that can be drawn \[m\].
    pub fn smallest(&self) -> f64 {
        match *self {
            Self::Mono { radius } => radius,
            Self::Uniform { smallest, .. }
            | Self::Beta { smallest, .. }
            | Self::LogNormal { smallest, .. } => smallest,
            Self::Two { small, large, .. } => small.min(large),
            Self::Sieve(ref curve) => curve.smallest(),
        }
    }

    /// One radius \[m\] in `D` dimensions, which matter where volumes count. Takes only what `check` let
    /// pass.
    pub fn draw<const D: usize>(&self, random: &mut Random) -> f64 {
        match *self {
            Self::Mono { radius } => radius,
            Self::Uniform { smallest, largest, by: CountBy::Number } => random.between(smallest, largest),
            Self::Uniform { smallest, largest, by: CountBy::Volume } => {
                even_volume::<D>(smallest, largest, random.unit())
            }
            Self::Two { small, large, share_of_large, by } => {
                let share = match by {
                    CountBy::Number => share_of_large,
                    CountBy::Volume => {
                        let ratio = (large / small).powi(D as i32);
                        share_of_large / (share_of_large + (1.0 - share_of_large) * ratio)
                    }
                };
                if random.unit() < share { large } else { small }
            }
            Self::Beta { smallest, largest, a, b } => smallest + (largest - smallest) * random.beta(a, b),
            Self::LogNormal { median, deviation, smallest, largest } => loop {
                let radius = median * portable::exp(deviation * random.normal());
                if (smallest..=largest).contains(&radius) {
                    return radius;
                }
            },
            Self::Sieve(ref curve) => curve.draw::<D>(random),
        }
    }

    /// So many radii \[m\].
    pub fn radii<const D: usize>(&self, count: usize, seed: u64) -> Vec<f64> {
        let mut random = Random::new(seed);
        (0..count).map(|_| self.draw::<D>(&mut random)).collect()
    }

    /// Radii \[m\] until their volume (area in the plane) reaches `volume`; the last one may go beyond it by
    /// no more than half of itself.
    pub fn radii_of_volume<const D: usize>(&self, volume: f64, seed: u64) -> Vec<f64> {
        let mut random = Random::new(seed);
        let mut radii = Vec::new();
        let mut filled = 0.0;
        loop {
            let radius = self.draw::<D>(&mut random);
            let grain = ball_volume::<D>(radius);
            if filled + 0.5 * grain >= volume || volume.is_nan() {
                return radii;
            }
            filled += grain;
            radii.push(radius);
        }
    }
}

/// Volume of a ball, area of a disk.
pub fn ball_volume<const D: usize>(radius: f64) -> f64 {
    let unit = if D == 2 { std::f64::consts::PI } else { 4.0 / 3.0 * std::f64::consts::PI };
    unit * radius.powi(D as i32)
}

/// The radius below which a share `u` of the grains lies, by number, where every radius between two has the
/// same volume in all: the density by number falls with r⁻ᴰ, so that r¹⁻ᴰ is uniform.
fn even_volume<const D: usize>(smallest: f64, largest: f64, u: f64) -> f64 {
    let power = D as i32 - 1;
    let ratio = (smallest / largest).powi(power);
    let inverse = 1.0 - u * (1.0 - ratio);
    let root = if power == 1 { inverse } else { inverse.sqrt() };
    (smallest / root).clamp(smallest, largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<GrainSizes> {
        let (smallest, largest) = (0.5, 2.0);
        vec![
            GrainSizes::Mono { radius: 1.0 },
            GrainSizes::Uniform { smallest, largest, by: CountBy::Number },
            GrainSizes::Uniform { smallest, largest, by: CountBy::Volume },
            GrainSizes::Two { small: 0.5, large: 2.0, share_of_large: 0.3, by: CountBy::Volume },
            GrainSizes::Beta { smallest, largest, a: 2.0, b: 4.0 },
            GrainSizes::LogNormal { median: 1.0, deviation: 0.4, smallest, largest },
            GrainSizes::Sieve(SieveCurve::new(&[[1.0, 0.0], [2.0, 0.4], [4.0, 1.0]]).unwrap()),
        ]
    }

    #[test]
    fn draws_repeat_and_stay_within_their_limits() {
        for sizes in all() {
            sizes.check().unwrap();
            let radii = sizes.radii::<3>(2000, 8);
            assert_eq!(radii, sizes.radii::<3>(2000, 8));
            assert!(radii.iter().all(|r| (sizes.smallest()..=sizes.largest()).contains(r)), "{sizes:?}");
        }
    }

    /// Share of the volume below a radius.
    fn passing<const D: usize>(radii: &[f64], radius: f64) -> f64 {
        let volume = |r: &&f64| ball_volume::<D>(**r);
        let below: f64 = radii.iter().filter(|r| **r <= radius).map(|r| volume(&r)).sum();
        below / radii.iter().map(|r| volume(&r)).sum::<f64>()
    }

    #[test]
    fn shares_by_volume_are_shares_of_the_volume() {
        let even = GrainSizes::Uniform { smallest: 0.5, largest: 2.0, by: CountBy::Volume };
        let two = GrainSizes::Two { small: 0.5, large: 2.0, share_of_large: 0.3, by: CountBy::Volume };
        for radius in [0.8, 1.25, 1.7] {
            let expected = (radius - 0.5) / 1.5;
            assert!((passing::<2>(&even.radii::<2>(40_000, 3), radius) - expected).abs() < 0.02);
            assert!((passing::<3>(&even.radii::<3>(80_000, 3), radius) - expected).abs() < 0.02);
            assert!((passing::<3>(&two.radii::<3>(80_000, 3), radius) - 0.7).abs() < 0.02);
        }
    }

    #[test]
    fn medians_are_where_they_should_be() {
        let median = |sizes: GrainSizes| {
            let mut radii = sizes.radii::<2>(20_001, 2);
            radii.sort_by(f64::total_cmp);
            radii[10_000]
        };
        let log = GrainSizes::LogNormal { median: 1.0, deviation: 0.5, smallest: 0.1, largest: 10.0 };
        assert!((median(log) - 1.0).abs() < 0.02);
        let beta = GrainSizes::Beta { smallest: 1.0, largest: 3.0, a: 2.0, b: 2.0 };
        assert!((median(beta) - 2.0).abs() < 0.02);
    }

    #[test]
    fn radii_fill_a_volume_to_half_a_grain() {
        for sizes in all() {
            let radii = sizes.radii_of_volume::<3>(500.0, 1);
            let volume: f64 = radii.iter().map(|r| ball_volume::<3>(*r)).sum();
            assert!((volume - 500.0).abs() <= 0.5 * ball_volume::<3>(2.0), "{volume}");
        }
    }

    #[test]
    fn what_is_no_distribution_is_refused() {
        let wrong = [
            GrainSizes::Mono { radius: 0.0 },
            GrainSizes::Mono { radius: f64::NAN },
            GrainSizes::Uniform { smallest: 2.0, largest: 1.0, by: CountBy::Number },
            GrainSizes::Two { small: 1.0, large: 2.0, share_of_large: 1.5, by: CountBy::Number },
            GrainSizes::LogNormal { median: 100.0, deviation: 0.1, smallest: 1.0, largest: 2.0 },
        ];
        assert!(wrong.iter().all(|sizes| sizes.check().is_err()));
    }
}
