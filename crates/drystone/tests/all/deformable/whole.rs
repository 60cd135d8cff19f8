//! Deformable bodies as wholes: where their centre of mass is, how fast they are, who counts as free.

use super::*;
use drystone_elements::law::NeoHookean;

/// A spinning block of rubber in the world frame, or held at its foot.
fn rubber(foot: bool) -> (CentredSolid<2>, SolidFrame) {
    let law = Constitutive::Finite(Arc::new(NeoHookean::new(1e6, 0.3).unwrap()));
    let mesh = rectangle_mesh([0.2, 0.1], 0.05, ElementKind::Q4).unwrap();
    let kinematics = Kinematics::PlaneStrain { depth: 1.0 };
    let block = centred(mesh, false, |mesh, _| {
        SolidModel::new(mesh, kinematics, law.clone(), DENSITY, SolidOptions::default())
    })
    .unwrap();
    let none = Supports::none(block.model.dofs());
    let nodes = &block.model.mesh().group("bottom").unwrap().nodes;
    let supports = if foot { none.clamp::<2>(nodes) } else { none };
    let drive = vec![0.0; supports.held().len()];
    (block, SolidFrame::World { supports, drive })
}

/// A mesh that flies and turns has its centre of mass on the parabola, whatever its rigid line says.
#[test]
fn the_centre_of_a_thrown_mesh_follows_the_parabola() {
    let (block, frame) = rubber(false);
    let mut scene = SoftScene::new(1e-3);
    let at = Pose { position: Vector::<2>::new(0.3, 2.0), ..Pose::identity() };
    let thrown = scene.add_loaded(&block, at, [1.5, 2.0, 6.0].into(), frame, None);
    let wall = scene.rigid.ground();
    let mut s = scene.build(0.4);
    assert!(s.is_free(thrown) && s.is_movable(thrown) && !s.is_free(wall) && !s.is_movable(wall));
    let begin = s.energy().kinetic;
    assert!((s.kinetic_of(thrown) / begin - 1.0).abs() < 1e-12);
    let mut fastest: f64 = 0.0;
    for _ in 0..200 {
        fastest = fastest.max(s.step().speed);
    }
    let (g, t) = (s.settings().gravity[1], 0.2);
    let [place, velocity] = s.centre_of_mass(thrown);
    let expected = Vector::<2>::new(0.3 + 1.5 * t, 2.0 + 2.0 * t + 0.5 * g * t * t);
    assert!((place - expected).norm() < 1e-9, "{place} {expected}");
    assert!((velocity - Vector::<2>::new(1.5, 2.0 + g * t)).norm() < 1e-9, "{velocity}");
    // no slower than its centre, no faster than its corners can be
    assert!((2.4..2.5 + 6.5 * 0.12).contains(&fastest), "{fastest}");
    assert!((s.kinetic_of(thrown) - s.energy().kinetic).abs() < 1e-12 * begin);
}

/// What lies still is as slow as it is, although gravity would make it fast without contacts; what is held is
/// not free, and moves all the same.
#[test]
fn what_lies_still_is_slow() {
    let (block, frame) = rubber(true);
    let floating = solid(rectangle_mesh([0.2, 0.1], 0.05, ElementKind::Q4).unwrap(), 1e6, 0.3, 2e-3);
    let mut scene = SoftScene::new(1e-3);
    scene.rigid.settings.solver.tolerance = 1e-10;
    scene.rigid.settings.theta = 1.0;
    scene.rigid.ground();
    let held = scene.add_loaded(&block, Pose::at(Vector::<2>::new(0.0, 0.05)), PerDof::zeros(), frame, None);
    let lying = scene.add(&floating, Pose::at(Vector::<2>::new(1.0, 0.05)), PerDof::zeros());
    let mut s = scene.build(0.4);
    assert!(!s.is_free(held) && s.is_movable(held) && s.is_free(lying));
    let first = s.step().speed;
    let last = (0..400).map(|_| s.step().speed).last().unwrap();
    // a hundredth of what gravity alone gives in a step
    let alone = s.settings().gravity.norm() * s.settings().step;
    assert!(first > 0.1 * alone && last < 0.01 * alone, "{first} {last} {alone}");
    let [place, _] = s.centre_of_mass(held);
    assert!(place[1] < 0.05 && place[1] > 0.049, "sinks under its weight: {place}");
}
