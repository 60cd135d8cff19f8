//! A frame as bytes for the page: a line of JSON that says what follows, then arrays of f32, u32 and u8.
//! Reads no file.
//!
//! Four letters `DSF1`, the length of the JSON as a little-endian u32, the JSON padded with spaces to a
//! multiple of four, then the arrays, each padded likewise. Places are relative to the origin that
//! `/api/run` gives, so that f32 keeps its digits far from 0.

use drystone_io::{
    FoundColumn, FoundFrame, IoError, NumberKind, NumberPiece, PieceBuffer, StoredColumn, StoredFrame,
    StoredNumbers, StoredSurfaces,
};
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
    Reals(&'a [f64]),
    Words(Cow<'a, [u32]>),
    Bytes(&'a [u8]),
    /// To be read.
    Found(&'a FoundColumn),
}

/// Arrays in their order, each written once, where it belongs.
#[derive(Default)]
struct Packer<'a> {
    notes: Vec<ArrayNote>,
    parts: Vec<PackedArray<'a>>,
    end: usize,
    /// What places are relative to.
    origin: [f64; 3],
    /// Whether bodies come and go.
    open: bool,
}

impl<'a> Packer<'a> {
    fn add(&mut self, name: String, components: usize, numbers: PackedArray<'a>) {
        let (kind, length) = match &numbers {
            PackedArray::Reals(numbers) => (NumberKind::Reals, numbers.len()),
            PackedArray::Words(numbers) => (NumberKind::Words, numbers.len()),
            PackedArray::Bytes(numbers) => (NumberKind::Bytes, numbers.len()),
            PackedArray::Found(column) => (column.kind, column.rows * column.components),
        };
        let (kind, bytes) = match kind {
            NumberKind::Reals => ("f32", 4 * length),
            NumberKind::Words => ("u32", 4 * length),
            NumberKind::Bytes => ("u8", length),
        };
        self.notes.push(ArrayNote { name, kind, components, length, offset: self.end });
        self.parts.push(numbers);
        self.end = (self.end + bytes).next_multiple_of(4);
    }

    /// Whether the page draws from a column. It knows the radii of bodies that stay from their shapes.
    fn is_shown(&self, name: &str) -> bool {
        !matches!(name, "tangent" | "impulse") && (self.open || name != "radius")
    }

    fn column(&mut self, room: &str, column: &'a StoredColumn) {
        let numbers = match &column.numbers {
            StoredNumbers::Reals(numbers) => PackedArray::Reals(numbers),
            StoredNumbers::Words(numbers) => PackedArray::Words(numbers.into()),
            StoredNumbers::Bytes(numbers) => PackedArray::Bytes(numbers),
        };
        self.add(format!("{room}/{}", column.name), column.components, numbers);
    }

    fn found(&mut self, room: &str, columns: &'a [FoundColumn]) {
        for column in columns {
            if self.is_shown(&column.name) {
                self.add(format!("{room}/{}", column.name), column.components, PackedArray::Found(column));
            }
        }
    }

    fn surfaces(&mut self, surfaces: &'a StoredSurfaces, rows: &HashMap<[u32; 2], u32>) {
        let owner = |owner: &[u32; 2]| rows.get(owner).copied().unwrap_or(u32::MAX);
        let owners: Vec<u32> = surfaces.owners.iter().map(owner).collect();
        self.add("surfaces/points".into(), 3, PackedArray::Reals(&surfaces.points));
        self.add("surfaces/segments".into(), 2, PackedArray::Words((&surfaces.segments).into()));
        self.add("surfaces/triangles".into(), 3, PackedArray::Words((&surfaces.triangles).into()));
        self.add("surfaces/bodies".into(), 1, PackedArray::Words(owners.into()));
    }

    /// The packet of a frame.
    fn finish(&self, step: u64, time: f64) -> Result<Vec<u8>, IoError> {
        let time = if time.is_finite() { time } else { 0.0 };
        let note = FrameNote { step, time, arrays: &self.notes };
        let mut text = serde_json::to_vec(&note).unwrap_or_default();
        text.resize(text.len().next_multiple_of(4), b' ');
        let start = 8 + text.len();
        let mut packet = vec![0; start + self.end];
        packet[..4].copy_from_slice(b"DSF1");
        packet[4..8].copy_from_slice(&(text.len() as u32).to_le_bytes());
        packet[8..start].copy_from_slice(&text);
        self.write(&mut packet[start..])?;
        Ok(packet)
    }

    /// Writes the arrays where they belong.
    fn write(&self, room: &mut [u8]) -> Result<(), IoError> {
        let mut buffer = PieceBuffer::default();
        for (note, part) in self.notes.iter().zip(&self.parts) {
            // places are relative to the origin
            let places = note.name.ends_with("/Points") || note.name == "surfaces/points";
            let origin = places.then_some(self.origin);
            let mut rest = &mut room[note.offset..];
            match part {
                PackedArray::Reals(numbers) => drop(write(rest, NumberPiece::Reals(numbers), origin)),
                PackedArray::Words(numbers) => drop(write(rest, NumberPiece::Words(numbers), origin)),
                PackedArray::Bytes(numbers) => drop(write(rest, NumberPiece::Bytes(numbers), origin)),
                PackedArray::Found(column) => column.pass_on(&mut buffer, &mut |piece| {
                    rest = write(std::mem::take(&mut rest), piece, origin);
                })?,
            }
        }
        Ok(())
    }
}

/// Writes numbers at the beginning of a room; gives the rest of it. Pieces of places begin with a row.
fn write<'a>(room: &'a mut [u8], numbers: NumberPiece<'_>, origin: Option<[f64; 3]>) -> &'a mut [u8] {
    let bytes = match numbers {
        NumberPiece::Reals(numbers) => 4 * numbers.len(),
        NumberPiece::Words(numbers) => 4 * numbers.len(),
        NumberPiece::Bytes(numbers) => numbers.len(),
    };
    let (own, rest) = room.split_at_mut(bytes);
    // zipped with places of four bytes: a sequence of bytes of unknown length is slow
    let places = own.as_chunks_mut::<4>().0.iter_mut();
    match (numbers, origin) {
        (NumberPiece::Reals(numbers), None) => {
            places.zip(numbers).for_each(|(place, &number)| *place = (number as f32).to_le_bytes());
        }
        (NumberPiece::Reals(numbers), Some(origin)) => {
            let rows = own.as_chunks_mut::<12>().0.iter_mut();
            for (row, point) in rows.zip(numbers.as_chunks::<3>().0) {
                for (axis, place) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    *place = ((point[axis] - origin[axis]) as f32).to_le_bytes();
                }
            }
        }
        (NumberPiece::Words(numbers), _) => {
            places.zip(numbers).for_each(|(place, number)| *place = number.to_le_bytes());
        }
        (NumberPiece::Bytes(numbers), _) => own.copy_from_slice(numbers),
    }
    rest
}

/// The bytes of a frame of a run, read straight into them, with the vertices of what deforms.
pub(crate) fn pack_found(
    frame: &FoundFrame,
    skins: &[StoredColumn],
    origin: [f64; 3],
) -> Result<Vec<u8>, IoError> {
    let mut packer = Packer { origin, open: frame.surfaces.is_some(), ..Packer::default() };
    packer.found("bodies", &frame.bodies);
    packer.found("contacts", &frame.contacts);
    packer.found("ties", &frame.ties);
    if let Some(surfaces) = &frame.surfaces {
        packer.surfaces(surfaces, &rows(&frame.bodies)?);
    }
    skins.iter().for_each(|column| packer.column("skins", column));
    packer.finish(frame.step, frame.time)
}

/// The bytes of a frame that is in no file: its bodies.
pub(crate) fn pack_bodies(frame: &StoredFrame, origin: [f64; 3]) -> Result<Vec<u8>, IoError> {
    let mut packer = Packer { origin, ..Packer::default() };
    frame.bodies.iter().for_each(|column| packer.column("bodies", column));
    packer.finish(frame.step, frame.time)
}

/// The row of each body, by slot and generation.
fn rows(bodies: &[FoundColumn]) -> Result<HashMap<[u32; 2], u32>, IoError> {
    let words = |name: &str| -> Result<Vec<u32>, IoError> {
        match bodies.iter().find(|column| column.name == name).map(FoundColumn::read).transpose()? {
            Some(StoredColumn { numbers: StoredNumbers::Words(numbers), .. }) => Ok(numbers),
            _ => Ok(Vec::new()),
        }
    };
    let (slots, ages) = (words("id")?, words("generation")?);
    Ok(slots.into_iter().zip(ages).zip(0..).map(|((slot, age), row)| ([slot, age], row)).collect())
}
