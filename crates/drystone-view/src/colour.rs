//! Colours and what they stand for. Every choice of colour is made here, none in the back ends.

use crate::picture::Item;
use crate::style::{ColourBy, Style};

/// Red, green, blue and opacity, from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Colour {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
    pub alpha: u8,
}

const fn hex(rgb: u32) -> Colour {
    Colour { red: (rgb >> 16) as u8, green: (rgb >> 8) as u8, blue: rgb as u8, alpha: 255 }
}

pub(crate) const PAPER: Colour = hex(0xffffff);
pub(crate) const INK: Colour = hex(0x2b2d33);
pub(crate) const FAINT_INK: Colour = hex(0x7b7f88);
pub(crate) const GRID: Colour = hex(0xe4e6ea);
pub(crate) const GROUND: Colour = hex(0xebe7e0);
pub(crate) const GROUND_LINE: Colour = hex(0x6f675c);
pub(crate) const SUPPORT: Colour = hex(0xc8c5bf);
pub(crate) const STONE: Colour = hex(0xcdbfa8);
pub(crate) const STICK: Colour = hex(0x23476f);
pub(crate) const SLIP: Colour = hex(0xd1492e);
pub(crate) const ARROW: Colour = hex(0x1d7a5a);

/// Muted colours that stay apart from each other and from the force chains.
const GROUPS: [Colour; 8] = [
    hex(0xd9c3a0), // sandstone
    hex(0x9fb8c8), // slate
    hex(0xb5c9a3), // lichen
    hex(0xdba99a), // brick
    hex(0xc3b1d1), // heather
    hex(0xe3d28b), // ochre
    hex(0x93c4b8), // copper
    hex(0xc9a98f), // clay
];

/// Lines of a plot.
pub(crate) const SERIES: [Colour; 12] = [
    hex(0x23476f),
    hex(0xd1492e),
    hex(0x1d7a5a),
    hex(0xb8860b),
    hex(0x7a4fa3),
    hex(0x4f9bc9),
    hex(0x8a5a44),
    hex(0x5f6672),
    hex(0xe377b5),
    hex(0x7fb53a),
    hex(0x111318),
    hex(0xf0a23c),
];

/// Stops of the map for speeds: stone at rest, darker and bluer the faster, even in lightness.
const MAP: [Colour; 8] = [
    hex(0xe9e3d5),
    hex(0xcbdcc6),
    hex(0x9ccdc0),
    hex(0x66b3bf),
    hex(0x3f90b8),
    hex(0x3369a5),
    hex(0x36458d),
    hex(0x3a2670),
];

impl Colour {
    pub fn with_alpha(self, alpha: u8) -> Colour {
        Colour { alpha, ..self }
    }

    /// The colour `part` of the way to another, from 0 to 1; keeps its own opacity.
    pub fn mix(self, other: Colour, part: f64) -> Colour {
        let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
        let blend = |a: u8, b: u8| (a as f64 + (b as f64 - a as f64) * part + 0.5) as u8;
        Colour {
            red: blend(self.red, other.red),
            green: blend(self.green, other.green),
            blue: blend(self.blue, other.blue),
            alpha: self.alpha,
        }
    }

    /// The colour under a light of this strength; 1 leaves it as it is.
    pub fn lit(self, light: f64) -> Colour {
        if light <= 1.0 { self.mix(hex(0x14141c), 1.0 - light) } else { self.mix(PAPER, light - 1.0) }
    }

    pub fn darker(self) -> Colour {
        self.lit(0.55)
    }
}

/// Colour of the speed map at a part of the largest speed.
pub(crate) fn map(part: f64) -> Colour {
    let place = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 } * (MAP.len() - 1) as f64;
    let below = (place.floor() as usize).min(MAP.len() - 2);
    MAP[below].mix(MAP[below + 1], place - below as f64)
}

/// Colour of a value of a field, given that of the last colour; lines over it need a quiet ground.
pub(crate) fn of_value(value: f64, largest: f64, style: &Style) -> Colour {
    let colour = map(if largest > 0.0 { value / largest } else { 0.0 });
    if style.show.forces() || style.show.velocities() { colour.mix(PAPER, 0.45) } else { colour }
}

/// Colour of a body, given the largest speed of the picture \[m/s\].
pub(crate) fn of_item(item: &Item, speed: f64, largest_speed: f64, style: &Style) -> Colour {
    let colour = match style.colour_by {
        _ if item.fixed => SUPPORT,
        ColourBy::Speed => {
            return map(if largest_speed > 0.0 { speed / largest_speed } else { 0.0 });
        }
        ColourBy::Group => GROUPS[item.group as usize % GROUPS.len()],
        ColourBy::None => STONE,
    };
    // stones of one kind still differ a little
    let colour = if item.fixed { colour } else { colour.lit(0.93 + 0.14 * scatter(item.body)) };
    // lines over the bodies need a quiet ground
    if style.show.forces() || style.show.velocities() { colour.mix(PAPER, 0.45) } else { colour }
}

/// A number from 0 to 1 that depends on the body alone.
fn scatter(body: u32) -> f64 {
    let mixed = (body ^ 0x9e37_79b9).wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
    ((mixed ^ (mixed >> 16)) & 0xffff) as f64 / 65535.0
}
