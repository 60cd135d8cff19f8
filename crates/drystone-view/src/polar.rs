//! Roses: numbers by direction, such as contacts or mean forces by the direction of the normal. Directions in
//! a plane; histories and tables are `plot`'s.

use crate::axes::{Range, Scale};
use crate::colour::{FAINT_INK, GRID, INK, PAPER, SERIES};
use crate::drawing::{Anchor, Drawing, Paint};
use crate::error::ViewError;
use crate::geometry::V2;
use crate::window::check_size;
use crate::{Series, font, raster, svg};
use std::path::Path;

/// A rose. Angles are counted from the axis to the right, anticlockwise.
#[derive(Clone, Debug, PartialEq)]
pub struct PolarPlot {
    /// Written above; may be empty.
    pub title: String,
    /// What the distance from the centre means, with its unit; written below.
    pub label: String,
    /// Values by direction.
    pub roses: Vec<Rose>,
    /// Curves over them: points are angle \[rad\] and value.
    pub curves: Vec<Series>,
    /// Names of the axes to the right and upwards.
    pub axes: [String; 2],
    /// Width \[pixel\]; the height is nearly the same.
    pub width: u32,
}

/// Values in sectors of equal width: the first is centred on the axis to the right, the others follow
/// anticlockwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rose {
    /// Its name in the legend.
    pub name: String,
    /// The value of each sector; what is not finite or negative is drawn as zero.
    pub values: Vec<f64>,
}

impl Default for PolarPlot {
    fn default() -> Self {
        let axes = ["x".to_owned(), "y".to_owned()];
        Self { title: String::new(), label: String::new(), roses: vec![], curves: vec![], axes, width: 560 }
    }
}

/// Draws a rose into a file; its extension, `.png` or `.svg`, says how.
pub fn polar(plot: &PolarPlot, path: &Path) -> Result<(), ViewError> {
    let png = || raster::png(&draw(plot)?, None);
    crate::write(path, png, || polar_svg(plot))
}

/// Draws a rose and returns the text of an SVG file.
pub fn polar_svg(plot: &PolarPlot) -> Result<String, ViewError> {
    Ok(svg::text(&draw(plot)?))
}

/// The largest circle on the sheet.
struct Dial {
    centre: V2,
    radius: f64,
    size: f64,
    range: Range,
}

fn draw(plot: &PolarPlot) -> Result<Drawing, ViewError> {
    let width = plot.width as f64;
    let size = (width / 42.0).clamp(9.0, 24.0);
    let top = if plot.title.is_empty() { 2.4 } else { 4.4 } * size;
    let names: Vec<&str> = names(plot);
    let bottom = (2.4 + if plot.label.is_empty() { 0.0 } else { 1.9 } + 1.5 * names.len() as f64) * size;
    let radius = 0.5 * width - 4.2 * size;
    let height = (top + 2.0 * radius + bottom).ceil();
    check_size(plot.width, height as u32)?;
    let mut drawing = Drawing::new([plot.width, height as u32]);
    let values = plot.roses.iter().flat_map(|rose| &rose.values).copied();
    let curved = plot.curves.iter().flat_map(|curve| &curve.points).map(|point| point[1]);
    let largest = values.chain(curved).filter(|value| value.is_finite()).fold(0.0, f64::max);
    let range = Range::of([0.0, 1.02 * largest].into_iter(), Scale::Linear, 0.0);
    let dial = Dial { centre: [0.5 * width, top + radius], radius, size, range };
    dial.draw_grid(plot, &mut drawing);
    for (index, rose) in plot.roses.iter().enumerate() {
        dial.draw_rose(rose, index, plot.roses.len() > 1, &mut drawing);
    }
    for (index, curve) in plot.curves.iter().enumerate() {
        let points = curve.points.iter().map(|&[angle, value]| dial.at(angle, value)).collect();
        drawing.line(points, SERIES[(plot.roses.len() + index) % SERIES.len()], 0.14 * size);
    }
    dial.draw_radii(&mut drawing);
    dial.draw_words(plot, &names, &mut drawing);
    Ok(drawing)
}

/// Names of roses, then of curves; empty ones have no line in the legend.
fn names(plot: &PolarPlot) -> Vec<&str> {
    let roses = plot.roses.iter().map(|rose| rose.name.as_str());
    let all = roses.chain(plot.curves.iter().map(|curve| curve.name.as_str()));
    all.filter(|name| !name.is_empty()).collect()
}

impl Dial {
    fn at(&self, angle: f64, value: f64) -> V2 {
        let part = if value > 0.0 { self.range.place(value).unwrap_or(0.0) } else { 0.0 };
        self.along(angle, part * self.radius)
    }

    fn along(&self, angle: f64, distance: f64) -> V2 {
        [self.centre[0] + distance * angle.cos(), self.centre[1] - distance * angle.sin()]
    }

    fn draw_grid(&self, plot: &PolarPlot, drawing: &mut Drawing) {
        let size = self.size;
        for tick in self.range.ticks(4).into_iter().filter(|tick| tick.place > 0.0) {
            drawing.circle(self.centre, tick.place * self.radius, Paint::stroke(GRID, 1.0));
        }
        for spoke in 0..12 {
            let degrees = 30 * spoke;
            let angle = f64::from(degrees).to_radians();
            drawing.line(vec![self.centre, self.along(angle, self.radius)], GRID, 1.0);
            let [x, y] = self.along(angle, self.radius + 1.5 * size);
            let words = match degrees {
                0 => plot.axes[0].clone(),
                90 => plot.axes[1].clone(),
                _ => format!("{degrees}°"),
            };
            drawing.text([x, y + 0.36 * size], size, Anchor::Middle, INK, words);
        }
        drawing.circle(self.centre, self.radius, Paint::stroke(FAINT_INK, 1.2));
    }

    /// Labels of the circles, over everything else.
    fn draw_radii(&self, drawing: &mut Drawing) {
        let small = 0.9 * self.size;
        for tick in self.range.ticks(4).into_iter().filter(|tick| tick.place > 0.05 && tick.place < 0.97) {
            let [x, y] = self.along(75f64.to_radians(), tick.place * self.radius);
            let half = 0.5 * font::width(&tick.label, small) + 0.2 * small;
            let [low, high] = [[x - half, y - 0.6 * small], [x + half, y + 0.6 * small]];
            drawing.rectangle(low, high, Paint::fill(PAPER.with_alpha(200)));
            drawing.text([x, y + 0.36 * small], small, Anchor::Middle, INK, tick.label);
        }
    }

    /// Sectors one by one, or where there are several roses the outline of each.
    fn draw_rose(&self, rose: &Rose, index: usize, outline: bool, drawing: &mut Drawing) {
        let colour = SERIES[index % SERIES.len()];
        let wide = std::f64::consts::TAU / rose.values.len().max(1) as f64;
        let arcs = rose.values.iter().enumerate().map(|(sector, &value)| {
            let start = (sector as f64 - 0.5) * wide;
            let pieces = (wide / 0.03).ceil().max(1.0) as usize;
            (0..=pieces).map(|k| self.at(start + wide * k as f64 / pieces as f64, value)).collect::<Vec<V2>>()
        });
        if outline {
            drawing.polygon(arcs.flatten().collect(), Paint::stroke(colour, 0.12 * self.size));
            return;
        }
        let paint = Paint::outlined(colour.mix(PAPER, 0.35).with_alpha(110), colour, 0.05 * self.size);
        for arc in arcs {
            drawing.polygon(std::iter::once(self.centre).chain(arc).collect(), paint);
        }
    }

    fn draw_words(&self, plot: &PolarPlot, names: &[&str], drawing: &mut Drawing) {
        let size = self.size;
        let room = drawing.width as f64 - 2.0 * size;
        let plain = |text: &str, size: f64| font::fitted(&text.replace(char::is_control, " "), size, room);
        let title = plain(&plot.title, 1.15 * size);
        drawing.text([size, 1.9 * size], 1.15 * size, Anchor::Start, INK, title);
        let mut line = self.centre[1] + self.radius + 3.4 * size;
        if !plot.label.is_empty() {
            let words = plain(&plot.label, size);
            drawing.text([self.centre[0], line], size, Anchor::Middle, INK, words);
            line += 1.9 * size;
        }
        let widest = names.iter().map(|name| font::width(name, size)).fold(0.0, f64::max);
        let left = (self.centre[0] - 0.5 * widest - 1.2 * size).max(size);
        let all = plot.roses.iter().map(|rose| &rose.name).chain(plot.curves.iter().map(|curve| &curve.name));
        for (index, name) in all.enumerate().filter(|(_, name)| !name.is_empty()) {
            let ends = vec![[left, line - 0.36 * size], [left + 1.8 * size, line - 0.36 * size]];
            drawing.line(ends, SERIES[index % SERIES.len()], 0.16 * size);
            drawing.text([left + 2.4 * size, line], size, Anchor::Start, INK, plain(name, size));
            line += 1.5 * size;
        }
    }
}
