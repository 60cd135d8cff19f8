//! Random numbers of the distributions that samples need, with the same bits on every processor. Knows no
//! grain.

use drystone_math::nalgebra::{Quaternion, Unit};
use drystone_math::{Orientation, Vector, portable};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::f64::consts::TAU;

/// A generator of random numbers that repeats from its seed.
#[derive(Clone, Debug)]
pub struct Random(Pcg64);

impl Random {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    /// Uniform in \[0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.random::<f64>()
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Whole number from `low` to `high`, both included.
    pub fn whole(&mut self, low: usize, high: usize) -> usize {
        self.0.random_range(low..=high.max(low))
    }

    /// Normal with mean 0 and standard deviation 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * portable::ln(1.0 - self.unit())).sqrt();
        radius * portable::cos(TAU * self.unit())
    }

    /// Gamma with this shape parameter and scale 1 (Marsaglia and Tsang 2000).
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            // a draw of the next shape, brought down by a power of a uniform one
            let boost = portable::exp(portable::ln(1.0 - self.unit()) / shape);
            return self.gamma(shape + 1.0) * boost;
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = 1.0 + c * x;
            if v <= 0.0 {
                continue;
            }
            let v = v * v * v;
            if portable::ln(1.0 - self.unit()) < 0.5 * x * x + d - d * v + d * portable::ln(v) {
                return d * v;
            }
        }
    }

    /// Beta on \[0, 1\] with these two parameters.
    pub fn beta(&mut self, a: f64, b: f64) -> f64 {
        let (x, y) = (self.gamma(a), self.gamma(b));
        // both may vanish for tiny parameters: then the draw is one of the ends
        if x + y > 0.0 { x / (x + y) } else { f64::from(u8::from(self.unit() * (a + b) < a)) }
    }

    /// A unit vector, every direction alike.
    pub fn direction<const D: usize>(&mut self) -> Vector<D> {
        loop {
            let point: Vector<D> = Vector::from_fn(|_, _| self.normal());
            let length = point.norm();
            if length > 1e-6 {
                return point / length;
            }
        }
    }

    /// A turn in space, every one alike (Shoemake 1992).
    pub fn orientation(&mut self) -> Orientation {
        let direction = self.direction::<4>();
        Unit::new_normalize(Quaternion::from_parts(
            direction[3],
            Vector::<3>::new(direction[0], direction[1], direction[2]),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(mut draw: impl FnMut() -> f64) -> [f64; 2] {
        let draws: Vec<f64> = (0..40_000).map(|_| draw()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / draws.len() as f64;
        [mean, variance]
    }

    #[test]
    fn distributions_have_their_moments() {
        let mut random = Random::new(4);
        let near = |found: [f64; 2], expected: [f64; 2]| {
            assert!((0..2).all(|k| (found[k] - expected[k]).abs() < 0.03), "{found:?} {expected:?}");
        };
        near(moments(|| random.normal()), [0.0, 1.0]);
        near(moments(|| random.gamma(2.5) / 2.5), [1.0, 0.4]);
        near(moments(|| random.gamma(0.5)), [0.5, 0.5]);
        near(moments(|| random.beta(2.0, 3.0)), [0.4, 0.04]);
        near(moments(|| random.direction::<3>()[2]), [0.0, 1.0 / 3.0]);
        near(moments(|| random.whole(3, 6) as f64), [4.5, 1.25]);
        let up = Vector::<3>::new(0.0, 0.0, 1.0);
        near(moments(|| (random.orientation() * up)[0]), [0.0, 1.0 / 3.0]);
    }
}
