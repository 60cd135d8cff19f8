//! Steps that have no solution, and how to tell (Alart, Renouf 2018).

use super::{Comparison, plane, scene, set_friction};
use crate::failure::Failure;
use drystone::{Condensed, Delassus, Problem};
use drystone_diagnose::existence::{Existence, existence, solvable_friction};
use drystone_diagnose::{Verdict, diagnose};
use drystone_math::Matrix;
use drystone_scene::Scene;
use drystone_scene::spec::{Drift, Method, OrderSpec, RestRule, Solver};

/// A disk pushed into a corner: W, its kernel, and when a solution exists.
pub fn corner() -> Result<Vec<Comparison>, Failure> {
    let text = include_str!("../../../../scenes/validation/corner.toml");
    // W as the text has it: the wall has not moved yet
    let mut still = still(text)?;
    let assembled = assembled(&still)?;
    let expected =
        Matrix::<4, 4>::from_row_slice(&[1., 0., 0., -1., 0., 3., 1., 2., 0., 1., 1., 0., -1., 2., 0., 3.]);
    let mut rows =
        vec![Comparison::absolute("largest deviation of W", 0.0, (assembled - expected).abs().max(), 1e-12)];
    set_friction(&mut still, 1.1);
    let network = match existence(&plane(&still)?.problem()).map_err(Failure::other)? {
        Existence::Inconsistent { network, .. } => network,
        Existence::Exists { .. } => Vec::new(),
    };
    let kernel = [1.0, -1.0, 1.0, 1.0];
    let found: Vec<f64> = network.iter().flat_map(|r| r.iter().copied()).collect();
    let deviation = found.iter().zip(kernel).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    rows.push(Comparison::absolute("self-balanced impulses named", 4.0, found.len() as f64, 0.0));
    rows.push(Comparison::absolute("their deviation from (1, -1, 1, 1)", 0.0, deviation, 1e-9));
    let factor = solvable_friction(&plane(&still)?.problem()).map_err(Failure::other)?;
    rows.push(Comparison::absolute(
        "friction at which the corner jams",
        1.0,
        1.1 * factor.unwrap_or(f64::NAN),
        1e-10,
    ));
    for (friction, push, solvable) in [(0.8, 0.01, true), (1.1, 0.01, false), (1.1, -0.01, true)] {
        let mut scene = scene(text)?;
        set_friction(&mut scene, friction);
        if let Some(drive) = &mut scene.bodies[2].drive {
            drive.x = Some(push);
        }
        let mut simulation = plane(&scene)?;
        let says =
            matches!(existence(&simulation.problem()).map_err(Failure::other)?, Existence::Exists { .. });
        let converged = simulation.step().converged;
        let words = if solvable { "solvable, solved" } else { "no solution, none claimed" };
        let name = format!("mu = {friction}, wall at {push} m/s: {words}");
        rows.push(Comparison::fact(name, says == solvable && converged == solvable));
    }
    Ok(rows)
}

/// The Delassus operator of the next step, two contacts in the plane.
fn assembled(scene: &Scene) -> Result<Matrix<4, 4>, Failure> {
    let problem: Problem<2, Condensed<2>> = plane(scene)?.problem();
    let blocks = problem.w.assemble();
    let mut w = Matrix::<4, 4>::zeros();
    for alpha in 0..problem.contacts().min(2) {
        for (beta, block) in blocks.row(alpha).filter(|&(beta, _)| beta < 2) {
            w.fixed_view_mut::<2, 2>(2 * alpha, 2 * beta).copy_from(block);
        }
    }
    Ok(w)
}

/// Two disks wedged between walls: they jam above a friction of tan(θ/2).
pub fn two_disks() -> Result<Vec<Comparison>, Failure> {
    let still = still(include_str!("../../../../scenes/validation/two-disks.toml"))?;
    let factor = solvable_friction(&plane(&still)?.problem()).map_err(Failure::other)?;
    let critical = (std::f64::consts::PI / 12.0).tan();
    let found = 0.28 * factor.unwrap_or(f64::NAN);
    Ok(vec![Comparison::absolute("friction at which the box jams", critical, found, 1e-10)])
}

/// What a run of the two disks shows: iterations, normal impulse between the disks \[N s\], overlap \[m\] of
/// every step, and the largest speed of the upper disk \[m/s\].
struct Squeezed {
    steps: Vec<(u32, f64, f64)>,
    speed: f64,
}

/// The two disks squeezed by plain sweeps, at most 300 in a step, with and without memory (Alart, Renouf
/// 2018, fig. 6 and 7).
pub fn memory() -> Result<Vec<Comparison>, Failure> {
    let (with, without) = (squeezed(true)?, squeezed(false)?);
    let jammed = |run: &Squeezed| run.steps.iter().take_while(|step| step.0 == MOST).count();
    let jammed = (jammed(&with), jammed(&without));
    let grown = |run: &Squeezed, step: usize| run.steps[step].1 / run.steps[0].1;
    let after = |run: &Squeezed| run.steps[30..].iter().map(|step| step.0).max().unwrap_or(0);
    let usual = |run: &Squeezed| {
        let mut sweeps: Vec<u32> = run.steps[30..].iter().map(|step| step.0).collect();
        sweeps.sort_unstable();
        sweeps[sweeps.len() / 2]
    };
    let last = |run: &Squeezed| run.steps[run.steps.len() - 1];
    Ok(vec![
        Comparison::absolute("steps that use up their sweeps, with memory", 13.0, jammed.0 as f64, 1.0),
        Comparison::fact("meanwhile the impulse grows tenfold", grown(&with, 11) > 10.0),
        Comparison::absolute("then: sweeps of a step, median", 1.0, f64::from(usual(&with)), 1.0),
        Comparison::fact("and the upper disk is thrown out", with.speed > WALL),
        Comparison::fact("without memory the impulse stays", (grown(&without, 11) - 1.0).abs() < 0.1),
        Comparison::fact("then: slow convergence", jammed.1 > 13 && (50..MOST).contains(&after(&without))),
        Comparison::fact(
            "then: less impulse, in contact, overlap left",
            last(&without).2 > 0.05 && last(&without).1 > 0.0 && grown(&without, 59) < 0.5,
        ),
    ])
}

/// Sweeps allowed in a step.
const MOST: u32 = 300;

/// Speed of the wall \[m/s\].
const WALL: f64 = 0.5;

fn squeezed(memory: bool) -> Result<Squeezed, Failure> {
    let mut scene = scene(include_str!("../../../../scenes/validation/two-disks.toml"))?;
    scene.time.step = 1e-2;
    scene.time.duration = 0.6;
    // as in the text, which leaves overlaps alone
    scene.time.drift = Drift::None;
    scene.output.interval = Some(1e-2);
    scene.gravity = Some(vec![0.0, -9.81]);
    if let Some(drive) = &mut scene.bodies[4].drive {
        drive.x = Some(-WALL);
    }
    scene.solver = Solver {
        method: Method::Nlgs,
        order: OrderSpec::Identity,
        tolerance: 1e-3,
        max_iterations: MOST,
        memory,
        rest: RestRule::Solver,
        ..Solver::default()
    };
    let mut disks = plane(&scene)?;
    let (mut steps, mut speed) = (Vec::new(), 0.0);
    for _ in 0..scene.steps() {
        let report = disks.step();
        let between =
            disks.interactions().iter().find(|contact| contact.bodies.iter().all(|body| body.0 < 2));
        let impulse = between.map_or(0.0, |contact| contact.r[0]);
        steps.push((report.iterations, impulse, report.penetration));
        speed = f64::max(speed, disks.bodies().twist(1).linear().norm());
    }
    Ok(Squeezed { steps, speed })
}

/// Three disks: impulses that balance each other out of reach of the motion, and in its way.
pub fn three_disks() -> Result<Vec<Comparison>, Failure> {
    let slack = still(include_str!("../../../../scenes/validation/three-disks-slack.toml"))?;
    let confined = still(include_str!("../../../../scenes/validation/three-disks-confined.toml"))?;
    let of = |scene: &Scene| -> Result<_, Failure> {
        let mut simulation = plane(scene)?;
        let problem = simulation.problem();
        let report = simulation.step();
        let r: Vec<_> = simulation.interactions().iter().map(|contact| contact.r).collect();
        Ok(diagnose(&problem, &r, report.converged))
    };
    let (slack, confined) = (of(&slack)?, of(&confined)?);
    let found = |friction: f64, factor: Option<f64>| friction * factor.unwrap_or(f64::NAN);
    let wedge = (std::f64::consts::PI / 6.0).tan();
    let row = 3.0 - 8.0_f64.sqrt();
    Ok(vec![
        Comparison::fact("slack: ill-conditioned", slack.verdict == Some(Verdict::IllConditioned)),
        Comparison::absolute("slack: friction of the wedge", wedge, found(0.7, slack.networks_from), 1e-10),
        Comparison::fact("confined: inconsistent", confined.verdict == Some(Verdict::Inconsistent)),
        Comparison::absolute(
            "confined: friction of the row",
            row,
            found(0.3, confined.solvable_below),
            1e-10,
        ),
    ])
}

/// The scene of a text with a step in which nothing has moved yet.
fn still(text: &str) -> Result<Scene, Failure> {
    let mut scene = scene(text)?;
    scene.time.step = 1e-12;
    scene.time.duration = 1e-12;
    scene.output.interval = Some(1e-12);
    Ok(scene)
}
