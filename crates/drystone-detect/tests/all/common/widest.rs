//! The largest separation of two convex bodies over all directions, in twice the digits. Slow, and knows no
//! code of ours.
//!
//! Along a unit direction `n` two bodies are `F(n) = min n·y − max n·x` apart. The largest `F` is the
//! distance of bodies apart and less the depth of those that overlap. `F` is smooth but for creases: the
//! circles square to an edge or to the axis of a side, where these circles cross, the normals of faces and
//! the axes of disks. So the largest value is found by looking along all crossings and axes, along all
//! circles, and all over the sphere from many starts; each is a plain search with doubles that ends in many
//! digits.

use super::double::{self, Double, Triple};
use super::support::*;

/// The largest separation of two bodies, from the first to the second. All directions have less: one that is
/// claimed to be the best may be `tried` as well.
pub fn widest_separation(a: &Solid, b: &Solid, tried: Option<&Triple>) -> Double {
    let radii = Double::from(a.radius) + b.radius.into();
    let mut search = Search::new(a, b);
    if let Some(n) = tried {
        search.finish(&rough(n));
    }
    search.run() - radii
}

/// The search for the largest separation of two cores.
struct Search<'a> {
    a: &'a Solid,
    b: &'a Solid,
    plain: Couple<f64>,
    exact: Couple<Double>,
    /// Directions from the plain search, with their values; of those on a circle the axis of the circle.
    found: Vec<(f64, Three<f64>, Option<Triple>)>,
    best: (Double, Triple),
    size: f64,
}

impl<'a> Search<'a> {
    fn new(a: &'a Solid, b: &'a Solid) -> Self {
        Self {
            a,
            b,
            plain: Couple { a: a.plain(), b: b.plain() },
            exact: Couple { a: a.core.clone(), b: b.core.clone() },
            found: Vec::new(),
            best: (Double::from(f64::MIN), fine(&[0.0, 0.0, 1.0])),
            size: a.size + b.size,
        }
    }

    fn run(&mut self) -> Double {
        self.look_at_crossings();
        for axis in self.a.edges.iter().chain(&self.b.edges) {
            self.look_along_circle(axis);
        }
        self.look_all_over();
        let most = self.found.iter().map(|one| one.0).fold(self.best.0.high, f64::max);
        let mut done: Vec<(Three<f64>, bool)> = Vec::new();
        for (value, n, circle) in std::mem::take(&mut self.found) {
            let again = |one: &(Three<f64>, bool)| {
                let off = along(&one.0, &n, -1.0);
                one.1 == circle.is_some() && dot(&off, &off) < 1e-18
            };
            if value >= most - 1e-6 * self.size && !done.iter().any(again) {
                done.push((n, circle.is_some()));
                match circle {
                    Some(axis) => self.finish_on_circle(&axis, &n),
                    None => self.finish(&n),
                }
            }
        }
        self.best.0
    }

    fn judge(&mut self, n: &Triple) {
        let value = self.exact.separation(n);
        if value > self.best.0 {
            self.best = (value, *n);
        }
    }

    fn judge_both(&mut self, n: &Triple) {
        self.judge(n);
        self.judge(&n.map(|x| -x));
    }

    fn axes(&self) -> impl Iterator<Item = Triple> + use<> {
        let disks = [self.a, self.b].map(|solid| solid.core.disk.map(|disk| disk.0));
        disks.into_iter().flatten()
    }

    fn look_at_crossings(&mut self) {
        for n in self.a.faces.iter().chain(&self.b.faces) {
            self.judge_both(n);
        }
        self.axes().for_each(|axis| self.judge_both(&axis));
        for one in &self.a.edges {
            for two in &self.b.edges {
                let product = cross(one, two);
                if double::norm(&product) > Double::from(1e-25) {
                    self.judge_both(&unit(&product));
                }
            }
        }
        // the nearest corners
        for one in &self.a.core.corners {
            for two in &self.b.core.corners {
                let way = double::minus(two, one);
                if double::norm(&way) > Double::from(1e-25 * self.size) {
                    self.judge_both(&unit(&way));
                }
            }
        }
    }

    /// The largest values among directions square to an axis.
    fn look_along_circle(&mut self, axis: &Triple) {
        let [u, v] = square_to(&rough(axis));
        let mut angles: Vec<f64> = (0..120).map(|k| f64::from(k) * std::f64::consts::TAU / 120.0).collect();
        // closer where a disk is nearly flat on, and where its centre is ahead
        let centres = self.a.core.corners.iter().flat_map(|one| {
            let ahead = self.b.core.corners.iter().map(|two| double::minus(two, one));
            ahead.take(4)
        });
        let special: Vec<_> = self.axes().chain(centres.take(8)).map(|way| rough(&way)).collect();
        for way in special {
            let middle = dot(&v, &way).atan2(dot(&u, &way));
            for side in [middle, middle + std::f64::consts::PI] {
                angles.push(side.rem_euclid(std::f64::consts::TAU));
                for k in 0..22 {
                    let off = 10f64.powf(-0.5 * f64::from(k) - 0.3);
                    angles.extend([side + off, side - off].map(|x| x.rem_euclid(std::f64::consts::TAU)));
                }
            }
        }
        angles.sort_by(f64::total_cmp);
        let at = |angle: f64| unit(&along(&u.map(|x| x * angle.cos()), &v, angle.sin()));
        let f = |angle: f64| self.plain.separation(&at(angle));
        let values: Vec<f64> = angles.iter().map(|&angle| f(angle)).collect();
        let count = angles.len();
        let mut found = Vec::new();
        for k in 0..count {
            let (before, after) = ((k + count - 1) % count, (k + 1) % count);
            if values[k] < values[before] || values[k] < values[after] {
                continue;
            }
            let turn = std::f64::consts::TAU;
            let low = angles[before] - if before > k { turn } else { 0.0 };
            let high = angles[after] + if after < k { turn } else { 0.0 };
            let best = golden(low, high, 60, f);
            let best = if f(best) >= values[k] { best } else { angles[k] };
            found.push((f(best), at(best), Some(*axis)));
        }
        self.found.extend(found);
    }

    /// Steps of Newton's method from many starts, each as long as the separation grows.
    fn look_all_over(&mut self) {
        let mut starts: Vec<Three<f64>> = Vec::new();
        let turn = std::f64::consts::TAU * 0.618_033_988_749_894_9;
        for k in 0..300 {
            let z = 1.0 - (2.0 * f64::from(k) + 1.0) / 300.0;
            let (s, c) = (turn * f64::from(k)).sin_cos();
            let r = (1.0 - z * z).sqrt();
            starts.push([r * c, r * s, z]);
        }
        for axis in self.axes() {
            let axis = rough(&axis);
            let [u, v] = square_to(&axis);
            for k in 0..100 {
                let off = 10f64.powf(-0.1 * f64::from(k));
                let (s, c) = (turn * f64::from(k)).sin_cos();
                let near = unit(&along(&along(&axis, &u, off * c), &v, off * s));
                starts.extend([near, near.map(|x| -x)]);
            }
        }
        starts.extend(self.found.iter().map(|one| one.1));
        starts.push(rough(&self.best.1));
        let mut tried: Vec<_> = starts.into_iter().map(|n| (self.plain.separation(&n), n)).collect();
        tried.sort_by(|one, two| two.0.total_cmp(&one.0));
        for &(value, n) in tried.iter().step_by(tried.len().div_ceil(24)).chain(&tried[..16]) {
            let (value, n) = self.climb(value, n);
            self.found.push((value, n, None));
        }
    }

    fn climb(&self, mut value: f64, mut n: Three<f64>) -> (f64, Three<f64>) {
        let mut more = 0.0;
        for _ in 0..60 {
            let next = self.plain.step(&n, more);
            let reached = self.plain.separation(&next);
            if reached > value {
                let gain = reached - value;
                (value, n, more) = (reached, next, more * 0.2);
                if gain < 1e-16 * self.size {
                    break;
                }
            } else {
                more = (4.0 * more).max(1e-3 * value.abs() + 1e-12 * self.size);
                if more > 1e9 * self.size {
                    break;
                }
            }
        }
        (value, n)
    }

    fn finish(&mut self, n: &Three<f64>) {
        let mut n = unit(&fine(n));
        self.judge(&n);
        for _ in 0..6 {
            n = self.exact.step(&n, Double::ZERO);
            self.judge(&n);
        }
    }

    fn finish_on_circle(&mut self, axis: &Triple, n: &Three<f64>) {
        let n = fine(n);
        let n = unit(&along(&n, axis, -dot(&n, axis)));
        let aside = cross(axis, &n);
        let at = |t: Double| unit(&along(&n, &aside, t));
        let near = Double::from(1e-6);
        let best = golden(-near, near, 100, |t| self.exact.separation(&at(t)));
        self.judge(&n);
        self.judge(&at(best));
    }
}

/// The place of the largest value between two places, by golden sections.
pub fn golden<N: Number>(low: N, high: N, steps: usize, f: impl Fn(N) -> N) -> N {
    let part = (N::from(5.0).root() - N::from(1.0)) / N::from(2.0);
    let (mut low, mut high) = (low, high);
    let (mut left, mut right) = (high - part * (high - low), low + part * (high - low));
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..steps {
        if at_left > at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - part * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + part * (high - low);
            at_right = f(right);
        }
    }
    (low + high) / N::from(2.0)
}
