//! Which plane to cut a cell by next. Cuts nothing.

use super::{Cutter, ON, Open, PlanePatch};
use crate::cell::Plane;
use drystone_math::Vector;

/// Planes that are compared at most; those with the largest hollows come first.
const COMPARED: usize = 48;
/// Patches whose hollows are measured at most when cuts are compared.
const MEASURED: usize = 64;

/// The planes of patches, each once.
pub(super) fn numbers(patches: &[PlanePatch]) -> Vec<u32> {
    let mut numbers: Vec<u32> = patches.iter().map(|patch| patch.plane).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

impl Cutter<'_> {
    /// The best plane, or none if the cell is done.
    pub(super) fn next_plane(&self, part: &Open) -> Option<Plane> {
        let mut hollow: Vec<(u32, f64, Vector<3>)> = numbers(&part.patches)
            .into_iter()
            .filter_map(|number| {
                let (height, point) = self.highest(&self.planes[number as usize], &part.patches);
                (height > self.depth).then_some((number, height, point))
            })
            .collect();
        hollow.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let worst = hollow.first()?.2;
        hollow.truncate(COMPARED);
        let mut planes: Vec<Plane> = hollow.iter().map(|hollow| self.planes[hollow.0 as usize]).collect();
        if !self.approximate {
            return planes
                .into_iter()
                .max_by(|a, b| self.exact_score(part, a).total_cmp(&self.exact_score(part, b)));
        }
        let ends = part.reflex.iter().flatten().copied();
        let middle = part.patches.iter().flat_map(|patch| &patch.points).sum::<Vector<3>>()
            / part.patches.iter().map(|patch| patch.points.len()).sum::<usize>().max(1) as f64;
        planes.truncate(COMPARED / 4);
        for point in [worst, middle].into_iter().chain(ends.take(2)) {
            planes.extend((0..3).map(|axis| axis_plane(axis, &point)));
        }
        let useful = planes.into_iter().filter(|plane| self.divides(part, plane));
        useful.min_by(|a, b| self.hollow_after(part, a).total_cmp(&self.hollow_after(part, b)))
    }

    /// The point of the patches highest above a plane.
    fn highest(&self, plane: &Plane, patches: &[PlanePatch]) -> (f64, Vector<3>) {
        let points = patches.iter().flat_map(|patch| &patch.points);
        points.fold((f64::NEG_INFINITY, Vector::zeros()), |best, point| {
            let height = plane.height(point);
            if height > best.0 { (height, *point) } else { best }
        })
    }

    /// Reflex edges in the plane are resolved at once, those across it become two, and cut patches are more
    /// work.
    fn exact_score(&self, part: &Open, plane: &Plane) -> f64 {
        let near = ON * self.size;
        let (mut resolved, mut crossed) = (0.0, 0.0);
        for [p, q] in &part.reflex {
            let [a, b] = [plane.height(p), plane.height(q)];
            if a.abs() <= near && b.abs() <= near {
                resolved += 1.0;
            } else if a * b < 0.0 && a.abs() > near && b.abs() > near {
                crossed += 1.0;
            }
        }
        let cut = part.patches.iter().filter(|patch| {
            let heights = || patch.points.iter().map(|point| plane.height(point));
            heights().any(|height| height > near) && heights().any(|height| height < -near)
        });
        resolved - 2.0 * crossed - 1e-3 * cut.count() as f64
    }

    /// Whether something of the surface is on either side, or the plane is that of a patch.
    fn divides(&self, part: &Open, plane: &Plane) -> bool {
        let near = ON * self.size;
        let heights = || part.patches.iter().flat_map(|patch| &patch.points).map(|point| plane.height(point));
        heights().any(|height| height > near) && heights().any(|height| height < -near)
    }

    /// The hollows left on both sides, from a fixed sample of the patches, the deeper side counting most.
    fn hollow_after(&self, part: &Open, plane: &Plane) -> f64 {
        let near = ON * self.size;
        let depths = [*plane, plane.turned()].map(|plane| {
            let side: Vec<PlanePatch> = part
                .patches
                .iter()
                .filter_map(|patch| {
                    let points = super::clip(&patch.points, &plane, near)?;
                    Some(PlanePatch { points, plane: patch.plane })
                })
                .collect();
            let stride = side.len().div_ceil(MEASURED).max(1);
            let sample = side.iter().step_by(stride);
            let depth =
                |patch: &PlanePatch| self.highest(&self.planes[patch.plane as usize], &side).0.max(0.0);
            let count = sample.clone().count().max(1) as f64;
            sample.map(depth).sum::<f64>() / count * side.len() as f64
        });
        depths[0] + depths[1]
    }
}

fn axis_plane(axis: usize, point: &Vector<3>) -> Plane {
    let mut normal = Vector::<3>::zeros();
    normal[axis] = 1.0;
    Plane { normal, offset: point[axis] }
}
