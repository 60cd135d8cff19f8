//! Forces and stiffness of whole elements against differences of energies and of forces.

use crate::bodies::*;
use drystone_elements::element::ElementKind;
use drystone_elements::law::{ElasticIsotropic, J2Plasticity, Logarithmic, MooneyRivlin, NeoHookean};
use drystone_elements::mesh::Mesh;
use drystone_elements::model::{Constitutive, Integration, Kinematics, SolidModel};
use drystone_math::Vector;
use drystone_sparse::SymmetricBlocks;
use std::sync::Arc;

fn check<const D: usize>(
    mesh: Mesh<D>,
    kinematics: Kinematics,
    law: Constitutive,
    integration: Integration,
    conservative: bool,
) {
    let kind = mesh.kind(0);
    let model = SolidModel::new(Arc::new(mesh), kinematics, law, 1.0, options(integration)).unwrap();
    let (n, history) = (model.dofs(), model.start());
    let u = noise(n, 0.02);
    let mut stiffness = SymmetricBlocks::zeros(model.pattern());
    let here = model.evaluate(&u, None, &history, Some(&mut stiffness)).unwrap();
    let size = largest(stiffness.diagonal());
    for seed in 1..4 {
        let direction: Vec<f64> = noise(n, 1.0).iter().map(|x| (x * f64::from(7 * seed)).sin()).collect();
        let step = 1e-6;
        let at = |sign: f64| {
            let moved: Vec<f64> = u.iter().zip(&direction).map(|(u, d)| u + sign * step * d).collect();
            model.evaluate(&moved, None, &history, None).unwrap()
        };
        let (low, high) = (at(-1.0), at(1.0));
        if conservative {
            let slope = (high.stored - low.stored) / (2.0 * step);
            let exact = dot(&here.force, &direction);
            assert!(
                (slope - exact).abs() < 1e-7 * size,
                "{kind} {kinematics:?} {integration:?}: {slope} {exact}"
            );
        }
        let slope: Vec<f64> =
            high.force.iter().zip(&low.force).map(|(a, b)| (a - b) / (2.0 * step)).collect();
        let off = difference(&slope, &stiffness.times(&direction));
        assert!(off < 1e-6 * size, "{kind} {kinematics:?} {integration:?}: {off:e} of {size:e}");
    }
}

fn neo() -> Constitutive {
    Constitutive::Finite(Arc::new(NeoHookean::new(1e6, 0.4).unwrap()))
}

fn plastic() -> J2Plasticity {
    J2Plasticity::new(ElasticIsotropic::new(1e6, 0.3).unwrap(), 1e4, 1e5, 1e5).unwrap()
}

#[test]
fn forces_are_slopes_of_the_energy_and_stiffness_of_the_forces() {
    let beside = |kind| irregular_2(kind).map_nodes(|x| Vector::from([x[0] + 1.0, x[1]]));
    for kind in [ElementKind::T3, ElementKind::T6, ElementKind::Q4, ElementKind::Q8] {
        check(irregular_2(kind), STRAIN, neo(), Integration::Full, true);
        check(irregular_2(kind), STRESS, neo(), Integration::Full, true);
        check(beside(kind), Kinematics::Axisymmetric, neo(), Integration::Full, true);
    }
    for kind in [ElementKind::Te4, ElementKind::Te10, ElementKind::H8, ElementKind::Pri6] {
        check(irregular_3(kind), Kinematics::Space, neo(), Integration::Full, true);
    }
    let mooney = Constitutive::Finite(Arc::new(MooneyRivlin::new(1e5, 5e4, 1e7).unwrap()));
    check(irregular_3(ElementKind::H8), Kinematics::Space, mooney, Integration::Full, true);
}

#[test]
fn averaged_volumes_have_their_stiffness_as_well() {
    let beside = irregular_2(ElementKind::Q4).map_nodes(|x| Vector::from([x[0] + 1.0, x[1]]));
    check(irregular_2(ElementKind::Q4), STRAIN, neo(), Integration::BBar, true);
    check(beside, Kinematics::Axisymmetric, neo(), Integration::BBar, true);
    check(irregular_3(ElementKind::H8), Kinematics::Space, neo(), Integration::BBar, true);
    check(irregular_3(ElementKind::Pri6), Kinematics::Space, neo(), Integration::BBar, true);
    check(irregular_2(ElementKind::Q4), STRAIN, hooke(1e6, 0.499), Integration::BBar, true);
}

#[test]
fn plastic_bodies_have_consistent_stiffness() {
    let small = || Constitutive::Small(Arc::new(plastic()));
    let finite = || Constitutive::Finite(Arc::new(Logarithmic(plastic())));
    for kinematics in [STRAIN, STRESS] {
        check(irregular_2(ElementKind::Q4), kinematics, small(), Integration::Full, false);
        check(irregular_2(ElementKind::Q4), kinematics, finite(), Integration::Full, false);
    }
    check(irregular_3(ElementKind::H8), Kinematics::Space, finite(), Integration::BBar, false);
    check(irregular_3(ElementKind::Te4), Kinematics::Space, small(), Integration::Full, false);
}
