//! Where a body or a shape stands. One type serves the plane and space: in the plane the orientation turns
//! about z.

use crate::{Matrix, Vector};
use nalgebra::{Quaternion, UnitQuaternion};

/// Unit quaternion; in the plane its x and y parts are zero.
pub type Orientation = UnitQuaternion<f64>;

/// Position of an origin \[m\] and orientation of the axes attached to it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose<const D: usize> {
    /// World coordinates of the local origin \[m\].
    pub position: Vector<D>,
    /// Turns local directions into world directions.
    pub orientation: Orientation,
}

impl<const D: usize> Pose<D> {
    /// The pose whose local frame is the world frame.
    pub fn identity() -> Self {
        Self { position: Vector::zeros(), orientation: Orientation::identity() }
    }

    /// A pose that only translates.
    pub fn at(position: Vector<D>) -> Self {
        Self { position, orientation: Orientation::identity() }
    }

    /// Rotation matrix, local to world. The plane is the leading block of space.
    pub fn rotation(&self) -> Matrix<D, D> {
        let full = self.orientation.to_rotation_matrix();
        Matrix::from_fn(|row, column| full[(row, column)])
    }

    /// World coordinates of a local point.
    pub fn to_world(&self, local: &Vector<D>) -> Vector<D> {
        self.position + self.rotation() * local
    }

    /// Local coordinates of a world point.
    pub fn to_local(&self, world: &Vector<D>) -> Vector<D> {
        self.rotation().transpose() * (world - self.position)
    }

    /// The pose of something attached to this one: first `inner`, then `self`.
    pub fn compose(&self, inner: &Pose<D>) -> Pose<D> {
        Pose { position: self.to_world(&inner.position), orientation: self.orientation * inner.orientation }
    }

    /// The pose that undoes this one.
    pub fn inverse(&self) -> Pose<D> {
        Pose {
            position: -(self.rotation().transpose() * self.position),
            orientation: self.orientation.inverse(),
        }
    }

    /// Angle about z \[rad\], in (−π, π]; the whole orientation in the plane.
    pub fn angle(&self) -> f64 {
        let q = self.orientation.quaternion();
        let angle = 2.0 * crate::portable::atan2(q.k, q.w);
        if angle > std::f64::consts::PI {
            angle - std::f64::consts::TAU
        } else if angle <= -std::f64::consts::PI {
            angle + std::f64::consts::TAU
        } else {
            angle
        }
    }

    /// Orientation as numbers, scalar part first.
    pub fn orientation_wxyz(&self) -> [f64; 4] {
        let q = self.orientation.quaternion();
        [q.w, q.i, q.j, q.k]
    }

    /// Rebuilds an orientation bit by bit as `orientation_wxyz` gave it: no normalisation, so that a restored
    /// state is the saved one.
    pub fn orientation_from_wxyz([w, x, y, z]: [f64; 4]) -> Orientation {
        Orientation::new_unchecked(Quaternion::new(w, x, y, z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    #[test]
    fn inverse_undoes_and_compose_chains() {
        let a = Pose::<3> {
            position: Vector3::new(1.0, -2.0, 0.5),
            orientation: Orientation::from_euler_angles(0.3, -1.1, 2.0),
        };
        let b = Pose::<3> {
            position: Vector3::new(0.2, 0.1, 3.0),
            orientation: Orientation::from_euler_angles(-0.7, 0.4, 0.1),
        };
        let p = Vector3::new(0.3, 0.7, -0.9);
        assert!((a.inverse().to_world(&a.to_world(&p)) - p).norm() < 1e-14);
        assert!((a.compose(&b).to_world(&p) - a.to_world(&b.to_world(&p))).norm() < 1e-14);
        assert!((a.to_local(&a.to_world(&p)) - p).norm() < 1e-14);
    }

    #[test]
    fn plane_is_the_leading_block_of_space() {
        let pose = Pose::<2> {
            position: Vector::<2>::zeros(),
            orientation: Orientation::from_axis_angle(&Vector3::z_axis(), 0.4),
        };
        let turned = pose.to_world(&Vector::<2>::new(1.0, 0.0));
        assert!((turned - Vector::<2>::new(0.4f64.cos(), 0.4f64.sin())).norm() < 1e-15);
        assert!((pose.angle() - 0.4).abs() < 1e-15);
    }
}
