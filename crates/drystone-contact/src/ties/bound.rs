//! Ties as rows of the problem of one step, and what its solution means for them. Moves no body.
//!
//! Rows that held velocities alone would let joints drift apart: bodies go on along the tangents of the
//! circles they are held on. The bodies are seen next at the middle configuration `q_m + h v`; the error
//! there is forecast and taken off with the velocity that is sought,
//!
//! `e(q_m) + γ q + h H v = 0`, `q = e(q_m + h v_begin) − e(q_m) − h H v_begin`,
//!
//! after the rule of SHAKE (Ryckaert, Ciccotti, Berendsen 1977), `e(q_m + h v) = 0`, on middle
//! configurations. `q` is the curvature of the way, of second order in the step, but that of the last step:
//! what it changes by from step to step, times the tension, is work that SHAKE would give back. With `r` and
//! `q` that swing together this work is `(3γ − 1)/2` of `h²` times their product: γ = 1 feeds energy in, γ =
//! 0 takes it out, and [`CURVATURE`] is just on the side of taking. Between joints in smooth motion the
//! velocity at the end is known to second order, from the impulses of the last step (`ahead`): `q` is taken
//! with it, and γ = 1.
//!
//! Where positions are projected after the step, errors are not the business of the velocities: the error at
//! `q_m` is left out of the forecast. What remains of it, the curvature of the way, makes velocities tangent
//! at the end of the step, as in RATTLE (Andersen 1983); without it the impulses would work on velocities
//! that are off to one side.

use super::ahead::Ahead;
use super::free::Free;
use super::{Elasticity, Kind, Stops, Tie, TieRow, Ties, pose_of};
use crate::StepContext;
use crate::context::Common;
use crate::ports::Ports;
use crate::rows::give_way;
use drystone_laws::{Approach, Change, Device, Dissipated, Law, Outcome, Viscoelastic};
use drystone_math::per_dof::norm;
use drystone_math::{Matrix, Vector};
use drystone_problem::{PairRow, Set};
use drystone_state::{TieMemory, Velocities};

/// Part γ of the curvature that is forecast; the work of the error vanishes for ⅓.
const CURVATURE: f64 = 0.25;

/// Largest turn of a tie in one step for which the forecast is taken \[rad\]. Beyond it a chord has little to
/// do with its arc, and a forecast with the velocity before a blow would feed energy in: velocities alone are
/// held, and the error is taken off slowly.
const RESOLVED: f64 = 0.5;

/// Part of the error taken off in a step where the forecast is not taken.
const TAKEN_OFF: f64 = 0.2;

/// What a row of a tie does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Bears a force (0) or a moment (1).
    Held(u8),
    /// Rubs against the free motion.
    Friction,
    /// Ends the free motion: at its lower (0) or upper (1) stop, of a universal joint's second turn 2 and 3.
    Stop(u8),
}

/// One row of the problem that belongs to a tie.
#[derive(Clone, Debug)]
pub(crate) struct Bound<const D: usize> {
    /// Index of the tie.
    pub tie: u32,
    pub part: Part,
    /// How many rows before this one the force is that its threshold follows, and how large both are: of
    /// friction only.
    pub follows: Option<Follows>,
    pub pair: PairRow<D>,
    pub change: Change<D>,
    pub u_free: Vector<D>,
    /// Relative velocity at the beginning of the step.
    pub u_begin: Vector<D>,
    /// What a spring is stretched by at the beginning of the step.
    stretched: f64,
    /// Energy in it at the beginning of the step.
    stored: f64,
    /// Impulse of the last step.
    pub guess: Vector<D>,
}

/// A threshold that follows the force of a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Follows {
    /// How many rows before the row of friction the force is.
    pub back: usize,
    /// Threshold without force \[N s\], of turns \[N m s\].
    pub constant: f64,
    /// And for a unit of force.
    pub factor: f64,
}

impl<const D: usize> Ties<D> {
    /// The rows of all ties that are whole, and by how much the energy in the springs where bodies stand now
    /// is more than what the last step made of it \[J\].
    pub(crate) fn bind(&self, step: &StepContext<D>, ports: &Ports<D>) -> (Vec<Bound<D>>, f64) {
        if self.list.is_empty() {
            return (Vec::new(), 0.0);
        }
        let ahead = self.ahead(step, step.tie_memory);
        let mut rows = Vec::with_capacity(self.list.len());
        let mut more = 0.0;
        for (index, (tie, kept)) in self.list.iter().zip(step.tie_memory).enumerate() {
            if kept.broken {
                continue;
            }
            let to_middle = step.h * (1.0 - step.theta);
            let [begin, tie, next] =
                [0.0, to_middle, to_middle + step.h].map(|dt| tie.deflected(step.solids, dt));
            let meshes = Meshes::new(step, index, ports, [&tie, &next]);
            let stored = begin.energy(&step.bodies.pose, kept.value);
            more += stored - kept.stored;
            let stretched = match tie.stops {
                Some(_) => begin.coordinate(&step.bodies.pose, kept.value),
                None => begin.elongation(&step.bodies.pose, kept.value),
            };
            let off = tie.forecast(step, (&ahead, &next), kept.value);
            let parts = tie.parts(step.middle, kept.value, self.world());
            for (part, row) in parts.into_iter().enumerate() {
                let Some(row) = row else { continue };
                let u_begin = along(&row, &step.bodies.velocity) + meshes.along(&row, |side| side.begin);
                let u_ahead = along(&row, &ahead.velocities) + meshes.along(&row, |side| side.ahead);
                let off = off(part, &u_begin, &u_ahead);
                let change = tie.change(&row, step, &u_begin, &off, stretched);
                let mut bound = Bound::new(step, &row, change, u_begin, &meshes);
                (bound.tie, bound.part, bound.guess) =
                    (index as u32, Part::Held(part as u8), kept.impulse[part]);
                (bound.stretched, bound.stored) = (stretched, stored);
                rows.push(bound);
            }
            let free = tie.bind_free(step, kept, self.world(), &meshes);
            rows.extend(free.into_iter().flatten().map(|bound| Bound { tie: index as u32, ..bound }));
        }
        (rows, more)
    }

    /// Takes the solution of one row back into the state of its tie, with the true impulse and velocity;
    /// gives where the work went.
    pub(crate) fn accept(
        &self,
        row: &Bound<D>,
        u: &Vector<D>,
        r: &Vector<D>,
        step: &Common,
        kept: &mut TieMemory<D>,
    ) -> Dissipated {
        let tie = &self.list[row.tie as usize];
        let (h, theta) = (step.h, tie.theta(step.theta));
        let mean = (row.u_begin + u) * 0.5;
        let way = row.u_begin * (1.0 - theta) + u * theta;
        let work = r.dot(&mean);
        match row.part {
            Part::Held(part) => kept.impulse[part as usize] = *r,
            Part::Friction => {
                kept.friction = *r;
                return Dissipated { friction: -work, ..Dissipated::default() };
            }
            Part::Stop(end) => {
                tie.keep_stop(end, r[0], kept);
                return Dissipated { shocks: -work, ..Dissipated::default() };
            }
        }
        let mut spent = match (tie.kind, tie.elasticity()) {
            (Kind::Wire { .. }, Some(elasticity)) => {
                let approach = slack(row.stretched, &row.u_begin, h, theta);
                let approach = Approach { stored: row.stored, ..approach };
                device(&elasticity).keep(&approach, &Outcome::new(*u, *r), &mut [0.0])
            }
            (_, Some(Elasticity { stiffness, damping })) => {
                let end = row.stretched + h * way[0];
                let stored = 0.5 * stiffness * end * end - row.stored;
                let viscosity = h * damping * mean[0] * mean[0];
                kept.value = if matches!(tie.kind, Kind::Torsion { .. }) { end } else { 0.0 };
                Dissipated { stored, viscosity, scheme: -work - stored - viscosity, ..Dissipated::default() }
            }
            (Kind::Coupled { .. }, None) => {
                kept.value += h * way[0];
                Dissipated { shocks: -work, ..Dissipated::default() }
            }
            (_, None) => {
                if tie.stops.is_some() {
                    // where it was is near enough to count turns
                    kept.value = row.stretched;
                }
                Dissipated { shocks: -work, ..Dissipated::default() }
            }
        };
        kept.stored = row.stored + spent.stored;
        if row.part == Part::Held(0) && tie.strength.is_some_and(|strength| r.norm() > strength * h) {
            kept.broken = true;
            spent.cohesion += kept.stored;
            spent.stored -= kept.stored;
            kept.stored = 0.0;
        }
        spent
    }
}

impl<const D: usize> Bound<D> {
    /// A row of a tie, whose it is left to the caller.
    fn new(
        step: &StepContext<D>,
        row: &TieRow<D>,
        mut change: Change<D>,
        u_begin: Vector<D>,
        meshes: &Meshes<D>,
    ) -> Self {
        let mut pair = PairRow { bodies: row.bodies, h: row.h.clone() };
        give_way(&mut change, &pair, &step.bodies.inverse_mass, meshes.diagonal(row));
        pair.h = meshes.ports.widen_tie(pair.h, row.bodies, meshes.tie);
        let u_free = along(row, step.free) + meshes.along(row, |side| side.free);
        let (tie, part, follows, guess) = (0, Part::Held(0), None, Vector::zeros());
        Bound { tie, part, follows, pair, change, u_free, u_begin, stretched: 0.0, stored: 0.0, guess }
    }
}

/// The velocity of a row; the world has none.
fn along<const D: usize>(row: &TieRow<D>, velocities: &Velocities) -> Vector<D> {
    let side = |side: usize| match velocities.get(row.bodies[side] as usize) {
        Some(velocity) => row.h[side].times(velocity),
        None => Vector::zeros(),
    };
    side(0) + side(1)
}

/// What deformation is to the ends of a tie that lie in meshes.
struct Meshes<'a, const D: usize> {
    tie: usize,
    ports: &'a Ports<D>,
    sides: [Option<MeshSide<D>>; 2],
}

/// Velocities of one such end by deformation, in world axes \[m/s\].
struct MeshSide<const D: usize> {
    /// At the beginning of the step.
    begin: Vector<D>,
    /// At its end, without contacts and ties.
    free: Vector<D>,
    /// With which it gets from this middle configuration to the forecast of the next one.
    ahead: Vector<D>,
    /// What an impulse on it does \[1/kg\].
    block: Matrix<D, D>,
}

impl<'a, const D: usize> Meshes<'a, D> {
    /// Of a tie, at the middle configuration and at the next one.
    fn new(step: &StepContext<D>, tie: usize, ports: &'a Ports<D>, [here, next]: [&Tie<D>; 2]) -> Self {
        let held = ports.of_tie(tie);
        let sides = std::array::from_fn(|side| {
            let (held, end, later) = (held[side]?, here.meshes[side].as_ref()?, next.meshes[side].as_ref()?);
            let moved = (later.deflection - end.deflection) / step.h;
            let ahead = pose_of(step.middle, here.bodies[side]).rotation() * moved;
            Some(MeshSide { begin: held.begin, free: held.free, ahead, block: held.block })
        });
        Self { tie, ports, sides }
    }

    /// Part of the velocity of a row: its ways are those of points, and meshes move these as well.
    fn along(&self, row: &TieRow<D>, of: impl Fn(&MeshSide<D>) -> Vector<D>) -> Vector<D> {
        let mut sum = Vector::zeros();
        for (h, side) in row.h.iter().zip(&self.sides) {
            let velocity = side.as_ref().map_or_else(Vector::zeros, &of);
            h.iter().zip(velocity.iter()).for_each(|(column, v)| sum += Vector::from(*column) * *v);
        }
        sum
    }

    /// What an impulse along each component of a row does to it by deformation \[1/kg\].
    fn diagonal(&self, row: &TieRow<D>) -> Vector<D> {
        let mut sum = Vector::zeros();
        for (h, side) in row.h.iter().zip(&self.sides) {
            for (i, j, side) in side.iter().flat_map(|s| (0..D * D).map(move |k| (k / D, k % D, s))) {
                (0..D).for_each(|c| sum[c] += h[i][c] * side.block[(i, j)] * h[j][c]);
            }
        }
        sum
    }
}

impl<const D: usize> Tie<D> {
    /// The rows of its free motion: friction, with the threshold of the force of the last step, and the two
    /// stops.
    fn bind_free(
        &self,
        step: &StepContext<D>,
        kept: &TieMemory<D>,
        world: u32,
        meshes: &Meshes<D>,
    ) -> [Option<Bound<D>>; 5] {
        let h = step.h;
        let friction = self.friction_row(step.middle, world).map(|row| {
            let u_begin = along(&row, &step.bodies.velocity) + meshes.along(&row, |side| side.begin);
            let constant = h * self.rubbing.map_or(0.0, |rubbing| rubbing.constant);
            let cap = constant + self.rubs() * kept.impulse[0].norm();
            let set = match row.set {
                Set::Bearing { held, factor, apart, .. } => Set::Bearing { held, base: cap, factor, apart },
                _ => Set::Tresca { cap },
            };
            let mut bound = Bound::new(step, &row, Change::new(set), u_begin, meshes);
            // behind the force, and behind the moment where there is one
            let back = self.parts(step.middle, kept.value, world).iter().flatten().count();
            bound.follows = Some(Follows { back, constant, factor: self.rubs() });
            (bound.part, bound.guess) = (Part::Friction, kept.friction);
            bound
        });
        let stop = |row: Option<TieRow<D>>, end: u8| {
            let (row, stops) = (row?, self.stops?);
            let stops = if end > 1 { self.second_stops.unwrap_or(stops) } else { stops };
            let u_begin = along(&row, &step.bodies.velocity) + meshes.along(&row, |side| side.begin);
            let shift = match self.is_straight() {
                true => stops.shift(row.error[0], u_begin[0], h)?,
                // the way along a stop is curved and leads past it: that is taken back
                false => stops.shift(row.error[0], u_begin[0], h)?.min(row.error[0] / h),
            };
            let mut bound = Bound::new(step, &row, Change::forecast(row.set, shift), u_begin, meshes);
            bound.part = Part::Stop(end);
            bound.guess[0] = self.kept_stop(end, kept);
            Some(bound)
        };
        let mut bounds = [friction, None, None, None, None];
        for (end, row) in (0..).zip(self.stop_rows(step.middle, kept.value, world)) {
            bounds[1 + end as usize] = stop(row, end);
        }
        bounds
    }

    /// Keeps the impulse of a stop: of a joint with one free motion at its place, of one with two turns as
    /// one number for each turn, positive from the lower stop.
    fn keep_stop(&self, end: u8, impulse: f64, kept: &mut TieMemory<D>) {
        let sign = if end.is_multiple_of(2) { 1.0 } else { -1.0 };
        match self.is_straight() {
            true => kept.stops[end as usize % 2] = impulse,
            false => kept.stops[end as usize / 2] += sign * impulse,
        }
    }

    fn kept_stop(&self, end: u8, kept: &TieMemory<D>) -> f64 {
        let sign = if end.is_multiple_of(2) { 1.0 } else { -1.0 };
        match self.is_straight() {
            true => kept.stops[end as usize % 2],
            false => (sign * kept.stops[end as usize / 2]).max(0.0),
        }
    }

    /// Whether a stop ends the one free motion there is.
    fn is_straight(&self) -> bool {
        !matches!(self.free(), Some(Free::Ball | Free::Cross))
    }

    /// The error forecast of each of its rows, as seen with the velocity at the beginning of the step; the
    /// second velocity is the one with which the bodies are ahead.
    fn forecast(
        &self,
        step: &StepContext<D>,
        (ahead, next): (&Ahead<D>, &Self),
        value: f64,
    ) -> impl Fn(usize, &Vector<D>, &Vector<D>) -> Vector<D> {
        let (h, projected) = (step.h, step.projected);
        let [here, there] = [self.off(step.middle, value), next.off(&ahead.poses, value)];
        let known = matches!(self.kind, Kind::Joint(_)) && ahead.is_forecast(&self.bodies);
        let part_forecast = if known || projected { 1.0 } else { CURVATURE };
        let (coupled, pulls) =
            (matches!(self.kind, Kind::Coupled { .. }), matches!(self.kind, Kind::Wire { .. }));
        let length = match self.kind {
            Kind::Rod { length } | Kind::Wire { length, .. } => Some(length),
            _ => None,
        };
        let velocities =
            self.bodies.map(|body| body.and_then(|body| step.bodies.velocity.get(body.0 as usize)));
        let spin = velocities.into_iter().flatten().map(|v| norm(&v[D..])).fold(0.0, f64::max);
        move |part, u_begin, u_ahead| {
            if coupled {
                return here[part];
            }
            let turned = h * length.map_or(spin, |length| u_begin.norm() / length);
            // what a wire is slack by is no error
            let error = here[part].map(|error| if pulls { error.min(0.0) } else { error });
            if turned > RESOLVED {
                let kept = if projected { 0.0 } else { TAKEN_OFF };
                return here[part] + u_begin * h - error * (1.0 - kept);
            }
            let curved = there[part] - here[part] - u_ahead * h;
            let left = if projected { error } else { Vector::zeros() };
            here[part] + u_begin * h + curved * part_forecast - left
        }
    }

    /// The change of variables of one of its rows. `off` is the error forecast, `stretched` what it is
    /// stretched by at the beginning of the step.
    fn change(
        &self,
        row: &TieRow<D>,
        step: &StepContext<D>,
        u_begin: &Vector<D>,
        off: &Vector<D>,
        stretched: f64,
    ) -> Change<D> {
        let (h, theta) = (step.h, self.theta(step.theta));
        let mut change = Change::new(row.set);
        match (self.kind, self.elasticity()) {
            (Kind::Wire { .. }, Some(elasticity)) => {
                let approach = slack(stretched, u_begin, h, theta);
                return device(&elasticity).change(&approach).unwrap_or(change);
            }
            (_, Some(Elasticity { stiffness, damping })) => {
                // r = −h [k (e_begin + e_end)/2 + c (u_begin + u)/2] = −(a u + b), e_end = e_begin + h
                // u_{n+θ}; of meshes without inertia the forces at the end alone
                let weight = if self.is_static() { 1.0 } else { 0.5 };
                let a = weight * h * (stiffness * theta * h + damping);
                let begin = stretched + weight * h * (1.0 - theta) * u_begin[0];
                change.compliance[0] = 1.0 / a;
                change.shift[0] = h * (stiffness * begin + (1.0 - weight) * damping * u_begin[0]) / a;
            }
            (Kind::Coupled { .. }, None) => change.shift[0] = off[0] / h + (1.0 - theta) * u_begin[0],
            (_, None) => {
                let held = match row.set {
                    Set::Bilateral { rows } => rows,
                    _ => 1,
                };
                (0..held.min(D)).for_each(|i| change.shift[i] = off[i] / h - u_begin[i]);
            }
        }
        change
    }
}

impl Stops {
    /// What the velocity away from a stop is shifted by, with so much `left` up to it at the middle
    /// configuration: the stop is not passed by where bodies are seen next, or, with restitution, throws back
    /// once it is reached (Moreau 1988) and does nothing before.
    fn shift(&self, left: f64, u_begin: f64, h: f64) -> Option<f64> {
        match left <= 0.0 {
            true => Some(self.restitution * u_begin.min(0.0)),
            false => (self.restitution == 0.0).then_some(left / h),
        }
    }
}

/// A wire as a contact that is open while it is slack.
fn slack<const D: usize>(stretched: f64, u_begin: &Vector<D>, h: f64, theta: f64) -> Approach<'static, D> {
    Approach { theta, ..Approach::new(-stretched + (1.0 - theta) * h * u_begin[0], *u_begin, h) }
}

/// The law of an elastic wire.
fn device(&Elasticity { stiffness, damping }: &Elasticity) -> Viscoelastic {
    Viscoelastic { device: Device::KelvinVoigt { stiffness, viscosity: damping }, friction: 0.0 }
}
