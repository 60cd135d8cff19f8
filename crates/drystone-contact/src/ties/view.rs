//! A tie as everybody but the solver sees it. Changes nothing.

use super::free::Free;
use super::{Kind, Tie, Ties};
use drystone_bulk::{Solids, moment_in_world};
use drystone_math::nalgebra::Vector3;
use drystone_math::{Pose, Vector, rigid_turns};
use drystone_state::TieMemory;

/// A tie after a step.
#[derive(Clone, Copy, Debug)]
pub struct TieView<'a, const D: usize> {
    /// The tie itself.
    pub tie: &'a Tie<D>,
    /// Its two ends in world axes \[m\].
    pub ends: [Vector<D>; 2],
    /// Mean force on the first body over the step, in world axes \[N\].
    pub force: Vector<D>,
    /// Mean moment on the first body over the step, about the first end, in world axes \[N m\].
    pub moment: [f64; 3],
    /// Pull of a rod, wire or spring \[N\], negative where it pushes; of a joint the size of its force, of
    /// coupled motions the factor of their coefficients.
    pub tension: f64,
    /// By how much a rod, wire or spring is longer than its length \[m\]; the angle of a torsion spring
    /// \[rad\]; of a joint how far its two sides are apart \[m\].
    pub elongation: f64,
    /// How far a joint is turned off \[rad\].
    pub turned: f64,
    /// How far a joint with one free motion went along it \[m\], or turned \[rad\], since the start; turns
    /// are counted where it has stops. Of a ball in its socket and a universal joint how far its two sides
    /// are bent against each other \[rad\].
    pub coordinate: f64,
    /// Size of its friction \[N\], of turns \[N m\].
    pub friction: f64,
    /// Push of its stops along the free motion \[N\], of turns \[N m\]; positive from the lower one. Of a
    /// universal joint the larger of the two.
    pub stop: f64,
    /// Energy stored \[J\].
    pub stored: f64,
    /// Whether it is broken.
    pub broken: bool,
}

impl<const D: usize> Ties<D> {
    /// The ties with bodies standing at `poses`, after a step of length `h` \[s\].
    pub fn view<'a>(
        &'a self,
        poses: &'a [Pose<D>],
        memory: &'a [TieMemory<D>],
        h: f64,
        solids: &'a Solids<D>,
    ) -> impl ExactSizeIterator<Item = TieView<'a, D>> {
        let world = self.world();
        self.list().iter().zip(memory).map(move |(own, kept)| {
            let tie = own.deflected(Some(solids), 0.0);
            let [force, moment] = kept.impulse.map(|impulse| impulse / h);
            let frames = tie.parts(poses, kept.value, world).map(|row| row.map(|row| row.frame));
            let [frame, turning] = [frames[0].or(frames[1]), frames[1].or(frames[0])]
                .map(|frame| frame.unwrap_or_else(drystone_math::Matrix::identity));
            let ([force, moment], friction, stop) = tie.with_free(force, moment, kept, h);
            let free = tie.free_moment(poses, kept, h);
            let tension = match tie.kind {
                Kind::Rod { .. } | Kind::Spring { .. } => -force[0],
                Kind::Wire { .. } | Kind::Coupled { .. } => force[0],
                Kind::Rack { .. } => force[0].abs(),
                Kind::Joint(_) | Kind::Screw { .. } | Kind::Torsion { .. } => force.norm(),
            };
            let [off, turned] = tie.off(poses, kept.value);
            TieView {
                tie: own,
                ends: tie.places(poses).map(|place| place.position),
                force: if matches!(tie.kind, Kind::Coupled { .. }) { Vector::zeros() } else { frame * force },
                moment: added(moment_in_world::<D>(&turning, &moment), &free),
                tension,
                elongation: match tie.kind {
                    Kind::Joint(_) | Kind::Screw { .. } | Kind::Rack { .. } => off.norm(),
                    Kind::Coupled { .. } => kept.value,
                    _ => tie.elongation(poses, kept.value),
                },
                turned: match tie.kind {
                    Kind::Joint(_) | Kind::Screw { .. } => turned.norm(),
                    _ => 0.0,
                },
                coordinate: tie.coordinate(poses, kept.value),
                friction,
                stop,
                stored: kept.stored,
                broken: kept.broken,
            }
        })
    }
}

impl<const D: usize> Tie<D> {
    /// Mean force and moment with what acts along the free motion, the size of the friction and the push of
    /// the stops.
    fn with_free(
        &self,
        mut force: Vector<D>,
        mut moment: Vector<D>,
        kept: &TieMemory<D>,
        h: f64,
    ) -> ([Vector<D>; 2], f64, f64) {
        let friction = kept.friction / h;
        let [first, second] = kept.stops.map(|stop| stop / h);
        let stop = match self.free() {
            Some(Free::Ball) => first,
            Some(Free::Cross) => {
                if first.abs() >= second.abs() {
                    first
                } else {
                    second
                }
            }
            _ => first - second,
        };
        let last = rigid_turns(D) - 1;
        let radius = self.rubbing.map_or(0.0, |rubbing| rubbing.radius);
        match self.free() {
            Some(Free::Turn) => moment[last] += friction[1] + stop,
            Some(Free::Way) => force[D - 1] += friction[1] + stop,
            Some(Free::Both) => {
                force[D - 1] += friction[1] + stop;
                moment[last] += radius * friction[D - 1];
            }
            Some(Free::Ball | Free::Cross) | None => {}
        }
        match self.kind {
            // what a relation does to the way it does to the turn
            Kind::Screw { .. } => moment[last] -= self.lead() * force[D - 1],
            Kind::Rack { radius } => moment[last] += radius * force[0],
            _ => {}
        }
        ([force, moment], friction.norm(), stop)
    }

    /// Mean moment of friction and stops of a ball in its socket or a universal joint, in world axes \[N m\].
    fn free_moment(&self, poses: &[Pose<D>], kept: &TieMemory<D>, h: f64) -> Vector3<f64> {
        let [a, b] = self.places(poses).map(|place| place.orientation);
        let three = |x: &Vector<D>| Vector3::from_fn(|i, _| if i < D { x[i] } else { 0.0 });
        let moment = match self.free() {
            Some(Free::Ball) => {
                let across = (b * Vector3::z()).cross(&(a * Vector3::z()));
                b * three(&kept.friction)
                    + across.try_normalize(f64::MIN_POSITIVE).unwrap_or_else(Vector3::zeros) * kept.stops[0]
            }
            Some(Free::Cross) => {
                let [first, second] = [0, 1].map(|k| kept.friction[k] + kept.stops[k]);
                a * Vector3::x() * first + b * Vector3::y() * second
            }
            _ => Vector3::zeros(),
        };
        moment / h
    }
}

fn added(a: [f64; 3], b: &Vector3<f64>) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}
