//! What a run came to, as one JSON object and as a few lines.

use crate::outcome::Outcome;
use crate::{answer, standing};
use drystone::{Drift, Energy, Link, Simulation, Verdict, remedies};
use drystone_io::{Totals, Unconverged};
use serde_json::{Value, json};
use std::fmt::Write;

/// The summary as JSON.
pub fn summary<const D: usize>(
    simulation: &Simulation<D>,
    totals: &Totals,
    outcome: Outcome,
    structure: Value,
    threads: usize,
) -> Value {
    let count = drystone_measure::count_contacts(simulation);
    let steps = totals.steps.max(1) as f64;
    let broken: Vec<&str> =
        simulation.ties().filter(|view| view.broken).map(|view| view.tie.name.as_str()).collect();
    let solver = totals.seconds_solver;
    json!({
        "outcome": outcome.word(),
        "structure": structure,
        "steps": simulation.steps_done(),
        "time": simulation.time(),
        "bodies": simulation.bodies().len(),
        "dimension": D,
        "contacts_mean": totals.contacts_sum as f64 / steps,
        "contacts_max": totals.contacts_max,
        "contacts_last": { "open": count.open, "stick": count.stick, "slip": count.slip },
        "coordination": count.coordination,
        "iterations_total": totals.iterations,
        "updates_total": totals.updates,
        "updates_per_second": if solver > 0.0 { totals.updates as f64 / solver } else { 0.0 },
        "tolerance": simulation.settings().solver.tolerance,
        "residual_max": finite(totals.residual_max),
        "work_gap": { "mean": finite(totals.gap_sum / steps), "max": finite(totals.gap_max) },
        "contacts_jammed": totals.jammed,
        "islands": {
            "held": totals.islands.held,
            "passed_over": totals.islands.passed_over,
            "unchecked": totals.islands.unchecked,
            "last_passed_over": totals.islands.last_passed_over,
        },
        "ties": simulation.ties().len(),
        "ties_broken": broken,
        "steps_not_converged": totals.steps_not_converged,
        "steps_at_work_limit": totals.steps_limited,
        "not_converged": not_converged(simulation, totals),
        "penetration_max": totals.penetration_max,
        "projection": projection(simulation, totals),
        "clausius_duhem": clausius_duhem(simulation, totals),
        "energy": energies(simulation),
        "memory_peak": memory_peak(),
        "seconds": {
            "total": totals.seconds_detection + totals.seconds_assembly + solver + totals.seconds_other,
            "detection": totals.seconds_detection,
            "assembly": totals.seconds_assembly,
            "solver": solver,
            "output": totals.seconds_other,
            "cpu": cpu_seconds(),
        },
        "state_hash": format!("{:016x}", simulation.state_hash()),
        "threads": threads,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// The energies and where they went \[J\].
fn energies<const D: usize>(simulation: &Simulation<D>) -> Value {
    let Energy {
        kinetic,
        potential,
        friction,
        shocks,
        cohesion,
        viscosity,
        plastic,
        stored,
        strain,
        scheme,
        drift,
        loads,
        drives,
        gyroscopic,
        exchanged,
        balance_error,
    } = simulation.energy();
    json!({
        "kinetic": finite(kinetic),
        "potential": finite(potential),
        "dissipated_friction": finite(friction),
        "dissipated_shocks": finite(shocks),
        "dissipated_cohesion": finite(cohesion),
        "dissipated_viscosity": finite(viscosity - plastic),
        "dissipated_plastic": finite(plastic),
        "stored_contacts": finite(stored - strain),
        "strain": finite(strain),
        "dissipated_scheme": finite(scheme),
        "work_drift": finite(drift),
        "work_loads": finite(loads),
        "work_drives": finite(drives),
        "work_gyroscopic": finite(gyroscopic),
        "exchanged": finite(exchanged),
        "balance_error": finite(balance_error),
    })
}

/// Steps that did not converge, by reason, the most frequent first, each with what to look at and what to
/// change.
fn not_converged<const D: usize>(simulation: &Simulation<D>, totals: &Totals) -> Value {
    let names = &simulation.bodies().name;
    let pair = |link: Link| match link {
        Link::Bodies(pair) => {
            pair.iter().map(|body| names.get(body.0 as usize).cloned().unwrap_or_default()).collect()
        }
        Link::Tie(_) => vec![simulation.names(link)],
    };
    let mut reasons: Vec<(Verdict, Unconverged)> =
        Verdict::ALL.into_iter().zip(totals.unconverged).filter(|(_, reason)| reason.steps > 0).collect();
    reasons.sort_by_key(|(_, reason)| std::cmp::Reverse(reason.steps));
    let entry = |(verdict, reason): (Verdict, Unconverged)| {
        let advice = remedies(verdict, reason.friction, &simulation.settings().solver);
        json!({
            "verdict": verdict.words(),
            "steps": reason.steps,
            "last_step": reason.last,
            "worst": reason.worst.into_iter().flatten().map(pair).collect::<Vec<_>>(),
            "friction_factor": reason.friction,
            "advice": advice.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    };
    reasons.into_iter().map(entry).collect()
}

/// What the projection of positions did; nothing where there was none.
fn projection<const D: usize>(simulation: &Simulation<D>, totals: &Totals) -> Value {
    let done = &totals.projected;
    if simulation.settings().drift != Drift::Projection {
        return Value::Null;
    }
    json!({
        "rounds_total": done.rounds,
        "rounds_max": done.rounds_max,
        "overlap_before_max": done.before_max,
        "steps_stuck": done.steps_stuck,
        "stuck": done.stuck.map(|link| simulation.names(link)),
    })
}

/// Work that contacts gave against the Clausius–Duhem inequality, and the bodies of the last of them.
fn clausius_duhem<const D: usize>(simulation: &Simulation<D>, totals: &Totals) -> Value {
    let found = totals.clausius_duhem;
    let name = |body: u32| simulation.bodies().name.get(body as usize).cloned().unwrap_or_default();
    json!({
        "violations": found.violations,
        "last_step": found.last,
        "worst": found.worst.map(|pair| pair.map(name)),
        "dissipation_least": finite(found.least),
        "work": finite(found.given),
        "share": finite(found.share()),
    })
}

/// The most memory that the process held \[bytes\]; none where the system does not tell it as Linux does.
fn memory_peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix("kB")?;
    kilobytes.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// CPU time of all threads of this process \[s\]; none where the system does not tell.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    cpu_of_stat(&text)
}

/// CPU time by the lines that Linux gives of a process, `proc_pid_stat(5)`: user and system time, in
/// hundredths of a second.
fn cpu_of_stat(text: &str) -> Option<f64> {
    // the name of the command may have spaces and brackets itself
    let (_, fields) = text.rsplit_once(')')?;
    let ticks = |number: usize| fields.split_whitespace().nth(number)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// JSON has no infinity: what is not finite becomes null.
fn finite(x: f64) -> Value {
    if x.is_finite() { json!(x) } else { Value::Null }
}

/// Why steps did not converge, for people.
fn reason_lines(reason: &Value, line: &mut impl FnMut(&str, String)) {
    let count = |key: &str| reason.get(key).and_then(Value::as_u64).unwrap_or(0);
    let texts = |value: &Value| -> Vec<String> {
        let items = value.as_array().into_iter().flatten();
        items.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let pairs = reason.get("worst").and_then(Value::as_array).into_iter().flatten();
    let pairs: Vec<String> = pairs.map(|pair| format!("\"{}\"", texts(pair).join("\" and \""))).collect();
    let verdict = reason.get("verdict").and_then(Value::as_str).unwrap_or("unknown");
    let place = if pairs.is_empty() { String::new() } else { format!(": {}", pairs.join(", ")) };
    line("", format!("{} {verdict}, the last step {}{place}", count("steps"), count("last_step")));
    let advice = texts(reason.get("advice").unwrap_or(&Value::Null));
    if !advice.is_empty() {
        line("", format!("  to try: {}", advice.join("; ")));
    }
}

/// What the projection of positions did, for people.
fn projection_lines(summary: &Value, line: &mut impl FnMut(&str, String)) {
    let Some(done) = summary.get("projection").filter(|done| !done.is_null()) else { return };
    let count = |key: &str| done.get(key).and_then(Value::as_u64).unwrap_or(0);
    let before = done.get("overlap_before_max").and_then(Value::as_f64).unwrap_or(0.0);
    let (rounds, most) = (count("rounds_total"), count("rounds_max"));
    line(
        "projection",
        format!("{rounds} rounds, at most {most} in a step; before it at most {before:.2e} m"),
    );
    if count("steps_stuck") > 0 {
        let names = done.get("stuck").and_then(Value::as_str).unwrap_or("");
        line("", format!("{} steps without room to move apart, the last: {names}", count("steps_stuck")));
    }
}

/// Work that contacts gave is spoken of where it is more than this part of what the others dissipated.
const MATTERS: f64 = 1e-3;
/// Islands at rest that the solver set in motion, for people.
fn island_line(summary: &Value, line: &mut impl FnMut(&str, String)) {
    let found = summary.get("islands").unwrap_or(&Value::Null);
    let count = |key: &str| found.get(key).and_then(Value::as_u64).unwrap_or(0);
    let (held, passed_over, unchecked) = (count("held"), count("passed_over"), count("unchecked"));
    if held + passed_over + unchecked > 0 {
        let counts = format!("{held} times held where the solver moved it, {passed_over} times passed over");
        line("rest", format!("{counts}, {unchecked} times not looked at"));
    }
}

/// A share as people say it: `0.4 %`, and no digits of what is below a hundredth of that.
fn share(share: f64) -> String {
    match 100.0 * share {
        percent if percent < 0.01 => "0.01 %".into(),
        percent if percent < 1.0 => format!("{percent:.2} %"),
        percent => format!("{percent:.0} %"),
    }
}

/// Contacts that gave work, for people.
fn violation_line(summary: &Value, line: &mut impl FnMut(&str, String)) {
    let found = summary.get("clausius_duhem").unwrap_or(&Value::Null);
    let count = |key: &str| found.get(key).and_then(Value::as_u64).unwrap_or(0);
    let number = |key: &str| found.get(key).and_then(Value::as_f64).unwrap_or(0.0);
    let (work, share) = (number("work"), number("share"));
    if share <= MATTERS {
        return;
    }
    let pair = found.get("worst").and_then(Value::as_array).into_iter().flatten();
    let pair: Vec<String> = pair.filter_map(Value::as_str).map(|name| format!("\"{name}\"")).collect();
    let (count, last, pair) = (count("violations"), count("last_step"), pair.join(" and "));
    let size = format!("{work:.2e} J, {:.2} % of what the others dissipated", 100.0 * share);
    line("dissipation", format!("{count} contacts gave work, {size}; the last in step {last}: {pair}"));
}

/// The answer with its gauges, and the stages, for people.
fn answer_lines(summary: &Value, line: &mut impl FnMut(&str, String)) {
    let Some(answer) = summary.get("answer") else { return };
    let size = |key: &str| answer.get(key).and_then(Value::as_f64).map(|x| format!("{x:.2e}"));
    let word = answer.get("word").and_then(Value::as_str).unwrap_or("unknown");
    let speed = size("speed").unwrap_or("not finite".into());
    let forces =
        size("unbalanced").map_or(String::new(), |ratio| format!(", unbalanced force ratio {ratio}"));
    line("answer", format!("{word}: fastest body {speed} m/s{forces}"));
    if let Some(words) = answer::stage_line(summary) {
        line("stages", words);
    }
}

/// The summary for people.
pub fn words(summary: &Value) -> String {
    let number =
        |keys: &str| keys.split('.').try_fold(summary, |at, key| at.get(key)).and_then(Value::as_f64);
    let exact = |key: &str| summary.get(key).and_then(Value::as_u64).unwrap_or(0);
    let small = |keys: &str| number(keys).map_or("not finite".into(), |x| format!("{x:.2e}"));
    let outcome = summary.get("outcome").and_then(Value::as_str).unwrap_or("unknown");
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<14}{value}");
    };
    let seconds = |key: &str| number(&format!("seconds.{key}")).unwrap_or(0.0);
    line(
        "outcome",
        format!("{outcome} after {} steps, t = {:.6} s", exact("steps"), number("time").unwrap_or(0.0)),
    );
    answer_lines(summary, &mut line);
    if let Some(words) = summary.get("structure").and_then(standing::line) {
        line("structure", words);
    }
    line(
        "contacts",
        format!(
            "{:.0} on average, {} at most",
            number("contacts_mean").unwrap_or(0.0),
            exact("contacts_max")
        ),
    );
    let broken = summary.get("ties_broken").and_then(Value::as_array).map_or(0, Vec::len);
    if exact("ties") > 0 {
        line("ties", format!("{}, of them {broken} broken", exact("ties")));
    }
    line(
        "solver",
        format!(
            "{} iterations, {:.1} million contact updates a second",
            exact("iterations_total"),
            number("updates_per_second").unwrap_or(0.0) / 1e6
        ),
    );
    let limited = match exact("steps_at_work_limit") {
        0 => String::new(),
        count => format!(", {count} of them at their work limit"),
    };
    line(
        "residual",
        format!(
            "at most {} (tolerance {}), {} steps not converged{limited}",
            small("residual_max"),
            small("tolerance"),
            exact("steps_not_converged")
        ),
    );
    if let (Some(mean), Some(most)) = (number("work_gap.mean"), number("work_gap.max")) {
        line("balance", format!("forces in balance to {} on average, {} at worst", share(mean), share(most)));
    }
    for reason in summary.get("not_converged").and_then(Value::as_array).into_iter().flatten() {
        reason_lines(reason, &mut line);
    }
    line("penetration", format!("at most {} m", small("penetration_max")));
    projection_lines(summary, &mut line);
    island_line(summary, &mut line);
    violation_line(summary, &mut line);
    line(
        "energy",
        format!(
            "kinetic {} J, friction {} J, shocks {} J, balance error {}",
            small("energy.kinetic"),
            small("energy.dissipated_friction"),
            small("energy.dissipated_shocks"),
            small("energy.balance_error")
        ),
    );
    let cpu = number("seconds.cpu").map_or_else(String::new, |cpu| format!("; CPU time {cpu:.2} s"));
    let _ = write!(
        text,
        "{:<14}{:.2} s: detection {:.2}, assembly {:.2}, solver {:.2}, output {:.2}{cpu}",
        "time spent",
        seconds("total"),
        seconds("detection"),
        seconds("assembly"),
        seconds("solver"),
        seconds("output")
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_is_that_of_user_and_system() {
        let line = "42 (dry (stone) x) R 1 42 42 0 -1 4194304 100 0 0 0 1250 31 7 8 20 0 3 0 99 1000 5";
        assert_eq!(cpu_of_stat(line), Some(12.81));
        assert_eq!(cpu_of_stat("42 (drystone) R 1 42"), None);
        assert_eq!(cpu_of_stat(""), None);
    }
}
