//! What a contact leaves to the next step.

use drystone_math::Vector;

/// How many internal variables a law may keep per contact (damage, slip, gap memory …).
pub const LAW_MEMORY: usize = 4;

/// Identity of a contact, persistent over steps: which two contactors, and which features of them touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId {
    /// Candidate and antagonist, as indices of contactors.
    pub contactors: [u32; 2],
    /// Which vertices, edges or faces touch; the detection of the pair gives it its meaning.
    pub feature: u64,
}

/// Impulse and internal variables of one contact at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMemory<const D: usize> {
    /// Whose memory it is.
    pub id: ContactId,
    /// Impulse of the last step on the candidate, in world axes \[N s\], so that it survives a turn of the frame.
    pub impulse: Vector<D>,
    /// Internal variables of the law.
    pub internal: [f64; LAW_MEMORY],
}
