//! Walls of two leaves that are held together by bond stones through both. Stands as a wall does.

use super::Stone;
use super::wall::{Bond, Brick, Wall, flat, solid};
use crate::SampleError;

/// A wall of two leaves that touch, tied by stones that go through both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoLeafWall {
    /// Length \[m\].
    pub length: f64,
    /// Number of courses.
    pub courses: usize,
    /// Thickness of both leaves together \[m\].
    pub thickness: f64,
    /// Length of a stone \[m\].
    pub stone_length: f64,
    /// Height of a course \[m\].
    pub course_height: f64,
    /// Every so many courses have bond stones; 0: none has.
    pub bond_courses: usize,
    /// Every so many stones of such a course is one.
    pub bond_stones: usize,
}

impl TwoLeafWall {
    /// Whether a stone of a course goes through both leaves.
    fn binds(&self, course: usize, stone: usize) -> bool {
        let every = |number: usize, at: usize| number > 0 && at % number == number - 1;
        every(self.bond_courses, course) && every(self.bond_stones.max(1), stone)
    }

    /// Its stones in space.
    pub fn stones(&self) -> Result<Vec<Stone<3>>, SampleError> {
        let leaf = Wall {
            length: self.length,
            courses: self.courses,
            thickness: self.thickness,
            stone_length: self.stone_length,
            course_height: self.course_height,
            bond: Bond::Running,
            openings: Vec::new(),
        };
        leaf.check()?;
        let middle = 0.5 * self.thickness;
        let mut bricks = Vec::new();
        for course in 0..self.courses {
            let z = [course, course + 1].map(|k| k as f64 * self.course_height);
            for (index, (x, _)) in leaf.intervals(course).into_iter().enumerate() {
                if self.binds(course, index) {
                    bricks.push(Brick { x, y: [0.0, self.thickness], z, part: "bond stone" });
                } else {
                    bricks.push(Brick { x, y: [0.0, middle], z, part: "stone" });
                    bricks.push(Brick { x, y: [middle, self.thickness], z, part: "stone" });
                }
            }
        }
        Ok(bricks.iter().map(solid).collect())
    }

    /// A cross-section in the plane: x across the wall; its bond courses have a bond stone.
    pub fn section(&self) -> Result<Vec<Stone<2>>, SampleError> {
        self.stones()?;
        let middle = 0.5 * self.thickness;
        let course = |course: usize| {
            let z = [course, course + 1].map(|k| k as f64 * self.course_height);
            match self.bond_courses > 0 && course % self.bond_courses == self.bond_courses - 1 {
                true => vec![flat([0.0, self.thickness], z, "bond stone")],
                false => vec![flat([0.0, middle], z, "stone"), flat([middle, self.thickness], z, "stone")],
            }
        };
        Ok((0..self.courses).flat_map(course).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::masonry::tests::check;

    #[test]
    fn two_leaves_have_their_bond_stones() {
        let wall = TwoLeafWall {
            length: 2.0,
            courses: 6,
            thickness: 0.6,
            stone_length: 0.4,
            course_height: 0.15,
            bond_courses: 3,
            bond_stones: 2,
        };
        let stones = wall.stones().unwrap();
        check(&stones, 2.0 * 0.9 * 0.6);
        assert_eq!(stones.iter().filter(|stone| stone.part == "bond stone").count(), 5);
        let section = wall.section().unwrap();
        check(&section, 0.9 * 0.6);
        assert_eq!(section.len(), 4 * 2 + 2);
        let without = TwoLeafWall { bond_courses: 0, ..wall };
        assert!(without.stones().unwrap().iter().all(|stone| stone.part == "stone"));
    }
}
