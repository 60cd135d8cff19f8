//! What the pictures of a film share, so that nothing jumps from one to the next: the box to show and the
//! scales of forces and speeds. Writes no film.

use crate::geometry::{V2, V3};
use crate::picture::Picture;
use crate::stage::Stage;
use crate::style::Style;

/// The scale of a film is the largest force, and speed, of its pictures, but for the largest tenth of them: a
/// blow would hide all chains for the rest of the time.
const QUANTILE: f64 = 0.9;

/// A picture as pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Width \[pixel\].
    pub width: u32,
    /// Height \[pixel\].
    pub height: u32,
    /// Red, green, blue and opacity of each, row by row from the top.
    pub rgba: Vec<u8>,
}

/// The box and the scales of a film.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilmScales {
    /// Of the box that holds the boxes of all pictures.
    ends: Option<[V2; 2]>,
    /// Of the first picture.
    focus: V3,
    mean_size: f64,
    /// The largest of any picture.
    reach: f64,
    /// The largest of each picture, in order of size.
    forces: Vec<f64>,
    speeds: Vec<f64>,
    values: Vec<f64>,
}

impl FilmScales {
    /// Takes a picture of the film into account.
    pub fn add(&mut self, picture: &Picture, style: &Style) {
        let stage = Stage::new(picture, style);
        match &mut self.ends {
            None => {
                self.ends = Some([stage.low, stage.high]);
                (self.focus, self.mean_size) = (stage.focus, stage.mean_size);
            }
            Some([low, high]) => {
                for axis in 0..2 {
                    low[axis] = low[axis].min(stage.low[axis]);
                    high[axis] = high[axis].max(stage.high[axis]);
                }
            }
        }
        self.reach = self.reach.max(stage.reach);
        for (all, largest) in [
            (&mut self.forces, stage.largest_force),
            (&mut self.speeds, stage.largest_speed),
            (&mut self.values, stage.largest_value),
        ] {
            let place = all.partition_point(|known| *known < largest);
            all.insert(place, largest);
        }
    }

    pub(crate) fn apply(&self, stage: &mut Stage) {
        let Some([low, high]) = self.ends else { return };
        (stage.low, stage.high) = (low, high);
        (stage.focus, stage.mean_size, stage.reach) = (self.focus, self.mean_size, self.reach);
        stage.largest_force = scale(&self.forces);
        stage.largest_speed = scale(&self.speeds);
        stage.largest_value = scale(&self.values);
    }
}

/// The quantile of what is not zero; zero where all is.
fn scale(all: &[f64]) -> f64 {
    let some = &all[all.partition_point(|value| *value <= 0.0)..];
    let place = (QUANTILE * some.len().saturating_sub(1) as f64).round() as usize;
    some.get(place).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_blow_does_not_set_the_scale() {
        let mut all = vec![0.0, 0.0];
        all.extend((1..=20).map(f64::from));
        all.push(1e6);
        assert_eq!(scale(&all), 19.0);
        assert_eq!((scale(&[]), scale(&[0.0]), scale(&[0.0, 3.0])), (0.0, 0.0, 3.0));
    }
}
