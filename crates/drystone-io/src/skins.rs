//! Deformable bodies in the frames of a run: their boundaries as the file of the surfaces has them. Draws
//! nothing.

use crate::IoError;
use crate::folder::RunFolder;
use crate::hdf5::Source;
use crate::stored::{StoredColumn, StoredNumbers};
use crate::surfaces::Surfaces;
use drystone::{Shape, Simulation};

/// Where the boundary of a deformable body lies among the points of the surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinSpan {
    /// The contactor that is its boundary.
    pub contactor: u32,
    first: usize,
    count: usize,
    /// Points of a frame.
    total: usize,
}

/// The boundary of a deformable body in a frame, in the order of its vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinRecord {
    /// Places in world axes \[m\].
    pub points: Vec<[f64; 3]>,
    /// Displacements by deformation, in world axes \[m\].
    pub displacement: Vec<[f64; 3]>,
    /// Von Mises' stress \[Pa\].
    pub von_mises: Vec<f64>,
    /// All columns that the file has at the points, by name.
    pub columns: Vec<StoredColumn>,
}

/// The deformable bodies of a simulation that files of surfaces hold, those of bodies that come and go apart.
pub fn skin_spans<const D: usize>(simulation: &Simulation<D>) -> Vec<SkinSpan> {
    if simulation.solids().is_empty() {
        return Vec::new();
    }
    let surfaces = Surfaces::new(simulation);
    let total = surfaces.count();
    let span = |&(contactor, first): &(u32, usize)| match &simulation.contactors()[contactor as usize].shape {
        Shape::Skin(skin) => Some(SkinSpan { contactor, first, count: skin.vertices().len(), total }),
        _ => None,
    };
    surfaces.skins().iter().filter_map(span).collect()
}

impl SkinRecord {
    /// The column of this name, of one component; zeros where the file has none.
    pub fn reals(&self, name: &str, count: usize) -> Vec<f64> {
        let found = self.columns.iter().find(|column| column.name == name && column.components == 1);
        match found.map(|column| &column.numbers) {
            Some(StoredNumbers::Reals(values)) => values.clone(),
            _ => vec![0.0; count],
        }
    }
}

impl SkinSpan {
    /// Number of its vertices.
    pub fn count(&self) -> usize {
        self.count
    }
}

impl RunFolder {
    /// The boundary of a deformable body in the frame `index`, from 0; none where the run wrote no surfaces.
    pub fn skin(&self, index: usize, span: &SkinSpan) -> Result<Option<SkinRecord>, IoError> {
        let path = self.path().join("surfaces.vtkhdf");
        if !path.exists() {
            return Ok(None);
        }
        let source = Source::open(&path)?;
        if !source.has("VTKHDF/PointData/displacement") {
            return Ok(None);
        }
        let start = index * span.total + span.first;
        let column = |name: &str| source.reals_in(&format!("VTKHDF/{name}"), start, span.count);
        let threes = |flat: Vec<f64>| flat.chunks_exact(3).map(|row| [row[0], row[1], row[2]]).collect();
        let mut columns = Vec::new();
        for path in source.names_in("VTKHDF/PointData") {
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            let numbers = StoredNumbers::Reals(source.reals_in(&path, start, span.count)?);
            columns.push(StoredColumn { name, components: source.components(&path)?, numbers });
        }
        Ok(Some(SkinRecord {
            columns,
            points: threes(column("Points")?),
            displacement: threes(column("PointData/displacement")?),
            von_mises: column("PointData/von_mises_stress")?,
        }))
    }
}
