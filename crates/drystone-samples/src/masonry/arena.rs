//! A Roman arena: a ring of bays, each an arch between two piers, on several levels. Seats and vaults behind
//! the front are left out.

use super::{Arch, Stone, extruded};
use crate::{ConvexCell, SampleError};
use drystone_math::{Vector, portable};
use std::f64::consts::TAU;

/// An arena about the z axis on an ellipse or a circle.
///
/// Every bay is a flat front between two pier cores, which are wedges that make the turn. Piers carry
/// semicircular arches; above them courses fill the spandrels up to a level top on which the next level
/// stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arena {
    /// Half axes of the ellipse through the middle of the fronts, along x and y \[m\].
    pub half_axes: [f64; 2],
    /// Number of bays.
    pub bays: usize,
    /// Number of levels.
    pub levels: usize,
    /// Clear span of the arches \[m\].
    pub span: f64,
    /// Thickness of the arches, across the ring of voussoirs \[m\].
    pub thickness: f64,
    /// Number of voussoirs of an arch, divisible by 4.
    pub voussoirs: usize,
    /// Height of the piers below the springings \[m\].
    pub pier_height: f64,
    /// Number of courses of a pier.
    pub pier_courses: usize,
    /// Height of the course above the crown of the arches \[m\].
    pub crown: f64,
    /// Depth of the fronts \[m\].
    pub depth: f64,
}

/// One bay: its middle, the directions along it and outwards, half of its width between the pier cores.
struct Bay {
    middle: Vector<2>,
    along: Vector<2>,
    outward: Vector<2>,
    half: f64,
}

/// A pier core is this much wider than the turn between two fronts takes, relative to the depth.
const CORE: f64 = 0.25;

impl Arena {
    /// Height of a level \[m\].
    pub fn level_height(&self) -> f64 {
        self.pier_height + 0.5 * self.span + self.thickness + self.crown
    }

    /// Corners of the polygon on the ellipse, equally far from each other along it up to rounding.
    fn polygon(&self) -> Vec<Vector<2>> {
        const FINE: usize = 20_000;
        let point = |share: f64| {
            let (sine, cosine) = portable::sin_cos(TAU * share);
            Vector::<2>::new(self.half_axes[0] * cosine, self.half_axes[1] * sine)
        };
        let fine: Vec<Vector<2>> = (0..=FINE).map(|k| point(k as f64 / FINE as f64)).collect();
        let mut lengths = vec![0.0];
        for pair in fine.windows(2) {
            lengths.push(lengths[lengths.len() - 1] + (pair[1] - pair[0]).norm());
        }
        let corner = |k: usize| {
            let wanted = lengths[FINE] * k as f64 / self.bays as f64;
            let after = lengths.partition_point(|&length| length < wanted).clamp(1, FINE);
            let part = (wanted - lengths[after - 1]) / (lengths[after] - lengths[after - 1]);
            point((after as f64 - 1.0 + part) / FINE as f64)
        };
        (0..self.bays).map(corner).collect()
    }

    fn bays(&self) -> Result<Vec<Bay>, SampleError> {
        let polygon = self.polygon();
        let count = polygon.len();
        let way = |k: usize| polygon[(k + 1) % count] - polygon[k % count];
        let mut bays = Vec::with_capacity(count);
        for k in 0..count {
            let length = way(k).norm();
            let along = way(k) / length;
            // the core at either end takes the turn of the fronts at their inner side
            let turn = |a: &Vector<2>, b: &Vector<2>| {
                let (a, b) = (a.normalize(), b.normalize());
                (a[0] * b[1] - a[1] * b[0]) / (1.0 + a.dot(&b))
            };
            let widest = turn(&way(k + count - 1), &way(k)).max(turn(&way(k), &way(k + 1)));
            let core = 0.5 * self.depth * widest + 0.5 * CORE * self.depth;
            let half = 0.5 * length - core;
            let least = 0.5 * self.span + self.thickness;
            if half < least * (1.0 + 1e-9) {
                let text = format!(
                    "a bay is {length:.3} m wide; the span, twice the thickness of the arch and the pier need {:.3} m: \
                     take fewer bays or a smaller span",
                    2.0 * (least + core)
                );
                return Err(SampleError::Masonry(text));
            }
            let middle = (polygon[k] + polygon[(k + 1) % count]) * 0.5;
            bays.push(Bay { middle, along, outward: Vector::<2>::new(along[1], -along[0]), half });
        }
        Ok(bays)
    }

    fn check(&self) -> Result<(), SampleError> {
        for (name, value) in [
            ("half_axes", self.half_axes[0]),
            ("half_axes", self.half_axes[1]),
            ("span", self.span),
            ("thickness", self.thickness),
            ("pier_height", self.pier_height),
            ("crown", self.crown),
            ("depth", self.depth),
        ] {
            SampleError::positive(name, value)?;
        }
        SampleError::within("bays", self.bays as f64, [6.0, 1000.0], "it must be from 6 to 1000")?;
        SampleError::within("levels", self.levels as f64, [1.0, 20.0], "it must be from 1 to 20")?;
        SampleError::within(
            "pier_courses",
            self.pier_courses as f64,
            [1.0, 1000.0],
            "it must be from 1 to 1000",
        )?;
        if self.voussoirs < 4 || !self.voussoirs.is_multiple_of(4) {
            let text =
                "the number of voussoirs must be divisible by 4: courses meet the arch at its joints at 45°";
            return Err(SampleError::Masonry(text.to_owned()));
        }
        Ok(())
    }

    /// Heights of the beds of a level above its foot: those of the piers, then of the spandrels.
    fn beds(&self) -> Vec<f64> {
        let pier = |k: usize| self.pier_height * k as f64 / self.pier_courses as f64;
        let mut beds: Vec<f64> = (0..=self.pier_courses).map(pier).collect();
        let arch = self.arch();
        beds.extend((1..=self.voussoirs / 4).map(|k| self.pier_height + arch.joint(k)[1][1]));
        beds.push(self.level_height());
        beds
    }

    fn arch(&self) -> Arch {
        let (span, thickness) = (self.span, self.thickness);
        Arch { span, rise: 0.5 * span, thickness, voussoirs: self.voussoirs }
    }

    /// The front of one bay above its springings, without what the piers hold; x along it, heights above its
    /// foot.
    fn front(&self, half: f64) -> Result<Vec<Stone<2>>, SampleError> {
        let arch = self.arch();
        let lift = |point: Vector<2>| Vector::<2>::new(point[0], point[1] + self.pier_height);
        let raised = |stone: &Stone<2>| {
            let corners = stone.cell.loops()[0].iter().map(|corner| lift(*corner)).collect();
            Stone::new(ConvexCell::polygon(corners), stone.part)
        };
        let mut stones: Vec<Stone<2>> = arch.stones()?.iter().map(raised).collect();
        let top = self.level_height();
        let quarter = self.voussoirs / 4;
        for k in 0..self.voussoirs {
            let [a, b] = [arch.joint(k)[1], arch.joint(k + 1)[1]].map(lift);
            // beside the haunches courses to the pier, above the crown a stone on every voussoir
            let beside = k < quarter || k >= 3 * quarter;
            let corners = if beside {
                let edge = if k < quarter { half } else { -half };
                vec![a, Vector::<2>::new(edge, a[1]), Vector::<2>::new(edge, b[1]), b]
            } else {
                vec![a, Vector::<2>::new(a[0], top), Vector::<2>::new(b[0], top), b]
            };
            stones.push(Stone::new(ConvexCell::polygon(corners), "spandrel"));
        }
        // from the joints at 45° to the piers
        for side in [1.0, -1.0] {
            let joint = lift(arch.joint(quarter)[1]);
            let corners = vec![
                Vector::<2>::new(side * joint[0], joint[1]),
                Vector::<2>::new(side * half, joint[1]),
                Vector::<2>::new(side * half, top),
                Vector::<2>::new(side * joint[0], top),
            ];
            stones.push(Stone::new(ConvexCell::polygon(corners), "spandrel"));
        }
        Ok(stones)
    }

    /// Its stones, level after level from below: piers, then bay after bay.
    pub fn stones(&self) -> Result<Vec<Stone<3>>, SampleError> {
        self.check()?;
        let bays = self.bays()?;
        let place = |bay: &Bay, along: f64, out: f64, height: f64| {
            let point = bay.middle + bay.along * along + bay.outward * out;
            Vector::<3>::new(point[0], point[1], height)
        };
        let depth = [-0.5 * self.depth, 0.5 * self.depth];
        let beds = self.beds();
        let mut stones = Vec::new();
        for level in 0..self.levels {
            let foot = self.level_height() * level as f64;
            for k in 0..self.bays {
                let (bay, next) = (&bays[k], &bays[(k + 1) % self.bays]);
                for (course, pair) in beds.windows(2).enumerate() {
                    // below the springings the pier reaches to the opening and carries all above it; above
                    // them only the core is left
                    let pier = course < self.pier_courses;
                    let opening = 0.5 * self.span;
                    let ring = |height: f64| {
                        let height = foot + height;
                        let core = [
                            place(bay, bay.half, depth[1], height),
                            place(next, -next.half, depth[1], height),
                        ];
                        if !pier {
                            let [a, b] = core;
                            let inner = |bay: &Bay, half: f64| place(bay, half, depth[0], height);
                            return vec![inner(bay, bay.half), a, b, inner(next, -next.half)];
                        }
                        let ends = |bay: &Bay, along: f64| depth.map(|out| place(bay, along, out, height));
                        let ([a, b], [c, d]) = (ends(bay, opening), ends(next, -opening));
                        vec![a, b, core[0], core[1], d, c]
                    };
                    let part = if pier { "pier" } else { "core" };
                    stones.push(Stone::new(ConvexCell::loft(&ring(pair[0]), &ring(pair[1])), part));
                }
            }
            for bay in &bays {
                for stone in self.front(bay.half)? {
                    let flat = extruded(&stone, depth[0], depth[1]);
                    let [front, back] = [0, 1].map(|face| flat.cell.loops()[face].clone());
                    let turn = |corner: &Vector<3>| place(bay, corner[0], corner[1], foot + corner[2]);
                    let one: Vec<Vector<3>> = front.iter().map(turn).collect();
                    let other: Vec<Vector<3>> = back.iter().rev().map(turn).collect();
                    stones.push(Stone::new(ConvexCell::loft(&one, &other), stone.part));
                }
            }
        }
        Ok(stones)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::masonry::tests::check;

    const ARENA: Arena = Arena {
        half_axes: [12.0, 9.0],
        bays: 12,
        levels: 2,
        span: 2.4,
        thickness: 0.5,
        voussoirs: 8,
        pier_height: 2.0,
        pier_courses: 3,
        crown: 0.4,
        depth: 1.2,
    };

    #[test]
    fn stones_of_an_arena_fit() {
        let stones = ARENA.stones().unwrap();
        let per_bay = 3 + 3 + 8 + 8 + 2;
        assert_eq!(stones.len(), 2 * 12 * per_bay);
        let total: f64 = stones.iter().map(|stone| stone.cell.volume()).sum();
        check(&stones, total);
        // the plan is closed but for the openings: length of the ring times depth and height, up to the
        // corners, which hardly count where there are many bays
        let large = Arena { half_axes: [40.0, 30.0], bays: 48, ..ARENA };
        let total: f64 = large.stones().unwrap().iter().map(|stone| stone.cell.volume()).sum();
        let polygon = large.polygon();
        let ring: f64 = (0..48).map(|k| (polygon[(k + 1) % 48] - polygon[k]).norm()).sum();
        let arch = ARENA.arch();
        let intrados: f64 = {
            let points: Vec<_> = (0..=8).map(|k| arch.joint(k)[0]).collect();
            points.windows(2).map(|p| 0.5 * (p[0][0] * p[1][1] - p[0][1] * p[1][0])).sum()
        };
        let opening = 2.4 * 2.0 + intrados;
        let solid = 2.0 * 1.2 * (ring * ARENA.level_height() - 48.0 * opening);
        assert!((total / solid - 1.0).abs() < 0.01, "{total} {solid}");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for wrong in [
            Arena { bays: 30, ..ARENA },
            Arena { voussoirs: 10, ..ARENA },
            Arena { span: 6.0, ..ARENA },
            Arena { depth: -1.0, ..ARENA },
        ] {
            assert!(wrong.stones().is_err(), "{wrong:?}");
        }
    }
}
