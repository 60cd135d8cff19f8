//! Small tests that other programs ship, and shocks that must be taken where bodies touch. Settings are
//! theirs, references closed forms.

use super::{Comparison, plane, run_through, scene, space};
use crate::failure::Failure;
use drystone::Simulation;
use drystone_scene::spec::{LawSpec, Restitution};

const G: f64 = 9.81;

/// A cube falls ridge on parallel ridge, without bouncing and with: two contacts, no spin, no way aside.
pub fn ridge() -> Result<Vec<Comparison>, Failure> {
    let mut scene = scene(include_str!("../../../../scenes/validation/ridge.toml"))?;
    let mut rows = Vec::new();
    for (name, bounce) in [("inelastic", 0.0), ("restitution 1/2", 0.5)] {
        if bounce > 0.0 {
            let law = Restitution { normal: bounce, tangential: 0.0, friction: 0.5 };
            scene.laws = vec![LawSpec::restitution("*", "*", law)];
        }
        let mut simulation = space(&scene)?;
        let (mut aside, mut most, mut up) = (0.0f64, 0, 0.0f64);
        for _ in 0..scene.steps() {
            let report = simulation.step();
            most = most.max(report.contacts);
            let v = &simulation.bodies().twist(1);
            up = up.max(v[2]);
            aside = [v[0], v[1], v[3], v[4], v[5]].into_iter().fold(aside, |most, x| most.max(x.abs()));
        }
        rows.push(Comparison::absolute(format!("{name}: contacts"), 2.0, most as f64, 0.5));
        rows.push(Comparison::absolute(format!("{name}: spin or speed aside"), 0.0, aside, 1e-9));
        let fall = (2.0 * G * (1.5 - 2.0f64.sqrt())).sqrt();
        rows.push(Comparison::absolute(format!("{name}: speed up [m/s]"), bounce * fall, up, 2.0 * G * 1e-3));
    }
    Ok(rows)
}

/// A ball sticks where it bounces: what it keeps of its speed and gains in spin, at large time steps.
pub fn sticking() -> Result<Vec<Comparison>, Failure> {
    let mut scene = scene(include_str!("../../../../scenes/validation/sticking.toml"))?;
    let mut rows = Vec::new();
    for (tangential, speed, spin) in [(0.0, 5.0 / 7.0, 5.0 / 7.0), (0.5, 4.0 / 7.0, 15.0 / 14.0)] {
        if let Some(law) = &mut scene.laws[0].restitution {
            law.tangential = tangential;
        }
        let (mut off, mut found) = (0.0f64, [f64::NAN; 2]);
        for step in [2e-2, 1e-2, 5e-3, 2.5e-3] {
            scene.time.step = step;
            let mut simulation = space(&scene)?;
            run_through(&scene, &mut simulation);
            let v = &simulation.bodies().twist(1);
            let [kept, gained] = [v[0] / 1.4, 0.5 * v[4] / 1.4];
            let error = (kept - speed).abs().max((gained - spin).abs());
            if error >= off || found[0].is_nan() {
                (off, found) = (error, [kept, gained]);
            }
        }
        rows.push(Comparison::absolute(
            format!("speed kept, tau = {tangential}, worst step"),
            speed,
            found[0],
            1e-11,
        ));
        rows.push(Comparison::absolute(
            format!("spin gained, tau = {tangential}, worst step"),
            spin,
            found[1],
            1e-11,
        ));
    }
    Ok(rows)
}

/// Settings of the tests of Box2D, Chrono and Siconos.
pub fn others() -> Result<Vec<Comparison>, Failure> {
    let dropped = scene(include_str!("../../../../scenes/validation/dropped-box.toml"))?;
    let mut simulation = plane(&dropped)?;
    run_through(&dropped, &mut simulation);
    let pose = &simulation.bodies().pose[1];
    let mut rows = vec![
        Comparison::absolute("Box2D, dropped box: height at rest [m]", 1.0, pose.position[1], 1e-9),
        Comparison::absolute(
            "Box2D, dropped box: angle and way aside",
            0.0,
            pose.angle().abs().max(pose.position[0].abs()),
            1e-9,
        ),
    ];
    let bowled = scene(include_str!("../../../../scenes/validation/bowled.toml"))?;
    let mut simulation = space(&bowled)?;
    run_through(&bowled, &mut simulation);
    let (ball, way) = (simulation.bodies().velocity[1][0], simulation.bodies().pose[2].position[0]);
    rows.push(Comparison::absolute("Chrono, bowled ball: speed kept", 5.0 / 7.0, ball / 2.0, 1e-10));
    rows.push(Comparison::absolute("Chrono, sliding block: way [m]", 4.0 / (2.0 * 0.4 * G), way, 1e-5));
    for (number, apex) in apexes(5e-4)?.into_iter().enumerate() {
        let expected = 0.1 + 0.9 * 0.81f64.powi(number as i32 + 1);
        rows.push(Comparison::relative(
            format!("Siconos, bouncing ball: apex {} [m]", number + 1),
            expected,
            apex,
            1e-2,
        ));
    }
    Ok(rows)
}

/// The first three apexes of a ball of radius 0.1 m dropped from 1 m with restitution 0.9.
fn apexes(step: f64) -> Result<Vec<f64>, Failure> {
    let mut scene = scene(include_str!("../../../../scenes/validation/bounce.toml"))?;
    scene.time.step = step;
    scene.bodies[1].position = Some(vec![0.0, 1.0]);
    if let Some(law) = &mut scene.laws[0].restitution {
        law.normal = 0.9;
    }
    let mut simulation: Simulation<2> = plane(&scene)?;
    let mut apexes = Vec::new();
    let mut rising = false;
    while apexes.len() < 3 && simulation.time() < 4.0 {
        simulation.step();
        let up = simulation.bodies().velocity[1][1] > 0.0;
        if rising && !up {
            apexes.push(simulation.bodies().pose[1].position[1]);
        }
        rising = up;
    }
    Ok(apexes)
}
