//! A value for each degree of freedom of a rigid body: `D` translations, then the turns, one in the plane and
//! three in space. Knows no body.

use crate::Vector;
use nalgebra::Vector3;
use std::fmt;
use std::ops::{Add, AddAssign, Deref, DerefMut, Mul, Neg, Sub, SubAssign};

/// Most degrees of freedom of a rigid body.
const MOST: usize = 6;

/// Degrees of freedom of a rigid body.
pub const fn rigid_dofs(dimension: usize) -> usize {
    dimension * (dimension + 1) / 2
}

/// Of them turns.
pub const fn rigid_turns(dimension: usize) -> usize {
    rigid_dofs(dimension) - dimension
}

/// A value for each degree of freedom of a rigid body, read and written as a slice of them.
///
/// With numbers it is a velocity \[m/s, rad/s\], the diagonal of a mass matrix \[kg, kg m²\] or an impulse
/// \[N s, N m s\].
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PerDof<const D: usize, T = f64>([T; MOST]);

impl<const D: usize, T: Copy> PerDof<D, T> {
    /// The same for all.
    pub fn repeat(value: T) -> Self {
        Self([value; MOST])
    }
}

impl<const D: usize, T: Copy + Default> PerDof<D, T> {
    /// By a function of the degree of freedom.
    pub fn from_fn(mut value: impl FnMut(usize) -> T) -> Self {
        let mut all = Self([T::default(); MOST]);
        (0..rigid_dofs(D)).for_each(|dof| all[dof] = value(dof));
        all
    }

    /// Values that are there already; those that are missing are the default, those too many are left out.
    pub fn from_slice(values: &[T]) -> Self {
        Self::from_fn(|dof| values.get(dof).copied().unwrap_or_default())
    }
}

impl<const D: usize> PerDof<D> {
    /// All zero.
    pub fn zeros() -> Self {
        Self([0.0; MOST])
    }

    /// A translation in world axes and a turn in body axes, in the plane about z.
    pub fn new(linear: Vector<D>, spin: Vector3<f64>) -> Self {
        let mut all = Self::zeros();
        all[..D].copy_from_slice(linear.as_slice());
        all.set_spin(&spin);
        all
    }

    /// The translations.
    pub fn linear(&self) -> Vector<D> {
        linear(self)
    }

    /// The turns as a vector of body axes; about z in the plane.
    pub fn spin(&self) -> Vector3<f64> {
        spin::<D>(self)
    }

    /// Sets the turns.
    pub fn set_spin(&mut self, spin: &Vector3<f64>) {
        let turns = rigid_turns(D);
        self[D..].copy_from_slice(&spin.as_slice()[3 - turns..]);
    }

    /// Component by component.
    pub fn component_mul(&self, other: &[f64]) -> Self {
        Self::from_fn(|dof| self[dof] * other[dof])
    }

    /// Component by component.
    pub fn map(&self, of: impl Fn(f64) -> f64) -> Self {
        Self::from_fn(|dof| of(self[dof]))
    }

    /// Sum of the products.
    pub fn dot(&self, other: &[f64]) -> f64 {
        dot(self, other)
    }

    /// Root of the sum of the squares.
    pub fn norm(&self) -> f64 {
        norm(self)
    }
}

/// The translations of a rigid body.
#[inline]
pub fn linear<const D: usize>(velocity: &[f64]) -> Vector<D> {
    Vector::from_fn(|axis, _| velocity[axis])
}

/// The turns of a rigid body as a vector of body axes; about z in the plane.
#[inline]
pub fn spin<const D: usize>(velocity: &[f64]) -> Vector3<f64> {
    let missing = 3 - rigid_turns(D);
    Vector3::from_fn(|axis, _| if axis < missing { 0.0 } else { velocity[D + axis - missing] })
}

/// Sum of the products of two lists of numbers, in their order.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// Root of the sum of squares.
pub fn norm(values: &[f64]) -> f64 {
    dot(values, values).sqrt()
}

impl<const D: usize, T> Deref for PerDof<D, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0[..rigid_dofs(D)]
    }
}

impl<const D: usize, T> DerefMut for PerDof<D, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0[..rigid_dofs(D)]
    }
}

impl<const D: usize, T> AsRef<[T]> for PerDof<D, T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<const D: usize, T: PartialEq> PartialEq for PerDof<D, T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<const D: usize, T: Copy + Default> Default for PerDof<D, T> {
    fn default() -> Self {
        Self([T::default(); MOST])
    }
}

impl<const D: usize, T: fmt::Debug> fmt::Debug for PerDof<D, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<const D: usize> fmt::Display for PerDof<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<const D: usize> From<PerDof<D>> for Vec<f64> {
    fn from(all: PerDof<D>) -> Self {
        all.to_vec()
    }
}

impl<const D: usize> From<&[f64]> for PerDof<D> {
    fn from(values: &[f64]) -> Self {
        Self::from_slice(values)
    }
}

/// In the plane.
impl<T: Copy + Default> From<[T; 3]> for PerDof<2, T> {
    fn from(values: [T; 3]) -> Self {
        Self::from_slice(&values)
    }
}

/// In space.
impl<T: Copy + Default> From<[T; 6]> for PerDof<3, T> {
    fn from(values: [T; 6]) -> Self {
        Self::from_slice(&values)
    }
}

impl From<Vector<3>> for PerDof<2> {
    fn from(values: Vector<3>) -> Self {
        Self::from_slice(values.as_slice())
    }
}

impl From<Vector<6>> for PerDof<3> {
    fn from(values: Vector<6>) -> Self {
        Self::from_slice(values.as_slice())
    }
}

/// Two of them, by value or not.
macro_rules! componentwise {
    ($trait:ident, $function:ident, $operator:tt) => {
        impl<const D: usize, B: AsRef<[f64]>> $trait<B> for PerDof<D> {
            type Output = Self;
            fn $function(self, other: B) -> Self {
                Self::from_fn(|dof| self[dof] $operator other.as_ref()[dof])
            }
        }

        impl<const D: usize, B: AsRef<[f64]>> $trait<B> for &PerDof<D> {
            type Output = PerDof<D>;
            fn $function(self, other: B) -> PerDof<D> {
                PerDof::from_fn(|dof| self[dof] $operator other.as_ref()[dof])
            }
        }
    };
}

componentwise!(Add, add, +);
componentwise!(Sub, sub, -);

impl<const D: usize> Mul<f64> for PerDof<D> {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        self.map(|x| x * factor)
    }
}

impl<const D: usize> Mul<f64> for &PerDof<D> {
    type Output = PerDof<D>;
    fn mul(self, factor: f64) -> PerDof<D> {
        self.map(|x| x * factor)
    }
}

impl<const D: usize> Neg for PerDof<D> {
    type Output = Self;
    fn neg(self) -> Self {
        self.map(|x| -x)
    }
}

impl<const D: usize, B: AsRef<[f64]>> AddAssign<B> for PerDof<D> {
    fn add_assign(&mut self, other: B) {
        *self = *self + other;
    }
}

impl<const D: usize, B: AsRef<[f64]>> SubAssign<B> for PerDof<D> {
    fn sub_assign(&mut self, other: B) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plane_turns_about_z_and_space_about_all_axes() {
        let flat = PerDof::<2>::new(Vector::<2>::new(1.0, 2.0), Vector3::new(7.0, 8.0, 3.0));
        assert_eq!(*flat, [1.0, 2.0, 3.0]);
        assert_eq!(spin::<2>(&flat), Vector3::new(0.0, 0.0, 3.0));
        let space = PerDof::<3>::from([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(
            (linear::<3>(&space), spin::<3>(&space)),
            (Vector::<3>::new(1.0, 2.0, 3.0), Vector3::new(4.0, 5.0, 6.0))
        );
        assert_eq!(*(space + space - space * 2.0), [0.0; 6]);
        assert_eq!(flat.dot(&flat), 14.0);
    }
}
