//! The power method: the largest eigenvalue of one operator measured by another. Knows neither of them but by
//! what it does to a vector.

use drystone_problem::Vector;

/// Steps: enough for a digit of the largest eigenvalue.
const STEPS: u32 = 20;

/// By how much more to take where the eigenvalue must not be too small: it is found from below.
pub(crate) const MARGIN: f64 = 1.1;

/// The largest `λ` of `A v = λ B v`, from below; NaN where a vector vanishes or grows beyond bounds.
///
/// `product` writes `A v`. Of `B`, which has blocks on its diagonal alone, `square` gives `v_α · B_α v_α` and
/// `undo` gives
/// `B_α⁻¹ v_α`.
pub(crate) fn largest<const D: usize>(
    contacts: usize,
    mut product: impl FnMut(&[Vector<D>], &mut [Vector<D>]),
    square: impl Fn(usize, &Vector<D>) -> f64,
    undo: impl Fn(usize, &Vector<D>) -> Vector<D>,
) -> f64 {
    // no direction in particular, and no number repeats
    let start = |k: usize| Vector::from_fn(|i, _| ((k * D + i + 1) as f64 * 0.618).fract() - 0.5);
    let mut v: Vec<Vector<D>> = (0..contacts).map(start).collect();
    let mut image = v.clone();
    let mut value = 0.0;
    for _ in 0..STEPS {
        product(&v, &mut image);
        let energy: f64 = v.iter().zip(&image).map(|(v, image)| v.dot(image)).sum();
        let squares: f64 = v.iter().enumerate().map(|(alpha, v)| square(alpha, v)).sum();
        value = energy / squares;
        for (alpha, v) in v.iter_mut().enumerate() {
            *v = undo(alpha, &image[alpha]);
        }
        let size = v.iter().map(|v| v.amax()).fold(0.0, f64::max);
        v.iter_mut().for_each(|v| *v /= size);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_problem::Matrix;

    #[test]
    fn the_largest_eigenvalue_is_found_from_below() {
        // measured by B the operators of the contacts are 3 and 1/4 beside smaller ones
        let a = [Matrix::<2, 2>::new(2.0, 1.0, 1.0, 2.0), Matrix::<2, 2>::new(0.5, 0.0, 0.0, 1.0)];
        let b = [Matrix::<2, 2>::identity(), Matrix::<2, 2>::identity() * 4.0];
        let product = |v: &[Vector<2>], av: &mut [Vector<2>]| {
            (0..2).for_each(|alpha| av[alpha] = a[alpha] * v[alpha]);
        };
        let square = |alpha: usize, v: &Vector<2>| v.dot(&(b[alpha] * v));
        let found = largest(2, product, square, |alpha, v| v / b[alpha][(0, 0)]);
        assert!(found < 3.0 + 1e-12 && found > 3.0 / MARGIN, "{found}");
        let nothing = |_: &[Vector<2>], av: &mut [Vector<2>]| av.fill(Vector::zeros());
        assert!(largest(2, nothing, |_, v: &Vector<2>| v.norm_squared(), |_, v| *v).is_nan());
    }
}
