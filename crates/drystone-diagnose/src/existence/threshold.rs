//! The friction at which networks appear, and the friction from which a step may have no solution, as a
//! common factor on all coefficients. Wider cones hold the narrower ones, so that there is one threshold of
//! each kind.
//!
//! A contact that takes part in no network keeps every network from lying strictly inside the cones, and the
//! margin of the program would blur the threshold. So it is first enclosed, and then sharpened on the
//! contacts of the network alone.

use super::alternative::{Alternative, Contest};
use super::balance::{Balance, WIDEST};
use super::program::Networks;
use super::space::Space;
use super::{ExistenceError, MARGIN};
use crate::effort::Effort;
use drystone_problem::{Delassus, Problem};
use std::rc::Rc;

/// Smallest factor that is told from zero.
const SMALLEST: f64 = 1e-8;

/// How closely a threshold is enclosed before it is sharpened.
const ENCLOSED: f64 = 1e-3;

/// Contacts whose share in a network is smaller are tried without.
const SHARE: f64 = 1e-5;

/// Contacts whose share in a network found at a vertex is smaller have none.
const NONE: f64 = 1e-12;

/// How far above the factor at which networks appear they are looked at, and how far below a threshold other
/// ones are sought: in turn, since just there cones and networks may be too thin for a proof.
const BESIDE: [f64; 4] = [1e-6, 1e-5, 1e-4, 1e-3];

/// A threshold outside of this range is that of the network found: cones are too thin there, or too wide, for
/// a proof that no other network has a smaller one.
const SURE: std::ops::Range<f64> = 1e-6..1e3;

/// Most steps of the sharpening; it converges faster than linearly.
const STEPS: usize = 40;

/// The smallest common factor on the coefficients of friction at which `Ker H ∩ L` is no longer `{0}`; 0
/// where networks exist without friction, `None` where none up to a thousand times the friction there is
/// makes any.
///
/// Up to about eighty contacts in the network it is exact to 1e-10 relative, beyond to about 1e-7.
pub fn critical_friction<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
) -> Result<Option<f64>, ExistenceError> {
    Questioned::new(problem, None, &Rc::default())?.appearance()
}

/// The common factor on the coefficients of friction below which the step is sure to have a solution: from
/// there on some network works against the motion. 0 where one does even without friction, `None` where none
/// does with any friction.
pub fn solvable_friction<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
) -> Result<Option<f64>, ExistenceError> {
    let questioned = Questioned::new(problem, None, &Rc::default())?;
    questioned.solvable(|| questioned.appearance())
}

/// The same among some contacts.
pub(crate) fn solvable_among<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    contacts: &[usize],
) -> Result<Option<f64>, ExistenceError> {
    let questioned = Questioned::new(problem, Some(contacts), &Rc::new(Effort::within(f64::INFINITY)))?;
    questioned.solvable(|| questioned.appearance())
}

/// A problem whose thresholds are asked for, with friction and without.
pub(crate) struct Questioned<const D: usize> {
    smooth: Balance<D>,
    pub(super) rough: Balance<D>,
}

impl<const D: usize> Questioned<D> {
    /// The contacts named, or all.
    pub fn new<W: Delassus<D>>(
        problem: &Problem<D, W>,
        contacts: Option<&[usize]>,
        effort: &Rc<Effort>,
    ) -> Result<Self, ExistenceError> {
        let balance = |friction| Balance::new(problem, contacts, friction, effort);
        Ok(Self { smooth: balance(false)?, rough: balance(true)? })
    }

    /// The threshold at which networks appear.
    pub fn appearance(&self) -> Result<Option<f64>, ExistenceError> {
        self.in_time(appearance(&self.smooth, &self.rough))
    }

    /// The threshold from which some network works against the motion; the one at which they appear is asked
    /// for where it is needed.
    pub fn solvable(
        &self,
        appears: impl FnOnce() -> Result<Option<f64>, ExistenceError>,
    ) -> Result<Option<f64>, ExistenceError> {
        self.in_time(solvable(&self.smooth, &self.rough, appears))
    }

    /// What was found with the work there is: a search that ran out of it takes what it could not ask for
    /// what cannot be told.
    fn in_time(&self, found: Result<Option<f64>, ExistenceError>) -> Result<Option<f64>, ExistenceError> {
        if self.rough.effort.is_spent() { Err(ExistenceError::OutOfWork) } else { found }
    }
}

fn solvable<const D: usize>(
    smooth: &Balance<D>,
    balance: &Balance<D>,
    appears: impl FnOnce() -> Result<Option<f64>, ExistenceError>,
) -> Result<Option<f64>, ExistenceError> {
    if against(smooth, 1.0)?.is_some() {
        return Ok(Some(0.0));
    }
    let Some(appears) = appears()? else { return Ok(None) };
    let against = |factor: f64| against(balance, factor);
    let mut low = appears.max(SMALLEST);
    for (turn, above) in BESIDE.into_iter().enumerate() {
        let start = appears.max(SMALLEST) * (1.0 + above);
        match against(start) {
            // most networks work against the motion as soon as there are any
            Ok(Some(_)) if turn == 0 => return Ok(Some(appears)),
            Ok(Some(x)) => return Ok(Some(descend(balance, low, start, x)?)),
            Ok(None) => {
                low = start;
                break;
            }
            Err(_) => {}
        }
    }
    let Some((low, high, x)) = enclose(low, against)? else { return Ok(None) };
    Ok(Some(descend(balance, low, high, x)?))
}

/// Something a little below a threshold, where there is anything; what is too near to tell is passed over.
fn below(
    threshold: f64,
    holds: impl Fn(f64) -> Result<Option<Vec<f64>>, ExistenceError>,
) -> Result<Option<(f64, Vec<f64>)>, ExistenceError> {
    let mut doubt = None;
    for share in BESIDE {
        let factor = threshold * (1.0 - share);
        match holds(factor) {
            Ok(found) => return Ok(found.map(|x| (factor, x))),
            Err(error) => doubt = Some(error),
        }
    }
    match doubt {
        Some(error) if SURE.contains(&threshold) => Err(error),
        _ => Ok(None),
    }
}

/// The threshold from a factor at which `x` works against the motion: sharpened on its contacts, then tried a
/// little further down, where another network may still do so.
fn descend<const D: usize>(
    all: &Balance<D>,
    mut low: f64,
    mut high: f64,
    mut x: Vec<f64>,
) -> Result<f64, ExistenceError> {
    for _ in 0..STEPS {
        let part = all.support(&x, NONE);
        // either the network works against the motion as long as it exists, or its power changes sign
        let (appears, work) = sharpen(all, part.clone(), high)?;
        high = if work < -MARGIN { appears } else { sharpen_power(&all.part(&part), low.min(high), high)? };
        match below(high, |factor| against(all, factor))? {
            Some((factor, other)) => (x, high, low) = (other, factor, appears.min(low)),
            None => break,
        }
    }
    Ok(high)
}

/// The threshold at which networks appear.
fn appearance<const D: usize>(
    smooth: &Balance<D>,
    balance: &Balance<D>,
) -> Result<Option<f64>, ExistenceError> {
    if Contest::new(smooth, 1.0).network_present()?.is_some() {
        return Ok(Some(0.0));
    }
    let network = |factor: f64| Contest::new(balance, factor).network_present();
    let Some((_, mut high, mut x)) = enclose(SMALLEST, network)? else { return Ok(None) };
    for _ in 0..STEPS {
        high = sharpen(balance, balance.support(&x, NONE), high)?.0;
        // other contacts may have a network with less
        match below(high, network)? {
            Some((factor, other)) => (x, high) = (other, factor),
            None => break,
        }
    }
    Ok(Some(high))
}

/// A network that works against the motion.
fn against<const D: usize>(balance: &Balance<D>, factor: f64) -> Result<Option<Vec<f64>>, ExistenceError> {
    Ok(match Contest::new(balance, factor).decide()? {
        Alternative::Against(x) => Some(x),
        Alternative::LetsGo(_) => None,
    })
}

/// Encloses the threshold of something that holds from some factor on: a factor below, one above and what was
/// found there; `None` where it holds for none up to the widest, or for none in the range that is sure and
/// the widest are too wide to tell.
fn enclose(
    from: f64,
    holds: impl Fn(f64) -> Result<Option<Vec<f64>>, ExistenceError>,
) -> Result<Option<(f64, f64, Vec<f64>)>, ExistenceError> {
    // most thresholds are near the friction there is
    let (mut low, mut high) = (from, from.max(1.0));
    let mut found = None;
    while found.is_none() {
        match holds(high) {
            Ok(None) => low = high,
            Ok(x) => found = x,
            // proved up to a friction that no pair of materials has
            Err(_) if high >= WIDEST && low >= SURE.end => return Ok(None),
            // steps of the search may have left out the end of the range
            Err(error) if high >= WIDEST => match holds(SURE.end) {
                Ok(Some(x)) => (high, found) = (SURE.end, Some(x)),
                Ok(None) => return Ok(None),
                Err(_) => return Err(error),
            },
            // too near to the threshold to tell
            Err(_) => {}
        }
        if found.is_some() {
            break;
        }
        if high >= WIDEST {
            return Ok(None);
        }
        high = (16.0 * high).min(WIDEST);
    }
    let Some(mut found) = found else { return Ok(None) };
    // geometric, for nothing is known of the size
    let mean = |a: f64, b: f64| (a * b).sqrt();
    while high - low > ENCLOSED * low {
        let middle = mean(low, high);
        // where the middle is too near to the threshold to tell, a point beside it may not be
        let mut moved = false;
        for factor in [middle, mean(middle, high), mean(low, middle)] {
            match holds(factor) {
                Ok(Some(x)) => (high, found, moved) = (factor, x, true),
                Ok(None) => (low, moved) = (factor, true),
                Err(_) => continue,
            }
            break;
        }
        if !moved {
            break;
        }
    }
    Ok(Some((low, high, found)))
}

/// Sharpens the threshold of appearance from above (Dinkelbach 1967; Crouzeix, Ferland, Schaible 1985): the
/// network deepest inside the cones at one factor needs less friction than that factor gives, and what it
/// needs is the next. Depth counts in proportion to the normal impulse of the network before, without which
/// convergence is only linear. Every factor on the way is that of a network. Gives the work of the last one
/// too, relative to the sum of its terms.
fn sharpen<const D: usize>(
    all: &Balance<D>,
    mut contacts: Vec<usize>,
    mut factor: f64,
) -> Result<(f64, f64), ExistenceError> {
    let mut work = 0.0;
    let mut weights: Option<Vec<f64>> = None;
    let mut may_drop = true;
    let mut spare = contacts.clone();
    for _ in 0..STEPS {
        let balance = all.part(&contacts);
        let deepest = match Space::new(&balance)? {
            Some(space) => Networks { balance: &balance, space: &space, factor, weights: weights.as_deref() }
                .deepest()
                .unwrap_or(None),
            None => None,
        };
        let Some((_, x)) = deepest.filter(|&(violation, _)| violation <= MARGIN) else {
            // a contact dropped was needed after all
            if contacts == spare {
                break;
            }
            (contacts, may_drop, weights) = (spare.clone(), false, None);
            continue;
        };
        let needed = balance.factor(&x);
        let part = balance.support(&x, SHARE);
        if needed < factor * (1.0 - 1e-14) {
            work = balance.power(&x) / balance.noise(&x).max(f64::MIN_POSITIVE);
            factor = needed;
        } else if !(may_drop && part.len() < contacts.len()) {
            break;
        }
        weights = Some(balance.shares(&x));
        if may_drop && part.len() < contacts.len() {
            (spare, contacts, weights) = (contacts, part, None);
        }
    }
    Ok((factor, work))
}

/// Sharpens the threshold at which the power of the hardest network changes sign, by bisection.
fn sharpen_power<const D: usize>(
    balance: &Balance<D>,
    mut low: f64,
    mut high: f64,
) -> Result<f64, ExistenceError> {
    let Some(space) = Space::new(balance)? else { return Ok(high) };
    while high - low > 1e-11 * low {
        let middle = 0.5 * (low + high);
        let hardest = Networks { balance, space: &space, factor: middle, weights: None }.hardest();
        match hardest {
            Ok(Some((x, None))) if balance.power(&x) < 0.0 => high = middle,
            Ok(Some((_, None)) | None) => low = middle,
            // as far as the interior point can tell
            Ok(Some((_, Some(_)))) | Err(_) => break,
        }
    }
    Ok(high)
}
