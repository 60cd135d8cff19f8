//! A diagnosis as a few lines and as JSON. Decides nothing.

use super::DiagnosedCase;
use drystone::{Set, Vector, Verdict};
use drystone_diagnose::{Diagnosis, Flaw, Network};
use serde_json::{Value, json};
use std::fmt::Write;

/// Contacts of a network that are shown to people.
const SHOWN: usize = 12;

/// What the verdict means; `open` where it was not decided whether impulses balance each other.
fn meaning(verdict: Option<Verdict>, converged: bool, open: bool) -> &'static str {
    match (verdict, converged) {
        (None, _) if open => "the solver converged, and a solution exists whatever the forces",
        (None, _) => "no impulses balance each other, and the solver converged",
        (Some(Verdict::Slow), _) => "a solution exists, the solver needs more iterations",
        (Some(Verdict::IllConditioned), false) => {
            "impulses balance each other but the motion does not reach them; a solution exists and is not unique"
        }
        (Some(Verdict::IllConditioned), true) => "impulses balance each other: the forces are not unique",
        (Some(Verdict::Inconsistent), _) => {
            "impulses that balance each other work against the motion; they grow without bound"
        }
        (Some(Verdict::BadInput), _) => "numbers that make no sense",
        (Some(Verdict::Undecided), _) => "neither a solution nor that there is none was proved",
    }
}

/// The name of a contact.
pub fn name<const D: usize, W>(case: &DiagnosedCase<D, W>, contact: usize) -> String {
    match case.bodies.get(contact) {
        Some([a, b]) => format!("\"{a}\" and \"{b}\""),
        None => format!("contact {contact}"),
    }
}

/// The coefficient of friction of a contact, where friction grows with the normal impulse.
fn friction(set: &Set) -> Option<f64> {
    match *set {
        Set::Coulomb { mu } | Set::Rolling { mu, .. } => Some(mu),
        Set::Orowan { .. } | Set::Tresca { .. } | Set::Bilateral { .. } | Set::Bearing { .. } => None,
    }
}

/// Tangential over normal impulse.
fn leaning<const D: usize>(r: &Vector<D>) -> f64 {
    let tangential = r.rows_range(1..).norm();
    if tangential == 0.0 { 0.0 } else { tangential / r[0] }
}

/// The diagnosis for people.
pub fn words<const D: usize, W>(case: &DiagnosedCase<D, W>, diagnosis: &Diagnosis<D>) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<14}{value}");
    };
    match case.step {
        Some((step, time)) => line("step", format!("{step} of {}, t = {time:.6} s", case.source)),
        None => line("problem", case.source.clone()),
    }
    line("size", format!("{} contacts in {D} dimensions", case.problem.sets.len()));
    let ended = if case.converged { "converged" } else { "not converged" };
    line(
        "solver",
        format!(
            "residual {:.2e} (tolerance {:.2e}) after {} iterations: {ended}",
            case.residual, case.params.tolerance, case.iterations
        ),
    );
    let verdict = diagnosis.verdict.map_or("fine", Verdict::words);
    match (&diagnosis.undecided, diagnosis.whole) {
        (Some(error), false) => {
            line("verdict", format!("undecided whether a solution is guaranteed: {error}"));
        }
        (Some(error), true) => {
            line("verdict", format!("{verdict}: {}", meaning(diagnosis.verdict, case.converged, true)));
            line("friction", format!("not decided: {error}"));
        }
        (None, _) => {
            line("verdict", format!("{verdict}: {}", meaning(diagnosis.verdict, case.converged, false)));
        }
    }
    if let Some(network) = &diagnosis.network {
        network_lines(case, network, &mut line);
    }
    if diagnosis.undecided.is_none() && diagnosis.verdict != Some(Verdict::BadInput) {
        line("friction", thresholds(diagnosis));
    }
    for (contact, flaw) in diagnosis.flaws.iter().take(SHOWN) {
        line("flaw", format!("{}: {}", name(case, *contact), flaw_words(*flaw)));
    }
    let worst = diagnosis.worst.iter().map(|&(contact, _)| name(case, contact));
    if !case.converged {
        line("worst", worst.collect::<Vec<_>>().join(", "));
    }
    if !case.converged {
        for (index, remedy) in diagnosis.remedies(&case.params).iter().enumerate() {
            line(if index == 0 { "to try" } else { "" }, remedy.to_string());
        }
    }
    text.trim_end().to_owned()
}

fn network_lines<const D: usize, W>(
    case: &DiagnosedCase<D, W>,
    network: &Network<D>,
    line: &mut impl FnMut(&str, String),
) {
    let count = network.impulses.len();
    line("network", format!("{count} contacts, impulses times free velocities {:.3e} m/s", network.power));
    for (contact, r) in network.impulses.iter().take(SHOWN) {
        let numbers: Vec<String> = r.iter().map(|x| format!("{x:>9.6}")).collect();
        let there = friction(&case.problem.sets[*contact]).map_or(String::new(), |mu| format!(" of {mu}"));
        line(
            "",
            format!("[{}]  leans {:.6}{there}  {}", numbers.join(" "), leaning(r), name(case, *contact)),
        );
    }
    if count > SHOWN {
        line("", format!("and {} more (--json has all)", count - SHOWN));
    }
}

/// What proves that a solution exists, or that it is not guaranteed.
fn proof<const D: usize, W>(case: &DiagnosedCase<D, W>, diagnosis: &Diagnosis<D>) -> Option<&'static str> {
    match diagnosis.verdict {
        Some(Verdict::Inconsistent) => Some("network"),
        Some(Verdict::BadInput | Verdict::Undecided) => None,
        _ if case.converged => Some("impulses"),
        _ => diagnosis.velocities.as_ref().map(|_| "velocities"),
    }
}

/// What friction would change.
fn thresholds<const D: usize>(diagnosis: &Diagnosis<D>) -> String {
    let from = match diagnosis.networks_from {
        None => return "no friction makes impulses balance each other: a solution always exists".into(),
        Some(0.0) => "impulses balance each other even without friction".to_owned(),
        Some(factor) => format!("impulses balance each other from {factor:.10} times the friction there is"),
    };
    match diagnosis.solvable_below {
        None => format!("{from}; the motion reaches them with none, a solution always exists"),
        Some(0.0) => format!("{from}, and work against the motion even then"),
        Some(factor) => format!("{from}; below {factor:.10} times a solution is sure to exist"),
    }
}

fn flaw_words(flaw: Flaw) -> &'static str {
    match flaw {
        Flaw::NotFinite => "a number that is not finite",
        Flaw::Friction => "a negative coefficient",
        Flaw::Block => "a diagonal block that is not positive: pushing brings the bodies nearer",
    }
}

/// The diagnosis as JSON.
pub fn object<const D: usize, W>(case: &DiagnosedCase<D, W>, diagnosis: &Diagnosis<D>) -> Value {
    let bodies = |contact: usize| case.bodies.get(contact);
    let vector = |r: &Vector<D>| r.iter().copied().collect::<Vec<f64>>();
    let network = diagnosis.network.as_ref().map(|network| {
        let entry = |&(contact, ref r): &(usize, Vector<D>)| {
            json!({
                "contact": contact,
                "bodies": bodies(contact),
                "impulse": vector(r),
                "friction": friction(&case.problem.sets[contact]),
            })
        };
        json!({ "power": network.power, "contacts": network.impulses.iter().map(entry).collect::<Vec<_>>() })
    });
    let worst = |&(contact, share): &(usize, f64)| json!({ "contact": contact, "bodies": bodies(contact), "share": share });
    let flaw = |&(contact, flaw): &(usize, Flaw)| json!({ "contact": contact, "bodies": bodies(contact), "what": flaw_words(flaw) });
    let residual = if case.residual.is_finite() { json!(case.residual) } else { Value::Null };
    json!({
        "source": case.source,
        "step": case.step.map(|(step, _)| step),
        "time": case.step.map(|(_, time)| time),
        "dimension": D,
        "contacts": case.problem.sets.len(),
        "converged": case.converged,
        "residual": residual,
        "tolerance": case.params.tolerance,
        "iterations": case.iterations,
        "verdict": diagnosis.verdict.map(Verdict::words),
        "network": network,
        "proof": proof(case, diagnosis),
        "velocities": diagnosis.velocities.as_ref().map(|u| u.iter().map(vector).collect::<Vec<_>>()),
        "networks_from_factor": diagnosis.networks_from,
        "solvable_below_factor": diagnosis.solvable_below,
        "worst": diagnosis.worst.iter().map(worst).collect::<Vec<_>>(),
        "flaws": diagnosis.flaws.iter().map(flaw).collect::<Vec<_>>(),
        "undecided": diagnosis.undecided.as_ref().map(ToString::to_string),
        "advice": diagnosis.remedies(&case.params).iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
