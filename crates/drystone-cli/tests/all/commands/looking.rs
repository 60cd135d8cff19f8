//! Plots and what else shows runs to people, judged by what stands in the files.

use crate::common::made::box_of_disks;
use crate::common::{Answer, answer, command, drystone, read, write_scene};
use crate::words;
use std::path::{Path, PathBuf};

/// A run of disks that fell into a box, with a probe on the first of them and a table of many rows.
fn disks(home: &Path, name: &str, steps: usize) -> PathBuf {
    let text = box_of_disks(5, 4, steps, 10)
        + "[[measure]]\nname = \"body_stress\"\n[[measure]]\nname = \"speed\"\n";
    let scene = write_scene(home, &format!("{name}.toml"), &text);
    let folder = home.join(name);
    answer(&mut command(&words!["run", scene, "-o", &folder, "--quiet"])).ends_with(0);
    folder
}

fn plot(folders: &[&Path], output: &Path, more: &[&str]) -> Answer {
    answer(command(&words!["plot", "-o", output]).args(folders).args(more))
}

/// Columns of a table by their titles.
fn columns(table: &str, titles: [&str; 2]) -> Vec<[f64; 2]> {
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let places = titles.map(|title| head.iter().position(|known| *known == title).unwrap());
    let number = |line: &str, place: usize| line.split(',').nth(place).unwrap().parse().unwrap();
    lines.map(|line| places.map(|place| number(line, place))).collect()
}

/// The lines of an SVG with so many points.
fn curves(text: &str, points: usize) -> Vec<Vec<[f64; 2]>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("<polyline points=\""));
    let pair = |pair: &str| pair.split_once(',').map(|(x, y)| [x.parse().unwrap(), y.parse().unwrap()]);
    lines
        .map(|line| line.split('"').next().unwrap().split(' ').filter_map(pair).collect::<Vec<[f64; 2]>>())
        .filter(|curve| curve.len() == points)
        .collect()
}

/// Whether a curve on the sheet is what was to be drawn: one scale and one shift for each axis.
#[track_caller]
fn is_drawn(curve: &[[f64; 2]], points: &[[f64; 2]]) {
    assert_eq!(curve.len(), points.len());
    for axis in [0, 1] {
        let by = |a: &&[f64; 2], b: &&[f64; 2]| a[axis].total_cmp(&b[axis]);
        let place = |wanted: &[f64; 2]| points.iter().position(|point| point == wanted).unwrap();
        let (low, high) = (points.iter().min_by(by).unwrap(), points.iter().max_by(by).unwrap());
        let (from, to) = (curve[place(low)][axis], curve[place(high)][axis]);
        assert!((to - from).abs() > 100.0, "the curve fills the plot");
        for (drawn, point) in curve.iter().zip(points) {
            let expected = from + (to - from) * (point[axis] - low[axis]) / (high[axis] - low[axis]);
            assert!((drawn[axis] - expected).abs() < 0.02, "{drawn:?} for {point:?}");
        }
    }
}

#[test]
fn plots_show_the_columns_they_name() {
    let home = tempfile::tempdir().unwrap();
    let run = disks(home.path(), "disks", 60);
    let svg = home.path().join("plot.svg");
    let steps = read(&run.join("probes/steps.csv"));
    plot(&[&run], &svg, &["--y", "kinetic"]).ends_with(0);
    is_drawn(&curves(&read(&svg), 60)[0], &columns(&steps, ["time [s]", "kinetic [J]"]));
    assert!(read(&svg).contains("kinetic [J]") && read(&svg).contains("time [s]"));
    // twenty rows from the third on
    let all = columns(&steps, ["time [s]", "kinetic [J]"]);
    let times = format!("{},{}", all[2][0], all[21][0]);
    plot(&[&run], &svg, &["--y", "kinetic", "--times", &times]).ends_with(0);
    is_drawn(&curves(&read(&svg), 20)[0], &all[2..22]);
    // a probe against a probe of the same table, by names with and without units and blanks
    plot(&[&run], &svg, &["--x", "first.position_y", "--y", "first.force y [N]"]).ends_with(0);
    let first = read(&run.join("probes/first.csv"));
    is_drawn(&curves(&read(&svg), 61)[0], &columns(&first, ["position y [m]", "force y [N]"]));
    // a table of every tenth step against one of all: where both tell of a step
    plot(&[&run], &svg, &["--x", "kinetic", "--y", "speed.largest"]).ends_with(0);
    let kinetic = columns(&steps, ["step", "kinetic [J]"]);
    let speeds = columns(&read(&run.join("measures/speed.csv")), ["step", "largest [m/s]"]);
    let joined: Vec<[f64; 2]> = speeds[1..]
        .iter()
        .map(|[step, speed]| [kinetic.iter().find(|row| row[0] == *step).unwrap()[1], *speed])
        .collect();
    assert_eq!(joined.len(), 6);
    is_drawn(&curves(&read(&svg), 6)[0], &joined);
    // a measure that no table holds is taken from the frames
    plot(&[&run], &svg, &["--y", "coordination.z"]).ends_with(0);
    let measured = drystone(&words!["measure", &run, "coordination.z"]).ends_with(0).out;
    is_drawn(&curves(&read(&svg), 7)[0], &columns(&measured, ["time [s]", "coordination.z [-]"]));
    // two runs, two axes, a logarithm, and a picture of pixels
    let other = disks(home.path(), "other", 40);
    let more = ["--y", "kinetic", "--y2", "residual", "--log", "y,y2", "--title", "Two <runs>"];
    plot(&[&run, &other], &svg, &more).ends_with(0);
    for word in ["disks: kinetic [J]", "other: residual", "residual (dashed)", "Two &lt;runs&gt;"] {
        assert!(read(&svg).contains(word), "{word}");
    }
    plot(&[&run, &other], &home.path().join("plot.png"), &["--y", "contacts"]).ends_with(0);
    assert!(std::fs::read(home.path().join("plot.png")).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
}

#[test]
fn an_experiment_lies_beside_the_run_and_the_distance_is_told() {
    let home = tempfile::tempdir().unwrap();
    let run = disks(home.path(), "disks", 30);
    let steps = columns(&read(&run.join("probes/steps.csv")), ["time [s]", "potential [J]"]);
    let mut text = String::from("# measured by nobody\ntime [s];potential [J]\n");
    for [time, value] in &steps {
        text += &format!("{time:?};{:?}\n", value + 2.5);
    }
    let data = home.path().join("lab.csv");
    std::fs::write(&data, text).unwrap();
    let svg = home.path().join("plot.svg");
    let more = ["--y", "potential", "--data", data.to_str().unwrap()];
    let told = plot(&[&run], &svg, &more).ends_with(0).out;
    assert!(told.contains("disks and lab.csv: off by 2.500e0 (rms at 30 points"), "{told}");
    let rings = read(&svg).lines().filter(|line| line.starts_with("<circle")).count();
    assert_eq!(rings, 31, "a ring for each point and one in the legend");
    std::fs::write(&data, "a,b\n1,2\n3,x\n").unwrap();
    let refused = plot(&[&run], &svg, &more).ends_with(2).err;
    assert!(refused.contains("lab.csv: line 3"), "{refused}");
}

#[test]
fn spreads_are_those_of_the_frame() {
    let home = tempfile::tempdir().unwrap();
    let run = disks(home.path(), "disks", 60);
    let svg = home.path().join("plot.svg");
    let all = ["--histogram", "contacts.normal_force", "--bins", "7", "--relative"];
    plot(&[&run], &svg, &all).ends_with(0);
    assert!(read(&svg).contains("normal force, over the mean [-]"));
    plot(&[&run], &svg, &["--histogram", "bodies.radius", "--log", "x"]).ends_with(0);
    plot(&[&run], &svg, &["--histogram", "body_stress.p"]).ends_with(0);
    plot(&[&run], &svg, &["--histogram", "iterations", "--log", "y"]).ends_with(0);
    // the anisotropy of the rose is that of the measure
    let told = plot(&[&run], &svg, &["--polar", "normals"]).ends_with(0).out;
    let number = |after: &str| -> f64 {
        let rest = told.split(after).nth(1).unwrap_or_else(|| panic!("{told}"));
        rest.split([' ', '°']).next().unwrap().parse().unwrap()
    };
    let measured =
        drystone(&words!["measure", &run, "fabric", "--frame", "-1", "--json"]).ends_with(0).json();
    let statistics = &measured["measures"][0]["over_time"];
    let last = |key: &str| statistics[key]["last"].as_f64().unwrap();
    assert!((number("(1 + ") - last("contacts")).abs() < 1e-3, "{told} {statistics}");
    let turn = (number("(θ − ") - last("direction")).rem_euclid(180.0);
    assert!(turn.min(180.0 - turn) < 1.0, "{told} {statistics}");
    plot(&[&run, &run], &svg, &["--polar", "normal-force", "--bins", "12"]).ends_with(0);
    // at the start nothing touches
    let empty = plot(&[&run], &svg, &["--polar", "normals", "--frame", "0"]).ends_with(2).err;
    assert!(empty.contains("no contact under load in frame 0"), "{empty}");
}

#[test]
fn what_cannot_be_plotted_is_told() {
    let home = tempfile::tempdir().unwrap();
    let run = disks(home.path(), "disks", 20);
    let svg = home.path().join("plot.svg");
    let refuse = |more: &[&str], expected: &[&str]| {
        let refused = plot(&[&run], &svg, more).ends_with(2);
        for part in expected {
            assert!(refused.err.contains(part), "{part} is not in: {}", refused.err);
        }
        assert!(!svg.exists(), "{more:?}");
    };
    let listed = ["steps: step, time [s], contacts", "first: first.step", "measures, as NAME.COLUMN: stress"];
    refuse(&["--y", "kinetik"], &["no column \"kinetik\"", "Did you mean \"kinetic\"?"]);
    refuse(&["--y", "strength"], &listed);
    refuse(&[], &listed);
    refuse(&["--y", "first.position"], &["first.position x [m]"]);
    refuse(&["--y", "stress"], &["several columns", "stress.yy"]);
    refuse(&["--y", "stress.zz"], &["stress", "xx"]);
    refuse(&["--y", "stress.yy:group=gravel"], &["gravel"]);
    refuse(
        &["--x", "kinetic", "--y", "body_stress.p"],
        &["several rows for one step", "measures/body_stress.csv"],
    );
    refuse(&["--histogram", "contacts.colour"], &["contacts.normal_force"]);
    refuse(&["--histogram", "bodies.speed", "--frame", "99"], &["no frame 99"]);
    refuse(&["--polar", "normals", "--group", "gravel"], &["no group \"gravel\""]);
    refuse(&["--y", "kinetic", "--width", "1"], &["pixels"]);
    refuse(&["--y", "kinetic", "--log", "z"], &["possible values"]);
    refuse(&["--y", "kinetic", "--data", "nowhere.csv"], &["nowhere.csv"]);
    refuse(&["--y", "kinetic", "--times", "2,1"], &["the first before the second"]);
    refuse(&["--y", "kinetic", "--times", "1,2,3"], &["two times"]);
    refuse(&["--y", "kinetic", "--times", "50,60"], &["no row of", "from 50 s to 60 s"]);
    plot(&[&run], &home.path().join("plot.docx"), &["--y", "kinetic"]).ends_with(2);
    plot(&[&run], &home.path().join("no/such/plot.svg"), &["--y", "kinetic"]).ends_with(1);
    plot(&[&home.path().join("nowhere")], &svg, &["--y", "kinetic"]).ends_with(2);
    let list = drystone(&words!["plot", &run, "--list"]).ends_with(0).out;
    assert!(listed.iter().all(|part| list.contains(part)), "{list}");
}

#[test]
fn a_scene_with_files_elsewhere_is_shown_where_it_is_trusted() {
    use std::io::{BufRead, BufReader};
    let home = tempfile::tempdir().unwrap();
    let inside = home.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    std::fs::write(home.path().join("stone.obj"), corners).unwrap();
    let text = "dimension = 3\ntime = { step = 1e-3, duration = 0.003 }\n\
                law = [{ between = [\"*\", \"*\"], inelastic.friction = 0.3 }]\n\
                body = [{ name = \"stone\", density = 2000.0, \
                shape.mesh = { file = \"../stone.obj\", unit = \"m\", treat = \"convex\" } }]\n";
    let scene = write_scene(&inside, "scene.toml", text);
    let refused = answer(&mut command(&words!["view", &scene, "--port", "0"])).ends_with(2);
    assert!(refused.err.contains("--allow-outside"), "{}", refused.err);
    let mut trusted = command(&words!["view", &scene, "--port", "0", "--allow-outside"]);
    let mut shown = trusted.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(shown.stdout.take().unwrap()).read_line(&mut line).unwrap();
    shown.kill().unwrap();
    shown.wait().unwrap();
    assert!(line.contains("http://127.0.0.1:"), "{line}");
}

/// A block of rubber under its weight, in the plane or in space.
fn rubber(home: &Path, name: &str, dimension: usize, output: &str) -> PathBuf {
    let (plane, size, position) = match dimension {
        2 => ("line", "[1.0, 1.0]", "[0.0, 0.5]"),
        _ => ("plane", "[1.0, 1.0, 1.0]", "[0.0, 0.0, 0.5]"),
    };
    let text = format!(
        "dimension = {dimension}\ntime = {{ step = 2e-3, duration = 0.02 }}\noutput = {{ interval = 0.02{output} }}\n\
         materials.rubber = {{ density = 1000, young = 1e6, poisson = 0.3 }}\n\
         law = [{{ between = [\"*\", \"*\"], inelastic.friction = 0.3 }}]\n\
         body = [{{ name = \"ground\", shape.{plane} = {{}}, fixed = true }}, {{ name = \"block\", \
         material = \"rubber\", shape.box.size = {size}, position = {position}, deform.size = 0.25 }}]\n"
    );
    let scene = write_scene(home, &format!("{name}.toml"), &text);
    let folder = home.join(name);
    answer(&mut command(&words!["run", scene, "-o", &folder, "--quiet"])).ends_with(0);
    folder
}

#[test]
fn deformable_bodies_are_drawn_in_the_colours_of_a_field() {
    let home = tempfile::tempdir().unwrap();
    let svg = home.path().join("field.svg");
    let draw = |run: &Path, colour: &str| {
        answer(&mut command(&words!["render", run, "-o", &svg, "--colour", colour, "--show", "bodies"]))
    };
    for (dimension, output) in [(2, ", elements = true"), (3, "")] {
        let run = rubber(home.path(), &format!("block-{dimension}"), dimension, output);
        for (colour, name) in [("von-mises", "von Mises stress"), ("displacement", "displacement")] {
            draw(&run, colour).ends_with(0);
            assert!(read(&svg).contains(name), "{name} in {dimension}D");
        }
        // nothing flows, and there is nothing to tell
        draw(&run, "plastic-strain").ends_with(0);
        assert!(!read(&svg).contains("plastic strain"));
    }
    let without = rubber(home.path(), "without", 2, "");
    let refused = draw(&without, "von-mises").ends_with(2).err;
    assert!(refused.contains("output.elements = true"), "{refused}");
    let rigid = draw(&disks(home.path(), "rigid", 10), "displacement").ends_with(2).err;
    assert!(rigid.contains("none of its bodies is deformable"), "{rigid}");
    draw(&without, "stress").ends_with(2);
}

#[test]
fn surfaces_are_left_out_where_they_are_many_and_made_when_asked_for() {
    let home = tempfile::tempdir().unwrap();
    let lines = |count: usize| -> String {
        let one = |k: usize| {
            let place = [(k % 20) as f64, (k / 20) as f64 + 0.5];
            format!(
                "[[body]]\nname = \"ball {k}\"\nshape.disk.radius = 0.4\ndensity = 1000\nposition = {place:?}\n"
            )
        };
        let head = "dimension = 2\ntime = { step = 1e-3, duration = 0.004 }\noutput.interval = 2e-3\n\
                    law = [{ between = [\"*\", \"*\"], inelastic.friction = 0.3 }]\n\
                    [[body]]\nname = \"ground\"\nshape.line = {}\nfixed = true\n";
        (0..count).map(one).fold(head.to_owned(), |text, one| text + &one)
    };
    for (count, written) in [(40, true), (700, false)] {
        let scene = write_scene(home.path(), "many.toml", &lines(count));
        let run = home.path().join(format!("run-{count}"));
        drystone(&words!["run", &scene, "-o", &run, "--quiet"]).ends_with(0);
        let surfaces = run.join("surfaces.vtkhdf");
        assert_eq!(surfaces.exists(), written, "{count} disks");
        // what is made later is what would have been written
        let before = std::fs::read(&surfaces).unwrap_or_default();
        drystone(&words!["export", &run, "--surfaces"]).ends_with(0);
        assert!(surfaces.exists() && !run.join("spare").exists());
        assert!(!written || std::fs::read(&surfaces).unwrap().len() == before.len());
    }
    let asked = lines(700).replace("output.interval = 2e-3", "output = { interval = 2e-3, surfaces = true }");
    let scene = write_scene(home.path(), "asked.toml", &asked);
    drystone(&words!["run", &scene, "-o", home.path().join("asked"), "--quiet"]).ends_with(0);
    let [later, at_once] = ["run-700", "asked"].map(|name| home.path().join(name).join("surfaces.vtkhdf"));
    let sizes = [later, at_once].map(|path| std::fs::metadata(path).unwrap().len());
    assert_eq!(sizes[0], sizes[1]);
    // seven digits of two vectors for each of 32 corners and a frame, and what joins them once
    assert!(sizes[0] < 3 * 700 * 32 * 24 + 700 * 33 * 8 * 3 + 200_000, "{sizes:?}");
}
