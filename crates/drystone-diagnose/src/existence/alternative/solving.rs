//! The programme solved, at a vertex or by an interior point, within the work that is left. Judges nothing.

use super::super::ExistenceError;
use super::{Contest, Question, VERTEX, params, refused};
use drystone_cones::{ConeAnswer, ConePoint, ConeProgram};

/// Where rays are added a vertex may be lost this often; after one more none is asked for again, since the
/// next programme has the same rows and more.
const LOST: usize = 1;

impl<const D: usize> Contest<'_, D> {
    /// Solves the programme over the rays there are; `None` where there is nothing to go on from.
    pub(super) fn solve(&mut self, question: Question) -> Result<Option<ConePoint>, ExistenceError> {
        let effort = &self.balance.effort;
        if effort.is_spent() {
            return Err(ExistenceError::OutOfWork);
        }
        let program = self.program(question, self.complete || self.equations() <= VERTEX);
        let answer = match self.equations() <= VERTEX {
            true => effort.vertex(&program, &params(), question.share()).map_err(refused)?,
            false => None,
        };
        if let Some(ConeAnswer::Solved(point)) = answer {
            return Ok(Some(point));
        }
        self.lost += usize::from(answer.is_some() && !self.complete);
        if self.lost > LOST {
            return Ok(None);
        }
        self.interior(program, question.share())
    }

    /// What an interior point comes to, solved or not: its point passes the checks or it does not.
    pub(super) fn interior(
        &self,
        program: ConeProgram,
        share: f64,
    ) -> Result<Option<ConePoint>, ExistenceError> {
        let effort = &self.balance.effort;
        if effort.is_spent() {
            return Err(ExistenceError::OutOfWork);
        }
        let answer = effort.interior(program, params(), share).map_err(refused)?;
        Ok(match answer.ok_or(ExistenceError::OutOfWork)? {
            ConeAnswer::Solved(point) | ConeAnswer::Stalled(point) => Some(point),
            ConeAnswer::Infeasible { .. } | ConeAnswer::Unbounded { .. } => None,
        })
    }
}
