//! The scaled operator of an assembled W of low rank, factored in the space that its columns span. Saved
//! problems know no bodies; where many contacts press on few of them, W has a rank of six for each body, and
//! sparse columns that give it back take the place of the bodies.
//!
//! With `Ŵ = G Gᵀ`, `G = S L`, all goes as between pairs of bodies (see [`super::bodies`]), but that a
//! contact acts on as many groups of columns as it happens to have numbers in.

pub(crate) mod columns;
mod joints;

use super::{Diagonals, Factored, Operator};
use columns::Columns;
use drystone_problem::{Matrix, Vector};
use drystone_sparse::{Factors, Pattern, SymbolicLu};
pub(super) use joints::columns_of_bodies;
use std::ops::Range;
use std::sync::Arc;

/// Columns that go together.
const GROUP: usize = 6;

/// So many groups are eliminated as one.
const SMALL: usize = 6;

/// An operator with columns, in groups.
pub(super) struct SpanOperator<const D: usize> {
    plan: Arc<Cliques>,
    /// `G`, a block for each group of a contact.
    blocks: Vec<Matrix<D, GROUP>>,
}

/// Which groups every contact has numbers in, and the pattern that makes.
struct Cliques {
    /// Where the blocks of each contact start, and their number at the end.
    starts: Vec<usize>,
    /// The group of each block.
    groups: Vec<u32>,
    /// For every contact the entries of the pattern for all pairs of its groups.
    entries: Vec<usize>,
    pattern: Pattern,
    fronts: SymbolicLu,
}

impl Cliques {
    fn new(starts: Vec<usize>, groups: Vec<u32>, count: usize) -> Self {
        let cliques = || starts.windows(2).map(|ends| &groups[ends[0]..ends[1]]);
        let pattern = Pattern::of_cliques(count, cliques());
        let mut entries = Vec::new();
        for groups in cliques() {
            for &row in groups {
                let within = pattern.row(row as usize);
                let first = pattern.entries(row as usize).start;
                entries.extend(groups.iter().map(|&other| first + within.partition_point(|&at| at < other)));
            }
        }
        let fronts = SymbolicLu::new(&pattern, SMALL);
        Self { starts, groups, entries, pattern, fronts }
    }

    fn blocks(&self, contact: usize) -> Range<usize> {
        self.starts[contact]..self.starts[contact + 1]
    }
}

impl<const D: usize> SpanOperator<D> {
    /// Scales the rows of the columns of an operator.
    pub fn new(columns: &Columns<D>, scales: &[Vector<D>]) -> Self {
        let (mut starts, mut groups) = (vec![0], Vec::<u32>::new());
        let mut blocks: Vec<Matrix<D, GROUP>> = Vec::new();
        for (contact, scales) in scales.iter().enumerate() {
            let first = groups.len();
            for (column, values) in columns.row(contact) {
                let group = (column / GROUP) as u32;
                if groups[first..].last() != Some(&group) {
                    groups.push(group);
                    blocks.push(Matrix::zeros());
                }
                if let Some(block) = blocks.last_mut() {
                    block.set_column(column % GROUP, &values.component_mul(scales));
                }
            }
            starts.push(groups.len());
        }
        let plan = Cliques::new(starts, groups, columns.rank().div_ceil(GROUP));
        Self { plan: Arc::new(plan), blocks }
    }

    /// The groups of a contact, and its blocks there.
    fn sides(&self, contact: usize) -> impl Iterator<Item = (usize, &Matrix<D, GROUP>)> {
        let range = self.plan.blocks(contact);
        self.plan.groups[range.clone()].iter().map(|&group| group as usize).zip(&self.blocks[range])
    }

    /// `Gᵀ x`.
    fn up(&self, x: &[Vector<D>]) -> Vec<Vector<GROUP>> {
        let mut v = vec![Vector::zeros(); self.plan.pattern.rows()];
        for (contact, x) in x.iter().enumerate() {
            self.sides(contact).for_each(|(group, block)| v[group] += block.tr_mul(x));
        }
        v
    }

    /// Row of `G v`.
    fn down(&self, contact: usize, v: &[Vector<GROUP>]) -> Vector<D> {
        self.sides(contact).fold(Vector::zeros(), |sum, (group, block)| sum + block * v[group])
    }

    /// Multiplications to gather the matrix.
    fn gathering(&self) -> f64 {
        (self.plan.entries.len() * GROUP * D * GROUP) as f64
    }
}

impl<const D: usize> Operator<D> for SpanOperator<D> {
    fn times(&self, x: &[Vector<D>]) -> Vec<Vector<D>> {
        let v = self.up(x);
        (0..x.len()).map(|contact| self.down(contact, &v)).collect()
    }

    fn factor(&self, system: &Diagonals<D>) -> Box<dyn Factored<D> + '_> {
        let plan = &*self.plan;
        let mut matrix = vec![Matrix::<GROUP, GROUP>::zeros(); plan.pattern.columns.len()];
        for group in 0..plan.pattern.rows() {
            if let Some(entry) = plan.pattern.find(group, group as u32) {
                matrix[entry] = Matrix::identity();
            }
        }
        let mut inverses = Vec::with_capacity(system.a.len());
        let mut entries = plan.entries.iter();
        for (contact, (a, b)) in system.a.iter().zip(&system.b).enumerate() {
            let inverse = a.try_inverse().unwrap_or_else(Matrix::zeros);
            let answer = inverse * b;
            for (_, left) in self.sides(contact) {
                let left = left.tr_mul(&answer);
                for ((_, right), &entry) in self.sides(contact).zip(&mut entries) {
                    add_product(&mut matrix[entry], &left, right);
                }
            }
            inverses.push((inverse, answer));
        }
        Box::new(InSpan { operator: self, inverses, factors: plan.fronts.factor(&matrix) })
    }

    fn rescaled(&self, by: &[Vector<D>]) -> Box<dyn Operator<D>> {
        let ones = Vector::<GROUP>::repeat(1.0);
        let mut blocks = self.blocks.clone();
        for (contact, by) in by.iter().enumerate() {
            let by = by * ones.transpose();
            blocks[self.plan.blocks(contact)].iter_mut().for_each(|block| block.component_mul_assign(&by));
        }
        Box::new(Self { plan: Arc::clone(&self.plan), blocks })
    }

    fn unknowns(&self) -> usize {
        self.plan.pattern.rows() * GROUP
    }

    fn multiplications(&self) -> f64 {
        self.plan.fronts.multiplications::<GROUP>() + self.gathering()
    }

    fn entries(&self) -> f64 {
        self.plan.fronts.entries::<GROUP>() + 2.0 * (self.blocks.len() * D * GROUP) as f64
    }

    fn is_finite(&self) -> bool {
        self.blocks.iter().all(|block| block.iter().all(|x| x.is_finite()))
    }

    fn is_spanned(&self) -> bool {
        true
    }

    /// Small `A` costs digits, as between bodies.
    fn corrections(&self) -> u32 {
        2
    }
}

/// Adds `left · right`. By hand, since it is most of the work and the matrices are small.
fn add_product<const D: usize>(
    to: &mut Matrix<GROUP, GROUP>,
    left: &Matrix<GROUP, D>,
    right: &Matrix<D, GROUP>,
) {
    let (to, left, right) = (&mut to.data.0, &left.data.0, &right.data.0);
    for j in 0..GROUP {
        for k in 0..D {
            for i in 0..GROUP {
                to[j][i] += left[k][i] * right[j][k];
            }
        }
    }
}

/// Factors in the space of the columns.
struct InSpan<'a, const D: usize> {
    operator: &'a SpanOperator<D>,
    /// `A⁻¹` and `A⁻¹ B`.
    inverses: Vec<(Matrix<D, D>, Matrix<D, D>)>,
    factors: Factors<GROUP>,
}

impl<const D: usize> Factored<D> for InSpan<'_, D> {
    fn solve(&self, b: &mut [Vector<D>]) {
        b.iter_mut().zip(&self.inverses).for_each(|(b, (inverse, _))| *b = inverse * *b);
        let mut v = self.operator.up(b);
        self.factors.solve(&mut v);
        for (contact, b) in b.iter_mut().enumerate() {
            *b -= self.inverses[contact].1 * self.operator.down(contact, &v);
        }
    }

    fn sign(&self) -> f64 {
        let contacts = self.inverses.iter().map(|(inverse, _)| super::determinant(inverse).signum());
        contacts.product::<f64>() * self.factors.sign()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::contacts::AssembledOperator;
    use columns::tests::between_bodies;

    /// The other operator takes W as it stands.
    #[test]
    fn both_spaces_solve_the_same_system() {
        let w = between_bodies(5, 60);
        let scales: Vec<Vector<3>> = (0..60)
            .map(|k| w.diagonal(k).diagonal().map(|d| 1.0 / d.sqrt()) * (1.0 + 0.01 * k as f64))
            .collect();
        let by: Vec<Vector<3>> = (0..60).map(|k| Vector::repeat(1.2 - 0.01 * k as f64)).collect();
        let columns = Columns::of(&w, 1.0, 1e-9).unwrap();
        let spanned = SpanOperator::new(&columns, &scales).rescaled(&by);
        let assembled = AssembledOperator::new(w, &scales).rescaled(&by);
        assert_eq!(spanned.unknowns(), 30);
        for small in [1.0, 1e-3, 1e-6] {
            let mut system = Diagonals::shifted(60, small);
            for k in 0..60 {
                let skew = Matrix::<3, 3>::from_fn(|i, j| 0.1 * ((i + 2 * j + k) as f64).sin());
                system.a[k] += skew * small;
                system.b[k] += skew;
            }
            let x: Vec<Vector<3>> =
                (0..60).map(|k| Vector::from_fn(|i, _| ((3 * k + i) as f64).cos())).collect();
            let right = system.times(&*assembled, &x);
            let signs = [&spanned, &assembled].map(|operator| {
                let factors = operator.factor(&system);
                let mut found = right.clone();
                system.solve(&**operator, &*factors, &mut found, operator.corrections());
                let left = system.times(&*assembled, &found);
                let error = left.iter().zip(&right).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
                assert!(error < 1e-9, "{small}: {error}");
                factors.sign()
            });
            assert_eq!(signs[0], signs[1]);
        }
    }
}
