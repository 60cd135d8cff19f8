//! Gmsh MSH 2.2 and 4.1, text or binary: nodes, elements, physical groups. Partitions, periodic links and
//! fields are passed over; elements that we do not have are refused.

use super::file::{CellKind, ElementFile, FileCell};
use crate::MeshError;
use crate::read::{Cursor, NumberKind, Writing, gmsh_format, shown};
use drystone_elements::element::ElementKind;
use std::collections::HashMap;

/// What a file has so far.
struct GmshElements<'a> {
    cursor: Cursor<'a>,
    writing: Writing,
    new: bool,
    file: ElementFile,
    /// Tags of nodes, which may have gaps.
    numbers: HashMap<usize, u32>,
    /// Names of physical groups by dimension and tag.
    names: HashMap<(usize, i64), String>,
    /// Physical tags of entities by dimension and tag (4.1).
    entities: HashMap<(usize, i64), Vec<i64>>,
    /// Physical tag of each cell with its dimension, for groups when all names are known.
    tagged: Vec<(usize, i64, u32)>,
}

pub(super) fn read(bytes: &[u8]) -> Result<ElementFile, MeshError> {
    let mut cursor = Cursor::new(bytes);
    cursor.expect("$MeshFormat")?;
    let (new, writing) = gmsh_format(&mut cursor)?;
    let mut reading = GmshElements {
        cursor,
        writing,
        new,
        file: ElementFile::default(),
        numbers: HashMap::new(),
        names: HashMap::new(),
        entities: HashMap::new(),
        tagged: Vec::new(),
    };
    while let Some(word) = reading.cursor.word() {
        match word {
            b"$PhysicalNames" => reading.physical_names()?,
            b"$Entities" if reading.new => reading.entities()?,
            b"$Nodes" => reading.nodes()?,
            b"$Elements" => reading.elements()?,
            _ if word.starts_with(b"$") => reading.pass_over(&word[1..])?,
            _ => return Err(reading.cursor.error(shown(word), "a section such as $Nodes must start here")),
        }
    }
    for &(dimension, tag, cell) in &reading.tagged {
        // a group without name is called by its number
        let name = reading.names.get(&(dimension, tag)).cloned().unwrap_or_else(|| tag.to_string());
        reading.file.groups.entry(name).or_default().cells.push(cell);
    }
    Ok(reading.file)
}

/// The cell of a type of Gmsh, its number of nodes, and for each of ours the place in Gmsh's order.
fn cell_of(kind: usize) -> Option<(CellKind, usize, &'static [usize])> {
    const TETRAHEDRON: [usize; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 8];
    const HEXAHEDRON: [usize; 20] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15];
    const PRISM: [usize; 15] = [0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11];
    let element =
        |kind: ElementKind, order: &'static [usize]| Some((CellKind::Element(kind), kind.nodes(), order));
    match kind {
        1 => Some((CellKind::Line, 2, &[])),
        2 => element(ElementKind::T3, &[]),
        3 => element(ElementKind::Q4, &[]),
        4 => element(ElementKind::Te4, &[]),
        5 => element(ElementKind::H8, &[]),
        6 => element(ElementKind::Pri6, &[]),
        8 => Some((CellKind::Line, 3, &[])),
        9 => element(ElementKind::T6, &[]),
        11 => element(ElementKind::Te10, &TETRAHEDRON),
        15 => Some((CellKind::Point, 1, &[])),
        16 => element(ElementKind::Q8, &[]),
        17 => element(ElementKind::H20, &HEXAHEDRON),
        18 => element(ElementKind::Pri15, &PRISM),
        _ => None,
    }
}

impl GmshElements<'_> {
    fn int(&mut self) -> Result<usize, MeshError> {
        self.cursor.whole(self.writing, NumberKind::I32)
    }

    /// A tag or count of version 4.1.
    fn long(&mut self) -> Result<usize, MeshError> {
        self.cursor.whole(self.writing, NumberKind::U64)
    }

    /// A tag that may be negative.
    fn tag(&mut self) -> Result<i64, MeshError> {
        Ok(self.cursor.number(self.writing, NumberKind::I32)? as i64)
    }

    /// Before binary data stands the end of the line.
    fn begin(&mut self) {
        if self.writing != Writing::Text {
            self.cursor.next_line();
        }
    }

    fn pass_over(&mut self, name: &[u8]) -> Result<(), MeshError> {
        let end = [b"$End", name].concat();
        loop {
            match self.cursor.next_line() {
                Some(line) if line.ends_with(&end) => return Ok(()),
                Some(_) => {}
                None => {
                    let allowed = format!("{} must come first", shown(&end));
                    return Err(self.cursor.error("the end of the file", allowed));
                }
            }
        }
    }

    /// Dimension, tag and quoted name, a line each; as text in binary files, too.
    fn physical_names(&mut self) -> Result<(), MeshError> {
        let count = self.cursor.count(Writing::Text, NumberKind::U64, 4)?;
        self.cursor.next_line();
        for _ in 0..count {
            let line = self.cursor.next_line().unwrap_or(&[]);
            let text = String::from_utf8_lossy(line).into_owned();
            let mut words = text.splitn(3, char::is_whitespace);
            let dimension = words.next().and_then(|word| word.parse().ok());
            let tag = words.next().and_then(|word| word.parse().ok());
            let name = words.next().map(|word| word.trim().trim_matches('"'));
            let (Some(dimension), Some(tag), Some(name)) = (dimension, tag, name) else {
                return Err(self.cursor.error(shown(line), "dimension, number and \"name\" must stand here"));
            };
            self.names.insert((dimension, tag), name.to_owned());
        }
        self.cursor.expect("$EndPhysicalNames")
    }

    fn entities(&mut self) -> Result<(), MeshError> {
        self.begin();
        let counts = [self.long()?, self.long()?, self.long()?, self.long()?];
        for (dimension, &count) in counts.iter().enumerate() {
            for _ in 0..count {
                let tag = self.tag()?;
                // a point has a place, others a box around them
                for _ in 0..if dimension == 0 { 3 } else { 6 } {
                    self.cursor.number(self.writing, NumberKind::F64)?;
                }
                let many = self.cursor.count(self.writing, NumberKind::U64, 1)?;
                let mut physical = Vec::new();
                for _ in 0..many {
                    physical.push(self.tag()?);
                }
                self.entities.insert((dimension, tag), physical);
                if dimension > 0 {
                    for _ in 0..self.cursor.count(self.writing, NumberKind::U64, 1)? {
                        self.tag()?;
                    }
                }
            }
        }
        self.cursor.expect("$EndEntities")
    }

    fn node(&mut self, tag: usize) -> Result<(), MeshError> {
        let mut point = [0.0; 3];
        for x in &mut point {
            *x = self.cursor.number(self.writing, NumberKind::F64)?;
        }
        if self.numbers.insert(tag, self.file.nodes.len() as u32).is_some() {
            let found = format!("node {tag} a second time");
            return Err(self.cursor.error(found, "each node must be given once"));
        }
        self.file.nodes.push(point);
        Ok(())
    }

    fn nodes(&mut self) -> Result<(), MeshError> {
        if !self.new {
            let count = self.cursor.count(Writing::Text, NumberKind::U64, 8)?;
            self.begin();
            for _ in 0..count {
                let tag = self.int()?;
                self.node(tag)?;
            }
            return self.cursor.expect("$EndNodes");
        }
        self.begin();
        let [blocks, _, _, _] = [self.long()?, self.long()?, self.long()?, self.long()?];
        for _ in 0..blocks {
            let dimension = self.int()?;
            self.tag()?;
            let parametric = self.int()?;
            let count = self.cursor.count(self.writing, NumberKind::U64, 2)?;
            let mut tags = Vec::new();
            for _ in 0..count {
                tags.push(self.long()?);
            }
            for tag in tags {
                self.node(tag)?;
                for _ in 0..if parametric == 1 { dimension.min(3) } else { 0 } {
                    self.cursor.number(self.writing, NumberKind::F64)?;
                }
            }
        }
        self.cursor.expect("$EndNodes")
    }

    fn elements(&mut self) -> Result<(), MeshError> {
        if self.new {
            self.begin();
            let [blocks, _, _, _] = [self.long()?, self.long()?, self.long()?, self.long()?];
            for _ in 0..blocks {
                let dimension = self.int()?;
                let entity = self.tag()?;
                let kind = self.int()?;
                let physical = self.entities.get(&(dimension, entity)).cloned().unwrap_or_default();
                for _ in 0..self.cursor.count(self.writing, NumberKind::U64, 2)? {
                    self.long()?;
                    self.element(kind, dimension, &physical)?;
                }
            }
            return self.cursor.expect("$EndElements");
        }
        let count = self.cursor.count(Writing::Text, NumberKind::U64, 4)?;
        self.begin();
        let mut done = 0;
        while done < count {
            // in binary, a header for several elements of one kind; in text, one for each
            let binary = self.writing != Writing::Text;
            if !binary {
                self.int()?;
            }
            let kind = self.int()?;
            let many = if binary { self.int()? } else { 1 };
            let tags = self.int()?;
            if many == 0 || many > count - done || tags > 1000 {
                let found = format!("{many} elements with {tags} tags");
                return Err(self.cursor.error(found, format!("{} elements are left", count - done)));
            }
            for _ in 0..many {
                if binary {
                    self.int()?;
                }
                // the first tag is the physical group, 0 for none
                let mut physical = Vec::new();
                for place in 0..tags {
                    let tag = self.tag()?;
                    if place == 0 && tag != 0 {
                        physical.push(tag);
                    }
                }
                let dimension = match cell_of(kind) {
                    Some((CellKind::Point, ..)) => 0,
                    Some((CellKind::Line, ..)) => 1,
                    Some((CellKind::Element(kind), ..)) => kind.dimension(),
                    None => 3,
                };
                self.element(kind, dimension, &physical)?;
            }
            done += many;
        }
        self.cursor.expect("$EndElements")
    }

    fn element(&mut self, kind: usize, dimension: usize, physical: &[i64]) -> Result<(), MeshError> {
        let Some((cell, count, order)) = cell_of(kind) else {
            let allowed = "points, lines, T3 T6 Q4 Q8 TE4 TE10 H8 H20 PRI6 PRI15 (types 1 to 6, 8, 9, 11, 15 to 18) \
                           are allowed";
            return Err(self.cursor.error(format!("an element of type {kind}"), allowed));
        };
        let mut given = Vec::with_capacity(count);
        for _ in 0..count {
            let tag = if self.new { self.long()? } else { self.int()? };
            let Some(&number) = self.numbers.get(&tag) else {
                return Err(self.cursor.error(format!("node {tag}"), "only nodes given before may be named"));
            };
            given.push(number);
        }
        let nodes = if order.is_empty() { given } else { order.iter().map(|&k| given[k]).collect() };
        let number = self.file.cells.len() as u32;
        self.file.cells.push(FileCell { kind: cell, nodes });
        self.tagged.extend(physical.iter().map(|&tag| (dimension, tag.abs(), number)));
        Ok(())
    }
}
