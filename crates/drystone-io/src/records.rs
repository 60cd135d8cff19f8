//! What a simulation shows of itself at an output step, as rows of numbers in three dimensions. Opens no
//! file.
//!
//! In the plane z = 0 and spin is about z, so that both dimensions have the same columns.

use crate::column::Column;
use crate::hdf5::Values;
use crate::series::{FrameData, SeriesPlan};
use crate::topology::{Cells, FrameCells, Topology};
use drystone::{Bodies, BodyId, Interaction, Orientation, Pose, Simulation, Status, Vector};
use drystone_measure::{contact_forces, volumes};

/// Units and axes of the columns of the bodies.
const BODY_NOTES: &[(&str, &str)] = &[
    ("Points", "centre of mass, m"),
    ("id", "index of the body in the scene, from 0"),
    ("group", "index of its group"),
    ("mass", "kg; in the plane for each metre of depth"),
    ("volume", "m³; in the plane m²; 0 of walls without an end"),
    ("radius", "of a ball about the centre of mass that holds the body, m; 0 for half-spaces"),
    ("velocity", "m/s, world axes"),
    ("spin", "rad/s, axes of the shape; about z in the plane"),
    ("orientation_wxyz", "unit quaternion, axes of the shape to world axes"),
    ("kinetic_energy", "J"),
    ("contact_force", "resultant of the contacts, N, world axes"),
];

/// The same where bodies come and go.
const OPEN_BODY_NOTES: &[(&str, &str)] = &[
    ("Points", "centre of mass, m"),
    ("id", "with the generation, the name of a body: the same in all frames it is in, and no other's"),
    ("generation", "see id"),
    ("source", "which source of the scene made it, from 1; 0 for other bodies"),
    ("number", "the how manieth body of its source; with the name of the source, its name"),
    ("group", "index of its group"),
    ("mass", "kg; in the plane for each metre of depth"),
    ("volume", "m³; in the plane m²; 0 of walls without an end"),
    ("radius", "of a ball about the centre of mass that holds the body, m; 0 for half-spaces"),
    ("velocity", "m/s, world axes"),
    ("spin", "rad/s, axes of the shape; about z in the plane"),
    ("orientation_wxyz", "unit quaternion, axes of the shape to world axes"),
    ("kinetic_energy", "J"),
    ("contact_force", "resultant of the contacts, N, world axes"),
];

/// Units and axes of the columns of the contacts.
const CONTACT_NOTES: &[(&str, &str)] = &[
    ("Points", "contact point, m"),
    ("gap", "signed distance, m; negative where bodies overlap"),
    ("status", "0 open, 1 stick, 2 slip"),
    ("impulse", "on the candidate over the step, N s, contact frame: normal, tangents"),
    ("force", "on the candidate, impulse over time step, N, world axes"),
    ("normal", "unit vector from antagonist to candidate, world axes"),
    ("tangent", "first tangent, unit vector, world axes"),
    ("relative_velocity", "at the end of the step, m/s, contact frame: normal, tangents"),
    ("dissipated", "in the last step, J: friction, shocks, cohesion, viscosity"),
    ("area", "m², in the plane m: that the contact stands for, where bodies are deformable"),
    ("pressure", "Pa: normal force over the area"),
    ("bodies", "candidate, antagonist"),
    ("contactors", "candidate, antagonist"),
    ("feature", "which features touch"),
];

/// A vector of the plane or of space with three components.
pub(crate) fn three<const D: usize>(vector: &Vector<D>) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < D { vector[axis] } else { 0.0 })
}

/// Where a place is shown: in a periodic cell, inside of it.
pub(crate) fn shown<const D: usize>(simulation: &Simulation<D>, place: &Vector<D>) -> Vector<D> {
    simulation.settings().cell.map_or(*place, |cell| cell.wrap(place))
}

/// Velocity of the centre of mass in world axes and spin in the body's own axes: one spin, about z, in the
/// plane.
pub(crate) fn velocity_and_spin<const D: usize>(simulation: &Simulation<D>, body: usize) -> [[f64; 3]; 2] {
    let bodies = simulation.bodies();
    let translation = three(&simulation.centre_of_mass(BodyId(body as u32))[1]);
    let spin: [f64; 3] = drystone_math::per_dof::spin::<D>(&bodies.twist(body)).into();
    let axes = &bodies.own_axes[body];
    // where its own axes are principal, the bits stay
    let own = if *axes == Orientation::identity() { spin } else { (axes * Vector::<3>::from(spin)).into() };
    [translation, own]
}

/// Orientation of the body's own axes, scalar part first.
pub(crate) fn own_orientation<const D: usize>(bodies: &Bodies<D>, body: usize) -> [f64; 4] {
    let (pose, axes) = (bodies.pose[body], &bodies.own_axes[body]);
    if *axes == Orientation::identity() {
        return pose.orientation_wxyz();
    }
    Pose { orientation: pose.orientation * axes.inverse(), ..pose }.orientation_wxyz()
}

/// Force on the candidate in world axes \[N\]: the impulse spread over the step.
fn force<const D: usize>(interaction: &Interaction<D>, h: f64) -> Vector<D> {
    interaction.frame * interaction.r / h
}

/// What the file of the bodies holds besides its frames.
pub(crate) fn bodies_plan<const D: usize>(simulation: &Simulation<D>, volumes: Vec<f64>) -> SeriesPlan {
    let bodies = simulation.bodies();
    let count = bodies.len();
    // a half-space has no radius: 0 keeps every number of the file finite
    let radius = bodies.radius.iter().map(|&radius| if radius.is_finite() { radius } else { 0.0 }).collect();
    SeriesPlan {
        topology: Topology::Fixed {
            points: count,
            vertices: Cells::one_a_point(count),
            lines: Cells::default(),
            polygons: Cells::default(),
        },
        columns: [
            ("velocity", 3),
            ("spin", 3),
            ("orientation_wxyz", 4),
            ("kinetic_energy", 1),
            ("contact_force", 3),
        ]
        .map(|(name, components)| Column::new(name, components, Values::F64(Vec::new())))
        .to_vec(),
        fixed_points: vec![
            Column::new("id", 1, Values::U32((0..count as u32).collect())),
            Column::new("group", 1, Values::U32(bodies.group.iter().map(|group| group.0).collect())),
            Column::new("radius", 1, Values::F64(radius)),
            Column::new("mass", 1, Values::F64(masses(bodies))),
            Column::new("volume", 1, Values::F64(volumes)),
        ],
        fixed_cells: Vec::new(),
        names: bodies.name.clone(),
        groups: simulation.group_names().to_vec(),
        notes: BODY_NOTES,
        chunk: chunk(count),
        short: false,
    }
}

/// What the file of bodies that come and go holds besides its frames: what else would be fixed comes with
/// each of them.
pub(crate) fn open_bodies_plan<const D: usize>(simulation: &Simulation<D>, sources: &[String]) -> SeriesPlan {
    let fixed = bodies_plan(simulation, Vec::new());
    let empty = |column: &Column| {
        let values = match column.values {
            Values::U32(_) => Values::U32(Vec::new()),
            _ => Values::F64(Vec::new()),
        };
        Column::new(column.name, column.components, values)
    };
    let own = open_columns(simulation, sources);
    let columns = fixed.columns.iter().chain(&own).map(empty).collect();
    let (topology, fixed_points, names) = (Topology::Loose, Vec::new(), Vec::new());
    SeriesPlan { topology, columns, fixed_points, names, notes: OPEN_BODY_NOTES, ..fixed }
}

/// The bodies that are there now; `sources` are the names of those that make some.
pub(crate) fn open_body_rows<const D: usize>(simulation: &Simulation<D>, sources: &[String]) -> FrameData {
    let mut data = body_rows(simulation);
    data.columns.extend(open_columns(simulation, sources));
    data
}

fn open_columns<const D: usize>(simulation: &Simulation<D>, sources: &[String]) -> Vec<Column> {
    let bodies = simulation.bodies();
    let words = |part: usize| -> Vec<u32> {
        (0..bodies.len() as u32).map(|body| handle_words(simulation, body)[part]).collect()
    };
    let finite = |&radius: &f64| if radius.is_finite() { radius } else { 0.0 };
    let made: Vec<_> = bodies.name.iter().map(|name| made_by(name, sources)).collect();
    vec![
        Column::new("id", 1, Values::U32(words(0))),
        Column::new("generation", 1, Values::U32(words(1))),
        Column::new("source", 1, Values::U32(made.iter().map(|made| made[0]).collect())),
        Column::new("number", 1, Values::U32(made.iter().map(|made| made[1]).collect())),
        Column::new("group", 1, Values::U32(bodies.group.iter().map(|group| group.0).collect())),
        Column::new("radius", 1, Values::F64(bodies.radius.iter().map(finite).collect())),
        Column::new("mass", 1, Values::F64(masses(bodies))),
        Column::new("volume", 1, Values::F64(volumes(simulation))),
    ]
}

/// Which source made a body, from 1, and the how manieth of it the body is: what its name says. Zeros where
/// no source did.
fn made_by(name: &str, sources: &[String]) -> [u32; 2] {
    let read = || {
        let (stem, number) = name.rsplit_once(' ')?;
        let source = sources.iter().position(|source| source == stem)?;
        // another way to write the same number is another name
        let plain = number.starts_with(|digit: char| ('1'..='9').contains(&digit));
        Some([source as u32 + 1, number.parse().ok().filter(|_| plain)?])
    };
    read().unwrap_or([0; 2])
}

/// Masses; what no impulse moves may have none.
pub(crate) fn masses<const D: usize>(bodies: &Bodies<D>) -> Vec<f64> {
    bodies.mass.iter().map(|mass| if mass[0].is_finite() { mass[0] } else { 0.0 }).collect()
}

/// Slot and generation of a body.
pub(crate) fn handle_words<const D: usize>(simulation: &Simulation<D>, body: u32) -> [u32; 2] {
    simulation.handle(BodyId(body)).map_or([0; 2], |handle| handle.to_words())
}

/// The bodies as they are now.
pub(crate) fn body_rows<const D: usize>(simulation: &Simulation<D>) -> FrameData {
    let bodies = simulation.bodies();
    let all = || (0..bodies.len() as u32).map(BodyId);
    let moving = || (0..bodies.len()).map(|body| velocity_and_spin(simulation, body));
    let place = |body: BodyId| three(&shown(simulation, &simulation.centre_of_mass(body)[0]));
    let points = all().flat_map(place).collect();
    let columns = [
        ("velocity", 3, moving().flat_map(|[velocity, _]| velocity).collect()),
        ("spin", 3, moving().flat_map(|[_, spin]| spin).collect()),
        ("orientation_wxyz", 4, (0..bodies.len()).flat_map(|body| own_orientation(bodies, body)).collect()),
        ("kinetic_energy", 1, all().map(|body| simulation.kinetic_of(body)).collect()),
        ("contact_force", 3, contact_forces(simulation).iter().flat_map(three).collect()),
    ];
    let columns =
        columns.map(|(name, components, values)| Column::new(name, components, Values::F64(values))).to_vec();
    FrameData { points, columns, cells: FrameCells::default() }
}

/// What the file of the contacts holds besides its frames.
pub(crate) fn contacts_plan<const D: usize>(simulation: &Simulation<D>) -> SeriesPlan {
    SeriesPlan {
        topology: Topology::Loose,
        columns: contact_columns(simulation, &[]),
        fixed_points: Vec::new(),
        fixed_cells: Vec::new(),
        names: Vec::new(),
        groups: Vec::new(),
        notes: CONTACT_NOTES,
        chunk: chunk(2 * simulation.bodies().len()),
        short: false,
    }
}

/// The contacts of the last step.
pub(crate) fn contact_rows<const D: usize>(simulation: &Simulation<D>) -> FrameData {
    let interactions = simulation.interactions();
    let points = interactions.iter().flat_map(|contact| three(&shown(simulation, &contact.point))).collect();
    FrameData { points, columns: contact_columns(simulation, interactions), cells: FrameCells::default() }
}

fn contact_columns<const D: usize>(
    simulation: &Simulation<D>,
    interactions: &[Interaction<D>],
) -> Vec<Column> {
    let h = simulation.settings().step;
    let vectors = |of: &dyn Fn(&Interaction<D>) -> Vector<D>| {
        Values::F64(interactions.iter().flat_map(|interaction| three(&of(interaction))).collect())
    };
    let pairs =
        |of: &dyn Fn(&Interaction<D>) -> [u32; 2]| Values::U32(interactions.iter().flat_map(of).collect());
    let axis =
        |column: usize| move |interaction: &Interaction<D>| interaction.frame.column(column).into_owned();
    let mut columns = vec![
        Column::new("gap", 1, Values::F64(interactions.iter().map(|i| i.gap).collect())),
        Column::new("status", 1, Values::U8(interactions.iter().map(|i| status_code(i.status)).collect())),
        Column::new("impulse", 3, vectors(&|i| i.r)),
        Column::new("force", 3, vectors(&|i| force(i, h))),
        Column::new("normal", 3, vectors(&axis(0))),
        Column::new("tangent", 3, vectors(&axis(1))),
        Column::new("relative_velocity", 3, vectors(&|i| i.u)),
        Column::new("dissipated", 4, Values::F64(interactions.iter().flat_map(causes).collect())),
        Column::new("bodies", 2, pairs(&|i| i.bodies.map(|body| body.0))),
        Column::new("contactors", 2, pairs(&|i| i.id.contactors)),
        Column::new("feature", 1, Values::U64(interactions.iter().map(|i| i.id.feature).collect())),
    ];
    if !simulation.solids().is_empty() {
        let pressure = |i: &Interaction<D>| if i.area > 0.0 { i.r[0] / h / i.area } else { 0.0 };
        columns.push(Column::new("area", 1, Values::F64(interactions.iter().map(|i| i.area).collect())));
        columns.push(Column::new("pressure", 1, Values::F64(interactions.iter().map(pressure).collect())));
    }
    let (laws, groups) = (simulation.laws(), &simulation.bodies().group);
    columns.extend(laws.all_variables().into_iter().map(|name| {
        let place = laws.place_of(name);
        // 0 where the law keeps none of that name
        let value = |interaction: &Interaction<D>| {
            let [a, b] = interaction.bodies.map(|body| groups[body.0 as usize]);
            place(a, b).map_or(0.0, |place| interaction.internal[place])
        };
        Column::new(name, 1, Values::F64(interactions.iter().map(value).collect()))
    }));
    columns
}

/// What a contact dissipated in the last step, by cause \[J\].
fn causes<const D: usize>(interaction: &Interaction<D>) -> [f64; 4] {
    let spent = &interaction.spent;
    [spent.friction, spent.shocks, spent.cohesion, spent.viscosity]
}

/// How a file writes a status.
fn status_code(status: Status) -> u8 {
    match status {
        Status::Open => 0,
        Status::Stick => 1,
        Status::Slip => 2,
    }
}

/// The status a file wrote.
pub(crate) fn status_of(code: u8) -> Option<Status> {
    [Status::Open, Status::Stick, Status::Slip].get(code as usize).copied()
}

/// Rows stored together: about a frame, but neither tiny (overhead) nor huge (a piece is read as a whole).
pub(crate) fn chunk(rows: usize) -> usize {
    match rows {
        0 => 128,
        1..128 => rows * 128usize.div_ceil(rows),
        _ => rows.min(32_768),
    }
}
