//! Bodies of space as marks, far ones first, for an SVG. Bodies that pierce each other are drawn one over the
//! other.

use crate::clip;
use crate::colour::{self, Colour, GROUND, GROUND_LINE, PAPER};
use crate::drawing::{Drawing, Fill, Paint};
use crate::geometry::{V2, V3, add, cross, dot, scale, sub, tangents, unit};
use crate::number::round_below;
use crate::plane::{ball_pixels, group, line_width};
use crate::shade::{Facet, facets, fineness, hides_the_rest, light, pieces};
use crate::stage::{Outline, PlacedItem, Stage};
use crate::style::Style;
use crate::window::Window;

/// Planes seen at a flatter angle than this sine are not drawn, nor those seen from inside the solid.
pub(crate) const FLATTEST: f64 = 0.03;

/// Draws planes first, then every body from the farthest to the nearest.
pub(crate) fn draw(stage: &Stage, window: &Window, style: &Style, drawing: &mut Drawing) {
    for placed in &stage.items {
        if let Outline::HalfSpace { normal } = placed.outline {
            group(drawing, |drawing| draw_ground(stage, window, placed, normal, drawing));
        }
    }
    let mut order: Vec<(&PlacedItem, f64)> = stage
        .items
        .iter()
        .filter(|placed| !placed.is_half_space() && !hides_the_rest(stage, placed))
        .map(|placed| (placed, window.nearness(stage, placed.middle())))
        .collect();
    // a large support would hide what stands on it: the middle says little about its faces
    let vast = |placed: &PlacedItem| placed.item.fixed && placed.size() > 0.4 * stage.reach;
    order.sort_by(|(a, a_near), (b, b_near)| vast(b).cmp(&vast(a)).then(a_near.total_cmp(b_near)));
    for (placed, _) in order {
        group(drawing, |drawing| draw_body(stage, window, style, placed, drawing));
    }
}

fn draw_body(stage: &Stage, window: &Window, style: &Style, placed: &PlacedItem, drawing: &mut Drawing) {
    let colour = colour::of_item(placed.item, placed.speed, stage.largest_speed, style);
    match &placed.outline {
        Outline::Ball { radius } => {
            let (centre, radius) = (window.pixel(stage, placed.item.position), ball_pixels(*radius, window));
            let (low, high) = window.border();
            let apart = |axis: usize| (low[axis] - centre[axis]).max(centre[axis] - high[axis]);
            if apart(0) <= radius && apart(1) <= radius {
                let stroke = Some((colour.lit(0.45), 0.6 * line_width(radius)));
                drawing.circle(centre, radius, Paint { fill: Some(Fill::Ball(colour)), stroke });
            }
        }
        Outline::Solid { corners, faces, convex } => {
            let mut facets = facets(corners, faces, *convex);
            facets.retain(|facet| dot(facet.normal, stage.eye.towards) > 0.0);
            if !convex {
                let near = |facet: &Facet| window.nearness(stage, facet.corners[0]);
                facets.sort_by(|a, b| near(a).total_cmp(&near(b)));
            }
            let width = line_width(0.5 * placed.size() * window.scale);
            facets.iter().for_each(|facet| draw_facet(stage, window, facet, colour, width, drawing));
        }
        Outline::Field { .. } => {
            let mut pieces = field_facets(stage, placed, style);
            let near = |(facet, _): &(Facet, Colour)| window.nearness(stage, facet.corners[0]);
            pieces.sort_by(|a, b| near(a).total_cmp(&near(b)));
            pieces.iter().for_each(|(facet, colour)| draw_facet(stage, window, facet, *colour, 0.5, drawing));
        }
        Outline::HalfSpace { .. } | Outline::Polygon { .. } | Outline::Line { .. } => {}
    }
}

/// The pieces of a field that are seen, each with its colour.
pub(crate) fn field_facets(stage: &Stage, placed: &PlacedItem, style: &Style) -> Vec<(Facet, Colour)> {
    let Outline::Field { corners, triangles, values } = &placed.outline else { return Vec::new() };
    let fineness = fineness(stage);
    let mut found = Vec::new();
    for triangle in *triangles {
        let at = triangle.map(|k| k as usize);
        let own = at.map(|k| corners[k]);
        let Some(normal) = unit(cross(sub(own[1], own[0]), sub(own[2], own[0]))) else { continue };
        if dot(normal, stage.eye.towards) <= 0.0 {
            continue;
        }
        for (piece, value) in pieces(own, at.map(|k| values[k]), fineness) {
            let facet = Facet { corners: piece.to_vec(), normal, sharp: vec![false; 3] };
            found.push((facet, colour::of_value(value, stage.largest_value, style)));
        }
    }
    found
}

/// A face with the edges that are to be seen; where it goes over into its neighbour a line of its own colour
/// closes the seam.
fn draw_facet(
    stage: &Stage,
    window: &Window,
    facet: &Facet,
    colour: Colour,
    width: f64,
    drawing: &mut Drawing,
) {
    let whole: Vec<V2> = facet.corners.iter().map(|corner| window.pixel(stage, *corner)).collect();
    let points = clip::inside(&whole, window.border());
    let shade = colour.lit(light(stage.eye.see(facet.normal)));
    if points.len() < 3 {
        return;
    }
    if facet.sharp.iter().all(|sharp| *sharp) {
        return drawing.polygon(points, Paint::outlined(shade, colour.darker(), width));
    }
    drawing.polygon(points, Paint::outlined(shade, shade, 0.5));
    for (k, &start) in whole.iter().enumerate().filter(|(k, _)| facet.sharp[*k]) {
        let end = whole[(k + 1) % whole.len()];
        if let Some((from, to)) = clip::segment(start, end, window.border()) {
            let at = |part: f64| [0, 1].map(|axis| start[axis] + part * (end[axis] - start[axis]));
            drawing.line(vec![at(from), at(to)], colour.darker(), width);
        }
    }
}

/// Supports between the viewer and what moves, as their edges alone.
pub(crate) fn draw_hollow(stage: &Stage, window: &Window, drawing: &mut Drawing) {
    for placed in stage.items.iter().filter(|placed| hides_the_rest(stage, placed)) {
        let Outline::Solid { corners, faces, convex } = &placed.outline else {
            continue;
        };
        group(drawing, |drawing| {
            for facet in facets(corners, faces, *convex)
                .iter()
                .filter(|facet| dot(facet.normal, stage.eye.towards) > 0.0)
            {
                let points: Vec<V2> =
                    facet.corners.iter().map(|corner| window.pixel(stage, *corner)).collect();
                let points = clip::inside(&points, window.border());
                if points.len() > 2 {
                    drawing.polygon(points, Paint::stroke(GROUND_LINE.with_alpha(130), 1.0));
                }
            }
        });
    }
}

/// A square of the plane under what moves, with a grid of round spacing.
fn draw_ground(stage: &Stage, window: &Window, placed: &PlacedItem, normal: V3, drawing: &mut Drawing) {
    if dot(normal, stage.eye.towards) < FLATTEST {
        return;
    }
    let ground = Ground::new(stage, placed, normal);
    let at = |a: f64, b: f64| {
        let point = add(ground.foot, add(scale(ground.along[0], a), scale(ground.along[1], b)));
        window.pixel(stage, point)
    };
    // a square shows its border where a disk fades: it is kept smaller
    let r = 0.65 * ground.radius;
    let square = clip::inside(&[at(-r, -r), at(r, -r), at(r, r), at(-r, r)], window.border());
    if square.len() < 3 {
        return;
    }
    drawing.polygon(square, Paint::fill(GROUND.mix(PAPER, 0.35)));
    let count = (r / ground.spacing) as i32;
    for k in -count..=count {
        let s = k as f64 * ground.spacing;
        for ends in [[at(s, -r), at(s, r)], [at(-r, s), at(r, s)]] {
            if let Some((from, to)) = clip::segment(ends[0], ends[1], window.border()) {
                let place =
                    |part: f64| [0, 1].map(|axis| ends[0][axis] + part * (ends[1][axis] - ends[0][axis]));
                drawing.line(vec![place(from), place(to)], GROUND_LINE.with_alpha(60), 0.8);
            }
        }
    }
}

/// The part of a plane that is shown.
pub(crate) struct Ground {
    /// The point under the focus, moved to a crossing of the grid \[m\].
    pub foot: V3,
    /// Directions of the lines of the grid.
    pub along: [V3; 2],
    /// Distance between lines \[m\].
    pub spacing: f64,
    /// How far it is shown from the foot \[m\].
    pub radius: f64,
}

impl Ground {
    pub fn new(stage: &Stage, placed: &PlacedItem, normal: V3) -> Ground {
        let height = dot(sub(stage.focus, placed.item.position), normal);
        let under = sub(stage.focus, scale(normal, height));
        let along = tangents(normal);
        let spacing = round_below(0.34 * stage.reach);
        // lines stay where they are when the focus moves
        let offset = along.map(|direction| {
            let place = dot(under, direction);
            (place / spacing).round() * spacing - place
        });
        let foot = add(under, add(scale(along[0], offset[0]), scale(along[1], offset[1])));
        Ground { foot, along, spacing, radius: 1.9 * stage.reach }
    }
}
