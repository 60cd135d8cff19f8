//! Coefficients of friction that are no constants: static and dynamic, by slip, by time, and none that slides
//! at all. Knows no normal law.

/// The coefficient that stands for infinite friction: a contact slides only where the tangential impulse is
/// ten thousand times the normal one, at an angle of 89.994° to the normal.
pub const STICK: f64 = 1e4;

/// A piecewise linear function, constant beyond its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    points: Vec<[f64; 2]>,
}

impl Table {
    /// Takes points with increasing first numbers; `None` where there are none, or they do not increase.
    pub fn new(points: Vec<[f64; 2]>) -> Option<Self> {
        let increasing = points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
        let finite = points.iter().flatten().all(|x| x.is_finite());
        (!points.is_empty() && increasing && finite).then_some(Self { points })
    }

    /// The value at `x`.
    pub fn at(&self, x: f64) -> f64 {
        let after = self.points.partition_point(|point| point[0] <= x);
        match (after.checked_sub(1).and_then(|before| self.points.get(before)), self.points.get(after)) {
            (Some(a), Some(b)) => a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]),
            (Some(end), None) | (None, Some(end)) => end[1],
            (None, None) => 0.0,
        }
    }
}

/// A coefficient of friction \[-\].
#[derive(Clone, Debug, PartialEq)]
pub enum Friction {
    /// The same everywhere and always.
    Constant(f64),
    /// One to begin sliding, another while it lasts. A contact that does not slide at the end of a step
    /// begins anew.
    StaticDynamic {
        /// Coefficient at rest.
        rest: f64,
        /// Coefficient while sliding.
        sliding: f64,
    },
    /// By the distance slid at the contact so far \[m\].
    BySlip(Table),
    /// By time \[s\].
    ByTime(Table),
    /// Never slides while it is pressed: [`STICK`] in the place of infinity.
    Stick,
}

impl Friction {
    /// The coefficient in a step that begins at `time` \[s\] at a contact that slid `slip` so far \[m\] and
    /// was `sliding` in the last step.
    pub fn at(&self, time: f64, slip: f64, sliding: bool) -> f64 {
        match self {
            Self::Constant(mu) => *mu,
            Self::StaticDynamic { sliding: mu, .. } if sliding => *mu,
            Self::StaticDynamic { rest, .. } => *rest,
            Self::BySlip(table) => table.at(slip),
            Self::ByTime(table) => table.at(time),
            Self::Stick => STICK,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_straight_between_their_points() {
        let table = Table::new(vec![[0.0, 0.6], [0.1, 0.2], [0.3, 0.4]]).unwrap();
        for (x, y) in [(-1.0, 0.6), (0.0, 0.6), (0.05, 0.4), (0.1, 0.2), (0.2, 0.3), (9.0, 0.4)] {
            assert!((table.at(x) - y).abs() < 1e-15, "{x}");
        }
        assert!(Table::new(vec![]).is_none() && Table::new(vec![[1.0, 0.0], [1.0, 0.1]]).is_none());
    }
}
