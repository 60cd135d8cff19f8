//! What to change about a solve that did not converge, in words. Changes nothing itself.

use crate::{Method, Params, Verdict};
use std::fmt;

/// Something to change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Remedy {
    /// Allow more iterations than there were.
    MoreIterations {
        /// Those there were.
        now: u32,
    },
    /// Let the solver finish with Newton's method.
    Method,
    /// Start from the impulses of the last step.
    Memory,
    /// A tolerance that rounding does not reach.
    Tolerance {
        /// The one there was.
        now: f64,
    },
    /// Less friction: all coefficients times less than this.
    Friction {
        /// The factor, below 1.
        below: f64,
    },
    /// A law whose friction has an upper bound.
    BoundedFriction,
    /// Prescribe forces instead of motion.
    Loads,
    /// Bodies that overlap or are squeezed without any friction: look at the geometry.
    Geometry,
    /// Numbers that make no sense.
    Numbers,
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::MoreIterations { now } => write!(f, "allow more than {now} iterations"),
            Self::Method => f.write_str("let the method \"auto\" finish with Newton's method"),
            Self::Memory => f.write_str("start from the impulses of the last step (memory)"),
            Self::Tolerance { now } => write!(f, "ask for less than {now:e}, which rounding does not reach"),
            Self::Friction { below } => write!(f, "multiply all friction by less than {below:.10}"),
            Self::BoundedFriction => f.write_str("take a law whose friction is bounded (Orowan, Tresca)"),
            Self::Loads => f.write_str("push with a load instead of a prescribed motion"),
            Self::Geometry => f.write_str("make room: these bodies are squeezed even without friction"),
            Self::Numbers => f.write_str("mend the numbers of these contacts"),
        }
    }
}

/// What may be changed about a solve with these parameters, the most promising first. `friction` is the
/// common factor on all friction below which the step is sure to have a solution, where it is known.
pub fn remedies(verdict: Verdict, friction: Option<f64>, params: &Params) -> Vec<Remedy> {
    let mut remedies = Vec::new();
    match verdict {
        Verdict::BadInput => remedies.push(Remedy::Numbers),
        Verdict::Inconsistent => {
            match friction {
                Some(0.0) => remedies.push(Remedy::Geometry),
                Some(below) => remedies.extend([Remedy::Friction { below }, Remedy::BoundedFriction]),
                None => remedies.push(Remedy::BoundedFriction),
            }
            remedies.push(Remedy::Loads);
        }
        Verdict::Slow | Verdict::IllConditioned | Verdict::Undecided => {
            // what sixteen digits allow
            if params.tolerance < 1e-13 {
                remedies.push(Remedy::Tolerance { now: params.tolerance });
            }
            if matches!(params.method, Method::Nlgs | Method::Accelerated) {
                remedies.push(Remedy::Method);
            }
            if !params.memory {
                remedies.push(Remedy::Memory);
            }
            remedies.push(Remedy::MoreIterations { now: params.max_iterations });
        }
    }
    remedies
}
