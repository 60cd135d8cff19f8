//! From elements with corners to elements with nodes in the middle of their edges.

use super::Mesh;
use drystone_math::Vector;
use std::collections::BTreeMap;

impl<const D: usize> Mesh<D> {
    /// The same mesh with a node in the middle of every edge; `place` moves a middle, given the two ends, to
    /// where the body has its surface. Groups are left out.
    pub fn into_quadratic(self, place: impl Fn(&Vector<D>, &Vector<D>) -> Vector<D>) -> Self {
        let mut nodes = self.nodes.clone();
        let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut kinds = Vec::with_capacity(self.kinds.len());
        let mut connectivity = Vec::new();
        let mut starts = vec![0];
        for (kind, list) in self.elements() {
            let kind = kind.quadratic();
            connectivity.extend(list);
            for &[a, b] in kind.reference().edges {
                let (a, b) = (list[a as usize], list[b as usize]);
                let middle = *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    nodes.push(place(&self.nodes[a as usize], &self.nodes[b as usize]));
                    nodes.len() as u32 - 1
                });
                connectivity.push(middle);
            }
            kinds.push(kind);
            starts.push(connectivity.len() as u32);
        }
        Self { nodes, kinds, starts, connectivity, groups: BTreeMap::new() }
    }
}
