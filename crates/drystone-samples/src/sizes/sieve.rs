//! A sieve curve: how much of the mass passes sieves of several widths. Opens no file: it is given points or
//! the text of a table.

use super::even_volume;
use crate::{Random, SampleError};

/// What passes through sieves, straight lines between the points of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct SieveCurve {
    /// Radii, half of the widths \[m\], growing.
    radii: Vec<f64>,
    /// Share of the mass that passes, growing from 0 to 1.
    passing: Vec<f64>,
}

impl SieveCurve {
    /// The curve through points (width of the sieve \[m\], share of the mass that passes \[-\]) in the order
    /// of growing width. The first must let nothing pass and the last all.
    pub fn new(points: &[[f64; 2]]) -> Result<Self, SampleError> {
        let refuse = |text: String| Err(SampleError::Table(text));
        if points.len() < 2 {
            return refuse(format!("a sieve curve needs at least two points, found {}", points.len()));
        }
        for (index, [width, share]) in points.iter().enumerate() {
            let number = index + 1;
            if !(width.is_finite() && *width > 0.0) {
                return refuse(format!("point {number}: the width must be greater than 0, found {width}"));
            }
            if !(0.0..=1.0).contains(share) {
                return refuse(format!("point {number}: what passes must be from 0 to 1, found {share}"));
            }
            if index > 0 && (points[index - 1][0] >= *width || points[index - 1][1] > *share) {
                return refuse(format!("point {number}: widths must grow and what passes must not shrink"));
            }
        }
        let (first, last) = (points[0][1], points[points.len() - 1][1]);
        if first != 0.0 || last != 1.0 {
            return refuse(format!("what passes must begin at 0 and end at 1, found {first} and {last}"));
        }
        Ok(Self {
            radii: points.iter().map(|point| 0.5 * point[0]).collect(),
            passing: points.iter().map(|point| point[1]).collect(),
        })
    }

    /// The curve of a table in text: two columns, width and what passes, separated by a comma, a semicolon or
    /// blanks; lines that begin with # and one heading are left out. Widths are multiplied by `unit` \[m\];
    /// shares above 1 are per cent.
    pub fn parse(text: &str, unit: f64) -> Result<Self, SampleError> {
        let mut points = Vec::new();
        let lines = text.lines().enumerate().filter(|(_, line)| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with('#')
        });
        for (position, (line, content)) in lines.enumerate() {
            let fields: Vec<&str> = content
                .split(|c: char| c == ',' || c == ';' || c.is_whitespace())
                .filter(|field| !field.is_empty())
                .collect();
            let numbers: Vec<f64> = fields.iter().filter_map(|field| field.parse().ok()).collect();
            match (numbers.as_slice(), fields.len()) {
                (&[width, share], 2) => points.push([width * unit, share]),
                _ if position == 0 && numbers.is_empty() => {}
                _ => {
                    let text = format!("line {}: two numbers expected, width and what passes", line + 1);
                    return Err(SampleError::Table(text));
                }
            }
        }
        if points.iter().any(|point| point[1] > 1.0) {
            points.iter_mut().for_each(|point| point[1] /= 100.0);
        }
        Self::new(&points)
    }

    /// Smallest radius \[m\].
    pub fn smallest(&self) -> f64 {
        self.radii[0]
    }

    /// Largest radius \[m\].
    pub fn largest(&self) -> f64 {
        self.radii[self.radii.len() - 1]
    }

    /// One radius \[m\], such that many of them have the curve by volume in `D` dimensions.
    pub(super) fn draw<const D: usize>(&self, random: &mut Random) -> f64 {
        let total: f64 = (1..self.radii.len()).map(|k| self.grains_between::<D>(k)).sum();
        let mut left = random.unit() * total;
        let mut chosen = 1;
        for k in 1..self.radii.len() {
            let grains = self.grains_between::<D>(k);
            if grains <= 0.0 {
                continue;
            }
            chosen = k;
            if left < grains {
                break;
            }
            left -= grains;
        }
        even_volume::<D>(self.radii[chosen - 1], self.radii[chosen], random.unit())
    }

    /// Number of grains between two sieves, up to a common factor: the integral of r⁻ᴰ with the share of the
    /// mass spread evenly over the radii.
    fn grains_between<const D: usize>(&self, k: usize) -> f64 {
        let (low, high) = (self.radii[k - 1], self.radii[k]);
        let share = self.passing[k] - self.passing[k - 1];
        let power = D as i32 - 1;
        share / (high - low) * (low.powi(-power) - high.powi(-power)) / f64::from(power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GrainSizes, ball_volume};

    #[test]
    fn many_grains_have_the_curve() {
        let points = [[0.5, 0.0], [1.0, 0.2], [2.0, 0.2], [4.0, 0.9], [5.0, 1.0]];
        let radii = GrainSizes::Sieve(SieveCurve::new(&points).unwrap()).radii::<3>(200_000, 4);
        let total: f64 = radii.iter().map(|r| ball_volume::<3>(*r)).sum();
        for [width, share] in points {
            let passed: f64 = radii.iter().filter(|r| **r <= 0.5 * width).map(|r| ball_volume::<3>(*r)).sum();
            assert!((passed / total - share).abs() < 0.02, "{width} {}", passed / total);
        }
    }

    #[test]
    fn tables_are_read_or_refused_with_their_line() {
        let text = "# quartz sand\nwidth_mm, passing\n0.1, 0\n0.2; 35\n\n0.4 100\n";
        let curve = SieveCurve::parse(text, 1e-3).unwrap();
        assert_eq!(curve, SieveCurve::new(&[[1e-4, 0.0], [2e-4, 0.35], [4e-4, 1.0]]).unwrap());
        for (text, word) in [
            ("0.1,0\n0.2,oops\n", "line 2"),
            ("0.1,0\n0.2,0.5\n", "end at 1"),
            ("0.1,0\n0.1,1\n", "widths must grow"),
            ("0.1,0\n0.2,1,3\n", "line 2"),
            ("", "at least two"),
        ] {
            let error = SieveCurve::parse(text, 1.0).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
