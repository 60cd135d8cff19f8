//! The simulation: its data, how it is built, saved and restored.

use crate::controls::Controls;
use crate::face::Face;
use crate::growth::GrownBody;
use crate::parts::StepPart;
use crate::projection::Workspace;
use crate::snapshot::Setup;
use crate::{Inconsistent, Rest, StartForce, Strategy, WorkHistory, misfit};
use drystone_bulk::Solids;
use drystone_contact::{
    Assembly, Detection, GrowthRates, Interaction, LawError, Laws, StepContext, TieError, Ties, Tolerances,
};
use drystone_detect::{Cell, Misfit};
use drystone_elements::scheme::NewtonParams;
use drystone_geometry::Contactor;
use drystone_laws::Drift;
use drystone_math::{Vector, rigid_dofs};
use drystone_solvers::{Params, SweepMemory};
use drystone_state::{Bodies, BodyId, ContactMemory, Handles, Ledger, TieMemory};
use std::collections::HashMap;
use std::sync::Arc;
use thiserror::Error;

/// What holds for the whole simulation.
#[derive(Clone, Debug)]
pub struct Settings<const D: usize> {
    /// Gravity \[m/s²\].
    pub gravity: Vector<D>,
    /// Time step h \[s\].
    pub step: f64,
    /// θ of the scheme, in \[½, 1\].
    pub theta: f64,
    /// Parameters of the solver.
    pub solver: Params,
    /// Distance at which two bodies become aware of each other, relative to the smaller one's radius.
    #[doc(alias = "contact margin")]
    #[doc(alias = "detection distance")]
    pub alert: f64,
    /// Most points of a flat contact patch in space, at least 4; none for the whole patch. See
    /// [`reduce_patches`](drystone_detect::reduce_patches).
    pub patch_points: Option<usize>,
    /// Depth that bodies may reach in passing each other, relative to the radius of the smaller: contacts
    /// where they meet no deeper are left out, as those with the next tile of a flush floor. Zero leaves none
    /// out.
    pub grazing: f64,
    /// How far the search for near pairs reaches beyond what a step needs, relative to the radius of each
    /// contactor: pairs are then kept until one has moved by half of it. Zero to look at every step; contacts
    /// are the same. A periodic cell takes none.
    #[doc(alias = "Verlet list")]
    #[doc(alias = "neighbour list")]
    #[doc(alias = "fat AABB")]
    pub skin: f64,
    /// What to do with steps that have no solution.
    pub inconsistent: Inconsistent,
    /// What becomes of bodies at rest that could stay where the solver sets them in motion.
    pub rest: Rest,
    /// What to do with overlaps.
    pub drift: Drift,
    /// Most times a step is solved again so that the normal impulses of patches that slide are even; 0 to
    /// take them as the solver finds them. See [`Assembly::even_out`](drystone_contact::Assembly::even_out).
    pub even_rounds: u32,
    /// The periodic cell, if there is one.
    pub cell: Option<Cell<D>>,
    /// How forces and laws enter a step.
    pub strategy: Strategy,
    /// What counts as no gap and as no way, relative to the size of bodies.
    pub tolerances: Tolerances,
    /// When Newton's method is content with deformable bodies that are not linear. Steps are not halved.
    pub newton: NewtonParams,
}

impl<const D: usize> Settings<D> {
    /// Mid-point scheme, default solver, contacts sought within a tenth of a radius.
    pub fn new(gravity: Vector<D>, step: f64) -> Self {
        Self {
            gravity,
            step,
            theta: 0.5,
            solver: Params::default(),
            alert: 0.1,
            patch_points: None,
            grazing: 1e-6,
            skin: 0.0,
            inconsistent: Inconsistent::default(),
            rest: Rest::default(),
            drift: Drift::default(),
            even_rounds: 5,
            cell: None,
            strategy: Strategy::default(),
            tolerances: Tolerances::default(),
            newton: NewtonParams::default(),
        }
    }
}

/// Why a simulation cannot be built or restored.
#[derive(Debug, Error, Clone, PartialEq)]
pub enum BuildError {
    /// A setting out of its range.
    #[error("{name} is {value}, allowed is {allowed}")]
    Setting {
        /// Which one.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What may be given.
        allowed: &'static str,
    },
    /// A contactor of a body that does not exist.
    #[error("contactor {contactor} belongs to body {body}, but there are only {bodies} bodies")]
    NoSuchBody {
        /// Index of the contactor.
        contactor: usize,
        /// Body it names.
        body: u32,
        /// Number of bodies.
        bodies: usize,
    },
    /// A contact force on a body that does not exist.
    #[error("a contact force to start from names body {body}, but there are only {bodies} bodies")]
    NoForceOn {
        /// Body it names.
        body: u32,
        /// Number of bodies.
        bodies: usize,
    },
    /// Mass or inertia that is not a positive number where the body is free to move.
    #[error("body \"{body}\" is free to move but its mass or inertia {value} is not a positive number")]
    Mass {
        /// Name of the body.
        body: String,
        /// The offending value.
        value: f64,
    },
    /// A position, velocity or load that is not finite.
    #[error("body \"{body}\" has a position, velocity or load that is not a finite number")]
    NotFinite {
        /// Name of the body.
        body: String,
    },
    /// A body that the periodic cell cannot hold.
    #[error("body \"{body}\" {misfit}")]
    Cell {
        /// Name of the body.
        body: String,
        /// What is wrong.
        misfit: Misfit,
    },
    /// A body without a size of its own that is to grow.
    #[error(
        "body \"{body}\" cannot grow: lines, planes, points and deformable bodies have no size that could"
    )]
    NoGrowth {
        /// Name of the body.
        body: String,
    },
    /// A deformable body that cannot be one.
    #[error("body \"{body}\" cannot be deformable: {why}")]
    Solid {
        /// Name of the body.
        body: String,
        /// What is wrong, and what to do.
        why: String,
    },
    /// A snapshot of other deformable bodies.
    #[error("the snapshot holds other deformable bodies than the simulation")]
    OtherSolids,
    /// Ties that do not fit the bodies.
    #[error(transparent)]
    Tie(#[from] TieError),
    /// A snapshot of a simulation with other ties.
    #[error("the snapshot holds {found} ties, the simulation {expected}")]
    OtherTies {
        /// Ties in the snapshot.
        found: usize,
        /// Ties in the simulation.
        expected: usize,
    },
    /// A law that the table or the strategy does not take.
    #[error(transparent)]
    Law(#[from] LawError),
    /// A snapshot of bodies with other degrees of freedom.
    #[error("the snapshot holds {found} velocities, the simulation {expected}")]
    OtherFreedoms {
        /// Velocities in the snapshot.
        found: usize,
        /// Velocities in the simulation.
        expected: usize,
    },
    /// A snapshot of another simulation.
    #[error("the snapshot holds {found} bodies, the simulation {expected}")]
    OtherSimulation {
        /// Bodies in the snapshot.
        found: usize,
        /// Bodies in the simulation.
        expected: usize,
    },
}

/// Two bodies that overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The two bodies.
    pub bodies: [BodyId; 2],
    /// How deep \[m\].
    pub depth: f64,
}

/// Bodies in contact, and the way they go on.
#[doc(alias = "world")]
#[doc(alias = "NSCD")]
#[doc(alias = "contact dynamics")]
#[doc(alias = "time stepping")]
pub struct Simulation<const D: usize> {
    pub(crate) settings: Settings<D>,
    pub(crate) bodies: Bodies<D>,
    /// What deformable bodies have beside.
    pub(crate) solids: Solids<D>,
    pub(crate) contactors: Vec<Contactor<D>>,
    pub(crate) laws: Laws<D>,
    pub(crate) ties: Ties<D>,
    pub(crate) tie_memory: Vec<TieMemory<D>>,
    pub(crate) detection: Detection<D>,
    pub(crate) interactions: Vec<Interaction<D>>,
    /// Memory of the assembly and of the impulses, which every step takes over.
    pub(crate) assembly: Assembly<D>,
    pub(crate) impulses: Vec<Vector<D>>,
    /// Memory of the sweeps, which every step takes over.
    pub(crate) sweep_memory: SweepMemory,
    pub(crate) memory: Vec<ContactMemory<D>>,
    pub(crate) mean_normal: f64,
    /// What the last steps cost.
    pub(crate) work: WorkHistory,
    /// Contact forces to start from.
    pub(crate) start_forces: Vec<StartForce<D>>,
    /// Bonds asked for in the next step.
    pub(crate) bonds: Vec<(BodyId, Option<BodyId>)>,
    pub(crate) ledger: Ledger,
    pub(crate) workspace: Workspace<D>,
    pub(crate) steps_done: u64,
    /// Where within a step it is, while one is made in parts.
    pub(crate) part: StepPart,
    /// Steps that were done before the run began, where it goes on from another.
    pub(crate) steps_before: u64,
    /// Positions and kinetic energy at the start, against which energies are measured.
    pub(crate) start: Vec<Vector<D>>,
    pub(crate) kinetic_start: f64,
    /// Names of the bodies that outlive the removal of others.
    pub(crate) handles: Handles,
    /// Loads, prescribed velocities, gravity and friction that change in time.
    pub(crate) controls: Controls,
    /// Bodies that grow or did, and how fast they do in the step that is made.
    pub(crate) grown: Vec<GrownBody<D>>,
    pub(crate) growth: GrowthRates,
    /// How it was built, once it was changed from outside, and whether it is changed now.
    pub(crate) built: Option<Arc<Setup<D>>>,
    pub(crate) is_changed: bool,
    /// Groups and laws by name, and what is called at every step.
    pub(crate) face: Face<D>,
}

impl<const D: usize> Simulation<D> {
    /// Checks and takes over the bodies, their contactors and the laws between their groups.
    pub fn new(
        settings: Settings<D>,
        bodies: Bodies<D>,
        contactors: Vec<Contactor<D>>,
        mut laws: Laws<D>,
    ) -> Result<Self, BuildError> {
        check_settings(&settings)?;
        settings.strategy.prepare(settings.theta, &mut laws)?;
        check_bodies(&bodies)?;
        for (contactor, body) in contactors.iter().map(|contactor| contactor.body).enumerate() {
            if body as usize >= bodies.len() {
                return Err(BuildError::NoSuchBody { contactor, body, bodies: bodies.len() });
            }
        }
        if let Some(cell) = &settings.cell
            && let Some((body, misfit)) = misfit(cell, &bodies, &contactors)
        {
            return Err(BuildError::Cell { body: bodies.name[body.0 as usize].clone(), misfit });
        }
        let start = bodies.pose.iter().map(|pose| pose.position).collect();
        let handles = Handles::new(bodies.len());
        let mut simulation = Self {
            detection: Detection::new(settings.cell, settings.skin),
            settings,
            bodies,
            solids: Solids::default(),
            contactors,
            laws,
            ties: Ties::default(),
            tie_memory: Vec::new(),
            interactions: Vec::new(),
            assembly: Assembly::default(),
            impulses: Vec::new(),
            sweep_memory: SweepMemory::default(),
            memory: Vec::new(),
            mean_normal: 0.0,
            work: WorkHistory::default(),
            start_forces: Vec::new(),
            bonds: Vec::new(),
            ledger: Ledger::default(),
            workspace: Workspace::default(),
            steps_done: 0,
            part: StepPart::default(),
            steps_before: 0,
            start,
            kinetic_start: 0.0,
            handles,
            controls: Controls::default(),
            grown: Vec::new(),
            growth: GrowthRates::default(),
            built: None,
            is_changed: false,
            face: Face::default(),
        };
        simulation.kinetic_start = simulation.kinetic();
        Ok(simulation)
    }

    /// Steps done since the start.
    pub fn steps_done(&self) -> u64 {
        self.steps_done
    }

    /// Steps since time 0: those done, and those of the run that this one goes on from.
    pub fn clock(&self) -> u64 {
        self.steps_before + self.steps_done
    }

    /// Says how many steps of another run came before this one, which goes on from there. Time goes on, and
    /// contacts are no longer new.
    pub fn set_steps_before(&mut self, steps: u64) {
        self.steps_before = steps;
    }

    /// Time since the start \[s\]: a product, not a sum, so that it does not drift.
    pub fn time(&self) -> f64 {
        self.parts_done(0) as f64 * self.settings.step
    }

    /// What holds for the whole simulation.
    pub fn settings(&self) -> &Settings<D> {
        &self.settings
    }

    /// The bodies as they are now.
    pub fn bodies(&self) -> &Bodies<D> {
        &self.bodies
    }

    /// The contactors of the bodies.
    pub fn contactors(&self) -> &[Contactor<D>] {
        &self.contactors
    }

    /// The laws between groups of bodies.
    pub fn laws(&self) -> &Laws<D> {
        &self.laws
    }

    /// The contacts of the last step, by increasing identity.
    pub fn interactions(&self) -> &[Interaction<D>] {
        &self.interactions
    }

    /// A number that changes with any bit of the poses and velocities (FNV-1a).
    pub fn state_hash(&self) -> u64 {
        let poses = self.bodies.pose.iter().flat_map(|pose| {
            pose.position.iter().copied().chain(pose.orientation_wxyz()).collect::<Vec<f64>>()
        });
        let velocities = self.bodies.velocity.flat().iter().copied();
        let solids =
            self.solids.memory().into_iter().flat_map(|kept| [kept.displacement, kept.velocity].concat());
        let bytes = poses.chain(velocities).chain(solids).flat_map(|x| x.to_bits().to_le_bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }

    /// Pairs of bodies that overlap as they stand now, deepest first.
    pub fn overlaps(&self) -> Vec<Overlap> {
        let mut detection = Detection::new(self.settings.cell, 0.0);
        let touches = detection.find(&self.standing());
        let mut overlaps: Vec<Overlap> = Vec::new();
        // two bodies of many parts meet many times, now one and now the other first
        let mut known = HashMap::new();
        for touch in touches.iter().filter(|touch| touch.gap < 0.0) {
            let [a, b] = touch.contactors.map(|c| self.contactors[c as usize].body);
            let index = *known.entry([a.min(b), a.max(b)]).or_insert(overlaps.len());
            match overlaps.get_mut(index) {
                Some(overlap) => overlap.depth = overlap.depth.max(-touch.gap),
                None => overlaps.push(Overlap { bodies: [BodyId(a), BodyId(b)], depth: -touch.gap }),
            }
        }
        overlaps.sort_by(|a, b| b.depth.total_cmp(&a.depth));
        overlaps
    }

    /// The bodies where they stand.
    pub(crate) fn standing(&self) -> StepContext<'_, D> {
        StepContext::standing(&self.bodies, &self.contactors, &self.laws, &self.ties, self.settings.cell)
    }
}

fn check_settings<const D: usize>(settings: &Settings<D>) -> Result<(), BuildError> {
    let positive = |x: f64| x > 0.0 && x.is_finite();
    let solver = &settings.solver;
    let Tolerances { touching, sliding } = settings.tolerances;
    let small = |x: f64| (0.0..=1e-3).contains(&x);
    let checks = [
        ("time step", settings.step, positive(settings.step), "a positive number"),
        ("theta", settings.theta, (0.5..=1.0).contains(&settings.theta), "a number from 0.5 to 1"),
        ("tolerance", solver.tolerance, positive(solver.tolerance), "a positive number"),
        (
            "relaxation",
            solver.relaxation,
            solver.relaxation > 0.0 && solver.relaxation < 2.0,
            "between 0 and 2",
        ),
        (
            "alert distance",
            settings.alert,
            settings.alert >= 0.0 && settings.alert.is_finite(),
            "zero or more",
        ),
        ("grazing", settings.grazing, (0.0..=0.01).contains(&settings.grazing), "a number from 0 to 0.01"),
        (
            "skin",
            settings.skin,
            (0.0..=10.0).contains(&settings.skin) && (settings.skin == 0.0 || settings.cell.is_none()),
            "a number from 0 to 10, and 0 in a periodic cell",
        ),
        ("touching", touching, small(touching), "a number from 0 to 1e-3"),
        ("sliding", sliding, small(sliding), "a number from 0 to 1e-3"),
        (
            "speed at rest",
            settings.rest.speed,
            settings.rest.speed > 0.0 && settings.rest.speed < 1.0,
            "between 0 and 1",
        ),
        (
            "most multiplications of an island at rest",
            settings.rest.multiplications,
            settings.rest.multiplications >= 0.0,
            "at least 0",
        ),
        (
            "rounding to rest",
            settings.rest.rounding,
            (0.0..=1e-6).contains(&settings.rest.rounding),
            "a number from 0 to 1e-6",
        ),
        ("gravity", settings.gravity.norm(), settings.gravity.norm().is_finite(), "finite numbers"),
    ];
    let policy = solver.auto.out_of_range().into_iter().map(|wrong| (wrong.name, wrong.value, wrong.allowed));
    let wrong = checks.into_iter().filter(|&(_, _, fine, _)| !fine);
    match wrong.map(|(name, value, _, allowed)| (name, value, allowed)).chain(policy).next() {
        Some((name, value, allowed)) => Err(BuildError::Setting { name, value, allowed }),
        None => Ok(()),
    }
}

pub(crate) fn check_bodies<const D: usize>(bodies: &Bodies<D>) -> Result<(), BuildError> {
    for body in 0..bodies.len() {
        let name = || bodies.name[body].clone();
        for component in (0..rigid_dofs(D)).filter(|&component| bodies.driven[body][component].is_none()) {
            let value = bodies.mass[body][component];
            if !(value > 0.0 && value.is_finite()) {
                return Err(BuildError::Mass { body: name(), value });
            }
        }
        let finite = |values: &[f64]| values.iter().all(|x| x.is_finite());
        let pose = &bodies.pose[body];
        let state = [&bodies.velocity[body], &*bodies.load[body], pose.position.as_slice()];
        if !state.into_iter().all(finite) || !finite(&pose.orientation_wxyz()) {
            return Err(BuildError::NotFinite { body: name() });
        }
    }
    Ok(())
}
