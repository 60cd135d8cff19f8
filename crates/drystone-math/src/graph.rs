//! Orders and colours of graphs given by their edges. Knows no weights, and no positions of the vertices.

/// An edge between two vertices. An end of `None` is no vertex: it neither orders nor constrains anything.
pub type Edge = [Option<u32>; 2];

/// Place of every vertex in a breadth-first order (Cuthill, McKee 1969): vertices joined by an edge come
/// close together.
///
/// Every connected part starts at a vertex far out in it, found by a first search from its vertex with the
/// fewest edges.
pub fn breadth_first(vertices: usize, edges: &[Edge]) -> Vec<u32> {
    let neighbours = Neighbours::new(vertices, edges);
    let starts = neighbours.by_number();
    let mut place = vec![u32::MAX; vertices];
    let mut seen = vec![false; vertices];
    let mut order = Vec::with_capacity(vertices);
    for start in starts {
        if place[start as usize] != u32::MAX {
            continue;
        }
        let begin = order.len();
        let of = |vertex: u32| neighbours.of(vertex);
        search(start, of, &mut order, |vertex, _| !std::mem::replace(&mut seen[vertex as usize], true));
        // once more from the vertex found last
        let far = order[order.len() - 1];
        order.truncate(begin);
        let mut next = begin as u32;
        search(far, of, &mut order, |vertex, _| {
            let fresh = place[vertex as usize] == u32::MAX;
            if fresh {
                place[vertex as usize] = next;
                next += 1;
            }
            fresh
        });
    }
    place
}

/// The vertices next to each vertex, one after the other.
struct Neighbours {
    starts: Vec<u32>,
    vertices: Vec<u32>,
}

impl Neighbours {
    fn new(vertices: usize, edges: &[Edge]) -> Self {
        let mut starts = vec![0u32; vertices + 1];
        let joined = || edges.iter().filter_map(|edge| Some([edge[0]?, edge[1]?]));
        for [one, other] in joined() {
            starts[one as usize + 1] += 1;
            starts[other as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut found = vec![0; starts[vertices] as usize];
        for [one, other] in joined() {
            for (here, there) in [(one, other), (other, one)] {
                found[next[here as usize] as usize] = there;
                next[here as usize] += 1;
            }
        }
        Self { starts, vertices: found }
    }

    fn of(&self, vertex: u32) -> &[u32] {
        &self.vertices[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize]
    }

    /// All vertices, those with the fewest neighbours first.
    fn by_number(&self) -> Vec<u32> {
        let count = |vertex: u32| self.of(vertex).len();
        let vertices = || 0..self.starts.len() as u32 - 1;
        let mut next = vec![0u32; vertices().map(count).max().map_or(0, |most| most + 2)];
        vertices().for_each(|vertex| next[count(vertex) + 1] += 1);
        (1..next.len()).for_each(|k| next[k] += next[k - 1]);
        let mut sorted = vec![0; vertices().len()];
        for vertex in vertices() {
            let place = &mut next[count(vertex)];
            sorted[*place as usize] = vertex;
            *place += 1;
        }
        sorted
    }
}

/// Appends the vertices reached from `start` to `order`, breadth first. `neighbours` are those of a vertex; a
/// vertex is reached where `fresh`, told the vertex it was found from, says so, which it must do once only.
pub fn search<'a>(
    start: u32,
    neighbours: impl Fn(u32) -> &'a [u32],
    order: &mut Vec<u32>,
    mut fresh: impl FnMut(u32, Option<u32>) -> bool,
) {
    let mut head = order.len();
    if fresh(start, None) {
        order.push(start);
    }
    while head < order.len() {
        let vertex = order[head];
        head += 1;
        for &next in neighbours(vertex) {
            if fresh(next, Some(vertex)) {
                order.push(next);
            }
        }
    }
}

/// Most colours a [`Palette`] has.
pub const COLOURS: u32 = 64;

/// The colours already met at each vertex, for colouring things that touch vertices one after the other,
/// greedily: no two things of one colour share a vertex.
#[doc(alias = "graph colouring")]
#[doc(alias = "graph coloring")]
#[derive(Clone, Debug, Default)]
pub struct Palette {
    used: Vec<u64>,
}

impl Palette {
    /// No colours used at any of the vertices.
    pub fn new(vertices: usize) -> Self {
        Self { used: vec![0; vertices] }
    }

    /// Makes room for so many vertices; those that are new have met none.
    pub fn reach(&mut self, vertices: usize) {
        self.used.resize(vertices.max(self.used.len()), 0);
    }

    /// The first colour that none of the vertices has met, which they then have; `None` where all are used
    /// up.
    pub fn paint(&mut self, vertices: impl Iterator<Item = u32> + Clone) -> Option<u32> {
        let used = vertices.clone().fold(0, |used, vertex| used | self.used[vertex as usize]);
        let colour = used.trailing_ones();
        if colour >= COLOURS {
            return None;
        }
        for vertex in vertices {
            self.used[vertex as usize] |= 1 << colour;
        }
        Some(colour)
    }

    /// Forgets the colours of a vertex.
    pub fn forget(&mut self, vertex: u32) {
        self.used[vertex as usize] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges of a grid of `side × side` vertices, numbered with a stride so that neighbours are far apart.
    fn grid(side: u32) -> Vec<Edge> {
        let name = |x: u32, y: u32| Some((x + side * y) * 7 % (side * side));
        let mut edges = Vec::new();
        for y in 0..side {
            for x in 0..side {
                if x + 1 < side {
                    edges.push([name(x, y), name(x + 1, y)]);
                }
                if y + 1 < side {
                    edges.push([name(x, y), name(x, y + 1)]);
                }
            }
        }
        edges
    }

    #[test]
    fn breadth_first_is_an_order_with_a_small_bandwidth() {
        let side = 20;
        let edges = grid(side);
        // two vertices that touch nothing, and an edge that leads nowhere
        let vertices = (side * side + 2) as usize;
        let place = breadth_first(vertices, &[edges.as_slice(), &[[Some(3), None]]].concat());
        let mut sorted = place.clone();
        sorted.sort();
        assert!(sorted.into_iter().eq(0..vertices as u32));
        let distance =
            |[one, other]: &Edge| place[one.unwrap() as usize].abs_diff(place[other.unwrap() as usize]);
        assert!(edges.iter().map(distance).max().unwrap() <= side + 1);
    }

    #[test]
    fn things_of_one_colour_share_no_vertex() {
        let edges = grid(12);
        let mut palette = Palette::new(144);
        let colours: Vec<u32> =
            edges.iter().map(|edge| palette.paint(edge.iter().copied().flatten()).unwrap()).collect();
        for (one, first) in edges.iter().enumerate() {
            for (other, second) in edges.iter().enumerate().take(one) {
                let touch = first.iter().any(|end| second.contains(end));
                assert!(!touch || colours[one] != colours[other]);
            }
        }
        // four edges meet at a vertex: greedy needs at most seven colours
        assert!(colours.iter().all(|&colour| colour < 7));
    }

    #[test]
    fn a_star_runs_out_of_colours() {
        let mut palette = Palette::new(100);
        let painted = (1..100).filter(|&leaf| palette.paint([0, leaf].into_iter()).is_some()).count();
        assert_eq!(painted, COLOURS as usize);
        palette.forget(0);
        assert_eq!(palette.paint([0].into_iter()), Some(0));
    }
}
