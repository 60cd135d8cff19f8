//! How a simulation is put together. What may be wrong with it is told at the end, by [`Builder::build`].

use super::groups::Rule;
use super::{AnyLaw, Body, Coordinates};
use crate::{
    AnySimulation, Bodies, Cell, ChangeError, Contactor, Drift, Laws, Rest, Settings, Simulation,
    SolverParams, Strategy, Vector,
};
use drystone_state::GroupId;
use std::collections::{HashMap, HashSet};

/// A simulation to be, see [`AnySimulation::plane`] and [`AnySimulation::space`].
#[derive(Clone, Debug)]
pub struct Builder {
    dimension: usize,
    gravity: Option<Coordinates>,
    settings: Settings<3>,
    periods: Option<[Option<f64>; 2]>,
    laws: Vec<(String, String, AnyLaw)>,
    bodies: Vec<Body>,
}

impl AnySimulation {
    /// A simulation in the plane, y up.
    pub fn plane() -> Builder {
        Builder::new(2)
    }

    /// A simulation in space, z up.
    pub fn space() -> Builder {
        Builder::new(3)
    }
}

impl Builder {
    fn new(dimension: usize) -> Self {
        let settings = Settings::new(Vector::zeros(), 1e-3);
        let (laws, bodies) = (Vec::new(), Vec::new());
        Self { dimension, gravity: None, settings, periods: None, laws, bodies }
    }

    /// Gravity \[m/s²\]; none unless it is given.
    pub fn gravity(mut self, gravity: impl Into<Coordinates>) -> Self {
        self.gravity = Some(gravity.into());
        self
    }

    /// Time step \[s\]; 1e-3 unless it is given.
    pub fn step(mut self, step: f64) -> Self {
        self.settings.step = step;
        self
    }

    /// θ of the scheme, from ½ to 1; ½ unless it is given.
    pub fn theta(mut self, theta: f64) -> Self {
        self.settings.theta = theta;
        self
    }

    /// Tolerance of the solver, relative.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.settings.solver.tolerance = tolerance;
        self
    }

    /// All parameters of the solver.
    pub fn solver(mut self, solver: SolverParams) -> Self {
        self.settings.solver = solver;
        self
    }

    /// Distance at which two bodies become aware of each other, relative to the radius of the smaller one.
    pub fn alert(mut self, alert: f64) -> Self {
        self.settings.alert = alert;
        self
    }

    /// How far the search for near pairs reaches beyond what a step needs, relative to the radius of each
    /// shape.
    pub fn skin(mut self, skin: f64) -> Self {
        self.settings.skin = skin;
        self
    }

    /// What to do with overlaps.
    pub fn drift(mut self, drift: Drift) -> Self {
        self.settings.drift = drift;
        self
    }

    /// What becomes of bodies at rest that could stay.
    pub fn rest(mut self, rest: Rest) -> Self {
        self.settings.rest = rest;
        self
    }

    /// How forces and laws enter a step.
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.settings.strategy = strategy;
        self
    }

    /// Makes the world periodic along x and, in space, y, with these periods \[m\].
    pub fn periodic(mut self, periods: [Option<f64>; 2]) -> Self {
        self.periods = Some(periods);
        self
    }

    /// The law between two groups of bodies; `*` stands for all of them. Of several laws that fit, the last
    /// one acts; bodies of groups without a law pass through each other.
    pub fn law(mut self, a: &str, b: &str, law: impl Into<AnyLaw>) -> Self {
        self.laws.push((a.into(), b.into(), law.into()));
        self
    }

    /// Adds a body.
    pub fn body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// Adds bodies.
    pub fn bodies(mut self, bodies: impl IntoIterator<Item = Body>) -> Self {
        self.bodies.extend(bodies);
        self
    }

    /// Puts it together, or says what is wrong.
    pub fn build(self) -> Result<AnySimulation, ChangeError> {
        let names = self.names()?;
        match self.dimension {
            2 => {
                let parts = |body: &Body, name: &str| body.in_plane(name);
                let rule = |(a, b, law): &(String, String, AnyLaw)| Rule::new(a, b, law.plane.clone());
                let rules = self.laws.iter().map(rule).collect();
                self.assemble(names, rules, parts).map(AnySimulation::Plane)
            }
            _ => {
                let parts = |body: &Body, name: &str| body.in_space(name);
                let rule = |(a, b, law): &(String, String, AnyLaw)| Rule::new(a, b, law.space.clone());
                let rules = self.laws.iter().map(rule).collect();
                self.assemble(names, rules, parts).map(AnySimulation::Space)
            }
        }
    }

    /// A name for every body, none twice.
    fn names(&self) -> Result<Vec<String>, ChangeError> {
        let mut taken: HashSet<String> = HashSet::new();
        for name in self.bodies.iter().filter_map(Body::given_name) {
            if !taken.insert(name.into()) {
                return Err(ChangeError::NameTaken(name.into()));
            }
        }
        let mut next: HashMap<&'static str, u64> = HashMap::new();
        let mut name = |body: &Body| -> String {
            if let Some(name) = body.given_name() {
                return name.into();
            }
            let number = next.entry(body.kind()).or_default();
            loop {
                let name = format!("{} {number}", body.kind());
                *number += 1;
                if !taken.contains(&name) {
                    return name;
                }
            }
        };
        Ok(self.bodies.iter().map(&mut name).collect())
    }

    fn assemble<const D: usize>(
        &self,
        names: Vec<String>,
        rules: Vec<Rule<D>>,
        parts: impl Fn(&Body, &str) -> Result<Vec<(crate::Shape<D>, crate::Pose<D>)>, ChangeError>,
    ) -> Result<Simulation<D>, ChangeError> {
        let mut groups: Vec<String> = Vec::new();
        let mut bodies = Bodies::<D>::new();
        let mut contactors = Vec::with_capacity(self.bodies.len());
        for (body, name) in self.bodies.iter().zip(names) {
            let known = groups.iter().position(|group| group == body.group_name());
            let group = known.unwrap_or_else(|| {
                groups.push(body.group_name().into());
                groups.len() - 1
            });
            let parts = parts(body, &name)?;
            let newcomer = body.newcomer::<D>(parts, name, GroupId(group as u32))?;
            let id = bodies.push(newcomer.body).0;
            bodies.own_axes[id as usize] = newcomer.own_axes;
            let parts = newcomer.parts.into_iter();
            contactors.extend(parts.map(|(shape, local)| Contactor { body: id, shape, local }));
        }
        let laws = Laws::new(groups.len());
        let settings = self.settings_in::<D>()?;
        let mut simulation = Simulation::new(settings, bodies, contactors, laws)?.with_groups(groups);
        rules.into_iter().try_for_each(|rule| simulation.rule(rule))?;
        Ok(simulation)
    }

    fn settings_in<const D: usize>(&self) -> Result<Settings<D>, ChangeError> {
        let gravity =
            self.gravity.map_or_else(|| Ok(Vector::zeros()), |gravity| gravity.vector("gravity"))?;
        let cell = match self.periods {
            Some(periods) => Some(
                Cell::new(Vector::zeros(), periods)
                    .map_err(|misfit| crate::BuildError::Cell { body: "the world".into(), misfit })?,
            ),
            None => None,
        };
        let common = self.settings.clone();
        Ok(Settings {
            step: common.step,
            theta: common.theta,
            solver: common.solver,
            alert: common.alert,
            patch_points: common.patch_points,
            grazing: common.grazing,
            skin: common.skin,
            inconsistent: common.inconsistent,
            rest: common.rest,
            drift: common.drift,
            even_rounds: common.even_rounds,
            strategy: common.strategy,
            tolerances: common.tolerances,
            newton: common.newton,
            gravity,
            cell,
        })
    }
}
