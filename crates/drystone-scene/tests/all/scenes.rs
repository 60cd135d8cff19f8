//! Scenes as a whole: what the files of the project say, what comes out of them, and that nothing is lost on
//! the way through a file.

use drystone::{AnySimulation, Gyroscopic, Simulation, Vector};
use drystone_scene::{Scene, check, schema};
use serde_json::Value;
use std::path::PathBuf;

/// Every scene file of the project, and the two full ones of the tests.
fn files() -> Vec<PathBuf> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![here.join("tests/full-2d.toml"), here.join("tests/full-3d.toml")];
    for folder in ["../../scenes", "../../scenes/deformable", "../../scenes/validation"] {
        let entries = std::fs::read_dir(here.join(folder)).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml")));
    }
    assert!(files.len() >= 4);
    files.sort();
    files
}

fn read(path: &PathBuf) -> Scene {
    Scene::from_file(path).unwrap_or_else(|error| panic!("{error}"))
}

fn plane(text: &str) -> Simulation<2> {
    match Scene::parse(text, "scene.toml").and_then(|scene| scene.build()) {
        Ok(AnySimulation::Plane(simulation)) => simulation,
        Ok(AnySimulation::Space(_)) => panic!("a scene in space"),
        Err(error) => panic!("{error}"),
    }
}

fn space(text: &str) -> Simulation<3> {
    match Scene::parse(text, "scene.toml").and_then(|scene| scene.build()) {
        Ok(AnySimulation::Space(simulation)) => simulation,
        Ok(AnySimulation::Plane(_)) => panic!("a scene in the plane"),
        Err(error) => panic!("{error}"),
    }
}

/// Hash of the state after a few steps.
fn bits(scene: &Scene, steps: usize) -> u64 {
    match scene.build().unwrap_or_else(|error| panic!("{error}")) {
        AnySimulation::Plane(mut simulation) => {
            (0..steps).for_each(|_| _ = simulation.step());
            simulation.state_hash()
        }
        AnySimulation::Space(mut simulation) => {
            (0..steps).for_each(|_| _ = simulation.step());
            simulation.state_hash()
        }
    }
}

#[test]
fn a_scene_without_a_solver_takes_the_one_of_the_library() {
    let simulation = plane(include_str!("../../../../scenes/falling-disk.toml"));
    assert_eq!(simulation.settings().solver, drystone::SolverParams::default());
}

#[test]
fn the_smallest_scene_is_small() {
    let text = include_str!("../../../../scenes/falling-disk.toml");
    assert!(text.lines().count() <= 15);
}

#[test]
fn writing_and_reading_gives_the_same_scene_and_the_same_bits() {
    for path in files() {
        let scene = read(&path);
        let text = scene.to_toml();
        let again = Scene::parse(&text, "again.toml").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again, scene, "{}", path.display());
        assert_eq!(again.to_toml(), text, "{}", path.display());
        assert_eq!(bits(&again, 0), bits(&scene, 0), "{}", path.display());
        assert_eq!(bits(&again, 5), bits(&scene, 5), "{}", path.display());
        let spec = Scene::from_spec(scene.to_spec()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(spec, scene, "{}", path.display());
    }
}

#[test]
fn defaults_are_written_out() {
    let text = Scene::parse(include_str!("../../../../scenes/falling-disk.toml"), "x")
        .map(|s| s.to_toml())
        .unwrap_or_default();
    for line in [
        "theta = 0.5",
        "gravity = [0.0, -9.81]",
        "interval = 0.01",
        "tolerance = 0.000001",
        "group = \"default\"",
        "polish = true",
        "[solver.auto]",
        "rental_share = 0.2",
        "lane_visit_ns = 7.0",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

#[test]
fn a_disk_falls_and_rests() {
    let mut simulation = plane(include_str!("../../../../scenes/falling-disk.toml"));
    (0..1000).for_each(|_| _ = simulation.step());
    let y = simulation.bodies().pose[1].position[1];
    assert!((y - 0.1).abs() < 1e-3, "{y}");
}

#[test]
fn mass_properties_of_the_plane() {
    let simulation = plane(include_str!("../full-2d.toml"));
    let bodies = simulation.bodies();
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} is not {b}");
    // block: a rectangle of stone
    let mass = 2600.0 * 0.2 * 0.1;
    close(bodies.mass[1][0], mass);
    close(bodies.mass[1][2], mass * (0.2f64.powi(2) + 0.1f64.powi(2)) / 12.0);
    assert_eq!(bodies.pose[1].position, Vector::<2>::new(0.0, 0.05));
    close(bodies.pose[1].angle(), std::f64::consts::PI);
    assert_eq!(bodies.velocity[1], [0.1, 0.0, 0.3]);
    // wedge: given far from its origin, turned about it
    let centroid = Vector::<2>::new(10.1, 10.0 + 0.2 / 3.0);
    let (sin, cos) = 0.3f64.sin_cos();
    let turned =
        Vector::<2>::new(cos * centroid[0] - sin * centroid[1], sin * centroid[0] + cos * centroid[1]);
    assert!((bodies.pose[2].position - turned).norm() < 1e-12);
    close(bodies.mass[2][0], 2000.0 * 0.03);
    let inertia = 2000.0 * 0.03 * (0.3f64.powi(2) + 0.2f64.powi(2)) / 18.0;
    assert!((bodies.mass[2][2] - inertia).abs() < 1e-9 * inertia);
    // its vertices stand where the file says
    let contactor = &simulation.contactors()[2];
    let drystone::Shape::Polytope(polytope) = &contactor.shape else { panic!("not a polytope") };
    let place = bodies.pose[2].compose(&contactor.local);
    let corner = Vector::<2>::new(10.3, 10.0);
    let corner = Vector::<2>::new(cos * corner[0] - sin * corner[1], sin * corner[0] + cos * corner[1]);
    assert!(polytope.vertices().iter().any(|v| (place.to_world(v) - corner).norm() < 1e-12));
    assert!(bodies.radius[2] < 0.3);
    // ball: by hand
    assert_eq!(bodies.mass[3], Vector::<3>::new(3.0, 3.0, 0.1).into());
    assert_eq!(bodies.driven[3], [Some(0.1), None, Some(0.0)].into());
    assert_eq!(bodies.load[3], Vector::<3>::new(1.0, 0.0, 2.0).into());
    assert!(bodies.is_driven(0) && bodies.radius[0].is_infinite());
    let groups: Vec<u32> = bodies.group.iter().map(|group| group.0).collect();
    assert_eq!(groups, [0, 1, 1, 2, 1, 1, 1]);
}

#[test]
fn principal_axes_of_space() {
    let simulation = space(include_str!("../full-3d.toml"));
    let bodies = simulation.bodies();
    // block: the shape's axes are principal and stay so exactly
    assert_eq!(simulation.contactors()[1].local, drystone::Pose::identity());
    assert_eq!(bodies.velocity[1][3..], [0.1, 0.2, 0.3]);
    assert_eq!(bodies.gyroscopic[1], Gyroscopic::Implicit);
    let mass = 2600.0 * 0.4 * 0.2 * 0.1;
    assert!((bodies.mass[1][3] - mass * (0.04 + 0.01) / 12.0).abs() < 1e-12 * mass);
    // skew: the spin in world axes is what the file says about the shape's axes
    let contactor = &simulation.contactors()[2];
    let place = bodies.pose[2].compose(&contactor.local);
    let asked = drystone::Pose::<3>::orientation_from_wxyz([0.8, 0.0, 0.0, 0.6]);
    assert!(place.orientation.angle_to(&asked) < 1e-14);
    let spin = bodies.twist(2).spin();
    assert!((bodies.pose[2].orientation * spin - asked * Vector::<3>::new(0.1, 0.2, 0.3)).norm() < 1e-14);
    let origin = place.to_world(&-Vector::<3>::new(0.25, 0.5, 0.75));
    assert!((origin - Vector::<3>::new(3.0, 0.0, 0.0)).norm() < 1e-13);
    // the inertia about its axes is that of the shape: a tetrahedron with legs a, b, c on the axes
    let [a, b, c] = [1.0, 2.0, 3.0];
    let mass = 1000.0 * a * b * c / 6.0;
    let second = |x: f64, y: f64, same: bool| mass * x * y * if same { 3.0 / 80.0 } else { -1.0 / 80.0 };
    let legs = [a, b, c];
    let moment = |i: usize, j: usize| second(legs[i], legs[j], i == j);
    let trace = moment(0, 0) + moment(1, 1) + moment(2, 2);
    let to_shape = contactor.local.orientation.inverse();
    let frame = to_shape.to_rotation_matrix();
    let diagonal = drystone::Matrix::<3, 3>::from_diagonal(&bodies.mass[2].spin());
    let rebuilt = frame * diagonal * frame.inverse();
    for i in 0..3 {
        for j in 0..3 {
            let expected = if i == j { trace } else { 0.0 } - moment(i, j);
            assert!((rebuilt[(i, j)] - expected).abs() < 1e-12 * trace, "{i} {j}");
        }
    }
    // closed: moments by hand, in the shape's axes
    assert_eq!(*bodies.mass[3], [4.0, 4.0, 4.0, 0.3, 0.2, 0.25]);
    assert_eq!(simulation.contactors()[3].local.orientation, drystone::Orientation::identity());
    // ball: no gyroscopic moment to care for
    assert_eq!(bodies.gyroscopic[4], Gyroscopic::Omitted);
    assert_eq!(bodies.driven[4], [None, None, None, Some(1.0), None, None].into());
}

#[test]
fn a_tensor_is_the_inertia_of_the_body_in_the_axes_of_its_shape() {
    // the tensor of the skew tetrahedron, by hand: the body must be the one whose inertia comes from the
    // shape
    let of_the_shape = space(include_str!("../full-3d.toml"));
    let mass = 1000.0;
    let entry = |i: usize, j: usize| -> f64 {
        let legs = [1.0, 2.0, 3.0];
        let second = |i: usize, j: usize| legs[i] * legs[j] * if i == j { 3.0 } else { -1.0 } / 80.0;
        let trace = (0..3).map(|k| second(k, k)).sum::<f64>();
        mass * (if i == j { trace } else { 0.0 } - second(i, j))
    };
    let rows: Vec<String> = (0..3).map(|i| format!("{:?}", [0, 1, 2].map(|j| entry(i, j)))).collect();
    let given = format!("mass = 1000\ninertia = [{}]", rows.join(", "));
    let text = include_str!("../full-3d.toml");
    let at = text.find("name = \"skew\"").expect("the body");
    let (head, tail) = text.split_at(at);
    assert!(tail.contains("density = 1000\n"));
    let by_hand = space(&format!("{head}{}", tail.replacen("density = 1000", &given, 1)));
    let [shape, hand] = [of_the_shape.bodies(), by_hand.bodies()];
    assert!((shape.mass[2] - hand.mass[2]).norm() < 1e-12 * shape.mass[2].norm());
    assert!((shape.pose[2].position - hand.pose[2].position).norm() < 1e-13);
    assert!(shape.pose[2].orientation.angle_to(&hand.pose[2].orientation) < 1e-12);
    assert!((shape.twist(2) - hand.twist(2)).norm() < 1e-12);
    let own = hand.own_axes[2] * hand.twist(2).spin();
    assert!((own - Vector::<3>::new(0.1, 0.2, 0.3)).norm() < 1e-14);
}

#[test]
fn a_full_spin_drive_is_turned_to_principal_axes() {
    let text = include_str!("../full-3d.toml").replace(
        "spin = [0.1, 0.2, 0.3]\ndrive = { x = 0.5 }",
        "drive = { spin_x = 1, spin_y = 2, spin_z = 3 }",
    );
    let simulation = space(&text);
    let bodies = simulation.bodies();
    let spin = bodies.twist(2).spin();
    let turned = simulation.contactors()[2].local.orientation.inverse() * spin;
    assert!((turned - Vector::<3>::new(1.0, 2.0, 3.0)).norm() < 1e-14);
    assert!(bodies.driven[2][3..].iter().all(Option::is_some) && bodies.driven[2][0].is_none());
}

#[test]
fn laws_by_group_and_wildcard() {
    // a disk dropped on the floor keeps half its speed where the specific pair says so, none where the
    // wildcard does
    let scene = |law: &str| {
        let text = format!(
            "dimension = 2\ngravity = [0, 0]\ntime = {{ step = 1e-3, duration = 1 }}\n\
             [[body]]\nname = \"floor\"\ngroup = \"floor\"\nshape.line = {{}}\nfixed = true\n\
             [[body]]\nname = \"a\"\ngroup = \"a\"\nshape.disk.radius = 1\ndensity = 1000\n\
             position = [0, 1.0005]\nvelocity = [0, -1]\n\
             [[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0\n{law}"
        );
        let mut simulation = plane(&text);
        (0..10).for_each(|_| _ = simulation.step());
        simulation.bodies().velocity[1][1]
    };
    assert!(scene("").abs() < 1e-9);
    let specific = "[[law]]\nbetween = [\"floor\", \"a\"]\nrestitution = { normal = 0.5, friction = 0 }";
    assert!((scene(specific) - 0.5).abs() < 1e-9);
}

#[test]
fn the_check_reports_overlaps_ratios_and_slips() {
    let text = "dimension = 2\ntime = { step = 0.1, duration = 1 }\nsolver.tolerance = 0.01\n\
                [[body]]\nname = \"floor\"\nshape.line = {}\nfixed = true\n\
                [[body]]\nname = \"big\"\nshape.disk.radius = 10\ndensity = 1000\nposition = [0, 9.5]\n\
                [[body]]\nname = \"small\"\nshape.disk.radius = 0.01\ndensity = 1\nposition = [50, 1]\n\
                [[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.5\n";
    let scene = Scene::parse(text, "x.toml").unwrap_or_else(|error| panic!("{error}"));
    let report = check(&scene).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((report.bodies, report.driven, report.steps), (3, 1, 10));
    assert_eq!(report.overlap_count, 1);
    assert!((report.overlaps[0].depth - 0.5).abs() < 1e-12);
    let mut pair = report.overlaps[0].bodies.clone();
    pair.sort();
    assert_eq!(pair, ["big", "floor"]);
    let mass = report.mass_ratio.clone().map(|mass| (mass.largest_body, mass.smallest_body, mass.ratio));
    let Some((largest, smallest, ratio)) = mass else { panic!("no mass ratio") };
    assert_eq!((largest.as_str(), smallest.as_str()), ("big", "small"));
    assert!((ratio / 1e9 - 1.0).abs() < 1e-9);
    for word in ["overlap", "times as heavy", "falls", "tolerance", "density"] {
        assert!(
            report.warnings.iter().any(|warning| warning.contains(word)),
            "{word}: {:?}",
            report.warnings
        );
    }
    assert_eq!(report.warnings.len(), 5);
    assert!(report.memory_bytes > 0 && report.output_bytes > 0);
    let shown = report.to_string();
    assert!(shown.contains("\"big\" and \"floor\"") || shown.contains("\"floor\" and \"big\""), "{shown}");
    assert!(serde_json::to_value(&report).is_ok_and(|value| value["warnings"].is_array()));
    // a good scene gives no warning, and blocks laid one on the other do not overlap
    let good = read(&files().into_iter().find(|path| path.ends_with("stack.toml")).unwrap_or_default());
    let report = check(&good).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((report.overlap_count, report.warnings), (0, Vec::new()));
}

/// Follows references and alternatives of a schema to every place that may describe a value.
fn resolve<'a>(root: &'a Value, schema: &'a Value, out: &mut Vec<&'a Value>) {
    let reference = schema["$ref"].as_str().map(|name| name.trim_start_matches('#'));
    if let Some(target) = reference.and_then(|name| root.pointer(name)) {
        resolve(root, target, out);
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        schema[key].as_array().into_iter().flatten().for_each(|inner| resolve(root, inner, out));
    }
    out.push(schema);
}

fn conforms(root: &Value, schema: &Value, value: &Value, path: &str) {
    let mut places = Vec::new();
    resolve(root, schema, &mut places);
    match value {
        Value::Object(entries) => {
            for (key, inner) in entries {
                let known = places.iter().find_map(|place| place["properties"].get(key));
                let free =
                    places.iter().map(|place| &place["additionalProperties"]).find(|other| other.is_object());
                match known.or(free) {
                    Some(inner_schema) => conforms(root, inner_schema, inner, &format!("{path}.{key}")),
                    None => panic!("{path}.{key} is not in the schema"),
                }
            }
        }
        Value::Array(items) => {
            let inner = places.iter().map(|place| &place["items"]).filter(|items| items.is_object());
            let inner: Vec<&Value> = inner.collect();
            assert!(!inner.is_empty(), "{path} is no array in the schema");
            let any = serde_json::json!({ "anyOf": inner });
            items.iter().for_each(|item| conforms(root, &any, item, &format!("{path}[]")));
        }
        _ => {}
    }
}

#[test]
fn every_scene_conforms_to_the_schema() {
    let schema = schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for text in [text, read(&path).to_toml()] {
            let value: toml::Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{error}"));
            let value = serde_json::to_value(value).unwrap_or_default();
            conforms(&schema, &schema, &value, &path.display().to_string());
        }
    }
}

/// Every key has a description, and a default in its schema or in its words.
fn described(value: &Value, path: &str) -> usize {
    let mut count = 0;
    if let Some(properties) = value["properties"].as_object() {
        for (key, property) in properties {
            // the tag of a shape is described by its alternative, one level up
            let text = property["description"].as_str().or(value["description"].as_str()).unwrap_or("");
            assert!(!text.is_empty(), "{path}.{key} has no description");
            let required = value["required"].as_array().is_some_and(|all| all.iter().any(|one| one == key));
            assert!(
                required || property.get("default").is_some() || text.contains("default"),
                "{path}.{key}: {text}"
            );
            assert!(!text.contains('\\'), "{text}");
            count += 1;
        }
    }
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(entries) => {
            entries.iter().map(|(key, inner)| (format!("{path}/{key}"), inner)).collect()
        }
        Value::Array(items) => {
            items.iter().enumerate().map(|(k, inner)| (format!("{path}/{k}"), inner)).collect()
        }
        _ => Vec::new(),
    };
    count + inner.iter().map(|(path, inner)| described(inner, path)).sum::<usize>()
}

#[test]
fn every_key_of_the_schema_is_described() {
    assert!(described(&schema(), "") > 60);
}
