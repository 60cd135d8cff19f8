//! The scenes that come with the command. Small ones are the files of `scenes/`, large ones are made from a
//! few numbers.

mod landslide;
mod periodic;

use crate::failure::Failure;
use drystone_math::Vector;
use drystone_samples::{grid_of_grains, radii};
use std::fmt::Write;

/// A scene to start from.
pub struct Template {
    /// Its name.
    pub name: &'static str,
    /// 2 or 3.
    pub dimension: u8,
    /// What it shows.
    pub about: &'static str,
    text: Text,
    /// A file that the scene reads: its name and text.
    pub beside: Option<(&'static str, &'static str)>,
}

enum Text {
    File(&'static str),
    Made(fn() -> String),
}

impl Template {
    /// The scene file.
    pub fn text(&self) -> String {
        match self.text {
            Text::File(text) => text.to_owned(),
            Text::Made(make) => make(),
        }
    }
}

macro_rules! scene {
    ($name:literal) => {
        Text::File(include_str!(concat!("../../../scenes/", $name, ".toml")))
    };
}

/// All of them; the first is the default of `new`.
pub const TEMPLATES: &[Template] = &[
    Template {
        name: "falling-disks",
        dimension: 2,
        about: "thirty disks fall into a box and come to rest",
        text: scene!("falling-disks"),
        beside: None,
    },
    Template {
        name: "falling-disk",
        dimension: 2,
        about: "the smallest scene: one disk falls on a line",
        text: scene!("falling-disk"),
        beside: None,
    },
    Template {
        name: "stack",
        dimension: 3,
        about: "a tower of ten crossed blocks stands by friction",
        text: scene!("stack"),
        beside: None,
    },
    Template {
        name: "arch",
        dimension: 2,
        about: "a semicircular arch of 21 stones carries itself",
        text: scene!("arch"),
        beside: None,
    },
    Template {
        name: "stars",
        dimension: 2,
        about: "pentagons, stars, flakes and disks fall into a box",
        text: scene!("stars"),
        beside: None,
    },
    Template {
        name: "flakes",
        dimension: 2,
        about: "500 flakes, clusters of rectangles and a disk, tangle in a box",
        text: scene!("flakes"),
        beside: None,
    },
    Template {
        name: "drum",
        dimension: 2,
        about: "disks in a turning drum",
        text: scene!("drum"),
        beside: None,
    },
    Template {
        name: "column",
        dimension: 3,
        about: "a column of ten cylindrical drums stands",
        text: scene!("column"),
        beside: None,
    },
    Template {
        name: "prisms",
        dimension: 3,
        about: "a tower of ten turned prisms stands face on face",
        text: scene!("prisms"),
        beside: None,
    },
    Template {
        name: "terrain",
        dimension: 3,
        about: "spheres roll down a terrain from a file of heights",
        text: scene!("terrain"),
        beside: Some(("terrain.asc", include_str!("../../../scenes/terrain.asc"))),
    },
    Template {
        name: "collapse",
        dimension: 2,
        about: "a column of disks and a column of boxes collapse (the demo)",
        text: Text::Made(collapse),
        beside: None,
    },
    Template {
        name: "settle",
        dimension: 2,
        about: "5,000 disks of many sizes settle in a box",
        text: Text::Made(settle),
        beside: None,
    },
    Template {
        name: "landslide",
        dimension: 2,
        about: "300 random polygons behind a gate that opens (A-CD²)",
        text: Text::Made(landslide::scene),
        beside: None,
    },
    Template {
        name: "biaxial",
        dimension: 2,
        about: "200 polygons between plates, wrapped in a membrane, shear along bands (A-CD²)",
        text: scene!("biaxial"),
        beside: None,
    },
    Template {
        name: "periodic-shear",
        dimension: 2,
        about: "2,000 disks sheared between rough walls in a periodic cell",
        text: Text::Made(periodic::shear),
        beside: None,
    },
    Template {
        name: "periodic-spheres",
        dimension: 3,
        about: "512 spheres sheared between rough walls in a cell periodic along x and y",
        text: Text::Made(periodic::spheres),
        beside: None,
    },
];

/// The template of a name.
pub fn find(name: &str) -> Result<&'static Template, Failure> {
    TEMPLATES.iter().find(|template| template.name == name).ok_or_else(|| {
        let names: Vec<&str> = TEMPLATES.iter().map(|template| template.name).collect();
        let near = names.iter().min_by_key(|known| strsim::damerau_levenshtein(known, name));
        let hint = near.filter(|known| strsim::damerau_levenshtein(known, name) <= 3);
        let hint = hint.map_or_else(String::new, |known| format!(". Did you mean \"{known}\"?"));
        Failure::bad_input(format!("no template \"{name}\"; there are: {}{hint}", names.join(", ")))
    })
}

/// Two columns, one of disks and one of boxes, dropped side by side.
fn collapse() -> String {
    let mut text = String::from(
        r#"# A column of disks and a column of boxes collapse side by side: disks flow, boxes arch and stack.

title = "Collapse of a column of disks and a column of boxes"
dimension = 2

[time]
step = 2e-3                       # s
duration = 1.8                    # s

[solver]
tolerance = 1e-4                  # of the typical impulse, at the worst contact

[output]
interval = 0.02                   # s

[materials.stone]
density = 2600                    # kg/m3, per metre of depth

[[law]]
between = ["*", "*"]
inelastic.friction = 0.5

[[body]]
name = "ground"
group = "ground"
shape.line = {}
fixed = true

[[body]]
name = "left wall"
group = "ground"
shape.line = {}
position = [-1.6, 0.0]
angle_degrees = -90
fixed = true

[[body]]
name = "right wall"
group = "ground"
shape.line = {}
position = [1.6, 0.0]
angle_degrees = 90
fixed = true

"#,
    );
    let (columns, count) = (8, 8 * 20);
    let sizes = radii(count, 0.025, 0.05, 1);
    for (index, grain) in grid_of_grains(&sizes, columns, Vector::<2>::new(-1.59, 0.0), 2).iter().enumerate()
    {
        let [x, y]: [f64; 2] = grain.position.into();
        let _ = writeln!(
            text,
            "[[body]]\nname = \"disk {}\"\ngroup = \"disks\"\nmaterial = \"stone\"\nshape.disk.radius = {:.4}\n\
             position = [{x:.4}, {y:.4}]\n",
            index + 1,
            grain.radius - 1e-4,
        );
    }
    let sizes = radii(count, 0.03, 0.05, 3);
    for (index, grain) in grid_of_grains(&sizes, columns, Vector::<2>::new(0.79, 0.0), 4).iter().enumerate() {
        let [x, y]: [f64; 2] = grain.position.into();
        // a box inside the circle of the grain, of changing slenderness, turned at random by a fixed rule
        let slender = 0.5 + 0.4 * ((index * 7919 % 101) as f64 / 100.0);
        let (width, height) = (2.0 * grain.radius * slender.cos(), 2.0 * grain.radius * slender.sin());
        let angle = (index * 104_729 % 180) as f64;
        let _ = writeln!(
            text,
            "[[body]]\nname = \"box {}\"\ngroup = \"boxes\"\nmaterial = \"stone\"\n\
             shape.box.size = [{width:.4}, {height:.4}]\nposition = [{x:.4}, {y:.4}]\nangle_degrees = {angle}\n",
            index + 1,
        );
    }
    text
}

/// Disks of many sizes between three walls.
fn settle() -> String {
    let (columns, count) = (70, 5000);
    let (smallest, largest) = (0.005, 0.015);
    let width = columns as f64 * 2.0 * largest;
    let mut text = format!(
        r#"# {count} disks with radii from {smallest} to {largest} m fall into a box and settle.

title = "{count} disks settle in a box"
dimension = 2

[time]
step = 1e-3                       # s
duration = 2.5                    # s

[solver]
tolerance = 1e-4                  # of the typical impulse, at the worst contact

[output]
interval = 0.05                   # s
surfaces = false

[equilibrium]
speed = 1e-3                      # m/s
steps = 50

[materials.stone]
density = 2600                    # kg/m3, per metre of depth

[[law]]
between = ["*", "*"]
inelastic.friction = 0.4

[[body]]
name = "floor"
group = "walls"
shape.line = {{}}
fixed = true

[[body]]
name = "left wall"
group = "walls"
shape.line = {{}}
angle_degrees = -90
fixed = true

[[body]]
name = "right wall"
group = "walls"
shape.line = {{}}
position = [{width}, 0.0]
angle_degrees = 90
fixed = true

"#
    );
    let sizes = radii(count, smallest, largest, 5);
    for (index, grain) in grid_of_grains(&sizes, columns, Vector::<2>::zeros(), 6).iter().enumerate() {
        let [x, y]: [f64; 2] = grain.position.into();
        let _ = writeln!(
            text,
            "[[body]]\nname = \"disk {}\"\ngroup = \"grains\"\nmaterial = \"stone\"\n\
             shape.disk.radius = {:.6}\nposition = [{x:.6}, {y:.6}]\n",
            index + 1,
            grain.radius - 1e-6,
        );
    }
    text
}
