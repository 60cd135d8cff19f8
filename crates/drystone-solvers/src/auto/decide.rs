//! The decisions of the everyday solver: pure functions of what is known, without a clock. Solves nothing.

use crate::AutoParams;
use drystone_math::portable;

/// What a solve is about; it does not change on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    /// Contacts of the problem.
    pub contacts: usize,
    /// Whether it is a step of a run: the guess is near, and another step follows. A saved problem has no
    /// next step.
    pub in_a_run: bool,
    /// Whether solutions within the tolerance are polished.
    pub polish: bool,
    /// Whether factorisations cost more than polishing is worth.
    pub dear: bool,
    /// Whether it is a saved problem whose contacts touch few others.
    pub is_loose: bool,
    /// Largest residual of a solution.
    pub tolerance: f64,
    /// Most iterations.
    pub allowed: u32,
    /// Most work, in sweeps, where it is bounded.
    pub work: Option<u32>,
}

impl Task {
    /// Whether it is polished by factorisations: small, and a step of a run.
    pub fn polished_by_factors(&self, params: &AutoParams) -> bool {
        self.polish && self.in_a_run && self.is_small(params) && !self.dear
    }

    pub fn is_small(&self, params: &AutoParams) -> bool {
        self.contacts <= params.small as usize
    }
}

/// What the two ways to a solution cost, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// One sweep \[ns\].
    pub sweep: f64,
    /// A second-order finish.
    pub finish: FinishCost,
}

/// What a second-order finish costs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FinishCost {
    /// The operator has not been analysed.
    Unknown,
    /// The problem is too large for factors, or not finite.
    Refused,
    /// The pattern is known.
    Known {
        /// Multiplications of a short try.
        short: f64,
        /// Multiplications of a long finish.
        long: f64,
        /// Whether the problem is large.
        large: bool,
        /// Whether there are few bodies for many contacts of a saved problem: factors are cheap, and sweeps
        /// slow.
        spanned: bool,
        /// Whether it is slender as well: the interior point begins the long finish.
        slender: bool,
    },
}

/// What happened so far.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// Iterations so far.
    pub iterations: u32,
    /// The best residual after so many iterations, at each look since the last long finish.
    pub looks: Vec<(u32, f64)>,
    /// No thought of handing over before so many iterations.
    pub next_try: u32,
    /// Short tries so far.
    pub tries: u32,
    /// How often the sweeps ran in circles: since then they have no momentum and an order drawn for each of
    /// them.
    pub turns: u32,
    /// Whether they have begun anew from rest, as those over a saved problem do once.
    pub is_begun_anew: bool,
    /// Iterations when they began to be as they are.
    pub turned: u32,
}

impl History {
    /// Nothing has happened.
    pub fn new(params: &AutoParams) -> Self {
        let next_try = params.first_handover;
        Self {
            iterations: 0,
            looks: Vec::new(),
            next_try,
            tries: 0,
            turns: 0,
            is_begun_anew: false,
            turned: 0,
        }
    }

    /// Sweeps left to the tolerance, if the residual goes on falling as it did over the last half of them.
    fn sweeps_left(&self, tolerance: f64) -> f64 {
        let (Some(&(start, _)), Some(&(now, residual))) = (self.looks.first(), self.looks.last()) else {
            return f64::INFINITY;
        };
        let middle = start + (now - start) / 2;
        let then = self.looks.iter().rev().find(|look| look.0 <= middle);
        let rate =
            then.map_or(0.0, |&(then, before)| portable::ln(before / residual) / f64::from(now - then));
        if rate > 0.0 { portable::ln(residual / tolerance) / rate } else { f64::INFINITY }
    }

    /// Whether the residual has come most of its way to the tolerance, in decades.
    fn is_nearly_done(&self, tolerance: f64, params: &AutoParams) -> bool {
        let (Some(&(_, first)), Some(&(_, now))) = (self.looks.first(), self.looks.last()) else {
            return false;
        };
        portable::ln(first / now) >= params.nearly_done * portable::ln(first / tolerance)
    }

    /// After a short try.
    pub fn tried(&mut self, iterations: u32, params: &AutoParams) {
        self.tries += 1;
        self.next_try =
            iterations.saturating_add((iterations / params.short_try_pause.max(1)).min(params.longest_pause));
    }

    /// Sweeps go on in random order, or more relaxed. What the residual did before is no forecast of them.
    pub fn turned(&mut self, iterations: u32) {
        self.turns += 1;
        self.turned = iterations;
        self.looks.clear();
    }

    /// After a long finish, which makes patient.
    pub fn finished(&mut self, iterations: u32, params: &AutoParams) {
        self.next_try = iterations.saturating_mul(params.retry_factor);
        self.looks.clear();
    }
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Sweep on to the next look.
    Sweep,
    /// Sweep from the best iterate in random order, the more relaxed the oftener.
    Turn,
    /// Assemble and analyse the operator, so that the cost of a finish is known, and ask again.
    Analyse,
    /// A short try from where the sweeps are.
    ShortTry,
    /// The long finish from the best iterate.
    Finish,
}

/// Whether to sweep on or to hand over: the sweeps have taken a good part of what a finish would, and those
/// left would take longer (ski rental with a forecast, see [`AutoParams`]).
pub(crate) fn decide(task: &Task, cost: &Cost, history: &History, params: &AutoParams) -> Action {
    match hand_over(task, cost, history, params) {
        Action::Sweep if runs_in_circles(task, history, params) => Action::Turn,
        action => action,
    }
}

/// Whether sweeps get nowhere as they are. Those that fill the weight of a deep pile into it are slow, not
/// lost.
fn runs_in_circles(task: &Task, history: &History, params: &AutoParams) -> bool {
    let swept = history.iterations.saturating_sub(history.turned);
    !task.is_small(params)
        && task.contacts <= params.wave_contacts as usize
        && swept >= params.circle_sweeps
        && history.sweeps_left(task.tolerance) >= params.circle_forecast * f64::from(params.circle_sweeps)
}

/// Whether to leave the sweeps.
fn hand_over(task: &Task, cost: &Cost, history: &History, params: &AutoParams) -> Action {
    let Task { contacts, allowed, .. } = *task;
    if history.iterations < history.next_try || contacts > params.most_contacts as usize {
        return Action::Sweep;
    }
    let (needed, allowed) =
        (history.sweeps_left(task.tolerance), f64::from(allowed.saturating_sub(history.iterations)));
    let (swept, left) = (f64::from(history.iterations) * cost.sweep, needed.min(allowed) * cost.sweep);
    let weight = if task.polished_by_factors(params) { params.sunk_share } else { 1.0 };
    let (short, long, large, spanned, slender) = match cost.finish {
        FinishCost::Refused => return Action::Sweep,
        FinishCost::Known { short, long, large, spanned, slender } => (short, long, large, spanned, slender),
        FinishCost::Unknown => {
            let analysis = weight * contacts as f64 * params.analysis_ns;
            let pays = (swept / params.rental_share).min(left) >= params.analysis_margin * analysis;
            return if pays { Action::Analyse } else { Action::Sweep };
        }
    };
    // in a run the sweeps start from the last step and soon are near; in a small or
    // slender one the long finish is short enough
    let long_enough = !task.is_small(params) && !slender;
    let try_first = task.in_a_run && long_enough && history.tries < params.short_tries;
    let nearly = !task.in_a_run && history.is_nearly_done(task.tolerance, params);
    let share = if large || try_first || nearly { 1.0 } else { params.rental_share };
    let finish = weight * if try_first { short } else { long + beside_factors(task, slender, params) };
    let price = finish * params.multiplication_ns;
    let pays = match spanned {
        // their rows are longer than sweeps are charged for, and the path of the interior point seldom folds
        true => left > params.rental_share * price,
        false => (swept / share).min(left) > price,
    };
    // whatever it costs, before the sweeps come to their end without a solution, or run in circles again and
    // again
    let late = history.iterations > task.allowed / params.last_call.max(1) && needed > allowed;
    let lost =
        task.in_a_run && history.turns >= params.circle_rounds && runs_in_circles(task, history, params);
    let last_call = late || lost;
    // a finish that would be cut short is of no use
    let left = |work: u32| f64::from(work.saturating_sub(history.iterations)) * cost.sweep;
    let fits = task.work.is_none_or(|work| price <= left(work));
    match (fits && (pays || last_call), try_first) {
        (false, _) => Action::Sweep,
        (true, true) => Action::ShortTry,
        (true, false) => Action::Finish,
    }
}

/// Multiplications of a long finish beside its factors. The steps of a run, whose guess is near, need few.
fn beside_factors(task: &Task, slender: bool, params: &AutoParams) -> f64 {
    match task.in_a_run || slender {
        true => 0.0,
        false => params.usual_factorisations * params.contact_multiplications * task.contacts as f64,
    }
}

/// What to do with the guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// It is a solution.
    Accept,
    /// It is one, to be polished by factorisations.
    Polish,
    /// It is not good enough.
    Sweep,
}

/// What to do with a guess of some residual.
pub(crate) fn open(task: &Task, residual: f64, params: &AutoParams) -> Opening {
    let by_factors = task.polished_by_factors(params);
    let good = match task.polish {
        false => task.tolerance,
        true if by_factors => {
            (params.guess_margin * task.tolerance).min(params.polish_band * params.polish_residual)
        }
        true => params.guess_margin * task.tolerance,
    };
    match residual {
        _ if residual <= good => Opening::Accept,
        _ if residual <= task.tolerance && by_factors => Opening::Polish,
        _ => Opening::Sweep,
    }
}

/// What to do with a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closing {
    /// Nothing: the tolerance is the tolerance.
    Leave,
    /// Sweep on for a while.
    PolishBySweeps,
    /// Factorise until its residual is rounding, or nearly.
    PolishByFactors,
}

/// How a solution within the tolerance is polished.
pub(crate) fn close(task: &Task, residual: f64, params: &AutoParams) -> Closing {
    match task.polish && task.in_a_run {
        false => Closing::Leave,
        true if !task.polished_by_factors(params) => Closing::PolishBySweeps,
        true if residual > params.polish_residual => Closing::PolishByFactors,
        true => Closing::Leave,
    }
}

/// Factorisations that a long finish may take, with so many sweeps left, each at the cost of `once`
/// multiplications.
pub(crate) fn budget(left: u32, sweep: f64, once: f64, params: &AutoParams) -> u32 {
    let sweeping = f64::from(left) * sweep;
    let worth = params.overrun * sweeping / (once * params.multiplication_ns);
    (worth.max(f64::from(params.least_factorisations)) as u32).min(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: Task = Task {
        contacts: 100,
        in_a_run: true,
        polish: true,
        dear: false,
        is_loose: false,
        tolerance: 1e-6,
        allowed: 50_000,
        work: None,
    };
    const MANY: Task = Task { contacts: 500, ..RUN };
    const SAVED: Task = Task { in_a_run: false, ..RUN };
    /// 100 contacts: beside a finish of 2.5e6 multiplications 20 factorisations cost 1e7, in all 5e6 ns.
    const SAVED_AS_ASKED: Task = Task { polish: false, ..SAVED };
    const AS_ASKED: Task = Task { polish: false, ..RUN };
    const DEAR: Task = Task { dear: true, ..RUN };

    /// A residual that falls from 1 by a factor of ten in every `decade` sweeps, looked at now and half way.
    fn history(iterations: u32, decade: f64) -> History {
        let residual = |n: u32| 10f64.powf(-f64::from(n) / decade);
        let looks = [1, iterations / 2, iterations].map(|n| (n, residual(n))).to_vec();
        History { iterations, looks, ..History::new(&AutoParams::default()) }
    }

    fn known(multiplications: f64) -> FinishCost {
        FinishCost::Known {
            short: multiplications,
            long: multiplications,
            large: false,
            spanned: false,
            slender: false,
        }
    }

    /// One row: task, cost of a sweep [ns], cost of a finish, what happened, what to do.
    type Row = (&'static str, Task, f64, FinishCost, History, Action);

    #[test]
    fn a_table_of_decisions() {
        let stuck = f64::INFINITY;
        let tried = |tries| History { tries, ..history(400, stuck) };
        let faces = |multiplications: f64| FinishCost::Known {
            short: 1.0,
            long: multiplications,
            large: true,
            spanned: false,
            slender: true,
        };
        let spanned = |multiplications: f64| FinishCost::Known {
            short: 1.0,
            long: multiplications,
            large: false,
            spanned: true,
            slender: false,
        };
        let packing = Task { contacts: 5000, ..RUN };
        // that share of six decades at once, and nothing since
        let nearly = |share: f64| {
            let stuck = 10f64.powf(-6.0 * share);
            let looks = vec![(1, 1.0), (10, stuck), (50, stuck), (100, stuck)];
            History { iterations: 100, looks, ..History::new(&AutoParams::default()) }
        };
        let bounded = Task { work: Some(50_000), ..packing };
        let lost = |turns| History { turns, ..history(2000, stuck) };
        let turned = |turned, decade| History { turned, ..history(2000, decade) };
        let rows: [Row; 34] = [
            ("before the first hand-over", RUN, 1e9, known(1.0), history(59, stuck), Action::Sweep),
            ("it comes", RUN, 1e9, known(1.0), history(60, stuck), Action::Finish),
            (
                "nothing known, sweeps cheap",
                MANY,
                1e3,
                FinishCost::Unknown,
                history(100, stuck),
                Action::Sweep,
            ),
            // 100 sweeps of 1e5 ns are 1e7, five times that is worth two analyses of 2.5e6
            (
                "nothing known, sweeps dear",
                MANY,
                1e5,
                FinishCost::Unknown,
                history(100, stuck),
                Action::Analyse,
            ),
            // the sweeps will be there in 20 more: an analysis does not pay
            ("nothing known, soon there", MANY, 1e5, FinishCost::Unknown, history(100, 20.0), Action::Sweep),
            ("refused", RUN, 1e9, FinishCost::Refused, history(1000, stuck), Action::Sweep),
            // small and polished: a finish of 2.5e6 multiplications is 1e6 ns, weighed at a fifth, bought at
            // a fifth of that
            ("less than the share", RUN, 399.0, known(2.5e6), history(100, stuck), Action::Sweep),
            ("more than the share", RUN, 401.0, known(2.5e6), history(100, stuck), Action::Finish),
            ("not polished: full price", AS_ASKED, 1999.0, known(2.5e6), history(100, stuck), Action::Sweep),
            ("not polished, beyond it", AS_ASKED, 2001.0, known(2.5e6), history(100, stuck), Action::Finish),
            // 100 sweeps were 5 decades: 20 more of 5,000 ns are cheaper than 2e5 ns
            ("forecast to be soon there", RUN, 5000.0, known(2.5e6), history(100, 20.0), Action::Sweep),
            (
                "a saved problem has no short tries",
                Task { contacts: 500, ..SAVED },
                1e9,
                known(1.0),
                tried(0),
                Action::Finish,
            ),
            ("saved: less than the share", SAVED_AS_ASKED, 9.9e3, known(2.5e6), nearly(0.7), Action::Sweep),
            ("saved: more than the share", SAVED_AS_ASKED, 1.01e4, known(2.5e6), nearly(0.7), Action::Finish),
            (
                "nearly done: less than the price",
                SAVED_AS_ASKED,
                4.9e4,
                known(2.5e6),
                nearly(0.8),
                Action::Sweep,
            ),
            ("nearly done: more than it", SAVED_AS_ASKED, 5.1e4, known(2.5e6), nearly(0.8), Action::Finish),
            ("spanned: at once", SAVED_AS_ASKED, 9.9e3, spanned(2.5e6), nearly(0.7), Action::Finish),
            (
                "spanned, but soon there",
                SAVED_AS_ASKED,
                5e3,
                spanned(2.5e6),
                history(100, 20.0),
                Action::Sweep,
            ),
            ("many contacts: a short try first", MANY, 1e9, known(1.0), tried(0), Action::ShortTry),
            ("after three of them the long finish", MANY, 1e9, known(1.0), tried(3), Action::Finish),
            // 400 sweeps are the price, and no short try comes first
            ("faces on faces: at once", MANY, 1e3, faces(0.9e6), tried(0), Action::Finish),
            ("faces on faces, not yet", MANY, 1e3, faces(1.1e6), tried(0), Action::Sweep),
            ("not yet in circles", packing, 1.0, known(1e30), history(499, stuck), Action::Sweep),
            ("in circles", packing, 1.0, known(1e30), history(500, stuck), Action::Turn),
            ("slow, but on its way", packing, 1.0, known(1e30), history(500, 450.0), Action::Sweep),
            // 2000 sweeps of 1e3 ns are the price of 5e6 multiplications, the 48,000 left that of 120e6
            ("in circles: the full price", packing, 1e3, known(5.1e6), lost(3), Action::Turn),
            ("in circles too often: any price", packing, 1e3, known(119e6), lost(4), Action::ShortTry),
            ("in circles too often, no work left", bounded, 1e3, known(121e6), lost(4), Action::Turn),
            ("a turn has its time", packing, 1.0, known(1e30), turned(1501, stuck), Action::Sweep),
            ("then another one", packing, 1.0, known(1e30), turned(1500, stuck), Action::Turn),
            (
                "weight takes long",
                Task { contacts: 30_000, ..RUN },
                1.0,
                known(1e30),
                history(1000, stuck),
                Action::Sweep,
            ),
            ("small ones have factors", RUN, 1.0, known(1e30), history(1000, stuck), Action::Sweep),
            ("last call", RUN, 1.0, known(1e30), history(16_667, stuck), Action::Finish),
            (
                "too many contacts",
                Task { contacts: 100_001, ..RUN },
                1e9,
                known(1.0),
                history(400, stuck),
                Action::Sweep,
            ),
        ];
        for (name, task, sweep, finish, history, action) in rows {
            let cost = Cost { sweep, finish };
            assert_eq!(decide(&task, &cost, &history, &AutoParams::default()), action, "{name}");
        }
    }

    #[test]
    fn parameters_move_the_decision() {
        let cost = Cost { sweep: 401.0, finish: known(2.5e6) };
        let history = history(100, f64::INFINITY);
        let default = AutoParams::default();
        let decide = |params: AutoParams| decide(&RUN, &cost, &history, &params);
        assert_eq!(decide(default), Action::Finish);
        assert_eq!(decide(AutoParams { rental_share: 1.0, ..default }), Action::Sweep);
        assert_eq!(decide(AutoParams { sunk_share: 1.0, ..default }), Action::Sweep);
        assert_eq!(decide(AutoParams { multiplication_ns: 0.41, ..default }), Action::Sweep);
        assert_eq!(
            decide(AutoParams { first_handover: 101, ..default }),
            Action::Finish,
            "set by the history"
        );
        assert_eq!(decide(AutoParams { most_contacts: 99, ..default }), Action::Sweep);
        assert_eq!(
            decide(AutoParams { small: 99, ..default }),
            Action::Sweep,
            "full price, a short try first"
        );
    }

    /// The bounds of Purohit, Svitkina and Kumar for any season and any forecast that is right, and the worst
    /// that is wrong.
    #[test]
    fn the_hand_over_is_competitive() {
        let params = AutoParams::default();
        let task = AS_ASKED;
        let (sweep, price) = (1e3, 1e6);
        let finish = known(price / params.multiplication_ns);
        let paid = |season: u32, forecast: f64| {
            let mut swept = 0;
            loop {
                if swept == season {
                    return f64::from(swept) * sweep;
                }
                swept += 1;
                // one look half way and one now, falling just so fast that `forecast` sweeps are left
                let rate = (1.0 / task.tolerance).ln() / forecast;
                let now = (-rate * 0.5 * f64::from(swept)).exp();
                let looks = vec![(0, 1.0), (swept / 2, 1.0), (swept, now.max(2.0 * task.tolerance))];
                let history = History { iterations: swept, looks, next_try: 0, ..History::new(&params) };
                if decide(&task, &Cost { sweep, finish }, &history, &params) == Action::Finish {
                    return f64::from(swept) * sweep + price;
                }
            }
        };
        let lambda = params.rental_share;
        for season in [50, 199, 200, 201, 500, 1000, 5000, 20_000] {
            let best = (f64::from(season) * sweep).min(price);
            assert!(
                paid(season, 1e12) <= (1.0 + 1.0 / lambda) * best * 1.01,
                "{season}: a forecast of never"
            );
            if season > 2000 {
                assert!(paid(season, f64::from(season)) <= (1.0 + lambda) * best * 1.01, "{season}: right");
            }
        }
    }

    #[test]
    fn a_table_of_openings() {
        let rows: [(Task, f64, Opening); 14] = [
            (RUN, 2e-10, Opening::Accept),
            (RUN, 2.1e-10, Opening::Polish),
            (RUN, 1e-6, Opening::Polish),
            (RUN, 1.1e-6, Opening::Sweep),
            (MANY, 1e-9, Opening::Accept),
            (MANY, 1.1e-9, Opening::Sweep),
            (DEAR, 1e-9, Opening::Accept),
            (DEAR, 1.1e-9, Opening::Sweep),
            (SAVED, 1e-9, Opening::Accept),
            (SAVED, 1e-8, Opening::Sweep),
            (AS_ASKED, 1e-6, Opening::Accept),
            (AS_ASKED, 1.1e-6, Opening::Sweep),
            (RUN, f64::NAN, Opening::Sweep),
            (RUN, f64::INFINITY, Opening::Sweep),
        ];
        for (task, residual, opening) in rows {
            assert_eq!(open(&task, residual, &AutoParams::default()), opening, "{task:?} {residual}");
        }
    }

    #[test]
    fn a_table_of_closings() {
        let rows = [
            (RUN, 1e-7, Closing::PolishByFactors),
            (RUN, 1e-10, Closing::Leave),
            (MANY, 1e-7, Closing::PolishBySweeps),
            (DEAR, 1e-7, Closing::PolishBySweeps),
            (SAVED, 1e-7, Closing::Leave),
            (AS_ASKED, 1e-7, Closing::Leave),
            (Task { polish: false, ..MANY }, 1e-7, Closing::Leave),
        ];
        for (task, residual, closing) in rows {
            assert_eq!(close(&task, residual, &AutoParams::default()), closing, "{task:?} {residual}");
        }
    }

    #[test]
    fn a_finish_may_take_what_the_sweeps_left_are_worth() {
        let params = AutoParams::default();
        // 40,000 sweeps of 1e3 ns, three times, at 0.4 ns × 1e5: 3000 factorisations
        assert_eq!(budget(40_000, 1e3, 1e5, &params), 3000);
        assert_eq!(budget(40_000, 1e3, 1e9, &params), 400);
        assert_eq!(budget(50, 1e3, 1e9, &params), 50);
    }
}
