//! Hat functions on a grid over places. Knows no impulse.

use drystone_math::portable;
use drystone_problem::Vector;

/// Places that a region holds at least, on average: a few bodies would follow the noise of their contacts.
const LEAST: usize = 128;

/// A grid over a box, and where each place is in it.
pub(super) struct Grid<const D: usize> {
    /// Nodes along each axis.
    count: [usize; D],
    cells: Vec<GridPlace<D>>,
}

/// Where a place is in a grid.
#[derive(Clone, Copy)]
struct GridPlace<const D: usize> {
    /// The lowest node of its cell.
    node: u32,
    /// Weight of the upper nodes along each axis.
    upper: [f64; D],
}

impl<const D: usize> Grid<D> {
    /// A grid of about so many cells, as wide as they are high; none where there are too few places for
    /// several, or they do not fill a box.
    pub fn over(places: &[Vector<D>], most: usize) -> Option<Self> {
        let wanted = most.min(places.len() / LEAST);
        if wanted < 2 {
            return None;
        }
        let (first, rest) = places.split_first()?;
        let (low, high) = rest.iter().fold((*first, *first), |(low, high), at| (low.inf(at), high.sup(at)));
        let extent = high - low;
        let room = extent.iter().product::<f64>() / wanted as f64;
        let edge = if D == 2 { room.sqrt() } else { portable::cbrt(room) };
        if !(edge > 0.0 && edge.is_finite()) {
            return None;
        }
        let along: [usize; D] =
            std::array::from_fn(|axis| ((extent[axis] / edge).round() as usize).clamp(1, most));
        let count = along.map(|cells| cells + 1);
        let cell = |place: &Vector<D>| {
            let (mut node, mut upper, mut stride) = (0, [0.0; D], 1);
            for axis in 0..D {
                let at = (place[axis] - low[axis]) / extent[axis] * along[axis] as f64;
                let below = (at as usize).min(along[axis] - 1);
                upper[axis] = (at - below as f64).clamp(0.0, 1.0);
                node += below * stride;
                stride *= count[axis];
            }
            GridPlace { node: node as u32, upper }
        };
        Some(Self { count, cells: places.iter().map(cell).collect() })
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.count.iter().product()
    }

    /// Number of places.
    pub fn contacts(&self) -> usize {
        self.cells.len()
    }

    /// The nodes around a place and their weights, which sum up to one.
    #[inline]
    pub fn each(&self, place: usize, mut go: impl FnMut(usize, f64)) {
        let GridPlace { node, upper } = self.cells[place];
        for corner in 0..1usize << D {
            let (mut at, mut weight, mut stride) = (node as usize, 1.0, 1);
            for axis in 0..D {
                let is_upper = corner >> axis & 1 == 1;
                at += if is_upper { stride } else { 0 };
                weight *= if is_upper { upper[axis] } else { 1.0 - upper[axis] };
                stride *= self.count[axis];
            }
            go(at, weight);
        }
    }

    /// What is given at the nodes, at a place.
    pub fn mean(&self, place: usize, values: &[f64]) -> f64 {
        let mut mean = 0.0;
        self.each(place, |node, weight| mean += weight * values[node]);
        mean
    }
}
