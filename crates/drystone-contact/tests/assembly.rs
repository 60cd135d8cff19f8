//! The rows of a step, filled in place: against rows assembled one by one, and in memory that stays.

use drystone_contact::{Assembly, Detection, Laws, StepContext, Ties, assemble};
use drystone_detect::ContactPoint;
use drystone_geometry::{Contactor, Shape};
use drystone_laws::{Inelastic, Law, Restitution};
use drystone_math::{PerDof, Pose, Vector};
use drystone_problem::Delassus;
use drystone_state::{Bodies, Body, BodyId, GroupId, Gyroscopic};

/// Balls above a floor, every third one a little way above it, so many that several threads fill rows.
struct Scene {
    bodies: Bodies<3>,
    contactors: Vec<Contactor<3>>,
    laws: Laws<3>,
    ties: Ties<3>,
}

impl Scene {
    fn new(law: impl Law<3> + 'static) -> Self {
        let (mut bodies, mut contactors) = (Bodies::new(), Vec::new());
        let mut add = |shape: Shape<3>, position: Vector<3>, fixed: bool| {
            let number = bodies.len() as f64;
            let BodyId(body) = bodies.push(Body {
                name: String::new(),
                group: GroupId(0),
                pose: Pose::at(position),
                velocity: PerDof::from_fn(|i| if fixed { 0.0 } else { (number + i as f64).sin() }),
                mass: PerDof::from_fn(|i| 1.0 + i as f64),
                driven: PerDof::repeat(fixed.then_some(0.0)),
                load: PerDof::zeros(),
                gyroscopic: Gyroscopic::Omitted,
                radius: shape.bounding_radius(),
            });
            contactors.push(Contactor { body, shape, local: Pose::identity() });
        };
        add(Shape::HalfSpace, Vector::zeros(), true);
        for k in 0..1500 {
            let above = if k % 3 == 0 { 1e-3 } else { -1e-6 * k as f64 };
            let place = Vector::<3>::new((k % 40) as f64, (k / 40) as f64 * 1.1, 0.5 + above);
            add(Shape::Ball { radius: 0.5 }, place, false);
        }
        let mut laws = Laws::new(1);
        laws.set(GroupId(0), GroupId(0), Box::new(law)).unwrap();
        Self { bodies, contactors, laws, ties: Ties::default() }
    }

    fn step(&self) -> StepContext<'_, 3> {
        let Self { bodies, contactors, laws, ties } = self;
        StepContext { h: 1e-3, alert: 0.1, ..StepContext::standing(bodies, contactors, laws, ties, None) }
    }

    fn touches(&self) -> Vec<ContactPoint<3>> {
        Detection::new(None, 0.0).find(&self.step()).to_vec()
    }
}

/// Whether a row of one assembly is a row of another, to the last bit.
fn same(one: (&Assembly<3>, usize), two: (&Assembly<3>, usize)) -> bool {
    let row = |(of, row): (&Assembly<3>, usize)| {
        let (contact, problem) = (&of.interactions[row], &of.problem);
        let law = (contact.id, contact.u_begin, contact.gap, contact.r);
        (law, problem.w.pair(row).to_pair(), problem.w.block(row), problem.u_free[row], problem.sets[row])
    };
    row(one) == row(two)
}

#[test]
fn touches_at_which_no_law_acts_leave_no_gap() {
    let scene = Scene::new(Restitution { normal: 0.5, tangential: 0.0, friction: 0.3 });
    let (step, touches) = (scene.step(), scene.touches());
    let all = assemble(&step, &touches);
    let mut contact = 0;
    for touch in &touches {
        let alone = assemble(&step, std::slice::from_ref(touch));
        assert!(alone.problem.contacts() <= 1);
        if alone.problem.contacts() == 1 {
            assert!(same((&all, contact), (&alone, 0)), "{contact}");
            contact += 1;
        }
    }
    assert_eq!(contact, all.problem.contacts());
    assert!(contact >= 1000 && contact + 400 < touches.len(), "{contact} of {}", touches.len());
}

#[test]
fn a_step_is_assembled_in_the_memory_of_the_last_one() {
    let scene = Scene::new(Inelastic { friction: 0.3 });
    let (step, touches) = (scene.step(), scene.touches());
    let mut assembly = Assembly::default();
    let places = |assembly: &Assembly<3>| {
        let problem = &assembly.problem;
        let columns = problem.w.pair(0).h[0].as_ptr() as usize;
        let arrays = (problem.u_free.as_ptr() as usize, problem.sets.as_ptr() as usize);
        (assembly.interactions.as_ptr() as usize, columns, arrays)
    };
    assembly.fill(&step, &touches, None);
    let first = places(&assembly);
    // fewer in between
    assembly.fill(&step, &touches[700..], None);
    assembly.fill(&step, &touches, None);
    assert_eq!(places(&assembly), first);
    let fresh = assemble(&step, &touches);
    assert_eq!(fresh.problem.contacts(), touches.len());
    assert!((0..touches.len()).all(|contact| same((&assembly, contact), (&fresh, contact))));
}
