//! Masonry: walls, arches, vaults, domes, columns and an arena, as stones that fill their structure without
//! overlap and share their joints to the last bit. No mortar, no law: those are up to the scene.

mod arch;
mod arena;
mod battered;
mod column;
mod dome;
mod leaves;
mod vault;
mod wall;

pub use arch::Arch;
pub use arena::Arena;
pub use battered::BatteredWall;
pub use column::{Capital, Column};
pub use dome::{Beds, Dome};
pub use leaves::TwoLeafWall;
pub use vault::{BarrelVault, CrossVault};
pub use wall::{Bond, Wall, WallOpening};

use crate::ConvexCell;
use drystone_math::Vector;

/// A stone and what it is in the structure.
#[derive(Clone, Debug, PartialEq)]
pub struct Stone<const D: usize> {
    /// Its geometry where it stands.
    pub cell: ConvexCell<D>,
    /// What it is: "stone", "voussoir", "lintel", ...
    pub part: &'static str,
}

impl<const D: usize> Stone<D> {
    fn new(cell: ConvexCell<D>, part: &'static str) -> Self {
        Self { cell, part }
    }
}

/// A stone of the plane made as deep as from `front` to `back` \[m\]: its x stays x, its y becomes z, and the
/// depth goes along y.
pub fn extruded(stone: &Stone<2>, front: f64, back: f64) -> Stone<3> {
    let at = |depth: f64| -> Vec<Vector<3>> {
        stone.cell.loops()[0].iter().map(|corner| Vector::<3>::new(corner[0], depth, corner[1])).collect()
    };
    Stone::new(ConvexCell::loft(&at(front), &at(back)), stone.part)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::CutPlane;

    /// Planes of the faces, outward, and how far corners of a face are off their plane.
    fn planes<const D: usize>(cell: &ConvexCell<D>) -> Vec<CutPlane<D>> {
        let centre = cell.centroid();
        let mut planes = Vec::new();
        for face in cell.loops() {
            let edges: Vec<[usize; 2]> = match D {
                2 => (0..face.len()).map(|k| [k, (k + 1) % face.len()]).collect(),
                _ => vec![[0, 1]],
            };
            for [a, b] in edges {
                let edge = face[b] - face[a];
                let normal: Vector<D> = match D {
                    2 => Vector::from_fn(|axis, _| if axis == 0 { edge[1] } else { -edge[0] }),
                    _ => {
                        // Newell's: robust where three corners are nearly in line
                        let mut sum: Vector<D> = Vector::zeros();
                        for k in 0..face.len() {
                            let (p, q) = (face[k] - centre, face[(k + 1) % face.len()] - centre);
                            sum += Vector::from_fn(|axis, _| {
                                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                                p[i] * q[j] - p[j] * q[i]
                            });
                        }
                        sum
                    }
                };
                let Some(normal) = normal.try_normalize(1e-14) else { continue };
                let plane = CutPlane { normal, offset: normal.dot(&face[a]) };
                assert!(normal.dot(&centre) < plane.offset, "inside out");
                if D == 3 {
                    let off = face.iter().map(|c| (normal.dot(c) - plane.offset).abs()).fold(0.0, f64::max);
                    assert!(off < 1e-9, "a face is not flat: {off}");
                }
                planes.push(plane);
            }
        }
        planes
    }

    /// Volume that two stones share.
    fn shared<const D: usize>(a: &ConvexCell<D>, planes: &[CutPlane<D>]) -> f64 {
        let mut rest = a.clone();
        for plane in planes {
            match rest.cut(plane)[0].take() {
                Some(part) => rest = part,
                None => return 0.0,
            }
        }
        rest.volume()
    }

    /// Holds that stones are convex, do not overlap, fill `volume`, and that corners which meet have the same
    /// bits.
    pub(crate) fn check<const D: usize>(stones: &[Stone<D>], volume: f64) {
        let total: f64 = stones.iter().map(|stone| stone.cell.volume()).sum();
        assert!((total / volume - 1.0).abs() < 1e-9, "{total} instead of {volume}");
        let size = total / stones.len() as f64;
        let all: Vec<Vec<CutPlane<D>>> = stones.iter().map(|stone| planes(&stone.cell)).collect();
        for (index, stone) in stones.iter().enumerate() {
            let own = stone.cell.volume();
            assert!(own > 1e-4 * size, "stone {index} is a splinter");
            assert!(
                (shared(&stone.cell, &all[index]) / own - 1.0).abs() < 1e-9,
                "stone {index} is not convex"
            );
            let [low, high] = stone.cell.bounds();
            for (other, beside) in stones[..index].iter().enumerate() {
                let [from, to] = beside.cell.bounds();
                if (0..D).any(|axis| low[axis] > to[axis] + 1e-9 || from[axis] > high[axis] + 1e-9) {
                    continue;
                }
                let overlap = shared(&stone.cell, &all[other]) / size;
                assert!(overlap < 1e-9, "stones {index} and {other} overlap by {overlap}");
                for corner in stone.cell.corners() {
                    for near in beside.cell.corners() {
                        let same = corner == near || (corner - near).norm() > 1e-9;
                        assert!(same, "stones {index} and {other}: {corner} {near}");
                    }
                }
            }
        }
    }
}
