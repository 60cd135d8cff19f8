//! The chain of disks around a plane sample: those that a ball touches which rolls around it from outside.
//! Presses nothing, and knows no body.

use drystone_math::Vector;
use std::collections::BTreeMap;

/// Turns less than this, in quarters of a turn, are rounding: the ball touches several disks at once.
const ROUNDING: f64 = 1e-9;

/// One link of an outline: from a disk to the next one, which is that of the next link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutlineLink {
    /// Index of the disk.
    pub disk: usize,
    /// Centre of the ball that lies on this disk and on the next one \[m\].
    pub ball: Vector<2>,
}

/// The closed chain of disks that a ball of radius `ball` \[m\] touches as it rolls around them, against the
/// clock: the boundary of the α-shape (Edelsbrunner, Kirkpatrick, Seidel 1983) of disks, its holes left out.
///
/// Disks between which the ball cannot pass belong together; the chain is that of the largest number of such
/// disks, of those that are equal that with the first disk. A disk where the ball passes several times is in
/// the chain as often. Empty where no two disks belong together, or where there is no such ball.
pub fn outline(centres: &[Vector<2>], radii: &[f64], ball: f64) -> Vec<OutlineLink> {
    let fine = |x: f64| x.is_finite() && x >= 0.0;
    let is_good = ball > 0.0 && centres.len() == radii.len();
    if !is_good || !radii.iter().all(|&r| fine(r)) || !centres.iter().flatten().all(|x| x.is_finite()) {
        return Vec::new();
    }
    let sample = DiskCells::new(centres, radii, ball);
    let Some(first) = sample.leftmost() else { return Vec::new() };
    let mut chain: Vec<OutlineLink> = Vec::new();
    let (mut pivot, mut towards) = (first, Vector::<2>::new(-1.0, 0.0));
    // a chain passes each of the at most 3 n pairs of neighbours at most twice
    for _ in 0..6 * centres.len() + 2 {
        let Some((next, place)) = sample.roll(pivot, &towards) else { return Vec::new() };
        // the first pair comes again when the ball is around
        if chain.len() > 1 && pivot == first && chain[1].disk == next && chain[0].ball == place {
            return chain;
        }
        chain.push(OutlineLink { disk: pivot, ball: place });
        towards = (place - centres[next]) / sample.reach(next);
        pivot = next;
    }
    Vec::new()
}

/// Area inside of the straight lines between the centres of a chain \[m²\].
pub fn outline_area(chain: &[OutlineLink], centres: &[Vector<2>]) -> f64 {
    let twice = |[a, b]: [Vector<2>; 2]| a[0] * b[1] - a[1] * b[0];
    0.5 * segments(chain, centres).map(twice).sum::<f64>()
}

/// Length of these lines \[m\].
pub fn outline_length(chain: &[OutlineLink], centres: &[Vector<2>]) -> f64 {
    segments(chain, centres).map(|[a, b]| (b - a).norm()).sum()
}

fn segments<'a>(
    chain: &'a [OutlineLink],
    centres: &'a [Vector<2>],
) -> impl Iterator<Item = [Vector<2>; 2]> + 'a {
    let next = chain.iter().cycle().skip(1);
    chain.iter().zip(next).map(|(a, b)| [centres[a.disk], centres[b.disk]])
}

/// Disks in the cells of a grid.
struct DiskCells<'a> {
    centres: &'a [Vector<2>],
    radii: &'a [f64],
    ball: f64,
    cell: f64,
    grid: BTreeMap<[i64; 2], Vec<usize>>,
}

impl<'a> DiskCells<'a> {
    fn new(centres: &'a [Vector<2>], radii: &'a [f64], ball: f64) -> Self {
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let mut sample = Self { centres, radii, ball, cell: 2.0 * (largest + ball), grid: BTreeMap::new() };
        for (disk, centre) in centres.iter().enumerate() {
            sample.grid.entry(sample.cell_of(centre)).or_default().push(disk);
        }
        sample
    }

    fn cell_of(&self, place: &Vector<2>) -> [i64; 2] {
        [0, 1].map(|axis| (place[axis] / self.cell).floor() as i64)
    }

    /// Distance of the ball's centre from that of a disk it touches.
    fn reach(&self, disk: usize) -> f64 {
        self.radii[disk] + self.ball
    }

    /// Other disks that the ball can touch together with this one, in a fixed order.
    fn neighbours(&self, disk: usize) -> impl Iterator<Item = usize> + '_ {
        let [i, j] = self.cell_of(&self.centres[disk]);
        let around =
            (-1..=1).flat_map(move |a| (-1..=1).map(move |b| [i.saturating_add(a), j.saturating_add(b)]));
        let all = around.filter_map(|cell| self.grid.get(&cell)).flatten().copied();
        all.filter(move |&other| {
            let apart = (self.centres[other] - self.centres[disk]).norm();
            other != disk && apart < self.reach(disk) + self.reach(other)
        })
    }

    /// The disk farthest to the left of those that belong together.
    fn leftmost(&self) -> Option<usize> {
        let mut seen = vec![false; self.centres.len()];
        let mut best: Vec<usize> = Vec::new();
        for disk in 0..self.centres.len() {
            if seen[disk] {
                continue;
            }
            seen[disk] = true;
            let (mut all, mut done) = (vec![disk], 0);
            while let Some(&one) = all.get(done) {
                done += 1;
                for other in self.neighbours(one) {
                    if !std::mem::replace(&mut seen[other], true) {
                        all.push(other);
                    }
                }
            }
            if all.len() > best.len() {
                best = all;
            }
        }
        let left = |disk: &usize| self.centres[*disk][0] - self.radii[*disk];
        best.into_iter().min_by(|a, b| left(a).total_cmp(&left(b)).then(a.cmp(b)))
    }

    /// The disk that a ball meets first which rolls on `pivot` against the clock, and where it then is;
    /// `towards` is the unit vector from the disk to the ball.
    fn roll(&self, pivot: usize, towards: &Vector<2>) -> Option<(usize, Vector<2>)> {
        let (centre, own) = (self.centres[pivot], self.reach(pivot));
        let mut first: Option<(f64, usize, Vector<2>)> = None;
        for other in self.neighbours(pivot) {
            let apart = self.centres[other] - centre;
            let square = apart.norm_squared();
            // where the circles of the ball's centre about both cross: along and across the line between
            let along = 0.5 * (own * own + square - self.reach(other).powi(2)) / square;
            let across = own * own / square - along * along;
            if across.is_nan() || across <= 0.0 {
                continue;
            }
            let across = across.sqrt();
            // the crossing that comes before the disk: to the right of the way to it
            let place = Vector::<2>::new(apart[1], -apart[0]) * across + apart * along;
            let turn = turn(towards, &(place / own));
            let turn = if turn > 4.0 - ROUNDING { 0.0 } else { turn };
            if first.as_ref().is_none_or(|&(least, ..)| turn < least) {
                first = Some((turn, other, centre + place));
            }
        }
        first.map(|(_, other, place)| (other, place))
    }
}

/// How far the second unit vector is turned from the first against the clock, from 0 to 4: grows with the
/// angle, without a sine.
fn turn(from: &Vector<2>, to: &Vector<2>) -> f64 {
    let (cosine, sine) = (from.dot(to), from[0] * to[1] - from[1] * to[0]);
    let share = cosine / (cosine.abs() + sine.abs());
    if sine >= 0.0 { 1.0 - share } else { 3.0 + share }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from 0 to 1 that repeat.
    fn random(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    fn scattered(seed: u64, count: usize) -> (Vec<Vector<2>>, Vec<f64>) {
        let mut random = random(seed);
        let centres = (0..count).map(|_| Vector::<2>::new(random(), random())).collect();
        (centres, (0..count).map(|_| 0.02 + 0.02 * random()).collect())
    }

    /// All pairs on which a ball can lie that touches no other disk: also those around holes.
    fn bare_pairs(centres: &[Vector<2>], radii: &[f64], ball: f64) -> Vec<[usize; 2]> {
        let mut pairs = Vec::new();
        for a in 0..centres.len() {
            for b in (0..centres.len()).filter(|&b| b != a) {
                let (ra, rb, d) = (radii[a] + ball, radii[b] + ball, (centres[b] - centres[a]).norm());
                let cosine = (ra * ra + d * d - rb * rb) / (2.0 * ra * d);
                if cosine.abs() >= 1.0 {
                    continue;
                }
                let way = centres[b] - centres[a];
                let angle = way[1].atan2(way[0]) - cosine.acos();
                let place = centres[a] + Vector::<2>::new(angle.cos(), angle.sin()) * ra;
                let is_free = |k: usize| k == a || k == b || (place - centres[k]).norm() > radii[k] + ball;
                if (0..centres.len()).all(is_free) {
                    pairs.push([a, b]);
                }
            }
        }
        pairs
    }

    #[test]
    fn every_link_is_one_that_brute_force_finds_and_none_lies_outside() {
        let mut holes = 0;
        for seed in 1..=30 {
            let (centres, radii) = scattered(seed, 60);
            let ball = 0.08;
            let chain = outline(&centres, &radii, ball);
            let pairs = bare_pairs(&centres, &radii, ball);
            assert!(chain.len() > 8, "{seed}: {}", chain.len());
            for (link, next) in chain.iter().zip(chain.iter().cycle().skip(1)) {
                assert!(pairs.contains(&[link.disk, next.disk]), "{seed}: {} {}", link.disk, next.disk);
            }
            holes += usize::from(pairs.len() > chain.len());
            assert!(outline_area(&chain, &centres) > 0.0);
        }
        assert!(holes > 5, "no sample had a hole or a second part: {holes}");
    }

    #[test]
    fn a_large_ball_rolls_over_the_convex_hull() {
        let (centres, _) = scattered(7, 80);
        let chain = outline(&centres, &vec![0.0; 80], 1e6);
        let is_left = |a: usize, b: usize| {
            let way = centres[b] - centres[a];
            centres.iter().all(|p| way[0] * (p - centres[a])[1] - way[1] * (p - centres[a])[0] > -1e-6)
        };
        assert!(chain.iter().zip(chain.iter().cycle().skip(1)).all(|(a, b)| is_left(a.disk, b.disk)));
    }

    #[test]
    fn a_ball_that_touches_three_at_once_goes_on() {
        // in a notch: all three a metre from where the ball then is, the chain closed by a fourth far below
        let on = |degrees: f64| Vector::<2>::new(degrees.to_radians().cos(), degrees.to_radians().sin());
        let centres = [on(200.0), on(270.0), on(340.0), Vector::<2>::new(0.0, -1.9)];
        let chain = outline(&centres, &[0.5; 4], 0.5);
        let mut disks: Vec<_> = chain.iter().map(|link| link.disk).collect();
        assert!((3..=6).contains(&disks.len()), "{disks:?}");
        disks.sort_unstable();
        disks.dedup();
        assert!([0, 2, 3].iter().all(|disk| disks.contains(disk)), "{disks:?}");
    }

    #[test]
    fn a_lattice_has_its_rim() {
        let centres: Vec<_> = (0..30).map(|k| Vector::<2>::new((k % 6) as f64, (k / 6) as f64)).collect();
        let chain = outline(&centres, &[0.5; 30], 0.5);
        assert_eq!(chain.len(), 18);
        assert!((outline_area(&chain, &centres) - 20.0).abs() < 1e-12);
        assert!((outline_length(&chain, &centres) - 18.0).abs() < 1e-12);
    }

    #[test]
    fn the_larger_part_counts_and_nothing_has_no_outline() {
        let mut centres: Vec<_> = (0..4).map(|k| Vector::<2>::new(k as f64, 0.0)).collect();
        centres.extend((0..2).map(|k| Vector::<2>::new(k as f64 - 9.0, 0.0)));
        let chain = outline(&centres, &[0.5; 6], 0.5);
        assert_eq!(chain.iter().map(|link| link.disk).collect::<Vec<_>>(), [0, 1, 2, 3, 2, 1]);
        assert_eq!(outline_area(&chain, &centres), 0.0);
        assert!(outline(&[], &[], 1.0).is_empty());
        assert!(outline(&centres[..1], &[0.5], 1.0).is_empty());
        assert!(outline(&centres, &[f64::NAN; 6], 0.5).is_empty());
        assert!(outline(&centres, &[0.5; 6], f64::NAN).is_empty());
    }
}
