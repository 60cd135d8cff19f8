//! Loads on a body: gravity, pressure and traction on faces. What holds or drives nodes is no load.

use super::{Kinematics, SolidModel};
use crate::element::MOST_FACE_NODES;
use crate::error::SolidError;
use crate::mesh::ElementFace;
use drystone_math::Vector;
use drystone_sparse::SymmetricBlocks;
use std::f64::consts::TAU;

impl<const D: usize> SolidModel<D> {
    /// Weight of every degree of freedom \[N\], `M g`, g \[m/s²\].
    pub fn gravity_load(&self, mass: &SymmetricBlocks<D>, gravity: &Vector<D>) -> Vec<f64> {
        let everywhere: Vec<f64> = (0..self.dofs()).map(|dof| gravity[dof % D]).collect();
        mass.times(&everywhere)
    }

    /// Forces on nodes by which heat deforms a linear body \[N\], `∫ Bᵀ D α ΔT dV`; none at the temperature
    /// of the reference.
    pub fn heat_load(&self) -> Result<Option<Vec<f64>>, SolidError> {
        if self.options.temperature == 0.0 {
            return Ok(None);
        }
        let answer = self.evaluate(&vec![0.0; self.dofs()], None, &self.start(), None)?;
        Ok(Some(answer.force.iter().map(|force| -force).collect()))
    }

    /// Adds a pressure \[Pa\] on faces, `−p ∫ N n dA`, positive inwards; on the faces where `u` \[m\] has
    /// moved them, or as they were (`None`).
    pub fn add_pressure(&self, faces: &[ElementFace], pressure: f64, u: Option<&[f64]>, load: &mut [f64]) {
        for &face in faces {
            self.over_face(face, u, |node, n, area, _| {
                (0..D).for_each(|axis| load[node * D + axis] -= pressure * n * area[axis]);
            });
        }
    }

    /// Adds a traction \[Pa\] on faces as they were, `∫ N t dA`.
    pub fn add_traction(&self, faces: &[ElementFace], traction: &Vector<D>, load: &mut [f64]) {
        for &face in faces {
            self.over_face(face, None, |node, n, _, size| {
                (0..D).for_each(|axis| load[node * D + axis] += traction[axis] * n * size);
            });
        }
    }

    /// Area of faces \[m²\].
    pub fn area(&self, faces: &[ElementFace]) -> f64 {
        let mut area = 0.0;
        for &face in faces {
            self.over_face(face, None, |_, n, _, size| area += n * size);
        }
        area
    }

    /// Visits the nodes of a face at its integration points: node, shape function, area with its outward
    /// direction, and its size.
    fn over_face(
        &self,
        face: ElementFace,
        u: Option<&[f64]>,
        mut visit: impl FnMut(usize, f64, &Vector<D>, f64),
    ) {
        let table = self.mesh.kind(face.element as usize).reference();
        let kind = table.face_kind(face.face as usize);
        let mut nodes = [0; MOST_FACE_NODES];
        let mut places = [Vector::<D>::zeros(); MOST_FACE_NODES];
        for (k, node) in self.mesh.face_nodes(face).enumerate() {
            nodes[k] = node as usize;
            places[k] = self.mesh.nodes()[node as usize];
            if let Some(u) = u {
                (0..D).for_each(|axis| places[k][axis] += u[node as usize * D + axis]);
            }
        }
        for point in kind.rule() {
            let shape = kind.shape(&point.at);
            let along = |direction: usize| {
                (0..kind.nodes())
                    .fold(Vector::<D>::zeros(), |sum, k| sum + places[k] * shape.dn[k][direction])
            };
            let (r, s) = (along(0), along(1));
            let mut area = Vector::<D>::zeros();
            if D == 2 {
                (area[0], area[1]) = (r[1], -r[0]);
            } else {
                for i in 0..3 {
                    let (p, q) = ((i + 1) % 3, (i + 2) % 3);
                    area[i] = r[p] * s[q] - r[q] * s[p];
                }
            }
            let around = match self.kinematics {
                Kinematics::PlaneStrain { depth } | Kinematics::PlaneStress { depth } => depth,
                Kinematics::Space => 1.0,
                Kinematics::Axisymmetric => {
                    TAU * (0..kind.nodes()).fold(0.0, |sum, k| sum + shape.n[k] * places[k][0])
                }
            };
            area *= point.weight * around;
            let size = area.norm();
            (0..kind.nodes()).for_each(|k| visit(nodes[k], shape.n[k], &area, size));
        }
    }
}
