//! The one figure that judges every solver.

use crate::pieces::{PIECE, in_pieces};
use crate::work_gap::GapSums;
use crate::{Delassus, Problem, Scale, Set, Vector, WorkGap};
use std::ops::Range;

/// How far an iterate is from a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// The natural map at the worst contact, relative to the typical impulse; see [`residual`].
    pub relative: f64,
    /// The root of the mean of its squares over all contacts, relative to the same.
    pub mean: f64,
    /// The worst contact.
    pub worst: Option<usize>,
    /// How far the impulses are from being in balance, where that was asked.
    pub gap: Option<WorkGap>,
}

/// Which figure a solver is to bring down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Measure {
    /// The one residual of Drystone, [`residual`].
    #[default]
    Relative,
    /// The root of the mean square of the same errors, or the worst of them over [`WORST_OVER_MEAN`] where
    /// that is more: for packings and flows, where a few contacts on the edge of their laws take most of the
    /// sweeps and change nothing that anybody sees.
    Mean,
    /// The error of Siconos, [`siconos_error`], or the residual of Drystone over `agreement` where that is
    /// more: for comparisons on saved problems. The error alone depends on units and is divided by the
    /// impulses, so that it vanishes where these run away.
    Siconos {
        /// How many times the tolerance the residual of Drystone may be, usually [`AGREEMENT`] \[-\].
        agreement: f64,
    },
}

impl Measure {
    /// Judges an iterate.
    pub fn judge<const D: usize, W: Delassus<D>>(
        self,
        problem: &Problem<D, W>,
        u: &[Vector<D>],
        r: &[Vector<D>],
    ) -> Residual {
        self.judge_beside(problem, u, r, asked_impulse(problem))
    }

    /// The same where it is known what [the contacts ask for](asked_impulse).
    pub fn judge_beside<const D: usize, W: Delassus<D>>(
        self,
        problem: &Problem<D, W>,
        u: &[Vector<D>],
        r: &[Vector<D>],
        asked: f64,
    ) -> Residual {
        let own = residual_beside(problem, u, r, asked);
        match self {
            Measure::Relative | Measure::Mean => self.of(own),
            Measure::Siconos { agreement } => {
                let relative = siconos_error(problem, u, r).max(own.relative / agreement);
                Residual { relative, ..own }
            }
        }
    }

    /// Whether it is asked of a saved problem, which no other step follows.
    pub fn is_of_saved(self) -> bool {
        matches!(self, Measure::Siconos { .. })
    }

    /// The figure of an iterate that was judged by [`residual`], where it follows from that.
    pub fn of(self, own: Residual) -> Residual {
        match self {
            Measure::Relative | Measure::Siconos { .. } => own,
            Measure::Mean => Residual { relative: own.mean.max(own.relative / WORST_OVER_MEAN), ..own },
        }
    }
}

/// With [`Measure::Mean`] the worst contact may be so many times as wrong as the tolerance.
pub const WORST_OVER_MEAN: f64 = 30.0;

/// The residual of Drystone, of the worst contact, may be so many times the error of Siconos, a mean over all
/// contacts, of a problem that counts as solved.
pub const AGREEMENT: f64 = 100.0;

/// Impulses found count up to so many times the impulses asked for. A pile of a thousand layers carries a
/// thousand times what its lowest contact alone would ask for; more is a solver running away along impulses
/// that balance each other, where no solution exists, and must not pass for convergence.
const LARGEST_AMPLIFICATION: f64 = 1e3;

/// Impulses beyond so many times those asked for are no guess worth keeping.
const EXCESS: f64 = 1e6;

/// Rounding of the impulses found and of the velocities they answer to, below which an error means nothing.
pub const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The residual of `(u, r)`, without units and the same in metres and millimetres: the error of the worst
/// contact relative to the typical impulse,
///
/// `e = max_α ε_α / max(rms ‖r_α‖, rms ‖P(−û_free,α/d_α)‖)`, `ε_α = ‖r_α − P(r_α − û_α/d_α)‖`,
///
/// every impulse weighted by `√d_α`, `d_α = tr W_αα / D` (see [`Scale`]), which makes its square an energy;
/// `û` is De Saxcé's shifted velocity and the means run over the contacts where the impulse is not zero. The
/// numerator is the natural map of each set and vanishes exactly at solutions of Signorini–Coulomb and of the
/// other laws. It is a maximum, so that ten thousand contacts at rest do not excuse one that sinks in. The
/// denominator is the larger of the impulses found, up to [`LARGEST_AMPLIFICATION`], and the impulses the
/// contacts would ask for one by one: it does not grow with the speed of sliding, so that a fast conveyor
/// does not excuse a poor normal force. An iterate with a number that is not finite has an infinite residual.
#[doc(alias = "natural map")]
#[doc(alias = "error")]
pub fn residual<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    u: &[Vector<D>],
    r: &[Vector<D>],
) -> Residual {
    residual_beside(problem, u, r, asked_impulse(problem))
}

/// The same where it is known what [the contacts ask for](asked_impulse), which is the same for all iterates.
pub fn residual_beside<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    u: &[Vector<D>],
    r: &[Vector<D>],
    asked: f64,
) -> Residual {
    let sums = in_pieces(problem.contacts(), |piece| Sums::over(problem, u, r, piece), Sums::add);
    let Sums { worst, squares, found, gap, broken } = sums;
    if broken {
        return Residual {
            relative: f64::INFINITY,
            mean: f64::INFINITY,
            worst: worst.1,
            ..Residual::default()
        };
    }
    let relative = |error: f64| relative_error(error, found.root(), asked);
    let mean = (squares / problem.contacts().max(1) as f64).sqrt();
    Residual {
        relative: relative(worst.0.sqrt()),
        mean: relative(mean),
        worst: worst.1,
        gap: Some(gap.gap()),
    }
}

/// The residual of some contacts on its way.
#[derive(Default)]
struct Sums {
    worst: (f64, Option<usize>),
    squares: f64,
    found: MeanSquare,
    gap: GapSums,
    /// Whether something is not a number.
    broken: bool,
}

impl Sums {
    fn over<const D: usize, W: Delassus<D>>(
        problem: &Problem<D, W>,
        u: &[Vector<D>],
        r: &[Vector<D>],
        contacts: Range<usize>,
    ) -> Self {
        let mut sums = Self::default();
        for alpha in contacts {
            let set = &problem.sets[alpha];
            let scale = Scale::new(&problem.w.block(alpha), set);
            let here = square_of(&scale, set, &u[alpha], &r[alpha]);
            // a map may well answer to a number that is none
            sums.broken |= !here.is_finite() || !is_finite(&u[alpha], &r[alpha]);
            if here > sums.worst.0 {
                sums.worst = (here, Some(alpha));
            }
            sums.squares += here;
            sums.gap.add(set, &u[alpha], &problem.u_free[alpha], &r[alpha]);
            sums.found.add(found_square(set, &scale, &r[alpha]));
        }
        sums
    }

    fn add(&mut self, other: Self) {
        if other.worst.0 > self.worst.0 {
            self.worst = other.worst;
        }
        self.squares += other.squares;
        self.found.merge(other.found);
        self.gap.merge(&other.gap);
        self.broken |= other.broken;
    }
}

/// Whether every component is a number, and their sum.
#[inline]
fn is_finite<const D: usize>(u: &Vector<D>, r: &Vector<D>) -> bool {
    (0..D).fold(0.0, |sum, i| sum + (u[i] + r[i])).is_finite()
}

/// Square of the error of a contact, weighted. A contact that slides without pushing is on the edge of its
/// law: what the rounding of its own velocity makes of that is no error, or where nothing pushes it would be
/// the whole of the residual.
pub fn square_of<const D: usize>(scale: &Scale, set: &Set, u: &Vector<D>, r: &Vector<D>) -> f64 {
    let d = scale.compliance;
    let square = d * scale.natural_map(set, u, r).norm_squared();
    if square <= ROUNDING * ROUNDING * u.norm_squared() / d { 0.0 } else { square }
}

/// Whether impulses are out of all proportion to what the contacts ask for one by one: impulses that balance
/// each other and that nothing asks for. Light bodies below heavy ones may rightly carry many thousand times
/// what they ask for.
pub fn is_excess<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>, r: &[Vector<D>]) -> bool {
    let found = MeanSquare::over(problem.contacts(), |alpha| {
        let set = &problem.sets[alpha];
        found_square(set, &Scale::new(&problem.w.block(alpha), set), &r[alpha])
    });
    // what all contacts ask for is no less than what the first ones do, spread over all of them
    let first = 0..problem.contacts().min(PIECE);
    let squares: f64 = first.map(|alpha| asked_square(problem, alpha)).filter(|&square| square > 0.0).sum();
    let least = (squares / problem.contacts().max(1) as f64).sqrt();
    found > EXCESS * least && found > EXCESS * asked_impulse(problem)
}

/// The error relative to the impulses found and asked for; see [`residual`].
pub fn relative_error(error: f64, found: f64, asked: f64) -> f64 {
    if error <= ROUNDING * found {
        return error / found.max(f64::MIN_POSITIVE);
    }
    let found = if asked > 0.0 { found.min(LARGEST_AMPLIFICATION * asked) } else { found };
    error / found.max(asked)
}

/// The mean impulse that the contacts would ask for one by one, `rms ‖P(−û_free,α/d_α)‖`; see [`residual`].
pub fn asked_impulse<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>) -> f64 {
    MeanSquare::over(problem.contacts(), |alpha| asked_square(problem, alpha))
}

/// Square of the impulse that a contact alone would ask for, weighted.
fn asked_square<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>, alpha: usize) -> f64 {
    let set = &problem.sets[alpha];
    let scale = Scale::new(&problem.w.block(alpha), set);
    square_of(&scale, set, &problem.u_free[alpha], &Vector::zeros())
}

/// Square of an impulse, weighted.
fn found_square<const D: usize>(set: &Set, scale: &Scale, r: &Vector<D>) -> f64 {
    scale.compliance * r.component_mul(&scale.levers(set)).norm_squared()
}

/// Mean of squares over the entries that are not zero.
#[derive(Default)]
struct MeanSquare {
    sum: f64,
    count: u32,
}

impl MeanSquare {
    /// The root of the mean over all contacts.
    fn over(contacts: usize, square: impl Fn(usize) -> f64 + Sync) -> f64 {
        let of = |piece: Range<usize>| {
            let mut sum = Self::default();
            piece.for_each(|alpha| sum.add(square(alpha)));
            sum
        };
        let sum = in_pieces(contacts, of, Self::merge);
        sum.root()
    }

    fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.count += other.count;
    }

    fn add(&mut self, square: f64) {
        if square > 0.0 {
            self.sum += square;
            self.count += 1;
        }
    }

    fn root(&self) -> f64 {
        (self.sum / self.count.max(1) as f64).sqrt()
    }
}

/// The error users of FCLIB and Siconos know: `√Σ‖r − P(r − û)‖² / max(‖u_free‖, ‖r‖, ‖u‖)`. It depends on
/// units.
pub fn siconos_error<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    u: &[Vector<D>],
    r: &[Vector<D>],
) -> f64 {
    let (mut error, mut sizes, mut finite) = (0.0, [0.0; 3], true);
    for (alpha, (u, r)) in u.iter().zip(r).enumerate() {
        error += problem.sets[alpha].natural_map(1.0, u, r).norm_squared();
        let squares = [&problem.u_free[alpha], r, u].map(|x| x.norm_squared());
        sizes.iter_mut().zip(squares).for_each(|(size, square)| *size += square);
        finite &= is_finite(u, r);
    }
    let size = sizes.into_iter().fold(0.0, f64::max).sqrt();
    let relative = if error == 0.0 { 0.0 } else { error.sqrt() / size };
    if relative.is_nan() || !finite { f64::INFINITY } else { relative }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Blocks, Matrix};
    use drystone_math::BlockRows;

    fn one_contact(w: Matrix<3, 3>, u_free: Vector<3>, mu: f64) -> Problem<3, Blocks<3>> {
        let rows = BlockRows::from_triplets(1, vec![(0, 0, w)]);
        Problem { w: Blocks::new(rows), u_free: vec![u_free], sets: vec![Set::Coulomb { mu }] }
    }

    #[test]
    fn zero_at_a_solution_and_free_of_units() {
        let w = Matrix::<3, 3>::identity() * 2.0;
        let problem = one_contact(w, Vector::<3>::new(-4.0, 0.6, 0.8), 0.5);
        let r = vec![Vector::<3>::new(2.0, -0.3, -0.4)];
        let u = problem.velocities(&r);
        assert!(residual(&problem, &u, &r).relative < 1e-15);
        // a wrong impulse, in metres and in millimetres (velocity × 1e3, impulse × 1e-2)
        let wrong = vec![Vector::<3>::new(1.5, 0.0, 0.0)];
        let error = residual(&problem, &problem.velocities(&wrong), &wrong).relative;
        let other = one_contact(w * 1e5, Vector::<3>::new(-4.0, 0.6, 0.8) * 1e3, 0.5);
        let wrong = vec![Vector::<3>::new(1.5e-2, 0.0, 0.0)];
        let rescaled = residual(&other, &other.velocities(&wrong), &wrong).relative;
        assert!(error > 0.1 && (error - rescaled).abs() < 1e-14);
    }

    #[test]
    fn a_contact_that_slides_without_pushing_is_no_error() {
        // two disks once parted: the normal velocity is rounding, the sliding is not
        for (normal, wrong) in [(4.2e-31, false), (-4e-16, false), (-1e-9, true)] {
            let u_free = Vector::<3>::new(normal, -1.953592849863911, 0.3);
            let problem = one_contact(Matrix::identity() * 3.0, u_free, 1.3);
            let r = vec![Vector::<3>::zeros()];
            let error = residual(&problem, &problem.velocities(&r), &r).relative;
            assert_eq!(error > 0.5, wrong, "{error} at {normal}");
        }
    }

    #[test]
    fn impulses_that_nothing_asks_for_are_in_excess() {
        let problem = one_contact(Matrix::identity(), Vector::<3>::new(-1e-6, 0.0, 0.0), 0.5);
        let excess = |normal: f64| is_excess(&problem, &[Vector::<3>::new(normal, 0.0, 0.0)]);
        assert!(excess(1.1) && !excess(0.9) && !excess(0.0));
    }

    #[test]
    fn sliding_speed_does_not_dilute_it() {
        // half of the weight missing is half of the weight missing, at 1 m/s and at 1 km/s
        for speed in [1.0, 1000.0] {
            let problem = one_contact(Matrix::identity(), Vector::<3>::new(-0.01, speed, 0.0), 0.5);
            let r = vec![Vector::<3>::new(0.005, -0.0025, 0.0)];
            let error = residual(&problem, &problem.velocities(&r), &r).relative;
            assert!(error > 0.3, "{error} at {speed}");
        }
    }

    #[test]
    fn running_away_does_not_pass_for_convergence() {
        // two contacts squeeze a body that cannot move: equal impulses balance each other, however large
        let block = |x: f64| Matrix::<2, 2>::new(x, 0.0, 0.0, 1.0);
        let triplets = vec![(0, 0, block(1.0)), (0, 1, block(-1.0)), (1, 0, block(-1.0)), (1, 1, block(1.0))];
        let problem = Problem {
            w: Blocks::new(BlockRows::from_triplets(2, triplets)),
            u_free: vec![Vector::<2>::new(-1.0, 0.0), Vector::<2>::new(-1.0, 0.0)],
            sets: vec![Set::Coulomb { mu: 0.0 }; 2],
        };
        for size in [1.0, 1e6, 1e12] {
            let r = vec![Vector::<2>::new(size, 0.0); 2];
            let error = residual(&problem, &problem.velocities(&r), &r).relative;
            assert!(error > 5e-4, "{error} at {size}");
        }
    }

    #[test]
    fn broken_numbers_are_infinitely_wrong() {
        let sets = [
            Set::Coulomb { mu: 0.5 },
            Set::Orowan { mu: 0.5, cap: 1.0 },
            Set::Tresca { cap: 1.0 },
            Set::Bilateral { rows: 1 },
            Set::Rolling { mu: 0.5, rolling: 0.1, twisting: None, sliding: 1 },
        ];
        for set in sets {
            for component in 0..3 {
                let mut u_free = Vector::<3>::new(-1.0, 0.1, 0.2);
                u_free[component] = f64::NAN;
                let mut problem = one_contact(Matrix::identity(), u_free, 0.5);
                problem.sets[0] = set;
                let r = vec![Vector::<3>::zeros()];
                assert_eq!(residual(&problem, &problem.velocities(&r), &r).relative, f64::INFINITY);
                assert_eq!(siconos_error(&problem, &problem.velocities(&r), &r), f64::INFINITY);
            }
        }
    }

    #[test]
    fn a_moment_in_other_units_is_the_same_moment() {
        // metres and millimetres: forces stay, moments and rolling coefficients grow, spins stay, speeds grow
        let w = Matrix::<3, 3>::new(2.0, 0.3, 0.1, 0.3, 1.5, -0.2, 0.1, -0.2, 40.0);
        let (u_free, r) = (Vector::<3>::new(-1.0, 0.4, 6.0), Vector::<3>::new(0.4, -0.1, -0.02));
        let error = |length: f64| {
            let units = Vector::<3>::new(length.sqrt(), length.sqrt(), length.powf(-0.5));
            let mut problem =
                one_contact(w.component_mul(&(units * units.transpose())), u_free.component_mul(&units), 0.5);
            problem.sets[0] = Set::Rolling { mu: 0.3, rolling: 0.05 * length, twisting: None, sliding: 1 };
            let r = vec![r.component_div(&units)];
            residual(&problem, &problem.velocities(&r), &r).relative
        };
        assert!(error(1.0) > 0.1 && (error(1.0) - error(1e3)).abs() < 1e-13 * error(1.0));
    }

    /// Whoever asks, the first contacts or the last ones, what is excess is told by all of them.
    #[test]
    fn excess_is_told_by_all_contacts() {
        let contacts = PIECE + 1000;
        let rows = BlockRows::from_triplets(
            contacts,
            (0..contacts as u32).map(|alpha| (alpha, alpha, Matrix::<3, 3>::identity())).collect(),
        );
        for asking in [0..10, contacts - 10..contacts] {
            let u_free = |alpha: usize| Vector::<3>::x() * -f64::from(u8::from(asking.contains(&alpha)));
            let problem = Problem {
                w: Blocks::new(rows.clone()),
                u_free: (0..contacts).map(u_free).collect(),
                sets: vec![Set::Coulomb { mu: 0.5 }; contacts],
            };
            assert!((asked_impulse(&problem) - 1.0).abs() < 1e-12);
            for (size, excess) in [(1.0, false), (0.99 * EXCESS, false), (1.01 * EXCESS, true)] {
                let r = vec![Vector::<3>::x() * size; contacts];
                assert_eq!(is_excess(&problem, &r), excess, "{size:e} {asking:?}");
            }
        }
    }
}
