//! Whether a body can be made of a mesh: forms of elements, how they hang together, likely units. Repairs
//! nothing.

use super::{Mesh, shown};
use crate::element::jacobian;
use crate::error::MeshFault;
use drystone_math::Vector;

/// How far a mesh may go before it is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshLimits {
    /// Least determinant of an element's map over its longest edge to the power of the dimension. Default
    /// 1e-6: flatter elements lose all digits of their strains.
    pub quality: f64,
    /// Least extent of the mesh \[m\]. Default 1e-5.
    pub lowest_extent: f64,
    /// Largest extent of the mesh \[m\]. Default 500: a mesh drawn in millimetres is a thousand times too
    /// large, and few bodies measure more.
    pub highest_extent: f64,
}

impl Default for MeshLimits {
    fn default() -> Self {
        Self { quality: 1e-6, lowest_extent: 1e-5, highest_extent: 500.0 }
    }
}

impl<const D: usize> Mesh<D> {
    /// Refuses a mesh with inverted, tangled or degenerate elements, elements over each other, nodes without
    /// an element, or a size that no unit of metres explains; the first fault is told.
    pub fn check(&self, limits: &MeshLimits) -> Result<(), MeshFault> {
        (0..self.element_count()).try_for_each(|element| self.check_element(element, limits))?;
        self.check_connected()?;
        self.check_faces()?;
        let (low, high) = self.bounds();
        let size = (high - low).max();
        match size >= limits.lowest_extent && size <= limits.highest_extent {
            true => Ok(()),
            false => {
                Err(MeshFault::Unit { size, lowest: limits.lowest_extent, highest: limits.highest_extent })
            }
        }
    }

    /// The smallest and largest coordinates \[m\].
    pub fn bounds(&self) -> (Vector<D>, Vector<D>) {
        let start = (Vector::repeat(f64::INFINITY), Vector::repeat(f64::NEG_INFINITY));
        self.nodes().iter().fold(start, |(low, high), node| (low.inf(node), high.sup(node)))
    }

    fn check_element(&self, element: usize, limits: &MeshLimits) -> Result<(), MeshFault> {
        let (table, nodes) = (self.kind(element).reference(), self.element(element));
        let places: Vec<Vector<D>> = nodes.iter().map(|&node| self.nodes()[node as usize]).collect();
        let mut longest = 0.0f64;
        for (a, one) in places[..table.corners].iter().enumerate() {
            longest = places[..a].iter().fold(longest, |longest, other| longest.max((one - other).norm()));
        }
        // at integration points and at nodes: a folded corner shows at the corner first
        let points = table.mass_rule.iter().map(|point| point.at).chain(table.nodes.iter().copied());
        let found: Vec<f64> = points.map(|at| jacobian(&places, &(table.shape)(&at)).1).collect();
        let lowest = found.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = found.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scale = longest.powi(D as i32);
        let mean = places.iter().fold(Vector::zeros(), |sum, place| sum + place) / places.len() as f64;
        let (kind, place, allowed) = (table.name, shown(&mean), limits.quality);
        if highest < -allowed * scale {
            Err(MeshFault::Inverted { element, kind, place, jacobian: highest })
        } else if lowest < -allowed * scale && highest > allowed * scale {
            Err(MeshFault::Tangled { element, kind, place, lowest, highest })
        } else if lowest.is_nan() || lowest <= allowed * scale {
            Err(MeshFault::Degenerate { element, kind, place, quality: lowest / scale, allowed })
        } else {
            Ok(())
        }
    }

    fn check_connected(&self) -> Result<(), MeshFault> {
        let mut used = vec![false; self.nodes().len()];
        self.connectivity.iter().for_each(|&node| used[node as usize] = true);
        match used.iter().position(|used| !used) {
            Some(node) => Err(MeshFault::Unconnected { node, place: shown(&self.nodes()[node]) }),
            None => Ok(()),
        }
    }

    fn check_faces(&self) -> Result<(), MeshFault> {
        for (key, faces) in self.faces_by_key() {
            let nodes = || key.iter().copied().filter(|&node| node != u32::MAX).collect();
            let element = |k: usize| faces[k].element as usize;
            if faces.len() > 2 {
                let elements = [0, 1, 2].map(element);
                return Err(MeshFault::CrowdedFace { elements, nodes: nodes() });
            }
            if faces.len() == 2 {
                // the two sides go round a face in opposite directions
                let [one, other] = [0, 1].map(|k| self.face_nodes(faces[k]).collect::<Vec<u32>>());
                let corners = key.iter().filter(|&&node| node != u32::MAX).count();
                let begin = other[..corners].iter().position(|&node| node == one[0]).unwrap_or(0);
                if other[(begin + 1) % corners] == one[1] && (D > 2 || begin == 0) {
                    let elements = [0, 1].map(element);
                    return Err(MeshFault::Folded { elements, nodes: nodes() });
                }
            }
        }
        Ok(())
    }
}
