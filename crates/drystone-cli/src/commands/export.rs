//! `drystone export`.

use crate::failure::{DONE, Failure, say};
use drystone_io::{RunFolder, write_surfaces};
use drystone_serve::{export_csv, export_html, export_vtk, export_xyz};
use std::path::PathBuf;

/// Write a run for other eyes: one page for the browser, or files that other programs read.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("form").required(true).multiple(true))]
pub struct Arguments {
    /// The run folder.
    folder: PathBuf,
    /// One page with everything inside, which opens from the disk; long runs are thinned out.
    #[arg(long, value_name = "FILE", group = "form")]
    html: Option<PathBuf>,
    /// A folder of VTK files, one a frame, with collections bodies.pvd, contacts.pvd and surfaces.pvd.
    #[arg(long, value_name = "DIR", group = "form")]
    vtk: Option<PathBuf>,
    /// A folder with the tables bodies.csv and contacts.csv.
    #[arg(long, value_name = "DIR", group = "form")]
    csv: Option<PathBuf>,
    /// One file of extended XYZ, for OVITO.
    #[arg(long, value_name = "FILE", group = "form")]
    xyz: Option<PathBuf>,
    /// surfaces.vtkhdf in the run folder, for ParaView, where the run did not write it.
    #[arg(long, group = "form")]
    surfaces: bool,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    if let Some(path) = &arguments.html {
        let done = export_html(&arguments.folder, path, None)?;
        let thinned = if done.frames < done.of { ", thinned out to keep it small" } else { "" };
        let size = done.bytes as f64 / 1e6;
        let (frames, of) = (done.frames, done.of);
        say(format_args!("wrote {} ({frames} of {of} frames{thinned}, {size:.1} MB)", path.display()));
    }
    let tables = arguments.vtk.is_some() || arguments.csv.is_some() || arguments.xyz.is_some();
    if !tables && !arguments.surfaces {
        return Ok(DONE);
    }
    let run = RunFolder::open(&arguments.folder)?;
    if run.times().is_empty() {
        return Err(Failure::bad_input(format!("{}: holds no frame yet", arguments.folder.display())));
    }
    let told = |path: &PathBuf, frames: usize| {
        say(format_args!("wrote {} ({frames} frames)", path.display()));
    };
    if arguments.surfaces {
        told(&arguments.folder.join("surfaces.vtkhdf"), write_surfaces(&run)?);
    }
    if let Some(path) = &arguments.vtk {
        told(path, export_vtk(&run, path)?);
    }
    if let Some(path) = &arguments.csv {
        told(path, export_csv(&run, path)?);
    }
    if let Some(path) = &arguments.xyz {
        told(path, export_xyz(&run, path)?);
    }
    Ok(DONE)
}
