//! Why something cannot be measured. One sentence each; where it stands in a file, others know.

use thiserror::Error;

/// What may be wrong with what is asked for.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeasureError {
    /// No measure of this name.
    #[error("no measure \"{name}\"; there are: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A key that the measure does not take.
    #[error("the measure \"{measure}\" takes no \"{key}\"; allowed is {allowed}")]
    Key {
        /// The measure.
        measure: String,
        /// The key.
        key: String,
        /// What it takes.
        allowed: String,
    },
    /// A key that it needs.
    #[error("the measure \"{measure}\" needs \"{key}\": {about}")]
    Missing {
        /// The measure.
        measure: String,
        /// The key.
        key: &'static str,
        /// What it means.
        about: &'static str,
    },
    /// A value out of its range.
    #[error("{key} is {value}, allowed is {allowed}")]
    Value {
        /// The key.
        key: &'static str,
        /// What was given.
        value: String,
        /// What may be given.
        allowed: String,
    },
    /// No group of this name.
    #[error("no group \"{name}\"; there are: {known}")]
    Group {
        /// What was asked for.
        name: String,
        /// The groups there are.
        known: String,
    },
    /// No body of this name.
    #[error("no body \"{name}\"")]
    Body {
        /// What was asked for.
        name: String,
    },
    /// No column of this name.
    #[error("the measure \"{measure}\" has no column \"{column}\"; there are: {known}")]
    Column {
        /// The measure.
        measure: String,
        /// What was asked for.
        column: String,
        /// The columns there are.
        known: String,
    },
    /// A table where one number is wanted.
    #[error("the measure \"{measure}\" is a table, one number is needed; measures of one number: {known}")]
    NotScalar {
        /// The measure.
        measure: String,
        /// Measures that have one row.
        known: String,
    },
    /// Something that a dimension does not have.
    #[error("the measure \"{measure}\" exists in {allowed} only")]
    Dimension {
        /// The measure.
        measure: String,
        /// Where it exists.
        allowed: &'static str,
    },
    /// Something that the frame does not tell.
    #[error("the measure \"{measure}\" needs {what}, which this frame does not hold")]
    Absent {
        /// The measure.
        measure: &'static str,
        /// What is missing.
        what: &'static str,
    },
}
