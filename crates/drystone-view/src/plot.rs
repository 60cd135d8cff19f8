//! Plots of histories and of tables: lines, points beside them, histograms, a second vertical axis. No maps;
//! roses of directions are `polar`'s.

mod legend;
mod marks;

use crate::axes::{Range, Scale};
use crate::colour::{Colour, FAINT_INK, GRID, INK, PAPER, SERIES};
use crate::drawing::{Anchor, Drawing, Paint};
use crate::error::ViewError;
use crate::geometry::V2;
use crate::window::check_size;
use crate::{font, raster, svg};
use std::path::Path;

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Written above the plot; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: PlotAxis,
    /// The vertical axis.
    pub y: PlotAxis,
    /// The lines; the first ones have the colours that stand out most.
    pub series: Vec<Series>,
    /// Points that are not joined, such as those of an experiment.
    pub scatter: Vec<Series>,
    /// Histograms, behind the lines.
    pub histograms: Vec<Histogram>,
    /// A second vertical axis with its own lines.
    pub right: Option<RightAxis>,
    /// Width \[pixel\].
    pub width: u32,
    /// Height \[pixel\].
    pub height: u32,
}

impl Default for Plot {
    fn default() -> Self {
        Self {
            title: String::new(),
            x: PlotAxis::default(),
            y: PlotAxis::default(),
            series: Vec::new(),
            scatter: Vec::new(),
            histograms: Vec::new(),
            right: None,
            width: 720,
            height: 420,
        }
    }
}

/// One axis of a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlotAxis {
    /// What it shows, with its unit.
    pub label: String,
    /// How values are laid out.
    pub scale: Scale,
}

/// One line of a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points, in order; a point that is not finite interrupts the line.
    pub points: Vec<[f64; 2]>,
}

/// A histogram: how much lies in each of several bins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// Its name in the legend.
    pub name: String,
    /// Ends of the bins, ascending, one more than there are heights.
    pub edges: Vec<f64>,
    /// What stands in each bin.
    pub heights: Vec<f64>,
}

/// A vertical axis on the right. Its lines are dashed; where there are as many as on the left, they have the
/// colours of those.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RightAxis {
    /// The axis.
    pub axis: PlotAxis,
    /// Its lines.
    pub series: Vec<Series>,
}

/// Draws a plot into a file; its extension, `.png` or `.svg`, says how.
pub fn plot(plot: &Plot, path: &Path) -> Result<(), ViewError> {
    crate::write(path, || plot_png(plot), || plot_svg(plot))
}

/// Draws a plot and returns the bytes of a PNG file.
pub fn plot_png(plot: &Plot) -> Result<Vec<u8>, ViewError> {
    raster::png(&draw(plot)?, None)
}

/// Draws a plot and returns the text of an SVG file.
pub fn plot_svg(plot: &Plot) -> Result<String, ViewError> {
    Ok(svg::text(&draw(plot)?))
}

/// The rectangle of the curves on the sheet, with its ranges.
struct PlotFrame {
    low: V2,
    high: V2,
    size: f64,
    x: Range,
    y: Range,
    right: Option<Range>,
}

fn draw(plot: &Plot) -> Result<Drawing, ViewError> {
    check_size(plot.width, plot.height)?;
    let mut drawing = Drawing::new([plot.width, plot.height]);
    let frame = PlotFrame::new(plot);
    frame.draw_axes(plot, &mut drawing);
    for (index, histogram) in plot.histograms.iter().enumerate() {
        frame.draw_histogram(histogram, colour_of(index), &mut drawing);
    }
    for (index, series) in plot.series.iter().enumerate() {
        for line in frame.lines(series, &frame.y) {
            // a value alone between gaps is no line, and is there all the same
            match line[..] {
                [alone] => drawing.circle(alone, 0.16 * frame.size, Paint::fill(colour_of(index))),
                _ => drawing.line(line, colour_of(index), 0.12 * frame.size),
            }
        }
    }
    if let (Some(right), Some(range)) = (&plot.right, &frame.right) {
        for (index, series) in right.series.iter().enumerate() {
            for line in frame.lines(series, range) {
                frame.draw_dashed(line, right_colour(plot, index), &mut drawing);
            }
        }
    }
    for (index, series) in plot.scatter.iter().enumerate() {
        for point in frame.lines(series, &frame.y).into_iter().flatten() {
            marks::draw_marker(point, index, frame.size, &mut drawing);
        }
    }
    frame.draw_legend(plot, &mut drawing);
    Ok(drawing)
}

fn colour_of(series: usize) -> Colour {
    SERIES[series % SERIES.len()]
}

/// Colour of a line of the right axis.
fn right_colour(plot: &Plot, index: usize) -> Colour {
    let count = plot.right.as_ref().map_or(0, |right| right.series.len());
    let is_paired = count > 1 && count == plot.series.len();
    colour_of(if is_paired { index } else { plot.series.len() + index })
}

/// Values of an axis, 0 for x and 1 for y, of what belongs to the left axis.
fn values(plot: &Plot, axis: usize) -> impl Iterator<Item = f64> {
    let points = plot.series.iter().chain(&plot.scatter).flat_map(|series| &series.points);
    let bins = plot.histograms.iter().flat_map(move |one| match axis {
        0 => one.edges.clone(),
        // columns stand on zero, and the highest has some air above it
        _ => one.heights.iter().map(|height| 1.05 * height).chain([0.0]).collect(),
    });
    points.map(move |point| point[axis]).chain(bins)
}

impl PlotFrame {
    fn new(plot: &Plot) -> Self {
        let [width, height] = [plot.width as f64, plot.height as f64];
        let size = (width / 55.0).clamp(9.0, 24.0);
        let of_right = |axis: usize| {
            let series = plot.right.iter().flat_map(|right| &right.series);
            series.flat_map(|series| &series.points).map(move |point| point[axis])
        };
        let x = Range::of(values(plot, 0).chain(of_right(0)), plot.x.scale, 0.0);
        let stands_on_zero = !plot.histograms.is_empty() && plot.y.scale == Scale::Linear;
        let slack = if stands_on_zero { 0.0 } else { 0.04 };
        let y = Range::of(values(plot, 1), plot.y.scale, slack);
        let right = plot.right.as_ref().map(|right| Range::of(of_right(1), right.axis.scale, 0.04));
        let room = |range: &Range, label: &str| {
            let ticks = range.ticks((height / (4.5 * size)) as usize);
            let widest = ticks.iter().map(|tick| font::width(&tick.label, size)).fold(0.0, f64::max);
            widest + if label.is_empty() { 2.0 } else { 3.8 } * size
        };
        let beside = match (&right, &plot.right) {
            (Some(range), Some(right)) => room(range, &right.axis.label),
            _ => 1.8 * size,
        };
        let top = if plot.title.is_empty() { 1.2 } else { 3.0 } * size;
        let bottom = if plot.x.label.is_empty() { 2.4 } else { 4.0 } * size;
        Self {
            low: [room(&y, &plot.y.label), top],
            high: [width - beside, height - bottom],
            size,
            x,
            y,
            right,
        }
    }

    fn at(&self, x: f64, y: f64) -> V2 {
        [self.low[0] + x * (self.high[0] - self.low[0]), self.high[1] - y * (self.high[1] - self.low[1])]
    }

    fn draw_axes(&self, plot: &Plot, drawing: &mut Drawing) {
        let size = self.size;
        let rows = ((self.high[1] - self.low[1]) / (3.2 * size)).max(2.0) as usize;
        for tick in self.y.ticks(rows) {
            let [left, base] = self.at(0.0, tick.place);
            let faint = if tick.label.is_empty() { GRID.mix(PAPER, 0.6) } else { GRID };
            drawing.line(vec![[left, base], self.at(1.0, tick.place)], faint, 1.0);
            drawing.text([left - 0.5 * size, base + 0.36 * size], size, Anchor::End, INK, tick.label);
        }
        for tick in self.x.ticks(((self.high[0] - self.low[0]) / (6.0 * size)).max(2.0) as usize) {
            let [middle, bottom] = self.at(tick.place, 0.0);
            let faint = if tick.label.is_empty() { GRID.mix(PAPER, 0.6) } else { GRID };
            drawing.line(vec![[middle, bottom], self.at(tick.place, 1.0)], faint, 1.0);
            drawing.text([middle, bottom + 1.35 * size], size, Anchor::Middle, INK, tick.label);
        }
        drawing.line(vec![self.at(0.0, 1.0), self.at(0.0, 0.0), self.at(1.0, 0.0)], FAINT_INK, 1.2);
        if let (Some(range), Some(right)) = (&self.right, &plot.right) {
            self.draw_right_axis(range, &right.axis, rows, drawing);
        }
        self.draw_words(plot, drawing);
    }

    fn draw_right_axis(&self, range: &Range, axis: &PlotAxis, rows: usize, drawing: &mut Drawing) {
        let size = self.size;
        for tick in range.ticks(rows).into_iter().filter(|tick| !tick.label.is_empty()) {
            let [end, base] = self.at(1.0, tick.place);
            drawing.line(vec![[end - 0.35 * size, base], [end, base]], FAINT_INK, 1.2);
            drawing.text([end + 0.5 * size, base + 0.36 * size], size, Anchor::Start, INK, tick.label);
        }
        drawing.line(vec![self.at(1.0, 1.0), self.at(1.0, 0.0)], FAINT_INK, 1.2);
        let [_, centre] = self.at(0.0, 0.5);
        let words = fitted(&axis.label, size, self.high[1] - self.low[1]);
        drawing.upright_text([drawing.width as f64 - 0.8 * size, centre], size, INK, words);
    }

    fn draw_words(&self, plot: &Plot, drawing: &mut Drawing) {
        let size = self.size;
        let [middle, _] = self.at(0.5, 0.0);
        let [_, centre] = self.at(0.0, 0.5);
        let [wide, high] = [self.high[0] - self.low[0], self.high[1] - self.low[1]];
        let below = [middle, self.high[1] + 3.1 * size];
        drawing.text(below, size, Anchor::Middle, INK, fitted(&plot.x.label, size, wide));
        drawing.upright_text([1.6 * size, centre], size, INK, fitted(&plot.y.label, size, high));
        let title = fitted(&plot.title, 1.15 * size, wide);
        drawing.text([self.low[0], 1.9 * size], 1.15 * size, Anchor::Start, INK, title);
    }

    /// The unbroken parts of a line in pixels, with no more points than can be told apart.
    fn lines(&self, series: &Series, y: &Range) -> Vec<Vec<V2>> {
        let mut lines = vec![Vec::new()];
        for point in &series.points {
            match (self.x.place(point[0]), y.place(point[1])) {
                (Some(across), Some(up)) => {
                    if let Some(line) = lines.last_mut() {
                        line.push(self.at(across, up));
                    }
                }
                _ => lines.push(Vec::new()),
            }
        }
        lines.into_iter().filter(|line| !line.is_empty()).map(thinned).collect()
    }
}

/// A text without control characters, cut to the room it has.
fn fitted(text: &str, size: f64, room: f64) -> String {
    font::fitted(&text.replace(char::is_control, " "), size, room)
}

/// Keeps, in each column of half a pixel, the first, lowest, highest and last point: the line looks the same.
fn thinned(line: Vec<V2>) -> Vec<V2> {
    if line.len() < 2000 {
        return line;
    }
    let column = |p: &V2| (2.0 * p[0]).floor() as i64;
    let mut kept = Vec::new();
    for run in line.chunk_by(|a, b| column(a) == column(b)) {
        let mut chosen = vec![0, run.len() - 1];
        chosen.extend((0..run.len()).min_by(|a, b| run[*a][1].total_cmp(&run[*b][1])));
        chosen.extend((0..run.len()).max_by(|a, b| run[*a][1].total_cmp(&run[*b][1])));
        chosen.sort_unstable();
        chosen.dedup();
        kept.extend(chosen.into_iter().map(|index| run[index]));
    }
    kept
}
