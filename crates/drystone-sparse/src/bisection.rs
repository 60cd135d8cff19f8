//! Nested dissection by coordinates (George 1973; Heath, Raghavan 1995): an order of elimination that keeps
//! the factors of a mesh small. Knows nodes, neighbours and places, no numbers.

use crate::dissection::Supernode;
use crate::pattern::Pattern;

/// Sets of so many nodes are eliminated as one: smaller ones cost more in bookkeeping than they save.
const SMALL: usize = 12;

/// Cuts the nodes of a pattern by their places; sets come in the order of elimination, the nodes of `last` as
/// one set behind all others.
pub(crate) fn bisect(pattern: &Pattern, places: &[[f64; 3]], last: &[u32]) -> Vec<Supernode> {
    let mut cutter = Bisection { pattern, places, side: vec![0; pattern.rows()], sets: Vec::new(), mark: 0 };
    let mut kept = vec![false; pattern.rows()];
    last.iter().for_each(|&node| kept[node as usize] = true);
    let tops = cutter.cut((0..pattern.rows() as u32).filter(|&node| !kept[node as usize]).collect());
    if !last.is_empty() {
        cutter.set(last.to_vec(), tops);
    }
    cutter.sets
}

struct Bisection<'a> {
    pattern: &'a Pattern,
    places: &'a [[f64; 3]],
    /// The half a node was last put into.
    side: Vec<u32>,
    mark: u32,
    sets: Vec<Supernode>,
}

impl Bisection<'_> {
    /// Cuts one set of nodes; returns the sets left without parent.
    fn cut(&mut self, nodes: Vec<u32>) -> Vec<usize> {
        if nodes.len() <= SMALL {
            return if nodes.is_empty() { Vec::new() } else { self.set(nodes, Vec::new()) };
        }
        let (low, high) = self.halves(nodes);
        self.mark += 2;
        let (first, second) = (self.mark, self.mark + 1);
        low.iter().for_each(|&node| self.side[node as usize] = first);
        high.iter().for_each(|&node| self.side[node as usize] = second);
        let touches = |node: u32, side: u32| {
            self.pattern.row(node as usize).iter().any(|&other| self.side[other as usize] == side)
        };
        // the thinner of the two borders
        let (in_low, rest_low): (Vec<u32>, Vec<u32>) = low.iter().partition(|&&node| touches(node, second));
        let (in_high, rest_high): (Vec<u32>, Vec<u32>) = high.iter().partition(|&&node| touches(node, first));
        let (border, left, right) = match in_low.len() <= in_high.len() {
            true => (in_low, rest_low, high),
            false => (in_high, low, rest_high),
        };
        let mut children = self.cut(left);
        children.extend(self.cut(right));
        if border.is_empty() { children } else { self.set(border, children) }
    }

    fn set(&mut self, nodes: Vec<u32>, children: Vec<usize>) -> Vec<usize> {
        let set = self.sets.len();
        children.into_iter().for_each(|child| self.sets[child].parent = Some(set));
        self.sets.push(Supernode { vertices: nodes, parent: None });
        vec![set]
    }

    /// Two halves along the longest axis, cut between two columns of nodes where there are some.
    fn halves(&self, mut nodes: Vec<u32>) -> (Vec<u32>, Vec<u32>) {
        let extent = |axis: usize| {
            let values = nodes.iter().map(|&node| self.places[node as usize][axis]);
            let (low, high) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
            high - low
        };
        let axis = (1..3).fold(0, |best, axis| if extent(axis) > extent(best) { axis } else { best });
        let slack = 1e-9 * extent(axis);
        let at = |node: u32| self.places[node as usize][axis];
        nodes.sort_by(|&a, &b| at(a).total_cmp(&at(b)).then(a.cmp(&b)));
        let middle = nodes.len() / 2;
        let limit = at(nodes[middle]) - slack;
        let column = nodes.partition_point(|&node| at(node) < limit);
        let cut = if 4 * column >= nodes.len() { column } else { middle };
        let high = nodes.split_off(cut);
        (nodes, high)
    }
}
