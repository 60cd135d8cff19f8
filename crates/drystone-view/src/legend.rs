//! Title, time, scale bar and legends, in two bands above and below the bodies. Never drawn over them.

use crate::bars;
use crate::colour::{self, FAINT_INK, INK, PAPER};
use crate::drawing::{Anchor, Drawing, Mark, Paint};
use crate::font;
use crate::geometry::V2;
use crate::number::{label, round_below};
use crate::overlay;
use crate::picture::{Picture, SolidField};
use crate::stage::Stage;
use crate::style::{ColourBy, Style};
use crate::window::Window;

/// What the lower band holds, from left to right.
enum LegendEntry {
    ScaleBar,
    /// A sample of the line of this force \[N\].
    Force(f64),
    /// What the colour of a force line means.
    Contact {
        slips: bool,
    },
    /// A sample of the arrow of this speed \[m/s\].
    Speed(f64),
    /// The colours of speeds.
    ColourBar,
    /// The colours of a field, whose last stands for this and more.
    FieldBar(SolidField),
    /// A sample of a bar of this force \[N\].
    Bar(f64),
    Note(String),
}

pub(crate) struct Legend<'a> {
    picture: &'a Picture,
    /// Size of the letters \[pixel\].
    size: f64,
    width: f64,
    entries: Vec<LegendEntry>,
    rows: usize,
}

impl<'a> Legend<'a> {
    pub fn new(picture: &'a Picture, stage: &Stage, style: &Style) -> Legend<'a> {
        let width = style.width as f64;
        let size = (width / 64.0).clamp(9.0, 28.0);
        let mut legend = Legend { picture, size, width, entries: entries(stage, style), rows: 1 };
        legend.rows = legend.places(stage, None).last().map_or(1, |(_, row)| row + 1);
        legend
    }

    /// Left end and row of each entry. Before the scale is known the scale bar takes all of its slot.
    fn places(&self, stage: &Stage, scale: Option<f64>) -> Vec<(f64, usize)> {
        let (start, gap) = (1.5 * self.size, 1.8 * self.size);
        let (mut x, mut row) = (start, 0);
        let mut places = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let wide = self.entry_width(entry, stage, scale);
            if x + wide > self.width - start && x > start {
                (x, row) = (start, row + 1);
            }
            places.push((x, row));
            x += wide + gap;
        }
        places
    }

    /// Height of the upper band \[pixel\].
    pub fn top(&self) -> f64 {
        2.6 * self.size
    }

    /// Height of the lower band \[pixel\].
    pub fn bottom(&self) -> f64 {
        (2.0 * self.rows as f64 + 0.8) * self.size
    }

    pub fn draw(&self, stage: &Stage, window: &Window, drawing: &mut Drawing) {
        let (wide, high) = (self.width, window.canvas[1] as f64);
        drawing.marks.push(Mark::Open("legend"));
        drawing.rectangle([0.0, 0.0], [wide, window.top], Paint::fill(PAPER));
        drawing.rectangle([0.0, window.bottom], [wide, high], Paint::fill(PAPER));
        self.draw_title(drawing);
        for (entry, (x, row)) in self.entries.iter().zip(self.places(stage, Some(window.scale))) {
            let middle = window.bottom + (1.4 + 2.0 * row as f64) * self.size;
            self.draw_entry(entry, [x, middle], stage, window, drawing);
        }
        drawing.marks.push(Mark::Close);
    }

    fn draw_title(&self, drawing: &mut Drawing) {
        let (size, base) = (self.size, 1.75 * self.size);
        let time = match self.picture.time.is_nan() {
            true => String::new(),
            false => format!("t = {} s", label(self.picture.time)),
        };
        let available = self.width - 5.0 * size - font::width(&time, size);
        let title = font::fitted(&self.picture.title.replace(char::is_control, " "), 1.15 * size, available);
        drawing.text([1.5 * size, base], 1.15 * size, Anchor::Start, INK, title);
        drawing.text([self.width - 1.5 * size, base], size, Anchor::End, FAINT_INK, time);
    }

    fn entry_width(&self, entry: &LegendEntry, stage: &Stage, scale: Option<f64>) -> f64 {
        let text = |text: &str| font::width(text, self.size) + 0.6 * self.size;
        match entry {
            LegendEntry::ScaleBar => match scale {
                Some(scale) => {
                    let metres = round_below(self.bar_slot() / scale);
                    metres * scale + text(&format!("{} m", label(metres)))
                }
                None => self.bar_slot() + 5.0 * self.size,
            },
            LegendEntry::Force(force) => 2.2 * self.size + text(&format!("{} N", label(*force))),
            LegendEntry::Contact { slips } => 1.4 * self.size + text(contact_name(*slips)),
            LegendEntry::Speed(speed) => 0.1 * self.width + text(&format!("{} m/s", label(*speed))),
            LegendEntry::ColourBar => {
                8.0 * self.size + text("0") + text(&format!("{} m/s", label(stage.largest_speed)))
            }
            LegendEntry::FieldBar(field) => {
                8.0 * self.size + text(field.name()) + text("0") + text(&field_end(*field, stage))
            }
            LegendEntry::Bar(force) => 0.1 * self.width + text(&bar_name(*force)),
            LegendEntry::Note(note) => text(note),
        }
    }

    /// Room for the scale bar without its label \[pixel\].
    fn bar_slot(&self) -> f64 {
        0.16 * self.width
    }

    fn draw_entry(
        &self,
        entry: &LegendEntry,
        [x, y]: V2,
        stage: &Stage,
        window: &Window,
        drawing: &mut Drawing,
    ) {
        let size = self.size;
        let put = |drawing: &mut Drawing, x: f64, text: &str| {
            drawing.text([x, y + 0.36 * size], size, Anchor::Start, INK, text);
        };
        match entry {
            LegendEntry::ScaleBar => {
                let metres = round_below(self.bar_slot() / window.scale);
                let end = x + metres * window.scale;
                let tick = 0.3 * size;
                drawing.line(vec![[x, y - tick], [x, y + tick]], INK, 1.4);
                drawing.line(vec![[end, y - tick], [end, y + tick]], INK, 1.4);
                drawing.line(vec![[x, y], [end, y]], INK, 1.4);
                put(drawing, end + 0.6 * size, &format!("{} m", label(metres)));
            }
            LegendEntry::Force(force) => {
                let width = overlay::thickest(stage, window) * force / stage.largest_force;
                // a square end: a round one would make thick samples longer
                let (low, high) = ([x, y - 0.5 * width], [x + 2.2 * size, y + 0.5 * width]);
                drawing.rectangle(low, high, Paint::fill(FAINT_INK));
                put(drawing, x + 2.8 * size, &format!("{} N", label(*force)));
            }
            LegendEntry::Contact { slips } => {
                let colour = overlay::colour_of(stage, *slips);
                let (low, high) = ([x, y - 0.4 * size], [x + 1.0 * size, y + 0.4 * size]);
                drawing.rectangle(low, high, Paint::fill(colour));
                put(drawing, x + 1.5 * size, contact_name(*slips));
            }
            LegendEntry::Speed(speed) => {
                let length = overlay::longest(stage, window) * speed / stage.largest_speed;
                overlay::arrow(drawing, [x, y], [x + length, y]);
                put(drawing, x + length + 0.6 * size, &format!("{} m/s", label(*speed)));
            }
            LegendEntry::ColourBar => {
                put(drawing, x, "0");
                let start = x + font::width("0", size) + 0.6 * size;
                draw_colours([start, y], 8.0 * size, size, drawing);
                put(drawing, start + 8.6 * size, &format!("{} m/s", label(stage.largest_speed)));
            }
            LegendEntry::FieldBar(field) => {
                put(drawing, x, field.name());
                let zero = x + font::width(field.name(), size) + 0.6 * size;
                put(drawing, zero, "0");
                let start = zero + font::width("0", size) + 0.6 * size;
                draw_colours([start, y], 8.0 * size, size, drawing);
                put(drawing, start + 8.6 * size, &field_end(*field, stage));
            }
            LegendEntry::Bar(force) => {
                let length = bars::longest(stage, window) * force / stage.largest_bar;
                bars::bar(drawing, [[x, y], [x + 0.5 * length, y], [x + length, y]]);
                put(drawing, x + length + 0.6 * size, &bar_name(*force));
            }
            LegendEntry::Note(note) => put(drawing, x, note),
        }
    }
}

fn draw_colours([x, y]: V2, length: f64, size: f64, drawing: &mut Drawing) {
    const CELLS: usize = 64;
    for cell in 0..CELLS {
        let left = x + length * cell as f64 / CELLS as f64;
        // cells overlap to the right so that no seam shows between them
        let right = (left + 1.6 * length / CELLS as f64).min(x + length);
        let colour = colour::map((cell as f64 + 0.5) / CELLS as f64);
        drawing.rectangle([left, y - 0.4 * size], [right, y + 0.4 * size], Paint::fill(colour));
    }
}

/// What the last colour of a field stands for.
fn field_end(field: SolidField, stage: &Stage) -> String {
    format!("{} {} and more", label(stage.largest_value), field.unit()).replace("  ", " ")
}

fn bar_name(force: f64) -> String {
    format!("least and largest, {} N", label(force))
}

fn contact_name(slips: bool) -> &'static str {
    if slips { "slip" } else { "stick" }
}

fn entries(stage: &Stage, style: &Style) -> Vec<LegendEntry> {
    let mut entries = vec![LegendEntry::ScaleBar];
    if style.show.forces() && stage.largest_force > 0.0 {
        let large = round_below(stage.largest_force);
        entries.extend([LegendEntry::Force(round_below(large / 4.0)), LegendEntry::Force(large)]);
        entries.extend([LegendEntry::Contact { slips: false }, LegendEntry::Contact { slips: true }]);
    }
    if style.show.velocities() && stage.largest_speed > 0.0 {
        entries.push(LegendEntry::Speed(round_below(stage.largest_speed)));
    }
    if style.colour_by == ColourBy::Speed && stage.largest_speed > 0.0 {
        entries.push(LegendEntry::ColourBar);
    }
    if let Some(field) = stage.field.filter(|_| stage.largest_value > 0.0) {
        entries.push(LegendEntry::FieldBar(field));
    }
    if stage.largest_bar > 0.0 {
        entries.push(LegendEntry::Bar(round_below(stage.largest_bar)));
    }
    if stage.left_out > 0 {
        entries.push(LegendEntry::Note(format!("not drawn: {}", stage.left_out)));
    }
    entries
}
