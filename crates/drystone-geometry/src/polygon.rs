//! Convex polygons from lists of vertices. It refuses what is not a convex polygon, and never repairs it.

use drystone_math::Vector;
use drystone_math::portable;

use crate::polytope::{Face, Polytope, measure};
use crate::{ShapeError, error};

/// Vertices closer than this to a line or to each other, relative to the size of the shape, are on it.
const TOLERANCE: f64 = 1e-9;

impl Polytope<2> {
    /// A convex polygon. Either order of the vertices is accepted; vertices in the middle of a side are
    /// dropped.
    pub fn polygon(vertices: Vec<Vector<2>>) -> Result<Self, ShapeError> {
        error::check_vertices(&vertices)?;
        let (_, size) = measure(&vertices);
        error::check_repeated(&vertices, TOLERANCE * size)?;
        // relative to one of them, so that the area is right far from the origin
        let origin = vertices[0];
        let count = vertices.len();
        let doubled_area: f64 =
            (0..count).map(|k| cross(&(vertices[k] - origin), &(vertices[(k + 1) % count] - origin))).sum();
        let mut order: Vec<usize> = (0..count).collect();
        if doubled_area < 0.0 {
            order.reverse();
        }
        let corners = convex_corners(&vertices, order, size)?;
        if doubled_area.abs() <= TOLERANCE * size * size {
            return Err(ShapeError::Flat { dimension: 2 });
        }
        Ok(Self::from_counter_clockwise(corners.into_iter().map(|index| vertices[index]).collect()))
    }

    /// A rectangle of these sides about the origin.
    pub fn rectangle(size: [f64; 2]) -> Result<Self, ShapeError> {
        error::check_sides(&size)?;
        let [x, y] = size.map(|side| 0.5 * side);
        Self::polygon(vec![
            Vector::<2>::new(-x, -y),
            Vector::<2>::new(x, -y),
            Vector::<2>::new(x, y),
            Vector::<2>::new(-x, y),
        ])
    }

    /// A polygon of two corners, on x, this far apart \[m\]: the core of a flat rounded rectangle. It has no
    /// area.
    pub fn flat(length: f64) -> Result<Self, ShapeError> {
        error::check_positive("the length", length)?;
        Ok(Self::from_counter_clockwise([-0.5, 0.5].map(|x| Vector::<2>::new(x * length, 0.0)).to_vec()))
    }

    /// Puts the two corners of a flat polygon along y this far from the origin.
    pub fn stretch(&mut self, half: f64) {
        self.vertices[0][1] = -half;
        self.vertices[1][1] = half;
        self.corners.fill(self.vertices.iter());
        // the normals stay, and so do the heights of the planes: nought
        let corners = self.faces.iter().map(|face| face.vertices[0] as usize);
        self.planes.iter_mut().zip(corners).for_each(|(plane, corner)| plane[1] = self.vertices[corner]);
        (self.size, self.bounding_radius) = (2.0 * half, half);
    }

    /// A convex polygon whose vertices are known to go round counter-clockwise.
    pub fn from_counter_clockwise(vertices: Vec<Vector<2>>) -> Self {
        let count = vertices.len();
        let faces = (0..count)
            .map(|k| {
                let next = (k + 1) % count;
                let along = (vertices[next] - vertices[k]).normalize();
                let normal = Vector::<2>::new(along[1], -along[0]);
                Face {
                    normal,
                    vertices: vec![k as u32, next as u32],
                    sides: vec![-along, along],
                    edges: Vec::new(),
                }
            })
            .collect();
        Self::assemble(vertices, faces, Vec::new())
    }
}

/// The order without the vertices that lie in the middle of a side, or the reason why it is not convex.
fn convex_corners(vertices: &[Vector<2>], order: Vec<usize>, size: f64) -> Result<Vec<usize>, ShapeError> {
    let count = order.len();
    let side = |k: usize| vertices[order[(k + 1) % count]] - vertices[order[k % count]];
    let mut corners = Vec::with_capacity(count);
    let mut turned = 0.0;
    for k in 0..count {
        let (before, after) = (side(k + count - 1), side(k));
        let (sine, cosine) = (cross(&before, &after), before.dot(&after));
        turned += portable::atan2(sine, cosine);
        // distance of the vertex from the line through its neighbours
        let height = sine / (before + after).norm().max(f64::MIN_POSITIVE);
        if height > TOLERANCE * size {
            corners.push(order[k]);
        } else if height < -TOLERANCE * size {
            return Err(ShapeError::ReflexVertex { vertex: order[k] });
        } else if cosine < 0.0 {
            // turns back on itself
            return Err(ShapeError::SelfIntersecting);
        }
    }
    if corners.len() < 3 {
        return Err(ShapeError::Flat { dimension: 2 });
    }
    // only left turns: once around, or a star
    if turned > 1.5 * std::f64::consts::TAU {
        return Err(ShapeError::SelfIntersecting);
    }
    Ok(corners)
}

fn cross(a: &Vector<2>, b: &Vector<2>) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
