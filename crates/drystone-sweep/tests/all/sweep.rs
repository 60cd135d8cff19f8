//! The sweep in lanes against the scalar one, the exact local solve and the one residual; the same bits
//! everywhere.

use drystone_bench::problems::lattice;
use drystone_local::LocalBlock;
use drystone_problem::{
    Blocks, Compliance, Compliances, Condensed, Delassus, Matrix, Method, PairRow, Params, Problem, Report,
    Set, Vector, asked_impulse, residual,
};
use drystone_solvers::solve;
use drystone_sweep::{Instructions, Sweep, SweepMemory};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Contacts between bodies at random; body 0 does not move. They move with the bodies, so that a solution
/// exists.
fn random<const D: usize, const N: usize>(
    seed: u64,
    pairs: &[[u32; 2]],
    set: impl Fn(usize) -> Set,
) -> Problem<D, Condensed<D>> {
    let mut generator = Pcg64::seed_from_u64(seed);
    let mut number = |from: f64, to: f64| generator.random_range(from..to);
    let bodies = pairs.iter().flatten().max().map_or(1, |&body| body as usize + 1);
    let mut at_rest = |from: f64, to: f64| -> Vec<Vector<N>> {
        (0..bodies)
            .map(|body| Vector::from_fn(|_, _| if body == 0 { 0.0 } else { number(from, to) }))
            .collect()
    };
    let (inverse_mass, velocities) = (at_rest(0.2, 2.0), at_rest(-1.0, 1.0));
    let rows: Vec<PairRow<D>> = pairs
        .iter()
        .map(|&bodies| {
            PairRow::new(bodies, [0, 1].map(|_| Matrix::<D, N>::from_fn(|_, _| number(-1.0, 1.0))))
        })
        .collect();
    let of =
        |row: &PairRow<D>, side: usize| row.h[side].times(velocities[row.bodies[side] as usize].as_slice());
    let u_free = rows.iter().map(|row| of(row, 0) + of(row, 1)).collect();
    let sets = (0..rows.len()).map(set).collect();
    Problem { w: Condensed::new(&rows, Compliances::diagonal(inverse_mass)), u_free, sets }
}

fn mixed(contact: usize) -> Set {
    Set::Coulomb { mu: [0.0, 0.3, 1.0, 1e6][contact % 4] }
}

/// A chain of bodies, each on the one before and every third on the ground.
fn chain(bodies: u32) -> Vec<[u32; 2]> {
    (1..bodies)
        .flat_map(|body| [[body, body - 1], [body, if body.is_multiple_of(3) { 0 } else { body / 2 }]])
        .collect()
}

/// The same problem with its operator assembled.
fn assembled<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>) -> Problem<D, Blocks<D>> {
    let (u_free, sets) = (problem.u_free.clone(), problem.sets.clone());
    Problem { w: Blocks::new(problem.w.assemble()), u_free, sets }
}

fn bits<const D: usize>(r: &[Vector<D>]) -> Vec<u64> {
    r.iter().flatten().map(|x| x.to_bits()).collect()
}

/// The impulses after some sweeps: plain ones, ones with momentum, ones in random order.
fn swept<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    instructions: Instructions,
    threads: usize,
) -> Vec<Vector<D>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut r = vec![Vector::zeros(); problem.contacts()];
        let params = Params { relaxation: 1.1, tolerance: 1e-300, ..Params::default() };
        let mut sweep = Sweep::with(problem, &r, &params, 0, Some(instructions));
        assert!(sweep.bytes().is_some(), "not in lanes");
        let mut report = Report::start();
        for k in 0..12 {
            sweep.pass(k % 4 == 3);
            sweep.pass_ahead(0.1 * f64::from(k), k % 5 == 0, k % 3 == 0);
            sweep.pass_shuffled(k, 1.0, k % 2 == 0);
            sweep.judge(&mut r, &params, &mut report);
        }
        r
    })
}

#[test]
fn the_same_bits_on_any_instructions_and_any_number_of_threads() {
    let sets = |contact: usize| match contact % 5 {
        0 => Set::Tresca { cap: 0.1 },
        1 => Set::Bilateral { rows: 1 },
        _ => mixed(contact),
    };
    let mut large = lattice(9_000, 3);
    large.sets.iter_mut().enumerate().for_each(|(k, set)| {
        if k.is_multiple_of(7) {
            *set = sets(k)
        }
    });
    let small = random::<2, 3>(5, &chain(200), sets);
    the_same_bits(&large);
    the_same_bits(&small);
    the_same_bits(&assembled(&large));
    // a chain on the ground: body / 2 touches few
    the_same_bits(&assembled(&small));
}

fn the_same_bits<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>) {
    let expected = bits(&swept(problem, Instructions::plain(), 1));
    for instructions in Instructions::all() {
        for threads in [1, 2, 8] {
            assert!(bits(&swept(problem, instructions, threads)) == expected, "{instructions:?} {threads}");
        }
    }
}

/// Contacts that touch no other are solved exactly by a few visits.
fn alone<const D: usize, const N: usize>(seed: u64) {
    let pairs: Vec<[u32; 2]> = (0..120).map(|k| [2 * k + 1, 2 * k + 2]).collect();
    let mut problem = random::<D, N>(seed, &pairs, mixed);
    problem.u_free.iter_mut().for_each(|u| u[0] -= 0.5);
    let mut r = vec![Vector::zeros(); problem.contacts()];
    let params = Params::default();
    let mut sweep = Sweep::new(&problem, &r, &params, 0);
    // the multiplier takes one step at a visit once it is near
    for _ in 0..8 {
        sweep.pass(true);
    }
    sweep.judge(&mut r, &params, &mut Report::start());
    for (contact, r) in r.iter().enumerate() {
        let w = problem.w.block(contact);
        let exact = LocalBlock::new(&w).solve(&problem.u_free[contact], &problem.sets[contact]);
        let error = (r - exact).norm();
        assert!(
            error <= 1e-12 * (1.0 + exact.norm()),
            "contact {contact}, seed {seed}: {r:?} {exact:?} {w:?} {:?} {:?}",
            problem.u_free[contact],
            problem.sets[contact]
        );
    }
}

#[test]
fn a_contact_that_touches_no_other_is_solved_exactly() {
    for seed in 0..50 {
        alone::<2, 3>(seed);
        alone::<3, 6>(seed);
    }
}

fn solved<const D: usize, W: Delassus<D>>(problem: &Problem<D, W>, method: Method, what: &str) {
    let params = Params { method, tolerance: 1e-10, max_iterations: 60_000, ..Params::default() };
    let mut r = vec![Vector::zeros(); problem.contacts()];
    let report = solve(problem, &mut r, &params, 0);
    assert!(report.converged, "{what}: {report:?}");
    let judged = residual(problem, &problem.velocities(&r), &r).relative;
    assert!(judged <= 1.01e-10, "{what}: {judged}");
}

#[test]
fn sweeps_in_lanes_reach_what_exact_ones_do() {
    for seed in 0..12 {
        // fewer equations than degrees of freedom: sweeps alone get there
        let pairs: Vec<[u32; 2]> = chain(160).into_iter().step_by(2).collect();
        for method in [Method::Nlgs, Method::Accelerated] {
            let plane = random::<2, 3>(seed, &pairs, |k| Set::Coulomb { mu: 0.2 * (k % 4) as f64 });
            solved(&plane, method, &format!("{method:?} plane {seed}"));
            solved(&assembled(&plane), method, &format!("{method:?} plane, assembled {seed}"));
            let space = random::<3, 6>(seed, &pairs, |k| Set::Coulomb { mu: 0.2 * (k % 4) as f64 });
            solved(&space, method, &format!("{method:?} space {seed}"));
            solved(&assembled(&space), method, &format!("{method:?} space, assembled {seed}"));
        }
    }
}

/// In whatever order contacts are visited, all of them are: sweeps in random order find solutions, in lanes
/// and contact by contact, on the way to which each of them has its own iterates.
#[test]
fn sweeps_in_random_order_get_there_too() {
    let pairs: Vec<[u32; 2]> = chain(160).into_iter().step_by(2).collect();
    let space = random::<3, 6>(3, &pairs, |k| Set::Coulomb { mu: 0.2 * (k % 4) as f64 });
    let in_lanes = shuffled(&space, Some(Instructions::best()));
    let assembled = shuffled(&assembled(&space), Some(Instructions::best()));
    let one_by_one = shuffled(&space, None);
    assert!(in_lanes != assembled && in_lanes != one_by_one);
}

/// Impulses after a few sweeps in random order, of which many more end at a solution.
fn shuffled<W: Delassus<3>>(
    problem: &Problem<3, W>,
    instructions: Option<Instructions>,
) -> [Vec<Vector<3>>; 2] {
    let params = Params::default();
    let mut sweep =
        Sweep::with(problem, &vec![Vector::zeros(); problem.contacts()], &params, 0, instructions);
    let mut early = vec![Vector::zeros(); problem.contacts()];
    sweep.pass(true);
    sweep.take(&mut early);
    let mut drawn = early.clone();
    sweep.put(&vec![Vector::zeros(); problem.contacts()]);
    sweep.pass_shuffled(1, 1.0, true);
    sweep.take(&mut drawn);
    assert!(drawn != early, "the order is the old one");
    let mut r = drawn.clone();
    for number in 0..20_000 {
        sweep.pass_shuffled(number, 1.0, true);
    }
    sweep.take(&mut r);
    let judged = residual(problem, &problem.velocities(&r), &r).relative;
    assert!(judged <= 1e-10, "{judged}");
    [early, drawn]
}

#[test]
fn the_residual_in_lanes_is_the_residual() {
    let sets =
        |contact: usize| if contact.is_multiple_of(6) { Set::Tresca { cap: 0.2 } } else { mixed(contact) };
    let problem = random::<3, 6>(11, &chain(120), sets);
    residual_in_lanes(&problem);
    residual_in_lanes(&assembled(&problem));
}

fn residual_in_lanes<W: Delassus<3>>(problem: &Problem<3, W>) {
    let mut r = vec![Vector::zeros(); problem.contacts()];
    let params = Params { tolerance: 1e-300, ..Params::default() };
    let mut sweep = Sweep::new(problem, &r, &params, 0);
    assert!(sweep.bytes().is_some(), "not in lanes");
    for _ in 0..20 {
        sweep.pass(true);
        let (mut lanes, mut record) = (Report::start(), Report::start());
        sweep.judge(&mut r, &params, &mut lanes);
        sweep.certify(&r, &params, &mut record);
        assert!(lanes.worst.is_none() && record.worst.is_some());
        // the friction of 1e6 among them turns the rounding of a velocity into 1e-10
        let error = (lanes.residual - record.residual).abs();
        assert!(error <= 1e-9 * record.residual, "{} {}", lanes.residual, record.residual);
        let error = (lanes.mean - record.mean).abs();
        assert!(error <= 1e-9 * record.mean, "{} {}", lanes.mean, record.mean);
        let [lanes, record] = [lanes, record].map(|report| report.gap.unwrap());
        let error = (lanes.signed - record.signed).abs().max((lanes.absolute - record.absolute).abs());
        assert!(record.absolute > 0.0 && error <= 1e-8 * record.absolute, "{lanes:?} {record:?}");
    }
}

/// Problems one after the other in one memory: the same bodies touch, other contacts are likely to hold,
/// other bodies touch, another dimension comes between.
#[test]
fn sweeps_in_the_memory_of_others_have_the_same_bits() {
    let first = random::<2, 3>(5, &chain(200), mixed);
    let mut other_sides = random::<2, 3>(6, &chain(200), mixed);
    other_sides.u_free.iter_mut().step_by(3).for_each(|u| u[0] = -u[0]);
    let mut other_pairs = chain(200);
    other_pairs.swap_remove(17);
    let other_pairs = random::<2, 3>(7, &other_pairs, mixed);
    let in_space = random::<3, 6>(8, &chain(90), mixed);
    let mut memory = SweepMemory::default();
    for _ in 0..2 {
        for problem in [&first, &first, &other_sides, &other_pairs, &first] {
            in_memory(problem, &mut memory);
        }
        in_memory(&in_space, &mut memory);
    }
}

fn in_memory<const D: usize>(problem: &Problem<D, Condensed<D>>, memory: &mut SweepMemory) {
    let start = vec![Vector::zeros(); problem.contacts()];
    let params = Params::default();
    let go = |sweep: &mut Sweep<D, Condensed<D>>| {
        let mut r = start.clone();
        for k in 0..9 {
            sweep.pass_ahead(0.1 * f64::from(k), k % 2 == 0, k % 3 == 0);
        }
        sweep.take(&mut r);
        bits(&r)
    };
    let mut sweep = Sweep::within(problem, &start, &params, 0, asked_impulse(problem), memory);
    let expected = go(&mut Sweep::new(problem, &start, &params, 0));
    assert!(go(&mut sweep) == expected, "{} contacts", problem.contacts());
    sweep.leave(memory);
}

#[test]
fn bodies_that_touch_many_are_no_obstacle() {
    // a floor under everybody, and a slab that moves on top of everybody
    let grains = 300;
    let pairs: Vec<[u32; 2]> = (1..=grains).flat_map(|grain| [[grain, 0], [grains + 1, grain]]).collect();
    let mut problem = random::<2, 3>(2, &pairs, |_| Set::Coulomb { mu: 0.3 });
    let all = Instructions::all();
    assert_eq!(bits(&swept(&problem, all[0], 1)), bits(&swept(&problem, Instructions::plain(), 2)));
    problem.u_free.iter_mut().for_each(|u| u[0] = u[0].abs() + 0.1);
    let mut r = vec![Vector::zeros(); problem.contacts()];
    let params = Params { method: Method::Nlgs, ..Params::default() };
    let report = solve(&problem, &mut r, &params, 0);
    assert!(report.converged && report.iterations == 1 && r.iter().all(|r| r.norm() == 0.0));
}

#[test]
fn contacts_that_stay_open_are_left_out_until_they_close() {
    // a row of balls thrown at one another: the last contacts close only once the shock has come through
    let balls = 200;
    let row = |k: usize| {
        let h = [-Matrix::<2, 3>::identity(), Matrix::<2, 3>::identity()];
        PairRow::new([k as u32 + 1, k as u32], h)
    };
    let rows: Vec<PairRow<2>> = (0..balls).map(row).collect();
    let inverse_mass = vec![Vector::<3>::repeat(1.0); balls + 1];
    let u_free = (0..balls).map(|k| Vector::<2>::new(if k == 0 { -1.0 } else { 1e-3 }, 0.0)).collect();
    let problem = Problem {
        w: Condensed::new(&rows, Compliances::diagonal(inverse_mass)),
        u_free,
        sets: vec![Set::Coulomb { mu: 0.0 }; balls],
    };
    for method in [Method::Nlgs, Method::Accelerated] {
        let mut r = vec![Vector::zeros(); balls];
        let params = Params { method, tolerance: 1e-9, ..Params::default() };
        let report = solve(&problem, &mut r, &params, 0);
        assert!(report.converged, "{report:?}");
        assert!(report.updates < u64::from(report.iterations) * balls as u64, "nothing was left out");
        assert!(r.iter().filter(|r| r[0] > 0.0).count() > 10);
    }
}

#[test]
fn broken_numbers_do_not_spread_beyond_the_report() {
    let (nan, zero) = (f64::NAN, Matrix::<3, 6>::zeros());
    for kind in 0..5 {
        let good = random::<3, 6>(4, &chain(80), mixed);
        let mut rows: Vec<PairRow<3>> = good.w.pairs().map(|row| row.to_pair()).collect();
        let bodies = good.w.bodies();
        let mut masses: Vec<Vec<f64>> =
            (0..bodies.len()).map(|body| bodies.inverse_mass(body).to_vec()).collect();
        let (mut u_free, mut sets) = (good.u_free.clone(), good.sets.clone());
        match kind {
            0 => u_free[17] = Vector::repeat(nan),
            1 => rows[17].h = [zero, zero].map(Into::into),
            2 => rows[17].h[0] = Matrix::<3, 6>::repeat(nan).into(),
            3 => sets[17] = Set::Coulomb { mu: nan },
            _ => masses[9].fill(f64::INFINITY),
        }
        let mut bodies = Compliances::new();
        masses.iter().for_each(|masses| bodies.push(Compliance::Diagonal(masses)));
        let problem = Problem { w: Condensed::new(&rows, bodies), u_free, sets };
        stays_finite(&problem, kind);
        stays_finite(&assembled(&problem), kind);
    }
}

fn stays_finite<W: Delassus<3>>(problem: &Problem<3, W>, kind: usize) {
    for method in [Method::Nlgs, Method::Accelerated] {
        for guess in [0.0, 1.0, f64::NAN] {
            let mut r = vec![Vector::<3>::repeat(guess); problem.contacts()];
            let params = Params { method, max_iterations: 50, ..Params::default() };
            let report = solve(problem, &mut r, &params, 0);
            assert!(r.iter().flatten().all(|x| x.is_finite()), "{method:?} kind {kind} guess {guess}");
            assert_eq!(report.converged, report.residual <= params.tolerance);
        }
    }
}

/// A square lattice of bodies in the plane, each with the velocities of a rigid line and, behind them, those
/// of a port for each contact, over which it has a full compliance.
fn lattice_with_ports(side: u32) -> Problem<2, Condensed<2>> {
    let mut generator = Pcg64::seed_from_u64(11);
    let mut number = |from: f64, to: f64| generator.random_range(from..to);
    let bodies = side * side;
    let right = |body: u32| (body % side + 1 < side).then_some([body, body + 1]);
    let above = |body: u32| (body / side + 1 < side).then_some([body, body + side]);
    let pairs: Vec<[u32; 2]> =
        (0..bodies).flat_map(|body| right(body).into_iter().chain(above(body))).collect();
    let mut ports = vec![0; bodies as usize];
    let held: Vec<[usize; 2]> = pairs
        .iter()
        .map(|pair| {
            pair.map(|body| {
                ports[body as usize] += 1;
                ports[body as usize] - 1
            })
        })
        .collect();
    let mut compliances = Compliances::new();
    for &count in &ports {
        let size = 3 + 2 * count;
        let factor: Vec<f64> = (0..size * size).map(|_| number(-0.4, 0.4)).collect();
        let entry = |i: usize, j: usize| match (i < 3, j < 3) {
            (true, true) if i == j => 1.0,
            (false, false) => {
                let own = if i == j { 0.2 } else { 0.0 };
                (3..size).fold(own, |sum, k| sum + factor[i * size + k] * factor[j * size + k])
            }
            _ => 0.0,
        };
        let matrix: Vec<f64> = (0..size * size).map(|k| entry(k / size, k % size)).collect();
        compliances.push(Compliance::Dense(&matrix));
    }
    let rows: Vec<PairRow<2>> = pairs
        .iter()
        .zip(&held)
        .map(|(&bodies, held)| {
            let h = [0, 1].map(|end| {
                let mut columns = drystone_problem::Columns::zeros(3 + 2 * ports[bodies[end] as usize]);
                let sign = [1.0, -1.0][end];
                (columns[0], columns[1]) = ([sign, 0.0], [0.0, sign]);
                columns[2] = [number(-0.3, 0.3), number(0.5, 1.0)];
                for axis in 0..2 {
                    columns[3 + 2 * held[end] + axis][axis] = sign;
                }
                columns
            });
            PairRow { bodies, h }
        })
        .collect();
    let u_free = rows.iter().map(|_| Vector::<2>::new(number(-1.0, 0.2), number(-1.0, 1.0))).collect();
    let sets = vec![Set::Coulomb { mu: 0.3 }; rows.len()];
    Problem { w: Condensed::new(&rows, compliances), u_free, sets }
}

/// Bodies wider than the lanes are swept by assembled rows, to the solution of sweeps one by one; a body that
/// touches too many is not.
#[test]
fn bodies_with_ports_are_swept_by_rows() {
    let problem = lattice_with_ports(12);
    let params = Params::default();
    let solved = |instructions: Option<Instructions>| {
        let mut r = vec![Vector::zeros(); problem.contacts()];
        let mut sweep = Sweep::with(&problem, &r, &params, 0, instructions);
        (0..3000).for_each(|_| {
            sweep.pass(true);
        });
        let rows = sweep.bytes().is_some();
        sweep.take(&mut r);
        (r, rows)
    };
    let (one_by_one, none) = solved(None);
    let u = problem.velocities(&one_by_one);
    assert!(!none && residual(&problem, &u, &one_by_one).relative < 1e-12);
    assert!(one_by_one.iter().filter(|r| r[0] > 0.0).count() > 100);
    for instructions in Instructions::all() {
        let (found, rows) = solved(Some(instructions));
        assert!(rows, "not in lanes");
        let off = found.iter().zip(&one_by_one).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(off < 1e-10, "{off}");
    }
    the_same_bits(&problem);
    // all of them on one wide body
    let rows: Vec<PairRow<2>> = problem
        .w
        .pairs()
        .map(|row| {
            let mut row = row.to_pair();
            row.bodies[1] = 0;
            row.h[1] = drystone_problem::Columns::zeros(problem.w.bodies().dofs(0).count as usize);
            row.h[1][0] = [1.0, 0.0];
            row
        })
        .collect();
    let crowded = Condensed::new(&rows, problem.w.bodies().clone());
    let crowded = Problem { w: crowded, u_free: problem.u_free.clone(), sets: problem.sets.clone() };
    let r = vec![Vector::zeros(); crowded.contacts()];
    assert!(Sweep::new(&crowded, &r, &params, 0).bytes().is_none());
}
