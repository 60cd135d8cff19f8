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
    asks(&format!("{plain}[[friction]]\nbetween = [\"*\", \"*\"]\nvalue = 50\n"), "is it a coefficient");
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

/// Disks of the radius 0.05 in rows, those of every second row shifted, a little smaller or larger here and
/// there.
fn rows(columns: usize, rows: usize, shift: f64, scatter: f64) -> String {
    let one = |k: usize| {
        let (i, j) = (k % columns, k / columns);
        let radius = 0.05 * (1.0 - scatter * (k as f64 * 0.618).fract());
        let x = 0.1 * i as f64 + shift * (j % 2) as f64;
        let y = 0.05 + if shift > 0.0 { 0.0867 } else { 0.1 } * j as f64;
        format!(
            "[[body]]\nname = \"d{k}\"\ngroup = \"sand\"\nshape.disk.radius = {radius}\ndensity = 2000\nposition = [{x}, {y}]\n"
        )
    };
    (0..columns * rows).map(one).collect()
}

const DISKS: &str = r#"dimension = 2
gravity = [0, 0]
time = { step = 2e-3, duration = 2.0 }
solver.tolerance = 1e-8
law = [{ between = ["*", "*"], inelastic.friction = 0.3 }]
"#;

fn plane(simulation: &AnySimulation) -> &drystone::Simulation<2> {
    let AnySimulation::Plane(plane) = simulation else { panic!("not of the plane") };
    plane
}

#[test]
fn a_closed_membrane_presses_a_sample_alike_from_all_sides() {
    let membrane = "[[membrane]]\non = \"sand\"\npressure = \"1000*ramp(t, 0, 0.1)\"\nball = 0.05\n";
    let text = format!("{DISKS}{membrane}{}", rows(6, 7, 0.05, 0.06));
    let pressed = run(&text, 0.6);
    let sim = plane(&pressed);
    let bodies = sim.bodies();
    let centres: Vec<_> = bodies.pose.iter().map(|pose| pose.position).collect();
    let chain = drystone::outline(&centres, &bodies.radius, 0.05);
    let area = drystone::outline_area(&chain, &centres);
    // the forces of the membrane: nothing as a whole, and p A along both axes
    let force: Vec<_> = bodies.load.iter().map(|load| drystone::Vector::<2>::new(load[0], load[1])).collect();
    assert!(force.iter().sum::<drystone::Vector<2>>().norm() < 1e-9 * 1000.0);
    // at rest those of the contacts answer them: Σ f ⊗ ℓ = p A 1
    let mut sum = drystone::Matrix::<2, 2>::zeros();
    for contact in sim.interactions() {
        let [a, b] = contact.bodies.map(|body| centres[body.0 as usize]);
        sum += contact.frame * contact.r / 2e-3 * (a - b).transpose();
    }
    let wrong = (sum / (1000.0 * area) - drystone::Matrix::<2, 2>::identity()).norm();
    assert!(wrong < 1e-4, "{wrong}: {sum} over {area}");
    assert!(chain.len() > 15 && (0.25..0.33).contains(&area), "{} {area}", chain.len());
}

#[test]
fn a_membrane_ends_at_the_platens() {
    let walls = "[[body]]\nname = \"bottom\"\nshape.line = {}\nfixed = true\n\
        [[body]]\nname = \"top\"\nshape.box.size = [3, 0.2]\nposition = [0, 0.6]\nfixed = true\n";
    let membrane = "[[membrane]]\non = \"sand\"\npressure = 1000\nends = [\"bottom\", \"top\"]\n";
    let pressed = run(&format!("{DISKS}{membrane}{walls}{}", rows(3, 5, 0.0, 0.0)), 0.002);
    let bodies = plane(&pressed).bodies();
    let mut sides = [0.0; 3];
    for body in 2..bodies.len() {
        assert!(bodies.load[body][1].abs() < 1e-9, "{}: {:?}", bodies.name[body], bodies.load[body]);
        sides[(body - 2) % 3] += bodies.load[body][0];
    }
    // four whole distances between centres, and half of that to each platen: of 0.5 m the platens bear 0.05
    assert!(
        (sides[0] - 450.0).abs() < 1e-9 && sides[1] == 0.0 && (sides[2] + 450.0).abs() < 1e-9,
        "{sides:?}"
    );
}

#[test]
fn a_membrane_goes_on_with_the_same_bits() {
    let membrane = "[[membrane]]\non = \"sand\"\npressure = \"1000*ramp(t, 0, 0.1)\"\n";
    let scene = scene(&format!("{DISKS}{membrane}{}", rows(4, 4, 0.05, 0.1)));
    let mut whole = scene.build().unwrap();
    whole.run_until(0.05).unwrap();
    let middle = whole.snapshot();
    whole.run_until(0.1).unwrap();
    let mut later = scene.build().unwrap();
    later.restore(middle).unwrap();
    later.run_until(0.1).unwrap();
    assert_eq!(later.state_hash(), whole.state_hash());
}

#[test]
fn cohesion_fades_until_a_bond_breaks() {
    // a block of 2 kg hangs by two corners that bear 20 N each at first: 40 (1 − t) = 2 g at t = 0.51
    let bonded = |law: &str| {
        format!(
            r#"dimension = 2
time = {{ step = 1e-3, duration = 1.0 }}
body = [{{ name = "ceiling", group = "up", shape.box.size = [3, 1], position = [0, 0.5], fixed = true }},
        {{ name = "block", shape.box.size = [1, 1], mass = 2.0, position = [0, -0.5] }}]
law = [{{ between = ["*", "*"], {law} }}]
[[cohesion]]
between = ["up", "default"]
factor = "1 - t"
"#
        )
    };
    let text = bonded("mohr_coulomb = { friction = 0.3, normal_force = 20, tangential_force = 20 }");
    let mut simulation = scene(&text).build().unwrap();
    let falls = |simulation: &AnySimulation| simulation.velocity("block").unwrap()[1] < -1e-6;
    while !falls(&simulation) && simulation.time() < 1.0 {
        simulation.step().unwrap();
    }
    let expected = 1.0 - 2.0 * 9.81 / 40.0;
    assert!((simulation.time() - expected).abs() < 2.5e-3, "{} instead of {expected}", simulation.time());
    // a law without strengths has nothing to change
    let error = Scene::parse(&bonded("inelastic.friction = 0.3"), "test.toml").map(|scene| scene.build());
    assert!(error.is_err(), "accepted");
}

#[test]
fn a_liquid_bridge_dries() {
    // a bridge of 30 N holds a disk of 2 kg under a ceiling until its attraction is that of the weight
    let text = r#"dimension = 2
time = { step = 1e-3, duration = 1.0 }
body = [{ name = "ceiling", group = "up", shape.line = {}, angle_degrees = 180, fixed = true },
        { name = "disk", shape.disk.radius = 0.1, mass = 2.0, position = [0, -0.1] }]
law = [{ between = ["*", "*"], capillary = { friction = 0.3, force = 30, rupture = 0.01 } }]
cohesion = [{ between = ["*", "*"], factor = "1 - t" }]
"#;
    let expected = 1.0 - 2.0 * 9.81 / 30.0;
    assert!(run(text, expected - 5e-3).velocity("disk").unwrap()[1].abs() < 1e-9);
    assert!(run(text, expected + 0.1).velocity("disk").unwrap()[1] < -1e-3);
}

/// A source over a floor, in the plane or in space, with these keys.
fn dropping(dimension: usize, keys: &str) -> String {
    let (floor, lower, upper) = match dimension {
        2 => ("line", "[-0.5, 0.6]", "[0.5, 0.9]"),
        _ => ("plane", "[-0.5, -0.5, 0.6]", "[0.5, 0.5, 0.9]"),
    };
    format!(
        r#"dimension = {dimension}
time = {{ step = 2e-3, duration = 1.0 }}
[shapes]
chip = {{ box.size = [0.1, 0.06] }}
peg = {{ capsule = {{ length = 0.08, radius = 0.02 }} }}
[[body]]
name = "floor"
shape.{floor} = {{}}
fixed = true
[[law]]
between = ["*", "*"]
inelastic.friction = 0.5
[[source]]
name = "grain"
density = 1000
lower = {lower}
upper = {upper}
rate = 100
count = 8
{keys}
"#
    )
}

#[test]
fn a_source_drops_shapes_of_all_kinds() {
    let round = "radius = [0.05, 0.05]\nform.";
    for (dimension, keys, mass) in [
        // a hexagon in a circle of radius r has the area 3/2 √3 r²
        (2, format!("{round}regular_polygon.sides = 6"), Some(1.5 * 3.0_f64.sqrt() * 2.5)),
        (2, format!("{round}star.points = 5"), None),
        (2, format!("{round}clump.balls = 3"), None),
        (3, format!("{round}polyhedron.faces = 12"), None),
        (2, "shapes = [\"chip\"]".to_owned(), Some(6.0)),
        (2, "shapes = [\"chip\", \"peg\"]".to_owned(), None),
    ] {
        // the shapes of the list are of the plane
        let text = dropping(dimension, &keys);
        let text = if dimension == 3 {
            text.lines()
                .filter(|line| !line.starts_with("chip") && !line.starts_with("peg"))
                .fold(String::new(), |all, line| all + line + "\n")
        } else {
            text
        };
        let scene = scene(&text);
        let mut whole = scene.build().unwrap();
        whole.run_until(0.05).unwrap();
        let middle = whole.snapshot();
        whole.run_until(0.3).unwrap();
        assert_eq!(whole.members("grain").len(), 8, "{keys}");
        for number in 1..=8 {
            let body = format!("grain {number}");
            let found = whole.mass(body.as_str()).unwrap();
            let ball = if dimension == 2 { 7.854 } else { std::f64::consts::FRAC_PI_6 };
            let is_right = match mass {
                Some(mass) => (found - mass).abs() < 1e-9 * mass,
                None => found > 0.1 * ball && found < ball,
            };
            assert!(is_right, "{keys}: {found}");
            let height = whole.position(body.as_str()).unwrap()[dimension - 1];
            assert!(height > 0.005 && height < 0.9, "{keys}: {height}");
        }
        let mut later = scene.build().unwrap();
        later.restore(middle).unwrap();
        later.run_until(0.3).unwrap();
        assert_eq!(later.state_hash(), whole.state_hash(), "{keys}");
    }
}
