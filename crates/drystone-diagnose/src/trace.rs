//! The way sweeps go: their iterates one by one, and how far each step of theirs is from impulses that
//! balance each other. Brings no problem to its end, and takes small ones only.

use drystone_math::nalgebra::{DMatrix, DVector};
use drystone_math::portable;
use drystone_problem::{Delassus, Method, Params, Problem, Vector};
use drystone_solvers::solve;

/// Most unknowns of a problem that is traced: its operator is taken apart densely.
pub const MOST_TRACED: usize = 600;

/// Eigenvalues of the operator that count as zero, relative to the largest.
const ZERO: f64 = 1e-10;

/// Iterates of nonlinear Gauss–Seidel from nothing, and the kernel of H beside them (Alart, Renouf 2018, fig.
/// 12).
#[derive(Clone, Debug)]
pub struct Trace<const D: usize> {
    /// The impulses after every sweep \[N s\], the start first.
    pub iterates: Vec<Vec<Vector<D>>>,
    /// Dimension of the kernel of `W`, which is that of H.
    pub kernel: usize,
    /// Angle between the step of every sweep and the kernel \[rad\], from 0 to π/2.
    pub angles: Vec<f64>,
    /// The direction in the kernel in which the last sweep went, as long as the whole way \[N s\].
    pub along: Vec<Vector<D>>,
}

/// Sweeps `count` times, or until nothing moves any more. `None` where the problem is too large.
pub fn trace<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    params: &Params,
    count: usize,
) -> Option<Trace<D>> {
    let contacts = problem.contacts();
    if contacts * D > MOST_TRACED {
        return None;
    }
    let kernel = kernel(problem);
    let project = |step: &[Vector<D>]| -> DVector<f64> {
        let step = DVector::from_iterator(contacts * D, step.iter().flatten().copied());
        &kernel * kernel.tr_mul(&step)
    };
    let params =
        Params { method: Method::Nlgs, max_iterations: 1, tolerance: f64::MIN_POSITIVE, ..params.clone() };
    let mut iterates = vec![vec![Vector::zeros(); contacts]];
    let mut angles = Vec::new();
    let mut r = iterates[0].clone();
    let mut along = DVector::zeros(contacts * D);
    for sweep in 0..count {
        let before = r.clone();
        solve(problem, &mut r, &params, sweep as u64);
        let step: Vec<Vector<D>> = r.iter().zip(&before).map(|(r, before)| r - before).collect();
        if step.iter().all(|change| change.norm() == 0.0) {
            break;
        }
        let inside = project(&step);
        let outside = DVector::from_iterator(contacts * D, step.iter().flatten().copied()) - &inside;
        angles.push(portable::atan2(outside.norm(), inside.norm()));
        along = inside;
        iterates.push(r.clone());
    }
    let way = r.iter().map(|r| r.norm_squared()).sum::<f64>().sqrt();
    along *= way / along.norm().max(f64::MIN_POSITIVE);
    let along = along.as_slice().chunks_exact(D).map(Vector::<D>::from_column_slice).collect();
    Some(Trace { iterates, kernel: kernel.ncols(), angles, along })
}

/// An orthonormal basis of the impulses that move nothing, one to a column.
fn kernel<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>) -> DMatrix<f64> {
    let contacts = problem.contacts();
    let blocks = problem.w.assemble();
    let mut w = DMatrix::zeros(contacts * D, contacts * D);
    for alpha in 0..contacts {
        for (beta, block) in blocks.row(alpha) {
            w.view_mut((alpha * D, beta * D), (D, D)).copy_from(block);
        }
    }
    let parts = w.symmetric_eigen();
    let largest = parts.eigenvalues.amax();
    let zero: Vec<usize> =
        (0..contacts * D).filter(|&i| parts.eigenvalues[i].abs() <= ZERO * largest).collect();
    parts.eigenvectors.select_columns(&zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::{BlockRows, Matrix};
    use drystone_problem::{Blocks, Set};

    /// The disk in a corner of Alart and Renouf: the kernel is (1, −1, 1, 1), and from friction 1 on it lies
    /// in the cones.
    fn corner(mu: f64) -> Problem<2, Blocks<2>> {
        let block = |a, b, c, d| Matrix::<2, 2>::new(a, b, c, d);
        let rows = vec![
            (0, 0, block(1.0, 0.0, 0.0, 3.0)),
            (0, 1, block(0.0, -1.0, 1.0, 2.0)),
            (1, 0, block(0.0, 1.0, -1.0, 2.0)),
            (1, 1, block(1.0, 0.0, 0.0, 3.0)),
        ];
        let u_free = vec![Vector::<2>::new(-0.1, 0.0), Vector::<2>::new(-0.01, 0.0)];
        let w = Blocks::new(BlockRows::from_triplets(2, rows));
        Problem { w, u_free, sets: vec![Set::Coulomb { mu }; 2] }
    }

    #[test]
    fn sweeps_without_a_solution_run_along_the_kernel() {
        let trace = trace(&corner(1.1), &Params::default(), 200).expect("a small problem");
        assert_eq!((trace.kernel, trace.iterates.len()), (1, 201));
        let last = trace.angles[199];
        assert!(trace.angles[0] > 0.1 && last < 1e-6, "{:?}", &trace.angles[..5]);
        // never further from it than before, once all contacts have their state
        assert!(trace.angles[20..].windows(2).all(|pair| pair[1] <= pair[0] * 1.001 + 1e-9));
        let way = trace.along[0];
        assert!((way[0] + way[1]).abs() < 1e-9 * way[0] && way[0] > 0.0, "{way}");
        // with a solution they end
        assert!(super::trace(&corner(0.5), &Params::default(), 5000).expect("small").iterates.len() < 5000);
    }
}
