//! A run as one page that opens from a disk: the viewer with the frames inside. Thinned out where it would
//! grow too large, and says so; the page does the rest.

use crate::cache::{FrameDepth, SharedBytes};
use crate::shown::Shown;
use crate::{ServeError, page, tables};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Most bytes of frames, before they are packed.
const MOST: usize = 64 << 20;

/// Rows of each table, and most columns and tables.
const ROWS: usize = 2000;
const COLUMNS: usize = 48;
const TABLES: usize = 24;

/// What went into a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnePage {
    /// Frames in the page.
    pub frames: usize,
    /// Frames of the run.
    pub of: usize,
    /// Size of the page \[byte\].
    pub bytes: usize,
}

/// Writes a run, or a scene, as one page. At most about `most` bytes of frames, 64 MiB unless told otherwise,
/// go in; of more, every second, third … is taken, with the first and the last.
pub fn export_html(what: &Path, output: &Path, most: Option<usize>) -> Result<OnePage, ServeError> {
    let shown = Shown::open(what, false)?;
    let times = shown.times()?;
    let told = shown.description()?;
    let Some(last) = times.len().checked_sub(1) else {
        return Err(ServeError::Empty(what.to_owned()));
    };
    // the last frame has the most contacts, as a rule
    let size = shown.frame(last, FrameDepth::All)?.len().max(1);
    let room = (most.unwrap_or(MOST) / size).clamp(1, times.len());
    let taken = spread(times.len(), room);
    let frames =
        taken.iter().map(|&index| shown.frame(index, FrameDepth::All)).collect::<Result<Vec<_>, _>>()?;
    let note = json!({
        "of": times.len(),
        "times": taken.iter().map(|&index| times[index]).collect::<Vec<_>>(),
        "run": serde_json::from_slice::<Value>(&told.bytes).unwrap_or(Value::Null),
        "lengths": frames.iter().map(|frame| frame.len()).collect::<Vec<_>>(),
        "tables": own_tables(&shown)?,
    });
    let text = page::text().map_err(|source| ServeError::Write { path: output.to_owned(), source })?;
    let data =
        packed(&note, &frames).map_err(|source| ServeError::Write { path: output.to_owned(), source })?;
    let html = with_data(&text, &told.title, &base64(&data));
    std::fs::write(output, &html).map_err(|source| ServeError::Write { path: output.to_owned(), source })?;
    Ok(OnePage { frames: frames.len(), of: times.len(), bytes: html.len() })
}

/// `room` of `count` numbers from 0, evenly, the last always and the first where there is room for two.
fn spread(count: usize, room: usize) -> Vec<usize> {
    match room {
        0 | 1 => vec![count - 1],
        room => {
            let mut taken: Vec<usize> = (0..room).map(|k| k * (count - 1) / (room - 1)).collect();
            taken.dedup();
            taken
        }
    }
}

fn own_tables(shown: &Shown) -> Result<Vec<Value>, ServeError> {
    if shown.run()?.is_none() {
        return Ok(Vec::new());
    }
    let list = tables::list(shown.path()).into_iter().take(TABLES);
    let table = |(name, columns): (String, Vec<String>)| -> Result<Value, ServeError> {
        let wanted: Vec<usize> = (0..columns.len().min(COLUMNS)).collect();
        let mut table = tables::columns(shown.path(), &name, &wanted, ROWS)?;
        table["name"] = json!(name);
        Ok(table)
    };
    list.map(table).collect()
}

/// The length of the note as a little-endian u32, the note padded to a multiple of four, the frames; all of
/// it packed with gzip.
fn packed(note: &Value, frames: &[SharedBytes]) -> std::io::Result<Vec<u8>> {
    let mut text = note.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&(text.len() as u32).to_le_bytes())?;
    encoder.write_all(&text)?;
    for frame in frames {
        encoder.write_all(frame)?;
        encoder.write_all(&[0; 3][..frame.len().next_multiple_of(4) - frame.len()])?;
    }
    encoder.finish()
}

fn with_data(page: &str, title: &str, data: &str) -> String {
    let script = format!("<script id=\"drystone-data\" type=\"text/plain\">{data}</script>");
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let page = match title.is_empty() {
        true => page.to_owned(),
        false => page.replacen("<title>Drystone</title>", &format!("<title>{title} – Drystone</title>"), 1),
    };
    // the data come before the script that reads them
    match page.find("<body>") {
        Some(at) => format!("{}{script}{}", &page[..at + 6], &page[at + 6..]),
        None => format!("{script}{page}"),
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for piece in bytes.chunks(3) {
        let byte = |k: usize| u32::from(piece.get(k).copied().unwrap_or(0));
        let word = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for k in 0..4 {
            let letter = LETTERS[((word >> (18 - 6 * k)) & 63) as usize] as char;
            text.push(if k <= piece.len() { letter } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_letters_as_everywhere() {
        let known = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in known {
            assert_eq!(base64(bytes.as_bytes()), text, "RFC 4648");
        }
    }

    #[test]
    fn frames_are_taken_evenly_with_both_ends() {
        assert_eq!(spread(5, 5), [0, 1, 2, 3, 4]);
        assert_eq!(spread(101, 3), [0, 50, 100]);
        assert_eq!(spread(7, 1), [6]);
        assert_eq!(spread(1, 1), [0]);
    }
}
