//! Compliance of a body over the places where contacts hold it: columns of A⁻¹ on the skin, computed once for
//! a node and kept.

use super::{FloatingFrame, ThetaOperator};
use drystone_math::{Matrix, Vector};
use std::collections::BTreeMap;

/// Most nodes that hold a port: those of a face.
const MOST: usize = crate::element::MOST_FACE_NODES;

/// Where a contact holds a mesh: the velocity there is `Σ w_k v_k` of the nodes of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    nodes: [u32; MOST],
    weights: [f64; MOST],
    count: u8,
}

impl Grip {
    /// Nodes with their weights, the shape functions of a face at the point; those beyond the eighth are left
    /// out, as no face has them.
    pub fn new(parts: impl IntoIterator<Item = (u32, f64)>) -> Self {
        let mut own = Self { nodes: [0; MOST], weights: [0.0; MOST], count: 0 };
        for (node, weight) in parts.into_iter().take(MOST) {
            own.nodes[own.count as usize] = node;
            own.weights[own.count as usize] = weight;
            own.count += 1;
        }
        own
    }

    /// One node alone.
    pub fn node(node: u32) -> Self {
        Self::new([(node, 1.0)])
    }

    /// Nodes and weights.
    pub fn parts(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.nodes.iter().copied().zip(self.weights).take(self.count as usize)
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

/// Columns of the compliance on the nodes of a skin: of `A⁻¹`, or of `P A⁻¹ Pᵀ` for a body in a floating
/// frame.
///
/// Columns are made by [`PortCompliance::prepare`], between steps and in the order of the nodes, so that no
/// bit depends on who asked first. A changed step or θ drops them.
#[derive(Clone, Debug)]
pub struct PortCompliance<const D: usize> {
    /// Place of each node of the body among those of the skin.
    place: Vec<Option<u32>>,
    /// Nodes of the skin.
    skin: Vec<u32>,
    /// For a node, its D columns, each over the skin.
    columns: BTreeMap<u32, Vec<f64>>,
}

/// Right sides solved at once: enough for the factors to be read once for many, few enough for memory.
const BATCH: usize = 32;

impl<const D: usize> PortCompliance<D> {
    /// No columns yet, for the nodes of a skin in a body of so many nodes.
    pub fn new(nodes: usize, skin: &[u32]) -> Self {
        let mut place = vec![None; nodes];
        skin.iter().enumerate().for_each(|(k, &node)| place[node as usize] = Some(k as u32));
        Self { place, skin: skin.to_vec(), columns: BTreeMap::new() }
    }

    /// Forgets all columns: the step or θ has changed.
    pub fn clear(&mut self) {
        self.columns.clear();
    }

    /// Number of nodes whose columns are there.
    pub fn prepared(&self) -> usize {
        self.columns.len()
    }

    /// Makes the columns that the grips need and that are not there yet.
    pub fn prepare(&mut self, operator: &ThetaOperator<D>, frame: Option<&FloatingFrame<D>>, grips: &[Grip]) {
        let mut missing: Vec<u32> =
            grips.iter().flat_map(|grip| grip.parts().map(|(node, _)| node)).collect();
        missing.sort_unstable();
        missing.dedup();
        missing.retain(|node| !self.columns.contains_key(node));
        let size = self.place.len() * D;
        for batch in missing.chunks(BATCH) {
            let mut work = vec![0.0; batch.len() * D * size];
            for (k, &node) in batch.iter().enumerate() {
                for axis in 0..D {
                    work[(k * D + axis) * size + node as usize * D + axis] = 1.0;
                }
            }
            match frame {
                Some(frame) => frame.deforming_answer(operator, &mut work),
                None => operator.answer(&mut work),
            }
            for (k, &node) in batch.iter().enumerate() {
                let mut own = Vec::with_capacity(D * self.skin.len() * D);
                for axis in 0..D {
                    let column = &work[(k * D + axis) * size..][..size];
                    self.skin
                        .iter()
                        .for_each(|&node| own.extend_from_slice(&column[node as usize * D..][..D]));
                }
                self.columns.insert(node, own);
            }
        }
    }

    /// Velocity of port `of` for an impulse on port `on`, in the axes of the body \[1/kg\]; `None` where the
    /// columns of `on` are not prepared or `of` is off the skin.
    pub fn between(&self, of: &Grip, on: &Grip) -> Option<Matrix<D, D>> {
        let mut sum = Matrix::zeros();
        let length = self.skin.len() * D;
        for (node, weight) in on.parts() {
            let columns = self.columns.get(&node)?;
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

    /// The dense compliance `C_b` over all ports of a body, column after column of `D p` numbers, each port
    /// seen in a frame of its own (rows are the axes of the contact, in those of the body): `F_p C F_qᵀ`.
    /// Symmetric to the last bit.
    pub fn block(&self, ports: &[(Grip, Matrix<D, D>)]) -> Option<Vec<f64>> {
        let size = ports.len() * D;
        let mut block = vec![0.0; size * size];
        for (q, (on, frame)) in ports.iter().enumerate() {
            for (p, (of, own)) in ports.iter().enumerate().take(q + 1) {
                let here = own * self.between(of, on)? * frame.transpose();
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
