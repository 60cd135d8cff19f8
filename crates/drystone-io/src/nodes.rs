//! Deformable bodies of the plane in the frames of a run: their nodes as the file of the elements has them.
//! Draws nothing.

use crate::IoError;
use crate::folder::RunFolder;
use crate::hdf5::Source;
use drystone::{Shape, Simulation};

/// Where the nodes of a deformable body lie among those of the file of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSpan {
    /// The contactor that is its boundary.
    pub contactor: u32,
    /// Its elements, cut into triangles between its nodes.
    pub triangles: Vec<[u32; 3]>,
    first: usize,
    count: usize,
    /// Nodes of a frame.
    total: usize,
}

/// The nodes of a deformable body in a frame, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodesRecord {
    /// Places in world axes \[m\].
    pub points: Vec<[f64; 3]>,
    /// Displacements by deformation, in world axes \[m\].
    pub displacement: Vec<[f64; 3]>,
    /// The column that was asked for, of one component.
    pub values: Vec<f64>,
}

/// The deformable bodies of a simulation of the plane, as files of elements hold them.
pub fn node_spans(simulation: &Simulation<2>) -> Vec<NodeSpan> {
    let mut spans = Vec::new();
    let mut first = 0;
    for body in simulation.solids().bodies() {
        let Some(model) = simulation.solids().model(body as usize) else { continue };
        let (mesh, count) = (model.mesh(), model.mesh().nodes().len());
        let is_skin = |contactor: &drystone::Contactor<2>| {
            contactor.body == body && matches!(contactor.shape, Shape::Skin(_))
        };
        if let Some(contactor) = simulation.contactors().iter().position(is_skin) {
            let triangles = mesh.elements().flat_map(|(_, nodes)| cut(nodes)).collect();
            spans.push(NodeSpan { contactor: contactor as u32, triangles, first, count, total: 0 });
        }
        first += count;
    }
    spans.iter_mut().for_each(|span| span.total = first);
    spans
}

/// An element of the plane as triangles, by the number of its nodes: corners first, then the middles of its
/// sides.
fn cut(nodes: &[u32]) -> Vec<[u32; 3]> {
    let of: &[[usize; 3]] = match nodes.len() {
        3 => &[[0, 1, 2]],
        4 => &[[0, 1, 2], [0, 2, 3]],
        6 => &[[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]],
        8 => &[[0, 4, 7], [4, 1, 5], [5, 2, 6], [6, 3, 7], [4, 5, 6], [4, 6, 7]],
        _ => &[],
    };
    of.iter().map(|corners| corners.map(|corner| nodes[corner])).collect()
}

impl RunFolder {
    /// The nodes of a deformable body in the frame `index`, from 0, with a column of one component; none
    /// where the run wrote no elements.
    pub fn nodes(&self, index: usize, span: &NodeSpan, column: &str) -> Result<Option<NodesRecord>, IoError> {
        let path = self.path().join("elements.vtkhdf");
        if !path.exists() {
            return Ok(None);
        }
        let source = Source::open(&path)?;
        let start = index * span.total + span.first;
        let read = |name: &str| source.reals_in(&format!("VTKHDF/{name}"), start, span.count);
        let threes = |flat: Vec<f64>| flat.chunks_exact(3).map(|row| [row[0], row[1], row[2]]).collect();
        Ok(Some(NodesRecord {
            points: threes(read("Points")?),
            displacement: threes(read("PointData/displacement")?),
            values: read(&format!("PointData/{column}"))?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Triangles of an element fill it once: their areas, all of one sign, sum up to its own.
    #[test]
    fn elements_are_cut_without_gap_or_overlap() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        let middles = [[1.0, 0.0], [2.0, 1.0], [1.0, 2.0], [0.0, 1.0]];
        let triangle = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]];
        let sides = [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let cases: [(Vec<[f64; 2]>, f64); 4] = [
            (triangle.to_vec(), 2.0),
            (square.to_vec(), 4.0),
            ([triangle, sides].concat(), 2.0),
            ([square, middles].concat(), 4.0),
        ];
        for (points, whole) in cases {
            let nodes: Vec<u32> = (0..points.len() as u32).collect();
            let area = |[a, b, c]: [u32; 3]| {
                let [a, b, c] = [a, b, c].map(|k| points[k as usize]);
                0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
            };
            let areas: Vec<f64> = cut(&nodes).into_iter().map(area).collect();
            assert!(areas.iter().all(|area| *area > 0.0), "{areas:?}");
            assert!((areas.iter().sum::<f64>() - whole).abs() < 1e-12, "{areas:?}");
        }
        assert!(cut(&[0, 1]).is_empty());
    }
}
