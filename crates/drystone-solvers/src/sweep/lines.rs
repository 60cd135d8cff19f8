//! A few numbers for each body or contact, a cache line each, shared by threads that work on different ones. Who works on
//! which is decided by the sweep; this file only holds it to its word.
#![allow(unsafe_code)]

use super::lanes::Octet;
use std::cell::UnsafeCell;

/// `M^{1/2} v` of every body or the impulse of every contact, at most eight numbers each, and spare lines for what does
/// not move.
///
/// Reading and writing through a shared reference is what lets two threads sweep two parts of a problem at once. It is
/// sound as long as no line that one thread writes is used by another between two meeting points. For pairs of bodies
/// [`super::tiles::Plan`] sees to that: the tiles of one phase share no line. For assembled rows the colours do: contacts
/// of one colour, which alone are written, have no block between them. Both are checked once, when the lanes are made.
pub(crate) struct Lines {
    lines: Vec<UnsafeCell<Octet>>,
}

// SAFETY: no line that a thread writes is used by another between two meeting points, see above
unsafe impl Sync for Lines {}

impl Lines {
    /// So many lines, all zero.
    pub fn new(count: usize) -> Self {
        Self { lines: (0..count).map(|_| UnsafeCell::new(Octet::ZERO)).collect() }
    }

    /// Where a line starts, aligned to 64 bytes.
    #[inline(always)]
    pub fn place(&self, index: u32) -> *mut f64 {
        debug_assert!((index as usize) < self.lines.len());
        // SAFETY: the indices of a plan are below the number of lines, checked when the lanes are made
        unsafe { self.lines.get_unchecked(index as usize).get().cast() }
    }

    /// Calls for a line, where the machine can.
    #[inline(always)]
    pub fn prefetch(&self, index: u32) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint; the place is inside the lines
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.place(index).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }

    /// The numbers of a line.
    #[inline(always)]
    pub fn read(&self, index: u32) -> Octet {
        // SAFETY: nobody else writes this line now, see the type
        unsafe { *self.place(index).cast::<Octet>() }
    }

    /// Overwrites a line.
    #[inline(always)]
    pub fn write(&self, index: u32, line: &Octet) {
        // SAFETY: nobody else uses this line now, see the type
        unsafe { *self.place(index).cast::<Octet>() = *line }
    }

    /// All lines, for whoever has them alone.
    pub fn all(&mut self) -> &mut [Octet] {
        // SAFETY: a cell has the layout of what is in it, and the exclusive reference rules out any other user
        unsafe { &mut *(self.lines.as_mut_slice() as *mut [UnsafeCell<Octet>] as *mut [Octet]) }
    }
}
