//! Congruent deformable bodies that go through a step side by side: matrices and factors are read once for
//! all of them. Which bodies those are decides no bit.

use super::operator::{SolidOperator, SolidScheme};
use super::step::SolidEnergies;
use super::{FaceLoad, Port, SolidBody, SolidWorks, Solids};
use drystone_elements::scheme::{
    ABREAST, ABREAST_FROM, ActionsAbreast, FloatingFrame, SolidLedger, StatesAbreast, ThetaOperator, abreast,
    apart_all, largest_squares,
};
use drystone_math::{Pose, Vector};

/// Bodies of one operator, with their places in the list: one, or as many as go side by side.
pub(super) struct Bundle<'a, const D: usize> {
    operator: &'a SolidOperator<D>,
    bodies: Vec<(usize, &'a mut SolidBody<D>)>,
    side: &'a mut BundleSide<ABREAST>,
}

/// Numbers of linear bodies side by side, kept so that they need not be put together again.
#[derive(Debug)]
pub(super) struct BundleSide<const W: usize> {
    /// The states, if they are those of the bodies.
    states: Option<StatesAbreast<W>>,
    /// Velocities without contacts, of this step.
    free: Option<Vec<[f64; W]>>,
}

impl<const W: usize> Default for BundleSide<W> {
    fn default() -> Self {
        Self { states: None, free: None }
    }
}

/// Places of the bodies that go side by side, from the operator of each.
pub(super) fn bundled(operators: impl Iterator<Item = usize>) -> Vec<Vec<u32>> {
    let mut of_operator: Vec<Vec<u32>> = Vec::new();
    for (place, operator) in (0..).zip(operators) {
        of_operator.resize(of_operator.len().max(operator + 1), Vec::new());
        of_operator[operator].push(place);
    }
    let mut bundles = Vec::new();
    for some in of_operator.iter().flat_map(|all| all.chunks(ABREAST)) {
        let size = if some.len() < ABREAST_FROM { 1 } else { ABREAST };
        bundles.extend(some.chunks(size).map(<[u32]>::to_vec));
    }
    bundles
}

impl<const D: usize> Solids<D> {
    /// All bodies, bundle by bundle.
    pub(super) fn bundles_mut(&mut self) -> Vec<Bundle<'_, D>> {
        let mut bodies: Vec<Option<&mut SolidBody<D>>> = self.list.iter_mut().map(Some).collect();
        let operators = &self.operators;
        let taken = |(places, side): (&Vec<u32>, _)| {
            let bodies: Vec<_> = places
                .iter()
                .filter_map(|&place| bodies[place as usize].take().map(|body| (place as usize, body)))
                .collect();
            Some(Bundle { operator: &operators[bodies.first()?.1.operator], bodies, side })
        };
        self.bundles.iter().zip(&mut self.sides).filter_map(taken).collect()
    }
}

/// States side by side.
fn states<'a, const D: usize, const W: usize>(
    of: impl Iterator<Item = &'a SolidBody<D>> + Clone,
    size: usize,
) -> StatesAbreast<W> {
    StatesAbreast {
        displacement: abreast(size, of.clone().map(|body| &body.state.displacement[..])),
        velocity: abreast(size, of.map(|body| &body.state.velocity[..])),
    }
}

/// Energies of bodies of one operator.
pub(super) fn energies<const D: usize>(
    operator: &SolidOperator<D>,
    some: &[&SolidBody<D>],
) -> Vec<SolidEnergies> {
    let of = |[kinetic, strain]: [&[f64]; 2]| {
        kinetic
            .iter()
            .zip(strain)
            .take(some.len())
            .map(|(&kinetic, &strain)| SolidEnergies { kinetic, strain })
            .collect()
    };
    let (bodies, size) = (some.iter().copied(), operator.model().dofs());
    match operator.scheme() {
        SolidScheme::Linear(theta) if some.len() == 1 => {
            of(theta.energies(&states::<D, 1>(bodies, size)).each_ref().map(<[f64; 1]>::as_slice))
        }
        SolidScheme::Linear(theta) => {
            of(theta.energies(&states::<D, ABREAST>(bodies, size)).each_ref().map(<[f64; ABREAST]>::as_slice))
        }
        SolidScheme::Newton(own) => bodies
            .map(|body| SolidEnergies { kinetic: own.kinetic_energy(&body.state), strain: body.stored })
            .collect(),
    }
}

impl<const D: usize> Bundle<'_, D> {
    /// Sets loads and free velocities of this step; gives the resultants of loads for rigid lines, by their
    /// bodies, force and moment in the axes of the body.
    pub fn set_free<'b>(
        &mut self,
        pose: impl Fn(u32) -> &'b Pose<D>,
        gravity: &Vector<D>,
    ) -> Vec<(u32, Vec<f64>)> {
        let operator = self.operator;
        let weight = operator.weight(gravity);
        let mut resultants = Vec::new();
        for (_, body) in &mut self.bodies {
            let resultant = body.set_acting(operator.frame(), weight.as_deref(), pose(body.body));
            resultants.extend(resultant.map(|resultant| (body.body, resultant)));
        }
        // Newton's method begins elsewhere
        if let SolidScheme::Linear(theta) = operator.scheme() {
            if self.bodies.len() == 1 {
                self.free_velocities::<1>(theta, BundleSide::default());
            } else {
                let side = std::mem::take(self.side);
                *self.side = self.free_velocities(theta, side);
            }
        }
        resultants
    }

    fn free_velocities<const W: usize>(
        &mut self,
        theta: &ThetaOperator<D>,
        side: BundleSide<W>,
    ) -> BundleSide<W> {
        let states = side.states.unwrap_or_else(|| self.states());
        let mut free = theta.free_velocities(&states, &self.actions::<W>(None));
        if let Some(frame) = self.operator.frame() {
            frame.remove_rigid_abreast(&mut free);
        }
        let fastest = [&states.velocity, &free].map(|v| largest_squares::<D, W>(v));
        apart_all(&free, self.bodies.iter_mut().map(|(_, body)| &mut body.free[..]));
        self.each(|k, body| body.fastest = fastest.map(|of| Some(of[k])));
        BundleSide { states: Some(states), free: Some(free) }
    }

    fn states<const W: usize>(&self) -> StatesAbreast<W> {
        states(self.bodies.iter().map(|(_, body)| &**body), self.operator.model().dofs())
    }

    fn each(&mut self, mut work: impl FnMut(usize, &mut SolidBody<D>)) {
        self.bodies.iter_mut().enumerate().for_each(|(k, (_, body))| work(k, body));
    }

    /// What acts on them, side by side.
    fn actions<const W: usize>(&self, impulse: Option<Vec<[f64; W]>>) -> ActionsAbreast<W> {
        let size = self.operator.model().dofs();
        let all = |of: &dyn Fn(&SolidBody<D>) -> bool| self.bodies.iter().any(|(_, body)| of(body));
        let bodies = || self.bodies.iter().map(|(_, body)| &**body);
        ActionsAbreast {
            load: all(&|body| !body.acting.is_empty())
                .then(|| abreast(size, bodies().map(|body| &body.acting[..]))),
            impulse,
            drive: all(&|body| !body.drive.is_empty())
                .then(|| abreast(size, bodies().map(|body| &body.drive[..]))),
        }
    }

    /// Ends the step with impulses on the ports of each body; says where the energy of each went, by their
    /// places.
    pub fn depart<'b>(
        &mut self,
        impulses: impl Fn(u32) -> &'b [(Port<D>, Vector<D>)],
        gravity: &Vector<D>,
    ) -> Vec<(usize, SolidWorks)> {
        let weight = self.operator.weight(gravity);
        let on: Vec<_> = self.bodies.iter().map(|(_, body)| impulses(body.body)).collect();
        let works = match self.operator.scheme() {
            SolidScheme::Linear(theta) if self.bodies.len() == 1 => {
                self.advance::<1>(theta, &on, weight.as_deref(), BundleSide::default()).0
            }
            SolidScheme::Linear(theta) => {
                let side = std::mem::take(self.side);
                let (works, side) = self.advance(theta, &on, weight.as_deref(), side);
                *self.side = side;
                works
            }
            SolidScheme::Newton(own) => {
                let ends = self.bodies.iter_mut().zip(on);
                let end = |((_, body), on): (&mut (usize, &mut SolidBody<D>), &[(Port<D>, Vector<D>)])| {
                    let impulse = body.nodal(on);
                    body.take_end(own.step(), &impulse, weight.as_deref())
                };
                ends.map(end).collect()
            }
        };
        self.bodies.iter().map(|(place, _)| *place).zip(works).collect()
    }

    /// The step of linear bodies.
    fn advance<const W: usize>(
        &mut self,
        theta: &ThetaOperator<D>,
        on: &[&[(Port<D>, Vector<D>)]],
        weight: Option<&[f64]>,
        side: BundleSide<W>,
    ) -> (Vec<SolidWorks>, BundleSide<W>) {
        let (size, frame) = (self.operator.model().dofs(), self.operator.frame());
        let mut impulse = pushed::<D, W>(size, on);
        if let Some(frame) = frame {
            frame.remove_resultant_abreast(&mut impulse);
        }
        let actions = self.actions::<W>(Some(impulse));
        let free = side
            .free
            .unwrap_or_else(|| abreast::<W>(size, self.bodies.iter().map(|(_, body)| &body.free[..])));
        let begin = side.states.unwrap_or_else(|| self.states());
        let mut end = begin.clone();
        let settle = |end: &mut StatesAbreast<W>| {
            if let Some(frame) = frame {
                // rounding must not become a rigid motion
                frame.remove_rigid_abreast(&mut end.velocity);
                frame.remove_rigid_abreast(&mut end.displacement);
            }
        };
        let (ledgers, reactions, energies) = match theta.supports().any() {
            true => {
                let (ledgers, reactions) = theta.advance_abreast(&mut end, free, &actions);
                settle(&mut end);
                (ledgers, reactions, None)
            }
            false => {
                let mut energies = self.energies_abreast(theta, &begin);
                let ledgers = theta.advance_unheld(&mut end, &mut energies, free, &actions, settle);
                (ledgers, Vec::new(), Some(energies))
            }
        };
        let half = actions.impulse.as_ref().map_or([0.0; W], |impulse| half_works(impulse, &begin, &end));
        let fallen = weight.map_or([0.0; W], |weight| weight_works(weight, &begin, &end));
        let works = (0..self.bodies.len()).map(|k| works(&ledgers[k], half[k], fallen[k])).collect();
        let fastest = largest_squares::<D, W>(&end.velocity);
        apart_all(
            &end.displacement,
            self.bodies.iter_mut().map(|(_, body)| &mut body.state.displacement[..]),
        );
        apart_all(&end.velocity, self.bodies.iter_mut().map(|(_, body)| &mut body.state.velocity[..]));
        self.each(|k, body| {
            body.free.copy_from_slice(&body.state.velocity);
            body.fastest = [Some(fastest[k]); 2];
            body.energies =
                energies.map(|[kinetic, strain]| SolidEnergies { kinetic: kinetic[k], strain: strain[k] });
            body.reaction.clear();
            // nothing holds a body that floats
            if frame.is_none() {
                body.reaction.extend(reactions.iter().map(|p| p[k] / theta.step()));
            }
        });
        (works, BundleSide { states: Some(end), free: None })
    }

    /// Energies of the bodies side by side, as the last step told them or anew.
    fn energies_abreast<const W: usize>(
        &self,
        theta: &ThetaOperator<D>,
        states: &StatesAbreast<W>,
    ) -> [[f64; W]; 2] {
        let mut found = [[0.0; W]; 2];
        for (k, (_, body)) in self.bodies.iter().enumerate() {
            let Some(SolidEnergies { kinetic, strain }) = body.energies else {
                return theta.energies(states);
            };
            (found[0][k], found[1][k]) = (kinetic, strain);
        }
        found
    }
}

/// Impulses on the ports of bodies as those on degrees of freedom, side by side.
fn pushed<const D: usize, const W: usize>(size: usize, on: &[&[(Port<D>, Vector<D>)]]) -> Vec<[f64; W]> {
    let mut all = vec![[0.0; W]; size];
    for (k, on) in on.iter().enumerate() {
        for (port, p) in *on {
            for (node, weight) in port.grip.parts() {
                (0..D).for_each(|axis| all[node as usize * D + axis][k] += weight * p[axis]);
            }
        }
    }
    all
}

/// Works of impulses with the mean of the velocities at the two ends of a step.
fn half_works<const W: usize>(
    impulse: &[[f64; W]],
    begin: &StatesAbreast<W>,
    end: &StatesAbreast<W>,
) -> [f64; W] {
    let mut sum = [0.0; W];
    for (p, (v, w)) in impulse.iter().zip(begin.velocity.iter().zip(&end.velocity)) {
        for k in 0..W {
            sum[k] += 0.5 * p[k] * (v[k] + w[k]);
        }
    }
    sum
}

/// Works of a weight over a step.
fn weight_works<const W: usize>(
    weight: &[f64],
    begin: &StatesAbreast<W>,
    end: &StatesAbreast<W>,
) -> [f64; W] {
    let mut sum = [0.0; W];
    for (load, (u, w)) in weight.iter().zip(begin.displacement.iter().zip(&end.displacement)) {
        for k in 0..W {
            sum[k] += load * (w[k] - u[k]);
        }
    }
    sum
}

/// Where the energy of a body went, from its ledger, the works of contacts with mean velocities, and that of
/// its weight.
fn works(ledger: &SolidLedger, half: f64, fallen: f64) -> SolidWorks {
    SolidWorks {
        loads: ledger.loads - fallen,
        drives: ledger.supports,
        viscous: ledger.viscous,
        plastic: ledger.plastic,
        // contacts enter their works with mean velocities, the scheme has those at θ
        scheme: ledger.scheme - (ledger.impulses - half),
    }
}

impl<const D: usize> SolidBody<D> {
    /// Sets the loads of this step; gives their resultant for the rigid line, force and moment in the axes of
    /// the body. In the world frame weight is among them.
    fn set_acting(
        &mut self,
        frame: Option<&FloatingFrame<D>>,
        weight: Option<&[f64]>,
        pose: &Pose<D>,
    ) -> Option<Vec<f64>> {
        self.acting.clear();
        if let Some(load) = &self.load {
            self.acting.extend_from_slice(&load.following);
            self.acting.resize(self.state.velocity.len(), 0.0);
            let back = pose.rotation().transpose();
            for FaceLoad { inwards, shares, pressure, force } in &load.faces {
                inwards.iter().for_each(|&(dof, push)| self.acting[dof as usize] += pressure * push);
                let force = back * force;
                for &(node, weight) in shares {
                    (0..D).for_each(|axis| self.acting[node as usize * D + axis] += weight * force[axis]);
                }
            }
        }
        if let Some(weight) = weight {
            self.acting.resize(weight.len(), 0.0);
            self.acting.iter_mut().zip(weight).for_each(|(load, weight)| *load += weight);
        }
        let frame = frame.filter(|_| !self.acting.is_empty())?;
        let resultant = frame.resultant(&self.acting);
        frame.remove_resultant(&mut self.acting);
        Some(resultant)
    }

    /// Impulses on ports as those on degrees of freedom.
    pub(super) fn nodal(&self, impulses: &[(Port<D>, Vector<D>)]) -> Vec<f64> {
        let mut impulse = vec![0.0; self.state.velocity.len()];
        impulses.iter().for_each(|(port, p)| port.grip.push(p, &mut impulse));
        impulse
    }

    /// Takes the end that Newton's method found for a step; says where the energy went.
    fn take_end(&mut self, h: f64, impulse: &[f64], weight: Option<&[f64]>) -> SolidWorks {
        let Some(end) = self.ended.take() else { return SolidWorks::default() };
        self.reaction = end.reaction.iter().map(|p| p / h).collect();
        let begin = std::mem::replace(&mut self.state, end.state);
        self.stored = end.stored;
        let mean = |dof: usize| begin.velocity[dof] + self.state.velocity[dof];
        let half = (0..impulse.len()).map(|dof| 0.5 * impulse[dof] * mean(dof)).sum();
        let moved = |dof: usize| self.state.displacement[dof] - begin.displacement[dof];
        let fallen = weight.map_or(0.0, |load| (0..load.len()).map(|dof| load[dof] * moved(dof)).sum());
        self.free = self.state.velocity.clone();
        works(&end.ledger, half, fallen)
    }
}
