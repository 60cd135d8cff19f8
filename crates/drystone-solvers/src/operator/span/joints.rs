//! The bodies of an assembled operator, found again: who they are by which contacts act on each other, and
//! how they move by what those do. Gives columns that are those of the bodies. Refuses whatever is no
//! operator between rigid bodies that touch in patches, and bodies that the numbers leave undecided.
//!
//! Contacts that act on the same others make a joint of two bodies, and the joints are the edges of a graph
//! whose corners are the bodies: W knows its line graph, from which Roussopoulos (1973) finds the corners.
//! With `N` a body's part of W, `N_JK = W_JK` for two of its joints, and `N_JJ` follows from any two others
//! that hold the body in all directions, `N_JJ = N_JK N_LK⁻¹ N_LJ`, since N has no more than rank 6; else it
//! is what the other body of the joint leaves of `W_JJ`.

mod cliques;
mod dense;

use super::columns::Columns;
use cliques::Joints;
use dense::{Dense, roots};
use drystone_math::rigid_dofs;
use drystone_problem::{BlockRows, Vector};

/// Columns of a body.
const MOST: usize = 6;

/// A joint in terms of some of its rows.
struct JointRows {
    /// Rows of W that all others of the joint follow from.
    pivots: Vec<usize>,
    /// How all rows follow from those.
    follow: Dense,
}

/// What W says of bodies.
struct Recovery<'a, const D: usize> {
    w: &'a BlockRows<D>,
    scales: Vec<f64>,
    joints: Joints,
    patches: Vec<JointRows>,
    /// `N_JJ` of every joint of every body, once known.
    own: Vec<Vec<Option<Dense>>>,
    /// What a body may lack of an entry of W, relative to the diagonal.
    exact: f64,
}

/// The columns of the bodies of W; `None` where they are not to be found, or lack more of an entry of W than
/// `exact`, relative to the diagonal.
pub(in crate::operator) fn columns_of_bodies<const D: usize>(
    w: &BlockRows<D>,
    exact: f64,
) -> Option<Columns<D>> {
    if D != 2 && D != 3 {
        return None;
    }
    let mut scales = Vec::with_capacity(D * w.rows());
    for row in 0..w.rows() {
        for &d in w.diagonal(row).diagonal().iter() {
            let scale = 1.0 / d.sqrt();
            scales.push((d > 0.0 && scale.is_finite()).then_some(scale)?);
        }
    }
    let joints = Joints::of(w, &scales)?;
    let mut patches = Vec::with_capacity(joints.contacts.len());
    for contacts in &joints.contacts {
        patches.push(patch(w, &scales, contacts, exact)?);
    }
    let own = joints.bodies.iter().map(|body| vec![None; body.len()]).collect();
    let mut recovery = Recovery { w, scales, joints, patches, own, exact };
    recovery.decide();
    recovery.columns()
}

/// The rows of a joint that tell all others; `None` where they are more than two rigid bodies have.
fn patch<const D: usize>(
    w: &BlockRows<D>,
    scales: &[f64],
    contacts: &[usize],
    exact: f64,
) -> Option<JointRows> {
    let rows: Vec<usize> = contacts.iter().flat_map(|&contact| contact * D..(contact + 1) * D).collect();
    let all = block(w, scales, &rows, &rows);
    let (root, pivots, left) = roots(&all, rigid_dofs(D));
    if left > exact {
        return None;
    }
    let own = root.rows(&pivots);
    let follow = own.transposed().solve(&root.transposed())?.transposed();
    Some(JointRows { pivots: pivots.into_iter().map(|row| rows[row]).collect(), follow })
}

/// Some scaled rows and columns of W.
fn block<const D: usize>(w: &BlockRows<D>, scales: &[f64], rows: &[usize], columns: &[usize]) -> Dense {
    let mut block = Dense::zeros(rows.len(), columns.len());
    for (i, &row) in rows.iter().enumerate() {
        for (j, &column) in columns.iter().enumerate() {
            // both are of contacts of one body, whose block is there
            if let Some((_, found)) = w.row(row / D).find(|entry| entry.0 == column / D) {
                block[(i, j)] = scales[row] * found[(row % D, column % D)] * scales[column];
            }
        }
    }
    block
}

impl<const D: usize> Recovery<'_, D> {
    /// `W_JK` in terms of the rows that tell all others.
    fn between(&self, joint: usize, other: usize) -> Dense {
        block(self.w, &self.scales, &self.patches[joint].pivots, &self.patches[other].pivots)
    }

    fn is_full(&self, joint: usize) -> bool {
        self.patches[joint].pivots.len() == rigid_dofs(D)
    }

    /// Finds what can be found, body by body, until nothing more follows.
    fn decide(&mut self) {
        for body in 0..self.joints.bodies.len() {
            for at in 0..self.joints.bodies[body].len() {
                self.own[body][at] = self.by_two_others(body, at);
            }
        }
        let mut open: Vec<(usize, usize)> = (0..self.own.len())
            .flat_map(|body| (0..self.own[body].len()).map(move |at| (body, at)))
            .filter(|&(body, at)| self.own[body][at].is_none())
            .collect();
        loop {
            let before = open.len();
            open.retain(|&(body, at)| {
                self.own[body][at] = self.by_the_other_body(body, at);
                self.own[body][at].is_none()
            });
            if open.is_empty() || open.len() == before {
                return;
            }
        }
    }

    /// `N_JJ = N_JK N_LK⁻¹ N_LJ`.
    fn by_two_others(&self, body: usize, at: usize) -> Option<Dense> {
        let members = &self.joints.bodies[body];
        let joint = members[at];
        let mut full = members.iter().copied().filter(|&other| other != joint && self.is_full(other));
        let (k, l) = (full.next()?, full.next()?);
        let along = self.between(l, k).solve(&self.between(l, joint))?;
        Some(self.between(joint, k).times(&along).symmetric())
    }

    /// What the other body of the joint leaves of `W_JJ`, all of it where there is no other.
    fn by_the_other_body(&self, body: usize, at: usize) -> Option<Dense> {
        let joint = self.joints.bodies[body][at];
        let mut left = self.between(joint, joint);
        for other in self.joints.of_joint[joint].iter().copied().filter(|&other| other != body) {
            let place = self.joints.bodies[other].iter().position(|&member| member == joint)?;
            left.subtract(self.own[other][place].as_ref()?);
        }
        Some(left)
    }

    /// The columns of all bodies; `None` where they do not give W back.
    fn columns(&self) -> Option<Columns<D>> {
        let mut rows: Vec<Vec<(u32, Vector<D>)>> = vec![Vec::new(); self.w.rows()];
        for body in 0..self.own.len() {
            self.of_body(body, &mut rows)?;
        }
        rows.iter_mut().for_each(|row| row.sort_by_key(|entry| entry.0));
        let found = Columns::from_rows(rows, MOST * self.own.len());
        self.gives_back(&found).then_some(found)
    }

    /// Adds the columns of a body to the rows of its contacts.
    fn of_body(&self, body: usize, rows: &mut [Vec<(u32, Vector<D>)>]) -> Option<()> {
        let members = &self.joints.bodies[body];
        let mut starts = vec![0];
        for &joint in members {
            starts.push(starts[starts.len() - 1] + self.patches[joint].pivots.len());
        }
        let size = starts[members.len()];
        let mut whole = Dense::zeros(size, size);
        for (a, &joint) in members.iter().enumerate() {
            for (b, &other) in members.iter().enumerate() {
                let part = if a == b { self.own[body][a].clone()? } else { self.between(joint, other) };
                whole.put(starts[a], starts[b], &part);
            }
        }
        let (root, _, _) = roots(&whole, rigid_dofs(D));
        for (a, &joint) in members.iter().enumerate() {
            let chosen: Vec<usize> = (starts[a]..starts[a + 1]).collect();
            let all = self.patches[joint].follow.times(&root.rows(&chosen));
            for (place, &contact) in self.joints.contacts[joint].iter().enumerate() {
                for column in 0..all.columns() {
                    let unscaled = |i: usize| all[(place * D + i, column)] / self.scales[contact * D + i];
                    rows[contact].push(((MOST * body + column) as u32, Vector::from_fn(|i, _| unscaled(i))));
                }
            }
        }
        Some(())
    }

    /// Whether the products of all rows are the blocks of W. Contacts that share no body have neither.
    fn gives_back(&self, found: &Columns<D>) -> bool {
        (0..self.w.rows()).all(|row| {
            self.w.row(row).all(|(column, block)| {
                let mut left = *block;
                let mut other = found.row(column).peekable();
                for (place, values) in found.row(row) {
                    while other.next_if(|entry| entry.0 < place).is_some() {}
                    if let Some((_, right)) = other.next_if(|entry| entry.0 == place) {
                        left -= values * right.transpose();
                    }
                }
                let scale = |contact: usize, i: usize| self.scales[contact * D + i];
                let error = |i: usize, j: usize| (scale(row, i) * left[(i, j)] * scale(column, j)).abs();
                (0..D).all(|i| (0..D).all(|j| error(i, j) <= self.exact))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::tests::between_bodies;
    use super::*;
    use drystone_bench::problems::{Cluster, ClusterKind, packing};
    use drystone_problem::Delassus;

    const EXACT: f64 = 1e-9;

    fn cluster(kind: ClusterKind, sides: [usize; 3]) -> BlockRows<3> {
        Cluster { kind, sides, ratio: 1e6, mu: None, seed: 3 }.problem().w.assemble()
    }

    /// The oracle is the operator itself, multiplied out by the rows that were found.
    #[test]
    fn bodies_are_found_again() {
        let walls = cluster(ClusterKind::Wall, [5, 1, 6]);
        let boxes = cluster(ClusterKind::Boxes, [3, 4, 3]);
        for (w, bodies) in [(walls, 30), (boxes, 36)] {
            let found = columns_of_bodies(&w, EXACT).unwrap();
            assert_eq!(found.rank(), 6 * bodies);
            for row in 0..w.rows() {
                assert!(found.row(row).count() <= 12, "two bodies at a contact");
                let x: Vec<f64> = (0..w.rows()).map(|k| ((k * row) as f64).sin()).collect();
                let mut along = vec![0.0; found.rank()];
                for (contact, x) in x.iter().enumerate() {
                    found.row(contact).for_each(|(column, values)| along[column] += values[0] * x);
                }
                let product: f64 = found.row(row).map(|(column, values)| values[0] * along[column]).sum();
                let same: f64 = w.row(row).map(|(column, block)| block[(0, 0)] * x[column]).sum();
                let size: f64 = w.row(row).map(|(_, block)| block[(0, 0)].abs()).sum();
                assert!((product - same).abs() < 1e-8 * size, "{row}: {product} {same}");
            }
        }
    }

    #[test]
    fn what_has_no_patches_or_no_bodies_is_refused() {
        assert!(columns_of_bodies(&packing(40, 1).w.assemble(), EXACT).is_none(), "balls");
        assert!(columns_of_bodies(&between_bodies(5, 60), EXACT).is_none(), "not rigid");
        let w = cluster(ClusterKind::Boxes, [3, 3, 3]);
        let spoiled = (0..w.rows()).flat_map(|row| w.row(row).map(move |entry| (row, entry.0, *entry.1)));
        let spoiled = spoiled.map(|(row, column, mut block)| {
            if row + column == 2 {
                block[(0, 0)] *= 1.01;
            }
            (row as u32, column as u32, block)
        });
        assert!(columns_of_bodies(&BlockRows::from_triplets(w.rows(), spoiled.collect()), EXACT).is_none());
    }
}
