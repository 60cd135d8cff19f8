//! All measures by name, with their parameters and what they mean: one list for scenes, stop conditions, the
//! command and programs.

use crate::{FrameView, MeasureError, Parameters, Readings, Reference, Request};
use crate::{dissipation, fabric, forces, joints, love, motion, packing, triangles};
use drystone::{AnySimulation, Simulation};

/// A measure.
#[derive(Clone, Copy, Debug)]
pub struct MeasureEntry {
    /// Name.
    pub name: &'static str,
    /// What it gives, in one line.
    pub about: &'static str,
    /// The keys it takes.
    pub keys: &'static [&'static str],
    /// The keys it needs.
    pub needs: &'static [&'static str],
    /// Whether it has many rows.
    pub is_table: bool,
    /// 2 where it exists in the plane alone.
    pub only: Option<usize>,
    run: fn(&FrameView, &Parameters) -> Result<Readings, MeasureError>,
}

type Run = fn(&FrameView, &Parameters) -> Result<Readings, MeasureError>;
type Keys = &'static [&'static str];

const fn row(name: &'static str, keys: Keys, run: Run, about: &'static str) -> MeasureEntry {
    MeasureEntry { name, about, keys, needs: &[], is_table: false, only: None, run }
}

const fn table(name: &'static str, keys: Keys, run: Run, about: &'static str) -> MeasureEntry {
    MeasureEntry { is_table: true, ..row(name, keys, run, about) }
}

const fn needing(needs: Keys, entry: MeasureEntry) -> MeasureEntry {
    MeasureEntry { needs, ..entry }
}

const fn plane(entry: MeasureEntry) -> MeasureEntry {
    MeasureEntry { only: Some(2), ..entry }
}

/// Every measure.
pub const MEASURES: [MeasureEntry; 34] = [
    row(
        "stress",
        &["group", "box"],
        love::stress,
        "mean stress of contact forces (Love, Weber), compression positive; pressure p, deviator q, ratio of the largest to the least principal stress",
    ),
    table(
        "stress_profile",
        &["group", "box", "axis", "bins"],
        love::profile,
        "the same, slab by slab along an axis",
    ),
    table("body_stress", &["group"], love::of_bodies, "the same of every body, over its own volume"),
    row("void_ratio", &["group", "box"], packing::void_ratio, "void ratio, solid fraction and porosity"),
    table(
        "profile",
        &["group", "box", "axis", "bins"],
        packing::profile,
        "solid fraction, velocity and granular temperature, slab by slab along an axis",
    ),
    row(
        "coordination",
        &["group", "box", "least"],
        fabric::coordinate,
        "mean number of bodies that push a body, with and without rattlers, and the share of these",
    ),
    row(
        "fabric",
        &["group"],
        fabric::fabric,
        "anisotropy of contacts, normal and tangential forces; mean of n⊗n and its direction",
    ),
    row(
        "forces",
        &["group"],
        forces::forces,
        "mean and largest normal force, exponents of their distribution, share of weak ones",
    ),
    table(
        "force_histogram",
        &["group", "bins"],
        forces::histogram,
        "density of normal forces over their mean",
    ),
    row(
        "force_split",
        &["group"],
        forces::split,
        "what contacts with less than the mean force, and with more, have of pressure, deviator and fabric",
    ),
    row("friction", &["group"], forces::friction, "share of sliding contacts, tangential over normal forces"),
    needing(
        &["point"],
        row(
            "cut",
            &["group", "point", "normal"],
            forces::cut,
            "resultant of the forces that bodies beyond a line or plane exert upon those before it",
        ),
    ),
    needing(
        &["group", "with"],
        row(
            "group_force",
            &["group", "with", "point"],
            forces::between,
            "force of a group upon another, with its moment about a point (default: the origin)",
        ),
    ),
    needing(
        &["body"],
        row(
            "reaction",
            &["body"],
            forces::reaction,
            "force of all contacts on a body, with its moment about its centre",
        ),
    ),
    table("reactions", &[], forces::reactions, "the same of every body that is not free"),
    row(
        "contact_pressure",
        &["group"],
        forces::contact_pressure,
        "largest and mean pressure between deformable bodies and others, and the area under pressure",
    ),
    row(
        "penetration",
        &["group"],
        forces::penetration,
        "deepest and mean overlap, and the deepest relative to the radius of the smaller body",
    ),
    row(
        "mass",
        &["group", "box"],
        packing::mass,
        "mass, volume, number and centre of mass of the bodies whose centre lies in a box",
    ),
    needing(
        &["point"],
        row(
            "flow",
            &["group", "point", "normal", "reach"],
            packing::flow,
            "rate at which mass crosses a line or plane along its normal, and the mass beyond and behind it",
        ),
    ),
    row("extent", &["group"], packing::extent, "how far the sample reaches along each axis"),
    row(
        "displacement",
        &["group", "body"],
        motion::displacement,
        "mean displacement of a sample or body since the start, the largest one, the largest turn",
    ),
    needing(
        &["body", "other"],
        row(
            "wall_strain",
            &["body", "other", "axis"],
            motion::wall_strain,
            "how much nearer two bodies came along an axis, relative, compression positive",
        ),
    ),
    table(
        "strain_field",
        &["group", "reach"],
        motion::strain_field,
        "strain about every body since the start, compression positive",
    ),
    plane(row(
        "shear_band",
        &["group", "reach"],
        motion::shear_band,
        "direction along which shear since the start is alike, from the x axis",
    )),
    plane(table(
        "triangle_strain",
        &["group", "reach"],
        triangles::triangle_strain,
        "strain since the start of every triangle between neighbours (Delaunay), compression positive",
    )),
    plane(row("mean_strain", &["group", "reach"], triangles::mean_strain, "the mean of these by area")),
    plane(row(
        "outline",
        &["group", "reach"],
        triangles::outline,
        "area and length of the outline of a sample, which a ball of the radius `reach` finds",
    )),
    table(
        "field",
        &["group", "box", "bins"],
        motion::field,
        "velocity and displacement of every body, or means in the cells of a grid",
    ),
    row("energy", &[], motion::energy, "energies, and what was dissipated by which cause"),
    row(
        "dissipation",
        &["group"],
        dissipation::whole,
        "power that the contacts of the sample dissipate in the last step, by cause",
    ),
    table(
        "contact_dissipation",
        &["group"],
        dissipation::table,
        "the same of every contact that pushes, with its place",
    ),
    row("speed", &["group"], motion::speed, "largest and mean speed"),
    table(
        "joints",
        &["group"],
        joints::table,
        "of every joint: where the thrust goes through, its eccentricity, pressure, opening, sliding",
    ),
    row(
        "joint_extremes",
        &["group"],
        joints::extremes,
        "the largest opening, sliding, eccentricity and pressure of all joints",
    ),
];

/// Measures that look at bodies alone.
const OF_BODIES: [&str; 14] = [
    "profile",
    "mass",
    "flow",
    "extent",
    "displacement",
    "wall_strain",
    "strain_field",
    "shear_band",
    "triangle_strain",
    "mean_strain",
    "outline",
    "field",
    "energy",
    "speed",
];

impl MeasureEntry {
    /// Whether it looks at contacts, which a run folder need not hold.
    pub fn uses_contacts(&self) -> bool {
        !OF_BODIES.contains(&self.name)
    }
}

/// The measure of a name.
pub fn find(name: &str) -> Result<&'static MeasureEntry, MeasureError> {
    MEASURES
        .iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| MeasureError::Unknown { name: name.into(), known: names(|_| true) })
}

fn names(which: impl Fn(&MeasureEntry) -> bool) -> String {
    MEASURES.iter().filter(|entry| which(entry)).map(|entry| entry.name).collect::<Vec<_>>().join(", ")
}

impl Request {
    /// Whether the measure exists in a dimension and takes these parameters; groups and bodies are looked up
    /// when it is evaluated.
    pub fn check(&self, dimension: usize) -> Result<&'static MeasureEntry, MeasureError> {
        let entry = find(&self.name)?;
        let measure = || self.name.clone();
        let given = self.parameters.given();
        if let Some(key) = given.iter().find(|key| !entry.keys.contains(key)) {
            let allowed = if entry.keys.is_empty() { "none".into() } else { entry.keys.join(", ") };
            return Err(MeasureError::Key { measure: measure(), key: (*key).into(), allowed });
        }
        if let Some(key) = entry.needs.iter().find(|key| !given.contains(key)) {
            let about = crate::KEYS.iter().find(|(known, _)| known == key).map_or("", |(_, about)| about);
            return Err(MeasureError::Missing { measure: measure(), key, about });
        }
        if entry.only.is_some_and(|only| only != dimension) {
            return Err(MeasureError::Dimension { measure: measure(), allowed: "the plane" });
        }
        Ok(entry)
    }
}

/// Evaluates a measure on a frame.
pub fn evaluate(view: &FrameView, request: &Request) -> Result<Readings, MeasureError> {
    let entry = request.check(view.dimension)?;
    (entry.run)(view, &request.parameters)
}

/// One number of a frame: the column of the request, or the first one, of a measure with one row. NaN where
/// the number does not exist, as the mean force where there is no contact.
pub fn scalar(view: &FrameView, request: &Request) -> Result<f64, MeasureError> {
    let entry = request.check(view.dimension)?;
    if entry.is_table {
        let known = names(|entry| !entry.is_table);
        return Err(MeasureError::NotScalar { measure: entry.name.into(), known });
    }
    let readings = evaluate(view, request)?;
    let index = match &request.column {
        None => 0,
        Some(column) => readings.column(column).ok_or_else(|| MeasureError::Column {
            measure: entry.name.into(),
            column: column.clone(),
            known: readings.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", "),
        })?,
    };
    Ok(readings.rows[0].1[index])
}

/// One number of a running simulation, for stop conditions, servos and hooks. `reference` is what
/// [`Reference::of`] gave as the run began: displacements and strains count from there.
///
/// ```
/// use drystone::prelude::*;
/// use drystone_measure::{Reference, Request, measure_now_any};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut sim = Simulation::plane()
///     .gravity([0.0, -10.0])
///     .step(1e-3)
///     .law("*", "*", Inelastic { friction: 0.3 })
///     .body(Body::half_space().named("floor"))
///     .body(Body::disk(0.1).mass(2.0).at([0.0, 0.1]).named("disk"))
///     .build()?;
/// let reference = Reference::of_any(&sim);
/// let request = Request::parse("reaction.force_y:body=floor")?;
/// // once, before the run: a wrong name of a group, body or column is found here
/// measure_now_any(&sim, &reference, &request)?;
/// sim.run_until(0.1)?;
/// let force = measure_now_any(&sim, &reference, &request)?;
/// assert!((force + 20.0).abs() < 1e-6);
/// # Ok(())
/// # }
/// ```
pub fn measure_now_any(
    simulation: &AnySimulation,
    reference: &Reference,
    request: &Request,
) -> Result<f64, MeasureError> {
    scalar(&FrameView::of_any(simulation, reference), request)
}

/// The same of a simulation of known dimension.
pub fn measure_now<const D: usize>(
    simulation: &Simulation<D>,
    reference: &Reference,
    request: &Request,
) -> Result<f64, MeasureError> {
    scalar(&FrameView::of(simulation, reference), request)
}
