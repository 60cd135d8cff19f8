//! One face per plane: neighbouring faces in the same plane become one polygon. It takes checked surfaces
//! only.

use drystone_math::Vector;
use std::collections::HashMap;

use crate::ShapeError;
use crate::planar::{PLANAR, REPEATED, area_vector};

/// Vertices and the loops of vertex indices around faces.
type FacetedSurface = (Vec<Vector<3>>, Vec<Vec<u32>>);

/// Merges neighbouring faces in one plane, then drops the vertices that are no longer corners.
pub fn coplanar(
    vertices: Vec<Vector<3>>,
    loops: Vec<Vec<u32>>,
    size: f64,
) -> Result<FacetedSurface, ShapeError> {
    let mut face_after = HashMap::new();
    for (face, corners) in loops.iter().enumerate() {
        for (k, &from) in corners.iter().enumerate() {
            face_after.insert((from, corners[(k + 1) % corners.len()]), face);
        }
    }
    let planes = planes(&vertices, &loops, &face_after, size);
    // the sides of a merged face are those whose other face is in another plane
    let mut rims: Vec<Vec<(u32, u32)>> = vec![Vec::new(); loops.len()];
    for (face, corners) in loops.iter().enumerate() {
        for (k, &from) in corners.iter().enumerate() {
            let to = corners[(k + 1) % corners.len()];
            let across = face_after.get(&(to, from)).map(|&other| planes[other]);
            if across != Some(planes[face]) {
                rims[planes[face]].push((from, to));
            }
        }
    }
    let mut merged = Vec::new();
    for (face, rim) in rims.iter().enumerate().filter(|(_, rim)| !rim.is_empty()) {
        merged.push(chain(rim).ok_or(ShapeError::FlatFace { face })?);
    }
    drop_middles(vertices, merged)
}

/// For each face the first face of its plane. The largest faces gather their neighbours first, so that
/// slivers, whose normals are vague, decide nothing.
fn planes(
    vertices: &[Vector<3>],
    loops: &[Vec<u32>],
    face_after: &HashMap<(u32, u32), usize>,
    size: f64,
) -> Vec<usize> {
    let areas: Vec<Vector<3>> = loops.iter().map(|corners| area_vector(vertices, corners)).collect();
    let mut order: Vec<usize> = (0..loops.len()).collect();
    order.sort_by(|&i, &j| areas[j].norm_squared().total_cmp(&areas[i].norm_squared()).then(i.cmp(&j)));
    let mut plane = vec![usize::MAX; loops.len()];
    for seed in order {
        if plane[seed] != usize::MAX {
            continue;
        }
        plane[seed] = seed;
        let normal = areas[seed].normalize();
        let origin = vertices[loops[seed][0] as usize];
        let in_plane = |face: usize| {
            // a sliver has no normal to speak of: it joins the plane it lies in
            areas[face].dot(&normal) > -REPEATED * size * size
                && loops[face]
                    .iter()
                    .all(|&vertex| normal.dot(&(vertices[vertex as usize] - origin)).abs() <= PLANAR * size)
        };
        let mut stack = vec![seed];
        while let Some(face) = stack.pop() {
            for (k, &from) in loops[face].iter().enumerate() {
                let to = loops[face][(k + 1) % loops[face].len()];
                let Some(&other) = face_after.get(&(to, from)) else {
                    continue;
                };
                if plane[other] == usize::MAX && in_plane(other) {
                    plane[other] = seed;
                    stack.push(other);
                }
            }
        }
    }
    plane
}

/// The sides of a face as one loop; nothing if they make several.
fn chain(rim: &[(u32, u32)]) -> Option<Vec<u32>> {
    let after: HashMap<u32, u32> = rim.iter().copied().collect();
    let start = rim.first()?.0;
    let mut corners = vec![start];
    let mut vertex = *after.get(&start)?;
    while vertex != start && corners.len() < rim.len() {
        corners.push(vertex);
        vertex = *after.get(&vertex)?;
    }
    (vertex == start && corners.len() == rim.len()).then_some(corners)
}

/// Drops the vertices of fewer than three faces: inside a face or in the middle of an edge.
fn drop_middles(vertices: Vec<Vector<3>>, loops: Vec<Vec<u32>>) -> Result<FacetedSurface, ShapeError> {
    let mut faces_at = vec![0u32; vertices.len()];
    loops.iter().flatten().for_each(|&vertex| faces_at[vertex as usize] += 1);
    let mut renumbered = vec![u32::MAX; vertices.len()];
    let mut kept = Vec::new();
    for (index, vertex) in vertices.into_iter().enumerate() {
        if faces_at[index] >= 3 {
            renumbered[index] = kept.len() as u32;
            kept.push(vertex);
        }
    }
    let corner = |&vertex: &u32| Some(renumbered[vertex as usize]).filter(|&index| index != u32::MAX);
    let loops: Vec<Vec<u32>> =
        loops.iter().map(|corners| corners.iter().filter_map(corner).collect()).collect();
    match loops.iter().position(|corners| corners.len() < 3) {
        Some(face) => Err(ShapeError::FlatFace { face }),
        None if loops.len() < 4 => Err(ShapeError::Flat { dimension: 3 }),
        None => Ok((kept, loops)),
    }
}
