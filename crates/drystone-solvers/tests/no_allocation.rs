//! No allocation inside a sweep: a thousand sweeps allocate what ten do.
//!
//! A program of its own: its allocator counts.

use drystone_bench::allocations::{Counting, allocations};
use drystone_math::BlockRows;
use drystone_problem::{
    Blocks, Compliance, Compliances, Condensed, Delassus, Matrix, PairRow, Problem, Set, Vector,
};
use drystone_solvers::{Method, Order, Params, solve};

#[global_allocator]
static COUNTING: Counting = Counting;

const LAYERS: usize = 80;

/// Allocations of a solve that has not converged after so many sweeps.
fn allocated<W: Delassus<2>>(problem: &Problem<2, W>, method: Method, order: Order, sweeps: u32) -> u64 {
    let params = Params { method, tolerance: 1e-300, max_iterations: sweeps, order, ..Params::default() };
    let mut r = vec![Vector::zeros(); problem.contacts()];
    let (count, report) = allocations(|| solve(problem, &mut r, &params, 0));
    assert_eq!(report.iterations, sweeps, "the problem must keep the solver busy");
    // making ready allocates: a counter that counts nothing would be satisfied with anything
    assert!(count > 0);
    count
}

/// A stack of particles under gravity, slow for every sweep.
fn stack<W>(w: W) -> Problem<2, W> {
    let mut u_free = vec![Vector::<2>::zeros(); LAYERS];
    u_free[0][0] = -1.0;
    Problem { w, u_free, sets: vec![Set::Coulomb { mu: 0.3 }; LAYERS] }
}

fn blocks() -> Blocks<2> {
    let mut triplets = Vec::new();
    for layer in 0..LAYERS as u32 {
        let own = if layer == 0 { 1.0 } else { 2.0 };
        triplets.push((layer, layer, Matrix::<2, 2>::identity() * own));
        if layer > 0 {
            triplets.push((layer, layer - 1, -Matrix::<2, 2>::identity()));
            triplets.push((layer - 1, layer, -Matrix::<2, 2>::identity()));
        }
    }
    Blocks::new(BlockRows::from_triplets(LAYERS, triplets))
}

fn pairs() -> Condensed<2> {
    let row = |layer: usize| {
        let h = [Matrix::<2, 2>::identity(), -Matrix::<2, 2>::identity()];
        PairRow::new([layer as u32 + 1, layer as u32], h)
    };
    let rows: Vec<PairRow<2>> = (0..LAYERS).map(row).collect();
    let mut inverse_mass = vec![Vector::<2>::repeat(1.0); LAYERS + 1];
    inverse_mass[0] = Vector::zeros();
    Condensed::new(&rows, Compliances::diagonal(inverse_mass))
}

/// The same with bodies of ten degrees of freedom and full compliances.
fn wide() -> Condensed<2> {
    let row = |layer: usize| {
        let h = Matrix::<2, 10>::from_fn(|i, j| f64::from(u8::from(i == j)));
        PairRow::new([layer as u32 + 1, layer as u32], [h, -h])
    };
    let rows: Vec<PairRow<2>> = (0..LAYERS).map(row).collect();
    let mut bodies = Compliances::new();
    bodies.push_fixed(10);
    let full: Vec<f64> = (0..100).map(|k| if k / 10 == k % 10 { 1.0 } else { 0.01 }).collect();
    (0..LAYERS).for_each(|_| bodies.push(Compliance::Dense(&full)));
    Condensed::new(&rows, bodies)
}

#[test]
fn sweeps_allocate_nothing() {
    let assembled = stack(blocks());
    let matrix_free = stack(pairs());
    let wide = stack(wide());
    // the first question about threads calls them together
    rayon::current_num_threads();
    for method in [Method::Nlgs, Method::Accelerated] {
        for order in [Order::Cyclic, Order::Reversed, Order::Random { seed: 1 }] {
            let few = allocated(&assembled, method, order, 10);
            assert_eq!(few, allocated(&assembled, method, order, 1000), "{method:?} {order:?}");
            let few = allocated(&matrix_free, method, order, 10);
            assert_eq!(few, allocated(&matrix_free, method, order, 1000), "{method:?} {order:?}");
            let few = allocated(&wide, method, order, 10);
            assert_eq!(few, allocated(&wide, method, order, 1000), "{method:?} {order:?}");
        }
    }
}
