//! A simulation that changes while it runs: signals, hooks, bonds, through the face for users; bodies that
//! come and go are in `population`.

mod population;

use drystone::prelude::*;
use drystone::{Bodies, Contactor, Device, GroupId, Laws, Pose, Settings, Shape, Vector, Viscoelastic};
use drystone_math::PerDof;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const G: f64 = 9.81;

fn ground() -> Builder {
    Simulation::plane().gravity([0.0, -G]).step(1e-3).body(Body::half_space().named("floor").group("ground"))
}

fn size(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn the_face_builds_what_is_built_by_hand() {
    let law = Inelastic { friction: 0.3 };
    let places: Vec<[f64; 2]> =
        (0..12).map(|k| [0.11 * f64::from(k % 4) - 0.2, 0.06 + 0.12 * f64::from(k / 4)]).collect();
    let disks = places.iter().map(|&at| Body::disk(0.05).density(2600.0).at(at));
    let mut built = Simulation::plane()
        .gravity([0.0, -G])
        .step(1e-3)
        .law("*", "*", law)
        .body(Body::half_space())
        .bodies(disks)
        .build()
        .unwrap();
    let (mut bodies, mut contactors) = (Bodies::<2>::new(), Vec::new());
    let shapes = places.iter().map(|&at| (Shape::ball(0.05).unwrap(), Vector::<2>::from(at)));
    for (shape, at) in std::iter::once((Shape::HalfSpace, Vector::<2>::zeros())).chain(shapes) {
        let mass = shape.mass_properties().map(|p| (p.volume * 2600.0, p.inertia[(2, 2)] * 2600.0));
        let id = bodies.push(drystone::Body {
            name: String::new(),
            group: GroupId(0),
            pose: Pose::at(at),
            velocity: PerDof::zeros(),
            mass: mass.map_or(PerDof::repeat(1.0), |(m, j)| PerDof::from_slice(&[m, m, j])),
            driven: PerDof::repeat(mass.is_none().then_some(0.0)),
            load: PerDof::zeros(),
            gyroscopic: drystone::Gyroscopic::Omitted,
            radius: shape.bounding_radius(),
        });
        contactors.push(Contactor { body: id.0, shape, local: Pose::identity() });
    }
    let mut laws = Laws::new(1);
    laws.set(GroupId(0), GroupId(0), Box::new(law)).unwrap();
    let settings = Settings::new(Vector::<2>::new(0.0, -G), 1e-3);
    let mut by_hand = drystone::Simulation::new(settings, bodies, contactors, laws).unwrap();
    built.run_until(0.2).unwrap();
    (0..200).for_each(|_| {
        by_hand.step();
    });
    assert_eq!(built.state_hash(), by_hand.state_hash());
}

#[test]
fn axes_are_principal_whatever_the_corners() {
    // a box given by corners in turned axes moves as the box turned
    let turn = drystone::Orientation::from_scaled_axis(Vector::<3>::new(0.3, -0.5, 0.8));
    let sides = [0.2, 0.3, 0.5];
    let corner = |k: usize| {
        let half = |axis: usize| if k >> axis & 1 == 1 { 0.5 * sides[axis] } else { -0.5 * sides[axis] };
        let turned = turn * Vector::<3>::new(half(0), half(1), half(2)) + Vector::<3>::new(1.0, 0.0, 2.0);
        [turned[0], turned[1], turned[2]]
    };
    let corners: Vec<[f64; 3]> = (0..8).map(corner).collect();
    let faces: Vec<Vec<usize>> =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
            .map(|face| face.to_vec())
            .to_vec();
    let motion = |body: Body| body.density(500.0).velocity([1.0, 0.0, 2.0]).spin([3.0, 1.0, -2.0]);
    let run = |body: Body| {
        let mut sim = Simulation::space().step(1e-3).body(motion(body).named("box")).build().unwrap();
        sim.run_until(0.5).unwrap();
        let [w, x, y, z] = sim.orientation_wxyz("box").unwrap();
        let seen = Pose::<3>::orientation_from_wxyz([w, x, y, z]);
        (sim.position("box").unwrap(), sim.spin("box").unwrap(), sim.energy().kinetic, seen)
    };
    let (at, spin, energy, seen) = run(Body::polyhedron(&corners, &faces));
    let (at_block, spin_block, energy_block, seen_block) =
        run(Body::block(sides).turned([0.3, -0.5, 0.8]).at([1.0, 0.0, 2.0]));
    let off = |a: &Coordinates, b: &Coordinates| size(&[a[0] - b[0], a[1] - b[1], a[2] - b[2]]);
    assert!(off(&at, &at_block) < 1e-12 && off(&spin, &spin_block) < 1e-9, "{spin:?} {spin_block:?}");
    assert!((energy - energy_block).abs() < 1e-12 * energy);
    // what began unturned has turned by as much
    assert!((seen * turn).angle_to(&seen_block) < 1e-9);
}

#[test]
fn a_compound_weighs_what_its_parts_weigh() {
    // two squares side by side are a rectangle
    let square = |x: f64| Body::block([0.2, 0.2]).at([x, 0.0]);
    let compound = Body::compound([square(-0.1), square(0.1)]).density(100.0).named("two");
    let whole = Body::block([0.4, 0.2]).density(100.0).named("one");
    let sim = Simulation::plane().body(compound.spin(2.0)).build().unwrap();
    let reference = Simulation::plane().body(whole.spin(2.0)).build().unwrap();
    assert!((sim.energy().kinetic - reference.energy().kinetic).abs() < 1e-12);
    let bent = Body::any_polygon(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]]);
    let sim = Simulation::plane().body(bent.density(1.0).named("bent")).build().unwrap();
    assert!((sim.mass("bent").unwrap() - 3.0).abs() < 1e-12);
    let centre = sim.position("bent").unwrap();
    assert!((centre[0] - 5.0 / 6.0).abs() < 1e-12 && (centre[1] - 5.0 / 6.0).abs() < 1e-12);
}

/// Error of the velocity under a load sin t, and of the place under a prescribed velocity sin t, after 1 s.
fn signal_errors(h: f64) -> [f64; 2] {
    let mut sim = Simulation::plane()
        .step(h)
        .body(Body::disk(0.1).mass(2.0).named("pushed"))
        .body(Body::disk(0.1).mass(2.0).at([0.0, 5.0]).named("led"))
        .build()
        .unwrap();
    sim.load("pushed", Axis::X, f64::sin).unwrap();
    sim.drive("led", Axis::Y, f64::sin).unwrap();
    sim.run_until(1.0).unwrap();
    let one = 1.0 - 1.0f64.cos();
    [sim.velocity("pushed").unwrap()[0] - one / 2.0, sim.position("led").unwrap()[1] - 5.0 - one]
}

#[test]
fn signals_are_of_second_order() {
    let (coarse, fine) = (signal_errors(0.02), signal_errors(0.01));
    for (coarse, fine) in coarse.into_iter().zip(fine) {
        let ratio = coarse / fine;
        assert!((ratio - 4.0).abs() < 0.02 && fine.abs() < 1e-5, "{coarse:e} {fine:e}");
    }
}

#[test]
fn signals_of_all_kinds_keep_the_books() {
    let mut sim = ground()
        .law("*", "*", Inelastic { friction: 0.4 })
        .bodies((0..5).map(|k| Body::block([0.2, 0.1]).density(1000.0).at([0.0, 0.05 + 0.1 * f64::from(k)])))
        .body(Body::block([0.05, 0.3]).at([-0.2, 0.2]).fixed().named("pusher"))
        .body(Body::disk(0.05).density(500.0).at([1.0, 0.05]).named("roller"))
        .build()
        .unwrap();
    let slot = sim.slot(3.0).unwrap();
    sim.load("roller", Axis::X, slot).unwrap();
    sim.load("block 4", Axis::TurnZ, |t: f64| 2.0 * (9.0 * t).sin()).unwrap();
    sim.drive("pusher", Axis::X, Signal::table(vec![[0.0, 0.0], [0.1, 0.5], [0.3, -0.2]]).unwrap()).unwrap();
    sim.drive_gravity(Axis::X, Signal::Sine { mean: 0.0, amplitude: 2.0, frequency: 3.0, phase: 0.3 })
        .unwrap();
    sim.drive_friction("default", "ground", |t: f64| 0.4 - 0.5 * t).unwrap();
    sim.before_step(move |s| {
        let value = 3.0 - 20.0 * s.time();
        s.set_slot(slot, value)
    });
    sim.run_until(0.3).unwrap();
    // a free body is caught, and let go again
    sim.drive("block 4", Axis::X, 0.3).unwrap();
    sim.run_until(0.35).unwrap();
    sim.release("block 4", Axis::X).unwrap();
    sim.run_until(0.4).unwrap();
    let energy = sim.energy();
    assert!(energy.balance_error < 1e-12, "{energy:?}");
    assert!(energy.loads.abs() > 1e-3 && energy.drives > 1e-3 && energy.friction > 1e-3, "{energy:?}");
    assert!((sim.gravity()[0] - 2.0 * (std::f64::consts::TAU * 3.0 * 0.3995 + 0.3).sin()).abs() < 1e-12);
}

#[test]
fn friction_follows_its_signal() {
    // a block on a slope of gravity slides once the coefficient falls below the slope
    let mut sim = ground()
        .gravity([2.0, -G])
        .law("*", "*", Inelastic { friction: 1.0 })
        .body(Body::block([0.4, 0.1]).density(1000.0).at([0.0, 0.05]).named("block"))
        .build()
        .unwrap();
    sim.drive_friction("default", "ground", |t: f64| if t < 0.1 { 0.25 } else { 0.1 }).unwrap();
    sim.run_until(0.1).unwrap();
    assert!(size(&sim.velocity("block").unwrap()) < 1e-9);
    sim.run_until(0.2).unwrap();
    let expected = (2.0 - 0.1 * G) * 0.1;
    assert!((sim.velocity("block").unwrap()[0] - expected).abs() < 1e-9);
    let tangential = sim.contact_force("block").unwrap()[0];
    assert!((tangential + 0.1 * G * 40.0).abs() < 1e-6, "{tangential}");
}

#[test]
fn a_bond_is_made_when_it_is_asked_for() {
    let law = MohrCoulomb {
        friction: 0.5,
        normal_force: 50.0,
        tangential_force: 100.0,
        normal_stress: 0.0,
        tangential_stress: 0.0,
        share: 1.0,
    };
    let landed = || {
        let mut sim = ground()
            .law("*", "*", law)
            .body(Body::disk(0.05).mass(1.0).at([0.0, 0.07]).named("disk"))
            .build()
            .unwrap();
        sim.run_until(0.3).unwrap();
        sim
    };
    let rises = |sim: &mut Simulation, force: f64| {
        let until = sim.time() + 0.05;
        sim.set_force("disk", [0.0, force]).unwrap();
        sim.run_until(until).unwrap();
        sim.velocity("disk").unwrap()[1] > 1e-6
    };
    // it landed after the start: nothing holds it
    assert!(rises(&mut landed(), G + 20.0));
    for ask in [0, 1] {
        let mut sim = landed();
        match ask {
            0 => sim.bond("disk", "floor").unwrap(),
            _ => sim.bond_all("floor").unwrap(),
        }
        // asked for in a snapshot as well
        let snapshot = sim.snapshot();
        assert!(!rises(&mut sim, G + 20.0) && rises(&mut sim, G + 60.0));
        sim.restore(snapshot).unwrap();
        assert!(!rises(&mut sim, G + 20.0) && rises(&mut sim, G + 60.0));
        assert!(sim.energy().balance_error < 1e-12);
    }
    // a bond between others is none of the two
    let mut sim = landed();
    let other = sim.add(Body::disk(0.05).mass(1.0).at([1.0, 0.05])).unwrap();
    sim.bond(other, "floor").unwrap();
    assert!(rises(&mut sim, G + 20.0));
}

/// Presses a plate on disks with a force that it keeps.
struct Servo {
    plate: BodyHandle,
    velocity: Slot,
    force: f64,
}

impl Hook for Servo {
    fn after_step(&mut self, sim: &mut Simulation, _: &StepReport) -> Result<(), HookError> {
        let missing = self.force - sim.contact_force(self.plate)?[1];
        Ok(sim.set_slot(self.velocity, (-6e-6 * missing).clamp(-0.1, 0.1))?)
    }
}

fn press() -> Simulation {
    let device = Device::KelvinVoigt { stiffness: 1e6, viscosity: 1e3 };
    let mut sim = ground()
        .step(5e-4)
        .law("*", "*", Viscoelastic { device, friction: 0.3 })
        .bodies((0..5).map(|k| Body::disk(0.05).density(2600.0).at([0.11 * f64::from(k), 0.0505])))
        .body(Body::block([0.6, 0.1]).at([0.22, 0.1515]).fixed().named("plate"))
        .build()
        .unwrap();
    let (plate, velocity) = (sim.body("plate").unwrap(), sim.slot(0.0).unwrap());
    sim.drive(plate, Axis::Y, velocity).unwrap();
    sim.add_hook(Box::new(Servo { plate, velocity, force: 5000.0 }));
    sim
}

#[test]
fn a_servo_keeps_its_force_and_its_place_in_a_snapshot() {
    let mut sim = press();
    sim.run_until(0.1).unwrap();
    let (snapshot, early) = (sim.snapshot(), sim.contact_force("plate").unwrap()[1]);
    sim.run_until(1.0).unwrap();
    let force = sim.contact_force("plate").unwrap()[1];
    assert!((force - 5000.0).abs() < 5.0 && (early - 5000.0).abs() > 50.0, "{early} {force}");
    assert!(sim.energy().balance_error < 1e-10 && sim.energy().drives > 1.0);
    let hash = sim.state_hash();
    // the same simulation, and one made anew, go on from there with the same bits
    let mut fresh = press();
    for sim in [&mut sim, &mut fresh] {
        sim.restore(snapshot.clone()).unwrap();
        sim.run_until(1.0).unwrap();
        assert_eq!(sim.state_hash(), hash);
    }
}

#[test]
fn what_is_wrong_is_said() {
    let disk = || Body::disk(0.1).density(1.0);
    let fails = |builder: Builder| builder.build().err().expect("an error");
    let plane = Simulation::plane;
    assert!(matches!(fails(plane().body(Body::disk(-1.0))), ChangeError::Shape { .. }));
    assert!(matches!(fails(plane().body(Body::disk(1.0))), ChangeError::NoDensity(_)));
    assert!(matches!(
        fails(plane().body(Body::sphere(1.0).density(1.0))),
        ChangeError::OtherDimension { .. }
    ));
    assert!(matches!(fails(plane().body(disk().at([1.0, 2.0, 3.0]))), ChangeError::Dimension { .. }));
    assert!(matches!(fails(plane().body(disk().at([f64::NAN, 2.0]))), ChangeError::Number { .. }));
    assert!(matches!(fails(plane().body(disk().density(-2.0))), ChangeError::Number { .. }));
    assert!(matches!(
        fails(plane().bodies([disk().named("a"), disk().named("a")])),
        ChangeError::NameTaken(_)
    ));
    assert!(matches!(fails(plane().gravity([0.0, 0.0, 1.0])), ChangeError::Dimension { .. }));
    assert!(matches!(fails(plane().step(-1.0)), ChangeError::Build(_)));

    let mut sim = plane().body(disk()).body(Body::half_space()).build().unwrap();
    assert!(matches!(sim.body("nobody"), Err(ChangeError::NoSuchName(_))));
    assert!(matches!(sim.add(disk().named("disk 0")), Err(ChangeError::NameTaken(_))));
    assert!(matches!(sim.drive("disk 0", Axis::Z, 0.0), Err(ChangeError::NoSuchAxis { .. })));
    assert!(matches!(sim.drive_gravity(Axis::TurnZ, 1.0), Err(ChangeError::NoSuchAxis { .. })));
    assert!(matches!(sim.drive("disk 0", Axis::X, f64::NAN), Err(ChangeError::Number { .. })));
    assert!(matches!(sim.drive_friction("default", "default", 0.1), Err(ChangeError::NoFriction { .. })));
    assert!(matches!(sim.drive_friction("none", "default", 0.1), Err(ChangeError::NoSuchGroup(_))));
    assert!(matches!(sim.set_velocity("half_space 0", [1.0, 0.0]), Err(ChangeError::Driven(_))));
    assert!(matches!(sim.run_until(f64::NAN), Err(ChangeError::Number { .. })));
    assert!(matches!(sim.run_until(-1.0), Err(ChangeError::Number { .. })));
    let mut recorder = Recorder::default();
    assert!(matches!(sim.run_into(1.0, 0.0, &mut recorder), Err(ChangeError::Number { .. })));
    // a signal that breaks off in the middle of a run
    sim.load("disk 0", Axis::X, |t: f64| if t < 0.01 { 1.0 } else { f64::NAN }).unwrap();
    assert!(matches!(sim.run_until(1.0), Err(ChangeError::Number { .. })));
    assert!(sim.time() < 0.02 && sim.position("disk 0").unwrap()[0].is_finite());
    sim.load("disk 0", Axis::X, 0.0).unwrap();
    // a hook that gives up
    sim.on_step(|_| Err::<(), &str>("enough"));
    assert_eq!(sim.step().unwrap_err(), ChangeError::Hook("enough".into()));
    let space = Simulation::space().body(Body::sphere(0.1).density(1.0)).build().unwrap();
    assert!(matches!(sim.restore(space.snapshot()), Err(ChangeError::Dimension { .. })));
}

#[test]
fn hooks_are_called_in_their_order_and_laws_change() {
    let mut sim = ground()
        .gravity([1.0, -G])
        .law("*", "*", Inelastic { friction: 0.5 })
        .body(Body::block([0.4, 0.1]).mass(3.0).at([0.0, 0.05]).named("block"))
        .build()
        .unwrap();
    let calls = Arc::new(AtomicU64::new(0));
    let count = |calls: &Arc<AtomicU64>, number: u64| {
        let calls = calls.clone();
        move |_: &mut Simulation| calls.store(calls.load(Ordering::Relaxed) * 10 + number, Ordering::Relaxed)
    };
    sim.on_step(count(&calls, 2));
    sim.before_step(count(&calls, 1));
    sim.on_step(count(&calls, 3));
    sim.step().unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 123);
    sim.clear_hooks();
    sim.run_until(0.05).unwrap();
    let snapshot = sim.snapshot();
    let held = sim.velocity("block").unwrap()[0].abs();
    sim.set_law("*", "*", Inelastic { friction: 0.0 }).unwrap();
    sim.run_until(0.1).unwrap();
    assert!(held < 1e-9 && (sim.velocity("block").unwrap()[0] - 0.05).abs() < 1e-9);
    // before the law was changed there was another
    sim.restore(snapshot).unwrap();
    sim.run_until(0.1).unwrap();
    assert!(sim.velocity("block").unwrap()[0].abs() < 1e-9);
}

#[test]
fn an_interrupted_step_has_never_begun() {
    let build = || {
        let disks = (0..6)
            .map(|k| Body::disk(0.05).density(2600.0).at([0.02 * f64::from(k), 0.06 + 0.11 * f64::from(k)]));
        let mut sim = ground()
            .law("*", "*", Inelastic { friction: 0.3 })
            .body(Body::disk(0.05).named("pusher").density(2600.0).at([-0.5, 0.05]))
            .bodies(disks)
            .build()
            .unwrap();
        sim.drive("pusher", Axis::X, |t: f64| 2.0 * t).unwrap();
        sim
    };
    let (mut whole, mut stopped) = (build(), build());
    let monitor = drystone::Monitor::new();
    stopped.watch(&monitor);
    for step in 0..60 {
        let report = whole.step().unwrap();
        assert!(!report.is_abandoned);
        let before = (stopped.state_hash(), stopped.energy(), stopped.steps_done());
        monitor.interrupt();
        assert!(stopped.step().unwrap().is_abandoned, "step {step}");
        assert_eq!((stopped.state_hash(), stopped.energy(), stopped.steps_done()), before, "step {step}");
        assert_eq!(stopped.run_until(1.0).unwrap().steps, 0);
        monitor.resume();
        stopped.step().unwrap();
    }
    assert_eq!((stopped.state_hash(), stopped.energy()), (whole.state_hash(), whole.energy()));
    // a body that tumbles changes its spin on the way to the middle of the step
    let block = Body::block([0.2, 0.3, 0.5]).density(500.0).spin([3.0, 1.0, -2.0]);
    let mut tumbling = Simulation::space().step(1e-3).body(block).build().unwrap();
    tumbling.watch(&monitor);
    tumbling.step().unwrap();
    let before = (tumbling.state_hash(), tumbling.energy());
    monitor.interrupt();
    assert!(tumbling.step().unwrap().is_abandoned);
    assert_eq!((tumbling.state_hash(), tumbling.energy()), before);
    assert!(monitor.status().is_some_and(|status| status.residual.is_finite()));
}

/// Disks in a box, by places and radii, with a wall on either side.
fn boxed(places: &[([f64; 2], f64)], auto: drystone::AutoParams) -> drystone::Simulation<2> {
    let disks = places.iter().map(|&(at, radius)| Body::disk(radius).density(2600.0).at(at));
    let wall = |x: f64, turn: f64| Body::half_space().at([x, 0.0]).angle(turn);
    let solver = drystone::SolverParams { tolerance: 1e-4, auto, ..Default::default() };
    let built = ground()
        .solver(solver)
        .law("*", "*", Inelastic { friction: 0.4 })
        .body(wall(0.0, -FRAC_PI_2))
        .body(wall(2.0, FRAC_PI_2))
        .bodies(disks)
        .build()
        .unwrap();
    match built {
        drystone::AnySimulation::Plane(simulation) => simulation,
        drystone::AnySimulation::Space(_) => unreachable!("it was built in the plane"),
    }
}

#[test]
fn a_packing_starts_from_its_forces_and_without_them_from_what_holds_each_disk() {
    let auto = drystone::AutoParams::default();
    let radius = |k: usize| 0.042 + 0.001 * ((7 * k) % 8) as f64;
    let places: Vec<([f64; 2], f64)> =
        (0..240).map(|k| ([0.05 + 0.1 * (k % 20) as f64, 0.05 + 0.1 * (k / 20) as f64], radius(k))).collect();
    let mut settled = boxed(&places, auto);
    let last = (0..400).map(|_| settled.step()).last().unwrap();
    assert!(last.contacts > 256, "{last:?}");
    let places: Vec<([f64; 2], f64)> = settled.bodies().pose[3..]
        .iter()
        .zip(&places)
        .map(|(pose, &(_, radius))| ([pose.position[0], pose.position[1]], radius))
        .collect();
    let h = settled.settings().step;
    let known = |contact: &drystone::Interaction<2>| drystone::StartForce {
        bodies: contact.bodies,
        force: contact.frame * contact.r / h,
        at: Some(contact.point),
    };
    let forces = settled.interactions().iter().map(known).collect();
    let sweeps = |mut simulation: drystone::Simulation<2>| simulation.step().iterations;
    let warm = sweeps(boxed(&places, auto).with_forces(forces).unwrap());
    let held = sweeps(boxed(&places, auto));
    let cold = sweeps(boxed(&places, drystone::AutoParams { cold_start: false, ..auto }));
    println!("sweeps: {warm} from its forces, {held} from what holds each disk, {cold} from none");
    assert!(10 * warm <= cold && 10 * held <= cold, "{warm} {held} {cold}");
    let wrong = drystone::StartForce {
        bodies: [drystone::BodyId(0), drystone::BodyId(999)],
        force: Vector::zeros(),
        at: None,
    };
    assert!(boxed(&places, auto).with_forces(vec![wrong]).is_err());
}
