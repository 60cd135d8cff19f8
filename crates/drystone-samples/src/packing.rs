//! Dense irregular packings of disks in a rectangle, by geometry alone. Knows no force and no friction: what
//! holds the disks together is up to the simulation.

use crate::Grain;
use drystone_math::Vector;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Part of a disk's overlaps it goes in one round, and what is left of its last way.
const PACE: f64 = 0.15;
const MOMENTUM: f64 = 0.9;
/// Rounds: enough for overlaps to spread evenly.
const ROUNDS: usize = 2000;
/// Share of the rectangle that the disks fill: a little below where disks of many sizes jam (0.84), so that
/// overlaps vanish.
const FILL: f64 = 0.81;

/// Disks of the given radii \[m\] packed into a rectangle `aspect` times as high as wide, its lower left
/// corner at the origin; with them its width and height \[m\].
///
/// Dropped at random into the rectangle, the disks push each other away in proportion to their overlaps until
/// hardly any are left; then all distances grow by the same factor until there is none.
pub fn packed_disks(radii: &[f64], aspect: f64, seed: u64) -> (Vec<Grain<2>>, [f64; 2]) {
    let mut generator = Pcg64::seed_from_u64(seed);
    let area: f64 = radii.iter().map(|radius| std::f64::consts::PI * radius * radius).sum();
    let width = (area / (FILL * aspect)).sqrt();
    let size = [width, aspect * width];
    let mut places: Vec<Vector<2>> =
        radii.iter().map(|_| Vector::from_fn(|axis, _| size[axis] * generator.random::<f64>())).collect();
    let mut ways = vec![Vector::<2>::zeros(); radii.len()];
    for _ in 0..ROUNDS {
        let pushes = pushes(radii, &places, size);
        for ((place, way), push) in places.iter_mut().zip(&mut ways).zip(&pushes) {
            *way = *way * MOMENTUM + push * PACE;
            *place += *way;
        }
    }
    let factor = growth(radii, &places, size);
    let grain = |(place, &radius): (&Vector<2>, &f64)| Grain { radius, position: place * factor };
    (places.iter().zip(radii).map(grain).collect(), size.map(|length| length * factor))
}

/// The overlaps of every disk with others and with the sides, as vectors out of them.
fn pushes(radii: &[f64], places: &[Vector<2>], size: [f64; 2]) -> Vec<Vector<2>> {
    let mut pushes = vec![Vector::<2>::zeros(); radii.len()];
    for i in 0..radii.len() {
        for axis in 0..2 {
            let (low, high) = (radii[i] - places[i][axis], places[i][axis] + radii[i] - size[axis]);
            pushes[i][axis] += low.max(0.0) - high.max(0.0);
        }
        for j in 0..i {
            let apart = places[i] - places[j];
            let reach = radii[i] + radii[j];
            let square = apart.norm_squared();
            if square < reach * reach && square > 0.0 {
                let distance = square.sqrt();
                let push = apart * ((reach - distance) / distance);
                pushes[i] += push;
                pushes[j] -= push;
            }
        }
    }
    pushes
}

/// By how much distances must grow for no overlap to be left.
fn growth(radii: &[f64], places: &[Vector<2>], size: [f64; 2]) -> f64 {
    let mut factor = 1.0f64;
    for i in 0..radii.len() {
        for axis in 0..2 {
            // also of disks the rounds left beyond a side
            let inside = places[i][axis].min(size[axis] - places[i][axis]).max(0.5 * radii[i]);
            factor = factor.max(radii[i] / inside);
        }
        for j in 0..i {
            factor = factor.max((radii[i] + radii[j]) / (places[i] - places[j]).norm());
        }
    }
    factor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::radii;

    #[test]
    fn disks_are_dense_and_do_not_overlap() {
        let sizes = radii(200, 0.8, 1.2, 4);
        let (grains, [width, height]) = packed_disks(&sizes, 2.0, 9);
        assert_eq!(grains, packed_disks(&sizes, 2.0, 9).0);
        let area: f64 = sizes.iter().map(|r| std::f64::consts::PI * r * r).sum();
        let fill = area / (width * height);
        assert!((0.79..0.82).contains(&fill) && (height / width - 2.0).abs() < 1e-12, "{fill}");
        for (i, a) in grains.iter().enumerate() {
            let slack = 1e-9;
            assert!(a.position.min() >= a.radius - slack);
            assert!(a.position[0] + a.radius <= width + slack && a.position[1] + a.radius <= height + slack);
            for b in &grains[..i] {
                assert!((a.position - b.position).norm() >= a.radius + b.radius - slack);
            }
        }
    }
}
