//! Bodies of space as pixels: a depth buffer with four samples a pixel, then light and shade. Bodies only;
//! lines and labels are marks drawn over it.

use crate::clip;
use crate::colour::{self, Colour, GROUND, GROUND_LINE, PAPER};
use crate::error::ViewError;
use crate::geometry::{V2, V3, add, dot, scale, sub};
use crate::number::round_below;
use crate::plane::ball_pixels;
use crate::shade::{Facet, facets, hides_the_rest, light};
use crate::space::{FLATTEST, Ground, field_facets};
use crate::stage::{Outline, PlacedItem, Stage};
use crate::style::Style;
use crate::window::Window;
use rayon::prelude::*;
use tiny_skia::{Pixmap, PremultipliedColorU8};

/// Samples along each side of a pixel.
const FINE: usize = 2;
/// Directions and distances of the samples that darken corners.
const AROUND: usize = 8;
const STEPS: usize = 4;
const DARKEST_CORNER: f64 = 0.6;
/// About so many lines of equal height on a terrain, and at most so many on one of its triangles.
const LEVELS: f64 = 10.0;
const MOST_LEVELS: usize = 64;
/// Facets of a terrain look up: the third component of most of their normals is larger.
const GENTLE: f64 = 0.3;

/// Nearest surface at each sample: nearness to the viewer, in samples, and colour.
struct Buffer {
    width: usize,
    height: usize,
    near: Vec<f32>,
    colour: Vec<Colour>,
}

/// Paints every body on a sheet of the size of the window.
pub(crate) fn paint(stage: &Stage, window: &Window, style: &Style) -> Result<Pixmap, ViewError> {
    let [width, height] = window.canvas.map(|side| side as usize);
    let mut buffer = Buffer::new(width * FINE, height * FINE);
    for placed in &stage.items {
        let colour = colour::of_item(placed.item, placed.speed, stage.largest_speed, style);
        match &placed.outline {
            Outline::HalfSpace { normal } => buffer.put_ground(stage, window, placed, *normal),
            Outline::Ball { radius } => buffer.put_sphere(stage, window, placed, *radius, colour),
            // drawn later, as lines over everything
            Outline::Solid { .. } if hides_the_rest(stage, placed) => {}
            Outline::Solid { corners, faces, convex } => {
                let facets = facets(corners, faces, *convex);
                buffer.put_solid(stage, window, placed, &facets, colour);
                if !convex && placed.item.fixed {
                    buffer.put_contours(stage, window, &facets);
                }
            }
            Outline::Field { .. } => {
                for (facet, colour) in field_facets(stage, placed, style) {
                    buffer.put_solid(stage, window, placed, &[facet], colour);
                }
            }
            Outline::Polygon { .. } | Outline::Line { .. } => {}
        }
    }
    // corners darken over about half a body
    let reach = (0.5 * stage.mean_size * window.scale).clamp(2.0, 0.04 * width as f64);
    let veil = if style.show.forces() { 0.3 } else { 0.0 };
    buffer.resolve(window.canvas, reach, veil)
}

impl Buffer {
    fn new(width: usize, height: usize) -> Buffer {
        let count = width * height;
        Buffer { width, height, near: vec![f32::NEG_INFINITY; count], colour: vec![PAPER; count] }
    }

    fn put(&mut self, index: usize, near: f64, colour: Colour) {
        let near = near as f32;
        if near > self.near[index] {
            self.near[index] = near;
            self.colour[index] = colour;
        }
    }

    /// Samples whose middle lies between two places along a side.
    fn span(low: f64, high: f64, count: usize) -> std::ops::Range<usize> {
        let clamp = |x: f64| x.clamp(0.0, count as f64) as usize;
        clamp((low - 0.5).ceil())..clamp((high - 0.5).floor() + 1.0)
    }

    /// Where a world point falls, in samples, with its nearness.
    fn place(stage: &Stage, window: &Window, point: V3) -> V3 {
        let [x, y] = window.pixel(stage, point);
        [x, y, window.nearness(stage, point)].map(|pixels| pixels * FINE as f64)
    }

    fn put_sphere(
        &mut self,
        stage: &Stage,
        window: &Window,
        placed: &PlacedItem,
        radius: f64,
        colour: Colour,
    ) {
        let [x, y, near] = Self::place(stage, window, placed.item.position);
        let radius = (ball_pixels(radius, window) * FINE as f64).max(0.75);
        let marked = radius > 5.0 * FINE as f64;
        let axis = stage.eye.see(placed.columns[0]);
        for row in Self::span(y - radius, y + radius, self.height) {
            let up = (y - row as f64 - 0.5) / radius;
            let half = (1.0 - up * up).max(0.0).sqrt() * radius;
            for column in Self::span(x - half, x + half, self.width) {
                let right = (column as f64 + 0.5 - x) / radius;
                let towards = (1.0 - up * up - right * right).max(0.0).sqrt();
                let index = row * self.width + column;
                if (near + radius * towards) as f32 <= self.near[index] {
                    continue;
                }
                let normal = [right, up, towards];
                // a line round the sphere, so that its rotation is seen
                let line = marked && dot(axis, normal).abs() < 0.035;
                let shade = light(normal) * if line { 0.72 } else { 1.0 };
                self.put(row * self.width + column, near + radius * towards, colour.lit(shade));
            }
        }
    }

    fn put_solid(
        &mut self,
        stage: &Stage,
        window: &Window,
        placed: &PlacedItem,
        facets: &[Facet],
        colour: Colour,
    ) {
        let size = placed.size() * window.scale;
        for facet in facets {
            let towards = dot(facet.normal, stage.eye.towards);
            // the far side of a closed solid is never seen
            if towards <= 0.0 {
                continue;
            }
            let points: Vec<V3> =
                facet.corners.iter().map(|corner| Self::place(stage, window, *corner)).collect();
            let shade = colour.lit(light(stage.eye.see(facet.normal)));
            for k in 1..points.len() - 1 {
                self.put_triangle([points[0], points[k], points[k + 1]], shade);
            }
            if size > 7.0 {
                let half = (0.012 * size).clamp(0.3, 0.6) * FINE as f64;
                for (k, &start) in points.iter().enumerate().filter(|(k, _)| facet.sharp[*k]) {
                    self.put_edge(start, points[(k + 1) % points.len()], half, colour.darker());
                }
            }
        }
    }

    fn put_triangle(&mut self, [a, b, c]: [V3; 3], colour: Colour) {
        let side = |p: V3, q: V3, x: f64, y: f64| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
        let area = side(a, b, c[0], c[1]);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let bounds = |axis: usize| (a[axis].min(b[axis]).min(c[axis]), a[axis].max(b[axis]).max(c[axis]));
        let ((left, right), (top, bottom)) = (bounds(0), bounds(1));
        for row in Self::span(top, bottom, self.height) {
            let y = row as f64 + 0.5;
            for column in Self::span(left, right, self.width) {
                let x = column as f64 + 0.5;
                let weights = [side(b, c, x, y) / area, side(c, a, x, y) / area, side(a, b, x, y) / area];
                if weights.iter().all(|weight| *weight >= 0.0) {
                    let near = weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2];
                    self.put(row * self.width + column, near, colour);
                }
            }
        }
    }

    /// Lines of equal height on a terrain, at multiples of a round height: shade alone tells little of a
    /// gentle relief.
    fn put_contours(&mut self, stage: &Stage, window: &Window, facets: &[Facet]) {
        let heights = facets.iter().flat_map(|facet| facet.corners.iter().map(|corner| corner[2]));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), z| (l.min(z), h.max(z)));
        let spacing = round_below((high - low) / LEVELS);
        // walls of a container and other steep things are no terrain
        let level = facets.iter().filter(|facet| facet.normal[2] > GENTLE).count();
        if !(spacing > 0.0 && 2 * level > facets.len()) {
            return;
        }
        for facet in facets.iter().filter(|facet| dot(facet.normal, stage.eye.towards) > 0.0) {
            for k in 1..facet.corners.len() - 1 {
                let corners = [facet.corners[0], facet.corners[k], facet.corners[k + 1]];
                let line = |at: f64| (at / spacing).ceil() as i64;
                let (low, high) = corners
                    .iter()
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), c| (l.min(c[2]), h.max(c[2])));
                for level in (line(low)..line(high)).take(MOST_LEVELS) {
                    let crossing = crossing(&corners, level as f64 * spacing);
                    if let [Some(start), Some(end)] =
                        crossing.map(|end| end.map(|end| Self::place(stage, window, end)))
                    {
                        self.put_edge(start, end, 0.4 * FINE as f64, GROUND_LINE.mix(PAPER, 0.15));
                    }
                }
            }
        }
    }

    /// An edge, drawn a little nearer than its face so that the face does not swallow it.
    fn put_edge(&mut self, a: V3, b: V3, half: f64, colour: Colour) {
        let border = ([-4.0; 2], [self.width as f64 + 4.0, self.height as f64 + 4.0]);
        let flat = |p: V3| -> V2 { [p[0], p[1]] };
        let Some((from, to)) = clip::segment(flat(a), flat(b), border) else {
            return;
        };
        let along = |part: f64| add(a, scale(sub(b, a), part));
        let (start, end) = (along(from), along(to));
        let length = (end[0] - start[0]).hypot(end[1] - start[1]);
        let steps = (2.0 * length).ceil().clamp(1.0, 1e5) as usize;
        for step in 0..=steps {
            let [x, y, near] = add(start, scale(sub(end, start), step as f64 / steps as f64));
            for row in Self::span(y - half, y + half, self.height) {
                for column in Self::span(x - half, x + half, self.width) {
                    self.put(row * self.width + column, near + 1.5 * FINE as f64, colour);
                }
            }
        }
    }

    /// A plane seen from outside, with a grid that fades into the paper.
    fn put_ground(&mut self, stage: &Stage, window: &Window, placed: &PlacedItem, normal: V3) {
        let eye = &stage.eye;
        let slope = dot(normal, eye.towards);
        if slope < FLATTEST {
            return;
        }
        let ground = Ground::new(stage, placed, normal);
        let [x, y, near] = Self::place(stage, window, ground.foot);
        let metres = 1.0 / (window.scale * FINE as f64);
        let (along_right, along_up) = (dot(normal, eye.right) / slope, dot(normal, eye.up) / slope);
        let line = 0.55 * FINE as f64 * metres;
        for row in 0..self.height {
            let up = y - row as f64 - 0.5;
            for column in 0..self.width {
                let right = column as f64 + 0.5 - x;
                let towards = -(right * along_right + up * along_up);
                let from_foot =
                    add(add(scale(eye.right, right), scale(eye.up, up)), scale(eye.towards, towards));
                let [a, b] = ground.along.map(|direction| dot(from_foot, direction) * metres);
                let fade = (a.hypot(b) / ground.radius - 0.55) / 0.45;
                if fade >= 1.0 {
                    continue;
                }
                let off_line = |s: f64| (s - (s / ground.spacing).round() * ground.spacing).abs();
                let on_line = off_line(a) < line || off_line(b) < line;
                let base = GROUND.mix(PAPER, 0.3);
                let colour = if on_line { base.mix(GROUND_LINE, 0.28) } else { base };
                self.put(row * self.width + column, near + towards, colour.mix(PAPER, fade));
            }
        }
    }

    /// Averages the samples of each pixel and darkens corners; a veil of paper, from 0 to 1, quiets the
    /// whole.
    fn resolve(&self, canvas: [u32; 2], reach: f64, veil: f64) -> Result<Pixmap, ViewError> {
        let refused = ViewError::Size { width: canvas[0], height: canvas[1] };
        let mut sheet = Pixmap::new(canvas[0], canvas[1]).ok_or(refused)?;
        let reach = reach * FINE as f64;
        let offsets = offsets(reach);
        sheet.pixels_mut().par_chunks_mut(canvas[0] as usize).enumerate().for_each(|(row, pixels)| {
            for (column, pixel) in pixels.iter_mut().enumerate() {
                let [red, green, blue] = self
                    .shaded(row, column, &offsets, reach)
                    .map(|mean| (mean + veil * (255.0 - mean) + 0.5) as u8);
                if let Some(colour) = PremultipliedColorU8::from_rgba(red, green, blue, 255) {
                    *pixel = colour;
                }
            }
        });
        Ok(sheet)
    }

    /// Red, green and blue of a pixel: the mean of its samples, each with its own darkness.
    fn shaded(&self, row: usize, column: usize, offsets: &[[i64; 2]], reach: f64) -> [f64; 3] {
        let samples = [[0, 0], [1, 0], [0, 1], [1, 1]]
            .map(|[x, y]: [usize; 2]| (row * FINE + y) * self.width + column * FINE + x);
        let mut sum = [0.0; 3];
        for (sample, dark) in samples.into_iter().zip(self.darkness(samples, offsets, reach)) {
            let colour = self.colour[sample];
            for (total, part) in sum.iter_mut().zip([colour.red, colour.green, colour.blue]) {
                *total += part as f64 * (1.0 - dark) / (FINE * FINE) as f64;
            }
        }
        sum
    }

    /// Darkness of the four samples of a pixel: two on a diagonal are worked out, the others take that of the
    /// nearer in depth, so that the rim of a body does not borrow the shade of what lies behind.
    fn darkness(&self, samples: [usize; 4], offsets: &[[i64; 2]], reach: f64) -> [f64; 4] {
        let [first, last] = [samples[0], samples[3]].map(|sample| self.corner(sample, offsets, reach));
        let depth = samples.map(|sample| self.near[sample]);
        let alike = |k: usize| {
            if (depth[k] - depth[0]).abs() <= (depth[k] - depth[3]).abs() { first } else { last }
        };
        [first, alike(1), alike(2), last]
    }

    /// How much of the light a corner keeps away: where the neighbours across a sample stand, on average,
    /// nearer to the viewer than the sample itself. A flat face, however tilted, gives nothing.
    fn corner(&self, sample: usize, offsets: &[[i64; 2]], reach: f64) -> f64 {
        let here = self.near[sample];
        if here == f32::NEG_INFINITY {
            return 0.0;
        }
        let (column, row) = ((sample % self.width) as i64, (sample / self.width) as i64);
        // none beyond the sheet or over bare paper: nothing is known there
        let rise = |dx: i64, dy: i64| {
            let (x, y) = (column + dx, row + dy);
            let inside = x >= 0 && y >= 0 && x < self.width as i64 && y < self.height as i64;
            let there = inside.then(|| self.near[y as usize * self.width + x as usize])?;
            (there > f32::NEG_INFINITY).then(|| (there - here) as f64 / reach)
        };
        let hidden = |[dx, dy]: &[i64; 2]| {
            let (Some(a), Some(b)) = (rise(*dx, *dy), rise(-dx, -dy)) else {
                return 0.0;
            };
            // what stands well in front of the sample does not touch it: a shade there would be a halo
            let touching = (1.5 - a.max(b)).clamp(0.0, 1.0);
            touching * (0.5 * (a.max(-2.0) + b.max(-2.0))).clamp(0.0, 1.0)
        };
        let hidden: f64 = offsets.iter().map(hidden).sum();
        (DARKEST_CORNER * 1.5 * hidden / offsets.len() as f64).min(DARKEST_CORNER)
    }
}

/// Where a level plane cuts a triangle.
fn crossing(corners: &[V3; 3], height: f64) -> [Option<V3>; 2] {
    let mut found = [None; 2];
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        if (a[2] < height) != (b[2] < height) {
            let at = add(a, scale(sub(b, a), (height - a[2]) / (b[2] - a[2])));
            found = [Some(at), found[0]];
        }
    }
    found
}

/// Half of the samples around a place; the other half lies opposite.
fn offsets(reach: f64) -> Vec<[i64; 2]> {
    let mut all = Vec::with_capacity(AROUND * STEPS);
    for direction in 0..AROUND {
        let angle = std::f64::consts::PI * direction as f64 / AROUND as f64;
        // rings of their own in each direction, so that no contour repeats itself
        let shift = (direction * 5 % AROUND) as f64 / AROUND as f64;
        for step in 0..STEPS {
            let distance = reach * (step as f64 + shift + 0.3) / STEPS as f64;
            all.push([(distance * angle.cos()).round() as i64, (distance * angle.sin()).round() as i64]);
        }
    }
    all
}
