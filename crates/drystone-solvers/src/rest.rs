//! Equilibrium of a part of a problem: impulses inside their sets that hold every body of it, found by a cone
//! program. Decides nothing: which part is at rest, and what becomes of the answer, is the caller's.
//!
//! Coulomb's law is not associated, so that a step from rest may have a solution with motion beside one
//! without: the second is found here, whatever a solver comes to.

mod interior;
mod normal_equations;
mod polish;
mod program;

use drystone_problem::{Condensed, Monitor, Problem, Vector};
use interior::Answer;
use polish::polished;
use program::Program;

/// Tolerance of the programs; what they leave is mended afterwards.
const TOLERANCE: f64 = 1e-11;

/// Error of balance, relative to the largest load and the largest impulse, that impulses brought to it may
/// keep.
const BALANCED: f64 = 1e-12;

/// Borders crossed by less than this, in units of the largest load, count as kept: the caller judges the
/// impulses by the one residual in any case.
const MARGIN: f64 = 1e-9;

/// A part of a problem that is to stand still.
#[derive(Clone, Copy)]
pub struct Part<'a, const D: usize> {
    /// The whole problem.
    pub problem: &'a Problem<D, Condensed<D>>,
    /// Generalised velocities of the bodies of the problem without any impulse in the variables of the sets
    /// \[m/s, rad/s\].
    pub free: &'a [f64],
    /// The bodies of the part, in increasing order, rigid ones: spins come behind the `D` velocities. Of each
    /// every component that can move is to be held.
    pub bodies: &'a [usize],
    /// The rows whose velocity vanishes while the part stands still, in increasing order: no others carry an
    /// impulse.
    pub rows: &'a [usize],
    /// Rows whose threshold is not that of their set but a factor \[m or none\] times the normal impulse of
    /// another row of the part: row, other row, factor, by increasing rows.
    pub followed: &'a [(usize, usize, f64)],
    /// Who may interrupt the program, which is then left undecided.
    pub monitor: &'a Monitor,
}

/// Whether a part of a problem can stand still.
#[derive(Clone, Debug, PartialEq)]
pub enum Equilibrium<const D: usize> {
    /// It can, with these impulses of its rows \[N s\], in their order.
    Found(Vec<Vector<D>>),
    /// No admissible impulses hold it.
    None,
    /// The program came to no end.
    Undecided,
}

/// Brings impulses of the rows of a part to balance by small changes that leave those on a border on it and
/// put those there that would cross it; none where that comes to no end. Loads that change little change an
/// equilibrium like that, and a few factorisations are enough.
pub fn rebalanced<const D: usize>(part: &Part<D>, near: &[Vector<D>]) -> Option<Vec<Vector<D>>> {
    let program = Program::new(part)?;
    let (error, x) = polish::rebalanced(&program, program.unknowns_of(near), BALANCED);
    (error <= BALANCED).then(|| program.impulses(part, &x))
}

/// Looks for the equilibrium with the least sum of squares of all impulses, moments divided by the
/// longest arm,
///
/// `min ½ Σ ‖r_α‖²` with `Hᵀ r = −M v_free` on the bodies of the part and `r_α` admissible in its set,
///
/// which is unique, and so the same however contacts are numbered: equally stiff springs would choose it.
/// That any such impulses prove that the part can stand, exact Coulomb or not, is the static theorem of limit
/// analysis (Livesley 1978 for rigid blocks); that moving may be possible all the same, Moreau 2006 shows.
pub fn equilibrium<const D: usize>(part: &Part<D>) -> Equilibrium<D> {
    let Some(program) = Program::new(part) else { return Equilibrium::Undecided };
    if program.right.iter().all(|&b| b == 0.0) {
        return Equilibrium::Found(vec![Vector::zeros(); part.rows.len()]);
    }
    if program.unknowns.is_empty() {
        return Equilibrium::None;
    }
    let found = |x: Vec<f64>| Equilibrium::Found(program.impulses(part, &polished(&program, x)));
    match program.solve(TOLERANCE, part.monitor) {
        Answer::Point(x) => return found(x),
        Answer::Infeasible => return Equilibrium::None,
        Answer::Unknown => {}
    }
    // too near the limit of equilibrium to tell its sides apart like that
    match program.violation(TOLERANCE, part.monitor) {
        Some((violation, _)) if violation > MARGIN => Equilibrium::None,
        Some((_, x)) => found(x),
        None => Equilibrium::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_problem::{Compliances, Delassus, Matrix, PairRow, Set};

    /// A column of boxes of mass 1, two wide and one high, each on two points, with friction 0.5: the problem
    /// and the free velocities under a unit weight and a push aside.
    fn column(boxes: usize, aside: f64) -> (Problem<2, Condensed<2>>, Vec<f64>) {
        let row = |k: usize, x: f64| {
            let h = |sign: f64, y: f64| Matrix::<2, 3>::new(0.0, sign, sign * x, sign, 0.0, -sign * y);
            let below = if k == 0 { boxes } else { k - 1 };
            PairRow::new([k as u32, below as u32], [h(1.0, -0.5), h(-1.0, 0.5)])
        };
        let rows: Vec<PairRow<2>> = (0..boxes).flat_map(|k| [row(k, -1.0), row(k, 1.0)]).collect();
        let masses = (0..=boxes).map(|body| if body < boxes { [1.0, 1.0, 2.0] } else { [0.0; 3] });
        let w = Condensed::new(&rows, Compliances::diagonal(masses));
        let free: Vec<f64> =
            (0..=boxes).flat_map(|body| if body < boxes { [aside, -1.0, 0.0] } else { [0.0; 3] }).collect();
        let u_free = (0..rows.len()).map(|row| w.relative(row, &free)).collect();
        let sets = vec![Set::Coulomb { mu: 0.5 }; rows.len()];
        (Problem { w, u_free, sets }, free)
    }

    /// Calls with the column as a part that is to stand.
    fn standing<T>(boxes: usize, aside: f64, then: impl Fn(&Part<2>) -> T) -> T {
        let (problem, free) = column(boxes, aside);
        let (bodies, rows): (Vec<usize>, Vec<usize>) = ((0..boxes).collect(), (0..2 * boxes).collect());
        let monitor = Monitor::default();
        then(&Part {
            problem: &problem,
            free: &free,
            bodies: &bodies,
            rows: &rows,
            followed: &[],
            monitor: &monitor,
        })
    }

    /// Largest speed that impulses leave, and whether all of them are within their cones.
    fn left(part: &Part<2>, r: &[Vector<2>]) -> (f64, bool) {
        let carried = part.problem.w.carry(r);
        let speed = carried.iter().zip(part.free).map(|(v, free)| (v + free).abs()).fold(0.0, f64::max);
        (speed, r.iter().all(|r| r[1].abs() <= 0.5 * r[0] + 1e-14))
    }

    #[test]
    fn an_equilibrium_follows_loads_that_change_little() {
        let near = standing(12, 0.02, |part| match equilibrium(part) {
            Equilibrium::Found(r) => {
                let (speed, admissible) = left(part, &r);
                assert!(speed < 1e-13 && admissible, "{speed}");
                r
            }
            other => panic!("{other:?}"),
        });
        standing(12, 0.025, |part| {
            let found = rebalanced(part, &near).expect("no border is near");
            let (speed, admissible) = left(part, &found);
            assert!(speed < 1e-12 && admissible, "{speed}");
            // moments about the floor: the push of all boxes at six, their weight at the middle
            let floor = &found[..2];
            assert!((floor[0][0] + floor[1][0] - 12.0).abs() < 1e-12);
            assert!((floor[1][0] - floor[0][0] - 12.0 * 0.025 * 6.0).abs() < 1e-11, "{floor:?}");
        });
        // from 1/6 on the column tips over: one foot would have to pull
        standing(12, 0.17, |part| {
            assert_eq!(rebalanced(part, &near), None);
            assert_eq!(equilibrium(part), Equilibrium::None);
        });
    }
}
