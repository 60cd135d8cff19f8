//! Which element a point lies in, and the weights of its nodes there. Knows the mesh as it is given, not as
//! it is deformed.

use super::Mesh;
use crate::element::{ElementKind, jacobian};
use crate::tensor::inverse_transposed;
use drystone_math::Vector;

/// How far outside of an element a point may be to count as inside, in its reference coordinates: rounding,
/// and nodes of files with six digits.
const INSIDE: f64 = 1e-5;

/// Most steps of Newton's method for the reference coordinates of a point.
const MOST_STEPS: usize = 30;

impl<const D: usize> Mesh<D> {
    /// Nodes of the first element that has the point within it, with their shape functions there, which sum
    /// up to one and give the point as the mean of their places; `None` for a point outside of the mesh.
    pub fn locate(&self, point: &Vector<D>) -> Option<Vec<(u32, f64)>> {
        self.elements().find_map(|(kind, nodes)| {
            let places: Vec<Vector<D>> = nodes.iter().map(|&node| self.nodes()[node as usize]).collect();
            let weights = is_near(&places, point).then(|| weights_at(kind, &places, point))??;
            Some(nodes.iter().copied().zip(weights).collect())
        })
    }
}

/// Whether a point is in the box around some places, a quarter larger on all sides: curved faces bulge.
fn is_near<const D: usize>(places: &[Vector<D>], point: &Vector<D>) -> bool {
    (0..D).all(|axis| {
        let along = places.iter().map(|place| place[axis]);
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let more = 0.25 * (high - low);
        (low - more..=high + more).contains(&point[axis])
    })
}

/// Shape functions of an element at a point of space, where it is inside.
fn weights_at<const D: usize>(
    kind: ElementKind,
    places: &[Vector<D>],
    point: &Vector<D>,
) -> Option<Vec<f64>> {
    let table = kind.reference();
    let corners = &table.nodes[..table.corners];
    let mut at: [f64; 3] = std::array::from_fn(|axis| {
        corners.iter().map(|corner| corner[axis]).sum::<f64>() / corners.len() as f64
    });
    for _ in 0..MOST_STEPS {
        let shape = (table.shape)(&at);
        let here = places.iter().zip(&shape.n).fold(Vector::<D>::zeros(), |sum, (place, n)| sum + place * *n);
        let (map, determinant) = jacobian(places, &shape);
        if determinant.is_nan() || determinant == 0.0 {
            return None;
        }
        let (inverse, off) = (inverse_transposed(&map), point - here);
        // rows of the inverse are columns of what is transposed
        let step: [f64; 3] =
            std::array::from_fn(|i| if i < D { (0..D).map(|j| inverse[j][i] * off[j]).sum() } else { 0.0 });
        (0..D).for_each(|axis| at[axis] += step[axis]);
        if step.iter().all(|x| x.abs() < 1e-13) {
            break;
        }
    }
    // functions of corners are negative somewhere for every point outside
    let corners = (kind.linear().reference().shape)(&at).n;
    let inside = corners[..table.corners].iter().all(|&n| n >= -INSIDE);
    inside.then(|| (table.shape)(&at).n[..places.len()].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::ElementKind;
    use crate::mesh::{cuboid_mesh, cylinder_mesh, disk_mesh, rectangle_mesh};

    /// Points within have weights that sum up to one and give them back; points outside have none.
    fn hold<const D: usize>(mesh: &Mesh<D>, inside: &[Vector<D>], outside: &[Vector<D>]) {
        for point in inside.iter().chain(mesh.nodes()) {
            let parts = mesh.locate(point).unwrap_or_else(|| panic!("{point} is inside"));
            let sum: f64 = parts.iter().map(|part| part.1).sum();
            let mean = parts
                .iter()
                .fold(Vector::zeros(), |sum, &(node, weight)| sum + mesh.nodes()[node as usize] * weight);
            assert!((sum - 1.0).abs() < 1e-12 && (mean - point).norm() < 1e-12, "{point}: {sum}, {mean}");
        }
        for point in outside {
            assert_eq!(mesh.locate(point), None, "{point}");
        }
    }

    #[test]
    fn points_of_all_elements_are_found() {
        let inside = [[0.0, 0.0], [0.31, -0.07], [-0.49, 0.19], [0.5, 0.2]].map(Vector::<2>::from);
        let outside = [[0.5001, 0.0], [0.0, 0.21], [3.0, 3.0]].map(Vector::<2>::from);
        for kind in [ElementKind::T3, ElementKind::T6, ElementKind::Q4, ElementKind::Q8] {
            hold(&rectangle_mesh([1.0, 0.4], 0.15, kind).unwrap(), &inside, &outside);
        }
        let disk = disk_mesh(1.0, 0.3, ElementKind::Q8).unwrap();
        hold(&disk, &[[0.0, 0.0], [0.6, -0.6]].map(Vector::<2>::from), &[[0.8, 0.8].into()]);
        let inside = [[0.0, 0.0, 0.0], [0.31, -0.07, 0.11], [-0.5, 0.2, 0.15]].map(Vector::<3>::from);
        let outside = [[0.5001, 0.0, 0.0], [0.0, 0.21, 0.0], [0.0, 0.0, -0.16]].map(Vector::<3>::from);
        for kind in [
            ElementKind::Te4,
            ElementKind::Te10,
            ElementKind::H8,
            ElementKind::H20,
            ElementKind::Pri6,
            ElementKind::Pri15,
        ] {
            hold(&cuboid_mesh([1.0, 0.4, 0.3], 0.15, kind).unwrap(), &inside, &outside);
            let round = cylinder_mesh(1.0, 1.0, 0.3, kind).unwrap();
            hold(
                &round,
                &[[0.0, 0.0, 0.0], [0.5, 0.6, 0.4]].map(Vector::<3>::from),
                &[[1.2, 0.0, 0.0].into()],
            );
        }
    }
}
