//! Columns of drums with a capital. Drums are prisms of many sides; round ones are made by the caller from
//! the same numbers.

use super::Stone;
use crate::{ConvexCell, SampleError};
use drystone_math::{Vector, portable};
use std::f64::consts::TAU;

/// What a column ends in: a flaring part under a square slab.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capital {
    /// Height of both parts together \[m\].
    pub height: f64,
    /// Side of the slab \[m\].
    pub width: f64,
}

/// A column about the z axis, its foot at height 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Radius at the foot \[m\].
    pub radius: f64,
    /// Radius at the top \[m\].
    pub top_radius: f64,
    /// Height of the drums together \[m\].
    pub height: f64,
    /// Number of drums.
    pub drums: usize,
    /// Sides of a drum.
    pub sides: usize,
    /// Capital, if it has one.
    pub capital: Option<Capital>,
}

impl Column {
    /// Refuses what is no column.
    pub fn check(&self) -> Result<(), SampleError> {
        SampleError::positive("radius", self.radius)?;
        SampleError::positive("top_radius", self.top_radius)?;
        SampleError::positive("height", self.height)?;
        SampleError::within("drums", self.drums as f64, [1.0, 1e5], "it must be from 1 to 100000")?;
        SampleError::within("sides", self.sides as f64, [3.0, 200.0], "it must be from 3 to 200")?;
        if let Some(capital) = self.capital {
            SampleError::positive("height", capital.height)?;
            let least = 2.0 * self.top_radius;
            let allowed = "the slab must be at least as wide as the column";
            SampleError::within("width", capital.width, [least, f64::MAX], allowed)?;
        }
        Ok(())
    }

    /// Height of a bed and radius there \[m\].
    pub fn bed(&self, bed: usize) -> [f64; 2] {
        let share = bed as f64 / self.drums as f64;
        [self.height * share, self.radius + (self.top_radius - self.radius) * share]
    }

    fn ring(&self, radius: f64, height: f64) -> Vec<Vector<3>> {
        let corner = |k: usize| {
            let (sine, cosine) = portable::sin_cos(TAU * (k as f64 + 0.5) / self.sides as f64);
            Vector::<3>::new(radius * cosine, radius * sine, height)
        };
        (0..self.sides).map(corner).collect()
    }

    /// Its stones from below.
    pub fn stones(&self) -> Result<Vec<Stone<3>>, SampleError> {
        self.check()?;
        let at = |bed: usize| {
            let [height, radius] = self.bed(bed);
            self.ring(radius, height)
        };
        let drum = |k: usize| Stone::new(ConvexCell::loft(&at(k), &at(k + 1)), "drum");
        let mut stones: Vec<Stone<3>> = (0..self.drums).map(drum).collect();
        stones.extend(self.capital_stones());
        Ok(stones)
    }

    /// The stones of the capital alone.
    pub fn capital_stones(&self) -> Vec<Stone<3>> {
        let Some(capital) = self.capital else { return Vec::new() };
        let foot = self.bed(self.drums)[0];
        let [middle, top] = [foot + 0.5 * capital.height, foot + capital.height];
        let half = 0.5 * capital.width;
        let flare = ConvexCell::loft(&self.ring(self.top_radius, foot), &self.ring(half, middle));
        let low = Vector::<3>::new(-half, -half, middle);
        let slab = ConvexCell::cuboid(&low, &Vector::<3>::new(half, half, top));
        vec![Stone::new(flare, "echinus"), Stone::new(slab, "abacus")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::masonry::tests::check;

    #[test]
    fn drums_stand_on_each_other() {
        let capital = Some(Capital { height: 0.6, width: 1.4 });
        let column = Column { radius: 0.5, top_radius: 0.4, height: 6.0, drums: 10, sides: 24, capital };
        let stones = column.stones().unwrap();
        assert_eq!(stones.len(), 12);
        // frusta of regular polygons: h/3 (a + b + √(ab)) with the areas of their ends
        let end = |radius: f64| 12.0 * radius * radius * (TAU / 24.0).sin();
        let frustum = |h: f64, r: f64, s: f64| h / 3.0 * (end(r) + end(s) + (end(r) * end(s)).sqrt());
        check(&stones, frustum(6.0, 0.5, 0.4) + frustum(0.3, 0.4, 0.7) + 1.4 * 1.4 * 0.3);
        let narrow = Column { capital: Some(Capital { height: 0.6, width: 0.5 }), ..column };
        assert!(narrow.stones().is_err() && Column { drums: 0, ..column }.stones().is_err());
    }
}
