//! Bodies and small tools that the tests share.

use drystone_elements::element::ElementKind;
use drystone_elements::law::{ElasticIsotropic, KelvinVoigt};
use drystone_elements::mesh::{Mesh, cuboid_mesh, rectangle_mesh};
use drystone_elements::model::{Constitutive, Integration, Kinematics, MassKind, SolidModel, SolidOptions};
use drystone_math::Vector;
use std::sync::Arc;

pub const STRAIN: Kinematics = Kinematics::PlaneStrain { depth: 1.0 };
pub const STRESS: Kinematics = Kinematics::PlaneStress { depth: 1.0 };

pub fn middle<const D: usize>(a: &Vector<D>, b: &Vector<D>) -> Vector<D> {
    (a + b) * 0.5
}

/// Moves nodes irregularly by up to a part of the size of an element.
fn shaken<const D: usize>(x: &Vector<D>, by: f64) -> Vector<D> {
    Vector::from_fn(|axis, _| {
        let phase = x.iter().enumerate().fold(0.0, |sum, (k, x)| sum + x * (13.7 + 3.1 * k as f64));
        x[axis] + by * (phase + 2.3 * axis as f64).sin()
    })
}

/// A unit square or cube of irregular elements with straight edges, and nodes inside.
pub fn irregular_2(kind: ElementKind) -> Mesh<2> {
    let linear = rectangle_mesh([1.0; 2], 1.0 / 3.0, kind.linear()).unwrap();
    let linear = linear.map_nodes(|x| shaken(x, 0.05));
    if kind.is_quadratic() { linear.into_quadratic(middle) } else { linear }
}

pub fn irregular_3(kind: ElementKind) -> Mesh<3> {
    let linear = cuboid_mesh([1.0; 3], 0.5, kind.linear()).unwrap().map_nodes(|x| shaken(x, 0.05));
    if kind.is_quadratic() { linear.into_quadratic(middle) } else { linear }
}

pub fn hooke(young: f64, poisson: f64) -> Constitutive {
    Constitutive::Small(Arc::new(ElasticIsotropic::new(young, poisson).unwrap()))
}

/// A block of Q4 with a damper, not held.
pub fn block() -> SolidModel<2> {
    let elastic = ElasticIsotropic::new(1e6, 0.3).unwrap();
    let viscous = Constitutive::Small(Arc::new(KelvinVoigt::new(elastic, 2e-3).unwrap()));
    model(rectangle_mesh([1.0, 0.6], 0.2, ElementKind::Q4).unwrap(), STRAIN, viscous, 1000.0)
}

pub fn options(integration: Integration) -> SolidOptions {
    SolidOptions { integration, ..SolidOptions::default() }
}

pub fn lumped() -> SolidOptions {
    SolidOptions { mass: MassKind::Lumped, ..SolidOptions::default() }
}

pub fn model<const D: usize>(
    mesh: Mesh<D>,
    kinematics: Kinematics,
    law: Constitutive,
    density: f64,
) -> SolidModel<D> {
    SolidModel::new(Arc::new(mesh), kinematics, law, density, SolidOptions::default()).unwrap()
}

pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |most, x: f64| most.max(x.abs()))
}

pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    largest(a.iter().zip(b).map(|(a, b)| a - b))
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Irregular numbers of a size.
pub fn noise(count: usize, size: f64) -> Vec<f64> {
    (0..count).map(|k| size * (1.3 * k as f64 + 0.7 * (k as f64).sin()).sin()).collect()
}
