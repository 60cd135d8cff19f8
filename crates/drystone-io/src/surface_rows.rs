//! What the file of the surfaces holds at its points and cells, and with how many digits. Knows no shape.

use crate::column::Column;
use crate::hdf5::Values;
use drystone::{Pose, Simulation};

/// Where a body is and how it moves, in world axes.
pub(crate) struct BodyMotion<const D: usize> {
    pub pose: Pose<D>,
    pub velocity: [f64; 3],
    pub spin: [f64; 3],
}

/// Numbers of the surface points, row after row; of rigid bodies the first two only.
#[derive(Default)]
pub(crate) struct PointRows {
    pub points: Vec<f64>,
    pub velocity: Vec<f64>,
    pub displacement: Vec<f64>,
    pub von_mises: Vec<f64>,
    pub principal: Vec<f64>,
    pub accumulated: Vec<f64>,
}

impl PointRows {
    /// Zeros for what deformable bodies have.
    pub(crate) fn reserve_fields(&mut self, count: usize) {
        (self.displacement, self.principal) = (vec![0.0; 3 * count], vec![0.0; 3 * count]);
        (self.von_mises, self.accumulated) = (vec![0.0; count], vec![0.0; count]);
    }
}

/// Columns of the points; the velocity alone where all bodies are rigid.
pub(crate) fn point_columns(rows: PointRows, solids: bool, short: bool) -> Vec<Column> {
    let column = |name, components, numbers| Column::new(name, components, Values::reals(numbers, short));
    let mut columns = vec![column("velocity", 3, rows.velocity)];
    if solids {
        columns.extend([
            column("displacement", 3, rows.displacement),
            column("von_mises_stress", 1, rows.von_mises),
            column("principal_stresses", 3, rows.principal),
            column("accumulated_plastic_strain", 1, rows.accumulated),
        ]);
    }
    columns
}

/// Bodies this much smaller than their distance from the origin need more than the seven digits of f32.
const FAR: f64 = 1e4;

/// Whether seven digits show every body round. Deformations are small: they keep all digits.
pub(crate) fn is_short<const D: usize>(simulation: &Simulation<D>) -> bool {
    let bodies = simulation.bodies();
    let near = |(pose, radius): (&Pose<D>, &f64)| pose.position.norm() <= FAR * radius;
    simulation.solids().is_empty() && bodies.pose.iter().zip(&bodies.radius).all(near)
}

/// What the columns mean; the first four without deformable bodies.
pub(crate) const NOTES: &[(&str, &str)] = &[
    ("body", "index of the body in the scene, from 0: names has its name"),
    ("group", "index of its group: groups has its name"),
    ("mass", "of the whole body, kg; in the plane for each metre of depth"),
    ("velocity", "of the point, spin included, m/s, world axes"),
    ("displacement", "m, world axes; by deformation, the rigid motion of the body apart"),
    ("von_mises_stress", "Pa, smoothed to nodes"),
    ("principal_stresses", "Pa, largest first"),
    ("accumulated_plastic_strain", "-, 0 where the material has none"),
];

/// What the columns of surfaces that come and go mean.
pub(crate) const OPEN_NOTES: &[(&str, &str)] = &[
    ("id", "with the generation, the name of the body, as in bodies.vtkhdf"),
    ("generation", "see id"),
    ("group", "index of its group: groups has its name"),
    ("mass", "of the whole body, kg; in the plane for each metre of depth"),
    ("velocity", "of the point, spin included, m/s, world axes"),
];
