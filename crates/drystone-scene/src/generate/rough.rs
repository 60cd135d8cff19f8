//! Rough walls: one body of many grains that does not move.

use super::sizes::sizes;
use super::{Maker, noted, point};
use crate::place::{Place, Problems};
use crate::spec::{BodySpec, PartSpec, RoughSpec, ShapeSpec};
use drystone_samples::{Grain, rough_floor, rough_line};

/// The one body of a rough wall.
pub(super) fn bodies(
    maker: &Maker,
    spec: &RoughSpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<BodySpec>> {
    let sizes = sizes(maker, &spec.sizes, &place.key("sizes"), problems);
    let (begin, end) = (place.key("from"), place.key("to"));
    let seed = maker.sample.seed;
    let parts: Vec<PartSpec> = match maker.dimension {
        2 => {
            let (from, to) = (point::<2>(&spec.from, &begin, problems), point::<2>(&spec.to, &end, problems));
            let grains = rough_line(from?, to?, &sizes?, spec.scatter, seed);
            noted(grains, place, problems)?.iter().map(part).collect()
        }
        _ => {
            let (from, to) = (point::<3>(&spec.from, &begin, problems), point::<3>(&spec.to, &end, problems));
            let (from, to) = (from?, to?);
            if (from[2] - to[2]).abs() > 1e-9 * (from - to).norm() {
                problems.of(&end, "must be as high as from: rough floors are level");
                return None;
            }
            let (low, high) = (from.inf(&to), from.sup(&to));
            let grains =
                rough_floor([low[0], low[1]], [high[0], high[1]], from[2], &sizes?, spec.scatter, seed);
            noted(grains, place, problems)?.iter().map(part).collect()
        }
    };
    let mut body = maker.body(0, ShapeSpec::Cluster { shapes: parts });
    body.name.clone_from(&maker.sample.name);
    body.fixed = true;
    body.velocity = None;
    Some(vec![body])
}

fn part<const D: usize>(grain: &Grain<D>) -> PartSpec {
    PartSpec {
        shape: ShapeSpec::ball::<D>(grain.radius).into(),
        position: Some(grain.position.as_slice().to_vec()),
        ..PartSpec::default()
    }
}
