//! Grains that come and go while a simulation runs: what a source drops and when, and what an outlet takes.
//! Describes both; adding and removing bodies is the simulation's business.

use crate::packings::point_inside;
use crate::{Container, Grain, GrainSizes, Random, SampleError, ball_volume};
use drystone_math::Vector;

/// When a source drops its grains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FeedRate {
    /// One by one, so many seconds apart.
    Interval(f64),
    /// So much volume each second \[m³/s\], in the plane area \[m²/s\].
    Volume(f64),
}

/// A source of grains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrainSource<const D: usize> {
    /// When they come.
    pub rate: FeedRate,
    /// Time of the first \[s\].
    pub start: f64,
    /// Number of grains.
    pub count: usize,
    /// Velocity with which they appear \[m/s\].
    pub velocity: Vector<D>,
}

/// A grain that a source drops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival<const D: usize> {
    /// When \[s\].
    pub time: f64,
    /// Where, and how large.
    pub grain: Grain<D>,
    /// With which velocity \[m/s\].
    pub velocity: Vector<D>,
}

impl<const D: usize> GrainSource<D> {
    /// All that it drops, in the order of time, at random places of a region. At a rate by volume every grain
    /// takes the time of its own volume.
    pub fn arrivals(
        &self,
        sizes: &GrainSizes,
        region: &dyn Container<D>,
        seed: u64,
    ) -> Result<Vec<Arrival<D>>, SampleError> {
        sizes.check()?;
        match self.rate {
            FeedRate::Interval(interval) => SampleError::positive("interval", interval)?,
            FeedRate::Volume(volume) => SampleError::positive("volume", volume)?,
        }
        let mut random = Random::new(seed);
        let mut time = self.start;
        let mut arrivals = Vec::with_capacity(self.count.min(1 << 20));
        for _ in 0..self.count {
            let radius = sizes.draw::<D>(&mut random);
            let Some(position) = point_inside(region, radius, 100_000, &mut random) else {
                return Err(SampleError::RegionTooSmall { radius, room: 0.0 });
            };
            arrivals.push(Arrival { time, grain: Grain { radius, position }, velocity: self.velocity });
            time += match self.rate {
                FeedRate::Interval(interval) => interval,
                FeedRate::Volume(volume) => ball_volume::<D>(radius) / volume,
            };
        }
        Ok(arrivals)
    }
}

/// Where bodies leave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outlet<const D: usize> {
    /// Below this height \[m\].
    Below(f64),
    /// Inside of a box \[m\].
    Inside {
        /// Lowest corner.
        low: Vector<D>,
        /// Highest corner.
        high: Vector<D>,
    },
    /// Outside of a box \[m\].
    Outside {
        /// Lowest corner.
        low: Vector<D>,
        /// Highest corner.
        high: Vector<D>,
    },
}

impl<const D: usize> Outlet<D> {
    /// Whether it takes a body with its centre of mass here.
    pub fn takes(&self, position: &Vector<D>) -> bool {
        let between = |low: &Vector<D>, high: &Vector<D>| {
            (0..D).all(|axis| (low[axis]..=high[axis]).contains(&position[axis]))
        };
        match self {
            Self::Below(height) => position[D - 1] < *height,
            Self::Inside { low, high } => between(low, high),
            Self::Outside { low, high } => !between(low, high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CountBy, Cuboid};

    #[test]
    fn a_source_keeps_its_rate() {
        let sizes = GrainSizes::Uniform { smallest: 0.01, largest: 0.02, by: CountBy::Number };
        let region = Cuboid { low: Vector::<2>::new(-0.1, 1.0), high: Vector::<2>::new(0.1, 1.1) };
        let source = GrainSource {
            rate: FeedRate::Volume(0.01),
            start: 2.0,
            count: 500,
            velocity: Vector::<2>::new(0.0, -0.25),
        };
        let arrivals = source.arrivals(&sizes, &region, 1).unwrap();
        assert_eq!(arrivals, source.arrivals(&sizes, &region, 1).unwrap());
        let volume: f64 = arrivals[..499].iter().map(|one| ball_volume::<2>(one.grain.radius)).sum();
        assert!((arrivals[499].time - 2.0 - volume / 0.01).abs() < 1e-9);
        assert!(arrivals.iter().all(|one| region.depth(&one.grain.position) >= one.grain.radius));
        let one_by_one = GrainSource { rate: FeedRate::Interval(0.5), ..source };
        assert_eq!(one_by_one.arrivals(&sizes, &region, 1).unwrap()[3].time, 3.5);
        let narrow = Cuboid { low: Vector::<2>::zeros(), high: Vector::<2>::repeat(0.01) };
        assert!(source.arrivals(&sizes, &narrow, 1).is_err());
    }

    #[test]
    fn outlets_take_what_is_theirs() {
        let (low, high) = (Vector::<3>::zeros(), Vector::<3>::repeat(1.0));
        let (inside, outside) = (Vector::<3>::repeat(0.5), Vector::<3>::new(0.5, 0.5, -0.5));
        for (outlet, takes) in [
            (Outlet::Below(0.0), [false, true]),
            (Outlet::Inside { low, high }, [true, false]),
            (Outlet::Outside { low, high }, [false, true]),
        ] {
            assert_eq!([outlet.takes(&inside), outlet.takes(&outside)], takes);
        }
    }
}
