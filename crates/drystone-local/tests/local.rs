//! The exact local solve against independent oracles, over blocks no scene would dare to hold.
//!
//! What can be attained. The natural map is evaluated in sixteen digits: `u = w r + q` carries an error of
//! `ε(‖w‖‖r‖ + ‖q‖)`, and De Saxcé's shift multiplies it by `1 + μ`. For ordinary blocks (`μ ≤ 1`, `‖q‖` and
//! `d‖r‖` within a decade) the map is below 1e-14 of the impulses; for the others the tests ask for a few
//! units of that rounding, however close to singular the block: the error is *backward*. One decade is lost
//! where a nearly singular block (condition 1e10 to 1e14) sits within 1e-9 of the edge between stick and
//! slip: the two slip directions then merge, and the angle of a double root is known to half the digits only.
//! The impulse itself is known to `ε · condition` only, and is compared where the solution is unique and the
//! condition leaves digits.

use drystone_local::{LocalBlock, solve_local};
use drystone_problem::{Matrix, Set, Vector};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

const FRICTIONS: [f64; 6] = [0.0, 0.1, 0.5, 1.0, 10.0, 1e6];

/// The families of blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Family {
    /// `A Aᵀ + I/5`.
    Definite,
    /// `H M⁻¹ Hᵀ` of two rigid bodies with random arms.
    Rigid,
    /// `Definite` plus one percent of noise that is not symmetric.
    SlightlySkew,
    /// Noise of the size of the block.
    StronglySkew,
    /// Random signs everywhere: mostly indefinite.
    Indefinite,
    /// Condition 1e10 to 1e14.
    NearlySingular,
}

const FAMILIES: [Family; 6] = [
    Family::Definite,
    Family::Rigid,
    Family::SlightlySkew,
    Family::StronglySkew,
    Family::Indefinite,
    Family::NearlySingular,
];

fn uniform(rng: &mut impl Rng) -> f64 {
    rng.random_range(-1.0..1.0)
}

fn noise<const D: usize>(rng: &mut impl Rng) -> Matrix<D, D> {
    Matrix::from_fn(|_, _| uniform(rng))
}

fn block<const D: usize>(family: Family, rng: &mut impl Rng) -> Matrix<D, D> {
    let a = noise::<D>(rng);
    let definite = a * a.transpose() + Matrix::identity() * 0.2;
    match family {
        Family::Definite => definite,
        Family::Rigid => {
            // u = v + ω × arm: W = Σ (1/m) I − (1/I) [arm]×[arm]×, in 2D the in-plane part
            let mut w = Matrix::<D, D>::zeros();
            for _ in 0..2 {
                let mass = 10f64.powf(uniform(rng));
                let inertia = 0.4 * mass;
                let arm =
                    Vector::<3>::new(uniform(rng), uniform(rng), if D == 2 { 0.0 } else { uniform(rng) });
                for i in 0..D {
                    for j in 0..D {
                        let unit = if i == j { 1.0 } else { 0.0 };
                        w[(i, j)] += unit / mass + (arm.norm_squared() * unit - arm[i] * arm[j]) / inertia;
                    }
                }
            }
            w
        }
        Family::SlightlySkew => definite + noise::<D>(rng) * 1e-2,
        Family::StronglySkew => definite + noise::<D>(rng),
        Family::Indefinite => noise::<D>(rng),
        Family::NearlySingular => {
            let smallest = 10f64.powf(rng.random_range(-14.0..-10.0));
            let q = orthonormal(&a);
            let mut spectrum = Vector::<D>::from_fn(|_, _| rng.random_range(0.2..1.0));
            spectrum[rng.random_range(0..D)] = smallest;
            q * Matrix::from_diagonal(&spectrum) * q.transpose()
        }
    }
}

/// The columns of a matrix, made orthonormal.
fn orthonormal<const D: usize>(a: &Matrix<D, D>) -> Matrix<D, D> {
    let mut q = *a;
    for k in 0..D {
        for _ in 0..2 {
            for l in 0..k {
                let along = q.column(k).dot(&q.column(l));
                for i in 0..D {
                    q[(i, k)] -= along * q[(i, l)];
                }
            }
            let length = q.column(k).norm();
            for i in 0..D {
                q[(i, k)] /= length;
            }
        }
    }
    q
}

/// Natural map relative to the impulses, as in the residual of the waist, and the rounding floor of
/// evaluating it.
fn error<const D: usize>(w: &Matrix<D, D>, q: &Vector<D>, mu: f64, r: &Vector<D>) -> (f64, f64) {
    let mean = w.trace() / D as f64;
    let d = if mean > 0.0 { mean } else { w.norm() };
    let set = Set::Coulomb { mu };
    let u = w * r + q;
    let map = set.natural_map(1.0 / d, &u, r).norm();
    let asked = set.answer(1.0 / d, q, &Vector::zeros()).norm();
    let size = r.norm().max(asked);
    let rounding = f64::EPSILON * (1.0 + mu) * (w.norm() * r.norm() + q.norm() + u.norm()) / d;
    if map == 0.0 { (0.0, f64::EPSILON) } else { (map / size, rounding / size + f64::EPSILON) }
}

/// Every solution of a closing contact, by brute force.
fn oracle<const D: usize>(w: &Matrix<D, D>, q: &Vector<D>, mu: f64) -> Vec<Vector<D>> {
    let mut solutions = Vec::new();
    if q[0] >= 0.0 {
        solutions.push(Vector::zeros());
    }
    if let Some(r) = dense_solve(w, &-q)
        && tangent(&r).norm() <= mu * r[0]
    {
        solutions.push(r);
    }
    // the impulse on the edge of the cone with u_N = 0, and whether it pushes
    let along = |t: [f64; 2]| {
        let mut r = Vector::<D>::zeros();
        let stiffness: f64 = w[(0, 0)] + mu * (1..D).map(|j| w[(0, j)] * t[j - 1]).sum::<f64>();
        r[0] = -q[0] / stiffness;
        for j in 1..D {
            r[j] = mu * r[0] * t[j - 1];
        }
        r
    };
    let slides = |t: [f64; 2], r: &Vector<D>| {
        let u = w * r + q;
        r[0] >= 0.0 && (1..D).map(|j| u[j] * t[j - 1]).sum::<f64>() <= 0.0
    };
    if D == 2 {
        for side in [1.0, -1.0] {
            let r = along([side, 0.0]);
            if slides([side, 0.0], &r) {
                solutions.push(r);
            }
        }
        return solutions;
    }
    // t × u_T changes sign at a root; bisection on the angle
    let cross = |angle: f64| {
        let t = [angle.cos(), angle.sin()];
        let r = along(t);
        let u = tangent(&(w * r + q));
        // times the stiffness, so that its poles are no roots
        (t[0] * u[1] - t[1] * u[0]) / r[0]
    };
    const SAMPLES: usize = 720;
    let step = std::f64::consts::TAU / SAMPLES as f64;
    for sample in 0..SAMPLES {
        let (mut low, mut high) = (sample as f64 * step + 0.1, (sample + 1) as f64 * step + 0.1);
        let sign = cross(low) > 0.0;
        if sign == (cross(high) > 0.0) {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if (cross(middle) > 0.0) == sign {
                low = middle;
            } else {
                high = middle;
            }
        }
        let t = [low.cos(), low.sin()];
        let r = along(t);
        if slides(t, &r) {
            solutions.push(r);
        }
    }
    solutions
}

fn tangent<const D: usize>(x: &Vector<D>) -> Vector<2> {
    Vector::<2>::from_fn(|i, _| if i + 1 < D { x[i + 1] } else { 0.0 })
}

/// Gauss elimination with partial pivoting, written here so as not to share code with what it judges.
fn dense_solve<const D: usize>(w: &Matrix<D, D>, b: &Vector<D>) -> Option<Vector<D>> {
    let (mut m, mut x) = (*w, *b);
    for k in 0..D {
        let pivot = (k..D).max_by(|&i, &j| m[(i, k)].abs().total_cmp(&m[(j, k)].abs()))?;
        if m[(pivot, k)] == 0.0 {
            return None;
        }
        m.swap_rows(k, pivot);
        x.swap_rows(k, pivot);
        for i in 0..D {
            if i != k {
                let factor = m[(i, k)] / m[(k, k)];
                for j in k..D {
                    m[(i, j)] -= factor * m[(k, j)];
                }
                x[i] -= factor * x[k];
            }
        }
    }
    for k in 0..D {
        x[k] /= m[(k, k)];
    }
    Some(x)
}

/// Condition of the block in the Frobenius norm.
fn condition<const D: usize>(w: &Matrix<D, D>) -> f64 {
    let inverse: f64 = (0..D)
        .map(|i| dense_solve(w, &Vector::from_fn(|k, _| if k == i { 1.0 } else { 0.0 })))
        .map(|column| column.map_or(f64::INFINITY, |column| column.norm_squared()))
        .sum();
    w.norm() * inverse.sqrt()
}

/// Checks `count` random contacts of every family and friction.
fn check<const D: usize>(seed: u64, count: usize, compare_every: usize) {
    let mut rng = Pcg64::seed_from_u64(seed);
    for family in FAMILIES {
        for mu in FRICTIONS {
            let (mut worst_ratio, mut worst_plain, mut unsolved, mut multiple) = (0.0_f64, 0.0_f64, 0, 0);
            let mut worst_impulse = 0.0_f64;
            for case in 0..count {
                let scale = 10f64.powf(rng.random_range(-6.0..6.0));
                let speed = 10f64.powf(rng.random_range(-6.0..6.0));
                let w = block::<D>(family, &mut rng) * scale;
                let mut q = Vector::<D>::from_fn(|_, _| uniform(&mut rng)) * speed;
                if case % 8 != 0 {
                    q[0] = -q[0].abs();
                }
                if case % 5 == 0 {
                    // close to the edge between stick and slip
                    let mut r = Vector::<D>::from_fn(|_, _| uniform(&mut rng));
                    let tangential = tangent(&r).norm();
                    r[0] = if mu > 0.0 { tangential / mu * (1.0 + 1e-9 * uniform(&mut rng)) } else { 1.0 };
                    q = -(w * r) * speed;
                }
                let r = solve_local(&w, &q, &Set::Coulomb { mu });
                assert!(r.iter().all(|x| x.is_finite()), "{family:?} {mu} {w} {q}");
                assert!(
                    r[0] >= 0.0 && tangent(&r).norm() <= mu * r[0] * (1.0 + 1e-14),
                    "{family:?} {mu} {w} {q} {r}"
                );
                let (map, floor) = error(&w, &q, mu, &r);
                let solved = map <= 100.0 * floor || map < 1e-14;
                let compare = case % compare_every == 0 || !solved;
                let solutions = if compare { oracle(&w, &q, mu) } else { Vec::new() };
                if !solved {
                    // then nobody else may do better
                    for other in &solutions {
                        let (theirs, _) = error(&w, &q, mu, other);
                        assert!(
                            map <= 2.0 * theirs,
                            "{family:?} μ {mu}: {map:e}, oracle {theirs:e}\n{w}{q}{r}{other}"
                        );
                    }
                    unsolved += 1;
                    continue;
                }
                worst_ratio = worst_ratio.max(map / floor);
                if mu <= 1.0 && floor < 20.0 * f64::EPSILON {
                    worst_plain = worst_plain.max(map);
                }
                if !compare {
                    continue;
                }
                let condition = condition(&w);
                let nearest = solutions
                    .iter()
                    .map(|other| (other - r).norm() / r.norm().max(f64::MIN_POSITIVE))
                    .fold(f64::INFINITY, f64::min);
                multiple += usize::from(solutions.len() > 1);
                if nearest.is_finite() && condition < 1e4 && mu <= 1.0 && solutions.len() == 1 && q[0] < 0.0 {
                    worst_impulse = worst_impulse.max(nearest / condition);
                }
            }
            println!(
                "{D}D {family:?} μ {mu}: map {worst_plain:.1e} ordinary, {worst_ratio:.1} roundings; impulse \
                 {worst_impulse:.1e} × condition; {unsolved} without solution, {multiple} with several, of {count}"
            );
            let attainable = if family == Family::NearlySingular { 1e-13 } else { 1e-14 };
            assert!(worst_plain < attainable, "{family:?} {mu} {worst_plain:e}");
            let definite = matches!(
                family,
                Family::Definite | Family::Rigid | Family::SlightlySkew | Family::NearlySingular
            );
            assert!(!definite || unsolved == 0, "{family:?} {mu}: {unsolved}");
            assert!(!definite || worst_impulse < 1e-12, "{family:?} {mu} {worst_impulse:e}");
        }
    }
}

#[test]
fn random_blocks_in_2d() {
    check::<2>(20, 3000, 1);
}

#[test]
fn random_blocks_in_3d() {
    check::<3>(30, 3000, 10);
}

#[test]
fn prepared_and_unprepared_agree_bit_for_bit() {
    let mut rng = Pcg64::seed_from_u64(1);
    let w = block::<3>(Family::Rigid, &mut rng);
    let local = LocalBlock::new(&w);
    for _ in 0..100 {
        let q = Vector::<3>::from_fn(|_, _| uniform(&mut rng));
        let set = Set::Coulomb { mu: 0.4 };
        assert_eq!(local.solve(&q, &set), solve_local(&w, &q, &set));
    }
}

/// Nothing that data can hold may panic or return a number that is not finite.
fn garbage<const D: usize>(seed: u64) {
    let mut rng = Pcg64::seed_from_u64(seed);
    let odd = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        -1.0,
        1.0,
        1e300,
        -1e300,
        1e-300,
        1e12,
        1e-12,
    ];
    let mut pick = |calm: f64| {
        if rng.random_range(0.0..1.0) < calm {
            uniform(&mut rng)
        } else {
            odd[rng.random_range(0..odd.len())]
        }
    };
    for case in 0..50_000 {
        let calm = [0.0, 0.5, 0.9][case % 3];
        let w = Matrix::<D, D>::from_fn(|_, _| pick(calm));
        let q = Vector::<D>::from_fn(|_, _| pick(calm));
        let mu = pick(calm);
        let r = solve_local(&w, &q, &Set::Coulomb { mu });
        assert!(r.iter().all(|x| x.is_finite()), "{w} {q} {mu} {r}");
    }
}

#[test]
fn garbage_in_finite_out() {
    garbage::<2>(7);
    garbage::<3>(8);
}

#[test]
fn singular_blocks() {
    let set = Set::Coulomb { mu: 0.5 };
    // a zero block answers nothing
    assert_eq!(
        solve_local(&Matrix::<3, 3>::zeros(), &Vector::<3>::new(-1.0, 0.2, 0.1), &set),
        Vector::<3>::zeros()
    );
    // no compliance along the tangent: the sliding velocity is given, friction opposes it
    let w = Matrix::<3, 3>::from_diagonal(&Vector::<3>::new(2.0, 0.0, 0.0));
    let r = solve_local(&w, &Vector::<3>::new(-4.0, 0.3, -0.4), &set);
    assert!((r - Vector::<3>::new(2.0, -0.6, 0.8)).norm() < 1e-14, "{r}");
    // one tangent without compliance and without velocity: sticks
    let w = Matrix::<3, 3>::from_diagonal(&Vector::<3>::new(1.0, 1.0, 0.0));
    let r = solve_local(&w, &Vector::<3>::new(-1.0, 0.1, 0.0), &set);
    assert!((r - Vector::<3>::new(1.0, -0.1, 0.0)).norm() < 1e-14, "{r}");
    // a block of rank one, consistent: some impulse stops it
    let v = Vector::<3>::new(1.0, 0.2, -0.3);
    let (w, q) = (v * v.transpose(), -v);
    let r = solve_local(&w, &q, &set);
    assert!((w * r + q).norm() < 1e-14 && r[0] > 0.0, "{r}");
    // the normal cannot move and nothing else helps: no solution, and still a finite answer
    let w = Matrix::<2, 2>::new(0.0, 0.0, 0.0, 1.0);
    assert!(solve_local(&w, &Vector::<2>::new(-1.0, 0.0), &set).norm().is_finite());
}

/// Jamming under large friction: with coupling against the motion the impulse grows as the cone opens, and
/// stays exact up to and including an infinite coefficient.
#[test]
fn friction_without_bound() {
    let w = Matrix::<3, 3>::new(1.0, 0.6, 0.0, 0.6, 1.0, 0.1, 0.0, 0.1, 0.8);
    let q = Vector::<3>::new(-1.0, -2.0, 0.3);
    let mut before = 0.0;
    for mu in [0.1, 1.0, 10.0, 1e3, 1e6, 1e12, f64::INFINITY] {
        let r = solve_local(&w, &q, &Set::Coulomb { mu });
        let u = w * r + q;
        assert!(u[0].abs() < 1e-14 && tangent(&u).dot(&tangent(&r)) <= 1e-14, "{mu} {u} {r}");
        let cross = u[1] * r[2] - u[2] * r[1];
        assert!(cross.abs() < 1e-14 && tangent(&r).norm() >= before, "{mu} {cross:e}");
        before = tangent(&r).norm();
    }
}
