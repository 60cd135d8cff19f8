//! Why a picture could not be drawn. Bad numbers in a picture are not among the reasons: they are left out of
//! it.

use std::path::PathBuf;

/// Why a picture or a plot could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// Only the plane and space can be drawn.
    #[error("a picture has 2 or 3 dimensions, not {found}")]
    Dimension {
        /// The dimension asked for.
        found: usize,
    },
    /// The picture is too small to hold anything or too large to hold in memory.
    #[error(
        "a picture of {width} x {height} pixels cannot be drawn: each side takes from 64 to 8192 pixels, together at most 16 million"
    )]
    Size {
        /// Width \[pixel\].
        width: u32,
        /// Height \[pixel\].
        height: u32,
    },
    /// The file type is none of those that can be written.
    #[error("cannot tell how to draw into {}: the name must end in .png or .svg", path.display())]
    Extension {
        /// The path asked for.
        path: PathBuf,
    },
    /// The file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The path asked for.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The PNG could not be encoded.
    #[error("the picture cannot be encoded as PNG: {reason}")]
    Encode {
        /// What the encoder said.
        reason: String,
    },
    /// The run folder could not be read.
    #[error(transparent)]
    Run(#[from] drystone_io::IoError),
    /// The scene of the run folder could not be built.
    #[error("the scene of the run cannot be built: {reason}")]
    Scene {
        /// What the scene said.
        reason: String,
    },
    /// The frames and the scene of the run folder are not of the same run.
    #[error("{}: {reason}", path.display())]
    Mismatch {
        /// The folder.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
}
