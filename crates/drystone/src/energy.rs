//! Where the energy is, and whether the books balance.

use crate::Simulation;
use drystone_bulk::{Bulk, SolidEnergies};

/// Energies of a run \[J\], measured from its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy now.
    pub kinetic: f64,
    /// Potential energy of gravity now, zero at the start; of a body removed, that of where it went.
    pub potential: f64,
    /// Dissipated by friction so far.
    pub friction: f64,
    /// Dissipated by shocks so far.
    pub shocks: f64,
    /// Dissipated by bonds that broke so far.
    pub cohesion: f64,
    /// Dissipated by the viscosity of contacts, and by viscosity and plastic flow of deformable bodies so
    /// far.
    pub viscosity: f64,
    /// Of that, by plastic flow of deformable bodies.
    pub plastic: f64,
    /// Stored now in contacts, and as strain in deformable bodies.
    pub stored: f64,
    /// Of that, strain energy of deformable bodies.
    pub strain: f64,
    /// Dissipated by the θ-scheme so far; zero for θ = ½ where deformable bodies are linear.
    pub scheme: f64,
    /// Brought in by the correction of overlaps so far.
    pub drift: f64,
    /// Work of given forces so far, gravity apart.
    pub loads: f64,
    /// Work of prescribed motion so far.
    pub drives: f64,
    /// Work of the gyroscopic moment so far: of the explicit one, and on bodies with a part of their spin
    /// driven.
    pub gyroscopic: f64,
    /// Brought in by bodies added and velocities set from outside, less what bodies removed took away:
    /// kinetic energy, and what their contacts stored.
    pub exchanged: f64,
    /// What does not add up, relative to the largest of all these, or to the energy that lifts the heaviest
    /// body by its radius where all of these are smaller: of a wall that stands still, nothing but rounding
    /// is left.
    pub balance_error: f64,
}

impl<const D: usize> Simulation<D> {
    /// The energies now. Kinetic energy of driven components is left out: it cannot change.
    pub fn energy(&self) -> Energy {
        let ledger = &self.ledger;
        let SolidEnergies { kinetic, strain } = self.solids.energies();
        let kinetic = self.rigid_kinetic() + kinetic;
        let potential = self.potential();
        let contacts = ledger.cohesion + ledger.viscosity + ledger.stored + strain;
        let dissipated = ledger.friction + ledger.shocks + ledger.scheme;
        let given = ledger.loads + ledger.drives + ledger.gyroscopic + ledger.drift + ledger.exchanged;
        let missing = kinetic + potential + dissipated + contacts - given;
        let terms = [
            kinetic,
            self.kinetic_start,
            potential,
            ledger.friction,
            ledger.shocks,
            ledger.cohesion,
            ledger.viscosity,
            ledger.stored,
            ledger.scheme,
            ledger.drift,
            ledger.loads,
            ledger.drives,
            ledger.gyroscopic,
            ledger.exchanged,
            strain,
            self.lift(),
        ];
        let size = terms.into_iter().map(f64::abs).fold(0.0, f64::max);
        let error = (missing - self.kinetic_start).abs();
        Energy {
            kinetic,
            potential,
            friction: ledger.friction,
            shocks: ledger.shocks,
            cohesion: ledger.cohesion,
            viscosity: ledger.viscosity,
            plastic: ledger.plastic,
            stored: ledger.stored + strain,
            strain,
            scheme: ledger.scheme,
            drift: ledger.drift,
            loads: ledger.loads,
            drives: ledger.drives,
            gyroscopic: ledger.gyroscopic,
            exchanged: ledger.exchanged,
            balance_error: if error == 0.0 { 0.0 } else { error / size },
        }
    }

    /// Energy that lifts the heaviest free body by its radius.
    fn lift(&self) -> f64 {
        let gravity = self.settings.gravity.norm();
        let of = |body: usize| self.bodies.mass[body][0] * gravity * self.bodies.radius[body];
        (0..self.bodies.len()).filter(|&body| !self.bodies.is_driven(body)).map(of).fold(0.0, f64::max)
    }

    pub(crate) fn kinetic(&self) -> f64 {
        self.rigid_kinetic() + self.solids.energies().kinetic
    }

    fn rigid_kinetic(&self) -> f64 {
        (0..self.bodies.len()).map(|body| self.bodies.kinetic_energy(body)).sum()
    }

    pub(crate) fn potential(&self) -> f64 {
        let lines = -(0..self.bodies.len()).map(|body| self.fallen(body)).sum::<f64>() + self.ledger.settled;
        lines + self.solids.potential(&self.settings.gravity)
    }

    /// Kinetic energy of the rigid line of one body, driven components left out \[J\].
    pub(crate) fn own_kinetic(&self, body: usize) -> f64 {
        self.bodies.kinetic_energy(body)
    }

    /// What gravity has done on a body since it is there \[J\].
    pub(crate) fn fallen(&self, body: usize) -> f64 {
        let climbed = self.bodies.pose[body].position - self.start[body];
        let part = |c: usize| self.bodies.mass[body][c] * self.settings.gravity[c] * climbed[c];
        (0..D).filter(|&c| self.bodies.driven[body][c].is_none()).map(part).sum()
    }
}
