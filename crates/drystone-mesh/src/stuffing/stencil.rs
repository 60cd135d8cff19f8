//! What is left of a tetrahedron of the lattice that a surface cuts: nothing, the whole, a corner, or a prism
//! in three parts. Neighbours cut the faces they share alike, by an order of their edges.

use super::{Key, is_along};
use drystone_math::Vector;

/// On which side of the surface a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Inside,
    Upon,
    Outside,
}

/// A point of the lattice, a corner of tetrahedra.
#[derive(Clone, Copy, Debug)]
pub(super) struct LatticePoint {
    pub key: Key,
    pub place: Vector<3>,
    pub side: Side,
}

/// A node: the edge that it cuts, or twice the point that it is, and its place.
pub(super) type Node = ([Key; 2], Vector<3>);

/// The tetrahedra that are left, `cut` giving the node on the edge from a corner that is not outside to one
/// that is. They may have any orientation.
pub(super) fn tetrahedra(
    corners: &[LatticePoint; 4],
    cut: &impl Fn(&LatticePoint, &LatticePoint) -> Node,
) -> Vec<[Node; 4]> {
    let (outer, inner): (Vec<&LatticePoint>, Vec<&LatticePoint>) =
        corners.iter().partition(|corner| corner.side == Side::Outside);
    if inner.iter().all(|corner| corner.side == Side::Upon) {
        return Vec::new();
    }
    let own = |corner: &LatticePoint| ([corner.key; 2], corner.place);
    let found = match (&inner[..], &outer[..]) {
        ([a, b, c, d], []) => vec![[own(a), own(b), own(c), own(d)]],
        ([a], [b, c, d]) => vec![[own(a), cut(a, b), cut(a, c), cut(a, d)]],
        ([a, b], [c, d]) => {
            let prism = [[own(a), cut(a, c), cut(a, d)], [own(b), cut(b, c), cut(b, d)]];
            let [one, two] = [starts_at_first(a, b, c), !starts_at_first(a, b, d)];
            // the face on the surface is nobody else's: but for three that turn the same way any will do
            let shorter = gap(&prism[0][1], &prism[1][2]) <= gap(&prism[1][1], &prism[0][2]);
            let free = if one == two { !one } else { shorter };
            in_three(&prism, [one, free, two])
        }
        ([a, b, c], [d]) => {
            let prism = [[own(a), own(b), own(c)], [cut(a, d), cut(b, d), cut(c, d)]];
            in_three(&prism, [(a, b), (b, c), (c, a)].map(|(p, q)| starts_at_first(p, q, d)))
        }
        _ => Vec::new(),
    };
    let is_solid = |element: &[Node; 4]| (0..4).all(|k| (0..k).all(|other| element[other].0 != element[k].0));
    found.into_iter().filter(is_solid).collect()
}

fn gap(one: &Node, other: &Node) -> f64 {
    (one.1 - other.1).norm_squared()
}

/// Whether the cut of the face between two corners within, one without and the cuts between them starts at
/// the first one: an order of the edges to the outer corner, so that three of them never turn the same way.
fn starts_at_first(first: &LatticePoint, second: &LatticePoint, outer: &LatticePoint) -> bool {
    let rank = |corner: &LatticePoint| (is_along(&corner.key, &outer.key), corner.key);
    rank(first) > rank(second)
}

/// A prism between two triangles in three tetrahedra; each of its sides is cut from the first triangle's
/// corner to the second's next one, or the other way round.
fn in_three([a, b]: &[[Node; 3]; 2], forward: [bool; 3]) -> Vec<[Node; 4]> {
    // a corner in which two cuts meet
    let Some(k) = (0..3).find(|&k| forward[k] && !forward[(k + 2) % 3]) else { return Vec::new() };
    let (tip, next, last) = (a[k], (k + 1) % 3, (k + 2) % 3);
    let sides = match forward[next] {
        true => [[a[next], b[next], b[last]], [a[next], b[last], a[last]]],
        false => [[a[next], b[next], a[last]], [b[next], b[last], a[last]]],
    };
    [[b[0], b[1], b[2]], sides[0], sides[1]].map(|[p, q, r]| [tip, p, q, r]).into()
}
