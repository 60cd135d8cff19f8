//! What deforms a body and what does not: the kernel of the stiffness, and how many ways to strain are left.

use crate::bodies::*;
use drystone_elements::element::ElementKind;
use drystone_elements::mesh::Mesh;
use drystone_elements::model::{Integration, Kinematics, SolidModel};
use drystone_math::Vector;
use drystone_math::nalgebra::DMatrix;
use drystone_sparse::SymmetricBlocks;
use std::sync::Arc;

fn dense<const D: usize>(matrix: &SymmetricBlocks<D>) -> DMatrix<f64> {
    let size = matrix.size();
    let mut all = DMatrix::zeros(size, size);
    for column in 0..size {
        let mut unit = vec![0.0; size];
        unit[column] = 1.0;
        all.column_mut(column).copy_from_slice(&matrix.times(&unit));
    }
    all
}

/// Eigenvalues of the stiffness that vanish beside the largest.
fn kernel<const D: usize>(mesh: Mesh<D>, kinematics: Kinematics, integration: Integration) -> usize {
    let options = options(integration);
    let model = SolidModel::new(Arc::new(mesh), kinematics, hooke(1.0, 0.3), 1.0, options).unwrap();
    let stiffness = dense(&model.stiffness().unwrap());
    assert!((&stiffness - stiffness.transpose()).amax() < 1e-14 * stiffness.amax());
    let values = stiffness.symmetric_eigenvalues();
    let most = values.amax();
    assert!(values.min() > -1e-12 * most);
    values.iter().filter(|value| value.abs() < 1e-10 * most).count()
}

/// One irregular element.
fn single<const D: usize>(kind: ElementKind) -> Mesh<D> {
    let nodes = kind.reference().nodes.iter().map(|x| {
        let bend = 0.02 * (2.0 * x[0] + 3.0 * x[1] + 5.0 * x[2]).sin();
        Vector::<D>::from_fn(|axis, _| x[axis] + 3.0 + bend * (axis as f64 + 0.5))
    });
    Mesh::new(nodes.collect(), [(kind, (0..kind.nodes() as u32).collect())]).unwrap()
}

#[test]
fn only_rigid_motions_do_not_strain() {
    for kind in ElementKind::ALL {
        let (one, whole) = match kind.dimension() {
            2 => (
                kernel(single::<2>(kind), STRAIN, Integration::Full),
                kernel(irregular_2(kind), STRESS, Integration::Full),
            ),
            _ => (
                kernel(single::<3>(kind), Kinematics::Space, Integration::Full),
                // the larger ones take long and have no more to say
                match kind.nodes() <= 8 {
                    true => kernel(irregular_3(kind), Kinematics::Space, Integration::Full),
                    false => 6,
                },
            ),
        };
        let expected = if kind.dimension() == 2 { 3 } else { 6 };
        assert_eq!((one, whole), (expected, expected), "{kind}");
    }
    // along the axis only
    for kind in [ElementKind::T3, ElementKind::Q4, ElementKind::Q8] {
        let beside = irregular_2(kind).map_nodes(|x| Vector::from([x[0] + 2.0, x[1]]));
        assert_eq!(kernel(beside, Kinematics::Axisymmetric, Integration::Full), 1, "{kind}");
    }
}

#[test]
fn averaged_dilatation_and_fewer_points_have_the_modes_they_should() {
    assert_eq!(kernel(single::<2>(ElementKind::Q4), STRAIN, Integration::BBar), 3);
    assert_eq!(kernel(single::<3>(ElementKind::H8), Kinematics::Space, Integration::BBar), 6);
    // one hourglass, which cannot spread to neighbours; six for the hexahedron
    assert_eq!(kernel(single::<2>(ElementKind::Q8), STRAIN, Integration::Reduced), 4);
    assert_eq!(kernel(irregular_2(ElementKind::Q8), STRAIN, Integration::Reduced), 3);
    assert_eq!(kernel(single::<3>(ElementKind::H20), Kinematics::Space, Integration::Reduced), 12);
}

#[test]
fn masses_add_up_and_turn_as_they_should() {
    for kind in ElementKind::ALL {
        for options in [lumped(), Default::default()] {
            // mass, and for the consistent one the moment of inertia of the body about the origin
            let (mass, moment, volume, exact) = match kind.dimension() {
                2 => {
                    let mesh = drystone_elements::mesh::rectangle_mesh([2.0, 1.0], 0.5, kind).unwrap();
                    let model =
                        SolidModel::new(Arc::new(mesh), STRAIN, hooke(1.0, 0.3), 3.0, options).unwrap();
                    (total::<2>(&model), turning::<2>(&model), 2.0, 3.0 * 2.0 * (4.0 + 1.0) / 12.0)
                }
                _ => {
                    let mesh = drystone_elements::mesh::cuboid_mesh([2.0, 1.0, 1.0], 0.5, kind).unwrap();
                    let model =
                        SolidModel::new(Arc::new(mesh), Kinematics::Space, hooke(1.0, 0.3), 3.0, options)
                            .unwrap();
                    (total::<3>(&model), turning::<3>(&model), 2.0, 3.0 * 2.0 * (4.0 + 1.0) / 12.0)
                }
            };
            assert!((mass - 3.0 * volume).abs() < 1e-12, "{kind} {mass}");
            if options == Default::default() {
                assert!((moment - exact).abs() < 1e-12, "{kind} {moment} {exact}");
            } else {
                assert!(moment > 0.9 * exact && moment < 1.5 * exact, "{kind} {moment} {exact}");
            }
        }
    }
}

/// Mass along x.
fn total<const D: usize>(model: &SolidModel<D>) -> f64 {
    let along: Vec<f64> = (0..model.dofs()).map(|dof| f64::from(u8::from(dof % D == 0))).collect();
    let diagonal = model.mass_matrix().diagonal();
    assert!(diagonal.iter().all(|m| *m > 0.0));
    dot(&along, &model.mass_matrix().times(&along))
}

/// Moment of inertia about z.
fn turning<const D: usize>(model: &SolidModel<D>) -> f64 {
    let spin: Vec<f64> = model
        .mesh()
        .nodes()
        .iter()
        .flat_map(|x| (0..D).map(|axis| [-x[1], x[0], 0.0][axis]).collect::<Vec<_>>())
        .collect();
    dot(&spin, &model.mass_matrix().times(&spin))
}
