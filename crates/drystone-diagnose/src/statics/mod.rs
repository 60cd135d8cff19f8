//! Statics of rigid bodies on the same rows of H as the dynamics: admissible forces, the largest multiplier
//! of a load, mechanisms, and how far forces are open. Finds no contact and moves no body.
//!
//! Forces `r` balance the loads, `Hᵀ r + f = 0`, and stay in the sets of their contacts. That is a cone
//! programme, and its multipliers are velocities: the static and the kinematic theorem of limit analysis are
//! the two sides of it (Drucker 1954; Livesley 1978; Portioli et al. 2014).

mod bounds;
mod coulomb;
mod forces;
mod limit;
mod program;
mod proven;
mod reserve;

pub use bounds::{Functional, Open, OpenForces};
pub use coulomb::Coulomb;
pub use limit::{Limit, Multiplier};
pub use reserve::Rest;

use drystone_math::{PerDof, rigid_dofs};
use drystone_problem::{PairRow, Set, Vector};
use forces::Equation;
use thiserror::Error;

/// Why a question has no answer.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StaticsError {
    /// The interior point gave up.
    #[error("the cone programme was not solved ({status})")]
    Program {
        /// What it said.
        status: String,
    },
}

/// What the force at one row may be: `r + offset` is in the set, thresholds in \[N\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold<const D: usize> {
    /// The set, with forces in the place of impulses.
    pub set: Set,
    /// Added to the force \[N\]: the cohesion of a bond.
    pub offset: Vector<D>,
    /// A row and a factor: the threshold of friction is the factor times that row's normal force.
    pub follows: Option<(usize, f64)>,
}

impl<const D: usize> Hold<D> {
    /// The set and nothing else.
    pub fn new(set: Set) -> Self {
        Self { set, offset: Vector::zeros(), follows: None }
    }
}

/// Rigid bodies and what holds them, in one configuration.
#[derive(Clone, Debug)]
pub struct Structure<const D: usize> {
    /// Rows of H.
    pub rows: Vec<PairRow<D>>,
    /// What the force of each row may be.
    pub holds: Vec<Hold<D>>,
    /// The rows of each joint: the points where two bodies touch along one face. Every row is in one of them.
    pub joints: Vec<Vec<usize>>,
    /// Which components of each body are free to move; the others are supports.
    pub free: Vec<PerDof<D, bool>>,
}

/// Forces and moments on all bodies, conjugate to their velocities \[N, N m\].
pub type Loads<const D: usize> = Vec<PerDof<D>>;

impl<const D: usize> Structure<D> {
    /// `Hᵀ r + dead + λ live = 0`, an equation for each component that is free and touched by anything.
    fn equations(&self, dead: &[PerDof<D>], live: Option<&[PerDof<D>]>) -> Vec<Equation> {
        let mut place = vec![PerDof::<D, usize>::repeat(usize::MAX); self.free.len()];
        let mut equations = Vec::new();
        for (body, component) in self.freedoms() {
            place[body][component] = equations.len();
            let of = |loads: &[PerDof<D>]| loads.get(body).map_or(0.0, |load| load[component]);
            equations.push(Equation { terms: Vec::new(), live: live.map_or(0.0, of), dead: of(dead) });
        }
        for (alpha, row) in self.rows.iter().enumerate() {
            for side in 0..2 {
                let body = row.bodies[side] as usize;
                let Some(place) = place.get(body) else { continue };
                for component in (0..rigid_dofs(D)).filter(|&component| place[component] != usize::MAX) {
                    let terms = &mut equations[place[component]].terms;
                    let column = &row.h[side][component];
                    terms.extend((0..D).filter(|&i| column[i] != 0.0).map(|i| (alpha, i, column[i])));
                }
            }
        }
        equations
    }

    /// Bodies and components that can move.
    fn freedoms(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let free = move |body: usize| (0..rigid_dofs(D)).filter(move |&component| self.free[body][component]);
        (0..self.free.len()).flat_map(move |body| free(body).map(move |component| (body, component)))
    }

    /// Largest force on any body \[N\], the unit of all programmes; 1 where nothing is loaded.
    fn scale(&self, loads: &[&[PerDof<D>]]) -> f64 {
        let largest = |loads: &[PerDof<D>]| {
            let free = self.freedoms().filter(|&(_, component)| component < D);
            free.fold(0.0, |size: f64, (body, component)| {
                size.max(loads.get(body).map_or(0.0, |load| load[component].abs()))
            })
        };
        let scale = loads.iter().map(|loads| largest(loads)).fold(0.0, f64::max);
        if scale > 0.0 && scale.is_finite() { scale } else { 1.0 }
    }

    /// Velocities of all bodies from the multipliers of the equations.
    fn velocities(&self, equations: &[Equation], sizes: &[f64], multipliers: &[f64]) -> Vec<PerDof<D>> {
        let mut velocities = vec![PerDof::zeros(); self.free.len()];
        for (equation, (body, component)) in self.freedoms().enumerate().take(equations.len()) {
            velocities[body][component] = -multipliers[equation] / sizes[equation];
        }
        velocities
    }

    /// Relative velocities of all rows.
    pub fn relative(&self, velocities: &[PerDof<D>]) -> Vec<Vector<D>> {
        let of = |row: &PairRow<D>, side: usize| match velocities.get(row.bodies[side] as usize) {
            Some(velocity) => row.h[side].times(velocity),
            None => Vector::zeros(),
        };
        self.rows.iter().map(|row| of(row, 0) + of(row, 1)).collect()
    }

    /// How far forces are from balancing loads, the largest component over all bodies \[N, N m\].
    pub fn imbalance(&self, forces: &[Vector<D>], loads: &[PerDof<D>]) -> f64 {
        let equations = self.equations(loads, None);
        let sum = |equation: &Equation| {
            let terms = equation.terms.iter().map(|&(row, i, coefficient)| coefficient * forces[row][i]);
            (terms.sum::<f64>() + equation.dead).abs()
        };
        equations.iter().map(sum).fold(0.0, f64::max)
    }

    /// Power of loads on velocities \[W\].
    pub fn power(loads: &[PerDof<D>], velocities: &[PerDof<D>]) -> f64 {
        loads.iter().zip(velocities).map(|(load, velocity)| load.dot(velocity)).sum()
    }
}
