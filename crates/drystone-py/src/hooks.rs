//! Where the simulation is while Python looks at it, and the hooks that Python gave. The order of calls is
//! the library's.

use crate::errors;
use crate::views::{MadeView, ViewedState, Views};
use drystone::prelude::{Hook, StepReport};
use drystone::{AnySimulation, HookError};
use pyo3::PyTraverseError;
use pyo3::PyVisit;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};

/// Where a simulation is.
enum Whereabouts {
    /// At hand.
    Idle(Box<AnySimulation>),
    /// At hand while a hook of a run looks at it.
    InHook(Box<AnySimulation>),
    /// In a run.
    Away,
}

/// What a simulation and its hooks share. Python objects live here alone, where the garbage collector sees
/// them.
pub(crate) struct Shared {
    place: Mutex<Whereabouts>,
    /// Takes the place of the simulation in the library while a hook looks at it.
    spare: Mutex<Option<Box<AnySimulation>>>,
    before: Mutex<Arc<Vec<Py<PyAny>>>>,
    after: Mutex<Arc<Vec<Py<PyAny>>>>,
    /// Functions of time that signals name by their number.
    formulas: Mutex<Vec<Option<Py<PyAny>>>>,
    /// What hooks are called with, made once for a run.
    arguments: Mutex<Option<Py<PyTuple>>>,
    /// Arrays that the state is written into.
    views: Mutex<Views>,
    has_views: AtomicBool,
    error: Mutex<Option<PyErr>>,
    counts: [AtomicUsize; 2],
    has_failed: AtomicBool,
    stop: AtomicBool,
}

/// A lock that nobody waits for: whoever holds it calls back into Python.
fn held<T>(lock: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    match lock.try_lock() {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(errors::other(
            "the simulation is in use by another call; a function of time cannot look at it, a hook can, \
             and may set a slot",
        )),
    }
}

impl Shared {
    pub(crate) fn new(simulation: AnySimulation) -> Self {
        Self {
            place: Mutex::new(Whereabouts::Idle(Box::new(simulation))),
            spare: Mutex::new(AnySimulation::plane().build().ok().map(Box::new)),
            before: Mutex::default(),
            after: Mutex::default(),
            formulas: Mutex::default(),
            arguments: Mutex::default(),
            views: Mutex::default(),
            has_views: AtomicBool::new(false),
            error: Mutex::default(),
            counts: Default::default(),
            has_failed: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        }
    }

    /// Looks at the simulation, or changes it.
    pub(crate) fn with<R>(&self, look: impl FnOnce(&mut AnySimulation) -> R) -> PyResult<R> {
        match &mut *held(&self.place)? {
            Whereabouts::Idle(simulation) | Whereabouts::InHook(simulation) => Ok(look(simulation)),
            Whereabouts::Away => Err(errors::other(
                "the simulation is in a step, or runs in another thread; look at it in a hook, or wait for \
                 its run to end",
            )),
        }
    }

    /// Refuses while a run goes on, also in its hooks.
    pub(crate) fn is_at_rest(&self, what: &str) -> PyResult<()> {
        match &*held(&self.place)? {
            Whereabouts::Idle(_) => Ok(()),
            _ => Err(errors::other(format!("{what} is begun and ended between runs, not in one"))),
        }
    }

    /// Takes the simulation away for a run.
    pub(crate) fn depart(&self, py: Python<'_>, owner: Py<PyAny>) -> PyResult<Box<AnySimulation>> {
        let arguments = PyTuple::new(py, [owner])?.unbind();
        let mut place = held(&self.place)?;
        match std::mem::replace(&mut *place, Whereabouts::Away) {
            Whereabouts::Idle(simulation) => {
                *held(&self.arguments)? = Some(arguments);
                *held(&self.error)? = None;
                self.has_failed.store(false, Ordering::Relaxed);
                self.stop.store(false, Ordering::Relaxed);
                Ok(simulation)
            }
            Whereabouts::InHook(simulation) => {
                *place = Whereabouts::InHook(simulation);
                Err(errors::other("a hook cannot step its simulation; it is called between two steps"))
            }
            Whereabouts::Away => Err(errors::other("the simulation is running in another thread")),
        }
    }

    /// Brings the simulation back from a run, and tells what Python raised on the way.
    pub(crate) fn come_back(&self, py: Python<'_>, simulation: Box<AnySimulation>) -> PyResult<()> {
        self.refresh_views(py, &simulation);
        *held(&self.place)? = Whereabouts::Idle(simulation);
        let gone = held(&self.arguments)?.take();
        drop(gone);
        match held(&self.error)?.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Remembers what Python raised; the run ends.
    pub(crate) fn fail(&self, error: PyErr) {
        self.has_failed.store(true, Ordering::Relaxed);
        if let Ok(mut first) = held(&self.error) {
            first.get_or_insert(error);
        }
    }

    /// What was raised outside of a run is told where it was raised, and forgotten.
    pub(crate) fn forgive(&self) -> PyResult<Option<PyErr>> {
        self.has_failed.store(false, Ordering::Relaxed);
        Ok(held(&self.error)?.take())
    }

    pub(crate) fn ask_to_stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// An array that shows a quantity from now on.
    pub(crate) fn view(&self, py: Python<'_>, quantity: ViewedState) -> PyResult<Py<PyAny>> {
        if let Some(known) = held(&self.views)?.get(py, quantity) {
            return Ok(known);
        }
        let made = self.with(|simulation| MadeView::new(py, quantity, simulation))??;
        let mut views = held(&self.views)?;
        if views.get(py, quantity).is_none() {
            views.insert(made);
            self.has_views.store(true, Ordering::Relaxed);
        }
        views.get(py, quantity).ok_or_else(|| errors::other("the view was taken away"))
    }

    /// Whether an array is one that shows the simulation.
    pub(crate) fn is_live(&self, array: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(held(&self.views)?.has(array))
    }

    /// Writes the state into all views.
    pub(crate) fn refresh_views(&self, py: Python<'_>, simulation: &AnySimulation) {
        if self.has_views.load(Ordering::Relaxed)
            && let Ok(mut views) = held(&self.views)
        {
            views.refresh(py, simulation);
            self.has_views.store(!views.is_empty(), Ordering::Relaxed);
        }
    }

    /// Writes the velocity of one body, which was set, into its view.
    pub(crate) fn refresh_velocity(&self, py: Python<'_>, simulation: &AnySimulation, body: usize) {
        if self.has_views.load(Ordering::Relaxed)
            && let Ok(views) = held(&self.views)
        {
            views.refresh_velocity(py, simulation, body);
        }
    }

    fn list(&self, after: bool) -> &Mutex<Arc<Vec<Py<PyAny>>>> {
        if after { &self.after } else { &self.before }
    }

    pub(crate) fn add_hook(&self, py: Python<'_>, hook: Py<PyAny>, after: bool) -> PyResult<()> {
        let mut list = held(self.list(after))?;
        let known = list.iter().map(|hook| hook.clone_ref(py));
        let longer: Vec<_> = known.chain([hook]).collect();
        *list = Arc::new(longer);
        self.counts[usize::from(after)].fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    pub(crate) fn clear_hooks(&self) -> PyResult<()> {
        self.counts.iter().for_each(|count| count.store(0, Ordering::Relaxed));
        // dropped without the lock: a destructor may come back here
        let gone = [std::mem::take(&mut *held(&self.before)?), std::mem::take(&mut *held(&self.after)?)];
        drop(gone);
        Ok(())
    }

    /// Takes a function of time, and gives its number.
    pub(crate) fn add_formula(&self, formula: Py<PyAny>) -> PyResult<usize> {
        let mut formulas = held(&self.formulas)?;
        let free = formulas.iter().position(Option::is_none);
        match free {
            Some(index) => formulas[index] = Some(formula),
            None => formulas.push(Some(formula)),
        }
        Ok(free.unwrap_or(formulas.len() - 1))
    }

    /// Lets a function go that no signal names any more.
    pub(crate) fn drop_formula(&self, index: usize) {
        // dropped without the lock: a destructor may come back here
        let gone = held(&self.formulas).ok().and_then(|mut formulas| formulas.get_mut(index)?.take());
        drop(gone);
    }

    /// A function by its number.
    pub(crate) fn formula(&self, py: Python<'_>, index: usize) -> PyResult<Option<Py<PyAny>>> {
        // workers of a step may ask at once; nobody calls back while it is held
        let formulas = self.formulas.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(formulas.get(index).and_then(|one| Some(one.as_ref()?.clone_ref(py))))
    }

    /// Calls the hooks of one kind with the simulation at hand.
    fn call(&self, simulation: &mut AnySimulation, after: bool) {
        if self.counts[usize::from(after)].load(Ordering::Relaxed) == 0 || self.has_failed() {
            return;
        }
        Python::attach(|py| {
            let called = || -> PyResult<()> {
                // hooks may add hooks, and take them off
                let hooks = Arc::clone(&*held(self.list(after))?);
                let Some(arguments) = held(&self.arguments)?.as_ref().map(|one| one.clone_ref(py)) else {
                    return Ok(());
                };
                for hook in hooks.iter() {
                    hook.bind(py).call(arguments.bind(py), None)?;
                }
                Ok(())
            };
            self.refresh_views(py, simulation);
            self.lend(simulation);
            let result = called();
            self.take_back(simulation);
            if let Err(error) = result {
                self.fail(error);
            }
        });
    }

    fn lend(&self, simulation: &mut AnySimulation) {
        if let (Ok(mut spare), Ok(mut place)) = (held(&self.spare), held(&self.place))
            && let Some(mut other) = spare.take()
        {
            std::mem::swap(&mut *other, simulation);
            *place = Whereabouts::InHook(other);
        }
    }

    fn take_back(&self, simulation: &mut AnySimulation) {
        if let (Ok(mut spare), Ok(mut place)) = (held(&self.spare), held(&self.place))
            && let Whereabouts::InHook(mut other) = std::mem::replace(&mut *place, Whereabouts::Away)
        {
            std::mem::swap(&mut *other, simulation);
            *spare = Some(other);
        }
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        for list in [&self.before, &self.after] {
            if let Ok(objects) = list.try_lock() {
                objects.iter().try_for_each(|object| visit.call(object))?;
            }
        }
        if let Ok(views) = self.views.try_lock() {
            views.traverse(visit)?;
        }
        if let Ok(formulas) = self.formulas.try_lock() {
            formulas.iter().flatten().try_for_each(|formula| visit.call(formula))?;
        }
        match self.arguments.try_lock() {
            Ok(arguments) => arguments.iter().try_for_each(|arguments| visit.call(arguments)),
            Err(_) => Ok(()),
        }
    }

    pub(crate) fn clear(&self) {
        for list in [&self.before, &self.after] {
            let gone = list.try_lock().map(|mut objects| std::mem::take(&mut *objects));
            drop(gone);
        }
        // their numbers stay: signals name them
        let gone: Option<Vec<_>> =
            self.formulas.try_lock().ok().map(|mut formulas| formulas.iter_mut().map(Option::take).collect());
        drop(gone);
    }
}

/// The hooks of Python as one of the library.
pub(crate) struct PythonHooks(pub(crate) Weak<Shared>);

impl Hook for PythonHooks {
    fn before_step(&mut self, simulation: &mut AnySimulation) -> Result<(), HookError> {
        let Some(shared) = self.0.upgrade() else { return Ok(()) };
        shared.call(simulation, false);
        // before a step a failure stops it; after one it is written down like any other
        if shared.has_failed() { Err("a hook raised an exception".into()) } else { Ok(()) }
    }

    fn after_step(&mut self, simulation: &mut AnySimulation, _: &StepReport) -> Result<(), HookError> {
        if let Some(shared) = self.0.upgrade() {
            shared.call(simulation, true);
        }
        Ok(())
    }
}
