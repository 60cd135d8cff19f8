//! Positions brought back to where nothing overlaps and joints are closed, after the step. Touches no
//! velocity: that these are tangent to where bodies then stand is the business of the laws (`Push::Tangent`).

use crate::Simulation;
use crate::trouble::Link;
use drystone_bulk::advance;
use drystone_contact::{Owner, Position, StepContext, compliances, positions};
use drystone_laws::Drift;
use drystone_math::per_dof::norm;
use drystone_math::{PerDof, Pose, Vector};
use drystone_problem::{Compliance, Condensed, Delassus, Problem};
use drystone_solvers::{Method, Params, solve};
use drystone_state::Velocities;

/// Deepest overlap left, relative to the radius of the smaller body, and largest error of a joint, relative
/// to its lever or the radius of its bodies.
pub const CLOSED: f64 = 1e-10;

/// Most rounds of one step. Each takes off all but the square of the overlap, as Newton's method does; more
/// are needed where corners change faces on the way.
const MOST_ROUNDS: u32 = 30;

/// Rounds without an overlap less than the least before that make an end.
const PATIENCE: u32 = 5;

/// Contacts that are open by less than so many times the deepest overlap take part: the moves may close them.
const NEAR: f64 = 4.0;

/// Farthest a body may go in one round, relative to its radius: beyond it the rows of H mean nothing.
const FARTHEST: f64 = 0.5;

/// Tolerance of the problem of a round; the next one sees what is left.
const TOLERANCE: f64 = 1e-8;

/// What the projection of positions did in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projection {
    /// Problems solved; none where nothing overlapped.
    pub rounds: u32,
    /// Deepest overlap before \[m\].
    pub before: f64,
    /// Deepest overlap after \[m\].
    pub after: f64,
    /// The bodies of the deepest overlap, or the tie with the largest error, where it could not be brought
    /// below
    /// [`CLOSED`]: more overlap than room, as a rule.
    pub stuck: Option<Link>,
}

/// Buffers, reused from step to step.
pub(crate) struct Workspace<const D: usize> {
    rows: Vec<Position<D>>,
    still: Velocities,
    begin: Vec<Pose<D>>,
    best: Vec<Pose<D>>,
}

impl<const D: usize> Default for Workspace<D> {
    fn default() -> Self {
        Self { rows: Vec::new(), still: Velocities::new(), begin: Vec::new(), best: Vec::new() }
    }
}

/// The worst contact of a configuration.
#[derive(Clone, Copy)]
struct Worst {
    /// Overlap \[m\].
    depth: f64,
    /// The same relative to what is allowed.
    relative: f64,
    link: Option<Link>,
}

impl<const D: usize> Simulation<D> {
    /// Projects the positions on those without overlap (Acary 2013; Gear, Leimkuhler, Gupta 1985):
    ///
    /// `δq = M⁻¹ Hᵀ λ`, `0 ≤ g + H_N δq ⟂ λ ≥ 0`, with gaps and H taken anew after every move.
    ///
    /// The mass matrix makes it the nearest configuration as kinetic energy measures it; driven components
    /// have no inverse mass and stay. The errors of rigid ties are closed in the same problem, as bilateral
    /// rows. What the weights gain is brought in.
    pub(crate) fn project(&mut self) -> Option<Projection> {
        if self.settings.drift != Drift::Projection {
            return None;
        }
        let mut work = std::mem::take(&mut self.workspace);
        let middle = self.interactions.iter().map(|contact| -contact.gap).fold(0.0, f64::max);
        let mut worst = self.look(&mut work, NEAR * middle);
        let mut done = Projection { rounds: 0, before: worst.depth, after: worst.depth, stuck: worst.link };
        if worst.relative > 1.0 {
            work.begin.clone_from(&self.bodies.pose);
            work.best.clone_from(&self.bodies.pose);
            let mut least = worst;
            let mut waited = 0;
            while worst.relative > 1.0 && done.rounds < MOST_ROUNDS && waited < PATIENCE {
                done.rounds += 1;
                self.push_out(&work.rows);
                worst = self.look(&mut work, NEAR * worst.depth.max(least.depth));
                waited += 1;
                if worst.relative < least.relative {
                    waited = if worst.relative < 0.5 * least.relative { 0 } else { waited };
                    least = worst;
                    work.best.clone_from(&self.bodies.pose);
                }
            }
            self.bodies.pose.clone_from(&work.best);
            (done.after, done.stuck) = (least.depth, least.link.filter(|_| least.relative > 1.0));
            self.ledger.drift += self.lifted(&work.begin);
            self.move_marks(&work.begin);
        } else {
            done.stuck = None;
        }
        self.workspace = work;
        Some(done)
    }

    /// Gaps where the bodies stand, those nearer than a margin \[m\], and the worst of them.
    fn look(&mut self, work: &mut Workspace<D>, margin: f64) -> Worst {
        let laws = &self.laws;
        work.still = self.bodies.velocity.like(Vec::new());
        let reach = laws.reach() + margin;
        let (bodies, contactors, cell) = (&self.bodies, &self.contactors, self.settings.cell);
        let standing = StepContext {
            free: &work.still,
            reach,
            memory: &self.memory,
            tie_memory: &self.tie_memory,
            time: self.time(),
            ..StepContext::standing(bodies, contactors, laws, &self.ties, cell)
        };
        let touches = self.detection.find(&standing);
        positions(&standing, touches, margin, &mut work.rows);
        let mut worst = Worst { depth: 0.0, relative: 0.0, link: None };
        for row in &work.rows {
            let link = match row.owner {
                Owner::Contact(_) => Link::Bodies(row.bodies()),
                Owner::Tie(tie) => Link::Tie(tie as u32),
            };
            let relative = row.wrong() / (CLOSED * row.size);
            if matches!(link, Link::Bodies(_)) {
                worst.depth = worst.depth.max(row.wrong());
            }
            if relative > worst.relative {
                worst = Worst { relative, link: Some(link), ..worst };
            }
        }
        worst
    }

    /// One round: solves for the moves that close the gaps to first order, and makes them.
    fn push_out(&mut self, rows: &[Position<D>]) {
        let mut bodies = compliances(&self.bodies);
        if !self.ties.is_empty() {
            // the world is one more body, which nothing moves
            bodies.push(Compliance::Fixed);
        }
        let compliance = rows.iter().map(|row| row.compliance).collect();
        let w = Condensed::new(rows.iter().map(|row| &row.pair), bodies).with_compliance(compliance);
        let u_free = rows.iter().map(|row| row.error).collect();
        let problem = Problem { w, u_free, sets: rows.iter().map(|row| row.set).collect() };
        let mut lambda = vec![Vector::<D>::zeros(); rows.len()];
        let params = Params {
            method: Method::Auto,
            tolerance: TOLERANCE,
            max_iterations: self.settings.solver.max_iterations,
            ..Params::default()
        };
        solve(&problem, &mut lambda, &params, self.clock());
        let moves = self.bodies.velocity.like(problem.w.carry(&lambda));
        let bodies = &mut self.bodies;
        let way = |body: usize| {
            let radius = bodies.radius[body];
            norm(&moves[body][..D]) / radius + norm(&moves[body][D..])
        };
        let farthest = (0..bodies.len())
            .filter(|&body| !bodies.is_driven(body) && bodies.radius[body].is_finite())
            .map(way)
            .fold(0.0, f64::max);
        let part = if farthest > FARTHEST { FARTHEST / farthest } else { 1.0 };
        for (pose, way) in bodies.pose.iter_mut().zip(moves.iter()) {
            // a body that is not moved keeps its bits
            if way.iter().any(|&way| way != 0.0) {
                *pose = advance(pose, &(PerDof::<D>::from(way) * part), 1.0);
            }
        }
    }

    /// Moves the gaps forecast on with bodies that stood elsewhere, so that no move passes for curvature of
    /// the way.
    fn move_marks(&mut self, begin: &[Pose<D>]) {
        for (contact, kept) in self.interactions.iter().zip(&mut self.memory) {
            let bodies = contact.bodies.map(|body| body.0 as usize);
            let shift = self.settings.cell.map_or_else(Vector::zeros, |cell| cell.shift(contact.id.image));
            let carried = |side: usize, shift: Vector<D>| {
                let [from, to] = [&begin[bodies[side]], &self.bodies.pose[bodies[side]]];
                let point = contact.point - shift;
                if from == to { Vector::zeros() } else { to.to_world(&from.to_local(&point)) - point }
            };
            let way = carried(0, Vector::zeros()) - carried(1, shift);
            kept.mark += contact.frame.column(0).dot(&way);
        }
    }

    /// Potential energy gained since the bodies stood elsewhere \[J\].
    fn lifted(&self, begin: &[Pose<D>]) -> f64 {
        let bodies = &self.bodies;
        let of = |body: usize| -> f64 {
            let way = bodies.pose[body].position - begin[body].position;
            let part = |c: usize| bodies.mass[body][c] * self.settings.gravity[c] * way[c];
            (0..D).filter(|&c| bodies.driven[body][c].is_none()).map(part).sum()
        };
        -(0..bodies.len()).map(of).sum::<f64>()
    }
}
