//! Deformable bodies as unstructured grids: their elements, and the fields at their nodes in each frame.
//! Their surfaces are in the file of the surfaces.

use crate::column::Column;
use crate::hdf5::Values;
use crate::records::three;
use crate::series::{FrameData, SeriesPlan};
use crate::topology::{Cells, Topology};
use drystone::{BodyId, Simulation, SolidFields};

/// The file of the elements.
pub(crate) const ELEMENTS: &str = "elements.vtkhdf";

/// What the file of the elements holds besides its frames.
pub(crate) fn elements_plan<const D: usize>(simulation: &Simulation<D>) -> SeriesPlan {
    let (mut cells, mut types, mut bodies, mut owners) =
        (Cells::default(), Vec::new(), Vec::new(), Vec::new());
    for body in simulation.solids().bodies() {
        let Some(model) = simulation.solids().model(body as usize) else { continue };
        let first = owners.len();
        for (kind, nodes) in model.mesh().elements() {
            cells.push(nodes.iter().map(|&node| first + node as usize));
            types.push(kind.vtk_type());
            bodies.push(body);
        }
        owners.resize(first + model.mesh().nodes().len(), body);
    }
    let groups = bodies.iter().map(|&body| simulation.bodies().group[body as usize].0).collect();
    SeriesPlan {
        chunk: crate::records::chunk(owners.len()),
        columns: columns(&NodeRows::default()),
        fixed_points: Vec::new(),
        fixed_cells: vec![
            Column::new("body", 1, Values::U32(bodies)),
            Column::new("group", 1, Values::U32(groups)),
        ],
        topology: Topology::Elements { points: owners.len(), cells, types },
        names: Vec::new(),
        groups: Vec::new(),
        notes: NOTES,
        short: false,
    }
}

/// The fields of a frame.
pub(crate) fn element_rows<const D: usize>(simulation: &Simulation<D>) -> FrameData {
    let mut rows = NodeRows::default();
    for body in simulation.solids().bodies() {
        // a body that has collapsed has no stress: the run ends before it is written
        let fields = simulation.solid_fields(BodyId(body)).unwrap_or_default();
        let count = simulation.solids().model(body as usize).map_or(0, |model| model.mesh().nodes().len());
        rows.add(&fields, count);
    }
    FrameData { points: std::mem::take(&mut rows.points), columns: columns(&rows), ..FrameData::default() }
}

/// Numbers of all nodes.
#[derive(Default)]
struct NodeRows {
    points: Vec<f64>,
    displacement: Vec<f64>,
    velocity: Vec<f64>,
    stress: Vec<f64>,
    strain: Vec<f64>,
    von_mises: Vec<f64>,
    principal: Vec<f64>,
    plastic_strain: Vec<f64>,
    accumulated: Vec<f64>,
}

impl NodeRows {
    /// Adds the nodes of a body; what a body does not have is zero.
    fn add<const D: usize>(&mut self, fields: &SolidFields<D>, count: usize) {
        for node in 0..count {
            let vector = |list: &[drystone::Vector<D>]| list.get(node).map_or([0.0; 3], three);
            let six = |list: &[[f64; 6]]| list.get(node).copied().unwrap_or_default();
            self.points.extend(vector(&fields.place));
            self.displacement.extend(vector(&fields.displacement));
            self.velocity.extend(vector(&fields.velocity));
            self.stress.extend(six(&fields.stress));
            self.strain.extend(six(&fields.strain));
            self.von_mises.push(fields.von_mises.get(node).copied().unwrap_or(0.0));
            self.principal.extend(fields.principal.get(node).copied().unwrap_or_default());
            self.plastic_strain.extend(six(&fields.plastic_strain));
            self.accumulated.push(fields.accumulated.get(node).copied().unwrap_or(0.0));
        }
    }
}

fn columns(rows: &NodeRows) -> Vec<Column> {
    let column =
        |name, components, values: &Vec<f64>| Column::new(name, components, Values::F64(values.clone()));
    vec![
        column("displacement", 3, &rows.displacement),
        column("velocity", 3, &rows.velocity),
        column("stress", 6, &rows.stress),
        column("strain", 6, &rows.strain),
        column("von_mises_stress", 1, &rows.von_mises),
        column("principal_stresses", 3, &rows.principal),
        column("plastic_strain", 6, &rows.plastic_strain),
        column("accumulated_plastic_strain", 1, &rows.accumulated),
    ]
}

/// What the columns mean.
const NOTES: &[(&str, &str)] = &[
    ("body", "index of the body in the scene, from 0"),
    ("group", "index of its group"),
    ("displacement", "m, world axes; by deformation, the rigid motion of a floating frame apart"),
    ("velocity", "m/s, world axes, the rigid motion included"),
    ("stress", "Pa, Cauchy, world axes: xx, yy, zz, xy, yz, xz; smoothed to nodes, as all that follows"),
    ("strain", "-, the same order, shears halved; Green's at finite strains"),
    ("von_mises_stress", "Pa"),
    ("principal_stresses", "Pa, largest first"),
    ("plastic_strain", "-, as the strain; 0 where the material has none"),
    ("accumulated_plastic_strain", "-, 0 where the material has none"),
];
