//! Deformable bodies that are not linear, in the world frame: stretches against the energies they follow
//! from, plastic squeezing against the return by hand, the linear step, impacts, the same bits again,
//! collapse.

use super::*;
use drystone_elements::law::{J2Plasticity, Logarithmic, MooneyRivlin, NeoHookean, SaintVenantKirchhoff};
use drystone_elements::mesh::cuboid_mesh;

fn bent<const D: usize>(mesh: Mesh<D>, law: Constitutive) -> CentredSolid<D> {
    let kinematics = if D == 2 { Kinematics::PlaneStrain { depth: 1.0 } } else { Kinematics::Space };
    centred(mesh, false, |mesh, _| {
        SolidModel::new(mesh, kinematics, law.clone(), DENSITY, SolidOptions::default())
    })
    .unwrap()
}

fn free<const D: usize>(solid: &CentredSolid<D>) -> SolidFrame {
    let dofs = solid.model.dofs();
    SolidFrame::World { supports: Supports::none(dofs), drive: vec![0.0; dofs] }
}

/// How long a body is along an axis, over how long it was.
fn stretch<const D: usize>(s: &Simulation<D>, BodyId(body): BodyId, axis: usize) -> f64 {
    let (model, state) = (s.solids().model(body as usize).unwrap(), s.solids().state(body as usize).unwrap());
    let nodes = model.mesh().nodes().iter().enumerate();
    let places = nodes.map(|(k, x)| (x[axis], x[axis] + state.displacement[k * D + axis]));
    let ends = places.fold([f64::INFINITY, -f64::INFINITY, f64::INFINITY, -f64::INFINITY], |e, (x, y)| {
        [e[0].min(x), e[1].max(x), e[2].min(y), e[3].max(y)]
    });
    (ends[3] - ends[2]) / (ends[1] - ends[0])
}

/// Where an increasing function is zero.
fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// An energy of two principal stretches.
type Energy<'a> = &'a dyn Fn(f64, f64) -> f64;

/// The stretches across and along in plane strain under a pressure of the reference area, from an energy of
/// the principal stretches alone.
fn squeezed(psi: Energy, pressure: f64) -> (f64, f64) {
    let d = 1e-5;
    let slope = |x: f64, y: f64, dx: f64, dy: f64| {
        let at = |k: f64| psi(x + k * dx, y + k * dy);
        (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * d)
    };
    let across = |y: f64| root(0.5, 3.0, |x| slope(x, y, d, 0.0));
    let along = root(0.4, 1.0, |y| slope(across(y), y, 0.0, d) + pressure);
    (across(along), along)
}

#[test]
fn a_block_under_a_plate_is_squeezed_as_its_energy_says() {
    let (young, poisson): (f64, f64) = (1e6, 0.3);
    let (lambda, mu) = (young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), young / 2.6);
    let neo = move |x: f64, y: f64| {
        let ln = (x * y).ln();
        0.5 * mu * (x * x + y * y - 2.0 - 2.0 * ln) + 0.5 * lambda * ln * ln
    };
    let saint = move |x: f64, y: f64| {
        let (a, b) = (0.5 * (x * x - 1.0), 0.5 * (y * y - 1.0));
        0.5 * lambda * (a + b).powi(2) + mu * (a * a + b * b)
    };
    let (c10, c01, bulk) = (1.5e5, 4e4, 8e5);
    let mooney = move |x: f64, y: f64| {
        let (j, squares) = (x * y, [x * x, y * y, 1.0]);
        let i1: f64 = squares.iter().sum();
        let i2 = squares[0] * squares[1] + squares[1] + squares[0];
        c10 * (j.powf(-2.0 / 3.0) * i1 - 3.0)
            + c01 * (j.powf(-4.0 / 3.0) * i2 - 3.0)
            + 0.5 * bulk * (j - 1.0).powi(2)
    };
    let cases: [(Constitutive, Energy, f64); 3] = [
        (Constitutive::Finite(Arc::new(NeoHookean::new(young, poisson).unwrap())), &neo, 5e5),
        (Constitutive::Finite(Arc::new(SaintVenantKirchhoff::new(young, poisson).unwrap())), &saint, 1.5e5),
        (Constitutive::Finite(Arc::new(MooneyRivlin::new(c10, c01, bulk).unwrap())), &mooney, 4e5),
    ];
    for (law, psi, pressure) in cases {
        let block = bent(rectangle_mesh([0.2, 0.1], 0.05, ElementKind::Q4).unwrap(), law);
        let mut scene = SoftScene::new(2e-3);
        scene.rigid.settings.gravity = Vector::zeros();
        scene.rigid.settings.theta = 1.0;
        scene.rigid.settings.newton.tolerance = 1e-11;
        // a plate brought to rest exactly has not done the last of its work
        scene.rigid.settings.rest.rounding = 0.0;
        scene.rigid.ground();
        let plate = scene.rigid.add(
            rectangle([0.6, 0.1]),
            Pose::at(Vector::<2>::new(0.0, 0.15)),
            PerDof::zeros(),
            false,
        );
        let heavy = PerDof::<2>::from([4e-5 * pressure, 4e-5 * pressure, 1.0]);
        scene.rigid.bodies.mass[plate.0 as usize] = heavy;
        scene.rigid.bodies.inverse_mass[plate.0 as usize] = heavy.map(|m| 1.0 / m);
        // guided: on a block that nothing rubs a plate tilts
        for component in [0, 2] {
            scene.rigid.bodies.prescribe(plate.0 as usize, component, Some(0.0));
        }
        scene.rigid.bodies.load[plate.0 as usize][1] = -pressure * 0.2;
        let frame = free(&block);
        let at = Pose::at(Vector::<2>::new(0.0, 0.05));
        let soft = scene.add_loaded(&block, at, PerDof::zeros(), frame, None);
        let mut s = scene.build(0.0);
        let mut newton = 0;
        // backward Euler takes the swing of the plate away
        let steps = 150;
        for _ in 0..steps {
            let report = s.step();
            assert!(report.converged && !report.is_abandoned, "{:?}", s.take_failure());
            newton += report.newton;
        }
        let (across, along) = squeezed(psi, pressure);
        let found = [stretch(&s, soft, 0), stretch(&s, soft, 1)];
        assert!(along < 0.87, "{along}");
        assert!(
            (found[0] - across).abs() < 1e-7 && (found[1] - along).abs() < 1e-7,
            "{found:?} {across} {along}"
        );
        // old matrices serve
        assert!(newton < steps * 12, "{newton}");
        let energy = s.energy();
        assert!((energy.strain / (psi(across, along) * 0.02) - 1.0).abs() < 1e-6, "{energy:?}");
        assert!(energy.balance_error < 1e-10 && energy.plastic == 0.0, "{energy:?}");
    }
}

/// Uniaxial: Kirchhoff's stress τ = σ₀ + H p on the logarithmic strain −ln λ = τ / E + p; what is left is −p.
#[test]
fn a_plastic_cube_is_squeezed_and_stays_short() {
    let (young, start, hardening) = (1e7, 1e5, 1e6);
    let law = J2Plasticity::new(ElasticIsotropic::new(young, 0.3).unwrap(), start, hardening, 0.0).unwrap();
    let law = Constitutive::Finite(Arc::new(Logarithmic(law)));
    let cube = bent(cuboid_mesh([0.1, 0.1, 0.1], 0.05, ElementKind::H8).unwrap(), law);
    let mut scene = SoftScene::<3>::new(0.01);
    scene.rigid.settings.gravity = Vector::zeros();
    scene.rigid.settings.theta = 1.0;
    scene.rigid.ground();
    let place = Pose::at(Vector::<3>::new(0.0, 0.0, 0.12));
    let plate = scene.rigid.add(cuboid([0.3, 0.3, 0.04]), place, PerDof::zeros(), true);
    let frame = free(&cube);
    let at = Pose::at(Vector::<3>::new(0.0, 0.0, 0.05));
    let soft = scene.add_loaded(&cube, at, PerDof::zeros(), frame, None);
    let mut s = scene.build(0.0);
    let plate = s.handle(plate).unwrap();
    let mut go = |velocity: f64, steps: u32| {
        s.drive(plate, 2, velocity).unwrap();
        let mut force = 0.0;
        for _ in 0..steps {
            let report = s.step();
            assert!(report.converged && !report.is_abandoned, "{:?}", s.take_failure());
            let on_top = s.interactions().iter().filter(|contact| contact.point[2] > 0.03);
            force = on_top.map(|contact| contact.r[0] / s.settings().step).sum();
        }
        (force, stretch(&s, soft, 2), s.energy())
    };
    let (force, along, _) = go(-0.05, 40);
    assert!((along - 0.8).abs() < 1e-4, "{along}");
    // −ln λ = τ/E + (τ − σ₀)/H
    let tau = (-along.ln() + start / hardening) / (1.0 / young + 1.0 / hardening);
    let flowed = (tau - start) / hardening;
    assert!((force / (tau / along * 0.01) - 1.0).abs() < 1e-4, "{force} {tau}");
    let (force, along, energy) = go(0.05, 40);
    assert_eq!(force, 0.0);
    assert!((along / (-flowed).exp() - 1.0).abs() < 1e-4, "{along} {flowed}");
    // the flow of a step counts with the stress at its end, ½ H Δp² too much, over some 38 of the 40 steps
    let dissipated = (start * flowed + 0.5 * hardening * flowed * flowed / 38.0) * 1e-3;
    assert!((energy.plastic / dissipated - 1.0).abs() < 2e-3, "{energy:?}");
    assert!(energy.balance_error < 1e-10 && energy.viscosity == energy.plastic, "{energy:?}");
}

/// A law that could flow and does not, solved by Newton's method, against the linear step.
#[test]
fn newton_around_contacts_makes_the_steps_of_a_linear_body() {
    let elastic = ElasticIsotropic::new(1e6, 0.3).unwrap();
    let laws = [
        Constitutive::Small(Arc::new(elastic)),
        Constitutive::Small(Arc::new(J2Plasticity::new(elastic, 1e30, 0.0, 0.0).unwrap())),
    ];
    let runs = laws.map(|law| {
        let block = bent(rectangle_mesh([0.3, 0.1], 0.05, ElementKind::Q4).unwrap(), law);
        let left = &block.model.mesh().group("left").unwrap().nodes;
        let supports = Supports::none(block.model.dofs()).clamp::<2>(left);
        let frame = SolidFrame::World { supports, drive: vec![0.0; block.model.dofs()] };
        let mut scene = SoftScene::new(1e-3);
        scene.rigid.settings.newton.tolerance = 1e-12;
        let soft = scene.add_loaded(&block, Pose::identity(), PerDof::zeros(), frame, None);
        scene.rigid.ball(0.05, Vector::<2>::new(0.08, 0.11), [0.3, -2.0, 0.0].into());
        let mut s = scene.build(0.3);
        let mut met = 0.0;
        for _ in 0..40 {
            let report = s.step();
            assert!(report.newton <= 3, "{}", report.newton);
            met += s.interactions().iter().map(|contact| contact.r[0]).sum::<f64>();
        }
        assert!(met > 1e-3, "{met}");
        (s.solids().state(soft.0 as usize).unwrap().velocity.clone(), s.bodies().velocity[1].to_vec())
    });
    let [(linear, ball), (newton, other)] = runs;
    let off = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off(&linear, &newton) < 1e-8 && off(&ball, &other) < 1e-8, "{:e}", off(&linear, &newton));
}

/// A block of rubber thrown at the ground with a spin, a ball behind it.
fn thrown() -> Simulation<2> {
    let law = Constitutive::Finite(Arc::new(NeoHookean::new(1e5, 0.3).unwrap()));
    let block = bent(rectangle_mesh([0.2, 0.1], 0.05, ElementKind::Q4).unwrap(), law);
    let mut scene = SoftScene::new(1e-3);
    scene.rigid.settings.solver.tolerance = 1e-10;
    scene.rigid.ground();
    let frame = free(&block);
    let at = Pose::at(Vector::<2>::new(0.0, 0.13));
    scene.add_loaded(&block, at, [1.0, -3.0, 4.0].into(), frame, None);
    scene.rigid.ball(0.04, Vector::<2>::new(0.05, 0.3), [0.0, -3.0, 0.0].into());
    scene.build(0.4)
}

#[test]
fn rubber_thrown_at_the_ground_keeps_its_books_and_its_bits() {
    let mut s = thrown();
    let begin = s.energy().kinetic;
    let (mut largest, mut newton) = (0.0_f64, 0);
    for _ in 0..60 {
        newton += s.step().newton;
        largest = largest.max(s.energy().strain);
    }
    let kept = s.snapshot();
    for _ in 0..60 {
        newton += s.step().newton;
        largest = largest.max(s.energy().strain);
    }
    let energy = s.energy();
    assert!(energy.balance_error < 1e-10, "{energy:?}");
    assert!(largest > 0.05 * begin && newton > 200, "{largest} {begin} {newton}");
    // the scheme does not conserve large strains exactly
    assert!(energy.scheme.abs() < 0.02 * begin, "{energy:?}");
    let mut again = thrown();
    again.restore(kept).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    pool.install(|| {
        (0..60).for_each(|_| {
            again.step();
        })
    });
    assert_eq!(again.state_hash(), s.state_hash());
}

/// A plate goes through a block faster than it can be squeezed.
#[test]
fn a_collapsing_element_is_told_with_its_time_and_nothing_changes() {
    let law = Constitutive::Finite(Arc::new(SaintVenantKirchhoff::new(1e6, 0.3).unwrap()));
    let block = bent(rectangle_mesh([0.2, 0.1], 0.05, ElementKind::Q4).unwrap(), law);
    let mut scene = SoftScene::new(1e-3);
    scene.rigid.ground();
    let place = Pose::at(Vector::<2>::new(0.0, 0.15));
    let plate = scene.rigid.add(rectangle([0.6, 0.1]), place, PerDof::zeros(), true);
    let frame = free(&block);
    scene.add_loaded(&block, Pose::at(Vector::<2>::new(0.0, 0.05)), PerDof::zeros(), frame, None);
    let mut s = scene.build(0.0);
    let plate = s.handle(plate).unwrap();
    s.drive(plate, 1, -3.0).unwrap();
    let mut steps = 0;
    let mut before = s.state_hash();
    while !s.step().is_abandoned {
        (steps, before) = (steps + 1, s.state_hash());
        assert!(steps < 40, "it was squeezed to nothing");
    }
    assert!(steps > 3, "{steps}");
    let told = s.take_failure().unwrap().to_string();
    let time = format!("{}", s.time());
    assert!(told.contains("\"soft 0\"") && told.contains(&time), "{told}");
    assert!(told.contains("element") || told.contains("no equilibrium"), "{told}");
    assert_eq!((s.state_hash(), s.steps_done()), (before, steps));
    assert!(s.step().is_abandoned);
    assert_eq!(s.take_failure().unwrap().to_string(), told);
}

/// A block of rubber under a plate that comes down in one long step, and what the same way makes of it in
/// short ones.
#[test]
fn a_step_without_an_end_is_made_in_parts_and_told() {
    let squeeze = |step: f64, iterations: usize, halvings: u32| {
        let law = Constitutive::Finite(Arc::new(NeoHookean::new(1e6, 0.3).unwrap()));
        let block = bent(rectangle_mesh([0.2, 0.1], 0.05, ElementKind::Q4).unwrap(), law);
        let mut scene = SoftScene::new(step);
        scene.rigid.settings.gravity = Vector::zeros();
        scene.rigid.settings.theta = 1.0;
        scene.rigid.settings.newton.most_iterations = iterations;
        scene.rigid.settings.newton.most_halvings = halvings;
        scene.rigid.ground();
        let place = Pose::at(Vector::<2>::new(0.0, 0.15));
        let plate = scene.rigid.add(rectangle([0.6, 0.1]), place, PerDof::zeros(), true);
        let at = Pose::at(Vector::<2>::new(0.0, 0.05));
        let soft = scene.add_loaded(&block, at, PerDof::zeros(), free(&block), None);
        let mut s = scene.build(0.0);
        let plate = s.handle(plate).unwrap();
        // 0.04 m in 0.08 s, then it stands
        let down = |t: f64| if t < 0.0801 { -0.5 } else { 0.0 };
        s.drive(plate, 1, Signal::Formula(Arc::new(down))).unwrap();
        (s, soft)
    };
    let count = 4;
    let (mut s, soft) = squeeze(0.04, 5, 6);
    let mut parts = Vec::new();
    for _ in 0..count {
        let report = s.step();
        assert!(report.converged && !report.is_abandoned, "{:?}", s.take_failure());
        parts.push(report.parts);
    }
    assert!(parts.iter().any(|&parts| parts > 1), "{parts:?}");
    assert_eq!((s.steps_done(), s.time(), s.settings().step), (count, 0.16, 0.04));
    assert!(s.take_failure().is_none());
    assert!(s.energy().balance_error < 1e-10, "{:?}", s.energy());
    // where it is, and what presses, is what short steps give in the end
    let forces = |s: &Simulation<2>| -> f64 {
        s.interactions().iter().map(|contact| contact.r[0] / s.settings().step).sum()
    };
    let (mut fine, other) = squeeze(0.04 / 8.0, 40, 0);
    (0..8 * count).for_each(|_| assert_eq!(fine.step().parts, 1));
    assert!((stretch(&s, soft, 1) - 0.6).abs() < 1e-6, "{}", stretch(&s, soft, 1));
    let off = stretch(&s, soft, 0) / stretch(&fine, other, 0) - 1.0;
    assert!(off.abs() < 1e-3, "{off}");
    let ratio = forces(&s) / forces(&fine);
    assert!((ratio - 1.0).abs() < 1e-2, "{ratio}");
    // the same bits from a snapshot between steps
    let (mut first, _) = squeeze(0.04, 5, 6);
    first.step();
    let kept = first.snapshot();
    let (mut again, _) = squeeze(0.04, 5, 6);
    again.restore(kept).unwrap();
    (1..count).for_each(|_| {
        again.step();
    });
    assert_eq!(again.state_hash(), s.state_hash());
    // without halving it fails at once
    let (mut whole, _) = squeeze(0.04, 5, 0);
    let failed = (0..count).any(|_| whole.step().is_abandoned);
    assert!(failed && whole.take_failure().is_some());
}
