//! Poisson's restitution: energy, a bouncing ball, a stack. Other exact cases are beside it.

use crate::common::*;
use drystone::*;

/// Numbers from −1 to 1 that repeat.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Boxes that stand on the ground and on each other and balls that lean on them, all touching, thrown at
/// random: energy over that before, after one step without loads. Three groups, so that laws may differ.
fn thrown<const D: usize>(
    dice: &mut Dice,
    shape: impl Fn() -> Shape<D>,
    law: impl Fn(f64) -> Box<dyn Law<D>>,
    alike: bool,
) -> f64 {
    let mut b = Builder::<D>::new(1e-9);
    b.settings.gravity = Vector::zeros();
    b.settings.solver.tolerance = 1e-10;
    let ground = b.ground();
    b.bodies.group[ground.0 as usize] = GroupId(2);
    for body in 0..3 {
        let velocity = PerDof::from_fn(|_| dice.roll());
        let mut place = Vector::<D>::zeros();
        // two boxes above each other, a ball beside the lower one
        place[D - 1] = if body == 1 { 1.5 } else { 0.5 };
        place[0] = if body == 2 { 1.0 } else { 0.4 * dice.roll() * f64::from(body) };
        let shape = if body == 2 { Shape::Ball { radius: 0.5 } } else { shape() };
        let id = b.add(shape, Pose::at(place), velocity, false);
        b.bodies.group[id.0 as usize] = GroupId(body % 2);
    }
    let mut laws = Laws::new(3);
    let common = dice.roll().abs();
    for (a, b) in [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2)] {
        laws.set(GroupId(a), GroupId(b), law(if alike { common } else { dice.roll().abs() })).unwrap();
    }
    let mut s = Simulation::new(b.settings, b.bodies, b.contactors, laws).expect("a sound scene");
    let before = s.energy().kinetic;
    let report = s.step();
    // what does not converge proves nothing
    if report.converged { s.energy().kinetic / before } else { 0.0 }
}

#[test]
fn poisson_never_gains_energy_where_moreau_does() {
    let mut dice = Dice(7);
    let (mut gained, mut most) = (0, 0.0_f64);
    let square = || rectangle([1.0, 1.0]);
    let cube = || cuboid([1.0, 1.0, 1.0]);
    // thousands where DRYSTONE_SLOW is set; space takes the longest
    let slow = std::env::var_os("DRYSTONE_SLOW").is_some();
    let (throws, of_space) = if slow { (3000, 1) } else { (600, 6) };
    for throw in 0..throws {
        let friction = 1.2 * dice.roll().abs();
        let moreau =
            |normal: f64| -> Box<dyn Law<2>> { Box::new(Restitution { normal, tangential: 0.0, friction }) };
        gained += u32::from(thrown::<2>(&mut dice, square, moreau, true) > 1.0 + 1e-6);
        let plane = |normal: f64| -> Box<dyn Law<2>> { Box::new(Poisson { normal, friction }) };
        most = most.max(thrown::<2>(&mut dice, square, plane, throw % 2 == 0));
        if throw % of_space == 0 {
            let space = |normal: f64| -> Box<dyn Law<3>> { Box::new(Poisson { normal, friction }) };
            most = most.max(thrown::<3>(&mut dice, cube, space, throw % (2 * of_space) == 0));
        }
    }
    assert!(most <= 1.0 + 1e-9 && most > 0.5, "{most}");
    assert!(gained > 0, "{gained}");
}

#[test]
fn a_ball_bounces_as_poisson_says_and_comes_to_rest() {
    // elastic: the energy stays; e = ½: each bounce leaves a quarter of it, and at last it rests
    for normal in [1.0, 0.5, 0.0] {
        let mut b = Builder::<2>::new(1e-3);
        b.ground();
        b.ball(0.1, Vector::<2>::new(0.0, 0.6), PerDof::zeros());
        let mut s = b.build(Poisson { normal, friction: 0.3 });
        let energy = |s: &Simulation<2>| {
            s.energy().kinetic + s.bodies().mass[1][0] * G * (s.bodies().pose[1].position[1] - 0.1)
        };
        let start = energy(&s);
        let mut back = f64::NAN;
        for step in 0..3000 {
            s.step();
            let velocity = s.bodies().velocity[1][1];
            if back.is_nan() && velocity > 0.0 {
                back = velocity;
            }
            assert!(energy(&s) <= start * (1.0 + 1e-12), "{normal}, {step}: {}", energy(&s) / start);
        }
        if normal == 1.0 {
            assert!(energy(&s) > 0.999 * start, "{}", energy(&s) / start);
        } else {
            assert!(s.bodies().twist(1).norm() < 1e-12, "{}", s.bodies().twist(1));
            assert!((s.bodies().pose[1].position[1] - 0.1).abs() < 5e-3);
        }
        if normal == 0.5 {
            assert!((back - 0.5 * (2.0 * G * 0.5f64).sqrt()).abs() < 0.02, "{back}");
        }
        assert!(s.energy().balance_error < 1e-10, "{:?}", s.energy());
    }
}

#[test]
fn a_stack_rests_on_poisson_contacts_and_says_so() {
    let mut b = Builder::<2>::new(1e-3);
    b.ground();
    for course in 0..3 {
        b.add(
            rectangle([1.0, 0.5]),
            Pose::at(Vector::<2>::new(0.0, 0.25 + 0.5 * f64::from(course))),
            PerDof::zeros(),
            false,
        );
    }
    // a ball comes down on it, and the stack is at rest again after it
    b.ball(0.1, Vector::<2>::new(0.1, 1.7), Vector::<3>::new(0.0, -1.0, 0.0).into());
    let mut s = b.build(Poisson { normal: 0.6, friction: 0.5 });
    for _ in 0..2000 {
        assert!(s.step().converged);
    }
    for body in 1..4 {
        assert!(s.bodies().twist(body).norm() < 1e-9, "{}", s.bodies().twist(body));
        assert!(s.bodies().pose[body].position[0].abs() < 1e-6);
    }
    assert!(s.interactions().iter().filter(|contact| contact.status == Status::Stick).count() >= 6);
}
