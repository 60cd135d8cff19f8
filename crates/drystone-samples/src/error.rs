//! Why a sample cannot be made: a sentence for each reason, with what was asked, what is possible and what
//! to change.

use thiserror::Error;

/// Why a sample cannot be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SampleError {
    /// A number out of its range.
    #[error("{name} is {found}; {allowed}")]
    Number {
        /// Which number, by the name of its field.
        name: &'static str,
        /// Its value.
        found: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// Not even one grain fits.
    #[error(
        "the region is too small: the largest grain has radius {radius} m, and nowhere is more room than {room} m"
    )]
    RegionTooSmall {
        /// Radius of the largest grain \[m\].
        radius: f64,
        /// Largest distance to the walls that was found \[m\].
        room: f64,
    },
    /// The region is full before all grains are in it.
    #[error(
        "the region is full: {placed} of {wanted} grains found a place, solid fraction {fraction:.4}; {advice}"
    )]
    TooDense {
        /// Grains that have a place.
        placed: usize,
        /// Grains that were asked for.
        wanted: usize,
        /// Solid fraction reached \[-\].
        fraction: f64,
        /// What to change.
        advice: &'static str,
    },
    /// Grains all over a region overlap.
    #[error("grains of a solid fraction of {fraction:.4} do not fit: {why}; {advice}")]
    Overlapping {
        /// Solid fraction that was asked for \[-\].
        fraction: f64,
        /// How they do not.
        why: String,
        /// What to change.
        advice: &'static str,
    },
    /// A table that cannot be used.
    #[error("{0}")]
    Table(String),
    /// Masonry that cannot be laid.
    #[error("{0}")]
    Masonry(String),
}

impl SampleError {
    /// Refuses a number that is not finite and greater than 0.
    pub(crate) fn positive(name: &'static str, found: f64) -> Result<(), Self> {
        let fine = found.is_finite() && found > 0.0;
        if fine { Ok(()) } else { Err(Self::Number { name, found, allowed: "it must be greater than 0" }) }
    }

    /// Refuses a number outside of an interval.
    pub(crate) fn within(
        name: &'static str,
        found: f64,
        [low, high]: [f64; 2],
        allowed: &'static str,
    ) -> Result<(), Self> {
        if found >= low && found <= high { Ok(()) } else { Err(Self::Number { name, found, allowed }) }
    }
}
