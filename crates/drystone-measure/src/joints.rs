//! Joints of masonry: the contacts of a pair of bodies together, how far they opened and slid, and where the
//! thrust goes through. Knows no law: where forces are not unique, neither is the thrust.

use crate::domain::sample;
use crate::readings::axes;
use crate::{FrameView, MeasureError, Parameters, Readings};
use drystone::Vector;
use std::collections::BTreeMap;

/// One joint: all contacts of two bodies that face the same way.
#[derive(Clone, Debug, PartialEq)]
pub struct MasonryJoint {
    /// The two bodies.
    pub bodies: [usize; 2],
    /// Normal, from the second to the first.
    pub normal: Vector<3>,
    /// Middle of its contact points \[m\].
    pub middle: Vector<3>,
    /// Force on the first body \[N\].
    pub force: Vector<3>,
    /// Where the normal force goes through \[m\]; the middle where there is none.
    pub thrust: Vector<3>,
    /// Area \[m²\], in the plane length \[m\]; 0 of one point, in space also of a line, and of slivers (see
    /// [`LEAST_AREA`]). Where the contacts have areas of their own, their sum.
    pub area: f64,
    /// Distance from the middle to the edge in the direction of the thrust \[m\].
    pub half: f64,
    /// Widest gap \[m\].
    pub opening: f64,
    /// Largest way that points of the two bodies, now at the joint, slid over each other since the start
    /// \[m\]; none where the start is not known.
    pub sliding: Option<f64>,
}

/// Joints with less area than this, relative to the square of the radius of the smaller body (in the plane,
/// length relative to the radius), are slivers: two stones that share an edge meet in a patch as wide as
/// rounding leaves it, and a force over such an area is no pressure.
pub const LEAST_AREA: f64 = 1e-6;

/// Normals that differ by less than this belong to one joint: one minus the cosine.
const SAME_NORMAL: f64 = 1e-3;

/// How far from the edge the thrust is at the edge, relative to half of the depth.
const ROUNDING: f64 = 1e-12;

/// The joints of a sample, by their bodies.
pub fn joints(view: &FrameView, sample: &[bool]) -> Vec<MasonryJoint> {
    let mut pairs: BTreeMap<[usize; 2], Vec<Vec<usize>>> = BTreeMap::new();
    for (index, contact) in view.contacts.iter().enumerate() {
        if !contact.bodies.iter().any(|&body| sample[body]) {
            continue;
        }
        let (pair, _) = ordered(contact.bodies);
        let faces = pairs.entry(pair).or_default();
        let alike = |face: &&mut Vec<usize>| {
            let first = &view.contacts[face[0]];
            oriented(first).dot(&oriented(contact)) > 1.0 - SAME_NORMAL
        };
        match faces.iter_mut().find(alike) {
            Some(face) => face.push(index),
            None => faces.push(vec![index]),
        }
    }
    let all = pairs.into_iter().flat_map(|(pair, faces)| faces.into_iter().map(move |face| (pair, face)));
    all.map(|(pair, face)| joint(view, pair, &face)).collect()
}

fn ordered([a, b]: [usize; 2]) -> ([usize; 2], f64) {
    if a < b { ([a, b], 1.0) } else { ([b, a], -1.0) }
}

/// The normal from the body of the higher number to the other.
fn oriented(contact: &crate::ContactView) -> Vector<3> {
    contact.normal * ordered(contact.bodies).1
}

fn joint(view: &FrameView, pair: [usize; 2], face: &[usize]) -> MasonryJoint {
    let contacts = || face.iter().map(|&index| &view.contacts[index]);
    let normal = contacts().next().map_or_else(Vector::zeros, oriented);
    let points: Vec<Vector<3>> = contacts().map(|contact| contact.point).collect();
    let outline = outline(&points, &normal, view.dimension);
    let (mut force, mut through, mut pushes) = (Vector::<3>::zeros(), Vector::<3>::zeros(), 0.0);
    let mut sliding = Some(0.0f64);
    for contact in contacts() {
        force += contact.force * ordered(contact.bodies).1;
        through += contact.point * contact.normal_force();
        pushes += contact.normal_force();
        let slid = slid(view, pair, &contact.point, &normal);
        sliding = sliding.zip(slid).map(|(largest, slid)| largest.max(slid));
    }
    let thrust = if pushes > 0.0 { through / pushes } else { outline.middle };
    let half = outline.half(&(thrust - outline.middle));
    let opening = contacts().map(|contact| contact.gap).fold(f64::NEG_INFINITY, f64::max).max(0.0);
    // contacts on skins stand for an area each, beyond the outermost of their points as well
    let areas: Option<f64> = contacts().map(|contact| contact.area).sum();
    let (middle, area) = (outline.middle, areas.unwrap_or(outline.area));
    let radii = pair.map(|body| view.bodies[body].radius).into_iter().filter(|radius| *radius > 0.0);
    let size = radii.reduce(f64::min).unwrap_or(0.0);
    let area = if area > LEAST_AREA * size.powi(view.dimension as i32 - 1) { area } else { 0.0 };
    MasonryJoint { bodies: pair, normal, middle, force, thrust, area, half, opening, sliding }
}

/// How far the points of two bodies that are at a place now slid over each other since the start: the way
/// between where they were then, seen from the second body, along the joint as it is now.
fn slid(view: &FrameView, [a, b]: [usize; 2], place: &Vector<3>, normal: &Vector<3>) -> Option<f64> {
    let then = |body: usize| {
        let (now, start) = (&view.bodies[body], view.bodies[body].start?);
        let local = now.orientation.inverse() * view.nearest(place - now.position);
        Some(start.position + start.orientation * local)
    };
    let apart = view.nearest(then(a)? - then(b)?);
    let turn = view.bodies[b].orientation * view.bodies[b].start?.orientation.inverse();
    let way = turn * apart;
    Some((way - normal * way.dot(normal)).norm())
}

/// The outline of the points of a joint.
struct JointOutline {
    middle: Vector<3>,
    area: f64,
    corners: Vec<Vector<3>>,
}

impl JointOutline {
    /// From the middle to the edge in a direction; the reach of the corners.
    fn half(&self, towards: &Vector<3>) -> f64 {
        let Some(direction) = towards.try_normalize(1e-300) else {
            return self.corners.iter().map(|corner| (corner - self.middle).norm()).fold(0.0, f64::max);
        };
        self.corners.iter().map(|corner| (corner - self.middle).dot(&direction)).fold(0.0, f64::max)
    }
}

fn outline(points: &[Vector<3>], normal: &Vector<3>, dimension: usize) -> JointOutline {
    let mean = points.iter().sum::<Vector<3>>() / points.len() as f64;
    if dimension == 2 {
        let tangent = Vector::<3>::new(-normal[1], normal[0], 0.0);
        let along = points.iter().map(|point| (point - mean).dot(&tangent));
        let low = along.clone().fold(f64::INFINITY, f64::min);
        let high = along.fold(f64::NEG_INFINITY, f64::max);
        let corners = vec![mean + tangent * low, mean + tangent * high];
        return JointOutline { middle: mean + tangent * (0.5 * (low + high)), area: high - low, corners };
    }
    // corners by their angle about the mean: the points of a patch are in convex position
    let helper = if normal[0].abs() < 0.6 { Vector::<3>::x() } else { Vector::<3>::y() };
    let s = normal.cross(&helper).normalize();
    let t = normal.cross(&s);
    let angle = |point: &Vector<3>| {
        let from = point - mean;
        drystone_math::portable::atan2(from.dot(&t), from.dot(&s))
    };
    let mut corners = points.to_vec();
    corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let (mut area, mut centre) = (0.0, Vector::<3>::zeros());
    for (corner, next) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let part = 0.5 * (corner - mean).cross(&(next - mean)).dot(normal).abs();
        area += part;
        centre += (mean + corner + next) * (part / 3.0);
    }
    let middle = if area > 0.0 { centre / area } else { mean };
    JointOutline { middle, area, corners }
}

impl MasonryJoint {
    /// Normal force \[N\].
    pub fn normal_force(&self) -> f64 {
        self.force.dot(&self.normal)
    }

    /// Tangential force \[N\].
    pub fn tangential_force(&self) -> f64 {
        (self.force - self.normal * self.normal_force()).norm()
    }

    /// Distance of the thrust from the middle over half of the depth: 1 at the edge, 1/3 at the edge of the
    /// kern of a rectangle \[-\].
    pub fn eccentricity(&self) -> f64 {
        if self.half > 0.0 { (self.thrust - self.middle).norm() / self.half } else { f64::NAN }
    }

    /// Mean pressure over the joint \[Pa\]; none (NaN) of a joint without an area.
    pub fn pressure(&self) -> f64 {
        if self.area > 0.0 { self.normal_force() / self.area } else { f64::NAN }
    }

    /// Pressure at the edge of a rectangular joint that bears no tension (Navier): with `e` as above, `p (1 +
    /// 3e)` up to e = 1/3, then `4p/(3 (1 − e))` \[Pa\]; infinite where the edge bears all.
    pub fn edge_pressure(&self) -> f64 {
        let e = self.eccentricity();
        // rounding may put the thrust beyond the edge: pressures are not negative for that
        let left = if 1.0 - e > ROUNDING { 1.0 - e } else { 0.0 };
        self.pressure() * if e <= 1.0 / 3.0 { 1.0 + 3.0 * e } else { 4.0 / (3.0 * left) }
    }
}

/// The measure `joints`.
pub(crate) fn table(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let (sample, d) = (sample(view, parameters)?, view.dimension);
    let row = |joint: &MasonryJoint| {
        let mut cells = axes(d, "thrust", "m", |axis| joint.thrust[axis]);
        cells.extend(axes(d, "force", "N", |axis| joint.force[axis]));
        cells.extend([
            ("normal".into(), "N", joint.normal_force()),
            ("tangential".into(), "N", joint.tangential_force()),
            ("area".into(), if d == 2 { "m" } else { "m2" }, joint.area),
            ("eccentricity".into(), "-", joint.eccentricity()),
            ("pressure".into(), "Pa", joint.pressure()),
            ("edge_pressure".into(), "Pa", joint.edge_pressure()),
            ("opening".into(), "m", joint.opening),
            ("sliding".into(), "m", joint.sliding.unwrap_or(f64::NAN)),
        ]);
        Readings::row(cells)
    };
    let all = joints(view, &sample);
    let blank = MasonryJoint {
        bodies: [0; 2],
        normal: Vector::zeros(),
        middle: Vector::zeros(),
        force: Vector::zeros(),
        thrust: Vector::zeros(),
        area: 0.0,
        half: 0.0,
        opening: 0.0,
        sliding: None,
    };
    let mut table =
        Readings { labels: vec!["body", "other"], columns: row(&blank).columns, rows: Vec::new() };
    for joint in &all {
        let names = joint.bodies.map(|body| view.names[body].clone()).to_vec();
        table.rows.extend(row(joint).rows.into_iter().map(|(_, values)| (names.clone(), values)));
    }
    Ok(table)
}

/// The measure `joint_extremes`.
pub(crate) fn extremes(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let all = joints(view, &sample);
    let largest = |of: &dyn Fn(&MasonryJoint) -> f64| all.iter().map(of).fold(f64::NAN, f64::max);
    let loaded = |joint: &MasonryJoint, value: f64| if joint.normal_force() > 0.0 { value } else { f64::NAN };
    Ok(Readings::row([
        ("opening".into(), "m", largest(&|joint| joint.opening)),
        ("sliding".into(), "m", largest(&|joint| joint.sliding.unwrap_or(f64::NAN))),
        ("eccentricity".into(), "-", largest(&|joint| loaded(joint, joint.eccentricity()))),
        ("pressure".into(), "Pa", largest(&|joint| joint.pressure())),
        ("edge_pressure".into(), "Pa", largest(&|joint| loaded(joint, joint.edge_pressure()))),
        ("joints".into(), "-", all.len() as f64),
        ("without_area".into(), "-", all.iter().filter(|joint| joint.area == 0.0).count() as f64),
    ]))
}
