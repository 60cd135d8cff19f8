//! What holds for the whole of a step, in one place: who reads it gets one reference. Owns nothing.

use crate::{Bonding, Laws, Ties};
use drystone_bulk::Solids;
use drystone_detect::{Cell, ContactPoint};
use drystone_geometry::Contactor;
use drystone_laws::Push;
use drystone_math::{Pose, Vector};
use drystone_state::{Bodies, ContactMemory, TieMemory, Velocities};

/// What counts as nothing at a contact, relative to the size of the smaller of its two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    /// Largest gap of bodies that touch, over the size.
    pub touching: f64,
    /// Largest way in a step of a contact that does not slide, over the size.
    pub sliding: f64,
}

impl Default for Tolerances {
    fn default() -> Self {
        Self { touching: 1e-12, sliding: 1e-9 }
    }
}

/// How fast bodies grow, relative to their size \[1/s\], body by body; empty where none does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GrowthRates {
    /// As the step begins.
    pub begin: Vec<f64>,
    /// As it ends.
    pub end: Vec<f64>,
}

impl GrowthRates {
    /// Whether none of them grows.
    pub fn is_empty(&self) -> bool {
        self.end.is_empty()
    }

    pub(crate) fn of(&self, body: usize) -> [f64; 2] {
        [&self.begin, &self.end].map(|rates| rates.get(body).copied().unwrap_or(0.0))
    }
}

/// A step as detection, laws, ties and assembly see it: the bodies, what acts between them, and its numbers.
#[derive(Clone, Copy)]
pub struct StepContext<'a, const D: usize> {
    /// The bodies at the beginning of the step.
    pub bodies: &'a Bodies<D>,
    /// What deformable ones have beside their rigid lines; none where all are taken for rigid.
    pub solids: Option<&'a Solids<D>>,
    /// Their contactors.
    pub contactors: &'a [Contactor<D>],
    /// The laws between their groups.
    pub laws: &'a Laws<D>,
    /// What ties bodies for good.
    pub ties: &'a Ties<D>,
    /// The state of the ties.
    pub tie_memory: &'a [TieMemory<D>],
    /// The contacts of the last step, by increasing identity.
    pub memory: &'a [ContactMemory<D>],
    /// The periodic cell, if there is one.
    pub cell: Option<Cell<D>>,
    /// Poses at the middle configuration.
    pub middle: &'a [Pose<D>],
    /// Velocities without contact.
    pub free: &'a Velocities,
    /// How fast bodies grow, where any does.
    pub growth: Option<&'a GrowthRates>,
    /// Time step \[s\].
    pub h: f64,
    /// θ of the scheme.
    pub theta: f64,
    /// Time at the beginning of the step \[s\].
    pub time: f64,
    /// Alert distance of detection, relative to the radius of the smaller body.
    pub alert: f64,
    /// Gap at which laws may still act \[m\], in addition.
    pub reach: f64,
    /// Most points of a flat patch; none for all.
    pub patch_points: Option<usize>,
    /// Depth that bodies may reach in passing, relative to the radius of the smaller; 0 leaves no contact
    /// out.
    pub grazing: f64,
    /// Which contacts are bonded in this step.
    pub bonding: Bonding<'a>,
    /// Mean normal impulse of the contacts that pushed in the last steps \[N s\], 0 before any did.
    pub mean_normal: f64,
    /// What is added to the laws of contacts that overlap.
    pub push: Push,
    /// Whether positions are projected after the step.
    pub projected: bool,
    /// What counts as no gap and as no way.
    pub tolerances: Tolerances,
}

impl<'a, const D: usize> StepContext<'a, D> {
    /// The bodies where they stand, with no time to go anywhere: nothing but what touches is found.
    pub fn standing(
        bodies: &'a Bodies<D>,
        contactors: &'a [Contactor<D>],
        laws: &'a Laws<D>,
        ties: &'a Ties<D>,
        cell: Option<Cell<D>>,
    ) -> Self {
        Self {
            bodies,
            solids: None,
            contactors,
            laws,
            ties,
            tie_memory: &[],
            memory: &[],
            cell,
            middle: &bodies.pose,
            free: &bodies.velocity,
            growth: None,
            h: 0.0,
            theta: 0.5,
            time: 0.0,
            alert: 0.0,
            reach: 0.0,
            patch_points: None,
            grazing: 0.0,
            bonding: Bonding::default(),
            mean_normal: 0.0,
            push: Push::None,
            projected: false,
            tolerances: Tolerances::default(),
        }
    }
}

impl<const D: usize> StepContext<'_, D> {
    /// Whether a body is deformable.
    pub(crate) fn is_soft(&self, body: usize) -> bool {
        self.solids.is_some_and(|solids| solids.is_soft(body))
    }

    /// Whether no impulse can move anything of a body.
    pub(crate) fn is_held(&self, body: usize) -> bool {
        self.bodies.is_driven(body) && !self.is_soft(body)
    }
}

/// What holds for all contacts of a step.
#[derive(Clone, Copy, Default)]
pub(crate) struct Common {
    pub h: f64,
    pub theta: f64,
    pub time: f64,
    pub mean_normal: f64,
    pub push: Push,
    pub tolerances: Tolerances,
}

/// The antagonist of a touch where it touches the candidate: in a periodic cell an image of it.
pub(crate) fn image_of<const D: usize>(
    antagonist: &Pose<D>,
    cell: Option<&Cell<D>>,
    touch: &ContactPoint<D>,
) -> Pose<D> {
    let shift = cell.map_or_else(Vector::zeros, |cell| cell.shift(touch.image));
    Pose { position: antagonist.position + shift, ..*antagonist }
}
