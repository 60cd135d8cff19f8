//! Bodies from files: the lines of a table, the meshes of a folder, the blocks of an assembly.

use super::Maker;
use crate::place::{Place, Problems, did_you_mean};
use crate::spec::{
    AssemblySpec, BodySpec, LengthUnit, MeshSpec, MeshesSpec, ShapeRef, ShapeSpec, TableSpec, Treat,
};
use drystone_mesh::{AssemblyBlock, Format, MeshError, Surface, read_assembly};

const COLUMNS: [&str; 10] = ["x", "y", "z", "radius", "angle", "vx", "vy", "vz", "name", "group"];

/// A body for every line of a table.
pub(super) fn bodies(
    maker: &Maker,
    spec: &TableSpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<BodySpec>> {
    let at = place.key("file");
    let text = maker.text(&spec.file, &at, problems)?;
    let made = lines(maker, spec, &text);
    made.map_err(|error| problems.at(&at, format!("{:?}, {error}", spec.file))).ok()
}

/// The bodies, or a sentence with the line it speaks of.
fn lines(maker: &Maker, spec: &TableSpec, text: &str) -> Result<Vec<BodySpec>, String> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (first, heading) = lines.next().ok_or("it has no heading")?;
    let split = |line: &str| -> Vec<String> {
        let separator = if heading.contains(';') { ';' } else { ',' };
        line.split(separator).map(|field| field.trim().trim_matches('"').to_owned()).collect()
    };
    let names = split(heading);
    for name in &names {
        if !COLUMNS.contains(&name.as_str()) {
            let hint = did_you_mean(name, COLUMNS);
            let known = COLUMNS.join(", ");
            return Err(format!("line {first}: unknown column {name:?}; allowed: {known}.{hint}"));
        }
    }
    let dimension = maker.dimension;
    let column = |name: &str| names.iter().position(|column| column == name);
    let axes = &["x", "y", "z"][..dimension];
    if let Some(missing) = axes.iter().find(|axis| column(axis).is_none()) {
        return Err(format!("line {first}: there is no column {missing:?}"));
    }
    if spec.shape.is_none() && column("radius").is_none() {
        return Err(format!("line {first}: there is no column \"radius\", and no shape is given"));
    }
    if let Some(wrong) = ["z", "vz"].iter().find(|name| dimension == 2 && column(name).is_some()) {
        return Err(format!("line {first}: the column {wrong:?} is for 3D"));
    }
    if dimension == 3 && column("angle").is_some() {
        return Err(format!("line {first}: the column \"angle\" is for 2D"));
    }
    let unit = spec.unit.map_or(1.0, LengthUnit::metres);
    let mut bodies = Vec::new();
    for (number, line) in lines {
        let fields = split(line);
        if fields.len() != names.len() {
            let (found, wanted) = (fields.len(), names.len());
            return Err(format!("line {number}: {wanted} columns expected, found {found}"));
        }
        let value = |name: &str| -> Result<Option<f64>, String> {
            let Some(index) = column(name) else { return Ok(None) };
            let found = &fields[index];
            let number_of = found.parse::<f64>().ok().filter(|x| x.is_finite());
            let wrong = || format!("line {number}: column {name:?} must be a number, found {found:?}");
            number_of.map(Some).ok_or_else(wrong)
        };
        let radius = value("radius")?;
        let shape: ShapeRef = match (&spec.shape, radius) {
            (Some(shape), _) => shape.clone(),
            (None, radius) => {
                let radius = radius.unwrap_or(0.0) * unit;
                if dimension == 2 {
                    ShapeSpec::ball::<2>(radius).into()
                } else {
                    ShapeSpec::ball::<3>(radius).into()
                }
            }
        };
        let mut body = maker.body(bodies.len(), shape);
        let mut position = Vec::with_capacity(dimension);
        for axis in axes {
            position.push(value(axis)?.unwrap_or(0.0) * unit);
        }
        body.position = Some(maker.at(&position));
        if dimension == 2 {
            body.angle = value("angle")?;
        }
        let speeds = &["vx", "vy", "vz"][..dimension];
        if speeds.iter().any(|name| column(name).is_some()) {
            let mut velocity = Vec::with_capacity(dimension);
            for name in speeds {
                velocity.push(value(name)?.unwrap_or(0.0) * unit);
            }
            body.velocity = Some(velocity);
        }
        for (name, text) in [("name", &mut body.name), ("group", &mut body.group)] {
            if let Some(given) = column(name).map(|index| &fields[index]).filter(|given| !given.is_empty()) {
                text.clone_from(given);
            }
        }
        bodies.push(body);
    }
    if bodies.is_empty() { Err("it has a heading and no line below".to_owned()) } else { Ok(bodies) }
}

/// A body for every mesh of a folder.
pub(super) fn meshes(
    maker: &Maker,
    spec: &MeshesSpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<BodySpec>> {
    let at = place.key("folder");
    if maker.dimension != 3 {
        problems.of(place, "are for 3D");
        return None;
    }
    let names = (maker.library.list)(&spec.folder).map_err(|text| problems.at(&at, text)).ok()?;
    let files: Vec<String> = names
        .into_iter()
        .filter(|name| Format::of_name(name).is_some())
        .map(|name| format!("{}/{name}", spec.folder.trim_end_matches('/')))
        .collect();
    if files.is_empty() {
        problems.of(&at, format!("has no mesh in it; known endings: {}", Format::ENDINGS));
        return None;
    }
    let mut bodies = Vec::with_capacity(files.len());
    for file in files {
        let surface = surface(maker, &file, spec.unit, &at, problems)?;
        let mut body = maker.body(bodies.len(), shape(&surface, spec.treat));
        // a body is called after its file
        let stem = file.rsplit('/').next().unwrap_or(&file);
        body.name = format!("{} {stem}", maker.sample.name);
        bodies.push(body);
    }
    Some(bodies)
}

/// A body for every block of an assembly; its supports are held.
pub(super) fn assembly(
    maker: &Maker,
    spec: &AssemblySpec,
    place: &Place,
    problems: &mut Problems,
) -> Option<Vec<BodySpec>> {
    if maker.dimension != 3 {
        problems.of(place, "is for 3D");
        return None;
    }
    let (file, scale) = (&spec.file, spec.unit.metres());
    let say = |error: MeshError| format!("{file:?}: {error}");
    let body = |(index, block): (usize, AssemblyBlock)| -> Result<BodySpec, String> {
        let surface = Surface::new(&block.polygons.vertices, &block.polygons.faces)
            .map_err(|error| format!("{file:?}: block {:?}: {error}", block.name))?;
        let mut body = maker.body(index, shape(&surface.scaled(scale), spec.treat));
        body.name = format!("{} {}", maker.sample.name, block.name);
        body.fixed |= block.is_support;
        Ok(body)
    };
    let read = || -> Result<Vec<BodySpec>, String> {
        let blocks = read_assembly(&(maker.library.read)(file)?).map_err(say)?;
        blocks.into_iter().enumerate().map(body).collect()
    };
    read().map_err(|text| problems.at(&place.key("file"), text)).ok()
}

/// The shape of a mesh that was read.
fn shape(surface: &Surface, treat: Treat) -> ShapeSpec {
    ShapeSpec::Mesh(MeshSpec {
        file: None,
        unit: None,
        treat,
        tolerance: None,
        most_pieces: None,
        vertices: Some(surface.vertices.iter().map(|vertex| vertex.as_slice().to_vec()).collect()),
        faces: Some(surface.triangles.iter().map(|corners| corners.to_vec()).collect()),
    })
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
        let format = Format::of_name(file).ok_or_else(|| {
            format!("{file:?} is no mesh that is known; allowed endings: {}", Format::ENDINGS)
        })?;
        let say = |error: drystone_mesh::MeshError| format!("{file:?}: {error}");
        let polygons = drystone_mesh::read(format, &(maker.library.read)(file)?).map_err(say)?;
        Ok(Surface::new(&polygons.vertices, &polygons.faces).map_err(say)?.scaled(unit.metres()))
    };
    read().map_err(|text| problems.at(place, text)).ok()
}
