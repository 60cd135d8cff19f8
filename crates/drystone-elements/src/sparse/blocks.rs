//! A symmetric matrix of D×D blocks on the pattern of a mesh, all rows stored.

use std::sync::Arc;

/// Which nodes share an element: row by row, every row with its diagonal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodePattern {
    starts: Vec<usize>,
    columns: Vec<u32>,
}

impl NodePattern {
    /// From lists of nodes that all see each other.
    pub fn of_cliques<'a>(nodes: usize, cliques: impl Iterator<Item = &'a [u32]> + Clone) -> Self {
        let mut counts = vec![1usize; nodes + 1];
        for clique in cliques.clone() {
            clique.iter().for_each(|&node| counts[node as usize] += clique.len());
        }
        // room for all, then sorted and without repetitions
        let mut first = vec![0; nodes + 1];
        (0..nodes).for_each(|node| first[node + 1] = first[node] + counts[node]);
        let mut next = first.clone();
        let mut all = vec![0u32; first[nodes]];
        let mut put = |row: usize, column: u32| {
            all[next[row]] = column;
            next[row] += 1;
        };
        (0..nodes).for_each(|node| put(node, node as u32));
        for clique in cliques {
            for &row in clique {
                clique.iter().for_each(|&column| put(row as usize, column));
            }
        }
        let mut pattern = Self { starts: vec![0], columns: Vec::new() };
        for node in 0..nodes {
            let row = &mut all[first[node]..first[node + 1]];
            row.sort_unstable();
            for k in 0..row.len() {
                if k == 0 || row[k] != row[k - 1] {
                    pattern.columns.push(row[k]);
                }
            }
            pattern.starts.push(pattern.columns.len());
        }
        pattern
    }

    /// Number of block rows.
    pub fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Number of blocks.
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Columns of a row, increasing.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.columns[self.starts[row]..self.starts[row + 1]]
    }

    /// Place of the first entry of a row.
    pub(super) fn start(&self, row: usize) -> usize {
        self.starts[row]
    }

    /// Place of an entry, where the pattern has it.
    pub fn find(&self, row: usize, column: u32) -> Option<usize> {
        self.row(row).binary_search(&column).ok().map(|place| self.starts[row] + place)
    }
}

/// A symmetric matrix of D×D blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricBlocks<const D: usize> {
    pattern: Arc<NodePattern>,
    values: Vec<[[f64; D]; D]>,
}

impl<const D: usize> SymmetricBlocks<D> {
    /// Zeros on a pattern.
    pub fn zeros(pattern: &Arc<NodePattern>) -> Self {
        Self { pattern: Arc::clone(pattern), values: vec![[[0.0; D]; D]; pattern.entries()] }
    }

    /// Its pattern.
    pub fn pattern(&self) -> &Arc<NodePattern> {
        &self.pattern
    }

    /// Number of degrees of freedom.
    pub fn size(&self) -> usize {
        self.pattern.rows() * D
    }

    /// All blocks, in the order of the pattern.
    pub fn values(&self) -> &[[[f64; D]; D]] {
        &self.values
    }

    /// Sets all to zero.
    pub fn clear(&mut self) {
        self.values.fill([[0.0; D]; D]);
    }

    /// Adds a matrix of an element, given row after row over the degrees of freedom of its nodes.
    pub(crate) fn add_element(&mut self, nodes: &[u32], matrix: &[f64]) {
        let width = nodes.len() * D;
        for (a, &row) in nodes.iter().enumerate() {
            for (b, &column) in nodes.iter().enumerate() {
                let Some(place) = self.pattern.find(row as usize, column) else { continue };
                for i in 0..D {
                    for j in 0..D {
                        self.values[place][i][j] += matrix[(a * D + i) * width + b * D + j];
                    }
                }
            }
        }
    }

    /// Adds a number to a diagonal entry: a spring to the ground, a mass at a node.
    pub fn add_diagonal(&mut self, dof: usize, value: f64) {
        let (node, axis) = (dof / D, dof % D);
        if let Some(place) = self.pattern.find(node, node as u32) {
            self.values[place][axis][axis] += value;
        }
    }

    /// The diagonal.
    pub fn diagonal(&self) -> Vec<f64> {
        let block = |node: usize| self.pattern.find(node, node as u32).map(|place| self.values[place]);
        (0..self.size()).map(|dof| block(dof / D).map_or(0.0, |block| block[dof % D][dof % D])).collect()
    }

    /// `self += s · other`, of the same pattern.
    pub fn add_scaled(&mut self, s: f64, other: &Self) {
        for (one, other) in self.values.iter_mut().zip(&other.values) {
            for i in 0..D {
                (0..D).for_each(|j| one[i][j] += s * other[i][j]);
            }
        }
    }

    /// `A x`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.size()];
        for row in 0..self.pattern.rows() {
            let mut sum = [0.0; D];
            let start = self.pattern.start(row);
            for (k, &column) in self.pattern.row(row).iter().enumerate() {
                let (block, x) = (&self.values[start + k], &x[column as usize * D..][..D]);
                for i in 0..D {
                    (0..D).for_each(|j| sum[i] += block[i][j] * x[j]);
                }
            }
            y[row * D..][..D].copy_from_slice(&sum);
        }
        y
    }

    /// Takes degrees of freedom out: their rows and columns become zero but for the diagonal, which stays if
    /// it is positive.
    pub fn hold(&mut self, held: &[bool]) {
        for row in 0..self.pattern.rows() {
            let start = self.pattern.start(row);
            for (k, &column) in self.pattern.row(row).iter().enumerate() {
                let block = &mut self.values[start + k];
                for i in 0..D {
                    for j in 0..D {
                        let (one, other) = (row * D + i, column as usize * D + j);
                        if !held[one] && !held[other] {
                            continue;
                        }
                        let kept = if block[i][j] > 0.0 { block[i][j] } else { 1.0 };
                        block[i][j] = if one == other { kept } else { 0.0 };
                    }
                }
            }
        }
    }
}
