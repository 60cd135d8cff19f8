//! Eight numbers in memory. What is done with them is up to the lanes.

/// Contacts solved side by side.
pub(crate) const WIDTH: usize = 8;

/// One number of each of the contacts in a group, on a cache line of its own.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct F64x8(pub [f64; WIDTH]);

impl F64x8 {
    pub const ZERO: Self = Self([0.0; WIDTH]);
}
