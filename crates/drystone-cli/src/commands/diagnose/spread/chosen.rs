//! Which joints, contacts and supports to bound, and what of them. Bounds nothing.

use super::super::DiagnosedCase;
use super::super::words::name;
use crate::failure::Failure;
use drystone::{Delassus, Vector};
use drystone_diagnose::statics::Functional;

/// Most joints bounded where none were chosen: each asks for some programmes of the size of the step.
const MOST: usize = 300;

/// Contacts of two bodies are one joint where their normals differ by less \[rad\].
const FLAT: f64 = 1e-3;

/// One thing to bound.
pub struct Chosen<const D: usize> {
    pub name: String,
    pub kind: &'static str,
    pub linear: Vec<(String, Functional<D>)>,
    pub ratios: Vec<(String, [Functional<D>; 2])>,
    pub place: Option<[[f64; 3]; 2]>,
}

/// Reads what was chosen; all joints where nothing was, all contacts where nobody knows the joints.
pub fn choose<const D: usize, W: Delassus<D>>(
    case: &DiagnosedCase<D, W>,
    of: &[String],
) -> Result<Vec<Chosen<D>>, Failure> {
    let joints = joints(case);
    let mut chosen = Vec::new();
    for what in of {
        if let Some(contact) = what.strip_prefix('#') {
            chosen.push(contact_of(case, contact)?);
            continue;
        }
        let pair = what.split_once(',').map(|(a, b)| (a.trim(), b.trim()));
        let meant = |contact: usize| {
            case.bodies.get(contact).is_some_and(|[a, b]| match pair {
                Some((one, other)) => (a == one && b == other) || (a == other && b == one),
                None => a == what || b == what,
            })
        };
        let named: Vec<&Vec<usize>> = joints.iter().filter(|rows| meant(rows[0])).collect();
        if named.is_empty() {
            let message = match case.bodies.is_empty() {
                true => format!(
                    "a saved problem has no names: allowed are #0 to #{}",
                    case.problem.contacts().max(1) - 1
                ),
                false => format!("no contact of \"{what}\" in this step: allowed are BODY, A,B and #K"),
            };
            return Err(Failure::bad_input(message));
        }
        chosen.extend(named.into_iter().map(|rows| joint(case, rows)));
        if pair.is_none() {
            chosen.push(support(case, what));
        }
    }
    if of.is_empty() {
        if joints.len() > MOST {
            let count = joints.len();
            return Err(Failure::bad_input(format!(
                "{count} joints are too many to bound at once, allowed are {MOST}: choose some with --of"
            )));
        }
        chosen.extend(joints.iter().map(|rows| joint(case, rows)));
    }
    Ok(chosen)
}

/// Contacts by joints; in a saved problem each is one.
fn joints<const D: usize, W: Delassus<D>>(case: &DiagnosedCase<D, W>) -> Vec<Vec<usize>> {
    let contacts = if case.places.is_empty() { case.problem.contacts() } else { case.places.len() };
    let mut joints: Vec<Vec<usize>> = Vec::new();
    for contact in 0..contacts {
        let same = |rows: &Vec<usize>| {
            let other = rows[0];
            match (case.places.get(contact), case.places.get(other)) {
                (Some((_, frame)), Some((_, known))) => {
                    case.bodies[contact] == case.bodies[other]
                        && (frame.column(0) - known.column(0)).norm() < FLAT
                }
                _ => false,
            }
        };
        match joints.last_mut().filter(|rows| same(rows)) {
            Some(rows) => rows.push(contact),
            None => joints.push(vec![contact]),
        }
    }
    joints
}

fn axis<const D: usize>(component: usize) -> Vector<D> {
    Vector::from_fn(|i, _| if i == component { 1.0 } else { 0.0 })
}

fn contact_of<const D: usize, W: Delassus<D>>(
    case: &DiagnosedCase<D, W>,
    text: &str,
) -> Result<Chosen<D>, Failure> {
    let count = case.problem.contacts();
    match text.parse::<usize>() {
        Ok(contact) if contact < count => Ok(Chosen {
            name: format!("contact {contact}"),
            kind: "contact",
            linear: vec![("normal force".into(), vec![(contact, axis(0))])],
            ratios: Vec::new(),
            place: None,
        }),
        _ => {
            Err(Failure::bad_input(format!("#{text} is no contact: allowed are #0 to #{}", count.max(1) - 1)))
        }
    }
}

/// Normal force, shear in the plane, and eccentricity of a joint.
fn joint<const D: usize, W>(case: &DiagnosedCase<D, W>, rows: &[usize]) -> Chosen<D> {
    let normal: Functional<D> = rows.iter().map(|&row| (row, axis(0))).collect();
    let mut chosen = Chosen {
        name: name(case, rows[0]),
        kind: if case.places.is_empty() { "contact" } else { "joint" },
        linear: vec![("normal force".into(), normal.clone())],
        ratios: Vec::new(),
        place: None,
    };
    let Some((_, frame)) = case.places.get(rows[0]) else { return chosen };
    let middle =
        rows.iter().fold(Vector::<D>::zeros(), |sum, &row| sum + case.places[row].0) / rows.len() as f64;
    let three = |v: Vector<D>| std::array::from_fn(|i| if i < D { v[i] } else { 0.0 });
    chosen.place = Some([three(middle), three(frame.column(0).into_owned())]);
    if D == 2 {
        chosen.linear.push(("shear".into(), rows.iter().map(|&row| (row, axis(1))).collect()));
    }
    if rows.len() > 1 {
        for tangent in 1..D {
            let arm = |&row: &usize| (case.places[row].0 - middle).dot(&frame.column(tangent));
            let moment: Functional<D> = rows.iter().map(|row| (*row, axis(0) * arm(row))).collect();
            let name = if D == 2 { "eccentricity".to_owned() } else { format!("eccentricity {tangent}") };
            chosen.ratios.push((name, [moment, normal.clone()]));
        }
    }
    chosen
}

/// Total force of its contacts on a body, in world axes.
fn support<const D: usize, W>(case: &DiagnosedCase<D, W>, body: &str) -> Chosen<D> {
    let component = |axis: usize| -> Functional<D> {
        let mut functional = Vec::new();
        for (contact, (_, frame)) in case.places.iter().enumerate() {
            let [a, b] = &case.bodies[contact];
            for (side, sign) in [(a, 1.0), (b, -1.0)] {
                if side == body {
                    functional.push((contact, frame.row(axis).transpose() * sign));
                }
            }
        }
        functional
    };
    Chosen {
        name: format!("all contacts of \"{body}\""),
        kind: "support",
        linear: (0..D)
            .map(|axis| (format!("force along {}", ["x", "y", "z"][axis.min(2)]), component(axis)))
            .collect(),
        ratios: Vec::new(),
        place: None,
    }
}
