//! All generalised velocities in one vector, body after body: how many belong to a body is data, not a type.

use std::ops::{Index, IndexMut, Range};
use std::sync::Arc;

/// A number for every degree of freedom of every body: velocities, or what goes with them. Indexed by body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Velocities {
    values: Vec<f64>,
    /// Where those of each body begin, and behind them where the last ones end. Shared by all vectors of the
    /// same bodies.
    starts: Arc<Vec<u32>>,
}

impl Velocities {
    /// Of no bodies yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a body.
    pub fn push(&mut self, values: &[f64]) {
        let starts = Arc::make_mut(&mut self.starts);
        if starts.is_empty() {
            starts.push(0);
        }
        self.values.extend_from_slice(values);
        starts.push(self.values.len() as u32);
    }

    /// Other numbers for the same degrees of freedom; those that are missing are zero.
    pub fn like(&self, mut values: Vec<f64>) -> Self {
        values.resize(self.values.len(), 0.0);
        Self { values, starts: Arc::clone(&self.starts) }
    }

    /// Removes the bodies that are not kept, one answer for each; those behind them move up in their order.
    pub fn retain(&mut self, kept: &[bool]) {
        let bodies = self.iter().zip(kept).filter(|(_, kept)| **kept).map(|(body, _)| body);
        *self = bodies.collect();
    }

    /// Whether the bodies of another vector have as many degrees of freedom each.
    pub fn is_like(&self, other: &Self) -> bool {
        self.starts == other.starts
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where those of a body lie among all.
    #[inline]
    pub fn dofs(&self, body: usize) -> Range<usize> {
        self.starts[body] as usize..self.starts[body + 1] as usize
    }

    /// Those of a body, if there is such a body.
    pub fn get(&self, body: usize) -> Option<&[f64]> {
        (body < self.len()).then(|| &self[body])
    }

    /// Those of all bodies, one after the other.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        (0..self.len()).map(|body| &self[body])
    }

    /// All numbers.
    pub fn flat(&self) -> &[f64] {
        &self.values
    }

    /// All numbers, to be changed.
    pub fn flat_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }
}

impl Index<usize> for Velocities {
    type Output = [f64];

    #[inline]
    fn index(&self, body: usize) -> &[f64] {
        &self.values[self.dofs(body)]
    }
}

impl IndexMut<usize> for Velocities {
    #[inline]
    fn index_mut(&mut self, body: usize) -> &mut [f64] {
        let dofs = self.dofs(body);
        &mut self.values[dofs]
    }
}

impl<B: AsRef<[f64]>> FromIterator<B> for Velocities {
    fn from_iter<I: IntoIterator<Item = B>>(bodies: I) -> Self {
        let mut all = Self::new();
        bodies.into_iter().for_each(|body| all.push(body.as_ref()));
        all
    }
}

/// A list for each body.
#[cfg(feature = "serde")]
impl serde::Serialize for Velocities {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Velocities {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Vec<f64>>::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_of_any_size_lie_one_after_the_other() {
        let sizes = [3, 0, 10, 6];
        let mut v: Velocities = sizes.iter().map(|&size| vec![size as f64; size]).collect();
        assert_eq!((v.len(), v.flat().len()), (4, 19));
        assert!(v.iter().zip(sizes).all(|(v, size)| v.len() == size && v.iter().all(|&x| x == size as f64)));
        assert_eq!((v.dofs(2), v.get(4)), (3..13, None));
        let zero = v.like(Vec::new());
        assert_eq!((zero.len(), &zero[2]), (4, &[0.0; 10][..]));
        let mut fewer = v.clone();
        fewer.retain(&[true, false, false, true]);
        assert_eq!((fewer.len(), fewer.dofs(1), fewer[1][0]), (2, 3..9, 6.0));
        assert!(zero.is_like(&v) && !zero.is_like(&[[0.0; 19]].into_iter().collect()));
        v[2][9] = 1.0;
        v.push(&[5.0]);
        assert_eq!((v.flat()[12], v.len(), zero.len()), (1.0, 5, 4));
    }
}
