//! What a scene says of deformable bodies, by numbers known beforehand: axes of a material, heat, lumped
//! mass, shapes filled with elements.

use drystone::{AnySimulation, BodyId, Simulation};
use drystone_scene::Scene;

fn plane(text: &str) -> Simulation<2> {
    match Scene::parse(text, "test.toml").and_then(|scene| scene.build()) {
        Ok(AnySimulation::Plane(simulation)) => simulation,
        Ok(AnySimulation::Space(_)) => panic!("a scene in space"),
        Err(error) => panic!("{error}"),
    }
}

/// A scene with one body and no gravity; numbers in lines of TOML.
fn alone(dimension: usize, material: &str, body: &str) -> String {
    let nothing = ["0.0"; 3][..dimension].join(", ");
    format!(
        "dimension = {dimension}\ngravity = [{nothing}]\ntime = {{ step = 1.0, duration = 3.0 }}\n[materials.m]\n\
         density = 1000\n{material}\n[[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.5\n[[body]]\n\
         name = \"a\"\nmaterial = \"m\"\n{body}\n"
    )
}

const WOOD: &str = "law = \"orthotropic\"\nyoung_moduli = [1e7, 1e6, 5e5]\npoisson_ratios = [0.3, 0.4, 0.35]\n\
                    shear_moduli = [6e5, 1e5, 7e5]";

/// A bar under tension of 1 kPa along x, after one step without inertia: its strain at the nodes.
fn pulled(axes: &str) -> [f64; 2] {
    let body = "shape.box.size = [1.0, 0.2]\ndeform = { size = 0.1, plane = \"stress\", quasi_static = true, hold = [{ group = \
                \"left\", axes = [\"x\"] }, { group = \"bottom\", axes = [\"y\"] }], load = [{ group = \"right\", force = [200.0, \
                0.0] }] }";
    let mut bar = plane(&alone(2, &format!("{WOOD}\n{axes}"), body));
    bar.step();
    let fields = bar.solid_fields(BodyId(0)).unwrap();
    [fields.strain[0][0], fields.strain[0][1]]
}

#[test]
fn wood_gives_way_by_the_moduli_of_its_axes() {
    let near = |found: [f64; 2], wanted: [f64; 2]| {
        (0..2).for_each(|k| assert!((found[k] - wanted[k]).abs() < 1e-12, "{found:?} {wanted:?}"));
    };
    // along the fibres, then across: ε = σ/E₁, -ν₁₂ σ/E₁; σ/E₂, -ν₁₂ σ/E₁
    near(pulled(""), [1e3 / 1e7, -0.3 * 1e3 / 1e7]);
    near(pulled("axes = [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]"), [1e3 / 1e6, -0.3 * 1e3 / 1e7]);
}

/// A body turned by an angle has its fibres turned with it, held or floating.
#[test]
fn fibres_turn_with_the_shape() {
    let pressed = |angle: f64, hold: &str| {
        let body = format!(
            "shape.box.size = [1.0, 0.2]\nangle_degrees = {angle}\ndeform = {{ size = 0.1, plane = \"stress\", quasi_static = true, \
             {hold} load = [{{ group = \"right\", pressure = -1e3 }}, {{ group = \"left\", pressure = -1e3 }}] }}"
        );
        let mut bar = plane(&alone(2, WOOD, &body));
        bar.step();
        let fields = bar.solid_fields(BodyId(0)).unwrap();
        let strain = fields.strain[fields.strain.len() / 2];
        strain[0] + strain[1]
    };
    let trace = 1e3 / 1e7 * (1.0 - 0.3);
    assert!((pressed(0.0, "") / trace - 1.0).abs() < 1e-9);
    assert!((pressed(35.0, "") / trace - 1.0).abs() < 1e-9);
    let hold = "hold = [{ group = \"left\" }],";
    let [straight, turned] = [0.0, 90.0].map(|angle| pressed(angle, hold));
    assert!((straight / turned - 1.0).abs() < 1e-9, "{straight} {turned}");
    // pulled across its fibres it would be ten times softer
    assert!((straight / trace - 1.0).abs() < 0.05, "{straight} {trace}");
}

#[test]
fn a_warm_body_grows_and_one_that_cannot_is_pressed() {
    let material = "young = 2e9\npoisson = 0.25\nexpansion = 1.2e-5";
    let deform = |more: &str| {
        format!(
            "shape.box.size = [1.0, 0.2]\ndeform = {{ size = 0.1, temperature = 50.0, quasi_static = true, {more} }}"
        )
    };
    let grown = 1.2e-5 * 50.0;
    for plane_of in ["\"stress\"", "\"strain\""] {
        let mut free = plane(&alone(2, material, &deform(&format!("plane = {plane_of}"))));
        free.step();
        let fields = free.solid_fields(BodyId(0)).unwrap();
        // in plane strain it cannot grow across the plane
        let (strain, stress) = match plane_of {
            "\"stress\"" => (grown, 0.0),
            _ => (1.25 * grown, 2e9 * grown),
        };
        for node in 0..fields.strain.len() {
            assert!((fields.strain[node][0] / strain - 1.0).abs() < 1e-9, "{:?}", fields.strain[node]);
            assert!(
                (fields.stress[node][2] + stress).abs() < 1e-6 * 2e9 * grown,
                "{:?}",
                fields.stress[node]
            );
            assert!(fields.stress[node][0].abs() < 1e-6 * 2e9 * grown);
        }
        let width = fields.place.iter().map(|at| at[0]).fold(0.0, f64::max);
        assert!((width - 0.5 * (1.0 + strain)).abs() < 1e-12);
    }
    let held = "plane = \"stress\", hold = [{ group = \"left\", axes = [\"x\"] }, { group = \"right\", axes = [\"x\"] }, { group = \
                \"bottom\", axes = [\"y\"] }]";
    let mut clamped = plane(&alone(2, material, &deform(held)));
    clamped.step();
    let fields = clamped.solid_fields(BodyId(0)).unwrap();
    assert!(fields.stress.iter().all(|stress| (stress[0] / (-2e9 * grown) - 1.0).abs() < 1e-9));
}

/// Pulled beyond its yield stress a bar stretches by σ/E + (σ − σ₀)/H, the second part for good.
#[test]
fn lead_of_small_strains_hardens_along_a_straight_line() {
    let material = "law = \"plastic\"\nyoung = 1e9\npoisson = 0.3\nyield_stress = 1e6\nhardening = 1e8\nstrain = \"small\"";
    let body = "shape.box.size = [1.0, 0.2]\ndeform = { size = 0.1, plane = \"stress\", quasi_static = true, hold = [{ group = \
                \"left\", axes = [\"x\"] }, { group = \"bottom\", axes = [\"y\"] }], load = [{ group = \"right\", force = [3e5, \
                0.0] }] }";
    let mut bar = plane(&alone(2, material, body));
    bar.step();
    let fields = bar.solid_fields(BodyId(0)).unwrap();
    let wanted = 1.5e6 / 1e9 + 0.5e6 / 1e8;
    for strain in &fields.strain {
        assert!((strain[0] / wanted - 1.0).abs() < 1e-6, "{strain:?} {wanted}");
    }
    assert!((fields.accumulated[0] / (0.5e6 / 1e8) - 1.0).abs() < 1e-6);
}

/// The energy that heat brings in is that of a load: the balance stays closed.
#[test]
fn the_balance_of_a_body_that_is_warmed_is_closed() {
    let body = "shape.box.size = [1.0, 0.2]\ndeform = { size = 0.1, temperature = 50.0, mass = \"lumped\" }";
    let mut warm = plane(
        &alone(2, "young = 1e6\npoisson = 0.25\nexpansion = 1e-3", body).replace("step = 1.0", "step = 1e-3"),
    );
    (0..200).for_each(|_| _ = warm.step());
    let energy = warm.energy();
    assert!(energy.stored > 0.1 && energy.balance_error.abs() < 1e-10, "{energy:?}");
}

#[test]
fn lumped_and_consistent_bodies_weigh_the_same() {
    let of = |mass: &str| {
        let body = format!("shape.disk.radius = 0.1\ndeform = {{ size = 0.03, {mass} }}");
        plane(&alone(2, "young = 1e6\npoisson = 0.25", &body)).bodies().mass[0][0]
    };
    let [lumped, consistent] = ["mass = \"lumped\"", "mass = \"consistent\""].map(of);
    assert!((lumped / consistent - 1.0).abs() < 1e-12);
    assert_eq!(consistent, of(""));
}

/// An angle 0.2 by 0.2 by 0.1 without a quarter, which is not convex.
const ANGLE: &str = "shape.mesh = { treat = \"surface\", vertices = [[0, 0, 0], [0.2, 0, 0], [0.2, 0.1, 0], \
    [0.1, 0.1, 0], [0.1, 0.2, 0], [0, 0.2, 0], [0, 0, 0.1], [0.2, 0, 0.1], [0.2, 0.1, 0.1], [0.1, 0.1, 0.1], \
    [0.1, 0.2, 0.1], [0, 0.2, 0.1]], faces = [[0, 1, 7, 6], [1, 2, 8, 7], [2, 3, 9, 8], [3, 4, 10, 9], \
    [4, 5, 11, 10], [5, 0, 6, 11], [5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11]] }";

/// Every shape that can be filled falls on a floor and is held by it: momentum in, impulse out.
#[test]
fn every_shape_that_is_filled_stands_on_a_floor() {
    let material = "young = 1e6\npoisson = 0.25\nretardation = 1e-3";
    let cases: [(usize, &str, f64, f64); 8] = [
        (2, "shape.polygon.vertices = [[0, 0], [0.4, 0], [0.2, 0.3]]", 0.06, 0.0),
        (
            2,
            "shape.rounded_rectangle = { size = [0.4, 0.3], radius = 0.05 }",
            0.12 - (4.0 - std::f64::consts::PI) * 0.0025,
            0.15,
        ),
        (2, "shape.capsule = { length = 0.2, radius = 0.1 }", 0.04 + std::f64::consts::PI * 0.01, 0.2),
        (3, "shape.sphere.radius = 0.1", 4.0 / 3.0 * std::f64::consts::PI * 1e-3, 0.1),
        (
            3,
            "shape.capsule = { length = 0.1, radius = 0.1 }",
            std::f64::consts::PI * 1e-3 * (1.0 + 4.0 / 3.0),
            0.15,
        ),
        (
            3,
            "shape.polyhedron.vertices = [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0.1, 0.1, 0.3]]",
            0.0045,
            0.0,
        ),
        (3, "shape.box.size = [0.2, 0.2, 0.2]", 0.008, 0.1),
        (3, ANGLE, 0.003, 0.0),
    ];
    for (dimension, shape, volume, height) in cases {
        let at = if dimension == 2 { format!("[0.0, {height}]") } else { format!("[0.0, 0.0, {height}]") };
        // pieces of a polyhedron are cut by their longest edge
        let size = if shape.contains("polyhedron") { 0.1 } else { 0.04 };
        let floor = if dimension == 2 { "line" } else { "plane" };
        let body = format!(
            "{shape}\nposition = {at}\ndeform.size = {size}\n[[body]]\nname = \"floor\"\nshape.{floor} = {{}}\nfixed = true"
        );
        let gravity = if dimension == 2 { "[0.0, -10.0]" } else { "[0.0, 0.0, -10.0]" };
        let nothing = if dimension == 2 { "[0.0, 0.0]" } else { "[0.0, 0.0, 0.0]" };
        let text = alone(dimension, material, &body)
            .replace(&format!("gravity = {nothing}"), &format!("gravity = {gravity}"))
            .replace("step = 1.0, duration = 3.0", "step = 2e-3, duration = 3.0");
        let made = Scene::parse(&text, "test.toml").and_then(|scene| scene.build());
        let (mass, support) = rests(made.unwrap_or_else(|error| panic!("{shape}: {error}")));
        // chords of a quarter of a turn over four lose up to 0.6 of the square of their angle
        assert!(
            (mass / (1000.0 * volume) - 1.0).abs() < 0.6 * (std::f64::consts::PI / 8.0).powi(2),
            "{shape}: {mass}"
        );
        assert!((support / (10.0 * mass) - 1.0).abs() < 0.02, "{shape}: {support} of {}", 10.0 * mass);
    }
}

/// Mass of the first body, and the mean force of the floor on it over a tenth of a second, after two fifths.
fn rests(mut simulation: AnySimulation) -> (f64, f64) {
    (0..200).for_each(|_| _ = simulation.step().unwrap());
    let mass = simulation.mass("a").unwrap();
    let up = |simulation: &AnySimulation| *simulation.velocity("a").unwrap().last().unwrap();
    let begin = up(&simulation);
    let mut force = 0.0;
    for _ in 0..50 {
        simulation.step().unwrap();
        force += simulation.contact_force("a").unwrap().last().unwrap() / 50.0;
    }
    // what is left of the motion counts as well
    (mass, force - mass * (up(&simulation) - begin) / 0.1)
}

/// Meshes that bound no solid, and elements too large for one, are told at the body.
#[test]
fn meshes_that_cannot_be_filled_are_told() {
    let of = |shape: &str, size: &str| {
        let text = alone(3, "young = 1e6\npoisson = 0.25", &format!("{shape}\ndeform.size = {size}"));
        let error = Scene::parse(&text, "x.toml").and_then(|scene| scene.build().map(drop)).unwrap_err();
        error.to_string()
    };
    let open = ANGLE.replace(", [6, 7, 8, 9, 10, 11]]", "]");
    let turned = ANGLE.replace("[0, 1, 7, 6]", "[6, 7, 1, 0]");
    let cases = [
        (&*open, "0.05", "cannot be filled with elements"),
        (&*turned, "0.05", "neighbours are oriented against each other"),
        (ANGLE, "1.0", "take smaller ones"),
        (ANGLE, "1e-4", "take larger"),
    ];
    for (shape, size, says) in cases {
        let error = of(shape, size);
        assert!(error.contains(says) && error.contains("x.toml:"), "{says}: {error}");
    }
}

#[test]
fn what_heat_and_fibres_cannot_be_is_told_at_its_line() {
    let body = "shape.box.size = [1.0, 0.2]\ndeform = { size = 0.1, temperature = 50.0 }";
    let cold = "shape.box.size = [1.0, 0.2]\ndeform.size = 0.1";
    let cases: [(String, &str); 6] = [
        (alone(2, "young = 1e6\npoisson = 0.3", body), "changes nothing without expansion in materials.m"),
        (alone(2, "young = 1e6\npoisson = 0.3\nexpansion = 1.0", body), "expansion must be greater than -1"),
        (
            alone(2, WOOD, cold).replace("[1e7, ", "[-1e7, "),
            "Young's modulus is -10000000, but all three must be above 0 Pa",
        ),
        (alone(2, WOOD, cold).replace("[0.3, 0.4", "[4.0, 0.4"), "take them smaller"),
        (
            alone(2, &format!("{WOOD}\naxes = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]\nexpansion = 1e-5"), body),
            "across the plane",
        ),
        (alone(2, WOOD, cold).replace("shear_moduli", "shear_modulus"), "shear_modulus"),
    ];
    for (text, says) in cases {
        let error =
            Scene::parse(&text, "x.toml").and_then(|scene| scene.build().map(drop)).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("x.toml:"), "{error}");
    }
}

/// A strip of 1 m by 0.2 m, held at its left, whose right side and faces follow signals.
fn strip(quasi_static: bool, right: &str, load: &str) -> String {
    let material = "young = 1e7\npoisson = 0.3";
    let right = if right.is_empty() {
        String::new()
    } else {
        format!(", {{ group = \"right\", axes = [\"x\"], {right} }}")
    };
    let body = format!(
        "shape.box.size = [1.0, 0.2]\ndeform = {{ size = 0.1, plane = \"stress\", quasi_static = {quasi_static}, hold = [{{ group = \
         \"left\", axes = [\"x\"] }}, {{ group = \"bottom\", axes = [\"y\"] }}{right}], load = [{load}] }}"
    );
    alone(2, material, &body)
}

/// Without inertia a strip that is pulled by a displacement in time is stretched by it as every step ends,
/// and one under a force and a pressure that rise by theirs.
#[test]
fn without_inertia_strain_follows_displacements_and_loads_in_time() {
    let strain = |bar: &Simulation<2>| -> [f64; 2] {
        let fields = bar.solid_fields(BodyId(0)).unwrap();
        let first = fields.strain[0];
        let alike =
            fields.strain.iter().all(|one| (one[0] - first[0]).abs() + (one[1] - first[1]).abs() < 1e-13);
        assert!(alike, "{:?}", fields.strain);
        [first[0], first[1]]
    };
    let way = |t: f64| 1e-3 * t * t;
    let mut pulled = plane(&strip(true, "displacement = [\"1e-3*t^2\", 0.0]", ""));
    let mut loaded = plane(&strip(
        true,
        "",
        "{ group = \"right\", force = [{ table = [[0, 0], [2, 400], [3, 0]] }, 0.0] }, \
                                             { group = \"top\", pressure = \"1e3*t\" }",
    ));
    for step in 1..=3 {
        let t = f64::from(step);
        pulled.step();
        loaded.step();
        let found = strain(&pulled);
        assert!((found[0] - way(t)).abs() < 1e-12 && (found[1] + 0.3 * way(t)).abs() < 1e-12, "{found:?}");
        let along = [0.0, 200.0, 400.0, 0.0][step as usize] / 0.2;
        let across = -1e3 * t;
        let found = strain(&loaded);
        let wanted = [(along - 0.3 * across) / 1e7, (across - 0.3 * along) / 1e7];
        (0..2).for_each(|k| assert!((found[k] - wanted[k]).abs() < 1e-12, "{found:?} {wanted:?}"));
    }
}

/// With inertia driven nodes are where their velocity or displacement says, to the rule of the θ-scheme.
#[test]
fn driven_nodes_go_the_way_they_are_told() {
    for theta in [0.5, 0.8] {
        // Σ h (θ v_{k+1} + (1 − θ) v_k) of v = 0.02 t, and of the rates of 0.01 t²
        for (right, more) in [
            ("velocity = [\"0.02*t\", 0.0]", 0.02 * 0.01 * (theta - 0.5)),
            ("displacement = [\"0.01*t^2\", 0.0]", 0.01 * 1e-4 * 2.0 * (1.0 - theta) * theta * theta),
        ] {
            let text = strip(false, right, "").replace(
                "step = 1.0, duration = 3.0",
                &format!("step = 0.01, duration = 1.0, theta = {theta}"),
            );
            let mut bar = plane(&text);
            (0..100).for_each(|_| {
                bar.step();
            });
            let model = std::sync::Arc::clone(bar.solids().model(0).unwrap());
            let node = model.mesh().nodes_where(|x| x[0] > 0.499)[0] as usize;
            let moved = bar.solids().state(0).unwrap().displacement[2 * node];
            let wanted = 0.01 + more;
            assert!((moved - wanted).abs() < 1e-12, "{theta} {right}: {moved} {wanted}");
            let energy = bar.energy();
            assert!(energy.balance_error < 1e-10, "{energy:?}");
        }
    }
}

/// A force that grows in proportion gives a free body the momentum of its integral, for θ = ½.
#[test]
fn a_force_on_faces_gives_its_impulse() {
    let body = "shape.box.size = [1.0, 0.2]\ndeform = { size = 0.1, load = [{ group = \"right\", force = [\"30*t\", 0.0] }] }";
    let text = alone(2, "young = 1e7\npoisson = 0.3", body).replace("step = 1.0", "step = 0.01");
    let mut bar = plane(&text);
    (0..200).for_each(|_| {
        bar.step();
    });
    let speed = bar.bodies().velocity[0][0];
    assert!((speed * 200.0 / 60.0 - 1.0).abs() < 1e-12, "{speed}");
    assert!(bar.energy().balance_error < 1e-10, "{:?}", bar.energy());
}

/// Of two lists of held nodes the later one drives the nodes of both.
#[test]
fn a_corner_goes_with_the_later_of_its_sides() {
    let hold = "hold = [{ group = \"left\", velocity = [\"0.1*t\", 0.0] }, { group = \"bottom\", velocity = [0.0, \"0.2*t\"] }]";
    let body = format!("shape.box.size = [1.0, 0.2]\ndeform = {{ size = 0.1, {hold} }}");
    let mut bar = plane(&alone(2, "young = 1e7\npoisson = 0.3", &body));
    bar.step();
    let model = std::sync::Arc::clone(bar.solids().model(0).unwrap());
    let velocity = &bar.solids().state(0).unwrap().velocity;
    let of = |x: f64, y: f64| {
        let nodes = model.mesh().nodes_where(|at| (at[0] - x).abs() + (at[1] - y).abs() < 1e-9);
        let node = nodes[0] as usize;
        [velocity[2 * node], velocity[2 * node + 1]]
    };
    assert_eq!(of(-0.5, 0.0), [0.1, 0.0]);
    assert_eq!(of(-0.5, -0.1), [0.0, 0.2]);
}

/// Through a file a body that is driven and loaded in time goes on with the same bits from any step.
#[test]
fn a_body_driven_in_time_is_restored_to_the_bit() {
    for quasi_static in [false, true] {
        let load = "{ group = \"top\", pressure = \"1e3*sin(9*t)\" }";
        let text = strip(quasi_static, "displacement = [\"0.01*sin(5*t)\", 0.0]", load);
        let text = text.replace("step = 1.0, duration = 3.0", "step = 0.01, duration = 1.0");
        let scene = Scene::parse(&text, "test.toml").unwrap();
        let (mut whole, mut saved) = (scene.build().unwrap(), Vec::new());
        for step in 0..60 {
            if step % 20 == 0 {
                saved.push(whole.snapshot());
            }
            whole.step().unwrap();
        }
        for snapshot in saved {
            let mut again = scene.build().unwrap();
            again.restore(snapshot).unwrap();
            while again.steps_done() < 60 {
                again.step().unwrap();
            }
            assert_eq!(again.state_hash(), whole.state_hash());
            assert_eq!(again.energy(), whole.energy());
        }
    }
}

#[test]
fn what_drives_and_loads_a_mesh_wrongly_is_told_at_its_line() {
    let told = |right: &str, load: &str, wanted: &[&str]| {
        let error = Scene::parse(&strip(false, right, load), "test.toml").unwrap_err().to_string();
        wanted.iter().for_each(|part| assert!(error.contains(part), "{error}"));
    };
    told("velocity = [0.0]", "", &["velocity", "2 components", "found 1"]);
    told("velocity = [\"sin(\", 0.0]", "", &["hold[2].velocity[0]", "character"]);
    told("velocity = [0.0, 0.0], displacement = [0.0, 0.0]", "", &["displacement", "one of the two"]);
    told("displacement = [{ table = [[0, 0], [1, 1]] }, 0.0]", "", &["displacement[0]", "after"]);
    told("", "{ group = \"top\", pressure = \"1/t\" }", &["load[0].pressure", "t = 0"]);
    told("", "{ group = \"top\" }", &["pressure or force"]);
}

/// A polygon that is not convex is filled as it is, without saying what to make of it: one body with the mass
/// of all of it, which a disk in its corner touches. A surface in space is to be filled elsewhere.
#[test]
fn a_polygon_that_is_not_convex_deforms_as_one_body() {
    let shape = "shape.polygon.vertices = [[0, 0], [0.4, 0], [0.4, 0.1], [0.1, 0.1], [0.1, 0.4], [0, 0.4]]\ndeform.size = 0.05";
    let text = alone(2, "young = 1e6\npoisson = 0.3", shape);
    let ell = plane(&text);
    assert!((ell.bodies().mass[0][0] / (0.07 * 1000.0) - 1.0).abs() < 1e-12);
    let disk = "[[body]]\nname = \"disk\"\ndensity = 1000\nshape.disk.radius = 0.05\nposition = [0.1505, 0.1505]\nvelocity = [-0.1, -0.1]\n";
    let mut ell = plane(&format!("{text}position = [0.0, 0.0]\n{disk}").replace("step = 1.0", "step = 1e-3"));
    let touching = (0..200).any(|_| {
        ell.step();
        // a hull would overlap with it by centimetres
        assert!(ell.interactions().iter().all(|one| one.gap > -1e-3));
        ell.interactions().iter().any(|one| one.r[0] > 0.0)
    });
    assert!(touching);
    let crossing = text.replace("[0.4, 0.1]", "[-0.1, 0.1]");
    assert!(Scene::parse(&crossing, "test.toml").and_then(|scene| scene.build()).is_err());
    // and so does a mesh, whatever is said of what to make of it
    let surface = ANGLE.replace("surface", "convex") + "\ndeform.size = 0.05";
    let angle = Scene::parse(&alone(3, "young = 1e6\npoisson = 0.3", &surface), "test.toml").unwrap().build();
    let mass = angle.unwrap().mass("a").unwrap();
    assert!((mass / (0.003 * 1000.0) - 1.0).abs() < 0.03, "{mass}");
}
