//! Clusters of balls or boxes that meet at full speed and walls at rest, with masses decades apart: the
//! problems that are hard for their conditioning alone. Knows no solver.

use super::lattice::{free_velocities, point_contact};
use drystone_math::nalgebra::Vector3;
use drystone_math::portable;
use drystone_problem::{Compliances, Condensed, PairRow, Problem, Set, Vector};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Distance of the bodies of a lattice \[m\].
const SPACING: f64 = 1.0;
/// How far balls are from the lattice, in its spacing.
const JITTER: f64 = 0.15;
/// Balls no further apart than this touch: six neighbours of each, and some of the twelve behind them.
const REACH: f64 = 1.3;
/// Gravity times the time step \[m/s\].
const FALL: f64 = 0.0981;

/// What bodies of a [`Cluster`] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterKind {
    /// Balls a little off a lattice that fly about.
    Balls,
    /// Cubes face to face, with a contact at each corner of a face, that fly about.
    Boxes,
    /// Bricks in courses on a floor, each across two of the course below, at rest, under gravity alone.
    Wall,
}

/// A problem with masses decades apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cluster {
    /// What the bodies are.
    pub kind: ClusterKind,
    /// How many bodies there are along each axis; a wall is one thick, whatever stands in the middle.
    pub sides: [usize; 3],
    /// The largest mass over the smallest. Those of a wall are one and the other by turns.
    pub ratio: f64,
    /// Friction of all contacts \[-\]; where none is given it is drawn for each of them, from 0 to 3.
    pub mu: Option<f64>,
    /// Where all that is drawn comes from.
    pub seed: u64,
}

impl Cluster {
    /// The problem: between pairs of bodies, the first of which does not move. Clusters touch it nowhere; all
    /// that they do follows from the velocities of their bodies, so that a solution exists.
    pub fn problem(&self) -> Problem<3, Condensed<3>> {
        let mut random = Pcg64::seed_from_u64(self.seed);
        let count = self.bodies();
        let mut inverse_mass = vec![Vector::<6>::zeros()];
        let mut velocities = vec![Vector::<6>::zeros()];
        for body in 0..count {
            let share = match self.kind {
                ClusterKind::Wall => (body % 2) as f64,
                _ => random.random::<f64>(),
            };
            let mass = portable::exp(portable::ln(self.ratio) * (share - 0.5));
            // that of a ball of half the spacing, about that of a cube
            inverse_mass.push(Vector::from_fn(|k, _| if k < 3 { 1.0 / mass } else { 8.0 / mass }));
            velocities.push(match self.kind {
                ClusterKind::Wall => Vector::from_fn(|k, _| if k == 2 { -FALL } else { 0.0 }),
                _ => Vector::from_fn(|_, _| 4.0 * random.random::<f64>() - 2.0),
            });
        }
        let rows = match self.kind {
            ClusterKind::Balls => self.balls(&mut random),
            ClusterKind::Boxes => self.boxes(),
            ClusterKind::Wall => self.wall(),
        };
        let u_free = free_velocities(&rows, &velocities);
        let sets =
            rows.iter().map(|_| Set::Coulomb { mu: self.mu.unwrap_or_else(|| 3.0 * random.random::<f64>()) });
        let sets = sets.collect();
        Problem { w: Condensed::new(&rows, Compliances::diagonal(inverse_mass)), u_free, sets }
    }

    fn bodies(&self) -> usize {
        let [across, deep, high] = self.sides;
        if self.kind == ClusterKind::Wall { across * high } else { across * deep * high }
    }

    /// Where a body stands on the lattice.
    fn place(&self, body: usize) -> [usize; 3] {
        [body % self.sides[0], body / self.sides[0] % self.sides[1], body / (self.sides[0] * self.sides[1])]
    }

    fn balls(&self, random: &mut Pcg64) -> Vec<PairRow<3>> {
        let centres: Vec<Vector3<f64>> = (0..self.bodies())
            .map(|body| {
                let place = Vector3::from(self.place(body).map(|x| x as f64));
                place + Vector3::from_fn(|_, _| JITTER * (2.0 * random.random::<f64>() - 1.0))
            })
            .collect();
        let mut rows = Vec::new();
        for one in 0..centres.len() {
            for other in 0..one {
                let apart = centres[one] - centres[other];
                if apart.norm() <= REACH * SPACING {
                    let arms = [apart * -0.5, apart * 0.5];
                    rows.push(point_contact([one as u32 + 1, other as u32 + 1], &apart.normalize(), arms));
                }
            }
        }
        rows
    }

    fn boxes(&self) -> Vec<PairRow<3>> {
        let strides = [1, self.sides[0], self.sides[0] * self.sides[1]];
        let mut rows = Vec::new();
        for body in 0..self.bodies() {
            let place = self.place(body);
            for axis in (0..3).filter(|&axis| place[axis] + 1 < self.sides[axis]) {
                let normal = Vector3::ith(axis, 1.0);
                let bodies = [(body + strides[axis]) as u32 + 1, body as u32 + 1];
                let half = Vector3::repeat(0.5);
                face(&mut rows, bodies, axis, &half, |point| [point - normal * 0.5, point + normal * 0.5]);
            }
        }
        rows
    }

    /// Bricks two wide, one deep and one high; those of every other course half a brick further.
    fn wall(&self) -> Vec<PairRow<3>> {
        let [across, _, high] = self.sides;
        let name = |x: usize, z: usize| (z * across + x) as u32 + 1;
        let mut rows = Vec::new();
        for z in 0..high {
            for x in 0..across {
                let up = Vector3::z();
                if z == 0 {
                    let bed = Vector3::new(1.0, 0.5, 0.5);
                    face(&mut rows, [name(x, z), 0], 2, &bed, |point| [point - up * 0.5, point]);
                }
                // the halves of a bed lie on two bricks
                let shifted = z % 2;
                for half in 0..2 {
                    let below = (x + shifted + half).wrapping_sub(1);
                    if z > 0 && below < across {
                        let off = Vector3::x() * (half as f64 - 0.5);
                        let bed = Vector3::repeat(0.5);
                        let bodies = [name(x, z), name(below, z - 1)];
                        face(&mut rows, bodies, 2, &bed, |p| [p + off - up * 0.5, p - off + up * 0.5]);
                    }
                }
                if x + 1 < across {
                    let along = Vector3::x();
                    let bodies = [name(x + 1, z), name(x, z)];
                    face(&mut rows, bodies, 0, &Vector3::repeat(0.5), |point| [point - along, point + along]);
                }
            }
        }
        rows
    }
}

/// Contacts at the corners of a face across an axis, given half of its lengths; `arms` tells the place of a
/// point of the face as each of the two bodies sees it.
fn face(
    rows: &mut Vec<PairRow<3>>,
    bodies: [u32; 2],
    axis: usize,
    half: &Vector3<f64>,
    arms: impl Fn(Vector3<f64>) -> [Vector3<f64>; 2],
) {
    for [one, other] in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
        let mut corner = Vector3::zeros();
        corner[(axis + 1) % 3] = one * half[(axis + 1) % 3];
        corner[(axis + 2) % 3] = other * half[(axis + 2) % 3];
        rows.push(point_contact(bodies, &Vector3::ith(axis, 1.0), arms(corner)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_problem::Delassus;

    #[test]
    fn clusters_are_as_many_and_as_far_apart_as_asked() {
        let of = |kind, sides| Cluster { kind, sides, ratio: 1e6, mu: None, seed: 2 }.problem();
        for (problem, contacts) in [
            (of(ClusterKind::Boxes, [3, 3, 3]), 216..=216),
            (of(ClusterKind::Wall, [8, 1, 8]), 676..=676),
            (of(ClusterKind::Balls, [4, 4, 4]), 144..=300),
        ] {
            let count = problem.contacts();
            assert!(contacts.contains(&count), "{count} contacts");
            let compliance = |contact: usize| problem.w.block(contact).trace();
            let most = (0..count).map(compliance).fold(0.0, f64::max);
            let least = (0..count).map(compliance).fold(f64::INFINITY, f64::min);
            assert!(most / least > 1e3 && most / least < 1e8, "{most} {least}");
        }
    }

    /// A wall that carries nothing but its own weight falls as one.
    #[test]
    fn bricks_of_a_wall_at_rest_close_on_the_floor_alone() {
        let wall = Cluster { kind: ClusterKind::Wall, sides: [3, 1, 4], ratio: 10.0, mu: Some(0.6), seed: 1 };
        let closing = wall.problem().u_free.iter().filter(|u| u.norm() > 1e-12).count();
        assert_eq!(closing, 12);
    }
}
