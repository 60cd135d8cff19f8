//! Mechanisms that slide as Coulomb's friction does, without widening: the multiplier at which one can begin.
//! One of them, the first that the iteration comes to; there may be others at smaller multipliers.

use super::forces::{Entry, Forces, Mode};
use super::program::Optimum;
use super::{Limit, Loads, Multiplier, StaticsError, Structure};
use drystone_math::PerDof;
use drystone_problem::{Set, Vector};

/// Most programmes of the fixed point.
const ROUNDS: usize = 60;

/// Change of the sliding velocities, relative to the fastest row, at which the fixed point counts as reached.
const SETTLED: f64 = 1e-6;

/// Velocities below this share of the fastest count as none.
const STILL: f64 = 1e-5;

/// A mechanism of Coulomb's friction and the least multiplier that goes with it.
#[derive(Clone, Debug)]
pub struct Coulomb<const D: usize> {
    /// Multiplier: forces on the cones of what slides, none where joints open, admissible elsewhere.
    pub multiplier: f64,
    /// Forces \[N\].
    pub forces: Vec<Vector<D>>,
    /// Velocities of the bodies with `f₁·v = 1`: joints slide without widening.
    pub mechanism: Loads<D>,
}

impl<const D: usize> Structure<D> {
    /// A collapse by Coulomb's law: velocities `v` and forces `r` in balance with `dead + λ live`, with
    /// `0 ≤ u_N ⟂ r_N ≥ 0` and friction against the sliding at every contact, and `live·v = 1`.
    ///
    /// De Saxcé's shift makes the law associated, `u + μ‖u_T‖ n ∈ K*` (De Saxcé, Feng 1998): with the shift
    /// given, it is the programme `max λ − Σ μ s r_N`, and `s ← ‖u_T‖` until it stands (Acary, Cadoux,
    /// Lemaréchal, Malick 2011). With the mechanism found, the least λ that it allows is one more programme.
    /// `None` where the iteration does not settle.
    pub fn coulomb(
        &self,
        dead: &[PerDof<D>],
        live: &[PerDof<D>],
    ) -> Result<Option<Coulomb<D>>, StaticsError> {
        let mut slip = vec![0.0; self.rows.len()];
        let mut weight: f64 = 1.0;
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let given: Vec<(usize, Vector<D>)> =
                (0..self.rows.len()).filter_map(|row| Some((row, self.shift(row, slip[row])?))).collect();
            let Multiplier::Largest(limit) = self.limit_with(dead, live, &given)? else { return Ok(None) };
            let relative = self.relative(&limit.mechanism);
            let fastest = relative.iter().map(|u| u.norm()).fold(0.0, f64::max);
            let sliding: Vec<f64> = relative.iter().map(|u| u.rows_range(1..).norm()).collect();
            let change =
                slip.iter().zip(&sliding).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max) / fastest;
            if change <= SETTLED {
                return self.least(dead, live, &limit, &relative);
            }
            // going round in circles is stopped by smaller steps
            if change > 0.9 * last {
                weight = (0.7 * weight).max(0.1);
            }
            last = change;
            slip.iter_mut().zip(&sliding).for_each(|(slip, new)| *slip += weight * (new - *slip));
        }
        Ok(None)
    }

    /// De Saxcé's shift of the normal velocity, where friction grows with the normal force.
    fn shift(&self, row: usize, slip: f64) -> Option<Vector<D>> {
        let (Set::Coulomb { mu } | Set::Orowan { mu, .. } | Set::Rolling { mu, .. }) = self.holds[row].set
        else {
            return None;
        };
        let mut shift = Vector::zeros();
        shift[0] = mu * slip;
        (shift[0] > 0.0).then_some(shift)
    }

    /// The least multiplier with the mechanism found.
    fn least(
        &self,
        dead: &[PerDof<D>],
        live: &[PerDof<D>],
        limit: &Limit<D>,
        relative: &[Vector<D>],
    ) -> Result<Option<Coulomb<D>>, StaticsError> {
        let fastest = relative.iter().map(|u| u.norm()).fold(0.0, f64::max);
        let mode = |(row, u): (usize, &Vector<D>)| match self.holds[row].set {
            Set::Bilateral { .. } | Set::Bearing { .. } => Mode::Whole,
            _ if u[0] > STILL * fastest => Mode::Open,
            set if u.rows_range(set.tangential::<D>()).norm() > STILL * fastest => Mode::Slides(*u),
            _ => Mode::Whole,
        };
        let equations = self.equations(dead, Some(live));
        let scale = self.scale(&[dead, live]);
        let modes = relative.iter().enumerate().map(mode).collect();
        let forces = Forces::new(&equations, &self.holds, modes, scale);
        let lambda = forces.extra(0);
        let program = forces.program(1, &Entry { live: Some(lambda), ..Entry::default() });
        let mechanism = limit.mechanism.clone();
        Ok(Some(match program.minimise(&[(lambda, 1.0)]) {
            Ok(Optimum::Best { x, .. }) => {
                Coulomb { multiplier: x[lambda], forces: forces.read(&x), mechanism }
            }
            // velocities at the edge of what counts as none: the fixed point itself is a solution
            _ => Coulomb { multiplier: limit.multiplier, forces: limit.forces.clone(), mechanism },
        }))
    }
}
