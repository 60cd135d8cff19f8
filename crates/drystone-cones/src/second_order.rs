//! One second-order cone: its scaling point (Nesterov, Todd 1997) and the way to its border. Knows no others.

/// `‖x‖`, without loss where squares would leave the range of numbers.
pub(crate) fn length(x: &[f64]) -> f64 {
    let largest = x.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    if (1e-100..1e100).contains(&largest) {
        return x.iter().map(|x| x * x).sum::<f64>().sqrt();
    }
    largest * x.iter().map(|x| (x / largest) * (x / largest)).sum::<f64>().sqrt()
}

pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// `√(x₀² − ‖x₁‖²)`.
fn interval(x: &[f64]) -> f64 {
    let side = length(&x[1..]);
    ((x[0] - side).max(0.0) * (x[0] + side)).sqrt()
}

/// Scaling point of a second-order cone and the upper triangle of `WᵀW = η² (2 w wᵀ − J)`.
pub(crate) fn scale_second_order(
    s: &[f64],
    z: &[f64],
    w: &mut [f64],
    eta: &mut f64,
    square: &mut [f64],
) -> bool {
    let (of_s, of_z) = (interval(s), interval(z));
    if !(of_s > 0.0 && of_z > 0.0 && of_s.is_finite() && of_z.is_finite()) {
        return false;
    }
    let gamma = (0.5 * (1.0 + dot(s, z) / (of_s * of_z)).max(2.0)).sqrt();
    for k in 1..w.len() {
        w[k] = 0.5 * (s[k] / of_s - z[k] / of_z) / gamma;
    }
    let side = length(&w[1..]);
    w[0] = (1.0 + side * side).sqrt();
    *eta = (of_s / of_z).sqrt();
    let squared = of_s / of_z;
    let mut entry = 0;
    for j in 0..w.len() {
        for i in 0..=j {
            square[entry] = squared
                * match (i, j) {
                    // 2 w₀² − 1
                    (0, 0) => 1.0 + 2.0 * side * side,
                    _ if i == j => 1.0 + 2.0 * w[i] * w[i],
                    _ => 2.0 * w[i] * w[j],
                };
            entry += 1;
        }
    }
    true
}

/// `x ← W x`, or with the sign −1 `x ← W⁻¹ x`.
pub(crate) fn times_second_order(w: &[f64], eta: f64, sign: f64, x: &mut [f64]) {
    let factor = if sign > 0.0 { eta } else { 1.0 / eta };
    let along = dot(&w[1..], &x[1..]);
    let first = x[0];
    x[0] = factor * (w[0] * first + sign * along);
    let share = sign * first + along / (1.0 + w[0]);
    for k in 1..x.len() {
        x[k] = factor * (x[k] + share * w[k]);
    }
}

/// The step at which `x + α d` reaches the border of a second-order cone, at most `most`.
pub(crate) fn step_second_order(x: &[f64], d: &[f64], most: f64) -> f64 {
    let mut step = most;
    if d[0] < 0.0 {
        step = step.min(-x[0] / d[0]);
    }
    let (of_x, of_d) = (length(&x[1..]), length(&d[1..]));
    // a α² + 2 b α + c = 0
    let a = (d[0] - of_d) * (d[0] + of_d);
    let b = x[0] * d[0] - dot(&x[1..], &d[1..]);
    let c = ((x[0] - of_x) * (x[0] + of_x)).max(0.0);
    let discriminant = b * b - a * c;
    if (a > 0.0 && b > 0.0) || discriminant < 0.0 {
        return step;
    }
    let t = -(b + b.signum() * discriminant.sqrt());
    for root in [t / a, c / t] {
        if root >= 0.0 {
            step = step.min(root);
        }
    }
    step
}
