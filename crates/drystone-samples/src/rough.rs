//! Rough walls: grains in a row or over a floor, to be made one body that does not move. Leaves the body to
//! others.

use crate::{Grain, GrainSizes, Random, SampleError};
use drystone_math::Vector;

/// Disks along a way in the plane, each touching the next, their centres scattered across it by `scatter`
/// times their radius. The first sits at the beginning of the way, the last at most a radius from its end.
pub fn rough_line(
    from: Vector<2>,
    to: Vector<2>,
    sizes: &GrainSizes,
    scatter: f64,
    seed: u64,
) -> Result<Vec<Grain<2>>, SampleError> {
    sizes.check()?;
    SampleError::within("scatter", scatter, [0.0, 0.9], "it must be from 0 to 0.9")?;
    let length = (to - from).norm();
    SampleError::positive("length", length)?;
    if length / sizes.smallest() > MOST {
        return Err(too_small(sizes));
    }
    let along = (to - from) / length;
    let across = Vector::<2>::new(-along[1], along[0]);
    let mut random = Random::new(seed);
    let mut grains: Vec<Grain<2>> = Vec::new();
    let mut reached = 0.0;
    loop {
        let radius = sizes.draw::<2>(&mut random);
        let shift = scatter * radius * random.between(-1.0, 1.0);
        if let Some(last) = grains.last() {
            // how far along the way the two touch, given how far apart they are across it
            let aside = shift - (last.position - from).dot(&across);
            let apart = last.radius + radius;
            reached += (apart * apart - aside * aside).max(0.0).sqrt();
        }
        if reached > length {
            return Ok(grains);
        }
        grains.push(Grain { radius, position: from + along * reached + across * shift });
    }
}

/// Most grains of a wall.
const MOST: f64 = 1e7;

fn too_small(sizes: &GrainSizes) -> SampleError {
    let allowed = "it gives more than ten million grains";
    SampleError::Number { name: "radius", found: sizes.smallest(), allowed }
}

/// Spheres over a rectangle of the floor, from `low` to `high` \[m\], in rows whose distances are those of
/// the mean diameter, their centres scattered in height by `scatter` times their radius about `height` \[m\].
pub fn rough_floor(
    low: [f64; 2],
    high: [f64; 2],
    height: f64,
    sizes: &GrainSizes,
    scatter: f64,
    seed: u64,
) -> Result<Vec<Grain<3>>, SampleError> {
    sizes.check()?;
    SampleError::within("scatter", scatter, [0.0, 0.9], "it must be from 0 to 0.9")?;
    SampleError::positive("length", high[0] - low[0])?;
    SampleError::positive("length", high[1] - low[1])?;
    let step = sizes.smallest() + sizes.largest();
    let row = step * 3.0f64.sqrt() * 0.5;
    if (high[0] - low[0]) / step * (high[1] - low[1]) / row > MOST {
        return Err(too_small(sizes));
    }
    let mut random = Random::new(seed);
    let rows = ((high[1] - low[1]) / row).floor() as usize + 1;
    let columns = ((high[0] - low[0]) / step).floor() as usize + 1;
    let mut grains = Vec::with_capacity(rows * columns);
    for j in 0..rows {
        for i in 0..columns {
            let radius = sizes.draw::<3>(&mut random);
            let x = low[0] + step * (i as f64 + 0.5 * (j % 2) as f64);
            if x > high[0] {
                continue;
            }
            let z = height + scatter * radius * random.between(-1.0, 1.0);
            grains.push(Grain { radius, position: Vector::<3>::new(x, low[1] + row * j as f64, z) });
        }
    }
    Ok(grains)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CountBy;

    const SIZES: GrainSizes = GrainSizes::Uniform { smallest: 0.05, largest: 0.1, by: CountBy::Number };

    #[test]
    fn a_rough_line_has_no_gaps() {
        let (from, to) = (Vector::<2>::new(1.0, 2.0), Vector::<2>::new(5.0, 5.0));
        let grains = rough_line(from, to, &SIZES, 0.5, 3).unwrap();
        assert_eq!(grains, rough_line(from, to, &SIZES, 0.5, 3).unwrap());
        for pair in grains.windows(2) {
            let distance = (pair[0].position - pair[1].position).norm();
            assert!((distance - pair[0].radius - pair[1].radius).abs() < 1e-12);
        }
        assert!(grains.iter().any(|grain| (grain.position - to).norm() < 0.2));
        assert!(rough_line(from, from, &SIZES, 0.5, 3).is_err());
    }

    #[test]
    fn a_rough_floor_covers_its_rectangle() {
        let grains = rough_floor([0.0, 0.0], [2.0, 1.0], -0.1, &SIZES, 0.3, 3).unwrap();
        assert!(grains.len() > 13 * 7 - 10, "{}", grains.len());
        for (i, a) in grains.iter().enumerate() {
            assert!((a.position[2] + 0.1).abs() <= 0.3 * a.radius);
            // holes are smaller than the largest grain
            let near = grains
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .map(|(_, b)| (a.position - b.position).norm());
            assert!(near.fold(f64::MAX, f64::min) < 0.2);
        }
    }
}
