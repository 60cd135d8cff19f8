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

impl<const D: usize> Condensed<D> {
    /// Adds what impulses give the bodies to their velocities `v`; contacts beyond the end of `r` hold none.
    pub(super) fn add_up(&self, r: &[Vector<D>], v: &mut [f64]) {
        if r.len() < THREADS_FROM || rayon::current_num_threads() == 1 {
            for (alpha, r) in r.iter().enumerate().filter(|(_, r)| holds(r)) {
                (0..2).for_each(|side| raise_side(self, alpha, side, r, &mut v[self.range(alpha, side)]));
            }
            return;
        }
        let (ends, sides) = self.sides_by_bodies(|alpha, _| r.get(alpha).is_some_and(holds));
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
                let touching = if body == 0 { 0 } else { ends[body - 1] as usize }..ends[body] as usize;
                for &entry in &sides[touching] {
                    let (alpha, side) = ((entry / 2) as usize, (entry % 2) as usize);
                    raise_side(self, alpha, side, &r[alpha], &mut part[start..end]);
                }
                start = end;
            }
        });
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
