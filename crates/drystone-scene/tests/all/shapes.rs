//! Every shape of the scene file: what it weighs, what is refused, and that a scene with meshes stands alone.

use drystone::{AnySimulation, Matrix, Vector};
use drystone_scene::{Scene, SceneError};
use std::f64::consts::PI;
use std::fmt::Write;

fn scene_of(dimension: usize, shape: &str, rest: &str) -> String {
    format!(
        "dimension = {dimension}\ntime = {{ step = 1e-3, duration = 1.0 }}\nlaw = [{{ between = [\"*\", \"*\"], inelastic.friction = 0.5 }}]\n\
         [[body]]\nname = \"it\"\n{rest}\n{shape}\n"
    )
}

/// Mass, centre in world axes, and moments of the only body: in the plane the one about z, in space the
/// principal ones.
fn weigh(dimension: usize, shape: &str) -> (f64, Vec<f64>, Vec<f64>) {
    let text = scene_of(dimension, shape, "density = 1.0");
    let scene = Scene::parse(&text, "it.toml").unwrap_or_else(|error| panic!("{error}"));
    match scene.build().unwrap() {
        AnySimulation::Plane(simulation) => {
            let bodies = simulation.bodies();
            let mass = bodies.mass[0];
            (mass[0], bodies.pose[0].position.as_slice().to_vec(), vec![mass[2]])
        }
        AnySimulation::Space(simulation) => {
            let bodies = simulation.bodies();
            let mass = bodies.mass[0];
            (mass[0], bodies.pose[0].position.as_slice().to_vec(), mass[3..].to_vec())
        }
    }
}

fn refused(dimension: usize, shape: &str, rest: &str) -> SceneError {
    match Scene::parse(&scene_of(dimension, shape, rest), "it.toml") {
        Err(error) => error,
        Ok(_) => panic!("accepted: {shape}"),
    }
}

#[track_caller]
fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() <= 1e-12 * wanted.abs().max(1.0), "{found} instead of {wanted}");
}

#[test]
fn simple_shapes_weigh_what_they_should() {
    let (mass, _, inertia) = weigh(2, "shape.capsule = { length = 2.0, radius = 0.5 }");
    near(mass, 2.0 + 0.25 * PI);
    assert!(inertia[0] > mass * 4.0 / 12.0);
    let (mass, ..) = weigh(2, "shape.rounded_rectangle = { size = [2.0, 1.0], radius = 0.25 }");
    near(mass, 2.0 - (4.0 - PI) * 0.0625);
    let (mass, _, inertia) = weigh(3, "shape.cylinder = { radius = 0.5, height = 2.0 }");
    near(mass, 0.5 * PI);
    near(inertia[2], 0.5 * mass * 0.25);
    let (mass, ..) = weigh(3, "shape.capsule = { length = 2.0, radius = 0.5 }");
    near(mass, 0.5 * PI + PI / 6.0);
}

const ELL: &str = "[[0, 0], [2, 0], [2, 1], [1, 1], [1, 3], [0, 3]]";

#[test]
fn polygons_that_are_not_convex_are_cut_or_kept_but_never_filled() {
    // two rectangles: 2 × 1 about (1, 0.5), and 1 × 2 about (0.5, 2)
    for treat in ["decompose", "surface"] {
        let (mass, centre, inertia) =
            weigh(2, &format!("shape.polygon = {{ vertices = {ELL}, treat = \"{treat}\" }}"));
        near(mass, 4.0);
        near(centre[0], 0.75);
        near(centre[1], 1.25);
        let steiner = |dx: f64, dy: f64| 2.0 * (5.0 / 12.0 + dx * dx + dy * dy);
        near(inertia[0], steiner(0.25, 0.75) + steiner(0.25, 0.75));
    }
    let error = refused(2, &format!("shape.polygon = {{ vertices = {ELL} }}"), "density = 1.0");
    assert!(
        error.message.contains("not convex at vertex 3") && error.message.contains("decompose"),
        "{error}"
    );
}

#[test]
fn overlapping_disks_count_once() {
    // two disks of radius 1 whose centres are 1 apart share 2π/3 − √3/2
    let shape = "shape.cluster.shapes = [{ shape.disk.radius = 1.0 }, { shape.disk.radius = 1.0, position = [0.6, 0.8] }]";
    let (mass, centre, inertia) = weigh(2, shape);
    near(mass, 2.0 * PI - (2.0 * PI / 3.0 - 0.75f64.sqrt()));
    near(centre[0], 0.3);
    near(centre[1], 0.4);
    // a circle cut off by the chord half way: by Green's theorem about the middle of the chord
    let half = |f: &dyn Fn(f64) -> f64| {
        let n = 200_000;
        let step = 1.5 / f64::from(n);
        // the part of one disk on its own side of the chord, in strips across the line of centres
        (0..n).map(|k| f(-1.0 + (f64::from(k) + 0.5) * step) * step).sum::<f64>()
    };
    let strip = |x: f64| {
        let (high, away) = ((1.0 - x * x).max(0.0).sqrt(), x - 0.5);
        2.0 * high * away * away + 2.0 * high.powi(3) / 3.0
    };
    let wanted = 2.0 * half(&strip);
    assert!((inertia[0] - wanted).abs() < 1e-7 * wanted, "{} {wanted}", inertia[0]);
}

#[test]
fn a_cross_of_boxes_is_its_outline() {
    let boxes = "shape.cluster.shapes = [{ shape.box.size = [3, 1] }, { shape.box.size = [1, 3] }]";
    let cross = "shape.polygon = { treat = \"decompose\", vertices = [[0.5, 0.5], [0.5, 1.5], [-0.5, 1.5], [-0.5, 0.5], [-1.5, 0.5], \
                 [-1.5, -0.5], [-0.5, -0.5], [-0.5, -1.5], [0.5, -1.5], [0.5, -0.5], [1.5, -0.5], [1.5, 0.5]] }";
    let (one, other) = (weigh(2, boxes), weigh(2, cross));
    near(one.0, 5.0);
    near(one.0, other.0);
    near(one.2[0], other.2[0]);
    // turned and moved, the same
    let turned = "angle_degrees = 30\nposition = [5.0, 1.0]\n".to_owned()
        + "shape.cluster.shapes = [{ shape.box.size = [3, 1], angle_degrees = 17 }, { shape.box.size = [1, 3], angle_degrees = 17 }]";
    near(weigh(2, &turned).2[0], one.2[0]);
}

/// Union of random figures against a fine grid.
#[test]
fn unions_of_all_figures_agree_with_a_grid() {
    let shape = "shape.cluster.shapes = [{ shape.box.size = [2.0, 0.5], angle_degrees = 20 }, \
         { shape.disk.radius = 0.6, position = [0.8, 0.3] }, { shape.capsule = { length = 1.5, radius = 0.3 }, angle_degrees = 70 }, \
         { shape.rounded_rectangle = { size = [1.0, 0.8], radius = 0.2 }, position = [-0.7, -0.1] }, \
         { shape.polygon.vertices = [[-1, -1], [0.2, -0.6], [-0.3, 0.9]] }]";
    let (mass, centre, inertia) = weigh(2, shape);
    let n = 2000;
    let step = 4.0 / f64::from(n);
    let (mut area, mut first, mut second) = (0.0, [0.0; 2], 0.0);
    for k in 0..n * n {
        let p = [f64::from(k % n), f64::from(k / n)].map(|i| -2.0 + (i + 0.5) * step);
        if covered(p) {
            area += step * step;
            first[0] += p[0] * step * step;
            first[1] += p[1] * step * step;
            second += (p[0] * p[0] + p[1] * p[1]) * step * step;
        }
    }
    let [x, y] = first.map(|sum: f64| sum / area);
    let about = second - area * (x * x + y * y);
    assert!((mass / area - 1.0).abs() < 1e-4, "{mass} {area}");
    assert!((centre[0] - x).abs() < 1e-4 && (centre[1] - y).abs() < 1e-4);
    assert!((inertia[0] / about - 1.0).abs() < 1e-3, "{} {about}", inertia[0]);
}

/// Whether the cluster of the test above covers a point, by the plain definition of each figure.
fn covered([x, y]: [f64; 2]) -> bool {
    let turned = |degrees: f64| {
        let (s, c) = degrees.to_radians().sin_cos();
        [c * x + s * y, c * y - s * x]
    };
    let [a, b] = turned(20.0);
    let bar = a.abs() <= 1.0 && b.abs() <= 0.25;
    let disk = (x - 0.8).hypot(y - 0.3) <= 0.6;
    let [a, b] = turned(70.0);
    let capsule = a.hypot((b.abs() - 0.75).max(0.0)) <= 0.3;
    let (a, b) = ((x + 0.7).abs() - 0.3, (y + 0.1).abs() - 0.2);
    let rounded = a.max(0.0).hypot(b.max(0.0)) <= 0.2;
    let corners = [[-1.0, -1.0], [0.2, -0.6], [-0.3, 0.9]];
    let triangle = (0..3).all(|k| {
        let ([p, q], [r, s]): ([f64; 2], [f64; 2]) = (corners[k], corners[(k + 1) % 3]);
        (r - p) * (y - q) - (s - q) * (x - p) >= 0.0
    });
    bar || disk || capsule || rounded || triangle
}

#[test]
fn overlapping_spheres_count_once() {
    // two unit spheres with centres 1 apart share π(4 + 1)(2 − 1)²/12
    let two = "shape.cluster.shapes = [{ shape.sphere.radius = 1.0 }, { shape.sphere.radius = 1.0, position = [0.48, 0.64, 0.6] }]";
    let (mass, centre, _) = weigh(3, two);
    let wanted = 8.0 / 3.0 * PI - 5.0 * PI / 12.0;
    assert!((mass / wanted - 1.0).abs() < 1e-10, "{mass} {wanted}");
    near(centre[2], 0.3);
    // one inside the other changes nothing
    let (mass, _, inertia) = weigh(
        3,
        "shape.cluster.shapes = [{ shape.sphere.radius = 1.0 }, { shape.sphere.radius = 0.3, position = [0.2, 0.1, 0] }]",
    );
    near(mass, 4.0 / 3.0 * PI);
    near(inertia[0], 0.4 * mass);
}

#[test]
fn four_spheres_agree_with_a_grid() {
    let spheres =
        [([0.0, 0.0, 0.0], 0.5), ([0.5, 0.1, 0.0], 0.4), ([0.2, 0.5, 0.1], 0.45), ([0.2, 0.2, 0.5], 0.35)];
    let mut shape = String::from("shape.cluster.shapes = [");
    for ([x, y, z], radius) in spheres {
        write!(shape, "{{ shape.sphere.radius = {radius}, position = [{x}, {y}, {z}] }}, ").unwrap();
    }
    let (mass, centre, moments) = weigh(3, &(shape + "]"));
    let n = 160;
    let step = 2.0 / f64::from(n);
    let (mut volume, mut first, mut second) = (0.0, Vector::<3>::zeros(), Matrix::<3, 3>::zeros());
    for k in 0..n * n * n {
        let p = Vector::<3>::new(f64::from(k % n), f64::from(k / n % n), f64::from(k / n / n))
            .map(|i| (i + 0.5) * step - 0.8);
        if spheres.iter().any(|(centre, radius)| (p - Vector::<3>::from(*centre)).norm() <= *radius) {
            volume += step.powi(3);
            first += p * step.powi(3);
            second += p * p.transpose() * step.powi(3);
        }
    }
    let middle = first / volume;
    second -= middle * middle.transpose() * volume;
    let trace: f64 = moments.iter().sum();
    assert!((mass / volume - 1.0).abs() < 2e-3, "{mass} {volume}");
    assert!((Vector::<3>::from_row_slice(&centre) - middle).norm() < 1e-3);
    assert!((trace / (2.0 * second.trace()) - 1.0).abs() < 5e-3, "{trace} {}", 2.0 * second.trace());
}

#[test]
fn overlapping_boxes_of_space_count_once_and_others_are_refused() {
    let (mass, centre, moments) = weigh(
        3,
        "shape.cluster.shapes = [{ shape.box.size = [3, 1, 1] }, { shape.box.size = [1, 3, 1] }, { shape.box.size = [1, 1, 3] }]",
    );
    near(mass, 7.0);
    assert!(centre.iter().all(|x| x.abs() < 1e-14));
    // a cube and six about it: (1 + 6) / 6 and 4 of them at distance 1
    moments.iter().for_each(|&moment| near(moment, 7.0 / 6.0 + 4.0));
    let apart = "shape.cluster.shapes = [{ shape.cylinder = { radius = 1.0, height = 1.0 } }, { shape.sphere.radius = 0.5, position = [0, 0, 3] }]";
    near(weigh(3, apart).0, PI + PI / 6.0);
}

#[test]
fn clusters_are_looked_over() {
    let say = |shape: &str| refused(2, shape, "density = 1.0").to_string();
    assert!(say("shape.cluster.shapes = []").contains("1 to 1000 shapes"));
    assert!(say("shape.cluster.shapes = [{ shape = \"none\" }]").contains("names no shape"));
    assert!(say("shape.cluster.shapes = [{ shape.disk.radius = -1.0 }]").contains("greater than 0"));
    assert!(
        say("shape.cluster.shapes = [{ shape.sphere.radius = 1.0 }]").contains("no shape of dimension 2")
    );
    assert!(say("shape.cluster.shapes = [{ shape.cluster.shapes = [] }]").contains("simple shapes only"));
    assert!(
        say("shape.cluster.shapes = [{ shape.disk.radius = 1.0 }, { shape.line = {} }]")
            .contains("fills half")
    );
    let flat = say(
        "shape.cluster.shapes = [{ shape.disk.radius = 1.0 }, { shape.polygon.vertices = [[0, 0], [1, 0], [2, 0]] }]",
    );
    assert!(flat.contains("shape.cluster.shapes[1].shape.polygon of body"), "{flat}");
    // a wall has no mass of its own
    let error = refused(2, "shape.hollow_disk.radius = 1.0", "density = 1.0");
    assert!(error.message.contains("its mass comes out as 0"), "{error}");
}

fn cube_stl() -> String {
    let mut text = String::from("solid cube\n");
    let corners = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    for [a, b, c, d] in corners {
        for triangle in [[a, b, c], [a, c, d]] {
            text += "facet normal 0 0 0\nouter loop\n";
            for k in triangle {
                writeln!(text, "vertex {} {} {}", 20 * (k & 1), 10 * (k >> 1 & 1), 30 * (k >> 2)).unwrap();
            }
            text += "endloop\nendfacet\n";
        }
    }
    text + "endsolid cube\n"
}

#[test]
fn a_scene_with_meshes_stands_alone_once_it_was_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cube.stl"), cube_stl()).unwrap();
    std::fs::write(
        folder.path().join("hill.asc"),
        "ncols 3\nnrows 3\nxllcenter -1\nyllcenter -1\ncellsize 1\n0 0 0\n0 1 0\n0 0 0\n",
    )
    .unwrap();
    let text = scene_of(
        3,
        "shape.mesh = { file = \"cube.stl\", unit = \"cm\", treat = \"convex\" }",
        "density = 1000.0\nposition = [0, 0, 5]",
    ) + "[[body]]\nname = \"hill\"\nfixed = true\nshape.height_field = { file = \"hill.asc\", unit = \"m\" }\n";
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, text).unwrap();
    let scene = Scene::from_file(&path).unwrap_or_else(|error| panic!("{error}"));
    let AnySimulation::Space(simulation) = scene.build().unwrap() else { panic!() };
    near(simulation.bodies().mass[0][0], 6.0);
    near(simulation.bodies().pose[0].position[2], 5.15);
    // without the files, to the bit the same
    let written = scene.to_toml();
    folder.close().unwrap();
    let again = Scene::parse(&written, "run/scene.toml").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again, scene);
    assert_eq!(again.to_toml(), written);
    let AnySimulation::Space(same) = again.build().unwrap() else { panic!() };
    assert_eq!(same.bodies().mass, simulation.bodies().mass);
    assert_eq!(same.bodies().pose, simulation.bodies().pose);
}

#[test]
fn wrong_files_and_wrong_meshes_are_reported_at_their_key() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let cube = cube_stl();
    write("good.stl", &cube);
    write("open.stl", &cube.replacen("facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 30\nvertex 0 10 30\nendloop\nendfacet\n", "", 1));
    write("broken.stl", &cube.replace("vertex 20 10 30", "vertex 20 10 x"));
    write(
        "dented.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\nf 1 3 2\nf 1 2 4\nf 3 1 4\nf 2 3 5\nf 3 4 5\nf 4 2 5\n",
    );
    write("hole.asc", "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\nNODATA_value -9\n0 0\n0 -9\n");
    let say = |shape: &str| {
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, scene_of(3, shape, "density = 1000.0")).unwrap();
        let error = Scene::from_file(&path).unwrap_err();
        assert!(error.line == Some(7), "{error}");
        error.message
    };
    let mesh = |file: &str, treat: &str| {
        say(&format!("shape.mesh = {{ file = \"{file}\", unit = \"m\", treat = \"{treat}\" }}"))
    };
    assert!(mesh("none.stl", "convex").contains("cannot be read"));
    assert!(mesh("good.txt", "convex").contains(".stl, .obj"));
    assert!(
        mesh("broken.stl", "convex").contains("line 22")
            || mesh("broken.stl", "convex").contains("a number must stand here")
    );
    let open = mesh("open.stl", "convex");
    assert!(open.contains("it is open: 3 edges") && open.contains("treat = \"surface\""), "{open}");
    let dented = mesh("dented.obj", "convex");
    assert!(dented.contains("not convex: vertex") && dented.contains("decompose"), "{dented}");
    assert!(say("shape.mesh = { file = \"good.stl\", treat = \"convex\" }").contains("no unit"));
    assert!(say("shape.mesh = { treat = \"convex\" }").contains("needs a file"));
    assert!(say("shape.mesh = { file = \"good.stl\", unit = \"m\" }").contains("treat"));
    assert!(
        say("shape.mesh = { file = \"good.stl\", unit = \"m\", treat = \"convex\", tolerance = 0.1 }")
            .contains("decompose")
    );
    assert!(
        say("shape.height_field = { file = \"hole.asc\", unit = \"m\" }")
            .contains("1 of 4 heights have no data")
    );
    assert!(say("shape.height_field = { columns = 2 }").contains("together"));
    assert!(say("shape.mesh = { treat = \"convex\", vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces = [[0, 1, 7]] }").contains("names vertex 7"));
}

#[test]
fn a_mesh_that_is_not_convex_weighs_what_it_fills() {
    // the cube of side 1 without its corner of side 1/2
    let shape = "shape.mesh = { treat = \"TREAT\", vertices = [[0,0,0],[1,0,0],[1,1,0],[0,1,0],[0,0,1],[1,0,1],[0,1,1],[1,0.5,1],[0.5,0.5,1],[0.5,1,1],\
         [1,1,0.5],[1,0.5,0.5],[0.5,0.5,0.5],[0.5,1,0.5]], faces = [[0,3,2,1],[0,1,5,4],[0,4,6,3],[4,5,7,8,9,6],[1,2,10,11,7,5],[2,3,6,9,13,10],\
         [7,11,12,8],[8,12,13,9],[10,13,12,11]] }";
    for treat in ["decompose", "surface"] {
        let (mass, centre, moments) = weigh(3, &shape.replace("TREAT", treat));
        near(mass, 0.875);
        centre.iter().for_each(|&x| near(x, (0.5 - 0.125 * 0.75) / 0.875));
        assert!(moments.iter().all(|&moment| moment > 0.0));
    }
    let text = scene_of(3, &shape.replace("TREAT", "decompose"), "density = 1.0");
    let AnySimulation::Space(simulation) = Scene::parse(&text, "it.toml").unwrap().build().unwrap() else {
        panic!()
    };
    assert_eq!(simulation.contactors().len(), 3);
    // check tells how well the pieces fill the shape: exactly, or too much where hollows are filled
    let cut = |text: &str| {
        let report = drystone_scene::check(&Scene::parse(text, "it.toml").unwrap()).unwrap();
        assert!(report.to_string().contains("pieces      \"it\" in"), "{report}");
        (report.decompositions[0].pieces, report.decompositions[0].volume_error)
    };
    let (pieces, error) = cut(&text);
    assert!(pieces == 3 && error.abs() < 1e-12, "{pieces} {error}");
    let coarse = text.replace("\"decompose\"", "\"decompose\", tolerance = 0.5");
    let (pieces, error) = cut(&coarse);
    assert!(pieces == 1, "{pieces}");
    // the hull of the cube without its corner lacks a pyramid over half of three squares of side 1/2
    let hull = 1.0 - 0.125 / 6.0;
    near(error, hull / 0.875 - 1.0);
    let star = format!("shape.polygon = {{ treat = \"decompose\", vertices = {ELL} }}");
    let (pieces, error) = cut(&scene_of(2, &star, "density = 1.0"));
    assert!(pieces == 2 && error.abs() < 1e-15, "{pieces} {error}");
}
