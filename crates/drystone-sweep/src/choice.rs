//! Which back end sweeps a problem: lanes over pairs of bodies, lanes over assembled rows, or none of them.
//! Sweeps nothing.

use super::build::Build;
use super::laned::PairLanes;
use super::lanes::Instructions;
use super::rows::RowLanes;
use crate::backend::Backend;
use crate::sweep_memory::SweepMemory;
use drystone_problem::{Blocks, Condensed, Delassus, Kernel, Problem, Vector};

/// With fewer contacts than this a sweep stays scalar.
const LANES_FROM: usize = 64;

/// Most degrees of freedom of a body that lanes over pairs of bodies take.
const WIDEST: usize = 8;

/// Bodies wider than lanes are swept by assembled rows where those have no more blocks than this on average:
/// longer ones cost more than what an impulse does to all ports of a body.
const BLOCKS_OF_A_ROW: usize = 32;

/// Components of a contact in space whose moments belong to it. None of them is solved in lanes, and all are
/// swept tile by tile on all threads.
const SPAN: usize = 6;

/// The lanes of a problem whose contacts ask for so much, or `None` where a scalar sweep is better.
pub(super) fn lanes<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &[Vector<D>],
    asked: f64,
    instructions: Instructions,
    memory: &mut SweepMemory,
) -> Option<Box<dyn Backend<D>>> {
    if problem.contacts() < LANES_FROM || !(D == 2 || D == 3 || D == SPAN) {
        return None;
    }
    problem.w.dispatch(Choice {
        build: Build { u_free: &problem.u_free, sets: &problem.sets, r, asked, instructions },
        memory,
    })
}

/// A problem on its way to a back end.
struct Choice<'a, const D: usize> {
    build: Build<'a, D>,
    memory: &'a mut SweepMemory,
}

impl<const D: usize> Choice<'_, D> {
    fn pairs<const N: usize>(self, w: &Condensed<D>) -> Option<Box<dyn Backend<D>>> {
        let mut lanes: Box<PairLanes<D, N>> = self.memory.take().unwrap_or_default();
        lanes.renew(&self.build, w);
        Some(lanes)
    }

    /// Assembled rows in lanes, where there are not too many blocks: bodies of many contacts touch so many
    /// others at once that lanes would be empty.
    fn rows(self, w: &Condensed<D>) -> Option<Box<dyn Backend<D>>> {
        if D == SPAN || w.count_blocks() > BLOCKS_OF_A_ROW * w.contacts() {
            return None;
        }
        self.blocks(&Blocks::new(w.assemble()))
    }

    fn is_finite(&self) -> bool {
        self.build.r.iter().all(|r| r.iter().all(|x| x.is_finite()))
    }
}

impl<const D: usize> Kernel<D> for Choice<'_, D> {
    type Output = Option<Box<dyn Backend<D>>>;

    fn condensed(self, w: &Condensed<D>) -> Self::Output {
        if !self.is_finite() {
            return None;
        }
        // a body has one line; rows shorter than those of the widest body are filled up with zeros
        match w.bodies().widest() {
            0..=3 => self.pairs::<3>(w),
            4..=6 => self.pairs::<6>(w),
            7..=WIDEST => self.pairs::<WIDEST>(w),
            _ => self.rows(w),
        }
    }

    fn blocks(self, blocks: &Blocks<D>) -> Self::Output {
        if D == SPAN || !self.is_finite() {
            return None;
        }
        RowLanes::new(&self.build, blocks).map(|lanes| Box::new(lanes) as Box<dyn Backend<D>>)
    }
}
