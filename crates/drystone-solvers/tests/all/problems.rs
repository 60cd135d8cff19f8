//! Problems for the tests of solvers: random ones beside a dense operator assembled on its own, a tower, a
//! cluster of balls.

use drystone_math::Columns;
use drystone_math::nalgebra::{DMatrix, DVector};
use drystone_problem::{Compliance, Compliances, Condensed, Matrix, PairRow, Problem, Set, Vector, residual};
use drystone_solvers::{Params, Report, solve};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A random problem. The contacts move with the bodies, `u_free = H v`, so that a solution exists however
/// hyperstatic it is.
pub struct Random<const D: usize> {
    pub problem: Problem<D, Condensed<D>>,
    /// W, from dense H and M⁻¹.
    pub dense: DMatrix<f64>,
}

/// Contacts between bodies; body 0 does not move.
pub fn random<const D: usize, const N: usize>(
    seed: u64,
    contacts: usize,
    bodies: usize,
    mu: impl Fn(usize) -> f64,
) -> Random<D> {
    random_of(seed, contacts, &vec![N; bodies], mu)
}

/// Contacts between bodies of so many degrees of freedom each; body 0 does not move, and those of eight or
/// more have a full compliance.
pub fn random_of<const D: usize>(
    seed: u64,
    contacts: usize,
    sizes: &[usize],
    mu: impl Fn(usize) -> f64,
) -> Random<D> {
    let mut generator = Pcg64::seed_from_u64(seed);
    let mut number = |from: f64, to: f64| generator.random_range(from..to);
    let bodies = sizes.len();
    let mut of_bodies = |from: f64, to: f64| -> Vec<Vec<f64>> {
        let of = |(body, &size): (usize, &usize)| -> Vec<f64> {
            (0..size).map(|_| if body == 0 { 0.0 } else { number(from, to) }).collect()
        };
        sizes.iter().enumerate().map(of).collect()
    };
    let (inverse_mass, velocity) = (of_bodies(0.2, 2.0), of_bodies(-1.0, 1.0));
    let mut compliances = Compliances::new();
    let mut answer = Vec::new();
    for (body, inverse_mass) in inverse_mass.iter().enumerate() {
        let size = sizes[body];
        let mut full = DMatrix::from_diagonal(&DVector::from_column_slice(inverse_mass));
        if size >= 8 && body > 0 {
            let turn = DMatrix::from_fn(size, size, |_, _| number(-0.4, 0.4));
            full += &turn * turn.transpose();
            compliances.push(Compliance::Dense(full.as_slice()));
        } else {
            compliances.push(Compliance::Diagonal(inverse_mass));
        }
        answer.push(full);
    }
    let rows: Vec<PairRow<D>> = (0..contacts)
        .map(|_| {
            let first = (number(0.0, 1.0) * (bodies - 1) as f64) as usize + 1;
            let second = (first + 1 + (number(0.0, 1.0) * (bodies - 1) as f64) as usize) % bodies;
            let h = [first, second].map(|body| {
                let mut h = Columns::zeros(sizes[body]);
                h.iter_mut().flatten().for_each(|x| *x = number(-1.0, 1.0));
                h
            });
            PairRow { bodies: [first as u32, second as u32], h }
        })
        .collect();
    let total = compliances.total();
    let (mut h, mut c) = (DMatrix::zeros(contacts * D, total), DMatrix::zeros(total, total));
    for (body, answer) in answer.iter().enumerate() {
        let first = compliances.dofs(body).start as usize;
        c.view_mut((first, first), answer.shape()).copy_from(answer);
    }
    let mut u_free = Vec::new();
    for (contact, row) in rows.iter().enumerate() {
        let mut u = Vector::zeros();
        for side in 0..2 {
            let body = row.bodies[side] as usize;
            let first = compliances.dofs(body).start as usize;
            for (k, column) in row.h[side].iter().enumerate() {
                (0..D).for_each(|i| h[(contact * D + i, first + k)] = column[i]);
                u += Vector::from(*column) * velocity[body][k];
            }
        }
        u_free.push(u);
    }
    let dense = &h * c * h.transpose();
    let sets = (0..contacts).map(|contact| Set::Coulomb { mu: mu(contact) }).collect();
    Random { problem: Problem { w: Condensed::new(&rows, compliances), u_free, sets }, dense }
}

impl<const D: usize> Random<D> {
    /// `u = W r + u_free` from the dense operator.
    pub fn velocities(&self, r: &[Vector<D>]) -> Vec<Vector<D>> {
        let flat = DVector::from_fn(r.len() * D, |k, _| r[k / D][k % D]);
        let moved = &self.dense * flat;
        (0..r.len())
            .map(|contact| self.problem.u_free[contact] + moved.fixed_rows::<D>(contact * D))
            .collect()
    }

    pub fn solve(&self, params: &Params) -> (Vec<Vector<D>>, Report) {
        let mut r = vec![Vector::zeros(); self.problem.contacts()];
        let report = solve(&self.problem, &mut r, params, 0);
        (r, report)
    }

    /// A converged answer must hold for the dense operator, contact by contact, by the law as it is written.
    pub fn check(&self, r: &[Vector<D>], report: &Report, tolerance: f64, what: &str) {
        let u = self.velocities(r);
        let judged = residual(&self.problem, &u, r).relative;
        let size = r.iter().chain(&self.problem.u_free).map(|x| x.norm()).fold(1.0, f64::max);
        // velocities and impulses are weighed by the compliance of their contact, within a factor of ten here
        let small = 1e2 * tolerance * size;
        let mut wide = false;
        for (contact, (u, r)) in u.iter().zip(r).enumerate() {
            let Set::Coulomb { mu } = self.problem.sets[contact] else { unreachable!() };
            let slip = u.rows(1, D - 1).norm();
            let friction = r.rows(1, D - 1).norm();
            assert!(r[0] >= 0.0 && friction <= mu * r[0] * (1.0 + 1e-9), "{what}: {u} {r}");
            // the natural map of a very wide cone feels a velocity into the wall by its μ-th part only, and
            // its rounding μ times
            wide |= mu > 1.0;
            if mu <= 1.0 {
                assert!(u[0] >= -small && u[0].min(r[0]) <= small, "{what}: {u} {r}");
                assert!(slip.min(mu * r[0] - friction) <= small, "{what}: {u} {r}");
                let power = u.rows(1, D - 1).dot(&r.rows(1, D - 1));
                assert!(power <= small * size.max(slip), "{what}: {u} {r}");
            }
        }
        let said = report.residual;
        assert!(wide || judged <= 1.01 * tolerance + 1e-13, "{what}: said {said} is {judged}");
    }
}

/// A tower of bodies on one another, four contacts each: bending modes that no sweep gets rid of.
pub fn tower(layers: usize) -> Problem<3, Condensed<3>> {
    let mut rows = Vec::new();
    let mut inverse_mass = vec![Vector::<6>::zeros()];
    for layer in 0..layers {
        inverse_mass.push(Vector::<6>::from_column_slice(&[1.0, 1.0, 1.0, 6.0, 6.0, 6.0]));
        for (x, y) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
            // normal z, tangents x and y; an arm a turns with ω × a
            let side = |sign: f64, z: f64| {
                let mut h = Matrix::<3, 6>::zeros();
                for (row, axis) in [2, 0, 1].into_iter().enumerate() {
                    let mut direction = Vector::<3>::zeros();
                    direction[axis] = sign;
                    let moment = Vector::<3>::new(x, y, z).cross(&direction);
                    h.fixed_view_mut::<1, 3>(row, 0).copy_from(&direction.transpose());
                    h.fixed_view_mut::<1, 3>(row, 3).copy_from(&moment.transpose());
                }
                h
            };
            let bodies = [layer as u32 + 1, layer as u32];
            rows.push(PairRow::new(bodies, [side(1.0, -0.5), side(-1.0, 0.5)]));
        }
    }
    let contacts = rows.len();
    let mut u_free = vec![Vector::<3>::zeros(); contacts];
    u_free[..4].iter_mut().for_each(|u| u[0] = -0.1);
    // a draught on the upper half
    u_free[2 * layers..2 * layers + 4].iter_mut().for_each(|u| u[1] = 1e-3);
    let w = Condensed::new(&rows, Compliances::diagonal(inverse_mass));
    Problem { w, u_free, sets: vec![Set::Coulomb { mu: 0.6 }; contacts] }
}

/// What differs between the balls of a cluster.
#[derive(Clone, Copy, PartialEq)]
pub enum Spread {
    /// Masses over six decades, friction up to 3: the path of the interior point folds, and sweeps take a
    /// million.
    Masses,
    /// Friction over twelve decades: sweeps in one order run in circles.
    Friction,
}

/// Balls of a cluster that meet in the middle.
pub fn cluster(seed: u64, spread: Spread) -> Problem<3, Condensed<3>> {
    let mut generator = Pcg64::seed_from_u64(seed);
    let mut number = |from: f64, to: f64| generator.random_range(from..to);
    let (mut places, mut inverse_mass, mut velocity) = (Vec::new(), Vec::new(), Vec::new());
    for cell in 0..27 {
        let mut cell = Vector::<3>::new(f64::from(cell / 9), f64::from(cell / 3 % 3), f64::from(cell % 3));
        if spread == Spread::Friction {
            // layers that lie in each other's hollows
            let shift = 0.5 * (cell.z % 2.0);
            cell = Vector::<3>::new(cell.x + shift, cell.y + shift, 0.75 * cell.z);
        }
        let place = cell + Vector::from_fn(|_, _| number(-0.1, 0.1));
        let mass = if spread == Spread::Masses { 10f64.powf(number(-3.0, 3.0)) } else { 1.0 };
        inverse_mass.push(Vector::<6>::from_fn(|i, _| if i < 3 { 1.0 } else { 10.0 }) / mass);
        let inwards = Vector::repeat(1.0) - place;
        velocity.push(Vector::<6>::from_fn(|i, _| number(-1.0, 1.0) + if i < 3 { inwards[i] } else { 0.0 }));
        places.push(place);
    }
    let (mut rows, mut sets) = (Vec::new(), Vec::new());
    for (second, there) in places.iter().enumerate() {
        for (first, here) in places[..second].iter().enumerate() {
            let apart = there - here;
            if apart.norm() > 1.2 {
                continue;
            }
            let normal = apart.normalize();
            let tangent = normal.cross(&Vector::<3>::new(0.6, -0.5, 0.4)).normalize();
            let frame = [normal, tangent, normal.cross(&tangent)];
            let h = [1.0, -1.0].map(|sign| {
                let mut h = Matrix::<3, 6>::zeros();
                for (row, direction) in frame.iter().enumerate() {
                    let (direction, arm) = (direction * sign, apart * (-0.5 * sign));
                    h.fixed_view_mut::<1, 3>(row, 0).copy_from(&direction.transpose());
                    h.fixed_view_mut::<1, 3>(row, 3).copy_from(&arm.cross(&direction).transpose());
                }
                h
            });
            rows.push(PairRow::new([second as u32, first as u32], h));
            let mu = match spread {
                Spread::Masses => number(0.0, 3.0),
                Spread::Friction => 10f64.powf(number(-6.0, 6.0)),
            };
            sets.push(Set::Coulomb { mu });
        }
    }
    let of =
        |row: &PairRow<3>, side: usize| row.h[side].times(velocity[row.bodies[side] as usize].as_slice());
    let u_free = rows.iter().map(|row| of(row, 0) + of(row, 1)).collect();
    Problem { w: Condensed::new(&rows, Compliances::diagonal(inverse_mass)), u_free, sets }
}
