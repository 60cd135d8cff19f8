//! Degrees of freedom that are held or driven: they leave the equations, and their reactions come out.

use crate::error::{SolidError, require_length};
use crate::model::{Kinematics, SolidModel};
use drystone_math::Vector;

/// Rigid motions of which the supports feel less than this, relative to the size of the body, are free.
const FREE: f64 = 1e-9;

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

    /// Holds the fewest degrees of freedom that leave a body no rigid motion: of one node all, of the
    /// farthest from it all but one, in space of a third off their line one.
    pub fn rigid<const D: usize>(model: &SolidModel<D>) -> Self {
        let nodes = model.mesh().nodes();
        let farthest = |distance: &dyn Fn(&Vector<D>) -> f64| -> usize {
            let longer =
                |best: usize, k: usize| if distance(&nodes[k]) > distance(&nodes[best]) { k } else { best };
            (0..nodes.len()).fold(0, longer)
        };
        let origin = nodes[0];
        let second = farthest(&|x| (x - origin).norm());
        let line = (nodes[second] - origin).normalize();
        let along = line.iamax();
        let mut own = Self::none(model.dofs()).clamp::<D>(&[0]);
        for axis in (0..D).filter(|&axis| axis != along) {
            own = own.hold::<D>(&[second as u32], axis);
        }
        if D == 3 {
            let off = |x: &Vector<D>| (x - origin) - line * (x - origin).dot(&line);
            let third = farthest(&|x| off(x).norm());
            let arm = off(&nodes[third]);
            // how it moves in a turn about the line
            let turned = Vector::<D>::from_fn(|axis, _| {
                let (p, q) = ((axis + 1) % 3, (axis + 2) % 3);
                line[p] * arm[q] - line[q] * arm[p]
            });
            own = own.hold::<D>(&[third as u32], turned.iamax());
        }
        own
    }

    /// Whether they leave a body no motion without strain, as one without inertia needs it.
    pub fn check_rigid<const D: usize>(&self, model: &SolidModel<D>) -> Result<(), SolidError> {
        let nodes = model.mesh().nodes();
        let held = || self.held.iter().enumerate().filter(|(_, held)| **held).map(|(dof, _)| dof);
        let size = nodes.iter().map(|x| (x - nodes[0]).norm()).fold(0.0, f64::max);
        // what each held degree of freedom feels of the rigid motions, made orthogonal one after the other
        let motions = match model.kinematics() {
            Kinematics::Axisymmetric => vec![1],
            _ => (0..drystone_math::rigid_dofs(D)).collect(),
        };
        let felt = |motion: usize, dof: usize| -> f64 {
            let (x, axis) = ((nodes[dof / D] - nodes[0]) / size, dof % D);
            match (motion, D) {
                (motion, _) if motion < D => f64::from(u8::from(motion == axis)),
                (_, 2) => [-x[1], x[0]][axis],
                (motion, _) => {
                    let (p, q) = ((motion - D + 1) % 3, (motion - D + 2) % 3);
                    if axis == p {
                        -x[q]
                    } else if axis == q {
                        x[p]
                    } else {
                        0.0
                    }
                }
            }
        };
        let mut kept: Vec<Vec<f64>> = Vec::new();
        for motion in motions {
            let mut own: Vec<f64> = held().map(|dof| felt(motion, dof)).collect();
            for other in &kept {
                let share = super::dot(&own, other);
                own.iter_mut().zip(other).for_each(|(x, y)| *x -= share * y);
            }
            let norm = super::dot(&own, &own).sqrt();
            if norm < FREE {
                return Err(SolidError::FreeMotion);
            }
            own.iter_mut().for_each(|x| *x /= norm);
            kept.push(own);
        }
        Ok(())
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
        self.clear_abreast(x.as_chunks_mut::<1>().0);
    }

    /// The same of vectors side by side.
    pub(crate) fn clear_abreast<const W: usize>(&self, x: &mut [[f64; W]]) {
        x.iter_mut().zip(&self.held).filter(|(_, held)| **held).for_each(|(x, _)| *x = [0.0; W]);
    }

    /// What is held of one vector, zero elsewhere.
    pub(crate) fn only(&self, x: &[f64]) -> Vec<f64> {
        self.only_abreast(x.as_chunks::<1>().0).into_flattened()
    }

    /// The same of vectors side by side.
    pub(crate) fn only_abreast<const W: usize>(&self, x: &[[f64; W]]) -> Vec<[f64; W]> {
        x.iter().zip(&self.held).map(|(x, held)| if *held { *x } else { [0.0; W] }).collect()
    }
}
