//! A tree of boxes over the pieces of one surface. It knows boxes by number and never changes once built.

use drystone_math::Vector;

use crate::aabb::Aabb;

/// Boxes in one leaf: fewer make the tree deep, more make leaves slow.
const LEAF: usize = 4;

/// A tree of boxes, laid out in the order of a walk that goes down first.
#[derive(Clone, Debug, Default)]
pub struct Tree<const D: usize> {
    nodes: Vec<Node<D>>,
    /// Numbers of the boxes, leaf by leaf.
    items: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node<const D: usize> {
    aabb: Aabb<D>,
    /// Where the walk goes on if the box is missed.
    skip: u32,
    /// Items of a leaf are `items[first..last]`; none for other nodes.
    first: u32,
    last: u32,
}

impl<const D: usize> Tree<D> {
    /// A tree over these boxes, split at the median of the longest side.
    pub fn new(boxes: &[Aabb<D>]) -> Self {
        let mut tree = Self { nodes: Vec::new(), items: (0..boxes.len() as u32).collect() };
        if !boxes.is_empty() {
            let mut items = std::mem::take(&mut tree.items);
            tree.split(boxes, &mut items, 0);
            tree.items = items;
        }
        tree
    }

    fn split(&mut self, boxes: &[Aabb<D>], items: &mut [u32], first: u32) {
        let mut aabb = boxes[items[0] as usize];
        for &item in items.iter() {
            let one = &boxes[item as usize];
            aabb = Aabb { low: aabb.low.inf(&one.low), high: aabb.high.sup(&one.high) };
        }
        let place = self.nodes.len();
        self.nodes.push(Node { aabb, skip: 0, first, last: first });
        if items.len() <= LEAF {
            self.nodes[place].last = first + items.len() as u32;
        } else {
            let sides: Vector<D> = aabb.high - aabb.low;
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
    pub fn aabb(&self) -> Aabb<D> {
        let none = Aabb { low: Vector::repeat(f64::NAN), high: Vector::repeat(f64::NAN) };
        self.nodes.first().map_or(none, |node| node.aabb)
    }

    /// Visits every item in a leaf whose box overlaps `aabb`: a few too many, in an order that is always the
    /// same.
    pub fn visit(&self, aabb: &Aabb<D>, mut visit: impl FnMut(u32)) {
        let mut k = 0;
        while let Some(node) = self.nodes.get(k) {
            if node.aabb.overlaps(aabb) {
                self.items[node.first as usize..node.last as usize].iter().for_each(|&item| visit(item));
                k += 1;
            } else {
                k = node.skip as usize;
            }
        }
    }
}
