//! The functions of the project's sources and what their bodies call, by name. Knows no types: a call is a
//! word before a parenthesis.

use super::sources::{Line, code_of};

/// A function of the sources.
pub struct Function {
    /// Crate, file and block it stands in: what its name may be qualified with.
    home: String,
    name: String,
    /// Its lines.
    pub body: String,
}

impl Function {
    /// Whether it goes by a name, which may say in front of `::` its crate, its file, or the type or trait of
    /// its block.
    pub fn is(&self, name: &str) -> bool {
        match name.rsplit_once("::") {
            Some((home, name)) => self.name == name && words(&self.home).any(|word| word == home),
            None => self.name == name,
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// All functions of a crate but those of tests. Relies on the format: a block ends with a brace below its
/// first letter.
pub fn functions(name: &str) -> Vec<Function> {
    let lines = code_of(name);
    let mut found = Vec::new();
    let mut block = String::new();
    for (index, line) in lines.iter().enumerate() {
        let text = line.text.as_str();
        if !text.is_empty() && !text.starts_with([' ', '}', ')']) {
            let is_block = text.starts_with("impl") || text.contains("trait ");
            block = if is_block { header(&lines[index..]) } else { String::new() };
        }
        let indent = text.len() - text.trim_start().len();
        let Some(function) = function_name(text.trim_start()).filter(|_| indent <= 4) else { continue };
        let end = format!("{}}}", " ".repeat(indent));
        let more = lines[index + 1..].iter().take_while(|line| line.text != end);
        let body: Vec<&str> = more.map(|line| line.text.as_str()).collect();
        let file = line.place.split(':').next().unwrap_or("");
        let folder = file.rsplit('/').next().unwrap_or("").trim_end_matches(".rs");
        // the root of a crate goes by the crate's own name
        let folder = if folder == "lib" { name.replace('-', "_") } else { folder.to_owned() };
        let home = if indent == 0 { folder } else { block.clone() };
        found.push(Function { home, name: function.to_owned(), body: body.join("\n") });
    }
    found
}

/// The lines of a block up to its brace.
fn header(lines: &[Line]) -> String {
    let mut header = String::new();
    for line in lines {
        header += &line.text;
        header.push(' ');
        if line.text.contains('{') {
            break;
        }
    }
    header
}

/// The name of the function that begins in a line.
fn function_name(line: &str) -> Option<&str> {
    let before = |text: &str| {
        words(text).all(|word| ["pub", "crate", "super", "const", "unsafe", "extern", "C"].contains(&word))
    };
    let (front, rest) = line.split_once("fn ")?;
    before(front).then(|| words(rest).next()).flatten()
}

/// Whether a body calls a function of this name.
pub fn calls(body: &str, name: &str) -> bool {
    body.match_indices(name).any(|(at, _)| {
        let before = body[..at].chars().next_back();
        let after = &body[at + name.len()..];
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
            && (after.starts_with('(') || after.starts_with("::<"))
    })
}
