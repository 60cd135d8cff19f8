//! The Delassus operator of contacts between pairs of bodies with few degrees of freedom: never assembled.

use crate::{BlockRows, Delassus, Matrix, Vector, Visitor};

/// What one contact knows of its two bodies: `u_α = h[0] v_{bodies[0]} + h[1] v_{bodies[1]}`.
///
/// Side 0 is the candidate, side 1 the antagonist; the minus sign of the relative velocity is inside `h[1]`.
#[derive(Clone, Copy, Debug)]
pub struct PairRow<const D: usize, const N: usize> {
    /// Indices of the two bodies.
    pub bodies: [u32; 2],
    /// Row blocks of H.
    pub h: [Matrix<D, N>; 2],
}

/// `W = H M⁻¹ Hᵀ + C` over pairs of bodies with `N` degrees of freedom each and diagonal inverse mass, with a diagonal
/// compliance `C` of the contacts themselves where their laws have one.
#[derive(Clone, Debug)]
pub struct Pairs<const D: usize, const N: usize> {
    rows: Vec<PairRow<D, N>>,
    inverse_mass: Vec<Vector<N>>,
    diagonal: Vec<Matrix<D, D>>,
    /// Empty where no contact has any.
    compliance: Vec<Vector<D>>,
}

impl<const D: usize, const N: usize> Pairs<D, N> {
    /// Takes the rows of H and the inverse mass of every body; a component that cannot move has inverse mass 0.
    pub fn new(rows: Vec<PairRow<D, N>>, inverse_mass: Vec<Vector<N>>) -> Self {
        let compliance = |row: &PairRow<D, N>, side: usize| compliance(row, side, &inverse_mass);
        let diagonal = rows.iter().map(|row| compliance(row, 0) + compliance(row, 1)).collect();
        Self { rows, inverse_mass, diagonal, compliance: Vec::new() }
    }

    /// The same with the compliance of every contact \[1/kg\], none of them negative.
    pub fn with_compliance(mut self, compliance: Vec<Vector<D>>) -> Self {
        if compliance.iter().all(|c| c.iter().all(|&c| c == 0.0)) {
            return self;
        }
        for (block, compliance) in self.diagonal.iter_mut().zip(&compliance) {
            *block += Matrix::from_diagonal(compliance);
        }
        self.compliance = compliance;
        self
    }

    /// Compliance of a contact itself, apart from its bodies \[1/kg\].
    pub fn compliance(&self, alpha: usize) -> Vector<D> {
        self.compliance.get(alpha).copied().unwrap_or_else(Vector::zeros)
    }

    /// Whether any contact has a compliance of its own.
    pub fn is_compliant(&self) -> bool {
        !self.compliance.is_empty()
    }

    /// The rows of H.
    pub fn rows(&self) -> &[PairRow<D, N>] {
        &self.rows
    }

    /// Inverse mass of every body.
    pub fn inverse_mass(&self) -> &[Vector<N>] {
        &self.inverse_mass
    }
}

/// What one body adds to the diagonal block of a contact.
fn compliance<const D: usize, const N: usize>(
    row: &PairRow<D, N>,
    side: usize,
    inverse_mass: &[Vector<N>],
) -> Matrix<D, D> {
    let minv = &inverse_mass[row.bodies[side] as usize];
    let h = &row.h[side];
    h * Matrix::<N, N>::from_diagonal(minv) * h.transpose()
}

impl<const D: usize, const N: usize> Delassus<D> for Pairs<D, N> {
    /// Velocities of the bodies due to `r` alone, `M⁻¹ Hᵀ r`.
    type Carry = Vec<Vector<N>>;

    fn contacts(&self) -> usize {
        self.rows.len()
    }

    fn block(&self, alpha: usize) -> Matrix<D, D> {
        self.diagonal[alpha]
    }

    fn assemble(&self) -> BlockRows<D> {
        let mut of_body = vec![Vec::new(); self.inverse_mass.len()];
        for (alpha, row) in self.rows.iter().enumerate() {
            for side in 0..2 {
                let body = row.bodies[side] as usize;
                // what cannot move couples nothing, and a floor may touch everybody
                if self.inverse_mass[body].iter().any(|&component| component != 0.0) {
                    of_body[body].push((alpha as u32, side));
                }
            }
        }
        let own = |alpha: u32| Matrix::from_diagonal(&self.compliance(alpha as usize));
        let mut triplets: Vec<_> =
            (0..self.rows.len() as u32).map(|alpha| (alpha, alpha, own(alpha))).collect();
        for (body, touching) in of_body.iter().enumerate() {
            let minv = Matrix::<N, N>::from_diagonal(&self.inverse_mass[body]);
            for &(alpha, side_alpha) in touching {
                let left = self.rows[alpha as usize].h[side_alpha] * minv;
                for &(beta, side_beta) in touching {
                    let block = left * self.rows[beta as usize].h[side_beta].transpose();
                    triplets.push((alpha, beta, block));
                }
            }
        }
        BlockRows::from_triplets(self.rows.len(), triplets)
    }

    /// A body with n contacts is cut into n pieces.
    fn split(&self) -> Vec<Matrix<D, D>> {
        let mut contacts = vec![0.0; self.inverse_mass.len()];
        for body in self.rows.iter().flat_map(|row| row.bodies) {
            contacts[body as usize] += 1.0;
        }
        let share = |row: &PairRow<D, N>, side: usize| {
            compliance(row, side, &self.inverse_mass) * contacts[row.bodies[side] as usize]
        };
        let own = |alpha: usize| Matrix::from_diagonal(&self.compliance(alpha));
        let rows = self.rows.iter().enumerate();
        rows.map(|(alpha, row)| share(row, 0) + share(row, 1) + own(alpha)).collect()
    }

    /// One equation for every component that can move, and one for every component of a contact that gives way itself.
    fn balance(&self) -> Vec<(u32, u32, Vector<D>)> {
        let mut entries = Vec::new();
        for (alpha, row) in self.rows.iter().enumerate() {
            for side in 0..2 {
                let body = row.bodies[side] as usize;
                for component in (0..N).filter(|&component| self.inverse_mass[body][component] > 0.0) {
                    let weight = self.inverse_mass[body][component].sqrt();
                    let column = row.h[side].column(component) * weight;
                    entries.push(((body * N + component) as u32, alpha as u32, column));
                }
            }
        }
        let first = self.inverse_mass.len() * N;
        for (alpha, compliance) in self.compliance.iter().enumerate() {
            for component in (0..D).filter(|&component| compliance[component] > 0.0) {
                let mut row = Vector::zeros();
                row[component] = compliance[component].sqrt();
                entries.push(((first + alpha * D + component) as u32, alpha as u32, row));
            }
        }
        entries
    }

    fn carry(&self, r: &[Vector<D>]) -> Self::Carry {
        let mut velocities = vec![Vector::zeros(); self.inverse_mass.len()];
        for (alpha, r) in r.iter().enumerate() {
            self.change(alpha, r, &mut velocities);
        }
        velocities
    }

    #[inline]
    fn row(&self, alpha: usize, r: &[Vector<D>], carry: &Self::Carry) -> Vector<D> {
        let row = &self.rows[alpha];
        let u = row.h[0] * carry[row.bodies[0] as usize] + row.h[1] * carry[row.bodies[1] as usize];
        match self.compliance.get(alpha) {
            Some(compliance) => u + compliance.component_mul(&r[alpha]),
            None => u,
        }
    }

    #[inline]
    fn change(&self, alpha: usize, delta: &Vector<D>, carry: &mut Self::Carry) {
        let row = &self.rows[alpha];
        for side in 0..2 {
            let body = row.bodies[side] as usize;
            carry[body] += row.h[side].tr_mul(delta).component_mul(&self.inverse_mass[body]);
        }
    }

    fn show<V: Visitor<D>>(&self, visitor: V) -> V::Answer {
        visitor.pairs(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Blocks;

    fn number(k: usize) -> f64 {
        ((k * 7919 % 1013) as f64 / 1013.0) - 0.5
    }

    fn twelve_contacts() -> Pairs<3, 6> {
        let rows: Vec<PairRow<3, 6>> = (0..12)
            .map(|alpha| PairRow {
                bodies: [(alpha % 5) as u32, ((alpha + 1 + alpha / 5) % 5) as u32],
                h: [0, 1].map(|side| Matrix::from_fn(|i, j| number(alpha * 97 + side * 31 + i * 11 + j))),
            })
            .collect();
        let inverse_mass =
            (0..5).map(|b| Vector::from_fn(|i, _| (number(b * 13 + i) + 0.6).max(0.0))).collect();
        Pairs::new(rows, inverse_mass)
    }

    #[test]
    fn assembled_and_matrix_free_agree() {
        check_agreement(twelve_contacts());
        // some contacts give way themselves, in some directions
        let own = |a: usize| Vector::from_fn(|i, _| (number(a * 5 + i)).max(0.0));
        let compliant = twelve_contacts().with_compliance((0..12).map(own).collect());
        assert!(compliant.is_compliant() && !twelve_contacts().is_compliant());
        check_agreement(compliant);
    }

    fn check_agreement(pairs: Pairs<3, 6>) {
        let blocks = Blocks::new(pairs.assemble());
        let r: Vec<Vector<3>> = (0..12).map(|a| Vector::from_fn(|i, _| number(a * 3 + i))).collect();
        let carry = pairs.carry(&r);
        for alpha in 0..12 {
            let free = pairs.row(alpha, &r, &carry);
            assert!((free - blocks.row(alpha, &r, &())).norm() < 1e-14);
            assert!((pairs.block(alpha) - blocks.block(alpha)).norm() < 1e-14);
        }
        // rᵀWr is the square of what the equations of balance miss
        let mut missed = [0.0; 30 + 36];
        for (equation, contact, row) in pairs.balance() {
            missed[equation as usize] += row.dot(&r[contact as usize]);
        }
        let work: f64 = (0..12).map(|alpha| r[alpha].dot(&pairs.row(alpha, &r, &carry))).sum();
        assert!((missed.iter().map(|x| x * x).sum::<f64>() - work).abs() < 1e-13);
    }

    #[test]
    fn compliance_is_added_to_the_dense_operator() {
        let own: Vec<Vector<3>> = (0..12).map(|a| Vector::from_fn(|i, _| (a * 3 + i) as f64)).collect();
        let (rigid, soft) = (twelve_contacts(), twelve_contacts().with_compliance(own.clone()));
        let (without, with) = (rigid.assemble(), soft.assemble());
        for (alpha, own) in own.iter().enumerate() {
            let added = with.diagonal(alpha) - without.diagonal(alpha);
            assert!((added - Matrix::<3, 3>::from_diagonal(own)).norm() < 1e-12);
            assert!((soft.split()[alpha] - rigid.split()[alpha] - added).norm() < 1e-12);
            assert!((soft.block(alpha) - rigid.block(alpha) - added).norm() < 1e-12);
        }
    }

    #[test]
    fn pieces_of_bodies_are_at_least_as_compliant_as_the_whole() {
        let pairs = twelve_contacts();
        let blocks = Blocks::new(pairs.assemble());
        for split in [pairs.split(), blocks.split()] {
            let mut tightest = f64::INFINITY;
            for trial in 0..2000 {
                let r: Vec<Vector<3>> =
                    (0..12).map(|a| Vector::from_fn(|i, _| number(trial * 41 + a * 3 + i))).collect();
                let carry = pairs.carry(&r);
                let whole: f64 = (0..12).map(|a| r[a].dot(&pairs.row(a, &r, &carry))).sum();
                let pieces: f64 = (0..12).map(|a| r[a].dot(&(split[a] * r[a]))).sum();
                assert!(whole <= pieces, "{trial}: {whole} {pieces}");
                tightest = tightest.min(pieces / whole);
            }
            assert!(tightest < 20.0, "{tightest}: no bound worth having");
        }
    }
}
