//! What a tie holds at given poses: how far it is off, and the rows of H for the rate of that. Knows no time.

use super::{Elasticity, Joint, Kind, Tie, pose_of};
use drystone_bulk::{jacobian, row_in_body_axes, turn_about_last, turn_rows, turned_off, twist};
use drystone_geometry::{common_perpendicular, frame_from_normal};
use drystone_math::{Columns, Matrix, Pose, Vector, rigid_dofs, rigid_turns};
use drystone_problem::Set;

/// Some of what a tie holds, at given poses: an error and its rate,
/// `ė = h[0] v_{bodies[0]} + h[1] v_{bodies[1]}`.
#[derive(Clone, Debug)]
pub struct TieRow<const D: usize> {
    /// Index of the tie.
    pub tie: u32,
    /// Indices of the two bodies; the world is one behind the last body.
    pub bodies: [u32; 2],
    /// Row blocks of H.
    pub h: [Columns<D>; 2],
    /// The error \[m\], of turns \[rad\], in the axes of the tie; of a wire what it is slack by, as first
    /// component. Zero in the components that are not held.
    pub error: Vector<D>,
    /// What `(ė, r)` must satisfy once the error is gone: [`Set::Bilateral`], or of a wire [`Set::Coulomb`]
    /// without friction.
    pub set: Set,
    /// Axes of the components in the world.
    pub frame: Matrix<D, D>,
}

impl<const D: usize> Tie<D> {
    /// The spring in it, where there is one.
    pub(crate) fn elasticity(&self) -> Option<Elasticity> {
        match self.kind {
            Kind::Wire { elasticity, .. } => elasticity,
            Kind::Spring { elasticity, .. } | Kind::Torsion { elasticity } => Some(elasticity),
            Kind::Joint(_)
            | Kind::Screw { .. }
            | Kind::Rack { .. }
            | Kind::Rod { .. }
            | Kind::Coupled { .. } => None,
        }
    }

    /// Whether it holds positions.
    pub(crate) fn is_rigid(&self) -> bool {
        self.elasticity().is_none() && !matches!(self.kind, Kind::Coupled { .. })
    }

    /// The frames of the two sides in world axes.
    pub(crate) fn places(&self, poses: &[Pose<D>]) -> [Pose<D>; 2] {
        std::array::from_fn(|side| {
            let mut local = self.local[side];
            self.meshes[side].iter().for_each(|end| local.position += end.deflection);
            pose_of(poses, self.bodies[side]).compose(&local)
        })
    }

    /// Where rows of the rigid motion of a side are taken for a point in the world: of a mesh where its end
    /// was before it was deformed, so that rigid motion and deformation part exactly.
    fn spot(&self, side: usize, pose: &Pose<D>, point: &Vector<D>) -> Vector<D> {
        match self.meshes[side] {
            Some(_) => pose.to_world(&self.local[side].position),
            None => *point,
        }
    }

    /// The rows of the relative velocity of two points in a frame, one on each side.
    pub(crate) fn ways(
        &self,
        frame: &Matrix<D, D>,
        points: [&Vector<D>; 2],
        of: &[Pose<D>; 2],
    ) -> [Columns<D>; 2] {
        let side = |side: usize| jacobian::<D>(frame, &self.spot(side, &of[side], points[side]), &of[side]);
        [side(0), -side(1)]
    }

    /// Distance of the two ends \[m\].
    pub(crate) fn distance(&self, poses: &[Pose<D>]) -> f64 {
        let [a, b] = self.places(poses);
        (a.position - b.position).norm()
    }

    /// What a spring is stretched by \[m\], or turned \[rad\] with turns counted from `value`; what a wire is
    /// longer than its length by. 0 for joints.
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
            Kind::Joint(_) | Kind::Screw { .. } | Kind::Rack { .. } | Kind::Coupled { .. } => 0.0,
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
    pub(crate) fn parts(&self, poses: &[Pose<D>], value: f64, world: u32) -> [Option<TieRow<D>>; 2] {
        let of = self.bodies.map(|body| pose_of(poses, body));
        let places = self.places(poses);
        let bodies = self.bodies.map(|body| body.map_or(world, |body| body.0));
        let row = |h: [Columns<D>; 2], error, set, frame| {
            // the world has no velocity, whatever its rows are
            let [a, b] = h;
            let h = [(a, 0), (b, 1)]
                .map(|(h, side)| if self.bodies[side].is_some() { h } else { Columns::zeros(0) });
            Some(TieRow { tie: 0, bodies, h, error, set, frame })
        };
        match self.kind {
            Kind::Joint(joint) => {
                let frame = places[1].rotation();
                let [ways, turns] = joint.held::<D>();
                let error = self.errors(joint, &places);
                let h = self.ways(&frame, [&places[0].position; 2], &of);
                let force = row(h, error[0], Set::Bilateral { rows: ways }, frame);
                let frame = if joint == Joint::Universal { cross_frame(&places) } else { frame };
                let h = [turn_rows::<D>(&frame, &of[0]), -turn_rows::<D>(&frame, &of[1])];
                let moment = row(h, error[1], Set::Bilateral { rows: turns }, frame);
                [force, if turns > 0 { moment } else { None }]
            }
            Kind::Screw { .. } | Kind::Rack { .. } => {
                let frame = places[1].rotation();
                let [error, across] = self.off(poses, value);
                let mut ways = self.ways(&frame, [&places[0].position; 2], &of);
                let turns = [turn_rows::<D>(&frame, &of[0]), -turn_rows::<D>(&frame, &of[1])];
                let last = rigid_turns(D) - 1;
                // the relation takes the place of the last way, of a rack of the first and only one
                let (place, lever) = match self.kind {
                    Kind::Rack { radius } => (0, radius),
                    _ => (D - 1, -self.lead()),
                };
                for (way, turn) in ways.iter_mut().zip(&turns) {
                    for (way, turn) in way.iter_mut().zip(&**turn) {
                        way[place] += turn[last] * lever;
                    }
                }
                let held = if place == 0 { 1 } else { D };
                let force = row(ways, error, Set::Bilateral { rows: held }, frame);
                let moment = row(turns, across, Set::Bilateral { rows: D - 1 }, frame);
                [force, if place == 0 { None } else { moment }]
            }
            Kind::Rod { .. } | Kind::Wire { .. } | Kind::Spring { .. } => {
                let pulls = matches!(self.kind, Kind::Wire { .. });
                let sign = if pulls { -1.0 } else { 1.0 };
                let frame = frame_from_normal(&(direction(&places) * sign));
                let mut error = Vector::zeros();
                error[0] = sign * self.elongation(poses, value);
                let h = self.ways(&frame, [&places[0].position, &places[1].position], &of);
                let set = if pulls { Set::Coulomb { mu: 0.0 } } else { Set::Bilateral { rows: 1 } };
                [row(h, error, set, frame), None]
            }
            Kind::Torsion { .. } => {
                let frame = places[1].rotation();
                let h = [turn_rows::<D>(&frame, &of[0]), -turn_rows::<D>(&frame, &of[1])];
                let mut error = Vector::zeros();
                error[0] = self.elongation(poses, value);
                [None, row(h.map(first), error, Set::Bilateral { rows: 1 }, frame)]
            }
            Kind::Coupled { coefficients } => {
                let own = |side: usize| {
                    let mut h = Columns::<D>::zeros(rigid_dofs(D));
                    let row = row_in_body_axes(&coefficients[side], &of[side]);
                    h.iter_mut().zip(&*row).for_each(|(column, x)| column[0] = *x);
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
            Kind::Screw { .. } | Kind::Rack { .. } => return self.related(&self.places(poses)),
            Kind::Wire { .. } => error[0][0] = -self.elongation(poses, value),
            Kind::Rod { .. } | Kind::Spring { .. } => error[0][0] = self.elongation(poses, value),
            Kind::Torsion { .. } => error[1][0] = self.elongation(poses, value),
            Kind::Coupled { .. } => error[0][0] = value,
        }
        error
    }

    /// How far a joint is off, in the axes of its second side: ways, then turns.
    fn errors(&self, joint: Joint, [a, b]: &[Pose<D>; 2]) -> [Vector<D>; 2] {
        let [ways, turns] = joint.held::<D>();
        let mut off = b.rotation().tr_mul(&(a.position - b.position));
        (ways..D).for_each(|component| off[component] = 0.0);
        if joint == Joint::Universal && turns > 0 {
            // the cosine between the two axes, whose rate is the relative spin about their common
            // perpendicular
            let mut cosine = Vector::zeros();
            cosine[0] = a.rotation().column(0).dot(&b.rotation().column(1));
            return [off, cosine];
        }
        [off, turned_off::<D>(&a.orientation, &b.orientation, turns)]
    }

    /// Way along the axis of a screw for a turn by one radian \[m\].
    pub(crate) fn lead(&self) -> f64 {
        match self.kind {
            Kind::Screw { pitch } => pitch / std::f64::consts::TAU,
            _ => 0.0,
        }
    }

    /// How far a screw or a rack is off: ways, then turns. What goes round comes back after a turn, so that
    /// the relation needs no count of turns: it is off by less than half of a pitch, or of a round of the
    /// pinion.
    fn related(&self, [a, b]: &[Pose<D>; 2]) -> [Vector<D>; 2] {
        let off = b.rotation().tr_mul(&(a.position - b.position));
        let angle = turn_about_last(&a.orientation, &b.orientation);
        let nearest = |way: f64, round: f64| way - round * (way / round).round();
        let turn = std::f64::consts::TAU;
        if let Kind::Rack { radius } = self.kind {
            let mut error = Vector::zeros();
            error[0] = nearest(off[0] + radius * angle, turn * radius);
            return [error, Vector::zeros()];
        }
        let mut error = off;
        let lead = self.lead();
        error[D - 1] = nearest(off[D - 1] - lead * angle, turn * lead.abs());
        [error, turned_off::<D>(&a.orientation, &b.orientation, D - 1)]
    }
}

/// Axes of which the first is the common perpendicular of the two axes of a universal joint.
fn cross_frame<const D: usize>([a, b]: &[Pose<D>; 2]) -> Matrix<D, D> {
    let (a, b) = (a.rotation(), b.rotation());
    // the two axes never meet as long as the joint holds
    let across = common_perpendicular(&a.column(0).into(), &b.column(1).into());
    across.map_or(b, |across| frame_from_normal(&across))
}

/// Unit vector from the second end to the first; where they meet, any.
fn direction<const D: usize>([a, b]: &[Pose<D>; 2]) -> Vector<D> {
    let between = a.position - b.position;
    let any = || Vector::from_fn(|axis, _| if axis == 0 { 1.0 } else { 0.0 });
    between.try_normalize(f64::MIN_POSITIVE).unwrap_or_else(any)
}

/// The first component alone.
fn first<const D: usize>(mut h: Columns<D>) -> Columns<D> {
    h.iter_mut().for_each(|column| column[1..].fill(0.0));
    h
}
