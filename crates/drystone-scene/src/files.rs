//! Meshes and height fields that a scene names, put into the scene itself, so that a run needs no other file.
//! Opens none: it is given a reader.

use crate::place::{Place, Problems, shorten};
use crate::spec::{ElementsSpec, HeightFieldSpec, LengthUnit, MeshSpec, SceneSpec, ShapeRef, ShapeSpec};
use drystone_mesh::{ElementFormat, Format, MeshError, Surface, read_elements};

/// Gives the bytes of a file by the name the scene has for it, or a sentence.
pub(crate) type Read<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// Puts the contents of all files into the scene.
pub(crate) fn embed(spec: &mut SceneSpec, read: Read) -> Problems {
    let mut problems = Problems::default();
    let root = Place::ROOT;
    let (shapes, dimension) = (root.key("shapes"), spec.dimension);
    for (name, shape) in &mut spec.shapes {
        embed_shape(shape, &shapes.key(name), dimension, read, &mut problems);
    }
    let list = root.key("body");
    for (index, body) in spec.bodies.iter_mut().enumerate() {
        if let ShapeRef::Inline(shape) = &mut body.shape {
            embed_shape(shape, &list.item(index).key("shape"), dimension, read, &mut problems);
        }
    }
    problems
}

fn embed_shape(shape: &mut ShapeSpec, place: &Place, dimension: usize, read: Read, problems: &mut Problems) {
    let place = &place.key(shape.kind());
    let embedded = match shape {
        ShapeSpec::Mesh(mesh) => embed_mesh(mesh, read),
        ShapeSpec::HeightField(field) => embed_height_field(field, read),
        ShapeSpec::Elements(solid) => embed_elements(solid, dimension, read),
        ShapeSpec::Cluster { shapes } => {
            let list = place.key("shapes");
            for (index, part) in shapes.iter_mut().enumerate() {
                if let ShapeRef::Inline(shape) = &mut part.shape {
                    embed_shape(shape, &list.item(index).key("shape"), dimension, read, problems);
                }
            }
            return;
        }
        _ => return,
    };
    if let Err(text) = embedded {
        problems.of(&place.key("file"), text);
    }
}

fn embed_mesh(mesh: &mut MeshSpec, read: Read) -> Result<(), String> {
    let (Some(file), Some(unit), None) = (&mesh.file, mesh.unit, &mesh.vertices) else { return Ok(()) };
    let format = Format::of_name(file)
        .ok_or_else(|| format!("is no mesh that is known; allowed endings: {}", Format::ENDINGS))?;
    let say = |error: MeshError| format!("{:?}: {error}", shorten(file, 60));
    let polygons = drystone_mesh::read(format, &read(file)?).map_err(say)?;
    let surface = Surface::new(&polygons.vertices, &polygons.faces).map_err(say)?;
    // faces that collapsed are kept as they were, so that they are still reported
    let collapsed = surface.collapsed.iter().map(|_| vec![0, 0, 0]);
    let scaled = surface.scaled(metres(unit));
    mesh.vertices = Some(scaled.vertices.iter().map(|vertex| vertex.as_slice().to_vec()).collect());
    mesh.faces = Some(surface.triangles.iter().map(|corners| corners.to_vec()).chain(collapsed).collect());
    Ok(())
}

fn embed_elements(solid: &mut ElementsSpec, dimension: usize, read: Read) -> Result<(), String> {
    let (Some(file), Some(unit), None) = (&solid.file, solid.unit, &solid.nodes) else { return Ok(()) };
    let endings = ElementFormat::ENDINGS;
    let format = ElementFormat::of_name(file)
        .ok_or_else(|| format!("is no mesh of elements that is known; allowed endings: {endings}"))?;
    let name = shorten(file, 60);
    let say = |error: MeshError| format!("{name:?}: {error}");
    let found = read_elements(format, &read(file)?).map_err(say)?;
    if dimension == 2 {
        let mesh = found.to_mesh::<2>(metres(unit)).map_err(say)?;
        solid.fill(&mesh);
    } else {
        let mesh = found.to_mesh::<3>(metres(unit)).map_err(say)?;
        solid.fill(&mesh);
    }
    Ok(())
}

fn embed_height_field(field: &mut HeightFieldSpec, read: Read) -> Result<(), String> {
    let (Some(file), Some(unit), None) = (&field.file, field.unit, &field.heights) else { return Ok(()) };
    let name = shorten(file, 60);
    let grid = drystone_mesh::read_height_field(&read(file)?)
        .map_err(|error| format!("{name:?}: {error}"))?
        .scaled(metres(unit));
    let heights: Option<Vec<f64>> = grid.heights.iter().copied().collect();
    let Some(heights) = heights else {
        let missing = grid.heights.iter().filter(|height| height.is_none()).count();
        let text =
            format!("{name:?}: {missing} of {} heights have no data; fill them in", grid.heights.len());
        return Err(text);
    };
    field.columns = u32::try_from(grid.columns).ok();
    field.spacing = Some(grid.cell);
    field.origin.get_or_insert_with(|| grid.origin.to_vec());
    field.heights = Some(heights);
    Ok(())
}

fn metres(unit: LengthUnit) -> f64 {
    unit.metres()
}
