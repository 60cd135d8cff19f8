//! The problem in scaled variables and dense form: no units, every contact about as compliant as the next. Holds no
//! method; refuses problems with numbers that are not finite.

use drystone_math::nalgebra::{DMatrix, DVector};
use drystone_problem::{Delassus, Problem, Set, Vector};

/// `y = W x + q` in scaled variables, `r = s P D x` and `y = P D u / s`, with `D = diag d_α^{-1/2}`, `d_α = tr W_αα / D`,
/// `P_α = diag(1, p, p)` and `s = max |D q|`.
///
/// With `p = μ` the Coulomb cone becomes Lorentz's `x_N ≥ ‖x_T‖`; wider cones than 45° keep `p = 1`, lest the scaling
/// blow up, and have slope `μ`. Contacts without friction keep their normal component only.
pub(super) struct Scaled<const D: usize> {
    /// Row of the normal component of each contact, and the number of rows at the end.
    pub first: Vec<usize>,
    /// Slope of each scaled cone: `‖x_T‖ ≤ slope x_N`.
    pub slope: Vec<f64>,
    /// The scaled operator.
    pub w: DMatrix<f64>,
    /// The scaled free velocity.
    pub q: DVector<f64>,
    /// `s P D`, row by row.
    impulse: DVector<f64>,
}

impl<const D: usize> Scaled<D> {
    /// Gathers and scales a problem; `None` where it holds a number that is not finite.
    pub fn new<W: Delassus<D>>(problem: &Problem<D, W>) -> Option<Self> {
        let contacts = problem.contacts();
        let mut first = vec![0];
        let mut slope = Vec::with_capacity(contacts);
        let mut compliance = Vec::new();
        for contact in 0..contacts {
            let Set::Coulomb { mu } = problem.sets[contact];
            let d = problem.w.block(contact).trace() / D as f64;
            let d = if d > 0.0 && d.is_finite() {
                1.0 / d.sqrt()
            } else {
                1.0
            };
            let mu = if mu > 0.0 { mu.min(1e16) } else { 0.0 };
            let narrow = mu.min(1.0);
            compliance.push(d);
            if mu > 0.0 {
                compliance.extend((1..D).map(|_| narrow * d));
                slope.push(mu / narrow);
            } else {
                slope.push(0.0);
            }
            first.push(compliance.len());
        }
        let mut scaled = Self {
            first,
            slope,
            w: DMatrix::zeros(0, 0),
            q: DVector::zeros(0),
            impulse: DVector::from_vec(compliance),
        };
        let q = scaled.gather(&problem.u_free).component_mul(&scaled.impulse);
        let size = q.amax();
        let size = if size > 0.0 { size } else { 1.0 };
        scaled.w = scaled.dense(&problem.w);
        scaled.q = q / size;
        scaled.impulse *= size;
        let finite = scaled.w.iter().chain(scaled.q.iter()).all(|x| x.is_finite());
        finite.then_some(scaled)
    }

    /// The rows of a contact.
    pub fn rows(&self, contact: usize) -> std::ops::Range<usize> {
        self.first[contact]..self.first[contact + 1]
    }

    /// Scaled impulses.
    pub fn from_impulses(&self, r: &[Vector<D>]) -> DVector<f64> {
        self.gather(r).component_div(&self.impulse)
    }

    /// Impulses, brought back into their cones where rounding left them.
    pub fn to_impulses(&self, x: &DVector<f64>, sets: &[Set], r: &mut [Vector<D>]) {
        for (contact, r) in r.iter_mut().enumerate() {
            let mut found = Vector::zeros();
            for (component, row) in self.rows(contact).enumerate() {
                found[component] = self.impulse[row] * x[row];
            }
            *r = sets[contact].project(&found);
        }
    }

    fn gather(&self, of_contact: &[Vector<D>]) -> DVector<f64> {
        let mut all = DVector::zeros(self.impulse.len());
        for (contact, vector) in of_contact.iter().enumerate() {
            for (component, row) in self.rows(contact).enumerate() {
                all[row] = vector[component];
            }
        }
        all
    }

    /// The scaled operator, column by column: what one unit of impulse does to every contact.
    fn dense<W: Delassus<D>>(&self, operator: &W) -> DMatrix<f64> {
        let size = self.impulse.len();
        let contacts = self.slope.len();
        let mut dense = DMatrix::zeros(size, size);
        let mut r = vec![Vector::zeros(); contacts];
        let rest = operator.carry(&r);
        let mut carry = rest.clone();
        for from in 0..contacts {
            for (component, column) in self.rows(from).enumerate() {
                r[from][component] = 1.0;
                carry.clone_from(&rest);
                operator.change(from, &r[from], &mut carry);
                for to in 0..contacts {
                    let velocity = operator.row(to, &r, &carry);
                    for (other, row) in self.rows(to).enumerate() {
                        dense[(row, column)] = velocity[other] * self.impulse[row] * self.impulse[column];
                    }
                }
                r[from][component] = 0.0;
            }
        }
        dense
    }
}
