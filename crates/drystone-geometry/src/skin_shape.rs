//! The boundary of a body whose vertices move, ready for contact. How the vertices move, and which nodes of a
//! mesh they are, is the body's business.

use crate::aabb::max_or_first;
use drystone_math::Vector;
use std::sync::Arc;

/// Cosine of the angle between two facets beyond which the vertices between them are sharp (30°): they touch
/// as vertices where no facet lies flat on the other body.
const SHARP: f64 = 0.866_025_403_784_438_6;

/// Largest distance from the middle, in breadths, of bodies whose ball says as much as their box does.
const ROUND: f64 = 1.2;

/// Boundary of a deformable body: vertices in the body's frame, and linear facets between them, segments in
/// the plane and triangles in space. It encloses the body.
///
/// Unlike a [`Surface`](crate::Surface) it merges nothing: every facet touches by itself, over an area of its
/// own, so that contact forces are spread as the pressure is.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SkinShape<const D: usize> {
    vertices: Vec<Vector<D>>,
    form: Arc<SkinForm>,
    radius: f64,
    breadth: f64,
    grain: f64,
}

/// What of a skin does not move.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct SkinForm {
    /// Vertices of each facet, of which the first `D` count.
    facets: Vec<[u32; 3]>,
    /// Vertices that are sharp, increasing.
    sharp: Vec<u32>,
    /// The facets around each sharp vertex.
    around: Vec<Vec<u32>>,
    /// Vertices, each with facets around it that lie within 30° of one another as the skin was made: one of
    /// a smooth vertex, several of a sharp one.
    sheets: Vec<(u32, Vec<u32>)>,
    /// Whether it goes around the axis x = 0 of the plane.
    #[cfg_attr(feature = "serde", serde(default))]
    around_axis: bool,
    /// How it touches itself, if it may.
    #[cfg_attr(feature = "serde", serde(default))]
    own: Option<OwnContact>,
}

/// How a skin touches itself.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct OwnContact {
    /// Place of what lies behind each facet along a direction, as the skin was made: the facet that comes
    /// first bears.
    order: Vec<f64>,
    /// Overlap up to which facets meet \[m\].
    deepest: f64,
}

/// A direction along which no two parts of a body that face each other are likely to lie alike.
const ALONG: [f64; 3] = [1.0, 0.618_033_988_749_894_9, 0.381_966_011_250_105_1];

/// How far behind facets, in lengths of their sides: farther than facets that overlap lie apart sideways.
const BEHIND: f64 = 4.0;

impl<const D: usize> SkinShape<D> {
    /// A skin of vertices \[m\] and facets that name them: the outer side is on the right of a segment, in
    /// front of a triangle whose vertices are seen counter-clockwise. None where a facet names a vertex that
    /// is not there.
    pub fn new(vertices: Vec<Vector<D>>, facets: Vec<[u32; 3]>) -> Option<Self> {
        let named = |facet: &[u32; 3]| facet[..D].iter().all(|&vertex| (vertex as usize) < vertices.len());
        if facets.is_empty() || !facets.iter().all(named) {
            return None;
        }
        let mut around = vec![Vec::new(); vertices.len()];
        for (index, facet) in (0..).zip(&facets) {
            facet[..D].iter().for_each(|&vertex| around[vertex as usize].push(index));
        }
        let mut own = Self {
            vertices,
            form: Arc::new(SkinForm { facets, ..SkinForm::default() }),
            radius: 0.0,
            breadth: 0.0,
            grain: 0.0,
        };
        let normals: Vec<Vector<D>> = (0..own.facet_count()).map(|facet| own.normal(facet)).collect();
        let is_sharp = |vertex: &u32| {
            let facets = &around[*vertex as usize];
            let pairs = facets.iter().flat_map(|one| facets.iter().map(move |two| (one, two)));
            let apart =
                |(one, two): (&u32, &u32)| normals[*one as usize].dot(&normals[*two as usize]) < SHARP;
            { pairs }.any(apart)
        };
        let sharp: Vec<u32> = (0..own.vertices.len() as u32).filter(is_sharp).collect();
        let mut sheets: Vec<(u32, Vec<u32>)> = Vec::new();
        for (vertex, facets) in (0..).zip(&around) {
            let first = sheets.len();
            for &facet in facets {
                let normal = &normals[facet as usize];
                let alike = |sheet: &&mut (u32, Vec<u32>)| normals[sheet.1[0] as usize].dot(normal) >= SHARP;
                match sheets[first..].iter_mut().find(alike) {
                    Some(sheet) => sheet.1.push(facet),
                    None => sheets.push((vertex, vec![facet])),
                }
            }
        }
        let kept = sharp.iter().map(|&vertex| std::mem::take(&mut around[vertex as usize])).collect();
        let facets = own.form.facets.clone();
        own.form = Arc::new(SkinForm { facets, sharp, around: kept, sheets, ..SkinForm::default() });
        own.radius = own.farthest();
        own.breadth = own.content_over_area();
        own.grain =
            (0..own.facet_count()).map(|facet| own.area(facet)).sum::<f64>() / own.facet_count() as f64;
        Some(own)
    }

    /// The same as the section of a body of revolution about the axis x = 0: contacts act once around it.
    pub fn around_axis(mut self) -> Self {
        Arc::make_mut(&mut self.form).around_axis = true;
        self
    }

    /// The same as one that may touch itself, as it stands now. Facets meet where they overlap by no more
    /// than `deepest` \[m\], which must be less than the body is thick anywhere: the two sides of a thin part
    /// face away from each other by its thickness, as if they overlapped by it.
    pub fn touching_itself(mut self, deepest: f64) -> Self {
        let along = Vector::<D>::from_fn(|axis, _| ALONG[axis]);
        // behind it, so that the two sides of a slit lie apart however facets overlap
        let behind = |facet: usize| self.middle(facet) - self.normal(facet) * (BEHIND * self.edge(facet));
        let order = (0..self.facet_count()).map(|facet| behind(facet).dot(&along)).collect();
        Arc::make_mut(&mut self.form).own = Some(OwnContact { order, deepest });
        self
    }

    /// Length of the first side of a facet \[m\].
    fn edge(&self, facet: usize) -> f64 {
        (self.corner(facet, 1) - self.corner(facet, 0)).norm()
    }

    /// Overlap up to which facets of the skin meet others of it \[m\]; none where it does not touch itself.
    pub fn own_depth(&self) -> Option<f64> {
        self.form.own.as_ref().map(|own| own.deepest)
    }

    /// Of two facets that meet, whether the vertices of the first bear the contacts: one of the two orders
    /// holds for parts that lie apart as the skin was made.
    pub fn bears(&self, facet: usize, other: usize) -> bool {
        let Some(OwnContact { order, .. }) = &self.form.own else { return false };
        order[facet].total_cmp(&order[other]).then(facet.cmp(&other)).is_lt()
    }

    /// Whether two facets have a vertex in common.
    pub fn are_neighbours(&self, one: usize, two: usize) -> bool {
        let [one, two] = [one, two].map(|facet| &self.form.facets[facet][..D]);
        one.iter().any(|vertex| two.contains(vertex))
    }

    /// Length of the way around that an area of the section stands for, at a point \[m\]; 1 m of depth of a
    /// body that is none of revolution, and 1 in space.
    #[inline]
    pub fn way_around(&self, point: &Vector<D>) -> f64 {
        if self.form.around_axis { std::f64::consts::TAU * point[0].max(0.0) } else { 1.0 }
    }

    /// Moves the vertices, in the body's frame \[m\]; as many as there are.
    pub fn set_vertices(&mut self, vertices: impl Iterator<Item = Vector<D>>) {
        let mut farthest = 0.0;
        for (own, new) in self.vertices.iter_mut().zip(vertices) {
            *own = new;
            farthest = max_or_first(farthest, new.norm_squared());
        }
        self.radius = farthest.sqrt();
    }

    /// `D` times the content over the boundary (divergence theorem).
    fn content_over_area(&self) -> f64 {
        let half = if D == 2 { 1.0 } else { 0.5 };
        let part = |facet: usize| self.directed(facet).dot(&self.middle(facet)) * half;
        let content = (0..self.facet_count()).map(part).sum::<f64>();
        content.abs() / (0..self.facet_count()).map(|facet| self.area(facet)).sum::<f64>()
    }

    /// About half the thickness of the body as it was made \[m\]: the radius of a disk or a ball, half a
    /// side of a cube, about the thickness of a plate.
    pub fn breadth(&self) -> f64 {
        self.breadth
    }

    /// Whether it is about as far across in all directions, so that its ball says as much as its box does.
    pub fn is_round(&self) -> bool {
        self.radius < ROUND * self.breadth
    }

    /// Mean area of its facets as it was made \[m²\], in the plane \[m\].
    pub fn grain(&self) -> f64 {
        self.grain
    }

    fn farthest(&self) -> f64 {
        self.vertices.iter().map(|vertex| vertex.norm_squared()).fold(0.0, f64::max).sqrt()
    }

    /// The vertices in the body's frame \[m\].
    pub fn vertices(&self) -> &[Vector<D>] {
        &self.vertices
    }

    /// Vertices of each facet, of which the first `D` count.
    pub fn facets(&self) -> &[[u32; 3]] {
        &self.form.facets
    }

    /// Number of facets.
    pub fn facet_count(&self) -> usize {
        self.form.facets.len()
    }

    /// Sharp vertices, each with the facets around it.
    pub fn sharp(&self) -> impl Iterator<Item = (u32, &[u32])> {
        self.form.sharp.iter().copied().zip(self.form.around.iter().map(Vec::as_slice))
    }

    /// Vertices with the facets around them, those of a sharp vertex apart by the directions they face.
    pub fn sheets(&self) -> &[(u32, Vec<u32>)] {
        &self.form.sheets
    }

    /// A corner of a facet.
    #[inline]
    pub fn corner(&self, facet: usize, rank: usize) -> &Vector<D> {
        &self.vertices[self.form.facets[facet][rank] as usize]
    }

    /// Middle of a facet.
    #[inline]
    pub fn middle(&self, facet: usize) -> Vector<D> {
        (0..D).fold(Vector::zeros(), |sum, rank| sum + self.corner(facet, rank)) / D as f64
    }

    /// Outer normal of a facet times its length or twice its area.
    #[inline]
    pub fn directed(&self, facet: usize) -> Vector<D> {
        let edge = |rank: usize| self.corner(facet, rank) - self.corner(facet, 0);
        if D == 2 {
            let along = edge(1);
            return Vector::from_fn(|axis, _| if axis == 0 { along[1] } else { -along[0] });
        }
        let (one, two) = (edge(1), edge(D - 1));
        Vector::from_fn(|axis, _| {
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            one[j] * two[k] - one[k] * two[j]
        })
    }

    /// Outer unit normal of a facet; zero where it has no extent.
    #[inline]
    pub fn normal(&self, facet: usize) -> Vector<D> {
        let directed = self.directed(facet);
        let norm = directed.norm();
        if norm > 0.0 { directed / norm } else { directed }
    }

    /// Length of a facet \[m\] for a depth of 1 m, in space its area \[m²\].
    #[inline]
    pub fn area(&self, facet: usize) -> f64 {
        self.directed(facet).norm() * if D == 2 { 1.0 } else { 0.5 }
    }

    /// Share of a vertex in the facets around it \[m²\].
    pub fn vertex_area(&self, vertex: u32) -> f64 {
        let found = self.sharp().find(|(sharp, _)| *sharp == vertex);
        let facets = found.map_or(&[][..], |(_, around)| around);
        facets.iter().map(|&facet| self.area(facet as usize)).sum::<f64>() / D as f64
    }

    /// Weights of the corners of a facet at the point of it nearest to another, in the body's frame.
    pub fn weights(&self, facet: usize, point: &Vector<D>) -> [f64; 3] {
        let origin = self.corner(facet, 0);
        let (one, from) = (self.corner(facet, 1) - origin, point - origin);
        if D == 2 {
            let share = (from.dot(&one) / one.norm_squared()).clamp(0.0, 1.0);
            return [1.0 - share, share, 0.0];
        }
        let two = self.corner(facet, D - 1) - origin;
        let (aa, ab, bb) = (one.norm_squared(), one.dot(&two), two.norm_squared());
        let (pa, pb) = (from.dot(&one), from.dot(&two));
        let size = aa * bb - ab * ab;
        let (s, t) = ((bb * pa - ab * pb) / size, (aa * pb - ab * pa) / size);
        let inside = [1.0 - s - t, s, t].map(|weight| weight.max(0.0));
        let sum: f64 = inside.iter().sum();
        inside.map(|weight| weight / sum)
    }

    /// Radius of a ball about the origin of the body's frame that holds the skin \[m\].
    pub fn bounding_radius(&self) -> f64 {
        self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_four_sharp_corners_and_none_between() {
        let at = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(Vector::<2>::from);
        let facets = (0..5).map(|k| [k, (k + 1) % 5, 0]).collect();
        let skin = SkinShape::new(at.to_vec(), facets).unwrap();
        assert_eq!(skin.sharp().map(|(vertex, _)| vertex).collect::<Vec<_>>(), [0, 2, 3, 4]);
        let sheets: Vec<_> =
            skin.sheets().iter().map(|(vertex, facets)| (*vertex, facets.as_slice())).collect();
        assert_eq!(sheets[..4], [(0, &[0][..]), (0, &[4]), (1, &[0, 1]), (2, &[1])]);
        assert_eq!(skin.normal(0), Vector::<2>::new(0.0, -1.0));
        assert_eq!(skin.weights(0, &Vector::<2>::new(0.25, -3.0)), [0.75, 0.25, 0.0]);
        assert_eq!(skin.vertex_area(2), 1.5);
        assert!(SkinShape::new(at.to_vec(), vec![[0, 9, 0]]).is_none());
    }

    #[test]
    fn weights_of_a_triangle_find_the_point_again() {
        let at = [[0.1, 0.0, 0.2], [1.0, 0.1, 0.0], [0.2, 0.8, 0.3]].map(Vector::<3>::from);
        let skin = SkinShape::new(at.to_vec(), vec![[0, 1, 2]]).unwrap();
        let wanted = [0.2, 0.5, 0.3];
        let point = (0..3).fold(Vector::zeros(), |sum, k| sum + at[k] * wanted[k]) + skin.normal(0) * 0.7;
        let found = skin.weights(0, &point);
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?}");
    }

    #[test]
    fn the_bounds_of_a_round_skin_hold_it_however_it_is_turned() {
        let at = |k: u32| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / 24.0).sin_cos();
            Vector::<2>::new(1.05 * cos, sin) * 0.1
        };
        let skin = SkinShape::new((0..24).map(at).collect(), (0..24).map(|k| [k, (k + 1) % 24, 0]).collect())
            .unwrap();
        assert!(skin.is_round());
        let shape = crate::Shape::from(skin.clone());
        for turn in (0..40).map(|k| 0.3 * f64::from(k)) {
            let mut pose = drystone_math::Pose::<2>::at(Vector::<2>::new(1e3, -7.0));
            pose.orientation =
                drystone_math::Pose::<2>::orientation_from_wxyz([turn.cos(), 0.0, 0.0, turn.sin()]);
            let crate::aabb::Bounds { aabb, radius } = crate::aabb::bounds(&shape, &pose, 0.0);
            for place in skin.vertices().iter().map(|vertex| pose.to_world(vertex)) {
                assert!((0..2).all(|axis| aabb.low[axis] <= place[axis] && place[axis] <= aabb.high[axis]));
                assert!((place - aabb.middle()).norm() <= radius);
            }
            assert!(aabb.largest() < 0.2101 && radius < 0.10501);
        }
    }
}
