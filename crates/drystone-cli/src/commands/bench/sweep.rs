//! `drystone bench sweep`.

use crate::attempt::parse_positive;
use crate::failure::{DONE, Failure, say};
use drystone_bench::{SweepRate, sweep_rate};
use serde_json::json;

/// Data up to this size stay in the cache of a core \[B\].
const CACHE: f64 = 2e6;

/// Count contact updates per second of a Gauss–Seidel sweep against what the memory allows.
///
/// Rigid bodies in space, exact Coulomb friction, double precision; in cache and from memory, on one thread
/// and on two, beside the plain sweep that takes one contact after the other.
#[derive(clap::Args)]
pub struct Arguments {
    /// Seconds for one measurement.
    #[arg(long, value_name = "S", default_value = "3", value_parser = parse_positive)]
    seconds: f64,
    /// Numbers of contacts to measure: some whose data stay in cache, and some that come from memory.
    #[arg(long, value_name = "N", default_values_t = [2_000, 1_000_000], value_delimiter = ',',
          value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    contacts: Vec<u32>,
    /// Numbers of threads to measure.
    #[arg(long, value_name = "N", default_values_t = [1, 2], value_delimiter = ',',
          value_parser = clap::value_parser!(u16).range(1..))]
    threads: Vec<u16>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let mut found = Vec::new();
    for contacts in arguments.contacts.iter().map(|&contacts| contacts as usize) {
        for &threads in &arguments.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads)).build();
            let pool = pool.map_err(Failure::other)?;
            let rate = pool.install(|| sweep_rate(contacts, usize::from(threads), arguments.seconds));
            let place = if rate.bytes_per_update * contacts as f64 <= CACHE { "cache" } else { "memory" };
            found.push((place, contacts, threads, rate));
        }
    }
    if arguments.json {
        let object = |(place, contacts, threads, rate): &(&str, usize, u16, SweepRate)| {
            json!({
                "place": place, "contacts": contacts, "threads": threads,
                "updates_per_second": rate.updates_per_second,
                "scalar_updates_per_second": rate.scalar_updates_per_second,
                "bytes_per_update": rate.bytes_per_update,
                "stream_bandwidth": rate.stream_bandwidth,
                "ceiling_updates_per_second": rate.ceiling_updates_per_second,
                "instruction_set": rate.instruction_set,
            })
        };
        say(
            json!({ "sweeps": found.iter().map(object).collect::<Vec<_>>(), "version": env!("CARGO_PKG_VERSION") }),
        );
        return Ok(DONE);
    }
    say("Millions of contact updates per second.\n");
    say(
        "| data in | contacts | threads | sweep | scalar | ratio | ceiling | share of it | bandwidth [GB/s] | lanes |",
    );
    say("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|");
    for (place, contacts, threads, rate) in &found {
        let million = |updates: f64| format!("{:.1}", updates / 1e6);
        say(format_args!(
            "| {place} | {contacts} | {threads} | {} | {} | {:.1} | {} | {:.0} % | {:.1} | {} |",
            million(rate.updates_per_second),
            million(rate.scalar_updates_per_second),
            rate.updates_per_second / rate.scalar_updates_per_second,
            million(rate.ceiling_updates_per_second),
            100.0 * rate.updates_per_second / rate.ceiling_updates_per_second,
            rate.stream_bandwidth / 1e9,
            rate.instruction_set,
        ));
    }
    Ok(DONE)
}
