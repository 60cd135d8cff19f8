//! The Clausius–Duhem inequality, contact by contact: no interaction may give more work than it takes.
//! Judges; changes nothing.

use crate::Simulation;
use drystone_contact::Interaction;
use drystone_math::Matrix;
use drystone_problem::in_pieces;
use drystone_state::BodyId;
use std::ops::Range;

/// How many times the error a converged solve may leave in the work of a contact counts as a violation.
const SLACK: f64 = 10.0;

/// What the contacts of a step dissipated, with the mean velocities `U^Σ = (u_begin + u)/2` (Dal Pont, Dimnet
/// 2008, eq. 10 and 11): `−r·U^Σ` at every contact, less what it stored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dissipation {
    /// Of all contacts together \[J\].
    pub total: f64,
    /// Of the contact with the least \[J\]; 0 without contacts.
    pub least: f64,
    /// Contacts that gave work beyond what the tolerance of the solver explains.
    pub violations: u32,
    /// The work that these gave \[J\].
    pub given: f64,
    /// The bodies of the worst of them.
    pub worst: Option<[BodyId; 2]>,
}

impl Dissipation {
    /// That of two parts of a step.
    pub(crate) fn with(&self, more: &Self) -> Self {
        Self {
            total: self.total + more.total,
            least: self.least.min(more.least),
            violations: self.violations + more.violations,
            given: self.given + more.given,
            worst: more.worst.or(self.worst),
        }
    }
}

impl<const D: usize> Simulation<D> {
    /// Takes stock of a step solved to a residual, given the sum of the squares of the impulses of its
    /// contacts; `block` gives the diagonal block of a contact.
    ///
    /// A residual ε leaves errors of about ε times the rms impulse in an impulse, and that times the
    /// compliance in a velocity. Work within ten times what these come to at a contact is rounding.
    pub(crate) fn dissipation(
        &self,
        residual: f64,
        squares: f64,
        block: impl Fn(usize) -> Matrix<D, D> + Sync,
    ) -> Dissipation {
        let contacts = &self.interactions;
        let rms = (squares / contacts.len().max(1) as f64).sqrt();
        let error = residual.max(self.settings.solver.tolerance) * rms;
        let piece = |piece: Range<usize>| {
            let mut found = Stock::default();
            for (index, contact) in piece.clone().zip(&contacts[piece]) {
                let mean = (contact.u_begin + contact.u) * 0.5;
                let compliance = block(index).trace() / D as f64;
                let allowed = SLACK * error * (mean.norm() + compliance * (contact.r.norm() + rms));
                found.count(contact, allowed);
            }
            found
        };
        in_pieces(contacts.len(), piece, Stock::add).found
    }
}

/// The contacts of a piece.
#[derive(Default)]
struct Stock {
    found: Dissipation,
    /// By how much the worst one gave more than it was allowed to, negative \[J\].
    farthest: f64,
    any: bool,
}

impl Stock {
    /// Counts a contact that may give so much.
    fn count<const D: usize>(&mut self, contact: &Interaction<D>, allowed: f64) {
        let (found, given) = (&mut self.found, contact.spent.total() - contact.spent.stored);
        found.total += given;
        found.least = if self.any { found.least.min(given) } else { given };
        self.any = true;
        if given < -allowed {
            found.violations += 1;
            found.given -= given;
            if given + allowed < self.farthest {
                self.farthest = given + allowed;
                found.worst = Some(contact.bodies);
            }
        }
    }

    fn add(&mut self, other: Self) {
        let (found, more) = (&mut self.found, other.found);
        found.total += more.total;
        found.least = if self.any { found.least.min(more.least) } else { more.least };
        self.any |= other.any;
        found.violations += more.violations;
        found.given += more.given;
        if other.farthest < self.farthest {
            (self.farthest, found.worst) = (other.farthest, more.worst);
        }
    }
}
