//! Sparse matrices of FCLIB files: triplets, compressed columns, compressed rows. Knows no contact and no
//! body.

use super::Place;
use crate::IoError;
use crate::hdf5::{Source, Store, Values};

/// A sparse matrix as the sum of its entries.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sparse {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Row, column and value; entries at the same place are summed.
    pub entries: Vec<(u32, u32, f64)>,
}

/// How a matrix is laid out in a file. The published problems have compressed rows for W; Siconos takes M and
/// H as triplets only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Triplets,
    CompressedRows,
}

impl Sparse {
    /// Reads the matrix of a group.
    pub fn read(source: &Source, place: &Place, group: &str) -> Result<Self, IoError> {
        let at = |name: &str| format!("{group}/{name}");
        let size = |name: &str| -> Result<usize, IoError> {
            let value = place.integer(source, &at(name))?;
            usize::try_from(value)
                .ok()
                .filter(|&value| value <= i32::MAX as usize)
                .ok_or_else(|| place.wrong(&at(name), format!("{value}"), "a size from 0 to 2147483647"))
        };
        let (rows, columns) = (size("m")?, size("n")?);
        let layout = place.integer(source, &at("nz"))?;
        let outer = place.integers(source, &at("p"))?;
        let inner = place.integers(source, &at("i"))?;
        let values = place.reals(source, &at("x"))?;
        let index = |name: &str, value: i64, bound: usize| match u32::try_from(value) {
            Ok(index) if (index as usize) < bound => Ok(index),
            _ => Err(place.wrong(
                &at(name),
                format!("the index {value}"),
                format!("0 to {}", bound as i64 - 1),
            )),
        };
        let mut entries = Vec::new();
        if let Ok(count) = usize::try_from(layout) {
            // triplets: i holds the rows and p the columns, whatever the header of the format says
            for (name, found) in [("i", inner.len()), ("p", outer.len()), ("x", values.len())] {
                if found < count {
                    return Err(place.wrong(&at(name), format!("{found} entries"), format!("nz = {count}")));
                }
            }
            for k in 0..count {
                entries.push((index("i", inner[k], rows)?, index("p", outer[k], columns)?, values[k]));
            }
            return Ok(Self { rows, columns, entries });
        }
        let (lines, across) = match layout {
            -1 => (columns, rows),
            -2 => (rows, columns),
            _ => {
                let allowed = "0 or more (triplets), -1 (compressed columns) or -2 (compressed rows)";
                return Err(place.wrong(&at("nz"), format!("{layout}"), allowed));
            }
        };
        let starts = starts(place, &at("p"), &outer, lines, inner.len().min(values.len()))?;
        for line in 0..lines {
            for k in starts[line]..starts[line + 1] {
                let other = index("i", inner[k], across)?;
                let (row, column) = if layout == -1 { (other, line as u32) } else { (line as u32, other) };
                entries.push((row, column, values[k]));
            }
        }
        Ok(Self { rows, columns, entries })
    }

    /// Writes the matrix into a new group.
    pub fn write(&self, store: &Store, group: &str, layout: Layout) -> Result<(), IoError> {
        store.group(group)?;
        let (nz, outer, inner, values): (i32, Vec<i32>, Vec<i32>, Vec<f64>) = match layout {
            Layout::Triplets => (
                self.entries.len() as i32,
                self.entries.iter().map(|entry| entry.1 as i32).collect(),
                self.entries.iter().map(|entry| entry.0 as i32).collect(),
                self.entries.iter().map(|entry| entry.2).collect(),
            ),
            Layout::CompressedRows => {
                let summed = self.summed();
                let mut starts = vec![0_i32; self.rows + 1];
                for &(row, ..) in &summed {
                    starts[row as usize + 1] += 1;
                }
                for row in 0..self.rows {
                    starts[row + 1] += starts[row];
                }
                let columns = summed.iter().map(|entry| entry.1 as i32).collect();
                (-2, starts, columns, summed.iter().map(|entry| entry.2).collect())
            }
        };
        let scalars =
            [("nzmax", values.len() as i32), ("m", self.rows as i32), ("n", self.columns as i32), ("nz", nz)];
        for (name, value) in scalars {
            store.fixed(&format!("{group}/{name}"), &Values::I32(vec![value]), 1)?;
        }
        store.fixed(&format!("{group}/p"), &Values::I32(outer), 1)?;
        store.fixed(&format!("{group}/i"), &Values::I32(inner), 1)?;
        store.fixed(&format!("{group}/x"), &Values::F64(values), 1)
    }

    /// The entries by row and column, one for each place.
    pub fn summed(&self) -> Vec<(u32, u32, f64)> {
        let mut entries = self.entries.clone();
        // a stable sort: the sum of duplicates then depends on nothing but the file
        entries.sort_by_key(|&(row, column, _)| (row, column));
        entries.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        entries
    }

    /// Adds the product with `x` to `y`.
    pub fn add_times(&self, x: &[f64], y: &mut [f64]) {
        for &(row, column, value) in &self.entries {
            y[row as usize] += value * x[column as usize];
        }
    }

    /// Adds the product of the transpose with `x` to `y`.
    pub fn add_transposed_times(&self, x: &[f64], y: &mut [f64]) {
        for &(row, column, value) in &self.entries {
            y[column as usize] += value * x[row as usize];
        }
    }
}

/// Where each line of a compressed matrix starts and the last one ends.
fn starts(place: &Place, at: &str, found: &[i64], lines: usize, held: usize) -> Result<Vec<usize>, IoError> {
    if found.len() != lines + 1 {
        return Err(place.wrong(
            at,
            format!("{} entries", found.len()),
            format!("{} (lines + 1)", lines + 1),
        ));
    }
    let rising = found[0] == 0 && found.windows(2).all(|pair| pair[0] <= pair[1]);
    if !rising || found[lines] > held as i64 {
        let allowed = format!("starts that rise from 0 to at most {held}, the entries of i and x");
        return Err(place.wrong(at, "starts that fall or lead too far".to_owned(), allowed));
    }
    Ok(found.iter().map(|&start| start as usize).collect())
}
