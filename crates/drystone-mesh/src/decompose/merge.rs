//! Convex cells joined again where two make one convex cell. Joins no others.

use super::ON;
use crate::cell::{Cell, Plane};

/// Above this many cells joining is not tried: every cell is compared with every other.
const MOST: usize = 2000;

/// Joins cells in their order until no two make one.
pub(super) fn merge(cells: &mut Vec<Cell>, size: f64) {
    if cells.len() > MOST {
        return;
    }
    let near = ON * size;
    let mut first = 0;
    while first < cells.len() {
        let joined = (first + 1..cells.len()).find_map(|k| Some((k, join(&cells[first], &cells[k], near)?)));
        match joined {
            Some((second, cell)) => {
                cells.remove(second);
                cells[first] = cell;
                // a larger cell may fit one that was passed over
                first = 0;
            }
            None => first += 1,
        }
    }
}

/// The union, if it is convex: the two share the plane of a face, and each is below all other planes of the
/// other. Then the union is the intersection of those other half-spaces.
fn join(a: &Cell, b: &Cell, near: f64) -> Option<Cell> {
    let planes =
        |cell: &Cell| -> Option<Vec<Plane>> { (0..cell.faces.len()).map(|face| cell.plane(face)).collect() };
    let (ours, theirs) = (planes(a)?, planes(b)?);
    let shared = ours.iter().position(|plane| {
        let apart = b.vertices.iter().all(|vertex| plane.height(vertex) >= -near);
        apart
            && theirs.iter().any(|other| {
                let opposite = other.normal.dot(&plane.normal) < -1.0 + 1e-9;
                opposite && a.vertices.iter().all(|vertex| other.height(vertex) >= -near)
            })
    })?;
    let opposite = |other: &&Plane| other.normal.dot(&ours[shared].normal) >= -1.0 + 1e-9;
    let below = |planes: &[Plane], cell: &Cell, skip: &Plane| {
        planes
            .iter()
            .filter(|plane| *plane != skip)
            .all(|plane| cell.vertices.iter().all(|vertex| plane.height(vertex) <= near))
    };
    let others: Vec<Plane> = theirs.iter().filter(opposite).copied().collect();
    if others.len() + 1 != theirs.len()
        || !below(&ours, b, &ours[shared])
        || !below(&others, a, &ours[shared])
    {
        return None;
    }
    let low = a.vertices.iter().chain(&b.vertices).fold(a.vertices[0], |low, vertex| low.inf(vertex));
    let high = a.vertices.iter().chain(&b.vertices).fold(a.vertices[0], |high, vertex| high.sup(vertex));
    let margin = drystone_math::Vector::repeat(0.01 * (high - low).max());
    let mut cell = Cell::cuboid(low - margin, high + margin);
    let ours = ours.iter().enumerate().filter(|(face, _)| *face != shared).map(|(_, plane)| plane);
    for plane in ours.chain(&others) {
        if cell.vertices.iter().any(|vertex| plane.height(vertex) > near) {
            cell = cell.below(plane, 1e-4 * near)?;
        }
    }
    let volume = a.volume() + b.volume();
    ((cell.volume() - volume).abs() <= 1e-6 * volume).then_some(cell)
}
