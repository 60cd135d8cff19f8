//! The cone programs over self-balanced impulses, at a vertex or by an interior point. Decides nothing: gives
//! networks and how far they are inside their cones.

use super::balance::{Balance, Cone, widened};
use super::space::Space;
use super::{ExistenceError, MARGIN};
use crate::effort::SMALL;
use drystone_cones::{ConeAnswer, ConeBlock, ConeParams, ConeProgram, ProgramError};
use drystone_math::nalgebra::DVector;

/// Tolerance of the cone program; what is within the margin still counts.
const TOLERANCE: f64 = 1e-12;

/// Up to so many unknowns a linear program, as in the plane, is solved at a vertex; the cost grows with the
/// cube.
const VERTEX: usize = 250;

/// A sum of normal impulses below this, relative to the largest of them, is rounding.
const NOTHING: f64 = 1e-11;

/// Contacts with a smaller share of the strongest impulse do not matter.
const NEGLIGIBLE: f64 = 1e-4;

/// A network, and what may be wrong with it.
pub(super) type Doubtful = (Vec<f64>, Option<ExistenceError>);

/// Self-balanced networks of a problem, friction times a factor.
pub(super) struct Networks<'a, const D: usize> {
    /// The equations and cones.
    pub balance: &'a Balance<D>,
    /// The coordinates.
    pub space: &'a Space,
    /// Factor on all friction.
    pub factor: f64,
    /// How much depth inside its cone counts at each contact; alike where there are none.
    pub weights: Option<&'a [f64]>,
}

impl<const D: usize> Networks<'_, D> {
    /// The network with `Σ x_N = 1` that leaves its cones least (or lies deepest inside, the violation then
    /// negative): `min τ` with `‖x_T‖ ≤ μ x_N + (1 + μ) τ` at every contact. Always bounded, with an
    /// interior: what a threshold of friction needs to be resolved to the tolerance of the program. With
    /// weights, τ counts so many times at each contact. `None` where nothing in the kernel pushes.
    pub fn deepest(&self) -> Result<Option<(f64, Vec<f64>)>, ExistenceError> {
        let dimension = self.space.dimension(self.balance);
        let mut cost = vec![0.0; dimension + 1];
        cost[dimension] = 1.0;
        let Some(answer) = self.coordinates(&cost, true)? else { return Ok(None) };
        let Some(x) = self.normalised(&answer.z[..dimension]) else { return Ok(None) };
        // from the network itself, so that one inside its cones is a certificate however the program ended
        let violation = self.balance.violation(&x, self.factor);
        match answer.doubt {
            Some(error) if violation > MARGIN => self.deepest_of_few(&x).map_or(Err(error), |x| Ok(Some(x))),
            _ => Ok(Some((violation, x))),
        }
    }

    /// A network inside its cones among the contacts that matter in `x`. Contacts that take part in no
    /// network hold the others at the tips of their cones, where an interior point loses its way.
    fn deepest_of_few(&self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        let few = self.balance.part(&self.balance.support(x, NEGLIGIBLE));
        if few.cones.len() == self.balance.cones.len() {
            return None;
        }
        let space = Space::new(&few).ok()??;
        let (violation, part) = Networks { balance: &few, space: &space, factor: self.factor, weights: None }
            .deepest()
            .ok()??;
        (violation <= MARGIN).then(|| (violation.max(0.0), self.balance.lifted(&few, &part)))
    }

    /// The network with `Σ x_N = 1` that works hardest against the motion, and what may be wrong
    /// with it.
    pub fn hardest(&self) -> Result<Option<Doubtful>, ExistenceError> {
        let size = self.balance.velocity.iter().fold(0.0, |size: f64, v| size.max(v.abs()));
        let mut cost = vec![0.0; self.space.dimension(self.balance)];
        for (unknown, velocity) in self.balance.velocity.iter().enumerate() {
            for (column, value) in self.space.row(unknown) {
                cost[column] += value * velocity / size;
            }
        }
        let answer = self.coordinates(&cost, false)?;
        Ok(answer.and_then(|answer| Some((self.normalised(&answer.z)?, answer.doubt))))
    }

    /// Impulses in balance with `Σ x_N = 1`.
    fn normalised(&self, y: &[f64]) -> Option<Vec<f64>> {
        let mut x = self.space.impulses(self.balance, y);
        let sum = self.balance.normal_sum(&x);
        let size = x.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        // in the cones a sum of normal impulses that vanishes is an impulse that vanishes
        if sum.abs() <= NOTHING * size || !size.is_finite() {
            return None;
        }
        x.iter_mut().for_each(|x| *x /= sum);
        Some(x)
    }

    /// Solves a program; where the kernel is a line there is nothing to choose.
    fn coordinates(&self, cost: &[f64], violation: bool) -> Result<Option<Answer>, ExistenceError> {
        if let (Space::Basis(_), 1) = (self.space, self.space.dimension(self.balance)) {
            return Ok(Some(Answer { z: vec![1.0; cost.len()], doubt: None }));
        }
        let answer = self.program(self.space, cost, violation)?;
        match (self.space, answer) {
            (Space::Basis(basis), Some(first)) if first.doubt.is_some() => {
                // the same program in other coordinates rounds otherwise
                let second = self.program(&Space::Whole, &self.impulse_cost(violation), violation)?;
                Ok(Some(match second {
                    Some(second) if second.doubt.is_none() => {
                        let (x, slack) = second.z.split_at(self.balance.unknowns());
                        let z = basis.tr_mul(&DVector::from_column_slice(x));
                        Answer { z: z.iter().chain(slack).copied().collect(), doubt: None }
                    }
                    _ => first,
                }))
            }
            (_, answer) => Ok(answer),
        }
    }

    /// The cost of the impulses themselves: the violation, or the power against the motion.
    fn impulse_cost(&self, violation: bool) -> Vec<f64> {
        let size = self.balance.velocity.iter().fold(f64::MIN_POSITIVE, |size: f64, v| size.max(v.abs()));
        let mut cost = vec![0.0; self.balance.unknowns() + usize::from(violation)];
        match violation {
            true => cost[self.balance.unknowns()] = 1.0,
            false => cost.iter_mut().zip(&self.balance.velocity).for_each(|(c, v)| *c = v / size),
        }
        cost
    }

    /// The cone program over `z = y` or `z = (y, τ)`.
    fn program(
        &self,
        space: &Space,
        cost: &[f64],
        violation: bool,
    ) -> Result<Option<Answer>, ExistenceError> {
        let mut program = ConeProgram::new(cost.len());
        cost.iter().enumerate().for_each(|(column, &value)| program.add_cost(column, value));
        let mut sum = vec![0.0; cost.len()];
        for normal in self.balance.cones.iter().filter_map(|cone| cone.normal) {
            space.row(normal).into_iter().for_each(|(column, value)| sum[column] += value);
        }
        if sum.iter().all(|value| value.abs() <= NOTHING) {
            return Ok(None);
        }
        program.row(sum.into_iter().enumerate(), 1.0);
        let constraints = space.constraints(self.balance);
        constraints.iter().for_each(|row| program.row(row.iter().copied(), 0.0));
        program.cone(ConeBlock::Zero(1 + constraints.len()));
        for (index, cone) in self.balance.cones.iter().enumerate() {
            let weight = self.weights.map_or(1.0, |weights| weights[index]);
            let slack = violation.then(|| (cost.len() - 1, -weight));
            self.cone_rows(&mut program, space, cone, slack);
        }
        self.solve(program)
    }

    /// The rows of one contact: inside its cone, up to the slack.
    fn cone_rows(&self, program: &mut ConeProgram, space: &Space, cone: &Cone, slack: Option<(usize, f64)>) {
        let Some(normal) = cone.normal else { return };
        let times = |unknown: usize, factor: f64| {
            space.row(unknown).into_iter().map(move |(column, value)| (column, factor * value))
        };
        if cone.disks.is_empty() {
            program.row(times(normal, -1.0).chain(slack), 0.0);
            program.cone(ConeBlock::Nonnegative(1));
        }
        for (tangents, mu) in &cone.disks {
            let mu = widened(*mu, self.factor);
            // divided by 1 + μ, so that wide cones do not drown the others
            let (wide, narrow) = (mu / (1.0 + mu), 1.0 / (1.0 + mu));
            if tangents.len() == 1 {
                // one tangent: the cone is two half-planes, exactly
                for side in [narrow, -narrow] {
                    let edge = times(normal, -wide).chain(times(tangents.start, -side)).chain(slack);
                    program.row(edge, 0.0);
                }
                program.cone(ConeBlock::Nonnegative(2));
            } else {
                program.row(times(normal, -wide).chain(slack), 0.0);
                tangents.clone().for_each(|tangent| program.row(times(tangent, -narrow), 0.0));
                program.cone(ConeBlock::SecondOrder(1 + tangents.len()));
            }
        }
    }

    /// Solves a program, at a vertex where it is linear and not too large; `None` where no `z` will do.
    fn solve(&self, program: ConeProgram) -> Result<Option<Answer>, ExistenceError> {
        let failed = |status: String| ExistenceError::Program { status };
        let refused = |error: ProgramError| failed(error.to_string());
        let params = ConeParams { tolerance: TOLERANCE, enough: MARGIN, ..ConeParams::default() };
        let effort = &self.balance.effort;
        if effort.is_spent() {
            return Err(ExistenceError::OutOfWork);
        }
        let vertex = match program.unknowns() <= VERTEX {
            true => effort.vertex(&program, &params, SMALL).map_err(refused)?,
            false => None,
        };
        let answer = match vertex {
            Some(ConeAnswer::Solved(point)) => ConeAnswer::Solved(point),
            _ => {
                let answer = effort.interior(program, params, SMALL).map_err(refused)?;
                answer.ok_or(ExistenceError::OutOfWork)?
            }
        };
        match answer {
            ConeAnswer::Solved(point) => Ok(Some(Answer { z: point.x, doubt: None })),
            ConeAnswer::Infeasible { .. } => Ok(None),
            ConeAnswer::Unbounded { .. } => Err(failed("a cost without bound".into())),
            ConeAnswer::Stalled(point) => {
                // stopped short of the tolerance, yet beyond doubt about the sign
                let (worst, value) = (point.residuals.worst(), point.residuals.values[0]);
                let close = worst <= MARGIN.max(0.1 * value.abs().min(1e-6));
                let doubt = (!close).then(|| failed(format!("residuals of {worst:.1e}")));
                Ok(Some(Answer { z: point.x, doubt }))
            }
        }
    }
}

/// What a solver came to. A point may prove something by itself however it was found.
struct Answer {
    /// The point.
    z: Vec<f64>,
    /// Why it may not be the best.
    doubt: Option<ExistenceError>,
}
