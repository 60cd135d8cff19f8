//! Run folders: histories for VTK, ParaView and h5py, tables of numbers, checkpoints; saved contact problems.
//! Computes nothing but the elimination of the bodies from a saved problem, and prints nothing.
//!
//! A run folder holds
//!
//! | file | content |
//! |---|---|
//! | `scene.toml` | the scene with every default written out; building it gives the same simulation to the bit |
//! | `bodies.vtkhdf` | a point for each body and output step: velocity, spin, orientation, forces … |
//! | `contacts.vtkhdf` | a point for each contact and output step: gap, status, impulse, force, frame … |
//! | `ties.vtkhdf` | a line for each tie and output step: force, tension, elongation … where the scene has ties |
//! | `surfaces.vtkhdf` | the surfaces of the bodies, for pictures |
//! | `elements.vtkhdf` | the elements of deformable bodies with their stresses, where the scene asks for it |
//! | `probes/steps.csv`, `probes/NAME.csv` | a line for each step: the solver and the energies, and each probe |
//! | `probes/stress.csv` | in a periodic cell, the stress of the sample in each step |
//! | `measures/NAME.csv` | what the scene asks to measure, a line or several for each moment |
//! | `checkpoints/` | the last two states a run can go on from, and the first of one that goes on from another |
//! | `problems/` | contact problems as FCLIB files, where the run was asked to save them |
//! | `summary.json` | what the run did, once it has ended |
//! | `spare/`, `run.lock` | the writer's own; `spare/` goes away at the end |
//!
//! The histories open in ParaView as they are, also while the run goes on, and in Python:
//!
//! ```python
//! import h5py
//! velocity = h5py.File("run/bodies.vtkhdf")["VTKHDF/PointData/velocity"][:]
//! ```
//!
//! with the rows of one frame after those of the frame before; the attributes of the group `drystone` say
//! what each array means. A process killed at any moment leaves every file complete, and
//! [`RunWriter::reopen`] goes on from the last checkpoint to the same bits as a run never stopped.

mod cells;
mod checkpoint;
mod claim;
mod column;
mod double_buffered;
mod error;
mod faces;
mod fclib;
mod files;
mod folder;
mod found;
mod from;
mod hdf5;
mod history;
mod measures;
mod nodes;
mod probes;
mod read_table;
mod reader;
mod records;
mod replay;
mod series;
mod sink;
mod skins;
mod stored;
mod stress;
mod surface_rows;
mod surfaces;
mod surfaces_later;
mod table;
mod tables;
mod tessellation;
mod ties;
mod topology;
mod totals;
mod verify;
mod volumes;
mod writer;

pub use cells::StoredCells;
pub use checkpoint::is_checkpoint;
pub use error::IoError;
pub use faces::StoredFaces;
pub use fclib::{Info, Saved, SavedProblem, write_problem};
pub use files::{open_regular, read_text};
pub use folder::{BodyRecord, ContactRecord, Frame, RunFolder, TieRecord};
pub use found::{FoundColumn, FoundFrame, NumberKind, NumberPiece, PieceBuffer};
pub use from::begin;
pub use measures::{cells as measured_cells, header as measured_header};
pub use nodes::{NodeSpan, NodesRecord, node_spans};
pub use read_table::{run_tables, table_columns, table_titles};
pub use reader::{FrameReader, LoadedFrame};
pub use sink::RunSink;
pub use skins::{SkinRecord, SkinSpan, skin_spans};
pub use stored::{StoredColumn, StoredFrame, StoredNumbers, StoredSurfaces};
pub use stress::StressLine;
pub use surfaces_later::{FaceReader, write_surfaces};
pub use totals::{ClausiusDuhem, Islands, Projected, Totals, Unconverged};
pub use verify::DamagedPart;
pub use writer::{Resumed, RunWriter};
