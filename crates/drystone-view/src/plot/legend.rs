//! The legend of a plot: names beside a piece of what they name, in the emptiest corner. Draws no data.

use super::{Plot, PlotFrame, Series, colour_of, fitted, marks, right_colour};
use crate::colour::{Colour, INK, PAPER};
use crate::drawing::{Anchor, Drawing, Paint};
use crate::font;
use crate::geometry::V2;

/// A name and what it looks like.
struct NamedSign<'a> {
    name: &'a str,
    sign: Sign,
}

enum Sign {
    Line(Colour),
    Dashed(Colour),
    Column(Colour),
    Marker(usize),
}

/// All names of a plot, in the order in which it is drawn.
fn entries(plot: &Plot) -> Vec<NamedSign<'_>> {
    let named = |series: &Series| !series.name.is_empty();
    let mut found = Vec::new();
    for (index, one) in plot.histograms.iter().enumerate().filter(|(_, one)| !one.name.is_empty()) {
        found.push(NamedSign { name: &one.name, sign: Sign::Column(colour_of(index)) });
    }
    for (index, series) in plot.series.iter().enumerate().filter(|(_, series)| named(series)) {
        found.push(NamedSign { name: &series.name, sign: Sign::Line(colour_of(index)) });
    }
    let right = plot.right.iter().flat_map(|right| right.series.iter().enumerate());
    for (index, series) in right.filter(|(_, series)| named(series)) {
        found.push(NamedSign { name: &series.name, sign: Sign::Dashed(right_colour(plot, index)) });
    }
    for (index, series) in plot.scatter.iter().enumerate().filter(|(_, series)| named(series)) {
        found.push(NamedSign { name: &series.name, sign: Sign::Marker(index) });
    }
    found
}

impl PlotFrame {
    /// The legend lies in the corner where the fewest points are.
    pub(super) fn draw_legend(&self, plot: &Plot, drawing: &mut Drawing) {
        let entries = entries(plot);
        if entries.is_empty() {
            return;
        }
        let size = self.size;
        let room = 0.5 * (self.high[0] - self.low[0]);
        let names: Vec<String> = entries.iter().map(|entry| fitted(entry.name, size, room)).collect();
        let wide = names.iter().map(|name| font::width(name, size)).fold(0.0, f64::max) + 3.6 * size;
        let high = (1.5 * entries.len() as f64 + 0.6) * size;
        let [left, top] = self.emptiest_corner(plot, [wide, high]);
        drawing.rectangle([left, top], [left + wide, top + high], Paint::fill(PAPER.with_alpha(215)));
        for (row, (entry, name)) in entries.iter().zip(names).enumerate() {
            let middle = top + (1.5 * row as f64 + 1.05) * size;
            let [start, end] = [left + 0.6 * size, left + 2.4 * size];
            match entry.sign {
                Sign::Line(colour) => {
                    drawing.line(vec![[start, middle], [end, middle]], colour, 0.16 * size);
                }
                Sign::Dashed(colour) => {
                    self.draw_dashed(vec![[start, middle], [end, middle]], colour, drawing);
                }
                Sign::Column(colour) => {
                    let [low, high] = [[start, middle - 0.45 * size], [end, middle + 0.45 * size]];
                    drawing.rectangle(low, high, marks::column_paint(colour, 0.08 * size));
                }
                Sign::Marker(index) => {
                    marks::draw_marker([0.5 * (start + end), middle], index, size, drawing);
                }
            }
            drawing.text([left + 3.0 * size, middle + 0.36 * size], size, Anchor::Start, INK, name);
        }
    }

    /// Upper left end of a box in the corner where it covers the least.
    fn emptiest_corner(&self, plot: &Plot, [wide, high]: V2) -> V2 {
        let inset = 0.6 * self.size;
        let lefts = [self.high[0] - wide - inset, self.low[0] + inset];
        let tops = [self.low[1] + inset, self.high[1] - high - inset];
        let mut points: Vec<V2> = Vec::new();
        for series in plot.series.iter().chain(&plot.scatter) {
            points.extend(self.lines(series, &self.y).into_iter().flatten());
        }
        if let (Some(right), Some(range)) = (&plot.right, &self.right) {
            points.extend(right.series.iter().flat_map(|series| self.lines(series, range)).flatten());
        }
        points.extend(plot.histograms.iter().flat_map(|one| self.column_tops(one)));
        let covered = |corner: &V2| {
            let inside = |p: &&V2| {
                p[0] > corner[0] && p[0] < corner[0] + wide && p[1] > corner[1] && p[1] < corner[1] + high
            };
            points.iter().filter(inside).count()
        };
        let corners = [[lefts[0], tops[0]], [lefts[1], tops[0]], [lefts[0], tops[1]], [lefts[1], tops[1]]];
        corners.into_iter().min_by_key(covered).unwrap_or(corners[0])
    }
}
