//! A step of detection allocates nothing for its pairs and contacts, whatever the shapes: many take what few take.
#![allow(unsafe_code)]

mod common;

use common::*;
use drystone_math::{Orientation, Pose, Vector};
use drystone_shapes::{Contactor, Detector, Polytope, Shape, Surface};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counted by thread: the test harness allocates on its own.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Allocations of a step after a few others, and its contacts: `copies` of the shapes on a floor, in groups that do not
/// meet, each shape with a copy of itself beside and above it.
fn step<const D: usize>(shapes: &[Shape<D>], copies: usize) -> (u64, usize) {
    let mut contactors = vec![Contactor { body: 0, shape: Shape::HalfSpace, local: Pose::identity() }];
    let mut places = vec![Vector::<D>::from_fn(|axis, _| if axis == D - 1 { -0.35 } else { 0.0 })];
    for copy in 0..copies {
        for (kind, shape) in shapes.iter().enumerate() {
            for rank in 0..4 {
                let body = contactors.len() as u32;
                contactors.push(Contactor { body, shape: shape.clone(), local: Pose::identity() });
                let mut place = Vector::<D>::zeros();
                place[0] = 3.0 * copy as f64 + 0.7 * f64::from(rank % 2);
                place[1] = 3.0 * kind as f64;
                place[D - 1] += 0.7 * f64::from(rank / 2);
                places.push(place);
            }
        }
    }
    let margins = vec![0.05; contactors.len()];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let mut detector = Detector::new();
        let mut touches = Vec::new();
        let mut allocations = 0;
        // bodies sway, so that the number of contacts changes as in a real step, and comes back
        for turn in 0..9 {
            let sway = f64::from(turn % 3);
            let pose = |(k, place): (usize, &Vector<D>)| Pose {
                position: place + Vector::repeat(1e-3 * sway),
                // every other is turned a little, the floor is not
                orientation: Orientation::from_euler_angles(0.0, 0.0, 0.1 * (k % 2) as f64),
            };
            let poses: Vec<_> = places.iter().enumerate().map(pose).collect();
            let before = ALLOCATIONS.with(Cell::get);
            detector.find(&contactors, &poses, &margins, &|_, _| true, &mut touches);
            allocations = ALLOCATIONS.with(Cell::get) - before;
        }
        (allocations, touches.len())
    })
}

/// The buffers of a step are lists of tasks: a few allocations however many bodies there are.
const A_FEW: u64 = 12;

fn check<const D: usize>(shapes: &[Shape<D>]) {
    for shape in shapes {
        let one = std::slice::from_ref(shape);
        let ((few, contacts), (many, more)) = (step(one, 2), step(one, 40));
        assert!(more >= 10 * contacts && contacts > 0, "{shape:?}: {contacts} and {more} contacts");
        assert!(few <= A_FEW && many <= A_FEW, "{shape:?}: {few} allocations, {many} for {more} contacts");
    }
    let (all, contacts) = step(shapes, 40);
    assert!(all <= A_FEW, "all at once: {all} allocations for {contacts} contacts");
}

#[test]
fn contacts_in_the_plane_allocate_nothing() {
    let star: Vec<_> = (0..10)
        .map(|k| {
            let (radius, angle) =
                (if k % 2 == 0 { 0.5 } else { 0.25 }, std::f64::consts::PI * 0.2 * f64::from(k));
            Vector::<2>::new(radius * angle.cos(), radius * angle.sin())
        })
        .collect();
    check::<2>(&[
        Shape::ball(0.4).unwrap(),
        Shape::capsule(0.5, 0.2).unwrap(),
        Shape::rounded_rectangle([0.8, 0.6], 0.1).unwrap(),
        polygon(&mut random(3), 0.45).into(),
        Surface::outline(star).unwrap().into(),
    ]);
}

#[test]
fn contacts_in_space_allocate_nothing() {
    let cube = Polytope::cuboid([0.7; 3]).unwrap();
    let triangles: Vec<[u32; 3]> = cube
        .faces()
        .iter()
        .flat_map(|face| (1..face.vertices.len() - 1).map(|k| [0, k, k + 1].map(|k| face.vertices[k])))
        .collect();
    check::<3>(&[
        Shape::ball(0.4).unwrap(),
        Shape::capsule(0.5, 0.2).unwrap(),
        Shape::cylinder(0.35, 0.7).unwrap(),
        Shape::rounded(Polytope::cuboid([0.5; 3]).unwrap(), 0.1).unwrap(),
        prism(6, 0.45, 0.7).into(),
        cube.clone().into(),
        Surface::triangles(cube.vertices().to_vec(), triangles).unwrap().into(),
    ]);
}
