//! Every law in a scene of its own, against what is known of it: motion, forces, failure, and where the
//! energy went.

use crate::common::{answer, command, files_below, root};
use crate::words;
use drystone::{AnySimulation, Energy, Simulation, StepReport};
use drystone_scene::Scene;

fn scene(name: &str) -> Scene {
    let path = root().join(format!("scenes/laws/{name}.toml"));
    Scene::from_file(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn plane(name: &str) -> Simulation<2> {
    match scene(name).build().unwrap() {
        AnySimulation::Plane(simulation) => simulation,
        AnySimulation::Space(_) => panic!("{name} is not of the plane"),
    }
}

fn space(name: &str) -> Simulation<3> {
    match scene(name).build().unwrap() {
        AnySimulation::Space(simulation) => simulation,
        AnySimulation::Plane(_) => panic!("{name} is not of space"),
    }
}

/// Takes the steps of the scene, and looks at each of them.
fn through<const D: usize>(
    name: &str,
    simulation: &mut Simulation<D>,
    mut look: impl FnMut(&Simulation<D>, &StepReport),
) {
    for _ in 0..scene(name).steps() {
        let report = simulation.step();
        look(simulation, &report);
    }
}

fn body<const D: usize>(simulation: &Simulation<D>, name: &str) -> usize {
    simulation.bodies().name.iter().position(|known| known == name).unwrap()
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}

#[test]
fn the_books_balance_and_nothing_is_won() {
    let scenes = files_below(&root().join("scenes/laws"), ".toml");
    assert!(scenes.len() >= 8, "{scenes:?}");
    for path in scenes {
        let built = Scene::from_file(&path).unwrap();
        let steps = built.steps().min(2000);
        let mut last = [0.0; 4];
        // what the solver leaves may work either way
        let error = built.solver.tolerance.max(1e-6);
        let mut look = |energy: Energy, report: &StepReport| {
            let place = format!("{}, step {}", path.display(), report.step);
            assert!(energy.balance_error < 1e-8, "{place}: {energy:?}");
            assert!(report.converged, "{place}: {report:?}");
            let spent = [energy.friction, energy.shocks, energy.cohesion, energy.viscosity];
            let size = energy.kinetic + spent.iter().map(|x| x.abs()).sum::<f64>() + energy.drives.abs();
            for (now, before) in spent.iter().zip(last) {
                assert!(now - before >= -error * size, "{place}: {before} then {now}, {energy:?}");
            }
            last = spent;
        };
        match built.build().unwrap() {
            AnySimulation::Plane(mut s) => (0..steps).for_each(|_| {
                let report = s.step();
                look(s.energy(), &report);
            }),
            AnySimulation::Space(mut s) => (0..steps).for_each(|_| {
                let report = s.step();
                look(s.energy(), &report);
            }),
        }
    }
}

#[test]
fn friction_by_time_by_slip_at_rest_in_motion_and_infinite() {
    let mut s = plane("unilateral");
    through("unilateral", &mut s, |_, _| {});
    let (sin, cos, t) = (4.905, 8.495709211125343, s.time());
    let speed = |name: &str| s.bodies().velocity[body(&s, name)][0];
    let place = |name: &str, start: f64| s.bodies().pose[body(&s, name)].position[0] - start;
    // slides from the moment friction falls below the slope on
    let start = (0.7 - sin / cos) / 0.3;
    near(speed("loosening"), 0.5 * 0.3 * cos * (t - start).powi(2), 5e-3);
    near(speed("at rest"), 0.0, 1e-9);
    near(speed("in motion"), 1.0 + (sin - 0.3 * cos) * t, 1e-2);
    // friction grows with the way: a swing about the place where it bears the weight, stopped at its turn
    let centre = (sin / cos - 0.3) / 1.2;
    let turn = centre + (centre * centre + 1.0 / (1.2 * cos)).sqrt();
    near(place("braking", 30.0), turn, 2e-3);
    near(speed("braking"), 0.0, 1e-9);
    // infinite friction holds, and an offset keeps its distance
    near(speed("stuck"), 0.0, 1e-9);
    near(s.bodies().pose[body(&s, "stuck")].position[1], 0.06, 1e-9);
}

#[test]
fn orowan_lets_go_of_the_corner() {
    let mut s = plane("orowan");
    let mut iterations = Vec::new();
    through("orowan", &mut s, |_, report| {
        assert!(report.converged, "{report:?}");
        // the wall is half a step ahead at the middle configuration, and no more
        assert!(report.penetration < 5e-5 + 1e-9, "{report:?}");
        iterations.push(report.iterations);
    });
    // 18, then 6, then a single one, says the text
    assert!(iterations[0] <= 40 && iterations[1] <= 12, "{iterations:?}");
    assert!(iterations[4..].iter().all(|&count| count <= 3), "{iterations:?}");
    near(s.bodies().pose[0].position[0] - 1.0, s.bodies().pose[2].position[0], 1e-4);
}

#[test]
fn tresca_does_not_ask_for_the_weight() {
    let mut s = plane("tresca");
    through("tresca", &mut s, |_, _| {});
    near(s.bodies().velocity[1][0], 2.0 - 10.0 / 5.0 * s.time(), 1e-9);
    near(s.bodies().velocity[2][0], 2.0 - 10.0 / 20.0 * s.time(), 1e-9);
}

#[test]
fn springs_give_back_and_dashpots_take() {
    let mut s = plane("viscoelastic");
    let [damped, elastic, stopped] = ["damped", "elastic", "stopped"].map(|name| body(&s, name));
    let mut peaks = [0.0_f64; 4];
    let (mut bounced, mut lowest) = ([false; 4], 1.0_f64);
    through("viscoelastic", &mut s, |s, _| {
        for ball in [damped, elastic, stopped] {
            let height = s.bodies().pose[ball].position[1];
            bounced[ball] |= s.bodies().velocity[ball][1] > 0.0;
            if bounced[ball] {
                peaks[ball] = peaks[ball].max(height);
            }
            lowest = lowest.min(s.bodies().pose[stopped].position[1]);
        }
    });
    near(peaks[elastic], 0.3, 2e-3);
    // e² of the height comes back, e = exp(−ζ/√(1−ζ²) φ) with ζ = η/(2√(km)) = 0.1
    let (zeta, root) = (0.1_f64, 0.99_f64.sqrt());
    let e = (-zeta / root * (2.0 * zeta * root).atan2(2.0 * zeta * zeta - 1.0)).exp();
    // without gravity; with it the ball stays a little longer and loses a little more
    let back = (peaks[damped] - 0.1) / 0.2;
    assert!(back < e * e && back > e * e - 0.05, "{back} {}", e * e);
    assert!(lowest > 0.1 - 1e-4 && peaks[stopped] < 0.101, "{lowest} {}", peaks[stopped]);
    near(s.bodies().velocity[stopped][1], 0.0, 1e-6);
}

#[test]
fn balls_roll_and_spin_to_rest() {
    let mut s = space("rolling");
    through("rolling", &mut s, |_, _| {});
    let [rolling, spinning, resting] = ["rolling", "spinning", "resting"].map(|name| body(&s, name));
    // a moment 5e-3 m · N against rolling, with 7/5 of the mass; the slope takes the other axis
    let v = s.bodies().twist(rolling);
    let drag = 5e-3 * 9.81 / (1.4 * 0.1);
    let speed = v.linear().norm();
    assert!(speed < 1.0 - 0.9 * drag && speed > 1.0 - 1.2 * drag, "{speed}");
    near(s.bodies().velocity[spinning][5], 20.0 - 2e-3 * 9.81 / (0.4 * 0.01), 1e-6);
    near(s.bodies().twist(resting).norm(), 0.0, 1e-9);
}

#[test]
fn a_dropped_ball_comes_back_by_its_part_and_no_step_gains() {
    let mut s = plane("poisson");
    let dropped = body(&s, "dropped");
    let mass = s.bodies().mass[dropped][0];
    let (mut peak, mut bounced) = (0.0_f64, false);
    through("poisson", &mut s, |s, report| {
        bounced |= s.bodies().velocity[dropped][1] > 0.0;
        if bounced {
            peak = peak.max(s.bodies().pose[dropped].position[1]);
        }
        // a contact that opens may have to carry the weight at the end of the step: m (gh)²
        assert!(report.dissipation.total > -mass * (9.81 * 2e-4_f64).powi(2), "{report:?}");
    });
    // e² of the height, and what it sank in before
    near(peak - 0.1, 0.64 * 0.5, 2e-3);
}

#[test]
fn bridges_bear_what_they_can() {
    let mut s = space("capillary");
    through("capillary", &mut s, |_, _| {});
    let [held, heavy, decaying] = ["held", "heavy", "decaying"].map(|name| body(&s, name));
    near(s.bodies().twist(held).norm(), 0.0, 1e-9);
    assert!(s.bodies().velocity[heavy][2] < -0.5 && s.bodies().velocity[decaying][2] < -0.5);
    // two bridges broke: 2 N over 2 mm, and with the decay 2 N · 1 mm (1 − e⁻²)
    let broken = 4e-3 + 2e-3 * (1.0 - (-2.0_f64).exp());
    near(s.energy().cohesion, broken, 0.02 * broken);
    near(s.energy().stored, 0.0, 1e-6);
}

#[test]
fn bonds_hold_up_to_their_strength() {
    let mut s = space("mohr-coulomb");
    through("mohr-coulomb", &mut s, |_, _| {});
    for name in ["hanging light", "stuck light"] {
        near(s.bodies().twist(body(&s, name)).norm(), 0.0, 1e-9);
    }
    for name in ["hanging heavy", "stuck heavy"] {
        assert!(s.bodies().velocity[body(&s, name)][2] < -0.8, "{name}");
    }
    assert!(s.energy().cohesion > 0.0);
}

#[test]
fn a_pulled_bond_follows_its_curve() {
    let mut s = plane("pull-off");
    let names = ["mac", "bilinear", "trapezoidal", "exponential"];
    let speed = [0.04, 0.02, 0.02, 0.02];
    let h = s.settings().step;
    let (mut work, mut peak) = ([0.0; 4], [0.0_f64; 4]);
    let mut half = 0.0;
    through("pull-off", &mut s, |s, report| {
        for (k, name) in names.iter().enumerate() {
            let block = body(s, name);
            let mut force = 0.0;
            for contact in s.interactions() {
                let pull = (contact.frame * contact.r)[1] / h;
                let sides = contact.bodies.map(|body| body.0 as usize);
                force += if sides[0] == block {
                    -pull
                } else if sides[1] == block {
                    pull
                } else {
                    0.0
                };
            }
            work[k] += force * speed[k] * h;
            peak[k] = peak[k].max(force);
            if *name == "bilinear" && report.step == 500 {
                half = force;
            }
        }
    });
    // strength times 0.1 m², energy times 0.1 m²
    let strength = [(10.0_f64 * 2e9).sqrt(), 1e5, 1e5, 1e5].map(|stress| 0.1 * stress);
    let energy = [1.0, 1.0, 0.5 * 1e5 * 2e-4 * 1.5 * 0.1, 1.0];
    for k in 0..4 {
        near(peak[k], strength[k], 0.01 * strength[k]);
        near(work[k], energy[k], 0.01 * energy[k]);
    }
    // halfway to the end of the falling line: 1e5 (2e-4 − 1e-4)/(2e-4 − 2.5e-5) · 0.1
    near(half, 1e4 / 1.75, 0.01 * 1e4);
    near(s.energy().cohesion + s.energy().stored, energy.iter().sum(), 0.01 * energy.iter().sum::<f64>());
}

#[test]
fn a_wall_hangs_upside_down_where_its_bonds_say_so() {
    let lowest = |simulation: &Simulation<2>, start: &[f64]| {
        let sunk = simulation.bodies().pose.iter().zip(start).map(|(pose, y)| y - pose.position[1]);
        sunk.fold(0.0, f64::max)
    };
    for strength in [6e4, 1.5e4] {
        let mut scene = scene("hanging-wall");
        assert_eq!(scene.bodies.len(), 201);
        if let Some(law) = &mut scene.laws[0].bilinear {
            (law.normal_strength, law.tangential_strength) = (strength, strength);
        }
        let AnySimulation::Plane(mut s) = scene.build().unwrap() else { panic!("not of the plane") };
        let start: Vec<f64> = s.bodies().pose.iter().map(|pose| pose.position[1]).collect();
        through("hanging-wall", &mut s, |_, _| {});
        let (energy, sunk) = (s.energy(), lowest(&s, &start));
        if strength > 5e4 {
            // ten courses, each stretched by the weight below it: (10 + 9 + … + 1) · 1.96 kPa over 1e9 Pa/m
            near(sunk, 55.0 * 1962.0 / 1e9, 5e-5);
            assert!(energy.cohesion == 0.0 && energy.kinetic < 0.01, "{energy:?}");
        } else {
            assert!(sunk > 2e-3 && energy.cohesion > 10.0 && energy.kinetic > 10.0, "{sunk} {energy:?}");
        }
    }
}

/// A scene of the validation with another solver.
fn jammed(name: &str, step: f64, solver: drystone_scene::spec::Solver) -> Scene {
    let path = root().join(format!("scenes/validation/{name}.toml"));
    let mut scene = Scene::from_file(&path).unwrap_or_else(|error| panic!("{error}"));
    scene.time.step = step;
    scene.output.interval = Some(step);
    scene.solver = solver;
    scene
}

fn built(scene: &Scene) -> Simulation<2> {
    match scene.build().unwrap() {
        AnySimulation::Plane(simulation) => simulation,
        AnySimulation::Space(_) => panic!("not of the plane"),
    }
}

/// Gauss–Seidel as in the text.
fn sweeps(tolerance: f64, max_iterations: u32) -> drystone_scene::spec::Solver {
    drystone_scene::spec::Solver {
        method: drystone_scene::spec::Method::Nlgs,
        tolerance,
        max_iterations,
        ..Default::default()
    }
}

#[test]
fn two_wedged_disks_are_ejected_with_memory_and_stay_in_each_other_without() {
    // Alart, Renouf 2018, fig. 6 and 7
    let run = |memory: bool| {
        let solver = drystone_scene::spec::Solver { memory, ..sweeps(1e-4, 300) };
        let mut scene = jammed("two-disks", 1e-2, solver);
        if let Some(drive) = &mut scene.bodies[4].drive {
            drive.x = Some(-0.2);
        }
        let mut s = built(&scene);
        let mut pushes = Vec::new();
        let mut deep = 0.0;
        for step in 0..60 {
            let report = s.step();
            deep = report.penetration;
            let between = s.interactions().iter().find(|c| c.bodies.iter().all(|body| body.0 < 2));
            pushes.push(between.map_or(0.0, |contact| contact.r[0]));
            assert!(step > 20 || (!report.converged && report.iterations == 300), "{report:?}");
            // once they have parted, sliding without pushing is no error
            assert!(report.converged || report.iterations == 300, "{report:?}");
        }
        (pushes, deep, s.energy().kinetic)
    };
    let (pushes, deep, kinetic) = run(true);
    assert!(pushes[20] > 5.0 * pushes[1], "the impulse does not grow: {pushes:?}");
    assert!(kinetic > 1.0 && deep < 5e-3, "{kinetic} {deep}");
    let (pushes, deep, kinetic) = run(false);
    assert!((pushes[20] / pushes[1] - 1.0).abs() < 0.5, "the impulse does not stay: {pushes:?}");
    assert!(kinetic < 0.2 && deep > 3e-2, "{kinetic} {deep}");
}

#[test]
fn three_confined_disks_converge_with_orowan_and_never_with_coulomb() {
    // 173 iterations, then about 40, says the text
    let mut scene = jammed("three-disks-confined", 1e-3, sweeps(1e-4, 1000));
    let mut s = built(&scene);
    for _ in 0..4 {
        assert!(!s.step().converged);
    }
    let law = &mut scene.laws[0];
    law.inelastic = None;
    law.orowan = Some(drystone_scene::spec::Orowan { friction: 0.3, threshold: Some(1e4) });
    let mut s = built(&scene);
    for step in 0..12 {
        let report = s.step();
        assert!(report.converged && report.penetration < 1e-5, "{report:?}");
        assert!(step > 0 || (50..500).contains(&report.iterations), "{report:?}");
        // once the disks go along with the wall nothing is asked for any more
        assert!(step < 5 || report.iterations <= 40, "{report:?}");
    }
}

#[test]
fn inconsistent_steps_are_let_go_where_the_scene_asks_for_it() {
    let mut scene = jammed("three-disks-confined", 1e-3, Default::default());
    let solver = &mut scene.solver;
    (solver.tolerance, solver.max_iterations) = (1e-4, 1000);
    solver.inconsistent = drystone_scene::spec::Inconsistent::Orowan;
    let mut s = built(&scene);
    for _ in 0..5 {
        let report = s.step();
        assert!(report.converged && report.penetration < 1e-5, "{report:?}");
        assert!(report.step > 1 || report.jammed > 0, "{report:?}");
    }
    assert!(s.energy().balance_error < 1e-8);
    // or the run ends there
    scene.solver.inconsistent = drystone_scene::spec::Inconsistent::Stop;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("jammed.toml");
    std::fs::write(&path, scene.to_toml()).unwrap();
    let folder = home.path().join("run");
    let told = answer(command(&words!["run", &path, "-o", &folder]).args(["--json", "--quiet"]));
    assert_eq!((told.code, &told.json()["outcome"]), (3, &serde_json::json!("inconsistent")), "{}", told.err);
    assert_eq!(told.json()["steps"], 1);
}
