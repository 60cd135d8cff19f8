//! Real roots of a quartic in an interval, none lost: each derivative's roots bracket those of the one
//! before. Refuses complex roots, and does not promise that a double root shows as a root: it shows as a
//! stationary point.

/// Calls `visit` with every root and every stationary point in `[-1, 1]` of `Σ p_k zᵏ`.
pub(super) fn roots_and_stationary_points(p: &[f64; 5], mut visit: impl FnMut(f64)) {
    // points between which the current polynomial is monotone, sorted
    let mut knots = [-1.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    let mut count = 2;
    for degree in 1..=4 {
        let polynomial = derivative(p, 4 - degree);
        let mut next = [-1.0; 6];
        let mut found = 1;
        for interval in knots[..count].windows(2) {
            if let Some(root) = root_between(&polynomial, interval[0], interval[1]) {
                if degree >= 3 {
                    visit(root);
                }
                if found < 5 {
                    next[found] = root;
                    found += 1;
                }
            }
        }
        next[found] = 1.0;
        knots = next;
        count = found + 1;
    }
}

/// The `order`-th derivative.
fn derivative(p: &[f64; 5], order: usize) -> [f64; 5] {
    let mut d = *p;
    for _ in 0..order {
        for k in 0..4 {
            d[k] = d[k + 1] * (k + 1) as f64;
        }
        d[4] = 0.0;
    }
    d
}

/// The root of a polynomial that is monotone between `low` and `high`, if its sign changes there: Newton,
/// kept in a shrinking bracket by bisection.
fn root_between(p: &[f64; 5], mut low: f64, mut high: f64) -> Option<f64> {
    let value = |z: f64| (((p[4] * z + p[3]) * z + p[2]) * z + p[1]) * z + p[0];
    let slope = |z: f64| ((4.0 * p[4] * z + 3.0 * p[3]) * z + 2.0 * p[2]) * z + p[1];
    let (at_low, at_high) = (value(low), value(high));
    if at_low == 0.0 {
        return Some(low);
    }
    // also false where a value is NaN
    let changes = at_low * at_high <= 0.0 || (at_low < 0.0) != (at_high < 0.0);
    if !changes || at_low.is_nan() || at_high.is_nan() {
        return None;
    }
    let mut z = 0.5 * (low + high);
    // bisection alone would end in 60: the interval is no longer than 2
    for iteration in 0..80 {
        let here = value(z);
        if here == 0.0 {
            return Some(z);
        }
        if (here < 0.0) == (at_low < 0.0) {
            low = z;
        } else {
            high = z;
        }
        let newton = z - here / slope(z);
        let next =
            if newton > low && newton < high && iteration % 3 != 2 { newton } else { 0.5 * (low + high) };
        if (next - z).abs() <= f64::EPSILON || high - low <= f64::EPSILON {
            return Some(next);
        }
        z = next;
    }
    Some(z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_root_and_shows_double_ones_as_stationary() {
        let roots = [-0.9, -0.2, 0.35, 0.36];
        let mut p = [1.0, 0.0, 0.0, 0.0, 0.0];
        for (degree, root) in roots.iter().enumerate() {
            for k in (0..=degree + 1).rev() {
                let lower = if k > 0 { p[k - 1] } else { 0.0 };
                p[k] = lower - root * if k <= degree { p[k] } else { 0.0 };
            }
        }
        let mut met = Vec::new();
        roots_and_stationary_points(&p, |z| met.push(z));
        for root in roots {
            assert!(met.iter().any(|z| (z - root).abs() < 1e-12), "{root} not in {met:?}");
        }
        let mut met = Vec::new();
        roots_and_stationary_points(&[0.25, -1.0, 1.0, 0.0, 0.0], |z| met.push(z));
        assert!(met.iter().any(|z| (z - 0.5).abs() < 1e-12), "{met:?}");
        roots_and_stationary_points(&[f64::NAN; 5], |_| {});
        roots_and_stationary_points(&[0.0; 5], |z| assert!(z.abs() <= 1.0));
    }
}
