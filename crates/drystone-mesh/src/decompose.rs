//! Cutting a solid into convex pieces. Refuses surfaces that bound no solid, and never joins what was apart.

use crate::cell::{Cell, Plane};
use crate::hull::hull;
use crate::inspect::CONVEX;
use crate::topology::{self, EdgeSide};
use crate::{MeshError, Surface};
use drystone_math::Vector;

mod choose;
mod merge;

/// Most pieces of a decomposition unless another number is asked for.
pub const MOST_PIECES: usize = 1000;

/// Points closer than this to a plane, relative to the size of the mesh, are on it.
pub(super) const ON: f64 = 2e-7;
/// The same where a convex cell is cut, whose vertices are as exact as rounding allows.
const FINE: f64 = 1e-11;
/// Pieces of less volume than this, relative to the cube of the size of the mesh, are rounding.
const CRUMB: f64 = 1e-12;
/// In a needle, of little volume beside that cube, pieces of less volume than this, relative to its own.
const CRUMB_OF_A_NEEDLE: f64 = 1e-7;

/// A convex part of a solid.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Corners \[m, or the unit of the mesh\].
    pub vertices: Vec<Vector<3>>,
    /// Loops around the faces, counter-clockwise seen from outside.
    pub faces: Vec<Vec<u32>>,
    /// Volume \[cube of the unit\].
    pub volume: f64,
}

/// A solid in convex pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct Decomposition {
    /// The pieces, always the same and in the same order for the same mesh.
    pub pieces: Vec<Piece>,
    /// Volume of all pieces less that of the solid, relative to the latter.
    pub volume_error: f64,
}

/// A clipped triangle and the number of its plane.
#[derive(Clone)]
pub(super) struct PlanePatch {
    pub(super) points: Vec<Vector<3>>,
    pub(super) plane: u32,
}

/// A convex cell with what of the surface is inside it.
struct Open {
    cell: Cell,
    patches: Vec<PlanePatch>,
    /// Reflex edges inside the cell.
    reflex: Vec<[Vector<3>; 2]>,
}

impl Surface {
    /// Cuts the solid into convex pieces.
    ///
    /// Space is cut by planes, as in the notch cutting of Chazelle (1984): each plane goes through a face
    /// beside a reflex edge. A cell is done when all surface in it lies below all its planes, up to
    /// `tolerance` times the size of the mesh; what the surface leaves of the cell is then convex. With a
    /// tolerance of 0 pieces are exact up to rounding (hollows of 1e-6 of the size are taken for rounding);
    /// otherwise each is the convex hull of the solid within its cell. Pieces stay inside their cells, so
    /// that they never overlap. The same mesh gives the same pieces.
    pub fn decompose(&self, tolerance: f64, most_pieces: usize) -> Result<Decomposition, MeshError> {
        if !(0.0..=0.5).contains(&tolerance) {
            return Err(MeshError::Tolerance { found: tolerance });
        }
        let found = self.inspect();
        if let Some(problem) = found.problems().into_iter().next() {
            return Err(MeshError::NotSolid(problem));
        }
        let cutter = Cutter::new(self, tolerance);
        let mut cells = cutter.cut(most_pieces)?;
        if tolerance == 0.0 {
            merge::merge(&mut cells, self.size());
        }
        let pieces: Vec<Piece> = cells
            .into_iter()
            .map(|cell| Piece { volume: cell.volume(), vertices: cell.vertices, faces: cell.faces })
            .collect();
        let volume = self.mass_properties().volume;
        let sum: f64 = pieces.iter().map(|piece| piece.volume).sum();
        Ok(Decomposition { pieces, volume_error: sum / volume - 1.0 })
    }
}

struct Cutter<'a> {
    surface: &'a Surface,
    size: f64,
    /// Depth of hollows that stay \[unit of length\].
    depth: f64,
    /// Volume of pieces that are rounding.
    crumb: f64,
    approximate: bool,
    planes: Vec<Plane>,
}

impl<'a> Cutter<'a> {
    fn new(surface: &'a Surface, tolerance: f64) -> Self {
        let size = surface.size();
        let depth = tolerance.max(CONVEX) * size;
        let needle = CRUMB_OF_A_NEEDLE * surface.mass_properties().volume.abs();
        let crumb = (CRUMB * size.powi(3)).min(needle);
        Self { surface, size, depth, crumb, approximate: tolerance > CONVEX, planes: Vec::new() }
    }

    fn cut(mut self, most_pieces: usize) -> Result<Vec<Cell>, MeshError> {
        let first = self.first();
        let mut open = vec![first];
        let mut done = Vec::new();
        while let Some(part) = open.pop() {
            if part.patches.is_empty() {
                if self.is_inside(&part.cell) {
                    done.push(part.cell);
                }
            } else if let Some(plane) = self.next_plane(&part) {
                // the part below is finished first
                let [below, above] = self.split(part, &plane);
                open.extend(above);
                open.extend(below);
            } else if let Some(piece) = self.finish(&part) {
                done.push(piece);
            }
            if done.len() + open.len() > most_pieces.saturating_mul(4) || done.len() > most_pieces {
                return Err(MeshError::TooManyPieces {
                    allowed: most_pieces,
                    tolerance: self.depth / self.size,
                });
            }
        }
        done.retain(|cell| cell.volume() > self.crumb);
        Ok(done)
    }

    /// A box around everything, with all triangles in it.
    fn first(&mut self) -> Open {
        let sides = topology::sides(self.surface);
        let numbers = self.number_planes(&sides);
        let vertices = &self.surface.vertices;
        let margin = Vector::repeat(0.01 * self.size);
        let low = vertices.iter().fold(Vector::<3>::repeat(f64::INFINITY), |low, v| low.inf(v));
        let high = vertices.iter().fold(Vector::<3>::repeat(f64::NEG_INFINITY), |high, v| high.sup(v));
        let patches = numbers.iter().enumerate();
        let patches = patches
            .map(|(triangle, &plane)| PlanePatch { points: self.surface.corners(triangle).to_vec(), plane });
        let reflex = topology::edges(&sides).filter_map(|group| {
            let [one, other] = group else { return None };
            let opposite = self.surface.triangles[other.triangle as usize][(other.rank as usize + 2) % 3];
            let plane = &self.planes[numbers[one.triangle as usize] as usize];
            let height = plane.height(&vertices[opposite as usize]);
            (height > self.depth).then(|| one.ends.map(|end| vertices[end as usize]))
        });
        Open {
            patches: patches.collect(),
            reflex: reflex.collect(),
            cell: Cell::cuboid(low - margin, high + margin),
        }
    }

    /// Gives neighbours in one plane the same plane; the number of the plane of each triangle.
    fn number_planes(&mut self, sides: &[EdgeSide]) -> Vec<u32> {
        let count = self.surface.triangles.len();
        let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); count];
        for group in topology::edges(sides) {
            for (a, b) in group.iter().zip(group.iter().skip(1)) {
                neighbours[a.triangle as usize].push(b.triangle);
                neighbours[b.triangle as usize].push(a.triangle);
            }
        }
        let area = |triangle: usize| {
            let [a, b, c] = self.surface.corners(triangle);
            (b - a).cross(&(c - a))
        };
        // from the largest triangle on, whose plane is known best
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&i, &j| area(j).norm().total_cmp(&area(i).norm()).then(i.cmp(&j)));
        let mut numbers = vec![u32::MAX; count];
        let mut planes = Vec::new();
        for seed in order {
            if numbers[seed] != u32::MAX {
                continue;
            }
            let normal = area(seed).normalize();
            let plane = Plane { normal, offset: normal.dot(&self.surface.corners(seed)[0]) };
            let number = planes.len() as u32;
            numbers[seed] = number;
            let mut grow = vec![seed as u32];
            while let Some(next) = grow.pop() {
                for &other in &neighbours[next as usize] {
                    let other = other as usize;
                    let flat = |corner: &Vector<3>| plane.height(corner).abs() <= ON * self.size;
                    if numbers[other] == u32::MAX
                        && area(other).dot(&normal) > 0.0
                        && self.surface.corners(other).iter().all(flat)
                    {
                        numbers[other] = number;
                        grow.push(other as u32);
                    }
                }
            }
            planes.push(plane);
        }
        self.planes = planes;
        numbers
    }

    /// Whether a cell without surface is inside the solid.
    fn is_inside(&self, cell: &Cell) -> bool {
        cell.volume() > self.crumb
            && self.surface.winding(&cell.middle(), 0..self.surface.triangles.len()) > 0.5
    }

    /// The two sides of a part.
    fn split(&self, part: Open, plane: &Plane) -> [Option<Open>; 2] {
        let near = ON * self.size;
        [*plane, plane.turned()].map(|plane| {
            let cell = part.cell.below(&plane, FINE * self.size)?;
            let clipped = part.patches.iter().filter_map(|patch| {
                let points = clip(&patch.points, &plane, near)?;
                Some(PlanePatch { points, plane: patch.plane })
            });
            let reflex = part.reflex.iter().filter_map(|edge| {
                let points = clip(edge, &plane, near)?;
                let ends = [*points.first()?, *points.last()?];
                ((ends[1] - ends[0]).norm() > near).then_some(ends)
            });
            Some(Open { cell, patches: clipped.collect(), reflex: reflex.collect() })
        })
    }

    /// What the surface leaves of a cell that is done.
    fn finish(&self, part: &Open) -> Option<Cell> {
        if self.approximate {
            return self.hull_of(part);
        }
        let mut cell = part.cell.clone();
        for number in choose::numbers(&part.patches) {
            let plane = &self.planes[number as usize];
            let above = cell.vertices.iter().any(|vertex| plane.height(vertex) > ON * self.size);
            if above {
                cell = cell.below(plane, FINE * self.size)?;
            }
        }
        Some(cell)
    }

    /// The convex hull of the solid inside a cell: of its surface there and of the corners of the cell inside
    /// it.
    fn hull_of(&self, part: &Open) -> Option<Cell> {
        let mut points: Vec<Vector<3>> =
            part.patches.iter().flat_map(|patch| patch.points.iter().copied()).collect();
        let inside =
            |vertex: &&Vector<3>| self.surface.winding(vertex, 0..self.surface.triangles.len()) > 0.25;
        points.extend(part.cell.vertices.iter().filter(inside));
        let near = ON * self.size;
        let (points, _) = crate::weld::weld(&points, near);
        hull(&points, near)
    }
}

/// The part of a convex polygon or segment below a plane; `None` if it is on or above it.
fn clip(points: &[Vector<3>], plane: &Plane, near: f64) -> Option<Vec<Vector<3>>> {
    let heights: Vec<f64> = points.iter().map(|point| plane.height(point)).collect();
    if heights.iter().all(|&height| height >= -near) {
        return None;
    }
    if heights.iter().all(|&height| height <= near) {
        return Some(points.to_vec());
    }
    let mut kept = Vec::with_capacity(points.len() + 1);
    // a segment has no side that leads back
    let sides = if points.len() == 2 { 1 } else { points.len() };
    for k in 0..points.len() {
        if heights[k] <= near {
            kept.push(points[k]);
        }
        if k >= sides {
            continue;
        }
        let next = (k + 1) % points.len();
        let (start, end) = (heights[k], heights[next]);
        if (start < -near && end > near) || (start > near && end < -near) {
            kept.push(points[k] + (points[next] - points[k]) * (start / (start - end)));
        }
    }
    (kept.len() >= points.len().min(3)).then_some(kept)
}
