//! A coarse correction between sweeps: impulses are scaled region by region until the forces of every region
//! are in balance. Sweeps nothing, and leaves every impulse in its cone.
//!
//! What a sweep hardly sees is an error that varies over many bodies: weight that is missing, or carried
//! twice, by a little at every contact of a region. Let `φ_k` be hat functions on a grid over the contact
//! points and `Z = [φ_k r]` the impulses cut up by them: a coarse space (Nicolaides 1987) made of the iterate
//! itself. Among the impulses `r + Z d` the energy `½ rᵀ W r + rᵀ (u_free + s)`, De Saxcé's shift `s` held,
//! is least where
//!
//! `A d = −g`, `A = (Hᵀ Z)ᵀ M⁻¹ (Hᵀ Z)`, `g = Zᵀ (u + s)`.
//!
//! A uniform `d` has the work gap for its slope: the correction takes that gap away region by region. All
//! three components of an impulse are multiplied by one positive number, so that Coulomb's cone is not left.

mod envelope;
mod grid;
#[cfg(test)]
mod tests;

use drystone_problem::{AutoParams, Blocks, Condensed, Delassus, Kernel, Problem, Set, Vector};
use envelope::Envelope;
use grid::Grid;
use rayon::prelude::*;

/// Parts that threads share; sums are those of the parts in their order, whatever the number of threads.
const PARTS: usize = 16;

/// Contacts that one thread takes at a time.
const PIECE: usize = 2048;

/// Most degrees of freedom of a body.
const WIDEST: usize = 8;

/// Added to the diagonal, as a share of it, so that regions that hold next to nothing keep their impulses.
/// More would hold back the longest waves: in a pile of `n` regions a uniform change takes `n²` times less
/// energy than one of a single region.
const RIDGE: f64 = 1e-6;

/// What is added to one is no less and no more than this.
const CHANGES: [f64; 2] = [-0.8, 4.0];

/// An impulse slides whose friction is at least this share of what its cone allows: only then is the shift
/// more than the noise of a contact that sticks.
const SLIDES: f64 = 0.99;

/// A grid over the contacts of a problem, and the contacts of each body.
pub(crate) struct Coarse<const D: usize> {
    grid: Grid<D>,
    /// Sides of contacts, `2 α + side`, body after body, and where those of each body end.
    sides: Vec<u32>,
    ends: Vec<u32>,
}

impl<const D: usize> Coarse<D> {
    /// A grid over the contacts of a problem; none where nobody said where they are, or contacts give way
    /// themselves.
    pub fn new<W: Delassus<D>>(problem: &Problem<D, W>, params: &AutoParams) -> Option<Self> {
        problem.w.dispatch(Lay { regions: params.regions as usize })
    }

    /// What to multiply the impulses `r` by, contact by contact; none where nothing is to be gained.
    pub fn factors<W: Delassus<D>>(&self, problem: &Problem<D, W>, r: &[Vector<D>]) -> Option<Vec<f64>> {
        let Problem { w, u_free, sets } = problem;
        w.dispatch(Scaling { coarse: self, u_free, sets, r })
    }

    /// The sides of the contacts of a body.
    fn sides_of(&self, body: usize) -> impl Iterator<Item = (usize, usize)> {
        let first = if body == 0 { 0 } else { self.ends[body - 1] as usize };
        let sides = &self.sides[first..self.ends[body] as usize];
        sides.iter().map(|&entry| ((entry / 2) as usize, (entry % 2) as usize))
    }
}

/// Lays the grid.
struct Lay {
    regions: usize,
}

impl<const D: usize> Kernel<D> for Lay {
    type Output = Option<Coarse<D>>;

    fn condensed(self, w: &Condensed<D>) -> Self::Output {
        if w.is_compliant() || w.bodies().widest() > WIDEST {
            return None;
        }
        let grid = Grid::over(w.places(), self.regions)?;
        let (ends, sides) = w.sides_by_bodies(|_, body| w.bodies().moves(body));
        Some(Coarse { grid, sides, ends })
    }

    fn blocks(self, _blocks: &Blocks<D>) -> Self::Output {
        None
    }
}

/// An iterate and what it is scaled by.
struct Scaling<'a, const D: usize> {
    coarse: &'a Coarse<D>,
    u_free: &'a [Vector<D>],
    sets: &'a [Set],
    r: &'a [Vector<D>],
}

impl<const D: usize> Kernel<D> for Scaling<'_, D> {
    type Output = Option<Vec<f64>>;

    fn condensed(self, w: &Condensed<D>) -> Self::Output {
        // loops over the velocities of a body have a constant length
        match w.bodies().widest() {
            0..=3 => self.over::<3>(w),
            4..=6 => self.over::<6>(w),
            _ => self.over::<WIDEST>(w),
        }
    }

    fn blocks(self, _blocks: &Blocks<D>) -> Self::Output {
        None
    }
}

impl<const D: usize> Scaling<'_, D> {
    /// The factors, bodies having no more than `N` degrees of freedom each.
    fn over<const N: usize>(self, w: &Condensed<D>) -> Option<Vec<f64>> {
        let (mut matrix, lines) = self.matrix_and_lines::<N>(w);
        let slope = self.slope(w, &lines);
        let products = matrix.clone();
        matrix.raise_diagonal(RIDGE);
        let mut d: Vec<f64> = slope.iter().map(|g| -g).collect();
        matrix.solve(&mut d);
        d.iter_mut().for_each(|d| *d = d.clamp(CHANGES[0], CHANGES[1]));
        // the least energy along the way, no further than what was asked for
        let along: f64 = slope.iter().zip(&d).map(|(g, d)| g * d).sum();
        let bends = products.quadratic(&d);
        if !(along < 0.0 && bends > 0.0) {
            return None;
        }
        let way = (-along / bends).min(1.0);
        let factor = |alpha: usize| match self.scales(alpha) {
            true => 1.0 + way * self.coarse.grid.mean(alpha, &d),
            false => 1.0,
        };
        Some((0..self.r.len()).into_par_iter().with_min_len(PIECE).map(factor).collect())
    }

    /// Whether a contact is scaled: where its place is known and its set is a cone.
    fn scales(&self, alpha: usize) -> bool {
        alpha < self.coarse.grid.contacts()
            && matches!(self.sets[alpha], Set::Coulomb { .. })
            && self.r[alpha][0] > 0.0
    }

    /// `A`, the work that the impulses around each two nodes do on each other \[J\], and the velocities that
    /// all impulses give the bodies, in coordinates in which these have unit mass.
    fn matrix_and_lines<const N: usize>(&self, w: &Condensed<D>) -> (Envelope, Vec<[f64; N]>) {
        let nodes = self.coarse.grid.nodes();
        let mut lines = vec![[0.0; N]; self.coarse.ends.len()];
        let size = lines.len().div_ceil(PARTS).max(1);
        let part = |(number, lines): (usize, &mut [[f64; N]])| {
            let mut sum = Envelope::zeros(nodes);
            let mut around = Around::new(nodes);
            for (body, line) in (number * size..).zip(lines) {
                *line = self.add_body(w, body, &mut around, &mut sum);
            }
            sum
        };
        let parts: Vec<Envelope> = lines.par_chunks_mut(size).enumerate().map(part).collect();
        let mut sum = Envelope::zeros(nodes);
        parts.iter().for_each(|part| sum.add(part));
        (sum, lines)
    }

    /// Adds what the impulses around each two nodes give one body; gives what all of them do.
    fn add_body<const N: usize>(
        &self,
        w: &Condensed<D>,
        body: usize,
        around: &mut Around<N>,
        sum: &mut Envelope,
    ) -> [f64; N] {
        let mut line = [0.0; N];
        for (alpha, side) in self.coarse.sides_of(body) {
            let columns = columns::<D, N>(w, alpha, side);
            let given: [f64; N] =
                std::array::from_fn(|k| (0..D).map(|i| columns[k][i] * self.r[alpha][i]).sum());
            (0..N).for_each(|k| line[k] += given[k]);
            if self.scales(alpha) {
                self.coarse.grid.each(alpha, |node, weight| around.add(node, weight, &given));
            }
        }
        around.empty_into(sum);
        line
    }

    /// `g`, what the impulses around each node waste \[J\].
    fn slope<const N: usize>(&self, w: &Condensed<D>, lines: &[[f64; N]]) -> Vec<f64> {
        let (nodes, contacts) = (self.coarse.grid.nodes(), self.coarse.grid.contacts());
        let size = contacts.div_ceil(PARTS).max(1);
        let part = |number: usize| {
            let mut sum = vec![0.0; nodes];
            let contacts = number * size..((number + 1) * size).min(contacts);
            for alpha in contacts.filter(|&alpha| self.scales(alpha)) {
                let wasted = self.wasted(w, alpha, lines);
                self.coarse.grid.each(alpha, |node, weight| sum[node] += weight * wasted);
            }
            sum
        };
        let parts: Vec<Vec<f64>> = (0..PARTS).into_par_iter().map(part).collect();
        let mut sum = vec![0.0; nodes];
        for part in parts {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        sum
    }

    /// Work of a contact that its law allows none of, the shift of contacts that stick left out \[J\].
    fn wasted<const N: usize>(&self, w: &Condensed<D>, alpha: usize, lines: &[[f64; N]]) -> f64 {
        let (bodies, r) = (w.pair(alpha).bodies, &self.r[alpha]);
        let mut u = self.u_free[alpha];
        for side in 0..2 {
            let (columns, line) = (columns::<D, N>(w, alpha, side), &lines[bodies[side] as usize]);
            for i in 0..D {
                u[i] += (0..N).map(|k| columns[k][i] * line[k]).sum::<f64>();
            }
        }
        let Set::Coulomb { mu } = self.sets[alpha] else { return 0.0 };
        let slides = r.rows_range(1..).norm() >= SLIDES * mu * r[0];
        r.dot(&u) + if slides { mu * r[0] * u.rows_range(1..).norm() } else { 0.0 }
    }
}

/// The row of a contact for the body on one side, in coordinates in which that has unit mass; zeros where
/// nothing moves it, and behind its own degrees of freedom.
#[inline]
fn columns<const D: usize, const N: usize>(w: &Condensed<D>, alpha: usize, side: usize) -> [[f64; D]; N] {
    let row = w.pair(alpha);
    let (body, h) = (row.bodies[side] as usize, row.h[side]);
    let root = w.bodies().diagonal_root(body).and_then(|root| root.first_chunk::<N>());
    match (h.first_chunk::<N>(), root) {
        (Some(h), Some(root)) => std::array::from_fn(|k| h[k].map(|x| x * root[k])),
        _ if !w.bodies().moves(body) => [[0.0; D]; N],
        _ => std::array::from_fn(|k| if k < h.len() { w.bodies().scaled(body, h, k) } else { [0.0; D] }),
    }
}

/// What impulses around the nodes give one body: few nodes of many.
struct Around<const N: usize> {
    /// Where each node is in the list, or nowhere.
    slots: Vec<u32>,
    found: Vec<(usize, [f64; N])>,
}

impl<const N: usize> Around<N> {
    fn new(nodes: usize) -> Self {
        Self { slots: vec![u32::MAX; nodes], found: Vec::new() }
    }

    fn add(&mut self, node: usize, weight: f64, given: &[f64; N]) {
        if self.slots[node] == u32::MAX {
            self.slots[node] = self.found.len() as u32;
            self.found.push((node, [0.0; N]));
        }
        let line = &mut self.found[self.slots[node] as usize].1;
        (0..N).for_each(|k| line[k] += weight * given[k]);
    }

    /// Adds the products of each two of them, and forgets them.
    fn empty_into(&mut self, sum: &mut Envelope) {
        for (node, line) in &self.found {
            for (other, also) in self.found.iter().filter(|(other, _)| other <= node) {
                sum.add_at(*node, *other, (0..N).map(|k| line[k] * also[k]).sum());
            }
        }
        self.found.drain(..).for_each(|(node, _)| self.slots[node] = u32::MAX);
    }
}
