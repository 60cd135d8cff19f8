//! Deformable bodies in the step against closed forms: impact of a bar, Hertz, contact patch test, rigid
//! motion, energy, the same bits again.

mod large;
mod own;
mod space;
mod statics;
mod tied;
mod whole;

use crate::common::*;
use drystone::*;
use drystone_elements::element::ElementKind;
use drystone_elements::law::{ElasticIsotropic, KelvinVoigt};
use drystone_elements::mesh::{Mesh, disk_mesh, rectangle_mesh};
use drystone_elements::model::{Constitutive, Kinematics, SolidModel, SolidOptions};
use drystone_elements::scheme::Supports;
use std::sync::Arc;

pub const DENSITY: f64 = 1000.0;

pub fn solid<const D: usize>(mesh: Mesh<D>, young: f64, poisson: f64, delay: f64) -> CentredSolid<D> {
    let elastic = ElasticIsotropic::new(young, poisson).unwrap();
    let law = match delay > 0.0 {
        true => Constitutive::Small(Arc::new(KelvinVoigt::new(elastic, delay).unwrap())),
        false => Constitutive::Small(Arc::new(elastic)),
    };
    let kinematics = if D == 2 { Kinematics::PlaneStrain { depth: 1.0 } } else { Kinematics::Space };
    centred(mesh, true, |mesh, _| {
        SolidModel::new(mesh, kinematics, law.clone(), DENSITY, SolidOptions::default())
    })
    .unwrap()
}

/// A scene with deformable bodies.
pub struct SoftScene<const D: usize> {
    pub rigid: Builder<D>,
    pub specs: Vec<DeformableSpec<D>>,
}

impl<const D: usize> SoftScene<D> {
    pub fn new(step: f64) -> Self {
        Self { rigid: Builder::new(step), specs: Vec::new() }
    }

    pub fn add(&mut self, solid: &CentredSolid<D>, pose: Pose<D>, velocity: PerDof<D>) -> BodyId {
        self.add_loaded(solid, pose, velocity, SolidFrame::Floating, None)
    }

    pub fn add_loaded(
        &mut self,
        solid: &CentredSolid<D>,
        pose: Pose<D>,
        velocity: PerDof<D>,
        frame: SolidFrame,
        load: Option<SolidLoad<D>>,
    ) -> BodyId {
        let name = format!("soft {}", self.specs.len());
        let body = Deformable {
            name,
            group: GroupId(0),
            solid: solid.clone(),
            pose,
            velocity,
            frame,
            load,
            driven: Vec::new(),
            inertia: Default::default(),
            self_contact: false,
        };
        let spec = body.enter(&mut self.rigid.bodies, &mut self.rigid.contactors).unwrap();
        let id = BodyId(spec.body);
        self.specs.push(spec);
        id
    }

    pub fn build(self, friction: f64) -> Simulation<D> {
        self.rigid.build(Inelastic { friction }).with_solids(self.specs).unwrap()
    }
}

/// A bar of 50 elements falls on a wall: it stays for 2L/c under ρcV and leaves with nearly its speed; one
/// node's mass is lost to the shock.
#[test]
fn a_bar_on_a_wall_stays_for_the_time_of_a_wave() {
    let (n, length, speed) = (50, 1.0, 0.1);
    let wave = (1e7f64 / DENSITY).sqrt();
    let size = length / n as f64;
    let bar = solid(rectangle_mesh([size, length], size, ElementKind::Q4).unwrap(), 1e7, 0.0, 0.0);
    let mut scene = SoftScene::new(size / wave);
    scene.rigid.settings.gravity = Vector::zeros();
    scene.rigid.ground();
    scene.add(&bar, Pose::at(Vector::<2>::new(0.0, 0.5 * length)), [0.0, -speed, 0.0].into());
    let mut s = scene.build(0.0);
    let (mut touching, mut pressures) = (0, Vec::new());
    for step in 0..160 {
        s.step();
        if let Some(contact) = s.interactions().iter().find(|contact| contact.r[0] > 0.0) {
            touching += 1;
            if (20..80).contains(&step) {
                pressures.push(contact.r[0] / s.settings().step / contact.area);
            }
        }
    }
    let time = touching as f64 * s.settings().step / (2.0 * length / wave);
    assert!((time - 1.0).abs() < 0.03, "contact time {time}");
    let mean = pressures.iter().sum::<f64>() / pressures.len() as f64 / (DENSITY * wave * speed);
    assert!((mean - 1.0).abs() < 2e-3, "pressure {mean}");
    let back = s.bodies().velocity[1][1] / speed;
    assert!((back - 0.978).abs() < 0.01, "restitution {back}");
    let energy = s.energy();
    let whole = 0.5 * DENSITY * size * length * speed * speed;
    let left = (energy.kinetic + energy.strain) / whole;
    assert!((left - 0.988).abs() < 0.01, "energy {left}");
    assert!(energy.balance_error < 1e-10, "{energy:?}");
}

/// The pressure on a group of faces of a body.
pub fn pressure<const D: usize>(solid: &CentredSolid<D>, group: &str, pressure: f64) -> SolidLoad<D> {
    let mut following = vec![0.0; solid.model.dofs()];
    let faces = &solid.model.mesh().group(group).unwrap().faces;
    solid.model.add_pressure(faces, pressure, None, &mut following);
    SolidLoad { following, faces: Vec::new() }
}

/// Two blocks whose meshes do not match press each other uniformly.
#[test]
fn the_contact_patch_test_is_passed_and_impulses_over_areas_are_the_pressure() {
    let (young, poisson, load) = (1e7, 0.3, 1e5);
    for (below, above) in [(5.0, 7.0), (7.0, 5.0), (3.0, 8.0)] {
        let block = |n: f64| {
            solid(rectangle_mesh([1.0, 0.5], 1.0 / n, ElementKind::Q4).unwrap(), young, poisson, 0.0)
        };
        let (lower, upper) = (block(below), block(above));
        let mut scene = SoftScene::new(0.02);
        // pressures are off by the residual times the condition of the operator, a few hundreds
        scene.rigid.settings.solver.tolerance = 1e-14;
        scene.rigid.settings.gravity = Vector::zeros();
        scene.rigid.settings.theta = 1.0;
        let mesh = lower.model.mesh();
        let bottom = &mesh.group("bottom").unwrap().nodes;
        // nothing holds it sideways, so that both blocks widen about one axis
        let supports = Supports::none(lower.model.dofs()).hold::<2>(bottom, 1);
        let frame = SolidFrame::World { supports, drive: vec![0.0; lower.model.dofs()] };
        scene.add_loaded(&lower, Pose::identity(), PerDof::zeros(), frame, None);
        let top = Some(pressure(&upper, "top", load));
        let at = Pose::at(Vector::<2>::new(0.0, 0.5));
        scene.add_loaded(&upper, at, PerDof::zeros(), SolidFrame::Floating, top);
        let mut s = scene.build(0.0);
        let residuals = (0..40).map(|_| s.step().residual);
        assert!({ residuals }.all(|residual| residual < 1e-9));
        let acting: Vec<_> = s.interactions().iter().filter(|contact| contact.r[0] > 0.0).collect();
        // one at each vertex of the finer skin
        assert_eq!(acting.len() as f64, below.max(above) + 1.0);
        let (force, area) =
            acting.iter().fold((0.0, 0.0), |(f, a), contact| (f + contact.r[0], a + contact.area));
        assert!((force / load / s.settings().step - 1.0).abs() < 1e-9, "{force}");
        for contact in &acting {
            let off = contact.r[0] / contact.area / (force / area) - 1.0;
            assert!(off.abs() < 1e-10, "{below} {above}: {off:e} at {}", contact.point);
        }
        for body in s.solids().bodies() {
            let (model, state) = (s.solids().model(body as usize).unwrap(), s.solids().state(body as usize));
            let state = state.unwrap();
            for point in model.recover(&state.displacement, None, &state.history).unwrap().points {
                let off = (point.stress[1] / -load - 1.0).abs().max(point.stress[0].abs() / load);
                assert!(off < 1e-10, "{below} {above}: stress off by {off:e}");
            }
        }
    }
}

/// Half of the disk's weight in the middle of the contact: p₀ = √(P E* / πR).
#[test]
fn a_disk_on_a_plane_presses_as_hertz_says() {
    let (radius, young, poisson, wide): (f64, f64, f64, f64) = (1.0, 1e7, 0.3, 0.12);
    let modulus = young / (1.0 - poisson * poisson);
    let load = std::f64::consts::PI * modulus * wide * wide / (4.0 * radius);
    let disk = solid(disk_mesh(radius, 0.024, ElementKind::T3).unwrap(), young, poisson, 0.0);
    let mut scene = SoftScene::new(0.03);
    scene.rigid.settings.theta = 1.0;
    scene.rigid.settings.solver.tolerance = 1e-9;
    scene.rigid.settings.gravity = Vector::<2>::new(0.0, -load / disk.mass[0]);
    scene.rigid.ground();
    scene.add(&disk, Pose::at(Vector::<2>::new(0.0, radius)), PerDof::zeros());
    let mut s = scene.build(0.0);
    (0..40).for_each(|_| {
        s.step();
    });
    let h = s.settings().step;
    let total: f64 = s.interactions().iter().map(|contact| contact.r[0] / h).sum();
    assert!((total / load - 1.0).abs() < 1e-4, "{}", total / load);
    let highest = 2.0 * load / (std::f64::consts::PI * wide);
    let inside = |x: f64| (1.0 - (x / wide).powi(2)).max(0.0).sqrt();
    for contact in s.interactions().iter().filter(|contact| contact.point[0].abs() < 0.6 * wide) {
        let off = contact.r[0] / h / contact.area / highest - inside(contact.point[0]);
        assert!(off.abs() < 0.05, "{off} at {}", contact.point[0] / wide);
    }
    let widest = s.interactions().iter().filter(|contact| contact.r[0] > 0.0);
    let widest = widest.map(|contact| contact.point[0].abs()).fold(0.0, f64::max);
    assert!((widest / wide - 1.0).abs() < 0.2, "{}", widest / wide);
}

#[test]
fn a_spinning_disk_does_not_deform_and_a_vibrating_one_keeps_its_energy() {
    let disk = solid(disk_mesh(0.1, 0.03, ElementKind::Q4).unwrap(), 1e7, 0.3, 0.0);
    let mut scene = SoftScene::new(1e-3);
    scene.rigid.settings.gravity = Vector::zeros();
    let id = scene.add(&disk, Pose::identity(), [0.3, -0.2, 40.0].into());
    let mut s = scene.build(0.3);
    (0..200).for_each(|_| {
        s.step();
    });
    let state = s.solids().state(id.0 as usize).unwrap();
    assert!(state.displacement.iter().all(|&u| u == 0.0));
    assert!((s.bodies().pose[0].position - Vector::<2>::new(0.06, -0.04)).norm() < 1e-14);
    assert!(s.energy().balance_error < 1e-12);
}

/// A soft disk thrown at rigid shapes of every kind: momentum, energy, and no shape is passed.
#[test]
fn a_soft_disk_meets_every_rigid_shape() {
    let disk = solid(disk_mesh(0.1, 0.035, ElementKind::T3).unwrap(), 1e6, 0.3, 1e-4);
    let pentagon = (0..5).map(|k| {
        let angle = k as f64 * std::f64::consts::TAU / 5.0 + 0.3;
        Vector::<2>::new(0.1 * angle.cos(), 0.1 * angle.sin())
    });
    let shapes: Vec<(&str, Shape<2>)> = vec![
        ("ball", Shape::ball(0.08).unwrap()),
        ("small ball", Shape::ball(0.01).unwrap()),
        ("rectangle", rectangle([0.2, 0.1])),
        ("pentagon", Polytope::<2>::polygon(pentagon.collect()).unwrap().into()),
        ("capsule", Shape::capsule(0.1, 0.04).unwrap()),
        ("rounded", Shape::rounded_rectangle([0.2, 0.1], 0.02).unwrap()),
    ];
    for (name, shape) in shapes {
        let mut scene = SoftScene::new(2e-4);
        scene.rigid.settings.gravity = Vector::zeros();
        let reach = 0.11 + shape.bounding_radius();
        let mut other = Pose::at(Vector::<2>::new(0.013, -reach));
        other.orientation = Orientation::from_euler_angles(0.0, 0.0, 0.4);
        scene.rigid.add(shape, other, [0.0, 1.0, 0.0].into(), false);
        scene.rigid.bodies.mass[0] = [40.0, 40.0, 0.2].into();
        scene.rigid.bodies.inverse_mass[0] = scene.rigid.bodies.mass[0].map(|m| 1.0 / m);
        let soft = scene.add(&disk, Pose::identity(), [0.0, -1.0, 0.0].into());
        let mut s = scene.build(0.3);
        let momentum = |s: &Simulation<2>| {
            (0..2).fold(Vector::<2>::zeros(), |sum, body| {
                let v = &s.bodies().velocity[body];
                sum + Vector::<2>::new(v[0], v[1]) * s.bodies().mass[body][0]
            })
        };
        let before = momentum(&s);
        let mut met = 0.0;
        for _ in 0..1000 {
            s.step();
            met += s.interactions().iter().map(|contact| contact.r[0]).sum::<f64>();
        }
        assert!(met > 1.0, "{name}: no impulse ({met})");
        assert!((momentum(&s) - before).norm() < 1e-9 * disk.mass[0], "{name}: momentum");
        let energy = s.energy();
        assert!(energy.balance_error < 1e-10, "{name}: {energy:?}");
        // they parted the way they came
        let way = s.bodies().velocity[soft.0 as usize][1] - s.bodies().velocity[0][1];
        assert!(way > -0.05, "{name}: they went through each other ({way})");
    }
}

/// Soft disks in a heap on the ground: books, bits after a restore, bits on any number of threads.
fn heap(theta: f64) -> Simulation<2> {
    let disk = solid(disk_mesh(0.1, 0.04, ElementKind::T3).unwrap(), 1e6, 0.3, 1e-4);
    let mut scene = SoftScene::new(5e-4);
    scene.rigid.settings.theta = theta;
    scene.rigid.settings.solver.tolerance = 1e-10;
    scene.rigid.ground();
    for (x, y) in [(0.0, 0.105), (0.21, 0.105), (0.11, 0.28), (0.1, 0.5)] {
        scene.add(&disk, Pose::at(Vector::<2>::new(x, y)), PerDof::zeros());
    }
    scene.rigid.ball(0.08, Vector::<2>::new(0.35, 0.3), PerDof::zeros());
    scene.build(0.4)
}

#[test]
fn a_heap_of_soft_disks_keeps_its_books_and_its_bits() {
    for theta in [0.5, 0.6] {
        let mut s = heap(theta);
        (0..150).for_each(|_| {
            s.step();
        });
        let kept = s.snapshot();
        (0..100).for_each(|_| {
            s.step();
        });
        let energy = s.energy();
        assert!(energy.balance_error < 1e-10, "θ = {theta}: {energy:?}");
        assert!(energy.strain > 0.0 && energy.viscosity > 0.0);
        assert!((energy.scheme > 1e-9) == (theta > 0.5), "{}", energy.scheme);
        let mut again = heap(theta);
        again.restore(kept).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        pool.install(|| {
            (0..100).for_each(|_| {
                again.step();
            })
        });
        assert_eq!(again.state_hash(), s.state_hash());
    }
}

#[test]
fn what_cannot_be_deformable_is_refused() {
    let disk = solid(disk_mesh(0.1, 0.05, ElementKind::T3).unwrap(), 1e6, 0.3, 0.0);
    let mut scene = SoftScene::new(1e-3);
    scene.rigid.settings.drift = Drift::Projection;
    scene.add(&disk, Pose::identity(), PerDof::zeros());
    let built = scene.rigid.build(Inelastic { friction: 0.0 }).with_solids(scene.specs);
    assert!(built.err().unwrap().to_string().contains("not projected"));
    let mut scene = SoftScene::new(1e-3);
    scene.add(&disk, Pose::identity(), PerDof::zeros());
    scene.specs[0].contactor = 7;
    let built = scene.rigid.build(Inelastic { friction: 0.0 }).with_solids(scene.specs);
    assert!(built.err().unwrap().to_string().contains("no skin"));
    let mut simulation = heap(0.5);
    let other = { SoftScene::<2>::new(1e-3).build(0.0) }.snapshot();
    assert!(simulation.restore(other).is_err());
}
