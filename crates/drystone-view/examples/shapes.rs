//! Draws every shape and every pair of shapes, with their contacts, for the page on shapes of the book:
//! `cargo run -p drystone-view --example shapes -- docs/src/pictures`. Each pair is moved together until it
//! touches.

use drystone::{
    ContactPoint, Contactor, Detector, Orientation, Polytope, Pose, Shape, ShapeError, Surface, Vector,
};
use drystone_view::{ForceSegment, Form, Item, Picture, Show, Status, Style, View, form_of, render};
use std::path::PathBuf;

/// Distance between the middles of two cells; shapes measure about 1.
const CELL: f64 = 2.4;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    let wide = Style { width: 1200, view: View { azimuth: -84.0, elevation: 20.0 }, ..Style::default() };
    let pairs = Style { show: Show::Forces, ..wide.clone() };
    let (walls, bodies) = plane()?;
    let all: Vec<Shape<2>> = walls.iter().chain(&bodies).cloned().collect();
    render(&row(&all), &wide, &folder.join("shapes-plane.png"))?;
    render(&table(&all, &bodies), &pairs, &folder.join("pairs-plane.png"))?;
    let (walls, bodies) = space()?;
    let all: Vec<Shape<3>> = walls.iter().chain(&bodies).cloned().collect();
    render(&row(&all), &wide, &folder.join("shapes-space.png"))?;
    render(&table(&all, &bodies), &pairs, &folder.join("pairs-space.png"))?;
    Ok(())
}

/// Walls, and shapes of bodies, of the plane.
fn plane() -> Result<(Vec<Shape<2>>, Vec<Shape<2>>), ShapeError> {
    let point = |x: f64, y: f64| Vector::<2>::new(x, y);
    let ring = |count: usize, radius: &dyn Fn(usize) -> f64| -> Vec<Vector<2>> {
        let angle = |k: usize| (0.25 + k as f64 / count as f64) * std::f64::consts::TAU;
        (0..count).map(|k| point(angle(k).cos(), angle(k).sin()) * radius(k)).collect()
    };
    let hills = [-1.1, -0.5, 0.1, 0.6, 1.1].map(|x: f64| point(x, 0.15 * (5.0 * x).sin()));
    let walls = vec![Shape::hollow_disk(1.05)?, Surface::polyline(hills.to_vec())?.into()];
    let bodies = vec![
        Shape::ball(0.45)?,
        Polytope::rectangle([1.0, 0.6])?.into(),
        Polytope::polygon(ring(5, &|_| 0.5))?.into(),
        Shape::rounded_rectangle([1.0, 0.6], 0.15)?,
        Shape::capsule(0.5, 0.25)?,
        Surface::outline(ring(10, &|k| if k % 2 == 0 { 0.55 } else { 0.25 }))?.into(),
        Shape::Point,
    ];
    Ok((walls, bodies))
}

/// Walls, and shapes of bodies, of space.
fn space() -> Result<(Vec<Shape<3>>, Vec<Shape<3>>), ShapeError> {
    let point = |x: f64, y: f64, z: f64| Vector::<3>::new(x, y, z);
    let heights: Vec<f64> =
        (0..64).map(|k| 0.12 * (f64::from(k % 8) * 1.1).sin() * (f64::from(k / 8) * 0.9).cos()).collect();
    let walls = vec![
        Shape::hollow_cylinder(0.95, 1.2)?,
        Surface::height_field([-1.05, -1.05], 0.3, 8, &heights)?.into(),
    ];
    let ell = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.4], [0.4, 0.4], [0.4, 1.0], [0.0, 1.0]];
    let level = |y: f64| ell.map(|[x, z]| point(x - 0.5, y, z - 0.4));
    let mut triangles: Vec<[u32; 3]> = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    triangles.extend(triangles.clone().iter().map(|[a, b, c]| [a + 6, c + 6, b + 6]));
    triangles.extend((0..6).flat_map(|k| {
        let next = (k + 1) % 6;
        [[k, k + 6, next], [next, k + 6, next + 6]]
    }));
    let roof =
        [point(-0.5, -0.4, -0.3), point(0.5, -0.4, -0.3), point(0.5, 0.4, -0.3), point(-0.5, 0.4, -0.3)];
    let bodies = vec![
        Shape::ball(0.45)?,
        Polytope::cuboid([0.9, 0.7, 0.5])?.into(),
        Polytope::hull(roof.into_iter().chain([point(0.0, 0.0, 0.5)]).collect())?.into(),
        Shape::cylinder(0.4, 0.7)?,
        Shape::capsule(0.5, 0.25)?,
        Surface::triangles([level(-0.3), level(0.3)].concat(), triangles)?.into(),
        Shape::Point,
    ];
    Ok((walls, bodies))
}

/// The shapes in a row.
fn row<const D: usize>(shapes: &[Shape<D>]) -> Picture {
    let items = shapes.iter().zip(0..).map(|(shape, k)| item(shape, &cell(f64::from(k), 0.0), k));
    Picture { dimension: D, items: items.collect(), ..Picture::default() }
}

/// A row for each shape below, a column for each shape above it.
fn table<const D: usize>(below: &[Shape<D>], above: &[Shape<D>]) -> Picture {
    let mut picture = Picture { dimension: D, ..Picture::default() };
    for (a, down) in below.iter().zip(0..) {
        for (b, right) in above.iter().zip(0..) {
            let place: Pose<D> = cell(f64::from(right), -f64::from(down));
            picture.items.push(item(a, &place, 100));
            if let Some((pose, touches)) = settled((a, &place), b) {
                picture.items.push(item(b, &pose, right));
                if D == 2 {
                    picture.items.extend(touches.iter().flat_map(dot_and_normal));
                } else {
                    picture.contacts.extend(touches.iter().enumerate().map(mark));
                }
            }
        }
    }
    picture
}

fn cell<const D: usize>(right: f64, up: f64) -> Pose<D> {
    Pose::at(Vector::from_fn(|axis, _| match axis {
        0 => CELL * right,
        _ if axis == D - 1 => CELL * up,
        _ => 0.0,
    }))
}

/// Where the second shape comes down on the first, by the distance that detection says, and the contacts
/// there; nothing for two that never meet.
fn settled<const D: usize>(
    (a, place): (&Shape<D>, &Pose<D>),
    b: &Shape<D>,
) -> Option<(Pose<D>, Vec<ContactPoint<D>>)> {
    let hollow = matches!(a, Shape::Hollow { .. });
    // a tube is open below: inside it shapes move sideways
    let axis = if hollow && D == 3 { 0 } else { D - 1 };
    let mut pose = *place;
    pose.position[0] += 0.04;
    if !hollow {
        pose.position[D - 1] += 1.15;
    }
    pose.orientation = Orientation::identity();
    let contactors = [a, b].map(|shape| Contactor { body: 0, shape: shape.clone(), local: Pose::identity() });
    let contactors: Vec<Contactor<D>> =
        contactors.into_iter().zip(0..).map(|(contactor, body)| Contactor { body, ..contactor }).collect();
    let mut touches = Vec::new();
    let mut detector = Detector::new();
    let mut alert = 2.0;
    for _ in 0..200 {
        detector.find(&contactors, &[*place, pose], &[0.5 * alert; 2], &|_, _| true, &mut touches);
        let gap = touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
        if !gap.is_finite() || gap < 1e-3 {
            break;
        }
        pose.position[axis] -= 0.5 * gap;
        if place.position[axis] - pose.position[axis] > CELL {
            return None;
        }
        alert = 2.0 * gap + 0.02;
    }
    detector.find(&contactors, &[*place, pose], &[0.01; 2], &|_, _| true, &mut touches);
    (!touches.is_empty()).then_some((pose, touches))
}

fn item<const D: usize>(shape: &Shape<D>, pose: &Pose<D>, number: u32) -> Item {
    Item {
        body: number,
        group: number % 100,
        fixed: number == 100,
        position: three(&pose.position),
        orientation_wxyz: pose.orientation_wxyz(),
        velocity: [0.0; 3],
        form: form_of(shape),
    }
}

/// A contact of the plane as a dot and a short line along its normal.
fn dot_and_normal<const D: usize>(touch: &ContactPoint<D>) -> [Item; 2] {
    let at = Pose::at(touch.point);
    let [x, y, _] = three(&touch.normal).map(|part| 0.3 * part);
    let line = Form::Line { vertices: vec![[-x, -y], [x, y]], closed: false };
    [Item { form: line, ..item(&Shape::Point, &at, 7) }, item(&Shape::Point, &at, 7)]
}

/// A contact by itself: each counts as a pair of bodies of its own.
fn mark<const D: usize>((rank, touch): (usize, &ContactPoint<D>)) -> ForceSegment {
    let normal = three(&touch.normal);
    ForceSegment {
        bodies: [0, rank as u32 + 1],
        point: three(&touch.point),
        normal,
        force: normal,
        centres: [None; 2],
        status: Status::Stick,
    }
}

fn three<const D: usize>(vector: &Vector<D>) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < D { vector[axis] } else { 0.0 })
}
