//! Numbers along the axes, of either dimension. Computes nothing.

use crate::{ChangeError, Vector};
use std::fmt;
use std::ops::Deref;

/// One to three numbers along the axes of the world: a place, a velocity, a force. Behaves as a slice.
#[derive(Clone, Copy, PartialEq)]
pub struct Coordinates {
    values: [f64; 3],
    count: usize,
}

impl Coordinates {
    /// The same as a vector, if it has as many components.
    pub(crate) fn vector<const D: usize>(&self, what: &str) -> Result<Vector<D>, ChangeError> {
        if self.count != D {
            let (what, found) = (what.into(), self.count);
            return Err(ChangeError::Dimension { what, found, dimension: D });
        }
        if let Some(&value) = self.iter().find(|x| !x.is_finite()) {
            return Err(ChangeError::Number { what: what.into(), value, allowed: "finite numbers" });
        }
        Ok(Vector::from_fn(|row, _| self.values[row]))
    }

    /// The first three of the numbers.
    pub(crate) fn from_slice(numbers: &[f64]) -> Self {
        let count = numbers.len().min(3);
        let mut values = [0.0; 3];
        values[..count].copy_from_slice(&numbers[..count]);
        Self { values, count }
    }
}

impl Deref for Coordinates {
    type Target = [f64];
    fn deref(&self) -> &[f64] {
        &self.values[..self.count]
    }
}

impl fmt::Debug for Coordinates {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(out)
    }
}

impl From<f64> for Coordinates {
    fn from(value: f64) -> Self {
        Self::from_slice(&[value])
    }
}

impl From<[f64; 2]> for Coordinates {
    fn from(values: [f64; 2]) -> Self {
        Self::from_slice(&values)
    }
}

impl From<[f64; 3]> for Coordinates {
    fn from(values: [f64; 3]) -> Self {
        Self::from_slice(&values)
    }
}

impl<const D: usize> From<Vector<D>> for Coordinates {
    fn from(vector: Vector<D>) -> Self {
        Self::from_slice(vector.as_slice())
    }
}
