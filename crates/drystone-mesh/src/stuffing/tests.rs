//! Fillings against closed forms: volumes, angles, skins that close.

use super::*;
use drystone_elements::mesh::MeshLimits;
use drystone_math::portable;
use std::collections::BTreeSet;

/// A torus about z.
fn torus(large: f64, small: f64, n: u32) -> Surface {
    let angle = |k: u32| std::f64::consts::TAU * f64::from(k % n) / f64::from(n);
    let mut vertices = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let (s, c) = portable::sin_cos(angle(i));
            let (t, d) = portable::sin_cos(angle(j));
            vertices.push([(large + small * d) * c, (large + small * d) * s, small * t]);
        }
    }
    let at = |i: u32, j: u32| (i % n) * n + j % n;
    let faces: Vec<Vec<u32>> = (0..n)
        .flat_map(|i| (0..n).map(move |j| vec![at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]))
        .collect();
    Surface::new(&vertices, &faces).unwrap()
}

/// An angle drawn out along z: 2 by 2 by 1 without a quarter.
fn corner_piece() -> Surface {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let vertices: Vec<[f64; 3]> =
        [0.0, 1.0].iter().flat_map(|&z| outline.map(move |[x, y]| [x, y, z])).collect();
    let mut faces: Vec<Vec<u32>> = (0..6).map(|k| vec![k, (k + 1) % 6, (k + 1) % 6 + 6, k + 6]).collect();
    faces.push(vec![5, 4, 3, 2, 1, 0]);
    faces.push(vec![6, 7, 8, 9, 10, 11]);
    Surface::new(&vertices, &faces).unwrap()
}

/// The least and the largest angle between faces of an element \[degrees\].
fn angles(mesh: &Mesh<3>) -> (f64, f64) {
    let mut bounds = (180.0_f64, 0.0_f64);
    for (_, nodes) in mesh.elements() {
        let at = [0, 1, 2, 3].map(|k| mesh.nodes()[nodes[k] as usize]);
        for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let others: Vec<usize> = (0..4).filter(|&k| k != i && k != j).collect();
            let axis = (at[j] - at[i]).normalize();
            let off = |k: usize| {
                let way = at[others[k]] - at[i];
                (way - axis * way.dot(&axis)).normalize()
            };
            let (p, q) = (off(0), off(1));
            let angle = portable::atan2(p.cross(&q).norm(), p.dot(&q)).to_degrees();
            bounds = (bounds.0.min(angle), bounds.1.max(angle));
        }
    }
    bounds
}

fn filled(mesh: &Mesh<3>) -> f64 {
    mesh.elements().map(|(_, nodes)| volume(mesh.nodes(), &[nodes[0], nodes[1], nodes[2], nodes[3]])).sum()
}

/// Volume under a skin, by the divergence of x / 3: that of the elements only if the skin closes around them.
fn under_skin(mesh: &Mesh<3>) -> f64 {
    let faces = mesh.group("skin").unwrap().faces.clone();
    let of = |face: &drystone_elements::mesh::ElementFace| {
        let nodes: Vec<u32> = mesh.face_nodes(*face).collect();
        let [a, b, c] = [0, 1, 2].map(|k| mesh.nodes()[nodes[k] as usize]);
        a.dot(&b.cross(&c)) / 6.0
    };
    faces.iter().map(of).sum()
}

#[test]
fn a_torus_is_filled_with_sound_elements() {
    let (large, small) = (1.0, 0.4);
    let surface = torus(large, small, 48);
    let exact = surface.mass_properties().volume;
    let mut last = f64::INFINITY;
    for size in [0.3, 0.15, 0.075] {
        let mesh = surface.fill_with_tetrahedra(size, ElementKind::Te4).unwrap();
        mesh.check(&MeshLimits::default()).unwrap();
        let (least, largest) = angles(&mesh);
        assert!(least > 9.0 && largest < 165.0, "{size}: {least} to {largest} degrees");
        let off = (filled(&mesh) / exact - 1.0).abs();
        assert!(off < 0.1 * (size / small).powi(2) && off < last, "{size}: {off}");
        assert!((under_skin(&mesh) / filled(&mesh) - 1.0).abs() < 1e-12);
        last = off;
        // nodes of the skin lie on the surface, as near to the torus as its chords
        let tube = |x: &Vector<3>| ((x.xy().norm() - large).powi(2) + x[2].powi(2)).sqrt();
        let skin = &mesh.group("skin").unwrap().nodes;
        assert!(skin.iter().all(|&node| {
            let radius = tube(&mesh.nodes()[node as usize]);
            (radius / small - 1.0).abs() < 0.01
        }));
        assert!(mesh.nodes().len() > skin.len());
        let fine = surface.fill_with_tetrahedra(size, ElementKind::Te10).unwrap();
        fine.check(&MeshLimits::default()).unwrap();
    }
}

#[test]
fn edges_of_an_angle_are_cut_off_by_less_than_an_element() {
    let surface = corner_piece();
    for size in [0.5, 0.25, 0.17] {
        let mesh = surface.fill_with_tetrahedra(size, ElementKind::Te4).unwrap();
        mesh.check(&MeshLimits::default()).unwrap();
        let (least, largest) = angles(&mesh);
        assert!(least > 9.0 && largest < 165.0, "{size}: {least} to {largest} degrees");
        // length of edges, each cut off by a triangle of half an element at most
        let lost = 1.0 - filled(&mesh) / 3.0;
        assert!(lost.abs() < 22.0 * 0.5 * (0.5 * size).powi(2) / 3.0, "{size}: {lost}");
        let area = |name: &str| mesh.group(name).unwrap().faces.len();
        for side in ["left", "right", "front", "back", "bottom", "top"] {
            assert!(area(side) > 0, "{side}");
        }
    }
}

/// The filling of a form does not hang on how it was triangulated or in which order, where it is flat.
#[test]
fn it_is_the_same_for_the_same_form() {
    let one = corner_piece();
    let mut other = one.clone();
    other.triangles.reverse();
    let of = |surface: &Surface| surface.fill_with_tetrahedra(0.3, ElementKind::Te4).unwrap();
    let (one, other) = (of(&one), of(&other));
    assert_eq!(one.elements().count(), other.elements().count());
    let near = |(a, b): (&Vector<3>, &Vector<3>)| (a - b).norm() < 1e-12;
    assert!(one.nodes().iter().zip(other.nodes()).all(near));
}

#[test]
fn what_is_too_large_or_wrong_is_refused() {
    let surface = torus(1.0, 0.4, 24);
    let said = |size: f64, kind| surface.fill_with_tetrahedra(size, kind).unwrap_err().to_string();
    assert!(said(2.0, ElementKind::Te4).contains("take smaller ones"), "{}", said(2.0, ElementKind::Te4));
    assert!(said(1e-4, ElementKind::Te4).contains("take larger elements"));
    assert!(said(-1.0, ElementKind::Te4).contains("above 0 m"));
    assert!(said(f64::NAN, ElementKind::Te4).contains("above 0 m"));
    assert!(said(0.1, ElementKind::H8).contains("TE4 and TE10"));
}

/// Every face between two elements is whole: no node lies on another's edge.
#[test]
fn neighbours_share_whole_faces() {
    let mesh = torus(1.0, 0.35, 32).fill_with_tetrahedra(0.2, ElementKind::Te4).unwrap();
    let mut seen: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    for (_, nodes) in mesh.elements() {
        for left in 0..4 {
            let mut face: Vec<u32> = (0..4).filter(|&k| k != left).map(|k| nodes[k]).collect();
            face.sort_unstable();
            *seen.entry([face[0], face[1], face[2]]).or_default() += 1;
        }
    }
    assert!(seen.values().all(|&count| count <= 2));
    // a torus: vertices − edges + faces of the skin come to 0
    let skin: Vec<[u32; 3]> = seen.iter().filter(|(_, count)| **count == 1).map(|(face, _)| *face).collect();
    let nodes: BTreeSet<u32> = skin.iter().flatten().copied().collect();
    let edges: BTreeSet<[u32; 2]> = skin.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [a, c]]).collect();
    assert_eq!(nodes.len() + skin.len(), edges.len());
}
