//! Geometry at the integration points of an element: shape functions, gradients, weights.

use super::{Integration, Kinematics, SolidModel};
use crate::element::{IntegrationPoint, MOST_NODES, jacobian};
use crate::tensor::inverse_transposed;
use drystone_math::Vector;
use std::f64::consts::TAU;

/// Most degrees of freedom of an element.
pub(super) const MOST_DOFS: usize = 3 * MOST_NODES;

/// What is known at a point before anything moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointGeometry {
    /// Shape functions.
    pub n: [f64; MOST_NODES],
    /// Their gradients \[1/m\].
    pub gradient: [[f64; 3]; MOST_NODES],
    /// `N / r` of an axisymmetric body, else zero \[1/m\].
    pub hoop: [f64; MOST_NODES],
    /// Volume that the point stands for \[m³\].
    pub weight: f64,
}

impl<const D: usize> SolidModel<D> {
    /// Where the stiffness of an element is integrated.
    pub(crate) fn rule(&self, element: usize) -> &'static [IntegrationPoint] {
        let table = self.mesh.kind(element).reference();
        match self.options.integration {
            Integration::Reduced => table.reduced_rule,
            _ => table.stiffness_rule,
        }
    }

    /// Places of the nodes of an element.
    pub(crate) fn element_places(&self, element: usize) -> Vec<Vector<D>> {
        self.mesh.element(element).iter().map(|&node| self.mesh.nodes()[node as usize]).collect()
    }

    /// The geometry at a point.
    pub(crate) fn geometry(
        &self,
        element: usize,
        places: &[Vector<D>],
        point: &IntegrationPoint,
    ) -> PointGeometry {
        let shape = (self.mesh.kind(element).reference().shape)(&point.at);
        let (map, volume) = jacobian(places, &shape);
        let inverse = inverse_transposed(&map);
        let mut gradient = [[0.0; 3]; MOST_NODES];
        for (gradient, dn) in gradient.iter_mut().zip(&shape.dn).take(places.len()) {
            for i in 0..D {
                gradient[i] = (0..D).fold(0.0, |sum, j| sum + inverse[i][j] * dn[j]);
            }
        }
        let mut hoop = [0.0; MOST_NODES];
        let around = match self.kinematics {
            Kinematics::PlaneStrain { depth } | Kinematics::PlaneStress { depth } => depth,
            Kinematics::Space => 1.0,
            Kinematics::Axisymmetric => {
                let radius = places.iter().zip(&shape.n).fold(0.0, |sum, (x, n)| sum + x[0] * n);
                hoop.iter_mut().zip(&shape.n).for_each(|(hoop, n)| *hoop = n / radius);
                TAU * radius
            }
        };
        PointGeometry { n: shape.n, gradient, hoop, weight: point.weight * volume * around }
    }

    /// Displacements of the nodes of an element.
    pub(crate) fn gather(&self, element: usize, u: &[f64]) -> [f64; MOST_DOFS] {
        let mut own = [0.0; MOST_DOFS];
        for (place, &node) in own.chunks_exact_mut(D).zip(self.mesh.element(element)) {
            place.copy_from_slice(&u[node as usize * D..][..D]);
        }
        own
    }
}

impl PointGeometry {
    /// `∂H/∂u` of each degree of freedom: nine numbers of the gradient of displacement H, row after row.
    pub(super) fn gradient_columns<const D: usize>(&self, nodes: usize, out: &mut [[f64; 9]; MOST_DOFS]) {
        for a in 0..nodes {
            for i in 0..D {
                let column = &mut out[a * D + i];
                *column = [0.0; 9];
                column[3 * i..3 * i + 3].copy_from_slice(&self.gradient[a]);
            }
            // the radius grows by the radial displacement
            out[a * D][8] += self.hoop[a];
        }
    }

    /// `∂ε/∂u` of each degree of freedom: six numbers of the strain.
    pub(super) fn strain_columns<const D: usize>(&self, nodes: usize, out: &mut [[f64; 6]; MOST_DOFS]) {
        for a in 0..nodes {
            let g = self.gradient[a];
            for i in 0..D {
                out[a * D + i] = match i {
                    0 => [g[0], 0.0, self.hoop[a], g[1], 0.0, g[2]],
                    1 => [0.0, g[1], 0.0, g[0], g[2], 0.0],
                    _ => [0.0, 0.0, g[2], 0.0, g[1], g[0]],
                };
            }
        }
    }
}
