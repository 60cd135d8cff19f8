//! Transient VTKHDF poly data: points with columns of numbers, frame after frame, in one file that VTK, PyVista and
//! h5py open. Knows no body and no contact.
//!
//! What never changes is stored once and every frame points at it; data sets that would hold the same numbers are
//! one data set under several names.

use crate::IoError;
use crate::hdf5::{Source, Store, Values};
use std::path::Path;

/// One named column of numbers, a row for each point (or cell).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Column {
    pub name: &'static str,
    pub components: usize,
    pub values: Values,
}

impl Column {
    pub(crate) fn new(name: &'static str, components: usize, values: Values) -> Self {
        Self { name, components, values }
    }
}

/// The points of one output step and what is known at them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeriesFrame {
    /// Which frame of the file this is, from 0.
    pub index: usize,
    /// Steps done.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    /// Three coordinates a point.
    pub points: Vec<f64>,
    /// Columns, always the same ones in the same order.
    pub columns: Vec<Column>,
}

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

/// What a file holds besides its frames.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub topology: Topology,
    /// Columns of the points that every frame brings, here without rows.
    pub columns: Vec<Column>,
    /// Columns of the points that never change.
    pub fixed_points: Vec<Column>,
    /// Columns of the cells that never change; vertices first, then lines, then polygons.
    pub fixed_cells: Vec<Column>,
    /// Texts, one for each point, if they have names.
    pub names: Vec<String>,
    /// What the arrays mean: name, then unit and axes.
    pub notes: &'static [(&'static str, &'static str)],
    /// Rows stored together: about a frame of points.
    pub chunk: usize,
}

/// The four kinds of cells in the order of the format.
const KINDS: [&str; 4] = ["Vertices", "Lines", "Polygons", "Strips"];

/// Rows stored together in the short columns that have a row a frame.
const SHORT: usize = 256;

impl Plan {
    /// Writes a file with its first frames.
    pub(crate) fn create(&self, path: &Path, frames: &[SeriesFrame], durable: bool) -> Result<(), IoError> {
        let store = Store::create(path, 0)?;
        store.group("VTKHDF")?;
        store.set_text("VTKHDF", "Type", "PolyData")?;
        store.set_integers("VTKHDF", "Version", &[2, 0])?;
        let groups = ["Steps", "PointData", "CellData", "FieldData"].into_iter().chain(KINDS);
        for group in groups {
            store.group(&format!("VTKHDF/{group}"))?;
        }
        store.set_integer("VTKHDF/Steps", "NSteps", 0)?;
        self.create_steps(&store)?;
        self.create_topology(&store)?;
        self.create_data(&store)?;
        self.create_notes(&store)?;
        self.append(&store, frames)?;
        store.close(durable)
    }

    fn create_steps(&self, store: &Store) -> Result<(), IoError> {
        let integers = Values::I64(Vec::new());
        store.growing("VTKHDF/Steps/Values", &Values::F64(Vec::new()), 1, SHORT)?;
        for name in ["PointOffsets", "PartOffsets", "NumberOfParts"] {
            store.growing(&format!("VTKHDF/Steps/{name}"), &integers, 1, SHORT)?;
        }
        store.growing("VTKHDF/Steps/CellOffsets", &integers, 4, SHORT)?;
        store.link("VTKHDF/Steps/ConnectivityIdOffsets", "VTKHDF/Steps/CellOffsets")?;
        for group in ["PointDataOffsets", "CellDataOffsets", "FieldDataOffsets", "FieldDataSizes"] {
            store.group(&format!("VTKHDF/Steps/{group}"))?;
        }
        store.growing("VTKHDF/FieldData/step", &integers, 1, SHORT)?;
        store.growing("VTKHDF/Steps/FieldDataOffsets/step", &integers, 1, SHORT)?;
        store.growing("VTKHDF/Steps/FieldDataSizes/step", &integers, 2, SHORT)?;
        Ok(())
    }

    fn create_topology(&self, store: &Store) -> Result<(), IoError> {
        let integers = Values::I64(Vec::new());
        match &self.topology {
            Topology::Fixed { points, vertices, lines, polygons } => {
                store.fixed("VTKHDF/NumberOfPoints", &Values::I64(vec![*points as i64]), 1)?;
                let strips = Cells::default();
                for (kind, cells) in KINDS.iter().zip([vertices, lines, polygons, &strips]) {
                    let count = |size: usize| Values::I64(vec![size as i64]);
                    let offsets = std::iter::once(0).chain(cells.ends.iter().copied()).collect();
                    let path = |name: &str| format!("VTKHDF/{kind}/{name}");
                    store.fixed(&path("NumberOfCells"), &count(cells.ends.len()), 1)?;
                    store.fixed(&path("NumberOfConnectivityIds"), &count(cells.connectivity.len()), 1)?;
                    store.fixed(&path("Offsets"), &Values::I64(offsets), 1)?;
                    store.fixed(&path("Connectivity"), &Values::I64(cells.connectivity.clone()), 1)?;
                }
            }
            Topology::Loose => {
                // vertices grow to the largest frame, and each frame uses as many as it has points
                store.growing("VTKHDF/NumberOfPoints", &integers, 1, SHORT)?;
                store.growing("VTKHDF/Vertices/Offsets", &integers, 1, self.chunk)?;
                store.append("VTKHDF/Vertices/Offsets", &Values::I64(vec![0]))?;
                store.growing("VTKHDF/Vertices/Connectivity", &integers, 1, self.chunk)?;
                store.growing("VTKHDF/Lines/NumberOfCells", &integers, 1, SHORT)?;
                let none = "VTKHDF/Lines/NumberOfCells";
                for name in ["NumberOfCells", "NumberOfConnectivityIds"] {
                    store.link(&format!("VTKHDF/Vertices/{name}"), "VTKHDF/NumberOfPoints")?;
                    store.link(&format!("VTKHDF/Polygons/{name}"), none)?;
                    store.link(&format!("VTKHDF/Strips/{name}"), none)?;
                }
                store.link("VTKHDF/Lines/NumberOfConnectivityIds", none)?;
                for kind in &KINDS[1..] {
                    store.fixed(&format!("VTKHDF/{kind}/Offsets"), &Values::I64(vec![0]), 1)?;
                    store.fixed(&format!("VTKHDF/{kind}/Connectivity"), &integers, 1)?;
                }
            }
        }
        Ok(())
    }

    fn create_data(&self, store: &Store) -> Result<(), IoError> {
        store.growing("VTKHDF/Points", &Values::F64(Vec::new()), 3, self.chunk)?;
        for Column { name, components, values } in &self.columns {
            store.growing(&format!("VTKHDF/PointData/{name}"), values, *components, self.chunk)?;
            store.link(&format!("VTKHDF/Steps/PointDataOffsets/{name}"), "VTKHDF/Steps/PointOffsets")?;
        }
        // parts of a fixed topology start at 0 in every frame, and so do its columns
        for (columns, group) in [(&self.fixed_points, "PointData"), (&self.fixed_cells, "CellData")] {
            for Column { name, components, values } in columns {
                store.fixed(&format!("VTKHDF/{group}/{name}"), values, *components)?;
                store.link(&format!("VTKHDF/Steps/{group}Offsets/{name}"), "VTKHDF/Steps/PartOffsets")?;
            }
        }
        Ok(())
    }

    /// What VTK does not read, for people who open the file with h5py.
    fn create_notes(&self, store: &Store) -> Result<(), IoError> {
        store.group("drystone")?;
        for (name, note) in self.notes {
            store.set_text("drystone", name, note)?;
        }
        if self.names.is_empty() { Ok(()) } else { store.texts("drystone/names", &self.names) }
    }

    /// Adds those of the frames that the open file does not hold yet.
    pub(crate) fn append(&self, store: &Store, frames: &[SeriesFrame]) -> Result<(), IoError> {
        let held = store.rows("VTKHDF/Steps/Values")?;
        for frame in frames.iter().filter(|frame| frame.index >= held) {
            self.append_one(store, frame)?;
        }
        store.set_integer("VTKHDF/Steps", "NSteps", store.rows("VTKHDF/Steps/Values")? as i64)
    }

    /// Drops the frames from `frames` on; nothing happens where there are fewer.
    pub(crate) fn shorten(&self, path: &Path, frames: usize, durable: bool) -> Result<(), IoError> {
        let source = Source::open(path)?;
        if source.rows("VTKHDF/Steps/Values")? <= frames {
            return Ok(());
        }
        let points = source.slice::<i64>("VTKHDF/Steps/PointOffsets", frames, 1)?[0] as usize;
        let counts: Vec<i64> = match self.topology {
            Topology::Fixed { .. } => Vec::new(),
            Topology::Loose => source.slice("VTKHDF/NumberOfPoints", 0, frames)?,
        };
        drop(source);

        let store = Store::open(path)?;
        store.shorten("VTKHDF/Points", points)?;
        for column in &self.columns {
            store.shorten(&format!("VTKHDF/PointData/{}", column.name), points)?;
        }
        for name in self.frame_rows() {
            store.shorten(&format!("VTKHDF/{name}"), frames)?;
        }
        if matches!(self.topology, Topology::Loose) {
            let largest = counts.into_iter().max().unwrap_or(0) as usize;
            store.shorten("VTKHDF/Vertices/Connectivity", largest)?;
            store.shorten("VTKHDF/Vertices/Offsets", largest + 1)?;
        }
        store.set_integer("VTKHDF/Steps", "NSteps", frames as i64)?;
        store.close(durable)
    }

    /// The data sets with a row for each frame.
    fn frame_rows(&self) -> Vec<&'static str> {
        let always = ["Steps/Values", "Steps/PointOffsets", "Steps/PartOffsets", "Steps/NumberOfParts"];
        let more = ["Steps/CellOffsets", "FieldData/step", "Steps/FieldDataOffsets/step", "Steps/FieldDataSizes/step"];
        let loose: &[&str] = match self.topology {
            Topology::Fixed { .. } => &[],
            Topology::Loose => &["NumberOfPoints", "Lines/NumberOfCells"],
        };
        always.iter().chain(&more).chain(loose).copied().collect()
    }

    fn append_one(&self, store: &Store, frame: &SeriesFrame) -> Result<(), IoError> {
        let integer = |value: usize| Values::I64(vec![value as i64]);
        let count = frame.points.len() / 3;
        let offset = store.rows("VTKHDF/Points")?;
        store.append("VTKHDF/Points", &Values::F64(frame.points.clone()))?;
        for column in &frame.columns {
            store.append(&format!("VTKHDF/PointData/{}", column.name), &column.values)?;
        }
        let part = match self.topology {
            Topology::Fixed { .. } => 0,
            Topology::Loose => {
                store.append("VTKHDF/NumberOfPoints", &integer(count))?;
                store.append("VTKHDF/Lines/NumberOfCells", &integer(0))?;
                let known = store.rows("VTKHDF/Vertices/Connectivity")? as i64;
                store.append("VTKHDF/Vertices/Connectivity", &Values::I64((known..count as i64).collect()))?;
                store.append("VTKHDF/Vertices/Offsets", &Values::I64((known + 1..count as i64 + 1).collect()))?;
                frame.index
            }
        };
        let steps = [("PointOffsets", offset), ("PartOffsets", part), ("NumberOfParts", 1)];
        for (name, value) in steps.into_iter().chain([("FieldDataOffsets/step", frame.index)]) {
            store.append(&format!("VTKHDF/Steps/{name}"), &integer(value))?;
        }
        store.append("VTKHDF/Steps/CellOffsets", &Values::I64(vec![0; 4]))?;
        store.append("VTKHDF/FieldData/step", &Values::I64(vec![frame.step as i64]))?;
        store.append("VTKHDF/Steps/FieldDataSizes/step", &Values::I64(vec![1, 1]))?;
        store.append("VTKHDF/Steps/Values", &Values::F64(vec![readable_time(frame.time)]))
    }
}

/// Time with twelve digits. VTK shows the last frame at or before the time it is asked for, and 9 × 0.001 is larger
/// than 0.009: without this, asking for 0.009 s would show the frame before.
pub(crate) fn readable_time(time: f64) -> f64 {
    format!("{time:.11e}").parse().unwrap_or(time)
}

/// Frames a file holds.
pub(crate) fn frames_in(path: &Path) -> Result<usize, IoError> {
    Source::open(path)?.rows("VTKHDF/Steps/Values")
}
