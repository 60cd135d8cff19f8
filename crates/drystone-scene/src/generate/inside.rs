//! How deep a point lies in a closed mesh: the distance to its nearest triangle, signed by a count of
//! crossings. A grid keeps the triangles that matter in each of its cells.

use drystone_math::Vector;
use drystone_mesh::Surface;

/// Cells along each axis.
const CELLS: usize = 20;

/// A closed mesh that can be asked how deep a point lies in it.
pub(super) struct MeshRegion {
    triangles: Vec<[Vector<3>; 3]>,
    low: Vector<3>,
    high: Vector<3>,
    /// For every cell, the triangles one of which is nearest to any point of it.
    nearest: Vec<Vec<u32>>,
    /// For every column of cells along z, the triangles over or under it.
    columns: Vec<Vec<u32>>,
}

impl MeshRegion {
    pub(super) fn new(surface: &Surface) -> Self {
        let triangle = |corners: &[u32; 3]| corners.map(|vertex| surface.vertices[vertex as usize]);
        let triangles: Vec<[Vector<3>; 3]> = surface.triangles.iter().map(triangle).collect();
        let start = [Vector::<3>::repeat(f64::MAX), Vector::<3>::repeat(f64::MIN)];
        let [low, high] =
            triangles.iter().flatten().fold(start, |[low, high], corner| [low.inf(corner), high.sup(corner)]);
        let mut region = Self { triangles, low, high, nearest: Vec::new(), columns: Vec::new() };
        region.nearest = (0..CELLS * CELLS * CELLS).map(|cell| region.near(cell)).collect();
        region.columns = (0..CELLS * CELLS).map(|column| region.over(column)).collect();
        region
    }

    /// Lowest and highest corner \[m\].
    pub(super) fn bounds(&self) -> [Vector<3>; 2] {
        [self.low, self.high]
    }

    fn width(&self) -> Vector<3> {
        (self.high - self.low) / CELLS as f64
    }

    fn near(&self, cell: usize) -> Vec<u32> {
        let along = [cell % CELLS, cell / CELLS % CELLS, cell / (CELLS * CELLS)];
        let width = self.width();
        let centre =
            Vector::<3>::from_fn(|axis, _| self.low[axis] + width[axis] * (along[axis] as f64 + 0.5));
        let distances: Vec<f64> = self.triangles.iter().map(|triangle| distance(&centre, triangle)).collect();
        // the nearest of a point of the cell is at most the diagonal farther from its centre
        let reach = distances.iter().copied().fold(f64::MAX, f64::min) + 1.001 * width.norm();
        (0..distances.len()).filter(|&k| distances[k] <= reach).map(|k| k as u32).collect()
    }

    fn over(&self, column: usize) -> Vec<u32> {
        let width = self.width();
        let along = [column % CELLS, column / CELLS];
        let meets = |triangle: &[Vector<3>; 3]| {
            (0..2).all(|axis| {
                let from = self.low[axis] + width[axis] * along[axis] as f64;
                let low = triangle.iter().map(|corner| corner[axis]).fold(f64::MAX, f64::min);
                let high = triangle.iter().map(|corner| corner[axis]).fold(f64::MIN, f64::max);
                low <= from + width[axis] && high >= from
            })
        };
        (0..self.triangles.len()).filter(|&k| meets(&self.triangles[k])).map(|k| k as u32).collect()
    }

    fn along(&self, point: &Vector<3>, axis: usize) -> usize {
        let share = (point[axis] - self.low[axis]) / (self.high[axis] - self.low[axis]);
        ((share * CELLS as f64).max(0.0) as usize).min(CELLS - 1)
    }

    /// Distance to the surface \[m\], negative outside.
    pub(super) fn depth(&self, point: &Vector<3>) -> f64 {
        // what is outside of the box is at least as far out as from the box
        let out = (self.low - point).sup(&(point - self.high)).max();
        if out >= 0.0 {
            return -out;
        }
        let [x, y, z] = [0, 1, 2].map(|axis| self.along(point, axis));
        let near = &self.nearest[x + CELLS * (y + CELLS * z)];
        let least = near
            .iter()
            .map(|&triangle| distance(point, &self.triangles[triangle as usize]))
            .fold(f64::MAX, f64::min);
        let above =
            self.columns[x + CELLS * y].iter().filter(|&&k| is_above(point, &self.triangles[k as usize]));
        if above.count() % 2 == 1 { least } else { -least }
    }
}

/// Whether a ray from the point upwards crosses the triangle; of an edge that two share one counts it.
fn is_above(point: &Vector<3>, [a, b, c]: &[Vector<3>; 3]) -> bool {
    // the ray crosses where an odd number of edges lies to its right; half-open in y
    let crossing = |p: &Vector<3>, q: &Vector<3>| {
        let (p, q) = if p[1] <= q[1] { (p, q) } else { (q, p) };
        let spans = p[1] <= point[1] && point[1] < q[1];
        spans && p[0] + (q[0] - p[0]) * ((point[1] - p[1]) / (q[1] - p[1])) > point[0]
    };
    if !(crossing(a, b) ^ crossing(b, c) ^ crossing(c, a)) {
        return false;
    }
    let normal = (b - a).cross(&(c - a));
    // the plane over the point
    normal[2] != 0.0
        && a[2] + (normal[0] * (a[0] - point[0]) + normal[1] * (a[1] - point[1])) / normal[2] > point[2]
}

/// Distance from a point to a triangle, by the region of the plane it lies over (Ericson 2005, 5.1.5).
fn distance(point: &Vector<3>, [a, b, c]: &[Vector<3>; 3]) -> f64 {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return ap.norm();
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return bp.norm();
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (ap - ab * (d1 / (d1 - d3))).norm();
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return cp.norm();
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (ap - ac * (d2 / (d2 - d6))).norm();
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let share = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (bp - (c - b) * share).norm();
    }
    let total = va + vb + vc;
    (ap - ab * (vb / total) - ac * (vc / total)).norm()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_in_a_box_are_known() {
        let corner = |k: usize| [(k & 1) as f64, (k >> 1 & 1) as f64 * 2.0, (k >> 2 & 1) as f64 * 3.0];
        let vertices: Vec<[f64; 3]> = (0..8).map(corner).collect();
        let faces: Vec<Vec<u32>> =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
                .iter()
                .map(|face| face.to_vec())
                .collect();
        let region = MeshRegion::new(&Surface::new(&vertices, &faces).unwrap());
        for k in 0..4000u32 {
            let share = |rate: f64| (f64::from(k) * rate).fract();
            let point = Vector::<3>::new(
                1.4 * share(0.618) - 0.2,
                2.4 * share(0.7548) - 0.2,
                3.4 * share(0.5698) - 0.2,
            );
            let high = Vector::<3>::new(1.0, 2.0, 3.0);
            let expected = point.inf(&(high - point)).min();
            let found = region.depth(&point);
            assert!((found - expected).abs() < 1e-12, "{point} {found} {expected}");
        }
    }
}
