//! One of two things is true, and each has a proof: impulses that balance each other work against the motion,
//! or some motion of the bodies lets all contacts go (Farkas 1902). Finds one of the two and checks it from
//! the equations; where neither passes its check, says so.
//!
//! With the equations of balance `B x = 0`, the cones `L` and the velocities `c` it is one programme,
//!
//! `max p` with `d·(c + Bᵀy) ≥ p` for every ray `d` of the cones, `p ≤ 1`.
//!
//! Its unknowns `y` are a motion of the bodies, its multipliers impulses in balance whose power is `p` where
//! `p < 1`. In the plane the rays are the edges of the cones and the programme is linear, solved at a vertex.
//! In space it is solved over some rays; of each cone the ray that is missed most is added until a
//! proof is found (Kelley 1960; Dantzig, Wolfe 1960). Impulses over some rays are inside the cones, and a
//! motion is judged by all rays, so that no proof depends on which rays there are.

mod rows;
mod solving;

use super::balance::{Balance, Cone, WIDEST, widened};
use super::space::{POLISH, polished};
use super::{CLEAR, ExistenceError, NOT_IN_BALANCE};
use crate::effort::{LARGE, SMALL};
use drystone_cones::{ConeAnswer, ConeBlock, ConeParams, ConePoint, ConeProgram};
use rows::Ray;

/// Up to so many equations a programme is solved at a vertex; the cost grows with the cube. Beyond, an
/// interior point gives candidates, which pass the same checks.
const VERTEX: usize = 400;

/// Rounds of adding rays.
const ROUNDS: usize = 60;

/// Networks less far from balance than this, relative to their impulses, are networks.
const PRESENT: f64 = 1e-10;

/// What was proved about a problem.
#[derive(Clone, Debug)]
pub(super) enum Alternative {
    /// Impulses in balance, inside their cones, that work against the motion.
    Against(Vec<f64>),
    /// Velocities in the dual cones that the bodies can have.
    LetsGo(Vec<f64>),
}

/// Shares of the strongest impulse from which on contacts are looked at alone, in turn.
const STRONG: [f64; 2] = [1e-3, 1e-6];

/// The programme with the rays so far.
pub(super) struct Contest<'a, const D: usize> {
    balance: &'a Balance<D>,
    /// Factor on all friction.
    factor: f64,
    rays: Vec<Ray>,
    /// Entries of each unknown in the equations.
    columns: Vec<Vec<(usize, f64)>>,
    /// Unknowns that bilateral links hold.
    links: Vec<usize>,
    /// Whether the rays are all there are.
    complete: bool,
    /// How often the way to a vertex came to no end.
    lost: usize,
}

/// Which of the two programmes.
#[derive(Clone, Copy, PartialEq)]
enum Question<'a> {
    /// Is there a network that works against these velocities?
    Against(&'a [f64]),
    /// Is there any network? Velocities are zero and the motion is bounded.
    Any,
}

impl Question<'_> {
    /// The share of the work left that a programme may take.
    fn share(self) -> f64 {
        match self {
            Self::Against(_) => LARGE,
            Self::Any => SMALL,
        }
    }
}

impl<'a, const D: usize> Contest<'a, D> {
    pub fn new(balance: &'a Balance<D>, factor: f64) -> Self {
        let mut columns = vec![Vec::new(); balance.unknowns()];
        for (equation, row) in balance.equations.iter().enumerate() {
            row.iter().for_each(|&(unknown, value)| columns[unknown].push((equation, value)));
        }
        let mut held = vec![false; balance.unknowns()];
        let mut contest =
            Self { balance, factor, rays: Vec::new(), columns, links: Vec::new(), complete: true, lost: 0 };
        for cone in &balance.cones {
            let Some(normal) = cone.normal else { continue };
            held[normal] = true;
            let mut rays = vec![vec![(normal, 1.0)]];
            for (tangents, mu) in &cone.disks {
                held[tangents.clone()].fill(true);
                contest.complete &= tangents.len() == 1;
                let mu = widened(*mu, factor);
                let sides = tangents.clone().flat_map(|tangent| [(tangent, mu), (tangent, -mu)]);
                rays =
                    sides.flat_map(|side| rays.iter().map(move |ray| [&ray[..], &[side]].concat())).collect();
            }
            contest.rays.extend(rays.into_iter().map(Ray::new));
        }
        contest.links = (0..balance.unknowns()).filter(|&unknown| !held[unknown]).collect();
        contest
    }

    /// Which of the two is true.
    pub fn decide(&mut self) -> Result<Alternative, ExistenceError> {
        let size = self.balance.velocity.iter().fold(0.0, |size: f64, v| size.max(v.abs()));
        if size == 0.0 {
            return Ok(Alternative::LetsGo(self.balance.velocity.clone()));
        }
        if let Some(network) = self.links_alone(size)? {
            return Ok(Alternative::Against(network));
        }
        let velocity: Vec<f64> = self.balance.velocity.iter().map(|v| v / size).collect();
        let question = Question::Against(&velocity);
        let lets_go = |contest: &Self, u: &[f64], rounding: f64| {
            let proved = contest.least(u) - rounding >= -CLEAR && contest.links_move(u) <= CLEAR;
            proved.then(|| Alternative::LetsGo(u.iter().map(|u| u * size).collect()))
        };
        if let Some(answer) = self.seed(question).and_then(|(u, rounding)| lets_go(self, &u, rounding)) {
            return Ok(answer);
        }
        for _ in 0..ROUNDS {
            let Some(point) = self.solve(question)? else { break };
            let mut network = self.network(&point);
            if self.equations() > VERTEX
                && let Some(few) = self.of_few(&network, |few| few.against())
            {
                network = few;
            }
            if self.works_against(&network, size) {
                return Ok(Alternative::Against(network));
            }
            let u = self.velocities(&velocity, &point.x);
            if let Some(answer) = lets_go(self, &u, self.rounding(&point.x)) {
                return Ok(answer);
            }
            if !self.add_missed(&u, point.x[self.equations()]) {
                break;
            }
        }
        Err(self.unproved())
    }

    /// A network that works against the motion, if that is what was proved.
    fn against(&mut self) -> Option<Vec<f64>> {
        match self.decide() {
            Ok(Alternative::Against(x)) => Some(x),
            _ => None,
        }
    }

    /// A network, whatever the motion; `None` where it is proved that there is none.
    pub fn network_present(&mut self) -> Result<Option<Vec<f64>>, ExistenceError> {
        if self.rays.is_empty() {
            return Ok(None);
        }
        let still = vec![0.0; self.balance.unknowns()];
        let none =
            |contest: &Self, u: &[f64]| contest.least(u) > PRESENT && contest.links_move(u) <= 1e-3 * PRESENT;
        if self.seed(Question::Any).is_some_and(|(u, _)| none(self, &u)) {
            return Ok(None);
        }
        for _ in 0..ROUNDS {
            let Some(point) = self.solve(Question::Any)? else { break };
            let mut network = self.network(&point);
            if self.equations() > VERTEX
                && let Some(few) = self.of_few(&network, |few| few.network_present().ok().flatten())
            {
                network = few;
            }
            if self.is_network(&network) {
                return Ok(Some(network));
            }
            let u = self.velocities(&still, &point.x);
            if none(self, &u) {
                return Ok(None);
            }
            if !self.add_missed(&u, point.x[self.equations()]) {
                break;
            }
        }
        Err(self.unproved())
    }

    fn equations(&self) -> usize {
        self.balance.equations.len()
    }

    fn unproved(&self) -> ExistenceError {
        if self.balance.effort.is_spent() {
            return ExistenceError::OutOfWork;
        }
        let mut status = "neither a network nor a motion that passes its check".to_owned();
        if self.factor != 1.0 {
            status += &format!(", with {:.6e} times the friction", self.factor);
        }
        ExistenceError::Program { status }
    }

    /// A network of bilateral links alone that works against the motion: links that ask for different things.
    fn links_alone(&self, size: f64) -> Result<Option<Vec<f64>>, ExistenceError> {
        if self.links.is_empty() || self.equations() == 0 || self.equations() > VERTEX {
            return Ok(None);
        }
        let mut program = ConeProgram::new(self.equations());
        for &link in &self.links {
            program.row(self.columns[link].iter().copied(), -self.balance.velocity[link] / size);
        }
        program.cone(ConeBlock::Zero(self.links.len()));
        match self.balance.effort.vertex(&program, &params(), LARGE).map_err(refused)? {
            Some(ConeAnswer::Infeasible { z, .. }) => {
                let mut network = vec![0.0; self.balance.unknowns()];
                self.links.iter().zip(&z).for_each(|(&link, z)| network[link] = -z);
                let whole: f64 = network.iter().map(|x| x.abs()).sum();
                network.iter_mut().for_each(|x| *x /= whole);
                Ok(self.works_against(&network, size).then_some(network))
            }
            _ => Ok(None),
        }
    }

    /// What is found among the contacts that carry most of a candidate, where these are few enough for a
    /// vertex.
    fn of_few(
        &self,
        candidate: &[f64],
        find: impl Fn(&mut Contest<D>) -> Option<Vec<f64>>,
    ) -> Option<Vec<f64>> {
        STRONG.into_iter().find_map(|share| {
            let part = self.balance.support(candidate, share);
            let few = self.balance.part(&part);
            if part.is_empty() || few.equations.len() > VERTEX {
                return None;
            }
            find(&mut Contest::new(&few, self.factor)).map(|x| self.balance.lifted(&few, &x))
        })
    }

    /// Adds rays along what an interior point finds for the whole cones: it knows the directions that matter,
    /// not always their last digits. Gives its velocities, which may be a proof, and their rounding.
    fn seed(&mut self, question: Question) -> Option<(Vec<f64>, f64)> {
        if self.complete {
            return None;
        }
        let point = self.interior(self.program(question, false), question.share()).ok().flatten()?;
        let velocity = match question {
            Question::Against(velocity) => velocity.to_vec(),
            Question::Any => vec![0.0; self.balance.unknowns()],
        };
        let u = self.velocities(&velocity, &point.x);
        let x = self.impulses_of_cones(&point.z);
        for cone in &self.balance.cones {
            let Some(normal) = cone.normal else { continue };
            if cone.disks.iter().all(|(tangents, _)| tangents.len() == 1) {
                continue;
            }
            self.rays.push(Ray::along(normal, &cone.disks, self.factor, &u, -1.0));
            self.rays.push(Ray::along(normal, &cone.disks, self.factor, &x, 1.0));
        }
        Some((u, self.rounding(&point.x)))
    }

    /// The impulses of the multipliers of a point, of links and rays or of whole cones.
    fn network(&self, point: &ConePoint) -> Vec<f64> {
        let by_rays = point.x.len() == self.equations() + 1 && (self.complete || self.equations() <= VERTEX);
        if !by_rays {
            return polished(self.balance, &self.impulses_of_cones(&point.z), POLISH);
        }
        let mut x = vec![0.0; self.balance.unknowns()];
        let (links, rays) = point.z.split_at(self.links.len());
        self.links.iter().zip(links).for_each(|(&link, z)| x[link] = -z);
        for (ray, z) in self.rays.iter().zip(rays) {
            ray.entries.iter().for_each(|&(unknown, share)| x[unknown] += share * z);
        }
        x
    }

    /// `c + Bᵀy`.
    fn velocities(&self, velocity: &[f64], y: &[f64]) -> Vec<f64> {
        let moved = |(column, v): (&Vec<(usize, f64)>, &f64)| {
            v + column.iter().map(|&(equation, value)| value * y[equation]).sum::<f64>()
        };
        self.columns.iter().zip(velocity).map(moved).collect()
    }

    /// What rounding may do to `c + Bᵀy`; `y` is large near a threshold.
    fn rounding(&self, y: &[f64]) -> f64 {
        let size = |column: &Vec<(usize, f64)>| {
            let sum: f64 = column.iter().map(|&(equation, value)| (value * y[equation]).abs()).sum();
            sum * (1 + column.len()) as f64
        };
        self.columns.iter().map(size).fold(0.0, f64::max) * f64::EPSILON
    }

    /// The least `d·u` over all rays of all cones: not negative where `u` is in the dual cones.
    fn least(&self, u: &[f64]) -> f64 {
        let of = |cone: &Cone| {
            let normal = cone.normal?;
            Some(self.least_of(cone, normal, u))
        };
        let least = self.balance.cones.iter().filter_map(of).fold(f64::INFINITY, f64::min);
        if u.iter().all(|u| u.is_finite()) { least } else { f64::NEG_INFINITY }
    }

    fn least_of(&self, cone: &Cone, normal: usize, u: &[f64]) -> f64 {
        let friction =
            cone.disks.iter().map(|(tangents, mu)| widened(*mu, self.factor) * norm(&u[tangents.clone()]));
        (u[normal] - friction.sum::<f64>()) / self.width(cone)
    }

    /// The largest velocity that links should not have.
    fn links_move(&self, u: &[f64]) -> f64 {
        self.links.iter().map(|&link| u[link].abs()).fold(0.0, f64::max)
    }

    /// Adds of every cone the ray that is missed most, where it is; whether there was any.
    fn add_missed(&mut self, u: &[f64], p: f64) -> bool {
        let before = self.rays.len();
        if self.complete || self.equations() > VERTEX {
            return false;
        }
        for cone in &self.balance.cones {
            let Some(normal) = cone.normal else { continue };
            let curved = cone.disks.iter().any(|(tangents, _)| tangents.len() > 1);
            if curved && self.least_of(cone, normal, u) < p - 1e-3 * PRESENT {
                self.rays.push(Ray::along(normal, &cone.disks, self.factor, u, -1.0));
            }
        }
        self.rays.len() > before
    }

    /// Whether impulses are a network: in balance and inside the cones, and not nothing.
    pub fn is_network(&self, x: &[f64]) -> bool {
        let whole: f64 = x.iter().map(|x| x.abs()).sum();
        let pushes = self.balance.normal_sum(x) > 1e-9 * whole / WIDEST;
        whole > 0.0
            && whole.is_finite()
            && (pushes || !self.links.is_empty())
            && self.balance.imbalance(x) <= NOT_IN_BALANCE * whole
            && self.balance.violation(x, self.factor) <= NOT_IN_BALANCE * whole
    }

    /// Whether impulses are a network that works against the motion, by more than what is missing to balance
    /// could feign.
    fn works_against(&self, x: &[f64], size: f64) -> bool {
        let whole: f64 = x.iter().map(|x| x.abs()).sum();
        self.is_network(x) && self.balance.power(x) < -CLEAR * size * whole
    }
}

fn params() -> ConeParams {
    ConeParams { tolerance: 1e-12, enough: 1e-9, ..ConeParams::default() }
}

fn refused(error: drystone_cones::ProgramError) -> ExistenceError {
    ExistenceError::Program { status: error.to_string() }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
