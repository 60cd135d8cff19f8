//! Contact updates per second of the sweep, in cache and from memory, on one thread and on two, beside what
//! the bandwidth would allow. Measures, judges nothing.

use drystone_bench::sweep_rate;

fn main() {
    for contacts in [2_000, 60_000, 1_000_000] {
        for threads in [1, 2] {
            let rate = sweep_rate(contacts, threads, 3.0);
            println!(
                "{contacts:8} contacts, {threads} threads, {:8}: {:6.1} M updates/s, scalar {:5.1} M, ceiling {:6.1} M \
                 ({:.0} B per update at {:.1} GB/s)",
                rate.instruction_set,
                rate.updates_per_second * 1e-6,
                rate.scalar_updates_per_second * 1e-6,
                rate.ceiling_updates_per_second * 1e-6,
                rate.bytes_per_update,
                rate.stream_bandwidth * 1e-9,
            );
        }
    }
}
