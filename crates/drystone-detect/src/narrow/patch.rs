//! The patch where two faces are over each other, and the names of its points. It does not cut: see `cut`.

use drystone_math::Vector;

use crate::narrow::core::Placement;
use crate::narrow::feature;
use drystone_geometry::Polytope;
use drystone_geometry::columns::Four;

/// One face of the reference and one of the incident polytope.
pub(crate) struct Cut<'a, const D: usize> {
    pub reference: &'a Polytope<D>,
    pub face: usize,
    pub incident: &'a Polytope<D>,
    pub incident_face: usize,
    /// Of the incident polytope in the axes of the reference.
    pub place: Placement<D>,
    pub tolerance: f64,
}

/// A point of the incident face over the reference face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchPoint<const D: usize> {
    pub point: Vector<D>,
    pub mark: Mark,
    /// In space, what the boundary of the patch follows from here to the next point.
    pub side: Side,
}

/// What makes a point of a patch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    Reference(u32),
    Incident(u32),
    Crossing { reference: u32, incident: u32 },
}

/// What a side of a patch follows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    /// Edge of the incident polytope.
    Incident(u32),
    /// Side of the reference face, by rank.
    Reference(usize),
}

/// The points of a patch, with room to cut them.
#[derive(Default)]
pub(crate) struct Patch<const D: usize> {
    pub points: Vec<PatchPoint<D>>,
    pub spare: Vec<PatchPoint<D>>,
    /// Corners of the incident face in the axes of the reference.
    placed: Vec<Vector<D>>,
    /// Heights of the vertices of the incident polytope and cosines of its normals, to find its face.
    pub heights: [Vec<Four>; 2],
    /// Name, place and gap of each point once named.
    pub named: Vec<(u64, Vector<D>, f64)>,
}

impl<const D: usize> Patch<D> {
    /// Names the points so that the name does not depend on which body is the reference, and merges those
    /// closer than the tolerance, keeping the lowest name: aligned boxes touch at four points, not at eight.
    pub fn name(&mut self, cut: &Cut<D>, reference_is_candidate: bool) {
        let (reference, incident) = if reference_is_candidate { (0, 1) } else { (1, 0) };
        let face = &cut.reference.faces()[cut.face];
        let incident_face = &cut.incident.faces()[cut.incident_face];
        let near = |a: &Vector<D>, b: &Vector<D>| (a - b).norm_squared() <= cut.tolerance * cut.tolerance;
        self.placed.clear();
        let corners = (0..incident_face.vertices.len()).map(|k| cut.incident.corner(incident_face, k));
        self.placed.extend(corners.map(|corner| cut.place.apply(corner)));
        self.named.clear();
        for point in &self.points {
            let gap = face.normal.dot(&(point.point - cut.reference.corner(face, 0)));
            let mut name = match point.mark {
                Mark::Reference(vertex) => feature::vertex(reference, vertex),
                Mark::Incident(vertex) => feature::vertex(incident, vertex),
                Mark::Crossing { reference, incident } if reference_is_candidate => {
                    feature::crossing(reference, incident)
                }
                Mark::Crossing { reference, incident } => feature::crossing(incident, reference),
            };
            let foot = point.point - face.normal * gap;
            for (k, &vertex) in face.vertices.iter().enumerate() {
                if near(&foot, cut.reference.corner(face, k)) {
                    name = name.min(feature::vertex(reference, vertex));
                }
            }
            for (placed, &vertex) in self.placed.iter().zip(&incident_face.vertices) {
                if near(&point.point, placed) {
                    name = name.min(feature::vertex(incident, vertex));
                }
            }
            match self.named.iter_mut().find(|other| other.0 == name || near(&other.1, &point.point)) {
                Some(other) if gap < other.2 => *other = (other.0.min(name), point.point, gap),
                Some(other) => other.0 = other.0.min(name),
                None => self.named.push((name, point.point, gap)),
            }
        }
    }
}
