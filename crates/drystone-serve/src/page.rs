//! The page, built from `viewer/` and embedded packed with gzip. Knows nothing of runs.

use flate2::read::GzDecoder;
use std::io::Read;

/// The page as it is sent.
pub(crate) const ZIPPED: &[u8] = include_bytes!("../page/index.html.gz");

/// The page as text.
pub(crate) fn text() -> std::io::Result<String> {
    let mut text = String::new();
    GzDecoder::new(ZIPPED).read_to_string(&mut text)?;
    Ok(text)
}
