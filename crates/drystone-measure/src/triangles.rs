//! A plane sample as the triangles and the outline of the centres of its bodies: strains of the triangles,
//! their mean, and the area inside of the outline. Looks at no contact.

use crate::domain::sample;
use crate::{FrameView, MeasureError, Parameters, Readings};
use drystone::{Matrix, Vector, delaunay, outline as outline_of, outline_area, outline_length};

/// Strain of one triangle of bodies since the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleStrain {
    /// Its corners, as indices of bodies.
    pub bodies: [usize; 3],
    /// Its middle before \[m\].
    pub place: Vector<2>,
    /// Its area before \[m²\].
    pub area: f64,
    /// Displacement gradient `G`, the same all over it.
    pub gradient: Matrix<2, 2>,
}

/// Strains of the triangles between the bodies of a sample as they lay at the start (Delaunay), those with an
/// edge longer than `reach` \[m\] left out: displacements are linear over each (Cundall, Drescher, Strack
/// 1982; Bagi 1996), so that `G` is exact for them and the mean over the area depends on the rim alone.
pub fn triangle_strains(view: &FrameView, sample: &[bool], reach: f64) -> Vec<TriangleStrain> {
    let plane = |v: Vector<3>| Vector::<2>::new(v[0], v[1]);
    let known: Vec<(usize, Vector<2>, Vector<2>)> = (0..view.bodies.len())
        .filter(|&body| sample[body])
        .filter_map(|body| {
            Some((body, plane(view.bodies[body].start?.position), plane(view.displacement(body)?)))
        })
        .collect();
    let places: Vec<Vector<2>> = known.iter().map(|(_, place, _)| *place).collect();
    let one = |corners: [usize; 3]| {
        let [(a, p, u), (b, q, v), (c, r, w)] = corners.map(|k| known[k]);
        if [(p - q), (q - r), (r - p)].iter().any(|edge| edge.norm() > reach) {
            return None;
        }
        let edges = Matrix::<2, 2>::from_columns(&[q - p, r - p]);
        let gradient = Matrix::<2, 2>::from_columns(&[v - u, w - u]) * edges.try_inverse()?;
        let place = (p + q + r) / 3.0;
        Some(TriangleStrain { bodies: [a, b, c], place, area: 0.5 * edges.determinant(), gradient })
    };
    delaunay(&places).into_iter().filter_map(one).collect()
}

fn length(key: Option<f64>, default: f64) -> Result<f64, MeasureError> {
    match key {
        Some(reach) if !(reach > 0.0 && reach.is_finite()) => {
            let allowed = "a distance greater than 0 [m]".into();
            Err(MeasureError::Value { key: "reach", value: reach.to_string(), allowed })
        }
        given => Ok(given.unwrap_or(default)),
    }
}

fn strains(view: &FrameView, parameters: &Parameters) -> Result<Vec<TriangleStrain>, MeasureError> {
    let reach = length(parameters.reach, f64::INFINITY)?;
    Ok(triangle_strains(view, &sample(view, parameters)?, reach))
}

/// Components of the strain `−(G + Gᵀ)/2`, compression positive, and what follows from them.
fn components(gradient: &Matrix<2, 2>) -> [(&'static str, f64); 6] {
    let strain = -(gradient + gradient.transpose()) * 0.5;
    let shear = drystone_math::portable::hypot(strain[(0, 0)] - strain[(1, 1)], 2.0 * strain[(0, 1)]);
    [
        ("xx", strain[(0, 0)]),
        ("xy", strain[(0, 1)]),
        ("yy", strain[(1, 1)]),
        ("volumetric", strain.trace()),
        ("shear", shear),
        ("rotation", 0.5 * (gradient[(1, 0)] - gradient[(0, 1)])),
    ]
}

/// The measure `triangle_strain`: a row for each triangle.
pub(crate) fn triangle_strain(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let names = components(&Matrix::<2, 2>::zeros()).map(|(name, _)| (name, "-"));
    let columns = [("x", "m"), ("y", "m"), ("area", "m²")].into_iter().chain(names);
    let mut table = Readings::table(&["first", "second", "third"], columns);
    for one in strains(view, parameters)? {
        let mut row = vec![one.place[0], one.place[1], one.area];
        row.extend(components(&one.gradient).map(|(_, value)| value));
        table.push(one.bodies.map(|body| view.names[body].clone()).to_vec(), row);
    }
    Ok(table)
}

/// The measure `mean_strain`: their mean by area.
pub(crate) fn mean_strain(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let all = strains(view, parameters)?;
    let area: f64 = all.iter().map(|one| one.area).sum();
    let sum = all.iter().fold(Matrix::<2, 2>::zeros(), |sum, one| sum + one.gradient * one.area);
    let mut cells: Vec<_> =
        components(&(sum / area)).into_iter().map(|(name, value)| (name.to_owned(), "-", value)).collect();
    cells.extend([("area".into(), "m²", area), ("triangles".into(), "-", all.len() as f64)]);
    Ok(Readings::row(cells))
}

/// The measure `outline`: what a ball finds that rolls around the sample, bodies being their bounding balls.
pub(crate) fn outline(view: &FrameView, parameters: &Parameters) -> Result<Readings, MeasureError> {
    let sample = sample(view, parameters)?;
    let bodies = view.bodies.iter().zip(&sample).filter(|(_, inside)| **inside).map(|(body, _)| body);
    let centres: Vec<_> =
        bodies.clone().map(|body| Vector::<2>::new(body.position[0], body.position[1])).collect();
    let radii: Vec<f64> = bodies.map(|body| body.radius).collect();
    let ball = length(parameters.reach, radii.iter().copied().fold(0.0, f64::max))?;
    let chain = outline_of(&centres, &radii, ball);
    Ok(Readings::row([
        ("area".into(), "m²", outline_area(&chain, &centres)),
        ("length".into(), "m", outline_length(&chain, &centres)),
        ("links".into(), "-", chain.len() as f64),
    ]))
}
