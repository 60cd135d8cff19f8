//! The text of a scene and its tree with the place of every value: turns a problem into a located error.
//! Judges nothing.

use crate::error::SceneError;
use crate::place::{Problem, Step, Wording, did_you_mean, listed, shorten};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A file as it was given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    /// Its name, for messages.
    pub(crate) file: String,
    /// Its text.
    pub(crate) text: String,
    /// Whether the files it names may lie outside of its folder.
    pub(crate) outside: bool,
}

impl Source {
    /// The error to report: of all problems the first in the file.
    pub(crate) fn first(&self, problems: &[Problem]) -> SceneError {
        let tree = DeTable::parse(&self.text).map(|root| DeValue::Table(root.into_inner())).ok();
        let located = problems.iter().map(|problem| {
            let span = tree.as_ref().map_or(0..0, |tree| find(tree, &problem.path, problem.on_key));
            (span, problem)
        });
        match located.min_by_key(|(span, _)| span.start) {
            Some((span, problem)) => self.error(span, say(problem, tree.as_ref())),
            None => SceneError::unlocated(&self.file, "the scene was refused without a reason"),
        }
    }

    /// An error about these bytes of the text.
    pub(crate) fn error(&self, span: Range<usize>, message: impl Into<String>) -> SceneError {
        const WINDOW: usize = 110;
        let text = self.text.as_str();
        let start = floor_boundary(text, span.start);
        let end = floor_boundary(text, span.end.max(start));
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let line: Vec<char> = text[line_start..line_end].trim_end_matches('\r').chars().collect();
        let column = text[line_start..start].chars().count().min(line.len());

        // a long line is cut so that the caret stays in view
        let from = if line.len() <= WINDOW { 0 } else { column.saturating_sub(WINDOW / 2) };
        let to = line.len().min(from + WINDOW);
        let excerpt: String = line[from..to].iter().map(|&c| if c.is_control() { ' ' } else { c }).collect();
        let under = text[start..end.min(line_end)].chars().count().min(to.saturating_sub(column)).max(1);
        SceneError {
            file: self.file.clone(),
            line: Some(text[..start].matches('\n').count() + 1),
            column: Some(column + 1),
            message: message.into(),
            excerpt,
            caret: (column - from, under),
        }
    }
}

fn floor_boundary(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

/// The bytes a path leads to, or those of the longest part of it that the file has.
fn find(tree: &DeValue, path: &[Step], on_key: bool) -> Range<usize> {
    let mut span = 0..0;
    let mut here = tree;
    for (depth, step) in path.iter().enumerate() {
        let last = depth + 1 == path.len();
        match (step, here) {
            (Step::Key(key), DeValue::Table(table)) => {
                let Some((key, value)) = table.get_key_value(key.as_str()) else {
                    return span;
                };
                span = if last && on_key { key.span() } else { value.span() };
                here = value.get_ref();
            }
            (Step::Index(index), DeValue::Array(items)) => {
                let Some(item) = items.get(*index) else {
                    return span;
                };
                span = item.span();
                here = item.get_ref();
            }
            _ => return span,
        }
    }
    span
}

/// The sentence.
pub(crate) fn say(problem: &Problem, tree: Option<&DeValue>) -> String {
    let place = describe(&problem.path, tree);
    match &problem.wording {
        Wording::Plain(text) => text.clone(),
        Wording::Of(text) if text.starts_with(':') => format!("{place}{text}"),
        Wording::Of(text) => format!("{place} {text}"),
        Wording::MissingKey(key) if problem.path.is_empty() && key == "time" => {
            "missing table [time] with step and duration in seconds".to_owned()
        }
        Wording::MissingKey(key) => format!("missing key {key:?} in {place}"),
        Wording::UnknownKey { found, allowed } => {
            let hint = elsewhere(found, &problem.path)
                .unwrap_or_else(|| did_you_mean(found, allowed.iter().map(String::as_str)));
            let keys = match allowed.is_empty() {
                true => "no key is allowed here".to_owned(),
                false => format!("allowed: {}", listed(allowed.iter().map(String::as_str))),
            };
            format!("unknown key {:?} in {place}; {keys}.{hint}", shorten(found, 60))
        }
    }
}

/// A key of the whole scene inside one of its tables: TOML's own trap, since a table has no end but the next
/// one.
fn elsewhere(found: &str, path: &[Step]) -> Option<String> {
    let header = match found {
        _ if path.is_empty() => return None,
        "title" | "dimension" | "units" | "gravity" => {
            return Some(format!(" The scene's own {found} stands above the first [table]."));
        }
        "time" | "solver" | "detection" | "output" | "equilibrium" | "standing" | "materials" | "shapes" => {
            format!("[{found}]")
        }
        "body" | "law" | "probe" | "sample" | "force" | "stage" | "measure" | "pressure" => {
            format!("[[{found}]]")
        }
        _ => return None,
    };
    Some(format!(" It is a table of the whole scene: {header}."))
}

/// The place in words: `shapes.ball.disk`, `position of body "block"`.
fn describe(path: &[Step], tree: Option<&DeValue>) -> String {
    let (list, index, rest) = match path {
        [] => return "the scene".to_owned(),
        [Step::Key(list), Step::Index(index), rest @ ..] => (list.as_str(), *index, rest),
        _ => return join(path),
    };
    let entry = tree.and_then(|tree| tree.get(list)).and_then(|items| items.get_ref().get(index));
    let text = |value: &DeValue| value.as_str().map(|name| shorten(name, 60));
    let owner = match (list, entry) {
        ("body" | "probe" | "sample" | "stage" | "measure", Some(entry)) => {
            let name = entry.get_ref().get("name").and_then(|name| text(name.get_ref()));
            name.map_or_else(|| format!("{list} {}", index + 1), |name| format!("{list} {name:?}"))
        }
        ("law", Some(entry)) => {
            let pair = entry.get_ref().get("between").and_then(|pair| pair.get_ref().as_array());
            let names: Vec<String> = pair
                .into_iter()
                .flat_map(|pair| pair.iter())
                .filter_map(|name| text(name.get_ref()))
                .collect();
            match names.as_slice() {
                [a, b] => format!("the law between {a:?} and {b:?}"),
                _ => format!("law {}", index + 1),
            }
        }
        ("body" | "probe" | "law" | "sample" | "stage" | "measure", None) => format!("{list} {}", index + 1),
        _ => return join(path),
    };
    if rest.is_empty() { owner } else { format!("{} of {owner}", join(rest)) }
}

fn join(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Key(key) if text.is_empty() => text.push_str(&shorten(key, 60)),
            Step::Key(key) => text.push_str(&format!(".{}", shorten(key, 60))),
            Step::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}
