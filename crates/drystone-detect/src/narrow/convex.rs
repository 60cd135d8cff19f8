//! Contacts of two convex polytopes, in the plane and in space alike. It holds the choice of the contact
//! normal; how faces are cut and how edges pass is told by `facets`.
//!
//! The separating axes of two convex bodies are the normals of their faces and, in space, the products of
//! their edges (Gottschalk 1996). The axis of largest separation is the contact normal, and the separation is
//! the distance, unless the bodies are apart and their closest features are vertices: then the closest points
//! give both.

use drystone_math::Vector;
use drystone_math::instructions;
use fearless_simd::{Simd, dispatch};

use crate::narrow::core::Placement;
use crate::narrow::facets::Facets;
use crate::narrow::patch::{Cut, Patch};
use crate::narrow::polytope_pair::PolytopePair;
use crate::narrow::scratch::{Axis, Scratch};
use crate::narrow::separating_axis::WitnessFace;
use crate::narrow::single::Single;
use drystone_geometry::Polytope;
use drystone_geometry::columns::{Four, at, first_largest, for_each_from, largest, set};
use drystone_geometry::polytope::STAND_IN;

/// The axes that part two bodies best.
struct Axes<const D: usize> {
    /// Of each body the face from which the other is farthest, and how far.
    faces: [usize; 2],
    over: [f64; 2],
    /// Whether a face of clearly another direction has the bodies apart, too.
    corner: bool,
    edges: Axis<D>,
}

/// Finds the contacts of two polytopes grown by radii; see [`crate::narrow::pairs::touch`]. First tries the
/// face that `scratch` has as parting them, and leaves there the one that does.
pub(crate) fn contacts<const D: usize>(
    (a, a_radius, a_place): (&Polytope<D>, f64, &Placement<D>),
    (b, b_radius, b_place): (&Polytope<D>, f64, &Placement<D>),
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
) where
    Polytope<D>: Facets<D>,
{
    let (ra, rb) = (&a_place.rotation, &b_place.rotation);
    let between = b_place.position - a_place.position;
    let turn = ra.transpose() * rb;
    let grown = a_radius + b_radius;
    let couple = PolytopePair {
        forms: [a, b],
        world: [a_place, b_place],
        places: [
            Placement { rotation: turn, position: ra.transpose() * between },
            Placement { rotation: turn.transpose(), position: -(rb.transpose() * between) },
        ],
        alert: alert + grown,
        grown,
        tolerance: 1e-9 * a.size().min(b.size()) + 1e-14 * a.size().max(b.size()),
    };
    // the search would find the same face, or another that parts them: nothing touches either way
    if let Some(face) = scratch.separating
        && couple.separation_of(face) > couple.alert
    {
        return;
    }
    scratch.separating = None;
    // from half way between the cores to half way between the surfaces
    let shift = 0.5 * (b_radius - a_radius);
    let mut emit =
        |name, point, normal: Vector<D>, gap| emit(name, point + normal * shift, normal, gap - grown);
    if a.neighbours().is_empty() && b.neighbours().is_empty() {
        couple.search(scratch, &mut emit);
    } else {
        couple.search_free(scratch, &mut emit);
    }
}

impl<const D: usize> PolytopePair<'_, D>
where
    Polytope<D>: Facets<D>,
{
    pub(crate) fn search(
        &self,
        scratch: &mut Scratch<D>,
        emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
    ) {
        let axes = dispatch!(instructions::level(), simd => self.axes(simd, scratch));
        let Some(Axes { faces: [face_a, face_b], over: [over_a, over_b], corner, edges }) = axes else {
            return;
        };
        let over_edges =
            if let Axis::Edges { separation, .. } = edges { separation } else { f64::NEG_INFINITY };
        let over_faces = over_a.max(over_b);
        let (side, face) = if over_a >= over_b { (0, face_a) } else { (1, face_b) };
        // blocks that share an edge or a corner and nothing else touch nowhere: any normal would block a way
        // that is free
        let none = 2.0 * self.tolerance;
        let mut apart = over_faces.max(over_edges) > 0.0;
        if corner && over_faces.abs() <= none && over_edges <= none && self.grown == 0.0 {
            apart = self.is_apart(&self.outward(side, face), over_faces, scratch);
            if !apart {
                return;
            }
        }
        if corner
            && over_faces < -none
            && over_edges <= over_faces + 100.0 * self.tolerance
            && self.grown == 0.0
        {
            // ridge on ridge, straight: no face of theirs has more to say than another
            if let Some(single) = self.opposed(over_faces) {
                return self.emit_along(&single, emit);
            }
        }
        // ties go to faces rather than edges, and to the first body: rounding must not make the choice
        // flicker
        let preference = 100.0 * self.tolerance;
        if over_edges <= over_faces + preference {
            let first = usize::from(over_b > over_a + preference);
            for side in [first, 1 - first] {
                let least = self.face_patch(side, [face_a, face_b][side], &mut scratch.patch);
                // of a face that is much deeper the other body is not the nearest part
                if (least - over_faces).abs() <= 2.0 * preference {
                    return self.emit_patch(side, [face_a, face_b][side], &scratch.patch, emit);
                }
            }
        }
        let best = match edges {
            Axis::Edges { normal, separation, .. } if separation > over_faces => normal,
            _ => self.outward(side, face),
        };
        let single = if over_edges > over_faces { self.passing_edges(&edges) } else { None };
        let single = match single {
            Some(single) => Some(single),
            None if apart => self.closest(&best, over_faces.max(over_edges), scratch),
            None => self.deepest_vertex(side, face, over_faces),
        };
        if let Some(single) = single {
            self.emit_single(single, &mut scratch.patch, emit);
        }
    }

    /// The axes that part the bodies best; none if one of them shows that they are too far apart.
    #[inline(always)]
    fn axes<S: Simd>(&self, simd: S, scratch: &mut Scratch<D>) -> Option<Axes<D>> {
        let near = self.nearest_along_centres(simd)?;
        let mut axes = Axes { faces: [0; 2], over: [0.0; 2], corner: false, edges: Axis::None };
        for side in [0, 1] {
            let Axis::Face { index, separation, corner } = self.face_axis(simd, side, near, scratch) else {
                return None;
            };
            (axes.faces[side], axes.over[side]) = (index, separation);
            axes.corner |= corner;
        }
        let range = (axes.over[0].max(axes.over[1]), self.alert);
        let [a, b] = self.forms;
        axes.edges = Polytope::<D>::edge_axis(simd, (a, b, &self.places[0]), range, scratch);
        if let Axis::Apart = axes.edges { None } else { Some(axes) }
    }

    /// The normal of a face, from the first body to the second, in the axes of the first.
    pub(crate) fn outward(&self, side: usize, face: usize) -> Vector<D> {
        match side {
            0 => self.forms[0].faces()[face].normal,
            _ => -(self.places[0].rotation * self.forms[1].faces()[face].normal),
        }
    }

    /// Whether bodies between which no plane leaves room are apart all the same: corners of thin ones, askew.
    fn is_apart(&self, axis: &Vector<D>, separation: f64, scratch: &mut Scratch<D>) -> bool {
        self.closest(axis, separation, scratch).is_some_and(|single| single.gap > 4.0 * self.tolerance)
    }

    /// The vertices of both bodies that face each other along some axis: the line of the centres, then axes
    /// turned to part them (Chung, Wang 1996). None if one of the axes shows that they are too far apart.
    #[inline(always)]
    fn nearest_along_centres<S: Simd>(&self, simd: S) -> Option<[usize; 2]> {
        let place = &self.places[0];
        let mut axis = place.position.try_normalize(0.0).unwrap_or_else(|| self.forms[0].faces()[0].normal);
        let (mut first, mut last) = (None, f64::NEG_INFINITY);
        for _ in 0..5 {
            let (ahead, high) = self.forms[0].corners().foremost(simd, &axis);
            let back = -(place.rotation.transpose() * axis);
            let (behind, low) = self.forms[1].corners().foremost(simd, &back);
            let separation = axis.dot(&place.position) - low - high;
            if separation > self.alert {
                return None;
            }
            first = first.or(Some([ahead, behind]));
            // bodies that touch are not parted by turning on
            if separation <= last {
                break;
            }
            last = separation;
            let between = place.apply(&self.forms[1].vertices()[behind]) - self.forms[0].vertices()[ahead];
            let Some(between) = between.try_normalize(0.0) else { break };
            axis -= between * (2.0 * axis.dot(&between));
            // a reflected unit vector stays one but for rounding
            axis = axis.try_normalize(0.0)?;
        }
        first
    }

    /// How far one body is from the plane of a face of the other.
    #[inline(always)]
    fn separation<S: Simd>(&self, simd: S, side: usize, [normal, corner]: &[Vector<D>; 2]) -> f64 {
        let direction = self.places[1 - side].rotation * normal;
        let away = normal.dot(&(self.places[side].position - corner));
        self.forms[1 - side].corners().least(simd, &direction) + away
    }

    /// The same for a face that may be none: then bodies are not apart.
    fn separation_of(&self, [side, face]: WitnessFace) -> f64 {
        let side = usize::from(side != 0);
        let plane = self.forms[side].planes().get(face as usize);
        let Some(plane) = plane else { return f64::NEG_INFINITY };
        dispatch!(instructions::level(), simd => self.separation(simd, side, plane))
    }

    /// The face of one body from which the other is farthest. No vertex is lower than the lowest: where one
    /// vertex is already low enough, the others need not be looked at.
    #[inline(always)]
    fn face_axis<S: Simd>(
        &self,
        simd: S,
        side: usize,
        near: [usize; 2],
        scratch: &mut Scratch<D>,
    ) -> Axis<D> {
        let (form, other) = (self.forms[side], self.forms[1 - side]);
        let vertex = self.places[side].apply(&other.vertices()[near[1 - side]]);
        let heights = &mut scratch.heights[side];
        let start = form.normals().heights_over(simd, &vertex, form.levels(), heights);
        let slack = 4.0 * self.tolerance;
        let first = self.separation(simd, side, &form.planes()[start]);
        if first > self.alert {
            scratch.separating = Some([side as u32, start as u32]);
            return Axis::Apart;
        }
        // measured, then compared all at once: which face is best is anybody's guess
        let separations = &mut scratch.separations;
        separations.clear();
        separations.resize(heights.len(), Four::splat(f64::NEG_INFINITY));
        set(separations, start, first);
        for_each_from(
            simd,
            heights,
            first - slack,
            #[inline(always)]
            |index| {
                if index != start {
                    set(separations, index, self.separation(simd, side, &form.planes()[index]));
                }
            },
        );
        let best = first_largest(simd, separations);
        if best.1 > self.alert {
            scratch.separating = Some([side as u32, best.0 as u32]);
            return Axis::Apart;
        }
        // asked for only where nothing but this face keeps the bodies from touching, or from overlapping more
        let corner = self.tie(best.1).is_some_and(|within| form.has_corner(start, separations, within));
        Axis::Face { index: best.0, separation: best.1, corner }
    }

    /// Fills the patch of a reference face with named points; the least gap, infinite for an empty patch.
    pub(crate) fn face_patch(&self, side: usize, face: usize, patch: &mut Patch<D>) -> f64 {
        let (reference, incident) = (self.forms[side], self.forms[1 - side]);
        let place = self.places[side];
        let normal = reference.faces()[face].normal;
        let incident_face =
            self.incident_face(incident, &-(place.rotation.transpose() * normal), &mut patch.heights);
        let cut = Cut { reference, face, incident, incident_face, place, tolerance: self.tolerance };
        Polytope::<D>::cut(&cut, patch);
        patch.name(&cut, side == 0);
        patch.named.iter().map(|point| point.2).fold(f64::INFINITY, f64::min)
    }

    /// The face that looks most along `direction`, among those with most vertices at the very front.
    fn incident_face(
        &self,
        form: &Polytope<D>,
        direction: &Vector<D>,
        [fronts, alongs]: &mut [Vec<Four>; 2],
    ) -> usize {
        form.corners().heights(direction, fronts);
        let level = largest(fronts) - 100.0 * self.tolerance;
        let mut best = (0, 0u128);
        form.normals().heights(direction, alongs);
        // from the least number above nought
        dispatch!(instructions::level(), simd => for_each_from(simd, alongs, f64::from_bits(1), |index| {
            // the last group may be filled up with a normal once more
            let Some(face) = form.faces().get(index) else { return };
            let is_front = |&vertex: &u32| u128::from(at(fronts, vertex as usize) >= level);
            let at_front: u128 = face.vertices.iter().map(is_front).sum();
            // the bits of positive numbers are in the order of the numbers
            let key = at_front << 64 | u128::from(at(alongs, index).to_bits());
            best = if key > best.1 { (index, key) } else { best };
        }));
        best.0
    }

    /// Emits a single contact, or the patch of a face that looks the same way and touches at the same
    /// distance.
    fn emit_single(
        &self,
        single: Single<D>,
        patch: &mut Patch<D>,
        emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
    ) {
        if single.gap > self.alert {
            return;
        }
        let directions = [single.normal, -(self.places[0].rotation.transpose() * single.normal)];
        let best = [0, 1].map(|side| self.forms[side].aligned_face(&directions[side]));
        let first = usize::from(best[1].1 > best[0].1);
        for side in [first, 1 - first] {
            let (face, cosine) = best[side];
            let slack = 2.0 * (1.0 - STAND_IN) * (single.gap - self.grown).abs() + 100.0 * self.tolerance;
            if cosine >= STAND_IN && (self.face_patch(side, face, patch) - single.gap).abs() <= slack {
                return self.emit_patch(side, face, patch, emit);
            }
        }
        self.emit_along(&single, emit);
    }

    pub(crate) fn emit_patch(
        &self,
        side: usize,
        face: usize,
        patch: &Patch<D>,
        emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64),
    ) {
        let world = self.world[side];
        let outward = world.rotation * self.forms[side].faces()[face].normal;
        // from the antagonist, side 1, to the candidate
        let normal = if side == 0 { -outward } else { outward };
        for &(feature, point, gap) in &patch.named {
            if gap <= self.alert {
                emit(feature, world.apply(&point) - outward * (0.5 * gap), normal, gap);
            }
        }
    }
}
