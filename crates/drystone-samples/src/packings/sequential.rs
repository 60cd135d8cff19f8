//! Random sequential addition: one grain after the other at a random place where it overlaps none (Widom
//! 1966). Moves no grain once it is there.

use super::{check_room, point_inside, solid_fraction};
use crate::near::NearGrains;
use crate::{Container, Grain, Random, SampleError};

/// Grains of these radii \[m\] at random places, each at least `gap` \[m\] from the others, in the order of
/// the radii; the largest choose first. Saturates at a solid fraction of 0.547 in the plane and 0.38 in space
/// for equal grains: a grain that finds no place in `tries` tries ends it with an error.
pub fn random_sequential<const D: usize>(
    radii: &[f64],
    gap: f64,
    container: &dyn Container<D>,
    tries: usize,
    seed: u64,
) -> Result<Vec<Grain<D>>, SampleError> {
    check_room(radii, container)?;
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|&a, &b| radii[b].total_cmp(&radii[a]).then(a.cmp(&b)));
    let smallest = radii.iter().copied().fold(f64::MAX, f64::min);
    let mut random = Random::new(seed);
    let mut near = NearGrains::new(radii.len(), smallest);
    for &index in &order {
        let radius = radii[index];
        let free = (0..tries.max(1)).find_map(|_| {
            let place = point_inside(container, radius, 1000, &mut random)?;
            (!near.any(&place, radius + gap, |_, _| true)).then_some(place)
        });
        let Some(position) = free else {
            return Err(SampleError::TooDense {
                placed: near.grains().len(),
                wanted: radii.len(),
                fraction: solid_fraction(near.grains(), container),
                advice: "take fewer grains, a larger region, or another packing: deposit or growth",
            });
        };
        near.push(Grain { radius, position });
    }
    // back to the order of the radii
    let placed = near.into_grains();
    let mut grains = placed.clone();
    for (grain, &index) in placed.iter().zip(&order) {
        grains[index] = *grain;
    }
    Ok(grains)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packings::tests::deepest;
    use crate::{CountBy, Cuboid, GrainSizes, RoundContainer, Tube};
    use drystone_math::Vector;

    const SIZES: GrainSizes = GrainSizes::Uniform { smallest: 0.02, largest: 0.1, by: CountBy::Volume };

    #[test]
    fn nothing_overlaps_and_it_repeats() {
        let square = Cuboid { low: Vector::<2>::zeros(), high: Vector::<2>::new(2.0, 1.0) };
        let radii = SIZES.radii_of_volume::<2>(0.4 * square.volume(), 1);
        let grains = random_sequential(&radii, 0.0, &square, 1000, 5).unwrap();
        assert_eq!(grains, random_sequential(&radii, 0.0, &square, 1000, 5).unwrap());
        assert!(grains.iter().zip(&radii).all(|(grain, &radius)| grain.radius == radius));
        assert!(deepest(&grains, &square) < 0.0);
        let drum = Tube { centre: Vector::zeros(), axis: 0, radius: 0.5, length: 1.0 };
        let radii = SIZES.radii_of_volume::<3>(0.25 * drum.volume(), 1);
        let apart = random_sequential(&radii, 0.002, &drum, 10_000, 5).unwrap();
        assert!(deepest(&apart, &drum) < 0.0);
    }

    #[test]
    fn what_is_too_dense_or_too_large_is_refused() {
        let disk = RoundContainer { centre: Vector::<2>::zeros(), radius: 1.0 };
        let refused = random_sequential(&[0.1; 80], 0.0, &disk, 2000, 1);
        let Err(SampleError::TooDense { placed, wanted: 80, fraction, .. }) = refused else {
            panic!("{refused:?}")
        };
        // circles of radius 0.1 jam near 0.547, less beside a wall
        assert!(placed > 40 && (0.4..0.56).contains(&fraction), "{placed} {fraction}");
        let refused = random_sequential(&[1.1], 0.0, &disk, 10, 1);
        assert!(matches!(refused, Err(SampleError::RegionTooSmall { .. })), "{refused:?}");
        assert!(random_sequential(&[f64::NAN], 0.0, &disk, 10, 1).is_err());
    }
}
