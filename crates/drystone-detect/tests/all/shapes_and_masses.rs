//! What the constructors accept, what they refuse and say, and what the shapes weigh.

use crate::common::*;
use drystone_geometry::{Polytope, Shape, ShapeError};
use drystone_math::{Matrix, Pose, Vector};
use proptest::prelude::*;

fn points<const D: usize>(list: &[[f64; D]]) -> Vec<Vector<D>> {
    list.iter().map(|&point| point.into()).collect()
}

fn cube_points() -> Vec<Vector<3>> {
    Polytope::cuboid([2.0; 3]).unwrap().vertices().to_vec()
}

/// A change of the vertices and faces of a cube.
type Edit<'a> = &'a dyn Fn(&mut Vec<Vector<3>>, &mut Vec<Vec<usize>>);

/// Two triangles per face, counter-clockwise seen from outside.
fn cube_triangles() -> Vec<Vec<usize>> {
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    quads.iter().flat_map(|&[a, b, c, d]| [vec![a, b, c], vec![a, c, d]]).collect()
}

#[test]
fn polygons_are_refused_with_the_vertex_at_fault() {
    let refuse = |list: &[[f64; 2]]| Polytope::polygon(points(list)).unwrap_err();
    assert_eq!(refuse(&[[0.0, 0.0], [1.0, 0.0]]), ShapeError::TooFewVertices { found: 2, needed: 3 });
    assert_eq!(refuse(&[[0.0, 0.0], [1.0, f64::NAN], [0.0, 1.0]]), ShapeError::NotFinite { vertex: 1 });
    assert_eq!(
        refuse(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]),
        ShapeError::RepeatedVertex { first: 0, second: 3 }
    );
    assert_eq!(refuse(&[[0.0, 0.0]; 3]), ShapeError::RepeatedVertex { first: 0, second: 1 });
    assert_eq!(
        refuse(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]]),
        ShapeError::ReflexVertex { vertex: 3 }
    );
    // the same clockwise
    assert_eq!(
        refuse(&[[0.0, 4.0], [2.0, 1.0], [4.0, 4.0], [4.0, 0.0], [0.0, 0.0]]),
        ShapeError::ReflexVertex { vertex: 1 }
    );
    let star: Vec<[f64; 2]> =
        (0..5).map(|k| (k as f64 * 0.8 * std::f64::consts::PI).sin_cos().into()).collect();
    assert_eq!(refuse(&star), ShapeError::SelfIntersecting);
    assert!(matches!(
        refuse(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]),
        ShapeError::Flat { dimension: 2 } | ShapeError::SelfIntersecting
    ));
    // a bow tie turns both ways
    assert!(matches!(
        refuse(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]),
        ShapeError::ReflexVertex { .. } | ShapeError::SelfIntersecting
    ));
    assert!(matches!(refuse(&[[0.0, 0.0], [1e70, 0.0], [0.0, 1e70]]), ShapeError::OutOfScale { .. }));
    assert!(matches!(Polytope::rectangle([1.0, -2.0]), Err(ShapeError::NotPositive { .. })));
    assert!(matches!(Shape::<2>::ball(0.0), Err(ShapeError::NotPositive { .. })));
    assert!(matches!(
        Polytope::polygon(vec![Vector::<2>::zeros(); (1 << 20) + 1]),
        Err(ShapeError::TooMany { .. })
    ));
}

#[test]
fn polygons_are_turned_and_cleaned() {
    let clockwise =
        Polytope::polygon(points(&[[0.0, 0.0], [0.0, 1.0], [0.5, 1.0], [1.0, 1.0], [1.0, 0.0]])).unwrap();
    assert_eq!((clockwise.vertices().len(), clockwise.faces().len()), (4, 4));
    assert!((clockwise.mass_properties().volume - 1.0).abs() < 1e-15);
    for face in clockwise.faces() {
        let middle = Vector::<2>::new(0.5, 0.5);
        assert!(face.normal.dot(&(clockwise.vertices()[face.vertices[0] as usize] - middle)) > 0.0);
    }
}

#[test]
fn polyhedra_are_refused_with_the_part_at_fault() {
    let refuse =
        |points: Vec<Vector<3>>, faces: Vec<Vec<usize>>| Polytope::polyhedron(points, faces).unwrap_err();
    let change = |edit: Edit| {
        let (mut points, mut faces) = (cube_points(), cube_triangles());
        edit(&mut points, &mut faces);
        refuse(points, faces)
    };
    assert_eq!(change(&|p, _| p.truncate(3)), ShapeError::TooFewVertices { found: 3, needed: 4 });
    assert_eq!(change(&|p, _| p[5][1] = f64::INFINITY), ShapeError::NotFinite { vertex: 5 });
    assert_eq!(change(&|p, _| p[6] = p[2]), ShapeError::RepeatedVertex { first: 2, second: 6 });
    assert_eq!(change(&|_, f| f[3] = vec![1, 2]), ShapeError::FaceTooSmall { face: 3, found: 2 });
    let huge = usize::MAX;
    assert_eq!(
        change(&|_, f| f[3][1] = huge),
        ShapeError::VertexOutOfRange { face: 3, vertex: huge, vertices: 8 }
    );
    assert_eq!(change(&|_, f| f[3] = vec![1, 5, 1]), ShapeError::RepeatedInFace { face: 3, vertex: 1 });
    assert_eq!(change(&|p, _| p.push(Vector::zeros())), ShapeError::UnusedVertex { vertex: 8 });
    assert!(matches!(change(&|_, f| drop(f.pop())), ShapeError::OpenEdge { .. }));
    assert!(matches!(change(&|_, f| f.clear()), ShapeError::UnusedVertex { vertex: 0 }));
    assert!(matches!(change(&|_, f| f.push(f[0].clone())), ShapeError::CrowdedEdge { .. }));
    assert!(matches!(change(&|_, f| f[2].reverse()), ShapeError::MixedOrientation { .. }));
    // a vertex pushed in: the triangles around it fold inwards
    assert!(matches!(change(&|p, _| p[7] *= 0.2), ShapeError::NotConvex { .. }));
    let mut bent = cube_points();
    bent[7] *= 1.1;
    let quads = Polytope::cuboid([2.0; 3]).unwrap();
    let quads =
        quads.faces().iter().map(|face| face.vertices.iter().map(|&v| v as usize).collect()).collect();
    assert!(matches!(refuse(bent, quads), ShapeError::NotPlanar { .. }));
    let flat = points(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
    let tetrahedron = || vec![vec![0, 2, 1], vec![0, 1, 3], vec![1, 2, 3], vec![2, 0, 3]];
    assert_eq!(refuse(flat, tetrahedron()), ShapeError::Flat { dimension: 3 });
    let thin = points(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, 0.3, 1e-6]]);
    assert_eq!(refuse(thin, tetrahedron()), ShapeError::Flat { dimension: 3 });
    // a face along an edge: no area
    let mut extra = cube_points();
    extra.push((extra[0] + extra[1]) * 0.5);
    let mut faces = cube_triangles();
    let at =
        faces.iter().position(|face| face.contains(&0) && face.contains(&1) && face.contains(&5)).unwrap();
    faces[at] = vec![0, 8, 5];
    faces.insert(at, vec![8, 1, 5]);
    faces.push(vec![0, 1, 8]);
    assert!(matches!(refuse(extra, faces), ShapeError::FlatFace { .. }));
    assert!(matches!(Polytope::cuboid([1.0, f64::NAN, 1.0]), Err(ShapeError::NotPositive { .. })));
}

#[test]
fn triangles_in_one_plane_become_one_face() {
    for turned in [false, true] {
        let mut faces = cube_triangles();
        if turned {
            faces.iter_mut().for_each(|face| face.reverse());
        }
        let cube = Polytope::polyhedron(cube_points(), faces).unwrap();
        assert_eq!((cube.vertices().len(), cube.faces().len(), cube.edges().len()), (8, 6, 12));
        assert!(cube.faces().iter().all(|face| face.vertices.len() == 4));
        assert!((cube.mass_properties().volume - 8.0).abs() < 1e-14);
    }
    // a vertex in the middle of a face is no corner
    let mut points = cube_points();
    points.push(Vector::<3>::new(0.0, 0.0, 1.0));
    let mut faces = cube_triangles();
    faces.truncate(10);
    faces.extend([vec![4, 5, 8], vec![5, 7, 8], vec![7, 6, 8], vec![6, 4, 8]]);
    let cube = Polytope::polyhedron(points, faces).unwrap();
    assert_eq!((cube.vertices().len(), cube.faces().len(), cube.edges().len()), (8, 6, 12));
}

#[test]
fn hulls_have_whole_faces_and_no_points_inside() {
    for size in [1e-6, 1.0, 1e6] {
        for sides in [3, 4, 6, 12, 40] {
            let form = prism(sides, size, size);
            let place = pose::<3>(&mut random(sides as u64), size);
            let moved = form.vertices().iter().map(|vertex| place.to_world(vertex)).collect();
            let hull = Polytope::hull(moved).unwrap();
            assert_eq!(hull.faces().len(), sides + 2);
            assert_eq!(hull.edges().len(), 3 * sides);
            let (one, two) = (form.mass_properties(), hull.mass_properties());
            assert!((one.volume / two.volume - 1.0).abs() < 1e-12);
        }
    }
    let rng = &mut random(1);
    for count in 4..60 {
        let cloud: Vec<Vector<3>> = (0..count).map(|_| vector::<3>(rng).normalize()).collect();
        let hull = Polytope::hull(cloud.clone()).unwrap();
        assert_eq!(hull.vertices().len(), count);
        assert_eq!(hull.vertices().len() + hull.faces().len(), hull.edges().len() + 2, "Euler");
        let mut full = cloud;
        full.insert(2, hull.mass_properties().centroid);
        full.insert(3, hull.mass_properties().centroid * 1.01 + Vector::<3>::repeat(1e-3));
        assert_eq!(Polytope::hull(full), Err(ShapeError::InteriorPoints { count: 2, first: 2 }));
    }
    let mut on_surface = cube_points();
    on_surface.push(Vector::<3>::new(0.2, 0.3, 1.0));
    on_surface.push(Vector::<3>::new(0.2, 1.0, 1.0));
    assert_eq!(Polytope::hull(on_surface).unwrap().vertices().len(), 8);
    let flat = (0..10).map(|k| Vector::<3>::new(k as f64, (k * k) as f64, 1.0)).collect();
    assert_eq!(Polytope::hull(flat), Err(ShapeError::Flat { dimension: 3 }));
    let line = (0..10).map(|k| Vector::<3>::new(k as f64, 0.0, 1.0)).collect();
    assert_eq!(Polytope::hull(line), Err(ShapeError::Flat { dimension: 3 }));
}

fn diagonal(x: f64, y: f64, z: f64) -> Matrix<3, 3> {
    Matrix::<3, 3>::from_diagonal(&Vector::<3>::new(x, y, z))
}

#[test]
fn masses_have_their_closed_forms() {
    use std::f64::consts::{PI, TAU};
    let near = |a: Matrix<3, 3>, b: Matrix<3, 3>| assert!((a - b).norm() < 1e-13 * b.norm(), "{a} {b}");
    let box_ = Polytope::cuboid([1.0, 2.0, 3.0]).unwrap().mass_properties();
    assert!((box_.volume - 6.0).abs() < 1e-14 && box_.centroid.norm() < 1e-15);
    near(box_.inertia, diagonal(6.0 * 13.0 / 12.0, 6.0 * 10.0 / 12.0, 6.0 * 5.0 / 12.0));
    let corner = points(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    let tetrahedron = Polytope::hull(corner).unwrap().mass_properties();
    assert!((tetrahedron.volume - 1.0 / 6.0).abs() < 1e-15);
    assert!((tetrahedron.centroid - Vector::<3>::repeat(0.25)).norm() < 1e-15);
    // ∫x² = 1/60 and ∫xy = 1/120 about the corner
    near(tetrahedron.inertia, Matrix::<3, 3>::from_fn(|i, j| if i == j { 1.0 / 80.0 } else { 1.0 / 480.0 }));
    for sides in [3, 5, 6, 11] {
        let (n, radius, height) = (sides as f64, 1.7, 0.6);
        let corner =
            |k: usize| Vector::<2>::new((TAU * k as f64 / n).cos(), (TAU * k as f64 / n).sin()) * radius;
        let polygon = Polytope::polygon((0..sides).map(corner).collect()).unwrap().mass_properties();
        let area = 0.5 * n * radius * radius * (TAU / n).sin();
        let polar = area * radius * radius / 6.0 * (2.0 + (TAU / n).cos());
        assert!((polygon.volume / area - 1.0).abs() < 1e-14);
        near(polygon.inertia, diagonal(0.0, 0.0, polar));
        let prism = prism(sides, radius, height).mass_properties();
        let across = height * (0.5 * polar + area * height * height / 12.0);
        assert!((prism.volume / (area * height) - 1.0).abs() < 1e-14);
        near(prism.inertia, diagonal(across, across, polar * height));
    }
    let disk = Shape::<2>::ball(2.0).unwrap().mass_properties().unwrap();
    assert_eq!((disk.volume, disk.inertia[(2, 2)]), (4.0 * PI, 8.0 * PI));
    let sphere = Shape::<3>::ball(1.0).unwrap().mass_properties().unwrap();
    near(sphere.inertia, Matrix::<3, 3>::identity() * (8.0 / 15.0 * PI));
    assert!(Shape::<3>::HalfSpace.mass_properties().is_none());
    assert_eq!(Shape::<3>::HalfSpace.bounding_radius(), f64::INFINITY);
}

#[test]
fn masses_are_the_same_far_from_the_origin() {
    let rng = &mut random(3);
    for _ in 0..100 {
        let form = polyhedron(rng, 1.0);
        let place = Pose { position: vector::<3>(rng) * 1e6, ..pose::<3>(rng, 0.0) };
        let (here, there) = (form.mass_properties(), form.transformed(&place).mass_properties());
        let rotation = place.rotation();
        assert!((here.volume - there.volume).abs() < 1e-8);
        assert!((place.to_world(&here.centroid) - there.centroid).norm() < 1e-8);
        assert!((rotation * here.inertia * rotation.transpose() - there.inertia).norm() < 1e-8);
    }
}

/// Coordinates that hurt: equal ones, huge ones, none at all.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (-3i32..4).prop_map(f64::from),
        2 => -1.0..1.0,
        1 => any::<f64>(),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(1e300), Just(5e-324), Just(1e-70)],
    ]
}

/// Whatever is accepted is sound enough to weigh and to touch.
fn sound<const D: usize>(form: Polytope<D>) {
    let mass = form.mass_properties();
    assert!(mass.volume > 0.0 && mass.volume.is_finite(), "{form:?}");
    assert!(form.faces().iter().all(|face| (face.normal.norm() - 1.0).abs() < 1e-9), "{form:?}");
    let (shape, size) = (Shape::from(form.clone()), form.size());
    let touches = touch((&shape, Pose::identity()), (&shape, Pose::identity()), 0.1 * size);
    assert!(touches.iter().all(|touch| touch.gap.is_finite() && touch.point.iter().all(|x| x.is_finite())));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_polygon_panics(list in prop::collection::vec([coordinate(), coordinate()], 0..9)) {
        if let Ok(form) = Polytope::polygon(points(&list)) {
            sound(form);
        }
    }

    #[test]
    fn no_hull_panics(list in prop::collection::vec([coordinate(), coordinate(), coordinate()], 0..12)) {
        if let Ok(form) = Polytope::hull(points(&list)) {
            sound(form);
        }
    }

    #[test]
    fn no_small_hull_panics(list in prop::collection::vec([-2i32..3, -2i32..3, -2i32..3], 0..9)) {
        if let Ok(form) = Polytope::hull(list.iter().map(|point| point.map(f64::from).into()).collect()) {
            sound(form);
        }
    }

    #[test]
    fn no_polyhedron_panics(
        list in prop::collection::vec([coordinate(), coordinate(), coordinate()], 0..9),
        faces in prop::collection::vec(prop::collection::vec(prop_oneof![9 => 0usize..9, 1 => any::<usize>()], 0..6), 0..9),
    ) {
        if let Ok(form) = Polytope::polyhedron(points(&list), faces) {
            sound(form);
        }
    }

    #[test]
    fn no_disturbed_cube_panics(
        vertex in 0usize..8, axis in 0usize..3, value in coordinate(), face in 0usize..12, rank in 0usize..3, other in 0usize..9,
    ) {
        let (mut points, mut faces) = (cube_points(), cube_triangles());
        points[vertex][axis] = value;
        if let Ok(form) = Polytope::polyhedron(points.clone(), faces.clone()) {
            sound(form);
        }
        if let Ok(form) = Polytope::hull(points) {
            sound(form);
        }
        faces[face][rank] = other;
        if let Ok(form) = Polytope::polyhedron(cube_points(), faces) {
            sound(form);
        }
    }
}
