//! Which triangles share an edge, and which parts hang together. Judges nothing.

use crate::Surface;

/// A side of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EdgeSide {
    /// Ends of the edge, smaller first.
    pub(crate) ends: [u32; 2],
    /// Whether the triangle runs from the larger end to the smaller.
    pub(crate) backward: bool,
    /// The triangle.
    pub(crate) triangle: u32,
    /// Rank of the corner the side starts at.
    pub(crate) rank: u32,
}

/// All sides, those of one edge together.
pub(crate) fn sides(surface: &Surface) -> Vec<EdgeSide> {
    let mut sides = Vec::with_capacity(3 * surface.triangles.len());
    for (triangle, corners) in surface.triangles.iter().enumerate() {
        for rank in 0..3 {
            let (from, to) = (corners[rank], corners[(rank + 1) % 3]);
            sides.push(EdgeSide {
                ends: [from.min(to), from.max(to)],
                backward: from > to,
                triangle: triangle as u32,
                rank: rank as u32,
            });
        }
    }
    sides.sort_unstable();
    sides
}

/// The sides of each edge.
pub(crate) fn edges(sides: &[EdgeSide]) -> impl Iterator<Item = &[EdgeSide]> {
    sides.chunk_by(|a, b| a.ends == b.ends)
}

/// For each triangle the number of its component, and how many there are; parts joined by edges are one.
pub(crate) fn components(triangles: usize, sides: &[EdgeSide]) -> (Vec<u32>, usize) {
    let mut parent: Vec<u32> = (0..triangles as u32).collect();
    for group in edges(sides) {
        for pair in group.windows(2) {
            let [a, b] = [pair[0].triangle, pair[1].triangle].map(|triangle| root(&mut parent, triangle));
            // towards the smaller, so that the number does not depend on the order of the edges
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    let mut numbers = vec![u32::MAX; triangles];
    let mut count = 0;
    for triangle in 0..triangles as u32 {
        let root = root(&mut parent, triangle) as usize;
        if numbers[root] == u32::MAX {
            numbers[root] = count;
            count += 1;
        }
        numbers[triangle as usize] = numbers[root];
    }
    (numbers, count as usize)
}

fn root(parent: &mut [u32], mut triangle: u32) -> u32 {
    while parent[triangle as usize] != triangle {
        let up = parent[parent[triangle as usize] as usize];
        parent[triangle as usize] = up;
        triangle = up;
    }
    triangle
}
