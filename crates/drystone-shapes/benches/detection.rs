//! Time of a detection, per contactor and per contact, on one thread and on all, beside a plain loop over the candidate
//! pairs. It judges nothing.

use drystone_shapes::{DetectionFigure, detection_figures};

fn main() {
    // `cargo bench -- 1000000` measures that many
    let count = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(100_000);
    let measured = |threads: usize| -> Vec<DetectionFigure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(|pool| pool.install(|| detection_figures(count).unwrap_or_default())).unwrap_or_default()
    };
    for (one, all) in measured(1).iter().zip(measured(0)) {
        println!(
            "{:26} {:8} contactors {:8} pairs {:8} contacts: {:8.2} ms on one thread ({:.2} of it a plain loop over the pairs), {:4.2} times faster on all",
            one.name,
            one.contactors,
            one.pairs,
            one.contacts,
            one.seconds * 1e3,
            one.plain_seconds / one.seconds,
            one.seconds / all.seconds,
        );
    }
}
