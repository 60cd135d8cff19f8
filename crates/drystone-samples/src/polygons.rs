//! Regular polygons with a random number of sides and a random turn. Puts them nowhere: that is the grains'
//! business.

use drystone_math::Vector;
use drystone_math::portable;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::f64::consts::TAU;

/// So many regular polygons in circles of radii `radii` \[m\], each with `fewest` to `most` sides and turned
/// at random; corners about the origin, counter-clockwise \[m\]. Fewer than three sides count as three.
pub fn regular_polygons(radii: &[f64], fewest: usize, most: usize, seed: u64) -> Vec<Vec<Vector<2>>> {
    let mut generator = Pcg64::seed_from_u64(seed);
    let fewest = fewest.max(3);
    let most = most.max(fewest);
    let polygon = |radius: &f64| {
        let sides = generator.random_range(fewest..=most);
        let turn = TAU * generator.random::<f64>();
        let corner = |k: usize| {
            let (sin, cos) = portable::sin_cos(turn + TAU * k as f64 / sides as f64);
            Vector::<2>::new(cos, sin) * *radius
        };
        (0..sides).map(corner).collect()
    };
    radii.iter().map(polygon).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_regular_convex_repeat_and_differ() {
        let polygons = regular_polygons(&[0.25; 200], 3, 8, 5);
        assert_eq!(polygons, regular_polygons(&[0.25; 200], 3, 8, 5));
        for polygon in &polygons {
            let n = polygon.len();
            let area: f64 = (0..n).map(|k| polygon[k].perp(&polygon[(k + 1) % n])).sum::<f64>() * 0.5;
            let expected = 0.5 * n as f64 * 0.0625 * (TAU / n as f64).sin();
            assert!(
                (area - expected).abs() < 1e-12 && polygon.iter().all(|c| (c.norm() - 0.25).abs() < 1e-12)
            );
        }
        for sides in 3..=8 {
            let count = polygons.iter().filter(|polygon| polygon.len() == sides).count();
            assert!((15..=55).contains(&count), "{count} with {sides} sides");
        }
        let turns = polygons.iter().map(|polygon| polygon[0][1].atan2(polygon[0][0]));
        assert!(turns.sum::<f64>().abs() < 0.3 * 200.0);
    }
}
