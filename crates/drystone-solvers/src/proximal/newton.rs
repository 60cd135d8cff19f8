//! Semismooth Newton on the exact Coulomb law in Alart and Curnier's form (1991), in scaled variables. Knows no
//! proximal point but its data: a compliance on the diagonal and a centre.

use super::scaled::Scaled;
use crate::sparse::Fronts;
use drystone_problem::{Matrix, Vector};

/// Steps after which Newton gives up.
const MOST_STEPS: u32 = 30;
/// Halvings of a step after which Newton gives up.
const MOST_HALVINGS: u32 = 8;
/// The step need only beat the worst of so many residuals: the pieces of the map meet at kinks.
const MEMORY: usize = 4;

/// The problem `y = (W + I/α) x + q − centre/α`.
pub(super) struct Newton<'a, const D: usize> {
    scaled: &'a Scaled<D>,
    fronts: &'a Fronts,
    /// `1/α`; 0 is the problem itself.
    pub compliance: f64,
    centre: Vec<Vector<D>>,
    linear: Vec<Linear<D>>,
    phi: Vec<Vector<D>>,
    jacobian: Vec<Matrix<D, D>>,
}

/// Derivative of the map at one contact: `dΦ = x dx + y dy`.
#[derive(Clone, Copy)]
struct Linear<const D: usize> {
    x: Matrix<D, D>,
    y: Matrix<D, D>,
}

/// How Newton ended.
pub(super) struct Outcome {
    /// Factorisations done.
    pub steps: u32,
    /// Whether the residual asked for was reached.
    pub converged: bool,
}

impl<'a, const D: usize> Newton<'a, D> {
    /// Makes ready for problems on one operator.
    pub fn new(scaled: &'a Scaled<D>, fronts: &'a Fronts) -> Self {
        let contacts = scaled.slope.len();
        let nothing = Linear { x: Matrix::zeros(), y: Matrix::zeros() };
        Self {
            scaled,
            fronts,
            compliance: 0.0,
            centre: vec![Vector::zeros(); contacts],
            linear: vec![nothing; contacts],
            phi: vec![Vector::zeros(); contacts],
            jacobian: scaled.w.clone(),
        }
    }

    /// Length of the map of the problem itself at `x`.
    pub fn residual(&mut self, x: &[Vector<D>]) -> f64 {
        self.compliance = 0.0;
        let y = self.velocities(x);
        self.look(x, &y)
    }

    /// Improves `x` from the centre on until the residual is at most `tolerance`, in at most `budget` steps.
    pub fn solve(&mut self, compliance: f64, x: &mut Vec<Vector<D>>, tolerance: f64, budget: u32) -> Outcome {
        self.compliance = compliance;
        self.centre.copy_from_slice(x);
        let tolerance = tolerance.max(self.rounding(x));
        let mut history = Vec::with_capacity(MOST_STEPS as usize + 1);
        let mut steps = 0;
        loop {
            let y = self.velocities(x);
            let length = self.look(x, &y);
            let converged = length <= tolerance;
            if converged || !length.is_finite() || steps >= budget.min(MOST_STEPS) {
                return Outcome { steps, converged };
            }
            history.push(length);
            let recent = &history[history.len().saturating_sub(MEMORY)..];
            let bar = recent.iter().copied().fold(0.0, f64::max);
            let step = self.step();
            steps += 1;
            if !self.line_search(x, &y, &step, bar) {
                return Outcome { steps, converged: false };
            }
        }
    }

    /// The length of the map that rounding alone can leave.
    fn rounding(&self, x: &[Vector<D>]) -> f64 {
        let square: f64 =
            x.iter().zip(&self.scaled.q).map(|(x, q)| x.norm_squared() + q.norm_squared()).sum();
        8.0 * f64::EPSILON * square.sqrt()
    }

    fn velocities(&self, x: &[Vector<D>]) -> Vec<Vector<D>> {
        let mut y = self.scaled.pattern.times(&self.scaled.w, x);
        for (contact, y) in y.iter_mut().enumerate() {
            *y += self.scaled.q[contact] + (x[contact] - self.centre[contact]) * self.compliance;
        }
        y
    }

    /// Fills in the map and its derivative; returns the length of the map.
    fn look(&mut self, x: &[Vector<D>], y: &[Vector<D>]) -> f64 {
        for contact in 0..x.len() {
            let (phi, linear) = alart_curnier(self.scaled.slope[contact], &x[contact], &y[contact]);
            self.phi[contact] = phi;
            self.linear[contact] = linear;
        }
        self.phi.iter().map(|phi| phi.norm_squared()).sum::<f64>().sqrt()
    }

    /// Newton's step.
    fn step(&mut self) -> Vec<Vector<D>> {
        let pattern = &self.scaled.pattern;
        for (row, linear) in self.linear.iter().enumerate() {
            for entry in pattern.entries(row) {
                let mut block = linear.y * self.scaled.w[entry];
                if pattern.columns[entry] as usize == row {
                    block += linear.x + linear.y * self.compliance;
                }
                self.jacobian[entry] = block;
            }
        }
        let mut step: Vec<Vector<D>> = self.phi.iter().map(|phi| -phi).collect();
        self.fronts.factor(&self.jacobian).solve(&mut step);
        step
    }

    /// Moves `x` along the step until the residual falls below the bar; `false` where it does not.
    fn line_search(&mut self, x: &mut Vec<Vector<D>>, y: &[Vector<D>], step: &[Vector<D>], bar: f64) -> bool {
        let mut change = self.scaled.pattern.times(&self.scaled.w, step);
        for (change, step) in change.iter_mut().zip(step) {
            *change += step * self.compliance;
        }
        let along = |from: &[Vector<D>], by: &[Vector<D>], length: f64| -> Vec<Vector<D>> {
            from.iter().zip(by).map(|(from, by)| from + by * length).collect()
        };
        let mut length = 1.0;
        for _ in 0..=MOST_HALVINGS {
            let there = along(x, step, length);
            let residual = self.look(&there, &along(y, &change, length));
            if residual < (1.0 - 1e-3 * length) * bar {
                *x = there;
                return true;
            }
            length *= 0.5;
        }
        false
    }
}

/// Alart and Curnier's map `Φ = x − (max(0, g), P(τ))`, `g = x_N − y_N`, `τ = x_T − y_T`, P on the disk of radius
/// `slope g`, and an element of its derivative.
fn alart_curnier<const D: usize>(slope: f64, x: &Vector<D>, y: &Vector<D>) -> (Vector<D>, Linear<D>) {
    let identity = Matrix::<D, D>::identity();
    let mut linear = Linear { x: Matrix::zeros(), y: Matrix::zeros() };
    let tau = x - y;
    let g = tau[0];
    // open: no impulse
    if g <= 0.0 {
        linear.x = identity;
        return (*x, linear);
    }
    let length = tau.iter().skip(1).map(|t| t * t).sum::<f64>().sqrt();
    // stick: no velocity
    if slope > 0.0 && length <= slope * g {
        linear.y = identity;
        return (*y, linear);
    }
    // slip along n: y_N = 0 and x_T = slope g n, which turns with τ by the share `turning` of what lies across n
    let turning = if length > 0.0 { slope * g / length } else { 0.0 };
    let mut phi = *x;
    phi[0] = y[0];
    linear.y[(0, 0)] = 1.0;
    for i in 1..D {
        let n_i = if length > 0.0 { tau[i] / length } else { 0.0 };
        phi[i] -= turning * tau[i];
        linear.x[(i, 0)] = -slope * n_i;
        linear.y[(i, 0)] = slope * n_i;
        for j in 1..D {
            let n_j = if length > 0.0 { tau[j] / length } else { 0.0 };
            let same = if i == j { 1.0 } else { 0.0 };
            let across = turning * (same - n_i * n_j);
            linear.x[(i, j)] = same - across;
            linear.y[(i, j)] = across;
        }
    }
    (phi, linear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivative_is_the_slope_of_the_map() {
        let slope = 0.7;
        let cases = [
            (Vector::<3>::new(0.1, 0.05, 0.0), Vector::<3>::new(0.4, 0.2, -0.1)),
            (Vector::<3>::new(1.0, 0.2, -0.1), Vector::<3>::new(0.1, 0.05, 0.02)),
            (Vector::<3>::new(1.0, 0.6, -0.3), Vector::<3>::new(0.1, -0.7, 0.9)),
        ];
        for (x, y) in cases {
            let (phi, linear) = alart_curnier(slope, &x, &y);
            for component in 0..3 {
                let mut small = Vector::<3>::zeros();
                small[component] = 1e-7;
                let by_x = (alart_curnier(slope, &(x + small), &y).0 - phi) / 1e-7;
                let by_y = (alart_curnier(slope, &x, &(y + small)).0 - phi) / 1e-7;
                assert!((by_x - linear.x.column(component)).norm() < 1e-6);
                assert!((by_y - linear.y.column(component)).norm() < 1e-6);
            }
        }
    }
}
