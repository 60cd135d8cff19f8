//! What a sweep costs on this machine: contact updates per second beside what memory would allow. Measures,
//! judges nothing, and no result of a solver depends on it.

use crate::problems::lattice;
use drystone_problem::{Condensed, Params, Problem, Vector};
use drystone_sweep::{Instructions, Sweep};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Speed of the sweep on one problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepRate {
    /// Exact contact updates per second.
    pub updates_per_second: f64,
    /// The same of the plain scalar sweep, one contact after the other on one thread.
    pub scalar_updates_per_second: f64,
    /// Bytes a sweep reads and writes for each update, a body counted once for each tile that touches it.
    pub bytes_per_update: f64,
    /// Bytes per second this machine reads from an array as large as the problem, on as many threads \[B/s\].
    pub stream_bandwidth: f64,
    /// What the bandwidth alone would allow.
    pub ceiling_updates_per_second: f64,
    /// The instructions the lanes use.
    pub instruction_set: &'static str,
}

/// Measures the sweep over about so many contacts of rigid bodies in space, on so many threads, for about so
/// many seconds in all.
pub fn sweep_rate(contacts: usize, threads: usize, seconds: f64) -> SweepRate {
    let problem = lattice(contacts, 1);
    let share = Duration::from_secs_f64((seconds / 3.0).clamp(1e-3, 1e3));
    let instructions = Instructions::best();
    let measure = || rate(&problem, Some(instructions), share);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
    let (updates_per_second, bytes_per_update) = match pool {
        Ok(pool) => pool.install(measure),
        Err(_) => measure(),
    };
    let stream_bandwidth = bandwidth((bytes_per_update * problem.contacts() as f64) as usize, threads, share);
    SweepRate {
        updates_per_second,
        scalar_updates_per_second: rate(&problem, None, share).0,
        bytes_per_update,
        stream_bandwidth,
        ceiling_updates_per_second: stream_bandwidth / bytes_per_update,
        instruction_set: instructions.name(),
    }
}

/// Updates per second and bytes per update of a sweep.
fn rate(
    problem: &Problem<3, Condensed<3>>,
    instructions: Option<Instructions>,
    time: Duration,
) -> (f64, f64) {
    let params = Params::default();
    let r = vec![Vector::zeros(); problem.contacts()];
    let mut sweep = Sweep::with(problem, &r, &params, 0, instructions);
    // until most contacts know whether they slide
    for _ in 0..10 {
        sweep.pass(true);
    }
    let bytes = sweep.bytes().unwrap_or(0) as f64 / problem.contacts().max(1) as f64;
    (fastest(time, || sweep.pass(true).updates as f64), bytes)
}

/// The best rate of a piece of work repeated for some time: others on the machine only ever slow it down.
fn fastest(time: Duration, mut work: impl FnMut() -> f64) -> f64 {
    let begin = Instant::now();
    let mut best: f64 = 0.0;
    let mut rounds = 0;
    while rounds < 3 || begin.elapsed() < time {
        let start = Instant::now();
        // at least a millisecond, so that the clock does not count
        let mut done = 0.0;
        while start.elapsed() < Duration::from_millis(1) {
            done += work();
        }
        best = best.max(done / start.elapsed().as_secs_f64());
        rounds += 1;
    }
    best
}

/// Bytes per second read from an array of so many bytes \[B/s\].
fn bandwidth(bytes: usize, threads: usize, time: Duration) -> f64 {
    let numbers = vec![1.0f64; (bytes / 8).max(1024)];
    let part = numbers.len().div_ceil(threads.max(1));
    fastest(time, || {
        std::thread::scope(|scope| {
            let parts: Vec<_> = numbers.chunks(part).collect();
            for other in &parts[1..] {
                scope.spawn(|| black_box(total(other)));
            }
            black_box(total(parts[0]));
        });
        (numbers.len() * 8) as f64
    })
}

/// Sum in many independent chains: nothing but the reading takes time.
fn total(numbers: &[f64]) -> f64 {
    let mut sums = [0.0; 32];
    for chunk in numbers.chunks_exact(32) {
        for (sum, number) in sums.iter_mut().zip(chunk) {
            *sum += number;
        }
    }
    sums.iter().sum()
}
