//! Deformable bodies through a step: what they do without contacts, what impulses at their ports make of
//! them, where their energy is. Rigid lines go on as those of rigid bodies do.

use super::operator::{SolidOperator, SolidScheme};
use super::{Port, SolidBody, SolidFailure, Solids};
use crate::FreeMotion;
use drystone_elements::scheme::{ImpulsesOnBody, SolidLedger, ThetaOperator};
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
        let operators = &self.operators;
        let resultants: Vec<Option<Vec<f64>>> = self
            .list
            .par_iter_mut()
            .map(|solid| solid.set_free(&operators[solid.operator], &middle[solid.body as usize], gravity))
            .collect();
        for (solid, resultant) in self.list.iter().zip(resultants) {
            let Some(resultant) = resultant else { continue };
            let body = solid.body as usize;
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
        let operators = &self.operators;
        let on = |body: u32| {
            let found = impulses.binary_search_by_key(&body, |(body, _)| *body);
            found.map_or(&[][..], |place| &impulses[place].1[..])
        };
        let works: Vec<SolidWorks> = self
            .list
            .par_iter_mut()
            .map(|solid| solid.depart(&operators[solid.operator], on(solid.body), gravity))
            .collect();
        works.iter().fold(SolidWorks::default(), |sum, one| SolidWorks {
            loads: sum.loads + one.loads,
            drives: sum.drives + one.drives,
            viscous: sum.viscous + one.viscous,
            plastic: sum.plastic + one.plastic,
            scheme: sum.scheme + one.scheme,
        })
    }

    /// Kinetic energy of all deformation \[J\].
    pub fn kinetic(&self) -> f64 {
        self.list.iter().map(|solid| self.operator(solid).kinetic_energy(&solid.state)).sum()
    }

    /// Strain energy of all bodies \[J\].
    pub fn strain(&self) -> f64 {
        let strain = |solid: &SolidBody<D>| match self.operator(solid).scheme() {
            SolidScheme::Linear(theta) => theta.strain_energy(&solid.state),
            SolidScheme::Newton(_) => solid.stored,
        };
        self.list.iter().map(strain).sum()
    }

    /// Potential energy of gravity of bodies in the world frame, from where they are not deformed \[J\].
    pub fn potential(&self, gravity: &Vector<D>) -> f64 {
        let weight = |solid: &SolidBody<D>| -> f64 {
            let operator = self.operator(solid);
            if operator.frame().is_some() {
                return 0.0;
            }
            let load = operator.model().gravity_load(operator.mass(), gravity);
            -dot(&load, &solid.state.displacement)
        };
        self.list.iter().map(weight).sum()
    }
}

impl<const D: usize> SolidBody<D> {
    /// Sets loads and free velocity of this step; gives the resultant of the loads for the rigid line, force
    /// and moment in the axes of the body.
    fn set_free(
        &mut self,
        operator: &SolidOperator<D>,
        pose: &Pose<D>,
        gravity: &Vector<D>,
    ) -> Option<Vec<f64>> {
        self.acting.clear();
        if let Some(load) = &self.load {
            self.acting.extend_from_slice(&load.following);
            let back = pose.rotation().transpose();
            for (nodes, force) in &load.dead {
                let force = back * force;
                for &(node, weight) in nodes {
                    (0..D).for_each(|axis| self.acting[node as usize * D + axis] += weight * force[axis]);
                }
            }
        }
        let mut resultant = None;
        match operator.frame() {
            Some(frame) if !self.acting.is_empty() => {
                resultant = Some(frame.resultant(&self.acting));
                frame.remove_resultant(&mut self.acting);
            }
            Some(_) => {}
            None => {
                let weight = operator.model().gravity_load(operator.mass(), gravity);
                self.acting.resize(weight.len(), 0.0);
                self.acting.iter_mut().zip(weight).for_each(|(load, weight)| *load += weight);
            }
        }
        // Newton's method begins elsewhere
        let SolidScheme::Linear(theta) = operator.scheme() else { return resultant };
        self.free = theta.free_velocity(&self.state, &on_body(&self.acting, None, &self.drive));
        if let Some(frame) = operator.frame() {
            frame.remove_rigid(&mut self.free);
        }
        resultant
    }

    fn depart(
        &mut self,
        operator: &SolidOperator<D>,
        impulses: &[(Port<D>, Vector<D>)],
        gravity: &Vector<D>,
    ) -> SolidWorks {
        let mut impulse = self.nodal(impulses);
        if let Some(frame) = operator.frame() {
            frame.remove_resultant(&mut impulse);
        }
        let (before, begin) = (self.state.displacement.clone(), self.state.velocity.clone());
        let ledger = match operator.scheme() {
            SolidScheme::Linear(theta) => self.advance(theta, &impulse),
            SolidScheme::Newton(own) => self.take_end(own.step()),
        };
        let half: f64 =
            (0..impulse.len()).map(|dof| 0.5 * impulse[dof] * (begin[dof] + self.state.velocity[dof])).sum();
        let mut weight = 0.0;
        if operator.frame().is_none() {
            let load = operator.model().gravity_load(operator.mass(), gravity);
            weight =
                (0..before.len()).map(|dof| load[dof] * (self.state.displacement[dof] - before[dof])).sum();
        }
        if let Some(frame) = operator.frame() {
            // rounding must not become a rigid motion
            frame.remove_rigid(&mut self.state.velocity);
            frame.remove_rigid(&mut self.state.displacement);
        }
        self.free = self.state.velocity.clone();
        SolidWorks {
            loads: ledger.loads - weight,
            drives: ledger.supports,
            viscous: ledger.viscous,
            plastic: ledger.plastic,
            // contacts enter their works with mean velocities, the scheme has those at θ
            scheme: ledger.scheme - (ledger.impulses - half),
        }
    }
}

impl<const D: usize> SolidBody<D> {
    /// Impulses on ports as those on degrees of freedom.
    pub(super) fn nodal(&self, impulses: &[(Port<D>, Vector<D>)]) -> Vec<f64> {
        let mut impulse = vec![0.0; self.state.velocity.len()];
        impulses.iter().for_each(|(port, p)| port.grip.push(p, &mut impulse));
        impulse
    }

    fn advance(&mut self, theta: &ThetaOperator<D>, impulse: &[f64]) -> SolidLedger {
        let free = std::mem::take(&mut self.free);
        let acting = on_body(&self.acting, Some(impulse), &self.drive);
        let (ledger, reaction) = theta.advance_with_reaction(&mut self.state, free, &acting);
        self.reaction = reaction.iter().map(|p| p / theta.step()).collect();
        ledger
    }

    /// The end that Newton's method found.
    fn take_end(&mut self, h: f64) -> SolidLedger {
        let Some(end) = self.ended.take() else { return SolidLedger::default() };
        self.reaction = end.reaction.iter().map(|p| p / h).collect();
        (self.state, self.stored) = (end.state, end.stored);
        end.ledger
    }
}

fn on_body<'a>(load: &'a [f64], impulse: Option<&'a [f64]>, drive: &'a [f64]) -> ImpulsesOnBody<'a> {
    let some = |values: &'a [f64]| (!values.is_empty()).then_some(values);
    ImpulsesOnBody { load: some(load), impulse, drive: some(drive) }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}
