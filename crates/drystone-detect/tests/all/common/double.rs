//! Numbers of twice the digits of a double (Dekker 1971, Knuth 1969): the unevaluated sum of two of them,
//! good to some 1e-31. For oracles; it knows no infinities.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `high + low`, with `|low|` at most half a unit in the last place of `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Double {
    pub high: f64,
    pub low: f64,
}

fn two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let part = high - a;
    Double { high, low: (a - (high - part)) + (b - part) }
}

fn renormalized(high: f64, low: f64) -> Double {
    let sum = high + low;
    Double { high: sum, low: low - (sum - high) }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Add for Double {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, low) = (two_sum(self.high, other.high), two_sum(self.low, other.low));
        let first = renormalized(high.high, high.low + low.high);
        renormalized(first.high, first.low + low.low)
    }
}

impl Neg for Double {
    type Output = Self;
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for Double {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let high = self.high * other.high;
        let low = self.high.mul_add(other.high, -high);
        renormalized(high, low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Double {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * first.into();
        let second = rest.high / other.high;
        let rest = rest - other * second.into();
        renormalized(first, second) + (rest.high / other.high).into()
    }
}

impl PartialOrd for Double {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        match self.high.partial_cmp(&other.high) {
            Some(std::cmp::Ordering::Equal) => self.low.partial_cmp(&other.low),
            order => order,
        }
    }
}

impl Double {
    pub const ZERO: Self = Self { high: 0.0, low: 0.0 };

    pub fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return Self::ZERO;
        }
        // one step of Newton doubles the digits
        let first = Self::from(self.high.sqrt());
        first + (self - first * first) / (first + first)
    }

    pub fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    pub fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }
}

/// A vector of such numbers; in the plane the last is zero.
pub type Triple = [Double; 3];

pub fn triple(numbers: impl IntoIterator<Item = f64>) -> Triple {
    let mut all = [Double::ZERO; 3];
    numbers.into_iter().zip(&mut all).for_each(|(number, place)| *place = number.into());
    all
}

pub fn plus(a: &Triple, b: &Triple) -> Triple {
    std::array::from_fn(|k| a[k] + b[k])
}

pub fn minus(a: &Triple, b: &Triple) -> Triple {
    std::array::from_fn(|k| a[k] - b[k])
}

pub fn times(a: &Triple, factor: Double) -> Triple {
    a.map(|number| number * factor)
}

pub fn dot(a: &Triple, b: &Triple) -> Double {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: &Triple, b: &Triple) -> Triple {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j] * b[k] - a[k] * b[j]
    })
}

pub fn norm(a: &Triple) -> Double {
    dot(a, a).sqrt()
}
