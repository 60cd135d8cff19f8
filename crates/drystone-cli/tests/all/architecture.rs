//! ARCHITECTURE.md holds: who may use whom, who may open files or print, where a dimension may have a value,
//! which test holds what, and who calls whom in a step.

use crate::common::calls::{Function, calls, functions};
use crate::common::sources::{Line, code_of, has_word, place, texts};
use crate::common::{metadata, read, root};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

type Uses = BTreeMap<String, BTreeSet<String>>;

/// The internal dependencies of every crate, those of tests and builds apart.
fn manifests() -> Uses {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let ours: BTreeSet<&str> = packages.iter().map(|package| package["name"].as_str().unwrap()).collect();
    let uses = |package: &Value| {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let normal = dependencies.filter(|dependency| dependency["kind"].is_null());
        let names = normal.map(|dependency| dependency["name"].as_str().unwrap());
        names.filter(|name| ours.contains(name)).map(str::to_owned).collect()
    };
    packages.iter().map(|package| (package["name"].as_str().unwrap().to_owned(), uses(package))).collect()
}

/// The table of ARCHITECTURE.md.
fn table() -> Uses {
    let text = read(&root().join("ARCHITECTURE.md"));
    let mut lines = text.lines().skip_while(|line| *line != "| crate | holds | may use |");
    assert!(lines.next().is_some(), "no table of crates in ARCHITECTURE.md");
    let names =
        |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<String>>();
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        let [name, .., uses] = cells.as_slice() else { panic!("not a row: {line}") };
        (names(name).into_iter().next().unwrap_or_else(|| panic!("no crate in {line}")), names(uses))
    };
    lines.skip(1).take_while(|line| line.starts_with('|')).map(row).collect()
}

#[test]
fn every_crate_uses_exactly_what_its_row_names() {
    let (table, manifests) = (table(), manifests());
    assert!(manifests.len() >= 15);
    for (name, uses) in &manifests {
        let row = table.get(name).unwrap_or_else(|| panic!("{name} has no row in ARCHITECTURE.md"));
        assert_eq!(uses, row, "{name}: its manifest (left) and its row in ARCHITECTURE.md (right)");
    }
    assert_eq!(table.len(), manifests.len(), "a row speaks of a crate that is not there");
}

/// All crates of ours that a crate uses, and those they use.
fn closure<'a>(uses: &'a Uses, name: &'a str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = vec![name];
    while let Some(next) = open.pop() {
        let more = uses[next].iter().map(String::as_str).filter(|used| found.insert(*used));
        open.extend(more.collect::<Vec<_>>());
    }
    found
}

#[test]
fn solvers_know_no_body_shape_or_file() {
    let manifests = manifests();
    let solving = ["math", "cones", "problem", "sparse", "local", "sweep", "solvers", "diagnose"];
    for name in solving.map(|name| format!("drystone-{name}")) {
        let known = closure(&manifests, &name);
        let within = |used: &&str| used.strip_prefix("drystone-").is_some_and(|used| solving.contains(&used));
        assert!(known.iter().all(within), "{name}: {known:?}");
    }
}

#[test]
fn no_crate_uses_itself() {
    let manifests = manifests();
    for name in manifests.keys() {
        assert!(!closure(&manifests, name).contains(name.as_str()), "{name} uses itself");
    }
}

/// Most packages that the library may bring into the build of another project, ours included: every one is
/// something to build, to license and to trust.
const MOST_PACKAGES: usize = 45;

#[test]
fn the_library_brings_few_packages() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--package", "drystone", "--edges", "normal", "--prefix", "none", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let packages: BTreeSet<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(packages.contains("nalgebra") && packages.contains("drystone-cones"), "{packages:?}");
    assert!(packages.len() <= MOST_PACKAGES, "{} packages: {packages:?}", packages.len());
}

/// The modules at the root of a crate and which of them each uses, by the paths that its code writes.
fn modules(name: &str) -> Uses {
    let lines = code_of(name);
    let path = |line: &Line| {
        let file = line.place.split(':').next().unwrap_or("").split("/src/").nth(1).unwrap_or("").to_owned();
        file.trim_end_matches(".rs").trim_end_matches("/mod").to_owned()
    };
    let home = |path: &str| path.split('/').next().unwrap_or("").to_owned();
    let mut uses: Uses = lines.iter().map(|line| (home(&path(line)), BTreeSet::new())).collect();
    uses.remove("lib");
    let all: BTreeSet<String> = uses.keys().cloned().collect();
    for line in &lines {
        let path = path(line);
        let (own, above) = (home(&path), "super::".repeat(path.split('/').count()));
        let Some(used) = uses.get_mut(&own) else { continue };
        for root in ["crate::", above.as_str()] {
            for rest in line.text.split(root).skip(1) {
                // one name, or several within braces
                let list = rest.strip_prefix('{').map_or(rest, |rest| rest.split('}').next().unwrap_or(""));
                let names = if list.len() < rest.len() { list.split(',').collect() } else { vec![rest] };
                let word = |name: &str| {
                    let end = |c: char| !(c.is_alphanumeric() || c == '_');
                    name.trim().split(end).next().unwrap_or("").to_owned()
                };
                used.extend(names.into_iter().map(word).filter(|name| *name != own && all.contains(name)));
            }
        }
    }
    uses
}

#[test]
fn files_of_a_crate_use_each_other_one_way() {
    // simulation and face, laws and their specification know each other still
    const ROUND: [&str; 2] = ["drystone", "drystone-scene"];
    let wrong = |name: &String| {
        let modules = modules(name);
        modules.keys().any(|module| closure(&modules, module).contains(module.as_str()))
    };
    let found: Vec<String> = manifests().into_keys().filter(wrong).collect();
    assert_eq!(found, ROUND, "crates whose files use each other in a circle (left), and those known (right)");
    assert!(modules("drystone-sweep")["sweep"].contains("choice"), "nothing was read");
}

/// Fails with the places of all lines that hold one of the words.
#[track_caller]
fn none_of(words: &[&str], lines: impl IntoIterator<Item = Line>) {
    let wrong = lines.into_iter().filter(|line| words.iter().any(|word| has_word(&line.text, word)));
    let wrong: Vec<String> = wrong.map(|line| format!("{}: {}", line.place, line.text.trim())).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// All crates but those named.
fn crates_but(named: &[&str]) -> Vec<String> {
    manifests().into_keys().filter(|name| !named.contains(&name.as_str())).collect()
}

/// The crates that deal with the world outside.
const EDGE: [&str; 5] = ["drystone-io", "drystone-view", "drystone-serve", "drystone-py", "drystone-cli"];

#[test]
fn no_crate_below_io_opens_a_file_or_prints() {
    const WORDS: [&str; 9] =
        ["std::fs", "fs::", "File::", "OpenOptions", "println!", "eprintln!", "print!", "eprint!", "dbg!"];
    // the two exceptions read the scene file, so that its messages can show the line they speak of, and list
    // the meshes of a folder that it names
    let allowed = |line: &Line| {
        let calls = ["std::fs::read(path)", "std::fs::read_dir(&folder)"];
        line.place.contains("drystone-scene/src/scene.rs")
            && calls.iter().any(|call| line.text.contains(call))
    };
    let crates = crates_but(&EDGE);
    assert!(crates.len() >= 12);
    none_of(&WORDS, crates.iter().flat_map(|name| code_of(name)).filter(|line| !allowed(line)));
    // the view prints nothing either, and nothing forgotten stays anywhere
    none_of(
        &["println!", "eprintln!", "print!", "eprint!"],
        ["drystone-io", "drystone-view", "drystone-serve"].into_iter().flat_map(code_of),
    );
    none_of(&["dbg!"], EDGE.into_iter().flat_map(code_of));
}

#[test]
fn the_dimension_has_no_value_between_scene_and_solver() {
    let crates = ["drystone-contact", "drystone-laws", "drystone-problem", "drystone"];
    for name in crates {
        assert!(code_of(name).len() > 50, "no code of {name} found");
    }
    let compared =
        ["==", "!=", ">", "<", ">=", "<="].map(|sign| (1..=4).map(move |d| format!("D {sign} {d}")));
    let mut words: Vec<String> = compared.into_iter().flatten().collect();
    words.push("match D".into());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // the face hides the dimension from its users: there it is a value, as at the outer edge
    let within = |line: &Line| !line.place.starts_with("crates/drystone/src/face/");
    let lines = || crates.into_iter().flat_map(code_of).filter(within);
    none_of(&words, lines());
    let wrong = lines().find(|line| line.text.contains("::<2") || line.text.contains("::<3"));
    assert!(wrong.is_none_or(|line| panic!("{}: {}", line.place, line.text)));
}

#[test]
fn nothing_is_unsafe_and_no_simulation_shares_state() {
    // threads share the bodies, by the promise of those who plan who works on which; a counter of allocations
    // is an allocator; nothing else is unsafe
    const UNSAFE: [&str; 5] = [
        "drystone-bench/src/allocations.rs",
        "drystone-sweep/src/body_states.rs",
        "drystone-sweep/src/laned.rs",
        "drystone-sweep/src/rows.rs",
        "drystone-sweep/src/team.rs",
    ];
    let allowed = |line: &Line| UNSAFE.iter().any(|file| line.place.starts_with(&format!("crates/{file}:")));
    let lines = crates_but(&[]).iter().flat_map(|name| code_of(name)).collect::<Vec<_>>();
    none_of(&["unsafe "], lines.into_iter().filter(|line| !allowed(line)));
    let global = ["static mut", "lazy_static!", "OnceLock", "LazyLock", "OnceCell"];
    // the choice of instructions is made once for a process; `golden.rs` holds that nothing depends on it
    let choice = |line: &Line| line.place.starts_with("crates/drystone-math/src/instructions.rs:");
    let lines = crates_but(&EDGE).iter().flat_map(|name| code_of(name)).collect::<Vec<_>>();
    none_of(&global, lines.into_iter().filter(|line| !choice(line)));
}

#[test]
fn what_decides_results_calls_no_function_of_the_processor() {
    let functions = [
        ".sin()",
        ".cos()",
        ".tan()",
        ".sin_cos()",
        ".asin()",
        ".acos()",
        ".atan()",
        ".atan2(",
        ".exp()",
        ".exp_m1()",
        ".ln()",
        ".ln_1p()",
        ".log10()",
        ".log2()",
        ".powf(",
        ".cbrt()",
        ".hypot(",
        ".sinh()",
        ".cosh()",
        ".tanh()",
        "f64::sin",
        "f64::cos",
        "f64::tan",
        "f64::exp",
        "f64::ln",
        "f64::hypot",
        "f64::atan2",
        ".gemm(",
        // of nalgebra, which turn by the sines of the processor
        "Orientation::new(",
        "UnitQuaternion::new(",
        "UnitComplex::",
        "Rotation2::new(",
        "Rotation3::new(",
        ".slerp(",
        ".angle_to(",
        "orientation.angle()",
        "axis_angle()",
        "euler_angles()",
        "from_axis_angle",
        "from_euler_angles",
        "from_scaled_axis",
        "scaled_axis()",
        "rotation_between",
        ".mul_add(",
    ];
    let edge = ["drystone-cli", "drystone-view"];
    let bench = ["crates/drystone-bench/src/detection/packing.rs:"];
    let lines = crates_but(&edge).iter().flat_map(|name| code_of(name)).collect::<Vec<_>>();
    none_of(
        &functions,
        lines.into_iter().filter(|line| !bench.iter().any(|file| line.place.starts_with(file))),
    );
}

#[test]
fn the_code_it_looks_at_is_code() {
    // the tests above mean nothing if the reader of sources drops too much
    let lines = code_of("drystone");
    assert!(lines.iter().any(|line| line.text.contains("pub fn step(&mut self) -> StepReport")));
    assert!(lines.iter().all(|line| !line.text.trim_start().starts_with("//")));
    assert!(code_of("drystone-laws").iter().all(|line| !line.text.contains("#[test]")));
}

#[test]
fn nothing_is_left_undone_or_tied_to_a_machine() {
    // put together here, so that this file does not hold them
    let undone =
        [concat!("to", "do!"), concat!("unimple", "mented!"), concat!("FIX", "ME"), concat!("TO", "DO")];
    let machine =
        [concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/Us", "ers/"), concat!("/wo", "rk/")];
    let skipped = concat!("#[ig", "nore");
    let mut wrong = Vec::new();
    for path in texts() {
        for (number, line) in read(&path).lines().enumerate() {
            let tied = machine.iter().any(|word| has_word(line, word));
            let open = undone.iter().any(|word| line.contains(word)) || line.contains(skipped);
            if tied || open {
                wrong.push(format!("{}: {}", place(&path, number + 1), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A section of ARCHITECTURE.md.
fn section(heading: &str) -> String {
    let text = read(&root().join("ARCHITECTURE.md"));
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    let section: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
    assert!(!section.is_empty(), "no section {heading} in ARCHITECTURE.md");
    section.join("\n")
}

/// What stands between backticks, each with the words after it.
fn quoted(text: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = text.split('`').collect();
    parts[1..].chunks_exact(2).map(|pair| (pair[0], pair[1].trim())).collect()
}

#[test]
fn every_test_it_names_is_there() {
    let section = section("## Invariants");
    let mut tests = 0;
    for pair in quoted(&section).windows(2) {
        let [(file, after), (name, _)] = pair else { unreachable!() };
        if !file.ends_with(".rs") {
            continue;
        }
        let path = match file.contains('/') {
            true => root().join("crates").join(file),
            // the files of a crate that was named before may follow without it
            false => ["drystone-cli", "drystone-io"]
                .map(|name| root().join("crates").join(name).join("tests/all").join(file))
                .into_iter()
                .find(|path| path.exists())
                .unwrap_or_else(|| panic!("no file {file}")),
        };
        let text = read(&path);
        if [":", "("].contains(after) {
            assert!(text.contains(&format!("#[test]\nfn {name}(")), "no test {name} in {}", path.display());
            tests += 1;
        }
    }
    assert!(tests >= 6, "only {tests} tests named");
}

/// The chains of calls of "The step".
fn chains() -> Vec<Vec<String>> {
    let section = section("## The step");
    let chain = |line: &str| line.trim().split(" → ").map(|name| name.trim().to_owned()).collect();
    let chains: Vec<Vec<String>> = section.lines().filter(|line| line.contains(" → ")).map(chain).collect();
    assert!(chains.len() >= 2, "{chains:?}");
    chains
}

#[test]
fn every_hop_of_the_step_is_a_call() {
    let all: Vec<Function> = manifests().keys().flat_map(|name| functions(name)).collect();
    for chain in chains() {
        for hop in chain.windows(2) {
            let [caller, called] = [&hop[0], &hop[1]];
            let named = |name: &str| all.iter().filter(|function| function.is(name)).collect::<Vec<_>>();
            assert!(!named(called).is_empty(), "there is no {called}");
            let callers = named(caller);
            assert!(!callers.is_empty(), "there is no {caller}");
            let last = called.rsplit("::").next().unwrap();
            assert!(
                callers.iter().any(|caller| calls(&caller.body, last)),
                "{caller} does not call {called}"
            );
        }
    }
}

/// The name of a type that a line of code at the margin defines.
fn defined(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let keyword = words.iter().position(|word| ["struct", "enum", "trait", "type"].contains(word))?;
    let is_margin = !line.starts_with(' ') && keyword <= 1 + usize::from(words[0] == "pub(in");
    let name = words.get(keyword + 1).filter(|_| is_margin)?;
    Some(name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or(name))
}

#[test]
fn no_type_name_has_more_than_two_meanings() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in crates_but(&[]).iter().flat_map(|name| code_of(name)) {
        if let Some(name) = defined(&line.text) {
            places.entry(name.to_owned()).or_default().push(line.place);
        }
    }
    assert!(places.len() > 400, "{} types found", places.len());
    // what a command is told: one meaning, a type in the file of each command
    places.remove("Arguments");
    let many: Vec<_> = places.iter().filter(|(_, places)| places.len() > 2).collect();
    assert!(many.is_empty(), "call these by what they are: {many:#?}");
}
