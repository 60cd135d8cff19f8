//! Built-in meshes and what is refused.

use drystone_elements::MeshFault;
use drystone_elements::element::ElementKind;
use drystone_elements::mesh::{
    ElementFace, Mesh, MeshGroup, MeshLimits, cuboid_mesh, cylinder_mesh, disk_mesh, rectangle_mesh,
};
use drystone_elements::model::{Kinematics, SolidModel};
use drystone_math::Vector;
use std::f64::consts::PI;
use std::sync::Arc;

use crate::bodies::*;

fn volume<const D: usize>(mesh: Mesh<D>, kinematics: Kinematics) -> f64 {
    let model = model(mesh, kinematics, hooke(1.0, 0.3), 1.0);
    let along: Vec<f64> = (0..model.dofs()).map(|dof| f64::from(u8::from(dof % D == 0))).collect();
    dot(&along, &model.mass_matrix().times(&along))
}

#[test]
fn built_in_meshes_fill_their_shapes() {
    for kind in ElementKind::ALL {
        if kind.dimension() == 2 {
            assert!((volume(rectangle_mesh([2.0, 0.5], 0.1, kind).unwrap(), STRAIN) - 1.0).abs() < 1e-12);
            let disk = disk_mesh(1.0, 0.125, kind).unwrap();
            let rim = disk.group("rim").unwrap();
            assert_eq!(rim.faces, disk.skin().faces, "{kind}");
            let off = (volume(disk, STRAIN) / PI - 1.0).abs();
            assert!(off < if kind.is_quadratic() { 2e-5 } else { 1e-2 }, "{kind} {off:e}");
        } else {
            let cuboid = cuboid_mesh([1.0, 0.5, 0.75], 0.25, kind).unwrap();
            let named: usize = ["left", "right", "front", "back", "bottom", "top"]
                .map(|name| cuboid.group(name).unwrap().faces.len())
                .iter()
                .sum();
            assert_eq!(named, cuboid.skin_faces().len());
            assert!((volume(cuboid, Kinematics::Space) - 0.375).abs() < 1e-12, "{kind}");
            let cylinder = cylinder_mesh(1.0, 0.5, 0.25, kind).unwrap();
            let named: usize = ["mantle", "bottom", "top"]
                .map(|name| cylinder.group(name).unwrap().faces.len())
                .iter()
                .sum();
            assert_eq!(named, cylinder.skin_faces().len(), "{kind}");
            let off = (volume(cylinder, Kinematics::Space) / (0.5 * PI) - 1.0).abs();
            assert!(off < if kind.is_quadratic() { 2e-3 } else { 4e-2 }, "{kind} {off:e}");
        }
    }
    // one element each
    assert_eq!(rectangle_mesh([1.0, 1.0], 5.0, ElementKind::Q4).unwrap().element_count(), 1);
    assert_eq!(disk_mesh(1.0, 5.0, ElementKind::T3).unwrap().element_count(), 6);
    assert!(disk_mesh(1.0, 5.0, ElementKind::Q4).is_ok());
}

#[test]
fn skins_close_and_their_facets_lie_on_them() {
    let mesh = cylinder_mesh(1.0, 0.5, 0.5, ElementKind::H20).unwrap();
    let skin = mesh.skin();
    assert!(skin.nodes.len() < mesh.nodes().len());
    // six facets for a face of eight nodes, and together they close: their areas add up to nothing
    assert_eq!(skin.facets.len(), 6 * skin.faces.len());
    let sum = skin.facets.iter().fold(Vector::<3>::zeros(), |sum, facet| {
        let [a, b, c] = facet.corners.map(|node| mesh.nodes()[node as usize]);
        sum + (b - a).cross(&(c - a)) * 0.5
    });
    assert!(sum.norm() < 1e-12, "{sum:?}");
}

fn square() -> Vec<Vector<2>> {
    [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]].map(Vector::from).to_vec()
}

fn quad(nodes: [u32; 4]) -> (ElementKind, Vec<u32>) {
    (ElementKind::Q4, nodes.to_vec())
}

fn refused(nodes: Vec<Vector<2>>, elements: Vec<(ElementKind, Vec<u32>)>) -> MeshFault {
    match Mesh::new(nodes, elements) {
        Ok(mesh) => mesh.check(&MeshLimits::default()).unwrap_err(),
        Err(fault) => fault,
    }
}

#[test]
fn faults_are_found_where_they_are() {
    let good = [quad([0, 1, 2, 3]), quad([1, 4, 5, 2])];
    Mesh::new(square(), good.clone()).unwrap().check(&MeshLimits::default()).unwrap();
    let [one, other] = good;
    let fault = refused(square(), vec![one.clone(), quad([1, 2, 5, 4])]);
    assert!(matches!(fault, MeshFault::Inverted { element: 1, .. }), "{fault}");
    let fault = refused(square(), vec![one.clone(), quad([1, 4, 2, 5])]);
    assert!(matches!(fault, MeshFault::Tangled { element: 1, .. }), "{fault}");
    let mut flat = square();
    flat[4] = Vector::from([1.0 + 1e-9, 0.0]);
    flat[5] = Vector::from([1.0 + 1e-9, 1.0]);
    let fault = refused(flat, vec![one.clone(), other.clone()]);
    assert!(matches!(fault, MeshFault::Degenerate { element: 1, .. }), "{fault}");
    let fault = refused(square(), vec![one.clone()]);
    assert!(matches!(fault, MeshFault::Unconnected { node: 4, .. }), "{fault}");
    assert!(fault.to_string().contains("(2.000000, 0.000000)"), "{fault}");
    let fault = refused(square(), vec![one.clone(), other.clone(), one.clone()]);
    assert!(matches!(fault, MeshFault::Folded { .. } | MeshFault::CrowdedFace { .. }), "{fault}");
    let fault = refused(square(), vec![]);
    assert_eq!(fault, MeshFault::Empty);
    let fault = refused(square(), vec![quad([0, 1, 2, 9])]);
    assert!(matches!(fault, MeshFault::NoSuchNode { element: 0, node: 9, nodes: 6 }), "{fault}");
    let fault = refused(square(), vec![quad([0, 1, 1, 3])]);
    assert!(matches!(fault, MeshFault::RepeatedNode { element: 0, node: 1 }), "{fault}");
    let fault = refused(square(), vec![(ElementKind::Q4, vec![0, 1, 2])]);
    assert!(matches!(fault, MeshFault::NodeCount { found: 3, allowed: 4, .. }), "{fault}");
    let fault = refused(square(), vec![(ElementKind::H8, vec![0; 8])]);
    assert!(matches!(fault, MeshFault::Kind { element: 0, .. }), "{fault}");
    let mut endless = square();
    endless[3] = Vector::from([f64::NAN, 0.0]);
    assert_eq!(refused(endless, vec![one.clone()]), MeshFault::NotFinite { node: 3 });
    // drawn in millimetres
    let large = square().iter().map(|x| x * 1000.0).collect();
    let fault = refused(large, vec![one, other]);
    assert!(matches!(fault, MeshFault::Unit { .. }), "{fault}");
    assert!(fault.to_string().contains("unit"), "{fault}");
}

#[test]
fn elements_folded_over_each_other_are_found() {
    // the second triangle lies on the first, right way round
    let nodes = [[0.0, 0.0], [1.0, 0.0], [0.5, 1.0], [0.5, 0.7]].map(Vector::from).to_vec();
    let triangles = [(ElementKind::T3, vec![0, 1, 2]), (ElementKind::T3, vec![0, 1, 3])];
    let fault = refused(nodes, triangles.to_vec());
    assert_eq!(fault, MeshFault::Folded { elements: [0, 1], nodes: vec![0, 1] });
    let mut mesh = cuboid_mesh([1.0; 3], 1.0, ElementKind::H8).unwrap();
    mesh.check(&MeshLimits::default()).unwrap();
    mesh.add_to_group("all", &MeshGroup { elements: vec![0], ..MeshGroup::default() });
    assert_eq!(mesh.group("all").unwrap().nodes.len(), 8);
    let face = ElementFace { element: 0, face: 1 };
    mesh.add_to_group("all", &MeshGroup { faces: vec![face, face], ..MeshGroup::default() });
    assert_eq!(mesh.group("all").unwrap().faces.len(), 1);
    let missing = mesh.group("lid").unwrap_err().to_string();
    assert!(missing.contains("\"lid\"") && missing.contains("\"top\""), "{missing}");
}

#[test]
fn numbers_that_make_no_mesh_are_refused() {
    assert!(rectangle_mesh([0.0, 1.0], 0.1, ElementKind::Q4).is_err());
    assert!(rectangle_mesh([1.0, 1.0], -0.1, ElementKind::Q4).is_err());
    assert!(rectangle_mesh([1.0, 1.0], f64::NAN, ElementKind::Q4).is_err());
    assert!(rectangle_mesh([1.0, 1.0], 1e-9, ElementKind::Q4).is_err());
    assert!(rectangle_mesh([1.0, 1.0], 0.1, ElementKind::H8).is_err());
    assert!(disk_mesh(f64::INFINITY, 0.1, ElementKind::T3).is_err());
    assert!(cuboid_mesh([1.0; 3], 0.1, ElementKind::T3).is_err());
    assert!(cylinder_mesh(1.0, -1.0, 0.1, ElementKind::H8).is_err());
    let mesh = Arc::new(rectangle_mesh([1.0, 1.0], 0.5, ElementKind::Q4).unwrap());
    for (kinematics, density) in
        [(STRAIN, 0.0), (Kinematics::PlaneStrain { depth: 0.0 }, 1.0), (STRAIN, f64::NAN)]
    {
        assert!(
            SolidModel::new(Arc::clone(&mesh), kinematics, hooke(1.0, 0.3), density, Default::default())
                .is_err()
        );
    }
    // left of the axis
    let refused = SolidModel::new(mesh, Kinematics::Axisymmetric, hooke(1.0, 0.3), 1.0, Default::default());
    assert!(refused.unwrap_err().to_string().contains("negative radius"));
}
