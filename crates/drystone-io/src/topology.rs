//! What joins the points of a series file: cells or elements that never change, a vertex for each point that
//! comes and goes, or cells of each frame's own. Holds no numbers of the points themselves.

use crate::IoError;
use crate::cells::StoredCells;
use crate::column::Column;
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
        self.create_in(store, &format!("VTKHDF/{kind}"))
    }

    fn create_in(&self, store: &Store, group: &str) -> Result<(), IoError> {
        let offsets = std::iter::once(0).chain(self.ends.iter().copied()).collect();
        let sets = [
            ("NumberOfCells", vec![self.ends.len() as i64]),
            ("NumberOfConnectivityIds", vec![self.connectivity.len() as i64]),
            ("Offsets", offsets),
            ("Connectivity", self.connectivity.clone()),
        ];
        sets.into_iter()
            .try_for_each(|(name, values)| store.fixed(&format!("{group}/{name}"), &Values::I64(values), 1))
    }

    /// The points of each cell.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[i64]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.connectivity[start as usize..end as usize])
    }

    /// The same as readers get them.
    pub(crate) fn stored(&self) -> StoredCells {
        let words = |numbers: &[i64]| numbers.iter().map(|&number| number as u32).collect();
        StoredCells { corners: words(&self.connectivity), ends: words(&self.ends) }
    }

    /// A cell for each of `count` points.
    pub(crate) fn one_a_point(count: usize) -> Self {
        Self { connectivity: (0..count as i64).collect(), ends: (1..=count as i64).collect() }
    }
}

/// The cells of one frame whose topology is its own: segments and triangles only, so that where a cell begins
/// in the file is the same in all frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FrameCells {
    /// The two ends of each segment.
    pub segments: Vec<[i64; 2]>,
    /// The three corners of each triangle.
    pub triangles: Vec<[i64; 3]>,
    /// Columns of the cells, segments first.
    pub columns: Vec<Column>,
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
    /// The same points in every frame, joined by elements.
    Elements {
        /// How many points.
        points: usize,
        /// Nodes of each element, in the order of VTK.
        cells: Cells,
        /// Type of each element, by VTK's numbers.
        types: Vec<u8>,
    },
    /// Points that come and go, each a cell of its own.
    Loose,
    /// Points that come and go, joined by the cells that each frame brings; the columns of the cells, here
    /// without rows.
    Changing(Vec<Column>),
}

/// The kinds of cells that change from frame to frame, each with the corners of a cell.
const CHANGING: [(&str, usize); 2] = [("Lines", 2), ("Polygons", 3)];

/// Where the corners of the cells of each frame begin, for the four kinds.
const BEGINNINGS: &str = "VTKHDF/Steps/ConnectivityIdOffsets";

/// Counts that are 0 in every frame of a changing topology.
const NO_STRIPS: &str = "VTKHDF/Strips/NumberOfCells";

impl Topology {
    /// Name of the kind of data in the format.
    pub(crate) fn kind(&self) -> &'static str {
        if matches!(self, Self::Elements { .. }) { "UnstructuredGrid" } else { "PolyData" }
    }

    /// Groups of cells that the format asks for.
    pub(crate) fn groups(&self) -> &'static [&'static str] {
        if matches!(self, Self::Elements { .. }) { &[] } else { &KINDS }
    }

    /// How many kinds of cells have offsets in each frame.
    pub(crate) fn offsets(&self) -> usize {
        if matches!(self, Self::Elements { .. }) { 1 } else { KINDS.len() }
    }

    /// Makes the data sets of the cells.
    pub(crate) fn create(&self, store: &Store, chunk: usize) -> Result<(), IoError> {
        if !matches!(self, Self::Changing(_)) {
            store.link(BEGINNINGS, "VTKHDF/Steps/CellOffsets")?;
        }
        match self {
            Self::Fixed { points, vertices, lines, polygons } => {
                store.fixed("VTKHDF/NumberOfPoints", &Values::I64(vec![*points as i64]), 1)?;
                let all = [vertices, lines, polygons, &Cells::default()];
                KINDS.iter().zip(all).try_for_each(|(kind, cells)| cells.create(store, kind))
            }
            Self::Elements { points, cells, types } => {
                store.fixed("VTKHDF/NumberOfPoints", &Values::I64(vec![*points as i64]), 1)?;
                store.fixed("VTKHDF/Types", &Values::U8(types.clone()), 1)?;
                cells.create_in(store, "VTKHDF")
            }
            Self::Loose => create_loose(store, chunk),
            Self::Changing(columns) => {
                store.growing(BEGINNINGS, &Values::I64(Vec::new()), 4, SHORT)?;
                create_changing(store, columns, chunk)
            }
        }
    }

    /// Adds the cells of a frame with `points` points; gives the part of the file it uses.
    pub(crate) fn append(
        &self,
        store: &Store,
        frame: usize,
        points: usize,
        cells: &FrameCells,
    ) -> Result<usize, IoError> {
        match self {
            Self::Fixed { .. } | Self::Elements { .. } => return Ok(0),
            Self::Loose => append_loose(store, points)?,
            Self::Changing(_) => append_changing(store, cells)?,
        }
        store.append("VTKHDF/NumberOfPoints", &Values::I64(vec![points as i64]))?;
        Ok(frame)
    }

    /// How many rows of its data sets the first `frames` frames use, of those that grow.
    pub(crate) fn lengths(&self, source: &Source, frames: usize) -> Result<Vec<(String, usize)>, IoError> {
        let largest = |path: &str| -> Result<usize, IoError> {
            Ok(source.slice::<i64>(path, 0, frames)?.into_iter().max().unwrap_or(0) as usize)
        };
        let mut rows = match self {
            Self::Fixed { .. } | Self::Elements { .. } => return Ok(Vec::new()),
            Self::Loose => {
                let largest = largest("VTKHDF/NumberOfPoints")?;
                let vertices = |name: &str| format!("VTKHDF/Vertices/{name}");
                let counts = (NO_CELLS.to_owned(), frames);
                vec![(vertices("Connectivity"), largest), (vertices("Offsets"), largest + 1), counts]
            }
            Self::Changing(columns) => {
                let beginnings: Vec<i64> = source.slice(BEGINNINGS, frames, 1)?;
                let mut rows = vec![(BEGINNINGS.to_owned(), frames), (NO_STRIPS.to_owned(), frames)];
                for (kind, (name, _)) in CHANGING.into_iter().enumerate() {
                    let path = |set: &str| format!("VTKHDF/{name}/{set}");
                    rows.push((path("Connectivity"), beginnings[kind + 1] as usize));
                    rows.push((path("Offsets"), largest(&path("NumberOfCells"))? + 1));
                    rows.push((path("NumberOfCells"), frames));
                    rows.push((path("NumberOfConnectivityIds"), frames));
                }
                for column in columns {
                    let offsets = format!("VTKHDF/Steps/CellDataOffsets/{}", column.name);
                    let used = source.slice::<i64>(&offsets, frames, 1)?[0] as usize;
                    rows.push((format!("VTKHDF/CellData/{}", column.name), used));
                    rows.push((offsets, frames));
                }
                rows
            }
        };
        rows.push(("VTKHDF/NumberOfPoints".to_owned(), frames));
        Ok(rows)
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

fn append_loose(store: &Store, points: usize) -> Result<(), IoError> {
    store.append(NO_CELLS, &Values::I64(vec![0]))?;
    let known = store.rows("VTKHDF/Vertices/Connectivity")? as i64;
    let new = known..points as i64;
    store.append("VTKHDF/Vertices/Offsets", &Values::I64(new.clone().map(|point| point + 1).collect()))?;
    store.append("VTKHDF/Vertices/Connectivity", &Values::I64(new.collect()))
}

/// Connectivity grows with every frame. Offsets, the same multiples for all of them, grow to the largest:
/// with offsets of their own, frames without cells would be read differently by different versions of VTK.
fn create_changing(store: &Store, columns: &[Column], chunk: usize) -> Result<(), IoError> {
    let integers = Values::I64(Vec::new());
    store.growing("VTKHDF/NumberOfPoints", &integers, 1, SHORT)?;
    store.growing(NO_STRIPS, &integers, 1, SHORT)?;
    store.link("VTKHDF/Strips/NumberOfConnectivityIds", NO_STRIPS)?;
    for name in ["NumberOfCells", "NumberOfConnectivityIds"] {
        store.link(&format!("VTKHDF/Vertices/{name}"), NO_STRIPS)?;
    }
    for kind in ["Vertices", "Strips"] {
        store.fixed(&format!("VTKHDF/{kind}/Offsets"), &Values::I64(vec![0]), 1)?;
        store.fixed(&format!("VTKHDF/{kind}/Connectivity"), &integers, 1)?;
    }
    for (kind, _) in CHANGING {
        for (name, rows) in [
            ("NumberOfCells", SHORT),
            ("NumberOfConnectivityIds", SHORT),
            ("Offsets", chunk),
            ("Connectivity", chunk),
        ] {
            store.growing(&format!("VTKHDF/{kind}/{name}"), &integers, 1, rows)?;
        }
        store.append(&format!("VTKHDF/{kind}/Offsets"), &Values::I64(vec![0]))?;
    }
    for column in columns {
        store.growing(
            &format!("VTKHDF/CellData/{}", column.name),
            &column.values,
            column.components,
            chunk,
        )?;
        store.growing(&format!("VTKHDF/Steps/CellDataOffsets/{}", column.name), &integers, 1, SHORT)?;
    }
    Ok(())
}

fn append_changing(store: &Store, cells: &FrameCells) -> Result<(), IoError> {
    let one = |value: usize| Values::I64(vec![value as i64]);
    store.append(NO_STRIPS, &one(0))?;
    let mut beginnings = vec![0; 4];
    let lists = [cells.segments.as_flattened(), cells.triangles.as_flattened()];
    for (kind, ((name, corners), list)) in CHANGING.into_iter().zip(lists).enumerate() {
        let path = |set: &str| format!("VTKHDF/{name}/{set}");
        let count = list.len() / corners;
        beginnings[kind + 1] = store.rows(&path("Connectivity"))? as i64;
        store.append(&path("Connectivity"), &Values::I64(list.to_vec()))?;
        let ends = (store.rows(&path("Offsets"))?..=count).map(|cell| (cell * corners) as i64);
        store.append(&path("Offsets"), &Values::I64(ends.collect()))?;
        store.append(&path("NumberOfCells"), &one(count))?;
        store.append(&path("NumberOfConnectivityIds"), &one(list.len()))?;
    }
    store.append(BEGINNINGS, &Values::I64(beginnings))?;
    for column in &cells.columns {
        let path = format!("VTKHDF/CellData/{}", column.name);
        store.append(&format!("VTKHDF/Steps/CellDataOffsets/{}", column.name), &one(store.rows(&path)?))?;
        store.append(&path, &column.values)?;
    }
    Ok(())
}
