//! The second-order finish: which methods, in which order, with how many factorisations. Refuses problems too
//! large for factors and numbers that are not finite; nothing is changed then.

use crate::AutoParams;
use crate::interior::{self, Shift};
use crate::judge::distance;
use crate::mended;
use crate::progress::Progress;
use crate::proximal::{Pace, Proximal, Scaled, Start};
use crate::shuffled;
use drystone_problem::{Delassus, Problem};

/// Why the finish begins.
const SLOW: &str = "the sweeps left would take longer";
/// Why the next method is tried.
const HALTED: &str = "the last came to a halt";

/// A problem made ready for the finish.
pub(crate) struct Finish<const D: usize> {
    params: AutoParams,
    proximal: Proximal<D>,
    lorentz: Option<Scaled<D>>,
    contacts: usize,
    /// The most compliant contact over the stiffest.
    spread: f64,
}

impl<const D: usize> Finish<D> {
    /// Makes a problem ready; `None` where it is refused.
    pub fn new<W: Delassus<D>>(problem: &Problem<D, W>, params: &AutoParams) -> Option<Self> {
        let proximal = Proximal::new(problem, params)?;
        let lorentz = proximal.scaled().lorentz(problem);
        let spread = spread(problem);
        Some(Self { params: *params, proximal, lorentz, contacts: problem.contacts(), spread })
    }

    /// Multiplications a finish usually takes.
    pub fn usual(&self) -> f64 {
        if self.is_slender() {
            let contacts = self.params.contact_multiplications * self.contacts as f64;
            return self.short() + self.params.usual_factorisations * contacts;
        }
        let steps = f64::from(self.params.splitting_steps);
        let splitting = if self.large() { steps * self.proximal.entries() } else { 0.0 };
        self.short() + splitting
    }

    /// Multiplications a short try usually takes.
    pub fn short(&self) -> f64 {
        self.params.usual_factorisations * self.once()
    }

    /// Multiplications of one step of the splitting.
    pub fn splitting_once(&self) -> f64 {
        self.proximal.entries()
    }

    /// Multiplications of one factorisation and what goes with it.
    pub fn once(&self) -> f64 {
        self.proximal.multiplications() + self.params.solutions_per_factorisation * self.proximal.entries()
    }

    /// Whether many contacts move: the path of the interior point then folds more often than not. Where
    /// columns take the place of an assembled operator there are few bodies for so many contacts.
    pub fn large(&self) -> bool {
        self.contacts > self.params.large as usize && !self.proximal.is_spanned()
    }

    /// Whether columns take the place of an assembled operator.
    pub fn is_spanned(&self) -> bool {
        self.proximal.is_spanned()
    }

    /// Whether a large problem is slender, as towers are: its contacts have several times the unknowns of its
    /// bodies, and factors cost less than what goes with them for each contact. The path of the interior
    /// point then seldom folds.
    pub fn is_slender(&self) -> bool {
        let (contacts, bodies) = (self.contacts as f64, self.proximal.unknowns() as f64);
        let takes_it = self.lorentz.as_ref().is_some_and(Scaled::is_exact);
        let overdetermined = contacts * D as f64 >= self.params.overdetermined * bodies;
        let light = self.proximal.multiplications() <= self.params.contact_multiplications * contacts;
        self.large() && takes_it && overdetermined && light
    }

    /// Polishes an iterate that is within the tolerance already.
    pub fn polish<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, budget: u32) {
        self.near(progress, "to rounding, so that a step at rest stays at rest", budget);
    }

    /// A short try from where the sweeps are now. Where they run in circles it fails or succeeds from one
    /// moment to the next, so that several are worth more than one long one.
    pub fn try_from_here<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, budget: u32) {
        self.near(progress, "from the sweeps", self.params.short_factorisations.min(budget));
    }

    /// Improves the impulses by at most `budget` factorisations, those of the fixed point come on top up to
    /// `most` in all, and `splitting` steps of the splitting; never for the worse.
    ///
    /// Near a solution the proximal point needs least. Else the interior point, which needs no guess, solves
    /// most problems in 15 factorisations. Where its path comes to a halt, the splitting and then the fixed
    /// point of convex problems find the neighbourhood of a solution for the proximal point, then the
    /// interior point goes round the folds of its smooth path, and last the proximal point takes its time.
    /// In saved problems with masses far apart a path with a shift that lags comes before the splitting, and
    /// two more before the last.
    /// Where cones are too wide for it, bold tries from sweeps in random order come first, the splitting and
    /// the fixed point after them. In large problems, where the path folds more often than not, only the
    /// splitting and the proximal point are tried, unless they are slender: then the interior point comes
    /// first.
    pub fn run<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, budget: u32, most: u32, splitting: u32) {
        let end = progress.report.newton.saturating_add(budget);
        let last = progress.report.newton.saturating_add(most);
        if distance(progress.problem, progress.r) < self.params.near {
            let most = left(progress, end, self.params.near_factorisations);
            self.near(progress, "near", most);
        }
        if self.large() {
            if self.is_slender() {
                let most = left(progress, end, self.params.interior_factorisations);
                self.interior(progress, SLOW, Shift::Plain, most);
            }
            self.split(progress, SLOW, end, splitting);
            self.patient(progress, end);
        } else if self.lorentz.as_ref().is_some_and(Scaled::is_exact) {
            let most = left(progress, end, self.params.interior_factorisations);
            self.interior(progress, SLOW, Shift::Plain, most);
            let end = self.beside(progress, end, last);
            self.split(progress, HALTED, end, splitting);
            let end = self.fixed_point(progress, end, last);
            let most = left(progress, end, self.params.smooth_factorisations);
            self.interior(progress, "round the folds of the smooth path", Shift::Smooth, most);
            let end = self.tilted(progress, end, last);
            self.patient(progress, end);
        } else {
            self.shuffle(progress, end);
            self.split(progress, HALTED, end, splitting);
            self.patient(progress, end);
            let end = self.fixed_point(progress, end, last);
            self.patient(progress, end);
        }
    }

    /// The proximal point from a good guess.
    fn near<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, why: &'static str, budget: u32) {
        progress.stage("proximal", why, |progress| self.proximal.run(progress, &Pace::BRISK, budget));
    }

    /// The splitting, and the proximal point from where it led.
    fn split<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, why: &'static str, end: u32, most: u32) {
        let params = &self.params;
        if left(progress, end, params.splitting_factorisations) > 0 {
            let (steps, start) = match self.large() {
                true => (params.splitting_steps_large.min(most), Start::Here),
                false => (params.splitting_steps.min(most), Start::Rest),
            };
            progress.stage("splitting", why, |progress| self.proximal.approach(progress, steps, start));
        }
        let most = left(progress, end, params.splitting_factorisations);
        self.near(progress, "from there", most);
    }

    /// Bold tries from sweeps in random order, and the proximal point from the best of them.
    fn shuffle<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, end: u32) {
        let most = left(progress, end, u32::MAX);
        progress.stage("shuffled", SLOW, |progress| {
            shuffled::run(progress, &self.proximal, &self.params, most);
        });
        let most = left(progress, end, self.params.near_factorisations);
        self.near(progress, "from there", most);
    }

    /// The proximal point with all the time there is.
    fn patient<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, end: u32) {
        let most = left(progress, end, u32::MAX);
        progress.stage("proximal", "with patience", |progress| {
            self.proximal.run(progress, &Pace::PATIENT, most);
        });
    }

    /// Convex problems whose shift follows their solution, for iterates far from any; returns `end` moved on
    /// by what they took, to `last` at most.
    fn fixed_point<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, end: u32, last: u32) -> u32 {
        if distance(progress.problem, progress.r) < self.params.near {
            return end;
        }
        let before = progress.report.newton;
        let budget = left(progress, last, self.params.fixed_point_factorisations);
        progress.stage("fixed point", HALTED, |progress| {
            if let Some(lorentz) = &self.lorentz {
                interior::fixed_point::run(progress, &self.proximal, lorentz, &self.params, budget);
            }
        });
        end.saturating_add(progress.report.newton - before).min(last.max(end))
    }

    /// What a saved problem with masses far apart gets where the exact path came to a halt: the proximal
    /// point where that has led close, else the paths whose shift lags behind, which find a solution where
    /// the exact one folds. Returns `end` moved on by what they took, to `last` at most.
    fn beside<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, end: u32, last: u32) -> u32 {
        if !self.is_spread(progress) {
            return end;
        }
        let before = progress.report.newton;
        if distance(progress.problem, progress.r) < self.params.near {
            let most = left(progress, last, self.params.splitting_factorisations);
            self.near(progress, "near", most);
        }
        let budget = left(progress, last, self.params.lagged_factorisations);
        progress.stage("lagged", HALTED, |progress| {
            if let Some(lorentz) = &self.lorentz {
                interior::lagged::run(progress, &self.proximal, lorentz, 0.0, budget);
            }
        });
        end.saturating_add(progress.report.newton - before).min(last.max(end))
    }

    /// Whether it is a saved problem with masses far apart.
    fn is_spread<W: Delassus<D>>(&self, progress: &Progress<D, W>) -> bool {
        progress.params.measure.is_of_saved() && self.spread >= self.params.lagged_spread
    }

    /// What such a problem gets where all this has come to a halt: light bodies are mended, and the shift
    /// lags along other paths. Returns `end` moved on by what they took, to `last` at most.
    fn tilted<W: Delassus<D>>(&self, progress: &mut Progress<D, W>, end: u32, last: u32) -> u32 {
        let Some(lorentz) = self.lorentz.as_ref().filter(|_| self.is_spread(progress)) else { return end };
        let before = progress.report.newton;
        self.mend(progress);
        for tilt in self.params.lagged_tilts {
            let budget = left(progress, last, self.params.tilted_factorisations);
            progress.stage("lagged", "along another path", |progress| {
                interior::lagged::run(progress, &self.proximal, lorentz, tilt, budget);
            });
            self.mend(progress);
        }
        end.saturating_add(progress.report.newton - before).min(last.max(end))
    }

    /// Sweeps and the proximal point by turns, where impulses are near by the one residual. That of light
    /// bodies it hardly shows.
    fn mend<W: Delassus<D>>(&self, progress: &mut Progress<D, W>) {
        if !progress.report.converged && distance(progress.problem, progress.r) < self.params.near {
            progress
                .stage("mended", "where bodies are light", |progress| mended::run(progress, &self.proximal));
        }
    }

    /// One path of the interior point, where it takes the problem.
    fn interior<W: Delassus<D>>(
        &self,
        progress: &mut Progress<D, W>,
        why: &'static str,
        shift: Shift,
        budget: u32,
    ) {
        progress.stage("interior", why, |progress| {
            if let Some(lorentz) = &self.lorentz {
                interior::run(progress, &self.proximal, lorentz, shift, budget);
            }
        });
    }
}

/// The most compliant contact over the stiffest, as far apart as masses are.
fn spread<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>) -> f64 {
    let compliances = || (0..problem.contacts()).map(|contact| problem.w.block(contact).trace());
    compliances().fold(0.0, f64::max) / compliances().fold(f64::INFINITY, f64::min)
}

/// What is left of `most` factorisations until there are `end` of them in all; none where all is done.
fn left<const D: usize, W>(progress: &Progress<D, W>, end: u32, most: u32) -> u32 {
    let go = !progress.report.converged && !progress.params.is_called_off();
    if go { most.min(end.saturating_sub(progress.report.newton)) } else { 0 }
}
