//! Self-balanced networks with known thresholds of friction (Alart, Renouf 2018, §3).

use drystone_math::BlockRows;
use drystone_problem::{Blocks, Matrix, PairRow, Pairs, Problem, Set, Vector};
use drystone_solvers::existence::{Existence, critical_friction, existence, kernel_network};
use std::f64::consts::PI;

/// A disk in a corner, eq. 10: contact 1 with the floor, contact 2 with the wall that is pushed at `speed`.
fn corner(mu: f64, speed: f64) -> Problem<2, Blocks<2>> {
    let block = |a, b, c, d| Matrix::<2, 2>::new(a, b, c, d);
    let rows = BlockRows::from_triplets(
        2,
        vec![
            (0, 0, block(1.0, 0.0, 0.0, 3.0)),
            (0, 1, block(0.0, -1.0, 1.0, 2.0)),
            (1, 0, block(0.0, 1.0, -1.0, 2.0)),
            (1, 1, block(1.0, 0.0, 0.0, 3.0)),
        ],
    );
    let u_free = vec![Vector::<2>::zeros(), Vector::<2>::new(-speed, 0.0)];
    Problem { w: Blocks::new(rows), u_free, sets: vec![Set::Coulomb { mu }; 2] }
}

fn assert_close(network: &[Vector<2>], expected: &[[f64; 2]], tolerance: f64) {
    for (r, e) in network.iter().zip(expected) {
        assert!((r - Vector::<2>::new(e[0], e[1])).amax() < tolerance, "{network:?}");
    }
}

#[test]
fn disk_in_a_corner() {
    let kernel = [[1.0, -1.0], [1.0, 1.0]];
    let Ok(Existence::Inconsistent { network, power }) = existence(&corner(1.1, 0.3)) else {
        panic!("pushed: {:?}", existence(&corner(1.1, 0.3)));
    };
    assert_close(&network, &kernel, 1e-9);
    assert!((power + 0.3).abs() < 1e-9);
    // pulled, or with less friction than it takes
    assert_eq!(existence(&corner(1.1, -0.3)), Ok(Existence::Exists));
    assert_eq!(existence(&corner(0.8, 0.3)), Ok(Existence::Exists));
    // the network is there whatever the motion, and without motion there is nothing to be against
    assert_close(&kernel_network(&corner(1.1, 0.0)).unwrap().unwrap(), &kernel, 1e-9);
    assert_eq!(existence(&corner(1.1, 0.0)), Ok(Existence::Exists));
    assert_eq!(kernel_network(&corner(0.8, 0.0)), Ok(None));
    let factor = critical_friction(&corner(0.5, 0.0)).unwrap().unwrap();
    assert!((0.5 * factor - 1.0).abs() < 1e-6, "{factor}");
    // no friction to enlarge, no network
    assert_eq!(critical_friction(&corner(0.0, 0.0)), Ok(None));
}

/// Two disks in a box: disk 1 on the floor and the left wall, disk 2 above to the right on disk 1 and on the right
/// wall, which is pushed inwards at `speed`; `theta` is the slope of the line of centres.
fn two_disks(theta: f64, mu: [f64; 4], speed: f64) -> Problem<2, Pairs<2, 3>> {
    // u = v_candidate − v_antagonist at the contact, in the frame (n, t) with t = (n_y, −n_x); n towards the candidate
    let frame = |angle: f64| {
        let n = [angle.cos(), angle.sin()];
        [n, [n[1], -n[0]]]
    };
    // velocity of the point at `arm` from the centre: (v_x − ω a_y, v_y + ω a_x)
    let rows_of = |frame: [[f64; 2]; 2], arm: [f64; 2], sign: f64| {
        Matrix::<2, 3>::from_fn(|i, j| {
            let e = frame[i];
            sign * [e[0], e[1], e[1] * arm[0] - e[0] * arm[1]][j]
        })
    };
    // a disk of radius 1 touches at −n where it is the candidate, at +n where it is the antagonist
    let candidate = |angle: f64| rows_of(frame(angle), [-angle.cos(), -angle.sin()], 1.0);
    let antagonist = |angle: f64| rows_of(frame(angle), [angle.cos(), angle.sin()], -1.0);
    let wall = 2;
    let fixed = Matrix::<2, 3>::zeros();
    let rows = vec![
        PairRow { bodies: [0, wall], h: [candidate(PI / 2.0), fixed] },
        PairRow { bodies: [0, wall], h: [candidate(0.0), fixed] },
        PairRow { bodies: [1, 0], h: [candidate(theta), antagonist(theta)] },
        PairRow { bodies: [1, wall], h: [candidate(PI), fixed] },
    ];
    let disk = Vector::<3>::new(1.0, 1.0, 2.0);
    let w = Pairs::new(rows, vec![disk, disk, Vector::<3>::zeros()]);
    let mut u_free = vec![Vector::<2>::zeros(); 4];
    u_free[3][0] = -speed;
    Problem { w, u_free, sets: mu.map(|mu| Set::Coulomb { mu }).to_vec() }
}

#[test]
fn two_disks_in_a_box() {
    let theta = PI / 6.0;
    let critical = (theta / 2.0).tan();
    for (offset, jams) in [(1e-6, true), (-1e-6, false), (0.02, true), (-0.02, false)] {
        let mu = critical + offset;
        let problem = two_disks(theta, [1.3, mu, mu, mu], 0.1);
        let found = existence(&problem).unwrap();
        assert_eq!(matches!(found, Existence::Inconsistent { .. }), jams, "{offset} {found:?}");
        assert_eq!(kernel_network(&problem).unwrap().is_some(), jams, "{offset}");
        if let Existence::Inconsistent { network, power } = found {
            // self-balanced, inside the cones, against the motion
            let still = Problem { u_free: vec![Vector::<2>::zeros(); 4], ..problem.clone() };
            assert!(still.velocities(&network).iter().all(|u| u.amax() < 1e-12));
            for (r, set) in network.iter().zip(&problem.sets) {
                assert!((r - set.project(r)).norm() < 1e-8);
            }
            assert!(power < 0.0);
        }
        // pulled
        assert_eq!(existence(&two_disks(theta, [1.3, mu, mu, mu], -0.1)), Ok(Existence::Exists));
    }
    let factor =
        critical_friction(&two_disks(theta, [1.3, critical, critical, critical], 0.1)).unwrap().unwrap();
    assert!((factor - 1.0).abs() * critical < 1e-6, "{factor}");
}

/// A ball of radius 1 held by fixed obstacles with the given normals (towards the ball), which close at `speed`.
fn held_ball(normals: &[Vector<3>], mu: f64, speed: f64) -> Problem<3, Pairs<3, 6>> {
    let rows = normals
        .iter()
        .map(|n| {
            let t = Vector::<3>::new(n[1], -n[0], 0.0).normalize();
            let mut h = Matrix::<3, 6>::zeros();
            for (i, e) in [*n, t, n.cross(&t)].iter().enumerate() {
                // e·(v + ω × a), a = −n
                let spin = (-n).cross(e);
                for j in 0..3 {
                    h[(i, j)] = e[j];
                    h[(i, 3 + j)] = spin[j];
                }
            }
            PairRow { bodies: [0, 1], h: [h, Matrix::zeros()] }
        })
        .collect();
    let ball = Vector::<6>::new(1.0, 1.0, 1.0, 2.5, 2.5, 2.5);
    let u_free = vec![Vector::<3>::new(-speed, 0.0, 0.0); normals.len()];
    let sets = vec![Set::Coulomb { mu }; normals.len()];
    Problem { w: Pairs::new(rows, vec![ball, Vector::zeros()]), u_free, sets }
}

/// A ball in a wedge (two contacts) or a funnel (more) whose normals rise by β: held for `μ ≥ tan β`, squeezed out below.
/// For the funnel turn and average any network about the axis: it stays one, its forces are horizontal, and lean by
/// β from their normals. From three contacts on the networks have several dimensions.
#[test]
fn ball_in_a_funnel() {
    let funnel = |contacts: usize, beta: f64| -> Vec<Vector<3>> {
        (0..contacts)
            .map(|k| {
                let azimuth = 0.1 + 2.0 * PI * k as f64 / contacts as f64;
                Vector::<3>::new(beta.cos() * azimuth.cos(), beta.cos() * azimuth.sin(), beta.sin())
            })
            .collect()
    };
    let beta = 0.3_f64;
    for contacts in [2, 3, 5] {
        let normals = funnel(contacts, beta);
        for (offset, jams) in [(1e-6, true), (-1e-6, false), (0.1, true), (-0.1, false)] {
            let found = existence(&held_ball(&normals, beta.tan() + offset, 0.2)).unwrap();
            assert_eq!(
                matches!(found, Existence::Inconsistent { .. }),
                jams,
                "{contacts} {offset} {found:?}"
            );
        }
        let factor = critical_friction(&held_ball(&normals, 1.0, 0.2)).unwrap().unwrap();
        assert!((factor - beta.tan()).abs() < 1e-6, "{contacts} {factor}");
    }
    // parallel plates need no friction, and frictionless contacts have no tangent in the program
    let plates = funnel(2, 0.0);
    assert_eq!(critical_friction(&held_ball(&plates, 0.5, 0.2)), Ok(Some(0.0)));
    let Ok(Existence::Inconsistent { network, power }) = existence(&held_ball(&plates, 0.0, 0.2)) else {
        panic!("plates that close on a ball without friction");
    };
    assert!((network[0] - network[1]).norm() < 1e-12 && (power + 0.4).abs() < 1e-12);
    assert_eq!(existence(&held_ball(&plates, 0.0, -0.2)), Ok(Existence::Exists));
}

#[test]
fn empty_and_broken_problems() {
    let empty: Problem<3, Blocks<3>> = Problem { w: Blocks::default(), u_free: vec![], sets: vec![] };
    assert_eq!(existence(&empty), Ok(Existence::Exists));
    assert_eq!(kernel_network(&empty), Ok(None));
    assert_eq!(critical_friction(&empty), Ok(None));
    let mut broken = corner(1.1, 0.3);
    broken.u_free[1][0] = f64::NAN;
    assert!(existence(&broken).is_err());
    assert!(existence(&corner(f64::NAN, 0.3)).is_err());
    assert!(existence(&corner(f64::INFINITY, 0.3)).is_ok());
}
