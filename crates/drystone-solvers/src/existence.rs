//! Does the step have a solution? A certificate from the self-balanced impulses, by a small cone program. Refuses
//! large problems (the kernel of W is computed densely, at a cost that grows with the cube of the contacts) and says
//! nothing of uniqueness.
//!
//! The step has a solution for every force if `v* ∈ (Ker H ∩ L)*`: no self-balanced distribution of impulses inside the
//! Coulomb cones `L` works against the prescribed velocities `v*` (Klarbring, Pang 1998; Acary, Cadoux, Lemaréchal,
//! Malick 2011; Alart, Renouf 2018, eq. 15). The condition is sufficient; where it fails existence is no longer
//! guaranteed and depends on the forces (reversed gravity may pull the grains apart).
//!
//! Everything is read from the waist. With `W = H M⁻¹ Hᵀ` and `M` positive definite, `Ker H = Ker W`, and on it
//! `r·u_free = r·v*`, since the two differ by the image of `Hᵀ`.

use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{NonnegativeConeT, SecondOrderConeT, ZeroConeT};
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use drystone_math::nalgebra::{DMatrix, DVector};
use drystone_problem::{Delassus, Problem, Set, Vector};

/// Whether a solution of the step is guaranteed.
#[derive(Clone, Debug, PartialEq)]
pub enum Existence<const D: usize> {
    /// No self-balanced network of impulses works against the motion: a solution exists.
    Exists,
    /// A network does: a solution is not guaranteed. The condition is sufficient for existence, not necessary.
    Inconsistent {
        /// The self-balanced impulses, in `Ker H ∩ L`, with largest component 1.
        network: Vec<Vector<D>>,
        /// `network · v*`, negative.
        power: f64,
    },
}

/// Why existence could not be decided.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExistenceError {
    /// The problem holds a number that is not finite.
    #[error("contact {contact} has a block, velocity or friction that is not a finite number")]
    NotFinite {
        /// The contact.
        contact: usize,
    },
    /// The condition is proved for Coulomb's cones alone.
    #[error("contact {contact} obeys another law than Coulomb's, for which existence cannot be decided")]
    OtherSet {
        /// The contact.
        contact: usize,
    },
    /// The singular values of W did not converge.
    #[error("the kernel of the Delassus operator could not be computed")]
    Kernel,
    /// The cone program did not converge.
    #[error("the cone program ended with {status}")]
    Program {
        /// What the interior point said.
        status: String,
    },
}

/// Singular values of the scaled W below this, relative to the largest, are zero: rounding in the rows of H leaves
/// 1e-16 to 1e-13, and the softest mode of a thousand grains is far above.
const KERNEL: f64 = 1e-11;

/// A network may leave its cones by this much, relative to the sum of its normal impulses: ten times the tolerance
/// of the cone program.
const MARGIN: f64 = 1e-9;

/// Tolerance of the cone program.
const TOLERANCE: f64 = 1e-10;

/// Networks less deep than this inside their cones fill a set on which the interior point may give up.
const THIN: f64 = 1e-5;

/// A cone this wide, 89.99° to the side, is taken for a half-space: with wider ones the interior point loses the digits
/// it needs. Networks that need more friction than this are not found.
const WIDEST: f64 = 1e4;

/// Whether the step is guaranteed a solution.
pub fn existence<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
) -> Result<Existence<D>, ExistenceError> {
    let Some(kernel) = Kernel::new(problem, 1.0)? else {
        return Ok(Existence::Exists);
    };
    let (violation, deepest) = kernel.least_violation()?;
    if violation > MARGIN {
        return Ok(Existence::Exists);
    }
    // of all networks, the one that works hardest against the motion
    let velocity: Vec<Vector<D>> =
        problem.u_free.iter().zip(&kernel.scales).map(|(u, scale)| u * *scale).collect();
    let size = velocity.iter().map(|u| u.norm()).fold(0.0, f64::max);
    if size == 0.0 {
        return Ok(Existence::Exists);
    }
    let cost = kernel.pull_back(&velocity) / size;
    let hardest = match kernel.minimise(&cost, violation.max(0.0) + MARGIN) {
        Ok(y) => y,
        // at the threshold of friction the networks are one ray, too thin for an interior point: that ray will do
        Err(_) if violation > -THIN => deepest,
        Err(error) => return Err(error),
    };
    let network = kernel.network(&hardest);
    let power: f64 = network.iter().zip(&problem.u_free).map(|(r, u)| r.dot(u)).sum();
    // what the margin and the tolerance alone could feign
    let noise: f64 = network.iter().zip(&problem.u_free).map(|(r, u)| r.norm() * u.norm()).sum();
    if power < -1e2 * MARGIN * noise {
        Ok(Existence::Inconsistent { network, power })
    } else {
        Ok(Existence::Exists)
    }
}

/// Some self-balanced network of impulses inside the cones, the one deepest inside, with largest component 1; `None`
/// where `Ker H ∩ L = {0}`, and every prescribed velocity has a solution.
pub fn kernel_network<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
) -> Result<Option<Vec<Vector<D>>>, ExistenceError> {
    let Some(kernel) = Kernel::new(problem, 1.0)? else {
        return Ok(None);
    };
    let (violation, y) = kernel.least_violation()?;
    Ok((violation <= MARGIN).then(|| kernel.network(&y)))
}

/// The smallest common factor on the coefficients of friction at which `Ker H ∩ L` is no longer `{0}`, to 1e-8
/// relative; 0 where networks exist without friction, `None` where no friction makes any.
///
/// Wider cones hold the narrower ones, so that bisection applies.
pub fn critical_friction<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
) -> Result<Option<f64>, ExistenceError> {
    let jams = |factor: f64| -> Result<bool, ExistenceError> {
        match Kernel::new(problem, factor)? {
            Some(kernel) => Ok(kernel.least_violation()?.0 <= MARGIN),
            None => Ok(false),
        }
    };
    if jams(0.0)? {
        return Ok(Some(0.0));
    }
    // geometric, for nothing is known of the size
    let (mut low, mut high) = (1e-8_f64, WIDEST);
    if !jams(high)? {
        return Ok(None);
    }
    while high - low > 1e-8 * low {
        let middle = (low * high).sqrt();
        if jams(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(Some(high))
}

/// A basis of the self-balanced impulses, `x = Z y`, in scaled impulses `x_α = √d_α r_α` with `d_α = tr W_αα / D`: free of
/// units, and the cones are the same. Frictionless contacts have no tangential component at all, since a cone without
/// interior would leave the program none.
struct Kernel<const D: usize> {
    /// Z, a row per component kept.
    basis: DMatrix<f64>,
    /// The row of the first component of each contact.
    first: Vec<usize>,
    /// Friction of each contact, times the factor.
    mu: Vec<f64>,
    /// `1/√d_α`.
    scales: Vec<f64>,
}

impl<const D: usize> Kernel<D> {
    /// The kernel of W; `None` where it holds nothing that pushes.
    fn new<W: Delassus<D>>(problem: &Problem<D, W>, factor: f64) -> Result<Option<Self>, ExistenceError> {
        let contacts = problem.contacts();
        let mut mu = Vec::with_capacity(contacts);
        let mut scales = Vec::with_capacity(contacts);
        let mut first = Vec::with_capacity(contacts);
        let mut kept = Vec::new();
        for contact in 0..contacts {
            let Set::Coulomb { mu: friction } = problem.sets[contact] else {
                return Err(ExistenceError::OtherSet { contact });
            };
            let block = problem.w.block(contact);
            let finite = block.iter().chain(problem.u_free[contact].iter()).all(|x| x.is_finite());
            if !finite || friction.is_nan() {
                return Err(ExistenceError::NotFinite { contact });
            }
            let friction = if factor == 0.0 { 0.0 } else { (friction * factor).clamp(0.0, WIDEST) };
            let d = block.trace() / D as f64;
            mu.push(friction);
            scales.push(if d > 0.0 { 1.0 / d.sqrt() } else { 1.0 });
            first.push(kept.len());
            kept.extend((0..if friction > 0.0 { D } else { 1 }).map(|component| (contact, component)));
        }
        if kept.is_empty() {
            return Ok(None);
        }
        let scaled = scaled_columns(problem, &kept, &scales);
        if let Some(row) = (0..scaled.nrows()).find(|&row| scaled.row(row).iter().any(|x| !x.is_finite())) {
            return Err(ExistenceError::NotFinite { contact: row / D });
        }
        let decomposition =
            scaled.try_svd(false, true, f64::EPSILON, 10_000).ok_or(ExistenceError::Kernel)?;
        let right = decomposition.v_t.ok_or(ExistenceError::Kernel)?;
        let values = &decomposition.singular_values;
        let null: Vec<usize> = (0..values.len()).filter(|&k| values[k] <= KERNEL * values.max()).collect();
        let basis = DMatrix::from_fn(kept.len(), null.len(), |row, column| right[(null[column], row)]);
        let kernel = Self { basis, first, mu, scales };
        // in the cones a sum of normal impulses that vanishes is an impulse that vanishes
        Ok((kernel.normal_sum().norm() > KERNEL).then_some(kernel))
    }

    /// `Σ x_N` as a row on `y`.
    fn normal_sum(&self) -> DVector<f64> {
        let mut sum = DVector::zeros(self.basis.ncols());
        for &row in &self.first {
            sum += self.basis.row(row).transpose();
        }
        sum
    }

    /// `Zᵀ v`.
    fn pull_back(&self, v: &[Vector<D>]) -> DVector<f64> {
        let mut y = DVector::zeros(self.basis.ncols());
        for (contact, v) in v.iter().enumerate() {
            for component in 0..self.components(contact) {
                y += self.basis.row(self.first[contact] + component).transpose() * v[component];
            }
        }
        y
    }

    fn components(&self, contact: usize) -> usize {
        if self.mu[contact] > 0.0 { D } else { 1 }
    }

    /// The impulses of `y`, largest component 1.
    fn network(&self, y: &DVector<f64>) -> Vec<Vector<D>> {
        let x = &self.basis * y;
        let mut network = vec![Vector::<D>::zeros(); self.first.len()];
        for (contact, r) in network.iter_mut().enumerate() {
            for component in 0..self.components(contact) {
                r[component] = x[self.first[contact] + component] * self.scales[contact];
            }
        }
        let largest = network.iter().map(|r| r.amax()).fold(0.0, f64::max);
        if largest > 0.0 {
            for r in &mut network {
                *r /= largest;
            }
        }
        network
    }

    /// The network with `Σ x_N = 1` that leaves its cones least (or lies deepest inside, the violation then negative):
    /// `min τ` with `‖x_T‖ ≤ μ x_N + (1 + μ) τ` at every contact. Always feasible and bounded, with an interior: what a
    /// threshold of friction needs to be resolved to the tolerance of the program.
    fn least_violation(&self) -> Result<(f64, DVector<f64>), ExistenceError> {
        let unknowns = self.basis.ncols();
        let y = if unknowns == 1 {
            self.normal_sum().map(|sum| 1.0 / sum)
        } else {
            let mut cost = vec![0.0; unknowns + 1];
            cost[unknowns] = 1.0;
            let y = DVector::from_column_slice(&self.program(&cost, true, 0.0)?[..unknowns]);
            let sum = self.normal_sum().dot(&y);
            y / sum
        };
        // from the network itself, so that one inside its cones is a certificate however the program ended
        Ok((self.violation(&y), y))
    }

    /// The largest `(‖x_T‖ − μ x_N)/(1 + μ)`.
    fn violation(&self, y: &DVector<f64>) -> f64 {
        let x = &self.basis * y;
        let mut largest = f64::NEG_INFINITY;
        for (contact, &first) in self.first.iter().enumerate() {
            let mu = self.mu[contact];
            let outside = if mu > 0.0 {
                (x.rows(first + 1, D - 1).norm() - mu * x[first]) / (1.0 + mu)
            } else {
                -x[first]
            };
            largest = largest.max(outside);
        }
        largest
    }

    /// `min cost·y` with `Σ x_N = 1` and the cones widened by `margin`.
    fn minimise(&self, cost: &DVector<f64>, margin: f64) -> Result<DVector<f64>, ExistenceError> {
        if cost.len() == 1 {
            return Ok(self.normal_sum().map(|sum| 1.0 / sum));
        }
        Ok(DVector::from_vec(self.program(cost.as_slice(), false, margin)?))
    }

    /// The cone program over `z = y` or `z = (y, τ)`.
    fn program(&self, cost: &[f64], violation: bool, margin: f64) -> Result<Vec<f64>, ExistenceError> {
        let columns = cost.len();
        let mut rows = Rows::default();
        let mut cones: Vec<SupportedConeT<f64>> = vec![ZeroConeT(1)];
        rows.push(self.normal_sum().iter().copied(), None, 1.0);
        let slack = violation.then_some(columns - 1);
        for contact in 0..self.first.len() {
            let row = |component: usize| self.basis.row(self.first[contact] + component);
            // divided by 1 + μ, so that wide cones do not drown the others
            let (wide, narrow) =
                (self.mu[contact] / (1.0 + self.mu[contact]), 1.0 / (1.0 + self.mu[contact]));
            let slack = slack.map(|column| (column, -1.0));
            if self.components(contact) == 1 {
                rows.push(row(0).iter().map(|n| -n), slack, margin);
                cones.push(NonnegativeConeT(1));
            } else if D == 2 {
                // in the plane the cone is two half-planes, exactly
                for side in [1.0, -1.0] {
                    let edge = row(0) * -wide - row(1) * (side * narrow);
                    rows.push(edge.iter().copied(), slack, margin);
                }
                cones.push(NonnegativeConeT(2));
            } else {
                rows.push(row(0).iter().map(|n| -wide * n), slack, margin);
                for component in 1..D {
                    rows.push(row(component).iter().map(|t| -narrow * t), None, 0.0);
                }
                cones.push(SecondOrderConeT(D));
            }
        }
        let quadratic = CscMatrix::zeros((columns, columns));
        let constraints =
            CscMatrix::new_from_triplets(rows.right.len(), columns, rows.row, rows.column, rows.value);
        let settings = DefaultSettings {
            verbose: false,
            tol_gap_abs: TOLERANCE,
            tol_gap_rel: TOLERANCE,
            tol_feas: TOLERANCE,
            // what still passes as almost solved: within the margin
            reduced_tol_gap_abs: MARGIN,
            reduced_tol_gap_rel: MARGIN,
            reduced_tol_feas: MARGIN,
            ..DefaultSettings::default()
        };
        let failed = |status: String| ExistenceError::Program { status };
        let mut solver = DefaultSolver::new(&quadratic, cost, &constraints, &rows.right, &cones, settings)
            .map_err(|error| failed(error.to_string()))?;
        solver.solve();
        let solution = solver.solution;
        let accuracy =
            (solution.obj_val - solution.obj_val_dual).abs().max(solution.r_prim).max(solution.r_dual);
        // stopped short of the tolerance, yet beyond doubt about the sign
        let close = accuracy <= MARGIN.max(0.1 * solution.obj_val.abs().min(1e-6));
        match solution.status {
            SolverStatus::Solved | SolverStatus::AlmostSolved => Ok(solution.x),
            SolverStatus::InsufficientProgress if close => Ok(solution.x),
            status => Err(failed(format!("{status:?}"))),
        }
    }
}

/// Rows of `A z + s = b`.
#[derive(Default)]
struct Rows {
    row: Vec<usize>,
    column: Vec<usize>,
    value: Vec<f64>,
    right: Vec<f64>,
}

impl Rows {
    fn push(&mut self, coefficients: impl Iterator<Item = f64>, extra: Option<(usize, f64)>, right: f64) {
        for (column, value) in coefficients.enumerate().chain(extra) {
            self.row.push(self.right.len());
            self.column.push(column);
            self.value.push(value);
        }
        self.right.push(right);
    }
}

/// The columns of the scaled W that belong to the components kept, by unit impulses.
fn scaled_columns<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    kept: &[(usize, usize)],
    scales: &[f64],
) -> DMatrix<f64> {
    let contacts = problem.contacts();
    let mut columns = DMatrix::zeros(contacts * D, kept.len());
    let mut unit = vec![Vector::<D>::zeros(); contacts];
    for (column, &(contact, component)) in kept.iter().enumerate() {
        unit[contact][component] = scales[contact];
        let carry = problem.w.carry(&unit);
        for alpha in 0..contacts {
            let u = problem.w.row(alpha, &unit, &carry) * scales[alpha];
            for i in 0..D {
                columns[(alpha * D + i, column)] = u[i];
            }
        }
        unit[contact][component] = 0.0;
    }
    columns
}
