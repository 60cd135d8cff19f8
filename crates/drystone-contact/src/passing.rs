//! Contacts whose bodies do not meet but pass each other: they are left out before the problem is assembled.
//! It finds no contact; whether bodies meet is told by `Passing` of the shapes.

use crate::StepContext;
use crate::context::image_of;
use drystone_bulk::{Bulk, middle};
use drystone_detect::{ContactPoint, PLACES, Passing, breadth};
use drystone_geometry::Shape;
use drystone_math::per_dof::norm;
use drystone_math::{PerDof, Pose};
use rayon::prelude::*;

/// Overlaps foretold below this, relative to the radius of the smaller body, are none.
const STILL: f64 = 1e-12;

/// On ways shorter than this, relative to the same, nothing is passed but corners: a round body would be
/// foretold to overlap by half the square of it, and bodies at rest are not looked at.
const MOVES: f64 = 1e-7;

/// A contact is right if the bodies meet at least this deep on their way, relative to what its own normal
/// foretells.
const RIGHT: f64 = 0.5;

/// Patches wider than this, relative to what counts as touching in passing, are no edges.
const WIDE: f64 = 10.0;

/// Nothing passes at a patch this many times as broad as its points go within the step, see [`Patch::holds`].
const BROAD: f64 = 10.0;

/// Below this many touches the talk between threads costs more than the work.
const PARALLEL_FROM: usize = 1024;

/// Two bodies of a contact.
struct Pair<'a, const D: usize> {
    step: &'a StepContext<'a, D>,
    bodies: [usize; 2],
    shapes: [&'a Shape<D>; 2],
    locals: [&'a Pose<D>; 2],
    poses: [Pose<D>; 2],
    velocities: [PerDof<D>; 2],
    /// Radius of the smaller body \[m\].
    size: f64,
}

/// What the touches of a pair have in common.
#[derive(Clone, Copy)]
struct Patch {
    /// Whether corners of shapes with edges meet, which may pass each other however they move.
    corner: bool,
    /// Breadth \[m\], none for surfaces, whose touches are found one by one.
    breadth: f64,
    /// How far points go within the step, at most \[m\].
    way: f64,
    /// How far points of the patch lie apart or in each other, at most \[m\].
    apart: f64,
}

impl Patch {
    /// Whether the bodies cannot pass each other at a touch that foretells a depth \[m\].
    ///
    /// A plane between them that leans by θ has to come from under the far end of the patch, which rises by
    /// the way and what lies apart at most: sin θ is at most the sum of these over the breadth, and sliding
    /// along the plane takes the way times that from the depth. A turn leaves the straight way by less.
    fn holds(&self, foretold: f64) -> bool {
        let reach = self.way + self.apart;
        !self.corner && self.breadth > BROAD * reach * f64::max(1.0, self.way / foretold)
    }
}

impl<const D: usize> StepContext<'_, D> {
    /// Leaves out the touches of bodies that only pass each other.
    pub(crate) fn leave_out_passed(&self, touches: &mut Vec<ContactPoint<D>>) {
        let sharp = || self.contactors.iter().any(|contactor| !contactor.shape.is_smooth());
        if self.grazing <= 0.0 || touches.is_empty() || !sharp() {
            return;
        }
        let same =
            |a: &ContactPoint<D>, b: &ContactPoint<D>| (a.contactors, a.image) == (b.contactors, b.image);
        let kept: Vec<bool> = match touches.len() < PARALLEL_FROM {
            true => touches.chunk_by(same).flat_map(|group| self.keeps(group)).collect(),
            false => touches.par_chunk_by(same).flat_map_iter(|group| self.keeps(group)).collect(),
        };
        let mut kept = kept.into_iter();
        touches.retain(|_| kept.next().unwrap_or(true));
    }

    /// Which touches of one pair stay.
    fn keeps(&self, group: &[ContactPoint<D>]) -> impl Iterator<Item = bool> {
        let pair = self.pair(&group[0]).map(|pair| (pair.patch(group), pair));
        let pair = pair.filter(|(patch, pair)| patch.corner || pair.way() > MOVES * pair.size);
        group.iter().map(move |touch| pair.as_ref().is_none_or(|(patch, pair)| !pair.passes(touch, patch)))
    }

    /// The pair of a touch; none if its contacts are never left out.
    fn pair(&self, touch: &ContactPoint<D>) -> Option<Pair<'_, D>> {
        let [one, two] = touch.contactors.map(|contactor| &self.contactors[contactor as usize]);
        let shapes = [&one.shape, &two.shape];
        let endless =
            |shape: &&Shape<D>| matches!(shape, Shape::HalfSpace | Shape::Hollow { .. } | Shape::Skin(_));
        if shapes.iter().any(endless) || shapes.iter().all(|shape| shape.is_smooth()) {
            return None;
        }
        let [a, b] = [one, two].map(|contactor| contactor.body as usize);
        if [a, b].iter().any(|&body| self.growth_of(body) > 0.0) {
            return None;
        }
        let entry = self.laws.between(self.bodies.group[a], self.bodies.group[b])?;
        if !entry.law.may_pass() {
            return None;
        }
        let radii = [a, b].map(|body| self.bodies.radius[body]);
        let least = radii[0].min(radii[1]);
        let size = if least > 0.0 { least } else { radii[0].max(radii[1]) };
        Some(Pair {
            step: self,
            bodies: [a, b],
            shapes,
            locals: [&one.local, &two.local],
            poses: [self.middle[a], image_of(&self.middle[b], self.cell.as_ref(), touch)],
            velocities: [self.velocity(a), self.velocity(b)],
            size,
        })
    }

    /// Velocity at the beginning of the step, driven components as they are driven. What gravity adds within
    /// the step is left out: bodies at rest are held against it.
    fn velocity(&self, body: usize) -> PerDof<D> {
        PerDof::from_fn(|component| match self.bodies.driven[body][component] {
            Some(_) => self.free[body][component],
            None => self.bodies.velocity[body][component],
        })
    }
}

impl<const D: usize> Pair<'_, D> {
    /// Overlap that counts as touching in passing \[m\].
    fn tolerance(&self) -> f64 {
        self.step.grazing * self.size
    }

    /// How far a point of one body goes within the step relative to the other, at most \[m\].
    fn way(&self) -> f64 {
        let way = |side: usize| {
            let velocity = &self.velocities[side];
            let arm = self.step.bodies.radius[self.bodies[side]];
            let arm = if arm.is_finite() { arm } else { 0.0 };
            norm(&velocity[..D]) + norm(&velocity[D..]) * arm
        };
        self.step.h * (way(0) + way(1))
    }

    /// What its touches have in common.
    fn patch(&self, group: &[ContactPoint<D>]) -> Patch {
        let breadth = breadth(group);
        let sharp = self.shapes.iter().all(|shape| shape.is_sharp());
        let apart = group.iter().map(|touch| touch.gap.abs()).fold(0.0, f64::max);
        Patch {
            corner: sharp && breadth <= WIDE * self.tolerance(),
            breadth: if self.has_surface() { 0.0 } else { breadth },
            way: self.way(),
            apart,
        }
    }

    fn has_surface(&self) -> bool {
        self.shapes.iter().any(|shape| matches!(shape, Shape::Surface(_)))
    }

    /// Whether the bodies pass each other at a touch, instead of meeting there.
    ///
    /// The touch foretells that they meet to a depth `−(max(g, 0) + h u_N)`, with the velocity at the
    /// beginning of the step. It is wrong if they do not, but for a part of it within the tolerance. Contacts
    /// of surfaces, which are found feature by feature, may also be wrong about an overlap of their own. At a
    /// corner it is also wrong, however they move, if their shadows along the normal lie over each other
    /// within the tolerance only.
    fn passes(&self, touch: &ContactPoint<D>, patch: &Patch) -> bool {
        let h = self.step.h;
        let frame = touch.frame();
        let speed = |side: usize| {
            let bodies = self.step.bodies;
            let h = bodies.jacobian(self.bodies[side], &frame, &touch.point, &self.poses[side]);
            h.times(&self.velocities[side])
        };
        let u = speed(0) - speed(1);
        let tolerance = self.tolerance();
        let deep = touch.gap < -tolerance;
        let foretold = if deep { -touch.gap } else { -(touch.gap.max(0.0) + h * u[0]) };
        let meets = foretold > STILL * self.size;
        if (deep && !self.has_surface()) || !(meets || patch.corner) || patch.holds(foretold) {
            return false;
        }
        let way = frame * u * h;
        let pass = |enough: f64| {
            let passing = self.passing(touch, h, tolerance);
            passing.is_some_and(|passing| passing.depth(&touch.normal, &way, enough) <= enough)
        };
        if meets && pass(tolerance.min(RIGHT * foretold)) {
            return true;
        }
        // most corners are seen over the other body, which needs no way
        let aside = |passing: Passing<D>| passing.shadow(&touch.normal, tolerance) <= tolerance;
        patch.corner && self.passing(touch, 0.0, tolerance).is_some_and(aside) && pass(tolerance)
    }

    /// The two shapes on their way for a time, seen from the point where they touch.
    fn passing(&self, touch: &ContactPoint<D>, time: f64, slack: f64) -> Option<Passing<'_, D>> {
        let places = [0, 1].map(|side| {
            std::array::from_fn::<_, PLACES, _>(|place| {
                let dt = time * place as f64 / (PLACES - 1) as f64;
                let body = match dt > 0.0 {
                    true => middle(&self.poses[side], &self.velocities[side], dt),
                    false => self.poses[side],
                };
                let body = Pose { position: body.position - touch.point, ..body };
                body.compose(self.locals[side])
            })
        });
        Passing::new(self.shapes, places, slack)
    }
}
