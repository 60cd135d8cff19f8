//! A frame as bytes for the page: a line of JSON that says what follows, then arrays of f32, u32 and u8.
//! Reads no file.
//!
//! Four letters `DSF1`, the length of the JSON as a little-endian u32, the JSON padded with spaces to a
//! multiple of four, then the arrays, each padded likewise. Places are relative to the origin that
//! `/api/run` gives, so that f32 keeps its digits far from 0.

use drystone_io::{StoredColumn, StoredFrame, StoredNumbers, StoredSurfaces};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::HashMap;

/// What is said of an array.
#[derive(Serialize)]
struct ArrayNote {
    name: String,
    kind: &'static str,
    components: usize,
    /// Numbers in all.
    length: usize,
    /// From the end of the JSON \[byte\].
    offset: usize,
}

#[derive(Serialize)]
struct FrameNote<'a> {
    step: u64,
    time: f64,
    arrays: &'a [ArrayNote],
}

/// Numbers on their way into the packet.
enum PackedArray<'a> {
    Reals(&'a [f64], Option<[f64; 3]>),
    Words(Cow<'a, [u32]>),
    Bytes(&'a [u8]),
}

/// Arrays in their order, each written once, where it belongs.
#[derive(Default)]
struct Packer<'a> {
    notes: Vec<ArrayNote>,
    parts: Vec<PackedArray<'a>>,
    end: usize,
}

impl<'a> Packer<'a> {
    fn add(&mut self, name: String, components: usize, numbers: PackedArray<'a>) {
        let (kind, length, bytes) = match &numbers {
            PackedArray::Reals(numbers, _) => ("f32", numbers.len(), 4 * numbers.len()),
            PackedArray::Words(numbers) => ("u32", numbers.len(), 4 * numbers.len()),
            PackedArray::Bytes(numbers) => ("u8", numbers.len(), numbers.len()),
        };
        self.notes.push(ArrayNote { name, kind, components, length, offset: self.end });
        self.parts.push(numbers);
        self.end = (self.end + bytes).next_multiple_of(4);
    }

    fn column(&mut self, room: &str, column: &'a StoredColumn, origin: [f64; 3]) {
        let numbers = match &column.numbers {
            StoredNumbers::Reals(numbers) => {
                PackedArray::Reals(numbers, (column.name == "Points").then_some(origin))
            }
            StoredNumbers::Words(numbers) => PackedArray::Words(numbers.into()),
            StoredNumbers::Bytes(numbers) => PackedArray::Bytes(numbers),
        };
        self.add(format!("{room}/{}", column.name), column.components, numbers);
    }

    fn surfaces(&mut self, surfaces: &'a StoredSurfaces, rows: &HashMap<[u32; 2], u32>, origin: [f64; 3]) {
        let owner = |owner: &[u32; 2]| rows.get(owner).copied().unwrap_or(u32::MAX);
        let owners: Vec<u32> = surfaces.owners.iter().map(owner).collect();
        self.add("surfaces/points".into(), 3, PackedArray::Reals(&surfaces.points, Some(origin)));
        self.add("surfaces/segments".into(), 2, PackedArray::Words((&surfaces.segments).into()));
        self.add("surfaces/triangles".into(), 3, PackedArray::Words((&surfaces.triangles).into()));
        self.add("surfaces/bodies".into(), 1, PackedArray::Words(owners.into()));
    }

    /// Writes the arrays at the end of a packet.
    fn write(&self, packet: &mut Vec<u8>) {
        let start = packet.len();
        packet.resize(start + self.end, 0);
        for (note, part) in self.notes.iter().zip(&self.parts) {
            let room = &mut packet[start + note.offset..];
            // zipped with places of four bytes: a sequence of bytes of unknown length is slow
            let places = room.chunks_exact_mut(4);
            match part {
                PackedArray::Reals(numbers, None) => {
                    let fill = |(place, &number): (&mut [u8], &f64)| {
                        place.copy_from_slice(&(number as f32).to_le_bytes());
                    };
                    places.zip(*numbers).for_each(fill);
                }
                PackedArray::Reals(numbers, Some(origin)) => {
                    for ((place, &number), axis) in places.zip(*numbers).zip([0, 1, 2].into_iter().cycle()) {
                        place.copy_from_slice(&((number - origin[axis]) as f32).to_le_bytes());
                    }
                }
                PackedArray::Words(numbers) => {
                    places.zip(numbers.iter()).for_each(|(place, n)| place.copy_from_slice(&n.to_le_bytes()));
                }
                PackedArray::Bytes(numbers) => room[..numbers.len()].copy_from_slice(numbers),
            }
        }
    }
}

/// Whether the page draws from a column. It knows the radii of bodies that stay from their shapes.
fn is_shown(name: &str, open: bool) -> bool {
    !matches!(name, "tangent" | "impulse") && (open || name != "radius")
}

/// The bytes of a frame, with the vertices of what deforms.
pub(crate) fn pack(frame: &StoredFrame, skins: &[StoredColumn], origin: [f64; 3]) -> Vec<u8> {
    let mut packer = Packer::default();
    let rooms = [("bodies", &frame.bodies), ("contacts", &frame.contacts), ("ties", &frame.ties)];
    for (room, columns) in rooms {
        for column in columns.iter().filter(|column| is_shown(&column.name, frame.surfaces.is_some())) {
            packer.column(room, column, origin);
        }
    }
    if let Some(surfaces) = &frame.surfaces {
        packer.surfaces(surfaces, &rows(&frame.bodies), origin);
    }
    skins.iter().for_each(|column| packer.column("skins", column, origin));
    let time = if frame.time.is_finite() { frame.time } else { 0.0 };
    let note = FrameNote { step: frame.step, time, arrays: &packer.notes };
    let mut text = serde_json::to_vec(&note).unwrap_or_default();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut packed = Vec::with_capacity(8 + text.len() + packer.end);
    packed.extend(b"DSF1");
    packed.extend((text.len() as u32).to_le_bytes());
    packed.extend(text);
    packer.write(&mut packed);
    packed
}

/// The row of each body, by slot and generation.
fn rows(bodies: &[StoredColumn]) -> HashMap<[u32; 2], u32> {
    let words = |name: &str| {
        bodies.iter().find(|column| column.name == name).and_then(|column| match &column.numbers {
            StoredNumbers::Words(numbers) => Some(numbers.as_slice()),
            _ => None,
        })
    };
    let (Some(slots), Some(ages)) = (words("id"), words("generation")) else { return HashMap::new() };
    slots.iter().zip(ages).enumerate().map(|(row, (&slot, &age))| ([slot, age], row as u32)).collect()
}
