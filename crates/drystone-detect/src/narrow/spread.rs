//! Contacts spread over a skin: pressures that are linear over the facets around each vertex, and gaps and
//! velocities weighed with them (mortar contact). Which contacts there are is decided by `skin`.

use drystone_geometry::aabb::{Aabb, Bounds, bounds};
use drystone_geometry::{Shape, SkinShape};
use drystone_math::{Matrix, Pose, Vector};
use std::ops::Range;

use crate::narrow::flats::{FLAT, Flats, OverlapPoint, SLIVER, facet_rule, overlap};
use crate::narrow::folds::near_facets;
use crate::narrow::half_space::up;
use crate::narrow::skin::{ROUNDING, deepest, facet_of_word, flats, sides_of_box};

/// A place on a facet of a skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacetPlace {
    /// Number of the facet.
    pub facet: u32,
    /// Weights of its corners.
    pub weights: [f64; 3],
}

/// A point where a spread contact holds both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpreadPoint {
    /// On the skin whose sheet it is.
    pub own: FacetPlace,
    /// On the other side, where that is a skin.
    pub other: Option<FacetPlace>,
    /// Its share; all together are one.
    pub share: f64,
}

/// A contact spread over the facets around a vertex of a skin.
///
/// The pressure of the contact is `p φ`, φ the linear function that is one at the vertex and zero at all
/// others; the gap, the point and the velocities of both sides are means with the weight φ over where the
/// facets lie on the other side. The sum of all such pressures may be any that is linear on each facet, a
/// uniform one among them, and none but zero loads no node: the shares of single contacts are determined
/// (Puso, Laursen 2004, with multipliers on the skin that has the smaller facets).
#[derive(Clone, Debug, PartialEq)]
pub struct SpreadContact<const D: usize> {
    /// Half way between the sides \[m\].
    pub point: Vector<D>,
    /// Unit normal to the skin, from the other side.
    pub normal: Vector<D>,
    /// Distance along it \[m\].
    pub gap: f64,
    /// Integral of φ \[m²\], in the plane \[m\] for a depth of 1 m, of bodies of revolution once around: the
    /// impulse over it and over the step is the pressure at the vertex.
    pub area: f64,
    /// Where it holds the sides.
    pub points: Vec<SpreadPoint>,
}

/// A skin and something flat, in world axes.
pub struct SkinPair<'a, const D: usize> {
    skin: &'a SkinShape<D>,
    at: Vec<Vector<D>>,
    other: Other<D>,
    /// Sheets with a facet that comes near the other side.
    near: Vec<u32>,
    deepest: f64,
    rotation: Matrix<D, D>,
    /// Points of the rules over facets of the skin, and where those of each facet are, once they were asked
    /// for: all its sheets share them.
    points: Vec<RulePoint<D>>,
    of_facet: Vec<Option<Range<usize>>>,
    /// Points of the sheet that is looked at, with its share in each.
    found: Vec<(usize, f64)>,
    rule: Vec<OverlapPoint<D>>,
}

enum Other<const D: usize> {
    /// A half-space, by its normal and a point of its plane.
    Plane(Vector<D>, Vector<D>),
    /// Facets, of a rigid body or of a skin.
    Facets { flats: Flats<D>, of_skin: bool },
    /// The same skin, with those facets of it that each may meet.
    Own { flats: Flats<D>, near: Vec<Vec<u32>> },
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

impl<'a, const D: usize> SkinPair<'a, D> {
    /// A skin and what it lies on; none where the first is no skin, the second is not flat or they are
    /// farther apart than `reach` \[m\]. Right for contacts whose gap is at most that.
    pub fn new(one: (&'a Shape<D>, &Pose<D>), other: (&'a Shape<D>, &Pose<D>), reach: f64) -> Option<Self> {
        Self::among(one, other, reach, None)
    }

    /// The same for sheets of the skin that were found to touch: no others are looked for.
    pub fn of_sheets(
        one: (&'a Shape<D>, &Pose<D>),
        other: (&'a Shape<D>, &Pose<D>),
        reach: f64,
        sheets: Vec<u32>,
    ) -> Option<Self> {
        Self::among(one, other, reach, Some(sheets))
    }

    fn among(
        (shape, pose): (&'a Shape<D>, &Pose<D>),
        other: (&'a Shape<D>, &Pose<D>),
        reach: f64,
        sheets: Option<Vec<u32>>,
    ) -> Option<Self> {
        let Shape::Skin(skin) = shape else { return None };
        let deepest = deepest(shape).min(deepest(other.0));
        let mut own = Self::placed(skin, pose, deepest);
        own.other = match other.0 {
            Shape::HalfSpace => Other::Plane(up(other.1), other.1.position),
            Shape::Skin(_) | Shape::Polytope(_) | Shape::Surface(_) => {
                Other::Facets { flats: Flats::default(), of_skin: matches!(other.0, Shape::Skin(_)) }
            }
            _ => return None,
        };
        // a gap found before is of the same places but for rounding
        let places = own.at.first().map_or(0.0, Vector::norm) + other.1.position.norm();
        let reach = reach + ROUNDING * (places + skin.bounding_radius());
        own.near = match sheets {
            Some(mut sheets) => {
                sheets.retain(|&sheet| (sheet as usize) < skin.sheets().len());
                sheets
            }
            None => own.sheets_near(other, reach),
        };
        if own.near.is_empty() {
            return None;
        }
        let near = own.around_near_sheets(reach);
        if let Other::Facets { flats: of, .. } = &mut own.other {
            *of = flats(other, &near);
        }
        Some(own)
    }

    /// A skin and itself; none where it is no skin or does not touch itself. Right for contacts whose gap is
    /// at most `reach` \[m\].
    pub fn with_itself((shape, pose): (&'a Shape<D>, &Pose<D>), reach: f64) -> Option<Self> {
        let Shape::Skin(skin) = shape else { return None };
        let deepest = skin.own_depth()?;
        let mut own = Self::placed(skin, pose, deepest);
        let everywhere = Vector::repeat(f64::INFINITY);
        let flats = flats((shape, pose), &Aabb { low: -everywhere, high: everywhere });
        // what is farther than the nearest by more than the size of the facets does not count
        let edges = (0..skin.facet_count()).flat_map(|facet| {
            (0..D).map(move |k| (skin.corner(facet, k) - skin.corner(facet, (k + 1) % D)).norm())
        });
        let near = near_facets(skin, reach.max(deepest) + edges.fold(0.0, f64::max));
        own.other = Other::Own { flats, near };
        Some(own)
    }

    fn placed(skin: &'a SkinShape<D>, pose: &Pose<D>, deepest: f64) -> Self {
        let rotation = pose.rotation();
        Self {
            skin,
            at: skin.vertices().iter().map(|vertex| pose.position + rotation * vertex).collect(),
            other: Other::Facets { flats: Flats::default(), of_skin: false },
            near: Vec::new(),
            deepest,
            rotation,
            points: Vec::new(),
            of_facet: vec![None; skin.facet_count()],
            found: Vec::new(),
            rule: Vec::new(),
        }
    }

    /// Sheets with a facet that comes so near to the other side.
    fn sheets_near(&self, other: (&Shape<D>, &Pose<D>), reach: f64) -> Vec<u32> {
        let facets = 0..self.skin.facet_count() as u32;
        let near: Vec<bool> = match &self.other {
            Other::Plane(normal, origin) => {
                let is_low = |corner: &Vector<D>| (corner - origin).dot(normal) <= reach;
                facets.map(|facet| self.corners(facet).iter().any(is_low)).collect()
            }
            _ => {
                let within = bounds(other.0, other.1, reach);
                let sides: Vec<u32> = self.at.iter().map(|point| sides_of_box(point, &within.aabb)).collect();
                let of = |facet: &[u32]| facet.iter().fold(u32::MAX, |all, &at| all & sides[at as usize]);
                let in_box = |facet: u32| of(&self.skin.facets()[facet as usize][..D]) == 0;
                facets.map(|facet| in_box(facet) && in_ball(&self.corners(facet), &within)).collect()
            }
        };
        let sheets = (0..).zip(self.skin.sheets());
        sheets.filter(|(_, (_, of))| of.iter().any(|&facet| near[facet as usize])).map(|(k, _)| k).collect()
    }

    /// Box around all of the other side that counts for sheets that come near: what is farther from them than
    /// the deepest overlap, or than the nearest by more than the size of facets, does not.
    fn around_near_sheets(&self, reach: f64) -> Aabb<D> {
        let everywhere = Vector::repeat(f64::INFINITY);
        let (mut all, mut longest): (Aabb<D>, f64) = (Aabb { low: everywhere, high: -everywhere }, 0.0);
        for &facet in self.near.iter().flat_map(|&sheet| &self.skin.sheets()[sheet as usize].1) {
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

    /// The contacts of all sheets that come near, with their numbers.
    pub(super) fn each_touch(&mut self, mut each: impl FnMut(u32, SheetTouch<D>)) {
        for index in 0..self.near.len() {
            let sheet = self.near[index];
            if let Some(found) = self.touch(sheet) {
                each(sheet, found);
            }
        }
    }

    fn corners(&self, facet: u32) -> [Vector<D>; D] {
        let of = &self.skin.facets()[facet as usize];
        std::array::from_fn(|rank| self.at[of[rank] as usize])
    }

    /// The contact of a sheet, by its number; none where none of its facets lies on the other side.
    ///
    /// Parts of the other side that are farther than the nearest one by more than the size of the facets do
    /// not count.
    pub fn spread(&mut self, sheet: u32) -> Option<SpreadContact<D>> {
        let SheetTouch { point, normal, gap, area } = self.touch(sheet)?;
        let part = |&(index, share): &(usize, f64)| {
            let RulePoint { own, other, .. } = self.points[index];
            SpreadPoint { own, other, share: share / area }
        };
        Some(SpreadContact { point, normal, gap, area, points: self.found.iter().map(part).collect() })
    }

    /// The same, without where it holds the sides.
    pub(super) fn touch(&mut self, sheet: u32) -> Option<SheetTouch<D>> {
        let skin = self.skin;
        let (vertex, facets) = skin.sheets().get(sheet as usize)?;
        self.found.clear();
        for &facet in facets {
            let points = self.rule_over(facet);
            let rank = skin.facets()[facet as usize][..D].iter().position(|of| of == vertex)?;
            let share = |index: usize| self.points[index].weight * self.points[index].own.weights[rank];
            self.found.extend(points.map(|index| (index, share(index))));
        }
        if self.found.is_empty() {
            return None;
        }
        let (mut whole, mut size) = (0.0, 0.0_f64);
        for &facet in facets {
            let corners = self.corners(facet);
            let middle = corners.iter().fold(Vector::zeros(), |sum, corner| sum + corner) / D as f64;
            whole += skin.area(facet as usize) * skin.way_around(&middle) / D as f64;
            size = (0..D).map(|k| (corners[k] - corners[(k + 1) % D]).norm()).fold(size, f64::max);
        }
        let points = &self.points;
        let least = self.found.iter().map(|one| points[one.0].gap).fold(f64::INFINITY, f64::min);
        self.found.retain(|one| points[one.0].gap <= least + size);
        let area: f64 = self.found.iter().map(|one| one.1).sum();
        if area <= SLIVER * whole {
            return None;
        }
        let mut whole = SheetTouch { point: Vector::zeros(), normal: Vector::zeros(), gap: 0.0, area };
        for &(index, share) in &self.found {
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
        if let Some(known) = &self.of_facet[facet as usize] {
            return known.clone();
        }
        let corners = &self.corners(facet);
        let first = self.points.len();
        let own_normal = self.rotation * self.skin.normal(facet as usize);
        let (skin, deepest, points) = (self.skin, self.deepest, &mut self.points);
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
            Other::Facets { flats, of_skin } => {
                let all = 0..flats.flats.len();
                overlaps((corners, &own_normal), flats, all, *of_skin, &mut self.rule, &mut add);
            }
            Other::Own { flats, near } => {
                let near = near[facet as usize].iter().map(|&index| index as usize);
                overlaps((corners, &own_normal), flats, near, true, &mut self.rule, &mut add);
            }
        }
        let known = first..self.points.len();
        self.of_facet[facet as usize] = Some(known.clone());
        known
    }
}

/// Whether a facet reaches into the ball of some bounds: not where it lies beyond a plane that touches the
/// ball.
fn in_ball<const D: usize>(corners: &[Vector<D>; D], Bounds { aabb, radius }: &Bounds<D>) -> bool {
    let centre = aabb.middle();
    let way = corners.iter().fold(Vector::zeros(), |sum, corner| sum + corner) / D as f64 - centre;
    let edge = radius * way.norm();
    corners.iter().any(|corner| (corner - centre).dot(&way) <= edge)
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
mod tests {
    use super::*;

    /// A box with its faces cut, as a skin; `cuts` along x in the plane, along x and y in space.
    fn plane_box(cuts: u32) -> Shape<2> {
        let at = |k: u32, y: f64| Vector::<2>::new(f64::from(k) / f64::from(cuts) - 0.5, y);
        let lower = (0..=cuts).map(|k| at(k, 0.0));
        let vertices = lower.chain((0..=cuts).rev().map(|k| at(k, 1.0))).collect::<Vec<_>>();
        let count = vertices.len() as u32;
        SkinShape::new(vertices, (0..count).map(|k| [k, (k + 1) % count, 0]).collect()).unwrap().into()
    }

    fn space_box(cuts: u32) -> Shape<3> {
        let (mut vertices, mut facets) = (Vec::new(), Vec::new());
        let along = |k: u32| f64::from(k) / f64::from(cuts) - 0.5;
        for (level, z) in [0.0, 1.0].into_iter().enumerate() {
            let first = vertices.len() as u32;
            for (i, j) in (0..=cuts).flat_map(|i| (0..=cuts).map(move |j| (i, j))) {
                vertices.push(Vector::<3>::new(along(i), along(j), z));
            }
            for (i, j) in (0..cuts).flat_map(|i| (0..cuts).map(move |j| (i, j))) {
                let at = |i: u32, j: u32| first + i * (cuts + 1) + j;
                let square = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
                for [a, b, c] in [[0, 1, 2], [0, 2, 3]] {
                    facets.push([
                        square[a],
                        square[if level == 0 { b } else { c }],
                        square[if level == 0 { c } else { b }],
                    ]);
                }
            }
        }
        SkinShape::new(vertices, facets).unwrap().into()
    }

    /// A uniform pressure of one: what it loads the vertices of both sides with is their share of the faces.
    fn uniform<const D: usize>(upper: &Shape<D>, lower: &Shape<D>, lift: Vector<D>) {
        let (above, below) = (Pose::at(lift), Pose::identity());
        let mut pair = SkinPair::new((upper, &above), (lower, &below), 1.0).unwrap();
        let (Shape::Skin(skin), under) = (upper, lower) else { panic!() };
        let mut loads = [vec![0.0; skin.vertices().len()], vec![0.0; 1000]];
        let mut area = 0.0;
        for spread in (0..skin.sheets().len() as u32).filter_map(|sheet| pair.spread(sheet)) {
            assert!((spread.gap - 0.1).abs() < 1e-14, "{}", spread.gap);
            assert!((spread.points.iter().map(|point| point.share).sum::<f64>() - 1.0).abs() < 1e-14);
            area += spread.area;
            for point in &spread.points {
                for rank in 0..D {
                    let vertex = skin.facets()[point.own.facet as usize][rank] as usize;
                    loads[0][vertex] += spread.area * point.share * point.own.weights[rank];
                    if let (Shape::Skin(under), Some(other)) = (under, point.other) {
                        let vertex = under.facets()[other.facet as usize][rank] as usize;
                        loads[1][vertex] += spread.area * point.share * other.weights[rank];
                    }
                }
            }
        }
        assert!((area - 1.0).abs() < 1e-14, "{area}");
        let sides = [(upper, -1.0), (lower, 1.0)];
        for ((shape, way), loads) in sides.into_iter().zip(&loads) {
            let Shape::Skin(skin) = shape else { continue };
            let mut expected = vec![0.0; loads.len()];
            let facing = |facet: &usize| skin.normal(*facet)[D - 1] * way > 0.5;
            for facet in (0..skin.facet_count()).filter(facing) {
                let share = skin.area(facet) / D as f64;
                (0..D).for_each(|rank| expected[skin.facets()[facet][rank] as usize] += share);
            }
            assert!(loads.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-14), "{loads:?}");
        }
    }

    #[test]
    fn a_uniform_pressure_loads_both_sides_uniformly() {
        let up = Vector::<2>::new(0.0, 1.1);
        uniform(&plane_box(7), &plane_box(5), up);
        uniform(&plane_box(4), &plane_box(4), up);
        uniform(&plane_box(3), &Shape::HalfSpace, Vector::<2>::new(0.0, 0.1));
        let up = Vector::<3>::new(0.0, 0.0, 1.1);
        uniform(&space_box(3), &space_box(2), up);
        uniform(&space_box(2), &Shape::HalfSpace, Vector::<3>::new(0.0, 0.0, 0.1));
    }

    /// A disk of so many facets, in places with a dent.
    fn disk(count: u32, radius: f64) -> Shape<2> {
        let at = |k: u32| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(count)).sin_cos();
            Vector::<2>::new(cos, sin) * radius * if k.is_multiple_of(5) { 0.98 } else { 1.0 }
        };
        SkinShape::new((0..count).map(at).collect(), (0..count).map(|k| [k, (k + 1) % count, 0]).collect())
            .unwrap()
            .into()
    }

    /// What is near is found among all sheets and all of the other side, with the same bits.
    fn near_is_all<const D: usize>(
        a: &Shape<D>,
        b: &Shape<D>,
        poses: impl Iterator<Item = Pose<D>>,
    ) -> [u32; 2] {
        let Shape::Skin(skin) = a else { panic!() };
        let (alert, below) = (0.01, Pose::identity());
        let bits = |sheet: u32, found: &SheetTouch<D>| {
            (sheet, found.point.map(f64::to_bits), found.normal.map(f64::to_bits), found.gap.to_bits())
        };
        let mut counts = [0; 2];
        for pose in poses {
            let mut whole = SkinPair::new((a, &pose), (b, &below), 1e3).unwrap();
            let all = (0..skin.sheets().len() as u32)
                .filter_map(|sheet| Some((sheet, whole.touch(sheet).filter(|found| found.gap <= alert)?)));
            let expected: Vec<_> = all.map(|(sheet, found)| bits(sheet, &found)).collect();
            let mut found = Vec::new();
            if let Some(mut pair) = SkinPair::new((a, &pose), (b, &below), alert) {
                counts[1] += u32::from(pair.near.len() < skin.sheets().len());
                pair.each_touch(|sheet, touch| {
                    if touch.gap <= alert {
                        found.push(bits(sheet, &touch));
                    }
                });
            }
            assert_eq!(found, expected, "{pose:?}");
            counts[0] += u32::from(!found.is_empty());
            // the same again, given how far they are
            let gaps = found.iter().map(|one| f64::from_bits(one.3));
            let mut again = SkinPair::new((a, &pose), (b, &below), gaps.fold(0.0, f64::max));
            let touch = |pair: &mut SkinPair<D>, sheet: u32| Some(bits(sheet, &pair.touch(sheet)?));
            let again = found.iter().filter_map(|one| touch(again.as_mut()?, one.0));
            assert_eq!(again.collect::<Vec<_>>(), found, "{pose:?}");
            // and the same sheets alone
            let gaps = found.iter().map(|one| f64::from_bits(one.3));
            let sheets = found.iter().map(|one| one.0).collect();
            let mut alone = SkinPair::of_sheets((a, &pose), (b, &below), gaps.fold(0.0, f64::max), sheets);
            let alone = found.iter().filter_map(|one| touch(alone.as_mut()?, one.0));
            assert_eq!(alone.collect::<Vec<_>>(), found, "{pose:?}");
        }
        counts
    }

    #[test]
    fn sheets_that_are_left_out_do_not_touch() {
        let around = |apart: f64| {
            (0..200).map(move |k| {
                let (sin, cos) = (0.7 * f64::from(k)).sin_cos();
                let mut pose = Pose::<2>::at(Vector::<2>::new(cos, sin) * (apart + 5e-4 * f64::from(k % 60)));
                pose.orientation = Pose::<2>::orientation_from_wxyz([cos, 0.0, 0.0, sin]);
                pose
            })
        };
        let [found, fewer] = near_is_all(&disk(31, 0.1), &disk(40, 0.15), around(0.235));
        assert!(found > 100 && found < 200 && fewer > 150, "{found} {fewer}");
        near_is_all(&plane_box(7), &disk(40, 0.15), around(0.9));
        let above =
            |k: i32| Pose::<3>::at(Vector::<3>::new(0.01 * f64::from(k), 0.4, 0.99 + 1e-3 * f64::from(k)));
        let [found, _] = near_is_all(&space_box(3), &space_box(2), (0..40).map(above));
        assert!(found > 15 && found < 25, "{found}");
    }
}
