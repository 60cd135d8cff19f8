//! Force chains and velocity arrows over the bodies. Scales are shared with the legend, so that both always
//! agree.

use crate::clip;
use crate::colour::{ARROW, Colour, SLIP, STICK};
use crate::drawing::{Drawing, Mark, Paint};
use crate::geometry::{V2, add, scale, usable};
use crate::joints::Carried;
use crate::stage::Stage;
use crate::window::Window;

/// Lines thinner than this \[pixel\] are not seen.
const THINNEST: f64 = 0.12;

/// Thickness of the line of the largest force \[pixel\]: 0.4 of a mean body, within what a sheet can bear;
/// less in space, where lines lie behind one another.
pub(crate) fn thickest(stage: &Stage, window: &Window) -> f64 {
    let part = if stage.dimension == 2 { 0.4 } else { 0.18 };
    (part * stage.mean_size * window.scale).clamp(3.0, 0.02 * window.canvas[0] as f64 + 3.0)
}

/// Length of the arrow of the largest speed \[pixel\].
pub(crate) fn longest(stage: &Stage, window: &Window) -> f64 {
    let width = window.canvas[0] as f64;
    (1.6 * stage.mean_size * window.scale).clamp(0.035 * width, 0.1 * width)
}

/// Colour of a force line: in space others show through it.
pub(crate) fn colour_of(stage: &Stage, slips: bool) -> Colour {
    let colour = if slips { SLIP } else { STICK };
    if stage.dimension == 2 { colour } else { colour.with_alpha(190) }
}

/// One line for each pair of bodies: strong ones on top in the plane, near ones in space.
pub(crate) fn draw_forces(stage: &Stage, window: &Window, drawing: &mut Drawing) {
    let widest = thickest(stage, window);
    let mut order: Vec<&Carried> = stage.contacts.iter().collect();
    if stage.dimension == 3 {
        let nearness = |contact: &Carried| window.nearness(stage, contact.point);
        order.sort_by(|a, b| nearness(a).total_cmp(&nearness(b)));
    }
    drawing.marks.push(Mark::Open("forces"));
    for contact in order {
        // in a film single forces may be above the scale
        let width = widest * (contact.force / stage.largest_force).min(1.0);
        if width < THINNEST {
            continue;
        }
        let points: Vec<V2> = contact.line.iter().map(|point| window.pixel(stage, *point)).collect();
        let seen = points.windows(2).any(|ends| clip::segment(ends[0], ends[1], window.border()).is_some());
        if seen {
            drawing.line(points, colour_of(stage, contact.slips), width);
        }
    }
    drawing.marks.push(Mark::Close);
}

/// One arrow for each item that moves visibly.
pub(crate) fn draw_velocities(stage: &Stage, window: &Window, drawing: &mut Drawing) {
    if stage.largest_speed <= 0.0 {
        return;
    }
    let metres_per_speed = longest(stage, window) / window.scale / stage.largest_speed;
    let mut drawn_body = None;
    drawing.marks.push(Mark::Open("velocities"));
    for placed in stage.items.iter().filter(|placed| !placed.is_half_space() && usable(placed.item.velocity))
    {
        // the shapes of one body follow each other and share one arrow
        if drawn_body == Some(placed.item.body) {
            continue;
        }
        drawn_body = Some(placed.item.body);
        let start = window.pixel(stage, placed.item.position);
        let tip = add(placed.item.position, scale(placed.item.velocity, metres_per_speed));
        arrow(drawing, start, window.pixel(stage, tip));
    }
    drawing.marks.push(Mark::Close);
}

/// An arrow with a head in proportion; none where it would be a dot.
pub(crate) fn arrow(drawing: &mut Drawing, start: V2, tip: V2) {
    let along = [tip[0] - start[0], tip[1] - start[1]];
    let length = along[0].hypot(along[1]);
    if !(1.5..1e6).contains(&length) {
        return;
    }
    let [x, y] = along.map(|part| part / length);
    let head = (0.32 * length).clamp(1.2, 9.0);
    let (neck, half) = ([tip[0] - head * x, tip[1] - head * y], 0.42 * head);
    drawing.line(vec![start, neck], ARROW, (0.16 * head).clamp(0.4, 1.6));
    let head = vec![tip, [neck[0] - half * y, neck[1] + half * x], [neck[0] + half * y, neck[1] - half * x]];
    drawing.polygon(head, Paint::fill(ARROW));
}
