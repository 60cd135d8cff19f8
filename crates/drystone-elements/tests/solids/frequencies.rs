//! Natural frequencies against those of beams and bars.

use crate::bodies::*;
use drystone_elements::element::ElementKind;
use drystone_elements::law::{ElasticIsotropic, KelvinVoigt};
use drystone_elements::mesh::rectangle_mesh;
use drystone_elements::model::{Constitutive, SolidModel};
use drystone_elements::scheme::{ImpulsesOnBody, SolidState, Supports, ThetaOperator};
use drystone_math::Vector;
use drystone_sparse::MultifrontalLdl;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// The lowest circular frequencies of a body and their modes, by inverse iteration, one after the other.
fn lowest<const D: usize>(model: &SolidModel<D>, supports: &Supports, count: usize) -> Vec<(f64, Vec<f64>)> {
    let (mut stiffness, mass) = (model.stiffness().unwrap(), model.mass_matrix());
    stiffness.hold(supports.held());
    let places: Vec<[f64; 3]> = model
        .mesh()
        .nodes()
        .iter()
        .map(|x| std::array::from_fn(|k| if k < D { x[k] } else { 0.0 }))
        .collect();
    let mut factor = MultifrontalLdl::<D>::new(model.pattern(), &places);
    factor.factor(&stiffness).unwrap();
    let mut found: Vec<(f64, Vec<f64>)> = Vec::new();
    for number in 0..count {
        let mut x = noise(model.dofs(), 1.0 + number as f64);
        let mut square = 0.0;
        for _ in 0..60 {
            let hold = |x: &mut [f64]| {
                x.iter_mut().zip(supports.held()).filter(|(_, held)| **held).for_each(|(x, _)| *x = 0.0);
            };
            hold(&mut x);
            for (_, mode) in &found {
                let share = dot(mode, &mass.times(&x));
                x.iter_mut().zip(mode).for_each(|(x, m)| *x -= share * m);
            }
            let size = dot(&x, &mass.times(&x)).sqrt();
            x.iter_mut().for_each(|x| *x /= size);
            square = dot(&x, &stiffness.times(&x));
            let mut next = mass.times(&x);
            hold(&mut next);
            factor.solve(&mut next);
            x = next;
        }
        let size = dot(&x, &mass.times(&x)).sqrt();
        found.push((square.sqrt(), x.iter().map(|x| x / size).collect()));
    }
    found
}

#[test]
fn a_cantilever_has_the_frequencies_of_a_beam() {
    // Euler and Bernoulli for a slender one (L/H = 20), less shear and rotary inertia: 0.9991, 0.9879, 0.9707
    let (length, young, density) = (20.0, 1e6, 1.0);
    let roots = [1.875_104_068_711_961, 4.694_091_132_974_174, 7.854_757_438_237_613];
    for (kind, size, tolerance) in
        [(ElementKind::Q8, 0.5, 1e-4), (ElementKind::Q8, 1.0, 2.5e-3), (ElementKind::T6, 1.0, 4e-3)]
    {
        // two elements over the height, whatever the length of one
        let mesh = rectangle_mesh([length, 2.0 * size], size, kind).unwrap();
        let mesh = mesh.map_nodes(|x| Vector::from([x[0], x[1] / (2.0 * size)]));
        let model = model(mesh, STRESS, hooke(young, 0.3), density);
        let supports = Supports::none(model.dofs()).clamp::<2>(&model.mesh().group("left").unwrap().nodes);
        let found = lowest(&model, &supports, 3);
        for ((root, ratio), (omega, _)) in roots.iter().zip([0.9991, 0.9879, 0.9707]).zip(&found) {
            // I/A = H²/12
            let beam = (root / length).powi(2) * (young / (12.0 * density)).sqrt();
            assert!((omega / beam / ratio - 1.0).abs() < tolerance, "{kind} {size} {}", omega / beam);
        }
    }
}

fn bar(kind: ElementKind, law: Constitutive) -> (SolidModel<2>, Supports) {
    let mesh = rectangle_mesh([1.0, 0.1], 0.05, kind).unwrap();
    let model = model(mesh, STRESS, law, 1000.0);
    // only along x
    let all: Vec<u32> = (0..model.mesh().nodes().len() as u32).collect();
    let left = &model.mesh().group("left").unwrap().nodes;
    let supports = Supports::none(model.dofs()).clamp::<2>(left).hold::<2>(&all, 1);
    (model, supports)
}

#[test]
fn a_bar_swings_as_long_as_a_wave_takes_four_times() {
    let (model, supports) = bar(ElementKind::Q8, hooke(1e6, 0.0));
    // c = √(E/ρ) = √1000 m/s, ω = π c / 2 L
    let exact = FRAC_PI_2 * 1000f64.sqrt();
    let (omega, mode) = lowest(&model, &supports, 1).remove(0);
    assert!((omega / exact - 1.0).abs() < 1e-6, "{}", omega / exact);
    // in time: the mid-point rule turns the phase by 2 atan(ω h / 2) a step and loses nothing
    let h = 0.01;
    let operator = ThetaOperator::new(&model, supports, h, 0.5).unwrap();
    let mut state = SolidState::at_rest(&model);
    state.displacement = mode.clone();
    let steps = 50;
    for _ in 0..steps {
        operator.advance(&mut state, &ImpulsesOnBody::default());
    }
    let phase = f64::from(steps) * 2.0 * (0.5 * omega * h).atan();
    let share = dot(&mode, &operator.mass().times(&state.displacement));
    assert!((share - phase.cos()).abs() < 1e-7, "{share} {}", phase.cos());
    let energy = operator.kinetic_energy(&state) + operator.strain_energy(&state);
    assert!((energy / (0.5 * omega * omega) - 1.0).abs() < 1e-9);
}

#[test]
fn a_damper_damps_by_its_time_of_retardation() {
    let elastic = ElasticIsotropic::new(1e6, 0.0).unwrap();
    let tau = 1e-3;
    let law = Constitutive::Small(Arc::new(KelvinVoigt::new(elastic, tau).unwrap()));
    let (model, supports) = bar(ElementKind::Q8, law);
    let (omega, mode) = lowest(&model, &supports, 1).remove(0);
    let h = 2e-4;
    let operator = ThetaOperator::new(&model, supports, h, 0.5).unwrap();
    let mut state = SolidState::at_rest(&model);
    state.displacement = mode.clone();
    let steps = 500;
    let mut lost = 0.0;
    for _ in 0..steps {
        lost += operator.advance(&mut state, &ImpulsesOnBody::default()).viscous;
    }
    // x'' + τ ω² x' + ω² x = 0
    let (time, rate) = (h * f64::from(steps), 0.5 * tau * omega * omega);
    let damped = (omega * omega - rate * rate).sqrt();
    let exact = (-rate * time).exp() * ((damped * time).cos() + rate / damped * (damped * time).sin());
    let share = dot(&mode, &operator.mass().times(&state.displacement));
    assert!((share - exact).abs() < 1e-3, "{share} {exact}");
    let left = operator.kinetic_energy(&state) + operator.strain_energy(&state);
    assert!(((left + lost) / (0.5 * omega * omega) - 1.0).abs() < 1e-10);
}

#[test]
fn a_bar_stopped_at_one_end_pushes_with_its_impedance() {
    // ρ c V over the time 2 L / c, then it flies back
    let (model, supports) = bar(ElementKind::Q4, hooke(1e6, 0.0));
    let (speed, c) = (0.01, 1000f64.sqrt());
    let h = 0.05 / c;
    let operator = ThetaOperator::new(&model, supports.clone(), h, 0.5).unwrap();
    let mut state = SolidState::at_rest(&model);
    (0..model.dofs()).step_by(2).for_each(|dof| state.velocity[dof] = -speed);
    let whole = operator.kinetic_energy(&state);
    // the nodes that are stopped lose their momentum at once
    let left = model.mesh().group("left").unwrap().nodes.clone();
    left.iter().for_each(|&node| state.velocity[2 * node as usize] = 0.0);
    let mass = operator.mass().clone();
    let momentum = |v: &[f64]| {
        let along: Vec<f64> = (0..v.len()).map(|dof| f64::from(u8::from(dof % 2 == 0))).collect();
        dot(&along, &mass.times(v))
    };
    // away from the beginning and the end, where the mass of the stopped nodes is missing
    let mut before = 0.0;
    for step in 0..40 {
        if step == 10 {
            before = momentum(&state.velocity);
        }
        if step == 30 {
            let pressure = (momentum(&state.velocity) - before) / (20.0 * h) / 0.1;
            assert!((pressure / (1000.0 * c * speed) - 1.0).abs() < 0.01, "{pressure}");
        }
        operator.advance(&mut state, &ImpulsesOnBody::default());
    }
    // all of it flies back, but for what was stopped at once
    let back = momentum(&state.velocity) / (1000.0 * 0.1 * speed);
    assert!(back > 0.9 && back < 1.02, "{back}");
    let energy = operator.kinetic_energy(&state) + operator.strain_energy(&state);
    assert!(energy < whole && energy > 0.93 * whole, "{}", energy / whole);
}
