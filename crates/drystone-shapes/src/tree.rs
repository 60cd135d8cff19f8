//! A tree of boxes over the pieces of one surface. It knows boxes by number and never changes once built.

use drystone_math::Vector;

use crate::extent::Extent;

/// Boxes in one leaf: fewer make the tree deep, more make leaves slow.
const LEAF: usize = 4;

/// A tree of boxes, laid out in the order of a walk that goes down first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree<const D: usize> {
    nodes: Vec<Node<D>>,
    /// Numbers of the boxes, leaf by leaf.
    items: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node<const D: usize> {
    extent: Extent<D>,
    /// Where the walk goes on if the box is missed.
    skip: u32,
    /// Items of a leaf are `items[first..last]`; none for other nodes.
    first: u32,
    last: u32,
}

impl<const D: usize> Tree<D> {
    /// A tree over these boxes, split at the median of the longest side.
    pub fn new(boxes: &[Extent<D>]) -> Self {
        let mut tree = Self { nodes: Vec::new(), items: (0..boxes.len() as u32).collect() };
        if !boxes.is_empty() {
            let mut items = std::mem::take(&mut tree.items);
            tree.split(boxes, &mut items, 0);
            tree.items = items;
        }
        tree
    }

    fn split(&mut self, boxes: &[Extent<D>], items: &mut [u32], first: u32) {
        let mut extent = boxes[items[0] as usize];
        for &item in items.iter() {
            let one = &boxes[item as usize];
            extent = Extent { low: extent.low.inf(&one.low), high: extent.high.sup(&one.high) };
        }
        let place = self.nodes.len();
        self.nodes.push(Node { extent, skip: 0, first, last: first });
        if items.len() <= LEAF {
            self.nodes[place].last = first + items.len() as u32;
        } else {
            let sides: Vector<D> = extent.high - extent.low;
            let axis = sides.imax();
            let middle = |item: &u32| boxes[*item as usize].low[axis] + boxes[*item as usize].high[axis];
            let half = items.len() / 2;
            items.select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)).then(a.cmp(b)));
            let (left, right) = items.split_at_mut(half);
            self.split(boxes, left, first);
            self.split(boxes, right, first + half as u32);
        }
        self.nodes[place].skip = self.nodes.len() as u32;
    }

    /// The box of all boxes; one that is not finite for an empty tree.
    pub fn extent(&self) -> Extent<D> {
        let none = Extent { low: Vector::repeat(f64::NAN), high: Vector::repeat(f64::NAN) };
        self.nodes.first().map_or(none, |node| node.extent)
    }

    /// Visits every item in a leaf whose box overlaps `extent`: a few too many, in an order that is always the same.
    pub fn visit(&self, extent: &Extent<D>, mut visit: impl FnMut(u32)) {
        let mut k = 0;
        while let Some(node) = self.nodes.get(k) {
            if node.extent.overlaps(extent) {
                self.items[node.first as usize..node.last as usize].iter().for_each(|&item| visit(item));
                k += 1;
            } else {
                k = node.skip as usize;
            }
        }
    }
}
