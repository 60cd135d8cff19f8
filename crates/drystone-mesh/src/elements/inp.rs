//! Abaqus input files: nodes, elements, sets of both and surfaces. Materials, steps and the like are passed
//! over; files that include others or hold several parts are refused.

use super::file::{CellKind, ElementFile, FileCell, FileGroup};
use crate::MeshError;
use crate::read::{Cursor, error_at, shown};
use drystone_elements::element::ElementKind;
use std::collections::HashMap;

/// What the lines that follow belong to.
enum Lines {
    Passed,
    Nodes(Option<String>),
    Elements(ElementKind, Option<String>),
    Set { name: String, of_nodes: bool, counts_up: bool },
    Surface(String),
}

#[derive(Default)]
struct AbaqusElements {
    file: ElementFile,
    nodes: HashMap<u64, u32>,
    elements: HashMap<u64, u32>,
    /// Node and element sets have names of their own kind each.
    node_sets: HashMap<String, Vec<u32>>,
    element_sets: HashMap<String, Vec<u32>>,
}

pub(super) fn read(bytes: &[u8]) -> Result<ElementFile, MeshError> {
    let mut cursor = Cursor::new(bytes);
    let mut reading = AbaqusElements::default();
    let mut block = Lines::Passed;
    let mut parts = 0;
    // an element of twenty nodes goes on over several lines
    let mut pending: Vec<u64> = Vec::new();
    loop {
        let line = cursor.line_number();
        let Some(text) = cursor.next_line() else { break };
        let refuse = |found: String, allowed: &str| error_at(format!("line {line}"), found, allowed);
        if text.is_empty() || text.starts_with(b"**") {
            continue;
        }
        if text.starts_with(b"*") {
            if !pending.is_empty() {
                return Err(refuse(shown(text), "the nodes of the element before must be complete"));
            }
            let keyword = Keyword::new(text);
            match keyword.name.as_str() {
                "INCLUDE" => return Err(refuse(shown(text), "everything must stand in one file; put it in")),
                "PART" | "INSTANCE" => {
                    parts += usize::from(keyword.name == "PART");
                    if parts > 1 {
                        return Err(refuse(shown(text), "one part is allowed; write a file for each"));
                    }
                }
                _ => {}
            }
            block = begin(&keyword, &refuse)?;
            continue;
        }
        let words: Vec<&[u8]> = text.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).collect();
        match &block {
            Lines::Passed => {}
            Lines::Nodes(set) => reading.node(&words, set.as_deref(), &refuse)?,
            Lines::Elements(kind, set) => {
                for word in words.iter().filter(|word| !word.is_empty()) {
                    pending.push(
                        whole(word).ok_or_else(|| refuse(shown(word), "a whole number must stand here"))?,
                    );
                }
                if pending.len() > kind.nodes() {
                    let given = std::mem::take(&mut pending);
                    reading.element(*kind, &given, set.as_deref(), &refuse)?;
                } else if text.last() != Some(&b',') {
                    let allowed = format!("a number and {} nodes must stand here", kind.nodes());
                    return Err(refuse(format!("{} numbers", pending.len()), &allowed));
                }
            }
            Lines::Set { name, of_nodes, counts_up } => {
                reading.set(name, *of_nodes, *counts_up, &words, &refuse)?;
            }
            Lines::Surface(name) => reading.surface(name, &words, &refuse)?,
        }
    }
    let AbaqusElements { mut file, node_sets, element_sets, .. } = reading;
    for (name, nodes) in node_sets {
        file.groups.entry(name).or_default().nodes.extend(nodes);
    }
    for (name, cells) in element_sets {
        file.groups.entry(name).or_default().cells.extend(cells);
    }
    // sets come from maps without order
    for group in file.groups.values_mut() {
        group.nodes.sort_unstable();
        group.cells.sort_unstable();
    }
    Ok(file)
}

/// A line that starts with a star.
struct Keyword {
    name: String,
    options: Vec<(String, String)>,
}

impl Keyword {
    fn new(text: &[u8]) -> Self {
        let text = String::from_utf8_lossy(&text[1..]).into_owned();
        let mut words = text.split(',');
        let name = words.next().unwrap_or("").trim().to_ascii_uppercase();
        let option = |word: &str| {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            (key.trim().to_ascii_uppercase(), value.trim().trim_matches('"').to_owned())
        };
        Self { name, options: words.map(option).collect() }
    }

    fn get(&self, key: &str) -> Option<String> {
        self.options.iter().find(|(own, _)| own == key).map(|(_, value)| value.clone())
    }
}

fn begin(keyword: &Keyword, refuse: &impl Fn(String, &str) -> MeshError) -> Result<Lines, MeshError> {
    let need = |key: &str| {
        let allowed = format!("{key}=name must stand in this line");
        keyword
            .get(key)
            .filter(|value| !value.is_empty())
            .ok_or_else(|| refuse(format!("*{} without it", keyword.name), &allowed))
    };
    Ok(match keyword.name.as_str() {
        "NODE" => Lines::Nodes(keyword.get("NSET")),
        "ELEMENT" => {
            let kind = need("TYPE")?;
            let Some(known) = kind_of(&kind) else {
                let allowed =
                    "CPE, CPS and CAX of 3, 4, 6 or 8 nodes and C3D of 4, 6, 8, 10, 15 or 20 are allowed";
                return Err(refuse(format!("an element of type {kind:?}"), allowed));
            };
            Lines::Elements(known, keyword.get("ELSET"))
        }
        "NSET" => {
            Lines::Set { name: need("NSET")?, of_nodes: true, counts_up: keyword.get("GENERATE").is_some() }
        }
        "ELSET" => {
            Lines::Set { name: need("ELSET")?, of_nodes: false, counts_up: keyword.get("GENERATE").is_some() }
        }
        "SURFACE" if keyword.get("TYPE").is_none_or(|kind| kind.eq_ignore_ascii_case("ELEMENT")) => {
            Lines::Surface(need("NAME")?)
        }
        _ => Lines::Passed,
    })
}

/// Our element of a type of Abaqus; letters behind the number of nodes choose formulations and are passed
/// over.
fn kind_of(name: &str) -> Option<ElementKind> {
    let name = name.to_ascii_uppercase();
    let (family, rest) = ["CPE", "CPS", "CAX", "C3D"]
        .into_iter()
        .find_map(|family| name.strip_prefix(family).map(|rest| (family, rest)))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    match (family, digits.as_str()) {
        ("C3D", "4") => Some(ElementKind::Te4),
        ("C3D", "6") => Some(ElementKind::Pri6),
        ("C3D", "8") => Some(ElementKind::H8),
        ("C3D", "10") => Some(ElementKind::Te10),
        ("C3D", "15") => Some(ElementKind::Pri15),
        ("C3D", "20") => Some(ElementKind::H20),
        ("C3D", _) => None,
        (_, "3") => Some(ElementKind::T3),
        (_, "4") => Some(ElementKind::Q4),
        (_, "6") => Some(ElementKind::T6),
        (_, "8") => Some(ElementKind::Q8),
        _ => None,
    }
}

fn whole(word: &[u8]) -> Option<u64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

type Refuse<'a> = &'a dyn Fn(String, &str) -> MeshError;

impl AbaqusElements {
    fn node(&mut self, words: &[&[u8]], set: Option<&str>, refuse: Refuse) -> Result<(), MeshError> {
        let tag = words.first().and_then(|word| whole(word));
        let tag = tag.ok_or_else(|| refuse(shown(words[0]), "the number of a node must stand here"))?;
        let mut point = [0.0; 3];
        for (x, word) in point.iter_mut().zip(&words[1..]) {
            // an empty word is zero
            if !word.is_empty() {
                *x = crate::read::parse(word)
                    .filter(|x: &f64| x.is_finite())
                    .ok_or_else(|| refuse(shown(word), "a finite number must stand here"))?;
            }
        }
        let number = self.file.nodes.len() as u32;
        if self.nodes.insert(tag, number).is_some() {
            return Err(refuse(format!("node {tag} a second time"), "each node must be given once"));
        }
        self.file.nodes.push(point);
        if let Some(set) = set {
            self.node_sets.entry(set.to_owned()).or_default().push(number);
        }
        Ok(())
    }

    fn element(
        &mut self,
        kind: ElementKind,
        given: &[u64],
        set: Option<&str>,
        refuse: Refuse,
    ) -> Result<(), MeshError> {
        let mut nodes = Vec::with_capacity(kind.nodes());
        for tag in &given[1..] {
            let number = self.nodes.get(tag);
            nodes.push(
                *number
                    .ok_or_else(|| refuse(format!("node {tag}"), "only nodes given before may be named"))?,
            );
        }
        if nodes.len() != kind.nodes() {
            let allowed = format!("a {kind} has {}", kind.nodes());
            return Err(refuse(format!("{} nodes", nodes.len()), &allowed));
        }
        let number = self.file.cells.len() as u32;
        if self.elements.insert(given[0], number).is_some() {
            return Err(refuse(format!("element {} a second time", given[0]), "each must be given once"));
        }
        self.file.cells.push(FileCell { kind: CellKind::Element(kind), nodes });
        if let Some(set) = set {
            self.element_sets.entry(set.to_owned()).or_default().push(number);
        }
        Ok(())
    }

    /// Numbers, names of other sets, or `first, last, step`.
    fn set(
        &mut self,
        name: &str,
        of_nodes: bool,
        counts_up: bool,
        words: &[&[u8]],
        refuse: Refuse,
    ) -> Result<(), MeshError> {
        let known = if of_nodes { &self.nodes } else { &self.elements };
        let mut found = Vec::new();
        if counts_up {
            let numbers: Vec<u64> = words.iter().filter_map(|word| whole(word)).collect();
            let (first, last, step) = match numbers[..] {
                [first, last] => (first, last, 1),
                [first, last, step] if step > 0 => (first, last, step),
                _ => {
                    return Err(refuse(
                        format!("{} numbers", numbers.len()),
                        "first, last and step must stand here",
                    ));
                }
            };
            // a range may name far more than the file holds
            let within = |tag: &u64| *tag >= first && *tag <= last && (*tag - first).is_multiple_of(step);
            found.extend(known.iter().filter(|(tag, _)| within(tag)).map(|(_, &number)| number));
        } else {
            let sets = if of_nodes { &self.node_sets } else { &self.element_sets };
            for word in words.iter().filter(|word| !word.is_empty()) {
                let text = String::from_utf8_lossy(word).into_owned();
                let number = whole(word).and_then(|tag| known.get(&tag));
                match (number, sets.get(&text)) {
                    (Some(&number), _) => found.push(number),
                    (_, Some(members)) => found.extend(members),
                    _ => return Err(refuse(shown(word), "numbers and sets given before are allowed")),
                }
            }
        }
        let sets = if of_nodes { &mut self.node_sets } else { &mut self.element_sets };
        sets.entry(name.to_owned()).or_default().extend(found);
        Ok(())
    }

    /// An element or a set of them, and which face: `S1` is the first.
    fn surface(&mut self, name: &str, words: &[&[u8]], refuse: Refuse) -> Result<(), MeshError> {
        let allowed = "an element or a set and a face (S1 to S6) must stand here";
        let [who, face, ..] = words else { return Err(refuse(format!("{} words", words.len()), allowed)) };
        let number: Option<usize> =
            std::str::from_utf8(face).ok().and_then(|face| face.trim_start_matches(['S', 's']).parse().ok());
        let face =
            number.filter(|number| (1..=6).contains(number)).ok_or_else(|| refuse(shown(face), allowed))?;
        let one = whole(who).and_then(|tag| self.elements.get(&tag)).map(|&number| vec![number]);
        let set = || self.element_sets.get(&String::from_utf8_lossy(who).into_owned()).cloned();
        let cells = one.or_else(set).ok_or_else(|| refuse(shown(who), allowed))?;
        let group: &mut FileGroup = self.file.groups.entry(name.to_owned()).or_default();
        for cell in cells {
            // faces are numbered as ours are
            if let CellKind::Element(kind) = self.file.cells[cell as usize].kind
                && face <= kind.reference().faces.len()
            {
                group.faces.push((cell, face as u8 - 1));
            }
        }
        Ok(())
    }
}
