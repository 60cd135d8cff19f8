//! Work on eight numbers at a time, on the instructions the machine has. Fuses no multiplication with an
//! addition and asks for no approximate reciprocal, so that all of them give the same bits.

use drystone_math::instructions;
use fearless_simd::{Level, Simd, dispatch};

/// Work that can be done with any instructions.
///
/// Code in lanes is only fast where all of it is inlined into [`Instructions::run`]: functions are
/// `#[inline(always)]`, `run` among them, and there are no closures, which cannot be.
pub(crate) trait Work {
    type Output;
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Instructions that the machine has.
#[derive(Clone, Copy, Debug)]
pub struct Instructions(Level);

impl Default for Instructions {
    fn default() -> Self {
        Self::plain()
    }
}

impl Instructions {
    /// Those that every machine has.
    pub fn plain() -> Self {
        Self(Level::baseline())
    }

    /// The widest this machine has, unless plain ones are asked for.
    pub fn best() -> Self {
        Self(instructions::level())
    }

    /// All this machine has, the widest first.
    pub fn all() -> Vec<Self> {
        let best = Level::new();
        let mut found = vec![Self(best)];
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = best.as_avx2().filter(|_| best.as_avx512().is_some()) {
            found.push(Self(Level::Avx2(avx2)));
        }
        found.push(Self::plain());
        found
    }

    /// As people call it.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => "AVX2",
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => "NEON",
            _ => "plain",
        }
    }

    /// Does the work with these instructions.
    pub(crate) fn run<K: Work>(self, work: K) -> K::Output {
        dispatch!(self.0, simd => work.run(simd))
    }
}
