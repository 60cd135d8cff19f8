//! Rock of a sample: a box less its slopes, cut by joints or around points.

use super::region::between;
use super::{Maker, noted, refuse};
use crate::place::{Place, Problems};
use crate::spec::{BodySpec, JointSetSpec, RockSpec};
use crate::validate::numbers::{Range, number};
use drystone_samples::{ConvexCell, CutPlane, JointSet, cut_rock, voronoi_cells};

/// Most cells around points: each is cut from the whole region.
const MOST_CELLS: u32 = 2_000_000;

/// The blocks of a sample of rock.
pub(super) fn bodies<const D: usize>(
    maker: &Maker,
    spec: &RockSpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<BodySpec>> {
    let list = place.key("slopes");
    let (bounds, slopes) = between::<D>([&spec.low, &spec.high], &spec.slopes, [place, &list], problems)?;
    let mut region = ConvexCell::cuboid(&bounds.low, &bounds.high);
    for (index, (point, inward)) in slopes.iter().enumerate() {
        let outward = -inward.normalize();
        match region.cut(&CutPlane { normal: outward, offset: outward.dot(point) })[0].take() {
            Some(rest) => region = rest,
            None => {
                problems
                    .of(&list.item(index), "takes away all of the rock; its normal points to what is kept");
                return None;
            }
        }
    }
    if !number(problems, &place.key("thinnest"), spec.thinnest, Range::NotNegative) {
        return None;
    }
    let seed = maker.sample.seed;
    let blocks = match (spec.cells, spec.joints.is_empty()) {
        (Some(0), true) => {
            problems.of(&place.key("cells"), "must be at least 1");
            return None;
        }
        (Some(cells), true) if cells > MOST_CELLS => {
            problems.of(&place.key("cells"), format!("must be at most {MOST_CELLS}"));
            return None;
        }
        (Some(cells), true) => {
            noted(voronoi_cells(&region, cells as usize, spec.rounds as usize, seed), place, problems)?
        }
        (None, false) => {
            let mut blocks = vec![region];
            for (index, joints) in spec.joints.iter().enumerate() {
                let cut =
                    cut_rock(blocks, &[joint_set(joints)], spec.thinnest, seed.wrapping_add(index as u64));
                match cut {
                    Ok(cut) => blocks = cut,
                    Err(error) => {
                        refuse(problems, &place.key("joints").item(index), &error);
                        return None;
                    }
                }
            }
            blocks
        }
        _ => {
            problems.of(place, "needs joints or cells, one of the two");
            return None;
        }
    };
    Some(maker.blocks(blocks.iter()))
}

fn joint_set(spec: &JointSetSpec) -> JointSet {
    JointSet {
        spacing_scatter: spec.spacing_scatter,
        orientation_scatter: spec.orientation_scatter.to_radians(),
        first: spec.first.unwrap_or(0.5 * spec.spacing),
        persistence: spec.persistence.unwrap_or(1.0),
        ..JointSet::new(spec.dip.to_radians(), spec.dip_direction.to_radians(), spec.spacing)
    }
}
