//! A place in bytes that words, lines and binary numbers are taken from, and that errors are told. Knows no
//! format.

use crate::MeshError;

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// As words.
    Text,
    /// Binary, lowest byte first.
    Little,
    /// Binary, highest byte first.
    Big,
}

/// Kinds of binary numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberKind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    U64,
    F32,
    F64,
}

impl NumberKind {
    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::U64 | Self::F64 => 8,
        }
    }
}

/// Bytes with a place in them.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Line of `at` from 1, as long as only text was taken.
    line: usize,
    /// Whether a binary number was taken, so that errors count bytes.
    binary: bool,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        // some editors put a mark of the encoding first
        let at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { bytes, at, line: 1, binary: false }
    }

    /// Bytes that are left.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Line from 1 where the next word or line starts.
    pub(crate) fn line_number(&self) -> usize {
        self.line
    }

    /// An error here.
    pub(crate) fn error(&self, found: impl Into<String>, allowed: impl Into<String>) -> MeshError {
        match self.binary {
            true => error_at(format!("byte {}", self.at), found, allowed),
            false => error_at(format!("line {}", self.line), found, allowed),
        }
    }

    /// The rest of the line, its end apart, trimmed; `None` at the end.
    pub(crate) fn next_line(&mut self) -> Option<&'a [u8]> {
        if self.left() == 0 {
            return None;
        }
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|&byte| byte == b'\n');
        self.at += end.map_or(rest.len(), |end| end + 1);
        self.line += usize::from(end.is_some());
        Some(rest[..end.unwrap_or(rest.len())].trim_ascii())
    }

    /// The next word, over line ends; `None` at the end.
    pub(crate) fn word(&mut self) -> Option<&'a [u8]> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if !byte.is_ascii_whitespace() {
                break;
            }
            self.line += usize::from(byte == b'\n');
            self.at += 1;
        }
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| &rest[..end])
    }

    /// Whether the next word starts with a letter.
    pub(crate) fn peek_letter(&self) -> bool {
        self.bytes[self.at..].trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic)
    }

    /// The next word, which must be there.
    pub(crate) fn need_word(&mut self, allowed: &str) -> Result<&'a [u8], MeshError> {
        self.word().ok_or_else(|| self.error("the end of the file", allowed))
    }

    /// The next word, which must be this one in upper or lower case.
    pub(crate) fn expect(&mut self, wanted: &str) -> Result<(), MeshError> {
        let allowed = format!("{wanted:?} must stand here");
        let word = self.need_word(&allowed)?;
        match word.eq_ignore_ascii_case(wanted.as_bytes()) {
            true => Ok(()),
            false => Err(self.error(shown(word), allowed)),
        }
    }

    /// A finite number, as a word or binary.
    pub(crate) fn number(&mut self, writing: Writing, kind: NumberKind) -> Result<f64, MeshError> {
        let number = match writing {
            Writing::Text => {
                let word = self.need_word("a number must stand here")?;
                parse(word).ok_or_else(|| self.error(shown(word), "a number must stand here"))?
            }
            _ => self.binary_number(writing, kind)?,
        };
        match number.is_finite() {
            true => Ok(number),
            false => Err(self.error(format!("the number {number}"), "only finite numbers are allowed")),
        }
    }

    /// A whole number that is not negative.
    pub(crate) fn whole(&mut self, writing: Writing, kind: NumberKind) -> Result<usize, MeshError> {
        let number = self.number(writing, kind)?;
        // above 2^53 not every whole number is a float; no file is that long
        match number >= 0.0 && number.fract() == 0.0 && number < 9e15 {
            true => Ok(number as usize),
            false => Err(self.error(format!("the number {number}"), "a whole number from 0 must stand here")),
        }
    }

    /// A count of things of at least `size` bytes each, which the bytes left must be able to hold.
    pub(crate) fn count(
        &mut self,
        writing: Writing,
        kind: NumberKind,
        size: usize,
    ) -> Result<usize, MeshError> {
        let count = self.whole(writing, kind)?;
        match count <= self.left() / size.max(1) + 1 {
            true => Ok(count),
            false => {
                let allowed = format!("the {} bytes that follow cannot hold as many", self.left());
                Err(self.error(format!("a count of {count}"), allowed))
            }
        }
    }

    /// This many raw bytes.
    pub(crate) fn take(&mut self, size: usize) -> Result<&'a [u8], MeshError> {
        self.binary = true;
        if size > self.left() {
            return Err(
                self.error(format!("{} bytes to the end", self.left()), format!("{size} must follow"))
            );
        }
        let taken = &self.bytes[self.at..self.at + size];
        self.at += size;
        Ok(taken)
    }

    fn binary_number(&mut self, writing: Writing, kind: NumberKind) -> Result<f64, MeshError> {
        let size = kind.size();
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(self.take(size)?);
        if writing == Writing::Big {
            bytes[..size].reverse();
        }
        let low = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        Ok(match kind {
            NumberKind::I8 => f64::from(bytes[0] as i8),
            NumberKind::U8 => f64::from(bytes[0]),
            NumberKind::I16 => f64::from(low as u16 as i16),
            NumberKind::U16 => f64::from(low as u16),
            NumberKind::I32 => f64::from(low as i32),
            NumberKind::U32 => f64::from(low),
            NumberKind::F32 => f64::from(f32::from_bits(low)),
            NumberKind::U64 => u64::from_le_bytes(bytes) as f64,
            NumberKind::F64 => f64::from_le_bytes(bytes),
        })
    }
}

/// An error at a place in words. What stands in the first line is not told: of a file that is no mesh it may
/// be a secret, and who wrote the scene need not be who may read the file.
pub(crate) fn error_at(place: String, found: impl Into<String>, allowed: impl Into<String>) -> MeshError {
    let found = Some(found.into()).filter(|found| place != "line 1" || !found.starts_with('"'));
    MeshError::Read { place, found: found.unwrap_or_else(|| OTHER_WORDS.into()), allowed: allowed.into() }
}

/// What stands for words that are not told.
pub(crate) const OTHER_WORDS: &str = "something else";

/// A number as Rust reads it.
pub(crate) fn parse(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// A word for messages: quoted, cut if it is long.
pub(crate) fn shown(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    let start: String = text.chars().take(40).collect();
    let dots = if start.len() < text.len() { " …" } else { "" };
    format!("{start:?}{dots}")
}
