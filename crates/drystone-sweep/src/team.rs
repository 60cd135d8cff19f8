//! Threads that stay awake from one phase of a sweep to the next: a phase lasts some ten microseconds, and a
//! thread that fell asleep takes longer than that to come back. Knows nothing of contacts, and decides
//! nothing: which pieces of work are independent of each other is the caller's affair.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::hint::spin_loop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a helper looks out for work before it goes to sleep: longer than the pauses within a solve, so
/// short that a process beside loses nothing.
const AWAKE: Duration = Duration::from_micros(300);

/// Looks between two looks at the clock, after which others are let on.
const LOOKS: u32 = 256;

/// Bits of a place in a queue; more pieces at a time are done in several goes.
const BITS: u32 = 31;

/// The caller and its helpers. Whoever calls takes part, and never waits for a helper that has not begun:
/// with no helper awake the work is done all the same.
pub(crate) struct Team {
    desk: Arc<Desk>,
    helpers: Vec<JoinHandle<()>>,
}

/// What the threads of a team share.
struct Desk {
    /// The work at hand; written by the caller while nobody has a piece of it.
    job: UnsafeCell<Job>,
    /// The pieces that each member begins with; see [`Queue`].
    queues: Vec<Queue>,
    /// Pieces that are not done.
    left: AtomicUsize,
    /// Goes up with every job.
    posted: AtomicU32,
    asleep: AtomicUsize,
    over: AtomicBool,
    panicked: AtomicBool,
    bed: Mutex<()>,
    bell: Condvar,
}

/// Work on a piece, by its number.
type Job = *const (dyn Fn(usize) + Sync);

// SAFETY: the job is read by those alone who hold a piece of it, see `Queue::claim`, and it is written while
// nobody does; what it points to is `Sync` and lives until all pieces are done
unsafe impl Sync for Desk {}
// SAFETY: as above
unsafe impl Send for Desk {}

/// Some pieces one after the other, the next one and the end in one number, on a cache line of its own: each
/// piece is handed out once, and with it the right to read the job.
#[repr(align(128))]
struct Queue(AtomicU64);

impl Queue {
    fn fill(&self, pieces: std::ops::Range<usize>) {
        self.0.store((pieces.start as u64) << BITS | pieces.end as u64, Release);
    }

    fn claim(&self) -> Option<usize> {
        let mut now = self.0.load(Acquire);
        loop {
            let (next, end) = (now >> BITS, now & ((1 << BITS) - 1));
            if next >= end {
                return None;
            }
            match self.0.compare_exchange_weak(now, now + (1 << BITS), AcqRel, Acquire) {
                Ok(_) => return Some(next as usize),
                Err(other) => now = other,
            }
        }
    }
}

impl Team {
    /// A team of so many, the caller included.
    pub fn new(members: usize) -> Self {
        let queues = (0..members.max(1)).map(|_| Queue(AtomicU64::new(0))).collect();
        let idle: &'static (dyn Fn(usize) + Sync) = &|_| {};
        let desk = Arc::new(Desk {
            job: UnsafeCell::new(idle),
            queues,
            left: AtomicUsize::new(0),
            posted: AtomicU32::new(0),
            asleep: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            panicked: AtomicBool::new(false),
            bed: Mutex::new(()),
            bell: Condvar::new(),
        });
        let helper = |member: usize| {
            let desk = Arc::clone(&desk);
            // a machine that has no more threads has fewer helpers
            thread::Builder::new().name("sweep".into()).spawn(move || desk.help(member)).ok()
        };
        let helpers = (1..members).filter_map(helper).collect();
        Self { desk, helpers }
    }

    /// How many they are.
    pub fn members(&self) -> usize {
        self.desk.queues.len()
    }

    /// Does something to each of the items, which must not depend on one another, and comes back when all is
    /// done. Neighbours are left to one member, the same one each time.
    pub fn each<T: Send>(&mut self, items: &mut [T], work: impl Fn(&mut T) + Sync) {
        let start = Start(items.as_mut_ptr());
        self.all(items.len(), &|piece| {
            // SAFETY: a piece is handed out once, so that nobody else has this item; it lies in the slice
            work(unsafe { &mut *start.at(piece) });
        });
    }

    /// Does the pieces with numbers below `count`.
    fn all(&mut self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        assert!(count < 1 << BITS, "more pieces than a queue has places for");
        let desk = &*self.desk;
        let members = desk.queues.len();
        // SAFETY: the job of before is done, so that nobody holds a piece of it; the new one is forgotten
        // before `work` goes, since this function does not end, not even by a panic, before all is done
        unsafe { *desk.job.get() = std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), Job>(work) };
        desk.left.store(count, Relaxed);
        for (member, queue) in desk.queues.iter().enumerate() {
            queue.fill(member * count / members..(member + 1) * count / members);
        }
        desk.posted.fetch_add(1, SeqCst);
        if count > 1 && desk.asleep.load(SeqCst) > 0 {
            let _bed = desk.bed.lock().unwrap_or_else(PoisonError::into_inner);
            desk.bell.notify_all();
        }
        desk.work(0);
        let mut looks = 0;
        while desk.left.load(Acquire) > 0 {
            pause(&mut looks);
        }
        assert!(!desk.panicked.swap(false, Relaxed), "a thread of the sweep panicked");
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.desk.over.store(true, SeqCst);
        {
            let _bed = self.desk.bed.lock().unwrap_or_else(PoisonError::into_inner);
            self.desk.bell.notify_all();
        }
        for helper in self.helpers.drain(..) {
            let _ = helper.join();
        }
    }
}

impl Desk {
    /// Does what is there, a member's own pieces first.
    fn work(&self, member: usize) {
        let members = self.queues.len();
        for other in 0..members {
            while let Some(piece) = self.queues[(member + other) % members].claim() {
                // SAFETY: whoever holds a piece may read the job, which stays until the piece is done
                let job = unsafe { &**self.job.get() };
                if catch_unwind(AssertUnwindSafe(|| job(piece))).is_err() {
                    self.panicked.store(true, Relaxed);
                }
                self.left.fetch_sub(1, Release);
            }
        }
    }

    /// The life of a helper.
    fn help(&self, member: usize) {
        let mut seen = 0;
        while self.wait(&mut seen) {
            self.work(member);
        }
    }

    /// Waits for another job than the one seen last; returns whether there is any.
    fn wait(&self, seen: &mut u32) -> bool {
        let (begin, mut looks) = (Instant::now(), 0);
        loop {
            if self.over.load(Relaxed) {
                return false;
            }
            let posted = self.posted.load(Acquire);
            if posted != *seen {
                *seen = posted;
                return true;
            }
            if pause(&mut looks) && begin.elapsed() > AWAKE {
                self.sleep(*seen);
            }
        }
    }

    /// Sleeps until there is another job or none will ever come.
    fn sleep(&self, seen: u32) {
        let mut bed = self.bed.lock().unwrap_or_else(PoisonError::into_inner);
        self.asleep.fetch_add(1, SeqCst);
        while self.posted.load(SeqCst) == seen && !self.over.load(SeqCst) {
            bed = self.bell.wait(bed).unwrap_or_else(PoisonError::into_inner);
        }
        self.asleep.fetch_sub(1, SeqCst);
    }
}

/// Waits for a moment; from time to time lets others on, and says so.
fn pause(looks: &mut u32) -> bool {
    *looks += 1;
    let long = looks.is_multiple_of(LOOKS);
    match long {
        true => thread::yield_now(),
        false => spin_loop(),
    }
    long
}

/// Where items begin.
struct Start<T>(*mut T);

// SAFETY: items are sent to the threads of a team, each to one of them
unsafe impl<T: Send> Sync for Start<T> {}

impl<T> Start<T> {
    /// The place of an item, which must be in the slice.
    fn at(&self, item: usize) -> *mut T {
        // SAFETY: the caller keeps to the slice
        unsafe { self.0.add(item) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item is done once in each of many jobs, small and large, on one thread and on several, also
    /// after the helpers fell asleep.
    #[test]
    fn every_piece_is_done_once() {
        let rounds = if cfg!(miri) { 3 } else { 2000 };
        for members in [1, 2, 5] {
            let mut team = Team::new(members);
            assert_eq!(team.members(), members);
            let mut items = vec![0u32; 37];
            for round in 0..rounds {
                let count = round % 38;
                team.each(&mut items[..count], |item| *item += 1);
                if round % 500 == 1 {
                    thread::sleep(2 * AWAKE);
                }
            }
            let expected = |item: usize| (0..rounds).filter(|round| round % 38 > item).count() as u32;
            assert!(items.iter().enumerate().all(|(item, &done)| done == expected(item)), "{items:?}");
        }
    }

    /// A panic in a piece comes out where the job was posted, after all others are done; the team goes on.
    #[test]
    fn panics_come_out() {
        let mut team = Team::new(3);
        let mut items: Vec<u32> = (0..20).collect();
        let job = AssertUnwindSafe(|| {
            team.each(&mut items, |item| {
                assert!(*item != 7, "seven");
                *item += 100;
            });
        });
        assert!(catch_unwind(job).is_err());
        assert_eq!(items.iter().filter(|&&item| item >= 100).count(), 19);
        team.each(&mut items, |item| *item = 1);
        assert!(items.iter().all(|&item| item == 1));
    }
}
