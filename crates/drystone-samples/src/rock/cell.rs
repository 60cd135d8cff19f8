//! Convex cells of the plane and of space that can be cut in two: cells that share a face share it to the
//! last bit however often they are cut. Knows no joint and no stone.

use drystone_math::{Vector, portable};

/// A line or plane: all points x with normal · x = offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutPlane<const D: usize> {
    /// Unit normal.
    pub normal: Vector<D>,
    /// Distance from the origin along the normal \[m\].
    pub offset: f64,
}

/// Distances below this, relative to the coordinates, are rounding.
const ROUNDING: f64 = 1e-12;

impl<const D: usize> CutPlane<D> {
    /// Distance of a point along the normal, zero where it is only rounding. Depends on nothing but the
    /// point, so that all cells around it agree.
    fn distance(&self, point: &Vector<D>) -> f64 {
        let product = self.normal.component_mul(point);
        let distance = product.sum() - self.offset;
        let size = product.abs().sum() + self.offset.abs();
        if distance.abs() <= ROUNDING * size { 0.0 } else { distance }
    }
}

/// A convex polygon or polyhedron. Neighbours cut from one cell share their corners to the last bit.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexCell<const D: usize> {
    /// Loops of corners, counter-clockwise: in the plane the one outline, in space a loop for every face,
    /// seen from outside.
    loops: Vec<Vec<Vector<D>>>,
}

impl<const D: usize> ConvexCell<D> {
    /// A rectangle or box with its sides along the axes.
    pub fn cuboid(low: &Vector<D>, high: &Vector<D>) -> Self {
        let corner = |bits: usize| {
            Vector::<D>::from_fn(|axis, _| if bits >> axis & 1 == 1 { high[axis] } else { low[axis] })
        };
        let faces: &[[usize; 4]] = match D {
            2 => &[[0, 1, 3, 2]],
            _ => &[[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]],
        };
        Self { loops: faces.iter().map(|face| face.map(corner).to_vec()).collect() }
    }

    /// A cell between two loops of as many corners, joined corner by corner; its sides must be flat and the
    /// whole convex. The order of the corners may be either.
    pub fn loft(one: &[Vector<D>], other: &[Vector<D>]) -> Self {
        let count = one.len().min(other.len());
        let mut loops = vec![one[..count].to_vec(), other[..count].iter().rev().copied().collect()];
        for k in 0..count {
            let next = (k + 1) % count;
            loops.push(vec![one[next], one[k], other[k], other[next]]);
        }
        Self { loops }.outward()
    }

    /// A convex polygon, its corners in either order.
    pub fn polygon(corners: Vec<Vector<D>>) -> Self {
        Self { loops: vec![corners] }.outward()
    }

    /// The same with all loops counter-clockwise seen from outside.
    fn outward(mut self) -> Self {
        if self.volume() < 0.0 {
            self.loops.iter_mut().for_each(|face| face.reverse());
        }
        self
    }

    /// Loops of corners, counter-clockwise: in the plane the one outline, in space a loop for every face,
    /// seen from outside.
    pub fn loops(&self) -> &[Vec<Vector<D>>] {
        &self.loops
    }

    /// All corners, each once, in the order of the loops.
    pub fn corners(&self) -> Vec<Vector<D>> {
        let mut corners: Vec<Vector<D>> = Vec::new();
        for corner in self.loops.iter().flatten() {
            if !corners.contains(corner) {
                corners.push(*corner);
            }
        }
        corners
    }

    /// Corners and faces as loops of their numbers, counter-clockwise seen from outside.
    pub fn mesh(&self) -> (Vec<Vector<D>>, Vec<Vec<u32>>) {
        let corners = self.corners();
        let number = |corner: &Vector<D>| corners.iter().position(|c| c == corner).unwrap_or(0) as u32;
        let faces = self.loops.iter().map(|face| face.iter().map(number).collect()).collect();
        (corners, faces)
    }

    /// Lowest and highest corner of a box around it \[m\].
    pub fn bounds(&self) -> [Vector<D>; 2] {
        let start = [Vector::repeat(f64::MAX), Vector::repeat(f64::MIN)];
        self.loops.iter().flatten().fold(start, |[low, high], corner| [low.inf(corner), high.sup(corner)])
    }

    /// Volume, in the plane area.
    pub fn volume(&self) -> f64 {
        self.moments().0
    }

    /// Centre of mass \[m\].
    pub fn centroid(&self) -> Vector<D> {
        let (volume, moment) = self.moments();
        let origin = self.loops[0][0];
        if volume > 0.0 { origin + moment / volume } else { origin }
    }

    /// Volume and first moment about the first corner, by simplices from it.
    fn moments(&self) -> (f64, Vector<D>) {
        let origin = self.loops[0][0];
        let (mut volume, mut moment) = (0.0, Vector::zeros());
        for face in &self.loops {
            for pair in face[1..].windows(2) {
                let [a, b, c] = [face[0] - origin, pair[0] - origin, pair[1] - origin];
                let part = match D {
                    2 => 0.5 * (b[0] * c[1] - b[1] * c[0]),
                    _ => {
                        let cross =
                            [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
                        (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6.0
                    }
                };
                volume += part;
                moment += (a + b + c) * (part / (D as f64 + 1.0));
            }
        }
        (volume, moment)
    }

    /// Largest distance of a corner from the plane on its inner side (against the normal) and on the other.
    pub fn reach(&self, plane: &CutPlane<D>) -> [f64; 2] {
        let mut reach = [0.0f64; 2];
        for corner in self.loops.iter().flatten() {
            let distance = plane.distance(corner);
            reach[0] = reach[0].max(-distance);
            reach[1] = reach[1].max(distance);
        }
        reach
    }

    /// The part on the inner side of the plane, against its normal, and the part on the other.
    pub fn cut(&self, plane: &CutPlane<D>) -> [Option<Self>; 2] {
        let reach = self.reach(plane);
        if reach[1] <= 0.0 {
            return [Some(self.clone()), None];
        }
        if reach[0] <= 0.0 {
            return [None, Some(self.clone())];
        }
        let flipped = CutPlane { normal: -plane.normal, offset: -plane.offset };
        [self.part(plane, plane), self.part(&flipped, plane)]
    }

    /// The same cell with corners exchanged for others that differ by rounding.
    pub(super) fn moved(mut self, corners: &[(Vector<D>, Vector<D>)]) -> Self {
        for corner in self.loops.iter_mut().flatten() {
            if let Some((_, new)) = corners.iter().find(|(old, _)| old == corner) {
                *corner = *new;
            }
        }
        self
    }

    /// The part inside of `keep`, which is the plane or the same turned round. Points are always taken from
    /// the plane itself.
    fn part(&self, keep: &CutPlane<D>, plane: &CutPlane<D>) -> Option<Self> {
        let sign = if keep.normal == plane.normal { 1.0 } else { -1.0 };
        let mut loops = Vec::new();
        let mut section: Vec<Vector<D>> = Vec::new();
        for face in &self.loops {
            let mut kept = Vec::new();
            for (k, corner) in face.iter().enumerate() {
                let next = &face[(k + 1) % face.len()];
                let (here, there) = (sign * plane.distance(corner), sign * plane.distance(next));
                if here <= 0.0 {
                    kept.push(*corner);
                }
                if here == 0.0 && !section.contains(corner) {
                    section.push(*corner);
                }
                if here * there < 0.0 {
                    let point = crossing(plane, corner, next);
                    kept.push(point);
                    if !section.contains(&point) {
                        section.push(point);
                    }
                }
            }
            kept.dedup();
            if kept.len() > 2 && (D == 2 || !kept.iter().all(|corner| section.contains(corner))) {
                loops.push(kept);
            }
        }
        if D > 2 && section.len() > 2 {
            loops.push(ordered(section, &keep.normal));
        }
        (loops.len() > if D == 2 { 0 } else { 3 }).then_some(Self { loops })
    }
}

/// Where the edge between two corners meets the plane: the same bits from either end.
fn crossing<const D: usize>(plane: &CutPlane<D>, a: &Vector<D>, b: &Vector<D>) -> Vector<D> {
    let (a, b) = if a.as_slice() < b.as_slice() { (a, b) } else { (b, a) };
    let (da, db) = (plane.distance(a), plane.distance(b));
    a + (b - a) * (da / (da - db))
}

/// The points of a convex section in counter-clockwise order about the normal.
fn ordered<const D: usize>(mut section: Vec<Vector<D>>, normal: &Vector<D>) -> Vec<Vector<D>> {
    let middle = section.iter().sum::<Vector<D>>() / section.len() as f64;
    let n = [normal[0], normal[1], normal[2]];
    // two directions within the plane
    let thin = if n[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let first = cross(n, thin);
    let second = cross(n, first);
    let angle = |point: &Vector<D>| {
        let arm = point - middle;
        let along = |t: &[f64; 3]| (0..3).map(|k| arm[k] * t[k]).sum::<f64>();
        portable::atan2(along(&second), along(&first))
    };
    section.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    section
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    fn cuts<const D: usize>(seed: u64) {
        let mut random = Random::new(seed);
        let mut cells = vec![ConvexCell::<D>::cuboid(&Vector::zeros(), &Vector::repeat(1.0))];
        for _ in 0..12 {
            let normal = random.direction::<D>();
            let plane =
                CutPlane { normal, offset: normal.dot(&Vector::repeat(0.5)) + random.between(-0.3, 0.3) };
            cells = cells.iter().flat_map(|cell| cell.cut(&plane).into_iter().flatten()).collect();
        }
        assert!(cells.len() > 40);
        let volume: f64 = cells.iter().map(ConvexCell::volume).sum();
        assert!((volume - 1.0).abs() < 1e-12 && cells.iter().all(|cell| cell.volume() > 0.0));
        let centre: Vector<D> = cells.iter().map(|cell| cell.centroid() * cell.volume()).sum();
        assert!((centre - Vector::repeat(0.5)).norm() < 1e-12);
        // in space every inner face occurs twice, with the same corners the other way round
        if D == 3 {
            let all: Vec<&Vec<Vector<D>>> = cells.iter().flat_map(ConvexCell::loops).collect();
            let outer = |face: &Vec<Vector<D>>| {
                (0..D).any(|axis| [0.0, 1.0].iter().any(|&x| face.iter().all(|c| c[axis] == x)))
            };
            let twin = |face: &Vec<Vector<D>>| {
                all.iter().filter(|other| other.len() == face.len()).any(|other| {
                    let start = other.iter().position(|corner| *corner == face[0]);
                    start.is_some_and(|start| {
                        let n = face.len();
                        (0..n).all(|k| face[k] == other[(start + n - k) % n])
                    })
                })
            };
            assert!(all.iter().all(|face| outer(face) || twin(face)));
        }
    }

    #[test]
    fn pieces_fill_the_whole_and_share_their_faces() {
        cuts::<2>(1);
        cuts::<3>(2);
        cuts::<3>(5);
    }

    #[test]
    fn cuts_along_faces_and_through_corners_leave_no_crumbs() {
        let cube = ConvexCell::<3>::cuboid(&Vector::zeros(), &Vector::repeat(1.0));
        let up = Vector::<3>::new(0.0, 0.0, 1.0);
        let [inner, outer] = cube.cut(&CutPlane { normal: up, offset: 1.0 });
        assert!(inner == Some(cube.clone()) && outer.is_none());
        let slanted = Vector::<3>::new(1.0, 1.0, 0.0).normalize();
        let diagonal = CutPlane { normal: slanted, offset: slanted.dot(&Vector::<3>::new(1.0, 0.0, 0.0)) };
        for half in cube.cut(&diagonal).into_iter().flatten() {
            assert!((half.volume() - 0.5).abs() < 1e-15);
            assert_eq!((half.corners().len(), half.loops().len()), (6, 5));
        }
    }
}
