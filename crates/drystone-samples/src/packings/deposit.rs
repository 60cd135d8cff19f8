//! Geometric deposit: grains dropped one after the other, each rolling down over those before it until it
//! can go no lower (Visscher and Bolsterli 1972). A grain that lies never moves again.

use super::descent::Descent;
use super::{check_room, solid_fraction};
use crate::near::NearGrains;
use crate::{Container, Grain, GrainSizes, Random, SampleError};
use drystone_math::Vector;

/// Draws of a place to drop a grain at before the container counts as full.
const DRAWS: usize = 60;

/// Grains of these radii \[m\] dropped into a container in this order, each at `tries` random places of which
/// it takes the lowest. Refuses what does not fit below the top.
pub fn deposit<const D: usize>(
    radii: &[f64],
    container: &dyn Container<D>,
    tries: usize,
    seed: u64,
) -> Result<Vec<Grain<D>>, SampleError> {
    check_room(radii, container)?;
    let grains = drop_all(&mut radii.iter().copied(), radii.len(), radii, container, [tries, seed as usize]);
    if grains.len() < radii.len() {
        return Err(SampleError::TooDense {
            placed: grains.len(),
            wanted: radii.len(),
            fraction: solid_fraction(&grains, container),
            advice: "take fewer grains or a higher region",
        });
    }
    Ok(grains)
}

/// Drops grains into a container until one finds no place, at most `most` of them.
pub fn fill_by_deposit<const D: usize>(
    sizes: &GrainSizes,
    container: &dyn Container<D>,
    most: usize,
    tries: usize,
    seed: u64,
) -> Result<Vec<Grain<D>>, SampleError> {
    sizes.check()?;
    let limits = [sizes.smallest(), sizes.largest()];
    check_room(&limits, container)?;
    let mut random = Random::new(seed ^ 0x5151);
    let mut draws = (0..most).map(|_| sizes.draw::<D>(&mut random));
    Ok(drop_all(&mut draws, 1024, &limits, container, [tries, seed as usize]))
}

fn drop_all<const D: usize>(
    radii: &mut dyn Iterator<Item = f64>,
    expected: usize,
    limits: &[f64],
    container: &dyn Container<D>,
    [tries, seed]: [usize; 2],
) -> Vec<Grain<D>> {
    let smallest = limits.iter().copied().fold(f64::MAX, f64::min);
    let largest = limits.iter().copied().fold(0.0, f64::max);
    let mut random = Random::new(seed as u64);
    let mut placed = NearGrains::new(expected, smallest);
    let mut tops = Tops::new(container.bounds(), largest);
    for radius in radii {
        let mut lowest: Option<Vector<D>> = None;
        let mut found = 0;
        let mut descent = Descent::new(radius, container, &placed);
        for _ in 0..DRAWS * tries.max(1) {
            let Some(start) = tops.landing(radius, container, &placed, &mut random) else { continue };
            let Some(end) = descent.go(start) else { continue };
            if lowest.is_none_or(|lowest| end[D - 1] < lowest[D - 1]) {
                lowest = Some(end);
            }
            found += 1;
            if found >= tries.max(1) {
                break;
            }
        }
        let Some(position) = lowest else { break };
        let grain = Grain { radius, position };
        tops.raise(&grain);
        placed.push(grain);
    }
    placed.into_grains()
}

/// Highest points of what lies in each of many columns.
struct Tops<const D: usize> {
    low: Vector<D>,
    high: Vector<D>,
    width: f64,
    counts: [usize; D],
    tops: Vec<f64>,
}

impl<const D: usize> Tops<D> {
    fn new([low, high]: [Vector<D>; 2], largest: f64) -> Self {
        // the last axis has one column, all others as many as are wide; few enough to hold
        let mut width = 2.0 * largest;
        let mut counts = [1; D];
        loop {
            for axis in 0..D - 1 {
                counts[axis] = ((high[axis] - low[axis]) / width).ceil().clamp(1.0, 1e8) as usize;
            }
            if counts.iter().map(|&count| count as f64).product::<f64>() < 1e7 {
                break;
            }
            width *= 2.0;
        }
        let tops = vec![low[D - 1]; counts.iter().product()];
        Self { low, high, width, counts, tops }
    }

    /// A random place where a grain that falls from above touches first, or just above the bottom.
    fn landing(
        &self,
        radius: f64,
        container: &dyn Container<D>,
        placed: &NearGrains<D>,
        random: &mut Random,
    ) -> Option<Vector<D>> {
        let mut place: Vector<D> = Vector::from_fn(|axis, _| {
            if axis + 1 == D {
                return 0.0;
            }
            random.between(self.low[axis] + radius, self.high[axis] - radius)
        });
        let floor = self.low[D - 1] + radius;
        let mut top = self.low[D - 1];
        self.columns(&place, radius, |column| top = top.max(self.tops[column]));
        place[D - 1] = top + radius;
        // down by a radius at a time: what is touched within it is surely seen
        while place[D - 1] > floor {
            let mut highest = f64::MIN;
            placed.each(&place, 2.1 * radius, |_, grain| {
                let mut arm = place - grain.position;
                arm[D - 1] = 0.0;
                let apart = grain.radius + radius;
                let square = apart * apart - arm.norm_squared();
                if square > 0.0 {
                    highest = highest.max(grain.position[D - 1] + square.sqrt());
                }
            });
            if highest >= place[D - 1] - radius {
                place[D - 1] = highest;
                break;
            }
            place[D - 1] -= radius;
        }
        place[D - 1] = place[D - 1].max(floor) + 1e-9 * radius;
        // round containers are narrow at the bottom
        while place[D - 1] + radius <= self.high[D - 1] {
            if container.depth(&place) >= radius {
                return Some(place);
            }
            place[D - 1] += (0.5 * radius).max(1e-3 * (self.high[D - 1] - self.low[D - 1]));
        }
        None
    }

    fn raise(&mut self, grain: &Grain<D>) {
        let top = grain.position[D - 1] + grain.radius;
        let mut raised = Vec::new();
        self.columns(&grain.position, grain.radius, |column| raised.push(column));
        for column in raised {
            self.tops[column] = self.tops[column].max(top);
        }
    }

    fn columns(&self, place: &Vector<D>, radius: f64, mut show: impl FnMut(usize)) {
        let range = |axis: usize| {
            let column =
                |x: f64| (((x - self.low[axis]) / self.width).max(0.0) as usize).min(self.counts[axis] - 1);
            [column(place[axis] - radius), column(place[axis] + radius)]
        };
        let [first, last] = range(0);
        for a in first..=last {
            if D == 2 {
                show(a);
                continue;
            }
            let [first, last] = range(1);
            (first..=last).for_each(|b| show(a + self.counts[0] * b));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packings::tests::deepest;
    use crate::{CountBy, Cuboid, RoundContainer, Tube};

    const SIZES: GrainSizes = GrainSizes::Uniform { smallest: 0.03, largest: 0.06, by: CountBy::Number };

    /// Every grain is held from below: no neighbour or wall lets it go lower.
    fn held<const D: usize>(grains: &[Grain<D>], container: &dyn Container<D>) -> usize {
        let touches = |a: &Grain<D>| {
            let others = grains.iter().filter(|b| {
                let distance = (a.position - b.position).norm();
                distance > 0.0 && distance < a.radius + b.radius + 1e-3 * a.radius
            });
            let mut count = others.count();
            container.walls(&a.position, &mut |depth, _| {
                count += usize::from(depth < a.radius * 1.001);
            });
            count
        };
        grains.iter().filter(|grain| touches(grain) >= D).count()
    }

    #[test]
    fn disks_lie_on_each_other_without_overlap() {
        let bin = Cuboid { low: Vector::<2>::zeros(), high: Vector::<2>::new(2.0, 3.0) };
        let radii = SIZES.radii::<2>(500, 2);
        let grains = deposit(&radii, &bin, 1, 7).unwrap();
        assert_eq!(grains, deposit(&radii, &bin, 1, 7).unwrap());
        assert!(deepest(&grains, &bin) < 1e-9, "{}", deepest(&grains, &bin));
        // all but some that lie on the floor alone
        assert!(held(&grains, &bin) > 480, "{}", held(&grains, &bin));
        let height = grains.iter().map(|grain| grain.position[1] + grain.radius).fold(0.0, f64::max);
        let layer = Cuboid { high: Vector::<2>::new(2.0, height - 0.15), ..bin };
        let below: Vec<_> = grains.iter().copied().filter(|g| g.position[1] < height - 0.15).collect();
        let fraction = solid_fraction(&below, &layer);
        assert!((0.74..0.86).contains(&fraction), "{fraction}");
    }

    #[test]
    fn spheres_fill_a_silo_a_drum_and_a_disk() {
        let silo = Tube { centre: Vector::<3>::new(0.0, 0.0, 0.5), axis: 2, radius: 0.3, length: 1.0 };
        let grains = fill_by_deposit(&SIZES, &silo, 100_000, 1, 3).unwrap();
        assert!(deepest(&grains, &silo) < 1e-9);
        let fraction = solid_fraction(&grains, &silo);
        assert!((0.42..0.62).contains(&fraction), "{fraction}");
        assert!(held(&grains, &silo) as f64 > 0.95 * grains.len() as f64);
        let drum = Tube { axis: 1, ..silo };
        let grains = deposit(&SIZES.radii::<3>(200, 1), &drum, 2, 3).unwrap();
        assert!(deepest(&grains, &drum) < 1e-9);
        let disk = RoundContainer { centre: Vector::<2>::zeros(), radius: 0.6 };
        let grains = deposit(&SIZES.radii::<2>(60, 1), &disk, 2, 3).unwrap();
        assert!(deepest(&grains, &disk) < 1e-9);
        // it lies at the bottom
        assert!(grains.iter().map(|grain| grain.position[1]).sum::<f64>() < -0.1 * 60.0);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let bin = Cuboid { low: Vector::<2>::zeros(), high: Vector::<2>::new(1.0, 1.0) };
        let refused = deposit(&[0.05; 300], &bin, 1, 7);
        let Err(SampleError::TooDense { placed, fraction, .. }) = refused else { panic!("{refused:?}") };
        assert!(placed > 60 && fraction > 0.6, "{placed} {fraction}");
        assert!(deposit(&[0.6], &bin, 1, 7).is_err());
    }
}
