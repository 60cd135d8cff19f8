//! A frame as its files store it, column by column. Reads nothing: `found` does.

/// The numbers of a column, row after row.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredNumbers {
    /// Real numbers.
    Reals(Vec<f64>),
    /// Whole numbers: bodies, groups, names of slots.
    Words(Vec<u32>),
    /// Small whole numbers: a status.
    Bytes(Vec<u8>),
}

/// One column of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredColumn {
    /// Its name in the file; `Points` are the places.
    pub name: String,
    /// Numbers in a row.
    pub components: usize,
    /// The rows.
    pub numbers: StoredNumbers,
}

/// The surfaces of the bodies of one frame, where bodies come and go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredSurfaces {
    /// Corners in world axes \[m\], three numbers each.
    pub points: Vec<f64>,
    /// Corners of triangles, as indices into the points.
    pub triangles: Vec<u32>,
    /// Ends of segments.
    pub segments: Vec<u32>,
    /// Slot and generation of the body of each cell, segments first.
    pub owners: Vec<[u32; 2]>,
}

/// One frame in columns.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredFrame {
    /// Steps done.
    pub step: u64,
    /// Time \[s\], to twelve digits.
    pub time: f64,
    /// Columns with a row for each body.
    pub bodies: Vec<StoredColumn>,
    /// Columns with a row for each contact; none where the scene does not want them written.
    pub contacts: Vec<StoredColumn>,
    /// Columns with two rows for each tie.
    pub ties: Vec<StoredColumn>,
    /// The surfaces, where bodies come and go.
    pub surfaces: Option<StoredSurfaces>,
}
