//! Finite strains for any law of small ones, by the logarithmic strain. Knows the geometry, no material.

use super::{FiniteLaw, FiniteResponse, LawFailure, PointHistory, SmallLaw};
use crate::tensor::{Tensor, apply, determinant, principal, product, stress_tensor, to_strain, transpose};
use drystone_math::portable;

/// A law of small strains taken at Hencky's strain `E = ½ ln FᵀF`; elastic and plastic parts of E add up, so
/// that one return serves both (Miehe, Apel, Lambrecht 2002).
///
/// For loads that keep their principal axes this is `F = Fᵉ Fᵖ`; where large plastic strains turn against
/// the axes the two differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Logarithmic<L>(
    /// The law of small strains.
    pub L,
);

impl<L: SmallLaw> FiniteLaw for Logarithmic<L> {
    fn respond(
        &self,
        f: &Tensor,
        temperature: f64,
        old: &PointHistory,
    ) -> Result<FiniteResponse, LawFailure> {
        let j = determinant(f);
        if j.is_nan() || j <= 0.0 {
            return Err(LawFailure::Collapsed(j));
        }
        let c = product(&transpose(f), f);
        let (squares, axes) = principal(&c);
        if squares[2] <= 0.0 {
            return Err(LawFailure::Collapsed(j));
        }
        let logs = squares.map(|x| 0.5 * portable::ln(x));
        let strain: Tensor = from_axes(
            &axes,
            &std::array::from_fn(|a| std::array::from_fn(|b| if a == b { logs[a] } else { 0.0 })),
        );
        let answer = self.0.respond(&to_strain(&strain), temperature, old)?;

        // S = 2 T : ∂E/∂C; in principal axes ∂E/∂C multiplies by divided differences of ½ ln
        let slope: Tensor = std::array::from_fn(|a| std::array::from_fn(|b| divided(squares[a], squares[b])));
        let t = to_axes(&axes, &stress_tensor(&answer.stress));
        let s =
            from_axes(&axes, &std::array::from_fn(|a| std::array::from_fn(|b| 2.0 * slope[a][b] * t[a][b])));
        let curvature: [Tensor; 3] = std::array::from_fn(|a| {
            std::array::from_fn(|b| {
                std::array::from_fn(|d| divided_twice(squares[a], squares[b], squares[d]))
            })
        });

        let mut tangent = [[0.0; 9]; 9];
        for k in 0..9 {
            // dF of this component, then dC, dE, dT, dS
            let (i, m) = (k / 3, k % 3);
            let mut df = [[0.0; 3]; 3];
            df[i][m] = 1.0;
            let half = product(&transpose(&df), f);
            let dc: Tensor = std::array::from_fn(|p| std::array::from_fn(|q| half[p][q] + half[q][p]));
            let dc = to_axes(&axes, &dc);
            let de =
                from_axes(&axes, &std::array::from_fn(|a| std::array::from_fn(|b| slope[a][b] * dc[a][b])));
            let dt = apply(&answer.tangent, &to_strain(&de));
            let dt = to_axes(&axes, &stress_tensor(&dt));
            let ds: Tensor = std::array::from_fn(|p| {
                std::array::from_fn(|q| {
                    let bent = (0..3).fold(0.0, |sum, b| {
                        sum + curvature[p][q][b] * (t[p][b] * dc[q][b] + t[q][b] * dc[p][b])
                    });
                    2.0 * (slope[p][q] * dt[p][q] + bent)
                })
            });
            let ds = from_axes(&axes, &ds);
            let (one, other) = (product(&df, &s), product(f, &ds));
            (0..9).for_each(|l| tangent[l][k] = one[l / 3][l % 3] + other[l / 3][l % 3]);
        }
        Ok(FiniteResponse {
            piola: product(f, &s),
            tangent,
            stored: answer.stored,
            dissipated: answer.dissipated,
            history: answer.history,
        })
    }

    fn start(&self) -> PointHistory {
        self.0.start()
    }
}

/// A tensor seen in principal axes, the rows of `axes`.
fn to_axes(axes: &Tensor, of: &Tensor) -> Tensor {
    product(&product(axes, of), &transpose(axes))
}

/// And back.
fn from_axes(axes: &Tensor, of: &Tensor) -> Tensor {
    product(&product(&transpose(axes), of), axes)
}

/// So close to each other, relative to their mean, that a series is more exact than differences.
const CLOSE: f64 = 0.1;

/// Terms of the series: `CLOSE` to this power is nothing.
const TERMS: i32 = 18;

/// First divided difference of ½ ln.
fn divided(x: f64, y: f64) -> f64 {
    let mean = 0.5 * (x + y);
    let half = 0.5 * (x - y) / mean;
    if half.abs() < CLOSE {
        // artanh(half) / (2 half mean), as a series
        let sum = (0..TERMS / 2).rev().fold(0.0, |sum, k| sum * half * half + 1.0 / f64::from(2 * k + 1));
        sum / (2.0 * mean)
    } else {
        0.5 * (portable::ln(x) - portable::ln(y)) / (x - y)
    }
}

/// Second divided difference of ½ ln.
fn divided_twice(x: f64, y: f64, z: f64) -> f64 {
    let mean = (x + y + z) / 3.0;
    let off = [x, y, z].map(|value| (value - mean) / mean);
    if off.iter().all(|value| value.abs() < CLOSE) {
        // Taylor about the mean: Σ f⁽ᵏ⁺²⁾/(k+2)! times the sum of all products of k of the three
        let [a, b, c] = off;
        let (mut one, mut two, mut three) = (1.0, 1.0, 1.0);
        let mut sum = 0.0;
        for k in 0..TERMS {
            let sign = if k % 2 == 0 { -0.5 } else { 0.5 };
            sum += sign / f64::from(k + 2) * three;
            one *= a;
            two = two * b + one;
            three = three * c + two;
        }
        return sum / (mean * mean);
    }
    // between the two farthest apart
    let mut sorted = [x, y, z];
    sorted.sort_by(f64::total_cmp);
    let [low, middle, high] = sorted;
    (divided(middle, high) - divided(low, middle)) / (high - low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::strain_tensor;

    /// ½ ln as an integral over poles: f[x, y, z] = −½ ∫ dt / ((x + t)(y + t)(z + t)).
    fn integral(poles: &[f64]) -> f64 {
        // t = s / (1 − s) on 0…1, by Simpson's rule
        let n = 4000;
        let value = |k: i32| {
            let s = (f64::from(k) + 1e-12) / (f64::from(n) + 2e-12);
            let t = s / (1.0 - s);
            poles.iter().fold(0.5 / (1.0 - s).powi(2), |product, pole| product / (pole + t))
        };
        let weight = |k: i32| if k == 0 || k == n { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
        (0..=n).map(|k| weight(k) * value(k)).sum::<f64>() / (3.0 * f64::from(n))
    }

    #[test]
    fn divided_differences_are_integrals_over_poles() {
        for (x, y, z) in
            [(1.0, 1.0, 1.0), (1.0, 1.001, 0.98), (1.0, 1.19, 1.3), (0.5, 0.5, 2.0), (0.3, 1.0, 3.0)]
        {
            assert!((divided(x, y) - integral(&[x, y])).abs() < 1e-9, "{x} {y}");
            assert!((divided_twice(x, y, z) + integral(&[x, y, z])).abs() < 1e-9, "{x} {y} {z}");
        }
    }

    #[test]
    fn tensors_come_back_from_their_axes() {
        let tensor = strain_tensor(&[0.1, -0.2, 0.3, 0.05, -0.3, 0.2]);
        let (_, axes) = principal(&tensor);
        let back = from_axes(&axes, &to_axes(&axes, &tensor));
        assert!((0..9).all(|k| (back[k / 3][k % 3] - tensor[k / 3][k % 3]).abs() < 1e-15));
    }
}
