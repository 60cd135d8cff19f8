//! As much of XML as a VTK file needs: tags with attributes and the text behind them. Knows no grid.

use crate::MeshError;
use crate::read::error_at;

/// A tag, and where the text behind it begins.
pub(super) struct Tag<'a> {
    pub name: &'a str,
    attributes: &'a str,
    /// First byte behind it.
    pub end: usize,
    /// Line from 1.
    pub line: usize,
}

impl<'a> Tag<'a> {
    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        let mut rest = self.attributes;
        while let Some((key, after)) = rest.split_once('=') {
            let after = after.trim_start();
            let quote = after.chars().next().filter(|c| ['"', '\''].contains(c))?;
            let (value, next) = after[1..].split_once(quote)?;
            if key.trim() == name {
                return Some(value);
            }
            rest = next;
        }
        None
    }

    /// An error at this tag.
    pub fn error(&self, found: impl Into<String>, allowed: impl Into<String>) -> MeshError {
        error_at(format!("line {}", self.line), found, allowed)
    }

    /// An attribute that must be there and be a whole number.
    pub fn count(&self, name: &str) -> Result<usize, MeshError> {
        let value = self.get(name).and_then(|value| value.trim().parse().ok());
        value.ok_or_else(|| {
            let found = format!("<{}> without a whole number {name}", self.name);
            self.error(found, format!("{name}=\"…\" must stand in it"))
        })
    }
}

/// Walks over the tags of a file; comments and the first line are passed over.
pub(super) struct Tags<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Tags<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 1 }
    }

    /// The next tag; `None` at the end of the file.
    pub fn next(&mut self) -> Result<Option<Tag<'a>>, MeshError> {
        loop {
            let rest = &self.bytes[self.at..];
            let Some(begin) = rest.iter().position(|&byte| byte == b'<') else { return Ok(None) };
            self.advance(begin);
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"<!--") {
                let end = rest.windows(3).position(|three| three == b"-->").map_or(rest.len(), |end| end + 3);
                self.advance(end);
                continue;
            }
            let line = self.line;
            let place = || format!("line {line}");
            let Some(end) = rest.iter().position(|&byte| byte == b'>') else {
                return Err(error_at(place(), "a tag without end", "> must close it"));
            };
            let inside = std::str::from_utf8(&rest[1..end])
                .map_err(|_| error_at(place(), "bytes that are no text", "a tag must stand here"))?;
            self.advance(end + 1);
            if inside.starts_with(['?', '!']) {
                continue;
            }
            let (name, attributes) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
            let name = name.trim_end_matches('/');
            return Ok(Some(Tag { name, attributes, end: self.at, line }));
        }
    }

    /// The text from a place up to the next tag.
    pub fn text(&self, from: usize) -> &'a [u8] {
        let rest = &self.bytes[from..];
        &rest[..rest.iter().position(|&byte| byte == b'<').unwrap_or(rest.len())]
    }

    fn advance(&mut self, by: usize) {
        let passed = &self.bytes[self.at..self.at + by];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
        self.at += by;
    }
}
