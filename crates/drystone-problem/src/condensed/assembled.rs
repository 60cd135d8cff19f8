//! The operator between pairs of bodies as blocks, row after row, for whoever goes over blocks rather than
//! over bodies. How many there would be is known before.

use super::{Condensed, coupling};
use crate::{BlockRows, Delassus, Matrix};

impl<const D: usize> Condensed<D> {
    /// How many blocks the operator has when it is assembled, those at one place counted once for each body
    /// that adds to them.
    pub fn count_blocks(&self) -> usize {
        let mut touching = vec![0; self.bodies.len()];
        for body in self.heads.iter().flat_map(|head| head.bodies) {
            touching[body as usize] += 1;
        }
        let moving = touching.iter().enumerate().filter(|(body, _)| self.bodies.moves(*body));
        moving.map(|(_, sides)| sides * sides).sum()
    }

    /// All blocks. What bodies add to a block is summed up in their order.
    pub(super) fn assembled(&self) -> BlockRows<D> {
        // what cannot move couples nothing, and a floor may touch everybody
        let (ends, sides) = self.sides_by_bodies(|_, body| self.bodies.moves(body));
        let touching = |body: usize| {
            let first = if body == 0 { 0 } else { ends[body - 1] };
            &sides[first as usize..ends[body] as usize]
        };
        let mut rows = BlockRows::default();
        let mut entries: Vec<(u32, Matrix<D, D>)> = Vec::new();
        for alpha in 0..self.contacts() {
            entries.push((alpha as u32, Matrix::from_diagonal(&self.compliance(alpha))));
            let bodies = self.heads[alpha].bodies;
            for side in if bodies[1] < bodies[0] { [1, 0] } else { [0, 1] } {
                let body = bodies[side] as usize;
                if self.bodies.moves(body) {
                    entries.extend(touching(body).iter().map(|&other| {
                        let beta = [(other / 2) as usize, (other % 2) as usize];
                        (beta[0] as u32, self.block_of_body(body, [alpha, side], beta))
                    }));
                }
            }
            entries.sort_by_key(|entry| entry.0);
            rows.push_row(entries.drain(..));
        }
        rows
    }

    /// What a body adds to the block between two contacts that hold it, each with its side.
    fn block_of_body(&self, body: usize, one: [usize; 2], two: [usize; 2]) -> Matrix<D, D> {
        let of = |[alpha, side]: [usize; 2]| {
            let (few, ports) = self.heads[alpha].parts::<D>(side);
            (few, (self.pair(alpha).h[side], ports))
        };
        let ((few, left), (_, right)) = (of(one), of(two));
        coupling(&self.bodies, body, few, [left, right])
    }
}
