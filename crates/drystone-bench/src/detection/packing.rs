//! Dense packings made from a number, for measuring. They come to no rest and are the same at every run.

use drystone_geometry::{Contactor, Polytope, Shape, ShapeError};
use drystone_math::{Orientation, Pose, Vector};

/// Frames of a packing: so many steps in a row, then from the start.
const FRAMES: usize = 3;
/// How far a body moves from frame to frame, over its size.
const MOTION: f64 = 2e-3;

/// Contactors, one a body, in a few poses between which they move a little.
#[derive(Clone, Debug)]
pub struct Packed<const D: usize> {
    /// The contactors.
    pub contactors: Vec<Contactor<D>>,
    /// Their poses, frame after frame.
    pub frames: Vec<Vec<Pose<D>>>,
    /// Their margins \[m\].
    pub margins: Vec<f64>,
    /// The skin of the detector, see [`Detector::with_skin`](drystone_detect::Detector::with_skin).
    pub skin: f64,
}

impl Packed<2> {
    /// About so many disks of nearly one size on a triangular lattice, shaken: four contacts a disk.
    pub fn disks(bodies: usize) -> Self {
        let side = root(bodies, 2);
        let place = |k: usize| {
            let (column, row) = ((k % side) as f64, (k / side) as f64);
            Vector::<2>::new(column + 0.5 * (row % 2.0), row * 0.75f64.sqrt())
        };
        let shapes = (0..side * side).map(|k| (Shape::Ball { radius: 0.5 * (1.0 + 0.05 * noise(k)) }, 0.5));
        Self::shaken(shapes.collect(), &place, 0.05, false)
    }
}

impl Packed<3> {
    /// About so many spheres of nearly one size on a face-centred lattice, shaken: six contacts a sphere.
    pub fn spheres(bodies: usize) -> Self {
        let side = root(bodies / 4, 3);
        let shapes =
            (0..4 * side.pow(3)).map(|k| (Shape::Ball { radius: 0.49 * (1.0 + 0.05 * noise(k)) }, 0.5));
        Self::shaken(shapes.collect(), &|k| face_centred(k, side), 0.05, false)
    }

    /// The same spheres, whose near pairs are found once and kept while they move.
    pub fn kept_spheres(bodies: usize) -> Self {
        Self { skin: 0.1, ..Self::spheres(bodies) }
    }

    /// The same spheres numbered at random: what is near in space is far in memory.
    pub fn shuffled_spheres(bodies: usize) -> Self {
        let mut packed = Self::spheres(bodies);
        let count = packed.contactors.len();
        for k in 0..count {
            let other = (((0.5 + 0.5 * noise(k + 77)) * count as f64) as usize).min(count - 1);
            packed.frames.iter_mut().for_each(|frame| frame.swap(k, other));
        }
        packed
    }

    /// About so many icosahedra, which have 12 vertices, on a face-centred lattice, shaken and turned at
    /// random.
    pub fn polyhedra(bodies: usize) -> Result<Self, ShapeError> {
        let side = root(bodies / 4, 3);
        let shape = Shape::from(Polytope::hull(icosahedron(0.55))?);
        let shapes = (0..4 * side.pow(3)).map(|_| (shape.clone(), 0.55));
        Ok(Self::shaken(shapes.collect(), &|k| face_centred(k, side), 0.05, true))
    }

    /// About so many cubes stacked face to face.
    pub fn cubes(bodies: usize) -> Result<Self, ShapeError> {
        let side = root(bodies, 3);
        let shape = Shape::from(Polytope::cuboid([1.0; 3])?);
        let shapes = (0..side.pow(3)).map(|_| (shape.clone(), 0.5));
        Ok(Self::shaken(shapes.collect(), &|k| cubic(k, side), 0.0, false))
    }

    /// About so many spheres whose sizes span `decades` factors of ten: above the pole of one large sphere, a
    /// lattice of others a tenth as large, in the middle of that one the pores filled with spheres a tenth as
    /// large again, and so on.
    pub fn mixed_spheres(bodies: usize, decades: u32) -> Self {
        let largest = 10f64.powi(decades as i32);
        let mut spheres = vec![(Vector::<3>::new(0.0, 0.0, -0.5 * largest), 0.5 * largest)];
        let mut coarse = 0;
        // half of the lattice of a class is pore, where the next finds its place
        let each = 2.0 * bodies as f64 / f64::from(decades.max(1));
        for class in 1..=decades {
            let size = 10f64.powi((decades - class) as i32);
            let side = root((each * if class == 1 { 0.6 } else { 1.1 }) as usize, 3);
            let corner = Vector::<3>::new(-0.5, -0.5, -0.5) * (side as f64 * size);
            let middle = Vector::<3>::repeat(0.123 * size * 10.0);
            let known = spheres.len();
            for k in 0..side.pow(3) {
                let place = middle + corner + (cubic(k, side) + Vector::repeat(0.03 * noise(k))) * size;
                let radius = 0.5 * size * (1.0 + 0.03 * noise(k + 9));
                let free = |other: &(Vector<3>, f64)| (place - other.0).norm() > other.1 + 0.97 * radius;
                if free(&spheres[0]) && spheres[coarse..known].iter().all(free) {
                    spheres.push((place, radius));
                }
            }
            coarse = known;
        }
        let shapes = spheres.iter().map(|&(_, radius)| (Shape::Ball { radius }, radius)).collect();
        Self::shaken(shapes, &|k| spheres[k].0, 0.0, false)
    }
}

impl<const D: usize> Packed<D> {
    /// Shapes, each with its size, at their places, shaken by a part of the spacing and turned if asked to.
    fn shaken(
        shapes: Vec<(Shape<D>, f64)>,
        place: &dyn Fn(usize) -> Vector<D>,
        shake: f64,
        turned: bool,
    ) -> Self {
        let sizes: Vec<f64> = shapes.iter().map(|shape| shape.1).collect();
        let pose = |k: usize, frame: usize| {
            let around = |salt: usize| Vector::<D>::from_fn(|axis, _| noise(7 * k + 31 * salt + axis));
            let angle = |axis: usize| if turned { 3.0 * noise(3 * k + axis) } else { 0.0 };
            Pose {
                position: place(k) + around(0) * shake + around(frame + 1) * (MOTION * sizes[k]),
                orientation: Orientation::from_euler_angles(angle(0), angle(1), angle(2)),
            }
        };
        let frame = |frame: usize| (0..sizes.len()).map(|k| pose(k, frame)).collect();
        Self {
            frames: (0..FRAMES).map(frame).collect(),
            margins: sizes.iter().map(|size| 0.02 * size).collect(),
            skin: 0.0,
            contactors: shapes
                .into_iter()
                .zip(0..)
                .map(|((shape, _), body)| Contactor { body, shape, local: Pose::identity() })
                .collect(),
        }
    }
}

/// The side of a square or a cube of about so many.
fn root(count: usize, dimension: i32) -> usize {
    (count as f64).powf(1.0 / f64::from(dimension)).round().max(2.0) as usize
}

/// Place in a cubic lattice of so many a side, one unit apart.
fn cubic(k: usize, side: usize) -> Vector<3> {
    Vector::<3>::new((k % side) as f64, (k / side % side) as f64, (k / side / side) as f64)
}

/// Place in a face-centred lattice of four a cell, the nearest one unit apart.
fn face_centred(k: usize, side: usize) -> Vector<3> {
    let half = [[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]][k % 4];
    (cubic(k / 4, side) + Vector::<3>::from(half)) * 2f64.sqrt()
}

/// A number in [-1, 1) from an index, the same at every run.
fn noise(index: usize) -> f64 {
    let mixed = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ mixed >> 29) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn icosahedron(radius: f64) -> Vec<Vector<3>> {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let corner = |k: usize| {
        let (axis, short, long) =
            (k % 3, if (k / 3).is_multiple_of(2) { 1.0 } else { -1.0 }, if k < 6 { golden } else { -golden });
        let mut place = Vector::<3>::zeros();
        place[(axis + 1) % 3] = short;
        place[(axis + 2) % 3] = long;
        place.normalize() * radius
    };
    (0..12).map(corner).collect()
}
