//! Moving thresholds against the set they stand for: the step with branches for the moments gives what the
//! solver gives for Coulomb's cone with rolling friction, five components at once.

mod common;
use common::*;
use drystone::*;
use drystone_math::BlockRows;
use drystone_problem::Blocks;

#[test]
fn thresholds_that_follow_give_the_cone_of_rolling_friction() {
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
            sets: vec![Set::Rolling { mu: 0.4, rolling, sliding: 2 }],
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
