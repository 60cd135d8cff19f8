//! Two equal cylinders pressed together and then across: where their contact sticks and where it slips
//! (Cattaneo 1938, Mindlin 1949).

use super::{Comparison, plane, scene};
use crate::failure::Failure;
use drystone::Simulation;
use std::f64::consts::PI;
use std::fmt::Write as _;

const RADIUS: f64 = 1.0;
/// Length of the facets where the cylinders touch \[m\].
const FACET: f64 = 2.5e-3;
const FRICTION: f64 = 0.4;
const STEPS: usize = 10;

/// Lengths that add up: even ones first, then growing, up to an end.
fn graded(first: f64, even: usize, growth: f64, end: f64) -> Vec<f64> {
    let mut at: Vec<f64> = (0..=even).map(|k| first * k as f64).collect();
    let mut step = first;
    while at[at.len() - 1] < end {
        step *= growth;
        at.push(at[at.len() - 1] + step);
    }
    at
}

/// The part of a cylinder near its lowest line, or of the mirror image near its highest, which is at the
/// origin. `inside` is what is far away.
fn cylinder(name: &str, up: f64, velocity: [f64; 2]) -> String {
    let half = graded(FACET / RADIUS, 16, 1.2, 0.8);
    let angles: Vec<f64> =
        half.iter().skip(1).rev().map(|angle| -angle).chain(half.iter().copied()).collect();
    let depths = graded(FACET / RADIUS, 4, 1.2, 0.7);
    let (wide, deep) = (angles.len(), depths.len());
    let nodes: Vec<[f64; 2]> = { depths.iter().rev() }
        .flat_map(|depth| {
            let from = RADIUS * (1.0 - depth);
            angles.iter().map(move |angle| [from * angle.sin(), up * (RADIUS - from * angle.cos())])
        })
        .collect();
    let corner = |i: usize, j: usize| j * wide + i;
    let cells: Vec<[usize; 4]> = (0..(wide - 1) * (deep - 1))
        .map(|k| (k % (wide - 1), k / (wide - 1)))
        .map(|(i, j)| match up > 0.0 {
            true => [corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j), corner(i, j)],
            false => [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)],
        })
        .collect();
    let inside: Vec<usize> = (0..wide).collect();
    let mut text = format!("[[body]]\nname = \"{name}\"\nmaterial = \"m\"\n");
    let _ = writeln!(
        text,
        "deform = {{ quasi_static = true, hold = [{{ group = \"inside\", velocity = {velocity:?} }}] }}"
    );
    let _ = writeln!(text, "[body.shape.elements]\nnodes = {nodes:?}");
    let _ = writeln!(text, "elements = [{{ kind = \"Q4\", nodes = {cells:?} }}]");
    let _ = writeln!(text, "groups.inside.nodes = {inside:?}");
    text
}

/// Both, each driven by the velocity that is that of the other turned by half a turn.
fn pair(velocity: [f64; 2]) -> Result<Simulation<2>, Failure> {
    let mut text = String::from("dimension = 2\ngravity = [0.0, 0.0]\n");
    let _ = writeln!(text, "time = {{ step = 0.1, duration = {:?} }}", 0.1 * STEPS as f64);
    let _ = writeln!(text, "solver.tolerance = 1e-10\ndetection.alert = 2e-3");
    let _ = writeln!(text, "materials.m = {{ density = 1000, young = 1e7, poisson = 0.3 }}");
    text += &cylinder("upper", 1.0, velocity);
    text += &cylinder("lower", -1.0, velocity.map(|v| -v));
    let _ = writeln!(text, "[[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = {FRICTION:?}");
    plane(&scene(&text)?)
}

/// Place, pressure and shear along x of every contact that presses.
fn tractions(simulation: &Simulation<2>) -> Vec<[f64; 3]> {
    let h = simulation.settings().step;
    let pressing = simulation.interactions().iter().filter(|contact| contact.r[0] > 0.0);
    let mut all: Vec<[f64; 3]> = pressing
        .map(|contact| {
            let share = contact.r / (h * contact.area);
            [contact.point[0], share[0], share[1] * contact.frame.column(1)[0].signum()]
        })
        .collect();
    all.sort_by(|a, b| a[0].total_cmp(&b[0]));
    all
}

/// What the two forces leave of Cattaneo's and Mindlin's solution.
struct SlipLoads {
    /// Half widths of the contact and of the part that sticks \[m\].
    wide: f64,
    stuck: f64,
    /// Highest pressure \[Pa\].
    highest: f64,
}

impl SlipLoads {
    fn of(simulation: &Simulation<2>) -> Self {
        let h = simulation.settings().step;
        let sum = simulation.interactions().iter().fold([0.0; 2], |sum, contact| {
            // the contact turns with the bodies
            let across = contact.r[1] * contact.frame.column(1)[0].signum();
            [sum[0] + contact.r[0] / h, sum[1] + across / h]
        });
        let modulus = 1e7 / (2.0 * (1.0 - 0.3 * 0.3));
        let wide = (4.0 * sum[0] * 0.5 * RADIUS / (PI * modulus)).sqrt();
        let stuck = wide * (1.0 - (sum[1] / (FRICTION * sum[0])).abs()).max(0.0).sqrt();
        Self { wide, stuck, highest: 2.0 * sum[0] / (PI * wide) }
    }

    /// Shear over μ p₀.
    fn shear(&self, x: f64) -> f64 {
        let arc = |half: f64| (1.0 - (x / half).powi(2)).max(0.0).sqrt();
        arc(self.wide) - self.stuck / self.wide * arc(self.stuck)
    }
}

/// Half way between the outermost contact that sticks on a side and the innermost one that slips.
fn border(all: &[[f64; 3]], side: f64) -> f64 {
    let slips = |contact: &&[f64; 3]| contact[2].abs() >= FRICTION * contact[1] * (1.0 - 1e-6);
    let own = || all.iter().filter(|contact| contact[0] * side > -1e-9);
    let sticks = own().filter(|c| !slips(c)).map(|c| c[0].abs()).fold(0.0, f64::max);
    let reach = own().map(|c| c[0].abs()).fold(0.0, f64::max);
    let slipping = own().filter(slips).map(|c| c[0].abs()).filter(|x| *x > sticks);
    0.5 * (sticks + slipping.fold(reach, f64::min))
}

/// Pressed together, then across in steps: `c/a = √(1 − Q/μP)`, and the shear everywhere.
pub fn mindlin() -> Result<Vec<Comparison>, Failure> {
    let mut pressed = pair([0.0, -2.0e-3])?;
    (0..STEPS).for_each(|_| {
        pressed.step();
    });
    let first = SlipLoads::of(&pressed);
    let reach = tractions(&pressed).iter().map(|contact| contact[0].abs()).fold(0.0, f64::max);
    let idle = tractions(&pressed).iter().map(|c| (c[2] / first.highest).abs()).fold(0.0, f64::max);
    let mut simulation = pair([7.5e-3, 0.0])?;
    simulation.restore(pressed.snapshot()).map_err(Failure::other)?;
    let (mut off, mut shear, mut apart, mut least) = (0.0_f64, 0.0_f64, 0.0_f64, 1.0_f64);
    for _ in 0..STEPS {
        simulation.step();
        let (loads, all) = (SlipLoads::of(&simulation), tractions(&simulation));
        let sides = [border(&all, -1.0), border(&all, 1.0)];
        off = sides.iter().map(|found| (found - loads.stuck).abs() / FACET).fold(off, f64::max);
        apart = apart.max((sides[0] - sides[1]).abs() / FACET);
        least = least.min(loads.stuck / loads.wide);
        for &[x, _, found] in &all {
            // roots begin at both borders, about which shears of single vertices alternate
            let far = |border: f64| (x.abs() - border).abs() > 3.0 * FACET;
            if far(loads.stuck) && far(loads.wide) {
                let exact = loads.shear(x);
                shear = shear.max((found.abs() / (FRICTION * loads.highest) - exact).abs());
            }
        }
    }
    let last = SlipLoads::of(&simulation);
    Ok(vec![
        Comparison::fact("facets to the half width: 8 to 12", (8.0..12.0).contains(&(first.wide / FACET))),
        Comparison::absolute("half width of the contact [m]", first.wide, reach, FACET),
        Comparison::absolute("shear before it is pushed across, over p0", 0.0, idle, 1e-9),
        Comparison::fact("sticks over less than 0.6 a at the end", least < 0.6),
        Comparison::absolute("border of what sticks, largest error [facets]", 0.0, off, 1.0),
        // a vertex more on one side would be a facet
        Comparison::absolute("both sides of it, largest difference [facets]", 0.0, apart, 0.5),
        Comparison::absolute("shear over mu p0, largest error", 0.0, shear, 0.05),
        Comparison::relative("half width does not change [m]", first.wide, last.wide, 1e-2),
    ])
}
