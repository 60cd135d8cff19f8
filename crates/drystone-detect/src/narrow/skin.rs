//! Contacts of the boundary of a deformable body: with another one, with rigid solids and walls. One point in
//! the middle of every overlap of two facets, so that pressures are uniform where they should be; sharp
//! corners where nothing lies flat. Edges that cross in space, and a body with itself, are left out.

use drystone_geometry::aabb::{Aabb, aabb};
use drystone_geometry::{Polytope, Shape, SkinShape};
use drystone_math::{Pose, Vector};

use crate::ContactPoint;
use crate::narrow::facets::Facets;
use crate::narrow::flats::{FLAT, Flats, Overlap, height_over, overlap};
use crate::narrow::half_space::up;
use crate::narrow::scratch::Scratch;
use crate::narrow::solids::{self, PlacedShape, Receiver, exchanged};

/// What of a skin touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkinFeature {
    /// A facet, by its number.
    Facet(u32),
    /// A vertex, by its number.
    Vertex(u32),
}

const WORD: u64 = (1 << 31) - 1;

/// Name of a contact from those of what touches: exchanged as those of crossings are.
fn name(candidate: u32, antagonist: u32) -> u64 {
    3 << 62 | u64::from(candidate) << 31 | u64::from(antagonist)
}

/// What of a skin touches, from the name of the contact and the side the skin is on.
pub fn skin_feature(feature: u64, side: usize) -> SkinFeature {
    let word = (if side == 0 { feature >> 31 } else { feature } & WORD) as u32;
    if word.is_multiple_of(2) { SkinFeature::Facet(word / 2) } else { SkinFeature::Vertex(word / 2) }
}

/// Area over which a contact of a skin acts \[m²\], in the plane \[m\] for a depth of 1 m: that of the
/// overlap, else that of the facet, or the share of the vertex. `shapes` are those of the two sides with
/// their places; zero where neither is a skin.
pub fn skin_area<const D: usize>(shapes: [(&Shape<D>, &Pose<D>); 2], touch: &ContactPoint<D>) -> f64 {
    let facet = |side: usize| match (shapes[side].0, skin_feature(touch.feature, side)) {
        (Shape::Skin(skin), SkinFeature::Facet(facet)) => Some((skin, facet as usize)),
        _ => None,
    };
    let world = |side: usize| -> Option<(Vec<Vector<D>>, Vector<D>)> {
        let (shape, pose) = shapes[side];
        let word = if side == 0 { touch.feature >> 31 } else { touch.feature } & WORD;
        flat_of(shape, pose, word as u32)
    };
    if let (Some(a), Some(b)) = (world(0), world(1))
        && let Some(found) = overlap((&a.0, &a.1), (&b.0, &b.1))
    {
        return found.area;
    }
    if let Some((skin, facet)) = facet(0).or(facet(1)) {
        return skin.area(facet);
    }
    (0..2)
        .map(|side| match (shapes[side].0, skin_feature(touch.feature, side)) {
            (Shape::Skin(skin), SkinFeature::Vertex(vertex)) => skin.vertex_area(vertex),
            _ => 0.0,
        })
        .fold(0.0, f64::max)
}

/// A facet by its name: corners and normal in world axes.
fn flat_of<const D: usize>(
    shape: &Shape<D>,
    pose: &Pose<D>,
    word: u32,
) -> Option<(Vec<Vector<D>>, Vector<D>)> {
    if word % 2 == 1 {
        return None;
    }
    let (rotation, index) = (pose.rotation(), word as usize / 2);
    match shape {
        Shape::Skin(skin) if index < skin.facet_count() => Some((
            (0..D).map(|rank| pose.to_world(skin.corner(index, rank))).collect(),
            rotation * skin.normal(index),
        )),
        Shape::Polytope(form) => form.faces().get(index).map(|face| {
            let corners = (0..face.vertices.len()).map(|k| pose.to_world(form.corner(face, k)));
            (corners.collect(), rotation * face.normal)
        }),
        Shape::Surface(surface) => surface.elements().get(index).map(|piece| {
            let corners = (0..D).map(|rank| pose.to_world(surface.corner(piece, rank)));
            (corners.collect(), rotation * piece.normal)
        }),
        _ => None,
    }
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
        Shape::HalfSpace => on_half_space(skin, a.1, b.1, alert, emit),
        Shape::Skin(_) | Shape::Polytope(_) | Shape::Surface(_) => {
            let (extent_a, extent_b) = (aabb(a.0, a.1, alert), aabb(b.0, b.1, alert));
            if !extent_a.overlaps(&extent_b) {
                return;
            }
            let (one, two) = (flats(a, &extent_b), flats(b, &extent_a));
            let deepest = deepest(a.0).min(deepest(b.0));
            between(&one, &two, alert, deepest, emit);
        }
        other => on_round((skin, a.1), (other, b.1), alert, scratch, emit),
    }
}

/// Overlap up to which facets are those that touch, not the far sides of two bodies \[m\].
fn deepest<const D: usize>(shape: &Shape<D>) -> f64 {
    0.5 * match shape {
        Shape::Skin(skin) => skin.breadth(),
        Shape::Polytope(form) => {
            // the distance of the centre from the nearest face
            form.planes().iter().map(|[normal, corner]| normal.dot(corner)).fold(f64::INFINITY, f64::min)
        }
        _ => f64::INFINITY,
    }
}

/// The facets of a body near a box, in world axes, and its sharp vertices there.
fn flats<const D: usize>((shape, pose): PlacedShape<D>, near: &Aabb<D>) -> Flats<D> {
    let mut found = Flats::default();
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
    let mut place = Vec::new();
    match shape {
        Shape::Skin(skin) => {
            let at: Vec<Vector<D>> = skin.vertices().iter().map(world).collect();
            place.resize(skin.facet_count(), u32::MAX);
            for (index, facet) in skin.facets().iter().enumerate() {
                let corners: [Vector<D>; D] = std::array::from_fn(|rank| at[facet[rank] as usize]);
                if is_near(&corners) {
                    place[index] = found.flats.len() as u32;
                    found.push(index as u32 * 2, rotation * skin.normal(index), corners.into_iter());
                }
            }
            for (vertex, around) in skin.sharp().filter(|(vertex, _)| within(&at[*vertex as usize])) {
                let around = around.iter().map(|&facet| place[facet as usize]);
                found.sharp.push((vertex * 2 + 1, at[vertex as usize], around.collect()));
            }
        }
        Shape::Polytope(form) => {
            let at: Vec<Vector<D>> = form.vertices().iter().map(world).collect();
            let mut around = vec![Vec::new(); at.len()];
            for (index, face) in form.faces().iter().enumerate() {
                let corners = face.vertices.iter().map(|&vertex| at[vertex as usize]);
                let flat = found.flats.len() as u32;
                face.vertices.iter().for_each(|&vertex| around[vertex as usize].push(flat));
                found.push(index as u32 * 2, rotation * face.normal, corners);
            }
            let all = at.iter().zip(around).zip(0..);
            found.sharp.extend(all.map(|((at, around), vertex)| (vertex * 2 + 1, *at, around)));
        }
        Shape::Surface(surface) => {
            let mut around: std::collections::BTreeMap<u32, Vec<u32>> = Default::default();
            for (index, piece) in surface.elements().iter().enumerate() {
                let corners: [Vector<D>; D] = std::array::from_fn(|rank| world(surface.corner(piece, rank)));
                if is_near(&corners) {
                    let flat = found.flats.len() as u32;
                    piece.vertices.iter().for_each(|&vertex| around.entry(vertex).or_default().push(flat));
                    found.push(index as u32 * 2, rotation * piece.normal, corners.into_iter());
                }
            }
            for corner in surface.corners() {
                let at = world(&surface.vertices()[corner.vertex as usize]);
                if let Some(around) = around.remove(&corner.vertex).filter(|_| within(&at)) {
                    found.sharp.push((corner.vertex * 2 + 1, at, around));
                }
            }
        }
        _ => {}
    }
    found
}

/// All overlaps of facets, then the sharp vertices of either side.
fn between<const D: usize>(a: &Flats<D>, b: &Flats<D>, alert: f64, deepest: f64, emit: Receiver<D>) {
    let touching = |gap: f64| gap <= alert && gap >= -deepest;
    for one in &a.flats {
        for two in &b.flats {
            let corners = (a.corners_of(one), b.corners_of(two));
            if let Some(Overlap { point, normal, gap, .. }) =
                overlap((corners.0, &one.normal), (corners.1, &two.normal))
                && touching(gap)
            {
                emit(name(one.word, two.word), point, normal, gap);
            }
        }
    }
    corners_on(a, b, &touching, &mut |own, other, vertex, normal, gap| {
        emit(name(own, other), vertex - normal * (0.5 * gap), normal, gap);
    });
    corners_on(b, a, &touching, &mut |own, other, vertex, normal, gap| {
        emit(name(other, own), vertex - normal * (0.5 * gap), -normal, gap);
    });
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

/// Facets on a half-space by their middles, sharp vertices where none of theirs lies flat.
fn on_half_space<const D: usize>(
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
    let mut touch = |word: u32, local: &Vector<D>| {
        let gap = local.dot(&down) - base;
        if gap <= alert {
            emit(name(word, 0), pose.to_world(local) - normal * (0.5 * gap), normal, gap);
        }
    };
    for facet in (0..skin.facet_count() as u32).filter(|&facet| lies(facet)) {
        touch(facet * 2, &skin.middle(facet as usize));
    }
    for (vertex, around) in skin.sharp() {
        let at = skin.vertices()[vertex as usize];
        let corners = around.iter().flat_map(|&facet| (0..D).map(move |k| skin.corner(facet as usize, k)));
        let first = { corners }.all(|corner| (corner - at).dot(&down) >= 0.0);
        if first && !around.iter().any(|&facet| lies(facet)) {
            touch(vertex * 2 + 1, &at);
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
        emit(name(facet as u32 * 2, rank * 2), point, normal, gap);
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
                    emit(name(facet as u32 * 2, 0), point, normal, gap);
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
                    emit(name(vertex * 2 + 1, 0), point, normal, gap);
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
