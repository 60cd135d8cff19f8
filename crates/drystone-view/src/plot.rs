//! Small line plots of histories, such as residuals and energies. Lines only: no bars, no maps, no second
//! axis.

use crate::axes::{Range, Scale};
use crate::colour::{Colour, FAINT_INK, GRID, INK, PAPER, SERIES};
use crate::drawing::{Anchor, Drawing, Paint};
use crate::error::ViewError;
use crate::geometry::V2;
use crate::window::check_size;
use crate::{font, raster, svg};
use std::path::Path;

/// A line plot.
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

/// The rectangle of the curves on the sheet.
struct PlotFrame {
    low: V2,
    high: V2,
    size: f64,
}

fn draw(plot: &Plot) -> Result<Drawing, ViewError> {
    check_size(plot.width, plot.height)?;
    let mut drawing = Drawing::new([plot.width, plot.height]);
    let [width, height] = [plot.width as f64, plot.height as f64];
    let size = (width / 55.0).clamp(9.0, 24.0);
    let values =
        |axis: usize| plot.series.iter().flat_map(move |series| series.points.iter().map(move |p| p[axis]));
    let (x, y) = (Range::of(values(0), plot.x.scale, 0.0), Range::of(values(1), plot.y.scale, 0.04));
    let ticks = y.ticks((height / (4.5 * size)) as usize);
    let widest = ticks.iter().map(|tick| font::width(&tick.label, size)).fold(0.0, f64::max);
    let frame = PlotFrame {
        low: [
            widest + if plot.y.label.is_empty() { 2.0 } else { 3.8 } * size,
            if plot.title.is_empty() { 1.2 } else { 3.0 } * size,
        ],
        high: [width - 1.8 * size, height - if plot.x.label.is_empty() { 2.4 } else { 4.0 } * size],
        size,
    };
    frame.draw_axes(plot, &x, &y, &mut drawing);
    for (index, series) in plot.series.iter().enumerate() {
        for line in frame.lines(series, &x, &y) {
            drawing.line(line, colour_of(index), 0.12 * size);
        }
    }
    frame.draw_legend(plot, &x, &y, &mut drawing);
    Ok(drawing)
}

fn colour_of(series: usize) -> Colour {
    SERIES[series % SERIES.len()]
}

impl PlotFrame {
    fn at(&self, x: f64, y: f64) -> V2 {
        [self.low[0] + x * (self.high[0] - self.low[0]), self.high[1] - y * (self.high[1] - self.low[1])]
    }

    fn draw_axes(&self, plot: &Plot, x: &Range, y: &Range, drawing: &mut Drawing) {
        let size = self.size;
        for tick in y.ticks(((self.high[1] - self.low[1]) / (3.2 * size)).max(2.0) as usize) {
            let [left, base] = self.at(0.0, tick.place);
            let faint = if tick.label.is_empty() { GRID.mix(PAPER, 0.6) } else { GRID };
            drawing.line(vec![[left, base], self.at(1.0, tick.place)], faint, 1.0);
            drawing.text([left - 0.5 * size, base + 0.36 * size], size, Anchor::End, INK, tick.label);
        }
        for tick in x.ticks(((self.high[0] - self.low[0]) / (6.0 * size)).max(2.0) as usize) {
            let [middle, bottom] = self.at(tick.place, 0.0);
            let faint = if tick.label.is_empty() { GRID.mix(PAPER, 0.6) } else { GRID };
            drawing.line(vec![[middle, bottom], self.at(tick.place, 1.0)], faint, 1.0);
            drawing.text([middle, bottom + 1.35 * size], size, Anchor::Middle, INK, tick.label);
        }
        drawing.line(vec![self.at(0.0, 1.0), self.at(0.0, 0.0), self.at(1.0, 0.0)], FAINT_INK, 1.2);
        let [middle, _] = self.at(0.5, 0.0);
        let [_, centre] = self.at(0.0, 0.5);
        let fitted =
            |text: &str, size: f64, room: f64| font::fitted(&text.replace(char::is_control, " "), size, room);
        let [wide, high] = [self.high[0] - self.low[0], self.high[1] - self.low[1]];
        drawing.text(
            [middle, self.high[1] + 3.1 * size],
            size,
            Anchor::Middle,
            INK,
            fitted(&plot.x.label, size, wide),
        );
        drawing.upright_text([1.6 * size, centre], size, INK, fitted(&plot.y.label, size, high));
        let title = fitted(&plot.title, 1.15 * size, wide);
        drawing.text([self.low[0], 1.9 * size], 1.15 * size, Anchor::Start, INK, title);
    }

    /// The unbroken parts of a line in pixels, with no more points than can be told apart.
    fn lines(&self, series: &Series, x: &Range, y: &Range) -> Vec<Vec<V2>> {
        let mut lines = vec![Vec::new()];
        for point in &series.points {
            match (x.place(point[0]), y.place(point[1])) {
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

    /// The legend lies in the corner where the fewest points are.
    fn draw_legend(&self, plot: &Plot, x: &Range, y: &Range, drawing: &mut Drawing) {
        let named: Vec<(usize, &Series)> =
            plot.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty()).collect();
        if named.is_empty() {
            return;
        }
        let size = self.size;
        let room = 0.5 * (self.high[0] - self.low[0]);
        let names: Vec<String> = named
            .iter()
            .map(|(_, s)| font::fitted(&s.name.replace(char::is_control, " "), size, room))
            .collect();
        let wide = names.iter().map(|name| font::width(name, size)).fold(0.0, f64::max) + 3.6 * size;
        let high = (1.5 * named.len() as f64 + 0.6) * size;
        let inset = 0.6 * size;
        let lefts = [self.high[0] - wide - inset, self.low[0] + inset];
        let tops = [self.low[1] + inset, self.high[1] - high - inset];
        let corners = [[lefts[0], tops[0]], [lefts[1], tops[0]], [lefts[0], tops[1]], [lefts[1], tops[1]]];
        let covered = |corner: &V2| {
            let inside = |p: &V2| {
                p[0] > corner[0] && p[0] < corner[0] + wide && p[1] > corner[1] && p[1] < corner[1] + high
            };
            named.iter().flat_map(|(_, s)| self.lines(s, x, y)).flatten().filter(inside).count()
        };
        let Some([left, top]) = corners.into_iter().min_by_key(covered) else {
            return;
        };
        drawing.rectangle([left, top], [left + wide, top + high], Paint::fill(PAPER.with_alpha(215)));
        for (row, ((index, _), name)) in named.iter().zip(names).enumerate() {
            let middle = top + (1.5 * row as f64 + 1.05) * size;
            let ends = vec![[left + 0.6 * size, middle], [left + 2.4 * size, middle]];
            drawing.line(ends, colour_of(*index), 0.16 * size);
            drawing.text([left + 3.0 * size, middle + 0.36 * size], size, Anchor::Start, INK, name);
        }
    }
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
