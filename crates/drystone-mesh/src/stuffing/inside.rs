//! Which points of the lattice a closed surface holds: on every line along x those behind an odd number of
//! crossings. Signs are exact (predicates of Shewchuk 1997), and lines through edges and corners count as a
//! little beside them (Edelsbrunner, Mücke 1990), so that every line leaves as often as it enters.

use super::{Key, Lattice};
use crate::Surface;
use drystone_math::Vector;
use robust::{Coord, orient2d};
use std::collections::BTreeMap;

/// Where lines along x cross the surface.
pub(super) struct LineCrossings<'a> {
    lattice: &'a Lattice,
    /// By the numbers of the line in y and z, increasing.
    crossings: BTreeMap<[i32; 2], Vec<f64>>,
}

impl<'a> LineCrossings<'a> {
    pub fn new(surface: &Surface, lattice: &'a Lattice) -> Self {
        let mut crossings: BTreeMap<[i32; 2], Vec<f64>> = BTreeMap::new();
        for triangle in 0..surface.triangles.len() {
            let corners = surface.corners(triangle);
            let range = |axis: usize| {
                let numbers = corners.map(|corner| (corner[axis] - lattice.centre[axis]) / lattice.half);
                let low = numbers.into_iter().fold(f64::INFINITY, f64::min).floor() as i32 - 1;
                low..=numbers.into_iter().fold(f64::NEG_INFINITY, f64::max).ceil() as i32 + 1
            };
            for z in range(2) {
                // lines have two even numbers or two odd ones
                for y in range(1).filter(|y| (y - z) % 2 == 0) {
                    if let Some(x) = crossing(&corners, &lattice.place(&[y, y, z])) {
                        crossings.entry([y, z]).or_default().push(x);
                    }
                }
            }
        }
        crossings.values_mut().for_each(|line| line.sort_by(f64::total_cmp));
        Self { lattice, crossings }
    }

    pub fn holds(&self, key: &Key) -> bool {
        let x = self.lattice.place(key)[0];
        let line = self.crossings.get(&[key[1], key[2]]);
        line.is_some_and(|line| line.partition_point(|&crossing| crossing < x) % 2 == 1)
    }
}

/// Where the line along x through a point crosses a triangle.
fn crossing(corners: &[Vector<3>; 3], through: &Vector<3>) -> Option<f64> {
    let at = corners.map(|corner| flat(&corner));
    if orient2d(at[0], at[1], at[2]) == 0.0 {
        // seen from the side
        return None;
    }
    let point = flat(through);
    let sides = [0, 1, 2].map(|k| side(at[(k + 1) % 3], at[(k + 2) % 3], point));
    if sides.iter().any(|side| side.0 != sides[0].0) {
        return None;
    }
    let sum: f64 = sides.iter().map(|side| side.1).sum();
    let weighted: f64 = sides.iter().zip(corners).map(|(side, corner)| side.1 * corner[0]).sum();
    Some(weighted / sum)
}

fn flat(point: &Vector<3>) -> Coord<f64> {
    Coord { x: point[1], y: point[2] }
}

/// Whether a point is to the left of the line from `p` to `q`, one on it moved a little along x and much less
/// along y; and twice the area.
fn side(p: Coord<f64>, q: Coord<f64>, point: Coord<f64>) -> (bool, f64) {
    let area = orient2d(p, q, point);
    let left = if area != 0.0 {
        area > 0.0
    } else if p.y != q.y {
        p.y > q.y
    } else {
        q.x > p.x
    };
    (left, area)
}
