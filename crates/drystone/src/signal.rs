//! A number that changes in time. Knows neither what it stands for nor when it is asked for.

use drystone_laws::Table;
use drystone_math::portable;
use std::fmt;
use std::sync::Arc;

/// A place for a number that is set from outside, see [`Simulation::slot`](crate::Simulation::slot). It
/// belongs to one simulation and keeps its value in snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot(pub(crate) u32);

/// A number as a function of time: a load \[N\], \[N m\], a prescribed velocity \[m/s\], \[rad/s\], a
/// component of gravity \[m/s²\] or a coefficient of friction \[-\].
///
/// Loads, gravity and friction are taken at the middle of each step, so that the impulse of a smooth load
/// over a step is off by the third power of the step only (mid-point rule), and that of a whole run by the
/// second. Prescribed velocities are taken at its end: the θ-scheme moves bodies by
/// `h (θ v_end + (1 − θ) v_begin)`, for θ = ½ the trapezoidal rule, of second order as well.
///
/// ```
/// use drystone::Signal;
/// assert_eq!(Signal::from(2.0).at(5.0), Some(2.0));
/// assert_eq!(Signal::from(|t: f64| 3.0 * t).at(2.0), Some(6.0));
/// let ramp = Signal::table(vec![[0.0, 0.0], [1.0, 10.0]]).unwrap();
/// assert_eq!((ramp.at(0.25), ramp.at(9.0)), (Some(2.5), Some(10.0)));
/// ```
#[derive(Clone)]
pub enum Signal {
    /// Always the same.
    Constant(f64),
    /// Straight between points of time \[s\] and value; before the first and after the last point the value
    /// there.
    Table(Table),
    /// `mean + amplitude · sin(2π frequency t + phase)`.
    Sine {
        /// Mean value.
        mean: f64,
        /// Largest deviation from it.
        amplitude: f64,
        /// Oscillations a second \[Hz\].
        frequency: f64,
        /// Phase at time 0 \[rad\].
        phase: f64,
    },
    /// Any function of time \[s\]. It must depend on nothing else, or a run that is restored goes another
    /// way.
    Formula(Arc<dyn Fn(f64) -> f64 + Send + Sync>),
    /// Whatever was last put into a slot.
    External(Slot),
}

impl Signal {
    /// A table of times \[s\] and values, times increasing; `None` where they are not, or a number is not
    /// finite.
    pub fn table(points: Vec<[f64; 2]>) -> Option<Self> {
        Table::new(points).map(Self::Table)
    }

    /// The value at a time \[s\]; `None` of a slot, whose value the simulation has.
    pub fn at(&self, time: f64) -> Option<f64> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Table(table) => Some(table.at(time)),
            Self::Sine { mean, amplitude, frequency, phase } => {
                Some(mean + amplitude * portable::sin(std::f64::consts::TAU * frequency * time + phase))
            }
            Self::Formula(formula) => Some(formula(time)),
            Self::External(_) => None,
        }
    }
}

impl From<f64> for Signal {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

impl From<Table> for Signal {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

impl From<Slot> for Signal {
    fn from(slot: Slot) -> Self {
        Self::External(slot)
    }
}

impl<F: Fn(f64) -> f64 + Send + Sync + 'static> From<F> for Signal {
    fn from(formula: F) -> Self {
        Self::Formula(Arc::new(formula))
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => out.debug_tuple("Constant").field(value).finish(),
            Self::Table(table) => out.debug_tuple("Table").field(table).finish(),
            Self::Sine { mean, amplitude, frequency, phase } => out
                .debug_struct("Sine")
                .field("mean", mean)
                .field("amplitude", amplitude)
                .field("frequency", frequency)
                .field("phase", phase)
                .finish(),
            Self::Formula(_) => out.write_str("Formula"),
            Self::External(slot) => out.debug_tuple("External").field(slot).finish(),
        }
    }
}
