//! Integrals over an interval of functions that are smooth between known places and have square roots there.
//! Converges like a Gauss rule, since a cosine takes the roots away.

use drystone_math::portable;
use std::f64::consts::PI;

/// Points of the rule: more change nothing beyond rounding for arcs and straight lines.
const POINTS: usize = 32;

/// Points and weights of Gauss and Legendre on \[-1, 1\].
pub(super) struct Rule {
    points: Vec<(f64, f64)>,
}

impl Rule {
    pub(super) fn new() -> Self {
        let n = POINTS as f64;
        let point = |k: usize| {
            let mut x = portable::cos(PI * (k as f64 + 0.75) / (n + 0.5));
            let mut slope = 1.0;
            // Newton's method from Tricomi's estimate has all digits after a few steps
            for _ in 0..8 {
                let (value, derivative) = legendre(x);
                slope = derivative;
                x -= value / slope;
            }
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        };
        Self { points: (0..POINTS).map(point).collect() }
    }

    /// Calls `visit` with points and weights over all intervals between neighbouring breaks.
    pub(super) fn for_each(&self, breaks: &mut Vec<f64>, mut visit: impl FnMut(f64, f64)) {
        breaks.retain(|x| x.is_finite());
        breaks.sort_by(f64::total_cmp);
        let length = breaks.last().unwrap_or(&0.0) - breaks.first().unwrap_or(&0.0);
        for pair in breaks.windows(2) {
            let (middle, half) = (0.5 * (pair[0] + pair[1]), 0.5 * (pair[1] - pair[0]));
            if half <= 1e-15 * length {
                continue;
            }
            for &(x, weight) in &self.points {
                let angle = 0.5 * PI * (x + 1.0);
                visit(middle - half * portable::cos(angle), half * portable::sin(angle) * weight * 0.5 * PI);
            }
        }
    }
}

/// The polynomial of degree `POINTS` and its derivative.
fn legendre(x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for k in 2..=POINTS {
        let k = k as f64;
        (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
    }
    (value, POINTS as f64 * (x * value - before) / (x * x - 1.0))
}
