//! Time of a detection on one thread and on all, beside a plain loop over the candidate pairs. It judges
//! nothing; `drystone bench detection` tells more.

use drystone_bench::detection::{DetectionFigure, Packed, detection_figure};

fn main() {
    // `cargo bench -- 1000000` measures that many
    let count = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(100_000);
    let row = |name: &str, measure: &(dyn Fn() -> DetectionFigure + Sync)| {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.map(|pool| pool.install(measure))
        };
        if let (Ok(one), Ok(all)) = (on(1), on(0)) {
            println!(
                "{name:26} {:8} contactors {:8} pairs {:8} contacts: {:8.2} ms on one thread ({:.2} of it a plain loop over the pairs), {:4.2} times faster on all",
                one.contactors,
                one.pairs,
                one.contacts,
                one.seconds * 1e3,
                one.plain_seconds / one.seconds,
                one.seconds / all.seconds,
            );
        }
    };
    row("disks", &|| detection_figure(&Packed::disks(count), 6));
    row("spheres", &|| detection_figure(&Packed::spheres(count), 6));
    row("spheres, shuffled", &|| detection_figure(&Packed::shuffled_spheres(count), 6));
    row("spheres, sizes 1:1000", &|| detection_figure(&Packed::mixed_spheres(count, 3), 6));
    if let (Ok(solids), Ok(cubes)) = (Packed::polyhedra(count / 10), Packed::cubes(count / 10)) {
        row("polyhedra of 12 vertices", &|| detection_figure(&solids, 6));
        row("cubes stacked", &|| detection_figure(&cubes, 6));
    }
}
