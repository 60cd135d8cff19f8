//! Convex polyhedra filled with tetrahedra: each face seen from a point within, and each of these pieces cut
//! evenly. Forms that are not convex come from files.

use super::Mesh;
use super::build::{divisions, finish, middle, wrong_kind};
use crate::element::ElementKind;
use crate::error::{MeshFault, require};
use drystone_math::Vector;
use std::collections::BTreeMap;

/// Most tetrahedra.
const MOST: f64 = 5e6;

/// A convex polyhedron, by its corners \[m\] and its faces, loops of corners counterclockwise from outside,
/// with elements of about a size: TE4 or TE10. Groups `skin`, and for each face `face-0`, `face-1` and so on.
pub fn polyhedron_mesh(
    corners: &[Vector<3>],
    faces: &[Vec<u32>],
    size: f64,
    kind: ElementKind,
) -> Result<Mesh<3>, MeshFault> {
    if kind.linear() != ElementKind::Te4 {
        return Err(wrong_kind(kind, "TE4 and TE10"));
    }
    let mean = |list: &mut dyn Iterator<Item = Vector<3>>| {
        let (mut sum, mut count) = (Vector::<3>::zeros(), 0.0);
        list.for_each(|x| (sum, count) = (sum + x, count + 1.0));
        sum / count
    };
    let mut points = corners.to_vec();
    let inside = points.len() as u32;
    points.push(mean(&mut corners.iter().copied()));
    let mut pieces = Vec::new();
    let mut longest = 0.0_f64;
    for face in faces {
        let middle = points.len() as u32;
        points.push(mean(&mut face.iter().map(|&corner| corners[corner as usize])));
        for (&a, &b) in face.iter().zip(face.iter().cycle().skip(1)) {
            let edges = [(a, b), (a, middle), (a, inside), (middle, inside)];
            let length = |(one, two): (u32, u32)| (points[one as usize] - points[two as usize]).norm();
            longest = edges.map(length).into_iter().fold(longest, f64::max);
            let mut piece = [inside, middle, a, b];
            // the order that faces between pieces share
            piece.sort_unstable();
            pieces.push(piece);
        }
    }
    let n = divisions(longest, size)? as u32;
    let count = pieces.len() as f64 * f64::from(n).powi(3);
    require(count <= MOST, "the number of elements", count, "at most 5e6 are allowed; take larger ones")?;
    let mut cut = Cut { points: &points, n, nodes: Vec::new(), known: BTreeMap::new() };
    let mut elements = Vec::new();
    pieces.iter().for_each(|piece| cut.piece(piece, &mut elements));
    let nodes = cut.nodes;
    let whole = elements.into_iter().map(|element| (ElementKind::Te4, element.to_vec()));
    let mut mesh = finish(Mesh::new(nodes, whole)?, kind, middle);
    let extent = corners.iter().map(|corner| (corner - points[inside as usize]).norm()).fold(0.0, f64::max);
    for (number, face) in faces.iter().enumerate() {
        let at = |k: usize| corners[face[k] as usize];
        let normal = (1..face.len() - 1)
            .map(|k| (at(k) - at(0)).cross(&(at(k + 1) - at(0))))
            .fold(Vector::<3>::zeros(), |sum, x| sum + x)
            .normalize();
        let base = at(0);
        mesh.group_faces(&format!("face-{number}"), |x| (x - base).dot(&normal).abs() <= 1e-9 * extent);
    }
    mesh.group_faces("skin", |_| true);
    Ok(mesh)
}

/// Pieces cut into n³ tetrahedra each (Freudenthal 1942): neighbours cut their face alike.
struct Cut<'a> {
    points: &'a [Vector<3>],
    n: u32,
    nodes: Vec<Vector<3>>,
    /// Nodes by the shares of the points that they lie between.
    known: BTreeMap<[(u32, u32); 4], u32>,
}

impl Cut<'_> {
    fn piece(&mut self, piece: &[u32; 4], elements: &mut Vec<[u32; 4]>) {
        const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let n = self.n;
        for place in 0..n.pow(3) {
            let base = [place % n, place / n % n, place / n.pow(2)];
            for order in ORDERS {
                let mut path = [base; 4];
                for (step, &axis) in order.iter().enumerate() {
                    path[step + 1] = path[step];
                    path[step + 1][axis] += 1;
                }
                let inside = |[x, y, z]: &[u32; 3]| n >= *x && x >= y && y >= z;
                if path.iter().all(inside) {
                    let element = path.map(|[x, y, z]| self.node(piece, [n - x, x - y, y - z, z]));
                    elements.push(self.turned(element));
                }
            }
        }
    }

    /// The node with these shares of the corners of a piece.
    fn node(&mut self, piece: &[u32; 4], shares: [u32; 4]) -> u32 {
        let mut key: [(u32, u32); 4] = std::array::from_fn(|k| match shares[k] {
            0 => (u32::MAX, 0),
            share => (piece[k], share),
        });
        key.sort_unstable();
        let (nodes, points, n) = (&mut self.nodes, self.points, f64::from(self.n));
        *self.known.entry(key).or_insert_with(|| {
            let part = |&(point, share): &(u32, u32)| points[point as usize] * (f64::from(share) / n);
            let place = key.iter().filter(|one| one.1 > 0).map(part);
            nodes.push(place.fold(Vector::<3>::zeros(), |sum, x| sum + x));
            nodes.len() as u32 - 1
        })
    }

    /// With a positive volume.
    fn turned(&self, [a, b, c, d]: [u32; 4]) -> [u32; 4] {
        let at = |node: u32| self.nodes[node as usize];
        let volume = (at(b) - at(a)).cross(&(at(c) - at(a))).dot(&(at(d) - at(a)));
        if volume > 0.0 { [a, b, c, d] } else { [a, c, b, d] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::MeshLimits;

    fn volume(mesh: &Mesh<3>) -> f64 {
        let of = |nodes: &[u32]| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| mesh.nodes()[nodes[k] as usize]);
            (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
        };
        mesh.elements().map(|(_, nodes)| of(nodes)).sum()
    }

    #[test]
    fn convex_polyhedra_are_filled() {
        let box_corners: Vec<Vector<3>> = (0..8_u32)
            .map(|k| Vector::<3>::new(f64::from(k % 2), f64::from(k / 2 % 2) * 0.5, f64::from(k / 4) * 0.8))
            .collect();
        let box_faces = vec![
            vec![0, 2, 3, 1],
            vec![4, 5, 7, 6],
            vec![0, 1, 5, 4],
            vec![2, 6, 7, 3],
            vec![0, 4, 6, 2],
            vec![1, 3, 7, 5],
        ];
        let tetrahedron: Vec<Vector<3>> =
            [[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.2, 1.0, 0.0], [0.3, 0.2, 0.9]]
                .map(Vector::<3>::from)
                .to_vec();
        let faces = vec![vec![0, 2, 1], vec![0, 1, 3], vec![1, 2, 3], vec![2, 0, 3]];
        for (corners, faces, exact) in [(box_corners, box_faces, 0.4), (tetrahedron, faces, 0.882 / 6.0)] {
            for size in [0.6, 0.3, 0.15] {
                let mesh = polyhedron_mesh(&corners, &faces, size, ElementKind::Te4).unwrap();
                mesh.check(&MeshLimits { quality: 0.01, ..MeshLimits::default() }).unwrap();
                assert!((volume(&mesh) / exact - 1.0).abs() < 1e-12, "{}", volume(&mesh));
                let count = |name: &str| mesh.group(name).unwrap().faces.len();
                let all: usize = (0..faces.len()).map(|face| count(&format!("face-{face}"))).sum();
                assert_eq!(all, count("skin"));
                polyhedron_mesh(&corners, &faces, size, ElementKind::Te10)
                    .unwrap()
                    .check(&MeshLimits::default())
                    .unwrap();
            }
            assert!(polyhedron_mesh(&corners, &faces, 0.2, ElementKind::H8).is_err());
        }
    }
}
