//! Congruent bodies side by side: for every degree of freedom a number of each, so that matrices and factors
//! are read once for all of them and their numbers share vector instructions. Every body has the bits that it
//! has alone.

pub use drystone_sparse::{ABREAST, ABREAST_FROM, largest_squares_abreast as largest_squares};

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
