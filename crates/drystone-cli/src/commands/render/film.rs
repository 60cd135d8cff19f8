//! Films of runs: which frames, drawn on one scale, into a GIF or through ffmpeg. What a picture shows is the
//! view's.

use super::animation::{Animation, ColourTable};
use crate::failure::Failure;
use drystone_view::{Album, FilmScales, Pixels, Style, ViewError, render_film_frame};
use rayon::prelude::*;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Frames drawn at a time.
const AT_ONCE: usize = 16;

/// Frames whose colours make the colours of a GIF.
const LOOKED_AT: usize = 8;

/// Which frames a film has.
#[derive(Clone, Copy, Debug)]
pub struct FilmCut {
    /// Frames of a second of the film.
    pub rate: f64,
    /// Most frames; of more every second, third … is taken.
    pub most: usize,
    /// From this time of the run \[s\].
    pub from: Option<f64>,
    /// To this time of the run \[s\].
    pub to: Option<f64>,
}

impl FilmCut {
    /// Frames of the film among those of the run.
    fn frames(&self, times: &[f64]) -> Vec<usize> {
        let inside =
            |time: f64| self.from.is_none_or(|from| time >= from) && self.to.is_none_or(|to| time <= to);
        let all: Vec<usize> = (0..times.len()).filter(|frame| inside(times[*frame])).collect();
        let every = all.len().div_ceil(self.most.max(1)).max(1);
        all.into_iter().step_by(every).collect()
    }
}

/// What came out.
pub struct FilmReport {
    /// Frames of the film.
    pub frames: usize,
    /// Width and height \[pixel\].
    pub size: [u32; 2],
}

/// Where frames go.
enum Reel {
    Gif(Animation<BufWriter<File>>),
    Encoder { child: Child, path: String },
}

/// Shoots a film of a run.
pub fn shoot(
    album: &Album,
    times: &[f64],
    style: &Style,
    cut: &FilmCut,
    path: &Path,
) -> Result<FilmReport, Failure> {
    let kind = FilmKind::of(path)?;
    let frames = cut.frames(times);
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return Err(Failure::bad_input("the run holds no frame yet"));
    };
    if frames.is_empty() {
        return Err(Failure::bad_input(format!(
            "no frame lies between --from and --to; those of the run go from {first} to {last} s"
        )));
    }
    let mut scales = FilmScales::default();
    for &frame in &frames {
        scales.add(&album.picture(frame)?, style);
    }
    let shown = render_film_frame(&album.picture(frames[0])?, style, &scales)?;
    let size = [shown.width, shown.height];
    // a legend with one line more must not change the size on the way
    let style = Style { width: size[0], height: Some(size[1]), ..style.clone() };
    let draw = |some: &[usize]| -> Result<Vec<Pixels>, Failure> {
        let pictures: Vec<_> = some.iter().map(|&frame| album.picture(frame)).collect::<Result<_, _>>()?;
        let drawn: Result<Vec<Pixels>, ViewError> =
            pictures.par_iter().map(|picture| render_film_frame(picture, &style, &scales)).collect();
        Ok(drawn?)
    };
    let mut reel = match kind {
        FilmKind::Gif => {
            let every = frames.len().div_ceil(LOOKED_AT);
            let looked: Vec<usize> = frames.iter().copied().step_by(every).collect();
            let colours = ColourTable::of(&draw(&looked)?);
            let file = File::create(path).map_err(|error| failed(path, error))?;
            let animation = Animation::new(BufWriter::new(file), size, colours, cut.rate);
            Reel::Gif(animation.map_err(|error| failed(path, error))?)
        }
        FilmKind::Video(codec) => Reel::encoder(path, size, cut.rate, codec)?,
    };
    for some in frames.chunks(AT_ONCE) {
        for pixels in draw(some)? {
            reel.add(&pixels, path)?;
        }
    }
    reel.end(path)?;
    Ok(FilmReport { frames: frames.len(), size })
}

fn failed(path: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::other(format!("{}: {error}", path.display()))
}

/// What kind of film the name asks for.
enum FilmKind {
    Gif,
    /// What ffmpeg is told about the codec.
    Video(&'static [&'static str]),
}

impl FilmKind {
    fn of(path: &Path) -> Result<Self, Failure> {
        let end = path.extension().map_or_else(String::new, |end| end.to_string_lossy().to_lowercase());
        match end.as_str() {
            "gif" => Ok(Self::Gif),
            "mp4" => Ok(Self::Video(&[
                "-c:v",
                "libx264",
                "-crf",
                "18",
                "-pix_fmt",
                "yuv420p",
                "-movflags",
                "+faststart",
            ])),
            "webm" => {
                Ok(Self::Video(&["-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-pix_fmt", "yuv420p"]))
            }
            _ => Err(Failure::bad_input(format!(
                "cannot tell what film {} is: the name must end in .gif, .mp4 or .webm",
                path.display()
            ))),
        }
    }
}

impl Reel {
    /// Starts ffmpeg, which takes plain pixels from its standard input.
    fn encoder(path: &Path, size: [u32; 2], rate: f64, codec: &[&str]) -> Result<Self, Failure> {
        let mut command = Command::new("ffmpeg");
        command.args(["-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba"]);
        command.args(["-s", &format!("{}x{}", size[0], size[1]), "-r", &rate.to_string(), "-i", "-"]);
        // a name that begins with a dash is a file as well
        let target = if path.is_absolute() { path.to_owned() } else { Path::new(".").join(path) };
        command.args(codec).arg(target).stdin(Stdio::piped()).stdout(Stdio::null());
        match command.spawn() {
            Ok(child) => Ok(Self::Encoder { child, path: path.display().to_string() }),
            Err(error) => Err(Failure::bad_input(format!(
                "{}: films that are no .gif need ffmpeg, which could not be started ({error}); install it, or write a .gif",
                path.display()
            ))),
        }
    }

    fn add(&mut self, pixels: &Pixels, path: &Path) -> Result<(), Failure> {
        match self {
            Self::Gif(animation) => animation.add(pixels).map_err(|error| failed(path, error)),
            Self::Encoder { child, path } => {
                let sent = child.stdin.as_mut().map(|input| input.write_all(&pixels.rgba));
                match sent {
                    Some(Ok(())) => Ok(()),
                    _ => Err(Failure::other(format!("{path}: ffmpeg ended before the film did"))),
                }
            }
        }
    }

    fn end(self, path: &Path) -> Result<(), Failure> {
        match self {
            Self::Gif(animation) => animation.end().map_err(|error| failed(path, error)),
            Self::Encoder { mut child, path } => {
                drop(child.stdin.take());
                match child.wait() {
                    Ok(status) if status.success() => Ok(()),
                    Ok(status) => Err(Failure::other(format!("{path}: ffmpeg ended with {status}"))),
                    Err(error) => Err(Failure::other(format!("{path}: ffmpeg: {error}"))),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_is_thinned_evenly_within_its_times() {
        let times: Vec<f64> = (0..11).map(|k| 0.1 * f64::from(k)).collect();
        let cut = |most, from, to| FilmCut { rate: 20.0, most, from, to }.frames(&times);
        assert_eq!(cut(100, None, None).len(), 11);
        assert_eq!(cut(4, None, None), [0, 3, 6, 9]);
        assert_eq!(cut(100, Some(0.25), Some(0.61)), [3, 4, 5, 6]);
        assert!(cut(100, Some(2.0), None).is_empty());
    }
}
