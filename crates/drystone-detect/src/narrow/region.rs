//! Flat features seen along a contact normal and where two of them lie over each other: the contact points of
//! segments, faces and caps. It does not choose the normal: see `axes`.

use drystone_math::Vector;

use crate::narrow::{feature, segment};

/// Tilts below this are none: of eight points on a rim one is then as low as the lowest, to 1e-12 of the
/// radius.
pub(crate) const LEVEL: f64 = 1e-11;

/// Two regions and where they lie over each other, kept from pair to pair.
#[derive(Default)]
pub(crate) struct Regions {
    pub front: Region,
    pub back: Region,
    found: Vec<(u64, Vector<3>)>,
}

/// A feature seen along a unit direction: a point, a segment, a polygon or a disk. Its points keep their
/// heights.
#[derive(Default)]
pub(crate) struct Region {
    /// Corners in order, or points of the rim of a disk; each with its name.
    pub points: Vec<(Vector<3>, u64)>,
    /// Radius of a disk about `centre`.
    radius: Option<f64>,
    centre: Vector<3>,
    /// Normal of a polygon or a disk.
    normal: Option<Vector<3>>,
    along: Vector<3>,
}

impl Region {
    /// Becomes one corner, two ends or the corners of a face.
    pub fn polygon(
        &mut self,
        corners: impl IntoIterator<Item = (Vector<3>, u32)>,
        n: &Vector<3>,
        side: u64,
        normal: Option<Vector<3>>,
    ) {
        self.points.clear();
        self.points.extend(corners.into_iter().map(|(place, index)| (place, feature::vertex(side, index))));
        self.centre = self.points[0].0;
        (self.radius, self.normal, self.along) = (None, normal, *n);
    }

    /// Becomes a disk of this centre and radius with named points on its rim.
    pub fn disk(
        &mut self,
        (centre, radius): (Vector<3>, f64),
        normal: Vector<3>,
        rim: impl IntoIterator<Item = (Vector<3>, u32)>,
        n: &Vector<3>,
        side: u64,
    ) {
        self.points.clear();
        self.points.extend(rim.into_iter().map(|(place, index)| (place, feature::vertex(side, index))));
        self.centre = centre;
        (self.radius, self.normal, self.along) = (Some(radius), Some(normal), *n);
    }

    /// Height along the direction of the feature at the foot of `place`.
    fn height(&self, place: &Vector<3>) -> f64 {
        let n = &self.along;
        match (self.normal, self.points.as_slice()) {
            (Some(normal), _) => {
                let foot = place - n * n.dot(place);
                (self.centre - foot).dot(&normal) / n.dot(&normal)
            }
            (None, [(p, _), (q, _)]) => {
                let along = self.flat(&(q - p));
                let square = along.norm_squared();
                let t = if square > 0.0 { ((place - p).dot(&along) / square).clamp(0.0, 1.0) } else { 0.0 };
                n.dot(&(p + (q - p) * t))
            }
            (None, points) => n.dot(&points[0].0),
        }
    }

    /// From the centre of a disk to where a place is seen on it: seen along the direction a tilted disk is no
    /// circle.
    fn drop(&self, place: &Vector<3>) -> Vector<3> {
        let arm = place - self.centre;
        match self.normal {
            Some(normal) => arm - self.along * (arm.dot(&normal) / self.along.dot(&normal)),
            None => arm,
        }
    }

    /// What is left of a vector square to the direction.
    fn flat(&self, vector: &Vector<3>) -> Vector<3> {
        vector - self.along * self.along.dot(vector)
    }

    /// Whether the foot of a place is on the region, or out of it by no more than `slack`.
    fn holds(&self, place: &Vector<3>, slack: f64) -> bool {
        if let Some(radius) = self.radius {
            return self.drop(place).norm() <= radius + slack;
        }
        let count = self.points.len();
        match self.points.as_slice() {
            [(p, _)] => self.flat(&(place - p)).norm() <= slack,
            [(p, _), (q, _)] => {
                let along = self.flat(&(q - p));
                let square = along.norm_squared();
                let t = if square > 0.0 { ((place - p).dot(&along) / square).clamp(0.0, 1.0) } else { 0.0 };
                self.flat(&(place - p - (q - p) * t)).norm() <= slack
            }
            // a face looks along the direction: its corners turn about it
            points => (0..count).all(|k| {
                let (p, q) = (points[k].0, points[(k + 1) % count].0);
                let out = self.flat(&(q - p)).cross(&self.along).normalize();
                out.dot(&(place - p)) <= slack
            }),
        }
    }

    /// Whether all of it is at one height; never a point.
    fn is_level(&self) -> bool {
        match (self.normal, self.points.as_slice()) {
            (Some(normal), _) => self.flat(&normal).norm() <= LEVEL,
            (None, [(p, _), (q, _)]) => self.along.dot(&(q - p)).abs() <= LEVEL * (q - p).norm(),
            _ => false,
        }
    }

    /// The place of the region that is seen nearest to another, itself if that is seen on it.
    fn nearest(&self, place: &Vector<3>) -> Vector<3> {
        if self.holds(place, 0.0) {
            return *place;
        }
        if let Some(radius) = self.radius {
            let arm = self.drop(place);
            return self.centre + arm * (radius / arm.norm());
        }
        let at = |(_, p, q): (u32, Vector<3>, Vector<3>)| {
            let t = segment::parameter(&self.flat(place), &self.flat(&p), &self.flat(&q));
            p + (q - p) * t
        };
        let off = |p: &Vector<3>| self.flat(&(place - p)).norm();
        let nearest = self.sides().map(at).min_by(|p, q| off(p).total_cmp(&off(q)));
        nearest.unwrap_or(self.centre)
    }

    /// The sides, by rank of their first corner; none of a disk or a point.
    fn sides(&self) -> impl Iterator<Item = (u32, Vector<3>, Vector<3>)> + '_ {
        let count = if self.radius.is_some() { 0 } else { self.points.len() };
        let sides = match count {
            0 | 1 => 0,
            2 => 1,
            many => many,
        };
        (0..sides).map(move |k| (k as u32, self.points[k].0, self.points[(k + 1) % count].0))
    }
}

/// Calls `emit(name, point, gap)` for the points that span the part where the region in front, looking along
/// `n`, and the one at the back, looking along `-n`, lie over each other; `gap` is measured along `n`,
/// `point` is half way.
pub(crate) fn overlap(regions: &mut Regions, tolerance: f64, emit: &mut impl FnMut(u64, Vector<3>, f64)) {
    let Regions { front: a, back: b, found } = regions;
    let (a, b) = (&*a, &*b);
    let n = a.along;
    found.clear();
    let mut add = |name: u64, place: &Vector<3>| {
        let flat = place - n * n.dot(place);
        let near = |other: &(u64, Vector<3>)| (other.1 - flat).norm() <= 10.0 * tolerance || other.0 == name;
        match found.iter_mut().find(|other| near(other)) {
            Some(other) => other.0 = other.0.min(name),
            None => found.push((name, flat)),
        }
    };
    // two rims that coincide share their points: those of the first stand for both
    let both_round = a.radius.is_some() && b.radius.is_some();
    a.points.iter().filter(|point| b.holds(&point.0, tolerance)).for_each(|point| add(point.1, &point.0));
    let inner = if both_round { -10.0 * tolerance } else { tolerance };
    b.points.iter().filter(|point| a.holds(&point.0, inner)).for_each(|point| add(point.1, &point.0));
    for (i, p, q) in a.sides() {
        for (j, r, s) in b.sides() {
            if let Some(place) = crossing(&n, [&p, &q], [&r, &s]) {
                add(feature::crossing(i, j), &place);
            }
        }
    }
    for (polygon, disk, first) in [(a, b, true), (b, a, false)] {
        let Some(radius) = disk.radius else { continue };
        for (k, p, q) in polygon.sides() {
            for (root, place) in on_circle(disk, &p, &q, radius).into_iter().enumerate() {
                let name =
                    if first { feature::crossing(k, root as u32) } else { feature::crossing(root as u32, k) };
                place.into_iter().for_each(|place| add(name, &place));
            }
        }
    }
    if let (Some(ra), Some(rb)) = (a.radius, b.radius) {
        for (root, place) in circles(&n, (&a.centre, ra), (&b.centre, rb)).into_iter().flatten().enumerate() {
            if let Some(place) = on_both((a, ra), (b, rb), &place) {
                add(feature::crossing(root as u32, root as u32), &place);
            }
        }
    }
    for &(name, flat) in found.iter() {
        let (low, high) = (a.height(&flat), -b.height(&flat));
        emit(name, flat + n * (0.5 * (low + high)), high - low);
    }
}

/// Where the region in front and the one at the back are closest, or would touch first if they are not seen
/// over each other: the point half way and the gap there. Seen closer than `slack` they are over each other.
pub(crate) fn closest(regions: &Regions, slack: f64) -> (Vector<3>, f64) {
    let (a, b) = (&regions.front, &regions.back);
    let n = a.along;
    let height = |point: &&(Vector<3>, u64)| n.dot(&point.0);
    let ahead = a.points.iter().max_by(|p, q| height(p).total_cmp(&height(q)));
    let behind = b.points.iter().min_by(|p, q| height(p).total_cmp(&height(q)));
    let (Some(ahead), Some(behind)) = (ahead, behind) else { return (a.centre, f64::INFINITY) };
    let place = match (a.points.as_slice(), b.points.as_slice()) {
        ([p, q], [r, s]) if a.is_level() && b.is_level() => {
            let [p, q, r, s] = [p, q, r, s].map(|point| a.flat(&point.0));
            let (t, u, _) = segment::closest([&p, &q], [&r, &s]);
            (p + (q - p) * t + r + (s - r) * u) * 0.5
        }
        // from the foremost point of the smaller feature, if it is seen on the other, else from the middle of
        // a disk, to the other and back
        (front, back) => {
            let radius = |region: &Region| region.radius.unwrap_or(f64::INFINITY);
            let first = match (a.is_level(), b.is_level()) {
                (true, true) => radius(a) <= radius(b),
                (false, false) => {
                    front.len() < back.len() || (front.len() == back.len() && radius(a) <= radius(b))
                }
                (level, _) => !level,
            };
            let (foremost, one, two) = if first { (ahead.0, b, a) } else { (behind.0, a, b) };
            let mut place = match (one.radius, two.radius) {
                _ if one.holds(&foremost, slack) && !two.is_level() => foremost,
                (_, Some(_)) => two.centre,
                (Some(_), None) => two.nearest(&one.centre),
                (None, None) => foremost,
            };
            for _ in 0..32 {
                let there = one.nearest(&place);
                if a.flat(&(there - place)).norm() <= slack {
                    break;
                }
                place = two.nearest(&there);
            }
            place
        }
    };
    let flat = a.flat(&place);
    let (low, high) = (a.height(&flat), -b.height(&flat));
    (flat + n * (0.5 * (low + high)), high - low)
}

/// Where two segments cross, seen along `n`.
fn crossing(n: &Vector<3>, p: [&Vector<3>; 2], q: [&Vector<3>; 2]) -> Option<Vector<3>> {
    let (d, e, r) = (p[1] - p[0], q[1] - q[0], q[0] - p[0]);
    let slope = n.dot(&d.cross(&e));
    if slope.abs() <= 1e-12 * d.norm() * e.norm() {
        return None;
    }
    let (t, u) = (n.dot(&r.cross(&e)) / slope, n.dot(&r.cross(&d)) / slope);
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)).then(|| {
        // nearly parallel lines cross somewhere: at a place that both have
        let flat = |place: &Vector<3>| place - n * n.dot(place);
        let back = segment::parameter(&flat(&(p[0] + d * t)), &flat(q[0]), &flat(q[1]));
        p[0] + d * segment::parameter(&flat(&(q[0] + e * back)), &flat(p[0]), &flat(p[1]))
    })
}

/// Where a segment is seen to meet the rim of a disk: on the way in and on the way out.
fn on_circle(disk: &Region, p: &Vector<3>, q: &Vector<3>, radius: f64) -> [Option<Vector<3>>; 2] {
    let from = disk.drop(p);
    let along = disk.drop(q) - from;
    let square = along.norm_squared();
    if square == 0.0 {
        return [None; 2];
    }
    // from the nearest point of the line, half a chord either way
    let nearest = -from.dot(&along) / square;
    let height = (from + along * nearest).norm();
    let chord = (radius - height) * (radius + height) / square;
    if chord < 0.0 {
        return [None; 2];
    }
    [-1.0, 1.0].map(|sign| {
        let t = nearest + sign * chord.sqrt();
        (0.0..=1.0).contains(&t).then(|| p + (q - p) * t)
    })
}

/// A place near one where the rims of two disks are seen to cross, moved there: they are circles but for a
/// small tilt. None where they only graze and it does not get there.
fn on_both((a, ra): (&Region, f64), (b, rb): (&Region, f64), near: &Vector<3>) -> Option<Vector<3>> {
    let n = a.along;
    let off = |place: &Vector<3>| [(a, ra), (b, rb)].map(|(disk, radius)| disk.drop(place).norm() - radius);
    // the way across the direction in which the distance from a centre grows, and by how much
    let growth = |disk: &Region, place: &Vector<3>| {
        let arm = disk.drop(place);
        let lean = disk.normal.map_or(arm, |m| arm - m * (arm.dot(&disk.along) / m.dot(&disk.along)));
        disk.flat(&lean) / arm.norm()
    };
    let worst = |[x, y]: [f64; 2]| x.abs().max(y.abs());
    let mut place = *near;
    for _ in 0..12 {
        let [x, y] = off(&place);
        let (u, v) = (growth(a, &place), growth(b, &place));
        let slope = n.dot(&u.cross(&v));
        // where the rims only graze, rounding would be blown up
        if slope.abs() < 1e-6 {
            break;
        }
        let next = place + (n.cross(&u) * y - n.cross(&v) * x) * (-1.0 / slope);
        if worst(off(&next)).partial_cmp(&worst([x, y])) != Some(std::cmp::Ordering::Less) {
            break;
        }
        place = next;
    }
    (worst(off(&place)) <= 1e-9 * ra.min(rb)).then_some(place)
}

/// Where two circles meet, seen along `n`: the left one first on the way from the one centre to the other.
fn circles(n: &Vector<3>, a: (&Vector<3>, f64), b: (&Vector<3>, f64)) -> Option<[Vector<3>; 2]> {
    let between = b.0 - a.0;
    let between = between - n * n.dot(&between);
    let distance = between.norm();
    if distance <= 1e-9 * a.1.min(b.1) || distance >= a.1 + b.1 || distance <= (a.1 - b.1).abs() {
        return None;
    }
    let along = (distance * distance + a.1 * a.1 - b.1 * b.1) / (2.0 * distance);
    let height = (a.1 * a.1 - along * along).max(0.0).sqrt();
    let (forward, left) = (between / distance, n.cross(&(between / distance)));
    Some([1.0, -1.0].map(|sign| a.0 + forward * along + left * (sign * height)))
}
