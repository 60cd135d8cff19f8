//! Every canonical set: one contact solved exactly, and problems in which all of them meet, with a dense
//! operator of the test's own and the laws as they are written.

use drystone_math::BlockRows;
use drystone_math::nalgebra::DMatrix;
use drystone_problem::{
    Blocks, Compliances, Condensed, Matrix, Monitor, PairRow, Problem, Set, Vector, residual,
};
use drystone_solvers::{Equilibrium, Method, Params, Part, equilibrium, solve, solve_local};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

struct Numbers(Pcg64);

impl Numbers {
    fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    fn vector<const D: usize>(&mut self, size: f64) -> Vector<D> {
        Vector::from_fn(|_, _| size * self.between(-1.0, 1.0))
    }

    /// A positive definite block, from nearly spherical to strongly coupled.
    fn definite<const D: usize>(&mut self) -> Matrix<D, D> {
        let a = Matrix::<D, D>::from_fn(|_, _| self.between(-1.0, 1.0));
        let spherical = 10f64.powf(self.between(-3.0, 1.0));
        a * a.transpose() + Matrix::identity() * spherical
    }

    /// A bearing, with friction that is none or all of what it is under load.
    /// In every second case it may hold nothing, and rubs apart where it can.
    fn bearing<const D: usize>(&mut self, load: f64, case: usize) -> Set {
        let held = self.0.random_range(1..D) - usize::from(case % 20 == 10);
        let (base, factor) = (self.0.random_range(-0.5..0.5), self.0.random_range(-0.2..0.8));
        let apart = D - held <= 3 && case % 20 == 10;
        Set::Bearing { held, base: load * f64::max(base, 0.0), factor: f64::max(factor, 0.0), apart }
    }

    /// Some set, with the odd coefficient of zero or beyond bounds.
    fn set<const D: usize>(&mut self, cap: f64) -> Set {
        let mut coefficient = |largest: f64| match self.0.random_range(0..12) {
            0 => 0.0,
            1 => 1e6,
            _ => self.0.random_range(0.0..largest),
        };
        let (mu, rolling, cap) = (coefficient(1.0), coefficient(0.6), cap * coefficient(2.0));
        match self.0.random_range(0..6) {
            0 => Set::Coulomb { mu },
            1 => Set::Coulomb { mu: 0.0 },
            2 => Set::Orowan { mu, cap },
            3 => Set::Tresca { cap },
            4 => Set::Bilateral { rows: self.0.random_range(1..=D) },
            _ => {
                let twisting = (D > 2 && self.0.random_range(0..2) == 1).then_some(0.7 * rolling);
                let last = if twisting.is_some() { D - 1 } else { D };
                Set::Rolling { mu, rolling, twisting, sliding: self.0.random_range(1..last) }
            }
        }
    }
}

/// The law as it is written: the largest violation, in units of velocity for `u` and of impulse for `r`.
struct Violation {
    u: f64,
    r: f64,
    power: f64,
}

fn violation<const D: usize>(set: &Set, u: &Vector<D>, r: &Vector<D>) -> Violation {
    if let Set::Bilateral { rows } = *set {
        return Violation { u: u.rows(0, rows).norm(), r: r.rows(rows, D - rows).norm(), power: 0.0 };
    }
    if let Set::Bearing { held, base, factor, apart } = *set {
        let radius = base + factor * r.rows(0, held).norm();
        let mut found = Violation { u: u.rows(0, held).norm(), r: 0.0, power: 0.0 };
        let (count, size) = if apart { (D - held, 1) } else { (1, D - held) };
        for from in (0..count).map(|k| held + k) {
            let (slip, friction) = (u.rows(from, size), r.rows(from, size));
            found.power = found.power.max((friction.dot(&slip) + radius * slip.norm()).abs());
            found.r = found.r.max(friction.norm() - radius);
        }
        return found;
    }
    let mut found = Violation { u: (-u[0]).max(0.0), r: (-r[0]).max(0.0), power: (u[0] * r[0]).abs() };
    let mut friction = |from: usize, to: usize, radius: f64| {
        let (u, r) = (u.rows(from, to - from), r.rows(from, to - from));
        found.r = found.r.max(r.norm() - radius);
        // friction opposes the motion with all it has: r·u = −radius ‖u‖
        found.power = found.power.max((r.dot(&u) + radius * u.norm()).abs());
    };
    match *set {
        Set::Coulomb { mu } => friction(1, D, mu * r[0]),
        Set::Orowan { mu, cap } => friction(1, D, (mu * r[0]).min(cap)),
        Set::Tresca { cap } => friction(1, D, cap),
        Set::Rolling { mu, rolling, twisting, sliding } => {
            let end = if twisting.is_some() { D - 1 } else { D };
            friction(1, 1 + sliding, mu * r[0]);
            friction(1 + sliding, end, rolling * r[0]);
            friction(end, D, twisting.unwrap_or(0.0) * r[0]);
        }
        Set::Bilateral { .. } | Set::Bearing { .. } => {}
    }
    found
}

/// How much of the rounding of a velocity may show as friction.
fn widest(set: &Set) -> f64 {
    match *set {
        Set::Coulomb { mu } | Set::Orowan { mu, .. } => mu,
        Set::Rolling { mu, rolling, .. } => mu.max(rolling),
        Set::Tresca { cap } => cap,
        Set::Bearing { base, factor, .. } => base.max(factor),
        Set::Bilateral { .. } => 0.0,
    }
}

/// One contact after the other against the law as it is written.
fn contacts_are_exact<const D: usize>() {
    let mut numbers = Numbers::new(D as u64);
    let mut worst = 0.0_f64;
    for case in 0..20_000 {
        let skew = if case % 3 == 0 { 0.05 } else { 0.0 };
        let mut w = numbers.definite::<D>();
        let bulk = w.trace() / D as f64;
        w += Matrix::from_fn(|_, _| skew * numbers.between(-1.0, 1.0) * w.norm().min(0.1));
        let symmetric = DMatrix::from_fn(D, D, |i, j| 0.5 * (w[(i, j)] + w[(j, i)]));
        if symmetric.symmetric_eigenvalues().min() < 1e-4 * bulk {
            continue;
        }
        let mut q = numbers.vector::<D>(1.0);
        if case % 8 != 0 {
            q[0] = -q[0].abs();
        }
        let set = match case % 10 {
            0 => numbers.bearing::<D>(1.0 / bulk, case),
            _ => numbers.set::<D>(1.0 / bulk),
        };
        let r = solve_local(&w, &q, &set);
        let u = w * r + q;
        let size_r = r.norm().max(1e-3 / bulk);
        let size_u = q.norm() + w.norm() * size_r;
        // a wide cone turns the rounding of the normal into friction
        let room = 1.0 + widest(&set).min(1e8) * bulk.max(1.0);
        let wrong = violation(&set, &u, &r);
        let relative = (wrong.u / size_u).max(wrong.r / size_r).max(wrong.power / (size_u * size_r));
        worst = worst.max(relative / room);
        assert!(relative < 1e-12 * room, "{case} {set:?} {relative:e}\n{w}{q}{r}{u}");
    }
    println!("{D} components: worst violation {worst:.1e}");
}

#[test]
fn one_contact_obeys_its_law_in_the_plane() {
    contacts_are_exact::<2>();
}

#[test]
fn one_contact_obeys_its_law_in_space() {
    contacts_are_exact::<3>();
}

#[test]
fn one_contact_obeys_its_law_with_five_and_six_components() {
    contacts_are_exact::<5>();
    contacts_are_exact::<6>();
}

/// Where the law has one solution, small steps of the law's own answer lead to the same.
fn contacts_agree_with_small_steps<const D: usize>() {
    let mut numbers = Numbers::new(50 + D as u64);
    let mut compared = 0;
    for case in 0..600 {
        let a = numbers.definite::<D>();
        let w = a / a.norm() * 0.3 + Matrix::identity();
        let mut q = numbers.vector::<D>(1.0);
        q[0] = -q[0].abs();
        let set = numbers.set::<D>(1.0);
        if widest(&set) > 1.0 {
            continue;
        }
        let r = solve_local(&w, &q, &set);
        let mut other = Vector::zeros();
        for _ in 0..4000 {
            other = set.answer(0.5, &(w * other + q), &other);
        }
        assert!((r - other).norm() < 1e-10, "{case} {set:?} {w}{q}{r}{other}");
        compared += 1;
    }
    assert!(compared > 300);
}

#[test]
fn one_contact_is_where_small_steps_lead() {
    contacts_agree_with_small_steps::<2>();
    contacts_agree_with_small_steps::<3>();
    contacts_agree_with_small_steps::<5>();
}

/// Orowan's contact in the plane, every case written out: stick, slip on the cone and slip at the cap, both
/// ways.
#[test]
fn orowan_in_the_plane_by_enumeration() {
    let mut numbers = Numbers::new(7);
    let mut capped = 0;
    for _ in 0..20_000 {
        let w = numbers.definite::<2>();
        let q = Vector::<2>::new(-numbers.between(0.0, 1.0), numbers.between(-1.0, 1.0));
        let (mu, cap) = (numbers.between(0.0, 1.0), numbers.between(0.0, 1.0));
        let r = solve_local(&w, &q, &Set::Orowan { mu, cap });
        let mut solutions = Vec::new();
        if let Some(stick) = w.lu().solve(&-q)
            && stick[1].abs() <= (mu * stick[0]).min(cap)
        {
            solutions.push(stick);
        }
        for side in [1.0, -1.0] {
            let cone = -q[0] / (w[(0, 0)] + mu * side * w[(0, 1)]);
            let at_cap = (-q[0] - w[(0, 1)] * side * cap) / w[(0, 0)];
            for (normal, friction, holds) in
                [(cone, mu * cone, mu * cone <= cap), (at_cap, cap, mu * at_cap >= cap)]
            {
                let candidate = Vector::<2>::new(normal, side * friction);
                if normal >= 0.0 && holds && (w * candidate + q)[1] * side <= 0.0 {
                    solutions.push(candidate);
                    capped += usize::from(friction == cap);
                }
            }
        }
        let nearest = solutions.iter().map(|other| (other - r).norm()).fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-11 * (1.0 + r.norm()), "{mu} {cap} {w}{q}{r}{solutions:?}");
    }
    assert!(capped > 1000, "{capped}");
}

/// Rolling friction of one contact against random search: nobody finds a smaller natural map nearby or far.
#[test]
fn rolling_beats_random_search() {
    let mut numbers = Numbers::new(9);
    for _ in 0..200 {
        let w = numbers.definite::<5>();
        let mut q = numbers.vector::<5>(1.0);
        q[0] = -q[0].abs();
        let set = Set::Rolling {
            mu: numbers.between(0.05, 1.0),
            rolling: numbers.between(0.01, 0.5),
            twisting: None,
            sliding: 2,
        };
        let rho = 5.0 / w.trace();
        let map = |r: &Vector<5>| set.natural_map(rho, &(w * r + q), r).norm() / (1e-3 * rho + r.norm());
        let r = solve_local(&w, &q, &set);
        let found = map(&r);
        assert!(found < 1e-12, "{found:e} {set:?} {w}{q}{r}");
        for exponent in 0..12 {
            for _ in 0..20 {
                let near = r + numbers.vector::<5>(r.norm() * 10f64.powi(-exponent));
                assert!(map(&set.project(&near)) > found - 1e-15);
            }
        }
    }
}

/// Nothing that data can hold may panic or return a number that is not finite.
fn garbage<const D: usize>() {
    let mut numbers = Numbers::new(70 + D as u64);
    let odd = [f64::NAN, f64::INFINITY, -f64::INFINITY, 0.0, -1.0, 1e300, -1e300, 1e-300, 1e12];
    for case in 0..20_000 {
        let calm = [0.0, 0.6, 0.95][case % 3];
        let mut pick = || {
            let index = numbers.between(0.0, odd.len() as f64) as usize;
            if numbers.between(0.0, 1.0) < calm { numbers.between(-1.0, 1.0) } else { odd[index] }
        };
        let w = Matrix::<D, D>::from_fn(|_, _| pick());
        let q = Vector::<D>::from_fn(|_, _| pick());
        let (a, b) = (pick(), pick());
        let sets = [
            Set::Coulomb { mu: a },
            Set::Orowan { mu: a, cap: b },
            Set::Tresca { cap: a },
            Set::Bilateral { rows: case % 9 },
            Set::Rolling { mu: a, rolling: b, twisting: None, sliding: case % 7 },
            Set::Rolling { mu: a, rolling: b, twisting: None, sliding: usize::MAX },
            Set::Rolling { mu: a, rolling: b, twisting: Some(a), sliding: case % 7 },
            Set::Bearing { held: case % 7, base: a, factor: b, apart: case % 2 == 1 },
        ];
        for set in sets {
            let r = solve_local(&w, &q, &set);
            assert!(r.iter().all(|x| x.is_finite()), "{set:?} {w}{q}{r}");
        }
    }
}

#[test]
fn garbage_in_finite_out() {
    garbage::<2>();
    garbage::<3>();
    garbage::<5>();
}

#[test]
fn singular_blocks_are_held_where_they_can_be() {
    // one row cannot move: the others are held all the same
    let w = Matrix::<3, 3>::from_diagonal(&Vector::<3>::new(2.0, 0.0, 4.0));
    let r = solve_local(&w, &Vector::<3>::new(1.0, 0.0, -2.0), &Set::Bilateral { rows: 3 });
    assert!((r - Vector::<3>::new(-0.5, 0.0, 0.5)).norm() < 1e-15, "{r}");
    // nothing turns: the spin is given and the moment opposes it with all it has
    let w = Matrix::<3, 3>::from_diagonal(&Vector::<3>::new(2.0, 1.0, 0.0));
    let set = Set::Rolling { mu: 0.5, rolling: 0.1, twisting: None, sliding: 1 };
    let r = solve_local(&w, &Vector::<3>::new(-2.0, 0.2, 3.0), &set);
    assert!((r - Vector::<3>::new(1.0, -0.2, -0.1)).norm() < 1e-14, "{r}");
}

/// Bodies with `N` components in one big mass matrix, joined by contacts of all sets: `W = H M⁻¹ Hᵀ`,
/// `u_free = H v`, so that a solution exists however hyperstatic the problem.
fn mixed<const D: usize>(
    seed: u64,
    contacts: usize,
    freedoms: usize,
) -> (Problem<D, Blocks<D>>, DMatrix<f64>) {
    let mut numbers = Numbers::new(seed);
    let h = DMatrix::from_fn(contacts * D, freedoms, |_, _| {
        // sparse, so that not everybody touches everybody
        if numbers.between(0.0, 1.0) < 0.5 { numbers.between(-1.0, 1.0) } else { 0.0 }
    });
    let velocity = DMatrix::from_fn(freedoms, 1, |_, _| numbers.between(-1.0, 1.0));
    let w = &h * h.transpose();
    let free = &h * velocity;
    let mut triplets = Vec::new();
    for i in 0..contacts {
        for j in 0..contacts {
            let block: Matrix<D, D> = w.fixed_view::<D, D>(i * D, j * D).into_owned();
            if i == j || block.norm() > 0.0 {
                triplets.push((i as u32, j as u32, block));
            }
        }
    }
    let u_free = (0..contacts).map(|k| free.fixed_view::<D, 1>(k * D, 0).into_owned()).collect();
    let sets = (0..contacts)
        .map(|_| {
            loop {
                let set = numbers.set::<D>(1.0);
                if widest(&set) <= 2.0 {
                    break set;
                }
            }
        })
        .collect();
    (Problem { w: Blocks::new(BlockRows::from_triplets(contacts, triplets)), u_free, sets }, w)
}

/// Solves a thousand problems in which all sets meet; how many converged by each method.
fn thousand<const D: usize>(methods: &[Method]) -> Vec<usize> {
    let mut converged = vec![0; methods.len()];
    for seed in 0..1000 {
        let contacts = 1 + seed as usize % 7;
        let (problem, dense) = mixed::<D>(seed, contacts, 3 + D * contacts);
        for (k, &method) in methods.iter().enumerate() {
            let params = Params { method, tolerance: 1e-9, max_iterations: 20_000, ..Params::default() };
            let mut r = vec![Vector::zeros(); contacts];
            let report = solve(&problem, &mut r, &params, 0);
            assert_eq!(report.converged, report.residual <= params.tolerance);
            if !report.converged {
                continue;
            }
            converged[k] += 1;
            let flat = DMatrix::from_fn(contacts * D, 1, |k, _| r[k / D][k % D]);
            let moved = dense.clone() * flat;
            let u: Vec<Vector<D>> =
                (0..contacts).map(|k| problem.u_free[k] + moved.fixed_view::<D, 1>(k * D, 0)).collect();
            assert!(residual(&problem, &u, &r).relative <= 1.01e-9, "{method:?} {seed}");
            let size = r.iter().chain(&problem.u_free).map(|x| x.norm()).fold(1.0, f64::max);
            for (contact, set) in problem.sets.iter().enumerate() {
                let wrong = violation(set, &u[contact], &r[contact]);
                let largest = wrong.u.max(wrong.r).max(wrong.power / size);
                assert!(largest < 1e-6 * size, "{method:?} {seed} {set:?} {largest:e}");
            }
        }
    }
    converged
}

/// Every method that takes all sets, with the least it must solve of a thousand problems. The interior point
/// takes Coulomb's set only.
const ALL_SETS: [(Method, usize); 9] = [
    (Method::Nlgs, 980),
    (Method::Accelerated, 980),
    (Method::Auto, 980),
    (Method::Jacobi, 900),
    (Method::Cpg, 950),
    (Method::Apgd, 950),
    (Method::Admm, 950),
    (Method::Proximal, 950),
    (Method::Uzawa, 900),
];

fn all_sets_meet<const D: usize>() {
    let converged = thousand::<D>(&ALL_SETS.map(|(method, _)| method));
    println!("{D} components: {converged:?}");
    for ((method, least), converged) in ALL_SETS.into_iter().zip(converged) {
        assert!(converged >= least, "{method:?}: {converged}");
    }
}

#[test]
fn all_sets_in_one_problem_in_the_plane() {
    all_sets_meet::<2>();
}

#[test]
fn all_sets_in_one_problem_in_space() {
    all_sets_meet::<3>();
}

#[test]
fn all_sets_in_one_problem_with_five_components() {
    all_sets_meet::<5>();
}

/// A body of unit mass and inertia that touches what cannot move at points relative to its centre, normal up,
/// on a slope of some angle, with the sets of its points: whether it can stand, and with which impulses.
fn stands(points: &[[f64; 2]], sets: &[Set], slope: f64, rolling: Option<f64>) -> Equilibrium<2> {
    let normal_and_tangent = |p: &[f64; 2]| Matrix::<2, 3>::new(0.0, 1.0, p[0], 1.0, 0.0, -p[1]);
    let mut h: Vec<Matrix<2, 3>> = points.iter().map(normal_and_tangent).collect();
    let mut sets = sets.to_vec();
    let mut followed = Vec::new();
    if let Some(factor) = rolling {
        followed.push((h.len(), 0, factor));
        h.push(Matrix::<2, 3>::new(0.0, 0.0, 0.0, 0.0, 0.0, 1.0));
        sets.push(Set::Tresca { cap: 0.0 });
    }
    let rows: Vec<usize> = (0..h.len()).collect();
    let pairs: Vec<PairRow<2>> = h.into_iter().map(|h| PairRow::new([0, 1], [h, Matrix::zeros()])).collect();
    let w = Condensed::new(&pairs, Compliances::diagonal([Vector::<3>::repeat(1.0), Vector::zeros()]));
    let free = [slope.sin(), -slope.cos(), 0.0, 0.0, 0.0, 0.0];
    let problem = Problem { u_free: vec![Vector::zeros(); rows.len()], w, sets };
    let monitor = &Monitor::default();
    equilibrium(&Part {
        problem: &problem,
        free: &free,
        bodies: &[0],
        rows: &rows,
        followed: &followed,
        monitor,
    })
}

#[test]
fn equilibrium_exists_exactly_where_statics_says() {
    let feet = [[-0.3, -0.5], [0.3, -0.5]];
    let found = |answer: Equilibrium<2>| matches!(answer, Equilibrium::Found(_));
    let near = 1e-6;
    // slides at arctan μ, tips at arctan (0.3/0.5)
    let limit = |mu: f64| f64::min(mu, 0.6).atan();
    for mu in [0.1, 0.4, 0.59, 0.7, 100.0, 1e9] {
        let sets = [Set::Coulomb { mu }; 2];
        assert!(found(stands(&feet, &sets, limit(mu) - near, None)), "{mu}");
        assert_eq!(stands(&feet, &sets, limit(mu) + near, None), Equilibrium::None, "{mu}");
    }
    // capped friction: the two feet carry sin(slope) at most
    for slope in [0.1, 0.4] {
        let cap = |factor: f64| 0.5 * f64::sin(slope) * factor;
        for set in [|cap| Set::Orowan { mu: 2.0, cap }, |cap| Set::Tresca { cap }] {
            assert!(found(stands(&feet, &[set(cap(1.0 + near)); 2], slope, None)));
            assert_eq!(stands(&feet, &[set(cap(1.0 - near)); 2], slope, None), Equilibrium::None);
        }
    }
    // a pin holds the centre of mass, and nothing else
    assert!(found(stands(&[[0.0, 0.0]], &[Set::Bilateral { rows: 2 }], 1.0, None)));
    assert_eq!(stands(&[[0.1, 0.0]], &[Set::Bilateral { rows: 2 }], 1.0, None), Equilibrium::None);
    // a ball of radius 0.2 on one point rolls unless rolling is resisted: tan(slope) up to the coefficient
    // over the radius
    let (ball, sets) = ([[0.0, -0.2]], [Set::Coulomb { mu: 1.0 }]);
    assert_eq!(stands(&ball, &sets, 0.1, None), Equilibrium::None);
    assert!(found(stands(&ball, &sets, 0.25f64.atan() - near, Some(0.05))));
    assert_eq!(stands(&ball, &sets, 0.25f64.atan() + near, Some(0.05)), Equilibrium::None);
    // nothing to stand on
    assert_eq!(stands(&[], &[], 0.1, None), Equilibrium::None);
}

#[test]
fn equilibrium_is_the_one_of_least_squares_to_the_last_digits() {
    // three points under a block: two of them would do
    let points = [[-0.3, -0.5], [0.1, -0.5], [0.3, -0.5]];
    let slope: f64 = 0.3;
    let Equilibrium::Found(r) = stands(&points, &[Set::Coulomb { mu: 0.9 }; 3], slope, None) else {
        panic!("it stands")
    };
    // N = A⁺ (cos, moment) for the rows of balance, friction shared evenly: no border is in the way
    let balance = DMatrix::from_row_slice(2, 3, &[1.0, 1.0, 1.0, -0.3, 0.1, 0.3]);
    let asked = DMatrix::from_column_slice(2, 1, &[slope.cos(), 0.5 * slope.sin()]);
    let normals = balance.transpose() * (&balance * balance.transpose()).try_inverse().unwrap() * asked;
    for (r, normal) in r.iter().zip(normals.iter()) {
        assert!((r[0] - normal).abs() < 1e-9 && (r[1] + slope.sin() / 3.0).abs() < 1e-9, "{r:?} {normals}");
    }
    let sum = r.iter().sum::<Vector<2>>();
    let moment: f64 = r.iter().zip(points).map(|(r, p)| p[0] * r[0] - p[1] * r[1]).sum();
    assert!((sum - Vector::<2>::new(slope.cos(), -slope.sin())).norm() < 1e-14 && moment.abs() < 1e-14);
}
