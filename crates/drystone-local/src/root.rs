//! The first root of a function of one multiplier, in a bracket that never opens. Knows no contact.

/// Doublings of the multiplier after which there is no root: two hundred octaves from rounding to infinity.
const MOST_DOUBLINGS: usize = 100;

/// The secant ends in six to ten steps, bisection alone in about sixty.
const MOST_STEPS: usize = 120;

/// The multiplier `α ≥ 0` at which `inside` stops being negative: 0 where it is not negative there, infinity
/// where it always is. `scale` is the size of a multiplier that changes anything. A function that is
/// infinite, or broken at 0 alone, does no harm.
pub(super) fn first_root(scale: f64, mut inside: impl FnMut(f64) -> f64) -> f64 {
    let at_zero = inside(0.0);
    if at_zero >= 0.0 {
        return 0.0;
    }
    // as good as zero, where a singular block has an answer at last
    let smallest = scale * f64::EPSILON;
    let mut low = (smallest, inside(smallest));
    if low.1 >= 0.0 {
        return smallest;
    }
    let mut high = (0.25 * scale, 0.0);
    for doubling in 0.. {
        high.1 = inside(high.0);
        if high.1 >= 0.0 {
            break;
        }
        if doubling == MOST_DOUBLINGS {
            return f64::INFINITY;
        }
        low = high;
        high.0 *= 4.0;
    }
    bisect(low, high, inside)
}

/// The root between `low`, where the function is negative, and `high`: the secant of the bracket with the
/// Illinois rule (Dowell, Jarratt 1971), and a bisection whenever two steps have not halved the bracket.
fn bisect(mut low: (f64, f64), mut high: (f64, f64), mut inside: impl FnMut(f64) -> f64) -> f64 {
    let mut width = high.0 - low.0;
    let mut best = if high.1 < -low.1 { high } else { low };
    let mut last_side = 0;
    for step in 0..MOST_STEPS {
        if high.0 - low.0 <= 2.0 * f64::EPSILON * high.0 {
            break;
        }
        let secant = low.0 + (high.0 - low.0) * (-low.1 / (high.1 - low.1));
        let slow = step % 3 == 2 && high.0 - low.0 > 0.5 * width;
        if step % 3 == 2 {
            width = high.0 - low.0;
        }
        let middle = match slow || !(secant > low.0 && secant < high.0) {
            // far apart, halve the exponent
            true if high.0 > 16.0 * low.0 => (low.0 * high.0).sqrt(),
            true => 0.5 * (low.0 + high.0),
            false => secant,
        };
        if !(middle > low.0 && middle < high.0) {
            break;
        }
        let here = inside(middle);
        if here.abs() < best.1.abs() {
            best = (middle, here);
        }
        if here.abs() <= f64::EPSILON {
            break;
        }
        // the end that stays twice counts half, lest the secant creep
        if here < 0.0 {
            low = (middle, here);
            if last_side == -1 {
                high.1 *= 0.5;
            }
            last_side = -1;
        } else {
            high = (middle, here);
            if last_side == 1 {
                low.1 *= 0.5;
            }
            last_side = 1;
        }
    }
    // at a jump no value is small, and the far side is the one inside
    if best.1.abs() < 1e-3 { best.0 } else { high.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_root_at_any_scale() {
        for exponent in -12..=12 {
            let root = 3.7 * 10f64.powi(exponent);
            let linear = first_root(1.0, |x| x / root - 1.0);
            assert!((linear / root - 1.0).abs() < 4.0 * f64::EPSILON, "{root} {linear}");
            let bent = first_root(1.0, |x| (x / root).cbrt().min(1e3) - (root / (x + 1e-9 * root)).sqrt());
            assert!((bent / root - 1.0).abs() < 1e-8, "{root} {bent}");
        }
        assert_eq!(first_root(1.0, |_| 1.0), 0.0);
        assert_eq!(first_root(1.0, |_| -1.0), f64::INFINITY);
        assert_eq!(first_root(1.0, |x| if x < 2.0 { -1.0 } else { f64::INFINITY }).round(), 2.0);
    }
}
