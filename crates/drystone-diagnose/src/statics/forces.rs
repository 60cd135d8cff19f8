//! Forces at contacts as unknowns of a cone programme: which components there are, the balance they keep, and
//! the sets they stay in. Asks no question of them.

use super::Hold;
use super::program::{Affine, Program};
use drystone_problem::{Set, Vector};
use std::ops::Range;

/// Friction from here on, 89.99° to the side, is taken for infinite: wider cones cost the interior point its
/// digits.
pub(super) const WIDEST: f64 = 1e4;

/// What is known of a row beside its set: what its relative velocity leaves of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode<const D: usize> {
    /// Anything in the set.
    Whole,
    /// No force.
    Open,
    /// Friction at its threshold, against this velocity.
    Slides(Vector<D>),
}

/// One equation of balance: `Σ coefficients · r + live λ + right = 0`.
#[derive(Clone, Debug, Default)]
pub(super) struct Equation {
    /// Row, component and coefficient.
    pub terms: Vec<(usize, usize, f64)>,
    /// What the multiplier adds.
    pub live: f64,
    /// What is there anyway.
    pub dead: f64,
}

/// Forces in balance. All of them in units of `scale`.
#[derive(Clone)]
pub(super) struct Forces<'a, const D: usize> {
    pub equations: &'a [Equation],
    pub holds: &'a [Hold<D>],
    pub modes: Vec<Mode<D>>,
    pub scale: f64,
    /// The unknown of each component, where it is one.
    index: Vec<[Option<usize>; D]>,
    unknowns: usize,
}

/// How forces enter a programme.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry<'a> {
    /// The unknown that is the multiplier of the live load.
    pub live: Option<usize>,
    /// The unknown by which all sets are widened.
    pub slack: Option<usize>,
    /// The unknown in the place of 1, where a ratio is sought.
    pub unit: Option<usize>,
    /// The share of its capacity that no joint may use, and the joints.
    pub spared: Option<(f64, &'a [Vec<usize>])>,
}

impl<'a, const D: usize> Forces<'a, D> {
    pub fn new(equations: &'a [Equation], holds: &'a [Hold<D>], modes: Vec<Mode<D>>, scale: f64) -> Self {
        let mut works = vec![[false; D]; holds.len()];
        for equation in equations {
            equation.terms.iter().filter(|term| term.2 != 0.0).for_each(|&(row, i, _)| works[row][i] = true);
        }
        let mut forces = Self { equations, holds, modes, scale, index: Vec::new(), unknowns: 0 };
        for (row, works) in works.iter().enumerate() {
            let mut index = [None; D];
            for component in 0..D {
                // a component that moves nothing, or can be nothing, would leave the programme without
                // interior
                if works[component] && forces.may(row, component) {
                    index[component] = Some(forces.unknowns);
                    forces.unknowns += 1;
                }
            }
            forces.index.push(index);
        }
        forces
    }

    /// Whether a component can be anything but zero.
    fn may(&self, row: usize, component: usize) -> bool {
        if self.modes[row] == Mode::Open {
            return false;
        }
        let hold = &self.holds[row];
        match hold.set {
            Set::Bilateral { rows } => component < rows,
            // friction under load is left out: it is no cone
            Set::Bearing { held, base, .. } => component < held || base > 0.0,
            _ if component == 0 => true,
            Set::Coulomb { mu } => mu > 0.0,
            Set::Orowan { mu, cap } => mu > 0.0 && cap > 0.0,
            Set::Tresca { cap } => cap > 0.0 || hold.follows.is_some(),
            Set::Rolling { mu, rolling, twisting, .. } => {
                let parts = hold.set.frictions::<D>().into_iter();
                let mut arms = parts.zip([mu, rolling, twisting.unwrap_or(0.0)]);
                arms.any(|(part, arm)| arm > 0.0 && part.contains(&component))
            }
        }
    }

    /// A programme of these forces. The unknowns of the entry come behind those of the forces; see
    /// [`Self::extra`].
    pub fn program(&self, extras: usize, entry: &Entry) -> Program {
        let mut program = Program::new(self.unknowns + extras);
        for equation in self.equations {
            program.equal(self.balance(equation, entry));
        }
        for row in 0..self.holds.len() {
            match self.modes[row] {
                Mode::Open => {}
                Mode::Whole => self.admit(row, &mut program, entry),
                Mode::Slides(velocity) => self.slide(row, &velocity, &mut program, entry),
            }
        }
        if let Some((share, joints)) = entry.spared {
            joints.iter().for_each(|joint| self.spare(share, joint, &mut program, entry));
        }
        program
    }

    /// Number of the `k`-th unknown that is no force.
    pub fn extra(&self, k: usize) -> usize {
        self.unknowns + k
    }

    /// The size by which an equation is divided: its largest coefficient.
    pub fn size(&self, equation: &Equation) -> f64 {
        let size = equation.terms.iter().fold(0.0, |size: f64, term| size.max(term.2.abs()));
        if size > 0.0 { size } else { 1.0 }
    }

    fn balance(&self, equation: &Equation, entry: &Entry) -> Affine {
        let size = self.size(equation);
        let terms = equation.terms.iter();
        let mut row = Affine {
            terms: terms.filter_map(|&(row, i, c)| Some((self.index[row][i]?, c / size))).collect(),
            constant: 0.0,
        };
        let scale = size * self.scale;
        if let Some(live) = entry.live.filter(|_| equation.live != 0.0) {
            row.terms.push((live, equation.live / scale));
        }
        row.plus(&self.fixed(equation.dead / scale, entry))
    }

    /// A given number, or so many times the unknown in the place of 1.
    fn fixed(&self, number: f64, entry: &Entry) -> Affine {
        match entry.unit {
            Some(unit) if number != 0.0 => Affine::of(unit).times(number),
            Some(_) => Affine::default(),
            None => Affine::constant(number),
        }
    }

    /// A component in the variables of its set.
    fn component(&self, row: usize, component: usize, entry: &Entry) -> Affine {
        let own = self.index[row][component].map_or_else(Affine::default, Affine::of);
        own.plus(&self.fixed(self.holds[row].offset[component] / self.scale, entry))
    }

    fn tangents(&self, row: usize, components: Range<usize>, entry: &Entry) -> Vec<Affine> {
        let kept = components.filter(|&i| self.index[row][i].is_some());
        kept.map(|i| self.component(row, i, entry)).collect()
    }

    /// `‖r_T‖ ≤ factor · bound`, divided by `1 + factor` so that wide cones do not drown the others.
    fn disk(
        &self,
        program: &mut Program,
        tangents: Vec<Affine>,
        (factor, bound): (f64, Affine),
        entry: &Entry,
    ) {
        let factor = factor * (1.0 - entry.spared.map_or(0.0, |(share, _)| share));
        if tangents.is_empty() || factor >= WIDEST {
            return;
        }
        let mut bound = bound.times(factor / (1.0 + factor));
        if let Some(slack) = entry.slack {
            bound.terms.push((slack, 1.0));
        }
        let tangents = tangents.into_iter().map(|tangent| tangent.times(1.0 / (1.0 + factor))).collect();
        program.cone(bound, tangents);
    }

    fn push(&self, program: &mut Program, mut normal: Affine, entry: &Entry) {
        if let Some(slack) = entry.slack {
            normal.terms.push((slack, 1.0));
        }
        if !normal.terms.is_empty() {
            program.positive(normal);
        }
    }

    /// The force of a row stays in its set.
    fn admit(&self, row: usize, program: &mut Program, entry: &Entry) {
        let hold = &self.holds[row];
        let normal = || self.component(row, 0, entry);
        let one = |cap: f64| (1.0, self.fixed(cap / self.scale, entry));
        let sliding = self.tangents(row, hold.set.tangential::<D>(), entry);
        if matches!(hold.set, Set::Bilateral { .. }) {
            return;
        }
        if self.index[row][0].is_some() && !matches!(hold.set, Set::Bearing { .. }) {
            self.push(program, normal(), entry);
        }
        match hold.set {
            Set::Coulomb { mu } => self.disk(program, sliding, (mu, normal()), entry),
            Set::Orowan { mu, cap } => {
                self.disk(program, sliding.clone(), (mu, normal()), entry);
                self.disk(program, sliding, one(cap), entry);
            }
            Set::Tresca { cap } => match hold.follows {
                Some((other, factor)) => {
                    let bound = self.component(other, 0, entry);
                    self.disk(program, sliding, (factor, bound), entry);
                }
                None => self.disk(program, sliding, one(cap), entry),
            },
            Set::Rolling { mu, rolling, twisting, .. } => {
                let [_, rolls, twists] = hold.set.frictions::<D>();
                self.disk(program, sliding, (mu, normal()), entry);
                for (part, arm) in [(rolls, rolling), (twists, twisting.unwrap_or(0.0))] {
                    self.disk(program, self.tangents(row, part, entry), (arm, normal()), entry);
                }
            }
            Set::Bearing { base, .. } => {
                for part in hold.set.frictions::<D>() {
                    self.disk(program, self.tangents(row, part, entry), one(base), entry);
                }
            }
            Set::Bilateral { .. } => {}
        }
    }

    /// Friction is at its threshold and against the velocity. Where the threshold has a cap that may or may
    /// not be reached, friction is anything up to it: the programme then bounds from outside.
    fn slide(&self, row: usize, velocity: &Vector<D>, program: &mut Program, entry: &Entry) {
        let hold = &self.holds[row];
        let range = hold.set.tangential::<D>();
        let speed = velocity.rows_range(range.clone()).norm();
        let normal = self.component(row, 0, entry);
        if self.index[row][0].is_some() {
            program.positive(normal.clone());
        }
        let friction = match hold.set {
            Set::Coulomb { mu } | Set::Rolling { mu, .. } => normal.clone().times(mu),
            Set::Tresca { cap } => self.fixed(cap / self.scale, entry),
            Set::Orowan { mu, cap } => {
                let friction = Affine::of(program.unknown());
                program.positive(friction.clone());
                program.positive(normal.clone().times(mu).plus(&friction.clone().times(-1.0)));
                program.positive(self.fixed(cap / self.scale, entry).plus(&friction.clone().times(-1.0)));
                friction
            }
            Set::Bilateral { .. } | Set::Bearing { .. } => return,
        };
        for component in range.filter(|&i| self.index[row][i].is_some()) {
            let along = friction.clone().times(velocity[component] / speed);
            program.equal(self.component(row, component, entry).plus(&along));
        }
        if let Set::Rolling { rolling, twisting, .. } = hold.set {
            let [_, rolls, twists] = hold.set.frictions::<D>();
            for (part, arm) in [(rolls, rolling), (twists, twisting.unwrap_or(0.0))] {
                self.disk(program, self.tangents(row, part, entry), (arm, normal.clone()), entry);
            }
        }
    }

    /// Every point of a joint keeps this share of the mean normal force, so that the resultant keeps its
    /// distance from the border of the joint.
    fn spare(&self, share: f64, joint: &[usize], program: &mut Program, entry: &Entry) {
        let pushing = |row: &&usize| {
            !matches!(self.holds[**row].set, Set::Bilateral { .. } | Set::Bearing { .. })
                && self.index[**row][0].is_some()
        };
        let points: Vec<usize> = joint.iter().filter(pushing).copied().collect();
        if points.len() < 2 {
            return;
        }
        let each = -share / points.len() as f64;
        let mean =
            points.iter().fold(Affine::default(), |sum, &row| sum.plus(&self.component(row, 0, entry)));
        for &row in &points {
            let kept = self.component(row, 0, entry).plus(&mean.clone().times(each));
            self.push(program, kept, entry);
        }
    }

    /// The forces of a point \[N\], those of the laws and not of the sets.
    pub fn read(&self, x: &[f64]) -> Vec<Vector<D>> {
        let component = |index: Option<usize>| index.map_or(0.0, |index| self.scale * x[index]);
        self.index.iter().map(|index| Vector::from_fn(|i, _| component(index[i]))).collect()
    }

    /// A linear functional of the forces as a cost, in units of the scale.
    pub fn cost(&self, functional: &[(usize, Vector<D>)]) -> Vec<(usize, f64)> {
        let mut cost = Vec::new();
        for (row, weights) in functional {
            for component in 0..D {
                if let (Some(unknown), true) = (self.index[*row][component], weights[component] != 0.0) {
                    cost.push((unknown, weights[component]));
                }
            }
        }
        cost
    }
}
