//! Deformable bodies without inertia and bodies of revolution: forces in balance in every step, Lamé's
//! cylinder, Hertz's sphere, Taylor's bar.

use super::{Comparison, plane, run_through, scene};
use crate::failure::Failure;
use drystone::{Simulation, Vector};
use std::f64::consts::PI;
use std::fmt::Write as _;

/// Displacement of the node of a body nearest to a place of its mesh, along an axis.
fn displacement(simulation: &Simulation<2>, body: usize, place: [f64; 2], axis: usize) -> f64 {
    let solids = simulation.solids();
    let (Some(model), Some(state)) = (solids.model(body), solids.state(body)) else { return f64::NAN };
    state.displacement[2 * model.mesh().nearest_node(&Vector::from(place)) + axis]
}

/// A bar under a load, Cook's membrane and Hertz's disk, each in balance at the end of every step.
pub fn quasi_static() -> Result<Vec<Comparison>, Failure> {
    let given = scene(include_str!("../../../../scenes/validation/soft-statics.toml"))?;
    let mut simulation = plane(&given)?;
    simulation.step();
    let (length, young, load) = (1.0, 1e7, 1e4);
    let shortened = displacement(&simulation, 0, [0.0, 0.5], 1);
    let first = simulation.energy();
    run_through(&given, &mut simulation);
    let again = displacement(&simulation, 0, [0.0, 0.5], 1);
    let text = super::solids::membrane(16, [1.0, 1.0 / 3.0], 1.0, "quasi_static = true, plane = \"stress\"");
    let membrane = scene(&text)?;
    let mut bent = plane(&membrane)?;
    bent.step();
    let middle = super::solids::bend_at(&bent, 52.0);
    Ok(vec![
        Comparison::relative("bar, after one step [m]", -load * length / young, shortened, 1e-10),
        Comparison::relative("bar, after all steps [m]", -load * length / young, again, 1e-10),
        Comparison::absolute("bar, kinetic energy [J]", 0.0, first.kinetic, 0.0),
        Comparison::relative("bar, strain energy [J]", 0.5, first.strain, 1e-9),
        Comparison::absolute("bar, balance of energy", 0.0, simulation.energy().balance_error, 1e-10),
        Comparison::relative("Cook, 16 x 16, one step [m]", 23.43, middle, 1e-3),
    ])
}

/// Uniaxial strain −ln λ of a plastic layer: p = (2 μ ln λ − σ₀) / (3 μ + H), q = 2 μ ln λ − 3 μ p, and
/// Kirchhoff's stress κ ln λ + 2 q / 3 along.
pub fn layer() -> Result<Vec<Comparison>, Failure> {
    let given = scene(include_str!("../../../../scenes/validation/soft-layer.toml"))?;
    let mut simulation = plane(&given)?;
    let (young, poisson, start, hardening): (f64, f64, f64, f64) = (1e7, 0.3, 1e5, 1.5e6);
    let (mu, bulk) = (young / (2.0 * (1.0 + poisson)), young / (3.0 * (1.0 - 2.0 * poisson)));
    let mut rows = Vec::new();
    for (steps, what) in
        [(1, "force before it flows [N]"), (9, "force at 10 % [N]"), (10, "force at 20 % [N]")]
    {
        (0..steps).for_each(|_| {
            simulation.step();
        });
        let solids = simulation.solids();
        let Some(model) = solids.model(0) else { return Err(Failure::other("the layer does not deform")) };
        let top = model.mesh().nodes_where(|x| x[1] > 0.049);
        let force: f64 = top.iter().map(|&node| solids.reaction(0)[2 * node as usize + 1]).sum();
        let along = 1.0 + displacement(&simulation, 0, [0.0, 0.05], 1) / 0.1;
        let strain = -along.ln();
        let flowed = ((2.0 * mu * strain - start) / (3.0 * mu + hardening)).max(0.0);
        let deviator = 2.0 * mu * strain - 3.0 * mu * flowed;
        let exact = -(bulk * strain + 2.0 / 3.0 * deviator) / along * 0.2;
        rows.push(Comparison::relative(what, exact, force, 1e-10));
    }
    Ok(rows)
}

/// A thick-walled cylinder under inner pressure between two plates (Lamé, plane strain).
pub fn lame() -> Result<Vec<Comparison>, Failure> {
    let given = scene(include_str!("../../../../scenes/validation/soft-lame.toml"))?;
    let mut simulation = plane(&given)?;
    run_through(&given, &mut simulation);
    let (inner, outer, young, poisson, pressure): (f64, f64, f64, f64, f64) = (1.0, 2.0, 1e6, 0.3, 1e3);
    let share = pressure * inner * inner / (outer * outer - inner * inner);
    let widened = |r: f64| share / young * (1.0 + poisson) * ((1.0 - 2.0 * poisson) * r + outer * outer / r);
    let found = |r: f64| displacement(&simulation, 0, [r, 0.0], 0);
    // what the plates push back with is the axial stress over the ring
    let axial = 2.0 * poisson * share * PI * (outer * outer - inner * inner);
    let reaction: f64 = {
        let (solids, mut sum) = (simulation.solids(), 0.0);
        if let Some(model) = solids.model(0) {
            let top = model.mesh().nodes_where(|x| x[1] > 0.0);
            sum += top.iter().map(|&node| solids.reaction(0)[2 * node as usize + 1]).sum::<f64>();
        }
        sum
    };
    Ok(vec![
        Comparison::relative("inner wall widens by [m]", widened(inner), found(inner), 1e-4),
        Comparison::relative("outer wall widens by [m]", widened(outer), found(outer), 1e-4),
        Comparison::relative("force on an end [N]", axial, reaction, 1e-3),
    ])
}

/// The cap of a ball as the section of a body of revolution: graded towards the pole, held where it is cut.
fn cap(radius: f64, size: f64, speed: f64) -> String {
    let graded = |start: f64, even: usize, growth: f64, end: f64| {
        let mut at: Vec<f64> = (0..=even).map(|k| start * k as f64).collect();
        let mut step = start;
        while at[at.len() - 1] < end {
            step *= growth;
            at.push(at[at.len() - 1] + step);
        }
        at
    };
    let angles = graded(size / radius, 16, 1.15, 1.0);
    let depths = graded(size / radius, 4, 1.15, 0.7);
    let (wide, deep) = (angles.len(), depths.len());
    let nodes: Vec<[f64; 2]> = { depths.iter().rev() }
        .flat_map(|depth| {
            let from = radius * (1.0 - depth);
            angles.iter().map(move |angle| [from * angle.sin(), -from * angle.cos()])
        })
        .collect();
    let corner = |i: usize, j: usize| j * wide + i;
    let cells: Vec<[usize; 4]> = (0..(wide - 1) * (deep - 1))
        .map(|k| (k % (wide - 1), k / (wide - 1)))
        .map(|(i, j)| [corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j), corner(i, j)])
        .collect();
    let inside: Vec<usize> = (0..wide).collect();
    let mut text = String::from("dimension = 2\ngravity = [0.0, 0.0]\n");
    let _ = writeln!(text, "time = {{ step = 0.1, duration = 1.0 }}\nsolver.tolerance = 1e-9");
    let _ = writeln!(text, "materials.m = {{ density = 1000, young = 1e7, poisson = 0.3 }}");
    let _ = writeln!(
        text,
        "[[body]]\nname = \"plane\"\nshape.line = {{}}\nposition = [0.0, {:?}]\nfixed = true",
        -radius
    );
    let _ = writeln!(text, "[[body]]\nname = \"ball\"\nmaterial = \"m\"");
    let _ = writeln!(
        text,
        "deform = {{ plane = \"axisymmetric\", quasi_static = true, hold = [{{ group = \"inside\", velocity = [0.0, {:?}] }}] }}",
        -speed
    );
    let _ = writeln!(text, "[body.shape.elements]\nnodes = {nodes:?}");
    let _ = writeln!(text, "elements = [{{ kind = \"Q4\", nodes = {cells:?} }}]");
    let _ = writeln!(text, "groups.inside.nodes = {inside:?}");
    text + "[[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.0\n"
}

/// A ball on a plane: a³ = 3PR/4E*, p₀ = 3P/2πa². So small a contact that a percent of strain is all there
/// is.
pub fn sphere() -> Result<Vec<Comparison>, Failure> {
    let (radius, size) = (1.0, 2.5e-3);
    let given = scene(&cap(radius, size, 6.9e-4))?;
    let mut simulation = plane(&given)?;
    run_through(&given, &mut simulation);
    let (h, modulus) = (given.time.step, 1e7 / (1.0 - 0.3 * 0.3));
    let load: f64 = simulation.interactions().iter().map(|contact| contact.r[0] / h).sum();
    let wide = (0.75 * load * radius / modulus).cbrt();
    let highest = 1.5 * load / (PI * wide * wide);
    let (mut middle, mut across, mut reach) = (0.0, 0.0_f64, 0.0_f64);
    for contact in simulation.interactions() {
        // the mean point of a contact lies a little farther out than its vertex
        let vertex = (contact.point[0] / size + 0.3).floor() * size;
        let found = contact.r[0] / h / contact.area / highest;
        let exact = (1.0 - (vertex / wide).powi(2)).max(0.0).sqrt();
        middle = if vertex == size { found / exact } else { middle };
        if vertex > 0.0 && vertex < 0.8 * wide {
            across = across.max((found - exact).abs());
        }
        reach = if contact.r[0] > 0.0 { reach.max(vertex) } else { reach };
    }
    Ok(vec![
        Comparison::fact("facets to the radius: 8 to 12", (8.0..12.0).contains(&(wide / size))),
        Comparison::relative("pressure near the middle over Hertz's", 1.0, middle, 0.02),
        Comparison::absolute("pressure within 0.8 a, largest error over p0", 0.0, across, 0.02),
        Comparison::absolute("radius of the contact [m]", wide, reach, 1.5 * size),
    ])
}

/// Taylor's bar of copper at 227 m/s, 80 µs after it met a rigid wall; references by an explicit program of
/// the same equations with one point in an element: 21.54 and 7.06 mm with 5 x 50 elements, 21.47 and 7.29 mm
/// with 20 x 200.
pub fn taylor() -> Result<Vec<Comparison>, Failure> {
    let given = scene(include_str!("../../../../scenes/deformable/taylor.toml"))?;
    let mut simulation = plane(&given)?;
    run_through(&given, &mut simulation);
    let solids = simulation.solids();
    let (Some(model), Some(state)) = (solids.model(1), solids.state(1)) else {
        return Err(Failure::other("the bar does not deform"));
    };
    let moved =
        |node: usize, axis: usize| model.mesh().nodes()[node][axis] + state.displacement[2 * node + axis];
    let count = model.mesh().nodes().len();
    let [low, high] = [
        (0..count).map(|k| moved(k, 1)).fold(f64::INFINITY, f64::min),
        (0..count).map(|k| moved(k, 1)).fold(f64::NEG_INFINITY, f64::max),
    ];
    let wide = (0..count).map(|k| moved(k, 0)).fold(0.0, f64::max);
    let energy = simulation.energy();
    let begin = 0.5 * 8930.0 * PI * 3.2e-3_f64.powi(2) * 32.4e-3 * 227.0_f64.powi(2);
    Ok(vec![
        Comparison::relative("length, against 5 x 50 [mm]", 21.54, 1e3 * (high - low), 1e-2),
        Comparison::relative("length, against 20 x 200 [mm]", 21.47, 1e3 * (high - low), 1e-2),
        Comparison::relative("radius of the foot, 20 x 200 [mm]", 7.29, 1e3 * wide, 2e-2),
        Comparison::absolute("kinetic energy left over the first", 0.0, energy.kinetic / begin, 1e-2),
        Comparison::absolute("balance of energy", 0.0, energy.balance_error, 1e-9),
    ])
}
