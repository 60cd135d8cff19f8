//! Interaction laws, a file each. A law is a change of variables to a canonical set of the waist; it solves
//! nothing and knows neither bodies nor shapes.

mod capillary;
mod cohesive;
mod curves;
mod dissipated;
mod drift;
mod friction;
mod inelastic;
mod mohr_coulomb;
mod orowan;
mod percussion;
mod poisson;
mod restitution;
mod rolling;
mod slip;
mod tresca;
mod unilateral;
mod variables;
mod viscoelastic;

pub use capillary::Capillary;
pub use cohesive::{Cohesive, Softening};
pub use curves::{Bilinear, Exponential, Mac, Trapezoidal};
pub use dissipated::Dissipated;
pub use drift::{Drift, Push, Pushed, Trace};
pub use friction::{Friction, STICK, Table};
pub use inelastic::Inelastic;
pub use mohr_coulomb::MohrCoulomb;
pub use orowan::Orowan;
pub use percussion::{Percussion, Threshold};
pub use poisson::Poisson;
pub use restitution::Restitution;
pub use rolling::Rolling;
pub use tresca::Tresca;
pub use unilateral::{Level, Unilateral};
pub use viscoelastic::{Device, Viscoelastic};

use drystone_math::{Matrix, Vector};
use drystone_problem::Set;

/// Most branches a contact may have beside its first one.
pub const BRANCHES: usize = 2;

/// What a law sees of one contact at the start of a step, in the contact frame (normal first).
///
/// The gap moves on as `g_begin = g − (1−θ) h u_begin`, `g` at the middle configuration, `g_end = g + θ h u`,
/// and `g + h u` at the next middle configuration.
#[derive(Clone, Copy, Debug)]
pub struct Approach<'a, const D: usize> {
    /// Signed distance at the middle configuration q_m \[m\], negative when the bodies overlap.
    pub gap: f64,
    /// Relative velocity at the beginning of the step \[m/s\].
    pub u_begin: Vector<D>,
    /// Time step \[s\].
    pub h: f64,
    /// θ of the scheme, no unit.
    pub theta: f64,
    /// Time at the beginning of the step \[s\].
    pub time: f64,
    /// Whether a contact that begins is bonded: those of the first step of a run, and those that are asked
    /// for later.
    pub bonding: bool,
    /// Columns: unit normal and tangents in world axes.
    pub frame: Matrix<D, D>,
    /// Share of this point in the patch where the two bodies touch \[m²\], in the plane the share of a length
    /// for a depth of 1 m; 0 where they touch at a single point.
    pub area: f64,
    /// Diagonal block of the Delassus operator \[1/kg\]: velocity at this contact per impulse at it.
    pub w: Matrix<D, D>,
    /// Mean normal impulse of the contacts that pushed in the last steps \[N s\]; in a first step that of the
    /// contacts one by one.
    pub mean_normal: f64,
    /// Energy stored in the contact at the beginning of the step \[J\].
    pub stored: f64,
    /// Gap up to which bodies count as touching \[m\]: what rounding leaves of a gap of none.
    pub touching: f64,
    /// Overlap from which on a body may have passed the other and be pushed out on its far side \[m\]: half
    /// the thickness of the thinner one along the normal, infinite where none can be passed.
    pub depth: f64,
    /// The law's own variables at this contact.
    pub internal: &'a [f64],
}

impl<'a, const D: usize> Approach<'a, D> {
    /// A first step at a single point, bonded, with θ = ½ and no variables.
    pub fn new(gap: f64, u_begin: Vector<D>, h: f64) -> Self {
        Self {
            gap,
            u_begin,
            h,
            theta: 0.5,
            time: 0.0,
            bonding: true,
            frame: Matrix::identity(),
            area: 0.0,
            w: Matrix::identity(),
            mean_normal: 0.0,
            stored: 0.0,
            touching: 0.0,
            depth: f64::INFINITY,
            internal: &[],
        }
    }

    /// The same with the law's own variables.
    pub fn with<'b>(self, internal: &'b [f64]) -> Approach<'b, D> {
        Approach { internal, ..self }
    }

    /// Whether a shock is due in this step: the bodies touch or overlap at the middle configuration, or would
    /// by the next one overlap so far that one may have passed the other. In the second case they bounce
    /// early, by up to the way of a step.
    pub fn meets(&self) -> bool {
        self.gap <= self.touching || self.gap + self.h * self.u_begin[0] < -self.depth
    }

    /// Gap at the beginning of the step \[m\].
    pub fn gap_begin(&self) -> f64 {
        self.gap - (1.0 - self.theta) * self.h * self.u_begin[0]
    }

    /// Gap at the end of the step \[m\], once the velocity there is known.
    pub fn gap_end(&self, u: &Vector<D>) -> f64 {
        self.gap + self.theta * self.h * u[0]
    }

    /// Mean of the velocities at the two ends of the step \[m/s\]: what the work of an impulse is taken with.
    pub fn mean(&self, u: &Vector<D>) -> Vector<D> {
        (self.u_begin + u) * 0.5
    }

    /// The velocity with which the bodies go on \[m/s\]: the mean one for θ = ½.
    pub fn way(&self, u: &Vector<D>) -> Vector<D> {
        self.u_begin * (1.0 - self.theta) + u * self.theta
    }
}

/// Which relative motion a branch of a contact acts on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Along {
    /// The relative velocity, normal and tangents.
    #[default]
    Whole,
    /// The tangents alone; the normal carries nothing.
    Tangents,
    /// The relative spin about the tangents \[rad/s\], in the plane about the third axis, as components 1 and
    /// on; impulses are moments \[N m s\]. Component 0 carries nothing.
    Rolling,
    /// The relative spin about the normal as component 1; the others carry nothing. Nothing in the plane.
    Twisting,
}

/// The change of variables of one branch of a contact for one step: `(u + C r + shift, r + impulse)` must lie
/// in `set`, with a diagonal `C`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change<const D: usize> {
    /// The canonical set.
    pub set: Set,
    /// Added to the relative velocity \[m/s\].
    pub shift: Vector<D>,
    /// Diagonal of `C` \[1/kg\], none of it negative.
    pub compliance: Vector<D>,
    /// Added to the impulse \[N s\].
    pub impulse: Vector<D>,
    /// The motion it acts on.
    pub along: Along,
    /// Where it is not zero, the set is Tresca's with this times the normal impulse of the first branch as
    /// its threshold, and both are solved together: its own unit is that of the ratio, \[m\] for moments.
    pub follows: f64,
    /// Where it is not zero, shocks have two phases: this part of the normal impulse of the compression comes
    /// back at least, or, of a branch beside with Tresca's set, is its threshold. No unit.
    pub returns: f64,
}

impl<const D: usize> Change<D> {
    /// The set itself, nothing changed.
    pub fn new(set: Set) -> Self {
        let zero = Vector::zeros();
        Self {
            set,
            shift: zero,
            compliance: zero,
            impulse: zero,
            along: Along::Whole,
            follows: 0.0,
            returns: 0.0,
        }
    }

    /// The set with its normal velocity shifted by so much \[m/s\].
    pub fn forecast(set: Set, normal: f64) -> Self {
        let mut change = Self::new(set);
        change.shift[0] = normal;
        change
    }

    /// Velocity and impulse of the law where `u` and `r` are those of the set: the way back, `r − impulse`
    /// and
    /// `u − shift − C (r − impulse)`.
    pub fn to_law(&self, u: &Vector<D>, r: &Vector<D>) -> (Vector<D>, Vector<D>) {
        let truth = r - self.impulse;
        (u - self.shift - self.compliance.component_mul(&truth), truth)
    }
}

/// What a step did to a contact, in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome<const D: usize> {
    /// Relative velocity at the end of the step \[m/s\].
    pub u: Vector<D>,
    /// Impulse on the candidate, all branches of the relative velocity together \[N s\].
    pub r: Vector<D>,
    /// Impulses of the branches beside the first one.
    pub beside: [Vector<D>; BRANCHES],
    /// Relative spins at the beginning and at the end of the step where a branch acts on them \[rad/s\].
    pub spin: [Vector<D>; 2],
    /// Whether the first branch is open: its impulse in the variables of its set is zero.
    pub open: bool,
    /// Whether the contact does not slide: the impulse of the first branch is inside its threshold of
    /// friction, or its velocity is none.
    pub sticks: bool,
    /// Relative speed that counts as none \[m/s\]: what rounding and the tolerance of the solver leave of it.
    pub still: f64,
}

impl<const D: usize> Outcome<D> {
    /// A contact with one branch.
    pub fn new(u: Vector<D>, r: Vector<D>) -> Self {
        let zero = Vector::zeros();
        Self { u, r, beside: [zero; BRANCHES], spin: [zero; 2], open: false, sticks: false, still: 0.0 }
    }
}

/// All of it: what a share is unless something changes it.
#[cfg(feature = "serde")]
pub(crate) fn whole() -> f64 {
    1.0
}

/// An interaction law.
pub trait Law<const D: usize>: std::fmt::Debug + Send + Sync {
    /// The change of variables for this step, or `None` where the contact takes no part in it. Laws with
    /// variables of their own always give one.
    fn change(&self, approach: &Approach<D>) -> Option<Change<D>>;

    /// Further branches in parallel: their impulses add up.
    fn beside(&self, _approach: &Approach<D>) -> [Option<Change<D>>; BRANCHES] {
        [None; BRANCHES]
    }

    /// Names of the variables the law keeps at a contact, in their order; see
    /// [`law_variables`](crate::law_variables).
    fn variables(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Gives the variables of a new contact their first values, zero before, and the energy that it stores
    /// from the beginning \[J\].
    fn begin(&self, _approach: &Approach<D>, _internal: &mut [f64]) -> f64 {
        0.0
    }

    /// Updates the variables after the solve, and says where the work of the contact went.
    fn keep(&self, approach: &Approach<D>, outcome: &Outcome<D>, _internal: &mut [f64]) -> Dissipated {
        Dissipated::rigid(approach, outcome)
    }

    /// The gap at which bodies touch \[m\], with the law's own variables at the contact; `None` where they
    /// may overlap because the law says so, and no correction of the drift is due.
    fn touching(&self, _internal: &[f64]) -> Option<f64> {
        Some(0.0)
    }

    /// The same behaviour as a percussion of A-CD², where it has one.
    fn atomised(&self) -> Option<Box<dyn Law<D>>> {
        None
    }

    /// The same law with another coefficient of friction \[-\]; `None` where it has none that is one number.
    fn with_friction(&self, _friction: f64) -> Option<Box<dyn Law<D>>> {
        None
    }

    /// The same law with this share of its strengths and attractions \[-\]; `None` where it has none that may
    /// change while contacts hold.
    fn with_cohesion(&self, _share: f64) -> Option<Box<dyn Law<D>>> {
        None
    }

    /// Whether the law is one of impacts: contacts of bodies that come to overlap within a step are then
    /// taken where the bodies touched.
    fn is_impact(&self) -> bool {
        false
    }

    /// Whether contacts of the law may be left out where bodies only pass each other: not where it acts
    /// before they touch, holds them together or counts gaps from elsewhere.
    fn may_pass(&self) -> bool {
        true
    }

    /// What a whole bond bears in tension at a corner of the patch it is part of \[Pa\], with the law's own
    /// variables; `None` where there is none, or it is judged at its own point alone.
    fn tension_strength(&self, _internal: &[f64]) -> Option<f64> {
        None
    }

    /// Breaks the bond of a patch whose stress is too much for it.
    fn sever(&self, _internal: &mut [f64]) {}

    /// Largest gap at which the law may act \[m\].
    fn reach(&self) -> f64 {
        0.0
    }

    /// Whether the law asks for the area of contacts.
    fn wants_area(&self) -> bool {
        false
    }

    /// Whether the law asks for the mean normal impulse.
    fn wants_mean(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_from_a_set_is_the_way_to_it() {
        let (u, r) = (Vector::<3>::new(0.3, -0.2, 0.1), Vector::<3>::new(2.0, 0.5, -1.0));
        let change = Change {
            shift: Vector::<3>::new(0.01, 0.02, -0.03),
            compliance: Vector::<3>::new(0.5, 0.25, 0.125),
            impulse: Vector::<3>::new(1.5, -0.5, 0.25),
            ..Change::new(Set::Coulomb { mu: 0.5 })
        };
        let of_set = (u + change.compliance.component_mul(&r) + change.shift, r + change.impulse);
        let back = change.to_law(&of_set.0, &of_set.1);
        assert!((back.0 - u).norm() < 1e-15 && (back.1 - r).norm() < 1e-15, "{back:?}");
    }
}
