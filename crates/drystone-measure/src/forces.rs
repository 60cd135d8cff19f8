//! Forces of contacts: how they are distributed, what crosses a cut, what groups and supports carry.

use crate::domain::{bins, body, direction, members, sample, vector};
use crate::fabric::{anisotropy, loaded, size};
use crate::love::{invariants, love};
use crate::readings::axes;
use crate::{ContactView, FrameView, MeasureError, Parameters, Readings};
use drystone::{Status, Vector};
use drystone_math::portable;

/// How the normal forces are distributed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponents {
    /// Mean normal force \[N\].
    pub mean: f64,
    /// `β` of `P ∝ exp(β (1 − f/⟨f⟩))` above the mean \[-\] (Radjai, Jean, Moreau and Roux 1996).
    pub strong: f64,
    /// `α` of `P ∝ (f/⟨f⟩)^−α` below the mean \[-\].
    pub weak: f64,
    /// Share of contacts below the mean \[-\].
    pub weak_share: f64,
}

/// Forces below this part of the mean are left out of the exponent of the weak ones: there it is the solver
/// that decides.
const NO_FORCE: f64 = 1e-2;

/// Exponents of the distribution of normal forces, by the largest likelihood: above the mean `β = 1/(⟨f⟩_> −
/// 1)`, below it the root of the likelihood of a power on \[0.01, 1\].
pub fn exponents(forces: &[f64]) -> Exponents {
    let mean = forces.iter().sum::<f64>() / forces.len() as f64;
    let (weak, strong): (Vec<f64>, Vec<f64>) = forces.iter().map(|f| f / mean).partition(|&f| f < 1.0);
    let above = strong.iter().map(|f| f - 1.0).sum::<f64>() / strong.len() as f64;
    let logarithms: Vec<f64> = weak.iter().filter(|&&f| f > NO_FORCE).map(|&f| portable::ln(f)).collect();
    let mean_logarithm = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    Exponents {
        mean,
        strong: 1.0 / above,
        weak: power_exponent(mean_logarithm),
        weak_share: weak.len() as f64 / forces.len() as f64,
    }
}

/// `α` for which a density `∝ f^−α` on \[ε, 1\] has this mean logarithm: with `k = 1 − α`,
/// `⟨ln f⟩ = −ε^k ln ε/(1 − ε^k) − 1/k`, which falls as `α` grows.
fn power_exponent(mean_logarithm: f64) -> f64 {
    if !mean_logarithm.is_finite() {
        return f64::NAN;
    }
    let smallest = portable::ln(NO_FORCE);
    let expected = |k: f64| {
        if k.abs() < 1e-6 {
            return 0.5 * smallest;
        }
        let power = portable::exp(k * smallest);
        -power * smallest / (1.0 - power) - 1.0 / k
    };
    let (mut low, mut high) = (-20.0f64, 20.0f64);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if expected(middle) < mean_logarithm { low = middle } else { high = middle }
    }
    1.0 - 0.5 * (low + high)
}

fn normal_forces(view: &FrameView, sample: &[bool]) -> Vec<f64> {
    loaded(view, sample).map(|contact| contact.normal_force()).filter(|&force| force > 0.0).collect()
}

/// The measure `forces`.
pub(crate) fn forces(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let forces = normal_forces(view, &sample);
    let found = exponents(&forces);
    let largest = forces.iter().copied().fold(f64::NAN, f64::max);
    Ok(Readings::row([
        ("mean".into(), "N", found.mean),
        ("largest".into(), "N", largest),
        ("strong_exponent".into(), "-", found.strong),
        ("weak_exponent".into(), "-", found.weak),
        ("weak_share".into(), "-", found.weak_share),
    ]))
}

/// The measure `force_histogram`.
pub(crate) fn histogram(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let forces = normal_forces(view, &sample);
    let bins = bins(parameters, 30)?;
    let mean = forces.iter().sum::<f64>() / forces.len() as f64;
    let largest = forces.iter().copied().fold(0.0, f64::max) / mean;
    let width = if largest.is_finite() { largest / bins as f64 } else { 0.0 };
    let mut counts = vec![0usize; bins];
    for force in &forces {
        counts[((force / mean / width) as usize).min(bins - 1)] += 1;
    }
    let columns = [("force", "-"), ("width", "-"), ("density", "-"), ("count", "-")];
    let mut table = Readings::table(&[], columns);
    for (bin, &count) in counts.iter().enumerate() {
        let density = count as f64 / (forces.len() as f64 * width);
        table.push(Vec::new(), vec![(bin as f64 + 0.5) * width, width, density, count as f64]);
    }
    Ok(table)
}

/// The measure `force_split`: contacts with less than the mean normal force, and the others.
pub(crate) fn split(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let forces = normal_forces(view, &sample);
    let mean = forces.iter().sum::<f64>() / forces.len() as f64;
    let domain = crate::domain::span(view, &sample);
    let part = |is_weak: bool| {
        let contacts: Vec<_> = loaded(view, &sample)
            .filter(|contact| (contact.normal_force() < mean) == is_weak)
            .copied()
            .collect();
        FrameView { contacts, ..view.clone() }
    };
    let (weak, strong) = (part(true), part(false));
    let stress = |part: &FrameView| invariants(&love(part, &sample, &domain, true), view.dimension);
    let ([p_weak, q_weak], [p_strong, q_strong]) = (stress(&weak), stress(&strong));
    let [_, q] = invariants(&love(view, &sample, &domain, true), view.dimension);
    let d = view.dimension;
    let fabric = |part: &FrameView| size(&anisotropy(part.contacts.iter(), d).contacts, d);
    let all = weak.contacts.len() + strong.contacts.len();
    Ok(Readings::row([
        ("weak_share".into(), "-", weak.contacts.len() as f64 / all as f64),
        ("weak_pressure".into(), "-", p_weak / (p_weak + p_strong)),
        ("weak_deviator".into(), "-", q_weak / q),
        ("strong_deviator".into(), "-", q_strong / q),
        ("weak_fabric".into(), "-", fabric(&weak)),
        ("strong_fabric".into(), "-", fabric(&strong)),
    ]))
}

/// The measure `friction`.
pub(crate) fn friction(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let (mut contacts, mut sliding, mut normal, mut tangential) = (0usize, 0usize, 0.0, 0.0);
    let mut largest = f64::NAN;
    for contact in loaded(view, &sample) {
        let (n, t) = (contact.normal_force(), contact.tangential_force().norm());
        contacts += 1;
        sliding += usize::from(contact.status == Status::Slip);
        normal += n;
        tangential += t;
        if n > 0.0 {
            largest = largest.max(t / n);
        }
    }
    Ok(Readings::row([
        ("sliding_ratio".into(), "-", sliding as f64 / contacts as f64),
        ("mobilised".into(), "-", tangential / normal),
        ("largest".into(), "-", largest),
        ("contacts".into(), "-", contacts as f64),
    ]))
}

/// A resultant: force \[N\], and its moment about a point \[N m\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Resultant {
    /// Force \[N\].
    pub force: Vector<3>,
    /// Moment \[N m\].
    pub moment: Vector<3>,
    /// Contacts in it.
    pub contacts: usize,
}

/// Resultant of the forces that bodies outside exert upon those inside, about a point.
pub fn resultant(
    view: &FrameView,
    inside: impl Fn(usize) -> bool,
    outside: impl Fn(usize) -> bool,
    about: &Vector<3>,
) -> Resultant {
    let mut found = Resultant::default();
    for contact in view.contacts.iter().filter(|contact| contact.force.norm_squared() > 0.0) {
        let [a, b] = contact.bodies;
        let force = if inside(a) && outside(b) {
            contact.force
        } else if inside(b) && outside(a) {
            -contact.force
        } else {
            continue;
        };
        found.force += force;
        found.moment += (contact.point - about).cross(&force);
        found.contacts += 1;
    }
    found
}

fn resultant_cells(view: &FrameView, found: &Resultant) -> Vec<(String, &'static str, f64)> {
    let mut cells = axes(view.dimension, "force", "N", |axis| found.force[axis]);
    match view.dimension {
        2 => cells.push(("moment".into(), "N m", found.moment[2])),
        _ => cells.extend(axes(3, "moment", "N m", |axis| found.moment[axis])),
    }
    cells.push(("contacts".into(), "-", found.contacts as f64));
    cells
}

/// The measure `cut`: as in Moreau and Jean 1996, figure 2, by the sides on which the centres lie.
pub(crate) fn cut(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let point = match &parameters.point {
        Some(values) => vector(view, "point", values)?,
        None => {
            let about = "a point of the line or plane [m]";
            return Err(MeasureError::Missing { measure: "cut".into(), key: "point", about });
        }
    };
    let normal = direction(view, parameters)?;
    let of = match &parameters.group {
        Some(name) => members(view, name)?,
        None => vec![true; view.bodies.len()],
    };
    let beyond = |body: usize| (view.middle(body) - point).dot(&normal) > 0.0;
    // walls without an end lie on both sides
    let is_sized = |body: usize| of[body] && view.bodies[body].radius > 0.0;
    let found = resultant(
        view,
        |body| is_sized(body) && !beyond(body),
        |body| is_sized(body) && beyond(body),
        &point,
    );
    Ok(Readings::row(resultant_cells(view, &found)))
}

/// The measure `group_force`.
pub(crate) fn between(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let named = |name: &Option<String>, key: &'static str| match name {
        Some(name) => members(view, name),
        None => {
            let about = "the force of the group `with` upon the group `group` is taken";
            Err(MeasureError::Missing { measure: "group_force".into(), key, about })
        }
    };
    let (upon, by) = (named(&parameters.group, "group")?, named(&parameters.with, "with")?);
    let about = match &parameters.point {
        Some(values) => vector(view, "point", values)?,
        None => Vector::zeros(),
    };
    let found = resultant(view, |body| upon[body], |body| by[body], &about);
    Ok(Readings::row(resultant_cells(view, &found)))
}

/// The measure `reaction`: what the contacts do on one body, about its centre.
pub(crate) fn reaction(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let about = "the body whose contacts are summed up";
    let name = parameters.body.as_deref().ok_or_else(|| MeasureError::Missing {
        measure: "reaction".into(),
        key: "body",
        about,
    })?;
    let body = body(view, name)?;
    let found = resultant(view, |one| one == body, |one| one != body, &view.middle(body));
    Ok(Readings::row(resultant_cells(view, &found)))
}

/// The measure `reactions`: of all bodies that are not free and touch something.
pub(crate) fn reactions(view: &FrameView, _: &Parameters) -> Result<Readings, MeasureError> {
    let mut found = vec![Resultant::default(); view.bodies.len()];
    for contact in &view.contacts {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let body = contact.bodies[side];
            found[body].force += contact.force * sign;
            found[body].moment += view.arm(body, contact).cross(&(contact.force * sign));
            found[body].contacts += usize::from(contact.force.norm_squared() > 0.0);
        }
    }
    let columns = Readings::row(resultant_cells(view, &Resultant::default())).columns;
    let mut table = Readings { labels: vec!["body"], columns, rows: Vec::new() };
    for (body, found) in found.iter().enumerate().filter(|(body, _)| !view.bodies[*body].is_free) {
        let values = resultant_cells(view, found).into_iter().map(|(_, _, value)| value).collect();
        table.push(vec![view.names[body].clone()], values);
    }
    Ok(table)
}

/// The measure `contact_pressure`: of contacts that have an area, those of deformable bodies.
pub(crate) fn contact_pressure(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let (mut largest, mut force, mut area) = (0.0f64, 0.0, 0.0);
    let of_sample = |contact: &&ContactView| contact.bodies.iter().any(|&body| sample[body]);
    for contact in view.contacts.iter().filter(of_sample).filter(|contact| contact.is_loaded()) {
        let Some(own) = contact.area else { continue };
        largest = largest.max(contact.normal_force() / own);
        force += contact.normal_force();
        area += own;
    }
    let mean = if area > 0.0 { force / area } else { 0.0 };
    let unit = if view.dimension == 2 { "m" } else { "m2" };
    Ok(Readings::row([
        ("largest".into(), "Pa", largest),
        ("mean".into(), "Pa", mean),
        ("area".into(), unit, area),
    ]))
}

/// The measure `penetration`.
pub(crate) fn penetration(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let depth = |gap: f64| (-gap).max(0.0);
    let (mut deepest, mut sum, mut relative, mut count) = (0.0f64, 0.0, 0.0f64, 0usize);
    for contact in view.contacts.iter().filter(|contact| contact.bodies.iter().any(|&body| sample[body])) {
        let radii = contact.bodies.map(|body| view.bodies[body].radius);
        let radius = radii.into_iter().filter(|&radius| radius > 0.0).fold(f64::INFINITY, f64::min);
        let depth = depth(contact.gap);
        deepest = deepest.max(depth);
        relative = relative.max(depth / radius);
        sum += depth;
        count += usize::from(contact.is_loaded() || depth > 0.0);
    }
    Ok(Readings::row([
        ("deepest".into(), "m", deepest),
        ("mean".into(), "m", sum / count as f64),
        ("relative".into(), "-", relative),
    ]))
}
