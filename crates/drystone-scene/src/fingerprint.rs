//! What a run remembers of its scene, to find out whether it is still the same. Keeps no values, only
//! sixty-four bits of each; decides what may change between two sessions of a run, not what follows from a
//! change.

use crate::scene::Scene;
use std::collections::{BTreeSet, HashMap};
use toml::{Table, Value};

/// What may change while a run is stopped: how long it goes on, how often it is written, and how steps are
/// solved.
const FREE: [&str; 6] = ["title", "time.duration", "output.interval", "equilibrium", "standing", "solver"];

/// Set in the number of a place that may change, so that one that is gone can be told.
const FREE_BIT: u64 = 1;

/// A message names at most so many changes; the rest is counted.
const NAMED: usize = 6;

/// What a place of the scene is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u64)]
enum DigestKind {
    /// A key of the scene or of one of its tables.
    Key,
    /// One table of a list: a body, a law …
    Item,
    /// One key in all tables of a list.
    Column,
}

/// A scene in a few numbers: what each key, each table of a list, and each key over all tables of a list come
/// to.
///
/// A table of a list and a key that both differ name the place of a change, without a number for every key of
/// every body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(Vec<[u64; 2]>);

/// Where two scenes differ, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// What may change between two sessions of a run.
    pub free: Vec<String>,
    /// What may not.
    pub bound: Vec<String>,
}

impl Fingerprint {
    /// All of it as words.
    pub fn to_words(&self) -> Vec<u64> {
        self.0.as_flattened().to_vec()
    }

    /// What `to_words` gave.
    pub fn from_words(words: &[u64]) -> Self {
        Self(words.as_chunks().0.to_vec())
    }
}

impl Scene {
    /// What a run remembers of the scene.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(parts(&self.table()).into_iter().map(|part| [part.place, part.value]).collect())
    }

    /// Where this scene differs from the one of a fingerprint.
    pub fn changes_since(&self, before: &Fingerprint) -> Changes {
        let table = self.table();
        let parts = parts(&table);
        let known: HashMap<u64, u64> = before.0.iter().map(|&[place, value]| (place, value)).collect();
        let differs = |part: &&Digest| known.get(&part.place) != Some(&part.value);
        let changed: Vec<&Digest> = parts.iter().filter(differs).collect();
        let mut changes = Changes::default();
        for part in changed.iter().filter(|part| part.kind == DigestKind::Key) {
            let list = if part.place & FREE_BIT != 0 { &mut changes.free } else { &mut changes.bound };
            list.push(part.list.clone());
        }
        let lists: BTreeSet<&str> = changed
            .iter()
            .filter(|part| part.kind != DigestKind::Key)
            .map(|part| part.list.as_str())
            .collect();
        for list in lists {
            let of =
                |kind: DigestKind| changed.iter().filter(move |part| part.kind == kind && part.list == list);
            let keys: Vec<&str> = of(DigestKind::Column).map(|part| part.name.as_str()).collect();
            let keys = if keys.is_empty() { String::new() } else { format!(" ({})", keys.join(", ")) };
            changes.bound.extend(of(DigestKind::Item).map(|part| format!("{list} {}{keys}", part.name)));
        }
        changes.free.extend(gone(&parts, before, FREE_BIT));
        changes.bound.extend(gone(&parts, before, 0));
        changes
    }

    /// The scene as its file is made of.
    fn table(&self) -> Table {
        // it fails only where the file itself cannot be written, which no valid scene does
        Table::try_from(&**self).unwrap_or_default()
    }
}

impl Changes {
    /// The places that may not change, for a message.
    pub fn refused(&self) -> String {
        named(&self.bound)
    }

    /// The places that may, for a note.
    pub fn granted(&self) -> String {
        named(&self.free)
    }
}

fn named(places: &[String]) -> String {
    let more = places.len().saturating_sub(NAMED);
    let text = places.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{text} and {more} more") } else { text }
}

/// What was there and is no more, of the free places or of the others; nothing is left of its name.
fn gone(parts: &[Digest], before: &Fingerprint, free: u64) -> Option<String> {
    let known: BTreeSet<u64> = parts.iter().map(|part| part.place).collect();
    let places = before.0.iter().map(|&[place, _]| place);
    let count = places.filter(|place| place & FREE_BIT == free && !known.contains(place)).count();
    (count > 0).then(|| format!("{count} {} left out", if count == 1 { "entry" } else { "entries" }))
}

/// One number of a fingerprint and what it stands for.
struct Digest {
    kind: DigestKind,
    /// The key, or the list.
    list: String,
    /// The name in the list, or the key of its tables.
    name: String,
    place: u64,
    value: u64,
}

impl Digest {
    fn new(kind: DigestKind, list: &str, name: String, value: u64) -> Self {
        let place = [list, &name].iter().fold(mix(0, kind as u64), |sum, text| bytes(sum, text.as_bytes()));
        let free = FREE.iter().any(|&key| list == key || list.starts_with(&format!("{key}.")));
        let place = if free { place | FREE_BIT } else { place & !FREE_BIT };
        Self { kind, list: list.to_owned(), name, place, value }
    }
}

/// The numbers of a scene.
fn parts(scene: &Table) -> Vec<Digest> {
    let mut parts = Vec::new();
    for (key, value) in scene {
        match value {
            Value::Array(items) if items.iter().all(Value::is_table) && !items.is_empty() => {
                list(key, items, &mut parts);
            }
            // [materials.NAME] and the settings: one number for each entry
            Value::Table(entries) => parts.extend(entries.iter().map(|(entry, value)| {
                Digest::new(DigestKind::Key, &format!("{key}.{entry}"), String::new(), digest(1, value))
            })),
            _ => parts.push(Digest::new(DigestKind::Key, key, String::new(), digest(1, value))),
        }
    }
    parts
}

/// The numbers of a list of tables: one for each table and one for each key.
fn list(key: &str, items: &[Value], parts: &mut Vec<Digest>) {
    let mut columns: HashMap<&str, u64> = HashMap::new();
    let mut names: Vec<&str> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let entries = item.as_table().into_iter().flatten();
        for (name, value) in entries {
            let column = columns.entry(name).or_insert_with(|| {
                names.push(name);
                1
            });
            *column = digest(mix(*column, index as u64), value);
        }
        // numbered, so that the order counts as well
        let name = item.get("name").and_then(Value::as_str).map(|name| format!(" {name:?}"));
        let name = format!("{}{}", index + 1, name.unwrap_or_default());
        parts.push(Digest::new(DigestKind::Item, key, name, digest(1, item)));
    }
    for name in names {
        parts.push(Digest::new(DigestKind::Column, key, name.to_owned(), columns[name]));
    }
}

/// Sixty-four bits of a value, its place in its table and its type included.
fn digest(sum: u64, value: &Value) -> u64 {
    match value {
        Value::String(text) => bytes(mix(sum, 1), text.as_bytes()),
        Value::Integer(number) => mix(mix(sum, 2), *number as u64),
        Value::Float(number) => mix(mix(sum, 3), number.to_bits()),
        Value::Boolean(flag) => mix(mix(sum, 4), u64::from(*flag)),
        Value::Datetime(date) => bytes(mix(sum, 5), date.to_string().as_bytes()),
        Value::Array(items) => items.iter().fold(mix(mix(sum, 6), items.len() as u64), digest),
        Value::Table(entries) => {
            let start = mix(mix(sum, 7), entries.len() as u64);
            entries.iter().fold(start, |sum, (key, value)| digest(bytes(sum, key.as_bytes()), value))
        }
    }
}

/// Takes in bytes and their number.
fn bytes(sum: u64, bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(mix(sum, bytes.len() as u64), mix)
}

/// Takes in a word by a bijection, so that a change of one word always shows.
fn mix(sum: u64, word: u64) -> u64 {
    let sum = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    sum ^ (sum >> 32)
}
