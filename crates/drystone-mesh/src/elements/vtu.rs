//! VTK's unstructured grid as XML: points, cells, and whole numbers of cells as groups. Text, base64 and
//! appended data are read, compressed by zlib or not; other compressions and several pieces are refused.

use super::file::{CellKind, ElementFile, FileCell};
use super::xml::{Tag, Tags};
use crate::MeshError;
use drystone_elements::element::ElementKind;
use flate2::read::ZlibDecoder;
use std::io::Read;

/// More values than this in an array of cells are a field, no groups.
const MOST_GROUPS: usize = 1000;

/// How the file writes its arrays.
struct ArrayLayout<'a> {
    big: bool,
    /// Size of the number of bytes that stands before binary data.
    header: usize,
    /// Whether binary data are blocks of zlib.
    packed: bool,
    /// Appended data behind their underscore, and whether they are base64.
    appended: Option<(&'a [u8], bool)>,
}

/// An array that was found.
struct DataArray<'a> {
    tag: Tag<'a>,
    inside: String,
    text: &'a [u8],
}

pub(super) fn read(bytes: &[u8]) -> Result<ElementFile, MeshError> {
    let mut tags = Tags::new(bytes);
    let mut layout = ArrayLayout { big: false, header: 4, packed: false, appended: None };
    let (mut arrays, mut piece): (Vec<DataArray>, Option<Tag>) = (Vec::new(), None);
    let mut inside = String::new();
    while let Some(tag) = tags.next()? {
        match tag.name {
            "VTKFile" => {
                if tag.get("type") != Some("UnstructuredGrid") {
                    let found = format!("a file of type {:?}", tag.get("type").unwrap_or(""));
                    return Err(tag.error(found, "UnstructuredGrid is allowed"));
                }
                match tag.get("compressor") {
                    None => {}
                    Some("vtkZLibDataCompressor") => layout.packed = true,
                    Some(other) => {
                        let found = format!("data compressed by {other}");
                        return Err(tag.error(found, "zlib and no compression are allowed; write them so"));
                    }
                }
                layout.big = tag.get("byte_order") == Some("BigEndian");
                layout.header = if tag.get("header_type") == Some("UInt64") { 8 } else { 4 };
            }
            "Piece" if piece.is_some() => {
                return Err(tag.error("a second piece", "one is allowed; merge them"));
            }
            "Piece" => piece = Some(tag),
            "Points" | "Cells" | "CellData" | "PointData" => inside = tag.name.to_owned(),
            "DataArray" => {
                let text = tags.text(tag.end);
                arrays.push(DataArray { tag, inside: inside.clone(), text });
            }
            "AppendedData" => {
                let rest = &bytes[tag.end..];
                let begin = rest.iter().position(|&byte| byte == b'_').map_or(rest.len(), |at| at + 1);
                layout.appended = Some((&rest[begin..], tag.get("encoding") == Some("base64")));
                break;
            }
            _ => {}
        }
    }
    let Some(piece) = piece else {
        return Err(crate::read::error_at(
            "line 1".into(),
            "no <Piece>",
            "an unstructured grid must hold one",
        ));
    };
    let (points, cells) = (piece.count("NumberOfPoints")?, piece.count("NumberOfCells")?);
    let need = |inside: &str, name: &str| {
        arrays
            .iter()
            .find(|found| found.inside == inside && (name.is_empty() || found.tag.get("Name") == Some(name)))
    };
    let missing = |what: &str| piece.error(format!("no array {what}"), "it must be there");
    let places = need("Points", "").ok_or_else(|| missing("of points"))?;
    let numbers = layout.numbers(places)?;
    if points.checked_mul(3) != Some(numbers.len()) {
        let found = format!("{} coordinates for {points} points", numbers.len());
        return Err(places.tag.error(found, "three for each must stand here"));
    }
    let mut file = ElementFile {
        nodes: numbers.chunks_exact(3).map(|x| [x[0], x[1], x[2]]).collect(),
        ..ElementFile::default()
    };
    let list = |name: &str| {
        let found = need("Cells", name).ok_or_else(|| missing(name))?;
        Ok::<_, MeshError>((&found.tag, layout.numbers(found)?))
    };
    let (at, connectivity) = list("connectivity")?;
    let (ends_at, ends) = list("offsets")?;
    let (kinds_at, kinds) = list("types")?;
    if ends.len() != cells || kinds.len() != cells {
        let found = format!("{} offsets and {} types for {cells} cells", ends.len(), kinds.len());
        return Err(ends_at.error(found, "one of both for each must stand here"));
    }
    let mut begin = 0;
    for (index, (&end, &kind)) in ends.iter().zip(&kinds).enumerate() {
        let own = connectivity.get(begin..end.max(0.0) as usize).ok_or_else(|| {
            ends_at.error(
                format!("an offset of {end} at cell {index}"),
                "offsets must grow up to the connectivity",
            )
        })?;
        begin = end as usize;
        let mut nodes = Vec::with_capacity(own.len());
        for &node in own {
            if node < 0.0 || node >= points as f64 || node.fract() != 0.0 {
                let found = format!("point {node} at cell {index}");
                return Err(at.error(found, format!("there are {points} points, numbered from 0")));
            }
            nodes.push(node as u32);
        }
        file.cells.push(cell(kind, nodes, &file.nodes).ok_or_else(|| {
            let found = format!("a cell of type {kind} with {} points at cell {index}", own.len());
            let allowed = "vertices, lines, T3 T6 Q4 Q8 TE4 TE10 H8 H20 PRI6 PRI15 are allowed";
            kinds_at.error(found, allowed)
        })?);
    }
    for found in arrays.iter().filter(|found| found.inside == "CellData") {
        let whole = found.tag.get("type").is_some_and(|kind| kind.contains("Int"));
        let numbers = if whole { layout.numbers(found)? } else { continue };
        add_groups(&mut file, found.tag.get("Name").unwrap_or("cells"), &numbers);
    }
    Ok(file)
}

/// A group for each value of an array of cells: `name:value`.
fn add_groups(file: &mut ElementFile, name: &str, numbers: &[f64]) {
    let mut values: Vec<i64> = numbers.iter().map(|&x| x as i64).collect();
    if values.len() != file.cells.len() {
        return;
    }
    let all = values.clone();
    values.sort_unstable();
    values.dedup();
    if values.len() > MOST_GROUPS {
        return;
    }
    for (cell, value) in all.iter().enumerate() {
        file.groups.entry(format!("{name}:{value}")).or_default().cells.push(cell as u32);
    }
}

/// The cell of a type of VTK. Wedges come with either end first; ours have the first below.
fn cell(kind: f64, mut nodes: Vec<u32>, places: &[[f64; 3]]) -> Option<FileCell> {
    let kind = match kind as i64 {
        1 => CellKind::Point,
        3 | 21 => CellKind::Line,
        5 => CellKind::Element(ElementKind::T3),
        9 => CellKind::Element(ElementKind::Q4),
        10 => CellKind::Element(ElementKind::Te4),
        12 => CellKind::Element(ElementKind::H8),
        13 => CellKind::Element(ElementKind::Pri6),
        22 => CellKind::Element(ElementKind::T6),
        23 => CellKind::Element(ElementKind::Q8),
        24 => CellKind::Element(ElementKind::Te10),
        25 => CellKind::Element(ElementKind::H20),
        26 => CellKind::Element(ElementKind::Pri15),
        _ => return None,
    };
    let expected = match kind {
        CellKind::Point => 1,
        CellKind::Line => nodes.len().clamp(2, 3),
        CellKind::Element(kind) => kind.nodes(),
    };
    if nodes.len() != expected {
        return None;
    }
    if matches!(kind, CellKind::Element(ElementKind::Pri6 | ElementKind::Pri15)) {
        let at = |k: usize| places[nodes[k] as usize];
        let from = |k: usize| -> [f64; 3] { std::array::from_fn(|axis| at(k)[axis] - at(0)[axis]) };
        let (a, b, c) = (from(1), from(2), from(3));
        let volume = c[0] * (a[1] * b[2] - a[2] * b[1])
            + c[1] * (a[2] * b[0] - a[0] * b[2])
            + c[2] * (a[0] * b[1] - a[1] * b[0]);
        if volume < 0.0 {
            (0..3).for_each(|k| nodes.swap(k, k + 3));
            if nodes.len() == 15 {
                (6..9).for_each(|k| nodes.swap(k, k + 3));
            }
        }
    }
    Some(FileCell { kind, nodes })
}

impl ArrayLayout<'_> {
    /// The numbers of an array; all of ours are exact as floats.
    fn numbers(&self, found: &DataArray) -> Result<Vec<f64>, MeshError> {
        let tag = &found.tag;
        match tag.get("format").unwrap_or("ascii") {
            "ascii" => {
                let mut numbers = Vec::new();
                for word in found.text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
                    let number = crate::read::parse(word).filter(|x: &f64| x.is_finite());
                    numbers.push(number.ok_or_else(|| {
                        tag.error(crate::read::shown(word), "only finite numbers are allowed in this array")
                    })?);
                }
                Ok(numbers)
            }
            "binary" => {
                let data = base64(found.text).ok_or_else(|| {
                    tag.error("bytes that are no base64", "base64 must stand in this array")
                })?;
                self.binary(&data, tag)
            }
            "appended" => {
                let offset = tag.count("offset")?;
                let data = self.appended.and_then(|(data, is_base64)| {
                    let data = data.get(offset..)?;
                    if is_base64 { base64(data) } else { Some(data.to_vec()) }
                });
                let data = data.ok_or_else(|| {
                    tag.error(format!("an offset of {offset}"), "appended data must reach as far")
                })?;
                self.binary(&data, tag)
            }
            other => Err(tag.error(format!("format {other:?}"), "ascii, binary and appended are allowed")),
        }
    }

    /// A whole number of binary data.
    fn whole(&self, bytes: &[u8]) -> u64 {
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        if self.big {
            eight[..bytes.len()].reverse();
        }
        u64::from_le_bytes(eight)
    }

    /// The bytes of the values: behind their number, or in blocks behind the number of blocks, the size of
    /// one and of the last one unpacked (0: as long), and the size of each packed.
    fn values(&self, data: &[u8]) -> Option<Vec<u8>> {
        let head = |place: usize| {
            let bytes = data.get(place.checked_mul(self.header)?..)?.get(..self.header)?;
            usize::try_from(self.whole(bytes)).ok()
        };
        if !self.packed {
            return Some(data.get(self.header..)?.get(..head(0)?)?.to_vec());
        }
        let (blocks, size, last) = (head(0)?, head(1)?, head(2)?);
        let mut at = blocks.checked_add(3)?.checked_mul(self.header)?;
        let mut values = Vec::new();
        for block in 0..blocks {
            let size = if block + 1 == blocks && last > 0 { last } else { size };
            let packed = data.get(at..)?.get(..head(3 + block)?)?;
            let before = values.len();
            // not more than there should be, whatever the data unpack to
            ZlibDecoder::new(packed).take(size as u64 + 1).read_to_end(&mut values).ok()?;
            (values.len() - before == size).then_some(())?;
            at += packed.len();
        }
        Some(values)
    }

    /// The values of binary data.
    fn binary(&self, data: &[u8], tag: &Tag) -> Result<Vec<f64>, MeshError> {
        let number = |bytes: &[u8], floats: bool, signed: bool| -> f64 {
            let whole = self.whole(bytes);
            match (floats, bytes.len()) {
                (true, 4) => f64::from(f32::from_bits(whole as u32)),
                (true, _) => f64::from_bits(whole),
                // the sign moved to the top and back
                _ if signed => {
                    let shift = 64 - 8 * bytes.len() as u32;
                    (((whole << shift) as i64) >> shift) as f64
                }
                _ => whole as f64,
            }
        };
        let name = tag.get("type").unwrap_or("");
        let size = match name {
            "Int8" | "UInt8" => 1,
            "Int16" | "UInt16" => 2,
            "Int32" | "UInt32" | "Float32" => 4,
            "Int64" | "UInt64" | "Float64" => 8,
            _ => {
                return Err(
                    tag.error(format!("type {name:?}"), "Int8 to UInt64, Float32 and Float64 are allowed")
                );
            }
        };
        let Some(values) = self.values(data) else {
            let found = format!("{} bytes", data.len());
            return Err(tag.error(found, "the array must be what it says at its beginning, and as long"));
        };
        let (floats, signed) = (name.starts_with('F'), name.starts_with('I'));
        let numbers: Vec<f64> =
            values.chunks_exact(size).map(|bytes| number(bytes, floats, signed)).collect();
        match numbers.iter().all(|x| x.is_finite()) {
            true => Ok(numbers),
            false => Err(tag.error("a number that is not finite", "only finite numbers are allowed")),
        }
    }
}

/// The bytes of a text in base64, up to the first letter that is none; padding may stand within, where header
/// and data were written apart.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0);
    for &letter in text.iter().filter(|letter| !letter.is_ascii_whitespace()) {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                (bits, held) = (0, 0);
                continue;
            }
            b'<' => break,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(bytes)
}
