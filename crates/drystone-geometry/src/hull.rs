//! Convex hull of points in space. A polytope refuses points inside the hull: a cloud is never silently made
//! a body.

use drystone_math::Vector;
use std::collections::HashSet;

use crate::polytope::{Polytope, measure};
use crate::{ShapeError, error, merge, polyhedron};

/// Points closer than this to a plane, relative to the size of the cloud, are on it.
const ON_PLANE: f64 = 1e-9;
/// Points deeper than this below the surface, relative to the size of the cloud, are inside.
const INSIDE: f64 = 1e-6;

/// A triangle of the growing hull.
struct Triangle {
    corners: [u32; 3],
    normal: Vector<3>,
}

impl Polytope<3> {
    /// The polyhedron whose vertices are these points. All must be on the convex hull; those inside a face or
    /// an edge of it are dropped.
    pub fn hull(points: Vec<Vector<3>>) -> Result<Self, ShapeError> {
        error::check_vertices(&points)?;
        let (_, size) = measure(&points);
        error::check_repeated(&points, ON_PLANE * size)?;
        let triangles = grown(&points, ON_PLANE * size)?;
        let depth = |point: &Vector<3>| {
            triangles.iter().map(|face| height(&points, face, point)).fold(f64::NEG_INFINITY, f64::max)
        };
        let mut inside = (0..points.len()).filter(|&index| depth(&points[index]) < -INSIDE * size);
        if let Some(first) = inside.next() {
            return Err(ShapeError::InteriorPoints { count: 1 + inside.count(), first });
        }
        let loops = triangles.iter().map(|face| face.corners.to_vec()).collect();
        let (vertices, loops) = merge::coplanar(points, loops, size)?;
        polyhedron::check_planar_and_convex(&vertices, &loops, size)?;
        Ok(Self::from_loops(vertices, loops))
    }
}

/// The triangles of the convex hull of points, counter-clockwise seen from outside. Points inside it, or less
/// than `tolerance` outside, are in none.
pub fn hull_triangles(points: &[Vector<3>], tolerance: f64) -> Result<Vec<[u32; 3]>, ShapeError> {
    Ok(grown(points, tolerance)?.into_iter().map(|face| face.corners).collect())
}

/// The hull, grown from a tetrahedron: the farthest point first, so that early faces are large and their
/// normals sharp, and most points are soon inside.
fn grown(points: &[Vector<3>], tolerance: f64) -> Result<Vec<Triangle>, ShapeError> {
    let mut triangles = first_tetrahedron(points, tolerance)?;
    let mut open: Vec<usize> = (0..points.len()).collect();
    for _ in 4..points.len() {
        let outside = |&index: &usize| {
            let heights = triangles.iter().map(|face| height(points, face, &points[index]));
            (index, heights.fold(f64::NEG_INFINITY, f64::max))
        };
        let heights: Vec<(usize, f64)> =
            open.iter().map(outside).filter(|&(_, height)| height > tolerance).collect();
        open = heights.iter().map(|&(index, _)| index).collect();
        let Some(&(farthest, _)) = heights.iter().max_by(|(_, x), (_, y)| x.total_cmp(y)) else { break };
        grow(points, &mut triangles, farthest, tolerance)?;
    }
    Ok(triangles)
}

fn height(points: &[Vector<3>], face: &Triangle, point: &Vector<3>) -> f64 {
    face.normal.dot(&(point - points[face.corners[0] as usize]))
}

fn triangle(points: &[Vector<3>], corners: [u32; 3]) -> Option<Triangle> {
    let [a, b, c] = corners.map(|corner| points[corner as usize]);
    let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
    Some(Triangle { corners, normal })
}

/// Two points far apart, one far from their line, one far from the plane of the three.
fn first_tetrahedron(points: &[Vector<3>], tolerance: f64) -> Result<Vec<Triangle>, ShapeError> {
    let flat = ShapeError::Flat { dimension: 3 };
    let most = |measure: &dyn Fn(&Vector<3>) -> f64| {
        let values = points.iter().map(measure).enumerate();
        values
            .max_by(|(_, x), (_, y)| x.total_cmp(y))
            .filter(|&(_, value)| value > tolerance)
            .map(|(index, _)| index)
    };
    let a = most(&|p| tolerance * 2.0 + (p - points[0]).norm()).ok_or(flat.clone())?;
    let b = most(&|p| (p - points[a]).norm()).ok_or(flat.clone())?;
    let along = (points[b] - points[a]).normalize();
    let c = most(&|p| (p - points[a]).cross(&along).norm()).ok_or(flat.clone())?;
    let normal = along.cross(&(points[c] - points[a])).normalize();
    let d = most(&|p| normal.dot(&(p - points[a])).abs()).ok_or(flat.clone())?;
    // the fourth below the first three
    let below = normal.dot(&(points[d] - points[a])) < 0.0;
    let [a, b, c, d] = [a, if below { b } else { c }, if below { c } else { b }, d].map(|index| index as u32);
    let faces = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
    faces.into_iter().map(|corners| triangle(points, corners).ok_or(flat.clone())).collect()
}

/// Replaces the triangles that see the point by a cone from it to their rim.
fn grow(
    points: &[Vector<3>],
    triangles: &mut Vec<Triangle>,
    point: usize,
    tolerance: f64,
) -> Result<(), ShapeError> {
    let mut rim = HashSet::new();
    let mut order = Vec::new();
    triangles.retain(|face| {
        let seen = height(points, face, &points[point]) > tolerance;
        if seen {
            let [a, b, c] = face.corners;
            for side in [(a, b), (b, c), (c, a)] {
                rim.insert(side);
                order.push(side);
            }
        }
        !seen
    });
    for (from, to) in order {
        // a side seen from both of its faces is inside the hole
        if rim.contains(&(to, from)) {
            continue;
        }
        let face = triangle(points, [from, to, point as u32]).ok_or(ShapeError::RepeatedVertex {
            first: point.min(from as usize),
            second: point.max(from as usize),
        })?;
        triangles.push(face);
    }
    Ok(())
}
