//! The scenes of `drystone bench run`, of any size. Written as scene files, so that another program can be
//! given the same; measures nothing.

use std::fmt::Write;

/// A kind of scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Case {
    /// Disks deposited in a box, in the plane.
    Disks,
    /// Spheres deposited in a box.
    Spheres,
    /// Convex polyhedra of eight faces in a box.
    Polyhedra,
    /// A wall of bricks in running bond, in space.
    Wall,
    /// Spheres in a drum that turns.
    Drum,
}

/// What a tolerance is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Criterion {
    /// The worst contact.
    #[default]
    Worst,
    /// The root mean square over all contacts.
    Mean,
}

impl Criterion {
    /// Its word in scenes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Worst => "worst",
            Self::Mean => "mean",
        }
    }
}

/// What a case is run with unless told otherwise.
pub struct Defaults {
    /// Bodies that move: a table has a row for each.
    pub bodies: &'static [u64],
    /// Steps before the clock starts: what was laid down comes to rest, or into motion.
    pub settle: u64,
}

impl Case {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Disks, Self::Spheres, Self::Polyhedra, Self::Wall, Self::Drum];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Disks => "disks",
            Self::Spheres => "spheres",
            Self::Polyhedra => "polyhedra",
            Self::Wall => "wall",
            Self::Drum => "drum",
        }
    }

    /// Its usual sizes. What is laid down brick by brick stands where it is put. Balls put on each other do
    /// not: 5,000 disks slide and roll for 600 steps before they are at rest. Polyhedra are put down as the
    /// balls around them and fall together, a drum must turn.
    pub fn defaults(self) -> Defaults {
        let (bodies, settle): (&[u64], u64) = match self {
            Self::Disks => (&[5_000, 20_000], 700),
            Self::Spheres => (&[2_000, 10_000], 300),
            Self::Polyhedra => (&[1_000], 150),
            Self::Wall => (&[527], 20),
            Self::Drum => (&[500], 300),
        };
        Defaults { bodies, settle }
    }

    /// The scene with about so many bodies that move, to this tolerance of the criterion.
    pub fn scene(self, bodies: u64, tolerance: f64, criterion: Criterion) -> String {
        let mut text = format!(
            "title = \"bench: {bodies} {}\"\ndimension = {}\n\
             time = {{ step = {:e}, duration = 10.0 }}\noutput.interval = 10.0\nsolver.tolerance = {tolerance:e}\n\
             solver.criterion = \"{}\"\n",
            self.name(),
            if self == Self::Disks { 2 } else { 3 },
            if self == Self::Wall { 2e-3 } else { 1e-3 },
            criterion.name(),
        );
        match self {
            Self::Disks => disks(&mut text, bodies),
            Self::Spheres => boxed(&mut text, bodies, ""),
            Self::Polyhedra => boxed(
                &mut text,
                bodies,
                "grains.form.polyhedron = { faces = 8, angularity = 0.3, elongation = 1.2 }\n",
            ),
            Self::Wall => wall(&mut text, bodies),
            Self::Drum => drum(&mut text, bodies),
        }
        text.push_str("[[law]]\nbetween = [\"*\", \"*\"]\ninelastic.friction = 0.5\n");
        text
    }
}

/// Mean radius of grains \[m\].
const RADIUS: f64 = 0.005;
const SIZES: &str = "grains.sizes.uniform = { smallest = 0.004, largest = 0.006, by = \"number\" }\n";

/// A box as deep as wide.
fn disks(text: &mut String, bodies: u64) {
    let width = 2.0 * RADIUS * (bodies as f64).sqrt();
    let walls = [("floor", [0.0, 0.0], 0), ("left", [0.0, 0.0], -90), ("right", [width, 0.0], 90)];
    for (name, position, angle) in walls {
        let _ = writeln!(
            text,
            "[[body]]\nname = \"{name}\"\nshape.line = {{}}\nfixed = true\nposition = {position:?}\nangle_degrees = {angle}"
        );
    }
    let high = 2.0 * width;
    let _ = writeln!(
        text,
        "[[sample]]\nname = \"disk\"\ndensity = 2600\nseed = 1\n\
         grains.region.box = {{ low = [0.0, 0.0], high = [{width:.6}, {high:.6}] }}\n{SIZES}\
         grains.packing.deposit = {{}}\ngrains.count = {bodies}"
    );
}

/// A bed about as deep as wide up to a few thousand grains, and not deeper than twenty of them with more.
fn boxed(text: &mut String, bodies: u64, form: &str) {
    let layers = (bodies as f64).cbrt().min(20.0);
    let width = 2.0 * RADIUS * (bodies as f64 / layers).sqrt();
    let _ = writeln!(text, "[[body]]\nname = \"floor\"\nshape.plane = {{}}\nfixed = true");
    let sides = [
        ("left", [0.0, 0.0, 0.0], [0, 1, 0], 90),
        ("right", [width, 0.0, 0.0], [0, 1, 0], -90),
        ("front", [0.0, 0.0, 0.0], [1, 0, 0], -90),
        ("back", [0.0, width, 0.0], [1, 0, 0], 90),
    ];
    for (name, position, axis, angle) in sides {
        let _ = writeln!(
            text,
            "[[body]]\nname = \"{name}\"\nshape.plane = {{}}\nfixed = true\nposition = {position:?}\n\
             rotation = {{ axis = {axis:?}, angle_degrees = {angle} }}"
        );
    }
    let high = 4.0 * RADIUS * layers;
    let _ = writeln!(
        text,
        "[[sample]]\nname = \"grain\"\ndensity = 2600\nseed = 1\n\
         grains.region.box = {{ low = [0.0, 0.0, 0.0], high = [{width:.6}, {width:.6}, {high:.6}] }}\n{SIZES}\
         grains.packing.deposit = {{}}\ngrains.count = {bodies}\n{form}"
    );
}

/// About twice as long as high.
fn wall(text: &mut String, bricks: u64) {
    let courses = ((bricks as f64 / 2.0).sqrt().round() as u64).max(1);
    let length = 0.25 * (bricks as f64 / courses as f64).round();
    let _ = writeln!(
        text,
        "[[body]]\nname = \"ground\"\nshape.plane = {{}}\nfixed = true\n\
         [[sample]]\nname = \"brick\"\ndensity = 1900\n\
         masonry.wall = {{ length = {length:?}, courses = {courses}, stone_length = 0.25, course_height = 0.125, \
         thickness = 0.125, bond = \"running\" }}"
    );
}

/// A third full.
fn drum(text: &mut String, bodies: u64) {
    let radius = 2.0 * RADIUS * (bodies as f64).cbrt();
    let _ = writeln!(
        text,
        "[[body]]\nname = \"drum\"\nshape.hollow_cylinder = {{ radius = {radius:.6}, height = {radius:.6} }}\n\
         rotation = {{ axis = [1, 0, 0], angle_degrees = 90 }}\n\
         drive = {{ x = 0.0, y = 0.0, z = 0.0, spin_x = 0.0, spin_y = 0.0, spin_z = 3.0 }}"
    );
    for (name, y, angle) in [("front", -0.5 * radius, -90), ("back", 0.5 * radius, 90)] {
        let _ = writeln!(
            text,
            "[[body]]\nname = \"{name}\"\nshape.plane = {{}}\nfixed = true\nposition = [0.0, {y:.6}, 0.0]\n\
             rotation = {{ axis = [1, 0, 0], angle_degrees = {angle} }}"
        );
    }
    let _ = writeln!(
        text,
        "[[sample]]\nname = \"grain\"\ndensity = 2600\nseed = 1\n\
         grains.region.drum = {{ centre = [0.0, 0.0, 0.0], radius = {radius:.6}, length = {radius:.6} }}\n{SIZES}\
         grains.packing.deposit = {{}}\ngrains.count = {bodies}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_scene::Scene;

    #[test]
    fn every_case_is_a_scene_of_about_its_size() {
        for case in Case::ALL {
            for bodies in [60, 300] {
                let text = case.scene(bodies, 1e-4, Criterion::Mean);
                let scene =
                    Scene::parse(&text, case.name()).unwrap_or_else(|error| panic!("{error}\n{text}"));
                let moving = scene.build().unwrap().bodies().len() as f64 - 5.0;
                let ratio = moving / bodies as f64;
                assert!((0.85..1.15).contains(&ratio), "{}: {moving} of {bodies}", case.name());
            }
        }
    }
}
