//! The scaled operator as the second-order solvers see it: what it does to impulses, and the factors of what
//! Newton's method makes of it. Knows no cone and no method.

mod bodies;
mod contacts;
mod span;

use bodies::BodySpaceOperator;
use contacts::AssembledOperator;
pub(crate) use contacts::SMALL;
use drystone_math::rigid_dofs;
use drystone_problem::{AutoParams, Blocks, Condensed, Delassus, Kernel, Matrix, Vector};
use span::columns::Columns;
use span::{SpanOperator, columns_of_bodies};

/// `Ŵ = S W S` with a diagonal scaling S.
pub(crate) trait Operator<const D: usize> {
    /// `Ŵ x`.
    fn times(&self, x: &[Vector<D>]) -> Vec<Vector<D>>;

    /// Factors `A + B Ŵ`.
    fn factor(&self, system: &Diagonals<D>) -> Box<dyn Factored<D> + '_>;

    /// The operator with a further scaling, `diag(by) Ŵ diag(by)`; what was analysed is shared.
    fn rescaled(&self, by: &[Vector<D>]) -> Box<dyn Operator<D>>;

    /// Rows of the matrix that is factored.
    fn unknowns(&self) -> usize;

    /// Multiplications of one factorisation.
    fn multiplications(&self) -> f64;

    /// Multiplications of one solution with the factors at hand.
    fn entries(&self) -> f64;

    /// Whether all its numbers are finite.
    fn is_finite(&self) -> bool;

    /// Whether it is assembled and has columns that take its place.
    fn is_spanned(&self) -> bool {
        false
    }

    /// Corrections by the remainder that a solution needs to be good to rounding.
    fn corrections(&self) -> u32;
}

/// Factors of one matrix.
pub(crate) trait Factored<const D: usize> {
    /// Solves in place.
    fn solve(&self, b: &mut [Vector<D>]);

    /// Sign of the determinant.
    fn sign(&self) -> f64;
}

/// The matrix `A + B Ŵ`, `A` and `B` given contact by contact.
pub(crate) struct Diagonals<const D: usize> {
    /// `A`.
    pub a: Vec<Matrix<D, D>>,
    /// `B`.
    pub b: Vec<Matrix<D, D>>,
}

impl<const D: usize> Diagonals<D> {
    /// `a I + Ŵ`.
    pub fn shifted(contacts: usize, a: f64) -> Self {
        Self { a: vec![Matrix::identity() * a; contacts], b: vec![Matrix::identity(); contacts] }
    }

    /// `(A + B Ŵ) x`.
    pub fn times(&self, operator: &dyn Operator<D>, x: &[Vector<D>]) -> Vec<Vector<D>> {
        let mut product = operator.times(x);
        for (contact, product) in product.iter_mut().enumerate() {
            *product = self.a[contact] * x[contact] + self.b[contact] * *product;
        }
        product
    }

    /// Solves in place, then corrects the solution so many times by what it leaves.
    pub fn solve(
        &self,
        operator: &dyn Operator<D>,
        factors: &dyn Factored<D>,
        x: &mut [Vector<D>],
        corrections: u32,
    ) {
        let right = x.to_vec();
        factors.solve(x);
        for _ in 0..corrections {
            let mut rest = self.times(operator, x);
            rest.iter_mut().zip(&right).for_each(|(product, right)| *product = right - *product);
            factors.solve(&mut rest);
            x.iter_mut().zip(&rest).for_each(|(x, rest)| *x += rest);
        }
    }
}

/// Scales an operator and makes it ready: between pairs of bodies in the space of the bodies, where the
/// matrices are smaller (see [`bodies`]), assembled ones as they are. Few contacts cost little between
/// themselves either, and come nearer to rounding there, unless they are crowded on few bodies.
pub(crate) fn make_ready<const D: usize, W: Delassus<D>>(
    w: &W,
    scales: &[Vector<D>],
    params: &AutoParams,
) -> Box<dyn Operator<D>> {
    w.dispatch(Ready { scales, params })
}

/// Whether a factorisation costs more than polishing is worth, told without any: by the widest body alone,
/// since each of its contacts acts on all others there. Rigid bodies are never wide.
pub(crate) fn is_dear<const D: usize, W: Delassus<D>>(w: &W, params: &AutoParams) -> bool {
    w.dispatch(Dear { most: params.polish_multiplications })
}

/// Whether contacts of an assembled operator touch many others, as those of walls do.
pub(crate) fn is_crowded<const D: usize, W: Delassus<D>>(w: &W, params: &AutoParams) -> bool {
    w.dispatch(Crowded { from: params.span_blocks })
}

struct Crowded {
    from: u32,
}

impl<const D: usize> Kernel<D> for Crowded {
    type Output = bool;

    fn condensed(self, _: &Condensed<D>) -> bool {
        false
    }

    fn blocks(self, blocks: &Blocks<D>) -> bool {
        let rows = blocks.rows();
        let count: usize = (0..rows.rows()).map(|row| rows.row(row).count()).sum();
        count >= self.from as usize * rows.rows()
    }
}

struct Dear {
    most: f64,
}

impl<const D: usize> Kernel<D> for Dear {
    type Output = bool;

    fn condensed(self, w: &Condensed<D>) -> bool {
        let widest = w.bodies().widest();
        let dense = (widest as f64).powi(3) / 3.0;
        widest > rigid_dofs(D) && dense > self.most * w.contacts() as f64
    }

    fn blocks(self, _: &Blocks<D>) -> bool {
        false
    }
}

struct Ready<'a, const D: usize> {
    scales: &'a [Vector<D>],
    params: &'a AutoParams,
}

impl<const D: usize> Ready<'_, D> {
    /// Whether contacts between pairs of bodies are better factored between themselves.
    fn assembles(&self, w: &Condensed<D>) -> bool {
        let moving = || (0..w.bodies().len()).filter(|&body| w.bodies().moves(body)).count();
        let crowded = || self.params.crowded as usize * moving() * w.bodies().widest();
        w.contacts() <= self.params.small as usize && w.contacts() * D < crowded()
    }
}

impl<const D: usize> Kernel<D> for Ready<'_, D> {
    type Output = Box<dyn Operator<D>>;

    fn condensed(self, w: &Condensed<D>) -> Self::Output {
        match w.bodies().widest() {
            _ if self.assembles(w) => Box::new(AssembledOperator::new(w.assemble(), self.scales)),
            0..=3 => Box::new(BodySpaceOperator::<D, 3>::new(w, self.scales)),
            4..=6 => Box::new(BodySpaceOperator::<D, 6>::new(w, self.scales)),
            // blocks of the size of the widest body would be mostly empty
            _ => Box::new(AssembledOperator::new(w.assemble(), self.scales)),
        }
    }

    fn blocks(self, blocks: &Blocks<D>) -> Self::Output {
        if let Some(columns) = columns_of(blocks, self.params) {
            return Box::new(SpanOperator::new(&columns, self.scales));
        }
        Box::new(AssembledOperator::new(blocks.assemble(), self.scales))
    }
}

/// The columns of assembled blocks, where they are worth more than the blocks.
pub(crate) fn columns_of<const D: usize>(blocks: &Blocks<D>, params: &AutoParams) -> Option<Columns<D>> {
    let AutoParams { span_share, span_exact, .. } = *params;
    let rows = blocks.rows();
    let found = || columns_of_bodies(rows, span_exact).or_else(|| Columns::of(rows, span_share, span_exact));
    is_crowded(blocks, params).then(found).flatten()
}

/// Determinant of a small matrix.
fn determinant<const D: usize>(matrix: &Matrix<D, D>) -> f64 {
    let mut rest = *matrix;
    let mut product = 1.0;
    for k in 0..D {
        let pivot = (k..D).max_by(|&i, &j| rest[(i, k)].abs().total_cmp(&rest[(j, k)].abs())).unwrap_or(k);
        if pivot != k {
            rest.swap_rows(pivot, k);
            product = -product;
        }
        product *= rest[(k, k)];
        for i in k + 1..D {
            let share = rest[(i, k)] / rest[(k, k)];
            let above = rest.row(k) * share;
            let below = rest.row(i) - above;
            rest.row_mut(i).copy_from(&below);
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_bench::problems::lattice;
    use drystone_math::Columns;
    use drystone_problem::{Compliance, Compliances, PairRow};
    use rand::{RngExt, SeedableRng};

    /// Both spaces, and a product with the matrix, on a lattice of balls with compliance.
    #[test]
    fn both_spaces_solve_the_same_system() {
        let mut random = rand_pcg::Pcg64::seed_from_u64(5);
        let problem = lattice(300, 1);
        let contacts = problem.contacts();
        let mut vectors = |size: f64| -> Vec<Vector<3>> {
            (0..contacts).map(|_| Vector::from_fn(|_, _| size * random.random_range(-1.0..1.0))).collect()
        };
        let compliance = vectors(0.1).iter().map(|c| c.abs()).collect();
        let scales: Vec<Vector<3>> = vectors(0.5).iter().map(|s| s.add_scalar(1.0)).collect();
        let by: Vec<Vector<3>> = vectors(0.5).iter().map(|s| s.add_scalar(1.0)).collect();
        let pairs = problem.w.with_compliance(compliance);
        let between = BodySpaceOperator::<3, 6>::new(&pairs, &scales).rescaled(&by);
        let gathered = AssembledOperator::new(pairs.assemble(), &scales).rescaled(&by);
        for small in [1.0, 1e-3, 1e-6, 1e-9] {
            let mut square = || Matrix::<3, 3>::from_fn(|_, _| random.random_range(-0.2..0.2));
            let mut system = Diagonals::shifted(contacts, small);
            system.a.iter_mut().for_each(|a| *a += square() * small);
            system.b.iter_mut().for_each(|b| *b += square());
            let x: Vec<Vector<3>> =
                (0..contacts).map(|_| Vector::from_fn(|_, _| random.random_range(-1.0..1.0))).collect();
            let right = system.times(&*gathered, &x);
            let same = system.times(&*between, &x);
            assert!(distance(&right, &same) < 1e-12);
            let signs = [&between, &gathered].map(|operator| {
                let factors = operator.factor(&system);
                let mut found = right.clone();
                system.solve(&**operator, &*factors, &mut found, operator.corrections());
                let left = distance(&system.times(&**operator, &found), &right);
                assert!(left < 1e-12, "{small}: {left}");
                factors.sign()
            });
            assert_eq!(signs[0], signs[1]);
        }
    }

    /// Four contacts of a body of so many unknowns with one of six.
    fn with_a_wide_body(unknowns: usize) -> Condensed<3> {
        let mut bodies = Compliances::new();
        bodies.push(Compliance::Diagonal(&vec![1.0; unknowns]));
        bodies.push(Compliance::Diagonal(&[1.0; 6]));
        let rows: Vec<PairRow<3>> = (0..4)
            .map(|_| PairRow { bodies: [0, 1], h: [Columns::zeros(unknowns), Columns::zeros(6)] })
            .collect();
        Condensed::new(&rows, bodies)
    }

    /// 30³ / 3 = 9,000 multiplications are 2,250 for each of four contacts.
    #[test]
    fn wide_bodies_make_factorisations_dear() {
        let cheap = AutoParams { polish_multiplications: 2300.0, ..AutoParams::default() };
        let dear = AutoParams { polish_multiplications: 2200.0, ..cheap };
        assert!(!is_dear(&with_a_wide_body(30), &cheap));
        assert!(is_dear(&with_a_wide_body(30), &dear));
        let least = AutoParams { polish_multiplications: 1e-3, ..cheap };
        assert!(!is_dear(&with_a_wide_body(6), &least), "rigid bodies are never wide");
    }

    fn distance(a: &[Vector<3>], b: &[Vector<3>]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max)
    }
}
