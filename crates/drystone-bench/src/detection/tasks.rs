//! The packings a bench of detection runs on. What they are is told by `packing.rs`.

use super::{DetectionFigure, Packed, detection_figure};
use drystone_geometry::ShapeError;

/// Spheres of mixed sizes are measured in this number, beside as many of one size.
const MIXED: u32 = 100_000;

/// One packing to measure.
pub struct PackingTask {
    /// What is packed.
    pub name: &'static str,
    /// About how many.
    pub bodies: usize,
    kind: PackingKind,
}

#[derive(Clone, Copy)]
enum PackingKind {
    Disks,
    Spheres,
    Kept,
    Shuffled,
    Mixed { decades: u32 },
    Polyhedra,
    Cubes,
}

/// A packing in the plane or in space.
pub enum PackedSample {
    /// Disks.
    Plane(Packed<2>),
    /// Balls and polyhedra.
    Space(Packed<3>),
}

/// All packings: disks, spheres and polyhedra in every number; others in the largest that is not above a
/// hundred thousand.
pub fn tasks(bodies: &[u32]) -> Vec<PackingTask> {
    let mut tasks = Vec::new();
    let mut add = |name, bodies: u32, kind| tasks.push(PackingTask { name, bodies: bodies as usize, kind });
    bodies.iter().for_each(|&bodies| add("disks", bodies, PackingKind::Disks));
    bodies.iter().for_each(|&bodies| add("spheres", bodies, PackingKind::Spheres));
    let few = bodies.iter().copied().filter(|&bodies| bodies <= MIXED).max();
    let few = few.or(bodies.iter().copied().min()).unwrap_or(MIXED);
    add("spheres, pairs kept", few, PackingKind::Kept);
    add("spheres, numbered at random", few, PackingKind::Shuffled);
    add("spheres, sizes 1:100", few, PackingKind::Mixed { decades: 2 });
    add("spheres, sizes 1:1000", few, PackingKind::Mixed { decades: 3 });
    let tenth = |bodies: u32| (bodies / 10).max(8);
    let solids = bodies.iter().copied().filter(|&bodies| bodies <= few);
    solids.for_each(|bodies| add("polyhedra of 12 vertices", tenth(bodies), PackingKind::Polyhedra));
    add("cubes, face to face", tenth(few), PackingKind::Cubes);
    tasks
}

impl PackingTask {
    /// Makes the packing.
    pub fn pack(&self) -> Result<PackedSample, ShapeError> {
        Ok(match self.kind {
            PackingKind::Disks => PackedSample::Plane(Packed::disks(self.bodies)),
            PackingKind::Spheres => PackedSample::Space(Packed::spheres(self.bodies)),
            PackingKind::Kept => PackedSample::Space(Packed::kept_spheres(self.bodies)),
            PackingKind::Shuffled => PackedSample::Space(Packed::shuffled_spheres(self.bodies)),
            PackingKind::Mixed { decades } => {
                PackedSample::Space(Packed::mixed_spheres(self.bodies, decades))
            }
            PackingKind::Polyhedra => PackedSample::Space(Packed::polyhedra(self.bodies)?),
            PackingKind::Cubes => PackedSample::Space(Packed::cubes(self.bodies)?),
        })
    }
}

impl PackedSample {
    /// The best of so many steps, on the current thread pool.
    pub fn measure(&self, repeats: usize) -> DetectionFigure {
        match self {
            PackedSample::Plane(packed) => detection_figure(packed, repeats),
            PackedSample::Space(packed) => detection_figure(packed, repeats),
        }
    }

    /// Seconds that parry takes for a step; none if it is not built in.
    #[cfg(not(feature = "parry"))]
    pub fn parry(&self, _: usize) -> Option<f64> {
        None
    }

    /// Seconds that parry takes for a step.
    #[cfg(feature = "parry")]
    pub fn parry(&self, repeats: usize) -> Option<f64> {
        match self {
            PackedSample::Plane(packed) => super::parry::seconds(packed, repeats),
            PackedSample::Space(packed) => super::parry::seconds(packed, repeats),
        }
    }
}
