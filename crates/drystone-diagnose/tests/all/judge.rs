//! An independent judge of existence: the alternative as a dense linear programme, by the textbook tableau
//! with Bland's rule, and every answer checked before it is believed. Shares no code with what it judges.

/// What the judge can prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sentence {
    /// Some non-negative combination of the columns vanishes and has negative cost.
    Against,
    /// A vector makes every cost non-negative: there is none.
    LetsGo,
    /// Too close to call.
    Open,
}

/// Is there `z ≥ 0` with `C z = 0` and `cost·z = −1`? `columns` are those of C.
pub fn judge(columns: &[Vec<f64>], cost: &[f64]) -> Sentence {
    let rows = columns.first().map_or(0, Vec::len) + 1;
    let count = columns.len();
    // one row for each equation, the last is −cost·z = 1; artificial columns behind
    let mut tableau = vec![vec![0.0; count + rows + 1]; rows];
    for (j, column) in columns.iter().enumerate() {
        for (i, value) in column.iter().enumerate() {
            tableau[i][j] = *value;
        }
        tableau[rows - 1][j] = -cost[j];
    }
    (0..rows).for_each(|i| tableau[i][count + i] = 1.0);
    tableau[rows - 1][count + rows] = 1.0;
    let mut basis: Vec<usize> = (count..count + rows).collect();
    for _ in 0..20_000 {
        // reduced costs of phase 1: minus the sum of the rows whose basis is artificial
        let reduced =
            |j: usize| -> f64 { (0..rows).filter(|&i| basis[i] >= count).map(|i| -tableau[i][j]).sum() };
        let Some(entering) = (0..count).find(|&j| !basis.contains(&j) && reduced(j) < -1e-9) else { break };
        let ratio = |i: usize| tableau[i][count + rows] / tableau[i][entering];
        let leaving = (0..rows).filter(|&i| tableau[i][entering] > 1e-9).min_by(|&a, &b| {
            let (x, y) = (ratio(a), ratio(b));
            if (x - y).abs() < 1e-13 { basis[a].cmp(&basis[b]) } else { x.total_cmp(&y) }
        });
        let Some(leaving) = leaving else { break };
        let pivot = tableau[leaving][entering];
        tableau[leaving].iter_mut().for_each(|x| *x /= pivot);
        let row = tableau[leaving].clone();
        for (i, other) in tableau.iter_mut().enumerate().filter(|(i, _)| *i != leaving) {
            let factor = other[entering];
            if factor != 0.0 && i != leaving {
                other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            }
        }
        basis[leaving] = entering;
    }
    let mut z = vec![0.0; count];
    (0..rows).filter(|&i| basis[i] < count).for_each(|i| z[basis[i]] = tableau[i][count + rows]);
    if proves_against(columns, cost, &z) {
        return Sentence::Against;
    }
    // multipliers of the equations stand in the artificial columns
    let multiplier =
        |k: usize| -> f64 { (0..rows).filter(|&i| basis[i] >= count).map(|i| tableau[i][count + k]).sum() };
    let y: Vec<f64> = (0..rows).map(multiplier).collect();
    if proves_free(columns, cost, &y) { Sentence::LetsGo } else { Sentence::Open }
}

fn proves_against(columns: &[Vec<f64>], cost: &[f64], z: &[f64]) -> bool {
    let whole: f64 = z.iter().sum();
    let power: f64 = z.iter().zip(cost).map(|(z, c)| z * c).sum();
    let rows = columns.first().map_or(0, Vec::len);
    let missed = (0..rows).map(|i| z.iter().zip(columns).map(|(z, column)| z * column[i]).sum::<f64>().abs());
    z.iter().all(|&z| z >= -1e-12 * whole)
        && power < -1e-7 * whole
        && missed.fold(0.0, f64::max) < 1e-11 * whole
}

/// `y·(C, −cost)_j ≤ 0` for every column with `y_last > 0`: then `cost + Cᵀ(−y/y_last) ≥ 0`.
fn proves_free(columns: &[Vec<f64>], cost: &[f64], y: &[f64]) -> bool {
    let (last, rest) = (y[y.len() - 1], &y[..y.len() - 1]);
    if last <= 1e-9 {
        return false;
    }
    let size = rest.iter().fold(last, |size: f64, y| size.max(y.abs()));
    let least = columns
        .iter()
        .zip(cost)
        .map(|(column, c)| c * last - rest.iter().zip(column).map(|(y, x)| y * x).sum::<f64>());
    last > 1e-6 * size && least.fold(f64::INFINITY, f64::min) >= -1e-10 * size
}
