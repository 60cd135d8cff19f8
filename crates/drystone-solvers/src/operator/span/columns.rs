//! The columns of an assembled operator of low rank: `W = L Lᵀ` with sparse L, by Cholesky's factorisation
//! with pivots, ended where nothing is left (Higham 1990). Refuses operators that are not symmetric, columns
//! that do not give the products with W, and whatever is not worth it.

#[cfg(test)]
pub(super) mod tests;

use drystone_problem::{BlockRows, Vector};

/// A pivot must be so large, relative to its entry of the diagonal; in turn, so that what follows from others
/// is not taken for new while larger pivots are at hand.
const PIVOTS: [f64; 3] = [1e-4, 1e-7, 1e-11];

/// Compliances within a factor of two to this are about the same.
const OCTAVES: u64 = 12;

/// Entries of a column that are rounding, relative to the diagonal.
const NOTHING: f64 = 1e-13;

/// Products with vectors of ones and minus ones by which columns are checked: an entry that is wrong stays
/// hidden from one of them in half of the cases, from all in one of 256.
const TRIALS: u32 = 8;

/// Most multiplications for each number of W, lest looking for columns cost more than they gain.
const MOST_WORK: f64 = 10.0;

/// The rows of L, contact by contact.
#[derive(Clone, Debug)]
pub(crate) struct Columns<const D: usize> {
    /// Where each contact starts, and the number of entries at the end.
    starts: Vec<usize>,
    /// Column of each entry, increasing within a contact.
    places: Vec<u32>,
    /// What each contact has in the column.
    values: Vec<Vector<D>>,
    rank: usize,
}

impl<const D: usize> Columns<D> {
    /// The columns of W; `None` where their numbers are more than a `share` of those of W, or products with
    /// them are further from those with W than `exact`, relative to the diagonal.
    pub fn of(w: &BlockRows<D>, share: f64, exact: f64) -> Option<Self> {
        let flat = ScaledNumbers::of(w, exact)?;
        let numbers = flat.values.len() as f64;
        let mut search = Search::new(&flat, share * numbers, MOST_WORK * numbers);
        let order = stiffest_first(w);
        for bar in PIVOTS {
            for &row in &order {
                if search.left[row] >= bar && !search.done[row] {
                    search.eliminate(row)?;
                }
            }
        }
        search.gives_back(exact).then(|| search.columns(&flat))
    }

    /// What each contact has in its columns, by increasing column, of so many.
    pub fn from_rows(rows: Vec<Vec<(u32, Vector<D>)>>, rank: usize) -> Self {
        let mut found = Self { starts: vec![0], places: Vec::new(), values: Vec::new(), rank };
        for row in rows {
            for (place, values) in row {
                found.places.push(place);
                found.values.push(values);
            }
            found.starts.push(found.places.len());
        }
        found
    }

    /// Number of columns.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// What a contact has in each of its columns, by increasing column.
    pub fn row(&self, contact: usize) -> impl Iterator<Item = (usize, &Vector<D>)> {
        let range = self.starts[contact]..self.starts[contact + 1];
        self.places[range.clone()].iter().map(|&place| place as usize).zip(&self.values[range])
    }
}

/// The rows, those of contacts that are about as compliant as each other in the order of the contacts. That
/// one goes from neighbour to neighbour. But what a light body does hides a heavy one beside it: where heavy
/// bodies come first, a column has numbers for one body and those that lean on it alone, and L is as sparse
/// as if the bodies were known.
fn stiffest_first<const D: usize>(w: &BlockRows<D>) -> Vec<usize> {
    let compliance = |contact: usize| (w.diagonal(contact).trace().to_bits() >> 52) / OCTAVES;
    let mut contacts: Vec<usize> = (0..w.rows()).collect();
    contacts.sort_by_key(|&contact| compliance(contact));
    contacts.iter().flat_map(|contact| contact * D..(contact + 1) * D).collect()
}

/// The rows of W as numbers, scaled to a diagonal of ones.
struct ScaledNumbers {
    starts: Vec<usize>,
    places: Vec<u32>,
    values: Vec<f64>,
    scales: Vec<f64>,
}

impl ScaledNumbers {
    /// `None` where W is not symmetric, or has a diagonal that a product cannot have.
    fn of<const D: usize>(w: &BlockRows<D>, exact: f64) -> Option<Self> {
        let diagonal: Vec<Vector<D>> = (0..w.rows()).map(|row| w.diagonal(row).diagonal()).collect();
        let scale = |&x: &f64| if x > 0.0 { 1.0 / x.sqrt() } else { 0.0 };
        if diagonal.iter().flat_map(|d| d.iter()).any(|&x| !(x >= 0.0 && scale(&x).is_finite())) {
            return None;
        }
        let scales: Vec<f64> = diagonal.iter().flat_map(|d| d.iter().map(scale)).collect();
        let mut flat = Self { starts: vec![0], places: Vec::new(), values: Vec::new(), scales };
        for row in 0..w.rows() {
            for i in 0..D {
                for (column, block) in w.row(row) {
                    for j in 0..D {
                        flat.push(row * D + i, column * D + j, block[(i, j)])?;
                    }
                }
                flat.starts.push(flat.places.len());
            }
        }
        flat.is_symmetric(exact).then_some(flat)
    }

    /// Takes a number over; `None` where there is none on the diagonal beside it.
    fn push(&mut self, row: usize, column: usize, value: f64) -> Option<()> {
        if value == 0.0 {
            return Some(());
        }
        let scaled = self.scales[row] * value * self.scales[column];
        self.places.push(column as u32);
        self.values.push(scaled);
        (scaled.is_finite() && scaled != 0.0).then_some(())
    }

    fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[row]..self.starts[row + 1];
        self.places[range.clone()].iter().map(|&place| place as usize).zip(self.values[range].iter().copied())
    }

    /// Whether what is above the diagonal is below as well; rows come in turn, and so do the entries of every
    /// column below.
    fn is_symmetric(&self, exact: f64) -> bool {
        let mut below = self.starts.clone();
        let mut mirrored = |row: usize, (column, value): (usize, f64)| {
            let (at, end) = (&mut below[column], self.starts[column + 1]);
            while *at < end && (self.places[*at] as usize) < row {
                *at += 1;
            }
            let found = *at < end && self.places[*at] as usize == row;
            let other = if found { self.values[*at] } else { 0.0 };
            (other - value).abs() <= exact
        };
        (0..self.rows()).all(|row| self.row(row).all(|entry| entry.0 <= row || mirrored(row, entry)))
    }
}

/// One or minus one, without a pattern that a matrix could have as well.
fn sign(trial: u32, row: usize) -> f64 {
    let mixed = (row as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15 ^ (u64::from(trial) << 17));
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    if mixed >> 63 == 0 { 1.0 } else { -1.0 }
}

/// The factorisation on its way.
struct Search<'a> {
    w: &'a ScaledNumbers,
    /// Entries of every column, by row.
    columns: Vec<Vec<(u32, f64)>>,
    /// The row that every column was made of.
    pivots: Vec<usize>,
    /// Entries of every row, by column.
    rows: Vec<Vec<(u32, f64)>>,
    /// What is left of the diagonal.
    left: Vec<f64>,
    /// Rows that were pivots.
    done: Vec<bool>,
    numbers: f64,
    most_numbers: f64,
    work: f64,
    most_work: f64,
    sum: Sum,
}

impl<'a> Search<'a> {
    fn new(w: &'a ScaledNumbers, most_numbers: f64, most_work: f64) -> Self {
        let rows = w.rows();
        Self {
            w,
            columns: Vec::new(),
            pivots: Vec::new(),
            rows: vec![Vec::new(); rows],
            left: w.scales.iter().map(|&scale| if scale > 0.0 { 1.0 } else { 0.0 }).collect(),
            done: vec![false; rows],
            numbers: 0.0,
            most_numbers,
            work: 0.0,
            most_work,
            sum: Sum::new(rows),
        }
    }

    /// Makes a column of what is left of a row; `None` where that is not worth it any more.
    fn eliminate(&mut self, pivot: usize) -> Option<()> {
        self.w.row(pivot).for_each(|(row, value)| self.sum.add(row, value));
        self.subtract_products(pivot);
        let left = self.sum.at(pivot);
        self.done[pivot] = true;
        if left.is_nan() || left <= NOTHING {
            self.sum.take();
            return Some(());
        }
        let (root, number) = (left.sqrt(), self.columns.len() as u32);
        let mut column = Vec::new();
        for (row, value) in self.sum.take() {
            let (at, own) = (row as usize, row as usize == pivot);
            if own || (!self.done[at] && value.abs() > NOTHING) {
                let value = value / root;
                column.push((row, value));
                self.rows[at].push((number, value));
                self.left[at] -= value * value;
            }
        }
        self.numbers += column.len() as f64;
        self.columns.push(column);
        self.pivots.push(pivot);
        self.is_worth_it().then_some(())
    }

    /// Takes the products of a row with all rows out of the sum.
    fn subtract_products(&mut self, row: usize) {
        for &(column, own) in &self.rows[row] {
            let column = &self.columns[column as usize];
            self.work += column.len() as f64;
            column.iter().for_each(|&(other, value)| self.sum.add(other as usize, -own * value));
        }
    }

    fn is_worth_it(&self) -> bool {
        self.numbers <= self.most_numbers && self.work <= self.most_work
    }

    /// Whether products with the columns are those with W, for some vectors.
    fn gives_back(&mut self, exact: f64) -> bool {
        let rows = self.rows.len();
        let mut along = vec![0.0; self.columns.len()];
        (0..TRIALS).all(|trial| {
            let x: Vec<f64> = (0..rows).map(|row| sign(trial, row)).collect();
            for (along, column) in along.iter_mut().zip(&self.columns) {
                *along = column.iter().map(|&(row, value)| value * x[row as usize]).sum();
            }
            (0..rows).all(|row| {
                let product: f64 = self.w.row(row).map(|(column, value)| value * x[column]).sum();
                let own = &self.rows[row];
                let same: f64 = own.iter().map(|&(column, value)| value * along[column as usize]).sum();
                (product - same).abs() <= exact
            })
        })
    }

    /// The columns in the order of their pivots, so that neighbours have neighbouring numbers.
    fn columns<const D: usize>(&self, w: &ScaledNumbers) -> Columns<D> {
        let mut order: Vec<usize> = (0..self.pivots.len()).collect();
        order.sort_unstable_by_key(|&column| self.pivots[column]);
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &column)| place[column] = at as u32);
        let mut found =
            Columns { starts: vec![0], places: Vec::new(), values: Vec::new(), rank: self.columns.len() };
        for (contact, rows) in self.rows.chunks_exact(D).enumerate() {
            let entries =
                rows.iter().enumerate().flat_map(|(i, row)| row.iter().map(move |entry| (entry, i)));
            let mut entries: Vec<(u32, usize, f64)> = entries
                .map(|(&(column, value), i)| (place[column as usize], i, value / w.scales[contact * D + i]))
                .collect();
            entries.sort_unstable_by_key(|&(column, i, _)| (column, i));
            for group in entries.chunk_by(|a, b| a.0 == b.0) {
                let mut values = Vector::zeros();
                group.iter().for_each(|&(_, i, value)| values[i] = value);
                found.places.push(group[0].0);
                found.values.push(values);
            }
            found.starts.push(found.places.len());
        }
        found
    }
}

/// A sparse sum.
struct Sum {
    values: Vec<f64>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl Sum {
    fn new(rows: usize) -> Self {
        Self { values: vec![0.0; rows], touched: Vec::new(), is_touched: vec![false; rows] }
    }

    fn add(&mut self, row: usize, value: f64) {
        if !self.is_touched[row] {
            self.is_touched[row] = true;
            self.touched.push(row as u32);
        }
        self.values[row] += value;
    }

    fn at(&self, row: usize) -> f64 {
        self.values[row]
    }

    /// The rows that were added to, in their order; nothing is left.
    fn take(&mut self) -> Vec<(u32, f64)> {
        self.touched.sort_unstable();
        let mut taken = Vec::with_capacity(self.touched.len());
        for row in self.touched.drain(..) {
            let at = row as usize;
            taken.push((row, self.values[at]));
            (self.values[at], self.is_touched[at]) = (0.0, false);
        }
        taken
    }
}
