//! What the documents say of files and keys is so: links lead somewhere, and the reference of the scene file has every key.

mod common;

use common::sources::{pages, place};
use common::{drystone, read, root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Targets of links and pictures of a Markdown line, code apart.
fn targets(line: &str) -> Vec<String> {
    // what stands between backticks is code
    let text: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let after = |mark: &str, end: char| -> Vec<String> {
        let found = text.split(mark).skip(1).filter_map(|rest| rest.split(end).next());
        found.map(|target| target.split(' ').next().unwrap_or(target).to_owned()).collect()
    };
    let mut found = after("](", ')');
    found.extend(after("src=\"", '"'));
    found.extend(after("href=\"", '"'));
    found
}

/// Whether a target is a place in this repository that must be there.
fn is_file(target: &str) -> bool {
    !(target.is_empty() || target.starts_with('#') || target.contains("://") || target.starts_with("mailto:"))
}

#[test]
fn links_and_pictures_lead_to_files() {
    assert_eq!(
        targets("[a](b.md#c) ![d](e.png \"f\") `[g](h)` <img src=\"i.svg\">"),
        ["b.md#c", "e.png", "i.svg"]
    );
    let mut wrong = Vec::new();
    for page in pages() {
        let mut fenced = false;
        for (number, line) in read(&page).lines().enumerate() {
            fenced ^= line.trim_start().starts_with("```");
            for target in targets(line).into_iter().filter(|target| !fenced && is_file(target)) {
                let file = target.split('#').next().unwrap_or("");
                if !page.parent().unwrap().join(file).exists() {
                    wrong.push(format!("{}: {target}", place(&page, number + 1)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_page_of_the_book_is_in_its_summary() {
    let book = root().join("docs/src");
    let summary = read(&book.join("SUMMARY.md"));
    let listed: BTreeSet<_> = summary.lines().flat_map(targets).map(|target| book.join(target)).collect();
    for page in pages().into_iter().filter(|page| page.starts_with(&book) && !page.ends_with("SUMMARY.md")) {
        let included = || pages().iter().any(|other| read(other).contains(&include_of(&page)));
        assert!(listed.contains(&page) || included(), "{} is not in SUMMARY.md", page.display());
    }
}

/// How one page takes over another.
fn include_of(page: &Path) -> String {
    format!("include {}", page.file_name().unwrap().to_string_lossy())
}

/// Every key of the scene file, from its JSON schema.
fn schema_keys() -> BTreeSet<String> {
    fn collect(value: &Value, keys: &mut BTreeSet<String>) {
        match value {
            Value::Object(entries) => {
                if let Some(properties) = entries.get("properties").and_then(Value::as_object) {
                    keys.extend(properties.keys().cloned());
                }
                entries.values().for_each(|entry| collect(entry, keys));
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, keys)),
            _ => {}
        }
    }
    let mut keys = BTreeSet::new();
    collect(&serde_json::from_str(&drystone(&["schema"]).ends_with(0).out).unwrap(), &mut keys);
    assert!(keys.len() > 40, "{keys:?}");
    keys
}

/// The keys of the tables of a page: the code in the first cell of each row, dotted ones by their parts.
fn page_keys(text: &str) -> BTreeSet<String> {
    let cells = text.lines().filter_map(|line| line.strip_prefix('|')?.split('|').next());
    let codes = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let parts = codes.flat_map(|code| code.trim_matches(['[', ']']).split('.'));
    parts
        .map(|part| part.trim().to_owned())
        .filter(|part| part.chars().all(|c| c.is_lowercase() || c == '_'))
        .collect()
}

#[test]
fn the_reference_of_the_scene_file_has_every_key() {
    let text = read(&root().join("docs/src/reference/scene.md"));
    let keys = schema_keys();
    let code: BTreeSet<&str> =
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect();
    let missing: Vec<_> = keys.iter().filter(|key| !code.contains(key.as_str())).collect();
    assert!(missing.is_empty(), "not in docs/src/reference/scene.md: {missing:?}");
    let unknown: Vec<_> = page_keys(&text).into_iter().filter(|key| !keys.contains(key)).collect();
    assert!(unknown.is_empty(), "in docs/src/reference/scene.md but not in the schema: {unknown:?}");
}
