//! Non-convex polygons cut into convex ones. It adds no vertex and refuses polygons that cross themselves.

use drystone_math::Vector;

use crate::ears::{EarChoice, clip_ears, height};
use crate::polytope::measure;
use crate::{Polytope, ShapeError, error};

/// Vertices closer than this to a line, relative to the size of the polygon, are on it.
const FLAT: f64 = 1e-9;

/// Convex polygons that together cover a polygon, convex or not, without overlap: ears are cut off one by
/// one, then pieces are joined again wherever the union stays convex (Hertel, Mehlhorn 1983), at most four
/// times as many as need be. Either order of the vertices is accepted. The same polygon always gives the same
/// pieces.
///
/// The pieces know each other ([`Polytope::joined`]): as contactors of one body they make no contacts with
/// their cuts.
pub fn decompose(vertices: &[Vector<2>]) -> Result<Vec<Polytope<2>>, ShapeError> {
    error::check_points(vertices, 3)?;
    let (_, size) = measure(vertices);
    let area = signed_area(vertices);
    if area.abs() <= FLAT * size * size {
        return Err(ShapeError::Flat { dimension: 2 });
    }
    check_simple(vertices)?;
    let mut ring: Vec<u32> = (0..vertices.len() as u32).collect();
    if area < 0.0 {
        ring.reverse();
    }
    let ears = clip_ears(ring, |index| vertices[index as usize], FLAT * size, EarChoice::Shortest);
    let ears = ears.ok_or(ShapeError::SelfIntersecting)?;
    let mut pieces: Vec<Vec<usize>> =
        ears.into_iter().map(|corners| corners.map(|index| index as usize).to_vec()).collect();
    while let Some((one, other, joined)) = next_join(vertices, &pieces, size) {
        pieces[one] = joined;
        pieces.swap_remove(other);
    }
    let convex =
        pieces.iter().map(|piece| Polytope::polygon(piece.iter().map(|&index| vertices[index]).collect()));
    Ok(Polytope::joined(convex.collect::<Result<_, _>>()?))
}

/// Area, positive counter-clockwise; relative to one of the vertices, so that it is right far from the
/// origin.
pub fn signed_area(vertices: &[Vector<2>]) -> f64 {
    let origin = vertices[0];
    let count = vertices.len();
    let doubled = |k: usize| (vertices[k] - origin).perp(&(vertices[(k + 1) % count] - origin));
    0.5 * (0..count).map(doubled).sum::<f64>()
}

/// No two sides meet but neighbours in their common vertex.
pub fn check_simple(vertices: &[Vector<2>]) -> Result<(), ShapeError> {
    let count = vertices.len();
    let side = |k: usize| [vertices[k], vertices[(k + 1) % count]];
    let low = |k: usize| side(k)[0][0].min(side(k)[1][0]);
    let high = |k: usize| side(k)[0][0].max(side(k)[1][0]);
    // sorted along x, only a short run after each side can meet it
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&i, &j| low(i).total_cmp(&low(j)).then(i.cmp(&j)));
    for (rank, &i) in order.iter().enumerate() {
        for &j in order[rank + 1..].iter().take_while(|&&j| low(j) <= high(i)) {
            let neighbours = (i + 1) % count == j || (j + 1) % count == i;
            if !neighbours && cross(side(i), side(j)) {
                return Err(ShapeError::SelfIntersecting);
            }
        }
    }
    Ok(())
}

/// Whether two segments have a point in common.
fn cross([p, q]: [Vector<2>; 2], [r, s]: [Vector<2>; 2]) -> bool {
    let turn = |a: &Vector<2>, b: &Vector<2>, c: &Vector<2>| (b - a).perp(&(c - a));
    let within = |a: &Vector<2>, b: &Vector<2>, c: &Vector<2>| (c - a).dot(&(c - b)) <= 0.0;
    let [d1, d2, d3, d4] = [turn(&r, &s, &p), turn(&r, &s, &q), turn(&p, &q, &r), turn(&p, &q, &s)];
    let apart = |one: f64, two: f64| one * two < 0.0;
    (apart(d1, d2) && apart(d3, d4))
        || (d1 == 0.0 && within(&r, &s, &p))
        || (d2 == 0.0 && within(&r, &s, &q))
        || (d3 == 0.0 && within(&p, &q, &r))
        || (d4 == 0.0 && within(&p, &q, &s))
}

/// The first two pieces with a common side whose union is convex, and the union.
fn next_join(vertices: &[Vector<2>], pieces: &[Vec<usize>], size: f64) -> Option<(usize, usize, Vec<usize>)> {
    for one in 0..pieces.len() {
        for other in one + 1..pieces.len() {
            let joined = join(&pieces[one], &pieces[other]).filter(|ring| is_convex(vertices, ring, size));
            if let Some(joined) = joined {
                return Some((one, other, joined));
            }
        }
    }
    None
}

/// The ring around two rings with a common side.
fn join(one: &[usize], other: &[usize]) -> Option<Vec<usize>> {
    for k in 0..one.len() {
        let (from, to) = (one[k], one[(k + 1) % one.len()]);
        let Some(at) = (0..other.len()).find(|&j| other[j] == to && other[(j + 1) % other.len()] == from)
        else {
            continue;
        };
        // all of one from `to` around to `from`, then the rest of the other
        let mut ring: Vec<usize> = (1..=one.len()).map(|step| one[(k + step) % one.len()]).collect();
        ring.extend((2..other.len()).map(|step| other[(at + step) % other.len()]));
        return Some(ring);
    }
    None
}

fn is_convex(vertices: &[Vector<2>], ring: &[usize], size: f64) -> bool {
    (0..ring.len()).all(|k| {
        let at = |step: usize| vertices[ring[(k + step) % ring.len()]];
        height([at(0), at(1), at(2)]) >= -0.5 * FLAT * size
    })
}
