//! From the table of a law to the law: its ranges and what it builds. Knows nothing of groups.

mod bonds;
mod contacts;

use crate::place::{Place, Problems};
use crate::validate::numbers::{Range, number};
use drystone::Law;

/// The table of a law.
pub(crate) trait LawTable {
    /// Reports numbers out of their ranges and keys that contradict each other.
    fn check(&self, problems: &mut Problems, place: &Place);

    /// The law, where the table is right.
    fn law<const D: usize>(&self) -> Option<Box<dyn Law<D>>>;
}

/// Checks numbers of a table that share a range.
fn numbers(problems: &mut Problems, place: &Place, range: Range, values: &[(&str, f64)]) {
    for &(key, value) in values {
        number(problems, &place.key(key), value, range);
    }
}
