//! How pieces of a cut solid meet others without the contacts that the cuts would make (internal edges).
//! Which contacts those are is told by the geometry of the pieces.

use drystone_geometry::Polytope;
use drystone_geometry::columns::{Four, WIDTH, set};
use drystone_geometry::pieces::Verdict;
use drystone_math::{Vector, instructions};
use fearless_simd::dispatch;

use super::polytope_pair::PolytopePair;
use crate::narrow::facets::Facets;
use crate::narrow::patch::Patch;
use crate::narrow::scratch::{Axis, Scratch};
use crate::narrow::single::Single;

/// How far, relative to the way out past a cut, a body may be below a face that is no cut. Farther, it is
/// there through another piece, which has the contact.
const THROUGH: f64 = 10.0;

impl<const D: usize> PolytopePair<'_, D>
where
    Polytope<D>: Facets<D>,
{
    /// The contacts of two polytopes of which one at least is a piece: those of the axis of largest
    /// separation whose contacts are free.
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
            heights.resize(form.faces().len().div_ceil(WIDTH), Four::splat(f64::NEG_INFINITY));
            for (index, face) in form.faces().iter().enumerate() {
                let direction = place.rotation.transpose() * face.normal;
                let [least] = other.corners().least_of_all(&[direction]);
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

    /// Emits the contact of a corner in a notch of the solid, beyond the end of the face by no more than
    /// `reach`: there it is within another piece already, and nearest to the corner where the pieces meet.
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
