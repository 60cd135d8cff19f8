//! Bodies between impulses: how they go on for a while when nothing acts on them. Impulses are left to
//! others.
//!
//! All impulses of a step, of contacts, ties and loads, act at its middle configuration; before and after it
//! bodies coast. Positions then go on at constant velocity, and orientations by Euler's equations of the free
//! body,
//!
//! `J Ω̇ + Ω × JΩ = 0`, `Ṙ = R Ω̃`,
//!
//! which keep the angular momentum `R J Ω` in space and the energy. The angular momentum of a system
//! therefore changes by its impulses and by nothing else, at blows as well, the mass matrix at q_m is `J` and
//! W symmetric, and the step is symmetric in time for θ = ½: of second order (Reich 1994; Kol, Laird,
//! Leimkuhler 1997).

use crate::advance;
use crate::kinematics::renormalised;
use drystone_math::nalgebra::{Quaternion, Vector3};
use drystone_math::per_dof::{linear, spin};
use drystone_math::portable::turn_by;
use drystone_math::{Orientation, PerDof, Pose, rigid_dofs};
use drystone_state::{Bodies, Gyroscopic, Velocities};
use rayon::prelude::*;

/// How often a time in which a body turns too far for one mid-point step is halved.
const MOST_HALVED: u32 = 12;

/// Turn beyond which no part of a step is resolved \[rad\]: the body then turns about its axis as it is.
const FARTHEST: f64 = 1e3;

/// Rounds after which inserting is given up: those it takes for a turn of about half a radian.
const MOST_ROUNDS: u32 = 30;

/// Pose and velocity of every body after coasting for `dt` from where it is: at the middle configuration
/// `q_m = q_n + (1 − θ) h v_n` for `dt = (1 − θ) h`, where contacts are sought (Moreau, Jean 1996, §4).
pub fn arrive<const D: usize>(bodies: &Bodies<D>, dt: f64) -> (Vec<Pose<D>>, Velocities) {
    each(bodies, |body| coast(bodies, body, (&bodies.pose[body], &bodies.velocity[body]), dt))
}

/// A pose and a velocity for every body.
fn each<const D: usize>(
    bodies: &Bodies<D>,
    of: impl Fn(usize) -> (Pose<D>, PerDof<D>) + Sync,
) -> (Vec<Pose<D>>, Velocities) {
    let mut poses = vec![Pose::identity(); bodies.len()];
    let mut velocities = bodies.velocity.like(Vec::new());
    let both = poses.par_iter_mut().zip(velocities.flat_mut().par_chunks_mut(rigid_dofs(D)));
    // below this many bodies the talk between threads costs more than the work
    both.enumerate().with_min_len(256).for_each(|(body, (pose, velocity))| {
        let (place, moving) = of(body);
        *pose = place;
        velocity.copy_from_slice(&moving);
    });
    (poses, velocities)
}

/// Pose and velocity of every body at the end of the step, `q_{n+1} = q_n + h T(q) V_{n+θ}` (Dubois, Acary,
/// Jean 2018, eq. 12): after coasting for `θ h` from the middle configuration with the velocities that the
/// impulses left. The bodies hold the poses at the beginning and the velocities before the impulses.
pub fn depart<const D: usize>(
    bodies: &Bodies<D>,
    middle: &[Pose<D>],
    velocities: &Velocities,
    h: f64,
    theta: f64,
) -> (Vec<Pose<D>>, Velocities) {
    each(bodies, |body| {
        let velocity = PerDof::<D>::from(&velocities[body]);
        let mean = velocity * theta + PerDof::<D>::from(&bodies.velocity[body]) * (1.0 - theta);
        if D == 2 {
            return (advance(&bodies.pose[body], &mean, h), velocity);
        }
        // turns do not commute: the second part begins where the impulses acted
        let (end, velocity) = coast(bodies, body, (&middle[body], &velocity), theta * h);
        let position = bodies.pose[body].position + linear::<D>(&mean) * h;
        (Pose { position, ..end }, velocity)
    })
}

/// Orientation and velocity at the end of the step of a body that took an impulse `early` before the middle
/// configuration, `rest` before the end; with its velocities before and after the impulse, both as the step
/// has them at the middle.
pub fn from_touch<const D: usize>(
    bodies: &Bodies<D>,
    body: usize,
    middle: &Pose<D>,
    [begin, after]: [&[f64]; 2],
    [early, rest]: [f64; 2],
) -> (Orientation, PerDof<D>) {
    let (touch, before) = coast(bodies, body, (middle, begin), -early);
    let (end, velocity) =
        coast(bodies, body, (&touch, &(PerDof::<D>::from(after) + (before - begin))), early + rest);
    (end.orientation, velocity)
}

/// Pose and velocity of one body after coasting for `dt`, or before it where that is negative.
pub fn coast<const D: usize>(
    bodies: &Bodies<D>,
    body: usize,
    (pose, velocity): (&Pose<D>, &[f64]),
    dt: f64,
) -> (Pose<D>, PerDof<D>) {
    if D == 2 || bodies.gyroscopic[body] != Gyroscopic::Implicit {
        return (advance(pose, velocity, dt), velocity.into());
    }
    let free = Free {
        inertia: spin::<D>(&bodies.mass[body]),
        driven: std::array::from_fn(|axis| bodies.driven[body][D + axis]),
    };
    let (turn, after) = free.turn(&spin::<D>(velocity), dt, MOST_HALVED);
    let position = pose.position + linear::<D>(velocity) * dt;
    let velocity = PerDof::new(linear::<D>(velocity), after);
    (Pose { position, orientation: renormalised(pose.orientation * turn) }, velocity)
}

/// A body that turns freely, in principal axes.
struct Free {
    inertia: Vector3<f64>,
    driven: [Option<f64>; 3],
}

impl Free {
    /// The turn in `dt`, in axes of the body, and the spin after it.
    ///
    /// Cayley's map of `dt Ω_m` goes with the mid-point rule: with `R' = R cay(dt Ω_m)` the change of `R J Ω`
    /// is `R (I − dt Ω̃_m/2)⁻¹ [J(Ω' − Ω) + dt Ω_m × JΩ_m]`, which the rule makes vanish.
    fn turn(&self, begin: &Vector3<f64>, dt: f64, halves: u32) -> (Orientation, Vector3<f64>) {
        if let Some(end) = self.mid_point(begin, dt) {
            let mean = (begin + end) * 0.5;
            return (Orientation::new_normalize(Quaternion::from_parts(1.0, mean * (0.5 * dt))), end);
        }
        // false also where the spin is not a number
        let resolved = begin.norm() * dt.abs() < FARTHEST;
        if halves == 0 || !resolved {
            return (turn_by(&(begin * dt)), *begin);
        }
        let (first, spin) = self.turn(begin, 0.5 * dt, halves - 1);
        let (second, spin) = self.turn(&spin, 0.5 * dt, halves - 1);
        (first * second, spin)
    }

    /// Solves `J(Ω' − Ω) + dt Ω_m × JΩ_m = 0`, `Ω_m = (Ω + Ω')/2`, by inserting, to the last bit that can be
    /// reached: slow spins, as of bodies at rest, take two or three rounds. `None` if it fails, which takes a
    /// body that turns far.
    fn mid_point(&self, begin: &Vector3<f64>, dt: f64) -> Option<Vector3<f64>> {
        let mut spin = *begin;
        let mut last = f64::INFINITY;
        for _ in 0..MOST_ROUNDS {
            let mean = (spin + begin) * 0.5;
            let moment = mean.cross(&self.inertia.component_mul(&mean));
            let next = Vector3::from_fn(|axis, _| match self.driven[axis] {
                Some(given) => given,
                None => begin[axis] - dt * moment[axis] / self.inertia[axis],
            });
            let size = (next - spin).norm();
            spin = next;
            if !size.is_finite() {
                return None;
            }
            // stop once the change is rounding and no longer shrinks
            if size == 0.0 || (size <= 1e-15 * spin.norm() && size >= 0.5 * last) {
                return Some(spin);
            }
            last = size;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_state::{Body, GroupId};

    const INERTIA: [f64; 3] = [1.0, 2.0, 3.0];

    fn racket(spin: [f64; 3]) -> Bodies<3> {
        let mut bodies = Bodies::new();
        bodies.push(Body {
            name: "racket".into(),
            group: GroupId(0),
            pose: Pose::identity(),
            velocity: [0.0, 0.0, 0.0, spin[0], spin[1], spin[2]].into(),
            mass: [1.0, 1.0, 1.0, INERTIA[0], INERTIA[1], INERTIA[2]].into(),
            driven: [None; 6].into(),
            load: PerDof::zeros(),
            gyroscopic: Gyroscopic::Implicit,
            radius: 1.0,
        });
        bodies
    }

    fn go_on(bodies: &mut Bodies<3>, dt: f64) {
        let (poses, velocities) = arrive(bodies, dt);
        (bodies.pose, bodies.velocity) = (poses, velocities);
    }

    /// Angular momentum in space, and energy.
    fn invariants(bodies: &Bodies<3>) -> (Vector3<f64>, f64) {
        let turning = spin::<3>(&bodies.velocity[0]);
        let moment = Vector3::from(INERTIA).component_mul(&turning);
        (bodies.pose[0].orientation * moment, 0.5 * moment.dot(&turning))
    }

    #[test]
    fn a_free_body_keeps_its_energy_and_the_vector_of_its_angular_momentum() {
        let mut bodies = racket([0.01, 5.0, 0.02]);
        let (l0, e0) = invariants(&bodies);
        (0..20_000).for_each(|_| go_on(&mut bodies, 1e-2));
        let (l, e) = invariants(&bodies);
        assert!((l - l0).norm() / l0.norm() < 1e-11);
        assert!((e - e0).abs() / e0 < 1e-12);
    }

    /// A spin of hundreds of radians a step is beyond any scheme, but the invariants stay.
    #[test]
    fn the_fastest_spins_keep_them_as_well() {
        for speed in [1e2, 1e4] {
            let mut bodies = racket([speed, 0.6 * speed, -0.8 * speed]);
            let (l0, e0) = invariants(&bodies);
            (0..100).for_each(|_| go_on(&mut bodies, 1e-2));
            let (l, e) = invariants(&bodies);
            // up to 4096 parts of a step, each with its rounding
            assert!((l - l0).norm() / l0.norm() < 1e-8, "{speed}: {}", (l - l0).norm() / l0.norm());
            assert!((e - e0).abs() / e0 < 1e-8, "{speed}: {}", e / e0);
        }
    }

    #[test]
    fn a_driven_spin_stays_and_the_others_follow_eulers_equations() {
        let mut bodies = racket([1.0, 5.0, 0.0]);
        bodies.driven[0][4] = Some(5.0);
        let steps = 1000;
        (0..steps).for_each(|_| go_on(&mut bodies, 1e-3));
        // with the second spin held: Ω̇₁ = (J₂ − J₃)/J₁ Ω₂ Ω₃, Ω̇₃ = (J₁ − J₂)/J₃ Ω₁ Ω₂
        let (a, b) = (-5.0, -5.0 / 3.0);
        let (rate, t) = (f64::sqrt(a * b), f64::from(steps) * 1e-3);
        let expected = Vector3::new((rate * t).cosh(), 5.0, b / rate * (rate * t).sinh());
        let found = spin::<3>(&bodies.velocity[0]);
        assert_eq!(found[1], 5.0);
        assert!((found - expected).norm() < 1e-5 * expected.norm(), "{found} {expected}");
    }
}
