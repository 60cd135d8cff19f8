//! Patch tests: a mesh of irregular elements whose boundary moves as a uniform strain asks must strain
//! uniformly inside.

use crate::bodies::*;
use drystone_elements::element::ElementKind;
use drystone_elements::law::{ElasticIsotropic, J2Plasticity, Logarithmic, NeoHookean};
use drystone_elements::mesh::Mesh;
use drystone_elements::model::{Constitutive, Integration, Kinematics, SolidModel};
use drystone_elements::scheme::{SolidState, StaticLoad, StaticParams, Supports, equilibrium};
use drystone_math::{Matrix, Vector};
use std::sync::Arc;

/// Drives the boundary by `u = H x` and compares the inside and the stresses.
fn check<const D: usize>(
    mesh: Mesh<D>,
    kinematics: Kinematics,
    law: Constitutive,
    integration: Integration,
    h: &Matrix<D, D>,
    tolerance: f64,
) {
    let kind = mesh.kind(0);
    let model = SolidModel::new(Arc::new(mesh), kinematics, law, 1.0, options(integration)).unwrap();
    let mesh = model.mesh();
    let field: Vec<f64> =
        mesh.nodes().iter().flat_map(|x| (h * x).iter().copied().collect::<Vec<_>>()).collect();
    let skin = mesh.skin();
    assert!(skin.nodes.len() < mesh.nodes().len(), "{kind}: nothing inside");
    let supports = Supports::none(model.dofs()).clamp::<D>(&skin.nodes);
    let load = StaticLoad { displaced: Some(&field), ..StaticLoad::default() };
    let params = StaticParams { tolerance: 1e-13, ..StaticParams::default() };
    let start = SolidState::at_rest(&model);
    let found = equilibrium(&model, &supports, &load, &start, &params).unwrap();
    let size = largest(field.iter().copied());
    let off = difference(&found.state.displacement, &field);
    assert!(off < tolerance * size, "{kind} {kinematics:?} {integration:?}: {off:e} of {size:e}");
    let recovered = model.recover(&field, None, &start.history).unwrap();
    let first = recovered.points[0].stress;
    let stress = largest(first);
    for point in &recovered.points {
        let off = difference(&point.stress, &first);
        assert!(off < 1e-11 * stress, "{kind} {kinematics:?} {integration:?}: {off:e} of {stress:e}");
    }
    // smoothed, too
    for value in model.smooth(&recovered, drystone_elements::model::PointField::Stress) {
        assert!(difference(&value, &first) < 1e-10 * stress);
    }
}

const PLANE: [ElementKind; 4] = [ElementKind::T3, ElementKind::T6, ElementKind::Q4, ElementKind::Q8];
const SPACE: [ElementKind; 6] = [
    ElementKind::Te4,
    ElementKind::Te10,
    ElementKind::H8,
    ElementKind::H20,
    ElementKind::Pri6,
    ElementKind::Pri15,
];

fn small_2() -> Matrix<2, 2> {
    Matrix::from([[1e-3, -4e-4], [7e-4, -5e-4]])
}

fn small_3() -> Matrix<3, 3> {
    Matrix::from([[1e-3, -4e-4, 2e-4], [7e-4, -5e-4, 3e-4], [1e-4, 6e-4, 8e-4]])
}

#[test]
fn every_element_of_the_plane_passes() {
    for kind in PLANE {
        for kinematics in [STRAIN, STRESS] {
            check(irregular_2(kind), kinematics, hooke(2e9, 0.3), Integration::Full, &small_2(), 1e-12);
        }
        // uniform around an axis: u_r = a r, u_z = b z
        let stretch = Matrix::from([[1e-3, 0.0], [0.0, -4e-4]]);
        let beside = irregular_2(kind).map_nodes(|x| Vector::from([x[0] + 2.0, x[1]]));
        check(beside, Kinematics::Axisymmetric, hooke(2e9, 0.3), Integration::Full, &stretch, 1e-12);
    }
    check(irregular_2(ElementKind::Q8), STRAIN, hooke(2e9, 0.3), Integration::Reduced, &small_2(), 1e-12);
    check(irregular_2(ElementKind::Q4), STRAIN, hooke(2e9, 0.4999), Integration::BBar, &small_2(), 1e-12);
}

#[test]
fn every_element_of_space_passes() {
    for kind in SPACE {
        check(irregular_3(kind), Kinematics::Space, hooke(2e9, 0.3), Integration::Full, &small_3(), 1e-12);
    }
    check(
        irregular_3(ElementKind::H20),
        Kinematics::Space,
        hooke(2e9, 0.3),
        Integration::Reduced,
        &small_3(),
        1e-12,
    );
    for kind in [ElementKind::H8, ElementKind::Pri6] {
        check(irregular_3(kind), Kinematics::Space, hooke(2e9, 0.499), Integration::BBar, &small_3(), 1e-12);
    }
}

#[test]
fn finite_strains_and_plasticity_pass() {
    let neo = || Constitutive::Finite(Arc::new(NeoHookean::new(1e6, 0.3).unwrap()));
    let large_2 = Matrix::from([[0.2, -0.1], [0.15, -0.1]]);
    let large_3 = Matrix::from([[0.2, -0.1, 0.05], [0.1, -0.1, 0.1], [0.0, 0.12, 0.15]]);
    for kind in PLANE {
        check(irregular_2(kind), STRAIN, neo(), Integration::Full, &large_2, 1e-11);
        check(irregular_2(kind), STRESS, neo(), Integration::Full, &large_2, 1e-11);
    }
    check(irregular_2(ElementKind::Q4), STRAIN, neo(), Integration::BBar, &large_2, 1e-11);
    for kind in SPACE {
        check(irregular_3(kind), Kinematics::Space, neo(), Integration::Full, &large_3, 1e-11);
    }
    check(irregular_3(ElementKind::H8), Kinematics::Space, neo(), Integration::BBar, &large_3, 1e-11);
    let j2 = || {
        let elastic = ElasticIsotropic::new(210e9, 0.3).unwrap();
        J2Plasticity::new(elastic, 250e6, 2e9, 3e9).unwrap()
    };
    for kind in PLANE {
        let law = Constitutive::Small(Arc::new(j2()));
        check(irregular_2(kind), STRAIN, law.clone(), Integration::Full, &(small_2() * 5.0), 1e-10);
        check(irregular_2(kind), STRESS, law, Integration::Full, &(small_2() * 5.0), 1e-10);
    }
    let law = Constitutive::Finite(Arc::new(Logarithmic(j2())));
    check(irregular_3(ElementKind::H8), Kinematics::Space, law, Integration::Full, &large_3, 1e-10);
}
