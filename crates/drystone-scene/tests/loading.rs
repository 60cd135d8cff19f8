//! Loads, motion and stages of a scene do what they say, by numbers known beforehand.

use drystone::AnySimulation;
use drystone_scene::{Scene, stage_state};

fn scene(text: &str) -> Scene {
    Scene::parse(text, "test.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn run(text: &str, until: f64) -> AnySimulation {
    let mut simulation = scene(text).build().unwrap_or_else(|error| panic!("{error}"));
    simulation.run_until(until).unwrap();
    simulation
}

/// One free block of 2 kg in the plane without gravity, and the tables that a test adds.
fn block(more: &str) -> String {
    format!(
        r#"dimension = 2
gravity = [0, 0]
time = {{ step = 0.01, duration = 2.0 }}
[[body]]
name = "block"
shape.box.size = [1, 1]
mass = 2.0
[[law]]
between = ["*", "*"]
inelastic.friction = 0.5
{more}"#
    )
}

#[test]
fn a_load_by_formula_or_table_gives_its_impulse() {
    // ∫ 10 t dt = 20 at t = 2; the mid-point rule is exact for what is straight
    let formula = run(&block("[[load]]\non = \"block\"\nx = \"10*t\"\nmoment = 0.5"), 2.0);
    assert!((formula.velocity("block").unwrap()[0] - 10.0).abs() < 1e-12);
    let inertia = 2.0 / 6.0;
    assert!((formula.spin("block").unwrap()[0] - 0.5 * 2.0 / inertia).abs() < 1e-12);
    let table = block("[[load]]\non = \"default\"\nx = { table = [[0, 0], [1, 10]], after = \"hold\" }");
    assert!((run(&table, 2.0).velocity("block").unwrap()[0] - 7.5).abs() < 1e-12);
}

#[test]
fn a_support_settles_by_its_value_and_stops() {
    for way in [
        "{ table = [[0, 0], [0.333, -0.05]], after = \"hold\" }",
        "\"-0.05*smooth(t, 0, 0.777)\"",
        "\"-0.05*min(t/0.333, 1)\"",
    ] {
        let text = block(&format!(
            "[[drive]]\non = \"block\"\nprescribes = \"displacement\"\nx = 0\ny = {way}\nspin = 0"
        ));
        let settled = run(&text, 1.0);
        assert!((settled.position("block").unwrap()[1] + 0.05).abs() < 1e-15, "{way}");
        assert_eq!(settled.velocity("block").unwrap()[1], 0.0, "{way}");
    }
}

#[test]
fn gravity_tilts_and_friction_changes() {
    // on a slope of 30° a block holds with 0.7 and slides with 0.2: a = g (sin − μ cos)
    let text = r#"dimension = 2
time = { step = 1e-3, duration = 1.0 }
body = [{ name = "floor", group = "ground", shape.line = {}, fixed = true },
        { name = "block", shape.box.size = [1, 1], mass = 2.0, position = [0, 0.5] }]
law = [{ between = ["*", "*"], inelastic.friction = 0.7 }]
gravity_in_time = { x = "9.81*sin(rad(30*ramp(t, 0, 0.2)))", y = "-9.81*cos(rad(30*ramp(t, 0, 0.2)))" }
[[friction]]
between = ["default", "ground"]
value = "0.7 - 0.5*step(t, 0.5)"
"#;
    assert!(run(text, 0.5).velocity("block").unwrap()[0].abs() < 1e-9);
    let slid = run(text, 1.0).velocity("block").unwrap()[0];
    let expected = 0.5 * 9.81 * (0.5 - 0.2 * 0.75f64.sqrt());
    assert!((slid - expected).abs() < 1e-3 * expected, "{slid} instead of {expected}");
}

const STAGED: &str = r#"dimension = 2
time = { step = 1e-3, duration = 3.0 }
body = [{ name = "floor", shape.line = {}, fixed = true },
        { name = "gate", shape.box.size = [1, 0.1], fixed = true, position = [0, 0.95] },
        { name = "ball", shape.disk.radius = 0.1, density = 1000, position = [0, 1.15] }]
law = [{ between = ["*", "*"], inelastic.friction = 0.3 }]
[[stage]]
name = "settle"
until.equilibrium = {}
[[stage]]
name = "open"
remove = ["gate"]
until.reaches = { quantity = "displacement", body = "ball", axis = "y", below = -0.5 }
[[stage]]
name = "push"
duration = 0.25
friction = [{ between = ["*", "*"], value = 0 }]
load = [{ on = "ball", x = "100*step(t, 0.1)" }]
"#;

#[test]
fn stages_follow_each_other_and_end_as_they_say() {
    let scene = scene(STAGED);
    let mut simulation = scene.build().unwrap();
    let mut begun = Vec::new();
    while !stage_state(&scene, &simulation).unwrap().finished {
        simulation.step().unwrap();
        let state = stage_state(&scene, &simulation).unwrap();
        if state.begun > begun.len() {
            begun.push(simulation.steps_done() - 1);
        }
        assert!(simulation.steps_done() < 3000);
    }
    // twenty steps at rest after the fall of a ball on the gate; then ½ g t² = 0.5
    assert_eq!(begun[0], 0);
    assert!((100..200).contains(&begun[1]), "{begun:?}");
    let fall = (2.0 * 0.5 / 9.81_f64).sqrt() * 1000.0;
    assert!(((begun[2] - begun[1]) as f64 - fall).abs() <= 2.0, "{begun:?}");
    assert_eq!(simulation.steps_done() - begun[2], 250);
    assert_eq!(simulation.bodies().len(), 2);
    let mass = 1000.0 * std::f64::consts::PI * 0.01;
    let expected = 100.0 / mass * 0.15;
    assert!((simulation.velocity("ball").unwrap()[0] - expected).abs() < 1e-9 * expected);
}

/// A disk between walls: the wall above presses with its stress times the width, whatever its own mass.
#[test]
fn a_wall_presses_with_its_stress_while_the_width_changes() {
    for mass in ["5", "1e-3"] {
        let text = format!(
            r#"dimension = 2
time = {{ step = 1e-3, duration = 1.0 }}
body = [{{ name = "floor", shape.line = {{}}, fixed = true }},
        {{ name = "left", shape.line = {{}}, fixed = true, position = [-1, 0], angle_degrees = -90 }},
        {{ name = "right", shape.line = {{}}, fixed = true, position = [1, 0], angle_degrees = 90 }},
        {{ name = "top", shape.line = {{}}, fixed = true, mass = {mass}, position = [0, 0.21], angle_degrees = 180 }},
        {{ name = "disk", shape.disk.radius = 0.1, mass = 3, position = [0, 0.1] }}]
law = [{{ between = ["*", "*"], inelastic.friction = 0.3 }}]
[[drive]]
on = "right"
x = -0.5
[[pressure]]
on = "top"
direction = "-y"
stress = "1000*(1 + t)"
across = ["left", "right"]
"#
        );
        let simulation = run(&text, 0.8);
        // the width at the beginning of the last step and the stress at its middle
        let force = 1000.0 * (1.0 + 0.7995) * (2.0 - 0.5 * 0.799);
        let floor = -simulation.contact_force("floor").unwrap()[1];
        assert!((floor - force - 3.0 * 9.81).abs() < 1e-6 * force, "{mass}: {floor} instead of {force}");
        let top = simulation.contact_force("top").unwrap()[1];
        assert!((top - force).abs() < 1e-6 * force, "{mass}: {top} instead of {force}");
    }
}

/// Through a file a simulation goes on with the same bits from any step, stages and signals included.
#[test]
fn a_staged_simulation_is_restored_to_the_bit() {
    let text =
        STAGED.replace("duration = 0.25", "duration = 0.1\ndrive = [{ on = \"floor\", x = \"sin(9*t)\" }]");
    let scene = scene(&text);
    let mut whole = scene.build().unwrap();
    let mut saved = Vec::new();
    for step in 0..900 {
        if step % 90 == 0 {
            saved.push(whole.snapshot());
        }
        whole.step().unwrap();
    }
    for snapshot in saved {
        let mut again = scene.build().unwrap();
        again.restore(snapshot).unwrap();
        while again.steps_done() < 900 {
            again.step().unwrap();
        }
        assert_eq!(again.state_hash(), whole.state_hash());
        assert_eq!(again.energy(), whole.energy());
    }
}

#[test]
fn a_resolved_scene_has_the_tables_of_its_files() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("push.csv"), "t,f\n0,0\n2,8\n").unwrap();
    let record = "A\nB\nC\nNPTS= 3, DT= 1.0 SEC\n0.1 -0.2 0.1\n";
    std::fs::write(home.path().join("quake.AT2"), record).unwrap();
    let text = block(
        "[[load]]\non = \"block\"\nx = { file = \"push.csv\" }\n[[drive]]\non = \"block\"\n\
         y = { accelerogram = \"quake.AT2\", scale = 0.5, baseline = \"velocity\" }",
    );
    let path = home.path().join("scene.toml");
    std::fs::write(&path, text).unwrap();
    let scene = Scene::from_file(&path).unwrap();
    let again = Scene::parse(&scene.to_toml(), "elsewhere/scene.toml").unwrap();
    assert_eq!(again, scene);
    let hash = |scene: &Scene| {
        let mut simulation = scene.build().unwrap();
        simulation.run_until(1.0).unwrap();
        simulation.state_hash()
    };
    assert_eq!(hash(&scene), hash(&again));
    std::fs::write(home.path().join("quake.AT2"), record.replace("NPTS= 3", "NPTS= three")).unwrap();
    let error = Scene::from_file(&path).unwrap_err();
    assert!(error.to_string().contains("line 4") && error.line.is_some(), "{error}");
}

#[test]
fn what_looks_like_a_slip_is_asked_about() {
    let asks = |text: &str, words: &str| {
        let warnings = drystone_scene::check(&scene(text)).unwrap().warnings;
        assert!(warnings.iter().any(|warning| warning.contains(words)), "{words}: {warnings:?}");
    };
    let plain = block("");
    assert!(drystone_scene::check(&scene(&plain)).unwrap().warnings.is_empty());
    asks(&plain.replace("mass = 2.0", "mass = 2.0\nangle = 90"), "are these degrees");
    asks(&plain.replace("mass = 2.0", "mass = 2.0\nfixed = true\nload.x = 3"), "it does nothing");
    asks(&plain.replace("friction = 0.5", "friction = 50"), "is it a coefficient");
    asks(&format!("output.interval = 3.0\n{plain}"), "longer than the run of 2 s");
}

#[test]
fn a_measure_ends_a_stage() {
    let text = r#"dimension = 2
time = { step = 1e-2, duration = 2.0 }
body = [{ name = "floor", shape.line = {}, fixed = true },
        { name = "block", shape.box.size = [1, 1], mass = 2.0, position = [0, 0.5] }]
law = [{ between = ["*", "*"], inelastic.friction = 0.7 }]
[[stage]]
name = "press"
load = [{ on = "block", y = "-10*t" }]
until.reaches = { measure = "reaction.force_y:body=floor", below = -24.62 }
"#;
    let scene = scene(text);
    let mut simulation = scene.build().unwrap();
    while !stage_state(&scene, &simulation).unwrap().finished {
        simulation.step().unwrap();
    }
    // 2 g + 10 t = 24.62 at t = 0.5: in the middle of step 51
    assert_eq!(simulation.steps_done(), 51);
    let wrong = Scene::parse(&text.replace("body=floor", "body=flor"), "test.toml").unwrap_err();
    assert!(wrong.line == Some(9), "{wrong}");
}
