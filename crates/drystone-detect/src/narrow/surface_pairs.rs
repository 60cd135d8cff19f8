//! Contacts of two surfaces: the corners of each on the facets, ridges and corners of the other, in space
//! ridges across each other. How a single point meets a surface is told by `terrain`.

use drystone_math::{Matrix, Pose, Vector};

use crate::narrow::facets::Facets;
use crate::narrow::scratch::Scratch;
use crate::narrow::terrain::{LEAN, NONE, touch_along};
use crate::narrow::{feature, segment};
use drystone_geometry::aabb::Aabb;
use drystone_geometry::surface::{Corner, Ridge, is_same};
use drystone_geometry::{Polytope, Shape, Surface};

/// Name, point, normal and gap.
type SurfaceContact<const D: usize> = (u64, Vector<D>, Vector<D>, f64);
/// A surface and its place.
type PlacedSurface<'a, const D: usize> = (&'a Surface<D>, &'a Pose<D>);

/// Contacts of two surfaces of which one at least is closed.
pub(crate) fn contacts<const D: usize>(
    a: PlacedSurface<D>,
    b: PlacedSurface<D>,
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: &mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
) where
    Polytope<D>: Facets<D>,
{
    if !a.0.is_closed() && !b.0.is_closed() {
        return;
    }
    let none = NONE * a.0.size().min(b.0.size());
    let mut found = std::mem::take(&mut scratch.found);
    found.clear();
    corners_on(a, b, alert, scratch, &mut |name, point, normal, gap| {
        found.push((name.of_first(), point, normal, gap));
    });
    // corners and ends of ridges that lie on each other have met already, as corners or on a facet
    let mut add = |name, point: Vector<D>, normal: Vector<D>, gap| {
        let same = |other: &SurfaceContact<D>| is_same((&point, &normal), (&other.1, &other.2), none);
        if !found.iter().any(same) {
            found.push((name, point, normal, gap));
        }
    };
    corners_on(b, a, alert, scratch, &mut |name, point, normal, gap| {
        if name.kind != CORNER {
            add(name.of_first() | 1 << 62, point, -normal, gap);
        }
    });
    ridges_across(a, b, alert, scratch, &mut add);
    found.iter().for_each(|contact| emit(contact.0, contact.1, contact.2, contact.3));
    scratch.found = found;
}

/// Kind of a feature that is a corner, in names of `terrain`.
const CORNER: u64 = 2;

/// A corner of one surface and what it meets of the other: a facet, a ridge or a corner (kind 0, 1, 2).
struct Met {
    corner: u32,
    kind: u64,
    index: u32,
}

impl Met {
    /// As a name, if the corner is one of the candidate; ridges and corners are told from facets by a high
    /// digit.
    fn of_first(&self) -> u64 {
        feature::between_surfaces(self.kind, self.index, self.corner)
    }
}

/// Replaces `pieces` by those of `a` near `b`.
fn near<const D: usize>(a: PlacedSurface<D>, b: PlacedSurface<D>, alert: f64, pieces: &mut Vec<u32>) {
    let own = b.0.tree().aabb();
    let (middle, half) = ((own.low + own.high) * 0.5, (own.high - own.low) * 0.5);
    let turned = a.1.rotation().transpose();
    let centre = turned * (b.1.position - a.1.position + b.1.rotation() * middle);
    let reach = (turned * b.1.rotation()).abs() * half + Vector::repeat(alert);
    pieces.clear();
    a.0.tree().visit(&Aabb { low: centre - reach, high: centre + reach }, |piece| pieces.push(piece));
}

/// Corners of `a` on everything of `b`.
fn corners_on<const D: usize>(
    a: PlacedSurface<D>,
    b: PlacedSurface<D>,
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: &mut dyn FnMut(Met, Vector<D>, Vector<D>, f64),
) where
    Polytope<D>: Facets<D>,
{
    let turned = a.1.rotation();
    // closer than rounding can tell, a corner has no direction from a ridge or a corner: their facets carry
    // the contact
    let none = NONE * (a.0.size().min(b.0.size()));
    let mut pieces = std::mem::take(&mut scratch.pieces);
    near(a, b, alert, &mut pieces);
    for &piece in &pieces {
        for corner in a.0.corners_of_piece(piece) {
            let place = Pose::at(a.1.position + turned * a.0.vertices()[corner.vertex as usize]);
            let allowed = |normal: &Vector<D>| pushes(corner, &-(turned.transpose() * normal));
            let body = (&Shape::Point, &place);
            touch_along(body, b, alert, &allowed, scratch, &mut |name, point, normal, gap| {
                let met = Met { corner: corner.vertex, kind: name >> 62, index: (name >> 31) as u32 };
                if met.kind == 0 || gap > none {
                    emit(met, point, normal, gap);
                }
            });
        }
    }
    scratch.pieces = pieces;
}

/// Whether a corner is the foremost of its own surface along a direction.
fn pushes<const D: usize>(corner: &Corner<D>, direction: &Vector<D>) -> bool {
    corner.away.iter().all(|away| away.dot(direction) <= LEAN)
}

/// Ridges that pass over each other, where both can push.
fn ridges_across<const D: usize>(
    a: PlacedSurface<D>,
    b: PlacedSurface<D>,
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: &mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
) {
    let (turn_a, turn_b) = (a.1.rotation(), b.1.rotation());
    // of the first surface in the axes of the second
    let turn = turn_b.transpose() * turn_a;
    let shift = turn_b.transpose() * (a.1.position - b.1.position);
    let depth = -0.1 * a.0.size().min(b.0.size());
    near(a, b, alert, &mut scratch.pieces);
    for &piece in &scratch.pieces {
        for index in a.0.ridges_of_piece(piece) {
            let ridge = &a.0.ridges()[index as usize];
            let ends = ridge.vertices.map(|vertex| shift + turn * a.0.vertices()[vertex as usize]);
            let margin = Vector::repeat(alert);
            let extent = Aabb { low: ends[0].inf(&ends[1]) - margin, high: ends[0].sup(&ends[1]) + margin };
            b.0.tree().visit(&extent, |other| {
                for across in b.0.ridges_of_piece(other) {
                    let second = &b.0.ridges()[across as usize];
                    let far = second.vertices.map(|vertex| b.0.vertices()[vertex as usize]);
                    let Some((point, normal, gap)) = passing((ridge, &ends, &turn), (second, &far)) else {
                        continue;
                    };
                    if gap <= alert && gap >= depth {
                        let point = b.1.position + turn_b * point;
                        emit(feature::edges(index, across), point, turn_b * normal, gap);
                    }
                }
            });
        }
    }
}

/// Point half way, normal towards the first and gap of two ridges, in the axes of the second surface; `turn`
/// leads there from those of the first.
fn passing<const D: usize>(
    (one, ends, turn): (&Ridge<D>, &[Vector<D>; 2], &Matrix<D, D>),
    (two, far): (&Ridge<D>, &[Vector<D>; 2]),
) -> Option<(Vector<D>, Vector<D>, f64)> {
    let (s, t) = segment::passing([&ends[0], &ends[1]], [&far[0], &far[1]])?;
    if !(0.0..=1.0).contains(&s) || !(0.0..=1.0).contains(&t) {
        return None;
    }
    let (along, across) = (ends[1] - ends[0], far[1] - far[0]);
    let normal = square_to(&along, &across, &two.sides)?;
    let back = -(turn.transpose() * normal);
    let free = two.sides.iter().all(|side| side.dot(&normal) >= -LEAN)
        && one.sides.iter().all(|side| side.dot(&back) >= -LEAN);
    let (on_one, on_two) = (ends[0] + along * s, far[0] + across * t);
    free.then(|| ((on_one + on_two) * 0.5, normal, normal.dot(&(on_one - on_two))))
}

/// The unit normal of two directions on the side towards which both `sides` lean.
fn square_to<const D: usize>(d: &Vector<D>, e: &Vector<D>, sides: &[Vector<D>; 2]) -> Option<Vector<D>> {
    let product = Vector::<D>::from_fn(|i, _| {
        let (j, k) = ((i + 1) % D, (i + 2) % D);
        d[j] * e[k] - d[k] * e[j]
    });
    let n = product.try_normalize(1e-9 * d.norm() * e.norm())?;
    Some(if n.dot(&(sides[0] + sides[1])) < 0.0 { -n } else { n })
}
