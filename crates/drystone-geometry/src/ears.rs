//! Simple polygons cut into triangles, ear by ear (Meisters 1975), with exact tests of orientation. Joins
//! nothing, and refuses polygons that cross themselves.

use drystone_math::Vector;
use robust::{Coord, orient2d};

/// Which ear comes off next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarChoice {
    /// The next one around after the last: keeps long strips from becoming fans of needles.
    Next,
    /// The one with the shortest side inside.
    Shortest,
}

/// The triangles of a ring of vertices that goes counter-clockwise, by the names of the vertices. Corners
/// lower than `flat` over their neighbours' line are no ears; those that are left over in the middle of a
/// side are dropped, with `flat = 0` none is. `None` where the ring has no ear.
pub fn clip_ears(
    mut ring: Vec<u32>,
    at: impl Fn(u32) -> Vector<2>,
    flat: f64,
    choice: EarChoice,
) -> Option<Vec<[u32; 3]>> {
    let mut triangles = Vec::with_capacity(ring.len().saturating_sub(2));
    let mut start = 0;
    while ring.len() > 3 {
        let count = ring.len();
        let mut ears = (0..count).map(|k| (start + k) % count).filter(|&k| is_ear(&ring, k, &at, flat));
        let ear = match choice {
            EarChoice::Next => ears.next(),
            EarChoice::Shortest => ears.min_by(|&one, &two| {
                let inside = |k: usize| (at(corner(&ring, k)[2]) - at(corner(&ring, k)[0])).norm_squared();
                inside(one).total_cmp(&inside(two)).then(one.cmp(&two))
            }),
        };
        match ear {
            Some(ear) => {
                triangles.push(corner(&ring, ear));
                ring.remove(ear);
                start = ear + 1;
            }
            // only vertices in the middle of a side are left over
            None => {
                let low = |&k: &usize| height(corner(&ring, k).map(&at)).abs() <= flat;
                let middle = (0..count).find(low).filter(|_| flat > 0.0)?;
                ring.remove(middle);
            }
        }
    }
    let &[a, b, c] = ring.as_slice() else { return None };
    if flat == 0.0 || height([a, b, c].map(&at)) > flat {
        triangles.push([a, b, c]);
    }
    Some(triangles)
}

/// A vertex between its neighbours.
fn corner(ring: &[u32], k: usize) -> [u32; 3] {
    let count = ring.len();
    [ring[(k + count - 1) % count], ring[k], ring[(k + 1) % count]]
}

/// Height of `b` over the line from `a` to `c`: positive at a convex corner of a counter-clockwise ring.
pub(crate) fn height([a, b, c]: [Vector<2>; 3]) -> f64 {
    (b - a).perp(&(c - b)) / (c - a).norm().max(f64::MIN_POSITIVE)
}

fn is_ear(ring: &[u32], k: usize, at: &impl Fn(u32) -> Vector<2>, flat: f64) -> bool {
    let names = corner(ring, k);
    let places = names.map(at);
    let exact = |place: Vector<2>| Coord { x: place[0], y: place[1] };
    let [a, b, c] = places.map(exact);
    if orient2d(a, b, c) <= 0.0 || (flat > 0.0 && height(places) <= flat) {
        return false;
    }
    let inside =
        |p: Coord<f64>| orient2d(a, b, p) >= 0.0 && orient2d(b, c, p) >= 0.0 && orient2d(c, a, p) >= 0.0;
    !ring.iter().any(|&other| !names.contains(&other) && inside(exact(at(other))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A comb: teeth on a bar, with a vertex in the middle of its base.
    fn comb() -> Vec<Vector<2>> {
        let mut ring =
            vec![Vector::<2>::new(0.0, 0.0), Vector::<2>::new(2.0, 0.0), Vector::<2>::new(4.0, 0.0)];
        for tooth in (0..4).rev() {
            let x = f64::from(tooth);
            ring.extend([Vector::<2>::new(x + 1.0, 3.0), Vector::<2>::new(x + 0.5, 1.0)]);
        }
        ring.push(Vector::<2>::new(0.0, 2.0));
        ring
    }

    #[test]
    fn triangles_cover_the_polygon_whatever_comes_off_first() {
        let ring = comb();
        let area = |places: &[Vector<2>]| -> f64 {
            (0..places.len()).map(|k| 0.5 * places[k].perp(&places[(k + 1) % places.len()])).sum()
        };
        for choice in [EarChoice::Next, EarChoice::Shortest] {
            for flat in [0.0, 1e-9] {
                let names = (0..ring.len() as u32).collect();
                let triangles = clip_ears(names, |k| ring[k as usize], flat, choice).unwrap();
                let areas = triangles.iter().map(|corners| area(&corners.map(|k| ring[k as usize])));
                assert!(areas.clone().all(|area| area > 0.0));
                assert!((areas.sum::<f64>() - area(&ring)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_ring_that_crosses_itself_or_goes_the_wrong_way_has_no_ears() {
        let ring = comb();
        let turned: Vec<u32> = (0..ring.len() as u32).rev().collect();
        assert_eq!(clip_ears(turned, |k| ring[k as usize], 0.0, EarChoice::Next), None);
        assert_eq!(clip_ears(vec![0, 1], |k| ring[k as usize], 0.0, EarChoice::Next), None);
    }
}
