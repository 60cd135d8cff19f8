//! How much memory and disk a run will take, told before it begins: what is written is counted by the layout
//! of the run folder, contacts are those of a dense heap, and bytes of memory are those that runs were
//! measured to take. Says nothing about time.

use crate::Scene;
use drystone::{Contactor, Shape, Simulation};

/// Memory of the command itself \[bytes\].
const COMMAND: u64 = 19_000_000;
/// Memory of a body and of a contact in the plane and in space \[bytes\], as measured on 20,000 disks and
/// 14,000 spheres, apart and pressed together.
const BODY: [u64; 2] = [4_500, 4_900];
const CONTACT: [u64; 2] = [3_400, 3_700];
/// The same of a corner and of a contact of polyhedra, of which each has more in reach: their patches have
/// many points, and the matrices between bodies with many of them are kept; as measured on 500 and 1,000 of
/// ten faces.
const POLYHEDRON_CORNER: u64 = 1_900;
const POLYHEDRON_CONTACT: u64 = 6_400;
const POLYHEDRON_CONTACTS: u64 = 18;
/// Memory of a node of a deformable body \[bytes\], its factors included.
const NODE: [u64; 2] = [3_500, 25_000];
/// Bytes of a body and a contact in a checkpoint, of which two are kept.
const KEPT_BODY: u64 = 130;
const KEPT_CONTACT: [u64; 2] = [155, 185];
/// Bytes of a line of the table of all steps, and of a number in a table.
const STEP_LINE: u64 = 310;
const NUMBER: u64 = 20;
/// What each file of frames takes for its structure, however little it holds \[bytes\].
const FILE: u64 = 45_000;
/// Numbers of a body, a contact and a surface point in each frame \[bytes\]; of a body that comes or goes its
/// name and sizes as well.
const FRAME_BODY: u64 = 136;
const OPEN_BODY: u64 = 36;
const FRAME_CONTACT: u64 = 209;
const FRAME_POINT: u64 = 24;
/// Corners of surfaces that are written unasked: a quarter of a megabyte a frame at most.
const FEW_CORNERS: u64 = 20_000;
/// Beside, where bodies are deformable: all digits, and columns of displacement, stress and plastic strain.
const FRAME_SKIN: u64 = 88;
/// Numbers of a node in each frame of the file of elements, and what that file holds beside of the elements
/// around it \[bytes\].
const FRAME_NODE: u64 = 256;
const FIXED_NODE: u64 = 50;
/// Beside, of a contact where bodies are deformable: area and pressure \[bytes\].
const FRAME_AREA: u64 = 16;
/// What the file of the bodies holds of each beside its frames, and the scene that is kept with the run.
const FIXED_BODY: u64 = 100;
const SCENE_BODY: u64 = 240;

/// What a run is made of.
#[derive(Clone, Copy, Default)]
struct Counts {
    bodies: u64,
    contacts: u64,
    /// Points of all surfaces, those of skins among them.
    points: u64,
    skin_points: u64,
    /// Faces of surfaces and the corners of all of them.
    faces: u64,
    corners: u64,
    /// Triangles that the faces are cut into where bodies come and go.
    triangles: u64,
    /// Corners that the scene writes as numbers.
    written: u64,
    /// Polyhedra, which are parts of bodies.
    polyhedra: u64,
    nodes: u64,
}

impl Counts {
    fn of<const D: usize>(simulation: &Simulation<D>) -> Self {
        let is_ball = |contactor: &&Contactor<D>| matches!(contactor.shape, Shape::Ball { .. });
        // as the file of the surfaces draws them
        let many = simulation.contactors().iter().filter(is_ball).count() > 500;
        let mut counts = Self { bodies: simulation.bodies().len() as u64, ..Self::default() };
        let (mut has_piece, mut further) = (vec![false; simulation.bodies().len()], 0);
        for contactor in simulation.contactors() {
            let is_piece = D == 2 && matches!(contactor.shape, Shape::Polytope(_));
            let has = has_piece.get_mut(contactor.body as usize).filter(|_| is_piece);
            match has.is_some_and(|has| std::mem::replace(has, true)) {
                true => further += 1,
                false => counts.contacts += expected_contacts(&contactor.shape),
            }
            counts.polyhedra += u64::from(D == 3 && matches!(contactor.shape, Shape::Polytope(_)));
            counts.surface(&contactor.shape, many);
        }
        counts.contacts += further / 2;
        for body in 0..simulation.bodies().len() {
            let model = simulation.solids().model(body);
            counts.nodes += model.map_or(0, |model| model.mesh().nodes().len() as u64);
        }
        counts
    }

    fn surface<const D: usize>(&mut self, shape: &Shape<D>, many: bool) {
        let (points, faces, corners) = match shape {
            Shape::Ball { .. } if D == 2 => (32, 1, 32),
            Shape::Ball { .. } if many => (42, 80, 240),
            Shape::Ball { .. } => (162, 320, 960),
            Shape::HalfSpace => (2 * D as u64 - 2, 1, 2 * D as u64 - 2),
            Shape::Polytope(polytope) => {
                let vertices = polytope.vertices().len() as u64;
                self.written += vertices;
                let faces = polytope.faces();
                let corners: usize = faces.iter().map(|face| face.vertices.len()).sum();
                if D == 2 { (vertices, 1, vertices) } else { (vertices, faces.len() as u64, corners as u64) }
            }
            other => {
                let skin = other.skin(48);
                let corners: usize = skin.faces.iter().map(Vec::len).sum();
                (skin.points.len() as u64, skin.faces.len() as u64, corners as u64)
            }
        };
        self.points += points;
        self.faces += faces;
        self.corners += corners;
        self.triangles += corners.saturating_sub(2 * faces).max(1);
        if let Shape::Skin(_) = shape {
            self.skin_points += points;
        }
    }

    /// The bodies that sources drop, half of whose time in the run has passed when they come.
    fn with_sources(mut self, scene: &Scene, share: f64) -> Self {
        for source in &scene.sources {
            let time = (scene.time.duration - source.start).max(0.0);
            let most = source.rate.map_or(f64::INFINITY, |rate| rate * time);
            let count = (f64::from(source.count).min(most) * share) as u64;
            let per_body = [[2, 32, 1, 32, 30], [3, 42, 80, 240, 80]][scene.dimension.clamp(2, 3) - 2];
            let [contacts, points, faces, corners, triangles] = per_body.map(|of: u64| of * count);
            self.bodies += count;
            self.contacts += contacts;
            self.points += points;
            self.faces += faces;
            self.corners += corners;
            self.triangles += triangles;
        }
        self
    }
}

/// Contacts of a dense heap: every body touches 4 others in the plane and 6 in space, shared by two, at one
/// point for a ball and at the corners of a face otherwise. Pieces of a polygon hide each other: every
/// further one adds half a contact, as measured on stars of five pieces.
fn expected_contacts<const D: usize>(shape: &Shape<D>) -> u64 {
    match (shape, D) {
        (Shape::Ball { .. }, _) => D as u64,
        (Shape::HalfSpace, _) => 0,
        (Shape::Polytope(_), 2) => 4,
        (Shape::Polytope(_), _) => 12,
        (_, 2) => 2,
        _ => 6,
    }
}

/// Memory that a run will take \[bytes\].
pub(crate) fn memory<const D: usize>(scene: &Scene, simulation: &Simulation<D>) -> u64 {
    let counts = Counts::of(simulation).with_sources(scene, 1.0);
    let surfaces = match writes_surfaces(scene, simulation, scene.bodies_change()) {
        // points in the axes of their bodies and where they are, and all corners of faces, twice
        true => 110 * counts.points + 24 * counts.corners,
        false => 0,
    };
    let per = |of: [u64; 2]| of[D - 2];
    let of_polyhedra = 12 * counts.polyhedra;
    COMMAND
        + counts.bodies * per(BODY)
        + counts.contacts.saturating_sub(of_polyhedra) * per(CONTACT)
        + counts.polyhedra * POLYHEDRON_CONTACTS * POLYHEDRON_CONTACT
        + counts.nodes * per(NODE)
        + counts.written * if D == 3 { POLYHEDRON_CORNER } else { 200 }
        + surfaces
}

/// Whether the surfaces of the bodies are written in every frame: what the scene says, or else whether they
/// are small, or cannot be made again from the poses of the bodies. `simulation` is as the scene builds it.
pub fn writes_surfaces<const D: usize>(scene: &Scene, simulation: &Simulation<D>, open: bool) -> bool {
    let small = || Counts::of(simulation).points <= FEW_CORNERS;
    scene.output.surfaces.unwrap_or_else(|| open || !simulation.solids().is_empty() || small())
}

/// Size of the run folder at the end \[bytes\].
pub(crate) fn output<const D: usize>(scene: &Scene, simulation: &Simulation<D>, outputs: u64) -> u64 {
    let is_open = scene.bodies_change();
    let surfaces = writes_surfaces(scene, simulation, is_open);
    let counts = Counts::of(simulation).with_sources(scene, 0.5);
    // the frame at the start has no contacts
    let later = outputs.saturating_sub(1);
    let elements = scene.output.elements && counts.nodes > 0;
    let files = 1 + u64::from(scene.output.contacts) + u64::from(surfaces) + u64::from(elements);
    let mut bytes = Bytes(files * FILE);
    bytes.add(padded(counts.bodies, outputs), FRAME_BODY + if is_open { OPEN_BODY } else { 0 });
    bytes.add(counts.bodies, FIXED_BODY + SCENE_BODY + 2 * KEPT_BODY);
    bytes.add(counts.written, D as u64 * NUMBER);
    if scene.output.contacts {
        let area = if counts.nodes > 0 { FRAME_AREA } else { 0 };
        bytes.add(padded(counts.contacts, later), FRAME_CONTACT + area);
    }
    if elements {
        bytes.add(padded(counts.nodes, outputs), FRAME_NODE);
        bytes.add(counts.nodes, FIXED_NODE);
    }
    if surfaces {
        bytes.add(padded(counts.points, outputs), FRAME_POINT);
        if counts.skin_points > 0 {
            bytes.add(padded(counts.points, outputs), FRAME_SKIN);
        }
        match is_open {
            // corners, their number, the name and group of the body
            true => bytes.add(counts.triangles.saturating_mul(outputs), 24 + 8 + 20),
            false => {
                bytes.add(counts.corners, 8);
                bytes.add(counts.faces, 24);
            }
        }
    }
    let columns: u64 = scene.probes.iter().map(|probe| 2 + 2 * probe.columns().len() as u64).sum();
    bytes.add(scene.steps(), STEP_LINE + NUMBER * columns);
    bytes.add(counts.contacts, 2 * KEPT_CONTACT[D - 2]);
    bytes.add(counts.nodes, 32 * D as u64);
    bytes.0
}

/// A sum that ends at the largest number there is.
struct Bytes(u64);

impl Bytes {
    fn add(&mut self, count: u64, each: u64) {
        self.0 = self.0.saturating_add(count.saturating_mul(each));
    }
}

/// Rows of all frames as they lie in a file: pieces of about a frame, the last of them whole.
fn padded(rows: u64, frames: u64) -> u64 {
    let piece = match rows {
        0 => return 0,
        1..128 => rows * 128u64.div_ceil(rows),
        _ => rows.min(32_768),
    };
    rows.saturating_mul(frames).div_ceil(piece).max(1).saturating_mul(piece)
}
