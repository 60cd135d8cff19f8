//! The surfaces of the bodies as polygons that move with them; where bodies come and go as triangles, anew in
//! each frame. Draws nothing.

use crate::column::Column;
use crate::folder::BodyRecord;
use crate::hdf5::Values;
use crate::records::{handle_words, masses, shown, three, velocity_and_spin};
use crate::series::{FrameData, SeriesPlan};
use crate::surface_rows::{BodyMotion, NOTES, OPEN_NOTES, PointRows, is_short, point_columns};
use crate::tessellation::{Sphere, extent, fill, icosphere};
use crate::topology::{Cells, FrameCells, Topology};
use drystone::{Contactor, Pose, Shape, Simulation, SurfaceMesh, Vector};
use drystone_math::nalgebra::Quaternion;
use drystone_math::{Orientation, portable};

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
        let of = simulation.bodies();
        let groups = bodies.iter().map(|&body| of.group[body as usize].0).collect();
        let mass = masses(of);
        let mass = bodies.iter().map(|&body| mass[body as usize]).collect();
        SeriesPlan {
            topology: Topology::Fixed {
                points: self.points.len(),
                vertices: Cells::default(),
                lines: self.lines.clone(),
                polygons: self.polygons.clone(),
            },
            columns: point_columns(PointRows::default(), !self.skins.is_empty(), is_short(simulation)),
            fixed_points: Vec::new(),
            fixed_cells: vec![
                Column::new("body", 1, Values::U32(bodies)),
                Column::new("group", 1, Values::U32(groups)),
                Column::new("mass", 1, Values::F64(mass)),
            ],
            names: of.name.clone(),
            groups: simulation.group_names().to_vec(),
            notes: if self.skins.is_empty() { &NOTES[..4] } else { NOTES },
            chunk: crate::records::chunk(self.points.len()),
            short: is_short(simulation),
        }
    }

    /// What a file of surfaces that come and go holds besides its frames.
    pub(crate) fn open_plan<const D: usize>(simulation: &Simulation<D>) -> SeriesPlan {
        let empty = |name| Column::new(name, 1, Values::U32(Vec::new()));
        let mut cells = ["id", "generation", "group"].map(empty).to_vec();
        cells.push(Column::new("mass", 1, Values::F64(Vec::new())));
        let topology = Topology::Changing(cells);
        let fixed = Self::new(simulation).plan(simulation);
        let columns = point_columns(PointRows::default(), false, fixed.short);
        let (fixed_cells, names) = (Vec::new(), Vec::new());
        SeriesPlan { topology, columns, fixed_cells, names, notes: OPEN_NOTES, ..fixed }
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
        let mass = masses(simulation.bodies());
        let words = |part: usize| bodies.iter().map(|&body| handle_words(simulation, body)[part]).collect();
        let groups = bodies.iter().map(|&body| simulation.bodies().group[body as usize].0).collect();
        cells.columns = vec![
            Column::new("id", 1, Values::U32(words(0))),
            Column::new("generation", 1, Values::U32(words(1))),
            Column::new("group", 1, Values::U32(groups)),
            Column::new("mass", 1, Values::F64(bodies.iter().map(|&body| mass[body as usize]).collect())),
        ];
        FrameData { cells, ..surfaces.rows(simulation) }
    }

    /// Contactors whose points move in their bodies, and the first point of each.
    pub(crate) fn skins(&self) -> &[(u32, usize)] {
        &self.skins
    }

    /// Number of points.
    pub(crate) fn count(&self) -> usize {
        self.points.len()
    }

    /// The surface points as they are now.
    pub(crate) fn rows<const D: usize>(&self, simulation: &Simulation<D>) -> FrameData {
        let bodies = simulation.bodies();
        let motion = |body: usize| {
            let [velocity, _] = velocity_and_spin(simulation, body);
            let spin = drystone_math::per_dof::spin::<D>(&bodies.twist(body));
            let pose = bodies.pose[body];
            BodyMotion { pose, velocity, spin: (pose.orientation * spin).into() }
        };
        let motions: Vec<BodyMotion<D>> = (0..bodies.len()).map(motion).collect();
        let mut rows = self.rows_at(simulation, &motions);
        self.deform(simulation, &mut rows);
        self.frame(simulation, rows)
    }

    /// The surface points in a frame of the history of the bodies, all of them rigid.
    pub(crate) fn rows_of<const D: usize>(
        &self,
        simulation: &Simulation<D>,
        bodies: &[BodyRecord],
    ) -> FrameData {
        let motion = |(record, axes): (&BodyRecord, &Orientation)| {
            let [w, i, j, k] = record.orientation_wxyz;
            let own = Orientation::from_quaternion(Quaternion::new(w, i, j, k));
            let position = Vector::<D>::from_fn(|axis, _| record.position[axis]);
            let spin = own * Vector::<3>::from(record.spin);
            let pose = Pose { position, orientation: own * axes };
            BodyMotion { pose, velocity: record.velocity, spin: spin.into() }
        };
        let motions: Vec<_> = bodies.iter().zip(&simulation.bodies().own_axes).map(motion).collect();
        let mut rows = self.rows_at(simulation, &motions);
        if !self.skins.is_empty() {
            // what deforms is not known any more
            rows.reserve_fields(self.points.len());
        }
        self.frame(simulation, rows)
    }

    fn frame<const D: usize>(&self, simulation: &Simulation<D>, mut rows: PointRows) -> FrameData {
        let points = std::mem::take(&mut rows.points);
        let columns = point_columns(rows, !self.skins.is_empty(), is_short(simulation));
        FrameData { points, columns, ..FrameData::default() }
    }

    fn rows_at<const D: usize>(&self, simulation: &Simulation<D>, motions: &[BodyMotion<D>]) -> PointRows {
        let rotations: Vec<_> = motions.iter().map(|motion| motion.pose.rotation()).collect();
        let mut rows = PointRows::default();
        let mut add = |body: u32, local: &[f64; 3], middle: &Option<[f64; 3]>| {
            let (motion, rotation) = (&motions[body as usize], &rotations[body as usize]);
            let turned = |local: &[f64; 3]| rotation * Vector::<D>::from_fn(|axis, _| local[axis]);
            let place = |local: &[f64; 3]| motion.pose.position + turned(local);
            // the whole of a contactor is moved into a periodic cell, not point by point
            let moved = middle.as_ref().map_or_else(Vector::zeros, |middle| {
                let middle = place(middle);
                shown(simulation, &middle) - middle
            });
            rows.points.extend(three(&(place(local) + moved)));
            let ([wx, wy, wz], [rx, ry, rz]) = (motion.spin, three(&turned(local)));
            let swept = [wy * rz - wz * ry, wz * rx - wx * rz, wx * ry - wy * rx];
            rows.velocity.extend((0..3).map(|axis| motion.velocity[axis] + swept[axis]));
        };
        if self.skins.is_empty() {
            self.points
                .iter()
                .zip(&self.middles)
                .for_each(|((body, local), middle)| add(*body, local, middle));
            return rows;
        }
        let mut points = self.points.clone();
        for (contactor, first) in &self.skins {
            if let Shape::Skin(skin) = &simulation.contactors()[*contactor as usize].shape {
                let moved = points[*first..].iter_mut().zip(skin.vertices());
                moved.for_each(|(point, vertex)| point.1 = three(vertex));
            }
        }
        points.iter().zip(&self.middles).for_each(|((body, local), middle)| add(*body, local, middle));
        rows
    }

    /// Displacements, velocities and stresses at the points of deformable bodies.
    fn deform<const D: usize>(&self, simulation: &Simulation<D>, rows: &mut PointRows) {
        if self.skins.is_empty() {
            return;
        }
        rows.reserve_fields(self.points.len());
        for (contactor, first) in &self.skins {
            let body = simulation.contactors()[*contactor as usize].body;
            let Some(fields) = simulation.skin_fields(drystone::BodyId(body)) else { continue };
            for (k, (moved, stress)) in fields.displacement.iter().zip(&fields.von_mises).enumerate() {
                let at = first + k;
                rows.displacement[3 * at..3 * at + 3].copy_from_slice(&three(moved));
                rows.velocity[3 * at..3 * at + 3].copy_from_slice(&three(&fields.velocity[k]));
                rows.von_mises[at] = *stress;
                rows.principal[3 * at..3 * at + 3].copy_from_slice(&fields.principal[k]);
                rows.accumulated[at] = fields.accumulated.get(k).copied().unwrap_or(0.0);
            }
        }
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
        if D == 2 && !wall && faces.len() > 1 {
            // lines around a body with holes: polygons would fill them
            let spots: Vec<[f64; 2]> = skin.points.iter().map(|point| [point[0], point[1]]).collect();
            let triangles: Vec<Vec<usize>> = fill(&spots, &faces).iter().map(|own| own.to_vec()).collect();
            return self.add(contactor, &skin.points, &triangles);
        }
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
