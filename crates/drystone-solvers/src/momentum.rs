//! Nesterov's weights (1983) and the two tests that reset them. Knows no iterate: what it learns are lengths.

/// Momentum that is dropped where it does harm.
pub(crate) struct Momentum {
    theta: f64,
    /// Square of the last step, and how often it has grown in a row.
    length: f64,
    rises: u32,
    patience: Patience,
}

/// When steps that grow drop the momentum.
#[derive(Clone, Copy)]
pub(crate) struct Patience {
    /// After so many steps in a row that are longer than the one before.
    pub rises: u32,
    /// After a step so many times as long as the one before, in squares.
    pub jump: f64,
}

impl Momentum {
    /// No momentum yet.
    pub fn new(patience: Patience) -> Self {
        Self { theta: 1.0, length: f64::INFINITY, rises: 0, patience }
    }

    /// Weight of the next extrapolation.
    pub fn beta(&mut self) -> f64 {
        let next = 0.5 * (1.0 + (1.0 + 4.0 * self.theta * self.theta).sqrt());
        let beta = (self.theta - 1.0) / next;
        self.theta = next;
        beta
    }

    /// Learns from a step: the square of its length, and minus its product with the way from the last
    /// iterate, which is positive where the momentum points uphill (O'Donoghue, Candès 2015).
    /// Steps that grow are borne where the momentum is for `long` waves.
    pub fn learn(&mut self, length: f64, uphill: f64, long: bool) {
        self.rises = if length > self.length { self.rises + 1 } else { 0 };
        let grows = self.rises >= self.patience.rises || length > self.patience.jump * self.length;
        if uphill > 0.0 || (grows && !long) {
            self.theta = 1.0;
            self.rises = 0;
        }
        self.length = length;
    }
}
