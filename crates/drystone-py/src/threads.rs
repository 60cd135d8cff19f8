//! The interpreter let go while the library computes, with threads that are alive. Decides nothing about how
//! many are used: rayon does.

use crate::errors;
use pyo3::marker::Ungil;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::RefCell;
use std::sync::OnceLock;

/// The process in which the threads of rayon were started, or may have been.
static FIRST: OnceLock<u32> = OnceLock::new();

thread_local! {
    /// The pool of this thread in a process that was forked off, and that process.
    static FORKED: RefCell<Option<(u32, ThreadPool)>> = const { RefCell::new(None) };
}

/// Computes without the interpreter.
pub(crate) fn detach<R: Ungil>(py: Python<'_>, compute: impl Ungil + FnOnce() -> R) -> PyResult<R> {
    ready()?;
    Ok(py.detach(compute))
}

/// A fork copies the memory of the threads but not the threads: whoever waits for them waits for ever. Such
/// a process gets others, for each thread that asks.
pub(crate) fn ready() -> PyResult<()> {
    let process = std::process::id();
    if *FIRST.get_or_init(std::process::id) == process {
        return Ok(());
    }
    FORKED.with_borrow_mut(|forked| {
        if forked.as_ref().is_some_and(|(owner, _)| *owner == process) {
            return Ok(());
        }
        // the caller stays the one that computes, so that Ctrl-C reaches it
        let pool = ThreadPoolBuilder::new().use_current_thread().build().map_err(|error| {
            errors::other(format!(
                "this process was forked from one whose threads are not here ({error}); start processes \
                 afresh: multiprocessing.get_context(\"spawn\")"
            ))
        })?;
        // one of a process further up is not ended: its threads are not here to answer
        if let Some(lost) = forked.replace((process, pool)) {
            std::mem::forget(lost);
        }
        Ok(())
    })
}
