//! Which sheets of a skin come near the other side of a pair. Leaves out none that may touch; takes no
//! integrals.

use drystone_geometry::aabb::{Bounds, bounds};
use drystone_geometry::{Shape, SkinShape};
use drystone_math::{Pose, Vector};

use super::SkinBuffers;
use crate::narrow::half_space::up;
use crate::narrow::skin::sides_of_box;
use crate::narrow::solids::PlacedShape;

impl<const D: usize> SkinBuffers<D> {
    /// Finds the sheets with a facet that comes within `reach` of the other side \[m\].
    pub fn find_near_sheets(&mut self, one: (&SkinShape<D>, &Pose<D>), other: PlacedShape<D>, reach: f64) {
        let (skin, pose) = one;
        self.near.clear();
        self.is_near.clear();
        if let Shape::HalfSpace = other.0 {
            let down = pose.rotation().tr_mul(&up(other.1));
            let most = down.dot(&pose.to_local(&other.1.position)) + reach;
            let is_low = |facet: usize| (0..D).any(|rank| skin.corner(facet, rank).dot(&down) <= most);
            self.is_near.extend((0..skin.facet_count()).map(is_low));
        } else {
            let ball = (pose.to_local(&other.1.position), certain(other.0.bounding_radius() + reach));
            self.find_facets_in_ball(skin, &ball);
            if !self.is_near.contains(&true) {
                return;
            }
            if !matches!(other.0, Shape::Skin(skin) if skin.is_round()) {
                self.leave_out_beside(one, &bounds(other.0, other.1, reach));
            }
        }
        for (number, (_, facets)) in (0..).zip(skin.sheets()) {
            if facets.iter().any(|&facet| self.is_near[facet as usize]) {
                self.near.push(number);
            }
        }
    }

    /// Finds the facets that reach into a ball of the body's frame. What does has a corner at least as far
    /// towards its centre as its nearest point: one product for each vertex says so of most facets.
    fn find_facets_in_ball(&mut self, skin: &SkinShape<D>, ball: &(Vector<D>, f64)) {
        let (centre, radius) = ball;
        let least = centre.norm_squared() - radius * centre.norm();
        self.is_front.clear();
        self.is_front.extend(skin.vertices().iter().map(|vertex| vertex.dot(centre) >= least));
        for (facet, corners) in skin.facets().iter().enumerate() {
            let front = corners[..D].iter().any(|&corner| self.is_front[corner as usize]);
            self.is_near.push(front && in_ball(skin, facet, ball));
        }
    }

    /// Leaves out facets beside the box of the other side, or outside of its ball about the middle of the
    /// box.
    fn leave_out_beside(&mut self, (skin, pose): (&SkinShape<D>, &Pose<D>), within: &Bounds<D>) {
        let rotation = pose.rotation();
        let ball = (pose.to_local(&within.aabb.middle()), certain(within.radius));
        for (facet, is_near) in self.is_near.iter_mut().enumerate().filter(|(_, is_near)| **is_near) {
            let side = |rank: usize| {
                sides_of_box(&(pose.position + rotation * skin.corner(facet, rank)), &within.aabb)
            };
            let beside = (0..D).fold(u32::MAX, |all, rank| all & side(rank));
            *is_near = beside == 0 && in_ball(skin, facet, &ball);
        }
    }
}

/// More than rounding can take away.
fn certain(radius: f64) -> f64 {
    radius * (1.0 + 1e-9)
}

/// Whether a facet reaches into a ball of the body's frame: not where it lies beyond a plane that touches the
/// ball.
#[inline]
fn in_ball<const D: usize>(skin: &SkinShape<D>, facet: usize, (centre, radius): &(Vector<D>, f64)) -> bool {
    let way = skin.middle(facet) - centre;
    let edge = radius * radius * way.norm_squared();
    (0..D).any(|rank| {
        let along = (skin.corner(facet, rank) - centre).dot(&way);
        along <= 0.0 || along * along <= edge
    })
}
