//! A column of numbers in a file, with its name. Knows no file.

use crate::hdf5::Values;

/// One named column of numbers, a row for each point (or cell).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Column {
    pub name: &'static str,
    pub components: usize,
    pub values: Values,
}

impl Column {
    pub(crate) fn new(name: &'static str, components: usize, values: Values) -> Self {
        Self { name, components, values }
    }
}
