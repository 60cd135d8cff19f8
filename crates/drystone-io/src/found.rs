//! The columns of a frame, found and not read yet: those who pass numbers on without looking at them read a
//! few rows at a time and keep none. Gives no meaning to a column; [`RunFolder::frame`] does.

use crate::IoError;
use crate::folder::RunFolder;
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

/// Columns of whole numbers; all others are real.
const WORDS: [&str; 7] = ["id", "generation", "source", "number", "group", "bodies", "tie"];
const BYTES: [&str; 2] = ["status", "broken"];
/// What nobody looks at in a picture.
const LEFT_OUT: [&str; 2] = ["contactors", "feature"];

impl RunFolder {
    /// The frame `index`, from 0, in columns. Where bodies come and go a row is no body of the scene, but the
    /// one that the columns `id` and `generation` name.
    pub fn stored_frame(&self, index: usize) -> Result<StoredFrame, IoError> {
        self.found_frame(index)?.read()
    }

    /// The same without contacts, which are most of a frame.
    pub fn stored_bodies(&self, index: usize) -> Result<StoredFrame, IoError> {
        self.found_bodies(index)?.read()
    }

    /// The columns of the frame `index`, to be read one by one.
    pub fn found_frame(&self, index: usize) -> Result<FoundFrame, IoError> {
        let frame = self.found_bodies(index)?;
        Ok(FoundFrame { contacts: self.loose_columns("contacts.vtkhdf", index)?, ..frame })
    }

    /// The same without contacts.
    pub fn found_bodies(&self, index: usize) -> Result<FoundFrame, IoError> {
        self.found_columns(index, None)
    }

    /// The same with no more of the bodies than where they are and how fast: `orientation_wxyz` and
    /// `velocity` beside `Points`, and where they come and go what names them.
    pub fn found_motion(&self, index: usize) -> Result<FoundFrame, IoError> {
        let named =
            ["orientation_wxyz", "velocity", "id", "generation", "source", "number", "group", "radius"];
        self.found_columns(index, Some(if self.is_open() { &named } else { &named[..2] }))
    }

    fn found_columns(&self, index: usize, only: Option<&[&str]>) -> Result<FoundFrame, IoError> {
        let (Some(&time), Some(step)) = (self.times().get(index), self.step_of(index)) else {
            let (path, frames) = (self.path().to_owned(), self.times().len());
            return Err(IoError::NoFrame { path, frame: index, frames });
        };
        let source = Source::open(&self.path().join("bodies.vtkhdf"))?;
        let (span, fixed) = match self.spans() {
            Some(spans) => (spans.get(index).copied().unwrap_or([0; 2]), false),
            None => ([index * self.body_count(), self.body_count()], true),
        };
        let bodies = columns(source, span, fixed, only)?;
        let ties = self.tie_columns(index)?;
        let surfaces = if fixed { None } else { self.surfaces_at(index)? };
        Ok(FoundFrame { step, time, bodies, contacts: Vec::new(), ties, surfaces })
    }

    /// The columns of a file whose frames have rows of their own.
    fn loose_columns(&self, name: &str, index: usize) -> Result<Vec<FoundColumn>, IoError> {
        let path = self.path().join(name);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let source = Source::open(&path)?;
        let span = ["Steps/PointOffsets", "NumberOfPoints"].map(|name| at(&source, name, index));
        let [start, count] = span;
        columns(source, [start?, count?], false, None)
    }

    fn tie_columns(&self, index: usize) -> Result<Vec<FoundColumn>, IoError> {
        if self.is_open() {
            return self.loose_columns("ties.vtkhdf", index);
        }
        let path = self.path().join("ties.vtkhdf");
        if !path.exists() {
            return Ok(Vec::new());
        }
        let source = Source::open(&path)?;
        let count = source.rows("VTKHDF/PointData/tie")?;
        columns(source, [index * count, count], true, None)
    }

    fn surfaces_at(&self, index: usize) -> Result<Option<StoredSurfaces>, IoError> {
        let path = self.path().join("surfaces.vtkhdf");
        if !path.exists() {
            return Ok(None);
        }
        let source = Source::open(&path)?;
        let (start, count) =
            (at(&source, "Steps/PointOffsets", index)?, at(&source, "NumberOfPoints", index)?);
        let points = source.reals_in("VTKHDF/Points", start, count)?;
        let begins: Vec<i64> = source.slice("VTKHDF/Steps/ConnectivityIdOffsets", index, 1)?;
        let corners = |kind: usize, name: &str| -> Result<Vec<u32>, IoError> {
            let count = at(&source, &format!("{name}/NumberOfConnectivityIds"), index)?;
            let path = format!("VTKHDF/{name}/Connectivity");
            let found: Vec<i64> = source.slice(&path, begins[kind] as usize, count)?;
            Ok(found.into_iter().map(|corner| corner as u32).collect())
        };
        let (segments, triangles) = (corners(1, "Lines")?, corners(2, "Polygons")?);
        let cells = segments.len() / 2 + triangles.len() / 3;
        let words = |name: &str| -> Result<Vec<u32>, IoError> {
            let start = at(&source, &format!("Steps/CellDataOffsets/{name}"), index)?;
            source.slice(&format!("VTKHDF/CellData/{name}"), start, cells)
        };
        let owners = words("id")?.into_iter().zip(words("generation")?).map(|(id, age)| [id, age]).collect();
        Ok(Some(StoredSurfaces { points, triangles, segments, owners }))
    }
}

/// Row `index` of a data set with one number a frame.
fn at(source: &Source, name: &str, index: usize) -> Result<usize, IoError> {
    let found: Vec<i64> = source.slice(&format!("VTKHDF/{name}"), index, 1)?;
    Ok(found.first().map_or(0, |&number| number.max(0) as usize))
}

/// All columns of the points in these rows, or those that are named; of a `fixed` file those that never
/// change begin at 0.
fn columns(
    source: Source,
    [start, count]: [usize; 2],
    fixed: bool,
    only: Option<&[&str]>,
) -> Result<Vec<FoundColumn>, IoError> {
    let source = Rc::new(source);
    let all = source.rows("VTKHDF/Points")?;
    let paths = source.names_in("VTKHDF/PointData");
    let mut found = Vec::with_capacity(paths.len() + 1);
    for path in std::iter::once("VTKHDF/Points".to_owned()).chain(paths) {
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        let wanted = name == "Points" || only.is_none_or(|only| only.contains(&name.as_str()));
        if !wanted || LEFT_OUT.contains(&name.as_str()) {
            continue;
        }
        let kind = match name.as_str() {
            name if WORDS.contains(&name) => NumberKind::Words,
            name if BYTES.contains(&name) => NumberKind::Bytes,
            _ => NumberKind::Reals,
        };
        let constant = fixed && (kind == NumberKind::Words || source.rows(&path)? < all);
        let first = if constant { 0 } else { start };
        // a frame without rows still tells how wide they are
        let components = source.components(&path)?;
        found.push(FoundColumn { name, components, rows: count, kind, path, first, source: source.clone() });
    }
    Ok(found)
}
