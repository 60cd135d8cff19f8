//! Pieces of one solid cut for the sake of convexity: which of their contacts a cut makes, and how they meet others without
//! those. It cuts nothing itself: see `decompose`.
//!
//! A piece has faces, edges and corners that the solid has not. A contact on one of them would stop a body that slides over a
//! flat side where it passes from piece to piece. A contact with the outward normal `n` at a place `p` of a piece is the
//! solid's own, called free here, if
//!
//! - `n` is the normal of a face through `p` and the way out along it is not into another piece, or
//! - no other piece that holds `p` has points ahead of `p` along `n`: the solid ends there, too.
//!
//! Points of one patch on a face are free together if one of them is: beside a wall that another piece makes, a body may be
//! a little below it.

use drystone_math::instructions;
use drystone_math::{Pose, Vector};
use fearless_simd::dispatch;

use crate::columns::{Four, WIDTH, set};
use crate::facets::{Axis, Facets, Scratch};
use crate::patch::Patch;
use crate::polytope::measure;
use crate::single::Single;
use crate::{Polytope, Shape, convex, pairs};

/// Distances below this, relative to the solid, are none: cuts are known to some 1e-7.
const NONE: f64 = 1e-6;
/// Points ahead by less than this, relative to the way to them and to the solid, are not ahead: a little more than what cuts
/// are known to, so that leaves of 1e-4 of the solid go on where a normal leans over them by 0.02 rad.
const AHEAD: [f64; 2] = [1e-7, 3e-7];
/// Sines below this are none: planes are known to that.
const ASIDE: f64 = 1e-6;
/// How far, relative to the way out past a cut, a body may be below a face that is no cut. Farther, it is there through
/// another piece, which has the contact.
const THROUGH: f64 = 10.0;

/// How far a point of a patch may be off a face that stands in for it, relative to the piece.
const OFF: f64 = 0.02;

/// What a contact of a piece is to the solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// One of its own.
    Free,
    /// On a face, where another piece covers it: counts with the others of its patch only.
    Covered,
    /// On an edge or a corner that the solid has not.
    Inside,
}

/// Another piece of the same solid that touches this one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Neighbour<const D: usize> {
    vertices: Vec<Vector<D>>,
    /// Outward normals of the faces and heights of their planes.
    planes: Vec<(Vector<D>, f64)>,
    /// Size of the whole solid.
    solid: f64,
}

impl<const D: usize> Neighbour<D> {
    fn of(piece: &Polytope<D>, solid: f64) -> Self {
        let plane = |face: &crate::Face<D>| (face.normal, face.normal.dot(piece.corner(face, 0)));
        Self { vertices: piece.vertices.clone(), planes: piece.faces.iter().map(plane).collect(), solid }
    }

    fn holds(&self, point: &Vector<D>) -> bool {
        self.planes.iter().all(|(normal, height)| normal.dot(point) - height <= NONE * self.solid)
    }

    /// Whether it lies in front of a face of another piece, whose unit outward normal is `out`, next to a point of that face on
    /// the unit way `aside` from there: however thin it is, and however it narrows in front of the face.
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
    pub(crate) fn transformed(&self, pose: &Pose<D>) -> Self {
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
    /// Tells the convex pieces of one solid, all in the same axes, of each other: then they make no contacts with the
    /// cuts between them. They must not overlap, and belong to one body.
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
    fn drawn_in(&self, face: usize, place: Vector<D>, reach: f64) -> Option<Vector<D>> {
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
    fn judge(&self, point: &Vector<D>, out: &Vector<D>) -> Verdict {
        let Some(solid) = self.neighbours.first().map(|one| one.solid) else { return Verdict::Free };
        let (face, cosine) = convex::aligned_face(self, out);
        let face = &self.faces[face];
        let height = face.normal.dot(&(point - self.corner(face, 0)));
        if cosine >= convex::STAND_IN && height.abs() <= OFF * self.size {
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

/// The joined polytope of a shape, if it is one.
fn joined_form<const D: usize>(shape: &Shape<D>) -> Option<&Polytope<D>> {
    match shape {
        Shape::Polytope(form) if !form.neighbours.is_empty() => Some(form),
        _ => None,
    }
}

/// The pair table without the contacts of cuts.
pub(crate) fn table<const D: usize>(
    a: (&Shape<D>, &Pose<D>),
    b: (&Shape<D>, &Pose<D>),
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: &mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
) where
    Polytope<D>: Facets<D>,
{
    let forms = [joined_form(a.0), joined_form(b.0)];
    // polytopes choose another normal instead
    let chosen = |shape: &Shape<D>| matches!(shape, Shape::Polytope(_) | Shape::Rounded { .. });
    if forms == [None; 2] || (chosen(a.0) && chosen(b.0)) {
        return pairs::table(a, b, alert, scratch, emit);
    }
    let mut found = std::mem::take(&mut scratch.found);
    found.clear();
    pairs::table(a, b, alert, scratch, &mut |name, point, normal, gap| {
        found.push((name, point, normal, gap))
    });
    let judge = |&(_, point, normal, gap): &(u64, Vector<D>, Vector<D>, f64)| {
        let sides = [(forms[0], a.1, 1.0), (forms[1], b.1, -1.0)].map(|(form, pose, sign)| {
            let out = -(pose.rotation().transpose() * normal) * sign;
            let place = pose.to_local(&(point + normal * (0.5 * gap * sign)));
            form.map_or(Verdict::Free, |form| form.judge(&place, &out))
        });
        sides[0].max(sides[1])
    };
    let patch = |shape: &Shape<D>| matches!(shape, Shape::Capsule { .. } | Shape::Cylinder { .. });
    let all = (patch(a.0) || patch(b.0)) && found.iter().any(|contact| judge(contact) == Verdict::Free);
    let most = if all { Verdict::Covered } else { Verdict::Free };
    for contact in found.iter().filter(|contact| judge(contact) <= most) {
        emit(contact.0, contact.1, contact.2, contact.3);
    }
    scratch.found = found;
}

impl<const D: usize> convex::Couple<'_, D>
where
    Polytope<D>: Facets<D>,
{
    /// The contacts of two polytopes of which one at least is a piece: those of the axis of largest separation whose
    /// contacts are free.
    pub(crate) fn search_free(
        &self,
        scratch: &mut Scratch<D>,
        emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
    ) {
        let mut axes = std::mem::take(&mut scratch.axes);
        axes.clear();
        self.all_axes(scratch, &mut axes);
        // ties go to faces rather than edges, and to the first body
        let preference = 100.0 * self.tolerance;
        let rank = |axis: &(usize, Axis<D>)| match axis.1 {
            Axis::Face { separation, .. } => separation - if axis.0 == 0 { 0.0 } else { preference },
            Axis::Edges { separation, .. } => separation - 2.0 * preference,
            _ => f64::NEG_INFINITY,
        };
        axes.sort_by(|one, two| rank(two).total_cmp(&rank(one)));
        let widest = axes.iter().map(|axis| separation(&axis.1)).fold(f64::NEG_INFINITY, f64::max);
        if widest > 0.0 {
            let mut any = false;
            let mut found = std::mem::take(&mut scratch.found);
            found.clear();
            self.search(scratch, &mut |name, point, normal, gap| {
                let verdict = self.judge(&point, &normal, gap);
                any |= verdict == Verdict::Free;
                if verdict != Verdict::Inside {
                    found.push((name, point, normal, gap));
                }
            });
            found.iter().filter(|_| any).for_each(|contact| emit(contact.0, contact.1, contact.2, contact.3));
            scratch.found = found;
        } else {
            let limit = THROUGH * widest - preference;
            let within = axes.iter().take_while(|axis| separation(&axis.1) >= limit).take(64);
            let found =
                within.clone().any(|(side, axis)| self.emit_if_free(*side, axis, &mut scratch.patch, emit));
            if !found {
                within
                    .into_iter()
                    .find(|(side, axis)| self.emit_in_notch(*side, axis, -THROUGH * widest, emit));
            }
        }
        scratch.axes = axes;
    }

    /// Every face of either body and the best of the edges.
    fn all_axes(&self, scratch: &mut Scratch<D>, axes: &mut Vec<(usize, Axis<D>)>) {
        for side in [0, 1] {
            let (form, other, place) = (self.forms[side], self.forms[1 - side], &self.places[side]);
            let heights = &mut scratch.heights[side];
            heights.clear();
            heights.resize(form.faces.len().div_ceil(WIDTH), Four::splat(f64::NEG_INFINITY));
            for (index, face) in form.faces.iter().enumerate() {
                let direction = place.rotation.transpose() * face.normal;
                let [least] = other.corners.least_of_all(&[direction]);
                let separation = least + face.normal.dot(&(place.position - form.corner(face, 0)));
                set(heights, index, separation);
                axes.push((side, Axis::Face { index, separation, corner: false }));
            }
        }
        let range = (f64::MIN, f64::INFINITY);
        let bodies = (self.forms[0], self.forms[1], &self.places[0]);
        let edges =
            dispatch!(instructions::level(), simd => Polytope::<D>::edge_axis(simd, bodies, range, scratch));
        if let Axis::Edges { .. } = edges {
            axes.push((0, edges));
        }
    }

    /// Emits the contacts of an axis of overlapping bodies, if they are free.
    fn emit_if_free(
        &self,
        side: usize,
        axis: &Axis<D>,
        patch: &mut Patch<D>,
        emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
    ) -> bool {
        let single = match *axis {
            Axis::Face { index, separation, .. } => {
                let least = self.face_patch(side, index, patch);
                if least <= separation + 200.0 * self.tolerance {
                    let mut free = false;
                    self.emit_patch(side, index, patch, &mut |_, point, normal, gap| {
                        free |= self.judge(&point, &normal, gap) == Verdict::Free;
                    });
                    if free {
                        self.emit_patch(side, index, patch, &mut |name, point, normal, gap| {
                            if self.judge(&point, &normal, gap) != Verdict::Inside {
                                emit(name, point, normal, gap);
                            }
                        });
                    }
                    return free;
                }
                self.deepest_vertex(side, index, separation)
            }
            _ => self.passing_edges(axis),
        };
        let Some(Single { feature, point, normal, gap, .. }) = single else { return false };
        let world = self.world[0];
        let (point, normal) = (world.apply(&point), -(world.rotation * normal));
        let free = self.judge(&point, &normal, gap) == Verdict::Free;
        if free {
            emit(feature, point, normal, gap);
        }
        free
    }

    /// Emits the contact of a corner in a notch of the solid, beyond the end of the face by no more than `reach`: there it is
    /// within another piece already, and nearest to the corner where the pieces meet.
    fn emit_in_notch(
        &self,
        side: usize,
        axis: &Axis<D>,
        reach: f64,
        emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
    ) -> bool {
        let Axis::Face { index, separation, .. } = *axis else { return false };
        let Some(Single { feature, point, normal, gap, .. }) = self.deepest_vertex(side, index, separation)
        else {
            return false;
        };
        let world = self.world[0];
        let (point, normal) = (world.apply(&point), -(world.rotation * normal));
        let verdicts = [(0, 1.0), (1, -1.0)].map(|(on, sign)| {
            let (place, out) = self.seen_from(on, &point, &normal, gap * sign, sign);
            let form = self.forms[on];
            let place = if on == side { form.drawn_in(index, place, reach) } else { Some(place) };
            place.map_or(Verdict::Inside, |place| form.judge(&place, &out))
        });
        let free = verdicts == [Verdict::Free; 2];
        if free {
            emit(feature, point, normal, gap);
        }
        free
    }

    /// A contact's place on one body and the way out of it there, in the axes of that body.
    fn seen_from(
        &self,
        side: usize,
        point: &Vector<D>,
        normal: &Vector<D>,
        gap: f64,
        sign: f64,
    ) -> (Vector<D>, Vector<D>) {
        let world = self.world[side];
        let back = world.rotation.transpose();
        (back * (point + normal * (0.5 * gap) - world.position), -(back * normal * sign))
    }

    /// What a contact, in world axes, is to both solids: the worse of the two.
    fn judge(&self, point: &Vector<D>, normal: &Vector<D>, gap: f64) -> Verdict {
        let sides = [(0, 1.0), (1, -1.0)].map(|(side, sign)| {
            let (place, out) = self.seen_from(side, point, normal, gap * sign, sign);
            self.forms[side].judge(&place, &out)
        });
        sides[0].max(sides[1])
    }
}

fn separation<const D: usize>(axis: &Axis<D>) -> f64 {
    match *axis {
        Axis::Face { separation, .. } | Axis::Edges { separation, .. } => separation,
        _ => f64::NEG_INFINITY,
    }
}
