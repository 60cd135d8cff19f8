//! Grains: radii drawn at random and places that do not overlap.

use drystone_math::Vector;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A round grain, or the circle around one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain<const D: usize> {
    /// Radius \[m\].
    pub radius: f64,
    /// Centre \[m\].
    pub position: Vector<D>,
}

/// So many radii, uniform between `smallest` and `largest` \[m\].
pub fn radii(count: usize, smallest: f64, largest: f64, seed: u64) -> Vec<f64> {
    let mut generator = Pcg64::seed_from_u64(seed);
    (0..count).map(|_| smallest + (largest - smallest) * generator.random::<f64>()).collect()
}

/// Grains on a grid of cells as wide as the largest of them, row upon row, `columns` along every horizontal
/// axis.
///
/// The lowest corner of the grid sits at `corner`. Every grain is shaken inside its cell, so that a column of
/// them does not stand on a knife's edge.
pub fn grid_of_grains<const D: usize>(
    radii: &[f64],
    columns: usize,
    corner: Vector<D>,
    seed: u64,
) -> Vec<Grain<D>> {
    let mut generator = Pcg64::seed_from_u64(seed);
    let cell = 2.0 * radii.iter().copied().fold(0.0, f64::max);
    let columns = columns.max(1);
    let place = |(index, &radius): (usize, &f64)| {
        let mut rest = index;
        let position = Vector::from_fn(|axis, _| {
            // the last axis points up and takes what the horizontal ones leave
            let along = if axis + 1 == D { rest } else { rest % columns };
            rest /= columns;
            let slack = 0.5 * cell - radius;
            let shake = slack * (2.0 * generator.random::<f64>() - 1.0);
            corner[axis] + cell * (along as f64 + 0.5) + shake
        });
        Grain { radius, position }
    };
    radii.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grains_do_not_overlap_and_repeat() {
        let sizes = radii(60, 0.5, 1.0, 7);
        assert!(sizes.iter().all(|r| (0.5..=1.0).contains(r)));
        let grains = grid_of_grains::<3>(&sizes, 4, Vector::zeros(), 3);
        assert_eq!(grains, grid_of_grains::<3>(&sizes, 4, Vector::zeros(), 3));
        for (i, a) in grains.iter().enumerate() {
            assert!((a.position - Vector::repeat(a.radius)).min() >= 0.0);
            for b in &grains[..i] {
                assert!((a.position - b.position).norm() >= a.radius + b.radius);
            }
        }
    }
}
