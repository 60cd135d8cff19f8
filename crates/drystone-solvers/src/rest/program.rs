//! The program of an equilibrium: unknown impulses in units of the loads, equations of balance and cones.
//! Solves nothing itself.

use super::Part;
use super::interior::{Answer, ConeBlock, Least, Rows};
use drystone_problem::{Monitor, Row, Set, Vector};
use std::collections::HashMap;
use std::ops::Range;

/// What bounds a group of unknowns.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    /// No longer than friction times another unknown, which may not be negative.
    Cone(usize, f64),
    /// No longer than this.
    Cap(f64),
}

/// The program over scaled impulses: forces in units of the largest load, moments divided by the longest arm
/// as well.
pub(super) struct Program {
    /// The largest load \[N s\].
    size: f64,
    /// Equation, unknown, coefficient.
    pub entries: Vec<(usize, usize, f64)>,
    /// Right sides of the equations.
    pub right: Vec<f64>,
    /// The body of every equation, counted in the part.
    pub bodies: Vec<u32>,
    /// Index in the rows of the part, component, and the impulse that is 1, of every unknown.
    pub unknowns: Vec<(usize, usize, f64)>,
    /// Unknowns that may not be negative and belong to no cone.
    pub pushing: Vec<usize>,
    /// Groups of unknowns and what bounds them.
    pub disks: Vec<(Range<usize>, Bound)>,
}

/// Friction beyond this, 89.99 degrees, is taken for this: with wider cones the interior point loses the
/// digits it needs.
const WIDEST: f64 = 1e4;

impl Program {
    /// `None` where a number is not finite.
    pub fn new<const D: usize>(part: &Part<D>) -> Option<Self> {
        let arm = longest_arm(part);
        let loads = Loads::new(part, arm);
        let size = loads.right.iter().fold(0.0, |size: f64, b| size.max(b.abs()));
        let size = if size > 0.0 { size } else { 1.0 };
        let mut program = Self {
            size,
            entries: Vec::new(),
            right: loads.right.iter().map(|b| b / size).collect(),
            bodies: loads.bodies.clone(),
            unknowns: Vec::new(),
            pushing: Vec::new(),
            disks: Vec::new(),
        };
        // the normal unknown of every row that has one, for thresholds that follow it
        let mut normals: HashMap<usize, usize> = HashMap::new();
        for (index, &row) in part.rows.iter().enumerate() {
            let units = units(&part.problem.w.pair(row), size, arm);
            let followed = followed(part, row);
            let set = match followed {
                // without the unknown that it follows the threshold is nothing
                Some((other, factor)) => match normals.get(&other) {
                    Some(&normal) => Kept::Following(normal, factor),
                    None => Kept::Set(Set::Tresca { cap: 0.0 }),
                },
                None => Kept::Set(part.problem.sets[row]),
            };
            if let Some(normal) = program.take_in::<D>((index, &units), &set) {
                normals.insert(row, normal);
            }
        }
        program.fill(part, &loads, arm);
        let finite = program.right.iter().chain(program.entries.iter().map(|entry| &entry.2));
        finite.copied().all(f64::is_finite).then_some(program)
    }

    /// Adds the unknowns of a row and what bounds them; gives the normal one.
    fn take_in<const D: usize>(&mut self, (index, units): (usize, &[f64; D]), set: &Kept) -> Option<usize> {
        let mut add = |components: Range<usize>| -> Range<usize> {
            let first = self.unknowns.len();
            let moving = components.filter(|&component| units[component] > 0.0);
            self.unknowns.extend(moving.map(|component| (index, component, units[component])));
            first..self.unknowns.len()
        };
        let set = match *set {
            Kept::Following(normal, factor) => {
                let group = add(1..D);
                self.bound(group, Bound::Cone(normal, factor));
                return None;
            }
            Kept::Set(set) => set,
        };
        if let Set::Bilateral { rows } = set {
            add(0..rows.min(D));
            return None;
        }
        if let Set::Bearing { held, base, .. } = set {
            add(0..held.min(D));
            // friction that grows with a load of any sign is no cone: no more of it than without load
            let groups = set.frictions::<D>().map(|part| if base > 0.0 { add(part) } else { 0..0 });
            groups.into_iter().for_each(|group| self.bound(group, Bound::Cap(base)));
            return None;
        }
        let normal = add(0..1).next();
        let tangential = set.tangential::<D>();
        let (mu, cap) = match set {
            Set::Coulomb { mu } | Set::Rolling { mu, .. } => (Some(mu), None),
            Set::Orowan { mu, cap } => (Some(mu), Some(cap)),
            Set::Tresca { cap } => (None, Some(cap)),
            Set::Bilateral { .. } | Set::Bearing { .. } => (None, None),
        };
        let slides = mu.is_none_or(|mu| mu > 0.0 && normal.is_some()) && cap.is_none_or(|cap| cap > 0.0);
        let group = if slides { add(tangential.clone()) } else { 0..0 };
        let moments = match set {
            Set::Rolling { rolling, twisting, .. } => {
                let [_, rolls, twists] = set.frictions::<D>();
                [(rolls, rolling), (twists, twisting.unwrap_or(0.0))]
                    .map(|(part, arm)| (if arm > 0.0 { add(part) } else { 0..0 }, arm))
            }
            _ => [(0..0, 0.0), (0..0, 0.0)],
        };
        let bounded = !group.is_empty() || moments.iter().any(|(moment, _)| !moment.is_empty());
        if let (Some(normal), true) = (normal, mu.is_none() || !bounded) {
            self.pushing.push(normal);
        }
        if let (Some(mu), Some(normal)) = (mu, normal) {
            self.bound(group.clone(), Bound::Cone(normal, mu));
        }
        if let Some(cap) = cap {
            self.bound(group, Bound::Cap(cap));
        }
        for (moment, arm) in moments {
            if let Some(normal) = normal {
                self.bound(moment, Bound::Cone(normal, arm));
            }
        }
        normal
    }

    /// Bounds a group of unknowns, the bound given in impulses.
    fn bound(&mut self, group: Range<usize>, bound: Bound) {
        if group.is_empty() {
            return;
        }
        let unit = self.unknowns[group.start].2;
        let bound = match bound {
            Bound::Cone(normal, factor) => {
                Bound::Cone(normal, (factor * self.size / unit).clamp(0.0, WIDEST))
            }
            Bound::Cap(cap) => Bound::Cap(cap.max(0.0) / unit),
        };
        self.disks.push((group, bound));
    }

    /// Fills in the equations of balance.
    fn fill<const D: usize>(&mut self, part: &Part<D>, loads: &Loads, arm: f64) {
        for (unknown, &(index, component, unit)) in self.unknowns.iter().enumerate() {
            let row = part.problem.w.pair(part.rows[index]);
            for side in 0..2 {
                let Some(equations) = loads.equations.get(&row.bodies[side]) else { continue };
                for (dof, equation) in equations.iter().enumerate() {
                    let value = row.h[side][dof][component] * (unit / self.size) * lever::<D>(dof, arm);
                    if let Some(equation) = equation.filter(|_| value != 0.0) {
                        self.entries.push((equation, unknown, value));
                    }
                }
            }
        }
    }

    /// The point with the least squares, to a tolerance.
    pub fn solve(&self, tolerance: f64, monitor: &Monitor) -> Answer {
        let (rows, cones) = self.rows(None);
        rows.solve(Least::Squares(self.unknowns.len()), &cones, tolerance, monitor)
    }

    /// By how much borders must be crossed at least, in units of the largest load, and a point that does:
    /// always has an answer with room around it, and so more digits than the question whether there is a
    /// point at all.
    pub fn violation(&self, tolerance: f64, monitor: &Monitor) -> Option<(f64, Vec<f64>)> {
        let columns = self.unknowns.len() + 1;
        let (mut rows, mut cones) = self.rows(Some(columns - 1));
        rows.push([(columns - 1, -1.0)].into_iter(), 0.0);
        cones.push(ConeBlock::Nonnegative(1));
        let answer = rows.solve(Least::Last(columns), &cones, tolerance, monitor);
        let Answer::Point(mut x) = answer else { return None };
        x.pop().map(|violation| (violation, x))
    }

    /// The equations and cones, every border moved out by the unknown `slack`.
    fn rows(&self, slack: Option<usize>) -> (Rows, Vec<ConeBlock>) {
        let slack = slack.map(|slack| (slack, -1.0));
        let mut rows = Rows::default();
        let mut by_equation = vec![Vec::new(); self.right.len()];
        self.entries
            .iter()
            .for_each(|&(equation, unknown, value)| by_equation[equation].push((unknown, value)));
        for (row, right) in by_equation.iter().zip(&self.right) {
            rows.push(row.iter().copied(), *right);
        }
        let mut cones: Vec<ConeBlock> = vec![ConeBlock::Zero(self.right.len())];
        if !self.pushing.is_empty() {
            self.pushing.iter().for_each(|&normal| rows.push([(normal, -1.0)].into_iter().chain(slack), 0.0));
            cones.push(ConeBlock::Nonnegative(self.pushing.len()));
        }
        for (group, bound) in &self.disks {
            // divided by 1 + μ, so that wide cones do not drown the others
            let (normal, narrow, constant) = match *bound {
                Bound::Cone(normal, mu) => (Some((normal, -mu / (1.0 + mu))), 1.0 / (1.0 + mu), 0.0),
                Bound::Cap(cap) => (None, 1.0, cap),
            };
            let edge = || normal.into_iter().chain(slack);
            if group.len() == 1 {
                for side in [narrow, -narrow] {
                    rows.push(edge().chain([(group.start, side)]), constant);
                }
                cones.push(ConeBlock::Nonnegative(2));
            } else {
                rows.push(edge(), constant);
                group.clone().for_each(|tangent| rows.push([(tangent, -narrow)].into_iter(), 0.0));
                cones.push(ConeBlock::SecondOrder(1 + group.len()));
            }
        }
        (rows, cones)
    }

    /// Brings unknowns inside their borders: pushes first, then the groups they bound.
    pub fn clip(&self, x: &mut [f64]) {
        self.pushing.iter().for_each(|&normal| x[normal] = x[normal].max(0.0));
        for (group, bound) in &self.disks {
            let most = match *bound {
                Bound::Cone(normal, mu) => {
                    x[normal] = x[normal].max(0.0);
                    mu * x[normal]
                }
                Bound::Cap(cap) => cap,
            };
            let length = group.clone().map(|k| x[k] * x[k]).sum::<f64>().sqrt();
            if length > most {
                group.clone().for_each(|k| x[k] *= most / length);
            }
        }
    }

    /// The unknowns of impulses of the rows of the part.
    pub fn unknowns_of<const D: usize>(&self, r: &[Vector<D>]) -> Vec<f64> {
        self.unknowns.iter().map(|&(index, component, unit)| r[index][component] / unit).collect()
    }

    /// The impulses of the rows of the part, admissible ones.
    pub fn impulses<const D: usize>(&self, part: &Part<D>, x: &[f64]) -> Vec<Vector<D>> {
        let mut r = vec![Vector::<D>::zeros(); part.rows.len()];
        for (&(index, component, unit), x) in self.unknowns.iter().zip(x) {
            r[index][component] = x * unit;
        }
        for (r, &row) in r.iter_mut().zip(part.rows) {
            if followed(part, row).is_none() {
                *r = part.problem.sets[row].settle(r);
            }
        }
        r
    }
}

/// The row whose normal impulse a threshold follows, and the factor.
fn followed<const D: usize>(part: &Part<D>, row: usize) -> Option<(usize, f64)> {
    let found = part.followed.binary_search_by_key(&row, |followed| followed.0).ok()?;
    Some((part.followed[found].1, part.followed[found].2))
}

/// What bounds the impulse of a row.
enum Kept {
    Set(Set),
    /// A threshold that follows an unknown.
    Following(usize, f64),
}

/// The equations: one for each component of a body that can move.
struct Loads {
    equations: HashMap<u32, Vec<Option<usize>>>,
    right: Vec<f64>,
    /// The body of every equation, of those with equations.
    bodies: Vec<u32>,
}

impl Loads {
    fn new<const D: usize>(part: &Part<D>, arm: f64) -> Self {
        let (mut equations, mut right, mut owners) = (HashMap::new(), Vec::new(), Vec::new());
        let mut held = 0;
        for &body in part.bodies {
            let bodies = part.problem.w.bodies();
            let free = &part.free[bodies.dofs(body).range()];
            let of_dof = |(dof, &inverse_mass): (usize, &f64)| {
                (inverse_mass > 0.0).then(|| {
                    right.push(-free[dof] / inverse_mass * lever::<D>(dof, arm));
                    right.len() - 1
                })
            };
            equations.insert(body as u32, bodies.inverse_mass(body).iter().enumerate().map(of_dof).collect());
            held += u32::from(right.len() > owners.len());
            owners.resize(right.len(), held.saturating_sub(1));
        }
        Self { equations, right, bodies: owners }
    }
}

/// What the equation of a component is multiplied with: spins come behind the `D` velocities.
fn lever<const D: usize>(dof: usize, arm: f64) -> f64 {
    if dof < D { 1.0 } else { 1.0 / arm }
}

/// Whether a component of a row is the velocity of a point and not a spin.
fn is_push<const D: usize>(row: &Row<D>, component: usize) -> bool {
    row.h.iter().any(|h| h.iter().take(D).any(|column| column[component] != 0.0))
}

/// The longest arm of any impulse of the part \[m\], or 1 where there is none.
fn longest_arm<const D: usize>(part: &Part<D>) -> f64 {
    let mut longest = 0.0_f64;
    for &row in part.rows {
        let row = &part.problem.w.pair(row);
        for component in (0..D).filter(|&component| is_push(row, component)) {
            for (side, h) in row.h.iter().enumerate() {
                if part.bodies.binary_search(&(row.bodies[side] as usize)).is_ok() {
                    h.iter().skip(D).for_each(|column| longest = longest.max(column[component].abs()));
                }
            }
        }
    }
    if longest > 0.0 && longest.is_finite() { longest } else { 1.0 }
}

/// The impulse that counts as 1 in every component; nothing where the component moves no body.
fn units<const D: usize>(row: &Row<D>, size: f64, arm: f64) -> [f64; D] {
    std::array::from_fn(|component| {
        if is_push(row, component) {
            size
        } else if row.h.iter().any(|h| h.iter().skip(D).any(|column| column[component] != 0.0)) {
            size * arm
        } else {
            0.0
        }
    })
}
