//! Stresses and strains of a body at given displacements: at the points where the material is asked, and
//! smoothed to nodes.

use super::evaluate::located;
use super::small::strain_of;
use super::{Constitutive, SolidModel};
use crate::error::SolidError;
use crate::law::{PlasticState, PointHistory};
use crate::tensor::{Tensor, Voigt, cauchy, principal, product, stress_tensor, transpose, von_mises};
use drystone_math::Vector;

/// What is known at a point.
#[derive(Clone, Copy, Debug)]
pub struct PointResult<const D: usize> {
    /// Its element.
    pub element: u32,
    /// Where it is in the reference configuration \[m\].
    pub place: Vector<D>,
    /// Volume that it stands for \[m³\].
    pub weight: f64,
    /// Cauchy's stress \[Pa\].
    pub stress: Voigt,
    /// Strain; Green's at finite strains.
    pub strain: Voigt,
    /// Internal variables.
    pub history: PointHistory,
}

impl<const D: usize> PointResult<D> {
    /// Von Mises' stress \[Pa\].
    pub fn von_mises(&self) -> f64 {
        von_mises(&self.stress)
    }

    /// Principal stresses, largest first \[Pa\], and their directions as rows.
    pub fn principal(&self) -> ([f64; 3], Tensor) {
        principal(&stress_tensor(&self.stress))
    }
}

/// A field of six numbers at points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointField {
    /// Cauchy's stress \[Pa\].
    Stress,
    /// Strain.
    Strain,
    /// Plastic strain, engineering shears; zero where the law has none.
    PlasticStrain,
    /// Accumulated plastic strain, as the first of six numbers.
    Accumulated,
}

impl PointField {
    fn at<const D: usize>(self, point: &PointResult<D>) -> Voigt {
        let plastic = match point.history {
            PointHistory::Plastic(state) => state,
            PointHistory::None => PlasticState::default(),
        };
        match self {
            Self::Stress => point.stress,
            Self::Strain => point.strain,
            Self::PlasticStrain => plastic.strain,
            Self::Accumulated => [plastic.accumulated, 0.0, 0.0, 0.0, 0.0, 0.0],
        }
    }
}

/// All points of a body, element after element.
#[derive(Clone, Debug)]
pub struct Recovered<const D: usize> {
    /// The points.
    pub points: Vec<PointResult<D>>,
}

impl<const D: usize> SolidModel<D> {
    /// Stresses and strains at displacements `u` \[m\], temperatures and internal variables as in
    /// [`SolidModel::evaluate`].
    pub fn recover(
        &self,
        u: &[f64],
        temperature: Option<&[f64]>,
        old: &[PointHistory],
    ) -> Result<Recovered<D>, SolidError> {
        self.check_lengths(u, temperature, old)?;
        let mut points = Vec::with_capacity(self.points());
        for element in 0..self.mesh.element_count() {
            let places = self.element_places(element);
            let place = |n: &[f64]| places.iter().zip(n).fold(Vector::zeros(), |sum, (x, n)| sum + x * *n);
            let old = &old[self.first_point[element] as usize..self.first_point[element + 1] as usize];
            match &self.law {
                Constitutive::Small(law) => {
                    let own = self.gather(element, u);
                    for ((geometry, columns), old) in self.strain_points(element).iter().zip(old) {
                        let heat = self.temperature_at(element, temperature, &geometry.n);
                        let (answer, strain) = self
                            .respond_small(law.as_ref(), &strain_of(columns, &own), heat, old)
                            .map_err(|failure| located(element, failure))?;
                        points.push(PointResult {
                            element: element as u32,
                            place: place(&geometry.n),
                            weight: geometry.weight,
                            stress: answer.stress,
                            strain,
                            history: answer.history,
                        });
                    }
                }
                Constitutive::Finite(law) => {
                    let all = self.deformations(element, u);
                    let mean = self.mean_volume(&all).map_err(|failure| located(element, failure))?;
                    for (number, (point, old)) in all.iter().zip(old).enumerate() {
                        let heat = self.temperature_at(element, temperature, &point.geometry.n);
                        let gradient =
                            mean.as_ref().map_or(point.gradient, |mean| mean.gradient(number, point));
                        let (answer, gradient) = self
                            .respond_finite(law.as_ref(), &gradient, heat, old)
                            .map_err(|failure| located(element, failure))?;
                        points.push(PointResult {
                            element: element as u32,
                            place: place(&point.geometry.n),
                            weight: point.geometry.weight,
                            stress: cauchy(&answer.piola, &gradient),
                            strain: green(&gradient),
                            history: answer.history,
                        });
                    }
                }
            }
        }
        Ok(Recovered { points })
    }

    /// A field smoothed to the nodes: in each element the plane that fits its points best, at a node the mean
    /// of its elements by volume (Hinton, Campbell 1974).
    pub fn smooth(&self, recovered: &Recovered<D>, field: PointField) -> Vec<Voigt> {
        let mut sums = vec![[0.0; 6]; self.mesh.nodes().len()];
        let mut weights = vec![0.0; sums.len()];
        for element in 0..self.mesh.element_count() {
            let table = self.mesh.kind(element).reference();
            let range = self.first_point[element] as usize..self.first_point[element + 1] as usize;
            let points = &recovered.points[range];
            let values: Vec<Voigt> = points.iter().map(|point| field.at(point)).collect();
            let at: Vec<[f64; 3]> = self.rule(element).iter().map(|point| point.at).collect();
            let fit = LinearFit::fit(&at, &values, table.dimension);
            let volume: f64 = points.iter().map(|point| point.weight).sum();
            for (&node, place) in self.mesh.element(element).iter().zip(table.nodes) {
                let value = fit.at(place);
                (0..6).for_each(|k| sums[node as usize][k] += volume * value[k]);
                weights[node as usize] += volume;
            }
        }
        let mean = |(sum, weight): (&Voigt, &f64)| sum.map(|x| if *weight > 0.0 { x / weight } else { 0.0 });
        sums.iter().zip(&weights).map(mean).collect()
    }
}

/// Green's strain `½ (FᵀF − 1)`, engineering shears.
fn green(gradient: &Tensor) -> Voigt {
    let mut c = product(&transpose(gradient), gradient);
    (0..3).for_each(|k| c[k][k] -= 1.0);
    crate::tensor::to_strain(&c.map(|row| row.map(|x| 0.5 * x)))
}

/// Six numbers that depend linearly on reference coordinates.
struct LinearFit {
    middle: [f64; 3],
    value: Voigt,
    slopes: [Voigt; 3],
}

impl LinearFit {
    /// Least squares. The points of all our rules are symmetric enough that the axes can be fitted one by
    /// one, but for triangles: there the small system is solved.
    fn fit(at: &[[f64; 3]], values: &[Voigt], dimension: usize) -> Self {
        let count = at.len() as f64;
        let middle: [f64; 3] =
            std::array::from_fn(|axis| at.iter().fold(0.0, |sum, point| sum + point[axis]) / count);
        let value: Voigt = std::array::from_fn(|k| values.iter().fold(0.0, |sum, v| sum + v[k]) / count);
        // normal equations, filled up with ones where there is no axis or no extent
        let mut matrix = [[0.0; 3]; 3];
        let mut right = [[0.0; 6]; 3];
        for (point, values) in at.iter().zip(values) {
            for i in 0..dimension {
                let x = point[i] - middle[i];
                (0..dimension).for_each(|j| matrix[i][j] += x * (point[j] - middle[j]));
                (0..6).for_each(|k| right[i][k] += x * (values[k] - value[k]));
            }
        }
        (0..3).filter(|&i| matrix[i][i] == 0.0).collect::<Vec<_>>().iter().for_each(|&i| matrix[i][i] = 1.0);
        let inverse = crate::tensor::inverse_transposed(&matrix);
        let slopes = std::array::from_fn(|i| {
            std::array::from_fn(|k| (0..3).fold(0.0, |sum, j| sum + inverse[i][j] * right[j][k]))
        });
        Self { middle, value, slopes }
    }

    fn at(&self, place: &[f64; 3]) -> Voigt {
        std::array::from_fn(|k| {
            (0..3).fold(self.value[k], |sum, i| sum + self.slopes[i][k] * (place[i] - self.middle[i]))
        })
    }
}
