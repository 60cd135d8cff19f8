//! The length of a projected step, found by trying. Knows neither the step nor the operator but by their
//! products.

/// Most times one step is shortened: from a compliance of one contact to that of a thousand on one body.
const MOST: u32 = 30;

/// A length in scaled variables, where the curvature of a contact is about one.
pub(crate) struct Stride {
    /// The length to try.
    pub length: f64,
    /// Every accepted step lets the next one be longer by this factor; a step too long is found out by the
    /// next test.
    longer: f64,
    shortened: u32,
}

impl Stride {
    /// A first length of one.
    pub fn new(longer: f64) -> Self {
        Self { length: 1.0, longer, shortened: 0 }
    }

    /// Tests a step `Δ`, of which `square` is `‖Δ‖²` and `curvature` is `Δ·ŴΔ`. One that is longer than the
    /// curvature allows is to be tried again, shorter; else the next may be longer. Returns whether to try
    /// again.
    pub fn try_again(&mut self, square: f64, curvature: f64) -> bool {
        if curvature * self.length > square && self.shortened < MOST {
            // where the curvature is known to be much larger, go there at once
            self.length = (0.5 * self.length).max(0.9 * square / curvature).min(0.9 * self.length);
            self.shortened += 1;
            return true;
        }
        self.length *= self.longer;
        self.shortened = 0;
        false
    }
}
