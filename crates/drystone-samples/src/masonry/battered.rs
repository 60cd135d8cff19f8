//! Walls in cross-section with a face that leans back: buttresses and retaining walls with the fill behind
//! them. In the plane; `extruded` makes them deep.

use super::Stone;
use crate::{ConvexCell, SampleError};
use drystone_math::Vector;

/// A cross-section with a vertical back at x = 0 and a straight face at its left, its foot at height 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatteredWall {
    /// Height \[m\].
    pub height: f64,
    /// Thickness at the foot \[m\].
    pub base: f64,
    /// Thickness at the top \[m\].
    pub top: f64,
    /// Number of courses.
    pub courses: usize,
    /// Stones of a course, from back to face.
    pub stones: usize,
    /// Every so many courses are one stone from back to face, a bond stone; 0: none is.
    pub bond_courses: usize,
}

impl BatteredWall {
    fn check(&self) -> Result<(), SampleError> {
        SampleError::positive("height", self.height)?;
        SampleError::positive("base", self.base)?;
        SampleError::positive("top", self.top)?;
        SampleError::within("courses", self.courses as f64, [1.0, 1e5], "it must be from 1 to 100000")?;
        SampleError::within("stones", self.stones as f64, [1.0, 1e4], "it must be from 1 to 10000")
    }

    /// Height of a bed and thickness there \[m\].
    fn bed(&self, bed: usize) -> [f64; 2] {
        let share = bed as f64 / self.courses as f64;
        [self.height * share, self.base + (self.top - self.base) * share]
    }

    /// Its stones, course after course from below, each from back to face.
    pub fn stones(&self) -> Result<Vec<Stone<2>>, SampleError> {
        self.check()?;
        let mut stones = Vec::new();
        for course in 0..self.courses {
            let [[low, thick], [high, thin]] = [self.bed(course), self.bed(course + 1)];
            let binds = self.bond_courses > 0 && course % self.bond_courses == self.bond_courses - 1;
            // joints stand upright, at other shares of the thickness in every second course
            let inner = if binds { 0 } else { self.stones - 1 };
            let shift = if course % 2 == 0 { 0.15 } else { -0.15 };
            let joint = |k: usize| -thick.min(thin) * (k as f64 + shift) / self.stones as f64;
            for k in 0..=inner {
                let right = if k == 0 { [0.0, 0.0] } else { [joint(k); 2] };
                let left = if k == inner { [-thick, -thin] } else { [joint(k + 1); 2] };
                let corners = vec![
                    Vector::<2>::new(left[0], low),
                    Vector::<2>::new(right[0], low),
                    Vector::<2>::new(right[1], high),
                    Vector::<2>::new(left[1], high),
                ];
                let part = if binds { "bond stone" } else { "stone" };
                stones.push(Stone::new(ConvexCell::polygon(corners), part));
            }
        }
        Ok(stones)
    }

    /// Where the fill behind it goes: from the back to `width` \[m\] behind it, as high as the wall.
    pub fn backfill(&self, width: f64) -> [Vector<2>; 2] {
        [Vector::<2>::zeros(), Vector::<2>::new(width, self.height)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::masonry::{extruded, tests::check};

    #[test]
    fn a_retaining_wall_fills_its_section() {
        let wall = BatteredWall { height: 1.5, base: 0.7, top: 0.4, courses: 10, stones: 3, bond_courses: 4 };
        let stones = wall.stones().unwrap();
        check(&stones, 1.5 * 0.55);
        assert_eq!(stones.iter().filter(|stone| stone.part == "bond stone").count(), 2);
        assert_eq!(stones.len(), 8 * 3 + 2);
        let deep: Vec<_> = stones.iter().map(|stone| extruded(stone, 0.0, 2.0)).collect();
        check(&deep, 1.5 * 0.55 * 2.0);
        assert!(BatteredWall { top: 0.0, ..wall }.stones().is_err());
    }
}
