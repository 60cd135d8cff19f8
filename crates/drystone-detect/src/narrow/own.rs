//! Contacts of a skin with itself. Integrals are taken by `spread`, as between two bodies; which facets are
//! near each other is told by `folds`.

use drystone_geometry::aabb::Aabb;
use drystone_geometry::{Shape, SkinShape};
use drystone_math::{Pose, Vector};

use crate::ContactPoint;
use crate::narrow::flats::{FLAT, height_over};
use crate::narrow::folds::facet_box;
use crate::narrow::skin::{UNDER, facet_word, name, sheet_word, vertex_word};
use crate::narrow::spread::{SkinBuffers, SkinPair};

/// The contacts of a skin with itself whose gap is at most `alert` \[m\], by increasing features; none where
/// it may not touch itself. Contactors and image are those of `like`.
///
/// Two parts of a skin that meet have the vertices of one of them, see [`SkinShape::bears`]. Facets that
/// share a vertex do not meet, nor do the two sides of a thin part: see [`SkinShape::touching_itself`].
pub fn contact_points_with_itself<const D: usize>(
    (shape, pose): (&Shape<D>, &Pose<D>),
    alert: f64,
    like: &ContactPoint<D>,
) -> Vec<ContactPoint<D>> {
    let (mut touches, mut buffers) = (Vec::new(), SkinBuffers::default());
    let pair = SkinPair::with_itself((shape, pose), alert, &mut buffers);
    let (Shape::Skin(skin), Some(mut pair)) = (shape, pair) else { return touches };
    let deepest = pair.deepest();
    let touching = |gap: f64| gap <= alert && gap >= -deepest;
    for sheet in 0..skin.sheets().len() as u32 {
        if let Some(found) = pair.touch(sheet).filter(|found| touching(found.gap)) {
            let feature = name(sheet_word(sheet), UNDER);
            touches.push(ContactPoint {
                feature,
                point: found.point,
                normal: found.normal,
                gap: found.gap,
                ..*like
            });
        }
    }
    corners(skin, pose, alert, &touching, &mut |vertex, facet, at, normal, gap| {
        let feature = name(vertex_word(vertex), facet_word(facet));
        touches.push(ContactPoint { feature, point: at - normal * (0.5 * gap), normal, gap, ..*like });
    });
    touches.sort_unstable_by_key(|touch| touch.feature);
    touches
}

/// Sharp vertices over facets of the same skin on which no facet around them lies flat.
fn corners<const D: usize>(
    skin: &SkinShape<D>,
    pose: &Pose<D>,
    alert: f64,
    touching: &impl Fn(f64) -> bool,
    found: &mut dyn FnMut(u32, u32, Vector<D>, Vector<D>, f64),
) {
    let boxes: Vec<Aabb<D>> = (0..skin.facet_count()).map(|facet| facet_box(skin, facet, alert)).collect();
    let within = |at: &Vector<D>, near: &Aabb<D>| {
        (0..D).all(|axis| at[axis] >= near.low[axis] && at[axis] <= near.high[axis])
    };
    for (vertex, around) in skin.sharp() {
        let at = skin.vertices()[vertex as usize];
        for facet in (0..skin.facet_count()).filter(|&facet| within(&at, &boxes[facet])) {
            let normal = skin.normal(facet);
            let corners: [Vector<D>; D] = std::array::from_fn(|rank| *skin.corner(facet, rank));
            let gap = height_over(&at, &corners, &normal).filter(|&gap| touching(gap));
            let Some(gap) = gap else { continue };
            let of_ring = |&own: &u32| skin.are_neighbours(own as usize, facet);
            let lies = |&own: &u32| skin.normal(own as usize).dot(&normal) <= -FLAT;
            let first = |&own: &u32| (0..D).all(|k| (skin.corner(own as usize, k) - at).dot(&normal) >= 0.0);
            if !around.iter().any(of_ring) && !around.iter().any(lies) && around.iter().all(first) {
                found(vertex, facet as u32, pose.to_world(&at), pose.rotation() * normal, gap);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LEVEL_AXES;
    use crate::narrow::folds::near_facets;

    /// A clip: arms 0.1 m thick and 0.05 m apart, facets of 0.05 m.
    fn clip() -> SkinShape<2> {
        let corners = [
            [0.0, 0.0],
            [1.0, 0.0],
            [1.0, 0.1],
            [0.1, 0.1],
            [0.1, 0.15],
            [1.0, 0.15],
            [1.0, 0.25],
            [0.0, 0.25],
        ];
        let corners = corners.map(Vector::<2>::from);
        let mut vertices = Vec::new();
        for (k, from) in corners.iter().enumerate() {
            let way = corners[(k + 1) % corners.len()] - from;
            let count = (way.norm() / 0.05).round();
            vertices.extend((0..count as u32).map(|part| from + way * (f64::from(part) / count)));
        }
        let count = vertices.len() as u32;
        SkinShape::new(vertices, (0..count).map(|k| [k, (k + 1) % count, 0]).collect()).unwrap()
    }

    fn like() -> ContactPoint<2> {
        ContactPoint {
            contactors: [3; 2],
            image: [0; LEVEL_AXES],
            feature: 0,
            point: Vector::zeros(),
            normal: Vector::zeros(),
            gap: 0.0,
        }
    }

    #[test]
    fn the_arms_of_a_clip_meet_but_not_their_own_sides() {
        let mut pose = Pose::<2>::identity();
        pose.position = Vector::<2>::new(3.0, 1.0);
        let silent: Shape<2> = clip().into();
        assert!(contact_points_with_itself((&silent, &pose), 0.06, &like()).is_empty());
        let shape: Shape<2> = clip().touching_itself(0.025).into();
        assert!(contact_points_with_itself((&shape, &pose), 0.04, &like()).is_empty());
        let found = contact_points_with_itself((&shape, &pose), 0.06, &like());
        // one for each vertex of the lower arm, however far others could be seen
        assert_eq!(found.len(), 19);
        for touch in &found {
            assert!((touch.gap - 0.05).abs() < 1e-12 && touch.normal[1] < -0.999, "{touch:?}");
            assert!((touch.point[1] - 1.125).abs() < 1e-12 && touch.contactors == [3; 2]);
        }
        assert!(found.windows(2).all(|pair| pair[0].feature < pair[1].feature));
        let far = contact_points_with_itself((&shape, &pose), 0.6, &like());
        assert_eq!(far, found);
    }

    #[test]
    fn near_facets_are_those_of_a_search_among_all() {
        let skin = clip().touching_itself(0.025);
        for reach in [0.02, 0.07, 0.31] {
            let near = near_facets(&skin, reach);
            let apart = |a: usize, b: usize| {
                let [a, b] = [a, b].map(|facet| facet_box(&skin, facet, 0.0));
                (0..2).map(|k| (a.low[k] - b.high[k]).max(b.low[k] - a.high[k])).fold(f64::MIN, f64::max)
            };
            for (one, two) in
                (0..skin.facet_count()).flat_map(|k| (0..skin.facet_count()).map(move |l| (k, l)))
            {
                let faces = skin.normal(one).dot(&skin.normal(two)) <= -FLAT;
                let meets = one != two && faces && apart(one, two) <= reach && !skin.are_neighbours(one, two);
                let expected = meets && skin.bears(one, two);
                assert_eq!(near[one].contains(&(two as u32)), expected, "{one} {two} at {reach}");
            }
        }
    }
}
