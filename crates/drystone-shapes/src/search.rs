//! Roots and largest values of functions of one angle or one direction. It knows no shapes.

use drystone_math::Vector;

/// Directions tried on a circle before climbing.
const AROUND: usize = 24;
/// The golden ratio less one.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The root of an increasing function between two places where its values are known, negative and positive: false
/// position, halving the weight of an end that stays (Dowell, Jarratt 1971).
pub(crate) fn root(f: &impl Fn(f64) -> f64, low: (f64, f64), high: (f64, f64)) -> f64 {
    let ((mut low, mut at_low), (mut high, mut at_high)) = (low, high);
    let mut best = if at_low.abs() < at_high.abs() { (low, at_low) } else { (high, at_high) };
    let mut stayed = 0;
    for step in 0..100 {
        let guess = low - at_low * (high - low) / (at_high - at_low);
        // every third step halves the interval, whatever the function
        let middle = if step % 3 == 2 || !(guess > low && guess < high) { 0.5 * (low + high) } else { guess };
        if middle <= low || middle >= high {
            break;
        }
        let value = f(middle);
        if value.abs() < best.1.abs() {
            best = (middle, value);
        }
        if value == 0.0 {
            break;
        }
        if value < 0.0 {
            (low, at_low) = (middle, value);
            at_high *= if stayed == 1 { 0.5 } else { 1.0 };
            stayed = 1;
        } else {
            (high, at_high) = (middle, value);
            at_low *= if stayed == -1 { 0.5 } else { 1.0 };
            stayed = -1;
        }
    }
    best.0
}

/// The unit vectors square to `axis` where `f` has its largest values: of the local maxima around the circle the best two.
pub(crate) fn largest_on_circle(axis: &Vector<3>, f: &impl Fn(&Vector<3>) -> f64) -> [Vector<3>; 2] {
    let (u, v) = square_to(axis);
    let at = |angle: f64| u * angle.cos() + v * angle.sin();
    let step = std::f64::consts::TAU / AROUND as f64;
    let values: [f64; AROUND] = std::array::from_fn(|k| f(&at(step * k as f64)));
    let mut best = [(0.0, f64::NEG_INFINITY); 2];
    for k in 0..AROUND {
        let (before, after) = (values[(k + AROUND - 1) % AROUND], values[(k + 1) % AROUND]);
        if values[k] < before || values[k] < after || values[k] <= best[1].1 {
            continue;
        }
        best[1] = (step * k as f64, values[k]);
        if best[1].1 > best[0].1 {
            best.swap(0, 1);
        }
    }
    best.map(|(angle, _)| at(climb(&|angle| f(&at(angle)), angle - step, angle + step)))
}

/// The place of the largest value between two places: golden sections, down to where the value no longer changes.
fn climb(f: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let (mut left, mut right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..44 {
        if at_left > at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - GOLDEN * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + GOLDEN * (high - low);
            at_right = f(right);
        }
    }
    0.5 * (low + high)
}

/// Unit vectors near each start where `f` is largest: steps in four directions, halved when none climbs.
pub(crate) fn largest_on_sphere<const K: usize>(
    starts: &[Vector<3>; K],
    f: &impl Fn(&Vector<3>) -> f64,
) -> [Vector<3>; K] {
    starts.map(|start| {
        let mut n = start.try_normalize(0.0).unwrap_or_else(Vector::<3>::z);
        let mut value = f(&n);
        let mut step = 0.25;
        let mut last: Option<Vector<3>> = None;
        for _ in 0..400 {
            let (u, v) = square_to(&n);
            // first on in the direction that climbed before
            let again = last.map(|way| (way - n * n.dot(&way)).normalize());
            let ways = [
                again.unwrap_or(u),
                u,
                v,
                -u,
                -v,
                (u + v) * 0.7,
                (u - v) * 0.7,
                (v - u) * 0.7,
                (u + v) * -0.7,
            ];
            let tries = ways.iter().map(|way| ((n + way * step).normalize(), way));
            let mut climbed = false;
            for (other, way) in tries {
                let at = f(&other);
                if at > value {
                    (n, value, last, climbed) = (other, at, Some(*way), true);
                    break;
                }
            }
            if climbed {
                step = (1.5 * step).min(0.5);
            } else {
                step *= 0.4;
                last = None;
            }
            if step < 1e-9 {
                break;
            }
        }
        n
    })
}

/// Two unit vectors square to a unit vector and to each other.
fn square_to(n: &Vector<3>) -> (Vector<3>, Vector<3>) {
    let frame = crate::frame_from_normal(n);
    (frame.column(1).into_owned(), frame.column(2).into_owned())
}
