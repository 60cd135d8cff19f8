//! The canonical admissible sets: closed, few and fast. Laws are changes of variables to one of them; refuses
//! to know any law by name, and what a solver does with a set is the solver's.

mod projection;
mod scale;

use drystone_math::Vector;
use projection::{on_cone, on_disk, on_disks, on_pen, on_rolling_cone};
pub use scale::Scale;
use std::ops::Range;

/// What a solver has to satisfy at one contact. Component 0 is the normal; impulses in \[N s\], velocities in
/// \[m/s\].
///
/// A rope, or any other unilateral row without friction, is [`Set::Coulomb`] with `mu = 0`:
/// `0 ≤ u_N ⟂ r_N ≥ 0` and no impulse in the other components. Coefficients and caps that are negative or NaN
/// count as zero.
#[doc(alias = "Signorini")]
#[doc(alias = "complementarity")]
#[doc(alias = "friction cone")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Set {
    /// Signorini–Coulomb: `0 ≤ u_N ⟂ r_N ≥ 0`, `‖r_T‖ ≤ μ r_N`, and `r_T = −μ r_N u_T/‖u_T‖` where `u_T ≠ 0`
    /// (Dubois, Acary, Jean 2018, eq. 10–11). With `mu = 0` it is frictionless contact.
    Coulomb {
        /// Coefficient of friction, ≥ 0.
        mu: f64,
    },
    /// Signorini–Coulomb–Orowan: as Coulomb, with the threshold `min(μ r_N, cap)` in the place of `μ r_N`
    /// (Orowan 1943; Alart, Renouf 2018, §5.1). The admissible impulses have the shape of a pen.
    Orowan {
        /// Coefficient of friction, ≥ 0.
        mu: f64,
        /// Largest friction \[N s\], ≥ 0.
        cap: f64,
    },
    /// Signorini with Tresca's friction: `0 ≤ u_N ⟂ r_N ≥ 0`, `‖r_T‖ ≤ cap`, and `r_T = −cap u_T/‖u_T‖` where
    /// `u_T ≠ 0`, whatever the normal impulse: the associated law on the cylinder `r_N ≥ 0`, `‖r_T‖ ≤ cap`
    /// (Dal Pont, Dimnet 2008, fig. 3). It acts across an open gap too; a law that wants friction in contact
    /// only says so with its cap.
    Tresca {
        /// Threshold of friction \[N s\], ≥ 0.
        cap: f64,
    },
    /// The first `rows` components are held, `u = 0` whatever the impulse; the others are free, `r = 0`.
    Bilateral {
        /// How many components are held; all where it exceeds their number.
        rows: usize,
    },
    /// Signorini–Coulomb with rolling friction (Acary, Bourrier 2021): behind the normal come `sliding`
    /// components T of friction and then those of the rolling moment M, `‖r_T‖ ≤ μ r_N`, `‖r_M‖ ≤ μ_r r_N`,
    /// each opposed to its velocity and on its border where that is not zero. In space five components (N,
    /// T₁, T₂, M₁, M₂) with `sliding = 2`, in the plane three (N, T, M) with `sliding = 1`. With twisting
    /// friction the last component is the moment Z about the normal, `|r_Z| ≤ μ_t r_N`: six in space.
    Rolling {
        /// Coefficient of friction, ≥ 0.
        mu: f64,
        /// Coefficient of rolling friction, ≥ 0 \[m\]: the moment is \[N m s\], its velocity \[rad/s\].
        rolling: f64,
        /// Coefficient of twisting friction, ≥ 0 \[m\]; `None` where no component twists.
        twisting: Option<f64>,
        /// Number of components of sliding friction.
        sliding: usize,
    },
    /// A bearing: the first `held` components R are held, `u_R = 0`, and the others rub,
    /// `‖r_T‖ ≤ c + a ‖r_R‖`, opposed to their velocity and on that border where it is not zero. The
    /// admissible impulses are not convex, and there is no pseudopotential: they are answered as Orowan's
    /// are, the held ones first. Nothing need be held, then the threshold is `c`; and what rubs may do so
    /// `apart`, each component against its own velocity alone up to that threshold.
    Bearing {
        /// How many components are held.
        held: usize,
        /// Threshold c ≥ 0 without load \[N s\], of turns \[N m s\].
        base: f64,
        /// Threshold a ≥ 0 for a unit of the impulse that is borne, no unit, of turns \[m\].
        factor: f64,
        /// Whether the components that rub, three at most, do so each for itself, as in two bearings with one
        /// load.
        apart: bool,
    },
}

impl Set {
    /// Projection of an impulse on the set of admissible impulses; see [`Set::Bearing`] for the one that is
    /// not convex.
    #[inline]
    pub fn project<const D: usize>(&self, r: &Vector<D>) -> Vector<D> {
        match *self {
            Set::Coulomb { mu } => on_cone(mu, r),
            Set::Orowan { mu, cap } => on_pen(mu, cap, r),
            Set::Tresca { cap } => on_disk(cap, &with_normal(*r, r[0].max(0.0))),
            Set::Bilateral { rows } => leading(rows, r),
            Set::Rolling { mu, rolling, twisting, .. } => {
                on_rolling_cone([mu, rolling, twisting.unwrap_or(0.0)], &self.frictions::<D>(), r)
            }
            Set::Bearing { .. } => self.settle(r),
        }
    }

    /// The velocity conjugate to `r` in the natural map: De Saxcé's shift `u + μ‖u_T‖ n`, which makes the map
    /// vanish at exact Coulomb solutions and nowhere else (De Saxcé, Feng 1998), with `μ_r‖u_M‖` besides
    /// where rolling is resisted (Acary, Bourrier 2021). Associated sets, Tresca's and the bilateral one,
    /// need no shift. For Orowan's it is the shift of the cone, right below the cap only: its natural map
    /// does without.
    #[inline]
    pub fn conjugate<const D: usize>(&self, u: &Vector<D>) -> Vector<D> {
        match *self {
            Set::Coulomb { mu } | Set::Orowan { mu, .. } => with_normal(*u, u[0] + mu * length(u, 1, D)),
            Set::Tresca { .. } | Set::Bilateral { .. } | Set::Bearing { .. } => *u,
            Set::Rolling { mu, rolling, twisting, .. } => {
                let [slide, roll, twist] = self.frictions::<D>().map(|part| length(u, part.start, part.end));
                let shifted = u[0] + mu * slide + rolling * roll;
                with_normal(*u, twisting.map_or(shifted, |twisting| shifted + twisting * twist))
            }
        }
    }

    /// The impulse the law answers with: `P(r − ρ û)` with the conjugate velocity `û`, a fixed point of which
    /// is a solution. Always admissible.
    ///
    /// Orowan's pen is no cone and its law not associated: no shift of the velocity alone makes a projection
    /// on it vanish on the law only. There the normal is answered first, `g = max(0, r_N − ρ u_N)`, and
    /// friction by the projection on the disk of its threshold, `min(μ g, cap)` (Alart, Curnier 1991).
    #[inline]
    pub fn answer<const D: usize>(&self, rho: f64, u: &Vector<D>, r: &Vector<D>) -> Vector<D> {
        match *self {
            Set::Orowan { .. } | Set::Bearing { .. } => self.settle(&(r - u * rho)),
            _ => self.project(&(r - self.conjugate(u) * rho)),
        }
    }

    /// An admissible impulse near `r`, the normal settled first and then friction, on the disk of the
    /// threshold under that normal: not the nearest one, but the one that leaves a push as it is. For the
    /// sets without friction it is the projection.
    #[inline]
    pub fn settle<const D: usize>(&self, r: &Vector<D>) -> Vector<D> {
        let normal = r[0].max(0.0);
        let pushing = with_normal(*r, normal);
        match *self {
            Set::Coulomb { .. } | Set::Orowan { .. } | Set::Tresca { .. } => {
                on_disk(self.threshold(normal), &pushing)
            }
            Set::Bilateral { rows } => leading(rows, r),
            Set::Rolling { mu, rolling, twisting, .. } => {
                let radii = [mu * normal, rolling * normal, twisting.unwrap_or(0.0) * normal];
                on_disks(radii, &self.frictions::<D>(), &pushing)
            }
            Set::Bearing { held, .. } => {
                let borne = length(r, 0, held.min(D));
                on_disks([self.threshold(borne); 3], &self.frictions::<D>(), r)
            }
        }
    }

    /// Natural map, `r` less the answer of the law, at one contact; zero exactly where `(u, r)` is in the
    /// set.
    #[inline]
    pub fn natural_map<const D: usize>(&self, rho: f64, u: &Vector<D>, r: &Vector<D>) -> Vector<D> {
        r - self.answer(rho, u, r)
    }

    /// Largest sliding friction under a normal impulse \[N s\], in a bearing under the impulse that it bears;
    /// infinite where sliding is forbidden.
    pub fn threshold(&self, normal: f64) -> f64 {
        match *self {
            Set::Coulomb { mu } | Set::Rolling { mu, .. } => mu * normal,
            Set::Orowan { mu, cap } => (mu * normal).min(cap),
            Set::Tresca { cap } => cap,
            Set::Bilateral { .. } => f64::INFINITY,
            // coefficients that are NaN count as zero
            Set::Bearing { base, factor, .. } => base.max(0.0) + factor.max(0.0) * normal,
        }
    }

    /// The components of sliding friction among `D`.
    pub fn tangential<const D: usize>(&self) -> Range<usize> {
        let [sliding, ..] = self.frictions::<D>();
        sliding
    }

    /// The components among `D` of sliding, rolling and twisting friction; most sets have the first only.
    pub fn frictions<const D: usize>(&self) -> [Range<usize>; 3] {
        match *self {
            Set::Rolling { sliding, twisting, .. } => {
                let split = first_of_moment::<D>(sliding);
                let end = if twisting.is_some() { split.max(D - 1) } else { D };
                [1..split, split..end, end..D]
            }
            Set::Bearing { held, apart: true, .. } => {
                let [first, second, third] = [held, held.saturating_add(1), held.saturating_add(2)];
                [first.min(D)..second.min(D), second.min(D)..third.min(D), third.min(D)..D]
            }
            Set::Bearing { held, .. } => [held.min(D)..D, D..D, D..D],
            _ => [1..D, D..D, D..D],
        }
    }
}

/// Where the rolling moment begins.
fn first_of_moment<const D: usize>(sliding: usize) -> usize {
    sliding.saturating_add(1).min(D)
}

/// The same with another normal component.
fn with_normal<const D: usize>(mut x: Vector<D>, normal: f64) -> Vector<D> {
    x[0] = normal;
    x
}

/// The first components of `r`, the others zero.
fn leading<const D: usize>(rows: usize, r: &Vector<D>) -> Vector<D> {
    Vector::from_fn(|i, _| if i < rows { r[i] } else { 0.0 })
}

/// Length of the components `from..to`.
#[inline]
fn length<const D: usize>(x: &Vector<D>, from: usize, to: usize) -> f64 {
    let mut sum = 0.0;
    for i in from..to {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

#[cfg(test)]
mod tests;
