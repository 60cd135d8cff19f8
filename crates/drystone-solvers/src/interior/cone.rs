//! One contact inside the cone: Lorentz's cone, its Jordan product and Nesterov and Todd's scaling (1997),
//! and the two ways in which De Saxcé's term enters. Knows one contact at a time and no matrix.

use drystone_problem::{Matrix, Vector};

/// How the velocity `u` becomes the conjugate velocity `y` of the interior. Both are exact Coulomb on the
/// boundary and inside the cone exactly where `u_N > 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shift {
    /// De Saxcé's: `y = (u_N + ‖u_T‖, u_T)`.
    Plain,
    /// `y_N = u_N/2 + √(u_N²/4 + ‖u_T‖²)`, smooth for `u_N > 0`; on the central path `x_N u_N = c`.
    Smooth,
    /// `y = u`: the shift is held, as part of the free velocity, and the problem convex.
    Held,
}

/// Length of the tangential part.
pub(super) fn tangential<const D: usize>(x: &Vector<D>) -> f64 {
    x.iter().skip(1).map(|t| t * t).sum::<f64>().sqrt()
}

/// `x_N² − ‖x_T‖²`, kept from vanishing by rounding.
fn determinant<const D: usize>(x: &Vector<D>) -> f64 {
    let t = tangential(x);
    ((x[0] - t) * (x[0] + t)).max(1e-30 * x[0] * x[0])
}

/// Jordan product `(x·y, x_N y_T + y_N x_T)`.
pub(super) fn product<const D: usize>(x: &Vector<D>, y: &Vector<D>) -> Vector<D> {
    let mut z = y * x[0] + x * y[0];
    z[0] = x.dot(y);
    z
}

/// Solves `a ∘ z = b` for `a` inside the cone.
pub(super) fn divide<const D: usize>(a: &Vector<D>, b: &Vector<D>) -> Vector<D> {
    let across = a.dot(b) - a[0] * b[0];
    let normal = (a[0] * b[0] - across) / determinant(a);
    let mut z = (b - a * normal) / a[0];
    z[0] = normal;
    z
}

/// The smaller eigenvalue of the product of `x` and `y` in the metric of either: `c` for both on the central
/// path.
pub(super) fn least_eigenvalue<const D: usize>(x: &Vector<D>, y: &Vector<D>) -> f64 {
    let half = x.dot(y);
    let both = determinant(x) * determinant(y);
    both / (half + (half * half - both).max(0.0).sqrt())
}

/// Largest `a` with `x + a dx` in the cone, `x` inside.
pub(super) fn reach<const D: usize>(x: &Vector<D>, dx: &Vector<D>) -> f64 {
    let dot = x.dot(dx) - x[0] * dx[0];
    let (t, dt) = (tangential(x), tangential(dx));
    let a = (dx[0] - dt) * (dx[0] + dt);
    let b = x[0] * dx[0] - dot;
    let c = (x[0] - t) * (x[0] + t);
    // smallest positive root of a s² + 2 b s + c, where the cone ends
    let discriminant = b * b - a * c;
    if discriminant < 0.0 || (a >= 0.0 && b >= 0.0) {
        return f64::INFINITY;
    }
    let root = discriminant.sqrt();
    if b < 0.0 { c / (root - b) } else { -(b + root) / a }
}

/// The scaling `F` with `F x = F⁻¹ y = λ`.
#[derive(Clone, Copy)]
pub(super) struct Scaling<const D: usize> {
    eta: f64,
    w: Vector<D>,
    /// The scaled point.
    pub lambda: Vector<D>,
}

impl<const D: usize> Scaling<D> {
    /// The scaling of a pair inside the cone.
    pub fn new(x: &Vector<D>, y: &Vector<D>) -> Self {
        let (det_x, det_y) = (determinant(x), determinant(y));
        let (x_unit, y_unit) = (x / det_x.sqrt(), y / det_y.sqrt());
        let gamma = (0.5 * (1.0 + x_unit.dot(&y_unit))).max(0.0).sqrt();
        let mut w = (y_unit - x_unit) / (2.0 * gamma);
        // on the hyperboloid whatever the rounding
        w[0] = (1.0 + tangential(&w).powi(2)).sqrt();
        let mut scaling = Self { eta: (det_y / det_x).sqrt().sqrt(), w, lambda: *x };
        scaling.lambda = scaling.apply(x);
        scaling
    }

    fn hyperbolic(w: &Vector<D>, z: &Vector<D>, sign: f64) -> Vector<D> {
        let across = sign * (w.dot(z) - w[0] * z[0]);
        let along = z[0] + across / (1.0 + w[0]);
        let mut out = z + w * (sign * along);
        out[0] = w[0] * z[0] + across;
        out
    }

    /// `F z`.
    pub fn apply(&self, z: &Vector<D>) -> Vector<D> {
        Self::hyperbolic(&self.w, z, 1.0) * self.eta
    }

    /// `F⁻¹ z`.
    pub fn undo(&self, z: &Vector<D>) -> Vector<D> {
        Self::hyperbolic(&self.w, z, -1.0) / self.eta
    }

    /// `F²`.
    pub fn square(&self) -> Matrix<D, D> {
        let mut square = self.w * self.w.transpose() * 2.0 + Matrix::identity();
        square[(0, 0)] -= 2.0;
        square * (self.eta * self.eta)
    }
}

impl Shift {
    /// The conjugate velocity.
    pub fn conjugate<const D: usize>(self, u: &Vector<D>) -> Vector<D> {
        let t = tangential(u);
        let mut y = *u;
        y[0] = match self {
            Shift::Plain => u[0] + t,
            Shift::Smooth => 0.5 * u[0] + (0.25 * u[0] * u[0] + t * t).sqrt(),
            Shift::Held => u[0],
        };
        y
    }

    /// First row of `E = ∂u/∂y`; the others are those of the identity.
    pub fn row<const D: usize>(self, u: &Vector<D>, y: &Vector<D>) -> Vector<D> {
        let t = tangential(u);
        let mut row = match self {
            Shift::Plain => u * if t > 0.0 { -1.0 / t } else { 0.0 },
            Shift::Smooth => u * (-2.0 / y[0]),
            Shift::Held => Vector::zeros(),
        };
        row[0] = match self {
            Shift::Plain | Shift::Held => 1.0,
            Shift::Smooth => 1.0 + (t / y[0]).powi(2),
        };
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> Vec<(Vector<3>, Vector<3>)> {
        vec![
            (Vector::<3>::new(1.0, 0.3, -0.5), Vector::<3>::new(0.4, -0.1, 0.3)),
            (Vector::<3>::new(1.0, 0.999, 0.0), Vector::<3>::new(1e-3, -9e-4, 1e-4)),
            (Vector::<3>::new(2.0, 0.0, 0.0), Vector::<3>::new(3.0, 0.0, 0.0)),
        ]
    }

    #[test]
    fn scaling_brings_both_to_one_point() {
        for (x, y) in points() {
            let f = Scaling::new(&x, &y);
            assert!((f.apply(&x) - f.undo(&y)).norm() < 1e-12 * f.lambda.norm());
            assert!((f.square() * x - y).norm() < 1e-12 * y.norm());
            assert!((f.undo(&f.apply(&y)) - y).norm() < 1e-12 * y.norm());
            let least = f.lambda[0] - tangential(&f.lambda);
            assert!((least_eigenvalue(&x, &y) - least * least).abs() < 1e-10 * x.dot(&y));
        }
    }

    #[test]
    fn division_undoes_the_product() {
        for (x, y) in points() {
            assert!((divide(&x, &product(&x, &y)) - y).norm() < 1e-10);
        }
    }

    #[test]
    fn reach_ends_on_the_boundary() {
        let x = Vector::<3>::new(1.0, 0.3, -0.5);
        for dx in [
            Vector::<3>::new(-1.0, 0.0, 0.0),
            Vector::<3>::new(0.1, 1.0, 0.2),
            Vector::<3>::new(0.0, -1.0, 2.0),
            Vector::<3>::new(-1.0, -1.0, 0.0),
        ] {
            let there = x + dx * reach(&x, &dx);
            assert!((there[0] - tangential(&there)).abs() < 1e-12 && there[0] >= 0.0);
        }
        assert_eq!(reach(&x, &Vector::<3>::new(1.0, 0.2, 0.2)), f64::INFINITY);
    }

    #[test]
    fn rows_are_the_slopes_of_the_shift() {
        for shift in [Shift::Plain, Shift::Smooth] {
            let u = Vector::<3>::new(0.7, 0.4, -0.3);
            let y = shift.conjugate(&u);
            let row = shift.row(&u, &y);
            for k in 0..3 {
                let mut du = Vector::<3>::zeros();
                du[k] = 1e-7;
                let dy = (shift.conjugate(&(u + du)) - y) / 1e-7;
                // E dy/du = I, first row
                let expected = if k == 0 { 1.0 } else { 0.0 };
                assert!((row.dot(&dy) - expected).abs() < 1e-6);
            }
        }
    }
}
