//! Curves of softening, one type each: how a bond loses its stiffness as it opens. Knows no contact; see
//! `cohesive`.

use crate::Softening;
use drystone_math::portable;

/// The adhesion of Raous, Cangémi, Cocou (1999), in dynamics with friction by Monerie and Acary (2001), known
/// as MAC: an intensity β from 1 to 0, `t = β² k δ`, and
///
/// `b β̇ = −(w − β κ)⁻`, `κ = k_N δ_N² + k_T δ_T²`,
///
/// without viscosity `β = min(β, w/κ)`. The stress grows to `√(w k)` at `δ₀ = √(w/k)` and falls as `δ⁻³`:
/// half of `w` is spent before, half after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mac {
    /// Energy of decohesion w \[J/m²\].
    pub energy: f64,
    /// Stiffness k_N \[Pa/m\].
    pub normal_stiffness: f64,
    /// Stiffness k_T \[Pa/m\].
    pub tangential_stiffness: f64,
    /// Viscosity b of the adhesion \[J s/m²\]; 0 for none.
    pub viscosity: f64,
}

impl Softening for Mac {
    fn stiffness(&self) -> [f64; 2] {
        [self.normal_stiffness, self.tangential_stiffness]
    }

    fn whole(&self, [normal, tangential]: [f64; 2], whole: f64, h: f64) -> f64 {
        let kappa = self.normal_stiffness * normal.powi(2) + self.tangential_stiffness * tangential.powi(2);
        let beta = whole.sqrt();
        if beta * kappa <= self.energy {
            return whole;
        }
        // the implicit step of b β̇ = w − β κ
        ((self.viscosity * beta + h * self.energy) / (self.viscosity + h * kappa)).powi(2)
    }

    fn energies(&self) -> [f64; 2] {
        [self.energy; 2]
    }

    fn reach(&self) -> f64 {
        // where a thousandth of the peak is left
        10.0 * (self.energy / self.normal_stiffness).sqrt()
    }
}

/// Two straight lines in mixed mode (Alfano, Crisfield 2001): `t = (1 − d) k δ`, linear up to the strength
/// and down to nothing at the critical opening, in each mode by itself
///
/// `δ₀ = σ/k`, `δ_c = 2G/σ`, `d = min(1, (1/η) κ/(1 + κ))`, `1 + κ = √((δ_N/δ₀N)² + (δ_T/δ₀T)²)`,
/// `η = 1 − δ₀/δ_c`.
///
/// The same η holds in both modes: the stiffness in shear follows from the other values,
/// `δ₀T = δ_cT δ₀N/δ_cN`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bilinear {
    /// Strength in tension \[Pa\].
    pub normal_strength: f64,
    /// Strength in shear \[Pa\].
    pub tangential_strength: f64,
    /// Energy in opening G_I \[J/m²\].
    pub normal_energy: f64,
    /// Energy in sliding G_II \[J/m²\].
    pub tangential_energy: f64,
    /// Stiffness in tension \[Pa/m\]; at least σ²/(2G).
    pub normal_stiffness: f64,
    /// Time over which damage follows the opening \[s\]; 0 for at once.
    pub relaxation: f64,
}

impl Bilinear {
    /// Openings at the peak and at the end in tension, and at the peak in shear \[m\].
    fn openings(&self) -> [f64; 3] {
        let peak = self.normal_strength / self.normal_stiffness;
        let last = 2.0 * self.normal_energy / self.normal_strength;
        [peak, last, 2.0 * self.tangential_energy / self.tangential_strength * peak / last]
    }
}

impl Softening for Bilinear {
    fn stiffness(&self) -> [f64; 2] {
        [self.normal_stiffness, self.tangential_strength / self.openings()[2]]
    }

    fn whole(&self, [normal, tangential]: [f64; 2], whole: f64, h: f64) -> f64 {
        let [peak, last, shear_peak] = self.openings();
        let opening = portable::hypot(normal / peak, tangential / shear_peak);
        if opening <= 1.0 {
            return whole;
        }
        let damage = (1.0 - 1.0 / opening) / (1.0 - peak / last);
        relaxed(whole, 1.0 - damage, self.relaxation, h)
    }

    fn energies(&self) -> [f64; 2] {
        [self.normal_energy, self.tangential_energy]
    }

    fn reach(&self) -> f64 {
        self.openings()[1]
    }
}

/// Up, level, down (Tvergaard, Hutchinson 1992): with `λ = √((δ_N/δ_cN)² + (δ_T/δ_cT)²)` the stress is
/// `σ λ/λ₁` up to λ₁, `σ` up to λ₂ and `σ (1 − λ)/(1 − λ₂)` up to 1, `t_N = σ(λ)/λ δ_N/δ_cN`,
/// `t_T = σ(λ)/λ (δ_cN/δ_cT) δ_T/δ_cT`. In opening and in sliding alike it takes
/// `G = σ δ_cN (1 − λ₁ + λ₂)/2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trapezoidal {
    /// Strength σ \[Pa\].
    pub strength: f64,
    /// Opening δ_cN at which nothing is left \[m\].
    pub normal_opening: f64,
    /// Slip δ_cT at which nothing is left \[m\].
    pub tangential_opening: f64,
    /// End λ₁ of the rise, in (0, 1).
    pub rise: f64,
    /// Beginning λ₂ of the fall, from λ₁ to 1.
    pub fall: f64,
    /// Time over which damage follows the opening \[s\]; 0 for at once.
    pub relaxation: f64,
}

impl Softening for Trapezoidal {
    fn stiffness(&self) -> [f64; 2] {
        let normal = self.strength / (self.rise * self.normal_opening);
        [normal, normal * (self.normal_opening / self.tangential_opening).powi(2)]
    }

    fn whole(&self, [normal, tangential]: [f64; 2], whole: f64, h: f64) -> f64 {
        let opening = portable::hypot(normal / self.normal_opening, tangential / self.tangential_opening);
        if opening <= self.rise {
            return whole;
        }
        let fallen = if self.fall < 1.0 { (1.0 - opening) / (1.0 - self.fall) } else { 1.0 };
        let stress = if opening < 1.0 { fallen.clamp(0.0, 1.0) } else { 0.0 };
        relaxed(whole, stress * self.rise / opening, self.relaxation, h)
    }

    fn energies(&self) -> [f64; 2] {
        [0.5 * self.strength * self.normal_opening * (1.0 - self.rise + self.fall); 2]
    }

    fn reach(&self) -> f64 {
        self.normal_opening
    }
}

/// A smooth rise and fall (Ortiz, Pandolfi 1999, after Rose, Ferrante, Smith): with `δ = √(δ_N² + (α δ_T)²)`
///
/// `t = e σ (δ/δ_c) exp(−δ/δ_c)`, largest at `δ_c`, `G = e σ δ_c`; `t_N = t δ_N/δ`, `t_T = α² t δ_T/δ`.
/// Unloading goes straight back to the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    /// Strength σ \[Pa\].
    pub strength: f64,
    /// Energy G \[J/m²\].
    pub energy: f64,
    /// How much a slip counts against an opening, α > 0, no unit: the ratio of the strengths in shear and in
    /// tension.
    pub shear_ratio: f64,
    /// Time over which damage follows the opening \[s\]; 0 for at once.
    pub relaxation: f64,
}

impl Exponential {
    /// Opening at the peak \[m\].
    fn peak(&self) -> f64 {
        self.energy / (std::f64::consts::E * self.strength)
    }
}

impl Softening for Exponential {
    fn stiffness(&self) -> [f64; 2] {
        let normal = std::f64::consts::E * self.strength / self.peak();
        [normal, normal * self.shear_ratio.powi(2)]
    }

    fn whole(&self, [normal, tangential]: [f64; 2], whole: f64, h: f64) -> f64 {
        let opening = portable::hypot(normal, self.shear_ratio * tangential) / self.peak();
        relaxed(whole, portable::exp(-opening), self.relaxation, h)
    }

    fn energies(&self) -> [f64; 2] {
        [self.energy; 2]
    }

    fn reach(&self) -> f64 {
        // where a thousandth of the peak is left
        10.2 * self.peak()
    }
}

/// The part that is whole after a step in which it should become `goal`, late by `relaxation` (Duvaut, Lions
/// 1972), never more than before.
fn relaxed(whole: f64, goal: f64, relaxation: f64, h: f64) -> f64 {
    let goal = goal.clamp(0.0, 1.0);
    if goal >= whole {
        return whole;
    }
    (relaxation * whole + h * goal) / (relaxation + h)
}
