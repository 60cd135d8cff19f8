//! Why a value does not fit its type, in the words of the file. Finds no place itself: readers add it on the
//! way up.

use crate::place::{Step, Wording, shorten};
use serde::de::{self, Unexpected};
use std::fmt::Display;
use std::ops::Range;

/// A value that does not fit, with its place.
#[derive(Debug)]
pub(crate) struct ReadError {
    /// Bytes of the text, once known.
    pub(crate) span: Option<Range<usize>>,
    /// Path from the root; innermost step first until `read` turns it.
    pub(crate) path: Vec<Step>,
    /// What is wrong.
    pub(crate) wording: Wording,
}

impl ReadError {
    pub(super) fn new(wording: Wording) -> Self {
        Self { span: None, path: Vec::new(), wording }
    }

    pub(super) fn at(mut self, span: &Range<usize>) -> Self {
        self.span.get_or_insert_with(|| span.clone());
        self
    }

    pub(super) fn under(mut self, step: Step) -> Self {
        self.path.push(step);
        self
    }

    pub(super) fn unexpected(found: impl Display, expected: &dyn de::Expected) -> Self {
        Self::new(Wording::Of(format!("must be {}, found {found}", in_words(&expected.to_string()))))
    }
}

/// Serde names Rust types; people write TOML.
fn in_words(expected: &str) -> String {
    match expected {
        "f64" => "a number".into(),
        "u32" => "a whole number from 0 to 4294967295".into(),
        "u64" | "usize" => "a whole number, not negative".into(),
        "bool" | "a boolean" => "true or false".into(),
        "a sequence" => "an array".into(),
        "a map" => "a table".into(),
        "enum" => "a table with exactly one key".into(),
        "a borrowed string" | "a string" => "a string".into(),
        other if other.starts_with("struct ") => "a table".into(),
        other => other.into(),
    }
}

/// A word for what was found.
pub(super) fn found(unexpected: Unexpected) -> String {
    match unexpected {
        Unexpected::Str(text) => format!("the string {:?}", shorten(text, 60)),
        Unexpected::Bool(flag) => format!("{flag}"),
        Unexpected::Signed(number) => format!("{number}"),
        Unexpected::Unsigned(number) => format!("{number}"),
        Unexpected::Float(number) => format!("{number}"),
        Unexpected::Seq => "an array".into(),
        Unexpected::Map => "a table".into(),
        other => other.to_string(),
    }
}

impl Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.wording)
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(Wording::Of(format!(": {message}")))
    }
    fn invalid_type(unexpected: Unexpected, expected: &dyn de::Expected) -> Self {
        Self::unexpected(found(unexpected), expected)
    }
    fn invalid_value(unexpected: Unexpected, expected: &dyn de::Expected) -> Self {
        Self::unexpected(found(unexpected), expected)
    }
    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let allowed = expected.iter().map(|&name| name.to_owned()).collect();
        Self::new(Wording::UnknownKey { found: variant.to_owned(), allowed })
    }
    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::unknown_variant(field, expected)
    }
    fn missing_field(field: &'static str) -> Self {
        Self::new(Wording::MissingKey(field.to_owned()))
    }
}
