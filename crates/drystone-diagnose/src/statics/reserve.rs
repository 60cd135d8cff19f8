//! Whether admissible forces balance loads, and how much of every joint they can spare. One set of forces
//! among many: how far each of them is open is in `bounds`.

use super::forces::{Entry, Forces, Mode};
use super::program::Optimum;
use super::{Loads, StaticsError, Structure};
use drystone_math::PerDof;
use drystone_problem::Vector;

/// Forces may leave their sets by this much of the largest load and still count as admissible: what is left
/// of the digits of the interior point.
pub(super) const WITHIN: f64 = 1e-7;

/// Width at which the search for the reserve ends.
const FINE: f64 = 1e-4;

/// Whether loads are balanced.
#[derive(Clone, Debug)]
pub enum Rest<const D: usize> {
    /// By these forces \[N\], which spare the share `reserve` of every joint.
    Balanced {
        /// The forces.
        forces: Vec<Vector<D>>,
        /// The largest share of its capacity that every joint can spare at once, from 0 to 1.
        reserve: f64,
    },
    /// By none: this mechanism gains work from the loads.
    Mechanism(Loads<D>),
}

/// Forces nearest to their sets.
enum Nearest<const D: usize> {
    Forces(f64, Vec<Vector<D>>, Loads<D>),
    None(Loads<D>),
}

impl<const D: usize> Structure<D> {
    /// Forces that balance the loads and spare as much of the joints as they can.
    ///
    /// With the reserve σ, friction is `(1 − σ) μ` everywhere, and every point of a joint with n of them
    /// keeps `σ/n` of its normal force: in the plane the resultant stays within the middle `1 − σ` of the
    /// joint. The largest σ is found by bisection; where there are no points to spare, as under a ball,
    /// friction alone counts.
    pub fn rest(&self, loads: &[PerDof<D>]) -> Result<Rest<D>, StaticsError> {
        let (mut low, mut best) = match self.nearest(loads, 0.0)? {
            Nearest::Forces(outside, forces, _) if outside <= WITHIN => (0.0, forces),
            Nearest::Forces(_, _, mechanism) | Nearest::None(mechanism) => {
                return Ok(Rest::Mechanism(mechanism));
            }
        };
        let mut high = 1.0;
        while high - low > FINE {
            let middle = 0.5 * (low + high);
            match self.nearest(loads, middle) {
                Ok(Nearest::Forces(outside, forces, _)) if outside <= WITHIN => {
                    (low, best) = (middle, forces)
                }
                _ => high = middle,
            }
        }
        Ok(Rest::Balanced { forces: best, reserve: low })
    }

    /// Whether admissible forces balance the loads; by how much of the largest load they have to leave their
    /// sets.
    pub fn outside(&self, loads: &[PerDof<D>]) -> Result<f64, StaticsError> {
        Ok(match self.nearest(loads, 0.0)? {
            Nearest::Forces(outside, ..) => outside,
            Nearest::None(_) => f64::INFINITY,
        })
    }

    /// Whether admissible forces balance the loads, to the digits of the programme.
    pub fn stands(&self, loads: &[PerDof<D>]) -> Result<bool, StaticsError> {
        Ok(self.outside(loads)? <= WITHIN)
    }

    /// `min τ` over forces in balance whose sets are widened by τ.
    fn nearest(&self, loads: &[PerDof<D>], share: f64) -> Result<Nearest<D>, StaticsError> {
        let equations = self.equations(loads, None);
        let scale = self.scale(&[loads]);
        let forces = Forces::new(&equations, &self.holds, vec![Mode::Whole; self.rows.len()], scale);
        let slack = forces.extra(0);
        let spared = Some((share, &self.joints[..]));
        let mut program = forces.program(1, &Entry { slack: Some(slack), spared, ..Entry::default() });
        // forces that balance each other could go as deep into their cones as they like
        program.positive(super::program::Affine { terms: vec![(slack, 1.0)], constant: 1.0 });
        let sizes: Vec<f64> = equations.iter().map(|equation| scale * forces.size(equation)).collect();
        Ok(match program.minimise(&[(slack, 1.0)])? {
            Optimum::Best { x, multipliers, .. } => {
                Nearest::Forces(x[slack], forces.read(&x), self.velocities(&equations, &sizes, &multipliers))
            }
            Optimum::None(multipliers) => Nearest::None(self.velocities(&equations, &sizes, &multipliers)),
            Optimum::Unbounded => return Err(StaticsError::Program { status: "unbounded".into() }),
        })
    }
}
