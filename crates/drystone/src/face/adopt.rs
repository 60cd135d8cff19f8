//! Bodies taken over from another simulation. How a body is added is told in `population`.

use super::each;
use crate::{AnySimulation, BuildError, ChangeError, Newcomer, Simulation};
use drystone_state::{Body, BodyHandle, BodyId};

impl<const D: usize> Simulation<D> {
    /// A body of this simulation as one that could come into another.
    fn newcomer(&self, body: usize) -> Newcomer<D> {
        let bodies = &self.bodies;
        let parts = self.contactors.iter().filter(|contactor| contactor.body as usize == body);
        Newcomer {
            body: Body {
                name: bodies.name[body].clone(),
                group: bodies.group[body],
                pose: bodies.pose[body],
                velocity: bodies.twist(body),
                mass: bodies.mass[body],
                driven: bodies.driven[body],
                load: bodies.load[body],
                gyroscopic: bodies.gyroscopic[body],
                radius: bodies.radius[body],
            },
            parts: parts.map(|contactor| (contactor.shape.clone(), contactor.local)).collect(),
            own_axes: bodies.own_axes[body],
        }
    }

    fn adopt_from(&mut self, other: &Self) -> Result<Vec<BodyHandle>, ChangeError> {
        if let Some(body) = other.solids.bodies().next() {
            let body = other.bodies.name[body as usize].clone();
            let why = "a deformable body cannot come into a simulation that was built without it".to_owned();
            return Err(BuildError::Solid { body, why }.into());
        }
        let newcomers: Vec<Newcomer<D>> = (0..other.bodies.len()).map(|body| other.newcomer(body)).collect();
        for newcomer in &newcomers {
            if self.bodies.name.contains(&newcomer.body.name) {
                return Err(ChangeError::NameTaken(newcomer.body.name.clone()));
            }
            self.admit(newcomer)?;
        }
        self.begin_change();
        let one = |mut newcomer: Newcomer<D>| {
            newcomer.body.group = self.group(&other.group_name(newcomer.body.group));
            self.add(newcomer)
        };
        newcomers.into_iter().map(one).collect()
    }
}

impl AnySimulation {
    /// Adds the bodies of another simulation of the same dimension as they are there, with their groups by
    /// name; laws, ties, contacts and signals stay where they are. Where one of them cannot come, none does.
    pub fn adopt(&mut self, other: &Self) -> Result<Vec<BodyHandle>, ChangeError> {
        match (self, other) {
            (Self::Plane(simulation), Self::Plane(other)) => simulation.adopt_from(other),
            (Self::Space(simulation), Self::Space(other)) => simulation.adopt_from(other),
            (simulation, other) => {
                let (found, dimension) = (other.dimension(), simulation.dimension());
                let body = each!(other, other => other.bodies.name.first().cloned().unwrap_or_default());
                Err(ChangeError::OtherDimension { body, found, dimension })
            }
        }
    }

    /// Group of every body, by name, in their order.
    pub fn groups(&self) -> Vec<String> {
        each!(self, simulation => {
            simulation.bodies.group.iter().map(|&group| simulation.group_name(group)).collect()
        })
    }

    /// Number of a body in the order of the moment.
    pub fn index_of(&self, body: BodyHandle) -> Result<usize, ChangeError> {
        each!(self, simulation => simulation.body_id(body).map(|BodyId(body)| body as usize))
    }
}
