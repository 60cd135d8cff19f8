//! Lists of cells as readers of a run get them. Knows no file.

/// Cells of one kind, flat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredCells {
    /// Corners of all cells, one cell after the other, as indices into the points.
    pub corners: Vec<u32>,
    /// Where each cell ends among them.
    pub ends: Vec<u32>,
}
