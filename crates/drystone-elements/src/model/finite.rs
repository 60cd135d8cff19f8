//! Elements at finite strains, in the reference configuration: `f = Σ w ∂F̄/∂u : P`, and the stiffness with
//! its geometric part. With B-bar the volume ratio is replaced by its mean over the element.

use super::evaluate::{ElementSums, located};
use super::point::{MOST_DOFS, PointGeometry};
use super::{Integration, Kinematics, SolidModel};
use crate::error::SolidError;
use crate::law::{FiniteLaw, FiniteResponse, LawFailure, PointHistory, finite_plane_stress};
use crate::tensor::{Tensor, UNIT, determinant, inverse_transposed};
use drystone_math::portable;

/// The deformation at a point.
pub(super) struct Deformation {
    pub geometry: PointGeometry,
    /// `∂F/∂u` of each degree of freedom.
    pub columns: Vec<[f64; 9]>,
    pub gradient: Tensor,
}

impl<const D: usize> SolidModel<D> {
    /// Gradients of deformation at all points of an element.
    pub(super) fn deformations(&self, element: usize, u: &[f64]) -> Vec<Deformation> {
        let (places, own) = (self.element_places(element), self.gather(element, u));
        let count = places.len() * D;
        let mut columns = [[0.0; 9]; MOST_DOFS];
        let mut points = Vec::new();
        for point in self.rule(element) {
            let geometry = self.geometry(element, &places, point);
            geometry.gradient_columns::<D>(places.len(), &mut columns);
            let mut gradient = UNIT;
            for (column, u) in columns[..count].iter().zip(&own) {
                (0..9).for_each(|k| gradient[k / 3][k % 3] += column[k] * u);
            }
            points.push(Deformation { geometry, columns: columns[..count].to_vec(), gradient });
        }
        points
    }

    /// The mean volume ratio, where it is asked for.
    pub(super) fn mean_volume(&self, points: &[Deformation]) -> Result<Option<MeanVolume>, LawFailure> {
        match self.options.integration {
            Integration::BBar => MeanVolume::new(points).map(Some),
            _ => Ok(None),
        }
    }

    /// A law of finite strains as this body embeds it, and the gradient that belongs to its answer.
    pub(super) fn respond_finite(
        &self,
        law: &dyn FiniteLaw,
        gradient: &Tensor,
        temperature: f64,
        old: &PointHistory,
    ) -> Result<(FiniteResponse, Tensor), LawFailure> {
        match self.kinematics {
            Kinematics::PlaneStress { .. } => {
                let (answer, across) = finite_plane_stress(law, gradient, temperature, old)?;
                let mut full = *gradient;
                full[2][2] = across;
                Ok((answer, full))
            }
            _ => Ok((law.respond(gradient, temperature, old)?, *gradient)),
        }
    }

    pub(super) fn finite_element(
        &self,
        element: usize,
        law: &dyn FiniteLaw,
        u: &[f64],
        temperature: Option<&[f64]>,
        old: &[PointHistory],
        sums: &mut ElementSums,
    ) -> Result<(), SolidError> {
        let points = self.deformations(element, u);
        let mean = self.mean_volume(&points).map_err(|failure| located(element, failure))?;
        for (number, (point, old)) in points.iter().zip(old).enumerate() {
            let weight = point.geometry.weight;
            let temperature = self.temperature_at(element, temperature, &point.geometry.n);
            let gradient = mean.as_ref().map_or(point.gradient, |mean| mean.gradient(number, point));
            let (answer, _) = self
                .respond_finite(law, &gradient, temperature, old)
                .map_err(|failure| located(element, failure))?;
            let stress: [f64; 9] = std::array::from_fn(|k| answer.piola[k / 3][k % 3]);
            // ∂F̄/∂u, F itself where nothing is averaged
            let averaged = mean.as_ref().map(|mean| mean.columns(number, point));
            let columns = averaged.as_ref().unwrap_or(&point.columns);
            for (force, column) in sums.force.iter_mut().zip(columns) {
                *force += weight * dot9(column, &stress);
            }
            if sums.wants_stiffness {
                let image: Vec<[f64; 9]> = columns
                    .iter()
                    .map(|column| std::array::from_fn(|k| dot9(&answer.tangent[k], column)))
                    .collect();
                sums.add_stiffness(columns.len(), weight, columns, &image);
                if let Some(mean) = &mean {
                    mean.add_curvature(number, point, &stress, &mut sums.stiffness);
                }
            }
            sums.stored += weight * answer.stored;
            sums.dissipated += weight * answer.dissipated;
            sums.history.push(answer.history);
        }
        Ok(())
    }
}

fn dot9(a: &[f64; 9], b: &[f64; 9]) -> f64 {
    (0..9).fold(0.0, |sum, k| sum + a[k] * b[k])
}

/// The mean volume ratio θ of an element and what follows from it: `F̄ = s F`, `s = (θ/J)^(1/3)`.
///
/// Force and stiffness are the first and second derivative of `Σ w ψ(F̄)`, so that the stiffness is
/// symmetric. With `g = ∂ ln J/∂u` at a point and `ḡ = ∂ ln θ/∂u`: `∂s = s/3 (ḡ − g)`.
pub(super) struct MeanVolume {
    /// s at each point.
    scale: Vec<f64>,
    /// g at each point.
    slopes: Vec<Vec<f64>>,
    /// `F⁻¹ ∂F/∂u` at each point, whose products are the second derivatives of ln J.
    turned: Vec<Vec<[f64; 9]>>,
    /// ḡ.
    mean_slope: Vec<f64>,
    /// `∂ḡ/∂u`, row after row.
    mean_curvature: Vec<f64>,
}

impl MeanVolume {
    fn new(points: &[Deformation]) -> Result<Self, LawFailure> {
        let count = points.first().map_or(0, |point| point.columns.len());
        let (mut reference, mut volume) = (0.0, 0.0);
        let mut mean = Self {
            scale: Vec::new(),
            slopes: Vec::new(),
            turned: Vec::new(),
            mean_slope: vec![0.0; count],
            mean_curvature: vec![0.0; count * count],
        };
        let mut ratios = Vec::new();
        for point in points {
            let ratio = determinant(&point.gradient);
            if ratio.is_nan() || ratio <= 0.0 {
                return Err(LawFailure::Collapsed(ratio));
            }
            let inverse = inverse_transposed(&point.gradient);
            let turned: Vec<[f64; 9]> = point
                .columns
                .iter()
                .map(|column| {
                    std::array::from_fn(|k| {
                        (0..3).fold(0.0, |sum, m| sum + inverse[m][k / 3] * column[3 * m + k % 3])
                    })
                })
                .collect();
            let slope: Vec<f64> = turned.iter().map(|t| t[0] + t[4] + t[8]).collect();
            let here = point.geometry.weight * ratio;
            reference += point.geometry.weight;
            volume += here;
            for i in 0..count {
                mean.mean_slope[i] += here * slope[i];
                for j in 0..count {
                    mean.mean_curvature[i * count + j] +=
                        here * (slope[i] * slope[j] - product_trace(&turned[i], &turned[j]));
                }
            }
            ratios.push(ratio);
            mean.slopes.push(slope);
            mean.turned.push(turned);
        }
        mean.mean_slope.iter_mut().for_each(|x| *x /= volume);
        for i in 0..count {
            for j in 0..count {
                let product = mean.mean_slope[i] * mean.mean_slope[j];
                let entry = &mut mean.mean_curvature[i * count + j];
                *entry = *entry / volume - product;
            }
        }
        mean.scale = ratios.iter().map(|ratio| portable::cbrt(volume / reference / ratio)).collect();
        Ok(mean)
    }

    pub(super) fn gradient(&self, number: usize, point: &Deformation) -> Tensor {
        point.gradient.map(|row| row.map(|x| self.scale[number] * x))
    }

    /// `ḡ − g` of a degree of freedom.
    fn excess(&self, number: usize, dof: usize) -> f64 {
        self.mean_slope[dof] - self.slopes[number][dof]
    }

    /// `∂F̄/∂u = s (∂F/∂u + ⅓ (ḡ − g) F)`.
    fn columns(&self, number: usize, point: &Deformation) -> Vec<[f64; 9]> {
        let s = self.scale[number];
        let column = |(dof, column): (usize, &[f64; 9])| {
            let third = self.excess(number, dof) / 3.0;
            std::array::from_fn(|k| s * (column[k] + third * point.gradient[k / 3][k % 3]))
        };
        point.columns.iter().enumerate().map(column).collect()
    }

    /// Adds `w P : ∂²F̄/∂u²`, the lower half.
    fn add_curvature(&self, number: usize, point: &Deformation, stress: &[f64; 9], stiffness: &mut [f64]) {
        let (count, s) = (point.columns.len(), self.scale[number]);
        let weight = point.geometry.weight * s;
        let pressure = (0..9).fold(0.0, |sum, k| sum + stress[k] * point.gradient[k / 3][k % 3]);
        let work: Vec<f64> = point.columns.iter().map(|column| dot9(column, stress)).collect();
        let turned = &self.turned[number];
        for i in 0..count {
            for j in 0..=i {
                let (a, b) = (self.excess(number, i), self.excess(number, j));
                let bend = self.mean_curvature[i * count + j] + product_trace(&turned[i], &turned[j]);
                let sum = (a * work[j] + b * work[i]) / 3.0 + pressure * (a * b / 9.0 + bend / 3.0);
                stiffness[i * count + j] += weight * sum;
            }
        }
    }
}

/// `tr(A B)` of two tensors, row after row.
fn product_trace(a: &[f64; 9], b: &[f64; 9]) -> f64 {
    (0..9).fold(0.0, |sum, k| sum + a[k] * b[3 * (k % 3) + k / 3])
}
