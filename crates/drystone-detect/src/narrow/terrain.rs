//! Contacts of surfaces with everything else: pieces, ridges and corners one by one, each kept only where it
//! can really push. How a body meets a plane, a segment or a point is told by the pair table, two surfaces by
//! `surface_pairs`.
//!
//! The points of a body that can rest on a plane are held against the planes of the pieces near them, over
//! the piece itself; ridges and corners push along the directions that lean towards none of their pieces,
//! their normal cones, and those of valleys and of cuts in a plane are empty. A name holds the facet, all
//! neighbouring pieces in one plane, so that passing from piece to piece changes nothing.

use drystone_math::{Pose, Vector};

use crate::narrow::core::{Core, core};
use crate::narrow::facets::Facets;
use crate::narrow::scratch::{Hit, Hits, Scratch};
use crate::narrow::solids;
use crate::narrow::{feature, half_space};
use drystone_geometry::aabb::{Aabb, aabb};
use drystone_geometry::surface::{Corner, Piece, is_same};
use drystone_geometry::{Polytope, Shape, Surface};

/// How far, as a sine, a direction may lean out of a normal cone: bodies that rock on a ridge keep it.
pub(crate) const LEAN: f64 = 0.02;
/// Lengths below this, relative to the surface or body, are zero.
pub(crate) const NONE: f64 = 1e-9;

/// Contacts of a body (candidate) with a surface (antagonist).
pub(crate) fn touch<const D: usize>(
    body: (&Shape<D>, &Pose<D>),
    wall: (&Surface<D>, &Pose<D>),
    alert: f64,
    scratch: &mut Scratch<D>,
    emit: &mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
) where
    Polytope<D>: Facets<D>,
{
    touch_along(body, wall, alert, &|_| true, scratch, emit);
}

/// Contacts along the normals, in world axes, that the body allows.
pub(crate) fn touch_along<const D: usize>(
    (shape, pose): (&Shape<D>, &Pose<D>),
    (surface, wall): (&Surface<D>, &Pose<D>),
    alert: f64,
    allowed: &dyn Fn(&Vector<D>) -> bool,
    scratch: &mut Scratch<D>,
    emit: &mut dyn FnMut(u64, Vector<D>, Vector<D>, f64),
) where
    Polytope<D>: Facets<D>,
{
    // the body in the axes of the surface
    let turned = wall.rotation();
    let place = Pose {
        position: turned.transpose() * (pose.position - wall.position),
        orientation: wall.orientation.inverse() * pose.orientation,
    };
    let mut hits = std::mem::take(&mut scratch.terrain);
    hits.collect((shape, &place), surface, alert, &|normal| allowed(&(turned * normal)), scratch);
    for hit in &hits.hits {
        emit(hit.name, wall.position + turned * hit.point, turned * hit.normal, hit.gap);
    }
    scratch.terrain = hits;
}

impl<const D: usize> Hits<D> {
    fn collect(
        &mut self,
        body: (&Shape<D>, &Pose<D>),
        surface: &Surface<D>,
        alert: f64,
        allowed: &dyn Fn(&Vector<D>) -> bool,
        scratch: &mut Scratch<D>,
    ) where
        Polytope<D>: Facets<D>,
    {
        self.pieces.clear();
        self.hits.clear();
        let near = aabb(body.0, body.1, alert);
        surface.tree().visit(&near, |piece| self.pieces.push(piece));
        let depth = -thickness(body.0, surface);
        for k in 0..self.pieces.len() {
            if allowed(&surface.elements()[self.pieces[k] as usize].normal) {
                self.on_piece(body, surface, self.pieces[k], alert, depth);
            }
        }
        self.drop_hidden(body, NONE * surface.size());
        let rough = self.hits.len();
        for k in 0..self.pieces.len() {
            for index in surface.ridges_of_piece(self.pieces[k]) {
                self.on_ridge(body, surface, index, (alert, depth), scratch);
            }
            for corner in surface.corners_of_piece(self.pieces[k]) {
                self.on_corner(body, surface, corner, alert, depth, scratch);
            }
        }
        let mut rank = 0;
        self.hits.retain(|hit| {
            rank += 1;
            rank <= rough || allowed(&hit.normal)
        });
        self.drop_repeated(rough, NONE * surface.size());
    }

    /// Points of the body over or below one piece.
    fn on_piece(
        &mut self,
        body: (&Shape<D>, &Pose<D>),
        surface: &Surface<D>,
        index: u32,
        alert: f64,
        depth: f64,
    ) {
        let piece = &surface.elements()[index as usize];
        let origin = surface.corner(piece, 0);
        // a round body is where its core is
        let grown = core(body.0).map_or(0.0, |(_, radius)| radius);
        let hits = &mut self.hits;
        half_space::above(body, &piece.normal, origin, alert, &mut |own, point, normal, gap| {
            let foot = point - normal * (0.5 * gap);
            if gap < depth
                || !is_over(surface, piece, &foot)
                || is_beyond(surface, &foot, &normal, gap + grown)
            {
                return;
            }
            hits.push(Hit { own, name: feature::on_surface(0, piece.facet, own), point, normal, gap });
        });
    }

    /// Drops points of the body that are below one facet because they are beyond another: behind a ridge, or
    /// the far side of a plate. A corner on a ridge or a corner is kept on the facets that it can push on, if
    /// there are any: flush with the others, its body lies behind them. A point over the border between two
    /// pieces of a facet is kept once.
    fn drop_hidden(&mut self, body: (&Shape<D>, &Pose<D>), none: f64) {
        let hits = &mut self.hits;
        // by points of the body, so that each is compared with its own only
        hits.sort_unstable_by(|f, g| (f.own, f.name).cmp(&(g.own, g.name)).then_with(|| f.order(g)));
        hits.dedup_by_key(|hit| hit.name);
        let hidden = |f: &Hit<D>, others: &[Hit<D>]| {
            let foot = f.point - f.normal * (0.5 * f.gap);
            let pushes = |hit: &Hit<D>| others.len() < 2 || can_push(body, hit.own, &hit.normal);
            let flush = |hit: &Hit<D>| hit.gap.abs() <= 100.0 * none;
            let own = pushes(f);
            others.iter().any(|g| {
                let above = g.normal.dot(&(foot - g.point)) + 0.5 * g.gap;
                match (own, pushes(g)) {
                    (false, true) if flush(f) => true,
                    (true, false) if flush(g) => false,
                    _ => {
                        g.gap.abs() < f.gap.abs()
                            && (above < -none
                                || (above <= none && f.gap < -10.0 * g.gap.abs() - 100.0 * none))
                    }
                }
            })
        };
        let (mut first, mut kept) = (0, 0);
        while first < hits.len() {
            let count = hits[first..].iter().take_while(|hit| hit.own == hits[first].own).count();
            for k in first..first + count {
                self.hidden.push(hidden(&hits[k], &hits[first..first + count]));
            }
            first += count;
        }
        for (k, hidden) in self.hidden.drain(..).enumerate() {
            if !hidden {
                hits.swap(kept, k);
                kept += 1;
            }
        }
        hits.truncate(kept);
    }

    fn on_ridge(
        &mut self,
        (shape, pose): (&Shape<D>, &Pose<D>),
        surface: &Surface<D>,
        index: u32,
        (alert, depth): (f64, f64),
        scratch: &mut Scratch<D>,
    ) where
        Polytope<D>: Facets<D>,
    {
        let ridge = &surface.ridges()[index as usize];
        let Some((core, radius)) = core(shape) else { return };
        let ends = ridge.vertices.map(|vertex| surface.vertices()[vertex as usize]);
        // a ball has one nearest point: over a face it belongs to the face
        let lean = if matches!(core, Core::Point) { -NONE } else { LEAN };
        let hits = &mut self.hits;
        Polytope::<D>::on_segment(
            (core, radius, pose),
            &ends,
            alert,
            scratch,
            &mut |own, point, normal, gap| {
                let along = (ends[1] - ends[0]).normalize();
                let free = ridge.sides.iter().all(|side| side.dot(&normal) >= -lean);
                if gap < depth || !free || along.dot(&normal).abs() > LEAN.max(1e-6) {
                    return;
                }
                let near =
                    |end: &Vector<D>| (point - normal * (0.5 * gap) - end).norm() <= NONE * surface.size();
                let name = match ends.iter().position(near) {
                    Some(end) => feature::on_surface(2, ridge.vertices[end], 0),
                    None => feature::on_surface(1, index, own),
                };
                hits.push(Hit { own, name, point, normal, gap });
            },
        );
    }

    fn on_corner(
        &mut self,
        body: (&Shape<D>, &Pose<D>),
        surface: &Surface<D>,
        corner: &Corner<D>,
        alert: f64,
        depth: f64,
        scratch: &mut Scratch<D>,
    ) where
        Polytope<D>: Facets<D>,
    {
        let is_ball = matches!(body.0, Shape::Ball { .. } | Shape::Point);
        // between a ridge and its corner, the ridge has the ball
        let lean = if is_ball { -NONE } else { LEAN };
        let place = surface.vertices()[corner.vertex as usize];
        let free = |normal: &Vector<D>| corner.away.iter().all(|away| away.dot(normal) <= lean);
        let hits = &mut self.hits;
        let mut add = |own, point, normal: Vector<D>, gap| {
            if gap >= depth && free(&normal) {
                let name = feature::on_surface(2, corner.vertex, 0);
                hits.push(Hit { own, name, point, normal, gap });
            }
        };
        match core(body.0) {
            // inside a polytope the nearest way out may be none that the corner can push along
            Some((Core::Polytope(form), radius)) if holds(form, body.1, &place) => {
                let rotation = body.1.rotation();
                let local = rotation.transpose() * (place - body.1.position);
                let faces = form.faces().iter().map(|face| {
                    (rotation * face.normal, face.normal.dot(&(local - form.corner(face, 0))) - radius)
                });
                let nearest = faces.clone().map(|face| face.1).fold(f64::NEG_INFINITY, f64::max);
                let best = faces.filter(|(out, _)| free(&-out)).max_by(|a, b| a.1.total_cmp(&b.1));
                // but not out through the far side
                let limit = 10.0 * nearest - NONE * form.size();
                if let Some((out, gap)) = best.filter(|face| face.1 >= limit) {
                    add(0, place - out * (0.5 * gap), -out, gap);
                }
            }
            _ => solids::table(body, (&Shape::Point, &Pose::at(place)), alert, scratch, &mut add),
        }
    }

    /// Of the contacts of ridges and corners that have one name the deepest is kept. Those of facets have
    /// other names: where a corner of the body lies on a ridge or a corner, the facet has the contact
    /// already.
    fn drop_repeated(&mut self, rough: usize, none: f64) {
        let mut facets = std::mem::take(&mut self.facets);
        facets.clear();
        facets.extend_from_slice(&self.hits[..rough]);
        self.hits[rough..].sort_unstable_by(|f, g| f.name.cmp(&g.name).then_with(|| f.order(g)));
        self.hits.dedup_by_key(|hit| hit.name);
        let mut rank = 0;
        self.hits.retain(|hit| {
            rank += 1;
            rank <= rough || !facets.iter().any(|facet| hit.repeats(facet, none))
        });
        self.facets = facets;
    }
}

impl<const D: usize> Hit<D> {
    /// Deeper ones first, and the same order wherever they come from.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let places = self.point.iter().zip(other.point.iter());
        let aside = || places.map(|(x, y)| x.total_cmp(y)).find(|order| order.is_ne());
        self.gap.total_cmp(&other.gap).then_with(|| aside().unwrap_or(std::cmp::Ordering::Equal))
    }

    /// Whether it is the same contact under another name.
    fn repeats(&self, other: &Self, none: f64) -> bool {
        is_same((&self.point, &self.normal), (&other.point, &other.normal), none)
    }
}

/// Whether a corner of a body, by its name, is the foremost of it against a facet with this normal. Of a
/// round body every point is.
fn can_push<const D: usize>((shape, pose): (&Shape<D>, &Pose<D>), own: u64, normal: &Vector<D>) -> bool {
    let Some((Core::Polytope(form), _)) = core(shape) else { return true };
    form.stands_on(own as u32, &(pose.rotation().transpose() * normal), LEAN)
}

/// Whether a placed polytope holds a point.
fn holds<const D: usize>(form: &Polytope<D>, pose: &Pose<D>, point: &Vector<D>) -> bool {
    let local = pose.to_local(point);
    form.faces().iter().all(|face| face.normal.dot(&(local - form.corner(face, 0))) <= 0.0)
}

/// Whether a point in the plane of a piece is on it, its border included.
fn is_over<const D: usize>(surface: &Surface<D>, piece: &Piece<D>, foot: &Vector<D>) -> bool {
    let corner = |k: usize| surface.corner(piece, k);
    let none = NONE * (corner(1) - corner(0)).norm();
    (0..D).all(|k| piece.sides[k].dot(&(foot - corner(k))) <= none)
}

/// Whether a point below a piece, at `foot + gap normal`, is outside again through another piece: then it
/// belongs to that one, on the far side of a solid or a plate.
fn is_beyond<const D: usize>(surface: &Surface<D>, foot: &Vector<D>, normal: &Vector<D>, gap: f64) -> bool {
    if gap >= -NONE * surface.size() {
        return false;
    }
    let place = foot + normal * gap;
    let mut beyond = false;
    surface.tree().visit(&Aabb { low: place.inf(foot), high: place.sup(foot) }, |index| {
        let piece = &surface.elements()[index as usize];
        let [above, below] = [&place, foot].map(|end| piece.normal.dot(&(end - surface.corner(piece, 0))));
        if above > 0.0 && below < 0.0 {
            let through = place + (foot - place) * (above / (above - below));
            beyond |= is_over(surface, piece, &through);
        }
    });
    beyond
}

/// How deep below a piece a body may be and still belong above it \[m\].
fn thickness<const D: usize>(shape: &Shape<D>, surface: &Surface<D>) -> f64 {
    match shape {
        Shape::Ball { radius } | Shape::Capsule { radius, .. } => 2.0 * radius,
        Shape::Point => 0.1 * surface.size(),
        other => other.bounding_radius(),
    }
}
