//! What a tie holds at given poses: how far it is off, and the rows of H for the rate of that. Knows no time.

use super::{Elasticity, Joint, Kind, Tie, pose_of};
use drystone_bulk::{jacobian, row_in_body_axes, turn_rows, turned_off, twist};
use drystone_math::{Matrix, Pose, Vector};
use drystone_problem::Set;
use drystone_shapes::frame_from_normal;

/// Some of what a tie holds, at given poses: an error and its rate, `ė = h[0] v_{bodies[0]} + h[1] v_{bodies[1]}`.
#[derive(Clone, Copy, Debug)]
pub struct TieRow<const D: usize, const N: usize> {
    /// Index of the tie.
    pub tie: u32,
    /// Indices of the two bodies; the world is one behind the last body.
    pub bodies: [u32; 2],
    /// Row blocks of H.
    pub h: [Matrix<D, N>; 2],
    /// The error \[m\], of turns \[rad\], in the axes of the tie; of a wire what it is slack by, as first component. Zero in the
    /// components that are not held.
    pub error: Vector<D>,
    /// What `(ė, r)` must satisfy once the error is gone: [`Set::Bilateral`], or of a wire [`Set::Coulomb`] without friction.
    pub set: Set,
    /// Axes of the components in the world.
    pub frame: Matrix<D, D>,
}

impl<const D: usize, const N: usize> Tie<D, N> {
    /// The spring in it, where there is one.
    pub(crate) fn elasticity(&self) -> Option<Elasticity> {
        match self.kind {
            Kind::Wire { elasticity, .. } => elasticity,
            Kind::Spring { elasticity, .. } | Kind::Torsion { elasticity } => Some(elasticity),
            Kind::Joint(_) | Kind::Rod { .. } | Kind::Coupled { .. } => None,
        }
    }

    /// Whether it holds positions.
    pub(crate) fn is_rigid(&self) -> bool {
        self.elasticity().is_none() && !matches!(self.kind, Kind::Coupled { .. })
    }

    /// The frames of the two sides in world axes.
    pub(crate) fn places(&self, poses: &[Pose<D>]) -> [Pose<D>; 2] {
        std::array::from_fn(|side| pose_of(poses, self.bodies[side]).compose(&self.local[side]))
    }

    /// Distance of the two ends \[m\].
    pub(crate) fn distance(&self, poses: &[Pose<D>]) -> f64 {
        let [a, b] = self.places(poses);
        (a.position - b.position).norm()
    }

    /// What a spring is stretched by \[m\], or turned \[rad\] with turns counted from `value`; what a wire is longer than its
    /// length by. 0 for joints.
    pub(crate) fn elongation(&self, poses: &[Pose<D>], value: f64) -> f64 {
        match self.kind {
            Kind::Rod { length } | Kind::Wire { length, .. } | Kind::Spring { length, .. } => {
                self.distance(poses) - length
            }
            Kind::Torsion { .. } => {
                let [a, b] = self.places(poses);
                let turn = std::f64::consts::TAU;
                let angle = twist::<D>(&a.orientation, &b.orientation);
                angle + turn * ((value - angle) / turn).round()
            }
            Kind::Joint(_) | Kind::Coupled { .. } => 0.0,
        }
    }

    /// Energy in the spring \[J\].
    pub(crate) fn energy(&self, poses: &[Pose<D>], value: f64) -> f64 {
        let Some(Elasticity { stiffness, .. }) = self.elasticity() else { return 0.0 };
        let stretched = self.elongation(poses, value);
        let pulls = matches!(self.kind, Kind::Wire { .. });
        0.5 * stiffness * (if pulls { stretched.max(0.0) } else { stretched }).powi(2)
    }

    /// What it holds, bodies standing at `poses`: forces, then moments.
    pub(crate) fn parts(&self, poses: &[Pose<D>], value: f64, world: u32) -> [Option<TieRow<D, N>>; 2] {
        let of = self.bodies.map(|body| pose_of(poses, body));
        let places = self.places(poses);
        let bodies = self.bodies.map(|body| body.map_or(world, |body| body.0));
        let row = |h: [Matrix<D, N>; 2], error, set, frame| {
            // the world has no velocity, whatever its rows are
            let still = |side: usize| if self.bodies[side].is_some() { h[side] } else { Matrix::zeros() };
            Some(TieRow { tie: 0, bodies, h: [still(0), still(1)], error, set, frame })
        };
        match self.kind {
            Kind::Joint(joint) => {
                let frame = places[1].rotation();
                let [ways, turns] = joint.held::<D, N>();
                let error = self.errors(joint, &places);
                let at = &places[0].position;
                let h = [jacobian::<D, N>(&frame, at, &of[0]), -jacobian::<D, N>(&frame, at, &of[1])];
                let force = row(h, error[0], Set::Bilateral { rows: ways }, frame);
                let h = [turn_rows::<D, N>(&frame, &of[0]), -turn_rows::<D, N>(&frame, &of[1])];
                let moment = row(h, error[1], Set::Bilateral { rows: turns }, frame);
                [force, if turns > 0 { moment } else { None }]
            }
            Kind::Rod { .. } | Kind::Wire { .. } | Kind::Spring { .. } => {
                let pulls = matches!(self.kind, Kind::Wire { .. });
                let sign = if pulls { -1.0 } else { 1.0 };
                let frame = frame_from_normal(&(direction(&places) * sign));
                let mut error = Vector::zeros();
                error[0] = sign * self.elongation(poses, value);
                let h = [
                    jacobian::<D, N>(&frame, &places[0].position, &of[0]),
                    -jacobian::<D, N>(&frame, &places[1].position, &of[1]),
                ];
                let set = if pulls { Set::Coulomb { mu: 0.0 } } else { Set::Bilateral { rows: 1 } };
                [row(h, error, set, frame), None]
            }
            Kind::Torsion { .. } => {
                let frame = places[1].rotation();
                let h = [turn_rows::<D, N>(&frame, &of[0]), -turn_rows::<D, N>(&frame, &of[1])];
                let mut error = Vector::zeros();
                error[0] = self.elongation(poses, value);
                [None, row(h.map(first), error, Set::Bilateral { rows: 1 }, frame)]
            }
            Kind::Coupled { coefficients } => {
                let own = |side: usize| {
                    let mut h = Matrix::<D, N>::zeros();
                    h.set_row(0, &row_in_body_axes(&coefficients[side], &of[side]).transpose());
                    h
                };
                let mut error = Vector::zeros();
                error[0] = value;
                [row([own(0), own(1)], error, Set::Bilateral { rows: 1 }, Matrix::identity()), None]
            }
        }
    }

    /// The errors of what it holds, as [`Self::parts`] gives them, without the rows.
    pub(crate) fn off(&self, poses: &[Pose<D>], value: f64) -> [Vector<D>; 2] {
        let mut error = [Vector::zeros(); 2];
        match self.kind {
            Kind::Joint(joint) => return self.errors(joint, &self.places(poses)),
            Kind::Wire { .. } => error[0][0] = -self.elongation(poses, value),
            Kind::Rod { .. } | Kind::Spring { .. } => error[0][0] = self.elongation(poses, value),
            Kind::Torsion { .. } => error[1][0] = self.elongation(poses, value),
            Kind::Coupled { .. } => error[0][0] = value,
        }
        error
    }

    /// How far a joint is off, in the axes of its second side: ways, then turns.
    fn errors(&self, joint: Joint, [a, b]: &[Pose<D>; 2]) -> [Vector<D>; 2] {
        let [ways, turns] = joint.held::<D, N>();
        let mut off = b.rotation().tr_mul(&(a.position - b.position));
        (ways..D).for_each(|component| off[component] = 0.0);
        [off, turned_off::<D>(&a.orientation, &b.orientation, turns)]
    }
}

/// Unit vector from the second end to the first; where they meet, any.
fn direction<const D: usize>([a, b]: &[Pose<D>; 2]) -> Vector<D> {
    let between = a.position - b.position;
    let any = || Vector::from_fn(|axis, _| if axis == 0 { 1.0 } else { 0.0 });
    between.try_normalize(f64::MIN_POSITIVE).unwrap_or_else(any)
}

/// The first component alone.
fn first<const D: usize, const N: usize>(mut h: Matrix<D, N>) -> Matrix<D, N> {
    (1..D).for_each(|component| h.row_mut(component).fill(0.0));
    h
}
