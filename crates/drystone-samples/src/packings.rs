//! Places for grains that do not overlap: lattices, random sequential addition, geometric deposit, growth.
//! Geometry alone: no force, no friction.

mod deposit;
mod descent;
mod growth;
mod lattice;
mod sequential;

pub use deposit::{deposit, fill_by_deposit};
pub use growth::{GrowthParams, grow};
pub use lattice::{Lattice, lattice};
pub use sequential::random_sequential;

use crate::{Container, Grain, Random, SampleError, ball_volume};
use drystone_math::Vector;

/// Share of the container that the grains fill \[-\].
pub fn solid_fraction<const D: usize>(grains: &[Grain<D>], container: &dyn Container<D>) -> f64 {
    grains.iter().map(|grain| ball_volume::<D>(grain.radius)).sum::<f64>() / container.volume()
}

/// A random point at least `radius` \[m\] inside; none if so many tries find no such point.
pub(crate) fn point_inside<const D: usize>(
    container: &dyn Container<D>,
    radius: f64,
    tries: usize,
    random: &mut Random,
) -> Option<Vector<D>> {
    let [low, high] = container.bounds();
    (0..tries).find_map(|_| {
        let point = Vector::from_fn(|axis, _| {
            // the margin is certain to be too near to a wall
            random.between(low[axis] + radius, high[axis] - radius)
        });
        (container.depth(&point) >= radius).then_some(point)
    })
}

/// Refuses radii that are not positive and containers without room for the largest of them.
fn check_room<const D: usize>(radii: &[f64], container: &dyn Container<D>) -> Result<(), SampleError> {
    for &radius in radii {
        SampleError::positive("radius", radius)?;
    }
    let Some(largest) = radii.iter().copied().reduce(f64::max) else { return Ok(()) };
    let mut random = Random::new(0);
    let [low, high] = container.bounds();
    if !(low.iter().chain(high.iter()).all(|x| x.is_finite()) && container.volume() > 0.0) {
        return Err(SampleError::RegionTooSmall { radius: largest, room: 0.0 });
    }
    // the middle, then places at random
    let mut room = container.depth(&((low + high) * 0.5)).max(0.0);
    for _ in 0..20_000 {
        if room >= largest {
            return Ok(());
        }
        let point = Vector::from_fn(|axis, _| random.between(low[axis], high[axis]));
        room = room.max(container.depth(&point));
    }
    if room >= largest { Ok(()) } else { Err(SampleError::RegionTooSmall { radius: largest, room }) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::near::NearGrains;

    /// Deepest overlap of two grains or of a grain and a wall, relative to the smallest radius.
    pub(crate) fn deepest<const D: usize>(grains: &[Grain<D>], container: &dyn Container<D>) -> f64 {
        let smallest = grains.iter().map(|grain| grain.radius).fold(f64::MAX, f64::min);
        let mut near = NearGrains::new(grains.len(), smallest);
        let mut deepest = f64::MIN;
        for grain in grains {
            deepest = deepest.max(grain.radius - container.depth(&grain.position));
            near.each(&grain.position, grain.radius, |_, other| {
                let distance = (other.position - grain.position).norm();
                deepest = deepest.max(grain.radius + other.radius - distance);
            });
            near.push(*grain);
        }
        deepest / smallest
    }
}
