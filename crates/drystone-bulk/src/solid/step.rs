//! Deformable bodies through a step: what they do without contacts, what impulses at their ports make of
//! them, where their energy is. Rigid lines go on as those of rigid bodies do.

use super::bundle::energies;
use super::{Port, SolidBody, SolidFailure, Solids};
use crate::FreeMotion;
use drystone_math::{Pose, Vector, rigid_dofs};
use drystone_state::Bodies;
use rayon::prelude::*;

/// Where the energy of all deformable bodies went in a step \[J\], for a ledger that takes the works of
/// contacts with the mean of the velocities at the two ends of the step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolidWorks {
    /// Work of given loads on the deformation, gravity apart.
    pub loads: f64,
    /// Work of driven supports.
    pub drives: f64,
    /// Lost to the viscosity of materials.
    pub viscous: f64,
    /// Dissipated by plastic flow.
    pub plastic: f64,
    /// Lost to the scheme; zero for θ = ½ where all is linear.
    pub scheme: f64,
}

/// Energies of deformation \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolidEnergies {
    /// Kinetic energy beside that of rigid motions; in the world frame all of it.
    pub kinetic: f64,
    /// Free energy: strain, and hardening where the material has some.
    pub strain: f64,
}

impl<const D: usize> Solids<D> {
    /// What all bodies do without contacts; resultants of their loads go to their rigid lines. Fails where
    /// the elements of a body do.
    pub fn free_motion(
        &mut self,
        bodies: &Bodies<D>,
        middle: &[Pose<D>],
        gravity: &Vector<D>,
        h: f64,
        motion: &mut FreeMotion,
    ) -> Result<(), SolidFailure> {
        let resultants: Vec<Vec<(u32, Vec<f64>)>> = self
            .bundles_mut()
            .into_par_iter()
            .map(|mut bundle| bundle.set_free(|body| &middle[body as usize], gravity))
            .collect();
        for (body, resultant) in resultants.into_iter().flatten() {
            let body = body as usize;
            let force = Vector::<D>::from_fn(|axis, _| resultant[axis]);
            let force = middle[body].rotation() * force;
            for component in 0..rigid_dofs(D) {
                let part = if component < D { force[component] } else { resultant[component] };
                motion.load[body][component] += h * part;
                if bodies.driven[body][component].is_none() {
                    motion.velocity[body][component] += h * part * bodies.inverse_mass[body][component];
                }
            }
        }
        self.begin_newton()
    }

    /// Ends the step with impulses on ports, body by body and in their axes \[N s\]; says where the energy
    /// went.
    pub fn depart(
        &mut self,
        impulses: &[(u32, Vec<(Port<D>, Vector<D>)>)],
        gravity: &Vector<D>,
    ) -> SolidWorks {
        let on = |body: u32| {
            let found = impulses.binary_search_by_key(&body, |(body, _)| *body);
            found.map_or(&[][..], |place| &impulses[place].1[..])
        };
        let done: Vec<Vec<(usize, SolidWorks)>> =
            self.bundles_mut().into_par_iter().map(|mut bundle| bundle.depart(on, gravity)).collect();
        let mut works = vec![SolidWorks::default(); self.list.len()];
        done.into_iter().flatten().for_each(|(place, own)| works[place] = own);
        works.iter().fold(SolidWorks::default(), |sum, one| SolidWorks {
            loads: sum.loads + one.loads,
            drives: sum.drives + one.drives,
            viscous: sum.viscous + one.viscous,
            plastic: sum.plastic + one.plastic,
            scheme: sum.scheme + one.scheme,
        })
    }

    /// Kinetic and strain energy of all deformation \[J\].
    pub fn energies(&self) -> SolidEnergies {
        let of_bundle = |places: &Vec<u32>| {
            let some: Vec<&SolidBody<D>> = places.iter().map(|&place| &self.list[place as usize]).collect();
            match some.iter().map(|solid| solid.energies).collect() {
                Some(known) => known,
                None => energies(self.operator(some[0]), &some),
            }
        };
        let found: Vec<Vec<SolidEnergies>> = self.bundles.par_iter().map(of_bundle).collect();
        let mut own = vec![SolidEnergies::default(); self.list.len()];
        for (&place, energies) in self.bundles.iter().flatten().zip(found.iter().flatten()) {
            own[place as usize] = *energies;
        }
        own.iter().fold(SolidEnergies::default(), |sum, one| SolidEnergies {
            kinetic: sum.kinetic + one.kinetic,
            strain: sum.strain + one.strain,
        })
    }

    /// Potential energy of gravity of bodies in the world frame, from where they are not deformed \[J\].
    pub fn potential(&self, gravity: &Vector<D>) -> f64 {
        let weight = |solid: &SolidBody<D>| -> f64 {
            let weight = self.operator(solid).weight(gravity);
            weight.map_or(0.0, |load| -dot(&load, &solid.state.displacement))
        };
        self.list.iter().map(weight).sum()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}
