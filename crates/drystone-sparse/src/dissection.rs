//! Nested dissection of a graph (George 1973): an order of elimination that keeps the factors of a sparse
//! matrix small. Knows vertices and edges, no numbers.

/// A set of vertices eliminated together, after its children and before its parent.
pub(crate) struct Supernode {
    pub vertices: Vec<u32>,
    pub parent: Option<usize>,
}

/// Cuts the graph given by the neighbours of every vertex; parts come in order of elimination. Pieces of up
/// to `small` vertices are eliminated as one.
pub(crate) fn dissect(neighbours: &[Vec<u32>], small: usize) -> Vec<Supernode> {
    let mut cutter = Cutter {
        neighbours,
        small,
        piece: vec![0; neighbours.len()],
        pieces: 0,
        level: vec![0; neighbours.len()],
        parts: Vec::new(),
    };
    let all = (0..neighbours.len() as u32).collect();
    cutter.cut(all);
    cutter.parts
}

struct Cutter<'a> {
    neighbours: &'a [Vec<u32>],
    small: usize,
    /// The piece a vertex belongs to at the moment; the walk keeps within one.
    piece: Vec<u32>,
    pieces: u32,
    /// Distance from the start of the last walk plus one, 0 where it did not come.
    level: Vec<u32>,
    parts: Vec<Supernode>,
}

impl Cutter<'_> {
    /// Cuts one set of vertices; returns the parts left without parent.
    fn cut(&mut self, vertices: Vec<u32>) -> Vec<usize> {
        self.pieces += 1;
        for &vertex in &vertices {
            self.piece[vertex as usize] = self.pieces;
            self.level[vertex as usize] = 0;
        }
        let own = self.pieces;
        // unconnected pieces need no separator
        let mut components = Vec::new();
        for &vertex in &vertices {
            if self.level[vertex as usize] == 0 {
                components.push(self.walk(vertex, own));
            }
        }
        let mut tops = Vec::new();
        for component in components {
            tops.extend(self.cut_connected(component));
        }
        tops
    }

    fn cut_connected(&mut self, vertices: Vec<u32>) -> Vec<usize> {
        if vertices.len() <= self.small {
            return self.part(vertices, Vec::new());
        }
        self.pieces += 1;
        for &vertex in &vertices {
            self.piece[vertex as usize] = self.pieces;
        }
        // from one end to the other: the last vertex of a walk lies far out, twice is enough
        let own = self.pieces;
        let mut order = vertices;
        for _ in 0..2 {
            let end = order[order.len() - 1];
            for &vertex in &order {
                self.level[vertex as usize] = 0;
            }
            order = self.walk(end, own);
        }
        let Some((start, end)) = self.thinnest_level(&order) else {
            return self.part(order, Vec::new());
        };
        let mut children = self.cut(order[..start].to_vec());
        children.extend(self.cut(order[end..].to_vec()));
        self.part(order[start..end].to_vec(), children)
    }

    fn part(&mut self, vertices: Vec<u32>, children: Vec<usize>) -> Vec<usize> {
        let part = self.parts.len();
        for child in children {
            self.parts[child].parent = Some(part);
        }
        self.parts.push(Supernode { vertices, parent: None });
        vec![part]
    }

    /// All vertices of the piece that can be reached, by increasing distance.
    fn walk(&mut self, start: u32, piece: u32) -> Vec<u32> {
        let mut order = vec![start];
        self.level[start as usize] = 1;
        let mut next = 0;
        while next < order.len() {
            let vertex = order[next] as usize;
            next += 1;
            for &neighbour in &self.neighbours[vertex] {
                let other = neighbour as usize;
                if self.piece[other] == piece && self.level[other] == 0 {
                    self.level[other] = self.level[vertex] + 1;
                    order.push(neighbour);
                }
            }
        }
        order
    }

    /// The smallest level of a walk that leaves at least a quarter on either side.
    fn thinnest_level(&self, order: &[u32]) -> Option<(usize, usize)> {
        let mut best: Option<(usize, usize)> = None;
        let mut start = 0;
        while start < order.len() {
            let level = self.level[order[start] as usize];
            let end = start + order[start..].partition_point(|&vertex| self.level[vertex as usize] == level);
            let balanced = 4 * start >= order.len() && 4 * (order.len() - end) >= order.len();
            if balanced && best.is_none_or(|(from, to)| end - start < to - from) {
                best = Some((start, end));
            }
            start = end;
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_separate() {
        // a grid of 20 × 30 and a chain of 5 apart from it
        let (wide, high) = (30, 20);
        let mut neighbours = vec![Vec::new(); wide * high + 5];
        let mut join = |a: usize, b: usize| {
            neighbours[a].push(b as u32);
            neighbours[b].push(a as u32);
        };
        for y in 0..high {
            for x in 0..wide {
                if x + 1 < wide {
                    join(y * wide + x, y * wide + x + 1);
                }
                if y + 1 < high {
                    join(y * wide + x, y * wide + x + wide);
                }
            }
        }
        (0..4).for_each(|k| join(wide * high + k, wide * high + k + 1));
        let parts = dissect(&neighbours, 16);
        let mut part_of = vec![usize::MAX; neighbours.len()];
        for (index, part) in parts.iter().enumerate() {
            assert!(part.parent.is_none_or(|parent| parent > index));
            for &vertex in &part.vertices {
                assert_eq!(part_of[vertex as usize], usize::MAX);
                part_of[vertex as usize] = index;
            }
        }
        // neighbours lie in the same part or one above the other
        let above = |mut below: usize, part: usize| {
            while below < part {
                match parts[below].parent {
                    Some(parent) => below = parent,
                    None => return false,
                }
            }
            below == part
        };
        for (vertex, others) in neighbours.iter().enumerate() {
            for &other in others {
                let (a, b) = (part_of[vertex], part_of[other as usize]);
                assert!(above(a.min(b), a.max(b)));
            }
        }
        assert!(parts.iter().all(|part| part.vertices.len() <= 40));
    }
}
