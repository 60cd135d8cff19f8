//! Who touches whom, and in which directions contacts and forces point.

use crate::domain::{domain, sample};
use crate::love::{components, direction};
use crate::{ContactView, FrameView, MeasureError, Parameters, Readings};
use drystone::Matrix;

/// How many neighbours bodies have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordination {
    /// Loaded contact points of a body, on average.
    pub points: f64,
    /// Bodies that push a body, on average: two bodies that meet at many points count once.
    pub all: f64,
    /// The same among bodies that are no rattlers, pushes by rattlers not counted.
    pub without_rattlers: f64,
    /// Share of rattlers \[-\].
    pub rattlers: f64,
}

/// Coordination of those bodies of a sample that are `counted`; rattlers have fewer than `least` neighbours
/// that are no rattlers themselves, whether these are counted or not. Where friction acts two are enough to
/// hold a body, without it in D dimensions D + 1.
pub fn coordination(view: &FrameView, sample: &[bool], counted: &[bool], least: usize) -> Coordination {
    let bodies = view.bodies.len();
    let counts = |body: usize| sample[body] && counted[body];
    let (mut neighbours, mut points) = (vec![Vec::new(); bodies], 0usize);
    for contact in view.contacts.iter().filter(|contact| contact.is_loaded()) {
        let [a, b] = contact.bodies;
        neighbours[a].push(b);
        neighbours[b].push(a);
        points += contact.bodies.iter().filter(|&&body| counts(body)).count();
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    let count = (0..bodies).filter(|&body| counts(body)).count();
    let ends = |of: &dyn Fn(usize) -> bool, with: &dyn Fn(usize) -> bool| -> usize {
        (0..bodies)
            .filter(|&body| of(body))
            .map(|body| neighbours[body].iter().filter(|&&b| with(b)).count())
            .sum()
    };
    let all = ends(&counts, &|_| true);
    let mut holds = vec![true; bodies];
    loop {
        let loose: Vec<usize> = (0..bodies)
            .filter(|&body| sample[body] && holds[body])
            .filter(|&body| neighbours[body].iter().filter(|&&other| holds[other]).count() < least)
            .collect();
        if loose.is_empty() {
            break;
        }
        loose.into_iter().for_each(|body| holds[body] = false);
    }
    let left = (0..bodies).filter(|&body| counts(body) && holds[body]).count();
    let held = ends(&|body| counts(body) && holds[body], &|body| holds[body]);
    Coordination {
        points: points as f64 / count as f64,
        all: all as f64 / count as f64,
        without_rattlers: held as f64 / left as f64,
        rattlers: (count - left) as f64 / count as f64,
    }
}

/// Fabric and forces by direction, as tensors without trace (Rothenburg and Bathurst 1989; in space Guo and
/// Zhao 2013): contacts `E(n) ∝ 1 + a_c : n⊗n`, normal forces `f₀ (1 + a_n : n⊗n)`, tangential ones
/// `f₀ (a_t n − (n·a_t n) n)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anisotropy {
    /// Mean of `n ⊗ n`.
    pub fabric: Matrix<3, 3>,
    /// `a_c` of the contacts.
    pub contacts: Matrix<3, 3>,
    /// `a_n` of the normal forces.
    pub normal: Matrix<3, 3>,
    /// `a_t` of the tangential forces.
    pub tangential: Matrix<3, 3>,
}

/// The part without trace.
fn deviator(tensor: &Matrix<3, 3>, dimension: usize) -> Matrix<3, 3> {
    let mut deviator = *tensor;
    let mean = tensor.trace() / dimension as f64;
    (0..dimension).for_each(|axis| deviator[(axis, axis)] -= mean);
    deviator
}

/// Fabric and force anisotropy of contacts.
pub fn anisotropy<'a>(contacts: impl Iterator<Item = &'a ContactView>, dimension: usize) -> Anisotropy {
    let contacts: Vec<&ContactView> = contacts.collect();
    let count = contacts.len() as f64;
    // ⟨n⊗n⟩ and ⟨f_t⊗n⟩ of the distributions above are these parts of the tensors
    let (quadratic, tangents) = if dimension == 2 { (4.0, 4.0) } else { (7.5, 5.0) };
    let fabric = contacts.iter().map(|c| c.normal * c.normal.transpose()).sum::<Matrix<3, 3>>() / count;
    let a_c = deviator(&fabric, dimension) * quadratic;
    let (mut normal, mut tangential) = (Matrix::<3, 3>::zeros(), Matrix::<3, 3>::zeros());
    for contact in contacts {
        let density = 1.0 + contact.normal.dot(&(a_c * contact.normal));
        normal += contact.normal * contact.normal.transpose() * (contact.normal_force() / density);
        tangential += contact.tangential_force() * contact.normal.transpose() / density;
    }
    let mean = normal.trace();
    Anisotropy {
        fabric,
        contacts: a_c,
        normal: deviator(&normal, dimension) * (quadratic / mean),
        tangential: deviator(&tangential, dimension) * (tangents / mean),
    }
}

/// Size of an anisotropy: in the plane `a` of `1 + a cos 2(θ − θ₀)`, in space `√(3/2 a:a)`.
pub fn size(tensor: &Matrix<3, 3>, dimension: usize) -> f64 {
    let s = (tensor + tensor.transpose()) * 0.5;
    (if dimension == 2 { 0.5 } else { 1.5 } * s.dot(&s)).sqrt()
}

/// Loaded contacts with a body of the sample.
pub(crate) fn loaded<'a>(
    view: &'a FrameView,
    sample: &'a [bool],
) -> impl Iterator<Item = &'a ContactView> + 'a {
    let of = |contact: &&ContactView| contact.is_loaded() && contact.bodies.iter().any(|&body| sample[body]);
    view.contacts.iter().filter(of)
}

/// The measure `coordination`; in a box, of the bodies with their centre in it.
pub(crate) fn coordinate(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let counted: Vec<bool> = match parameters.region {
        Some(_) => {
            let domain = domain(view, parameters, &sample)?;
            view.bodies.iter().map(|body| domain.contains(&body.position)).collect()
        }
        None => vec![true; view.bodies.len()],
    };
    let found = coordination(view, &sample, &counted, parameters.least.unwrap_or(2) as usize);
    Ok(Readings::row([
        ("z".into(), "-", found.all),
        ("without_rattlers".into(), "-", found.without_rattlers),
        ("rattlers".into(), "-", found.rattlers),
        ("points".into(), "-", found.points),
    ]))
}

/// The measure `fabric`.
pub(crate) fn fabric(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let d = view.dimension;
    let found = anisotropy(loaded(view, &sample), d);
    let mut cells = vec![
        ("contacts".to_string(), "-", size(&found.contacts, d)),
        ("normal_force".into(), "-", size(&found.normal, d)),
        ("tangential_force".into(), "-", size(&found.tangential, d)),
    ];
    if d == 2 {
        cells.push(("direction".into(), "deg", direction(&found.fabric)));
    }
    cells.extend(components(d, &found.fabric, "-"));
    Ok(Readings::row(cells))
}
