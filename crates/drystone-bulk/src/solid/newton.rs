//! Deformable bodies whose forces are not linear: Newton's method around the contacts, and what of all
//! deformable bodies must survive from step to step. Solves no contact.

use super::operator::SolidOperator;
use super::{Port, SolidBody, SolidOperators, Solids};
use drystone_elements::SolidError;
use drystone_elements::law::PointHistory;
use drystone_elements::scheme::{Correction, MatrixPlace, NewtonParams, SolidState};
use drystone_math::Vector;
use drystone_state::SolidMemory;
use rayon::prelude::*;
use std::sync::Arc;

/// How far Newton's method is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewtonStage {
    /// All bodies have their ends.
    Converged,
    /// Free velocities or compliances have changed: contacts are to be solved again.
    Contacts,
    /// The same, of bodies that no contact holds.
    Alone,
}

/// A body that found no end of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidFailure {
    /// Index of the body.
    pub body: u32,
    /// Why.
    pub error: SolidError,
}

impl<const D: usize> Solids<D> {
    /// Whether any body is not linear.
    pub fn are_nonlinear(&self) -> bool {
        self.operators.iter().any(|operator| operator.newton().is_some())
    }

    /// The most iterations of Newton's method that a body took in the last step; 0 where all are linear.
    pub fn newton_iterations(&self) -> u32 {
        let taken = self.list.iter().filter_map(|solid| solid.ended.as_ref());
        taken.map(|end| end.iterations as u32).max().unwrap_or(0)
    }

    /// Begins a step of all bodies that are not linear: sets their free velocities.
    pub(super) fn begin_newton(&mut self) -> Result<(), SolidFailure> {
        let list = &self.list;
        let begun: Vec<_> = self
            .operators
            .par_iter_mut()
            .map(|operator| {
                let owner = operator.owner();
                let (own, solid) = (operator.newton_mut()?, &list[owner]);
                let begun = own.begin(&solid.state, &solid.acting, &solid.drive);
                if begun.as_ref().is_ok_and(|(_, is_new)| *is_new) {
                    operator.forget_columns();
                }
                Some((owner, begun))
            })
            .collect();
        for (owner, begun) in begun.into_iter().flatten() {
            let solid = &mut self.list[owner];
            solid.free = begun.map_err(|error| SolidFailure { body: solid.body, error })?.0;
            solid.ended = None;
        }
        Ok(())
    }

    /// Takes impulses that contacts found on ports, body by body and in their axes \[N s\]; says whether they
    /// are to be found again.
    pub fn correct(
        &mut self,
        impulses: &[(u32, Vec<(Port<D>, Vector<D>)>)],
    ) -> Result<NewtonStage, SolidFailure> {
        let held = |body: u32| impulses.binary_search_by_key(&body, |(body, _)| *body);
        let list = &self.list;
        let corrected: Vec<_> = self
            .operators
            .par_iter_mut()
            .map(|operator| {
                let owner = operator.owner();
                let (own, solid) = (operator.newton_mut()?, &list[owner]);
                let on_ports = held(solid.body).map_or(&[][..], |found| &impulses[found].1[..]);
                let mut free = solid.free.clone();
                let done = own.correct(&solid.state, &mut free, &solid.nodal(on_ports));
                let end = own.take_end();
                if done == Ok(Correction::Refactored) {
                    operator.forget_columns();
                }
                Some((owner, done, free, end))
            })
            .collect();
        let mut stage = NewtonStage::Converged;
        for (owner, done, free, end) in corrected.into_iter().flatten() {
            let solid = &mut self.list[owner];
            let done = done.map_err(|error| SolidFailure { body: solid.body, error })?;
            (solid.free, solid.ended) = (free, end);
            stage = match (done, held(solid.body).is_ok()) {
                (Correction::Converged, _) => stage,
                (_, true) => NewtonStage::Contacts,
                (_, false) if stage == NewtonStage::Contacts => stage,
                (_, false) => NewtonStage::Alone,
            };
        }
        Ok(stage)
    }

    /// Makes all operators for another step \[s\]; gives those there were, for [`Self::put_back`].
    pub fn change_step(
        &mut self,
        h: f64,
        theta: f64,
        newton: NewtonParams,
    ) -> Result<SolidOperators<D>, SolidFailure> {
        let make = |operator: &SolidOperator<D>| {
            let body = self.list[operator.owner()].body;
            operator.for_step(h, theta, newton).map_err(|error| SolidFailure { body, error })
        };
        let made: Vec<_> = self.operators.par_iter().map(make).collect();
        let made = made.into_iter().collect::<Result<_, _>>()?;
        Ok(SolidOperators(std::mem::replace(&mut self.operators, made)))
    }

    /// Goes on with operators that were there before.
    pub fn put_back(&mut self, SolidOperators(operators): SolidOperators<D>) {
        self.operators = operators;
    }

    /// Where the matrices of bodies that are not linear were made, in the order of the bodies.
    pub fn matrix_places(&self) -> Vec<Option<Arc<MatrixPlace>>> {
        match self.are_nonlinear() {
            true => self.list.iter().map(|solid| self.matrix_place(solid).cloned()).collect(),
            false => Vec::new(),
        }
    }

    fn matrix_place(&self, solid: &SolidBody<D>) -> Option<&Arc<MatrixPlace>> {
        self.operator(solid).newton().and_then(|own| own.matrix_place())
    }

    /// Takes matrices back to where they were made; those that are there stay. False where one cannot be
    /// made.
    pub fn set_matrix_places(&mut self, places: &[Option<Arc<MatrixPlace>>]) -> bool {
        for (number, place) in places.iter().enumerate().take(self.list.len()) {
            if self.matrix_place(&self.list[number]) == place.as_ref() {
                continue;
            }
            let operator = &mut self.operators[self.list[number].operator];
            operator.forget_columns();
            let made = operator.newton_mut().map(|own| own.set_matrix_place(place.as_ref()));
            if !matches!(made, None | Some(Ok(()))) {
                return false;
            }
        }
        true
    }

    /// What must survive.
    pub fn memory(&self) -> Vec<SolidMemory> {
        let kept = |solid: &SolidBody<D>| {
            let place = self.matrix_place(solid);
            SolidMemory {
                displacement: solid.state.displacement.clone(),
                velocity: solid.state.velocity.clone(),
                history: numbers(&solid.state.history),
                matrix_displacement: place.map_or_else(Vec::new, |place| place.displacement.clone()),
                matrix_history: place.map_or_else(Vec::new, |place| numbers(&place.history)),
            }
        };
        self.list.iter().map(kept).collect()
    }

    /// Takes it back; false where it is that of other bodies.
    pub fn restore(&mut self, memory: &[SolidMemory]) -> bool {
        if memory.len() != self.list.len() {
            return false;
        }
        let read = |(solid, kept): (&SolidBody<D>, &SolidMemory)| self.read(solid, kept);
        let Some(read) = self.list.iter().zip(memory).map(read).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let (states, places): (Vec<_>, Vec<_>) = read.into_iter().unzip();
        let (states, stored): (Vec<_>, Vec<f64>) = states.into_iter().unzip();
        if !self.set_matrix_places(&places) {
            return false;
        }
        for ((solid, state), stored) in self.list.iter_mut().zip(states).zip(stored) {
            (solid.state, solid.stored) = (state, stored);
        }
        self.forget_sides();
        true
    }

    /// A state with its free energy, and where its matrix was made.
    #[expect(clippy::type_complexity, reason = "two things that are taken apart at once")]
    fn read(
        &self,
        solid: &SolidBody<D>,
        kept: &SolidMemory,
    ) -> Option<((SolidState, f64), Option<Arc<MatrixPlace>>)> {
        let dofs = solid.state.displacement.len();
        let fits = |list: &[f64]| list.len() == dofs;
        let history = |numbers: &[f64]| history_of(&solid.state.history, numbers);
        if !fits(&kept.displacement) || !fits(&kept.velocity) {
            return None;
        }
        let state = SolidState {
            displacement: kept.displacement.clone(),
            velocity: kept.velocity.clone(),
            history: history(&kept.history)?,
        };
        let Some(own) = self.operator(solid).newton() else { return Some(((state, 0.0), None)) };
        let place = match kept.matrix_displacement.is_empty() {
            true => None,
            false if !fits(&kept.matrix_displacement) => return None,
            false => {
                let displacement = kept.matrix_displacement.clone();
                Some(Arc::new(MatrixPlace { displacement, history: history(&kept.matrix_history)? }))
            }
        };
        let stored = own.stored(&state).ok()?;
        Some(((state, stored), place))
    }
}

/// Internal variables as numbers, point after point.
fn numbers(history: &[PointHistory]) -> Vec<f64> {
    history.iter().flat_map(PointHistory::to_numbers).collect()
}

/// And back, for points that remember alike.
fn history_of(like: &[PointHistory], numbers: &[f64]) -> Option<Vec<PointHistory>> {
    let Some(first) = like.first() else { return numbers.is_empty().then(Vec::new) };
    let each = first.to_numbers().len();
    if numbers.len() != each * like.len() {
        return None;
    }
    match each {
        0 => Some(like.to_vec()),
        _ => numbers.chunks_exact(each).map(|numbers| first.from_numbers(numbers)).collect(),
    }
}
