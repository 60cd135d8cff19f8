//! The lanes over pairs of bodies on one thread and on several, with plain instructions: small enough for
//! Miri.

use super::*;
use drystone_bench::problems::lattice;
use drystone_math::Columns;
use drystone_problem::{PairRow, Problem, Row, Set, asked_impulse, residual};

/// Impulses and sums after some sweeps of each kind, with so many threads.
fn swept(threads: usize) -> (Vec<Vector<3>>, Vec<Passed>, Residual) {
    let Problem { w, u_free, mut sets } = lattice(if cfg!(miri) { 24 } else { 3000 }, 1);
    // one that lanes do not take
    sets[7] = Set::Tresca { cap: 0.1 };
    let r = vec![Vector::zeros(); u_free.len()];
    let build =
        Build { u_free: &u_free, sets: &sets, r: &r, asked: 1.0, instructions: Instructions::plain() };
    let mut lanes = PairLanes::<3, 6>::default();
    lanes.renew(&build, &w);
    lanes.parallel = threads > 1;
    lanes.team = (threads > 1).then(|| Team::new(threads));
    let kinds = [
        (false, false, None),
        (true, false, None),
        (true, true, None),
        (false, false, Some(5)),
        (true, false, None),
    ];
    let pass = |(momentum, project, drawn): (bool, bool, Option<u32>)| {
        let options = PassOptions { momentum, beta: 0.5, project, relaxation: 1.0, drawn };
        lanes.pass(options, false)
    };
    let passed = kinds.map(pass).to_vec();
    let judged = lanes.judge().unwrap();
    let mut r = vec![Vector::zeros(); u_free.len()];
    lanes.take(&mut r);
    (r, passed, judged)
}

#[test]
fn a_team_sweeps_as_one_thread_does() {
    let alone = swept(1);
    assert!(alone.1.iter().all(|passed| passed.moved) && alone.2.relative.is_finite());
    assert!(swept(3) == alone, "other bits");
}

/// What a look says without making the lines anew is what the impulses alone say, but for rounding.
#[test]
fn the_lines_follow_the_impulses() {
    let problem = lattice(if cfg!(miri) { 24 } else { 300 }, 1);
    let mut r = vec![Vector::zeros(); problem.contacts()];
    let Problem { w, u_free, sets } = &problem;
    let (asked, instructions) = (asked_impulse(&problem), Instructions::plain());
    let mut lanes = PairLanes::<3, 6>::default();
    lanes.renew(&Build { u_free, sets, r: &r, asked, instructions }, w);
    for sweep in 0..3 * LOOKS_BETWEEN_RAISES {
        let project = sweep % 3 == 2;
        let options = PassOptions { momentum: true, beta: 0.8, project, relaxation: 1.0, drawn: None };
        lanes.pass(options, sweep % 2 == 0);
        let own = lanes.judge().unwrap();
        lanes.take(&mut r);
        let [own, known] = [own, residual(&problem, &problem.velocities(&r), &r)].map(|found| found.relative);
        assert!((own - known).abs() <= 1e-12 * (1.0 + known), "sweep {sweep}: {own} {known}");
    }
}

/// Scaled impulses are those that would have been put there, and the momentum goes on from the ones before,
/// scaled as well.
#[test]
fn scaled_impulses_go_on_as_if_they_had_been_there() {
    let problem = lattice(if cfg!(miri) { 24 } else { 300 }, 1);
    let Problem { w, u_free, sets } = &problem;
    let (asked, instructions) = (asked_impulse(&problem), Instructions::plain());
    let mut r = vec![Vector::zeros(); problem.contacts()];
    let mut lanes = PairLanes::<3, 6>::default();
    lanes.renew(&Build { u_free, sets, r: &r, asked, instructions }, w);
    let ahead = PassOptions { momentum: true, beta: 0.8, project: false, relaxation: 1.0, drawn: None };
    (0..5).for_each(|_| {
        lanes.pass(ahead, true);
    });
    lanes.take(&mut r);
    let factors: Vec<f64> = (0..r.len()).map(|alpha| 0.5 + (alpha % 7) as f64 / 5.0).collect();
    assert!(lanes.scale(&factors));
    let scaled: Vec<_> = r.iter().zip(&factors).map(|(r, factor)| r * *factor).collect();
    let mut found = r.clone();
    lanes.take(&mut found);
    assert!(found == scaled);
    let [own, known] = [lanes.judge().unwrap(), residual(&problem, &problem.velocities(&scaled), &scaled)]
        .map(|at| at.relative);
    assert!((own - known).abs() < 1e-9 * known, "{own} {known}");
    // lines and impulses are extrapolated alike: what a look says after it is what the impulses alone say
    lanes.pass(ahead, true);
    let own = lanes.judge().unwrap().relative;
    lanes.take(&mut found);
    let known = residual(&problem, &problem.velocities(&found), &found).relative;
    assert!((own - known).abs() < 1e-9 * known, "{own} {known}");
}

/// Contacts that give way by themselves, each in its own manner, in lanes and alone: a look knows what the
/// impulses alone say, and the sweeps come to the solution.
#[test]
fn contacts_may_give_way_by_themselves() {
    let mut problem = lattice(if cfg!(miri) { 24 } else { 300 }, 1);
    let contacts = problem.contacts();
    let typical = (0..contacts).map(|alpha| problem.w.block(alpha).trace()).fold(0.0, f64::max);
    let own = |alpha: usize| match alpha % 4 {
        0 => Vector::zeros(),
        1 => Vector::from([2.0, 0.0, 0.0]),
        2 => Vector::from([0.0, 0.3, 0.5]),
        _ => Vector::repeat(10.0),
    };
    problem.w = problem.w.with_compliance((0..contacts).map(|alpha| own(alpha) * typical).collect());
    problem.sets[7] = Set::Tresca { cap: 0.1 };
    let Problem { w, u_free, sets } = &problem;
    let (asked, instructions) = (asked_impulse(&problem), Instructions::plain());
    let mut r = vec![Vector::zeros(); contacts];
    let mut lanes = PairLanes::<3, 6>::default();
    lanes.renew(&Build { u_free, sets, r: &r, asked, instructions }, w);
    let mut known = f64::INFINITY;
    for sweep in 0..if cfg!(miri) { 20 } else { 3000 } {
        let (momentum, project) = (sweep % 2 == 0, sweep % 4 == 0);
        let drawn = (sweep % 7 == 3 && !momentum).then_some(sweep);
        lanes.pass(PassOptions { momentum, beta: 0.3, project, relaxation: 1.0, drawn }, sweep % 3 == 0);
        if sweep % 20 == 19 {
            let own = lanes.judge().unwrap().relative;
            lanes.take(&mut r);
            known = residual(&problem, &problem.velocities(&r), &r).relative;
            assert!((own - known).abs() <= 1e-11 * (1.0 + known), "sweep {sweep}: {own} {known}");
            if known < 1e-10 {
                break;
            }
        }
    }
    assert!(cfg!(miri) || known < 1e-10, "{known}");
    // another problem in the same memory gives way no more
    let rigid = lattice(if cfg!(miri) { 24 } else { 300 }, 1);
    let asked = asked_impulse(&rigid);
    lanes.renew(&Build { u_free: &rigid.u_free, sets: &rigid.sets, r: &r, asked, instructions }, &rigid.w);
    let [own, known] =
        [lanes.judge().unwrap(), residual(&rigid, &rigid.velocities(&r), &r)].map(|found| found.relative);
    assert!((own - known).abs() < 1e-9 * known, "{own} {known}");
}

/// The lattice whose contacts also resist rolling and twisting: turns of the bodies are their moments.
fn rolling(contacts: usize) -> Problem<6, Condensed<6>> {
    let Problem { w, u_free, .. } = lattice(contacts, 1);
    let wide = |side: usize, h: &[[f64; 3]]| {
        let sign = [1.0, -1.0][side];
        let column = |(k, h): (usize, &[f64; 3])| {
            std::array::from_fn(|i| if i < 3 { h[i] } else { sign * f64::from(u8::from(k == i)) })
        };
        Columns::from_slice(&h.iter().enumerate().map(column).collect::<Vec<[f64; 6]>>())
    };
    let row = |row: Row<3>| PairRow { bodies: row.bodies, h: [0, 1].map(|side| wide(side, row.h[side])) };
    let rows: Vec<PairRow<6>> = w.pairs().map(row).collect();
    let u_free = u_free.iter().map(|u| Vector::from([u[0], u[1], u[2], 0.0, 0.0, 0.0])).collect();
    let sets = vec![Set::Rolling { mu: 0.5, rolling: 0.1, twisting: Some(0.05), sliding: 2 }; rows.len()];
    Problem { w: Condensed::new(&rows, w.bodies().clone()), u_free, sets }
}

/// Impulses after some sweeps over contacts with moments, on so many threads, and what a look then says.
fn swept_with_moments(
    problem: &Problem<6, Condensed<6>>,
    threads: usize,
    sweeps: u32,
) -> (Vec<Vector<6>>, f64) {
    let Problem { w, u_free, sets } = problem;
    let (asked, instructions) = (asked_impulse(problem), Instructions::plain());
    let mut r = vec![Vector::zeros(); problem.contacts()];
    let mut lanes = PairLanes::<6, 6>::default();
    lanes.renew(&Build { u_free, sets, r: &r, asked, instructions }, w);
    lanes.parallel = threads > 1;
    lanes.team = (threads > 1).then(|| Team::new(threads));
    for sweep in 0..sweeps {
        let drawn = (sweep % 5 == 4).then_some(sweep);
        let momentum = drawn.is_none();
        lanes.pass(PassOptions { momentum, beta: 0.3, project: true, relaxation: 1.0, drawn }, true);
    }
    let own = lanes.judge().unwrap().relative;
    lanes.take(&mut r);
    (r, own)
}

/// Contacts with moments are solved one by one in tiles: the same bits on any number of threads.
#[test]
fn contacts_with_moments_are_swept_on_all_threads() {
    let problem = rolling(if cfg!(miri) { 24 } else { 3000 });
    let few = if cfg!(miri) { 3 } else { 12 };
    assert!(swept_with_moments(&problem, 1, few) == swept_with_moments(&problem, 3, few), "other bits");
}

/// Looks know what the impulses alone say, and the sweeps come to the solution.
#[test]
fn contacts_with_moments_are_solved() {
    let problem = rolling(if cfg!(miri) { 12 } else { 90 });
    let (r, own) = swept_with_moments(&problem, 1, if cfg!(miri) { 3 } else { 3000 });
    let known = residual(&problem, &problem.velocities(&r), &r).relative;
    assert!((own - known).abs() <= 1e-10 * (1.0 + known), "{own} {known}");
    assert!(cfg!(miri) || known < 1e-6, "{known}");
}
