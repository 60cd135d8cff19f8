//! From metres to pixels: where the box to show lies on the sheet. Equal scales on both axes, always.

use crate::error::ViewError;
use crate::geometry::{V2, V3};
use crate::stage::Stage;
use crate::style::Style;

/// Most pixels of a sheet; the depth buffer of a picture in space holds four samples for each.
const MOST_PIXELS: u64 = 16_000_000;

pub(crate) struct Window {
    /// Width and height of the sheet \[pixel\].
    pub canvas: [u32; 2],
    /// Top and bottom of the part that shows the bodies \[pixel\].
    pub top: f64,
    pub bottom: f64,
    /// \[pixel/m\]
    pub scale: f64,
    /// What lies in the middle of that part, along the axes of the eye \[m\].
    middle: V2,
}

/// Refuses sheets that are too small or too large.
pub(crate) fn check_size(width: u32, height: u32) -> Result<(), ViewError> {
    let sound = |side: u32| (64..=8192).contains(&side);
    if !sound(width) || !sound(height) || width as u64 * height as u64 > MOST_PIXELS {
        return Err(ViewError::Size { width, height });
    }
    Ok(())
}

impl Window {
    pub fn new(stage: &Stage, style: &Style, top: f64, bottom: f64) -> Result<Window, ViewError> {
        let margin = 0.03 * style.width as f64;
        let sides = [stage.high[0] - stage.low[0], stage.high[1] - stage.low[1]].map(|side| side.max(1e-300));
        let wide = (style.width as f64 - 2.0 * margin).max(1.0);
        let height = style.height.unwrap_or_else(|| {
            let natural = wide * (sides[1] / sides[0]).clamp(0.3, 1.2);
            (natural + 2.0 * margin + top + bottom).ceil() as u32
        });
        check_size(style.width, height)?;
        let high = (height as f64 - top - bottom - 2.0 * margin).max(8.0);
        Ok(Window {
            canvas: [style.width, height],
            top,
            bottom: (height as f64 - bottom).max(top + 1.0),
            scale: (wide / sides[0]).min(high / sides[1]),
            middle: [0, 1].map(|axis| 0.5 * stage.low[axis] + 0.5 * stage.high[axis]),
        })
    }

    /// Where a world point lies on the sheet \[pixel\].
    pub fn pixel(&self, stage: &Stage, point: V3) -> V2 {
        let [x, y, _] = stage.eye.see(point);
        let [middle_x, middle_y] = self.middle_pixel();
        [middle_x + (x - self.middle[0]) * self.scale, middle_y - (y - self.middle[1]) * self.scale]
    }

    /// Distance of a world point towards the viewer, from the focus of the stage \[pixel\].
    pub fn nearness(&self, stage: &Stage, point: V3) -> f64 {
        (stage.eye.see(point)[2] - stage.eye.see(stage.focus)[2]) * self.scale
    }

    pub fn middle_pixel(&self) -> V2 {
        [0.5 * self.canvas[0] as f64, 0.5 * (self.top + self.bottom)]
    }

    /// The part that shows bodies, a little larger so that lines along its border stay outside.
    pub fn border(&self) -> (V2, V2) {
        ([-8.0, self.top - 8.0], [self.canvas[0] as f64 + 8.0, self.bottom + 8.0])
    }
}
