//! Measures of frames whose numbers are known.

use crate::*;
use drystone::prelude::{Body, Builder, Inelastic, Simulation};
use drystone::{AnySimulation, Orientation, Pose, Status, Vector};
use std::f64::consts::{PI, TAU};

fn vector(x: f64, y: f64, z: f64) -> Vector<3> {
    Vector::<3>::new(x, y, z)
}

/// A body at a place where it has been from the start.
fn body(position: Vector<3>, radius: f64) -> BodyView {
    let volume = PI * radius * radius;
    let orientation = Orientation::identity();
    let start = Some(Pose { position, orientation });
    let velocity = Vector::zeros();
    BodyView { position, orientation, velocity, mass: volume, volume, radius, group: 0, is_free: true, start }
}

fn contact(bodies: [usize; 2], point: Vector<3>, normal: Vector<3>, force: Vector<3>) -> ContactView {
    ContactView { bodies, point, normal, force, gap: 0.0, status: Status::Stick, area: None, power: None }
}

/// Names for the frames of these tests.
struct Names(Vec<String>, Vec<String>);

impl Names {
    fn of(count: usize) -> Self {
        Self((0..count).map(|body| format!("b{body}")).collect(), vec!["a".into(), "b".into()])
    }

    fn frame(&self, dimension: usize, bodies: Vec<BodyView>, contacts: Vec<ContactView>) -> FrameView<'_> {
        let (names, groups) = (&self.0, &self.1);
        let (time, lag, periods, energy) = (0.0, 0.0, [None; 2], None);
        FrameView { dimension, time, lag, periods, names, groups, bodies, contacts, energy }
    }
}

fn number(view: &FrameView, request: &str) -> f64 {
    scalar(view, &Request::parse(request).unwrap()).unwrap()
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}

/// A square lattice of touching disks of radius 1/2 about (0, 0) to (n, n), pushed together by 3 N along x
/// and 2 N along y; frozen contacts with walls at its edges.
fn lattice(n: usize) -> (Vec<BodyView>, Vec<ContactView>) {
    let place = |i: usize, j: usize| vector(i as f64 + 0.5, j as f64 + 0.5, 0.0);
    let mut bodies: Vec<BodyView> = (0..n * n).map(|k| body(place(k % n, k / n), 0.5)).collect();
    let wall = bodies.len();
    bodies.push(BodyView { is_free: false, volume: 0.0, radius: 0.0, ..body(Vector::zeros(), 0.0) });
    let mut contacts = Vec::new();
    for k in 0..n * n {
        let (i, j) = (k % n, k / n);
        for (axis, force, index, step) in [(0, 3.0, i, 1), (1, 2.0, j, n)] {
            let mut normal = Vector::<3>::zeros();
            normal[axis] = 1.0;
            let to = if index + 1 < n { k + step } else { wall };
            contacts.push(contact([to, k], bodies[k].position + normal * 0.5, normal, normal * force));
            if index == 0 {
                contacts.push(contact([k, wall], bodies[k].position - normal * 0.5, normal, normal * force));
            }
        }
    }
    (bodies, contacts)
}

#[test]
fn stress_is_force_over_length() {
    let (bodies, contacts) = lattice(6);
    let names = Names::of(bodies.len());
    let view = names.frame(2, bodies, contacts);
    close(number(&view, "stress.volume"), 36.0, 1e-12);
    for (column, expected) in [("xx", 3.0), ("yy", 2.0), ("xy", 0.0), ("p", 2.5), ("q", 0.5), ("ratio", 1.5)]
    {
        close(number(&view, &format!("stress.{column}")), expected, 1e-12);
        // and in a box that cuts branches and bodies
        let inside = number(&view, &format!("stress.{column}:box=1.25,0,4.25,3"));
        close(inside, expected, 1e-12);
    }
    let profile = evaluate(&view, &Request::parse("stress_profile:axis=x:bins=5").unwrap()).unwrap();
    assert!(profile.values("xx").unwrap().iter().all(|xx| (xx - 3.0).abs() < 1e-12));
    let each = evaluate(&view, &Request::parse("body_stress").unwrap()).unwrap();
    assert_eq!(each.rows.len(), 36);
    // over the volume of a disk, not of its cell
    assert!(each.values("yy").unwrap().iter().all(|yy| (yy - 2.0 / (PI / 4.0)).abs() < 1e-12));
    close(number(&view, "void_ratio.solid_fraction"), PI / 4.0, 1e-12);
    close(number(&view, "void_ratio.solid_fraction:box=2,2,4,5"), PI / 4.0, 1e-12);
    close(number(&view, "void_ratio.solid_fraction:box=2.5,0,4.5,6"), PI / 4.0, 1e-12);
    close(number(&view, "void_ratio.solid_fraction:box=2.5,2.5,4.5,4.5"), PI / 4.0, 1e-2);
    close(number(&view, "coordination.points"), 4.0, 1e-12);
    // the walls are one body, which pushes the disks of the corners twice
    close(number(&view, "coordination"), 140.0 / 36.0, 1e-12);
    let profile = evaluate(&view, &Request::parse("profile:bins=7").unwrap()).unwrap();
    close(profile.values("solid_fraction").unwrap().iter().sum::<f64>() / 7.0, PI / 4.0, 1e-12);
}

/// In a cell that repeats the branch leads to the nearest image.
#[test]
fn stress_crosses_the_seam() {
    let bodies = vec![body(vector(0.1, 0.5, 0.0), 0.25), body(vector(0.6, 0.5, 0.0), 0.25)];
    let force = vector(4.0, 0.0, 0.0);
    let contacts = vec![
        contact([1, 0], vector(0.35, 0.5, 0.0), Vector::<3>::x(), force),
        contact([0, 1], vector(0.85, 0.5, 0.0), Vector::<3>::x(), force),
    ];
    let names = Names::of(2);
    let view = FrameView { periods: [Some(1.0), None], ..names.frame(2, bodies, contacts) };
    close(number(&view, "stress.volume"), 0.5, 1e-12);
    close(number(&view, "stress.xx"), 4.0 / 0.5, 1e-12);
}

/// Directions drawn evenly from a density `1 + a cos 2θ`, forces as Rothenburg and Bathurst write them.
#[test]
fn anisotropies_are_those_of_the_distribution() {
    let (a, a_n, a_t, turned) = (0.3, 0.4, 0.1, 0.5f64);
    let count = 20_000;
    let contacts: Vec<ContactView> = (0..count)
        .map(|k| {
            let share = (f64::from(k) + 0.5) / f64::from(count);
            let (mut low, mut high) = (0.0, TAU);
            for _ in 0..60 {
                let middle: f64 = 0.5 * (low + high);
                let below = (middle + 0.5 * a * (2.0 * middle).sin()) / TAU;
                if below < share { low = middle } else { high = middle }
            }
            let angle = low + turned;
            let normal = vector(angle.cos(), angle.sin(), 0.0);
            let tangent = vector(-angle.sin(), angle.cos(), 0.0);
            let force = normal * (1.0 + a_n * (2.0 * low).cos()) - tangent * (a_t * (2.0 * low).sin());
            contact([0, 1], Vector::zeros(), normal, force)
        })
        .collect();
    let found = anisotropy(contacts.iter(), 2);
    close(anisotropy_size(&found.contacts, 2), a, 1e-6);
    close(anisotropy_size(&found.normal, 2), a_n, 1e-6);
    close(anisotropy_size(&found.tangential, 2), a_t, 1e-6);
    let names = Names::of(2);
    let view = names.frame(2, vec![body(Vector::zeros(), 1.0); 2], contacts);
    close(number(&view, "fabric.direction"), turned.to_degrees(), 1e-3);
}

/// In space about an axis: `1 + b (3 cos² − 1)`, whose tensor is diag(−b, −b, 2b).
#[test]
fn anisotropies_in_space_are_those_of_the_distribution() {
    let (b, b_n, b_t) = (0.2, 0.15, 0.05);
    let count = 20_000;
    let contacts: Vec<ContactView> = (0..count)
        .map(|k| {
            let share = (f64::from(k) + 0.5) / f64::from(count);
            let (mut low, mut high) = (-1.0, 1.0);
            for _ in 0..60 {
                let c: f64 = 0.5 * (low + high);
                if 0.5 * (c + 1.0) + 0.5 * b * (c.powi(3) - c) < share { low = c } else { high = c }
            }
            let angle = f64::from(k) * TAU * 0.618_033_988_749_895;
            let sine = (1.0 - low * low).sqrt();
            let normal = vector(sine * angle.cos(), sine * angle.sin(), low);
            let along = vector(-b_t * normal[0], -b_t * normal[1], 2.0 * b_t * normal[2]);
            let force = normal * (1.0 + b_n * (3.0 * low * low - 1.0)) + along - normal * along.dot(&normal);
            contact([0, 1], Vector::zeros(), normal, force)
        })
        .collect();
    let found = anisotropy(contacts.iter(), 3);
    close(anisotropy_size(&found.contacts, 3), 3.0 * b, 1e-3);
    close(anisotropy_size(&found.normal, 3), 3.0 * b_n, 1e-3);
    close(anisotropy_size(&found.tangential, 3), 3.0 * b_t, 1e-3);
}

#[test]
fn exponents_are_those_of_the_distribution() {
    let (alpha, beta) = (0.3f64, 1.4f64);
    // as many weak ones as make the mean 1
    let (weak_mean, strong_mean) = ((1.0 - alpha) / (2.0 - alpha), 1.0 + 1.0 / beta);
    let weak_share = (strong_mean - 1.0) / (strong_mean - weak_mean);
    let count = 100_000;
    let weak = (f64::from(count) * weak_share) as u32;
    let quantile = |k: u32, of: u32| (f64::from(k) + 0.5) / f64::from(of);
    let forces: Vec<f64> = (0..weak)
        .map(|k| quantile(k, weak).powf(1.0 / (1.0 - alpha)))
        .chain((0..count - weak).map(|k| 1.0 - (1.0 - quantile(k, count - weak)).ln() / beta))
        .map(|f| 7.0 * f)
        .collect();
    let found = exponents(&forces);
    close(found.mean, 7.0, 1e-3);
    close(found.strong, beta, 5e-3);
    close(found.weak, alpha, 5e-3);
    close(found.weak_share, weak_share, 1e-3);
}

#[test]
fn rattlers_are_found_one_behind_the_other() {
    // 0–1–2 a ring, 3 hangs on it, 4 on 3, 5 alone
    let pairs = [[0, 1], [1, 2], [2, 0], [3, 0], [4, 3]];
    let push = |bodies| contact(bodies, Vector::zeros(), Vector::<3>::x(), Vector::<3>::x());
    let names = Names::of(6);
    let mut contacts: Vec<ContactView> = pairs.map(push).to_vec();
    // two points of one pair are one neighbour; an open contact is none
    contacts.push(push([0, 1]));
    contacts.push(ContactView { status: Status::Open, ..push([5, 1]) });
    let view = names.frame(2, vec![body(Vector::zeros(), 1.0); 6], contacts);
    close(number(&view, "coordination"), 10.0 / 6.0, 1e-12);
    close(number(&view, "coordination.points"), 12.0 / 6.0, 1e-12);
    close(number(&view, "coordination.without_rattlers"), 2.0, 1e-12);
    close(number(&view, "coordination.rattlers"), 0.5, 1e-12);
    close(number(&view, "coordination.rattlers:least=1"), 1.0 / 6.0, 1e-12);
}

#[test]
fn coordination_in_a_box_counts_its_bodies_and_all_their_neighbours() {
    // a row of six, of which the last two are in the box
    let push = |k: usize| contact([k, k + 1], Vector::zeros(), Vector::<3>::x(), Vector::<3>::x());
    let names = Names::of(6);
    let bodies: Vec<_> = (0..6).map(|k| body(Vector::<3>::x() * k as f64, 0.5)).collect();
    let view = names.frame(2, bodies, (0..5).map(push).collect());
    close(number(&view, "coordination"), 10.0 / 6.0, 1e-12);
    close(number(&view, "coordination:box=3.5,-1,9,1"), 1.5, 1e-12);
    close(number(&view, "coordination.points:box=3.5,-1,9,1"), 1.5, 1e-12);
    close(number(&view, "coordination.rattlers:box=3.5,-1,9,1:least=1"), 0.0, 1e-12);
    // the ends of the row fall off one behind the other
    close(number(&view, "coordination.rattlers:box=3.5,-1,9,1"), 1.0, 1e-12);
}

#[test]
fn strain_is_that_of_a_homogeneous_motion() {
    let (mut bodies, _) = lattice(6);
    bodies.pop();
    for body in &mut bodies {
        let x = body.position;
        body.position += vector(-0.02 * x[0] + 0.01 * x[1], 0.03 * x[0] + 0.01 * x[1], 0.0);
    }
    let names = Names::of(36);
    let view = names.frame(2, bodies, Vec::new());
    let field = evaluate(&view, &Request::parse("strain_field:reach=1.6").unwrap()).unwrap();
    assert_eq!(field.rows.len(), 36);
    for (column, expected) in
        [("xx", 0.02), ("yy", -0.01), ("xy", -0.02), ("volumetric", 0.01), ("shear", 0.05)]
    {
        let expected = if column == "shear" { (0.03f64).hypot(0.04) } else { expected };
        assert!(
            field.values(column).unwrap().iter().all(|value| (value - expected).abs() < 1e-12),
            "{column}"
        );
    }
    close(number(&view, "wall_strain:body=b0:other=b5:axis=x"), 0.02, 1e-12);
    close(number(&view, "displacement.size:body=b35"), (0.055f64).hypot(0.22), 1e-12);
}

/// A block on two points: the thrust lies where the moments balance.
#[test]
fn the_thrust_lies_where_moments_balance() {
    let mut bodies = vec![body(vector(0.3, 0.5, 0.0), 1.0), body(vector(0.0, -0.5, 0.0), 1.0)];
    // slid by 0.3 m to the right, where it began above the other
    bodies[0].start = Some(Pose::at(vector(0.0, 0.5, 0.0)));
    let up = Vector::<3>::y();
    let push = |x: f64, force: f64| contact([0, 1], vector(x, 0.0, 0.0), up, vector(0.1, force, 0.0));
    let contacts = vec![push(-1.0, 1.0), ContactView { gap: 0.01, ..push(1.0, 3.0) }];
    let names = Names::of(2);
    let view = names.frame(2, bodies, contacts);
    let all = joints(&view, &[true, false]);
    assert_eq!(all.len(), 1);
    let joint = &all[0];
    close(joint.thrust[0], 0.5, 1e-12);
    close(joint.eccentricity(), 0.5, 1e-12);
    close(joint.area, 2.0, 1e-12);
    close(joint.pressure(), 2.0, 1e-12);
    // the pressed part is 3 (1 − 0.5) = 1.5 m long, with a triangle of pressure above it
    close(joint.edge_pressure(), 2.0 * 4.0 / 1.5, 1e-12);
    let edge = MasonryJoint { thrust: vector(1.0 + 1e-15, 0.0, 0.0), ..joint.clone() };
    assert_eq!(edge.edge_pressure(), f64::INFINITY, "the edge bears all");
    close(joint.tangential_force(), 0.2, 1e-12);
    close(joint.opening, 0.01, 1e-12);
    close(joint.sliding.unwrap(), 0.3, 1e-12);
    close(number(&view, "joint_extremes.sliding"), 0.3, 1e-12);
    close(number(&view, "cut.force_y:point=0,0:normal=0,-1"), 4.0, 1e-12);
}

/// A patch in space: area and middle by its corners, the thrust by its forces.
#[test]
fn a_patch_in_space_has_its_area() {
    let up = Vector::<3>::z();
    let corners = [(0.0, 0.0, 1.0), (2.0, 1.0, 1.0), (0.0, 1.0, 0.0), (2.0, 0.0, 2.0)];
    let contacts: Vec<_> =
        corners.iter().map(|&(x, y, force)| contact([1, 0], vector(x, y, 0.0), -up, -up * force)).collect();
    let names = Names::of(2);
    let view = names.frame(3, vec![body(up, 1.0), body(-up, 1.0)], contacts);
    let all = joints(&view, &[true, true]);
    close(all[0].area, 2.0, 1e-12);
    close((all[0].middle - vector(1.0, 0.5, 0.0)).norm(), 0.0, 1e-12);
    close((all[0].thrust - vector(1.5, 0.25, 0.0)).norm(), 0.0, 1e-12);
    close(all[0].normal_force(), 4.0, 1e-12);
}

/// A column of three disks and one beside it on a floor.
fn column(builder: Builder) -> AnySimulation {
    builder
        .gravity([0.0, -10.0])
        .step(1e-3)
        .law("*", "*", Inelastic { friction: 0.3 })
        .body(Body::half_space().named("floor").group("ground"))
        .body(Body::disk(0.1).mass(1.0).at([0.0, 0.1]).named("low").group("sand"))
        .body(Body::disk(0.1).mass(2.0).at([0.0, 0.3]).named("middle").group("sand"))
        .body(Body::disk(0.1).mass(3.0).at([0.0, 0.5]).named("high").group("sand"))
        .body(Body::disk(0.1).mass(4.0).at([1.0, 0.1]).named("beside").group("other"))
        .build()
        .unwrap()
}

#[test]
fn a_running_simulation_answers_with_a_number() {
    let mut sim = column(Simulation::plane());
    let reference = Reference::of_any(&sim);
    sim.run_until(0.01).unwrap();
    let now = |request: &str| measure_now_any(&sim, &reference, &Request::parse(request).unwrap()).unwrap();
    close(now("reaction.force_y:body=floor"), -100.0, 1e-6);
    close(now("group_force.force_y:group=sand:with=ground"), 60.0, 1e-6);
    close(now("group_force.moment:group=other:with=ground"), 40.0, 1e-6);
    close(now("cut.force_y:point=0,0.4:normal=0,1"), -30.0, 1e-6);
    close(now("mass:group=sand"), 6.0, 1e-12);
    close(now("mass.bodies:box=-1,0.2,1,1"), 2.0, 1e-12);
    close(now("mass.volume"), 4.0 * PI * 0.01, 1e-12);
    close(now("extent.high_y"), 0.6, 1e-6);
    close(now("displacement.size"), 0.0, 1e-6);
    assert!(now("penetration") < 1e-6 && now("energy").abs() < 1e-9);
    close(now("coordination:group=sand"), 5.0 / 3.0, 1e-12);
    close(now("stress.yy:group=sand"), (60.0 * 0.1 + 50.0 * 0.2 + 30.0 * 0.2) / (0.2 * 0.6), 1e-3);
}

#[test]
fn a_flow_is_mass_over_time() {
    let bodies: Vec<BodyView> = (0..100)
        .map(|k| BodyView {
            velocity: vector(0.0, -2.0, 0.0),
            ..body(vector(0.0, 0.1 * k as f64, 0.0), 0.05)
        })
        .collect();
    let names = Names::of(100);
    let view = names.frame(2, bodies, Vec::new());
    let mass = PI * 0.05 * 0.05;
    // 20 bodies a second, seen in a slab of ten
    close(number(&view, "flow:point=0,5.05:normal=0,-1:reach=1"), 20.0 * mass, 1e-12);
    close(number(&view, "flow.behind:point=0,5.05:normal=0,-1"), 49.0 * mass, 1e-9);
}

#[test]
fn every_measure_bears_every_frame() {
    let mut sim = column(Simulation::plane());
    sim.run_until(0.003).unwrap();
    let names = Names::of(0);
    for dimension in [2, 3] {
        let empty = names.frame(dimension, Vec::new(), Vec::new());
        let full = FrameView { dimension, ..FrameView::of_any(&sim, &Reference::of_any(&sim)) };
        for entry in MEASURES.iter().filter(|entry| entry.only.is_none_or(|only| only == dimension)) {
            for view in [&empty, &full] {
                let mut request = Request { name: entry.name.into(), ..Request::default() };
                for key in entry.needs {
                    let value = match *key {
                        "body" | "other" => "low",
                        "point" => ["0,0", "0,0,0"][dimension - 2],
                        _ => "sand",
                    };
                    let text = format!("{}:{key}={value}", entry.name);
                    let one = Request::parse(&text).unwrap().parameters;
                    let all = &mut request.parameters;
                    all.body = one.body.or(all.body.take());
                    all.other = one.other.or(all.other.take());
                    all.point = one.point.or(all.point.take());
                    all.group = one.group.or(all.group.take());
                    all.with = one.with.or(all.with.take());
                }
                match evaluate(view, &request) {
                    Ok(found) => {
                        let columns = found.columns.len();
                        assert!(columns > 0, "{}", entry.name);
                        assert!(found.rows.iter().all(|(labels, values)| {
                            values.len() == columns && labels.len() == found.labels.len()
                        }));
                        assert!(found.rows.len() == 1 || entry.is_table, "{}", entry.name);
                    }
                    Err(error) => assert!(view.bodies.is_empty(), "{}: {error}", entry.name),
                }
            }
        }
    }
}

#[test]
fn names_and_keys_are_what_they_say() {
    for (index, entry) in MEASURES.iter().enumerate() {
        assert!(MEASURES[..index].iter().all(|other| other.name != entry.name));
        assert!(entry.keys.iter().all(|key| KEYS.iter().any(|(known, _)| known == key)), "{}", entry.name);
        assert!(entry.needs.iter().all(|key| entry.keys.contains(key)), "{}", entry.name);
    }
    let message = |text: &str| {
        let parsed = Request::parse(text);
        parsed.and_then(|request| request.check(2).map(drop)).unwrap_err().to_string()
    };
    assert!(message("stres").starts_with("no measure \"stres\"; there are: stress, "));
    assert!(message("stress:bins=3").contains("takes no \"bins\"; allowed is group, box"));
    assert!(message("stress:bin=3").contains("takes no \"bin\""));
    assert!(message("profile:bins=x").contains("bins is \"x\", allowed is a whole number"));
    assert!(message("stress:box=1,nan").contains("allowed is a finite number"));
    assert!(message("stress:oops").contains("KEY=VALUE"));
    assert!(message("cut").contains("needs \"point\""));
    let sim = column(Simulation::plane());
    let reference = Reference::of_any(&sim);
    let now = |text: &str| {
        let request = Request::parse(text).unwrap();
        measure_now_any(&sim, &reference, &request).unwrap_err().to_string()
    };
    assert!(now("stress.zz").contains("has no column \"zz\"; there are: xx, xy"));
    assert!(now("joints").contains("is a table"));
    assert!(now("stress:group=sad").contains("no group \"sad\""));
    assert!(now("reaction:body=bo").contains("no body \"bo\""));
    assert!(now("stress:box=0,0,1").contains("4 finite numbers"));
    assert!(now("stress:box=0,0,1,0").contains("higher along each axis"));
    let view = FrameView::of_any(&sim, &reference);
    let refused = |text: &str| evaluate(&view, &Request::parse(text).unwrap()).unwrap_err().to_string();
    assert!(refused("profile:bins=0").contains("from 1 to 1000000"));
    assert!(refused("profile:axis=z").contains("allowed is x, y"));
}

#[test]
fn strain_of_triangles_is_exact_and_its_mean_depends_on_the_rim_alone() {
    let shake = |k: usize| 0.3 * ((k as f64 * 0.618_033_988_7).fract() - 0.5);
    let is_rim = |k: usize| [k % 8, k / 8].iter().any(|place| [0, 7].contains(place));
    let gradient = [[0.01, 0.03], [-0.005, -0.02]];
    let frame = |stir: f64| {
        let one = |k: usize| {
            let inner = if is_rim(k) { 0.0 } else { 1.0 };
            let start =
                vector((k % 8) as f64 + inner * shake(k), (k / 8) as f64 + inner * shake(k + 99), 0.0);
            let moved = |row: [f64; 2]| row[0] * start[0] + row[1] * start[1] + stir * inner * shake(k + 7);
            let position = start + vector(moved(gradient[0]), moved(gradient[1]), 0.0);
            let orientation = Orientation::identity();
            let start = Some(Pose { position: start, orientation });
            BodyView { start, ..body(position, 0.5) }
        };
        (0..64).map(one).collect::<Vec<_>>()
    };
    let names = Names::of(64);
    let straight = names.frame(2, frame(0.0), Vec::new());
    let table = evaluate(&straight, &Request::parse("triangle_strain").unwrap()).unwrap();
    // 64 points, 28 of them on the hull
    assert_eq!(table.rows.len(), 2 * 64 - 2 - 28);
    for (column, expected) in [("xx", -0.01), ("xy", -0.0125), ("yy", 0.02), ("rotation", -0.0175)] {
        table.values(column).unwrap().into_iter().for_each(|found| close(found, expected, 1e-12));
    }
    close(table.values("area").unwrap().iter().sum(), 49.0, 1e-9);
    let stirred = names.frame(2, frame(0.1), Vec::new());
    let spread = evaluate(&stirred, &Request::parse("triangle_strain").unwrap()).unwrap();
    assert!(spread.values("xx").unwrap().iter().any(|found| (found + 0.01).abs() > 0.01));
    close(number(&stirred, "mean_strain.xx"), -0.01, 1e-12);
    close(number(&stirred, "mean_strain.yy"), 0.02, 1e-12);
    close(number(&stirred, "mean_strain.volumetric"), 0.01, 1e-12);
    close(number(&stirred, "mean_strain.shear"), 0.03f64.hypot(0.025), 1e-12);
    assert_eq!(number(&stirred, "mean_strain.triangles:reach=0.5"), 0.0);
}

#[test]
fn the_outline_of_a_lattice_is_its_rim() {
    let (bodies, _) = lattice(6);
    let names = Names::of(bodies.len());
    let view = names.frame(2, bodies, Vec::new());
    close(number(&view, "outline.area"), 25.0, 1e-12);
    close(number(&view, "outline.length:reach=0.3"), 20.0, 1e-12);
}

/// Two stones that share an edge meet in a patch as wide as rounding: no pressure, and no largest one.
#[test]
fn a_sliver_of_a_joint_has_no_pressure() {
    let up = Vector::<3>::z();
    let patch = |width: f64, bodies: [usize; 2]| {
        [(0.0, 0.0), (1.0, 0.0), (1.0, width), (0.0, width)]
            .map(|(x, y)| contact(bodies, vector(x, y, 0.0), up, up * 25.0))
    };
    let names = Names::of(3);
    let bodies = || vec![body(up, 1.0), body(-up, 1.0), body(-up, 1.0)];
    let with = |width: f64| {
        let contacts = [patch(0.5, [0, 1]), patch(width, [0, 2])].concat();
        let view = names.frame(3, bodies(), contacts);
        ["pressure", "edge_pressure", "joints", "without_area"]
            .map(|column| number(&view, &format!("joint_extremes.{column}")))
    };
    let [pressure, edge, joints, without] = with(1e-17);
    close(pressure, 100.0 / 0.5, 1e-9);
    close(edge, 100.0 / 0.5, 1e-9);
    assert!(joints == 2.0 && without == 1.0);
    // twice the least area counts
    let [pressure, _, _, without] = with(2.0 * crate::LEAST_AREA);
    close(pressure, 100.0 / (2.0 * crate::LEAST_AREA), 1.0);
    assert_eq!(without, 0.0);
}

/// What contacts dissipate one by one adds up to what the run did, cause by cause.
#[test]
fn dissipation_of_contacts_adds_up_to_that_of_the_run() {
    let mut sim = Simulation::plane()
        .gravity([0.0, -10.0])
        .step(1e-3)
        .law("*", "*", Inelastic { friction: 0.3 })
        .body(Body::half_space().named("floor").group("ground"))
        .body(
            Body::block([0.4, 0.2])
                .mass(1.0)
                .at([0.0, 0.1])
                .velocity([2.0, 0.0])
                .named("slides")
                .group("sand"),
        )
        .body(Body::disk(0.1).mass(2.0).at([2.0, 0.102]).named("falls").group("rain"))
        .build()
        .unwrap();
    let reference = Reference::of_any(&sim);
    let now = |sim: &AnySimulation, text: &str| {
        measure_now_any(sim, &reference, &Request::parse(text).unwrap()).unwrap()
    };
    let (mut friction, mut shocks, mut rain) = (0.0, 0.0, 0.0);
    for step in 1..=50 {
        sim.run_until(1e-3 * f64::from(step)).unwrap();
        friction += now(&sim, "dissipation.friction") * 1e-3;
        shocks += now(&sim, "dissipation.shocks") * 1e-3;
        rain += now(&sim, "dissipation:group=rain") * 1e-3;
    }
    let energy = sim.energy();
    close(friction, energy.friction, 1e-12);
    close(shocks, energy.shocks, 1e-12);
    // 3 N over the way, and all that the disk had when it touched
    assert!(friction > 0.25 && friction < 0.3, "{friction}");
    assert!(rain > 0.03 && rain < 0.05 && shocks >= rain - 1e-9, "{rain} {shocks}");
    let view = FrameView::of_any(&sim, &reference);
    let table = evaluate(&view, &Request::parse("contact_dissipation:group=sand").unwrap()).unwrap();
    assert_eq!(table.labels, ["body", "other"]);
    let sum: f64 = table.values("friction").unwrap().iter().sum();
    close(sum, now(&sim, "dissipation.friction:group=sand"), 1e-9);
    // a frame of a file that does not tell
    let silent = view.contacts.iter().map(|contact| ContactView { power: None, ..*contact }).collect();
    let view = FrameView { contacts: silent, ..view };
    let error = evaluate(&view, &Request::parse("dissipation").unwrap()).unwrap_err().to_string();
    assert!(error.contains("what each contact dissipated"), "{error}");
}

/// Particles on a shaken lattice; those above a line through the middle slid along it.
#[test]
fn the_angle_of_a_band_is_that_of_the_line_along_which_a_sample_slid() {
    let shake = |k: usize| 0.4 * ((k as f64 * 0.618_033_988_7).fract() - 0.5);
    for degrees in [40.0f64, 50.0, 60.0, 120.0] {
        let along = vector(degrees.to_radians().cos(), degrees.to_radians().sin(), 0.0);
        let across = vector(-along[1], along[0], 0.0);
        let one = |k: usize| {
            let start = vector((k % 20) as f64 + shake(k), (k / 20) as f64 + shake(k + 991), 0.0);
            let beyond = (start - vector(9.5, 19.5, 0.0)).dot(&across);
            // a band two grains wide, and a little compression of all
            let slid = along * (-0.5 * (beyond / 2.0).clamp(-1.0, 1.0));
            let position = start + slid + vector(0.002 * start[0], -0.004 * start[1], 0.0);
            let orientation = Orientation::identity();
            BodyView { start: Some(Pose { position: start, orientation }), ..body(position, 0.5) }
        };
        let names = Names::of(800);
        let view = names.frame(2, (0..800).map(one).collect(), Vec::new());
        // directions that mirror each other about the axes count as one
        let expected = degrees.min(180.0 - degrees);
        close(number(&view, "shear_band"), expected, 2.0);
    }
}
