//! A frame as bytes for the page: a line of JSON that says what follows, then arrays of f32, u32 and u8.
//! Reads no file.
//!
//! Four letters `DSF1`, the length of the JSON as a little-endian u32, the JSON padded with spaces to a
//! multiple of four, then the arrays, each padded likewise. Places are relative to the origin that
//! `/api/run` gives, so that f32 keeps its digits far from 0.

use drystone_io::{StoredColumn, StoredFrame, StoredNumbers, StoredSurfaces};
use serde::Serialize;
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
struct FrameNote {
    step: u64,
    time: f64,
    arrays: Vec<ArrayNote>,
}

/// Arrays as they are put together.
#[derive(Default)]
struct Packer {
    notes: Vec<ArrayNote>,
    bytes: Vec<u8>,
}

impl Packer {
    fn note(&mut self, name: String, kind: &'static str, components: usize, length: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.notes.push(ArrayNote { name, kind, components, length, offset: self.bytes.len() });
    }

    fn reals(&mut self, name: String, components: usize, numbers: &[f64], origin: Option<[f64; 3]>) {
        self.note(name, "f32", components, numbers.len());
        let start = self.bytes.len();
        self.bytes.resize(start + 4 * numbers.len(), 0);
        let places = self.bytes[start..].chunks_exact_mut(4).zip(numbers);
        match origin {
            None => places.for_each(|(place, &number)| place.copy_from_slice(&(number as f32).to_le_bytes())),
            Some(origin) => {
                for ((place, &number), axis) in places.zip([0, 1, 2].into_iter().cycle()) {
                    place.copy_from_slice(&((number - origin[axis]) as f32).to_le_bytes());
                }
            }
        }
    }

    fn words(&mut self, name: String, components: usize, numbers: &[u32]) {
        self.note(name, "u32", components, numbers.len());
        self.bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn column(&mut self, room: &str, column: &StoredColumn, origin: [f64; 3]) {
        let (name, components) = (format!("{room}/{}", column.name), column.components);
        match &column.numbers {
            StoredNumbers::Reals(numbers) => {
                let places = column.name == "Points";
                self.reals(name, components, numbers, places.then_some(origin));
            }
            StoredNumbers::Words(numbers) => self.words(name, components, numbers),
            StoredNumbers::Bytes(numbers) => {
                self.note(name, "u8", components, numbers.len());
                self.bytes.extend(numbers);
            }
        }
    }

    fn surfaces(&mut self, surfaces: &StoredSurfaces, rows: &HashMap<[u32; 2], u32>, origin: [f64; 3]) {
        self.reals("surfaces/points".into(), 3, &surfaces.points, Some(origin));
        self.words("surfaces/segments".into(), 2, &surfaces.segments);
        self.words("surfaces/triangles".into(), 3, &surfaces.triangles);
        let owner = |owner: &[u32; 2]| rows.get(owner).copied().unwrap_or(u32::MAX);
        let owners: Vec<u32> = surfaces.owners.iter().map(owner).collect();
        self.words("surfaces/bodies".into(), 1, &owners);
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
    let Packer { notes, bytes } = packer;
    let time = if frame.time.is_finite() { frame.time } else { 0.0 };
    let note = FrameNote { step: frame.step, time, arrays: notes };
    let mut text = serde_json::to_vec(&note).unwrap_or_default();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut packed = Vec::with_capacity(8 + text.len() + bytes.len());
    packed.extend(b"DSF1");
    packed.extend((text.len() as u32).to_le_bytes());
    packed.extend(text);
    packed.extend(bytes);
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
