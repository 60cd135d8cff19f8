//! Bodies in equilibrium against closed forms: thick-walled cylinder, disk under two forces, heat, weight.

use crate::bodies::*;
use drystone_elements::SolidError;
use drystone_elements::element::ElementKind;
use drystone_elements::law::{Dilatation, ElasticIsotropic, J2Plasticity, PointHistory};
use drystone_elements::mesh::{Mesh, cuboid_mesh, disk_mesh, rectangle_mesh};
use drystone_elements::model::{Constitutive, Kinematics, PointField, SolidModel};
use drystone_elements::scheme::{
    FloatingFrame, ImpulsesOnBody, SolidInertia, SolidState, StaticLoad, StaticParams, StaticSolution,
    Supports, ThetaOperator, equilibrium,
};
use drystone_math::Vector;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

fn solve<const D: usize>(model: &SolidModel<D>, supports: &Supports, load: &[f64]) -> StaticSolution {
    let load = StaticLoad { load: Some(load), ..StaticLoad::default() };
    let start = SolidState::at_rest(model);
    equilibrium(model, supports, &load, &start, &StaticParams::default()).unwrap()
}

const INNER: f64 = 1.0;
const OUTER: f64 = 2.0;
const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;
const PRESSURE: f64 = 1e3;

/// Lamé's radial displacement in plane strain.
fn lame(r: f64) -> f64 {
    let factor = PRESSURE * INNER * INNER / (YOUNG * (OUTER * OUTER - INNER * INNER));
    factor * (1.0 + POISSON) * ((1.0 - 2.0 * POISSON) * r + OUTER * OUTER / r)
}

#[test]
fn a_thick_cylinder_widens_as_lame_says() {
    // a quarter of the ring in plane strain
    let square = rectangle_mesh([1.0; 2], 0.125, ElementKind::Q8).unwrap();
    let ring = square.map_nodes(|x| {
        let (r, angle) = (INNER + (x[0] + 0.5) * (OUTER - INNER), FRAC_PI_2 * (x[1] + 0.5));
        Vector::from([r * angle.cos(), r * angle.sin()])
    });
    let model = model(ring, STRAIN, hooke(YOUNG, POISSON), 1.0);
    let mesh = model.mesh();
    let supports = Supports::none(model.dofs())
        .hold::<2>(&mesh.nodes_where(|x| x[1].abs() < 1e-9), 1)
        .hold::<2>(&mesh.nodes_where(|x| x[0].abs() < 1e-9), 0);
    let mut load = vec![0.0; model.dofs()];
    model.add_pressure(&mesh.group("left").unwrap().faces, PRESSURE, None, &mut load);
    let found = solve(&model, &supports, &load);
    for (k, x) in mesh.nodes().iter().enumerate() {
        let u = Vector::<2>::from([found.state.displacement[2 * k], found.state.displacement[2 * k + 1]]);
        let off = (u - x.normalize() * lame(x.norm())).norm() / lame(INNER);
        assert!(off < 2e-5, "{x:?} {off:e}");
    }
    // hoop and radial stress at the points
    let recovered = model.recover(&found.state.displacement, None, &found.state.history).unwrap();
    for point in &recovered.points {
        let share = PRESSURE * INNER * INNER / (OUTER * OUTER - INNER * INNER);
        let ratio = (OUTER / point.place.norm()).powi(2);
        let (values, _) = point.principal();
        assert!((values[0] - share * (1.0 + ratio)).abs() < 0.01 * PRESSURE, "{values:?}");
        assert!((values[2] - share * (1.0 - ratio)).abs() < 0.01 * PRESSURE, "{values:?}");
    }
    // the resultant of the reactions balances the pressure
    let pushed: f64 = load.iter().step_by(2).sum();
    let held: f64 = found.reactions.iter().step_by(2).sum();
    assert!((pushed + held).abs() < 1e-9 * pushed && (pushed - PRESSURE * INNER).abs() < 1e-3 * PRESSURE);
}

#[test]
fn an_axisymmetric_one_does_the_same() {
    for (kind, tolerance) in
        [(ElementKind::Q8, 2e-5), (ElementKind::T6, 2e-5), (ElementKind::Q4, 3e-3), (ElementKind::T3, 5e-3)]
    {
        let wall = rectangle_mesh([OUTER - INNER, 0.25], 1.0 / 16.0, kind).unwrap();
        let wall = wall.map_nodes(|x| Vector::from([x[0] + 0.5 * (INNER + OUTER), x[1]]));
        let model = model(wall, Kinematics::Axisymmetric, hooke(YOUNG, POISSON), 1.0);
        let mesh = model.mesh();
        let ends = mesh.nodes_where(|x| x[1].abs() > 0.125 - 1e-9);
        let supports = Supports::none(model.dofs()).hold::<2>(&ends, 1);
        let mut load = vec![0.0; model.dofs()];
        model.add_pressure(&mesh.group("left").unwrap().faces, PRESSURE, None, &mut load);
        let area = model.area(&mesh.group("left").unwrap().faces);
        assert!((area - 2.0 * PI * INNER * 0.25).abs() < 1e-12);
        let found = solve(&model, &supports, &load);
        for (k, x) in mesh.nodes().iter().enumerate() {
            let off = (found.state.displacement[2 * k] - lame(x[0])).abs() / lame(INNER);
            assert!(off < tolerance, "{kind} {x:?} {off:e}");
        }
    }
}

#[test]
fn a_disk_under_two_forces_is_split_in_the_middle() {
    // σ_xx = 2P/πD, σ_yy = −6P/πD at the centre
    let (radius, force) = (0.5, 1e4);
    let model = model(disk_mesh(radius, 0.05, ElementKind::T6).unwrap(), STRESS, hooke(1e9, 0.25), 1.0);
    let mesh = model.mesh();
    let (top, bottom) =
        (mesh.nearest_node(&Vector::from([0.0, radius])), mesh.nearest_node(&Vector::from([0.0, -radius])));
    let mut load = vec![0.0; model.dofs()];
    load[2 * top + 1] = -force;
    load[2 * bottom + 1] = force;
    let centre = mesh.nearest_node(&Vector::zeros()) as u32;
    let right = mesh.nearest_node(&Vector::from([radius, 0.0])) as u32;
    let supports = Supports::none(model.dofs()).clamp::<2>(&[centre]).hold::<2>(&[right], 1);
    let found = solve(&model, &supports, &load);
    let recovered = model.recover(&found.state.displacement, None, &found.state.history).unwrap();
    let smooth = model.smooth(&recovered, PointField::Stress);
    let stress = smooth[centre as usize];
    let unit = 2.0 * force / (PI * 2.0 * radius);
    assert!((stress[0] / unit - 1.0).abs() < 0.01, "{}", stress[0] / unit);
    assert!((stress[1] / unit + 3.0).abs() < 0.02, "{}", stress[1] / unit);
}

#[test]
fn a_heated_body_grows_freely_and_pushes_when_held() {
    let law = || {
        let hooke = ElasticIsotropic::new(210e9, 0.3).unwrap();
        Constitutive::Small(Arc::new(Dilatation::new(hooke, [1.2e-5; 3]).unwrap()))
    };
    let model =
        model(cuboid_mesh([1.0, 0.5, 0.5], 0.25, ElementKind::H8).unwrap(), Kinematics::Space, law(), 1.0);
    let mesh = model.mesh();
    let heat = vec![50.0; mesh.nodes().len()];
    let low = |axis: usize| mesh.nodes_where(|x| x[axis] < [-0.5, -0.25, -0.25][axis] + 1e-9);
    let free = Supports::none(model.dofs()).hold::<3>(&low(0), 0).hold::<3>(&low(1), 1).hold::<3>(&low(2), 2);
    let load = StaticLoad { temperature: Some(&heat), ..StaticLoad::default() };
    let start = SolidState::at_rest(&model);
    let params = StaticParams::default();
    let found = equilibrium(&model, &free, &load, &start, &params).unwrap();
    for (k, x) in mesh.nodes().iter().enumerate() {
        assert!((found.state.displacement[3 * k] - 50.0 * 1.2e-5 * (x[0] + 0.5)).abs() < 1e-15);
    }
    let held = free.hold::<3>(&mesh.nodes_where(|x| x[0] > 0.5 - 1e-9), 0);
    let found = equilibrium(&model, &held, &load, &start, &params).unwrap();
    let push: f64 =
        (0..mesh.nodes().len()).filter(|&k| mesh.nodes()[k][0] > 0.0).map(|k| found.reactions[3 * k]).sum();
    assert!((push + 210e9 * 1.2e-5 * 50.0 * 0.25).abs() < 1e-9 * 210e9, "{push}");
}

#[test]
fn a_column_bears_its_weight() {
    let model =
        model(rectangle_mesh([0.5, 2.0], 0.25, ElementKind::Q4).unwrap(), STRESS, hooke(1e9, 0.0), 2000.0);
    let mesh = model.mesh();
    let supports = Supports::none(model.dofs()).clamp::<2>(&mesh.group("bottom").unwrap().nodes);
    let load = model.gravity_load(&model.mass_matrix(), &Vector::from([0.0, -9.81]));
    assert!((load.iter().sum::<f64>() + 2000.0 * 9.81).abs() < 1e-9);
    let found = solve(&model, &supports, &load);
    let held: f64 = found.reactions.iter().sum();
    assert!((held - 2000.0 * 9.81).abs() < 1e-8, "{held}");
    // u(top) = ρ g H² / 2 E, exact at nodes
    let top = mesh.nearest_node(&Vector::from([0.0, 1.0]));
    assert!((found.state.displacement[2 * top + 1] + 2000.0 * 9.81 * 4.0 / 2e9).abs() < 1e-15);
}

#[test]
fn a_plastic_bar_is_pulled_pushed_and_stays_longer() {
    let elastic = ElasticIsotropic::new(210e9, 0.3).unwrap();
    let law = J2Plasticity::new(elastic, 250e6, 0.0, 5e9).unwrap();
    let mesh = rectangle_mesh([1.0, 0.25], 0.25, ElementKind::Q8).unwrap();
    let model = model(mesh, STRESS, Constitutive::Small(Arc::new(law)), 1.0);
    let mesh = model.mesh();
    let corner = mesh.nearest_node(&Vector::from([-0.5, -0.125])) as u32;
    let (left, right) = (&mesh.group("left").unwrap().nodes, &mesh.group("right").unwrap().nodes);
    let supports =
        Supports::none(model.dofs()).hold::<2>(left, 0).hold::<2>(right, 0).hold::<2>(&[corner], 1);
    let mut state = SolidState::at_rest(&model);
    let mut drive = |to: f64| {
        let mut displaced = vec![0.0; model.dofs()];
        right.iter().for_each(|&node| displaced[2 * node as usize] = to);
        let load = StaticLoad { displaced: Some(&displaced), ..StaticLoad::default() };
        let params = StaticParams { steps: 4, ..StaticParams::default() };
        let found = equilibrium(&model, &supports, &load, &state, &params).unwrap();
        state = found.state;
        right.iter().map(|&node| found.reactions[2 * node as usize]).sum::<f64>() / 0.25
    };
    let slope = 210e9 * 5e9 / 215e9;
    let up = drive(5e-3);
    let expected = 250e6 + slope * (5e-3 - 250e6 / 210e9);
    assert!((up / expected - 1.0).abs() < 1e-9, "{up} {expected}");
    // back by twice the yield stress elastically, then along the slope
    let down = drive(-5e-3);
    let expected = up - 500e6 + slope * (-1e-2 + 500e6 / 210e9);
    assert!((down / expected - 1.0).abs() < 1e-9, "{down} {expected}");
    assert!(matches!(state.history[0], PointHistory::Plastic(state) if state.accumulated > 5e-3));
}

#[test]
fn what_nothing_holds_is_told() {
    let model = model(rectangle_mesh([1.0; 2], 0.5, ElementKind::Q4).unwrap(), STRAIN, hooke(1e9, 0.3), 1.0);
    let load = vec![1.0; model.dofs()];
    let load = StaticLoad { load: Some(&load), ..StaticLoad::default() };
    let start = SolidState::at_rest(&model);
    let loose = Supports::none(model.dofs());
    let refused = equilibrium(&model, &loose, &load, &start, &StaticParams::default()).unwrap_err();
    assert!(matches!(refused, SolidError::Singular { .. }), "{refused}");
    let all: Vec<u32> = (0..model.mesh().nodes().len() as u32).collect();
    let fast = loose.clamp::<2>(&all);
    let refused = equilibrium(&model, &fast, &load, &start, &StaticParams::default()).unwrap_err();
    assert_eq!(refused, SolidError::NothingFree);
    // lists that do not fit
    let short = StaticLoad { load: Some(&[1.0; 3]), ..StaticLoad::default() };
    let held = Supports::none(model.dofs()).clamp::<2>(&[0, 1, 99]);
    let refused = equilibrium(&model, &held, &short, &start, &StaticParams::default()).unwrap_err();
    assert!(refused.to_string().contains("3 entries"), "{refused}");
    let refused =
        equilibrium(&model, &Supports::none(3), &load, &start, &StaticParams::default()).unwrap_err();
    assert!(refused.to_string().contains("supports"), "{refused}");
    assert!(matches!(model.evaluate(&[0.0], None, &[], None), Err(SolidError::Length { .. })));
    let flat: Mesh<2> = rectangle_mesh([1.0; 2], 0.5, ElementKind::Q4).unwrap();
    let wrong = SolidModel::new(Arc::new(flat), Kinematics::Space, hooke(1e9, 0.3), 1.0, Default::default());
    assert!(matches!(wrong, Err(SolidError::Unsupported(_))));
}

/// One step without inertia, of whatever length, is the equilibrium; what supports give comes out.
#[test]
fn a_step_without_inertia_ends_in_equilibrium() {
    let model = model(irregular_2(ElementKind::Q4), STRAIN, hooke(YOUNG, POISSON), 1000.0);
    let left = model.mesh().nodes_where(|x| x[0] < -0.4);
    let supports = Supports::none(model.dofs()).clamp::<2>(&left);
    let load = noise(model.dofs(), 100.0);
    let found = solve(&model, &supports, &load);
    for h in [1e-6, 0.3, 1e4] {
        let operator =
            ThetaOperator::with_inertia(&model, supports.clone(), h, 0.5, SolidInertia::None).unwrap();
        assert_eq!(operator.theta(), 1.0);
        let mut state = SolidState::at_rest(&model);
        let on_body = ImpulsesOnBody { load: Some(&load), ..ImpulsesOnBody::default() };
        let mut done = 0.0;
        for step in 0..3 {
            let free = operator.free_velocity(&state, &on_body);
            let (ledger, reaction) = operator.advance_with_reaction(&mut state, free, &on_body);
            assert_eq!(ledger.kinetic, 0.0);
            done += ledger.loads - ledger.scheme;
            let size = largest(found.state.displacement.iter().copied());
            let off = difference(&state.displacement, &found.state.displacement) / size;
            assert!(off < 1e-10, "h = {h}: {off:e}");
            let held: Vec<f64> = reaction.iter().map(|p| p / h).collect();
            let off = difference(&held, &found.reactions) / largest(held.iter().copied());
            assert!(off < 1e-9, "h = {h}, step {step}: {off:e}");
        }
        assert!((done / operator.strain_energy(&state) - 1.0).abs() < 1e-9, "{done}");
        assert_eq!(operator.kinetic_energy(&state), 0.0);
    }
}

/// Forces in balance deform a free body in one way, whichever degrees of freedom are held for it.
fn deforms_alike<const D: usize>(mesh: Mesh<D>, kinematics: Kinematics) {
    let model = model(mesh, kinematics, hooke(YOUNG, POISSON), 1000.0);
    let few = Supports::rigid(&model);
    assert_eq!(few.held().iter().filter(|held| **held).count(), drystone_math::rigid_dofs(D));
    let h = 0.7;
    let operator = ThetaOperator::with_inertia(&model, few, h, 0.5, SolidInertia::None).unwrap();
    let frame = FloatingFrame::new(&model, operator.mass()).unwrap();
    let mut load = noise(model.dofs(), 100.0);
    frame.remove_resultant(&mut load);
    // with inertia and for ever: rigid motions apart, the same
    let slow = ThetaOperator::new(&model, Supports::none(model.dofs()), 100.0, 1.0).unwrap();
    let (mut one, mut two) = (load.clone(), load.clone());
    frame.deforming_answer(&operator, &mut one);
    frame.deforming_answer(&slow, &mut two);
    one.iter_mut().for_each(|x| *x *= h * h);
    two.iter_mut().for_each(|x| *x *= 1e4);
    let off = difference(&one, &two) / largest(two.iter().copied());
    assert!(off < 1e-6, "{off:e}");
    assert!(difference(&operator.stiffness().times(&one), &load) < 1e-8 * largest(load.iter().copied()));
}

#[test]
fn a_free_body_without_inertia_deforms_by_forces_in_balance() {
    deforms_alike(irregular_2(ElementKind::Q4), STRAIN);
    deforms_alike(disk_mesh(0.5, 0.2, ElementKind::T3).unwrap(), STRAIN);
    deforms_alike(irregular_3(ElementKind::H8), Kinematics::Space);
}

#[test]
fn without_inertia_a_body_must_be_held() {
    let model = model(irregular_2(ElementKind::Q4), STRAIN, hooke(YOUNG, POISSON), 1000.0);
    let bottom = model.mesh().nodes_where(|x| x[1] < -0.4);
    let corner = model.mesh().nodes_where(|x| x[0] < -0.4 && x[1] < -0.4);
    let none = Supports::none(model.dofs());
    let sliding = none.clone().hold::<2>(&bottom, 1);
    for (supports, holds) in [
        (none.clone(), false),
        (sliding.clone(), false),
        (none.clamp::<2>(&corner), false),
        (sliding.hold::<2>(&corner, 0), true),
    ] {
        let made = ThetaOperator::with_inertia(&model, supports, 1.0, 1.0, SolidInertia::None);
        assert_eq!(made.is_ok(), holds);
        assert!(holds || matches!(made, Err(SolidError::FreeMotion)));
    }
}
