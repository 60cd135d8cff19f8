//! Where the energy of a body went in a step.

/// Energies of one step of one body \[J\]. What was brought in is positive, what was lost as well.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolidLedger {
    /// Change of kinetic energy.
    pub kinetic: f64,
    /// Change of free energy: strain, and hardening where the material has some.
    pub strain: f64,
    /// Work of loads.
    pub loads: f64,
    /// Work of impulses of contacts, taken with the velocity at θ.
    pub impulses: f64,
    /// Work of supports that are driven.
    pub supports: f64,
    /// Lost to viscosity.
    pub viscous: f64,
    /// Dissipated by plasticity.
    pub plastic: f64,
    /// Lost to the scheme: `(θ − ½)(ΔvᵀMΔv + ΔuᵀKΔu)` of a linear body; of others what is left over.
    pub scheme: f64,
}

impl SolidLedger {
    /// What does not add up: zero but for rounding for a linear body.
    pub fn imbalance(&self) -> f64 {
        self.kinetic + self.strain + self.viscous + self.plastic + self.scheme
            - self.loads
            - self.impulses
            - self.supports
    }

    /// Sum of two steps.
    pub fn add(&mut self, other: &Self) {
        self.kinetic += other.kinetic;
        self.strain += other.strain;
        self.loads += other.loads;
        self.impulses += other.impulses;
        self.supports += other.supports;
        self.viscous += other.viscous;
        self.plastic += other.plastic;
        self.scheme += other.scheme;
    }
}
