//! The least and the largest value of a force over all admissible solutions of a step at the velocities
//! found. Chooses no solution: where the two differ, the forces are open between them.

use super::forces::{Entry, Equation, Forces, Mode};
use super::program::{Affine, Optimum};
use super::{Hold, StaticsError, Structure};
use drystone_math::PerDof;
use drystone_problem::{Delassus, Problem, Set, Vector};

/// Velocities below this, relative to what the largest impulse makes of its contact, count as none. Taking a
/// contact that moves for one that does not makes the bounds wider, never too narrow.
const STILL: f64 = 1e-7;

/// A linear functional of the forces: rows and weights.
pub type Functional<const D: usize> = Vec<(usize, Vector<D>)>;

/// The least and the largest value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Open {
    /// Least; −∞ where there is no bound.
    pub least: f64,
    /// Largest; ∞ where there is no bound.
    pub largest: f64,
}

impl Open {
    /// How far the value is open.
    pub fn width(&self) -> f64 {
        self.largest - self.least
    }
}

/// All admissible forces of one state.
pub struct OpenForces<const D: usize> {
    equations: Vec<Equation>,
    holds: Vec<Hold<D>>,
    modes: Vec<Mode<D>>,
    scale: f64,
}

impl<const D: usize> OpenForces<D> {
    /// All impulses `r'` that give the same velocities as the solution `r`, `W r' = W r`, with the laws
    /// fulfilled at those velocities: none where contacts part, at the threshold and against the motion where
    /// they slide, anything in their set where they rest. All in the variables of the sets \[N s\].
    pub fn of_step<W: Delassus<D>>(problem: &Problem<D, W>, r: &[Vector<D>]) -> Self {
        let u = problem.velocities(r);
        let size = |alpha: usize| problem.w.block(alpha).trace() / D as f64 * r[alpha].norm();
        let fast = STILL * (0..problem.contacts()).map(size).fold(0.0, f64::max);
        let modes: Vec<Mode<D>> =
            (0..problem.contacts()).map(|alpha| mode(&problem.sets[alpha], &u[alpha], fast)).collect();
        let base: Vec<Vector<D>> = (0..problem.contacts())
            .map(|alpha| settled(&problem.sets[alpha], &modes[alpha], &r[alpha]))
            .collect();
        let mut equations: Vec<Equation> = Vec::new();
        let mut place = std::collections::BTreeMap::new();
        for (equation, contact, row) in problem.w.balance() {
            let at = *place.entry(equation).or_insert_with(|| {
                equations.push(Equation::default());
                equations.len() - 1
            });
            let (contact, equation) = (contact as usize, &mut equations[at]);
            equation.dead -= row.dot(&base[contact]);
            equation.terms.extend((0..D).filter(|&i| row[i] != 0.0).map(|i| (contact, i, row[i])));
        }
        let scale = base.iter().map(|r| r.norm()).fold(0.0, f64::max);
        Self {
            equations,
            holds: problem.sets.iter().map(|set| Hold::new(*set)).collect(),
            modes,
            scale: if scale > 0.0 { scale } else { 1.0 },
        }
    }

    /// All forces of a structure at rest under loads \[N\].
    pub fn at_rest(structure: &Structure<D>, loads: &[PerDof<D>]) -> Self {
        Self {
            equations: structure.equations(loads, None),
            holds: structure.holds.clone(),
            modes: vec![Mode::Whole; structure.rows.len()],
            scale: structure.scale(&[loads]),
        }
    }

    fn forces(&self) -> Forces<'_, D> {
        Forces::new(&self.equations, &self.holds, self.modes.clone(), self.scale)
    }

    /// Largest force of the solution the bounds are about, their unit \[N s\] or \[N\].
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Bounds of a linear functional.
    pub fn bounds(&self, functional: &Functional<D>) -> Result<Open, StaticsError> {
        let forces = self.forces();
        let program = forces.program(0, &Entry::default());
        let side = |sign: f64| -> Result<f64, StaticsError> {
            let cost: Vec<_> =
                forces.cost(functional).into_iter().map(|(i, weight)| (i, sign * weight)).collect();
            if cost.is_empty() {
                return Ok(0.0);
            }
            match program.minimise(&cost)? {
                // the outer one of programme and dual
                Optimum::Best { values, .. } => Ok(sign * self.scale * values[0].min(values[1])),
                Optimum::Unbounded => Ok(-sign * f64::INFINITY),
                Optimum::None(_) => Err(StaticsError::Program { status: "no admissible forces".into() }),
            }
        };
        Ok(Open { least: side(1.0)?, largest: side(-1.0)? })
    }

    /// Bounds of a ratio whose denominator is not negative, such as an eccentricity: `None` where the
    /// denominator cannot be anything but zero. The ratio becomes linear once all forces are measured by its
    /// denominator (Charnes, Cooper 1962).
    pub fn ratio(
        &self,
        numerator: &Functional<D>,
        denominator: &Functional<D>,
    ) -> Result<Option<Open>, StaticsError> {
        let forces = self.forces();
        let unit = forces.extra(0);
        let mut program = forces.program(1, &Entry { unit: Some(unit), ..Entry::default() });
        program.positive(Affine::of(unit));
        program.equal(Affine { terms: forces.cost(denominator), constant: -1.0 });
        let side = |sign: f64| -> Result<Option<f64>, StaticsError> {
            let cost: Vec<_> =
                forces.cost(numerator).into_iter().map(|(i, weight)| (i, sign * weight)).collect();
            match program.minimise(&cost)? {
                Optimum::Best { values, .. } => Ok(Some(sign * values[0].min(values[1]))),
                Optimum::Unbounded => Ok(Some(-sign * f64::INFINITY)),
                Optimum::None(_) => Ok(None),
            }
        };
        Ok(match (side(1.0)?, side(-1.0)?) {
            (Some(least), Some(largest)) => Some(Open { least, largest }),
            _ => None,
        })
    }
}

/// What a velocity leaves of a set.
fn mode<const D: usize>(set: &Set, u: &Vector<D>, fast: f64) -> Mode<D> {
    let sliding = u.rows_range(set.tangential::<D>()).norm() > fast;
    match set {
        Set::Bilateral { .. } | Set::Bearing { .. } => Mode::Whole,
        Set::Tresca { .. } if u[0] > fast => match sliding {
            // friction acts across an open gap
            true => Mode::Slides(*u),
            false => Mode::Whole,
        },
        _ if u[0] > fast => Mode::Open,
        _ if sliding => Mode::Slides(*u),
        _ => Mode::Whole,
    }
}

/// The impulse of a solver, brought to the law to the last digit, so that there is one admissible solution
/// for certain.
fn settled<const D: usize>(set: &Set, mode: &Mode<D>, r: &Vector<D>) -> Vector<D> {
    match mode {
        Mode::Open => Vector::zeros(),
        Mode::Whole => set.project(r),
        Mode::Slides(u) => {
            let mut r = set.project(r);
            let range = set.tangential::<D>();
            let speed = u.rows_range(range.clone()).norm();
            let threshold = set.threshold(r[0]);
            range.for_each(|i| r[i] = -threshold * u[i] / speed);
            r
        }
    }
}
