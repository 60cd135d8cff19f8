//! What is wrong with a surface is found, and what is right weighs what it should.

use crate::common::{ELL, cuboid, is_inside, joined, prism, star, surface, torus, turned};
use drystone_math::{Matrix, Vector};
use drystone_mesh::{Facing, MeshProblem, Polygons, Surface};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::f64::consts::PI;

#[test]
fn a_good_solid_has_no_problems() {
    let found = surface(&cuboid([1.0; 3], [2.0, 3.0, 5.0])).inspect();
    assert!(found.problems().is_empty() && found.not_convex().is_none());
    assert_eq!((found.closed, found.components, found.facing), (true, 1, Facing::Outward));
    assert!((found.volume.unwrap() - 8.0).abs() < 1e-14);
    let found = surface(&torus(2.0, 0.5, 12, 8)).inspect();
    assert!(found.problems().is_empty() && !found.convexity.convex);
}

#[test]
fn every_flaw_is_named() {
    let good = cuboid([0.0; 3], [1.0; 3]);
    let problems = |polygons: &Polygons| surface(polygons).inspect().problems();
    // open
    let mut open = good.clone();
    open.faces.pop();
    let found = surface(&open).inspect();
    assert_eq!((found.closed, found.facing, found.boundary.len()), (false, Facing::Undefined, 4));
    assert!(matches!(problems(&open)[..], [MeshProblem::Open { count: 4, .. }]));
    // inside out
    let found = surface(&turned(&good)).inspect();
    assert_eq!(found.facing, Facing::Inward);
    assert!(matches!(found.problems()[..], [MeshProblem::Inverted { all: true, .. }]));
    // one face turned
    let mut mixed = good.clone();
    mixed.faces[0].reverse();
    assert!(matches!(problems(&mixed)[..], [MeshProblem::Against { count: 4, .. }]));
    assert_eq!(surface(&mixed).inspect().facing, Facing::Mixed);
    // a face twice
    let mut twice = good.clone();
    twice.faces.push(vec![0, 4, 6, 2]);
    assert!(problems(&twice).iter().any(|p| matches!(p, MeshProblem::Duplicate { count: 2, .. })));
    assert!(problems(&twice).iter().any(|p| matches!(p, MeshProblem::Crowded { .. })));
    // a needle, and a face that collapses
    let mut needle = good.clone();
    needle.vertices.extend([[0.5, 0.0, 0.0], [0.5, 1e-12, 0.0]]);
    needle.faces.extend([vec![0, 1, 8], vec![8, 9, 8]]);
    assert!(problems(&needle).iter().any(|p| matches!(p, MeshProblem::Degenerate { count: 1, .. })));
    assert!(problems(&needle).iter().any(|p| matches!(p, MeshProblem::Collapsed { count: 1, face: 7 })));
}

#[test]
fn crossings_are_found_and_neighbours_are_none() {
    let a = cuboid([0.0; 3], [1.0; 3]);
    let crossing = |b: &Polygons| !surface(&joined(&a, b)).inspect().intersections.is_empty();
    assert!(crossing(&cuboid([0.5; 3], [2.0; 3])));
    assert!(crossing(&cuboid([0.25, 0.25, 0.5], [0.75, 0.75, 4.0])), "through the middle of a face");
    assert!(crossing(&cuboid([0.25, 0.25, 1.0], [0.75, 0.75, 2.0])), "standing on it");
    assert!(!crossing(&cuboid([0.25; 3], [0.75; 3])), "inside without touching");
    assert!(!crossing(&cuboid([1.0 + 1e-6; 3], [2.0; 3])));
    // a fan folded back over itself along an edge
    let folded = Polygons {
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, 0.5, 0.0]],
        faces: vec![vec![0, 1, 2], vec![1, 0, 3]],
    };
    assert_eq!(surface(&folded).inspect().intersections, [[0, 1]]);
}

#[test]
fn cavities_look_into_themselves() {
    let outer = cuboid([0.0; 3], [3.0; 3]);
    let hole = cuboid([1.0; 3], [2.0; 3]);
    let found = surface(&joined(&outer, &turned(&hole))).inspect();
    assert!(found.problems().is_empty() && found.components == 2);
    assert!((found.volume.unwrap() - 26.0).abs() < 1e-13);
    let wrong = surface(&joined(&outer, &hole)).inspect();
    assert!(matches!(wrong.problems()[..], [MeshProblem::Inverted { all: false, count: 1, triangle: 12 }]));
    assert_eq!(wrong.facing, Facing::Mixed);
}

#[test]
fn the_worst_vertex_of_a_hollow_is_named() {
    let mut dented = cuboid([0.0; 3], [1.0; 3]);
    // the top as four triangles about a point below it
    dented.vertices.push([0.5, 0.5, 0.9]);
    dented.faces.pop();
    dented.faces.extend([[4, 5], [5, 7], [7, 6], [6, 4]].map(|[a, b]| vec![a, b, 8]));
    let found = surface(&dented).inspect();
    assert!(found.problems().is_empty());
    let Some(MeshProblem::NotConvex { height, .. }) = found.not_convex() else { panic!() };
    // the far rim over the plane of a triangle that falls 0.1 in 0.5 and goes on to 1: 0.2 below, seen along
    // the normal
    assert!((height - 0.2 / (1.0f64 + 0.04).sqrt()).abs() < 1e-12, "{height}");
}

#[test]
fn closed_forms_are_met() {
    let mass = surface(&cuboid([1.0, -1.0, 5.0], [3.0, 2.0, 9.0])).mass_properties();
    let (a, b, c) = (2.0, 3.0, 4.0);
    assert!((mass.volume - a * b * c).abs() < 1e-13);
    assert!((mass.centroid - Vector::<3>::new(2.0, 0.5, 7.0)).norm() < 1e-14);
    let moment = |p: f64, q: f64| a * b * c * (p * p + q * q) / 12.0;
    let wanted = Matrix::<3, 3>::from_diagonal(&Vector::<3>::new(moment(b, c), moment(a, c), moment(a, b)));
    assert!((mass.inertia - wanted).norm() < 1e-12, "{}", mass.inertia);
    // far from the origin nothing is lost
    let far = surface(&cuboid([1e6, 1e6, 1e6], [1e6 + a, 1e6 + b, 1e6 + c])).mass_properties();
    assert!((far.inertia - wanted).norm() < 1e-8 * wanted.norm());
    // a torus of many facets approaches the smooth one with the square of their size
    let (big, small) = (2.0, 0.5);
    let volume = 2.0 * PI * PI * big * small * small;
    let about = volume * (big * big + 0.75 * small * small);
    let errors = [40, 80].map(|n| {
        let mass = surface(&torus(big, small, 2 * n, n)).mass_properties();
        [(mass.volume / volume - 1.0).abs(), (mass.inertia[(2, 2)] / about - 1.0).abs()]
    });
    for (coarse, fine) in errors[0].iter().zip(errors[1]) {
        assert!(fine < 0.01 && (coarse / fine - 4.0).abs() < 0.05, "{errors:?}");
    }
}

#[test]
fn fine_voxels_agree() {
    for polygons in [prism(&ELL, 1.5), prism(&star(), 0.5), torus(1.0, 0.4, 16, 9)] {
        let surface = surface(&polygons);
        let [low, high] = surface.inspect().bounds;
        let n = 60;
        let step = (high - low) / n as f64;
        let (mut count, mut first, mut second) = (0.0, Vector::<3>::zeros(), Matrix::<3, 3>::zeros());
        for index in 0..n * n * n {
            let cell = Vector::<3>::new((index % n) as f64, (index / n % n) as f64, (index / n / n) as f64);
            let point = low + (cell + Vector::repeat(0.5)).component_mul(&step);
            if is_inside(&surface, &point) {
                count += 1.0;
                first += point;
                second += point * point.transpose();
            }
        }
        let voxel = step.product();
        let mass = surface.mass_properties();
        let centroid = first / count;
        let second = (second - centroid * centroid.transpose() * count) * voxel;
        let inertia = Matrix::<3, 3>::identity() * second.trace() - second;
        assert!((count * voxel / mass.volume - 1.0).abs() < 0.02, "{} {}", count * voxel, mass.volume);
        assert!((centroid - mass.centroid).norm() < 0.01);
        assert!((inertia - mass.inertia).norm() < 0.03 * inertia.norm(), "{inertia} {}", mass.inertia);
    }
}

/// All pairs of pieces, by chance: a point is in at most one, and in one exactly if it is in the solid.
fn check_pieces(surface: &Surface, tolerance: f64, most: usize) -> usize {
    let cut = surface.decompose(tolerance, most).unwrap();
    let again = surface.decompose(tolerance, most).unwrap();
    assert_eq!(cut, again, "always the same");
    let planes: Vec<Vec<(Vector<3>, f64)>> = cut
        .pieces
        .iter()
        .map(|piece| {
            let plane = |face: &Vec<u32>| {
                let at = |k: usize| piece.vertices[face[k] as usize];
                let area: Vector<3> =
                    (1..face.len() - 1).map(|k| (at(k) - at(0)).cross(&(at(k + 1) - at(0)))).sum();
                let normal = area.normalize();
                (normal, normal.dot(&at(0)))
            };
            piece.faces.iter().map(plane).collect()
        })
        .collect();
    let size = surface.size();
    // convex: every vertex below every face
    for (piece, planes) in cut.pieces.iter().zip(&planes) {
        for (normal, offset) in planes {
            let worst = piece.vertices.iter().map(|v| normal.dot(v) - offset).fold(0.0, f64::max);
            assert!(worst < 3e-7 * size, "{worst}");
        }
    }
    let [low, high] = surface.inspect().bounds;
    let mut random = Pcg64::new(7, 11);
    for _ in 0..20_000 {
        let point = low + (high - low).map(|length| length * random.random::<f64>());
        // those within a millionth of a plane are for rounding to decide
        let depth = |planes: &Vec<(Vector<3>, f64)>| {
            planes.iter().map(|(normal, offset)| offset - normal.dot(&point)).fold(f64::INFINITY, f64::min)
        };
        let depths: Vec<f64> = planes.iter().map(depth).collect();
        let holding = depths.iter().filter(|depth| **depth > 1e-6 * size).count();
        assert!(holding <= 1, "in {holding} pieces");
        let near = depths.iter().any(|depth| depth.abs() <= 1e-6 * size);
        if tolerance == 0.0 && !near {
            assert_eq!(holding == 1, is_inside(surface, &point), "{point}");
        }
    }
    if tolerance == 0.0 {
        assert!(cut.volume_error.abs() < 1e-9, "{}", cut.volume_error);
    }
    cut.pieces.len()
}

#[test]
fn polyhedra_fall_into_few_exact_pieces() {
    assert_eq!(check_pieces(&surface(&cuboid([0.0; 3], [1.0, 2.0, 3.0])), 0.0, 10), 1);
    assert_eq!(check_pieces(&surface(&prism(&ELL, 1.5)), 0.0, 10), 2);
    let channel =
        [[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [2.0, 2.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    assert_eq!(check_pieces(&surface(&prism(&channel, 1.0)), 0.0, 10), 3);
    // five reflex edges need at least four cuts of which each resolves at most two
    let count = check_pieces(&surface(&prism(&star(), 0.5)), 0.0, 20);
    assert!(count <= 6, "{count}");
    let apart = joined(&cuboid([0.0; 3], [1.0; 3]), &cuboid([2.0, 0.3, 0.1], [3.0, 4.0, 1.0]));
    assert_eq!(check_pieces(&surface(&apart), 0.0, 10), 2);
    let hollow = joined(&cuboid([0.0; 3], [3.0; 3]), &turned(&cuboid([1.0; 3], [2.0; 3])));
    let count = check_pieces(&surface(&hollow), 0.0, 20);
    assert_eq!(count, 6, "a box with a cavity");
    let ring = check_pieces(&surface(&torus(2.0, 0.5, 6, 4)), 0.0, 100);
    assert!(ring <= 18, "{ring}");
}

#[test]
fn turned_and_scaled_solids_fall_into_as_many() {
    let turn = drystone_math::Orientation::from_euler_angles(0.3, -1.1, 2.0);
    for scale in [1e-6, 1.0, 1e6] {
        let mut polygons = prism(&star(), 0.5);
        for vertex in &mut polygons.vertices {
            *vertex = (turn * Vector::<3>::from(*vertex) * scale + Vector::repeat(3.0 * scale)).into();
        }
        let count = check_pieces(&surface(&polygons), 0.0, 20);
        assert!(count <= 6, "{count} at {scale}");
    }
}

#[test]
fn seven_digits_make_no_more_pieces() {
    let turn = drystone_math::Orientation::from_euler_angles(0.3, -1.1, 2.0);
    let mut polygons = prism(&ELL, 1.5);
    for vertex in &mut polygons.vertices {
        *vertex = (turn * Vector::<3>::from(*vertex)).map(|x| f64::from(x as f32)).into();
    }
    let cut = surface(&polygons).decompose(0.0, 10).unwrap();
    assert_eq!(cut.pieces.len(), 2);
    assert!(cut.volume_error.abs() < 1e-5, "{}", cut.volume_error);
}

#[test]
fn smooth_solids_are_approximated() {
    let surface = surface(&torus(2.0, 0.5, 32, 16));
    let mut last = usize::MAX;
    for tolerance in [0.02, 0.05, 0.1] {
        let count = check_pieces(&surface, tolerance, 300);
        let cut = surface.decompose(tolerance, 300).unwrap();
        assert!(cut.volume_error.abs() < 3.0 * tolerance, "{count} {}", cut.volume_error);
        assert!(count > 3 && count <= last, "{count}");
        last = count;
    }
}

#[test]
fn what_bounds_no_solid_is_not_cut() {
    let mut open = cuboid([0.0; 3], [1.0; 3]);
    open.faces.pop();
    for polygons in [
        open,
        turned(&cuboid([0.0; 3], [1.0; 3])),
        joined(&cuboid([0.0; 3], [1.0; 3]), &cuboid([0.5; 3], [2.0; 3])),
    ] {
        let error = surface(&polygons).decompose(0.0, 10).unwrap_err();
        assert!(error.to_string().starts_with("the mesh bounds no solid: "), "{error}");
    }
    let ring = surface(&torus(2.0, 0.5, 32, 16));
    assert!(ring.decompose(0.0, 5).unwrap_err().to_string().contains("more than 5 convex pieces"));
    assert!(ring.decompose(f64::NAN, 5).is_err());
}
