//! The surfaces of one frame as cells with their columns, as the file of the surfaces stores them. Draws
//! nothing.

use crate::IoError;
use crate::cells::StoredCells;
use crate::folder::RunFolder;
use crate::hdf5::Source;
use crate::stored::{StoredColumn, StoredNumbers};

/// The surfaces of all bodies in one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredFaces {
    /// `Points` in world axes \[m\], and what is known at them: of deformable bodies displacement and stress.
    pub points: Vec<StoredColumn>,
    /// Lines, then polygons.
    pub cells: [StoredCells; 2],
    /// Columns with a row for each cell, lines first: the body and its group.
    pub owners: Vec<StoredColumn>,
}

impl RunFolder {
    /// The surfaces in the frame `index`, from 0; none where the run wrote none.
    pub fn stored_faces(&self, index: usize) -> Result<Option<StoredFaces>, IoError> {
        let path = self.path().join("surfaces.vtkhdf");
        if !path.exists() {
            return Ok(None);
        }
        if self.is_open() {
            return self.changing_faces(index);
        }
        let source = Source::open(&path)?;
        let whole = |name: &str| -> Result<Vec<i64>, IoError> {
            let path = format!("VTKHDF/{name}");
            source.slice(&path, 0, source.rows(&path)?)
        };
        let words = |numbers: Vec<i64>| numbers.into_iter().map(|number| number as u32).collect::<Vec<u32>>();
        let cells = |kind: &str| -> Result<StoredCells, IoError> {
            let ends = words(whole(&format!("{kind}/Offsets"))?);
            let corners = words(whole(&format!("{kind}/Connectivity"))?);
            Ok(StoredCells { corners, ends: ends.into_iter().skip(1).collect() })
        };
        let count = whole("NumberOfPoints")?.first().map_or(0, |&count| count.max(0) as usize);
        let mut points = Vec::new();
        for path in ["VTKHDF/Points".to_owned()].into_iter().chain(source.names_in("VTKHDF/PointData")) {
            let numbers = source.reals_in(&path, index * count, count)?;
            points.push(column(&path, source.components(&path)?, StoredNumbers::Reals(numbers)));
        }
        let mut owners = Vec::new();
        for path in source.names_in("VTKHDF/CellData") {
            let rows = source.rows(&path)?;
            let numbers = match path.ends_with("/mass") {
                true => StoredNumbers::Reals(source.reals_in(&path, 0, rows)?),
                false => StoredNumbers::Words(source.slice(&path, 0, rows)?),
            };
            owners.push(column(&path, 1, numbers));
        }
        Ok(Some(StoredFaces { points, cells: [cells("Lines")?, cells("Polygons")?], owners }))
    }

    fn changing_faces(&self, index: usize) -> Result<Option<StoredFaces>, IoError> {
        let Some(found) = self.stored_frame(index)?.surfaces else { return Ok(None) };
        let cells = |corners: Vec<u32>, size: u32| {
            let ends = (1..=corners.len() as u32 / size).map(|cell| size * cell).collect();
            StoredCells { corners, ends }
        };
        let owner =
            |part: usize| StoredNumbers::Words(found.owners.iter().map(|owner| owner[part]).collect());
        Ok(Some(StoredFaces {
            owners: vec![column("id", 1, owner(0)), column("generation", 1, owner(1))],
            cells: [cells(found.segments, 2), cells(found.triangles, 3)],
            points: vec![column("Points", 3, StoredNumbers::Reals(found.points))],
        }))
    }
}

fn column(path: &str, components: usize, numbers: StoredNumbers) -> StoredColumn {
    StoredColumn { name: path.rsplit('/').next().unwrap_or(path).to_owned(), components, numbers }
}
