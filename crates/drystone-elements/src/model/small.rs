//! Elements at small strains: `f = Σ w Bᵀ σ`, `K = Σ w Bᵀ C B`, with B-bar where it is asked for, and the
//! matrix of damping.

use super::evaluate::{ElementSums, located};
use super::point::{MOST_DOFS, PointGeometry};
use super::{Constitutive, Integration, Kinematics, SolidModel};
use crate::error::SolidError;
use crate::law::{LawFailure, PointHistory, SmallLaw, SmallResponse, small_plane_stress};
use crate::tensor::{Tangent6, Voigt, apply};
use drystone_sparse::SymmetricBlocks;

impl<const D: usize> SolidModel<D> {
    /// The geometry at all points of an element, and the strain of each degree of freedom there.
    pub(super) fn strain_points(&self, element: usize) -> Vec<(PointGeometry, Vec<[f64; 6]>)> {
        let places = self.element_places(element);
        let count = places.len() * D;
        let mut columns = [[0.0; 6]; MOST_DOFS];
        let mut points = Vec::new();
        for point in self.rule(element) {
            let geometry = self.geometry(element, &places, point);
            geometry.strain_columns::<D>(places.len(), &mut columns);
            points.push((geometry, columns[..count].to_vec()));
        }
        if self.options.integration == Integration::BBar {
            // the dilatation of each degree of freedom becomes its mean over the element
            let volume = points.iter().fold(0.0, |sum, (point, _)| sum + point.weight);
            for dof in 0..count {
                let dilatation = |columns: &[[f64; 6]]| columns[dof][..3].iter().sum::<f64>();
                let whole =
                    points.iter().fold(0.0, |sum, (point, columns)| sum + point.weight * dilatation(columns));
                for (_, columns) in &mut points {
                    let change = (whole / volume - dilatation(columns)) / 3.0;
                    (0..3).for_each(|k| columns[dof][k] += change);
                }
            }
        }
        points
    }

    /// A law of small strains as this body embeds it.
    pub(super) fn respond_small(
        &self,
        law: &dyn SmallLaw,
        strain: &Voigt,
        temperature: f64,
        old: &PointHistory,
    ) -> Result<(SmallResponse, Voigt), LawFailure> {
        match self.kinematics {
            Kinematics::PlaneStress { .. } => {
                let (answer, across) = small_plane_stress(law, strain, temperature, old)?;
                let mut full = *strain;
                full[2] = across;
                Ok((answer, full))
            }
            _ => Ok((law.respond(strain, temperature, old)?, *strain)),
        }
    }

    pub(super) fn small_element(
        &self,
        element: usize,
        law: &dyn SmallLaw,
        u: &[f64],
        temperature: Option<&[f64]>,
        old: &[PointHistory],
        sums: &mut ElementSums,
    ) -> Result<(), SolidError> {
        let own = self.gather(element, u);
        for ((geometry, columns), old) in self.strain_points(element).iter().zip(old) {
            let strain = strain_of(columns, &own);
            let temperature = self.temperature_at(element, temperature, &geometry.n);
            let (answer, _) = self
                .respond_small(law, &strain, temperature, old)
                .map_err(|failure| located(element, failure))?;
            for (force, column) in sums.force.iter_mut().zip(columns) {
                *force += geometry.weight * crate::tensor::contract(column, &answer.stress);
            }
            if sums.wants_stiffness {
                let image: Vec<[f64; 6]> = columns.iter().map(|c| apply(&answer.tangent, c)).collect();
                sums.add_stiffness(columns.len(), geometry.weight, columns, &image);
            }
            sums.stored += geometry.weight * answer.stored;
            sums.dissipated += geometry.weight * answer.dissipated;
            sums.history.push(answer.history);
        }
        Ok(())
    }

    /// The matrix of damping `∫ Bᵀ η B` of a viscous law \[kg/s\]; none for others.
    pub fn damping(&self) -> Option<SymmetricBlocks<D>> {
        let Constitutive::Small(law) = &self.law else { return None };
        let viscosity = law.viscosity()?;
        let viscosity = match self.kinematics {
            Kinematics::PlaneStress { .. } => condensed(&viscosity),
            _ => viscosity,
        };
        let mut damping = SymmetricBlocks::zeros(&self.pattern);
        for element in 0..self.mesh.element_count() {
            let nodes = self.mesh.element(element);
            let count = nodes.len() * D;
            let mut matrix = vec![0.0; count * count];
            for (geometry, columns) in self.strain_points(element) {
                let image: Vec<[f64; 6]> = columns.iter().map(|c| apply(&viscosity, c)).collect();
                for i in 0..count {
                    for j in 0..count {
                        let (low, high) = (i.min(j), i.max(j));
                        matrix[i * count + j] +=
                            geometry.weight * crate::tensor::contract(&columns[high], &image[low]);
                    }
                }
            }
            damping.add_element(nodes, &matrix);
        }
        Some(damping)
    }
}

/// Strain of an element's displacements.
pub(super) fn strain_of(columns: &[[f64; 6]], own: &[f64; MOST_DOFS]) -> Voigt {
    let mut strain = [0.0; 6];
    for (column, u) in columns.iter().zip(own) {
        (0..6).for_each(|k| strain[k] += column[k] * u);
    }
    strain
}

/// The matrix that is left where the stress across the plane vanishes.
fn condensed(of: &Tangent6) -> Tangent6 {
    let stiff = of[2][2];
    if stiff == 0.0 {
        return *of;
    }
    std::array::from_fn(|i| std::array::from_fn(|j| of[i][j] - of[i][2] * of[2][j] / stiff))
}
