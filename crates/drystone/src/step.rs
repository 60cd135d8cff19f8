//! One step of contact dynamics (Moreau, Jean 1996, §4).

use crate::impact::both;
use crate::trouble::{Link, Trouble, trouble};
use crate::{Dissipation, Inconsistent, Projection, Rested, Simulation};
use drystone_bulk::{Bulk, FreeMotion};
use drystone_contact::{Assembly, Bonding, Interaction, Owner, StepContext, assemble};
use drystone_laws::{Dissipated, Drift};
use drystone_math::columns::dot;
use drystone_math::{Pose, Vector, rigid_dofs};
use drystone_problem::{Condensed, Delassus, Problem};
use drystone_solvers::{Report, Route, solve_spans};
use drystone_state::{ContactMemory, Velocities};
use std::time::Instant;

/// Wall-clock seconds spent in the parts of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seconds {
    /// Free motion, placing contactors, broad phase and narrow phase.
    pub detection: f64,
    /// Building the condensed problem, and taking its solution back.
    pub assembly: f64,
    /// Solving it.
    pub solver: f64,
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// Number of the step, from 1.
    pub step: u64,
    /// Time at its end \[s\].
    pub time: f64,
    /// Contacts in the problem.
    pub contacts: usize,
    /// Of them with an impulse.
    pub active: usize,
    /// Whether near pairs were looked for; with a [skin](crate::Settings::skin) they may be those of an
    /// earlier step.
    pub looked: bool,
    /// Sweeps of the solver.
    pub iterations: u32,
    /// Contacts visited in all sweeps.
    pub updates: u64,
    /// Residual reached.
    pub residual: f64,
    /// Whether it is within the tolerance.
    pub converged: bool,
    /// The contact or tie with the largest share of the residual.
    pub worst: Option<Link>,
    /// Why it is not, where it is not.
    pub trouble: Option<Trouble>,
    /// Contacts that jammed and were let go, where the settings ask for it.
    pub jammed: u32,
    /// Ties that broke.
    pub broken: u32,
    /// Islands at rest that the solver set in motion, and what became of them.
    pub rest: Rested,
    /// What the contacts dissipated, and whether any of them gave work.
    pub dissipation: Dissipation,
    /// The way the solver went.
    pub route: Route,
    /// Deepest overlap \[m\]: at the middle configuration, or at the end of the step where positions are
    /// projected.
    pub penetration: f64,
    /// What the projection of positions did, where the settings ask for it.
    pub projection: Option<Projection>,
    /// Fastest point of any body that is not driven \[m/s\], spin counted at the bounding radius.
    pub speed: f64,
    /// Where the time went.
    pub seconds: Seconds,
}

/// How fast the mean normal impulse follows that of a step. Slowly: where contacts jam up to a threshold that
/// is this mean, their impulses raise it in turn.
const MEAN_RATE: f64 = 0.01;

/// The way down: a step condensed on its contacts.
struct Down<const D: usize> {
    middle: Vec<Pose<D>>,
    motion: FreeMotion,
    assembly: Assembly<D>,
    detection: f64,
}

impl<const D: usize> Simulation<D> {
    /// Goes on by one time step.
    pub fn step(&mut self) -> StepReport {
        let clock = Instant::now();
        self.apply_signals();

        // down: free motion, contacts at q_m, the problem on them matched with the last step
        let Down { middle, motion, mut assembly, detection } = self.condense();
        self.bonds.clear();
        let compression = self.compress(&motion, &mut assembly);
        let mut r = assembly.guess(self.settings.solver.memory);
        let assembled = clock.elapsed().as_secs_f64();

        // solve the laws
        let (report, jammed) = self.solve(&mut assembly, &mut r);
        let (report, jammed) = self.even_patches(&mut assembly, &mut r, (report, jammed));
        let mut report = both(compression, report);
        let (velocities, rest) = self.prefer_rest(&motion, &mut assembly, &mut r, &mut report);
        let solved = clock.elapsed().as_secs_f64();

        // up: the true impulses move the bodies
        let truth = assembly.accept(&r, report.residual, &self.bodies, &self.laws);
        self.interactions = std::mem::take(&mut assembly.interactions);
        let (tied, broken) = assembly.accept_ties(&r, &self.ties, &mut self.tie_memory);
        let owner = |row: usize| self.link(assembly.owner(row));
        let trouble = trouble(&assembly.problem, &r, report.converged, &owner);
        let worst = report.worst.map(owner);
        self.account(&motion, &velocities, &assembly, &truth, &tied);
        let dissipation = self.dissipation(report.residual, |row| assembly.problem.w.block(row));
        let begin = self.advance(&middle, &velocities);
        self.go_on_from_impacts(&assembly, &truth, (&middle, &begin, &velocities));
        self.keep();
        let projection = self.project();

        let assembly = assembled - detection + clock.elapsed().as_secs_f64() - solved;
        let seconds = Seconds { detection, assembly, solver: solved - assembled };
        let mut report = self.report(&report, worst, trouble, seconds);
        if let Some(done) = projection {
            report.penetration = done.after;
        }
        StepReport { jammed, broken, rest, dissipation, projection, ..report }
    }

    /// Solves the problem from the guess in `r`; gives how many contacts had to be let go for it.
    pub(crate) fn solve(&self, assembly: &mut Assembly<D>, r: &mut [Vector<D>]) -> (Report, u32) {
        let (params, stream) = (&self.settings.solver, self.steps_done);
        let guess = match self.settings.inconsistent {
            Inconsistent::Report => Vec::new(),
            Inconsistent::Orowan => r.to_vec(),
        };
        let report = solve_spans(&assembly.problem, &assembly.spans, r, params, stream);
        assembly.set_thresholds(r);
        match report.converged || self.settings.inconsistent == Inconsistent::Report {
            true => (report, 0),
            false => self.let_go(assembly, &guess, r, report),
        }
    }

    /// The condensed problem of the next step, for solvers and diagnosis outside a run.
    pub fn problem(&mut self) -> Problem<D, Condensed<D>> {
        let (velocities, ledger, gravity) =
            (self.bodies.velocity.clone(), self.ledger, self.settings.gravity);
        self.apply_signals();
        let Down { motion, mut assembly, .. } = self.condense();
        self.compress(&motion, &mut assembly);
        (self.bodies.velocity, self.ledger, self.settings.gravity) = (velocities, ledger, gravity);
        assembly.problem
    }

    fn condense(&mut self) -> Down<D> {
        let clock = Instant::now();
        let h = self.settings.step;
        let middle = self.arrive();
        let motion = self.bodies.free_motion(&middle, &self.settings.gravity, h);
        let step = StepContext {
            bodies: &self.bodies,
            contactors: &self.contactors,
            laws: &self.laws,
            ties: &self.ties,
            tie_memory: &self.tie_memory,
            memory: &self.memory,
            cell: self.settings.cell,
            middle: &middle,
            free: &motion.velocity,
            h,
            theta: self.settings.theta,
            time: self.time(),
            alert: self.settings.alert,
            reach: self.laws.reach(),
            patch_points: self.settings.patch_points,
            grazing: self.settings.grazing,
            bonding: Bonding { newborn: self.steps_done == 0, pairs: &self.bonds },
            mean_normal: self.mean_normal,
            push: self.settings.strategy.push(self.settings.drift, self.steps_done),
            projected: self.settings.drift == Drift::Projection,
            tolerances: self.settings.tolerances,
        };
        self.detection.find(&step);
        let touches = self.detection.without_passed(&step);
        let detection = clock.elapsed().as_secs_f64();
        let assembly = assemble(&step, touches);
        Down { middle, motion, assembly, detection }
    }

    /// Leaves impulses and internal variables to the next step.
    fn keep(&mut self) {
        let kept = self.interactions.iter().map(|interaction| ContactMemory {
            id: interaction.id,
            impulse: interaction.frame * interaction.r,
            beside: interaction.beside.map(|beside| interaction.frame * beside),
            point: interaction.point,
            stored: interaction.stored,
            mark: interaction.mark,
            internal: interaction.internal,
        });
        self.memory.clear();
        self.memory.extend(kept);
        let pushing = self.interactions.iter().map(|interaction| interaction.r[0]).filter(|&r| r > 0.0);
        let (sum, count) = pushing.fold((0.0, 0.0), |(sum, count), r| (sum + r, count + 1.0));
        if count > 0.0 {
            let rate = if self.mean_normal > 0.0 { MEAN_RATE } else { 1.0 };
            self.mean_normal += rate * (sum / count - self.mean_normal);
        }
    }

    /// Enters the works of this step into the ledger, with mean velocities; called before the bodies move on.
    fn account(
        &mut self,
        motion: &FreeMotion,
        velocities: &Velocities,
        assembly: &Assembly<D>,
        r: &[Vector<D>],
        tied: &Dissipated,
    ) {
        let (h, theta) = (self.settings.step, self.settings.theta);
        for (body, velocity) in velocities.iter().enumerate() {
            for component in
                (0..rigid_dofs(D)).filter(|&component| self.bodies.driven[body][component].is_none())
            {
                let mean = (velocity[component] + self.bodies.velocity[body][component]) * 0.5;
                self.ledger.loads += motion.load[body][component] * mean;
                self.ledger.gyroscopic += motion.gyroscopic[body][component] * mean;
                if component < D {
                    let weight = self.bodies.mass[body][component] * self.settings.gravity[component];
                    let jump = velocity[component] - self.bodies.velocity[body][component];
                    self.ledger.scheme += h * weight * (theta - 0.5) * jump;
                }
            }
        }
        for contact in 0..self.interactions.len() {
            let spent = self.interactions[contact].spent;
            self.enter(&spent);
        }
        self.enter(tied);
        // a spring is where its ends are: what the step made of its energy is of second order only
        self.ledger.stored += assembly.restored;
        self.ledger.scheme -= assembly.restored;
        // a contact that is gone takes what it stored with it
        self.ledger.cohesion += assembly.lost;
        self.ledger.stored -= assembly.lost;
        for (row, r) in assembly.problem.w.pairs().zip(r) {
            // what the contacts take from a driven component, its drive has given
            for side in 0..2 {
                let body = row.bodies[side] as usize;
                let driven = self.bodies.driven.get(body).into_iter().flat_map(|driven| driven.iter());
                for (component, (column, given)) in row.h[side].iter().zip(driven).enumerate() {
                    if given.is_some() {
                        let mean =
                            (velocities[body][component] + self.bodies.velocity[body][component]) * 0.5;
                        self.ledger.drives -= dot(column, r) * mean;
                    }
                }
            }
        }
    }

    /// Enters where the work of a contact or of ties went.
    fn enter(&mut self, spent: &Dissipated) {
        self.ledger.shocks += spent.shocks;
        self.ledger.friction += spent.friction;
        self.ledger.cohesion += spent.cohesion;
        self.ledger.viscosity += spent.viscosity;
        self.ledger.scheme += spent.scheme;
        self.ledger.drift -= spent.drift;
        self.ledger.stored += spent.stored;
    }

    /// Who a row of the problem belongs to.
    fn link(&self, owner: Owner) -> Link {
        match owner {
            Owner::Contact(contact) => Link::Bodies(self.interactions[contact].bodies),
            Owner::Tie(tie) => Link::Tie(tie as u32),
        }
    }

    fn report(
        &self,
        solver: &Report,
        worst: Option<Link>,
        trouble: Option<Trouble>,
        seconds: Seconds,
    ) -> StepReport {
        let contacts = &self.interactions;
        StepReport {
            step: self.steps_done,
            time: self.time(),
            contacts: contacts.len(),
            active: contacts.iter().filter(|contact| contact.r.iter().any(|&r| r != 0.0)).count(),
            looked: self.detection.has_looked(),
            iterations: solver.iterations,
            updates: solver.updates,
            residual: solver.residual,
            converged: solver.converged,
            jammed: 0,
            broken: 0,
            rest: Rested::default(),
            dissipation: Dissipation::default(),
            route: solver.route,
            worst,
            trouble,
            projection: None,
            penetration: contacts.iter().map(|contact: &Interaction<D>| -contact.gap).fold(0.0, f64::max),
            speed: self.speed(),
            seconds,
        }
    }

    /// Fastest point of any body that is not driven \[m/s\].
    fn speed(&self) -> f64 {
        let bodies = &self.bodies;
        let speed = |body: usize| self.speed_of(body, &bodies.velocity[body]);
        (0..bodies.len()).filter(|&body| !bodies.is_driven(body)).map(speed).fold(0.0, f64::max)
    }
}
