//! Samples in periodic cells, through the command: sheared, stopped, resumed, measured.

use crate::common::{drystone, frames, read};
use crate::words;
use std::path::{Path, PathBuf};

/// Whether the sample is to be sheared to its end.
fn whole() -> bool {
    std::env::var_os("DRYSTONE_SLOW").is_some()
}

fn template(name: &str, home: &Path) -> PathBuf {
    drystone(&words!["new", name, home]).ends_with(0);
    home.join(format!("{name}.toml"))
}

/// Work of prescribed motion in the second half of a run of 4 s \[J\]: what the wall gave, without a look at
/// the grains.
fn work_of_drives(folder: &Path) -> f64 {
    let table = read(&folder.join("probes/steps.csv"));
    let mut lines = table.lines();
    let column = lines.next().unwrap().split(',').position(|name| name == "drives [J]").unwrap();
    let work: Vec<f64> = lines.map(|line| line.split(',').nth(column).unwrap().parse().unwrap()).collect();
    work[work.len() - 1] - work[work.len() / 2 - 1]
}

/// A resumed run writes the tables and frames of one never stopped, and shows all bodies inside the cell.
#[test]
fn a_sheared_sample_is_shown_wrapped_and_resumes() {
    let home = tempfile::tempdir().unwrap();
    let scene = template("periodic-shear", home.path());
    let [whole, parts] = ["whole", "parts"].map(|name| home.path().join(name));
    drystone(&words!["run", &scene, "-o", &whole, "--steps", "66", "--quiet"]).ends_with(0);
    drystone(&words!["run", &scene, "-o", &parts, "--steps", "40", "--quiet"]).ends_with(0);
    drystone(&words!["resume", &parts, "--steps", "66", "--quiet"]).ends_with(0);
    for table in ["stress.csv", "steps.csv"] {
        let [a, b] = [&whole, &parts].map(|folder| read(&folder.join("probes").join(table)));
        assert_eq!(a.lines().count(), 67);
        assert!(a == b, "{table} differs");
    }
    let last = frames(&whole).pop().unwrap();
    let inside = |x: f64| (-1e-12..=0.4 + 1e-12).contains(&x);
    assert!(last.bodies.iter().all(|body| inside(body.position[0])));
    assert!(last.contacts.iter().all(|contact| inside(contact.point[0])) && last.contacts.len() > 1000);
    let told = drystone(&words!["stress", &whole, "--json"]).ends_with(0).json();
    assert_eq!(told["contacts"].as_array().unwrap().len(), 4);
    assert!(told["contacts"][3].as_f64().unwrap() > 0.0, "{told}");
    drystone(&words!["stress", &whole, "-o", home.path().join("stress.svg")]).ends_with(0);
    assert!(read(&home.path().join("stress.svg")).contains("pressure on level planes"));
}

#[test]
fn the_stress_of_a_run_without_a_cell_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let scene = template("falling-disk", home.path());
    let folder = home.path().join("run");
    drystone(&words!["run", &scene, "-o", &folder, "--steps", "2", "--quiet"]).ends_with(0);
    let refused = drystone(&words!["stress", &folder]).ends_with(2);
    assert!(refused.err.contains("[cell]"), "{}", refused.err);
}

/// The stress of a sample in steady shear: the pressure is that on the wall, and the tensor symmetric. The
/// sum of all moments of contacts is the change of spins, of which nothing is left in the mean of a long
/// time.
#[test]
fn the_stress_of_a_sheared_sample_is_symmetric() {
    if !whole() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    for (name, up) in [("periodic-shear", 1), ("periodic-spheres", 2)] {
        let scene = template(name, home.path());
        let folder = home.path().join(name);
        let code = drystone(&words!["run", &scene, "-o", &folder, "--quiet"]).code;
        assert!([0, 3].contains(&code), "{name}: {code}");
        let told = drystone(&words!["stress", &folder, "--json"]).ends_with(0).json();
        let pressure = told["contacts"][(up + 1) * (up + 1) - 1].as_f64().unwrap();
        // branches end at contact points on the walls, which lie within the outermost layers
        assert!((pressure - 1000.0).abs() < if up == 1 { 20.0 } else { 120.0 }, "{told}");
        assert!((0.1..0.6).contains(&told["friction"].as_f64().unwrap()), "{told}");
        assert!(told["asymmetry"].as_f64().unwrap() < 1e-6, "{told}");
        let shear = -told["contacts"][up].as_f64().unwrap();
        let (speed, area) = if up == 1 { (0.1, 0.4) } else { (0.05, 0.08 * 0.08) };
        let pushed = work_of_drives(&folder) / (speed * 2.0 * area);
        assert!((shear / pushed - 1.0).abs() < if up == 1 { 0.03 } else { 0.15 }, "{shear} {pushed}");
    }
}
