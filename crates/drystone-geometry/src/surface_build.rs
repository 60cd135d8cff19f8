//! Surfaces from lists of vertices. It refuses what has no area or no clear outer side, and repairs nothing.

use drystone_math::Vector;

use crate::aabb::Aabb;
use crate::polytope::measure;
use crate::surface::{Corner, Piece, Ridge, Surface};
use crate::tree::Tree;
use crate::{ShapeError, error};

/// Heights above a piece below this, relative to the pieces around, are zero: neighbours in one plane.
pub const FLAT: f64 = 1e-9;

/// What is known of a surface before its tree: pieces, then the features between them with the pieces that
/// own them.
#[derive(Default)]
pub struct Draft<const D: usize> {
    pub vertices: Vec<Vector<D>>,
    pub pieces: Vec<Piece<D>>,
    pub ridges: Vec<(u32, Ridge<D>)>,
    pub corners: Vec<(u32, Corner<D>)>,
    /// Pairs of neighbours in one plane.
    pub level: Vec<[u32; 2]>,
    pub closed: bool,
}

/// The tree over the boxes of the pieces.
pub(crate) fn tree<const D: usize>(vertices: &[Vector<D>], pieces: &[Piece<D>]) -> Tree<D> {
    let around = |piece: &Piece<D>| {
        let mut aabb: Aabb<D> =
            Aabb { low: Vector::repeat(f64::INFINITY), high: Vector::repeat(f64::NEG_INFINITY) };
        for &vertex in &piece.vertices {
            let vertex = &vertices[vertex as usize];
            aabb = Aabb { low: aabb.low.inf(vertex), high: aabb.high.sup(vertex) };
        }
        aabb
    };
    Tree::new(&pieces.iter().map(around).collect::<Vec<Aabb<D>>>())
}

impl<const D: usize> Draft<D> {
    /// Numbers the facets, hands features to their owners and plants the tree.
    pub fn finish(mut self) -> Surface<D> {
        let facets = join(self.pieces.len(), &self.level);
        self.pieces.iter_mut().zip(facets).for_each(|(piece, facet)| piece.facet = facet);
        self.ridges.sort_by_key(|ridge| (ridge.0, ridge.1.vertices));
        self.corners.sort_by_key(|corner| (corner.0, corner.1.vertex));
        let ridges_of = starts(self.pieces.len(), self.ridges.iter().map(|ridge| ridge.0));
        let corners_of = starts(self.pieces.len(), self.corners.iter().map(|corner| corner.0));
        let (bounding_radius, size) = measure(&self.vertices);
        Surface {
            tree: tree(&self.vertices, &self.pieces),
            vertices: self.vertices,
            pieces: self.pieces,
            ridges: self.ridges.into_iter().map(|ridge| ridge.1).collect(),
            corners: self.corners.into_iter().map(|corner| corner.1).collect(),
            ridges_of,
            corners_of,
            closed: self.closed,
            bounding_radius,
            size,
        }
    }

    pub fn at(&self, vertex: u32) -> Vector<D> {
        self.vertices[vertex as usize]
    }

    /// How a neighbour through a common vertex or edge stands to a piece: positive above its plane (a
    /// valley), negative below (a ridge), zero in it.
    pub fn bend(&self, piece: u32, neighbour: u32) -> f64 {
        let (one, two) = (&self.pieces[piece as usize], &self.pieces[neighbour as usize]);
        let origin = self.at(one.vertices[0]);
        let heights = two.vertices.iter().map(|&vertex| one.normal.dot(&(self.at(vertex) - origin)));
        let height =
            heights.fold(0.0, |most: f64, height| if height.abs() > most.abs() { height } else { most });
        let lengths = two.vertices.iter().map(|&vertex| (self.at(vertex) - origin).norm());
        // turned right back, the neighbour is in the same plane and yet a ridge
        if height.abs() > FLAT * lengths.fold(0.0, f64::max) {
            height
        } else if one.normal.dot(&two.normal) < 0.0 {
            -f64::MIN_POSITIVE
        } else {
            0.0
        }
    }
}

/// The least piece each piece hangs together with through pairs.
fn join(count: usize, pairs: &[[u32; 2]]) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..count as u32).collect();
    fn root(parent: &mut [u32], mut one: u32) -> u32 {
        while parent[one as usize] != one {
            parent[one as usize] = parent[parent[one as usize] as usize];
            one = parent[one as usize];
        }
        one
    }
    for pair in pairs {
        let [a, b] = pair.map(|piece| root(&mut parent, piece));
        parent[a.max(b) as usize] = a.min(b);
    }
    (0..count as u32).map(|piece| root(&mut parent, piece)).collect()
}

/// Where the run of each owner starts in a sorted list of owners.
fn starts(count: usize, owners: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; count + 1];
    owners.for_each(|owner| starts[owner as usize + 1] += 1);
    for k in 0..count {
        starts[k + 1] += starts[k];
    }
    starts
}

impl Surface<2> {
    /// An open polyline: terrain or a rough wall. Its outer side is on the left on the way from the first
    /// vertex to the last, so that vertices given from left to right are looked at from above.
    pub fn polyline(mut vertices: Vec<Vector<2>>) -> Result<Self, ShapeError> {
        error::check_points(&vertices, 2)?;
        vertices.reverse();
        Self::chain(vertices, false)
    }

    /// The boundary of a polygon, convex or not: a star. Either order of the vertices is accepted; it must
    /// not cross itself.
    pub fn outline(mut vertices: Vec<Vector<2>>) -> Result<Self, ShapeError> {
        error::check_points(&vertices, 3)?;
        let (_, size) = measure(&vertices);
        let area = crate::decompose::signed_area(&vertices);
        if area.abs() <= FLAT * size * size {
            return Err(ShapeError::Flat { dimension: 2 });
        }
        if area < 0.0 {
            vertices.reverse();
        }
        crate::decompose::check_simple(&vertices)?;
        Self::chain(vertices, true)
    }

    /// Segments from vertex to vertex, the outer side on the right.
    fn chain(vertices: Vec<Vector<2>>, closed: bool) -> Result<Self, ShapeError> {
        let (_, size) = measure(&vertices);
        let count = vertices.len();
        let mut draft = Draft { vertices, closed, ..Draft::default() };
        for k in 0..if closed { count } else { count - 1 } {
            let next = (k + 1) % count;
            let along = draft.vertices[next] - draft.vertices[k];
            let length = along.norm();
            if length <= FLAT * size {
                return Err(ShapeError::RepeatedVertex { first: k.min(next), second: k.max(next) });
            }
            let along = along / length;
            let normal = Vector::<2>::new(along[1], -along[0]);
            draft.pieces.push(Piece {
                vertices: [k as u32, next as u32],
                normal,
                sides: [-along, along],
                facet: 0,
            });
        }
        for vertex in 0..count as u32 {
            draft.judge_vertex(vertex);
        }
        Ok(draft.finish())
    }
}

impl Draft<2> {
    /// Makes a corner of a vertex where the chain turns outward or ends, joins pieces where it goes straight
    /// on.
    fn judge_vertex(&mut self, vertex: u32) {
        let count = self.vertices.len() as u32;
        let before = if vertex > 0 { Some(vertex - 1) } else { self.closed.then(|| count - 1) };
        let after = Some(vertex).filter(|&k| self.closed || k + 1 < count);
        let away = match (before, after) {
            (Some(before), Some(after)) => {
                let bend = self.bend(before, after);
                if bend == 0.0 {
                    self.level.push([before, after]);
                }
                if bend >= 0.0 {
                    return;
                }
                vec![self.pieces[before as usize].sides[0], self.pieces[after as usize].sides[1]]
            }
            // beyond the end of an open chain a wall goes straight down
            (Some(only), None) => {
                let piece = &self.pieces[only as usize];
                vec![piece.sides[0], -piece.normal]
            }
            (None, Some(only)) => {
                let piece = &self.pieces[only as usize];
                vec![piece.sides[1], -piece.normal]
            }
            (None, None) => return,
        };
        let owner = before.into_iter().chain(after).min().unwrap_or(0);
        self.corners.push((owner, Corner { vertex, away }));
    }
}
