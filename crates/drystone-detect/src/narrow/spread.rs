//! Contacts spread over a skin: pressures that are linear over the facets around each vertex, and gaps and
//! velocities weighed with them (mortar contact). Which contacts there are is decided by `skin`.

use drystone_geometry::aabb::Aabb;
use drystone_geometry::{Shape, SkinShape};
use drystone_math::{Pose, Vector};

use crate::narrow::flats::{FLAT, Flats, OverlapPoint, SLIVER, facet_rule, overlap};
use crate::narrow::folds::near_facets;
use crate::narrow::half_space::up;
use crate::narrow::skin::{deepest, facet_of_word, flats};

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
    normals: Vec<Vector<D>>,
    other: Other<D>,
    deepest: f64,
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
struct Candidate<const D: usize> {
    place: SpreadPoint,
    on: [Vector<D>; 2],
    normal: Vector<D>,
    gap: f64,
}

impl<'a, const D: usize> SkinPair<'a, D> {
    /// A skin and what it lies on; none where the first is no skin or the second is not flat.
    pub fn new((shape, pose): (&'a Shape<D>, &Pose<D>), other: (&'a Shape<D>, &Pose<D>)) -> Option<Self> {
        let Shape::Skin(skin) = shape else { return None };
        let rotation = pose.rotation();
        let ground = match other.0 {
            Shape::HalfSpace => Other::Plane(up(other.1), other.1.position),
            Shape::Skin(_) | Shape::Polytope(_) | Shape::Surface(_) => {
                let everywhere = Vector::repeat(f64::INFINITY);
                let flats = flats(other, &Aabb { low: -everywhere, high: everywhere });
                Other::Facets { flats, of_skin: matches!(other.0, Shape::Skin(_)) }
            }
            _ => return None,
        };
        Some(Self {
            skin,
            at: skin.vertices().iter().map(|vertex| pose.position + rotation * vertex).collect(),
            normals: (0..skin.facet_count()).map(|facet| rotation * skin.normal(facet)).collect(),
            other: ground,
            deepest: deepest(shape).min(deepest(other.0)),
        })
    }

    /// A skin and itself; none where it is no skin or does not touch itself. Right for contacts whose gap is
    /// at most `reach` \[m\].
    pub fn with_itself((shape, pose): (&'a Shape<D>, &Pose<D>), reach: f64) -> Option<Self> {
        let Shape::Skin(skin) = shape else { return None };
        let deepest = skin.own_depth()?;
        let rotation = pose.rotation();
        let everywhere = Vector::repeat(f64::INFINITY);
        let flats = flats((shape, pose), &Aabb { low: -everywhere, high: everywhere });
        // what is farther than the nearest by more than the size of the facets does not count
        let edges = (0..skin.facet_count()).flat_map(|facet| {
            (0..D).map(move |k| (skin.corner(facet, k) - skin.corner(facet, (k + 1) % D)).norm())
        });
        let near = near_facets(skin, reach.max(deepest) + edges.fold(0.0, f64::max));
        Some(Self {
            skin,
            at: skin.vertices().iter().map(|vertex| pose.position + rotation * vertex).collect(),
            normals: (0..skin.facet_count()).map(|facet| rotation * skin.normal(facet)).collect(),
            other: Other::Own { flats, near },
            deepest,
        })
    }

    /// Overlap beyond which facets are not those that touch \[m\].
    pub(super) fn deepest(&self) -> f64 {
        self.deepest
    }

    /// Whether the facets of a sheet come near a box.
    pub(super) fn is_near(&self, sheet: u32, near: &Aabb<D>) -> bool {
        let facets = &self.skin.sheets()[sheet as usize].1;
        facets.iter().any(|&facet| {
            let corners = self.corners(facet);
            (0..D).all(|axis| {
                corners.iter().any(|corner| corner[axis] <= near.high[axis])
                    && corners.iter().any(|corner| corner[axis] >= near.low[axis])
            })
        })
    }

    fn corners(&self, facet: u32) -> [Vector<D>; D] {
        let of = &self.skin.facets()[facet as usize];
        std::array::from_fn(|rank| self.at[of[rank] as usize])
    }

    /// The contact of a sheet, by its number; none where none of its facets lies on the other side.
    ///
    /// Parts of the other side that are farther than the nearest one by more than the size of the facets do
    /// not count.
    pub fn spread(&self, sheet: u32) -> Option<SpreadContact<D>> {
        let (vertex, facets) = self.skin.sheets().get(sheet as usize)?;
        let mut found = Vec::new();
        let (mut whole, mut size) = (0.0, 0.0_f64);
        for &facet in facets {
            let corners = self.corners(facet);
            let middle = corners.iter().fold(Vector::zeros(), |sum, corner| sum + corner) / D as f64;
            whole += self.skin.area(facet as usize) * self.skin.way_around(&middle) / D as f64;
            size = (0..D).map(|k| (corners[k] - corners[(k + 1) % D]).norm()).fold(size, f64::max);
            let rank = self.skin.facets()[facet as usize][..D].iter().position(|of| of == vertex)?;
            self.candidates(facet, &corners, rank, &mut found);
        }
        let least = found.iter().map(|one| one.gap).fold(f64::INFINITY, f64::min);
        found.retain(|one| one.gap <= least + size);
        let area: f64 = found.iter().map(|one| one.place.share).sum();
        if area <= SLIVER * whole {
            return None;
        }
        let mean = |of: &dyn Fn(&Candidate<D>) -> Vector<D>| {
            found.iter().fold(Vector::zeros(), |sum, one| sum + of(one) * (one.place.share / area))
        };
        let point = mean(&|one| (one.on[0] + one.on[1]) * 0.5);
        let normal = mean(&|one| one.normal).normalize();
        let gap = found.iter().map(|one| one.gap * (one.place.share / area)).sum();
        let part = |one: &Candidate<D>| SpreadPoint { share: one.place.share / area, ..one.place };
        Some(SpreadContact { point, normal, gap, area, points: found.iter().map(part).collect() })
    }

    /// The points of the rule over a facet, each with the weight of a corner.
    fn candidates(&self, facet: u32, corners: &[Vector<D>; D], rank: usize, found: &mut Vec<Candidate<D>>) {
        let own_normal = &self.normals[facet as usize];
        let mut add = |on: [Vector<D>; 2], weight: f64, normal: Vector<D>, other: Option<FacetPlace>| {
            let gap = (on[0] - on[1]).dot(&normal);
            if gap >= -self.deepest {
                let weights = weights(corners, &on[0]);
                let own = FacetPlace { facet, weights };
                let around = self.skin.way_around(&on[0]);
                let place = SpreadPoint { own, other, share: weight * around * weights[rank] };
                found.push(Candidate { place, on, normal, gap });
            }
        };
        let (flats, of_skin, near) = match &self.other {
            Other::Plane(normal, origin) => {
                if own_normal.dot(normal) <= -FLAT {
                    facet_rule(corners, &mut |at, weight| {
                        let under = at - normal * (at - origin).dot(normal);
                        add([at, under], -weight * own_normal.dot(normal), *normal, None);
                    });
                }
                return;
            }
            Other::Facets { flats, of_skin } => (flats, *of_skin, None),
            Other::Own { flats, near } => (flats, true, Some(&near[facet as usize])),
        };
        let mut rule: Vec<OverlapPoint<D>> = Vec::new();
        let count = near.map_or(flats.flats.len(), Vec::len);
        for index in (0..count).map(|k| near.map_or(k, |near| near[k] as usize)) {
            let flat = &flats.flats[index];
            rule.clear();
            let under = flats.corners_of(flat);
            let Some(normal) = overlap((corners, own_normal), (under, &flat.normal), &mut rule) else {
                continue;
            };
            for point in &rule {
                let other = of_skin.then(|| FacetPlace {
                    facet: facet_of_word(flat.word),
                    weights: weights(&std::array::from_fn(|rank| under[rank]), &point.on[1]),
                });
                add(point.on, point.weight, normal, other);
            }
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
        let pair = SkinPair::new((upper, &above), (lower, &below)).unwrap();
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
}
