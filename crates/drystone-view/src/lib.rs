//! Pictures of a state and plots of its histories, as PNG and as SVG, without a graphics card. Refuses
//! nothing but a size, a dimension or a file type it cannot draw: it draws plain data ([`Picture`]), and only
//! [`Album`], which makes that data from a run folder, knows what a simulation is.
//!
//! ```
//! use drystone_view::{Form, Item, Picture, Style, render_svg};
//!
//! let ball = Item {
//!     body: 0,
//!     group: 0,
//!     fixed: false,
//!     position: [0.0, 0.5, 0.0],
//!     orientation_wxyz: [1.0, 0.0, 0.0, 0.0],
//!     velocity: [0.0; 3],
//!     form: Form::Ball { radius: 0.5 },
//! };
//! let title = "One disk".into();
//! let picture = Picture { dimension: 2, title, time: 0.0, items: vec![ball], ..Picture::default() };
//! let text = render_svg(&picture, &Style::default())?;
//! assert!(text.starts_with("<svg"));
//! # Ok::<(), drystone_view::ViewError>(())
//! ```

mod album;
mod axes;
mod bars;
mod clip;
mod colour;
mod drawing;
mod error;
mod film;
mod font;
mod geometry;
mod joints;
mod legend;
mod newcomers;
mod number;
mod overlay;
mod picture;
mod plane;
mod plot;
mod polar;
mod raster;
mod shade;
mod shapes;
mod space;
mod stage;
mod still;
mod style;
mod svg;
mod tie_shapes;
mod ties;
mod window;
mod zbuffer;

pub use album::{Album, picture_of};
pub use axes::Scale;
pub use error::ViewError;
pub use film::{FilmScales, Pixels};
pub use picture::{Bar, ForceSegment, Form, Item, Picture, SolidField, Status, TieForm, TieSegment};
pub use plot::{Histogram, Plot, PlotAxis, RightAxis, Series, plot, plot_png, plot_svg};
pub use polar::{PolarPlot, Rose, polar, polar_svg};
pub use shapes::{Attached, BodyKind, form_of, kinds, shapes};
pub use still::still;
pub use style::{ColourBy, Show, Style, View};
pub use tie_shapes::{TieShape, tie_shapes};

use drawing::Drawing;
use legend::Legend;
use stage::Stage;
use std::path::Path;
use window::Window;

/// Draws the picture and returns the bytes of a PNG file.
pub fn render_png(picture: &Picture, style: &Style) -> Result<Vec<u8>, ViewError> {
    let (drawing, base) = paint(picture, style, None)?;
    raster::png(&drawing, base)
}

/// Draws one picture of a film, with the box and the scales that all of them share. Both sides have an even
/// number of pixels, as films want it.
pub fn render_film_frame(picture: &Picture, style: &Style, scales: &FilmScales) -> Result<Pixels, ViewError> {
    let even = |side: u32| side + side % 2;
    let mut style = Style { width: even(style.width), height: style.height.map(even), ..style.clone() };
    if style.height.is_none() {
        let (_, _, window) = prepare(picture, &style, Some(scales))?;
        style.height = Some(even(window.canvas[1]));
    }
    let (drawing, base) = paint(picture, &style, Some(scales))?;
    let sheet = raster::sheet(&drawing, base)?;
    Ok(Pixels { width: sheet.width(), height: sheet.height(), rgba: sheet.take() })
}

/// The marks of a picture, and in space the pixels under them.
fn paint(
    picture: &Picture,
    style: &Style,
    scales: Option<&FilmScales>,
) -> Result<(Drawing, Option<tiny_skia::Pixmap>), ViewError> {
    let (stage, legend, window) = prepare(picture, style, scales)?;
    let mut drawing = Drawing::new(window.canvas);
    let base = if picture.dimension == 2 {
        plane::draw(&stage, &window, style, &mut drawing);
        None
    } else {
        Some(zbuffer::paint(&stage, &window, style)?)
    };
    finish(&stage, &legend, &window, style, &mut drawing);
    Ok((drawing, base))
}

/// Draws the picture and returns the text of an SVG file.
pub fn render_svg(picture: &Picture, style: &Style) -> Result<String, ViewError> {
    let (stage, legend, window) = prepare(picture, style, None)?;
    let mut drawing = Drawing::new(window.canvas);
    if picture.dimension == 2 {
        plane::draw(&stage, &window, style, &mut drawing);
    } else {
        space::draw(&stage, &window, style, &mut drawing);
    }
    finish(&stage, &legend, &window, style, &mut drawing);
    Ok(svg::text(&drawing))
}

/// Draws the picture into a file; its extension, `.png` or `.svg`, says how.
pub fn render(picture: &Picture, style: &Style, path: &Path) -> Result<(), ViewError> {
    write(path, || render_png(picture, style), || render_svg(picture, style))
}

fn prepare<'a>(
    picture: &'a Picture,
    style: &Style,
    scales: Option<&FilmScales>,
) -> Result<(Stage<'a>, Legend<'a>, Window), ViewError> {
    if picture.dimension != 2 && picture.dimension != 3 {
        return Err(ViewError::Dimension { found: picture.dimension });
    }
    let mut stage = Stage::new(picture, style);
    if let Some(scales) = scales {
        scales.apply(&mut stage);
    }
    let legend = Legend::new(picture, &stage, style);
    let window = Window::new(&stage, style, legend.top(), legend.bottom())?;
    Ok((stage, legend, window))
}

/// What lies over the bodies: supports that would hide them, ties, forces and velocities, then the bands with
/// their labels.
fn finish(stage: &Stage, legend: &Legend, window: &Window, style: &Style, drawing: &mut Drawing) {
    space::draw_hollow(stage, window, drawing);
    ties::draw(stage, window, drawing);
    if style.show.forces() {
        overlay::draw_forces(stage, window, drawing);
    }
    if style.show.velocities() {
        overlay::draw_velocities(stage, window, drawing);
    }
    bars::draw(stage, window, drawing);
    legend.draw(stage, window, drawing);
}

/// Writes a PNG or an SVG, as the extension of the path says.
fn write(
    path: &Path,
    png: impl FnOnce() -> Result<Vec<u8>, ViewError>,
    svg: impl FnOnce() -> Result<String, ViewError>,
) -> Result<(), ViewError> {
    let extension = path.extension().and_then(|text| text.to_str()).unwrap_or_default();
    let bytes = match extension.to_ascii_lowercase().as_str() {
        "png" => png()?,
        "svg" => svg()?.into_bytes(),
        _ => {
            return Err(ViewError::Extension { path: path.to_path_buf() });
        }
    };
    std::fs::write(path, bytes).map_err(|source| ViewError::Write { path: path.to_path_buf(), source })
}
