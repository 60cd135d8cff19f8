//! What the documents say of files, keys and commands is so: links lead somewhere, the reference of the scene
//! file has every key, and what contributors are told to type works.

use crate::common::sources::{pages, place, texts};
use crate::common::{drystone, metadata, read, root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

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

/// The commands that a page tells to type: its indented lines, without what sets a variable.
fn commands(page: &str) -> Vec<Vec<String>> {
    let text = read(&root().join(page));
    let lines = text.lines().filter_map(|line| line.strip_prefix("    "));
    let is_setting = |word: &&str| {
        word.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_uppercase() || c == '_'))
    };
    lines.map(|line| line.split(' ').skip_while(is_setting).map(str::to_owned).collect()).collect()
}

/// The targets of each package: its kind and its name.
fn targets_of(package: &str) -> Vec<(String, String)> {
    let metadata = metadata();
    let found = metadata["packages"].as_array().unwrap().iter().find(|found| found["name"] == package);
    let found = found.unwrap_or_else(|| panic!("there is no package {package}"));
    let name = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let targets = found["targets"].as_array().unwrap().iter();
    targets.map(|target| (name(&target["kind"][0]), name(&target["name"]))).collect()
}

/// A command of cargo: its packages and targets are there, it knows its options, and so do the programs it
/// starts.
fn is_cargo_command(words: &[String]) {
    let line = words.join(" ");
    let (own, rest) = match words.iter().position(|word| word == "--") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let after = |option: &str| own.iter().position(|word| word == option).map(|at| own[at + 1].as_str());
    let package = after("-p");
    if let Some(package) = package {
        let targets = targets_of(package);
        let wanted = after("--test").map(|test| ("test".to_owned(), test.to_owned()));
        assert!(wanted.is_none_or(|wanted| targets.contains(&wanted)), "{line}: no such test");
    }
    let help = Command::new(env!("CARGO")).args(["help", &own[0]]).output().unwrap();
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    for option in own.iter().filter(|word| word.starts_with("--")) {
        // clippy takes those of check
        assert!(own[0] == "clippy" || help.contains(option.as_str()), "{line}: {option}");
    }
    match own[0].as_str() {
        "run" => {
            let words: Vec<&str> = rest.iter().map(String::as_str).chain(["--help"]).collect();
            let said = drystone(&words).ends_with(0).out;
            let options = rest.iter().filter(|word| word.starts_with("--"));
            options.for_each(|option| assert!(said.contains(option.as_str()), "{line}: {option}"));
        }
        // no test is left out, so there is nothing to ask of those that are
        "test" => assert!(rest.is_empty(), "{line}"),
        "build" | "clippy" | "fmt" => assert!(rest.is_empty(), "{line}"),
        other => panic!("{line}: {other} is not looked at here"),
    }
}

#[test]
fn what_contributors_are_told_to_type_works() {
    let commands = commands("CONTRIBUTING.md");
    assert!(commands.len() >= 6, "{commands:?}");
    for words in commands {
        let redirected = words.iter().position(|word| word == ">");
        if let Some(at) = redirected {
            assert!(root().join(&words[at + 1]).is_file(), "{words:?}");
        }
        let words = &words[..redirected.unwrap_or(words.len())];
        match words[0].as_str() {
            "cargo" => is_cargo_command(&words[1..]),
            script => {
                let path = root().join(script);
                let opening =
                    std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("there is no {script}"));
                assert!(opening.starts_with("#!"), "{script} is no script");
            }
        }
    }
    assert!(root().join("docs/book.toml").is_file());
}

/// What somebody who knows another code of the field looks for.
const WORDS: [&str; 20] = [
    "AABB",
    "broad phase",
    "complementarity",
    "contact point",
    "Delassus",
    "dissipation",
    "double buffering",
    "graph colouring",
    "joint",
    "line search",
    "manifold",
    "NaN",
    "narrow phase",
    "Painlevé",
    "samplesort",
    "separating axis",
    "Signorini",
    "ski rental",
    "Verlet list",
    "warm start",
];

#[test]
fn the_words_of_the_field_are_found_in_the_code() {
    let sources: Vec<_> =
        texts().into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
    let all: String = sources
        .iter()
        .filter(|path| path.components().any(|part| part.as_os_str() == "src"))
        .map(|path| read(path).replace('_', " ").to_lowercase())
        .collect();
    let missing: Vec<_> = WORDS.iter().filter(|word| !all.contains(&word.to_lowercase())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_glossary_speaks_of_what_is_there() {
    let page = read(&root().join("docs/src/reference/glossary.md"));
    let sources =
        texts().into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs" || end == "toml"));
    let all: String = sources.map(|path| read(&path)).collect();
    let known: BTreeSet<&str> = all.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).collect();
    let mut names = 0;
    for line in page.lines().filter(|line| line.starts_with('|')) {
        for name in line.split('`').skip(1).step_by(2).flat_map(|code| code.split("::")) {
            assert!(known.contains(name), "{name} of the glossary is nowhere in the code");
            names += 1;
        }
    }
    assert!(names > 40, "only {names} names");
}

/// The longest line of a comment, as STYLE.md says; code is left to rustfmt.
const LONGEST: usize = 110;

#[test]
fn no_comment_is_longer_than_style_says() {
    assert!(read(&root().join("STYLE.md")).contains(&format!("lines of {LONGEST} characters")));
    assert!(read(&root().join("rustfmt.toml")).contains(&format!("max_width = {LONGEST}")));
    let mut wrong = Vec::new();
    for path in texts().into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs")) {
        for (number, line) in read(&path).lines().enumerate() {
            let text = line.trim_start();
            // a row of a table cannot be broken
            let comment =
                text.starts_with("//") && !text.trim_start_matches(['/', '!', ' ']).starts_with('|');
            if comment && line.chars().count() > LONGEST {
                wrong.push(place(&path, number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{} longer than {LONGEST}:\n{}", wrong.len(), wrong.join("\n"));
}

/// What a merge leaves behind is in no text.
#[test]
fn no_text_has_marks_of_a_merge() {
    let marks = ['<', '|', '>'].map(|mark| mark.to_string().repeat(7));
    let mut pages = 0;
    for path in texts() {
        pages += 1;
        for (number, line) in read(&path).lines().enumerate() {
            let left = marks.iter().any(|mark| line.starts_with(mark.as_str()));
            assert!(!left, "{}: {line}", place(&path, number + 1));
        }
    }
    assert!(pages > 100, "only {pages} texts");
}
