//! Columns of operators between bodies, which are known here and nowhere else.

use super::*;
use drystone_problem::Matrix;
use rand::{RngExt, SeedableRng};

const EXACT: f64 = 1e-9;

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
    let columns = Columns::of(&w, 1.0, EXACT).unwrap();
    assert_eq!(columns.rank(), 30);
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
    assert!(Columns::of(&w, 0.01, EXACT).is_none(), "too many numbers");
    let spoiled = |spoil: &dyn Fn(usize, usize) -> f64| {
        let blocks = (0..60).flat_map(|row| w.row(row).map(move |entry| (row, entry.0, entry.1)));
        let blocks = blocks.map(|(row, column, block)| {
            (row as u32, column as u32, block + Matrix::identity() * spoil(row, column))
        });
        BlockRows::from_triplets(60, blocks.collect())
    };
    let off = |row: usize, column: usize, value: f64| if row == 3 && column == 7 { value } else { 0.0 };
    assert!(Columns::of(&spoiled(&|_, _| 0.0), 1.0, EXACT).is_some());
    assert!(
        Columns::of(&spoiled(&|row, column| off(row, column, 1e-3)), 1.0, EXACT).is_none(),
        "not symmetric"
    );
    let both = |row: usize, column: usize| off(row, column, 1.0) + off(column, row, 1.0);
    assert!(Columns::of(&spoiled(&both), 1.0, EXACT).is_none(), "nowhere a product");
    for strange in [f64::NAN, f64::INFINITY, -1e9] {
        let one = |row: usize, column: usize| if row == 2 && column == 2 { strange } else { 0.0 };
        assert!(Columns::of(&spoiled(&one), 1.0, EXACT).is_none(), "{strange}");
    }
}
