//! Bodies that come, break and go while a simulation runs.

use super::*;

/// Feeds a box with disks: ten come in every step, and once there are sixty, the ten oldest leave.
fn feed(sim: &mut Simulation) -> Result<(), ChangeError> {
    let step = sim.steps_done();
    let disks: Vec<BodyHandle> = sim
        .bodies()
        .into_iter()
        .filter(|&body| sim.group_of(body).is_ok_and(|group| group == "fed"))
        .collect();
    if disks.len() >= 60 {
        sim.remove(&disks[..10])?;
    }
    for k in 0..10 {
        let x = 0.09 * f64::from(k) - 0.42 + 0.01 * f64::from((step % 3) as u32);
        let radius = 0.03 + 0.001 * f64::from(k);
        let disk = Body::disk(radius).density(2600.0).at([x, 0.1 + 0.09 * f64::from((step % 6) as u32)]);
        sim.add(disk.velocity([0.0, -2.0]).group("fed"))?;
    }
    Ok(())
}

fn fed(skin: f64) -> Simulation {
    let mut sim = ground()
        .step(8e-3)
        .skin(skin)
        .law("*", "*", Inelastic { friction: 0.3 })
        .bodies([-0.5, 0.5].map(|x| Body::half_space().at([x, 0.0]).angle(f64::signum(x) * FRAC_PI_2)))
        .build()
        .unwrap();
    sim.before_step(feed);
    sim
}

#[test]
fn a_thousand_bodies_come_and_go_and_a_restored_run_has_the_same_bits() {
    let steps = 110;
    let mut hashes = Vec::new();
    for skin in [0.0, 0.3] {
        let mut sim = fed(skin);
        let begin = sim.snapshot();
        let mut kept = None;
        for step in 0..steps {
            if step == 80 {
                kept = Some((sim.snapshot(), sim.bodies()));
            }
            sim.step().unwrap();
        }
        let removed = 10 * steps as usize + 3 - sim.bodies().len();
        assert!(removed >= 1000, "{removed}");
        assert!(sim.energy().balance_error < 1e-10, "{:?}", sim.energy());
        let (hash, last) = (sim.state_hash(), sim.bodies());
        let (snapshot, then) = kept.unwrap();
        // back in time, and in another simulation of the same program
        let mut fresh = fed(skin);
        for sim in [&mut sim, &mut fresh] {
            sim.restore(snapshot.clone()).unwrap();
            assert_eq!(sim.bodies(), then);
            sim.run_until(8e-3 * f64::from(steps)).unwrap();
            assert_eq!((sim.state_hash(), sim.bodies()), (hash, last.clone()));
        }
        // and to the beginning, where nothing had come
        sim.restore(begin).unwrap();
        assert_eq!(sim.bodies().len(), 3);
        hashes.push(hash);
    }
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn contacts_find_their_impulses_again_after_others_are_gone() {
    let mut sim = ground()
        .law("*", "*", Inelastic { friction: 0.5 })
        .bodies((0..6).map(|k| Body::disk(0.05).density(1e3).at([0.2 * f64::from(k), 0.05])))
        .bodies((0..6).map(|k| Body::block([0.1, 0.1]).density(1e3).at([0.2 * f64::from(k), 0.15])))
        .build()
        .unwrap();
    sim.run_until(0.05).unwrap();
    let named = |sim: &Simulation| -> Vec<(String, String, u64, Vec<f64>)> {
        let AnySnapshot::Plane(snapshot) = sim.snapshot() else { unreachable!() };
        let Simulation::Plane(inner) = sim else { unreachable!() };
        assert!(snapshot.memory.is_sorted_by_key(|contact| contact.id));
        let name = |contactor: u32| {
            inner.bodies().name[inner.contactors()[contactor as usize].body as usize].clone()
        };
        let of = |contact: &drystone::ContactMemory<2>| {
            let [a, b] = contact.id.contactors.map(name);
            (a, b, contact.id.feature, contact.impulse.as_slice().to_vec())
        };
        snapshot.memory.iter().map(of).collect()
    };
    let before = named(&sim);
    let gone = [sim.body("disk 1").unwrap(), sim.body("block 1").unwrap(), sim.body("block 4").unwrap()];
    sim.remove(&gone).unwrap();
    sim.add(Body::disk(0.05).density(1e3).at([0.2, 0.05]).named("late")).unwrap();
    let after = named(&sim);
    let stays = |name: &str| !["disk 1", "block 1", "block 4"].contains(&name);
    let expected: Vec<_> = before.into_iter().filter(|(a, b, ..)| stays(a) && stays(b)).collect();
    assert_eq!(after, expected);
    assert!(after.iter().filter(|(.., impulse)| impulse[1].abs() > 1e-3).count() >= 9);
    // what is left of the contacts of the last step names the bodies that are left
    assert!(sim.contacts().iter().all(|contact| contact.bodies.iter().all(|&body| sim.contains(body))));
    sim.run_until(0.1).unwrap();
    let weight = 1e3 * std::f64::consts::PI * 0.0025 * G;
    assert!((sim.contact_force("late").unwrap()[1] - weight).abs() < 1e-6 * weight);
}

#[test]
fn a_body_that_breaks_keeps_its_momentum_and_its_energy() {
    let mut sim = ground()
        .law("*", "*", Inelastic { friction: 0.3 })
        .body(Body::block([1.0, 0.1]).density(2e3).at([0.0, 2.0]).velocity([1.0, 0.5]).spin(3.0).named("bar"))
        .build()
        .unwrap();
    sim.run_until(0.05).unwrap();
    let bar = sim.body("bar").unwrap();
    let (at, angle, velocity) =
        (sim.position(bar).unwrap(), sim.angle(bar).unwrap(), sim.velocity(bar).unwrap());
    let (spin, before) = (sim.spin(bar).unwrap()[0], sim.energy());
    sim.remove(&[bar]).unwrap();
    for side in [-0.25, 0.25] {
        let arm = [side * angle.cos(), side * angle.sin()];
        let half = Body::block([0.5, 0.1]).density(2e3).angle(angle).spin(spin);
        let half = half.velocity([velocity[0] - spin * arm[1], velocity[1] + spin * arm[0]]);
        sim.add(half.at([at[0] + arm[0], at[1] + arm[1]])).unwrap();
    }
    let after = sim.energy();
    assert!((after.kinetic - before.kinetic).abs() < 1e-12 * before.kinetic);
    assert!(after.exchanged.abs() < 1e-12 * before.kinetic && after.potential == before.potential);
    // nothing touches: the halves fly on as the bar would have
    sim.run_until(0.15).unwrap();
    let halves = ["block 0", "block 1"].map(|name| sim.position(name).unwrap());
    let centre = [0.5 * (halves[0][0] + halves[1][0]), 0.5 * (halves[0][1] + halves[1][1])];
    let expected = [0.15, 2.0 + 0.5 * 0.15 - 0.5 * G * 0.15 * 0.15];
    assert!(size(&[centre[0] - expected[0], centre[1] - expected[1]]) < 1e-12, "{centre:?} {expected:?}");
    assert!(sim.energy().balance_error < 1e-12);
}

#[test]
fn handles_of_bodies_that_are_gone_name_nobody() {
    let disk = |x: f64| Body::disk(0.1).density(1.0).at([x, 1.0]);
    let mut sim = Simulation::plane().bodies([disk(0.0), disk(1.0), disk(2.0)]).build().unwrap();
    let [first, second] = ["disk 0", "disk 1"].map(|name| sim.body(name).unwrap());
    sim.remove(&[first]).unwrap();
    let next = sim.add(disk(5.0)).unwrap();
    assert_eq!(sim.name(next).unwrap(), "disk 3");
    assert!(next != first && !sim.contains(first));
    assert_eq!(sim.position(second).unwrap()[0], 1.0);
    let gone = ChangeError::NoSuchBody(first);
    assert_eq!(sim.position(first).unwrap_err(), gone);
    assert_eq!(sim.contact_force(first).unwrap_err(), gone);
    assert_eq!(sim.drive(first, Axis::X, 1.0).unwrap_err(), gone);
    assert_eq!(sim.load(first, Axis::X, 1.0).unwrap_err(), gone);
    assert_eq!(sim.set_velocity(first, [0.0, 0.0]).unwrap_err(), gone);
    assert_eq!(sim.bond(second, first).unwrap_err(), gone);
    // of several, none is removed if one is gone
    assert_eq!(sim.remove(&[second, first]).unwrap_err(), gone);
    assert_eq!(sim.bodies().len(), 3);
}
