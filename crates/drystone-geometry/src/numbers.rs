//! Shapes as plain numbers, for files that must give them back to the bit. Opens no file.

use crate::{Edge, Face, Polytope, Shape};
use drystone_math::Vector;
use std::sync::Arc;

/// A shape as numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeNumbers {
    /// Which kind of shape.
    pub kind: u32,
    /// Counts and indices.
    pub integers: Vec<u32>,
    /// Lengths and coordinates.
    pub reals: Vec<f64>,
}

impl<const D: usize> Shape<D> {
    /// The shape as numbers; none of a surface, or of a piece of a solid that was cut, which know more than
    /// their corners.
    pub fn to_numbers(&self) -> Option<ShapeNumbers> {
        let plain =
            |kind: u32, reals: &[f64]| ShapeNumbers { kind, reals: reals.to_vec(), ..Default::default() };
        match self {
            Shape::Ball { radius } => Some(plain(0, &[*radius])),
            Shape::HalfSpace => Some(plain(1, &[])),
            Shape::Polytope(polytope) => polytope.to_numbers(2, 0.0),
            Shape::Point => Some(plain(3, &[])),
            Shape::Capsule { half_length, radius } => Some(plain(4, &[*half_length, *radius])),
            Shape::Rounded { core, radius } => core.to_numbers(5, *radius),
            Shape::Cylinder { radius, half_height } => Some(plain(6, &[*radius, *half_height])),
            Shape::Hollow { radius, half_height } => Some(plain(7, &[*radius, *half_height])),
            Shape::Surface(_) => None,
        }
    }

    /// The shape that such numbers came from; none where they do not fit each other.
    pub fn from_numbers(numbers: &ShapeNumbers) -> Option<Self> {
        let ShapeNumbers { kind, integers, reals } = numbers;
        if reals.iter().any(|x| x.is_nan()) {
            return None;
        }
        match (kind, &reals[..]) {
            (0, &[radius]) => Some(Shape::Ball { radius }),
            (1, []) => Some(Shape::HalfSpace),
            (2, [_, rest @ ..]) => Some(Polytope::from_numbers(integers, rest)?.into()),
            (3, []) => Some(Shape::Point),
            (4, &[half_length, radius]) => Some(Shape::Capsule { half_length, radius }),
            (5, [radius, rest @ ..]) => {
                let core = Arc::new(Polytope::from_numbers(integers, rest)?);
                Some(Shape::Rounded { core, radius: *radius })
            }
            (6, &[radius, half_height]) => Some(Shape::Cylinder { radius, half_height }),
            (7, &[radius, half_height]) => Some(Shape::Hollow { radius, half_height }),
            _ => None,
        }
    }
}

impl<const D: usize> Polytope<D> {
    fn to_numbers(&self, kind: u32, radius: f64) -> Option<ShapeNumbers> {
        if !self.neighbours.is_empty() {
            return None;
        }
        let counts = [self.vertices.len(), self.faces.len(), self.edges.len()];
        let mut integers: Vec<u32> = counts.iter().map(|&count| count as u32).collect();
        let mut reals = vec![radius];
        reals.extend(self.vertices.iter().flat_map(|vertex| vertex.iter().copied().collect::<Vec<_>>()));
        for Face { normal, vertices, sides, edges } in &self.faces {
            integers.extend([vertices.len() as u32, sides.len() as u32, edges.len() as u32]);
            integers.extend(vertices.iter().chain(edges));
            reals.extend(normal.iter());
            sides.iter().for_each(|side| reals.extend(side.iter()));
        }
        integers.extend(self.edges.iter().flat_map(|edge| [edge.vertices, edge.faces].concat()));
        Some(ShapeNumbers { kind, integers, reals })
    }

    fn from_numbers(integers: &[u32], reals: &[f64]) -> Option<Self> {
        let mut integers = integers.iter().copied();
        let mut vectors = reals.chunks_exact(D).map(Vector::<D>::from_column_slice);
        if !reals.len().is_multiple_of(D) {
            return None;
        }
        let [corners, faces, edges] = [integers.next()?, integers.next()?, integers.next()?];
        let (all_integers, all_vectors) = (integers.len(), vectors.len());
        let below = |index: u32, count: u32| (index < count).then_some(index);
        // no more than the numbers there are can be asked for
        let few = |count: u32, most: usize| ((count as usize) <= most).then_some(count);
        few(corners, all_vectors)?;
        few(faces, all_vectors)?;
        few(edges, all_integers)?;
        let vertices = (0..corners).map(|_| vectors.next()).collect::<Option<Vec<_>>>()?;
        let mut made = Vec::with_capacity(faces as usize);
        for _ in 0..faces {
            let [around, across, along] = [integers.next()?, integers.next()?, integers.next()?];
            let normal = vectors.next()?;
            let own = (0..around).map(|_| below(integers.next()?, corners)).collect::<Option<Vec<_>>>()?;
            let own_edges = (0..along).map(|_| below(integers.next()?, edges)).collect::<Option<Vec<_>>>()?;
            let sides = (0..across).map(|_| vectors.next()).collect::<Option<Vec<_>>>()?;
            if own.is_empty()
                || sides.len() != own.len()
                || !(own_edges.is_empty() || own_edges.len() == own.len())
            {
                return None;
            }
            made.push(Face { normal, vertices: own, sides, edges: own_edges });
        }
        let mut ends = Vec::with_capacity(edges as usize);
        for _ in 0..edges {
            let vertices = [below(integers.next()?, corners)?, below(integers.next()?, corners)?];
            let faces = [below(integers.next()?, faces)?, below(integers.next()?, faces)?];
            ends.push(Edge { vertices, faces });
        }
        let is_whole = integers.next().is_none() && vectors.next().is_none() && corners > 0;
        is_whole.then(|| Self::assemble(vertices, made, ends))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_math::Pose;

    #[test]
    fn shapes_come_back_to_the_bit_and_spoiled_numbers_do_not() {
        let turned = Pose::<3> {
            position: Vector::<3>::new(0.1, -0.2, 0.3),
            orientation: drystone_math::portable::turn(&Vector::<3>::y_axis(), 0.7),
        };
        let cuboid = Polytope::cuboid([0.2, 0.3, 0.7]).unwrap();
        let moved = cuboid.transformed(&turned);
        for polytope in [cuboid, moved] {
            let numbers = Shape::from(polytope.clone()).to_numbers().unwrap();
            let Some(Shape::Polytope(again)) = Shape::<3>::from_numbers(&numbers) else {
                panic!("no polytope")
            };
            assert_eq!(*again, polytope);
            // any index too large, and any list too short, is found
            for k in 0..numbers.integers.len() {
                let mut spoiled = numbers.clone();
                spoiled.integers[k] = u32::MAX;
                assert!(Shape::<3>::from_numbers(&spoiled).is_none());
                spoiled = numbers.clone();
                spoiled.integers.truncate(k);
                assert!(Shape::<3>::from_numbers(&spoiled).is_none());
            }
            let mut spoiled = numbers.clone();
            spoiled.reals.pop();
            assert!(Shape::<3>::from_numbers(&spoiled).is_none());
        }
        let triangle =
            Polytope::polygon([[0.0, 0.0], [1.0, 0.0], [0.3, 0.8]].map(Vector::<2>::from).to_vec()).unwrap();
        let rounded = Shape::rounded(triangle.clone(), 0.1).unwrap();
        let Some(Shape::Rounded { core, radius }) = Shape::<2>::from_numbers(&rounded.to_numbers().unwrap())
        else {
            panic!("not rounded")
        };
        assert!(*core == triangle && radius == 0.1);
        let plain: [Shape<3>; 4] =
            [Shape::ball(0.3).unwrap(), Shape::HalfSpace, Shape::Point, Shape::cylinder(0.1, 0.4).unwrap()];
        for shape in plain {
            let numbers = shape.to_numbers().unwrap();
            let again = Shape::<3>::from_numbers(&numbers).unwrap();
            assert_eq!(again.to_numbers().unwrap(), numbers);
        }
    }
}
