//! The columns of an assembled operator of low rank: `W = L Lᵀ` with sparse L, by Cholesky's factorisation
//! with pivots, ended where nothing is left (Higham 1990). Refuses operators that are not symmetric, columns
//! that do not give the products with W, and whatever is not worth it.

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

/// How far a product may be from that with W, relative to the diagonal.
const EXACT: f64 = 1e-9;

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
    /// The columns of W; `None` where their numbers are more than a `share` of those of W, or W is not such a
    /// product.
    pub fn of(w: &BlockRows<D>, share: f64) -> Option<Self> {
        let flat = Flat::of(w)?;
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
        search.gives_back().then(|| search.columns(&flat))
    }

    /// Number of columns.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// What a contact has in each of its columns, by increasing column.
    pub fn row(&self, contact: usize) -> impl Iterator<Item = (usize, &Vector<D>)> {
        let range = self.starts[contact]..self.starts[contact + 1];
        self.places[range.clone()].iter().map(|&place| place as usize).zip(&self.values[range])
    }
}

/// The rows, those of contacts that are about as compliant as each other in the order of the contacts. That
/// one goes from neighbour to neighbour. But what a light body does hides a heavy one beside it: where heavy
/// bodies come first, a column has numbers for one body and those that lean on it alone, and L is as sparse as
/// if the bodies were known.
fn stiffest_first<const D: usize>(w: &BlockRows<D>) -> Vec<usize> {
    let compliance = |contact: usize| (w.diagonal(contact).trace().to_bits() >> 52) / OCTAVES;
    let mut contacts: Vec<usize> = (0..w.rows()).collect();
    contacts.sort_by_key(|&contact| compliance(contact));
    contacts.iter().flat_map(|contact| contact * D..(contact + 1) * D).collect()
}

/// The rows of W as numbers, scaled to a diagonal of ones.
struct Flat {
    starts: Vec<usize>,
    places: Vec<u32>,
    values: Vec<f64>,
    scales: Vec<f64>,
}

impl Flat {
    /// `None` where W is not symmetric, or has a diagonal that a product cannot have.
    fn of<const D: usize>(w: &BlockRows<D>) -> Option<Self> {
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
        flat.is_symmetric().then_some(flat)
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

    fn at(&self, row: usize, column: usize) -> f64 {
        let range = self.starts[row]..self.starts[row + 1];
        let place = self.places[range.clone()].binary_search(&(column as u32));
        place.map_or(0.0, |place| self.values[range.start + place])
    }

    fn is_symmetric(&self) -> bool {
        let mirrored =
            |row: usize, (column, value): (usize, f64)| (self.at(column, row) - value).abs() <= EXACT;
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
    w: &'a Flat,
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
    fn new(w: &'a Flat, most_numbers: f64, most_work: f64) -> Self {
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
    fn gives_back(&mut self) -> bool {
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
                (product - same).abs() <= EXACT
            })
        })
    }

    /// The columns in the order of their pivots, so that neighbours have neighbouring numbers.
    fn columns<const D: usize>(&self, w: &Flat) -> Columns<D> {
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use drystone_problem::Matrix;
    use rand::{RngExt, SeedableRng};

    /// `G Gᵀ` between so many bodies, one heavier than the next, that touch in a ring and at every other.
    pub fn between_bodies(bodies: usize, contacts: usize) -> BlockRows<3> {
        let mut random = rand_pcg::Pcg64::seed_from_u64(7);
        let mut rows: Vec<Vec<(usize, Matrix<3, 6>)>> = Vec::new();
        for contact in 0..contacts {
            let a = contact % bodies;
            let b = (a + 1 + contact / bodies % 2) % bodies;
            let mut side = |body: usize| {
                let root = 10f64.powi(-((body * 5 % bodies) as i32));
                (body, Matrix::<3, 6>::from_fn(|_, _| root * random.random_range(-1.0..1.0)))
            };
            rows.push(vec![side(a), side(b)]);
        }
        let mut triplets = Vec::new();
        for (i, left) in rows.iter().enumerate() {
            for (j, right) in rows.iter().enumerate() {
                let shared = left.iter().flat_map(|l| right.iter().map(move |r| (l, r)));
                let blocks = shared.filter(|(l, r)| l.0 == r.0).map(|(l, r)| l.1 * r.1.transpose());
                triplets.extend(blocks.map(|block| (i as u32, j as u32, block)));
            }
        }
        BlockRows::from_triplets(contacts, triplets)
    }

    #[test]
    fn columns_give_the_operator_back_entry_by_entry() {
        let w = between_bodies(5, 60);
        let columns = Columns::of(&w, 1.0).unwrap();
        assert_eq!(columns.rank(), 30);
        assert_eq!(columns.contacts(), 60);
        for row in 0..60 {
            let mut block_of = vec![Matrix::<3, 3>::zeros(); 60];
            w.row(row).for_each(|(column, block)| block_of[column] = *block);
            for column in 0..60 {
                let mut product = Matrix::<3, 3>::zeros();
                for (at, left) in columns.row(row) {
                    let right = columns.row(column).find(|entry| entry.0 == at);
                    product += right.map_or(Matrix::zeros(), |(_, right)| left * right.transpose());
                }
                let sizes = w.diagonal(row).diagonal() * w.diagonal(column).diagonal().transpose();
                let error = (product - block_of[column]).component_div(&sizes.map(f64::sqrt)).amax();
                assert!(error < 1e-12, "{row} {column}: {error}");
            }
        }
    }

    #[test]
    fn what_has_no_columns_is_refused() {
        let w = between_bodies(5, 60);
        assert!(Columns::of(&w, 0.01).is_none(), "too many numbers");
        let spoiled = |spoil: &dyn Fn(usize, usize) -> f64| {
            let blocks = (0..60).flat_map(|row| w.row(row).map(move |entry| (row, entry.0, entry.1)));
            let blocks = blocks.map(|(row, column, block)| {
                (row as u32, column as u32, block + Matrix::identity() * spoil(row, column))
            });
            BlockRows::from_triplets(60, blocks.collect())
        };
        let off = |row: usize, column: usize, value: f64| if row == 3 && column == 7 { value } else { 0.0 };
        assert!(Columns::of(&spoiled(&|_, _| 0.0), 1.0).is_some());
        assert!(Columns::of(&spoiled(&|row, column| off(row, column, 1e-3)), 1.0).is_none(), "not symmetric");
        let both = |row: usize, column: usize| off(row, column, 1.0) + off(column, row, 1.0);
        assert!(Columns::of(&spoiled(&both), 1.0).is_none(), "nowhere a product");
        for strange in [f64::NAN, f64::INFINITY, -1e9] {
            let one = |row: usize, column: usize| if row == 2 && column == 2 { strange } else { 0.0 };
            assert!(Columns::of(&spoiled(&one), 1.0).is_none(), "{strange}");
        }
    }
}
