//! A symmetric positive matrix in its envelope: in each row from the first entry that is not zero to the
//! diagonal. On a grid numbered row by row that is a band, and factors fill in nothing beyond it.

/// The lower half, row after row.
#[derive(Clone)]
pub(super) struct Envelope {
    size: usize,
    values: Vec<f64>,
    /// The first column of each row that was written.
    first: Vec<usize>,
}

impl Envelope {
    pub fn zeros(size: usize) -> Self {
        Self { size, values: vec![0.0; size * size], first: (0..size).collect() }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.size..][..=row]
    }

    /// Adds to an entry of the lower half.
    #[inline]
    pub fn add_at(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] += value;
        self.first[row] = self.first[row].min(column);
    }

    /// Adds another matrix.
    pub fn add(&mut self, other: &Self) {
        for row in 0..self.size {
            for column in other.first[row]..=row {
                self.add_at(row, column, other.row(row)[column]);
            }
        }
    }

    /// Makes the diagonal larger by a share of it, and one where there is nothing.
    pub fn raise_diagonal(&mut self, share: f64) {
        for row in 0..self.size {
            let on = &mut self.values[row * self.size + row];
            *on = if *on > 0.0 { *on * (1.0 + share) } else { 1.0 };
        }
    }

    /// `xᵀ A x`.
    pub fn quadratic(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for row in 0..self.size {
            let entries = self.row(row);
            let beside: f64 = (self.first[row]..row).map(|column| entries[column] * x[column]).sum();
            sum += x[row] * (2.0 * beside + entries[row] * x[row]);
        }
        sum
    }

    /// Solves for one right side, and leaves the factor of Cholesky in the place of the matrix. A pivot of
    /// which rounding leaves nothing takes its unknown out.
    pub fn solve(mut self, x: &mut [f64]) {
        for row in 0..self.size {
            for column in self.first[row]..=row {
                let begin = self.first[row].max(self.first[column]);
                let (left, right) = (&self.row(row)[begin..column], &self.row(column)[begin..column]);
                let known: f64 = left.iter().zip(right).map(|(a, b)| a * b).sum();
                let rest = self.row(row)[column] - known;
                let entry = match column == row {
                    true if rest > 0.0 => rest.sqrt(),
                    true => f64::INFINITY,
                    false => rest / self.row(column)[column],
                };
                self.values[row * self.size + column] = entry;
            }
        }
        for row in 0..self.size {
            let entries = self.row(row);
            let known: f64 = (self.first[row]..row).map(|column| entries[column] * x[column]).sum();
            x[row] = (x[row] - known) / entries[row];
        }
        for row in (0..self.size).rev() {
            let entries = self.row(row);
            x[row] /= entries[row];
            for column in self.first[row]..row {
                x[column] -= entries[column] * x[row];
            }
        }
    }
}
