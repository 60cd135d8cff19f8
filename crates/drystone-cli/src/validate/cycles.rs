//! Plastic bodies driven to and fro, and a patch of distorted elements that flow. The return to the yield
//! surface is written here once more, for uniaxial strain alone.

use super::{Comparison, plane, scene};
use crate::failure::Failure;
use drystone::Simulation;
use drystone_scene::Scene;
use std::fmt::Write as _;

/// A layer in uniaxial strain, by hand. With the strain e along and the plastic one `(−ε/2, ε, −ε/2)`, the
/// difference of stresses is `q = 2μ e − 3μ ε`, that of back stresses `H_k ε`, and it flows where
/// `|q − H_k ε| > σ₀ + H_i p`.
struct LayerByHand {
    shear: f64,
    bulk: f64,
    yield_stress: f64,
    hardening: [f64; 2],
    flowed: f64,
    accumulated: f64,
    /// Work of the plastic strains less what hardening stores \[J/m³\].
    dissipated: f64,
}

impl LayerByHand {
    fn new(hardening: [f64; 2]) -> Self {
        let (young, poisson) = (1e7, 0.3);
        let (shear, bulk) = (young / (2.0 * (1.0 + poisson)), young / (3.0 * (1.0 - 2.0 * poisson)));
        Self { shear, bulk, yield_stress: 1e5, hardening, flowed: 0.0, accumulated: 0.0, dissipated: 0.0 }
    }

    fn stored_by_hardening(&self) -> f64 {
        let [isotropic, kinematic] = self.hardening;
        0.5 * (isotropic * self.accumulated.powi(2) + kinematic * self.flowed.powi(2))
    }

    /// Kirchhoff's stress along at a strain that is reached from the last one in one step.
    fn stress(&mut self, strain: f64) -> f64 {
        let [isotropic, kinematic] = self.hardening;
        let tried = 2.0 * self.shear * strain - (3.0 * self.shear + kinematic) * self.flowed;
        let excess = tried.abs() - self.yield_stress - isotropic * self.accumulated;
        let stored = self.stored_by_hardening();
        let flow = excess.max(0.0) / (3.0 * self.shear + isotropic + kinematic);
        self.flowed += flow * tried.signum();
        self.accumulated += flow;
        let difference = 2.0 * self.shear * strain - 3.0 * self.shear * self.flowed;
        self.dissipated += difference * flow * tried.signum() - (self.stored_by_hardening() - stored);
        self.bulk * strain + 2.0 / 3.0 * difference
    }
}

/// The force on the upper side of the layer \[N\].
fn force_above(simulation: &Simulation<2>) -> f64 {
    let solids = simulation.solids();
    let Some(model) = solids.model(0) else { return f64::NAN };
    let top = model.mesh().nodes_where(|x| x[1] > 0.049);
    top.iter().map(|&node| solids.reaction(0)[2 * node as usize + 1]).sum()
}

/// The scene with other hardening, isotropic and kinematic \[Pa\], and another velocity of the upper side.
fn driven(given: &Scene, hardening: [f64; 2], speed: f64) -> Result<Scene, Failure> {
    let mut scene = given.clone();
    let material = scene.materials.get_mut("lead");
    let material = material.ok_or_else(|| Failure::other("the layer has no material"))?;
    [material.hardening, material.kinematic_hardening] = hardening.map(Some);
    let hold = scene.bodies[0].deform.as_mut().and_then(|deform| deform.hold.last_mut());
    hold.ok_or_else(|| Failure::other("the layer is not held"))?.velocity =
        Some(vec![0.0.into(), speed.into()]);
    Ok(scene)
}

/// Squeezed by a tenth, drawn to as much beyond its height, squeezed again; hardening of either kind, both,
/// none.
pub fn cycle() -> Result<Vec<Comparison>, Failure> {
    let given = scene(include_str!("../../../../scenes/validation/soft-layer.toml"))?;
    let (height, width, speed) = (0.1, 0.2, 0.1);
    let mut rows = Vec::new();
    let kinds =
        [("isotropic", [1e6, 0.0]), ("kinematic", [0.0, 1e6]), ("both", [1e6, 5e5]), ("perfect", [0.0; 2])];
    for (name, hardening) in kinds {
        let mut hand = LayerByHand::new(hardening);
        let largest = width * (hand.yield_stress + 0.1 * hand.bulk);
        let (mut high, mut worst, mut elastic) = (height, 0.0_f64, 0);
        let mut last: Option<Simulation<2>> = None;
        for (way, steps) in [(-1.0, 10), (1.0, 20), (-1.0, 20)] {
            let mut simulation = plane(&driven(&given, hardening, way * speed)?)?;
            if let Some(last) = &last {
                simulation.restore(last.snapshot()).map_err(Failure::other)?;
            }
            for _ in 0..steps {
                simulation.step();
                high += way * speed * given.time.step;
                let (along, before) = (high / height, hand.accumulated);
                let exact = hand.stress(along.ln()) / along * width;
                elastic += u32::from(hand.accumulated == before);
                worst = worst.max((force_above(&simulation) - exact).abs() / largest);
            }
            last = Some(simulation);
        }
        let Some(simulation) = last else { continue };
        let state = simulation.solids().state(0);
        let found = state.and_then(|state| state.history.first()?.to_numbers().last().copied());
        let (flowed, volume) = (found.unwrap_or(f64::NAN), height * width);
        let energy = simulation.energy();
        rows.push(Comparison::absolute(
            format!("{name}: force in 50 steps, largest error"),
            0.0,
            worst,
            1e-10,
        ));
        rows.push(Comparison::relative(
            format!("{name}: accumulated plastic strain"),
            hand.accumulated,
            flowed,
            1e-10,
        ));
        let (dissipated, lost) = (hand.dissipated * volume, energy.plastic);
        rows.push(Comparison::relative(format!("{name}: plastic work [J]"), dissipated, lost, 1e-10));
        rows.push(Comparison::fact(format!("{name}: elastic at first and where it turns"), elastic >= 3));
    }
    Ok(rows)
}

/// Nodes of a square patch of 4 × 4 quadrangles whose inner nodes are out of line, and its cells of a kind:
/// quadratic ones have nodes in the middles of their sides.
struct DistortedPatch {
    nodes: Vec<[f64; 2]>,
    cells: Vec<Vec<usize>>,
}

impl DistortedPatch {
    fn new(kind: &str) -> Self {
        let n = 4;
        let mut patch = Self { nodes: Vec::new(), cells: Vec::new() };
        for (i, j) in (0..=n).flat_map(|j| (0..=n).map(move |i| (i, j))) {
            let inner = (1..n).contains(&i) && (1..n).contains(&j);
            let (x, y) = (i as f64, j as f64);
            let off = |a: f64, b: f64| if inner { 0.25 * (a * x + b * y).sin() } else { 0.0 };
            patch.nodes.push([(x + off(2.1, 3.7)) / n as f64, (y + off(4.3, 1.9)) / n as f64]);
        }
        let corner = |i: usize, j: usize| j * (n + 1) + i;
        for (i, j) in (0..n).flat_map(|j| (0..n).map(move |i| (i, j))) {
            let square = vec![corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            match kind {
                "Q4" | "Q8" => patch.cells.push(square),
                _ => {
                    patch.cells.push(vec![square[0], square[1], square[2]]);
                    patch.cells.push(vec![square[0], square[2], square[3]]);
                }
            }
        }
        if matches!(kind, "Q8" | "T6") {
            patch.halve_sides();
        }
        patch
    }

    fn halve_sides(&mut self) {
        let mut known = std::collections::BTreeMap::new();
        for cell in &mut self.cells {
            let corners = cell.clone();
            for k in 0..corners.len() {
                let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
                let middle = *known.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    let [p, q] = [self.nodes[a], self.nodes[b]];
                    self.nodes.push([0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])]);
                    self.nodes.len() - 1
                });
                cell.push(middle);
            }
        }
    }

    /// As a scene: every node of the border is driven with a velocity linear in its place.
    fn text(&self, kind: &str, gradient: [[f64; 2]; 2]) -> String {
        let on_border = |x: &[f64; 2]| x.iter().any(|x| !(1e-9..=1.0 - 1e-9).contains(x));
        let mut text = String::from("dimension = 2\ngravity = [0.0, 0.0]\n");
        let _ = writeln!(text, "time = {{ step = 0.01, duration = 0.2 }}\nsolver.newton_tolerance = 1e-13");
        let _ = writeln!(
            text,
            "materials.m = {{ density = 1000, law = \"plastic\", young = 1e7, poisson = 0.3, \
             yield_stress = 1e5, hardening = 1e6, kinematic_hardening = 5e5 }}"
        );
        let _ = writeln!(text, "[[body]]\nname = \"patch\"\nmaterial = \"m\"");
        let _ = writeln!(text, "[body.shape.elements]\nnodes = {:?}", self.nodes);
        let _ = writeln!(text, "elements = [{{ kind = \"{kind}\", nodes = {:?} }}]", self.cells);
        let border = || self.nodes.iter().enumerate().filter(|(_, x)| on_border(x));
        for (node, _) in border() {
            let _ = writeln!(text, "groups.n{node}.nodes = [{node}]");
        }
        let _ = writeln!(text, "[body.deform]\nquasi_static = true\nhold = [");
        for (node, x) in border() {
            let v = gradient.map(|row| row[0] * x[0] + row[1] * x[1]);
            let _ = writeln!(text, "  {{ group = \"n{node}\", velocity = {v:?} }},");
        }
        text + "]\n[[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.0\n"
    }
}

/// How far stresses and plastic strains of all points are apart, over their largest, and how far nodes are
/// from where the border leads them.
fn unevenness(simulation: &Simulation<2>, gradient: [[f64; 2]; 2]) -> Result<[f64; 4], Failure> {
    let solids = simulation.solids();
    let (Some(model), Some(state)) = (solids.model(0), solids.state(0)) else {
        return Err(Failure::other("the patch does not deform"));
    };
    let recovered = model.recover(&state.displacement, None, &state.history).map_err(Failure::other)?;
    let apart = |of: &dyn Fn(usize) -> Vec<f64>| {
        let first = of(0);
        let size = first.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let off = (0..recovered.points.len()).flat_map(|k| {
            let own: Vec<f64> = of(k).iter().zip(&first).map(|(a, b)| (a - b).abs()).collect();
            own
        });
        off.fold(0.0, f64::max) / size
    };
    let stress = apart(&|k| recovered.points[k].stress.to_vec());
    let plastic = apart(&|k| recovered.points[k].history.to_numbers());
    let flowed = recovered.points[0].history.to_numbers().last().copied().unwrap_or(0.0);
    let nodes = model.mesh().nodes();
    let time = simulation.time();
    // the mesh stands about its centre of mass, of which only differences know nothing
    let place = |node: usize, axis: usize| {
        let from = |k: usize| nodes[node][k] - nodes[0][k];
        let led = time * (gradient[axis][0] * from(0) + gradient[axis][1] * from(1));
        state.displacement[2 * node + axis] - state.displacement[axis] - led
    };
    let moved = (0..nodes.len()).flat_map(|node| (0..2).map(move |axis| (node, axis)));
    let lost = moved.map(|(node, axis)| place(node, axis).abs()).fold(0.0, f64::max);
    Ok([stress, plastic, flowed, lost])
}

/// Distorted elements, led by their border into a uniform strain with shear, at which they flow.
pub fn patch() -> Result<Vec<Comparison>, Failure> {
    let mut rows = Vec::new();
    for kind in ["T3", "Q4", "T6", "Q8"] {
        let gradient = [[0.3, 0.25], [-0.1, -0.5]];
        let given = scene(&DistortedPatch::new(kind).text(kind, gradient))?;
        let mut simulation = plane(&given)?;
        let mut worst = [0.0_f64; 4];
        for _ in 0..20 {
            simulation.step();
            let found = unevenness(&simulation, gradient)?;
            worst = std::array::from_fn(|k| worst[k].max(found[k]));
        }
        let [stress, plastic, flowed, lost] = worst;
        rows.push(Comparison::absolute(format!("{kind}: stress, largest difference"), 0.0, stress, 1e-10));
        rows.push(Comparison::absolute(format!("{kind}: plastic strain, the same"), 0.0, plastic, 1e-10));
        rows.push(Comparison::absolute(format!("{kind}: nodes out of place [m]"), 0.0, lost, 1e-10));
        rows.push(Comparison::fact(format!("{kind}: it flows"), flowed > 0.05));
    }
    Ok(rows)
}
