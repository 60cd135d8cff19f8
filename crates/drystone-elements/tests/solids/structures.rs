//! Structures with published numbers: Cook's membrane, and a block that can hardly change its volume.

use crate::bodies::*;
use drystone_elements::element::ElementKind;
use drystone_elements::mesh::rectangle_mesh;
use drystone_elements::model::{Integration, Kinematics, SolidModel};
use drystone_elements::scheme::{SolidState, StaticLoad, StaticParams, Supports, equilibrium};
use drystone_math::Vector;
use std::sync::Arc;

/// Deflection of Cook's membrane (1974) of n × n elements under a shear force, at a point of its free end.
fn cook(
    kind: ElementKind,
    n: usize,
    kinematics: Kinematics,
    elastic: [f64; 2],
    force: f64,
    at: f64,
    integration: Integration,
) -> f64 {
    let mesh = rectangle_mesh([1.0; 2], 1.0 / n as f64, kind).unwrap();
    let mesh = mesh.map_nodes(|x| {
        let (s, t) = (x[0] + 0.5, x[1] + 0.5);
        Vector::from([48.0 * s, 44.0 * s + t * (44.0 - 28.0 * s)])
    });
    let law = hooke(elastic[0], elastic[1]);
    let model = SolidModel::new(Arc::new(mesh), kinematics, law, 1.0, options(integration)).unwrap();
    let mesh = model.mesh();
    let supports = Supports::none(model.dofs()).clamp::<2>(&mesh.group("left").unwrap().nodes);
    let mut load = vec![0.0; model.dofs()];
    model.add_traction(&mesh.group("right").unwrap().faces, &Vector::from([0.0, force / 16.0]), &mut load);
    let load = StaticLoad { load: Some(&load), ..StaticLoad::default() };
    let start = SolidState::at_rest(&model);
    let found = equilibrium(&model, &supports, &load, &start, &StaticParams::default()).unwrap();
    found.state.displacement[2 * mesh.nearest_node(&Vector::from([48.0, at])) + 1]
}

#[test]
fn cooks_membrane_bends_as_published() {
    // plane stress, E = 1, ν = ⅓, F = 1: 23.96 in the middle of the end; values of n = 16
    let expected = [
        // with all diagonals one way 21.59; ours turn from element to element
        (ElementKind::T3, 22.47, 0.001),
        (ElementKind::Q4, 23.43, 0.001),
        (ElementKind::T6, 23.93, 0.001),
        (ElementKind::Q8, 23.93, 0.001),
    ];
    for (kind, value, tolerance) in expected {
        let found = cook(kind, 16, STRESS, [1.0, 1.0 / 3.0], 1.0, 52.0, Integration::Full);
        assert!((found / value - 1.0).abs() < tolerance, "{kind} {found}");
    }
    let fine = cook(ElementKind::Q4, 32, STRESS, [1.0, 1.0 / 3.0], 1.0, 52.0, Integration::Full);
    assert!((fine / 23.82 - 1.0).abs() < 0.001, "{fine}");
}

#[test]
fn an_incompressible_membrane_locks_without_b_bar() {
    // plane strain, E = 250, ν = 0.4999, F = 100, corner: 7.7 to 7.8
    let run = |kind, integration| cook(kind, 32, STRAIN, [250.0, 0.4999], 100.0, 60.0, integration);
    let expected = [
        (ElementKind::Q4, Integration::Full, 2.83, 0.01),
        // with all diagonals one way 2.26
        (ElementKind::T3, Integration::Full, 2.68, 0.01),
        (ElementKind::Q4, Integration::BBar, 7.69, 0.003),
        (ElementKind::T6, Integration::Full, 7.67, 0.01),
        (ElementKind::Q8, Integration::Full, 7.67, 0.005),
    ];
    for (kind, integration, value, tolerance) in expected {
        let found = run(kind, integration);
        assert!((found / value - 1.0).abs() < tolerance, "{kind} {integration:?} {found}");
    }
}
