//! `drystone new`.

use crate::failure::{DONE, Failure, say};
use crate::gallery;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Write a commented scene to start from.
#[derive(clap::Args)]
pub struct Arguments {
    /// Which one; `drystone list` shows them.
    #[arg(default_value = "falling-disks")]
    template: String,
    /// The folder to write it to.
    #[arg(default_value = ".")]
    folder: PathBuf,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let template = gallery::find(&arguments.template)?;
    let cannot =
        |path: &PathBuf, error: std::io::Error| Failure::bad_input(format!("{}: {error}", path.display()));
    std::fs::create_dir_all(&arguments.folder).map_err(|error| cannot(&arguments.folder, error))?;
    let path = arguments.folder.join(format!("{}.toml", template.name));
    // what the scene reads comes first: a scene that is there can be run
    if let Some((name, text)) = template.beside {
        write_new(&arguments.folder.join(name), text)?;
    }
    write_new(&path, &template.text())?;
    say(format_args!("wrote {}; go on with: drystone run {}", path.display(), path.display()));
    Ok(DONE)
}

/// Writes a file, unless there is one: what somebody has changed is never overwritten.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let message = format!("{}: is there already; name another folder or remove it", path.display());
            return Err(Failure::bad_input(message));
        }
        Err(error) => return Err(Failure::bad_input(format!("{}: {error}", path.display()))),
    };
    file.write_all(text.as_bytes()).map_err(|error| Failure::other(format!("{}: {error}", path.display())))
}
