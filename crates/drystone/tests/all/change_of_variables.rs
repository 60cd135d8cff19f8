//! Every part of a change of variables against its definition: what the simulation shows of a contact are the
//! impulse and the velocity of the bodies, not those of the set the solver saw.

use crate::common::*;
use drystone::*;

/// A law with every part a change can have, and a branch beside it.
#[derive(Debug)]
struct Anything {
    parallel: bool,
}

impl Anything {
    fn first<const D: usize>(&self) -> Change<D> {
        let mut change = Change::new(Set::Coulomb { mu: 0.4 });
        change.shift = Vector::from_fn(|i, _| 0.01 * (i as f64 + 1.0));
        change.compliance = Vector::from_fn(|i, _| 0.3 / (i as f64 + 1.0));
        change.impulse = Vector::from_fn(|i, _| if i == 0 { 0.05 } else { 0.01 });
        change
    }

    fn second<const D: usize>(&self) -> Change<D> {
        let mut change = Change::new(Set::Bilateral { rows: D });
        change.compliance = Vector::repeat(0.7);
        change.shift = Vector::from_fn(|i, _| -0.02 * (i as f64 - 0.5));
        change
    }
}

impl<const D: usize> Law<D> for Anything {
    fn change(&self, _: &Approach<D>) -> Option<Change<D>> {
        Some(self.first())
    }

    fn beside(&self, _: &Approach<D>) -> [Option<Change<D>>; BRANCHES] {
        [self.parallel.then(|| self.second()), None]
    }
}

fn boxes(parallel: bool) -> Simulation<3> {
    let mut b = Builder::<3>::new(1e-2);
    // no correction of overlaps adds to what the law says
    b.settings.drift = Drift::None;
    b.ground();
    for k in 0..3 {
        let velocity = PerDof::from_fn(|i| 0.3 * (i as f64 - 1.5) * (k as f64 - 1.0));
        let position = Vector::<3>::new(0.01 * k as f64, 0.0, 0.25 + 0.5 * k as f64);
        b.add(cuboid([1.0, 0.8, 0.5]), Pose::at(position), velocity, false);
    }
    b.build(Anything { parallel })
}

#[test]
fn impulses_and_velocities_shown_are_those_of_the_bodies() {
    for parallel in [false, true] {
        let law = Anything { parallel };
        let mut s = boxes(parallel);
        let mut pulled = false;
        for step in 0..20 {
            let problem = s.problem();
            let before = s.bodies().velocity.clone();
            let report = s.step();
            assert!(report.converged, "step {step}: {report:?}");
            let bodies = s.bodies();
            let mut momentum: Vec<Vector<3>> = vec![Vector::zeros(); bodies.len()];
            for (alpha, contact) in s.interactions().iter().enumerate() {
                // the velocity is that of the bodies
                let row = problem.w.pair(alpha).to_pair();
                let [a, b] = row.bodies.map(|body| body as usize);
                let u = row.h[0].times(&bodies.velocity[a]) + row.h[1].times(&bodies.velocity[b]);
                assert!((u - contact.u).norm() < 1e-12, "step {step}, contact {alpha}");
                // the first branch satisfies its set in the changed variables
                let change = law.first::<3>();
                let own = contact.r - contact.beside[0];
                let u_set = u + change.compliance.component_mul(&own) + change.shift;
                let error = change.set.natural_map(1.0, &u_set, &(own + change.impulse)).norm();
                assert!(error < 1e-9, "step {step}, contact {alpha}: {error}");
                if parallel {
                    let change = law.second::<3>();
                    let held = u + change.compliance.component_mul(&contact.beside[0]) + change.shift;
                    assert!(held.norm() < 1e-9, "step {step}, contact {alpha}: {held}");
                }
                pulled |= contact.r[0] < 0.0;
                momentum[a] += contact.frame * contact.r;
                momentum[b] -= contact.frame * contact.r;
            }
            for (body, momentum) in momentum.iter().enumerate().skip(1) {
                let weight = Vector::<3>::new(0.0, 0.0, -G * 1e-2);
                let jump = (bodies.twist(body) - &before[body]).linear();
                let expected = (jump - weight) * bodies.mass[body][0];
                assert!((momentum - expected).norm() < 1e-12, "step {step}, body {body}");
            }
            assert!(s.energy().balance_error < 1e-12, "step {step}: {:?}", s.energy());
        }
        assert!(pulled, "nothing was pulled");
    }
}

#[test]
fn the_problem_shown_is_the_one_solved_and_memory_survives_a_snapshot() {
    let mut s = boxes(true);
    for _ in 0..5 {
        s.step();
    }
    let saved = s.snapshot();
    let problem = s.problem();
    assert!(problem.w.is_compliant() && problem.contacts() == 2 * s.interactions().len());
    s.step();
    let hash = s.state_hash();
    let law = Anything { parallel: true };
    let first =
        s.interactions().iter().map(|contact| contact.r - contact.beside[0] + law.first::<3>().impulse);
    let second = s.interactions().iter().map(|contact| contact.beside[0]);
    let r: Vec<Vector<3>> = first.chain(second).collect();
    let u = problem.velocities(&r);
    let error = drystone_problem::residual(&problem, &u, &r).relative;
    assert!(error < 1e-9, "{error}");
    let mut other = boxes(true);
    other.restore(saved).expect("the same scene");
    other.step();
    assert_eq!(other.state_hash(), hash);
}

#[test]
fn a_snapshot_of_other_bodies_is_refused() {
    let mut s = boxes(false);
    let mut saved = s.snapshot();
    saved.poses.pop();
    assert!(matches!(s.restore(saved), Err(BuildError::OtherSimulation { .. })));
    let mut saved = s.snapshot();
    saved.velocities = saved.velocities.iter().map(|velocity| &velocity[..3]).collect();
    assert!(matches!(s.restore(saved), Err(BuildError::OtherFreedoms { .. })));
    let saved = s.snapshot();
    assert!(s.restore(saved).is_ok());
}
