//! How large an impulse of a contact counts: what makes contacts of different bodies, and the force and the
//! moment of one contact, comparable. Holds no tolerance.

use super::Set;
use drystone_math::{Matrix, Vector};

/// The scale of one contact, from its diagonal block. Impulses times the square root of the compliance have a
/// square that is an energy, whatever the units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Mean compliance `d` of the components that can carry an impulse \[1/kg\]; 1 where the block is zero or
    /// broken, so that nothing divides by zero.
    pub compliance: f64,
    /// What a moment is multiplied with to be compared with a force \[1/m\]: the square root of the ratio of
    /// the mean compliances of the two; 1 for the sets without a moment.
    pub lever: f64,
}

impl Scale {
    /// The scale of a contact with the diagonal block `w`.
    #[inline]
    pub fn new<const D: usize>(w: &Matrix<D, D>, set: &Set) -> Self {
        let mean = |from: usize, to: usize| {
            let sum: f64 = (from..to).map(|i| w[(i, i)]).sum();
            let mean = sum / (to - from) as f64;
            if mean > 0.0 && mean.is_finite() { mean } else { 1.0 }
        };
        match *set {
            Set::Bilateral { rows } if rows > 0 => Self { compliance: mean(0, rows.min(D)), lever: 1.0 },
            Set::Rolling { .. } | Set::Bearing { .. } => {
                let split = first_with_lever::<D>(set);
                let compliance = mean(0, split.max(1));
                let lever = if split < D { (mean(split, D) / compliance).sqrt() } else { 1.0 };
                Self { compliance, lever }
            }
            _ => Self { compliance: mean(0, D), lever: 1.0 },
        }
    }

    /// The same set for impulses whose moment is multiplied with the lever.
    #[inline]
    pub fn set(&self, set: &Set) -> Set {
        match *set {
            Set::Rolling { mu, rolling, twisting, sliding } => {
                let twisting = twisting.map(|twisting| twisting * self.lever);
                Set::Rolling { mu, rolling: rolling * self.lever, twisting, sliding }
            }
            Set::Bearing { held, base, factor, apart } => {
                Set::Bearing { held, base: base * self.lever, factor: factor * self.lever, apart }
            }
            other => other,
        }
    }

    /// What the components of an impulse are multiplied with; those of a velocity are divided by it.
    pub fn levers<const D: usize>(&self, set: &Set) -> Vector<D> {
        let moment = first_with_lever::<D>(set);
        Vector::from_fn(|i, _| if i < moment { 1.0 } else { self.lever })
    }

    /// The natural map with `ρ = 1/d`, its moment multiplied with the lever: free of units but for that of
    /// the impulse.
    #[inline]
    pub fn natural_map<const D: usize>(&self, set: &Set, u: &Vector<D>, r: &Vector<D>) -> Vector<D> {
        let rho = 1.0 / self.compliance;
        if self.lever == 1.0 {
            return set.natural_map(rho, u, r);
        }
        let levers = self.levers(set);
        self.set(set).natural_map(rho, &u.component_div(&levers), &r.component_mul(&levers))
    }
}

/// The component from which on impulses are moments, or may be: what a bearing holds and what rubs in it.
fn first_with_lever<const D: usize>(set: &Set) -> usize {
    match *set {
        Set::Rolling { .. } => set.tangential::<D>().end,
        Set::Bearing { .. } => set.tangential::<D>().start,
        _ => D,
    }
}
