//! Gmsh MSH 2.2 and 4.1, text or binary: its triangles and quadrangles. Points, lines and volumes are passed
//! over; curved elements and other versions are refused.

use super::Polygons;
use super::cursor::{Cursor, NumberKind, Writing, shown};
use crate::MeshError;
use std::collections::HashMap;

/// Nodes of the elements of first and second order, by their type from 1.
const NODES: [usize; 19] = [2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13];

/// What a file has so far.
struct Reading<'a> {
    cursor: Cursor<'a>,
    writing: Writing,
    new: bool,
    polygons: Polygons,
    /// Tags of nodes, which may have gaps.
    numbers: HashMap<usize, u32>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Polygons, MeshError> {
    let mut cursor = Cursor::new(bytes);
    cursor.expect("$MeshFormat")?;
    let (new, writing) = format(&mut cursor)?;
    let mut reading =
        Reading { cursor, writing, new, polygons: Polygons::default(), numbers: HashMap::new() };
    while let Some(word) = reading.cursor.word() {
        match word {
            b"$Nodes" => reading.nodes()?,
            b"$Elements" => reading.elements()?,
            _ if word.starts_with(b"$") => reading.pass_over(&word[1..])?,
            _ => return Err(reading.cursor.error(shown(word), "a section such as $Nodes must start here")),
        }
    }
    Ok(reading.polygons)
}

/// Whether it is 4.1, and how its numbers are written.
pub(crate) fn format(cursor: &mut Cursor) -> Result<(bool, Writing), MeshError> {
    let version = cursor.need_word("the version must stand here")?;
    let new = match version {
        b"2.2" | b"2" => false,
        b"4.1" => true,
        _ => return Err(cursor.error(format!("version {}", shown(version)), "2.2 or 4.1 must stand here")),
    };
    let binary = cursor.whole(Writing::Text, NumberKind::I32)?;
    let size = cursor.whole(Writing::Text, NumberKind::I32)?;
    if binary > 1 || size != 8 {
        let found = format!("file type {binary} with numbers of {size} bytes");
        return Err(cursor.error(found, "types 0 (text) and 1 (binary) with 8 bytes are allowed"));
    }
    let mut writing = Writing::Text;
    if binary == 1 {
        cursor.next_line();
        writing = match cursor.take(4)? {
            [1, 0, 0, 0] => Writing::Little,
            [0, 0, 0, 1] => Writing::Big,
            other => {
                return Err(cursor.error(format!("{other:?}"), "the number 1 must stand here in 4 bytes"));
            }
        };
    }
    cursor.expect("$EndMeshFormat")?;
    Ok((new, writing))
}

impl Reading<'_> {
    fn int(&mut self) -> Result<usize, MeshError> {
        self.cursor.whole(self.writing, NumberKind::I32)
    }

    /// A tag or count of version 4.1.
    fn long(&mut self) -> Result<usize, MeshError> {
        self.cursor.whole(self.writing, NumberKind::U64)
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
            // binary sections may hold anything, so the end is sought in the lines
            match self.cursor.next_line() {
                Some(line) if line.ends_with(&end) => return Ok(()),
                Some(_) => {}
                None => {
                    return Err(self
                        .cursor
                        .error("the end of the file", format!("{} must come first", shown(&end))));
                }
            }
        }
    }

    fn point(&mut self) -> Result<[f64; 3], MeshError> {
        let mut point = [0.0; 3];
        for x in &mut point {
            *x = self.cursor.number(self.writing, NumberKind::F64)?;
        }
        Ok(point)
    }

    fn node(&mut self, tag: usize, point: [f64; 3]) -> Result<(), MeshError> {
        if self.numbers.insert(tag, self.polygons.vertices.len() as u32).is_some() {
            return Err(self
                .cursor
                .error(format!("node {tag} a second time"), "each node must be given once"));
        }
        self.polygons.vertices.push(point);
        Ok(())
    }

    fn nodes(&mut self) -> Result<(), MeshError> {
        if !self.new {
            let count = self.cursor.count(Writing::Text, NumberKind::U64, 8)?;
            self.begin();
            for _ in 0..count {
                let tag = self.int()?;
                let point = self.point()?;
                self.node(tag, point)?;
            }
            return self.cursor.expect("$EndNodes");
        }
        self.begin();
        let [blocks, _, _, _] = [self.long()?, self.long()?, self.long()?, self.long()?];
        for _ in 0..blocks {
            let [dimension, _, parametric] = [self.int()?, self.cursor_int()?, self.int()?];
            let count = self.cursor.count(self.writing, NumberKind::U64, 2)?;
            let mut tags = Vec::new();
            for _ in 0..count {
                tags.push(self.long()?);
            }
            for tag in tags {
                let point = self.point()?;
                for _ in 0..if parametric == 1 { dimension.min(3) } else { 0 } {
                    self.cursor.number(self.writing, NumberKind::F64)?;
                }
                self.node(tag, point)?;
            }
        }
        self.cursor.expect("$EndNodes")
    }

    /// A tag of an entity, which may be negative and is not used.
    fn cursor_int(&mut self) -> Result<usize, MeshError> {
        self.cursor.number(self.writing, NumberKind::I32).map(|_| 0)
    }

    fn elements(&mut self) -> Result<(), MeshError> {
        if self.new {
            self.begin();
            let [blocks, _, _, _] = [self.long()?, self.long()?, self.long()?, self.long()?];
            for _ in 0..blocks {
                let [_, _, kind] = [self.int()?, self.cursor_int()?, self.int()?];
                let count = self.cursor.count(self.writing, NumberKind::U64, 2)?;
                for _ in 0..count {
                    self.long()?;
                    self.element(kind)?;
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
                for _ in 0..tags + usize::from(binary) {
                    self.cursor_int()?;
                }
                self.element(kind)?;
            }
            done += many;
        }
        self.cursor.expect("$EndElements")
    }

    /// The nodes of an element; kept if it is a triangle (2) or a quadrangle (3).
    fn element(&mut self, kind: usize) -> Result<(), MeshError> {
        let Some(&count) = kind.checked_sub(1).and_then(|rank| NODES.get(rank)) else {
            return Err(self.cursor.error(format!("an element of type {kind}"), "types 1 to 19 are allowed"));
        };
        if matches!(kind, 9 | 10 | 16) {
            let allowed = "only flat triangles and quadrangles (types 2 and 3) are allowed on surfaces";
            return Err(self.cursor.error(format!("a curved element of type {kind}"), allowed));
        }
        let mut corners = Vec::new();
        for _ in 0..count {
            let tag = if self.new { self.long()? } else { self.int()? };
            let Some(&number) = self.numbers.get(&tag) else {
                return Err(self.cursor.error(format!("node {tag}"), "only nodes given before may be named"));
            };
            corners.push(number);
        }
        if matches!(kind, 2 | 3) {
            self.polygons.faces.push(corners);
        }
        Ok(())
    }
}
