//! Marks put to paper as pixels, with tiny-skia. Decides nothing: sizes and colours come with the marks.

use crate::colour::{Colour, PAPER};
use crate::drawing::{Anchor, Drawing, Fill, Mark, Paint};
use crate::error::ViewError;
use crate::font;
use crate::geometry::V2;
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Path, PathBuilder, Pixmap, Stroke, Transform};

/// Pixels beyond this distance from the sheet are brought back to it: the rasteriser counts in 32 bits.
const FAR: f64 = 1e5;

/// Paints the marks over a base, or over paper, and encodes the sheet.
pub(crate) fn png(drawing: &Drawing, base: Option<Pixmap>) -> Result<Vec<u8>, ViewError> {
    sheet(drawing, base)?.encode_png().map_err(|error| ViewError::Encode { reason: error.to_string() })
}

/// Paints the marks over a base, or over paper.
pub(crate) fn sheet(drawing: &Drawing, base: Option<Pixmap>) -> Result<Pixmap, ViewError> {
    let size = ViewError::Size { width: drawing.width, height: drawing.height };
    let mut sheet = match base {
        Some(sheet) => sheet,
        None => {
            let mut sheet = Pixmap::new(drawing.width, drawing.height).ok_or(size)?;
            sheet.fill(skia(PAPER));
            sheet
        }
    };
    for mark in &drawing.marks {
        put(&mut sheet, mark);
    }
    Ok(sheet)
}

fn put(sheet: &mut Pixmap, mark: &Mark) {
    match mark {
        Mark::Circle { centre, radius, paint } => {
            let [x, y] = near(*centre);
            let path = PathBuilder::from_circle(x, y, radius.clamp(0.0, FAR) as f32);
            put_path(sheet, path, *paint, FillRule::Winding, Transform::identity());
        }
        Mark::Path { points, closed, paint } => {
            put_path(
                sheet,
                path_through([points], *closed),
                *paint,
                FillRule::Winding,
                Transform::identity(),
            );
        }
        Mark::Area { loops, paint } => {
            put_path(sheet, path_through(loops, true), *paint, FillRule::EvenOdd, Transform::identity());
        }
        Mark::Text { at, size, anchor, colour, text, upright } => {
            let length = font::width(text, *size) as f32;
            let back = match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => -0.5 * length,
                Anchor::End => -length,
            };
            let [x, y] = near(*at);
            let place = Transform::from_translate(x, y);
            let place = if *upright { place.pre_concat(Transform::from_rotate(-90.0)) } else { place };
            let (path, paint) = (font::outline(text, *size), Paint::fill(*colour));
            put_path(sheet, path, paint, FillRule::Winding, place.pre_translate(back, 0.0));
        }
        Mark::Open(_) | Mark::Close => {}
    }
}

fn put_path(sheet: &mut Pixmap, path: Option<Path>, paint: Paint, rule: FillRule, place: Transform) {
    let Some(path) = path else { return };
    if let Some(Fill::Flat(colour) | Fill::Ball(colour)) = paint.fill {
        sheet.fill_path(&path, &ink(colour), rule, place, None);
    }
    if let Some((colour, width)) = paint.stroke {
        let stroke = Stroke {
            width: width.clamp(0.0, FAR) as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        sheet.stroke_path(&path, &ink(colour), &stroke, place, None);
    }
}

fn path_through<'a>(lines: impl IntoIterator<Item = &'a Vec<V2>>, closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for points in lines {
        for (index, point) in points.iter().enumerate() {
            let [x, y] = near(*point);
            if index == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
        }
        if closed {
            builder.close();
        }
    }
    builder.finish()
}

fn near(point: V2) -> [f32; 2] {
    point.map(|x| if x.is_nan() { 0.0 } else { x.clamp(-FAR, FAR) as f32 })
}

fn skia(colour: Colour) -> Color {
    Color::from_rgba8(colour.red, colour.green, colour.blue, colour.alpha)
}

fn ink(colour: Colour) -> tiny_skia::Paint<'static> {
    let mut paint = tiny_skia::Paint::default();
    paint.set_color(skia(colour));
    paint.anti_alias = true;
    paint
}
