//! The Delassus operator of contacts between pairs of bodies with any number of degrees of freedom: never
//! assembled.

mod assembled;
mod carry;
mod refill;

pub use refill::RowSlots;

use crate::{BlockRows, Compliance, Compliances, Delassus, Dofs, Kernel, Matrix, Vector};
use carry::Sides;
use drystone_math::columns::{dot, fixed, times, times_filled};
use drystone_math::{Columns, instructions, rigid_dofs};
use fearless_simd::dispatch;
use std::ops::Range;

/// Degrees of freedom of rigid bodies in the plane and in space.
const PLANE: usize = rigid_dofs(2);
const SPACE: usize = rigid_dofs(3);

/// What one contact knows of its two bodies, on its way into the operator: `u_α = h[0] v_{bodies[0]} + h[1]
/// v_{bodies[1]}`.
///
/// Side 0 is the candidate, side 1 the antagonist; the minus sign of the relative velocity is inside `h[1]`.
#[derive(Clone, Debug, PartialEq)]
pub struct PairRow<const D: usize> {
    /// Indices of the two bodies.
    pub bodies: [u32; 2],
    /// Row blocks of H, a column for each degree of freedom.
    pub h: [Columns<D>; 2],
}

impl<const D: usize> PairRow<D> {
    /// A row of matrices of constant size.
    pub fn new<const N: usize>(bodies: [u32; 2], h: [Matrix<D, N>; 2]) -> Self {
        Self { bodies, h: h.map(Columns::from) }
    }
}

/// The same where it lies in the operator.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a, const D: usize> {
    /// Indices of the two bodies.
    pub bodies: [u32; 2],
    /// Row blocks of H, a column for each degree of freedom.
    pub h: [&'a [[f64; D]]; 2],
}

impl<const D: usize> Row<'_, D> {
    /// A copy of its own.
    pub fn to_pair(self) -> PairRow<D> {
        PairRow { bodies: self.bodies, h: self.h.map(Columns::from_slice) }
    }
}

/// `W = H M⁻¹ Hᵀ + C` over pairs of bodies, with a diagonal compliance `C` of the contacts themselves where
/// their laws have one.
///
/// All numbers of H lie in one array, contact after contact, and all velocities of bodies in one vector, body
/// after body: how many belong to a body is data, not a type.
#[derive(Clone, Debug)]
pub struct Condensed<const D: usize> {
    heads: Vec<Head>,
    /// The columns of H: those of the candidate, then those of the antagonist.
    columns: Vec<[f64; D]>,
    bodies: Compliances,
    diagonal: Vec<Matrix<D, D>>,
    /// Empty where no contact has any.
    compliance: Vec<Vector<D>>,
    /// Where the first contacts are, as far as anybody said.
    places: Vec<Vector<D>>,
    /// The sides of contacts by bodies, where they were put so.
    sides: Sides,
}

/// Where the two bodies of a contact and its columns are.
#[derive(Clone, Copy, Debug)]
struct Head {
    bodies: [u32; 2],
    dofs: [Dofs; 2],
    first: usize,
    /// Columns of each side that are not all zero, apart from those of its rigid line: a contact holds a
    /// deformable body by one of many ports.
    filled: [[u32; 2]; 2],
}

impl Head {
    /// Columns that are not known yet.
    fn new(bodies: [u32; 2], dofs: [Dofs; 2], first: usize) -> Self {
        Self { bodies, dofs, first, filled: [[0; 2]; 2] }
    }

    /// Takes note of which columns of a side are filled.
    #[inline]
    fn look<const D: usize>(&mut self, side: usize, columns: &[[f64; D]]) {
        let Range { start, end } = filled(columns).1;
        self.filled[side] = [start as u32, end as u32];
    }

    /// How many columns of a side are those of its rigid line, and which others are filled.
    #[inline]
    fn parts<const D: usize>(&self, side: usize) -> (usize, Range<usize>) {
        let [first, end] = self.filled[side];
        (rigid_dofs(D).min(self.dofs[side].count as usize), first as usize..end as usize)
    }
}

impl<const D: usize> Condensed<D> {
    /// Takes the rows of H and the compliance of every body. A row has as many columns for a body as that has
    /// degrees of freedom.
    pub fn new<'a>(rows: impl IntoIterator<Item = &'a PairRow<D>>, bodies: Compliances) -> Self {
        let rows = rows.into_iter();
        Self::of_rows(rows.map(|row| Row { bodies: row.bodies, h: row.h.each_ref().map(|h| &**h) }), bodies)
    }

    /// The same from rows that lie elsewhere.
    pub fn of_rows<'a>(rows: impl IntoIterator<Item = Row<'a, D>>, bodies: Compliances) -> Self {
        let (mut heads, mut columns, mut diagonal) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            let dofs = row.bodies.map(|body| bodies.dofs(body as usize));
            for side in 0..2 {
                assert_eq!(
                    row.h[side].len(),
                    dofs[side].count as usize,
                    "as many columns as degrees of freedom"
                );
            }
            let mut head = Head::new(row.bodies, dofs, columns.len());
            (0..2).for_each(|side| head.look(side, row.h[side]));
            heads.push(head);
            row.h.iter().for_each(|h| columns.extend_from_slice(h));
            diagonal.push(block(&row, 0, &bodies) + block(&row, 1, &bodies));
        }
        Self {
            heads,
            columns,
            bodies,
            diagonal,
            compliance: Vec::new(),
            places: Vec::new(),
            sides: Sides::default(),
        }
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

    /// Where the first contacts are \[m\]; nothing where nobody said.
    pub fn places(&self) -> &[Vector<D>] {
        &self.places
    }

    /// Compliance of a contact itself, apart from its bodies \[1/kg\].
    pub fn compliance(&self, alpha: usize) -> Vector<D> {
        self.compliance.get(alpha).copied().unwrap_or_else(Vector::zeros)
    }

    /// Whether any contact has a compliance of its own.
    pub fn is_compliant(&self) -> bool {
        !self.compliance.is_empty()
    }

    /// The row of H of a contact.
    #[inline]
    pub fn pair(&self, alpha: usize) -> Row<'_, D> {
        let head = &self.heads[alpha];
        let middle = head.first + head.dofs[0].count as usize;
        let end = middle + head.dofs[1].count as usize;
        Row { bodies: head.bodies, h: [&self.columns[head.first..middle], &self.columns[middle..end]] }
    }

    /// Where the velocities of the body on one side lie.
    #[inline]
    fn range(&self, alpha: usize, side: usize) -> Range<usize> {
        self.heads[alpha].dofs[side].range()
    }

    /// The rows of H.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = Row<'_, D>> {
        (0..self.heads.len()).map(|alpha| self.pair(alpha))
    }

    /// The bodies: where their velocities lie and how they give way.
    pub fn bodies(&self) -> &Compliances {
        &self.bodies
    }

    /// `H v` in one row: the relative velocity of bodies with the generalised velocities `v`.
    #[inline]
    pub fn relative(&self, alpha: usize, v: &[f64]) -> Vector<D> {
        let head = &self.heads[alpha];
        // pairs of rigid bodies in the plane and in space: loops of constant length
        let known = match head.dofs.map(|dofs| dofs.count as usize) {
            [PLANE, PLANE] => self.relative_of::<PLANE>(head, v),
            [SPACE, SPACE] => self.relative_of::<SPACE>(head, v),
            _ => None,
        };
        known.unwrap_or_else(|| {
            let row = self.pair(alpha);
            let of = |side: usize| {
                let ((few, filled), v) = (head.parts::<D>(side), &v[head.dofs[side].range()]);
                match filled.is_empty() && few == v.len() {
                    true => times(row.h[side], v),
                    false => times_filled(row.h[side], v, few, filled),
                }
            };
            of(0) + of(1)
        })
    }

    /// The same for two bodies with `N` degrees of freedom each.
    #[inline(always)]
    fn relative_of<const N: usize>(&self, head: &Head, v: &[f64]) -> Option<Vector<D>> {
        let (one, rest) = self.columns.get(head.first..)?.split_first_chunk::<N>()?;
        let [a, b] = head.dofs.map(|dofs| v.get(dofs.start as usize..).and_then(|v| v.first_chunk::<N>()));
        Some(fixed(one, a?) + fixed(rest.first_chunk::<N>()?, b?))
    }
}

/// How many columns of a row are those of a rigid line, and which others are not all zero: a contact holds a
/// deformable body by its line and by one of many ports.
fn filled<const D: usize>(columns: &[[f64; D]]) -> (usize, Range<usize>) {
    let few = rigid_dofs(D).min(columns.len());
    let is_filled = |column: &[f64; D]| column.iter().any(|&x| x != 0.0);
    let first = columns[few..].iter().position(is_filled).map_or(columns.len(), |k| few + k);
    let end = columns[first..].iter().rposition(is_filled).map_or(first, |k| first + k + 1);
    (few, first..end)
}

/// What one body adds to the diagonal block of a contact.
fn block<const D: usize>(row: &Row<D>, side: usize, bodies: &Compliances) -> Matrix<D, D> {
    let (body, h) = (row.bodies[side] as usize, row.h[side]);
    let (few, ports) = filled(h);
    coupling(bodies, body, few, [(h, ports.clone()), (h, ports)])
}

/// `left C rightᵀ` for two rows of one body with compliance C, each with its columns beyond the first `few`
/// that are not all zero.
fn coupling<const D: usize>(
    bodies: &Compliances,
    body: usize,
    few: usize,
    [(left, left_ports), (right, right_ports)]: [(&[[f64; D]], Range<usize>); 2],
) -> Matrix<D, D> {
    let mut sum = Matrix::<D, D>::zeros();
    let mut add = |left: [f64; D], right: &[f64; D]| {
        for j in 0..D {
            (0..D).for_each(|i| sum[(i, j)] += left[i] * right[j]);
        }
    };
    let matrix = match bodies.of(body) {
        Compliance::Fixed => return sum,
        Compliance::Diagonal(inverse_mass) => {
            for ((left, right), m) in left.iter().zip(right).zip(inverse_mass) {
                add(left.map(|x| x * m), right);
            }
            return sum;
        }
        Compliance::Dense(matrix) => matrix,
    };
    // what the rigid line answers is apart from what ports do
    if few <= bodies.alone(body) {
        for ((left, right), m) in left.iter().zip(right).zip(bodies.inverse_mass(body)).take(few) {
            add(left.map(|x| x * m), right);
        }
        let (columns, rows) = (&left[left_ports.clone()], matrix.chunks_exact(right.len()));
        let rows = || rows.clone().skip(left_ports.start);
        for k in right_ports {
            let mut answer = [0.0; D];
            for (column, row) in columns.iter().zip(rows()) {
                (0..D).for_each(|i| answer[i] += column[i] * row[k]);
            }
            add(answer, &right[k]);
        }
        return sum;
    }
    for k in (0..few).chain(right_ports) {
        let mut answer = [0.0; D];
        for l in (0..few).chain(left_ports.clone()) {
            let c = matrix[l * right.len() + k];
            (0..D).for_each(|i| answer[i] += left[l][i] * c);
        }
        add(answer, &right[k]);
    }
    sum
}

impl<const D: usize> Delassus<D> for Condensed<D> {
    /// Velocities of the bodies due to `r` alone, `M⁻¹ Hᵀ r`, body after body.
    type Carry = Vec<f64>;

    fn contacts(&self) -> usize {
        self.heads.len()
    }

    fn block(&self, alpha: usize) -> Matrix<D, D> {
        self.diagonal[alpha]
    }

    fn assemble(&self) -> BlockRows<D> {
        self.assembled()
    }

    /// A body with n contacts is cut into n pieces.
    fn split(&self) -> Vec<Matrix<D, D>> {
        let mut contacts = vec![0.0; self.bodies.len()];
        for body in self.heads.iter().flat_map(|head| head.bodies) {
            contacts[body as usize] += 1.0;
        }
        let share =
            |row: &Row<D>, side: usize| block(row, side, &self.bodies) * contacts[row.bodies[side] as usize];
        let own = |alpha: usize| Matrix::from_diagonal(&self.compliance(alpha));
        let rows = self.pairs().enumerate();
        rows.map(|(alpha, row)| share(&row, 0) + share(&row, 1) + own(alpha)).collect()
    }

    /// One equation for every component that can move, and one for every component of a contact that gives
    /// way itself.
    fn balance(&self) -> Vec<(u32, u32, Vector<D>)> {
        let mut entries = Vec::new();
        let mut bodies = self.bodies.clone();
        bodies.find_roots();
        for (alpha, row) in self.pairs().enumerate() {
            for side in 0..2 {
                let body = row.bodies[side] as usize;
                let first = bodies.dofs(body).start as usize;
                let inverse_mass = bodies.inverse_mass(body);
                for component in (0..inverse_mass.len()).filter(|&component| inverse_mass[component] > 0.0) {
                    let column = Vector::from(bodies.scaled(body, row.h[side], component));
                    entries.push(((first + component) as u32, alpha as u32, column));
                }
            }
        }
        let first = self.bodies.total();
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
        let mut velocities = vec![0.0; self.bodies.total()];
        self.add_up(r, &mut velocities);
        velocities
    }

    fn renew(&self, r: &[Vector<D>], carry: &mut Self::Carry) {
        carry.clear();
        carry.resize(self.bodies.total(), 0.0);
        self.add_up(r, carry);
    }

    #[inline]
    fn row(&self, alpha: usize, r: &[Vector<D>], carry: &Self::Carry) -> Vector<D> {
        let u = self.relative(alpha, carry);
        match self.compliance.get(alpha) {
            Some(compliance) => u + compliance.component_mul(&r[alpha]),
            None => u,
        }
    }

    #[inline]
    fn change(&self, alpha: usize, delta: &Vector<D>, carry: &mut Self::Carry) {
        for side in 0..2 {
            raise_side(self, alpha, side, delta, &mut carry[self.range(alpha, side)]);
        }
    }

    fn dispatch<K: Kernel<D>>(&self, kernel: K) -> K::Output {
        kernel.condensed(self)
    }
}

/// Adds what an impulse at a contact gives the body on one side to its velocities.
#[inline]
fn raise_side<const D: usize>(w: &Condensed<D>, alpha: usize, side: usize, delta: &Vector<D>, v: &mut [f64]) {
    let row = w.pair(alpha);
    match w.bodies.at(row.bodies[side] as usize, w.heads[alpha].dofs[side]) {
        Compliance::Fixed => {}
        Compliance::Diagonal(inverse_mass) => raise(v, row.h[side], inverse_mass, delta),
        Compliance::Dense(matrix) => {
            let (few, filled) = w.heads[alpha].parts::<D>(side);
            let impulse = |k: usize| (k, dot(&row.h[side][k], delta));
            let body = row.bodies[side] as usize;
            if few > w.bodies.alone(body) {
                return add_columns(v, matrix, 0, (0..few).chain(filled).map(impulse));
            }
            // what the rigid line answers is apart from what ports do, to the same bits: the rest are zeros
            let (line, count) = (w.bodies.inverse_mass(body), v.len());
            for (k, v) in v.iter_mut().enumerate().take(few) {
                *v += impulse(k).1 * line[k];
            }
            if few < count {
                add_columns(&mut v[few..], matrix, few, filled.map(impulse));
            }
        }
    }
}

/// Adds columns of a full matrix times their impulses, one after the other, to velocities that begin with
/// number `first`; columns without an impulse are passed over.
#[inline]
fn add_columns(v: &mut [f64], matrix: &[f64], first: usize, impulses: impl Iterator<Item = (usize, f64)>) {
    let mut impulses = impulses.filter(|(_, impulse)| *impulse != 0.0);
    let (count, length) = (v.len() + first, v.len());
    let column = |k: usize| &matrix[k * count + first..][..length];
    // two at a time: velocities are read and written half as often
    while let Some((k, one)) = impulses.next() {
        match impulses.next() {
            Some((l, two)) => {
                let pair = Pair { columns: [column(k), column(l)], impulses: [one, two] };
                match length < WIDE {
                    true => pair.add(v),
                    false => dispatch!(instructions::level(), _simd => pair.add(v)),
                }
            }
            None => v.iter_mut().zip(column(k)).for_each(|(v, c)| *v += c * one),
        }
    }
}

/// From so many velocities on vectors are as wide as the machine has them.
const WIDE: usize = 24;

/// Two columns of a matrix and what they are multiplied by.
#[derive(Clone, Copy)]
struct Pair<'a> {
    columns: [&'a [f64]; 2],
    impulses: [f64; 2],
}

impl Pair<'_> {
    #[inline(always)]
    fn add(self, v: &mut [f64]) {
        let ([one, two], [x, y]) = (self.columns, self.impulses);
        for ((v, a), b) in v.iter_mut().zip(one).zip(two) {
            *v = (*v + a * x) + b * y;
        }
    }
}

/// Adds `M⁻¹ Hᵀ δ` to the velocities of a body with a diagonal mass.
#[inline]
fn raise<const D: usize>(v: &mut [f64], h: &[[f64; D]], inverse_mass: &[f64], delta: &Vector<D>) {
    // rigid bodies in the plane and in space: loops of constant length
    match v.len() {
        PLANE => {
            raise_all::<D, PLANE>(v.first_chunk_mut(), h.first_chunk(), inverse_mass.first_chunk(), delta)
        }
        SPACE => {
            raise_all::<D, SPACE>(v.first_chunk_mut(), h.first_chunk(), inverse_mass.first_chunk(), delta)
        }
        _ => {
            for ((v, column), m) in v.iter_mut().zip(h).zip(inverse_mass) {
                *v += dot(column, delta) * m;
            }
        }
    }
}

#[inline(always)]
fn raise_all<const D: usize, const N: usize>(
    v: Option<&mut [f64; N]>,
    h: Option<&[[f64; D]; N]>,
    inverse_mass: Option<&[f64; N]>,
    delta: &Vector<D>,
) {
    let (Some(v), Some(h), Some(inverse_mass)) = (v, h, inverse_mass) else { return };
    for k in 0..N {
        v[k] += dot(&h[k], delta) * inverse_mass[k];
    }
}

#[cfg(test)]
mod tests;
