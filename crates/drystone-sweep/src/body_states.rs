//! A few numbers for each body or contact, a cache line each, and the right of threads to share them for a
//! while. Who works on which is decided and checked by the lanes; this file only holds the numbers.
#![allow(unsafe_code)]

use super::octet::F64x8;
use std::marker::PhantomData;

/// `M^{1/2} v` of every body or the impulse of every contact, at most eight numbers each, and spare lines for
/// what does not move. Safe code has them alone or reads them; threads share them in a [`Phase`].
#[derive(Default)]
pub(crate) struct BodyStates {
    lines: Vec<F64x8>,
}

impl BodyStates {
    /// So many lines, all zero.
    pub fn new(count: usize) -> Self {
        Self { lines: vec![F64x8::ZERO; count] }
    }

    /// So many lines, all zero, in the memory of those before.
    pub fn renew(&mut self, count: usize) {
        self.lines.clear();
        self.lines.resize(count, F64x8::ZERO);
    }

    /// All lines, for whoever has them alone.
    pub fn all(&mut self) -> &mut [F64x8] {
        &mut self.lines
    }

    /// The numbers of a line.
    pub fn get(&self, index: usize) -> &F64x8 {
        &self.lines[index]
    }

    /// Shares the lines between threads, each of which reads and writes lines of its own (double buffering
    /// would cost a copy of all of them for every colour).
    ///
    /// # Safety
    ///
    /// As long as the phase or a copy of it is in use: every index it is given is below the number of lines,
    /// and no line that one thread writes is used by another between two points where they meet.
    pub unsafe fn phase(&mut self) -> Phase<'_> {
        Phase { start: self.lines.as_mut_ptr(), count: self.lines.len(), lines: PhantomData }
    }
}

/// BodyStates that threads share, under the promise of whoever began the phase, see [`BodyStates::phase`].
///
/// For pairs of bodies the tiles of one phase share no line ([`super::tiles::Plan`]). For assembled rows the
/// contacts of one colour, which alone are written, have no block between them. Both are checked once, when
/// the lanes are made.
#[derive(Clone, Copy)]
pub(crate) struct Phase<'a> {
    start: *mut F64x8,
    count: usize,
    lines: PhantomData<&'a mut [F64x8]>,
}

// SAFETY: whoever began the phase promised that threads do not use the same lines, see `BodyStates::phase`
unsafe impl Sync for Phase<'_> {}
// SAFETY: as above
unsafe impl Send for Phase<'_> {}

impl Phase<'_> {
    /// Where a line starts, aligned to 64 bytes.
    #[inline(always)]
    pub fn place(&self, index: u32) -> *mut f64 {
        debug_assert!((index as usize) < self.count);
        // SAFETY: the index is below the number of lines by the promise of the phase
        unsafe { self.start.add(index as usize).cast() }
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
    pub fn read(&self, index: u32) -> F64x8 {
        // SAFETY: no other thread writes this line now by the promise of the phase
        unsafe { *self.place(index).cast::<F64x8>() }
    }

    /// Overwrites a line.
    #[inline(always)]
    pub fn write(&self, index: u32, line: &F64x8) {
        // SAFETY: no other thread uses this line now by the promise of the phase
        unsafe { *self.place(index).cast::<F64x8>() = *line }
    }
}
