//! Wavefront OBJ: vertices and polygons. Colours, normals and groups are passed over; curves and surfaces are
//! refused.

use super::Polygons;
use super::cursor::{Cursor, OTHER_WORDS, error_at, parse, shown};
use crate::MeshError;

/// What may stand at the beginning of a line and says nothing of the form.
const PASSED: [&[u8]; 14] = [
    b"vn",
    b"vt",
    b"g",
    b"o",
    b"s",
    b"mg",
    b"usemtl",
    b"mtllib",
    b"l",
    b"p",
    b"lod",
    b"bevel",
    b"c_interp",
    b"d_interp",
];

pub(super) fn read(bytes: &[u8]) -> Result<Polygons, MeshError> {
    let mut cursor = Cursor::new(bytes);
    let mut polygons = Polygons::default();
    let mut places = Vec::new();
    let mut joined = Vec::new();
    loop {
        let number = cursor.line_number();
        let Some(line) = cursor.next_line() else { break };
        joined.clear();
        joined.extend_from_slice(line);
        // a backslash at the end joins the next line
        while joined.last() == Some(&b'\\') {
            joined.pop();
            joined.push(b' ');
            joined.extend_from_slice(cursor.next_line().unwrap_or(&[]));
        }
        let text = joined.split(|&byte| byte == b'#').next().unwrap_or(&[]);
        let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let refuse = |found: String, allowed: &str| error_at(format!("line {number}"), found, allowed);
        match words.next() {
            None => {}
            Some(b"v") => polygons.vertices.push(vertex(words, &refuse)?),
            Some(b"f") => {
                let vertices = polygons.vertices.len();
                let corners: Result<Vec<u32>, MeshError> =
                    words.map(|word| corner(word, vertices, &refuse)).collect();
                polygons.faces.push(corners?);
                places.push(number);
            }
            Some(word) if PASSED.contains(&word) => {}
            Some(word) => {
                // a file without a vertex may be no mesh at all
                let found = if polygons.vertices.is_empty() { OTHER_WORDS.into() } else { shown(word) };
                return Err(refuse(found, "a line starts with v, f, vn, vt, g, o, s, usemtl or #"));
            }
        }
    }
    // a face may come before its vertices
    let count = polygons.vertices.len();
    for (corners, line) in polygons.faces.iter().zip(places) {
        if let Some(&corner) = corners.iter().find(|&&corner| corner as usize >= count) {
            let found = format!("vertex {}", u64::from(corner) + 1);
            return Err(error_at(format!("line {line}"), found, format!("the file has {count} vertices")));
        }
    }
    Ok(polygons)
}

fn vertex<'a>(
    words: impl Iterator<Item = &'a [u8]>,
    refuse: &impl Fn(String, &str) -> MeshError,
) -> Result<[f64; 3], MeshError> {
    let mut vertex = [0.0; 3];
    let mut count = 0;
    for (word, x) in words.zip(&mut vertex) {
        *x = parse(word)
            .filter(|x: &f64| x.is_finite())
            .ok_or_else(|| refuse(shown(word), "a finite number must stand here"))?;
        count += 1;
    }
    match count {
        3 => Ok(vertex),
        _ => Err(refuse(format!("{count} numbers"), "a vertex has three")),
    }
}

/// A corner such as `7`, `7/1`, `7//3`, or `-1` for the last vertex so far.
fn corner(
    word: &[u8],
    vertices: usize,
    refuse: &impl Fn(String, &str) -> MeshError,
) -> Result<u32, MeshError> {
    let first = word.split(|&byte| byte == b'/').next().unwrap_or(&[]);
    let number: Option<i64> = std::str::from_utf8(first).ok().and_then(|text| text.parse().ok());
    let index = match number {
        Some(number) if number > 0 => Some(number - 1),
        Some(number) if number < 0 => (vertices as i64).checked_add(number),
        _ => None,
    };
    index.and_then(|index| u32::try_from(index).ok()).ok_or_else(|| {
        refuse(shown(word), "the number of a vertex, from 1 or backwards from -1, must stand here")
    })
}
