//! The embedded font: widths of texts and outlines of letters. One face, no shaping: labels are short and
//! simple.

use ab_glyph::{Font, FontRef, OutlineCurve};
use std::sync::OnceLock;
use tiny_skia::{Path, PathBuilder};

/// DejaVu Sans 2.37, cut down to Latin, Greek and a few signs; its licence lies beside it.
static BYTES: &[u8] = include_bytes!("../font/DejaVuSans-subset.ttf");

fn face() -> Option<&'static FontRef<'static>> {
    static FACE: OnceLock<Option<FontRef<'static>>> = OnceLock::new();
    FACE.get_or_init(|| FontRef::try_from_slice(BYTES).ok()).as_ref()
}

/// Width of a text \[pixel\] at a size \[pixel per em\].
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let Some(face) = face() else {
        return 0.6 * size * text.chars().count() as f64;
    };
    let factor = size / face.units_per_em().unwrap_or(2048.0) as f64;
    text.chars().map(|c| face.h_advance_unscaled(face.glyph_id(c)) as f64 * factor).sum()
}

/// The text cut to a width, with an ellipsis where something was cut.
pub(crate) fn fitted(text: &str, size: f64, available: f64) -> String {
    if width(text, size) <= available {
        return text.to_string();
    }
    let mut kept = String::new();
    let mut used = width("…", size);
    for c in text.chars() {
        used += width(c.encode_utf8(&mut [0; 4]), size);
        if used > available {
            break;
        }
        kept.push(c);
    }
    kept.push('…');
    kept
}

/// Outline of a text from the origin along +x, y down.
pub(crate) fn outline(text: &str, size: f64) -> Option<Path> {
    let face = face()?;
    let factor = (size / face.units_per_em().unwrap_or(2048.0) as f64) as f32;
    let mut builder = PathBuilder::new();
    let mut pen = 0.0;
    for c in text.chars() {
        let glyph = face.glyph_id(c);
        if let Some(outline) = face.outline(glyph) {
            let place = |p: ab_glyph::Point| (pen + p.x * factor, -p.y * factor);
            add_curves(&mut builder, &outline.curves, place);
        }
        pen += face.h_advance_unscaled(glyph) * factor;
    }
    builder.finish()
}

fn add_curves(
    builder: &mut PathBuilder,
    curves: &[OutlineCurve],
    place: impl Fn(ab_glyph::Point) -> (f32, f32),
) {
    let mut last = None;
    for curve in curves {
        let (start, end) = match curve {
            OutlineCurve::Line(a, b) => (*a, *b),
            OutlineCurve::Quad(a, _, b) => (*a, *b),
            OutlineCurve::Cubic(a, _, _, b) => (*a, *b),
        };
        // a jump opens the next contour of the letter
        if last != Some(start) {
            let (x, y) = place(start);
            builder.move_to(x, y);
        }
        let (x, y) = place(end);
        match curve {
            OutlineCurve::Line(..) => builder.line_to(x, y),
            OutlineCurve::Quad(_, control, _) => {
                let (cx, cy) = place(*control);
                builder.quad_to(cx, cy, x, y);
            }
            OutlineCurve::Cubic(_, first, second, _) => {
                let ((ax, ay), (bx, by)) = (place(*first), place(*second));
                builder.cubic_to(ax, ay, bx, by, x, y);
            }
        }
        last = Some(end);
    }
}
