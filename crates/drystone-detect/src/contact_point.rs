//! A contact point as detection gives it. How it is found is told by the pair table.

use crate::LEVEL_AXES;
use drystone_geometry::frame_from_normal;
use drystone_math::{Matrix, Vector};

/// One point where two contactors touch or nearly do.
#[doc(alias = "contact point")]
#[doc(alias = "manifold")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint<const D: usize> {
    /// Candidate (side 0) and antagonist (side 1), as indices of contactors.
    pub contactors: [u32; 2],
    /// In a periodic cell, by how many periods along x and y the antagonist is moved to touch the candidate.
    pub image: [i32; LEVEL_AXES],
    /// Which features touch; the same from step to step as long as they do, whichever face is the reference.
    pub feature: u64,
    /// Half way between the two surfaces, in world axes \[m\].
    pub point: Vector<D>,
    /// Unit normal from antagonist to candidate.
    pub normal: Vector<D>,
    /// Signed distance along the normal, negative when the bodies overlap \[m\].
    pub gap: f64,
}

impl<const D: usize> ContactPoint<D> {
    /// Columns: the normal, then tangents, which depend on it alone.
    pub fn frame(&self) -> Matrix<D, D> {
        frame_from_normal(&self.normal)
    }
}
