//! Faces of elements: segments in the plane, triangles and quadrangles in space, with shape functions of
//! their own. Knows no mesh.

use super::quadrature::{EDGE_2, EDGE_3, SQUARE_4, SQUARE_9, TRIANGLE_3, TRIANGLE_6};
use super::{IntegrationPoint, MOST_FACE_NODES, ShapeValues, q4, q8, t3, t6};

/// Forms of faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaceKind {
    /// Segment of two nodes.
    L2,
    /// Segment of three nodes, the last in the middle.
    L3,
    /// Triangle of three nodes.
    T3,
    /// Triangle of six nodes.
    T6,
    /// Quadrangle of four nodes.
    Q4,
    /// Quadrangle of eight nodes.
    Q8,
}

impl FaceKind {
    /// Number of nodes.
    pub fn nodes(self) -> usize {
        match self {
            Self::L2 => 2,
            Self::L3 | Self::T3 => 3,
            Self::T6 => 6,
            Self::Q4 => 4,
            Self::Q8 => 8,
        }
    }

    /// Where pressures are integrated.
    pub fn rule(self) -> &'static [IntegrationPoint] {
        match self {
            Self::L2 => &EDGE_2,
            Self::L3 => &EDGE_3,
            Self::T3 => &TRIANGLE_3,
            Self::T6 => &TRIANGLE_6,
            Self::Q4 => &SQUARE_4,
            Self::Q8 => &SQUARE_9,
        }
    }

    /// Shape functions at a point of the face's own coordinates.
    pub fn shape(self, at: &[f64; 3]) -> ShapeValues {
        match self {
            Self::L2 => {
                let mut shape = ShapeValues::zeros();
                shape.set(0, 0.5 * (1.0 - at[0]), [-0.5, 0.0, 0.0]);
                shape.set(1, 0.5 * (1.0 + at[0]), [0.5, 0.0, 0.0]);
                shape
            }
            Self::L3 => {
                let (mut shape, x) = (ShapeValues::zeros(), at[0]);
                shape.set(0, 0.5 * x * (x - 1.0), [x - 0.5, 0.0, 0.0]);
                shape.set(1, 0.5 * x * (x + 1.0), [x + 0.5, 0.0, 0.0]);
                shape.set(2, 1.0 - x * x, [-2.0 * x, 0.0, 0.0]);
                shape
            }
            Self::T3 => t3::shape(at),
            Self::T6 => t6::shape(at),
            Self::Q4 => q4::shape(at),
            Self::Q8 => q8::shape(at),
        }
    }

    /// The same functions without their derivatives.
    #[inline]
    pub fn values(self, at: &[f64; 3]) -> [f64; MOST_FACE_NODES] {
        let mut values = [0.0; MOST_FACE_NODES];
        match self {
            // most skins are made of these
            Self::L2 => [values[0], values[1]] = [0.5 * (1.0 - at[0]), 0.5 * (1.0 + at[0])],
            Self::T3 => [values[0], values[1], values[2]] = [1.0 - at[0] - at[1], at[0], at[1]],
            _ => values.copy_from_slice(&self.shape(at).n[..MOST_FACE_NODES]),
        }
        values
    }

    /// Linear pieces of the face, as its own node numbers: what contact sees of a curved face. Segments have
    /// two corners, triangles three.
    ///
    /// L3 gives two segments, T6 four triangles, Q8 six, Q4 two.
    pub fn facets(self) -> &'static [&'static [u8]] {
        match self {
            Self::L2 => &[&[0, 1]],
            Self::L3 => &[&[0, 2], &[2, 1]],
            Self::T3 => &[&[0, 1, 2]],
            Self::T6 => &[&[0, 3, 5], &[3, 1, 4], &[5, 4, 2], &[3, 4, 5]],
            Self::Q4 => &[&[0, 1, 2], &[0, 2, 3]],
            Self::Q8 => &[&[0, 4, 7], &[4, 1, 5], &[5, 2, 6], &[6, 3, 7], &[4, 5, 7], &[5, 6, 7]],
        }
    }
}
