//! Gaps as they stand, as rows of a problem on displacements. Moves nothing, and knows no impulse of the step.

use crate::Laws;
use crate::assembly::image_of;
use crate::matching::partners;
use drystone_bulk::jacobian;
use drystone_laws::Approach;
use drystone_math::{Pose, Vector};
use drystone_problem::PairRow;
use drystone_shapes::{Cell, Contactor, Touch};
use drystone_state::{Bodies, BodyId, ContactMemory, LAW_MEMORY};

/// One contact at the level of positions.
#[derive(Clone, Copy, Debug)]
pub struct Position<const D: usize, const N: usize> {
    /// Rows of H where the bodies stand.
    pub pair: PairRow<D, N>,
    /// Distance less that at which the law lets bodies touch \[m\]; negative where they overlap.
    pub gap: f64,
}

impl<const D: usize, const N: usize> Position<D, N> {
    /// The two bodies.
    pub fn bodies(&self) -> [BodyId; 2] {
        self.pair.bodies.map(BodyId)
    }
}

/// What the gaps are taken from: bodies where they stand, their contactors, the laws and what contacts keep.
pub struct Standing<'a, const D: usize, const N: usize> {
    /// The bodies.
    pub bodies: &'a Bodies<D, N>,
    /// Their contactors.
    pub contactors: &'a [Contactor<D>],
    /// The laws between their groups.
    pub laws: &'a Laws<D>,
    /// What contacts keep, by increasing identity.
    pub memory: &'a [ContactMemory<D>],
    /// Time \[s\].
    pub time: f64,
    /// The periodic cell, if there is one.
    pub cell: Option<Cell<D>>,
}

/// Fills `rows` with the touches that lie nearer than `margin` \[m\] to where their laws let bodies touch. Laws that let
/// bodies overlap have none.
pub fn positions<const D: usize, const N: usize>(
    standing: &Standing<D, N>,
    touches: &[Touch<D>],
    margin: f64,
    rows: &mut Vec<Position<D, N>>,
) {
    let Standing { bodies, contactors, laws, memory, time, cell } = *standing;
    let partners = match laws.keep() {
        true => partners(touches, memory, bodies, contactors, laws).0,
        false => Vec::new(),
    };
    rows.clear();
    for (index, touch) in touches.iter().enumerate() {
        let names = touch.contactors.map(|contactor| contactors[contactor as usize].body);
        let [a, b] = names.map(|body| body as usize);
        let Some(entry) = laws.between(bodies.group[a], bodies.group[b]) else { continue };
        let mut internal = [0.0; LAW_MEMORY];
        match partners.get(index).copied().flatten() {
            Some(kept) => internal = memory[kept].internal,
            None if entry.keeps() => {
                let seen = Approach { time, ..Approach::new(touch.gap, Vector::<D>::zeros(), 1.0) };
                entry.law.begin(&seen, &mut internal);
            }
            None => {}
        }
        let Some(touching) = entry.law.touching(&internal) else { continue };
        let gap = touch.gap - touching;
        if gap <= margin {
            let side = |pose: &Pose<D>| jacobian::<D, N>(&touch.frame, &touch.point, pose);
            let antagonist = image_of(&bodies.pose[b], cell.as_ref(), touch);
            let h = [side(&bodies.pose[a]), -side(&antagonist)];
            rows.push(Position { pair: PairRow { bodies: names, h }, gap });
        }
    }
}
