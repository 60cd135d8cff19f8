//! Semismooth Newton on the exact laws in Alart and Curnier's form (1991), in scaled variables. Knows no
//! proximal point but its data: a compliance on the diagonal and a centre.

use super::scaled::Scaled;
use crate::operator::Diagonals;
use drystone_problem::{Matrix, Monitor, Set, Vector};

/// Steps after which Newton gives up.
const MOST_STEPS: u32 = 30;
/// Halvings of a step after which Newton gives up.
const MOST_HALVINGS: u32 = 8;
/// The step need only beat the worst of so many residuals: the pieces of the map meet at kinks.
const MEMORY: usize = 4;

/// The problem `y = (W + I/α) x + q − centre/α`.
pub(super) struct Newton<'a, const D: usize> {
    scaled: &'a Scaled<D>,
    /// `1/α`; 0 is the problem itself.
    pub compliance: f64,
    stubborn: bool,
    centre: Vec<Vector<D>>,
    linear: Vec<Linear<D>>,
    phi: Vec<Vector<D>>,
    jacobian: Diagonals<D>,
}

/// Derivative of the map at one contact: `dΦ = x dx + y dy`.
#[derive(Clone, Copy)]
struct Linear<const D: usize> {
    x: Matrix<D, D>,
    y: Matrix<D, D>,
}

/// How Newton ended.
pub(super) struct NewtonResult {
    /// Factorisations done.
    pub steps: u32,
    /// Whether the residual asked for was reached.
    pub converged: bool,
}

impl<'a, const D: usize> Newton<'a, D> {
    /// Makes ready for problems on one operator; where it is `stubborn` it takes the shortest step tried
    /// when none is better, and goes on.
    pub fn new(scaled: &'a Scaled<D>, stubborn: bool) -> Self {
        let contacts = scaled.sets.len();
        let nothing = Linear { x: Matrix::zeros(), y: Matrix::zeros() };
        Self {
            scaled,
            compliance: 0.0,
            stubborn,
            centre: vec![Vector::zeros(); contacts],
            linear: vec![nothing; contacts],
            phi: vec![Vector::zeros(); contacts],
            jacobian: Diagonals::shifted(contacts, 0.0),
        }
    }

    /// Length of the map of the problem itself at `x`.
    pub fn residual(&mut self, x: &[Vector<D>]) -> f64 {
        self.compliance = 0.0;
        let y = self.velocities(x);
        self.look(x, &y)
    }

    /// Improves `x` from the centre on until the residual is at most `tolerance`, in at most `budget` steps,
    /// or until it is interrupted.
    pub fn solve(
        &mut self,
        compliance: f64,
        x: &mut Vec<Vector<D>>,
        tolerance: f64,
        budget: u32,
        monitor: &Monitor,
    ) -> NewtonResult {
        self.compliance = compliance;
        self.centre.copy_from_slice(x);
        let tolerance = tolerance.max(self.rounding(x));
        let mut history = Vec::with_capacity(MOST_STEPS as usize + 1);
        let mut steps = 0;
        loop {
            let y = self.velocities(x);
            let length = self.look(x, &y);
            let converged = length <= tolerance;
            let ended = steps >= budget.min(MOST_STEPS) || monitor.is_interrupted();
            if converged || !length.is_finite() || ended {
                return NewtonResult { steps, converged };
            }
            history.push(length);
            let recent = &history[history.len().saturating_sub(MEMORY)..];
            let bar = recent.iter().copied().fold(0.0, f64::max);
            let step = self.step();
            steps += 1;
            if !self.line_search(x, &y, &step, bar) && !self.stubborn {
                return NewtonResult { steps, converged: false };
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
        let mut y = self.scaled.operator.times(x);
        for (contact, y) in y.iter_mut().enumerate() {
            *y += self.scaled.q[contact] + (x[contact] - self.centre[contact]) * self.compliance;
        }
        y
    }

    /// Fills in the map and its derivative; returns the length of the map.
    fn look(&mut self, x: &[Vector<D>], y: &[Vector<D>]) -> f64 {
        for contact in 0..x.len() {
            let (phi, linear) = alart_curnier(&self.scaled.sets[contact], &x[contact], &y[contact]);
            self.phi[contact] = phi;
            self.linear[contact] = linear;
        }
        self.phi.iter().map(|phi| phi.norm_squared()).sum::<f64>().sqrt()
    }

    /// Newton's step.
    fn step(&mut self) -> Vec<Vector<D>> {
        let operator = &*self.scaled.operator;
        for (contact, linear) in self.linear.iter().enumerate() {
            self.jacobian.a[contact] = linear.x + linear.y * self.compliance;
            self.jacobian.b[contact] = linear.y;
        }
        let mut step: Vec<Vector<D>> = self.phi.iter().map(|phi| -phi).collect();
        let factors = operator.factor(&self.jacobian);
        self.jacobian.solve(operator, &*factors, &mut step, operator.corrections());
        step
    }

    /// Moves `x` along the step until the residual falls below the bar; `false` where it does not.
    fn line_search(&mut self, x: &mut Vec<Vector<D>>, y: &[Vector<D>], step: &[Vector<D>], bar: f64) -> bool {
        let mut change = self.scaled.operator.times(step);
        for (change, step) in change.iter_mut().zip(step) {
            *change += step * self.compliance;
        }
        let along = |from: &[Vector<D>], by: &[Vector<D>], length: f64| -> Vec<Vector<D>> {
            from.iter().zip(by).map(|(from, by)| from + by * length).collect()
        };
        let (mut length, mut last) = (1.0, None);
        for _ in 0..=MOST_HALVINGS {
            let there = along(x, step, length);
            let residual = self.look(&there, &along(y, &change, length));
            if residual < (1.0 - 1e-3 * length) * bar {
                *x = there;
                return true;
            }
            length *= 0.5;
            last = Some(there);
        }
        if let Some(last) = last.filter(|_| self.stubborn) {
            *x = last;
        }
        false
    }
}

/// Alart and Curnier's map `Φ = x − (max(0, g), P(τ))`, `g = x_N − y_N`, `τ = x_T − y_T`, P on the disk of
/// the threshold that belongs to `g`, and an element of its derivative. Held components have `Φ = y`, free
/// ones `Φ = x`.
fn alart_curnier<const D: usize>(set: &Set, x: &Vector<D>, y: &Vector<D>) -> (Vector<D>, Linear<D>) {
    let mut map = Map { x, y, phi: *x, linear: Linear { x: Matrix::identity(), y: Matrix::zeros() } };
    if let Set::Bilateral { rows } = *set {
        (0..rows.min(D)).for_each(|row| map.hold(row));
        return (map.phi, map.linear);
    }
    if let Set::Bearing { held, factor, .. } = *set {
        let held = held.min(D);
        (0..held).for_each(|row| map.hold(row));
        let borne = Vector::<D>::from_fn(|i, _| if i < held { x[i] - y[i] } else { 0.0 });
        let load = borne.norm();
        let slope = if load > 0.0 { borne * (factor / load) } else { borne };
        for part in set.frictions::<D>() {
            map.friction(part, set.threshold(load), &slope);
        }
        return (map.phi, map.linear);
    }
    let g = x[0] - y[0];
    if g > 0.0 {
        map.hold(0);
    }
    let [sliding, rolls, twists] = set.frictions::<D>();
    let threshold = set.threshold(g.max(0.0));
    let follows = match *set {
        Set::Coulomb { mu } | Set::Rolling { mu, .. } => mu,
        Set::Orowan { mu, cap } if mu * g < cap => mu,
        _ => 0.0,
    };
    let along_normal = |slope: f64| {
        let mut along = Vector::zeros();
        along[0] = if g > 0.0 { slope } else { 0.0 };
        along
    };
    map.friction(sliding, threshold, &along_normal(follows));
    if let Set::Rolling { rolling, twisting, .. } = *set {
        for (part, arm) in [(rolls, rolling), (twists, twisting.unwrap_or(0.0))] {
            map.friction(part, arm * g.max(0.0), &along_normal(arm));
        }
    }
    (map.phi, map.linear)
}

/// The map at one contact on its way; it begins with every component free.
struct Map<'a, const D: usize> {
    x: &'a Vector<D>,
    y: &'a Vector<D>,
    phi: Vector<D>,
    linear: Linear<D>,
}

impl<const D: usize> Map<'_, D> {
    /// No velocity.
    fn hold(&mut self, row: usize) {
        self.phi[row] = self.y[row];
        self.linear.x[(row, row)] = 0.0;
        self.linear.y[(row, row)] = 1.0;
    }

    /// Friction of some components up to a threshold that grows by `slope` with `x − y`.
    fn friction(&mut self, rows: std::ops::Range<usize>, threshold: f64, slope: &Vector<D>) {
        let tau = self.x - self.y;
        let length = rows.clone().map(|i| tau[i] * tau[i]).sum::<f64>().sqrt();
        if threshold > 0.0 && length <= threshold {
            rows.for_each(|row| self.hold(row));
            return;
        }
        // slip along n: x_T = threshold n, which turns with τ by the share `turning` of what lies across n
        let turning = if length > 0.0 { threshold / length } else { 0.0 };
        for i in rows.clone() {
            let n_i = if length > 0.0 { tau[i] / length } else { 0.0 };
            self.phi[i] -= turning * tau[i];
            for j in 0..rows.start {
                self.linear.x[(i, j)] = -slope[j] * n_i;
                self.linear.y[(i, j)] = slope[j] * n_i;
            }
            for j in rows.clone() {
                let n_j = if length > 0.0 { tau[j] / length } else { 0.0 };
                let same = if i == j { 1.0 } else { 0.0 };
                let across = turning * (same - n_i * n_j);
                self.linear.x[(i, j)] = same - across;
                self.linear.y[(i, j)] = across;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivative_is_the_slope_of_the_map() {
        let sets = [
            Set::Coulomb { mu: 0.7 },
            Set::Coulomb { mu: 0.0 },
            Set::Orowan { mu: 0.7, cap: 0.4 },
            Set::Tresca { cap: 0.5 },
            Set::Bilateral { rows: 2 },
            Set::Rolling { mu: 0.7, rolling: 0.3, twisting: None, sliding: 1 },
            Set::Rolling { mu: 0.7, rolling: 0.1, twisting: Some(0.2), sliding: 0 },
            Set::Bearing { held: 1, base: 0.2, factor: 0.3, apart: false },
            Set::Bearing { held: 2, base: 0.05, factor: 0.4, apart: false },
            Set::Bearing { held: 1, base: 0.2, factor: 0.3, apart: true },
            Set::Bearing { held: 0, base: 0.7, factor: 0.0, apart: false },
            Set::Bearing { held: 0, base: 0.4, factor: 0.0, apart: true },
        ];
        let cases = [
            (Vector::<3>::new(0.1, 0.05, 0.0), Vector::<3>::new(0.4, 0.2, -0.1)),
            (Vector::<3>::new(0.1, 0.05, 0.9), Vector::<3>::new(0.4, 0.2, -0.1)),
            (Vector::<3>::new(1.0, 0.2, -0.1), Vector::<3>::new(0.1, 0.05, 0.02)),
            (Vector::<3>::new(1.0, 0.6, -0.3), Vector::<3>::new(0.1, -0.7, 0.9)),
        ];
        for set in sets {
            for (x, y) in cases {
                let (phi, linear) = alart_curnier(&set, &x, &y);
                for component in 0..3 {
                    let mut small = Vector::<3>::zeros();
                    small[component] = 1e-7;
                    let by_x = (alart_curnier(&set, &(x + small), &y).0 - phi) / 1e-7;
                    let by_y = (alart_curnier(&set, &x, &(y + small)).0 - phi) / 1e-7;
                    assert!((by_x - linear.x.column(component)).norm() < 1e-6, "{set:?}");
                    assert!((by_y - linear.y.column(component)).norm() < 1e-6, "{set:?}");
                }
                assert!((phi - (x - set.settle(&(x - y)))).norm() < 1e-15, "{set:?}");
            }
        }
    }
}
