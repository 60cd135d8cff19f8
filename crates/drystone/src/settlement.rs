//! Supports that move slowly: the bodies follow without inertia, from one admissible equilibrium to the next,
//! until there is none. No dynamics: what happens once the structure lets go is a matter for a run.

use crate::{Simulation, TOUCHING};
use drystone_bulk::advance;
use drystone_diagnose::statics::StaticsError;
use drystone_math::per_dof::norm;
use drystone_math::{PerDof, Pose};
use drystone_problem::Set;

/// How supports are moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Movement in one step \[m\].
    pub step: f64,
    /// Movement at which to stop \[m\].
    pub farthest: f64,
    /// Bodies that move this many times as fast as their supports have let go.
    pub lets_go: f64,
}

/// What a structure bore.
#[derive(Clone, Debug)]
pub struct Settled<const D: usize> {
    /// Movement with the last admissible equilibrium \[m\].
    pub movement: f64,
    /// Whether there was none beyond; else the search ended at the farthest movement asked for.
    pub lets_go: bool,
    /// Where the bodies were then.
    pub poses: Vec<Pose<D>>,
    /// Steps taken.
    pub steps: usize,
}

/// How far every contact slid in the step before \[m\].
type Slid = std::collections::BTreeMap<drystone_state::ContactId, f64>;

/// Steps are halved this many times where the structure lets go.
const HALVINGS: u32 = 6;

/// Contacts this near, relative to the smaller radius, are watched while supports move.
const WATCHED: f64 = 0.2;

/// Contacts this near, relative to the smaller radius, carry: what the steps leave of them is less.
const SHUT: f64 = 1e-3;

/// Bodies are left to overlap by this share of the smaller radius. Two corners that meet have the normal of a
/// face then; a hair apart, they would have the one of the hair.
const SUNK: f64 = 1e-4;

impl<const D: usize> Simulation<D> {
    /// Moves supports along `way` (velocities of all bodies, of which those of the free ones are not read;
    /// the largest translation in it is the movement that counts) until no admissible forces balance weights
    /// and loads.
    ///
    /// A step of the movement `d` is the programme `min Σ r·(H_s w + n (g/d + μ s))` over admissible forces,
    /// whose multipliers are the velocities of the bodies: none of the gaps `g` closes beyond touching, and
    /// the weights lose as much height as they can. `s`, the sliding of the step before, takes the widening
    /// of the associated law away.
    pub fn settle(&self, way: &[PerDof<D>], pace: &Pace) -> Result<Settled<D>, StaticsError> {
        let speed = way.iter().map(|v| norm(&v[..D])).fold(0.0, f64::max);
        let mut settled =
            Settled { movement: 0.0, lets_go: false, poses: self.bodies.pose.clone(), steps: 0 };
        if !self.statics(TOUCHING).stands_alone()? {
            settled.lets_go = true;
            return Ok(settled);
        }
        let mut slid: Slid = Slid::default();
        let (mut step, mut halvings) = (pace.step, 0);
        // where the bodies are brought, before anyone has seen that they can stay there
        let (mut ahead, mut gone) = (settled.poses.clone(), 0.0);
        loop {
            let d = step.min(pace.farthest - gone).max(1e-3 * step);
            let way: Vec<PerDof<D>> = way.iter().map(|v| v * (d / speed)).collect();
            match self.settle_by(&ahead, &way, &mut slid, pace.lets_go * d)? {
                Some(next) => {
                    (settled.poses, settled.movement) = (ahead, gone);
                    settled.steps += 1;
                    if gone >= pace.farthest * (1.0 - 1e-9) {
                        return Ok(settled);
                    }
                    (ahead, gone) = (next, gone + d);
                }
                None if halvings < HALVINGS => {
                    (step, halvings) = (0.5 * step, halvings + 1);
                    (ahead, gone) = (settled.poses.clone(), settled.movement);
                    if settled.steps == 0 {
                        halvings = HALVINGS;
                    }
                }
                None => {
                    settled.lets_go = true;
                    return Ok(settled);
                }
            }
        }
    }

    /// One step of the supports by `way`; `None` where the structure lets go.
    fn settle_by(
        &self,
        poses: &[Pose<D>],
        way: &[PerDof<D>],
        slid: &mut Slid,
        farthest: f64,
    ) -> Result<Option<Vec<Pose<D>>>, StaticsError> {
        if !self.statics_at(poses, SHUT).stands_alone()? {
            return Ok(None);
        }
        let statics = self.statics_at(poses, WATCHED);
        let supports: Vec<PerDof<D>> = (0..self.bodies.len())
            .map(|body| PerDof::from_fn(|i| if statics.structure.free[body][i] { 0.0 } else { way[body][i] }))
            .collect();
        let mut given = statics.structure.relative(&supports);
        for (contact, given) in statics.contacts.iter().zip(&mut given) {
            let size = contact.bodies.map(|body| self.bodies.radius[body.0 as usize]);
            given[0] += contact.gap + SUNK * size[0].min(size[1]);
        }
        for (row, contact) in statics.contacts.iter().enumerate() {
            if let (Set::Coulomb { mu }, Some(slid)) =
                (statics.structure.holds[row].set, slid.get(&contact.id))
            {
                given[row][0] += mu * slid;
            }
        }
        let Some((_, mut moved)) = statics.structure.follow(&statics.dead(), &given)? else {
            return Ok(None);
        };
        moved.truncate(self.bodies.len());
        let largest = (0..self.bodies.len())
            .filter(|&body| !self.bodies.is_driven(body))
            .map(|body| norm(&moved[body][..D]))
            .fold(0.0, f64::max);
        if largest > farthest {
            return Ok(None);
        }
        let all: Vec<PerDof<D>> = moved.iter().zip(&supports).map(|(free, given)| free + given).collect();
        let relative = statics.structure.relative(&all);
        *slid =
            (statics.contacts.iter().zip(&relative)).map(|(c, u)| (c.id, u.rows_range(1..).norm())).collect();
        let next = |(body, pose): (usize, &Pose<D>)| advance(pose, &all[body], 1.0);
        Ok(Some(poses.iter().enumerate().map(next).collect()))
    }
}
