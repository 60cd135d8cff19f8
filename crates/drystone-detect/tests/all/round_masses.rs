//! Masses of round shapes and of what surfaces enclose, against counting small cells and against each other.

use crate::common::*;
use drystone_geometry::{MassProperties, Polytope, Shape, Surface, decompose};
use drystone_math::{Matrix, Vector};
use rand::RngExt;

/// Sums over the cells of a grid, each judged by one point anywhere in it: faces along the grid do no harm.
fn count_cells<const D: usize>(
    half: f64,
    per_side: usize,
    inside: impl Fn(&Vector<D>) -> bool,
) -> MassProperties<D> {
    let rng = &mut random(77);
    let side = 2.0 * half / per_side as f64;
    let mut volume = 0.0;
    let mut first = Vector::<D>::zeros();
    let mut second = Matrix::<D, D>::zeros();
    for k in 0..per_side.pow(D as u32) {
        let point = Vector::<D>::from_fn(|axis, _| {
            ((k / per_side.pow(axis as u32) % per_side) as f64 + rng.random_range(0.0..1.0)) * side - half
        });
        if inside(&point) {
            volume += 1.0;
            first += point;
            second += point * point.transpose();
        }
    }
    let centroid = first / volume;
    let second = (second / volume - centroid * centroid.transpose()) * (volume * side.powi(D as i32));
    let mut inertia = Matrix::<3, 3>::zeros();
    if D == 2 {
        inertia[(2, 2)] = second.trace();
    } else {
        inertia = Matrix::from_fn(|i, j| if i == j { second.trace() } else { 0.0 } - second[(i, j)]);
    }
    MassProperties { volume: volume * side.powi(D as i32), centroid, inertia }
}

#[track_caller]
fn same<const D: usize>(one: &MassProperties<D>, two: &MassProperties<D>, digits: f64) {
    assert!((one.volume / two.volume - 1.0).abs() < digits, "{one:?} {two:?}");
    let size = two.volume.powf(1.0 / D as f64);
    assert!((one.centroid - two.centroid).norm() < digits * size, "{one:?} {two:?}");
    assert!((one.inertia - two.inertia).norm() < digits * two.inertia.norm(), "{one:?} {two:?}");
}

/// Whether a ball about the point reaches the polytope: the contacts themselves tell.
fn within<const D: usize>(shape: &Shape<D>, point: &Vector<D>, radius: f64) -> bool {
    let ball = Shape::ball(radius).unwrap();
    let pose = drystone_math::Pose::at(*point);
    !touch((&ball, pose), (shape, drystone_math::Pose::identity()), 0.0).is_empty()
}

#[test]
fn rounded_polytopes_weigh_what_their_cells_weigh() {
    let rng = &mut random(1);
    let flat =
        Polytope::polygon([[0.0, 0.0], [1.0, 0.1], [0.4, 0.8]].map(Vector::<2>::from).to_vec()).unwrap();
    let counted = count_cells::<2>(1.6, 400, |point| within(&flat.clone().into(), point, 0.3));
    same(&Shape::rounded(flat.clone(), 0.3).unwrap().mass_properties().unwrap(), &counted, 2e-3);
    let solid = polyhedron(rng, 0.6);
    let counted = count_cells::<3>(1.1, 50, |point| within(&solid.clone().into(), point, 0.25));
    same(&Shape::rounded(solid.clone(), 0.25).unwrap().mass_properties().unwrap(), &counted, 1e-2);
}

#[test]
fn capsules_cylinders_and_rounded_boxes_agree_with_closed_forms() {
    use std::f64::consts::PI;
    // a flat rounded rectangle is a capsule lying down
    let lying = Shape::rounded_rectangle([3.0, 1.0], 0.5).unwrap().mass_properties().unwrap();
    let standing = Shape::<2>::capsule(2.0, 0.5).unwrap().mass_properties().unwrap();
    same(&lying, &standing, 1e-14);
    let box_volume = 1.0 + 6.0 * 0.2 + 3.0 * PI * 0.04 + 4.0 / 3.0 * PI * 0.008;
    let rounded =
        Shape::rounded(Polytope::cuboid([1.0; 3]).unwrap(), 0.2).unwrap().mass_properties().unwrap();
    assert!((rounded.volume / box_volume - 1.0).abs() < 1e-14);
    assert!(rounded.centroid.norm() < 1e-14);
    assert!((rounded.inertia - Matrix::identity() * rounded.inertia[(0, 0)]).norm() < 1e-14);
    // a long thin box grown by a radius is nearly a capsule along z
    let thin = Shape::rounded(Polytope::cuboid([1e-6, 1e-6, 2.0]).unwrap(), 0.5).unwrap();
    same(
        &thin.mass_properties().unwrap(),
        &Shape::<3>::capsule(2.0, 0.5).unwrap().mass_properties().unwrap(),
        1e-5,
    );
    let drum = Shape::cylinder(0.5, 1.2).unwrap().mass_properties().unwrap();
    let counted = count_cells::<3>(0.7, 90, |p| p.xy().norm() <= 0.5 && p[2].abs() <= 0.6);
    same(&drum, &counted, 2e-2);
}

#[test]
fn surfaces_weigh_what_they_enclose_and_pieces_add_up() {
    let star: Vec<Vector<2>> = (0..10)
        .map(|k| {
            let (angle, radius) = (std::f64::consts::PI * k as f64 / 5.0, if k % 2 == 0 { 1.0 } else { 0.4 });
            Vector::<2>::new(radius * angle.cos() + 7.0, radius * angle.sin())
        })
        .collect();
    let whole = Shape::from(Surface::outline(star.clone()).unwrap()).mass_properties().unwrap();
    let backwards: Vec<_> = star.iter().rev().copied().collect();
    same(&Surface::outline(backwards.clone()).unwrap().mass_properties().unwrap(), &whole, 1e-14);
    for ring in [star, backwards] {
        let pieces = decompose(&ring).unwrap();
        assert!((2..=6).contains(&pieces.len()), "{}", pieces.len());
        let parts: Vec<_> = pieces.iter().map(Polytope::mass_properties).collect();
        let volume: f64 = parts.iter().map(|part| part.volume).sum();
        let centroid = parts.iter().map(|part| part.centroid * part.volume).sum::<Vector<2>>() / volume;
        let inertia = parts
            .iter()
            .map(|part| part.inertia[(2, 2)] + part.volume * (part.centroid - centroid).norm_squared())
            .sum::<f64>();
        assert!((volume / whole.volume - 1.0).abs() < 1e-13);
        assert!((centroid - whole.centroid).norm() < 1e-13);
        assert!((inertia / whole.inertia[(2, 2)] - 1.0).abs() < 1e-13);
    }
    let form = polyhedron(&mut random(3), 1.0);
    let triangles = form.faces().iter().flat_map(|face| {
        let v = &face.vertices;
        (1..v.len() - 1).map(|k| [v[0], v[k], v[k + 1]]).collect::<Vec<_>>()
    });
    let surface = Surface::triangles(form.vertices().to_vec(), triangles.collect()).unwrap();
    assert!(surface.is_closed());
    same(&surface.mass_properties().unwrap(), &form.mass_properties(), 1e-13);
    assert!(Surface::height_field([0.0; 2], 1.0, 2, &[0.0; 4]).unwrap().mass_properties().is_none());
}

#[test]
fn spoiled_surfaces_are_refused_with_a_reason() {
    let at = |points: &[[f64; 2]]| points.iter().map(|&p| Vector::<2>::from(p)).collect::<Vec<_>>();
    let bow = at(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.9]]);
    assert!(Surface::outline(bow.clone()).is_err() && decompose(&bow).is_err());
    assert!(Surface::outline(at(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])).is_err());
    assert!(Surface::polyline(at(&[[0.0, 0.0]])).is_err());
    assert!(Surface::polyline(at(&[[0.0, 0.0], [f64::NAN, 0.0]])).is_err());
    assert!(Surface::polyline(at(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]])).is_err());
    let corners: Vec<Vector<3>> =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [2.0, 0.0, 0.0]]
            .map(Into::into)
            .to_vec();
    for wrong in [
        vec![],
        vec![[0, 1, 9]],
        vec![[0, 1, 4]],
        vec![[0, 1, 2], [1, 2, 3]],
        vec![[0, 1, 2], [2, 1, 3], [2, 1, 4]],
    ] {
        assert!(Surface::triangles(corners.clone(), wrong).is_err());
    }
    assert!(Surface::height_field([0.0; 2], 1.0, 3, &[0.0; 7]).is_err());
    assert!(Surface::height_field([0.0; 2], 0.0, 2, &[0.0; 4]).is_err());
    assert!(Shape::rounded_rectangle([1.0, 3.0], 0.6).is_err());
    assert!(Shape::<3>::capsule(0.0, 1.0).is_err() && Shape::cylinder(1.0, f64::NAN).is_err());
}
