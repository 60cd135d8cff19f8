//! Shapes of space, meshes among them, and what several of them fill together. Makes no clusters.

use super::{FromSpec, Made, Refusal, moments, points, union_space};
use crate::spec::{HeightFieldSpec, MeshSpec, ShapeSpec, Treat};
use drystone::{Contactor, Detector, MassProperties, Polytope, Pose, Shape, ShapeError, Surface, Vector};
use drystone_mesh::{MOST_PIECES, MeshProblem, Piece};

/// Parts that overlap by less than this, relative to the larger, only touch.
const TOUCHING: f64 = 1e-9;

impl FromSpec<3> for Polytope<3> {
    fn made(spec: &ShapeSpec) -> Result<Made<3>, Refusal> {
        Ok(match spec {
            ShapeSpec::Sphere { radius } => Shape::ball(*radius)?.into(),
            ShapeSpec::Plane {} => Shape::HalfSpace.into(),
            ShapeSpec::Point {} => Shape::Point.into(),
            ShapeSpec::Box { size } => match *size.as_slice() {
                [x, y, z] => Shape::from(Polytope::cuboid([x, y, z])?).into(),
                _ => return Err(ShapeError::Flat { dimension: 3 }.into()),
            },
            ShapeSpec::Polyhedron { vertices, faces: Some(faces) } => {
                let corners = |face: &Vec<u32>| face.iter().map(|&corner| corner as usize).collect();
                let faces = faces.iter().map(corners).collect();
                Shape::from(Polytope::polyhedron(points(vertices), faces)?).into()
            }
            ShapeSpec::Polyhedron { vertices, faces: None } => {
                Shape::from(Polytope::hull(points(vertices))?).into()
            }
            ShapeSpec::Cylinder { radius, height } => Shape::cylinder(*radius, *height)?.into(),
            ShapeSpec::HollowCylinder { radius, height } => Shape::hollow_cylinder(*radius, *height)?.into(),
            ShapeSpec::Capsule { length, radius } => Shape::capsule(*length, *radius)?.into(),
            ShapeSpec::Mesh(form) => mesh(form)?,
            ShapeSpec::HeightField(form) => height_field(form)?,
            other => return Err(Refusal::Whole(format!("{} is no shape of space", other.kind()))),
        })
    }

    fn union(parts: &[(Shape<3>, Pose<3>)]) -> Result<Option<MassProperties<3>>, Refusal> {
        let heavy: Vec<_> =
            parts.iter().filter(|(shape, _)| shape.mass_properties().is_some()).cloned().collect();
        let weighed = heavy.iter().filter_map(|(shape, pose)| Some((shape.mass_properties()?, *pose)));
        let Some([first, second]) = overlap(&heavy) else {
            return Ok(moments::sum(weighed));
        };
        let sphere = |(shape, pose): &(Shape<3>, Pose<3>)| match shape {
            Shape::Ball { radius } => Some((pose.position, *radius)),
            _ => None,
        };
        if let Some(spheres) = heavy.iter().map(sphere).collect::<Option<Vec<_>>>() {
            let middle = spheres.iter().map(|sphere| sphere.0).sum::<Vector<3>>() / spheres.len() as f64;
            let moved: Vec<_> = spheres.iter().map(|(centre, radius)| (centre - middle, *radius)).collect();
            return Ok(Some(union_space::union(&moved).properties(&middle)));
        }
        if let Some(pieces) = heavy.iter().map(piece).collect::<Option<Vec<_>>>() {
            let mass = drystone_mesh::union_mass(&pieces);
            return Ok(Some(from_mesh(&mass)));
        }
        Err(Refusal::Whole(format!(
            "its parts number {first} and {second} of those with mass overlap; overlapping parts may be all spheres or all \
             polyhedra, others must be apart"
        )))
    }
}

/// The first two parts that overlap, by their numbers.
fn overlap(parts: &[(Shape<3>, Pose<3>)]) -> Option<[u32; 2]> {
    let contactors: Vec<Contactor<3>> = parts
        .iter()
        .zip(0..)
        .map(|((shape, _), body)| Contactor { body, shape: shape.clone(), local: Pose::identity() })
        .collect();
    let poses: Vec<Pose<3>> = parts.iter().map(|(_, pose)| *pose).collect();
    let mut touches = Vec::new();
    let margins = vec![0.0; parts.len()];
    Detector::new().find(&contactors, &poses, &margins, &|_, _| true, &mut touches);
    let deep = touches.iter().find(|touch| {
        let size = touch.contactors.map(|index| parts[index as usize].0.bounding_radius());
        touch.gap < -TOUCHING * size[0].max(size[1])
    });
    deep.map(|touch| touch.contactors)
}

fn piece((shape, pose): &(Shape<3>, Pose<3>)) -> Option<Piece> {
    let Shape::Polytope(polytope) = shape else { return None };
    Some(Piece {
        vertices: polytope.vertices().iter().map(|vertex| pose.to_world(vertex)).collect(),
        faces: polytope.faces().iter().map(|face| face.vertices.clone()).collect(),
        volume: polytope.mass_properties().volume,
    })
}

fn from_mesh(mass: &drystone_mesh::MassProperties) -> MassProperties<3> {
    MassProperties { volume: mass.volume, centroid: mass.centroid, inertia: mass.inertia }
}

fn surface_of(form: &MeshSpec) -> Result<drystone_mesh::Surface, drystone_mesh::MeshError> {
    let points = points::<3>(form.vertices.as_deref().unwrap_or(&[]));
    let vertices: Vec<[f64; 3]> = points.into_iter().map(|vertex| vertex.into()).collect();
    drystone_mesh::Surface::new(&vertices, form.faces.as_deref().unwrap_or(&[]))
}

/// The surface of a mesh that can be filled with elements; else what is wrong with it.
pub(crate) fn closed_surface(form: &MeshSpec) -> Result<drystone_mesh::Surface, String> {
    let surface = surface_of(form).map_err(|error| error.to_string())?;
    let problems: Vec<String> = surface.inspect().problems().iter().map(ToString::to_string).collect();
    match problems.is_empty() {
        true => Ok(surface),
        false => Err(format!("cannot be filled with elements: {}", problems.join("; "))),
    }
}

fn mesh(form: &MeshSpec) -> Result<Made<3>, Refusal> {
    let say = |error: drystone_mesh::MeshError| Refusal::Mesh(vec![error.to_string()]);
    let surface = surface_of(form).map_err(say)?;
    let found = surface.inspect();
    let mut problems: Vec<MeshProblem> = match form.treat {
        Treat::Surface if !found.closed => found.flaws(),
        _ => found.problems(),
    };
    if form.treat == Treat::Convex && problems.is_empty() {
        problems.extend(found.not_convex());
    }
    if !problems.is_empty() {
        return Err(Refusal::Mesh(problems.iter().map(|problem| hint(form, problem)).collect()));
    }
    let mass = found.closed.then(|| from_mesh(&surface.mass_properties()));
    let parts = match form.treat {
        Treat::Convex => {
            let faces =
                surface.triangles.iter().map(|corners| corners.map(|corner| corner as usize).to_vec());
            let polytope = Polytope::polyhedron(surface.vertices.clone(), faces.collect())?;
            return Ok(Shape::from(polytope).into());
        }
        Treat::Decompose => {
            let most = form.most_pieces.map_or(MOST_PIECES, |most| most as usize);
            let cut = surface.decompose(form.tolerance.unwrap_or(0.0), most).map_err(say)?;
            let pieces = Polytope::joined(cut.pieces.iter().filter_map(polytope).collect());
            pieces.into_iter().map(|piece| (Shape::from(piece), Pose::identity())).collect()
        }
        Treat::Surface => {
            // about its centre, so that it is as small as it can be; an open one turns about its own origin
            let centre = mass.map_or_else(Vector::zeros, |mass| mass.centroid);
            let vertices = surface.vertices.iter().map(|vertex| vertex - centre).collect();
            vec![(Shape::from(Surface::triangles(vertices, surface.triangles.clone())?), Pose::at(centre))]
        }
    };
    if parts.is_empty() {
        return Err(Refusal::Mesh(vec!["no convex piece is thick enough to be a body".to_owned()]));
    }
    Ok(Made { parts, mass })
}

/// A piece as a polytope; splinters that are too thin for one are left out.
fn polytope(piece: &Piece) -> Option<Polytope<3>> {
    let corners = |face: &Vec<u32>| face.iter().map(|&corner| corner as usize).collect();
    Polytope::polyhedron(piece.vertices.clone(), piece.faces.iter().map(corners).collect()).ok()
}

/// The sentence, with what can be done where something can.
fn hint(form: &MeshSpec, problem: &MeshProblem) -> String {
    match (problem, form.treat) {
        (MeshProblem::NotConvex { .. } | MeshProblem::SeveralParts { .. }, _) => {
            format!("{problem}; treat = \"decompose\" cuts it into convex pieces")
        }
        (MeshProblem::Open { .. }, _) => {
            format!("{problem}; only treat = \"surface\" takes an open mesh")
        }
        _ => problem.to_string(),
    }
}

fn height_field(form: &HeightFieldSpec) -> Result<Made<3>, Refusal> {
    let origin = match form.origin.as_deref() {
        Some(&[x, y]) => [x, y],
        _ => [0.0; 2],
    };
    let heights = form.heights.as_deref().unwrap_or(&[]);
    let columns = form.columns.unwrap_or(0) as usize;
    Ok(Shape::from(Surface::height_field(origin, form.spacing.unwrap_or(0.0), columns, heights)?).into())
}
