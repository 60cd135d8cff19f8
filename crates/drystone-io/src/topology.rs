//! What joins the points of a series file: cells that never change, or a vertex for each point that comes and
//! goes. Holds no numbers of the points themselves.

use crate::IoError;
use crate::hdf5::{Source, Store, Values};

/// Rows stored together in the short columns that have a row a frame.
pub(crate) const SHORT: usize = 256;

/// The four kinds of cells in the order of the format.
pub(crate) const KINDS: [&str; 4] = ["Vertices", "Lines", "Polygons", "Strips"];

/// The cells of a kind that has none, in every frame; all such counts are one data set.
const NO_CELLS: &str = "VTKHDF/Lines/NumberOfCells";

/// Cells of one kind: which points each one joins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    connectivity: Vec<i64>,
    ends: Vec<i64>,
}

impl Cells {
    /// Adds a cell through these points.
    pub(crate) fn push(&mut self, points: impl IntoIterator<Item = usize>) {
        self.connectivity.extend(points.into_iter().map(|point| point as i64));
        self.ends.push(self.connectivity.len() as i64);
    }

    fn create(&self, store: &Store, kind: &str) -> Result<(), IoError> {
        let offsets = std::iter::once(0).chain(self.ends.iter().copied()).collect();
        let sets = [
            ("NumberOfCells", vec![self.ends.len() as i64]),
            ("NumberOfConnectivityIds", vec![self.connectivity.len() as i64]),
            ("Offsets", offsets),
            ("Connectivity", self.connectivity.clone()),
        ];
        sets.into_iter().try_for_each(|(name, values)| {
            store.fixed(&format!("VTKHDF/{kind}/{name}"), &Values::I64(values), 1)
        })
    }

    /// A cell for each of `count` points.
    pub(crate) fn one_a_point(count: usize) -> Self {
        Self { connectivity: (0..count as i64).collect(), ends: (1..=count as i64).collect() }
    }
}

/// What joins the points.
#[derive(Clone, Debug)]
pub(crate) enum Topology {
    /// The same points in every frame.
    Fixed {
        /// How many.
        points: usize,
        /// Cells of one point.
        vertices: Cells,
        /// Open lines.
        lines: Cells,
        /// Closed polygons.
        polygons: Cells,
    },
    /// Points that come and go, each a cell of its own.
    Loose,
}

impl Topology {
    /// Makes the data sets of the cells.
    pub(crate) fn create(&self, store: &Store, chunk: usize) -> Result<(), IoError> {
        match self {
            Self::Fixed { points, vertices, lines, polygons } => {
                store.fixed("VTKHDF/NumberOfPoints", &Values::I64(vec![*points as i64]), 1)?;
                let all = [vertices, lines, polygons, &Cells::default()];
                KINDS.iter().zip(all).try_for_each(|(kind, cells)| cells.create(store, kind))
            }
            Self::Loose => create_loose(store, chunk),
        }
    }

    /// Adds the cells of a frame with `points` points; gives the part of the file it uses.
    pub(crate) fn append(&self, store: &Store, frame: usize, points: usize) -> Result<usize, IoError> {
        if matches!(self, Self::Fixed { .. }) {
            return Ok(0);
        }
        store.append("VTKHDF/NumberOfPoints", &Values::I64(vec![points as i64]))?;
        store.append(NO_CELLS, &Values::I64(vec![0]))?;
        let known = store.rows("VTKHDF/Vertices/Connectivity")? as i64;
        let new = known..points as i64;
        store
            .append("VTKHDF/Vertices/Offsets", &Values::I64(new.clone().map(|point| point + 1).collect()))?;
        store.append("VTKHDF/Vertices/Connectivity", &Values::I64(new.collect()))?;
        Ok(frame)
    }

    /// Points of the largest of the first `frames` frames, where that changes.
    pub(crate) fn largest(&self, source: &Source, frames: usize) -> Result<usize, IoError> {
        match self {
            Self::Fixed { points, .. } => Ok(*points),
            Self::Loose => {
                let counts: Vec<i64> = source.slice("VTKHDF/NumberOfPoints", 0, frames)?;
                Ok(counts.into_iter().max().unwrap_or(0) as usize)
            }
        }
    }

    /// Drops the cells of the frames from `frames` on; the largest before has `largest` points.
    pub(crate) fn shorten(&self, store: &Store, frames: usize, largest: usize) -> Result<(), IoError> {
        if matches!(self, Self::Fixed { .. }) {
            return Ok(());
        }
        store.shorten("VTKHDF/NumberOfPoints", frames)?;
        store.shorten(NO_CELLS, frames)?;
        store.shorten("VTKHDF/Vertices/Connectivity", largest)?;
        store.shorten("VTKHDF/Vertices/Offsets", largest + 1)
    }
}

/// Vertices grow to the largest frame, and each frame uses as many of them as it has points.
fn create_loose(store: &Store, chunk: usize) -> Result<(), IoError> {
    let integers = Values::I64(Vec::new());
    store.growing("VTKHDF/NumberOfPoints", &integers, 1, SHORT)?;
    store.growing("VTKHDF/Vertices/Offsets", &integers, 1, chunk)?;
    store.append("VTKHDF/Vertices/Offsets", &Values::I64(vec![0]))?;
    store.growing("VTKHDF/Vertices/Connectivity", &integers, 1, chunk)?;
    store.growing(NO_CELLS, &integers, 1, SHORT)?;
    store.link("VTKHDF/Lines/NumberOfConnectivityIds", NO_CELLS)?;
    for name in ["NumberOfCells", "NumberOfConnectivityIds"] {
        store.link(&format!("VTKHDF/Vertices/{name}"), "VTKHDF/NumberOfPoints")?;
        store.link(&format!("VTKHDF/Polygons/{name}"), NO_CELLS)?;
        store.link(&format!("VTKHDF/Strips/{name}"), NO_CELLS)?;
    }
    for kind in &KINDS[1..] {
        store.fixed(&format!("VTKHDF/{kind}/Offsets"), &Values::I64(vec![0]), 1)?;
        store.fixed(&format!("VTKHDF/{kind}/Connectivity"), &integers, 1)?;
    }
    Ok(())
}
