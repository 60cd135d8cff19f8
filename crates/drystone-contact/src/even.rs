//! The most even pressure that does what a given one does. Knows points and numbers, neither bodies nor
//! contacts.

use drystone_math::{Matrix, Vector};

/// Most steps of Newton's method: as many as points change sides, as a rule two or three.
const MOST_STEPS: usize = 60;

/// Share of the trace added to a Jacobian, which is singular where all that carries lies on a line. Takes
/// steps off by as much, which the next one mends.
const REGULAR: f64 = 1e-12;

/// Least decrease of the dual function along a step, relative to its slope (Armijo).
const DECREASE: f64 = 1e-4;

/// Shortest part of a step.
const SHORTEST: f64 = 1e-14;

/// What the resultant may be off by, relative to the sum of all that acts.
const SAME: f64 = 1e-13;

/// Replaces `x` by the least-norm solution of
///
/// `min ½ Σ x_i²`, `Σ x_i a_i = b`, `x_i ≥ l_i`,
///
/// with `b` as it is for the given `x`, which must keep the bounds. With `a_i = (1, s_i, t_i)` and
/// coordinates `s, t` in a plane, `b` holds a force along its normal and the moments about its axes, and the
/// answer is a pressure that is affine, `x_i = a_i·λ`, where that is not below the bound.
///
/// λ is the only unknown: `x_i(λ) = max(l_i, a_i·λ)` minimises the Lagrangian, and `Σ x_i(λ) a_i = b` is the
/// gradient of a convex function of as many variables as there are equations, set to zero by a Newton method
/// with line search. Gives false and leaves `x` alone where that fails, as it does where a force on the rim
/// of the patch leaves no choice.
pub(crate) fn make_even<const D: usize>(arms: &[Vector<D>], least: &[f64], x: &mut [f64]) -> bool {
    let resultant = |x: &dyn Fn(usize) -> f64| -> Vector<D> {
        arms.iter().enumerate().fold(Vector::zeros(), |sum, (i, arm)| sum + arm * x(i))
    };
    let b = resultant(&|i| x[i]);
    let size: f64 = x.iter().map(|x| x.abs()).sum();
    let along = |lambda: &Vector<D>, i: usize| arms[i].dot(lambda);
    // the dual function: its terms are ½(a·λ)², beyond the bound the tangent there
    let dual = |lambda: &Vector<D>| -> f64 {
        let term = |i: usize| {
            let (s, l) = (along(lambda, i), least[i]);
            if s > l { 0.5 * s * s } else { l * s - 0.5 * l * l }
        };
        (0..arms.len()).map(term).sum::<f64>() - b.dot(lambda)
    };
    let gradient = |lambda: &Vector<D>| resultant(&|i| along(lambda, i).max(least[i])) - b;
    let mut lambda = Vector::<D>::zeros();
    // the first step goes to the affine pressure of all points
    let mut free = vec![true; arms.len()];
    for step in 0..MOST_STEPS {
        let slope = gradient(&lambda);
        if step > 0 && slope.amax() <= SAME * size {
            x.iter_mut().enumerate().for_each(|(i, x)| *x = along(&lambda, i).max(least[i]));
            return true;
        }
        let Some(way) = newton(arms, &free, &slope, &lambda, least) else { return false };
        let (start, down) = (dual(&lambda), slope.dot(&way));
        let enough = |part: f64| {
            let there = lambda + way * part;
            // near the end the function is all rounding, its slope is not
            dual(&there) <= start + DECREASE * part * down || gradient(&there).norm() <= 0.5 * slope.norm()
        };
        let mut part = 1.0;
        while step > 0 && part > SHORTEST && !enough(part) {
            part *= 0.5;
        }
        lambda += way * part;
        free.iter_mut().enumerate().for_each(|(i, free)| *free = along(&lambda, i) > least[i]);
    }
    false
}

/// A step of Newton's method with the points that are free.
fn newton<const D: usize>(
    arms: &[Vector<D>],
    free: &[bool],
    gradient: &Vector<D>,
    lambda: &Vector<D>,
    least: &[f64],
) -> Option<Vector<D>> {
    let mut jacobian = Matrix::<D, D>::zeros();
    let mut wanted = -gradient;
    for (i, arm) in arms.iter().enumerate() {
        if free[i] {
            jacobian += arm * arm.transpose();
            // what counts as free goes on as if it were, also where it is held now
            wanted -= arm * (arm.dot(lambda) - arm.dot(lambda).max(least[i]));
        }
    }
    let trace = jacobian.trace();
    if trace <= 0.0 {
        return None;
    }
    (0..D).for_each(|i| jacobian[(i, i)] += REGULAR * trace);
    jacobian.cholesky().map(|factor| factor.solve(&wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sets of free points tried: the least norm among those whose affine pressure keeps the bounds.
    fn by_enumeration(arms: &[Vector<3>], least: &[f64], x: &[f64]) -> Vec<f64> {
        let n = arms.len();
        let b = (0..n).fold(Vector::<3>::zeros(), |sum, i| sum + arms[i] * x[i]);
        let mut best: Option<(f64, Vec<f64>)> = None;
        for set in 0..1_u32 << n {
            let free = |i: usize| set >> i & 1 == 1;
            let mut matrix = Matrix::<3, 3>::zeros();
            let mut wanted = b;
            for i in 0..n {
                if free(i) {
                    matrix += arms[i] * arms[i].transpose();
                } else {
                    wanted -= arms[i] * least[i];
                }
            }
            let Ok(inverse) = matrix.pseudo_inverse(1e-11) else { continue };
            let lambda = inverse * wanted;
            let found: Vec<f64> =
                (0..n).map(|i| if free(i) { arms[i].dot(&lambda) } else { least[i] }).collect();
            let off = (0..n).fold(-b, |sum, i| sum + arms[i] * found[i]);
            let keeps = found.iter().zip(least).all(|(x, l)| *x >= l - 1e-12);
            let norm: f64 = found.iter().map(|x| x * x).sum();
            if off.norm() < 1e-10 && keeps && best.as_ref().is_none_or(|(least, _)| norm < *least) {
                best = Some((norm, found));
            }
        }
        best.expect("the given one keeps the bounds").1
    }

    /// Numbers without pattern in [0, 1), the same every time.
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    #[test]
    fn the_least_norm_is_that_of_all_sets_tried() {
        let mut left_alone = 0;
        for seed in 1..300 {
            let mut next = numbers(seed);
            let n = 3 + (next() * 6.0) as usize;
            // some patches are lines
            let flat = if seed % 5 == 0 { 0.0 } else { 1.0 };
            let arms: Vec<Vector<3>> =
                (0..n).map(|_| Vector::<3>::new(1.0, next() - 0.5, flat * (next() - 0.5))).collect();
            let least: Vec<f64> = (0..n).map(|_| if next() < 0.3 { 0.2 * next() } else { 0.0 }).collect();
            let mut x: Vec<f64> =
                least.iter().map(|l| if next() < 0.4 { *l } else { l + next().powi(3) }).collect();
            let oracle = by_enumeration(&arms, &least, &x);
            let found = make_even(&arms, &least, &mut x);
            // what is left alone is the only one there is
            left_alone += usize::from(!found);
            for (found, oracle) in x.iter().zip(&oracle) {
                assert!((found - oracle).abs() < 1e-9, "{seed}: {x:?} {oracle:?}");
            }
        }
        assert!(left_alone < 10, "{left_alone}");
    }

    #[test]
    fn four_corners_share_as_a_plane_does() {
        let corner = |s: f64, t: f64| Vector::<3>::new(1.0, s, t);
        let arms = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let mut x = [4.0, 0.0, 2.0, 1.0];
        assert!(make_even(&arms, &[0.0; 4], &mut x));
        // less its part along (1, −1, 1, −1)
        for (found, exact) in x.iter().zip([2.75, 1.25, 0.75, 2.25]) {
            assert!((found - exact).abs() < 1e-14);
        }
        let before = x;
        assert!(make_even(&arms, &[0.0; 4], &mut x));
        assert!(x.iter().zip(before).all(|(x, before)| (x - before).abs() < 1e-14));
        // nothing to share
        assert!(make_even(&arms, &[0.0; 4], &mut [0.0; 4]));
    }
}
