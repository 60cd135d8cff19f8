//! Deformable bodies in space.

use super::*;
use drystone_elements::mesh::cuboid_mesh;

/// Two cubes of tetrahedra whose meshes do not match press each other uniformly.
#[test]
fn the_contact_patch_test_in_space() {
    let (young, poisson, load) = (1e7, 0.3, 1e3);
    let block =
        |n: f64| solid(cuboid_mesh([1.0, 1.0, 0.5], 1.0 / n, ElementKind::Te4).unwrap(), young, poisson, 0.0);
    let (lower, upper) = (block(2.0), block(3.0));
    let mut scene = SoftScene::new(1.0);
    scene.rigid.settings.gravity = Vector::zeros();
    scene.rigid.settings.theta = 1.0;
    let mesh = lower.model.mesh();
    let bottom = &mesh.group("bottom").unwrap().nodes;
    let supports = Supports::none(lower.model.dofs()).hold::<3>(bottom, 2);
    let frame = SolidFrame::World { supports, drive: vec![0.0; lower.model.dofs()] };
    scene.add_loaded(&lower, Pose::identity(), PerDof::zeros(), frame, None);
    let top = Some(pressure(&upper, "top", load));
    let at = Pose::at(Vector::<3>::new(0.0, 0.0, 0.5));
    scene.add_loaded(&upper, at, PerDof::zeros(), SolidFrame::Floating, top);
    let mut s = scene.build(0.0);
    (0..12).for_each(|_| {
        s.step();
    });
    let (force, area) =
        s.interactions().iter().fold((0.0, 0.0), |(f, a), contact| (f + contact.r[0], a + contact.area));
    assert!((force / load - 1.0).abs() < 1e-8, "{force}");
    assert!((area - 1.0).abs() < 1e-3, "{area}");
    for contact in s.interactions().iter().filter(|contact| contact.r[0] > 0.0) {
        let off = contact.r[0] / contact.area / (force / area) - 1.0;
        assert!(off.abs() < 1e-7, "{off:e} at {}", contact.point);
    }
    for body in s.solids().bodies() {
        let (model, state) = (s.solids().model(body as usize).unwrap(), s.solids().state(body as usize));
        let state = state.unwrap();
        for point in model.recover(&state.displacement, None, &state.history).unwrap().points {
            let off = (point.stress[2] / -load - 1.0).abs().max(point.stress[0].abs() / load);
            assert!(off < 1e-7, "stress off by {off:e}");
        }
    }
}

/// A soft brick falls on its edge and tumbles, beside rigid balls and boxes.
#[test]
fn a_tumbling_brick_keeps_its_books() {
    let brick = solid(cuboid_mesh([0.2, 0.1, 0.06], 0.05, ElementKind::H8).unwrap(), 1e6, 0.3, 1e-4);
    let mut scene = SoftScene::<3>::new(1e-3);
    scene.rigid.settings.solver.tolerance = 1e-10;
    scene.rigid.ground();
    let mut pose = Pose::at(Vector::<3>::new(0.0, 0.0, 0.13));
    pose.orientation = Orientation::from_euler_angles(0.3, 0.5, 0.2);
    scene.add(&brick, pose, [0.0, 0.0, -1.0, 1.0, 2.0, 0.5].into());
    scene.rigid.ball(0.04, Vector::<3>::new(0.05, 0.0, 0.25), PerDof::zeros());
    scene.rigid.add(
        cuboid([0.08, 0.08, 0.08]),
        Pose::at(Vector::<3>::new(-0.05, 0.02, 0.27)),
        PerDof::zeros(),
        false,
    );
    let mut s = scene.build(0.4);
    let mut met = 0.0;
    for _ in 0..300 {
        s.step();
        met += s.interactions().iter().map(|contact| contact.r[0]).sum::<f64>();
    }
    let energy = s.energy();
    assert!(met > 0.1, "{met}");
    assert!(energy.balance_error < 1e-9, "{energy:?}");
    assert!(energy.strain > 0.0);
    // nothing went through the floor
    assert!((1..4).all(|body| s.bodies().pose[body].position[2] > 0.0));
}
