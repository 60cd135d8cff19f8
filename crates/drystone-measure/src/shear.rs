//! Where a plane sample sheared. Looks at places before and after alone: no force, no law.

use drystone::{Matrix, Vector};

/// Shear strain about one particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalShear {
    /// Where it belongs \[m\]: the centroid of the particle and its neighbours before.
    pub place: Vector<2>,
    /// Shear strain γ, no unit.
    pub shear: f64,
}

/// Local shear strain about every particle from its own and its neighbours' displacements (Falk, Langer
/// 1998).
///
/// Neighbours are the particles nearer than `reach` \[m\] before. The displacement gradient `G` that fits
/// their relative displacements best, `min Σ ‖Δu − G Δx‖²`, has the shear
/// `γ = √((G_xx − G_yy)² + (G_xy + G_yx)²)`: the difference of its principal strains, free of rotation and
/// volume. It belongs to the centroid of the neighbourhood, which at an edge of the sample lies inside of the
/// particle: taken at the particle, a band would seem to bend there. A particle with fewer than three
/// neighbours has none.
pub fn local_shear(before: &[Vector<2>], after: &[Vector<2>], reach: f64) -> Vec<LocalShear> {
    let count = before.len().min(after.len());
    let about = |i: usize| {
        let (mut moved, mut spread) = (Matrix::<2, 2>::zeros(), Matrix::<2, 2>::zeros());
        let (mut sum, mut neighbours) = (Vector::<2>::zeros(), 0);
        for j in (0..count).filter(|&j| j != i) {
            let apart = before[j] - before[i];
            if apart.norm() < reach {
                moved += (after[j] - after[i] - apart) * apart.transpose();
                spread += apart * apart.transpose();
                sum += apart;
                neighbours += 1;
            }
        }
        let g = moved * spread.try_inverse().filter(|_| neighbours >= 3)?;
        let shear = drystone_math::portable::hypot(g[(0, 0)] - g[(1, 1)], g[(0, 1)] + g[(1, 0)]);
        Some(LocalShear { place: before[i] + sum / (neighbours + 1) as f64, shear })
    };
    (0..count).filter_map(about).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Particles on a shaken lattice, 10 by 20 of them.
    fn places() -> Vec<Vector<2>> {
        let shake = |k: usize| (k as f64 * 0.618_033_988_7).fract() - 0.5;
        let place = |k: usize| {
            let (i, j) = ((k % 10) as f64, (k / 10) as f64);
            Vector::<2>::new(0.2 * (i + 0.3 * shake(k)), 0.2 * (j + 0.3 * shake(k + 777)))
        };
        (0..200).map(place).collect()
    }

    #[test]
    fn shear_is_that_of_a_homogeneous_strain() {
        let before = places();
        let g = Matrix::<2, 2>::new(0.01, 0.03, -0.005, -0.02);
        let after: Vec<_> = before.iter().map(|x| x + g * x).collect();
        let expected = (0.03f64).hypot(0.025);
        assert!(local_shear(&before, &after, 0.5).iter().all(|local| (local.shear - expected).abs() < 1e-12));
        // a turn of the whole is no shear, but for its square
        let turned: Vec<_> = before.iter().map(|x| x + Vector::<2>::new(-x[1], x[0]) * 1e-3).collect();
        assert!(local_shear(&before, &turned, 0.5).iter().all(|local| local.shear < 1e-12));
    }

    #[test]
    fn nothing_is_found_in_nothing() {
        assert_eq!(local_shear(&[Vector::zeros()], &[Vector::zeros()], 1.0), []);
    }
}
