//! One body in time: supports, the operator of the θ-scheme, free velocity, the floating frame, compliance at
//! ports, Newton's method, statics. Contacts come from outside, as impulses.

mod abreast;
mod body;
mod coupled;
mod floating;
mod inertia;
mod ledger;
mod newton;
mod ports;
mod statics;
mod supports;
mod theta;

pub use abreast::{
    ABREAST, ABREAST_FROM, ActionsAbreast, StatesAbreast, abreast, apart, apart_all, largest_squares,
};
pub use body::{FloatingBody, SolidTemplate};
pub use coupled::{Correction, CoupledBody, CoupledEnd};
pub use floating::FloatingFrame;
pub use inertia::SolidInertia;
pub use ledger::SolidLedger;
pub use newton::{KeptMatrix, MatrixPlace, NewtonParams, NewtonReport, NonlinearStep, advance_nonlinear};
pub use ports::{Grip, PortCompliance};
pub use statics::{StaticLoad, StaticParams, StaticSolution, equilibrium};
pub use supports::Supports;
pub use theta::{ImpulsesOnBody, ThetaOperator};

use crate::law::PointHistory;
use crate::model::SolidModel;

/// What must survive from step to step, and into checkpoints.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidState {
    /// Displacement of each degree of freedom \[m\].
    pub displacement: Vec<f64>,
    /// Velocity of each degree of freedom \[m/s\].
    pub velocity: Vec<f64>,
    /// Internal variables of each point, of the last step that converged.
    pub history: Vec<PointHistory>,
}

impl SolidState {
    /// At rest, not deformed.
    pub fn at_rest<const D: usize>(model: &SolidModel<D>) -> Self {
        let zeros = vec![0.0; model.dofs()];
        Self { displacement: zeros.clone(), velocity: zeros, history: model.start() }
    }
}

/// Sum of products, in order.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}
