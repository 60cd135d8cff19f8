//! The operator of a step: energy, the floating frame, compliance at ports.

use crate::bodies::*;
use drystone_elements::SolidError;
use drystone_elements::element::ElementKind;

use drystone_elements::mesh::{cuboid_mesh, disk_mesh, rectangle_mesh};
use drystone_elements::model::{Kinematics, SolidModel};
use drystone_elements::scheme::{
    FloatingBody, FloatingFrame, Grip, ImpulsesOnBody, PortCompliance, SolidLedger, SolidState,
    SolidTemplate, StaticLoad, StaticParams, Supports, ThetaOperator, equilibrium,
};
use drystone_math::nalgebra::{DMatrix, DVector};
use drystone_math::{Matrix, Vector};
use std::sync::Arc;

#[test]
fn a_step_solves_the_equations_of_the_scheme() {
    // against a dense solve of M (v⁺ − v) = −h K u_θ − h C v_θ + h F + p
    let model = block();
    let (h, theta) = (3e-3, 0.6);
    let operator = ThetaOperator::new(&model, Supports::none(model.dofs()), h, theta).unwrap();
    let n = model.dofs();
    let mut state = SolidState::at_rest(&model);
    state.displacement = noise(n, 1e-3);
    state.velocity = noise(n, 0.3);
    let (load, impulse) = (noise(n, 50.0), noise(n, 0.4));
    let begin = state.clone();
    let on_body = ImpulsesOnBody { load: Some(&load), impulse: Some(&impulse), drive: None };
    operator.advance(&mut state, &on_body);
    let damping = model.damping().unwrap();
    let mean: Vec<f64> =
        (0..n).map(|k| theta * state.velocity[k] + (1.0 - theta) * begin.velocity[k]).collect();
    let middle: Vec<f64> = (0..n)
        .map(|k| begin.displacement[k] + theta * (state.displacement[k] - begin.displacement[k]))
        .collect();
    let dv: Vec<f64> = (0..n).map(|k| state.velocity[k] - begin.velocity[k]).collect();
    let (inertia, inner, damped) =
        (operator.mass().times(&dv), operator.stiffness().times(&middle), damping.times(&mean));
    for k in 0..n {
        let off = inertia[k] + h * (inner[k] + damped[k]) - h * load[k] - impulse[k];
        assert!(off.abs() < 1e-12 * largest(inertia.iter().copied()), "{k} {off:e}");
        assert!((state.displacement[k] - begin.displacement[k] - h * mean[k]).abs() < 1e-15);
    }
}

#[test]
fn the_energy_of_a_linear_body_is_balanced() {
    let model = block();
    let left = model.mesh().group("left").unwrap().nodes.clone();
    for (supports, theta) in [
        (Supports::none(model.dofs()), 0.5),
        (Supports::none(model.dofs()), 0.7),
        (Supports::none(model.dofs()).clamp::<2>(&left), 0.55),
    ] {
        let operator = ThetaOperator::new(&model, supports, 2e-3, theta).unwrap();
        let mut state = SolidState::at_rest(&model);
        state.velocity = operator
            .supports()
            .held()
            .iter()
            .zip(noise(model.dofs(), 0.3))
            .map(|(held, v)| if *held { 0.0 } else { v })
            .collect();
        let mut sum = SolidLedger::default();
        let before = operator.kinetic_energy(&state) + operator.strain_energy(&state);
        let mut turned_over = before;
        for step in 0..200 {
            let load = noise(model.dofs(), 30.0 * (0.1 * f64::from(step)).cos());
            let impulse = noise(model.dofs(), 0.01 * f64::from(step % 3));
            // the clamped end is shaken
            let drive = vec![0.2 * (0.3 * f64::from(step)).sin(); model.dofs()];
            let on_body = ImpulsesOnBody { load: Some(&load), impulse: Some(&impulse), drive: Some(&drive) };
            let ledger = operator.advance(&mut state, &on_body);
            turned_over += ledger.loads.abs() + ledger.impulses.abs() + ledger.supports.abs();
            assert!(ledger.imbalance().abs() < 1e-12 * turned_over, "{step} {:e}", ledger.imbalance());
            assert!(ledger.viscous >= 0.0 && ledger.scheme >= 0.0);
            sum.add(&ledger);
        }
        let after = operator.kinetic_energy(&state) + operator.strain_energy(&state);
        let brought = sum.loads + sum.impulses + sum.supports - sum.viscous - sum.scheme;
        assert!((after - before - brought).abs() < 1e-10 * turned_over, "{theta}");
        assert!(sum.supports != 0.0 || !operator.supports().any());
    }
}

#[test]
fn long_steps_lead_to_equilibrium() {
    let model = block();
    let left = model.mesh().group("left").unwrap().nodes.clone();
    let supports = Supports::none(model.dofs()).clamp::<2>(&left);
    let load = model.gravity_load(&model.mass_matrix(), &Vector::from([0.0, -9.81]));
    let given = StaticLoad { load: Some(&load), ..StaticLoad::default() };
    let start = SolidState::at_rest(&model);
    let still = equilibrium(&model, &supports, &given, &start, &StaticParams::default()).unwrap();
    let operator = ThetaOperator::new(&model, supports, 10.0, 1.0).unwrap();
    let mut state = start;
    for _ in 0..30 {
        operator.advance(&mut state, &ImpulsesOnBody { load: Some(&load), ..Default::default() });
    }
    let off = difference(&state.displacement, &still.state.displacement);
    assert!(off < 1e-12 * largest(still.state.displacement.iter().copied()), "{off:e}");
}

/// `A⁻¹ = G J⁻¹ Gᵀ + P A⁻¹ Pᵀ` on irregular impulses.
fn frame_holds<const D: usize>(model: &SolidModel<D>, h: f64) {
    let operator = ThetaOperator::new(model, Supports::none(model.dofs()), h, 0.5).unwrap();
    let frame = FloatingFrame::new(model, operator.mass()).unwrap();
    for seed in 1..4 {
        let impulse = noise(model.dofs(), f64::from(seed));
        let mut whole = impulse.clone();
        operator.answer(&mut whole);
        let rigid = frame.rigid_field(&frame.rigid_answer(&impulse));
        let mut deforming = impulse.clone();
        frame.deforming_answer(&operator, &mut deforming);
        let sum: Vec<f64> = rigid.iter().zip(&deforming).map(|(a, b)| a + b).collect();
        let off = difference(&sum, &whole) / largest(whole.iter().copied());
        assert!(off < 1e-13, "{off:e}");
        // L G = I, and P leaves nothing rigid
        let again = frame.rigid_velocity(&frame.rigid_field(&[1.0, -2.0, 0.5, 0.3, 0.1, -0.7]));
        for (found, given) in again.iter().zip([1.0, -2.0, 0.5, 0.3, 0.1, -0.7]) {
            assert!((found - given).abs() < 1e-13);
        }
        assert!(largest(frame.rigid_velocity(&deforming)) < 1e-13 * largest(whole.iter().copied()));
        // K G = 0
        let force = operator.stiffness().times(&frame.rigid_field(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
        assert!(largest(force) < 1e-13 * largest(operator.stiffness().diagonal()));
    }
}

#[test]
fn the_floating_frame_parts_the_motion_exactly() {
    frame_holds(&block(), 1e-3);
    frame_holds(&model(disk_mesh(0.5, 0.1, ElementKind::T3).unwrap(), STRAIN, hooke(1e7, 0.3), 1000.0), 1e-3);
    frame_holds(
        &model(
            cuboid_mesh([0.5, 0.3, 0.2], 0.1, ElementKind::H8).unwrap(),
            Kinematics::Space,
            hooke(1e6, 0.3),
            1000.0,
        ),
        1e-3,
    );
    let ring = model(
        rectangle_mesh([1.0, 1.0], 0.5, ElementKind::Q4).unwrap().map_nodes(|x| x + Vector::from([1.0, 0.0])),
        Kinematics::Axisymmetric,
        hooke(1e6, 0.3),
        1.0,
    );
    assert!(matches!(FloatingFrame::new(&ring, &ring.mass_matrix()), Err(SolidError::Unsupported(_))));
}

#[test]
fn turning_as_a_whole_does_not_strain_in_the_frame() {
    let model = block();
    let operator = ThetaOperator::new(&model, Supports::none(model.dofs()), 1e-2, 0.5).unwrap();
    let frame = FloatingFrame::new(&model, operator.mass()).unwrap();
    // the rigid part is the line of the body; what is left of the velocities is nothing
    let mut v = frame.rigid_field(&[3.0, -1.0, 7.0]);
    frame.remove_rigid(&mut v);
    assert!(largest(v.iter().copied()) < 1e-14);
    // a deforming body in its frame keeps its energy, and stays without rigid part
    let mut state = SolidState::at_rest(&model);
    state.velocity = noise(model.dofs(), 0.1);
    frame.remove_rigid(&mut state.velocity);
    let lossless = self::model_without_damping();
    let operator = ThetaOperator::new(&lossless, Supports::none(model.dofs()), 1e-2, 0.5).unwrap();
    let before = operator.kinetic_energy(&state);
    for _ in 0..200 {
        operator.advance(&mut state, &ImpulsesOnBody::default());
        frame.remove_rigid(&mut state.velocity);
        frame.remove_rigid(&mut state.displacement);
    }
    let after = operator.kinetic_energy(&state) + operator.strain_energy(&state);
    assert!((after / before - 1.0).abs() < 1e-11, "{after} {before}");
    assert!(largest(frame.rigid_velocity(&state.velocity)) < 1e-13);
}

fn model_without_damping() -> SolidModel<2> {
    model(rectangle_mesh([1.0, 0.6], 0.2, ElementKind::Q4).unwrap(), STRAIN, hooke(1e6, 0.3), 1000.0)
}

#[test]
fn ports_answer_as_the_inverse_does() {
    let model = block();
    let operator = ThetaOperator::new(&model, Supports::none(model.dofs()), 2e-3, 0.5).unwrap();
    let frame = FloatingFrame::new(&model, operator.mass()).unwrap();
    let skin = model.mesh().skin();
    let n = model.dofs();
    // A⁻¹ as a dense inverse
    let mut a = DMatrix::zeros(n, n);
    for column in 0..n {
        let mut unit = vec![0.0; n];
        unit[column] = 1.0;
        a.set_column(column, &DVector::from_vec(operator.matrix().times(&unit)));
    }
    let inverse = a.try_inverse().unwrap();
    let turn = |angle: f64| Matrix::<2, 2>::new(angle.cos(), angle.sin(), -angle.sin(), angle.cos());
    let ports = [
        (Grip::node(skin.nodes[0]), turn(0.3)),
        (Grip::new([(skin.nodes[3], 0.25), (skin.nodes[4], 0.75)]), turn(1.2)),
        (Grip::new([(skin.nodes[3], 0.6), (skin.nodes[4], 0.4)]), turn(-0.4)),
    ];
    let grips: Vec<Grip> = ports.iter().map(|port| port.0.clone()).collect();
    for frame in [None, Some(&frame)] {
        let mut compliance = PortCompliance::new(model.mesh().nodes().len(), &skin.nodes);
        assert_eq!(compliance.block(&ports), None);
        compliance.prepare(&operator, frame, &grips);
        assert_eq!(compliance.prepared(), 3);
        let block = compliance.block(&ports).unwrap();
        for (q, (on, on_axes)) in ports.iter().enumerate() {
            for j in 0..2 {
                let mut impulse = vec![0.0; n];
                on.push(&on_axes.row(j).transpose().into_owned(), &mut impulse);
                let mut v: Vec<f64> = (&inverse * DVector::from_vec(impulse.clone())).as_slice().to_vec();
                if let Some(frame) = frame {
                    let rigid = frame.rigid_field(&frame.rigid_answer(&impulse));
                    v.iter_mut().zip(rigid).for_each(|(v, rigid)| *v -= rigid);
                }
                for (p, (of, of_axes)) in ports.iter().enumerate() {
                    let expected = of_axes * of.velocity::<2>(&v);
                    for i in 0..2 {
                        let found = block[(2 * q + j) * 6 + 2 * p + i];
                        assert!((found - expected[i]).abs() < 1e-12 * inverse.amax(), "{p} {q} {i} {j}");
                        assert_eq!(found, block[(2 * p + i) * 6 + 2 * q + j]);
                    }
                }
            }
        }
        compliance.clear();
        assert_eq!(compliance.prepared(), 0);
    }
}

#[test]
fn a_body_in_its_frame_moves_as_the_whole_operator_says() {
    // a body that does not turn much: rigid part and deformation together are the nodal velocities
    let (h, theta) = (2e-3, 0.5);
    let mut template = SolidTemplate::new(block(), h, theta).unwrap();
    let skin = template.skin().clone();
    let ports = [
        (Grip::new([(skin.nodes[1], 0.3), (skin.nodes[2], 0.7)]), Matrix::<2, 2>::identity()),
        (Grip::node(skin.nodes[5]), Matrix::<2, 2>::new(0.6, 0.8, -0.8, 0.6)),
    ];
    template.prepare(&ports.clone().map(|port| port.0));
    let whole =
        ThetaOperator::new(template.model(), Supports::none(template.model().dofs()), h, theta).unwrap();
    let frame = template.frame().clone();
    let mut body = FloatingBody::new(Arc::new(template));
    let mut state = SolidState::at_rest(body.template().model());
    state.velocity = noise(state.velocity.len(), 0.1);
    state.displacement = noise(state.velocity.len(), 1e-3);
    body.set_state(state.clone());
    let mut rigid = frame.rigid_velocity(&state.velocity);
    frame.remove_rigid(&mut state.displacement);
    let load = noise(state.velocity.len(), 20.0);
    let impulses =
        [(ports[0].0.clone(), Vector::from([0.3, -0.2])), (ports[1].0.clone(), Vector::from([-0.1, 0.4]))];

    // what the compliance says of the ports' velocities
    let compliance = body.compliance(&ports).unwrap();
    let generalised = |k: usize| -> Vector<2> {
        let (grip, axes) = &ports[k];
        let mut p = vec![0.0; load.len()];
        impulses.iter().for_each(|(grip, impulse)| grip.push(impulse, &mut p));
        let resultant = frame.resultant(&p);
        let local: Vec<f64> = impulses
            .iter()
            .zip(&ports)
            .flat_map(|((_, p), (_, axes))| (axes * p).as_slice().to_vec())
            .collect();
        let given: Vec<f64> = resultant.iter().copied().chain(local).collect();
        let answer: Vec<f64> = compliance.chunks_exact(7).map(|row| dot(row, &given)).collect();
        let field = frame.rigid_field(&answer[..3]);
        axes * grip.velocity::<2>(&field) + Vector::from([answer[3 + 2 * k], answer[4 + 2 * k]])
    };
    let mut p = vec![0.0; load.len()];
    impulses.iter().for_each(|(grip, impulse)| grip.push(impulse, &mut p));
    let mut full = p.clone();
    whole.answer(&mut full);
    for k in 0..2 {
        let expected = ports[k].1 * ports[k].0.velocity::<2>(&full);
        assert!((generalised(k) - expected).norm() < 1e-12 * expected.norm(), "{k}");
    }

    let free = body.free_velocity(Some(&load));
    let pushed = frame.rigid_answer(&load);
    let free_whole = whole.free_velocity(&state, &ImpulsesOnBody { load: Some(&load), ..Default::default() });
    let free_rigid: Vec<f64> = rigid.iter().zip(&pushed).map(|(v, f)| v + h * f).collect();
    let sum: Vec<f64> = frame.rigid_field(&free_rigid).iter().zip(&free).map(|(a, b)| a + b).collect();
    assert!(difference(&sum, &free_whole) < 1e-12 * largest(free_whole));
    let (change, ledger) = body.advance(Some(&load), &impulses);
    rigid = free_rigid.iter().zip(&change).map(|(a, b)| a + b).collect();
    whole.advance(&mut state, &ImpulsesOnBody { load: Some(&load), impulse: Some(&p), drive: None });
    let sum: Vec<f64> =
        frame.rigid_field(&rigid).iter().zip(&body.state().velocity).map(|(a, b)| a + b).collect();
    assert!(difference(&sum, &state.velocity) < 1e-12 * largest(state.velocity.iter().copied()));
    assert!(ledger.imbalance().abs() < 1e-12);
}
