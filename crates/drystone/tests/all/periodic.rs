//! Motion in a periodic cell: the seam is nowhere.

use crate::common::*;
use drystone::*;

fn cell<const D: usize>(periods: [Option<f64>; 2]) -> Option<Cell<D>> {
    Some(Cell::new(Vector::zeros(), periods).expect("a cell"))
}

/// Numbers between -1 and 1, the same ones for the same index.
fn noise(index: usize) -> f64 {
    2.0 * (index as f64 * 0.754_877_666).fract() - 1.0
}

/// Disks and rectangles in a cell 1 m wide, all of them `shift` further along x.
fn heap(shift: f64, ground: bool) -> Simulation<2> {
    let mut b = Builder::<2>::new(2e-3);
    b.settings.cell = cell([Some(1.0), None]);
    b.settings.gravity = if ground { Vector::<2>::new(2.0, -G) } else { Vector::zeros() };
    if ground {
        b.ground();
    }
    for k in 0..60 {
        let place =
            Vector::<2>::new((k % 6) as f64 / 6.0 + 0.01 * noise(k) + shift, 0.08 + 0.14 * (k / 6) as f64);
        let velocity = Vector::<3>::new(noise(3 * k), noise(3 * k + 1), 5.0 * noise(3 * k + 2));
        if k % 3 == 0 {
            b.add(rectangle([0.1, 0.07]), Pose::at(place), velocity.into(), false);
        } else {
            b.ball(0.05 + 0.02 * noise(k), place, velocity.into());
        }
    }
    b.build(Restitution { normal: 0.3, tangential: 0.0, friction: 0.5 })
}

#[test]
fn a_run_does_not_know_where_the_seam_is() {
    let shifts = [0.0, 0.5, -7.123];
    let mut runs = shifts.map(|shift| heap(shift, true));
    let (mut contacts, mut crossed) = (0, 0);
    for _ in 0..190 {
        let counts = runs.each_mut().map(|run| run.step().contacts);
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
        contacts += counts[0];
        crossed += runs[0].interactions().iter().filter(|contact| contact.id.image != [0; 2]).count();
    }
    assert!(contacts > 1500 && crossed > 150, "{contacts} {crossed}");
    for (run, shift) in runs.iter().zip(shifts).skip(1) {
        for (pose, other) in runs[0].bodies().pose.iter().zip(&run.bodies().pose).skip(1) {
            let moved = other.position - pose.position - Vector::<2>::new(shift, 0.0);
            assert!(moved.norm() < 1e-7, "{moved}");
        }
    }
    // the work of gravity along x does not jump where a body goes through the seam
    assert!(runs[0].energy().balance_error < 1e-9, "{:?}", runs[0].energy());
}

#[test]
fn the_seam_gives_no_impulse() {
    let mut s = heap(0.3, false);
    let momentum = |s: &Simulation<2>| {
        let bodies = s.bodies();
        let parts = || bodies.velocity.iter().zip(&bodies.mass).map(|(v, m)| m.component_mul(v));
        let size: f64 = parts().map(|p| p.linear().norm()).sum();
        (parts().map(|p| Vector::<2>::new(p[0], p[1])).sum::<Vector<2>>(), size)
    };
    let (mut before, _) = momentum(&s);
    let mut pushed = 0;
    for _ in 0..300 {
        pushed += s.step().active;
        let (after, size) = momentum(&s);
        assert!((after - before).norm() < 1e-12 * size, "{}", (after - before).norm() / size);
        before = after;
    }
    assert!(pushed > 150, "{pushed}");
}

#[test]
fn balls_in_space_meet_across_both_seams() {
    let mut b = Builder::<3>::new(1e-3);
    b.settings.gravity = Vector::zeros();
    b.settings.cell = cell([Some(1.0), Some(2.0)]);
    let mut velocity = PerDof::zeros();
    velocity[0] = 3.0;
    velocity[1] = 3.0;
    b.ball(0.1, Vector::<3>::new(0.5, 1.5, 0.0), velocity);
    b.ball(0.1, Vector::<3>::new(0.1, 0.1, 0.0), PerDof::zeros());
    let mut s = b.build(Restitution { normal: 1.0, tangential: 0.0, friction: 0.0 });
    for _ in 0..400 {
        s.step();
    }
    let v = [0, 1].map(|body| s.bodies().twist(body));
    assert!(v[0].norm() < 1e-12 && (v[1] - velocity).norm() < 1e-12, "{} {}", v[0], v[1]);
}

/// Glued bodies that a drive takes round the cell several times stay glued, and go on to the same bits from a
/// snapshot.
#[test]
fn a_bond_goes_through_the_seam() {
    let build = || {
        let mut b = Builder::<2>::new(5e-3);
        b.settings.cell = cell([Some(0.7), None]);
        b.add(rectangle([0.2, 0.1]), Pose::at(Vector::<2>::new(0.6, 1.0)), PerDof::zeros(), true);
        b.bodies.velocity[0][0] = 2.0;
        b.bodies.driven[0][0] = Some(2.0);
        // the image nearest to it is one period back
        b.add(
            rectangle([0.2, 0.1]),
            Pose::at(Vector::<2>::new(0.65 + 0.7, 0.9)),
            Vector::<3>::new(2.0, 0.0, 0.0).into(),
            false,
        );
        b.build(MohrCoulomb {
            friction: 0.5,
            normal_force: 1e4,
            tangential_force: 1e4,
            normal_stress: 0.0,
            tangential_stress: 0.0,
            share: 1.0,
        })
    };
    let mut s = build();
    for _ in 0..400 {
        s.step();
        assert!(s.interactions().iter().all(|contact| contact.id.image == [-1, 0]));
        assert_eq!(s.interactions().len(), 2);
    }
    let hanging = s.bodies().pose[1].position - s.bodies().pose[0].position;
    assert!((hanging - Vector::<2>::new(0.75, -0.1)).norm() < 1e-9, "{hanging}");
    let mut again = build();
    again.restore(s.snapshot()).unwrap();
    for _ in 0..20 {
        s.step();
        again.step();
    }
    assert_eq!(s.state_hash(), again.state_hash());
}

#[test]
fn bodies_that_do_not_fit_are_refused() {
    let build = |shape: Shape<2>, fixed: bool| {
        let mut b = Builder::<2>::new(1e-3);
        b.settings.cell = cell([Some(1.0), None]);
        b.add(shape, Pose::identity(), PerDof::zeros(), fixed);
        let laws = Laws::new(1);
        Simulation::new(b.settings, b.bodies, b.contactors, laws).map(|_| ())
    };
    assert!(build(rectangle([0.7, 0.7]), false).is_ok());
    assert!(matches!(build(rectangle([0.8, 0.8]), false), Err(BuildError::Cell { .. })));
    assert!(build(rectangle([1.0, 0.1]), true).is_ok());
    assert!(matches!(build(rectangle([1.1, 0.1]), true), Err(BuildError::Cell { .. })));
    assert!(build(Shape::HalfSpace, true).is_ok());
    assert!(matches!(build(Shape::HalfSpace, false), Err(BuildError::Cell { .. })));
}
