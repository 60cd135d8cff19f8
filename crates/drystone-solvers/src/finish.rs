//! The second-order finish: which methods, in which order, with how many factorisations. Refuses problems too large for
//! factors and numbers that are not finite; nothing is changed then.

use crate::interior::{self, Shift};
use crate::judge::distance;
use crate::proximal::{Pace, Proximal, Scaled, Start};
use crate::route::Stage;
use crate::{Params, Report};
use drystone_problem::{Delassus, Problem, Vector};

/// Residual from which the proximal point is worth a first try: nearer, a handful of factorisations do.
const NEAR: f64 = 1e-4;
/// Factorisations of that first try.
const FIRST: u32 = 12;
/// Factorisations of the tries from the sweeps' iterate in a run.
const ALONG: u32 = 60;
/// Factorisations along the plain path, which takes 15 where it succeeds.
const PLAIN: u32 = 90;
/// Steps of the splitting.
const SPLITTING: u32 = 3000;
/// Steps of the splitting in large problems.
const LONG: u32 = 6000;
/// Factorisations of the proximal point after it.
const SECOND: u32 = 60;
/// Factorisations along the smooth path, folds included.
const SMOOTH: u32 = 300;

/// Factorisations a finish usually takes.
const USUAL: f64 = 20.0;
/// Solutions with the factors for each of them.
const DIRECTIONS: f64 = 8.0;
/// More contacts than this and the splitting takes the place of the interior point.
const LARGE: usize = 1000;

/// Why the finish begins.
const SLOW: &str = "the sweeps left would take longer";
/// Why the next method is tried.
const HALTED: &str = "the last came to a halt";

/// A problem made ready for the finish.
pub(crate) struct Finish<const D: usize> {
    proximal: Proximal<D>,
    lorentz: Option<Scaled<D>>,
    contacts: usize,
}

impl<const D: usize> Finish<D> {
    /// Makes a problem ready; `None` where it is refused.
    pub fn new<W: Delassus<D>>(problem: &Problem<D, W>) -> Option<Self> {
        let proximal = Proximal::new(problem)?;
        let lorentz = proximal.scaled().lorentz(problem);
        Some(Self { proximal, lorentz, contacts: problem.contacts() })
    }

    /// Multiplications a finish usually takes.
    pub fn usual(&self) -> f64 {
        let splitting = if self.large() { f64::from(SPLITTING) * self.proximal.entries() } else { 0.0 };
        self.short() + splitting
    }

    /// Multiplications a short try usually takes.
    pub fn short(&self) -> f64 {
        USUAL * self.once()
    }

    /// Multiplications of one factorisation and what goes with it.
    pub fn once(&self) -> f64 {
        self.proximal.multiplications() + DIRECTIONS * self.proximal.entries()
    }

    /// Whether many contacts move: the path of the interior point then folds more often than not.
    pub fn large(&self) -> bool {
        self.contacts > LARGE
    }

    /// A last touch to an iterate that is within the tolerance already.
    pub fn touch<W: Delassus<D>>(
        &self,
        problem: &Problem<D, W>,
        r: &mut [Vector<D>],
        params: &Params,
        report: &mut Report,
        budget: u32,
    ) {
        stage(report, "proximal", "to rounding, so that a step at rest stays at rest", |report| {
            self.proximal.run(problem, r, params, report, &Pace::BRISK, budget);
        });
    }

    /// A short try from where the sweeps are now. Where they run in circles it fails or succeeds from one moment to the
    /// next, so that several are worth more than one long one.
    pub fn try_from_here<W: Delassus<D>>(
        &self,
        problem: &Problem<D, W>,
        r: &mut [Vector<D>],
        params: &Params,
        report: &mut Report,
        budget: u32,
    ) {
        stage(report, "proximal", "from the sweeps", |report| {
            self.proximal.run(problem, r, params, report, &Pace::BRISK, ALONG.min(budget));
        });
    }

    /// Improves `r`, whose report is given, by at most `budget` factorisations; never for the worse.
    ///
    /// Near a solution the proximal point needs least. Else the interior point, which needs no guess, solves most
    /// problems in 15 factorisations. Where its path comes to a halt, the splitting finds the neighbourhood of a solution
    /// for the proximal point, then the interior point goes round the folds of its smooth path, and last the proximal
    /// point takes its time. In large problems, where the path folds more often than not, only the splitting and the
    /// proximal point are tried.
    pub fn run<W: Delassus<D>>(
        &self,
        problem: &Problem<D, W>,
        r: &mut [Vector<D>],
        params: &Params,
        report: &mut Report,
        budget: u32,
    ) {
        let end = report.newton.saturating_add(budget);
        let left = |report: &Report, most: u32| {
            let go = !report.converged && !params.overdue();
            if go { most.min(end.saturating_sub(report.newton)) } else { 0 }
        };
        if distance(problem, r) < NEAR {
            let most = left(report, FIRST);
            stage(report, "proximal", "near", |report| {
                self.proximal.run(problem, r, params, report, &Pace::BRISK, most);
            });
        }
        let split = |report: &mut Report, r: &mut [Vector<D>], why: &'static str| {
            if left(report, SECOND) > 0 {
                let (steps, start) =
                    if self.large() { (LONG, Start::Here) } else { (SPLITTING, Start::Rest) };
                stage(report, "splitting", why, |report| {
                    self.proximal.approach(problem, r, params, report, steps, start);
                });
            }
            let most = left(report, SECOND);
            stage(report, "proximal", "from there", |report| {
                self.proximal.run(problem, r, params, report, &Pace::BRISK, most);
            });
        };
        if self.large() {
            split(report, r, SLOW);
        } else {
            let most = left(report, PLAIN);
            stage(report, "interior", SLOW, |report| {
                self.interior(problem, r, params, report, Shift::Plain, most);
            });
            split(report, r, HALTED);
            let most = left(report, SMOOTH);
            stage(report, "interior", "round the folds of the smooth path", |report| {
                self.interior(problem, r, params, report, Shift::Smooth, most);
            });
        }
        let most = left(report, budget);
        stage(report, "proximal", "with patience", |report| {
            self.proximal.run(problem, r, params, report, &Pace::PATIENT, most);
        });
    }

    fn interior<W: Delassus<D>>(
        &self,
        problem: &Problem<D, W>,
        r: &mut [Vector<D>],
        params: &Params,
        report: &mut Report,
        shift: Shift,
        budget: u32,
    ) {
        if let Some(lorentz) = &self.lorentz {
            interior::run(problem, &self.proximal, lorentz, shift, r, params, report, budget);
        }
    }
}

/// Does a stage and writes it into the route.
pub(crate) fn stage(
    report: &mut Report,
    name: &'static str,
    why: &'static str,
    work: impl FnOnce(&mut Report),
) {
    let before = report.iterations;
    work(report);
    let iterations = report.iterations - before;
    report.route.add(Stage { name, why, iterations, residual: report.residual });
}
