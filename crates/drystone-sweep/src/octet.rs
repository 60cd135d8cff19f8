//! Eight numbers in memory, and on their way to the registers and back. What is done with them is up to the
//! lanes.

use fearless_simd::{Simd, f64x8, mask64x8, prelude::*};

/// Contacts solved side by side.
pub(crate) const WIDTH: usize = 8;

/// One number of each of the contacts in a group, on a cache line of its own.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct F64x8(pub [f64; WIDTH]);

impl F64x8 {
    pub const ZERO: Self = Self([0.0; WIDTH]);

    /// Into a register.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S) -> f64x8<S> {
        f64x8::simd_from(simd, self.0)
    }

    /// From a register.
    #[inline(always)]
    pub fn store<S: Simd>(&mut self, numbers: f64x8<S>) {
        self.0 = numbers.into();
    }
}

/// Bit i is lane i.
#[inline(always)]
pub(crate) fn bits<S: Simd>(mask: mask64x8<S>) -> u8 {
    mask.to_bitmask() as u8
}
