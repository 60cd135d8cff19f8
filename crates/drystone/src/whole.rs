//! A body as a whole, rigid or deformable: where its centre of mass is and how fast it goes, whether it is
//! free. Changes nothing.

use crate::Simulation;
use drystone_math::Vector;
use drystone_math::per_dof::norm;
use drystone_problem::in_pieces;
use drystone_state::BodyId;
use std::ops::Range;

impl<const D: usize> Simulation<D> {
    /// Place \[m\] and velocity \[m/s\] of the centre of mass of a body. A deformable body in the world frame
    /// has them from its nodes, since nothing moves its rigid line.
    pub fn centre_of_mass(&self, BodyId(body): BodyId) -> [Vector<D>; 2] {
        let body = body as usize;
        let pose = &self.bodies.pose[body];
        match self.solids.centre(body) {
            Some([displacement, velocity]) => [pose.to_world(&displacement), pose.rotation() * velocity],
            None => [pose.position, Vector::from_fn(|axis, _| self.bodies.velocity[body][axis])],
        }
    }

    /// Whether nothing of a body is held or driven.
    pub fn is_free(&self, BodyId(body): BodyId) -> bool {
        let body = body as usize;
        self.bodies.driven[body].iter().all(Option::is_none) || self.solids.is_loose(body)
    }

    /// Whether anything of a body can move otherwise than it is driven.
    pub fn is_movable(&self, BodyId(body): BodyId) -> bool {
        !self.bodies.is_driven(body as usize) || self.solids.is_soft(body as usize)
    }

    /// Kinetic energy of a body, driven components left out \[J\].
    pub fn kinetic_of(&self, BodyId(body): BodyId) -> f64 {
        let deformation = self.solids.energies_of(body as usize).map_or(0.0, |energies| energies.kinetic);
        self.own_kinetic(body as usize) + deformation
    }

    /// The highest speed of any point of a body that can move, as a bound: of its centre of mass, of its
    /// rotation at its farthest point, and of its deformation \[m/s\].
    pub fn speed(&self) -> f64 {
        let speed = |body: usize| {
            let (velocity, spin) = self.bodies.velocity[body].split_at(D);
            // a line or plane has no farthest point
            let reach = Some(self.bodies.radius[body]).filter(|radius| radius.is_finite()).unwrap_or(0.0);
            norm(velocity) + norm(spin) * reach + self.solids.deformation_speed(body)
        };
        let of = |piece: Range<usize>| {
            let movable = piece.filter(|&body| self.is_movable(BodyId(body as u32)));
            movable.map(speed).fold(0.0, f64::max)
        };
        in_pieces(self.bodies.len(), of, |largest: &mut f64, piece| *largest = largest.max(piece))
    }
}
