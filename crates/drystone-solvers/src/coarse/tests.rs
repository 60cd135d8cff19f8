use super::*;
use drystone_math::nalgebra::DMatrix;
use drystone_problem::{Compliances, Matrix, PairRow, work_gap};

/// Towers of frictional blocks side by side, a hundred to a tower, each pressed down by its weight, contacts
/// where blocks lie on each other and between neighbours of one height, which carry nothing.
fn towers(count: u32, height: u32) -> Problem<2, Condensed<2>> {
    let normal = Matrix::<2, 3>::new(0.0, 1.0, 0.0, 1.0, 0.0, 0.0);
    let (mut rows, mut places) = (Vec::new(), Vec::new());
    for tower in 0..count {
        for level in 0..height {
            let block = 1 + tower * height + level;
            let below = if level == 0 { 0 } else { block - 1 };
            rows.push(PairRow::new([block, below], [normal, -normal]));
            places.push(Vector::<2>::new(f64::from(tower), f64::from(level)));
        }
    }
    let masses = (0..=count * height).map(|body| Vector::<3>::repeat(if body == 0 { 0.0 } else { 1.0 }));
    let contacts = rows.len();
    let mut w = Condensed::new(&rows, Compliances::diagonal(masses));
    w.set_places(places);
    // the lowest contact alone sees the weight come to rest
    let free = |contact: usize| {
        Vector::<2>::new(if contact.is_multiple_of(height as usize) { -1.0 } else { 0.0 }, 0.0)
    };
    Problem { w, u_free: (0..contacts).map(free).collect(), sets: vec![Set::Coulomb { mu: 0.5 }; contacts] }
}

/// The impulses that hold the towers.
fn exact(count: u32, height: u32) -> Vec<Vector<2>> {
    let level = |contact: u32| f64::from(height - contact % height);
    (0..count * height).map(|contact| Vector::<2>::new(level(contact), 0.0)).collect()
}

fn corrected(problem: &Problem<2, Condensed<2>>, r: &[Vector<2>]) -> Vec<Vector<2>> {
    let coarse = Coarse::new(problem, &AutoParams::default()).expect("many contacts");
    let factors = coarse.factors(problem, r).expect("out of balance");
    r.iter().zip(factors).map(|(r, factor)| r * factor).collect()
}

#[test]
fn impulses_that_are_too_small_everywhere_are_made_whole_at_once() {
    let (problem, exact) = (towers(20, 100), exact(20, 100));
    for share in [0.5, 0.8, 1.5] {
        let r: Vec<_> = exact.iter().map(|r| r * share).collect();
        let found = corrected(&problem, &r);
        let gap = work_gap(&problem, &problem.velocities(&found), &found);
        assert!(gap.size() < 2e-3, "{share}: {gap:?}");
        let off = found.iter().zip(&exact).map(|(r, exact)| (r - exact).norm()).fold(0.0, f64::max);
        assert!(off < 0.2, "{share}: {off} of up to 100");
    }
}

#[test]
fn every_region_is_brought_into_balance_by_itself() {
    let (problem, exact) = (towers(20, 100), exact(20, 100));
    // the towers to the left carry too little, those to the right too much: the gap of all is small
    let share = |contact: usize| 0.8 + 0.4 * (contact / 100) as f64 / 19.0;
    let r: Vec<_> = exact.iter().enumerate().map(|(contact, r)| r * share(contact)).collect();
    let before = work_gap(&problem, &problem.velocities(&r), &r);
    let found = corrected(&problem, &r);
    let after = work_gap(&problem, &problem.velocities(&found), &found);
    assert!(before.signed.abs() < 0.05 && before.absolute > 0.1, "{before:?}");
    assert!(after.absolute < 0.1 * before.absolute, "{after:?}");
}

/// The energy falls and no impulse leaves its cone, whatever they were.
#[test]
fn energy_falls_and_cones_are_kept() {
    let problem = towers(10, 100);
    let noise = |k: usize| ((k * 7919 + 13) % 1013) as f64 / 1013.0;
    let energy = |r: &[Vector<2>]| -> f64 {
        let u = problem.velocities(r);
        (0..r.len()).map(|k| 0.5 * r[k].dot(&(u[k] + problem.u_free[k]))).sum()
    };
    for seed in 0..20 {
        let r: Vec<_> = (0..1000)
            .map(|k| {
                let normal = 100.0 * noise(k + 1000 * seed);
                Vector::<2>::new(normal, 0.4 * normal * (noise(3 * k + seed) - 0.5))
            })
            .collect();
        let found = corrected(&problem, &r);
        assert!(energy(&found) < energy(&r), "{seed}");
        for (r, set) in found.iter().zip(&problem.sets) {
            assert!((set.project(r) - r).norm() <= 1e-12 * r.norm());
        }
    }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let (problem, exact) = (towers(20, 100), exact(20, 100));
    let r: Vec<_> = exact.iter().map(|r| r * 0.7).collect();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| corrected(&problem, &r))
    };
    assert!(on(1) == on(3));
}

#[test]
fn nothing_is_done_where_it_is_not_known_where_contacts_are() {
    let mut problem = towers(20, 100);
    problem.w.set_places(Vec::new());
    assert!(Coarse::new(&problem, &AutoParams::default()).is_none());
    let few = towers(2, 100);
    assert!(Coarse::new(&few, &AutoParams::default()).is_none(), "too few for regions");
    let flat: Vec<_> = (0..2000).map(|k| Vector::<2>::new(f64::from(k), 0.0)).collect();
    problem.w.set_places(flat);
    assert!(Coarse::new(&problem, &AutoParams::default()).is_none(), "not a box");
}

/// At a solution nothing is to be gained.
#[test]
fn a_solution_is_left_alone() {
    let (problem, exact) = (towers(20, 100), exact(20, 100));
    let coarse = Coarse::new(&problem, &AutoParams::default()).unwrap();
    let factors = coarse.factors(&problem, &exact);
    assert!(factors.is_none_or(|factors| factors.iter().all(|factor| (factor - 1.0).abs() < 1e-9)));
}

/// Solves as a dense factorisation does, with and without entries far from the diagonal.
#[test]
fn envelopes_solve_as_dense_matrices_do() {
    let noise = |k: usize| ((k * 7919 + 13) % 1013) as f64 / 1013.0 - 0.5;
    for far in [false, true] {
        let n = 30;
        let mut dense = DMatrix::<f64>::zeros(n, n);
        let mut matrix = Envelope::zeros(n);
        for i in 0..n {
            for j in 0..=i {
                let near = i - j <= 3 || far && i % 7 == 0 && j % 5 == 0;
                let value = if i == j { 8.0 } else { noise(31 * i + j) };
                if near {
                    (dense[(i, j)], dense[(j, i)]) = (value, value);
                    matrix.add_at(i, j, value);
                }
            }
        }
        let b: Vec<f64> = (0..n).map(noise).collect();
        let expected =
            dense.clone().cholesky().unwrap().solve(&drystone_math::nalgebra::DVector::from_vec(b.clone()));
        let x = expected.as_slice();
        assert!((matrix.quadratic(x) - (expected.transpose() * &dense * &expected)[(0, 0)]).abs() < 1e-12);
        let mut found = b;
        matrix.solve(&mut found);
        assert!(found.iter().zip(x).all(|(found, x)| (found - x).abs() < 1e-13));
    }
}

/// A deep pile takes fewer sweeps with regions than without, to the same solution.
#[test]
fn deep_piles_take_fewer_sweeps() {
    let (problem, exact) = (towers(20, 100), exact(20, 100));
    let solve = |regions: u32| {
        let auto = AutoParams { wave_contacts: 1000, regions, most_contacts: 0, ..AutoParams::default() };
        let params = crate::Params { tolerance: 1e-4, auto, ..crate::Params::default() };
        let mut r: Vec<_> = exact.iter().map(|r| r * 0.5).collect();
        let report = crate::solve(&problem, &mut r, &params, 0);
        assert!(report.converged, "{regions}: {report:?}");
        let off = r.iter().zip(&exact).map(|(r, exact)| (r - exact).norm()).fold(0.0, f64::max);
        (report.iterations, off)
    };
    let ((with, off), (without, _)) = (solve(256), solve(0));
    assert!(with < without / 2 && off < 1.0, "{with} {without} {off}");
}
