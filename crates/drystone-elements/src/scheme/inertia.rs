//! Whether a body resists changes of its velocity: the whole of the θ-scheme, or the balance of forces alone
//! (quasi-static). Weight stays in both.

use drystone_sparse::SymmetricBlocks;

/// Whether the mass of a body resists acceleration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolidInertia {
    /// It does.
    #[default]
    Full,
    /// Accelerations cost nothing: forces are in balance at the end of every step, θ of the body is one and
    /// velocities are displacements over the step.
    None,
}

impl SolidInertia {
    /// The θ of a body in a run with a θ.
    pub fn theta(self, theta: f64) -> f64 {
        if self == Self::None { 1.0 } else { theta }
    }

    /// What of a mass matrix enters the operator of a step.
    pub(super) fn of<const D: usize>(self, mass: &SymmetricBlocks<D>) -> SymmetricBlocks<D> {
        let mut own = mass.clone();
        if self == Self::None {
            own.add_scaled(-1.0, mass);
        }
        own
    }

    /// Momentum of velocities, as far as it counts.
    pub(super) fn times<const D: usize>(self, mass: &SymmetricBlocks<D>, v: &[f64]) -> Vec<f64> {
        self.times_abreast(mass, v.as_chunks::<1>().0).into_flattened()
    }

    /// The same of bodies side by side.
    pub(super) fn times_abreast<const D: usize, const W: usize>(
        self,
        mass: &SymmetricBlocks<D>,
        v: &[[f64; W]],
    ) -> Vec<[f64; W]> {
        match self {
            Self::Full => mass.times_abreast(v),
            Self::None => vec![[0.0; W]; v.len()],
        }
    }
}
