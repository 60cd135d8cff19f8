//! The mass matrix: consistent, or lumped on the diagonal.

use super::SolidModel;
use drystone_sparse::SymmetricBlocks;

/// How the mass of an element is given to its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MassKind {
    /// `∫ ρ Nᵀ N`, consistent with the displacements.
    #[default]
    Consistent,
    /// On the diagonal, in the proportions of the diagonal of the consistent one (Hinton, Rock, Zienkiewicz
    /// 1976): positive for every element, where row sums are not.
    Lumped,
}

impl<const D: usize> SolidModel<D> {
    /// The mass matrix \[kg\].
    pub fn mass_matrix(&self) -> SymmetricBlocks<D> {
        let mut mass = SymmetricBlocks::zeros(&self.pattern);
        for element in 0..self.mesh.element_count() {
            let nodes = self.mesh.element(element);
            let own = self.element_mass(element);
            let count = nodes.len();
            let width = count * D;
            let mut matrix = vec![0.0; width * width];
            for a in 0..count {
                for b in 0..count {
                    (0..D).for_each(|i| matrix[(a * D + i) * width + b * D + i] = own[a * count + b]);
                }
            }
            mass.add_element(nodes, &matrix);
        }
        mass
    }

    /// Mass between the nodes of an element \[kg\], the same for every direction.
    fn element_mass(&self, element: usize) -> Vec<f64> {
        let places = self.element_places(element);
        let count = places.len();
        let mut mass = vec![0.0; count * count];
        for point in self.mesh.kind(element).reference().mass_rule {
            let geometry = self.geometry(element, &places, point);
            let weight = self.density * geometry.weight;
            for a in 0..count {
                (0..count).for_each(|b| mass[a * count + b] += weight * geometry.n[a] * geometry.n[b]);
            }
        }
        if self.options.mass == MassKind::Lumped {
            let whole: f64 = mass.iter().sum();
            let diagonal: Vec<f64> = (0..count).map(|a| mass[a * count + a]).collect();
            let sum: f64 = diagonal.iter().sum();
            mass.fill(0.0);
            (0..count).for_each(|a| mass[a * count + a] = diagonal[a] * whole / sum);
        }
        mass
    }
}
