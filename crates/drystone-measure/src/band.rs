//! Where a plane sample sheared, and the band into which the shear gathered. Looks at places before and after alone: no
//! force, no law.

use drystone::{Matrix, Vector};

/// Shear strain about one particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalShear {
    /// Where it belongs \[m\]: the centroid of the particle and its neighbours before.
    pub place: Vector<2>,
    /// Shear strain γ, no unit.
    pub shear: f64,
}

/// Local shear strain about every particle from its own and its neighbours' displacements (Falk, Langer 1998).
///
/// Neighbours are the particles nearer than `reach` \[m\] before. The displacement gradient `G` that fits their relative
/// displacements best, `min Σ ‖Δu − G Δx‖²`, has the shear `γ = √((G_xx − G_yy)² + (G_xy + G_yx)²)`: the difference of its
/// principal strains, free of rotation and volume. It belongs to the centroid of the neighbourhood, which at an edge of the
/// sample lies inside of the particle: taken at the particle, a band would seem to bend there. A particle with fewer than
/// three neighbours has none.
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
        let shear = (g[(0, 0)] - g[(1, 1)]).hypot(g[(0, 1)] + g[(1, 0)]);
        Some(LocalShear { place: before[i] + sum / (neighbours + 1) as f64, shear })
    };
    (0..count).filter_map(about).collect()
}

/// A straight band of shear in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShearBand {
    /// Angle from the x axis \[rad\], in \]−π/2, π/2\].
    pub angle: f64,
    /// A point on its middle line \[m\].
    pub middle: Vector<2>,
    /// Shear on the middle line over shear far from it, no unit: 1 where there is no band.
    pub contrast: f64,
    /// Part of the variance of the shear that the band explains, from 0 to 1.
    pub explained: f64,
}

/// Steps of the angle: half a degree.
const ANGLES: usize = 360;
/// Steps of the offset in a width of the band.
const OFFSETS: f64 = 8.0;

/// The straight ridge of a given width \[m\], to where it has fallen to 0.6 of its height on either side, that explains
/// most of the shear; `None` where the shear is the same everywhere.
///
/// For every angle and offset, `γ ≈ a + b exp(−2 (n·x − d)²/width²)` is fitted by least squares, and the one with `b > 0`
/// that leaves the smallest squares is taken. It takes one band at a time, so that a weaker one that crosses it does
/// not turn its direction, as it would turn a principal axis.
pub fn shear_band(field: &[LocalShear], width: f64) -> Option<ShearBand> {
    let total = field.len();
    let shear: Vec<f64> = field.iter().map(|local| local.shear).collect();
    let centre = field.iter().map(|local| local.place).sum::<Vector<2>>() / total as f64;
    let mean = shear.iter().sum::<f64>() / total as f64;
    let variance: f64 = shear.iter().map(|x| (x - mean).powi(2)).sum();
    let mut best: Option<ShearBand> = None;
    for k in 0..ANGLES {
        let angle = std::f64::consts::PI * ((k + 1) as f64 / ANGLES as f64 - 0.5);
        let normal = Vector::<2>::new(-angle.sin(), angle.cos());
        let across: Vec<f64> = field.iter().map(|local| normal.dot(&local.place)).collect();
        let (low, high) =
            across.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &x| (l.min(x), h.max(x)));
        let steps = ((high - low) / width * OFFSETS).min(1e4) as usize;
        for step in 0..=steps {
            let offset = low + step as f64 * width / OFFSETS;
            let Some([base, height, explained]) = ridge(&across, &shear, [offset, width], [mean, variance])
            else {
                continue;
            };
            if height > 0.0 && best.is_none_or(|known| explained > known.explained) {
                let middle = centre + normal * (offset - normal.dot(&centre));
                let contrast = (base + height) / base;
                best = Some(ShearBand { angle, middle, contrast, explained });
            }
        }
    }
    best
}

/// The least squares of one ridge: its base, its height and the part of the variance it explains.
fn ridge(
    across: &[f64],
    shear: &[f64],
    [offset, width]: [f64; 2],
    [mean, variance]: [f64; 2],
) -> Option<[f64; 3]> {
    let profile = |x: f64| (-2.0 * ((x - offset) / width).powi(2)).exp();
    let (mut sum, mut squares, mut product) = (0.0, 0.0, 0.0);
    for (&x, &shear) in across.iter().zip(shear) {
        let weight = profile(x);
        sum += weight;
        squares += weight * weight;
        product += weight * (shear - mean);
    }
    let spread = squares - sum * sum / across.len() as f64;
    let height = product / spread;
    let explained = product * height / variance;
    let base = mean - height * sum / across.len() as f64;
    explained.is_finite().then_some([base, height, explained])
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

    /// Displaced by slip across bands through the middle, each smooth over 0.3 m, with a homogeneous compression and noise
    /// besides.
    fn slipped(places: &[Vector<2>], bands: &[(f64, f64)]) -> Vec<Vector<2>> {
        let displace = |(index, place): (usize, &Vector<2>)| {
            let mut moved = Vector::<2>::new(0.004 * place[0], -0.01 * place[1]);
            for &(angle, slip) in bands {
                let (sin, cos) = angle.sin_cos();
                let across = (place - Vector::<2>::new(0.95, 1.95)).dot(&Vector::<2>::new(-sin, cos));
                // as a compression along y shears it
                let sense = -angle.signum() * slip;
                moved += Vector::<2>::new(cos, sin) * (sense * (across / 0.15).clamp(-1.0, 1.0));
            }
            let noise = |k: usize| 2e-4 * ((k as f64 * 0.754_877_666).fract() - 0.5);
            place + moved + Vector::<2>::new(noise(2 * index), noise(2 * index + 1))
        };
        places.iter().enumerate().map(displace).collect()
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
    fn a_band_is_found_at_its_angle() {
        let before = places();
        for degrees in [-70.0f64, -50.0, -35.0, 40.0, 47.0, 54.0, 62.0] {
            let after = slipped(&before, &[(degrees.to_radians(), 0.02)]);
            let band = shear_band(&local_shear(&before, &after, 0.45), 0.3).unwrap();
            assert!((band.angle.to_degrees() - degrees).abs() < 3.0, "{degrees}: {band:?}");
            assert!(
                (band.middle - Vector::<2>::new(0.95, 1.95)).norm() < 0.5 && band.contrast > 2.0,
                "{band:?}"
            );
        }
    }

    #[test]
    fn a_weaker_band_that_crosses_does_not_turn_it() {
        let before = places();
        let bands = [(54.0f64.to_radians(), 0.02), (-54.0f64.to_radians(), 0.012)];
        let after = slipped(&before, &bands);
        let band = shear_band(&local_shear(&before, &after, 0.45), 0.3).unwrap();
        assert!((band.angle.to_degrees() - 54.0).abs() < 4.0, "{band:?}");
    }

    #[test]
    fn nothing_is_found_in_nothing() {
        assert_eq!(shear_band(&[], 0.1), None);
        assert_eq!(local_shear(&[Vector::zeros()], &[Vector::zeros()], 1.0), []);
    }
}
