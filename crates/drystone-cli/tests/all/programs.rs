//! What is built for the tests: one program per crate, which leaves out none of its files, and a Python
//! package made of what they have built.

use crate::common::{files_below, metadata, read, root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The targets of every package: the name of the package with each.
fn targets() -> Vec<(String, Value)> {
    let metadata = metadata();
    let of = |package: &Value| {
        let name = package["name"].as_str().unwrap().to_owned();
        let targets = package["targets"].as_array().unwrap().clone();
        targets.into_iter().map(move |target| (name.clone(), target))
    };
    metadata["packages"].as_array().unwrap().iter().flat_map(of).collect()
}

/// The first file of a target.
fn first_file(target: &Value) -> PathBuf {
    Path::new(target["src_path"].as_str().unwrap()).canonicalize().unwrap()
}

/// Adds a file of a program and those of the modules that it names.
fn collect(file: &Path, is_first: bool, found: &mut BTreeSet<PathBuf>) {
    if !found.insert(file.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", file.display()))) {
        return;
    }
    let folder = file.parent().unwrap();
    let home = if is_first || file.ends_with("mod.rs") { folder.into() } else { file.with_extension("") };
    let mut elsewhere = None;
    for line in read(file).lines().map(str::trim) {
        if let Some(path) = line.strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]")) {
            elsewhere = Some(folder.join(path));
        }
        let module = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ");
        let Some(name) = module.and_then(|rest| rest.strip_suffix(';')) else { continue };
        let beside = home.join(format!("{name}.rs"));
        let usual = if beside.exists() { beside } else { home.join(name).join("mod.rs") };
        collect(&elsewhere.take().unwrap_or(usual), false, found);
    }
}

/// Tests that need a program of their own: those with an allocator that counts.
const ALONE: [&str; 1] = ["no_allocation"];

#[test]
fn every_crate_has_one_program_of_tests_which_leaves_out_no_file() {
    let mut files = 0;
    let targets = targets();
    for name in targets.iter().map(|(name, _)| name).collect::<BTreeSet<_>>() {
        let is_test = |(package, target): &&(String, Value)| package == name && target["kind"][0] == "test";
        let programs: Vec<&Value> = targets.iter().filter(is_test).map(|(_, target)| target).collect();
        let shared = programs.iter().filter(|target| !ALONE.iter().any(|alone| target["name"] == *alone));
        assert!(shared.count() <= 1, "{name}: each program of tests compiles and links the library anew");
        let mut found = BTreeSet::new();
        programs.iter().for_each(|target| collect(&first_file(target), true, &mut found));
        for file in files_below(&root().join("crates").join(name).join("tests"), ".rs") {
            assert!(found.contains(&file), "{} is in no program: a `mod` is missing", file.display());
            files += 1;
        }
    }
    assert!(files > 100, "only {files} files");
}

/// Whether a line belongs to documentation that may hold code to run.
fn is_example(line: &str) -> bool {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).unwrap_or("");
    let is_elsewhere = ["/**", "/*!", "#[doc = ", "#![doc = "].iter().any(|start| line.starts_with(start));
    is_elsewhere || ["```", "~~~"].iter().any(|mark| text.contains(mark)) || text.starts_with("     ")
}

#[test]
fn what_is_not_tested_holds_no_test() {
    assert!(is_example("    /// ```no_run") && is_example("//!     let a = 1;") && !is_example("/// `a`"));
    let mut kept_out = 0;
    for (name, target) in targets() {
        let kind = target["kind"][0].as_str().unwrap();
        if !["lib", "cdylib", "bin"].contains(&kind) {
            continue;
        }
        let (tests, examples) = (target["test"] == true, target["doctest"] == true || kind == "bin");
        kept_out += usize::from(!tests) + usize::from(!examples);
        for file in files_below(first_file(&target).parent().unwrap(), ".rs") {
            for line in read(&file).lines() {
                let is_test = line.contains("#[test]") || line.contains("proptest!");
                let place = || format!("{}: {line}", file.display());
                assert!(tests || !is_test, "{name} says `test = false`, but {}", place());
                assert!(examples || !is_example(line), "{name} says `doctest = false`, but {}", place());
            }
        }
    }
    assert!(kept_out > 10, "only {kept_out} kept out");
}

/// The packages that a part of the workspace is built of, with their features.
fn packages(arguments: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--prefix", "none", "--format", "{p} with {f}", "--offline"])
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn the_wheel_is_made_of_what_the_tests_have_built() {
    let all = packages(&["--workspace", "--edges", "normal,build,dev"]);
    let wheel = packages(&["--package", "drystone-py", "--edges", "normal,build"]);
    let others: Vec<_> = wheel.difference(&all).collect();
    assert!(wheel.len() > 50, "{wheel:?}");
    assert!(
        others.is_empty(),
        "built once more for the wheel, with all that uses it; the manifest of drystone-py is to name the \
         features of the workspace: {others:#?}"
    );
}
