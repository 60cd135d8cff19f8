//! Bodies that grow in time: they push, they do not overlap, their books balance, and a run that was
//! stopped goes on.

use drystone::{AnySimulation, GrowthKeeps};
use drystone_measure::{Reference, Request, measure_now_any};
use drystone_scene::Scene;

fn built(text: &str) -> AnySimulation {
    let scene = Scene::parse(text, "test.toml").unwrap_or_else(|error| panic!("{error}"));
    scene.build().unwrap_or_else(|error| panic!("{error}"))
}

fn measured(simulation: &AnySimulation, reference: &Reference, what: &str) -> f64 {
    measure_now_any(simulation, reference, &Request::parse(what).unwrap()).unwrap()
}

/// A body of this shape, 0.1 m over a floor, with what it keeps while it grows by a quarter in 0.5 s.
fn lying(shape: &str, keeps: &str) -> String {
    format!(
        r#"dimension = 2
time = {{ step = 1e-3, duration = 1.0 }}
solver.tolerance = 1e-10
body = [{{ name = "floor", shape.line = {{}}, fixed = true }},
        {{ name = "stone", shape.{shape}, density = 1000, position = [0, 0.1] }}]
law = [{{ between = ["*", "*"], inelastic.friction = 0.5 }}]
growth = [{{ on = "stone", factor = "1 + 0.25*smooth(t, 0, 0.5)", keeps = "{keeps}" }}]
"#
    )
}

/// What lies on a floor and grows lifts itself: its centre stays as high over the floor as its radius, and
/// its growth has done the work of the lift.
#[test]
fn a_body_that_grows_lifts_itself() {
    // the corners of the box slide apart by a quarter of its base, half of the weight on each
    for (shape, slides) in [("disk.radius = 0.1", 0.0), ("box.size = [0.3, 0.2]", 0.25 * 0.15)] {
        let mut simulation = built(&lying(shape, "mass"));
        let mass = simulation.mass("stone").unwrap();
        simulation.run_until(1.0).unwrap();
        let height = simulation.position("stone").unwrap()[1];
        assert!((height - 0.125).abs() < 1e-9, "{shape}: {height}");
        assert_eq!(simulation.mass("stone").unwrap(), mass);
        let energy = simulation.energy();
        let (lift, friction) = (mass * 9.81 * 0.025, 0.5 * mass * 9.81 * slides);
        assert!((energy.friction - friction).abs() < 1e-6 * lift, "{shape}: {energy:?}");
        assert!((energy.drives - lift - friction).abs() < 1e-6 * lift, "{shape}: {energy:?}");
        assert!(energy.balance_error < 1e-9, "{shape}: {energy:?}");
    }
}

#[test]
fn a_body_that_keeps_its_density_becomes_heavier() {
    let mut simulation = built(&lying("disk.radius = 0.1", "density"));
    let mass = simulation.mass("stone").unwrap();
    simulation.run_until(1.0).unwrap();
    assert!((simulation.mass("stone").unwrap() - mass * 1.25 * 1.25).abs() < 1e-12 * mass);
    // the floor bears what it weighs now
    let force = simulation.contact_force("stone").unwrap()[1];
    assert!((force - mass * 1.25 * 1.25 * 9.81).abs() < 1e-6 * force, "{force}");
    assert!(simulation.energy().balance_error < 1e-9, "{:?}", simulation.energy());
}

/// Two balls that touch and grow part with the sum of the rates of their radii.
#[test]
fn balls_that_grow_push_each_other_apart() {
    let text = r#"dimension = 3
gravity = [0, 0, 0]
time = { step = 1e-3, duration = 0.2 }
body = [{ name = "a", shape.sphere.radius = 0.1, density = 1000 },
        { name = "b", shape.sphere.radius = 0.2, density = 1000, position = [0.3, 0, 0] }]
law = [{ between = ["*", "*"], inelastic.friction = 0.5 }]
growth = [{ on = ["a", "b"], factor = "1 + 0.5*t", keeps = "mass" }]
"#;
    let mut simulation = built(text);
    simulation.run_until(0.2).unwrap();
    let speed = |name: &str| simulation.velocity(name).unwrap()[0];
    assert!((speed("b") - speed("a") - 0.15).abs() < 1e-9, "{} {}", speed("a"), speed("b"));
    assert!((8.0 * speed("b") + speed("a")).abs() < 1e-9, "momentum");
}

/// Disks at random places, which grow to a solid fraction.
const BOX: &str = r#"dimension = 2
gravity = [0, 0]
time = { step = 2e-3, duration = 1.0 }
solver.tolerance = 1e-8
body = [{ name = "floor", group = "wall", shape.line = {}, fixed = true },
        { name = "lid", group = "wall", shape.line = {}, position = [0, 1], angle_degrees = 180, fixed = true },
        { name = "left", group = "wall", shape.line = {}, angle_degrees = -90, fixed = true },
        { name = "right", group = "wall", shape.line = {}, position = [1, 0], angle_degrees = 90, fixed = true }]
law = [{ between = ["*", "*"], inelastic.friction = 0.0 }]
[[sample]]
name = "disk"
group = "disks"
density = 1000
seed = 5
grains.region.box = { low = [0, 0], high = [1, 1] }
grains.sizes.uniform = { smallest = 0.05, largest = 0.07, by = "number" }
grains.packing.random = {}
grains.solid_fraction = 0.4
[[stage]]
name = "wait"
duration = 0.1
[[stage]]
name = "grow"
growth = [{ on = "disks", factor = "sqrt(1 + 0.7*ramp(t, 0, 0.8))" }]
"#;

#[test]
fn a_sample_grows_to_its_solid_fraction_without_overlap() {
    let mut simulation = built(BOX);
    let reference = Reference::of_any(&simulation);
    let before = measured(&simulation, &reference, "mass.volume:group=disks");
    // on the way they push each other
    simulation.run_until(0.85).unwrap();
    assert!(measured(&simulation, &reference, "coordination:group=disks") > 0.2);
    simulation.run_until(1.0).unwrap();
    let after = measured(&simulation, &reference, "mass.volume:group=disks");
    assert!((after / before - 1.7).abs() < 1e-12, "{before} {after}");
    // what they meet with in a step, and no more
    let deepest = measured(&simulation, &reference, "penetration.relative:group=disks");
    assert!(deepest < 0.01, "{deepest}");
}

#[test]
fn a_run_that_grows_goes_on_with_the_same_bits() {
    let scene = Scene::parse(BOX, "test.toml").unwrap();
    let mut whole = scene.build().unwrap();
    whole.run_until(0.5).unwrap();
    let middle = whole.snapshot();
    whole.run_until(0.7).unwrap();
    let mut later = scene.build().unwrap();
    later.restore(middle).unwrap();
    later.run_until(0.7).unwrap();
    assert_eq!(later.state_hash(), whole.state_hash());
}

/// Whoever grows, alone or with others, grows alike: a group is set at once, and what was said of some of its
/// bodies before no longer holds.
#[test]
fn a_group_grows_as_its_bodies_do_one_by_one() {
    let factor = |time: f64| (1.0 + 0.5 * time).sqrt();
    let grown = |one_by_one: bool| {
        let mut simulation = built(BOX.split("[[stage]]").next().unwrap());
        let disks = simulation.members("disks");
        assert!(disks.len() > 20);
        // some grow already, in an order of their own
        let some: Vec<_> = disks.iter().rev().step_by(3).copied().collect();
        simulation.grow(&some, GrowthKeeps::Mass, |time: f64| 1.0 + 0.2 * time).unwrap();
        simulation.run_until(0.1).unwrap();
        if one_by_one {
            for &disk in &disks {
                simulation.grow(&[disk], GrowthKeeps::Density, factor).unwrap();
            }
        } else {
            simulation.grow(&disks, GrowthKeeps::Density, factor).unwrap();
        }
        simulation.run_until(0.6).unwrap();
        (simulation.state_hash(), simulation.energy())
    };
    assert_eq!(grown(true), grown(false));
}

#[test]
fn a_size_that_is_none_changes_no_body() {
    let mut simulation = built(BOX.split("[[stage]]").next().unwrap());
    let before = simulation.state_hash();
    let disks = simulation.members("disks");
    assert!(simulation.grow(&disks, GrowthKeeps::Mass, |_| -1.0).is_err());
    assert_eq!(simulation.state_hash(), before);
}

#[test]
fn growth_is_refused_where_it_cannot_be() {
    let refused = |from: &str, to: &str, words: &str| {
        let text = lying("disk.radius = 0.1", "mass").replace(from, to);
        let error = Scene::parse(&text, "test.toml").map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused("1 + 0.25*", "2 + 0.25*", "must be 1 at t = 0");
    refused("on = \"stone\"", "on = \"floor\"", "cannot grow");
    refused("on = \"stone\"", "on = \"ston\"", "Did you mean \"stone\"?");
    refused("keeps = \"mass\"", "keeps = \"form\"", "density");
    // one that shrinks to nothing ends with words, not with numbers that are none
    let text = lying("disk.radius = 0.1", "mass").replace("1 + 0.25*smooth(t, 0, 0.5)", "1 - 2*t");
    let error = built(&text).run_until(1.0).unwrap_err().to_string();
    assert!(error.contains("the size of a body"), "{error}");
}
