//! `drystone stability` against limit analysis from the drawing alone, closed forms and the literature.

use crate::common::masonry::Masonry;
use crate::common::{Answer, command, drystone, read, root, write_scene};
use crate::words;
use drystone::{AnySimulation, PerDof, Simulation, TOUCHING};
use drystone_diagnose::statics::{Multiplier, Rest};
use drystone_scene::Scene;
use serde_json::Value;
use std::path::Path;

fn plane(text: &str) -> Simulation<2> {
    match Scene::parse(text, "made.toml").unwrap_or_else(|error| panic!("{error}")).build().unwrap() {
        AnySimulation::Plane(simulation) => simulation,
        AnySimulation::Space(_) => panic!("a scene of the plane"),
    }
}

/// Largest share of gravity along x: by the static theorem, the kinematic one, and with Coulomb's own
/// sliding.
fn pushed(text: &str) -> [f64; 3] {
    let simulation = plane(text);
    let statics = simulation.statics(TOUCHING);
    let live: Vec<PerDof<2>> = statics.weight.iter().map(|weight| [-weight[1], 0.0, 0.0].into()).collect();
    let Multiplier::Largest(limit) = statics.structure.limit(&statics.dead(), &live).unwrap() else {
        panic!("no limit")
    };
    let all: Vec<PerDof<2>> =
        statics.dead().iter().zip(&live).map(|(dead, live)| dead + live * limit.multiplier).collect();
    let heaviest = statics.weight.iter().map(|weight| weight.norm()).fold(0.0, f64::max);
    assert!(statics.structure.imbalance(&limit.forces, &all) < 1e-6 * heaviest);
    // the mechanism is one: nothing overlaps, sliding widens, and the live load does work
    for (u, hold) in statics.structure.relative(&limit.mechanism).iter().zip(&statics.structure.holds) {
        assert!(u[0] - hold.set.threshold(1.0) * u[1].abs() > -1e-6, "{u:?}");
    }
    let coulomb = statics.structure.coulomb(&statics.dead(), &live).unwrap();
    [limit.multiplier, limit.kinematic, coulomb.map_or(f64::NAN, |found| found.multiplier)]
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}

#[test]
fn multipliers_agree_with_a_simplex_on_the_drawing() {
    let degrees = |multiplier: f64| multiplier.atan().to_degrees();
    let pi = std::f64::consts::PI;
    // masonry, friction, the angle of the literature or of an earlier programme where there is one
    let cases = [
        (Masonry::arch(0.15, 21, pi), 2.0, Some(8.436)),
        (Masonry::arch(0.10, 15, 120_f64.to_radians()), 0.6, None),
        (Masonry::arch(0.18, 13, 150_f64.to_radians()), 0.45, None),
        (Masonry::arch(0.22, 21, pi), 0.35, None),
        (Masonry::pointed(0.12, 24, 0.3), 0.9, None),
        (Masonry::wall(4, 8, [0.4, 0.2]), 2.0, Some(44.90)),
        (Masonry::wall(4, 8, [0.4, 0.2]), 0.7, Some(30.40)),
        (Masonry::wall(4, 8, [0.4, 0.2]), 0.4, Some(21.80)),
        (Masonry::wall(1, 6, [0.5, 0.3]), 0.8, Some((0.5_f64 / 1.8).atan().to_degrees())),
    ];
    for (case, (masonry, friction, known)) in cases.iter().enumerate() {
        let expected = masonry.largest(*friction).expect("it stands");
        let [low, high, coulomb] = pushed(&masonry.scene(*friction));
        println!("case {case}: {expected} against {low} and {high}, Coulomb {coulomb}");
        assert!(
            (low - expected).abs() < 1e-6 && (high - expected).abs() < 1e-6,
            "case {case}: {low} {high} {expected}"
        );
        if let Some(known) = known {
            assert!((degrees(low) - known).abs() < 5e-3, "case {case}: {}", degrees(low));
        }
        assert!(
            coulomb.is_nan() || coulomb <= low + 1e-6,
            "case {case}: Coulomb's mechanism at {coulomb}, above {low}"
        );
    }
}

#[test]
fn arches_have_their_least_thickness() {
    // embraces of 120 and 150 degrees, and a pointed arch
    type Made = fn(f64) -> Masonry;
    let cases: [(Made, f64); 3] = [
        (|t| Masonry::arch(t, 21, 120_f64.to_radians()), 0.022479),
        (|t| Masonry::arch(t, 21, 150_f64.to_radians()), 0.053286),
        (|t| Masonry::pointed(t, 24, 0.3), 0.057039),
    ];
    for (made, known) in cases {
        for (thickness, stands) in [(known * (1.0 - 2e-4), false), (known * (1.0 + 2e-4), true)] {
            let masonry = made(thickness);
            assert_eq!(masonry.largest(2.0).is_some(), stands, "the simplex at {thickness}");
            let statics = plane(&masonry.scene(2.0)).statics(TOUCHING);
            assert_eq!(statics.structure.stands(&statics.dead()).unwrap(), stands, "{thickness}");
        }
    }
}

#[test]
fn a_buttress_bears_what_its_width_and_friction_allow() {
    // 0.6 m wide, 2 m high in four courses; a thrust of 1 kN at the top from the left
    let wall = Masonry::wall(1, 4, [0.6, 0.5]);
    let weight = 2000.0 * 9.81 * 0.6 * 2.0;
    for (friction, expected) in [(0.7, weight * 0.3 / 2.0 / 1000.0), (0.1, 0.25 * weight * 0.1 / 1000.0)] {
        let home = tempfile::tempdir().unwrap();
        let scene =
            write_scene(home.path(), "buttress.toml", &wall.scene(friction).replace("block 3", "top"));
        let told = ask(&scene, &["--load", "top:1000,0", "--at", "0,2"], 0);
        close(told["answer"]["static"].as_f64().unwrap(), expected, 1e-5 * expected);
        close(told["answer"]["coulomb"].as_f64().unwrap(), expected, 1e-5 * expected);
    }
}

fn ask(scene: &Path, more: &[&str], code: i32) -> Value {
    let told: Answer = crate::common::answer(command(&words!["stability", scene, "--json"]).args(more));
    told.ends_with(code).json()
}

#[test]
fn a_column_in_space_tilts_by_its_base_or_its_friction() {
    let scene = |friction: f64| {
        let mut text = format!(
            "dimension = 3\ntime = {{ step = 1e-3, duration = 0.1 }}\n\
             law = [{{ between = [\"*\", \"*\"], inelastic.friction = {friction} }}]\n\
             body = [\n{{ name = \"floor\", shape.plane = {{}}, fixed = true }},\n"
        );
        for k in 0..4 {
            let z = 0.25 + 0.5 * f64::from(k);
            text += &format!(
                "{{ name = \"block {k}\", shape.box.size = [0.4, 0.6, 0.5], density = 2000, position = [0, 0, {z}] }},\n"
            );
        }
        text + "]\n"
    };
    let home = tempfile::tempdir().unwrap();
    let tall = write_scene(home.path(), "tall.toml", &scene(0.8));
    close(
        ask(&tall, &["--tilt", "x"], 0)["answer"]["degrees"].as_f64().unwrap(),
        0.2_f64.atan().to_degrees(),
        1e-5,
    );
    close(ask(&tall, &["--push", "-y"], 0)["answer"]["static"].as_f64().unwrap(), 0.3, 1e-7);
    // over a corner: the resultant leaves the rectangle on the side that is nearer
    close(ask(&tall, &["--push", "3,4,0"], 0)["answer"]["static"].as_f64().unwrap(), 0.2 / 0.6, 1e-7);
    // friction is the same whichever way: a round cone, not a pyramid
    let slippery = write_scene(home.path(), "slippery.toml", &scene(0.15));
    for way in ["x", "-y", "1,1,0", "2,-1,0"] {
        let answer = ask(&slippery, &["--push", way], 0)["answer"].clone();
        close(answer["static"].as_f64().unwrap(), 0.15, 1e-7);
        close(answer["kinematic"].as_f64().unwrap(), 0.15, 1e-6);
    }
}

#[test]
fn what_cannot_stand_shows_how_it_falls() {
    let home = tempfile::tempdir().unwrap();
    let thin =
        write_scene(home.path(), "thin.toml", &Masonry::arch(0.09, 21, std::f64::consts::PI).scene(0.7));
    let picture = home.path().join("mechanism.png");
    let told = ask(&thin, &["--picture", picture.to_str().unwrap()], 5);
    assert_eq!((told["stable"].as_bool(), told["reserve"].as_f64()), (Some(false), None));
    let joints = told["mechanism"]["joints"].as_array().unwrap();
    let hinges = joints.iter().filter(|joint| joint["does"] == "hinge").count();
    assert!(hinges >= 5, "{joints:?}");
    assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
    let words = drystone(&words!["stability", &thin]).ends_with(5).out;
    assert!(words.contains("unstable: no admissible forces"), "{words}");
}

#[test]
fn the_reserve_is_that_of_the_tightest_joint() {
    // a block of 0.4 × 1 m pushed at mid-height by a tenth of its weight: e = 0.05 m of 0.2, T/N = 0.1 of 0.5
    let wall = Masonry::wall(1, 1, [0.4, 1.0]);
    let load = 0.1 * 2000.0 * 9.81 * 0.4;
    let text = wall.scene(0.5) + &format!("load = {{ x = {load} }}\n");
    let simulation = plane(&text);
    let statics = simulation.statics(TOUCHING);
    let Rest::Balanced { reserve, .. } = statics.structure.rest(&statics.dead()).unwrap() else {
        panic!("falls")
    };
    close(reserve, 1.0 - 0.25, 2e-4);
    let home = tempfile::tempdir().unwrap();
    let told = ask(&write_scene(home.path(), "block.toml", &text), &[], 0);
    let joint = &told["joints"][0];
    close(joint["eccentricity_used"].as_f64().unwrap(), 0.25, 1e-3);
    close(joint["friction_used"].as_f64().unwrap(), 0.2, 1e-3);
    close(joint["least"].as_f64().unwrap(), 10.0 * load, 1e-4 * load);
    close(joint["largest"].as_f64().unwrap(), 10.0 * load, 1e-4 * load);
}

#[test]
fn bounds_of_a_step_are_those_of_the_structure() {
    let home = tempfile::tempdir().unwrap();
    let scene =
        write_scene(home.path(), "arch.toml", &Masonry::arch(0.2, 11, std::f64::consts::PI).scene(0.6));
    let folder = home.path().join("run");
    crate::common::answer(command(&words!["run", &scene, "-o", &folder]).args(["--steps", "3", "--quiet"]))
        .ends_with(0);
    let step = drystone(&words!["diagnose", &folder, "--spread", "--json"]).ends_with(0).json();
    let rest = ask(&scene, &[], 0);
    let joints = rest["joints"].as_array().unwrap();
    let bounds = step["spread"]["bounds"].as_array().unwrap();
    assert_eq!((joints.len(), bounds.len()), (12, 12));
    assert_eq!(step["spread"]["proved_unique"], false);
    for (joint, bound) in joints.iter().zip(bounds) {
        let normal = &bound["quantities"][0];
        let number = |value: &Value| value.as_f64().unwrap();
        let size = number(&joint["largest"]);
        close(number(&normal["least"]), number(&joint["least"]), 1e-4 * size);
        close(number(&normal["largest"]), number(&joint["largest"]), 1e-4 * size);
        // what a solver finds is one of them
        let found = number(&normal["found"]);
        assert!(
            found > number(&normal["least"]) - 1e-5 * size
                && found < number(&normal["largest"]) + 1e-5 * size
        );
        // a thrust line may come as far as the border of some joint, and no further
        let eccentricity = &bound["quantities"][2];
        assert!(
            number(&eccentricity["least"]) >= -0.1 - 1e-6 && number(&eccentricity["largest"]) <= 0.1 + 1e-6
        );
    }
}

#[test]
fn an_arch_bears_supports_that_spread() {
    // 20 stones, t/R = 0.15: 0.108 R, three hinges with the one at the crown in the middle
    let home = tempfile::tempdir().unwrap();
    let text = Masonry::arch(0.15, 20, std::f64::consts::PI).scene(2.0);
    let told = ask(&write_scene(home.path(), "arch.toml", &text), &["--settle", "support 0:x"], 0);
    let answer = &told["answer"];
    assert_eq!(answer["lets_go"], true);
    close(answer["movement"].as_f64().unwrap(), 0.108, 1.5e-3);
    // a block on a floor goes with it
    let text = Masonry::wall(1, 2, [0.4, 0.4]).scene(0.5);
    let told = ask(
        &write_scene(home.path(), "block.toml", &text),
        &["--settle", "support 0:x", "--settle-most", "0.02"],
        0,
    );
    assert_eq!(told["answer"]["lets_go"], false);
    close(
        told["answer"]["movement"].as_f64().unwrap() / told["answer"]["size"].as_f64().unwrap(),
        0.02,
        1e-9,
    );
}

#[test]
fn what_is_proved_is_below_everything_found() {
    let pi = std::f64::consts::PI;
    // a column slides or overturns at one multiplier whatever the law of sliding: all numbers meet there
    for (masonry, friction, expected) in [
        (Masonry::wall(1, 5, [0.5, 0.2]), 0.3, Some(0.3)),
        (Masonry::wall(1, 5, [0.5, 0.2]), 0.8, Some(0.5)),
        (Masonry::arch(0.18, 13, 150_f64.to_radians()), 0.45, None),
        (Masonry::arch(0.2, 15, pi), 0.6, None),
    ] {
        let statics = plane(&masonry.scene(friction)).statics(TOUCHING);
        let live: Vec<PerDof<2>> = statics.weight.iter().map(|w| [-w[1], 0.0, 0.0].into()).collect();
        let [most, _, coulomb] = pushed(&masonry.scene(friction));
        let proven = statics.structure.proven(&statics.dead(), &live, most).unwrap().unwrap_or(0.0);
        println!("proved {proven}, found {coulomb}, most {most}");
        assert!(proven <= coulomb + 1e-6 || coulomb.is_nan(), "{proven} above {coulomb}");
        if let Some(expected) = expected {
            close(proven, expected, 2e-4);
            close(most, expected, 1e-6);
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let scene = root().join("scenes/arch.toml");
    let cases: [(&[&str], &str); 9] = [
        (&["--push", "up"], "is no direction"),
        (&["--push", "0,0"], "is no direction"),
        (&["--tilt", "y"], "is along gravity"),
        (&["--load", "ston 3:0,-1"], "did you mean \"stone 3\"?"),
        (&["--load", "stone 3"], "has no load in the scene"),
        (&["--load", "ground:1,0"], "is a support"),
        (&["--settle", "stone 3:x"], "is no support"),
        (&["--settle", "ground"], "BODY:DIR"),
        (&["--touching", "2"], "--touching is 2"),
    ];
    for (more, message) in cases {
        let told = crate::common::answer(command(&words!["stability", &scene]).args(more)).ends_with(2);
        assert!(told.err.contains(message) && told.err.lines().count() == 1, "{more:?}: {}", told.err);
    }
    assert!(!read(&scene).is_empty());
}
