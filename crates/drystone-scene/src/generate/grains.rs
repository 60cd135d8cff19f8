//! Grains of a sample: region, sizes, packing and shape, each as the scene has them.

use super::inside::MeshRegion;
use super::{Maker, noted, point, refuse};
use crate::place::{Place, Problems};
use crate::spec::{
    BodySpec, CountBySpec, FormSpec, GrainsSpec, LatticeKind, LengthUnit, MeshSpec, PackingSpec, PartSpec,
    RegionSpec, RoughSpec, ShapeSpec, SizesSpec, Treat, WallPlane,
};
use crate::validate::numbers::{Range, number};
use drystone_math::Vector;
use drystone_mesh::Surface;
use drystone_samples::{
    BetweenWalls, Container, CountBy, Cuboid, Grain, GrainForm, GrainShape, GrainSizes, GrowthParams, Inside,
    Lattice, PolyhedronForm, RoundContainer, SampleError, ShapedGrain, SieveCurve, Tube, deposit,
    fill_by_deposit, grow, lattice, random_sequential, rough_floor, rough_line,
};

/// Most grains that "as many as fit" may mean.
const MOST: usize = 20_000_000;

/// The bodies of a sample of grains.
pub(super) fn bodies<const D: usize>(
    maker: &Maker,
    spec: &GrainsSpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<BodySpec>> {
    let region = region::<D>(maker, &spec.region, &place.key("region"), problems);
    let sizes = sizes(maker, &spec.sizes, &place.key("sizes"), problems);
    let meshes = match &spec.form {
        Some(FormSpec::Meshes { files, treat }) => meshes(maker, files, *treat, &place.key("form"), problems),
        _ => Some(Vec::new()),
    };
    let (region, sizes, meshes) = (region?, sizes?, meshes?);
    if spec.count.is_some() && spec.solid_fraction.is_some() {
        problems.of_key(&place.key("solid_fraction"), "contradicts count; give one of the two");
        return None;
    }
    if let Some(fraction) = spec.solid_fraction
        && !number(problems, &place.key("solid_fraction"), fraction, Range::Within(1e-9, 1.0))
    {
        return None;
    }
    let form = form(spec.form.as_ref(), meshes.len());
    noted(form.check(D), &place.key("form"), problems)?;
    let grains = packed(maker, spec, &sizes, region.as_ref(), &place.key("packing"), problems)?;
    if grains.is_empty() {
        problems.of(place, ": not one grain fits; take a larger region or smaller grains");
        return None;
    }
    let shaped = form.replace(&grains, maker.sample.seed ^ 0xf0f0);
    Some(shaped.iter().enumerate().map(|(index, one)| body(maker, index, one, &meshes)).collect())
}

/// Grains at their places.
fn packed<const D: usize>(
    maker: &Maker,
    spec: &GrainsSpec,
    sizes: &GrainSizes,
    region: &dyn Container<D>,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<Grain<D>>> {
    let seed = maker.sample.seed;
    let count = spec.count.map(|count| usize::try_from(count).unwrap_or(usize::MAX).min(MOST));
    let largest = sizes.largest();
    // a slip in a unit is found before the memory is full
    let most = region.volume() / drystone_samples::ball_volume::<D>(sizes.smallest());
    if count.is_none() && (most.is_nan() || most > MOST as f64) {
        problems.of(place, format!(": more than {MOST} grains could fit; give count or larger grains"));
        return None;
    }
    let radii = match (count, spec.solid_fraction) {
        (Some(count), _) => Some(sizes.radii::<D>(count, seed)),
        (_, Some(fraction)) => Some(sizes.radii_of_volume::<D>(fraction * region.volume(), seed)),
        _ => None,
    };
    let grains = match (&spec.packing, radii) {
        (PackingSpec::Lattice { kind, spacing }, radii) => {
            let spacing = spacing.unwrap_or(2.0 * largest);
            lattice(kind_of(*kind), spacing, largest, region)
                .and_then(|places| on_lattice(places, radii, sizes, seed, spacing))
        }
        (PackingSpec::Random { gap, tries }, Some(radii)) => {
            let tries = tries.map_or(10_000, |tries| tries as usize);
            random_sequential(&radii, gap.max(0.0), region, tries, seed)
        }
        (PackingSpec::Deposit { tries }, Some(radii)) => {
            deposit(&radii, region, tries.map_or(1, |tries| tries as usize), seed)
        }
        (PackingSpec::Deposit { tries }, None) => {
            fill_by_deposit(sizes, region, MOST, tries.map_or(1, |tries| tries as usize), seed)
        }
        (PackingSpec::Growth { rounds, clearance }, Some(radii)) => {
            let usual = GrowthParams::default();
            let params = GrowthParams {
                rounds: rounds.map_or(usual.rounds, |rounds| rounds as usize),
                clearance: clearance.unwrap_or(usual.clearance).clamp(1e-9, 0.5),
            };
            grow(&radii, region, &params, seed)
        }
        (PackingSpec::Random { .. } | PackingSpec::Growth { .. }, None) => {
            problems.of(place, "does not know how many grains there are; give count or solid_fraction");
            return None;
        }
    };
    noted(grains, place, problems)
}

fn on_lattice<const D: usize>(
    places: Vec<Vector<D>>,
    radii: Option<Vec<f64>>,
    sizes: &GrainSizes,
    seed: u64,
    spacing: f64,
) -> Result<Vec<Grain<D>>, SampleError> {
    if spacing < 2.0 * sizes.largest() * (1.0 - 1e-12) {
        let allowed = "it must be at least twice the largest radius";
        return Err(SampleError::Number { name: "spacing", found: spacing, allowed });
    }
    let radii = radii.unwrap_or_else(|| sizes.radii::<D>(places.len(), seed));
    if radii.len() > places.len() {
        return Err(SampleError::TooDense {
            placed: places.len(),
            wanted: radii.len(),
            fraction: 0.0,
            advice: "take fewer grains or a larger region",
        });
    }
    Ok(places.into_iter().zip(radii).map(|(position, radius)| Grain { radius, position }).collect())
}

fn kind_of(kind: LatticeKind) -> Lattice {
    match kind {
        LatticeKind::Square => Lattice::Square,
        LatticeKind::Hexagonal => Lattice::Hexagonal,
        LatticeKind::Cubic => Lattice::Cubic,
        LatticeKind::FaceCentred => Lattice::FaceCentred,
    }
}

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
pub(super) fn walls<const D: usize>(
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

fn region<const D: usize>(
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

fn sizes(maker: &Maker, spec: &SizesSpec, place: &Place, problems: &mut Problems) -> Option<GrainSizes> {
    let by = |by: CountBySpec| match by {
        CountBySpec::Number => CountBy::Number,
        CountBySpec::Volume => CountBy::Volume,
    };
    let (kind, sizes) = match *spec {
        SizesSpec::Mono { radius } => ("mono", GrainSizes::Mono { radius }),
        SizesSpec::Uniform { smallest, largest, by: even } => {
            ("uniform", GrainSizes::Uniform { smallest, largest, by: by(even) })
        }
        SizesSpec::Two { small, large, share_of_large, by: share } => {
            ("two", GrainSizes::Two { small, large, share_of_large, by: by(share) })
        }
        SizesSpec::Beta { smallest, largest, a, b } => ("beta", GrainSizes::Beta { smallest, largest, a, b }),
        SizesSpec::LogNormal { median, deviation, smallest, largest } => {
            ("log_normal", GrainSizes::LogNormal { median, deviation, smallest, largest })
        }
        SizesSpec::Sieve { ref file, unit, ref points } => {
            let place = place.key("sieve");
            let curve = match (file, points) {
                (Some(file), None) => {
                    let text = maker.text(file, &place.key("file"), problems)?;
                    SieveCurve::parse(&text, unit.map_or(1e-3, LengthUnit::metres))
                }
                (None, Some(points)) => {
                    let pairs: Option<Vec<[f64; 2]>> =
                        points.iter().map(|pair| pair.as_slice().try_into().ok()).collect();
                    match pairs {
                        Some(pairs) => SieveCurve::new(&pairs),
                        None => Err(SampleError::Table("points must be pairs of two numbers".to_owned())),
                    }
                }
                _ => Err(SampleError::Table("needs a file or points, one of the two".to_owned())),
            };
            return noted(curve, &place, problems).map(GrainSizes::Sieve);
        }
    };
    noted(sizes.check(), &place.key(kind), problems)?;
    Some(sizes)
}

fn form(spec: Option<&FormSpec>, meshes: usize) -> GrainForm {
    let whole = |number: u32| number as usize;
    match spec {
        None | Some(FormSpec::Ball {}) => GrainForm::Ball,
        Some(&FormSpec::RegularPolygon { sides }) => GrainForm::RegularPolygon { sides: whole(sides) },
        Some(&FormSpec::RandomPolygon { fewest, most, irregularity }) => GrainForm::RandomPolygon {
            fewest: whole(fewest),
            most: whole(most),
            irregularity: irregularity.unwrap_or(0.5),
        },
        Some(&FormSpec::Star { points, inner }) => {
            GrainForm::Star { points: whole(points), inner: inner.unwrap_or(0.4) }
        }
        Some(&FormSpec::Flake { arms, width }) => {
            GrainForm::Flake { arms: whole(arms), width: width.unwrap_or(0.25) }
        }
        Some(&FormSpec::Polyhedron { faces, angularity, elongation }) => {
            GrainForm::Polyhedron(PolyhedronForm {
                faces: whole(faces),
                angularity: angularity.unwrap_or(0.3),
                elongation: elongation.unwrap_or(1.0),
            })
        }
        Some(&FormSpec::Clump { balls, size }) => {
            GrainForm::Clump { balls: whole(balls), size: size.unwrap_or(0.5) }
        }
        Some(FormSpec::Meshes { .. }) => GrainForm::Listed { count: meshes },
    }
}

/// A mesh read from a file.
pub(super) fn surface(
    maker: &Maker,
    file: &str,
    unit: LengthUnit,
    place: &Place,
    problems: &mut Problems,
) -> Option<Surface> {
    let read = || -> Result<Surface, String> {
        let format = drystone_mesh::Format::of_name(file).ok_or_else(|| {
            format!("{file:?} is no mesh that is known; allowed endings: {}", drystone_mesh::Format::ENDINGS)
        })?;
        let say = |error: drystone_mesh::MeshError| format!("{file:?}: {error}");
        let polygons = drystone_mesh::read(format, &(maker.library.read)(file)?).map_err(say)?;
        Ok(Surface::new(&polygons.vertices, &polygons.faces).map_err(say)?.scaled(unit.metres()))
    };
    read().map_err(|text| problems.at(place, text)).ok()
}

/// Meshes about their centres, the farthest vertex at distance 1.
fn meshes(
    maker: &Maker,
    files: &[String],
    treat: Treat,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<MeshSpec>> {
    let place = place.key("meshes");
    let list = place.key("files");
    let one = |(index, file): (usize, &String)| {
        let surface = surface(maker, file, LengthUnit::Metre, &list.item(index), problems)?;
        let centre = surface.mass_properties().centroid;
        let centre = if centre.iter().all(|x| x.is_finite()) { centre } else { Vector::zeros() };
        let reach = surface.vertices.iter().map(|vertex| (vertex - centre).norm()).fold(1e-300, f64::max);
        let vertex = |v: &Vector<3>| ((v - centre) / reach).as_slice().to_vec();
        Some(MeshSpec {
            file: None,
            unit: None,
            treat,
            tolerance: None,
            most_pieces: None,
            vertices: Some(surface.vertices.iter().map(vertex).collect()),
            faces: Some(surface.triangles.iter().map(|corners| corners.to_vec()).collect()),
        })
    };
    files.iter().enumerate().map(one).collect()
}

fn body<const D: usize>(maker: &Maker, index: usize, one: &ShapedGrain<D>, meshes: &[MeshSpec]) -> BodySpec {
    let rows = |corners: &[Vector<D>]| corners.iter().map(|corner| corner.as_slice().to_vec()).collect();
    let shape = match &one.shape {
        GrainShape::Ball(radius) => ball::<D>(*radius),
        GrainShape::Convex(corners) if D == 2 => {
            ShapeSpec::Polygon { vertices: rows(corners), treat: Treat::Convex }
        }
        GrainShape::Convex(corners) => ShapeSpec::Polyhedron { vertices: rows(corners), faces: None },
        GrainShape::Outline(corners) => {
            ShapeSpec::Polygon { vertices: rows(corners), treat: Treat::Decompose }
        }
        GrainShape::Parts(parts) => {
            let part = |part: &drystone_samples::ShapePart<D>| PartSpec {
                shape: match part.radius {
                    Some(radius) => ball::<D>(radius).into(),
                    None => ShapeSpec::Box { size: part.size.as_slice().to_vec() }.into(),
                },
                position: Some(part.position.as_slice().to_vec()),
                angle: (D == 2).then_some(part.angle),
                ..PartSpec::default()
            };
            ShapeSpec::Cluster { shapes: parts.iter().map(part).collect() }
        }
        GrainShape::Listed(index, radius) => ShapeSpec::Mesh(scaled(&meshes[*index], *radius)),
    };
    let mut body = maker.body(index, shape);
    body.position = Some(maker.at(one.grain.position.as_slice()));
    match (&one.shape, D) {
        (GrainShape::Ball(_), _) => {}
        (_, 2) => body.angle = Some(one.angle),
        _ => {
            let q = one.orientation.quaternion();
            body.orientation_wxyz = Some(vec![q.w, q.i, q.j, q.k]);
        }
    }
    body
}

fn scaled(mesh: &MeshSpec, radius: f64) -> MeshSpec {
    let mut scaled = mesh.clone();
    scaled.vertices.iter_mut().flatten().flatten().for_each(|x| *x *= radius);
    scaled
}

pub(super) fn ball<const D: usize>(radius: f64) -> ShapeSpec {
    if D == 2 { ShapeSpec::Disk { radius } } else { ShapeSpec::Sphere { radius } }
}

/// The one body of a rough wall.
pub(super) fn rough(
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
            match grains {
                Ok(grains) => grains.iter().map(part).collect(),
                Err(error) => {
                    refuse(problems, place, &error);
                    return None;
                }
            }
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
        shape: ball::<D>(grain.radius).into(),
        position: Some(grain.position.as_slice().to_vec()),
        ..PartSpec::default()
    }
}
