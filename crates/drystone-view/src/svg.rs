//! Marks put to paper as the text of an SVG. Decides nothing: sizes and colours come with the marks.

use crate::colour::{Colour, PAPER};
use crate::drawing::{Anchor, Drawing, Fill, Mark, Paint};
use crate::geometry::V2;
use std::collections::BTreeSet;
use std::fmt::{self, Write};

/// The whole file.
pub(crate) fn text(drawing: &Drawing) -> String {
    let mut out = String::with_capacity(160 * drawing.marks.len() + 1024);
    // writing into a string cannot fail
    let _ = write_all(drawing, &mut out);
    out
}

fn write_all(drawing: &Drawing, out: &mut String) -> fmt::Result {
    let (width, height) = (drawing.width, drawing.height);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    )?;
    write_gradients(drawing, out)?;
    writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>", Rgb(PAPER))?;
    for mark in &drawing.marks {
        write_mark(mark, out)?;
    }
    out.push_str("</svg>\n");
    Ok(())
}

/// One gradient for each colour of sphere: lit from the upper left, as the faces are.
fn write_gradients(drawing: &Drawing, out: &mut String) -> fmt::Result {
    let colours: BTreeSet<Colour> = drawing
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Circle { paint: Paint { fill: Some(Fill::Ball(colour)), .. }, .. } => Some(*colour),
            _ => None,
        })
        .collect();
    if colours.is_empty() {
        return Ok(());
    }
    out.push_str("<defs>\n");
    for colour in colours {
        write!(out, "<radialGradient id=\"{}\" cx=\"0.36\" cy=\"0.3\" r=\"0.78\">", BallId(colour))?;
        for (offset, light) in [(0.0, 1.16), (0.45, 0.98), (0.8, 0.7), (1.0, 0.5)] {
            write!(out, "<stop offset=\"{offset}\" stop-color=\"{}\"/>", Rgb(colour.lit(light)))?;
        }
        out.push_str("</radialGradient>\n");
    }
    out.push_str("</defs>\n");
    Ok(())
}

fn write_mark(mark: &Mark, out: &mut String) -> fmt::Result {
    match mark {
        Mark::Circle { centre, radius, paint } => {
            write!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", Px(centre[0]), Px(centre[1]), Px(*radius))?;
            write_paint(*paint, out)?;
            out.push_str("/>\n");
        }
        Mark::Path { points, closed, paint } => {
            out.push_str(if *closed { "<polygon points=\"" } else { "<polyline points=\"" });
            write_points(points, out)?;
            out.push('"');
            write_paint(*paint, out)?;
            out.push_str("/>\n");
        }
        Mark::Area { loops, paint } => {
            out.push_str("<path fill-rule=\"evenodd\" d=\"");
            for points in loops {
                out.push('M');
                write_points(points, out)?;
                out.push('Z');
            }
            out.push('"');
            write_paint(*paint, out)?;
            out.push_str("/>\n");
        }
        Mark::Text { at, size, anchor, colour, text, upright } => {
            let (x, y) = (Px(at[0]), Px(at[1]));
            write!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\"", Px(*size), Rgb(*colour))?;
            match anchor {
                Anchor::Start => {}
                Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
                Anchor::End => out.push_str(" text-anchor=\"end\""),
            }
            if *upright {
                write!(out, " transform=\"rotate(-90 {x} {y})\"")?;
            }
            writeln!(out, ">{}</text>", Escaped(text))?;
        }
        Mark::Open(class) => writeln!(out, "<g class=\"{class}\">")?,
        Mark::Close => out.push_str("</g>\n"),
    }
    Ok(())
}

fn write_points(points: &[V2], out: &mut String) -> fmt::Result {
    for (index, [x, y]) in points.iter().enumerate() {
        let gap = if index == 0 { "" } else { " " };
        write!(out, "{gap}{},{}", Px(*x), Px(*y))?;
    }
    Ok(())
}

fn write_paint(paint: Paint, out: &mut String) -> fmt::Result {
    match paint.fill {
        None => out.push_str(" fill=\"none\""),
        Some(Fill::Ball(colour)) => write!(out, " fill=\"url(#{})\"", BallId(colour))?,
        Some(Fill::Flat(colour)) => {
            write!(out, " fill=\"{}\"", Rgb(colour))?;
            if colour.alpha < 255 {
                write!(out, " fill-opacity=\"{}\"", Px(colour.alpha as f64 / 255.0))?;
            }
        }
    }
    if let Some((colour, width)) = paint.stroke {
        write!(out, " stroke=\"{}\" stroke-width=\"{}\"", Rgb(colour), Px(width))?;
        if colour.alpha < 255 {
            write!(out, " stroke-opacity=\"{}\"", Px(colour.alpha as f64 / 255.0))?;
        }
    }
    Ok(())
}

/// A number of pixels with two decimals, without trailing zeros and always finite.
struct Px(f64);

impl fmt::Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0.clamp(-1e7, 1e7) * 100.0).round() as i64;
        let (sign, whole, part) =
            (if hundredths < 0 { "-" } else { "" }, hundredths.abs() / 100, hundredths.abs() % 100);
        match part {
            0 => write!(f, "{sign}{whole}"),
            part if part % 10 == 0 => write!(f, "{sign}{whole}.{}", part / 10),
            part => write!(f, "{sign}{whole}.{part:02}"),
        }
    }
}

struct Rgb(Colour);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0.red, self.0.green, self.0.blue)
    }
}

struct BallId(Colour);

impl fmt::Display for BallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ball{:02x}{:02x}{:02x}", self.0.red, self.0.green, self.0.blue)
    }
}

/// Text in which nothing can be taken for markup; signs that XML forbids become a replacement sign.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '"' => f.write_str("&quot;")?,
                '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                c if c.is_control() => f.write_char(' ')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}
