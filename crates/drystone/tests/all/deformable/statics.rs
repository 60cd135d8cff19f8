//! Deformable bodies without inertia, and bodies of revolution, in the step: closed forms, equilibria found
//! without a step, the books.

use super::*;
use drystone_elements::law::NeoHookean;
use drystone_elements::scheme::{SolidInertia, SolidState, StaticLoad, StaticParams, equilibrium};
use std::f64::consts::PI;

fn held(solid: &CentredSolid<2>, group: &str) -> Supports {
    Supports::none(solid.model.dofs()).clamp::<2>(&solid.model.mesh().group(group).unwrap().nodes)
}

fn world(supports: Supports) -> SolidFrame {
    let drive = vec![0.0; supports.held().len()];
    SolidFrame::World { supports, drive }
}

/// A bar under a pressure at its end is as short as Hooke says after one step, and then at rest.
#[test]
fn a_bar_without_inertia_is_in_balance_after_one_step() {
    let (length, young, load) = (1.0, 1e7, 1e4);
    let bar = solid(rectangle_mesh([0.1, length], 0.05, ElementKind::Q4).unwrap(), young, 0.0, 0.0);
    let mut scene = SoftScene::new(1e-3);
    scene.rigid.settings.gravity = Vector::zeros();
    let frame = world(held(&bar, "bottom"));
    scene.add_loaded(&bar, Pose::identity(), PerDof::zeros(), frame, Some(pressure(&bar, "top", load)));
    scene.specs[0].inertia = SolidInertia::None;
    let mut s = scene.build(0.0);
    for step in 0..3 {
        s.step();
        let state = s.solids().state(0).unwrap();
        let shortest = state.displacement.iter().copied().fold(0.0, f64::min);
        assert!((shortest / (-load * length / young) - 1.0).abs() < 1e-10, "{shortest}");
        let fastest = state.velocity.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        assert_eq!(step > 0, fastest < 1e-9, "{fastest}");
    }
    let held: f64 = s.solids().reaction(0).iter().skip(1).step_by(2).sum();
    assert!((held / (load * 0.1) - 1.0).abs() < 1e-9, "{held}");
    let energy = s.energy();
    assert_eq!(energy.kinetic, 0.0);
    let stored = 0.5 * load * load / young * 0.1 * length;
    assert!((energy.strain / stored - 1.0).abs() < 1e-9, "{}", energy.strain);
    assert!(energy.balance_error < 1e-10, "{energy:?}");
}

/// A free body without inertia keeps its rigid motion: it falls as a rigid one and, once it lies on the
/// ground, carries the pressure on its back evenly.
#[test]
fn a_block_without_inertia_falls_and_carries_its_load() {
    let load = 1e5;
    let block = solid(rectangle_mesh([1.0, 0.5], 0.2, ElementKind::Q4).unwrap(), 1e7, 0.3, 0.0);
    let mut scene = SoftScene::new(0.02);
    scene.rigid.settings.solver.tolerance = 1e-13;
    scene.rigid.settings.theta = 1.0;
    scene.rigid.ground();
    let back = Some(pressure(&block, "top", load));
    let at = Pose::at(Vector::<2>::new(0.0, 0.6));
    scene.add_loaded(&block, at, PerDof::zeros(), SolidFrame::Floating, back);
    scene.specs[0].inertia = SolidInertia::None;
    let mut s = scene.build(0.0);
    let h = s.settings().step;
    s.step();
    let fall = 9.81 + load / block.mass[0];
    assert!((s.bodies().velocity[1][1] / (-fall * h) - 1.0).abs() < 1e-12);
    (0..60).for_each(|_| {
        s.step();
    });
    let whole = load + 9.81 * block.mass[0];
    let force: f64 = s.interactions().iter().map(|contact| contact.r[0] / h).sum();
    assert!((force / whole - 1.0).abs() < 1e-8, "{}", force / whole);
    for contact in s.interactions().iter().filter(|contact| contact.r[0] > 0.0) {
        let off = contact.r[0] / h / contact.area / whole - 1.0;
        assert!(off.abs() < 0.02, "{off:e} at {}", contact.point);
    }
    let energy = s.energy();
    assert!(energy.balance_error < 1e-9, "{energy:?}");
}

/// Rubber held below and driven above: the equilibrium that is found without a step.
#[test]
fn rubber_without_inertia_goes_through_its_equilibria() {
    let law = Constitutive::Finite(Arc::new(NeoHookean::new(1e6, 0.4).unwrap()));
    let plane = Kinematics::PlaneStrain { depth: 1.0 };
    let block = centred(rectangle_mesh([0.2, 0.1], 0.05, ElementKind::Q4).unwrap(), false, |mesh, _| {
        SolidModel::new(mesh, plane, law.clone(), DENSITY, SolidOptions::default())
    })
    .unwrap();
    let mesh = block.model.mesh();
    let (top, speed) = (mesh.group("top").unwrap().nodes.clone(), [0.01, -0.03]);
    let supports = held(&block, "bottom").clamp::<2>(&top);
    let mut drive = vec![0.0; block.model.dofs()];
    for &node in &top {
        (0..2).for_each(|axis| drive[2 * node as usize + axis] = speed[axis]);
    }
    let mut scene = SoftScene::new(0.1);
    scene.rigid.settings.gravity = Vector::zeros();
    scene.rigid.settings.newton.tolerance = 1e-11;
    let frame = SolidFrame::World { supports: supports.clone(), drive: drive.clone() };
    scene.add_loaded(&block, Pose::identity(), PerDof::zeros(), frame, None);
    scene.specs[0].inertia = SolidInertia::None;
    let mut s = scene.build(0.0);
    for step in 1..=10 {
        s.step();
        if step % 5 != 0 {
            continue;
        }
        let displaced: Vec<f64> = drive.iter().map(|v| 0.1 * f64::from(step) * v).collect();
        let load = StaticLoad { displaced: Some(&displaced), ..StaticLoad::default() };
        let (start, params) =
            (SolidState::at_rest(&block.model), StaticParams { steps: 10, ..Default::default() });
        let found = equilibrium(&block.model, &supports, &load, &start, &params).unwrap();
        let state = s.solids().state(0).unwrap();
        let off = { state.displacement.iter().zip(&found.state.displacement) }
            .fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        assert!(off < 1e-8, "step {step}: {off:e}");
    }
    let energy = s.energy();
    assert!(energy.kinetic == 0.0 && energy.balance_error < 1e-9, "{energy:?}");
}

#[test]
fn a_body_without_inertia_that_nothing_holds_is_refused() {
    let block = solid(rectangle_mesh([1.0, 0.5], 0.25, ElementKind::Q4).unwrap(), 1e7, 0.3, 0.0);
    let mut scene = SoftScene::new(0.02);
    let bottom = &block.model.mesh().group("bottom").unwrap().nodes;
    let sliding = world(Supports::none(block.model.dofs()).hold::<2>(bottom, 1));
    scene.add_loaded(&block, Pose::identity(), PerDof::zeros(), sliding, None);
    scene.specs[0].inertia = SolidInertia::None;
    let built = scene.rigid.build(Inelastic { friction: 0.0 }).with_solids(scene.specs);
    let error = built.err().unwrap().to_string();
    assert!(error.contains("soft 0") && error.contains("move as a whole"), "{error}");
}

fn revolved(mesh: Mesh<2>, young: f64, poisson: f64) -> CentredSolid<2> {
    let law = Constitutive::Small(Arc::new(ElasticIsotropic::new(young, poisson).unwrap()));
    centred(mesh, false, |mesh, _| {
        SolidModel::new(mesh, Kinematics::Axisymmetric, law.clone(), DENSITY, SolidOptions::default())
    })
    .unwrap()
}

/// A cylinder pressed on a plane: one over all of its foot, r / area the pressure, and a mass of all the way
/// around that falls as it should.
#[test]
fn a_body_of_revolution_presses_evenly_on_its_foot() {
    let (radius, load) = (0.4, 1e5);
    for kind in [ElementKind::Q4, ElementKind::T3] {
        let section = rectangle_mesh([radius, 0.5], 0.1, kind).unwrap();
        let section = section.map_nodes(|x| Vector::from([x[0] + 0.5 * radius, x[1]]));
        let body = revolved(section, 1e7, 0.3);
        let mass = DENSITY * PI * radius * radius * 0.5;
        assert!((body.mass[1] / mass - 1.0).abs() < 1e-12);
        let on_axis = body.model.mesh().nodes_where(|x| x[0] < 1e-9);
        let supports = Supports::none(body.model.dofs()).hold::<2>(&on_axis, 0);
        let mut scene = SoftScene::new(0.02);
        scene.rigid.settings.solver.tolerance = 1e-14;
        scene.rigid.settings.theta = 1.0;
        scene.rigid.settings.gravity = Vector::zeros();
        scene.rigid.ground();
        let back = Some(pressure(&body, "top", load));
        let at = Pose::at(Vector::<2>::new(0.0, 0.25));
        scene.add_loaded(&body, at, PerDof::zeros(), world(supports), back);
        let mut s = scene.build(0.0);
        (0..60).for_each(|_| {
            s.step();
        });
        let h = s.settings().step;
        let acting: Vec<_> = s.interactions().iter().filter(|contact| contact.r[0] > 0.0).collect();
        assert_eq!(acting.len(), 5);
        let area: f64 = acting.iter().map(|contact| contact.area).sum();
        // the foot widens as it is pressed
        assert!((area / (PI * radius * radius) - 1.0).abs() < 0.01, "{area}");
        let force: f64 = acting.iter().map(|contact| contact.r[0] / h).sum();
        assert!((force / (load * PI * radius * radius) - 1.0).abs() < 1e-8, "{force}");
        for contact in &acting {
            let off = contact.r[0] / contact.area / (force * h / area) - 1.0;
            assert!(off.abs() < 5e-3, "{kind:?}: {off:e} at {}", contact.point);
        }
        // uniform: nothing across and around
        let (model, state) = (s.solids().model(1).unwrap(), s.solids().state(1).unwrap());
        for point in model.recover(&state.displacement, None, &state.history).unwrap().points {
            let off = (point.stress[1] / -load - 1.0).abs().max(point.stress[0].abs() / load);
            assert!(off < 5e-3, "{kind:?}: stress off by {off:e}");
        }
        assert!(s.energy().balance_error < 1e-10);
    }
}
