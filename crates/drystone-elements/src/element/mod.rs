//! The elements as tables: nodes, faces, integration points, shape functions. One file for each; nothing here
//! knows a mesh, a material or a dimension of space beyond the element's own.
//!
//! Nodes are numbered as in VTK: corners first, then the middles of the edges.

mod face;
mod h20;
mod h8;
mod map;
mod pri15;
mod pri6;
mod q4;
mod q8;
pub(crate) mod quadrature;
mod t3;
mod t6;
mod te10;
mod te4;
#[cfg(test)]
mod tests;

pub use face::FaceKind;
pub(crate) use map::jacobian;
pub use quadrature::IntegrationPoint;

/// Most nodes of an element.
pub const MOST_NODES: usize = 20;

/// Most nodes of a face.
pub const MOST_FACE_NODES: usize = 8;

/// The elements there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementKind {
    /// Triangle of three nodes, constant strain.
    T3,
    /// Triangle of six nodes.
    T6,
    /// Quadrangle of four nodes.
    Q4,
    /// Quadrangle of eight nodes (serendipity).
    Q8,
    /// Tetrahedron of four nodes, constant strain.
    Te4,
    /// Tetrahedron of ten nodes.
    Te10,
    /// Hexahedron of eight nodes.
    H8,
    /// Hexahedron of twenty nodes (serendipity).
    H20,
    /// Prism of six nodes.
    Pri6,
    /// Prism of fifteen nodes (serendipity).
    Pri15,
}

/// Shape functions and their derivatives at one point of the reference element.
#[derive(Clone, Copy, Debug)]
pub struct ShapeValues {
    /// Value of the function of each node.
    pub n: [f64; MOST_NODES],
    /// Its derivatives by the reference coordinates.
    pub dn: [[f64; 3]; MOST_NODES],
}

impl ShapeValues {
    fn zeros() -> Self {
        Self { n: [0.0; MOST_NODES], dn: [[0.0; 3]; MOST_NODES] }
    }

    fn set(&mut self, node: usize, n: f64, dn: [f64; 3]) {
        self.n[node] = n;
        self.dn[node] = dn;
    }
}

/// Everything that is the same for all elements of a kind.
#[derive(Debug)]
pub struct ReferenceElement {
    /// Which one it is.
    pub kind: ElementKind,
    /// Its name as users write it.
    pub name: &'static str,
    /// 2 in the plane, 3 in space.
    pub dimension: usize,
    /// Reference coordinates of the nodes.
    pub nodes: &'static [[f64; 3]],
    /// How many of the nodes are corners; they come first.
    pub corners: usize,
    /// Nodes of each face, seen from outside counterclockwise, corners first.
    pub faces: &'static [&'static [u8]],
    /// The middle nodes, each between two corners.
    pub edges: &'static [[u8; 2]],
    /// Integration of the stiffness.
    pub stiffness_rule: &'static [IntegrationPoint],
    /// Integration of the stiffness with fewer points, where that is in use (Q8, H20); else the same.
    pub reduced_rule: &'static [IntegrationPoint],
    /// Integration of the mass.
    pub mass_rule: &'static [IntegrationPoint],
    /// Shape functions at a point.
    pub shape: fn(&[f64; 3]) -> ShapeValues,
}

impl ElementKind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::T3,
        Self::T6,
        Self::Q4,
        Self::Q8,
        Self::Te4,
        Self::Te10,
        Self::H8,
        Self::H20,
        Self::Pri6,
        Self::Pri15,
    ];

    /// Its number among the types of cells of VTK.
    pub fn vtk_type(self) -> u8 {
        match self {
            Self::T3 => 5,
            Self::Q4 => 9,
            Self::Te4 => 10,
            Self::H8 => 12,
            Self::Pri6 => 13,
            Self::T6 => 22,
            Self::Q8 => 23,
            Self::Te10 => 24,
            Self::H20 => 25,
            Self::Pri15 => 26,
        }
    }

    /// Its table.
    pub fn reference(self) -> &'static ReferenceElement {
        match self {
            Self::T3 => &t3::TABLE,
            Self::T6 => &t6::TABLE,
            Self::Q4 => &q4::TABLE,
            Self::Q8 => &q8::TABLE,
            Self::Te4 => &te4::TABLE,
            Self::Te10 => &te10::TABLE,
            Self::H8 => &h8::TABLE,
            Self::H20 => &h20::TABLE,
            Self::Pri6 => &pri6::TABLE,
            Self::Pri15 => &pri15::TABLE,
        }
    }

    /// Number of nodes.
    pub fn nodes(self) -> usize {
        self.reference().nodes.len()
    }

    /// 2 in the plane, 3 in space.
    pub fn dimension(self) -> usize {
        self.reference().dimension
    }

    /// Whether edges have a node in their middle.
    pub fn is_quadratic(self) -> bool {
        !self.reference().edges.is_empty()
    }

    /// The element of the same form with nodes in the middle of its edges.
    pub fn quadratic(self) -> Self {
        match self {
            Self::T3 | Self::T6 => Self::T6,
            Self::Q4 | Self::Q8 => Self::Q8,
            Self::Te4 | Self::Te10 => Self::Te10,
            Self::H8 | Self::H20 => Self::H20,
            Self::Pri6 | Self::Pri15 => Self::Pri15,
        }
    }

    /// The element of the same form with corners only.
    pub fn linear(self) -> Self {
        match self {
            Self::T3 | Self::T6 => Self::T3,
            Self::Q4 | Self::Q8 => Self::Q4,
            Self::Te4 | Self::Te10 => Self::Te4,
            Self::H8 | Self::H20 => Self::H8,
            Self::Pri6 | Self::Pri15 => Self::Pri6,
        }
    }
}

impl ReferenceElement {
    /// The form of a face by the number of its nodes.
    pub fn face_kind(&self, face: usize) -> FaceKind {
        match (self.dimension, self.faces[face].len()) {
            (2, 2) => FaceKind::L2,
            (2, _) => FaceKind::L3,
            (_, 3) => FaceKind::T3,
            (_, 4) => FaceKind::Q4,
            (_, 6) => FaceKind::T6,
            _ => FaceKind::Q8,
        }
    }
}

impl std::fmt::Display for ElementKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.reference().name)
    }
}
