//! Sparse matrices by columns: assembly from entries and products. Factors nothing.

/// A sparse matrix by columns, rows of each column in increasing order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Csc {
    /// Where each column begins, and the end of the last.
    pub start: Vec<usize>,
    /// Row of every entry.
    pub row: Vec<u32>,
    /// Every entry.
    pub value: Vec<f64>,
}

impl Csc {
    /// Sums up entries `(row, column, value)`, those of one place in the order given.
    pub fn new(columns: usize, entries: &[(u32, u32, f64)]) -> Self {
        let mut sorted: Vec<(u32, u32, f64)> = entries.to_vec();
        // stable, so that sums have the same bits everywhere
        sorted.sort_by_key(|&(row, column, _)| (column, row));
        let mut matrix = Self { start: vec![0; columns + 1], row: Vec::new(), value: Vec::new() };
        for same in sorted.chunk_by(|a, b| a.0 == b.0 && a.1 == b.1) {
            matrix.row.push(same[0].0);
            matrix.value.push(same.iter().map(|entry| entry.2).sum());
            matrix.start[same[0].1 as usize + 1] += 1;
        }
        for column in 0..columns {
            matrix.start[column + 1] += matrix.start[column];
        }
        matrix
    }

    pub fn columns(&self) -> usize {
        self.start.len() - 1
    }

    /// The entries of a column.
    pub fn column(&self, column: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.start[column]..self.start[column + 1];
        self.row[range.clone()].iter().map(|&row| row as usize).zip(self.value[range].iter().copied())
    }

    /// `y += factor · M x`.
    pub fn add_times(&self, factor: f64, x: &[f64], y: &mut [f64]) {
        for column in 0..self.columns() {
            let scaled = factor * x[column];
            if scaled != 0.0 {
                self.column(column).for_each(|(row, value)| y[row] += value * scaled);
            }
        }
    }

    /// `y += factor · Mᵀ x`.
    pub fn add_transposed(&self, factor: f64, x: &[f64], y: &mut [f64]) {
        for column in 0..self.columns() {
            y[column] += factor * self.column(column).map(|(row, value)| value * x[row]).sum::<f64>();
        }
    }

    /// `y += factor · M x` for a symmetric matrix of which the upper triangle is kept.
    pub fn add_symmetric(&self, factor: f64, x: &[f64], y: &mut [f64]) {
        for column in 0..self.columns() {
            let mut sum = 0.0;
            for (row, value) in self.column(column) {
                sum += value * x[row];
                if row != column {
                    y[row] += factor * value * x[column];
                }
            }
            y[column] += factor * sum;
        }
    }
}
