//! Keys of rows and the numbers that the rows and the search in them share. It holds no box.

/// Rows are wider than their boxes by this, more than rounding can move a box.
pub(crate) const SLACK: f64 = 1e-6;
/// Bits of the number of a row along each axis across; boxes farther away share the last row: slow, but
/// right.
pub(crate) const BITS: u32 = 29;
/// The last row.
pub(crate) const LAST: u64 = (1 << BITS) - 1;
/// Boxes that look together.
pub(crate) const LANES: usize = 8;
/// Twice the relative error of a place along a row in single precision.
pub(crate) const SINGLE: f64 = 2.0 * f32::EPSILON as f64;

/// Largest side of the boxes of a level, in units of the largest of all.
pub(crate) fn side(level: u32) -> f64 {
    // exact, and quicker than a power
    f64::from_bits(u64::from(1023 - level) << 52)
}

/// Level of a row from its key.
pub(crate) fn level_of<const D: usize>(key: u64) -> u32 {
    (key >> (BITS * (D as u32 - 1))) as u32
}

/// Number of a row along an axis across it, 1 or 2; zero along others.
pub(crate) fn number<const D: usize>(key: u64, axis: usize) -> u64 {
    if axis < D { key >> (BITS * (axis as u32 - 1)) & LAST } else { 0 }
}
