//! Distributions of sizes, as the scene has them.

use super::{Maker, noted};
use crate::place::{Place, Problems};
use crate::spec::{CountBySpec, LengthUnit, SizesSpec};
use drystone_samples::{CountBy, GrainSizes, SampleError, SieveCurve};

/// The sizes that a sample asks for.
pub(super) fn sizes(
    maker: &Maker,
    spec: &SizesSpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<GrainSizes> {
    let by = |by: CountBySpec| match by {
        CountBySpec::Number => CountBy::Number,
        CountBySpec::Volume => CountBy::Volume,
    };
    let (kind, sizes) = match *spec {
        SizesSpec::Mono { radius } => ("mono", GrainSizes::Mono { radius }),
        SizesSpec::Uniform { smallest, largest, by: even } => {
            ("uniform", GrainSizes::Uniform { smallest, largest, by: by(even) })
        }
        SizesSpec::Two { small, large, share_of_large, by: share } => {
            ("two", GrainSizes::Two { small, large, share_of_large, by: by(share) })
        }
        SizesSpec::Beta { smallest, largest, a, b } => ("beta", GrainSizes::Beta { smallest, largest, a, b }),
        SizesSpec::LogNormal { median, deviation, smallest, largest } => {
            ("log_normal", GrainSizes::LogNormal { median, deviation, smallest, largest })
        }
        SizesSpec::Sieve { ref file, unit, ref points } => {
            let place = place.key("sieve");
            let curve = match (file, points) {
                (Some(file), None) => {
                    let text = maker.text(file, &place.key("file"), problems)?;
                    SieveCurve::parse(&text, unit.map_or(1e-3, LengthUnit::metres))
                }
                (None, Some(points)) => {
                    let pairs: Option<Vec<[f64; 2]>> =
                        points.iter().map(|pair| pair.as_slice().try_into().ok()).collect();
                    match pairs {
                        Some(pairs) => SieveCurve::new(&pairs),
                        None => Err(SampleError::Table("points must be pairs of two numbers".to_owned())),
                    }
                }
                _ => Err(SampleError::Table("needs a file or points, one of the two".to_owned())),
            };
            return noted(curve, &place, problems).map(GrainSizes::Sieve);
        }
    };
    noted(sizes.check(), &place.key(kind), problems)?;
    Some(sizes)
}
