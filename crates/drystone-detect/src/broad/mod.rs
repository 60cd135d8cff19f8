//! The broad phase: which shapes are near each other, by their boxes. It knows no contact.

pub(crate) mod cell;
pub(crate) mod grid;
pub(crate) mod periodic;
pub(crate) mod row_key;
pub(crate) mod samplesort;
pub(crate) mod window;
