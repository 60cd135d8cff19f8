//! Contacts of the boundary of a deformable body: with another one, with rigid solids and walls. One at every
//! vertex whose facets lie on the other body, spread over them; sharp corners where nothing lies flat. Edges
//! that cross in space are left out; integrals are taken by `spread`, a body with itself is `own`.

use drystone_geometry::aabb::{Aabb, aabb};
use drystone_geometry::{Polytope, Shape, SkinShape};
use drystone_math::{Pose, Vector};

use crate::ContactPoint;
use crate::narrow::facets::Facets;
use crate::narrow::flats::{FLAT, Flats, height_over};
use crate::narrow::half_space::up;
use crate::narrow::scratch::Scratch;
use crate::narrow::solids::{self, PlacedShape, Receiver, exchanged};
use crate::narrow::spread::SkinPair;

/// What of a skin touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkinFeature {
    /// A facet, by its number.
    Facet(u32),
    /// A vertex, by its number.
    Vertex(u32),
    /// A sheet, by its number: a vertex with facets around it, over which the contact is spread.
    Sheet(u32),
    /// What of the other side lies under the sheet.
    Under,
}

/// What rounding may do to a place, relative to its distance from the origin.
pub(super) const ROUNDING: f64 = 1e-13;

const WORD: u64 = (1 << 31) - 1;

/// Parts of the name of a contact, a number and what it counts.
pub(super) fn facet_word(facet: u32) -> u32 {
    facet << 2
}

/// The facet of a part of a name.
pub(super) fn facet_of_word(word: u32) -> u32 {
    word >> 2
}

pub(super) fn vertex_word(vertex: u32) -> u32 {
    vertex << 2 | 1
}

pub(super) fn sheet_word(sheet: u32) -> u32 {
    sheet << 2 | 2
}

pub(super) const UNDER: u32 = 3;

/// Name of a contact from those of what touches: exchanged as those of crossings are.
pub(super) fn name(candidate: u32, antagonist: u32) -> u64 {
    3 << 62 | u64::from(candidate) << 31 | u64::from(antagonist)
}

/// What of a skin touches, from the name of the contact and the side the skin is on.
pub fn skin_feature(feature: u64, side: usize) -> SkinFeature {
    let word = (if side == 0 { feature >> 31 } else { feature } & WORD) as u32;
    match word & 3 {
        0 => SkinFeature::Facet(word >> 2),
        1 => SkinFeature::Vertex(word >> 2),
        2 => SkinFeature::Sheet(word >> 2),
        _ => SkinFeature::Under,
    }
}

/// Area over which a contact of a skin acts that is not spread \[m²\], in the plane \[m\] for a depth of 1 m:
/// that of the facet, or the share of the vertex. Zero where neither shape is a skin.
pub fn skin_area<const D: usize>(shapes: [&Shape<D>; 2], touch: &ContactPoint<D>) -> f64 {
    let of = |side: usize| match (shapes[side], skin_feature(touch.feature, side)) {
        (Shape::Skin(skin), SkinFeature::Facet(facet)) if (facet as usize) < skin.facet_count() => {
            skin.area(facet as usize) * skin.way_around(&touch.point)
        }
        (Shape::Skin(skin), SkinFeature::Vertex(vertex)) => {
            skin.vertex_area(vertex) * skin.way_around(&touch.point)
        }
        _ => 0.0,
    };
    let [one, two] = [of(0), of(1)];
    if one > 0.0 { one } else { two }
}

/// The contacts of a skin (either side) with anything.
pub(crate) fn touch<const D: usize>(
    a: PlacedShape<D>,
    b: PlacedShape<D>,
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: Receiver<D>,
) where
    Polytope<D>: Facets<D>,
{
    let Shape::Skin(skin) = a.0 else {
        return touch(b, a, alert, scratch, &mut exchanged(emit));
    };
    match b.0 {
        Shape::Skin(other) if other.grain() < skin.grain() => {
            touch_spread(b, a, alert, scratch, &mut exchanged(emit));
        }
        Shape::HalfSpace | Shape::Skin(_) | Shape::Polytope(_) | Shape::Surface(_) => {
            touch_spread(a, b, alert, scratch, emit);
        }
        other => on_round((skin, a.1), (other, b.1), alert, scratch, emit),
    }
}

/// The contacts of a skin, over whose sheets they are spread, with something flat.
fn touch_spread<const D: usize>(
    a: PlacedShape<D>,
    b: PlacedShape<D>,
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: Receiver<D>,
) {
    let Shape::Skin(skin) = a.0 else { return };
    let plane = matches!(b.0, Shape::HalfSpace);
    if plane && is_above(skin, a.1, b.1, alert) {
        return;
    }
    if !plane && are_far(a, b, alert) {
        return;
    }
    let Some(mut pair) = SkinPair::new(a, b, alert, &mut scratch.skins) else { return };
    let deepest = pair.deepest();
    let touching = |gap: f64| gap <= alert && gap >= -deepest;
    pair.each_touch(|sheet, found| {
        let touches = touching(found.gap);
        if touches {
            emit(name(sheet_word(sheet), UNDER), found.point, found.normal, found.gap);
        }
        touches
    });
    if plane {
        return corners_on_half_space(skin, a.1, b.1, alert, emit);
    }
    let is_round = |shape: &Shape<D>| matches!(shape, Shape::Skin(skin) if skin.sharp().next().is_none());
    if is_round(a.0) && is_round(b.0) {
        return;
    }
    let (one, two) = (flats(a, &aabb(b.0, b.1, alert)), flats(b, &aabb(a.0, a.1, alert)));
    corners_on(&one, &two, &touching, &mut |own, other, vertex, normal, gap| {
        emit(name(own, other), vertex - normal * (0.5 * gap), normal, gap);
    });
    corners_on(&two, &one, &touching, &mut |own, other, vertex, normal, gap| {
        emit(name(other, own), vertex - normal * (0.5 * gap), -normal, gap);
    });
}

/// Whether two shapes are farther apart than the alert distance by their balls, rounding included.
fn are_far<const D: usize>(a: PlacedShape<D>, b: PlacedShape<D>, alert: f64) -> bool {
    let far = a.0.bounding_radius() + b.0.bounding_radius() + alert;
    let rounding = ROUNDING * (far + a.1.position.norm() + b.1.position.norm());
    (a.1.position - b.1.position).norm() > far + rounding
}

/// Whether a whole skin is farther above a half-space than the alert distance, rounding included.
fn is_above<const D: usize>(skin: &SkinShape<D>, pose: &Pose<D>, floor: &Pose<D>, alert: f64) -> bool {
    let height = (pose.position - floor.position).dot(&up(floor));
    let far = skin.bounding_radius() + alert;
    height > far + ROUNDING * (far + pose.position.norm() + floor.position.norm())
}

/// Overlap up to which facets are those that touch, not the far sides of two bodies \[m\].
pub(super) fn deepest<const D: usize>(shape: &Shape<D>) -> f64 {
    0.5 * match shape {
        Shape::Skin(skin) => skin.breadth(),
        Shape::Polytope(form) => {
            // the distance of the centre from the nearest face
            form.planes().iter().map(|[normal, corner]| normal.dot(corner)).fold(f64::INFINITY, f64::min)
        }
        _ => f64::INFINITY,
    }
}

/// On which sides of a box a point lies, two bits for each axis: what lies on none of them is inside, and
/// points that share a side have all between them outside.
#[inline]
pub(super) fn sides_of_box<const D: usize>(point: &Vector<D>, near: &Aabb<D>) -> u32 {
    (0..D).fold(0, |sides, axis| {
        let (low, high) = (point[axis] < near.low[axis], point[axis] > near.high[axis]);
        sides | u32::from(low) << (2 * axis) | u32::from(high) << (2 * axis + 1)
    })
}

/// The facets of a body near a box, in world axes, and its sharp vertices there.
fn flats<const D: usize>(body: PlacedShape<D>, near: &Aabb<D>) -> Flats<D> {
    let mut found = Flats::default();
    flats_into(body, near, &mut found, &mut CornerBuffers::default());
    found
}

/// Buffers to look for facets in.
#[derive(Default)]
pub(super) struct CornerBuffers {
    /// Vertices that lie clearly beside the box.
    beside: Vec<bool>,
    /// Where the facets are among those that were found; empty where nothing is sharp.
    place: Vec<u32>,
}

/// A half-space of a body's frame that a box in world axes does not reach.
struct Beside<const D: usize> {
    centre: Vector<D>,
    least: f64,
}

impl<const D: usize> Beside<D> {
    /// That behind the ball around the box, seen from its middle. What reaches into the ball has a corner at
    /// least as far towards its centre as its nearest point.
    fn of(pose: &Pose<D>, near: &Aabb<D>) -> Self {
        let radius = 0.5 * (near.high - near.low).norm();
        if !radius.is_finite() {
            return Self { centre: Vector::zeros(), least: f64::NEG_INFINITY };
        }
        let centre = pose.to_local(&near.middle());
        let far = centre.norm();
        let rounding = ROUNDING * (pose.position.norm() + far + radius);
        Self { centre, least: far * far - (radius * (1.0 + 1e-9) + rounding) * far }
    }

    #[inline]
    fn holds(&self, vertex: &Vector<D>) -> bool {
        vertex.dot(&self.centre) < self.least
    }
}

/// The same into buffers.
pub(super) fn flats_into<const D: usize>(
    (shape, pose): PlacedShape<D>,
    near: &Aabb<D>,
    found: &mut Flats<D>,
    CornerBuffers { beside, place }: &mut CornerBuffers,
) {
    found.clear();
    let rotation = pose.rotation();
    let world = |point: &Vector<D>| pose.position + rotation * point;
    let is_near = |corners: &[Vector<D>]| {
        (0..D).all(|axis| {
            let of = corners.iter().map(|corner| corner[axis]);
            let (low, high) = of.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            low <= near.high[axis] && high >= near.low[axis]
        })
    };
    let within = |point: &Vector<D>| is_near(std::slice::from_ref(point));
    match shape {
        Shape::Skin(skin) => {
            // most of it lies clearly beside the box: one product for each vertex says so
            let behind = Beside::of(pose, near);
            beside.clear();
            beside.extend(skin.vertices().iter().map(|vertex| behind.holds(vertex)));
            let has_sharp = skin.sharp().next().is_some();
            place.clear();
            place.resize(if has_sharp { skin.facet_count() } else { 0 }, u32::MAX);
            for (index, facet) in skin.facets().iter().enumerate() {
                if facet[..D].iter().all(|&corner| beside[corner as usize]) {
                    continue;
                }
                let corners: [Vector<D>; D] = std::array::from_fn(|rank| world(skin.corner(index, rank)));
                if corners.iter().fold(u32::MAX, |all, corner| all & sides_of_box(corner, near)) == 0 {
                    if let Some(place) = place.get_mut(index) {
                        *place = found.flats.len() as u32;
                    }
                    found.push(facet_word(index as u32), rotation * skin.normal(index), corners.into_iter());
                }
            }
            for (vertex, around) in skin.sharp() {
                let at = world(&skin.vertices()[vertex as usize]);
                if within(&at) {
                    let around = around.iter().map(|&facet| place[facet as usize]);
                    found.sharp.push((vertex_word(vertex), at, around.collect()));
                }
            }
        }
        Shape::Polytope(form) => {
            let at: Vec<Vector<D>> = form.vertices().iter().map(world).collect();
            let mut around = vec![Vec::new(); at.len()];
            for (index, face) in form.faces().iter().enumerate() {
                let corners = face.vertices.iter().map(|&vertex| at[vertex as usize]);
                let flat = found.flats.len() as u32;
                face.vertices.iter().for_each(|&vertex| around[vertex as usize].push(flat));
                found.push(facet_word(index as u32), rotation * face.normal, corners);
            }
            let all = at.iter().zip(around).zip(0..);
            found.sharp.extend(all.map(|((at, around), vertex)| (vertex_word(vertex), *at, around)));
        }
        Shape::Surface(surface) => {
            let mut around: std::collections::BTreeMap<u32, Vec<u32>> = Default::default();
            for (index, piece) in surface.elements().iter().enumerate() {
                let corners: [Vector<D>; D] = std::array::from_fn(|rank| world(surface.corner(piece, rank)));
                if is_near(&corners) {
                    let flat = found.flats.len() as u32;
                    piece.vertices.iter().for_each(|&vertex| around.entry(vertex).or_default().push(flat));
                    found.push(facet_word(index as u32), rotation * piece.normal, corners.into_iter());
                }
            }
            for corner in surface.corners() {
                let at = world(&surface.vertices()[corner.vertex as usize]);
                if let Some(around) = around.remove(&corner.vertex).filter(|_| within(&at)) {
                    found.sharp.push((vertex_word(corner.vertex), at, around));
                }
            }
        }
        _ => {}
    }
}

/// Sharp vertices of `a` over facets of `b` on which no facet around them lies flat: with the names of both,
/// the vertex, the normal of the facet, the gap.
fn corners_on<const D: usize>(
    a: &Flats<D>,
    b: &Flats<D>,
    touching: &impl Fn(f64) -> bool,
    found: &mut dyn FnMut(u32, u32, Vector<D>, Vector<D>, f64),
) {
    for (word, vertex, around) in &a.sharp {
        // a facet around it that is far away cannot lie on the other body
        let near = || around.iter().filter(|&&flat| flat != u32::MAX).map(|&flat| &a.flats[flat as usize]);
        for flat in &b.flats {
            let gap = height_over(vertex, b.corners_of(flat), &flat.normal).filter(|&gap| touching(gap));
            let Some(gap) = gap else { continue };
            let lies = near().any(|own| own.normal.dot(&flat.normal) <= -FLAT);
            // the vertex is the first that comes
            let first =
                near().all(|own| a.corners_of(own).iter().all(|c| (c - vertex).dot(&flat.normal) >= 0.0));
            if !lies && first {
                found(*word, flat.word, *vertex, flat.normal, gap);
            }
        }
    }
}

/// Sharp vertices on a half-space where none of their facets lies flat.
fn corners_on_half_space<const D: usize>(
    skin: &SkinShape<D>,
    pose: &Pose<D>,
    floor: &Pose<D>,
    alert: f64,
    emit: Receiver<D>,
) {
    let normal = up(floor);
    let down = pose.rotation().tr_mul(&normal);
    let base = down.dot(&pose.to_local(&floor.position));
    let lies = |facet: u32| skin.normal(facet as usize).dot(&down) <= -FLAT;
    for (vertex, around) in skin.sharp() {
        let at = skin.vertices()[vertex as usize];
        let gap = at.dot(&down) - base;
        let corners = around.iter().flat_map(|&facet| (0..D).map(move |k| skin.corner(facet as usize, k)));
        let first = { corners }.all(|corner| (corner - at).dot(&down) >= 0.0);
        if gap <= alert && first && !around.iter().any(|&facet| lies(facet)) {
            emit(name(vertex_word(vertex), 0), pose.to_world(&at) - normal * (0.5 * gap), normal, gap);
        }
    }
}

/// Facets by their middles on a round or hollow shape; and where a ball of that shape is nearest to the skin,
/// the nearest point of it.
fn on_round<const D: usize>(
    (skin, pose): (&SkinShape<D>, &Pose<D>),
    other: PlacedShape<D>,
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: Receiver<D>,
) where
    Polytope<D>: Facets<D>,
{
    let near = aabb(other.0, other.1, alert);
    let hollow = matches!(other.0, Shape::Hollow { .. });
    let mut taken = Vec::new();
    for (rank, (centre, radius)) in (1..).zip(balls(other)) {
        let local = pose.to_local(&centre);
        let Some((facet, place)) = nearest(skin, &local) else { continue };
        let out = skin.normal(facet);
        let away = place - local;
        let (distance, outside) = (away.norm(), -away.dot(&out) >= 0.0);
        let gap = if outside { distance } else { -distance } - radius;
        if gap > alert || -gap > radius + 0.5 * skin.breadth() {
            continue;
        }
        let normal = if distance > 1e-9 * radius && outside { away / distance } else { -out };
        let normal = pose.rotation() * normal;
        let point = pose.to_world(&place) - normal * (0.5 * gap);
        emit(name(facet_word(facet as u32), facet_word(rank)), point, normal, gap);
        taken.push(facet);
    }
    let within = |place: &Vector<D>| {
        hollow || (0..D).all(|axis| place[axis] >= near.low[axis] && place[axis] <= near.high[axis])
    };
    for facet in (0..skin.facet_count()).filter(|facet| !taken.contains(facet)) {
        let place = pose.to_world(&skin.middle(facet));
        if within(&place) {
            let out = pose.rotation() * skin.normal(facet);
            let at = Pose::at(place);
            solids::table((&Shape::Point, &at), other, alert, scratch, &mut |_, point, normal, gap| {
                if normal.dot(&out) < -FLAT {
                    emit(name(facet_word(facet as u32), 0), point, normal, gap);
                }
            });
        }
    }
    for (vertex, around) in skin.sharp() {
        let place = pose.to_world(&skin.vertices()[vertex as usize]);
        if within(&place) {
            let rotation = pose.rotation();
            let at = Pose::at(place);
            solids::table((&Shape::Point, &at), other, alert, scratch, &mut |_, point, normal, gap| {
                let lies = |&facet: &u32| (rotation * skin.normal(facet as usize)).dot(&normal) <= -FLAT;
                let corners = around.iter().flat_map(|&f| (0..D).map(move |k| skin.corner(f as usize, k)));
                let first = { corners }.all(|c| (pose.to_world(c) - place).dot(&normal) >= 0.0);
                if first && !around.iter().any(lies) {
                    emit(name(vertex_word(vertex), 0), point, normal, gap);
                }
            });
        }
    }
}

/// The balls that a shape ends in: its caps or rounded corners.
fn balls<const D: usize>((shape, pose): PlacedShape<D>) -> Vec<(Vector<D>, f64)> {
    match shape {
        Shape::Ball { radius } => vec![(pose.position, *radius)],
        Shape::Point => vec![(pose.position, 0.0)],
        Shape::Capsule { half_length, radius } => {
            let end = pose.rotation().column(D - 1) * *half_length;
            vec![(pose.position - end, *radius), (pose.position + end, *radius)]
        }
        Shape::Rounded { core, radius } => {
            core.vertices().iter().map(|vertex| (pose.to_world(vertex), *radius)).collect()
        }
        _ => Vec::new(),
    }
}

/// The facet nearest to a point of the body's frame, and the nearest point of it; of facets alike, the one
/// that faces the point most.
fn nearest<const D: usize>(skin: &SkinShape<D>, point: &Vector<D>) -> Option<(usize, Vector<D>)> {
    let mut best: Option<(f64, f64, usize, Vector<D>)> = None;
    for facet in 0..skin.facet_count() {
        let weights = skin.weights(facet, point);
        let place = (0..D).fold(Vector::zeros(), |sum, rank| sum + skin.corner(facet, rank) * weights[rank]);
        let away = point - place;
        let (distance, facing) = (away.norm(), away.dot(&skin.normal(facet)).abs());
        let better = best.as_ref().is_none_or(|(least, most, ..)| {
            distance < least * (1.0 - 1e-12) || (distance <= least * (1.0 + 1e-12) && facing > *most)
        });
        if better {
            best = Some((distance, facing, facet, place));
        }
    }
    best.map(|(_, _, facet, place)| (facet, place))
}
