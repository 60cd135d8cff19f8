//! Pieces of one solid cut for the sake of convexity: which of their contacts a cut makes. It cuts nothing
//! itself: see `decompose`. Engines that roll over meshes call the same thing internal edges.
//!
//! A piece has faces, edges and corners that the solid has not. A contact on one of them would stop a body
//! that slides over a flat side where it passes from piece to piece. A contact with the outward normal `n` at
//! a place `p` of a piece is the solid's own, called free here, if
//!
//! - `n` is the normal of a face through `p` and the way out along it is not into another piece, or
//! - no other piece that holds `p` has points ahead of `p` along `n`: the solid ends there, too.
//!
//! Points of one patch on a face are free together if one of them is: beside a wall that another piece makes,
//! a body may be a little below it.

use drystone_math::{Pose, Vector};

use crate::Polytope;
use crate::neighbour::Neighbour;
use crate::polytope::{STAND_IN, measure};

/// Distances below this, relative to the solid, are none: cuts are known to some 1e-7.
const NONE: f64 = 1e-6;
/// Points ahead by less than this, relative to the way to them and to the solid, are not ahead: a little more
/// than what cuts are known to, so that leaves of 1e-4 of the solid go on where a normal leans over them by
/// 0.02 rad.
const AHEAD: [f64; 2] = [1e-7, 3e-7];
/// Sines below this are none: planes are known to that.
const ASIDE: f64 = 1e-6;
/// How far a point of a patch may be off a face that stands in for it, relative to the piece.
const OFF: f64 = 0.02;

/// What a contact of a piece is to the solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// One of its own.
    Free,
    /// On a face, where another piece covers it: counts with the others of its patch only.
    Covered,
    /// On an edge or a corner that the solid has not.
    Inside,
}

impl<const D: usize> Neighbour<D> {
    fn of(piece: &Polytope<D>, solid: f64) -> Self {
        let plane = |face: &crate::Face<D>| (face.normal, face.normal.dot(piece.corner(face, 0)));
        Self { vertices: piece.vertices.clone(), planes: piece.faces.iter().map(plane).collect(), solid }
    }

    fn holds(&self, point: &Vector<D>) -> bool {
        self.planes.iter().all(|(normal, height)| normal.dot(point) - height <= NONE * self.solid)
    }

    /// Whether it lies in front of a face of another piece, whose unit outward normal is `out`, next to a
    /// point of that face on the unit way `aside` from there: however thin it is, and however it narrows in
    /// front of the face.
    fn covers(&self, point: &Vector<D>, aside: &Vector<D>, out: &Vector<D>) -> bool {
        self.planes.iter().all(|(normal, height)| {
            let above = normal.dot(point) - height;
            if above.abs() > NONE * self.solid {
                return above < 0.0;
            }
            // on the plane: first a little aside, then by less ahead
            let lean = normal.dot(aside);
            if lean.abs() > ASIDE { lean < 0.0 } else { normal.dot(out) <= ASIDE }
        })
    }

    /// Whether some of its points are farther along `way` than `point`, which it holds.
    fn goes_on(&self, point: &Vector<D>, way: &Vector<D>) -> bool {
        self.vertices.iter().any(|vertex| {
            let arm = vertex - point;
            way.dot(&arm) > AHEAD[0] * arm.norm() + AHEAD[1] * self.solid
        })
    }

    /// The same in other axes.
    pub fn transformed(&self, pose: &Pose<D>) -> Self {
        let rotation = pose.rotation();
        let turned = |(normal, height): &(Vector<D>, f64)| {
            let normal = rotation * normal;
            (normal, height + normal.dot(&pose.position))
        };
        Self {
            vertices: self.vertices.iter().map(|vertex| pose.position + rotation * vertex).collect(),
            planes: self.planes.iter().map(turned).collect(),
            solid: self.solid,
        }
    }
}

impl<const D: usize> Polytope<D> {
    /// Tells the convex pieces of one solid, all in the same axes, of each other: then they make no contacts
    /// with the cuts between them. They must not overlap, and belong to one body.
    pub fn joined(mut pieces: Vec<Self>) -> Vec<Self> {
        let all: Vec<Vector<D>> = pieces.iter().flat_map(|piece| piece.vertices.iter().copied()).collect();
        let (_, solid) = measure(&all);
        let known: Vec<Neighbour<D>> = pieces.iter().map(|piece| Neighbour::of(piece, solid)).collect();
        for (index, piece) in pieces.iter_mut().enumerate() {
            let own = &known[index];
            let others = known.iter().enumerate().filter(|&(other, _)| other != index);
            let near = others.filter(|(_, other)| !parted(own, other) && !parted(other, own));
            piece.neighbours = near.map(|(_, other)| other.clone()).collect();
        }
        pieces
    }

    /// A place beside a face moved onto it, towards its middle, if the way there is no longer than `reach`.
    pub fn drawn_in(&self, face: usize, place: Vector<D>, reach: f64) -> Option<Vector<D>> {
        let face = &self.faces[face];
        let corners = || (0..face.vertices.len()).map(|k| *self.corner(face, k));
        let middle = corners().sum::<Vector<D>>() / face.vertices.len() as f64;
        let off = |point: &Vector<D>| {
            self.faces
                .iter()
                .map(|side| side.normal.dot(&(point - self.corner(side, 0))))
                .fold(f64::MIN, f64::max)
        };
        let aside = (middle - place).try_normalize(0.0)?;
        let drawn = place + aside * reach.min((middle - place).norm());
        (off(&drawn) <= NONE * self.size).then_some(drawn)
    }

    /// What a contact at a point of the surface with this unit outward normal is to the solid.
    pub fn judge(&self, point: &Vector<D>, out: &Vector<D>) -> Verdict {
        let Some(solid) = self.neighbours.first().map(|one| one.solid) else { return Verdict::Free };
        let (face, cosine) = self.aligned_face(out);
        let face = &self.faces[face];
        let height = face.normal.dot(&(point - self.corner(face, 0)));
        if cosine >= STAND_IN && height.abs() <= OFF * self.size {
            // towards the middle of the face: on its border one that is wholly a cut would seem to be none
            let middle = (0..face.vertices.len()).map(|k| self.corner(face, k)).sum::<Vector<D>>();
            let foot = point - face.normal * height;
            let aside = middle / face.vertices.len() as f64 - foot;
            let aside = (aside - face.normal * face.normal.dot(&aside))
                .try_normalize(NONE * solid)
                .unwrap_or_else(Vector::zeros);
            let covered = self.neighbours.iter().any(|other| other.covers(&foot, &aside, &face.normal));
            return if covered { Verdict::Covered } else { Verdict::Free };
        }
        let inside = self.neighbours.iter().any(|other| other.holds(point) && other.goes_on(point, out));
        if inside { Verdict::Inside } else { Verdict::Free }
    }
}

/// Whether the plane of some face of the first has the second beyond it.
fn parted<const D: usize>(one: &Neighbour<D>, other: &Neighbour<D>) -> bool {
    one.planes.iter().any(|(normal, height)| {
        other.vertices.iter().all(|vertex| normal.dot(vertex) - height > NONE * one.solid)
    })
}
