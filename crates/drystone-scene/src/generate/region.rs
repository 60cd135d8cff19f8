//! Regions of samples, as the scene has them: boxes, round ones, what lies between walls or in a mesh.

use super::files::surface;
use super::inside::MeshRegion;
use super::{Maker, noted, point};
use crate::place::{Place, Problems};
use crate::spec::{RegionSpec, WallPlane};
use crate::validate::numbers::{Range, number};
use drystone_math::Vector;
use drystone_samples::{BetweenWalls, Container, Cuboid, Inside, RoundContainer, Tube};

fn corners<const D: usize>(
    low: &[f64],
    high: &[f64],
    place: &Place,
    problems: &mut Problems,
) -> Option<Cuboid<D>> {
    let (low, high) =
        (point::<D>(low, &place.key("low"), problems), point::<D>(high, &place.key("high"), problems));
    let bounds = Cuboid { low: low?, high: high? };
    if (0..D).any(|axis| bounds.high[axis] <= bounds.low[axis]) {
        problems.of(&place.key("high"), "must be greater than low in every number");
        return None;
    }
    Some(bounds)
}

/// Points and normals of walls.
fn walls<const D: usize>(
    walls: &[WallPlane],
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<(Vector<D>, Vector<D>)>> {
    let one = |(index, wall): (usize, &WallPlane)| {
        let place = place.item(index);
        let at = point::<D>(&wall.point, &place.key("point"), problems);
        let normal = point::<D>(&wall.normal, &place.key("normal"), problems)?;
        if normal.norm() < 1e-30 {
            problems.of(&place.key("normal"), "has no direction; give a vector that is not zero");
            return None;
        }
        Some((at?, normal))
    };
    walls.iter().enumerate().map(one).collect()
}

/// The box of a region and the walls in it.
pub(super) fn between<const D: usize>(
    [low, high]: [&[f64]; 2],
    planes: &[WallPlane],
    [place, list]: [&Place; 2],
    problems: &mut Problems,
) -> Option<(Cuboid<D>, Vec<(Vector<D>, Vector<D>)>)> {
    let bounds = corners::<D>(low, high, place, problems);
    let planes = walls::<D>(planes, list, problems);
    Some((bounds?, planes?))
}

/// The region of a sample of grains.
pub(super) fn region<const D: usize>(
    maker: &Maker,
    spec: &RegionSpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<Box<dyn Container<D>>> {
    let kind = match spec {
        RegionSpec::Box { .. } => "box",
        RegionSpec::Disk { .. } => "disk",
        RegionSpec::Sphere { .. } => "sphere",
        RegionSpec::Cylinder { .. } => "cylinder",
        RegionSpec::Drum { .. } => "drum",
        RegionSpec::Walls { .. } => "walls",
        RegionSpec::Mesh { .. } => "mesh",
    };
    let place = place.key(kind);
    let needs = match kind {
        "disk" => 2,
        "sphere" | "cylinder" | "drum" | "mesh" => 3,
        _ => D,
    };
    if needs != D {
        problems.of(&place, format!("is a region for {needs}D; this scene is {D}D"));
        return None;
    }
    match spec {
        RegionSpec::Box { low, high } => Some(Box::new(corners::<D>(low, high, &place, problems)?)),
        RegionSpec::Disk { centre, radius } | RegionSpec::Sphere { centre, radius } => {
            let centre = point::<D>(centre, &place.key("centre"), problems);
            let fine = number(problems, &place.key("radius"), *radius, Range::Positive);
            Some(Box::new(RoundContainer { centre: centre.filter(|_| fine)?, radius: *radius }))
        }
        RegionSpec::Cylinder { centre, radius, height } => {
            tube::<D>(centre, *radius, (*height, "height"), 2, &place, problems)
        }
        RegionSpec::Drum { centre, radius, length } => {
            tube::<D>(centre, *radius, (*length, "length"), 1, &place, problems)
        }
        RegionSpec::Walls { low, high, walls } => {
            let list = place.key("walls");
            let (bounds, planes) = between::<D>([low, high], walls, [&place, &list], problems)?;
            let made = BetweenWalls::new(bounds, &planes);
            Some(Box::new(noted(made, &place, problems)?))
        }
        RegionSpec::Mesh { file, unit } => {
            let surface = surface(maker, file, *unit, &place.key("file"), problems)?;
            let found = surface.inspect();
            if !found.closed {
                problems.of(&place.key("file"), "is not closed: grains would fall out of it");
                return None;
            }
            let volume = surface.mass_properties().volume.abs();
            let mesh = MeshRegion::new(&surface);
            let [low, high] = mesh.bounds();
            let bounds = Cuboid { low: widened(&low), high: widened(&high) };
            let depth = move |p: &Vector<D>| mesh.depth(&Vector::<3>::from_fn(|axis, _| p[axis]));
            Some(Box::new(Inside::new(bounds, depth).with_volume(volume)))
        }
    }
}

/// A vector of space in a scene of space.
fn widened<const D: usize>(point: &Vector<3>) -> Vector<D> {
    Vector::from_fn(|axis, _| point[axis])
}

/// A cylinder as a region of space, whatever the dimension is called here.
fn tube<const D: usize>(
    centre: &[f64],
    radius: f64,
    (length, key): (f64, &'static str),
    axis: usize,
    place: &Place,
    problems: &mut Problems,
) -> Option<Box<dyn Container<D>>> {
    let centre = point::<3>(centre, &place.key("centre"), problems);
    let fine = number(problems, &place.key("radius"), radius, Range::Positive)
        & number(problems, &place.key(key), length, Range::Positive);
    let tube = Tube { centre: centre.filter(|_| fine)?, axis, radius, length };
    struct Spatial(Tube);
    impl<const D: usize> Container<D> for Spatial {
        fn bounds(&self) -> [Vector<D>; 2] {
            self.0.bounds().map(|corner| widened(&corner))
        }
        fn walls(&self, point: &Vector<D>, wall: &mut dyn FnMut(f64, Vector<D>)) {
            let point = Vector::<3>::from_fn(|axis, _| point[axis]);
            self.0.walls(&point, &mut |depth, normal| wall(depth, widened(&normal)));
        }
        fn volume(&self) -> f64 {
            self.0.volume()
        }
    }
    Some(Box::new(Spatial(tube)))
}
