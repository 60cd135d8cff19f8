//! The multiplier of a contact that slides in space: the one scalar unknown of the everyday path. Knows no
//! block but by the coefficients of its equation.

use drystone_math::portable;

/// Newton needs two to five; the rest is for bisection, which every twelfth step is in any case.
const MOST_STEPS: usize = 100;

/// `h(α) = μ g(α)/‖a + αc‖ − 1`, with `g = g_0 + g_1 α + g_2 α²`; close to linear, as the secular equation of
/// trust regions (Moré, Sorensen 1983).
pub(super) struct Secular {
    /// Friction, not zero.
    pub mu: f64,
    /// Coefficients of `g`; the last is the normal impulse without friction.
    pub g: [f64; 3],
    /// `a·a`, `a·c` and `c·c`.
    pub aa: f64,
    pub ac: f64,
    pub cc: f64,
    /// `w_NT/w_NN`.
    pub coupling: [f64; 2],
    /// About the smaller eigenvalue of `W̄`: below it a relative error of α no longer shows in `W̄ + αI`.
    pub floor: f64,
}

impl Secular {
    /// The root, by Newton's method in a bracket; `None` where it is not found.
    #[inline]
    pub fn root(&self) -> Option<f64> {
        let Self { mu, g: [g0, g1, g2], aa, ac, cc, .. } = *self;
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut alpha = 0.0;
        for iteration in 0..MOST_STEPS {
            let g = (g2 * alpha + g1) * alpha + g0;
            let slope = 2.0 * g2 * alpha + g1;
            let squared = (cc * alpha + 2.0 * ac) * alpha + aa;
            let short = squared.sqrt() - mu * g;
            // h' without its root: (g'‖·‖² − g (a + αc)·c) μ / ‖·‖³
            let mut step = short * (squared / (mu * (slope * squared - g * (ac + cc * alpha))));
            if short > 0.0 {
                low = alpha;
            } else {
                high = alpha;
            }
            let mut next = alpha + step;
            let inside = next >= low && next <= high && iteration % 12 != 11;
            if !inside {
                if high == f64::INFINITY {
                    high = self.bound();
                    next = high;
                } else {
                    next = 0.5 * (low + high);
                }
                step = next - alpha;
            }
            alpha = next;
            // Newton squares the relative error: after this step it is below 1e-17
            if step.abs() <= 3e-9 * (alpha + self.floor) {
                return Some(alpha);
            }
        }
        None
    }

    /// No root is larger: `‖r_T‖ ≤ ‖c‖/α`, so that there `μ r_N ≥ ‖r_T‖` whatever the direction.
    fn bound(&self) -> f64 {
        let coupling = portable::hypot(self.coupling[0], self.coupling[1]);
        self.cc.sqrt() * (1.0 + self.mu * coupling) / (self.mu * self.g[2])
    }
}
