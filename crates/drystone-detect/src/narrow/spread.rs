//! Contacts spread over a skin: pressures that are linear over the facets around each vertex, and gaps and
//! velocities weighed with them (mortar contact). Which contacts there are is decided by `skin`.

mod near;

use drystone_geometry::aabb::Aabb;
use drystone_geometry::{Shape, SkinShape};
use drystone_math::{Matrix, Pose, Vector};
use std::ops::Range;

use crate::narrow::flats::{FLAT, Flats, OverlapPoint, SLIVER, facet_rule, overlap};
use crate::narrow::folds::near_facets;
use crate::narrow::half_space::up;
use crate::narrow::skin::{CornerBuffers, ROUNDING, deepest, facet_of_word, flats_into};
use crate::narrow::spreads::{FacetPlace, SpreadContact, SpreadPoint, Spreads};

/// A skin and something flat, in world axes.
pub struct SkinPair<'a, const D: usize> {
    skin: &'a SkinShape<D>,
    other: Other<D>,
    deepest: f64,
    position: Vector<D>,
    rotation: Matrix<D, D>,
    buffers: &'a mut SkinBuffers<D>,
}

/// What a [`SkinPair`] works in, kept from pair to pair.
#[derive(Default)]
pub struct SkinBuffers<const D: usize> {
    /// Sheets with a facet that comes near the other side, and which facets do.
    near: Vec<u32>,
    is_near: Vec<bool>,
    /// Vertices that are far enough towards the other side.
    is_front: Vec<bool>,
    /// Facets of the other side, and what it takes to find them.
    flats: Flats<D>,
    corners: CornerBuffers,
    /// Points of the rules over facets of the skin, and what of each facet its sheets share, once one of them
    /// asked for it.
    points: Vec<RulePoint<D>>,
    of_facet: Vec<AskedFacet>,
    /// Points of the sheet that is looked at, with its share in each.
    found: Vec<(usize, f64)>,
    rule: Vec<OverlapPoint<D>>,
    /// Spread contacts of the last pair that were found to touch, see [`SkinPair::each_touch`].
    kept: Spreads,
}

/// A facet that a sheet asked for.
#[derive(Clone, Copy)]
struct AskedFacet {
    /// Where its points begin, and where they end.
    points: [u32; 2],
    /// The share of each of its sheets in its area \[m²\], and its longest side \[m\].
    share: f64,
    size: f64,
}

/// In the place of one that nobody asked for.
const NOT_ASKED: AskedFacet = AskedFacet { points: [u32::MAX; 2], share: 0.0, size: 0.0 };

enum Other<const D: usize> {
    /// A half-space, by its normal and a point of its plane.
    Plane(Vector<D>, Vector<D>),
    /// Facets, of a rigid body or of a skin.
    Facets { of_skin: bool },
    /// The same skin, with those facets of it that each may meet.
    Own { near: Vec<Vec<u32>> },
}

/// A point of the rule over a facet, before the far ones are left out.
struct RulePoint<const D: usize> {
    own: FacetPlace,
    other: Option<FacetPlace>,
    weight: f64,
    on: [Vector<D>; 2],
    normal: Vector<D>,
    gap: f64,
}

/// The contact of a sheet as a whole.
pub(super) struct SheetTouch<const D: usize> {
    pub point: Vector<D>,
    pub normal: Vector<D>,
    pub gap: f64,
    area: f64,
}

impl<const D: usize> SkinBuffers<D> {
    /// Forgets the spread contacts of the last pair.
    pub(super) fn forget_spreads(&mut self) {
        self.kept.clear();
    }

    /// How the contacts of the last pair are spread.
    pub(super) fn spreads(&self) -> &Spreads {
        &self.kept
    }
}

impl<'a, const D: usize> SkinPair<'a, D> {
    /// A skin and what it lies on; none where the first is no skin, the second is not flat or they are
    /// farther apart than `reach` \[m\]. Right for contacts whose gap is at most that.
    pub fn new(
        one: (&'a Shape<D>, &Pose<D>),
        other: (&'a Shape<D>, &Pose<D>),
        reach: f64,
        buffers: &'a mut SkinBuffers<D>,
    ) -> Option<Self> {
        Self::among(one, other, reach, None::<std::iter::Empty<u32>>, buffers)
    }

    /// The same for sheets of the skin that were found to touch: no others are looked for.
    pub fn of_sheets(
        one: (&'a Shape<D>, &Pose<D>),
        other: (&'a Shape<D>, &Pose<D>),
        reach: f64,
        sheets: impl Iterator<Item = u32>,
        buffers: &'a mut SkinBuffers<D>,
    ) -> Option<Self> {
        Self::among(one, other, reach, Some(sheets), buffers)
    }

    fn among(
        one: (&'a Shape<D>, &Pose<D>),
        other: (&'a Shape<D>, &Pose<D>),
        reach: f64,
        sheets: Option<impl Iterator<Item = u32>>,
        buffers: &'a mut SkinBuffers<D>,
    ) -> Option<Self> {
        let Shape::Skin(skin) = one.0 else { return None };
        let what = match other.0 {
            Shape::HalfSpace => Other::Plane(up(other.1), other.1.position),
            Shape::Skin(_) | Shape::Polytope(_) | Shape::Surface(_) => {
                Other::Facets { of_skin: matches!(other.0, Shape::Skin(_)) }
            }
            _ => return None,
        };
        // a gap found before is of the same places but for rounding
        let places = one.1.position.norm() + other.1.position.norm();
        let reach = reach + ROUNDING * (places + 2.0 * skin.bounding_radius());
        match sheets {
            Some(sheets) => {
                buffers.near.clear();
                buffers.near.extend(sheets.filter(|&sheet| (sheet as usize) < skin.sheets().len()));
            }
            None => buffers.find_near_sheets((skin, one.1), other, reach),
        }
        if buffers.near.is_empty() {
            return None;
        }
        let deepest = deepest(one.0).min(deepest(other.0));
        let own = Self::placed((skin, one.1), what, deepest, buffers);
        if let Other::Facets { .. } = own.other {
            let near = own.around_near_sheets(reach);
            flats_into(other, &near, &mut own.buffers.flats, &mut own.buffers.corners);
        }
        Some(own)
    }

    /// A skin and itself; none where it is no skin or does not touch itself. Right for contacts whose gap is
    /// at most `reach` \[m\].
    pub fn with_itself(
        (shape, pose): (&'a Shape<D>, &Pose<D>),
        reach: f64,
        buffers: &'a mut SkinBuffers<D>,
    ) -> Option<Self> {
        let Shape::Skin(skin) = shape else { return None };
        let deepest = skin.own_depth()?;
        // what is farther than the nearest by more than the size of the facets does not count
        let edges = (0..skin.facet_count()).flat_map(|facet| {
            (0..D).map(move |k| (skin.corner(facet, k) - skin.corner(facet, (k + 1) % D)).norm())
        });
        let near = near_facets(skin, reach.max(deepest) + edges.fold(0.0, f64::max));
        let everywhere = Vector::repeat(f64::INFINITY);
        let all = Aabb { low: -everywhere, high: everywhere };
        let own = Self::placed((skin, pose), Other::Own { near }, deepest, buffers);
        flats_into((shape, pose), &all, &mut own.buffers.flats, &mut own.buffers.corners);
        Some(own)
    }

    fn placed(
        (skin, pose): (&'a SkinShape<D>, &Pose<D>),
        other: Other<D>,
        deepest: f64,
        buffers: &'a mut SkinBuffers<D>,
    ) -> Self {
        buffers.kept.clear();
        buffers.points.clear();
        buffers.of_facet.clear();
        buffers.of_facet.resize(skin.facet_count(), NOT_ASKED);
        Self { skin, other, deepest, position: pose.position, rotation: pose.rotation(), buffers }
    }

    /// Box around all of the other side that counts for sheets that come near: what is farther from them than
    /// the deepest overlap, or than the nearest by more than the size of facets, does not.
    fn around_near_sheets(&self, reach: f64) -> Aabb<D> {
        let everywhere = Vector::repeat(f64::INFINITY);
        let (mut all, mut longest): (Aabb<D>, f64) = (Aabb { low: everywhere, high: -everywhere }, 0.0);
        for &facet in self.buffers.near.iter().flat_map(|&sheet| &self.skin.sheets()[sheet as usize].1) {
            let corners: [Vector<D>; D] = self.corners(facet);
            for (k, corner) in corners.iter().enumerate() {
                (all.low, all.high) = (all.low.inf(corner), all.high.sup(corner));
                longest = longest.max((corner - corners[(k + 1) % D]).norm_squared());
            }
        }
        let apart = self.deepest.max(reach + longest.sqrt());
        Aabb { low: all.low.add_scalar(-apart), high: all.high.add_scalar(apart) }
    }

    /// Overlap beyond which facets are not those that touch \[m\].
    pub(super) fn deepest(&self) -> f64 {
        self.deepest
    }

    /// The contacts of all sheets that come near, with their numbers; keeps how those are spread of which it
    /// is told that they touch.
    pub(super) fn each_touch(&mut self, mut touches: impl FnMut(u32, &SheetTouch<D>) -> bool) {
        for index in 0..self.buffers.near.len() {
            let sheet = self.buffers.near[index];
            if let Some(found) = self.touch(sheet).filter(|found| touches(sheet, found)) {
                let SkinBuffers { kept, points, found: parts, .. } = &mut *self.buffers;
                kept.push(sheet, found.area, parts.iter().map(|part| spread_point(points, part, found.area)));
            }
        }
    }

    /// Corners of a facet in world axes. Few facets are asked for: no others are turned.
    #[inline]
    fn corners(&self, facet: u32) -> [Vector<D>; D] {
        std::array::from_fn(|rank| self.position + self.rotation * self.skin.corner(facet as usize, rank))
    }

    /// The contact of a sheet, by its number; none where none of its facets lies on the other side.
    ///
    /// Parts of the other side that are farther than the nearest one by more than the size of the facets do
    /// not count.
    pub fn spread(&mut self, sheet: u32) -> Option<SpreadContact<D>> {
        let SheetTouch { point, normal, gap, area } = self.touch(sheet)?;
        let SkinBuffers { points, found, .. } = &*self.buffers;
        let points = found.iter().map(|part| spread_point(points, part, area)).collect();
        Some(SpreadContact { point, normal, gap, area, points })
    }

    /// The same, without where it holds the sides.
    pub(super) fn touch(&mut self, sheet: u32) -> Option<SheetTouch<D>> {
        let skin = self.skin;
        let (vertex, facets) = skin.sheets().get(sheet as usize)?;
        self.buffers.found.clear();
        for &facet in facets {
            let points = self.rule_over(facet);
            let rank = skin.facets()[facet as usize][..D].iter().position(|of| of == vertex)?;
            let share = |index: usize| {
                self.buffers.points[index].weight * self.buffers.points[index].own.weights[rank]
            };
            self.buffers.found.extend(points.map(|index| (index, share(index))));
        }
        if self.buffers.found.is_empty() {
            return None;
        }
        let (mut whole, mut size) = (0.0, 0.0_f64);
        for asked in facets.iter().map(|&facet| &self.buffers.of_facet[facet as usize]) {
            whole += asked.share;
            size = size.max(asked.size);
        }
        let points = &self.buffers.points;
        let least = self.buffers.found.iter().map(|one| points[one.0].gap).fold(f64::INFINITY, f64::min);
        self.buffers.found.retain(|one| points[one.0].gap <= least + size);
        let area: f64 = self.buffers.found.iter().map(|one| one.1).sum();
        if area <= SLIVER * whole {
            return None;
        }
        let mut whole = SheetTouch { point: Vector::zeros(), normal: Vector::zeros(), gap: 0.0, area };
        for &(index, share) in &self.buffers.found {
            let (one, share) = (&points[index], share / area);
            whole.point += (one.on[0] + one.on[1]) * 0.5 * share;
            whole.normal += one.normal * share;
            whole.gap += one.gap * share;
        }
        whole.normal = whole.normal.normalize();
        Some(whole)
    }

    /// The points of the rule over a facet, as places among all points.
    fn rule_over(&mut self, facet: u32) -> Range<usize> {
        let [first, end] = self.buffers.of_facet[facet as usize].points;
        if [first, end] != NOT_ASKED.points {
            return first as usize..end as usize;
        }
        let corners = &self.corners(facet);
        let first = self.buffers.points.len();
        let own_normal = self.rotation * self.skin.normal(facet as usize);
        let (skin, deepest) = (self.skin, self.deepest);
        let SkinBuffers { points, rule, flats, .. } = &mut *self.buffers;
        let mut add = |on: [Vector<D>; 2], weight: f64, normal: Vector<D>, other: Option<FacetPlace>| {
            let gap = (on[0] - on[1]).dot(&normal);
            if gap >= -deepest {
                let own = FacetPlace { facet, weights: weights(corners, &on[0]) };
                let weight = weight * skin.way_around(&on[0]);
                points.push(RulePoint { own, other, weight, on, normal, gap });
            }
        };
        match &self.other {
            Other::Plane(normal, origin) if own_normal.dot(normal) <= -FLAT => {
                facet_rule(corners, &mut |at, weight| {
                    let under = at - normal * (at - origin).dot(normal);
                    add([at, under], -weight * own_normal.dot(normal), *normal, None);
                });
            }
            Other::Plane(..) => {}
            Other::Facets { of_skin } => {
                let all = 0..flats.flats.len();
                overlaps((corners, &own_normal), flats, all, *of_skin, rule, &mut add);
            }
            Other::Own { near } => {
                let near = near[facet as usize].iter().map(|&index| index as usize);
                overlaps((corners, &own_normal), flats, near, true, rule, &mut add);
            }
        }
        let end = self.buffers.points.len();
        let middle = corners.iter().fold(Vector::zeros(), |sum, corner| sum + corner) / D as f64;
        // a segment has one side
        let sides = (0..if D == 2 { 1 } else { D }).map(|k| (corners[k] - corners[(k + 1) % D]).norm());
        self.buffers.of_facet[facet as usize] = AskedFacet {
            points: [first as u32, end as u32],
            share: skin.area(facet as usize) * skin.way_around(&middle) / D as f64,
            size: sides.fold(0.0, f64::max),
        };
        first..end
    }
}

/// A point of a rule with its share in a sheet as part of a contact over an area.
fn spread_point<const D: usize>(
    points: &[RulePoint<D>],
    &(index, share): &(usize, f64),
    area: f64,
) -> SpreadPoint {
    let RulePoint { own, other, .. } = points[index];
    SpreadPoint { own, other, share: share / area }
}

/// Points of the rules over the overlaps of a facet with those of another body.
fn overlaps<const D: usize>(
    (corners, own_normal): (&[Vector<D>; D], &Vector<D>),
    flats: &Flats<D>,
    which: impl Iterator<Item = usize>,
    of_skin: bool,
    rule: &mut Vec<OverlapPoint<D>>,
    add: &mut impl FnMut([Vector<D>; 2], f64, Vector<D>, Option<FacetPlace>),
) {
    for flat in which.map(|index| &flats.flats[index]) {
        rule.clear();
        let under = flats.corners_of(flat);
        let Some(normal) = overlap((corners, own_normal), (under, &flat.normal), rule) else { continue };
        for point in rule.iter() {
            let other = of_skin.then(|| FacetPlace {
                facet: facet_of_word(flat.word),
                weights: weights(&std::array::from_fn(|rank| under[rank]), &point.on[1]),
            });
            add(point.on, point.weight, normal, other);
        }
    }
}

/// Weights of the corners of a facet at a point of it.
fn weights<const D: usize>(corners: &[Vector<D>; D], point: &Vector<D>) -> [f64; 3] {
    let (one, from) = (corners[1] - corners[0], point - corners[0]);
    if D == 2 {
        let share = from.dot(&one) / one.norm_squared();
        return [1.0 - share, share, 0.0];
    }
    let two = corners[D - 1] - corners[0];
    let (aa, ab, bb) = (one.norm_squared(), one.dot(&two), two.norm_squared());
    let (pa, pb) = (from.dot(&one), from.dot(&two));
    let size = aa * bb - ab * ab;
    let (s, t) = ((bb * pa - ab * pb) / size, (aa * pb - ab * pa) / size);
    [1.0 - s - t, s, t]
}

#[cfg(test)]
mod tests;
