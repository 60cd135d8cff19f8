//! What `inspect` found, and the sentences for it. Finds nothing itself.

use drystone_math::Vector;

/// Which way the triangles of a closed surface look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    /// Counter-clockwise seen from outside, as it should be; a surface around a cavity looks into the cavity.
    Outward,
    /// Every part inside out.
    Inward,
    /// Some parts, or some triangles of a part, against the others.
    Mixed,
    /// The surface is open or not a manifold, so that there is no outside.
    Undefined,
}

/// How far a surface is from convex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convexity {
    /// The vertex farthest out of the plane of a triangle.
    pub vertex: u32,
    /// That triangle.
    pub triangle: u32,
    /// How far it is out \[m, or the unit of the mesh\]; not positive for a convex surface but for rounding.
    pub height: f64,
    /// Whether the surface is closed, one part, and no vertex is farther out than 1e-6 of the size.
    pub convex: bool,
}

/// What is to be known of a surface before it is used. Triangles and vertices are numbered from 0 as in the
/// [`Surface`](crate::Surface).
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// Number of vertices after welding.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Parts joined by edges.
    pub components: usize,
    /// Whether every edge has two triangles.
    pub closed: bool,
    /// Which way it looks.
    pub facing: Facing,
    /// Edges of one triangle only, as pairs of vertices.
    pub boundary: Vec<[u32; 2]>,
    /// Edges of three triangles or more.
    pub crowded: Vec<[u32; 2]>,
    /// Pairs of neighbours that run along their edge in the same direction.
    pub against: Vec<[u32; 2]>,
    /// Parts inside out, by the number of a triangle of each.
    pub inverted: Vec<u32>,
    /// Triangles lower than 1e-9 of the size of the mesh.
    pub degenerate: Vec<u32>,
    /// Faces of the input that collapsed when vertices were welded.
    pub collapsed: Vec<u32>,
    /// Pairs of triangles with the same corners.
    pub duplicates: Vec<[u32; 2]>,
    /// Pairs of triangles that meet where they should not; at most [`Inspection::MOST_INTERSECTIONS`].
    pub intersections: Vec<[u32; 2]>,
    /// How far from convex.
    pub convexity: Convexity,
    /// Volume \[m³, or the cube of the unit\]; none unless the surface is closed and oriented.
    pub volume: Option<f64>,
    /// Smallest and largest coordinates.
    pub bounds: [Vector<3>; 2],
}

impl Inspection {
    /// Intersections that are looked for; more change nothing.
    pub const MOST_INTERSECTIONS: usize = 1000;

    /// Everything that keeps the surface from bounding a solid, a sentence for each kind; convexity is not
    /// asked for.
    pub fn problems(&self) -> Vec<MeshProblem> {
        let mut problems = self.flaws();
        if let Some(&[from, to]) = self.boundary.first() {
            problems.push(MeshProblem::Open { count: self.boundary.len(), from, to });
        }
        if let Some(&triangle) = self.inverted.first() {
            let all = self.facing == Facing::Inward;
            problems.push(MeshProblem::Inverted { all, count: self.inverted.len(), triangle });
        }
        problems
    }

    /// What is wrong even with a surface that may be open.
    pub fn flaws(&self) -> Vec<MeshProblem> {
        let mut problems = Vec::new();
        if let Some(&face) = self.collapsed.first() {
            problems.push(MeshProblem::Collapsed { count: self.collapsed.len(), face });
        }
        if let Some(&triangle) = self.degenerate.first() {
            problems.push(MeshProblem::Degenerate { count: self.degenerate.len(), triangle });
        }
        if let Some(&[first, second]) = self.duplicates.first() {
            problems.push(MeshProblem::Duplicate { count: self.duplicates.len(), first, second });
        }
        if let Some(&[from, to]) = self.crowded.first() {
            problems.push(MeshProblem::Crowded { count: self.crowded.len(), from, to });
        }
        if let Some(&[first, second]) = self.against.first() {
            problems.push(MeshProblem::Against { count: self.against.len(), first, second });
        }
        if let Some(&[first, second]) = self.intersections.first() {
            problems.push(MeshProblem::SelfIntersecting { count: self.intersections.len(), first, second });
        }
        problems
    }

    /// Why the surface is not convex, if it is not.
    pub fn not_convex(&self) -> Option<MeshProblem> {
        let Convexity { vertex, triangle, height, convex } = self.convexity;
        match (convex, self.components) {
            (true, _) => None,
            (false, 2..) => Some(MeshProblem::SeveralParts { count: self.components }),
            (false, _) => Some(MeshProblem::NotConvex { vertex, triangle, height }),
        }
    }
}

/// One thing wrong with a surface. Counts say how often, numbers where first.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MeshProblem {
    /// Edges with one triangle only.
    #[error(
        "it is open: {count} edges belong to one triangle only, the first of them from vertex {from} to vertex {to}"
    )]
    Open {
        /// How many.
        count: usize,
        /// Start of the first.
        from: u32,
        /// End of the first.
        to: u32,
    },
    /// Parts inside out.
    #[error("{}, the first with triangle {triangle}; corners must go counter-clockwise seen from outside", if *.all { "it is inside out".to_owned() } else { format!("{count} of its parts are inside out") })]
    Inverted {
        /// Whether all parts are.
        all: bool,
        /// How many.
        count: usize,
        /// A triangle of the first.
        triangle: u32,
    },
    /// Faces that collapsed when vertices were welded.
    #[error("{count} of its faces have fewer than three different corners, the first of them face {face}")]
    Collapsed {
        /// How many.
        count: usize,
        /// The first.
        face: u32,
    },
    /// Triangles without area.
    #[error("{count} of its triangles have no area, the first of them triangle {triangle}")]
    Degenerate {
        /// How many.
        count: usize,
        /// The first.
        triangle: u32,
    },
    /// The same triangle twice.
    #[error(
        "{count} pairs of its triangles have the same corners, the first of them triangles {first} and {second}"
    )]
    Duplicate {
        /// How many pairs.
        count: usize,
        /// The one.
        first: u32,
        /// The other.
        second: u32,
    },
    /// Edges of more than two triangles.
    #[error(
        "{count} of its edges belong to more than two triangles, the first of them between vertices {from} and {to}"
    )]
    Crowded {
        /// How many.
        count: usize,
        /// Start of the first.
        from: u32,
        /// End of the first.
        to: u32,
    },
    /// Neighbours oriented against each other.
    #[error(
        "{count} pairs of neighbours are oriented against each other, the first of them triangles {first} and {second}"
    )]
    Against {
        /// How many pairs.
        count: usize,
        /// The one.
        first: u32,
        /// The other.
        second: u32,
    },
    /// Triangles that cross or touch others that are no neighbours.
    #[error("it crosses or touches itself, first at triangles {first} and {second}")]
    SelfIntersecting {
        /// How many pairs were found.
        count: usize,
        /// The one.
        first: u32,
        /// The other.
        second: u32,
    },
    /// A vertex out of the plane of a triangle.
    #[error("it is not convex: vertex {vertex} is {height} outside the plane of triangle {triangle}")]
    NotConvex {
        /// The vertex farthest out.
        vertex: u32,
        /// The triangle.
        triangle: u32,
        /// How far \[m, or the unit of the mesh\].
        height: f64,
    },
    /// More than one part.
    #[error("it is not convex: it has {count} separate parts")]
    SeveralParts {
        /// How many.
        count: usize,
    },
}
