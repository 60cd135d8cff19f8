//! How fast a run folder is written: 5,000 disks in a dense packing, one output after another.
//!
//! `cargo run --release -p drystone-io --example throughput -- FOLDER [FRAMES]`

use drystone::{AnySimulation, Simulation};
use drystone_io::{RunFolder, RunWriter, Totals};
use drystone_scene::Scene;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// Fifty rows of a hundred disks, each touching its neighbours.
fn packing() -> String {
    let mut text = String::from(
        "dimension = 2\ntime = { step = 1e-4, duration = 1.0 }\noutput = { surfaces = false }\n\
         law = [{ between = [\"*\", \"*\"], inelastic.friction = 0.4 }]\n\
         [[body]]\nname = \"floor\"\nshape.line = {}\nfixed = true\n",
    );
    for (row, column) in (0..50).flat_map(|row| (0..100).map(move |column| (row, column))) {
        let x = 0.02 * (column as f64 + 0.5 * (row % 2) as f64);
        let y = 0.01 + 0.02 * 0.75_f64.sqrt() * row as f64;
        let _ = write!(
            text,
            "[[body]]\nname = \"disk{row}_{column}\"\nshape.disk.radius = 0.01\ndensity = 1000\nposition = [{x:?}, {y:?}]\n"
        );
    }
    text
}

fn measure<const D: usize>(
    folder: &Path,
    scene: &Scene,
    simulation: &mut Simulation<D>,
    frames: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut writer = RunWriter::create(folder, scene, simulation, true)?;
    let report = simulation.step();
    println!("{} bodies, {} contacts", simulation.bodies().len(), report.contacts);
    let (mut for_frames, mut for_checkpoints, mut slowest) = (0.0, 0.0, 0.0_f64);
    for _ in 0..frames {
        let clock = Instant::now();
        writer.write_frame(simulation)?;
        let frame = clock.elapsed().as_secs_f64();
        writer.checkpoint(&simulation.snapshot(), &Totals::default())?;
        for_frames += frame;
        for_checkpoints += clock.elapsed().as_secs_f64() - frame;
        slowest = slowest.max(frame);
    }
    let clock = Instant::now();
    writer.finish(&serde_json::json!({}))?;
    let finish = clock.elapsed().as_secs_f64();
    let size = |name: &str| std::fs::metadata(folder.join(name)).map_or(0, |file| file.len()) as f64 / 1e6;
    let history = size("bodies.vtkhdf") + size("contacts.vtkhdf");
    let each = 1e3 / frames as f64;
    println!(
        "frame {:.2} ms (slowest {:.1}), checkpoint {:.2} ms, finish {finish:.2} s",
        for_frames * each,
        slowest * 1e3,
        for_checkpoints * each
    );
    println!("{:.2} MB a frame, {:.0} MB/s of history", history / frames as f64, history / for_frames);
    let run = RunFolder::open(folder)?;
    let clock = Instant::now();
    let contacts: usize =
        (0..frames).map(|index| run.frame(index).map_or(0, |frame| frame.contacts.len())).sum();
    println!("read {:.2} ms a frame, {contacts} contacts in all", clock.elapsed().as_secs_f64() * each);
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("give a folder to write")?;
    let frames = arguments.next().map_or(Ok(100), |text| text.parse())?;
    let scene = Scene::parse(&packing(), "packing.toml")?;
    match scene.build()? {
        AnySimulation::Plane(mut simulation) => measure(Path::new(&folder), &scene, &mut simulation, frames),
        AnySimulation::Space(mut simulation) => measure(Path::new(&folder), &scene, &mut simulation, frames),
    }
}
