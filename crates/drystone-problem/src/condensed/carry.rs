//! The velocities that impulses give the bodies, from scratch, body by body on as many threads as there are.
//! Sums run over the contacts of a body in their order, so that the bits are those of one thread.

use super::{Condensed, raise_side};
use crate::Vector;
use rayon::prelude::*;

/// With fewer contacts than this one thread adds them up: putting them by bodies would take longer.
const THREADS_FROM: usize = 4096;

/// Whether there is any impulse: in packings of polyhedra most contacts are open.
#[inline]
fn holds<const D: usize>(r: &Vector<D>) -> bool {
    r.iter().any(|&r| r != 0.0)
}

/// Bodies that one thread takes at a time.
const BODIES: usize = 256;

/// The sides of all contacts by bodies, kept from one operator to the next as long as the same bodies touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    /// Whether they are those of the rows that are there.
    holds: bool,
    /// The bodies of the rows that they were made of.
    rows: Vec<[u32; 2]>,
    /// Where those of each body end.
    ends: Vec<u32>,
    /// `2 α + side`, body after body in the order of contacts.
    sides: Vec<u32>,
}

impl Sides {
    fn of<const D: usize>(w: &Condensed<D>) -> Self {
        let (ends, sides) = w.sides_by_bodies(|_, _| true);
        Self { holds: false, rows: Vec::new(), ends, sides }
    }

    fn touching(&self, body: usize) -> &[u32] {
        let first = if body == 0 { 0 } else { self.ends[body - 1] };
        &self.sides[first as usize..self.ends[body] as usize]
    }

    /// Rows will be others.
    pub fn forget(&mut self) {
        self.holds = false;
    }
}

impl<const D: usize> Condensed<D> {
    /// Adds what impulses give the bodies to their velocities `v`; contacts beyond the end of `r` hold none.
    pub(super) fn add_up(&self, r: &[Vector<D>], v: &mut [f64]) {
        if r.len() < THREADS_FROM || rayon::current_num_threads() == 1 {
            for (alpha, r) in r.iter().enumerate().filter(|(_, r)| holds(r)) {
                (0..2).for_each(|side| raise_side(self, alpha, side, r, &mut v[self.range(alpha, side)]));
            }
            return;
        }
        let made;
        let sides = match self.sides.holds {
            true => &self.sides,
            false => {
                made = Sides::of(self);
                &made
            }
        };
        let mut parts = Vec::with_capacity(self.bodies.len().div_ceil(BODIES));
        let mut rest = v;
        for first in (0..self.bodies.len()).step_by(BODIES) {
            let bodies = first..(first + BODIES).min(self.bodies.len());
            let length = bodies.clone().map(|body| self.bodies.dofs(body).count as usize).sum();
            let (part, after) = rest.split_at_mut(length);
            parts.push((bodies, part));
            rest = after;
        }
        parts.into_par_iter().for_each(|(bodies, part)| {
            let mut start = 0;
            for body in bodies {
                let end = start + self.bodies.dofs(body).count as usize;
                for &entry in sides.touching(body) {
                    let (alpha, side) = ((entry / 2) as usize, (entry % 2) as usize);
                    if let Some(r) = r.get(alpha).filter(|r| holds(r)) {
                        raise_side(self, alpha, side, r, &mut part[start..end]);
                    }
                }
                start = end;
            }
        });
    }

    /// Puts the sides of contacts by bodies, once all rows are there, where several threads will ask for
    /// them: what impulses give the bodies is then summed up without putting them so each time.
    pub fn sort_sides(&mut self) {
        if self.heads.len() < THREADS_FROM || rayon::current_num_threads() == 1 {
            return;
        }
        let rows = || self.heads.par_iter().with_min_len(THREADS_FROM).map(|head| head.bodies);
        let known = self.sides.ends.len() == self.bodies.len() && self.sides.rows.len() == self.heads.len();
        if !(known && rows().zip(&self.sides.rows).all(|(now, then)| now == *then)) {
            let mut of = std::mem::take(&mut self.sides.rows);
            rows().collect_into_vec(&mut of);
            self.sides = Sides { rows: of, ..Sides::of(self) };
        }
        self.sides.holds = true;
    }

    /// The sides of contacts that are wanted, told by contact and body: where those of each body end, and the
    /// sides as `2 α + side`, body after body in the order of contacts.
    pub fn sides_by_bodies(&self, wanted: impl Fn(usize, usize) -> bool) -> (Vec<u32>, Vec<u32>) {
        let sides = || {
            let all = (0u32..).zip(&self.heads);
            let both = |(alpha, head): (u32, &super::Head)| {
                [(2 * alpha, head.bodies[0]), (2 * alpha + 1, head.bodies[1])]
            };
            all.flat_map(both).filter(|&(entry, body)| wanted((entry / 2) as usize, body as usize))
        };
        let mut ends = vec![0u32; self.bodies.len()];
        for (_, body) in sides() {
            ends[body as usize] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            // for now where those of the body begin
            (total, *end) = (total + *end, total);
        }
        let mut sorted = vec![0u32; total as usize];
        for (entry, body) in sides() {
            let place = &mut ends[body as usize];
            sorted[*place as usize] = entry;
            *place += 1;
        }
        (ends, sorted)
    }
}
