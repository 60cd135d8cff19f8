//! What convex pieces fill together, each place once. Keeps no pieces: only their mass properties.

use crate::cell::Cell;
use crate::{MassProperties, Piece, mass};
use drystone_math::{Matrix, Vector};

/// Mass properties of the union of convex pieces that may overlap, exact up to rounding: from each piece all
/// earlier ones are cut off, plane by plane, and what is left falls into convex cells.
pub fn union_mass(pieces: &[Piece]) -> MassProperties {
    let corners = || pieces.iter().flat_map(|piece| &piece.vertices);
    let middle = corners().sum::<Vector<3>>() / corners().count().max(1) as f64;
    let size = corners().map(|corner| (corner - middle).amax()).fold(0.0, f64::max);
    let moved = |piece: &Piece| Cell {
        vertices: piece.vertices.iter().map(|vertex| vertex - middle).collect(),
        faces: piece.faces.clone(),
    };
    let cells: Vec<Cell> = pieces.iter().map(moved).collect();
    let (mut volume, mut first, mut second) = (0.0, Vector::<3>::zeros(), Matrix::<3, 3>::zeros());
    for (index, cell) in cells.iter().enumerate() {
        let mut left = vec![cell.clone()];
        for earlier in &cells[..index] {
            left = left.iter().flat_map(|part| without(part, earlier, 1e-12 * size)).collect();
        }
        for part in left {
            let mass = mass::of(&part.vertices, part.triangles());
            let trace = 0.5 * mass.inertia.trace();
            volume += mass.volume;
            first += mass.centroid * mass.volume;
            second += Matrix::<3, 3>::identity() * trace - mass.inertia
                + mass.centroid * mass.centroid.transpose() * mass.volume;
        }
    }
    let offset = first / volume;
    second -= offset * offset.transpose() * volume;
    let inertia = Matrix::<3, 3>::identity() * second.trace() - second;
    MassProperties { volume, centroid: middle + offset, inertia }
}

/// The parts of a cell outside another.
fn without(cell: &Cell, other: &Cell, near: f64) -> Vec<Cell> {
    let mut outside = Vec::new();
    let mut rest = cell.clone();
    for face in 0..other.faces.len() {
        let Some(plane) = other.plane(face) else { continue };
        outside.extend(rest.below(&plane.turned(), near));
        match rest.below(&plane, near) {
            Some(inside) => rest = inside,
            // nothing of it is inside
            None => return outside,
        }
    }
    outside
}
