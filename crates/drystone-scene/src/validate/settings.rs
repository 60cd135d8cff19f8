//! The numbers that say how to run a scene. Looks at no body.

use super::numbers::{Range, number, optional, show, vector};
use crate::place::{Place, Problems};
use crate::spec::{Drift, SceneSpec, Strategy};

/// A run of more steps than this never ends.
const MOST_STEPS: f64 = 1e12;

/// Checks gravity, time, solver, detection, cell, output and equilibrium.
pub(super) fn settings(problems: &mut Problems, spec: &SceneSpec) {
    let root = Place::ROOT;
    if let Some(gravity) = &spec.gravity {
        vector(problems, &root.key("gravity"), gravity, spec.dimension, Range::Any);
    }
    time(problems, spec);

    let place = root.key("solver");
    let solver = &spec.solver;
    number(problems, &place.key("tolerance"), solver.tolerance, Range::Between(0.0, 1.0));
    number(problems, &place.key("relaxation"), solver.relaxation, Range::Between(0.0, 2.0));
    number(problems, &place.key("rest_multiplications"), solver.rest_multiplications, Range::NotNegative);
    number(problems, &place.key("rest_speed"), solver.rest_speed, Range::Between(0.0, 1.0));
    number(problems, &place.key("rest_rounding"), solver.rest_rounding, Range::Within(0.0, 1e-6));
    number(problems, &place.key("newton_tolerance"), solver.newton_tolerance, Range::Between(0.0, 1.0));
    number(problems, &place.key("newton_contraction"), solver.newton_contraction, Range::Between(0.0, 1.0));
    if solver.newton_iterations == 0 {
        problems.of(&place.key("newton_iterations"), "must be at least 1, found 0");
    }
    if solver.newton_halvings > 20 {
        let text = format!("must be at most 20, found {}", solver.newton_halvings);
        problems.of(&place.key("newton_halvings"), text);
    }
    if solver.max_iterations == 0 {
        problems.of(&place.key("max_iterations"), "must be at least 1, found 0");
    }
    let auto = place.key("auto");
    for wrong in solver.auto.out_of_range() {
        let text = format!("must be {}, found {}", wrong.allowed, show(wrong.value));
        problems.of(&auto.key(wrong.name), text);
    }
    // TOML knows no larger integer
    if solver.seed > i64::MAX as u64 {
        problems.of(&place.key("seed"), format!("must be at most {}, found {}", i64::MAX, solver.seed));
    }

    let place = root.key("detection");
    number(problems, &place.key("alert"), spec.detection.alert, Range::Within(0.0, 10.0));
    if let Some(most @ 0..4) = spec.detection.patch_points {
        problems.of(&place.key("patch_points"), format!("must be at least 4, found {most}"));
    }

    number(problems, &place.key("grazing"), spec.detection.grazing, Range::Within(0.0, 0.01));
    number(problems, &place.key("skin"), spec.detection.skin, Range::Within(0.0, 10.0));
    for (key, value) in [("touching", spec.detection.touching), ("sliding", spec.detection.sliding)] {
        number(problems, &place.key(key), value, Range::Within(0.0, 1e-3));
    }
    if spec.detection.skin > 0.0 && spec.cell.is_some() {
        problems
            .of(&place.key("skin"), "must be 0 in a periodic cell, where images come and go; leave it out");
    }

    cell(problems, spec);

    if let Some(equilibrium) = &spec.equilibrium {
        let place = root.key("equilibrium");
        number(problems, &place.key("speed"), equilibrium.speed, Range::Positive);
        if equilibrium.steps == 0 {
            problems.of(&place.key("steps"), "must be at least 1, found 0");
        }
    }
}

fn cell(problems: &mut Problems, spec: &SceneSpec) {
    let Some(cell) = &spec.cell else { return };
    let root = Place::ROOT;
    let place = root.key("cell");
    optional(problems, &place.key("x"), cell.x, Range::Positive);
    optional(problems, &place.key("y"), cell.y, Range::Positive);
    if spec.dimension == 2 && cell.y.is_some() {
        problems.of(&place.key("y"), "is the vertical in 2D, along which a cell does not repeat; give x");
    } else if cell.x.is_none() && cell.y.is_none() {
        let keys = if spec.dimension == 2 { "x" } else { "x or y" };
        problems.of(&place, format!("repeats along no axis; give the period {keys}"));
    }
    if let Some(origin) = &cell.origin {
        vector(problems, &place.key("origin"), origin, spec.dimension, Range::Any);
    }
}

fn time(problems: &mut Problems, spec: &SceneSpec) {
    let root = Place::ROOT;
    let place = root.key("time");
    let time = &spec.time;
    let step = number(problems, &place.key("step"), time.step, Range::Positive);
    let duration = number(problems, &place.key("duration"), time.duration, Range::Positive);
    number(problems, &place.key("theta"), time.theta, Range::Within(0.5, 1.0));
    if time.strategy == Strategy::Acd2 {
        percussions(problems, spec);
    }
    if step && duration {
        let steps = time.duration / time.step;
        if steps > MOST_STEPS {
            let text =
                format!("takes {} steps of {} s, at most 1e12 are allowed", show(steps), show(time.step));
            problems.of(&place.key("duration"), text);
        } else if steps < 1.0 - 1e-9 {
            let text =
                format!("must be at least one step of {} s, found {}", show(time.step), show(time.duration));
            problems.of(&place.key("duration"), text);
        }
    }

    let output = root.key("output");
    let place = output.key("interval");
    optional(problems, &place, spec.output.interval, Range::Positive);
    if let Some(interval) = spec.output.interval
        && step
        && interval < time.step * (1.0 - 1e-9)
    {
        let text = format!("must be at least one step of {} s, found {}", show(time.step), show(interval));
        problems.of(&place, text);
    }
}

/// What the strategy A-CD² asks for.
fn percussions(problems: &mut Problems, spec: &SceneSpec) {
    let root = Place::ROOT;
    if spec.time.theta != 0.5 {
        let text = format!("must be 0.5 with the strategy \"acd2\", found {}", show(spec.time.theta));
        problems.of(&root.key("time").key("theta"), text);
    }
    // a push brings in energy, which is what A-CD² is there to exclude
    if matches!(spec.time.drift, Drift::Device | Drift::TwoSteps) {
        let text = "must be \"curvature\", \"none\" or \"projection\" with the strategy \"acd2\"";
        problems.of(&root.key("time").key("drift"), text);
    }
    let list = root.key("law");
    for (index, law) in spec.laws.iter().enumerate() {
        // the dimension plays no part in whether there is a percussion
        if law.law::<2>().is_some_and(|law| law.atomised().is_none()) {
            let text =
                "is no law of the strategy \"acd2\"; percussion, inelastic and tresca (without stress) are";
            problems.of(&list.item(index), text);
        }
    }
}
