//! Elastic blocks on their edges: so stiff that they rock as rigid ones do, and the pressure under the toe of
//! blocks with a load off their middle.

use super::shocks::{Shock, first_shock};
use super::{Comparison, plane, run_through, scene};
use crate::failure::Failure;
use drystone::Simulation;
use std::fmt::Write as _;

const G: f64 = 9.81;

/// A rectangle of quadrangles about its middle, with the upper faces as groups `top0`, `top1`, ...
struct BlockMesh {
    size: [f64; 2],
    cells: [usize; 2],
    quadratic: bool,
}

impl BlockMesh {
    /// Its shape as the text of a scene.
    fn shape(&self) -> String {
        let [wide, high] = self.cells;
        let spacing = if self.quadratic { 2 } else { 1 };
        // the nodes of a grid that is twice as fine, less the middles of cells
        let (columns, rows) = (spacing * wide + 1, spacing * high + 1);
        let is_node = |i: usize, j: usize| !self.quadratic || i.is_multiple_of(2) || j.is_multiple_of(2);
        let mut number = vec![0; columns * rows];
        let mut nodes: Vec<[f64; 2]> = Vec::new();
        for (i, j) in (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j))) {
            if is_node(i, j) {
                number[j * columns + i] = nodes.len();
                let share = |k: usize, of: usize| k as f64 / (of - 1) as f64 - 0.5;
                nodes.push([self.size[0] * share(i, columns), self.size[1] * share(j, rows)]);
            }
        }
        let at = |i: usize, j: usize| number[j * columns + i];
        let mut cells: Vec<Vec<usize>> = Vec::new();
        for (i, j) in (0..high).flat_map(|j| (0..wide).map(move |i| (i * spacing, j * spacing))) {
            let s = spacing;
            let mut cell = vec![at(i, j), at(i + s, j), at(i + s, j + s), at(i, j + s)];
            if self.quadratic {
                cell.extend([at(i + 1, j), at(i + 2, j + 1), at(i + 1, j + 2), at(i, j + 1)]);
            }
            cells.push(cell);
        }
        let kind = if self.quadratic { "Q8" } else { "Q4" };
        let mut text = format!("[body.shape.elements]\nnodes = {nodes:?}\n");
        let _ = writeln!(text, "elements = [{{ kind = \"{kind}\", nodes = {cells:?} }}]");
        for face in 0..wide {
            let ends = [at(face * spacing, rows - 1), at((face + 1) * spacing, rows - 1)];
            let _ = writeln!(text, "groups.top{face}.faces = [{ends:?}]");
        }
        text
    }

    /// Where the middle of an upper face lies across.
    fn face(&self, face: usize) -> f64 {
        self.size[0] * ((face as f64 + 0.5) / self.cells[0] as f64 - 0.5)
    }
}

/// A block that rocks. Its outermost contacts are spread over the facet at the edge: it turns about a point a
/// third of that facet from the edge, as a rigid block does that stands on two points there.
struct Rocker {
    block: BlockMesh,
    /// From the middle to that point \[m\].
    arm: [f64; 2],
}

impl Rocker {
    fn new(size: [f64; 2], cells: [usize; 2]) -> Self {
        let arm = [0.5 * size[0] - size[0] / (3.0 * cells[0] as f64), 0.5 * size[1]];
        Self { block: BlockMesh { size, cells, quadratic: false }, arm }
    }

    fn alpha(&self) -> f64 {
        (self.arm[0] / self.arm[1]).atan()
    }

    /// Moment of inertia about the middle and about the point, over the mass.
    fn inertia(&self) -> [f64; 2] {
        let middle = self.block.size.iter().map(|x| x * x).sum::<f64>() / 12.0;
        [middle, middle + self.arm.iter().map(|x| x * x).sum::<f64>()]
    }

    /// What a shock leaves of the spin: momentum about the point on the other side is kept.
    fn ratio(&self) -> f64 {
        let [middle, about] = self.inertia();
        (middle + self.arm[1].powi(2) - self.arm[0].powi(2)) / about
    }

    /// Follows it from a tilt to the right and a spin to its first shock.
    fn follow(&self, tilt: f64, spin: f64, step: f64, young: f64) -> Result<Shock, Failure> {
        let (sin, cos) = (-tilt).sin_cos();
        let point = [cos * self.arm[0] + sin * self.arm[1], sin * self.arm[0] - cos * self.arm[1]];
        let mut text = format!("dimension = 2\ntime = {{ step = {step:?}, duration = 1.0 }}\n");
        let _ = writeln!(text, "solver.tolerance = 1e-12\ndetection.alert = 1e-3");
        let _ = writeln!(text, "materials.m = {{ density = 2000, young = {young:?}, poisson = 0.0 }}");
        let _ = writeln!(text, "[[body]]\nname = \"ground\"\nshape.line = {{}}\nfixed = true");
        let _ = writeln!(text, "[[body]]\nname = \"block\"\nmaterial = \"m\"\ndeform = {{}}");
        let _ = writeln!(text, "position = {:?}\nangle = {:?}", point.map(|x| -x), -tilt);
        let _ = writeln!(text, "velocity = {:?}\nspin = {spin:?}", [spin * point[1], -spin * point[0]]);
        text += &self.block.shape();
        text += "[[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 5.0\n";
        first_shock(&scene(&text)?, 1.0)
    }
}

/// Blocks so stiff that a wave crosses them a hundred times in a step; one with a hundredth of their modulus
/// is not yet rigid.
pub fn rocking() -> Result<Vec<Comparison>, Failure> {
    let squat = |facets: usize| Rocker::new([1.0, 2.0], [facets, 4]);
    let shock = |facets: usize, young: f64| squat(facets).follow(0.01, 1.0, 1e-5, young);
    let (coarse, fine) = (shock(10, 1e18)?.ratio, shock(20, 1e18)?.ratio);
    let softer = shock(20, 1e16)?.ratio;
    let off = |ratio: f64| (ratio - squat(20).ratio()).abs();
    let slender = Rocker::new([0.1, 2.0], [10, 10]);
    let tilt = 0.4 * slender.alpha();
    let quarter = slender.follow(tilt, 0.0, 1e-4, 1e14)?.time;
    let p = (G * slender.arm.iter().map(|x| x * x).sum::<f64>().sqrt() / slender.inertia()[1]).sqrt();
    let alpha = 0.5f64.atan();
    Ok(vec![
        Comparison::relative("spin after over before, 10 facets", squat(10).ratio(), coarse, 1e-3),
        Comparison::relative("spin after over before, 20 facets", squat(20).ratio(), fine, 1e-3),
        Comparison::fact("ten times as near as with a hundredth of E", off(fine) < 0.1 * off(softer)),
        Comparison::relative(
            "the same, facets without length",
            1.0 - 1.5 * alpha.sin().powi(2),
            2.0 * fine - coarse,
            // what is left of the extrapolation is of the order of the square of the facets
            3e-3,
        ),
        Comparison::relative("period [s]", 4.0 * (1.0f64 / 0.6).acosh() / p, 4.0 * quarter, 5e-3),
    ])
}

/// Place and pressure of every contact that presses.
fn pressures(simulation: &Simulation<2>) -> Vec<[f64; 2]> {
    let h = simulation.settings().step;
    let pressing = simulation.interactions().iter().filter(|contact| contact.r[0] > 0.0);
    pressing.map(|contact| [contact.point[0], contact.r[0] / (h * contact.area)]).collect()
}

const AT_REST: &str = "dimension = 2\ngravity = [0.0, 0.0]\ntime = { step = 0.2, duration = 6.0, theta = 1.0 }\n\
     solver.tolerance = 1e-12\nmaterials.block = { density = 1000, young = 1e10, poisson = 0.0 }\n\
     materials.layer = { density = 1000, young = 1e6, poisson = 0.0 }\n";

/// A block on a plane under forces that are linear across: so is the one on its foot, at the toe
/// `(1 + 6 e/b) P/b`.
fn within_kern() -> Result<Vec<Comparison>, Failure> {
    let block = BlockMesh { size: [1.0, 2.0], cells: [8, 16], quadratic: true };
    let given: Vec<[f64; 2]> = (0..8).map(|k| [block.face(k), 1e4 * (1.0 + 1.8 * block.face(k))]).collect();
    let force: f64 = given.iter().map(|[_, p]| p / 8.0).sum();
    let off = given.iter().map(|[x, p]| x * p / 8.0).sum::<f64>() / force;
    let mut text = String::from(AT_REST);
    let _ = writeln!(text, "[[body]]\nname = \"ground\"\nshape.line = {{}}\nfixed = true");
    let _ = writeln!(text, "[[body]]\nname = \"block\"\nmaterial = \"block\"\nposition = [0.0, 1.0]");
    text += &block.shape();
    let _ = writeln!(text, "[body.deform]\nload = [");
    for (face, [_, pressure]) in given.iter().enumerate() {
        let _ = writeln!(text, "  {{ group = \"top{face}\", force = [0.0, {:?}] }},", -pressure / 8.0);
    }
    text += "]\n[[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.0\n";
    let given = scene(&text)?;
    let mut simulation = plane(&given)?;
    run_through(&given, &mut simulation);
    let exact = |x: f64| force * (1.0 + 12.0 * off * x);
    let (mut worst, mut toe) = (0.0_f64, 0.0_f64);
    for contact in simulation.interactions() {
        // contacts belong to vertices, a sixteenth apart
        let vertex = (contact.point[0] * 16.0).round() / 16.0;
        let found = contact.r[0] / (given.time.step * contact.area);
        worst = worst.max((found - exact(vertex)).abs() / force);
        toe = if vertex > 0.49 { found } else { toe };
    }
    // the block bends aside by 3.5 µm, of which the pressure at the toe feels six times as much over the
    // width
    let tolerance = 1e-4;
    Ok(vec![
        Comparison::fact("load within the kern", off < 1.0 / 6.0),
        Comparison::relative("within the kern: pressure at the toe [Pa]", exact(0.5), toe, tolerance),
        Comparison::absolute("within the kern: pressure, largest error", 0.0, worst, tolerance),
    ])
}

/// A stiff block on a thin layer with a load beyond the kern: pressure without tension is linear over
/// `3 (b/2 − e)`, at the toe `2 P / 3 (b/2 − e)`. Columns of the layer hold each other by its thickness over
/// that length.
fn beyond_kern() -> Result<Vec<Comparison>, Failure> {
    let (block, thickness, facet, load) =
        (BlockMesh { size: [1.0, 1.0], cells: [10, 10], quadratic: false }, 0.025, 0.025, 1e4);
    let off = block.face(7);
    let length = 3.0 * (0.5 - off);
    let mut text = String::from(AT_REST);
    let _ = writeln!(text, "[[body]]\nname = \"layer\"\nmaterial = \"layer\"");
    let _ = writeln!(text, "shape.box.size = [1.0, {thickness:?}]\nposition = [0.0, {:?}]", -0.5 * thickness);
    let _ = writeln!(text, "deform = {{ size = {facet:?}, hold = [{{ group = \"bottom\" }}] }}");
    let _ = writeln!(text, "[[body]]\nname = \"block\"\nmaterial = \"block\"\nposition = [0.0, 0.5]");
    text += &block.shape();
    let _ = writeln!(text, "[body.deform]\nload = [{{ group = \"top7\", force = [0.0, {:?}] }}]", -load);
    text += "[[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.3\n";
    let given = scene(&text)?;
    let mut simulation = plane(&given)?;
    run_through(&given, &mut simulation);
    let all = pressures(&simulation);
    let toe = all.iter().filter(|[x, _]| *x > 0.5 - 0.5 * facet).map(|[_, p]| *p).fold(0.0, f64::max);
    // between the outermost vertex that presses and the next one
    let heel = all.iter().map(|[x, _]| *x).fold(f64::INFINITY, f64::min) - 0.5 * facet;
    let force: f64 = simulation.interactions().iter().map(|contact| contact.r[0] / given.time.step).sum();
    let tolerance = thickness / length;
    Ok(vec![
        Comparison::relative("beyond the kern: force [N]", load, force, 1e-6),
        Comparison::relative(
            "beyond the kern: pressure at the toe [Pa]",
            2.0 * load / length,
            toe,
            tolerance,
        ),
        Comparison::absolute("beyond the kern: the foot lifts off at [m]", 0.5 - length, heel, facet),
    ])
}

/// Pressure on the feet of blocks whose load is off their middle.
pub fn toe() -> Result<Vec<Comparison>, Failure> {
    let mut rows = within_kern()?;
    rows.extend(beyond_kern()?);
    Ok(rows)
}
