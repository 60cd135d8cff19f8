//! The surfaces of the bodies as polygons that move with them; where bodies come and go as triangles, anew in
//! each frame. Draws nothing.

use crate::column::Column;
use crate::folder::BodyRecord;
use crate::hdf5::Values;
use crate::records::{handle_words, shown, three};
use crate::series::{FrameData, SeriesPlan};
use crate::topology::{Cells, FrameCells, Topology};
use drystone::{Contactor, Pose, Shape, Simulation, SurfaceMesh, Vector};
use drystone_math::nalgebra::Quaternion;
use drystone_math::{Orientation, portable};
use std::collections::HashMap;

/// Corners of a drawn disk.
const DISK: usize = 32;

/// Segments of a full turn of other round shapes.
const ROUND: usize = 48;

/// More spheres than this are drawn with 42 corners each instead of 162.
const MANY_SPHERES: usize = 500;

/// The surface points in the axes of their bodies.
pub(crate) struct Surfaces {
    points: Vec<(u32, [f64; 3])>,
    /// The middle of the contactor that each point belongs to; none of a half-space.
    middles: Vec<Option<[f64; 3]>>,
    lines: Cells,
    polygons: Cells,
    /// Bodies of the lines, then of the polygons.
    line_bodies: Vec<u32>,
    polygon_bodies: Vec<u32>,
    /// Contactors whose points move in their bodies, and the first of them.
    skins: Vec<(u32, usize)>,
}

impl Surfaces {
    /// The surfaces of all contactors, with half-spaces cut to the size of the scene as it stands now.
    pub(crate) fn new<const D: usize>(simulation: &Simulation<D>) -> Self {
        Self::of(simulation, false)
    }

    /// The same; on demand with convex polygons only, closed lines of the plane being lines then.
    fn of<const D: usize>(simulation: &Simulation<D>, convex: bool) -> Self {
        let mut surfaces = Self {
            points: Vec::new(),
            middles: Vec::new(),
            lines: Cells::default(),
            polygons: Cells::default(),
            line_bodies: Vec::new(),
            polygon_bodies: Vec::new(),
            skins: Vec::new(),
        };
        let balls = |contactor: &&Contactor<D>| matches!(contactor.shape, Shape::Ball { .. });
        let fine = simulation.contactors().iter().filter(balls).count() <= MANY_SPHERES;
        let sphere = icosphere(if fine { 2 } else { 1 });
        for (index, contactor) in (0..).zip(simulation.contactors()) {
            if let Shape::Skin(_) = &contactor.shape {
                surfaces.skins.push((index, surfaces.points.len()));
            }
            match &contactor.shape {
                Shape::Ball { radius } if D == 2 => surfaces.add_disk(contactor, *radius),
                Shape::Ball { radius } => surfaces.add_sphere(contactor, *radius, &sphere),
                Shape::HalfSpace => surfaces.add_half_space(contactor, simulation),
                Shape::Polytope(polytope) if D == 2 => {
                    surfaces.add(contactor, polytope.vertices(), &[(0..polytope.vertices().len()).collect()])
                }
                Shape::Polytope(polytope) => {
                    let corners =
                        |face: &drystone::Face<D>| face.vertices.iter().map(|&v| v as usize).collect();
                    let faces: Vec<Vec<usize>> = polytope.faces().iter().map(corners).collect();
                    surfaces.add(contactor, polytope.vertices(), &faces);
                }
                // a point has no surface; the file of the bodies has its place
                Shape::Point => {}
                other => {
                    let outline = convex && matches!(other, Shape::Surface(_));
                    surfaces.add_skin(contactor, &other.skin(ROUND), other.is_wall() || outline);
                }
            }
            let bounded = !matches!(contactor.shape, Shape::HalfSpace);
            surfaces.middles.resize(surfaces.points.len(), bounded.then(|| three(&contactor.local.position)));
        }
        surfaces
    }

    /// What the file of the surfaces holds besides its frames.
    pub(crate) fn plan<const D: usize>(&self, simulation: &Simulation<D>) -> SeriesPlan {
        let bodies: Vec<u32> = self.line_bodies.iter().chain(&self.polygon_bodies).copied().collect();
        let groups = bodies.iter().map(|&body| simulation.bodies().group[body as usize].0).collect();
        SeriesPlan {
            topology: Topology::Fixed {
                points: self.points.len(),
                vertices: Cells::default(),
                lines: self.lines.clone(),
                polygons: self.polygons.clone(),
            },
            columns: if self.skins.is_empty() {
                Vec::new()
            } else {
                solid_columns([const { Vec::new() }; 3])
            },
            fixed_points: Vec::new(),
            fixed_cells: vec![
                Column::new("body", 1, Values::U32(bodies)),
                Column::new("group", 1, Values::U32(groups)),
            ],
            names: Vec::new(),
            groups: Vec::new(),
            notes: if self.skins.is_empty() { &SOLID_NOTES[..2] } else { SOLID_NOTES },
            chunk: crate::records::chunk(self.points.len()),
        }
    }

    /// What a file of surfaces that come and go holds besides its frames.
    pub(crate) fn open_plan<const D: usize>(simulation: &Simulation<D>) -> SeriesPlan {
        let empty = |name| Column::new(name, 1, Values::U32(Vec::new()));
        let topology = Topology::Changing(["id", "generation", "group"].map(empty).to_vec());
        let fixed = Self::new(simulation).plan(simulation);
        let columns = Vec::new();
        SeriesPlan { topology, columns, fixed_cells: Vec::new(), notes: OPEN_NOTES, ..fixed }
    }

    /// The surfaces of the bodies that are there now.
    pub(crate) fn open_rows<const D: usize>(simulation: &Simulation<D>) -> FrameData {
        let surfaces = Self::of(simulation, true);
        let (mut cells, mut bodies) = (FrameCells::default(), Vec::new());
        for (line, &body) in surfaces.lines.iter().zip(&surfaces.line_bodies) {
            cells.segments.extend(line.windows(2).map(|ends| [ends[0], ends[1]]));
            bodies.resize(cells.segments.len(), body);
        }
        for (polygon, &body) in surfaces.polygons.iter().zip(&surfaces.polygon_bodies) {
            let fan = (2..polygon.len()).map(|corner| [polygon[0], polygon[corner - 1], polygon[corner]]);
            cells.triangles.extend(fan);
            bodies.resize(cells.segments.len() + cells.triangles.len(), body);
        }
        let words = |part: usize| bodies.iter().map(|&body| handle_words(simulation, body)[part]).collect();
        let groups = bodies.iter().map(|&body| simulation.bodies().group[body as usize].0).collect();
        cells.columns = vec![
            Column::new("id", 1, Values::U32(words(0))),
            Column::new("generation", 1, Values::U32(words(1))),
            Column::new("group", 1, Values::U32(groups)),
        ];
        FrameData { points: surfaces.points(simulation), columns: Vec::new(), cells }
    }

    /// Contactors whose points move in their bodies, and the first point of each.
    pub(crate) fn skins(&self) -> &[(u32, usize)] {
        &self.skins
    }

    /// Number of points.
    pub(crate) fn count(&self) -> usize {
        self.points.len()
    }

    /// Where the surface points are now.
    pub(crate) fn points<const D: usize>(&self, simulation: &Simulation<D>) -> Vec<f64> {
        self.points_at(simulation, &simulation.bodies().pose)
    }

    /// Where the surface points are in a frame of the history of the bodies.
    pub(crate) fn points_of<const D: usize>(
        &self,
        simulation: &Simulation<D>,
        bodies: &[BodyRecord],
    ) -> Vec<f64> {
        let pose = |(record, axes): (&BodyRecord, &Orientation)| {
            let [w, i, j, k] = record.orientation_wxyz;
            let own = Orientation::from_quaternion(Quaternion::new(w, i, j, k));
            let position = Vector::<D>::from_fn(|axis, _| record.position[axis]);
            Pose { position, orientation: own * axes }
        };
        let poses: Vec<Pose<D>> = bodies.iter().zip(&simulation.bodies().own_axes).map(pose).collect();
        self.points_at(simulation, &poses)
    }

    fn points_at<const D: usize>(&self, simulation: &Simulation<D>, poses: &[Pose<D>]) -> Vec<f64> {
        let frames: Vec<_> = poses.iter().map(|pose| (pose.position, pose.rotation())).collect();
        let world = |((body, local), middle): (&(u32, [f64; 3]), &Option<[f64; 3]>)| {
            let (position, rotation) = &frames[*body as usize];
            let place = |local: &[f64; 3]| position + rotation * Vector::<D>::from_fn(|axis, _| local[axis]);
            // the whole of a contactor is moved into a periodic cell, not point by point
            let moved = middle.as_ref().map_or_else(Vector::zeros, |middle| {
                let middle = place(middle);
                shown(simulation, &middle) - middle
            });
            three(&(place(local) + moved))
        };
        if self.skins.is_empty() {
            return self.points.iter().zip(&self.middles).flat_map(world).collect();
        }
        let mut points = self.points.clone();
        for (contactor, first) in &self.skins {
            if let Shape::Skin(skin) = &simulation.contactors()[*contactor as usize].shape {
                let moved = points[*first..].iter_mut().zip(skin.vertices());
                moved.for_each(|(point, vertex)| point.1 = three(vertex));
            }
        }
        points.iter().zip(&self.middles).flat_map(world).collect()
    }

    /// Displacements and stresses at the points, zero on rigid bodies; none where all are rigid.
    pub(crate) fn columns<const D: usize>(&self, simulation: &Simulation<D>) -> Vec<Column> {
        if self.skins.is_empty() {
            return Vec::new();
        }
        let count = self.points.len();
        let mut values = [vec![0.0; 3 * count], vec![0.0; count], vec![0.0; 3 * count]];
        for (contactor, first) in &self.skins {
            let body = simulation.contactors()[*contactor as usize].body;
            let Some(fields) = simulation.skin_fields(drystone::BodyId(body)) else { continue };
            for (k, (moved, stress)) in fields.displacement.iter().zip(&fields.von_mises).enumerate() {
                let at = first + k;
                values[0][3 * at..3 * at + 3].copy_from_slice(&three(moved));
                values[1][at] = *stress;
                values[2][3 * at..3 * at + 3].copy_from_slice(&fields.principal[k]);
            }
        }
        solid_columns(values)
    }

    /// Adds polygons through points given in the axes of the contactor.
    fn add<const D: usize>(
        &mut self,
        contactor: &Contactor<D>,
        points: &[Vector<D>],
        polygons: &[Vec<usize>],
    ) {
        let first = self.points.len();
        self.points
            .extend(points.iter().map(|point| (contactor.body, three(&contactor.local.to_world(point)))));
        for polygon in polygons {
            self.polygons.push(polygon.iter().map(|corner| first + corner));
            self.polygon_bodies.push(contactor.body);
        }
    }

    /// Adds the faces of a shape; in the plane a wall is a line.
    fn add_skin<const D: usize>(&mut self, contactor: &Contactor<D>, skin: &SurfaceMesh<D>, wall: bool) {
        let corners = |face: &Vec<u32>| face.iter().map(|&corner| corner as usize).collect();
        let faces: Vec<Vec<usize>> = skin.faces.iter().map(corners).collect();
        if D == 3 || !wall {
            return self.add(contactor, &skin.points, &faces);
        }
        let first = self.points.len();
        self.add(contactor, &skin.points, &[]);
        for face in faces {
            let back = face.first().copied().filter(|_| skin.closed);
            self.lines.push(face.iter().copied().chain(back).map(|corner| first + corner));
            self.line_bodies.push(contactor.body);
        }
    }

    fn add_disk<const D: usize>(&mut self, contactor: &Contactor<D>, radius: f64) {
        let corner = |k: usize| {
            let angle = k as f64 / DISK as f64 * std::f64::consts::TAU;
            Vector::<D>::from_fn(|axis, _| {
                radius * if axis == 0 { portable::cos(angle) } else { portable::sin(angle) }
            })
        };
        let corners: Vec<Vector<D>> = (0..DISK).map(corner).collect();
        self.add(contactor, &corners, &[(0..DISK).collect()]);
    }

    fn add_sphere<const D: usize>(
        &mut self,
        contactor: &Contactor<D>,
        radius: f64,
        (directions, triangles): &Sphere,
    ) {
        let point = |direction: &[f64; 3]| Vector::<D>::from_fn(|axis, _| radius * direction[axis]);
        let points: Vec<Vector<D>> = directions.iter().map(point).collect();
        let triangles: Vec<Vec<usize>> = triangles.iter().map(|triangle| triangle.to_vec()).collect();
        self.add(contactor, &points, &triangles);
    }

    /// A line or a square in the border of the half-space, below the middle of the scene and wider than it.
    fn add_half_space<const D: usize>(&mut self, contactor: &Contactor<D>, simulation: &Simulation<D>) {
        let (middle, reach) = extent(simulation);
        let pose: Pose<D> = simulation.bodies().pose[contactor.body as usize].compose(&contactor.local);
        let below = pose.to_local(&middle);
        let corner =
            |signs: [f64; 2]| {
                Vector::<D>::from_fn(|axis, _| {
                    if axis == D - 1 { 0.0 } else { below[axis] + reach * signs[axis.min(1)] }
                })
            };
        if D == 2 {
            let first = self.points.len();
            let ends = [corner([-1.0, 0.0]), corner([1.0, 0.0])];
            self.points.extend(ends.map(|end| (contactor.body, three(&contactor.local.to_world(&end)))));
            self.lines.push([first, first + 1]);
            self.line_bodies.push(contactor.body);
        } else {
            let signs = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            self.add(contactor, &signs.map(corner), &[vec![0, 1, 2, 3]]);
        }
    }
}

/// Middle of the scene and how far half-spaces are drawn from it \[m\].
fn extent<const D: usize>(simulation: &Simulation<D>) -> (Vector<D>, f64) {
    let bodies = simulation.bodies();
    let bounded = || bodies.pose.iter().zip(&bodies.radius).filter(|(_, radius)| radius.is_finite());
    let mut low = Vector::<D>::repeat(f64::INFINITY);
    let mut high = Vector::<D>::repeat(f64::NEG_INFINITY);
    for (pose, &radius) in bounded() {
        low = low.zip_map(&pose.position, |bound, x| bound.min(x - radius));
        high = high.zip_map(&pose.position, |bound, x| bound.max(x + radius));
    }
    if bounded().next().is_none() {
        return (Vector::zeros(), 1.0);
    }
    (0.5 * (low + high), 0.75 * (high - low).norm())
}

/// Columns of the points where bodies are deformable.
fn solid_columns([displacement, von_mises, principal]: [Vec<f64>; 3]) -> Vec<Column> {
    vec![
        Column::new("displacement", 3, Values::F64(displacement)),
        Column::new("von_mises_stress", 1, Values::F64(von_mises)),
        Column::new("principal_stresses", 3, Values::F64(principal)),
    ]
}

/// What the columns mean; the first two without deformable bodies.
const SOLID_NOTES: &[(&str, &str)] = &[
    ("body", "index of the body in the scene, from 0"),
    ("group", "index of its group"),
    ("displacement", "m, world axes; by deformation, the rigid motion of the body apart"),
    ("von_mises_stress", "Pa, smoothed to nodes"),
    ("principal_stresses", "Pa, largest first"),
];

/// What the columns of surfaces that come and go mean.
const OPEN_NOTES: &[(&str, &str)] = &[
    ("id", "with the generation, the name of the body, as in bodies.vtkhdf"),
    ("generation", "see id"),
    ("group", "index of its group"),
];

/// Unit directions and triangles.
type Sphere = (Vec<[f64; 3]>, Vec<[usize; 3]>);

/// An icosahedron whose triangles were split in four `splits` times.
fn icosphere(splits: usize) -> Sphere {
    let long = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut points = Vec::new();
    for [a, b] in [[-1.0, long], [1.0, long], [-1.0, -long], [1.0, -long]] {
        points.extend([[a, b, 0.0], [0.0, a, b], [b, 0.0, a]].map(unit));
    }
    let mut triangles = faces_of_icosahedron(&points);
    for _ in 0..splits {
        let mut middles = HashMap::new();
        let mut middle = |a: usize, b: usize| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let sum = std::array::from_fn(|axis| points[a][axis] + points[b][axis]);
                points.push(unit(sum));
                points.len() - 1
            })
        };
        let split = |[a, b, c]: [usize; 3]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(split).collect();
    }
    (points, triangles)
}

/// Three corners of an icosahedron make a face where they are all neighbours; turned outwards.
fn faces_of_icosahedron(points: &[[f64; 3]]) -> Vec<[usize; 3]> {
    let dot = |a: usize, b: usize| (0..3).map(|axis| points[a][axis] * points[b][axis]).sum::<f64>();
    let near = |a: usize, b: usize| dot(a, b) > 0.4;
    let mut faces = Vec::new();
    for a in 0..points.len() {
        for b in a + 1..points.len() {
            for c in b + 1..points.len() {
                if near(a, b) && near(b, c) && near(c, a) {
                    let [p, q, r] = [points[a], points[b], points[c]];
                    let volume = p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0])
                        + p[2] * (q[0] * r[1] - q[1] * r[0]);
                    faces.push(if volume > 0.0 { [a, b, c] } else { [a, c, b] });
                }
            }
        }
    }
    faces
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let norm = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.map(|x| x / norm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_are_closed_and_round() {
        for (splits, corners) in [(0, 12), (1, 42), (2, 162)] {
            let (points, triangles) = icosphere(splits);
            assert_eq!(points.len(), corners);
            assert_eq!(triangles.len(), 2 * corners - 4, "Euler: V − E + F = 2 with 3F = 2E");
            assert!(points.iter().all(|p| (p.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-14));
        }
    }
}
