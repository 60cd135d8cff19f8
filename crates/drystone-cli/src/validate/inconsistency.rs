//! Steps that have no solution, and how to tell (Alart, Renouf 2018).

use super::{Row, plane, scene, set_friction};
use crate::failure::Failure;
use drystone::{Delassus, Pairs, Problem};
use drystone_math::Matrix;
use drystone_scene::Scene;
use drystone_solvers::existence::{Existence, existence, solvable_friction};
use drystone_solvers::{Verdict, diagnose};

/// A disk pushed into a corner: W, its kernel, and when a solution exists.
pub fn corner() -> Result<Vec<Row>, Failure> {
    let text = include_str!("../../../../scenes/validation/corner.toml");
    // W as the text has it: the wall has not moved yet
    let mut still = still(text)?;
    let assembled = assembled(&still)?;
    let expected =
        Matrix::<4, 4>::from_row_slice(&[1., 0., 0., -1., 0., 3., 1., 2., 0., 1., 1., 0., -1., 2., 0., 3.]);
    let mut rows =
        vec![Row::absolute("largest deviation of W", 0.0, (assembled - expected).abs().max(), 1e-12)];
    set_friction(&mut still, 1.1);
    let network = match existence(&plane(&still)?.problem()).map_err(Failure::other)? {
        Existence::Inconsistent { network, .. } => network,
        Existence::Exists => Vec::new(),
    };
    let kernel = [1.0, -1.0, 1.0, 1.0];
    let found: Vec<f64> = network.iter().flat_map(|r| r.iter().copied()).collect();
    let deviation = found.iter().zip(kernel).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    rows.push(Row::absolute("self-balanced impulses named", 4.0, found.len() as f64, 0.0));
    rows.push(Row::absolute("their deviation from (1, -1, 1, 1)", 0.0, deviation, 1e-9));
    let factor = solvable_friction(&plane(&still)?.problem()).map_err(Failure::other)?;
    rows.push(Row::absolute(
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
        let says = matches!(existence(&simulation.problem()).map_err(Failure::other)?, Existence::Exists);
        let converged = simulation.step().converged;
        let words = if solvable { "solvable, solved" } else { "no solution, none claimed" };
        let name = format!("mu = {friction}, wall at {push} m/s: {words}");
        rows.push(Row::fact(name, says == solvable && converged == solvable));
    }
    Ok(rows)
}

/// The Delassus operator of the next step, two contacts in the plane.
fn assembled(scene: &Scene) -> Result<Matrix<4, 4>, Failure> {
    let problem: Problem<2, Pairs<2, 3>> = plane(scene)?.problem();
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
pub fn two_disks() -> Result<Vec<Row>, Failure> {
    let still = still(include_str!("../../../../scenes/validation/two-disks.toml"))?;
    let factor = solvable_friction(&plane(&still)?.problem()).map_err(Failure::other)?;
    let critical = (std::f64::consts::PI / 12.0).tan();
    let found = 0.28 * factor.unwrap_or(f64::NAN);
    Ok(vec![Row::absolute("friction at which the box jams", critical, found, 1e-10)])
}

/// Three disks: impulses that balance each other out of reach of the motion, and in its way.
pub fn three_disks() -> Result<Vec<Row>, Failure> {
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
        Row::fact("slack: ill-conditioned", slack.verdict == Some(Verdict::IllConditioned)),
        Row::absolute("slack: friction of the wedge", wedge, found(0.7, slack.networks_from), 1e-10),
        Row::fact("confined: inconsistent", confined.verdict == Some(Verdict::Inconsistent)),
        Row::absolute("confined: friction of the row", row, found(0.3, confined.solvable_below), 1e-10),
    ])
}

/// The scene of a text with a step in which nothing has moved yet.
fn still(text: &str) -> Result<Scene, Failure> {
    let mut scene = scene(text)?;
    scene.time.step = 1e-12;
    scene.time.duration = 1e-12;
    scene.output.interval = 1e-12;
    Ok(scene)
}
