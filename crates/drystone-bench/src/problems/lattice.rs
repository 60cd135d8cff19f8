//! Contacts between rigid balls on a lattice, as many as one likes within a second. No packing: what it holds
//! is the sizes and the mixture of open, sticking and sliding contacts of one.

use drystone_math::nalgebra::Vector3;
use drystone_problem::{Compliances, Condensed, Matrix, PairRow, Problem, Set, Vector};
use rand::{Rng, RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;

/// About so many contacts, three for each ball of a cubic lattice on a floor, bodies and contacts numbered at
/// random. The contacts move with the balls, so that a solution exists; about half of those that close slide.
pub fn lattice(contacts: usize, seed: u64) -> Problem<3, Condensed<3>> {
    let mut generator = Pcg64::seed_from_u64(seed);
    // the root of a third of them, rounded
    let is_below = |side: &usize| (2 * side - 1).pow(3) <= 8 * contacts / 3;
    let side = (2..).take_while(is_below).last().unwrap_or(1);
    // body 0 is the floor
    let mut names: Vec<u32> = (1..=(side * side * side) as u32).collect();
    names.shuffle(&mut generator);
    let name = |x: usize, y: usize, z: usize| names[(z * side + y) * side + x];
    let mut pairs = Vec::new();
    for z in 0..side {
        for y in 0..side {
            for x in 0..side {
                let here = name(x, y, z);
                pairs.push((here, if z > 0 { name(x, y, z - 1) } else { 0 }, Vector3::z()));
                if x + 1 < side {
                    pairs.push((here, name(x + 1, y, z), -Vector3::x()));
                }
                if y + 1 < side {
                    pairs.push((here, name(x, y + 1, z), -Vector3::y()));
                }
            }
        }
    }
    pairs.shuffle(&mut generator);
    let rows: Vec<PairRow<3>> = pairs
        .into_iter()
        .map(|(first, second, normal)| {
            let tilted = normal + Vector3::from_fn(|_, _| 0.4 * uniform(&mut generator));
            ball_contact([first, second], &tilted.normalize(), [0.5, 0.5])
        })
        .collect();
    let mut inverse_mass = vec![Vector::<6>::zeros()];
    let mut velocities = vec![Vector::<6>::zeros()];
    for _ in 0..names.len() {
        let mass = 1.0 + 0.5 * uniform(&mut generator);
        inverse_mass.push(ball_inverse_mass(mass, 0.5));
        let mut velocity = Vector::<6>::from_fn(|_, _| 0.5 * uniform(&mut generator));
        velocity[2] -= 1.0;
        velocities.push(velocity);
    }
    let u_free = free_velocities(&rows, &velocities);
    let sets = vec![Set::Coulomb { mu: 0.3 }; rows.len()];
    Problem { w: Condensed::new(&rows, Compliances::diagonal(inverse_mass)), u_free, sets }
}

/// A number in [−1, 1).
fn uniform(generator: &mut impl Rng) -> f64 {
    2.0 * generator.random::<f64>() - 1.0
}

/// `u_free = H v`: the contacts of bodies with the velocities `v`.
pub(super) fn free_velocities(rows: &[PairRow<3>], velocities: &[Vector<6>]) -> Vec<Vector<3>> {
    let of =
        |row: &PairRow<3>, side: usize| row.h[side].times(velocities[row.bodies[side] as usize].as_slice());
    rows.iter().map(|row| of(row, 0) + of(row, 1)).collect()
}

/// The row of two balls with the unit normal from the second to the first and the radii \[m\].
pub(super) fn ball_contact(bodies: [u32; 2], normal: &Vector3<f64>, radii: [f64; 2]) -> PairRow<3> {
    point_contact(bodies, normal, [normal * -radii[0], normal * radii[1]])
}

/// The row of a point as each of two bodies sees it from its centre, with the unit normal from the second to
/// the first.
pub(super) fn point_contact(bodies: [u32; 2], normal: &Vector3<f64>, arms: [Vector3<f64>; 2]) -> PairRow<3> {
    let away = if normal.x.abs() < 0.7 { Vector3::x() } else { Vector3::y() };
    let first = normal.cross(&away).normalize();
    let frame = [*normal, first, normal.cross(&first)];
    let side = |sign: f64, arm: Vector3<f64>| {
        let mut h = Matrix::<3, 6>::zeros();
        for (row, direction) in frame.iter().enumerate() {
            h.fixed_view_mut::<1, 3>(row, 0).copy_from(&(direction * sign).transpose());
            h.fixed_view_mut::<1, 3>(row, 3).copy_from(&arm.cross(&(direction * sign)).transpose());
        }
        h
    };
    PairRow::new(bodies, [side(1.0, arms[0]), side(-1.0, arms[1])])
}

/// Inverse mass of a ball \[1/kg, 1/(kg m²)\].
pub(super) fn ball_inverse_mass(mass: f64, radius: f64) -> Vector<6> {
    Vector::from_fn(|k, _| if k < 3 { 1.0 / mass } else { 2.5 / (mass * radius * radius) })
}
