//! Straight walls of rectangular stones in the usual bonds, with openings. Stands from the origin along x,
//! its thickness along y, its height along the last axis.

use super::Stone;
use crate::{ConvexCell, SampleError};
use drystone_math::Vector;

/// How stones of one course lie over those of the course below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bond {
    /// Joint over joint.
    Stack,
    /// Shifted by half a stone from course to course.
    Running,
    /// A stretcher and a header in turn, every header over the middle of a stretcher.
    Flemish,
    /// Courses of stretchers and courses of headers in turn.
    English,
}

/// A rectangular opening, on the joints between courses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallOpening {
    /// Distance from the beginning of the wall \[m\].
    pub left: f64,
    /// Height of its lower edge \[m\].
    pub bottom: f64,
    /// Width \[m\].
    pub width: f64,
    /// Height \[m\].
    pub height: f64,
    /// How far the lintel rests on the wall at either side \[m\]; 0: no lintel.
    pub bearing: f64,
}

/// A straight wall.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// Length \[m\].
    pub length: f64,
    /// Number of courses.
    pub courses: usize,
    /// Thickness \[m\]. In Flemish and English bond headers go through it and stretchers fill half of it.
    pub thickness: f64,
    /// Length of a stretcher \[m\]; headers are half as long along the wall.
    pub stone_length: f64,
    /// Height of a course \[m\].
    pub course_height: f64,
    /// Bond.
    pub bond: Bond,
    /// Openings.
    pub openings: Vec<WallOpening>,
}

/// A stone with its sides along the axes.
#[derive(Clone, Copy)]
pub(super) struct Brick {
    pub(super) x: [f64; 2],
    pub(super) y: [f64; 2],
    pub(super) z: [f64; 2],
    pub(super) part: &'static str,
}

/// Most stones of a wall.
const MOST: f64 = 1e7;
/// Shortest end of a course relative to a stone: less is added to the neighbour.
const SHORTEST: f64 = 0.125;

impl Wall {
    pub(super) fn check(&self) -> Result<(), SampleError> {
        SampleError::positive("length", self.length)?;
        SampleError::positive("thickness", self.thickness)?;
        SampleError::positive("stone_length", self.stone_length)?;
        SampleError::positive("course_height", self.course_height)?;
        SampleError::within("courses", self.courses as f64, [1.0, 1e6], "it must be from 1 to a million")?;
        if self.length / self.stone_length * self.courses as f64 > MOST {
            return Err(SampleError::Masonry("the wall has more than ten million stones".to_owned()));
        }
        self.openings.iter().enumerate().try_for_each(|(k, opening)| self.check_opening(k + 1, opening))
    }

    fn check_opening(&self, number: usize, opening: &WallOpening) -> Result<(), SampleError> {
        SampleError::positive("width", opening.width)?;
        SampleError::positive("height", opening.height)?;
        let refuse = |text: String| Err(SampleError::Masonry(format!("opening {number} {text}")));
        let on_joint = |z: f64| {
            let courses = z / self.course_height;
            (courses - courses.round()).abs() < 1e-6
        };
        for (edge, z) in [("lower", opening.bottom), ("upper", opening.bottom + opening.height)] {
            if !on_joint(z) {
                let course = self.course_height;
                return refuse(format!(
                    "has its {edge} edge at {z} m, between two joints: courses are {course} m high"
                ));
            }
        }
        let height = self.courses as f64 * self.course_height;
        let (right, top) = (opening.left + opening.width, opening.bottom + opening.height);
        if !(opening.left >= 0.0
            && opening.bottom >= 0.0
            && right <= self.length
            && top <= height * (1.0 + 1e-9))
        {
            return refuse(format!("reaches beyond the wall, {} m by {height} m", self.length));
        }
        if opening.bearing.is_nan() || opening.bearing < 0.0 {
            return refuse("has a bearing that is negative".to_owned());
        }
        let fits = opening.left >= opening.bearing && right + opening.bearing <= self.length;
        if opening.bearing > 0.0 && (!fits || top > height - 0.5 * self.course_height) {
            return refuse(
                "has no room for its lintel: it needs a course above and its bearing at both sides"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// Joints of a course in quarters of a stone, and whether what lies between each pair is a header.
    fn course(&self, course: usize) -> Vec<(usize, bool)> {
        let quarters = (4.0 * self.length / self.stone_length).ceil() as usize + 4;
        let odd = course % 2 == 1;
        // widths, and whether they are headers: at the beginning, then again and again
        type Widths = [(usize, bool)];
        let (first, pattern): (&Widths, &Widths) = match (self.bond, odd) {
            (Bond::Stack, _) | (Bond::Running | Bond::English, false) => (&[], &[(4, false)]),
            (Bond::Running, true) => (&[(2, false)], &[(4, false)]),
            (Bond::Flemish, false) => (&[], &[(4, false), (2, true)]),
            // a header and a quarter bring every header over the middle of a stretcher
            (Bond::Flemish, true) => (&[(2, true), (1, true)], &[(4, false), (2, true)]),
            (Bond::English, true) => (&[(2, true), (1, true)], &[(2, true)]),
        };
        let mut at = 0;
        let mut joints = Vec::new();
        for &(width, header) in first.iter().chain(pattern.iter().cycle()) {
            joints.push((at, header));
            at += width;
            if at >= quarters {
                break;
            }
        }
        joints.push((at, false));
        joints
    }

    /// Intervals of a course along the wall, the last one cut to the length.
    pub(super) fn intervals(&self, course: usize) -> Vec<([f64; 2], bool)> {
        let quarter = 0.25 * self.stone_length;
        let joints = self.course(course);
        let mut intervals: Vec<([f64; 2], bool)> = Vec::new();
        for pair in joints.windows(2) {
            let [from, to] = [pair[0].0 as f64 * quarter, pair[1].0 as f64 * quarter];
            if from >= self.length - 1e-9 * quarter {
                break;
            }
            intervals.push(([from, to.min(self.length)], pair[0].1));
        }
        // the end of the wall is the end of its last stone; a splinter there belongs to its neighbour
        if let [.., before, last] = intervals.as_mut_slice()
            && last.0[1] - last.0[0] < SHORTEST * self.stone_length
        {
            before.0[1] = last.0[1];
            intervals.pop();
        }
        if let Some(last) = intervals.last_mut() {
            last.0[1] = self.length;
        }
        intervals
    }

    fn bricks(&self) -> Result<Vec<Brick>, SampleError> {
        self.check()?;
        let two_leaves = matches!(self.bond, Bond::Flemish | Bond::English);
        let middle = 0.5 * self.thickness;
        let mut bricks = Vec::new();
        for course in 0..self.courses {
            let z = [course, course + 1].map(|k| k as f64 * self.course_height);
            let mut holes: Vec<[f64; 2]> = Vec::new();
            for opening in &self.openings {
                let [first, end] = [opening.bottom, opening.bottom + opening.height]
                    .map(|height| (height / self.course_height).round() as usize);
                let (left, right) = (opening.left, opening.left + opening.width);
                if (first..end).contains(&course) {
                    holes.push([left, right]);
                } else if course == end && opening.bearing > 0.0 {
                    let x = [left - opening.bearing, right + opening.bearing];
                    holes.push(x);
                    bricks.push(Brick { x, y: [0.0, self.thickness], z, part: "lintel" });
                }
            }
            for (x, header) in self.intervals(course) {
                for x in without(x, &holes) {
                    let leaves: &[[f64; 2]] = match two_leaves && !header {
                        true => &[[0.0, middle], [middle, self.thickness]],
                        false => &[[0.0, self.thickness]],
                    };
                    let part = if header { "header" } else { "stone" };
                    bricks.extend(leaves.iter().map(|&y| Brick { x, y, z, part }));
                }
            }
        }
        Ok(bricks)
    }

    /// Its stones in space.
    pub fn stones(&self) -> Result<Vec<Stone<3>>, SampleError> {
        Ok(self.bricks()?.iter().map(solid).collect())
    }

    /// Its stones in the plane, seen from the front.
    pub fn face(&self) -> Result<Vec<Stone<2>>, SampleError> {
        let front = self.bricks()?.into_iter().filter(|brick| brick.y[0] == 0.0);
        Ok(front.map(|brick| flat(brick.x, brick.z, brick.part)).collect())
    }
}

pub(super) fn solid(brick: &Brick) -> Stone<3> {
    let corner = |end: usize| Vector::<3>::new(brick.x[end], brick.y[end], brick.z[end]);
    Stone::new(ConvexCell::cuboid(&corner(0), &corner(1)), brick.part)
}

pub(super) fn flat(x: [f64; 2], z: [f64; 2], part: &'static str) -> Stone<2> {
    Stone::new(ConvexCell::cuboid(&Vector::<2>::new(x[0], z[0]), &Vector::<2>::new(x[1], z[1])), part)
}

/// What holes leave of an interval.
fn without(interval: [f64; 2], holes: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut rest = vec![interval];
    for &[left, right] in holes {
        rest = rest
            .into_iter()
            .flat_map(|[from, to]| [[from, to.min(left)], [from.max(right), to]])
            .filter(|[from, to]| to - from > 1e-9 * (interval[1] - interval[0]))
            .collect();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::masonry::tests::check;

    fn wall(bond: Bond) -> Wall {
        Wall {
            length: 3.3,
            courses: 6,
            thickness: 0.4,
            stone_length: 0.4,
            course_height: 0.1,
            bond,
            openings: Vec::new(),
        }
    }

    #[test]
    fn all_bonds_fill_the_wall() {
        for bond in [Bond::Stack, Bond::Running, Bond::Flemish, Bond::English] {
            let wall = wall(bond);
            check(&wall.stones().unwrap(), 3.3 * 0.6 * 0.4);
            check(&wall.face().unwrap(), 3.3 * 0.6);
        }
    }

    #[test]
    fn joints_do_not_run_through_but_in_stack_bond() {
        for bond in [Bond::Running, Bond::Flemish, Bond::English] {
            let wall = wall(bond);
            for course in 0..5 {
                let joints = |course: usize| -> Vec<f64> {
                    wall.intervals(course).iter().map(|(x, _)| x[1]).filter(|&x| x < 3.29).collect()
                };
                let above = joints(course + 1);
                let through = joints(course).into_iter().filter(|x| above.contains(x)).count();
                assert_eq!(through, 0, "{bond:?} course {course}");
            }
        }
    }

    #[test]
    fn openings_are_left_out_and_lintels_put_over_them() {
        let window = WallOpening { left: 1.15, bottom: 0.2, width: 0.7, height: 0.2, bearing: 0.2 };
        let wall = Wall { openings: vec![window], ..wall(Bond::Running) };
        let stones = wall.stones().unwrap();
        check(&stones, (3.3 * 0.6 - 0.7 * 0.2) * 0.4);
        assert_eq!(stones.iter().filter(|stone| stone.part == "lintel").count(), 1);
        for wrong in [
            WallOpening { bottom: 0.15, ..window },
            WallOpening { left: 2.9, ..window },
            WallOpening { height: 0.4, ..window },
            WallOpening { bearing: 2.0, ..window },
            WallOpening { width: -1.0, ..window },
        ] {
            assert!(Wall { openings: vec![wrong], ..wall.clone() }.stones().is_err(), "{wrong:?}");
        }
    }
}
