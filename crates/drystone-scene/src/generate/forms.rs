//! Shapes in the place of grains, as the scene has them, and the bodies they make.

use super::Maker;
use super::files::surface;
use crate::place::{Place, Problems};
use crate::spec::{BodySpec, FormSpec, LengthUnit, MeshSpec, PartSpec, ShapeSpec, Treat};
use drystone_math::Vector;
use drystone_samples::{GrainForm, GrainShape, PolyhedronForm, ShapePart, ShapedGrain};

/// The form that a sample asks for.
pub(crate) fn form(spec: Option<&FormSpec>, meshes: usize) -> GrainForm {
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

/// Meshes about their centres, the farthest vertex at distance 1.
pub(super) fn meshes(
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

/// The body of a grain.
pub(super) fn body<const D: usize>(
    maker: &Maker,
    index: usize,
    one: &ShapedGrain<D>,
    meshes: &[MeshSpec],
) -> BodySpec {
    let mut body = maker.body(index, shape_of(one, meshes));
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

/// The shape of a grain about its own centre; `meshes` are those that a list of them means.
pub(crate) fn shape_of<const D: usize>(one: &ShapedGrain<D>, meshes: &[MeshSpec]) -> ShapeSpec {
    let rows = |corners: &[Vector<D>]| corners.iter().map(|corner| corner.as_slice().to_vec()).collect();
    match &one.shape {
        GrainShape::Ball(radius) => ShapeSpec::ball::<D>(*radius),
        GrainShape::Convex(corners) if D == 2 => {
            ShapeSpec::Polygon { vertices: rows(corners), treat: Treat::Convex }
        }
        GrainShape::Convex(corners) => ShapeSpec::Polyhedron { vertices: rows(corners), faces: None },
        GrainShape::Outline(corners) => {
            ShapeSpec::Polygon { vertices: rows(corners), treat: Treat::Decompose }
        }
        GrainShape::Parts(parts) => {
            let part = |part: &ShapePart<D>| PartSpec {
                shape: match part.radius {
                    Some(radius) => ShapeSpec::ball::<D>(radius).into(),
                    None => ShapeSpec::Box { size: part.size.as_slice().to_vec() }.into(),
                },
                position: Some(part.position.as_slice().to_vec()),
                angle: (D == 2).then_some(part.angle),
                ..PartSpec::default()
            };
            ShapeSpec::Cluster { shapes: parts.iter().map(part).collect() }
        }
        GrainShape::Listed(index, radius) => ShapeSpec::Mesh(scaled(&meshes[*index], *radius)),
    }
}

fn scaled(mesh: &MeshSpec, radius: f64) -> MeshSpec {
    let mut scaled = mesh.clone();
    scaled.vertices.iter_mut().flatten().flatten().for_each(|x| *x *= radius);
    scaled
}
