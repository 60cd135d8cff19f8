//! Spoiled scene files: whatever is deleted, doubled or replaced, the answer is a simulation or an error with
//! its line, never a panic.

use drystone_scene::{Scene, SceneError};

/// Scenes in which every key appears.
const FULL: [&str; 5] = [
    include_str!("full-2d.toml"),
    include_str!("full-3d.toml"),
    include_str!("full-loading.toml"),
    include_str!("full-laws.toml"),
    include_str!("full-ties.toml"),
];

/// Scenes of samples.
const SAMPLES: [&str; 2] = [include_str!("full-samples-2d.toml"), include_str!("full-samples-3d.toml")];

/// A small generator (SplitMix64), so that every run spoils the same files.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % sides.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.roll(of.len())]
    }
}

const NUMBERS: [&str; 16] = [
    "nan",
    "inf",
    "-inf",
    "-1",
    "0",
    "1e400",
    "-0.0",
    "1e-320",
    "1e30",
    "1e-30",
    "\"3\"",
    "[]",
    "{}",
    "true",
    "99999999999999999999",
    "1979-05-27",
];

const WORDS: [&str; 14] = [
    "box", "disk", "sphere", "line", "plane", "name", "group", "fixed", "drive", "shape", "\"*\"",
    "[[body]]", "[time]", "=",
];

/// Byte ranges of the numbers of a text.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let number = |c: u8| c.is_ascii_digit() || c == b'.' || c == b'-';
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = at + bytes[at..].iter().take_while(|&&c| number(c)).count();
        if end > at {
            found.push((at, end));
        }
        at = end.max(at + 1);
    }
    found
}

fn spoil(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let line = dice.roll(lines.len());
    match dice.roll(9) {
        0 => {
            lines.remove(line);
        }
        1 => lines.insert(dice.roll(lines.len()), lines[line]),
        2 => {
            let other = dice.roll(lines.len());
            lines.swap(line, other);
        }
        3 | 4 => {
            let places = numbers(text);
            let (from, to) = places[dice.roll(places.len())];
            return format!("{}{}{}", &text[..from], dice.pick(&NUMBERS), &text[to..]);
        }
        5 => {
            let word = dice.pick(&WORDS);
            let tokens: Vec<&str> = lines[line].split(' ').collect();
            let at = dice.roll(tokens.len());
            let tokens: Vec<&str> =
                tokens.iter().enumerate().map(|(k, &t)| if k == at { word } else { t }).collect();
            lines[line] = "";
            return lines.join("\n") + "\n" + &tokens.join(" ");
        }
        6 => {
            // a token of one line in place of one of another
            let other = lines[dice.roll(lines.len())];
            let given = other.split(' ').next_back().unwrap_or("");
            let key = lines[line].split('=').next().unwrap_or("");
            let joined = format!("{key}= {given}");
            return lines
                .iter()
                .enumerate()
                .map(|(k, &l)| if k == line { &joined } else { l })
                .collect::<Vec<_>>()
                .join("\n");
        }
        _ => {
            let mut characters: Vec<char> = text.chars().collect();
            let at = dice.roll(characters.len());
            match dice.roll(3) {
                0 => {
                    characters.remove(at);
                }
                1 => characters.insert(at, characters[dice.roll(characters.len())]),
                _ => characters[at] = ['"', '[', '}', '=', '.', 'é', '\u{0}', '\n', '-', '9'][dice.roll(10)],
            }
            return characters.into_iter().collect();
        }
    }
    lines.join("\n")
}

fn located(text: &str, error: &SceneError) {
    let line = error.line.unwrap_or(0);
    assert!((1..=text.lines().count().max(1) + 1).contains(&line), "line {line} of {error}\n{text}");
    assert!(error.column.is_some_and(|column| column >= 1));
    assert!(!error.message.is_empty());
    let shown = error.to_string();
    assert!(shown.starts_with(&format!("spoiled.toml:{line}:")) && shown.ends_with('^'), "{shown}");
}

#[test]
fn spoiled_samples_are_built_or_refused_with_a_line() {
    let mut dice = Dice(11);
    let (mut refused, mut built) = (0, 0);
    for round in 0..300 {
        let text = spoil(SAMPLES[round % 2], &mut dice);
        match Scene::parse(&text, "spoiled.toml") {
            Err(error) => {
                located(&text, &error);
                refused += 1;
            }
            Ok(scene) => {
                scene.build().unwrap_or_else(|error| panic!("accepted, then refused: {error}\n{text}"));
                built += 1;
            }
        }
    }
    assert!(refused > 50 && built > 20, "{refused} refused, {built} built");
}

#[test]
fn the_full_scenes_are_right() {
    for text in FULL.into_iter().chain(SAMPLES) {
        let scene = Scene::parse(text, "full.toml").unwrap_or_else(|error| panic!("{error}"));
        scene.build().unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn spoiled_scenes_are_built_or_refused_with_a_line() {
    let mut dice = Dice(7);
    let (mut refused, mut built) = (0, 0);
    for round in 0..4000 {
        let mut text = FULL[round % 3].to_owned();
        for _ in 0..1 + dice.roll(3) {
            text = spoil(&text, &mut dice);
        }
        match Scene::parse(&text, "spoiled.toml") {
            Err(error) => {
                located(&text, &error);
                refused += 1;
            }
            Ok(scene) => {
                // what was accepted can be built, written and read again
                scene.build().unwrap_or_else(|error| panic!("accepted, then refused: {error}\n{text}"));
                let again =
                    Scene::parse(&scene.to_toml(), "again.toml").unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(again, scene);
                built += 1;
            }
        }
    }
    // the test means something only if both happen
    assert!(refused > 1000 && built > 200, "{refused} refused, {built} built");
}
