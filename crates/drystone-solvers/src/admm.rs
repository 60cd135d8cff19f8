//! Alternating directions with a factor that is kept, for the exact law (Boyd et al. 2011). Refuses problems too large
//! for the factor and those with numbers that are not finite: the guess is then left alone.

use crate::best::Best;
use crate::operator::SMALL;
use crate::proximal::MOST_CONTACTS;
use crate::sparse::{Factors, Fronts, Pattern};
use crate::unitless::Unitless;
use crate::{Params, Report};
use drystone_problem::{Delassus, Matrix, Problem, Set, Vector};

/// Most multiplications of one factorisation: about a second.
const MOST_MULTIPLICATIONS: f64 = 5e9;
/// Over-relaxation: how far the new impulses are taken beyond the old ones (Eckstein, Bertsekas 1992). Strong friction
/// makes it swing: it then shrinks towards the second figure.
const RELAXATION: [f64; 2] = [1.5, 0.8];
/// How much it shrinks where the error has not halved since the last look.
const CALMER: f64 = 0.5;
/// The first penalty, in units of the mean compliance of a contact.
const FIRST_PENALTY: f64 = 0.3;
/// The penalty changes only by more than this factor, for it costs a factorisation.
const WORTH_WHILE: f64 = 3.0;
/// Iterations before the first change of the penalty; before each later one, so many times more.
const FIRST_CHANGE: u32 = 20;
/// See [`FIRST_CHANGE`].
const PATIENCE: f64 = 1.5;

/// Solves from the guess in `r`, keeping the best iterate seen. An iteration is one solve with the factors.
///
/// The impulses are doubled: `x` balances the velocities, `z` is admissible, and the velocities `λ` are the price of
/// their difference,
///
/// `(Ŵ + ρI) x = ρ z + λ − q − s`, `v = ω x + (1−ω) z − λ/ρ`, `z = P(v)`, `λ = ρ (z − v)`,
///
/// with De Saxcé's shift `s` taken from `λ` at every iteration. The penalty ρ follows the ratio of the two errors,
/// `‖x − z‖` and `ρ ‖z − z_last‖`, each relative to what it should vanish beside, ever more rarely.
pub fn solve<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    r: &mut [Vector<D>],
    params: &Params,
) -> Report {
    let mut best = Best::new(problem, r, params);
    if !best.is_done()
        && problem.contacts() <= MOST_CONTACTS
        && let Some(unitless) = Unitless::new(problem)
    {
        run(&unitless, &mut best);
    }
    best.give_back(r)
}

fn run<const D: usize, W: Delassus<D>>(unitless: &Unitless<D, W>, best: &mut Best<D, W>) {
    let (pattern, blocks) = unitless.assemble();
    let fronts = Fronts::new(&pattern, SMALL);
    let finite = blocks.iter().all(|block| block.sum().is_finite());
    if !finite || fronts.multiplications::<D>() > MOST_MULTIPLICATIONS {
        return;
    }
    let mut state = State::new(unitless, &pattern, &blocks, best.r());
    let mut matrix = blocks.clone();
    let mut next_change = FIRST_CHANGE;
    let mut done = 0;
    loop {
        let factors = factor(&fronts, &pattern, &blocks, state.penalty, &mut matrix);
        best.factored();
        loop {
            let moved = state.step(&factors);
            done += 1;
            if best.step(!moved, |r| unitless.impulses(&state.z, r)) {
                return;
            }
            if done >= next_change {
                next_change = (f64::from(done) * PATIENCE) as u32 + FIRST_CHANGE;
                state.calm_down();
                if state.change_penalty() {
                    break;
                }
            }
        }
    }
}

/// The factors of `Ŵ + ρI`.
fn factor<'f, const D: usize>(
    fronts: &'f Fronts,
    pattern: &Pattern,
    blocks: &[Matrix<D, D>],
    penalty: f64,
    matrix: &mut [Matrix<D, D>],
) -> Factors<'f, D> {
    matrix.copy_from_slice(blocks);
    for row in 0..pattern.rows() {
        for entry in pattern.entries(row) {
            if pattern.columns[entry] as usize == row {
                matrix[entry] += Matrix::identity() * penalty;
            }
        }
    }
    fronts.factor(matrix)
}

/// The two copies of the impulses, the velocities and what is needed to choose the penalty.
struct State<'a, const D: usize> {
    sets: &'a [Set],
    q: &'a [Vector<D>],
    penalty: f64,
    relaxation: f64,
    /// The error at the last look.
    error: f64,
    x: Vec<Vector<D>>,
    z: Vec<Vector<D>>,
    velocity: Vec<Vector<D>>,
    /// Squares of `x − z`, `z − z_last`, the larger of `x` and `z`, and the velocity.
    apart: f64,
    moved: f64,
    size: f64,
    speed: f64,
}

impl<'a, const D: usize> State<'a, D> {
    fn new<W: Delassus<D>>(
        unitless: &'a Unitless<D, W>,
        pattern: &Pattern,
        blocks: &[Matrix<D, D>],
        r: &[Vector<D>],
    ) -> Self {
        let z = unitless.scale(r);
        let mut velocity = pattern.times(blocks, &z);
        for (k, velocity) in velocity.iter_mut().enumerate() {
            *velocity += unitless.q[k];
            velocity[0] += shift(&unitless.sets[k], velocity);
        }
        Self {
            sets: &unitless.sets,
            q: &unitless.q,
            penalty: FIRST_PENALTY,
            relaxation: RELAXATION[0],
            error: f64::INFINITY,
            x: z.clone(),
            z,
            velocity,
            apart: 0.0,
            moved: 0.0,
            size: 0.0,
            speed: 0.0,
        }
    }

    /// One iteration; whether it is worth another.
    fn step(&mut self, factors: &Factors<D>) -> bool {
        for k in 0..self.x.len() {
            self.x[k] = self.z[k] * self.penalty + self.velocity[k] - self.q[k];
            self.x[k][0] -= shift(&self.sets[k], &self.velocity[k]);
        }
        factors.solve(&mut self.x);
        let (mut apart, mut moved, mut x_square, mut z_square, mut speed) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for k in 0..self.x.len() {
            let ahead = self.x[k] * self.relaxation + self.z[k] * (1.0 - self.relaxation);
            let v = ahead - self.velocity[k] / self.penalty;
            let z = nearest(&self.sets[k], &v);
            apart += (self.x[k] - z).norm_squared();
            moved += (z - self.z[k]).norm_squared();
            x_square += self.x[k].norm_squared();
            z_square += z.norm_squared();
            self.z[k] = z;
            self.velocity[k] = (z - v) * self.penalty;
            speed += self.velocity[k].norm_squared();
        }
        self.apart = apart;
        self.moved = moved;
        self.size = f64::max(x_square, z_square);
        self.speed = speed;
        apart + moved > 0.0 && (apart + moved + speed).is_finite()
    }

    /// Relaxes less where the errors have not fallen by half.
    fn calm_down(&mut self) {
        let error = (self.apart / self.size).sqrt() + self.penalty * (self.moved / self.speed).sqrt();
        if error > 0.5 * self.error {
            self.relaxation += (RELAXATION[1] - self.relaxation) * CALMER;
        }
        self.error = error;
    }

    /// Balances the two errors; whether the penalty changed.
    fn change_penalty(&mut self) -> bool {
        // squares of `(‖x − z‖/size) / (ρ‖z − z_last‖/speed)`
        let ratio = (self.apart * self.speed) / (self.penalty * self.penalty * self.moved * self.size);
        let factor = ratio.sqrt().sqrt();
        if !factor.is_finite() || (factor < WORTH_WHILE && factor > 1.0 / WORTH_WHILE) {
            return false;
        }
        let before = self.penalty;
        self.penalty = (before * factor.clamp(0.05, 20.0)).clamp(1e-6, 1e6);
        self.penalty != before
    }
}

/// De Saxcé's shift of the normal velocity; none where friction is settled after the normal.
fn shift<const D: usize>(set: &Set, velocity: &Vector<D>) -> f64 {
    match set {
        Set::Orowan { .. } => 0.0,
        _ => set.conjugate(velocity)[0] - velocity[0],
    }
}

/// The admissible impulse that belongs to `v`: the projection, or for Orowan's pen the one settled normal first.
fn nearest<const D: usize>(set: &Set, v: &Vector<D>) -> Vector<D> {
    match set {
        Set::Orowan { .. } => set.settle(v),
        _ => set.project(v),
    }
}
