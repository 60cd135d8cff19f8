//! The vector instructions that the program uses: the widest of the machine, or narrower ones on request.
//! Results do not depend on them.

use fearless_simd::Level;
use std::sync::OnceLock;

/// The environment variable that asks for narrower instructions: to compare, or to rule out a processor.
pub const VARIABLE: &str = "DRYSTONE_INSTRUCTIONS";

/// What the variable may say: `plain` for those that every machine has, `avx2` for none wider than those.
pub const NAMES: [&str; 2] = ["plain", "avx2"];

/// The widest instructions of the machine that a request allows; a request for what it does not have changes
/// nothing.
fn at_most(request: &str) -> Level {
    let best = Level::new();
    match request {
        "plain" => Level::baseline(),
        #[cfg(target_arch = "x86_64")]
        "avx2" => best.as_avx2().map_or(best, Level::Avx2),
        _ => best,
    }
}

/// What to use, chosen once for the whole process.
#[inline]
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| at_most(&std::env::var(VARIABLE).unwrap_or_default()))
}

/// What was asked for, where it is none of the [`NAMES`].
pub fn unknown_request() -> Option<String> {
    let request = std::env::var_os(VARIABLE)?.to_string_lossy().into_owned();
    (!request.is_empty() && !NAMES.contains(&request.as_str())).then_some(request)
}
