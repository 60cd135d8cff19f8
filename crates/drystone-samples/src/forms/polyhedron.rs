//! Random convex polyhedra with a given number of faces. Knows no grain and no place.

use crate::rock::{ConvexCell, CutPlane};
use crate::{Random, SampleError};
use drystone_math::Vector;

/// A random convex polyhedron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolyhedronForm {
    /// Number of faces, from 4.
    pub faces: usize,
    /// From 0, faces evenly spread and equally far from the centre, to 1, anyhow \[-\].
    pub angularity: f64,
    /// Length over width, from 1 \[-\].
    pub elongation: f64,
}

/// Rounds in which directions push each other apart.
const SPREADING: usize = 60;

impl PolyhedronForm {
    /// Refuses numbers that make no polyhedron.
    pub fn check(&self) -> Result<(), SampleError> {
        let within = SampleError::within;
        within("faces", self.faces as f64, [4.0, 100.0], "it must be from 4 to 100")?;
        within("angularity", self.angularity, [0.0, 1.0], "it must be from 0 to 1")?;
        within("elongation", self.elongation, [1.0, 20.0], "it must be from 1 to 20")
    }

    /// Its corners about the origin, the farthest of them at `radius` \[m\].
    pub(super) fn corners<const D: usize>(&self, radius: f64, random: &mut Random) -> Vec<Vector<D>> {
        // draws that fail make the next ones more even, so that it ends
        let mut angularity = self.angularity;
        loop {
            let rounds = ((1.0 - angularity) * SPREADING as f64) as usize;
            // some spreading always, else faces bury each other
            let directions = spread::<D>(self.faces, rounds.max(8), random);
            let mut cell = ConvexCell::cuboid(&Vector::repeat(-BOX), &Vector::repeat(BOX));
            let mut whole = true;
            for normal in directions {
                let offset = 1.0 - 0.3 * angularity * random.unit();
                match cell.cut(&CutPlane { normal, offset })[0].take() {
                    Some(part) => cell = part,
                    None => whole = false,
                }
            }
            // a draw that leaves a face of the first box, or buries one, is drawn again
            let corners = cell.corners();
            let inside = corners.iter().all(|corner| corner.amax() < 0.99 * BOX);
            if whole && inside && cell.loops().len() == self.faces {
                return scaled(corners, self.elongation, radius);
            }
            angularity *= 0.85;
        }
    }
}

/// Half of the width of the box the polyhedron is cut from, in distances of the faces.
const BOX: f64 = 6.0;

fn scaled<const D: usize>(mut corners: Vec<Vector<D>>, elongation: f64, radius: f64) -> Vec<Vector<D>> {
    corners.iter_mut().for_each(|corner| corner[0] *= elongation);
    let far = corners.iter().map(Vector::norm).fold(0.0, f64::max);
    corners.iter().map(|corner| corner * (radius / far)).collect()
}

/// So many directions at random, which then push each other apart for some rounds.
pub(super) fn spread<const D: usize>(count: usize, rounds: usize, random: &mut Random) -> Vec<Vector<D>> {
    let mut directions: Vec<Vector<D>> = (0..count).map(|_| random.direction()).collect();
    // about half the distance between neighbours once they are spread
    let pace = 0.5 / (count as f64).sqrt();
    for _ in 0..rounds {
        let pushes: Vec<Vector<D>> = directions
            .iter()
            .map(|here| {
                let mut push = Vector::zeros();
                for other in &directions {
                    let arm: Vector<D> = here - other;
                    let square = arm.norm_squared();
                    if square > 1e-12 {
                        push += arm / (square * square.sqrt());
                    }
                }
                push
            })
            .collect();
        for (direction, push) in directions.iter_mut().zip(pushes) {
            let length = push.norm();
            if length > 0.0 {
                let moved: Vector<D> = *direction + push * (pace / length).min(0.3 / count as f64);
                *direction = moved.normalize();
            }
        }
    }
    directions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polyhedra_have_their_faces_and_their_length() {
        let mut random = Random::new(2);
        for (faces, angularity, elongation) in
            [(4, 0.0, 1.0), (6, 0.0, 1.0), (8, 0.3, 1.5), (30, 1.0, 3.0), (100, 1.0, 1.0)]
        {
            let form = PolyhedronForm { faces, angularity, elongation };
            form.check().unwrap();
            let mut ratio = 0.0;
            let draws = if faces > 50 { 1 } else { 20 };
            for _ in 0..draws {
                let corners = form.corners::<3>(2.0, &mut random);
                // simple polyhedra: Euler's formula with three edges at every corner
                assert!(corners.len() == 2 * faces - 4, "{} {faces}", corners.len());
                let extent = |axis: usize| {
                    let all = corners.iter().map(|corner| corner[axis]);
                    all.clone().fold(f64::MIN, f64::max) - all.fold(f64::MAX, f64::min)
                };
                ratio += extent(0) / (0.5 * (extent(1) + extent(2))) / f64::from(draws);
            }
            assert!((ratio / elongation - 1.0).abs() < 0.2, "{ratio} {elongation}");
        }
    }

    #[test]
    fn spread_directions_are_even() {
        let mut random = Random::new(1);
        let directions = spread::<3>(6, 400, &mut random);
        // the corners of an octahedron: four neighbours at right angles, one opposite
        for a in &directions {
            let mut products: Vec<f64> = directions.iter().map(|b| a.dot(b)).collect();
            products.sort_by(f64::total_cmp);
            assert!(products[0] < -0.95 && products[1..5].iter().all(|p| p.abs() < 0.1), "{products:?}");
        }
    }
}
