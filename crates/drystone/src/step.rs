//! One step of contact dynamics (Moreau, Jean 1996, §4).

use crate::bending::{Around, SolvedContacts};
use crate::impact::both;
use crate::report::{StepReport, StepStage, Timers};
use crate::rest::Moved;
use crate::trouble::{Link, trouble};
use crate::{Inconsistent, Simulation};
use drystone_bulk::{Bulk, FreeMotion, SolidFailure};
use drystone_contact::{Assembly, Bonding, ContactSums, Detection, Owner, StepContext, keep_contacts};
use drystone_laws::Drift;
use drystone_math::{Pose, Vector};
use drystone_problem::{Condensed, Delassus, Problem};
use drystone_solvers::{Params, Report, solve_spans, solve_within};

/// How fast the mean normal impulse follows that of a step. Slowly: where contacts jam up to a threshold that
/// is this mean, their impulses raise it in turn.
const MEAN_RATE: f64 = 0.01;

/// The way down: a step condensed on its contacts.
struct Down<const D: usize> {
    middle: Vec<Pose<D>>,
    motion: FreeMotion,
    assembly: Assembly<D>,
    /// A deformable body that cannot begin the step.
    begun: Result<(), SolidFailure>,
}

impl<const D: usize> Simulation<D> {
    /// Goes on by one time step; one that was interrupted by the
    /// [monitor](crate::SolverParams::monitor) is abandoned, and the state is the one before it. One of which
    /// a deformable body found no end is made in parts.
    pub fn step(&mut self) -> StepReport {
        let mut timers = Timers::start(StepStage::Detection);
        let before = self.before_step();
        self.apply_signals();

        // down: free motion, contacts at q_m, the problem on them matched with the last step
        let Down { middle, motion, mut assembly, begun } = self.condense(&mut timers);
        let compression = self.compress(&motion, &mut assembly);
        let mut r = std::mem::take(&mut self.impulses);
        assembly.guess_into(self.settings.solver.memory, &mut r);
        self.start_from_forces(&assembly, &mut r);
        self.start_cold(&motion, &assembly, &mut r);
        self.follow_loads(&motion, &assembly, &mut r);

        // solve the laws
        timers.enter(StepStage::Solver);
        let (report, jammed) = self.solve(&mut assembly, &mut r);
        let (report, jammed) = self.even_patches(&mut assembly, &mut r, report, jammed);
        let solved = SolvedContacts { report: both(compression, report), jammed };
        let around = Around { middle: &middle, motion: &motion };
        let bent = begun.and_then(|()| self.bend(&around, &mut assembly, &mut r, solved));
        let SolvedContacts { report: mut solved, jammed } = self.or_failure(bent, solved);
        let (Moved { velocities, carry }, rest) =
            self.prefer_rest(&motion, &mut assembly, &mut r, &mut solved);
        if self.settings.solver.monitor.is_interrupted() || self.has_failed() {
            (self.assembly, self.impulses) = (assembly, r);
            self.go_back(before);
            let abandoned = StepReport::abandoned(self.steps_done, self.time(), &solved, timers.stop());
            return self.in_parts(abandoned);
        }
        self.bonds.clear();
        self.work.add(assembly.problem.contacts(), solved.work, &self.settings.solver.auto);

        // up: the true impulses move the bodies; works are taken before they move, with the velocities they
        // had
        timers.enter(StepStage::Assembly);
        let sums = assembly.accept(&r, &carry, solved.residual, &self.bodies, &self.laws);
        std::mem::swap(&mut self.interactions, &mut assembly.interactions);
        let (tied, broken) = assembly.accept_ties(&r, &self.ties, &mut self.tie_memory);
        let owner = |row: usize| self.link(assembly.owner(row));
        let trouble = trouble(&assembly.problem, &r, solved.converged, &owner);
        let worst = solved.worst.map(owner);
        self.account(&motion, &velocities, &assembly, [&sums.spent, &tied]);
        self.account_growth(&middle, &motion);
        let dissipation =
            self.dissipation(solved.residual, sums.squares, |row| assembly.problem.w.block(row));
        let begin = self.advance(&middle, &velocities);
        let newton = self.solids.newton_iterations();
        self.go_on_from_impacts(&assembly, &middle, &begin, &velocities);
        self.deform(&assembly);
        self.keep(&sums);
        let projection = self.project();
        (self.assembly, self.impulses) = (assembly, r);

        StepReport {
            step: self.steps_done,
            time: self.time(),
            contacts: self.interactions.len(),
            active: sums.active,
            looked: self.detection.has_looked(),
            iterations: solved.iterations,
            updates: solved.updates,
            newton,
            parts: 1,
            residual: solved.residual,
            mean_residual: solved.mean,
            gap: solved.gap,
            converged: solved.converged,
            is_limited: solved.is_limited,
            is_abandoned: false,
            worst,
            trouble,
            jammed,
            broken,
            rest,
            dissipation,
            route: solved.route,
            penetration: projection.map_or(sums.deepest, |done| done.after),
            projection,
            speed: self.speed(),
            seconds: timers.stop(),
        }
    }

    /// Solves the problem from the guess in `r`; gives how many contacts had to be let go for it.
    pub(crate) fn solve(&mut self, assembly: &mut Assembly<D>, r: &mut [Vector<D>]) -> (Report, u32) {
        let work = Some(self.work.limit(r.len(), &self.settings.solver.auto));
        let (params, stream) = (&Params { work, ..self.settings.solver.clone() }, self.clock());
        let guess = match self.settings.inconsistent {
            Inconsistent::Report | Inconsistent::Stop => Vec::new(),
            #[cfg(feature = "diagnose")]
            Inconsistent::Orowan => r.to_vec(),
        };
        let memory = &mut self.sweep_memory;
        let report = match assembly.spans.is_empty() {
            true => solve_within(&assembly.problem, r, params, stream, memory),
            false => solve_spans(&assembly.problem, &assembly.spans, r, params, stream, memory),
        };
        assembly.set_thresholds(r);
        match report.converged || self.settings.inconsistent != Inconsistent::Orowan {
            true => (report, 0),
            false => self.let_go(assembly, &guess, r, report),
        }
    }

    /// The condensed problem of the next step, for solvers and diagnosis outside a run.
    pub fn problem(&mut self) -> Problem<D, Condensed<D>> {
        let before = self.before_step();
        self.apply_signals();
        let Down { motion, mut assembly, .. } = self.condense(&mut Timers::start(StepStage::Detection));
        self.compress(&motion, &mut assembly);
        self.go_back(before);
        assembly.problem
    }

    fn condense(&mut self, timers: &mut Timers) -> Down<D> {
        let mut assembly = std::mem::take(&mut self.assembly);
        let (h, mut begun) = (self.settings.step, Ok(()));
        let middle = self.arrive();
        let mut motion = self.bodies.free_motion(&middle, &self.settings.gravity, h);
        if !self.solids.is_empty() {
            self.place_skins(h * (1.0 - self.settings.theta));
            begun = self.solids.free_motion(&self.bodies, &middle, &self.settings.gravity, h, &mut motion);
        }
        // what the step is told is borrowed from here
        let mut detection = std::mem::replace(&mut self.detection, Detection::new(None, 0.0));
        let step = self.context(&middle, &motion);
        detection.find(&step);
        detection.without_passed(&step);
        timers.enter(StepStage::Assembly);
        let (touches, spreads) = detection.spread_touches();
        assembly.fill(&step, touches, spreads);
        self.detection = detection;
        Down { middle, motion, assembly, begun }
    }

    /// What contacts are told of the step.
    pub(crate) fn context<'a>(&'a self, middle: &'a [Pose<D>], motion: &'a FreeMotion) -> StepContext<'a, D> {
        StepContext {
            bodies: &self.bodies,
            solids: Some(&self.solids),
            contactors: &self.contactors,
            laws: &self.laws,
            ties: &self.ties,
            tie_memory: &self.tie_memory,
            memory: &self.memory,
            cell: self.settings.cell,
            middle,
            free: &motion.velocity,
            growth: (!self.growth.is_empty()).then_some(&self.growth),
            h: self.settings.step,
            theta: self.settings.theta,
            time: self.time(),
            alert: self.settings.alert,
            reach: self.laws.reach(),
            patch_points: self.settings.patch_points,
            grazing: self.settings.grazing,
            bonding: Bonding { newborn: self.parts_done(0) == 0, pairs: &self.bonds },
            mean_normal: self.mean_normal,
            push: self.settings.strategy.push(self.settings.drift, self.clock()),
            projected: self.settings.drift == Drift::Projection,
            tolerances: self.settings.tolerances,
        }
    }

    /// Leaves impulses and internal variables to the next step.
    fn keep(&mut self, sums: &ContactSums) {
        keep_contacts(&self.interactions, &mut self.memory);
        if sums.pushing_count > 0 {
            let rate = if self.mean_normal > 0.0 { MEAN_RATE } else { 1.0 };
            self.mean_normal += rate * (sums.pushing / sums.pushing_count as f64 - self.mean_normal);
        }
    }

    /// Who a row of the problem belongs to.
    fn link(&self, owner: Owner) -> Link {
        match owner {
            Owner::Contact(contact) => Link::Bodies(self.interactions[contact].bodies),
            Owner::Tie(tie) => Link::Tie(tie as u32),
        }
    }
}
