//! Nanoseconds per local solve of a rigid block at μ = 0.5: in a chain, where each solve waits for the one
//! before as contacts that share a body do, and apart. Measures, judges nothing.

use drystone_local::LocalBlock;
use drystone_problem::{Matrix, Set, Vector};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::time::Instant;

const BLOCKS: usize = 1024;

fn uniform(rng: &mut impl Rng) -> f64 {
    2.0 * rng.random::<f64>() - 1.0
}

/// `1/m + (arm × tᵢ)·J⁻¹(arm × tⱼ)`-like: identity plus a random positive part.
fn rigid<const D: usize>(rng: &mut impl Rng) -> LocalBlock<D> {
    let lever = Matrix::<D, D>::from_fn(|_, _| uniform(rng));
    LocalBlock::new(&(Matrix::identity() + lever * lever.transpose()))
}

fn measure<const D: usize>(tangential: f64, wait: f64) -> f64 {
    let mut rng = Pcg64::seed_from_u64(9);
    let set = Set::Coulomb { mu: 0.5 };
    let locals: Vec<LocalBlock<D>> = (0..BLOCKS).map(|_| rigid(&mut rng)).collect();
    let free: Vec<Vector<D>> = (0..BLOCKS)
        .map(|_| Vector::from_fn(|i, _| if i == 0 { -1.0 } else { tangential * uniform(&mut rng) }))
        .collect();
    let mut best = f64::INFINITY;
    let mut last = Vector::<D>::zeros();
    for _ in 0..200 {
        let start = Instant::now();
        for (local, free) in locals.iter().zip(&free) {
            let q = if wait > 0.0 { free + last * wait } else { *free };
            last = std::hint::black_box(local.solve(&q, &set));
        }
        best = best.min(start.elapsed().as_secs_f64() / BLOCKS as f64 * 1e9);
    }
    best
}

fn row<const D: usize>(mixture: &str, tangential: f64) {
    let (chain, apart) = (measure::<D>(tangential, 1e-30), measure::<D>(tangential, 0.0));
    println!("{D}D {mixture:6} {chain:7.1} ns in a chain, {apart:7.1} ns apart, ratio {:.2}", chain / apart);
}

fn main() {
    for (mixture, tangential) in [("stick", 0.1), ("mixed", 1.0), ("slip", 10.0)] {
        row::<2>(mixture, tangential);
        row::<3>(mixture, tangential);
    }
}
