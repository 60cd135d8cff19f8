//! Ties over the bodies: a symbol for each kind of joint with its axis, lines for rods and wires, zigzags for
//! springs. Draws no force.

use crate::clip;
use crate::colour::{INK, PAPER};
use crate::drawing::{Drawing, Mark, Paint};
use crate::geometry::{V2, V3, dot, unit};
use crate::picture::{TieForm, TieSegment};
use crate::stage::Stage;
use crate::window::Window;

/// Turns of the zigzag of a spring.
const TURNS: usize = 8;
/// Half the length of an axis that lies in the sheet, in sizes of a symbol.
const AXIS: f64 = 3.4;
/// An axis that is seen shorter than this part of its length points at the viewer.
const HEAD_ON: f64 = 0.2;

/// Draws every tie that is in sight.
pub(crate) fn draw(stage: &Stage, window: &Window, drawing: &mut Drawing) {
    if stage.ties.is_empty() {
        return;
    }
    let size = (0.012 * window.canvas[0] as f64).clamp(3.0, 9.0);
    drawing.marks.push(Mark::Open("ties"));
    for tie in &stage.ties {
        let ends = tie.ends.map(|end| window.pixel(stage, end));
        if clip::segment(ends[0], ends[1], window.border()).is_some() || ends[0] == ends[1] {
            let axes = tie.axes.map(|axis| axis.and_then(|axis| SeenAxis::new(stage, axis)));
            Symbol { at: ends[0], size, drawing }.draw(tie, ends, axes);
        }
    }
    drawing.marks.push(Mark::Close);
}

/// An axis as it lies on the sheet.
#[derive(Clone, Copy)]
struct SeenAxis {
    /// Its direction there, a unit vector; level where it points at the viewer.
    along: V2,
    /// The part of its length that is seen, from 0 to 1.
    part: f64,
}

impl SeenAxis {
    fn new(stage: &Stage, axis: V3) -> Option<SeenAxis> {
        let axis = unit(axis)?;
        let seen = [dot(stage.eye.right, axis), -dot(stage.eye.up, axis)];
        let part = seen[0].hypot(seen[1]).min(1.0);
        let along = if part < HEAD_ON { [1.0, 0.0] } else { seen.map(|x| x / part) };
        Some(SeenAxis { along, part })
    }

    fn is_head_on(&self) -> bool {
        self.part < HEAD_ON
    }
}

/// The place of a symbol on the sheet.
struct Symbol<'a> {
    at: V2,
    size: f64,
    drawing: &'a mut Drawing,
}

impl Symbol<'_> {
    fn draw(&mut self, tie: &TieSegment, ends: [V2; 2], [axis, second]: [Option<SeenAxis>; 2]) {
        let size = self.size;
        let joint = !matches!(tie.form, TieForm::Rod | TieForm::Wire | TieForm::Spring);
        // what has slid leaves a line behind
        if joint && (ends[0][0] - ends[1][0]).hypot(ends[0][1] - ends[1][1]) > size {
            self.drawing.line(ends.to_vec(), INK, 0.15 * size);
        }
        match tie.form {
            TieForm::Weld => {
                let half = 0.55 * size;
                let [x, y] = self.at;
                let paint = Paint::outlined(INK, PAPER, 0.12 * size);
                self.drawing.rectangle([x - half, y - half], [x + half, y + half], paint);
            }
            TieForm::Ball => self.ball(),
            TieForm::Hinge => match axis {
                Some(axis) => self.hinge(axis),
                None => self.ring(self.at, 0.6),
            },
            TieForm::Slider | TieForm::Cylindrical | TieForm::Screw => self.carriage(tie.form, axis),
            TieForm::Universal => {
                axis.into_iter().chain(second).for_each(|axis| self.centre_line(axis, 0.8));
                self.ring(self.at, 0.5);
            }
            TieForm::Rack => self.rack(ends[1], axis),
            TieForm::Torsion => {
                axis.into_iter().for_each(|axis| self.centre_line(axis, 1.0));
                self.drawing.line(spiral(self.at, 1.3 * size), INK, 0.2 * size);
            }
            TieForm::Wire => self.drawing.line(ends.to_vec(), INK, 0.2 * size),
            TieForm::Rod => {
                self.drawing.line(ends.to_vec(), INK, 0.45 * size);
                ends.into_iter().for_each(|end| self.ring(end, 0.4));
            }
            TieForm::Spring => self.drawing.line(zigzag(ends, size), INK, 0.2 * size),
        }
    }

    fn ring(&mut self, at: V2, radius: f64) {
        self.drawing.circle(at, radius * self.size, Paint::outlined(PAPER, INK, 0.3 * self.size));
    }

    fn ball(&mut self) {
        self.ring(self.at, 0.7);
        self.drawing.circle(self.at, 0.26 * self.size, Paint::fill(INK));
    }

    /// A point `forth` along the axis and `aside` of it, in sizes; what lies along it is foreshortened.
    fn place(&self, axis: SeenAxis, forth: f64, aside: f64) -> V2 {
        let [x, y] = axis.along;
        let (forth, aside) = (forth * self.size * axis.part, aside * self.size);
        [self.at[0] + forth * x - aside * y, self.at[1] + forth * y + aside * x]
    }

    /// The axis itself, as long in space for every direction.
    fn centre_line(&mut self, axis: SeenAxis, part: f64) {
        let ends = [-AXIS, AXIS].map(|forth| self.place(axis, part * forth, 0.0));
        self.drawing.line(ends.to_vec(), PAPER, 0.42 * self.size);
        self.drawing.line(ends.to_vec(), INK, 0.14 * self.size);
    }

    fn block(&mut self, axis: SeenAxis, [forth, aside]: [f64; 2]) {
        // a block that is seen from its end is still one
        let forth = forth * axis.part.max(0.4) / axis.part.max(1e-9);
        let corners = [[-forth, -aside], [forth, -aside], [forth, aside], [-forth, aside]];
        let corners = corners.map(|[forth, aside]| self.place(axis, forth, aside)).to_vec();
        self.drawing.polygon(corners, Paint::outlined(PAPER, INK, 0.24 * self.size));
    }

    /// A sleeve in three knuckles on its pin.
    fn hinge(&mut self, axis: SeenAxis) {
        if axis.is_head_on() {
            return self.ring(self.at, 0.6);
        }
        self.centre_line(axis, 1.0);
        self.block(axis, [1.5, 0.42]);
        for forth in [-0.5, 0.5] {
            let across = [-0.42, 0.42].map(|aside| self.place(axis, forth, aside));
            self.drawing.line(across.to_vec(), INK, 0.2 * self.size);
        }
    }

    /// A block on its rail; with a ring where it turns as well, with threads on a screw.
    fn carriage(&mut self, form: TieForm, axis: Option<SeenAxis>) {
        let Some(axis) = axis else { return self.ring(self.at, 0.6) };
        self.centre_line(axis, 1.0);
        for forth in [-AXIS, AXIS] {
            let stop = [-0.4, 0.4].map(|aside| self.place(axis, forth, aside));
            self.drawing.line(stop.to_vec(), INK, 0.14 * self.size);
        }
        self.block(axis, [1.1, 0.75]);
        if form == TieForm::Cylindrical {
            self.drawing.circle(self.at, 0.42 * self.size, Paint::stroke(INK, 0.22 * self.size));
        }
        if form == TieForm::Screw {
            for forth in [-0.6, 0.0, 0.6] {
                let thread = [self.place(axis, forth - 0.25, -0.75), self.place(axis, forth + 0.25, 0.75)];
                self.drawing.line(thread.to_vec(), INK, 0.18 * self.size);
            }
        }
    }

    /// A ring on the pinion and a toothed line along the rack.
    fn rack(&mut self, on_rack: V2, axis: Option<SeenAxis>) {
        let pinion = std::mem::replace(&mut self.at, on_rack);
        if let Some(axis) = axis.filter(|axis| !axis.is_head_on()) {
            self.centre_line(axis, 1.0);
            for tooth in -3..=3 {
                let forth = f64::from(tooth);
                let tooth = [0.0, 0.6].map(|aside| self.place(axis, forth, aside));
                self.drawing.line(tooth.to_vec(), INK, 0.18 * self.size);
            }
        }
        self.at = pinion;
        self.ring(pinion, 0.6);
    }
}

/// A spiral of two turns.
fn spiral(middle: V2, radius: f64) -> Vec<V2> {
    let point = |step: i32| {
        let part = f64::from(step) / 48.0;
        let (angle, away) = (2.0 * std::f64::consts::TAU * part, radius * (0.15 + 0.85 * part));
        [middle[0] + away * angle.cos(), middle[1] + away * angle.sin()]
    };
    (0..=48).map(point).collect()
}

/// From end to end and to and fro between.
fn zigzag([from, to]: [V2; 2], size: f64) -> Vec<V2> {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = along[0].hypot(along[1]);
    if length < size {
        return vec![from, to];
    }
    let across = [-along[1] / length * size, along[0] / length * size];
    let at = |part: f64, side: f64| [0, 1].map(|axis| from[axis] + part * along[axis] + side * across[axis]);
    let mut points = vec![from, at(0.15, 0.0)];
    for turn in 0..2 * TURNS {
        let part = 0.15 + 0.7 * (turn as f64 + 0.5) / (2 * TURNS) as f64;
        points.push(at(part, if turn % 2 == 0 { 1.0 } else { -1.0 }));
    }
    points.extend([at(0.85, 0.0), to]);
    points
}
