//! How long a group of contacts that stays open is left out of the sweeps. Knows no contact.

/// Longest a group is left out is the (i+1)i/2 of this.
const LONGEST: u32 = 12;

/// How long a group has been open: after i sweeps without any impulse it is left out of the next i(i+1)/2 (as
/// Jean 1999 does contact by contact).
#[derive(Clone, Copy)]
pub(super) struct SleepCounter {
    pub members: u32,
    open: u32,
    leave: u32,
}

impl SleepCounter {
    /// A group with so many contacts that has just been visited.
    pub fn new(members: usize) -> Self {
        Self { members: members as u32, open: 0, leave: 0 }
    }

    /// Whether to leave the group out of this sweep.
    #[inline(always)]
    pub fn leaves_out(&mut self, all: bool) -> bool {
        let out = self.leave > 0 && !all;
        self.leave = self.leave.saturating_sub(1);
        out
    }

    /// Learns whether the group held an impulse at its visit.
    #[inline(always)]
    pub fn learn(&mut self, holds: bool) {
        self.open = if holds { 0 } else { (self.open + 1).min(LONGEST) };
        self.leave = self.open * (self.open + 1) / 2;
    }
}
