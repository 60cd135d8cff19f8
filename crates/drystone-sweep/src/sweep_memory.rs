//! What sweeps over one problem leave to those over the next. Results do not depend on it.

use std::any::Any;

/// The back end of the last sweeps, for its memory and for the plan of its lanes, which holds as long as the
/// same bodies touch. Problems may be of any kind and come in any order; a new one is as good as an old one.
#[derive(Default)]
pub struct SweepMemory {
    kept: Option<Box<dyn Any + Send + Sync>>,
}

impl SweepMemory {
    /// Takes what was kept, where it is of this kind.
    pub(crate) fn take<T: Any>(&mut self) -> Option<Box<T>> {
        self.kept.take().and_then(|kept| kept.downcast().ok())
    }

    /// Keeps something, where there is anything to keep.
    pub(crate) fn put(&mut self, kept: Option<Box<dyn Any + Send + Sync>>) {
        if kept.is_some() {
            self.kept = kept;
        }
    }
}
