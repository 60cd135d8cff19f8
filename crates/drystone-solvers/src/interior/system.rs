//! Newton's system of the interior point and its steps: predictor, corrector, how far to go. Knows the scaled
//! problem and no residual.

use super::cone::{Scaling, Shift, divide, least_eigenvalue, product, reach};
use crate::operator::{Diagonals, Factored};
use crate::proximal::Scaled;
use drystone_problem::{Matrix, Set, Vector};

/// Corrections of every direction by what it leaves.
const CORRECTIONS: u32 = 2;

/// A point inside the cones.
#[derive(Clone)]
pub(super) struct Point<const D: usize> {
    /// Scaled impulses.
    pub x: Vec<Vector<D>>,
    /// Scaled velocities, before the shift; on the way they need not be `W x + q`.
    pub u: Vec<Vector<D>>,
    /// Mean of `x·y` over the weights: how far along the path.
    pub c: f64,
    /// Smallest eigenvalue of the products relative to `c`: 1 on the path, 0 on the boundary.
    pub centrality: f64,
}

/// A direction.
#[derive(Clone)]
pub(super) struct Direction<const D: usize> {
    pub dx: Vec<Vector<D>>,
    pub du: Vec<Vector<D>>,
}

/// The scaled problem with one shift.
pub(super) struct System<'a, const D: usize> {
    scaled: &'a Scaled<D>,
    shift: Shift,
    /// What is added to the free normal velocities: the shift where it is held.
    held: Vec<f64>,
    /// How many times the mean product each contact has on the path.
    weights: Vec<f64>,
}

/// The system at a point, factored.
pub(super) struct Local<'a, const D: usize> {
    matrix: Diagonals<D>,
    factors: Box<dyn Factored<D> + 'a>,
    /// What the velocities lack: `u − W x − q`.
    defect: Vec<Vector<D>>,
    pub scaling: Vec<Scaling<D>>,
    /// First rows of E.
    rows: Vec<Vector<D>>,
}

impl<'a, const D: usize> System<'a, D> {
    pub fn new(scaled: &'a Scaled<D>, shift: Shift) -> Self {
        let contacts = scaled.sets.len();
        Self { scaled, shift, held: vec![0.0; contacts], weights: vec![1.0; contacts] }
    }

    /// The convex problem with De Saxcé's shift held.
    pub fn held(scaled: &'a Scaled<D>, held: Vec<f64>) -> Self {
        Self { held, ..Self::new(scaled, Shift::Held) }
    }

    /// The same along another path to its solutions, `x ∘ y = c w_α e` with a weight for each contact.
    pub fn weighted(self, weights: &[f64]) -> Self {
        Self { weights: weights.to_vec(), ..self }
    }

    pub fn shift(&self) -> Shift {
        self.shift
    }

    /// The middle of the cones.
    pub fn middle(&self) -> Point<D> {
        let all: Vec<Vector<D>> = self.weights.iter().map(|weight| normal(weight.sqrt())).collect();
        Point { x: all.clone(), u: all, c: 1.0, centrality: 1.0 }
    }

    pub fn to_impulses(&self, point: &Point<D>, sets: &[Set], r: &mut [Vector<D>]) {
        self.scaled.to_impulses(&point.x, sets, r);
    }

    fn frictionless(&self, contact: usize) -> bool {
        self.scaled.slope(contact) == 0.0
    }

    /// Conjugate velocity of a contact; without friction only its normal part counts.
    fn conjugate(&self, contact: usize, u: &Vector<D>) -> Vector<D> {
        if self.frictionless(contact) { normal(u[0]) } else { self.shift.conjugate(u) }
    }

    /// Mean of the products, each over its weight, and centrality of a pair; negative centrality outside the
    /// cones.
    pub fn place(&self, x: &[Vector<D>], u: &[Vector<D>]) -> (f64, f64) {
        let (mut sum, mut least) = (0.0, f64::INFINITY);
        for contact in 0..x.len() {
            let y = self.conjugate(contact, &u[contact]);
            let weight = self.weights[contact];
            sum += x[contact].dot(&y) / weight;
            least = least.min(least_eigenvalue(&x[contact], &y) / weight);
        }
        let c = sum / x.len() as f64;
        (c, least / c)
    }

    /// Largest deviation of a product from `c e`, relative to `c`.
    pub fn deviation(&self, point: &Point<D>) -> f64 {
        let unit = normal::<D>(point.c);
        let of_contact = |contact: usize| {
            let y = self.conjugate(contact, &point.u[contact]);
            let f = Scaling::new(&point.x[contact], &y);
            (product(&f.lambda, &f.lambda) - unit).norm()
        };
        (0..point.x.len()).map(of_contact).fold(0.0, f64::max) / point.c
    }

    /// Scales and factors at a point; `None` where a number stops being finite.
    pub fn factor(&self, point: &Point<D>) -> Option<Local<'a, D>> {
        let contacts = point.x.len();
        let mut defect = self.scaled.operator.times(&point.x);
        let mut scaling = Vec::with_capacity(contacts);
        let mut rows = Vec::with_capacity(contacts);
        let mut matrix = Diagonals::shifted(contacts, 0.0);
        for contact in 0..contacts {
            let u = &point.u[contact];
            let frictionless = self.frictionless(contact);
            defect[contact] = u - defect[contact] - self.scaled.q[contact];
            defect[contact][0] -= self.held[contact];
            let y = self.conjugate(contact, u);
            let f = Scaling::new(&point.x[contact], &y);
            let row = if frictionless { normal(1.0) } else { self.shift.row(u, &y) };
            let mut square = f.square();
            let first = row.transpose() * square;
            square.row_mut(0).copy_from(&first);
            matrix.a[contact] = square;
            if frictionless {
                // one equation; the others say that nothing happens
                defect[contact] = normal(defect[contact][0]);
                matrix.a[contact] = Matrix::identity();
                matrix.a[contact].row_mut(0).copy_from(&first);
                matrix.b[contact] = Matrix::from_diagonal(&normal(1.0));
            }
            scaling.push(f);
            rows.push(row);
        }
        let factors = self.scaled.operator.factor(&matrix);
        let finite = scaling.iter().all(|f| f.lambda.iter().all(|l| l.is_finite()));
        finite.then_some(Local { matrix, factors, defect, scaling, rows })
    }

    /// The direction whose products change by `wanted` in scaled variables, and which closes the share `mend`
    /// of what the velocities lack.
    pub fn direction(&self, local: &Local<D>, wanted: &[Vector<D>], mend: f64) -> Direction<D> {
        let right: Vec<Vector<D>> = (0..wanted.len())
            .map(|contact| {
                let f = &local.scaling[contact];
                let mut b = f.apply(&divide(&f.lambda, &wanted[contact]));
                b[0] = local.rows[contact].dot(&b);
                b += local.defect[contact] * mend;
                if self.frictionless(contact) { normal(b[0]) } else { b }
            })
            .collect();
        let operator = &*self.scaled.operator;
        let mut dx = right;
        local.matrix.solve(operator, &*local.factors, &mut dx, CORRECTIONS);
        let mut du = operator.times(&dx);
        du.iter_mut().zip(&local.defect).for_each(|(du, defect)| *du -= defect * mend);
        Direction { dx, du }
    }

    /// How far the direction stays inside the cones, at most 1.
    pub fn reach(&self, point: &Point<D>, direction: &Direction<D>) -> f64 {
        let mut length = 1.0_f64;
        for contact in 0..point.x.len() {
            length = length.min(reach(&point.x[contact], &direction.dx[contact]));
            let (u, du) = (point.u[contact][0], direction.du[contact][0]);
            if self.shift == Shift::Held && !self.frictionless(contact) {
                length = length.min(reach(&point.u[contact], &direction.du[contact]));
            } else if du < 0.0 {
                length = length.min(-u / du);
            }
        }
        length
    }

    /// The point at some length along a direction.
    pub fn along(&self, point: &Point<D>, direction: &Direction<D>, length: f64) -> Point<D> {
        let go = |from: &[Vector<D>], by: &[Vector<D>]| -> Vec<Vector<D>> {
            from.iter().zip(by).map(|(from, by)| from + by * length).collect()
        };
        let (x, u) = (go(&point.x, &direction.dx), go(&point.u, &direction.du));
        let (c, centrality) = self.place(&x, &u);
        Point { x, u, c, centrality }
    }

    /// One step of Mehrotra's predictor and corrector (1992); `last` is the length of the step before.
    /// Returns the length, or `None` where it breaks down.
    pub fn advance(&self, point: &mut Point<D>, last: f64) -> Option<f64> {
        self.advance_at_least(point, last, 0.0)
    }

    /// The same, with at least so much centring.
    pub fn advance_at_least(&self, point: &mut Point<D>, last: f64, least: f64) -> Option<f64> {
        let local = self.factor(point)?;
        let squares = local.products();
        let affine = self.direction(&local, &squares.iter().map(|s| -s).collect::<Vec<_>>(), 1.0);
        let a = self.reach(point, &affine);
        let c_affine = self.along(point, &affine, a).c;
        let sigma = centring(c_affine / point.c, a, last).max(least);
        let second: Vec<Vector<D>> = (0..squares.len())
            .map(|contact| {
                let f = &local.scaling[contact];
                let dy = self.conjugate_change(&local, contact, &affine.du[contact]);
                product(&f.apply(&affine.dx[contact]), &f.undo(&dy))
            })
            .collect();
        let corrected = |weight: f64| {
            let wanted: Vec<Vector<D>> = (0..squares.len())
                .map(|k| normal::<D>(sigma * point.c * self.weights[k]) - squares[k] - second[k] * weight)
                .collect();
            self.direction(&local, &wanted, 1.0)
        };
        let mut direction = corrected(if a > 0.3 { 1.0 } else { a * a });
        let mut length = (0.99 * self.reach(point, &direction)).min(1.0);
        if a > 0.3 && length < 0.7 * a {
            let other = corrected(a * a);
            let reach = (0.99 * self.reach(point, &other)).min(1.0);
            if reach > length {
                (direction, length) = (other, reach);
            }
        }
        let least = f64::min(1e-3, 0.5 * point.centrality);
        for _ in 0..15 {
            let there = self.along(point, &direction, length);
            if there.centrality >= least {
                *point = there;
                return Some(length);
            }
            length *= 0.8;
        }
        let there = self.along(point, &direction, length);
        let inside = there.centrality > 0.0 && there.c.is_finite();
        inside.then(|| *point = there).map(|()| length)
    }

    /// `E⁻¹ du`.
    pub fn conjugate_change(&self, local: &Local<D>, contact: usize, du: &Vector<D>) -> Vector<D> {
        if self.frictionless(contact) {
            return normal(du[0]);
        }
        let row = &local.rows[contact];
        let mut dy = *du;
        dy[0] = (du[0] - (row.dot(du) - row[0] * du[0])) / row[0];
        dy
    }
}

impl<const D: usize> Local<'_, D> {
    /// The products `λ ∘ λ`; `c e` on the path.
    pub fn products(&self) -> Vec<Vector<D>> {
        self.scaling.iter().map(|f| product(&f.lambda, &f.lambda)).collect()
    }

    /// Largest entry of what the velocities lack.
    pub fn defect(&self) -> f64 {
        self.defect.iter().map(|d| d.amax()).fold(0.0, f64::max)
    }

    /// Sign of the determinant of the system.
    pub fn sign(&self) -> f64 {
        self.factors.sign()
    }
}

/// How much to centre: little where the predictor goes far, much where the last step was short.
fn centring(gain: f64, reach: f64, last: f64) -> f64 {
    let sigma = if reach >= 0.9 { gain.powi(3) } else { gain.powi(2) };
    let floor = if last < 0.1 {
        0.9
    } else if last < 0.3 {
        0.5
    } else {
        1e-3
    };
    sigma.clamp(floor, 1.0)
}

pub(super) fn normal<const D: usize>(value: f64) -> Vector<D> {
    let mut x = Vector::zeros();
    x[0] = value;
    x
}
