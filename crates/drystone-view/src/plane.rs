//! Bodies of the plane as marks: disks, polygons, half-planes. Lines over the bodies are not drawn here.

use crate::clip;
use crate::colour::{self, GROUND, GROUND_LINE};
use crate::drawing::{Drawing, Mark, Paint};
use crate::geometry::{V2, V3, add, scale};
use crate::shade::{fineness, pieces};
use crate::stage::{Outline, PlacedItem, Stage};
use crate::style::Style;
use crate::window::Window;
use std::collections::BTreeMap;

/// Draws every item, half-planes first so that nothing hides behind them.
pub(crate) fn draw(stage: &Stage, window: &Window, style: &Style, drawing: &mut Drawing) {
    for placed in stage.items.iter().filter(|placed| placed.is_half_space()) {
        group(drawing, |drawing| draw_half_plane(stage, window, placed, drawing));
    }
    for placed in stage.items.iter().filter(|placed| !placed.is_half_space()) {
        group(drawing, |drawing| draw_body(stage, window, style, placed, drawing));
    }
}

/// Keeps the marks of one item together, and leaves no empty group for one out of sight.
pub(crate) fn group(drawing: &mut Drawing, draw: impl FnOnce(&mut Drawing)) {
    let before = drawing.marks.len();
    drawing.marks.push(Mark::Open("item"));
    draw(drawing);
    if drawing.marks.len() == before + 1 {
        drawing.marks.truncate(before);
    } else {
        drawing.marks.push(Mark::Close);
    }
}

fn draw_body(stage: &Stage, window: &Window, style: &Style, placed: &PlacedItem, drawing: &mut Drawing) {
    let colour = colour::of_item(placed.item, placed.speed, stage.largest_speed, style);
    match &placed.outline {
        Outline::Ball { radius } => {
            let radius_pixels = ball_pixels(*radius, window);
            let paint = Paint::outlined(colour, colour.darker(), line_width(radius_pixels));
            draw_disk(stage, window, placed, radius_pixels, paint, drawing);
        }
        Outline::Polygon { corners, holes } => {
            let seen = |line: &Vec<V3>| {
                let points: Vec<V2> = line.iter().map(|corner| window.pixel(stage, *corner)).collect();
                clip::inside(&points, window.border())
            };
            let points = seen(corners);
            let width = line_width(0.5 * placed.size() * window.scale);
            let paint = Paint::outlined(colour, colour.darker(), width);
            if points.len() > 2 && holes.is_empty() {
                drawing.polygon(points, paint);
            } else if points.len() > 2 {
                let holes = holes.iter().map(seen).filter(|hole| hole.len() > 2);
                drawing.marks.push(Mark::Area { loops: [points].into_iter().chain(holes).collect(), paint });
            }
        }
        Outline::Line { corners } => {
            let points: Vec<V2> = corners.iter().map(|corner| window.pixel(stage, *corner)).collect();
            for ends in points.windows(2) {
                if let Some((from, to)) = clip::segment(ends[0], ends[1], window.border()) {
                    let at =
                        |part: f64| [0, 1].map(|axis| ends[0][axis] + part * (ends[1][axis] - ends[0][axis]));
                    drawing.line(vec![at(from), at(to)], GROUND_LINE, 1.6);
                }
            }
        }
        Outline::Field { .. } => draw_field(stage, window, style, placed, drawing),
        Outline::HalfSpace { .. } | Outline::Solid { .. } => {}
    }
}

/// The pieces of a field, each closed by a line of its own colour, and the border of the whole.
fn draw_field(stage: &Stage, window: &Window, style: &Style, placed: &PlacedItem, drawing: &mut Drawing) {
    let Outline::Field { corners, triangles, values } = &placed.outline else { return };
    let fineness = fineness(stage);
    let mut sides: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    for triangle in *triangles {
        for k in 0..3 {
            let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
            *sides.entry([from.min(to), from.max(to)]).or_default() += 1;
        }
        let [at, value] = [triangle.map(|k| k as usize); 2];
        for (piece, value) in pieces(at.map(|k| corners[k]), value.map(|k| values[k]), fineness) {
            let points: Vec<V2> = piece.iter().map(|corner| window.pixel(stage, *corner)).collect();
            let points = clip::inside(&points, window.border());
            if points.len() > 2 {
                let colour = colour::of_value(value, stage.largest_value, style);
                drawing.polygon(points, Paint::outlined(colour, colour, 0.5));
            }
        }
    }
    let width = line_width(0.5 * placed.size() * window.scale);
    for (side, _) in sides.iter().filter(|(_, count)| **count == 1) {
        let [start, end] = side.map(|k| window.pixel(stage, corners[k as usize]));
        if let Some((from, to)) = clip::segment(start, end, window.border()) {
            let at = |part: f64| [0, 1].map(|axis| start[axis] + part * (end[axis] - start[axis]));
            drawing.line(vec![at(from), at(to)], GROUND_LINE, width);
        }
    }
}

/// Radius on the sheet; a point has none, and gets one that can be seen.
pub(crate) fn ball_pixels(radius: f64, window: &Window) -> f64 {
    if radius == 0.0 { 3.0 } else { radius * window.scale }
}

/// Outlines get thinner with the bodies, down to a shade.
pub(crate) fn line_width(radius_pixels: f64) -> f64 {
    (0.09 * radius_pixels).clamp(0.35, 1.3)
}

fn draw_disk(
    stage: &Stage,
    window: &Window,
    placed: &PlacedItem,
    radius: f64,
    paint: Paint,
    drawing: &mut Drawing,
) {
    let centre = window.pixel(stage, placed.item.position);
    let (low, high) = window.border();
    let apart = |axis: usize| (low[axis] - centre[axis]).max(centre[axis] - high[axis]);
    if apart(0) > radius || apart(1) > radius {
        return;
    }
    let diagonal = (high[0] - low[0]).hypot(high[1] - low[1]);
    if radius > 4.0 * diagonal {
        return draw_vast_disk(centre, radius, diagonal, window, paint, drawing);
    }
    drawing.circle(centre, radius, paint);
    if radius > 3.0
        && let Some((line, width)) = paint.stroke
    {
        let rim: V3 = add(placed.item.position, scale(placed.columns[0], 0.98 * radius / window.scale));
        drawing.line(vec![centre, window.pixel(stage, rim)], line.with_alpha(150), width);
    }
}

/// A disk far larger than the sheet: only the arc that crosses it, as a polygon.
fn draw_vast_disk(
    centre: V2,
    radius: f64,
    diagonal: f64,
    window: &Window,
    paint: Paint,
    drawing: &mut Drawing,
) {
    let [x, y] = window.middle_pixel();
    let away = (x - centre[0]).hypot(y - centre[1]);
    let points = if away + diagonal < radius {
        clip::corners(window.border())
    } else {
        let (facing, half) = ((y - centre[1]).atan2(x - centre[0]), 2.0 * diagonal / radius);
        let arc = (0..=256).map(|k| facing + half * (k as f64 / 128.0 - 1.0));
        let mut points: Vec<V2> =
            arc.map(|angle| [centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()]).collect();
        points.push(centre);
        clip::inside(&points, window.border())
    };
    if points.len() > 2 {
        drawing.polygon(points, paint);
    }
}

/// Solid ground with a hatched edge.
fn draw_half_plane(stage: &Stage, window: &Window, placed: &PlacedItem, drawing: &mut Drawing) {
    let Outline::HalfSpace { normal } = placed.outline else {
        return;
    };
    let border = window.border();
    let origin = window.pixel(stage, placed.item.position);
    let (out, along) = ([normal[0], -normal[1]], [normal[1], normal[0]]);
    let ground = clip::below(&clip::corners(border), origin, out);
    if ground.len() < 3 {
        return;
    }
    // a foot of the edge near the middle of the sheet keeps the numbers small
    let [x, y] = window.middle_pixel();
    let height = (x - origin[0]) * out[0] + (y - origin[1]) * out[1];
    let foot = [x - height * out[0], y - height * out[1]];
    let reach = window.canvas[0].max(window.canvas[1]) as f64 * 2.0;
    let at = |s: f64, depth: f64| {
        [foot[0] + s * along[0] - depth * out[0], foot[1] + s * along[1] - depth * out[1]]
    };
    drawing.polygon(ground, Paint::fill(GROUND));
    if clip::segment(at(-reach, 0.0), at(reach, 0.0), border).is_none() {
        return;
    }
    let pitch = (window.canvas[0] as f64 / 96.0).clamp(6.0, 16.0);
    let count = (reach / pitch) as i32;
    for k in -count..count {
        let (start, end) = (at(k as f64 * pitch, 0.0), at((k as f64 - 1.0) * pitch, pitch));
        if clip::segment(start, end, border).is_some() {
            drawing.line(vec![start, end], GROUND_LINE.with_alpha(110), 0.9);
        }
    }
    if let Some((from, to)) = clip::segment(at(-reach, 0.0), at(reach, 0.0), border) {
        let place = |part: f64| at(reach * (2.0 * part - 1.0), 0.0);
        drawing.line(vec![place(from), place(to)], GROUND_LINE, 1.6);
    }
}
