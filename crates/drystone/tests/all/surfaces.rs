//! A plane cut into triangles or tiles is a plane: what rolls or slides over it takes the same path. Drums
//! stand.

use crate::common::*;
use drystone::*;
use drystone_math::nalgebra::Vector3;

/// A level square of side 8, cut into triangles along either diagonal in turn.
fn flat_mesh() -> Shape<3> {
    let side = 23u32;
    let place = |k: u32| (f64::from(k) - 11.0) * 0.37;
    let vertices =
        (0..side * side).map(|k| Vector::<3>::new(place(k % side), place(k / side), 0.0)).collect();
    let mut triangles = Vec::new();
    for k in 0..(side - 1) * (side - 1) {
        let a = k / (side - 1) * side + k % (side - 1);
        let [b, c, d] = [a + 1, a + side + 1, a + side];
        triangles.extend(if k % 3 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
    }
    Surface::triangles(vertices, triangles).expect("a mesh").into()
}

/// The path of a body thrown over a floor.
fn path(floor: Shape<3>, shape: Shape<3>, height: f64, velocity: [f64; 6]) -> Vec<Pose<3>> {
    let mut scene = Builder::<3>::new(2e-3);
    scene.add(floor, Pose::identity(), PerDof::zeros(), true);
    let start = Vector::<3>::new(-1.3, -0.9, height);
    let body = scene.add(shape, Pose::at(start), velocity.into(), false);
    let mut simulation = scene.build(Inelastic { friction: 0.3 });
    (0..600)
        .map(|_| {
            simulation.step();
            simulation.bodies().pose[body.0 as usize]
        })
        .collect()
}

#[test]
fn a_ball_rolls_and_a_box_slides_over_a_mesh_as_over_a_plane() {
    for (shape, height) in [(Shape::ball(0.25).expect("a ball"), 0.25), (cuboid([0.5, 0.4, 0.3]), 0.15)] {
        let velocity = [2.0, 1.5, 0.0, 0.0, 0.0, 0.5];
        let on_plane = path(Shape::HalfSpace, shape.clone(), height, velocity);
        let on_mesh = path(flat_mesh(), shape, height, velocity);
        assert!((on_plane[599].position - on_plane[0].position).norm() > 0.5, "it moved");
        for (one, two) in on_plane.iter().zip(&on_mesh) {
            assert!((one.position - two.position).norm() < 1e-9);
            assert!(one.orientation.angle_to(&two.orientation) < 1e-9);
        }
    }
}

#[test]
fn a_column_of_drums_stands() {
    let mut scene = Builder::<3>::new(5e-3);
    scene.settings.solver.tolerance = 1e-8;
    scene.ground();
    let drum = Shape::cylinder(0.5, 0.8).expect("a drum");
    for k in 0..10 {
        scene.add(
            drum.clone(),
            Pose::at([0.0, 0.0, 0.4 + 0.8 * f64::from(k)].into()),
            PerDof::zeros(),
            false,
        );
    }
    let mut simulation = scene.build(Inelastic { friction: 0.5 });
    for _ in 0..400 {
        simulation.step();
    }
    for (k, pose) in simulation.bodies().pose[1..].iter().enumerate() {
        assert!(
            (pose.position - Vector::<3>::new(0.0, 0.0, 0.4 + 0.8 * k as f64)).norm() < 1e-4,
            "{k} {pose:?}"
        );
    }
}

/// Numbers that look random and are the same in every run (Knuth's multiplier).
struct Dice(u64);

impl Dice {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.between(0.0, all.len() as f64) as usize % all.len()]
    }
}

/// A scene of tiles and a body that slides over them, turned as a whole.
struct Bed<const D: usize> {
    scene: Builder<D>,
    turn: Pose<D>,
    body: BodyId,
}

impl<const D: usize> Bed<D> {
    fn new(step: f64, turn: Pose<D>) -> Self {
        let mut scene = Builder::new(step);
        scene.settings.solver.tolerance = 1e-9;
        scene.settings.gravity = turn.rotation() * scene.settings.gravity;
        Self { scene, turn, body: BodyId(0) }
    }

    fn add(&mut self, shape: Shape<D>, place: Vector<D>, velocity: Vector<D>, fixed: bool) {
        let turned = self.turn.rotation() * velocity;
        let velocity = PerDof::from_fn(|i| if i < D { turned[i] } else { 0.0 });
        self.body = self.scene.add(shape, self.turn.compose(&Pose::at(place)), velocity, fixed);
    }

    /// Slides without friction for eight steps. The share of its speed that is left along its way.
    fn slide(self) -> f64 {
        let body = self.body.0 as usize;
        let mut simulation = self.scene.build(Inelastic { friction: 0.0 });
        let begin = simulation.bodies().twist(body);
        for _ in 0..8 {
            simulation.step();
        }
        simulation.bodies().twist(body).dot(&begin) / begin.dot(&begin)
    }
}

/// What pairs on beds have in common.
struct Throw {
    size: f64,
    speed: f64,
    step: f64,
    gap: f64,
    height: f64,
}

impl Throw {
    fn new(dice: &mut Dice) -> Self {
        let size = 10f64.powf(dice.between(-1.0, 0.0));
        Self {
            size,
            speed: 10f64.powf(dice.between(-3.0, 1.3)),
            step: dice.one_of(&[1e-3, 5e-4]),
            gap: dice.one_of(&[0.0, 0.0, 1e-6, 1e-3]),
            height: dice.one_of(&[0.0, 1e-9, -1e-9]),
        }
    }

    /// How far the front is from the next tile: it comes there within a few steps, but is not there half a
    /// step on, where contacts are first sought.
    fn run_up(&self, dice: &mut Dice) -> f64 {
        self.speed * self.step * dice.between(0.6, 4.0)
    }
}

/// A convex polygon with a flat base from −1/2 to 1/2, its corners leaning either way, slides towards tiles
/// of the plane.
fn polygon_on_bed(seed: u64, raised: f64) -> f64 {
    let dice = &mut Dice(seed);
    let throw = Throw::new(dice);
    let turn = Orientation::from_axis_angle(&Vector3::z_axis(), dice.between(-3.0, 3.0));
    let mut bed = Bed::<2>::new(throw.step, Pose { position: Vector::zeros(), orientation: turn });
    let width = throw.size * dice.between(0.7, 2.0);
    // the first tile ends at the origin
    bed.add(rectangle([4.0, 0.5]), Vector::<2>::new(-2.0, -0.25), Vector::zeros(), true);
    let mut from = throw.gap;
    for tile in 0..3 {
        let high = if tile == 0 { throw.height + raised } else { throw.height };
        let place = Vector::<2>::new(from + 0.5 * width, high - 0.25);
        bed.add(rectangle([width, 0.5]), place, Vector::zeros(), true);
        from += width + throw.gap;
    }
    let (s, x, top) = (0.5 * throw.size, throw.run_up(dice), 0.3 * throw.size);
    let mut lean = || s * dice.between(0.7, 1.2);
    let (left, right) = (lean(), lean());
    let corners =
        [[-s, -top], [s, -top], [right, 0.5 * top], [0.5 * right, top], [-0.5 * left, top], [-left, 0.0]];
    let form = Polytope::polygon(corners.map(Vector::<2>::from).to_vec()).expect("a polygon");
    let place = Vector::<2>::new(throw.gap - s - x, top);
    bed.add(form.into(), place, Vector::<2>::new(throw.speed, 0.0), false);
    bed.slide()
}

/// The hull of a flat base and a top that leans, slides askew towards tiles in space.
fn polyhedron_on_bed(seed: u64, raised: f64) -> f64 {
    let dice = &mut Dice(seed);
    let throw = Throw::new(dice);
    let mut angle = || dice.between(-3.0, 3.0);
    let turn = Orientation::from_euler_angles(angle(), angle(), angle());
    let mut bed = Bed::<3>::new(throw.step, Pose { position: Vector::zeros(), orientation: turn });
    let width = throw.size * dice.between(0.7, 2.0);
    for side in [-2.0, 2.0] {
        bed.add(cuboid([4.0, 4.0, 0.5]), Vector::<3>::new(-2.0, side, -0.25), Vector::zeros(), true);
    }
    let shift = width * dice.between(0.0, 1.0);
    for row in 0..2 {
        for column in -2..2 {
            let high = if row == 0 { throw.height + raised } else { throw.height };
            let along = throw.gap + f64::from(row) * (width + throw.gap) + 0.5 * width;
            let across = shift + f64::from(column) * (width + throw.gap);
            let place = Vector::<3>::new(along, across, high - 0.25);
            bed.add(cuboid([width, width, 0.5]), place, Vector::zeros(), true);
        }
    }
    let (s, x) = (0.5 * throw.size, throw.run_up(dice));
    let (count, top) = (dice.one_of(&[3, 4, 5, 6]), 0.3 * throw.size);
    let first = dice.between(0.0, 6.0);
    let (lean, narrow) = (0.2 * s * dice.between(-1.0, 1.0), dice.between(0.5, 1.1));
    let corner = |k: usize, by: f64, z: f64| {
        let angle = first + std::f64::consts::TAU * k as f64 / count as f64;
        Vector::<3>::new(s * by * angle.cos() + lean * (z + top), s * by * angle.sin(), z)
    };
    let corners = (0..count).flat_map(|k| [corner(k, 1.0, -top), corner(k, narrow, top)]).collect::<Vec<_>>();
    let front = (0..count).map(|k| corner(k, 1.0, -top)[0]).fold(0.0, f64::max);
    let form = Polytope::hull(corners).expect("a polyhedron");
    let heading = dice.between(-0.5, 0.5);
    let velocity = Vector::<3>::new(heading.cos(), heading.sin(), 0.0) * throw.speed;
    bed.add(form.into(), Vector::<3>::new(throw.gap - front - x, 0.0, top), velocity, false);
    bed.slide()
}

/// A thousand pairs: over flush tiles nothing is lost, and a tile 1 mm higher is not passed.
#[test]
fn polytopes_slide_over_flush_beds_and_are_stopped_by_steps() {
    type OnBed = fn(u64, f64) -> f64;
    for (what, on_bed) in [("polygon", polygon_on_bed as OnBed), ("polyhedron", polyhedron_on_bed)] {
        for seed in 0..500 {
            let left = on_bed(seed, 0.0);
            assert!((left - 1.0).abs() < 1e-10, "{what} {seed} on a flush bed: {left} of its speed");
            let left = on_bed(seed, 1e-3);
            assert!(left < 0.99, "{what} {seed} at a step: {left} of its speed");
        }
    }
}

/// A box as a closed mesh.
fn mesh_box(size: [f64; 3]) -> Shape<3> {
    let corner = |k: u32| {
        Vector::<3>::from_fn(|axis, _| if k >> axis & 1 == 1 { 0.5 * size[axis] } else { -0.5 * size[axis] })
    };
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Surface::triangles((0..8).map(corner).collect(), triangles).expect("a mesh").into()
}

/// What a body that slides or rolls over a row of tiles has of its speed after half a second, and how fast it
/// rose.
fn over_tiles<const D: usize>(
    tile: &Shape<D>,
    shape: Shape<D>,
    height: f64,
    spin: f64,
    step: f64,
) -> [f64; 2] {
    let mut scene = Builder::<D>::new(step);
    for k in 0..6 {
        let place = Vector::from_fn(|i, _| {
            if i == 0 {
                0.3 * f64::from(k)
            } else if i + 1 == D {
                -0.1
            } else {
                0.0
            }
        });
        scene.add(tile.clone(), Pose::at(place), PerDof::zeros(), true);
    }
    let place = Vector::from_fn(|i, _| if i + 1 == D { height } else { 0.013 });
    // about z in the plane, about y in space
    let turning = if D == 2 { 2 } else { 4 };
    let sign = if D == 2 { -1.0 } else { 1.0 };
    let velocity = PerDof::from_fn(|i| {
        if i == 0 {
            2.0
        } else if i == turning {
            sign * spin
        } else {
            0.0
        }
    });
    let body = scene.add(shape, Pose::at(place), velocity, false).0 as usize;
    let friction = if spin == 0.0 { 0.0 } else { 0.4 };
    let mut simulation = scene.build(Inelastic { friction });
    let mut rise = 0.0_f64;
    for _ in 0..(0.5 / step).round() as usize {
        simulation.step();
        rise = rise.max(simulation.bodies().velocity[body][D - 1]);
    }
    [simulation.bodies().velocity[body][0], rise]
}

#[test]
fn joints_between_meshes_outlines_and_solids_stop_nothing() {
    let corners = [[-0.15, -0.1], [0.15, -0.1], [0.15, 0.1], [-0.15, 0.1]].map(Vector::<2>::from).to_vec();
    let outline: Shape<2> = Surface::outline(corners).expect("an outline").into();
    for tile in [rectangle([0.3, 0.2]), outline] {
        let capsule = Shape::rounded_rectangle([0.3, 0.2], 0.03).expect("a round rectangle");
        for (shape, spin) in
            [(rectangle([0.4, 0.2]), 0.0), (Shape::Ball { radius: 0.1 }, 20.0), (capsule, 0.0)]
        {
            for step in [4e-3, 2e-3, 1e-3, 5e-4] {
                let [speed, rise] = over_tiles::<2>(&tile, shape.clone(), 0.1, spin, step);
                assert!(
                    (speed - 2.0).abs() < 1e-9 && rise < 1e-9,
                    "{tile:?} {shape:?} {step}: {speed} {rise:e}"
                );
            }
        }
    }
    for tile in [cuboid([0.3, 1.0, 0.2]), mesh_box([0.3, 1.0, 0.2])] {
        let drum = Shape::cylinder(0.15, 0.2).expect("a drum");
        for (shape, spin) in
            [(cuboid([0.4, 0.3, 0.2]), 0.0), (Shape::Ball { radius: 0.1 }, 20.0), (drum, 0.0)]
        {
            for step in [2e-3, 1e-3] {
                let [speed, rise] = over_tiles::<3>(&tile, shape.clone(), 0.1, spin, step);
                assert!(
                    (speed - 2.0).abs() < 1e-9 && rise < 1e-9,
                    "{tile:?} {shape:?} {step}: {speed} {rise:e}"
                );
            }
        }
    }
}

/// The upper courses of a dry wall slide over the lower ones, all of them free bricks.
#[test]
fn a_course_of_a_wall_slides_over_another() {
    let mut scene = Builder::<2>::new(1e-3);
    scene.ground();
    let mut upper = Vec::new();
    for course in 0..3 {
        // the lowest goes on where the others slide to
        for k in 0..if course == 0 { 11 } else { 8 } {
            let shift = if course % 2 == 0 { 0.0 } else { 0.1 };
            let place = Vector::<2>::new(0.2 * f64::from(k) + shift, 0.05 + 0.1 * f64::from(course));
            let speed = if course == 0 { 0.0 } else { 0.5 };
            let velocity = Vector::<3>::new(speed, 0.0, 0.0);
            let brick = scene.add(rectangle([0.2, 0.1]), Pose::at(place), velocity.into(), false);
            upper.extend((course > 0).then_some(brick.0 as usize));
        }
    }
    let mut simulation = scene.build(Inelastic { friction: 0.0 });
    for _ in 0..400 {
        simulation.step();
    }
    for brick in upper {
        let velocity = simulation.bodies().twist(brick);
        assert!((velocity - PerDof::from([0.5, 0.0, 0.0])).norm() < 1e-9, "{velocity}");
    }
}
