//! Surfaces against planes, closed forms and each other: no contact with an edge that is not there.

use crate::common::*;
use drystone_detect::ContactPoint;
use drystone_geometry::{Polytope, Shape, Surface};
use drystone_math::{Orientation, Pose, Vector};
use rand::RngExt;
use rand_pcg::Pcg64;

/// A level grid of squares of side 0.37 cut into triangles, its cuts at random, tilted as `pose` says.
fn flat_mesh(rng: &mut Pcg64, side: usize) -> Surface<3> {
    let place = |k: usize| 0.37 * (k as f64 - 0.5 * side as f64);
    let vertices =
        (0..side * side).map(|k| Vector::<3>::new(place(k % side), place(k / side), 0.0)).collect::<Vec<_>>();
    let mut triangles = Vec::new();
    for j in 0..side as u32 - 1 {
        for i in 0..side as u32 - 1 {
            let a = j * side as u32 + i;
            let [b, c, d] = [a + 1, a + side as u32 + 1, a + side as u32];
            let cut = if rng.random_bool(0.5) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            triangles.extend(cut);
        }
    }
    Surface::triangles(vertices, triangles).unwrap()
}

fn solids(rng: &mut Pcg64) -> Vec<Shape<3>> {
    vec![
        Shape::ball(0.3).unwrap(),
        Shape::capsule(0.5, 0.2).unwrap(),
        Shape::rounded(polyhedron(rng, 0.4), 0.1).unwrap(),
        polyhedron(rng, 0.5).into(),
        Polytope::cuboid([0.5, 0.8, 0.3]).unwrap().into(),
        Shape::cylinder(0.3, 0.4).unwrap(),
        Shape::Point,
    ]
}

/// The contacts of a body with a plane, whichever way the plane is made.
fn values<const D: usize>(touches: &[ContactPoint<D>]) -> Vec<(f64, Vector<D>, Vector<D>)> {
    let mut values: Vec<_> = touches.iter().map(|t| (t.gap, t.point, normal(t))).collect();
    values.sort_by(|a, b| a.1[0].total_cmp(&b.1[0]).then(a.1[1].total_cmp(&b.1[1])));
    values
}

#[test]
fn every_solid_feels_a_flat_mesh_as_a_plane() {
    let rng = &mut random(1);
    let mesh: Shape<3> = flat_mesh(rng, 21).into();
    let mut seen = 0;
    for round in 0..200 {
        let ground = if round % 2 == 0 { Pose::identity() } else { pose::<3>(rng, 5.0) };
        for shape in solids(rng) {
            let upright = round % 3 == 0;
            let mut place = pose::<3>(rng, 1.0);
            if upright {
                // exactly flat, exactly over edges and vertices of the mesh
                place.orientation = Orientation::identity();
                place.position = place.position.map(|x| (x / 0.185).round() * 0.185);
            }
            // rest on the plane, then off by a little
            let low = touch((&shape, place), (&Shape::HalfSpace, Pose::identity()), 10.0);
            let low = low.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
            place.position[2] -= low + [1e-3, 0.0, -1e-3][round % 3];
            let place = ground.compose(&place);
            let on_plane = touch((&shape, place), (&Shape::HalfSpace, ground), 0.02);
            let on_mesh = touch((&shape, place), (&mesh, ground), 0.02);
            let swapped = touch((&mesh, ground), (&shape, place), 0.02);
            assert_eq!(on_plane.len(), on_mesh.len(), "{shape:?} {on_plane:#?} {on_mesh:#?}");
            assert_eq!(swapped.len(), on_mesh.len());
            for ((one, two), three) in values(&on_plane).iter().zip(values(&on_mesh)).zip(values(&swapped)) {
                assert!((one.0 - two.0).abs() < 1e-13 && (one.1 - two.1).norm() < 1e-13);
                assert!((one.2 - two.2).norm() < 1e-13 && (one.2 + three.2).norm() < 1e-13);
            }
            let mut names: Vec<_> = on_mesh.iter().map(|t| t.feature).collect();
            names.dedup();
            assert_eq!(names.len(), on_mesh.len());
            seen += names.len();
        }
    }
    assert!(seen > 2000);
}

#[test]
fn names_on_a_flat_mesh_last_while_a_body_slides() {
    let rng = &mut random(2);
    let mesh: Shape<3> = flat_mesh(rng, 21).into();
    let cube: Shape<3> = Polytope::cuboid([0.5; 3]).unwrap().into();
    let names = |x: f64| {
        let touches =
            touch((&cube, Pose::at(Vector::<3>::new(x, 0.3 * x, 0.25))), (&mesh, Pose::identity()), 0.01);
        touches.iter().map(|t| t.feature).collect::<Vec<_>>()
    };
    assert_eq!(names(0.0).len(), 4);
    for k in 0..400 {
        assert_eq!(names(0.005 * k as f64), names(0.0));
    }
}

/// The nearest point of a triangle: of its plane, its sides and its corners, whichever comes first.
fn distance_to_triangle(p: &Vector<3>, t: [Vector<3>; 3]) -> (f64, bool) {
    let n = (t[1] - t[0]).cross(&(t[2] - t[0])).normalize();
    let inside = (0..3).all(|k| (t[(k + 1) % 3] - t[k]).cross(&(p - t[k])).dot(&n) >= 0.0);
    let height = n.dot(&(p - t[0]));
    if inside {
        return (height.abs(), height >= 0.0);
    }
    let side = |k: usize| {
        let d = t[(k + 1) % 3] - t[k];
        let s = ((p - t[k]).dot(&d) / d.norm_squared()).clamp(0.0, 1.0);
        (p - t[k] - d * s).norm()
    };
    ((0..3).map(side).fold(f64::INFINITY, f64::min), height >= 0.0)
}

#[test]
fn balls_over_rough_terrain_know_their_distance() {
    let rng = &mut random(3);
    let heights: Vec<f64> = (0..30 * 30).map(|_| rng.random_range(0.0..0.6)).collect();
    let terrain = Surface::height_field([-3.0, -3.0], 0.2, 30, &heights).unwrap();
    let triangles: Vec<[Vector<3>; 3]> =
        terrain.pieces().map(|piece| piece.map(|v| terrain.vertices()[v as usize])).collect();
    let terrain: Shape<3> = terrain.into();
    let mut several = 0;
    for _ in 0..2000 {
        let radius = rng.random_range(0.05..0.5);
        let mut centre = vector::<3>(rng) * 2.0;
        centre[2] = rng.random_range(0.6..0.65 + radius);
        let ball = Shape::ball(radius).unwrap();
        let touches = touch((&ball, Pose::at(centre)), (&terrain, Pose::identity()), 2.0);
        let exact =
            triangles.iter().map(|&t| distance_to_triangle(&centre, t).0).fold(f64::INFINITY, f64::min);
        let least = touches.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
        assert!((least - (exact - radius)).abs() < 1e-12, "{least} {}", exact - radius);
        for touch in &touches {
            // every contact is a local nearest point: a step along the normal leads away from it by that step
            let foot = touch.point - normal(touch) * (0.5 * touch.gap);
            assert!(((centre - foot).norm() - touch.gap - radius).abs() < 1e-12);
            assert!(((centre - foot).normalize() - normal(touch)).norm() < 1e-9);
        }
        let close = touch((&ball, Pose::at(centre)), (&terrain, Pose::identity()), 0.0);
        several += usize::from(close.len() > 1);
        for (k, one) in close.iter().enumerate() {
            assert!(close[..k].iter().all(|two| (one.point - two.point).norm() > 1e-9), "{close:?}");
        }
    }
    assert!(several > 30, "{several}");
}

fn triangulated(form: &Polytope<3>) -> Surface<3> {
    let triangles = form.faces().iter().flat_map(|face| {
        let v = &face.vertices;
        (1..v.len() - 1).map(|k| [v[0], v[k], v[k + 1]]).collect::<Vec<_>>()
    });
    Surface::triangles(form.vertices().to_vec(), triangles.collect()).unwrap()
}

/// Moves a body towards the other until they overlap by 1e-5: the gap there, and the new pose.
fn just_touching<const D: usize>(
    shape: &Shape<D>,
    mut pose: Pose<D>,
    other: &Shape<D>,
    place: Pose<D>,
) -> Option<(f64, Pose<D>)> {
    let way = (pose.position - place.position).normalize();
    for _ in 0..40 {
        let touches = touch((shape, pose), (other, place), 3.0);
        let least = touches.iter().min_by(|a, b| a.gap.total_cmp(&b.gap))?;
        if (least.gap + 1e-5).abs() < 1e-6 {
            return Some((least.gap, pose));
        }
        pose.position -= way * ((least.gap + 1e-5) / normal(least).dot(&way).max(0.3));
    }
    None
}

/// Closed surfaces of convex bodies touch others where the convex bodies do.
#[test]
fn surfaces_of_convex_bodies_touch_like_the_bodies() {
    let rng = &mut random(4);
    let (mut met, mut exact, mut lost) = ([0; 8], [0; 8], [0; 8]);
    for _ in 0..300 {
        let form = polyhedron(rng, 1.0);
        let surface: Shape<3> = triangulated(&form).into();
        let form: Shape<3> = form.into();
        for (kind, shape) in solids(rng).into_iter().enumerate().take(6) {
            let place = pose::<3>(rng, 0.0);
            let mut other = pose::<3>(rng, 0.0);
            other.position = vector::<3>(rng).normalize() * rng.random_range(0.8..1.3);
            let Some((least, other)) = just_touching(&shape, other, &form, place) else { continue };
            let touches = touch((&shape, other), (&surface, place), 0.01);
            let hollow = touches.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
            met[kind] += 1;
            exact[kind] += usize::from((hollow - least).abs() < 1e-9);
            lost[kind] += usize::from((hollow - least).abs() > 3e-5);
        }
    }
    // where a vertex pokes through near an edge, more than one way out is as good
    println!("{met:?} {exact:?} {lost:?}");
    assert!((0..6).all(|kind| met[kind] > 100 && exact[kind] * 100 > met[kind] * 97), "{met:?} {exact:?}");
    assert_eq!(lost, [0; 8]);
}

#[test]
fn an_outline_touches_like_its_polygon() {
    let rng = &mut random(5);
    let (mut met, mut exact, mut lost) = (0, 0, 0);
    for _ in 0..2000 {
        let (one, two) = (polygon(rng, 1.0), polygon(rng, 0.7));
        let [ring, other] =
            [&one, &two].map(|form| Shape::from(Surface::outline(form.vertices().to_vec()).unwrap()));
        let (place, mut at) = (pose::<2>(rng, 0.0), pose::<2>(rng, 0.0));
        at.position = vector::<2>(rng).normalize() * rng.random_range(0.8..1.7);
        let (one, two): (Shape<2>, Shape<2>) = (one.into(), two.into());
        let Some((gap, place)) = just_touching(&one, place, &two, at) else { continue };
        let least = |touches: &[ContactPoint<2>]| touches.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min);
        let with_form = least(&touch((&ring, place), (&two, at), 0.05));
        let with_ring = least(&touch((&ring, place), (&other, at), 0.05));
        met += 1;
        exact += usize::from((with_form - gap).abs() < 1e-12 && (with_ring - gap).abs() < 1e-12);
        lost += usize::from((with_form - gap).abs() > 3e-5 || (with_ring - gap).abs() > 3e-5);
    }
    println!("{met} {exact} {lost}");
    assert_eq!(lost, 0);
    assert!(met > 500 && exact * 100 > met * 97, "{met} {exact}");
}

#[test]
fn a_star_holds_a_ball_in_its_notch_and_a_polyline_its_valley() {
    let star: Vec<Vector<2>> = (0..10)
        .map(|k| {
            let (angle, radius) =
                (std::f64::consts::PI * (k as f64 / 5.0 + 0.5), if k % 2 == 0 { 1.0 } else { 0.4 });
            Vector::<2>::new(radius * angle.cos(), radius * angle.sin())
        })
        .collect();
    let star: Shape<2> = Surface::outline(star).unwrap().into();
    let ball = Shape::ball(0.1).unwrap();
    // down a notch on its axis of symmetry until it touches both flanks
    let axis = Vector::<2>::new(-(std::f64::consts::PI * 0.2).sin(), (std::f64::consts::PI * 0.2).cos());
    let gaps = |height: f64| touch((&ball, Pose::at(axis * height)), (&star, Pose::identity()), 0.01);
    let resting =
        (0..6000).map(|k| 1.0 - 1e-4 * k as f64).find(|&height| gaps(height).iter().any(|t| t.gap <= 0.0));
    let touches = gaps(resting.unwrap());
    assert_eq!(touches.len(), 2, "{touches:?}");
    assert!((touches[0].gap - touches[1].gap).abs() < 1e-12);
    let tip = touch((&ball, Pose::at(Vector::<2>::new(0.0, 1.1))), (&star, Pose::identity()), 0.01);
    assert_eq!(tip.len(), 1);
    assert!(tip[0].gap.abs() < 1e-12 && (normal(&tip[0]) - Vector::<2>::y()).norm() < 1e-12);
    let valley = [[-2.0, 1.0], [-1.0, 1.0], [0.0, 0.0], [1.0, 1.0], [1.5, 1.0], [2.0, 1.0]];
    let valley: Shape<2> = Surface::polyline(valley.map(Vector::<2>::from).to_vec()).unwrap().into();
    let at =
        |x: f64, y: f64| touch((&ball, Pose::at(Vector::<2>::new(x, y))), (&valley, Pose::identity()), 0.01);
    assert_eq!(at(0.0, 0.1 * 2f64.sqrt()).len(), 2);
    // over a vertex in the middle of a straight part there is one contact, from below none
    assert_eq!(at(1.5, 1.1).len(), 1);
    assert_eq!(at(1.5, 0.7).len(), 0);
    let square: Shape<2> = Polytope::rectangle([0.4, 0.4]).unwrap().into();
    let flat = touch((&square, Pose::at(Vector::<2>::new(1.5, 1.2))), (&valley, Pose::identity()), 0.01);
    assert_eq!(flat.len(), 2, "{flat:?}");
    // over the brink: one corner of the square and the brink
    let brink = touch((&square, Pose::at(Vector::<2>::new(-1.0, 1.2))), (&valley, Pose::identity()), 0.01);
    assert_eq!(brink.len(), 2, "{brink:?}");
}

#[test]
fn a_box_on_a_smaller_plateau_rests_on_its_rim() {
    let plateau: Shape<3> = triangulated(&Polytope::cuboid([1.0, 1.0, 0.5]).unwrap()).into();
    let slab: Shape<3> = Polytope::cuboid([2.0, 0.6, 0.2]).unwrap().into();
    let touches =
        touch((&slab, Pose::at(Vector::<3>::new(0.1, 0.0, 0.35))), (&plateau, Pose::identity()), 0.01);
    let points: Vec<_> = touches.iter().map(|t| t.point.map(|x| (x * 1e9).round() / 1e9)).collect();
    for corner in [[-0.5, -0.3], [0.5, -0.3], [0.5, 0.3], [-0.5, 0.3]] {
        assert!(points.iter().any(|p| (p.xy() - Vector::<2>::from(corner)).norm() < 1e-9), "{touches:#?}");
    }
    assert!(touches.iter().all(|t| t.gap.abs() < 1e-12 && (normal(t) - Vector::<3>::z()).norm() < 1e-9));
    assert_eq!(touches.len(), 4, "{touches:#?}");
    // and the surface of a cube on the surface of a plateau
    let cube: Shape<3> = triangulated(&Polytope::cuboid([0.4; 3]).unwrap()).into();
    let touches =
        touch((&cube, Pose::at(Vector::<3>::new(0.5, 0.0, 0.45))), (&plateau, Pose::identity()), 0.01);
    assert_eq!(touches.len(), 4, "{touches:#?}");
}

/// A block in the form of a U, on its two feet of 1 by 1, its outline from (0, 0) to (3, 1): as LMGC90's test
/// has one.
fn bridge() -> Surface<3> {
    let outline =
        [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [2.0, 2.0], [2.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]];
    let corner = |y: f64| move |[x, z]: [f64; 2]| Vector::<3>::new(x, y, z);
    let vertices = outline.into_iter().map(corner(0.0)).chain(outline.into_iter().map(corner(1.0)));
    let cap = [[0, 1, 2], [0, 2, 7], [2, 3, 6], [2, 6, 7], [3, 4, 5], [3, 5, 6]];
    let mut triangles = cap.to_vec();
    triangles.extend(cap.map(|[a, b, c]| [a + 8, c + 8, b + 8]));
    for a in 0..8u32 {
        let b = (a + 1) % 8;
        triangles.extend([[b, a, a + 8], [b, a + 8, b + 8]]);
    }
    Surface::triangles(vertices.collect(), triangles).unwrap()
}

/// Each foot has four corners, and where a corner of the foot lies on one of the block below that is one
/// contact.
#[test]
fn a_block_on_two_feet_touches_at_eight_points_whatever_is_flush() {
    let feet: Shape<3> = bridge().into();
    let slab = |low: [f64; 2], high: [f64; 2]| {
        let size = [high[0] - low[0], high[1] - low[1], 1.0];
        let middle = Vector::<3>::new(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), -0.5);
        (Polytope::cuboid(size).unwrap(), middle)
    };
    // wider all round, flush on one end, on both ends, along one side, all round
    for (low, high) in [
        ([-1.0, -1.0], [4.0, 2.0]),
        ([0.0, -1.0], [4.0, 2.0]),
        ([0.0, 0.0], [4.0, 2.0]),
        ([0.0, -1.0], [3.0, 2.0]),
        ([-1.0, 0.0], [4.0, 1.0]),
        ([0.0, 0.0], [3.0, 1.0]),
    ] {
        let (form, middle) = slab(low, high);
        let skin = form.faces().iter().flat_map(|face| {
            let loop_of = &face.vertices;
            (1..loop_of.len() - 1).map(|k| [loop_of[0], loop_of[k], loop_of[k + 1]]).collect::<Vec<_>>()
        });
        let surface: Shape<3> = Surface::triangles(form.vertices().to_vec(), skin.collect()).unwrap().into();
        let solid: Shape<3> = form.into();
        for below in [&solid, &surface] {
            for gap in [0.0, 1e-3, -1e-4] {
                let place = Pose::at(Vector::<3>::new(0.0, 0.0, gap));
                for exchanged in [false, true] {
                    let (one, two) = ((&feet, place), (below, Pose::at(middle)));
                    let touches = if exchanged { touch(two, one, 0.01) } else { touch(one, two, 0.01) };
                    assert_eq!(touches.len(), 8, "{low:?} {high:?} {gap} {exchanged} {touches:#?}");
                    let far =
                        |one: &ContactPoint<3>, two: &ContactPoint<3>| (one.point - two.point).norm() > 0.9;
                    for (k, touch) in touches.iter().enumerate() {
                        assert!((touch.gap - gap).abs() < 1e-12 && normal(touch)[2].abs() > 1.0 - 1e-12);
                        assert!(touches[..k].iter().all(|other| far(touch, other)));
                    }
                }
            }
        }
    }
}
