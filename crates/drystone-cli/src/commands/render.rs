//! `drystone render`.

mod animation;
mod film;

use crate::failure::{DONE, Failure, say};
use clap::ValueEnum;
use drystone_io::RunFolder;
use drystone_view::{Album, ColourBy, Show, SolidField, Style, View};
use film::{FilmCut, FilmReport};
use std::path::{Path, PathBuf};

/// Draw a picture of a run, or a film.
#[derive(clap::Args)]
pub struct Arguments {
    /// The run folder.
    folder: PathBuf,
    /// The picture to write, .png or .svg; NAME.png after the folder unless told otherwise.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a film of all frames instead: .gif, or where ffmpeg is at hand .mp4 or .webm.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "time"])]
    film: Option<PathBuf>,
    /// Frames of a second of the film.
    #[arg(long, value_name = "N", default_value_t = 20.0, requires = "film")]
    fps: f64,
    /// Most frames of the film; of more every second, third and so on is taken.
    #[arg(long, value_name = "N", default_value_t = 300, requires = "film")]
    frames: u32,
    /// The film begins at this time of the run [s].
    #[arg(long, value_name = "T", allow_negative_numbers = true, requires = "film")]
    from: Option<f64>,
    /// The film ends at this time of the run [s].
    #[arg(long, value_name = "T", allow_negative_numbers = true, requires = "film")]
    to: Option<f64>,
    /// The time to show [s]: the frame nearest to it; the last one unless told otherwise.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    time: Option<f64>,
    /// What to show besides the bodies.
    #[arg(long, value_enum, default_value_t = What::Forces)]
    show: What,
    /// What the colour of a body means.
    #[arg(long, value_enum, default_value_t = Colour::Group)]
    colour: Colour,
    /// Width of the picture [pixel]; 1200, of a film 800 unless told otherwise.
    #[arg(long, value_name = "N")]
    width: Option<u32>,
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
    /// Its group.
    Group,
    /// Its speed.
    Speed,
    /// Nothing.
    None,
    /// Von Mises' stress in deformable bodies.
    VonMises,
    /// Their displacement by deformation.
    Displacement,
    /// Their accumulated plastic strain.
    PlasticStrain,
}

impl Colour {
    /// The field that deformable bodies are coloured by.
    fn field(self) -> Option<SolidField> {
        match self {
            Self::Group | Self::Speed | Self::None => None,
            Self::VonMises => Some(SolidField::VonMises),
            Self::Displacement => Some(SolidField::Displacement),
            Self::PlasticStrain => Some(SolidField::PlasticStrain),
        }
    }
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
        // other bodies keep the colours of their groups
        Colour::VonMises | Colour::Displacement | Colour::PlasticStrain => ColourBy::Group,
    };
    let angles = [arguments.azimuth, arguments.elevation, arguments.exaggerate];
    let times = [arguments.time, arguments.from, arguments.to];
    if let Some(odd) = angles.into_iter().chain(times.into_iter().flatten()).find(|x| !x.is_finite()) {
        return Err(Failure::bad_input(format!(
            "{odd} is neither a time nor an angle nor a factor: allowed are finite numbers"
        )));
    }
    let view = View { azimuth: arguments.azimuth, elevation: arguments.elevation };
    let width = arguments.width.unwrap_or(if arguments.film.is_some() { 800 } else { 1200 });
    let style = Style { width, height: None, show, colour_by, view };
    if let Some(path) = &arguments.film {
        return shoot(arguments, &style, path);
    }
    let output = arguments.output.clone().unwrap_or_else(|| named_after(&arguments.folder));
    let deformation = (arguments.exaggerate, arguments.colour.field());
    draw_deformed(&arguments.folder, arguments.time, &style, &output, deformation)?;
    say(format_args!("wrote {}", output.display()));
    Ok(DONE)
}

/// `NAME.png` for the folder `runs/NAME`.
fn named_after(folder: &Path) -> PathBuf {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = real.file_name().map_or_else(|| "picture".into(), |name| name.to_string_lossy().into_owned());
    PathBuf::from(format!("{name}.png"))
}

/// Writes a film.
fn shoot(arguments: &Arguments, style: &Style, path: &Path) -> Result<u8, Failure> {
    let Arguments { fps, frames, from, to, .. } = *arguments;
    // players show a hundred frames a second at most
    if !(0.1..=100.0).contains(&fps) || frames == 0 {
        let message = format!(
            "--fps {fps} --frames {frames}: allowed are 0.1 to 100 frames a second, and one at least"
        );
        return Err(Failure::bad_input(message));
    }
    let run = RunFolder::open(&arguments.folder)?;
    if run.times().is_empty() {
        return Err(Failure::bad_input(format!("{}: holds no frame yet", arguments.folder.display())));
    }
    let album = album(&run, arguments.exaggerate, arguments.colour.field())?;
    let cut = FilmCut { rate: fps, most: frames as usize, from, to };
    let FilmReport { frames, size } = film::shoot(&album, run.times(), style, &cut, path)?;
    let (of, [wide, high]) = (run.times().len(), size);
    say(format_args!("wrote {} ({frames} of {of} frames, {wide} x {high} pixels)", path.display()));
    Ok(DONE)
}

/// Draws the frame nearest to `time`, or the last.
pub fn draw(folder: &Path, time: Option<f64>, style: &Style, output: &Path) -> Result<(), Failure> {
    draw_deformed(folder, time, style, output, (1.0, None))
}

/// The shapes of a run, its deformable bodies with deformations drawn by a factor larger than they are and
/// in the colours of a field.
fn album(run: &RunFolder, factor: f64, field: Option<SolidField>) -> Result<Album<'_>, Failure> {
    let album = Album::new(run)?.exaggerated(factor);
    Ok(match field {
        Some(field) => album.coloured(field)?,
        None => album,
    })
}

/// The same with deformable bodies as [`album`] has them.
fn draw_deformed(
    folder: &Path,
    time: Option<f64>,
    style: &Style,
    output: &Path,
    (factor, field): (f64, Option<SolidField>),
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
    let picture = album(&run, factor, field)?.picture(frame)?;
    Ok(drystone_view::render(&picture, style, output)?)
}
