//! Ties over the bodies: dots for joints, lines for rods and wires, zigzags for springs. Draws no force.

use crate::clip;
use crate::colour::{INK, PAPER};
use crate::drawing::{Drawing, Mark, Paint};
use crate::geometry::V2;
use crate::picture::{TieForm, TieSegment};
use crate::stage::Stage;
use crate::window::Window;

/// Turns of the zigzag of a spring.
const TURNS: usize = 8;

/// Draws every tie that is in sight.
pub(crate) fn draw(stage: &Stage, window: &Window, drawing: &mut Drawing) {
    if stage.ties.is_empty() {
        return;
    }
    let size = (0.012 * window.canvas[0] as f64).clamp(3.0, 9.0);
    drawing.marks.push(Mark::Open("ties"));
    for tie in &stage.ties {
        let ends = tie.ends.map(|end| window.pixel(stage, end));
        if clip::segment(ends[0], ends[1], window.border()).is_some() || ends[0] == ends[1] {
            draw_tie(tie, ends, size, drawing);
        }
    }
    drawing.marks.push(Mark::Close);
}

fn draw_tie(tie: &TieSegment, ends: [V2; 2], size: f64, drawing: &mut Drawing) {
    let ring = |drawing: &mut Drawing, at: V2, radius: f64| {
        drawing.circle(at, radius, Paint::outlined(PAPER, INK, 0.3 * size));
    };
    match tie.form {
        TieForm::Joint => {
            // what has slid leaves a line behind
            if (ends[0][0] - ends[1][0]).hypot(ends[0][1] - ends[1][1]) > size {
                drawing.line(ends.to_vec(), INK, 0.15 * size);
            }
            ring(drawing, ends[0], 0.6 * size);
        }
        TieForm::Torsion => drawing.circle(ends[0], 1.2 * size, Paint::stroke(INK, 0.25 * size)),
        TieForm::Wire => drawing.line(ends.to_vec(), INK, 0.2 * size),
        TieForm::Rod => {
            drawing.line(ends.to_vec(), INK, 0.45 * size);
            ends.into_iter().for_each(|end| ring(drawing, end, 0.4 * size));
        }
        TieForm::Spring => drawing.line(zigzag(ends, size), INK, 0.2 * size),
    }
}

/// From end to end and to and fro between.
fn zigzag([from, to]: [V2; 2], size: f64) -> Vec<V2> {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = along[0].hypot(along[1]);
    if length < size {
        return vec![from, to];
    }
    let across = [-along[1] / length * size, along[0] / length * size];
    let at = |part: f64, side: f64| [0, 1].map(|axis| from[axis] + part * along[axis] + side * across[axis]);
    let mut points = vec![from, at(0.15, 0.0)];
    for turn in 0..2 * TURNS {
        let part = 0.15 + 0.7 * (turn as f64 + 0.5) / (2 * TURNS) as f64;
        points.push(at(part, if turn % 2 == 0 { 1.0 } else { -1.0 }));
    }
    points.extend([at(0.85, 0.0), to]);
    points
}
