//! `drystone render`.

use crate::failure::{DONE, Failure, say};
use clap::ValueEnum;
use drystone_io::RunFolder;
use drystone_view::{Album, ColourBy, Show, Style, View};
use std::path::{Path, PathBuf};

/// Draw a picture of a run.
#[derive(clap::Args)]
pub struct Arguments {
    /// The run folder.
    folder: PathBuf,
    /// The picture to write, .png or .svg.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The time to show [s]: the frame nearest to it; the last one unless told otherwise.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    time: Option<f64>,
    /// What to show besides the bodies.
    #[arg(long, value_enum, default_value_t = What::Forces)]
    show: What,
    /// What the colour of a body means.
    #[arg(long, value_enum, default_value_t = Colour::Group)]
    colour: Colour,
    /// Width of the picture [pixel].
    #[arg(long, default_value_t = 1200)]
    width: u32,
    /// From where to look in space: angle about z [degree].
    #[arg(long, default_value_t = -60.0, allow_negative_numbers = true)]
    azimuth: f64,
    /// From where to look in space: height over the horizon [degree].
    #[arg(long, default_value_t = 20.0, allow_negative_numbers = true)]
    elevation: f64,
    /// By how much more than it is the deformation of deformable bodies is drawn.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, allow_negative_numbers = true)]
    exaggerate: f64,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    Bodies,
    Velocities,
    Forces,
    All,
}

#[derive(Clone, Copy, ValueEnum)]
enum Colour {
    Group,
    Speed,
    None,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> Result<u8, Failure> {
    let show = match arguments.show {
        What::Bodies => Show::Bodies,
        What::Velocities => Show::Velocities,
        What::Forces => Show::Forces,
        What::All => Show::All,
    };
    let colour_by = match arguments.colour {
        Colour::Group => ColourBy::Group,
        Colour::Speed => ColourBy::Speed,
        Colour::None => ColourBy::None,
    };
    let angles = [arguments.azimuth, arguments.elevation, arguments.exaggerate];
    if let Some(odd) = angles.into_iter().chain(arguments.time).find(|number| !number.is_finite()) {
        return Err(Failure::bad_input(format!(
            "{odd} is neither a time nor an angle nor a factor: allowed are finite numbers"
        )));
    }
    let view = View { azimuth: arguments.azimuth, elevation: arguments.elevation };
    let style = Style { width: arguments.width, height: None, show, colour_by, view };
    draw_exaggerated(&arguments.folder, arguments.time, &style, &arguments.output, arguments.exaggerate)?;
    say(format_args!("wrote {}", arguments.output.display()));
    Ok(DONE)
}

/// Draws the frame nearest to `time`, or the last.
pub fn draw(folder: &Path, time: Option<f64>, style: &Style, output: &Path) -> Result<(), Failure> {
    draw_exaggerated(folder, time, style, output, 1.0)
}

/// The same with deformations drawn by a factor larger than they are.
fn draw_exaggerated(
    folder: &Path,
    time: Option<f64>,
    style: &Style,
    output: &Path,
    factor: f64,
) -> Result<(), Failure> {
    let run = RunFolder::open(folder)?;
    let times = run.times();
    let Some(last) = times.len().checked_sub(1) else {
        return Err(Failure::bad_input(format!("{}: holds no frame yet", folder.display())));
    };
    let distance = |frame: &usize| time.map_or(0.0, |time| (times[*frame] - time).abs());
    let frame = match time {
        Some(_) => (0..=last).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(last),
        None => last,
    };
    let picture = Album::new(&run)?.exaggerated(factor).picture(frame)?;
    Ok(drystone_view::render(&picture, style, output)?)
}
