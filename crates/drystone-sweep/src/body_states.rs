//! A few numbers for each body, a cache line each, or for each contact, closer together, and the right of
//! threads to share them for a while. Who works on which is decided and checked by the lanes; this file only
//! holds the numbers.
#![allow(unsafe_code)]

use super::octet::{F64x8, WIDTH};
use drystone_problem::Vector;
use fearless_simd::{Simd, f64x2, f64x8, prelude::*};
use std::marker::PhantomData;

/// `M^{1/2} v` of every body, at most eight numbers each, and spare lines for what does not move. Safe code
/// has them alone or reads them; threads share them in a [`Phase`].
#[derive(Default)]
pub(crate) struct BodyStates {
    lines: Vec<F64x8>,
}

impl BodyStates {
    /// So many lines, all zero, in the memory of those before.
    pub fn renew(&mut self, count: usize) {
        self.lines.clear();
        self.lines.resize(count, F64x8::ZERO);
    }

    /// All lines, for whoever has them alone.
    pub fn all(&mut self) -> &mut [F64x8] {
        &mut self.lines
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

/// Places of a slice that threads fill in, each of them one that no other has.
pub(crate) struct Places<'a, T> {
    start: *mut T,
    count: usize,
    places: PhantomData<&'a mut [T]>,
}

// SAFETY: whoever made them promised that threads do not use the same places, see `Places::of`
unsafe impl<T: Send> Sync for Places<'_, T> {}

impl<'a, T> Places<'a, T> {
    /// The places of a slice.
    ///
    /// # Safety
    ///
    /// No place is written by two threads.
    pub unsafe fn of(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), count: slice.len(), places: PhantomData }
    }

    /// Fills one in; what was there before is not dropped.
    #[inline(always)]
    pub fn write(&self, index: u32, value: T) {
        assert!((index as usize) < self.count, "a place beyond the end");
        // SAFETY: it is inside the slice, and no other thread uses it by the promise of who made this
        unsafe { self.start.add(index as usize).write(value) }
    }
}

/// BodyStates that threads share, under the promise of whoever began the phase, see [`BodyStates::phase`].
///
/// The tiles of one phase share no line ([`super::tiles::Plan`]), which is checked once, when the lanes are
/// made.
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
    /// Where a line starts.
    #[inline(always)]
    fn place(&self, index: u32) -> *mut F64x8 {
        debug_assert!((index as usize) < self.count);
        // SAFETY: the index is below the number of lines by the promise of the phase
        unsafe { self.start.add(index as usize) }
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
        unsafe { *self.place(index) }
    }

    /// Two numbers of a line, side by side.
    #[inline(always)]
    fn pair<S: Simd>(&self, simd: S, index: u32, pair: usize) -> f64x2<S> {
        // SAFETY: no other thread writes this line now by the promise of the phase
        let line = unsafe { &(*self.place(index)).0 };
        f64x2::simd_from(simd, [line[2 * pair], line[2 * pair + 1]])
    }

    /// Overwrites a line.
    #[inline(always)]
    pub fn write(&self, index: u32, line: &F64x8) {
        // SAFETY: no other thread uses this line now by the promise of the phase
        unsafe { *self.place(index) = *line }
    }

    /// Overwrites two numbers of a line.
    #[inline(always)]
    fn write_pair<S: Simd>(&self, index: u32, pair: usize, numbers: f64x2<S>) {
        // SAFETY: no other thread uses this line now by the promise of the phase
        let line = unsafe { &mut (*self.place(index)).0 };
        numbers.store_slice(&mut line[2 * pair..2 * pair + 2]);
    }

    /// The first `N` numbers of eight lines, lane i from line `at[i]`: two columns at a time, the pair of
    /// each line put beside three others on its way.
    #[inline(always)]
    pub fn gather<S: Simd, const N: usize>(&self, simd: S, at: &[u32; WIDTH]) -> [f64x8<S>; N] {
        let mut found = [f64x8::splat(simd, 0.0); N];
        for pair in 0..N.div_ceil(2) {
            let low = self.four_pairs(simd, [at[0], at[1], at[2], at[3]], pair);
            let high = self.four_pairs(simd, [at[4], at[5], at[6], at[7]], pair);
            found[2 * pair] = low.unzip_low(high);
            if 2 * pair + 1 < N {
                found[2 * pair + 1] = low.unzip_high(high);
            }
        }
        found
    }

    /// The same pair of numbers of four lines, side by side.
    #[inline(always)]
    fn four_pairs<S: Simd>(&self, simd: S, at: [u32; 4], pair: usize) -> f64x8<S> {
        let low = self.pair(simd, at[0], pair).combine(self.pair(simd, at[1], pair));
        low.combine(self.pair(simd, at[2], pair).combine(self.pair(simd, at[3], pair)))
    }

    /// Overwrites the first `N` numbers of eight lines; lines that occur twice must be given the same
    /// numbers. Where a register holds a line, all of the line is written, zeros behind the numbers.
    #[inline(always)]
    pub fn scatter<S: Simd, const N: usize>(&self, at: &[u32; WIDTH], numbers: &[f64x8<S>; N]) {
        let zero = f64x8::splat(numbers[0].token(), 0.0);
        if S::f64s::LEN == WIDTH {
            let mut columns = [zero; WIDTH];
            columns[..N].copy_from_slice(numbers);
            // three perfect shuffles transpose
            for _ in 0..3 {
                let [a, b, c, d, e, f, g, h] = columns;
                columns = [
                    a.zip_low(e),
                    a.zip_high(e),
                    b.zip_low(f),
                    b.zip_high(f),
                    c.zip_low(g),
                    c.zip_high(g),
                    d.zip_low(h),
                    d.zip_high(h),
                ];
            }
            for lane in 0..WIDTH {
                let mut line = F64x8::ZERO;
                line.store(columns[lane]);
                self.write(at[lane], &line);
            }
            return;
        }
        for pair in 0..N.div_ceil(2) {
            let (one, two) = (numbers[2 * pair], if 2 * pair + 1 < N { numbers[2 * pair + 1] } else { zero });
            for (half, pairs) in [(0, one.zip_low(two)), (4, one.zip_high(two))] {
                let (low, high) = pairs.split();
                let [(a, b), (c, d)] = [low.split(), high.split()];
                self.write_pair(at[half], pair, a);
                self.write_pair(at[half + 1], pair, b);
                self.write_pair(at[half + 2], pair, c);
                self.write_pair(at[half + 3], pair, d);
            }
        }
    }
}

/// The impulse of every contact, and spare places for what does not move: four to a cache line in the plane
/// and two in space, so that more of them stay in the cache that is nearest.
pub(crate) struct ImpulseStates<const D: usize> {
    lines: Vec<F64x8>,
    count: usize,
}

impl<const D: usize> ImpulseStates<D> {
    /// Numbers from one impulse to the next: whole pairs, which a register takes at once.
    const ROOM: usize = 2 * D.div_ceil(2);

    /// So many impulses, all zero.
    pub fn new(count: usize) -> Self {
        Self { lines: vec![F64x8::ZERO; (count * Self::ROOM).div_ceil(WIDTH)], count }
    }

    /// All numbers, eight at a time, for whoever has them alone.
    pub fn lines(&mut self) -> &mut [F64x8] {
        &mut self.lines
    }

    /// An impulse.
    pub fn get(&self, index: usize) -> Vector<D> {
        let at = index * Self::ROOM;
        Vector::from_fn(|k, _| self.lines[(at + k) / WIDTH].0[(at + k) % WIDTH])
    }

    /// Overwrites an impulse.
    pub fn set(&mut self, index: usize, impulse: &Vector<D>) {
        let at = index * Self::ROOM;
        (0..D).for_each(|k| self.lines[(at + k) / WIDTH].0[(at + k) % WIDTH] = impulse[k]);
    }

    /// Shares the impulses between threads, each of which reads and writes some of its own.
    ///
    /// # Safety
    ///
    /// As long as the phase or a copy of it is in use: every index it is given is below the number of
    /// impulses, and none that one thread writes is used by another between two points where they meet.
    pub unsafe fn phase(&mut self) -> ImpulsePhase<'_, D> {
        debug_assert!(self.count * Self::ROOM <= self.lines.len() * WIDTH);
        ImpulsePhase { start: self.lines.as_mut_ptr().cast(), count: self.count, lines: PhantomData }
    }
}

/// Impulses that threads share, under the promise of whoever began the phase, see [`ImpulseStates::phase`]:
/// the contacts of one colour, which alone are written, have no block between them, which is checked once,
/// when the lanes are made.
#[derive(Clone, Copy)]
pub(crate) struct ImpulsePhase<'a, const D: usize> {
    start: *mut f64,
    count: usize,
    lines: PhantomData<&'a mut [F64x8]>,
}

// SAFETY: whoever began the phase promised that threads do not use the same impulses
unsafe impl<const D: usize> Sync for ImpulsePhase<'_, D> {}
// SAFETY: as above
unsafe impl<const D: usize> Send for ImpulsePhase<'_, D> {}

impl<const D: usize> ImpulsePhase<'_, D> {
    /// Where two numbers of an impulse are.
    #[inline(always)]
    fn place(&self, index: u32, pair: usize) -> *mut [f64; 2] {
        debug_assert!((index as usize) < self.count && 2 * pair < ImpulseStates::<D>::ROOM);
        // SAFETY: the index is below the number of impulses by the promise of the phase, and each has whole
        // pairs of numbers
        unsafe { self.start.add(index as usize * ImpulseStates::<D>::ROOM + 2 * pair).cast() }
    }

    /// Two numbers of an impulse, side by side.
    #[inline(always)]
    fn pair<S: Simd>(&self, simd: S, index: u32, pair: usize) -> f64x2<S> {
        // SAFETY: no other thread writes this impulse now by the promise of the phase
        f64x2::simd_from(simd, unsafe { *self.place(index, pair) })
    }

    /// Overwrites two numbers of an impulse.
    #[inline(always)]
    fn write_pair<S: Simd>(&self, index: u32, pair: usize, numbers: f64x2<S>) {
        // SAFETY: no other thread uses this impulse now by the promise of the phase
        numbers.store_slice(unsafe { &mut *self.place(index, pair) });
    }

    /// An impulse.
    #[inline(always)]
    pub fn read(&self, index: u32) -> Vector<D> {
        // SAFETY: no other thread writes this impulse now by the promise of the phase
        Vector::from_fn(|k, _| unsafe { *self.place(index, k / 2) }[k % 2])
    }

    /// Overwrites an impulse.
    #[inline(always)]
    pub fn write(&self, index: u32, impulse: &Vector<D>) {
        for k in 0..D {
            // SAFETY: no other thread uses this impulse now by the promise of the phase
            unsafe { (*self.place(index, k / 2))[k % 2] = impulse[k] };
        }
    }

    /// Eight impulses, lane i that of `at[i]`: two numbers at a time, the pair of each put beside three
    /// others on its way.
    #[inline(always)]
    pub fn gather<S: Simd>(&self, simd: S, at: &[u32; WIDTH]) -> [f64x8<S>; D] {
        let mut found = [f64x8::splat(simd, 0.0); D];
        for pair in 0..D.div_ceil(2) {
            let low = self.four_pairs(simd, [at[0], at[1], at[2], at[3]], pair);
            let high = self.four_pairs(simd, [at[4], at[5], at[6], at[7]], pair);
            found[2 * pair] = low.unzip_low(high);
            if 2 * pair + 1 < D {
                found[2 * pair + 1] = low.unzip_high(high);
            }
        }
        found
    }

    /// The same pair of numbers of four impulses, side by side.
    #[inline(always)]
    fn four_pairs<S: Simd>(&self, simd: S, at: [u32; 4], pair: usize) -> f64x8<S> {
        let low = self.pair(simd, at[0], pair).combine(self.pair(simd, at[1], pair));
        low.combine(self.pair(simd, at[2], pair).combine(self.pair(simd, at[3], pair)))
    }

    /// Overwrites eight impulses; those that occur twice must be given the same numbers.
    #[inline(always)]
    pub fn scatter<S: Simd>(&self, at: &[u32; WIDTH], numbers: &[f64x8<S>; D]) {
        let zero = f64x8::splat(numbers[0].token(), 0.0);
        for pair in 0..D.div_ceil(2) {
            let (one, two) = (numbers[2 * pair], if 2 * pair + 1 < D { numbers[2 * pair + 1] } else { zero });
            for (half, pairs) in [(0, one.zip_low(two)), (4, one.zip_high(two))] {
                let (low, high) = pairs.split();
                let [(a, b), (c, d)] = [low.split(), high.split()];
                self.write_pair(at[half], pair, a);
                self.write_pair(at[half + 1], pair, b);
                self.write_pair(at[half + 2], pair, c);
                self.write_pair(at[half + 3], pair, d);
            }
        }
    }
}
