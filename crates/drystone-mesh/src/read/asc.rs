//! Height fields in the text format of ESRI. Holes stay holes; nothing is filled in.

use super::Polygons;
use super::cursor::{Cursor, NumberKind, Writing, shown};
use crate::MeshError;

/// Heights over a regular grid, in the unit of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    /// Samples along x.
    pub columns: usize,
    /// Samples along y.
    pub rows: usize,
    /// Distance between two samples.
    pub cell: f64,
    /// Place of the first sample, that of smallest x and y.
    pub origin: [f64; 2],
    /// Heights, row by row from smallest y, each from smallest x; none where the file has no data.
    pub heights: Vec<Option<f64>>,
}

pub(super) fn read(bytes: &[u8]) -> Result<HeightField, MeshError> {
    let mut cursor = Cursor::new(bytes);
    let (field, missing) = header(&mut cursor)?;
    let HeightField { columns, rows, .. } = field;
    let mut heights = Vec::new();
    for _ in 0..columns * rows {
        let height = cursor.number(Writing::Text, NumberKind::F64)?;
        heights.push((height != missing).then_some(height));
    }
    if let Some(word) = cursor.word() {
        return Err(cursor.error(shown(word), format!("{rows} rows of {columns} numbers are all")));
    }
    // the file starts in the north, the field in the south
    let turned = heights.chunks(columns).rev().flatten().copied().collect();
    Ok(HeightField { heights: turned, ..field })
}

/// The field without its heights, and the number that stands for none.
fn header(cursor: &mut Cursor) -> Result<(HeightField, f64), MeshError> {
    const ALLOWED: &str =
        "ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, and cellsize must stand here";
    let (mut columns, mut rows, mut cell) = (None, None, None);
    let mut low: [Option<(f64, f64)>; 2] = [None; 2];
    let mut missing = -9999.0;
    // the optional last line is told from the first height by its first letter
    while [columns.is_none(), rows.is_none(), cell.is_none(), low[0].is_none(), low[1].is_none()]
        .contains(&true)
    {
        let word = cursor.need_word(ALLOWED)?;
        match word.to_ascii_lowercase().as_slice() {
            b"ncols" => columns = Some(samples(cursor)?),
            b"nrows" => rows = Some(samples(cursor)?),
            b"xllcorner" => low[0] = Some((cursor.number(Writing::Text, NumberKind::F64)?, 0.5)),
            b"xllcenter" => low[0] = Some((cursor.number(Writing::Text, NumberKind::F64)?, 0.0)),
            b"yllcorner" => low[1] = Some((cursor.number(Writing::Text, NumberKind::F64)?, 0.5)),
            b"yllcenter" => low[1] = Some((cursor.number(Writing::Text, NumberKind::F64)?, 0.0)),
            b"cellsize" => cell = Some(cursor.number(Writing::Text, NumberKind::F64)?),
            b"nodata_value" => missing = cursor.number(Writing::Text, NumberKind::F64)?,
            _ => return Err(cursor.error(shown(word), ALLOWED)),
        }
    }
    if cursor.peek_letter() {
        cursor.expect("nodata_value")?;
        missing = cursor.number(Writing::Text, NumberKind::F64)?;
    }
    let cell = cell.unwrap_or(0.0);
    if cell <= 0.0 {
        return Err(cursor.error(format!("a cellsize of {cell}"), "it must be greater than 0"));
    }
    let (columns, rows) = (columns.unwrap_or(0), rows.unwrap_or(0));
    if columns.checked_mul(rows).is_none_or(|count| count > cursor.left()) {
        let allowed = format!("the {} bytes that follow cannot hold as many", cursor.left());
        return Err(cursor.error(format!("{columns} columns and {rows} rows"), allowed));
    }
    // a corner is half a cell before the first sample
    let origin = low.map(|low| low.map_or(0.0, |(x, half)| x + half * cell));
    Ok((HeightField { columns, rows, cell, origin, heights: Vec::new() }, missing))
}

fn samples(cursor: &mut Cursor) -> Result<usize, MeshError> {
    let count = cursor.whole(Writing::Text, NumberKind::U64)?;
    match count {
        2.. => Ok(count),
        _ => Err(cursor.error(format!("{count} samples"), "at least 2 are needed each way")),
    }
}

impl HeightField {
    /// The field with every length times `unit`, the length of the file's unit \[m\].
    pub fn scaled(&self, unit: f64) -> Self {
        Self {
            cell: self.cell * unit,
            origin: self.origin.map(|x| x * unit),
            heights: self.heights.iter().map(|height| height.map(|z| z * unit)).collect(),
            ..*self
        }
    }

    /// Height of a sample.
    pub fn height(&self, column: usize, row: usize) -> Option<f64> {
        self.heights.get(row * self.columns + column).copied().flatten()
    }

    /// Two triangles for each cell whose four corners have data, seen counter-clockwise from above.
    pub fn triangles(&self) -> Polygons {
        let mut numbers = vec![u32::MAX; self.heights.len()];
        let mut polygons = Polygons::default();
        for (index, height) in self.heights.iter().enumerate() {
            if let Some(z) = height {
                numbers[index] = polygons.vertices.len() as u32;
                let [column, row] = [index % self.columns, index / self.columns];
                let x = self.origin[0] + column as f64 * self.cell;
                let y = self.origin[1] + row as f64 * self.cell;
                polygons.vertices.push([x, y, *z]);
            }
        }
        for row in 0..self.rows.saturating_sub(1) {
            for column in 0..self.columns.saturating_sub(1) {
                let at = row * self.columns + column;
                let corners =
                    [at, at + 1, at + self.columns + 1, at + self.columns].map(|index| numbers[index]);
                if !corners.contains(&u32::MAX) {
                    let [a, b, c, d] = corners;
                    polygons.faces.extend([vec![a, b, c], vec![a, c, d]]);
                }
            }
        }
        polygons
    }
}
