//! Why a shape is refused. Each message is one sentence meant for the author of a scene; it names no file.

use drystone_math::Vector;

use crate::polytope::measure;

/// Why a list of numbers is not a shape.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A radius or a side that is not a positive finite number.
    #[error("{name} is {value}, but it must be a positive finite number")]
    NotPositive {
        /// Which length.
        name: &'static str,
        /// What was given \[m\].
        value: f64,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite; every coordinate must be a finite number")]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
    },
    /// Coordinates so large that products of them overflow, or so small that they vanish.
    #[error("the shape measures {size} m, but sizes from 1e-60 to 1e60 m are allowed")]
    OutOfScale {
        /// Largest extent \[m\].
        size: f64,
    },
    /// Not enough vertices.
    #[error("the shape has {found} vertices, but at least {needed} are needed")]
    TooFewVertices {
        /// How many there are.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// Too many vertices or faces to number.
    #[error("the shape has {found} vertices or faces, but at most {allowed} are allowed")]
    TooMany {
        /// How many there are.
        found: usize,
        /// How many may be.
        allowed: usize,
    },
    /// Two vertices at the same place.
    #[error("vertices {first} and {second} are at the same place; every vertex must be given once")]
    RepeatedVertex {
        /// Index of the one.
        first: usize,
        /// Index of the other.
        second: usize,
    },
    /// All vertices on a line or in a plane.
    #[error("the shape is flat: its vertices enclose no {}", if *.dimension == 2 { "area" } else { "volume" })]
    Flat {
        /// 2 in the plane, 3 in space.
        dimension: usize,
    },
    /// A polygon turns the wrong way at a vertex.
    #[error("the polygon is not convex at vertex {vertex}; only convex polygons are allowed")]
    ReflexVertex {
        /// Index of the reflex vertex.
        vertex: usize,
    },
    /// A polygon that winds more than once or crosses itself.
    #[error("the polygon crosses itself or winds more than once; its vertices must go once around")]
    SelfIntersecting,
    /// A face with fewer than three vertices.
    #[error("face {face} has {found} vertices, but at least 3 are needed")]
    FaceTooSmall {
        /// Index of the face.
        face: usize,
        /// How many vertices it has.
        found: usize,
    },
    /// A face names a vertex that does not exist.
    #[error("face {face} names vertex {vertex}, but the vertices are numbered from 0 to {}", .vertices.saturating_sub(1))]
    VertexOutOfRange {
        /// Index of the face.
        face: usize,
        /// The index it gives.
        vertex: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A face names the same vertex twice.
    #[error("face {face} names vertex {vertex} more than once")]
    RepeatedInFace {
        /// Index of the face.
        face: usize,
        /// Index of the vertex.
        vertex: usize,
    },
    /// A face of zero area.
    #[error("face {face} has no area: its vertices are on a line")]
    FlatFace {
        /// Index of the face.
        face: usize,
    },
    /// A face whose vertices are not in one plane.
    #[error("face {face} is not planar: vertex {vertex} is out of its plane")]
    NotPlanar {
        /// Index of the face.
        face: usize,
        /// Index of the vertex farthest from the plane.
        vertex: usize,
    },
    /// An edge with one face only.
    #[error("the surface is open: the edge from vertex {from} to vertex {to} belongs to face {face} only")]
    OpenEdge {
        /// Start of the edge.
        from: usize,
        /// End of the edge.
        to: usize,
        /// The only face.
        face: usize,
    },
    /// An edge with three faces or more.
    #[error("the edge between vertices {from} and {to} belongs to more than two faces")]
    CrowdedEdge {
        /// Start of the edge.
        from: usize,
        /// End of the edge.
        to: usize,
    },
    /// Two neighbouring faces that run along their edge in the same direction.
    #[error(
        "faces {first} and {second} are oriented against each other; all must be counter-clockwise seen from outside"
    )]
    MixedOrientation {
        /// Index of the one.
        first: usize,
        /// Index of the other.
        second: usize,
    },
    /// A vertex lies outside the plane of a face.
    #[error("the polyhedron is not convex: vertex {vertex} is outside the plane of face {face}")]
    NotConvex {
        /// Index of the face.
        face: usize,
        /// Index of the vertex.
        vertex: usize,
    },
    /// A vertex that no face names.
    #[error("vertex {vertex} belongs to no face; every vertex must be used")]
    UnusedVertex {
        /// Index of the vertex.
        vertex: usize,
    },
    /// Rounded corners larger than the sides they round.
    #[error("the corners have radius {radius} m, more than half of the side of {side} m")]
    TooRound {
        /// Radius of the corners \[m\].
        radius: f64,
        /// The shorter side \[m\].
        side: f64,
    },
    /// Heights that do not fill a grid of two rows and two columns or more.
    #[error("{found} heights do not fill rows of {columns}; a grid has two rows and two columns at least")]
    NotAGrid {
        /// Points in a row.
        columns: usize,
        /// How many heights there are.
        found: usize,
    },
    /// Points inside the hull.
    #[error(
        "{count} points, the first of them number {first}, are inside the convex hull of the others; every point must be on it"
    )]
    InteriorPoints {
        /// How many.
        count: usize,
        /// Index of the first of them.
        first: usize,
    },
}

/// Most vertices or faces a shape may have: indices of edges fit in 31 bits of a feature.
pub const MOST: usize = 1 << 20;

/// Enough vertices for a solid, all finite, of a size whose third power is a number.
pub fn check_vertices<const D: usize>(vertices: &[Vector<D>]) -> Result<(), ShapeError> {
    check_points(vertices, D + 1)
}

/// At least so many vertices, all finite, of a size whose third power is a number.
pub fn check_points<const D: usize>(vertices: &[Vector<D>], needed: usize) -> Result<(), ShapeError> {
    if let Some(vertex) = vertices.iter().position(|vertex| !vertex.iter().all(|x| x.is_finite())) {
        return Err(ShapeError::NotFinite { vertex });
    }
    if vertices.len() < needed {
        return Err(ShapeError::TooFewVertices { found: vertices.len(), needed });
    }
    if vertices.len() > MOST {
        return Err(ShapeError::TooMany { found: vertices.len(), allowed: MOST });
    }
    let (radius, size) = measure(vertices);
    if size == 0.0 {
        return Err(ShapeError::RepeatedVertex { first: 0, second: 1 });
    }
    if !(size >= 1e-60 && radius <= 1e60) {
        return Err(ShapeError::OutOfScale { size: size.max(radius) });
    }
    Ok(())
}

/// No two vertices closer than `tolerance`.
pub fn check_repeated<const D: usize>(vertices: &[Vector<D>], tolerance: f64) -> Result<(), ShapeError> {
    // sorted along one axis, only a short run after each vertex can be close to it
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    order.sort_by(|&i, &j| vertices[i][0].total_cmp(&vertices[j][0]));
    for (rank, &i) in order.iter().enumerate() {
        for &j in &order[rank + 1..] {
            if vertices[j][0] - vertices[i][0] > tolerance {
                break;
            }
            if (vertices[j] - vertices[i]).norm() <= tolerance {
                return Err(ShapeError::RepeatedVertex { first: i.min(j), second: i.max(j) });
            }
        }
    }
    Ok(())
}

/// A positive finite length.
pub fn check_positive(name: &'static str, value: f64) -> Result<(), ShapeError> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(ShapeError::NotPositive { name, value }) }
}

/// Every side a positive finite length.
pub fn check_sides(sides: &[f64]) -> Result<(), ShapeError> {
    match sides.iter().find(|side| !(side.is_finite() && **side > 0.0)) {
        Some(&value) => Err(ShapeError::NotPositive { name: "a side", value }),
        None => Ok(()),
    }
}
