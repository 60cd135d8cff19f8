//! Triangulated surfaces and height fields from vertices. It refuses what is not oriented or has more than
//! two triangles on an edge.

use drystone_math::Vector;

use crate::polytope::measure;
use crate::surface::{Corner, Piece, Ridge, Surface};
use crate::surface_build::Draft;
use crate::{ShapeError, error};

/// Doubled areas below this, relative to the square of the longest side, are none.
const SLIVER: f64 = 1e-12;
/// Two ridges whose unit directions sum up to less than this go straight on: no corner between them.
const STRAIGHT: f64 = 1e-7;

impl Surface<3> {
    /// A triangulated surface, open or closed. Each triangle lists its vertices counter-clockwise seen from
    /// the outer side; vertices shared by triangles are given once. A closed surface turned inside out is
    /// turned back.
    pub fn triangles(vertices: Vec<Vector<3>>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        error::check_points(&vertices, 3)?;
        if triangles.is_empty() {
            return Err(ShapeError::TooFewVertices { found: 0, needed: 3 });
        }
        let (_, size) = measure(&vertices);
        let mut draft = Draft { vertices, ..Draft::default() };
        draft.add_triangles(&triangles)?;
        let edges = draft.edges()?;
        draft.closed = edges.iter().all(|edge| edge.1.is_some());
        if draft.closed {
            let volume = draft.volume();
            if volume.abs() <= 1e-9 * SLIVER * size.powi(3) {
                return Err(ShapeError::Flat { dimension: 3 });
            }
            if volume < 0.0 {
                let turned = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
                return Self::triangles(draft.vertices, turned);
            }
        }
        draft.judge(&edges);
        Ok(draft.finish())
    }

    /// Terrain from heights \[m\] above the points of a grid of `columns` by the number of rows that
    /// `heights` fill, row after row: point `(i, j)` is at `origin + (i spacing, j spacing)`, its height
    /// `heights[j * columns + i]`. Each square of the grid is cut along its shorter diagonal.
    pub fn height_field(
        origin: [f64; 2],
        spacing: f64,
        columns: usize,
        heights: &[f64],
    ) -> Result<Self, ShapeError> {
        error::check_positive("the spacing", spacing)?;
        let rows = heights.len().checked_div(columns).unwrap_or(0);
        if columns < 2 || rows < 2 || rows * columns != heights.len() {
            return Err(ShapeError::NotAGrid { columns, found: heights.len() });
        }
        let vertices: Vec<Vector<3>> = (0..heights.len())
            .map(|k| {
                let [i, j] = [k % columns, k / columns].map(|index| index as f64 * spacing);
                Vector::<3>::new(origin[0] + i, origin[1] + j, heights[k])
            })
            .collect();
        let mut triangles = Vec::with_capacity(2 * (columns - 1) * (rows - 1));
        for j in 0..rows - 1 {
            for i in 0..columns - 1 {
                let a = j * columns + i;
                let [b, c, d] = [a + 1, a + columns + 1, a + columns];
                let [p, q, r, s] = [a, b, c, d].map(|index| index as u32);
                if (heights[a] - heights[c]).abs() <= (heights[b] - heights[d]).abs() {
                    triangles.extend([[p, q, r], [p, r, s]]);
                } else {
                    triangles.extend([[p, q, s], [q, r, s]]);
                }
            }
        }
        Self::triangles(vertices, triangles)
    }
}

/// The ends of an edge, the triangle that runs along it upwards with the rank of the edge there, and the
/// other one.
type SharedEdge = ((u32, usize), Option<(u32, usize)>);

impl Draft<3> {
    fn add_triangles(&mut self, triangles: &[[u32; 3]]) -> Result<(), ShapeError> {
        for (face, triangle) in triangles.iter().enumerate() {
            if let Some(&vertex) = triangle.iter().find(|&&vertex| vertex as usize >= self.vertices.len()) {
                let vertices = self.vertices.len();
                return Err(ShapeError::VertexOutOfRange { face, vertex: vertex as usize, vertices });
            }
            let [a, b, c] = triangle.map(|vertex| self.at(vertex));
            let area = (b - a).cross(&(c - a));
            let longest = [b - a, c - b, a - c].iter().map(|side| side.norm_squared()).fold(0.0, f64::max);
            if area.norm() <= SLIVER * longest {
                return Err(ShapeError::FlatFace { face });
            }
            let normal = area.normalize();
            let sides = [b - a, c - b, a - c].map(|side| side.cross(&normal).normalize());
            self.pieces.push(Piece { vertices: *triangle, normal, sides, facet: 0 });
        }
        Ok(())
    }

    /// All edges, each once.
    fn edges(&self) -> Result<Vec<SharedEdge>, ShapeError> {
        let mut halves: Vec<([u32; 2], bool, u32, usize)> = Vec::with_capacity(3 * self.pieces.len());
        for (index, piece) in self.pieces.iter().enumerate() {
            for rank in 0..3 {
                let (from, to) = (piece.vertices[rank], piece.vertices[(rank + 1) % 3]);
                halves.push(([from.min(to), from.max(to)], from > to, index as u32, rank));
            }
        }
        halves.sort_unstable();
        let edge = |group: &[([u32; 2], bool, u32, usize)]| match group {
            [one] => Ok(((one.2, one.3), None)),
            [one, two] if one.1 == two.1 => {
                Err(ShapeError::MixedOrientation { first: one.2 as usize, second: two.2 as usize })
            }
            [one, two] => Ok(((one.2, one.3), Some((two.2, two.3)))),
            _ => {
                let [from, to] = group[0].0.map(|vertex| vertex as usize);
                Err(ShapeError::CrowdedEdge { from, to })
            }
        };
        halves.chunk_by(|a, b| a.0 == b.0).map(edge).collect()
    }

    fn volume(&self) -> f64 {
        let origin = self.vertices[0];
        let cone = |piece: &Piece<3>| {
            let [a, b, c] = piece.vertices.map(|vertex| self.at(vertex) - origin);
            a.dot(&b.cross(&c)) / 6.0
        };
        self.pieces.iter().map(cone).sum()
    }

    /// Tells ridges and corners from what is level or a valley.
    fn judge(&mut self, edges: &[SharedEdge]) {
        let mut ends: Vec<(u32, Vector<3>)> = Vec::new();
        for &((one, rank), other) in edges {
            let piece = &self.pieces[one as usize];
            let vertices = [piece.vertices[rank], piece.vertices[(rank + 1) % 3]];
            let (owner, sides) = match other {
                // beyond the rim of an open surface a wall goes straight down
                None => (one, [piece.sides[rank], piece.normal]),
                Some((two, other_rank)) => {
                    let bend = self.bend(one, two);
                    if bend == 0.0 {
                        self.level.push([one, two]);
                    }
                    if bend >= 0.0 {
                        continue;
                    }
                    (one.min(two), [piece.sides[rank], self.pieces[two as usize].sides[other_rank]])
                }
            };
            self.ridges.push((owner, Ridge { vertices, sides }));
            let along = (self.at(vertices[1]) - self.at(vertices[0])).normalize();
            ends.extend([(vertices[0], along), (vertices[1], -along)]);
        }
        ends.sort_by_key(|end| end.0);
        let standing: Vec<u32> = ends.chunk_by(|a, b| a.0 == b.0).filter_map(stands_out).collect();
        self.add_corners(&standing, edges);
    }

    /// Corners with the directions of their neighbours, and of the walls below open rims.
    fn add_corners(&mut self, standing: &[u32], edges: &[SharedEdge]) {
        let mut corner_of = vec![u32::MAX; self.vertices.len()];
        let mut found: Vec<(u32, Corner<3>)> = Vec::new();
        for &vertex in standing {
            corner_of[vertex as usize] = found.len() as u32;
            found.push((u32::MAX, Corner { vertex, away: Vec::new() }));
        }
        for (index, piece) in self.pieces.iter().enumerate() {
            for &vertex in piece.vertices.iter().filter(|&&vertex| corner_of[vertex as usize] != u32::MAX) {
                let owner = &mut found[corner_of[vertex as usize] as usize].0;
                *owner = (*owner).min(index as u32);
            }
        }
        for &((one, rank), other) in edges {
            let piece = &self.pieces[one as usize];
            let ends = [piece.vertices[rank], piece.vertices[(rank + 1) % 3]];
            let along = (self.at(ends[1]) - self.at(ends[0])).normalize();
            for (end, direction) in [(ends[0], along), (ends[1], -along)] {
                if let Some((_, corner)) = found.get_mut(corner_of[end as usize] as usize) {
                    corner.away.push(direction);
                    if other.is_none() {
                        corner.away.push(-piece.normal);
                    }
                }
            }
        }
        self.corners.extend(found);
    }
}

/// The vertex at which these ridges end, unless two of them go straight on through it.
fn stands_out(ends: &[(u32, Vector<3>)]) -> Option<u32> {
    match ends {
        [(_, one), (_, two)] if (one + two).norm() < STRAIGHT => None,
        _ => ends.first().map(|end| end.0),
    }
}
