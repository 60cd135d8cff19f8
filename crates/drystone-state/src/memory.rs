//! What a contact leaves to the next step.

use drystone_math::Vector;

/// How many internal variables a law may keep per contact (damage, slip, gap memory …).
pub const LAW_MEMORY: usize = 8;

/// How many branches beside the first one a contact may have.
pub const BRANCHES: usize = 2;

/// Identity of a contact, persistent over steps: which two contactors, and which features of them touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactId {
    /// Candidate and antagonist, as indices of contactors.
    pub contactors: [u32; 2],
    /// In a periodic cell, by how many periods along x and y the antagonist is moved to touch the candidate.
    /// It stays the same where bodies cross the seam, since their positions run on.
    pub image: [i32; 2],
    /// Which vertices, edges or faces touch; the detection of the pair gives it its meaning.
    pub feature: u64,
}

/// Impulse and internal variables of one contact at the end of a step.
#[doc(alias = "warm start")]
#[doc(alias = "contact history")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactMemory<const D: usize> {
    /// Whose memory it is.
    pub id: ContactId,
    /// Impulse of the last step on the candidate, in world axes \[N s\], so that it survives a turn of the
    /// frame.
    pub impulse: Vector<D>,
    /// Impulses of the branches beside the first one, in world axes \[N s\] or, of moments, \[N m s\].
    pub beside: [Vector<D>; BRANCHES],
    /// Where it was in world axes \[m\], to find it again under another name.
    pub point: Vector<D>,
    /// Energy stored in the contact \[J\].
    pub stored: f64,
    /// What the way of dealing with overlaps keeps of the gap \[m\].
    pub mark: f64,
    /// Internal variables of the law.
    pub internal: [f64; LAW_MEMORY],
}

/// What a tie leaves to the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TieMemory<const D: usize> {
    /// Impulses of the last step on the first body, in the axes of the tie: the force \[N s\], then the
    /// moment \[N m s\].
    pub impulse: [Vector<D>; 2],
    /// Energy stored in the tie \[J\].
    pub stored: f64,
    /// Impulse of its friction, in the last components of the free motions \[N s\], of turns \[N m s\].
    pub friction: Vector<D>,
    /// Impulses of its lower and upper stop \[N s\], of turns \[N m s\]; of a joint with two or three free
    /// turns one for each turn that has stops, positive from the lower one.
    pub stops: [f64; 2],
    /// The angle of a torsion spring or of a joint with stops, turns counted \[rad\], or how far coupled
    /// motions are off their relation.
    pub value: f64,
    /// Whether it is broken, for good.
    pub broken: bool,
}

impl<const D: usize> Default for TieMemory<D> {
    fn default() -> Self {
        let (impulse, friction) = ([Vector::zeros(); 2], Vector::zeros());
        Self { impulse, stored: 0.0, friction, stops: [0.0; 2], value: 0.0, broken: false }
    }
}

/// What of a deformable body must survive from step to step.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SolidMemory {
    /// Displacement of each degree of freedom, in the axes of the body \[m\].
    pub displacement: Vec<f64>,
    /// Its velocity \[m/s\].
    pub velocity: Vec<f64>,
    /// Internal variables of the material, point after point; empty where it has none.
    pub history: Vec<f64>,
    /// Displacement at which the matrix of Newton's method was made \[m\]; empty where there is none.
    pub matrix_displacement: Vec<f64>,
    /// Internal variables with which it was made.
    pub matrix_history: Vec<f64>,
}
