//! A packing of balls as gravity leaves it, for measuring solvers on. Knows no solver: soft balls with drag
//! settle on a floor, and what touches then is a contact.

use super::lattice::{ball_contact, ball_inverse_mass, free_velocities};
use drystone_math::nalgebra::Vector3;
use drystone_math::portable;
use drystone_problem::{Compliances, Condensed, PairRow, Problem, Set, Vector};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Largest radius \[m\]; the smallest is a fifth less.
const LARGEST: f64 = 0.01;
/// Density of the balls \[kg/m³\].
const DENSITY: f64 = 2500.0;
/// Gravity times the time step \[m/s\].
const FALL: f64 = 9.81e-3;

/// A packing of `count` balls on a floor, periodic sideways and about as high as wide, for a step of 1 ms
/// from rest under gravity, friction 0.5. About three contacts for each ball. The same seed gives the same
/// packing.
pub fn packing(count: usize, seed: u64) -> Problem<3, Condensed<3>> {
    let mut balls = Balls::new(count, seed);
    balls.settle_all();
    let rows = balls.contacts();
    // body 0 is the floor
    let mut inverse_mass = vec![Vector::<6>::zeros()];
    let mut velocities = vec![Vector::<6>::zeros()];
    for radius in balls.radii.iter().map(|radius| radius * LARGEST) {
        let mass = DENSITY * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
        inverse_mass.push(ball_inverse_mass(mass, radius));
        velocities.push(Vector::from_fn(|k, _| if k == 2 { -FALL } else { 0.0 }));
    }
    let u_free = free_velocities(&rows, &velocities);
    let sets = vec![Set::Coulomb { mu: 0.5 }; rows.len()];
    Problem { w: Condensed::new(&rows, Compliances::diagonal(inverse_mass)), u_free, sets }
}

/// Balls of mass and stiffness 1; lengths in largest radii.
struct Balls {
    width: f64,
    radii: Vec<f64>,
    centres: Vec<Vector3<f64>>,
    velocities: Vec<Vector3<f64>>,
}

/// Time step: a tenth of a period of a ball between two others.
const STEP: f64 = 0.3;
/// What drag leaves of a velocity after a step: critical for a layer some thirty balls thick.
const DRAG: f64 = 0.97;
/// Steps between two looks at who is near whom, and how near that is.
const LOOK: usize = 12;
const CUTOFF: f64 = 0.35;

impl Balls {
    /// On a lattice, a little out of place.
    fn new(count: usize, seed: u64) -> Self {
        let mut generator = Pcg64::seed_from_u64(seed);
        let side = (portable::cbrt(count as f64).round() as usize).max(3);
        let spacing = 1.95;
        let mut uniform = |size: f64| size * (2.0 * generator.random::<f64>() - 1.0);
        let centre = |index: usize, off: [f64; 3]| {
            let place = [index % side, index / side % side, index / (side * side)];
            Vector3::from_fn(|k, _| (place[k] as f64 + 0.5) * spacing + off[k])
        };
        Self {
            width: side as f64 * spacing,
            radii: (0..count).map(|_| 0.9 + uniform(0.1)).collect(),
            centres: (0..count).map(|index| centre(index, [0; 3].map(|_| uniform(0.1)))).collect(),
            velocities: vec![Vector3::zeros(); count],
        }
    }

    /// Lets them settle; news takes a few steps from layer to layer. The weight falls in stages: first to get
    /// together soon, in the end for overlaps of a thousandth.
    fn settle_all(&mut self) {
        let layers = (self.width / 2.0).max(10.0) as usize;
        for (weight, steps) in [(6e-3, 60), (1e-3, 20), (2e-4, 30), (1e-4, 30)] {
            self.settle(weight, steps * layers);
        }
    }

    /// Lets the balls fall, with drag, under a weight.
    fn settle(&mut self, weight: f64, steps: usize) {
        let mut near = Vec::new();
        for step in 0..steps {
            if step % LOOK == 0 {
                near = self.pairs_within(CUTOFF);
            }
            let mut forces = vec![Vector3::new(0.0, 0.0, -weight); self.centres.len()];
            for &(one, other) in &near {
                let (apart, reach) = self.apart(one, other);
                let squared = apart.norm_squared();
                if squared < reach * reach {
                    let distance = squared.sqrt();
                    let push = apart * ((reach - distance) / distance);
                    forces[one as usize] += push;
                    forces[other as usize] -= push;
                }
            }
            for (ball, force) in forces.iter_mut().enumerate() {
                force.z += (self.radii[ball] - self.centres[ball].z).max(0.0);
                let velocity = &mut self.velocities[ball];
                *velocity = (*velocity + *force * STEP) * DRAG;
                self.centres[ball] += *velocity * STEP;
            }
        }
    }

    /// The way from one ball to another, by the nearest image, and the sum of their radii.
    fn apart(&self, one: u32, other: u32) -> (Vector3<f64>, f64) {
        let (one, other) = (one as usize, other as usize);
        let mut apart = self.centres[one] - self.centres[other];
        for k in 0..2 {
            apart[k] -= self.width * (apart[k] / self.width).round();
        }
        (apart, self.radii[one] + self.radii[other])
    }

    /// Pairs of balls with a gap below some distance, each once, by cells of that size.
    fn pairs_within(&self, gap: f64) -> Vec<(u32, u32)> {
        let size = 2.0 + gap;
        let cells = ((self.width / size).floor() as i64).max(1);
        let across = self.width / cells as f64;
        let cell = |centre: &Vector3<f64>| -> [i64; 3] {
            [0, 1, 2].map(|k| {
                let index = (centre[k] / if k < 2 { across } else { size }).floor() as i64;
                if k < 2 { index.rem_euclid(cells) } else { index.max(0) }
            })
        };
        let layers = self.centres.iter().map(|centre| cell(centre)[2]).max().unwrap_or(0) + 1;
        let flat = |[x, y, z]: [i64; 3]| ((z * cells + y) * cells + x) as usize;
        let mut members = vec![Vec::new(); (cells * cells * layers) as usize];
        let mut found = Vec::new();
        for (ball, centre) in self.centres.iter().enumerate() {
            let here = cell(centre);
            let mut seen = Vec::with_capacity(27);
            for k in 0..27 {
                let step = [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1];
                let mut there: [i64; 3] = std::array::from_fn(|k| here[k] + step[k]);
                there[0] = there[0].rem_euclid(cells);
                there[1] = there[1].rem_euclid(cells);
                if (0..layers).contains(&there[2]) && !seen.contains(&there) {
                    seen.push(there);
                }
            }
            for &other in seen.into_iter().flat_map(|there| &members[flat(there)]) {
                let (apart, reach) = self.apart(ball as u32, other);
                if apart.norm_squared() < (reach + gap).powi(2) {
                    found.push((ball as u32, other));
                }
            }
            members[flat(here)].push(ball as u32);
        }
        found
    }

    /// Who touches whom; the floor is body 0.
    fn contacts(&self) -> Vec<PairRow<3>> {
        let ball_pair = |(one, other): (u32, u32)| {
            let radii = [one, other].map(|ball| self.radii[ball as usize] * LARGEST);
            ball_contact([one + 1, other + 1], &self.apart(one, other).0.normalize(), radii)
        };
        let floor = |ball: usize| {
            let radius = self.radii[ball] * LARGEST;
            ball_contact([ball as u32 + 1, 0], &Vector3::z(), [radius, 0.0])
        };
        let grounded = (0..self.centres.len()).filter(|&ball| self.centres[ball].z < self.radii[ball]);
        grounded.map(floor).chain(self.pairs_within(0.0).into_iter().map(ball_pair)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packing_has_settled() {
        let mut balls = Balls::new(300, 3);
        balls.settle_all();
        // in a hundred steps nobody moves by more than a twentieth of a radius, and most by much less
        let ways: Vec<f64> = balls.velocities.iter().map(|velocity| velocity.norm() * 100.0 * STEP).collect();
        assert!(ways.iter().all(|&way| way < 0.05), "{ways:?}");
        assert!(ways.iter().filter(|&&way| way > 0.01).count() < 30, "{ways:?}");
        let top = balls.centres.iter().map(|centre| centre.z).fold(0.0, f64::max);
        assert!(top < 2.0 * 300.0 / (balls.width / 2.0).powi(2), "{top}");
        let rows = balls.contacts();
        assert!((600..1100).contains(&rows.len()), "{} contacts", rows.len());
        for row in &rows {
            let [one, other] = row.bodies;
            if other > 0 {
                let (apart, reach) = balls.apart(one - 1, other - 1);
                let overlap = reach - apart.norm();
                assert!((0.0..5e-3).contains(&overlap), "{overlap}");
            }
        }
        assert_eq!(packing(60, 3).u_free, packing(60, 3).u_free);
    }
}
