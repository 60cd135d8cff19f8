//! Transient VTKHDF, poly data or unstructured grids: points with columns of numbers, frame after frame, in
//! one file that VTK, PyVista and h5py open. Knows no body and no contact.
//!
//! What never changes is stored once and every frame points at it; data sets that would hold the same numbers
//! are one data set under several names.

use crate::IoError;
use crate::column::Column;
use crate::hdf5::{Source, Store, Values};
use crate::topology::{FrameCells, SHORT, Topology};
use std::path::Path;

/// Points and what is known at them and between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FrameData {
    /// Three coordinates a point.
    pub points: Vec<f64>,
    /// Columns of the points, always the same ones in the same order.
    pub columns: Vec<Column>,
    /// The cells, where each frame has its own.
    pub cells: FrameCells,
}

/// One output step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeriesFrame {
    /// Which frame of the file this is, from 0.
    pub index: usize,
    /// Steps done.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    /// Its points.
    pub data: FrameData,
}

/// What a file holds besides its frames.
#[derive(Clone, Debug)]
pub(crate) struct SeriesPlan {
    pub topology: Topology,
    /// Columns of the points that every frame brings, here without rows.
    pub columns: Vec<Column>,
    /// Columns of the points that never change.
    pub fixed_points: Vec<Column>,
    /// Columns of the cells that never change; vertices first, then lines, then polygons.
    pub fixed_cells: Vec<Column>,
    /// Texts, one for each point, if they have names.
    pub names: Vec<String>,
    /// Names of the groups that a column counts, if there is one.
    pub groups: Vec<String>,
    /// What the arrays mean: name, then unit and axes.
    pub notes: &'static [(&'static str, &'static str)],
    /// Rows stored together: about a frame of points.
    pub chunk: usize,
    /// Whether places are stored with seven digits instead of sixteen.
    pub short: bool,
}

/// The data sets with a row for each frame, those of the topology apart.
const FRAME_ROWS: [&str; 8] = [
    "VTKHDF/Steps/Values",
    "VTKHDF/Steps/PointOffsets",
    "VTKHDF/Steps/PartOffsets",
    "VTKHDF/Steps/NumberOfParts",
    "VTKHDF/Steps/CellOffsets",
    "VTKHDF/FieldData/step",
    "VTKHDF/Steps/FieldDataOffsets/step",
    "VTKHDF/Steps/FieldDataSizes/step",
];

impl SeriesPlan {
    /// Writes a file with its first frames.
    pub(crate) fn create(&self, path: &Path, frames: &[SeriesFrame], durable: bool) -> Result<(), IoError> {
        let store = Store::create(path)?;
        store.group("VTKHDF")?;
        store.set_text("VTKHDF", "Type", self.topology.kind())?;
        store.set_integers("VTKHDF", "Version", &[2, 0])?;
        let groups = ["Steps", "PointData", "CellData", "FieldData"].iter().chain(self.topology.groups());
        for group in groups {
            store.group(&format!("VTKHDF/{group}"))?;
        }
        store.set_integer("VTKHDF/Steps", "NSteps", 0)?;
        self.create_steps(&store)?;
        self.topology.create(&store, self.chunk)?;
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
        store.growing("VTKHDF/Steps/CellOffsets", &integers, self.topology.offsets(), SHORT)?;
        for group in ["PointDataOffsets", "CellDataOffsets", "FieldDataOffsets", "FieldDataSizes"] {
            store.group(&format!("VTKHDF/Steps/{group}"))?;
        }
        store.growing("VTKHDF/FieldData/step", &integers, 1, SHORT)?;
        store.growing("VTKHDF/Steps/FieldDataOffsets/step", &integers, 1, SHORT)?;
        store.growing("VTKHDF/Steps/FieldDataSizes/step", &integers, 2, SHORT)?;
        Ok(())
    }

    fn create_data(&self, store: &Store) -> Result<(), IoError> {
        store.growing("VTKHDF/Points", &Values::reals(Vec::new(), self.short), 3, self.chunk)?;
        for column in &self.columns {
            let path = format!("VTKHDF/PointData/{}", column.name);
            store.growing(&path, &column.values, column.components, self.chunk)?;
            let offsets = format!("VTKHDF/Steps/PointDataOffsets/{}", column.name);
            store.link(&offsets, "VTKHDF/Steps/PointOffsets")?;
        }
        // parts of a fixed topology start at 0 in every frame, and so do its columns
        for (columns, group) in [(&self.fixed_points, "PointData"), (&self.fixed_cells, "CellData")] {
            for column in columns {
                let path = format!("VTKHDF/{group}/{}", column.name);
                store.fixed(&path, &column.values, column.components)?;
                let offsets = format!("VTKHDF/Steps/{group}Offsets/{}", column.name);
                store.link(&offsets, "VTKHDF/Steps/PartOffsets")?;
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
        for (path, texts) in [("drystone/names", &self.names), ("drystone/groups", &self.groups)] {
            if !texts.is_empty() {
                store.texts(path, texts)?;
            }
        }
        Ok(())
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
        let lengths = self.topology.lengths(&source, frames)?;
        drop(source);

        let store = Store::open(path)?;
        store.shorten("VTKHDF/Points", points)?;
        for column in &self.columns {
            store.shorten(&format!("VTKHDF/PointData/{}", column.name), points)?;
        }
        for name in FRAME_ROWS {
            store.shorten(name, frames)?;
        }
        lengths.iter().try_for_each(|(path, rows)| store.shorten(path, *rows))?;
        store.set_integer("VTKHDF/Steps", "NSteps", frames as i64)?;
        store.close(durable)
    }

    fn append_one(&self, store: &Store, frame: &SeriesFrame) -> Result<(), IoError> {
        let integer = |value: usize| Values::I64(vec![value as i64]);
        let offset = store.rows("VTKHDF/Points")?;
        let FrameData { points, columns, cells } = &frame.data;
        store.append("VTKHDF/Points", &Values::reals(points.clone(), self.short))?;
        for column in columns {
            store.append(&format!("VTKHDF/PointData/{}", column.name), &column.values)?;
        }
        let part = self.topology.append(store, frame.index, points.len() / 3, cells)?;
        let steps = [("PointOffsets", offset), ("PartOffsets", part), ("NumberOfParts", 1)];
        for (name, value) in steps.into_iter().chain([("FieldDataOffsets/step", frame.index)]) {
            store.append(&format!("VTKHDF/Steps/{name}"), &integer(value))?;
        }
        store.append("VTKHDF/Steps/CellOffsets", &Values::I64(vec![0; self.topology.offsets()]))?;
        store.append("VTKHDF/FieldData/step", &Values::I64(vec![frame.step as i64]))?;
        store.append("VTKHDF/Steps/FieldDataSizes/step", &Values::I64(vec![1, 1]))?;
        store.append("VTKHDF/Steps/Values", &Values::F64(vec![readable_time(frame.time)]))
    }
}

/// Time with twelve digits. VTK shows the last frame at or before the time it is asked for, and 9 × 0.001 is
/// larger than 0.009: without this, asking for 0.009 s would show the frame before.
pub(crate) fn readable_time(time: f64) -> f64 {
    format!("{time:.11e}").parse().unwrap_or(time)
}

/// Frames a file holds.
pub(crate) fn frames_in(path: &Path) -> Result<usize, IoError> {
    Source::open(path)?.rows("VTKHDF/Steps/Values")
}
