//! The bodies as the condensed operator sees them: where their velocities lie, and how they give way to
//! impulses. Knows no contact.

use drystone_math::{Compliance, Dofs};

/// The compliances of all bodies.
#[derive(Clone, Debug, Default)]
pub struct Compliances {
    dofs: Vec<Dofs>,
    kinds: Vec<ComplianceKind>,
    /// How many of the first degrees of freedom of each body answer to nothing but themselves.
    alone: Vec<u32>,
    /// Diagonals of all compliances, by the degrees of freedom.
    diagonal: Vec<f64>,
    /// Their roots.
    diagonal_roots: Vec<f64>,
    /// Full matrices one after the other, and the roots that are known, see [`Self::scaled`].
    dense: Vec<f64>,
    roots: Vec<f64>,
}

/// Roots of bodies of so many degrees of freedom are made as they come: lanes ask for them in every step.
/// Those of wider ones, which cost the cube of their number, are made where somebody asks.
const ROOTED: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ComplianceKind {
    Fixed,
    Diagonal,
    /// From here on in the full matrices, and in the roots where they are known.
    Dense(usize, Option<usize>),
}

impl Compliances {
    /// No bodies yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes all bodies out and keeps the memory.
    pub fn clear(&mut self) {
        let Self { dofs, kinds, alone, diagonal, diagonal_roots, dense, roots } = self;
        dofs.clear();
        kinds.clear();
        alone.clear();
        [diagonal, diagonal_roots, dense, roots].into_iter().for_each(Vec::clear);
    }

    /// Bodies of one size that each have a diagonal one.
    pub fn diagonal<const N: usize>(bodies: impl IntoIterator<Item = impl Into<[f64; N]>>) -> Self {
        let mut all = Self::new();
        bodies.into_iter().for_each(|body| all.push(Compliance::Diagonal(&body.into())));
        all
    }

    /// Adds a body that nothing moves, with so many degrees of freedom.
    pub fn push_fixed(&mut self, count: usize) {
        self.add(count, count, ComplianceKind::Fixed);
        self.extend_diagonal((0..count).map(|_| 0.0));
    }

    /// Adds a body. A fixed one has no degree of freedom here, and its rows of H no columns.
    pub fn push(&mut self, compliance: Compliance) {
        match compliance {
            Compliance::Fixed => self.push_fixed(0),
            Compliance::Diagonal(values) => {
                let moves = values.iter().any(|&value| value != 0.0);
                let kind = if moves { ComplianceKind::Diagonal } else { ComplianceKind::Fixed };
                self.add(values.len(), values.len(), kind);
                self.extend_diagonal(values.iter().copied());
            }
            Compliance::Dense(matrix) => {
                let count = matrix.len().isqrt();
                let rooted = (count <= ROOTED).then_some(self.roots.len());
                self.add(count, alone(matrix, count), ComplianceKind::Dense(self.dense.len(), rooted));
                self.extend_diagonal((0..count).map(|k| matrix[k * count + k]));
                self.dense.extend_from_slice(&matrix[..count * count]);
                if rooted.is_some() {
                    self.roots.extend(root(matrix, count));
                }
            }
        }
    }

    /// Adds a body of a rigid line with a diagonal compliance, and of ports behind it with a full one, row
    /// after row: neither answers to impulses on the other.
    pub fn push_with_ports(&mut self, line: &[f64], ports: &[f64]) {
        let (few, many, first) = (line.len(), ports.len().isqrt(), self.dense.len());
        let count = few + many;
        let rooted = (count <= ROOTED).then_some(self.roots.len());
        self.add(count, few, ComplianceKind::Dense(first, rooted));
        self.extend_diagonal(line.iter().copied().chain((0..many).map(|k| ports[k * many + k])));
        self.dense.resize(first + count * count, 0.0);
        let matrix = &mut self.dense[first..];
        line.iter().enumerate().for_each(|(k, m)| matrix[k * count + k] = *m);
        for (k, row) in ports.chunks_exact(many.max(1)).enumerate() {
            matrix[(few + k) * count + few..][..many].copy_from_slice(row);
        }
        if rooted.is_some() {
            self.roots.extend(root(&self.dense[first..], count));
        }
    }

    /// Makes the roots of all full compliances, for whoever asks for many of their [columns](Self::scaled).
    pub fn find_roots(&mut self) {
        for (kind, dofs) in self.kinds.iter_mut().zip(&self.dofs) {
            if let ComplianceKind::Dense(first, rooted @ None) = kind {
                let count = dofs.count as usize;
                *rooted = Some(self.roots.len());
                self.roots.extend(root(&self.dense[*first..*first + count * count], count));
            }
        }
    }

    fn add(&mut self, count: usize, alone: usize, kind: ComplianceKind) {
        self.alone.push(alone as u32);
        self.dofs.push(Dofs { start: self.diagonal.len() as u32, count: count as u32 });
        self.kinds.push(kind);
    }

    fn extend_diagonal(&mut self, values: impl Iterator<Item = f64>) {
        let first = self.diagonal.len();
        self.diagonal.extend(values);
        self.diagonal_roots.extend(self.diagonal[first..].iter().map(|value| value.max(0.0).sqrt()));
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.dofs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.dofs.is_empty()
    }

    /// Degrees of freedom of all bodies together.
    pub fn total(&self) -> usize {
        self.diagonal.len()
    }

    /// Where the velocities of a body lie.
    #[inline]
    pub fn dofs(&self, body: usize) -> Dofs {
        self.dofs[body]
    }

    /// The compliance of a body.
    #[inline]
    pub fn of(&self, body: usize) -> Compliance<'_> {
        self.at(body, self.dofs[body])
    }

    /// The compliance of a body whose place is known.
    #[inline]
    pub(crate) fn at(&self, body: usize, dofs: Dofs) -> Compliance<'_> {
        match self.kinds[body] {
            ComplianceKind::Fixed => Compliance::Fixed,
            ComplianceKind::Diagonal => Compliance::Diagonal(&self.diagonal[dofs.range()]),
            ComplianceKind::Dense(first, _) => {
                let count = dofs.count as usize;
                Compliance::Dense(&self.dense[first..first + count * count])
            }
        }
    }

    /// How many of the first degrees of freedom of a body answer to nothing but themselves: all of a diagonal
    /// compliance, of a deformable body those of its rigid line.
    #[inline]
    pub(crate) fn alone(&self, body: usize) -> usize {
        self.alone[body] as usize
    }

    /// Diagonal of the compliance of a body: all of it for a rigid one.
    pub fn inverse_mass(&self, body: usize) -> &[f64] {
        &self.diagonal[self.dofs[body].range()]
    }

    /// Whether any impulse moves the body.
    pub fn moves(&self, body: usize) -> bool {
        self.kinds[body] != ComplianceKind::Fixed
    }

    /// Most degrees of freedom of any body that moves.
    pub fn widest(&self) -> usize {
        let moving = (0..self.len()).filter(|&body| self.moves(body));
        moving.map(|body| self.dofs[body].count as usize).max().unwrap_or(0)
    }

    /// Whether a body answers by a full matrix.
    pub fn is_dense(&self, body: usize) -> bool {
        matches!(self.kinds[body], ComplianceKind::Dense(..))
    }

    /// Roots of the compliance of a body where it is a diagonal, see [`Self::scaled`].
    #[inline]
    pub fn diagonal_root(&self, body: usize) -> Option<&[f64]> {
        (self.kinds[body] == ComplianceKind::Diagonal).then(|| &self.diagonal_roots[self.dofs[body].range()])
    }

    /// A row of H for a body in coordinates in which the body has unit mass: column k of `G = H R` where `C =
    /// R Rᵀ`, so that `H C Hᵀ = G Gᵀ`. The root of a wide body is made each time, unless they were
    /// [found](Self::find_roots) before.
    #[inline]
    pub fn scaled<const D: usize>(&self, body: usize, columns: &[[f64; D]], k: usize) -> [f64; D] {
        match self.kinds[body] {
            ComplianceKind::Fixed => [0.0; D],
            ComplianceKind::Diagonal => {
                let root = self.diagonal_roots[self.dofs[body].start as usize + k];
                columns[k].map(|x| x * root)
            }
            ComplianceKind::Dense(first, rooted) => {
                let count = columns.len();
                let made;
                let roots = match rooted {
                    Some(at) => &self.roots[at..],
                    None => {
                        made = root(&self.dense[first..first + count * count], count);
                        &made[..]
                    }
                };
                let mut sum = [0.0; D];
                // the root is lower triangular
                for l in k..count {
                    let root = roots[l * count + k];
                    (0..D).for_each(|i| sum[i] += columns[l][i] * root);
                }
                sum
            }
        }
    }
}

/// How many of the first rows of a symmetric matrix have nothing but their diagonal.
fn alone(matrix: &[f64], count: usize) -> usize {
    let is_alone = |row: usize| (0..count).all(|k| k == row || matrix[row * count + k] == 0.0);
    (0..count).position(|row| !is_alone(row)).unwrap_or(count)
}

/// The lower triangular `R` with `C = R Rᵀ` (Cholesky), row after row. Where nothing but rounding is left of
/// a pivot its column is zero: compliances of bodies with driven components are singular.
fn root(matrix: &[f64], count: usize) -> Vec<f64> {
    let mut root = vec![0.0; count * count];
    for column in 0..count {
        let known = |row: usize, root: &[f64]| -> f64 {
            (0..column).map(|k| root[row * count + k] * root[column * count + k]).sum()
        };
        let whole = matrix[column * count + column];
        let pivot = whole - known(column, &root);
        if pivot <= count as f64 * f64::EPSILON * whole.abs() {
            continue;
        }
        let pivot = pivot.sqrt();
        root[column * count + column] = pivot;
        for row in column + 1..count {
            root[row * count + column] = (matrix[row * count + column] - known(row, &root)) / pivot;
        }
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body of a line and ports is the one of its whole matrix.
    #[test]
    fn a_body_with_ports_is_that_of_its_whole_matrix() {
        for many in [0, 2, 8] {
            let (line, count) = ([0.5, 0.5, 3.0], 3 + many);
            let entry = |i: usize, j: usize| if i == j { 2.0 } else { 1.0 / (1.0 + i.abs_diff(j) as f64) };
            let ports: Vec<f64> = (0..many * many).map(|k| entry(k / many, k % many)).collect();
            let mut matrix = vec![0.0; count * count];
            (0..3).for_each(|k| matrix[k * count + k] = line[k]);
            for (i, j) in (0..many).flat_map(|i| (0..many).map(move |j| (i, j))) {
                matrix[(3 + i) * count + 3 + j] = ports[i * many + j];
            }
            let (mut one, mut two) = (Compliances::new(), Compliances::new());
            one.push_with_ports(&line, &ports);
            two.push(Compliance::Dense(&matrix));
            assert_eq!((one.dense.as_slice(), one.dofs(0)), (matrix.as_slice(), two.dofs(0)));
            assert_eq!((one.inverse_mass(0), &one.roots), (two.inverse_mass(0), &two.roots));
            assert!(one.alone(0) >= 3 && two.alone(0) >= 3);
        }
    }

    /// Columns of wide bodies have the same bits whether roots were found before or not.
    #[test]
    fn roots_found_before_are_those_made_when_asked_for() {
        let count = ROOTED + 3;
        let entry = |i: usize, j: usize| if i == j { 2.0 } else { 1.0 / (1.0 + i.abs_diff(j) as f64) };
        let matrix: Vec<f64> = (0..count * count).map(|k| entry(k / count, k % count)).collect();
        let small: Vec<f64> = (0..9).map(|k| entry(k / 3, k % 3)).collect();
        let mut bodies = Compliances::new();
        [&matrix, &small, &matrix].into_iter().for_each(|matrix| bodies.push(Compliance::Dense(matrix)));
        let columns: Vec<[f64; 2]> = (0..count).map(|k| [k as f64 - 3.0, 1.0 / (k as f64 + 1.0)]).collect();
        let all = |bodies: &Compliances| -> Vec<[f64; 2]> {
            let of = |body: usize, count: usize| (0..count).map(move |k| (body, count, k));
            let each = of(0, count).chain(of(1, 3)).chain(of(2, count));
            each.map(|(body, count, k)| bodies.scaled(body, &columns[..count], k)).collect()
        };
        let before = all(&bodies);
        bodies.find_roots();
        assert_eq!(all(&bodies), before);
        let sum: f64 = before[..count].iter().map(|g| g[0] * g[1]).sum();
        let direct = (0..count * count).map(|k| columns[k / count][0] * matrix[k] * columns[k % count][1]);
        assert!((sum - direct.sum::<f64>()).abs() < 1e-12);
    }

    /// `R Rᵀ` is the matrix again, also where a component is driven and where two move as one.
    #[test]
    fn roots_of_singular_compliances() {
        let number = |k: usize| ((k * 7919 % 1013) as f64 / 1013.0) - 0.5;
        for (count, rank) in [(5, 5), (5, 3), (4, 1)] {
            let factor = |i: usize, k: usize| number(i * 31 + k * 7 + 1);
            let mut matrix = vec![0.0; count * count];
            for (i, j) in
                (0..count * count).map(|k| (k / count, k % count)).filter(|&(i, j)| i != 2 && j != 2)
            {
                matrix[i * count + j] = (0..rank).map(|k| factor(i, k) * factor(j, k)).sum();
            }
            let root = root(&matrix, count);
            for (i, j) in (0..count * count).map(|k| (k / count, k % count)) {
                let product: f64 = (0..count).map(|k| root[i * count + k] * root[j * count + k]).sum();
                assert!((product - matrix[i * count + j]).abs() < 1e-14, "{count} {rank} {i} {j}");
            }
        }
    }
}
