//! The policy of the everyday solver as data: what is weighed against what, with which limits and machine
//! costs. Decides nothing: that is `auto/decide.rs` of `drystone-solvers`.

/// Parameters of [`Method::Auto`](crate::Method::Auto): when the sweeps hand over to a second-order method,
/// how long each method may go on, and what their work is taken to cost.
///
/// Rigid contact forces are not unique and the way to them picks one, so these numbers are part of a result.
/// The defaults were found on packings, walls and towers. All of it is counts, shares and residuals; times
/// are fixed figures for a machine of reference, never measured in a run, so that the same scene takes the
/// same way on every machine.
///
/// The hand-over is the *ski rental* problem: sweeps are the skis rented day by day, the factorisations the
/// pair that can be bought, and nobody knows how long the season lasts. With a forecast of what is left, who
/// buys after renting for the share λ of the price pays at most 1 + λ times the best possible where the
/// forecast is right, and 1 + 1/λ times where it is wrong (Purohit, Svitkina, Kumar 2018); λ = 1 is the
/// classical bound of 2 (Karlin et al. 1988). λ is [`Self::rental_share`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(deny_unknown_fields, default)
)]
pub struct AutoParams {
    /// Contacts up to which a problem is small \[-\]: its factorisations work on the assembled operator,
    /// unless it is `crowded`, there are no short tries, and polishing is by factorisations.
    pub small: u32,
    /// Contacts with so many times the unknowns of their bodies are crowded \[-\], at least 1, and factored
    /// in the space of the bodies however few they are: between themselves it would cost the cube of this.
    pub crowded: u32,
    /// A guess whose residual is below this share of the tolerance is left as it is \[-\], between 0 and 1. A
    /// sweep over it would mend an error in the velocities by impulses that the next step applies again. Used
    /// with `polish`; without it a guess within the tolerance is left.
    pub guess_margin: f64,

    /// Residual to which small problems are polished, by factorisations \[-\], between 0 and 1.
    pub polish_residual: f64,
    /// A guess within this many times `polish_residual` is left as it is \[-\], at least 1. At rest the
    /// residual of the guess wanders about what polishing left; without a band every other step would be
    /// polished again.
    pub polish_band: f64,
    /// Most factorisations of polishing \[-\]: near the solution a handful is usual, or it fails.
    pub polish_factorisations: u32,
    /// Small problems are swept like larger ones instead where a factorisation costs more multiplications
    /// than this for each contact \[-\], greater than 0: deformable bodies with many contacts, each of which
    /// acts on all others. Of one body a third of the cube of its unknowns is counted, ports included.
    pub polish_multiplications: f64,
    /// Larger problems are swept beyond the tolerance until forces are in balance to this share \[-\],
    /// between 0 and 1; see [`WorkGap`](crate::WorkGap) …
    pub balance: f64,
    /// … for no more than so many sweeps \[-\] …
    pub balance_sweeps: u32,
    /// … and after these \[-\] …
    pub polish_sweeps: u32,
    /// … only while so many make it better by this share \[-\], between 0 and 1.
    pub polish_gain: f64,

    /// Whether a step of more than `small` contacts without any impulse to start from begins with those that
    /// hold each body, from above to below, by what lies under it.
    pub cold_start: bool,

    /// Share of what the momentum of the sweeps has built up that is kept where it is dropped \[-\], from 0
    /// and less than 1: nothing in steps of at most `small` or problems of more than `wave_contacts`
    /// contacts.
    pub momentum_kept: f64,

    /// In a step of more contacts than this \[-\] sweeps look out for the long waves that carry weight
    /// through a packing: few cross a small one …
    pub wave_contacts: u32,
    /// … momentum is left alone until weight is filled in where impulses are too small by this share \[-\],
    /// between 0 and 1; else it is dropped as soon as steps grow …
    pub wave_return: f64,
    /// … and for at least so many sweeps after that \[-\], at least 1. It is dropped as well where the mean
    /// residual has not become less for as many.
    pub wave_sweeps: u32,
    /// Where forces are out of balance there, see `balance`, impulses are scaled region by region at looks so
    /// many sweeps \[-\] or more apart, at least 1 …
    pub region_sweeps: u32,
    /// … in about so many regions \[-\]; 0 for never.
    pub regions: u32,

    /// Sweeps of a problem of more than `small` and at most `wave_contacts` contacts that after so many are
    /// forecast to need `circle_forecast` times as many are taken to run in circles \[-\], at least 1: they
    /// go on from the best iterate without momentum and in an order drawn for each of them.
    pub circle_sweeps: u32,
    /// How many times as many sweeps make a circle, see `circle_sweeps` \[-\].
    pub circle_forecast: f64,
    /// Such sweeps are relaxed by this factor \[-\], greater than 0, at most 1, once more each time that they
    /// run in circles …
    pub circle_relaxation: f64,
    /// … but never by less than this \[-\], greater than 0, at most 1.
    pub circle_least: f64,
    /// Where they have run in circles so often \[-\], at least 1, a finish is due once they do so again,
    /// whatever it costs within the work left.
    pub circle_rounds: u32,

    /// Sweeps before the first thought of handing over \[-\]: most steps end before.
    pub first_handover: u32,
    /// λ of the ski rental: the sweeps hand over once they have cost this share of a finish and those
    /// forecast would cost more than it \[-\], greater than 0, at most 1. Large problems and short tries take
    /// 1.
    pub rental_share: f64,
    /// Sweeps over a saved problem whose residual has come this share of its way to the tolerance, counted in
    /// decades, hand over at the full price of a finish, as with a λ of 1 \[-\], greater than 0, at most 1.
    pub nearly_done: f64,
    /// Share of its cost at which a finish is weighed that polishing would make ready anyway \[-\], greater
    /// than 0, at most 1.
    pub sunk_share: f64,
    /// The operator is assembled and analysed once the sweeps, done and forecast, cost this many times as
    /// much \[-\].
    pub analysis_margin: f64,
    /// Short tries of the proximal point from the sweeps' iterate before the long finish, in a run with more
    /// than `small` contacts \[-\].
    pub short_tries: u32,
    /// After a short try the next comes after one in so many of the iterations so far \[-\], at least 1 …
    pub short_try_pause: u32,
    /// … and after no more than so many \[-\].
    pub longest_pause: u32,
    /// After a long finish that failed the next comes after so many times the iterations so far \[-\], at
    /// least 2.
    pub retry_factor: u32,
    /// Sweeps that are forecast not to reach the tolerance hand over after one in so many of the iterations
    /// allowed, by `max_iterations` and by the work, whatever the finish costs \[-\], at least 1.
    pub last_call: u32,
    /// A long finish may cost this many times what the sweeps left would \[-\] …
    pub overrun: f64,
    /// … and may take so many factorisations in any case \[-\].
    pub least_factorisations: u32,

    /// A step may cost so many times the median of the last thirty-one before its best iterate is taken
    /// \[-\], at least 1, or twice what the last one cost: where many steps are hard none of them is cut
    /// short for long. Work is counted in sweeps for each contact, factorisations by what they are taken to
    /// cost. Holds in runs, for problems of more than `small` contacts.
    pub work_limit: f64,
    /// … and as much as so many visits to contacts in any case \[-\], a few seconds …
    pub work_floor: f64,
    /// … or so many sweeps where these are more \[-\], at least 1.
    pub work_sweeps: u32,
    /// The last two are multiplied with this while less than five steps are known \[-\], at least 1: what
    /// starts without impulses takes longer.
    pub work_first: f64,

    /// Residual below which a long finish begins with the proximal point \[-\], greater than 0.
    pub near: f64,
    /// Most factorisations of that beginning \[-\].
    pub near_factorisations: u32,
    /// Most factorisations of a short try \[-\].
    pub short_factorisations: u32,
    /// Most factorisations along the plain path of the interior point, which takes 15 where it succeeds
    /// \[-\].
    pub interior_factorisations: u32,
    /// Rounds of sweeps in random order with a bold try of Newton's method after each, where cones are too
    /// wide for the interior point \[-\] …
    pub shuffled_rounds: u32,
    /// … of so many sweeps \[-\] …
    pub shuffled_sweeps: u32,
    /// … and at most so many factorisations each \[-\].
    pub bold_factorisations: u32,
    /// Convex problems, each with De Saxcé's shift as the solution of the last one has it, where the plain
    /// path comes to a halt or cones are too wide for it \[-\] …
    pub fixed_point_problems: u32,
    /// … and their most factorisations in all, those of what begins at their solutions included \[-\].
    pub fixed_point_factorisations: u32,
    /// In a saved problem whose contacts are so many times as compliant as each other \[-\], greater than 0,
    /// a path of the interior point whose shift lags one step behind follows on the plain one …
    pub lagged_spread: f64,
    /// … which goes no further while the shift changes by more than so many times the root of the mean
    /// product, the size of what changes from step to step of a path that is followed well \[-\], greater
    /// than 0 …
    pub lagged_calm: f64,
    /// … from which the exact path, below its folds, is tried once the mean product is less than this \[-\],
    /// greater than 0 …
    pub lagged_exact: f64,
    /// … and its most factorisations, those of what begins on its way included \[-\].
    pub lagged_factorisations: u32,
    /// Where all came to a halt there, more such paths are followed, with the product of each contact
    /// weighted by the compliance of the stiffest over its own, to these powers \[-\], each from -1 to 1:
    /// above 0 light bodies come before heavy ones, below it after them …
    pub lagged_tilts: [f64; 2],
    /// … for so many factorisations each \[-\]. Where impulses are nearer than `near` …
    pub tilted_factorisations: u32,
    /// … light bodies are mended before the first and after each of them: so many rounds \[-\] …
    pub mended_rounds: u32,
    /// … of so many accelerated sweeps \[-\] …
    pub mended_sweeps: u32,
    /// … and at most so many factorisations of the proximal point \[-\].
    pub mended_factorisations: u32,
    /// Most factorisations along its smooth path, folds included \[-\].
    pub smooth_factorisations: u32,
    /// Steps of the splitting \[-\].
    pub splitting_steps: u32,
    /// Steps of the splitting in large problems \[-\].
    pub splitting_steps_large: u32,
    /// Most factorisations of the proximal point after the splitting \[-\].
    pub splitting_factorisations: u32,
    /// More contacts than this and a problem is large \[-\]: the splitting takes the place of the interior
    /// point, whose path then folds more often than not …
    pub large: u32,
    /// … unless the problem is slender, as towers are: its contacts have at least so many times the unknowns
    /// of its bodies \[-\], greater than 0, and a factorisation costs no more than `contact_multiplications`
    /// for each contact. The interior point then comes first, without short tries.
    pub overdetermined: f64,

    /// Sparse columns L with `W = L Lᵀ` are looked for in a saved W of so many blocks a row on average, or
    /// more \[-\] …
    pub span_blocks: u32,
    /// … and the second-order methods factor in their space where their numbers are no more than this share
    /// of those of W \[-\], greater than 0, at most 1, …
    pub span_share: f64,
    /// … and give W back to this, relative to its diagonal \[-\], between 0 and 1.
    pub span_exact: f64,

    /// Most contacts of the second-order solvers and of `admm` \[-\]: to analyse the pattern of more takes
    /// longer than it is worth.
    pub most_contacts: u32,
    /// Most multiplications of one factorisation \[-\]: about a second.
    pub most_multiplications: f64,

    /// Factorisations that a finish is taken to need \[-\].
    pub usual_factorisations: f64,
    /// Solutions with the factors for each of them \[-\].
    pub solutions_per_factorisation: f64,
    /// Multiplications for each contact that go with a factorisation of a slender problem or a saved one
    /// \[-\], greater than 0.
    pub contact_multiplications: f64,
    /// Time of one multiplication in a factorisation \[ns\].
    pub multiplication_ns: f64,
    /// Time to assemble and analyse the operator, for each contact \[ns\].
    pub analysis_ns: f64,
    /// Time of one visit of a contact in a sweep contact by contact, times the square of the dimension
    /// \[ns\].
    pub scalar_visit_ns: f64,
    /// Time of one visit of a contact in a sweep in lanes, times the dimension \[ns\].
    pub lane_visit_ns: f64,
    /// … and of eight blocks of assembled rows beside that, times the square of the dimension \[ns\].
    pub lane_block_ns: f64,
}

impl Default for AutoParams {
    fn default() -> Self {
        Self {
            small: 256,
            crowded: 6,
            guess_margin: 1e-3,
            polish_residual: 1e-10,
            polish_band: 2.0,
            polish_factorisations: 40,
            polish_multiplications: 5e3,
            balance: 0.02,
            balance_sweeps: 200,
            polish_sweeps: 20,
            polish_gain: 0.05,
            cold_start: true,
            momentum_kept: 0.4,
            wave_contacts: 20_000,
            wave_return: 0.05,
            wave_sweeps: 40,
            region_sweeps: 40,
            regions: 256,
            circle_sweeps: 500,
            circle_forecast: 5.0,
            circle_relaxation: 0.65,
            circle_least: 0.1,
            circle_rounds: 4,
            first_handover: 60,
            rental_share: 0.2,
            nearly_done: 0.75,
            sunk_share: 0.2,
            analysis_margin: 2.0,
            short_tries: 3,
            short_try_pause: 3,
            longest_pause: 500,
            retry_factor: 4,
            last_call: 3,
            overrun: 3.0,
            least_factorisations: 400,
            work_limit: 20.0,
            work_floor: 1e8,
            work_sweeps: 500,
            work_first: 10.0,
            near: 1e-4,
            near_factorisations: 12,
            short_factorisations: 60,
            interior_factorisations: 90,
            shuffled_rounds: 5,
            shuffled_sweeps: 100,
            bold_factorisations: 40,
            fixed_point_problems: 10,
            fixed_point_factorisations: 400,
            lagged_spread: 1e3,
            lagged_calm: 1.0,
            lagged_exact: 1e-3,
            lagged_factorisations: 800,
            lagged_tilts: [0.25, -0.5],
            tilted_factorisations: 400,
            mended_rounds: 6,
            mended_sweeps: 500,
            mended_factorisations: 25,
            smooth_factorisations: 300,
            splitting_steps: 3000,
            splitting_steps_large: 6000,
            splitting_factorisations: 60,
            large: 1000,
            overdetermined: 3.0,
            span_blocks: 12,
            span_share: 1.0,
            span_exact: 1e-9,
            most_contacts: 100_000,
            most_multiplications: 5e9,
            usual_factorisations: 20.0,
            solutions_per_factorisation: 8.0,
            contact_multiplications: 5e3,
            multiplication_ns: 0.4,
            analysis_ns: 5000.0,
            scalar_visit_ns: 12.0,
            lane_visit_ns: 7.0,
            lane_block_ns: 1.0,
        }
    }
}

/// A parameter out of its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfRange {
    /// Its name.
    pub name: &'static str,
    /// What was given.
    pub value: f64,
    /// What may be given.
    pub allowed: &'static str,
}

/// Costs and factors beyond this say nothing any more, and their products must not overflow.
const LARGEST: f64 = 1e12;

impl AutoParams {
    /// The parameters that are out of their ranges.
    pub fn out_of_range(&self) -> Vec<OutOfRange> {
        let margin = |x: f64| 0.0 < x && x < 1.0;
        let share = |x: f64| 0.0 < x && x <= 1.0;
        let cost = |x: f64| 0.0 < x && x <= LARGEST;
        let least = |count: u32, least: u32| (f64::from(count), count >= least);
        let number = |x: f64, range: &dyn Fn(f64) -> bool| (x, range(x));
        let worst = |tilts: &[f64]| {
            let wrong = tilts.iter().copied().find(|tilt| !(-1.0..=1.0).contains(tilt));
            (wrong.unwrap_or_default(), wrong.is_none())
        };
        const MARGIN: &str = "greater than 0 and less than 1";
        const SHARE: &str = "greater than 0 and at most 1";
        const COST: &str = "greater than 0 and at most 1e12";
        let checks = [
            ("crowded", least(self.crowded, 1), "at least 1"),
            ("guess_margin", number(self.guess_margin, &margin), MARGIN),
            ("polish_residual", number(self.polish_residual, &margin), MARGIN),
            ("polish_band", number(self.polish_band, &|x| (1.0..=LARGEST).contains(&x)), "from 1 to 1e12"),
            ("polish_multiplications", number(self.polish_multiplications, &cost), COST),
            ("balance", number(self.balance, &margin), MARGIN),
            ("polish_gain", number(self.polish_gain, &margin), MARGIN),
            (
                "momentum_kept",
                number(self.momentum_kept, &|x| (0.0..1.0).contains(&x)),
                "at least 0 and less than 1",
            ),
            ("wave_return", number(self.wave_return, &margin), MARGIN),
            ("wave_sweeps", least(self.wave_sweeps, 1), "at least 1"),
            ("region_sweeps", least(self.region_sweeps, 1), "at least 1"),
            ("circle_sweeps", least(self.circle_sweeps, 1), "at least 1"),
            ("circle_forecast", number(self.circle_forecast, &cost), COST),
            ("circle_relaxation", number(self.circle_relaxation, &share), SHARE),
            ("circle_least", number(self.circle_least, &share), SHARE),
            ("circle_rounds", least(self.circle_rounds, 1), "at least 1"),
            ("rental_share", number(self.rental_share, &share), SHARE),
            ("nearly_done", number(self.nearly_done, &share), SHARE),
            ("sunk_share", number(self.sunk_share, &share), SHARE),
            ("analysis_margin", number(self.analysis_margin, &cost), COST),
            ("short_try_pause", least(self.short_try_pause, 1), "at least 1"),
            ("retry_factor", least(self.retry_factor, 2), "at least 2"),
            ("last_call", least(self.last_call, 1), "at least 1"),
            ("overrun", number(self.overrun, &cost), COST),
            ("work_limit", number(self.work_limit, &|x| (1.0..=LARGEST).contains(&x)), "from 1 to 1e12"),
            ("work_floor", number(self.work_floor, &cost), COST),
            ("work_sweeps", least(self.work_sweeps, 1), "at least 1"),
            ("work_first", number(self.work_first, &|x| (1.0..=LARGEST).contains(&x)), "from 1 to 1e12"),
            ("near", number(self.near, &cost), COST),
            ("lagged_spread", number(self.lagged_spread, &cost), COST),
            ("lagged_tilts", worst(&self.lagged_tilts), "from -1 to 1"),
            ("lagged_calm", number(self.lagged_calm, &cost), COST),
            ("lagged_exact", number(self.lagged_exact, &cost), COST),
            ("overdetermined", number(self.overdetermined, &cost), COST),
            ("span_share", number(self.span_share, &share), SHARE),
            ("span_exact", number(self.span_exact, &margin), MARGIN),
            ("most_multiplications", number(self.most_multiplications, &cost), COST),
            ("usual_factorisations", number(self.usual_factorisations, &cost), COST),
            ("solutions_per_factorisation", number(self.solutions_per_factorisation, &cost), COST),
            ("contact_multiplications", number(self.contact_multiplications, &cost), COST),
            ("multiplication_ns", number(self.multiplication_ns, &cost), COST),
            ("analysis_ns", number(self.analysis_ns, &cost), COST),
            ("scalar_visit_ns", number(self.scalar_visit_ns, &cost), COST),
            ("lane_visit_ns", number(self.lane_visit_ns, &cost), COST),
            ("lane_block_ns", number(self.lane_block_ns, &cost), COST),
        ];
        let wrong = checks.into_iter().filter(|(_, (_, fine), _)| !fine);
        wrong.map(|(name, (value, _), allowed)| OutOfRange { name, value, allowed }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_within_their_ranges() {
        assert_eq!(AutoParams::default().out_of_range(), []);
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let lagged_tilts = [0.5, 2.0];
        let wrong = AutoParams {
            rental_share: 0.0,
            last_call: 0,
            near: f64::NAN,
            lagged_tilts,
            ..AutoParams::default()
        };
        let names: Vec<_> = wrong.out_of_range().iter().map(|wrong| wrong.name).collect();
        assert_eq!(names, ["rental_share", "last_call", "near", "lagged_tilts"]);
        assert_eq!(wrong.out_of_range()[3].value, 2.0);
        assert_eq!(wrong.out_of_range()[0].allowed, "greater than 0 and at most 1");
    }
}
