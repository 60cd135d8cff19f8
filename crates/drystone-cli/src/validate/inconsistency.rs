//! Steps that have no solution, and how to tell (Alart, Renouf 2018).

use super::{Row, plane, scene, set_friction, threshold};
use crate::failure::Failure;
use drystone::{Delassus, Pairs, Problem};
use drystone_math::Matrix;
use drystone_scene::Scene;
use drystone_solvers::existence::{Existence, existence};

/// A disk pushed into a corner: W, its kernel, and when a solution exists.
pub fn corner() -> Result<Vec<Row>, Failure> {
    let text = include_str!("../../../../scenes/validation/corner.toml");
    // W as the text has it: the wall has not moved yet
    let mut still = scene(text)?;
    still.time.step = 1e-12;
    still.time.duration = 1e-12;
    still.output.interval = 1e-12;
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
    let mut scene = scene(include_str!("../../../../scenes/validation/two-disks.toml"))?;
    scene.time.step = 1e-12;
    scene.time.duration = 1e-12;
    scene.output.interval = 1e-12;
    let edge = threshold(0.2, 0.3, 1e-7, |friction| {
        if let Some(law) = &mut scene.laws[1].inelastic {
            law.friction = friction;
        }
        let answer = existence(&plane(&scene)?.problem()).map_err(Failure::other)?;
        Ok(matches!(answer, Existence::Inconsistent { .. }))
    })?;
    let critical = (std::f64::consts::PI / 12.0).tan();
    Ok(vec![Row::absolute("friction at which the box jams", critical, edge, 1e-6)])
}
