//! A list of marks on a sheet, in pixels with y down, which the back ends put to paper. Knows no bodies and
//! no metres.

use crate::colour::Colour;
use crate::geometry::V2;

/// A sheet and what is drawn on it, in order.
pub(crate) struct Drawing {
    pub width: u32,
    pub height: u32,
    pub marks: Vec<Mark>,
}

pub(crate) enum Mark {
    Circle {
        centre: V2,
        radius: f64,
        paint: Paint,
    },
    Path {
        points: Vec<V2>,
        closed: bool,
        paint: Paint,
    },
    /// A polygon and its holes.
    Area {
        loops: Vec<Vec<V2>>,
        paint: Paint,
    },
    Text {
        at: V2,
        size: f64,
        anchor: Anchor,
        colour: Colour,
        text: String,
        upright: bool,
    },
    /// Opens and closes a group of marks; it only structures an SVG.
    Open(&'static str),
    Close,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Paint {
    pub fill: Option<Fill>,
    pub stroke: Option<(Colour, f64)>,
}

#[derive(Clone, Copy)]
pub(crate) enum Fill {
    Flat(Colour),
    /// A lit sphere. Only an SVG holds one: on a PNG, spheres are cast ray by ray before any mark is drawn.
    Ball(Colour),
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Paint {
    pub fn fill(colour: Colour) -> Paint {
        Paint { fill: Some(Fill::Flat(colour)), stroke: None }
    }

    pub fn stroke(colour: Colour, width: f64) -> Paint {
        Paint { fill: None, stroke: Some((colour, width)) }
    }

    pub fn outlined(colour: Colour, line: Colour, width: f64) -> Paint {
        Paint { fill: Some(Fill::Flat(colour)), stroke: Some((line, width)) }
    }
}

impl Drawing {
    pub fn new(canvas: [u32; 2]) -> Drawing {
        Drawing { width: canvas[0], height: canvas[1], marks: Vec::new() }
    }

    pub fn line(&mut self, points: Vec<V2>, colour: Colour, width: f64) {
        self.marks.push(Mark::Path { points, closed: false, paint: Paint::stroke(colour, width) });
    }

    pub fn polygon(&mut self, points: Vec<V2>, paint: Paint) {
        self.marks.push(Mark::Path { points, closed: true, paint });
    }

    pub fn rectangle(&mut self, low: V2, high: V2, paint: Paint) {
        self.polygon(vec![low, [high[0], low[1]], high, [low[0], high[1]]], paint);
    }

    pub fn circle(&mut self, centre: V2, radius: f64, paint: Paint) {
        self.marks.push(Mark::Circle { centre, radius, paint });
    }

    pub fn text(&mut self, at: V2, size: f64, anchor: Anchor, colour: Colour, text: impl Into<String>) {
        let text = text.into();
        self.marks.push(Mark::Text { at, size, anchor, colour, text, upright: false });
    }

    /// Text that reads from bottom to top.
    pub fn upright_text(&mut self, at: V2, size: f64, colour: Colour, text: impl Into<String>) {
        let text = text.into();
        self.marks.push(Mark::Text { at, size, anchor: Anchor::Middle, colour, text, upright: true });
    }
}
