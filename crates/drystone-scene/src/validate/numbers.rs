//! Ranges of numbers and lengths of vectors. Knows no key of the scene.

use crate::place::{Place, Problems};

/// No length, mass or time of ours is larger, nor, where it must be positive, smaller than its inverse:
/// products of five such numbers neither overflow nor vanish.
const LARGEST: f64 = 1e30;

/// What a number may be.
#[derive(Clone, Copy)]
pub(crate) enum Range {
    /// Any finite number.
    Any,
    /// Greater than 0.
    Positive,
    /// 0 or greater.
    NotNegative,
    /// From the first to the second, both included.
    Within(f64, f64),
    /// Between the first and the second, neither included.
    Between(f64, f64),
}

impl Range {
    fn holds(self, x: f64) -> bool {
        let moderate = x.abs() <= LARGEST;
        moderate
            && match self {
                Self::Any => true,
                Self::Positive => x >= 1.0 / LARGEST,
                Self::NotNegative => x >= 0.0,
                Self::Within(low, high) => low <= x && x <= high,
                Self::Between(low, high) => low < x && x < high,
            }
    }

    fn words(self, x: f64) -> String {
        match self {
            _ if !x.is_finite() => "a finite number".into(),
            Self::Any => "a number of at most 1e30 in size".into(),
            Self::Positive if x > 0.0 => "from 1e-30 to 1e30".into(),
            Self::Positive => "greater than 0".into(),
            Self::NotNegative if x > 0.0 => "at most 1e30".into(),
            Self::NotNegative => "0 or greater".into(),
            Self::Within(low, high) => format!("from {} to {}", show(low), show(high)),
            Self::Between(low, high) => {
                format!("greater than {} and less than {}", show(low), show(high))
            }
        }
    }
}

/// A number for people: plain while it is short, with an exponent otherwise.
pub(crate) fn show(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 || (1e-4..1e7).contains(&size) || !x.is_finite() {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// Checks a number; tells whether it is fine.
pub(crate) fn number(problems: &mut Problems, place: &Place, x: f64, range: Range) -> bool {
    let fine = range.holds(x);
    if !fine {
        problems.of(place, format!("must be {}, found {}", range.words(x), show(x)));
    }
    fine
}

/// Checks a number that may be absent.
pub(crate) fn optional(problems: &mut Problems, place: &Place, x: Option<f64>, range: Range) {
    if let Some(x) = x {
        number(problems, place, x, range);
    }
}

/// Checks the length of a vector and each of its numbers; tells whether all is fine.
pub(crate) fn vector(
    problems: &mut Problems,
    place: &Place,
    xs: &[f64],
    length: usize,
    range: Range,
) -> bool {
    if xs.len() != length {
        problems.of(place, format!("must have {length} numbers, found {}", xs.len()));
        return false;
    }
    let mut fine = true;
    for (index, &x) in xs.iter().enumerate() {
        fine &= number(problems, &place.item(index), x, range);
    }
    fine
}
