//! A deformable body as a whole: where its centre of mass is, how fast its fastest node moves, whether
//! anything holds it. Changes nothing.

use super::bundle::energies;
use super::{SolidBody, SolidEnergies, Solids, squared};
use drystone_math::Vector;

impl<const D: usize> Solids<D> {
    /// By how much the centre of mass of a body in the world frame is displaced \[m\], and its velocity
    /// \[m/s\], in the axes of the body; none of others, whose rigid line goes with it.
    pub fn centre(&self, body: usize) -> Option<[Vector<D>; 2]> {
        let solid = self.solid(body)?;
        let operator = self.operator(solid);
        let mut found = [Vector::zeros(); 2];
        for axis in 0..D {
            // rows of the mass matrix, summed up: what each node has of the whole
            let share = operator.weight(&Vector::from_fn(|k, _| f64::from(u8::from(k == axis))))?;
            let mass: f64 = share.iter().sum();
            let mean = |list: &[f64]| share.iter().zip(list).map(|(m, x)| m * x).sum::<f64>() / mass;
            found[0][axis] = mean(&solid.state.displacement);
            found[1][axis] = mean(&solid.state.velocity);
        }
        Some(found)
    }

    /// Whether a body is in the world frame, and nothing of it is held.
    pub fn is_loose(&self, body: usize) -> bool {
        self.solid(body).is_some_and(|solid| self.held(solid).is_some_and(|held| !held.contains(&true)))
    }

    /// Fastest deformation of any node of a body, what is held apart \[m/s\].
    pub fn deformation_speed(&self, body: usize) -> f64 {
        let Some(solid) = self.solid(body) else { return 0.0 };
        let held = self.held(solid).unwrap_or(&[]);
        if held.is_empty() {
            return solid.fastest_now().sqrt();
        }
        let is_free = |node: usize| (0..D).any(|axis| !held.get(node * D + axis).is_some_and(|held| *held));
        let nodes = solid.state.velocity.chunks_exact(D).enumerate();
        nodes.filter(|(node, _)| is_free(*node)).map(|(_, v)| squared(v)).fold(0.0, f64::max).sqrt()
    }

    /// Energies of the deformation of one body; none of a rigid one.
    pub fn energies_of(&self, body: usize) -> Option<SolidEnergies> {
        let solid = self.solid(body)?;
        solid.energies.or_else(|| energies(self.operator(solid), &[solid]).first().copied())
    }

    /// Which degrees of freedom of a body in the world frame are held; none in a floating one.
    fn held(&self, solid: &SolidBody<D>) -> Option<&[bool]> {
        let operator = self.operator(solid);
        operator.frame().is_none().then(|| operator.supports().held())
    }
}
