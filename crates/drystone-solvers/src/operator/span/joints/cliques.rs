//! Which contacts are between the same two bodies, and which of these joints share a body: the corners of a
//! graph from its line graph (Roussopoulos 1973). Knows no numbers but which blocks are there.

use drystone_problem::BlockRows;
use std::collections::BTreeMap;

/// Entries that are rounding, relative to the diagonal.
const NOTHING: f64 = 1e-13;

/// Joints and bodies.
pub(super) struct Joints {
    /// The contacts of every joint.
    pub contacts: Vec<Vec<usize>>,
    /// The joints of every body, increasing.
    pub bodies: Vec<Vec<usize>>,
    /// The bodies of every joint, one or two.
    pub of_joint: Vec<Vec<usize>>,
}

impl Joints {
    /// The joints and bodies of W, whose rows are multiplied by the scales; `None` where it has none.
    pub fn of<const D: usize>(w: &BlockRows<D>, scales: &[f64]) -> Option<Self> {
        let acts = |row: usize, column: usize, block: &drystone_problem::Matrix<D, D>| {
            let scaled = |i: usize, j: usize| scales[row * D + i] * block[(i, j)] * scales[column * D + j];
            (0..D).any(|i| (0..D).any(|j| scaled(i, j).abs() > NOTHING))
        };
        let mut alike: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
        for row in 0..w.rows() {
            let mut near: Vec<u32> =
                w.row(row).filter(|entry| acts(row, entry.0, entry.1)).map(|entry| entry.0 as u32).collect();
            near.sort_unstable();
            alike.entry(near).or_default().push(row);
        }
        let mut classes: Vec<(Vec<usize>, Vec<u32>)> =
            alike.into_iter().map(|(near, contacts)| (contacts, near)).collect();
        classes.sort_unstable();
        let mut joint_of = vec![0; w.rows()];
        for (joint, (contacts, _)) in classes.iter().enumerate() {
            contacts.iter().for_each(|&contact| joint_of[contact] = joint);
        }
        let near: Vec<Vec<usize>> = classes
            .iter()
            .enumerate()
            .map(|(joint, (_, near))| {
                let mut near: Vec<usize> = near.iter().map(|&contact| joint_of[contact as usize]).collect();
                near.sort_unstable();
                near.dedup();
                near.retain(|&other| other != joint);
                near
            })
            .collect();
        let bodies = corners(&near)?;
        let mut of_joint = vec![Vec::new(); near.len()];
        for (body, joints) in bodies.iter().enumerate() {
            joints.iter().for_each(|&joint| of_joint[joint].push(body));
        }
        let contacts = classes.into_iter().map(|(contacts, _)| contacts).collect();
        of_joint.iter().all(|bodies| bodies.len() <= 2).then_some(Self { contacts, bodies, of_joint })
    }
}

/// The corners of the graph with this line graph, each with the edges that meet there; edges that meet no
/// other have one corner. `None` where there is no such graph.
fn corners(near: &[Vec<usize>]) -> Option<Vec<Vec<usize>>> {
    let touch = |one: usize, other: usize| near[one].binary_search(&other).is_ok();
    let mut corners: Vec<Vec<usize>> = Vec::new();
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); near.len()];
    for one in 0..near.len() {
        for &other in near[one].iter().filter(|&&other| other > one) {
            if at[one].iter().any(|corner| at[other].contains(corner)) {
                continue;
            }
            let mut corner = vec![one, other];
            let common = near[one].iter().copied().filter(|&third| touch(other, third));
            corner.extend(common.filter(|&third| is_odd(near, [one, other, third])));
            corner.sort_unstable();
            // edges that meet in a corner all touch, and have no more than two corners
            let mutual = |&edge: &usize| corner.iter().all(|&next| next == edge || touch(edge, next));
            if !corner.iter().all(mutual) || corner.iter().any(|&edge| at[edge].len() == 2) {
                return None;
            }
            corner.iter().for_each(|&edge| at[edge].push(corners.len()));
            corners.push(corner);
        }
    }
    corners.extend((0..near.len()).filter(|&edge| near[edge].is_empty()).map(|edge| vec![edge]));
    Some(corners)
}

/// Whether three edges that touch meet in one corner, not in three: some other edge touches one or all of
/// them.
fn is_odd(near: &[Vec<usize>], triangle: [usize; 3]) -> bool {
    let touched =
        |edge: &usize| triangle.iter().filter(|&&corner| near[corner].binary_search(edge).is_ok()).count();
    let others = triangle.iter().flat_map(|&corner| &near[corner]).filter(|edge| !triangle.contains(edge));
    others.into_iter().any(|edge| touched(edge) % 2 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_of_a_graph_follow_from_which_edges_meet() {
        // two triangles on one side, a tail, and an edge apart
        let edges = [[0, 1], [1, 2], [0, 2], [2, 3], [1, 3], [3, 4], [4, 5], [6, 7]];
        let near: Vec<Vec<usize>> = edges
            .iter()
            .map(|edge| {
                let meets = |other: &&[i32; 2]| *other != edge && other.iter().any(|end| edge.contains(end));
                let found = edges.iter().enumerate().filter(|(_, other)| meets(other));
                found.map(|(at, _)| at).collect()
            })
            .collect();
        let mut found = corners(&near).unwrap();
        found.sort_unstable();
        let at = |corner: i32| (0..edges.len()).filter(|&edge| edges[edge].contains(&corner)).collect();
        let mut expected: Vec<Vec<usize>> = (0..5).map(at).collect();
        expected.push(vec![7]);
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_star_whose_tips_do_not_touch_is_no_line_graph() {
        let near = vec![vec![1, 2, 3], vec![0], vec![0], vec![0]];
        assert!(corners(&near).is_none());
    }
}
