//! A tie as everybody but the solver sees it. Changes nothing.

use super::{Kind, Tie, Ties};
use drystone_bulk::moment_in_world;
use drystone_math::{Pose, Vector};
use drystone_state::TieMemory;

/// A tie after a step.
#[derive(Clone, Copy, Debug)]
pub struct TieView<'a, const D: usize, const N: usize> {
    /// The tie itself.
    pub tie: &'a Tie<D, N>,
    /// Its two ends in world axes \[m\].
    pub ends: [Vector<D>; 2],
    /// Mean force on the first body over the step, in world axes \[N\].
    pub force: Vector<D>,
    /// Mean moment on the first body over the step, about the first end, in world axes \[N m\].
    pub moment: [f64; 3],
    /// Pull of a rod, wire or spring \[N\], negative where it pushes; of a joint the size of its force, of coupled motions
    /// the factor of their coefficients.
    pub tension: f64,
    /// By how much a rod, wire or spring is longer than its length \[m\]; the angle of a torsion spring \[rad\]; of a joint
    /// how far its two sides are apart \[m\].
    pub elongation: f64,
    /// How far a joint is turned off \[rad\].
    pub turned: f64,
    /// Energy stored \[J\].
    pub stored: f64,
    /// Whether it is broken.
    pub broken: bool,
}

impl<const D: usize, const N: usize> Ties<D, N> {
    /// The ties with bodies standing at `poses`, after a step of length `h` \[s\].
    pub fn view<'a>(
        &'a self,
        poses: &'a [Pose<D>],
        memory: &'a [TieMemory<D>],
        h: f64,
    ) -> impl ExactSizeIterator<Item = TieView<'a, D, N>> {
        let world = self.world();
        self.list().iter().zip(memory).map(move |(tie, kept)| {
            let [force, moment] = kept.impulse.map(|impulse| impulse / h);
            let frame = tie.parts(poses, kept.value, world).into_iter().flatten().next();
            let frame = frame.map_or_else(drystone_math::Matrix::identity, |row| row.frame);
            let tension = match tie.kind {
                Kind::Rod { .. } | Kind::Spring { .. } => -force[0],
                Kind::Wire { .. } | Kind::Coupled { .. } => force[0],
                Kind::Joint(_) | Kind::Torsion { .. } => force.norm(),
            };
            let [off, turned] = tie.off(poses, kept.value);
            TieView {
                tie,
                ends: tie.places(poses).map(|place| place.position),
                force: if matches!(tie.kind, Kind::Coupled { .. }) { Vector::zeros() } else { frame * force },
                moment: moment_in_world::<D>(&frame, &moment),
                tension,
                elongation: match tie.kind {
                    Kind::Joint(_) => off.norm(),
                    Kind::Coupled { .. } => kept.value,
                    _ => tie.elongation(poses, kept.value),
                },
                turned: if matches!(tie.kind, Kind::Joint(_)) { turned.norm() } else { 0.0 },
                stored: kept.stored,
                broken: kept.broken,
            }
        })
    }
}
