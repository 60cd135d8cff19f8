//! Growth to a target solid fraction: grains at random places push each other away until none overlaps, as in
//! the force-biased packing of Mościński, Bargieł et al. (1989). No contact force, no gravity.

use super::{check_room, point_inside};
use crate::near::NearGrains;
use crate::{Container, Grain, Random, SampleError, ball_volume};
use drystone_math::Vector;

/// How a packing grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrowthParams {
    /// Most rounds of pushing.
    pub rounds: usize,
    /// Distance left between grains and from walls, relative to their radii \[-\].
    pub clearance: f64,
}

impl Default for GrowthParams {
    fn default() -> Self {
        Self { rounds: 20_000, clearance: 1e-3 }
    }
}

/// Solid fractions beyond which no disordered packing of equal grains is known, plane and space, with some
/// room for unequal ones.
const DENSEST: [f64; 2] = [0.93, 0.85];
/// Part of its overlaps that a grain goes in one round.
const PACE: f64 = 0.3;
/// Solid fraction of the first round; the radii then grow to their size.
const FIRST: f64 = 0.3;
/// Rounds of growing, after which only pushing is left.
const GROWING: usize = 120;
/// Distance up to which neighbours are listed, relative to the largest radius.
const SKIN: f64 = 0.2;

/// Grains of these radii \[m\] all over a container, none overlapping: their solid fraction is the sum of
/// their volumes over that of the container. Dense ones take more rounds; disks of many sizes come to 0.83,
/// spheres to 0.62.
pub fn grow<const D: usize>(
    radii: &[f64],
    container: &dyn Container<D>,
    params: &GrowthParams,
    seed: u64,
) -> Result<Vec<Grain<D>>, SampleError> {
    check_room(radii, container)?;
    let volume: f64 = radii.iter().map(|radius| ball_volume::<D>(*radius)).sum();
    let target = volume / container.volume();
    let refused = |why: String| SampleError::Overlapping {
        fraction: target,
        why,
        advice: "take a smaller solid fraction, fewer grains or more rounds",
    };
    if target > DENSEST[D - 2] {
        return Err(refused(format!("none above {} does", DENSEST[D - 2])));
    }
    let mut random = Random::new(seed);
    let mut places: Vec<Vector<D>> = Vec::with_capacity(radii.len());
    for &radius in radii {
        let place = point_inside(container, radius, 100_000, &mut random);
        places.push(place.ok_or_else(|| refused(format!("a radius of {radius} m found no place")))?);
    }
    // neighbours side by side in memory
    let order = by_place(&places, container.bounds());
    let sorted: Vec<f64> = order.iter().map(|&grain| radii[grain]).collect();
    let places = order.iter().map(|&grain| places[grain]).collect();
    let mut cloud = Cloud { radii: &sorted, container, places, pairs: Vec::new(), listed_at: Vec::new() };
    let full = 1.0 + params.clearance;
    let small = full * portable_root::<D>(FIRST / target).min(1.0);
    let (mut ways, mut overlap) = (vec![Vector::<D>::zeros(); radii.len()], 0.0);
    for round in 0..params.rounds {
        let share = (round as f64 / GROWING as f64).min(1.0);
        let scale = small + (full - small) * share;
        let (pushes, deepest) = cloud.pushes(scale);
        overlap = deepest;
        // overlaps shallower than the clearance are none
        if share >= 1.0 && deepest < 0.9 * params.clearance {
            let mut grains = cloud.grains();
            for (grain, &index) in cloud.grains().iter().zip(&order) {
                grains[index] = *grain;
            }
            return Ok(grains);
        }
        // inertia only downhill: pushes spread fast without swinging back (Bitzek et al. 2006)
        let power: f64 = pushes.iter().zip(&ways).map(|(push, way)| push.dot(way)).sum();
        let kept = if power > 0.0 { 0.95 } else { 0.0 };
        for ((place, way), push) in cloud.places.iter_mut().zip(&mut ways).zip(&pushes) {
            *way = *way * kept + push * PACE;
            *place += *way;
        }
    }
    Err(refused(format!("after {} rounds two overlap by {overlap:.1e} of their radii", params.rounds)))
}

/// The places in the order of the cells of a coarse grid, row by row.
fn by_place<const D: usize>(places: &[Vector<D>], [low, high]: [Vector<D>; 2]) -> Vec<usize> {
    let across = portable_root::<D>(places.len() as f64 / 8.0).max(1.0);
    let cell = |place: &Vector<D>| {
        (0..D).rev().fold(0u64, |cell, axis| {
            let along = (place[axis] - low[axis]) / (high[axis] - low[axis]) * across;
            cell * (across as u64 + 2) + along.max(0.0) as u64
        })
    };
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_cached_key(|&grain| (cell(&places[grain]), grain));
    order
}

fn portable_root<const D: usize>(x: f64) -> f64 {
    if D == 2 { x.sqrt() } else { drystone_math::portable::cbrt(x) }
}

struct Cloud<'a, const D: usize> {
    radii: &'a [f64],
    container: &'a dyn Container<D>,
    places: Vec<Vector<D>>,
    /// Pairs that may touch until something has moved by half of the skin.
    pairs: Vec<[u32; 2]>,
    listed_at: Vec<Vector<D>>,
}

impl<const D: usize> Cloud<'_, D> {
    fn grains(&self) -> Vec<Grain<D>> {
        self.places.iter().zip(self.radii).map(|(&position, &radius)| Grain { radius, position }).collect()
    }

    /// The overlaps of all grains as vectors out of them, with the radii scaled; and the deepest one relative
    /// to the sum of the two radii.
    fn pushes(&mut self, scale: f64) -> (Vec<Vector<D>>, f64) {
        self.list();
        let mut pushes = vec![Vector::<D>::zeros(); self.places.len()];
        let mut deepest = 0.0f64;
        for &[a, b] in &self.pairs {
            let (a, b) = (a as usize, b as usize);
            let apart = self.places[a] - self.places[b];
            let reach = scale * (self.radii[a] + self.radii[b]);
            let square = apart.norm_squared();
            if square < reach * reach && square > 0.0 {
                let distance = square.sqrt();
                let push = apart * (0.5 * (reach - distance) / distance);
                pushes[a] += push;
                pushes[b] -= push;
                deepest = deepest.max((reach - distance) / (self.radii[a] + self.radii[b]));
            }
        }
        for ((place, &radius), push) in self.places.iter().zip(self.radii).zip(&mut pushes) {
            self.container.walls(place, &mut |depth, normal| {
                let overlap = scale * radius - depth;
                if overlap > 0.0 {
                    *push += normal * overlap;
                    deepest = deepest.max(overlap / radius);
                }
            });
        }
        (pushes, deepest)
    }

    /// Renews the list of near pairs where something has moved too far.
    fn list(&mut self) {
        let largest = self.radii.iter().copied().fold(0.0, f64::max);
        let smallest = self.radii.iter().copied().fold(f64::MAX, f64::min);
        let skin = SKIN * largest;
        let stay = |(place, at): (&Vector<D>, &Vector<D>)| (place - at).norm_squared() < 0.25 * skin * skin;
        if self.listed_at.len() == self.places.len() && self.places.iter().zip(&self.listed_at).all(stay) {
            return;
        }
        let mut near = NearGrains::new(self.places.len(), smallest);
        self.pairs.clear();
        for (index, (&position, &radius)) in self.places.iter().zip(self.radii).enumerate() {
            let pairs = &mut self.pairs;
            near.each(&position, radius + skin, |other, _| pairs.push([index as u32, other as u32]));
            near.push(Grain { radius, position });
        }
        self.listed_at.clone_from(&self.places);
    }
}

#[cfg(test)]
mod tests {
    use super::super::solid_fraction;
    use super::*;
    use crate::packings::tests::deepest;
    use crate::{CountBy, Cuboid, GrainSizes, Inside, RoundContainer};

    const SIZES: GrainSizes = GrainSizes::Uniform { smallest: 0.04, largest: 0.06, by: CountBy::Number };

    #[test]
    fn the_target_is_reached_without_overlap() {
        let square = Cuboid { low: Vector::<2>::zeros(), high: Vector::<2>::new(2.0, 1.0) };
        let radii = SIZES.radii_of_volume::<2>(0.8 * square.volume(), 1);
        let grains = grow(&radii, &square, &GrowthParams::default(), 2).unwrap();
        assert_eq!(grains, grow(&radii, &square, &GrowthParams::default(), 2).unwrap());
        assert!(deepest(&grains, &square) < 0.0);
        assert!((solid_fraction(&grains, &square) - 0.8).abs() < 0.003);

        let cube = Cuboid { low: Vector::<3>::zeros(), high: Vector::<3>::repeat(1.0) };
        let radii = SIZES.radii_of_volume::<3>(0.56 * cube.volume(), 1);
        let grains = grow(&radii, &cube, &GrowthParams::default(), 2).unwrap();
        assert!(deepest(&grains, &cube) < 0.0);
        assert!((solid_fraction(&grains, &cube) - 0.56).abs() < 0.001);
    }

    #[test]
    fn round_regions_and_any_inside_are_filled() {
        let disk = RoundContainer { centre: Vector::<2>::new(3.0, 1.0), radius: 0.8 };
        let radii = SIZES.radii_of_volume::<2>(0.75 * disk.volume(), 1);
        let grains = grow(&radii, &disk, &GrowthParams::default(), 2).unwrap();
        assert!(deepest(&grains, &disk) < 0.0);
        // a bent tube: points within 0.2 of a circle
        let bounds =
            Cuboid { low: Vector::<3>::new(-0.8, -0.8, -0.2), high: Vector::<3>::new(0.8, 0.8, 0.2) };
        let ring = Inside::new(bounds, |p: &Vector<3>| {
            let out = (p[0] * p[0] + p[1] * p[1]).sqrt() - 0.6;
            0.2 - (out * out + p[2] * p[2]).sqrt()
        });
        let radii = SIZES.radii_of_volume::<3>(0.4 * ring.volume(), 1);
        let grains = grow(&radii, &ring, &GrowthParams::default(), 2).unwrap();
        assert!(grains.len() > 100 && deepest(&grains, &ring) < 0.0);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let square = Cuboid { low: Vector::<2>::zeros(), high: Vector::<2>::repeat(1.0) };
        let radii = SIZES.radii_of_volume::<2>(0.95, 1);
        let refused = grow(&radii, &square, &GrowthParams::default(), 2);
        assert!(matches!(refused, Err(SampleError::Overlapping { .. })));
        let radii = SIZES.radii_of_volume::<2>(0.9, 1);
        let few = GrowthParams { rounds: 300, ..GrowthParams::default() };
        assert!(grow(&radii, &square, &few, 2).is_err());
    }
}
