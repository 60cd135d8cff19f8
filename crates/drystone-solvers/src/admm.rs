//! Alternating directions with a factor that is kept, for the exact law (Boyd et al. 2011). Refuses problems
//! too large for the factor and those with numbers that are not finite: the guess is then left alone.

use crate::AutoParams;
use crate::iteration::Iteration;
use crate::nondimensional::Nondimensional;
use crate::operator::SMALL;
use drystone_problem::{Delassus, Matrix, Problem, Set, Vector};
use drystone_sparse::{Factors, Pattern, SymbolicLu};

/// Over-relaxation: how far the new impulses are taken beyond the old ones (Eckstein, Bertsekas 1992). Strong
/// friction makes it swing: it then shrinks towards the second figure.
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
const IMBALANCE: f64 = 1.5;

/// The alternation; an iteration is one solve with the factors.
///
/// The impulses are doubled: `x` balances the velocities, `z` is admissible, and the velocities `λ` are the
/// price of their difference,
///
/// `(Ŵ + ρI) x = ρ z + λ − q − s`, `v = ω x + (1−ω) z − λ/ρ`, `z = P(v)`, `λ = ρ (z − v)`,
///
/// with De Saxcé's shift `s` taken from `λ` at every iteration. The penalty ρ follows the ratio of the two
/// errors, `‖x − z‖` and `ρ ‖z − z_last‖`, each relative to what it should vanish beside, ever more rarely.
pub(crate) struct Admm<'a, const D: usize, W: Delassus<D>> {
    nondimensional: Nondimensional<'a, D, W>,
    system: System<D>,
    penalty: f64,
    relaxation: f64,
    x: Vec<Vector<D>>,
    z: Vec<Vector<D>>,
    velocity: Vec<Vector<D>>,
    errors: Errors,
    /// The error at the last look.
    error: f64,
    done: u32,
    next_change: u32,
}

/// Squares of `x − z`, `z − z_last`, the larger of `x` and `z`, and the velocity.
#[derive(Default)]
struct Errors {
    apart: f64,
    moved: f64,
    size: f64,
    speed: f64,
}

impl<'a, const D: usize, W: Delassus<D>> Admm<'a, D, W> {
    /// Starts at the impulses `r`; `None` where the problem is refused.
    pub fn new(problem: &'a Problem<D, W>, r: &[Vector<D>], limits: &AutoParams) -> Option<Self> {
        if problem.contacts() > limits.most_contacts as usize {
            return None;
        }
        let nondimensional = Nondimensional::new(problem)?;
        let system = System::new(&nondimensional, limits.most_multiplications)?;
        let z = nondimensional.scale(r);
        let mut velocity = system.pattern.times(&system.blocks, &z);
        for (k, velocity) in velocity.iter_mut().enumerate() {
            *velocity += nondimensional.q[k];
            velocity[0] += shift(&nondimensional.sets[k], velocity);
        }
        Some(Self {
            nondimensional,
            system,
            penalty: FIRST_PENALTY,
            relaxation: RELAXATION[0],
            x: z.clone(),
            z,
            velocity,
            errors: Errors::default(),
            error: f64::INFINITY,
            done: 0,
            next_change: FIRST_CHANGE,
        })
    }

    /// The impulses that balance the velocities, into `x`.
    fn balance(&mut self) {
        for k in 0..self.x.len() {
            self.x[k] = self.z[k] * self.penalty + self.velocity[k] - self.nondimensional.q[k];
            self.x[k][0] -= shift(&self.nondimensional.sets[k], &self.velocity[k]);
        }
        self.system.solve(self.penalty, &mut self.x);
    }

    /// The admissible impulses, into `z`, and the price of the difference.
    fn admit(&mut self) {
        let (mut apart, mut moved, mut x_square, mut z_square, mut speed) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for k in 0..self.x.len() {
            let ahead = self.x[k] * self.relaxation + self.z[k] * (1.0 - self.relaxation);
            let v = ahead - self.velocity[k] / self.penalty;
            let z = nearest(&self.nondimensional.sets[k], &v);
            apart += (self.x[k] - z).norm_squared();
            moved += (z - self.z[k]).norm_squared();
            x_square += self.x[k].norm_squared();
            z_square += z.norm_squared();
            self.z[k] = z;
            self.velocity[k] = (z - v) * self.penalty;
            speed += self.velocity[k].norm_squared();
        }
        self.errors = Errors { apart, moved, size: f64::max(x_square, z_square), speed };
    }

    /// Relaxes less where the errors have not fallen by half.
    fn calm_down(&mut self) {
        let Errors { apart, moved, size, speed } = self.errors;
        let error = (apart / size).sqrt() + self.penalty * (moved / speed).sqrt();
        if error > 0.5 * self.error {
            self.relaxation += (RELAXATION[1] - self.relaxation) * CALMER;
        }
        self.error = error;
    }

    /// Balances the two errors.
    fn change_penalty(&mut self) {
        let Errors { apart, moved, size, speed } = self.errors;
        // squares of `(‖x − z‖/size) / (ρ‖z − z_last‖/speed)`
        let ratio = (apart * speed) / (self.penalty * self.penalty * moved * size);
        let factor = ratio.sqrt().sqrt();
        if factor.is_finite() && (factor >= WORTH_WHILE || factor <= 1.0 / WORTH_WHILE) {
            self.penalty = (self.penalty * factor.clamp(0.05, 20.0)).clamp(1e-6, 1e6);
        }
    }
}

impl<const D: usize, W: Delassus<D>> Iteration<D> for Admm<'_, D, W> {
    fn step(&mut self) -> bool {
        self.balance();
        self.admit();
        self.done += 1;
        if self.done >= self.next_change {
            self.next_change = (f64::from(self.done) * IMBALANCE) as u32 + FIRST_CHANGE;
            self.calm_down();
            self.change_penalty();
        }
        let Errors { apart, moved, speed, .. } = self.errors;
        apart + moved > 0.0 && (apart + moved + speed).is_finite()
    }

    fn impulses(&self, r: &mut [Vector<D>]) {
        self.nondimensional.impulses(&self.z, r);
    }

    fn factorisations(&self) -> u32 {
        self.system.factorisations
    }
}

/// `Ŵ + ρI` and its factors, kept while ρ stays the same.
struct System<const D: usize> {
    pattern: Pattern,
    blocks: Vec<Matrix<D, D>>,
    fronts: SymbolicLu,
    /// The factors and the penalty they belong to.
    factors: Option<(f64, Factors<D>)>,
    factorisations: u32,
}

impl<const D: usize> System<D> {
    /// Gathers the operator; `None` where it is not finite or too large to be factored.
    fn new<W: Delassus<D>>(nondimensional: &Nondimensional<D, W>, most_multiplications: f64) -> Option<Self> {
        let (pattern, blocks) = nondimensional.assemble();
        let fronts = SymbolicLu::new(&pattern, SMALL);
        let finite = blocks.iter().all(|block| block.sum().is_finite());
        let fit = finite && fronts.multiplications::<D>() <= most_multiplications;
        fit.then_some(Self { pattern, blocks, fronts, factors: None, factorisations: 0 })
    }

    /// Solves `(Ŵ + ρI) x = b` in place.
    fn solve(&mut self, penalty: f64, b: &mut [Vector<D>]) {
        let kept = self.factors.take().filter(|(of, _)| *of == penalty);
        let (_, factors) = kept.unwrap_or_else(|| (penalty, self.factor(penalty)));
        factors.solve(b);
        self.factors = Some((penalty, factors));
    }

    /// The factors of `Ŵ + ρI`.
    fn factor(&mut self, penalty: f64) -> Factors<D> {
        self.factorisations += 1;
        let mut matrix = self.blocks.clone();
        for row in 0..self.pattern.rows() {
            for entry in self.pattern.entries(row) {
                if self.pattern.columns[entry] as usize == row {
                    matrix[entry] += Matrix::identity() * penalty;
                }
            }
        }
        self.fronts.factor(&matrix)
    }
}

/// De Saxcé's shift of the normal velocity; none where friction is settled after the normal.
fn shift<const D: usize>(set: &Set, velocity: &Vector<D>) -> f64 {
    match set {
        Set::Orowan { .. } => 0.0,
        _ => set.conjugate(velocity)[0] - velocity[0],
    }
}

/// The admissible impulse that belongs to `v`: the projection, or for Orowan's pen the one settled normal
/// first.
fn nearest<const D: usize>(set: &Set, v: &Vector<D>) -> Vector<D> {
    match set {
        Set::Orowan { .. } => set.settle(v),
        _ => set.project(v),
    }
}
