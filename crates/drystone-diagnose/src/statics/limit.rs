//! The largest multiplier of a load that admissible forces balance, with the mechanism that goes with it.
//! Slides as it must for the theorems, at right angles to the cone; Coulomb's own sliding is in `coulomb`.

use super::forces::{Entry, Forces, Mode};
use super::program::Optimum;
use super::{Loads, StaticsError, Structure};
use drystone_math::PerDof;
use drystone_problem::Vector;

/// The largest multiplier of a load.
#[derive(Clone, Debug)]
pub enum Multiplier<const D: usize> {
    /// There is one.
    Largest(Limit<D>),
    /// The load can grow without end.
    Unbounded,
    /// No multiplier has admissible forces; the mechanism works with the dead loads and not against the live
    /// one.
    None(Vec<PerDof<D>>),
}

/// Forces at the largest multiplier λ, and the mechanism of the least one.
///
/// `λ = max { λ : Hᵀ r + f₀ + λ f₁ = 0, r ∈ K }` over forces equals
/// `min { −f₀·v : f₁·v = 1, H v ∈ K* }` over mechanisms (the theorems of limit analysis; Drucker, Prager,
/// Greenberg 1952), where `K*` holds the velocities with `u_N ≥ μ‖u_T‖`: joints widen while they slide.
#[derive(Clone, Debug)]
pub struct Limit<const D: usize> {
    /// Value of the static theorem: these forces are admissible, so that nothing need move below.
    pub multiplier: f64,
    /// Value of the kinematic theorem: this mechanism gains work above. Equal but for rounding.
    pub kinematic: f64,
    /// Forces \[N\].
    pub forces: Vec<Vector<D>>,
    /// Velocities of the bodies with `f₁·v = 1`.
    pub mechanism: Loads<D>,
}

impl<const D: usize> Structure<D> {
    /// The largest λ for which admissible forces balance `dead + λ live`.
    pub fn limit(&self, dead: &[PerDof<D>], live: &[PerDof<D>]) -> Result<Multiplier<D>, StaticsError> {
        self.limit_with(dead, live, &[])
    }

    /// The same with normal velocities given besides those of the bodies, row by row: the sets then hold for
    /// their sum.
    pub(super) fn limit_with(
        &self,
        dead: &[PerDof<D>],
        live: &[PerDof<D>],
        given: &[(usize, Vector<D>)],
    ) -> Result<Multiplier<D>, StaticsError> {
        let equations = self.equations(dead, Some(live));
        let scale = self.scale(&[dead, live]);
        let forces = Forces::new(&equations, &self.holds, vec![Mode::Whole; self.rows.len()], scale);
        let lambda = forces.extra(0);
        let program = forces.program(1, &Entry { live: Some(lambda), ..Entry::default() });
        let mut cost = forces.cost(given);
        cost.iter_mut().for_each(|(_, weight)| *weight *= scale);
        cost.push((lambda, -1.0));
        let sizes: Vec<f64> = equations.iter().map(|equation| scale * forces.size(equation)).collect();
        Ok(match program.minimise(&cost)? {
            Optimum::Best { x, multipliers, values } => {
                let mechanism = self.velocities(&equations, &sizes, &multipliers);
                Multiplier::Largest(Limit {
                    multiplier: x[lambda],
                    kinematic: -values[1],
                    forces: forces.read(&x),
                    mechanism,
                })
            }
            Optimum::None(multipliers) => Multiplier::None(self.velocities(&equations, &sizes, &multipliers)),
            Optimum::Unbounded => Multiplier::Unbounded,
        })
    }

    /// Velocities of the bodies while supports move: forces `r` with the least `Σ r·given` among the
    /// admissible ones, whose multipliers are the velocities. `None` where no forces are admissible.
    pub fn follow(
        &self,
        loads: &[PerDof<D>],
        given: &[Vector<D>],
    ) -> Result<Option<(Vec<Vector<D>>, Loads<D>)>, StaticsError> {
        let equations = self.equations(loads, None);
        let scale = self.scale(&[loads]);
        let forces = Forces::new(&equations, &self.holds, vec![Mode::Whole; self.rows.len()], scale);
        let program = forces.program(0, &Entry::default());
        let given: Vec<(usize, Vector<D>)> = given.iter().copied().enumerate().collect();
        let sizes: Vec<f64> = equations.iter().map(|equation| forces.size(equation)).collect();
        match program.minimise(&forces.cost(&given))? {
            Optimum::Best { x, multipliers, .. } => {
                Ok(Some((forces.read(&x), self.velocities(&equations, &sizes, &multipliers))))
            }
            Optimum::None(_) | Optimum::Unbounded => Ok(None),
        }
    }
}
