//! STL, text or binary: triangles without shared vertices. Its normals are not read: the order of the corners
//! says them.

use super::Polygons;
use super::cursor::{Cursor, NumberKind, Writing, shown};
use crate::MeshError;

const HEADER: usize = 80;
const TRIANGLE: usize = 50;

pub(super) fn read(bytes: &[u8]) -> Result<Polygons, MeshError> {
    // binary files may start with "solid" too, but their length says how many triangles they have
    let count =
        bytes.get(HEADER..HEADER + 4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    let exact = count.is_some_and(|count| bytes.len() as u64 == 84 + u64::from(count) * TRIANGLE as u64);
    let start = bytes.trim_ascii_start().get(..5).unwrap_or(&[]);
    if !exact && start.eq_ignore_ascii_case(b"solid") { text(bytes) } else { binary(bytes) }
}

fn binary(bytes: &[u8]) -> Result<Polygons, MeshError> {
    let mut cursor = Cursor::new(bytes);
    cursor.take(HEADER)?;
    let count = cursor.count(Writing::Little, NumberKind::U32, TRIANGLE)?;
    let mut polygons = Polygons::default();
    for _ in 0..count {
        cursor.take(12)?;
        triangle(&mut cursor, Writing::Little, &mut polygons)?;
        cursor.take(2)?;
    }
    match cursor.left() {
        0 => Ok(polygons),
        left => {
            Err(cursor
                .error(format!("{left} bytes more"), format!("the file must end after {count} triangles")))
        }
    }
}

fn text(bytes: &[u8]) -> Result<Polygons, MeshError> {
    let mut cursor = Cursor::new(bytes);
    let mut polygons = Polygons::default();
    const ALLOWED: &str = "\"solid\", \"facet\" or \"endsolid\" must stand here";
    let mut open = false;
    while let Some(word) = cursor.word() {
        match word.to_ascii_lowercase().as_slice() {
            b"solid" if !open => {
                cursor.next_line();
                open = true;
            }
            b"endsolid" if open => {
                cursor.next_line();
                open = false;
            }
            b"facet" if open => facet(&mut cursor, &mut polygons)?,
            _ => return Err(cursor.error(shown(word), ALLOWED)),
        }
    }
    match open {
        true => Err(cursor.error("the end of the file", "\"endsolid\" must come first")),
        false => Ok(polygons),
    }
}

fn facet(cursor: &mut Cursor, polygons: &mut Polygons) -> Result<(), MeshError> {
    cursor.expect("normal")?;
    for _ in 0..3 {
        // flat triangles are written with normals of any text, and nobody reads them
        cursor.need_word("a number must stand here")?;
    }
    cursor.expect("outer")?;
    cursor.expect("loop")?;
    triangle(cursor, Writing::Text, polygons)?;
    cursor.expect("endloop")?;
    cursor.expect("endfacet")
}

fn triangle(cursor: &mut Cursor, writing: Writing, polygons: &mut Polygons) -> Result<(), MeshError> {
    let first = polygons.vertices.len() as u32;
    for _ in 0..3 {
        if writing == Writing::Text {
            cursor.expect("vertex")?;
        }
        let mut vertex = [0.0; 3];
        for x in &mut vertex {
            *x = cursor.number(writing, NumberKind::F32)?;
        }
        polygons.vertices.push(vertex);
    }
    polygons.faces.push(vec![first, first + 1, first + 2]);
    Ok(())
}
