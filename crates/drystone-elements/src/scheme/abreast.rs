//! Congruent bodies side by side: for every degree of freedom a number of each, so that matrices and factors
//! are read once for all of them and their numbers share vector instructions. Every body has the bits that it
//! has alone.

pub use drystone_sparse::{ABREAST, ABREAST_FROM};

/// Vectors side by side; places without one are zero, what is too many is left out.
pub fn abreast<'a, const W: usize>(size: usize, of: impl Iterator<Item = &'a [f64]>) -> Vec<[f64; W]> {
    let mut list: [&[f64]; W] = [&[]; W];
    list.iter_mut().zip(of).for_each(|(place, one)| *place = one);
    let mut all = vec![[0.0; W]; size];
    if list.iter().all(|one| one.len() >= size) {
        // every line is written once
        let list = list.map(|one| &one[..size]);
        for (i, all) in all.iter_mut().enumerate() {
            for k in 0..W {
                all[k] = list[k][i];
            }
        }
        return all;
    }
    for (k, one) in list.iter().enumerate() {
        all.iter_mut().zip(*one).for_each(|(all, one)| all[k] = *one);
    }
    all
}

/// All of the vectors that are side by side, put back, as far as somebody takes them.
pub fn apart_all<'a, const W: usize>(all: &[[f64; W]], to: impl Iterator<Item = &'a mut [f64]>) {
    let mut list: [&mut [f64]; W] = std::array::from_fn(|_| &mut [][..]);
    list.iter_mut().zip(to).for_each(|(place, one)| *place = one);
    let size = all.len();
    if list.iter().all(|one| one.len() == size) {
        // every line is read once
        let list = list.map(|one| &mut one[..size]);
        for (i, all) in all.iter().enumerate() {
            for k in 0..W {
                list[k][i] = all[k];
            }
        }
        return;
    }
    list.iter_mut().enumerate().for_each(|(k, one)| apart(all, k, one));
}

/// Largest square of the velocities of nodes of each body.
pub fn largest_squares<const D: usize, const W: usize>(v: &[[f64; W]]) -> [f64; W] {
    let mut most = [0.0; W];
    for node in v.chunks_exact(D) {
        let mut square = [0.0; W];
        for v in node {
            for k in 0..W {
                square[k] += v[k] * v[k];
            }
        }
        for k in 0..W {
            most[k] = if square[k] > most[k] { square[k] } else { most[k] };
        }
    }
    most
}

/// One of the vectors that are side by side, put back.
pub fn apart<const W: usize>(all: &[[f64; W]], k: usize, one: &mut [f64]) {
    one.iter_mut().zip(all).for_each(|(one, all)| *one = all[k]);
}

/// Displacements and velocities of bodies side by side.
#[derive(Clone, Debug, Default)]
pub struct StatesAbreast<const W: usize> {
    /// Displacement of each degree of freedom \[m\].
    pub displacement: Vec<[f64; W]>,
    /// Velocity of each degree of freedom \[m/s\].
    pub velocity: Vec<[f64; W]>,
}

/// What acts on bodies side by side, and what drives their supports.
#[derive(Clone, Debug, Default)]
pub struct ActionsAbreast<const W: usize> {
    /// Force of loads on each degree of freedom \[N\]; `None`: nothing.
    pub load: Option<Vec<[f64; W]>>,
    /// Impulse of contacts on each degree of freedom \[N s\]; `None`: nothing.
    pub impulse: Option<Vec<[f64; W]>>,
    /// Velocities at the end of the step of what is held \[m/s\]; `None`: at rest.
    pub drive: Option<Vec<[f64; W]>>,
}

// What follows has plain loops over the bodies: arrays made by functions are not vectorised.

/// Sums of products of vectors side by side, in order.
pub(super) fn dots<const W: usize>(a: &[[f64; W]], b: &[[f64; W]]) -> [f64; W] {
    let mut sum = [0.0; W];
    for (a, b) in a.iter().zip(b) {
        for k in 0..W {
            sum[k] += a[k] * b[k];
        }
    }
    sum
}

/// The same with one vector for all.
pub(super) fn dots_with<const W: usize>(a: &[f64], b: &[[f64; W]]) -> [f64; W] {
    let mut sum = [0.0; W];
    for (a, b) in a.iter().zip(b) {
        for k in 0..W {
            sum[k] += a * b[k];
        }
    }
    sum
}

/// A vector of what a function gives of two.
#[inline]
pub(super) fn of_both<const W: usize>(
    a: &[[f64; W]],
    b: &[[f64; W]],
    f: impl Fn(f64, f64) -> f64,
) -> Vec<[f64; W]> {
    let mut all = Vec::with_capacity(a.len().min(b.len()));
    for (a, b) in a.iter().zip(b) {
        let mut found = [0.0; W];
        for k in 0..W {
            found[k] = f(a[k], b[k]);
        }
        all.push(found);
    }
    all
}

/// Changes a vector by a function of it and of another.
#[inline]
pub(super) fn change<const W: usize>(a: &mut [[f64; W]], b: &[[f64; W]], f: impl Fn(f64, f64) -> f64) {
    for (a, b) in a.iter_mut().zip(b) {
        for k in 0..W {
            a[k] = f(a[k], b[k]);
        }
    }
}
