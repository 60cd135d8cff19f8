//! Masonry of a sample: the numbers of the scene handed to the stones' own makers.

use super::{Maker, noted};
use crate::place::{Place, Problems};
use crate::spec::{BedsSpec, BodySpec, BondSpec, MasonrySpec, OpeningSpec, ShapeSpec};
use drystone_samples::{
    Arch, Arena, BarrelVault, BatteredWall, Beds, Bond, Capital, Column, CrossVault, Dome, Stone,
    TwoLeafWall, Wall, WallOpening, extruded,
};

/// Bodies of masonry in the plane.
pub(super) fn plane(
    maker: &Maker,
    spec: &MasonrySpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<BodySpec>> {
    let place = place.key(kind(spec));
    let stones = match spec {
        MasonrySpec::Wall { .. } => noted(wall(spec, 1.0)?.face(), &place, problems)?,
        MasonrySpec::TwoLeaves { .. } => noted(leaves(spec, [1.0, 1.0])?.section(), &place, problems)?,
        MasonrySpec::Arch { .. } => noted(arch(spec, &place, problems)?.stones(), &place, problems)?,
        MasonrySpec::Battered { .. } => noted(battered(spec)?.stones(), &place, problems)?,
        _ => {
            problems.of(&place, "is masonry for 3D; in 2D there are wall, two_leaves, arch and battered");
            return None;
        }
    };
    Some(maker.blocks(stones.iter().map(|stone| &stone.cell)))
}

/// Bodies of masonry in space.
pub(super) fn space(
    maker: &Maker,
    spec: &MasonrySpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<BodySpec>> {
    let place = place.key(kind(spec));
    let mut needed = |key: &str, given: Option<f64>| {
        if given.is_none() {
            problems.of(&place, format!("needs {key} in 3D"));
        }
        given
    };
    let whole = |number: u32| number as usize;
    let half = |rise: Option<f64>, span: f64| rise.unwrap_or(0.5 * span);
    let stones: Result<Vec<Stone<3>>, _> = match spec {
        MasonrySpec::Wall { thickness, .. } => wall(spec, needed("thickness", *thickness)?)?.stones(),
        MasonrySpec::TwoLeaves { length, stone_length, .. } => {
            let (length, stone) = (needed("length", *length), needed("stone_length", *stone_length));
            leaves(spec, [length?, stone?])?.stones()
        }
        MasonrySpec::Arch { depth, .. } => {
            let depth = needed("depth", *depth)?;
            arch(spec, &place, problems)?.stones().map(|stones| deep(&stones, depth))
        }
        MasonrySpec::Battered { depth, .. } => {
            let depth = needed("depth", *depth)?;
            battered(spec)?.stones().map(|stones| deep(&stones, depth))
        }
        &MasonrySpec::BarrelVault { span, rise, thickness, voussoirs, length, stones } => {
            let arch = Arch { span, rise: half(rise, span), thickness, voussoirs: whole(voussoirs) };
            BarrelVault { arch, length, stones: whole(stones) }.stones()
        }
        &MasonrySpec::CrossVault { span, rise, thickness, voussoirs, margin, stone_length } => {
            let arch = Arch { span, rise: half(rise, span), thickness, voussoirs: whole(voussoirs) };
            CrossVault { arch, margin: margin.unwrap_or(thickness), stone_length }.stones()
        }
        &MasonrySpec::Dome { radius, thickness, rings, stones, oculus, beds } => Dome {
            radius,
            thickness,
            rings: whole(rings),
            stones: whole(stones),
            oculus: oculus.to_radians(),
            beds: match beds {
                BedsSpec::Radial => Beds::Radial,
                BedsSpec::Level => Beds::Level,
            },
        }
        .stones(),
        MasonrySpec::Column { .. } => return column(maker, spec, &place, problems),
        MasonrySpec::Arena { half_axes, bays, levels, voussoirs, pier_courses, .. } => {
            let &[a, b] = half_axes.as_slice() else {
                problems
                    .of(&place.key("half_axes"), format!("must have 2 numbers, found {}", half_axes.len()));
                return None;
            };
            let &MasonrySpec::Arena { span, thickness, pier_height, crown, depth, .. } = spec else {
                return None;
            };
            Arena {
                half_axes: [a, b],
                bays: whole(*bays),
                levels: whole(*levels),
                span,
                thickness,
                voussoirs: whole(*voussoirs),
                pier_height,
                pier_courses: whole(*pier_courses),
                crown,
                depth,
            }
            .stones()
        }
    };
    let stones = noted(stones, &place, problems)?;
    Some(maker.blocks(stones.iter().map(|stone| &stone.cell)))
}

fn deep(stones: &[Stone<2>], depth: f64) -> Vec<Stone<3>> {
    stones.iter().map(|stone| extruded(stone, 0.0, depth)).collect()
}

fn kind(spec: &MasonrySpec) -> &'static str {
    match spec {
        MasonrySpec::Wall { .. } => "wall",
        MasonrySpec::TwoLeaves { .. } => "two_leaves",
        MasonrySpec::Arch { .. } => "arch",
        MasonrySpec::BarrelVault { .. } => "barrel_vault",
        MasonrySpec::CrossVault { .. } => "cross_vault",
        MasonrySpec::Dome { .. } => "dome",
        MasonrySpec::Column { .. } => "column",
        MasonrySpec::Battered { .. } => "battered",
        MasonrySpec::Arena { .. } => "arena",
    }
}

fn wall(spec: &MasonrySpec, thickness: f64) -> Option<Wall> {
    let MasonrySpec::Wall { length, courses, stone_length, course_height, bond, openings, .. } = spec else {
        return None;
    };
    let opening = |one: &OpeningSpec| WallOpening {
        left: one.left,
        bottom: one.bottom,
        width: one.width,
        height: one.height,
        bearing: one.bearing,
    };
    Some(Wall {
        length: *length,
        courses: *courses as usize,
        thickness,
        stone_length: *stone_length,
        course_height: *course_height,
        bond: match bond {
            BondSpec::Stack => Bond::Stack,
            BondSpec::Running => Bond::Running,
            BondSpec::Flemish => Bond::Flemish,
            BondSpec::English => Bond::English,
        },
        openings: openings.iter().map(opening).collect(),
    })
}

fn leaves(spec: &MasonrySpec, [length, stone_length]: [f64; 2]) -> Option<TwoLeafWall> {
    let &MasonrySpec::TwoLeaves { courses, thickness, course_height, bond_courses, bond_stones, .. } = spec
    else {
        return None;
    };
    Some(TwoLeafWall {
        length,
        courses: courses as usize,
        thickness,
        stone_length,
        course_height,
        bond_courses: bond_courses as usize,
        bond_stones: bond_stones.unwrap_or(1) as usize,
    })
}

fn arch(spec: &MasonrySpec, place: &Place, problems: &mut Problems) -> Option<Arch> {
    let &MasonrySpec::Arch { span, rise, thickness, thickness_ratio, voussoirs, .. } = spec else {
        return None;
    };
    let mut arch =
        Arch { span, rise: rise.unwrap_or(0.5 * span), thickness: 0.0, voussoirs: voussoirs as usize };
    arch.thickness = match (thickness, thickness_ratio) {
        (Some(thickness), None) => thickness,
        // t = ratio (r + t/2), where r is the radius of the intrados
        (None, Some(ratio)) if ratio > 0.0 && ratio < 2.0 => ratio * arch.mean_radius() / (1.0 - 0.5 * ratio),
        (None, Some(_)) => {
            problems.of(&place.key("thickness_ratio"), "must be greater than 0 and less than 2");
            return None;
        }
        _ => {
            problems.of(place, "needs thickness or thickness_ratio, one of the two");
            return None;
        }
    };
    Some(arch)
}

fn battered(spec: &MasonrySpec) -> Option<BatteredWall> {
    let &MasonrySpec::Battered { height, base, top, courses, stones, bond_courses, .. } = spec else {
        return None;
    };
    Some(BatteredWall {
        height,
        base,
        top,
        courses: courses as usize,
        stones: stones.unwrap_or(2) as usize,
        bond_courses: bond_courses as usize,
    })
}

/// Round drums are cylinders, others prisms.
fn column(
    maker: &Maker,
    spec: &MasonrySpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<BodySpec>> {
    let &MasonrySpec::Column { radius, top_radius, height, drums, sides, capital } = spec else {
        return None;
    };
    let round = sides == 0;
    if round && top_radius.is_some_and(|top| top != radius) {
        problems.of(&place.key("top_radius"), "must be that at the foot for round drums; give sides");
        return None;
    }
    let column = Column {
        radius,
        top_radius: top_radius.unwrap_or(radius),
        height,
        drums: drums as usize,
        // the capital of a round column is a prism of many sides
        sides: if round { 32 } else { sides as usize },
        capital: capital.map(|capital| Capital { height: capital.height, width: capital.width }),
    };
    noted(column.check(), place, problems)?;
    if !round {
        let stones = noted(column.stones(), place, problems)?;
        return Some(maker.blocks(stones.iter().map(|stone| &stone.cell)));
    }
    let drum = |k: usize| {
        let [[low, _], [high, _]] = [column.bed(k), column.bed(k + 1)];
        let mut body = maker.body(k, ShapeSpec::Cylinder { radius, height: high - low });
        body.position = Some(maker.at(&[0.0, 0.0, 0.5 * (low + high)]));
        body
    };
    let mut bodies: Vec<BodySpec> = (0..column.drums).map(drum).collect();
    for stone in column.capital_stones() {
        bodies.push(maker.body(bodies.len(), super::block(&stone.cell)));
    }
    Some(bodies)
}
