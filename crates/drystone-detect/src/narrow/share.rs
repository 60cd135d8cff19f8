//! The share of each contact point in the patch where two bodies touch. Knows touches alone, neither shapes
//! nor laws.

use crate::ContactPoint;
use drystone_math::Vector;
use drystone_math::portable;

/// Normals that differ by less than this belong to one patch: one minus the cosine of the angle between them.
const SAME_NORMAL: f64 = 1e-3;

/// Shares of the points between two contactors, in the order of the touches: \[m²\], in the plane \[m\] for a
/// depth of 1 m. Points with the same normal are the corners of one patch.
///
/// In the plane every stretch between two neighbours is halved between them. In space the patch is cut into
/// triangles about the mean of its points, and each triangle is halved between its two corners. The shares
/// add up to the size of the patch where its points are those of a convex polygon. A single point has none.
pub fn shares<const D: usize>(touches: &[ContactPoint<D>]) -> Vec<f64> {
    let mut shares = vec![0.0; touches.len()];
    let mut done = vec![false; touches.len()];
    for first in 0..touches.len() {
        if done[first] {
            continue;
        }
        let normal = touches[first].normal;
        let same = |k: &usize| touches[*k].normal.dot(&normal) > 1.0 - SAME_NORMAL;
        let patch: Vec<usize> = (first..touches.len()).filter(|&k| !done[k]).filter(same).collect();
        patch.iter().for_each(|&k| done[k] = true);
        share(touches, &patch, &mut shares);
    }
    shares
}

fn share<const D: usize>(touches: &[ContactPoint<D>], patch: &[usize], shares: &mut [f64]) {
    if patch.len() < 2 {
        return;
    }
    let frame = touches[patch[0]].frame();
    let centre = patch.iter().map(|&k| touches[k].point).sum::<Vector<D>>() / patch.len() as f64;
    let at = |k: usize, tangent: usize| frame.column(tangent).dot(&(touches[k].point - centre));
    if D == 2 {
        let mut along: Vec<(f64, usize)> = patch.iter().map(|&k| (at(k, 1), k)).collect();
        along.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in along.windows(2) {
            let half = 0.5 * (pair[1].0 - pair[0].0);
            shares[pair[0].1] += half;
            shares[pair[1].1] += half;
        }
        return;
    }
    let mut around: Vec<(f64, [f64; 2], usize)> = patch
        .iter()
        .map(|&k| {
            let [x, y] = [at(k, 1), at(k, 2)];
            (portable::atan2(y, x), [x, y], k)
        })
        .collect();
    around.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
    for k in 0..around.len() {
        let ((_, [ax, ay], a), (_, [bx, by], b)) = (around[k], around[(k + 1) % around.len()]);
        let half = 0.25 * (ax * by - ay * bx).abs();
        shares[a] += half;
        shares[b] += half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch<const D: usize>(point: Vector<D>, normal: Vector<D>) -> ContactPoint<D> {
        ContactPoint { contactors: [0, 1], image: [0; 2], feature: 0, point, normal, gap: 0.0 }
    }

    #[test]
    fn shares_add_up_to_the_patch() {
        let up = Vector::<2>::new(0.0, 1.0);
        let line = [0.3, -0.5, 0.1].map(|x| touch(Vector::<2>::new(x, 2.0), up));
        let found = shares(&line);
        let expected = [0.1, 0.3, 0.4];
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-14));
        let up = Vector::<3>::new(0.0, 0.0, 1.0);
        let corners = [[0.0, 0.0], [2.0, 3.0], [2.0, 0.0], [0.0, 3.0]];
        let face = corners.map(|[x, y]| touch(Vector::<3>::new(x, y, 1.0), up));
        assert!(shares(&face).iter().all(|share| (share - 1.5).abs() < 1e-14));
        assert_eq!(shares(&face[..1]), [0.0]);
        // a second patch with another normal has its own shares
        let side = touch(Vector::<3>::new(5.0, 5.0, 5.0), Vector::<3>::new(1.0, 0.0, 0.0));
        let both = [&face[..], &[side]].concat();
        assert_eq!(shares(&both), [&shares(&face)[..], &[0.0]].concat());
    }
}
