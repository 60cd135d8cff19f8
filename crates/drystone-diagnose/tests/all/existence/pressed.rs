//! Bodies pressed at random, and what an independent linear programme says of them.

use super::*;
use crate::judge::{Sentence, judge};

/// Bodies pressed by walls that move: every contact has a place on its body, a normal that leans inwards, a
/// friction and the velocity of its wall; some are between bodies.
struct Pressed {
    bodies: usize,
    /// Body, other body, arm from the centre, normal, wall velocity, friction.
    contacts: Vec<PressedContact>,
}

struct PressedContact {
    body: usize,
    other: Option<usize>,
    arm: Vector<3>,
    normal: Vector<3>,
    wall: Vector<3>,
    mu: f64,
}

impl Pressed {
    fn random(dice: &mut Dice, space: bool) -> Self {
        let bodies = 1 + (3.0 * dice.roll()) as usize;
        let most = if space { 14.0 } else { 37.0 };
        let count = 3 + (most * dice.roll()) as usize;
        let flat = |v: Vector<3>| if space { v } else { Vector::<3>::new(v[0], v[1], 0.0) };
        let mut any = |size: f64| {
            flat(Vector::<3>::new(dice.roll() - 0.5, dice.roll() - 0.5, dice.roll() - 0.5)) * (2.0 * size)
        };
        let mut contacts: Vec<PressedContact> = (0..count)
            .map(|_| {
                let arm = any(1.0);
                let normal = (-arm + any(0.7)).normalize();
                PressedContact { body: 0, other: None, arm, normal, wall: any(0.3), mu: 0.0 }
            })
            .collect();
        let widest = [0.3, 1.0, 2.0][(3.0 * dice.roll()) as usize];
        // nothing pulls in some problems, some walls stand still in others
        let still = dice.roll();
        for contact in &mut contacts {
            contact.body = (bodies as f64 * dice.roll()) as usize;
            contact.other = (bodies > 1 && dice.roll() < 0.3).then(|| (contact.body + 1) % bodies);
            contact.mu = if dice.roll() < 0.2 { 0.0 } else { widest * dice.roll() };
            if dice.roll() < still || contact.other.is_some() {
                contact.wall = Vector::zeros();
            }
        }
        Self { bodies, contacts }
    }

    fn frame(contact: &PressedContact, space: bool) -> [Vector<3>; 3] {
        let n = contact.normal;
        let up =
            if n[2].abs() < 0.9 { Vector::<3>::new(0.0, 0.0, 1.0) } else { Vector::<3>::new(1.0, 0.0, 0.0) };
        let t = if space { n.cross(&up).normalize() } else { Vector::<3>::new(n[1], -n[0], 0.0) };
        [n, t, n.cross(&t)]
    }

    /// Rows `e·(v + ω × a)` of a body in D dimensions.
    fn row<const D: usize, const N: usize>(
        frame: &[Vector<3>; 3],
        arm: &Vector<3>,
        sign: f64,
    ) -> Matrix<D, N> {
        Matrix::from_fn(|i, j| {
            let spin = arm.cross(&frame[i]);
            let spins = if D == 2 { [spin[2], 0.0, 0.0] } else { [spin[0], spin[1], spin[2]] };
            sign * if j < D { frame[i][j] } else { spins[j - D] }
        })
    }

    fn problem<const D: usize, const N: usize>(&self) -> Problem<D, Condensed<D>> {
        let ground = self.bodies;
        let rows = self.contacts.iter().map(|contact| {
            let frame = Self::frame(contact, D == 3);
            let other = contact.other.map_or_else(Matrix::<D, N>::zeros, |_| {
                // the same point seen from the other body, whose centre is elsewhere
                Self::row(&frame, &(contact.arm + Vector::<3>::new(0.4, -0.3, 0.0)), -1.0)
            });
            let bodies = [contact.body as u32, contact.other.unwrap_or(ground) as u32];
            PairRow::new(bodies, [Self::row(&frame, &contact.arm, 1.0), other])
        });
        let rows: Vec<PairRow<D>> = rows.collect();
        let mut inverse_mass: Vec<Vector<N>> = (0..self.bodies)
            .map(|k| Vector::from_fn(|i, _| 1.0 / (1.0 + k as f64 + 0.3 * i as f64)))
            .collect();
        inverse_mass.push(Vector::zeros());
        let u_free = self.contacts.iter().map(|contact| {
            let frame = Self::frame(contact, D == 3);
            Vector::<D>::from_fn(|i, _| -frame[i].dot(&contact.wall))
        });
        let sets = self.contacts.iter().map(|contact| Set::Coulomb { mu: contact.mu });
        Problem {
            w: Condensed::new(&rows, Compliances::diagonal(inverse_mass)),
            u_free: u_free.collect(),
            sets: sets.collect(),
        }
    }

    /// What can be proved with cones that have so many edges, stretched by a factor: 1 for edges inside.
    fn sentence<const D: usize, const N: usize>(&self, edges: usize, stretch: f64) -> Sentence {
        let problem = self.problem::<D, N>();
        let (mut columns, mut cost) = (Vec::new(), Vec::new());
        for (alpha, contact) in self.contacts.iter().enumerate() {
            let row = problem.w.pair(alpha).to_pair();
            for edge in 0..if contact.mu > 0.0 { edges } else { 1 } {
                let angle = 2.0 * PI * edge as f64 / edges as f64;
                let part = [1.0, stretch * contact.mu * angle.cos(), stretch * contact.mu * angle.sin()];
                let ray = Vector::<D>::from_fn(|i, _| part[i]);
                let mut column = vec![0.0; N * self.bodies];
                for side in (0..2).filter(|&side| (row.bodies[side] as usize) < self.bodies) {
                    let first = N * row.bodies[side] as usize;
                    let force = row.h[side].transposed_times(&ray);
                    force.enumerate().for_each(|(i, f)| column[first + i] += f);
                }
                columns.push(column);
                cost.push(ray.dot(&problem.u_free[alpha]));
            }
        }
        judge(&columns, &cost)
    }
}

/// The same problem with its contacts in another order and in other units.
fn changed<const D: usize, W: Delassus<D>>(
    problem: &Problem<D, W>,
    order: &[usize],
    of_w: f64,
    of_q: f64,
) -> Problem<D, Blocks<D>> {
    let rows = problem.w.assemble();
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new as u32);
    let triplets = (0..order.len())
        .flat_map(|row| rows.row(row).map(move |(column, block)| (row, column, *block)))
        .map(|(row, column, block)| (place[row], place[column], block * of_w))
        .collect();
    Problem {
        w: Blocks::new(BlockRows::from_triplets(order.len(), triplets)),
        u_free: order.iter().map(|&old| problem.u_free[old] * of_q).collect(),
        sets: order.iter().map(|&old| problem.sets[old]).collect(),
    }
}

/// The verdict, every proof of which is checked; `None` where there is none.
fn verdict<const D: usize, W: Delassus<D> + Clone>(problem: &Problem<D, W>) -> Option<Sentence> {
    match existence(problem) {
        Ok(Existence::Exists { velocities }) => {
            let size = problem.u_free.iter().map(|u| u.amax()).fold(0.0, f64::max);
            for (u, set) in velocities.iter().zip(&problem.sets) {
                let Set::Coulomb { mu } = *set else { continue };
                let sliding = u.rows_range(1..).norm();
                // scaled by the compliance of its contact inside
                assert!(u[0] - mu * sliding >= -1e-7 * size * (1.0 + mu), "{u:?} {mu}");
            }
            Some(Sentence::LetsGo)
        }
        Ok(Existence::Inconsistent { network, power }) => {
            assert_certificate(problem, &network, power);
            Some(Sentence::Against)
        }
        Err(_) => None,
    }
}

fn judged_by_a_linear_programme<const D: usize, const N: usize>(count: usize, seed: u64, edges: usize) {
    let mut dice = Dice(seed);
    let (mut seen, mut undecided, mut rounds) = ([0; 2], 0, 0);
    while seen[0] + seen[1] < count && rounds < 4 * count {
        rounds += 1;
        let pressed = Pressed::random(&mut dice, D == 3);
        let stretch = if D == 3 { 1.0 / (PI / edges as f64).cos() } else { 1.0 };
        // edges inside the cones prove networks, edges around them that there are none
        let truth = match (pressed.sentence::<D, N>(edges, 1.0), D) {
            (Sentence::Against, _) => Sentence::Against,
            (other, 2) => other,
            _ => match pressed.sentence::<D, N>(edges, stretch) {
                Sentence::LetsGo => Sentence::LetsGo,
                _ => Sentence::Open,
            },
        };
        if truth == Sentence::Open {
            continue;
        }
        seen[usize::from(truth == Sentence::Against)] += 1;
        let problem = pressed.problem::<D, N>();
        let all: Vec<usize> = (0..problem.contacts()).collect();
        let backwards: Vec<usize> = all.iter().rev().copied().collect();
        // from bodies and from the assembled operator, which is what a file holds
        let found = match rounds % 4 {
            0 => verdict(&changed(&problem, &all, 1.0, 1.0)),
            1 => verdict(&changed(&problem, &backwards, 1e9, 1.0)),
            2 => verdict(&changed(&problem, &backwards, 1e-9, 1e9)),
            _ => verdict(&problem),
        };
        match found {
            Some(found) => assert_eq!(found, truth, "round {rounds} in {D} dimensions"),
            None => undecided += 1,
        }
    }
    assert!(seen[0].min(seen[1]) > count / 10, "{seen:?}: the test proves little");
    assert!(50 * undecided <= count, "{undecided} of {count} undecided");
}

#[test]
fn no_verdict_in_the_plane_is_wrong() {
    judged_by_a_linear_programme::<2, 3>(if slow() { 1000 } else { 200 }, 11, 2);
}

#[test]
fn no_verdict_in_space_is_wrong() {
    judged_by_a_linear_programme::<3, 6>(if slow() { 400 } else { 60 }, 12, 16);
}

fn slow() -> bool {
    std::env::var_os("DRYSTONE_SLOW").is_some()
}
