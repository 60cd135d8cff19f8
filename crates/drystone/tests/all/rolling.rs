//! Forces and moments of a contact as one local problem: against the set of five components alone, against
//! thresholds moved by hand, and against closed forms.

use crate::common::*;
use drystone::*;
use drystone_math::BlockRows;
use drystone_problem::Blocks;

#[test]
fn spans_give_the_cone_of_rolling_friction() {
    for (rolling, spin) in [(0.02, [3.0, -40.0, 0.0]), (0.3, [3.0, -40.0, 5.0]), (0.1, [0.0, 0.5, 0.0])] {
        let mut b = Builder::<3>::new(1e-2);
        b.ground();
        let velocity = PerDof::from([0.7, 0.2, -2.0, spin[0], spin[1], spin[2]]);
        b.ball(0.5, Vector::<3>::new(0.0, 0.0, 0.5), velocity);
        let law = Rolling { friction: 0.4, rolling, twisting: 0.0, normal: None, tangential: 0.0 };
        let mut s = b.build(law);
        // five components: those of the contact, and the last two of the branch
        let problem = s.problem();
        assert_eq!(problem.contacts(), 2);
        let place = |k: usize| if k < 3 { (0, k) } else { (1, k - 2) };
        let blocks = problem.w.assemble();
        let entry = |row: usize, column: usize| {
            let ((i, a), (j, b)) = (place(row), place(column));
            blocks.row(i).find(|(other, _)| *other == j).map_or(0.0, |(_, block)| block[(a, b)])
        };
        let w = Matrix::<5, 5>::from_fn(entry);
        let u_free = Vector::<5>::from_fn(|k, _| problem.u_free[place(k).0][place(k).1]);
        let whole = Problem {
            w: Blocks::new(BlockRows::from_triplets(1, vec![(0, 0, w)])),
            u_free: vec![u_free],
            sets: vec![Set::Rolling { mu: 0.4, rolling, twisting: None, sliding: 2 }],
        };
        let mut r = vec![Vector::<5>::zeros()];
        let params = SolverParams { tolerance: 1e-12, ..SolverParams::default() };
        assert!(drystone_solvers::solve(&whole, &mut r, &params, 0).converged);
        assert!(s.step().converged);
        let contact = &s.interactions()[0];
        let found = Vector::<5>::from_fn(|k, _| if k < 3 { contact.r[k] } else { contact.beside[0][k - 2] });
        assert!((found - r[0]).norm() < 1e-7 * r[0].norm(), "{rolling}: {found} {}", r[0]);
        assert!(found.rows_range(3..).norm() > 0.0);
    }
}

/// A disk of radius R comes down with a spin and sticks: with the normal impulse N = (1 + e) m v, friction T
/// and the moment M = ∓ρN, `v' = v_x + T/m`, `ω' = ω + (R T + M)/J`, `v' + R ω' = 0`.
#[test]
fn a_ball_that_bounces_resists_rolling() {
    let (radius, e, v, spin) = (0.5, 0.6, [0.7, -2.0], 4.0);
    for rolling in [0.0, 0.01, 0.03] {
        let mut b = Builder::<2>::new(1e-3);
        b.settings.gravity = Vector::zeros();
        b.ground();
        b.ball(radius, Vector::<2>::new(0.0, radius), Vector::<3>::new(v[0], v[1], spin).into());
        let mut s =
            b.build(Rolling { friction: 5.0, rolling, twisting: 0.0, normal: Some(e), tangential: 0.0 });
        let (m, j) = (s.bodies().mass[1][0], s.bodies().mass[1][2]);
        assert!(s.step().converged);
        let normal = (1.0 + e) * m * -v[1];
        let moment = -rolling * normal;
        let friction = -(v[0] + radius * (spin + moment / j)) / (1.0 / m + radius * radius / j);
        let expected =
            PerDof::from([v[0] + friction / m, -e * v[1], spin + (radius * friction + moment) / j]);
        // it still turns the way it did, so that the moment is at its threshold
        assert!(expected[2] > 0.0);
        let found = s.bodies().twist(1);
        // the contact is found half a step deep
        assert!((found - expected).norm() < 2e-2, "{rolling}: {found} {expected}");
        let beside = s.interactions()[0].beside[0][1];
        assert!((beside.abs() - rolling * s.interactions()[0].r[0]).abs() < 1e-8 * normal);
        assert!(s.energy().balance_error < 1e-12);
    }
}

/// A heap whose contacts press on each other: with spans as with thresholds that are moved by hand from solve
/// to solve (Dal Pont, Dimnet 2008), at whose fixed point the law holds as it stands.
#[test]
fn a_heap_comes_to_the_fixed_point_of_moving_thresholds() {
    let mut b = Builder::<3>::new(1e-3);
    b.ground();
    let (radius, up) = (0.5, 0.5 + (2.0_f64 / 3.0).sqrt());
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.5, 0.75_f64.sqrt()]];
    for [x, y] in corners {
        b.ball(radius, Vector::<3>::new(x, y, radius), PerDof::from([0.0, 0.0, -0.01, 0.3, -0.2, 0.8]));
    }
    let top = Vector::<3>::new(0.5, 0.75_f64.sqrt() / 3.0, up);
    b.ball(radius, top, PerDof::from([0.2, 0.1, -1.0, 2.0, -3.0, 5.0]));
    let (rolling, twisting) = (0.03, 0.01);
    let mut s = b.build(Rolling { friction: 0.4, rolling, twisting, normal: None, tangential: 0.0 });
    let mut problem = s.problem();
    let contacts = problem.contacts() / 3;
    let params = SolverParams { tolerance: 1e-12, ..SolverParams::default() };
    let mut r = vec![Vector::<3>::zeros(); problem.contacts()];
    for _ in 0..60 {
        assert!(drystone_solvers::solve(&problem, &mut r, &params, 0).converged);
        for contact in 0..contacts {
            for (branch, arm) in [rolling, twisting].into_iter().enumerate() {
                let cap = arm * r[contact][0];
                problem.sets[contacts + 2 * contact + branch] = Set::Tresca { cap };
            }
        }
    }
    let report = s.step();
    assert!(report.converged && contacts >= 6, "{report:?}");
    let (mut slipping, largest) = (0, r.iter().map(|r| r.norm()).fold(0.0, f64::max));
    for (index, contact) in s.interactions().iter().enumerate() {
        assert!((contact.r - r[index]).norm() < 1e-6 * largest, "{index}: {} {}", contact.r, r[index]);
        let [rolls, twists] = [0, 1].map(|branch| r[contacts + 2 * index + branch]);
        assert!((contact.beside[0] - rolls).norm() + (contact.beside[1] - twists).norm() < 1e-6 * largest);
        slipping += usize::from(twists[1].abs() > 0.999 * twisting * r[index][0] && r[index][0] > 0.0);
    }
    assert!(slipping > 0);
}
