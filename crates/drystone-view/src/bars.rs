//! Bars on joints: dark up to what a joint carries at least, light from there to what it carries at most.

use crate::colour::{PAPER, STICK};
use crate::drawing::{Drawing, Mark, Paint};
use crate::geometry::{V2, add, scale, unit, usable};
use crate::picture::Bar;
use crate::stage::Stage;
use crate::window::Window;

/// A bar without end is drawn this much longer than the longest with one.
const ENDLESS: f64 = 1.25;

/// Length of the bar of the largest force \[pixel\].
pub(crate) fn longest(stage: &Stage, window: &Window) -> f64 {
    let width = window.canvas[0] as f64;
    (1.4 * stage.mean_size * window.scale).clamp(0.03 * width, 0.09 * width)
}

pub(crate) fn draw(stage: &Stage, window: &Window, drawing: &mut Drawing) {
    if stage.largest_bar <= 0.0 {
        return;
    }
    let metres = longest(stage, window) / window.scale / stage.largest_bar;
    drawing.marks.push(Mark::Open("bars"));
    for Bar { point, along, between } in stage.bars.iter().filter(|bar| usable(bar.point)) {
        let Some(along) = unit(*along) else { continue };
        let at = |force: f64| {
            let force = force.clamp(-ENDLESS * stage.largest_bar, ENDLESS * stage.largest_bar);
            window.pixel(stage, add(*point, scale(along, metres * force)))
        };
        bar(drawing, [window.pixel(stage, *point), at(between[0]), at(between[1])]);
    }
    drawing.marks.push(Mark::Close);
}

/// A bar from its foot over the least force to the largest.
pub(crate) fn bar(drawing: &mut Drawing, [foot, least, largest]: [V2; 3]) {
    let wide = 5.0;
    let mut piece = |from: V2, to: V2, paint: Paint| {
        let way = [to[0] - from[0], to[1] - from[1]];
        let length = way[0].hypot(way[1]);
        if length > 0.2 {
            let side = [-0.5 * wide * way[1] / length, 0.5 * wide * way[0] / length];
            let corner = |at: V2, s: f64| [at[0] + s * side[0], at[1] + s * side[1]];
            drawing.polygon(
                vec![corner(from, 1.0), corner(to, 1.0), corner(to, -1.0), corner(from, -1.0)],
                paint,
            );
        }
    };
    piece(foot, least, Paint::fill(STICK));
    piece(least, largest, Paint::outlined(STICK.mix(PAPER, 0.65), STICK, 0.8));
}
