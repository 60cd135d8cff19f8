//! Markers of points, dashes of lines and columns of histograms. Where they lie, the frame of the plot says.

use super::{Histogram, PlotFrame};
use crate::colour::{Colour, PAPER, SERIES};
use crate::drawing::{Drawing, Paint};
use crate::geometry::V2;

/// Colours of markers, beginning with those that lines take last.
const MARKER_COLOURS: [usize; 4] = [10, 8, 7, 9];

/// Paint of the columns of a histogram.
pub(super) fn column_paint(colour: Colour, width: f64) -> Paint {
    Paint::outlined(colour.mix(PAPER, 0.35).with_alpha(110), colour, width)
}

/// The marker of a set of points: a ring, a square, a diamond or a triangle by turns.
pub(super) fn draw_marker(at: V2, set: usize, size: f64, drawing: &mut Drawing) {
    let colour = SERIES[MARKER_COLOURS[set % MARKER_COLOURS.len()]];
    let (reach, paint) = (0.3 * size, Paint::outlined(PAPER.with_alpha(200), colour, 0.11 * size));
    let around = |ways: &[V2]| ways.iter().map(|w| [at[0] + reach * w[0], at[1] + reach * w[1]]).collect();
    match set % 4 {
        0 => drawing.circle(at, reach, paint),
        1 => drawing.polygon(around(&[[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]), paint),
        2 => drawing.polygon(around(&[[0.0, -1.25], [1.25, 0.0], [0.0, 1.25], [-1.25, 0.0]]), paint),
        _ => drawing.polygon(around(&[[0.0, -1.2], [1.1, 0.8], [-1.1, 0.8]]), paint),
    }
}

impl PlotFrame {
    pub(super) fn draw_dashed(&self, line: Vec<V2>, colour: Colour, drawing: &mut Drawing) {
        for dash in dashes(&line, [0.6 * self.size, 0.45 * self.size]) {
            drawing.line(dash, colour, 0.12 * self.size);
        }
    }

    /// Columns from the bottom of the frame; bins that the scale cannot show are left out.
    pub(super) fn draw_histogram(&self, histogram: &Histogram, colour: Colour, drawing: &mut Drawing) {
        for (edges, height) in histogram.edges.windows(2).zip(&histogram.heights) {
            let places = (self.x.place(edges[0]), self.x.place(edges[1]), self.y.place(*height));
            let (Some(left), Some(right), Some(top)) = places else { continue };
            if top > 0.0 {
                let [low, high] = [self.at(left, 0.0), self.at(right, top)];
                drawing.rectangle(low, high, column_paint(colour, 0.05 * self.size));
            }
        }
    }

    /// Middles of the upper ends of the columns.
    pub(super) fn column_tops(&self, histogram: &Histogram) -> Vec<V2> {
        let bins = histogram.edges.windows(2).zip(&histogram.heights);
        let top = |(edges, height): (&[f64], &f64)| {
            let (left, right) = (self.x.place(edges[0])?, self.x.place(edges[1])?);
            Some(self.at(0.5 * (left + right), self.y.place(*height)?))
        };
        bins.filter_map(top).collect()
    }
}

/// A line cut into dashes: lengths of a dash and of a gap \[pixel\].
fn dashes(line: &[V2], [on, off]: [f64; 2]) -> Vec<Vec<V2>> {
    let mut found: Vec<Vec<V2>> = Vec::new();
    let (mut drawn, mut left) = (true, on);
    if let Some(&first) = line.first() {
        found.push(vec![first]);
    }
    for ends in line.windows(2) {
        let (mut from, to) = (ends[0], ends[1]);
        loop {
            let way = [to[0] - from[0], to[1] - from[1]];
            let length = way[0].hypot(way[1]);
            if length < left || !length.is_finite() {
                left -= if length.is_finite() { length } else { 0.0 };
                break;
            }
            from = [from[0] + way[0] * left / length, from[1] + way[1] * left / length];
            match (drawn, found.last_mut()) {
                (true, Some(dash)) => dash.push(from),
                _ => found.push(vec![from]),
            }
            drawn = !drawn;
            left = if drawn { on } else { off };
        }
        if let (true, Some(dash)) = (drawn, found.last_mut()) {
            dash.push(to);
        }
    }
    found.retain(|dash| dash.len() > 1);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_have_their_lengths_around_corners() {
        let line = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]];
        let found = dashes(&line, [4.0, 2.0]);
        let length = |dash: &Vec<V2>| -> f64 {
            dash.windows(2).map(|p| (p[1][0] - p[0][0]).hypot(p[1][1] - p[0][1])).sum()
        };
        let lengths: Vec<f64> = found.iter().map(length).collect();
        assert_eq!(lengths, [4.0, 4.0, 4.0, 2.0]);
        assert_eq!(found[1], [[6.0, 0.0], [10.0, 0.0]]);
        assert!(dashes(&[[0.0, f64::NAN], [1.0, 1.0]], [4.0, 2.0]).len() <= 1);
    }
}
