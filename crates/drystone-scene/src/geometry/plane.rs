//! Shapes of the plane, and what several of them cover together. Makes no clusters.

use super::quadrature::Rule;
use super::{FromSpec, Made, Refusal, moments, points, union_plane};
use crate::spec::{ShapeSpec, Treat};
use drystone::{MassProperties, Polytope, Pose, Shape, ShapeError, Surface, Vector, decompose};

impl FromSpec<2> for Polytope<2> {
    fn made(spec: &ShapeSpec) -> Result<Made<2>, Refusal> {
        Ok(match spec {
            ShapeSpec::Disk { radius } => Shape::ball(*radius)?.into(),
            ShapeSpec::Line {} => Shape::HalfSpace.into(),
            ShapeSpec::Point {} => Shape::Point.into(),
            ShapeSpec::Box { size } => match *size.as_slice() {
                [x, y] => Shape::from(Polytope::rectangle([x, y])?).into(),
                _ => return Err(ShapeError::Flat { dimension: 2 }.into()),
            },
            ShapeSpec::RoundedRectangle { size, radius } => match *size.as_slice() {
                [x, y] => Shape::rounded_rectangle([x, y], *radius)?.into(),
                _ => return Err(ShapeError::Flat { dimension: 2 }.into()),
            },
            ShapeSpec::Capsule { length, radius } => Shape::capsule(*length, *radius)?.into(),
            ShapeSpec::HollowDisk { radius } => Shape::hollow_disk(*radius)?.into(),
            ShapeSpec::Polyline { vertices } => Shape::from(Surface::polyline(points(vertices))?).into(),
            ShapeSpec::Polygon { vertices, treat } => polygon(points(vertices), *treat)?,
            other => return Err(Refusal::Whole(format!("{} is no shape of the plane", other.kind()))),
        })
    }

    fn union(parts: &[(Shape<2>, Pose<2>)]) -> Result<Option<MassProperties<2>>, Refusal> {
        let heavy = parts.iter().filter_map(|(shape, pose)| Some((shape.mass_properties()?, *pose)));
        if heavy.clone().count() < 2 {
            return Ok(moments::sum(heavy));
        }
        let centres = heavy.clone().map(|(mass, pose)| pose.to_world(&mass.centroid));
        let middle = centres.sum::<Vector<2>>() / heavy.count() as f64;
        let figures: Vec<_> = parts
            .iter()
            .flat_map(|(shape, pose)| {
                union_plane::figures(shape, &Pose { position: pose.position - middle, ..*pose })
            })
            .collect();
        Ok(Some(union_plane::union(&figures, &Rule::new()).properties(&middle)))
    }
}

fn polygon(vertices: Vec<Vector<2>>, treat: Treat) -> Result<Made<2>, Refusal> {
    if treat == Treat::Convex {
        let polytope = Polytope::polygon(vertices)?;
        return Ok(Shape::from(polytope).into());
    }
    let pieces = decompose(&vertices)?;
    let weighed = pieces.iter().map(|piece| (piece.mass_properties(), Pose::identity()));
    let mass = moments::sum(weighed);
    let parts = match treat {
        Treat::Surface => {
            // about its centre, so that it is as small as it can be
            let centre = mass.map_or_else(Vector::zeros, |mass| mass.centroid);
            let outline = Surface::outline(vertices.iter().map(|vertex| vertex - centre).collect())?;
            vec![(Shape::from(outline), Pose::at(centre))]
        }
        _ => pieces.into_iter().map(|piece| (Shape::from(piece), Pose::identity())).collect(),
    };
    Ok(Made { parts, mass })
}
