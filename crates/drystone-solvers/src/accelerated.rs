//! Nesterov's extrapolation with restart, on top of the Gauss–Seidel sweep.

use crate::coarse::Coarse;
use crate::momentum::{Momentum, Patience};
use crate::sweep::{CheckSchedule, Sweep, SweepMemory};
use crate::waves::Waves;
use crate::{AutoParams, Params, Report};
use drystone_math::portable;
use drystone_problem::{Delassus, Problem, Vector, asked_impulse};

/// Solves from the guess in `r`, keeping the best iterate seen.
///
/// Each sweep starts from the extrapolated point `y = P(r + β(r − r_last))` with Nesterov's weights β
/// (Nesterov 1983). The momentum is dropped when it points uphill (O'Donoghue, Candès 2015) or when the
/// length of the sweep's change grows: without the second test the exact, non-associated Coulomb law makes it
/// diverge on some packings. A share of what it has built up is kept then, `momentum_kept`, but where it
/// carries long waves.
pub fn solve<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
    stream: u64,
    memory: &mut SweepMemory,
) -> Report {
    let mut report = Report::start();
    let asked = asked_impulse(problem);
    let mut accelerated = Accelerated::new(problem, r, (params, stream), asked, memory);
    while !accelerated.look(r, &mut report) {}
    accelerated.give_back(r, report, memory)
}

/// The accelerated sweep, halted at every look at the residual.
pub(crate) struct Accelerated<'a, const D: usize, W: Delassus<D>> {
    problem: &'a Problem<D, W>,
    params: &'a Params,
    sweep: Sweep<'a, D, W>,
    looks: CheckSchedule,
    /// The last look: sweeps and residual.
    last: (u32, f64),
    momentum: Momentum,
    /// Where they are without momentum and each in an order of its own.
    shuffled: Option<Shuffled>,
    /// None where momentum is for short waves alone.
    waves: Option<Waves>,
    /// None where forces are left to the sweeps.
    regions: Option<Regions<D>>,
    best: Best<D>,
}

impl<'a, const D: usize, W: Delassus<D>> Accelerated<'a, D, W> {
    /// Makes the problem ready, at the impulses `r`, given what [the contacts ask for](asked_impulse).
    pub fn new(
        problem: &'a Problem<D, W>,
        r: &[Vector<D>],
        (params, stream): (&'a Params, u64),
        asked: f64,
        memory: &mut SweepMemory,
    ) -> Self {
        Self {
            problem,
            params,
            sweep: Sweep::within(problem, r, params, stream, asked, memory),
            looks: CheckSchedule::new(),
            last: (0, f64::INFINITY),
            momentum: Momentum::new(patience(problem.contacts(), params)),
            shuffled: None,
            waves: None,
            regions: None,
            best: Best { residual: f64::INFINITY, gap: f64::INFINITY, r: r.to_vec() },
        }
    }

    /// Counts the guess, which was judged, as an iterate seen.
    pub fn with_guess(mut self, r: &[Vector<D>], guess: &Report) -> Self {
        self.best.offer(r, guess, self.params.tolerance);
        self
    }

    /// Lets the momentum carry long waves, where the back end can, from a guess that was judged.
    pub fn with_waves(mut self, guess: &Report) -> Self {
        let can = self.sweep.can_project();
        self.waves = can.then(|| Waves::new(guess, &self.params.auto));
        self
    }

    /// Brings forces into balance region by region between sweeps.
    pub fn with_regions(mut self, guess: &Report) -> Self {
        let asked = self.params.auto.regions > 0;
        self.regions = asked.then_some(Regions { since: guess.iterations, coarse: None });
        self
    }

    /// Sweeps until the next look is due, puts the iterate into `r` and judges it; returns whether there is
    /// nothing more to do. Goes on from where the last look ended, whatever is in `r`.
    pub fn look(&mut self, r: &mut [Vector<D>], report: &mut Report) -> bool {
        let mut still = false;
        loop {
            let next = report.iterations + 1;
            let interrupted = self.params.monitor.is_interrupted();
            let due = self.looks.due(next) || next >= self.params.max_iterations || still || interrupted;
            let long = self.waves.is_some_and(|waves| waves.are_long());
            let passed = match &mut self.shuffled {
                Some(shuffled) => {
                    shuffled.number = shuffled.number.wrapping_add(1);
                    self.sweep.pass_shuffled(shuffled.number, shuffled.relaxation, due)
                }
                None => self.sweep.pass_ahead(self.momentum.beta(), long, due),
            };
            report.iterations = next;
            report.updates += passed.updates;
            self.momentum.learn(passed.length, passed.uphill, long);
            // contacts left out may still move
            still = !passed.moved;
            if due {
                self.sweep.judge(r, self.params, report);
                if self.waves.as_mut().is_some_and(|waves| waves.learn(report, &self.params.auto)) {
                    self.momentum.forget();
                }
                self.params.monitor.tell(report);
                self.best.offer(r, report, self.params.tolerance);
                self.forecast(report);
                let last = still || next >= self.params.max_iterations || self.params.is_called_off();
                if !last {
                    self.balance_regions(r, report);
                }
                return report.converged || last || !report.residual.is_finite();
            }
        }
    }

    /// Brings the next look forward where sweeps over a saved problem will be there before it, if the
    /// residual goes on falling as since the last look. Steps of a run keep the looks they had.
    fn forecast(&mut self, report: &Report) {
        let (sweeps, residual) = std::mem::replace(&mut self.last, (report.iterations, report.residual));
        let fell = portable::ln(residual / report.residual);
        if self.params.measure.is_of_saved() && fell > 0.0 && fell.is_finite() {
            let rate = fell / f64::from(report.iterations - sweeps);
            let needed = portable::ln(report.residual / self.params.tolerance) / rate;
            self.looks.bring_forward(report.iterations, needed);
        }
    }

    /// Scales impulses region by region where a look found them out of balance, and none was scaled for a
    /// while. The momentum goes on.
    fn balance_regions(&mut self, r: &[Vector<D>], report: &Report) {
        let (problem, params) = (self.problem, &self.params.auto);
        let Some(regions) = &mut self.regions else { return };
        let swept = report.iterations - regions.since;
        if swept < params.region_sweeps || report.gap.is_none_or(|gap| gap.is_within(params.balance)) {
            return;
        }
        regions.since = report.iterations;
        let Some(coarse) = regions.coarse.get_or_insert_with(|| Coarse::new(problem, params)) else { return };
        if let Some(factors) = coarse.factors(problem, r) {
            self.sweep.scale(&factors);
        }
    }

    /// Starts anew from an iterate found by other means, without momentum.
    pub fn restart(&mut self, r: &[Vector<D>], report: &mut Report) {
        self.momentum.forget();
        self.sweep.put(r);
        self.sweep.certify(r, self.params, report);
        self.best.offer(r, report, self.params.tolerance);
    }

    /// Goes on without momentum, in an order drawn for each sweep, and relaxed; once more relaxed where it
    /// does so already.
    pub fn shuffle(&mut self) {
        let AutoParams { circle_relaxation, circle_least, .. } = self.params.auto;
        let last = self.shuffled.get_or_insert(Shuffled { number: 0, relaxation: 1.0 });
        last.relaxation = (circle_relaxation * last.relaxation).max(circle_least);
    }

    /// What one sweep is taken to cost \[ns\].
    pub fn nanoseconds(&self) -> f64 {
        self.sweep.nanoseconds(&self.params.auto)
    }

    /// Residual of the best iterate seen.
    pub fn best(&self) -> f64 {
        self.best.residual
    }

    /// Puts the best iterate into `r` with a report that speaks of it, or rest if nothing finite was ever
    /// seen.
    pub fn give_back(mut self, r: &mut [Vector<D>], mut report: Report, memory: &mut SweepMemory) -> Report {
        self.recall(r, &mut report);
        self.sweep.leave(memory);
        report
    }

    /// Puts the best iterate into `r`; see [`Self::give_back`]. The sweeps themselves go on from where they
    /// were.
    pub fn recall(&mut self, r: &mut [Vector<D>], report: &mut Report) {
        // infinite is no better than infinite
        let other = !report.residual.is_finite() || self.best.beats(report, self.params.tolerance);
        if other {
            match self.best.residual.is_finite() {
                true => r.copy_from_slice(&self.best.r),
                false => r.fill(Vector::zeros()),
            }
        }
        if other || !self.sweep.is_fresh() {
            self.sweep.certify(r, self.params, report);
        }
    }
}

/// Sweeps without momentum, each in an order of its own.
struct Shuffled {
    /// Of the last one.
    number: u32,
    /// Share of the way to each local answer, of that asked for.
    relaxation: f64,
}

/// Regions that are brought into balance between sweeps.
struct Regions<const D: usize> {
    /// Sweeps when they were last.
    since: u32,
    /// Made when it is first asked for; `Some(None)` where it cannot be.
    coarse: Option<Option<Coarse<D>>>,
}

/// Patience does not pay: on a packing of 20,000 balls 3 rises and a jump of 4 take 2.6 times the sweeps to
/// 1e-4 and more than four times to 1e-5.
///
/// Where many contacts carry waves momentum is dropped for good: beds of 10,000 spheres that settle take a
/// third of the sweeps. Small problems are handed over before it matters.
fn patience(contacts: usize, params: &Params) -> Patience {
    let policy = &params.auto;
    // small saved problems are handed over later than small steps of a run
    let many = contacts > policy.small as usize || params.measure.is_of_saved();
    let keeps = many && contacts <= policy.wave_contacts as usize;
    Patience { rises: 2, jump: 1.1, kept: if keeps { policy.momentum_kept } else { 0.0 } }
}

/// The best iterate seen: that of the least residual, and of those within the tolerance the one whose forces
/// are nearest to balance.
struct Best<const D: usize> {
    residual: f64,
    gap: f64,
    r: Vec<Vector<D>>,
}

impl<const D: usize> Best<D> {
    fn offer(&mut self, r: &[Vector<D>], report: &Report, tolerance: f64) {
        if is_better(figures(report), (self.residual, self.gap), tolerance) {
            (self.residual, self.gap) = figures(report);
            self.r.copy_from_slice(r);
        }
    }

    fn beats(&self, report: &Report, tolerance: f64) -> bool {
        is_better((self.residual, self.gap), figures(report), tolerance)
    }
}

/// Residual and distance from balance, which is infinite where nobody looked.
fn figures(report: &Report) -> (f64, f64) {
    (report.residual, report.gap.map_or(f64::INFINITY, |gap| gap.size()))
}

fn is_better(one: (f64, f64), other: (f64, f64), tolerance: f64) -> bool {
    match one.0 <= tolerance && other.0 <= tolerance && one.1 != other.1 {
        true => one.1 < other.1,
        false => one.0 < other.0,
    }
}
