//! The same step by parry (Crozet): its tree of boxes, refitted, and a contact manifold for each pair of
//! leaves. Balls and polyhedra only; disks are balls in a plane.

use super::Packed;
use drystone_geometry::Shape;
use drystone_math::{Pose, Vector};
use parry3d_f64::bounding_volume::BoundingVolume;
use parry3d_f64::math;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape::SharedShape;
use std::time::Instant;

/// The best of so many steps \[s\]; none if parry has no such shape.
pub fn seconds<const D: usize>(packed: &Packed<D>, repeats: usize) -> Option<f64> {
    let shapes: Option<Vec<SharedShape>> = packed.contactors.iter().map(|one| shape(&one.shape)).collect();
    let shapes = shapes?;
    let frames: Vec<Vec<math::Pose>> =
        packed.frames.iter().map(|frame| frame.iter().map(pose).collect()).collect();
    let margins = &packed.margins;
    let boxed = |frame: &[math::Pose], k: usize| shapes[k].compute_aabb(&frame[k]).loosened(margins[k]);
    let leaves: Vec<_> = (0..shapes.len()).map(|k| boxed(&frames[0], k)).collect();
    let mut tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
    let mut workspace = BvhWorkspace::default();
    let mut manifolds: Vec<ContactManifold<(), ()>> = Vec::new();
    let mut step = |turn: usize| {
        let start = Instant::now();
        let frame = &frames[turn % frames.len()];
        (0..shapes.len()).for_each(|k| {
            tree.insert_or_update_partially(boxed(frame, k), k as u32, 0.0);
        });
        tree.refit(&mut workspace);
        let mut contacts = 0;
        tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| {
            let [a, b] = [a as usize, b as usize];
            manifolds.clear();
            let between = frame[a].inv_mul(&frame[b]);
            let alert = margins[a] + margins[b];
            let found = DefaultQueryDispatcher.contact_manifolds(
                &between,
                &*shapes[a].0,
                &*shapes[b].0,
                alert,
                &mut manifolds,
                &mut None,
            );
            if found.is_ok() {
                contacts += manifolds.iter().map(|manifold| manifold.points.len()).sum::<usize>();
            }
        });
        std::hint::black_box(contacts);
        start.elapsed().as_secs_f64()
    };
    step(0);
    Some((1..=repeats).map(step).fold(f64::INFINITY, f64::min))
}

fn shape<const D: usize>(shape: &Shape<D>) -> Option<SharedShape> {
    match shape {
        Shape::Ball { radius } => Some(SharedShape::ball(*radius)),
        Shape::Polytope(form) => {
            SharedShape::convex_hull(&form.vertices().iter().map(place).collect::<Vec<_>>())
        }
        _ => None,
    }
}

fn place<const D: usize>(place: &Vector<D>) -> math::Vector {
    let component = |axis: usize| if axis < D { place[axis] } else { 0.0 };
    math::Vector::new(component(0), component(1), component(2))
}

fn pose<const D: usize>(pose: &Pose<D>) -> math::Pose {
    let [w, x, y, z] = pose.orientation_wxyz();
    math::Pose::from_parts(place(&pose.position), math::Rotation::from_xyzw(x, y, z, w))
}
