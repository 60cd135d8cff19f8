//! Roots and largest values of functions of one angle or one direction. It knows no shapes.

use drystone_math::Vector;
use drystone_math::portable;

/// Directions tried on a circle before climbing.
const AROUND: usize = 24;
/// The golden ratio less one.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The root of an increasing function between two places where its values are known, negative and positive:
/// false position, halving the weight of an end that stays (Dowell, Jarratt 1971).
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

/// The unit vectors square to `axis` where `f` has its largest values: of the local maxima around the circle
/// the best two.
pub(crate) fn largest_on_circle(axis: &Vector<3>, f: &impl Fn(&Vector<3>) -> f64) -> [Vector<3>; 2] {
    let (u, v) = square_to(axis);
    let at = |angle: f64| u * portable::cos(angle) + v * portable::sin(angle);
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

/// The place of the largest value between two places: golden sections, down to where the value no longer
/// changes.
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

/// A function of directions that grows with their length: its value is `n·slope`, and over the sphere it
/// bends by `-curvature` along each of two unit ways, besides the bend of the sphere itself.
pub(crate) struct Look {
    pub slope: Vector<3>,
    pub bends: [(Vector<3>, f64); 2],
}

/// A unit vector near the start where the function is largest as far as it is smooth: Newton's method on the
/// sphere, held back while it does not climb (Levenberg 1944), then let go until the slope is rounding.
pub(crate) fn largest_on_sphere(start: &Vector<3>, look: &impl Fn(&Vector<3>) -> Look) -> Vector<3> {
    let mut n = start.try_normalize(0.0).unwrap_or_else(Vector::<3>::z);
    let mut here = look(&n);
    let mut more = 0.0;
    for _ in 0..60 {
        let value = n.dot(&here.slope);
        let size = here.slope.norm();
        let next = newton(&n, &here, more);
        let there = look(&next);
        let reached = next.dot(&there.slope);
        if reached > value {
            (n, here, more) = (next, there, 0.2 * more);
            if reached - value <= 4.0 * f64::EPSILON * size {
                break;
            }
        } else {
            more = f64::max(4.0 * more, 1e-3 * value.abs() + 1e-9 * size);
            if more > 1e9 * size {
                break;
            }
        }
    }
    let aside = |n: &Vector<3>, look: &Look| (look.slope - n * n.dot(&look.slope)).norm();
    for _ in 0..4 {
        let next = newton(&n, &here, 0.0);
        let there = look(&next);
        if aside(&next, &there).partial_cmp(&aside(&n, &here)) != Some(std::cmp::Ordering::Less) {
            break;
        }
        (n, here) = (next, there);
    }
    n
}

/// One step of Newton's method on the sphere; `more` is added to the curvature.
fn newton(n: &Vector<3>, look: &Look, more: f64) -> Vector<3> {
    let (u, v) = square_to(n);
    let all = n.dot(&look.slope) + more;
    let [mut uu, mut uv, mut vv] = [all, 0.0, all];
    for (way, curvature) in &look.bends {
        let (x, y) = (u.dot(way), v.dot(way));
        (uu, uv, vv) = (uu + curvature * x * x, uv + curvature * x * y, vv + curvature * y * y);
    }
    let (x, y) = (u.dot(&look.slope), v.dot(&look.slope));
    let determinant = uu * vv - uv * uv;
    if determinant == 0.0 {
        return *n;
    }
    let step = u * ((vv * x - uv * y) / determinant) + v * ((uu * y - uv * x) / determinant);
    (n + step).try_normalize(0.0).filter(|n| n.iter().all(|x| x.is_finite())).unwrap_or(*n)
}

/// The unit vectors square to `axis` where a function is largest that is smooth but for a peak near `peak`
/// and a crease square to it: the local maxima around the circle. `slope(n)` is as in [`Look`].
pub(crate) fn peaks_on_circle(
    axis: &Vector<3>,
    peak: &Vector<3>,
    slope: &impl Fn(&Vector<3>) -> Vector<3>,
) -> std::iter::Take<std::array::IntoIter<Vector<3>, PEAKS>> {
    let ahead = peak - axis * axis.dot(peak);
    let (u, v) = match ahead.try_normalize(1e-12) {
        // once more: what is left of a small difference need not be square
        Some(u) => {
            let u = (u - axis * axis.dot(&u)).normalize();
            (u, axis.cross(&u))
        }
        None => square_to(axis),
    };
    // how far the circle passes from the peak
    let width = axis.dot(peak).abs().max(1e-10);
    let at = |angle: f64| u * portable::cos(angle) + v * portable::sin(angle);
    let mut angles = Angles::default();
    angles.fill(width);
    let value = |angle: f64| {
        let n = at(angle);
        n.dot(&slope(&n))
    };
    let count = angles.count;
    let angle = |k: usize| angles.of(k);
    let mut found = [Vector::zeros(); PEAKS];
    let mut peaks = 0;
    let (mut before, mut here) = (value(angle(count - 1)), value(angle(0)));
    let first = here;
    for k in 0..count {
        let after = if k + 1 < count { value(angle(k + 1)) } else { first };
        if here >= before && here >= after && peaks < PEAKS {
            let turn = std::f64::consts::TAU;
            let low = if k == 0 { angle(count - 1) - turn } else { angle(k - 1) };
            let high = if k + 1 == count { angle(0) + turn } else { angle(k + 1) };
            let falling =
                |angle: f64| -(v * portable::cos(angle) - u * portable::sin(angle)).dot(&slope(&at(angle)));
            found[peaks] = at(level(&falling, low, angle(k), high));
            peaks += 1;
        }
        (before, here) = (here, after);
    }
    found.into_iter().take(peaks)
}

/// Most local maxima around a circle: one in each quarter and one at each peak and crease.
const PEAKS: usize = 8;

/// Where an increasing function is zero on one side of a place or the other: a crease is such a place itself.
fn level(f: &impl Fn(f64) -> f64, low: f64, middle: f64, high: f64) -> f64 {
    let (from, to) = if f(middle) < 0.0 { (middle, high) } else { (low, middle) };
    let (first, last) = (f(from), f(to));
    if first < 0.0 && last > 0.0 { root(f, (from, first), (to, last)) } else { middle }
}

/// Most angles of a quarter of the circle.
const QUARTER: usize = 32;

/// Angles around the circle, the same in each quarter, closer near the peaks at 0 and half a turn.
struct Angles {
    quarter: [f64; QUARTER],
    inner: usize,
    count: usize,
}

impl Default for Angles {
    fn default() -> Self {
        Self { quarter: [0.0; QUARTER], inner: 0, count: 0 }
    }
}

impl Angles {
    /// From the width of the peak on: four times as far each, then evenly.
    fn fill(&mut self, width: f64) {
        let even = std::f64::consts::FRAC_PI_2 / 8.0;
        let mut angle = 0.5 * width;
        self.inner = 1;
        while angle < 0.5 * even && self.inner < QUARTER - 8 {
            self.quarter[self.inner] = angle;
            self.inner += 1;
            angle *= 4.0;
        }
        for k in 1..8 {
            self.quarter[self.inner] = even * f64::from(k);
            self.inner += 1;
        }
        self.count = 4 * self.inner;
    }

    /// The angle of this rank around the whole circle, increasing.
    fn of(&self, rank: usize) -> f64 {
        let (quarter, rank) = (rank / self.inner, rank % self.inner);
        let start = std::f64::consts::FRAC_PI_2 * quarter as f64;
        // even quarters begin at a peak, odd ones end there
        match (quarter % 2, rank) {
            (0, _) => start + self.quarter[rank],
            (_, 0) => start,
            _ => start + std::f64::consts::FRAC_PI_2 - self.quarter[self.inner - rank],
        }
    }
}

/// Two unit vectors square to a unit vector and to each other.
fn square_to(n: &Vector<3>) -> (Vector<3>, Vector<3>) {
    let frame = drystone_geometry::frame_from_normal(n);
    (frame.column(1).into_owned(), frame.column(2).into_owned())
}
