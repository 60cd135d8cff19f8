//! The self-balanced impulses of a problem as sparse equations, and the cones along which impulses may grow
//! without bound. Solves nothing.

use super::ExistenceError;
use super::factor::symmetric_factor;
use crate::effort::Effort;
use drystone_problem::{Blocks, Condensed, Delassus, Kernel, Problem, Scale, Set, Vector};
use std::ops::Range;
use std::rc::Rc;

/// A cone this wide, 89.99° to the side, is taken for a half-space: with wider ones the interior point loses
/// the digits it needs. Networks that need more friction than this are not found.
pub(super) const WIDEST: f64 = 1e4;

/// Up to so many unknowns an assembled operator is factored; the cost grows with the cube.
const MOST_DENSE: usize = 1500;

/// Directions in which the impulse of one contact may grow: the recession cone of its set.
#[derive(Clone)]
pub(super) struct Cone {
    /// The contact.
    pub contact: usize,
    /// The unknown that may not be negative; `None` where a bilateral link holds both ways.
    pub normal: Option<usize>,
    /// Groups of unknowns no longer than their friction times the normal one.
    pub disks: Vec<(Range<usize>, f64)>,
}

/// `B x = 0` for scaled impulses `x_α = √d_α r_α` (see [`Scale`]): free of units, and the cones are the same.
/// Components in which no impulse can grow are left out, since a cone without interior would leave a program
/// none.
pub(super) struct Balance<const D: usize> {
    /// Contact and component of every unknown.
    pub kept: Vec<(usize, usize)>,
    /// The equations.
    pub equations: Vec<Vec<(usize, f64)>>,
    /// A cone for each contact taken in.
    pub cones: Vec<Cone>,
    /// Velocity against which an unknown works, scaled.
    pub velocity: Vec<f64>,
    /// `1/√d_α` of all contacts, for a moment divided by its lever too.
    scales: Vec<Vector<D>>,
    /// The work its programmes may take.
    pub effort: Rc<Effort>,
}

impl<const D: usize> Balance<D> {
    /// The equations of the contacts named, or of all; without friction if told so.
    pub fn new<W: Delassus<D>>(
        problem: &Problem<D, W>,
        contacts: Option<&[usize]>,
        friction: bool,
        effort: &Rc<Effort>,
    ) -> Result<Self, ExistenceError> {
        let all: Vec<usize> = (0..problem.contacts()).collect();
        let mut balance = Self {
            kept: Vec::new(),
            equations: Vec::new(),
            cones: Vec::new(),
            velocity: Vec::new(),
            scales: scales(problem)?,
            effort: Rc::clone(effort),
        };
        for &contact in contacts.unwrap_or(&all) {
            balance.take_in(problem, contact, friction);
        }
        match problem.w.dispatch(Assembled) {
            true => balance.factor_of(problem)?,
            false => balance.fill(problem)?,
        }
        Ok(balance)
    }

    /// Adds the unknowns and the cone of a contact.
    fn take_in<W: Delassus<D>>(&mut self, problem: &Problem<D, W>, contact: usize, friction: bool) {
        let first = self.kept.len();
        let directions = directions::<D>(&scaled_set(problem, contact));
        let mut cone = Cone { contact, normal: directions.pushes.then_some(first), disks: Vec::new() };
        self.kept.extend(directions.straight.map(|component| (contact, component)));
        for (components, mu) in directions.disks.into_iter().filter(|&(_, mu)| friction && mu > 0.0) {
            let start = self.kept.len();
            self.kept.extend(components.map(|component| (contact, component)));
            cone.disks.push((start..self.kept.len(), mu.min(WIDEST)));
        }
        let scale = self.scales[contact];
        let velocity =
            |&(contact, component): &(usize, usize)| problem.u_free[contact][component] * scale[component];
        self.velocity.extend(self.kept[first..].iter().map(velocity));
        self.cones.push(cone);
    }

    /// The equations of an assembled operator: `Gᵀ x = 0` where `W = G Gᵀ` among the unknowns. Small numbers
    /// in G are not squared, and there are as many equations as the rank.
    fn factor_of<W: Delassus<D>>(&mut self, problem: &Problem<D, W>) -> Result<(), ExistenceError> {
        let unknowns = self.unknowns();
        let rows = problem.w.assemble();
        let place = self.places(problem.contacts());
        let mut entries = Vec::new();
        for (row, &(contact, component)) in self.kept.iter().enumerate() {
            let scale = self.scales[contact][component];
            for (other, block) in rows.row(contact) {
                for column in (0..D).filter(|&column| place[other][column] != usize::MAX) {
                    let value = block[(component, column)] * scale * self.scales[other][column];
                    if !value.is_finite() {
                        return Err(ExistenceError::NotFinite { contact });
                    }
                    entries.push((row, place[other][column], value));
                }
            }
        }
        if unknowns > MOST_DENSE {
            return self.fill(problem);
        }
        let mut matrix = vec![0.0; unknowns * unknowns];
        entries.iter().for_each(|&(row, column, value)| matrix[row * unknowns + column] += value);
        self.equations = symmetric_factor(matrix, unknowns).ok_or(ExistenceError::NotSymmetric)?;
        let (unknowns, rank) = (unknowns as f64, self.equations.len() as f64);
        self.effort.spend(0.5 * unknowns * unknowns * rank);
        Ok(())
    }

    /// The unknown of every contact and component; the largest number where there is none.
    fn places(&self, contacts: usize) -> Vec<[usize; D]> {
        let mut place = vec![[usize::MAX; D]; contacts];
        for (index, &(contact, component)) in self.kept.iter().enumerate() {
            place[contact][component] = index;
        }
        place
    }

    fn fill<W: Delassus<D>>(&mut self, problem: &Problem<D, W>) -> Result<(), ExistenceError> {
        let unknown = self.places(problem.contacts());
        let mut entries: Vec<(u32, usize, f64)> = Vec::new();
        for (equation, contact, row) in problem.w.balance() {
            let contact = contact as usize;
            for component in 0..D {
                let (index, value) =
                    (unknown[contact][component], row[component] * self.scales[contact][component]);
                if !value.is_finite() {
                    return Err(ExistenceError::NotFinite { contact });
                }
                if index != usize::MAX && value != 0.0 {
                    entries.push((equation, index, value));
                }
            }
        }
        // stable, so that sums have the same bits everywhere
        entries.sort_by_key(|&(equation, index, _)| (equation, index));
        for of_one in entries.chunk_by(|a, b| a.0 == b.0) {
            let sums = of_one.chunk_by(|a, b| a.1 == b.1);
            self.equations
                .push(sums.map(|same| (same[0].1, same.iter().map(|entry| entry.2).sum())).collect());
        }
        Ok(())
    }

    /// Unknowns in all.
    pub fn unknowns(&self) -> usize {
        self.kept.len()
    }

    /// Numbers in the equations.
    pub fn entries(&self) -> usize {
        self.equations.iter().map(Vec::len).sum()
    }

    /// `Σ x_N`, over the contacts that push only.
    pub fn normal_sum(&self, x: &[f64]) -> f64 {
        self.cones.iter().filter_map(|cone| cone.normal).map(|normal| x[normal]).sum()
    }

    /// The largest `(‖x_T‖ − μ x_N)/(1 + μ)`, friction times `factor`.
    pub fn violation(&self, x: &[f64], factor: f64) -> f64 {
        let mut largest = f64::NEG_INFINITY;
        for cone in &self.cones {
            let Some(normal) = cone.normal else { continue };
            if cone.disks.is_empty() {
                largest = largest.max(-x[normal]);
            }
            for (rows, mu) in &cone.disks {
                let mu = widened(*mu, factor);
                largest = largest.max((norm(&x[rows.clone()]) - mu * x[normal]) / (1.0 + mu));
            }
        }
        largest
    }

    /// The factor on all friction at which `x` is just inside its cones; infinite where no factor brings it
    /// there.
    pub fn factor(&self, x: &[f64]) -> f64 {
        let mut largest: f64 = 0.0;
        for cone in &self.cones {
            let Some(normal) = cone.normal else { continue };
            for (rows, mu) in &cone.disks {
                let tangential = norm(&x[rows.clone()]);
                if tangential > 0.0 {
                    largest = largest.max(if x[normal] > 0.0 {
                        tangential / (mu * x[normal])
                    } else {
                        f64::INFINITY
                    });
                }
            }
        }
        largest
    }

    /// `x · v*`.
    pub fn power(&self, x: &[f64]) -> f64 {
        x.iter().zip(&self.velocity).map(|(x, v)| x * v).sum()
    }

    /// What rounding alone could feign in `x · v*`, times the inverse of the precision.
    pub fn noise(&self, x: &[f64]) -> f64 {
        x.iter().zip(&self.velocity).map(|(x, v)| (x * v).abs()).sum()
    }

    /// The largest error of the equations.
    pub fn imbalance(&self, x: &[f64]) -> f64 {
        let error = |row: &Vec<(usize, f64)>| row.iter().map(|&(k, b)| b * x[k]).sum::<f64>().abs();
        self.equations.iter().map(error).fold(0.0, f64::max)
    }

    /// Normal impulse of every contact relative to the largest; never quite nothing, so that a program keeps
    /// an interior.
    pub fn shares(&self, x: &[f64]) -> Vec<f64> {
        let normals = || self.cones.iter().map(|cone| cone.normal.map_or(1.0, |normal| x[normal].abs()));
        let largest = normals().fold(f64::MIN_POSITIVE, f64::max);
        normals().map(|normal| (normal / largest).max(1e-8)).collect()
    }

    /// The equations of some contacts alone, in increasing order.
    pub fn part(&self, contacts: &[usize]) -> Self {
        let taken = |contact: usize| contacts.binary_search(&contact).is_ok();
        let unknowns: Vec<usize> =
            (0..self.unknowns()).filter(|&unknown| taken(self.kept[unknown].0)).collect();
        let place = |unknown: usize| unknowns.binary_search(&unknown).ok();
        // the unknowns of a contact stay side by side
        let moved = |cone: &Cone| Cone {
            contact: cone.contact,
            normal: cone.normal.and_then(place),
            disks: cone
                .disks
                .iter()
                .filter_map(|(rows, mu)| place(rows.start).map(|start| (start..start + rows.len(), *mu)))
                .collect(),
        };
        let row = |row: &Vec<(usize, f64)>| -> Vec<(usize, f64)> {
            row.iter().filter_map(|&(unknown, value)| Some((place(unknown)?, value))).collect()
        };
        Self {
            kept: unknowns.iter().map(|&unknown| self.kept[unknown]).collect(),
            equations: self.equations.iter().map(row).filter(|row| !row.is_empty()).collect(),
            cones: self.cones.iter().filter(|cone| taken(cone.contact)).map(moved).collect(),
            velocity: unknowns.iter().map(|&unknown| self.velocity[unknown]).collect(),
            scales: self.scales.clone(),
            effort: Rc::clone(&self.effort),
        }
    }

    /// Unknowns of a part among all, nothing elsewhere.
    pub fn lifted(&self, part: &Self, x: &[f64]) -> Vec<f64> {
        let mut values = part.kept.iter().zip(x).peekable();
        let value =
            |kept: &(usize, usize)| values.next_if(|(other, _)| *other == kept).map_or(0.0, |(_, x)| *x);
        self.kept.iter().map(value).collect()
    }

    /// The contacts that take part in `x` by more than `share` of the strongest.
    pub fn support(&self, x: &[f64], share: f64) -> Vec<usize> {
        let largest = x.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let strong = self.kept.iter().zip(x).filter(|(_, x)| x.abs() > share * largest);
        let mut contacts: Vec<usize> = strong.map(|(&(contact, _), _)| contact).collect();
        contacts.sort_unstable();
        contacts.dedup();
        contacts
    }

    /// Impulses of the problem in scaled unknowns.
    pub fn scaled(&self, r: &[Vector<D>]) -> Vec<f64> {
        self.kept
            .iter()
            .map(|&(contact, component)| r[contact][component] / self.scales[contact][component])
            .collect()
    }

    /// Projects every contact on its cone; a contact with several disks on one after the other.
    pub fn project(&self, x: &mut [f64]) {
        for cone in &self.cones {
            let Some(normal) = cone.normal else { continue };
            if cone.disks.is_empty() {
                x[normal] = x[normal].max(0.0);
            }
            for (rows, mu) in &cone.disks {
                let tangential = norm(&x[rows.clone()]);
                if tangential <= mu * x[normal] {
                    continue;
                }
                let along = ((x[normal] + mu * tangential) / (1.0 + mu * mu)).max(0.0);
                x[rows.clone()].iter_mut().for_each(|x| *x *= mu * along / tangential.max(f64::MIN_POSITIVE));
                x[normal] = along;
            }
        }
    }

    /// The velocities of scaled ones at all contacts of the problem; 0 where there is no unknown.
    pub fn velocities(&self, u: &[f64]) -> Vec<Vector<D>> {
        let mut velocities = vec![Vector::<D>::zeros(); self.scales.len()];
        for (&(contact, component), u) in self.kept.iter().zip(u) {
            velocities[contact][component] = u / self.scales[contact][component];
        }
        velocities
    }

    /// The impulses of `x` at all contacts of the problem, largest component 1.
    pub fn network(&self, x: &[f64]) -> Vec<Vector<D>> {
        let mut network = vec![Vector::<D>::zeros(); self.scales.len()];
        for (&(contact, component), x) in self.kept.iter().zip(x) {
            network[contact][component] = x * self.scales[contact][component];
        }
        let largest = network.iter().map(|r| r.amax()).fold(0.0, f64::max);
        if largest > 0.0 {
            for r in &mut network {
                *r /= largest;
            }
        }
        network
    }
}

/// Whether an operator is assembled.
struct Assembled;

impl<const D: usize> Kernel<D> for Assembled {
    type Output = bool;

    fn condensed(self, _: &Condensed<D>) -> bool {
        false
    }

    fn blocks(self, _: &Blocks<D>) -> bool {
        true
    }
}

/// Friction times the factor, no wider than a program can digest.
pub(super) fn widened(mu: f64, factor: f64) -> f64 {
    (mu * factor).min(WIDEST)
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Components in which the impulse of a set can grow without bound.
struct Directions {
    /// Along which it grows by itself: the normal, or what a bilateral link holds.
    straight: Range<usize>,
    /// Whether it can only push.
    pushes: bool,
    /// Groups held by friction, and the friction. Under Orowan's and Tresca's laws it is bounded: there are
    /// none.
    disks: Vec<(Range<usize>, f64)>,
}

fn directions<const D: usize>(set: &Set) -> Directions {
    let pushing = |disks| Directions { straight: 0..1, pushes: true, disks };
    match *set {
        Set::Coulomb { mu } => pushing(vec![(1..D, mu)]),
        Set::Orowan { .. } | Set::Tresca { .. } => pushing(Vec::new()),
        Set::Bilateral { rows } => Directions { straight: 0..rows.min(D), pushes: false, disks: Vec::new() },
        Set::Rolling { mu, rolling, twisting, .. } => {
            let parts = set.frictions::<D>().into_iter().zip([mu, rolling, twisting.unwrap_or(0.0)]);
            pushing(parts.filter(|(rows, _)| !rows.is_empty()).collect())
        }
        // what rubs in a bearing is left to it: friction that grows with a load of any sign is no cone
        Set::Bearing { held, .. } => {
            Directions { straight: 0..held.min(D), pushes: false, disks: Vec::new() }
        }
    }
}

/// The set of a contact for impulses whose moment is multiplied with its lever.
fn scaled_set<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>, contact: usize) -> Set {
    let set = &problem.sets[contact];
    Scale::new(&problem.w.block(contact), set).set(set)
}

/// What brings the scaled impulses of every contact back to impulses; refuses what is not a number.
fn scales<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>) -> Result<Vec<Vector<D>>, ExistenceError> {
    let scale = |contact: usize| {
        let (block, set) = (problem.w.block(contact), &problem.sets[contact]);
        let finite = block.iter().chain(problem.u_free[contact].iter()).all(|x| x.is_finite());
        let friction = directions::<D>(set).disks;
        if !finite || friction.iter().any(|(_, mu)| mu.is_nan()) {
            return Err(ExistenceError::NotFinite { contact });
        }
        let scale = Scale::new(&block, set);
        Ok(scale.levers::<D>(set).map(|lever| 1.0 / (lever * scale.compliance.sqrt())))
    };
    (0..problem.contacts()).map(scale).collect()
}
