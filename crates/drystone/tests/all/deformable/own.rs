//! Bodies that touch themselves: the operator against a dense one, the contact patch test within one body,
//! a clip squeezed shut against its half on a plane.

use super::*;
use drystone_elements::law::NeoHookean;
use drystone_elements::mesh::{MeshGroup, cuboid_mesh};
use drystone_elements::scheme::{SolidInertia, ThetaOperator};

/// Adds a body that may touch itself.
fn add_folding<const D: usize>(
    scene: &mut SoftScene<D>,
    solid: &CentredSolid<D>,
    frame: SolidFrame,
    load: Option<SolidLoad<D>>,
) -> BodyId {
    let (name, group, solid) = (format!("soft {}", scene.specs.len()), GroupId(0), solid.clone());
    let (pose, velocity, inertia) = (Pose::identity(), PerDof::zeros(), SolidInertia::Full);
    let driven = Vec::new();
    let body =
        Deformable { name, group, solid, pose, velocity, frame, load, driven, inertia, self_contact: true };
    let spec = body.enter(&mut scene.rigid.bodies, &mut scene.rigid.contactors).unwrap();
    let id = BodyId(spec.body);
    scene.specs.push(spec);
    id
}

/// A block of 6 × 4 squares with a slit from its middle to its right side, and the nodes along the slit from
/// its tip on: below, above.
fn slit_block() -> (Mesh<2>, [Vec<u32>; 2]) {
    let at = |i: u32, j: u32| Vector::<2>::new(0.1 * f64::from(i), 0.1 * f64::from(j));
    let mut nodes: Vec<Vector<2>> = (0..35).map(|k| at(k % 7, k / 7)).collect();
    let below: Vec<u32> = (2..7).map(|i| 14 + i).collect();
    nodes.extend((3..7).map(|i| at(i, 2)));
    let above: Vec<u32> = [16].into_iter().chain(35..39).collect();
    let corner = |i: u32, j: u32, up: bool| if up && j == 2 && i > 2 { 32 + i } else { 7 * j + i };
    let elements = (0..24).map(|k| {
        let (i, j) = (k % 6, k / 6);
        let square = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
        (ElementKind::Q4, square.map(|(i, row)| corner(i, row, j >= 2)).to_vec())
    });
    (Mesh::new(nodes, elements).unwrap(), [below, above])
}

/// The Delassus operator of contacts between the two sides of a slit is that of a dense assembly over all
/// nodes: what an impulse on one side does to the other counts.
#[test]
fn the_operator_of_a_body_with_itself_has_its_cross_terms() {
    let (mesh, [below, above]) = slit_block();
    let block = solid(mesh, 1e6, 0.3, 0.0);
    let left = block.model.mesh().nodes_where(|x| x[0] < -0.29);
    let supports = Supports::none(block.model.dofs()).clamp::<2>(&left);
    let (h, theta) = (0.01, 0.5);
    let dense = ThetaOperator::with_inertia(&block.model, supports.clone(), h, theta, SolidInertia::Full);
    let dense = dense.unwrap();
    let mut scene = SoftScene::new(h);
    scene.rigid.settings.gravity = Vector::zeros();
    let drive = vec![0.0; block.model.dofs()];
    add_folding(&mut scene, &block, SolidFrame::World { supports, drive }, None);
    let mut s = scene.build(0.3);
    let problem = s.problem();
    // the facets at the tip share it: contacts at the other four vertices, means of linear functions
    let third = 1.0 / 3.0;
    let shares = [
        vec![(1, 2.0 * third), (2, third)],
        vec![(1, 0.5 * third), (2, 2.0 * third), (3, 0.5 * third)],
        vec![(2, 0.5 * third), (3, 2.0 * third), (4, 0.5 * third)],
        vec![(3, third), (4, 2.0 * third)],
    ];
    assert_eq!(problem.contacts(), shares.len());
    // the lower side bears: normal down, tangent to the left
    let axes = [[0.0, -1.0], [-1.0, 0.0]];
    let pushed = |contact: usize, axis: usize| {
        let mut p = vec![0.0; block.model.dofs()];
        for &(k, share) in &shares[contact] {
            for (nodes, sign) in [(&below, 1.0), (&above, -1.0)] {
                (0..2).for_each(|x| p[2 * nodes[k] as usize + x] += sign * share * axes[axis][x]);
            }
        }
        p
    };
    let mut largest = 0.0_f64;
    for (one, axis) in (0..4).flat_map(|k| [(k, 0), (k, 1)]) {
        let mut r = vec![Vector::<2>::zeros(); 4];
        r[one][axis] = 1.0;
        let carry = problem.w.carry(&r);
        let mut answer = pushed(one, axis);
        dense.answer(&mut answer);
        for (two, other) in (0..4).flat_map(|k| [(k, 0), (k, 1)]) {
            let expected: f64 = pushed(two, other).iter().zip(&answer).map(|(a, b)| a * b).sum();
            let found = problem.w.row(two, &r, &carry)[other];
            largest = largest.max(expected.abs());
            assert!((found - expected).abs() < 1e-12 * largest, "{one} {two}: {found} {expected}");
            if one == two {
                let found = problem.w.block(one)[(other, axis)];
                assert!((found - expected).abs() < 1e-12 * largest, "block {one}: {found} {expected}");
            }
        }
    }
}

/// Two meshes as one, the second moved, with the groups of the first below and of the second above.
fn joined<const D: usize>(one: &Mesh<D>, two: &Mesh<D>, by: Vector<D>) -> Mesh<D> {
    let first = one.nodes().len() as u32;
    let nodes = one.nodes().iter().copied().chain(two.nodes().iter().map(|x| x + by)).collect();
    let moved = |(kind, list): (ElementKind, &[u32])| (kind, list.iter().map(|k| k + first).collect());
    let elements = one.elements().map(|(kind, list)| (kind, list.to_vec())).chain(two.elements().map(moved));
    let mut mesh = Mesh::new(nodes, elements).unwrap();
    let bottom = MeshGroup { nodes: one.group("bottom").unwrap().nodes.clone(), ..Default::default() };
    mesh.add_to_group("bottom", &bottom);
    let height = two.nodes().iter().map(|x| x[D - 1] + by[D - 1]).fold(f64::MIN, f64::max);
    mesh.group_faces("top", |x| x[D - 1] > height - 1e-9);
    mesh
}

/// Two parts of one body press each other as two bodies do.
fn patch<const D: usize>(mesh: Mesh<D>, step: f64, load: f64, steps: usize, tolerance: f64) {
    let block = solid(mesh, 1e7, 0.3, 0.0);
    let mut scene = SoftScene::<D>::new(step);
    scene.rigid.settings.solver.tolerance = 1e-14;
    scene.rigid.settings.gravity = Vector::zeros();
    scene.rigid.settings.theta = 1.0;
    let bottom = &block.model.mesh().group("bottom").unwrap().nodes;
    let supports = Supports::none(block.model.dofs()).hold::<D>(bottom, D - 1);
    let drive = vec![0.0; block.model.dofs()];
    let top = Some(pressure(&block, "top", load));
    add_folding(&mut scene, &block, SolidFrame::World { supports, drive }, top);
    let mut s = scene.build(0.0);
    (0..steps).for_each(|_| {
        s.step();
    });
    let (force, area) =
        s.interactions().iter().fold((0.0, 0.0), |(f, a), contact| (f + contact.r[0], a + contact.area));
    assert!((force / load / step - 1.0).abs() < 1e-8, "{force}");
    assert!(s.interactions().iter().all(|contact| contact.bodies == [BodyId(0); 2]));
    for contact in s.interactions().iter().filter(|contact| contact.r[0] > 0.0) {
        let off = contact.r[0] / contact.area / (force / area) - 1.0;
        assert!(off.abs() < tolerance, "{off:e} at {}", contact.point);
    }
    let (model, state) = (s.solids().model(0).unwrap(), s.solids().state(0).unwrap());
    for point in model.recover(&state.displacement, None, &state.history).unwrap().points {
        let off = (point.stress[D - 1] / -load - 1.0).abs().max(point.stress[0].abs() / load);
        assert!(off < tolerance, "stress off by {off:e}");
    }
    let energy = s.energy();
    assert!(energy.balance_error < 1e-9, "{energy:?}");
}

#[test]
fn two_parts_of_one_body_pass_the_contact_patch_test() {
    for (below, above) in [(5.0, 7.0), (7.0, 5.0), (3.0, 8.0)] {
        let part = |n: f64| rectangle_mesh([1.0, 0.5], 1.0 / n, ElementKind::Q4).unwrap();
        let mesh = joined(&part(below), &part(above), Vector::<2>::new(0.0, 0.5));
        patch(mesh, 0.02, 1e5, 40, 1e-10);
    }
    // the lower part bears; with the larger facets it is off by a part in the ratio of load to modulus
    for (below, above, tolerance) in [(3.0, 2.0, 1e-7), (2.0, 3.0, 1e-4)] {
        let part = |n: f64| cuboid_mesh([1.0, 1.0, 0.5], 1.0 / n, ElementKind::Te4).unwrap();
        let mesh = joined(&part(below), &part(above), Vector::<3>::new(0.0, 0.0, 0.5));
        patch(mesh, 1.0, 1e3, 12, tolerance);
    }
}

/// The upper half of a clip above y = 0, or all of it: a back of 0.1 m, arms of 1 m length and 0.1 m
/// thickness, 0.04 m apart. With the places of its nodes.
fn clip(whole: bool) -> Mesh<2> {
    let heights = [-0.12, -0.07, -0.02, 0.0, 0.02, 0.07, 0.12];
    let heights = if whole { &heights[..] } else { &heights[3..] };
    let wide = 23;
    let at = |i: usize, j: usize| Vector::<2>::new(0.05 * i as f64, heights[j]);
    let solid = |i: usize, j: usize| {
        i < 2 || heights[j] + heights[j + 1] > 0.05 || heights[j] + heights[j + 1] < -0.05
    };
    let cells: Vec<(usize, usize)> = (0..heights.len() - 1)
        .flat_map(|j| (0..wide - 1).map(move |i| (i, j)))
        .filter(|&(i, j)| solid(i, j))
        .collect();
    let mut number = std::collections::BTreeMap::new();
    for &(i, j) in &cells {
        [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].into_iter().for_each(|(i, j)| {
            number.insert((j, i), 0_u32);
        });
    }
    number.values_mut().zip(0..).for_each(|(number, k)| *number = k);
    let nodes = number.keys().map(|&(j, i)| at(i, j)).collect();
    let elements = cells.iter().map(|&(i, j)| {
        let square = [(j, i), (j, i + 1), (j + 1, i + 1), (j + 1, i)];
        (ElementKind::Q4, square.map(|corner| number[&corner]).to_vec())
    });
    let mut mesh = Mesh::new(nodes, elements).unwrap();
    mesh.group_faces("outside", |x| x[1].abs() > 0.119 && x[0] > 0.599);
    mesh
}

/// A clip of rubber whose arms are pressed onto each other: the upper one goes as that of half a clip on a
/// plane without friction.
#[test]
fn a_clip_squeezed_shut_is_two_halves_on_a_plane() {
    let law = Constitutive::Finite(Arc::new(NeoHookean::new(1e6, 0.3).unwrap()));
    let plane = Kinematics::PlaneStrain { depth: 1.0 };
    let squeezed = |whole: bool| {
        let rubber = centred(clip(whole), false, |mesh, _| {
            SolidModel::new(mesh, plane, law.clone(), DENSITY, SolidOptions::default())
        });
        let rubber = rubber.unwrap();
        let mesh = rubber.model.mesh();
        let back = clip(whole).nodes_where(|x| x[0] < 1e-9);
        let middle = clip(whole).nodes_where(|x| x[0] < 0.101 && x[1].abs() < 1e-9);
        let mut supports = Supports::none(rubber.model.dofs()).clamp::<2>(&back);
        if !whole {
            supports = supports.hold::<2>(&middle, 1);
        }
        let frame = SolidFrame::World { supports, drive: vec![0.0; rubber.model.dofs()] };
        let mut scene = SoftScene::<2>::new(0.02);
        scene.rigid.settings.gravity = Vector::zeros();
        scene.rigid.settings.theta = 1.0;
        scene.rigid.settings.solver.tolerance = 1e-12;
        scene.rigid.settings.newton.tolerance = 1e-11;
        if !whole {
            scene.rigid.ground();
        }
        let load = Some(pressure(&rubber, "outside", 500.0));
        let id = add_folding(&mut scene, &rubber, frame, load);
        let nodes: Vec<Vector<2>> = clip(whole).nodes().to_vec();
        assert_eq!(nodes.len(), mesh.nodes().len());
        let mut s = scene.build(0.0);
        (0..60).for_each(|_| {
            s.step();
        });
        let state = s.solids().state(id.0 as usize).unwrap();
        let upper = nodes.iter().enumerate().filter(|(_, x)| x[1] > 0.01);
        let moved: Vec<[f64; 2]> =
            upper.map(|(k, _)| [state.displacement[2 * k], state.displacement[2 * k + 1]]).collect();
        let mut pressures: Vec<[f64; 2]> = s
            .interactions()
            .iter()
            .filter(|contact| contact.r[0] > 0.0)
            .map(|contact| [contact.point[0], contact.r[0] / contact.area / s.settings().step])
            .collect();
        pressures.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let energy = s.energy();
        assert!(energy.balance_error < 1e-8, "{energy:?}");
        (moved, pressures)
    };
    let (whole, pressed) = squeezed(true);
    let (half, beside) = squeezed(false);
    let farthest = half.iter().map(|u| u[1].abs()).fold(0.0, f64::max);
    assert!(farthest > 0.019, "{farthest}");
    for (a, b) in whole.iter().zip(&half) {
        assert!((0..2).all(|k| (a[k] - b[k]).abs() < 1e-7), "{a:?} {b:?}");
    }
    assert!(pressed.len() == beside.len() && pressed.len() > 3, "{} {}", pressed.len(), beside.len());
    let highest = beside.iter().map(|contact| contact[1]).fold(0.0, f64::max);
    for (a, b) in pressed.iter().zip(&beside) {
        assert!((a[1] - b[1]).abs() < 1e-5 * highest, "{a:?} {b:?}");
    }
}
