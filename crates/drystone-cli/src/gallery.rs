//! The scenes that come with the command. Small ones are the files of `scenes/`, large ones are
//! specifications made from a few numbers, written with their comments.

mod cases;
mod commented;
mod grains;
mod landslide;
mod periodic;

use crate::failure::Failure;
pub use cases::{cases, last_figures};
use commented::Commented;

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
    Made(fn() -> Commented),
}

impl Template {
    /// The scene file.
    pub fn text(&self) -> String {
        match self.text {
            Text::File(text) => text.to_owned(),
            Text::Made(make) => make().text(),
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
        text: Text::Made(grains::collapse),
        beside: None,
    },
    Template {
        name: "settle",
        dimension: 2,
        about: "5,000 disks of many sizes settle in a box",
        text: Text::Made(grains::settle),
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
