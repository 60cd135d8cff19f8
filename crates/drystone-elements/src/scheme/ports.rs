//! Compliance of a body over the places where contacts hold it: columns of A⁻¹ on the skin, computed once for
//! a node and kept.

use super::{FloatingFrame, ThetaOperator};
use drystone_math::{Matrix, Vector};
use std::borrow::Borrow;

/// Where a contact or a tie holds a mesh: the velocity there is `Σ w_k v_k` of some nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grip {
    /// Each node once, increasing.
    parts: Vec<(u32, f64)>,
}

impl Grip {
    /// Nodes with their weights: shape functions of a face or an element at a point, or their means over many
    /// points. The weights of a node that comes again are added.
    pub fn new(parts: impl IntoIterator<Item = (u32, f64)>) -> Self {
        // around a vertex of the plane there are three on the one side and seldom more than five on the other
        let mut own: Vec<(u32, f64)> = Vec::with_capacity(6);
        for (node, weight) in parts {
            // few nodes that come many times: looking for them takes less than putting all in order
            match own.iter_mut().find(|known| known.0 == node) {
                Some(known) => known.1 += weight,
                None => own.push((node, weight)),
            }
        }
        own.sort_unstable_by_key(|(node, _)| *node);
        Self { parts: own }
    }

    /// One node alone.
    pub fn node(node: u32) -> Self {
        Self::new([(node, 1.0)])
    }

    /// Nodes and weights.
    pub fn parts(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.parts.iter().copied()
    }

    /// Velocity of the port, from those of all degrees of freedom.
    pub fn velocity<const D: usize>(&self, v: &[f64]) -> Vector<D> {
        self.parts().fold(Vector::zeros(), |sum, (node, weight)| {
            sum + Vector::<D>::from_fn(|axis, _| v[node as usize * D + axis]) * weight
        })
    }

    /// Adds an impulse on the port to those of all degrees of freedom.
    pub fn push<const D: usize>(&self, impulse: &Vector<D>, p: &mut [f64]) {
        for (node, weight) in self.parts() {
            (0..D).for_each(|axis| p[node as usize * D + axis] += weight * impulse[axis]);
        }
    }
}

/// Columns of the compliance on the nodes of a skin, and on others that are held: of `A⁻¹`, or of `P A⁻¹ Pᵀ`
/// for a body in a floating frame.
///
/// Columns are made by [`PortCompliance::prepare`], between steps and in the order of the nodes, so that no
/// bit depends on who asked first. A changed step or θ drops them.
#[derive(Clone, Debug)]
pub struct PortCompliance<const D: usize> {
    /// Place of each node of the body among those that may be held.
    place: Vec<Option<u32>>,
    /// Nodes that may be held: those of the skin, then others.
    nodes: Vec<u32>,
    /// For every node of the body its D columns, each over the nodes that may be held; empty where nobody has
    /// asked.
    columns: Vec<Vec<f64>>,
}

/// Right sides solved at once: enough for the factors to be read once for many, few enough for memory.
const BATCH: usize = 32;

impl<const D: usize> PortCompliance<D> {
    /// No columns yet, for the nodes of a skin in a body of so many nodes.
    pub fn new(nodes: usize, skin: &[u32]) -> Self {
        let mut own = Self { place: vec![None; nodes], nodes: Vec::new(), columns: vec![Vec::new(); nodes] };
        own.hold(skin);
        own
    }

    /// Lets more nodes be held, those within a body among them; all columns are to be made anew.
    pub fn hold(&mut self, nodes: &[u32]) {
        for &node in nodes {
            if let Some(place) = self.place.get_mut(node as usize).filter(|place| place.is_none()) {
                *place = Some(self.nodes.len() as u32);
                self.nodes.push(node);
            }
        }
        self.clear();
    }

    /// Nodes that may be held: those of the skin, then others.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Forgets all columns: the step or θ has changed.
    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
    }

    /// Number of nodes whose columns are there.
    pub fn prepared(&self) -> usize {
        self.columns.iter().filter(|columns| !columns.is_empty()).count()
    }

    /// The columns of a node, where they are there.
    fn made(&self, node: u32) -> Option<&[f64]> {
        self.columns.get(node as usize).map(Vec::as_slice).filter(|columns| !columns.is_empty())
    }

    /// Nodes whose columns grips need and that are not there yet; one may come several times.
    pub fn missing<'a>(&self, grips: impl Iterator<Item = &'a Grip>) -> impl Iterator<Item = u32> {
        let nodes = grips.flat_map(|grip| grip.parts().map(|(node, _)| node));
        nodes.filter(|&node| self.made(node).is_none())
    }

    /// Makes the columns that the grips need and that are not there yet.
    pub fn prepare<G: Borrow<Grip>>(
        &mut self,
        operator: &ThetaOperator<D>,
        frame: Option<&FloatingFrame<D>>,
        grips: &[G],
    ) {
        self.prepare_by(grips, |impulses| match frame {
            Some(frame) => frame.deforming_answer(operator, impulses),
            None => operator.answer(impulses),
        });
    }

    /// The same for a body that answers impulses in place, one after the other.
    pub fn prepare_by<G: Borrow<Grip>>(&mut self, grips: &[G], answer: impl Fn(&mut [f64])) {
        let mut missing: Vec<u32> = self.missing(grips.iter().map(Borrow::borrow)).collect();
        missing.sort_unstable();
        missing.dedup();
        let size = self.place.len() * D;
        for batch in missing.chunks(BATCH) {
            let mut work = vec![0.0; batch.len() * D * size];
            for (k, &node) in batch.iter().enumerate() {
                for axis in 0..D {
                    work[(k * D + axis) * size + node as usize * D + axis] = 1.0;
                }
            }
            answer(&mut work);
            for (k, &node) in batch.iter().enumerate() {
                let mut own = Vec::with_capacity(D * self.nodes.len() * D);
                for axis in 0..D {
                    let column = &work[(k * D + axis) * size..][..size];
                    self.nodes
                        .iter()
                        .for_each(|&node| own.extend_from_slice(&column[node as usize * D..][..D]));
                }
                self.columns[node as usize] = own;
            }
        }
    }

    /// Velocity of port `of` for an impulse on port `on`, in the axes of the body \[1/kg\]; `None` where the
    /// columns of `on` are not prepared or `of` is of nodes that are not held.
    pub fn between(&self, of: &Grip, on: &Grip) -> Option<Matrix<D, D>> {
        let mut sum = Matrix::zeros();
        let length = self.nodes.len() * D;
        for (node, weight) in on.parts() {
            let columns = self.made(node)?;
            for (other, share) in of.parts() {
                let place = self.place.get(other as usize).copied().flatten()? as usize;
                for j in 0..D {
                    let column = &columns[j * length + place * D..][..D];
                    (0..D).for_each(|i| sum[(i, j)] += weight * share * column[i]);
                }
            }
        }
        Some(sum)
    }

    /// Velocities of the nodes of all ports for a unit impulse on one along each axis, by their places in
    /// `nodes`: the columns of the port. False where they are not prepared.
    fn columns_of(&self, on: &Grip, nodes: &[usize], sums: &mut [Matrix<D, D>]) -> bool {
        let length = self.nodes.len() * D;
        sums.fill(Matrix::zeros());
        for (node, weight) in on.parts() {
            let Some(columns) = self.made(node) else { return false };
            for j in 0..D {
                let column = columns[j * length..][..length].as_chunks::<D>().0;
                for (sum, &place) in sums.iter_mut().zip(nodes) {
                    let column = &column[place];
                    (0..D).for_each(|i| sum[(i, j)] += weight * column[i]);
                }
            }
        }
        true
    }

    /// The dense compliance `C_b` over all ports of a body, column after column of `D p` numbers, each port
    /// seen in a frame of its own (rows are the axes of the contact, in those of the body): `F_p C F_qᵀ`.
    /// Symmetric to the last bit; `None` where columns are not prepared.
    pub fn block<G: Borrow<Grip>>(&self, ports: &[(G, Matrix<D, D>)]) -> Option<Vec<f64>> {
        // the nodes of all ports in the order in which they come: of a port only those of the ports before it
        // and its own are wanted
        let mut number_of = vec![u32::MAX; self.nodes.len()];
        let (mut places, mut numbers, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for (node, _) in ports.iter().flat_map(|(grip, _)| grip.borrow().parts()) {
            let place = self.place.get(node as usize).copied().flatten()? as usize;
            if number_of[place] == u32::MAX {
                number_of[place] = places.len() as u32;
                places.push(place);
            }
            numbers.push(number_of[place] as usize);
            ends.push(places.len());
        }
        let size = ports.len() * D;
        let mut block = vec![0.0; size * size];
        let mut columns = vec![Matrix::zeros(); places.len()];
        let mut parts = 0;
        for (q, (on, frame)) in ports.iter().enumerate() {
            parts += on.borrow().parts().count();
            let known = if parts == 0 { 0 } else { ends[parts - 1] };
            if !self.columns_of(on.borrow(), &places[..known], &mut columns[..known]) {
                return None;
            }
            let mut numbers = numbers.iter();
            for (p, (of, own)) in ports.iter().enumerate().take(q + 1) {
                let parts = of.borrow().parts().zip(&mut numbers);
                let sum =
                    parts.fold(Matrix::zeros(), |sum, ((_, weight), node)| sum + columns[*node] * weight);
                let here = own * sum * frame.transpose();
                // a grip with itself: rounding must not part the two halves
                let here = if p == q { (here + here.transpose()) * 0.5 } else { here };
                for i in 0..D {
                    for j in 0..D {
                        block[(q * D + j) * size + p * D + i] = here[(i, j)];
                        block[(p * D + i) * size + q * D + j] = here[(i, j)];
                    }
                }
            }
        }
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_grip_has_each_node_once_with_all_of_its_weights() {
        let parts: Vec<(u32, f64)> =
            (0..60u32).map(|k| (k * 7919 % 13, 0.1 + 0.37 * f64::from(k % 5))).collect();
        let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
        parts.iter().for_each(|(node, weight)| *sums.entry(*node).or_default() += weight);
        let grip = Grip::new(parts);
        assert_eq!(grip.parts().collect::<Vec<_>>(), sums.into_iter().collect::<Vec<_>>());
    }
}
