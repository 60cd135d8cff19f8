//! Bodies that grow or shrink in time, all their lengths alike: shapes, masses and how fast surfaces move.
//! What a contact makes of it, `drystone-contact` knows.
//!
//! Sizes are those of the middle of each step, where contacts are sought. The rate that a step is told
//! leads from its middle to that of the next, so that bodies that are pushed apart by growth come to touch,
//! not to overlap.

use crate::controls::finite;
use crate::{BuildError, ChangeError, Signal, Simulation};
use drystone_contact::{Detection, GrowthRates, Interaction};
use drystone_geometry::Contactor;
use drystone_math::{PerDof, Pose};
use drystone_state::{BodyHandle, BodyId, Handles};
use std::collections::HashMap;

/// What a body keeps while it grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "lowercase")
)]
pub enum GrowthKeeps {
    /// Its density: its mass grows with its volume.
    #[default]
    Density,
    /// Its mass, as of grains that swell.
    Mass,
}

/// A body that grows, or did: what it was as its growth began.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GrownBody<const D: usize> {
    /// Which one.
    pub body: BodyHandle,
    /// Its contactors then.
    parts: Vec<Contactor<D>>,
    /// Its mass and moments of inertia then.
    mass: PerDof<D>,
    /// Its radius then \[m\].
    radius: f64,
    /// What it keeps.
    keeps: GrowthKeeps,
    /// Its lengths now, relative to those.
    pub factor: f64,
}

impl<const D: usize> GrownBody<D> {
    /// One of its contactors now, of the body of this number; none where it has fewer.
    fn contactor(&self, number: usize, body: u32) -> Option<Contactor<D>> {
        self.parts.get(number)?.scaled(self.factor).map(|scaled| Contactor { body, ..scaled })
    }

    fn mass_now(&self) -> PerDof<D> {
        let volume = match self.keeps {
            GrowthKeeps::Density => D,
            GrowthKeeps::Mass => 0,
        };
        // one after the other, so that every processor gives the same bits
        let power = |extra: usize| (0..volume + extra).fold(1.0, |power, _| power * self.factor);
        PerDof::from_fn(|component| self.mass[component] * power(if component < D { 0 } else { 2 }))
    }
}

/// A body whose contactors are being replaced.
#[derive(Clone, Copy)]
struct Growing {
    grown: usize,
    /// Its next contactor.
    next: usize,
}

/// Gives contactors the sizes of their bodies, of those that are marked.
fn put_sizes<const D: usize>(
    grown: &[GrownBody<D>],
    marked: &mut [Option<Growing>],
    contactors: &mut [Contactor<D>],
) {
    for contactor in contactors {
        let Some(Some(growing)) = marked.get_mut(contactor.body as usize) else { continue };
        if let Some(now) = grown[growing.grown].contactor(growing.next, contactor.body) {
            *contactor = now;
        }
        growing.next += 1;
    }
}

/// Gives the contactors of a simulation as it was built the sizes that bodies have by now.
pub(crate) fn grown_contactors<const D: usize>(
    grown: &[GrownBody<D>],
    handles: &Handles,
    contactors: &mut [Contactor<D>],
) {
    let mut marked = vec![None; handles.len()];
    for (index, grown) in grown.iter().enumerate() {
        if let Some(BodyId(body)) = handles.body(grown.body) {
            marked[body as usize] = Some(Growing { grown: index, next: 0 });
        }
    }
    put_sizes(grown, &mut marked, contactors);
}

impl<const D: usize> Simulation<D> {
    /// Lets the lengths of bodies, relative to what they are now, follow a signal \[-\]; what a later call
    /// says of a body takes the place of an earlier one. The signal must be one whose rate is known: none
    /// of [`Signal::External`].
    pub fn grow(
        &mut self,
        bodies: &[BodyHandle],
        keeps: GrowthKeeps,
        signal: impl Into<Signal>,
    ) -> Result<(), ChangeError> {
        let signal = signal.into();
        if matches!(signal, Signal::External(_)) {
            return Err(ChangeError::NoRate);
        }
        let mut chosen = vec![None; self.bodies.len()];
        for &handle in bodies {
            chosen[self.body_id(handle)?.0 as usize] = Some(handle);
        }
        let mut parts: Vec<Vec<Contactor<D>>> = vec![Vec::new(); chosen.len()];
        for part in self.contactors.iter().filter(|part| chosen[part.body as usize].is_some()) {
            let body = part.body as usize;
            if part.scaled(1.0).is_none() {
                return Err(BuildError::NoGrowth { body: self.bodies.name[body].clone() }.into());
            }
            parts[body].push(part.clone());
        }
        let handles: Vec<BodyHandle> = chosen.iter().copied().flatten().collect();
        if handles.is_empty() {
            return Ok(());
        }
        let factor = self.size_now(&signal)?;
        self.begin_change();
        let known: HashMap<_, _> =
            self.grown.iter().enumerate().map(|(at, grown)| (grown.body, at)).collect();
        for (body, parts) in parts.into_iter().enumerate() {
            let Some(handle) = chosen[body] else { continue };
            let (mass, radius) = (self.bodies.mass[body], self.bodies.radius[body]);
            let now = GrownBody { body: handle, parts, mass, radius, keeps, factor: 1.0 };
            match known.get(&handle) {
                // a run that goes on knows how its bodies were
                Some(_) if self.is_set_again() => {}
                Some(&at) => self.grown[at] = now,
                None => self.grown.push(now),
            }
        }
        self.follow_sizes(&handles, &signal, factor);
        Ok(())
    }

    /// Gives bodies the sizes of the middle of the coming step, and tells contacts how fast they grow.
    pub(crate) fn grow_on(&mut self) {
        self.growth = GrowthRates::default();
        let sizes = self.sizes_in_time();
        if sizes.is_empty() {
            return;
        }
        let zeros = || vec![0.0; self.bodies.len()];
        let mut growth = GrowthRates { begin: zeros(), end: zeros() };
        let mut factors = Vec::with_capacity(sizes.len());
        for (handle, [factor, begin, end]) in sizes {
            let fine = finite("a rate of growth", begin + end).is_ok() && factor > 0.0 && factor.is_finite();
            let Some(BodyId(body)) = self.handles.body(handle).filter(|_| fine) else {
                let (what, allowed) = ("the size of a body".into(), "finite numbers above 0");
                self.controls.failed = Some(ChangeError::Number { what, value: factor, allowed });
                continue;
            };
            (growth.begin[body as usize], growth.end[body as usize]) = (begin / factor, end / factor);
            factors.push((handle, factor));
        }
        if growth.begin.iter().chain(&growth.end).any(|&rate| rate != 0.0) {
            self.growth = growth;
        }
        self.set_sizes(&factors);
    }

    /// The sizes of all bodies that ever grew.
    pub(crate) fn sizes(&self) -> Vec<(BodyHandle, f64)> {
        self.grown.iter().map(|grown| (grown.body, grown.factor)).collect()
    }

    /// Sets the sizes of bodies that grow, with their contactors and masses.
    pub(crate) fn set_sizes(&mut self, factors: &[(BodyHandle, f64)]) {
        let mut wanted = vec![None; self.bodies.len()];
        for &(handle, factor) in factors {
            if let Some(BodyId(body)) = self.handles.body(handle) {
                wanted[body as usize] = Some(factor);
            }
        }
        let mut changed = vec![None; self.bodies.len()];
        for index in 0..self.grown.len() {
            let Some(BodyId(body)) = self.handles.body(self.grown[index].body) else { continue };
            let Some(factor) = wanted[body as usize].filter(|&factor| factor != self.grown[index].factor)
            else {
                continue;
            };
            self.grown[index].factor = factor;
            self.set_mass(body as usize, index);
            changed[body as usize] = Some(Growing { grown: index, next: 0 });
        }
        if changed.iter().all(Option::is_none) {
            return;
        }
        put_sizes(&self.grown, &mut changed, &mut self.contactors);
        if self.settings.skin > 0.0 {
            self.detection = Detection::new(self.settings.cell, self.settings.skin);
        }
    }

    /// Mass and radius of a body that grows; what its energies gain by it comes from outside.
    fn set_mass(&mut self, body: usize, index: usize) {
        let (kinetic, fallen) = (self.own_kinetic(body), self.fallen(body));
        let grown = &self.grown[index];
        self.bodies.mass[body] = grown.mass_now();
        self.bodies.radius[body] = grown.radius * grown.factor;
        for component in 0..drystone_math::rigid_dofs(D) {
            let driven = self.bodies.driven[body][component];
            self.bodies.prescribe(body, component, driven);
        }
        self.ledger.exchanged += self.own_kinetic(body) - kinetic;
        self.ledger.settled += self.fallen(body) - fallen;
    }

    /// Enters what contacts did against growth, as work of prescribed motion.
    pub(crate) fn account_growth(&mut self, middle: &[Pose<D>], motion: &drystone_bulk::FreeMotion) {
        if self.growth.is_empty() {
            return;
        }
        let step = self.context(middle, motion);
        let work = |contact: &Interaction<D>| step.work_of_growth(contact);
        let given: f64 = self.interactions.iter().map(work).sum();
        self.ledger.drives -= given;
    }
}
