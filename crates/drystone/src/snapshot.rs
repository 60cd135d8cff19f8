//! Snapshots: what a simulation is at one moment. Files are the business of others.

use crate::controls::Controls;
use crate::face::Rule;
use crate::growth::{GrownBody, grown_contactors};
use crate::{BuildError, Contactor, Laws, Pose, Simulation, Tie, Ties, Vector, WorkHistory};
use drystone_contact::Detection;
use drystone_state::Velocities;
use drystone_state::{Bodies, BodyId, ContactMemory, Handles, Ledger, SolidMemory, TieMemory};
use std::sync::Arc;

/// Everything that changes from step to step: with it and what the simulation was built from, a run goes on
/// with the same bits. Once a simulation was changed from outside, its snapshots hold the bodies themselves
/// as well.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Snapshot<const D: usize> {
    /// Steps done.
    pub step: u64,
    /// Pose of every body.
    pub poses: Vec<Pose<D>>,
    /// Velocity of every body.
    pub velocities: Velocities,
    /// Impulses and internal variables of the contacts, by increasing id.
    pub memory: Vec<ContactMemory<D>>,
    /// Impulses, stored energy and state of the ties, in their order.
    pub ties: Vec<TieMemory<D>>,
    /// Displacements and velocities of the nodes of deformable bodies, in their order.
    pub solids: Vec<SolidMemory>,
    /// Mean normal impulse of the contacts that push, over about the last hundred steps \[N s\]; 0 before any
    /// did.
    pub mean_normal: f64,
    /// What the last steps cost, which bounds the next.
    pub work: WorkHistory,
    /// Energy so far.
    pub ledger: Ledger,
    /// The bodies and all that was set from outside; none where nothing was changed since the simulation was
    /// built. Files hold it apart, as [`Setup::for_file`] gives it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub setup: Option<Arc<Setup<D>>>,
}

/// Equal in all that is data; laws and signals are not compared.
impl<const D: usize> PartialEq for Snapshot<D> {
    fn eq(&self, other: &Self) -> bool {
        let state = |one: &Self| (one.step, one.mean_normal, one.ledger);
        let setup = match (&self.setup, &other.setup) {
            (None, None) => true,
            (Some(one), Some(other)) => one.data() == other.data(),
            _ => false,
        };
        setup
            && state(self) == state(other)
            && self.poses == other.poses
            && self.velocities == other.velocities
            && self.memory == other.memory
            && self.ties == other.ties
            && self.solids == other.solids
            && self.work == other.work
    }
}

/// What a simulation consists of beside its state, as it is after changes from outside.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Setup<const D: usize> {
    /// The bodies; poses and velocities are those of the snapshot.
    pub bodies: Bodies<D>,
    /// Their contactors; from a file, those of bodies that the simulation was not built with.
    pub contactors: Vec<Contactor<D>>,
    /// The ties; from a file, none.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub ties: Vec<Tie<D>>,
    /// How many bodies the simulation was built with: the first handles, of generation 0, are theirs.
    pub built: usize,
    /// From a file: names of the ties that are left of those the simulation was built with.
    pub tie_names: Option<Vec<String>>,
    /// Which handle names which body.
    pub handles: Handles,
    /// Position of each body when it came, from which its potential energy counts \[m\].
    pub start: Vec<Vector<D>>,
    /// Gravity \[m/s²\].
    pub gravity: Vector<D>,
    /// Bodies that grow, or did.
    pub grown: Vec<GrownBody<D>>,
    /// Values of the slots.
    pub slots: Vec<f64>,
    /// Bonds asked for in the next step.
    pub bonds: Vec<(BodyId, Option<BodyId>)>,
    /// Names of the groups.
    pub groups: Vec<String>,
    /// Laws, and signals with the functions in them: not in files, where those of the simulation stay.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) program: Option<SetupProgram<D>>,
}

/// What of a setup is code.
#[derive(Clone, Debug)]
pub(crate) struct SetupProgram<const D: usize> {
    laws: Laws<D>,
    rules: Vec<Rule<D>>,
    controls: Controls,
}

impl<const D: usize> Setup<D> {
    /// The contactors of bodies that the simulation was not built with.
    fn newcomers(&self) -> impl Iterator<Item = &Contactor<D>> {
        let is_built = |contactor: &&Contactor<D>| {
            let [slot, generation] = match self.handles.handle(BodyId(contactor.body)) {
                Some(handle) => handle.to_words(),
                None => return false,
            };
            (slot as usize) < self.built && generation == 0
        };
        self.contactors.iter().filter(move |contactor| !is_built(contactor))
    }

    fn data(&self) -> impl PartialEq + '_ {
        let bodies = (&self.bodies.name, &self.bodies.mass, &self.bodies.driven, &self.bodies.load);
        let rest =
            (&self.ties, &self.handles, &self.start, &self.gravity, &self.slots, &self.bonds, &self.groups);
        (bodies, rest)
    }

    /// What of it a file holds: all but laws, signals, ties and the shapes of bodies that the simulation was
    /// built with, which are then those of the simulation it is restored to.
    pub fn for_file(&self) -> Self {
        let names = |ties: &[Tie<D>]| ties.iter().map(|tie| tie.name.clone()).collect();
        Self {
            bodies: self.bodies.clone(),
            contactors: self.newcomers().cloned().collect(),
            ties: Vec::new(),
            built: self.built,
            tie_names: Some(names(&self.ties)),
            handles: self.handles.clone(),
            start: self.start.clone(),
            gravity: self.gravity,
            grown: self.grown.clone(),
            slots: self.slots.clone(),
            bonds: self.bonds.clone(),
            groups: self.groups.clone(),
            program: None,
        }
    }

    /// Whether its parts fit each other.
    fn check(&self) -> Result<(), BuildError> {
        let bodies = self.bodies.len();
        let whole = if self.bodies.is_whole() { bodies } else { self.bodies.pose.len() };
        let sizes = [self.start.len(), self.handles.len(), whole];
        if let Some(&found) = sizes.iter().find(|&&size| size != bodies) {
            return Err(BuildError::OtherSimulation { found, expected: bodies });
        }
        for (contactor, body) in self.contactors.iter().map(|contactor| contactor.body).enumerate() {
            if body as usize >= bodies {
                return Err(BuildError::NoSuchBody { contactor, body, bodies });
            }
        }
        Ok(())
    }
}

impl<const D: usize> Simulation<D> {
    /// Everything that changes from step to step.
    pub fn snapshot(&self) -> Snapshot<D> {
        Snapshot {
            step: self.steps_done,
            poses: self.bodies.pose.clone(),
            velocities: self.bodies.velocity.clone(),
            memory: self.memory.clone(),
            ties: self.tie_memory.clone(),
            solids: self.solids.memory(),
            mean_normal: self.mean_normal,
            work: self.work.clone(),
            ledger: self.ledger,
            setup: self.is_changed.then(|| Arc::new(self.setup())),
        }
    }

    /// Goes back (or forth) to a snapshot of the same simulation. Hooks stay as they are.
    pub fn restore(&mut self, snapshot: Snapshot<D>) -> Result<(), BuildError> {
        let setup = snapshot.setup.clone().or_else(|| self.built.clone());
        let setup = setup.map(|setup| self.completed(setup)).transpose()?;
        let (bodies, ties) = match &setup {
            Some(setup) => {
                setup.check()?;
                (&setup.bodies, Some(Ties::new(setup.ties.clone(), setup.bodies.len())?))
            }
            None => (&self.bodies, None),
        };
        for found in [snapshot.poses.len(), snapshot.velocities.len()] {
            if found != bodies.len() {
                return Err(BuildError::OtherSimulation { found, expected: bodies.len() });
            }
        }
        if !snapshot.velocities.is_like(&bodies.velocity) {
            let [found, expected] = [&snapshot.velocities, &bodies.velocity].map(|v| v.flat().len());
            return Err(BuildError::OtherFreedoms { found, expected });
        }
        let expected = ties.as_ref().map_or(self.tie_memory.len(), |ties| ties.list().len());
        let found = snapshot.ties.len();
        if found != expected {
            return Err(BuildError::OtherTies { found, expected });
        }
        if !self.solids.restore(&snapshot.solids) {
            return Err(BuildError::OtherSolids);
        }
        if let (Some(setup), Some(ties)) = (setup, ties) {
            self.begin_change();
            self.install(&setup, ties);
        }
        self.is_changed = snapshot.setup.is_some();
        self.tie_memory = snapshot.ties;
        self.steps_done = snapshot.step;
        self.bodies.pose = snapshot.poses;
        self.bodies.velocity = snapshot.velocities;
        self.memory = snapshot.memory;
        self.mean_normal = snapshot.mean_normal;
        self.work = snapshot.work;
        self.ledger = snapshot.ledger;
        self.interactions.clear();
        self.place_skins(0.0);
        Ok(())
    }

    /// A setup from a file, with what the simulation was built with filled in; others as they are.
    fn completed(&self, setup: Arc<Setup<D>>) -> Result<Arc<Setup<D>>, BuildError> {
        let Some(names) = &setup.tie_names else { return Ok(setup) };
        let built = self.built.clone().unwrap_or_else(|| Arc::new(self.setup()));
        let (found, expected) = (setup.built, built.bodies.len());
        if found != expected {
            return Err(BuildError::OtherSimulation { found, expected });
        }
        // where the bodies of the beginning are now
        let now =
            |BodyId(body): BodyId| built.handles.handle(BodyId(body)).and_then(|h| setup.handles.body(h));
        let stay = built.contactors.iter().filter_map(|contactor| {
            now(BodyId(contactor.body)).map(|BodyId(body)| Contactor { body, ..contactor.clone() })
        });
        let mut contactors: Vec<Contactor<D>> = stay.chain(setup.contactors.iter().cloned()).collect();
        grown_contactors(&setup.grown, &setup.handles, &mut contactors);
        let mut ties = Vec::new();
        for name in names {
            let known = built.ties.iter().find(|tie| tie.name == *name);
            let tie = known.and_then(|tie| {
                let bodies = tie.bodies.map(|body| body.map(now));
                let gone = bodies.contains(&Some(None));
                (!gone).then(|| Tie { bodies: bodies.map(Option::flatten), ..tie.clone() })
            });
            let (found, expected) = (names.len(), built.ties.len());
            ties.push(tie.ok_or(BuildError::OtherTies { found, expected })?);
        }
        Ok(Arc::new(Setup { contactors, ties, tie_names: None, ..(*setup).clone() }))
    }

    /// Remembers how the simulation was built before it is changed from outside for the first time.
    pub(crate) fn begin_change(&mut self) {
        if self.built.is_none() {
            self.built = Some(Arc::new(self.setup()));
        }
        self.is_changed = true;
    }

    fn setup(&self) -> Setup<D> {
        Setup {
            bodies: self.bodies.clone(),
            contactors: self.contactors.clone(),
            ties: self.ties.list().to_vec(),
            built: self.built.as_ref().map_or(self.bodies.len(), |built| built.bodies.len()),
            tie_names: None,
            handles: self.handles.clone(),
            start: self.start.clone(),
            gravity: self.settings.gravity,
            grown: self.grown.clone(),
            slots: self.controls.slots().to_vec(),
            bonds: self.bonds.clone(),
            groups: self.face.groups.clone(),
            program: Some(SetupProgram {
                laws: self.laws.clone(),
                rules: self.face.rules.clone(),
                controls: self.controls.clone(),
            }),
        }
    }

    fn install(&mut self, setup: &Setup<D>, ties: Ties<D>) {
        self.bodies = setup.bodies.clone();
        self.contactors = setup.contactors.clone();
        self.ties = ties;
        self.handles = setup.handles.clone();
        self.start = setup.start.clone();
        self.settings.gravity = setup.gravity;
        self.bonds = setup.bonds.clone();
        self.grown = setup.grown.clone();
        self.face.groups = setup.groups.clone();
        match &setup.program {
            Some(SetupProgram { laws, rules, controls }) => {
                (self.laws, self.controls) = (laws.clone(), controls.clone());
                self.face.rules = rules.clone();
            }
            None => self.fit_laws(),
        }
        self.controls.set_slots(&setup.slots);
        self.detection = Detection::new(self.settings.cell, self.settings.skin);
    }
}
