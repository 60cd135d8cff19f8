//! A step of detection allocates nothing for its pairs and contacts, whatever the shapes: many take what few
//! take.
//!
//! A program of its own: its allocator counts.

#[path = "all/common/mod.rs"]
#[allow(dead_code)]
mod common;

use common::*;
use drystone_bench::allocations::{Counting, allocations};
use drystone_detect::Detector;
use drystone_geometry::{Contactor, Polytope, Shape, Surface};
use drystone_math::{Orientation, Pose, Vector};

#[global_allocator]
static COUNTING: Counting = Counting;

/// What bodies rest on: a wall, where it stands, and where the bodies are that touch it: by copy, kind of
/// shape and rank.
struct Ground<const D: usize> {
    wall: Shape<D>,
    at: Vector<D>,
    place: fn(f64, f64, [f64; 2]) -> Vector<D>,
}

/// Side by side along x in groups that do not meet, kinds along y (in the plane there is one at a time), the
/// second row above the first.
fn in_rows<const D: usize>(copy: f64, kind: f64, rank: [f64; 2]) -> Vector<D> {
    let mut place = Vector::<D>::zeros();
    place[0] = 3.0 * copy + 0.7 * rank[0];
    place[1] = 3.0 * kind;
    place[D - 1] += 0.7 * rank[1];
    place
}

/// Allocations of a step after a few others, and its contacts: `copies` of the shapes on the ground, in
/// groups that do not meet, each shape with a copy of itself beside and above it.
fn step<const D: usize>(ground: &Ground<D>, shapes: &[Shape<D>], copies: usize) -> (u64, usize) {
    let mut contactors = vec![Contactor { body: 0, shape: ground.wall.clone(), local: Pose::identity() }];
    let mut places = vec![ground.at];
    for copy in 0..copies {
        for (kind, shape) in shapes.iter().enumerate() {
            for rank in 0..4 {
                let body = contactors.len() as u32;
                contactors.push(Contactor { body, shape: shape.clone(), local: Pose::identity() });
                let rank = [rank % 2, rank / 2].map(f64::from);
                places.push((ground.place)(copy as f64, kind as f64, rank));
            }
        }
    }
    let margins = vec![0.05; contactors.len()];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let mut detector = Detector::new();
        let mut touches = Vec::new();
        let mut count = 0;
        // bodies sway, so that the number of contacts changes as in a real step, and comes back
        for turn in 0..9 {
            let sway = f64::from(turn % 3);
            let pose = |(k, place): (usize, &Vector<D>)| Pose {
                position: place + Vector::repeat(1e-3 * sway),
                // every other is turned a little, the floor is not
                orientation: Orientation::from_euler_angles(0.0, 0.0, 0.1 * (k % 2) as f64),
            };
            let poses: Vec<_> = places.iter().enumerate().map(pose).collect();
            (count, ()) =
                allocations(|| detector.find(&contactors, &poses, &margins, &|_, _| true, &mut touches));
        }
        (count, touches.len())
    })
}

/// The buffers of a step are lists of tasks: a few allocations however many bodies there are.
const A_FEW: u64 = 12;

fn check<const D: usize>(ground: &Ground<D>, shapes: &[Shape<D>]) {
    for shape in shapes {
        let one = std::slice::from_ref(shape);
        let ((few, contacts), (many, more)) = (step(ground, one, 2), step(ground, one, 40));
        assert!(more >= 10 * contacts && contacts > 0, "{shape:?}: {contacts} and {more} contacts");
        assert!(few <= A_FEW && many <= A_FEW, "{shape:?}: {few} allocations, {many} for {more} contacts");
    }
    let (all, contacts) = step(ground, shapes, 40);
    assert!(all <= A_FEW, "all at once: {all} allocations for {contacts} contacts");
}

fn floor<const D: usize>() -> Ground<D> {
    let at = Vector::<D>::from_fn(|axis, _| if axis == D - 1 { -0.35 } else { 0.0 });
    Ground { wall: Shape::HalfSpace, at, place: in_rows }
}

fn flat_shapes() -> Vec<Shape<2>> {
    let star: Vec<_> = (0..10)
        .map(|k| {
            let (radius, angle) =
                (if k % 2 == 0 { 0.5 } else { 0.25 }, std::f64::consts::PI * 0.2 * f64::from(k));
            Vector::<2>::new(radius * angle.cos(), radius * angle.sin())
        })
        .collect();
    vec![
        Shape::ball(0.4).unwrap(),
        Shape::capsule(0.5, 0.2).unwrap(),
        Shape::rounded_rectangle([0.8, 0.6], 0.1).unwrap(),
        polygon(&mut random(3), 0.45).into(),
        Surface::outline(star).unwrap().into(),
    ]
}

fn solid_shapes() -> Vec<Shape<3>> {
    let cube = Polytope::cuboid([0.7; 3]).unwrap();
    let triangles: Vec<[u32; 3]> = cube
        .faces()
        .iter()
        .flat_map(|face| (1..face.vertices.len() - 1).map(|k| [0, k, k + 1].map(|k| face.vertices[k])))
        .collect();
    vec![
        Shape::ball(0.4).unwrap(),
        Shape::capsule(0.5, 0.2).unwrap(),
        Shape::cylinder(0.35, 0.7).unwrap(),
        Shape::rounded(Polytope::cuboid([0.5; 3]).unwrap(), 0.1).unwrap(),
        prism(6, 0.45, 0.7).into(),
        cube.clone().into(),
        Surface::triangles(cube.vertices().to_vec(), triangles).unwrap().into(),
    ]
}

#[test]
fn contacts_in_the_plane_allocate_nothing() {
    check::<2>(&floor(), &flat_shapes());
}

#[test]
fn contacts_in_space_allocate_nothing() {
    check::<3>(&floor(), &solid_shapes());
}

/// Height of rough ground: no two pieces are in one plane.
fn rough(x: i32, y: i32) -> f64 {
    0.02 * (f64::from(x * x % 7 + 3 * x % 5) - 5.0 + f64::from(y * y % 5 - 2)) / 6.0 - 0.35
}

#[test]
fn contacts_with_open_surfaces_allocate_nothing() {
    let line = (-8..520).map(|x| Vector::<2>::new(0.25 * f64::from(x), rough(x, 0)));
    let wall = Surface::polyline(line.collect()).unwrap().into();
    check::<2>(&Ground { wall, at: Vector::zeros(), place: in_rows }, &flat_shapes());
    let (columns, rows) = (320, 60);
    let at =
        |x: i32, y: i32| Vector::<3>::new(0.4 * f64::from(x) - 2.0, 0.4 * f64::from(y) - 2.0, rough(x, y));
    let vertices = (0..rows).flat_map(|y| (0..columns).map(move |x| at(x, y))).collect();
    let mut triangles = Vec::new();
    for y in 0..rows - 1 {
        for x in 0..columns - 1 {
            let [a, b] = [y * columns + x, y * columns + x + columns].map(|k| k as u32);
            triangles.extend([[a, a + 1, b], [b, a + 1, b + 1]]);
        }
    }
    let wall = Surface::triangles(vertices, triangles).unwrap().into();
    check::<3>(&Ground { wall, at: Vector::zeros(), place: in_rows }, &solid_shapes());
}

#[test]
fn contacts_in_hollow_shapes_allocate_nothing() {
    let around = |copy: f64, kind: f64, [beside, above]: [f64; 2]| {
        let (sine, cosine) = ((15.0 * kind + 3.0 * copy + 0.7 * beside) / 100.0).sin_cos();
        Vector::<2>::new(cosine, sine) * (99.65 - 0.7 * above)
    };
    let wall = Shape::hollow_disk(100.0).unwrap();
    check::<2>(&Ground { wall, at: Vector::zeros(), place: around }, &flat_shapes());
    // along a tube, some of them at its end
    let along = |copy: f64, kind: f64, [beside, above]: [f64; 2]| {
        let (sine, cosine) = (0.8 * kind).sin_cos();
        let out = 9.7 - 0.7 * above;
        Vector::<3>::new(cosine * out, sine * out, 3.0 * copy + 0.7 * beside)
    };
    let wall = Shape::hollow_cylinder(10.0, 2.2).unwrap();
    let end = step(&Ground { wall, at: Vector::zeros(), place: along }, &solid_shapes(), 2);
    assert!(end.0 <= A_FEW && end.1 > 0, "{end:?}");
    let wall = Shape::hollow_cylinder(10.0, 400.0).unwrap();
    check::<3>(&Ground { wall, at: Vector::zeros(), place: along }, &solid_shapes());
}
