//! The landslide of Dal Pont and Dimnet (2008, §5.1): random polygons settle behind a gate, the gate opens,
//! they run out. Leaves the run to the command.

use super::commented::{Commented, rounded, wall};
use drystone_math::Vector;
use drystone_samples::regular_polygons;
use drystone_scene::SceneSpec;
use drystone_scene::spec::{BodySpec, Drive, LawSpec, Material, PercussionSpec, ShapeSpec, Strategy, Treat};

/// Slope of the bed behind the foot \[degrees\].
const SLOPE: f64 = 20.0;
/// Polygons along the bed and in all.
const COLUMNS: usize = 20;
const COUNT: usize = 300;
/// Radius of the circle around a polygon \[m\].
const RADIUS: f64 = 0.25;
/// Width of the cell it starts in \[m\].
const CELL: f64 = 2.08 * RADIUS;
/// When the gate leaves the bed \[s\], and how fast it is \[m/s\].
const OPENS: f64 = 2.0;
const SPEED: f64 = 5.0;

/// The scene.
pub fn scene() -> Commented {
    let width = COLUMNS as f64 * CELL;
    let slope = SLOPE.to_radians().tan();
    // the gate reaches this far into the ground and leaves it when it opens; driven bodies do not meet
    let below = OPENS * SPEED;
    let height = below + 12.0;
    let mut spec = SceneSpec::new(2, 1e-4, 10.0);
    spec.title = format!("A-CD²: a landslide of {COUNT} polygons");
    spec.time.strategy = Strategy::Acd2;
    spec.solver.tolerance = 1e-5;
    spec.output.interval = Some(0.05);
    spec.materials.insert("rock".into(), Material::of_density(2500.0));
    let law = |a: &str, percussion| LawSpec { percussion: Some(percussion), ..LawSpec::between(a, "*") };
    let dashpot = PercussionSpec { normal: 78.0, ..PercussionSpec::default() };
    spec.laws = vec![law("*", PercussionSpec { tangential: 78.0, ..dashpot }), law("gate", dashpot)];
    spec.bodies = vec![
        wall("flat", "ground", None, None),
        wall("bed", "ground", None, Some(-SLOPE)),
        wall("back wall", "ground", Some([-width, 0.0]), Some(-90.0)),
        BodySpec {
            group: "gate".into(),
            position: Some(vec![0.1, 0.5 * height - below]),
            drive: Some(Drive { x: Some(0.0), y: Some(SPEED), spin: Some(0.0), ..Drive::default() }),
            ..BodySpec::new("gate", ShapeSpec::Box { size: vec![0.2, height] })
        },
    ];
    let polygons = regular_polygons(&[RADIUS; COUNT], 3, 8, 12);
    spec.bodies.extend(polygons.iter().enumerate().map(|(index, polygon)| {
        let (column, row) = ((index % COLUMNS) as f64, (index / COLUMNS) as f64);
        let x = (column + 0.5) * CELL - width;
        // every column begins above the bed below its upper end
        let y = slope * (0.5 * CELL - x) + (row + 0.6) * CELL;
        let corner = |corner: &Vector<2>| corner.iter().map(|&x| rounded(x, 5)).collect();
        let vertices = polygon.iter().map(corner).collect();
        let shape = ShapeSpec::Polygon { vertices, treat: Treat::default() };
        BodySpec {
            group: "polygons".into(),
            material: Some("rock".into()),
            position: Some(vec![rounded(x, 5), rounded(y, 5)]),
            ..BodySpec::new(format!("polygon {}", index + 1), shape)
        }
    }));
    let notes = [
        ("time.step", "s"),
        ("time.duration", "s"),
        ("solver.tolerance", "of the typical impulse, at the worst contact"),
        ("output.interval", "s"),
        ("materials.rock.density", "kg/m3, per metre of depth"),
        ("law.0.percussion", "kg, per metre of depth"),
        ("law.1", "the gate does not drag along what leans against it"),
    ];
    let head = format!(
        "{COUNT} regular polygons with three to eight sides settle on a bed of {SLOPE} degrees behind a gate. After {OPENS} s\n\
         the gate, driven upwards all the time, leaves the bed, and they slide down and come to rest on the flat.\n\
         After S. Dal Pont, E. Dimnet (2008), section 5.1, with the parameters of its table 1."
    );
    Commented { head, spec, notes: notes.map(|(place, note)| (place, note.to_owned())).to_vec() }
}
