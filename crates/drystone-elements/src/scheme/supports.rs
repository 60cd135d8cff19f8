//! Degrees of freedom that are held or driven: they leave the equations, and their reactions come out.

use crate::error::{SolidError, require_length};

/// Which degrees of freedom are held (at rest) or driven (with a velocity or displacement given elsewhere).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supports {
    held: Vec<bool>,
}

impl Supports {
    /// Nothing is held, of so many degrees of freedom.
    pub fn none(dofs: usize) -> Self {
        Self { held: vec![false; dofs] }
    }

    /// Holds all components of nodes, of a body in `D` dimensions. Nodes that it does not have are passed
    /// over.
    pub fn clamp<const D: usize>(self, nodes: &[u32]) -> Self {
        (0..D).fold(self, |own, axis| own.hold::<D>(nodes, axis))
    }

    /// Holds one component of nodes, of a body in `D` dimensions. Nodes that it does not have are passed
    /// over.
    pub fn hold<const D: usize>(mut self, nodes: &[u32], axis: usize) -> Self {
        for &node in nodes {
            if let Some(held) = self.held.get_mut(node as usize * D + axis) {
                *held = true;
            }
        }
        self
    }

    /// Whether they fit a body of so many degrees of freedom, and leave it one.
    pub(crate) fn check(&self, dofs: usize) -> Result<(), SolidError> {
        require_length("the list of supports", self.held.len(), dofs)?;
        if self.held.contains(&false) { Ok(()) } else { Err(SolidError::NothingFree) }
    }

    /// Whether each degree of freedom is held.
    pub fn held(&self) -> &[bool] {
        &self.held
    }

    /// Whether anything is held.
    pub fn any(&self) -> bool {
        self.held.contains(&true)
    }

    /// Sets what is held to zero.
    pub(crate) fn clear(&self, x: &mut [f64]) {
        x.iter_mut().zip(&self.held).filter(|(_, held)| **held).for_each(|(x, _)| *x = 0.0);
    }

    /// What is held of one vector, zero elsewhere.
    pub(crate) fn only(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(&self.held).map(|(x, held)| if *held { *x } else { 0.0 }).collect()
    }
}
