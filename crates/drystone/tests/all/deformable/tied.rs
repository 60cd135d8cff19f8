//! Ties whose ends lie in meshes: what they hold goes where the mesh goes, and they pull at it. Against given
//! loads, supports, a rigid body, and the books.

use super::*;
use drystone_elements::law::NeoHookean;
use drystone_elements::scheme::SolidInertia;

fn beam(young: f64, delay: f64) -> CentredSolid<2> {
    solid(rectangle_mesh([1.0, 0.1], 0.05, ElementKind::Q8).unwrap(), young, 0.3, delay)
}

fn world(solid: &CentredSolid<2>, clamped: &str) -> SolidFrame {
    let mut supports = Supports::none(solid.model.dofs());
    if !clamped.is_empty() {
        supports = supports.clamp::<2>(&solid.model.mesh().group(clamped).unwrap().nodes);
    }
    let drive = vec![0.0; supports.held().len()];
    SolidFrame::World { supports, drive }
}

fn spring(body: BodyId, ends: [Vector<2>; 2], poses: &[Pose<2>]) -> Tie<2> {
    let elasticity = Elasticity { stiffness: 4e4, damping: 0.0 };
    let kind = Kind::Spring { length: 0.3, elasticity };
    Tie::between("spring", kind, [Some(body), None], ends, poses)
}

/// The displacement of a point of a body by deformation, in world axes.
fn deflection(s: &Simulation<2>, BodyId(body): BodyId, point: Vector<2>) -> Vector<2> {
    let model = s.solids().model(body as usize).unwrap();
    let displacement = &s.solids().state(body as usize).unwrap().displacement;
    let parts = model.mesh().locate(&point).unwrap();
    let moved = parts.iter().fold(Vector::<2>::zeros(), |sum, &(node, weight)| {
        sum + Vector::from_fn(|axis, _| displacement[node as usize * 2 + axis]) * weight
    });
    s.bodies().pose[body as usize].rotation() * moved
}

/// A spring pulls at a point within a clamped beam, between its nodes: the beam bends as under a given force
/// of that size there, and the spring is as long as the bent beam leaves it.
#[test]
fn a_spring_bends_a_clamped_beam_as_a_given_force_does() {
    let (bar, at) = (beam(1e7, 0.0), Vector::<2>::new(0.37, 0.013));
    let build = |force: Option<Vector<2>>| {
        let mut scene = SoftScene::new(1e-3);
        scene.rigid.settings.gravity = Vector::zeros();
        scene.rigid.settings.solver.tolerance = 1e-13;
        let shares = bar.model.mesh().locate(&at).unwrap();
        let load = force.map(|force| SolidLoad {
            following: Vec::new(),
            faces: vec![FaceLoad { inwards: Vec::new(), shares, pressure: 0.0, force }],
        });
        let id = scene.add_loaded(&bar, Pose::identity(), PerDof::zeros(), world(&bar, "left"), load);
        scene.specs[0].inertia = SolidInertia::None;
        let ties = match force {
            None => vec![spring(id, [at, at + Vector::<2>::new(0.1, 0.5)], &scene.rigid.bodies.pose)],
            Some(_) => Vec::new(),
        };
        (scene.build(0.0).with_ties(ties).unwrap(), id)
    };
    let (mut tied, id) = build(None);
    (0..60).for_each(|_| {
        tied.step();
    });
    let view = tied.ties().next().unwrap();
    let (force, ends, tension) = (view.force, view.ends, view.tension);
    assert!(((ends[0] - ends[1]).norm() - 0.3 - tension / 4e4).abs() < 1e-9, "{tension}");
    let moved = deflection(&tied, id, at);
    assert!((at + moved - ends[0]).norm() < 1e-14 && moved.norm() > 0.01, "{moved}");
    let (mut loaded, id) = build(Some(force));
    (0..3).for_each(|_| {
        loaded.step();
    });
    let expected = deflection(&loaded, id, at);
    assert!((moved - expected).norm() < 1e-9 * expected.norm(), "{moved} {expected}");
    assert!(tied.energy().balance_error < 1e-9, "{:?}", tied.energy());
}

/// A beam in a floating frame on two pins under its weight sags as one whose nodes there are held.
#[test]
fn a_beam_on_two_pins_sags_as_one_with_two_nodes_held() {
    let bar = beam(1e6, 0.2);
    let ends = [Vector::<2>::new(-0.5, 0.0), Vector::<2>::new(0.5, 0.0)];
    let build = |is_tied: bool| {
        let mut scene = SoftScene::new(2e-3);
        (scene.rigid.settings.theta, scene.rigid.settings.solver.tolerance) = (1.0, 1e-12);
        let mesh = bar.model.mesh();
        let nodes: Vec<u32> = (0..mesh.nodes().len() as u32)
            .filter(|&node| ends.iter().any(|end| (mesh.nodes()[node as usize] - end).norm() < 1e-9))
            .collect();
        assert_eq!(nodes.len(), 2);
        let supports = Supports::none(bar.model.dofs()).clamp::<2>(&nodes);
        let drive = vec![0.0; supports.held().len()];
        let frame = if is_tied { SolidFrame::Floating } else { SolidFrame::World { supports, drive } };
        let id = scene.add_loaded(&bar, Pose::identity(), PerDof::zeros(), frame, None);
        let poses = &scene.rigid.bodies.pose;
        let pin = |end: &Vector<2>| {
            Tie::at("pin", Kind::Joint(Joint::Pin), [Some(id), None], &Pose::at(*end), poses)
        };
        let ties = if is_tied { ends.iter().map(pin).collect() } else { Vec::new() };
        let mut s = scene.build(0.0).with_ties(ties).unwrap();
        (0..1500).for_each(|_| {
            s.step();
        });
        s
    };
    let [tied, held] = [true, false].map(build);
    let middle = |s: &Simulation<2>| {
        let down = deflection(s, BodyId(0), Vector::zeros());
        s.bodies().pose[0].position + down
    };
    let (sag, expected) = (middle(&tied), middle(&held));
    assert!(expected[1] < -0.01 && (sag - expected).norm() < 1e-6 * expected.norm(), "{sag} {expected}");
    let pull: Vector<2> = tied.ties().map(|view| view.force).fold(Vector::zeros(), |sum, force| sum + force);
    assert!((pull[1] / (9.81 * bar.mass[0]) - 1.0).abs() < 1e-8, "{pull}");
    assert!(tied.ties().all(|view| view.elongation < 1e-9));
}

/// Pinned at one end, a stiff deformable body swings as a rigid one, in a floating frame and in that of the
/// world; its pin does not come apart, and the books are closed.
#[test]
fn stiff_pendulums_swing_as_rigid_ones() {
    let pinned = Vector::<2>::new(-0.5, 0.0);
    let law = Constitutive::Finite(Arc::new(NeoHookean::new(1e9, 0.3).unwrap()));
    let mesh = || rectangle_mesh([1.0, 0.1], 0.1, ElementKind::Q8).unwrap();
    let rubber = centred(mesh(), false, |mesh, _| {
        SolidModel::new(
            mesh,
            Kinematics::PlaneStrain { depth: 1.0 },
            law.clone(),
            DENSITY,
            SolidOptions::default(),
        )
    })
    .unwrap();
    let elastic = solid(mesh(), 1e9, 0.3, 0.0);
    let swing = |body: Option<(&CentredSolid<2>, SolidFrame)>| {
        let mut scene = SoftScene::new(1e-3);
        scene.rigid.settings.solver.tolerance = 1e-12;
        let id = match body {
            Some((solid, frame)) => scene.add_loaded(solid, Pose::identity(), PerDof::zeros(), frame, None),
            None => scene.rigid.bodies.push(Body {
                name: "rigid".into(),
                group: GroupId(0),
                pose: Pose::identity(),
                velocity: PerDof::zeros(),
                mass: elastic.mass,
                driven: PerDof::from_fn(|_| None),
                load: PerDof::zeros(),
                gyroscopic: Gyroscopic::Omitted,
                radius: 0.6,
            }),
        };
        let at = Pose::at(pinned);
        let kind = Kind::Joint(Joint::Pin);
        let pin = Tie::at("pin", kind, [Some(id), None], &at, &scene.rigid.bodies.pose);
        let mut s = scene.build(0.0).with_ties(vec![pin]).unwrap();
        let mut apart: f64 = 0.0;
        for _ in 0..400 {
            s.step();
            apart = s.ties().map(|view| view.elongation).fold(apart, f64::max);
        }
        (s.centre_of_mass(id)[0], apart, s.energy().balance_error)
    };
    let (expected, _, _) = swing(None);
    assert!(expected[1] < -0.3, "{expected}");
    for (name, solid, frame) in
        [("floating", &elastic, SolidFrame::Floating), ("world", &rubber, world(&rubber, ""))]
    {
        let (centre, apart, books) = swing(Some((solid, frame)));
        assert!((centre - expected).norm() < 2e-3, "{name}: {centre} {expected}");
        assert!(apart < 1e-5, "{name}: {apart:e}");
        assert!(books < 1e-6, "{name}: {books:e}");
    }
}

/// A body of nodes alone has no turn to hold, and nothing outside of its mesh.
#[test]
fn what_a_mesh_cannot_hold_is_refused() {
    let bar = beam(1e7, 0.0);
    let tried = |kind: Kind<2>, at: Vector<2>, frame: SolidFrame| {
        let mut scene = SoftScene::new(1e-3);
        let id = scene.add_loaded(&bar, Pose::identity(), PerDof::zeros(), frame, None);
        let tie = Tie::at("grip", kind, [Some(id), None], &Pose::at(at), &scene.rigid.bodies.pose);
        scene.build(0.0).with_ties(vec![tie]).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let (inside, outside) = (Vector::<2>::new(0.2, 0.0), Vector::<2>::new(0.2, 0.06));
    let (pin, fixed) = (Kind::Joint(Joint::Pin), Kind::Joint(Joint::Fixed));
    let world = || world(&bar, "left");
    assert_eq!(tried(pin, inside, world()), "");
    assert!(tried(fixed, inside, world()).contains("more than a point of \"soft 0\""));
    assert!(tried(pin, outside, world()).contains("outside of the mesh of \"soft 0\""));
    assert_eq!(tried(fixed, outside, SolidFrame::Floating), "");
}
