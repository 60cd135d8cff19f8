//! Islands of a step: bodies that hang together by contacts and ties, what cannot move cutting them apart,
//! and what would hold each of them at rest. Decides nothing: what becomes of it is in `rest`.

use crate::Simulation;
use drystone_bulk::FreeMotion;
use drystone_contact::Assembly;
use drystone_math::columns::times;
use drystone_math::{PerDof, Vector, rigid_dofs};
use drystone_problem::{Delassus, Set};
use drystone_solvers::{Equilibrium, Part, equilibrium, rebalanced};
use drystone_state::Velocities;

/// Impulses of the last step that leave a body no more than this speed, relative to that of the loads, still
/// hold it.
pub(crate) const STILL_HELD: f64 = 1e-8;

/// Bodies that hang together, and the rows of the problem that hold them.
pub(crate) struct Island {
    /// The bodies, in increasing order.
    pub bodies: Vec<usize>,
    /// Rows whose velocity vanishes at rest, in increasing order.
    pub closed: Vec<usize>,
    /// Rows that are open at rest.
    pub open: Vec<usize>,
    /// Speed up to which its bodies are at rest \[m/s\].
    pub still: f64,
    /// What keeps it from being at rest whatever the impulses, or from being looked at.
    obstacle: Obstacle,
}

/// What a row says to its bodies standing still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Obstacle {
    /// They may.
    None,
    /// It gives way itself: not looked at.
    Soft,
    /// It moves: a drive, a push, a joint that is off.
    Moving,
}

/// A step as the rule sees it.
pub(crate) struct Look<'a, const D: usize> {
    simulation: &'a Simulation<D>,
    assembly: &'a Assembly<D>,
    /// Speed that loads alone give every body.
    loads: Vec<f64>,
    /// Velocities without impulses of the sets, body after body.
    free: Vec<f64>,
    /// Velocities of the rows while everything that can move stands still.
    u_rest: Vec<Vector<D>>,
    /// Velocities without impulses of contacts.
    motion: &'a FreeMotion,
    followed: Vec<(usize, usize, f64)>,
}

/// Impulses that contacts and ties had in the last step, and the velocities they would give now.
pub(crate) struct Kept<const D: usize> {
    impulses: Vec<Vector<D>>,
    velocities: Velocities,
}

impl<'a, const D: usize> Look<'a, D> {
    pub fn new(simulation: &'a Simulation<D>, assembly: &'a Assembly<D>, motion: &'a FreeMotion) -> Self {
        let w = &assembly.problem.w;
        let mut free = match assembly.is_shifted() {
            true => w.carry(&assembly.truth(&vec![Vector::zeros(); assembly.problem.contacts()])),
            false => w.carry(&[]),
        };
        free.iter_mut().zip(motion.velocity.flat()).for_each(|(free, motion)| *free += motion);
        // what a body that stands still lacks of its free velocity
        let moves = (0..w.bodies().len()).flat_map(|body| w.bodies().inverse_mass(body));
        let lacking: Vec<f64> =
            free.iter().zip(moves).map(|(&free, &m)| if m > 0.0 { free } else { 0.0 }).collect();
        let rows = w.pairs().zip(&assembly.problem.u_free);
        let at_rest = rows.map(|(row, u_free)| {
            let of = |side: usize| {
                times(row.h[side], &lacking[w.bodies().dofs(row.bodies[side] as usize).range()])
            };
            u_free - of(0) - of(1)
        });
        let u_rest = at_rest.collect();
        let bodies = 0..simulation.bodies.len();
        let loads = bodies.map(|body| simulation.load_speed(motion, body)).collect();
        let followed = assembly.followed();
        Self { simulation, assembly, loads, free, u_rest, motion, followed }
    }

    /// Impulses of the last step, and velocities with them.
    pub fn kept(&self) -> Kept<D> {
        let impulses = self.assembly.guess(true);
        let mut velocities = self.motion.velocity.like(self.assembly.problem.w.carry(&impulses));
        velocities.flat_mut().iter_mut().zip(&self.free).for_each(|(held, free)| *held += free);
        Kept { impulses, velocities }
    }

    /// All islands, by their first bodies. Rows with an impulse in `r` or closed at rest hold bodies
    /// together.
    pub fn islands(&self, r: &[Vector<D>]) -> Vec<Island> {
        let bodies = self.simulation.bodies.len();
        let largest = self.loads.iter().fold(0.0, |largest: f64, load| largest.max(*load));
        let still = self.simulation.settings.rest.speed * largest;
        let w = &self.assembly.problem.w;
        let ends =
            |row: usize| w.pair(row).bodies.map(|body| body as usize).map(|b| self.movable(b).then_some(b));
        let mut first: Vec<usize> = (0..bodies).collect();
        for row in 0..w.contacts() {
            let live = r[row].iter().any(|&r| r != 0.0) || !self.is_open(row, still);
            if let ([Some(a), Some(b)], true) = (ends(row), live) {
                let (a, b) = (root(&mut first, a), root(&mut first, b));
                first[a.max(b)] = a.min(b);
            }
        }
        let mut place = vec![usize::MAX; bodies];
        let mut islands: Vec<Island> = Vec::new();
        for body in (0..bodies).filter(|&body| self.movable(body)) {
            let island = root(&mut first, body);
            if place[island] == usize::MAX {
                place[island] = islands.len();
                islands.push(Island::new());
            }
            islands[place[island]].add(body, self.loads[body] * self.simulation.settings.rest.speed);
        }
        for row in 0..w.contacts() {
            let [a, b] = ends(row).map(|end| end.map(|body| place[root(&mut first, body)]));
            a.into_iter().chain(b.filter(|_| a != b)).for_each(|island| self.hold(&mut islands[island], row));
        }
        islands
    }

    /// Adds a row to an island.
    fn hold(&self, island: &mut Island, row: usize) {
        if self.is_open(row, island.still) {
            island.open.push(row);
            return;
        }
        island.closed.push(row);
        let obstacle = self.obstacle(row, island.still);
        if obstacle > island.obstacle {
            island.obstacle = obstacle;
        }
    }

    /// Whether the bodies of a row are apart where they stand.
    fn is_open(&self, row: usize, still: f64) -> bool {
        let apart = self.u_rest[row][0] > still;
        match self.assembly.problem.sets[row] {
            Set::Coulomb { .. } | Set::Orowan { .. } | Set::Rolling { .. } => apart,
            // friction may act across a gap
            Set::Tresca { cap } => apart && cap <= 0.0,
            Set::Bilateral { .. } | Set::Bearing { .. } => false,
        }
    }

    /// What a row that is not open says to rest.
    fn obstacle(&self, row: usize, still: f64) -> Obstacle {
        let set = self.assembly.problem.sets[row];
        let held = match set {
            Set::Bilateral { rows } => rows.min(D),
            Set::Coulomb { mu } if mu <= 0.0 => 1,
            _ => D,
        };
        if !(0..held).all(|component| self.u_rest[row][component].abs() <= still) {
            return Obstacle::Moving;
        }
        let w = &self.assembly.problem.w;
        let (own, pair) = (w.compliance(row), w.pair(row));
        let soft = |component: usize| {
            own[component] > 0.0 && pair.h.iter().any(|h| h.iter().any(|column| column[component] != 0.0))
        };
        if (0..D).any(soft) { Obstacle::Soft } else { Obstacle::None }
    }

    fn movable(&self, body: usize) -> bool {
        body < self.simulation.bodies.len() && self.simulation.can_move(body)
    }

    /// Whether nothing forbids an island to stand from the outset: no row of it moves, and every body that is
    /// loaded is held by some row.
    pub fn may_stand(&self, island: &Island) -> bool {
        if island.obstacle == Obstacle::Moving {
            return false;
        }
        let w = &self.assembly.problem.w;
        let mut held: Vec<usize> =
            island.closed.iter().flat_map(|&row| w.pair(row).bodies).map(|body| body as usize).collect();
        held.sort_unstable();
        island.bodies.iter().all(|body| self.loads[*body] == 0.0 || held.binary_search(body).is_ok())
    }

    /// The impulses of its closed rows that hold an island at rest: those of the last step where they still
    /// do, or in a large one nearly.
    pub fn equilibrium(&self, island: &Island, kept: &Kept<D>) -> Equilibrium<D> {
        if island.obstacle == Obstacle::Soft {
            return Equilibrium::Undecided;
        }
        match self.near(island, kept) {
            Some(found) => Equilibrium::Found(found),
            None => equilibrium(&self.part(island)),
        }
    }

    /// Impulses of the last step where they still hold an island, or in a large one, whose program takes
    /// seconds, what balances near them.
    pub fn near(&self, island: &Island, kept: &Kept<D>) -> Option<Vec<Vector<D>>> {
        let Kept { impulses: kept, velocities: moving } = kept;
        let still = island.still / self.simulation.settings.rest.speed * STILL_HELD;
        let slow = |&body: &usize| self.simulation.speed_of(body, &self.left(&moving[body], body)) <= still;
        let unused = |&row: &usize| kept[row].iter().all(|&r| r == 0.0);
        let near = || island.closed.iter().map(|&row| kept[row]).collect::<Vec<_>>();
        if island.bodies.iter().all(slow) && island.open.iter().all(unused) {
            return Some(near());
        }
        let rigid = island.obstacle == Obstacle::None;
        let worth = rigid && self.is_large(island) && !island.closed.iter().all(unused);
        worth.then(|| rebalanced(&self.part(island), &near())).flatten()
    }

    fn part<'b>(&'b self, island: &'b Island) -> Part<'b, D> {
        Part {
            problem: &self.assembly.problem,
            free: &self.free,
            bodies: &island.bodies,
            rows: &island.closed,
            followed: &self.followed,
            monitor: &self.simulation.settings.solver.monitor,
        }
    }

    /// Whether an island has more contacts than are looked at whatever it costs.
    pub fn is_large(&self, island: &Island) -> bool {
        island.closed.len() > self.simulation.settings.rest.contacts
    }

    /// Whether an island is too large to look at.
    pub fn is_costly(&self, island: &Island) -> bool {
        self.is_large(island) && self.multiplications(island) > self.simulation.settings.rest.multiplications
    }

    /// Multiplications to factor the equations of the bodies of an island, layer by layer of neighbours from
    /// one end to the other.
    fn multiplications(&self, island: &Island) -> f64 {
        let place = |body: u32| island.bodies.binary_search(&(body as usize)).ok();
        let mut neighbours = vec![Vec::new(); island.bodies.len()];
        for &row in &island.closed {
            if let [Some(a), Some(b)] = self.assembly.problem.w.pair(row).bodies.map(place) {
                neighbours[a].push(b);
                neighbours[b].push(a);
            }
        }
        // the last of the first layers is an end
        let end = layers(&neighbours, 0).pop().and_then(|layer| layer.first().copied()).unwrap_or(0);
        let widths: Vec<f64> =
            layers(&neighbours, end).iter().map(|layer| (layer.len() * rigid_dofs(D)) as f64).collect();
        let next = widths.iter().skip(1).chain([&0.0]);
        widths.iter().zip(next).map(|(own, next)| own * (own + next) * (own + next)).sum()
    }

    /// The components of a velocity that nothing prescribes.
    fn left(&self, velocity: &[f64], body: usize) -> PerDof<D> {
        let inverse_mass = &self.simulation.bodies.inverse_mass[body];
        PerDof::from_fn(|dof| if inverse_mass[dof] > 0.0 { velocity[dof] } else { 0.0 })
    }
}

impl Island {
    fn new() -> Self {
        Self {
            bodies: Vec::new(),
            closed: Vec::new(),
            open: Vec::new(),
            still: 0.0,
            obstacle: Obstacle::None,
        }
    }

    fn add(&mut self, body: usize, still: f64) {
        self.bodies.push(body);
        self.still = self.still.max(still);
    }
}

/// Vertices by their distance from one of them; those out of reach are left out.
fn layers(neighbours: &[Vec<usize>], from: usize) -> Vec<Vec<usize>> {
    let mut seen = vec![false; neighbours.len()];
    let mut layers = Vec::new();
    let mut layer: Vec<usize> =
        seen.get_mut(from).map(|seen| *seen = true).map_or(Vec::new(), |()| vec![from]);
    while !layer.is_empty() {
        let mut next = Vec::new();
        for &other in layer.iter().flat_map(|&vertex| &neighbours[vertex]) {
            if !std::mem::replace(&mut seen[other], true) {
                next.push(other);
            }
        }
        layers.push(std::mem::replace(&mut layer, next));
    }
    layers
}

/// The first body of the island of a body.
fn root(first: &mut [usize], mut body: usize) -> usize {
    while first[body] != body {
        first[body] = first[first[body]];
        body = first[body];
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_distances() {
        // a ladder of three rungs, and two vertices apart
        let ladder = [vec![1, 2], vec![0, 3], vec![0, 3, 4], vec![1, 2, 5], vec![2, 5], vec![3, 4]];
        let neighbours = [&ladder[..], &[vec![7], vec![6]]].concat();
        assert_eq!(layers(&neighbours, 0), [vec![0], vec![1, 2], vec![3, 4], vec![5]]);
        assert_eq!(layers(&neighbours, 7), [vec![7], vec![6]]);
        assert_eq!(layers(&[], 0), Vec::<Vec<usize>>::new());
    }
}
