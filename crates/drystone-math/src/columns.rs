//! What one body is to the rows of a contact: a column of `D` numbers for each of its degrees of freedom,
//! however many there are. Knows neither bodies nor contacts.

use crate::{Matrix, Vector};
use std::ops::{Deref, DerefMut, Neg, Range};

/// So many columns are held in place; those of bodies with more degrees of freedom lie on the heap.
const IN_PLACE: usize = 6;

/// A `D × n` matrix as its columns, n known at run time.
#[derive(Clone, Debug)]
pub struct Columns<const D: usize>(Held<D>);

#[derive(Clone, Debug)]
enum Held<const D: usize> {
    Few(u8, [[f64; D]; IN_PLACE]),
    Many(Vec<[f64; D]>),
}

impl<const D: usize> Columns<D> {
    /// So many columns of zeros.
    pub fn zeros(count: usize) -> Self {
        match count <= IN_PLACE {
            true => Self(Held::Few(count as u8, [[0.0; D]; IN_PLACE])),
            false => Self(Held::Many(vec![[0.0; D]; count])),
        }
    }

    /// Columns that are there already.
    pub fn from_slice(columns: &[[f64; D]]) -> Self {
        let mut own = Self::zeros(columns.len());
        own.copy_from_slice(columns);
        own
    }

    /// The product with a vector of as many numbers as there are columns, summed column after column.
    #[inline]
    pub fn times(&self, v: &[f64]) -> Vector<D> {
        times(self, v)
    }

    /// The product of the transpose with a vector, number by number.
    pub fn transposed_times<'a>(&'a self, x: &'a Vector<D>) -> impl Iterator<Item = f64> + 'a {
        self.iter().map(move |column| dot(column, x))
    }
}

impl<const D: usize> Deref for Columns<D> {
    type Target = [[f64; D]];

    #[inline]
    fn deref(&self) -> &[[f64; D]] {
        match &self.0 {
            Held::Few(count, columns) => &columns[..*count as usize],
            Held::Many(columns) => columns,
        }
    }
}

impl<const D: usize> DerefMut for Columns<D> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [[f64; D]] {
        match &mut self.0 {
            Held::Few(count, columns) => &mut columns[..*count as usize],
            Held::Many(columns) => columns,
        }
    }
}

impl<const D: usize, const N: usize> From<Matrix<D, N>> for Columns<D> {
    fn from(matrix: Matrix<D, N>) -> Self {
        Self::from_slice(&matrix.data.0)
    }
}

impl<const D: usize> Neg for Columns<D> {
    type Output = Self;

    fn neg(mut self) -> Self {
        self.iter_mut().flatten().for_each(|x| *x = -*x);
        self
    }
}

impl<const D: usize> PartialEq for Columns<D> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// `Σ_k columns_k v_k`, in this order: the bits of a matrix of constant size times a vector.
#[inline]
pub fn times<const D: usize>(columns: &[[f64; D]], v: &[f64]) -> Vector<D> {
    // rigid bodies in the plane and in space: loops of constant length
    if let (Ok(columns), Ok(v)) = (<&[_; 3]>::try_from(columns), <&[_; 3]>::try_from(v)) {
        return fixed::<D, 3>(columns, v);
    }
    if let (Ok(columns), Ok(v)) = (<&[_; 6]>::try_from(columns), <&[_; 6]>::try_from(v)) {
        return fixed::<D, 6>(columns, v);
    }
    sum(columns.iter().zip(v))
}

/// The same where all columns are zero but the first ones and those of a range behind them.
#[inline]
pub fn times_filled<const D: usize>(
    columns: &[[f64; D]],
    v: &[f64],
    first: usize,
    then: Range<usize>,
) -> Vector<D> {
    let mut sum = times(&columns[..first], &v[..first]);
    for (column, v) in columns[then.clone()].iter().zip(&v[then]) {
        for i in 0..D {
            sum[i] += column[i] * v;
        }
    }
    sum
}

/// The same for a number of columns that the compiler knows.
#[inline(always)]
pub fn fixed<const D: usize, const N: usize>(columns: &[[f64; D]; N], v: &[f64; N]) -> Vector<D> {
    sum(columns.iter().zip(v))
}

#[inline(always)]
fn sum<'a, const D: usize>(mut terms: impl Iterator<Item = (&'a [f64; D], &'a f64)>) -> Vector<D> {
    let Some((first, v)) = terms.next() else { return Vector::zeros() };
    let mut sum: [f64; D] = std::array::from_fn(|i| first[i] * v);
    for (column, v) in terms {
        for i in 0..D {
            sum[i] += column[i] * v;
        }
    }
    Vector::from(sum)
}

/// The product of a column with a vector, in the order of its numbers.
#[inline]
pub fn dot<const D: usize>(column: &[f64; D], x: &Vector<D>) -> f64 {
    let mut sum = column[0] * x[0];
    for i in 1..D {
        sum += column[i] * x[i];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same bits as matrices of constant size, in place and on the heap.
    fn check<const D: usize, const N: usize>() {
        let number = |k: usize| ((k * 7919 % 1013) as f64 / 1013.0) - 0.5;
        let matrix = Matrix::<D, N>::from_fn(|i, j| number(i * 17 + j));
        let (v, x) = (Vector::<N>::from_fn(|k, _| number(k + 5)), Vector::<D>::from_fn(|k, _| number(k + 9)));
        let columns = Columns::from(matrix);
        assert_eq!((columns.len(), Columns::from_slice(&columns)), (N, columns.clone()));
        assert_eq!(columns.times(v.as_slice()), matrix * v);
        let up = matrix.tr_mul(&x);
        assert!(columns.transposed_times(&x).eq(up.iter().copied()));
        assert_eq!(-columns, Columns::from(-matrix));
    }

    #[test]
    fn columns_give_the_bits_of_matrices() {
        check::<2, 3>();
        check::<3, 6>();
        check::<3, 4>();
        check::<3, 10>();
        assert_eq!(Columns::<3>::zeros(0).times(&[]), Vector::<3>::zeros());
    }

    #[test]
    fn columns_of_zeros_may_be_left_out() {
        let number = |k: usize| ((k * 7919 % 1013) as f64 / 1013.0) - 0.5;
        let mut columns = Columns::<3>::zeros(12);
        for k in [0, 1, 2, 6, 7, 8] {
            columns[k] = std::array::from_fn(|i| number(3 * k + i));
        }
        let v: Vec<f64> = (0..12).map(number).collect();
        assert_eq!(times_filled(&columns, &v, 3, 6..9), columns.times(&v));
        assert_eq!(times_filled(&columns, &v, 3, 3..12), columns.times(&v));
    }
}
