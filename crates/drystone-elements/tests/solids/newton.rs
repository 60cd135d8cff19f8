//! Newton's method: bodies whose forces are not linear, in time.

use crate::bodies::*;
use drystone_elements::SolidError;
use drystone_elements::element::ElementKind;
use drystone_elements::law::{ElasticIsotropic, J2Plasticity, Logarithmic, NeoHookean, SaintVenantKirchhoff};
use drystone_elements::mesh::{cuboid_mesh, rectangle_mesh};
use drystone_elements::model::{Constitutive, Kinematics};
use drystone_elements::scheme::{
    FloatingFrame, ImpulsesOnBody, KeptMatrix, NewtonParams, NonlinearStep, SolidLedger, SolidState,
    Supports, ThetaOperator, advance_nonlinear,
};
use std::sync::Arc;

fn step(supports: &Supports, h: f64, theta: f64, tolerance: f64) -> NonlinearStep<'_> {
    let params = NewtonParams { tolerance, ..NewtonParams::default() };
    NonlinearStep { supports, h, theta, temperature: None, params }
}

#[test]
fn newton_makes_the_steps_of_a_linear_body_at_once() {
    let model = block();
    let supports = Supports::none(model.dofs()).clamp::<2>(&model.mesh().group("left").unwrap().nodes);
    let operator = ThetaOperator::new(&model, supports.clone(), 3e-3, 0.6).unwrap();
    let mut kept = KeptMatrix::new(&model);
    let (mut one, mut other) = (SolidState::at_rest(&model), SolidState::at_rest(&model));
    for k in 0..5 {
        let load = noise(model.dofs(), 100.0 * f64::from(k));
        let drive = vec![0.01 * f64::from(k); model.dofs()];
        let on_body = ImpulsesOnBody { load: Some(&load), impulse: Some(&load), drive: Some(&drive) };
        let ledger = operator.advance(&mut one, &on_body);
        let report =
            advance_nonlinear(&model, &mut kept, &mut other, &step(&supports, 3e-3, 0.6, 1e-12), &on_body)
                .unwrap();
        assert!(report.iterations <= 2 && report.parts == 1, "{report:?}");
        assert!(report.factorisations <= 1);
        assert!(
            difference(&one.velocity, &other.velocity)
                < 1e-10 * largest(one.velocity.iter().copied()) + 1e-15
        );
        // the ledger of both is the same
        let size = ledger.loads.abs() + ledger.impulses.abs() + ledger.supports.abs() + 1e-12;
        assert!((ledger.strain - report.ledger.strain).abs() < 1e-8 * size, "{ledger:?} {report:?}");
        assert!((ledger.scheme - report.ledger.scheme).abs() < 1e-8 * size);
        assert!((ledger.supports - report.ledger.supports).abs() < 1e-8 * size);
    }
}

#[test]
fn a_large_turning_body_keeps_its_momenta() {
    for law in [
        Constitutive::Finite(Arc::new(NeoHookean::new(1e5, 0.3).unwrap())),
        Constitutive::Finite(Arc::new(SaintVenantKirchhoff::new(1e5, 0.3).unwrap())),
    ] {
        let model = model(rectangle_mesh([1.0, 0.4], 0.2, ElementKind::Q4).unwrap(), STRAIN, law, 1000.0);
        let mut kept = KeptMatrix::new(&model);
        let mut state = SolidState::at_rest(&model);
        let frame = FloatingFrame::new(&model, kept.mass()).unwrap();
        state.velocity = frame.rigid_field(&[0.3, -0.2, 6.0]);
        // and a stretching motion
        for (k, x) in model.mesh().nodes().iter().enumerate() {
            state.velocity[2 * k] += 1.5 * x[0];
        }
        let momenta = |state: &SolidState, mass: &drystone_sparse::SymmetricBlocks<2>| {
            let p = mass.times(&state.velocity);
            let mut sum = [0.0; 3];
            for (k, x) in model.mesh().nodes().iter().enumerate() {
                let at = [x[0] + state.displacement[2 * k], x[1] + state.displacement[2 * k + 1]];
                sum[0] += p[2 * k];
                sum[1] += p[2 * k + 1];
                sum[2] += at[0] * p[2 * k + 1] - at[1] * p[2 * k];
            }
            sum
        };
        let before = momenta(&state, kept.mass());
        let supports = Supports::none(model.dofs());
        let (mut iterations, mut turned_over) = (0, 0.0f64);
        for _ in 0..60 {
            let report = advance_nonlinear(
                &model,
                &mut kept,
                &mut state,
                &step(&supports, 4e-3, 0.5, 1e-13),
                &ImpulsesOnBody::default(),
            )
            .unwrap();
            iterations += report.iterations;
            turned_over += report.ledger.kinetic.abs();
            assert!(report.ledger.imbalance().abs() < 1e-9 * turned_over.max(1.0));
        }
        let after = momenta(&state, kept.mass());
        // it has turned by more than a radian, and was stretched
        for k in 0..3 {
            assert!((after[k] - before[k]).abs() < 1e-9 * largest(before), "{before:?} {after:?}");
        }
        assert!(iterations < 60 * 12, "{iterations}");
        assert!(largest(state.displacement.iter().copied()) > 0.2);
    }
}

#[test]
fn a_step_that_is_too_long_is_halved_and_one_that_cannot_be_is_told() {
    let law = Constitutive::Finite(Arc::new(NeoHookean::new(1e5, 0.3).unwrap()));
    let model = model(rectangle_mesh([1.0, 0.5], 0.25, ElementKind::Q4).unwrap(), STRAIN, law, 1000.0);
    let left = model.mesh().group("left").unwrap().nodes.clone();
    let right = model.mesh().group("right").unwrap().nodes.clone();
    let supports = Supports::none(model.dofs()).clamp::<2>(&left).clamp::<2>(&right);
    let mut drive = vec![0.0; model.dofs()];
    // squeezed fast
    right.iter().for_each(|&node| drive[2 * node as usize] = -8.0);
    let on_body = ImpulsesOnBody { drive: Some(&drive), ..Default::default() };
    let mut kept = KeptMatrix::new(&model);
    let mut state = SolidState::at_rest(&model);
    let begin = state.clone();
    let report =
        advance_nonlinear(&model, &mut kept, &mut state, &step(&supports, 0.09, 1.0, 1e-9), &on_body)
            .unwrap();
    assert!(report.parts > 1, "{report:?}");
    assert!((state.displacement[2 * right[0] as usize] + 0.72).abs() < 1e-12);
    // to beyond the other end: no step is small enough, and nothing has changed
    let mut state = begin.clone();
    let failed = advance_nonlinear(&model, &mut kept, &mut state, &step(&supports, 0.2, 1.0, 1e-9), &on_body);
    assert!(
        matches!(failed, Err(SolidError::Collapsed { .. } | SolidError::NotConverged { .. })),
        "{failed:?}"
    );
    assert_eq!(state, begin);
}

#[test]
fn a_plastic_body_loses_energy_and_keeps_its_dent() {
    let elastic = ElasticIsotropic::new(1e6, 0.3).unwrap();
    let law = Logarithmic(J2Plasticity::new(elastic, 2e4, 1e4, 1e4).unwrap());
    let mesh = cuboid_mesh([0.4, 0.2, 0.2], 0.1, ElementKind::H8).unwrap();
    let model = model(mesh, Kinematics::Space, Constitutive::Finite(Arc::new(law)), 1000.0);
    let supports = Supports::none(model.dofs()).clamp::<3>(&model.mesh().group("left").unwrap().nodes);
    let mut kept = KeptMatrix::new(&model);
    let mut state = SolidState::at_rest(&model);
    (0..model.dofs()).step_by(3).for_each(|dof| state.velocity[dof] = -4.0);
    let mut sum = SolidLedger::default();
    for _ in 0..40 {
        let report = advance_nonlinear(
            &model,
            &mut kept,
            &mut state,
            &step(&supports, 1e-3, 0.5, 1e-8),
            &ImpulsesOnBody::default(),
        )
        .unwrap();
        assert!(report.ledger.plastic >= 0.0);
        sum.add(&report.ledger);
    }
    assert!(sum.plastic > 0.3 * -sum.kinetic, "{sum:?}");
    assert!(sum.scheme.abs() < 0.05 * -sum.kinetic, "{sum:?}");
}

#[test]
fn a_stiff_body_far_from_where_it_was_made_still_moves() {
    // its forces are the rounding of a large displacement, which no iteration removes
    let law = Constitutive::Finite(Arc::new(NeoHookean::new(2e11, 0.3).unwrap()));
    let model = model(rectangle_mesh([0.1, 0.05], 0.025, ElementKind::Q4).unwrap(), STRAIN, law, 7800.0);
    let mut kept = KeptMatrix::new(&model);
    let mut state = SolidState::at_rest(&model);
    state.displacement.fill(1e4);
    state.velocity.fill(0.1);
    let supports = Supports::none(model.dofs());
    for _ in 0..3 {
        let report = advance_nonlinear(
            &model,
            &mut kept,
            &mut state,
            &step(&supports, 1e-4, 0.5, 1e-8),
            &ImpulsesOnBody::default(),
        )
        .unwrap();
        assert_eq!(report.parts, 1, "{report:?}");
    }
    assert!(state.displacement.iter().all(|u| (u - 1e4 - 3e-5).abs() < 1e-7));
}
