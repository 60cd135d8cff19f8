//! Every recipe of the how-to pages runs as it is printed, and what a page shows of an answer is in the
//! answer. Scenes of the book are built in `scenes.rs`.

use crate::common::{answer, command, files_below, read, root, write_scene};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Folder of the pages.
fn howto() -> PathBuf {
    root().join("docs/src/howto")
}

/// A block of a page: the line above it, the language it is said to be in, its lines.
struct Block {
    line: usize,
    language: String,
    lines: Vec<String>,
}

fn blocks(page: &Path) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in read(page).lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), open) {
            (Some(language), false) => {
                found.push(Block { line: number + 1, language: language.to_owned(), lines: Vec::new() });
                open = true;
            }
            (Some(_), true) => open = false,
            (None, true) => found.last_mut().unwrap().lines.push(line.to_owned()),
            (None, false) => {}
        }
    }
    assert!(!open, "{}: a block does not end", page.display());
    found
}

/// A command of a page and the lines that it shows of the answer.
#[derive(Debug, PartialEq)]
struct Recipe {
    typed: String,
    shown: Vec<String>,
}

/// The commands of a block. Where some begin with `$ ` the other lines are answers, else all are commands.
fn recipes(block: &Block) -> Vec<Recipe> {
    let mut found: Vec<Recipe> = Vec::new();
    let marked = block.lines.iter().any(|line| line.starts_with("$ "));
    for line in block.lines.iter().filter(|line| !line.trim().is_empty()) {
        match (line.strip_prefix("$ "), marked) {
            (Some(typed), _) => found.push(Recipe { typed: typed.to_owned(), shown: Vec::new() }),
            (None, false) => found.push(Recipe { typed: line.clone(), shown: Vec::new() }),
            (None, true) => {
                let last = found.last_mut().expect("an answer comes after a command");
                last.shown.push(line.trim_end().to_owned());
            }
        }
    }
    found
}

#[test]
fn blocks_are_commands_and_answers() {
    let block = |lines: &[&str]| Block {
        line: 1,
        language: "console".into(),
        lines: lines.iter().map(|&line| line.into()).collect(),
    };
    let recipe = |typed: &str, shown: &[&str]| Recipe {
        typed: typed.into(),
        shown: shown.iter().map(|&line| line.into()).collect(),
    };
    assert_eq!(recipes(&block(&["a b", "c"])), [recipe("a b", &[]), recipe("c", &[])]);
    let answered = recipes(&block(&["$ a b", "  said ", "", "$ c"]));
    assert_eq!(answered, [recipe("a b", &["  said"]), recipe("c", &[])]);
}

/// Lines of an answer come in the order of the page; `...` stands for any of them.
#[track_caller]
fn says(said: &str, recipe: &Recipe, place: &str) {
    let mut rest = said.lines();
    for line in recipe.shown.iter().filter(|line| !matches!(line.trim(), "..." | "…")) {
        let found = rest.any(|own| is_same(own, line));
        assert!(found, "{place}: {:?} does not say\n{line}\nbut\n{said}", recipe.typed);
    }
}

/// Whether two lines say the same: word for word, numbers to the digits that matter. What is left of
/// balancing forces may be any number that is small enough.
fn is_same(one: &str, other: &str) -> bool {
    let bare = |word: &str| word.trim_matches(['[', ']', '(', ')', ',', ';', ':', '%']).parse::<f64>();
    let same = |(one, other): (&str, &str)| match (bare(one), bare(other)) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 1e-3 * a.abs().max(b.abs()) || a.abs().max(b.abs()) < 1e-9,
        _ => one == other,
    };
    let words = |line: &str| line.split_whitespace().count();
    words(one) == words(other) && one.split_whitespace().zip(other.split_whitespace()).all(same)
}

#[test]
fn lines_are_the_same_but_for_digits_that_do_not_matter() {
    assert!(is_same("tilt x   at most 8.4363 degrees", "tilt x at most 8.4362 degrees"));
    assert!(is_same("work [ 1.000000 3.3e-13] m/s", "work [ 1.000001 -2e-14] m/s"));
    assert!(!is_same("at most 8.4363 degrees", "at most 8.5 degrees"));
    assert!(!is_same("stone 5", "stone 6") && !is_same("a b", "a b c") && !is_same("fine", "slow"));
}

/// Words of a line as a shell has them; nothing of what shells do beyond blanks is in a recipe.
fn words_of(typed: &str) -> Vec<&str> {
    assert!(!typed.contains(['\'', '"', '|', '>', '&', '*', '$', ';']), "{typed}: more than words");
    typed.split_whitespace().collect()
}

/// Starts a command that serves a page, asks for the page and ends it.
fn serves(words: &[&str], home: &Path, place: &str) {
    let log = home.join("served.log");
    let file = std::fs::File::create(&log).unwrap();
    let mut served = command(words);
    served.current_dir(home).stdout(file.try_clone().unwrap()).stderr(file);
    let mut child = served.spawn().unwrap();
    let begun = Instant::now();
    let address = loop {
        let said = read(&log);
        // a line that has ended
        let found = said.split("http://").nth(1).and_then(|rest| rest.split_once([' ', '\n']));
        match found {
            Some((address, _)) => break Some(address.trim_end_matches('/').to_owned()),
            None if child.try_wait().unwrap().is_some() => break None,
            None => assert!(begun.elapsed() < Duration::from_secs(60), "{place}: no address in {said}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let said = read(&log);
    // the port that is named may be somebody else's at the moment
    let Some(address) = address else {
        return assert!(words.contains(&"--port") && said.contains("8737"), "{place}: {said}");
    };
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = Vec::new();
    stream.read_to_end(&mut page).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(page.starts_with(b"HTTP/1.1 200 ") && page.len() > 100_000, "{place}: no page");
}

/// Exit codes of commands that did what they were asked: done, done with steps that did not converge.
const FINE: [i32; 2] = [0, 3];

/// Follows one recipe.
fn follow(recipe: &Recipe, home: &Path, place: &str) {
    let mut words = words_of(&recipe.typed);
    if words[0] == "ssh" {
        // what is typed for the other machine
        let far = words.iter().position(|&word| word == "drystone").unwrap();
        assert_eq!(words[1..far], ["-L", "8737:127.0.0.1:8737", "host"], "{place}");
        words.drain(..far);
    }
    assert_eq!(words[0], "drystone", "{place}: what is {}?", recipe.typed);
    let words = &words[1..];
    if words[0] == "view" || words.contains(&"--view") {
        return serves(words, home, place);
    }
    let told = answer(command(words).current_dir(home));
    assert!(FINE.contains(&told.code), "{place}: {} ends with {}:\n{}", recipe.typed, told.code, told.err);
    says(&format!("{}{}", told.err, told.out), recipe, place);
    let made = words
        .iter()
        .zip(words.iter().skip(1))
        .filter(|(option, _)| ["-o", "--html", "--film", "--picture"].contains(option));
    for (_, name) in made {
        assert!(home.join(name).exists(), "{place}: {} makes no {name}", recipe.typed);
    }
}

/// Lines of Python, where one is at hand.
fn follow_python(block: &Block, home: &Path, place: &str) {
    let Some(python) = std::env::var_os("DRYSTONE_PYTHON") else {
        return eprintln!("DRYSTONE_PYTHON names no Python: {place} not tried");
    };
    let mut program = std::process::Command::new(python);
    program.args(["-c", &block.lines.join("\n")]).current_dir(home).stdin(Stdio::null());
    let told = answer(&mut program);
    assert!(told.code == 0 && !told.out.is_empty(), "{place}: {}", told.err);
}

/// Lines of Rust are those of an example of the library, which is compiled with the tests.
fn is_of_an_example(block: &Block, place: &str) {
    let bare = |line: &str| line.split("//").next().unwrap_or("").trim().to_owned();
    let code =
        |text: &str| -> Vec<String> { text.lines().map(bare).filter(|line| !line.is_empty()).collect() };
    let wanted = code(&block.lines.join("\n"));
    assert!(!wanted.is_empty(), "{place}: nothing there");
    let holds = |path: &PathBuf| code(&read(path)).windows(wanted.len()).any(|lines| lines == wanted);
    let examples = files_below(&root().join("crates/drystone/examples"), ".rs");
    assert!(examples.iter().any(holds), "{place}: no example of the library has these lines");
}

/// Follows a page from its beginning to its end, with what its reader has at hand in `home`.
fn follow_page(name: &str, home: &Path) {
    let page = howto().join(name);
    link(&root().join("scenes"), &home.join("scenes"));
    let mut followed = 0;
    for block in blocks(&page) {
        let place = format!("{name}:{}", block.line);
        match block.language.as_str() {
            // what is shown of an answer alone
            "console" if block.lines[0].starts_with("error:") => {}
            "console" | "bash" => recipes(&block).iter().for_each(|recipe| follow(recipe, home, &place)),
            "python" => follow_python(&block, home, &place),
            "rust" | "rust,ignore" => is_of_an_example(&block, &place),
            "toml" => continue,
            other => panic!("{place}: nobody knows how to follow {other:?}"),
        }
        followed += 1;
    }
    assert!(followed > 0, "{name}: no recipe");
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(from, to).unwrap();
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path) {
    for file in files_below(from, "") {
        let place = to.join(file.strip_prefix(from).unwrap());
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::copy(&file, place).unwrap();
    }
}

/// Types a line that a page takes for granted.
#[track_caller]
fn prepare(home: &Path, typed: &str) {
    let told = answer(command(&words_of(typed)).current_dir(home));
    assert!(FINE.contains(&told.code), "{typed}: {}", told.err);
}

/// A scene of the repository with a few words changed.
fn changed(home: &Path, scene: &str, name: &str, changes: &[[&str; 2]]) {
    let mut text = read(&root().join("scenes").join(scene));
    for [old, new] in changes {
        assert!(text.contains(old), "{scene} has no {old}");
        text = text.replace(old, new);
    }
    write_scene(home, name, &text);
}

#[test]
fn many_scenes_are_run() {
    let home = tempfile::tempdir().unwrap();
    follow_page("batch-runs.md", home.path());
}

#[test]
fn the_library_is_used_as_its_examples_do() {
    let home = tempfile::tempdir().unwrap();
    follow_page("library.md", home.path());
}

#[test]
fn runs_are_looked_at() {
    let home = tempfile::tempdir().unwrap();
    prepare(home.path(), "new arch");
    prepare(home.path(), "run arch.toml --steps 100 --quiet");
    changed(home.path(), "falling-disks.toml", "scene.toml", &[]);
    follow_page("look-at-it.md", home.path());
}

#[test]
fn steps_that_do_not_converge_are_looked_into() {
    let home = tempfile::tempdir().unwrap();
    changed(home.path(), "validation/corner.toml", "corner.toml", &[["friction = 0.8", "friction = 1.1"]]);
    changed(home.path(), "validation/three-disks-slack.toml", "slack.toml", &[]);
    prepare(home.path(), "run slack.toml -o slack --quiet");
    prepare(home.path(), "new arch");
    prepare(home.path(), "run arch.toml -o arch --quiet");
    follow_page("not-converged.md", home.path());
}

#[test]
fn pictures_and_films_are_drawn() {
    let home = tempfile::tempdir().unwrap();
    prepare(home.path(), "new arch");
    prepare(home.path(), "run arch.toml --steps 100 --quiet");
    prepare(home.path(), "new collapse");
    prepare(home.path(), "run collapse.toml --steps 100 --quiet");
    follow_page("pictures.md", home.path());
}

#[test]
fn columns_are_plotted_and_reported() {
    let home = tempfile::tempdir().unwrap();
    prepare(home.path(), "new arch");
    prepare(home.path(), "run arch.toml --steps 100 --quiet");
    // consolidated for a moment only: the recipes want columns, not a result
    for friction in ["0.3", "0.6"] {
        let name = format!("mu-{friction}.toml");
        let changes =
            [["friction = 0.3", &format!("friction = {friction}")], ["duration = 1.0", "duration = 0.01"]];
        changed(home.path(), "loading/biaxial.toml", &name, &changes);
        prepare(home.path(), &format!("run {name} --until 0.05 --quiet"));
    }
    std::fs::write(home.path().join("lab.csv"), "0.0, 0\n1e-5, 1e3\n2e-5, 2e3\n").unwrap();
    follow_page("plots.md", home.path());
}

#[test]
fn structures_are_asked_how_much_they_bear() {
    let home = tempfile::tempdir().unwrap();
    follow_page("stability.md", home.path());
}

#[test]
fn runs_are_stopped_and_resumed() {
    let home = tempfile::tempdir().unwrap();
    prepare(home.path(), "new arch");
    prepare(home.path(), "run arch.toml --steps 50 --quiet");
    let page = howto().join("stop-and-resume.md");
    let first = &blocks(&page)[0];
    follow(&recipes(first)[0], home.path(), "stop-and-resume.md");
    // the same folder would be asked for anew
    std::fs::remove_dir_all(home.path().join("runs")).unwrap();
    prepare(home.path(), "run arch.toml --steps 50 --quiet");
    refuses_what_may_not_change(&page, home.path());
    std::fs::remove_dir_all(home.path().join("runs")).unwrap();
    let last = blocks(&page).pop().unwrap();
    recipes(&last).iter().for_each(|recipe| follow(recipe, home.path(), "stop-and-resume.md"));
    assert_eq!(blocks(&page).len(), 3, "the page has another recipe");
}

/// The error that the page shows, for the changes it names.
fn refuses_what_may_not_change(page: &Path, home: &Path) {
    let shown = blocks(page)[1].lines[0].clone();
    let scene = home.join("runs/arch/scene.toml");
    let mut text = read(&scene);
    let step = text.lines().find(|line| line.starts_with("step = ")).expect("a step").to_owned();
    text = text.replace(&step, "step = 1.5e-3");
    let stone = text.find("name = \"stone 3\"").expect("a stone 3");
    let angle = stone + text[stone..].find("angle = ").expect("an angle");
    text.insert(angle + "angle = ".len(), '1');
    std::fs::write(&scene, text).unwrap();
    let told = answer(command(&["resume", "runs/arch"]).current_dir(home)).ends_with(2);
    let begins = shown.trim_end_matches('…');
    assert!(told.err.lines().any(|line| line.starts_with(begins)), "{shown}\nbut\n{}", told.err);
}

#[test]
fn a_scene_is_written_and_looked_over() {
    let home = tempfile::tempdir().unwrap();
    let first = &blocks(&howto().join("write-a-scene.md"))[0];
    write_scene(home.path(), "scene.toml", &first.lines.join("\n"));
    follow_page("write-a-scene.md", home.path());
}

/// Pages with a test above, and those that have commands within their text alone.
const FOLLOWED: [&str; 9] = [
    "batch-runs.md",
    "library.md",
    "look-at-it.md",
    "not-converged.md",
    "pictures.md",
    "plots.md",
    "stability.md",
    "stop-and-resume.md",
    "write-a-scene.md",
];

#[test]
fn every_page_with_recipes_is_followed() {
    for page in files_below(&howto(), ".md") {
        let name = page.file_name().unwrap().to_str().unwrap();
        assert_eq!(FOLLOWED.contains(&name), !blocks(&page).is_empty(), "{name}");
    }
}

/// Commands within the text of a page: code that begins with the name of the command and a word of it.
fn commands_within(page: &Path) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (number, line) in read(page).lines().enumerate() {
        fenced ^= line.trim_start().starts_with("```");
        let codes = line.split('`').skip(1).step_by(2).filter(|_| !fenced);
        let whole = codes.flat_map(|code| code.split("&&")).map(str::trim);
        let is_whole = |code: &str| !code.contains(['…', '[', '|']) && !code.contains(" COMMAND");
        let own = whole.filter(|code| code.starts_with("drystone ") && is_whole(code));
        found.extend(own.map(|code| (number + 1, code.to_owned())));
    }
    found
}

#[test]
fn commands_within_the_text_of_the_book_are_known_to_the_command_line() {
    let mut known = 0;
    for page in files_below(&root().join("docs/src"), ".md") {
        for (line, typed) in commands_within(&page) {
            let words: Vec<&str> = typed.split_whitespace().skip(1).chain(["--help"]).collect();
            // what is not known is refused before help is given
            let told = answer(&mut command(&words));
            assert_eq!(told.code, 0, "{}:{line}: {typed}\n{}", page.display(), told.err);
            known += 1;
        }
    }
    assert!(known > 50, "only {known}");
}
