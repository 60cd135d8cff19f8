//! Volume, centroid and inertia of what a closed surface bounds, at unit density. Does not ask whether it is
//! closed.

use crate::Surface;
use drystone_math::{Matrix, Vector, portable};

/// What a solid weighs at unit density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Volume \[m³\]; negative if the surface is inside out.
    pub volume: f64,
    /// Centroid \[m\].
    pub centroid: Vector<3>,
    /// Inertia about the centroid \[m⁵\].
    pub inertia: Matrix<3, 3>,
}

impl Surface {
    /// Volume, centroid and inertia by the divergence theorem, exact up to rounding (Mirtich 1996, Eberly
    /// 2002).
    ///
    /// Each triangle spans a tetrahedron with the mean of the vertices, counted with the sign of its volume
    /// `V`; over it `∫x = V Σp / 4` and `∫x xᵀ = V (Σp Σpᵀ + Σ p pᵀ) / 20` for its corners `p`.
    pub fn mass_properties(&self) -> MassProperties {
        of(&self.vertices, self.triangles.iter().copied())
    }

    /// Area of the surface \[m²\].
    pub fn area(&self) -> f64 {
        let area = |triangle| {
            let [a, b, c] = self.corners(triangle);
            0.5 * (b - a).cross(&(c - a)).norm()
        };
        (0..self.triangles.len()).map(area).sum()
    }

    /// How often the surface winds about a point: 1 inside a closed one, 0 outside (van Oosterom and Strackee
    /// 1983).
    pub(crate) fn winding(&self, point: &Vector<3>, triangles: impl Iterator<Item = usize>) -> f64 {
        let angle = |triangle: usize| {
            let [a, b, c] = self.corners(triangle).map(|corner| corner - point);
            let [x, y, z] = [a, b, c].map(|corner| corner.norm());
            let below = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
            2.0 * portable::atan2(a.dot(&b.cross(&c)), below)
        };
        triangles.map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }
}

/// Mass properties of what triangles bound.
pub(crate) fn of(vertices: &[Vector<3>], triangles: impl Iterator<Item = [u32; 3]>) -> MassProperties {
    let middle = vertices.iter().sum::<Vector<3>>() / vertices.len().max(1) as f64;
    let mut volume = 0.0;
    let mut first = Vector::<3>::zeros();
    let mut second = Matrix::<3, 3>::zeros();
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| vertices[corner as usize] - middle);
        let part = a.dot(&b.cross(&c)) / 6.0;
        let sum = a + b + c;
        let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
        volume += part;
        first += sum * (part / 4.0);
        second += (sum * sum.transpose() + squares) * (part / 20.0);
    }
    let offset = if volume == 0.0 { Vector::<3>::zeros() } else { first / volume };
    second -= offset * offset.transpose() * volume;
    let inertia = Matrix::<3, 3>::identity() * second.trace() - second;
    MassProperties { volume, centroid: middle + offset, inertia }
}
