//! What contacts and the step ask of a family of bodies. How a family answers is its own business: rigid
//! bodies, the first one, in the other files.

use crate::{FreeMotion, coast, kinematics, motion};
use drystone_math::{Columns, Compliance, Matrix, Pose, Vector};
use drystone_state::{Bodies, Velocities};

/// A family of bodies: one object for all of them, never one for each.
///
/// The generalised velocities of all bodies lie in one vector, as many for a body as it has degrees of
/// freedom. Nobody outside the family counts them.
pub trait Bulk<const D: usize>: Sync {
    /// Poses and velocities after coasting for `dt` from where the bodies are: at the middle configuration
    /// for `dt = (1 − θ) h` (Moreau, Jean 1996, §4).
    fn arrive(&self, dt: f64) -> (Vec<Pose<D>>, Velocities);

    /// `v_free = v + h M⁻¹ F` (Dubois, Acary, Jean 2018, eq. 3), the bodies being at the middle
    /// configuration.
    fn free_motion(&self, middle: &[Pose<D>], gravity: &Vector<D>, h: f64) -> FreeMotion;

    /// Where a contactor lies that is held at `local` in the frame of its body, at the middle configuration.
    fn place(&self, body: usize, local: &Pose<D>, middle: &[Pose<D>]) -> Pose<D>;

    /// Row block of H: `H v` is the velocity of the body's particle at `point`, in the contact `frame`, the
    /// body standing at `pose`. A column for each degree of freedom.
    fn jacobian(&self, body: usize, frame: &Matrix<D, D>, point: &Vector<D>, pose: &Pose<D>) -> Columns<D>;

    /// How a body answers impulses.
    fn compliance(&self, body: usize) -> Compliance<'_>;

    /// Poses and velocities at the end of the step, `velocities` being those after its impulses at the middle
    /// configuration; the bodies hold the poses at the beginning and the velocities before the impulses.
    fn depart(
        &self,
        middle: &[Pose<D>],
        velocities: &Velocities,
        h: f64,
        theta: f64,
    ) -> (Vec<Pose<D>>, Velocities);

    /// Kinetic energy of a body \[J\], without components that are driven: it cannot change.
    fn kinetic_energy(&self, body: usize) -> f64;
}

/// Rigid bodies: three degrees of freedom in the plane, six in space, the mass matrix diagonal in principal
/// axes.
impl<const D: usize> Bulk<D> for Bodies<D> {
    fn arrive(&self, dt: f64) -> (Vec<Pose<D>>, Velocities) {
        coast::arrive(self, dt)
    }

    fn free_motion(&self, middle: &[Pose<D>], gravity: &Vector<D>, h: f64) -> FreeMotion {
        motion::free_motion(self, middle, gravity, h)
    }

    fn place(&self, body: usize, local: &Pose<D>, middle: &[Pose<D>]) -> Pose<D> {
        middle[body].compose(local)
    }

    fn jacobian(&self, _body: usize, frame: &Matrix<D, D>, point: &Vector<D>, pose: &Pose<D>) -> Columns<D> {
        kinematics::jacobian(frame, point, pose)
    }

    fn compliance(&self, body: usize) -> Compliance<'_> {
        Compliance::Diagonal(&self.inverse_mass[body])
    }

    fn depart(
        &self,
        middle: &[Pose<D>],
        velocities: &Velocities,
        h: f64,
        theta: f64,
    ) -> (Vec<Pose<D>>, Velocities) {
        coast::depart(self, middle, velocities, h, theta)
    }

    fn kinetic_energy(&self, body: usize) -> f64 {
        let free = (0..self.mass[body].len()).filter(|&c| self.driven[body][c].is_none());
        0.5 * free.map(|c| self.mass[body][c] * self.velocity[body][c].powi(2)).sum::<f64>()
    }
}
