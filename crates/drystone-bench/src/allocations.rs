//! Counts what a piece of work allocates, for tests that promise it allocates nothing. A test makes
//! [`Counting`] its global allocator.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counted by thread: the test harness allocates on its own.
pub struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: what the caller promises is what the system's asks for
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: what the caller promises is what the system's asks for
        unsafe { System.dealloc(place, layout) }
    }
}

/// How often a piece of work allocates on this thread, and what it gives; 0 unless [`Counting`] is the global
/// allocator.
pub fn allocations<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let before = ALLOCATIONS.with(Cell::get);
    let given = work();
    (ALLOCATIONS.with(Cell::get) - before, given)
}
