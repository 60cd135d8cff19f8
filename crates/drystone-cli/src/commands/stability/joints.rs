//! Joints under given forces: resultants, and what is left of their capacity. Chooses no forces.

use super::undecided;
use crate::failure::Failure;
use drystone::{Simulation, Statics, Vector};
use drystone_diagnose::statics::{Functional, Open, OpenForces};
use rayon::prelude::*;

/// Beyond this many contacts bounds of the normal forces are left out: each of them is a programme of its
/// own.
const MOST: usize = 1000;

/// One joint.
pub struct Joint {
    pub bodies: [String; 2],
    pub indices: [usize; 2],
    /// Middle of its points, and where the resultant passes \[m\].
    pub point: [f64; 3],
    pub pressed: [f64; 3],
    /// Normal.
    pub normal: [f64; 3],
    /// Resultant in the forces found \[N\].
    pub pushes: f64,
    pub shear: f64,
    /// Share of the friction that is used; none without friction.
    pub friction_used: Option<f64>,
    /// Share of the way from the middle of the joint to its border at which the resultant lies; none at a
    /// single point.
    pub eccentricity_used: Option<f64>,
    /// Least and largest normal force over all admissible forces \[N\].
    pub between: Option<Open>,
}

impl Joint {
    /// What is left of its capacity in the forces found.
    pub fn reserve(&self) -> f64 {
        1.0 - self.friction_used.unwrap_or(0.0).max(self.eccentricity_used.unwrap_or(0.0))
    }
}

/// All joints of contacts.
pub fn all<const D: usize>(
    simulation: &Simulation<D>,
    statics: &Statics<D>,
    forces: &[Vector<D>],
) -> Result<Vec<Joint>, Failure> {
    let contacts = statics.contacts.len();
    let open = OpenForces::at_rest(&statics.structure, &statics.dead());
    let names = &simulation.bodies().name;
    let joint = |rows: &Vec<usize>| -> Option<Joint> {
        let points: Vec<usize> = rows.iter().copied().filter(|&row| row < contacts).collect();
        let first = statics.contacts.get(*points.first()?)?;
        let pushes: f64 = points.iter().map(|&row| forces[row][0]).sum();
        let shear: f64 = sum(rows, contacts, statics, forces).norm();
        let threshold: f64 = rows
            .iter()
            .map(|&row| {
                let hold = &statics.structure.holds[row];
                hold.set.threshold(forces[row][0] + hold.offset[0])
            })
            .sum();
        let least = points.iter().map(|&row| forces[row][0]).fold(f64::INFINITY, f64::min);
        let count = points.len() as f64;
        let functional: Functional<D> =
            points.iter().map(|&row| (row, Vector::from_fn(|i, _| if i == 0 { 1.0 } else { 0.0 }))).collect();
        let middle =
            points.iter().fold(Vector::<D>::zeros(), |sum, &row| sum + statics.contacts[row].point) / count;
        let moment = points
            .iter()
            .fold(Vector::<D>::zeros(), |sum, &row| sum + statics.contacts[row].point * forces[row][0]);
        let three = |v: Vector<D>| std::array::from_fn(|i| if i < D { v[i] } else { 0.0 });
        Some(Joint {
            bodies: first.bodies.map(|body| names[body.0 as usize].clone()),
            indices: first.bodies.map(|body| body.0 as usize),
            point: three(middle),
            pressed: three(if pushes > 0.0 { moment / pushes } else { middle }),
            normal: three(first.frame.column(0).into_owned()),
            pushes,
            shear,
            friction_used: (threshold > 0.0 && threshold.is_finite()).then(|| shear / threshold),
            eccentricity_used: (count > 1.0 && pushes > 1e-9 * open.scale())
                .then(|| 1.0 - count * least / pushes),
            between: match contacts <= MOST {
                true => open.bounds(&functional).ok(),
                false => None,
            },
        })
    };
    let found: Vec<Joint> = statics.structure.joints.par_iter().filter_map(joint).collect();
    match found.is_empty() && statics.structure.rows.is_empty() {
        true => {
            Err(undecided(drystone_diagnose::statics::StaticsError::Program { status: "no contact".into() }))
        }
        false => Ok(found),
    }
}

/// Shear of a joint in world axes \[N\].
fn sum<const D: usize>(
    rows: &[usize],
    contacts: usize,
    statics: &Statics<D>,
    forces: &[Vector<D>],
) -> Vector<D> {
    rows.iter().filter(|&&row| row < contacts).fold(Vector::zeros(), |sum, &row| {
        let mut tangential = forces[row];
        tangential[0] = 0.0;
        sum + statics.contacts[row].frame * tangential
    })
}
