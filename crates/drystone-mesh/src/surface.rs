//! A triangulated surface: welded vertices and triangles. Checks that its numbers are numbers; whether it
//! bounds a solid is for `inspect`.

use crate::weld::{WELD, weld};
use crate::{HeightField, MeshError, ears, error};
use drystone_math::Vector;

/// A triangulated surface, open or closed.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Vertices \[m, or the unit of the file\], each in at least one triangle; no two closer than 1e-7 of the
    /// largest extent.
    pub vertices: Vec<Vector<3>>,
    /// Corners of the triangles, counter-clockwise seen from outside if the surface is closed and right.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle, the face of the input it is part of.
    pub faces: Vec<u32>,
    /// Faces of the input that had fewer than three different corners; they are not among the triangles.
    pub collapsed: Vec<u32>,
}

impl Surface {
    /// Welds the vertices and cuts faces of more than three corners into triangles.
    pub fn new(vertices: &[[f64; 3]], faces: &[Vec<u32>]) -> Result<Self, MeshError> {
        for count in [vertices.len(), faces.len()] {
            if count > error::MOST {
                return Err(MeshError::TooMany { found: count, allowed: error::MOST });
            }
        }
        if faces.is_empty() {
            return Err(MeshError::Empty);
        }
        let used = used(vertices, faces)?;
        let points: Vec<Vector<3>> =
            used.iter().map(|&vertex| Vector::from(vertices[vertex as usize])).collect();
        let size = measure(&used, &points)?;
        let (welded, numbers) = weld(&points, WELD * size);
        let mut place = vec![0; vertices.len()];
        for (rank, &vertex) in used.iter().enumerate() {
            place[vertex as usize] = numbers[rank];
        }
        let mut surface =
            Self { vertices: welded, triangles: Vec::new(), faces: Vec::new(), collapsed: Vec::new() };
        for (face, corners) in faces.iter().enumerate() {
            let mut corners: Vec<u32> = corners.iter().map(|&corner| place[corner as usize]).collect();
            corners.dedup();
            while corners.len() > 1 && corners.first() == corners.last() {
                corners.pop();
            }
            if corners.len() < 3 {
                surface.collapsed.push(face as u32);
                continue;
            }
            let before = surface.triangles.len();
            ears::cut(&surface.vertices, &corners, &mut surface.triangles)
                .ok_or(MeshError::TangledFace { face })?;
            surface.faces.resize(surface.faces.len() + surface.triangles.len() - before, face as u32);
        }
        if surface.triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        surface.drop_unused();
        Ok(surface)
    }

    /// The surface of a height field, holes left open.
    pub fn from_height_field(field: &HeightField) -> Result<Self, MeshError> {
        let polygons = field.triangles();
        Self::new(&polygons.vertices, &polygons.faces)
    }

    /// The surface with every length times `unit`, the length of its present unit \[m\].
    pub fn scaled(&self, unit: f64) -> Self {
        Self { vertices: self.vertices.iter().map(|vertex| vertex * unit).collect(), ..self.clone() }
    }

    /// The surface with its inside out.
    pub fn turned(&self) -> Self {
        Self { triangles: self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(), ..self.clone() }
    }

    /// Largest extent along an axis, the length that tolerances are relative to.
    pub fn size(&self) -> f64 {
        extent(&self.vertices)
    }

    /// Corners of a triangle.
    pub(crate) fn corners(&self, triangle: usize) -> [Vector<3>; 3] {
        self.triangles[triangle].map(|corner| self.vertices[corner as usize])
    }

    /// Vertices that only collapsed faces had.
    fn drop_unused(&mut self) {
        let mut number = vec![u32::MAX; self.vertices.len()];
        self.triangles.iter().flatten().for_each(|&corner| number[corner as usize] = 0);
        for (next, number) in number.iter_mut().filter(|number| **number == 0).enumerate() {
            *number = next as u32;
        }
        let mut rank = 0;
        self.vertices.retain(|_| {
            rank += 1;
            number[rank - 1] != u32::MAX
        });
        self.triangles.iter_mut().flatten().for_each(|corner| *corner = number[*corner as usize]);
    }
}

/// The vertices that faces name, in order.
fn used(vertices: &[[f64; 3]], faces: &[Vec<u32>]) -> Result<Vec<u32>, MeshError> {
    let mut named = vec![false; vertices.len()];
    for (face, corners) in faces.iter().enumerate() {
        if corners.len() < 3 {
            return Err(MeshError::FaceTooSmall { face, found: corners.len() });
        }
        if corners.len() > ears::MOST_CORNERS {
            return Err(MeshError::FaceTooLarge { face, found: corners.len(), allowed: ears::MOST_CORNERS });
        }
        for &corner in corners {
            let vertex = corner as usize;
            *named.get_mut(vertex).ok_or(MeshError::VertexOutOfRange {
                face,
                vertex,
                vertices: vertices.len(),
            })? = true;
        }
    }
    Ok((0..vertices.len() as u32).filter(|&vertex| named[vertex as usize]).collect())
}

/// Largest extent, if all is finite and of a sound scale.
fn measure(used: &[u32], points: &[Vector<3>]) -> Result<f64, MeshError> {
    if let Some(wrong) = points.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
        return Err(MeshError::NotFinite { vertex: used[wrong] as usize });
    }
    let size = extent(points);
    let far = points.iter().map(|point| point.amax()).fold(0.0, f64::max);
    match size >= 1e-60 && far <= 1e60 {
        true => Ok(size),
        false => Err(MeshError::OutOfScale { size: size.max(far) }),
    }
}

fn extent(points: &[Vector<3>]) -> f64 {
    let low = points.iter().fold(Vector::<3>::repeat(f64::INFINITY), |low, point| low.inf(point));
    let high = points.iter().fold(Vector::<3>::repeat(f64::NEG_INFINITY), |high, point| high.sup(point));
    (high - low).max().max(0.0)
}
