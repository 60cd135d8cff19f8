//! The one error of this crate: a sentence and the place in the file it speaks of. Prints nothing itself.

use serde::Serialize;
use std::fmt;

/// Why a scene was refused. Displays as `file:line:column: message`, then the line and a caret under the
/// place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SceneError {
    /// File as it was named to us.
    pub file: String,
    /// Line, from 1; none when the file could not be read at all.
    pub line: Option<usize>,
    /// Column in characters, from 1.
    pub column: Option<usize>,
    /// What is wrong, what is allowed, what was perhaps meant.
    pub message: String,
    /// The line of the file, cut around the place if it is long.
    #[serde(skip)]
    pub(crate) excerpt: String,
    /// Characters of the excerpt before the caret, and under it.
    #[serde(skip)]
    pub(crate) caret: (usize, usize),
}

impl SceneError {
    /// An error that no line of the file is to blame for.
    pub(crate) fn unlocated(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line: None,
            column: None,
            message: message.into(),
            excerpt: String::new(),
            caret: (0, 0),
        }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(line), Some(column)) = (self.line, self.column) else {
            return write!(f, "{}: {}", self.file, self.message);
        };
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let (before, under) = self.caret;
        writeln!(f, "{}:{line}:{column}: {}", self.file, self.message)?;
        writeln!(f, "{margin} |")?;
        writeln!(f, "{number} | {}", self.excerpt)?;
        write!(f, "{margin} | {}{}", " ".repeat(before), "^".repeat(under.max(1)))
    }
}

impl std::error::Error for SceneError {}
