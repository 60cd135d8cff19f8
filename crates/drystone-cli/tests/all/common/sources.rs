//! The project's own files as texts: what is code and what only tests or explains it. Changes none.

use super::{files_below, read, root};
use std::path::{Path, PathBuf};

/// A line of code, with its place.
pub struct Line {
    /// File below the root, and line from 1.
    pub place: String,
    /// Its text.
    pub text: String,
}

/// The lines of a crate's sources that are code: no comments, no test modules.
pub fn code_of(name: &str) -> Vec<Line> {
    let folder = root().join("crates").join(name).join("src");
    files_below(&folder, ".rs")
        .iter()
        .filter(|file| !file.ends_with("tests.rs"))
        .flat_map(|file| code_in(file))
        .collect()
}

/// The code of a file, without what follows `#[cfg(test)]` on a module or an item.
fn code_in(file: &Path) -> Vec<Line> {
    let text = read(file);
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            let indent = &line[..line.len() - line.trim_start().len()];
            let end = format!("{indent}}}");
            // a module in another file ends where it starts; rustfmt puts other closing braces under the
            // attribute
            let whole = |line: &str| {
                line == end
                    || line.starts_with(indent)
                        && line.trim_start().starts_with("mod ")
                        && line.ends_with(';')
            };
            lines.by_ref().take_while(|(_, line)| !whole(line)).for_each(drop);
        } else if !line.trim_start().starts_with("//") {
            let code = line.split(" // ").next().unwrap_or(line);
            found.push(Line { place: place(file, number + 1), text: code.to_owned() });
        }
    }
    found
}

/// A file below the root with a line.
pub fn place(file: &Path, line: usize) -> String {
    format!("{}:{line}", file.strip_prefix(root()).unwrap_or(file).display())
}

/// Every text file of the project.
pub fn texts() -> Vec<PathBuf> {
    let root = root();
    let mut found: Vec<PathBuf> = ["crates", "scenes", "docs/src", "scripts", ".ci", "python", "viewer"]
        .iter()
        .flat_map(|folder| files_below(&root.join(folder), ""))
        .chain(
            std::fs::read_dir(&root)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                // in a linked worktree .git is a file, and says where the other one is
                .filter(|path| path.is_file() && path.file_name().is_some_and(|name| name != ".git")),
        )
        .collect();
    found.retain(|path| {
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or("");
        let made = ["__pycache__", "target", "node_modules"];
        ["", "rs", "toml", "md", "py", "sh", "txt", "yml", "json", "cff", "ts", "mjs"].contains(&end)
            && !path.components().any(|part| made.iter().any(|name| part.as_os_str() == *name))
            && std::fs::read_to_string(path).is_ok()
    });
    assert!(found.len() > 100, "only {} files found", found.len());
    found
}

/// The pages for readers: those at the root and the book.
pub fn pages() -> Vec<PathBuf> {
    texts().into_iter().filter(|path| path.extension().is_some_and(|end| end == "md")).collect()
}

/// Whether `word` stands in the text with nothing of a longer word before it.
pub fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    })
}
