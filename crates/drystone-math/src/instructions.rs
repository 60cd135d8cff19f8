//! The vector instructions that the program uses: the widest of the machine, or plain ones on request.
//! Results do not depend on them.

use fearless_simd::Level;
use std::sync::OnceLock;

/// The environment variable that asks for plain instructions, where it is `plain`: to compare, or to rule out
/// a processor.
pub const VARIABLE: &str = "DRYSTONE_INSTRUCTIONS";

/// Whether plain instructions are asked for.
pub fn plain() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| value == "plain")
}

/// What to use, chosen once for the whole process.
#[inline]
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| if plain() { Level::baseline() } else { Level::new() })
}
