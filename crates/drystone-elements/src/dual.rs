//! Numbers that carry their first and second derivatives by three variables, so that a stored energy is
//! written once and its stress and tangent follow. Does what energies need, and no more.

use drystone_math::portable;
use std::ops::{Add, Mul, Neg, Sub};

/// A value with its derivatives by the invariants I₁, I₂ and J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual {
    /// The value.
    pub value: f64,
    /// First derivatives.
    pub first: [f64; 3],
    /// Second derivatives.
    pub second: [[f64; 3]; 3],
}

impl Dual {
    /// A constant.
    pub fn constant(value: f64) -> Self {
        Self { value, first: [0.0; 3], second: [[0.0; 3]; 3] }
    }

    /// The variable of this number.
    pub fn variable(value: f64, number: usize) -> Self {
        let mut own = Self::constant(value);
        own.first[number] = 1.0;
        own
    }

    /// A function of it, by its value and its first and second derivative.
    fn map(self, value: f64, slope: f64, curvature: f64) -> Self {
        let f = self.first;
        Self {
            value,
            first: f.map(|x| slope * x),
            second: std::array::from_fn(|i| {
                std::array::from_fn(|j| slope * self.second[i][j] + curvature * f[i] * f[j])
            }),
        }
    }

    /// Natural logarithm.
    pub fn log(self) -> Self {
        let inverse = 1.0 / self.value;
        self.map(portable::ln(self.value), inverse, -inverse * inverse)
    }

    /// Raised to a real power; the value must be positive.
    pub fn pow(self, exponent: f64) -> Self {
        let x = self.value;
        let value = portable::exp(exponent * portable::ln(x));
        self.map(value, exponent * value / x, exponent * (exponent - 1.0) * value / (x * x))
    }

    /// The product with another, by Leibniz's rule.
    fn times(&self, other: &Self) -> Self {
        let (a, b) = (self, other);
        Self {
            value: a.value * b.value,
            first: std::array::from_fn(|i| a.value * b.first[i] + b.value * a.first[i]),
            second: std::array::from_fn(|i| {
                std::array::from_fn(|j| {
                    let cross = a.first[i] * b.first[j] + a.first[j] * b.first[i];
                    a.value * b.second[i][j] + b.value * a.second[i][j] + cross
                })
            }),
        }
    }

    /// Squared.
    pub fn squared(self) -> Self {
        self * self
    }
}

impl Add for Dual {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            first: std::array::from_fn(|i| self.first[i] + other.first[i]),
            second: std::array::from_fn(|i| std::array::from_fn(|j| self.second[i][j] + other.second[i][j])),
        }
    }
}

impl Mul<f64> for Dual {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        self.map(factor * self.value, factor, 0.0)
    }
}

impl Add<f64> for Dual {
    type Output = Self;

    fn add(mut self, constant: f64) -> Self {
        self.value += constant;
        self
    }
}

impl Sub<f64> for Dual {
    type Output = Self;

    fn sub(self, constant: f64) -> Self {
        self + -constant
    }
}

impl Neg for Dual {
    type Output = Self;

    fn neg(self) -> Self {
        self * -1.0
    }
}

impl Sub for Dual {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Dual {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.times(&other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An expression with every operation.
    fn expression(x: [f64; 3]) -> Dual {
        let [a, b, c] = [0, 1, 2].map(|k| Dual::variable(x[k], k));
        (a * b - c.log()).squared() + c.pow(-2.0 / 3.0) * a * 1.5 - (b + 2.0) * c + (-a - 1.0)
    }

    #[test]
    fn derivatives_are_differences() {
        let x = [1.3, 0.7, 1.1];
        let found = expression(x);
        for i in 0..3 {
            let moved = |step: f64| {
                let mut x = x;
                x[i] += step;
                expression(x)
            };
            let (low, high) = (moved(-1e-5), moved(1e-5));
            assert!(((high.value - low.value) / 2e-5 - found.first[i]).abs() < 1e-9);
            for j in 0..3 {
                assert!(((high.first[j] - low.first[j]) / 2e-5 - found.second[i][j]).abs() < 1e-9);
                assert_eq!(found.second[i][j], found.second[j][i]);
            }
        }
    }
}
