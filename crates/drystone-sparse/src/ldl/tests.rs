//! The sparse factorisation against a dense one.

use super::*;
use std::sync::Arc;

/// A grid of nodes with a positive matrix on it.
fn grid(n: [usize; 3]) -> (SymmetricBlocks<3>, Vec<[f64; 3]>) {
    let node = |i: usize, j: usize, k: usize| ((k * n[1] + j) * n[0] + i) as u32;
    let mut cells = Vec::new();
    let mut places = Vec::new();
    for k in 0..n[2] {
        for j in 0..n[1] {
            for i in 0..n[0] {
                places.push([i as f64, j as f64, 1.3 * k as f64]);
                let mut cell = Vec::new();
                for (a, b, c) in
                    [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1)]
                {
                    if i + a < n[0] && j + b < n[1] && k + c < n[2] {
                        cell.push(node(i + a, j + b, k + c));
                    }
                }
                cells.push(cell);
            }
        }
    }
    let pattern = Arc::new(Pattern::of_cliques(places.len(), cells.iter().map(Vec::as_slice)));
    let mut matrix = SymmetricBlocks::zeros(&pattern);
    for (number, cell) in cells.iter().enumerate() {
        let width = cell.len() * 3;
        // v vᵀ with an irregular v, and a little on the diagonal
        let v: Vec<f64> = (0..width).map(|k| (0.7 * k as f64 + 1.9 * number as f64).sin()).collect();
        let dense: Vec<f64> = (0..width * width).map(|k| v[k / width] * v[k % width]).collect();
        matrix.add_element(cell, &dense);
    }
    (0..matrix.size()).for_each(|dof| matrix.add_diagonal(dof, 0.5));
    (matrix, places)
}

#[test]
fn right_sides_abreast_have_the_bits_of_each_alone() {
    let (matrix, places) = grid([7, 5, 3]);
    let mut factors = MultifrontalLdl::<3>::new(matrix.pattern(), &places);
    factors.factor(&matrix).unwrap();
    let size = matrix.size();
    for count in [1, 2, 3, 7, 8, 9, 13] {
        let right: Vec<f64> = (0..count * size).map(|k| (1.1 * k as f64).cos()).collect();
        let (mut together, mut alone) = (right.clone(), right.clone());
        factors.solve(&mut together);
        alone.chunks_exact_mut(size).for_each(|x| factors.solve(x));
        assert_eq!(together, alone, "{count}");
    }
    let one: Vec<f64> = (0..size).map(|k| (0.3 * k as f64).sin()).collect();
    let other: Vec<f64> = (0..size).map(|k| (0.9 * k as f64).cos()).collect();
    let both: Vec<[f64; 2]> = one.iter().zip(&other).map(|(a, b)| [*a, *b]).collect();
    let apart: Vec<[f64; 2]> =
        matrix.times(&one).into_iter().zip(matrix.times(&other)).map(|(a, b)| [a, b]).collect();
    assert_eq!(matrix.times_abreast(&both), apart);
}

#[test]
fn solutions_solve() {
    for n in [[1, 1, 1], [4, 1, 1], [9, 7, 1], [6, 5, 4]] {
        let (matrix, places) = grid(n);
        let mut factors = MultifrontalLdl::<3>::new(matrix.pattern(), &places);
        factors.factor(&matrix).unwrap();
        let size = matrix.size();
        let right: Vec<f64> = (0..2 * size).map(|k| (1.1 * k as f64).cos()).collect();
        let mut x = right.clone();
        factors.solve(&mut x);
        for side in 0..2 {
            let back = matrix.times(&x[side * size..][..size]);
            let error =
                back.iter().zip(&right[side * size..]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-12, "{n:?} {error}");
        }
        assert_eq!(factors.negative_pivots(), 0);
    }
}

#[test]
fn held_degrees_of_freedom_leave_the_matrix() {
    let (mut matrix, places) = grid([5, 4, 3]);
    let full = matrix.clone();
    let held: Vec<bool> = (0..matrix.size()).map(|dof| dof % 7 == 0).collect();
    matrix.hold(&held);
    let mut factors = MultifrontalLdl::<3>::new(matrix.pattern(), &places);
    factors.factor(&matrix).unwrap();
    let mut x: Vec<f64> = (0..matrix.size()).map(|k| if held[k] { 0.0 } else { (k as f64).sin() }).collect();
    let right = x.clone();
    factors.solve(&mut x);
    let back = full.times(&x);
    for dof in 0..x.len() {
        match held[dof] {
            true => assert_eq!(x[dof], 0.0),
            false => assert!((back[dof] - right[dof]).abs() < 1e-12),
        }
    }
}

#[test]
fn a_matrix_without_inverse_is_told() {
    let (matrix, places) = grid([3, 3, 2]);
    let mut other = SymmetricBlocks::zeros(matrix.pattern());
    let mut factors = MultifrontalLdl::<3>::new(matrix.pattern(), &places);
    assert!(matches!(factors.factor(&other), Err(NoPivot { .. })));
    // one negative direction
    other.add_scaled(1.0, &matrix);
    other.add_diagonal(10, -100.0);
    factors.factor(&other).unwrap();
    assert_eq!(factors.negative_pivots(), 1);
}

#[test]
fn the_inverse_of_nodes_kept_last_is_that_of_the_whole() {
    let (matrix, places) = grid([6, 5, 3]);
    let last = [7u32, 3, 40, 41, 3, 999];
    let mut factors = MultifrontalLdl::<3>::keeping_last(matrix.pattern(), &places, &last);
    factors.factor(&matrix).unwrap();
    let inverse = factors.inverse_of_last();
    assert_eq!(inverse.len(), 12 * 12);
    let mut plain = MultifrontalLdl::<3>::new(matrix.pattern(), &places);
    plain.factor(&matrix).unwrap();
    for (column, on) in
        last[..4].iter().flat_map(|&node| (0..3).map(move |axis| 3 * node as usize + axis)).enumerate()
    {
        let mut x = vec![0.0; matrix.size()];
        x[on] = 1.0;
        let mut other = x.clone();
        plain.solve(&mut x);
        // the order of elimination changes no solution
        factors.solve(&mut other);
        assert!(x.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-13));
        for (row, of) in
            last[..4].iter().flat_map(|&node| (0..3).map(move |axis| 3 * node as usize + axis)).enumerate()
        {
            assert!((inverse[column * 12 + row] - x[of]).abs() < 1e-13, "{row} {column}");
        }
    }
}
