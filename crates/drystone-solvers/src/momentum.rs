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
    /// Share of what it has built up that is kept where it is dropped, for whatever reason: 0 for none.
    pub kept: f64,
}

impl Momentum {
    /// No momentum yet.
    pub fn new(patience: Patience) -> Self {
        Self { theta: 1.0, length: f64::INFINITY, rises: 0, patience }
    }

    /// Begins anew.
    pub fn forget(&mut self) {
        *self = Self::new(self.patience);
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
            self.theta = 1.0 + self.patience.kept * (self.theta - 1.0);
            self.rises = 0;
        }
        self.length = length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights of four steps, the third of which points uphill.
    fn weights(kept: f64) -> Vec<f64> {
        let mut momentum = Momentum::new(Patience { rises: 2, jump: 1.1, kept });
        (0..4)
            .map(|k| {
                let beta = momentum.beta();
                momentum.learn(1.0, if k == 2 { 1.0 } else { -1.0 }, false);
                beta
            })
            .collect()
    }

    #[test]
    fn a_share_of_the_momentum_is_kept() {
        // t = 1, (1 + √5)/2, …; the weight after the drop is that of 1 + κ (t − 1)
        let next = |t: f64| 0.5 * (1.0 + (1.0 + 4.0 * t * t).sqrt());
        let last = next(next(next(1.0)));
        for kept in [0.0, 0.4] {
            let built = weights(kept);
            let t = 1.0 + kept * (last - 1.0);
            assert_eq!(built[..2], [0.0, (next(1.0) - 1.0) / next(next(1.0))]);
            assert!((built[3] - (t - 1.0) / next(t)).abs() < 1e-15, "{kept}: {built:?}");
        }
    }
}
