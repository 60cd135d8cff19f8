//! Forces, stiffness and energies of a whole body at given displacements, the elements in their order.

use super::point::MOST_DOFS;
use super::{Constitutive, SolidModel};
use crate::error::{SolidError, require_length};
use crate::law::{LawFailure, PointHistory};
use drystone_sparse::SymmetricBlocks;

/// What a body answers to displacements.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Internal force on each degree of freedom \[N\]: what it takes to hold the displacements.
    pub force: Vec<f64>,
    /// Free energy \[J\].
    pub stored: f64,
    /// Energy dissipated since the internal variables that were given \[J\].
    pub dissipated: f64,
    /// Internal variables, to be kept once the step has converged.
    pub history: Vec<PointHistory>,
}

/// Sums of one element.
pub(super) struct ElementSums {
    pub force: [f64; MOST_DOFS],
    /// Row after row over the element's degrees of freedom; not filled where nobody asks.
    pub stiffness: Vec<f64>,
    pub wants_stiffness: bool,
    pub stored: f64,
    pub dissipated: f64,
    pub history: Vec<PointHistory>,
}

impl ElementSums {
    /// `K += w Bᵀ C B`, the lower half, over `count` columns of length `N`; with the columns of `C B` given.
    pub(super) fn add_stiffness<const N: usize>(
        &mut self,
        count: usize,
        weight: f64,
        columns: &[[f64; N]],
        tangent_columns: &[[f64; N]],
    ) {
        for i in 0..count {
            for j in 0..=i {
                let product = (0..N).fold(0.0, |sum, k| sum + columns[i][k] * tangent_columns[j][k]);
                self.stiffness[i * count + j] += weight * product;
            }
        }
    }

    fn mirror(&mut self, count: usize) {
        for i in 0..count {
            for j in 0..i {
                self.stiffness[j * count + i] = self.stiffness[i * count + j];
            }
        }
    }
}

/// An error of a law, with the element where it came up.
pub(super) fn located(element: usize, failure: LawFailure) -> SolidError {
    match failure {
        LawFailure::Collapsed(ratio) => SolidError::Collapsed { element, ratio },
        LawFailure::NoState(why) => SolidError::Material { element, why },
    }
}

impl<const D: usize> SolidModel<D> {
    /// The answer to displacements `u` \[m\] from internal variables `old`, at temperatures of the nodes
    /// above the reference \[K\] (`None`: that of the options), and the stiffness `∂f/∂u` where it is asked
    /// for.
    ///
    /// Nothing is kept here: the new internal variables are in the answer.
    pub fn evaluate(
        &self,
        u: &[f64],
        temperature: Option<&[f64]>,
        old: &[PointHistory],
        mut stiffness: Option<&mut SymmetricBlocks<D>>,
    ) -> Result<Evaluation, SolidError> {
        self.check_lengths(u, temperature, old)?;
        let mut all = Evaluation {
            force: vec![0.0; self.dofs()],
            stored: 0.0,
            dissipated: 0.0,
            history: Vec::with_capacity(self.points()),
        };
        if let Some(stiffness) = stiffness.as_deref_mut() {
            stiffness.clear();
        }
        let wants_stiffness = stiffness.is_some();
        for element in 0..self.mesh.element_count() {
            let nodes = self.mesh.element(element);
            let count = nodes.len() * D;
            let mut sums = ElementSums {
                force: [0.0; MOST_DOFS],
                stiffness: if wants_stiffness { vec![0.0; count * count] } else { Vec::new() },
                wants_stiffness,
                stored: 0.0,
                dissipated: 0.0,
                history: Vec::new(),
            };
            let points = self.first_point[element] as usize..self.first_point[element + 1] as usize;
            let old = &old[points];
            match &self.law {
                Constitutive::Small(law) => {
                    self.small_element(element, law.as_ref(), u, temperature, old, &mut sums)?;
                }
                Constitutive::Finite(law) => {
                    self.finite_element(element, law.as_ref(), u, temperature, old, &mut sums)?;
                }
            }
            for (k, &node) in nodes.iter().enumerate() {
                for axis in 0..D {
                    all.force[node as usize * D + axis] += sums.force[k * D + axis];
                }
            }
            if let Some(stiffness) = stiffness.as_deref_mut() {
                sums.mirror(count);
                stiffness.add_element(nodes, &sums.stiffness);
            }
            all.stored += sums.stored;
            all.dissipated += sums.dissipated;
            all.history.append(&mut sums.history);
        }
        Ok(all)
    }

    /// Whether lists fit the body.
    pub(super) fn check_lengths(
        &self,
        u: &[f64],
        temperature: Option<&[f64]>,
        old: &[PointHistory],
    ) -> Result<(), SolidError> {
        require_length("the list of displacements", u.len(), self.dofs())?;
        require_length("the list of internal variables", old.len(), self.points())?;
        let nodes = self.mesh.nodes().len();
        temperature.map_or(Ok(()), |list| require_length("the list of temperatures", list.len(), nodes))
    }

    /// The stiffness where nothing is displaced; all there is for a linear body.
    pub fn stiffness(&self) -> Result<SymmetricBlocks<D>, SolidError> {
        let mut stiffness = SymmetricBlocks::zeros(&self.pattern);
        self.evaluate(&vec![0.0; self.dofs()], None, &self.start(), Some(&mut stiffness))?;
        Ok(stiffness)
    }

    /// Temperature at a point of an element.
    pub(super) fn temperature_at(&self, element: usize, temperature: Option<&[f64]>, n: &[f64]) -> f64 {
        let Some(temperature) = temperature else { return self.options.temperature };
        let nodes = self.mesh.element(element).iter();
        nodes.zip(n).fold(0.0, |sum, (&node, n)| sum + n * temperature[node as usize])
    }
}
