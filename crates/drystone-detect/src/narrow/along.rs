//! Contacts along two edges that are parallel or nearly so: both ends of the stretch that they have in
//! common. It finds no edges near each other: it begins with one point of contact, from `single`.

use drystone_math::Vector;

use crate::narrow::facets::Facets;
use crate::narrow::feature;
use crate::narrow::polytope_pair::PolytopePair;
use crate::narrow::single::Single;
use drystone_geometry::Polytope;
use drystone_geometry::polytope::STAND_IN;

/// Angle \[rad\] within which two edges are taken as parallel, and as square to the contact normal; the same
/// as for a face that stands in for edges, [`STAND_IN`].
const NEARLY: f64 = 0.02;
/// Overlaps beyond this, relative to the thinner body, are no meeting of ridges.
const SHALLOW: f64 = 0.01;

/// Two edges with their ends in one order: numbers of the vertices and places in the axes of the first body.
struct Stretch<const D: usize> {
    vertices: [[u32; 2]; 2],
    ends: [[Vector<D>; 2]; 2],
    /// Unit direction between those of the two.
    along: Vector<D>,
    /// Where the common part begins and ends along it.
    span: [f64; 2],
}

impl<const D: usize> PolytopePair<'_, D>
where
    Polytope<D>: Facets<D>,
{
    /// Emits a single contact, or both ends of the edges that it lies on where they are parallel.
    pub fn emit_along(&self, single: &Single<D>, emit: &mut impl FnMut(u64, Vector<D>, Vector<D>, f64)) {
        let world = self.world[0];
        let mut one = |single: &Single<D>| {
            let Single { feature, point, normal, gap, .. } = single;
            if *gap <= self.alert {
                emit(*feature, world.apply(point), -(world.rotation * normal), *gap);
            }
        };
        match self.along_edges(single) {
            Some(both) => both.iter().for_each(one),
            None => one(single),
        }
    }

    /// The contacts at both ends of what two nearly parallel edges have in common, if `single` lies on such
    /// edges: along them it could as well be anywhere else, and one point would let the bodies turn about it.
    /// The normal stays; the gap of each end is measured along it, so that edges crossing at a small angle
    /// keep theirs.
    pub fn along_edges(&self, single: &Single<D>) -> Option<[Single<D>; 2]> {
        if D != 3 {
            return None;
        }
        let normal = single.normal;
        let [one, two] = single.segments?;
        let mut best: Option<Stretch<D>> = None;
        for first in self.level_edges(0, one, &normal) {
            for second in self.level_edges(1, two, &normal) {
                let found = self.stretch([first, second], &normal);
                let length = |stretch: &Stretch<D>| stretch.span[1] - stretch.span[0];
                if let Some(found) = found
                    && best.as_ref().is_none_or(|best| length(&found) > length(best))
                {
                    best = Some(found);
                }
            }
        }
        let best = best?;
        let both = [0, 1].map(|end| self.end_of(&best, end, &normal));
        let least = both[0].gap.min(both[1].gap);
        let slack = 2.0 * (1.0 - STAND_IN) * (single.gap - self.grown).abs() + 100.0 * self.tolerance;
        ((least - single.gap).abs() <= slack).then_some(both)
    }

    /// The edges of a body that hold a point of it, given on one of them, and are square to the normal, but
    /// for a little.
    fn level_edges(
        &self,
        side: usize,
        (segment, t): (u32, f64),
        normal: &Vector<D>,
    ) -> impl Iterator<Item = u32> {
        let form = self.forms[side];
        let ends = form.segment(segment as usize);
        let vertex = if t <= 0.0 { Some(ends[0]) } else { (t >= 1.0).then_some(ends[1]) };
        let normal = *normal;
        (0..form.segment_count() as u32).filter(move |&index| {
            let holds = vertex.is_some_and(|vertex| form.segment(index as usize).contains(&vertex));
            (index == segment || holds) && {
                let [p, q] = self.ends(side, index);
                normal.dot(&(q - p)).abs() <= NEARLY * (q - p).norm()
            }
        })
    }

    /// The ends of an edge in the axes of the first body.
    fn ends(&self, side: usize, index: u32) -> [Vector<D>; 2] {
        let form = self.forms[side];
        form.segment(index as usize).map(|vertex| {
            let place = &form.vertices()[vertex as usize];
            if side == 0 { *place } else { self.places[0].apply(place) }
        })
    }

    /// What two edges have in common, if they are nearly parallel and one is over the other.
    fn stretch(&self, edges: [u32; 2], normal: &Vector<D>) -> Option<Stretch<D>> {
        let mut ends = [0, 1].map(|side| self.ends(side, edges[side]));
        let mut vertices = [0, 1].map(|side| self.forms[side].segment(edges[side] as usize));
        let way = |[p, q]: &[Vector<D>; 2]| {
            let along = q - p;
            (along - normal * normal.dot(&along)).try_normalize(0.0)
        };
        let (d, mut e) = (way(&ends[0])?, way(&ends[1])?);
        if d.dot(&e) < 0.0 {
            ends[1].swap(0, 1);
            vertices[1].swap(0, 1);
            e = -e;
        }
        if (d - e).norm() > NEARLY {
            return None;
        }
        let along = (d + e).try_normalize(0.0)?;
        let [low, high] = [0, 1].map(|end| ends.map(|of| along.dot(&of[end])));
        let span = [low[0].max(low[1]), high[0].min(high[1])];
        let stretch = Stretch { vertices, ends, along, span };
        let length = span[1] - span[0];
        let aside = |at: f64| {
            let between = stretch.at(1, at) - stretch.at(0, at);
            (between - normal * normal.dot(&between) - along * along.dot(&between)).norm()
        };
        let none = 100.0 * self.tolerance;
        let over = span.iter().all(|&at| aside(at) <= NEARLY * length + none);
        (length > none && over).then_some(stretch)
    }

    /// The contact at one end of the common part: at the vertex that ends it, on the body that it belongs to.
    fn end_of(&self, stretch: &Stretch<D>, end: usize, normal: &Vector<D>) -> Single<D> {
        let at = stretch.span[end];
        let vertex_at = |side: usize| stretch.along.dot(&stretch.ends[side][end]);
        // where both end, the name is that of the first body, whatever rounding says
        let side = usize::from((vertex_at(0) - at).abs() > self.tolerance);
        let [on_a, on_b] = [0, 1].map(|side| stretch.at(side, at));
        let gap = normal.dot(&(on_b - on_a));
        let point = if side == 0 { on_a + normal * (0.5 * gap) } else { on_b - normal * (0.5 * gap) };
        let feature = feature::vertex(side as u64, stretch.vertices[side][end]);
        Single { feature, point, normal: *normal, gap, segments: None }
    }

    /// How far below none the separation from a second face may be for it to count beside the best one, given
    /// that of the best: where bodies just touch, or overlap a little. None farther off.
    pub fn tie(&self, best: f64) -> Option<f64> {
        let slack = 2.0 * self.tolerance;
        let deepest = -SHALLOW * self.forms[0].size().min(self.forms[1].size());
        if !(deepest..=slack).contains(&best) {
            return None;
        }
        Some(if best < -slack { slack.min(-1e-3 * best) - best } else { slack })
    }

    /// The contact of two ridges, in the plane of two corners, that overlap a little and of which several
    /// faces are as near: along the mean of their normals, since to choose one of them would push aside what
    /// came straight.
    pub fn opposed(&self, over: f64) -> Option<Single<D>> {
        let tie = 4.0 * self.tolerance;
        let mut sum = Vector::<D>::zeros();
        for side in [0, 1] {
            let (form, place) = (self.forms[side], &self.places[side]);
            for (index, face) in form.faces().iter().enumerate() {
                let direction = place.rotation.transpose() * face.normal;
                let [least] = self.forms[1 - side].corners().least_of_all(&[direction]);
                let separation = least + face.normal.dot(&(place.position - form.corner(face, 0)));
                if separation >= over - tie {
                    sum += self.outward(side, index);
                }
            }
        }
        let normal = sum.try_normalize(0.5)?;
        let ahead = |side: usize| {
            let form = self.forms[side];
            let toward = if side == 0 { normal } else { -(self.places[0].rotation.transpose() * normal) };
            let height = |vertex: &u32| toward.dot(&form.vertices()[*vertex as usize]);
            (0..form.vertices().len() as u32).max_by(|p, q| height(p).total_cmp(&height(q)))
        };
        let vertices = [ahead(0)?, ahead(1)?];
        let on_a = self.forms[0].vertices()[vertices[0] as usize];
        let on_b = self.places[0].apply(&self.forms[1].vertices()[vertices[1] as usize]);
        let gap = normal.dot(&(on_b - on_a));
        // a needle is thin, whatever its length
        let thin = |side: usize| {
            let toward = if side == 0 { normal } else { self.places[0].rotation.transpose() * normal };
            let [low, high] = self.forms[side].corners().least_of_all(&[toward, -toward]);
            -low - high
        };
        if -gap > SHALLOW * thin(0).min(thin(1)) {
            return None;
        }
        let on = |side: usize| {
            let form = self.forms[side];
            let holds = |&index: &usize| form.segment(index).contains(&vertices[side]);
            let index = (0..form.segment_count()).find(holds)?;
            let t = if form.segment(index)[0] == vertices[side] { 0.0 } else { 1.0 };
            Some((index as u32, t))
        };
        let segments = Some([on(0)?, on(1)?]);
        let point = (on_a + on_b) * 0.5;
        let feature = feature::vertex(0, vertices[0]);
        let single = Single { feature, point, normal, gap, segments };
        // corners that are not one before the other are not opposed, unless they end the same ridges
        let between = on_b - on_a;
        let aside = (between - normal * gap).norm();
        (aside <= gap.abs() || self.along_edges(&single).is_some()).then_some(single)
    }
}

impl<const D: usize> Stretch<D> {
    /// The place of one of the edges this far along.
    fn at(&self, side: usize, at: f64) -> Vector<D> {
        let [p, q] = &self.ends[side];
        let (from, to) = (self.along.dot(p), self.along.dot(q));
        p + (q - p) * ((at - from) / (to - from))
    }
}
