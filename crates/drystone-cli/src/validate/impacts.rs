//! Shocks with restitution where its laws differ: at touching, through thin walls, and in what they do to
//! energy.

use super::{Comparison, plane, run_through, scene};
use crate::failure::Failure;
use drystone_scene::Scene;
use drystone_scene::spec::{LawSpec, Poisson, Restitution};

const E: f64 = 0.998;
const MU: f64 = 0.976;

/// A rod strikes the ground with its end (after Kane and Levinson 1985): Moreau's law gives it energy,
/// Poisson's takes some.
pub fn rod() -> Result<Vec<Comparison>, Failure> {
    let mut scene = scene(include_str!("../../../../scenes/validation/rod.toml"))?;
    // the end of the rod on the ground, its centre above it
    let mut found = Vec::new();
    let mut known = None;
    for law in 0..2 {
        let between = LawSpec::between("*", "*");
        scene.laws[0] = match law {
            0 => LawSpec::restitution("*", "*", Restitution { normal: E, tangential: 0.0, friction: MU }),
            _ => LawSpec { poisson: Some(Poisson { normal: E, friction: MU }), ..between },
        };
        let (ratio, blow) = struck(&scene)?;
        found.push(ratio);
        known = Some(blow);
    }
    let Some(blow) = known else { return Ok(Vec::new()) };
    let (moreau, poisson) = (blow.moreau(), blow.poisson());
    Ok(vec![
        Comparison::absolute("Moreau: energy gained, relative", moreau, found[0], 1e-5),
        Comparison::fact("Moreau: that is a gain", found[0] > 0.1),
        Comparison::absolute("Poisson: energy gained, relative", poisson, found[1], 1e-5),
        Comparison::fact("Poisson: that is a loss", found[1] < 0.0),
    ])
}

/// A blow on one point of a free body in the plane, normal first.
struct Blow {
    w: [[f64; 2]; 2],
    u: [f64; 2],
    energy: f64,
}

impl Blow {
    /// Change of the kinetic energy by an impulse, relative.
    fn gain(&self, r: [f64; 2]) -> f64 {
        let [[nn, nt], [_, tt]] = self.w;
        let square = nn * r[0] * r[0] + 2.0 * nt * r[0] * r[1] + tt * r[1] * r[1];
        (r[0] * self.u[0] + r[1] * self.u[1] + 0.5 * square) / self.energy
    }

    /// Impulse with `u_N = −e u_N` before and Coulomb's friction on the velocity after.
    fn newton(&self, e: f64) -> [f64; 2] {
        let [[nn, nt], [_, tt]] = self.w;
        let goal = [-(1.0 + e) * self.u[0], -self.u[1]];
        let determinant = nn * tt - nt * nt;
        let stuck =
            [(tt * goal[0] - nt * goal[1]) / determinant, (nn * goal[1] - nt * goal[0]) / determinant];
        if stuck[1].abs() <= MU * stuck[0] {
            return stuck;
        }
        let slides = |sign: f64| {
            let normal = goal[0] / (nn - sign * MU * nt);
            [normal, -sign * MU * normal]
        };
        let opposes = |r: &[f64; 2]| r[1] * (self.u[1] + nt * r[0] + tt * r[1]) <= 0.0 && r[0] > 0.0;
        [slides(1.0), slides(-1.0)].into_iter().find(opposes).unwrap_or([f64::NAN; 2])
    }

    fn moreau(&self) -> f64 {
        self.gain(self.newton(E))
    }

    /// Compression as without rebound; then the given normal impulse, with friction against the velocity at
    /// the end.
    fn poisson(&self) -> f64 {
        let c = self.newton(0.0);
        let [_, [nt, tt]] = self.w;
        let normal = E * c[0];
        let slip = self.u[1] + nt * (c[0] + normal) + tt * c[1];
        let friction = (-slip / tt).clamp(-MU * normal, MU * normal);
        self.gain([c[0] + normal, c[1] + friction])
    }
}

/// One step of the rod laid with its end on the ground: its gain of energy, relative, and the blow that it
/// was.
fn struck(scene: &Scene) -> Result<(f64, Blow), Failure> {
    let mut scene = scene.clone();
    let angle = std::f64::consts::FRAC_PI_4;
    // a triangle so slender that it is a rod but for its tip, half a metre from its centre of mass
    let arm = 0.5;
    scene.bodies[1].position = Some(vec![0.0, arm * angle.sin()]);
    let mut simulation = plane(&scene)?;
    let bodies = simulation.bodies();
    let (mass, inertia, velocity) = (bodies.mass[1][0], bodies.mass[1][2], bodies.twist(1));
    let (x, y) = (-arm * angle.cos(), -arm * angle.sin());
    let blow = Blow {
        w: [
            [1.0 / mass + x * x / inertia, -x * y / inertia],
            [-x * y / inertia, 1.0 / mass + y * y / inertia],
        ],
        u: [velocity[1], velocity[0]],
        energy: 0.5 * mass * velocity.linear().norm_squared(),
    };
    let before = simulation.energy().kinetic;
    simulation.step();
    Ok((simulation.energy().kinetic / before - 1.0, blow))
}

/// A ball flies at a wall, in a step farther than both are thick: wherever the step finds it, it comes back.
pub fn thin_wall() -> Result<Vec<Comparison>, Failure> {
    let scene = scene(include_str!("../../../../scenes/validation/thin-wall.toml"))?;
    let between = || LawSpec::between("*", "*");
    let laws = [
        ("restitution", scene.laws[0].clone()),
        ("poisson", LawSpec { poisson: Some(Poisson { normal: 0.8, friction: 0.3 }), ..between() }),
    ];
    let mut rows = Vec::new();
    for (name, law) in laws {
        let mut worst = 0.0_f64;
        for start in 0..100 {
            let mut scene = scene.clone();
            scene.laws[0] = law.clone();
            scene.bodies[1].position = Some(vec![-0.4 - 5e-4 * f64::from(start), 0.1]);
            let mut simulation = plane(&scene)?;
            run_through(&scene, &mut simulation);
            worst = worst.max((simulation.bodies().velocity[1][0] + 40.0).abs());
        }
        rows.push(Comparison::absolute(
            format!("{name}: error of the speed back, worst of 100"),
            0.0,
            worst,
            1e-9,
        ));
    }
    Ok(rows)
}

/// Five elastic balls that touch, laid where their places are exact in binary and where they are not.
pub fn touching() -> Result<Vec<Comparison>, Failure> {
    let chain = scene(include_str!("../../../../scenes/validation/chain.toml"))?;
    let after = |start: f64| -> Result<Vec<f64>, Failure> {
        let mut scene = chain.clone();
        for ball in 3..5 {
            let mut body = scene.bodies[2].clone();
            body.name = format!("ball {ball}");
            scene.bodies.push(body);
        }
        for (ball, body) in scene.bodies.iter_mut().enumerate() {
            body.position = Some(vec![start + ball as f64, 0.0]);
        }
        let mut simulation = plane(&scene)?;
        simulation.step();
        Ok(simulation.bodies().velocity.iter().map(|v| v[0]).collect())
    };
    let exact = after(1.25)?;
    let mut worst = 0.0_f64;
    for start in [1.2, 0.1, 1.7, 100.3, -0.7] {
        let off = after(start)?.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        worst = worst.max(off);
    }
    Ok(vec![
        Comparison::absolute("first of five, Moreau [m/s]", -0.6, exact[0], 1e-9),
        Comparison::absolute("largest difference between places [m/s]", 0.0, worst, 1e-9),
    ])
}
