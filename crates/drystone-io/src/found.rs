//! Columns of a frame that were found and not read: those who pass numbers on read them a few rows at a time
//! and keep none. Gives no meaning to a column.

use crate::IoError;
use crate::hdf5::Source;
use crate::stored::{StoredColumn, StoredFrame, StoredNumbers, StoredSurfaces};
use std::rc::Rc;

/// Some of the numbers of a column, row after row.
#[derive(Clone, Copy, Debug)]
pub enum NumberPiece<'a> {
    /// Real numbers.
    Reals(&'a [f64]),
    /// Whole numbers.
    Words(&'a [u32]),
    /// Small whole numbers.
    Bytes(&'a [u8]),
}

/// What numbers a column has; see [`StoredNumbers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// Real numbers.
    Reals,
    /// Whole numbers.
    Words,
    /// Small whole numbers.
    Bytes,
}

/// Room for the numbers that are on their way, kept from column to column: memory is asked for once.
#[derive(Debug, Default)]
pub struct PieceBuffer {
    reals: Vec<f64>,
    words: Vec<u32>,
    bytes: Vec<u8>,
}

/// A column of a frame in its file.
pub struct FoundColumn {
    /// Its name in the file; `Points` are the places.
    pub name: String,
    /// Numbers in a row.
    pub components: usize,
    /// How many rows.
    pub rows: usize,
    /// What they are.
    pub kind: NumberKind,
    pub(crate) path: String,
    /// The first row of the frame in the file.
    pub(crate) first: usize,
    pub(crate) source: Rc<Source>,
}

impl FoundColumn {
    /// Reads it in pieces, in their order.
    pub fn pass_on(
        &self,
        buffer: &mut PieceBuffer,
        take: &mut dyn FnMut(NumberPiece<'_>),
    ) -> Result<(), IoError> {
        let (source, path, rows) = (&self.source, &self.path, self.first..self.first + self.rows);
        match self.kind {
            NumberKind::Reals => {
                source.pieces(path, rows, &mut buffer.reals, |piece| take(NumberPiece::Reals(piece)))
            }
            NumberKind::Words => {
                source.pieces(path, rows, &mut buffer.words, |piece| take(NumberPiece::Words(piece)))
            }
            NumberKind::Bytes => {
                source.pieces(path, rows, &mut buffer.bytes, |piece| take(NumberPiece::Bytes(piece)))
            }
        }
    }

    /// Reads it as a whole.
    pub fn read(&self) -> Result<StoredColumn, IoError> {
        let (source, path) = (&self.source, &self.path);
        let numbers = match self.kind {
            NumberKind::Reals => StoredNumbers::Reals(source.slice(path, self.first, self.rows)?),
            NumberKind::Words => StoredNumbers::Words(source.slice(path, self.first, self.rows)?),
            NumberKind::Bytes => StoredNumbers::Bytes(source.slice(path, self.first, self.rows)?),
        };
        Ok(StoredColumn { name: self.name.clone(), components: self.components, numbers })
    }
}

/// One frame, its columns found; see [`StoredFrame`].
pub struct FoundFrame {
    /// Steps done.
    pub step: u64,
    /// Time \[s\], to twelve digits.
    pub time: f64,
    /// Columns with a row for each body.
    pub bodies: Vec<FoundColumn>,
    /// Columns with a row for each contact.
    pub contacts: Vec<FoundColumn>,
    /// Columns with two rows for each tie.
    pub ties: Vec<FoundColumn>,
    /// The surfaces, where bodies come and go.
    pub surfaces: Option<StoredSurfaces>,
}

impl FoundFrame {
    /// Reads all of it.
    pub fn read(self) -> Result<StoredFrame, IoError> {
        let all = |columns: &[FoundColumn]| -> Result<Vec<StoredColumn>, IoError> {
            columns.iter().map(FoundColumn::read).collect()
        };
        Ok(StoredFrame {
            step: self.step,
            time: self.time,
            bodies: all(&self.bodies)?,
            contacts: all(&self.contacts)?,
            ties: all(&self.ties)?,
            surfaces: self.surfaces,
        })
    }
}
