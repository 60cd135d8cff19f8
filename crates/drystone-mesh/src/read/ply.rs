//! Stanford PLY, text or binary: the elements `vertex` and `face`. Other elements and properties are passed
//! over; triangle strips are refused.

use super::Polygons;
use super::cursor::{Cursor, NumberKind, Writing, shown};
use crate::MeshError;

struct Property {
    name: Vec<u8>,
    /// Kind of the count where it is a list.
    list: Option<NumberKind>,
    kind: NumberKind,
}

struct Element {
    name: Vec<u8>,
    count: usize,
    properties: Vec<Property>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Polygons, MeshError> {
    let mut cursor = Cursor::new(bytes);
    cursor.expect("ply")?;
    let (writing, elements) = header(&mut cursor)?;
    let mut polygons = Polygons::default();
    let vertices =
        elements.iter().find(|element| element.name == b"vertex").map_or(0, |element| element.count);
    for element in &elements {
        for _ in 0..element.count {
            match element.name.as_slice() {
                b"vertex" => vertex(&mut cursor, writing, element, &mut polygons)?,
                b"face" => face(&mut cursor, writing, element, vertices, &mut polygons)?,
                _ => each(&mut cursor, writing, element, |_, _, _| Ok(()))?,
            }
            // an element without bytes would repeat for ever in a file that claims many
            if element.properties.is_empty() {
                break;
            }
        }
    }
    Ok(polygons)
}

fn header(cursor: &mut Cursor) -> Result<(Writing, Vec<Element>), MeshError> {
    let mut writing = None;
    let mut elements: Vec<Element> = Vec::new();
    cursor.next_line();
    loop {
        let word = cursor.need_word("\"end_header\" must come first")?;
        match word {
            b"comment" | b"obj_info" => {
                cursor.next_line();
            }
            b"format" => {
                const ALLOWED: &str = "ascii, binary_little_endian or binary_big_endian must stand here";
                let name = cursor.need_word(ALLOWED)?;
                writing = Some(match name {
                    b"ascii" => Writing::Text,
                    b"binary_little_endian" => Writing::Little,
                    b"binary_big_endian" => Writing::Big,
                    _ => return Err(cursor.error(shown(name), ALLOWED)),
                });
                cursor.next_line();
            }
            b"element" => {
                let name = cursor.need_word("the name of an element must stand here")?.to_vec();
                // even an element of one byte takes one
                let count = cursor.count(Writing::Text, NumberKind::U64, 1)?;
                elements.push(Element { name, count, properties: Vec::new() });
            }
            b"property" => {
                let property = property(cursor)?;
                let Some(element) = elements.last_mut() else {
                    return Err(cursor.error("\"property\"", "an element must come first"));
                };
                element.properties.push(property);
            }
            b"end_header" => {
                cursor.next_line();
                let writing =
                    writing.ok_or_else(|| cursor.error("\"end_header\"", "a format must come first"))?;
                return Ok((writing, elements));
            }
            _ => {
                let allowed = "format, comment, element, property or end_header must stand here";
                return Err(cursor.error(shown(word), allowed));
            }
        }
    }
}

fn property(cursor: &mut Cursor) -> Result<Property, MeshError> {
    const ALLOWED: &str = "a type such as float, double, uchar or int must stand here";
    let mut word = cursor.need_word(ALLOWED)?;
    let mut list = None;
    if word == b"list" {
        list = Some(kind(cursor, ALLOWED)?);
        word = cursor.need_word(ALLOWED)?;
    }
    let kind = kind_of(word).ok_or_else(|| cursor.error(shown(word), ALLOWED))?;
    let name = cursor.need_word("the name of a property must stand here")?.to_vec();
    Ok(Property { name, list, kind })
}

fn kind(cursor: &mut Cursor, allowed: &str) -> Result<NumberKind, MeshError> {
    let word = cursor.need_word(allowed)?;
    kind_of(word).ok_or_else(|| cursor.error(shown(word), allowed))
}

fn kind_of(word: &[u8]) -> Option<NumberKind> {
    Some(match word {
        b"char" | b"int8" => NumberKind::I8,
        b"uchar" | b"uint8" => NumberKind::U8,
        b"short" | b"int16" => NumberKind::I16,
        b"ushort" | b"uint16" => NumberKind::U16,
        b"int" | b"int32" => NumberKind::I32,
        b"uint" | b"uint32" => NumberKind::U32,
        b"float" | b"float32" => NumberKind::F32,
        b"double" | b"float64" => NumberKind::F64,
        _ => return None,
    })
}

/// Takes the values of one element; `visit` gets the property, the values and the cursor for errors.
fn each(
    cursor: &mut Cursor,
    writing: Writing,
    element: &Element,
    mut visit: impl FnMut(&Property, &[f64], &Cursor) -> Result<(), MeshError>,
) -> Result<(), MeshError> {
    let mut values = Vec::new();
    for property in &element.properties {
        let count = match property.list {
            Some(kind) => cursor.count(writing, kind, 1)?,
            None => 1,
        };
        values.clear();
        for _ in 0..count {
            values.push(cursor.number(writing, property.kind)?);
        }
        visit(property, &values, cursor)?;
    }
    Ok(())
}

fn vertex(
    cursor: &mut Cursor,
    writing: Writing,
    element: &Element,
    polygons: &mut Polygons,
) -> Result<(), MeshError> {
    let mut found = [None; 3];
    each(cursor, writing, element, |property, values, _| {
        let axis = [b"x", b"y", b"z"].iter().position(|name| property.name == *name);
        if let (Some(axis), [value]) = (axis, values) {
            found[axis] = Some(*value);
        }
        Ok(())
    })?;
    let [Some(x), Some(y), Some(z)] = found else {
        return Err(cursor.error("a vertex without x, y or z", "it must have all three"));
    };
    polygons.vertices.push([x, y, z]);
    Ok(())
}

fn face(
    cursor: &mut Cursor,
    writing: Writing,
    element: &Element,
    vertices: usize,
    polygons: &mut Polygons,
) -> Result<(), MeshError> {
    let mut found = None;
    each(cursor, writing, element, |property, values, cursor| {
        if !matches!(property.name.as_slice(), b"vertex_indices" | b"vertex_index") || property.list.is_none()
        {
            return Ok(());
        }
        let good = |value: &f64| *value >= 0.0 && *value < vertices as f64 && value.fract() == 0.0;
        if let Some(wrong) = values.iter().find(|value| !good(value)) {
            let allowed = format!("the file has {vertices} vertices, numbered from 0");
            return Err(cursor.error(format!("vertex {wrong}"), allowed));
        }
        found = Some(values.iter().map(|&value| value as u32).collect());
        Ok(())
    })?;
    let Some(corners) = found else {
        return Err(cursor.error("a face without vertex_indices", "it must be a list of vertices"));
    };
    polygons.faces.push(corners);
    Ok(())
}
