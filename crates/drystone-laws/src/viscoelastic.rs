//! Contacts that give way: springs and dashpots between the bodies, physical ones and the device that pushes
//! overlaps out.

use crate::law_variables;
use crate::{Approach, Change, Dissipated, Law, Outcome};
use drystone_problem::Set;

/// What a contact is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Device {
    /// A critical oscillator of the two bodies with a period of so many time steps: it pushes overlaps out
    /// within a few steps and makes the problem regular. No model of the material (Jean 1999; Dubois, Acary,
    /// Jean 2018, §4.1).
    Period(f64),
    /// A spring of so many \[N/m\] and a dashpot of so many \[N s/m\] in parallel, in compression only
    /// (Kelvin, Voigt).
    KelvinVoigt {
        /// Stiffness k > 0.
        stiffness: f64,
        /// Viscosity η ≥ 0.
        viscosity: f64,
    },
}

impl Device {
    /// Stiffness \[N/m\] and viscosity \[N s/m\] at a contact.
    pub(crate) fn values<const D: usize>(&self, approach: &Approach<D>) -> [f64; 2] {
        match *self {
            Device::KelvinVoigt { stiffness, viscosity } => [stiffness, viscosity],
            Device::Period(steps) => {
                let pulsation = std::f64::consts::TAU / (steps * approach.h);
                let mass = 1.0 / approach.w[(0, 0)].max(f64::MIN_POSITIVE);
                [mass * pulsation * pulsation, 2.0 * mass * pulsation]
            }
        }
    }
}

/// Unilateral contact with a spring and a dashpot behind it, and Coulomb friction:
///
/// `0 ≤ u_N + C r_N + s ⟂ r_N ≥ 0`, `‖r_T‖ ≤ μ r_N`.
///
/// While bodies overlap, a Kelvin–Voigt contact has the mean force of the step,
/// `r_N = −h [k (g_begin + g_end)/2 + η (u_begin + u)/2]`, which conserves the energy of the spring; in the
/// step in which they meet, the half of the force at its end. The device takes the force at the next middle
/// configuration, `r_N = −h [k (g + h u) + η u]`, with `k = (2π/T)²/w_NN` and the critical
/// `η = 2 (2π/T)/w_NN`. Each gives a compliance `C` and a shift `s`. Bodies never pull. Elastic repulsion is
/// a Kelvin–Voigt contact with `η = 0`.
///
/// The spring stores `k g²/2` and gives it back; the rest of the normal work counts as viscosity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viscoelastic {
    /// Spring and dashpot.
    pub device: Device,
    /// Coefficient of friction μ ≥ 0, no unit.
    pub friction: f64,
}

impl Viscoelastic {
    /// Energy in the spring at a gap \[J\].
    fn energy(stiffness: f64, gap: f64) -> f64 {
        0.5 * stiffness * gap.min(0.0).powi(2)
    }
}

law_variables! {
    /// What a contact remembers.
    struct Compressed {
        /// How far the device is compressed \[m\].
        compression,
    }
}

impl<const D: usize> Law<D> for Viscoelastic {
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>> {
        let [k, eta] = self.device.values(approach);
        let (h, theta, g) = (approach.h, approach.theta, approach.gap);
        // r_N = −(a u + b)
        let [a, b] = match self.device {
            Device::Period(_) if g > 0.0 => [h * (h * k + eta), g * (h * k + eta)],
            Device::Period(_) => [h * (h * k + eta), h * k * g],
            Device::KelvinVoigt { .. } if approach.gap_begin() > 0.0 => {
                [0.5 * h * (k * theta * h + eta), 0.5 * (k * theta * h + eta) * g / theta]
            }
            Device::KelvinVoigt { .. } => {
                let begin = approach.u_begin[0];
                let mean = g - 0.5 * h * (1.0 - theta) * begin;
                [0.5 * h * (k * theta * h + eta), h * (k * mean + 0.5 * eta * begin)]
            }
        };
        let mut change = Change::forecast(Set::Coulomb { mu: self.friction }, b / a);
        change.compliance[0] = 1.0 / a;
        Some(change)
    }

    fn variables(&self) -> Vec<&'static str> {
        // the energy stored belongs to a contact, so that it must be found again
        Compressed::NAMES.to_vec()
    }

    fn begin(&self, approach: &Approach<D>, internal: &mut [f64]) -> f64 {
        let gap = match self.device {
            Device::Period(_) => approach.gap,
            Device::KelvinVoigt { .. } => approach.gap_begin(),
        };
        Compressed { compression: (-gap).max(0.0) }.store(internal);
        Self::energy(self.device.values(approach)[0], gap)
    }

    fn touching(&self, _internal: &[f64]) -> Option<f64> {
        None
    }

    fn keep(&self, approach: &Approach<D>, outcome: &Outcome<D>, internal: &mut [f64]) -> Dissipated {
        let gap = match self.device {
            Device::Period(_) => approach.gap + approach.h * outcome.u[0],
            Device::KelvinVoigt { .. } => approach.gap_end(&outcome.u),
        };
        Compressed { compression: (-gap).max(0.0) }.store(internal);
        let rigid = Dissipated::rigid(approach, outcome);
        let stored = Self::energy(self.device.values(approach)[0], gap) - approach.stored;
        // the device belongs to no way the bodies went: it looks one step ahead
        let scheme = match self.device {
            Device::Period(_) => 0.0,
            Device::KelvinVoigt { .. } => {
                outcome.r[0] * (approach.way(&outcome.u)[0] - approach.mean(&outcome.u)[0])
            }
        };
        Dissipated { shocks: 0.0, viscosity: rigid.shocks - stored - scheme, scheme, stored, ..rigid }
    }

    fn with_friction(&self, friction: f64) -> Option<Box<dyn Law<D>>> {
        Some(Box::new(Self { friction, ..*self }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::{Matrix, Vector};

    /// A mass of 1 kg against a wall, without gravity, from a gap and a speed: speed and gap after every
    /// step, and what was spent.
    fn bounce(
        law: &Viscoelastic,
        h: f64,
        steps: usize,
        mut gap: f64,
        mut u: f64,
    ) -> (Vec<[f64; 2]>, Dissipated) {
        let (mut history, mut sum) = (Vec::new(), Dissipated::default());
        let mut internal = [0.0];
        let mut stored = None;
        for _ in 0..steps {
            let begin = Vector::<2>::new(u, 0.0);
            let base = Approach { w: Matrix::identity(), ..Approach::new(gap + 0.5 * h * u, begin, h) };
            let first = base.with(&[]);
            let known: f64 = *stored.get_or_insert_with(|| Law::<2>::begin(law, &first, &mut internal));
            let approach = Approach { stored: known, ..base };
            let change = law.change(&approach).unwrap();
            // 0 ≤ u' ⟂ r ≥ 0 with u' = (1 + C) r + u + s
            let r = (-(u + change.shift[0]) / (1.0 + change.compliance[0])).max(0.0);
            let after = u + r;
            let outcome = Outcome::new(Vector::<2>::new(after, 0.0), Vector::<2>::new(r, 0.0));
            let spent = law.keep(&approach, &outcome, &mut internal);
            assert!((spent.total() + r * 0.5 * (u + after)).abs() < 1e-14);
            assert!(spent.viscosity > -1e-12, "{spent:?}");
            stored = Some(known + spent.stored);
            sum.viscosity += spent.viscosity;
            sum.stored += spent.stored;
            gap += 0.5 * h * (u + after);
            u = after;
            history.push([u, gap]);
        }
        (history, sum)
    }

    #[test]
    fn an_elastic_contact_gives_everything_back() {
        // half a period of the oscillator, deepest at v/ω
        let (k, h) = (400.0_f64, 1e-4);
        let law =
            Viscoelastic { device: Device::KelvinVoigt { stiffness: k, viscosity: 0.0 }, friction: 0.0 };
        let (history, sum) = bounce(&law, h, 2000, 0.0, -1.0);
        let deepest = history.iter().map(|[_, gap]| *gap).fold(0.0, f64::min);
        assert!((deepest + 1.0 / k.sqrt()).abs() < 1e-6, "{deepest}");
        assert!((history[1999][0] - 1.0).abs() < 1e-3 && sum.stored.abs() < 1e-12);
        let turned = history.iter().position(|[u, _]| *u > 0.0).unwrap() as f64 * h;
        assert!((turned - std::f64::consts::FRAC_PI_2 / k.sqrt()).abs() < 2.0 * h);
    }

    #[test]
    fn a_dashpot_takes_what_the_damped_oscillator_loses() {
        // rebound of a linear spring and dashpot: exp(−ζπ/√(1−ζ²)) when the velocity is that of gap zero
        // again, a little more when the force vanishes before
        let (k, zeta, h) = (400.0_f64, 0.1_f64, 1e-5);
        let viscosity = 2.0 * zeta * k.sqrt();
        let law = Viscoelastic { device: Device::KelvinVoigt { stiffness: k, viscosity }, friction: 0.0 };
        let (history, sum) = bounce(&law, h, 20_000, 0.0, -1.0);
        let e = history[19_999][0];
        let root = (1.0 - zeta * zeta).sqrt();
        let expected = (-zeta / root * (2.0 * zeta * root).atan2(2.0 * zeta * zeta - 1.0)).exp();
        assert!((e - expected).abs() < 1e-3, "{e} {expected}");
        assert!((sum.viscosity - 0.5 * (1.0 - e * e)).abs() < 1e-9);
    }

    #[test]
    fn the_device_pushes_an_overlap_out_no_faster_than_it_is_deep() {
        let law = Viscoelastic { device: Device::Period(1.0), friction: 0.0 };
        let (history, _) = bounce(&law, 1e-3, 12, -1e-3, 0.0);
        assert!(history[1][1] > 0.0 && history.iter().all(|[u, _]| *u < 1.0), "{history:?}");
        // slower with a longer period, in proportion
        let law = Viscoelastic { device: Device::Period(100.0), friction: 0.0 };
        let (history, _) = bounce(&law, 1e-3, 200, -1e-3, 0.0);
        assert!(history[199][1] > -1e-6 && history[199][0] < 0.03, "{history:?}");
        // and stops what comes at it before it overlaps
        let law = Viscoelastic { device: Device::Period(1.0), friction: 0.0 };
        let (history, _) = bounce(&law, 1e-3, 50, 0.0201, -1.0);
        assert!(history.iter().all(|[_, gap]| *gap > -1e-4) && history[49][0].abs() < 0.02, "{history:?}");
    }
}
