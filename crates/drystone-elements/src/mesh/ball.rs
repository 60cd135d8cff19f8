//! Spheres and capsules filled with hexahedra, or each of these with tetrahedra: a core with the topology of
//! a cube, a mantle around it, and between the halves of a capsule layers of its section.

use super::build::{divisions, finish, tetrahedra, wrong_kind};
use super::{Mesh, MeshGroup};
use crate::element::ElementKind;
use crate::error::{MeshFault, require};
use drystone_math::{Vector, portable};
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_4;

/// Half the side of the core over the radius: its corners lie at 0.4 √3 of it.
const CORE: f64 = 0.4;

/// How much the sides of the core bulge, so that the elements at its edges are less pointed.
const BULGE: f64 = 0.3;

/// Faces of a hexahedron, seen from outside counterclockwise.
const FACES: [[usize; 4]; 6] =
    [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

/// A sphere of a radius \[m\] with elements of about a size: TE4, TE10, H8 or H20. Group `skin`.
pub fn sphere_mesh(radius: f64, size: f64, kind: ElementKind) -> Result<Mesh<3>, MeshFault> {
    let (nodes, cells) = ball(radius, size)?;
    filled(nodes, &cells, (radius, 0.0), kind)
}

/// All points within a radius of a segment of some length about the origin along z \[m\]: TE4, TE10, H8 or
/// H20. Groups `skin`, and of it the caps `bottom` and `top` and the `mantle` between them.
pub fn capsule_mesh(length: f64, radius: f64, size: f64, kind: ElementKind) -> Result<Mesh<3>, MeshFault> {
    require(length > 0.0, "the length", length, "it must be above 0 m")?;
    let (nodes, cells) = ball(radius, size)?;
    let (nodes, cells) = drawn_out(&nodes, &cells, length, divisions(length, size)?);
    let mut mesh = filled(nodes, &cells, (radius, length), kind)?;
    let limit = 0.5 * length * (1.0 - 1e-9);
    mesh.group_faces("bottom", |x| x[2] < -limit);
    mesh.group_faces("top", |x| x[2] > limit);
    mesh.group_faces("mantle", |x| x[2].abs() <= 0.5 * length * (1.0 + 1e-9));
    Ok(mesh)
}

/// Elements of a kind from hexahedra, nodes in the middle of edges of the skin upon it.
fn filled(
    nodes: Vec<Vector<3>>,
    cells: &[[u32; 8]],
    (radius, length): (f64, f64),
    kind: ElementKind,
) -> Result<Mesh<3>, MeshFault> {
    let elements: Vec<_> = match kind.linear() {
        ElementKind::H8 => cells.iter().map(|cell| (ElementKind::H8, cell.to_vec())).collect(),
        ElementKind::Te4 => cells.iter().flat_map(|cell| tetrahedra(cell)).collect(),
        _ => return Err(wrong_kind(kind, "TE4, TE10, H8 and H20")),
    };
    // from the nearest point of the segment
    let out = |x: &Vector<3>| {
        let along = x[2].clamp(-0.5 * length, 0.5 * length);
        x - Vector::<3>::new(0.0, 0.0, along)
    };
    let place = |a: &Vector<3>, b: &Vector<3>| {
        let middle = (a + b) * 0.5;
        let on_skin = |x: &Vector<3>| out(x).norm() > radius * (1.0 - 1e-9);
        let way = out(&middle);
        if on_skin(a) && on_skin(b) { middle + way * (radius / way.norm() - 1.0) } else { middle }
    };
    let mut mesh = finish(Mesh::new(nodes, elements)?, kind, place);
    let faces = mesh.skin_faces();
    mesh.add_to_group("skin", &MeshGroup { faces, ..MeshGroup::default() });
    Ok(mesh)
}

type Cells = (Vec<Vector<3>>, Vec<[u32; 8]>);

/// A ball, cut in two by nodes at z = 0.
fn ball(radius: f64, size: f64) -> Result<Cells, MeshFault> {
    require(radius > 0.0, "the radius", radius, "it must be above 0 m")?;
    let allowed = "at most 200 elements fit along a radius; take larger elements";
    let along = divisions(radius, size)?;
    require(along <= 200, "the number of elements along a radius", along as f64, allowed)?;
    // a quarter of the way around has n faces, half a core and a mantle lie along a radius
    let n = 2 * ((FRAC_PI_4 * radius / size).round() as usize).max(1);
    let layers = ((0.5 * radius / size).round() as usize).max(1);
    let at = |i: usize| 2.0 * i as f64 / n as f64 - 1.0;
    let node = |[i, j, k]: [usize; 3]| (((k * (n + 1)) + j) * (n + 1) + i) as u32;
    let mut nodes = Vec::new();
    for place in 0..(n + 1).pow(3) {
        let cube = [place % (n + 1), place / (n + 1) % (n + 1), place / (n + 1).pow(2)].map(at);
        nodes.push(Vector::from_fn(|axis, _| {
            let across = cube[(axis + 1) % 3].powi(2) + cube[(axis + 2) % 3].powi(2);
            CORE * radius * cube[axis] * (1.0 + BULGE * (1.0 - 0.5 * across))
        }));
    }
    let mut cells = Vec::new();
    for place in 0..n.pow(3) {
        let [i, j, k] = [place % n, place / n % n, place / n.pow(2)];
        let corner = |x: usize, y: usize, z: usize| node([i + x, j + y, k + z]);
        let level = |z: usize| [corner(0, 0, z), corner(1, 0, z), corner(1, 1, z), corner(0, 1, z)];
        let ([a, b, c, d], [e, f, g, h]) = (level(0), level(1));
        cells.push([a, b, c, d, e, f, g, h]);
    }
    let quads = around(n, &node);
    let mut layer_of: BTreeMap<u32, u32> = BTreeMap::new();
    for &corner in quads.iter().flatten() {
        let next = nodes.len() as u32 + (layer_of.len() * layers) as u32;
        layer_of.entry(corner).or_insert(next);
    }
    let mut mantle: Vec<(u32, u32)> = layer_of.iter().map(|(&inner, &first)| (first, inner)).collect();
    mantle.sort_unstable();
    for (_, inner) in mantle {
        let place = inner as usize;
        let cube = [place % (n + 1), place / (n + 1) % (n + 1), place / (n + 1).pow(2)].map(at);
        // equal angles from face to face of the cube
        let way = Vector::from(cube.map(|x| {
            let (sine, cosine) = portable::sin_cos(FRAC_PI_4 * x);
            sine / cosine
        }));
        let (from, to) = (nodes[place], way * (radius / way.norm()));
        for layer in 1..=layers {
            let share = layer as f64 / layers as f64;
            nodes.push(from * (1.0 - share) + to * share);
        }
    }
    let level = |quad: &[u32; 4], layer: usize| match layer {
        0 => *quad,
        layer => quad.map(|corner| layer_of[&corner] + layer as u32 - 1),
    };
    for quad in &quads {
        for layer in 0..layers {
            let ([a, b, c, d], [e, f, g, h]) = (level(quad, layer), level(quad, layer + 1));
            cells.push([a, b, c, d, e, f, g, h]);
        }
    }
    Ok((nodes, cells))
}

/// The faces of the core, seen from outside counterclockwise.
fn around(n: usize, node: &impl Fn([usize; 3]) -> u32) -> Vec<[u32; 4]> {
    let mut quads = Vec::new();
    for axis in 0..3 {
        for (level, outward) in [(0, false), (n, true)] {
            for (u, v) in (0..n).flat_map(|u| (0..n).map(move |v| (u, v))) {
                let corner = |du: usize, dv: usize| {
                    let mut at = [0; 3];
                    (at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3]) = (level, u + du, v + dv);
                    node(at)
                };
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                quads.push(if outward { [a, b, c, d] } else { [a, d, c, b] });
            }
        }
    }
    quads
}

/// A body cut in two by nodes at z = 0, its halves drawn apart by a length and layers put between them.
fn drawn_out(nodes: &[Vector<3>], cells: &[[u32; 8]], length: f64, layers: usize) -> Cells {
    let mut moved: Vec<Vector<3>> = nodes.to_vec();
    for node in &mut moved {
        // those of the cut are those of its lower end
        node[2] += if node[2] > 0.0 { 0.5 * length } else { -0.5 * length };
    }
    let mut above: BTreeMap<u32, u32> = BTreeMap::new();
    for (number, node) in (0..).zip(nodes).filter(|(_, node)| node[2] == 0.0) {
        above.insert(number, moved.len() as u32);
        for layer in 1..=layers {
            let z = length * (layer as f64 / layers as f64 - 0.5);
            moved.push(Vector::<3>::new(node[0], node[1], z));
        }
    }
    let level = |corner: u32, layer: usize| match (layer, above.get(&corner)) {
        (1.., Some(first)) => first + layer as u32 - 1,
        _ => corner,
    };
    let mut all = Vec::new();
    for cell in cells {
        let is_upper = cell.iter().any(|&corner| nodes[corner as usize][2] > 0.0);
        if !is_upper {
            all.push(*cell);
            continue;
        }
        all.push(cell.map(|corner| level(corner, layers)));
        let cut = FACES.iter().find(|face| face.iter().all(|&k| nodes[cell[k] as usize][2] == 0.0));
        if let Some(face) = cut {
            // from above, counterclockwise
            let quad = [face[3], face[2], face[1], face[0]].map(|k| cell[k]);
            for layer in 0..layers {
                let ends = [layer, layer + 1].map(|layer| quad.map(|corner| level(corner, layer)));
                let ([a, b, c, d], [e, f, g, h]) = (ends[0], ends[1]);
                all.push([a, b, c, d, e, f, g, h]);
            }
        }
    }
    (moved, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::ElasticIsotropic;
    use crate::mesh::MeshLimits;
    use crate::model::{Constitutive, Kinematics, SolidModel, SolidOptions};
    use std::f64::consts::PI;
    use std::sync::Arc;

    fn volume(mesh: &Mesh<3>) -> f64 {
        let law = Constitutive::Small(Arc::new(ElasticIsotropic::new(1.0, 0.3).unwrap()));
        let model =
            SolidModel::new(Arc::new(mesh.clone()), Kinematics::Space, law, 1.0, SolidOptions::default());
        let model = model.unwrap();
        let along: Vec<f64> = (0..model.dofs()).map(|dof| if dof % 3 == 0 { 1.0 } else { 0.0 }).collect();
        model.mass_matrix().times(&along).iter().sum()
    }

    #[test]
    fn spheres_and_capsules_have_their_volume_and_sound_elements() {
        // a cube has 0.024
        let limits = MeshLimits { quality: 0.004, ..MeshLimits::default() };
        for kind in [ElementKind::Te4, ElementKind::Te10, ElementKind::H8, ElementKind::H20] {
            let curved = kind.is_quadratic();
            for size in [0.1, 0.05, 0.025] {
                let exact = 4.0 / 3.0 * PI * 1e-3;
                let sphere = sphere_mesh(0.1, size, kind).unwrap();
                sphere.check(&limits).unwrap();
                let skin = sphere.group("skin").unwrap();
                // faces a quarter of the way around, and the angle of each
                let sides = if kind.linear() == ElementKind::Te4 { 12 } else { 6 };
                let angle = 0.5 * PI / ((skin.faces.len() / sides) as f64).sqrt();
                assert!(angle * 0.1 < 1.3 * size, "{angle}");
                // chords lose a half of its square at most, parabolas of its fourth power
                let most = if curved { 0.06 * angle.powi(4) } else { 0.6 * angle.powi(2) };
                let lost = 1.0 - volume(&sphere) / exact;
                assert!(lost.abs() < most, "{kind:?} {size} {lost} {most}");
                assert!(
                    skin.nodes.iter().all(|&node| (sphere.nodes()[node as usize].norm() - 0.1).abs() < 1e-13)
                );
                let capsule = capsule_mesh(0.23, 0.1, size, kind).unwrap();
                capsule.check(&limits).unwrap();
                let lost = 1.0 - volume(&capsule) / (exact + PI * 0.01 * 0.23);
                assert!(lost.abs() < most, "{kind:?} {size} {lost} {most}");
                let faces = |name: &str| capsule.group(name).unwrap().faces.len();
                assert_eq!(faces("bottom") + faces("top") + faces("mantle"), faces("skin"));
                assert_eq!(faces("bottom"), faces("top"));
            }
        }
        assert!(matches!(sphere_mesh(0.1, 0.05, ElementKind::Pri6), Err(MeshFault::Kind { .. })));
    }
}
