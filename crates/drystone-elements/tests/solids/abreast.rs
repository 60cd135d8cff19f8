//! Congruent bodies side by side have the bits that each has alone.

use crate::bodies::*;
use drystone_elements::scheme::{
    ABREAST, ActionsAbreast, FloatingFrame, ImpulsesOnBody, SolidState, StatesAbreast, Supports,
    ThetaOperator, abreast, apart,
};

/// A number of each body that differs from those of the others.
fn numbers(size: usize, scale: f64) -> Vec<Vec<f64>> {
    (0..ABREAST).map(|k| noise(size, scale * (1.0 + 0.37 * k as f64))).collect()
}

fn together(of: &[Vec<f64>]) -> Vec<[f64; ABREAST]> {
    abreast(of[0].len(), of.iter().map(Vec::as_slice))
}

#[test]
fn steps_abreast_are_those_of_each_alone() {
    let model = block();
    let n = model.dofs();
    let left = model.mesh().group("left").unwrap().nodes.clone();
    for supports in [Supports::none(n), Supports::none(n).clamp::<2>(&left)] {
        let operator = ThetaOperator::new(&model, supports, 2e-3, 0.6).unwrap();
        let (u, v) = (numbers(n, 1e-3), numbers(n, 0.3));
        let (load, impulse, drive) = (numbers(n, 50.0), numbers(n, 0.4), numbers(n, 0.1));
        let mut states = StatesAbreast { displacement: together(&u), velocity: together(&v) };
        let actions = ActionsAbreast {
            load: Some(together(&load)),
            impulse: Some(together(&impulse)),
            drive: Some(together(&drive)),
        };
        let energies = operator.energies(&states);
        let free = operator.free_velocities(&states, &actions);
        let (ledgers, reactions) = operator.advance_abreast(&mut states, free.clone(), &actions);
        for k in 0..ABREAST {
            let mut state = SolidState::at_rest(&model);
            (state.displacement, state.velocity) = (u[k].clone(), v[k].clone());
            let on_body =
                ImpulsesOnBody { load: Some(&load[k]), impulse: Some(&impulse[k]), drive: Some(&drive[k]) };
            assert_eq!(energies[0][k], operator.kinetic_energy(&state));
            assert_eq!(energies[1][k], operator.strain_energy(&state));
            let alone = operator.free_velocity(&state, &on_body);
            let mut own = vec![0.0; n];
            apart(&free, k, &mut own);
            assert_eq!(own, alone);
            let (ledger, reaction) = operator.advance_with_reaction(&mut state, alone, &on_body);
            assert_eq!(ledgers[k], ledger);
            assert_eq!(reactions.iter().map(|p| p[k]).collect::<Vec<_>>(), reaction);
            apart(&states.velocity, k, &mut own);
            assert_eq!(own, state.velocity);
            apart(&states.displacement, k, &mut own);
            assert_eq!(own, state.displacement);
        }
    }
}

#[test]
fn ledgers_of_bodies_that_nothing_holds_follow_from_their_energies() {
    let model = block();
    let n = model.dofs();
    let operator = ThetaOperator::new(&model, Supports::none(n), 2e-3, 0.6).unwrap();
    let mut states =
        StatesAbreast { displacement: together(&numbers(n, 1e-3)), velocity: together(&numbers(n, 0.3)) };
    let (load, impulse) = (together(&numbers(n, 50.0)), together(&numbers(n, 0.4)));
    let actions = ActionsAbreast { load: Some(load), impulse: Some(impulse), drive: None };
    let (mut energies, mut other) = (operator.energies(&states), states.clone());
    let free = operator.free_velocities(&states, &actions);
    let ledgers = operator.advance_unheld(&mut states, &mut energies, free.clone(), &actions, |_| {});
    let (expected, _) = operator.advance_abreast(&mut other, free, &actions);
    assert_eq!((&states.displacement, &states.velocity), (&other.displacement, &other.velocity));
    assert_eq!(energies, operator.energies(&states));
    for (found, expected) in ledgers.iter().zip(expected) {
        let size = expected.impulses.abs() + expected.scheme.abs() + expected.strain.abs();
        assert!((found.scheme - expected.scheme).abs() <= 1e-12 * size, "{found:?} {expected:?}");
        assert!(found.imbalance().abs() <= 1e-11 * size, "{found:?}");
    }
}

#[test]
fn rigid_parts_abreast_are_those_of_each_alone() {
    let model = block();
    let operator = ThetaOperator::new(&model, Supports::none(model.dofs()), 2e-3, 0.6).unwrap();
    let frame = FloatingFrame::new(&model, operator.mass()).unwrap();
    let given = numbers(model.dofs(), 1.0);
    let (mut v, mut p) = (together(&given), together(&given));
    frame.remove_rigid_abreast(&mut v);
    frame.remove_resultant_abreast(&mut p);
    for (k, one) in given.iter().enumerate() {
        let (mut alone, mut own) = (one.clone(), one.clone());
        frame.remove_rigid(&mut alone);
        apart(&v, k, &mut own);
        assert_eq!(own, alone);
        let mut alone = one.clone();
        frame.remove_resultant(&mut alone);
        apart(&p, k, &mut own);
        assert_eq!(own, alone);
    }
}
